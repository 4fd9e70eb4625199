//! Giving orders: the roll, what failing it does, and the end of the phase (HZ-ORD-26 to HZ-ORD-29, HZ-ORD-33, HZ-ORD-34, HZ-ORD-44,
//! HZ-FOR-04 to HZ-FOR-08).

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use smallvec::SmallVec;

use super::super::{Play, act, fallback, harm, reinforce, roll_for, turn};
use super::{is_forced, may_order, may_order_free, proper_officer, situation, units_ordered};
use crate::clauses::*;
use crate::event::Event;
use crate::state::{Addressee, ForcedMove, Stage};
use crate::table::{Field, contact};
use crate::troops::{Forced, Formation, Order};

/// An order is issued and rolled for.
pub(crate) fn issue(play: &mut Play<'_>, officer: OfficerId, to: Addressee, order: Order) -> Result<(), Halt> {
    decides!(HZ_ORD_27, HZ_ORD_31, HZ_FOR_05);
    let allowed = may_order(&Field::of(play.battle()), officer, to, order);
    if let Err((clause, says)) = allowed {
        play.refuse(Refusal::new(clause, says))?;
    }
    let facts = situation(&Field::of(play.battle()), officer, to, order);
    let forced = is_forced(play.battle(), officer, to, order);
    play.happen(Event::Ordered { officer, to, order, free: false });
    if order == Order::Advance {
        let units = units_ordered(play.battle(), officer, to);
        reinforce::choose_first(play, &units);
    }
    disobeyed(play, officer, to, order, forced);
    let side = play.battle().phasing;
    let test = facts.test(play.battle().numbers());
    let outcome =
        roll_for(play, "order", Some(officer.into()), side, &test, |numbers, total| facts.read(numbers, total))?;
    if outcome.succeeded {
        play.happen(Event::Obeyed { officer, to, order, huzzah: outcome.free_order, free: false });
        return act::next_unit(play);
    }
    if let Some(unit) = forced {
        play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_05 });
        harm::stagger(play, unit, outcome.staggers, HZ_FOR_05);
    }
    if outcome.runs_away {
        let units = units_ordered(play.battle(), officer, to);
        lose_control(play, &units);
    }
    fail(play, officer, HZ_ORD_26)
}

/// The phasing side wants no more orders, or no second appointment (HZ-ORD-44).
pub(crate) fn end(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_ORD_44);
    if play.battle().stage != Stage::SecondAppointment {
        play.happen(Event::OrdersEnding);
    }
    turn::before_order(play)
}

/// The free order after a Huzzah! (HZ-ORD-33).
pub(crate) fn issue_free(play: &mut Play<'_>, officer: OfficerId, order: Order) -> Result<(), Halt> {
    decides!(HZ_ORD_33);
    let to = match may_order_free(&Field::of(play.battle()), officer, order) {
        Ok(to) => to,
        Err((clause, says)) => return Err(Refusal::new(clause, says).into()),
    };
    let forced = is_forced(play.battle(), officer, to, order);
    play.happen(Event::Ordered { officer, to, order, free: true });
    disobeyed(play, officer, to, order, forced);
    play.happen(Event::Obeyed { officer, to, order, huzzah: false, free: true });
    act::next_unit(play)
}

/// Orders put before a forced one cost the unit a stagger each (HZ-FOR-06).
fn disobeyed(play: &mut Play<'_>, officer: OfficerId, to: Addressee, order: Order, forced: Option<UnitId>) {
    decides!(HZ_FOR_06);
    if forced.is_some() {
        return;
    }
    let side = play.battle().phasing;
    let slighted: SmallVec<[UnitId; 4]> = {
        let battle = play.battle();
        let ordered = units_ordered(battle, officer, to);
        let slighted = |&unit: &UnitId| {
            let holds = battle.forced_formation(unit).is_some();
            let group = matches!(to, Addressee::Group(id) if battle.is_within(battle.facts(unit).brigade, id));
            let fulfils = order == Order::Deploy && ordered.contains(&unit);
            holds && !fulfils && (group || proper_officer(battle, unit) == Some(officer))
        };
        battle.present(side).filter(slighted).collect()
    };
    for unit in slighted {
        let by = play.battle().numbers().forced_disobeyed;
        harm::stagger(play, unit, by, HZ_FOR_06);
    }
}

