//! Contingents, commands and officers of a scenario.

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId};
use sabretache_engine::scenario::{Diagnostics, Measure, Path};
use sabretache_table::{Length, Point, Tabletop};

use super::{Names, ground};
use crate::body::Body;
use crate::clauses::{HZ_CMD_01, HZ_GEN_09, HZ_GEN_11, HZ_GEN_12};
use crate::lay::{ArmyFacts, ArrivalFacts, CommandFacts, ContingentFacts, OfficerFacts, UnitFacts};
use crate::situations::{Doctrine, Formations};
use crate::troops::Level;

pub(super) fn contingents(body: &Body, names: &Names, report: &mut Diagnostics) -> Option<Vec<ContingentFacts>> {
    let mut all: Vec<ContingentFacts> = Vec::new();
    decides!(HZ_GEN_09);
    for (n, entry) in body.contingents.iter().enumerate() {
        let path = Path::root().key("contingents").item(n);
        if all.iter().any(|known| known.id == entry.id) {
            report.error(path.clone().key("id"), format!("two contingents are called \"{}\"", entry.id));
        }
        let most = entry.bombardment_max.unwrap_or(entry.bombardment_factor.saturating_add(1));
        if most < entry.bombardment_factor {
            let says = "the most a bombardment factor can be is not less than what it starts at";
            report.against(
                HZ_GEN_09,
                path.clone().key("bombardment_max"),
                says,
                "leave it out for one more than the factor",
            );
        }
        let Some(side) = names.side(&entry.side, path.key("side"), report) else { continue };
        all.push(ContingentFacts {
            id: entry.id.clone(),
            name: entry.name.clone(),
            side,
            factor: entry.bombardment_factor,
            most,
            doctrine: Doctrine {
                attack: Formations::of(&entry.doctrine_attack),
                defence: Formations::of(&entry.doctrine_defence),
                cavalry: Formations::of(&entry.doctrine_cavalry),
            },
            best: entry.best_officer,
            table: entry.officer_table,
            skirmish: entry.skirmish,
            mass: entry.forms_mass,
            coat: entry.coat.clone(),
        });
    }
    (all.len() == body.contingents.len()).then_some(all)
}

/// The order of battle: every command under a higher one of its own side, an army at the top of each (HZ-CMD-01).
pub(super) fn commands(
    body: &Body,
    names: &Names,
    measure: Measure,
    table: &Tabletop,
    report: &mut Diagnostics,
) -> Option<Vec<CommandFacts>> {
    decides!(HZ_CMD_01);
    let mut all = Vec::new();
    let before = report.len();
    for (n, entry) in body.commands.iter().enumerate() {
        let path = Path::root().key("commands").item(n);
        let side = names.side(&entry.side, path.clone().key("side"), report)?;
        let above = match &entry.part_of {
            Some(id) => Some(names.command(id, path.clone().key("part_of"), report)?),
            None => None,
        };
        match above {
            None if entry.level != Level::Army => {
                let says = format!("the {} \"{}\" is part of nothing", entry.level, entry.name);
                report.against(HZ_CMD_01, path.clone().key("part_of"), says, "name the command above it");
            }
            Some(_) if entry.level == Level::Army => {
                report.against(HZ_CMD_01, path.clone().key("part_of"), "an army is part of nothing", "leave it out");
            }
            Some(above) => {
                let over = &body.commands[above.index()];
                if over.side != entry.side {
                    report.against(
                        HZ_CMD_01,
                        path.clone().key("part_of"),
                        "the command above is of the other side",
                        "name one of its own",
                    );
                }
                if over.level <= entry.level {
                    let says = format!("a {} cannot be part of a {}", entry.level, over.level);
                    report.against(
                        HZ_CMD_01,
                        path.clone().key("part_of"),
                        says,
                        "brigade, division, corps, army, from below",
                    );
                }
            }
            None => {}
        }
        let arrives = match entry.arrives {
            None => None,
            Some(arrival) => {
                let at = measure.point(arrival.at);
                let edge = ground::on_edge(at, table, path.clone().key("arrives").key("at"), report);
                edge.map(|edge| ArrivalFacts { turn: arrival.turn, at, edge, narrow: arrival.narrow })
            }
        };
        all.push(CommandFacts {
            id: entry.id.clone(),
            name: entry.name.clone(),
            side,
            level: entry.level,
            above,
            below: Vec::new(),
            units: Vec::new(),
            all_units: Vec::new(),
            officer: OfficerId(0),
            communication: Point::default(),
            arrives,
        });
    }
    for side in sabretache_engine::ids::Side::BOTH {
        let armies = all.iter().filter(|one| one.side == side && one.level == Level::Army).count();
        if armies != 1 {
            let says = format!(
                "the side \"{}\" has {armies} armies at the top of its order of battle",
                names.sides[side.index()]
            );
            report.against(
                HZ_CMD_01,
                Path::root().key("commands"),
                says,
                "one command of level \"army\" for each side",
            );
        }
    }
    if report.len() > before && report.has_errors() {
        return None;
    }
    for n in 0..all.len() {
        if let Some(above) = all[n].above {
            all[above.index()].below.push(CommandId(n as u16));
        }
    }
    Some(all)
}

