//! Control: who decides what a brigade does, and the control test.

use crate::phases::fleeing;
use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::Outline;

use crate::battle::Battle;
use crate::brigade::{Charge, LastMove, Status};
use crate::clauses::{
    MB_CTL_01, MB_CTL_02, MB_CTL_03, MB_CTL_04, MB_CTL_05, MB_CTL_06, MB_CTL_07, MB_CTL_08, MB_CTL_11, MB_CTL_16,
    MB_GEN_10, MB_GEN_11,
};
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::situations::{Control, Running};
use crate::table::lay::near;
use crate::troops::Rank;

pub(crate) mod offers;

pub(crate) use offers::offers;

/// The detached leaders who control a brigade by their nearness, lowest rank first (MB-CTL-01, 03).
pub(crate) fn controllers(battle: &Battle, unit: UnitId) -> impl Iterator<Item = OfficerId> + '_ {
    decides!(MB_CTL_01, MB_CTL_03);
    let numbers = &battle.fixed.numbers.control;
    let side = battle.brigade(unit).side;
    let mut leaders: Vec<OfficerId> = battle
        .leaders_of(side)
        .filter(|leader| {
            let one = battle.leader(*leader);
            let radius = if one.rank == Rank::Marshal { numbers.marshal } else { numbers.general };
            one.attached.is_none()
                && battle.in_chain(*leader, unit)
                && battle.leader_reaches(*leader, unit, radius.length())
        })
        .collect();
    leaders.sort_by_key(|leader| (battle.leader(*leader).rank, *leader));
    leaders.into_iter()
}

/// Whether a leader controls a brigade, near it or with it.
fn has_leader(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_CTL_02, MB_CTL_05);
    battle.attached_to(unit).next().is_some() || controllers(battle, unit).next().is_some()
}

/// The controlled brigade that an uncontrolled one may copy (MB-CTL-06, 07).
pub(crate) fn leads(battle: &Battle, unit: UnitId) -> Option<UnitId> {
    decides!(MB_CTL_06);
    let brigade = battle.brigade(unit);
    let same = |other: &UnitId| {
        let one = battle.brigade(*other);
        let runs = matches!(one.status, Status::Routing | Status::Pursuing | Status::Looting);
        let in_hand = one.kind.is_brigade() && !runs && has_leader(battle, *other);
        *other != unit && one.under == brigade.under && in_hand
    };
    let neighbours: Vec<UnitId> = battle.of(brigade.side).filter(same).collect();
    let beside = neighbours.iter().find(|other| in_line_with(battle, unit, **other));
    beside.or_else(|| neighbours.iter().find(|other| behind(battle, unit, **other))).copied()
}

/// Side by side in one line: touching, as brigades of one command do, and facing the same way (MB-CTL-06).
pub(crate) fn in_line_with(battle: &Battle, unit: UnitId, other: UnitId) -> bool {
    decides!(MB_CTL_06);
    let (a, b) = (battle.brigade(unit), battle.brigade(other));
    let turn = a.pose.heading.turn_to(b.pose.heading).abs().to_hundredths();
    let (one, two) = (battle.figure(unit), battle.figure(other));
    decides!(MB_GEN_10);
    let gap = battle.fixed.numbers.contact_gap.length();
    if turn > battle.fixed.numbers.line_facing || !near(&one, &two, gap) {
        return false;
    }
    // Beside and not before or behind: less of them overlaps across the front than along it.
    let right = b.pose.heading.unit().right();
    overlap(one, two, right) <= overlap(one, two, b.pose.heading.unit())
}

/// Directly behind, within 4 inches (MB-GEN-11, MB-CTL-07).
pub(crate) fn behind(battle: &Battle, unit: UnitId, lead: UnitId) -> bool {
    decides!(MB_GEN_11, MB_CTL_07);
    let (rear, front) = (battle.brigade(unit), battle.brigade(lead));
    let (one, two) = (battle.figure(unit), battle.figure(lead));
    let forward = front.pose.heading.unit();
    let turn = rear.pose.heading.turn_to(front.pose.heading).abs().to_hundredths();
    if (turn > battle.fixed.numbers.rear_facing && !rear.is_unformed())
        || !near(&one, &two, battle.fixed.numbers.rear_line.length())
    {
        return false;
    }
    let along = |figure: &crate::table::lay::Figure, way| extent(figure, way);
    let (_, rear_most) = along(one, forward);
    let (front_least, _) = along(two, forward);
    let right = forward.right();
    let width = |figure| {
        let (from, to) = along(figure, right);
        to - from
    };
    let narrower = width(one).min(width(two));
    rear_most <= front_least + crate::table::lay::HAIR.f()
        && overlap(one, two, right) * 2.0 >= narrower - crate::table::lay::HAIR.f()
}

/// Whether a brigade in pursuit has nobody before it any more whom it sees and could go after.
fn has_lost_quarry(battle: &Battle, unit: UnitId) -> bool {
    let pursues = battle.brigade(unit).status == Status::Pursuing && !battle.in_combat(unit);
    pursues && fleeing::quarry(battle, unit).is_none_or(|quarry| !battle.sees(unit, quarry))
}

