//! What is worth trying, for computer players: a few values for each offer, the best first.

use crate::phases::messages;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Input, Value};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Heading, Length, Point, Vec2};

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::worth::INCH;
use crate::{Answer, Charges, Command, Deployment, Manoeuvres, Messages, Movement, Offer};

/// Turns of less than a degree, in hundredths, are not worth making.
const LEAST_TURN: i32 = 100;

/// Shorter rides than this are not worth making.
const LEAST_RIDE: Length = Length::inches(1);

/// Values worth trying for an offer, the best first.
pub(crate) fn proposals(battle: &Battle, offer: &Offer, input: &Input, judgement: Judgement, out: &mut Vec<Value>) {
    let start = out.len();
    match (offer, input) {
        (_, Input::None) => return out.push(Value::None),
        (
            Offer::Command(Command::Ride { leader, .. }) | Offer::Deployment(Deployment::SetDownLeader(leader)),
            Input::Point { .. },
        ) => {
            ride_to(battle, *leader, input, out);
        }
        (Offer::Messages(Messages::RideMessenger { rider, .. }), Input::Point { .. }) => {
            if let Some(dispatch) = messages::dispatch(battle, *rider) {
                let (from, to) = (dispatch.rider.unwrap_or_default(), battle.leader(dispatch.to).at);
                toward(from, to, input, out);
            }
        }
        (
            Offer::Movement(Movement::Wheel(unit) | Movement::Bear(unit))
            | Offer::Manoeuvres(Manoeuvres::Pivot(unit) | Manoeuvres::Face(unit))
            | Offer::Deployment(Deployment::Face(unit)),
            Input::Wheel { most_left, most_right },
        ) => {
            let brigade = battle.brigade(*unit);
            for place in targets(battle, brigade) {
                let turn = brigade.pose.heading.turn_to(Heading::toward(brigade.pose.at.v(), place));
                let turn = turn.clamp(*most_left, *most_right);
                // A turn that is none would be made again and again.
                if turn.abs().to_hundredths() >= LEAST_TURN || matches!(offer, Offer::Movement(Movement::Bear(_))) {
                    out.push(Value::Wheel(turn));
                }
            }
            if matches!(offer, Offer::Movement(Movement::Bear(_))) {
                out.push(Value::Wheel(sabretache_table::Angle::ZERO));
            } else if out.len() == start {
                out.extend([*most_left, *most_right].map(Value::Wheel));
            }
        }
        // The bearing that reaches soonest is an offer of its own; as straight ahead as will do is the other that makes sense.
        (Offer::Charges(Charges::ChargeBearing { .. }), Input::Wheel { most_left, most_right }) => {
            out.push(Value::Wheel(sabretache_table::Angle::ZERO.clamp(*most_left, *most_right)));
        }
        // Towards the enemy, as far as it goes, or where it is.
        (Offer::Answer(Answer::SendBase { unit, base }), Input::Point { .. }) => {
            let middles = battle.figure(*unit).middles();
            let from = middles.get(usize::from(*base)).copied().unwrap_or_default();
            for place in targets(battle, battle.brigade(*unit)).into_iter().take(1) {
                let ahead = place - battle.figure(*unit).centre();
                let far = ahead.length().min(6.0 * INCH);
                toward(from, Point::rounded(from.v() + ahead.unit() * far), input, out);
            }
            out.push(Value::Point(from));
        }
        (_, Input::Distance { least, most, .. }) => {
            out.push(Value::Distance(*most));
            // To charge reach of the enemy ahead, and short of his: about what two dice and three ride.
            if let Offer::Movement(Movement::Advance(unit)) = offer {
                let brigade = battle.brigade(*unit);
                for place in targets(battle, brigade).into_iter().take(1) {
                    let far = (place - brigade.pose.at.v()).length() / INCH;
                    for keep in [3.5, 6.1, 8.1] {
                        let by = Length::rounded((far - keep) * INCH);
                        if by > *least && by < *most {
                            out.push(Value::Distance(by));
                        }
                    }
                }
            }
            out.push(Value::Distance(*least));
        }
        (_, Input::Formation { of }) => {
            // Line to fight in first, then whatever there is.
            let mut names: Vec<&String> = of.iter().collect();
            names.sort_by_key(|name| (!name.starts_with("line"), !name.starts_with("field"), (*name).clone()));
            out.extend(names.into_iter().take(5).map(|name| Value::Formation(name.clone())));
        }
        (_, Input::Number { least, most }) => out.extend([least.midpoint(*most), *least].map(Value::Number)),
        _ => input.proposals(out),
    }
    let mut kept = out.split_off(start);
    kept.retain(|value| input.fits(value));
    let mut seen: Vec<Value> = Vec::new();
    for value in kept {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    out.append(&mut seen);
    if judgement.is_present() {
        let some = out.len() > start;
        let kept = out.split_off(start).into_iter();
        out.extend(kept.filter(|value| matters(battle, offer, value)));
        if some && out.len() == start {
            return;
        }
    }
    if out.len() == start {
        input.proposals(out);
    }
}

/// Brigades are given up to another leader only where they have strayed to him: so much nearer, in inches, must he be than their own.
const STRAYED: f64 = 6.0;

/// Whether brigades stand by the leader who is to have them, and not by the one who has them. A wing that is doing well is not taken from its leader
/// for something to do.
fn strayed(battle: &Battle, (from, to): (OfficerId, OfficerId), units: &[UnitId]) -> bool {
    let off = |leader: OfficerId, unit: UnitId| (battle.leader(leader).at.v() - battle.figure(unit).centre()).length();
    units.iter().all(|unit| battle.leader(from).lost || off(to, *unit) + STRAYED * INCH < off(from, *unit))
}

/// Whether a value is more than next to nothing: a ride of a few steps, a turn of a degree or two, troops handed over that are well led.
fn matters(battle: &Battle, offer: &Offer, value: &Value) -> bool {
    match (offer, value) {
        (Offer::Command(Command::Ride { leader, .. }), Value::Point(to)) => {
            battle.leader(*leader).at.distance(*to) >= LEAST_RIDE
        }
        (Offer::Movement(Movement::Wheel(_)), Value::Wheel(turn)) => turn.abs().to_hundredths() >= 3 * LEAST_TURN,
        (Offer::Messages(Messages::Reassign { from, to, .. }), Value::Units(units)) => {
            strayed(battle, (*from, *to), units)
        }
        _ => true,
    }
}

/// The nearest enemies, as far as they matter to where one looks and goes.
fn targets(battle: &Battle, brigade: &Brigade) -> Vec<Vec2> {
    let at = brigade.pose.at.v();
    let mut near: Vec<Vec2> = battle.enemies(brigade.side).map(|enemy| battle.figure(enemy).centre()).collect();
    near.sort_by(|a, b| (*a - at).length2().total_cmp(&(*b - at).length2()));
    near.truncate(3);
    near
}

/// A leader rides to where most of his brigades are in reach: their middle, or the one nearest to the enemy.
fn ride_to(battle: &Battle, leader: OfficerId, input: &Input, out: &mut Vec<Value>) {
    let one = battle.leader(leader);
    let his: Vec<Vec2> = battle
        .of(one.side)
        .filter(|unit| battle.in_chain(leader, *unit))
        .map(|unit| battle.figure(unit).centre() - battle.brigade(unit).pose.heading.unit() * (1.5 * INCH))
        .collect();
    if his.is_empty() {
        return;
    }
    let middle = his.iter().fold(Vec2::default(), |sum, place| sum + *place) * (1.0 / his.len() as f64);
    toward(one.at, Point::rounded(middle), input, out);
    let at = one.at.v();
    let nearest = his.iter().min_by(|a, b| (**a - at).length2().total_cmp(&(**b - at).length2()));
    if let Some(nearest) = nearest {
        toward(one.at, Point::rounded(*nearest), input, out);
    }
    for order in battle.dispatches.iter().filter(|one| one.to == leader || one.by == leader) {
        let other = if order.to == leader { order.by } else { order.to };
        toward(one.at, battle.leader(other).at, input, out);
    }
}

/// As far towards a place as may be ridden, and half of it.
fn toward(from: Point, to: Point, input: &Input, out: &mut Vec<Value>) {
    let way = to.v() - from.v();
    for share in [1.0, 0.9, 0.75, 0.55, 0.4, 0.25, 0.12] {
        let value = Value::Point(Point::rounded(from.v() + way * share));
        if input.fits(&value) {
            out.push(value);
            return;
        }
    }
}
