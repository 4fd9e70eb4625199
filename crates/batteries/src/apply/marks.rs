//! The marks that steps, turns and moves set and clear.

use sabretache_engine::ids::UnitId;
use sabretache_table::{Length, Pose};

use crate::battle::{Battle, Kind, Step, ThisTurn, Unit};
use crate::event::How;
use crate::unit::SetOut;

impl Battle {
    /// What was run so far has become a share of the move.
    pub(crate) fn pay_half_a_move(&mut self, unit: UnitId) {
        let now = &mut self.change(unit).now;
        (now.run, now.straight) = (0, 0);
    }

    /// A step begins: a phase's marks are cleared.
    pub(crate) fn begin(&mut self, step: Step) {
        self.step = step;
        self.moving = None;
        match step {
            Step::MoveA | Step::MoveB => {
                let side = self.phasing();
                for n in 0..self.units.len() {
                    // A unit in contact does not move: what it did in the phase before it was struck still counts (BB-COM-27). Those
                    // who are locked since an earlier turn are named by an event of their own.
                    if self.fixed.facts[n].side == side && !self.in_contact(UnitId(n as u16)) {
                        self.units[n].advanced = false;
                    }
                }
            }
            Step::Combat => {
                for unit in &mut self.units {
                    unit.now.hits = 0;
                }
                self.volleys.clear();
            }
            Step::LoserTests => self.favours.clear(),
            Step::ChargeTests => {
                self.shots.clear();
                self.batters.clear();
                self.favours.clear();
            }
            _ => {}
        }
    }

    /// A unit begins to move: it becomes the mover, and its track begins.
    pub(crate) fn start_move(&mut self, unit: UnitId) {
        self.moving = Some(unit);
        self.change(unit).now.joint = false;
        if !self.unit(unit).now.moved {
            let pose = self.unit(unit).pose;
            self.tracks.push((unit, pose));
            self.change(unit).now.moved = true;
            self.change(unit).spotted = false;
        }
    }

    /// How a unit stood when it set out is kept: where it was then says whose flank it may claim (BB-COM-30).
    pub(crate) fn note_set_out(&mut self, unit: UnitId) {
        let Unit { formation, stands, inside, .. } = *self.unit(unit);
        let out = SetOut { formation, stands, inside };
        self.change(unit).now.set_out.get_or_insert(out);
    }

    pub(crate) fn moved(&mut self, unit: UnitId, to: Pose, cost: Length, how: How, advanced: bool) {
        self.start_move(unit);
        let by = self.unit(unit).pose.at.distance(to.at).to_um();
        let state = self.change(unit);
        // A change begun is lost when the unit moves in between.
        (state.pose, state.reforming) = (to, false);
        let now = &mut state.now;
        now.run = now.run.saturating_add(cost.to_um());
        if matches!(how, How::Advance | How::Charge) {
            now.straight += by;
            state.advanced |= advanced;
        } else {
            (now.straight, now.turned, now.way) = (0, true, None);
            now.manoeuvred |= how != How::Wheel;
        }
        self.tracks.push((unit, to));
    }

    /// The marks of the turn are cleared (BB-SEQ-08).
    pub(crate) fn end_turn(&mut self, turn: u32, off_the_wall: &[UnitId]) {
        for unit in off_the_wall {
            self.change(*unit).climbs = false;
        }
        for unit in &mut self.units {
            // A change begun and not gone on with in the next turn is lost.
            unit.reforming &= unit.now.changed;
            unit.now = ThisTurn { was_shaken: unit.shaken, was_disordered: unit.disordered, ..ThisTurn::default() };
        }
        for contact in &mut self.contacts {
            (contact.fresh, contact.pursuit) = (false, false);
        }
        // A chain of pursuits is unbroken only while it goes on (BB-OPT-44).
        for n in 0..self.units.len() {
            if !self.chases.iter().any(|chase| chase.pursuer.index() == n) {
                self.units[n].chases = 0;
            }
        }
        self.parted.clear();
        self.volleys.clear();
        for general in &mut self.generals {
            (general.rode, general.points) = (false, 0);
        }
        self.tracks.clear();
        self.turn = turn;
        self.step = Step::Initiative;
    }

    /// Whether a battery is on its limbers.
    pub(crate) fn limbered(&self, unit: UnitId) -> bool {
        matches!(self.facts(unit).kind, Kind::Guns { .. }) && self.unit(unit).limbered
    }
}
