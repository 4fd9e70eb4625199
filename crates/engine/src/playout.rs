//! Battles fought by players who pick at random: for benchmarks, tests and computer opponents' look-ahead.

use crate::dice::Seeded;
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

/// Fights on in place until the battle is over or so many choices were made. Nothing is kept on the way.
pub fn play_out<R: Ruleset>(battle: &mut R::Battle, seed: u64, most: u64) -> Result<Played, Halt> {
    let mut random = Seeded::for_choice(seed, u64::MAX);
    let mut dice = Seeded::new(seed);
    let mut offers = Vec::new();
    let mut decisions = 0;
    while decisions < most {
        let Some(choice) = random_choice::<R>(battle, &mut offers, &mut random) else {
            return Ok(Played { decisions, over: R::deciding(battle).is_none() });
        };
        R::resolve(&mut Resolution::new(battle, &mut dice), &choice)?;
        decisions += 1;
    }
    Ok(Played { decisions, over: R::deciding(battle).is_none() })
}
