//! Playing on from a leaf of the search, with a quick hand, until both sides have had their say.

use sabretache_engine::dice::{Dice, NoDice, Roll, Seeded, Throw};
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;

use super::Measure;
use crate::expect::standing;

/// How many choices are made at the most.
const LONGEST: u32 = 40;
/// How often the decision passes from one side to the other before it is time to look where the battle stands.
const CHANGES: u32 = 3;
/// How many candidates the quick hand looks at.
const HANDFUL: usize = 4;

/// Where the battle stands after playing on for a while.
pub(super) fn play_on<R: Ruleset>(mut battle: R::Battle, measure: Measure, random: &mut Seeded) -> f64 {
    let mut changes = 0;
    let mut last = None;
    for _ in 0..LONGEST {
        let Some(side) = R::deciding(&battle) else { break };
        // A reaction is part of the other side's doing, not a change.
        if R::interrupt(&battle).is_none() && last.replace(side).is_some_and(|last| last != side) {
            changes += 1;
            if changes == CHANGES {
                break;
            }
        }
        match quick_choice::<R>(&battle, side, random) {
            Some(after) => battle = after,
            None => break,
        }
    }
    measure.of_battle::<R>(&battle)
}

/// A choice that the quick hand tried.
struct Tried<R: Ruleset> {
    stands: f64,
    thrown: bool,
    choice: Choice<R::Offer>,
    after: R::Battle,
}

/// The battle after the best of a handful of choices, each tried with one throw of the dice.
///
/// The dice that were looked at are not those that fall: otherwise every choice would seem lucky.
fn quick_choice<R: Ruleset>(battle: &R::Battle, side: Side, random: &mut Seeded) -> Option<R::Battle> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    let mut values = Vec::new();
    let mut best: Option<Tried<R>> = None;
    for _ in 0..HANDFUL.min(offers.len()) {
        let offer = offers.swap_remove(random.below(offers.len() as u32) as usize);
        values.clear();
        R::proposals(battle, &offer, &mut values);
        if values.is_empty() {
            values.extend(R::input(battle, &offer).any(random));
        }
        if values.is_empty() {
            continue;
        }
        let value = values.swap_remove(random.below(values.len() as u32) as usize);
        let choice = Choice { offer, value };
        let mut after = battle.clone();
        let mut dice = Counted { dice: random, thrown: false };
        if R::resolve(&mut Resolution::new(&mut after, &mut dice), &choice).is_err() {
            continue;
        }
        let thrown = dice.thrown;
        let stands = standing::<R>(&after, side);
        if best.as_ref().is_none_or(|other| stands > other.stands) {
            best = Some(Tried { stands, thrown, choice, after });
        }
    }
    let Tried { thrown, choice, after, .. } = best?;
    if !thrown {
        return Some(after);
    }
    let mut battle = battle.clone();
    R::resolve(&mut Resolution::new(&mut battle, random), &choice).ok()?;
    Some(battle)
}

/// Dice that know whether they were thrown.
struct Counted<'a> {
    dice: &'a mut Seeded,
    thrown: bool,
}

impl Dice for Counted<'_> {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        self.thrown = true;
        self.dice.throw(throw)
    }
}
