//! Advance and retire (HZ-ADV-01 to HZ-ADV-26, HZ-RET-01 to HZ-RET-11); along [`roads`], and [`entering`] the table.

mod course;
pub mod entering;
pub mod offers;
pub mod roads;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop};
use sabretache_table::{
    Angle, Convex, Length, OnTable, Outline, Placed, exact_distance, meetings, nearer, overlapping,
};
use smallvec::SmallVec;

use super::officers::flight;
use super::{Play, act, harm, manoeuvre};
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_01, HZ_ADV_02, HZ_ADV_03, HZ_ADV_04, HZ_ADV_05, HZ_ADV_06, HZ_ADV_07, HZ_ADV_11, HZ_ADV_14, HZ_ADV_15,
    HZ_ADV_16, HZ_ADV_17, HZ_ADV_18, HZ_ADV_19, HZ_ADV_20, HZ_ADV_21, HZ_DEP_14, HZ_DEP_17, HZ_DIT_07, HZ_GEO_25,
    HZ_HED_13, HZ_MAN_03, HZ_MAN_06, HZ_MAN_07, HZ_MAN_08, HZ_ORD_28, HZ_QUA_12, HZ_RET_01, HZ_RET_02, HZ_RET_03,
    HZ_RET_05, HZ_RET_06, HZ_RET_08, HZ_RET_09, HZ_RET_10, HZ_TER_10, HZ_WAL_12, HZ_WAL_13,
};
use crate::event::Event;
use crate::state::{Act, Acting, Addressee, Finish, Moving, Stage, Way};
use crate::table::track::{self, Purpose, Track};
use crate::table::{Field, contact};
use crate::terrain::{Crossing, Going};
use crate::troops::{Arm, Formation, Order};

/// The ways a unit can go on an order.
fn ways(field: &Field<'_>, unit: UnitId, acting: &Acting) -> SmallVec<[Way; 4]> {
    decides!(HZ_ADV_05, HZ_ADV_21);
    let formation = field.unit(unit).formation;
    match acting.order {
        Order::Advance if formation == Formation::Square => {
            SmallVec::from_slice(&[Way::Ahead, Way::Back, Way::Left, Way::Right])
        }
        Order::Advance => SmallVec::from_slice(&[Way::Ahead]),
        Order::Retire if drives_off(field, unit, acting) => SmallVec::from_slice(&[Way::Ahead]),
        Order::Retire => SmallVec::from_slice(&[Way::Back]),
        _ => SmallVec::new(),
    }
}

/// Limbered guns turned towards their command's rear drive off the way they face (HZ-RET-06).
fn drives_off(field: &Field<'_>, unit: UnitId, acting: &Acting) -> bool {
    decides!(HZ_RET_06);
    let battle = field.battle;
    let facts = battle.facts(unit);
    if facts.arm != Arm::Artillery
        || battle.unit(unit).formation != Formation::MarchColumn
        || !matches!(acting.to, Addressee::Group(_))
    {
        return false;
    }
    let mut sum = sabretache_table::Vec2::new(0.0, 0.0);
    for other in super::orders::units_ordered(battle, acting.officer, acting.to) {
        if other != unit {
            sum = sum + battle.unit(other).pose.heading.unit();
        }
    }
    // Facing within so many degrees of the opposite of the average facing of the others.
    sum.length() > 1e-9
        && sum.unit().dot(battle.unit(unit).pose.heading.unit())
            <= -libm::cos(f64::from(battle.numbers().drives_off).to_radians()) + 1e-9
}

/// How much movement a unit has on the order in hand (HZ-ADV-02 to HZ-ADV-04, HZ-RET-01, HZ-RET-02).
#[must_use]
pub fn budget(field: &Field<'_>, unit: UnitId, acting: &Acting) -> Length {
    decides!(HZ_ADV_02, HZ_ADV_04, HZ_RET_01, HZ_RET_02);
    let battle = field.battle;
    decides!(HZ_ADV_03);
    let own = battle.allowance(unit);
    let group = matches!(acting.to, Addressee::Group(_));
    let ordered = super::orders::units_ordered(battle, acting.officer, acting.to);
    if acting.order == Order::Advance {
        if !group {
            return own;
        }
        let slowest = ordered.iter().filter(|&&id| !battle.is_unlimbered(id)).map(|&id| {
            let facts = battle.facts(id);
            battle.lay.length(battle.numbers().moves.arm_most(facts.arm, facts.guns, facts.draught))
        });
        return own.min(slowest.min().unwrap_or(own));
    }
    if drives_off(field, unit, acting) {
        return own;
    }
    if !group {
        return own / i32::from(battle.numbers().retire_part);
    }
    let able =
        |id: &UnitId| super::orders::may_act(field, *id, Order::Retire).is_ok() && !drives_off(field, *id, acting);
    let slowest = ordered.iter().filter(|id| able(id)).map(|&id| battle.allowance(id)).min();
    slowest.unwrap_or(own) / i32::from(battle.numbers().retire_part)
}

