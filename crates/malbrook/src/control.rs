//! Control: who decides what a brigade does, and the control test.

use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::Outline;

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Charge, LastMove, Status};
use crate::clauses::{
    MB_CTL_01, MB_CTL_02, MB_CTL_03, MB_CTL_04, MB_CTL_05, MB_CTL_06, MB_CTL_07, MB_CTL_08, MB_CTL_11, MB_CTL_16,
    MB_GEN_11,
};
use crate::event::Event;
use crate::harm::Play;
use crate::lay::near;
use crate::situations::{Control, Running};
use crate::troops::Rank;

impl Battle {
    /// The detached leaders who control a brigade by their nearness, lowest rank first (MB-CTL-01, 03).
    pub(crate) fn controllers(&self, unit: UnitId) -> impl Iterator<Item = OfficerId> + '_ {
        decides!(MB_CTL_01, MB_CTL_03);
        let numbers = &self.fixed.numbers.control;
        let side = self.brigade(unit).side;
        let mut leaders: Vec<OfficerId> = self
            .leaders_of(side)
            .filter(|leader| {
                let one = self.leader(*leader);
                let radius = if one.rank == Rank::Marshal { numbers.marshal } else { numbers.general };
                one.attached.is_none()
                    && self.in_chain(*leader, unit)
                    && self.leader_reaches(*leader, unit, radius.length())
            })
            .collect();
        leaders.sort_by_key(|leader| (self.leader(*leader).rank, *leader));
        leaders.into_iter()
    }

    /// Whether a leader controls a brigade, near it or with it.
    fn has_leader(&self, unit: UnitId) -> bool {
        decides!(MB_CTL_02, MB_CTL_05);
        self.attached_to(unit).next().is_some() || self.controllers(unit).next().is_some()
    }

    /// The controlled brigade that an uncontrolled one may copy (MB-CTL-06, 07).
    pub(crate) fn leads(&self, unit: UnitId) -> Option<UnitId> {
        let brigade = self.brigade(unit);
        let same = |other: &UnitId| {
            let one = self.brigade(*other);
            *other != unit && one.under == brigade.under && one.kind.is_brigade() && self.has_leader(*other)
        };
        let neighbours: Vec<UnitId> = self.of(brigade.side).filter(same).collect();
        let beside = neighbours.iter().find(|other| self.in_line_with(unit, **other));
        beside.or_else(|| neighbours.iter().find(|other| self.behind(unit, **other))).copied()
    }

    /// Side by side in one line: touching, as brigades of one command do, and facing the same way (MB-CTL-06).
    pub(crate) fn in_line_with(&self, unit: UnitId, other: UnitId) -> bool {
        decides!(MB_CTL_06);
        let (a, b) = (self.brigade(unit), self.brigade(other));
        let turn = a.pose.heading.turn_to(b.pose.heading).abs().to_hundredths();
        let (one, two) = (self.figure(unit), self.figure(other));
        let gap = self.fixed.numbers.contact_gap.length();
        if turn > 2_250 || !near(&one, &two, gap) {
            return false;
        }
        // Beside and not before or behind: less of them overlaps across the front than along it.
        let right = b.pose.heading.unit().right();
        overlap(one, two, right) <= overlap(one, two, b.pose.heading.unit())
    }

    /// Directly behind, within 4 inches (MB-GEN-11, MB-CTL-07).
    pub(crate) fn behind(&self, unit: UnitId, lead: UnitId) -> bool {
        decides!(MB_GEN_11, MB_CTL_07);
        let (rear, front) = (self.brigade(unit), self.brigade(lead));
        let (one, two) = (self.figure(unit), self.figure(lead));
        let forward = front.pose.heading.unit();
        let turn = rear.pose.heading.turn_to(front.pose.heading).abs().to_hundredths();
        if (turn > 4_500 && !rear.is_unformed()) || !near(&one, &two, self.fixed.numbers.rear_line.length()) {
            return false;
        }
        let along = |figure: &crate::lay::Figure, way| extent(figure, way);
        let (_, rear_most) = along(one, forward);
        let (front_least, _) = along(two, forward);
        let right = forward.right();
        let width = |figure| {
            let (from, to) = along(figure, right);
            to - from
        };
        let narrower = width(one).min(width(two));
        rear_most <= front_least + crate::lay::HAIR.f()
            && overlap(one, two, right) * 2.0 >= narrower - crate::lay::HAIR.f()
    }

    /// Who decides what a brigade does, as it stands at the end of its leaders' actions.
    fn control_of(&self, unit: UnitId) -> Charge {
        let brigade = self.brigade(unit);
        if matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting) {
            return Charge::GoesOn;
        }
        if brigade.failed_charge {
            return Charge::Tests;
        }
        if self.attached_to(unit).next().is_some() {
            return Charge::Attached;
        }
        if let Some(leader) = self.controllers(unit).next() {
            return Charge::By(leader);
        }
        if self.in_combat(unit) {
            return Charge::Unset;
        }
        if brigade.kind.is_brigade()
            && let Some(lead) = self.leads(unit)
        {
            return Charge::Conforms(lead);
        }
        if brigade.last_move == LastMove::None { Charge::Unset } else { Charge::Tests }
    }

    /// Whether a brigade may take a control test now.
    pub(crate) fn may_test(&self, unit: UnitId) -> bool {
        decides!(MB_CTL_08);
        let brigade = self.brigade(unit);
        let marks = &brigade.marks;
        let open = match marks.control {
            Charge::Tests | Charge::Conforms(_) => true,
            Charge::GoesOn => matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting),
            Charge::Unset => !self.in_combat(unit),
            _ => false,
        };
        open && !marks.tested && brigade.side == self.active
    }

    /// The facts of a control test.
    pub(crate) fn control_situation(&self, unit: UnitId) -> Control {
        let brigade = self.brigade(unit);
        let running = match brigade.status {
            Status::Routing => Running::Rout,
            Status::Pursuing => Running::Pursuit,
            Status::Looting => Running::Looting,
            _ if brigade.failed_charge => Running::Charge,
            _ => Running::None,
        };
        Control {
            running,
            leader: self.attached_to(unit).next().is_some(),
            guns_or_elite: brigade.kind.is_gun() || brigade.grade.is_some_and(crate::troops::Grade::is_elite),
            moved_last_turn: brigade.last_move != LastMove::None,
            ..Control::default()
        }
    }

    /// Whether compulsory tests are left in this half.
    pub(crate) fn tests_left(&self) -> bool {
        self.of(self.active).any(|unit| self.brigade(unit).marks.control == Charge::Tests)
    }
}

