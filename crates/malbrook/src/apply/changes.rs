//! The changes that several events have in common.

use super::*;
use crate::clauses::{MB_GUN_09, MB_LEA_07, MB_MOR_16};
use crate::table::lay::Figure;
use sabretache_engine::decides;

impl Battle {
    /// Moves a brigade, and the leaders who are with it along (MB-LEA-07).
    pub(super) fn carry(&mut self, unit: UnitId, to: Pose) {
        decides!(MB_LEA_07);
        let from = self.brigade(unit).pose;
        let turn = from.heading.turn_to(to.heading);
        self.guide(unit, |at| {
            // In a body that turns he turns with it.
            let beside = Pose::new(at, from.heading).turned_about(from.at.v(), turn).at;
            Point::new(beside.x + to.at.x - from.at.x, beside.y + to.at.y - from.at.y)
        });
        self.at(unit).pose = to;
    }

    /// Bases that change their order or facing on the spot: the leaders with them stay as they are to the middle (MB-LEA-07).
    pub(super) fn rearrange(&mut self, unit: UnitId, to: Pose, formation: Formation, files: u8) {
        let brigade = *self.brigade(unit);
        let before = Figure::of(&brigade, brigade.pose).centre();
        let changed = Brigade { pose: to, formation, files, refused: None, ..brigade };
        decides!(MB_LEA_07);
        let by = Figure::of(&changed, to).centre() - before;
        self.guide(unit, |at| Point::rounded(at.v() + by));
        self.at(unit).pose = to;
    }

