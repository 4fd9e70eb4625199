//! Moves that results force on units: retirements, routs, runaways (HZ-ENG-36 to HZ-ENG-39, HZ-CHK-22 to HZ-CHK-30,
//! HZ-ROU-01 to HZ-ROU-12, HZ-BLO-10 to HZ-BLO-14).

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_table::{
    Face, Heading, Length, OnTable, Placed, Point, Pose, Vec2, exact_distance, meetings, overlapping, way_to,
};
use smallvec::SmallVec;

use super::{Play, advance, checks, detour, engage, harm, rally};
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::state::{ForcedMove, Phase, Stage};
use crate::table::shape::Shape;
use crate::table::{Field, contact, ground, shape, support, track, zones};
use crate::terrain::{Crossing, Going, Kind};
use crate::troops::{Arm, Formation};

/// The units that must still move: the phasing side's first (HZ-ENG-48).
#[must_use]
pub fn waiting(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    for side in [battle.phasing, battle.phasing.other()] {
        let units: SmallVec<[UnitId; 8]> = battle
            .present(side)
            .filter(|&id| battle.unit(id).must_move.is_some_and(|forced| forced != ForcedMove::Rout))
            .collect();
        if !units.is_empty() {
            return units;
        }
    }
    SmallVec::new()
}

/// Which of them goes first is for their owner to say.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in waiting(battle) {
        out.push(Offer::FallBack(unit));
        if may_stay(battle, unit) {
            out.push(Offer::Stay(unit));
        }
    }
}

/// A garrison of a strong point may stay, unless the army itself failed its check (HZ-CHK-28).
#[must_use]
pub fn may_stay(battle: &Battle, unit: UnitId) -> bool {
    let army = battle.lay.armies[battle.facts(unit).side.index()].command;
    let army_failed = battle.command(army).checked && battle.command(army).passed == Some(false);
    let strong = battle
        .unit(unit)
        .sector
        .is_some_and(|n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Buildings { strong: true, .. }));
    battle.unit(unit).must_move == Some(ForcedMove::CheckRetire) && strong && !army_failed
}

/// The next forced move; where only one unit has to move it does so at once.
pub(crate) fn next(play: &mut Play<'_>) -> Result<(), Halt> {
    loop {
        let units = waiting(play.battle());
        match units.as_slice() {
            [] => break,
            [only] if !may_stay(play.battle(), *only) => carry_out(play, *only),
            _ => {
                play.happen(Event::Now { stage: Stage::FallBack });
                return Ok(());
            }
        }
    }
    if play.battle().doing.phase == Some(Phase::Rally) { checks::next(play) } else { engage::next(play) }
}

/// A unit makes its move.
pub(crate) fn go(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    carry_out(play, unit);
    next(play)
}

/// A garrison stays where it is.
pub(crate) fn stay(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    play.happen(Event::MustMove { unit, forced: None });
    next(play)
}

fn carry_out(play: &mut Play<'_>, unit: UnitId) {
    let forced = play.battle().unit(unit).must_move;
    play.happen(Event::MustMove { unit, forced: None });
    match forced {
        Some(ForcedMove::Retire(way)) => retire(play, unit, Heading::hundredths(i32::from(way)), HZ_ENG_47),
        Some(ForcedMove::FirstRout(way)) => first_rout(play, unit, Heading::hundredths(i32::from(way))),
        Some(ForcedMove::Rout) => rout_on(play, unit),
        Some(ForcedMove::CheckRetire) => check_retire(play, unit),
        None => {}
    }
}

/// A unit becomes a mob where it stands: its column's footprint on the old centre (HZ-ROU-01).
pub(crate) fn turn_to_mob(play: &mut Play<'_>, unit: UnitId) {
    let pose = mob_pose(play.battle(), unit, play.battle().unit(unit).pose.heading);
    play.happen(Event::Routs { unit, pose });
}

fn mob_pose(battle: &Battle, unit: UnitId, heading: Heading) -> Pose {
    let depth = battle.facts(unit).footprints[Formation::Mob.index()].depth();
    shape::pose_about(shape::centre_of(&battle.placed(unit)), heading, depth)
}

// ------------------------------------------------------------------ retiring

