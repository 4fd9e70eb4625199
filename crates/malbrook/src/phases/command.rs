//! The command phase: what leaders do.

use crate::phases::ambush;
use crate::phases::options;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Area, Halt, Input, Refusal, Value, WrongValue};
use sabretache_table::{
    Bounds, Contact, Convex, Length, Lie, Outline, Part, Point, Unit, contact, holds, line_clear, way_to,
};

use crate::battle::Battle;
use crate::brigade::Status;
use crate::clauses::{
    MB_LEA_03, MB_LEA_04, MB_LEA_05, MB_LEA_06, MB_LEA_08, MB_LEA_09, MB_LEA_11, MB_LEA_13, MB_LEA_15, MB_MOV_23,
    MB_RSK_04, MB_SEQ_02,
};
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::situations::actions_of;
use crate::table::lay::{HAIR, all_round, near};
use crate::table::openings::shut_to_riders;
use crate::troops::Rank;

pub(crate) mod offers;

pub(crate) use offers::{closed, offers, offers_of};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Actions a leader has left this turn.
pub(crate) fn actions_left(battle: &Battle, leader: OfficerId) -> u8 {
    let one = battle.leader(leader);
    actions_of(one.rank, one.ability, one.wounded, &battle.fixed.numbers).saturating_sub(one.used)
}

/// Whether a leader can act now at all.
pub(crate) fn may_act(battle: &Battle, leader: OfficerId) -> Result<(), Refusal> {
    decides!(MB_LEA_03);
    let one = battle.leader(leader);
    if battle.phase != Phase::Command || one.side != battle.active || one.lost {
        return no(MB_SEQ_02, "leaders act in their own half of the command phase");
    }
    if actions_left(battle, leader) == 0 {
        battle.forbid(MB_LEA_03, "he has no action left this turn")?;
    }
    Ok(())
}

/// Whether a leader is beyond 6 inches of enemy and may ride double (MB-LEA-04).
pub(crate) fn rides_double(battle: &Battle, leader: OfficerId) -> bool {
    let (one, near) = (battle.leader(leader), battle.fixed.numbers.near.length());
    let at = one.at.v();
    let around = Bounds { min: at, max: at };
    let some = battle.enemies_around(one.side, around, near + Length::inches(1)).next().is_some();
    !some || !battle.enemy_within_of_rider(one.side, one.at, near)
}

/// How far a leader rides.
pub(crate) fn riding_distance(battle: &Battle, double: bool) -> Length {
    decides!(MB_MOV_23);
    let single = battle.fixed.numbers.riding.distance.length();
    if double { single * 2 } else { single }
}

/// Whether a leader may ride as an action, or freely in the movement phase.
pub(crate) fn may_ride(battle: &Battle, leader: OfficerId, double: bool) -> Result<(), Refusal> {
    decides!(MB_LEA_05, MB_LEA_06);
    let one = battle.leader(leader);
    if battle.phase == Phase::Movement {
        if one.side != battle.active || one.lost {
            return no(MB_SEQ_02, "it is not his side's half of the phase");
        }
        if one.attached.is_some() {
            battle.forbid(MB_LEA_06, "an attached leader moves with his brigade; he leaves it in the command phase")?;
        }
        if one.rode {
            battle.forbid(MB_LEA_04, "he has ridden in this phase")?;
        }
    } else {
        may_act(battle, leader)?;
    }
    decides!(MB_LEA_04);
    if double && !rides_double(battle, leader) {
        battle.forbid(MB_LEA_04, "enemy are within 6 inches of him")?;
    }
    Ok(())
}

/// Where a leader may ride to.
pub(crate) fn ride_input(battle: &Battle, leader: OfficerId, double: bool) -> Input {
    let one = battle.leader(leader);
    let input = || riding_input(battle, one.side, one.at, double);
    if may_ride(battle, leader, double).is_ok() { input() } else { battle.waived(input) }
}

