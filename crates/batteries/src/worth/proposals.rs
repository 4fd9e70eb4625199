//! Inputs worth trying, for computer players: to contact, to the edge of a range, into cover, round to face the enemy.

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Input, Value};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Angle, Direction, Heading, Length, Point, Pose, Vec2};

use crate::battle::{Battle, Kind};
use crate::offer::Offer;
use crate::phases::formations::offers::Formations;
use crate::phases::generals::offers::Generals;
use crate::phases::input;
use crate::phases::movement::offers::Movement::{Advance, Face, Head, March, Oblique, Push, Retire, Sidestep, Wheel};
use crate::phases::rout::offers::Routs;
use crate::phases::screens::offers::Screens;
use crate::troops::{Arm, Cover, Formation};
use crate::worth::reach;

/// Shorter steps and turns than these are not worth making.
const LEAST_STEP: Length = Length::inches(1);
const LEAST_TURN: Angle = Angle::degrees(3);
/// No more than so many for one offer.
const MOST: usize = 8;

/// The best first, a few for each offer.
pub(crate) fn proposals(battle: &Battle, offer: &Offer, judgement: Judgement, out: &mut Vec<Value>) {
    let first = out.len();
    if let Offer::Formations(Formations::Form(unit)) = *offer {
        let plain: Vec<String> = battle.plain_forms(unit);
        forms(battle, unit, &plain, out);
        let mut kept = out.split_off(first);
        kept.retain(|value| {
            value
                .formation()
                .is_some_and(|name| crate::phases::formations::command_points::may_form_named(battle, unit, name))
        });
        out.append(&mut kept);
        if out.len() > first {
            return;
        }
    }
    let Ok(input) = input(battle, offer) else { return };
    match (*offer, &input) {
        (Offer::Movement(Advance(unit) | Push(unit)), Input::Distance { most, .. }) => {
            let way = Direction::Ahead.heading(battle.unit(unit).pose);
            out.extend(battle.next_bend(unit).map(|(at, _)| Value::Distance(at)));
            stops(battle, unit, way, *most, out);
        }
        (Offer::Movement(March(unit)), Input::Distance { most, .. }) => match battle.march_way(unit) {
            Ok(way) => stops(battle, unit, way, *most, out),
            Err(_) => out.push(Value::Distance(*most)),
        },
        (Offer::Movement(Oblique { .. } | Sidestep { .. } | Retire(_)), Input::Distance { least, most, .. }) => {
            out.extend([*most, Length::um(i32::midpoint(least.to_um(), most.to_um()))].map(Value::Distance));
        }
        // A rout no longer than it must be.
        (Offer::Routs(Routs::RoutFacing(_) | Routs::RoutAway(_)), Input::Distance { least, .. }) => {
            out.push(Value::Distance(*least))
        }
        (Offer::Movement(Wheel(unit) | Head(unit)), Input::Wheel { most_left, most_right }) => {
            turns(battle, unit, (*most_left, *most_right), out);
        }
        // To turn by a little changes nothing.
        (Offer::Movement(Face(unit)), Input::Wheel { most_left, most_right }) => {
            turns(battle, unit, (*most_left, *most_right), out);
            let kept = out.split_off(first).into_iter();
            out.extend(kept.filter(|turn| turn.wheel().is_some_and(|turn| turn.abs() >= Angle::degrees(10))));
        }
        (Offer::Generals(Generals::Ride(general)), Input::Point { .. }) => rides(battle, general, &input, out),
        (Offer::Screens(Screens::Refill), Input::Number { least, most }) => {
            out.extend([*most, *least].map(Value::Number))
        }
        _ => input.proposals(out),
    }
    let mut kept = out.split_off(first);
    kept.retain(|value| input.fits(value));
    for value in kept {
        if !out[first..].contains(&value) {
            out.push(value);
        }
    }
    if out.len() == first {
        input.proposals(out);
    }
    if judgement.is_present() && matters_little(battle, offer, out, first) {
        return;
    }
    // A wheel through hardly any angle is one that a player could make for ever.
    let kept = out.split_off(first).into_iter();
    out.extend(kept.filter(|value| value.wheel().is_none_or(|turn| turn.abs() >= Angle::degrees(1))));
    out.truncate(first + MOST);
}

