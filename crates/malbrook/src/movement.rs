//! The movement phase: dice, groups, straight moves, wheels.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::Length;

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Charge, LastMove, Status};
use crate::clauses::{
    MB_CTL_06, MB_CTL_13, MB_CTL_14, MB_MAN_18, MB_MAN_24, MB_MOV_03, MB_MOV_04, MB_MOV_07, MB_MOV_11, MB_MOV_14,
    MB_MOV_24, MB_SEQ_02, MB_SEQ_05, MB_UMP_01, MB_UMP_06,
};
use crate::event::{Event, GroupRoll};
use crate::harm::Play;
use crate::manoeuvre;
use crate::path::Going;
use crate::situations::{MoveDice, MoveRoll, Pace, may_roll};
use crate::troops::Formation;

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

impl Battle {
    /// The group that a unit moves with.
    pub(crate) fn group_of(&self, unit: UnitId) -> Group {
        let brigade = self.brigade(unit);
        let arm = match brigade.kind {
            kind if kind.is_foot() => 0,
            kind if kind.is_cavalry() => 1,
            _ if brigade.formation == Formation::Limbered => 2,
            _ => return Group::Alone(unit),
        };
        match brigade.marks.control {
            Charge::By(leader) => Group::Of(brigade.under, leader, arm),
            Charge::Conforms(lead) => match self.brigade(lead).marks.control {
                Charge::By(leader) => Group::Of(brigade.under, leader, arm),
                _ => Group::Alone(unit),
            },
            _ => Group::Alone(unit),
        }
    }

    /// The group whose turn it is: that of the rightmost unit that is not done (MB-SEQ-05).
    pub(crate) fn acting(&self) -> Option<Group> {
        self.memo.acting(|| {
            if let Some(roll) = self.group {
                return Some(self.group_of(roll.of));
            }
            if let Some(ahead) = self.ahead {
                let group = self.group_of(ahead);
                let waits = |unit: UnitId| !self.brigade(unit).marks.done && self.group_of(unit) == group;
                if self.of(self.active).any(waits) {
                    return Some(group);
                }
            }
            let order = self.right_to_left(self.active);
            let waits = |unit: &&UnitId| !self.brigade(**unit).marks.done && self.mine(**unit).is_ok();
            let next = order.iter().find(waits);
            next.map(|unit| self.group_of(*unit))
        })
    }

    /// The members of a group, from right to left.
    pub(crate) fn members(&self, group: Group) -> std::sync::Arc<[UnitId]> {
        let find = || {
            let order = self.right_to_left(self.active);
            order.iter().copied().filter(|unit| self.group_of(*unit) == group).collect()
        };
        if self.acting() == Some(group) { self.memo.members(find) } else { find().into() }
    }

    /// Whether a unit may do something in this movement phase now.
    pub(crate) fn may_move(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(MB_MOV_07);
        let brigade = self.brigade(unit);
        if self.phase != crate::event::Phase::Movement || brigade.side != self.active || !brigade.is_unit() {
            return no(MB_SEQ_02, "it is not its half of the movement phase");
        }
        self.mine(unit)?;
        if brigade.marks.done {
            self.forbid(MB_MOV_04, "its move is over")?;
        }
        if self.acting() != Some(self.group_of(unit)) {
            self.forbid(MB_SEQ_05, "others further right move first")?;
        }
        if self.pinned(unit) {
            self.forbid(MB_MOV_07, "it is in close combat")?;
        }
        if brigade.marks.passed && !brigade.marks.shifted {
            self.forbid(MB_MAN_18, "friends have passed through it, so that it stays where it is")?;
        }
        Ok(())
    }

    /// Whether a unit may change its place as its player wishes.
    pub(crate) fn may_go(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_use_dice(unit)?;
        if self.brigade(unit).refused.is_some() {
            self.forbid(MB_MAN_24, "its refused flank must be straightened first")?;
        }
        Ok(())
    }

    /// Whether dice may be rolled for a unit: to move, or to straighten a flank that was swung back.
    pub(crate) fn may_use_dice(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(MB_CTL_13, MB_MOV_11);
        self.may_move(unit)?;
        let brigade = self.brigade(unit);
        match brigade.marks.control {
            _ if brigade.marks.halted => self.forbid(MB_CTL_13, "it is halted"),
            _ if brigade.status == Status::Looting => self.forbid(MB_UMP_06, "it loots"),
            Charge::By(_) | Charge::Attached | Charge::Free => Ok(()),
            Charge::Conforms(_) => self.forbid(MB_CTL_06, "it copies its neighbour, or tests"),
            Charge::Repeats => self.forbid(MB_CTL_14, "it repeats its last move"),
            Charge::GoesOn if brigade.status == Status::Steady => Ok(()),
            Charge::Unset | Charge::Tests | Charge::Halts | Charge::GoesOn => {
                self.forbid(MB_CTL_13, "it is halted, or runs")
            }
        }
    }

