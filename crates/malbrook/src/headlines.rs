//! What a run of events comes to at a glance, and what it did to each brigade.

use sabretache_engine::forecast::{Fate, Headline};
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Ruleset as _;

use crate::Malbrook;
use crate::battle::Battle;
use crate::brigade::Status;
use crate::event::{Event, FastMove};
use crate::situations::{ControlResult, Fate as LeaderFate};

/// How badly a brigade came off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    None,
    Disordered,
    Casualties,
    GivesWay,
    Lost,
}

fn harm(event: &Event) -> Option<(UnitId, Harm)> {
    Some(match event {
        Event::Became { unit, status } => match status {
            Status::Destroyed | Status::Surrendered | Status::Captured | Status::Left => (*unit, Harm::Lost),
            Status::Routing | Status::Retired | Status::Abandoned => (*unit, Harm::GivesWay),
            _ => return None,
        },
        Event::Fell { unit, action: FastMove::Rout | FastMove::Retire, .. } => (*unit, Harm::GivesWay),
        Event::CrewFled { unit, .. } => (*unit, Harm::GivesWay),
        Event::Suffered { unit, casualties, .. } if *casualties > 0 => (*unit, Harm::Casualties),
        Event::Suffered { unit, dps, .. } if *dps > 0 => (*unit, Harm::Disordered),
        Event::Hacked { at, .. } => (*at, Harm::Casualties),
        _ => return None,
    })
}

/// The headline of a run of events.
pub(crate) fn headline(battle: &Battle, events: &[Event]) -> Headline {
    let us = Malbrook::deciding(battle).unwrap_or(Side::A);
    fought(battle, us, events).or_else(|| tried(battle, us, events)).unwrap_or_else(|| suffered(battle, us, events))
}

/// A combat: who deals more hits.
fn fought(battle: &Battle, us: Side, events: &[Event]) -> Option<Headline> {
    let hits = events.iter().find_map(|event| match event {
        Event::Fought { hits, .. } => Some(*hits),
        _ => None,
    })?;
    if hits[0] == hits[1] {
        return Some(Headline::new(2, "level: as many hits on either side", None));
    }
    let winner = if hits[0] > hits[1] { Side::A } else { Side::B };
    let by = hits[0].abs_diff(hits[1]);
    let name = battle.side_name(winner);
    // What follows is read off the difference, so that one more than one is another matter.
    let text = match by {
        1 => format!("{name} has the better of it, by one hit"),
        _ => format!("{name} has the better of it, by two hits or more"),
    };
    let rank = match (winner == us, by > 1) {
        (true, true) => 0,
        (true, false) => 1,
        (false, false) => 3,
        (false, true) => 4,
    };
    Some(Headline::new(rank, text, Some(winner)))
}

/// Something was tried, and came off or did not.
fn tried(battle: &Battle, us: Side, events: &[Event]) -> Option<Headline> {
    events.iter().find_map(|event| match event {
        Event::InitiativeRolled { totals: [a, b] } if a == b => Some(Headline::new(2, "a tie", None)),
        Event::InitiativeRolled { totals: [a, b] } => {
            let side = if a > b { Side::A } else { Side::B };
            let text = format!("the initiative is with {}", battle.side_name(side));
            Some(Headline::new(u8::from(side != us), text, Some(side)))
        }
        Event::ControlTested { unit, result, .. } => {
            let name = battle.name_of(*unit);
            let (rank, text, good) = match result {
                ControlResult::Act => (0, format!("{name} does as it is told"), Some(us)),
                _ => (1, format!("{name} does as it likes"), Some(us.other())),
            };
            Some(Headline::new(rank, text, good))
        }
        Event::Charged { unit, touched, .. } => {
            let (side, name) = (battle.brigade(*unit).side, battle.name_of(*unit));
            let (text, good) = match touched {
                true => (format!("{name} gets home"), side),
                false => (format!("{name} falls short"), side.other()),
            };
            Some(Headline::new(u8::from(good != us), text, Some(good)))
        }
        Event::MoveRolled { roll } => {
            let count = usize::from(roll.average) + usize::from(roll.d6);
            let total: u32 = roll.faces.iter().take(count).map(|face| u32::from(*face)).sum();
            // The middle of two average dice is seven, of a D6 three and a half.
            let middle = 7 * u32::from(roll.average) + 7 * u32::from(roll.d6);
            let (rank, text, good) = match (2 * total).cmp(&middle) {
                std::cmp::Ordering::Greater => (0, "a good move", Some(us)),
                std::cmp::Ordering::Equal => (1, "a middling move", None),
                std::cmp::Ordering::Less => (2, "a poor move", Some(us.other())),
            };
            Some(Headline::new(rank, text, good))
        }
        Event::LeaderRisked { leader, fate } => {
            let (side, name) = (battle.leader(*leader).side, battle.leader_name(*leader));
            let safe = matches!(fate, LeaderFate::Unhurt | LeaderFate::NearMiss);
            let good = if safe { side } else { side.other() };
            let text = format!("{name} {}", if safe { "is not hit" } else { "is hit" });
            Some(Headline::new(u8::from(good != us), text, Some(good)))
        }
        _ => None,
    })
}

