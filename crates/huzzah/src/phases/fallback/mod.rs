//! Moves that results force on units, one at a time: retirements ([`super::withdraw`]), routs ([`super::rout`]) and cavalry out of
//! control ([`super::runaway`]).

pub mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Convex, Heading, nearer, overlapping};
use smallvec::SmallVec;

use super::officers::{self, flight};
use super::rally::checks;
use super::{Play, engage, harm, orders, rout, runaway, withdraw};
use crate::battle::Battle;
use crate::clauses::{HZ_CHK_27, HZ_CHK_28, HZ_ENG_47, HZ_ENG_48, HZ_OFF_20, HZ_ORD_38, HZ_STR_07};
use crate::event::Event;
use crate::state::{ForcedMove, Phase, Stage, Then};
use crate::terrain::Kind;
use crate::troops::Formation;

/// The units that must still move: the phasing side's first (HZ-ENG-48).
#[must_use]
pub fn waiting(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    decides!(HZ_ENG_48);
    for side in [battle.phasing, battle.phasing.other()] {
        let units: SmallVec<[UnitId; 8]> = battle
            .present(side)
            .filter(|&id| battle.unit(id).must_move.is_some_and(|forced| forced != ForcedMove::Rout))
            .collect();
        if !units.is_empty() {
            return units;
        }
    }
    SmallVec::new()
}

/// Whether the unit is a garrison that has to come out of its sector in good order.
fn retires_from_buildings(battle: &Battle, unit: UnitId) -> bool {
    let state = battle.unit(unit);
    state.formation == Formation::Garrison
        && matches!(state.must_move, Some(ForcedMove::CheckRetire | ForcedMove::Retire(_)))
}

/// A garrison of a strong point may stay, unless the army itself failed its check (HZ-CHK-28).
#[must_use]
pub fn may_stay(battle: &Battle, unit: UnitId) -> bool {
    decides!(HZ_CHK_28);
    let army = battle.lay.armies[battle.facts(unit).side.index()].command;
    let army_failed = battle.command(army).checked && battle.command(army).passed == Some(false);
    let strong = battle
        .unit(unit)
        .sector
        .is_some_and(|n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Buildings { strong: true, .. }));
    decides!(HZ_STR_07);
    battle.unit(unit).must_move == Some(ForcedMove::CheckRetire) && strong && !army_failed
}

/// The next forced move; where only one unit has to move and nothing is to be chosen it does so at once.
pub(crate) fn next(play: &mut Play<'_>) -> Result<(), Halt> {
    loop {
        if flight::asks(play, Then::FallBack) {
            return Ok(());
        }
        let units = waiting(play.battle());
        match units.as_slice() {
            [] => break,
            &[only] if !may_stay(play.battle(), only) && !retires_from_buildings(play.battle(), only) => {
                carry_out(play, only, None);
            }
            _ => {
                play.happen(Event::Now { stage: Stage::FallBack });
                return Ok(());
            }
        }
    }
    match play.battle().doing.phase {
        Some(Phase::Rally) => checks::next(play),
        Some(Phase::Orders) => orders::resume(play),
        _ => engage::next(play),
    }
}

/// A unit makes its move.
pub(crate) fn go(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let due = waiting(play.battle()).contains(&unit) && !retires_from_buildings(play.battle(), unit);
    play.require(due, HZ_ENG_48, || "It has no move to make now".into())?;
    carry_out(play, unit, None);
    next(play)
}

/// A garrison comes out in a formation of its owner's choice (HZ-CHK-27).
pub(crate) fn go_in(play: &mut Play<'_>, unit: UnitId, formation: Formation) -> Result<(), Halt> {
    let battle = play.battle();
    let due = waiting(battle).contains(&unit) && retires_from_buildings(battle, unit);
    decides!(HZ_CHK_27);
    if !due || !withdraw::formations(battle, unit).any(|one| one == formation) {
        return Err(Refusal::new(HZ_CHK_27, "It cannot come out in that formation").into());
    }
    carry_out(play, unit, Some(formation));
    next(play)
}

/// A garrison stays where it is.
pub(crate) fn stay(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let may = may_stay(play.battle(), unit);
    play.require(may, HZ_CHK_28, || "Only the garrison of a strong point may stay".into())?;
    play.happen(Event::MustMove { unit, forced: None });
    next(play)
}

/// The move is made, and done with: until then others may lie where it passes.
fn carry_out(play: &mut Play<'_>, unit: UnitId, formation: Option<Formation>) {
    match play.battle().unit(unit).must_move {
        Some(ForcedMove::Retire(way)) => {
            withdraw::retire(play, unit, Heading::hundredths(i32::from(way)), formation, HZ_ENG_47);
        }
        Some(ForcedMove::FirstRout(way)) => rout::first_rout(play, unit, Heading::hundredths(i32::from(way))),
        Some(ForcedMove::Rout) => rout::rout_on(play, unit),
        Some(ForcedMove::CheckRetire) => withdraw::check_retire(play, unit, formation),
        Some(ForcedMove::RunAway) => runaway::run_away(play, unit),
        None => {}
    }
    play.happen(Event::MustMove { unit, forced: None });
}

/// Officers make room for a unit that has come to stand on them: its own behind it, the enemy's just clear of it, for only moves of the
/// orders phase capture (HZ-ORD-38, HZ-OFF-20).
pub(super) fn shift_officers(play: &mut Play<'_>, unit: UnitId) {
    decides!(HZ_ORD_38, HZ_OFF_20);
    for officer in play.battle().officer_ids() {
        let battle = play.battle();
        if !battle.is_present(unit) || !battle.is_there(officer) || battle.officer(officer).with.is_some() {
            continue;
        }
        let facts = battle.officer_facts(officer);
        let placed = battle.placed(unit);
        let disc = Convex::disc(battle.officer(officer).at.v(), facts.base.f());
        let own = facts.side == battle.facts(unit).side;
        let in_the_way =
            if own { overlapping(&disc, &placed) } else { nearer(&disc, &placed, battle.lay.sizes.touch.f()) };
        if in_the_way {
            let at = if own {
                harm::behind(battle, unit, officer)
            } else {
                officers::free_spot_by(battle, officer, battle.officer(officer).at, battle.lay.sizes.clear)
            };
            play.happen(Event::OfficerShifted { officer, at });
        }
    }
}