/// An order failed: by the dice, or because nobody acted on it.
pub(crate) fn fail(play: &mut Play<'_>, officer: OfficerId, clause: Clause) -> Result<(), Halt> {
    decides!(HZ_ORD_02);
    let battle = play.battle();
    if officer == battle.chief(battle.officer_facts(officer).side) {
        play.happen(Event::OrderFailed { officer, command: None, clause });
        play.happen(Event::OrdersOver { clause: HZ_ORD_02 });
        return finish(play);
    }
    let command = battle.acts_for(officer);
    play.happen(Event::OrderFailed { officer, command: Some(command), clause });
    fallback::next(play)
}

/// Those of these units that were not recalled lose control; their owner says who runs first (HZ-BLO-10).
fn lose_control(play: &mut Play<'_>, units: &[UnitId]) {
    decides!(HZ_BLO_10);
    for &unit in units {
        if play.battle().is_present(unit) && play.battle().unit(unit).forced == Some(Forced::Recall) {
            play.happen(Event::Forced { unit, order: None, clause: HZ_BLO_10 });
            play.happen(Event::MustMove { unit, forced: Some(ForcedMove::RunAway) });
        }
    }
}

/// Cavalry out of control has run: on with the orders, or on to the officers.
pub(crate) fn resume(play: &mut Play<'_>) -> Result<(), Halt> {
    if play.battle().doing.ending { turn::begin_officers(play) } else { turn::before_order(play) }
}

/// The order has been carried out as far as it will be.
pub(crate) fn done(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_ORD_28);
    let Some(acting) = play.battle().doing.acting else { return turn::before_order(play) };
    let must = act::must_act(&Field::of(play.battle()), &acting);
    play.require(must.is_none(), HZ_FOR_04, || "A unit must first obey its forced order".into())?;
    if acting.order == Order::Recall {
        // One recall that is obeyed serves every unit addressed that needs it (HZ-BLO-08).
        for unit in units_ordered(play.battle(), acting.officer, acting.to) {
            if play.battle().unit(unit).forced == Some(Forced::Recall) {
                play.happen(Event::Forced { unit, order: None, clause: HZ_BLO_09 });
            }
        }
    } else if !acting.acted {
        return fail(play, acting.officer, HZ_ORD_29);
    }
    play.happen(Event::OrderDone { huzzah: acting.huzzah && !acting.free });
    turn::before_order(play)
}

// ------------------------------------------------------------------ the end of the phase

/// Forced orders that make no sense any more lapse (HZ-FOR-08).
pub(crate) fn lapse_forced(play: &mut Play<'_>) {
    decides!(HZ_FOR_08);
    let side = play.battle().phasing;
    let lapsed: SmallVec<[UnitId; 4]> = {
        let field = Field::of(play.battle());
        play.battle()
            .present(side)
            .filter(|&unit| {
                matches!(play.battle().unit(unit).forced, Some(Forced::FormLine | Forced::FormSquare))
                    && lapses(&field, unit)
            })
            .collect()
    };
    for unit in lapsed {
        play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_08 });
    }
}

fn lapses(field: &Field<'_>, unit: UnitId) -> bool {
    let state = field.unit(unit);
    let formed = match state.forced {
        Some(Forced::FormLine) => state.formation == Formation::Line,
        Some(Forced::FormSquare) => state.formation == Formation::Square,
        _ => false,
    };
    formed || state.routing || contact::touches_enemy(field, unit)
}

/// The orders phase is over: forced orders that were not issued fail, cavalry that was not recalled runs away
/// (HZ-FOR-07, HZ-BLO-10).
pub(crate) fn finish(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_FOR_07);
    lapse_forced(play);
    let side = play.battle().phasing;
    let units: SmallVec<[UnitId; 16]> = play.battle().present(side).collect();
    for &unit in &units {
        if play.battle().forced_formation(unit).is_some() {
            play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_07 });
            let by = play.battle().numbers().forced_failed;
            harm::stagger(play, unit, by, HZ_FOR_07);
        }
    }
    lose_control(play, &units);
    reinforce::hold_back(play);
    if !play.battle().doing.ending {
        play.happen(Event::OrdersEnding);
    }
    fallback::next(play)
}
