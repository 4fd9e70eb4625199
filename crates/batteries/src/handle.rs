//! How a hand takes hold of each offer on the table.

use sabretache_engine::handle::{Group, Handle, Handling, Pivots};
use sabretache_engine::ids::{GroundId, Named, UnitId};
use sabretache_engine::offer::Input;
use sabretache_table::{Angle, Corner, Direction, Length, Point};

use crate::battle::{Battle, Pending};
use crate::offer::{Offer, Stride};
use crate::phases::inputs;
use crate::phases::movement::offers::oblique;

/// How an offer is handled.
pub(crate) fn handling(battle: &Battle, offer: &Offer) -> Handling {
    let ground = |n: u16| Named::Ground(GroundId(n));
    let along = |act: &'static str, unit: UnitId, way: Direction, back: bool| {
        let from = battle.unit(unit).pose;
        let track = vec![from.at, from.moved(way.heading(from), furthest(battle, offer)).at];
        Handling::act(act, unit).by(Handle::Along { unit, track, back })
    };
    match *offer {
        Offer::Roll => Handling::end("roll"),
        Offer::BeFirst => Handling::end("first"),
        Offer::BeSecond => Handling::end("second"),
        Offer::Advance(unit) => along("advance", unit, Direction::Ahead, false),
        Offer::Pass { unit, by, .. } => match battle.stride(unit, by) {
            Ok((way, _)) => along("advance", unit, way, by == Stride::Back),
            Err(_) => Handling::act("advance", unit),
        },
        Offer::Push(unit) => along("push", unit, Direction::Ahead, false),
        Offer::Oblique { unit, right } => along("oblique", unit, oblique(battle, unit, right), false),
        Offer::Retire(unit) => along("retire", unit, Direction::Back, true),
        Offer::Sidestep { unit, right } => {
            let way = if right { Direction::Right } else { Direction::Left };
            let bearing = way.heading(battle.unit(unit).pose);
            Handling::act("side_step", unit).by(Handle::Slide { unit, bearing })
        }
        Offer::March(unit) => match battle.march_way(unit) {
            Ok(way) => along("march", unit, Direction::Toward(way), false),
            Err(_) => Handling::act("march", unit),
        },
        Offer::Wheel(unit) => {
            let placed = battle.placed(unit);
            let corner = |corner| Some(Point::rounded(placed.corner(corner)));
            turned(battle, offer, "wheel", unit, corner(Corner::FrontLeft), corner(Corner::FrontRight))
        }
        Offer::Head(unit) => about_centre(battle, offer, "head", unit),
        Offer::Face(unit) => about_centre(battle, offer, "face", unit),
        Offer::TurnAbout(unit) => Handling::act("face_about", unit),
        Offer::Form(unit) => Handling::act("form", unit).by(Handle::Formation { unit, into: None }),
        Offer::Charge(unit) => {
            let target = battle.run(unit).ok().and_then(|run| run.targets.first().copied());
            target.map_or_else(|| Handling::act("charge", unit), |target| Handling::at("charge", [unit], target))
        }
        Offer::Launch(unit) => Handling::act("launch", unit).leading_to("charge"),
        Offer::CallOff(unit) => Handling::act("call_off", unit),
        Offer::RoutOnPurpose(unit) => Handling::act("rout", unit),
        Offer::Abandon { unit, .. } => Handling::act("abandon", unit),
        Offer::Clear(unit) => Handling::act("clear", unit),
        Offer::Ride(general) => Handling::act("ride", general).by(Handle::Point { who: general.into() }),
        Offer::Join { general, unit } => Handling::at("join", [general], unit),
        Offer::EndMoves | Offer::EndAiming => Handling::end("end"),
        Offer::Fight => Handling::end("fight"),
        Offer::CarryOn => Handling::end("go_on"),
        Offer::Stand => pending(battle, "stand").of(Group::End),
        Offer::HoldFire => pending(battle, "pass").of(Group::End),
        Offer::FireFirst | Offer::FireAtOnce(_) => match battle.pending {
            Some(Pending::Evade { charger, target: unit, .. } | Pending::AtOnce { unit, charger }) => {
                Handling::at("shoot", [unit], charger)
            }
            _ => Handling::end("shoot").of(Group::Act),
        },
        Offer::EvadeWay => match battle.pending {
            Some(Pending::Evade { target, .. }) => about_centre(battle, offer, "evade_way", target),
            _ => Handling::end("evade_way").of(Group::Act),
        },
        Offer::Evade { way, .. } => match battle.pending {
            Some(Pending::Evade { charger, target: unit, .. }) => {
                let to = battle.evade_pose(unit, charger, way, furthest(battle, offer));
                let track = vec![battle.unit(unit).pose.at, to.at];
                Handling::act("evade", unit).by(Handle::Along { unit, track, back: true })
            }
            _ => Handling::end("evade").of(Group::Act),
        },
        Offer::GoOn => match battle.pending {
            Some(Pending::Onward { charger } | Pending::Overrun { charger }) => {
                along("go_on", charger, Direction::Ahead, false)
            }
            _ => Handling::end("go_on"),
        },
        Offer::ChargeOn => pending(battle, "charge"),
        Offer::Halt | Offer::HaltThere => pending(battle, "halt"),
        Offer::GoRound => pending(battle, "go_round"),
        Offer::RoutFacing(_) | Offer::RoutAway(_) => pending(battle, "rout"),
        Offer::Refill => pending(battle, "refill"),
        Offer::RoutInto(block) => Handling::at("rout", pending_unit(battle), ground(block)),
        Offer::Shoot { unit, at, .. } | Offer::ShootFrom { unit, at, .. } => Handling::at("shoot", [unit], at),
        Offer::Enter { unit, block } => Handling::at("garrison", [unit], ground(block)),
        Offer::Detach { unit, block, .. } => Handling::at("detach", [unit], ground(block)),
        Offer::Shift { unit, block } => Handling::at("shift", [unit], ground(block)),
        Offer::Emerge { unit, .. } => Handling::act("emerge", unit),
        Offer::Batter(order) => Handling::at("batter", [order.unit], ground(order.ground)),
        Offer::Test(unit) => Handling::act("test", unit),
        Offer::Favour { unit, enemy } => Handling::at("favour", [unit], enemy),
        Offer::Bear { unit, .. } => Handling::act("bear", unit),
        Offer::Pursue { unit, quarry } => Handling::at("pursue", [unit], quarry),
        Offer::HoldBack(unit) => Handling::act("hold_back", unit),
        Offer::Screen { unit, .. } => Handling::act("screen", unit),
        Offer::Recall(unit) => Handling::act("recall", unit),
    }
}

