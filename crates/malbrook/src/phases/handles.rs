//! How a hand takes hold of a unit on the table, where more than one phase lets it.

use sabretache_engine::dice::Scripted;
use sabretache_engine::handle::{Handle, Handling, Pivots};
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Choice, Input, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_table::{Angle, Corner, Heading, Length, Point, Quad};

use crate::battle::Battle;
use crate::{Malbrook, Offer};

/// How many points show a road.
const ROAD_POINTS: i64 = 6;

/// It is pushed straight along a heading.
pub(crate) fn ahead(
    battle: &Battle,
    offer: impl Into<Offer>,
    act: &'static str,
    unit: UnitId,
    heading: Heading,
) -> Handling {
    let pose = battle.brigade(unit).pose;
    let track = vec![pose.at, pose.moved(heading, furthest(battle, &offer.into())).at];
    Handling::act(act, unit).by(Handle::Along { unit, track, back: false })
}

/// It is pushed to a side or back, keeping its front: by so many degrees off its heading.
pub(crate) fn slide(battle: &Battle, act: &'static str, unit: UnitId, degrees: i32) -> Handling {
    let bearing = battle.brigade(unit).pose.heading + Angle::degrees(degrees);
    Handling::act(act, unit).by(Handle::Slide { unit, bearing })
}

/// It is turned about its middle.
pub(crate) fn about_centre(battle: &Battle, offer: impl Into<Offer>, act: &'static str, unit: UnitId) -> Handling {
    let centre = Some(Point::rounded(battle.figure(unit).centre()));
    let (left, right) = sides(battle, &offer.into());
    let pivots = Pivots { left: centre.filter(|_| left), right: centre.filter(|_| right) };
    Handling::act(act, unit).by(Handle::Wheel { unit, pivots })
}

/// It is wheeled about a front corner.
pub(crate) fn wheels(battle: &Battle, offer: impl Into<Offer>, unit: UnitId) -> Handling {
    let figure = battle.figure(unit);
    let front = figure.front_rank();
    let (left, right) = sides(battle, &offer.into());
    let at = |base: Option<&Quad>, corner| base.map(|base| Point::rounded(base.corner(corner)));
    let pivots = Pivots {
        left: at(front.first(), Corner::FrontLeft).filter(|_| left),
        right: at(front.last(), Corner::FrontRight).filter(|_| right),
    };
    Handling::act("wheel", unit).by(Handle::Wheel { unit, pivots })
}

/// It is drawn along its road: through the places that marches of several lengths lead to.
pub(crate) fn road(battle: &Battle, offer: impl Into<Offer>, unit: UnitId) -> Handling {
    let offer = offer.into();
    let mut track = vec![battle.brigade(unit).pose.at];
    // Where things are hidden a trial would stumble over them.
    if !battle.conceals() {
        let by = i64::from(furthest(battle, &offer).to_um());
        let part = |n: i64| Value::Distance(Length::um((by * n / ROAD_POINTS) as i32));
        track.extend((1..=ROAD_POINTS).map(|n| ended(battle, offer, part(n)).brigade(unit).pose.at));
    }
    Handling::act("march", unit).by(Handle::Along { unit, track, back: false })
}

/// The furthest that the distance of an offer may be.
fn furthest(battle: &Battle, offer: &Offer) -> Length {
    match Malbrook::input(battle, offer) {
        Input::Distance { most, .. } => most,
        _ => Length::ZERO,
    }
}

/// Whether an offer turns to the left, and to the right.
fn sides(battle: &Battle, offer: &Offer) -> (bool, bool) {
    match Malbrook::input(battle, offer) {
        Input::Wheel { most_left, most_right } => (most_left < Angle::ZERO, most_right > Angle::ZERO),
        _ => (false, false),
    }
}

/// The battle once an offer is done as far as no dice are needed.
fn ended(battle: &Battle, offer: Offer, value: Value) -> Battle {
    let mut after = battle.clone();
    let mut no_dice = Scripted::default();
    // What comes before the dice has happened by then.
    let _ = Malbrook::resolve(&mut Resolution::new(&mut after, &mut no_dice), &Choice { offer, value });
    after
}