/// One whole move away, facing the enemy; through friends where it must (HZ-ENG-37, HZ-ENG-38).
fn retire(play: &mut Play<'_>, unit: UnitId, way: Heading, off: Clause) {
    let battle = play.battle();
    let state = battle.unit(unit);
    let centre = shape::centre_of(&battle.placed(unit));
    // A garrison comes out of its sector in column (HZ-CHK-27).
    let formation = if state.formation == Formation::Garrison { Formation::Column } else { state.formation };
    let turns = state.pose.heading.reversed() != way && formation != Formation::Square;
    let start = if turns || formation != state.formation {
        let heading = if turns { way.reversed() } else { state.pose.heading };
        shape::pose_about(centre, heading, battle.facts(unit).footprints[formation.index()].depth())
    } else {
        state.pose
    };
    withdraw(play, unit, formation, start, way, off);
}

/// Moves a unit without turning it any further, prolonged until it is clear of friends, with all that follows. Where there is no room at
/// all it stays as it was.
fn withdraw(play: &mut Play<'_>, unit: UnitId, formation: Formation, from: Pose, way: Heading, off: Clause) {
    let mut legs = detour::legs(play.battle(), unit, formation, from, way);
    let (way, distance) = legs.pop().unwrap_or((way, Length::ZERO));
    // Round ground it cannot cross it goes in several stretches (HZ-TER-16).
    let mut passed = detour::passed(play.battle(), unit, &play.battle().placed_as(unit, formation, from), &legs);
    let from = legs.iter().fold(from, |pose, &(way, distance)| pose.moved(way, distance));
    let battle = play.battle();
    let start = battle.placed_as(unit, formation, from);
    let along = way.unit();
    let Some(end) = clear_end(battle, unit, &start, along, distance) else { return };
    let pose = from.moved(way, end);
    if formation != battle.unit(unit).formation {
        play.happen(Event::Formed { unit, formation, pose });
    } else if pose != battle.unit(unit).pose {
        play.happen(Event::Moved { unit, pose, done: 0 });
    }
    let touched = advance::friends_touched(play.battle(), unit, &start, along, end, true);
    passed.retain(|friend| !touched.contains(friend));
    passed.extend(touched);
    advance::stagger_friends(play, unit, &passed);
    if !play.battle().is_present(unit) {
        return;
    }
    shift_officers(play, unit);
    if play.battle().lay.table.on_table(&play.battle().placed(unit)) != OnTable::Wholly {
        harm::break_unit(play, unit, Presence::RetiredOff, off);
    }
}

/// How far a forced move goes so that it ends on nobody: on until just clear beyond a friend, or else back; nothing where there is no
/// room at all.
fn clear_end(battle: &Battle, unit: UnitId, start: &Placed, along: Vec2, distance: Length) -> Option<Length> {
    let field = Field::of(battle);
    let free = |at: Length| {
        let there = track::moved(start, along, at);
        field.all().all(|(id, other)| {
            if id == unit {
                return true;
            }
            let friend = battle.facts(id).side == battle.facts(unit).side;
            if friend {
                !overlapping(&there, other)
            } else {
                exact_distance(&there, other) > battle.lay.sizes.touch.f()
            }
        }) && bears(battle, unit, &there)
    };
    let step = Length::mm(5);
    if free(distance) {
        return Some(distance);
    }
    let most = distance + Length::cm(60);
    let mut at = distance;
    while at < most {
        at += step;
        if free(at) {
            return Some(at);
        }
        let there = track::moved(start, along, at);
        if field.enemies(unit).any(|(_, enemy)| overlapping(&there, enemy)) || !bears(battle, unit, &there) {
            break;
        }
    }
    let mut at = distance;
    while at > Length::ZERO {
        at = (at - step).max(Length::ZERO);
        if free(at) {
            return Some(at);
        }
    }
    None
}

/// Whether the ground bears a unit there.
fn bears(battle: &Battle, unit: UnitId, placed: &Placed) -> bool {
    if battle.lay.terrain.is_empty() {
        return true;
    }
    let troop = battle.troop(unit);
    let here = battle.placed(unit);
    let (now, then) = (ground::Lies::under(battle, &here), ground::Lies::under(battle, placed));
    then.in_any().iter().all(|&n| {
        let kind = battle.lay.terrain[usize::from(n)].kind;
        now.is_in(n)
            || !(matches!(kind.going(&troop), Going::Barred(_))
                || matches!(kind.crossing(&troop), Some(Crossing::Barred(_))))
    })
}

