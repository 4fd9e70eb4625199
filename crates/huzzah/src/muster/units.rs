//! The units of a scenario: what they are, and whether they can stand where they do.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_table::{Index, OnTable, Outline as _, Placed, overlap, overlapping};

use super::Names;
use crate::battle::Battle;
use crate::body::{Body, Presence, UnitEntry};
use crate::clauses::{
    HZ_BLD_04, HZ_BLD_08, HZ_BLO_01, HZ_CMD_01, HZ_DEP_01, HZ_DEP_17, HZ_GEN_10, HZ_GEO_02, HZ_QUA_08, HZ_QUA_11,
    HZ_ROU_01, HZ_SCL_10, HZ_SCL_11, HZ_SCL_13, HZ_STR_02, HZ_TER_09,
};
use crate::lay::{CommandFacts, ContingentFacts, UnitFacts, files, footprint};
use crate::numbers::{Basing, Numbers};
use crate::state::Stage;
use crate::table::ground::{self, Lies};
use crate::terrain::{Going, Kind};
use crate::troops::{Arm, Draught, Formation, Guns, Horse, Level, Pieces};

/// What is fixed about each unit.
pub(super) fn facts(
    body: &Body,
    names: &Names,
    commands: &[CommandFacts],
    contingents: &[ContingentFacts],
    basing: &Basing,
    numbers: &Numbers,
    report: &mut Diagnostics,
) -> Option<Vec<UnitFacts>> {
    let mut all = Vec::new();
    for (n, entry) in body.units.iter().enumerate() {
        let path = Path::root().key("units").item(n);
        check_words(entry, &path, report);
        let Some(brigade) = names.commands.get(&entry.command).copied() else {
            let says = format!("\"{}\" is in no command: there is no \"{}\"", entry.name, entry.command);
            report.against(HZ_CMD_01, path.key("command"), says, "name its brigade");
            continue;
        };
        let over = &commands[brigade.index()];
        if over.level != Level::Brigade {
            let says = format!("\"{}\" stands directly under a {}", entry.name, over.level);
            report.against(HZ_CMD_01, path.clone().key("command"), says, "units belong to brigades");
        }
        let own: Vec<usize> = (0..contingents.len()).filter(|&c| contingents[c].side == over.side).collect();
        let contingent = match entry.contingent.as_ref().or_else(|| of_command(body, &entry.command)) {
            Some(id) => own.iter().copied().find(|&c| contingents[c].id == *id),
            None if own.len() == 1 => own.first().copied(),
            None => None,
        };
        decides!(HZ_GEN_10);
        let Some(contingent) = contingent else {
            let ids: Vec<&str> = own.iter().map(|&c| contingents[c].id.as_str()).collect();
            report.against(
                HZ_GEN_10,
                path.key("contingent"),
                "the unit is of no contingent of its side",
                format!("one of {}", ids.join(", ")),
            );
            continue;
        };
        decides!(HZ_SCL_13);
        let stands = match entry.arm {
            Arm::Infantry if entry.open_order_bases => basing.open_order,
            Arm::Infantry => basing.infantry,
            Arm::Cavalry => basing.cavalry,
            Arm::Artillery => basing.artillery,
        };
        decides!(HZ_SCL_11);
        let usual = match entry.arm {
            Arm::Cavalry => body.options.cavalry_stands.unwrap_or(stands.count),
            Arm::Artillery if entry.gun_count.is_some_and(|guns| guns >= 8) => basing.artillery_eight_guns,
            _ => stands.count,
        };
        let count = entry.stands.unwrap_or(usual).max(1);
        decides!(HZ_SCL_10);
        if entry.arm == Arm::Cavalry && count != usual {
            report.unusual(
                Some(HZ_SCL_10),
                path.clone().key("stands"),
                "differs from the chosen size of cavalry regiments",
            );
        }
        let (width, depth) = (stands.width.standard(), stands.depth.standard());
        let column = body.options.column_width;
        let small = entry.abilities.small || basing.is_small(count);
        let mut footprints = Vec::with_capacity(Formation::ALL.len());
        for &formation in Formation::ALL {
            footprints.push(footprint(formation, count, width, depth, column));
        }
        let Ok(footprints) = footprints.try_into() else { continue };
        let mut wide = [1; 8];
        for &formation in Formation::ALL {
            wide[formation.index()] = files(formation, count, column);
        }
        let unit = UnitFacts {
            id: entry.id.clone(),
            name: entry.name.clone(),
            side: over.side,
            brigade,
            contingent: contingent as u16,
            arm: entry.arm,
            horse: entry.horse.unwrap_or(Horse::Plain),
            guns: entry.guns.unwrap_or(Guns::Medium),
            draught: entry.draught.unwrap_or(Draught::Foot),
            pieces: entry.pieces.unwrap_or(Pieces::Cannon),
            abilities: entry.abilities,
            small,
            rolled_as: entry.grade.zip(entry.class),
            stands: count,
            stand_width: width,
            stand_depth: depth,
            footprints,
            files: wide,
            facings: entry.facings.clone(),
        };
        // A unit that has just rallied is still a mob until its owner has said what it forms (HZ-RAL-14).
        let forming = body.state.doing.forming == Some(UnitId(n as u16));
        let settled = !entry.routing && !forming && entry.presence == Presence::Present;
        if settled && entry.formation != Formation::Garrison {
            let allowed = can_form(&unit, &contingents[contingent], entry.formation);
            let runaway = entry.formation == Formation::Mob && entry.arm == Arm::Cavalry && entry.blown;
            if !allowed && !runaway {
                let says = format!("{} cannot form {}", what(&unit), entry.formation);
                report.against(HZ_DEP_01, path.clone().key("formation"), says, "see the formations of its arm");
            }
        }
        let condition = entry.quality.map(|quality| numbers.morale.of(quality).full);
        let losses = i32::from(entry.staggers) + i32::from(entry.kills);
        decides!(HZ_QUA_11);
        if entry.presence == Presence::Present && condition.is_some_and(|limit| losses >= limit) {
            let says = format!("its staggers and kills, {losses} in all, break it, yet it is on the table");
            report.against(HZ_QUA_11, path.key("staggers"), says, "fewer of them, or `presence = \"shattered\"`");
        }
        all.push(unit);
    }
    (all.len() == body.units.len()).then_some(all)
}