/// The furthest that the distance of an offer may be.
fn furthest(battle: &Battle, offer: &Offer) -> Length {
    match inputs::input(battle, offer) {
        Ok(Input::Distance { most, .. }) => most,
        _ => Length::ZERO,
    }
}

/// The unit of which something is to be decided in the middle of something else.
fn pending_unit(battle: &Battle) -> Option<UnitId> {
    battle.pending.map(|pending| pending.unit())
}

fn pending(battle: &Battle, act: &'static str) -> Handling {
    pending_unit(battle).map_or_else(|| Handling::end(act), |unit| Handling::act(act, unit))
}

fn about_centre(battle: &Battle, offer: &Offer, act: &'static str, unit: UnitId) -> Handling {
    let centre = Some(Point::rounded(battle.centre(unit)));
    turned(battle, offer, act, unit, centre, centre)
}

/// A turn about these points, on the sides to which it may be turned.
fn turned(
    battle: &Battle,
    offer: &Offer,
    act: &'static str,
    unit: UnitId,
    left: Option<Point>,
    right: Option<Point>,
) -> Handling {
    let (to_left, to_right) = match inputs::input(battle, offer) {
        Ok(Input::Wheel { most_left, most_right }) => (most_left < Angle::ZERO, most_right > Angle::ZERO),
        _ => (false, false),
    };
    let pivots = Pivots { left: left.filter(|_| to_left), right: right.filter(|_| to_right) };
    Handling::act(act, unit).by(Handle::Wheel { unit, pivots })
}
