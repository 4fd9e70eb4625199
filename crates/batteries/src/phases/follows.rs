//! What follows from an event by the rules alone. It is worked out once, as the event happens, and written down after it, so that a replay
//! asks no rule.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Length, Point};

use crate::battle::{Battle, Contact, Step};
use crate::clauses::{BB_COM_27, BB_LEA_08, BB_LEA_11, BB_MOR_21, BB_MOR_36, BB_TWN_10, BB_UNI_28};
use crate::event::Event;
use crate::phases::movement::WHOLE;
use crate::table::shape::about_centre;

/// What follows from an event that is about to happen.
pub(crate) fn follows(before: &Battle, event: &Event, out: &mut Vec<Event>) {
    if let Some(unit) = sets_out(event).filter(|unit| !before.unit(*unit).now.moved) {
        out.push(Event::SetsOut { unit, steady: before.steady(unit) });
    }
    match *event {
        Event::Formed { unit, share, .. } => pays(before, unit, share, out),
        Event::Shifted { unit, .. } | Event::Emerged { unit, .. } => {
            pays(before, unit, before.numbers().leaving.of(WHOLE), out)
        }
        Event::Routed { unit, leaves_guns, .. } => {
            let mut from = before.clone();
            if leaves_guns {
                from.leave_guns(unit);
            }
            out.push(Event::FellBack { unit, from: middle(&from, unit) });
        }
        Event::LeftTable { unit, .. } => {
            out.push(Event::FellBack { unit, from: middle(before, unit) });
            changes_off_the_table(before, unit, out);
        }
        Event::Recoiled { unit, .. } | Event::RoutedInto { unit, .. } => {
            out.push(Event::FellBack { unit, from: middle(before, unit) });
        }
        Event::Fired { unit, at, hits, .. } if !before.unit(at).serves_guns(before.facts(at)) => {
            out.push(Event::Tells { unit, at, hits });
        }
        Event::Began { step: step @ (Step::MoveA | Step::MoveB) } => {
            // What a unit did before it was struck in this turn still counts; one that is locked since an earlier turn has a
            // movement phase in which it does not advance (BB-COM-27).
            decides!(BB_COM_27);
            let side = if step == Step::MoveA { before.first } else { before.first.other() };
            let held = |unit: &UnitId| before.unit(*unit).advanced && before.locked(*unit);
            let units = before.of(side).filter(held).collect::<Vec<_>>();
            out.extend((!units.is_empty()).then_some(Event::Held { units }));
        }
        Event::TurnOver { .. } => {
            // Who was struck before its own movement phase of this turn has not advanced in that phase (BB-COM-27).
            decides!(BB_COM_27);
            let stood = |unit: &UnitId| {
                let (state, now) = (before.unit(*unit), before.unit(*unit).now);
                state.advanced && (!now.moved || (now.pursued && now.charging))
            };
            let units = before.all().filter(stood).collect::<Vec<_>>();
            out.extend((!units.is_empty()).then_some(Event::Held { units }));
        }
        Event::Began { step: Step::PanicTests } => {
            // A flank charge that did not come home was none (BB-MOR-21).
            decides!(BB_MOR_21);
            let home = |one: &Contact| one.fresh && one.flank && !before.broken(one.charger);
            let struck = |unit: UnitId| before.contacts.iter().any(|one| one.target == unit && home(one));
            let spared = |unit: &UnitId| before.unit(*unit).now.flanked && !struck(*unit);
            let units = (0..before.units.len()).map(|n| UnitId(n as u16)).filter(spared).collect::<Vec<_>>();
            out.extend((!units.is_empty()).then_some(Event::NotFlanked { units }));
        }
        Event::Lost { unit, .. } => bends(before, event, unit, None, out),
        Event::Rejoined { unit, part } => bends(before, event, unit, Some(part), out),
        _ => {}
    }
    generals_go(before, event, out);
}

/// A battle in which an event has happened, with all that follows from it.
pub(crate) fn happened(before: &Battle, event: &Event) -> Battle {
    let mut out = Vec::new();
    follows(before, event, &mut out);
    after(before, event, &out)
}

/// The battle after an event and what is known to follow from it.
fn after(before: &Battle, event: &Event, follows: &[Event]) -> Battle {
    let mut after = before.clone();
    after.apply(event);
    follows.iter().for_each(|one| after.apply(one));
    after
}

fn middle(battle: &Battle, unit: UnitId) -> Point {
    Point::rounded(battle.centre(unit))
}