/// How far a unit gets on the order in hand.
#[must_use]
pub fn track(field: &Field<'_>, unit: UnitId, way: Way, acting: &Acting) -> Option<Track> {
    match acting.order {
        Order::Advance => track::straight(field, unit, way, budget(field, unit, acting), Purpose::Advance),
        Order::Retire => track::straight(field, unit, way, budget(field, unit, acting), Purpose::Retire),
        _ => manoeuvre::side_step(field, unit, way),
    }
}

/// How far along, with what stops it.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId, way: Way, stretch: u8) -> Input {
    let Some(acting) = battle.doing.acting else { return Input::None };
    let field = Field::of(battle);
    let Some(track) = track(&field, unit, way, &acting) else { return Input::None };
    let Some(&(least, most)) = track.stretches.get(usize::from(stretch)) else { return Input::None };
    Input::Distance { least, most, stops: stops(battle, unit, &acting, track.zone, end_of(&acting, &track, most)) }
}

/// Where a stretch of a move ends, and by which clause: short of the whole way it is a friend who ends it (HZ-ADV-17, HZ-RET-08).
pub(crate) fn end_of(acting: &Acting, track: &Track, most: Length) -> (Length, Clause) {
    if most < track.stop.0 { (most, friends_clause(acting.order)) } else { track.stop }
}

/// The clause about friends in the way of a move.
fn friends_clause(order: Order) -> Clause {
    match order {
        Order::Advance => HZ_ADV_17,
        Order::Retire => HZ_RET_08,
        _ => HZ_MAN_08,
    }
}

/// What stops a move, and where.
#[must_use]
pub fn stops(
    battle: &Battle,
    unit: UnitId,
    acting: &Acting,
    zone: Option<(Length, Length)>,
    stop: (Length, Clause),
) -> Vec<Stop> {
    decides!(HZ_RET_05);
    let mut stops = Vec::new();
    if let Some((at, _)) = zone {
        let clause = match acting.order {
            Order::Retire => HZ_RET_05,
            Order::Manoeuvre | Order::Deploy => HZ_MAN_07,
            _ => HZ_ADV_06,
        };
        stops.push(Stop { at, why: "it enters an enemy threat zone".into(), clause });
    }
    stops.push(Stop { at: stop.0, why: stop_words(battle, unit, stop.1), clause: stop_clause(acting, stop.1) });
    stops
}

/// The clause by which a move ends: what an order allows has another name for each order.
#[must_use]
pub fn stop_clause(acting: &Acting, clause: Clause) -> Clause {
    match (acting.order, clause) {
        (Order::Retire, HZ_ADV_01 | HZ_ADV_03) => HZ_RET_01,
        (Order::Manoeuvre | Order::Deploy, HZ_ADV_01 | HZ_ADV_03) => HZ_MAN_03,
        _ => clause,
    }
}

/// Why a move gets no further, in words.
#[must_use]
pub fn stop_words(battle: &Battle, unit: UnitId, clause: Clause) -> String {
    let says = match clause {
        HZ_ADV_01 | HZ_ADV_03 => "its move is used up",
        HZ_ADV_07 | HZ_RET_05 | HZ_MAN_07 => "it is placed a stand's depth inside the enemy threat zone",
        HZ_ADV_11 => "it meets the enemy",
        HZ_ADV_14 => "an enemy is in the way whom it may not engage on this order",
        HZ_ADV_15 => "guns do not close with the enemy",
        HZ_ADV_16 => "its flank would brush an enemy",
        HZ_RET_03 | HZ_MAN_06 => "the enemy is in the way",
        HZ_ADV_17 | HZ_RET_08 | HZ_MAN_08 => "a friend stands in the way",
        HZ_QUA_12 => "the table ends there",
        HZ_DEP_17 => "its open order must stay under cover",
        HZ_TER_10 => "an obstacle stops it",
        _ => {
            let (facts, state) = (battle.facts(unit), battle.unit(unit));
            let ground = closed_by(battle, unit, clause).unwrap_or_else(|| "the ground".into());
            return format!("{ground} is closed to {} in {}", facts.arm, state.formation);
        }
    };
    says.to_owned()
}

