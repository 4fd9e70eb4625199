//! Reorganising broken commands, where the scenario allows it (HZ-REO-01 to HZ-REO-14).

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, UnitId};
use sabretache_engine::offer::{Halt, Refusal};

use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::{HZ_REO_01, HZ_REO_02, HZ_REO_03, HZ_REO_10, HZ_REO_12};
use crate::event::Event;
use crate::phases::{Play, rally, roll_for};
use crate::situations::{Departed, Left, ReorganiseSituation};
use crate::state::Stage;
use crate::troops::Level;

/// Whether a command can try to reorganise now (HZ-REO-02, HZ-REO-03).
#[must_use]
pub fn may_try(battle: &Battle, id: CommandId) -> bool {
    decides!(HZ_REO_03);
    let facts = battle.command_facts(id);
    let state = battle.command(id);
    decides!(HZ_REO_02, HZ_REO_12);
    decides!(HZ_REO_01);
    battle.lay.options.reorganise
        && facts.side == battle.phasing
        && facts.level != Level::Army
        && battle.is_broken(id)
        && state.left > 0
        && !state.tried
        && battle.officer(facts.officer).status == OfficerStatus::Removed
        && battle.units_of(id).any(|unit| left(battle, unit).is_some())
        // A command whose superior is gone too comes back with it.
        && facts.above.is_none_or(|above| !battle.is_gone(above) || battle.command_facts(above).level == Level::Army)
}

/// How a unit that may return left the table.
fn left(battle: &Battle, unit: UnitId) -> Option<Left> {
    match battle.unit(unit).presence {
        Presence::Shattered => Some(Left::Broke),
        Presence::RoutedOff => Some(Left::Routed),
        Presence::RetiredOff => Some(Left::Retired),
        _ => None,
    }
}

/// The units that may return, and the facts of the attempt.
#[must_use]
pub fn situation(battle: &Battle, id: CommandId) -> (Vec<UnitId>, ReorganiseSituation) {
    let facts = battle.command_facts(id);
    let state = battle.command(id);
    let sub = |unit: UnitId| {
        facts.below.iter().position(|&below| battle.is_within(battle.facts(unit).brigade, below)).unwrap_or(0).min(255)
            as u8
    };
    let units: Vec<UnitId> = battle.units_of(id).filter(|&unit| left(battle, unit).is_some()).collect();
    let departed = units.iter().filter_map(|&unit| {
        left(battle, unit).map(|left| Departed {
            left,
            quality: battle.quality(unit),
            kills: battle.unit(unit).kills,
            sub_command: sub(unit),
        })
    });
    let situation = ReorganiseSituation {
        command: facts.level,
        officer: battle.ability(facts.officer),
        inspirational: battle.officer(facts.officer).inspirational,
        officer_lost: false,
        units: departed.collect(),
        turns_waited: battle.turn.saturating_sub(state.left).min(255) as u8,
        earlier_attempts: state.attempts,
    };
    (units, situation)
}

/// On to reorganising where anything can be, otherwise to smoke and rallying.
pub(crate) fn next(play: &mut Play<'_>) -> Result<(), Halt> {
    if play.battle().command_ids().any(|id| may_try(play.battle(), id)) {
        play.happen(Event::Now { stage: Stage::Reorganise });
        return Ok(());
    }
    rally::begin(play)
}

/// A command tries to reorganise.
pub(crate) fn attempt(play: &mut Play<'_>, id: CommandId) -> Result<(), Halt> {
    decides!(HZ_REO_02);
    if !may_try(play.battle(), id) {
        return Err(Refusal::new(HZ_REO_02, "That command cannot reorganise").into());
    }
    let (units, facts) = situation(play.battle(), id);
    let test = facts.test(play.battle().numbers());
    let side = play.battle().phasing;
    let outcome =
        roll_for(play, "reorganise", Some(id.into()), side, &test, |numbers, total| facts.read(numbers, total))?;
    play.happen(Event::Reorganising { command: id });
    // A command of which nobody is left to return does not come back.
    if outcome.reorganised && outcome.units.iter().any(|unit| !unit.destroyed) {
        play.happen(Event::Reorganised { command: id });
        let officers: Vec<_> = play
            .battle()
            .command_ids()
            .filter(|&below| play.battle().is_within(below, id))
            .map(|below| play.battle().command_facts(below).officer)
            .collect();
        decides!(HZ_REO_10);
        for officer in officers {
            if play.battle().officer(officer).status == OfficerStatus::Removed {
                play.happen(Event::OfficerGone { officer, status: OfficerStatus::Awaited, clause: HZ_REO_10 });
                if outcome.huzzah {
                    let at = play.battle().command_facts(id).communication;
                    play.happen(Event::OfficerComes { officer, at });
                }
            }
        }
        for (&unit, returned) in units.iter().zip(&outcome.units) {
            if returned.destroyed {
                play.happen(Event::Broken { unit, how: Presence::Disbanded, clause: HZ_REO_12 });
            } else {
                play.happen(Event::Returns { unit, kills: returned.kills });
            }
        }
    } else if outcome.reorganised {
        for &unit in &units {
            play.happen(Event::Broken { unit, how: Presence::Disbanded, clause: HZ_REO_12 });
        }
    }
    next(play)
}
