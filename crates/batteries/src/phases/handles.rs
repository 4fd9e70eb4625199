//! How a hand takes hold of what is pulled along a line or turned, and of what is asked of a unit.

use sabretache_engine::handle::{Handle, Handling, Pivots};
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_table::{Angle, Direction, Length, Point};

use crate::battle::Battle;
use crate::offer::Offer;
use crate::phases::input;

/// A unit is pulled straight along a line, as far as it may go.
pub(crate) fn along(
    battle: &Battle,
    offer: Offer,
    act: &'static str,
    unit: UnitId,
    way: Direction,
    back: bool,
) -> Handling {
    let from = battle.unit(unit).pose;
    let track = vec![from.at, from.moved(way.heading(from), furthest(battle, offer)).at];
    Handling::act(act, unit).by(Handle::Along { unit, track, back })
}

/// The furthest that the distance of an offer may be.
pub(crate) fn furthest(battle: &Battle, offer: Offer) -> Length {
    match input(battle, &offer) {
        Ok(Input::Distance { most, .. }) => most,
        _ => Length::ZERO,
    }
}

/// A unit is turned about its centre.
pub(crate) fn about_centre(battle: &Battle, offer: Offer, act: &'static str, unit: UnitId) -> Handling {
    turned(battle, offer, act, unit, [Point::rounded(battle.centre(unit)); 2])
}

/// A unit is turned about two points, one for each side to which it may be turned.
pub(crate) fn turned(
    battle: &Battle,
    offer: Offer,
    act: &'static str,
    unit: UnitId,
    [left, right]: [Point; 2],
) -> Handling {
    let (to_left, to_right) = match input(battle, &offer) {
        Ok(Input::Wheel { most_left, most_right }) => (most_left < Angle::ZERO, most_right > Angle::ZERO),
        _ => (false, false),
    };
    let pivots = Pivots { left: to_left.then_some(left), right: to_right.then_some(right) };
    Handling::act(act, unit).by(Handle::Wheel { unit, pivots })
}

/// An answer of the unit of which something is asked.
pub(crate) fn answer(battle: &Battle, act: &'static str) -> Handling {
    battle.asked_of().map_or_else(|| Handling::end(act), |unit| Handling::act(act, unit))
}
