//! Battles fought by players who pick at random: for benchmarks, tests and computer opponents' look-ahead.

use crate::dice::Seeded;
use crate::ids::Named;
use crate::offer::{Choice, Halt};
use crate::resolution::Resolution;
use crate::ruleset::Ruleset;

/// How a playout went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// How many choices were made.
    pub decisions: u64,
    /// Whether the battle came to its end.
    pub over: bool,
}

/// Any allowed choice, each offer equally likely. `offers` is room to work in, kept between calls.
///
/// Nothing when the battle is over, or when no offer has an input with any room in it.
pub fn random_choice<R: Ruleset>(
    battle: &R::Battle,
    offers: &mut Vec<R::Offer>,
    random: &mut Seeded,
) -> Option<Choice<R::Offer>> {
    offers.clear();
    R::deciding(battle)?;
    R::offers(battle, offers);
    while !offers.is_empty() {
        let offer = offers.swap_remove(random.below(offers.len() as u32) as usize);
        if let Some(value) = R::input(battle, &offer).any(random) {
            return Some(Choice { offer, value });
        }
    }
    None
}

/// Room to work in for [`random_choice_in_steps`], kept between calls.
#[derive(Debug)]
pub struct Steps<R: Ruleset> {
    who: Vec<Option<Named>>,
    offers: Vec<R::Offer>,
}

impl<R: Ruleset> Default for Steps<R> {
    fn default() -> Self {
        Self { who: Vec::new(), offers: Vec::new() }
    }
}

/// Any allowed choice, in two steps: first who acts, each of those who may equally likely (a whole side counts as one of them), then
/// which of his offers. Only what he may do is worked out, so this is quicker than [`random_choice`], and it is another player: one
/// who has much to choose from acts no more often than one who has little.
///
/// Nothing when the battle is over, or when no offer has an input with any room in it.
pub fn random_choice_in_steps<R: Ruleset>(
    battle: &R::Battle,
    steps: &mut Steps<R>,
    random: &mut Seeded,
) -> Option<Choice<R::Offer>> {
    R::deciding(battle)?;
    steps.who.clear();
    R::might_act(battle, &mut steps.who);
    while !steps.who.is_empty() {
        let actor = steps.who.swap_remove(random.below(steps.who.len() as u32) as usize);
        steps.offers.clear();
        R::offers_of(battle, actor, &mut steps.offers);
        while !steps.offers.is_empty() {
            let offer = steps.offers.swap_remove(random.below(steps.offers.len() as u32) as usize);
            if let Some(value) = R::input(battle, &offer).any(random) {
                return Some(Choice { offer, value });
            }
        }
    }
    None
}

/// Fights on in place until the battle is over or so many choices were made. Nothing is kept on the way.
pub fn play_out<R: Ruleset>(battle: &mut R::Battle, seed: u64, most: u64) -> Result<Played, Halt> {
    let mut offers = Vec::new();
    play::<R>(battle, seed, most, |battle, random| random_choice::<R>(battle, &mut offers, random))
}

/// The same by players who choose in two steps.
pub fn play_out_in_steps<R: Ruleset>(battle: &mut R::Battle, seed: u64, most: u64) -> Result<Played, Halt> {
    let mut steps = Steps::default();
    play::<R>(battle, seed, most, |battle, random| random_choice_in_steps::<R>(battle, &mut steps, random))
}

fn play<R: Ruleset>(
    battle: &mut R::Battle,
    seed: u64,
    most: u64,
    mut choose: impl FnMut(&R::Battle, &mut Seeded) -> Option<Choice<R::Offer>>,
) -> Result<Played, Halt> {
    let mut random = Seeded::for_choice(seed, u64::MAX);
    let mut dice = Seeded::new(seed);
    let mut decisions = 0;
    while decisions < most {
        let Some(choice) = choose(battle, &mut random) else {
            return Ok(Played { decisions, over: R::deciding(battle).is_none() });
        };
        R::resolve(&mut Resolution::new(battle, &mut dice), &choice)?;
        decisions += 1;
    }
    Ok(Played { decisions, over: R::deciding(battle).is_none() })
}