/// Where a leader or messenger may ride to from a place.
pub(crate) fn riding_input(battle: &Battle, side: Side, from: Point, double: bool) -> Input {
    let distance = riding_distance(battle, double);
    let within = vec![Area::Circle { centre: from, radius: distance }];
    // A double ride ends no nearer than 6 inches to enemy; any ride, beside them and not on them.
    decides!(MB_LEA_04);
    let off = kept_off(battle, double);
    let mut except = off_table(battle, from, distance);
    for enemy in battle.enemies(side).filter(|enemy| options::is_known(battle, *enemy)) {
        let figure = battle.figure(enemy);
        if near(figure, &Convex::place(from.v()), distance + off) {
            figure.parts().for_each(|part| except.extend(room_round(part, off)));
        }
    }
    let shut = shut_to_riders(battle, Convex::disc(from.v(), distance.f()).bounds());
    except.extend(
        shut.iter()
            .filter(|piece| piece.corners().len() > 2)
            .map(|piece| Area::Polygon { corners: piece.corners().iter().map(|at| Point::rounded(*at)).collect() }),
    );
    Input::Point { within, except }
}

/// How far from enemy a rider keeps the middle of his base.
fn kept_off(battle: &Battle, double: bool) -> Length {
    let near = if double && !battle.memo.waives() { battle.fixed.numbers.near.length() - HAIR } else { Length::ZERO };
    near + battle.fixed.numbers.bases.leader.length()
}

/// Where a rider gets who makes for a place: the shortest way round enemy and ground that nobody rides through, and
/// as far along it as he rides (MB-LEA-04).
pub(crate) fn rides(battle: &Battle, side: Side, from: Point, to: Point, double: bool) -> Point {
    let Some(way) = riding_way(battle, side, from, to, double) else { return from };
    let (mut at, mut left) = (from, riding_distance(battle, double));
    let straight = way.len() == 2;
    for next in way.into_iter().skip(1) {
        let leg = at.distance(next);
        let goal = if leg <= left || straight {
            next
        } else {
            Point::rounded(at.v().toward(next.v(), left.f() / leg.f().max(1.0)))
        };
        let reached = ambush::rides_up_to(battle, side, at, goal);
        (at, left) = (reached, left - leg);
        if reached != next || left <= Length::ZERO {
            break;
        }
    }
    at
}

/// The shortest way of a rider to a place, from where he is, round enemy and ground that nobody rides through; nothing
/// where there is none (MB-LEA-04).
fn riding_way(battle: &Battle, side: Side, from: Point, to: Point, double: bool) -> Option<Vec<Point>> {
    let most = riding_distance(battle, double);
    let around = Bounds { min: from.v(), max: from.v() }.grown(most.f());
    let off = kept_off(battle, double);
    if nothing_between(battle, side, [from, to], around, off) {
        return Some(vec![from, to]);
    }
    let start = Convex::place(from.v());
    let mut in_the_way: Vec<Convex> = Vec::new();
    for enemy in battle.enemies_around(side, around, off).filter(|enemy| options::is_known(battle, *enemy)) {
        for base in &battle.figure(enemy).bases {
            // A rider who starts nearer than that keeps what distance he has.
            let grown = all_round(base, off);
            let inside = contact(&grown, &start) == Contact::Overlapping || holds(&grown, from.v());
            in_the_way.push(if inside { all_round(base, Length::ZERO) } else { grown });
        }
    }
    in_the_way.extend(shut_to_riders(battle, around));
    if line_clear(from.v(), to.v(), in_the_way.iter()) {
        return Some(vec![from, to]);
    }
    way_to(from, to, &battle.fixed.table, Length::ZERO, in_the_way.iter()).map(|way| way.points)
}