/// Words that do not go together.
fn check_words(entry: &UnitEntry, path: &Path, report: &mut Diagnostics) {
    let wrong = |key: &str, says: String, help: &str, report: &mut Diagnostics| {
        report.against(HZ_GEN_10, path.clone().key(key), says, help);
    };
    if entry.horse.is_some() && entry.arm != Arm::Cavalry {
        wrong("horse", format!("{} is no cavalry", entry.name), "leave it out", report);
    }
    for (key, given) in [
        ("guns", entry.guns.is_some()),
        ("gun_count", entry.gun_count.is_some()),
        ("draught", entry.draught.is_some()),
        ("pieces", entry.pieces.is_some()),
    ] {
        if given && entry.arm != Arm::Artillery {
            wrong(key, format!("{} is no battery", entry.name), "leave it out", report);
        }
    }
    if entry.arm == Arm::Artillery && entry.guns.is_none() {
        wrong("guns", "how heavy are its guns?".into(), "light, medium or heavy", report);
    }
    if entry.quality.is_none() && (entry.grade.is_none() || entry.class.is_none()) {
        let help = "a quality such as \"trained\", or grade and class to roll on";
        report.against(HZ_QUA_08, path.clone().key("quality"), "how good is it?", help);
    }
    if entry.blown && entry.arm != Arm::Cavalry {
        report.against(HZ_BLO_01, path.clone().key("blown"), "only cavalry is blown", "leave it out");
    }
    decides!(HZ_ROU_01);
    if entry.routing && entry.formation != Formation::Mob {
        report.against(HZ_ROU_01, path.clone().key("formation"), "a routing unit is a mob", "formation = \"mob\"");
    }
    if entry.formation == Formation::Garrison && entry.arm != Arm::Infantry {
        report.against(
            HZ_BLD_04,
            path.clone().key("formation"),
            format!("{} cannot garrison buildings", entry.arm),
            "only infantry can",
        );
    }
    if entry.presence == Presence::Present {
        let garrison = entry.formation == Formation::Garrison;
        if garrison && entry.sector.is_none() {
            report.against(
                HZ_BLD_08,
                path.clone().key("sector"),
                "which sector does it hold?",
                "the id of a sector of buildings",
            );
        }
        if !garrison && entry.sector.is_some() {
            report.against(
                HZ_BLD_08,
                path.clone().key("sector"),
                "only a garrison is deployed in a sector",
                "formation = \"garrison\"",
            );
        }
        if !garrison && entry.at.is_none() {
            report.error(path.clone().key("at"), "where does it stand? give the middle of its front edge");
        }
    }
}

/// What kind of unit it is, in words.
fn what(unit: &UnitFacts) -> String {
    match (unit.arm, unit.horse) {
        (Arm::Cavalry, Horse::Cossacks | Horse::Yoruks) => unit.horse.to_string(),
        (Arm::Cavalry, _) if !unit.abilities.opens_order() => "cavalry in close order".into(),
        (Arm::Infantry, _) if !unit.abilities.opens_order() => "infantry without the ability to".into(),
        (arm, _) => arm.to_string(),
    }
}

/// Whether a unit can ever take a formation (HZ-DEP-01).
pub(crate) fn can_form(unit: &UnitFacts, contingent: &ContingentFacts, formation: Formation) -> bool {
    decides!(HZ_DEP_01);
    match (unit.arm, formation) {
        (_, Formation::Mob | Formation::Garrison) => false,
        (Arm::Infantry, Formation::Line | Formation::Column | Formation::MarchColumn | Formation::Square) => true,
        (Arm::Infantry, Formation::Mass) => contingent.mass,
        (Arm::Infantry, Formation::OpenOrder) => unit.abilities.opens_order(),
        (Arm::Cavalry, Formation::MarchColumn) => true,
        (Arm::Cavalry, Formation::Line | Formation::Column) => !unit.horse.is_irregular(),
        (Arm::Cavalry, Formation::OpenOrder) => unit.horse.is_irregular() || unit.abilities.opens_order(),
        (Arm::Artillery, Formation::Line | Formation::MarchColumn) => true,
        _ => false,
    }
}

