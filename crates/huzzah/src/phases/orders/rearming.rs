//! The commander in chief brings up ammunition (HZ-REA-01 to HZ-REA-09).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};

use super::super::{Play, roll_for, turn};
use super::issuing::fail;
use super::{Barred, may_command_in_chief};
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::situations::{RearmContingent, RearmSituation};
use crate::troops::Arm;

/// Whether ammunition can be brought up (HZ-REA-01).
pub fn may_rearm(battle: &Battle) -> Result<(), Barred> {
    decides!(HZ_REA_01);
    decides!(HZ_REA_02);
    may_command_in_chief(battle)
        .map_err(|(clause, says)| (if clause == HZ_ORD_36 { HZ_REA_02 } else { clause }, says))?;
    let depleted = battle
        .present(battle.phasing)
        .any(|id| battle.facts(id).arm == Arm::Artillery && battle.unit(id).bombardments == 0);
    if depleted { Ok(()) } else { Err((HZ_REA_01, "No battery is without bombardments")) }
}

/// The commander in chief brings up ammunition (HZ-REA-03 to HZ-REA-09).
pub(crate) fn rearm(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_REA_03, HZ_REA_06, HZ_REA_07, HZ_REA_08, HZ_REA_09);
    if let Err((clause, says)) = may_rearm(play.battle()) {
        play.refuse(Refusal::new(clause, says))?;
    }
    let side = play.battle().phasing;
    let chief = play.battle().chief(side);
    let (numbers, facts) = rearming(play.battle());
    play.happen(Event::Rearming { side });
    let best = facts.each(play.battle().numbers()).max_by_key(sabretache_engine::test::Test::target);
    let Some(best) = best else { return fail(play, chief, HZ_REA_09) };
    let outcome =
        roll_for(play, "rearm", Some(chief.into()), side, &best, |numbers, total| facts.read(numbers, total))?;
    if !outcome.succeeded {
        return fail(play, chief, HZ_REA_09);
    }
    for (&contingent, result) in numbers.iter().zip(&outcome.contingents) {
        if result.rearmed {
            play.happen(Event::Rearmed { contingent, factor: result.factor });
        }
    }
    turn::before_order(play)
}

/// The contingents that have batteries on the table, and the facts of rearming them.
#[must_use]
pub fn rearming(battle: &Battle) -> (Vec<u16>, RearmSituation) {
    let mut numbers = Vec::new();
    let mut contingents = Vec::new();
    for (n, facts) in battle.lay.contingents.iter().enumerate().filter(|(_, facts)| facts.side == battle.phasing) {
        let of =
            |id: &UnitId| usize::from(battle.facts(*id).contingent) == n && battle.facts(*id).arm == Arm::Artillery;
        let batteries = battle.present(battle.phasing).filter(of).count();
        let depleted =
            battle.present(battle.phasing).filter(of).filter(|&id| battle.unit(id).bombardments == 0).count();
        if batteries > 0 {
            numbers.push(n as u16);
            let (batteries, depleted) = (batteries.min(255) as u8, depleted.min(255) as u8);
            contingents.push(RearmContingent {
                factor: battle.factors[n],
                most: Some(facts.most),
                batteries,
                depleted,
            });
        }
    }
    let chief = battle.officer(battle.chief(battle.phasing));
    (numbers, RearmSituation { contingents, attached: chief.with.is_some(), superseding: chief.supersedes.is_some() })
}