    /// The leaders who are with a brigade go somewhere with it, and not off the table.
    fn guide(&mut self, unit: UnitId, to: impl Fn(Point) -> Point) {
        let table = self.fixed.table;
        for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(unit) && !leader.lost) {
            let keep = |at: Length, most: Length| at.max(Length::ZERO).min(most);
            let at = to(leader.at);
            leader.at = Point::new(keep(at.x, table.width), keep(at.y, table.depth));
        }
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
        (marks.moved, marks.shifted, marks.double) = (true, true, double);
        marks.dice = marks.dice.or(dice);
        self.take_leaders_along(unit);
    }

    /// The bases of a crowd have gone each its own way, so far apart that they are several brigades now.
    pub(super) fn go_apart(&mut self, unit: UnitId, part: u8, bodies: &[Vec<u8>], places: &[Point], double: bool) {
        let parent = *self.brigade(unit);
        let middles =
            |body: &[u8]| -> Vec<Point> { body.iter().filter_map(|n| places.get(usize::from(*n))).copied().collect() };
        let largest = bodies.iter().map(Vec::len).max().unwrap_or(0);
        let keeps_crew = bodies.iter().position(|body| body.len() == largest).unwrap_or(0);
        let Some((first, others)) = bodies.split_first() else { return };
        // A crew stays with the larger part (MB-GUN-09).
        if keeps_crew > 0 {
            let part = UnitId((self.units.len() + keeps_crew - 1) as u16);
            self.crews.iter_mut().filter(|(_, with)| *with == unit).for_each(|(_, with)| *with = part);
        }
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
        decides!(MB_GUN_09);
        let parent = *self.brigade(unit);
        let middles = Figure::of(&parent, parent.pose).middles();
        let of = |part: bool| -> Vec<Point> {
            let there = |n: usize| stays.contains(&(n as u8)) == part;
            middles.iter().enumerate().filter(|(n, _)| there(*n)).map(|(_, middle)| *middle).collect()
        };
        let (rest, left) = (parent.scattered(&of(true)), parent.scattered(&of(false)));
        let marks = Marks { attack: Assault::None, ..parent.marks };
        // A crew stays with the larger part (MB-GUN-09).
        if rest.bases > left.bases {
            let part = UnitId(self.units.len() as u16);
            for (_, with) in self.crews.iter_mut().filter(|(_, with)| *with == unit) {
                *with = part;
            }
        }
        self.units.push(Brigade { part, marks, ..rest });
        *self.at(unit) = left;
        self.take_leaders_along(unit);
    }

    /// Leaders who are with a brigade that split stay within its new bounds.
    pub(super) fn take_leaders_along(&mut self, unit: UnitId) {
        let figure = Figure::of(self.brigade(unit), self.brigade(unit).pose);
        let radius = self.fixed.numbers.bases.leader.length();
        for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(unit) && !leader.lost) {
            let place = sabretache_table::Convex::place(leader.at.v());
            let (from, to) = sabretache_table::nearest_places(&place, &figure);
            if (from - to).length() > radius.f() {
                leader.at = Point::rounded(to + (from - to).unit() * radius.f());
            }
        }
    }

    pub(super) fn turn_into(&mut self, unit: UnitId, status: Status) {
        let brigade = self.at(unit);
        if status == Status::Retired {
            brigade.marks.left_off = LeftOff::of(brigade.status);
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
        brigade.marks.tested = true;
        brigade.marks.control = match result {
            ControlResult::Act => Charge::Free,
            ControlResult::Halt => Charge::Halts,
            ControlResult::Repeat => Charge::Repeats,
            _ => Charge::GoesOn,
        };
        brigade.marks.halted |= result == ControlResult::Halt;
        if result == ControlResult::Act
            && matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting)
        {
            // It has left off running; it stays unformed until it re-forms (MB-MAN-05).
            brigade.marks.left_off = LeftOff::of(brigade.status);
            (brigade.status, brigade.pursues) = (Status::Retired, None);
        }
        brigade.failed_charge &= result != ControlResult::Act;
    }

    pub(super) fn mount(&mut self, unit: UnitId, kind: crate::troops::Kind, horses: Option<Point>) {
        let foot = self.fixed.numbers.bases.foot.clone();
        let horse = self.fixed.numbers.bases.horse.clone();
        let brigade = self.at(unit);
        brigade.kind = kind;
        brigade.horses = horses;
        brigade.marks.half = true;
        brigade.marks.dismounted = horses.is_some();
        let base = if kind == crate::troops::Kind::Dragoons { horse } else { foot };
        (brigade.width, brigade.depth) = (base.width.length(), base.depth.length());
        brigade.formation = if kind == crate::troops::Kind::Dragoons { Formation::Line } else { Formation::Unformed };
        if brigade.formation == Formation::Line {
            brigade.files = brigade.bases;
        }
        brigade.places = None;
    }

    pub(super) fn run(&mut self, unit: UnitId, to: Pose, action: FastMove, places: &[Point]) {
        decides!(MB_MOR_16);
        self.carry(unit, to);
        if matches!(action, FastMove::Retire | FastMove::Rout) {
            self.gave_way(unit);
        }
        let brigade = self.at(unit);
        (brigade.marks.shifted, brigade.marks.left_off) = (true, LeftOff::default());
        match action {
            FastMove::Evade => {}
            FastMove::Retire | FastMove::RetireOn => (brigade.status, brigade.pursues) = (Status::Retired, None),
            FastMove::Rout | FastMove::RoutOn => (brigade.status, brigade.pursues) = (Status::Routing, None),
            FastMove::Pursue | FastMove::PursueOn => brigade.status = Status::Pursuing,
            FastMove::RideThrough | FastMove::TakePosition => {
                brigade.marks.rode_through |= action == FastMove::RideThrough;
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

    /// A brigade, or what could go of one, has left its place in the combat that is being settled (MB-RES-10).
    fn gave_way(&mut self, unit: UnitId) {
        let entry = self.brigade(unit).entry;
        let units = &self.units;
        let of = |who: &UnitId| units[who.index()].entry == entry;
        if let Some(fight) = self.fights.iter_mut().rev().find(|fight| fight.acted.iter().any(of)) {
            fight.gave_way.push(unit);
        }
    }
}
