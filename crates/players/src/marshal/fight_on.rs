//! What a choice comes to once: it is carried out, and fast hands fight on for both sides until both have had their say (for the first Marshal
//! hasty Drill-masters).

use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;

use crate::expect::Eye;
use crate::fate::Fate;
use crate::hands::{FIRST, quick};
use crate::judge::{Care, best};
use crate::learnt::{Learnt, Told, told};

/// How many choices are made at the most.
const LONGEST: u32 = 720;
const LONGEST_OF_THE_FIRST: u32 = 120;
/// How often the decision passes from one side to the other before it is time to look where the battle stands.
const CHANGES: u32 = 3;

/// Where the battle stands for a side some time after a choice; nothing where the rules refuse it. The `n`th try of every choice has the same
/// dice.
pub(super) fn fight_on<R: Ruleset>(
    battle: &R::Battle,
    (eye, learnt): (Eye<'_>, Option<&Learnt>),
    choice: &Choice<R::Offer>,
    seed: u64,
    n: u64,
) -> Option<Told> {
    let mut dice = Fate::new(Seeded::for_choice(seed, n).bits());
    let mut battle = battle.clone();
    R::resolve(&mut Resolution::new(&mut battle, &mut dice), choice).ok()?;
    // The enemy does as he sees fit.
    let hasty = |decides| Care { plan: eye.plan.filter(|_| decides == eye.side), ..Care::HASTY.by(eye.by) };
    let (mut changes, mut since) = (0, 0);
    let mut last = eye.side;
    for _ in 0..if eye.by.is_present() { LONGEST } else { LONGEST_OF_THE_FIRST } {
        let Some(decides) = R::deciding(&battle) else { break };
        // A reaction is part of the other side's doing, not a change.
        if R::lets_pass(&battle).is_none() && decides != last {
            last = decides;
            (changes, since) = (changes + 1, 0);
            if changes == CHANGES {
                break;
            }
        }
        // The players' own chance is in step again whenever the decision passes to the other side.
        let mut own = Seeded::for_choice(seed.rotate_left(32) ^ n, u64::from(changes * LONGEST_OF_THE_FIRST + since));
        since += 1;
        let next = if eye.by.is_present() {
            quick::<R>(&battle, &[], (hasty(decides).eye(decides), FIRST), &mut own)
        } else {
            best::<R>(&battle, &[], hasty(decides), &mut own)
        };
        let Some(next) = next else { break };
        if R::resolve(&mut Resolution::new(&mut battle, &mut dice), &next).is_err() {
            break;
        }
    }
    Some(told::<R>(&battle, eye, learnt))
}
