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
use crate::phases::pursuit::crash::crash;
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
    pub(super) fn quarry_at(&self, chase: &Chase) -> Vec2 {
        match self.unit(chase.quarry).place {
            Place::Table => self.centre(chase.quarry),
            _ => self.way_out(chase.quarry, chase.from.v()),
        }
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
        let round = way_to(Point::rounded(from), Point::rounded(to), &self.fixed.table, room, walls.iter());
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
    pub(super) fn come_up(&self, unit: UnitId, with: UnitId, heading: Heading) -> Option<Pose> {
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

/// Whom a unit that comes to blows without a charge was after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// A unit that routed from it, on which its hits are doubled (BB-OPT-42).
    Router,
    /// One that recoiled, or another pursuer.
    Nobody,
}

/// A contact that no charge has made.
fn come_to_blows(play: &mut Resolution<'_, Batteries>, from: Vec2, charger: UnitId, target: UnitId, after: After) {
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
        pursuit: after == After::Router,
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
                come_to_blows(play, from, one.pursuer, other.pursuer, After::Nobody);
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
        let after = if chase.recoiled { After::Nobody } else { After::Router };
        come_to_blows(play, from, unit, quarry, after);
    }
    play.happen(Event::ChaseOver { unit });
}
