//! Routs: away from the enemy at first, later towards the line of communication (HZ-ROU-01 to HZ-ROU-13).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_table::{Heading, Length, OnTable, Placed, Point, Pose, first_contact, nearer, overlapping};
use smallvec::SmallVec;

use super::fallback::shift_officers;
use super::route::Route;
use super::{Play, harm, path, rally, room};
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::{
    HZ_ENG_47, HZ_GEO_02, HZ_QUA_12, HZ_ROU_01, HZ_ROU_03, HZ_ROU_04, HZ_ROU_05, HZ_ROU_06, HZ_ROU_07, HZ_ROU_10,
    HZ_ROU_11,
};
use crate::event::Event;
use crate::state::ForcedMove;
use crate::table::shape::Shape;
use crate::table::{Field, shape, track};
use crate::troops::Formation;

/// A unit becomes a mob where it stands: its column's footprint on the old centre (HZ-ROU-01).
pub(crate) fn turn_to_mob(play: &mut Play<'_>, unit: UnitId) {
    decides!(HZ_ROU_01);
    let battle = play.battle();
    let depth = battle.facts(unit).footprints[Formation::Mob.index()].depth();
    let centre = shape::centre_of(&battle.placed(unit));
    let pose: Pose = shape::pose_about(centre, battle.unit(unit).pose.heading, depth);
    play.happen(Event::Routs { unit, pose });
}

/// The routing units that have still to run on.
pub(crate) fn routs(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    battle.present(battle.phasing).filter(|&id| battle.unit(id).must_move == Some(ForcedMove::Rout)).collect()
}

/// One of them runs.
pub(crate) fn rout(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let due = routs(play.battle()).contains(&unit);
    play.require(due, HZ_ROU_07, || "It is not routing, or has run already".into())?;
    rout_on(play, unit);
    play.happen(Event::MustMove { unit, forced: None });
    rally::next_rout(play)
}

/// Straight away from the enemy, whatever the ground costs, round enemies and what cannot be crossed (HZ-ROU-02 to HZ-ROU-06).
pub(super) fn first_rout(play: &mut Play<'_>, unit: UnitId, way: Heading) {
    decides!(HZ_ROU_03, HZ_ROU_06);
    let battle = play.battle();
    let centre = Point::rounded(shape::centre_of(&battle.placed(unit)));
    let goal = centre.along(way, battle.allowance_as(unit, Formation::Mob));
    run(play, unit, goal, Rout::First);
}

/// One move towards home, over the ground as it is (HZ-ROU-07 to HZ-ROU-11).
pub(crate) fn rout_on(play: &mut Play<'_>, unit: UnitId) {
    decides!(HZ_ROU_10, HZ_ROU_11);
    let battle = play.battle();
    let goal = battle.command_facts(battle.facts(unit).brigade).communication;
    run(play, unit, goal, Rout::Home);
}

/// Which rout it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rout {
    /// The first, away from the enemy.
    First,
    /// A later one, towards the line of communication.
    Home,
}

