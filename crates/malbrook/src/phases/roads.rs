//! Marching along roads (MB-MOV-21, MB-TER-10).

use crate::phases::ambush;
use crate::phases::movement;
use crate::phases::options;
use crate::phases::{orders, passing, skirmish};
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{
    FeatureShape, Heading, Length, OnTable, Outline, Point, Pose, Segment, Unit, Vec2, overlapping,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::LastMove;
use crate::clauses::{MB_CTL_14, MB_MAN_01, MB_MOV_14, MB_MOV_21, MB_TER_10};
use crate::event::{Course, Event};
use crate::phases::advance::{capture_along, pay_for_way};
use crate::phases::harm::Play;
use crate::table::lay::{Figure, HAIR};
use crate::table::path::Reach;
use crate::troops::{Formation, Kind};

/// How finely a way along a road is looked at.
const STEP: Length = Length::inch_fraction(1, 8);
/// Pieces of road whose ends are this near are one road.
const JOINT: Length = Length::inch_fraction(3, 5);

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// How far this kind of unit marches along a road; nothing for those who never do.
fn road_distance(battle: &Battle, unit: UnitId) -> Option<Length> {
    let brigade = battle.brigade(unit);
    let roads = &battle.fixed.numbers.roads;
    let far = match (brigade.kind, brigade.formation) {
        (kind, Formation::MarchColumn) if kind.is_brigade() => roads.column,
        (_, Formation::Limbered) => roads.column,
        (Kind::LightGun, Formation::Unlimbered) => roads.light_gun,
        (Kind::MediumGun | Kind::Howitzer, Formation::Unlimbered) => roads.medium_gun,
        _ => return None,
    };
    Some(far.length())
}

/// The road from a place on, in the direction nearest to a heading, for some length.
fn road_ahead(battle: &Battle, from: Vec2, heading: Heading, length: f64) -> Vec<Vec2> {
    let (mut way, mut here, mut facing, mut left) = (Vec::new(), from, heading.unit(), length);
    let mut walked: Vec<(u16, usize)> = Vec::new();
    while left > 0.0 {
        let mut best: Option<(f64, (u16, usize), Vec2)> = None;
        for feature in battle.fixed.ground.features() {
            let FeatureShape::Line { points, .. } = &feature.shape else { continue };
            if !battle.fixed.lands[usize::from(feature.id.0)].road {
                continue;
            }
            for (n, pair) in points.windows(2).enumerate() {
                let stretch = Segment::new(pair[0].v(), pair[1].v());
                if walked.contains(&(feature.id.0, n)) || stretch.distance(here) > JOINT.f() {
                    continue;
                }
                let along = (stretch.b - stretch.a).unit();
                let end = if along.dot(facing) >= 0.0 { stretch.b } else { stretch.a };
                let turn = along.dot(facing).abs();
                // Straightest on first; a piece that has nothing more ahead leads nowhere.
                if (end - here).length() > 2.0 && turn > 0.2 && best.is_none_or(|(held, _, _)| turn > held) {
                    best = Some((turn, (feature.id.0, n), end));
                }
            }
        }
        let Some((_, piece, end)) = best else { break };
        walked.push(piece);
        left -= (end - here).length();
        facing = (end - here).unit();
        here = end;
        way.push(end);
    }
    way
}

/// The way of a column along its road: from its last base to its first, and on.
fn road_way(battle: &Battle, unit: UnitId, length: Length) -> Vec<Vec2> {
    let figure = battle.figure(unit);
    let mut way: Vec<Vec2> = figure.bases.iter().rev().map(|base| base.centre()).collect();
    let head = way.last().copied().unwrap_or(figure.centre());
    way.extend(road_ahead(battle, head, battle.brigade(unit).pose.heading, length.f() + Length::inches(1).f()));
    way
}

/// Where a column stands that has marched so far along its way; nothing where the way ends.
fn along_road(battle: &Battle, unit: UnitId, way: &[Vec2], by: Length) -> Option<Pose> {
    let brigade = battle.brigade(unit);
    let ranks = f64::from(brigade.bases.max(1) - 1);
    let length = brigade.depth.f() * ranks;
    let head = place_on(way, length + by.f())?;
    // A single model looks along the piece it is on.
    let (behind, ahead) = if ranks > 0.0 {
        (place_on(way, by.f())?, head)
    } else {
        (place_on(way, (by.f() - 1_000.0).max(0.0))?, place_on(way, by.f().max(1_000.0))?)
    };
    let heading = Heading::toward(behind, ahead);
    Some(Pose::new(Point::rounded(head + heading.unit() * (brigade.depth.f() / 2.0)), heading))
}

/// How far a unit may march along its road, and the way.
fn road_reach(battle: &Battle, unit: UnitId, double: bool) -> Result<(Length, Vec<Vec2>), Refusal> {
    movement::may_go(battle, unit)?;
    along_the_road(battle, unit, double)
}

fn along_the_road(battle: &Battle, unit: UnitId, double: bool) -> Result<(Length, Vec<Vec2>), Refusal> {
    decides!(MB_MOV_21, MB_TER_10);
    let brigade = battle.brigade(unit);
    let Some(single) = road_distance(battle, unit) else {
        return no(MB_MOV_21, "only a march column, a limbered gun or a light or medium one marches along a road");
    };
    if !battle.on_road(battle.figure(unit)) {
        return no(MB_MOV_21, "it does not stand on a road");
    }
    if brigade.marks.share.half || brigade.marks.share.spent > Length::ZERO || brigade.marks.share.dice.is_some() {
        battle.forbid(MB_MAN_01, "part of its move is used up")?;
    }
    if double && !movement::may_double(battle, unit) {
        battle.forbid(MB_MOV_14, "enemy are within 6 inches")?;
    }
    let most = if double { single * 2 } else { single };
    let way = road_way(battle, unit, most);
    // Just 6 inches from enemy is as far as a double move goes (MB-MOV-15). Skirmishers fall back before a column (MB-MOV-30).
    let near = battle.fixed.numbers.near.length() - HAIR - Length::um(5);
    let free = |by: Length| {
        along_road(battle, unit, &way, by).filter(|pose| {
            let figure = Figure::of(brigade, *pose);
            battle.on_road(&figure)
                && passable(battle, unit, &figure)
                && !battle.too_near_of(unit, &figure, |enemy| !falls_back(battle, unit, enemy))
                && !(double && !battle.memo.waives() && battle.enemy_within(brigade.side, &figure, near))
        })
    };
    // It may march through friends, and not stop among them.
    let (mut at, mut reached) = (Length::ZERO, Length::ZERO);
    while at < most
        && let Some(pose) = free((at + STEP).min(most))
    {
        at = (at + STEP).min(most);
        if may_halt(battle, unit, &Figure::of(brigade, pose)) {
            reached = at;
        }
    }
    // Between two looks, the place where it must halt to a hair.
    if at < most {
        // An enemy who is too near by less than a hair is forgiven where it stands, not in going there.
        let stays = |enemy: UnitId| !falls_back(battle, unit, enemy);
        let halts = |pose: &Pose| battle.too_near_of(unit, &Figure::of(brigade, pose.ahead(HAIR)), stays);
        let goes = |by: Length| free(by).filter(|pose| !halts(pose)).is_some();
        let (mut low, mut high) = (at, (at + STEP).min(most));
        while high - low > Length::um(1) {
            let middle = low + (high - low).half();
            if goes(middle) { low = middle } else { high = middle }
        }
        let stands = |pose: Pose| may_halt(battle, unit, &Figure::of(brigade, pose));
        if low >= STEP.half() && free(low).is_some_and(stands) {
            reached = low;
        }
    }
    if reached == Length::ZERO {
        return no(MB_MOV_21, "the road leads no further for it");
    }
    Ok((kept_by_orders(battle, unit, &way, reached)?, way))
}

/// How far of a march along a road the orders of a brigade allow (MB-ORD-02, MB-ORD-03).
fn kept_by_orders(battle: &Battle, unit: UnitId, way: &[Vec2], most: Length) -> Result<Length, Refusal> {
    let brigade = battle.brigade(unit);
    let there = |by: Length| along_road(battle, unit, way, by).map(|pose| Figure::of(brigade, pose));
    let Some(Err(refusal)) = there(most).map(|figure| orders::keeps_to(battle, unit, &figure)) else { return Ok(most) };
    let good = |by: Length| {
        there(by)
            .is_some_and(|figure| orders::keeps_to(battle, unit, &figure).is_ok() && may_halt(battle, unit, &figure))
    };
    let looks: Vec<Length> = looks(most).skip(1).collect();
    let Some(last) = looks.iter().rposition(|by| good(*by)) else { return Err(refusal) };
    let (mut low, mut high) = (looks[last], looks.get(last + 1).copied().unwrap_or(most));
    while high - low > Length::um(1) {
        let middle = low + (high - low).half();
        *(if good(middle) { &mut low } else { &mut high }) = middle;
    }
    Ok(low)
}

/// Whether an enemy falls back before a formed mover, or may (MB-MOV-30).
fn falls_back(battle: &Battle, mover: UnitId, enemy: UnitId) -> bool {
    battle.brigade(mover).is_formed() && battle.brigade(enemy).skirmishes()
}

/// Whether a march may end there, as far as its side knows: those who fall back before it will have done so.
fn may_halt(battle: &Battle, unit: UnitId, figure: &Figure) -> bool {
    battle.stands_among(unit, figure, |one| !falls_back(battle, unit, one))
}

/// Whether a figure could be there on its way: on nobody but friends, on no ground that stops it.
fn passable(battle: &Battle, unit: UnitId, figure: &Figure) -> bool {
    let side = battle.brigade(unit).side;
    battle.fixed.table.on_table(figure) == OnTable::Wholly
        && !battle
            .enemies_around(side, figure.bounds(), HAIR)
            .filter(|one| !falls_back(battle, unit, *one))
            .any(|one| options::is_known(battle, one) && overlapping(figure, battle.figure(one)))
        && !battle.fixed.ground.near(&figure.bounds()).any(|lie| battle.stops_on(unit, figure, &lie))
}

/// The friends that a march leads through.
fn friends_on_road(battle: &Battle, unit: UnitId, way: &[Vec2], by: Length) -> SmallVec<[UnitId; 4]> {
    let brigade = battle.brigade(unit);
    let mut passed = SmallVec::new();
    for step in 1..=by.to_um() / STEP.to_um() {
        let Some(pose) = along_road(battle, unit, way, STEP * step) else { break };
        let figure = Figure::of(brigade, pose);
        for friend in battle.friends_around(brigade.side, figure.bounds(), HAIR).filter(|one| *one != unit) {
            if !passed.contains(&friend) && overlapping(&figure, battle.figure(friend)) {
                passed.push(friend);
            }
        }
    }
    passed
}

pub(crate) fn road_input(battle: &Battle, unit: UnitId, double: bool) -> Result<Input, Refusal> {
    let (most, _) = road_reach(battle, unit, double)?;
    let stop = Stop { at: most, why: "as far as the road takes it".into(), clause: MB_MOV_21 };
    Ok(Input::Distance { least: STEP.half(), most, stops: vec![stop] })
}

/// Whether a unit whose last move was along a road has road left to repeat it (MB-CTL-14).
pub(crate) fn repeats_road(battle: &Battle, unit: UnitId) -> Option<Length> {
    let brigade = battle.brigade(unit);
    let repeats = brigade.marks.control.by == crate::brigade::Charge::Repeats && !brigade.marks.control.halted;
    if brigade.last_move != LastMove::Road || !repeats {
        return None;
    }
    along_the_road(battle, unit, movement::may_double(battle, unit)).ok().map(|(most, _)| most)
}

/// The place so far along a way.
fn place_on(way: &[Vec2], mut left: f64) -> Option<Vec2> {
    for pair in way.windows(2) {
        let length = (pair[1] - pair[0]).length();
        if left <= length {
            return Some(pair[0].toward(pair[1], if length > 0.0 { left / length } else { 0.0 }));
        }
        left -= length;
    }
    (left <= 2.0).then(|| way.last().copied()).flatten()
}

/// A unit marches along its road.
pub(crate) fn march(play: &mut Play<'_>, unit: UnitId, double: bool, by: Option<Length>) -> Result<(), Halt> {
    let input = road_input(play.battle(), unit, double)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&Value::Distance(by), Unit::Inch)?;
    march_on(play, unit, Course::road(double), by)
}

