//! The tests of the book that need no table.

mod combat;
mod morale;
mod rolls;
mod rout;
mod shooting;

use sabretache_engine::situation::{Of, SituationTest};

pub use combat::{Blow, Fighter, Hits};
pub use morale::{Morale, Nerve};
pub use rolls::{
    Charisma, CharismaRoll, Cleared, Clearing, CommandPoints, DangerToGeneral, Disordered, Fate, Initiative,
    InitiativeRoll, PloughedField, Points, Pursues, Pursuit, Returning, Returns,
};
pub use rout::{Flight, RoutRoll};
pub use shooting::{Counterbattery, GunLosses, Scored, Shooter, Shooting, gun_dice};

/// Every test that can be taken from its facts alone.
pub(crate) static SITUATIONS: &[&dyn SituationTest] = &[
    &Of::<Shooting>::TEST,
    &Of::<Counterbattery>::TEST,
    &Of::<Blow>::TEST,
    &Of::<Morale>::TEST,
    &Of::<RoutRoll>::TEST,
    &Of::<Pursuit>::TEST,
    &Of::<Initiative>::TEST,
    &Of::<Charisma>::TEST,
    &Of::<CommandPoints>::TEST,
    &Of::<PloughedField>::TEST,
    &Of::<Clearing>::TEST,
    &Of::<Returning>::TEST,
    &Of::<DangerToGeneral>::TEST,
];

/// One and several: "1 hit", "2 hits".
pub(crate) fn counted(number: impl Into<i64>, word: &str) -> String {
    let number = number.into();
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}
