//! Option 7.4: pursuers move when the turn opens, before the dice for the initiative.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Convex, Heading, Length, OnTable, Outline, Placed, Point, Pose, Vec2, exact_distance, first_contact, overlapping,
    way_to,
};

use crate::Batteries;
use crate::battle::{Battle, Chase, Contact, Pending, Place};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::charges::contact::touch;
use crate::phases::screens;
use crate::phases::shooting::targets::stretch;
use crate::table::NEAR;
use crate::table::shape::about_centre;
use crate::terrain::going::pieces;

/// How a pursuer comes up with somebody.
enum Way {
    /// Straight on.
    Straight(Heading),
    /// Ground that it cannot pass begins after so much; there may be a way round, along this last leg.
    Barred(Length, Option<Heading>),
}

impl Battle {
    /// Where the quarry of a chase is, or where it left the table.
    fn quarry_at(&self, chase: &Chase) -> Vec2 {
        match self.unit(chase.quarry).place {
            Place::Table => self.centre(chase.quarry),
            _ => self.way_out(chase.quarry, chase.from.v()),
        }
    }

    /// The units beside the first gap of three inches or less that the quarry went through (BB-OPT-40).
    fn gap(&self, chase: &Chase) -> Vec<UnitId> {
        decides!(BB_OPT_40);
        let (from, to) = (chase.from.v(), self.quarry_at(chase));
        let length = (to - from).length();
        if length < 1.0 {
            return Vec::new();
        }
        let narrow = self.numbers().gap.within.0.f() + NEAR;
        let side = |p: Vec2| (to - from).cross(p - from);
        let friends: Vec<UnitId> =
            self.friends(chase.quarry).filter(|friend| self.facts(*friend).screen_of.is_none()).collect();
        let corners = |unit: UnitId| {
            let placed = self.placed(unit);
            placed.parts().flat_map(|part| part.corners.to_vec()).collect::<Vec<Vec2>>()
        };
        let mut found: Vec<(f64, Vec<UnitId>)> = Vec::new();
        for (n, one) in friends.iter().enumerate() {
            let placed = self.placed(*one);
            let through = placed.parts().filter_map(|part| stretch(part.corners, from, to)).map(|s| s.0);
            found.extend(through.reduce(f64::min).map(|enter| (enter, vec![*one])));
            for other in &friends[n + 1..] {
                let (a, b) = (corners(*one), corners(*other));
                let left = |all: &[Vec2]| all.iter().all(|p| side(*p) > 0.0);
                let right = |all: &[Vec2]| all.iter().all(|p| side(*p) < 0.0);
                let astride = (left(&a) && right(&b)) || (left(&b) && right(&a));
                if !astride || exact_distance(&self.placed(*one), &self.placed(*other)) > narrow {
                    continue;
                }
                let between = Convex::hull(&[a, b].concat());
                found.extend(stretch(between.corners(), from, to).map(|s| (s.0, vec![*one, *other])));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().next().map(|(_, units)| units).unwrap_or_default()
    }

    /// The fresh enemies that a pursuer runs into: the first whom any part of it meets on its way, or those beside a gap that it comes to before
    /// (BB-OPT-38, BB-OPT-40).
    fn runs_into(&self, chase: &Chase) -> Vec<UnitId> {
        decides!(BB_OPT_38, BB_OPT_40);
        let (unit, to) = (chase.pursuer, self.quarry_at(chase));
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let (from, ahead) = (self.centre(unit), Heading::toward(self.centre(unit), to));
        let here = Placed::new(&footprint, about_centre(from, ahead, &footprint));
        let whole = (to - from).length();
        let there = self.unit(chase.quarry).place == Place::Table;
        let caught = || first_contact(&here, ahead.unit(), whole, &self.placed(chase.quarry)).unwrap_or(whole);
        let run = if there { caught() } else { whole };
        // Ground that it cannot pass stops it first (BB-OPT-45).
        let ground = pieces(self, self.unit(unit), self.facts(unit), &here, ahead, Length::floored(run));
        let run = ground.iter().find(|piece| piece.barred.is_some()).map_or(run, |piece| piece.from);
        let heeded = |enemy: &UnitId| *enemy != chase.quarry && self.leads(*enemy) && !self.is_screen(*enemy);
        // Those upon whom it stands already, as it turns, are left behind.
        let met = |enemy: UnitId| first_contact(&here, ahead.unit(), run, self.outline(enemy)).filter(|at| *at > NEAR);
        let mut met: Vec<(f64, UnitId)> =
            self.enemies(unit).filter(heeded).filter_map(|enemy| Some((met(enemy)?, enemy))).collect();
        // Between two that stand wide enough apart it goes through (BB-OPT-40).
        let wide = self.numbers().gap.within.0.f() + NEAR;
        let on_left = |unit: UnitId| (to - from).cross(self.centre(unit) - from) > 0.0;
        let all: Vec<UnitId> = met.iter().map(|(_, enemy)| *enemy).collect();
        let gives_way = |one: UnitId| {
            let beside = |other: &UnitId| {
                on_left(one) != on_left(*other) && exact_distance(self.outline(one), self.outline(*other)) > wide
            };
            all.iter().any(beside)
        };
        met.retain(|(_, enemy)| !gives_way(*enemy));
        let first = met.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
        let gap = self.gap(chase);
        let front = here.pose().at.v();
        let off = |unit: &UnitId| {
            let placed = self.placed(*unit);
            let along = |corner: &Vec2| (*corner - front).dot(ahead.unit());
            placed
                .parts()
                .flat_map(|part| part.corners.iter().map(along).collect::<Vec<_>>())
                .fold(f64::INFINITY, f64::min)
        };
        let gap_at = gap.iter().map(off).fold(f64::INFINITY, f64::min);
        if first >= gap_at - NEAR {
            return gap;
        }
        met.into_iter().filter(|(at, _)| *at <= first + NEAR / 2.0).map(|(_, enemy)| enemy).collect()
    }

    /// How a pursuer gets to a place (BB-OPT-38, BB-OPT-45).
    fn way_after(&self, chase: &Chase) -> Way {
        decides!(BB_OPT_38, BB_OPT_45);
        let (unit, to) = (chase.pursuer, self.quarry_at(chase));
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let from = self.centre(unit);
        let heading = Heading::toward(from, to);
        let footprint = state.footprint(facts, self.numbers());
        let placed = Placed::new(&footprint, about_centre(from, heading, &footprint));
        let whole = (to - from).length();
        let there = self.unit(chase.quarry).place == Place::Table;
        let met = || first_contact(&placed, heading.unit(), whole, &self.placed(chase.quarry));
        let run = if there { met().unwrap_or(whole) } else { whole };
        let barred = pieces(self, state, facts, &placed, heading, Length::floored(run))
            .into_iter()
            .find(|piece| piece.barred.is_some());
        let Some(piece) = barred else { return Way::Straight(heading) };
        let mut walls: Vec<Convex> = Vec::new();
        for lie in self.fixed.ground.all() {
            if self.terrain(&lie).factor(state, facts, heading) == 0 {
                walls.extend(lie.parts().map(|part| Convex::hull(part.corners)));
            }
        }
        walls.extend(self.lines_that_bar(state, facts));
        walls.extend(self.beyond_the_table());
        let room = self.numbers().corridor.gap.0.half();
        let round = way_to(Point::rounded(from), Point::rounded(to), room, walls.iter());
        let last = round.and_then(|way| {
            let points = way.points;
            let before = points.len().checked_sub(2).map(|n| points[n].v())?;
            Some(Heading::toward(before, to))
        });
        Way::Barred(Length::floored(piece.from), last)
    }

    /// What lies beyond each edge of the table.
    fn beyond_the_table(&self) -> [Convex; 4] {
        let (w, d) = (self.fixed.table.width.f(), self.fixed.table.depth.f());
        let out = Length::inches(100).f();
        let block = |x: f64, y: f64, right: f64, up: f64| {
            Convex::hull(&[Vec2::new(x, y), Vec2::new(right, y), Vec2::new(right, up), Vec2::new(x, up)])
        };
        [
            block(-out, -out, 0.0, d + out),
            block(w, -out, w + out, d + out),
            block(-out, -out, w + out, 0.0),
            block(-out, d, w + out, d + out),
        ]
    }

    /// Where a unit comes up with another along a heading: front against it, as near the middle as there is room.
    fn come_up(&self, unit: UnitId, with: UnitId, heading: Heading) -> Option<Pose> {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let footprint = state.footprint(facts, self.numbers());
        let them = self.placed(with);
        let far = Length::inches(40).f();
        let step = Length::inch_fraction(1, 4).f();
        let size = them.bounds();
        let widest = (footprint.frontage().f() + (size.max - size.min).length()) / 2.0;
        let shifts = (0..).map(|n: i32| f64::from((n + 1) / 2) * step * if n % 2 == 0 { 1.0 } else { -1.0 });
        for shift in shifts.take_while(|shift| shift.abs() < widest) {
            let start = them.centre() - heading.unit() * far + heading.unit().right() * shift;
            let behind = Placed::new(&footprint, Pose::new(Point::rounded(start), heading));
            let Some(run) = first_contact(&behind, heading.unit(), 2.0 * far, &them) else { continue };
            let pose = behind.pose().ahead(Length::floored(run));
            let there = Placed::new(&footprint, pose);
            let clear = self.others(unit).all(|other| !overlapping(&there, &self.placed(other)));
            let fits = clear && self.fixed.table.on_table(&there) == OnTable::Wholly;
            if fits && exact_distance(&there, &them) <= NEAR / 2.0 && self.barred(state, facts, &there).is_none() {
                return Some(pose);
            }
        }
        None
    }

    /// Where a pursuer halts before ground it cannot pass: the last clear place on its way (BB-OPT-45).
    fn halt_before(&self, unit: UnitId, heading: Heading, length: Length) -> Option<Pose> {
        decides!(BB_OPT_45);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let footprint = state.footprint(facts, self.numbers());
        let start = about_centre(self.centre(unit), heading, &footprint);
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let step = Length::inch_fraction(1, 4);
        let mut at = length;
        while at > Length::ZERO {
            let there = Placed::new(&footprint, start.ahead(at));
            let clear = self.others(unit).all(|other| {
                let placed = self.placed(other);
                let near = self.side(other) != self.side(unit) && exact_distance(&there, &placed) < apart;
                !near && !overlapping(&there, &placed)
            });
            if clear
                && self.fixed.table.on_table(&there) == OnTable::Wholly
                && self.barred(state, facts, &there).is_none()
            {
                return Some(start.ahead(at));
            }
            at -= step;
        }
        None
    }

    /// A routed unit turned to face the unit that comes up with it, where there is room (BB-OPT-39).
    fn turned_to(&self, unit: UnitId, pursuer: UnitId) -> Option<Pose> {
        decides!(BB_OPT_39);
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let heading = Heading::toward(self.centre(unit), self.centre(pursuer));
        let pose = about_centre(self.centre(unit), heading, &footprint);
        let there = Placed::new(&footprint, pose);
        let clear = self.others(unit).all(|other| !overlapping(&there, &self.placed(other)));
        (clear && pose != self.unit(unit).pose && self.fixed.table.on_table(&there) == OnTable::Wholly).then_some(pose)
    }

    /// Where two enemies who go after others run into each other, moving at the same pace (BB-OPT-38).
    fn head_on(&self, one: &Chase, other: &Chase) -> Option<(Pose, Pose)> {
        decides!(BB_OPT_38);
        if self.side(one.pursuer) == self.side(other.pursuer) {
            return None;
        }
        let run = |chase: &Chase| {
            let footprint = self.unit(chase.pursuer).footprint(self.facts(chase.pursuer), self.numbers());
            let from = self.centre(chase.pursuer);
            let heading = Heading::toward(from, self.quarry_at(chase));
            let length = (self.quarry_at(chase) - from).length();
            let pose = about_centre(from, heading, &footprint);
            (footprint, pose, Length::floored(length))
        };
        let ((shape, start, length), (their_shape, their_start, their_length)) = (run(one), run(other));
        let at = |step: Length| (start.ahead(step.min(length)), their_start.ahead(step.min(their_length)));
        let gap = |step: Length| {
            let (here, there) = at(step);
            exact_distance(&Placed::new(&shape, here), &Placed::new(&their_shape, there))
        };
        let quarter = Length::inch_fraction(1, 4);
        let mut step = Length::ZERO;
        while gap(step) > NEAR / 2.0 {
            step += quarter;
            if step > length.max(their_length) {
                return None;
            }
        }
        let (mut clear, mut met) = (step - quarter, step);
        if clear < Length::ZERO {
            return None;
        }
        while met - clear > Length::um(2) {
            let middle = Length::um(i32::midpoint(clear.to_um(), met.to_um()));
            if gap(middle) > NEAR / 4.0 { clear = middle } else { met = middle }
        }
        let (here, there) = at(clear);
        let free = |unit: UnitId, placed: &Placed| {
            self.others(unit)
                .filter(|third| *third != one.pursuer && *third != other.pursuer)
                .all(|third| !overlapping(placed, &self.placed(third)))
                && self.fixed.table.on_table(placed) == OnTable::Wholly
                && self.barred(self.unit(unit), self.facts(unit), placed).is_none()
        };
        let both =
            free(one.pursuer, &Placed::new(&shape, here)) && free(other.pursuer, &Placed::new(&their_shape, there));
        both.then_some((here, there))
    }
}

/// A contact that no charge has made.
fn come_to_blows(play: &mut Resolution<'_, Batteries>, from: Vec2, charger: UnitId, target: UnitId, pursuit: bool) {
    let battle = play.battle();
    let (us, them) = (battle.centre(charger), battle.placed(target));
    let (cover, obstacle) = battle.defended(&[from, us], &them);
    let into_obstacle = battle.defended(&[us], &them).1;
    let contact = Contact {
        charger,
        target,
        flank: false,
        cover,
        obstacle,
        into_obstacle,
        uphill: false,
        fresh: false,
        steady: false,
        overrun: false,
        follows: true,
        pursuit,
        as_square: false,
    };
    play.happen(Event::Touched { contact });
}

/// All who pursue move, one after the other, until somebody has to decide (BB-OPT-38).
pub(crate) fn chase_all(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_OPT_38);
    let chases = play.battle().chases.clone();
    for (n, one) in chases.iter().enumerate() {
        for other in &chases[n + 1..] {
            let open = |chase: &Chase| play.battle().chases.contains(chase);
            if !open(one) || !open(other) {
                continue;
            }
            if let Some((here, there)) = play.battle().head_on(one, other) {
                let from = play.battle().centre(one.pursuer);
                play.happen(Event::Chased { unit: one.pursuer, to: here, crash: false });
                play.happen(Event::Chased { unit: other.pursuer, to: there, crash: false });
                come_to_blows(play, from, one.pursuer, other.pursuer, false);
                play.happen(Event::ChaseOver { unit: one.pursuer });
                play.happen(Event::ChaseOver { unit: other.pursuer });
            }
        }
    }
    while let Some(chase) = play.battle().chases.first().copied() {
        chase_one(play, &chase);
        if play.battle().pending.is_some() {
            return;
        }
    }
}

fn chase_one(play: &mut Resolution<'_, Batteries>, chase: &Chase) {
    let (unit, battle) = (chase.pursuer, play.battle());
    let lost = matches!(battle.unit(chase.quarry).place, Place::Shattered | Place::Surrendered | Place::Ranks);
    if battle.unit(unit).place != Place::Table || battle.in_contact(unit) || lost {
        play.happen(Event::ChaseOver { unit });
        return;
    }
    let fresh = battle.runs_into(chase);
    if !fresh.is_empty() {
        crash(play, chase, &fresh);
        return;
    }
    let to = battle.quarry_at(chase);
    match battle.way_after(chase) {
        Way::Straight(heading) => arrive(play, chase, heading),
        Way::Barred(_, Some(_)) => play.happen(Event::Asked { pending: Pending::Detour { unit } }),
        Way::Barred(length, None) => halt(play, unit, Heading::toward(play.battle().centre(unit), to), length),
    }
}

/// A pursuer whose way is barred goes round, or halts (BB-OPT-45).
pub(crate) fn detour(play: &mut Resolution<'_, Batteries>, unit: UnitId, round: bool) -> Result<(), Halt> {
    decides!(BB_OPT_45);
    play.happen(Event::Settled);
    let Some(chase) = play.battle().chases.iter().find(|chase| chase.pursuer == unit).copied() else { return Ok(()) };
    let battle = play.battle();
    let to = battle.quarry_at(&chase);
    match battle.way_after(&chase) {
        Way::Barred(_, Some(last)) if round => arrive(play, &chase, last),
        Way::Barred(length, _) => halt(play, unit, Heading::toward(play.battle().centre(unit), to), length),
        Way::Straight(heading) => arrive(play, &chase, heading),
    }
    chase_all(play);
    Ok(())
}

fn halt(play: &mut Resolution<'_, Batteries>, unit: UnitId, heading: Heading, length: Length) {
    decides!(BB_OPT_48);
    if let Some(to) = play.battle().halt_before(unit, heading, length) {
        play.happen(Event::Chased { unit, to, crash: false });
    }
    play.happen(Event::ChaseOver { unit });
}

/// A pursuer comes up with its quarry, or leaves the table after it (BB-OPT-39, BB-OPT-46).
fn arrive(play: &mut Resolution<'_, Batteries>, chase: &Chase, heading: Heading) {
    decides!(BB_OPT_20, BB_OPT_48, BB_OPT_39, BB_OPT_46);
    let (unit, quarry) = (chase.pursuer, chase.quarry);
    let battle = play.battle();
    if battle.unit(quarry).place != Place::Table {
        let to = Pose::new(Point::rounded(battle.quarry_at(chase)), heading);
        play.happen(Event::ChasedOff { unit, to });
        return;
    }
    if let Some(screen) = battle.screen_out(quarry) {
        play.happen(Event::ScreenBack { unit: quarry, screen });
    }
    let battle = play.battle();
    let faces = battle.turned_to(quarry, unit).filter(|_| !battle.in_contact(quarry));
    if let Some(to) = faces {
        play.happen(Event::Faces { unit: quarry, to });
    }
    if let Some(to) = play.battle().come_up(unit, quarry, heading) {
        let from = play.battle().centre(unit);
        play.happen(Event::Chased { unit, to, crash: false });
        come_to_blows(play, from, unit, quarry, !chase.recoiled);
    }
    play.happen(Event::ChaseOver { unit });
}

/// Pursuers who would have to squeeze through a gap run into those beside it: a charge like any other (BB-OPT-40).
fn crash(play: &mut Resolution<'_, Batteries>, chase: &Chase, gap: &[UnitId]) {
    decides!(BB_OPT_40);
    let unit = chase.pursuer;
    for other in gap {
        if let Some(screen) = play.battle().screen_out(*other) {
            play.happen(Event::ScreenBack { unit: *other, screen });
        }
    }
    screens::call_in(play, unit);
    let battle = play.battle();
    let footprint = battle.unit(unit).footprint(battle.facts(unit), battle.numbers());
    let centre = battle.centre(unit);
    let ahead = Heading::toward(centre, battle.quarry_at(chase));
    let here = Placed::new(&footprint, about_centre(centre, ahead, &footprint));
    let far = Length::inches(60).f();
    let met = |other: &UnitId| first_contact(&here, ahead.unit(), far, &battle.placed(*other));
    let first = gap.iter().filter_map(|other| Some((met(other)?, *other))).min_by(|a, b| a.0.total_cmp(&b.0));
    let nearest = gap.iter().copied().min_by(|a, b| {
        let off = |other: UnitId| exact_distance(&here, &battle.placed(other));
        off(*a).total_cmp(&off(*b)).then(a.cmp(b))
    });
    // Whom it meets first straight ahead; if it would slip through, the nearer of them.
    let straight = first.map(|(run, _)| here.pose().ahead(Length::floored(run)));
    let clear = |pose: &Pose| {
        let there = Placed::new(&footprint, *pose);
        battle.others(unit).all(|other| !overlapping(&there, &battle.placed(other)))
            && battle.fixed.table.on_table(&there) == OnTable::Wholly
            && battle.barred(battle.unit(unit), battle.facts(unit), &there).is_none()
    };
    let aside = || {
        let target = first.map(|(_, other)| other).or(nearest)?;
        let heading = if first.is_some() { ahead } else { Heading::toward(centre, battle.centre(target)) };
        battle.come_up(unit, target, heading)
    };
    let end = straight.filter(clear).or_else(aside);
    if let Some(to) = end {
        play.happen(Event::Chased { unit, to, crash: true });
        let battle = play.battle();
        let placed = battle.placed(unit);
        let touched: Vec<UnitId> =
            gap.iter().copied().filter(|other| exact_distance(&placed, &battle.placed(*other)) <= NEAR / 2.0).collect();
        for target in touched {
            touch(play, unit, target);
        }
    }
    play.happen(Event::ChaseOver { unit });
}