/// Who was hurt, and how badly.
fn suffered(battle: &Battle, us: Side, events: &[Event]) -> Headline {
    let mut worst = [(Harm::None, None), (Harm::None, None)];
    for (unit, harm) in events.iter().filter_map(harm).filter(|(unit, _)| unit.index() < battle.units.len()) {
        let one: &mut (Harm, Option<UnitId>) = &mut worst[battle.brigade(unit).side.index()];
        if harm > one.0 {
            *one = (harm, Some(unit));
        } else if harm == one.0 && one.1 != Some(unit) {
            one.1 = None;
        }
    }
    let (ours, theirs) = (worst[us.index()], worst[us.other().index()]);
    let side = if ours.0 > Harm::None && ours.0 >= theirs.0 { us } else { us.other() };
    let (harm, unit) = if side == us { ours } else { theirs };
    let shot = events.iter().find_map(|event| match event {
        Event::Fired { at, .. } | Event::ShellFell { at, .. } | Event::Volley { at, .. } => Some(*at),
        _ => None,
    });
    if harm == Harm::None {
        return match shot {
            Some(unit) => {
                let side = battle.brigade(unit).side;
                let rank = if side == us { 0 } else { 4 };
                Headline::new(rank, format!("{} is not hurt", battle.name_of(unit)), Some(side))
            }
            None => Headline::new(1, "nothing else happens", None),
        };
    }
    let who = unit.map_or_else(|| battle.side_name(side).to_owned(), |unit| battle.name_of(unit).to_owned());
    let what = match harm {
        Harm::Lost => "is lost",
        Harm::GivesWay => "gives way",
        Harm::Casualties => "loses a base",
        _ => "is disordered",
    };
    let rank = if side == us { harm as u8 } else { Harm::Lost as u8 - harm as u8 };
    Headline::new(rank, format!("{who} {what}"), Some(side.other()))
}

/// What happened to each brigade.
pub(crate) fn fates(before: &Battle, after: &Battle, events: &[Event]) -> Vec<Fate> {
    let gives_way = |unit: UnitId| events.iter().filter_map(harm).any(|one| one == (unit, Harm::GivesWay));
    let mut fates = Vec::new();
    for (n, then) in before.units.iter().enumerate() {
        let unit = UnitId(n as u16);
        let Some(now) = after.units.get(n) else { continue };
        let merged = now.status == Status::Merged;
        let lost = !then.status.is_gone() && now.status.is_gone() && !merged;
        let bases = if merged { 0 } else { (i32::from(then.bases) - i32::from(now.bases)).max(0) };
        let fate = Fate { unit, routs: !lost && gives_way(unit), lost, loss: bases };
        if fate.routs || fate.lost || fate.loss > 0 {
            fates.push(fate);
        }
    }
    fates
}