/// Where units stand: on the table, on ground that bears them, not on top of each other.
pub(super) fn check_positions(battle: &Battle, report: &mut Diagnostics) {
    // In the middle of a move a unit may be on top of a friend it passes through.
    let passing = matches!(battle.stage, Stage::Interrupt | Stage::GoOn)
        .then_some(battle.doing.moving)
        .flatten()
        .map(|moving| moving.unit);
    let there: Vec<(UnitId, Placed)> =
        battle.unit_ids().filter(|&id| battle.is_present(id)).map(|id| (id, battle.placed(id))).collect();
    for (id, placed) in &there {
        let path = Path::root().key("units").item(id.index());
        let facts = battle.facts(*id);
        // A unit that has just come on hangs over the edge with all but its front (HZ-REI-08).
        if battle.lay.table.on_table(placed) != OnTable::Wholly && !battle.lay.table.holds(placed.pose().at) {
            report.error(path.clone().key("at"), format!("\"{}\" is not on the table", facts.name));
        }
        // A mob may be anywhere: it ran there.
        if battle.unit(*id).sector.is_none() && battle.unit(*id).formation != Formation::Mob && passing != Some(*id) {
            check_ground(battle, *id, placed, &path, report);
        }
    }
    let small = battle.lay.sizes.touch.half();
    let mut before = Index::new(&battle.lay.table);
    for (other, _) in there.iter().filter(|(id, _)| passing != Some(*id)) {
        let shrunk = crate::table::shape::shrunk(battle, *other, small);
        // Told once, of the first that it lies on: moved off, it is off the others too, or they are told next time.
        let below =
            before.near(shrunk.bounds()).filter(|(_, one)| overlapping(*one, &shrunk)).map(|(one, _)| one).min();
        decides!(HZ_GEO_02);
        if let Some(one) = below.map(UnitId) {
            let deep = overlap(&battle.placed(*other), &battle.placed(one));
            let says = format!(
                "\"{}\" lies on top of \"{}\", by {}",
                battle.facts(*other).name,
                battle.facts(one).name,
                battle.lay.scenario.measure.tell(deep.f())
            );
            let path = Path::root().key("units").item(other.index()).key("at");
            report.against(HZ_GEO_02, path, says, "move one of them");
        }
        before.place(other.0, shrunk);
        if report.is_full() {
            return;
        }
    }
}

/// Ground the unit cannot be in.
fn check_ground(battle: &Battle, id: UnitId, placed: &Placed, path: &Path, report: &mut Diagnostics) {
    let troop = battle.troop(id);
    let facts = battle.facts(id);
    let lies = Lies::under(battle, placed);
    for &n in lies.in_any() {
        let terrain = &battle.lay.terrain[usize::from(n)];
        if matches!(terrain.kind, Kind::Water { .. }) || terrain.kind.is_obstacle() {
            continue;
        }
        decides!(HZ_STR_02, HZ_TER_09);
        let Going::Barred(clause) = terrain.kind.going(&troop) else { continue };
        if ground::opened_by_road(battle, placed, &troop, terrain.kind) {
            continue;
        }
        let clause = if matches!(terrain.kind, Kind::Buildings { strong: true, .. }) {
            HZ_STR_02
        } else if clause == HZ_TER_09 {
            HZ_TER_09
        } else {
            clause
        };
        let says = format!("\"{}\" cannot be in {} in {}", facts.name, terrain.kind.word(), troop.formation);
        report.against(clause, path.clone().key("at"), says, "move it, or give it another formation");
    }
    let open_order = facts.arm == Arm::Infantry && troop.formation == Formation::OpenOrder && !facts.abilities.skirmish;
    if open_order && ground::touches_open_ground(battle, placed) {
        let says = format!("\"{}\" has no Skirmish ability and is in open order in the open", facts.name);
        // In the course of a battle a result may have driven it there.
        if battle.turn == 0 {
            report.against(HZ_DEP_17, path.clone().key("formation"), says, "put it under cover, or in close order");
        } else {
            report.unusual(Some(HZ_DEP_17), path.clone().key("formation"), says);
        }
    }
}

/// The contingent that a command gives its units, or one above it does.
fn of_command<'a>(body: &'a Body, command: &str) -> Option<&'a String> {
    let mut here = body.commands.iter().find(|entry| entry.id == command)?;
    // No chain of commands is longer than there are commands, even one that bites its tail.
    for _ in 0..body.commands.len() {
        if here.contingent.is_some() {
            return here.contingent.as_ref();
        }
        here = body.commands.iter().find(|entry| Some(&entry.id) == here.part_of.as_ref())?;
    }
    None
}
