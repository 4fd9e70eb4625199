//! Room to stand in.

use sabretache_engine::ids::UnitId;
use sabretache_table::{OnTable, Outline, Placed, Point, Pose, Vec2, exact_distance, overlapping};

use crate::battle::{Battle, Unit};

impl Battle {
    /// A unit that slides along another may be laid upon it by the rounding of its place: it is laid a hair off,
    /// and not over the edge of the table.
    pub(crate) fn off_by_a_hair(&self, unit: UnitId, to: Pose) -> Pose {
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let clear = |pose: &Pose| {
            let there = Placed::new(&footprint, *pose);
            self.fixed.table.on_table(&there) == OnTable::Wholly
                && self.others(unit).all(|other| !overlapping(&there, self.outline(other)))
        };
        let ways = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
            .map(|(x, y)| (f64::from(x), f64::from(y)));
        let hairs = [4.0, 12.0, 24.0].into_iter().flat_map(|hair| ways.map(|(x, y)| Vec2::new(x * hair, y * hair)));
        let nudged = hairs.map(|by| Pose::new(Point::rounded(to.at.v() + by), to.heading));
        std::iter::once(to).chain(nudged).find(clear).unwrap_or(to)
    }

    /// Whether a unit, or a part of it, may stand somewhere: on the table, on ground that takes it, on top of nobody, and so far
    /// from every enemy. Those who are its own flesh and blood are not in its way.
    pub(crate) fn room_for(
        &self,
        unit: UnitId,
        state: &Unit,
        there: &Placed,
        apart: f64,
        own: impl Fn(UnitId) -> bool,
    ) -> bool {
        let around = there.bounds().grown(apart);
        let in_the_way = |other: UnitId| {
            let placed = self.outline(other);
            around.meets(&placed.bounds())
                && (overlapping(there, placed)
                    || (self.side(other) != self.side(unit) && exact_distance(there, placed) < apart))
        };
        self.fixed.table.on_table(there) == OnTable::Wholly
            && !self.all().any(|other| !own(other) && in_the_way(other))
            && self.barred(state, self.facts(unit), there).is_none()
    }
}
