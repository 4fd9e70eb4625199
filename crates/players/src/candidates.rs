//! What is worth trying: each offer with the few inputs that its ruleset proposes.

use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Choice;
use sabretache_engine::ruleset::{Judgement, Ruleset};

/// The choices worth weighing now, in the order of the offers, and no more than so many.
///
/// Where there are too many, every offer keeps its first inputs, which are the ones its ruleset thinks most of; where
/// there are still too many, some are left out at random.
pub fn candidates<R: Ruleset>(
    battle: &R::Battle,
    by: Judgement,
    most: usize,
    random: &mut Seeded,
) -> Vec<Choice<R::Offer>> {
    candidates_among::<R>(battle, by, most, |_| true, random)
}

/// The same among some of the offers only.
pub fn candidates_among<R: Ruleset>(
    battle: &R::Battle,
    by: Judgement,
    most: usize,
    among: impl FnMut(&R::Offer) -> bool,
    random: &mut Seeded,
) -> Vec<Choice<R::Offer>> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    offers.retain(among);
    // What is left out anyway is not worth asking about.
    while offers.len() > most {
        offers.remove(random.below(offers.len() as u32) as usize);
    }
    let mut values = Vec::new();
    let mut sorted: Vec<(usize, Choice<R::Offer>)> = Vec::new();
    for offer in &offers {
        values.clear();
        R::proposals_by(battle, offer, by, &mut values);
        for (rank, value) in values.drain(..).enumerate() {
            sorted.push((rank, Choice { offer: offer.clone(), value }));
        }
    }
    // What nobody proposes is tried only where nothing is proposed at all.
    if sorted.is_empty() {
        let any = offers.iter().filter_map(|offer| Some((offer, R::input(battle, offer).any(random)?)));
        sorted.extend(any.map(|(offer, value)| (0, Choice { offer: offer.clone(), value })));
    }
    if sorted.len() > most {
        let allowed = (0..).take_while(|rank| sorted.iter().filter(|(other, _)| other <= rank).count() <= most).last();
        sorted.retain(|(rank, _)| *rank <= allowed.unwrap_or(0));
    }
    let mut left: Vec<Choice<R::Offer>> = sorted.into_iter().map(|(_, choice)| choice).collect();
    while left.len() > most {
        left.remove(random.below(left.len() as u32) as usize);
    }
    left
}
