//! What follows from an event by the rules alone. It is worked out once, as the event happens, and written down after it, so that a replay
//! asks no rule.

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};

use crate::apply::apply;
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::{HZ_CHK_03, HZ_OFF_22, HZ_ORD_05, HZ_ORD_07, HZ_ORD_34, HZ_ORD_40, HZ_QUA_11};
use crate::event::Event;
use crate::situations::Condition;
use crate::table::{shape, siege};

/// What follows from an event that is about to happen.
pub(crate) fn follows(before: &Battle, event: &Event, out: &mut Vec<Event>) {
    match event {
        Event::QualityRolled { unit, quality } => {
            falls_at_limit(before, event, *unit, Condition { quality: *quality, ..before.condition(*unit) }, out);
        }
        Event::Staggered { unit, by, .. } => {
            falls_at_limit(before, event, *unit, before.condition(*unit).with(*by, 0), out);
        }
        Event::Killed { unit, by, .. } => {
            falls_at_limit(before, event, *unit, before.condition(*unit).with(0, *by), out);
        }
        // A battalion that joins the skirmishers unhurt is no loss.
        Event::JoinsSkirmishers { unit } if before.unit(*unit).kills > 0 => checks(&after(before, event), *unit, out),
        // Units lost while their command reorganises cost it nothing more (HZ-REO-12).
        Event::Broken { unit, how, .. } if *how != Presence::Disbanded => checks(&after(before, event), *unit, out),
        Event::Routs { unit, .. } => {
            goes_along(before, event, *unit, out);
            checks(&after(before, event), *unit, out);
        }
        Event::Moved { unit, .. }
        | Event::Formed { unit, .. }
        | Event::Garrisons { unit, .. }
        | Event::Enters { unit, .. }
        | Event::Scales { unit, .. }
        | Event::Sighted { battery: unit, .. } => goes_along(before, event, *unit, out),
        Event::Attaches { officer, unit } => {
            out.push(Event::GoesAlong { officer: *officer, at: shape::rear_of(&before.placed(*unit)) });
        }
        Event::OrderFailed { command: Some(command), .. } => silences(before, *command, out),
        Event::Ordered { officer, .. } => speaks(before, *officer, out),
        Event::Appointing { side } | Event::Rearming { side } => speaks(before, before.chief(*side), out),
        Event::Explodes { breach } => {
            let on_it = |id: UnitId| siege::slope_under(before, &before.placed(id)) == Some(*breach);
            if before.doing.moving.is_some_and(|moving| on_it(moving.unit)) {
                out.push(Event::MoverHit);
            }
        }
        _ => {}
    }
}

fn after(before: &Battle, event: &Event) -> Battle {
    let mut after = before.clone();
    apply(&mut after, event);
    after
}

/// The moment staggers and kills reach its limit a unit is off the table (HZ-QUA-11).
fn falls_at_limit(before: &Battle, event: &Event, unit: UnitId, condition: Condition, out: &mut Vec<Event>) {
    decides!(HZ_QUA_11);
    let numbers = before.numbers();
    if !before.is_present(unit) || !condition.is_broken(numbers) {
        return;
    }
    let how = if condition.is_destroyed(numbers) { Presence::Destroyed } else { Presence::Shattered };
    let off = Event::Off { unit, how };
    let gone = after(&after(before, event), &off);
    out.push(off);
    checks(&gone, unit, out);
}

/// A sub-command broke or routed: the command above must check, and so on up for each that is broken or routing thereby
/// (HZ-CHK-03).
fn checks(after: &Battle, unit: UnitId, out: &mut Vec<Event>) {
    decides!(HZ_CHK_03);
    let mut commands = Vec::new();
    let mut here = Some(after.facts(unit).brigade);
    while let Some(command) = here {
        commands.push(command);
        let gone = after.is_broken(command) || after.is_routing(command);
        here = if gone { after.command_facts(command).above } else { None };
    }
    out.push(Event::MustCheck { commands });
}

/// An officer who is with a unit goes where it goes.
fn goes_along(before: &Battle, event: &Event, unit: UnitId, out: &mut Vec<Event>) {
    decides!(HZ_ORD_40, HZ_OFF_22);
    if let Some(officer) = before.attached_to(unit) {
        out.push(Event::GoesAlong { officer, at: shape::rear_of(&after(before, event).placed(unit)) });
    }
}

/// A command and all below it receive no further orders (HZ-ORD-05, HZ-ORD-07, HZ-ORD-09).
fn silences(before: &Battle, command: CommandId, out: &mut Vec<Event>) {
    decides!(HZ_ORD_05, HZ_ORD_07);
    let commands = before.command_ids().filter(|id| before.is_within(*id, command)).collect();
    out.push(Event::Silenced { commands });
}

/// An officer speaks: whatever free order his player still had is given up (HZ-ORD-34).
fn speaks(before: &Battle, officer: OfficerId, out: &mut Vec<Event>) {
    decides!(HZ_ORD_34);
    let had = |other: &OfficerId| before.officer(*other).free && before.same_player(*other, officer);
    let officers: Vec<OfficerId> = before.officer_ids().filter(had).collect();
    if !officers.is_empty() {
        out.push(Event::FreeOrdersLapse { officers });
    }
}
