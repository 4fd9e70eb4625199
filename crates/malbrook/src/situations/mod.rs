//! The tests of the book, each from plain facts alone.
//!
//! Every rule that asks for dice, and every table that is read without them, is here as a pure function of a situation;
//! the phases fill the situations in from the table.

mod actions;
mod artillery;
mod combat;
mod control;
mod dice;
mod free_hack;
mod initiative;
mod leader_risk;
mod losses;
mod manoeuvre;
mod mixture;
mod morale;
mod move_dice;
mod musketry;
mod redress;
mod results;
mod scatter;
mod speed;
mod victory;

use sabretache_engine::situation::{Of, SituationTest};

pub use actions::{CommandActions, actions_of};
pub(crate) use artillery::dps_in_words;
pub use artillery::{Artillery, Band, Cover, FireResult};
pub use combat::{Attack, Combat, CombatOutcome, Fighter, Force, Pooled, SideOutcome};
pub use control::{Control, ControlResult, Running, Wish};
pub use dice::{MoveDice, average_of_d6};
pub use free_hack::FreeHack;
pub use initiative::Initiative;
pub use leader_risk::{Fate, LeaderRisk};
pub use losses::{Cause, Losses, Standing, Suffered, suffer};
pub use manoeuvre::{Fraction, Manoeuvre, ManoeuvreCost, ManoeuvreKind, Passage, PassageCost};
pub use mixture::Mixture;
pub use morale::{MoraleEvents, Neighbour, dps_for};
pub use move_dice::{MoveRoll, MoveSituation, Pace};
pub use musketry::FlankingMusketry;
pub use redress::Redress;
pub use results::{Action, Row, actions_after};
pub use scatter::{Landing, Scatter};
pub use speed::{Speed, may_roll};
pub use victory::{ArmyBreak, Score, Tally};

/// Every test that can be taken without a table.
pub(crate) static SITUATIONS: &[&dyn SituationTest] = &[
    &Of::<Artillery>::TEST,
    &Of::<Scatter>::TEST,
    &Of::<Control>::TEST,
    &Of::<Combat>::TEST,
    &Of::<FreeHack>::TEST,
    &Of::<FlankingMusketry>::TEST,
    &Of::<LeaderRisk>::TEST,
    &Of::<Initiative>::TEST,
    &Of::<MoveSituation>::TEST,
    &Of::<Speed>::TEST,
    &Of::<Manoeuvre>::TEST,
    &Of::<Passage>::TEST,
    &Of::<Losses>::TEST,
    &Of::<Redress>::TEST,
    &Of::<MoraleEvents>::TEST,
    &Of::<CommandActions>::TEST,
    &Of::<Mixture>::TEST,
    &Of::<ArmyBreak>::TEST,
    &Of::<Score>::TEST,
];