/// Whether not even the boxes round what a rider keeps off come near the straight way to a place: then it is open.
fn nothing_between(battle: &Battle, side: Side, [from, to]: [Point; 2], around: Bounds, off: Length) -> bool {
    let way = Bounds::of(&[from.v(), to.v()]).grown(1.0);
    let kept_off = way.grown(off.f());
    let known = |enemy: &UnitId| options::is_known(battle, *enemy);
    let enemies = battle.enemies_around(side, around, off).filter(known);
    let beside = |enemy: UnitId| battle.figure(enemy).bases.iter().any(|base| kept_off.meets(&base.bounds()));
    let shut = |lie: &Lie<'_>| {
        let land = battle.fixed.lands[usize::from(lie.feature.id.0)];
        (land.impassable || land.closed) && lie.parts().any(|part| way.meets(&Bounds::of(part.corners)))
    };
    !enemies.filter(|enemy| kept_off.meets(&battle.figure(*enemy).bounds)).any(beside)
        && !battle.fixed.ground.near(&around).any(|lie| shut(&lie))
}

fn length_of(way: &[Point]) -> Length {
    way.windows(2).map(|leg| leg[0].distance(leg[1])).fold(Length::ZERO, |sum, leg| sum + leg)
}

/// What lies beyond those edges of the table that a ride from a place could reach.
fn off_table(battle: &Battle, from: Point, distance: Length) -> Vec<Area> {
    let (far, hair, table) = (Length::inches(100), Length::um(1), battle.fixed.table);
    let (east, north) = (table.width + hair, table.depth + hair);
    let area = |[west, south, east, north]: [Length; 4]| Area::Polygon {
        corners: [(west, south), (east, south), (east, north), (west, north)].map(|(x, y)| Point::new(x, y)).into(),
    };
    let beyond = [
        (from.x < distance, [-far, -far, -hair, north + far]),
        (from.x + distance > table.width, [east, -far, east + far, north + far]),
        (from.y < distance, [-far, -far, east + far, -hair]),
        (from.y + distance > table.depth, [-far, north, east + far, north + far]),
    ];
    beyond.into_iter().filter(|(reached, _)| *reached).map(|(_, corners)| area(corners)).collect()
}

/// Whether a leader may attach himself to a brigade (MB-LEA-04, 06, 13).
pub(crate) fn may_attach(battle: &Battle, leader: OfficerId, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_LEA_13, MB_LEA_15);
    may_act(battle, leader)?;
    let one = battle.leader(leader);
    if !battle.in_chain(leader, unit) {
        return no(MB_LEA_13, "that brigade is not under him");
    }
    if one.attached == Some(unit) {
        return no(MB_LEA_15, "he is with it already");
    }
    let reach = riding_distance(battle, rides_double(battle, leader));
    if !battle.leader_reaches(leader, unit, reach) {
        battle.forbid(MB_LEA_04, "it is too far to ride")?;
    }
    // A double ride does not bring him within 6 inches of enemy.
    let single = battle.leader_reaches(leader, unit, riding_distance(battle, false));
    if !single && battle.enemy_near(unit) {
        battle.forbid(MB_LEA_04, "enemy are within 6 inches of it, and it is more than 6 inches away")?;
    }
    // He rides round what nobody rides through, to this brigade as to any other place.
    let to = beside(battle, leader, unit);
    let near_enough = |double: bool| {
        let way = riding_way(battle, one.side, one.at, to, double);
        way.is_some_and(|way| length_of(&way) <= riding_distance(battle, double) + HAIR)
    };
    let reached = near_enough(false) || (rides_double(battle, leader) && near_enough(true));
    if !reached {
        battle.forbid(MB_LEA_04, "the way to it, round enemy and ground nobody rides through, is too long")?;
    }
    Ok(())
}

/// What a leader does with the brigade he is with (MB-LEA-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Influence {
    /// He takes a DP off it, and it halts (MB-LEA-09).
    Steady,
    /// He makes it fight and march better (MB-LEA-10).
    Inspire,
}

