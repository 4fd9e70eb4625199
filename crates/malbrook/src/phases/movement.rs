//! The movement phase: dice, groups, straight moves, wheels.

use crate::phases::advance;
use crate::phases::options;
use crate::phases::roads;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::Length;

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Brigade, Charge, LastMove, Status};
use crate::clauses::{
    MB_CTL_06, MB_CTL_13, MB_CTL_14, MB_CTL_16, MB_MAN_18, MB_MAN_24, MB_MOV_03, MB_MOV_04, MB_MOV_07, MB_MOV_11,
    MB_MOV_14, MB_MOV_24, MB_RES_18, MB_SEQ_02, MB_SEQ_05, MB_TER_11, MB_UMP_01, MB_UMP_06,
};
use crate::event::{Event, GroupRoll};
use crate::phases::harm::Play;
use crate::situations::{MoveDice, MoveRoll, Pace};
use crate::table::path::Going;
use crate::troops::Formation;

mod dice;
pub(crate) mod offers;

pub(crate) use dice::{allowance, dice_for, may_double, roll, rolled, throw_dice};
use dice::{closed_dice, roll_offers, rolls_for};
pub(crate) use offers::{closed, offers, offers_of, only_stands, rides_of, second_changes};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Brigades that share their dice (MB-MOV-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Of a command, under a leader, foot or cavalry or guns.
    Of(OfficerId, OfficerId, u8),
    /// One that rolls for itself.
    Alone(UnitId),
}

/// The group that a unit moves with.
pub(crate) fn group_of(battle: &Battle, unit: UnitId) -> Group {
    let brigade = battle.brigade(unit);
    let arm = match brigade.kind {
        kind if kind.is_foot() => 0,
        kind if kind.is_cavalry() => 1,
        _ if brigade.formation == Formation::Limbered => 2,
        _ => return Group::Alone(unit),
    };
    decides!(MB_CTL_16);
    match brigade.marks.control.by {
        Charge::By(leader) => Group::Of(brigade.under, leader, arm),
        Charge::Conforms(lead) => match battle.brigade(lead).marks.control.by {
            Charge::By(leader) => Group::Of(brigade.under, leader, arm),
            // With the dice of the brigade that a leader is with, which rolls for itself.
            _ if battle.brigade(lead).kind.is_foot() == brigade.kind.is_foot() => Group::Alone(lead),
            _ => Group::Alone(unit),
        },
        _ => Group::Alone(unit),
    }
}

/// The group whose turn it is: that of the rightmost unit that is not done (MB-SEQ-05).
pub(crate) fn acting(battle: &Battle) -> Option<Group> {
    battle.memo.acting(|| {
        if let Some(roll) = battle.group {
            return Some(group_of(battle, roll.of));
        }
        if let Some(ahead) = battle.ahead {
            let group = group_of(battle, ahead);
            let waits = |unit: UnitId| !battle.brigade(unit).marks.share.done && group_of(battle, unit) == group;
            if battle.of(battle.active).any(waits) {
                return Some(group);
            }
        }
        let order = battle.right_to_left(battle.active);
        let waits = |unit: &&UnitId| !battle.brigade(**unit).marks.share.done && options::mine(battle, **unit).is_ok();
        let next = order.iter().find(waits);
        next.map(|unit| group_of(battle, *unit))
    })
}

/// The members of a group, from right to left.
pub(crate) fn members(battle: &Battle, group: Group) -> std::sync::Arc<[UnitId]> {
    let find = || {
        let order = battle.right_to_left(battle.active);
        order.iter().copied().filter(|unit| group_of(battle, *unit) == group).collect()
    };
    if acting(battle) == Some(group) { battle.memo.members(find) } else { find().into() }
}

/// Whether a unit may do something in this movement phase now.
pub(crate) fn may_move(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_MOV_07);
    let brigade = battle.brigade(unit);
    if battle.phase != crate::event::Phase::Movement || brigade.side != battle.active || !brigade.is_unit() {
        return no(MB_SEQ_02, "it is not its half of the movement phase");
    }
    options::mine(battle, unit)?;
    if brigade.marks.share.done {
        battle.forbid(MB_MOV_04, "its move is over")?;
    }
    decides!(MB_SEQ_05);
    if acting(battle) != Some(group_of(battle, unit)) {
        battle.forbid(MB_SEQ_05, "others further right move first")?;
    }
    if battle.pinned(unit) {
        battle.forbid(MB_MOV_07, "it is in close combat")?;
    }
    if brigade.marks.suffered.passed && !brigade.marks.shifted {
        battle.forbid(MB_MAN_18, "friends have passed through it, so that it stays where it is")?;
    }
    Ok(())
}

/// Whether a unit may change its place as its player wishes.
pub(crate) fn may_go(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    may_use_dice(battle, unit)?;
    if battle.brigade(unit).refused.is_some() {
        battle.forbid(MB_MAN_24, "its refused flank must be straightened first")?;
    }
    Ok(())
}

/// Whether dice may be rolled for a unit: to move, or to straighten a flank that was swung back.
pub(crate) fn may_use_dice(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_CTL_13, MB_MOV_11);
    may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    match brigade.marks.control.by {
        _ if brigade.marks.control.halted => battle.forbid(MB_CTL_13, "it is halted"),
        _ if brigade.status == Status::Looting => battle.forbid(MB_UMP_06, "it loots"),
        Charge::By(_) | Charge::Attached | Charge::Free => Ok(()),
        Charge::Conforms(_) => battle.forbid(MB_CTL_06, "it copies its neighbour, or tests"),
        Charge::Repeats => battle.forbid(MB_CTL_14, "it repeats its last move"),
        Charge::GoesOn if brigade.status == Status::Steady => Ok(()),
        Charge::Unset | Charge::Tests | Charge::Halts | Charge::GoesOn => {
            battle.forbid(MB_CTL_13, "it is halted, or runs")
        }
    }
}