/// Friendly officers make room for a unit that has come to stand on them.
fn shift_officers(play: &mut Play<'_>, unit: UnitId) {
    let nothing = sabretache_table::Convex::place(Vec2::new(-9e9, -9e9));
    advance::run_over_officers(play, unit, &nothing);
}

/// One full move because the command failed its check: directly away the first time, towards home after (HZ-CHK-22 to HZ-CHK-25).
fn check_retire(play: &mut Play<'_>, unit: UnitId) {
    let battle = play.battle();
    let field = Field::of(battle);
    let nearest = support::nearest_enemy(&field, unit);
    let again = battle.unit(unit).fell_back;
    let Some(placed) = field.get(unit) else { return };
    let facing = battle.unit(unit).pose.heading;
    let way = match nearest.and_then(|enemy| field.get(enemy)) {
        Some(there) if !again => {
            let ahead =
                shape::corners(there).iter().any(|&corner| (corner - placed.pose().at.v()).dot(placed.forward()) > 0.0);
            if ahead { facing.reversed() } else { Heading::toward(there.centre(), placed.centre()) }
        }
        _ => {
            let home = battle.command_facts(battle.facts(unit).brigade).communication.v();
            Heading::toward(placed.centre(), home)
        }
    };
    drop(field);
    play.happen(Event::FellBack { unit });
    if play.battle().facts(unit).arm == Arm::Artillery {
        // Guns limber and drive off facing the way they go (HZ-CHK-24).
        let battle = play.battle();
        let depth = battle.facts(unit).footprints[Formation::MarchColumn.index()].depth();
        let start = shape::pose_about(shape::centre_of(&battle.placed(unit)), way, depth);
        withdraw(play, unit, Formation::MarchColumn, start, way, HZ_CHK_30);
    } else {
        retire(play, unit, way, HZ_CHK_30);
    }
}

// ------------------------------------------------------------------ routing

/// Straight away from the enemy, whatever the ground costs, round enemies and what cannot be crossed (HZ-ROU-02 to HZ-ROU-06).
fn first_rout(play: &mut Play<'_>, unit: UnitId, way: Heading) {
    let battle = play.battle();
    let centre = Point::rounded(shape::centre_of(&battle.placed(unit)));
    let budget = battle.allowance_as(unit, Formation::Mob);
    let goal = centre.along(way, budget);
    run(play, unit, goal, budget, false, false);
}

/// One move towards home, over the ground as it is (HZ-ROU-07 to HZ-ROU-11).
pub(crate) fn rout_on(play: &mut Play<'_>, unit: UnitId) {
    let battle = play.battle();
    let goal = battle.command_facts(battle.facts(unit).brigade).communication;
    let budget = battle.allowance_as(unit, Formation::Mob);
    run(play, unit, goal, budget, true, true);
}

/// What a mob goes round: enemies, and ground it cannot cross.
fn obstacles<'a>(field: &'a Field<'a>, unit: UnitId, enemies: bool) -> Vec<Shape<'a>> {
    let battle = field.battle;
    let troop = battle.troop_as(unit, Formation::Mob);
    let here = field.get(unit);
    let mut all: Vec<Shape<'a>> = Vec::new();
    if enemies {
        all.extend(field.enemies(unit).map(|(_, enemy)| Shape::Unit(enemy)));
    }
    for lie in battle.lay.ground.all() {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        let barred = matches!(kind.going(&troop), Going::Barred(_))
            || matches!(kind.crossing(&troop), Some(Crossing::Barred(_)));
        let bridged =
            matches!(kind, Kind::Water { .. }) && battle.lay.terrain.iter().any(|one| one.kind == Kind::Crossing);
        let inside = here.is_some_and(|placed| overlapping(placed, &lie));
        if barred && !bridged && !inside && kind != Kind::Crossing {
            all.push(Shape::Ground(lie));
        }
    }
    all
}