/// The piece of ground nearest to a unit that this clause closes to it, by its name or by what it is.
fn closed_by(battle: &Battle, unit: UnitId, clause: Clause) -> Option<String> {
    let (placed, troop) = (battle.placed(unit), battle.troop(unit));
    let closed = battle.lay.ground.all().filter(|lie| {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        kind.going(&troop) == Going::Barred(clause) || kind.crossing(&troop) == Some(Crossing::Barred(clause))
    });
    let nearest = closed.min_by(|a, b| exact_distance(&placed, a).total_cmp(&exact_distance(&placed, b)))?;
    let terrain = &battle.lay.terrain[usize::from(nearest.feature.id.0)];
    Some(terrain.name.clone().unwrap_or_else(|| format!("the {}", terrain.kind.word())))
}

/// A unit moves.
pub(crate) fn go(play: &mut Play<'_>, unit: UnitId, way: Way, stretch: u8, distance: Length) -> Result<(), Halt> {
    let Some(order) = play.battle().doing.acting.map(|acting| acting.order) else {
        return Err(Refusal::new(HZ_ORD_28, "No order is in hand").into());
    };
    if play.battle().stage == Stage::Swing || order == Order::Manoeuvre {
        return manoeuvre::step_aside(play, unit, way, stretch, distance);
    }
    let acting = act::require(play, unit, order)?;
    let track = track(&Field::of(play.battle()), unit, way, &acting);
    let legal = track.as_ref().and_then(|track| track.stretches.get(usize::from(stretch)).copied());
    let (Some(track), Some((least, most))) = (track, legal) else {
        return Err(Refusal::impossible(HZ_ORD_28, "It cannot go that way").into());
    };
    let (mut end, mut finish) = track.end(distance);
    if distance < least || distance > most {
        let clause = stop_clause(&acting, end_of(&acting, &track, most).1);
        play.refuse(too_far(play.battle(), unit, way, distance, (least, most), clause))?;
        (end, finish) = (distance, Finish::There);
    }
    act::begin(play, unit, Act::Straight { way }, end.to_um(), finish)
}

/// Why a unit may not go so far; impossible where it would end on somebody or off the table.
pub(crate) fn too_far(
    battle: &Battle,
    unit: UnitId,
    way: Way,
    distance: Length,
    (least, most): (Length, Length),
    clause: Clause,
) -> Refusal {
    let field = Field::of(battle);
    let ends = field.get(unit).map(|placed| {
        let there = track::moved(placed, track::heading(placed.pose(), way).unit(), distance);
        battle.lay.table.on_table(&there) == OnTable::Wholly
            && field.meeting(there.bounds()).all(|(id, other)| id == unit || !overlapping(&there, other))
    });
    let range = if least <= track::least(battle) { format!("up to {most}") } else { format!("{least} to {most}") };
    let says = format!("It can move {range} that way, not {distance}");
    Refusal { impossible: ends != Some(true) || distance <= Length::ZERO, ..Refusal::new(clause, says) }
}

/// A straight move comes to its end.
pub(crate) fn complete(play: &mut Play<'_>, moving: Moving) -> Result<(), Halt> {
    let Act::Straight { way } = moving.act else { return Ok(()) };
    let unit = moving.unit;
    let pose = act::pose_at(play.battle(), &moving, moving.end);
    let start = play.battle().placed_at(unit, moving.from);
    if pose != play.battle().unit(unit).pose {
        play.happen(Event::Moved { unit, pose, done: moving.end });
    }
    let along = track::heading(moving.from, way).unit();
    let order = play.battle().doing.acting.map_or(Order::Manoeuvre, |acting| acting.order);
    let (clause, passages) = (friends_clause(order), matches!(order, Order::Advance | Order::Retire));
    let touched = friends_touched(play.battle(), unit, &start, along, Length::um(moving.end), passages);
    stagger_friends_by(play, unit, &touched, clause);
    if play.battle().is_present(unit) {
        let trail = act::trail(play.battle(), &moving);
        flight::run_over(play, unit, &trail);
        act::end_of_move(play, unit, moving.finish);
    }
    Ok(())
}

