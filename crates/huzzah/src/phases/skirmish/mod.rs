//! Skirmisher superiority (HZ-SKI-01 to HZ-SKI-11).

pub mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::{Named, Side};
use sabretache_engine::offer::Halt;

use super::{Play, roll, turn};
use crate::battle::Battle;
use crate::clauses::HZ_SKI_03;
use crate::event::Event;
use crate::situations::{Player, SkirmishArmy, SkirmishSituation};
use crate::troops::Ability;

/// The facts of both armies, the first player's first.
#[must_use]
pub fn situation(battle: &Battle) -> SkirmishSituation {
    let first = battle.first.unwrap_or(Side::A);
    SkirmishSituation { first: army(battle, first), second: army(battle, first.other()) }
}

fn army(battle: &Battle, side: Side) -> SkirmishArmy {
    let army = &battle.armies[side.index()];
    SkirmishArmy {
        rating: army.skirmish.unwrap_or(Ability::Average),
        lowered: army.worn,
        failed_last: army.failed,
        won_last: battle.superiority == Some(side),
        committed: army.committed.min(255) as u8,
    }
}

/// The army whose skirmishers roll.
fn army_of(battle: &Battle, side: Side) -> Option<Named> {
    Some(battle.officer_facts(battle.chief(side)).command.into())
}

/// Both sides roll; then the first player's threat tests begin.
pub(crate) fn fight(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_SKI_03);
    let situation = situation(play.battle());
    let first = play.battle().first.unwrap_or(Side::A);
    let tests = situation.both(play.battle().numbers());
    let mut totals = [0; 2];
    for (n, side) in [first, first.other()].into_iter().enumerate() {
        totals[n] = roll(play, "skirmisher superiority", army_of(play.battle(), side), side, &tests[n])?;
    }
    let outcome = situation.read(play.battle().numbers(), totals);
    let side = |player: Player| if player == Player::First { first } else { first.other() };
    let mut failed = [false; 2];
    failed[first.index()] = outcome.first.failed;
    failed[first.other().index()] = outcome.second.failed;
    play.happen(Event::Skirmished { winner: outcome.winner.map(side), failed });
    for (result, side) in [(&outcome.first, first), (&outcome.second, first.other())] {
        if result.lowered > 0 {
            play.happen(Event::SkirmishersWorn { side, by: result.lowered });
        }
    }
    turn::begin_threats(play, first)
}
