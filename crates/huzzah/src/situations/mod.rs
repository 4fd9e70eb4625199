//! The rolls of the book, each from the plain facts it depends on.
//!
//! Every situation can be filled in by hand, for odds, drills and the umpire's table, or from a battle. Each has
//! `test(numbers)`, the modifiers and the target; `read(numbers, total)`, what follows from dice already thrown; and
//! [`Situation::resolve`](sabretache_engine::situation::Situation::resolve), which throws them with the numbers of the
//! book.

mod appoint;
mod command_check;
mod doctrine;
mod engagement;
mod facts;
mod fates;
mod first_player;
mod muster;
mod officer;
mod order;
mod rally;
mod rearm;
mod reorganise;
mod settle;
mod skirmish;
mod threat;

use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::situation::{Of, SituationTest};

use crate::clauses::HZ_GEN_03;

pub use appoint::{AppointOutcome, AppointSituation};
pub use command_check::{CheckDue, CommandCheckOutcome, CommandCheckSituation, LastCheck, TakenBy};
pub use doctrine::{Doctrine, Formations};
pub use engagement::{EngagementSituation, Fighter, Role};
pub use facts::{Attached, Condition, Ground, Position};
pub use fates::{EngagementOutcome, Fate, FighterResult, FighterResults, OddStaggers};
pub use first_player::{FirstPlayerOutcome, FirstPlayerSituation, Player};
pub use muster::{MusterOutcome, MusterSituation};
pub use officer::{OfficerOutcome, OfficerSituation};
pub use order::{OrderOutcome, OrderSituation};
pub use rally::{RallySituation, Recovery, RecoveryOutcome, ReformSituation};
pub use rearm::{RearmContingent, RearmOutcome, RearmSituation, RearmedContingent};
pub use reorganise::{Departed, Left, ReorganiseOutcome, ReorganiseSituation, ReturnedUnit};
pub use skirmish::{
    SkirmishArmy, SkirmishOutcome, SkirmishRatingOutcome, SkirmishRatingSituation, SkirmishResult, SkirmishSituation,
    contingents_rating,
};
pub use threat::{Bombardment, ThreatOutcome, ThreatSituation};

/// Every test that needs no table, in the order of the book.
pub static ALL: &[&dyn SituationTest] = &[
    &Of::<MusterSituation>::TEST,
    &Of::<OfficerSituation>::TEST,
    &Of::<SkirmishRatingSituation>::TEST,
    &Of::<FirstPlayerSituation>::TEST,
    &Of::<SkirmishSituation>::TEST,
    &Of::<ThreatSituation>::TEST,
    &Of::<OrderSituation>::TEST,
    &Of::<AppointSituation>::TEST,
    &Of::<RearmSituation>::TEST,
    &Of::<EngagementSituation>::TEST,
    &Of::<CommandCheckSituation>::TEST,
    &Of::<ReorganiseSituation>::TEST,
    &Of::<RallySituation>::TEST,
    &Of::<ReformSituation>::TEST,
];

/// The dice of every roll in the book (HZ-GEN-03).
#[must_use]
pub fn two_dice() -> Throw {
    decides!(HZ_GEN_03);
    Throw::sum(2, Die::D6)
}

/// "1 stagger", "3 staggers".
fn staggers_text(staggers: u8) -> String {
    format!("{staggers} stagger{}", if staggers == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
