//! What a run of events comes to at a glance, and what it did to each unit.

use sabretache_engine::forecast::{Fate, Headline};
use sabretache_engine::ids::{Side, UnitId};

use crate::Huzzah;
use crate::battle::Battle;
use crate::event::Event;
use crate::state::ForcedMove;
use sabretache_engine::ruleset::Ruleset as _;

/// How badly a unit came off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    None,
    Staggered,
    Killed,
    Routs,
    Breaks,
}

/// The headline of a run of events.
pub(crate) fn headline(battle: &Battle, events: &[Event]) -> Headline {
    let us = Huzzah::deciding(battle).unwrap_or(battle.phasing);
    if let Some(winner) = ended(events) {
        let text = winner
            .map_or("the battle is drawn".into(), |side| format!("the battle is won: {}", battle.lay.side_name(side)));
        let rank = if winner == Some(us) { 0 } else { 6 };
        return Headline::new(rank, text, winner);
    }
    fought(battle, us, events).or_else(|| tried(battle, us, events)).unwrap_or_else(|| suffered(battle, us, events))
}

fn ended(events: &[Event]) -> Option<Option<Side>> {
    events.iter().find_map(|event| match event {
        Event::BattleEnds { ended } => Some(ended.winner),
        _ => None,
    })
}

/// The worst that happened to a side, and to which of its units if to one alone.
fn worst(battle: &Battle, side: Side, events: &[Event]) -> (Harm, Option<UnitId>) {
    let mut worst = (Harm::None, None);
    for event in events {
        let (unit, harm) = match event {
            Event::Broken { unit, .. } => (*unit, Harm::Breaks),
            Event::Routs { unit, .. } => (*unit, Harm::Routs),
            Event::Killed { unit, .. } => (*unit, Harm::Killed),
            Event::Staggered { unit, .. } => (*unit, Harm::Staggered),
            _ => continue,
        };
        if battle.facts(unit).side != side {
            continue;
        }
        if harm > worst.0 {
            worst = (harm, Some(unit));
        } else if harm == worst.0 && worst.1 != Some(unit) {
            worst.1 = None;
        }
    }
    worst
}

/// An engagement: who wins, and whether the loser runs.
fn fought(battle: &Battle, us: Side, events: &[Event]) -> Option<Headline> {
    let winner = events.iter().find_map(|event| match event {
        Event::Fought { winner, .. } => Some(*winner),
        _ => None,
    })?;
    let Some(winner) = winner else { return Some(Headline::new(2, "nobody wins", None)) };
    let loser = winner.other();
    let runs = worst(battle, loser, events).0 >= Harm::Routs
        || events.iter().any(|event| match event {
            Event::MustMove { unit, forced: Some(ForcedMove::FirstRout(_) | ForcedMove::Rout) } => {
                battle.facts(*unit).side == loser
            }
            _ => false,
        });
    let (won, lost) = (battle.lay.side_name(winner), battle.lay.side_name(loser));
    let text = match runs {
        true => format!("{won} wins, and {lost} runs or breaks"),
        false => format!("{won} wins, and {lost} gives ground or holds"),
    };
    let rank = match (winner == us, runs) {
        (true, true) => 0,
        (true, false) => 1,
        (false, false) => 3,
        (false, true) => 4,
    };
    Some(Headline::new(rank, text, Some(winner)))
}

