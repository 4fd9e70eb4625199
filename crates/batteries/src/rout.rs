//! Routs: how far, how many fall, and where the unit ends.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{
    Angle, Convex, Heading, Length, OnTable, Outline, Placed, Point, Pose, Vec2, exact_distance, overlapping, way_to,
};

use crate::Batteries;
use crate::battle::{Baseline, Battle, Pending, Unit};
use crate::event::Event;
use crate::screens;
use crate::shape::about_centre;
use crate::situations::RoutRoll;
use crate::state::NEAR;
use crate::terrain::Kinds;
use crate::troops::{Arm, Formation};

impl Battle {
    /// A unit as it stands after a rout: squares and garrisons in column, gunners without their guns (BB-MOR-36, -45).
    fn routing(&self, unit: UnitId) -> Unit {
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
    fn rout_end(
        &self,
        unit: UnitId,
        depth: Length,
        toward_cause: bool,
        cause: Option<UnitId>,
    ) -> Option<Result<Pose, ()>> {
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
            let heading = self.facing_after(centre, back, toward_cause, cause);
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
    fn facing_after(&self, centre: Vec2, back: Heading, toward: bool, cause: Option<UnitId>) -> Heading {
        let facing = cause.map_or(back.reversed(), |cause| Heading::toward(centre, self.centre(cause)));
        if toward { facing } else { facing + Angle::HALF }
    }

    /// A footprint that hangs over the edge is placed just inside (BB-MOR-39).
    fn pushed_inside(&self, there: &Placed, pose: Pose) -> Pose {
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

    /// Whether the centre of a router finds a way to a place within its corridor (BB-MOR-33, -35).
    pub(crate) fn rout_way(&self, unit: UnitId, to: Vec2) -> bool {
        let from = self.centre(unit);
        let (back, _) = self.homeward(unit, from);
        let (ahead, right) = (back.unit(), back.unit().right());
        let room = self.numbers().corridor.gap.0.half();
        let mut walls: Vec<Convex> = Vec::new();
        let far = Length::inches(60).f();
        let outer = self.numbers().corridor.half.0.f() + room.f() + 60.0;
        for side in [-1.0, 1.0] {
            let at = from + right * (outer * side);
            let wide = right * (far * side);
            walls.push(Convex::hull(&[
                at - ahead * far,
                at + ahead * far,
                at + ahead * far + wide,
                at - ahead * far + wide,
            ]));
        }
        // Nobody routs forward: a wall behind the start closes the corridor at that end.
        let (start, wide) = (from - ahead * (room.f() + 60.0), right * (outer + far));
        walls.push(Convex::hull(&[start - wide, start + wide, start + wide - ahead * far, start - wide - ahead * far]));
        for enemy in self.enemies(unit) {
            let placed = self.placed(enemy);
            walls.extend(placed.parts().map(|part| Convex::hull(part.corners)));
        }
        let state = self.routing(unit);
        for lie in self.fixed.ground.all() {
            // Foot runs through houses; those that the enemy holds are in the way as he is.
            let houses = self.terrain(&lie).kind == Kinds::Town && state.on_foot(self.facts(unit));
            if !houses && self.terrain(&lie).factor(&state, self.facts(unit), back) == 0 {
                walls.extend(lie.parts().map(|part| Convex::hull(part.corners)));
            }
        }
        walls.extend(self.lines_that_bar(&state, self.facts(unit)));
        way_to(Point::rounded(from), Point::rounded(to), room, walls.iter()).is_some()
    }

    /// Whether a router finds a place outside.
    pub(crate) fn may_rout_outside(&self, unit: UnitId, least: Length) -> bool {
        // Only a garrison may have nothing but other houses to go to; for all others that was found out before.
        self.unit(unit).inside.is_none()
            || [true, false].iter().any(|toward| self.rout_to(unit, least, least, *toward, None).is_some())
    }

    /// The end of a rout of at least this depth: the first deeper place that is clear, else the last one short of it that
    /// is still deep enough. Nothing when there is none at all (BB-MOR-32, -34, -35).
    pub(crate) fn rout_to(
        &self,
        unit: UnitId,
        least: Length,
        wish: Length,
        toward: bool,
        cause: Option<UnitId>,
    ) -> Option<Result<Pose, ()>> {
        let farthest = self.numbers().rout.farthest.0.max(least);
        let step = Length::inch_fraction(1, 2);
        let mut depths: Vec<Length> = Vec::new();
        let mut at = wish;
        while at <= farthest {
            depths.push(at);
            at += step;
        }
        depths.push(farthest);
        let mut at = wish - step;
        while at >= least {
            depths.push(at);
            at -= step;
        }
        depths.push(least);
        depths.into_iter().find_map(|depth| {
            let end = self.rout_end(unit, depth, toward, cause)?;
            let reached = match end {
                Ok(pose) => {
                    let state = self.routing(unit);
                    Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose).centre()
                }
                Err(()) => {
                    let from = self.centre(unit);
                    from + self.homeward(unit, from).0.unit() * depth.f()
                }
            };
            self.rout_way(unit, reached).then_some(end)
        })
    }
}

/// The rout table, its hits, and whether there is anywhere to go (BB-MOR-25, -26, -42 to -44).
pub(crate) fn rout(play: &mut Resolution<'_, Batteries>, unit: UnitId, cause: Option<UnitId>) -> Result<(), Halt> {
    screens::call_in(play, unit);
    let battle = play.battle();
    let (state, facts, numbers) = (*battle.unit(unit), *battle.facts(unit), battle.numbers().clone());
    let (_, to_centre) = battle.homeward(unit, battle.centre(unit));
    let facts_of = RoutRoll {
        grade: facts.grade,
        start: state.start,
        figures: state.figures,
        general: battle.charisma(unit),
        out_of_command: !battle.in_command(unit),
        to_centre: to_centre.map(|um| um / Length::inches(1).f()),
    };
    let purpose = Purpose { what: "rout", of: Some(unit.into()), side: facts.side };
    let (test, read) = (facts_of.test(&numbers), |_: &Battle, total| facts_of.row(total, &numbers));
    let Some((least, hits)) = play.roll_for(purpose, &test, &RoutRoll::throw(), Wanted::High, read)? else {
        play.happen(Event::Shattered { unit });
        return Ok(());
    };
    let past = to_centre.is_some_and(|to_centre| least.f() > to_centre + NEAR);
    let hits = hits + if past { 2 } else { 0 };
    if hits > 0 {
        play.happen(Event::RoutHits { unit, hits: hits.min(state.figures) });
    }
    if play.battle().broken(unit) {
        play.happen(Event::Shattered { unit });
        return Ok(());
    }
    let battle = play.battle();
    let anywhere = [true, false].iter().any(|toward| battle.rout_to(unit, least, least, *toward, cause).is_some())
        || !battle.rout_blocks(unit, least).is_empty();
    if !anywhere {
        let surrounded = matches!(battle.fixed.brigades[facts.brigade.index()].baseline, Baseline::Centre(_));
        play.happen(if surrounded && past { Event::Surrendered { unit } } else { Event::Shattered { unit } });
        return Ok(());
    }
    play.happen(Event::Asked { pending: Pending::Rout { unit, least, cause } });
    Ok(())
}

/// The rout move itself, as far as its owner wants and facing as he likes.
pub(crate) fn run(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    least: Length,
    wish: Length,
    toward: bool,
    cause: Option<UnitId>,
) -> Result<(), Halt> {
    let battle = play.battle();
    let end =
        battle.rout_to(unit, least, wish, toward, cause).or_else(|| battle.rout_to(unit, least, least, !toward, cause));
    let from = battle.unit(unit).pose;
    match end {
        None => play.happen(Event::Shattered { unit }),
        Some(Err(())) => {
            let returns = battle.fixed.options.first_rout_off_table && !battle.unit(unit).fled_once;
            play.happen(Event::LeftTable { unit, returns });
        }
        Some(Ok(to)) => {
            let state = battle.routing(unit);
            play.happen(Event::Routed { unit, to, formation: state.formation, stands: state.stands });
            crate::aftermath::disorder_where_it_ends(play, unit, from);
        }
    }
    Ok(())
}
