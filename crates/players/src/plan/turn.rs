//! The turn for which plans are made: from when it began until the other side's, or the next, begins.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;

use super::Plan;
use super::choose::plan_of;
use crate::skill::Skill;

/// Which turn it is, and whose.
#[must_use]
pub fn turn_of<R: Ruleset>(battle: &R::Battle) -> (Option<u32>, Option<Side>) {
    let clock = R::clock(battle);
    (clock.turn, clock.phasing)
}

/// A turn of a battle that is being fought, with the plans that were made for it.
pub struct Turn<R: Ruleset> {
    of: (Option<u32>, Option<Side>),
    began: R::Battle,
    plans: [Option<Plan>; 2],
}

impl<R: Ruleset> Turn<R> {
    /// A battle begins.
    pub fn new(battle: &R::Battle) -> Self {
        Self { of: turn_of::<R>(battle), began: battle.clone(), plans: [None, None] }
    }

    /// The battle has gone on: where another turn has begun, what was planned is over.
    pub fn goes_on(&mut self, battle: &R::Battle) {
        if turn_of::<R>(battle) != self.of {
            *self = Self::new(battle);
        }
    }

    /// The plan of a player for a side in this turn.
    pub fn plan(&mut self, skill: Skill, side: Side) -> &Plan {
        let began = &self.began;
        self.plans[side.index()].get_or_insert_with(|| plan_of::<R>(skill, began, side))
    }
}