/// So far along a way it is looked at, one look after another: where it begins, at every step, and where it ends.
pub(crate) fn looks(by: Length) -> impl Iterator<Item = Length> {
    (0..=by.to_um() / STEP.to_um()).map(|n| STEP * n).filter(move |at| *at < by).chain([by])
}

/// Where a unit stands that has marched so far along its road.
pub(crate) fn places(battle: &Battle, unit: UnitId, most: Length) -> impl Fn(Length) -> Option<Figure> + '_ {
    let way = road_way(battle, unit, most);
    move |by| along_road(battle, unit, &way, by).map(|pose| Figure::of(battle.brigade(unit), pose))
}

/// A unit marches along its road, or goes on doing so, unless enemy foot across whose front that leads must first be asked
/// (MB-FOO-04).
pub(crate) fn march_on(play: &mut Play<'_>, unit: UnitId, course: Course, by: Length) -> Result<(), Halt> {
    if passing::ask_by_road(play, unit, course, by, Vec::new()) { Ok(()) } else { go(play, unit, course, by) }
}

/// The march itself, until it is done or a skirmisher may fall back before it.
pub(crate) fn go(play: &mut Play<'_>, unit: UnitId, course: Course, wanted: Length) -> Result<(), Halt> {
    let (battle, by) = (play.battle(), wanted);
    let double = course == Course::DoubleRoad;
    let way = road_way(battle, unit, by);
    let fits = |by: &Length| {
        along_road(battle, unit, &way, *by).is_some_and(|pose| {
            let figure = Figure::of(battle.brigade(unit), pose);
            battle.on_road(&figure) && battle.stands(unit, &figure) && !battle.too_near(unit, &figure)
        })
    };
    // Up to where skirmishers stand in its way, who may fall back.
    let free = |by: &Length| {
        let pose = along_road(battle, unit, &way, *by);
        let figure = pose.map(|pose| Figure::of(battle.brigade(unit), pose));
        figure.is_some_and(|figure| {
            !battle.too_near(unit, &figure)
                && !battle
                    .enemies_around(battle.brigade(unit).side, figure.bounds(), HAIR)
                    .any(|enemy| options::is_known(battle, enemy) && overlapping(&figure, battle.figure(enemy)))
        })
    };
    let by = looks(by).skip(1).take_while(free).last().unwrap_or(Length::ZERO);
    let stages = (1..=by.to_um() / STEP.to_um()).map(|step| STEP * step);
    let there = |by: Length| {
        let pose = along_road(battle, unit, &way, by).unwrap_or(battle.brigade(unit).pose);
        Figure::of(battle.brigade(unit), pose)
    };
    let by = ambush::halted(battle, unit, stages, there, by);
    // Between two looks at the way a corner may graze something, and among friends it cannot stop: then the look before.
    let shorter = (0..=by.to_um() / STEP.to_um()).rev().map(|step| STEP * step);
    let by = std::iter::once(by).chain(shorter).find(fits).unwrap_or(Length::ZERO);
    if let Some(to) = along_road(battle, unit, &way, by).filter(|_| by > Length::ZERO) {
        let passed = friends_on_road(battle, unit, &way, by);
        let stood: Vec<Figure> = looks(by).map(there).collect();
        let spent = battle.brigade(unit).marks.share.spent + by;
        play.happen(Event::Marched { unit, to, spent, double });
        pay_for_way(play, unit, &Reach::through(by, passed))?;
        capture_along(play, unit, &stood);
    }
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    let (heading, left) = (play.battle().brigade(unit).pose.heading, wanted - by);
    if skirmish::press(play, unit, heading, course, left)? && left > Length::ZERO {
        return go(play, unit, course, left);
    }
    if play.battle().approach().is_none() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A unit repeats its march along the road at full length.
pub(crate) fn repeat(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let Some(most) = repeats_road(play.battle(), unit) else {
        return Err(Refusal::new(MB_CTL_14, "there is no road left to march along").into());
    };
    let double = movement::may_double(play.battle(), unit);
    march_on(play, unit, Course::road(double), most)
}
