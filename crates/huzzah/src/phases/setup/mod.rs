//! Before the first turn: what is still to be rolled (HZ-SEQ-06).

pub mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::Wanted;

use super::{Play, throw, turn};
use crate::battle::Battle;
use crate::clauses::{HZ_SEQ_01, HZ_SEQ_06};
use crate::event::Event;
use crate::situations::{FirstPlayerSituation, MusterSituation, OfficerSituation, Player};
use crate::state::Stage;

/// Whether anything is still to be rolled before the battle begins.
#[must_use]
pub fn needed(battle: &Battle) -> bool {
    decides!(HZ_SEQ_06);
    battle.units.iter().any(|unit| unit.quality.is_none())
        || battle.officers.iter().any(|officer| officer.ability.is_none())
        || battle.armies.iter().any(|army| army.skirmish.is_none())
        || battle.first.is_none()
}

/// How the quality of an officer is rolled.
#[must_use]
pub fn officer_situation(
    battle: &Battle,
    officer: sabretache_engine::ids::OfficerId,
    before_battle: bool,
) -> OfficerSituation {
    let facts = battle.officer_facts(officer);
    let command = battle.command_facts(facts.command);
    // An officer is of the contingent of the first unit he commands.
    let contingent = command.all_units.first().map(|&n| usize::from(battle.lay.units[usize::from(n)].contingent));
    let contingent = contingent.and_then(|n| battle.lay.contingents.get(n));
    OfficerSituation {
        table: contingent.and_then(|one| one.table),
        modifier: facts.roll_modifier,
        best: contingent.map_or(crate::troops::Ability::Excellent, |one| one.best),
        cinc: before_battle && command.above.is_none(),
    }
}

/// Rolls officers (each army's commander in chief first), units, skirmish ratings and who goes first.
pub(crate) fn begin(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_SEQ_06);
    for side in Side::BOTH {
        let chief = play.battle().chief(side);
        let others: Vec<_> = play
            .battle()
            .officer_ids()
            .filter(|&id| id != chief && play.battle().officer_facts(id).side == side)
            .collect();
        for officer in std::iter::once(chief).chain(others) {
            if play.battle().officer(officer).ability.is_none() {
                let situation = officer_situation(play.battle(), officer, true);
                let total = throw(play, "officer quality", Some(officer.into()), side, Wanted::Low)?;
                let outcome = situation.read(play.battle().numbers(), total);
                play.happen(Event::OfficerRolled { officer, ability: outcome.ability });
            }
        }
    }
    for unit in play.battle().unit_ids() {
        let Some((grade, class)) = play.battle().facts(unit).rolled_as else { continue };
        if play.battle().unit(unit).quality.is_some() {
            continue;
        }
        let options = &play.battle().lay.options;
        let (high_is_good, earlier_militia_a) = (options.high_quality_rolls, options.old_militia_a);
        let situation = MusterSituation { grade, class, high_is_good, earlier_militia_a };
        let side = play.battle().facts(unit).side;
        let total = throw(
            play,
            "unit quality",
            Some(unit.into()),
            side,
            if high_is_good { Wanted::High } else { Wanted::Low },
        )?;
        let quality = situation.read(play.battle().numbers(), total).quality;
        play.happen(Event::QualityRolled { unit, quality });
    }
    for side in Side::BOTH {
        if play.battle().armies[side.index()].skirmish.is_none() {
            let table = play.battle().lay.armies[side.index()].skirmish_table.unwrap_or_default();
            let total = throw(play, "skirmish rating", None, side, Wanted::Low)?;
            play.happen(Event::SkirmishRolled { side, ability: table.read(total) });
        }
    }
    if play.battle().first.is_none() {
        return roll_for_first(play);
    }
    turn::begin(play, 1)
}

/// The higher roll goes first; a Huzzah! chooses; ties are rolled again (HZ-SEQ-01).
fn roll_for_first(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_SEQ_01);
    loop {
        let a = throw(play, "who goes first", None, Side::A, Wanted::High)?;
        let b = throw(play, "who goes first", None, Side::B, Wanted::High)?;
        let outcome = FirstPlayerSituation::default().read(play.battle().numbers(), [a, b]);
        let side = |player: Player| if player == Player::First { Side::A } else { Side::B };
        if let Some(player) = outcome.chooses {
            play.happen(Event::Now { stage: Stage::ChooseFirst(side(player)) });
            return Ok(());
        }
        if let Some(player) = outcome.first {
            return goes_first(play, side(player));
        }
    }
}

/// A side goes first.
pub(crate) fn goes_first(play: &mut Play<'_>, side: Side) -> Result<(), Halt> {
    play.happen(Event::GoesFirst { side });
    turn::begin(play, 1)
}
