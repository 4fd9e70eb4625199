//! What a scenario must say about fortress walls, breaches and mines, and about gaps in hedges.

use sabretache_engine::decides;
use sabretache_engine::scenario::{Diagnostics, Path, Scenario};

use crate::body::Body;
use crate::clauses::{HZ_BRE_01, HZ_BRE_03, HZ_FTW_01, HZ_FTW_04, HZ_HED_08};
use crate::terrain::{Kind, Terrain};

/// Reports what contradicts itself.
pub(super) fn check(scenario: &Scenario<Body>, terrain: &[Terrain], report: &mut Diagnostics) {
    let body = &scenario.body;
    let kind = |n: u16| terrain.get(usize::from(n)).map(|one| one.kind);
    let is_wall = |n: u16| matches!(kind(n), Some(Kind::Rampart { .. }));
    let attacker = Path::root().key("options").key("attacker");
    decides!(HZ_FTW_01);
    if body.options.siege && body.options.attacker.is_none() {
        report.against(HZ_FTW_01, attacker.clone(), "who besieges whom?", "the side that attacks the fortress");
    }
    for (n, one) in terrain.iter().enumerate() {
        let Kind::Breach { mined } = one.kind else { continue };
        let at = Path::root().key("ground").item(n);
        decides!(HZ_BRE_01);
        if !one.part_of.is_some_and(is_wall) {
            let help = "part_of = the id of a fortress_wall, which also says where inside is";
            report.against(HZ_BRE_01, at.clone().key("part_of"), "a breach is part of a fortress wall", help);
        }
        decides!(HZ_BRE_03);
        if mined && body.options.attacker.is_none() {
            report.against(
                HZ_BRE_03,
                attacker.clone(),
                "whose is the mine?",
                "name the attacker: the other side has it",
            );
        }
    }
    for (n, entry) in body.units.iter().enumerate() {
        if entry.scaled.is_some_and(|scaled| !is_wall(scaled.wall)) {
            let at = Path::root().key("units").item(n).key("scaled");
            report.against(HZ_FTW_04, at, "it has scaled what is no fortress wall", "the number of a wall in the list");
        }
    }
    let state = Path::root().key("state");
    for (n, &breach) in body.state.exploded.iter().enumerate() {
        if !matches!(kind(breach), Some(Kind::Breach { mined: true })) {
            let at = state.clone().key("exploded").item(n);
            report.against(HZ_BRE_03, at, "no mine lies there", "the number of a mined breach in the list of ground");
        }
    }
    for (n, gap) in body.state.gaps.iter().enumerate() {
        let hedge = scenario.ground.get(usize::from(gap.hedge)).is_some_and(|piece| piece.kind == "hedge");
        if !hedge {
            let at = state.clone().key("gaps").item(n);
            report.against(HZ_HED_08, at, "only hedges are shot away", "the number of a hedge in the list of ground");
        }
    }
}
