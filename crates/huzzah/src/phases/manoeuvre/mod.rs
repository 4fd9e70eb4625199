//! Manoeuvre: wheel, about face, side-step (HZ-MAN-01 to HZ-MAN-08), on an order or by guns with a change of formation (HZ-DEP-11).

pub mod offers;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Angle, Length, OnTable, Outline, Placed, Pose, nearer, overlapping};
use smallvec::SmallVec;

use super::officers::flight;
use super::{Play, act, advance, threat};
use crate::battle::Battle;
use crate::clauses::{
    HZ_DEP_11, HZ_DEP_12, HZ_DEP_14, HZ_DEP_17, HZ_GEO_02, HZ_MAN_01, HZ_MAN_02, HZ_MAN_03, HZ_MAN_04, HZ_MAN_06,
    HZ_MAN_07, HZ_MAN_08, HZ_QUA_12, HZ_TER_10,
};
use crate::event::Event;
use crate::state::{Act, Finish, Moving, Stage, Way};
use crate::table::swing::{self, Bar, Swing, Turn, Zones};
use crate::table::track::{self, Purpose, Track};
use crate::table::{Field, shape};
use crate::troops::Order;

/// A unit that has just come on, all but its front still beyond the edge of the table, cannot turn its front out there.
fn may_turn_about(field: &Field<'_>, unit: UnitId) -> bool {
    field.get(unit).is_some_and(|placed| field.battle.lay.table.holds(about(placed).at))
}

/// How far a unit wheels one way now: guns that manoeuvre with a change of formation do not stop for zones (HZ-DEP-12).
#[must_use]
pub fn swing(field: &Field<'_>, unit: UnitId, turn: Turn) -> Swing {
    decides!(HZ_DEP_12);
    let battle = field.battle;
    let zones = if battle.stage == Stage::Swing { Zones::Ignored } else { Zones::Stop };
    swing::swing(field, unit, turn, swing::limit(battle, unit), zones)
}

/// How far a unit side-steps one way now (HZ-MAN-03).
#[must_use]
pub fn side_step(field: &Field<'_>, unit: UnitId, way: Way) -> Option<Track> {
    decides!(HZ_MAN_03);
    let battle = field.battle;
    let purpose = if battle.stage == Stage::Swing { Purpose::SideStepDeploying } else { Purpose::SideStep };
    track::straight(field, unit, way, battle.lay.length(battle.numbers().side_step), purpose)
}

/// How much a unit can wheel to either side before it meets a friend.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId, back: bool) -> Input {
    let field = Field::of(battle);
    let most = |right: bool| swing(&field, unit, Turn { right, back }).most();
    Input::Wheel { most_left: Angle::hundredths(-most(false)), most_right: Angle::hundredths(most(true)) }
}

/// How much it can wheel when it goes through friends.
#[must_use]
pub fn input_through(battle: &Battle, unit: UnitId, turn: Turn, stretch: u8) -> Input {
    let swing = swing(&Field::of(battle), unit, turn);
    match swing.stretches.get(usize::from(stretch)) {
        Some(&(least, most)) => angles(turn.right, least, most),
        None => Input::None,
    }
}

/// A range of angles to one side.
#[must_use]
pub fn angles(right: bool, least: i32, most: i32) -> Input {
    let (left, right) = if right { (least, most) } else { (-most, -least) };
    Input::Wheel { most_left: Angle::hundredths(left), most_right: Angle::hundredths(right) }
}

/// Checks that the unit may manoeuvre now: on its order, or as guns with a change of formation.
fn require(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    if play.battle().stage == Stage::Swing {
        let guns = play.battle().doing.moving.map(|moving| moving.unit);
        return play
            .require(guns == Some(unit), HZ_DEP_11, || "Only the guns that limber or unlimber manoeuvre now".into());
    }
    act::require(play, unit, Order::Manoeuvre).map(|_| ())
}

/// A unit wheels.
pub(crate) fn wheel(play: &mut Play<'_>, unit: UnitId, back: bool, angle: Angle) -> Result<(), Halt> {
    require(play, unit)?;
    let turn = Turn { right: angle >= Angle::ZERO, back };
    let unlimbered = play.battle().is_unlimbered(unit);
    play.require(!(back && unlimbered), HZ_MAN_04, || "Unlimbered guns wheel forward only".into())?;
    let swing = swing(&Field::of(play.battle()), unit, turn);
    let wanted = angle.abs().to_hundredths();
    let mut end = swing.end(wanted);
    if !swing.allows(wanted) {
        play.refuse(too_far_round(play.battle(), unit, turn, wanted))?;
        end = wanted;
    }
    begin(play, unit, Act::Wheel { right: turn.right, back }, end, Finish::There)
}

/// Why a unit may not wheel so far; impossible where it would end on somebody or off the table.
pub(crate) fn too_far_round(battle: &Battle, unit: UnitId, turn: Turn, hundredths: i32) -> Refusal {
    let field = Field::of(battle);
    let swing = swing(&field, unit, turn);
    let ends = field.get(unit).map(|placed| {
        let there = battle.placed_at(unit, swing::wheeled(placed, turn, hundredths));
        battle.lay.table.on_table(&there) == OnTable::Wholly
            && field.meeting(there.bounds()).all(|(id, other)| id == unit || !overlapping(&there, other))
    });
    let limit = i32::from(swing::limit(battle, unit)) * 100;
    let (clause, says) = match (swing.zone, swing.bar) {
        _ if hundredths > limit => (HZ_MAN_01, format!("In its formation it wheels up to {} degrees", limit / 100)),
        (Some((_, end)), _) if hundredths > end => {
            (HZ_MAN_07, "It stops in the enemy threat zone that it enters".into())
        }
        (_, (most, bar)) if hundredths > most => told_of(battle, unit, bar),
        _ => (HZ_GEO_02, "It would end on a friend".into()),
    };
    Refusal { impossible: ends != Some(true), ..Refusal::new(clause, says) }
}

