//! Option 7.2: the room that units need to manoeuvre in.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Corner, Length, Placed, Pose, Quad, overlapping};
use smallvec::SmallVec;

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::phases::charges::evade::halfway;
use crate::phases::movement::WHOLE;
use crate::troops::{Arm, Formation};

impl Battle {
    /// Guns and skirmishers neither need elbow room nor take it (BB-OPT-24).
    fn wants_room(&self, unit: UnitId) -> bool {
        decides!(BB_OPT_24);
        self.arm(unit) != Arm::Guns && !self.skirmishing(unit) && self.unit(unit).inside.is_none()
    }

    /// The ground that must be clear: before and behind a line, beside a column or square (BB-OPT-21, BB-OPT-22).
    fn elbow_zones(&self, unit: UnitId) -> SmallVec<[Quad; 2]> {
        decides!(BB_OPT_21, BB_OPT_22);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let placed = self.placed(unit);
        let room = self.numbers().elbow.within.0.f();
        let (ahead, footprint) = (placed.forward(), state.footprint(facts, self.numbers()));
        let (half, depth) = (footprint.frontage().f() / 2.0, footprint.depth().f());
        let line = match facts.kind {
            Kind::Foot { .. } => matches!(state.formation, Formation::Line | Formation::Extended | Formation::Bent),
            _ => state.deep(facts) <= 2,
        };
        let front = placed.pose().at.v();
        if line {
            let rear = front - ahead * depth;
            return SmallVec::from_iter([
                Quad::new(front, ahead, half, half, room, 0.0),
                Quad::new(rear, ahead, half, half, 0.0, room),
            ]);
        }
        SmallVec::from_iter([
            Quad::new(placed.corner(Corner::FrontLeft), ahead, room, 0.0, 0.0, depth),
            Quad::new(placed.corner(Corner::FrontRight), ahead, 0.0, room, 0.0, depth),
        ])
    }

    /// Whether a unit has the room to change formation, facing or frontage.
    pub(crate) fn has_elbow_room(&self, unit: UnitId) -> bool {
        decides!(BB_OPT_02);
        if !self.fixed.options.elbow_room || !self.wants_room(unit) {
            return true;
        }
        let zones = self.elbow_zones(unit);
        let crowds = |other: UnitId| zones.iter().any(|zone| overlapping(zone, &self.placed(other)));
        !self.all().any(|other| other != unit && self.wants_room(other) && crowds(other))
    }

    /// The share of a move that is lost by waiting for friends to clear the room (BB-OPT-25): what the last of them had
    /// spent when it was clear.
    pub(crate) fn waited(&self, unit: UnitId) -> u32 {
        decides!(BB_OPT_25);
        if !self.fixed.options.elbow_room || !self.wants_room(unit) || self.unit(unit).now.moved {
            return 0;
        }
        let zones = self.elbow_zones(unit);
        let lost = self.friends(unit).filter(|friend| self.wants_room(*friend) && self.unit(*friend).now.moved).map(
            |friend| {
                let footprint = self.unit(friend).footprint(self.facts(friend), self.numbers());
                let way = self.along_track(friend);
                let crowds = |pose: Pose| {
                    let placed = Placed::new(&footprint, pose);
                    zones.iter().any(|zone| overlapping(zone, &placed))
                };
                let in_the_way = |n: &usize| crowds(way[*n]);
                if way.is_empty() || !in_the_way(&0) {
                    return 0;
                }
                let clear = (0..way.len()).rev().take_while(|n| !in_the_way(n)).last().unwrap_or(way.len() - 1);
                let along =
                    |to: usize| way[..=to].windows(2).map(|pair| pair[0].at.distance(pair[1].at)).sum::<Length>();
                let whole = along(way.len() - 1).f().max(1.0);
                // It was clear somewhere between two places that were looked at.
                let (mut shut, mut free) = (way[clear.saturating_sub(1)], way[clear]);
                while !crowds(free) && shut.at.distance(free.at) > Length::um(20) {
                    let between = halfway(shut, free);
                    *(if crowds(between) { &mut shut } else { &mut free }) = between;
                }
                let gone = along(clear) - free.at.distance(way[clear].at);
                (f64::from(self.spent(friend).min(WHOLE)) * gone.f() / whole) as u32
            },
        );
        lost.max().unwrap_or(0)
    }
}