/// A mob runs towards a goal; friends in its way are disordered, and it with them.
fn run(play: &mut Play<'_>, unit: UnitId, goal: Point, budget: Length, home: bool, costs: bool) {
    let (path, detour, shut_in) = {
        let field = Field::of(play.battle());
        let battle = play.battle();
        let Some(placed) = field.get(unit) else { return };
        let room = Length::rounded(placed.face(Face::Front).length() / 2.0);
        let from = Point::rounded(placed.centre());
        let enemies = obstacles(&field, unit, true);
        let plain = obstacles(&field, unit, false);
        let way = way_to(from, goal, room, &enemies)
            .or_else(|| way_to(from, near_goal(battle, from, goal, &enemies), room, &enemies));
        let direct = way_to(from, goal, room, &plain);
        let detour = match (&way, &direct) {
            (Some(way), Some(direct)) => way.length > direct.length + Length::mm(1),
            _ => false,
        };
        (way.map(|way| way.points), detour, field.enemies(unit).next().is_some())
    };
    let Some(points) = path else {
        // No way out: broken if enemies have a part in it, otherwise it stays (HZ-ROU-05).
        if shut_in {
            harm::break_unit(play, unit, Presence::Shattered, HZ_ROU_05);
        }
        return;
    };
    if home && detour {
        let by = play.battle().numbers().detour_staggers;
        if !harm::stagger(play, unit, by, HZ_ROU_10) {
            return;
        }
    }
    let walked = walk(play.battle(), unit, &points, budget, costs);
    let reached = home && walked.last().is_some_and(|&last| last.distance(goal) <= Length::mm(1));
    trample(play, unit, &walked);
    if !play.battle().is_present(unit) {
        return;
    }
    settle_mob(play, unit, &walked);
    if !play.battle().is_present(unit) {
        return;
    }
    shift_officers(play, unit);
    let off = play.battle().lay.table.on_table(&play.battle().placed(unit)) != OnTable::Wholly;
    if off || reached {
        harm::break_unit(play, unit, Presence::RoutedOff, HZ_ROU_11);
    }
}

