//! What lies on the table, and how events change it.

use std::sync::Arc;

use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::scenario::Scenario;
use sabretache_table::{Footprint, Length, OnTable, Placed, Pose, Quad, Tabletop, overlapping};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::body::{Body, UnitEntry};
use crate::clauses::PK_VOL_03;
use crate::numbers::Numbers;

/// All that changes as a game is fought.
#[derive(Debug, PartialEq)]
pub struct Battle {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) pickets: Vec<Picket>,
    pub(crate) turn: u32,
    pub(crate) phasing: Side,
    pub(crate) halted: Option<Halted>,
}

/// What never changes.
#[derive(Debug, PartialEq)]
pub(crate) struct Fixed {
    pub(crate) footprint: Footprint,
    pub(crate) table: Tabletop,
    /// What stands round the table.
    pub(crate) walls: [Quad; 4],
    pub(crate) numbers: Numbers,
    pub(crate) scenario: Scenario<Body>,
}

impl Fixed {
    pub(crate) fn entry(&self, unit: UnitId) -> &UnitEntry {
        &self.scenario.body.units[unit.index()]
    }
}

/// One picket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picket {
    pub(crate) side: Side,
    pub(crate) pose: Pose,
    pub(crate) fired: bool,
    pub(crate) acted: bool,
    pub(crate) gone: bool,
}

/// A move that an enemy may fire at.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Halted {
    pub(crate) mover: UnitId,
    pub(crate) firer: UnitId,
    pub(crate) left: Length,
    pub(crate) asked: SmallVec<[UnitId; 4]>,
}

impl Clone for Halted {
    fn clone(&self) -> Self {
        Self { asked: SmallVec::from_slice(&self.asked), ..*self }
    }
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A picket begins to act.
    Acts {
        /// Who.
        unit: UnitId,
    },
    /// A picket moves or wheels.
    Moved {
        /// Who.
        unit: UnitId,
        /// To where.
        to: Pose,
    },
    /// A move is interrupted so that a picket may fire.
    Halted {
        /// Who moves.
        mover: UnitId,
        /// Who may fire.
        firer: UnitId,
        /// How much of the move is left.
        left: Length,
    },
    /// A picket lets the mover pass.
    HeldFire {
        /// Who.
        unit: UnitId,
    },
    /// A picket fires.
    Fired {
        /// Who.
        unit: UnitId,
        /// At whom.
        at: UnitId,
        /// With how many hits.
        hits: u8,
    },
    /// A picket that was hit stands.
    Stood {
        /// Who.
        unit: UnitId,
    },
    /// A picket falls back for good.
    FellBack {
        /// Who.
        unit: UnitId,
    },
    /// The interrupted move has gone on to its end, or nobody is left to make it.
    MoveOver,
    /// A side's turn ends and the other's begins.
    TurnPassed {
        /// The turn that it is now.
        turn: u32,
        /// Whose.
        to: Side,
    },
}

impl Clone for Battle {
    fn clone(&self) -> Self {
        Self { fixed: Arc::clone(&self.fixed), pickets: self.pickets.clone(), halted: self.halted.clone(), ..*self }
    }

    /// Takes no new memory: whoever weighs a choice sets the same battle back to where it began for each way it can go.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.fixed, &source.fixed) {
            self.fixed = Arc::clone(&source.fixed);
        }
        self.pickets.clone_from(&source.pickets);
        self.halted.clone_from(&source.halted);
        (self.turn, self.phasing) = (source.turn, source.phasing);
    }
}

impl Battle {
    pub(crate) fn picket(&self, unit: UnitId) -> &Picket {
        &self.pickets[unit.index()]
    }

    /// The pickets of a side that are on the table.
    pub(crate) fn of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        let on_table = move |(_, picket): &(usize, &Picket)| picket.side == side && !picket.gone;
        self.pickets.iter().enumerate().filter(on_table).map(|(n, _)| UnitId(n as u16))
    }

    /// Everybody on the table, where they stand.
    pub(crate) fn laid(&self) -> Vec<(UnitId, Placed)> {
        let there = self.pickets.iter().enumerate().filter(|(_, picket)| !picket.gone);
        there.map(|(n, picket)| (UnitId(n as u16), Placed::new(&self.fixed.footprint, picket.pose))).collect()
    }

    pub(crate) fn placed(&self, unit: UnitId) -> Placed {
        Placed::new(&self.fixed.footprint, self.picket(unit).pose)
    }

    /// The winner, once there is one.
    pub(crate) fn beaten(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.of(*side).next().is_none())
    }

    pub(crate) fn out_of_time(&self) -> bool {
        self.turn > self.fixed.scenario.body.turns
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Acts { unit } => self.pickets[unit.index()].acted = true,
            Event::Moved { unit, to } => self.pickets[unit.index()].pose = to,
            Event::Halted { mover, firer, left } => {
                let mut asked = self.halted.take().map(|halted| halted.asked).unwrap_or_default();
                asked.push(firer);
                self.halted = Some(Halted { mover, firer, left, asked });
            }
            Event::HeldFire { .. } | Event::Stood { .. } => {}
            Event::Fired { unit, .. } => self.pickets[unit.index()].fired = true,
            Event::FellBack { unit } => self.pickets[unit.index()].gone = true,
            Event::MoveOver => self.halted = None,
            Event::TurnPassed { turn, to } => {
                self.turn = turn;
                self.phasing = to;
                for picket in self.pickets.iter_mut().filter(|picket| picket.side == to) {
                    decides!(PK_VOL_03);
                    picket.fired = false;
                    picket.acted = false;
                }
            }
        }
    }

    /// What must always hold.
    pub(crate) fn check(&self) -> Result<(), String> {
        let on_table: Vec<UnitId> = Side::BOTH.into_iter().flat_map(|side| self.of(side)).collect();
        for (n, unit) in on_table.iter().enumerate() {
            let placed = self.placed(*unit);
            if self.fixed.table.on_table(&placed) != OnTable::Wholly {
                return Err(format!("{} stands over the edge", self.fixed.entry(*unit).id));
            }
            if let Some(other) = on_table[..n].iter().find(|other| overlapping(&placed, &self.placed(**other))) {
                let (one, other) = (self.fixed.entry(*unit), self.fixed.entry(*other));
                return Err(format!("{} stands on top of {}", one.id, other.id));
            }
        }
        Ok(())
    }
}
