//! What the enemy can do about a choice that hurts.

use sabretache_engine::dice::Seeded;
use sabretache_engine::forecast::Headline;
use sabretache_engine::ids::{Named, Side};
use sabretache_engine::odds::odds_of;
use sabretache_engine::offer::{Choice, Halt};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Judgement, Ruleset};

use super::{percent, spoken};
use crate::expect::Eye;
use crate::hands::{FIRST, quick};
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
    for _ in 0..UNTIL_ENEMY {
        let decides = R::deciding(&after)?;
        let next = if decides == side {
            // What else we do until he decides is not what is asked about: fast hands do it.
            quick::<R>(&after, &[], (Eye::of(side, Judgement::Present), FIRST), random)?
        } else {
            match hurting::<R>(&after, side, random) {
                Ok(answer) => return Some(answer),
                Err(next) => next?,
            }
        };
        R::resolve(&mut Resolution::new(&mut after, random), &next).ok()?;
    }
    None
}

/// The best of the enemy's answers that does something to our units; where there is none, what he does instead.
fn hurting<R: Ruleset>(
    battle: &R::Battle,
    side: Side,
    random: &mut Seeded,
) -> Result<String, Option<Choice<R::Offer>>> {
    let answers = judge::<R>(battle, &[], Care::GLANCE, random);
    let view = R::view(battle);
    let ours = |unit: Named| view.units.iter().any(|one| Named::from(one.id) == unit && one.side == side);
    let hurts = answers.iter().take(LOOKED_AT).find_map(|one| {
        let bad = bad_for_us::<R>(battle, &one.choice, side, &ours)?;
        let label = spoken::<R>(battle, &one.choice);
        let (headline, chance) = bad;
        Some(format!("The enemy may answer with \u{201c}{label}\u{201d}: {} ({}).", headline.text, percent(chance)))
    });
    hurts.ok_or_else(|| answers.into_iter().next().map(|one| one.choice))
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