/// A goal that is in the enemy's hands or under impassable ground is made for as near as it can be reached.
fn near_goal(battle: &Battle, from: Point, goal: Point, obstacles: &[Shape<'_>]) -> Point {
    let whole = from.distance(goal).f();
    let mut back = 0.0;
    while back < whole {
        let spot = Point::rounded(goal.v().toward(from.v(), back / whole));
        let free = obstacles
            .iter()
            .all(|shape| exact_distance(&sabretache_table::Convex::place(spot.v()), shape) > battle.lay.band.f());
        if free {
            return spot;
        }
        back += 20_000.0;
    }
    from
}

/// The part of a path that so much movement buys; obstacles stop it where the ground is paid for (HZ-ROU-09).
fn walk(battle: &Battle, unit: UnitId, points: &[Point], budget: Length, costs: bool) -> Vec<Point> {
    let mut walked = vec![points.first().copied().unwrap_or_default()];
    let mut left = budget.f();
    let troop = battle.troop_as(unit, Formation::Mob);
    for pair in points.windows(2) {
        let (from, to) = (pair[0].v(), pair[1].v());
        let length = (to - from).length();
        if length < 1.0 {
            continue;
        }
        let step = if costs && !battle.lay.terrain.is_empty() { 5_000.0f64.min(length) } else { length };
        let mut done = 0.0;
        while done < length && left > 0.5 {
            let next = (done + step).min(length);
            let (a, b) = (from.toward(to, done / length), from.toward(to, next / length));
            let mut rate = 1.0;
            if costs && !battle.lay.terrain.is_empty() {
                let place = from.toward(to, (done + next) / 2.0 / length);
                let half = battle.lay.ground.at(place).any(|lie| {
                    let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
                    if ground::eases(battle, lie.feature.id.0, &troop, a, b) {
                        return false;
                    }
                    matches!(kind.going(&troop), Going::Half)
                        || matches!(kind.crossing(&troop), Some(Crossing::HalfInside | Crossing::HalfOrder))
                });
                rate = if half { 2.0 } else { 1.0 };
                let stopped = done > 0.0
                    && battle.lay.terrain.iter().any(|terrain| {
                        terrain.kind.crossing(&troop).is_some()
                            && terrain.line.windows(2).any(|leg| contact::crosses(a, b, leg[0].v(), leg[1].v()))
                    });
                if stopped {
                    walked.push(Point::rounded(a));
                    return walked;
                }
            }
            let pays = (next - done) * rate;
            if pays > left {
                walked.push(Point::rounded(from.toward(to, (done + left / rate) / length)));
                return walked;
            }
            left -= pays;
            done = next;
        }
        if done < length {
            // The movement is used up on the way.
            walked.push(Point::rounded(from.toward(to, done / length)));
            break;
        }
        walked.push(pair[1]);
        if left <= 0.5 {
            break;
        }
    }
    walked
}

/// Friends that the mob runs through, in the order in which it meets them (HZ-ROU-06).
fn trample(play: &mut Play<'_>, unit: UnitId, points: &[Point]) {
    let met = {
        let field = Field::of(play.battle());
        let footprint = play.battle().facts(unit).footprints[Formation::Mob.index()].clone();
        let mut met: Vec<(f64, UnitId)> = Vec::new();
        let mut gone = 0.0;
        let mut found = SmallVec::new();
        for pair in points.windows(2) {
            let way = (pair[1].v() - pair[0].v()).unit();
            let length = (pair[1].v() - pair[0].v()).length();
            if length < 1.0 {
                continue;
            }
            let heading = Heading::toward(pair[0].v(), pair[1].v());
            let mover = Placed::new(&footprint, shape::pose_about(pair[0].v(), heading, footprint.depth()));
            for (friend, there) in field.friends(unit) {
                found.clear();
                meetings(&mover, way, length, there, &mut found);
                let first = found.iter().map(|meeting| meeting.from.max(0.0)).fold(f64::INFINITY, f64::min);
                if first <= length && !met.iter().any(|(_, id)| *id == friend) {
                    met.push((gone + first, friend));
                }
            }
            gone += length;
        }
        met.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        met
    };
    let by = play.battle().numbers().rout_staggers;
    for (_, friend) in met {
        harm::stagger(play, friend, by, HZ_ROU_06);
        if !harm::stagger(play, unit, by, HZ_ROU_06) {
            return;
        }
    }
}

/// Puts the mob where it ends, facing the way it ran, on nobody's ground.
fn settle_mob(play: &mut Play<'_>, unit: UnitId, points: &[Point]) {
    let battle = play.battle();
    let (Some(&last), Some(&first)) = (points.last(), points.first()) else { return };
    let before = points.iter().rev().find(|&&point| point != last).copied().unwrap_or(first);
    let heading = if before == last { battle.unit(unit).pose.heading } else { Heading::toward(before.v(), last.v()) };
    let depth = battle.facts(unit).footprints[Formation::Mob.index()].depth();
    let wanted = battle.placed_as(unit, Formation::Mob, shape::pose_about(last.v(), heading, depth));
    let along = heading.unit();
    let field = Field::of(battle);
    let free = |placed: &Placed| {
        field.all().all(|(id, other)| {
            if id == unit {
                return true;
            }
            if battle.facts(id).side == battle.facts(unit).side {
                !overlapping(placed, other)
            } else {
                exact_distance(placed, other) > battle.lay.sizes.touch.f()
            }
        })
    };
    // On until clear beyond a friend, else back along its way, else wherever there is room nearest to where it ended.
    let step = 5_000.0;
    let mut best = None;
    for n in 0..=120 {
        let ahead = track::moved(&wanted, along, Length::rounded(step * f64::from(n)));
        if free(&ahead) {
            best = Some(ahead);
            break;
        }
    }
    if best.is_none() {
        for n in 1..=400 {
            let back = track::moved(&wanted, along * -1.0, Length::rounded(step * f64::from(n)));
            if free(&back) {
                best = Some(back);
                break;
            }
        }
    }
    if best.is_none() {
        'search: for ring in 1..=60 {
            for eighth in 0..16 {
                let way = Heading::hundredths(eighth * 2_250).unit();
                let spot = track::moved(&wanted, way, Length::rounded(10_000.0 * f64::from(ring)));
                if free(&spot) {
                    best = Some(spot);
                    break 'search;
                }
            }
        }
    }
    let pose = best.map(|placed| placed.pose());
    match pose {
        Some(pose) => play.happen(Event::Formed { unit, formation: Formation::Mob, pose }),
        None => harm::break_unit(play, unit, Presence::Shattered, HZ_ROU_05),
    }
}

// ------------------------------------------------------------------ cavalry out of control

