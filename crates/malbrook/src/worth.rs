//! How a battle stands, for computer players, and what is worth trying.
//!
//! Points of which a base of middling foot is worth about a hundred. Everything is read from poses and marks alone: no
//! sight, no paths, no zones.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Input, Value};
use sabretache_table::{Heading, Length, Point, Vec2};

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Assault, Brigade, Charge, Status};
use crate::situations::ArmyBreak;
use crate::troops::{Formation, Grade, Kind, OrderKind, Rank};

/// A base of foot or cavalry.
const BASE: f64 = 100.0;
/// A DP on a brigade.
const DISORDER: f64 = 32.0;
/// A point of the scenario's, at the end of the battle.
const POINT: f64 = 60.0;
/// Inches of ground between a brigade and where it is wanted.
const STEP: f64 = 2.4;
/// Turns of less than a degree, in hundredths, are not worth making.
const LEAST_TURN: i32 = 100;
/// One more body to command.
const PART: f64 = 12.0;
/// An army that is about to break.
const BREAKING: f64 = 1_500.0;

const INCH: f64 = 25_400.0;

pub(crate) fn worth(battle: &Battle, side: Side) -> i32 {
    (army(battle, side) - army(battle, side.other())) as i32
}

fn army(battle: &Battle, side: Side) -> f64 {
    let mut points = 0.0;
    let foes: Vec<&Brigade> = battle.of(side.other()).map(|unit| battle.brigade(unit)).collect();
    for unit in battle.of(side) {
        points += of_unit(battle, unit, &foes);
    }
    for leader in battle.leaders_of(side) {
        points += match battle.leader(leader).rank {
            Rank::MajorGeneral => 40.0,
            Rank::LieutenantGeneral => 90.0,
            Rank::Marshal => 200.0,
        };
    }
    for (held, objective) in battle.held.iter().zip(&battle.fixed.scenario.body.objectives) {
        if *held == Some(side) {
            points += POINT * f64::from(objective.points);
        }
    }
    points - breaking(battle, side)
}

/// What it costs to be near the loss that ends the battle.
fn breaking(battle: &Battle, side: Side) -> f64 {
    let there: u32 = battle
        .of(side)
        .map(|unit| battle.brigade(unit))
        .filter(|one| one.kind.is_brigade() && !one.is_routing())
        .map(|one| u32::from(one.bases))
        .sum();
    let started = battle.fixed.started[side.index()].max(1);
    let gone = f64::from(started.saturating_sub(there)) / f64::from(started);
    let share = f64::from(battle.fixed.numbers.army_break.share) / 100.0;
    let facts = ArmyBreak { started, lost: started.saturating_sub(there), routing: 0 };
    let near = (gone / share.max(0.01)).min(1.2);
    BREAKING * near * near + if facts.read(battle.fixed.numbers.army_break.share).broken { 4.0 * BREAKING } else { 0.0 }
}

/// How good each base of a brigade is.
fn quality(brigade: &Brigade) -> f64 {
    let grade = match brigade.grade() {
        Grade::A => 1.5,
        Grade::B => 1.22,
        Grade::C => 1.0,
        Grade::D => 0.8,
        Grade::E => 0.6,
    };
    let kind = match brigade.kind {
        Kind::Horse => 1.15,
        Kind::Hussars | Kind::DismountedDragoons => 0.7,
        kind if kind.is_gun() => 2.2,
        Kind::Wagon | Kind::Civilians => 0.3,
        _ => 1.0,
    };
    grade * kind * BASE
}

/// What a brigade's bases are worth, whatever its order and place; guns that were abandoned or taken are lost.
pub(crate) fn points(battle: &Battle, unit: UnitId) -> i32 {
    let brigade = battle.brigade(unit);
    let lost = brigade.status.is_gone() || matches!(brigade.status, Status::Abandoned | Status::Captured);
    if lost { 0 } else { (quality(brigade) * f64::from(brigade.bases)) as i32 }
}

