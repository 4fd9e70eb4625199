//! How what happens changes the battle: what events say is written down, and nothing is decided.

mod leaving;
pub(crate) mod marks;

use sabretache_engine::ids::UnitId;
use sabretache_engine::mark;
use sabretache_table::Length;

use crate::battle::{Battle, Pending, Place, Step, ThisTurn, Unit};
use crate::clauses::*;
use crate::event::{Event, Inside};
use crate::terrain::barriers::Break;

impl Battle {
    pub(crate) fn change(&mut self, unit: UnitId) -> &mut Unit {
        &mut self.units[unit.index()]
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.fold(event);
        mark::remembering(|| self.refresh());
    }

    fn fold(&mut self, event: &Event) {
        match *event {
            Event::CharismaRolled { general, charisma } => self.generals[general.index()].charisma = Some(charisma),
            Event::PointsRolled { general, points } => self.generals[general.index()].points = points,
            Event::InitiativeRolled { .. } => {}
            Event::Won { side } => {
                self.first = side;
                self.step = Step::Choice;
            }
            Event::Chose { first } => self.first = first,
            Event::Began { step } => self.begin(step),
            Event::Moved { unit, to, cost, how, advanced } => self.moved(unit, to, cost, how, advanced),
            Event::HeldUp { unit } => self.change(unit).now.held_up = true,
            Event::Headed { unit, way } => self.change(unit).now.way = Some(way.to_hundredths()),
            Event::Faced { unit, to, cost } => {
                self.start_move(unit);
                let state = self.change(unit);
                state.pose = to;
                let now = &mut state.now;
                now.run = now.run.saturating_add(cost.to_um());
                // The way that was set for it is still its way.
                (now.straight, now.turned, now.manoeuvred) = (0, true, true);
                now.changed |= cost == Length::ZERO;
                state.reforming = false;
                self.tracks.push((unit, to));
            }
            Event::Formed { unit, formation, stands, limbered, to, .. } => {
                self.start_move(unit);
                self.note_set_out(unit);
                let state = self.change(unit);
                (state.formation, state.stands, state.limbered, state.pose) = (formation, stands, limbered, to);
                let now = &mut state.now;
                (now.run, now.straight, now.changed, now.turned, now.manoeuvred) = (0, 0, true, true, true);
                state.reforming = false;
                self.tracks.push((unit, to));
            }
            Event::Pushed { unit } => {
                self.change(unit).now.joint = true;
                self.moving = None;
            }
            Event::Reforming { unit } => {
                self.start_move(unit);
                let state = self.change(unit);
                state.reforming = true;
                let now = &mut state.now;
                (now.share, now.run, now.changed, now.turned, now.manoeuvred) =
                    (crate::phases::movement::WHOLE, 0, true, true, true);
            }
            Event::PassedThrough { unit } => self.change(unit).now.stands = true,
            Event::MoveOver { unit } => {
                self.change(unit).now.done = true;
                self.moving = None;
            }
            Event::Rode { general, to } => {
                let general = &mut self.generals[general.index()];
                (general.at, general.with, general.rode) = (to, None, true);
            }
            Event::Joined { general, unit } => {
                let general = &mut self.generals[general.index()];
                (general.with, general.rode) = (Some(unit), true);
            }
            Event::GoesAlong { general, to } => self.generals[general.index()].at = to,
            Event::SetsOut { unit, steady } => self.change(unit).now.set_out_steady = steady,
            Event::Spent { unit, share } => self.change(unit).now.share = share,
            Event::FellBack { unit, from } => self.change(unit).now.fell_back_from = Some(from),
            Event::NotFlanked { ref units } => {
                units.iter().for_each(|unit| self.change(*unit).now.flanked = false);
            }
            Event::Held { ref units } => units.iter().for_each(|unit| self.change(*unit).advanced = false),
            Event::Refitted { unit, to, formation, stands, bend } => {
                let state = self.change(unit);
                (state.pose, state.formation, state.stands, state.bend) = (to, formation, stands, bend);
            }
            Event::Tells { at, hits, .. } => {
                // The volley that was fired last at them.
                if let Some((.., told)) = self.volleys.iter_mut().rfind(|(_, target, _)| *target == at) {
                    *told = hits;
                }
                let target = self.change(at);
                target.toll += hits;
                target.now.hits += hits;
            }
            Event::PointSpent { general } => {
                let points = &mut self.generals[general.index()].points;
                *points = points.saturating_sub(1);
                if let Some(launch) = &mut self.launch {
                    launch.paid = Some(general);
                }
            }
            Event::GeneralLost { general } => {
                let general = &mut self.generals[general.index()];
                (general.lost, general.with) = (true, None);
            }
            Event::Launched { unit } => self.set_out(unit),
            Event::Nears { enemy, .. } => {
                if let Some(launch) = &mut self.launch {
                    launch.near.push(enemy);
                }
            }
            Event::CalledOff { .. } => self.call_off(),
            Event::WentThrough { unit } => self.change(unit).now.passed = true,
            Event::Charges { unit } => {
                self.launch = None;
                self.start_move(unit);
                self.change(unit).now.charging = true;
            }
            Event::Disordered { unit, .. } => self.change(unit).disordered = true,
            Event::Shaken { unit, .. } => {
                self.change(unit).shaken = true;
                self.count_screen(unit);
            }
            Event::Cramped { unit } => self.change(unit).now.cramped = true,
            Event::Touched { contact } => {
                self.contacts.push(contact);
                self.change(contact.target).now.charged |= contact.fresh;
                self.change(contact.target).now.flanked |= contact.flank;
            }
            Event::Stood { .. } => {}
            Event::Favoured { unit, enemy } => match (self.pending, self.shots.last_mut()) {
                (Some(Pending::Aim { .. }), Some(order)) => order.favours.push(enemy),
                _ => self.favours.push((unit, enemy)),
            },
            Event::Bears { garrison, unit } => self.favours.push((garrison, unit)),
            Event::Evaded { unit, to, leaves_guns } => {
                if leaves_guns {
                    self.leave_guns(unit);
                }
                let state = self.change(unit);
                let from = std::mem::replace(&mut state.pose, to);
                // An evade is no move: a unit of Side B that evades in phase 2 still moves in phase 3 (BB-SEQ-04).
                (state.now.evaded, state.spotted, state.reforming) = (true, false, false);
                self.tracks.extend([(unit, from), (unit, to)]);
            }
            Event::Asked { pending } => self.pending = Some(pending),
            Event::Settled => self.pending = None,
            Event::Ordered { ref order } => {
                self.shots.push(order.clone());
                let state = self.change(order.unit);
                (state.now.fired, state.reforming) = (true, false);
            }
            Event::BatterOrdered { order } => {
                self.batters.push(order);
                let state = self.change(order.unit);
                (state.now.fired, state.reforming) = (true, false);
            }
            Event::Battered { ground, ref sections, ref down, .. } => self.batter(ground, sections, down),
            Event::Abandons { unit, guns, to } => {
                let state = self.change(unit);
                (state.guns, state.pose) = (state.guns.saturating_sub(guns), to);
            }
            Event::Works { unit } => {
                let now = &mut self.change(unit).now;
                (now.works, now.done) = (true, true);
                self.moving = None;
            }
            Event::Cleared { ground, from, to, .. } => self.breaks.push(Break { ground, from, to }),
            Event::Entered { unit, block, inside } => {
                self.start_move(unit);
                self.go_inside(unit, block, inside);
                self.change(unit).now.done = true;
                self.moving = None;
            }
            Event::Detached { unit, part, block, inside, figures, start } => {
                self.detach(unit, part, figures, start);
                self.go_inside(part, block, inside);
            }
            Event::Rejoined { unit, part } => self.rejoin(unit, part),
            Event::Shifted { unit, block, inside } => {
                self.start_move(unit);
                self.pay_half_a_move(unit);
                self.go_inside(unit, block, inside);
            }
            Event::Emerged { unit, to, formation, stands } => {
                self.start_move(unit);
                self.note_set_out(unit);
                self.pay_half_a_move(unit);
                let state = self.change(unit);
                (state.inside, state.pose, state.formation, state.stands) = (None, to, formation, stands);
                (state.disordered, state.reforming) = (true, false);
                let now = &mut state.now;
                (now.changed, now.turned, now.manoeuvred, now.straight) = (true, true, true, 0);
                self.tracks.push((unit, to));
            }
            Event::Breaks { unit } => self.change(unit).now.breaking = true,
            Event::RoutedInto { unit, block, inside } => {
                self.leave_contacts(unit);
                self.go_inside(unit, block, inside);
                let state = self.change(unit);
                (state.shaken, state.advanced, state.reforming) = (true, false, false);
                (state.now.routed, state.now.done, state.now.moved, state.now.breaking) = (true, true, true, false);
                self.pending = None;
            }
            Event::Bends { unit, bend } => self.change(unit).bend = Some(bend),
            Event::Scaled { unit } => self.change(unit).climbs = true,
            Event::Spotted { unit } => self.change(unit).spotted = true,
            Event::Fired { unit, at, .. } => {
                self.change(unit).now.fired = true;
                self.volleys.push((unit, at, 0));
            }
            Event::HoldsFire { unit } => self.change(unit).now.held_fire = true,
            Event::GunsHit { unit, gunners, guns } => {
                // The shot that is looked into was the last one at them.
                if let Some((.., told)) = self.volleys.iter_mut().rfind(|(_, at, _)| *at == unit) {
                    *told = told.saturating_add(gunners);
                }
                let state = self.change(unit);
                state.toll += gunners;
                state.now.hits += gunners;
                state.gun_toll = state.gun_toll.saturating_add(guns as u8);
            }
            Event::Lost { unit, figures, guns } => {
                let state = self.change(unit);
                state.figures = state.figures.saturating_sub(figures);
                state.guns = state.guns.saturating_sub(guns as u8);
                (state.toll, state.gun_toll) = (0, 0);
                self.count_screen(unit);
            }
            Event::Tested { unit, passed, why } => {
                let now = &mut self.change(unit).now;
                (now.tested, now.lost) = (true, false);
                now.beaten |= !passed && (why == BB_MOR_07 || why == BB_MOR_08);
            }
            Event::RoutHits { unit, hits } => {
                let state = self.change(unit);
                state.figures = state.figures.saturating_sub(hits);
            }
            Event::Routed { unit, to, formation, stands, leaves_guns } => {
                if leaves_guns {
                    self.leave_guns(unit);
                }
                self.leave_contacts(unit);
                let state = self.change(unit);
                (state.pose, state.formation, state.stands) = (to, formation, stands);
                (state.inside, state.now.breaking, state.climbs) = (None, false, false);
                (state.shaken, state.spotted, state.advanced, state.reforming) = (true, false, false, false);
                (state.now.routed, state.now.done, state.now.moved) = (true, true, true);
                self.pending = None;
                self.tracks.push((unit, to));
            }
            Event::LeftTable { unit, returns, leaves_guns } => {
                let state = self.change(unit);
                (state.shaken, state.fled_once, state.now.routed) = (true, true, true);
                self.pending = None;
                self.remove(unit, if returns { Place::Away } else { Place::Fled });
                if leaves_guns {
                    self.leave_guns(unit);
                }
            }
            Event::Shattered { unit } => {
                self.pending = None;
                self.remove(unit, Place::Shattered);
            }
            Event::Surrendered { unit } => {
                for general in self.generals.iter_mut().filter(|general| general.with == Some(unit)) {
                    (general.lost, general.with) = (true, None);
                }
                self.pending = None;
                self.remove(unit, Place::Surrendered);
            }
            Event::Returned { unit, to } => {
                let state = self.change(unit);
                (state.pose, state.place) = (to, Place::Table);
                (state.shaken, state.disordered) = (false, false);
                state.now = ThisTurn { returned: true, ..ThisTurn::default() };
            }
            Event::Arrived { unit, to } => {
                let state = self.change(unit);
                (state.pose, state.place) = (to, Place::Table);
                state.now = ThisTurn { returned: true, ..ThisTurn::default() };
            }
            Event::Exited { unit } => self.remove(unit, Place::Exited),
            Event::RodeUp { general, at } => {
                let general = &mut self.generals[general.index()];
                (general.at, general.awaited) = (at, false);
            }
            Event::Overran { unit, over, figures, models, to } => {
                let state = self.change(over);
                state.figures = state.figures.saturating_sub(figures);
                state.guns = state.guns.saturating_sub((models * 2) as u8);
                state.pose = to;
                for contact in
                    self.contacts.iter_mut().filter(|contact| (contact.charger, contact.target) == (unit, over))
                {
                    contact.overrun = true;
                }
                if self.unit(over).figures == 0 {
                    self.remove(over, Place::Shattered);
                }
            }
            Event::Parted { charger, target } => {
                self.note_parted(|contact| (contact.charger, contact.target) == (charger, target));
                self.contacts.retain(|contact| (contact.charger, contact.target) != (charger, target));
                self.rest_of_those_free();
            }
            Event::Struck { at, hits, .. } => {
                let target = self.change(at);
                target.toll += hits;
                target.now.hits += hits;
            }
            Event::Fought { unit, lost, won } => {
                let state = self.change(unit);
                (state.disordered, state.fought, state.reforming) = (true, true, false);
                state.rounds = state.rounds.saturating_add(1);
                (state.now.fought, state.now.lost, state.now.won) = (true, lost, won);
            }
            Event::RoutsOnPurpose { .. }
            | Event::RoutsAgain { .. }
            | Event::Recoiled { .. }
            | Event::Stays { .. }
            | Event::RunsWild { .. }
            | Event::Pursues { .. }
            | Event::Straggled { .. }
            | Event::Faces { .. }
            | Event::Chased { .. }
            | Event::ChasedOff { .. }
            | Event::ChaseOver { .. } => self.apply_pursuit(event),
            Event::Screened { .. }
            | Event::ScreenMoved { .. }
            | Event::ScreenBack { .. }
            | Event::Recalled { .. }
            | Event::Refilled { .. } => self.apply_screen(event),
            Event::Recovered { unit, shaken, disordered } => {
                let state = self.change(unit);
                state.shaken &= !shaken;
                state.disordered &= !disordered;
                self.count_screen(unit);
            }
            Event::Manned { unit } => {
                let guns = self.abandoned.iter().position(|guns| guns.unit == unit);
                if let Some(guns) = guns.map(|n| self.abandoned.remove(n)) {
                    let state = self.change(unit);
                    (state.pose, state.away) = (guns.pose, false);
                }
            }
            Event::Captured { unit } => {
                self.abandoned.retain(|guns| guns.unit != unit);
                self.change(unit).guns = 0;
            }
            Event::TurnOver { turn, ref off_the_wall } => self.end_turn(turn, off_the_wall),
        }
    }

    /// A unit is in a block.
    pub(crate) fn go_inside(&mut self, unit: UnitId, block: u16, inside: Inside) {
        let state = self.change(unit);
        (state.inside, state.pose, state.spotted, state.reforming) = (Some(block), inside.to, false, false);
        (state.formation, state.stands) = (inside.formation, inside.stands);
        self.tracks.push((unit, inside.to));
    }
}
