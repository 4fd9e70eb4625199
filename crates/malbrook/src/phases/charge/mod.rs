//! Charges: declared, answered, ridden.

use crate::phases::control;
use crate::phases::fleeing;
use crate::phases::manoeuvre;
use crate::phases::options;
use crate::phases::orders;
pub(crate) use riding::strikes_flank;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Angle, Convex, Corner, Heading, Length, Segment, Vec2, first_contact};

use crate::battle::Battle;
use crate::brigade::{Assault, Charge, Response, Status};
use crate::clauses::{
    MB_CHG_01, MB_CHG_02, MB_CHG_03, MB_CHG_04, MB_CHG_06, MB_CHG_09, MB_CHG_10, MB_CHG_11, MB_CHG_12, MB_CHG_13,
    MB_CHG_15, MB_CHG_16, MB_CHG_17, MB_CTL_13, MB_CTL_15, MB_FOO_03, MB_MAN_18, MB_MOV_07, MB_RES_30, MB_UNI_03,
    MB_VIS_01,
};
use crate::event::{Event, FastMove, GroupRoll, Phase};
use crate::phases::advance::{capture_on_way, pay_for_way};
use crate::phases::fleeing::fall_back;
use crate::phases::harm::{Play, harm};
use crate::phases::meeting::Met;
use crate::phases::movement::throw_dice;
use crate::phases::pursuit::hack;
use crate::situations::{Cause, MoveDice, MoveRoll, Pace};
use crate::table::lay::{Figure, HAIR, near};
use crate::table::path::Going;
use crate::troops::Formation;

mod answers;
pub(crate) mod offers;

pub(crate) use answers::{
    answers_left, begins_close, can_turn, counter, evade, is_held, may_counter, may_evade, may_turn, must_answer,
    receive, turn, turn_to_meet,
};
pub(crate) use offers::{closed, dice_offers, offers, offers_of, response_closed, response_offers};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// As far as anybody can see across a table.
const FAR: f64 = 5_000_000.0;
/// How finely the bearings of a charge are looked through, in hundredths of a degree.
const BEARINGS: usize = 125;

mod riding;

pub(crate) use riding::{arrive, course_to_meet, distance_of, finish_ride, meet_after, name_dice, ridden, ride_both};

/// Whether a brigade may declare a charge at all.
pub(crate) fn may_declare(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_CHG_01, MB_CHG_02, MB_CHG_03, MB_MAN_18);
    let brigade = battle.brigade(unit);
    if battle.phase != Phase::Charges || brigade.side != battle.active {
        return no(MB_CHG_02, "charges are declared at the start of the combat phase");
    }
    if !brigade.kind.is_cavalry() {
        battle.forbid(MB_CHG_01, "only cavalry charge")?;
        if !brigade.is_brigade() {
            return no(MB_CHG_01, "only cavalry charge");
        }
    }
    if brigade.marks.carried.attack != Assault::None {
        return no(MB_CHG_02, "it has declared");
    }
    let running = brigade.status != Status::Steady;
    let formed = brigade.formation != Formation::MarchColumn && (brigade.is_formed() || brigade.skirmishes());
    let touching = battle.enemies(brigade.side).any(|enemy| battle.fights(unit, enemy) && battle.touch(unit, enemy));
    decides!(MB_CTL_13);
    if brigade.marks.control.halted || running || !formed || touching {
        battle.forbid(MB_CHG_03, "it is halted, runs, is not formed for it, or is in contact")?;
    }
    // Those who let friends pass for nothing stay where they are (MB-MAN-18), unless they must charge again.
    if brigade.marks.suffered.passed && !charges_again(battle, unit) {
        battle.forbid(MB_MAN_18, "friends have passed through it, so that it stays where it is")?;
    }
    let led = |lead: UnitId| {
        matches!(battle.brigade(lead).marks.carried.attack, Assault::Declared { .. })
            && control::in_line_with(battle, unit, lead)
    };
    match brigade.marks.control.by {
        Charge::By(_) | Charge::Attached | Charge::Free => Ok(()),
        Charge::GoesOn if brigade.failed_charge => Ok(()),
        Charge::Conforms(lead) if led(lead) => Ok(()),
        _ => battle.forbid(MB_CHG_03, "nobody controls it"),
    }
}

