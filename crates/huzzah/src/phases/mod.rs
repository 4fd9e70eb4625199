//! The phases of a turn, in the order of play, and what they share.

pub mod act;
pub mod advance;
pub mod bombard;
pub mod deploy;
pub mod detour;
pub mod engage;
pub mod fallback;
pub(crate) mod follows;
pub mod ground;
pub mod harm;
pub mod manoeuvre;
pub(crate) mod menu;
pub mod officers;
pub mod orders;
mod path;
pub mod rally;
pub mod reinforce;
mod room;
pub mod rout;
mod route;
mod runaway;
pub mod setup;
mod shift;
pub mod siege;
pub mod skirmish;
pub mod threat;
pub mod turn;
pub mod victory;
pub mod withdraw;

use sabretache_engine::ids::{Named, Side};
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_engine::test::Test;

use crate::Huzzah;
use crate::numbers::Numbers;
use crate::situations::two_dice;

/// A choice of this book being carried out.
pub type Play<'a> = Resolution<'a, Huzzah>;

/// Throws two dice for a test that wants the target or less, of which every total is read.
pub(crate) fn roll(
    play: &mut Play<'_>,
    what: &'static str,
    of: Option<Named>,
    side: Side,
    test: &Test,
) -> Result<i32, Halt> {
    let purpose = Purpose { what, of, side };
    Ok(play.roll(purpose, test, &two_dice(), Wanted::AtMost(test.target()))?.total())
}

/// The same where the test is read at once, and no more of the dice than what they mean by it.
pub(crate) fn roll_for<T: PartialEq>(
    play: &mut Play<'_>,
    what: &'static str,
    of: Option<Named>,
    side: Side,
    test: &Test,
    read: impl Fn(&Numbers, i32) -> T,
) -> Result<T, Halt> {
    let purpose = Purpose { what, of, side };
    let wanted = Wanted::AtMost(test.target());
    play.roll_for(purpose, test, &two_dice(), wanted, |battle, total| read(battle.numbers(), total))
}

/// Throws two dice that no test modifies.
pub(crate) fn throw(
    play: &mut Play<'_>,
    what: &'static str,
    of: Option<Named>,
    side: Side,
    wanted: Wanted,
) -> Result<i32, Halt> {
    Ok(play.throw(Purpose { what, of, side }, &two_dice(), wanted)?.total())
}
