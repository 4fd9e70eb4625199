//! What is worth trying: each offer with the few inputs that its ruleset proposes.

use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Choice;
use sabretache_engine::ruleset::Ruleset;

/// No more choices than this are weighed at one decision.
pub const MOST: usize = 160;

/// The choices worth weighing now, in the order of the offers.
///
/// Where there are too many, every offer keeps its first inputs, which are the ones its ruleset thinks most of; where
/// there are still too many, some are left out at random.
pub fn candidates<R: Ruleset>(battle: &R::Battle, random: &mut Seeded) -> Vec<Choice<R::Offer>> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    let mut values = Vec::new();
    let mut sorted: Vec<(usize, Choice<R::Offer>)> = Vec::new();
    for offer in offers {
        values.clear();
        R::proposals(battle, &offer, &mut values);
        if values.is_empty() {
            values.extend(R::input(battle, &offer).any(random));
        }
        for (rank, value) in values.drain(..).enumerate() {
            sorted.push((rank, Choice { offer: offer.clone(), value }));
        }
    }
    if sorted.len() > MOST {
        let allowed = (0..).take_while(|rank| sorted.iter().filter(|(other, _)| other <= rank).count() <= MOST).last();
        sorted.retain(|(rank, _)| *rank <= allowed.unwrap_or(0));
    }
    let mut left: Vec<Choice<R::Offer>> = sorted.into_iter().map(|(_, choice)| choice).collect();
    while left.len() > MOST {
        left.remove(random.below(left.len() as u32) as usize);
    }
    left
}
