//! Who holds what, and who has won.

use sabretache_engine::decides;
use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Aim;
use sabretache_engine::view::Verdict;
use sabretache_table::exact_distance;

use crate::battle::{Battle, Step};
use crate::clauses::*;
use crate::words::terms::side_within;

/// Who holds an objective: the side with troops in good morale near it, and no enemy so; else as at the start.
pub(crate) fn holder(battle: &Battle, n: usize) -> Option<Side> {
    let measure = battle.fixed.scenario.measure;
    let objective = &battle.fixed.scenario.body.victory.objectives[n];
    let (at, radius) = (measure.point(objective.at), measure.length(objective.radius));
    let place = sabretache_table::Convex::place(at.v());
    let near = |side: Side| {
        battle.of(side).any(|unit| {
            let sound = !battle.unit(unit).shaken && battle.solid(unit);
            sound && exact_distance(&place, &battle.placed(unit)) <= radius.f() + crate::table::NEAR
        })
    };
    match (near(Side::A), near(Side::B)) {
        (true, false) => Some(Side::A),
        (false, true) => Some(Side::B),
        (true, true) => None,
        (false, false) => objective.held_by.as_ref().and_then(|id| {
            let n = battle.fixed.scenario.sides.iter().position(|side| side.id == *id)?;
            Side::BOTH.get(n).copied()
        }),
    }
}

/// What a side holds at the end.
pub(crate) fn points(battle: &Battle, side: Side) -> u32 {
    let objectives = &battle.fixed.scenario.body.victory.objectives;
    let held = objectives.iter().enumerate().filter(|(n, _)| holder(battle, *n) == Some(side));
    held.map(|(_, objective)| u32::from(objective.worth)).sum()
}

pub(crate) fn verdict(battle: &Battle) -> Option<Verdict> {
    decides!(BB_GEN_11);
    if battle.step != Step::Over {
        return None;
    }
    let told = |winner: Option<Side>, sentence: String| Some(Verdict { winner, sentence, clause: BB_GEN_11 });
    let name = |side: Side| side_within(battle, side);
    let beaten = |loser: Side| {
        let winner = loser.other();
        let why = format!("Victory to {}: too many are lost for {} to go on.", name(winner), name(loser));
        told(Some(winner), why)
    };
    match (battle.beaten(Side::A), battle.beaten(Side::B)) {
        (true, true) => return told(None, "Both armies are spent.".into()),
        (true, false) => return beaten(Side::A),
        (false, true) => return beaten(Side::B),
        (false, false) => {}
    }
    let (a, b) = (points(battle, Side::A), points(battle, Side::B));
    if a != b {
        let winner = if a > b { Side::A } else { Side::B };
        return told(Some(winner), format!("Victory to {}: the ground that matters is taken or held.", name(winner)));
    }
    let victory = &battle.fixed.scenario.body.victory;
    let defender = victory.defender.as_ref().and_then(|id| {
        let n = battle.fixed.scenario.sides.iter().position(|side| side.id == *id)?;
        Side::BOTH.get(n).copied()
    });
    match defender {
        Some(side) => told(Some(side), format!("Victory to {}: the ground is held to the end.", name(side))),
        None => {
            let ((a, _), (b, _)) = (battle.losses(Side::A), battle.losses(Side::B));
            let text = format!("Night falls. Figures lost: {a} by {}, {b} by {}.", name(Side::A), name(Side::B));
            told(None, text)
        }
    }
}

/// How the battle ended, without figures.
pub(crate) fn ending(battle: &Battle) -> Option<String> {
    let verdict = verdict(battle)?;
    let spent = Side::BOTH.iter().any(|side| battle.beaten(*side));
    Some(if verdict.winner.is_none() && !spent {
        "Night falls, and neither side has won.".into()
    } else {
        verdict.sentence
    })
}

/// The places that count, and who holds them.
pub(crate) fn aims(battle: &Battle) -> Vec<Aim> {
    let objectives = battle.fixed.scenario.body.victory.objectives.iter().enumerate();
    objectives.map(|(n, objective)| Aim { name: objective.name.clone(), reached_by: holder(battle, n) }).collect()
}