/// Whether a brigade that ran must spend a move on forming before it moves again: all but those who never form, and those
/// too in the turn in which they rally (MB-RES-18, MB-RES-23).
fn must_form_first(brigade: &Brigade) -> bool {
    decides!(MB_RES_18);
    brigade.status == Status::Retired && (!brigade.skirmishes() || brigade.has_just_rallied())
}

/// Whether a brigade may stand without moving (MB-MOV-04, MB-MOV-24).
pub(crate) fn may_stand(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    let brigade = battle.brigade(unit);
    if must_repeat(battle, unit) && may_move(battle, unit).is_ok() {
        battle.forbid(MB_CTL_14, "it must repeat its last move")?;
    }
    if brigade.marks.control.by == Charge::GoesOn
        && matches!(brigade.status, Status::Routing | Status::Pursuing)
        && !battle.pinned(unit)
    {
        battle.forbid(MB_CTL_13, "it runs on")?;
    }
    if advance::must_conform(battle, unit) {
        battle.forbid(MB_CTL_06, "it does as its neighbour has done")?;
    }
    // Those who can re-form may stand to do so; hussars never form.
    decides!(MB_MOV_24);
    let re_forms = brigade.is_unformed() && !brigade.skirmishes();
    let excused = brigade.marks.control.halted || battle.pinned(unit) || re_forms || may_go(battle, unit).is_err();
    let (least, _) = brigade.may_roll(None, &battle.fixed.numbers);
    if brigade.kind.is_cavalry() && least > 0 && !excused && brigade.marks.share.dice.is_none() && !stuck(battle, unit)
    {
        battle.forbid(MB_MOV_24, "after three dice cavalry roll one at least")?;
    }
    // The umpire may have told its wing to move.
    let able =
        battle.group.is_none() && may_go(battle, unit).is_ok() && !dice_for(battle, group_of(battle, unit)).is_empty();
    decides!(MB_UMP_01);
    if able
        && !brigade.marks.moved
        && brigade.kind.is_brigade()
        && options::told_to_move(battle, unit)
        && !stuck(battle, unit)
    {
        battle.forbid(MB_UMP_01, "the umpire has upheld a challenge: its wing must move")?;
    }
    // A brigade that has rolled for itself alone must move.
    decides!(MB_MOV_04);
    let alone = battle.group.is_some_and(|group| group.of == unit) && matches!(group_of(battle, unit), Group::Alone(_));
    if alone && !brigade.marks.moved && advance::straight_on(battle, unit).is_ok() && !brigade.kind.is_model() {
        battle.forbid(MB_MOV_04, "the distance rolled must be moved")?;
    }
    Ok(())
}

/// Whether cavalry cannot move at all (MB-TER-11).
fn stuck(battle: &Battle, unit: UnitId) -> bool {
    let going = Going { blind: true, ..Going::normal(false) };
    decides!(MB_TER_11);
    let reach = battle.reach(unit, battle.brigade(unit).pose.heading, Length::inches(1), going);
    reach.distance == Length::ZERO || dice_for(battle, group_of(battle, unit)).is_empty()
}

/// Whether a brigade has a move to repeat.
pub(crate) fn repeats(battle: &Battle, unit: UnitId) -> bool {
    repeat_dice(battle, unit).is_some() || roads::repeats_road(battle, unit).is_some()
}

/// Whether a brigade that a test tells to repeat its last move has one to repeat: by dice, along a road, or a retirement
/// (MB-CTL-14, MB-RES-18).
pub(crate) fn must_repeat(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_CTL_14);
    let brigade = battle.brigade(unit);
    let retires = brigade.last_move == LastMove::Retired && brigade.runs();
    brigade.marks.control.by == Charge::Repeats && (retires || repeats(battle, unit))
}

/// The dice that a brigade must repeat.
pub(crate) fn repeat_dice(battle: &Battle, unit: UnitId) -> Option<MoveDice> {
    decides!(MB_CTL_14);
    match battle.brigade(unit).last_move {
        LastMove::Dice(dice)
            if battle.brigade(unit).marks.control.by == Charge::Repeats
                && !battle.brigade(unit).marks.control.halted =>
        {
            Some(dice)
        }
        _ => None,
    }
}

/// Hussars and dragoons on foot that have left off running are in hand again once they have had a move of their own: they
/// have no formation to take up (MB-RES-18).
pub(crate) fn come_to_hand(play: &mut Play<'_>, side: Side) {
    let stopped = |unit: &UnitId| {
        let brigade = play.battle().brigade(*unit);
        let runs_on = brigade.marks.shifted && !brigade.marks.moved;
        brigade.status == Status::Retired && brigade.skirmishes() && !runs_on
    };
    let units: Vec<UnitId> = play.battle().of(side).filter(stopped).collect();
    for unit in units {
        play.happen(Event::Became { unit, status: Status::Steady });
    }
}

/// A unit stands.
pub(crate) fn stand(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let open = acting(battle) == Some(group_of(battle, unit)) && !battle.brigade(unit).marks.share.done;
    play.require(open, MB_SEQ_05, || "it is not its turn to move".into())?;
    may_stand(play.battle(), unit)?;
    play.happen(Event::Done { unit });
    Ok(())
}
