//! What the book advises and a scenario may disregard: the size of a game and of a table, frontages and starting distances (HZ-SCL-02,
//! HZ-SCL-12, HZ-SCL-14, HZ-SCL-15).

use std::collections::BTreeSet;

use sabretache_engine::decides;
use sabretache_engine::ids::Side;
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_table::exact_distance;

use crate::battle::Battle;
use crate::body::GameKind;
use crate::clauses::{HZ_SCL_02, HZ_SCL_12, HZ_SCL_14, HZ_SCL_15};
use crate::lay::Lay;
use crate::state::Stage;
use crate::troops::{Arm, Formation, Level};

/// So many units a side keep two players busy for an evening, and heavy guns should not reach right across the table (HZ-SCL-15,
/// HZ-SCL-02).
pub(super) fn size(lay: &Lay, report: &mut Diagnostics) {
    decides!(HZ_SCL_15, HZ_SCL_02);
    let guide = &lay.numbers.game_size;
    for (n, side) in Side::BOTH.into_iter().enumerate() {
        let units = lay.units.iter().filter(|unit| unit.side == side).count();
        let brigades = lay.commands.iter().filter(|one| one.side == side && one.level == Level::Brigade).count();
        let players: BTreeSet<Option<u16>> =
            lay.officers.iter().filter(|officer| officer.side == side).map(|officer| officer.player).collect();
        let players = players.len().max(1);
        if units > usize::from(guide.units) * players || brigades > usize::from(guide.groups) * players {
            let says = format!(
                "{}: {units} units in {brigades} brigades take longer than four hours with so few players",
                lay.side_name(side)
            );
            report.unusual(Some(HZ_SCL_15), Path::root().key("sides").item(n), says);
        }
    }
    let extreme = lay.length(lay.numbers.ranges.heavy.extreme);
    if lay.table.depth < extreme {
        let proposed = lay.table.depth.f() / 1_000.0 / f64::from(guide.bands_deep);
        let says =
            format!("heavy guns reach right across the table; a band of about {proposed:.0} mm would suit its depth");
        report.unusual(Some(HZ_SCL_02), Path::root().key("options").key("band_mm"), says);
    }
}

/// Warns of what is unusual about the armies as they stand.
pub(super) fn give(battle: &Battle, report: &mut Diagnostics) {
    frontages(battle, report);
    // The middle of a battle is no start.
    if battle.turn <= 1 && matches!(battle.stage, Stage::SetUp | Stage::ChooseFirst(_) | Stage::Skirmish) {
        starting_distance(battle, report);
    }
}

/// A battalion or regiment is two to four bands wide in line, a battery one to two; full regiments of a scheme may be wider, and small units
/// are no battalions (HZ-SCL-12).
fn frontages(battle: &Battle, report: &mut Diagnostics) {
    decides!(HZ_SCL_12);
    let usual = &battle.numbers().frontages;
    let scheme = super::scheme(battle.numbers(), battle.lay.options.basing);
    let regiment = battle.lay.options.cavalry_stands.unwrap_or(scheme.cavalry.count);
    for id in battle.unit_ids() {
        let facts = battle.facts(id);
        if facts.abilities.small || (facts.arm == Arm::Cavalry && facts.stands == regiment) {
            continue;
        }
        let (what, least, most) = match facts.arm {
            Arm::Infantry => ("battalion", usual.line_least, usual.line_most),
            Arm::Cavalry => ("regiment", usual.line_least, usual.line_most),
            Arm::Artillery => ("battery", usual.battery_least, usual.battery_most),
        };
        let wide = facts.stand_width * i32::from(facts.files[Formation::Line.index()]);
        let (least, most) = (battle.lay.length(least), battle.lay.length(most));
        if wide < least || wide > most {
            let at = Path::root().key("units").item(id.index()).key("stands");
            report.unusual(Some(HZ_SCL_12), at, format!("a {what} {wide} wide is not {least} to {most}, as is usual"));
        }
    }
}

/// Encounters start within extreme heavy artillery range, assaults at long range (HZ-SCL-14).
fn starting_distance(battle: &Battle, report: &mut Diagnostics) {
    decides!(HZ_SCL_14);
    let Some(kind) = battle.lay.options.kind else { return };
    let mut apart = f64::INFINITY;
    for one in battle.present(Side::A) {
        for other in battle.present(Side::B) {
            apart = apart.min(exact_distance(&battle.placed(one), &battle.placed(other)));
        }
    }
    if !apart.is_finite() {
        return;
    }
    let start = &battle.numbers().start;
    // Half a band more or less is as good as the book's distance for an assault.
    let slack = battle.lay.band.f() / 2.0;
    let (least, most) = match kind {
        GameKind::Encounter => (0.0, battle.lay.length(start.encounter).f()),
        GameKind::Assault => {
            let assault = battle.lay.length(start.assault).f();
            (assault - slack, assault + slack)
        }
    };
    if apart < least - 1.0 || apart > most + 1.0 {
        let bands = apart / battle.lay.band.f();
        let says = match kind {
            GameKind::Encounter => format!("an encounter starts at 24 bands or less, not at {bands:.1}"),
            GameKind::Assault => format!("an assault starts at about 16 bands, not at {bands:.1}"),
        };
        report.unusual(Some(HZ_SCL_14), Path::root().key("options").key("kind"), says);
    }
}