/// One officer for each command (HZ-GEN-11).
pub(super) fn officers(
    body: &Body,
    names: &Names,
    commands: &[CommandFacts],
    measure: Measure,
    band: Length,
    report: &mut Diagnostics,
) -> Option<Vec<OfficerFacts>> {
    decides!(HZ_GEN_11);
    let mut all: Vec<OfficerFacts> = Vec::new();
    let mut led = vec![false; commands.len()];
    let players = players(body, names, commands, report)?;
    for (n, entry) in body.officers.iter().enumerate() {
        let path = Path::root().key("officers").item(n);
        let command = names.command(&entry.command, path.clone().key("command"), report)?;
        if std::mem::replace(&mut led[command.index()], true) {
            let says = format!("\"{}\" has two officers", entry.command);
            report.against(HZ_GEN_11, path.clone().key("command"), says, "one officer for each command");
        }
        let base = entry.base.map_or(band.fraction(1, 5), |base| measure.length(base));
        if base <= Length::ZERO {
            report.against(HZ_GEN_11, path.key("base"), "a base is larger than nothing", "1 cm by default");
        }
        all.push(OfficerFacts {
            id: entry.id.clone(),
            name: entry.name.clone(),
            side: commands[command.index()].side,
            command,
            base,
            roll_modifier: entry.roll_modifier,
            player: player_of(&players, commands, command),
        });
    }
    for (n, _) in led.iter().enumerate().filter(|(_, led)| !**led) {
        let says = format!("\"{}\" has no officer", commands[n].id);
        let path = Path::root().key("commands").item(n);
        report.against(HZ_GEN_11, path, says, "add one to `officers`; one who is lost has `status = \"killed\"`");
    }
    led.iter().all(|led| *led).then_some(all)
}

/// Which player has which command, where several share a side (HZ-GEN-12).
fn players(
    body: &Body,
    names: &Names,
    commands: &[CommandFacts],
    report: &mut Diagnostics,
) -> Option<Vec<Option<u16>>> {
    let mut has = vec![None; commands.len()];
    for (n, entry) in body.players.iter().enumerate() {
        let path = Path::root().key("players").item(n);
        let side = names.side(&entry.side, path.clone().key("side"), report)?;
        if body.players[..n].iter().any(|other| other.id == entry.id) {
            report.error(path.clone().key("id"), format!("\"{}\" is there twice", entry.id));
        }
        for (item, id) in entry.commands.iter().enumerate() {
            let path = path.clone().key("commands").item(item);
            let command = names.command(id, path.clone(), report)?;
            decides!(HZ_GEN_12);
            if commands[command.index()].side != side {
                let says = format!("\"{id}\" is of the other side");
                report.against(HZ_GEN_12, path.clone(), says, "a player commands troops of his own side");
            }
            if has[command.index()].replace(n as u16).is_some() {
                let says = format!("two players command \"{id}\"");
                report.against(HZ_GEN_12, path, says, "each command has one player");
            }
        }
    }
    Some(has)
}

/// The player of a command: its own, or that of the nearest command above that has one.
fn player_of(players: &[Option<u16>], commands: &[CommandFacts], command: CommandId) -> Option<u16> {
    let mut here = Some(command);
    while let Some(id) = here {
        if let Some(player) = players[id.index()] {
            return Some(player);
        }
        here = commands[id.index()].above;
    }
    None
}

pub(super) fn with_officers(mut commands: Vec<CommandFacts>, officers: &[OfficerFacts]) -> Vec<CommandFacts> {
    for (n, officer) in officers.iter().enumerate() {
        commands[officer.command.index()].officer = OfficerId(n as u16);
    }
    commands
}

pub(super) fn with_units(mut commands: Vec<CommandFacts>, units: &[UnitFacts]) -> Vec<CommandFacts> {
    for (n, unit) in units.iter().enumerate() {
        commands[unit.brigade.index()].units.push(n as u16);
        let mut here = Some(unit.brigade);
        while let Some(id) = here {
            commands[id.index()].all_units.push(n as u16);
            here = commands[id.index()].above;
        }
    }
    commands
}

/// The line of communication of each command: its own, or that of the command above (HZ-GEO-23).
pub(super) fn with_communications(
    mut commands: Vec<CommandFacts>,
    body: &Body,
    measure: Measure,
    armies: &[ArmyFacts; 2],
    table: &Tabletop,
    report: &mut Diagnostics,
) -> Vec<CommandFacts> {
    for n in 0..commands.len() {
        let mut here = n;
        commands[n].communication = loop {
            if let Some(pair) = body.commands[here].communication {
                let point = measure.point(pair);
                if here == n {
                    ground::on_edge(point, table, Path::root().key("commands").item(n).key("communication"), report);
                }
                break point;
            }
            match commands[here].above {
                Some(above) => here = above.index(),
                None => break armies[commands[n].side.index()].communication,
            }
        };
    }
    commands
}
