//! A battle fought at random, as one hash: two builds of a ruleset with the same digests play the same game.

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::dice::Seeded;
use crate::log::Hash;
use crate::offer::Halt;
use crate::playout::random_choice;
use crate::resolution::{Happening, Resolution};
use crate::ruleset::Ruleset;

/// What is compared besides the choices and the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The events, as they are written.
    Events,
    /// The battle after each choice, as it is saved: an event may then change its form, as long as it does the same.
    Battles,
}

/// The digest of one battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The hash of everything compared.
    pub hash: Hash,
    /// How many choices were made.
    pub decisions: u64,
    /// Whether the battle came to its end.
    pub over: bool,
}

/// Fights on at random, for so many choices at the most, and hashes each choice and what came of it.
///
/// `each` is told after every choice what it was and the hash so far, to find the first that differs.
pub fn digest<R: Ruleset>(
    start: &R::Battle,
    seed: u64,
    most: u64,
    compared: Compared,
    each: &mut dyn FnMut(&str, Hash),
) -> Result<Digest, Halt> {
    let mut battle = start.clone();
    let mut random = Seeded::for_choice(seed, u64::MAX);
    let mut dice = Seeded::new(seed);
    let (mut offers, mut happened) = (Vec::new(), Vec::new());
    let mut sum = Sha256::new();
    let mut decisions = 0;
    while decisions < most {
        let Some(choice) = random_choice::<R>(&battle, &mut offers, &mut random) else { break };
        let chosen = json!([R::key(&battle, &choice.offer), choice.value]).to_string();
        sum.update(&chosen);
        happened.clear();
        R::resolve(&mut Resolution::new(&mut battle, &mut dice).chronicled(&mut happened), &choice)?;
        for one in &happened {
            match (one, compared) {
                (Happening::Event(event), Compared::Events) => sum.update(json!(event).to_string()),
                // What follows is worked out from the event: it is in the battle.
                (Happening::Event(_), Compared::Battles) | (Happening::Follows(_), _) => {}
                (Happening::Roll(roll), _) => sum.update(json!(roll).to_string()),
            }
        }
        if compared == Compared::Battles {
            sum.update(R::save(&battle).to_json().to_string());
        }
        decisions += 1;
        each(&chosen, Hash(sum.clone().finalize().into()));
    }
    Ok(Digest { hash: Hash(sum.finalize().into()), decisions, over: R::deciding(&battle).is_none() })
}
