//! What lies on the table, and how events change it.

use std::sync::Arc;

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::scenario::Scenario;
use sabretache_table::{Ground, Heading, Length, OnTable, Point, Pose, Tabletop, overlapping};

use crate::body::Body;
use crate::brigade::{Aim, Assault, Brigade, Charge, LastMove, Leader, Marks, Response, Status};
use crate::event::{Approach, Blow, BlowKind, Event, FastMove, Fight, GroupRoll, Phase};
use crate::memo::Memo;
use crate::numbers::Numbers;
use crate::situations::{ControlResult, Fate, ManoeuvreKind};
use crate::terrain::Land;
use crate::troops::{Formation, grade_of_mixture};

/// All that changes as a game is fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Battle {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) units: Vec<Brigade>,
    pub(crate) leaders: Vec<Leader>,
    /// With whom the crew of an abandoned gun shelters, by unit.
    pub(crate) crews: Vec<(UnitId, UnitId)>,
    pub(crate) turn: u32,
    pub(crate) phase: Phase,
    /// Whose half of the phase it is.
    pub(crate) active: Side,
    /// Who goes first this turn.
    pub(crate) first: Side,
    /// Who may choose to go first or second.
    pub(crate) chooser: Option<Side>,
    /// A control die that its player may still shift.
    pub(crate) die: Option<(UnitId, i32)>,
    pub(crate) group: Option<GroupRoll>,
    pub(crate) approach: Option<Approach>,
    pub(crate) fights: Vec<Fight>,
    pub(crate) blows: Vec<Blow>,
    /// Who holds each objective.
    pub(crate) held: Vec<Option<Side>>,
    /// What follows from all this.
    pub(crate) memo: Memo,
}

/// What never changes.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) table: Tabletop,
    pub(crate) ground: Ground,
    pub(crate) lands: Vec<Land>,
    /// There are roads; hills or fortifications; woods or towns.
    pub(crate) roads: bool,
    pub(crate) heights: bool,
    pub(crate) screens: bool,
    pub(crate) numbers: Numbers,
    pub(crate) scenario: Scenario<Body>,
    /// The way each army faces: away from its own edge.
    pub(crate) facing: [Heading; 2],
    /// Bases of foot and cavalry at the start.
    pub(crate) started: [u32; 2],
    pub(crate) guns_started: [u32; 2],
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        // Everything else follows from the scenario.
        self.scenario == other.scenario && self.started == other.started && self.guns_started == other.guns_started
    }
}

impl Battle {
    pub(crate) fn leader(&self, leader: OfficerId) -> &Leader {
        &self.leaders[leader.index()]
    }