/// Steps and turns of next to nothing are left out; whether nothing else was there. The way of a charge is plotted as closely as it has to be.
fn matters_little(battle: &Battle, offer: &Offer, out: &mut Vec<Value>, first: usize) -> bool {
    let some = out.len() > first;
    let least = match *offer {
        Offer::Movement(Advance(unit) | March(unit) | Retire(unit) | Wheel(unit)) => Some(unit),
        Offer::Movement(Oblique { unit, .. } | Sidestep { unit, .. }) => Some(unit),
        _ => None,
    };
    if least.is_none_or(|unit| battle.launched(unit)) {
        return false;
    }
    let kept = out.split_off(first).into_iter();
    out.extend(kept.filter(|value| match value {
        Value::Distance(by) => *by >= LEAST_STEP,
        Value::Wheel(turn) => turn.abs() >= LEAST_TURN,
        _ => true,
    }));
    some && out.len() == first
}

/// The nearest enemy, by the middles of the fronts.
fn nearest(battle: &Battle, unit: UnitId) -> Option<(UnitId, Vec2)> {
    let at = battle.unit(unit).pose.at.v();
    let enemies = battle.enemies(unit).map(|enemy| (enemy, battle.unit(enemy).pose.at.v()));
    enemies.min_by(|a, b| (a.1 - at).length2().total_cmp(&(b.1 - at).length2()).then(a.0.cmp(&b.0)))
}

/// As far as it goes; to where its own fire tells and where the enemy's does not; half a move, so that it may still shoot;
/// into cover on the way.
fn stops(battle: &Battle, unit: UnitId, way: Heading, most: Length, out: &mut Vec<Value>) {
    out.push(Value::Distance(most));
    let pose = battle.unit(unit).pose;
    let here = pose.at.v();
    let tick = Length::inch_fraction(1, 10);
    if let Some((enemy, at)) = nearest(battle, unit) {
        let mut edges = vec![reach(battle, unit) - tick, reach(battle, enemy) + tick];
        if battle.arm(unit) == Arm::Foot {
            edges.push(battle.numbers().shooting.musket_close.range.0 - tick);
        }
        if battle.arm(enemy) == Arm::Guns {
            edges.push(battle.numbers().shooting.field_canister.range.0 + tick);
        }
        for edge in edges.into_iter().filter(|edge| *edge > Length::ZERO) {
            out.extend(until_within(here, way.unit(), at, edge).filter(|run| *run < most).map(Value::Distance));
        }
    }
    if battle.arm(unit) == Arm::Foot {
        let half = battle.allowance(unit).half() - tick;
        out.extend(Some(half).filter(|half| *half < most).map(Value::Distance));
    }
    if !battle.fixed.terrain.is_empty() {
        let mut crossed = Vec::new();
        let covers = |lie: &sabretache_table::Lie<'_>| battle.terrain(lie).cover_shooting != Cover::None;
        battle.fixed.ground.crossed_if(here, here + way.unit() * most.f(), covers, &mut crossed);
        let depth = battle.unit(unit).footprint(battle.facts(unit), battle.numbers()).depth();
        out.extend(crossed.iter().take(1).map(|one| Value::Distance((one.enter + depth + tick).min(most))));
    }
}

/// How far along a way until a place is no more than so far off.
fn until_within(from: Vec2, way: Vec2, place: Vec2, within: Length) -> Option<Length> {
    let to = place - from;
    let (along, aside2) = (to.dot(way), to.length2() - to.dot(way) * to.dot(way));
    let left = within.f() * within.f() - aside2;
    (left > 0.0).then(|| along - left.sqrt()).filter(|run| *run > 0.0).map(Length::rounded)
}