/// Something was tried, and came off or did not.
fn tried(battle: &Battle, us: Side, events: &[Event]) -> Option<Headline> {
    let well = |rank: u8, text: String, side: Side| Some(Headline::new(rank, text, Some(side)));
    let unit = |id: UnitId| battle.facts(id).name.as_str();
    let found = |wanted: fn(&Event) -> bool| events.iter().find(|event| wanted(event));
    for event in events {
        match event {
            Event::Skirmished { winner: Some(side), .. } => {
                let rank = if *side == us { 0 } else { 2 };
                return well(rank, format!("superiority: {}", battle.lay.side_name(*side)), *side);
            }
            Event::Skirmished { winner: None, .. } => return Some(Headline::new(1, "no superiority", None)),
            Event::Obeyed { huzzah: true, .. } => return well(0, "obeyed with a Huzzah!".into(), us),
            Event::Obeyed { .. } => return well(1, "obeyed".into(), us),
            Event::OrderFailed { .. } => return well(2, "the order fails".into(), us.other()),
            Event::Checked { command, passed, .. } => {
                let side = battle.command_facts(*command).side;
                let name = &battle.command_facts(*command).name;
                let (text, good) = match passed {
                    true => (format!("{name} passes its check"), side),
                    false => (format!("{name} fails its check"), side.other()),
                };
                return well(u8::from(good != us), text, good);
            }
            Event::Rolled { unit: id } => {
                let side = battle.facts(*id).side;
                let rallied = found(|event| matches!(event, Event::Rallied { .. })).is_some();
                let recovered =
                    found(|event| matches!(event, Event::Recovered { .. } | Event::Blown { blown: false, .. }));
                let broken = found(|event| matches!(event, Event::Broken { .. })).is_some();
                return match (rallied, recovered.is_some(), broken) {
                    (true, ..) => well(0, format!("{} rallies", unit(*id)), side),
                    (_, true, _) => well(0, format!("{} restores order", unit(*id)), side),
                    (_, _, true) => well(2, format!("{} breaks", unit(*id)), side.other()),
                    _ => well(1, format!("{} does not recover", unit(*id)), side.other()),
                };
            }
            Event::Rearming { side } => {
                return match found(|event| matches!(event, Event::Rearmed { .. })) {
                    Some(_) => well(0, "ammunition is brought up".into(), *side),
                    None => well(1, "no ammunition comes up".into(), side.other()),
                };
            }
            Event::Appointing { side } => {
                return match found(|event| matches!(event, Event::Appointed { .. })) {
                    Some(_) => well(0, "an officer is appointed".into(), *side),
                    None => well(1, "nobody is found for the post".into(), side.other()),
                };
            }
            Event::Reorganising { command } => {
                let side = battle.command_facts(*command).side;
                return match found(|event| matches!(event, Event::Reorganised { .. })) {
                    Some(_) => well(0, "the command comes back".into(), side),
                    None => well(1, "the command does not come back".into(), side.other()),
                };
            }
            _ => {}
        }
    }
    None
}

/// Who was hurt, and how badly.
fn suffered(battle: &Battle, us: Side, events: &[Event]) -> Headline {
    let (theirs, ours) = (worst(battle, us.other(), events), worst(battle, us, events));
    let tested = events.iter().find_map(|event| match event {
        Event::Tested { unit, .. } => Some(*unit),
        _ => None,
    });
    let shot = events.iter().find_map(|event| match event {
        Event::Bombarded { target, .. } => Some(*target),
        _ => None,
    });
    let side = if ours.0 >= theirs.0 && ours.0 > Harm::None { us } else { us.other() };
    let (harm, unit) = if side == us { ours } else { theirs };
    if harm == Harm::None {
        return match (tested.or(shot)).map(|unit| (battle.facts(unit).side, &battle.facts(unit).name)) {
            Some((side, name)) => Headline::new(if side == us { 0 } else { 4 }, format!("{name} stands"), Some(side)),
            None => Headline::new(1, "nothing else happens", None),
        };
    }
    let who = unit.map_or_else(|| battle.lay.side_name(side).to_owned(), |unit| battle.facts(unit).name.clone());
    let what = match harm {
        Harm::Breaks => "breaks",
        Harm::Routs => "routs",
        Harm::Killed => "takes kills",
        _ => "is staggered",
    };
    // What hurts the enemy most comes first; what hurts us most, last.
    let rank = if side == us { harm as u8 } else { Harm::Breaks as u8 - harm as u8 };
    Headline::new(rank, format!("{who} {what}"), Some(side.other()))
}

/// What happened to each unit.
pub(crate) fn fates(before: &Battle, after: &Battle, events: &[Event]) -> Vec<Fate> {
    let named = |unit: UnitId| {
        events.iter().any(|event| {
            matches!(event, Event::Routs { unit: id, .. } if *id == unit)
                || matches!(event, Event::MustMove { unit: id, forced: Some(ForcedMove::FirstRout(_)) } if *id == unit)
        })
    };
    let mut fates = Vec::new();
    for unit in before.unit_ids() {
        let (then, now) = (before.unit(unit), after.unit(unit));
        let lost = before.is_present(unit) && !after.is_present(unit);
        let marks = |one: &crate::battle::Unit| i32::from(one.staggers) + i32::from(one.kills);
        let fate = Fate { unit, routs: !lost && named(unit), lost, loss: (marks(now) - marks(then)).max(0) };
        if fate.routs || fate.lost || fate.loss > 0 {
            fates.push(fate);
        }
    }
    fates
}