/// A mob runs towards a goal; friends in its way are disordered, and it with them.
fn run(play: &mut Play<'_>, unit: UnitId, goal: Point, rout: Rout) {
    let home = rout == Rout::Home;
    let (walked, detour, shut_in) = {
        let battle = play.battle();
        let field = Field::of(battle);
        let Some(placed) = field.get(unit) else { return };
        let budget = battle.allowance_as(unit, Formation::Mob);
        let room = path::room(&battle.facts(unit).footprints[Formation::Mob.index()]);
        let from = Point::rounded(placed.centre());
        let plain = path::obstacles(&field, unit, Formation::Mob);
        decides!(HZ_ROU_04);
        let others = field.enemies(unit).map(|(_, enemy)| Shape::Unit(enemy));
        let enemies: Vec<Shape<'_>> = others.chain(plain.iter().copied()).collect();
        // It keeps a touch off enemies where that only widens its turns round them (HZ-GEO-02): where it would have to go another way, its own
        // width will do.
        let touch = battle.lay.sizes.touch + Length::um(10);
        let grown: Vec<Placed> =
            field.enemies(unit).map(|(_, enemy)| shape::shrink(enemy, Length::ZERO - touch)).collect();
        let wide: Vec<Shape<'_>> = grown.iter().map(Shape::Unit).chain(plain.iter().copied()).collect();
        let of_at_least =
            |least, obstacles, from, goal| Route { battle, room, obstacles, bridges: true, least }.way(from, goal);
        let route = |obstacles, from, goal| of_at_least(Length::ZERO, obstacles, from, goal);
        let gets_to = |points: &Vec<Point>, goal: Point| points.last().map_or(Length::MAX, |last| last.distance(goal));
        let careful = |from: Point, goal: Point| {
            let narrow = route(&enemies, from, goal)?;
            let turns = touch * (4 * narrow.len() as i32);
            let same = |way: &Vec<Point>| {
                gets_to(way, goal) <= gets_to(&narrow, goal) + Length::mm(1)
                    && path::length(way) <= path::length(&narrow) + turns
            };
            let wide = route(&wide, from, goal).filter(same);
            Some(wide.unwrap_or(narrow))
        };
        // The first rout costs the same over any ground (HZ-ROU-03).
        let walk = |points: Vec<Point>| match home {
            true => path::walk(battle, unit, Formation::Mob, &points, None),
            false => path::cut(&points, budget),
        };
        let way = careful(from, goal)
            .map(|way| if home { way } else { nearer_home(battle, unit, way, goal, |goal| careful(from, goal)) });
        // Only if enemies change what is run in this very move is it a detour, not if they only brush the direct way (HZ-ROU-10).
        let run = |obstacles| if home { route(obstacles, from, goal).map(walk) } else { None };
        let detour = match (run(&enemies), run(&plain)) {
            (Some(way), Some(direct)) => {
                let apart = way.last().zip(direct.last()).map_or(Length::ZERO, |(one, other)| one.distance(*other));
                apart.max((path::length(&way) - path::length(&direct)).abs()) > Length::mm(1)
            }
            _ => false,
        };
        // Ground that an enemy stands in is his: with a breach or broken ground he bars the way as much as they do.
        let ground: Vec<_> = plain.iter().copied().filter(|shape| !path::is_held(&field, unit, shape)).collect();
        // A mob that gets home, or a whole move away, is not shut in, even if only a bridge leads there.
        let gets_home = |points: &Vec<Point>| home && gets_to(points, goal) <= Length::mm(1);
        let far = way.as_ref().is_some_and(|points| path::length(points) >= budget || gets_home(points));
        decides!(HZ_ROU_05);
        let shut_in = !far
            && path::is_shut_in(battle, from, budget, room, &enemies)
            && !path::is_shut_in(battle, from, budget, room, &ground);
        // Where enemies hold the place that it makes for it goes round them: it runs its full allowance, and does not stop short before them.
        let round = |way: Vec<Point>| {
            let barred = !home && path::length(&way) < budget && gets_to(&way, goal) > Length::mm(1);
            let by_enemies =
                barred && route(&plain, from, goal).is_some_and(|way| gets_to(&way, goal) <= Length::mm(1));
            if by_enemies { of_at_least(budget, &enemies, from, goal).unwrap_or(way) } else { way }
        };
        let way = way.map(round);
        // It runs its full allowance: where no way leads nearer to that place it runs on for home (HZ-ROU-04).
        let way = way.map(|way| match way.last() {
            Some(&last) if !home && path::length(&way) < budget && last.distance(goal) > Length::mm(1) => {
                let on = careful(last, battle.command_facts(battle.facts(unit).brigade).communication);
                way.iter().copied().chain(on.into_iter().flatten().skip(1)).collect()
            }
            _ => way,
        });
        let walked = way.map(walk);
        (walked, detour, shut_in)
    };
    if shut_in {
        harm::break_unit(play, unit, Presence::Shattered, HZ_ROU_05);
        return;
    }
    // With no enemy involved it just stops where it cannot go.
    let Some(walked) = walked else { return };
    if detour {
        let by = play.battle().numbers().detour_staggers;
        if !harm::stagger(play, unit, by, HZ_ROU_10) {
            return;
        }
    }
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
    decides!(HZ_ROU_11, HZ_ENG_47, HZ_QUA_12);
    let off = play.battle().lay.table.on_table(&play.battle().placed(unit)) != OnTable::Wholly;
    if off || reached {
        harm::break_unit(play, unit, Presence::RoutedOff, HZ_ROU_11);
    }
}

