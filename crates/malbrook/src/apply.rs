//! How events change a battle.

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{Length, Point, Pose};

use crate::battle::Battle;
use crate::brigade::{Aim, Assault, Brigade, Charge, LastMove, Leader, Marks, Response, Status};
use crate::event::{BlowKind, Event, FastMove, Phase};
use crate::messages::Word;
use crate::situations::{ControlResult, Fate, ManoeuvreKind};
use crate::troops::{Formation, grade_of_mixture};

impl Battle {
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
        // An end that is drawn back needs a front to be drawn back from.
        brigade.refused = brigade.refused.filter(|one| one.bases < brigade.bases);
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
                (self.phase, self.active, self.group, self.ahead) = (*phase, *side, None, None);
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
            Event::Ordered { leader, order } => {
                let leader = self.general(*leader);
                leader.used += 1;
                leader.order = Some(*order);
            }
            Event::Dispatched { dispatch } => {
                self.general(dispatch.by).used += 1;
                self.dispatches.push(dispatch.clone());
            }
            Event::RiderMoved { rider, to, arrived } => {
                if let Some(one) = self.dispatches.iter_mut().find(|one| one.id == *rider) {
                    (one.rider, one.rode, one.arrived) = (Some(*to), true, *arrived);
                }
            }
            Event::Heard { rider } => {
                let Some(at) = self.dispatches.iter().position(|one| one.id == *rider) else { return };
                let to = self.dispatches[at].to;
                self.general(to).used += 1;
                if let Word::Orders(order) = self.dispatches[at].word {
                    self.general(to).order = Some(order);
                    self.dispatches.remove(at);
                } else {
                    self.dispatches[at].heard = true;
                }
            }
            Event::RiderLost { rider } => self.dispatches.retain(|one| one.id != *rider),
            Event::Reassigned { unit, to } => self.at(*unit).under = *to,
            Event::CommandMoved { leader, to } => self.general(*leader).above = Some(*to),
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
                let far = self.brigade(*unit).pose.at.distance(to.at);
                let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.marks.moved, brigade.marks.shifted) = (true, true);
                brigade.marks.spent += *spent;
                brigade.marks.ahead += far;
                brigade.marks.double = *double;
                brigade.marks.dice = brigade.marks.dice.or(dice);
                if brigade.kind.is_gun() {
                    brigade.aim = None;
                }
            }
            Event::Bent { unit, refused, spent, moved } => {
                let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
                let brigade = self.at(*unit);
                brigade.refused = *refused;
                brigade.marks.spent += *spent;
                if *moved {
                    (brigade.marks.moved, brigade.marks.shifted) = (true, true);
                    brigade.marks.dice = brigade.marks.dice.or(dice.filter(|_| *spent > Length::ZERO));
                    brigade.marks.wheeled |= *spent > Length::ZERO;
                }
            }
            Event::Marched { unit, to, spent, double } => {
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.marks.moved, brigade.marks.shifted, brigade.marks.road) = (true, true, true);
                (brigade.marks.spent, brigade.marks.double) = (*spent, *double);
                if brigade.kind.is_gun() {
                    brigade.aim = None;
                }
            }
            Event::Aimed { unit, at } => self.at(*unit).marks.halt_at = Some(*at),
            Event::LetAhead { unit } => self.ahead = Some(*unit),
            Event::PassedThrough { unit } => self.at(*unit).marks.passed = true,
            Event::Passes { passing } => self.passing = Some(passing.clone()),
            Event::PassesOver => self.passing = None,
            Event::Volley { unit, at } => {
                self.at(*unit).marks.gave_fire = true;
                self.at(*at).marks.volley = Some(*unit);
            }
            Event::GunTaken { unit, gun } => {
                let (side, under) = (self.brigade(*unit).side, self.brigade(*unit).under);
                self.lose_bases(*unit, 1);
                self.crews.retain(|(one, _)| one != gun);
                let taken = self.at(*gun);
                (taken.side, taken.under, taken.status) = (side, under, Status::Steady);
                (taken.dps, taken.aim, taken.marks) = (0, None, Marks { done: true, ..Marks::default() });
            }
            Event::Sheltered { falling } => self.falling = Some(*falling),
            Event::ShelterOver => self.falling = None,
            Event::Met { met } => self.met = Some(*met),
            Event::MetOver => self.met = None,
            Event::Rough { unit } => self.at(*unit).marks.rough = true,
            Event::Bears { unit, bearing } => {
                let marks = &mut self.at(*unit).marks;
                (marks.bearing, marks.bore) = (*bearing, true);
            }
            Event::Manoeuvred { unit, manoeuvre, to, formation, files, half, spent } => {
                let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
                let from = self.brigade(*unit).pose.heading;
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                if *manoeuvre == ManoeuvreKind::Wheel {
                    brigade.marks.turned += from.turn_to(to.heading).to_hundredths();
                }
                (brigade.formation, brigade.files, brigade.refused) = (*formation, *files, None);
                brigade.marks.half |= *half;
                brigade.marks.spent += *spent;
                if matches!(manoeuvre, ManoeuvreKind::Wheel | ManoeuvreKind::Incline | ManoeuvreKind::PassGap) {
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
                let pose = *stays_at;
                let rest = Brigade {
                    part: *part,
                    bases: *stays,
                    files: *stays_files,
                    pose,
                    marks,
                    refused: None,
                    horses: parent.horses,
                    ..parent
                };
                self.units.push(rest);
                let brigade = self.at(*unit);
                (brigade.bases, brigade.files, brigade.pose) = (*bases, *files, *to);
                self.take_leaders_along(*unit);
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
                let marks = &mut brigade.marks;
                marks.fought |= joined.marks.fought;
                marks.shot_at |= joined.marks.shot_at;
                if *files > brigade.files {
                    // Side by side: what either has done, both have.
                    marks.moved |= joined.marks.moved;
                    marks.shifted |= joined.marks.shifted;
                    marks.dice = marks.dice.max(joined.marks.dice);
                    marks.done |= joined.marks.done;
                    marks.spent = marks.spent.max(joined.marks.spent);
                }
                brigade.speed = brigade.speed.max(joined.speed);
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

    /// Leaders who are with a brigade that split stay within its new bounds.
    fn take_leaders_along(&mut self, unit: UnitId) {
        let figure = crate::lay::Figure::of(self.brigade(unit), self.brigade(unit).pose);
        let radius = self.fixed.numbers.bases.leader.length();
        for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(unit) && !leader.lost) {
            let place = sabretache_table::Convex::place(leader.at.v());
            let (from, to) = sabretache_table::nearest_places(&place, &figure);
            if (from - to).length() > radius.f() {
                leader.at = Point::rounded(to + (from - to).unit() * radius.f());
            }
        }
    }

    fn turn_into(&mut self, unit: UnitId, status: Status) {
        let brigade = self.at(unit);
        brigade.status = status;
        if matches!(status, Status::Retired | Status::Routing | Status::Pursuing)
            && brigade.formation != Formation::Unformed
        {
            (brigade.formation, brigade.refused) = (Formation::Unformed, None);
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
        self.dispatches.retain(|one| one.to != leader || one.heard);
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
            FastMove::Evade => {}
            FastMove::Retire | FastMove::RetireOn => brigade.status = Status::Retired,
            FastMove::Rout | FastMove::RoutOn => brigade.status = Status::Routing,
            FastMove::Pursue | FastMove::PursueOn => brigade.status = Status::Pursuing,
            FastMove::RideThrough | FastMove::TakePosition => {
                brigade.dps = brigade.dps.saturating_sub(1);
                return;
            }
        }
        (brigade.formation, brigade.refused) = (Formation::Unformed, None);
    }

    /// Clears the marks of a turn and reckons the speed of cavalry (MB-MOV-24).
    fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        (self.group, self.approach, self.die, self.ahead) = (None, None, None, None);
        (self.passing, self.falling, self.met) = (None, None, None);
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
            // A road move counts as two dice.
            let moved = if marks.road { 2 } else { marks.dice.map_or(0, crate::situations::MoveDice::count) };
            brigade.speed = match brigade.status {
                Status::Pursuing => 3,
                Status::Retired | Status::Routing => 0,
                _ if marks.fought || marks.halted || matches!(marks.response, Response::Evades(_)) => 0,
                _ if marks.charge_dice > 0 => marks.charge_dice,
                _ => moved,
            };
            brigade.last_move = match marks.dice {
                _ if marks.road => LastMove::Road,
                Some(dice) => LastMove::Dice(dice),
                None => LastMove::None,
            };
            brigade.spared = marks.volley;
            brigade.failed_charge = marks.attack == Assault::Missed && brigade.status == Status::Steady;
            let pursued = marks.attack == Assault::Pursued;
            brigade.marks =
                Marks { attack: if pursued { Assault::Pursued } else { Assault::None }, ..Marks::default() };
        }
        for dispatch in &mut self.dispatches {
            dispatch.rode = false;
        }
        for leader in &mut self.leaders {
            (leader.used, leader.inspires, leader.rode) = (0, 0, false);
        }
    }
}