/// What keeps a unit from wheeling on, with its clause.
fn told_of(battle: &Battle, unit: UnitId, bar: Bar) -> (Clause, String) {
    let (facts, formation) = (battle.facts(unit), battle.unit(unit).formation);
    match bar {
        Bar::Formation => (HZ_MAN_01, "In its formation it wheels no further".into()),
        Bar::Enemy(enemy) => (HZ_MAN_06, format!("{} is in the way", battle.facts(enemy).name)),
        Bar::Ground(n, HZ_TER_10) => {
            (HZ_TER_10, format!("{} stops {} in {formation}", battle.lay.terrain[usize::from(n)].told(), facts.arm))
        }
        Bar::Ground(n, clause) => {
            let ground = battle.lay.terrain[usize::from(n)].told();
            (clause, format!("{ground} is closed to {} in {formation}", facts.arm))
        }
        Bar::Edge => (HZ_MAN_01, "The table ends there".into()),
        Bar::Cover => (HZ_DEP_17, "Its open order must stay under cover".into()),
    }
}

/// A unit turns about.
pub(crate) fn about_face(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    require(play, unit)?;
    let may = may_turn_about(&Field::of(play.battle()), unit);
    play.require(may, HZ_QUA_12, || "Its rear is still beyond the edge of the table".into())?;
    begin(play, unit, Act::AboutFace, 18_000, Finish::There)
}

/// A unit side-steps.
pub(crate) fn step_aside(
    play: &mut Play<'_>,
    unit: UnitId,
    way: Way,
    stretch: u8,
    distance: Length,
) -> Result<(), Halt> {
    require(play, unit)?;
    let unlimbered = play.battle().is_unlimbered(unit);
    play.require(!unlimbered, HZ_MAN_04, || "Unlimbered guns do not side-step".into())?;
    let track = side_step(&Field::of(play.battle()), unit, way);
    let legal = track.as_ref().and_then(|track| track.stretches.get(usize::from(stretch)).copied());
    let (Some(track), Some((least, most))) = (track, legal) else {
        return Err(Refusal::impossible(HZ_MAN_03, "It cannot go that way").into());
    };
    let (mut end, mut finish) = track.end(distance);
    if distance < least || distance > most {
        let clause = if most < track.stop.0 { HZ_MAN_08 } else { track.stop.1 };
        play.refuse(advance::too_far(play.battle(), unit, way, distance, (least, most), clause))?;
        (end, finish) = (distance, Finish::There);
    }
    begin(play, unit, Act::Straight { way }, end.to_um(), finish)
}

/// On an order the other side may fire first; guns in the middle of a deployment just go on with it.
fn begin(play: &mut Play<'_>, unit: UnitId, act: Act, end: i32, finish: Finish) -> Result<(), Halt> {
    if play.battle().stage != Stage::Swing {
        return act::begin(play, unit, act, end, finish);
    }
    let from = play.battle().unit(unit).pose;
    play.happen(Event::Acts {
        moving: Moving { unit, act, from, done: 0, end, finish, hit: false, ask: 0, deploying: true },
    });
    act::run(play)
}

/// Where front and rear have changed places (HZ-MAN-02).
#[must_use]
pub fn about(placed: &Placed) -> Pose {
    decides!(HZ_MAN_02);
    Pose::new(shape::rear_of(placed), placed.pose().heading.reversed())
}

/// The turn comes to its end.
pub(crate) fn complete(play: &mut Play<'_>, moving: Moving) -> Result<(), Halt> {
    let unit = moving.unit;
    let start = play.battle().placed_at(unit, moving.from);
    let (pose, touched) = match moving.act {
        Act::Wheel { right, back } => {
            let turn = Turn { right, back };
            let touched = swing::friends_swept(&Field::of(play.battle()), unit, &start, turn, moving.end);
            (swing::wheeled(&start, turn, moving.end), touched)
        }
        _ => (about(&start), ends_touching(play.battle(), unit)),
    };
    if pose != play.battle().unit(unit).pose {
        play.happen(Event::Moved { unit, pose, done: moving.end });
    }
    advance::stagger_friends_by(play, unit, &touched, HZ_MAN_08);
    if play.battle().is_present(unit) {
        let trail = act::trail(play.battle(), &moving);
        flight::run_over(play, unit, &trail);
    }
    Ok(())
}

/// Friends that a unit touches where it stands (HZ-DEP-14, HZ-MAN-08).
pub(crate) fn ends_touching(battle: &Battle, unit: UnitId) -> SmallVec<[UnitId; 4]> {
    let field = Field::of(battle);
    let touch = battle.lay.sizes.touch.f();
    let Some(placed) = field.get(unit) else { return SmallVec::new() };
    let near = field.friends_meeting(unit, placed.bounds().grown(touch));
    near.filter(|(_, friend)| nearer(placed, *friend, touch)).map(|(id, _)| id).collect()
}

// ------------------------------------------------------------------ guns that have limbered or unlimbered

/// The guns stay as they stand; then they test if they are in a zone.
pub(crate) fn no_swing(play: &mut Play<'_>) -> Result<(), Halt> {
    let Some(moving) = play.battle().doing.moving else {
        return Err(Refusal::new(HZ_DEP_11, "No guns are limbering or unlimbering").into());
    };
    let unit = moving.unit;
    let touched = ends_touching(play.battle(), unit);
    advance::stagger_friends_by(play, unit, &touched, HZ_DEP_14);
    threat::after_deploying(play, unit)?;
    act::finished(play, unit)
}
