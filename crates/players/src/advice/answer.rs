//! What the enemy can do about a choice that hurts.

use sabretache_engine::dice::Seeded;
use sabretache_engine::forecast::Headline;
use sabretache_engine::ids::{Named, Side};
use sabretache_engine::odds::odds_of;
use sabretache_engine::offer::{Choice, Halt};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;

use super::{percent, spoken};
use crate::judge::{Care, judge};

/// How many choices are followed until the enemy decides freely.
const UNTIL_ENEMY: u64 = 40;
/// How many of the enemy's answers are looked at.
const LOOKED_AT: usize = 6;
/// Odds of an answer are followed to so many ends.
const MOST: usize = 2_000;

/// The enemy's best answer that hurts, as a sentence; that there is none at once, or nothing where he is not heard of soon.
pub(super) fn worst_answer<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    side: Side,
    random: &mut Seeded,
) -> Option<String> {
    let mut after = battle.clone();
    R::resolve(&mut Resolution::new(&mut after, random), choice).ok()?;
    for n in 0..UNTIL_ENEMY {
        match R::deciding(&after)? {
            decides if decides == side => {}
            _ => {
                if let Some(answer) = hurting::<R>(&after, side, random) {
                    return Some(answer);
                }
            }
        }
        let care = if n < 8 { Care::GLANCE } else { Care { first: 1, ..Care::GLANCE } };
        let next = judge::<R>(&after, &[], care, random).into_iter().next()?;
        R::resolve(&mut Resolution::new(&mut after, random), &next.choice).ok()?;
    }
    None
}

/// The best of the enemy's answers that does something to our units.
fn hurting<R: Ruleset>(battle: &R::Battle, side: Side, random: &mut Seeded) -> Option<String> {
    let answers = judge::<R>(battle, &[], Care::GLANCE, random);
    let view = R::view(battle);
    let ours = |unit: Named| view.units.iter().any(|one| Named::from(one.id) == unit && one.side == side);
    answers.iter().take(LOOKED_AT).find_map(|one| {
        let bad = bad_for_us::<R>(battle, &one.choice, side, &ours)?;
        let label = spoken::<R>(battle, &one.choice);
        let (headline, chance) = bad;
        Some(format!("The enemy may answer with \u{201c}{label}\u{201d}: {} ({}).", headline.text, percent(chance)))
    })
}

/// The likeliest headline of an answer that is good for the enemy, where it harms one of our units.
fn bad_for_us<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    side: Side,
    ours: &dyn Fn(Named) -> bool,
) -> Option<(Headline, f64)> {
    let odds = odds_of(MOST, |dice| -> Result<(Headline, bool), Halt> {
        let (mut trial, mut events) = (battle.clone(), Vec::new());
        R::resolve(&mut Resolution::new(&mut trial, dice).events_only(&mut events), choice)?;
        let harmed = R::fates(battle, &trial, &events).iter().any(|fate| ours(fate.unit.into()));
        Ok((R::headline(battle, &events), harmed))
    })
    .ok()?;
    let bad = odds.iter().filter(|((headline, harmed), _)| *harmed && headline.good_for == Some(side.other()));
    let likeliest = bad.max_by(|a, b| a.1.cmp(&b.1));
    likeliest.map(|((headline, _), chance)| (headline.clone(), chance.value()))
}