/// How far a figure reaches along a way.
fn extent(figure: &crate::lay::Figure, way: sabretache_table::Vec2) -> (f64, f64) {
    let corners = figure.parts().flat_map(|part| part.corners.to_vec());
    corners.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), corner| {
        (least.min(corner.dot(way)), most.max(corner.dot(way)))
    })
}

/// How much two figures overlap seen along a way.
fn overlap(one: &crate::lay::Figure, two: &crate::lay::Figure, way: sabretache_table::Vec2) -> f64 {
    let ((a, b), (c, d)) = (extent(one, way), extent(two, way));
    (b.min(d) - a.max(c)).max(0.0)
}

/// Settles who decides for each brigade of a side (MB-CTL-04).
pub(crate) fn settle(play: &mut Play<'_>, side: Side) {
    crate::messages::conclude(play, side);
    let units: Vec<(UnitId, Charge)> =
        play.battle().of(side).map(|unit| (unit, play.battle().control_of(unit))).collect();
    for (unit, control) in units {
        play.happen(Event::Control { unit, control });
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    if let Some((unit, _)) = battle.die {
        let most = battle.control_situation(unit).most_shift();
        out.extend((-most..=most).map(|shift| Offer::Shift(shift as i8)));
        return;
    }
    for unit in battle.of(battle.active) {
        if battle.may_test(unit) {
            out.push(Offer::Test(unit));
        }
        if let Charge::By(by) = battle.brigade(unit).marks.control {
            let others = battle.controllers(unit).filter(|leader| *leader > by);
            out.extend(others.map(|leader| Offer::NameLeader { unit, leader }));
        }
    }
}

/// A brigade takes its control test.
pub(crate) fn test(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let may = play.battle().may_test(unit) && play.battle().die.is_none();
    play.require(may, MB_CTL_04, || "it needs no control test now".into())?;
    let situation = play.battle().control_situation(unit);
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
    let Some((unit, die)) = play.battle().die else {
        return Err(Refusal::new(MB_CTL_11, "there is no die to shift").into());
    };
    let situation = play.battle().control_situation(unit);
    play.require(by.abs() <= situation.most_shift(), MB_CTL_11, || "the die may not be shifted so far".into())?;
    let total = die + situation.shifted(by).net();
    let result = situation.read(total, &play.battle().fixed.numbers);
    play.happen(Event::ControlTested { unit, total, result });
    Ok(())
}

/// The player names which of several leaders controls a brigade (MB-CTL-16).
pub(crate) fn name_leader(play: &mut Play<'_>, unit: UnitId, leader: OfficerId) -> Result<(), Halt> {
    let battle = play.battle();
    let by = matches!(battle.brigade(unit).marks.control, Charge::By(_))
        && battle.controllers(unit).any(|one| one == leader);
    play.require(by, MB_CTL_16, || "he does not control that brigade".into())?;
    play.happen(Event::Control { unit, control: Charge::By(leader) });
    Ok(())
}