    /// Beyond 6 inches of known enemy, and of ground that may hide some (MB-MOV-14).
    pub(crate) fn may_double(&self, unit: UnitId) -> bool {
        decides!(MB_MOV_14);
        !self.enemy_near(unit) && !self.may_hide_enemy_near(unit)
    }

    /// The roll as the dice fell.
    pub(crate) fn rolled(&self) -> Option<MoveRoll> {
        let roll = self.group?;
        Some(MoveRoll { dice: MoveDice::new(roll.average, roll.d6), faces: roll.faces })
    }

    /// Whether these dice suit a unit (MB-MOV-24).
    fn suits(&self, unit: UnitId, dice: MoveDice) -> bool {
        let brigade = self.brigade(unit);
        if !brigade.kind.is_cavalry() {
            return true;
        }
        let (least, most) = may_roll(brigade.speed, None, &self.fixed.numbers);
        (least..=most).contains(&dice.count())
    }

    /// How much of the roll a unit still has; nothing if it cannot use the roll.
    pub(crate) fn allowance(&self, unit: UnitId) -> Option<(Length, bool)> {
        let (roll, group) = (self.rolled()?, self.group?);
        let brigade = self.brigade(unit);
        let open = MoveDice::open_to(brigade.kind, brigade.formation, false);
        if !open.contains(&roll.dice) || !self.suits(unit, roll.dice) || self.acting() != Some(self.group_of(unit)) {
            return None;
        }
        let begun = brigade.marks.spent > Length::ZERO;
        let double = group.double && if begun { brigade.marks.double } else { self.may_double(unit) };
        let inspired = self.inspires(unit) > 0;
        let whole = roll.distance(Pace::Normal, inspired, double, &self.fixed.numbers);
        let share = if brigade.marks.half { whole.half() } else { whole };
        Some(((share - brigade.marks.spent).max(Length::ZERO), double))
    }

    /// The dice a group may name: those that suit one of its members at least.
    pub(crate) fn dice_for(&self, group: Group) -> Vec<MoveDice> {
        if self.group.is_some() {
            return Vec::new();
        }
        let mut dice: Vec<MoveDice> = Vec::new();
        for unit in self.members(group).iter().copied().filter(|unit| self.may_use_dice(*unit).is_ok()) {
            let brigade = self.brigade(unit);
            let rough = brigade.formation == Formation::Limbered
                && self.is_rough(self.figure(unit), brigade.pose.heading.unit(), Length::inches(5));
            for one in MoveDice::open_to(brigade.kind, brigade.formation, rough) {
                if self.suits(unit, *one) && !dice.contains(one) && brigade.status != Status::Retired {
                    dice.push(*one);
                }
            }
        }
        dice.sort_unstable();
        dice
    }

    /// Whether a brigade may stand without moving (MB-MOV-04, MB-MOV-24).
    pub(crate) fn may_stand(&self, unit: UnitId) -> Result<(), Refusal> {
        let brigade = self.brigade(unit);
        if brigade.marks.control == Charge::Repeats && self.may_move(unit).is_ok() && self.repeats(unit) {
            self.forbid(MB_CTL_14, "it must repeat its last move")?;
        }
        if brigade.marks.control == Charge::GoesOn
            && matches!(brigade.status, Status::Routing | Status::Pursuing)
            && !self.pinned(unit)
        {
            self.forbid(MB_CTL_13, "it runs on")?;
        }
        let excused = brigade.marks.halted || self.pinned(unit) || brigade.is_unformed() || self.may_go(unit).is_err();
        let (least, _) = may_roll(brigade.speed, None, &self.fixed.numbers);
        if brigade.kind.is_cavalry() && least > 0 && !excused && brigade.marks.dice.is_none() && !self.stuck(unit) {
            self.forbid(MB_MOV_24, "after three dice cavalry roll one at least")?;
        }
        // The umpire may have told its wing to move.
        let able = self.group.is_none() && self.may_go(unit).is_ok() && !self.dice_for(self.group_of(unit)).is_empty();
        if able && !brigade.marks.moved && brigade.kind.is_brigade() && self.told_to_move(unit) && !self.stuck(unit) {
            self.forbid(MB_UMP_01, "the umpire has upheld a challenge: its wing must move")?;
        }
        // Who has rolled for himself alone must move.
        let alone = self.group.is_some_and(|group| group.of == unit) && matches!(self.group_of(unit), Group::Alone(_));
        if alone && !brigade.marks.moved && self.advance(unit).is_ok() && !brigade.kind.is_model() {
            self.forbid(MB_MOV_04, "the distance rolled must be moved")?;
        }
        Ok(())
    }

