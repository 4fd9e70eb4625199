//! Morale: the facts of tests read off the table, failed tests and rout moves.

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
use crate::situations::{DangerToGeneral, Morale, RoutRoll};
use crate::state::NEAR;
use crate::terrain::Kinds;
use crate::troops::{Arm, Cover, Formation};

impl Battle {
    /// The facts of a unit's test at this moment.
    pub(crate) fn nerve(&self, unit: UnitId, lost_combat: bool) -> Morale {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let (start, left) = self.strength_of(unit);
        let mut morale = Morale::of(self.arm(unit), self.grade_of(unit), start);
        morale.losses = start - left.min(start);
        morale.hits = state.now.hits;
        morale.shaken = self.any_of(unit, |state| state.shaken);
        morale.steady = self.steady(unit);
        morale.steady_square = self.in_square(unit) && morale.steady;
        morale.lost_combat = lost_combat;
        morale.general = self.charisma(unit);
        morale.out_of_command = !self.in_command(unit);
        morale.nation = facts.nation;
        // A bent line is a line.
        let formation = match state.formation_now(facts, self.numbers()) {
            Formation::Bent => Formation::Line,
            other => other,
        };
        morale.formation = (self.arm(unit) == Arm::Foot).then_some(formation);
        morale.full_speed = self.full_speed(unit);
        morale.charged = state.now.charged;
        if !self.fixed.terrain.is_empty() {
            let places: Vec<Vec2> = self.posts(unit).iter().map(|post| post.at).collect();
            let here = self.centre(unit);
            // A wall protects from the side that the trouble comes from.
            let from = self.cause_of(unit).map_or(here, |cause| self.centre(cause));
            morale.hard_cover = self.cover_from_fire(&places, from, here) == Cover::Hard;
        }
        for contact in self.contacts.iter().filter(|contact| contact.fresh) {
            if contact.charger == unit && !lost_combat {
                morale.charging = true;
                let steady = self.arm(contact.target) == Arm::Foot && self.steady(contact.target);
                let square = contact.as_square || self.in_square(contact.target);
                morale.onto_steady_square |= steady && square;
                morale.onto_steady_foot |= steady && !square && !contact.flank;
                morale.onto_hard_cover |= contact.cover == Cover::Hard;
            }
            let home = contact.target == unit && !self.broken(contact.charger);
            if home {
                morale.flanked |= contact.flank;
            }
            if home && !lost_combat && self.step != crate::battle::Step::ChargeTests {
                morale.charge_home = true;
                let horse = self.arm(contact.charger) == Arm::Horse;
                morale.met_steady_horse |= contact.steady && horse;
                morale.met_steady_foot |= contact.steady && !horse;
            }
        }
        morale.flanked |= lost_combat && state.now.flanked;
        morale
    }

    /// The enemy that a failed test is put down to: whoever was met, else whoever's fire hit hardest, else the nearest (BB-MOR-37).
    pub(crate) fn cause_of(&self, unit: UnitId) -> Option<UnitId> {
        self.opponents(unit).next().or_else(|| {
            let here = self.placed(unit);
            let mut enemies: Vec<(u16, f64, UnitId)> = self
                .enemies(unit)
                .map(|enemy| (self.hits_by_fire(enemy, unit), exact_distance(&here, &self.placed(enemy)), enemy))
                .collect();
            enemies.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
            enemies.first().map(|(.., enemy)| *enemy)
        })
    }

    /// Hits that the fire of one unit has scored on another in this phase; a garrison is hit as one.
    fn hits_by_fire(&self, by: UnitId, on: UnitId) -> u16 {
        let at_them = |at: UnitId| at == on || self.company(on).contains(&at);
        self.volleys
            .iter()
            .filter(|(unit, at, _)| *unit == by && at_them(*at))
            .fold(0, |sum: u16, (.., hits)| sum.saturating_add(*hits))
    }

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
            let heading = self.facing_after(unit, centre, back, toward_cause, cause);
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
    fn facing_after(&self, _unit: UnitId, centre: Vec2, back: Heading, toward: bool, cause: Option<UnitId>) -> Heading {
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

/// Rolls for generals with a unit that has been hit hard (BB-OPT-49).
pub(crate) fn danger_to_generals(play: &mut Resolution<'_, Batteries>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    if !battle.fixed.options.danger_to_generals || battle.unit(unit).now.hits < u16::from(battle.numbers().fall.hits) {
        return Ok(());
    }
    let numbers = battle.numbers().clone();
    let side = battle.side(unit);
    let with: Vec<_> = battle.generals_of(side).filter(|general| battle.general(*general).with == Some(unit)).collect();
    for general in with {
        let danger = DangerToGeneral {};
        let test = danger.test(&numbers);
        let purpose = Purpose { what: "danger to general", of: Some(general.into()), side };
        let roll = play.roll(purpose, &test, &danger.throw(&numbers), Wanted::AtLeast(test.target()))?;
        if danger.read(roll.total(), &numbers).falls {
            play.happen(Event::GeneralLost { general });
        }
    }
    Ok(())
}

/// A unit takes its test; if it fails, it rolls on the rout table.
pub(crate) fn test(play: &mut Resolution<'_, Batteries>, unit: UnitId, lost_combat: bool) -> Result<(), Halt> {
    let battle = play.battle();
    let (morale, numbers) = (battle.nerve(unit, lost_combat), battle.numbers().clone());
    let Some(why) = morale.reason() else { return Ok(()) };
    if lost_combat && battle.contacts.iter().any(|contact| contact.target == unit && contact.pursuit) {
        let cause = battle.cause_of(unit);
        play.happen(Event::RoutsAgain { unit });
        return rout(play, unit, cause);
    }
    let test = morale.test(&numbers);
    let purpose = Purpose { what: "morale", of: Some(unit.into()), side: battle.side(unit) };
    let roll = play.roll(purpose, &test, &Morale::throw(), Wanted::AtLeast(test.target()))?;
    let passed = morale.read(roll.total(), &numbers).passes;
    play.happen(Event::Tested { unit, passed, why });
    if passed {
        return Ok(());
    }
    let cause = play.battle().cause_of(unit);
    // The rest of its garrison breaks with it, each unit on its own (BB-TWN-15).
    let mates: Vec<UnitId> = play.battle().company(unit).into_iter().filter(|mate| *mate != unit).collect();
    for unit in mates {
        play.happen(Event::Breaks { unit });
    }
    rout(play, unit, cause)
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
    let roll = play.roll(purpose, &facts_of.test(&numbers), &RoutRoll::throw(), Wanted::High)?;
    let Some((least, hits)) = facts_of.row(roll.total(), &numbers) else {
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
