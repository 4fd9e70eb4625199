//! The movement phase: dice, groups, straight moves, wheels.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, WrongValue};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{Angle, Corner, Heading, Length, Pose, wheel_angle, wheel_arc};

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Charge, LastMove, Status};
use crate::clauses::{
    MB_CTL_06, MB_CTL_13, MB_CTL_14, MB_MAN_02, MB_MAN_14, MB_MOV_03, MB_MOV_04, MB_MOV_07, MB_MOV_08, MB_MOV_10,
    MB_MOV_24, MB_ORD_02, MB_SEQ_02, MB_SEQ_05,
};
use crate::event::{Event, GroupRoll};
use crate::harm::{Play, harm};
use crate::lay::Figure;
use crate::manoeuvre;
use crate::path::{Going, Reach};
use crate::situations::{Cause, ManoeuvreKind, MoveDice, MoveRoll, Pace, Passage, may_roll};
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
        if let Some(roll) = self.group {
            return Some(self.group_of(roll.of));
        }
        let next = self.right_to_left(self.active).into_iter().find(|unit| !self.brigade(*unit).marks.done);
        next.map(|unit| self.group_of(unit))
    }

    pub(crate) fn members(&self, group: Group) -> Vec<UnitId> {
        self.right_to_left(self.active).into_iter().filter(|unit| self.group_of(*unit) == group).collect()
    }

    /// Whether a unit may do something in this movement phase now.
    pub(crate) fn may_move(&self, unit: UnitId) -> Result<(), Refusal> {
        let brigade = self.brigade(unit);
        if self.phase != crate::event::Phase::Movement || brigade.side != self.active || !brigade.is_unit() {
            return no(MB_SEQ_02, "it is not its half of the movement phase");
        }
        if brigade.marks.done {
            return no(MB_MOV_04, "its move is over");
        }
        if self.acting() != Some(self.group_of(unit)) {
            return no(MB_SEQ_05, "others further right move first");
        }
        if self.pinned(unit) {
            return no(MB_MOV_07, "it is in close combat");
        }
        Ok(())
    }

    /// Whether a unit may change its place as its player wishes.
    pub(crate) fn may_go(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_move(unit)?;
        let brigade = self.brigade(unit);
        match brigade.marks.control {
            _ if brigade.marks.halted => no(MB_CTL_13, "it is halted"),
            Charge::By(_) | Charge::Attached | Charge::Free => Ok(()),
            Charge::Conforms(_) => no(MB_CTL_06, "it copies its neighbour, or tests"),
            Charge::Repeats => no(MB_CTL_14, "it repeats its last move"),
            Charge::GoesOn if brigade.status == Status::Steady => Ok(()),
            Charge::Unset | Charge::Tests | Charge::Halts | Charge::GoesOn => no(MB_CTL_13, "it is halted, or runs"),
        }
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
        let double = group.double && if begun { brigade.marks.double } else { !self.enemy_near(unit) };
        let inspired = self.inspires(unit) > 0;
        let whole = roll.distance(Pace::Normal, inspired, double, &self.fixed.numbers);
        let share = if brigade.marks.half { whole.half() } else { whole };
        Some(((share - brigade.marks.spent).max(Length::ZERO), double))
    }

    /// The heading of a unit's straight move.
    pub(crate) fn course(&self, unit: UnitId) -> Heading {
        let brigade = self.brigade(unit);
        brigade.pose.heading + Angle::hundredths(brigade.marks.bearing)
    }

    /// How far a straight move leads, and what it must and may be.
    pub(crate) fn advance(&self, unit: UnitId) -> Result<(Input, Reach), Refusal> {
        self.may_go(unit)?;
        let Some((allowance, double)) = self.allowance(unit) else {
            let clause = if self.group.is_some() { MB_MOV_24 } else { MB_MOV_03 };
            return no(clause, "dice that suit it must be rolled first");
        };
        if allowance == Length::ZERO {
            return no(MB_MOV_04, "nothing of its move is left");
        }
        let going = Going { presses: true, ..Going::normal(double) };
        let reach = self.reach(unit, self.course(unit), allowance, going);
        if reach.distance == Length::ZERO {
            return no(reach.clause, format!("it cannot move: {}", reach.why));
        }
        let brigade = self.brigade(unit);
        let most = reach.distance;
        // A wheel may be followed by an advance or not; guns on limbers stop where they like (MB-MAN-02, MB-MOV-19).
        let free = brigade.marks.wheeled || brigade.kind.is_model();
        let short = self.fixed.numbers.halt_short.length();
        let least = match () {
            () if free => Length::um(1),
            () if reach.may_halt_short => (allowance - short).max(Length::um(1)).min(most),
            () => most,
        };
        // It does not stop among friends: beyond them here, short of them by a choice of its own.
        let least = reach.among.map_or(least, |(_, last)| least.max(last)).min(most);
        let allowed = self.ordered(unit, self.course(unit), least, most)?;
        let (why, clause) =
            if allowed < most { ("its orders forbid it", MB_ORD_02) } else { (reach.why, reach.clause) };
        let (most, least) = (allowed, least.min(allowed));
        let stop = Stop { at: most, why: why.into(), clause };
        Ok((Input::Distance { least, most, stops: vec![stop] }, reach))
    }

    /// How far a move leads that stops short of friends it would otherwise pass through (MB-MOV-08).
    pub(crate) fn halt_short(&self, unit: UnitId) -> Result<Input, Refusal> {
        let (_, reach) = self.advance(unit)?;
        let allowance = self.allowance(unit).map_or(Length::ZERO, |(allowance, _)| allowance);
        let short = self.fixed.numbers.halt_short.length();
        let Some((first, _)) = reach.among else { return no(MB_MOV_08, "there are no friends to halt before") };
        let most = (first - Length::inch_fraction(1, 4)).max(Length::ZERO);
        let least = (allowance - short).max(Length::um(1));
        if least > most {
            return no(MB_MOV_08, "that would be more than 2 inches short");
        }
        let stop = Stop { at: most, why: "friends stand beyond".into(), clause: MB_MOV_08 };
        Ok(Input::Distance { least, most, stops: vec![stop] })
    }

    /// How far a unit may bear off straight ahead (MB-MOV-10).
    pub(crate) fn bearing(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_go(unit)?;
        let brigade = self.brigade(unit);
        if brigade.marks.bore || brigade.marks.moved {
            return no(MB_MOV_10, "it has chosen its bearing");
        }
        self.allowance(unit).ok_or_else(|| Refusal::new(MB_MOV_03, "dice must be rolled first"))?;
        let free = brigade.is_unformed() || brigade.formation == Formation::Limbered;
        let most = if free { 17_999 } else { self.fixed.numbers.off_centre };
        Ok(Input::Wheel { most_left: Angle::hundredths(-most), most_right: Angle::hundredths(most) })
    }

    /// A pose after a wheel about the inner front corner.
    pub(crate) fn wheeled(&self, unit: UnitId, by: Angle) -> Pose {
        let brigade = self.brigade(unit);
        let figure = self.figure(unit);
        let front = &figure.bases[..figure.front.min(figure.bases.len())];
        let pivot = if by > Angle::ZERO {
            front.last().map(|base| base.corner(Corner::FrontRight))
        } else {
            front.first().map(|base| base.corner(Corner::FrontLeft))
        };
        pivot.map_or(brigade.pose, |pivot| brigade.pose.turned_about(pivot, by))
    }

    /// The angle itself, or the next whole degree below it if a corner would graze somebody at the angle asked for.
    pub(crate) fn settled(&self, unit: UnitId, angle: Angle, pose: impl Fn(Angle) -> Pose) -> Angle {
        if self.stands(unit, &Figure::of(self.brigade(unit), pose(angle))) {
            return angle;
        }
        Angle::hundredths(angle.to_hundredths() / 100 * 100)
    }

    /// How far a unit can wheel with what it has left (MB-MAN-02).
    pub(crate) fn wheel(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_go(unit)?;
        let brigade = self.brigade(unit);
        let facts = self.manoeuvre(unit, ManoeuvreKind::Wheel);
        if let Some(refusal) = facts.refusal() {
            return Err(refusal);
        }
        if brigade.is_unformed() {
            return no(MB_MAN_02, "unformed troops face all round");
        }
        let Some((allowance, _)) = self.allowance(unit) else {
            return no(MB_MOV_03, "dice that suit it must be rolled first");
        };
        let frontage = brigade.width * i32::from(brigade.files);
        let most = wheel_angle(frontage, allowance).to_hundredths().min(17_900);
        let furthest = |way: i32| {
            let free = |hundredths: i32| {
                let figure = Figure::of(brigade, self.wheeled(unit, Angle::hundredths(hundredths * way)));
                self.stands(unit, &figure) && !self.too_near(unit, &figure)
            };
            let steps = (1..).map(|step| step * 100).take_while(|at| *at < most).chain([most]);
            steps.filter(|at| *at > 0).take_while(|at| free(*at)).last().unwrap_or(0) * way
        };
        let (left, right) = (furthest(-1), furthest(1));
        if left == 0 && right == 0 {
            return no(MB_MAN_02, "there is no room to wheel");
        }
        Ok(Input::Wheel { most_left: Angle::hundredths(left), most_right: Angle::hundredths(right) })
    }

    /// How far foot may incline: up to half the allowance sideways (MB-MAN-14).
    pub(crate) fn incline(&self, unit: UnitId, right: bool) -> Result<Input, Refusal> {
        self.may_go(unit)?;
        let brigade = self.brigade(unit);
        if let Some(refusal) = self.manoeuvre(unit, ManoeuvreKind::Incline).refusal() {
            return Err(refusal);
        }
        let Some((allowance, double)) = self.allowance(unit) else { return no(MB_MOV_03, "dice must be rolled first") };
        if brigade.marks.moved {
            return no(MB_MAN_14, "it has moved");
        }
        let slant = brigade.pose.heading + Angle::degrees(if right { 45 } else { -45 });
        let diagonal = Length::rounded(allowance.half().f() * core::f64::consts::SQRT_2);
        let going = Going { passes_friends: false, ..Going::normal(double) };
        let reach = self.reach(unit, slant, diagonal, going);
        let most = Length::floored(reach.distance.f() / core::f64::consts::SQRT_2);
        if most < Length::inch_fraction(1, 20) || !reach.crossed.is_empty() {
            return no(MB_MAN_14, format!("there is no room to incline: {}", reach.why));
        }
        let stop = Stop { at: most, why: "half the allowance at most goes sideways".into(), clause: MB_MAN_14 };
        Ok(Input::Distance { least: Length::inch_fraction(1, 20), most, stops: vec![stop] })
    }

    /// The dice a group may name: those that suit one of its members at least.
    pub(crate) fn dice_for(&self, group: Group) -> Vec<MoveDice> {
        if self.group.is_some() {
            return Vec::new();
        }
        let mut dice: Vec<MoveDice> = Vec::new();
        for unit in self.members(group).into_iter().filter(|unit| self.may_go(*unit).is_ok()) {
            let brigade = self.brigade(unit);
            let rough = brigade.formation == Formation::Limbered
                && self.is_rough(&self.figure(unit), brigade.pose.heading.unit(), Length::inches(5));
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
        if brigade.marks.control == Charge::Repeats && self.may_move(unit).is_ok() && self.repeat_dice(unit).is_some() {
            return no(MB_CTL_14, "it must repeat its last move");
        }
        if brigade.marks.control == Charge::GoesOn
            && matches!(brigade.status, Status::Routing | Status::Pursuing)
            && !self.pinned(unit)
        {
            return no(MB_CTL_13, "it runs on");
        }
        let excused = brigade.marks.halted || self.pinned(unit) || brigade.is_unformed() || self.may_go(unit).is_err();
        let (least, _) = may_roll(brigade.speed, None, &self.fixed.numbers);
        if brigade.kind.is_cavalry() && least > 0 && !excused && brigade.marks.dice.is_none() && !self.stuck(unit) {
            return no(MB_MOV_24, "after three dice cavalry roll one at least");
        }
        // Who has rolled for himself alone must move.
        let alone = self.group.is_some_and(|group| group.of == unit) && matches!(self.group_of(unit), Group::Alone(_));
        if alone && !brigade.marks.moved && self.advance(unit).is_ok() && !brigade.kind.is_model() {
            return no(MB_MOV_04, "the distance rolled must be moved");
        }
        Ok(())
    }

    /// Whether cavalry cannot move at all (MB-TER-11).
    fn stuck(&self, unit: UnitId) -> bool {
        let going = Going::normal(false);
        let reach = self.reach(unit, self.brigade(unit).pose.heading, Length::inches(1), going);
        reach.distance == Length::ZERO || self.dice_for(self.group_of(unit)).is_empty()
    }

    /// The dice that a brigade must repeat.
    pub(crate) fn repeat_dice(&self, unit: UnitId) -> Option<MoveDice> {
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
    if battle.approach.is_some() {
        out.extend([Offer::Withdraw, Offer::LetCome]);
        return;
    }
    for leader in battle.leaders_of(battle.active) {
        for double in [false, true] {
            if battle.may_ride(leader, double).is_ok() {
                out.push(Offer::Ride { leader, double });
            }
        }
    }
    let Some(group) = battle.acting() else { return };
    for dice in battle.dice_for(group) {
        let of = battle.members(group).into_iter().find(|unit| battle.may_go(*unit).is_ok());
        let Some(of) = of else { continue };
        out.push(Offer::Roll { of, dice, double: false });
        if battle.members(group).iter().any(|unit| !battle.enemy_near(*unit)) {
            out.push(Offer::Roll { of, dice, double: true });
        }
    }
    for unit in battle.members(group).into_iter().filter(|unit| !battle.brigade(*unit).marks.done) {
        unit_offers(battle, unit, out);
    }
}

pub(crate) fn unit_offers(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    if battle.advance(unit).is_ok() {
        out.push(Offer::Advance(unit));
    }
    if battle.halt_short(unit).is_ok() {
        out.push(Offer::HaltShort(unit));
    }
    if battle.bearing(unit).is_ok() {
        out.push(Offer::Bear(unit));
    }
    if battle.wheel(unit).is_ok() {
        out.push(Offer::Wheel(unit));
    }
    for right in [false, true] {
        if battle.incline(unit, right).is_ok() {
            out.push(Offer::Incline { unit, right });
        }
    }
    if battle.may_conform(unit).is_ok() {
        out.push(Offer::Conform(unit));
    }
    if battle.may_move(unit).is_ok() && battle.repeat_dice(unit).is_some() {
        out.push(Offer::Repeat(unit));
    }
    if crate::running::may_go_on(battle, unit).is_ok() {
        out.push(Offer::GoOn(unit));
    }
    manoeuvre::offers(battle, unit, out);
    if battle.may_stand(unit).is_ok() {
        out.push(Offer::Stand(unit));
    }
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    if battle.approach.is_some() {
        return;
    }
    for unit in battle.of(battle.active) {
        out.extend(battle.advance(unit).err().map(|refusal| (Offer::Advance(unit), refusal)));
        out.extend(battle.wheel(unit).err().map(|refusal| (Offer::Wheel(unit), refusal)));
        for right in [false, true] {
            out.extend(battle.incline(unit, right).err().map(|refusal| (Offer::Incline { unit, right }, refusal)));
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
    play.battle().may_go(of)?;
    let open = play.battle().dice_for(play.battle().group_of(of)).contains(&dice);
    let clause = if play.battle().group.is_some() { MB_MOV_03 } else { MB_MOV_24 };
    play.require(open, clause, || "these dice cannot be rolled now".into())?;
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

/// Fatigue and disorder of the dice, once for each move (MB-MOV-25, 26).
pub(crate) fn tire(play: &mut Play<'_>, unit: UnitId, roll: MoveRoll, rough: bool, first: bool) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let (kind, formation, was_rough) = (brigade.kind, brigade.formation, brigade.marks.rough);
    let numbers = battle.fixed.numbers.clone();
    let dps = |rough: bool| roll.disorder(kind, formation, rough, Pace::Normal, &numbers);
    let owed = match (first, rough, was_rough) {
        (true, rough, _) => dps(rough),
        (false, true, false) => dps(true).saturating_sub(dps(false)),
        _ => 0,
    };
    if rough && !was_rough {
        play.happen(Event::Rough { unit });
    }
    harm(play, unit, owed, 0, Cause::Move)
}

/// Pays for obstacles crossed and friends passed through (MB-MAN-09, 10, 18, 19).
pub(crate) fn pay_for_way(play: &mut Play<'_>, unit: UnitId, reach: &Reach) -> Result<(), Halt> {
    for (_, ground) in reach.crossed.iter().filter(|(at, _)| *at < reach.distance) {
        let battle = play.battle();
        let mut facts = battle.manoeuvre(unit, ManoeuvreKind::CrossObstacle);
        facts.anti_cavalry = battle.fixed.lands[usize::from(*ground)].anti_cavalry;
        let price = facts.cost(&battle.fixed.numbers).price;
        harm(play, unit, price, 0, Cause::Move)?;
    }
    for friend in &reach.passed {
        let battle = play.battle();
        let (mover, passed) = (battle.brigade(unit), battle.brigade(*friend));
        let fired = passed.marks.bombarded.is_some() || passed.marks.fired_close || passed.marks.fought;
        let passage = Passage {
            mover_formed: mover.is_formed(),
            passed_formed: passed.is_formed(),
            passed_guns: passed.kind.is_model(),
            routing: mover.is_routing() || passed.is_routing(),
            passed_moved: passed.marks.shifted,
            passed_fired: fired,
        };
        let cost = passage.cost();
        harm(play, unit, cost.mover, 0, Cause::Move)?;
        harm(play, *friend, cost.passed, 0, Cause::Move)?;
    }
    Ok(())
}

/// A straight move.
pub(crate) fn advance(play: &mut Play<'_>, unit: UnitId, distance: Option<Length>) -> Result<(), Halt> {
    let (input, reach) = play.battle().advance(unit)?;
    let distance = distance.ok_or(WrongValue("how far?".into()))?;
    if let Input::Distance { least, most, .. } = input {
        play.require(distance >= least, MB_MOV_04, || format!("it must move {least} at least"))?;
        play.require(distance <= most, reach.clause, || reach.why.into())?;
    }
    let heading = play.battle().course(unit);
    march(play, unit, heading, distance)
}

/// A straight move that stops short of friends.
pub(crate) fn halt_short(play: &mut Play<'_>, unit: UnitId, distance: Option<Length>) -> Result<(), Halt> {
    let input = play.battle().halt_short(unit)?;
    let distance = distance.ok_or(WrongValue("how far?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(distance))?;
    let heading = play.battle().course(unit);
    march(play, unit, heading, distance)
}

/// Moves a unit along a heading until it is done or a skirmisher may fall back before it.
pub(crate) fn march(play: &mut Play<'_>, unit: UnitId, heading: Heading, wanted: Length) -> Result<(), Halt> {
    let battle = play.battle();
    let (allowance, double) = battle.allowance(unit).unwrap_or((wanted, false));
    let reach = battle.reach(unit, heading, allowance.max(wanted), Going::normal(double));
    let distance = wanted.min(reach.distance);
    let brigade = battle.brigade(unit);
    let (first, roll) = (brigade.marks.dice.is_none(), battle.rolled());
    let crossed = reach.crossed.iter().filter(|(at, _)| *at < distance).count() as i32;
    let to = brigade.pose.moved(heading, distance);
    let way = Reach { distance, ..reach };
    if distance > Length::ZERO {
        play.happen(Event::Moved { unit, to, spent: distance + way.half * crossed, double });
        if let Some(roll) = roll {
            tire(play, unit, roll, way.rough, first)?;
        }
        pay_for_way(play, unit, &way)?;
        capture(play, unit);
    }
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    let left = wanted - distance;
    if crate::running::press(play, unit, heading, left)? && left > Length::ZERO {
        return march(play, unit, heading, left);
    }
    if play.battle().approach.is_none() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// Cavalry that reach lone leaders take them (MB-RSK-07).
pub(crate) fn capture(play: &mut Play<'_>, unit: UnitId) {
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    if !brigade.kind.is_cavalry() || !brigade.is_unit() {
        return;
    }
    let figure = battle.figure(unit);
    let touched =
        |leader: &OfficerId| crate::lay::near(&figure, &battle.disc(*leader), Length::ZERO) && battle.is_lone(*leader);
    let taken: Vec<OfficerId> = battle.leaders_of(brigade.side.other()).filter(touched).collect();
    for leader in taken {
        play.happen(Event::LeaderTaken { leader });
    }
}

/// A wheel.
pub(crate) fn wheel(play: &mut Play<'_>, unit: UnitId, angle: Option<Angle>) -> Result<(), Halt> {
    let input = play.battle().wheel(unit)?;
    let angle = angle.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(angle))?;
    if angle == Angle::ZERO {
        // No turn at all: nothing happens, and the advance stays as bound as it was.
        return Ok(());
    }
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let angle = battle.settled(unit, angle, |by| battle.wheeled(unit, by));
    let to = battle.wheeled(unit, angle);
    let spent = wheel_arc(brigade.width * i32::from(brigade.files), angle);
    let near = battle.enemy_near(unit)
        || battle.enemy_within(brigade.side, &Figure::of(&brigade, to), battle.fixed.numbers.near.length());
    let price = u8::from(brigade.formation == Formation::Line && near && !brigade.marks.wheeled);
    let first = brigade.marks.dice.is_none();
    let rough = battle.is_rough(&Figure::of(&brigade, to), to.heading.unit(), Length::ZERO);
    let roll = battle.rolled();
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: ManoeuvreKind::Wheel,
        to,
        formation: brigade.formation,
        files: brigade.files,
        half: false,
        spent,
    });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    harm(play, unit, price, 0, Cause::Move)
}

/// An incline: as much forwards as sideways, and the rest straight ahead.
pub(crate) fn incline(play: &mut Play<'_>, unit: UnitId, right: bool, by: Option<Length>) -> Result<(), Halt> {
    let input = play.battle().incline(unit, right)?;
    let by = by.ok_or(WrongValue("how far sideways?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(by))?;
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let allowance = battle.allowance(unit).map_or(Length::ZERO, |(allowance, _)| allowance);
    let aside = brigade.pose.sideways(if right { by } else { -by }).ahead(by);
    let (first, roll) = (brigade.marks.dice.is_none(), battle.rolled());
    let rough = battle.is_rough(&Figure::of(&brigade, aside), aside.heading.unit(), Length::ZERO);
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: ManoeuvreKind::Incline,
        to: aside,
        formation: brigade.formation,
        files: brigade.files,
        half: false,
        spent: by * 2,
    });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    let left = (allowance - by * 2).max(Length::ZERO);
    let going = Going::normal(false);
    let reach = play.battle().reach(unit, brigade.pose.heading, left, going);
    if left > Length::ZERO && reach.distance > Length::ZERO && play.battle().brigade(unit).is_unit() {
        return march(play, unit, brigade.pose.heading, reach.distance);
    }
    play.happen(Event::Done { unit });
    Ok(())
}

/// A brigade repeats its last move (MB-CTL-14).
pub(crate) fn repeat(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    play.battle().may_move(unit)?;
    let Some(dice) = play.battle().repeat_dice(unit) else {
        return Err(Refusal::new(MB_CTL_14, "it repeats nothing").into());
    };
    let roll = throw_dice(play, unit, dice)?;
    let double = !play.battle().enemy_near(unit);
    let group = GroupRoll { of: unit, average: dice.average, d6: dice.d6, faces: roll.faces, double };
    play.happen(Event::MoveRolled { roll: group });
    let battle = play.battle();
    let distance = roll.distance(Pace::Normal, battle.inspires(unit) > 0, double, &battle.fixed.numbers);
    let heading = battle.brigade(unit).pose.heading;
    let reach = battle.reach(unit, heading, distance, Going::normal(double));
    if reach.distance > Length::ZERO {
        march(play, unit, heading, reach.distance)?;
    }
    if !play.battle().brigade(unit).marks.done && play.battle().approach.is_none() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

impl Battle {
    /// Whether a conforming brigade may copy its neighbour now (MB-CTL-06, 07).
    pub(crate) fn may_conform(&self, unit: UnitId) -> Result<Length, Refusal> {
        self.may_move(unit)?;
        let brigade = self.brigade(unit);
        let Charge::Conforms(lead) = brigade.marks.control else { return no(MB_CTL_06, "it conforms to nobody") };
        let lead = self.brigade(lead);
        if brigade.marks.halted || !lead.marks.done || !lead.marks.moved || lead.marks.wheeled {
            return no(MB_CTL_06, "its neighbour has made no move to copy");
        }
        let Some((allowance, double)) = self.allowance(unit) else { return no(MB_CTL_06, "it shares no dice") };
        let course = brigade.pose.heading + Angle::hundredths(lead.marks.bearing);
        let going = Going::normal(double);
        let reach = self.reach(unit, course, allowance.min(lead.marks.spent), going);
        if reach.distance == Length::ZERO {
            return no(reach.clause, reach.why);
        }
        Ok(reach.distance)
    }
}

/// A conforming brigade makes the same move as its neighbour.
pub(crate) fn conform(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let distance = play.battle().may_conform(unit)?;
    if let Charge::Conforms(lead) = play.battle().brigade(unit).marks.control {
        let bearing = play.battle().brigade(lead).marks.bearing;
        if bearing != 0 {
            play.happen(Event::Bears { unit, bearing });
        }
    }
    let heading = play.battle().course(unit);
    march(play, unit, heading, distance)
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