    /// Whether cavalry cannot move at all (MB-TER-11).
    fn stuck(&self, unit: UnitId) -> bool {
        let going = Going { blind: true, ..Going::normal(false) };
        let reach = self.reach(unit, self.brigade(unit).pose.heading, Length::inches(1), going);
        reach.distance == Length::ZERO || self.dice_for(self.group_of(unit)).is_empty()
    }

    /// Whether a brigade has a move to repeat.
    pub(crate) fn repeats(&self, unit: UnitId) -> bool {
        self.repeat_dice(unit).is_some() || self.repeats_road(unit).is_some()
    }

    /// The dice that a brigade must repeat.
    pub(crate) fn repeat_dice(&self, unit: UnitId) -> Option<MoveDice> {
        decides!(MB_CTL_14);
        match self.brigade(unit).last_move {
            LastMove::Dice(dice)
                if self.brigade(unit).marks.control == Charge::Repeats && !self.brigade(unit).marks.halted =>
            {
                Some(dice)
            }
            _ => None,
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for leader in battle.leaders_of(battle.active) {
        for double in [false, true] {
            if battle.may_ride(leader, double).is_ok() {
                out.push(Offer::Ride { leader, double });
            }
        }
    }
    let Some(group) = battle.acting() else { return };
    for dice in battle.dice_for(group) {
        let of = battle.members(group).iter().copied().find(|unit| battle.may_use_dice(*unit).is_ok());
        let Some(of) = of else { continue };
        out.push(Offer::Roll { of, dice, double: false });
        if battle.members(group).iter().any(|unit| battle.may_double(*unit)) {
            out.push(Offer::Roll { of, dice, double: true });
        }
    }
    for unit in battle.members(group).iter().copied().filter(|unit| !battle.brigade(*unit).marks.done) {
        unit_offers(battle, unit, out);
    }
}

/// Second changes of formation, by those who have just made a first and done nothing but that (MB-MAN-07).
pub(crate) fn second_changes(battle: &Battle, out: &mut Vec<Offer>) {
    let changed = |unit: &UnitId| battle.brigade(*unit).marks.whole && battle.may_form(*unit).is_ok();
    let open: Vec<UnitId> = battle.of(battle.active).filter(changed).collect();
    out.extend(open.into_iter().map(Offer::Form).filter(|offer| !out.contains(offer)).collect::<Vec<_>>());
}

/// Tells of each thing a unit may do, until the listener has heard enough; whether it has.
fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    let mut say = |open: bool, offer: Offer| open && enough(offer);
    if battle.may_go(unit).is_ok() {
        let advance = battle.advance(unit);
        for at in battle.halting_places(unit) {
            if say(true, Offer::HaltAt { unit, at }) {
                return true;
            }
        }
        for friend in battle.in_the_way(unit) {
            if say(true, Offer::LetAhead { unit, friend }) {
                return true;
            }
        }
        if say(battle.level_halt(unit).is_ok(), Offer::HaltLevel(unit))
            || say(battle.gap_input(unit).is_ok(), Offer::PassGap(unit))
            || say(battle.road_input(unit, false).is_ok(), Offer::Road { unit, double: false })
            || say(battle.road_input(unit, true).is_ok(), Offer::Road { unit, double: true })
        {
            return true;
        }
        if say(advance.is_ok(), Offer::Advance(unit))
            || say(advance.is_ok() && battle.halt_short(unit).is_ok(), Offer::HaltShort(unit))
            || say(battle.bearing(unit).is_ok(), Offer::Bear(unit))
            || say(battle.has_room_to_wheel(unit), Offer::Wheel(unit))
            || say(battle.incline(unit, false).is_ok(), Offer::Incline { unit, right: false })
            || say(battle.incline(unit, true).is_ok(), Offer::Incline { unit, right: true })
        {
            return true;
        }
    }
    let repeats = battle.may_move(unit).is_ok() && battle.repeats(unit);
    say(battle.may_conform(unit).is_ok(), Offer::Conform(unit))
        || say(repeats, Offer::Repeat(unit))
        || say(crate::pursuing::may_go_on(battle, unit).is_ok(), Offer::GoOn(unit))
        || manoeuvre::each_offer(battle, unit, enough)
}

pub(crate) fn unit_offers(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    each_offer(battle, unit, &mut |offer| {
        out.push(offer);
        false
    });
    if battle.may_stand(unit).is_ok() {
        out.push(Offer::Stand(unit));
    }
}

/// Whether a unit can do nothing but stand, if that.
pub(crate) fn only_stands(battle: &Battle, unit: UnitId) -> bool {
    // Most can go on, and then nothing else need be looked at.
    let goes_on = battle.may_go(unit).is_ok() && battle.advance(unit).is_ok();
    !goes_on && !each_offer(battle, unit, &mut |_| true)
}

/// The dice that a group may not name, and why (MB-MOV-24, MB-MOV-14).
fn closed_dice(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let Some(group) = battle.acting() else { return };
    let members = battle.members(group);
    let Some(of) = members.iter().copied().find(|unit| battle.may_use_dice(*unit).is_ok()) else { return };
    let open = battle.dice_for(group);
    let brigade = battle.brigade(of);
    for dice in MoveDice::open_to(brigade.kind, brigade.formation, false).iter().copied() {
        if battle.group.is_some() {
            continue;
        }
        let near = !members.iter().any(|unit| battle.may_double(*unit));
        if !open.contains(&dice) {
            let why =
                Refusal::new(MB_MOV_24, "cavalry change their speed by two dice at most from one turn to the next");
            out.push((Offer::Roll { of, dice, double: false }, why));
        } else if near {
            let why = Refusal::new(MB_MOV_14, "enemy, or ground that may hide them, are within 6 inches");
            out.push((Offer::Roll { of, dice, double: true }, why));
        }
    }
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    closed_dice(battle, out);
    crate::merging::closed(battle, out);
    for (n, gun) in battle.units.iter().enumerate() {
        let left = gun.kind.is_gun() && gun.side == battle.active && gun.status == Status::Abandoned;
        let gun = UnitId(n as u16);
        out.extend(battle.may_recrew(gun).err().filter(|_| left).map(|refusal| (Offer::Recrew(gun), refusal)));
    }
    for unit in battle.of(battle.active) {
        out.extend(battle.advance(unit).err().map(|refusal| (Offer::Advance(unit), refusal)));
        out.extend(battle.wheel(unit).err().map(|refusal| (Offer::Wheel(unit), refusal)));
        out.extend(battle.gap_input(unit).err().map(|refusal| (Offer::PassGap(unit), refusal)));
        for double in [false, true] {
            let refusal = battle.road_input(unit, double).err();
            out.extend(refusal.map(|refusal| (Offer::Road { unit, double }, refusal)));
        }
        for right in [false, true] {
            out.extend(battle.incline(unit, right).err().map(|refusal| (Offer::Incline { unit, right }, refusal)));
        }
        if matches!(battle.brigade(unit).marks.control, Charge::Conforms(_)) {
            out.extend(battle.may_conform(unit).err().map(|refusal| (Offer::Conform(unit), refusal)));
        }
        if !battle.brigade(unit).marks.done && battle.may_move(unit).is_ok() {
            out.extend(battle.may_stand(unit).err().map(|refusal| (Offer::Stand(unit), refusal)));
        }
        manoeuvre::closed(battle, unit, out);
    }
    for leader in battle.leaders_of(battle.active) {
        for double in [false, true] {
            let ride = battle.may_ride(leader, double).err();
            out.extend(ride.map(|refusal| (Offer::Ride { leader, double }, refusal)));
        }
    }
}

/// A group rolls its dice.
pub(crate) fn roll(play: &mut Play<'_>, of: UnitId, dice: MoveDice, double: bool) -> Result<(), Halt> {
    play.battle().may_use_dice(of)?;
    let open = play.battle().dice_for(play.battle().group_of(of)).contains(&dice);
    let clause = if play.battle().group.is_some() { MB_MOV_03 } else { MB_MOV_24 };
    play.require(open, clause, || "these dice cannot be rolled now".into())?;
    let battle = play.battle();
    let doubles = battle.members(battle.group_of(of)).iter().any(|unit| battle.may_double(*unit));
    play.require(doubles || !double, MB_MOV_14, || "enemy, or ground that may hide them, are within 6 inches".into())?;
    let roll = throw_dice(play, of, dice)?;
    let roll = GroupRoll { of, average: dice.average, d6: dice.d6, faces: roll.faces, double };
    play.happen(Event::MoveRolled { roll });
    Ok(())
}

/// Throws move dice for a unit, one by one.
pub(crate) fn throw_dice(play: &mut Play<'_>, unit: UnitId, dice: MoveDice) -> Result<MoveRoll, Halt> {
    let side = play.battle().brigade(unit).side;
    MoveRoll::take(dice, |throw| {
        let purpose = Purpose { what: "move", of: Some(unit.into()), side };
        play.throw(purpose, &throw, Wanted::High).map(|roll| roll.total())
    })
}

/// A unit stands.
pub(crate) fn stand(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let open = battle.acting() == Some(battle.group_of(unit)) && !battle.brigade(unit).marks.done;
    play.require(open, MB_SEQ_05, || "it is not its turn to move".into())?;
    play.battle().may_stand(unit)?;
    play.happen(Event::Done { unit });
    Ok(())
}