/// Of two equal ways round an obstacle the one on the side nearer its line of communication (HZ-ROU-04). Aiming a millimetre to either
/// side of the goal finds both.
fn nearer_home(
    battle: &Battle,
    unit: UnitId,
    way: Vec<Point>,
    goal: Point,
    aim: impl Fn(Point) -> Option<Vec<Point>>,
) -> Vec<Point> {
    let (&[from, turn, ..], true) = (way.as_slice(), way.len() > 2) else { return way };
    let home = battle.command_facts(battle.facts(unit).brigade).communication;
    let side = Heading::toward(from.v(), goal.v()).right();
    let near = Length::mm(3);
    let mut best = (turn.distance(home), way.clone());
    for by in [Length::mm(1), -Length::mm(1)] {
        let Some(other) = aim(goal.along(side, by)) else { continue };
        let equal = (path::length(&other) - path::length(&way)).abs() <= near;
        let Some(&turn) = other.get(1).filter(|_| equal && other.len() > 2) else { continue };
        if turn.distance(home) + near < best.0 {
            best = (turn.distance(home), other);
        }
    }
    best.1
}

/// Friends that a mob runs through, in the order in which it meets them (HZ-ROU-06).
pub(super) fn trample(play: &mut Play<'_>, unit: UnitId, points: &[Point]) {
    let met = {
        let field = Field::of(play.battle());
        let footprint = &play.battle().facts(unit).footprints[Formation::Mob.index()];
        path::friends_met(&field, unit, footprint, points, None)
    };
    decides!(HZ_ROU_06);
    let by = play.battle().numbers().rout_staggers;
    for friend in met {
        harm::stagger(play, friend, by, HZ_ROU_06);
        if !harm::stagger(play, unit, by, HZ_ROU_06) {
            return;
        }
    }
}

/// Puts the mob where it ends, facing the way it ran, on nobody's ground.
pub(super) fn settle_mob(play: &mut Play<'_>, unit: UnitId, points: &[Point]) {
    decides!(HZ_GEO_02);
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
                !nearer(placed, other, battle.lay.sizes.touch.f())
            }
        })
    };
    let bears = |there: &Placed| room::bears(battle, unit, there);
    // On until clear beyond a friend, never past an enemy; else back along its way, else wherever there is room nearest to where it
    // ended and no enemy is between.
    let passes = |there: &Placed| {
        let (from, to) = (wanted.centre(), there.centre());
        let gone = (to - from).length();
        field.enemies(unit).all(|(_, enemy)| first_contact(&wanted, (to - from).unit(), gone, enemy).is_none())
    };
    let open = |there: &Placed| bears(there) && passes(there);
    let shifted = |way: sabretache_table::Vec2, by: f64| track::moved(&wanted, way, Length::rounded(by));
    let on = room::just_beyond(&field, unit, &wanted, along, Length::mm(600), bears);
    let back = room::just_beyond(&field, unit, &wanted, along * -1.0, Length::cm(200), |_| true);
    let ahead = on.map(|by| track::moved(&wanted, along, by)).into_iter();
    let back = back.map(|by| track::moved(&wanted, along * -1.0, by)).into_iter();
    let further = room::steps(Length::mm(600)).map(|by| track::moved(&wanted, along, by)).take_while(open);
    let whole = path::length(points);
    let nearer = room::steps(whole).filter_map(|by| {
        let part = path::cut(points, whole - by);
        let &[.., before, last] = part.as_slice() else { return None };
        let heading = if before == last { heading } else { Heading::toward(before.v(), last.v()) };
        Some(battle.placed_as(unit, Formation::Mob, shape::pose_about(last.v(), heading, depth)))
    });
    let around = (1..=60)
        .flat_map(|ring| (0..16).map(move |n| (Heading::hundredths(n * 2_250).unit(), 10_000.0 * f64::from(ring))));
    let around = around.map(|(way, by)| shifted(way, by)).filter(passes);
    // Where an enemy is too near it goes no further.
    let touch = battle.lay.sizes.touch.f();
    let enemy_near = field.enemies(unit).any(|(_, enemy)| sabretache_table::nearer(&wanted, enemy, touch));
    let onward = ahead.chain(back).chain(further).filter(|_| !enemy_near);
    let found = onward.chain(nearer).chain(around).find(free).map(|placed| placed.pose());
    match found {
        Some(pose) => play.happen(Event::Formed { unit, formation: Formation::Mob, pose }),
        None => harm::break_unit(play, unit, Presence::Shattered, HZ_ROU_05),
    }
}
