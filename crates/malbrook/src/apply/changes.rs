//! The changes that several events have in common.

use super::*;
use crate::clauses::{MB_CBT_10, MB_GUN_09, MB_LEA_07, MB_MOR_04, MB_MOR_16, MB_RES_27};
use crate::event::Combatant;
use crate::phases::closing::{Closing, End};
use crate::phases::splitting::about;
use crate::table::lay::{Figure, LOOSE};
use sabretache_engine::decides;
use sabretache_table::{Angle, OnTable, Outline, overlapping};

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

    /// Takes bases off a brigade (MB-MOR-04).
    pub(super) fn lose_bases(&mut self, unit: UnitId, casualties: u8, by: Option<UnitId>) {
        decides!(MB_MOR_04);
        for _ in 0..casualties {
            // A crowd does not close up: whoever is left stays where he is.
            if let Some(fewer) = self.without_furthest(unit, by) {
                *self.at(unit) = fewer;
                continue;
            }
            let brigade = self.at(unit);
            if let Some(refused) = brigade.refused.filter(|one| one.bases + 1 >= brigade.bases) {
                // Only the end that was drawn back is left: it is the line now, where it stands.
                brigade.pose = refused.pose_of(&Figure::of(brigade, brigade.pose).bases, brigade.pose);
                (brigade.bases, brigade.files) = (refused.bases, refused.bases);
                brigade.refused = None;
                continue;
            }
            let single = brigade.is_single_line();
            brigade.bases = brigade.bases.saturating_sub(1);
            if single && brigade.bases > 0 {
                brigade.files = brigade.files.min(brigade.bases).max(1);
                let end = self.end_that_loses(unit);
                // The front narrows, and its middle shifts by half a base.
                let brigade = self.at(unit);
                let half = brigade.width.half();
                brigade.pose = brigade.pose.sideways(if end == End::Right { -half } else { half });
                self.narrow(unit, end);
                continue;
            }
            brigade.files = brigade.files.min(brigade.bases).max(1);
        }
        if casualties > 0 && self.brigade(unit).places.is_none() {
            self.shove(unit);
        }
    }

    /// A line that fights has lost a base on its right, or on its left: if that was none of those in combat, as many are in
    /// combat as before, and fewer beside them (MB-RES-11).
    fn narrow(&mut self, unit: UnitId, end: End) {
        for one in self.combatants(unit) {
            let beside = if end == End::Right { &mut one.right } else { &mut one.left };
            *beside = beside.saturating_sub(1);
        }
    }

    fn combatants(&mut self, unit: UnitId) -> impl Iterator<Item = &mut Combatant> {
        let members = self.fights.iter_mut().flat_map(|fight| fight.a.iter_mut().chain(&mut fight.b));
        members.filter(move |one| one.unit == unit)
    }

    /// The end of a line from which a base goes (MB-MOR-04). The first is the owner's to pick: he is asked afterwards. If
    /// another goes before he is, that one goes from the other end, and there is nothing to pick.
    fn end_that_loses(&mut self, unit: UnitId) -> End {
        let brigade = *self.brigade(unit);
        // An end that is drawn back keeps its bases: the other loses one.
        if let Some(refused) = brigade.refused {
            return if refused.left { End::Right } else { End::Left };
        }
        if let Some(last) = brigade.lost_end {
            self.at(unit).lost_end = Some(last.other());
            return last.other();
        }
        if let Some(n) = self.closing.iter().position(|one| one.unit == unit) {
            return self.closing.remove(n).lost.other();
        }
        let lost = if brigade.bases.is_multiple_of(2) { End::Right } else { End::Left };
        if brigade.is_brigade() {
            let beside = self.combatants(unit).next().map(|one| [one.left, one.right]);
            self.closing.push(Closing { unit, lost, beside });
        }
        lost
    }

    /// The owner of a line has picked the end that lost a base.
    pub(super) fn close_up(&mut self, unit: UnitId, end: End, to: Pose) {
        let asked = self.closing.iter().position(|one| one.unit == unit);
        let Some(closing) = asked.map(|n| self.closing.remove(n)) else { return };
        self.at(unit).lost_end = Some(end);
        if end == closing.lost {
            return;
        }
        self.at(unit).pose = to;
        if let Some([left, right]) = closing.beside {
            self.combatants(unit).for_each(|one| (one.left, one.right) = (left, right));
            self.narrow(unit, end);
        }
        self.take_leaders_along(unit);
    }

    /// A crowd too large for each of its bases to have a place of its own closes up to its middle after losses. Where somebody's corner was between its bases it gives way by as
    /// little as it can: at the most it stands where one of its bases stood.
    fn shove(&mut self, unit: UnitId) {
        let brigade = *self.brigade(unit);
        let free = |pose: Pose| {
            let figure = Figure::of(&brigade, pose);
            let others = self.around(figure.bounds(), Length::ZERO).filter(|other| *other != unit);
            self.fixed.table.on_table(&figure) == OnTable::Wholly
                && !others.into_iter().any(|other| overlapping(&figure, self.figure(other)))
        };
        let steps = (0..=12_i32).flat_map(|far| (0..8).map(move |way| (LOOSE.half() * far, Angle::degrees(way * 45))));
        let back = brigade.pose.heading.reversed();
        let steps = steps.filter(|_| brigade.is_unformed()).map(|(far, way)| brigade.pose.moved(back + way, far));
        // What was rounded to the whole micrometre comes first.
        let mut poses = about(brigade.pose.at).map(|at| Pose::new(at, brigade.pose.heading)).chain(steps);
        if let Some(pose) = poses.find(|pose| free(*pose)).filter(|pose| *pose != brigade.pose) {
            self.at(unit).pose = pose;
        }
    }

    /// How long each wing has sat still; a challenge to one that has moved is over (MB-UMP-01).
    pub(super) fn count_idle_turns(&mut self) {
        for n in 0..self.leaders.len() {
            let wing = OfficerId(n as u16);
            let stirs = |unit: UnitId| self.brigade(unit).marks.shifted && self.in_chain(wing, unit);
            let stirred = self.of(self.leaders[n].side).any(stirs);
            let leader = &mut self.leaders[n];
            leader.idle = if stirred { 0 } else { leader.idle.saturating_add(1) };
            leader.challenge = leader.challenge.filter(|_| !stirred);
        }
    }

    /// The bases of a crowd have gone each its own way.
    pub(super) fn scatter(&mut self, unit: UnitId, places: &[Point], double: bool) {
        let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
        self.scattering = None;
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
        self.die = None;
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

    /// Clears the marks of a turn and reckons the speed of cavalry (MB-MOV-24).
    pub(super) fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        (self.group, self.approach, self.die, self.ahead) = (None, None, None, None);
        (self.passing, self.falling, self.met, self.scattering) = (None, None, None, None);
        let struck = |n: usize| {
            let mut fighters = self.fights.iter().flat_map(|fight| fight.a.iter().chain(&fight.b));
            fighters.any(|one| one.unit.index() == n && one.fighter.flank)
        };
        let flank_fought: Vec<bool> = (0..self.units.len()).map(struck).collect();
        self.fights.clear();
        let fights: Vec<bool> =
            (0..self.units.len()).map(|n| self.units[n].is_unit() && self.in_combat(UnitId(n as u16))).collect();
        if turn > 1 {
            self.count_idle_turns();
        }
        // A rout is felt by those it comes near in later turns; everything else is over (MB-MOR-15).
        let running: Vec<bool> = self
            .blows
            .iter()
            .map(|blow| blow.what == BlowKind::Routs && self.brigade(blow.unit).is_routing())
            .collect();
        let mut kept = running.into_iter();
        self.blows.retain(|_| kept.next().unwrap_or(false));
        // Who rode through and ended clear of the enemy keeps his speed (MB-MOV-24).
        let free: Vec<bool> = (0..self.units.len()).map(|n| !self.units[n].marks.rode_through || !fights[n]).collect();
        for (n, brigade) in self.units.iter_mut().enumerate() {
            let marks = &brigade.marks;
            // A road move counts as two dice.
            let moved = if marks.road { 2 } else { marks.dice.map_or(0, crate::situations::MoveDice::count) };
            brigade.speed = match brigade.status {
                Status::Pursuing if marks.attack == Assault::Pursued => 0,
                Status::Pursuing => 3,
                Status::Steady if marks.rode_through && free[n] => 3,
                Status::Retired | Status::Routing | Status::Looting => 0,
                _ if marks.fought || marks.halted || matches!(marks.response, Response::Evades(_)) => 0,
                _ if marks.charge_dice > 0 => marks.charge_dice,
                _ => moved,
            };
            let retired = brigade.runs() && !brigade.is_routing() && marks.shifted;
            brigade.last_move = match marks.dice {
                _ if marks.road => LastMove::Road,
                _ if retired => LastMove::Retired,
                Some(dice) => LastMove::Dice(dice),
                None => LastMove::None,
            };
            brigade.spared = marks.volley;
            // A charge met or made after the combats of the turn is fought out in the next (MB-RES-27).
            decides!(MB_CBT_10, MB_RES_27);
            let met = marks.response == Response::Stands && fights[n];
            let attack = match marks.attack {
                Assault::Charged { outrance: false } if met => marks.attack,
                Assault::Pursued => Assault::Pursued,
                _ => Assault::None,
            };
            let flanked = marks.flanked && fights[n] && !flank_fought[n];
            let left_off = if brigade.status == Status::Retired { marks.left_off } else { LeftOff::default() };
            brigade.failed_charge = marks.attack == Assault::Missed && brigade.status == Status::Steady && !fights[n];
            brigade.marks = Marks { attack, flanked, left_off, ..Marks::default() };
        }
        self.memo.forget();
        for dispatch in &mut self.dispatches {
            dispatch.rode = false;
        }
        for leader in &mut self.leaders {
            (leader.used, leader.inspires, leader.rode) = (0, 0, false);
        }
    }
}