/// The unit that begins to move by an event, if it has not yet moved.
fn sets_out(event: &Event) -> Option<UnitId> {
    match *event {
        Event::Moved { unit, .. }
        | Event::Faced { unit, .. }
        | Event::Formed { unit, .. }
        | Event::Reforming { unit }
        | Event::Launched { unit }
        | Event::Charges { unit }
        | Event::Entered { unit, .. }
        | Event::Detached { unit, .. }
        | Event::Shifted { unit, .. }
        | Event::Emerged { unit, .. } => Some(unit),
        _ => None,
    }
}

/// What was run at the old rate, and what the change costs, are shares of a move from now on.
fn pays(before: &Battle, unit: UnitId, share: u32, out: &mut Vec<Event>) {
    let mut then = before.clone();
    then.start_move(unit);
    let now = then.unit(unit).now;
    let run = then.share_of(unit, Length::um(now.run));
    out.push(Event::Spent { unit, share: now.share.saturating_add(run).saturating_add(share) });
}

/// A unit that routs off the table is off it in the formation in which it would have ended: no square, no bent line (BB-MOR-36).
fn changes_off_the_table(before: &Battle, unit: UnitId, out: &mut Vec<Event>) {
    decides!(BB_MOR_36);
    let (was, then) = (before.unit(unit), before.routing(unit));
    if (was.formation, was.stands) != (then.formation, then.stands) {
        let footprint = then.footprint(before.facts(unit), before.numbers());
        let to = about_centre(before.centre(unit), was.pose.heading, &footprint);
        out.push(Event::Refitted { unit, to, formation: then.formation, stands: then.stands, bend: None });
    }
}

/// A bent line that has lost or won stands is laid anew.
fn bends(before: &Battle, event: &Event, unit: UnitId, part: Option<UnitId>, out: &mut Vec<Event>) {
    decides!(BB_UNI_28, BB_TWN_10);
    if before.unit(unit).bend.is_none() {
        return;
    }
    let mut then = after(before, event, out);
    let was = *then.unit(unit);
    then.fit_bend(unit, part.map(|part| before.centre(part)));
    let state = then.unit(unit);
    if *state != was {
        let (to, formation, stands, bend) = (state.pose, state.formation, state.stands, state.bend);
        out.push(Event::Refitted { unit, to, formation, stands, bend });
    }
}

/// Generals go with the unit they are attached to (BB-LEA-08), and are left where it was when it is gone (BB-LEA-11).
fn generals_go(before: &Battle, event: &Event, out: &mut Vec<Event>) {
    let refitted = out.iter().any(|one| matches!(one, Event::Refitted { .. }));
    let unit = match *event {
        Event::Joined { general, unit } => {
            out.push(Event::GoesAlong { general, to: middle(before, unit) });
            return;
        }
        Event::Shattered { unit } | Event::LeftTable { unit, .. } | Event::ChasedOff { unit, .. } => unit,
        Event::Overran { over, .. } => over,
        Event::Moved { unit, .. }
        | Event::Evaded { unit, .. }
        | Event::Abandons { unit, .. }
        | Event::Entered { unit, .. }
        | Event::Detached { part: unit, .. }
        | Event::Shifted { unit, .. }
        | Event::RoutedInto { unit, .. }
        | Event::Emerged { unit, .. }
        | Event::Routed { unit, .. }
        | Event::Rejoined { unit, .. }
        | Event::Recoiled { unit, .. }
        | Event::Faces { unit, .. }
        | Event::Chased { unit, .. } => unit,
        Event::Pursues { chase, .. } => chase.pursuer,
        Event::CalledOff { unit } => unit,
        Event::Lost { unit, .. } if refitted => unit,
        _ => return,
    };
    // A part that comes back brings those who were with it.
    let part = if let Event::Rejoined { part, .. } = *event { Some(part) } else { None };
    let with = |n: &usize| {
        let general = &before.generals[*n];
        general.with.is_some_and(|with| with == unit || Some(with) == part)
    };
    let generals: Vec<usize> = (0..before.generals.len()).filter(with).collect();
    if generals.is_empty() {
        return;
    }
    let then = after(before, event, out);
    let to = match *event {
        Event::Shattered { .. } | Event::LeftTable { .. } => middle(before, unit),
        Event::Overran { to, .. } | Event::ChasedOff { to, .. } => {
            // Where it stood last, as it stood then.
            let mut last = before.clone();
            let (gone, state) = (*then.unit(unit), last.change(unit));
            (state.pose, state.figures, state.guns) = (to, gone.figures, gone.guns);
            middle(&last, unit)
        }
        _ => middle(&then, unit),
    };
    let gone = generals.iter().all(|n| then.generals[*n].with.is_none());
    if matches!(event, Event::Overran { .. }) && !gone {
        return;
    }
    decides!(BB_LEA_08, BB_LEA_11);
    for n in generals {
        let general = sabretache_engine::ids::OfficerId(n as u16);
        out.push(Event::GoesAlong { general, to });
    }
}
