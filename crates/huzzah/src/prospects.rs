//! What a choice costs for certain, what it lays itself open to, what a bombardment interrupts and whether it is worth asking about.

use sabretache_engine::dice::{Dice, NoDice, Roll, Throw};
use sabretache_engine::forecast::{Cost, Invitation};
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::interrupt::{Interrupt, Reaction};
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_kit::Part as _;
use sabretache_table::{Length, exact_distance};

use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_BOM_04, HZ_THR_06, HZ_ZON_03};
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::bombard::offers::Bombard;
use crate::phases::siege::offers::Siege;
use crate::phases::{bombard, siege};
use crate::state::{Bearing, Stage};
use crate::table::{Field, zones};
use crate::words;

/// The price of an event, where it has one for the side whose doing it is.
pub(crate) fn cost(battle: &Battle, event: &Event) -> Option<Cost> {
    let (unit, clause) = match event {
        Event::Staggered { unit, clause, .. }
        | Event::Killed { unit, clause, .. }
        | Event::Broken { unit, clause, .. } => (*unit, *clause),
        Event::Spent { unit, clause } => (*unit, *clause),
        Event::Blown { unit, blown: true } => (*unit, words::tell(battle, event).clauses.first().copied()?),
        _ => return None,
    };
    let side = Huzzah::deciding(battle).unwrap_or(battle.phasing);
    (battle.facts(unit).side == side || battle.facts(unit).side == battle.phasing)
        .then(|| Cost { text: words::tell(battle, event).text, clause })
}

/// Into whose zones a unit comes that moves or changes, under whose guns, and who has its flank.
pub(crate) fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
    let Some(unit) = offer.label(before).unit.filter(|unit| after.is_present(*unit)) else {
        return Vec::new();
    };
    if before.unit(unit).pose == after.unit(unit).pose && before.unit(unit).formation == after.unit(unit).formation {
        return Vec::new();
    }
    let field = Field::of(after);
    let name = |id: UnitId| after.facts(id).name.as_str();
    let mut out = Vec::new();
    for threat in zones::threats_on(&field, unit) {
        let (text, clause) = match threat.from {
            Bearing::Front => (format!("in the zone of {}", name(threat.by)), HZ_ZON_03),
            Bearing::Flank => (format!("flank open to {}", name(threat.by)), HZ_THR_06),
            Bearing::Rear => (format!("rear open to {}", name(threat.by)), HZ_THR_06),
        };
        out.push(Invitation { text, by: threat.by.into(), clause });
    }
    let us = after.facts(unit).side;
    for battery in after.present(us.other()).filter(|&id| may_bombard(after, id, us)) {
        if let Some(found) = bombard::target(&field, battery, unit) {
            let text = format!("under the guns of {} at {} range", name(battery), found.range.word());
            out.push(Invitation { text, by: battery.into(), clause: HZ_BOM_04 });
        }
    }
    out
}

/// Whether a battery could bombard the side that moves.
fn may_bombard(battle: &Battle, battery: UnitId, mover: Side) -> bool {
    battle.phasing == mover && bombard::is_able(battle, battery)
}

/// Dice that all fall low, or all high.
struct Extreme {
    high: bool,
}

impl Dice for Extreme {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let face = |n: usize| {
            let faces = throw.die(n).faces();
            if self.high { faces.last() } else { faces.first() }
        };
        Ok(throw.read((0..throw.len()).filter_map(face).copied().collect()))
    }
}

