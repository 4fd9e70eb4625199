//! The cavalry bounce: cavalry that does not clearly win falls back.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Direction, Length, OnTable, Placed, Pose, meetings, overlapping};
use smallvec::SmallVec;

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::phases::movement::LEAST;
use crate::table::nearing::too_near;
use crate::terrain::going::pieces;
use crate::troops::Arm;

impl Battle {
    /// Cavalry that fought, inflicted no more than it suffered, has not routed, and still has an enemy before it
    /// (BB-OPT-17).
    fn must_recoil(&self, unit: UnitId) -> bool {
        decides!(BB_OPT_17);
        let now = &self.unit(unit).now;
        self.arm(unit) == Arm::Horse && now.fought && !now.won && !now.routed && self.in_contact(unit)
    }

    /// Where a recoil ends: four inches straight back, or farther where others stand; less where the table, ground that
    /// cannot be passed or an enemy stops it. Nothing where it cannot stir (BB-OPT-18).
    fn recoil_end(&self, unit: UnitId) -> Option<Pose> {
        decides!(BB_OPT_18);
        let placed = self.placed(unit);
        let pose = placed.pose();
        let back = pose.heading.reversed();
        let far = self.fixed.table.width + self.fixed.table.depth;
        let mut most = far;
        if let Some((edge, _)) = self.fixed.table.leaves_after(&placed, Direction::Back, far) {
            most = most.min(edge);
        }
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let barred = pieces(self, state, facts, &placed, back, most).into_iter().find(|piece| piece.barred.is_some());
        if let Some(piece) = barred {
            most = most.min(Length::floored(piece.from));
        }
        let apart = self.numbers().approach.stand_off.0.f();
        for enemy in self.enemies(unit) {
            let near = too_near(placed.whole(), back.unit(), most.f(), &self.placed(enemy), apart);
            most = near.map_or(most, |near| most.min(Length::floored(near)));
        }
        let mut taken: Vec<(f64, f64)> = Vec::new();
        let mut met = SmallVec::new();
        for other in self.others(unit) {
            meetings(&placed, back.unit(), most.f(), &self.placed(other), &mut met);
            taken.extend(met.iter().map(|one| (one.from, one.to)));
        }
        taken.sort_by(|a, b| a.0.total_cmp(&b.0));
        let wanted = self.numbers().recoil.within.0;
        let footprint = state.footprint(facts, self.numbers());
        let clear = |depth: Length| {
            let there = Placed::new(&footprint, pose.moved(back, depth));
            self.fixed.table.on_table(&there) == OnTable::Wholly
                && self.others(unit).all(|other| !overlapping(&there, &self.placed(other)))
        };
        // Where somebody stands, just beyond him; where there is no beyond, just before him.
        let beyond = taken.iter().map(|(_, to)| Length::ceiled(*to + 3.0)).filter(|depth| *depth > wanted);
        let mut depths: Vec<Length> = std::iter::once(wanted).chain(beyond).filter(|depth| *depth <= most).collect();
        depths.sort_unstable();
        let before = taken.iter().map(|(from, _)| Length::floored(*from - 3.0));
        let mut short: Vec<Length> = std::iter::once(most).chain(before).filter(|depth| *depth < wanted).collect();
        short.sort_unstable();
        depths.extend(short.into_iter().rev().filter(|depth| *depth >= LEAST && *depth <= most));
        depths.into_iter().find(|depth| clear(*depth)).map(|depth| pose.moved(back, depth))
    }
}

/// All who must recoil do, judged before the first of them stirs.
pub(crate) fn recoil_all(play: &mut Resolution<'_, Batteries>) {
    let battle = play.battle();
    let bounced: Vec<UnitId> = battle.all().filter(|unit| battle.must_recoil(*unit)).collect();
    for unit in bounced {
        if let Some(to) = play.battle().recoil_end(unit) {
            play.happen(Event::Recoiled { unit, to });
        }
    }
}