/// Who decides what a brigade does, as it stands at the end of its leaders' actions.
fn control_of(battle: &Battle, unit: UnitId) -> Charge {
    let brigade = battle.brigade(unit);
    if matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting) {
        return Charge::GoesOn;
    }
    if brigade.failed_charge {
        return Charge::Tests;
    }
    if battle.attached_to(unit).next().is_some() {
        return Charge::Attached;
    }
    if let Some(leader) = controllers(battle, unit).next() {
        return Charge::By(leader);
    }
    if battle.in_combat(unit) {
        return Charge::Unset;
    }
    if brigade.kind.is_brigade()
        && let Some(lead) = leads(battle, unit)
    {
        return Charge::Conforms(lead);
    }
    decides!(MB_CTL_04);
    if brigade.last_move == LastMove::None { Charge::Unset } else { Charge::Tests }
}

/// Whether a brigade may take a control test now.
pub(crate) fn may_test(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_CTL_04, MB_CTL_08);
    let brigade = battle.brigade(unit);
    let marks = &brigade.marks;
    let runs = matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting);
    let open = match marks.control.by {
        Charge::Tests | Charge::Conforms(_) => true,
        Charge::GoesOn => runs && !battle.in_combat(unit),
        Charge::Unset => !battle.in_combat(unit),
        _ => false,
    };
    open && !marks.control.tested && brigade.side == battle.active
}

/// The facts of a control test.
pub(crate) fn control_situation(battle: &Battle, unit: UnitId) -> Control {
    let brigade = battle.brigade(unit);
    let running = match brigade.status {
        Status::Routing => Running::Rout,
        Status::Pursuing => Running::Pursuit,
        Status::Looting => Running::Looting,
        _ if brigade.failed_charge => Running::Charge,
        _ => Running::None,
    };
    Control {
        running,
        leader: battle.attached_to(unit).next().is_some(),
        guns_or_elite: brigade.kind.is_gun() || brigade.grade.is_some_and(crate::troops::Grade::is_elite),
        moved_last_turn: brigade.last_move != LastMove::None,
        ..Control::default()
    }
}

/// Whether compulsory tests are left in this half.
pub(crate) fn tests_left(battle: &Battle) -> bool {
    battle.of(battle.active).any(|unit| battle.brigade(unit).marks.control.by == Charge::Tests)
}

/// How far a figure reaches along a way.
fn extent(figure: &crate::table::lay::Figure, way: sabretache_table::Vec2) -> (f64, f64) {
    let corners = figure.parts().flat_map(|part| part.corners.to_vec());
    corners.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), corner| {
        (least.min(corner.dot(way)), most.max(corner.dot(way)))
    })
}

/// How much two figures overlap seen along a way.
fn overlap(one: &crate::table::lay::Figure, two: &crate::table::lay::Figure, way: sabretache_table::Vec2) -> f64 {
    let ((a, b), (c, d)) = (extent(one, way), extent(two, way));
    (b.min(d) - a.max(c)).max(0.0)
}

/// Settles who decides for each brigade of a side (MB-CTL-04).
pub(crate) fn settle(play: &mut Play<'_>, side: Side) {
    crate::phases::messages::conclude(play, side);
    // A pursuit ends by itself when there is nobody left to pursue, or nobody in sight (MB-RES-29).
    let over: Vec<UnitId> = play.battle().of(side).filter(|unit| has_lost_quarry(play.battle(), *unit)).collect();
    for unit in over {
        play.happen(Event::Became { unit, status: Status::Retired });
    }
    let units: Vec<(UnitId, Charge)> =
        play.battle().of(side).map(|unit| (unit, control_of(play.battle(), unit))).collect();
    for (unit, control) in units {
        play.happen(Event::Control { unit, control });
    }
}

/// A brigade takes its control test.
pub(crate) fn test(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    if play.battle().phase != Phase::Control || play.battle().die().is_some() {
        return Err(Refusal::new(MB_CTL_04, "control tests are taken one by one, after the leaders' actions").into());
    }
    let may = may_test(play.battle(), unit);
    play.require(may, MB_CTL_04, || "it needs no control test now".into())?;
    let situation = control_situation(play.battle(), unit);
    let side = play.battle().brigade(unit).side;
    let purpose = Purpose { what: "control", of: Some(unit.into()), side };
    let die = play.roll(purpose, &situation.test(), &Throw::one(Die::D6), Wanted::Neither)?.total();
    play.happen(Event::ControlRolled { unit, die });
    if situation.most_shift() == 0 {
        return shift(play, 0);
    }
    Ok(())
}

/// The player shifts the die, or leaves it.
pub(crate) fn shift(play: &mut Play<'_>, by: i32) -> Result<(), Halt> {
    let Some((unit, die)) = play.battle().die() else {
        return Err(Refusal::new(MB_CTL_11, "there is no die to shift").into());
    };
    let situation = control_situation(play.battle(), unit);
    play.require(by.abs() <= situation.most_shift(), MB_CTL_11, || "the die may not be shifted so far".into())?;
    let total = die + situation.shifted(by).net();
    let result = situation.read(total, &play.battle().fixed.numbers);
    play.happen(Event::ControlTested { unit, total, result });
    Ok(())
}

/// The player names which of several leaders controls a brigade (MB-CTL-16).
pub(crate) fn name_leader(play: &mut Play<'_>, unit: UnitId, leader: OfficerId) -> Result<(), Halt> {
    let battle = play.battle();
    let by = matches!(battle.brigade(unit).marks.control.by, Charge::By(_))
        && controllers(battle, unit).any(|one| one == leader);
    play.require(by, MB_CTL_16, || "he does not control that brigade".into())?;
    play.happen(Event::Control { unit, control: Charge::By(leader) });
    Ok(())
}