/// Cavalry whose recall failed runs at the enemy (HZ-BLO-11, HZ-BLO-12).
pub(crate) fn run_away(play: &mut Play<'_>, unit: UnitId) {
    play.happen(Event::Forced { unit, order: None, clause: HZ_BLO_10 });
    let (points, began) = {
        let field = Field::of(play.battle());
        let battle = play.battle();
        let Some(placed) = field.get(unit) else { return };
        let goal = battle.lay.armies[battle.facts(unit).side.other().index()].communication;
        let from = Point::rounded(placed.centre());
        let room = Length::rounded(placed.face(Face::Front).length() / 2.0);
        let plain = obstacles(&field, unit, false);
        let way = way_to(from, goal, room, &plain).map_or_else(|| vec![from], |way| way.points);
        (walk(battle, unit, &way, battle.allowance_as(unit, Formation::Mob), true), zones::zones_on(&field, unit))
    };
    // Step by step until a new zone, an enemy or the end stops it.
    let mut path: Vec<Point> = vec![points.first().copied().unwrap_or_default()];
    let mut further: Option<f64> = None;
    'path: for pair in points.windows(2) {
        let length = (pair[1].v() - pair[0].v()).length();
        let heading = Heading::toward(pair[0].v(), pair[1].v());
        let depth = play.battle().facts(unit).footprints[Formation::Mob.index()].depth();
        let mut done = 0.0;
        while done < length {
            let step = 5_000.0f64.min(length - done);
            done += step;
            let place = pair[0].v().toward(pair[1].v(), done / length);
            let placed = play.battle().placed_as(unit, Formation::Mob, shape::pose_about(place, heading, depth));
            let field = Field::with(play.battle(), unit, placed.clone());
            let touch = play.battle().lay.sizes.touch.f();
            if field.enemies(unit).any(|(_, enemy)| exact_distance(&placed, enemy) <= touch) {
                break 'path;
            }
            path.push(Point::rounded(place));
            let new_zone =
                field.enemies(unit).any(|(enemy, _)| !began.contains(&enemy) && zones::threatens(&field, enemy, unit));
            if new_zone && further.is_none() {
                further = Some(play.battle().facts(unit).stand_depth.f());
            }
            if let Some(left) = &mut further {
                *left -= step;
                if *left <= 0.0 {
                    break 'path;
                }
            }
        }
    }
    trample(play, unit, &path);
    if !play.battle().is_present(unit) {
        return;
    }
    settle_mob(play, unit, &path);
    if !play.battle().is_present(unit) {
        return;
    }
    close_up(play, unit);
    let placed = play.battle().placed(unit);
    advance::run_over_officers(play, unit, &sabretache_table::Convex::hull(&shape::corners(&placed)));
    if play.battle().lay.table.on_table(&play.battle().placed(unit)) != OnTable::Wholly {
        harm::break_unit(play, unit, Presence::RoutedOff, HZ_BLO_11);
    }
}

/// A runaway that is stopped right before an enemy closes with him.
fn close_up(play: &mut Play<'_>, unit: UnitId) {
    let battle = play.battle();
    let placed = battle.placed(unit);
    let along = placed.forward();
    let field = Field::of(battle);
    let gap = field
        .enemies(unit)
        .filter_map(|(_, enemy)| sabretache_table::first_contact(&placed, along, 12_000.0, enemy))
        .fold(f64::INFINITY, f64::min);
    let friends = field
        .friends(unit)
        .filter_map(|(_, friend)| sabretache_table::first_contact(&placed, along, 12_000.0, friend))
        .fold(f64::INFINITY, f64::min);
    drop(field);
    if gap.is_finite() && gap <= friends {
        let pose = placed.pose().ahead(Length::floored(gap));
        play.happen(Event::Moved { unit, pose, done: 0 });
        play.happen(Event::Spent { unit, clause: HZ_BLO_13 });
    }
}

/// The routing units that have still to run on.
pub(crate) fn routs(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    battle.present(battle.phasing).filter(|&id| battle.unit(id).must_move == Some(ForcedMove::Rout)).collect()
}

/// One of them runs.
pub(crate) fn rout(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    play.happen(Event::MustMove { unit, forced: None });
    rout_on(play, unit);
    rally::next_rout(play)
}
