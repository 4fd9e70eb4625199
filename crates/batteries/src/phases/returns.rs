//! Units that left the table and come back (BB-OPT-47, BB-OPT-92), and where there is room at its edge.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{
    Edge, Length, OnTable, Outline, Placed, Point, Pose, Vec2, exact_distance, meetings, overlapping,
};
use smallvec::SmallVec;

use crate::Batteries;
use crate::battle::{Battle, Place};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::arrivals::edge_near;
use crate::situations::Returning;
use crate::table::NEAR;
use crate::table::nearing::too_near;

/// What is kept from the border of a stretch that is taken, so that rounding lays nobody upon it.
const HAIR: f64 = 3.0;

/// As its movement begins a side rolls for each of its units off the table; the first roll comes in the turn after it left.
pub(crate) fn come_back(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let (side, numbers) = (play.battle().phasing(), play.battle().numbers().clone());
    for n in 0..play.battle().units.len() {
        let unit = UnitId(n as u16);
        let state = play.battle().unit(unit);
        let away = matches!(state.place, Place::Away | Place::Pursuing);
        if !away || play.battle().side(unit) != side {
            continue;
        }
        decides!(BB_OPT_47, BB_OPT_92);
        if state.now.pursued {
            continue;
        }
        let test = Returning {}.test(&numbers);
        let purpose = Purpose { what: "returning", of: Some(unit.into()), side };
        let wanted = Wanted::AtLeast(test.target());
        let read = |_: &Battle, total| Returning {}.read(total, &numbers).returns;
        let returns = play.roll_for(purpose, &test, &Returning {}.throw(&numbers), wanted, read)?;
        if let Some(to) = play.battle().way_back(unit).filter(|_| returns) {
            play.happen(Event::Returned { unit, to });
        }
    }
    Ok(())
}

impl Battle {
    /// The clear place at the edge of the table that is nearest to where the middle of a unit went over it.
    fn way_back(&self, unit: UnitId) -> Option<Pose> {
        decides!(BB_OPT_47);
        let state = self.unit(unit);
        let out = match state.place {
            // Where it went out after its quarry.
            Place::Pursuing => state.pose.at.v(),
            // It is where it was when it began to run.
            _ => self.way_out(unit, state.placed(self.facts(unit), self.numbers()).centre()),
        };
        self.room_on(unit, edge_near(&self.fixed.table, Point::rounded(out)), out)
    }

    /// The clear place on an edge nearest to somewhere, with the rear on the edge: the stretches of the edge that others, the nearness of
    /// enemies and the ground take up are left out, and of the rest the nearest place is taken.
    pub(crate) fn room_on(&self, unit: UnitId, edge: Edge, at: Vec2) -> Option<Pose> {
        decides!(BB_OPT_47, BB_GEN_13, BB_MOV_20);
        let (state, facts, table) = (self.unit(unit), self.facts(unit), &self.fixed.table);
        let footprint = state.footprint(facts, self.numbers());
        let inward = edge.heading().reversed();
        let line = table.edge(edge);
        let along = inward.unit().right();
        let apart = self.numbers().approach.stand_off.0.f();
        let reach = line.length() + footprint.frontage().f() + 2.0 * apart;
        // All is measured from a place that lies clear of everything beyond one end of the edge.
        let begin = at.nearest_on(line.a, line.b) + inward.unit() * (footprint.depth().f() + HAIR) - along * reach;
        let pose = |shift: f64| Pose::new(Point::rounded(begin + along * shift), inward);
        let (start, whole) = (Placed::new(&footprint, pose(0.0)), 2.0 * reach);
        let (low, high) = self.on_table_along(&start, along, Length::ZERO, Length::floored(whole))?;
        let mut taken: SmallVec<[(f64, f64); 16]> = SmallVec::new();
        let mut met = SmallVec::new();
        for other in self.all() {
            let outline = self.outline(other);
            meetings(&start, along, whole, outline, &mut met);
            taken.extend(met.iter().map(|one| (one.from, one.to)));
            if self.side(other) != self.side(unit) {
                let beyond = start.whole().moved(along * whole);
                let first = too_near(start.whole(), along, whole, outline, apart);
                taken.extend(first.zip(too_near(&beyond, -along, whole, outline, apart)).map(|(a, b)| (a, whole - b)));
            }
        }
        for lie in self.fixed.ground.near(&start.bounds().swept(along * whole)) {
            if self.terrain(&lie).factor(state, facts, inward) == 0 {
                meetings(&start, along, whole, &lie, &mut met);
                taken.extend(met.iter().map(|one| (one.from, one.to)));
            }
        }
        for bar in self.lines_that_bar(state, facts) {
            meetings(&start, along, whole, &bar, &mut met);
            taken.extend(met.iter().map(|one| (one.from, one.to)));
        }
        let open =
            |at: &f64| (low.f()..=high.f()).contains(at) && taken.iter().all(|(from, to)| *at <= *from || *at >= *to);
        let borders = taken.iter().flat_map(|(from, to)| [from - HAIR, to + HAIR]);
        let mut places: Vec<f64> = [reach, low.f(), high.f()].into_iter().chain(borders).filter(open).collect();
        places.sort_by(|a, b| (a - reach).abs().total_cmp(&(b - reach).abs()).then(a.total_cmp(b)));
        places.into_iter().map(pose).find(|pose| {
            let there = Placed::new(&footprint, *pose);
            let clear = self.all().all(|other| {
                let outline = self.outline(other);
                !overlapping(&there, outline)
                    && (self.side(other) == self.side(unit) || exact_distance(&there, outline) >= apart - NEAR)
            });
            clear && table.on_table(&there) == OnTable::Wholly && self.barred(state, facts, &there).is_none()
        })
    }
}
