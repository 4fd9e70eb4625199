//! Evading a charge.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Angle, Bounds, Heading, Length, Lie, Outline, Placed, Point, Pose, Vec2, exact_distance, meetings,
};
use smallvec::SmallVec;

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::phases::charges::contact::{meet, touch};
use crate::table::NEAR;
use crate::table::bearing::sees_as_near;
use crate::table::nearing::too_near;
use crate::terrain::going::pieces;
use crate::troops::Arm;

/// The place half way between two of a unit's way.
pub(crate) fn halfway(from: Pose, to: Pose) -> Pose {
    let at = Point::rounded(from.at.v().toward(to.at.v(), 0.5));
    Pose::new(at, from.heading + Angle::hundredths(from.heading.turn_to(to.heading).to_hundredths() / 2))
}

impl Battle {
    /// Whether a unit may evade a charge (BB-CHG-11, BB-CHG-18, BB-CHG-19, BB-CHG-20, BB-CHG-21, BB-MOR-38).
    pub(crate) fn may_evade(&self, unit: UnitId, charger: UnitId) -> bool {
        decides!(BB_SEQ_04, BB_CHG_11, BB_CHG_18, BB_CHG_19, BB_CHG_20, BB_CHG_21, BB_MOR_38);
        let state = self.unit(unit);
        let able = self.skirmishing(unit)
            || state.away
            || (self.battery(unit) && !state.limbered)
            || matches!(self.facts(unit).kind, crate::battle::Kind::Guns { horse: true, .. });
        able && !self.is_screen(unit)
            && state.inside.is_none()
            && !state.now.evaded
            && !state.now.routed
            && !self.in_contact(unit)
            && !self.caught(unit, charger)
            && self.finds_a_way(unit, charger)
    }

    /// The charge began, or was first seen, too near (BB-CHG-18, BB-CHG-19).
    fn caught(&self, unit: UnitId, charger: UnitId) -> bool {
        decides!(BB_CHG_18, BB_CHG_19);
        let numbers = &self.numbers().caught;
        let near = if self.arm(charger) == Arm::Horse { numbers.horse } else { numbers.foot };
        let them = self.placed(unit);
        let footprint = self.unit(charger).footprint(self.facts(charger), self.numbers());
        let posts = crate::table::shape::posts(self.unit(unit), self.facts(unit), self.numbers());
        let seen = |placed: &Placed| {
            if self.fixed.terrain.is_empty() {
                return true;
            }
            // A charger at the edge of a wood is not seen from afar before it comes out of it (BB-WOO-03).
            let seen_from = self.seen_from(charger, placed);
            let posts = || posts.iter().filter(|post| sees_as_near(post.at, placed, seen_from));
            placed.parts().any(|part| {
                let seen = |place: &Vec2, from: Vec2| {
                    self.sees(from, *place) && !self.hedgerow_hides(&them, placed, from, *place, false)
                };
                // Its corners first, then whatever of it shows between what hides the rest.
                part.corners.iter().any(|corner| posts().any(|post| seen(corner, post.at)))
                    || posts()
                        .any(|post| self.glimpses(post.at, part.corners, &[]).iter().any(|place| seen(place, post.at)))
            })
        };
        let mut unseen: Option<Pose> = None;
        for pose in self.along_track(charger) {
            if !seen(&Placed::new(&footprint, pose)) {
                unseen = Some(pose);
                continue;
            }
            // Between two places that were looked at it came into view somewhere: there, and no nearer.
            let mut first = pose;
            if let Some(mut hidden) = unseen {
                while hidden.at.distance(first.at) > Length::um(20) {
                    let between = halfway(hidden, first);
                    if seen(&Placed::new(&footprint, between)) { first = between } else { hidden = between }
                }
            }
            return exact_distance(&Placed::new(&footprint, first), &them) <= near.0.f() + NEAR;
        }
        true
    }

    /// The ways that are offered at once: along the line of the charge, and as far from it as may be, in hundredths of a degree. Any
    /// other between them can be set (BB-CHG-13).
    pub(crate) fn evade_ways(&self) -> [i16; 3] {
        decides!(BB_CHG_13);
        let aside = self.farthest_aside();
        [0, -aside, aside]
    }