/// The bearing of a charge at a target: the one that reaches it soonest, to a tenth of an inch, and of those the
/// straightest (MB-CHG-04, 06).
fn charge_bearing(battle: &Battle, unit: UnitId, at: UnitId) -> Option<i32> {
    let (figure, target) = (battle.figure(unit), battle.figure(at));
    let ahead = battle.brigade(unit).pose.heading;
    decides!(MB_CHG_06);
    let most = battle.fixed.numbers.off_centre;
    if !within_fan(figure, target, ahead, most) {
        return None;
    }
    let (from, to) = sabretache_table::nearest_places(&figure, &target);
    let straight = ahead.turn_to(Heading::toward(from, to)).to_hundredths().clamp(-most, most);
    let centre = ahead.turn_to(Heading::toward(figure.centre(), target.centre())).to_hundredths().clamp(-most, most);
    let tenth = Length::inch_fraction(1, 10).f();
    let soon = |bearing: i32| {
        let way = (ahead + Angle::hundredths(bearing)).unit();
        let by = first_contact(&figure, way, FAR, &target)?;
        Some(((by / tenth) as i64, bearing.abs(), bearing))
    };
    let all = (-most..=most).step_by(BEARINGS).chain([0, straight, centre, most]);
    all.filter_map(soon).min().map(|(_, _, bearing)| bearing)
}

/// Whether a straight move that bears off by no more than so much could touch a target at all. It takes the boxes along and across the
/// way that the charger faces, so it says yes to some that are out of reach.
fn within_fan(figure: &Figure, target: &Figure, ahead: Heading, most: i32) -> bool {
    let (way, aside) = (ahead.unit(), ahead.unit().right());
    let spread = |of: &Figure, axis: Vec2| {
        let corners = of.bases.iter().flat_map(|base| base.as_part().corners);
        corners
            .map(|corner| corner.dot(axis))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let (back, _) = spread(figure, way);
    let (_, front) = spread(target, way);
    let ((left, right), (least, last)) = (spread(figure, aside), spread(target, aside));
    let (before, off) = (front - back, (least - right).max(left - last));
    // A millimetre for rounding.
    let slack = 1_000.0;
    let edge = (Heading::NORTH + Angle::hundredths(most)).unit();
    before + slack >= 0.0 && off * edge.y <= (before + slack) * edge.x + slack
}

/// The bearings on which a charge reaches its target (MB-CHG-06): no gap in a target is as wide as a charger, so they lie side by side.
pub(crate) fn charge_input(battle: &Battle, unit: UnitId, at: UnitId, outrance: bool) -> Result<Input, Refusal> {
    let soonest = may_charge(battle, unit, at, outrance)?;
    let (figure, target) = (battle.figure(unit), battle.figure(at));
    let ahead = battle.brigade(unit).pose.heading;
    let hits =
        |bearing: i32| first_contact(&figure, (ahead + Angle::hundredths(bearing)).unit(), FAR, &target).is_some();
    let furthest = |end: i32| {
        let (mut hit, mut miss) = (soonest, end);
        if hits(end) {
            return Angle::hundredths(end);
        }
        while (hit - miss).abs() > 1 {
            let middle = hit.midpoint(miss);
            *(if hits(middle) { &mut hit } else { &mut miss }) = middle;
        }
        Angle::hundredths(hit)
    };
    let most = battle.fixed.numbers.off_centre;
    Ok(Input::Wheel { most_left: furthest(-most), most_right: furthest(most) })
}

/// Whether a brigade may charge a target, and on what bearing it reaches it soonest.
pub(crate) fn may_charge(battle: &Battle, unit: UnitId, at: UnitId, outrance: bool) -> Result<i32, Refusal> {
    decides!(MB_UNI_03, MB_VIS_01, MB_CHG_04, MB_CHG_10);
    may_declare(battle, unit)?;
    if outrance && !battle.brigade(unit).outrance {
        battle.forbid(MB_UNI_03, "it may not charge with the sword alone")?;
    }
    let Some(bearing) = charge_bearing(battle, unit, at) else {
        return no(MB_CHG_04, "no straight move within 22.5 degrees reaches it");
    };
    if !battle.sees(unit, at) && !is_hidden_by_friends(battle, unit, at) {
        battle.forbid(MB_VIS_01, "it does not see the target")?;
    }
    if let Err(refusal) = orders::may_attack(battle, unit, at) {
        battle.forbid(refusal.clause, refusal.sentence)?;
    }
    // Those who must charge again charge the nearest they can (MB-CTL-15).
    if charges_again(battle, unit) {
        let figure = battle.figure(unit);
        let off = |enemy: UnitId| sabretache_table::distance(figure, battle.figure(enemy));
        let nearer = |enemy: &UnitId| off(*enemy) < off(at) && charge_bearing(battle, unit, *enemy).is_some();
        if battle.enemies(battle.active).filter(nearer).any(|enemy| battle.sees(unit, enemy)) {
            battle.forbid(MB_CTL_15, "it must charge the nearest enemy to its front")?;
        }
    }
    Ok(bearing)
}

/// Whether a target is the nearest enemy straight ahead, and friends on the way to him, whom a charge may pass through,
/// see him (MB-VIS-01).
fn is_hidden_by_friends(battle: &Battle, unit: UnitId, at: UnitId) -> bool {
    let (figure, way) = (battle.figure(unit), battle.brigade(unit).pose.heading.unit());
    let off = |other: UnitId| first_contact(figure, way, FAR, battle.figure(other));
    let Some(far) = off(at) else { return false };
    let side = battle.brigade(unit).side;
    let nearer = |other: UnitId| other != at && off(other).is_some_and(|by| by < far);
    let friends = || battle.of(side).filter(|friend| *friend != unit && nearer(*friend));
    !battle.enemies(side).any(|enemy| options::is_known(battle, enemy) && nearer(enemy))
        && friends().any(|friend| battle.sees(friend, at))
}

/// Brigades that must declare before the half can end (MB-CTL-15).
pub(crate) fn must_declare(battle: &Battle) -> bool {
    battle.of(battle.active).any(|unit| charges_again(battle, unit) && may_declare(battle, unit).is_ok())
}

/// Whether a brigade must attempt its charge again.
pub(crate) fn charges_again(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_CTL_15, MB_CHG_09);
    let brigade = battle.brigade(unit);
    brigade.failed_charge && brigade.marks.control.by == Charge::GoesOn
}

