//! Who takes its test next, where several of a side must.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::Over;
use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::turn::offers::Turn;
use crate::phases::{not_now, turn};
use crate::words::about;

/// Tests of morale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tests {
    /// A unit takes its test.
    Test(UnitId),
}

/// Whose turn it is to test; where nobody must, the turn goes on.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    match battle.testing() {
        Some(side) => out.extend(battle.due(side).into_iter().map(|unit| Offer::from(Tests::Test(unit)))),
        None => out.push(Turn::CarryOn.into()),
    }
}

impl Tests {
    /// Why it is not taken now.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        let Self::Test(unit) = self;
        let due = battle.testing().is_some_and(|side| battle.due(side).contains(&unit));
        if due { Ok(()) } else { Err(not_now()) }
    }
}

impl Part<Batteries> for Tests {
    fn actor(self) -> Option<Named> {
        let Self::Test(unit) = self;
        Some(unit.into())
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, _: &Value) -> Result<(), Halt> {
        let Self::Test(unit) = self;
        let over = Over::in_step(play.battle().step);
        super::test(play, unit, over)?;
        turn::proceed(play)
    }

    fn key(self, battle: &Battle) -> String {
        let Self::Test(unit) = self;
        format!("test {}", battle.id_of(unit))
    }

    fn label(self, battle: &Battle) -> Label {
        let Self::Test(unit) = self;
        about(battle, unit, &format!("{} takes its morale test", battle.name_of(unit)), BB_MOR_02)
    }

    fn handling(self, _: &Battle) -> Handling {
        let Self::Test(unit) = self;
        Handling::act("test", unit)
    }
}