    /// How far from the line of the charge anybody may evade, in hundredths of a degree.
    pub(crate) fn farthest_aside(&self) -> i16 {
        self.numbers().evading.aside.min(18_000) as i16
    }

    /// The evade move of a unit: infantry and gunners 10 in, limbered horse guns their own (BB-CHG-13).
    fn evade_move(&self, unit: UnitId) -> Length {
        decides!(BB_CHG_13);
        if self.limbered(unit) { self.allowance(unit) } else { self.numbers().moves.evade.0 }
    }

    /// How a unit would look after it has evaded: gunners leave their guns.
    fn evading(&self, unit: UnitId) -> crate::battle::Unit {
        let mut state = *self.unit(unit);
        state.away |= self.battery(unit) && !state.limbered;
        state
    }

    /// Where an evade of a length along a way ends: the back to the charge (BB-CHG-13, BB-CHG-14).
    pub(crate) fn evade_pose(&self, unit: UnitId, charger: UnitId, way: i16, length: Length) -> Pose {
        decides!(BB_CHG_13, BB_CHG_14);
        let line = self.unit(charger).pose.heading;
        let footprint = self.evading(unit).footprint(self.facts(unit), self.numbers());
        let way = line + Angle::hundredths(way.into());
        crate::table::shape::about_centre(self.centre(unit) + way.unit() * length.f(), line, &footprint)
    }

    /// The lengths open to an evade along a way, so many hundredths of a degree to the right of the line of the charge: the stretches
    /// of it on which it may end, nearest first (BB-CHG-13, BB-CHG-21).
    pub(crate) fn evade_stretches(&self, unit: UnitId, charger: UnitId, way: i16) -> SmallVec<[(Length, Length); 2]> {
        decides!(BB_CHG_13, BB_CHG_21);
        let mut open = SmallVec::new();
        let heading = self.unit(charger).pose.heading + Angle::hundredths(way.into());
        let state = self.evading(unit);
        let footprint = state.footprint(self.facts(unit), self.numbers());
        let start = Placed::new(&footprint, self.evade_pose(unit, charger, way, Length::ZERO));
        let Some((least, most)) = self.evade_limits(unit, &start, heading) else { return open };
        let along = heading.unit();
        let Some((least, most)) = self.on_table_along(&start, along, least, most) else { return open };
        let mut taken: SmallVec<[(f64, f64); 8]> = SmallVec::new();
        let mut met = SmallVec::new();
        for other in self.all().filter(|other| *other != unit) {
            let placed = self.outline(other);
            meetings(&start, along, most.f(), placed, &mut met);
            let enemy = self.side(other) != self.side(unit) && other != charger;
            // Friends are run through, but nobody runs through an enemy or close by him: the way ends there.
            taken.extend(met.iter().map(|one| (one.from, if enemy { f64::INFINITY } else { one.to })));
            if enemy {
                taken.extend(self.too_near_along(&start, along, most.f(), placed));
            }
        }
        let bars = |lie: &Lie<'_>| self.terrain(lie).factor(&state, self.facts(unit), heading) == 0;
        for lie in self.fixed.ground.near(&start.bounds().swept(along * most.f())).filter(bars) {
            meetings(&start, along, most.f(), &lie, &mut met);
            taken.extend(met.iter().map(|one| (one.from, one.to)));
        }
        for line in self.lines_that_bar(&state, self.facts(unit)) {
            meetings(&start, along, most.f(), &line, &mut met);
            taken.extend(met.iter().map(|one| (one.from, one.to)));
        }
        taken.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut from = least;
        for (low, high) in taken {
            let before = Length::floored(low).min(most);
            if before >= from {
                open.push((from, before));
            }
            if high == f64::INFINITY {
                return open;
            }
            from = from.max(Length::ceiled(high + 3.0));
        }
        if from <= most {
            open.push((from, most));
        }
        open
    }