/// Whether a brigade is to ride yet in this turn: it has declared a charge or answers one by riding to meet it, or must
/// charge again. It is not one that stays where it is (MB-MAN-18).
pub(crate) fn is_bound_to_ride(battle: &Battle, unit: UnitId) -> bool {
    let marks = &battle.brigade(unit).marks;
    matches!(marks.carried.attack, Assault::Declared { .. })
        || matches!(marks.onset.response, Response::CounterCharges(_))
        || charges_again(battle, unit)
}

/// Whether a brigade that must charge again has nobody to charge, and rides straight ahead (MB-CTL-15).
pub(crate) fn may_charge_ahead(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    may_declare(battle, unit)?;
    let target = |at: UnitId| may_charge(battle, unit, at, false).is_ok();
    if !charges_again(battle, unit) || battle.enemies(battle.active).any(target) {
        return no(MB_CTL_15, "it has an enemy to charge, or need not");
    }
    Ok(())
}

/// The enemies that have declared a charge at a brigade.
pub(crate) fn chargers(battle: &Battle, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
    let at = move |enemy: &UnitId| matches!(battle.brigade(*enemy).marks.carried.attack, Assault::Declared { at, .. } if at == unit);
    battle.enemies(battle.brigade(unit).side).filter(at)
}

/// The charge to be ridden next: the first player's from right to left, then the other's (MB-CHG-17).
pub(crate) fn next_charge(battle: &Battle) -> Option<UnitId> {
    decides!(MB_CHG_17);
    [battle.first, battle.second()].into_iter().find_map(|side| {
        let declared = |unit: &UnitId| matches!(battle.brigade(*unit).marks.carried.attack, Assault::Declared { .. });
        battle.right_to_left(side).iter().copied().find(declared)
    })
}

/// Who rides to meet a charger.
pub(super) fn rides_against(battle: &Battle, charger: UnitId) -> Option<UnitId> {
    let Assault::Declared { at, .. } = battle.brigade(charger).marks.carried.attack else { return None };
    if at == charger {
        return None;
    }
    let target = battle.brigade(at);
    if !target.is_unit() {
        return None;
    }
    let counters = target.marks.onset.response == Response::CounterCharges(charger);
    let charges = matches!(target.marks.carried.attack, Assault::Declared { at, .. } if at == charger);
    (counters || charges).then_some(at)
}

/// Who names charge dice now.
pub(crate) fn names_dice(battle: &Battle) -> Option<UnitId> {
    let charger = next_charge(battle)?;
    match battle.group {
        Some(_) => rides_against(battle, charger),
        None => Some(charger),
    }
}

/// The dice open to a charge (MB-MOV-24).
pub(crate) fn charge_dice(battle: &Battle, unit: UnitId) -> Vec<MoveDice> {
    let brigade = battle.brigade(unit);
    let moved = brigade.marks.share.dice.map_or(0, MoveDice::count);
    let (least, most) = brigade.may_roll(Some(moved), &battle.fixed.numbers);
    let open = MoveDice::open_to(brigade.kind, brigade.formation, false);
    open.iter().copied().filter(|dice| (least..=most).contains(&dice.count())).collect()
}

/// A charge is declared, on a bearing of the player's or the one that reaches the enemy soonest (MB-CHG-02, 06).
pub(crate) fn declare(
    play: &mut Play<'_>,
    unit: UnitId,
    at: UnitId,
    outrance: bool,
    bearing: Option<Angle>,
) -> Result<(), Halt> {
    let soonest = may_charge(play.battle(), unit, at, outrance)?;
    let bearing = bearing.map_or(soonest, Angle::to_hundredths);
    play.happen(Event::Declared { unit, at, outrance, bearing });
    Ok(())
}

/// A brigade that must charge again rides straight ahead, since there is nobody to charge (MB-CTL-15).
pub(crate) fn charge_ahead(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    may_charge_ahead(play.battle(), unit)?;
    play.happen(Event::Declared { unit, at: unit, outrance: false, bearing: 0 });
    Ok(())
}
