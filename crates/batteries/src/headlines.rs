//! What a run of events comes to at a glance, and what it did to each unit.

use sabretache_engine::forecast::{Fate, Headline};
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Ruleset as _;

use crate::Batteries;
use crate::battle::{Battle, Pending, Place};
use crate::event::Event;
use crate::words::terms::side_within;

/// How badly a unit came off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    None,
    Losses,
    Shaken,
    Breaks,
    Lost,
}

/// The headline of a run of events.
pub(crate) fn headline(battle: &Battle, events: &[Event]) -> Headline {
    let us = Batteries::deciding(battle).unwrap_or(battle.phasing());
    let known = |unit: UnitId| unit.index() < battle.units.len();
    if let Some(headline) = tried(battle, us, events) {
        return headline;
    }
    let mut worst = [(Harm::None, None), (Harm::None, None)];
    for event in events {
        let Some((unit, harm)) = harm(event).filter(|(unit, _)| known(*unit)) else { continue };
        let one: &mut (Harm, Option<UnitId>) = &mut worst[battle.side(unit).index()];
        if harm > one.0 {
            *one = (harm, Some(unit));
        } else if harm == one.0 && one.1 != Some(unit) {
            one.1 = None;
        }
    }
    let (ours, theirs) = (worst[us.index()], worst[us.other().index()]);
    let who = |side: Side, unit: Option<UnitId>| {
        unit.map_or_else(|| side_within(battle, side), |unit| battle.name_of(unit).to_owned())
    };
    let what = |harm: Harm| match harm {
        Harm::Lost => "is lost",
        Harm::Breaks => "breaks",
        Harm::Shaken => "is shaken or disordered",
        _ => "takes losses",
    };
    match (ours.0 >= Harm::Breaks, theirs.0 >= Harm::Breaks) {
        (false, true) => {
            let text = format!("{} {}", who(us.other(), theirs.1), what(theirs.0));
            Headline::new(u8::from(theirs.0 == Harm::Breaks), text, Some(us))
        }
        (true, true) => Headline::new(3, "both sides break somewhere", None),
        (true, false) => Headline::new(4, format!("{} {}", who(us, ours.1), what(ours.0)), Some(us.other())),
        (false, false) if theirs.0 > Harm::None && theirs.0 >= ours.0 => {
            Headline::new(2, format!("nobody breaks; {} {}", who(us.other(), None), what(theirs.0)), Some(us))
        }
        (false, false) if ours.0 > Harm::None => {
            Headline::new(2, format!("nobody breaks; {} {}", who(us, None), what(ours.0)), Some(us.other()))
        }
        (false, false) => Headline::new(2, "nothing else happens", None),
    }
}

fn harm(event: &Event) -> Option<(UnitId, Harm)> {
    Some(match event {
        Event::Shattered { unit } | Event::Surrendered { unit } | Event::Captured { unit } => (*unit, Harm::Lost),
        Event::LeftTable { unit, returns: false, .. } => (*unit, Harm::Lost),
        Event::Tested { unit, passed: false, .. } | Event::RoutsAgain { unit } | Event::Breaks { unit } => {
            (*unit, Harm::Breaks)
        }
        Event::Asked { pending: Pending::Rout { unit, .. } } | Event::Routed { unit, .. } => (*unit, Harm::Breaks),
        Event::Shaken { unit, .. } | Event::Disordered { unit, .. } | Event::Recoiled { unit, .. } => {
            (*unit, Harm::Shaken)
        }
        Event::Lost { unit, .. } | Event::GunsHit { unit, .. } => (*unit, Harm::Losses),
        Event::Overran { over, .. } => (*over, Harm::Losses),
        _ => return None,
    })
}

/// Something was tried, and came off or did not.
fn tried(battle: &Battle, us: Side, events: &[Event]) -> Option<Headline> {
    // A fight, or shots, may bring tests in their train: then it is who breaks that counts.
    if events.iter().any(|event| matches!(event, Event::Fired { .. } | Event::Struck { .. } | Event::Fought { .. })) {
        return None;
    }
    events.iter().find_map(|event| match event {
        Event::Won { side } => {
            let text = format!("the choice is with {}", side_within(battle, *side));
            Some(Headline::new(u8::from(*side != us), text, Some(*side)))
        }
        Event::InitiativeRolled { first, second } if first == second => Some(Headline::new(2, "a tie", None)),
        Event::Tested { unit, passed, .. } => {
            let (side, name) = (battle.side(*unit), battle.name_of(*unit));
            let good = if *passed { side } else { side.other() };
            let text = format!("{name} {}", if *passed { "holds" } else { "breaks" });
            Some(Headline::new(u8::from(good != us), text, Some(good)))
        }
        Event::Stays { unit } => {
            Some(Headline::new(0, format!("{} stays", battle.name_of(*unit)), Some(battle.side(*unit))))
        }
        Event::RunsWild { unit } => {
            let text = format!("{} cannot be held", battle.name_of(*unit));
            Some(Headline::new(1, text, Some(battle.side(*unit).other())))
        }
        Event::Battered { hits, .. } => match hits {
            0 => Some(Headline::new(1, "no harm to the wall", Some(us.other()))),
            _ => Some(Headline::new(0, "the wall is hit", Some(us))),
        },
        _ => None,
    })
}

/// What happened to each unit.
pub(crate) fn fates(before: &Battle, after: &Battle, events: &[Event]) -> Vec<Fate> {
    let breaks = |unit: UnitId| events.iter().filter_map(harm).any(|one| one == (unit, Harm::Breaks));
    let gone = |unit: UnitId| events.iter().filter_map(harm).any(|one| one == (unit, Harm::Lost));
    let mut fates = Vec::new();
    for (n, then) in before.units.iter().enumerate() {
        let unit = UnitId(n as u16);
        let Some(now) = after.units.get(n) else { continue };
        let lost = gone(unit) && then.place == Place::Table;
        let loss = (i32::from(then.figures) - i32::from(now.figures)).max(0);
        let fate = Fate { unit, routs: !lost && breaks(unit), lost, loss };
        if fate.routs || fate.lost || fate.loss > 0 {
            fates.push(fate);
        }
    }
    fates
}
