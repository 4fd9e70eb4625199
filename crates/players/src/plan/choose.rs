//! Which plan a player makes as a side's turn begins.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;

use super::field::Field;
use super::portfolio::{all_out, mutations, portfolio};
use super::race::race;
use super::{Plan, kept};
use crate::skill::{Budget, Skill};

/// Of a turn's budget a plan is chosen in one part of so many, and half as much goes into mending it.
const PLANNING: u32 = 2;
/// How many changes of the best plan are tried.
const MENDS: usize = 8;

/// The plan of a player for a side, from the battle as it stands when the turn begins.
pub fn plan_of<R: Ruleset>(skill: Skill, battle: &R::Battle, side: Side) -> Plan {
    match skill {
        Skill::Recruit
        | Skill::Ensign
        | Skill::DrillMaster
        | Skill::FirstDrillMaster
        | Skill::FirstMarshal(_)
        | Skill::Program(_) => Plan::free(side),
        Skill::Marshal(budget) => kept::plan::<R>(skill, battle, side, || raced::<R>(battle, side, budget)),
    }
}

/// The plan that does best when all that are thought of are played out, and then the best change of it.
fn raced<R: Ruleset>(battle: &R::Battle, side: Side, budget: Budget) -> Plan {
    let (Some(field), Some(enemy)) = (Field::of::<R>(battle, side), Field::of::<R>(battle, side.other())) else {
        return Plan::free(side);
    };
    let seed = u64::from(field.turn) << 1 | side.index() as u64;
    let answers = [Plan::free(side.other()), all_out(&enemy), portfolio(&enemy).swap_remove(1)];
    let mut plans = portfolio(&field);
    let part = budget.part(PLANNING);
    let Some((best, rounds, by)) = race::<R>(battle, side, (&plans, &answers), part, seed) else {
        return Plan::free(side);
    };
    let mut best = plans.swap_remove(best);
    best.tried = Some((rounds, by));
    let mut mended = vec![best];
    mended.extend(mutations(&field, &mended[0]).into_iter().take(MENDS));
    if let Some((change, rounds, more)) = race::<R>(battle, side, (&mended, &answers), budget.part(2 * PLANNING), !seed)
        && change > 0
    {
        mended[change].tried = Some((rounds, by + more));
        return mended.swap_remove(change);
    }
    mended.swap_remove(0)
}
