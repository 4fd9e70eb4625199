//! Where a rout may end, and whether the centre of a router finds a way there.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Angle, Bounds, Convex, Heading, Kept, Length, OnTable, Outline, Placed, Point, Pose, Vec2, all_barred,
    exact_distance, overlapping,
};
use smallvec::SmallVec;

use crate::battle::{Battle, Unit};
use crate::clauses::*;
use crate::table::NEAR;
use crate::table::shape::about_centre;
use crate::terrain::Kinds;
use crate::troops::{Arm, Formation};

/// How a unit faces at the end of its rout (BB-MOR-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Toward what made it rout.
    AtCause,
    /// The other way.
    Away,
}

impl Look {
    const BOTH: [Self; 2] = [Self::AtCause, Self::Away];
}

impl Battle {
    /// A unit as it stands after a rout: squares and garrisons in column, gunners without their guns (BB-MOR-36, BB-MOR-45).
    pub(crate) fn routing(&self, unit: UnitId) -> Unit {
        decides!(BB_MOR_36, BB_MOR_45);
        let mut state = *self.unit(unit);
        // Guns have no column to fall back into.
        let garrison = state.inside.take().is_some() && self.arm(unit) == Arm::Foot;
        let column = (self.numbers().widths.column / u16::from(self.facts(unit).per_stand)).max(1) as u8;
        match state.formation {
            _ if garrison => (state.formation, state.stands) = (Formation::Column, column),
            Formation::Square => (state.formation, state.stands) = (Formation::Column, column),
            // A line of more than 24 figures is an extended one, straight or bent (BB-UNI-12).
            Formation::Bent => {
                let front = state.figures.min(u16::from(state.stands) * u16::from(self.facts(unit).per_stand));
                let wide = front > self.numbers().widths.line;
                state.formation = if wide { Formation::Extended } else { Formation::Line };
            }
            _ => {}
        }
        state.away |= self.battery(unit) && !state.limbered;
        state
    }

