//! A few sensible values for an offer, for computer players.

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Input, Stop, Value};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Angle, Heading, Length, Point};

use crate::battle::Battle;
use crate::clauses::{HZ_ADV_17, HZ_MAN_08, HZ_RET_08};
use crate::offer::Offer;
use crate::phases::advance::offers::Advance;
use crate::phases::manoeuvre::offers::Manoeuvre;
use crate::phases::officers::offers::Officers;
use crate::troops::Order;

/// Shorter rides and turns than these are not worth making.
const LEAST_RIDE: Length = Length::mm(40);
const LEAST_TURN: Angle = Angle::degrees(3);
/// In how many parts a ride is looked at.
const RIDES: u32 = 16;

/// The best first: as far as it goes, just short of what stops it, half-way; a wheel to face the nearest enemy; where an officer
/// is of use.
pub(crate) fn proposals(battle: &Battle, offer: &Offer, input: &Input, judgement: Judgement, out: &mut Vec<Value>) {
    let first = out.len();
    if judgement.is_present() && runs_into_friends(battle, offer) {
        return;
    }
    match (offer, input) {
        (_, Input::Distance { least, most, stops }) => {
            out.push(Value::Distance(*most));
            // Just out of the first zone on the way, where one may wait for the others.
            // Just short of a friend is as good as up to him.
            let tells = |stop: &&Stop| !matches!(stop.clause, HZ_ADV_17 | HZ_RET_08 | HZ_MAN_08);
            out.extend(stops.iter().filter(tells).map(|stop| Value::Distance(stop.at - Length::mm(2))));
            out.push(Value::Distance(Length::um(least.to_um().midpoint(most.to_um()))));
        }
        (
            Offer::Manoeuvre(Manoeuvre::Wheel(unit) | Manoeuvre::WheelBack(unit)),
            Input::Wheel { most_left, most_right },
        ) => {
            if let Some(turn) = to_face(battle, *unit) {
                out.push(Value::Wheel(turn.clamp(*most_left, *most_right)));
            }
        }
        (Offer::Officers(Officers::Ride(officer)), Input::Point { .. }) => {
            // He rides once in a phase: where he is of use, and not there and back again.
            if judgement.is_present() && battle.officer(*officer).ridden > Length::ZERO {
                return;
            }
            riding(battle, *officer, out);
            if judgement.is_present() {
                within_reach(battle, *officer, input, first, out);
                if out.len() == first {
                    return;
                }
            }
        }
        _ => {}
    }
    if out.len() == first {
        input.proposals(out);
        return;
    }
    let mut kept = out.split_off(first);
    kept.retain(|value| input.fits(value));
    kept.dedup();
    if judgement.is_present() && matters_little(offer, &mut kept) {
        return;
    }
    if kept.is_empty() {
        input.proposals(&mut kept);
    }
    out.append(&mut kept);
}

/// Whether a move leads through friends, which costs both of them their order. Those who retire may have to.
fn runs_into_friends(battle: &Battle, offer: &Offer) -> bool {
    let retires = battle.doing.acting.is_some_and(|acting| acting.order == Order::Retire);
    match offer {
        Offer::Advance(Advance::Go { stretch, .. } | Advance::Road { stretch, .. }) => *stretch > 0 && !retires,
        Offer::Manoeuvre(Manoeuvre::WheelThrough { .. }) => true,
        _ => false,
    }
}

/// Turns of next to nothing are left out; whether nothing else was there. Short steps stay: an order that nobody acts on silences the brigade.
fn matters_little(offer: &Offer, kept: &mut Vec<Value>) -> bool {
    let some = !kept.is_empty();
    if let Offer::Manoeuvre(Manoeuvre::Wheel(_) | Manoeuvre::WheelBack(_)) = offer {
        kept.retain(|value| !matches!(value, Value::Wheel(turn) if turn.abs() < LEAST_TURN));
    }
    some && kept.is_empty()
}

/// Places that an officer does not reach are approached as far as he rides; a ride of a few steps is left out.
fn within_reach(battle: &Battle, officer: OfficerId, input: &Input, first: usize, out: &mut Vec<Value>) {
    let from = battle.officer_at(officer);
    let wanted = out.split_off(first);
    for value in wanted {
        let Value::Point(to) = value else { continue };
        let way = to.v() - from.v();
        // As far as he rides at once, or he would be seen to ride there bit by bit.
        let mut ridden = (0..RIDES).map(|n| Point::rounded(from.v() + way * (1.0 - f64::from(n) / f64::from(RIDES))));
        let reached = ridden.find(|at| input.fits(&Value::Point(*at)));
        out.extend(reached.filter(|at| from.distance(*at) >= LEAST_RIDE).map(Value::Point));
    }
}

/// The turn that brings the nearest enemy straight ahead.
fn to_face(battle: &Battle, unit: UnitId) -> Option<Angle> {
    let pose = battle.unit(unit).pose;
    let enemies = battle.present(battle.facts(unit).side.other()).filter(|&enemy| !battle.unit(enemy).routing);
    let at = enemies.filter_map(|enemy| battle.laid.get(enemy)).map(|placed| Point::rounded(placed.centre()));
    let nearest = at.min_by_key(|at| pose.at.distance(*at))?;
    Some(pose.heading.turn_to(Heading::toward(pose.at.v(), nearest.v())))
}

/// Behind the middle of his troops, and close behind the unit that needs him most.
fn riding(battle: &Battle, officer: OfficerId, out: &mut Vec<Value>) {
    let command = battle.acts_for(officer);
    let troops: Vec<UnitId> = battle.units_of(command).filter(|&unit| battle.is_present(unit)).collect();
    let rear = |unit: UnitId, by: f64| {
        let placed = battle.laid.get(unit)?;
        let depth = (placed.centre() - placed.pose().at.v()).length() * 2.0;
        Some(placed.pose().at.v() - placed.forward() * (depth + by))
    };
    let places: Vec<_> = troops.iter().filter_map(|&unit| rear(unit, 40_000.0)).collect();
    if !places.is_empty() {
        let sum = places.iter().fold(sabretache_table::Vec2::new(0.0, 0.0), |sum, place| sum + *place);
        out.push(Value::Point(Point::rounded(sum * (1.0 / places.len() as f64))));
    }
    let worst = troops.iter().copied().max_by_key(|&unit| {
        let unit = battle.unit(unit);
        (unit.routing, unit.staggers)
    });
    out.extend(worst.and_then(|unit| rear(unit, 20_000.0)).map(|place| Value::Point(Point::rounded(place))));
}