/// Friends that a move touched without a passage of lines, or that it ends touching (HZ-ADV-17 to HZ-ADV-20, HZ-RET-08 to HZ-RET-10).
pub(crate) fn friends_touched(
    battle: &Battle,
    unit: UnitId,
    start: &Placed,
    along: sabretache_table::Vec2,
    distance: Length,
    passages: bool,
) -> SmallVec<[UnitId; 4]> {
    decides!(HZ_ADV_17, HZ_ADV_18, HZ_ADV_19, HZ_ADV_20, HZ_RET_08, HZ_RET_09, HZ_RET_10);
    let field = Field::of(battle);
    let touch = battle.lay.sizes.touch.f();
    let Some(end) = field.get(unit) else { return SmallVec::new() };
    let mut found = SmallVec::new();
    field
        .friends(unit)
        .filter(|(friend, there)| {
            let ends_touching = nearer(end, *there, touch);
            if ends_touching {
                return true;
            }
            if passages && is_passage(battle, unit, *friend) {
                return false;
            }
            found.clear();
            meetings(start, along, distance.f(), *there, &mut found);
            // Contact that was there at the start and is left behind does not count.
            let through =
                found.iter().any(|meeting| meeting.to > 1.0 && meeting.from < distance.f() && meeting.from > -touch);
            through || contact::brushes(start, along * distance.f(), there, touch)
        })
        .map(|(friend, _)| friend)
        .collect()
}

/// Whether a unit passes through a friend without either being disordered (HZ-ADV-18, HZ-ADV-20).
#[must_use]
pub fn is_passage(battle: &Battle, unit: UnitId, friend: UnitId) -> bool {
    let (a, b) = (battle.unit(unit), battle.unit(friend));
    let (fa, fb) = (battle.facts(unit), battle.facts(friend));
    let lines = a.formation == Formation::Line && b.formation == Formation::Line;
    let same_arm = fa.arm == fb.arm && fa.arm != Arm::Artillery;
    decides!(HZ_GEO_25);
    let same_way =
        a.pose.heading.turn_to(b.pose.heading).abs() <= Angle::degrees(i32::from(battle.numbers().near.same_direction));
    if lines && same_arm && same_way && !b.routing {
        return true;
    }
    let able = fa.abilities.opens_order() || fa.horse.is_irregular();
    a.formation == Formation::OpenOrder && able && (b.formation == Formation::OpenOrder || battle.is_unlimbered(friend))
}

/// Friends that touch take a stagger each (HZ-ADV-17).
pub(crate) fn stagger_friends(play: &mut Play<'_>, unit: UnitId, touched: &[UnitId]) {
    stagger_friends_by(play, unit, touched, HZ_ADV_17);
}

/// The same by another clause (HZ-RET-08, HZ-DEP-14, HZ-MAN-08).
pub(crate) fn stagger_friends_by(play: &mut Play<'_>, unit: UnitId, touched: &[UnitId], clause: Clause) {
    decides!(HZ_DEP_14, HZ_MAN_08);
    let by = play.battle().numbers().touching_staggers;
    for &friend in touched {
        harm::stagger(play, friend, by, clause);
        harm::stagger(play, unit, by, clause);
    }
}

// ------------------------------------------------------------------ across obstacles

/// Whether a unit may engage an enemy across an obstacle that both stand right at (HZ-TER-15, HZ-HED-13, HZ-WAL-12, HZ-WAL-13, HZ-DIT-07).
#[must_use]
pub fn may_engage_across(field: &Field<'_>, unit: UnitId, enemy: UnitId) -> bool {
    decides!(HZ_HED_13, HZ_WAL_12, HZ_WAL_13, HZ_DIT_07);
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(unit), field.get(enemy)) else { return false };
    let troop = battle.troop(unit);
    if crate::table::siege::meets_over_battlements(field, unit, enemy) {
        return true;
    }
    if troop.arm == Arm::Artillery || !track::may_engage(field, unit, enemy) {
        return false;
    }
    let near = battle.lay.sizes.adjacent.f();
    let front = Convex::segment(placed.face(sabretache_table::Face::Front));
    battle.lay.ground.all().any(|lie| {
        let n = usize::from(lie.feature.id.0);
        let terrain = &battle.lay.terrain[n];
        let Some(crossing) = terrain.kind.crossing(&troop) else { return false };
        if matches!(crossing, Crossing::Barred(_)) || !nearer(&front, &lie, near) || !nearer(there, &lie, near) {
            return false;
        }
        let barred = contact::horse_barred(terrain, placed.centre());
        contact::is_between(&lie, placed, there) && (troop.arm == Arm::Infantry || barred.is_none())
    })
}

/// A unit engages across an obstacle.
pub(crate) fn engage_across(play: &mut Play<'_>, unit: UnitId, enemy: UnitId) -> Result<(), Halt> {
    act::require(play, unit, Order::Advance)?;
    let may = may_engage_across(&Field::of(play.battle()), unit, enemy);
    play.require(may, crate::clauses::HZ_TER_15, || "It cannot engage that enemy across the obstacle".into())?;
    act::begin(play, unit, Act::Across { enemy }, 0, Finish::There)
}