    /// What of a stretch leaves an outline wholly on the table.
    pub(crate) fn on_table_along(
        &self,
        start: &Placed,
        way: Vec2,
        least: Length,
        most: Length,
    ) -> Option<(Length, Length)> {
        let (box_, table) = (start.bounds(), &self.fixed.table);
        let (mut low, mut high) = (least.f(), most.f());
        let sides = [
            (box_.min.x, way.x),
            (table.width.f() - box_.max.x, -way.x),
            (box_.min.y, way.y),
            (table.depth.f() - box_.max.y, -way.y),
        ];
        for (room, gain) in sides {
            if gain > 1e-12 {
                low = low.max(-room / gain);
            } else if gain < -1e-12 {
                high = high.min(room / -gain);
            } else if room < 0.0 {
                return None;
            }
        }
        let (low, high) = (Length::ceiled(low).max(least), Length::floored(high).min(most));
        (low <= high).then_some((low, high))
    }

    /// The stretch of a way on which a block is nearer to an outline than it may stand; one that comes so near on its way goes no farther.
    fn too_near_along(&self, start: &Placed, way: Vec2, most: f64, other: &Placed) -> Option<(f64, f64)> {
        let apart = self.numbers().approach.stand_off.0.f();
        if !start.bounds().swept(way * most).grown(apart).meets(&other.bounds()) {
            return None;
        }
        // Far enough beyond to be clear of it, and back again until it is too near.
        let size = |bounds: Bounds| (bounds.max - bounds.min).length();
        let far = most + size(start.bounds()) + size(other.bounds()) + 2.0 * apart;
        let beyond = start.whole().moved(way * far);
        let back = too_near(&beyond, -way, far, other, apart)?;
        if exact_distance(start, other) < apart - NEAR {
            return Some((0.0, far - back));
        }
        Some((too_near(start.whole(), way, far, other, apart)?, f64::INFINITY))
    }

    /// The ways that are looked at to find out whether there is any: straight on, the two outermost, and every degree between.
    fn finds_a_way(&self, unit: UnitId, charger: UnitId) -> bool {
        let degrees = (1..(self.farthest_aside() + 99) / 100).flat_map(|n| [-n * 100, n * 100]);
        self.evade_ways().into_iter().chain(degrees).any(|way| !self.evade_stretches(unit, charger, way).is_empty())
    }

    /// Half and all of an evade move over the ground, by those who run, as they face when they do; nothing where the way is barred before
    /// half of it is done.
    fn evade_limits(&self, unit: UnitId, start: &Placed, way: Heading) -> Option<(Length, Length)> {
        let full = self.evade_move(unit);
        let half =
            Length::um((i64::from(full.to_um()) * i64::from(self.numbers().evading.least.min(100)) / 100) as i32);
        if self.fixed.terrain.is_empty() {
            return Some((half, full));
        }
        let reach = |budget: Length| {
            let mut left = budget.f();
            for piece in pieces(self, &self.evading(unit), self.facts(unit), start, way, budget) {
                if piece.barred.is_some() {
                    return (Length::floored(piece.from), true);
                }
                left -= piece.toll;
                let rate = f64::from(piece.factor);
                if left < (piece.to - piece.from) * rate {
                    return (Length::floored(piece.from + (left / rate).max(0.0)), false);
                }
                left -= (piece.to - piece.from) * rate;
            }
            (budget, false)
        };
        let (least, barred) = reach(half);
        (!barred).then(|| (least, reach(full).0))
    }
}

/// The charged unit stands, and the next one is asked.
pub(crate) fn stand(play: &mut Resolution<'_, Batteries>, charger: UnitId, target: UnitId) -> Result<(), Halt> {
    play.happen(Event::Settled);
    play.happen(Event::Stood { unit: target });
    touch(play, charger, target);
    meet(play, charger)
}

/// The charged unit evades.
pub(crate) fn evade(
    play: &mut Resolution<'_, Batteries>,
    charger: UnitId,
    target: UnitId,
    way: i16,
    length: Length,
) -> Result<(), Halt> {
    decides!(BB_SEQ_04, BB_CHG_22);
    let to = play.battle().evade_pose(target, charger, way, length);
    // Nobody turns on the way: he runs as he faces at its end.
    let from = play.battle().evade_pose(target, charger, way, Length::ZERO);
    let leaves_guns = play.battle().must_leave_guns(target);
    play.happen(Event::Settled);
    play.happen(Event::Evaded { unit: target, to, leaves_guns });
    crate::phases::aftermath::disorder_on_the_way(play, target, from);
    meet(play, charger)
}