    /// Where a rout of a depth ends, facing a way: on the straight line back, or shifted by the least that is clear.
    /// `Err` is off the table.
    fn rout_end(&self, unit: UnitId, depth: Length, look: Look, cause: Option<UnitId>) -> Option<Result<Pose, ()>> {
        let from = self.centre(unit);
        let (back, _) = self.homeward(unit, from);
        let middle = from + back.unit() * depth.f();
        let table = &self.fixed.table;
        if !table.holds(Point::rounded(middle)) {
            return Some(Err(()));
        }
        let state = self.routing(unit);
        let footprint = state.footprint(self.facts(unit), self.numbers());
        let half = self.numbers().corridor.half.0.f();
        let clear_at = |shift: f64| {
            let centre = middle + back.unit().right() * shift;
            let heading = self.facing_after(centre, back, look, cause);
            let mut pose = about_centre(centre, heading, &footprint);
            let mut there = Placed::new(&footprint, pose);
            if table.on_table(&there) != OnTable::Wholly {
                pose = self.pushed_inside(&there, pose);
                there = Placed::new(&footprint, pose);
            }
            self.may_end_rout(unit, &state, &there).then_some(pose)
        };
        if let Some(pose) = clear_at(0.0) {
            return Some(Ok(pose));
        }
        // The least shift that is clear lies between the last that is not and the first that is.
        let step = Length::inch_fraction(1, 8).f();
        let mut short = 0.0;
        while short < half {
            let long = (short + step).min(half);
            let least = |side: f64| {
                let mut found = (long, clear_at(long * side)?);
                let mut shut = short;
                while found.0 - shut > 1.0 {
                    let between = f64::midpoint(shut, found.0);
                    match clear_at(between * side) {
                        Some(pose) => found = (between, pose),
                        None => shut = between,
                    }
                }
                Some(found)
            };
            let found = [1.0, -1.0].into_iter().filter_map(least).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, pose)) = found {
                return Some(Ok(pose));
            }
            short = long;
        }
        None
    }

    /// The heading after a rout: toward what caused it, or away (BB-MOR-37).
    fn facing_after(&self, centre: Vec2, back: Heading, look: Look, cause: Option<UnitId>) -> Heading {
        decides!(BB_MOR_37);
        let facing = cause.map_or(back.reversed(), |cause| Heading::toward(centre, self.centre(cause)));
        match look {
            Look::AtCause => facing,
            Look::Away => facing + Angle::HALF,
        }
    }

    /// A footprint that hangs over the edge is placed just inside (BB-MOR-39).
    fn pushed_inside(&self, there: &Placed, pose: Pose) -> Pose {
        decides!(BB_MOR_39);
        let (bounds, table) = (there.bounds(), &self.fixed.table);
        let push = |low: f64, high: f64, size: f64| {
            if low < 0.0 {
                2.0 - low
            } else if high > size {
                size - high - 2.0
            } else {
                0.0
            }
        };
        let by = Vec2::new(
            push(bounds.min.x, bounds.max.x, table.width.f()),
            push(bounds.min.y, bounds.max.y, table.depth.f()),
        );
        Pose::new(Point::rounded(pose.at.v() + by), pose.heading)
    }

    fn may_end_rout(&self, unit: UnitId, state: &Unit, there: &Placed) -> bool {
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let around = there.bounds().grown(apart);
        let clear = self.others(unit).all(|other| {
            let placed = self.outline(other);
            !around.meets(&placed.bounds())
                || (!overlapping(there, placed)
                    && (self.side(other) == self.side(unit) || exact_distance(there, placed) >= apart))
        });
        clear
            && self.fixed.table.on_table(there) == OnTable::Wholly
            && self.barred(state, self.facts(unit), there).is_none()
    }

    /// Whether the centre of a router finds a way to a place within its corridor, and no deeper than that place (BB-MOR-33, BB-MOR-35).
    pub(crate) fn rout_way(&self, unit: UnitId, to: Vec2) -> bool {
        decides!(BB_MOR_33, BB_MOR_35);
        let from = self.centre(unit);
        let (back, _) = self.homeward(unit, from);
        let (ahead, right) = (back.unit(), back.unit().right());
        let (half, room) = (self.numbers().corridor.half.0.f(), self.room_of_router());
        let deep = (to - from).dot(ahead).max(0.0);
        let reach = half + 2.0 * room;
        let strip = [from - right * reach, from + right * reach];
        let strip = Bounds::of(&strip).join(Bounds::of(&strip.map(|place| place + ahead * deep))).grown(room);
        let mut kept: Vec<Kept> = self.bars_routers(unit, back, &strip);
        if kept.is_empty() {
            return true;
        }
        // Nobody routs forward, or beyond his corridor on either side, or deeper than he ends.
        let (far, hair) = (deep + 8.0 * half, NEAR / 2.0);
        let wall = |at: Vec2, out: Vec2| {
            let along = out.right() * far;
            let places = [at - along, at + along, at + along + out * far, at - along + out * far];
            Kept::new(Convex::hull(&places), 0.0)
        };
        kept.push(wall(from + right * (half + hair), right));
        kept.push(wall(from - right * (half + hair), -right));
        kept.push(wall(from - ahead * hair, -ahead));
        kept.push(wall(from + ahead * (deep + hair), ahead));
        // Nor does he leave the table on the way to a place on it, or by another edge than the one he runs off.
        let table = Vec2::new(self.fixed.table.width.f(), self.fixed.table.depth.f());
        let edges = [
            (Vec2::new(-hair, from.y), Vec2::new(-1.0, 0.0)),
            (Vec2::new(table.x + hair, from.y), Vec2::new(1.0, 0.0)),
            (Vec2::new(from.x, -hair), Vec2::new(0.0, -1.0)),
            (Vec2::new(from.x, table.y + hair), Vec2::new(0.0, 1.0)),
        ];
        let holds = |(at, out): &(Vec2, Vec2)| (to - *at).dot(*out) <= 0.0;
        kept.extend(edges.into_iter().filter(holds).map(|(at, out)| wall(at, out)));
        !all_barred(from, to, &kept)
    }

    /// Half of the gap that a router needs, less what is forgiven (BB-GEN-07).
    fn room_of_router(&self) -> f64 {
        decides!(BB_GEN_07);
        self.numbers().corridor.gap.0.f() / 2.0 - NEAR / 2.0
    }

    /// What bars the way of a router in a box: enemies, of whom those it was in contact with need only not be crossed, and ground and lines that it
    /// cannot pass (BB-MOR-35).
    fn bars_routers(&self, unit: UnitId, back: Heading, within: &Bounds) -> Vec<Kept> {
        decides!(BB_MOR_35);
        let room = self.room_of_router();
        let mut kept = Vec::new();
        for enemy in self.enemies(unit) {
            let placed = self.outline(enemy);
            if placed.bounds().meets(within) {
                let met = self.opponents(self.lead(unit)).any(|other| other == enemy);
                let room = if met { 0.0 } else { room };
                kept.extend(placed.parts().map(|part| Kept::new(Convex::hull(part.corners), room)));
            }
        }
        let state = self.routing(unit);
        for lie in self.fixed.ground.near(within) {
            // Foot runs through houses; those that the enemy holds are in the way as he is.
            let houses = self.terrain(&lie).kind == Kinds::Town && state.on_foot(self.facts(unit));
            if !houses && self.terrain(&lie).factor(&state, self.facts(unit), back) == 0 {
                kept.extend(lie.parts().map(|part| Kept::new(Convex::hull(part.corners), room)));
            }
        }
        let lines = self.lines_that_bar(&state, self.facts(unit)).into_iter();
        kept.extend(lines.filter(|line| line.bounds().meets(within)).map(|line| Kept::new(line, room)));
        kept
    }

    /// Whether a rout may end with its centre at a place: as far from what bars its way as it must keep on it (BB-MOR-35).
    fn clear_of_bars(&self, unit: UnitId, back: Heading, centre: Vec2) -> bool {
        decides!(BB_MOR_35);
        let place = Convex::place(centre);
        let around = place.bounds().grown(self.numbers().corridor.gap.0.f());
        let kept = self.bars_routers(unit, back, &around);
        kept.iter().all(|one| exact_distance(&one.shape, &place) >= one.room)
    }

    /// Where a rout of exactly this depth ends, if it can end there; `Err` is off the table (BB-MOR-32, BB-MOR-35).
    fn rout_at(&self, unit: UnitId, depth: Length, look: Look, cause: Option<UnitId>) -> Option<Result<Pose, ()>> {
        decides!(BB_MOR_32, BB_MOR_35);
        let from = self.centre(unit);
        let back = self.homeward(unit, from).0;
        let end = self.rout_end(unit, depth, look, cause)?;
        let reached = match end {
            Ok(pose) => {
                let state = self.routing(unit);
                Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose).centre()
            }
            Err(()) => from + back.unit() * depth.f(),
        };
        (self.clear_of_bars(unit, back, reached) && self.rout_way(unit, reached)).then_some(end)
    }

    /// The depths at which a rout may end: the stretches from what was rolled to the farthest, nearest first (BB-MOR-32, BB-MOR-34). How a unit lies at the
    /// end of its rout turns with the place where it ends, so the depths are tried one by one and the ends of a stretch narrowed down.
    pub(crate) fn rout_stretches(
        &self,
        unit: UnitId,
        least: Length,
        look: Look,
        cause: Option<UnitId>,
    ) -> SmallVec<[(Length, Length); 2]> {
        decides!(BB_MOR_32, BB_MOR_34);
        let farthest = self.numbers().rout.farthest.0.max(least);
        let open = |depth: Length| self.rout_at(unit, depth, look, cause).is_some();
        // The depth between one that is open and one that is not at which it changes.
        let border = |mut open_at: Length, mut shut_at: Length| {
            while (open_at - shut_at).abs() > Length::um(20) {
                let middle = Length::um(i32::midpoint(open_at.to_um(), shut_at.to_um()));
                *(if open(middle) { &mut open_at } else { &mut shut_at }) = middle;
            }
            open_at
        };
        let step = Length::inch_fraction(1, 4);
        let mut found: SmallVec<[(Length, Length); 2]> = SmallVec::new();
        let (mut depth, mut last): (Length, Option<(Length, bool)>) = (least, None);
        loop {
            let is_open = open(depth);
            match (last, found.last_mut()) {
                (Some((_, true)), Some(stretch)) if is_open => stretch.1 = depth,
                (Some((before, true)), Some(stretch)) => stretch.1 = border(before, depth),
                (Some((before, false)), _) if is_open => found.push((border(depth, before), depth)),
                (None, _) if is_open => found.push((depth, depth)),
                _ => {}
            }
            if depth >= farthest {
                return found;
            }
            last = Some((depth, is_open));
            depth = (depth + step).min(farthest);
        }
    }

    /// Whether a router finds a place outside.
    pub(crate) fn may_rout_outside(&self, unit: UnitId, least: Length, cause: Option<UnitId>) -> bool {
        Look::BOTH.into_iter().any(|look| !self.rout_stretches(unit, least, look, cause).is_empty())
    }

    /// The end of a rout of a depth that its owner wants; where something small stands exactly there, the first clear place beyond it, or before it.
    pub(crate) fn rout_to(
        &self,
        unit: UnitId,
        least: Length,
        wish: Length,
        look: Look,
        cause: Option<UnitId>,
    ) -> Option<(Length, Result<Pose, ()>)> {
        let farthest = self.numbers().rout.farthest.0.max(least);
        let step = Length::inch_fraction(1, 16);
        let deeper = (0..).map(|n| wish + step * n).take_while(|depth| *depth <= farthest);
        let nearer = (1..).map(|n| wish - step * n).take_while(|depth| *depth >= least);
        let mut depths = deeper.chain(nearer);
        depths.find_map(|depth| Some((depth, self.rout_at(unit, depth, look, cause)?)))
    }
}
