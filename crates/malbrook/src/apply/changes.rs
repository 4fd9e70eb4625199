//! The changes that several events have in common.

use super::*;
use crate::clauses::MB_MOR_16;
use crate::table::lay::Figure;
use sabretache_engine::decides;

impl Battle {
    /// Puts a brigade somewhere.
    pub(super) fn carry(&mut self, unit: UnitId, to: Pose) {
        self.at(unit).pose = to;
    }

    /// The bases of a crowd have gone each its own way.
    pub(super) fn scatter(&mut self, unit: UnitId, places: &[Point], double: bool) {
        let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
        self.pending = None;
        let moved = self.brigade(unit).scattered(places);
        self.carry(unit, moved.pose);
        let brigade = self.at(unit);
        (brigade.files, brigade.places) = (moved.files, moved.places);
        let marks = &mut brigade.marks;
        (marks.moved, marks.shifted, marks.share.double) = (true, true, double);
        marks.share.dice = marks.share.dice.or(dice);
    }

    /// The bases of a crowd have gone each its own way, so far apart that they are several brigades now.
    pub(super) fn go_apart(&mut self, unit: UnitId, part: u8, bodies: &[Vec<u8>], places: &[Point], double: bool) {
        let parent = *self.brigade(unit);
        let middles =
            |body: &[u8]| -> Vec<Point> { body.iter().filter_map(|n| places.get(usize::from(*n))).copied().collect() };
        let Some((first, others)) = bodies.split_first() else { return };
        let new = self.units.len();
        for (part, body) in (part..).zip(others) {
            self.units.push(Brigade { part, ..parent.scattered(&middles(body)) });
        }
        self.scatter(unit, &middles(first), double);
        let marks = self.brigade(unit).marks;
        let bases = first.len() as u8;
        self.at(unit).bases = bases;
        for one in &mut self.units[new..] {
            one.marks = marks;
        }
    }

    /// Bases of a crowd become a brigade of their own where they stand.
    pub(super) fn come_apart(&mut self, unit: UnitId, part: u8, stays: &[u8]) {
        let parent = *self.brigade(unit);
        let middles = Figure::of(&parent, parent.pose).middles();
        let of = |part: bool| -> Vec<Point> {
            let there = |n: usize| stays.contains(&(n as u8)) == part;
            middles.iter().enumerate().filter(|(n, _)| there(*n)).map(|(_, middle)| *middle).collect()
        };
        let (rest, left) = (parent.scattered(&of(true)), parent.scattered(&of(false)));
        let mut marks = parent.marks;
        marks.carried.attack = Assault::None;
        self.units.push(Brigade { part, marks, ..rest });
        *self.at(unit) = left;
    }

    pub(super) fn turn_into(&mut self, unit: UnitId, status: Status) {
        let brigade = self.at(unit);
        if status == Status::Retired {
            brigade.marks.carried.left_off = LeftOff::of(brigade.status);
        }
        brigade.status = status;
        brigade.pursues = brigade.pursues.filter(|_| status == Status::Pursuing);
        if matches!(status, Status::Retired | Status::Routing | Status::Pursuing | Status::Looting)
            && brigade.formation != Formation::Unformed
        {
            (brigade.formation, brigade.refused) = (Formation::Unformed, None);
        }
        if status.is_gone() {
            self.closing.retain(|one| one.unit != unit);
            self.crews.retain(|(gun, with)| *gun != unit && *with != unit);
            if status != Status::Merged {
                for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(unit)) {
                    leader.attached = None;
                }
            }
        }
    }

    pub(super) fn lose_leader(&mut self, leader: OfficerId) {
        self.dispatches.retain(|one| one.to != leader || one.heard);
        let leader = self.general(leader);
        (leader.lost, leader.attached) = (true, None);
    }

    pub(super) fn controlled(&mut self, unit: UnitId, result: ControlResult) {
        self.pending = None;
        let brigade = self.at(unit);
        brigade.marks.control.tested = true;
        brigade.marks.control.by = match result {
            ControlResult::Act => Charge::Free,
            ControlResult::Halt => Charge::Halts,
            ControlResult::Repeat => Charge::Repeats,
            _ => Charge::GoesOn,
        };
        brigade.marks.control.halted |= result == ControlResult::Halt;
        if result == ControlResult::Act
            && matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting)
        {
            // It has left off running; it stays unformed until it re-forms (MB-MAN-05).
            brigade.marks.carried.left_off = LeftOff::of(brigade.status);
            (brigade.status, brigade.pursues) = (Status::Retired, None);
        }
        brigade.failed_charge &= result != ControlResult::Act;
    }

    pub(super) fn mount(&mut self, unit: UnitId, kind: crate::troops::Kind, horses: Option<Point>) {
        let brigade = self.at(unit);
        brigade.kind = kind;
        brigade.horses = horses;
        brigade.marks.share.half = true;
        brigade.marks.loose.dismounted = horses.is_some();
        brigade.formation = if kind == crate::troops::Kind::Dragoons { Formation::Line } else { Formation::Unformed };
        if brigade.formation == Formation::Line {
            brigade.files = brigade.bases;
        }
        brigade.places = None;
    }

    pub(super) fn run(&mut self, unit: UnitId, to: Pose, action: FastMove, places: &[Point]) {
        self.carry(unit, to);
        let brigade = self.at(unit);
        (brigade.marks.shifted, brigade.marks.carried.left_off) = (true, LeftOff::default());
        match action {
            FastMove::Evade => {}
            FastMove::Retire | FastMove::RetireOn => (brigade.status, brigade.pursues) = (Status::Retired, None),
            FastMove::Rout | FastMove::RoutOn => (brigade.status, brigade.pursues) = (Status::Routing, None),
            FastMove::Pursue | FastMove::PursueOn => brigade.status = Status::Pursuing,
            FastMove::RideThrough | FastMove::TakePosition => {
                brigade.marks.onset.rode_through |= action == FastMove::RideThrough;
                // It takes a DP off (MB-MOR-16).
                decides!(MB_MOR_16);
                brigade.dps = brigade.dps.saturating_sub(1);
                return;
            }
        }
        (brigade.formation, brigade.refused) = (Formation::Unformed, None);
        if let Some(places) = crate::table::crowds::Places::of(to.at, places) {
            (brigade.files, brigade.places) = (places.count(), Some(places));
        }
        self.closing.retain(|one| one.unit != unit);
    }
}