fn of_unit(battle: &Battle, unit: UnitId, foes: &[&Brigade]) -> f64 {
    let brigade = battle.brigade(unit);
    let value = quality(brigade) * f64::from(brigade.bases);
    let mut points = value;
    // Disorder bites harder the nearer it comes to costing bases.
    let limit = f64::from(brigade.bases.clamp(1, 6));
    let dps = f64::from(brigade.dps);
    points -= DISORDER * dps + 12.0 * dps * (dps / limit);
    points -= match brigade.status {
        Status::Routing => value * 0.55,
        Status::Retired | Status::Looting => value * 0.18,
        Status::Pursuing => value * 0.08,
        _ => 0.0,
    };
    if brigade.kind.is_gun() {
        return points + of_gun(brigade, foes);
    }
    // Parts are harder to command than the whole.
    points -= PART;
    if brigade.formation == Formation::MarchColumn {
        points -= 25.0;
    }
    if matches!(brigade.marks.control, Charge::Tests | Charge::Halts | Charge::Repeats) {
        points -= 15.0;
    }
    if brigade.is_routing() || !brigade.kind.is_brigade() {
        return points;
    }
    points + place(battle, unit, brigade, foes) + blows_to_come(battle, unit, brigade, foes)
}

/// A gun is worth more the more enemy are before it, the nearer the better.
fn of_gun(gun: &Brigade, foes: &[&Brigade]) -> f64 {
    if gun.formation != Formation::Unlimbered {
        return -40.0;
    }
    let forward = gun.pose.heading.unit();
    let mut best: f64 = 0.0;
    for foe in foes {
        let off = foe.pose.at.v() - gun.pose.at.v();
        let range = off.length() / INCH;
        if range < 24.0 && off.dot(forward) > off.length() * 0.7 {
            best = best.max(40.0 - range);
        }
    }
    best - 14.0 * f64::from(gun.dps)
}

/// Where a brigade is wanted, how far off that is, and whether it looks there.
fn place(battle: &Battle, unit: UnitId, brigade: &Brigade, foes: &[&Brigade]) -> f64 {
    let at = brigade.pose.at.v();
    let nearest = foes
        .iter()
        .filter(|foe| foe.kind.is_brigade() || foe.kind.is_gun())
        .map(|foe| (foe.pose.at.v() - at, *foe))
        .min_by(|a, b| a.0.length2().total_cmp(&b.0.length2()));
    let wanted = battle.wanted_at(unit);
    let mut points = 0.0;
    // By bases, not by brigades: or it would pay to split, since the parts of a brigade would each have its place.
    let step = STEP * f64::from(brigade.bases) / 4.0;
    if let Some(goal) = wanted {
        let far = (goal - at).length() / INCH;
        points -= step * far.min(60.0);
    } else if battle.order_over(unit).is_none_or(|order| order.kind == OrderKind::Attack) {
        // Nothing to take: forward, towards the enemy's edge. The distance to him would be worth as much to him.
        let facing = battle.fixed.facing[brigade.side.index()].unit();
        points += step * (at.dot(facing) / INCH);
    }
    if let Some((off, foe)) = nearest {
        let far = off.length() / INCH;
        // To face whoever is near matters more the nearer he is.
        let aside = 1.0 - off.dot(brigade.pose.heading.unit()) / off.length().max(1.0);
        if !brigade.is_unformed() {
            points -= aside * (80.0 / (1.0 + far / 4.0)).min(40.0);
        }
        if brigade.kind.is_cavalry() && far < 8.0 && foe.kind.is_cavalry() {
            points += 6.0;
        }
        if brigade.formation.is_column() && far < 6.0 {
            points -= 20.0;
        }
    }
    points
}

impl Battle {
    /// The place a brigade's orders want it at: its position, the nearest objective that is not ours, or nowhere.
    fn wanted_at(&self, unit: UnitId) -> Option<Vec2> {
        let brigade = self.brigade(unit);
        let order = self.order_over(unit);
        let measure = self.fixed.scenario.measure;
        let middle = |area: &[sabretache_engine::scenario::FilePoint]| {
            let sum = area.iter().fold(Vec2::default(), |sum, pair| sum + measure.point(*pair).v());
            sum * (1.0 / area.len().max(1) as f64)
        };
        if let Some(order) = order.filter(|order| order.kind != OrderKind::Attack) {
            let position = order.position.and_then(|n| self.fixed.scenario.body.positions.get(usize::from(n)))?;
            let goal = middle(&position.area);
            // Anywhere about the position will do.
            let far = (goal - brigade.pose.at.v()).length();
            return (far > 8.0 * INCH).then_some(goal);
        }
        let ours = Some(brigade.side);
        let goals = self.held.iter().zip(&self.fixed.scenario.body.objectives).filter(|(held, _)| **held != ours);
        goals.map(|(_, objective)| middle(&objective.area)).min_by(|a, b| {
            let off = |goal: &Vec2| (*goal - brigade.pose.at.v()).length2();
            off(a).total_cmp(&off(b))
        })
    }
}

