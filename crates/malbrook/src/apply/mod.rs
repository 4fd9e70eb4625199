//! How events change a battle: what they say is written down, and nothing is decided.

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{Length, Point, Pose};

use crate::battle::Battle;
use crate::brigade::{Aim, Assault, Brigade, Charge, LastMove, Leader, LeftOff, Marks, Response, Status};
use crate::clauses::MB_ORD_06;
use crate::event::{Event, FastMove, Phase, Set};
use crate::phases::manoeuvre::Scattering;
use crate::phases::messages::Word;
use crate::phases::options::Challenge;
use crate::phases::pending::Pending;
use crate::situations::{ControlResult, Fate, ManoeuvreKind};
use crate::troops::Formation;

mod changes;
mod losses;
mod manoeuvres;
mod turn;

impl Battle {
    pub(crate) fn at(&mut self, unit: UnitId) -> &mut Brigade {
        self.memo.touch(unit, &self.units[unit.index()]);
        &mut self.units[unit.index()]
    }

    fn general(&mut self, leader: OfficerId) -> &mut Leader {
        &mut self.leaders[leader.index()]
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.change(event);
        let moment = self.moment();
        self.memo.settle(&self.units, &self.leaders, moment);
    }

    fn change(&mut self, event: &Event) {
        // A second change of formation is made in one go with the first: not after somebody else has begun (MB-MAN-07).
        if let Event::MoveRolled { roll: crate::event::GroupRoll { of: unit, .. } }
        | Event::Moved { unit, .. }
        | Event::Manoeuvred { unit, .. }
        | Event::Marched { unit, .. } = event
        {
            let others = self.units.iter_mut().enumerate().filter(|(n, _)| *n != unit.index());
            others.for_each(|(_, brigade)| brigade.marks.share.whole = false);
        }
        match event {
            Event::InitiativeRolled { totals } => {
                self.chooser = match totals[0].cmp(&totals[1]) {
                    std::cmp::Ordering::Greater => Some(Side::A),
                    std::cmp::Ordering::Less => Some(Side::B),
                    std::cmp::Ordering::Equal => None,
                };
                if self.phase == Phase::Deployment {
                    // The lower roll is set down first (MB-ORG-06).
                    self.chooser = self.chooser.map(Side::other);
                    self.active = self.chooser.unwrap_or(self.active);
                }
            }
            Event::GoesFirst { side } => (self.first, self.chooser) = (*side, None),
            Event::PhaseBegan { phase, side } => {
                (self.phase, self.active, self.group, self.ahead) = (*phase, *side, None, None);
                (self.floor, self.finished) = (0, 0);
            }
            Event::TurnBegan { turn } => self.begin_turn(*turn),
            Event::SetDown { unit, to, formation, files, what } => {
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.formation, brigade.files) = (*formation, *files);
                match what {
                    Set::Place => brigade.marks.share.done = true,
                    Set::Facing => brigade.marks.way.bore = true,
                    Set::Turned => brigade.marks.loose.faced = true,
                    Set::Formation => brigade.marks.share.half = true,
                }
            }
            Event::Deployed => {
                self.chooser = None;
                self.begin_turn(1);
            }
            Event::Entered { unit } => {
                let brigade = self.at(*unit);
                brigade.status = Status::Steady;
                (brigade.marks.moved, brigade.marks.shifted, brigade.marks.share.done) = (true, true, true);
            }
            Event::Floor { player, finished } => (self.floor, self.finished) = (*player, *finished),
            Event::Challenged { leader } => self.general(*leader).challenge = Some(Challenge::Made),
            Event::Seen { unit } => {
                let brigade = self.at(*unit);
                (brigade.known, brigade.marks.suffered.seen) = (true, true);
            }
            Event::Hidden { unit } => self.at(*unit).known = false,
            Event::Searched { side, ground } => self.searched[side.index()].push(*ground),
            Event::Succeeded { leader, at } => {
                let leader = self.general(*leader);
                (leader.lost, leader.wounded, leader.succeeded, leader.at) = (false, false, true, *at);
            }
            Event::GunsTaken { leader } => self.general(*leader).guns += 1,
            Event::Ended => {
                self.phase = Phase::Over;
                self.closing.clear();
            }
            Event::Fired { unit, at, range, band } => {
                let (turn, close) = (self.turn, self.phase == Phase::CloseFire);
                let gun = self.at(*unit);
                gun.aim = Some(Aim { at: *at, range: *range, turn, indirect: false });
                if close {
                    gun.marks.fire.fired_close = true
                } else {
                    gun.marks.fire.bombarded = Some(*band)
                }
                self.at(*at).marks.suffered.shot_at = true;
            }
            Event::ShellFell { unit, at, range, .. } => {
                let turn = self.turn;
                let gun = self.at(*unit);
                gun.aim = Some(Aim { at: *at, range: *range, turn, indirect: true });
                gun.marks.fire.bombarded = Some(crate::situations::Band::Far);
            }
            Event::UnderFire { unit } => self.at(*unit).marks.suffered.shot_at = true,
            Event::Suffered { unit, dps, .. } => self.at(*unit).dps += dps,
            Event::EndLost { unit, end } => self.at(*unit).lost_end = Some(*end),
            Event::Left { unit, remains } => self.left(*unit, remains),
            Event::Became { unit, status } => self.turn_into(*unit, *status),
            Event::CrewFled { unit, to } => {
                self.at(*unit).status = if to.is_some() { Status::Abandoned } else { Status::Captured };
                self.crews.retain(|(gun, _)| gun != unit);
                self.crews.extend(to.map(|to| (*unit, to)));
                // In the order of the guns, as a saved battle lists them, and not in that of their flight.
                self.crews.sort_unstable();
            }
            Event::Recrewed { unit } => {
                self.crews.retain(|(gun, _)| gun != unit);
                let gun = self.at(*unit);
                (gun.status, gun.aim, gun.marks.share.done) = (Status::Steady, None, true);
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
            Event::StayedWith { leader, unit, to } => {
                let leader = self.general(*leader);
                (leader.attached, leader.at) = (Some(*unit), *to);
            }
            Event::Steadied { leader, unit } => {
                self.general(*leader).used += 1;
                let brigade = self.at(*unit);
                brigade.dps = brigade.dps.saturating_sub(1);
                brigade.marks.control.halted = true;
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
                self.at(*unit).marks.suffered.risked[*which as usize] = true;
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
                decides!(MB_ORD_06);
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
            Event::Displaced { leader, to } | Event::LedAlong { leader, to } => self.general(*leader).at = *to,
            Event::HorsesLed { unit, to } => {
                let brigade = self.at(*unit);
                (brigade.horses, brigade.marks.loose.dismounted) = (Some(*to), false);
            }
            Event::HorsesLost { unit } => self.at(*unit).horses = None,
            Event::LeaderTaken { leader } => self.lose_leader(*leader),
            Event::Control { unit, control } => {
                let brigade = self.at(*unit);
                brigade.marks.control.by = *control;
                brigade.marks.control.halted |= *control == Charge::Halts;
            }
            Event::ControlRolled { unit, die } => self.wait_for(Pending::ControlDie(*unit, *die)),
            Event::ControlTested { unit, result, .. } => self.controlled(*unit, *result),
            Event::MoveRolled { roll } => self.group = Some(*roll),
            Event::Moved { unit, to, spent, double } => {
                let far = self.brigade(*unit).pose.at.distance(to.at);
                let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.marks.moved, brigade.marks.shifted) = (true, true);
                brigade.marks.share.spent += *spent;
                brigade.marks.way.ahead += far;
                brigade.marks.share.double = *double;
                brigade.marks.share.dice = brigade.marks.share.dice.or(dice);
                if brigade.kind.is_gun() {
                    brigade.aim = None;
                }
            }
            Event::Crowded { unit, files, to, spent, double } => {
                self.change(&Event::Moved { unit: *unit, to: *to, spent: *spent, double: *double });
                let brigade = self.at(*unit);
                (brigade.files, brigade.places) = (*files, None);
            }
            Event::Scatters { unit } => {
                self.wait_for(Pending::Scattering(Scattering { unit: *unit, sent: Vec::new() }));
            }
            Event::BaseSent { base, to } => {
                if let Some(Pending::Scattering(one)) = &mut self.pending {
                    one.sent.push((*base, *to));
                }
            }
            Event::Gathered { unit } => {
                self.pending = None;
                self.at(*unit).marks.loose.gathered += 1;
            }
            Event::Scattered { unit, places, double } => self.scatter(*unit, places, *double),
            Event::WentApart { unit, part, bodies, places, double } => {
                self.go_apart(*unit, *part, bodies, places, *double);
            }
            Event::BasesTurned { unit, to, places } => {
                let brigade = self.at(*unit);
                brigade.pose = *to;
                *brigade = brigade.scattered(places);
                brigade.marks.loose.faced = true;
            }
            Event::CameApart { unit, part, stays } => self.come_apart(*unit, *part, stays),
            Event::Bent { .. } => self.bent(event),
            Event::Marched { unit, to, spent, double } => {
                self.carry(*unit, *to);
                let brigade = self.at(*unit);
                (brigade.marks.moved, brigade.marks.shifted, brigade.marks.way.road) = (true, true, true);
                (brigade.marks.share.spent, brigade.marks.share.double) = (*spent, *double);
                if brigade.kind.is_gun() {
                    brigade.aim = None;
                }
            }
            Event::Aimed { unit, at } => self.at(*unit).marks.way.halt_at = Some(*at),
            Event::LetAhead { unit } => self.ahead = Some(*unit),
            Event::PassedThrough { unit } => self.at(*unit).marks.suffered.passed = true,
            Event::Passes { passing } => self.wait_for(Pending::Passing(passing.clone())),
            Event::PassesOver | Event::ShelterOver | Event::MetOver | Event::ApproachOver => self.pending = None,
            Event::Volley { unit, at } => {
                self.at(*unit).marks.fire.gave_fire = true;
                self.at(*at).marks.suffered.volley = Some(*unit);
                self.memo.forget();
            }
            Event::GunTaken { unit, gun } => self.take_gun(*unit, *gun),
            Event::ClosedUp { unit, end, to } => self.close_up(*unit, *end, *to),
            Event::Sheltered { falling } => self.wait_for(Pending::Falling(*falling)),
            Event::Met { met } => self.wait_for(Pending::Meeting(*met)),
            Event::Rough { unit } => self.at(*unit).marks.way.rough = true,
            Event::Bears { unit, bearing } => {
                let marks = &mut self.at(*unit).marks;
                (marks.way.bearing, marks.way.bore) = (*bearing, true);
            }
            Event::Manoeuvred { .. } => self.manoeuvred(event),
            Event::Changed { unit, kind, horses, to, places } => {
                self.mount(*unit, *kind, *horses);
                if let Some(to) = to {
                    let brigade = self.at(*unit);
                    (brigade.pose, brigade.places) = (*to, crate::table::crowds::Places::of(to.at, places));
                }
            }
            Event::Done { unit } => self.at(*unit).marks.share.done = true,
            Event::Approached { approach } => self.wait_for(Pending::Approach(*approach)),
            Event::Withdrew { unit, to } => {
                let far = self.brigade(*unit).pose.at.distance(to.at);
                self.at(*unit).marks.loose.withdrawn += far;
                self.carry(*unit, *to);
                let marks = &mut self.at(*unit).marks;
                (marks.moved, marks.shifted) = (true, true);
            }
            Event::ShotAtLeader { unit } => self.at(*unit).marks.fire.shot_at_leader = true,
            Event::GroupDone => self.group = None,
            Event::Declared { unit, at, outrance, bearing } => {
                self.at(*unit).marks.carried.attack =
                    Assault::Declared { at: *at, outrance: *outrance, bearing: *bearing };
            }
            Event::Responded { unit, response } => self.at(*unit).marks.onset.response = *response,
            Event::Charged { unit, to, roll, touched } => {
                self.carry(*unit, *to);
                let marks = &mut self.at(*unit).marks;
                (marks.shifted, marks.onset.charge_dice) = (true, roll.dice.count());
                let outrance = matches!(marks.carried.attack, Assault::Declared { outrance: true, .. });
                marks.carried.attack = match (marks.carried.attack, *touched) {
                    (_, true) => Assault::Charged { outrance },
                    (Assault::Declared { .. }, false) => Assault::Missed,
                    (other, false) => other,
                };
                if matches!(marks.onset.response, Response::CounterCharges(_)) {
                    marks.onset.response = Response::Stands;
                }
            }
            Event::Fell { unit, to, action, places, .. } => self.run(*unit, *to, *action, places),
            Event::Barred { .. } => {}
            Event::Flanked { unit } => self.at(*unit).marks.carried.flanked = true,
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
            Event::Acted { fight, unit, after, .. } => {
                self.at(*unit).pursues = *after;
                if let Some(fight) = self.fights.get_mut(*fight) {
                    fight.acted.push(*unit);
                }
                // Its charge or pursuit has had its round (MB-RES-12).
                let attack = &mut self.at(*unit).marks.carried.attack;
                if matches!(attack, Assault::Charged { .. } | Assault::Pursued) {
                    *attack = Assault::None;
                }
            }
            Event::Hacked { .. } => {}
            Event::PursuedInto { unit } => self.at(*unit).marks.carried.attack = Assault::Pursued,
            Event::GaveWay { fight, unit } => {
                if let Some(fight) = self.fights.get_mut(*fight) {
                    fight.gave_way.push(*unit);
                }
            }
            Event::Inclined { unit, by } => self.at(*unit).marks.way.aside = *by,
            Event::CrewsGo { from, to } => {
                self.crews.iter_mut().filter(|(_, with)| with == from).for_each(|(_, with)| *with = *to);
            }
            Event::Mixed { unit, grade, done, from, stood } => {
                let brigade = self.at(*unit);
                brigade.grade = *grade;
                brigade.marks.share.done |= *done;
                brigade.marks.share.stood |= *stood;
                if let Some(from) = from {
                    self.take_over(*unit, *from);
                }
            }
            Event::Based { unit, width, depth } => {
                let brigade = self.at(*unit);
                (brigade.width, brigade.depth) = (*width, *depth);
            }
            Event::Refreshed { units, idle, blows } => self.refreshed(units, idle, blows),
            Event::Split { .. } => self.split(event),
            Event::MergedInto { .. } => self.merged_into(event),
            Event::Redressed { unit, removed } => {
                let brigade = self.at(*unit);
                brigade.dps = brigade.dps.saturating_sub(*removed);
            }
            Event::Held { objective, by, wing } => {
                if let Some(held) = self.held.get_mut(usize::from(*objective)) {
                    *held = Some(*by);
                }
                self.taken.extend(wing.map(|wing| (*objective, wing)));
            }
        }
    }
}