/// Whether a leader may steady or inspire his brigade (MB-LEA-08, 09, MB-RSK-04).
pub(crate) fn may_influence(battle: &Battle, leader: OfficerId, how: Influence) -> Result<UnitId, Refusal> {
    decides!(MB_LEA_08, MB_LEA_09, MB_LEA_11, MB_RSK_04);
    may_act(battle, leader)?;
    let one = battle.leader(leader);
    let Some(unit) = one.attached else {
        return no(MB_LEA_08, "he is with no brigade");
    };
    if one.wounded && one.rank == Rank::MajorGeneral {
        battle.forbid(MB_RSK_04, "a wounded Major General neither steadies nor inspires")?;
    }
    let (brigade, steady) = (battle.brigade(unit), how == Influence::Steady);
    if steady && brigade.dps == 0 {
        return no(MB_LEA_09, "there is nothing to steady");
    }
    if steady && matches!(brigade.status, Status::Routing | Status::Pursuing) {
        battle.forbid(MB_LEA_09, "it runs")?;
    }
    Ok(unit)
}

/// Where a leader stands who joins a brigade: at its edge, on his side of it.
pub(crate) fn beside(battle: &Battle, leader: OfficerId, unit: UnitId) -> Point {
    let at = battle.leader(leader).at;
    let figure = battle.figure(unit);
    let (from, to) = sabretache_table::nearest_places(&Convex::place(at.v()), &figure);
    let radius = battle.fixed.numbers.bases.leader.length();
    let away = from - to;
    if away.length() <= radius.f() {
        return at;
    }
    Point::rounded(to + away.unit() * radius.f())
}

/// Everything within a distance of a rectangle: it is round at the corners (MB-GEN-08).
fn room_round(part: Part<'_>, off: Length) -> Vec<Area> {
    let (corners, normals) = (part.corners, part.normals);
    let centres = corners.iter().map(|corner| Point::rounded(*corner));
    let at_corners = centres.map(|centre| Area::Circle { centre, radius: off });
    let beside = |n: usize| {
        let (from, to) = (corners[n], corners[(n + 1) % corners.len()]);
        let out = normals[n] * off.f();
        Area::Polygon { corners: [from, to, to + out, from + out].map(Point::rounded).into() }
    };
    let all = Area::Polygon { corners: corners.iter().map(|corner| Point::rounded(*corner)).collect() };
    at_corners.chain((0..corners.len()).map(beside)).chain([all]).collect()
}

/// A leader rides, leaving his brigade if he is with one.
pub(crate) fn ride(play: &mut Play<'_>, leader: OfficerId, double: bool, to: Option<Point>) -> Result<(), Halt> {
    may_ride(play.battle(), leader, double)?;
    let to = to.ok_or(WrongValue("where to?".into()))?;
    ride_input(play.battle(), leader, double).check(&Value::Point(to), Unit::Inch)?;
    let one = *play.battle().leader(leader);
    let to = rides(play.battle(), one.side, one.at, to, double);
    let action = play.battle().phase == Phase::Command;
    if play.battle().leader(leader).attached.is_some() {
        play.happen(Event::Detached { leader });
    }
    play.happen(Event::Rode { leader, to, action });
    Ok(())
}

/// A leader joins a brigade.
pub(crate) fn attach(play: &mut Play<'_>, leader: OfficerId, unit: UnitId) -> Result<(), Halt> {
    may_attach(play.battle(), leader, unit)?;
    let to = beside(play.battle(), leader, unit);
    if play.battle().leader(leader).attached.is_some() {
        play.happen(Event::Detached { leader });
    }
    play.happen(Event::Rode { leader, to, action: true });
    play.happen(Event::Attached { leader, unit });
    Ok(())
}

/// A leader steadies or inspires.
pub(crate) fn influence(play: &mut Play<'_>, leader: OfficerId, how: Influence) -> Result<(), Halt> {
    let unit = may_influence(play.battle(), leader, how)?;
    play.happen(match how {
        Influence::Steady => Event::Steadied { leader, unit },
        Influence::Inspire => Event::Inspired { leader, unit },
    });
    Ok(())
}