/// What is about to happen: fights that are on, charges that are coming, flanks that lie open, guns that bear.
fn blows_to_come(battle: &Battle, unit: UnitId, brigade: &Brigade, foes: &[&Brigade]) -> f64 {
    let at = brigade.pose.at.v();
    let forward = brigade.pose.heading.unit();
    let mut points = 0.0;
    let strength = |one: &Brigade| {
        let grade = f64::from(one.grade().value()) - 2.0;
        f64::from(one.files.min(8)) + grade - f64::from(one.dps) + f64::from(u8::from(one.rows() > 1))
    };
    let mut engaged = 0;
    for foe in foes {
        let off = foe.pose.at.v() - at;
        let far = off.length() / INCH;
        if far > 24.0 {
            continue;
        }
        let faces_us = -off.dot(foe.pose.heading.unit()) > off.length() * 0.7;
        if foe.kind.is_gun() {
            // Guns before its front cost it something before they fire, and to reach them is worth having.
            if faces_us && foe.formation == Formation::Unlimbered && far < 10.0 {
                points -= if brigade.formation.is_column() { 9.0 } else { 5.0 };
            }
            continue;
        }
        if !foe.kind.is_brigade() || far > 9.0 {
            continue;
        }
        let before_us = off.dot(forward) > off.length() * 0.6;
        // An enemy on our flank that can come at us, and we at his.
        if far < 7.0 && faces_us && !before_us && !brigade.is_unformed() {
            points -= 14.0;
        }
        let reach = if brigade.kind.is_cavalry() { 2.6 } else { 2.2 } + f64::from(brigade.files + foe.files) / 4.0;
        if far < reach && before_us {
            engaged += 1;
            let charging = matches!(brigade.marks.attack, Assault::Charged { .. } | Assault::Declared { .. });
            let edge = strength(brigade) - strength(foe) + if charging { 1.5 } else { 0.0 };
            points += (edge * 7.0).clamp(-45.0, 45.0) + 8.0;
        }
    }
    // Several on one is worth more than the same one after another.
    if engaged > 0 {
        let friends = battle
            .friends_around(brigade.side, sabretache_table::Bounds { min: at, max: at }, Length::inches(5))
            .filter(|friend| *friend != unit && battle.brigade(*friend).kind.is_brigade())
            .count();
        points += 6.0 * friends.min(3) as f64;
    }
    points
}

/// Values worth trying for an offer, the best first.
pub(crate) fn proposals(battle: &Battle, offer: &Offer, input: &Input, out: &mut Vec<Value>) {
    let start = out.len();
    match (offer, input) {
        (_, Input::None) => return out.push(Value::None),
        (Offer::Ride { leader, .. } | Offer::SetDownLeader(leader), Input::Point { .. }) => {
            ride_to(battle, *leader, input, out);
        }
        (Offer::RideMessenger { rider, .. }, Input::Point { .. }) => {
            if let Some(dispatch) = battle.dispatch(*rider) {
                let (from, to) = (dispatch.rider.unwrap_or_default(), battle.leader(dispatch.to).at);
                toward(from, to, input, out);
            }
        }
        (
            Offer::Wheel(unit) | Offer::Bear(unit) | Offer::Pivot(unit) | Offer::Face(unit),
            Input::Wheel { most_left, most_right },
        ) => {
            let brigade = battle.brigade(*unit);
            for place in targets(battle, brigade) {
                let turn = brigade.pose.heading.turn_to(Heading::toward(brigade.pose.at.v(), place));
                let turn = turn.clamp(*most_left, *most_right);
                // A turn that is none would be made again and again.
                if turn.abs().to_hundredths() >= LEAST_TURN || matches!(offer, Offer::Bear(_)) {
                    out.push(Value::Wheel(turn));
                }
            }
            if matches!(offer, Offer::Bear(_)) {
                out.push(Value::Wheel(sabretache_table::Angle::ZERO));
            } else if out.len() == start {
                out.extend([*most_left, *most_right].map(Value::Wheel));
            }
        }
        (_, Input::Distance { least, most, .. }) => {
            out.push(Value::Distance(*most));
            // To charge reach of the enemy ahead, and short of his: about what two dice and three ride.
            if let Offer::Advance(unit) = offer {
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
    kept.retain(|value| input.check(value).is_ok());
    let mut seen: Vec<Value> = Vec::new();
    for value in kept {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    out.append(&mut seen);
    if out.len() == start {
        input.proposals(out);
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
fn ride_to(battle: &Battle, leader: sabretache_engine::ids::OfficerId, input: &Input, out: &mut Vec<Value>) {
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
        if input.check(&value).is_ok() {
            out.push(value);
            return;
        }
    }
}