/// Round to face the nearest enemy, then the nearest place that counts; the ends of what is allowed last.
fn turns(battle: &Battle, unit: UnitId, (left, right): (Angle, Angle), out: &mut Vec<Value>) {
    let pose = battle.unit(unit).pose;
    let toward = |place: Vec2| pose.heading.turn_to(Heading::toward(pose.at.v(), place)).clamp(left, right);
    out.extend(nearest(battle, unit).map(|(_, at)| Value::Wheel(toward(at))));
    let places = battle.fixed.objectives.iter().filter_map(|one| Some(one.place()?.0));
    let goal = places.min_by(|a, b| (*a - pose.at.v()).length2().total_cmp(&(*b - pose.at.v()).length2()));
    out.extend(goal.map(|at| Value::Wheel(toward(at))));
    if let Some(Value::Wheel(turn)) = out.last().cloned() {
        out.push(Value::Wheel(Angle::hundredths(turn.to_hundredths() / 2)));
    }
    out.extend([left, right].map(Value::Wheel));
}

/// Forms that the moment asks for; any of them only with the front kept, or turned toward the enemy.
fn forms(battle: &Battle, unit: UnitId, of: &[String], out: &mut Vec<Value>) {
    let pose = battle.unit(unit).pose;
    let enemy = nearest(battle, unit);
    let turn = enemy.map_or(0, |(_, at)| pose.heading.turn_to(Heading::toward(pose.at.v(), at)).to_hundredths());
    let facing = match turn {
        -4_500..=4_500 => None,
        -13_500..=-4_501 => Some("face left"),
        4_501..=13_500 => Some("face right"),
        _ => Some("about face"),
    };
    let near = |arm: Arm, inches: f64| {
        let at = pose.at.v();
        battle.enemies(unit).any(|enemy| {
            battle.arm(enemy) == arm && (battle.unit(enemy).pose.at.v() - at).length() < inches * Length::inches(1).f()
        })
    };
    let mut wanted: Vec<&str> = facing.into_iter().collect();
    match battle.facts(unit).kind {
        Kind::Foot { light, .. } => {
            let (line, column) = (longest(of, "line of "), longest(of, "column of "));
            let (horse, foot) = (near(Arm::Horse, 20.0), near(Arm::Foot, 14.0));
            wanted.extend(["square", "column masse"].into_iter().filter(|_| horse));
            let fronts = if foot { [line, column] } else { [column, line] };
            wanted.extend(fronts.into_iter().flatten());
            wanted.extend(light.then_some("skirmish order"));
        }
        Kind::Horse { .. } => wanted.extend(longest(of, "").filter(|name| name.ends_with(" wide"))),
        Kind::Guns { .. } => wanted.extend(["unlimber", "limber"]),
    }
    let known = |name: &&str| of.iter().any(|one| one == name);
    out.extend(wanted.into_iter().filter(known).map(|name| Value::Formation(name.to_owned())));
    // Guns that unlimber to a flank.
    let turned =
        of.iter().filter(|name| name.starts_with("unlimber, ") && facing.is_some_and(|way| name.ends_with(way)));
    out.extend(turned.map(|name| Value::Formation(name.clone())));
}

/// The widest of the forms of a name, front kept.
fn longest<'a>(of: &'a [String], name: &str) -> Option<&'a str> {
    let width = |form: &str| form.split(' ').find_map(|word| word.parse::<u16>().ok());
    let open = of.iter().filter(|form| form.starts_with(name) && !form.contains(','));
    open.filter_map(|form| Some((width(form)?, form.as_str()))).max_by_key(|(width, _)| *width).map(|(_, form)| form)
}

/// A general rides to the middle of his troops, or as near to it as he gets.
fn rides(battle: &Battle, general: OfficerId, input: &Input, out: &mut Vec<Value>) {
    let leader = battle.general(general);
    let own: Vec<Pose> = battle
        .of(leader.side)
        .filter(|unit| battle.may_influence(general, *unit) && battle.unit(*unit).formation != Formation::Skirmish)
        .map(|unit| battle.unit(unit).pose)
        .collect();
    if own.is_empty() {
        return;
    }
    let middle =
        own.iter().fold(Vec2::default(), |sum, pose| sum + pose.at.v() - pose.heading.unit() * Length::inches(2).f())
            * (1.0 / own.len() as f64);
    let from = leader.at.v();
    for share in [1.0, 0.75, 0.5, 0.3] {
        let value = Value::Point(Point::rounded(from.toward(middle, share)));
        if input.fits(&value) {
            out.push(value);
            return;
        }
    }
}