/// Whether a bombardment can hurt anybody: the result goes with the dice, so that their ends tell.
fn can_hurt(battle: &Battle, offer: Offer) -> bool {
    let mut values = Vec::new();
    Huzzah::input(battle, &offer).proposals(&mut values);
    let value = values.into_iter().next().unwrap_or(Value::None);
    let us = battle.phasing.other();
    [false, true].into_iter().any(|high| {
        let (mut trial, mut events) = (battle.clone(), Vec::new());
        let choice = Choice { offer, value: value.clone() };
        let mut dice = Extreme { high };
        let done = Huzzah::resolve(&mut Resolution::new(&mut trial, &mut dice).events_only(&mut events), &choice);
        done.is_ok()
            && events.iter().any(|event| match event {
                Event::Staggered { unit, .. }
                | Event::Killed { unit, .. }
                | Event::Broken { unit, .. }
                | Event::Routs { unit, .. } => battle.facts(*unit).side != us,
                Event::Forced { unit, .. } => battle.facts(*unit).side != us,
                _ => false,
            })
    })
}

/// The offer with which the other side lets pass what it may fire at: the same as [`interrupt`] tells, seen at a glance.
pub(crate) fn lets_pass(battle: &Battle) -> Option<Offer> {
    if !matches!(battle.stage, Stage::Window | Stage::Interrupt) || siege::any_mine(battle) {
        return None;
    }
    if battle.doing.moving.is_some() || bombard::any_straight_ahead(battle) {
        return Some(Bombard::Pass.into());
    }
    interrupt(battle).map(|interrupt| interrupt.pass)
}

/// What a bombardment interrupts.
pub(crate) fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
    if !matches!(battle.stage, Stage::Window | Stage::Interrupt) {
        return None;
    }
    let mut offers = Vec::new();
    bombard::offers::offers(battle, &mut offers);
    let shots = || offers.iter().filter_map(|offer| if let Offer::Bombard(shot) = offer { shot.shot() } else { None });
    let mut reactors: Vec<UnitId> = shots().map(|(battery, _)| battery).collect();
    reactors.sort_unstable();
    reactors.dedup();
    // A mine is never fired or let pass unasked.
    if offers.iter().any(|offer| matches!(offer, Offer::Siege(Siege::Explode(_)))) {
        return None;
    }
    let mover = battle.doing.moving.map(|moving| moving.unit).or_else(|| shots().map(|(_, target)| target).next())?;
    let there = battle.placed(mover);
    let nearest = reactors.iter().map(|&id| exact_distance(&battle.placed(id), &there)).fold(f64::INFINITY, f64::min);
    let distance = Length::rounded(nearest.min(1e9));
    Some(Interrupt { kind: "bombard", reactors, mover, distance, pass: Bombard::Pass.into() })
}

/// What is to be known of a bombardment before anybody is asked.
pub(crate) fn reaction(battle: &Battle) -> Option<Reaction> {
    interrupt(battle)?;
    let mut offers = Vec::new();
    bombard::offers::offers(battle, &mut offers);
    let field = Field::of(battle);
    let mut same: Vec<String> = Vec::new();
    for offer in &offers {
        let Offer::Bombard(shot) = *offer else { continue };
        match shot {
            Bombard::Ahead { battery, target } | Bombard::Through { battery, target } => {
                let range = bombard::target(&field, battery, target).map_or("", |found| found.range.word());
                same.push(format!("bombard {battery} {target} {range}"));
            }
            Bombard::Sight { battery, target, .. } => same.push(format!("bombard {battery} {target} by sighting")),
            Bombard::Pass | Bombard::Await => {}
        }
    }
    same.sort_unstable();
    same.dedup();
    let mut shots = offers.iter().filter(|offer| matches!(offer, Offer::Bombard(shot) if shot.shot().is_some()));
    let meaningful = shots.any(|offer| can_hurt(battle, *offer));
    Some(Reaction { meaningful, sameness: same.join(", ") })
}

/// The units that an event shoots at or charges.
pub(crate) fn touched(event: &Event) -> Vec<UnitId> {
    match event {
        Event::Bombarded { target, .. } => vec![*target],
        Event::Across { enemy: Some(enemy), .. } => vec![*enemy],
        Event::Engaged { fights } => fights.iter().flat_map(|fight| fight.defenders.iter().copied()).collect(),
        _ => Vec::new(),
    }
}
