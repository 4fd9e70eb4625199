//! The sequence of play (HZ-SEQ-02): what follows what.

use crate::clauses::{HZ_BOM_19, HZ_CHK_01, HZ_ORD_44, HZ_SEQ_02, HZ_SEQ_04};
use sabretache_engine::decides;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Halt;

use super::rally::checks;
use super::{Play, bombard, engage, officers, orders, threat, victory};
use crate::event::Event;
use crate::state::{Phase, Stage};

/// A turn begins with the skirmishers.
pub(crate) fn begin(play: &mut Play<'_>, turn: u16) -> Result<(), Halt> {
    play.happen(Event::TurnBegins { turn });
    play.happen(Event::Now { stage: Stage::Skirmish });
    Ok(())
}

/// Threat tests of a side.
pub(crate) fn begin_threats(play: &mut Play<'_>, side: Side) -> Result<(), Halt> {
    decides!(HZ_SEQ_02);
    play.happen(Event::PhaseBegins { side, phase: Phase::Threat });
    let threats = threat::list(play.battle());
    if !threats.is_empty() {
        play.happen(Event::Threatened { threats });
        play.happen(Event::Now { stage: Stage::Threat });
    }
    after_threat(play)
}

/// The next test, or the orders phase.
pub(crate) fn after_threat(play: &mut Play<'_>) -> Result<(), Halt> {
    if !threat::waiting(play.battle()).is_empty() {
        return Ok(());
    }
    let threats = play.battle().threats.clone();
    let tested: Vec<_> = threats.into_iter().filter(|threat| threat.tested).collect();
    threat::smoke_of(play, &tested);
    if victory::decided(play) {
        return Ok(());
    }
    begin_orders(play)
}

/// Orders of the phasing side.
pub(crate) fn begin_orders(play: &mut Play<'_>) -> Result<(), Halt> {
    let side = play.battle().phasing;
    play.happen(Event::PhaseBegins { side, phase: Phase::Orders });
    orders::lapse_forced(play);
    before_order(play)
}

/// The other side may bombard; then an order may be given (HZ-BOM-19). Where nobody can give one any more the phase ends (HZ-ORD-44).
pub(crate) fn before_order(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_ORD_44);
    if !play.battle().doing.ending && orders::exhausted(play.battle()) {
        play.happen(Event::OrdersEnding);
    }
    decides!(HZ_BOM_19);
    let stage = if bombard::any_target(play.battle()) { Stage::Window } else { Stage::Order };
    play.happen(Event::Now { stage });
    if stage == Stage::Order && play.battle().doing.ending {
        return orders::finish(play);
    }
    Ok(())
}

/// The window before an order, or before the end, is closed.
pub(crate) fn window_closed(play: &mut Play<'_>) -> Result<(), Halt> {
    if play.battle().doing.ending {
        return orders::finish(play);
    }
    play.happen(Event::Now { stage: Stage::Order });
    Ok(())
}

/// Officers of the phasing side move.
pub(crate) fn begin_officers(play: &mut Play<'_>) -> Result<(), Halt> {
    if victory::decided(play) {
        return Ok(());
    }
    let side = play.battle().phasing;
    play.happen(Event::PhaseBegins { side, phase: Phase::Officers });
    play.happen(Event::Now { stage: Stage::Officers });
    if officers::nothing_to_do(play.battle()) {
        return begin_engage(play);
    }
    Ok(())
}

/// Engagements.
pub(crate) fn begin_engage(play: &mut Play<'_>) -> Result<(), Halt> {
    let side = play.battle().phasing;
    play.happen(Event::PhaseBegins { side, phase: Phase::Engage });
    engage::begin(play)
}

/// Rally, reform and rout.
pub(crate) fn begin_rally(play: &mut Play<'_>) -> Result<(), Halt> {
    if victory::decided(play) {
        return Ok(());
    }
    let side = play.battle().phasing;
    play.happen(Event::PhaseBegins { side, phase: Phase::Rally });
    decides!(HZ_SEQ_04, HZ_CHK_01);
    checks::next(play)
}

/// The side's five phases are over: the other side's begin, or the turn ends.
pub(crate) fn end_phases(play: &mut Play<'_>) -> Result<(), Halt> {
    if victory::decided(play) {
        return Ok(());
    }
    let (side, first) = (play.battle().phasing, play.battle().first.unwrap_or(Side::A));
    decides!(HZ_SEQ_02);
    if side == first {
        return begin_threats(play, side.other());
    }
    let turn = play.battle().turn;
    if turn >= play.battle().lay.options.turns {
        victory::by_count(play);
        return Ok(());
    }
    begin(play, turn + 1)
}
