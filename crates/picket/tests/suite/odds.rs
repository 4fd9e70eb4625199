//! The odds of a volley added up at once are those of the rules run for every chain of rolls.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;

use sabretache_engine::dice::NoDice;
use sabretache_engine::odds::{Chance, MOST_BRANCHES, odds_of};
use sabretache_engine::situation::Situation as _;
use sabretache_picket::Volley;

#[test]
fn volleys_at_pickets_of_every_steadiness() {
    for steadiness in 2..=12 {
        for friend_at_hand in [false, true] {
            let volley = Volley { steadiness, friend_at_hand };
            let added_up: BTreeMap<String, Chance> = volley.tally().unwrap().named().collect();
            let resolve = volley.resolver();
            let odds = odds_of::<_, NoDice>(MOST_BRANCHES, |dice| Ok(Volley::outcome_name(&resolve(dice)?))).unwrap();
            let walked: BTreeMap<_, _> = odds.iter().map(|(name, chance)| (name.clone(), chance)).collect();
            assert_eq!(added_up, walked, "{volley:?}");
            assert_eq!(added_up["no hits"], Chance::new(8, 27));
        }
    }
}