    /// The leaders of a side who are on the table.
    pub(crate) fn leaders_of(&self, side: Side) -> impl Iterator<Item = OfficerId> + '_ {
        let there = move |(_, leader): &(usize, &Leader)| leader.side == side && !leader.lost;
        self.leaders.iter().enumerate().filter(there).map(|(n, _)| OfficerId(n as u16))
    }

    /// The leaders who are with a brigade.
    pub(crate) fn attached_to(&self, unit: UnitId) -> impl Iterator<Item = OfficerId> + '_ {
        let with = move |(_, leader): &(usize, &Leader)| leader.attached == Some(unit) && !leader.lost;
        self.leaders.iter().enumerate().filter(with).map(|(n, _)| OfficerId(n as u16))
    }

    /// Inspire actions taken with a brigade this turn (MB-LEA-14).
    pub(crate) fn inspires(&self, unit: UnitId) -> u8 {
        self.attached_to(unit).map(|leader| self.leader(leader).inspires).sum()
    }

    /// Whether a leader is in a brigade's chain of command (MB-LEA-13).
    pub(crate) fn in_chain(&self, leader: OfficerId, unit: UnitId) -> bool {
        let mut above = Some(self.brigade(unit).under);
        // The chain is checked to have an end when the scenario is read.
        while let Some(one) = above {
            if one == leader {
                return true;
            }
            above = self.leader(one).above;
        }
        false
    }

    /// The player going second.
    pub(crate) fn second(&self) -> Side {
        self.first.other()
    }

    /// The blow that a brigade has just dealt its friends.
    pub(crate) fn blow(&self, unit: UnitId, what: BlowKind, leader: Option<OfficerId>) -> Blow {
        let brigade = self.brigade(unit);
        Blow {
            unit,
            what,
            leader,
            at: brigade.pose,
            bases: brigade.bases.max(1),
            files: brigade.files.max(1),
            formation: brigade.formation,
            turn: self.turn,
            felt: Vec::new(),
        }
    }

    fn at(&mut self, unit: UnitId) -> &mut Brigade {
        self.memo.touch(unit);
        &mut self.units[unit.index()]
    }

    fn general(&mut self, leader: OfficerId) -> &mut Leader {
        &mut self.leaders[leader.index()]
    }

    /// Moves a brigade, and the leaders who are with it along (MB-LEA-07).
    fn carry(&mut self, unit: UnitId, to: Pose) {
        let from = self.brigade(unit).pose;
        let (dx, dy) = (to.at.x - from.at.x, to.at.y - from.at.y);
        for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(unit) && !leader.lost) {
            let table = self.fixed.table;
            let keep = |at: Length, most: Length| at.max(Length::ZERO).min(most);
            leader.at = Point::new(keep(leader.at.x + dx, table.width), keep(leader.at.y + dy, table.depth));
        }
        self.at(unit).pose = to;
    }

    /// Takes bases off a brigade (MB-MOR-04).
    fn lose_bases(&mut self, unit: UnitId, casualties: u8) {
        let brigade = self.at(unit);
        for _ in 0..casualties {
            let single = brigade.files == brigade.bases && brigade.formation != Formation::Unformed;
            brigade.bases = brigade.bases.saturating_sub(1);
            if single && brigade.bases > 0 {
                // From either end in turn: the front narrows, and its middle shifts by half a base.
                let half = brigade.width.half();
                let to_left = brigade.bases.is_multiple_of(2);
                brigade.pose = brigade.pose.sideways(if to_left { -half } else { half });
            }
            brigade.files = brigade.files.min(brigade.bases).max(1);
        }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.change(event);
        self.memo.settle(&self.units);
    }

    fn change(&mut self, event: &Event) {
        match event {
            Event::InitiativeRolled { totals } => {
                self.chooser = match totals[0].cmp(&totals[1]) {
                    std::cmp::Ordering::Greater => Some(Side::A),
                    std::cmp::Ordering::Less => Some(Side::B),
                    std::cmp::Ordering::Equal => None,
                };
            }
            Event::GoesFirst { side } => (self.first, self.chooser) = (*side, None),
            Event::PhaseBegan { phase, side } => {
                (self.phase, self.active, self.group) = (*phase, *side, None);
            }
            Event::TurnBegan { turn } => self.begin_turn(*turn),
            Event::Ended => self.phase = Phase::Over,
            Event::Fired { unit, at, range, band } => {
                let (turn, close) = (self.turn, self.phase == Phase::CloseFire);
                let gun = self.at(*unit);
                gun.aim = Some(Aim { at: *at, range: *range, turn, indirect: false });
                if close {
                    gun.marks.fired_close = true
                } else {
                    gun.marks.bombarded = Some(*band)
                }
                self.at(*at).marks.shot_at = true;
            }
            Event::ShellFell { unit, at, range, .. } => {
                let turn = self.turn;
                let gun = self.at(*unit);
                gun.aim = Some(Aim { at: *at, range: *range, turn, indirect: true });
                gun.marks.bombarded = Some(crate::situations::Band::Far);
            }
            Event::UnderFire { unit } => self.at(*unit).marks.shot_at = true,
            Event::Suffered { unit, dps, casualties, .. } => {
                self.at(*unit).dps += dps;
                self.lose_bases(*unit, *casualties);
            }
            Event::Became { unit, status } => self.turn_into(*unit, *status),
            Event::CrewFled { unit, to } => {
                self.at(*unit).status = if to.is_some() { Status::Abandoned } else { Status::Captured };
                self.crews.retain(|(gun, _)| gun != unit);
                self.crews.extend(to.map(|to| (*unit, to)));
            }
            Event::Recrewed { unit } => {
                self.crews.retain(|(gun, _)| gun != unit);
                let gun = self.at(*unit);
                (gun.status, gun.aim, gun.marks.done) = (Status::Steady, None, true);
            }
            Event::Noted { blow } => self.blows.push(blow.clone()),
            Event::Felt { blow, unit } => {
                if let Some(blow) = self.blows.get_mut(*blow) {
                    blow.felt.push(*unit);
                }
            }
            Event::Rode { leader, to, action } => {
                let leader = self.general(*leader);
                leader.at = *to;
                if *action { leader.used += 1 } else { leader.rode = true }
            }
            Event::Attached { leader, unit } => self.general(*leader).attached = Some(*unit),
            Event::Detached { leader } => self.general(*leader).attached = None,
            Event::Steadied { leader, unit } => {
                self.general(*leader).used += 1;
                let brigade = self.at(*unit);
                brigade.dps = brigade.dps.saturating_sub(1);
                brigade.marks.halted = true;
            }
            Event::Inspired { leader, .. } => {
                let leader = self.general(*leader);
                leader.used += 1;
                leader.inspires += 1;
            }
            Event::LeaderRisked { leader, fate } => match fate {
                Fate::Unhurt | Fate::NearMiss => {}
                Fate::Wounded => self.general(*leader).wounded = true,
                Fate::Killed => self.lose_leader(*leader),
            },
            Event::Risked { unit, which } => {
                if let Some(risked) = self.at(*unit).marks.risked.get_mut(usize::from(*which)) {
                    *risked = true;
                }
            }
            Event::LeaderTaken { leader } => self.lose_leader(*leader),
            Event::Control { unit, control } => {
                let brigade = self.at(*unit);
                brigade.marks.control = *control;
                brigade.marks.halted |= *control == Charge::Halts;
            }
            Event::ControlRolled { unit, die } => self.die = Some((*unit, *die)),
            Event::ControlTested { unit, result, .. } => self.controlled(*unit, *result),
            Event::MoveRolled { roll } => self.group = Some(*roll),
            Event::Moved { unit, to, spent, double } => {
                let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.marks.moved, brigade.marks.shifted) = (true, true);
                brigade.marks.spent += *spent;
                brigade.marks.double = *double;
                brigade.marks.dice = brigade.marks.dice.or(dice);
                if brigade.kind.is_gun() {
                    brigade.aim = None;
                }
            }
            Event::Rough { unit } => self.at(*unit).marks.rough = true,
            Event::Bears { unit, bearing } => {
                let marks = &mut self.at(*unit).marks;
                (marks.bearing, marks.bore) = (*bearing, true);
            }
            Event::Manoeuvred { unit, manoeuvre, to, formation, files, half, spent } => {
                let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.formation, brigade.files) = (*formation, *files);
                brigade.marks.half |= *half;
                brigade.marks.spent += *spent;
                if matches!(manoeuvre, ManoeuvreKind::Wheel | ManoeuvreKind::Incline) {
                    (brigade.marks.moved, brigade.marks.shifted) = (true, true);
                    brigade.marks.dice = brigade.marks.dice.or(dice);
                    brigade.marks.wheeled = true;
                }
                if matches!(manoeuvre, ManoeuvreKind::SideStep | ManoeuvreKind::StepBack) {
                    (brigade.marks.moved, brigade.marks.shifted) = (true, true);
                }
                if *manoeuvre == ManoeuvreKind::ReForm {
                    brigade.status = Status::Steady;
                }
                if brigade.kind.is_gun() {
                    brigade.aim = brigade.aim.filter(|_| *manoeuvre == ManoeuvreKind::TurnToFlank);
                }
            }
            Event::Changed { unit, kind, horses } => self.mount(*unit, *kind, *horses),
            Event::Done { unit } => self.at(*unit).marks.done = true,
            Event::Approached { approach } => self.approach = Some(*approach),
            Event::ApproachOver => self.approach = None,
            Event::Withdrew { unit, to } => {
                self.carry(*unit, *to);
                let marks = &mut self.at(*unit).marks;
                (marks.moved, marks.shifted) = (true, true);
            }
            Event::ShotAtLeader { unit } => self.at(*unit).marks.shot_at_leader = true,
            Event::GroupDone => self.group = None,
            Event::Declared { unit, at, outrance, bearing } => {
                self.at(*unit).marks.attack = Assault::Declared { at: *at, outrance: *outrance, bearing: *bearing };
            }
            Event::Responded { unit, response } => self.at(*unit).marks.response = *response,
            Event::Charged { unit, to, roll, touched } => {
                self.carry(*unit, *to);
                let marks = &mut self.at(*unit).marks;
                (marks.shifted, marks.charge_dice) = (true, roll.dice.count());
                let outrance = matches!(marks.attack, Assault::Declared { outrance: true, .. });
                marks.attack = match (marks.attack, *touched) {
                    (_, true) => Assault::Charged { outrance },
                    (Assault::Declared { .. }, false) => Assault::Missed,
                    (other, false) => other,
                };
                if matches!(marks.response, Response::CounterCharges(_)) {
                    marks.response = Response::Stands;
                }
            }
            Event::Fell { unit, to, action, .. } => self.run(*unit, *to, *action),
            Event::Flanked { unit } => self.at(*unit).marks.flanked = true,
            Event::Engaged { fights } => {
                self.fights.clone_from(fights);
                for fight in fights {
                    for one in fight.a.iter().chain(&fight.b) {
                        self.at(one.unit).marks.fought = true;
                    }
                }
            }
            Event::Fought { fight, hits } => {
                if let Some(fight) = self.fights.get_mut(*fight) {
                    fight.hits = Some(*hits);
                }
            }
            Event::Acted { fight, unit, action } => {
                if let Some(fight) = self.fights.get_mut(*fight) {
                    fight.acted.push(*unit);
                    if action.gives_way() {
                        fight.gave_way.push(*unit);
                    }
                }
            }
            Event::Hacked { .. } => {}
            Event::PursuedInto { unit } => self.at(*unit).marks.attack = Assault::Pursued,
            Event::Split { unit, part, bases, files, to, stays, stays_files, stays_at } => {
                let parent = *self.brigade(*unit);
                let marks = Marks { attack: Assault::None, ..parent.marks };
                let rest =
                    Brigade { part: *part, bases: *stays, files: *stays_files, pose: *stays_at, marks, ..parent };
                self.units.push(rest);
                let brigade = self.at(*unit);
                (brigade.bases, brigade.files, brigade.pose) = (*bases, *files, *to);
            }
            Event::MergedInto { unit, into, files, to } => {
                let joined = *self.brigade(*unit);
                let brigade = self.at(*into);
                let parts = [(brigade.grade(), brigade.bases), (joined.grade(), joined.bases)];
                brigade.grade = grade_of_mixture(parts);
                if joined.bases > brigade.bases {
                    brigade.style = joined.style;
                }
                brigade.bases += joined.bases;
                brigade.dps = brigade.dps.max(joined.dps);
                (brigade.files, brigade.pose) = (*files, *to);
                brigade.mixed |= joined.mixed || joined.kind != brigade.kind;
                brigade.outrance &= joined.outrance;
                self.turn_into(*unit, Status::Merged);
                for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(*unit)) {
                    leader.attached = Some(*into);
                }
            }
            Event::Redressed { unit, removed } => {
                let brigade = self.at(*unit);
                brigade.dps = brigade.dps.saturating_sub(*removed);
            }
            Event::Held { objective, by } => {
                if let Some(held) = self.held.get_mut(usize::from(*objective)) {
                    *held = Some(*by);
                }
            }
        }
    }

    fn turn_into(&mut self, unit: UnitId, status: Status) {
        let brigade = self.at(unit);
        brigade.status = status;
        if matches!(status, Status::Retired | Status::Routing | Status::Pursuing)
            && brigade.formation != Formation::Unformed
        {
            brigade.formation = Formation::Unformed;
        }
        if status.is_gone() {
            self.crews.retain(|(gun, with)| *gun != unit && *with != unit);
            if status != Status::Merged {
                for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(unit)) {
                    leader.attached = None;
                }
            }
        }
    }

    fn lose_leader(&mut self, leader: OfficerId) {
        let leader = self.general(leader);
        (leader.lost, leader.attached) = (true, None);
    }

    fn controlled(&mut self, unit: UnitId, result: ControlResult) {
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
        if result == ControlResult::Act && matches!(brigade.status, Status::Routing | Status::Pursuing) {
            // It has left off running; it stays unformed until it re-forms (MB-MAN-05).
            brigade.status = Status::Retired;
        }
        brigade.failed_charge &= result != ControlResult::Act;
    }

    fn mount(&mut self, unit: UnitId, kind: crate::troops::Kind, horses: Option<Point>) {
        let foot = self.fixed.numbers.bases.foot.clone();
        let horse = self.fixed.numbers.bases.horse.clone();
        let brigade = self.at(unit);
        brigade.kind = kind;
        brigade.horses = horses;
        brigade.marks.half = true;
        let base = if kind == crate::troops::Kind::Dragoons { horse } else { foot };
        (brigade.width, brigade.depth) = (base.width.length(), base.depth.length());
        brigade.formation = if kind == crate::troops::Kind::Dragoons { Formation::Line } else { Formation::Unformed };
    }

    fn run(&mut self, unit: UnitId, to: Pose, action: FastMove) {
        self.carry(unit, to);
        let brigade = self.at(unit);
        brigade.marks.shifted = true;
        match action {
            FastMove::Evade => brigade.formation = Formation::Unformed,
            FastMove::Retire | FastMove::RetireOn => brigade.status = Status::Retired,
            FastMove::Rout | FastMove::RoutOn => brigade.status = Status::Routing,
            FastMove::Pursue | FastMove::PursueOn => brigade.status = Status::Pursuing,
            FastMove::RideThrough | FastMove::TakePosition => {
                brigade.dps = brigade.dps.saturating_sub(1);
                return;
            }
        }
        brigade.formation = Formation::Unformed;
    }

    /// Clears the marks of a turn and reckons the speed of cavalry (MB-MOV-24).
    fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        (self.group, self.approach, self.die) = (None, None, None);
        self.fights.clear();
        // A rout is felt by those it comes near in later turns; everything else is over (MB-MOR-15).
        let running: Vec<bool> = self
            .blows
            .iter()
            .map(|blow| blow.what == BlowKind::Routs && self.brigade(blow.unit).is_routing())
            .collect();
        let mut kept = running.into_iter();
        self.blows.retain(|_| kept.next().unwrap_or(false));
        for brigade in &mut self.units {
            let marks = &brigade.marks;
            let moved = marks.dice.map_or(0, crate::situations::MoveDice::count);
            brigade.speed = match brigade.status {
                Status::Pursuing => 3,
                Status::Retired | Status::Routing => 0,
                _ if marks.fought || marks.halted || matches!(marks.response, Response::Evades(_)) => 0,
                _ if marks.charge_dice > 0 => marks.charge_dice,
                _ => moved,
            };
            brigade.last_move = marks.dice.map_or(LastMove::None, LastMove::Dice);
            brigade.failed_charge = marks.attack == Assault::Missed && brigade.status == Status::Steady;
            let pursued = marks.attack == Assault::Pursued;
            brigade.marks =
                Marks { attack: if pursued { Assault::Pursued } else { Assault::None }, ..Marks::default() };
        }
        for leader in &mut self.leaders {
            (leader.used, leader.inspires, leader.rode) = (0, 0, false);
        }
    }

    /// What must always hold.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.memo.agrees(&self.units) {
            return Err("a figure does not lie where its brigade stands".into());
        }
        let on_table: Vec<UnitId> = self.all().collect();
        let figures: Vec<_> = on_table.iter().map(|unit| self.figure(*unit)).collect();
        for (n, unit) in on_table.iter().enumerate() {
            let brigade = self.brigade(*unit);
            let name = || self.id_of(*unit);
            if brigade.bases == 0 || brigade.files == 0 || brigade.files > brigade.bases {
                return Err(format!("{} has {} bases in files of {}", name(), brigade.bases, brigade.files));
            }
            if self.fixed.table.on_table(figures[n]) != OnTable::Wholly {
                return Err(format!("{} stands over the edge", name()));
            }
            let on_top = (0..n).find(|other| overlapping(figures[n], figures[*other]));
            if let Some(other) = on_top {
                return Err(format!("{} stands on top of {}", name(), self.id_of(on_table[other])));
            }
        }
        for (n, leader) in self.leaders.iter().enumerate() {
            if let Some(unit) = leader.attached
                && (!self.brigade(unit).is_unit() || !self.in_chain(OfficerId(n as u16), unit))
            {
                return Err(format!("a leader is with {}, which is not under him", self.id_of(unit)));
            }
        }
        Ok(())
    }
}
