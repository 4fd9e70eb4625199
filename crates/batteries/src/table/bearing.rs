//! Who bears on whom: arcs, ranges, sight, what stands between.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Length, Outline, Placed, Vec2, exact_distance, line_clear};
use smallvec::SmallVec;

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::numbers::Degrees;
use crate::table::NEAR;
use crate::table::shape::{Post, posts};
use crate::troops::{Arm, Calibre, Fire, Formation, Shot, Weapon};

/// A shooting figure or model that bears on a target.
#[derive(Clone, Debug)]
pub(crate) struct Bearing {
    /// Which of the posts.
    pub(crate) post: usize,
    /// Where it is.
    pub(crate) from: Vec2,
    /// The nearest place of the target that it bears on.
    pub(crate) to: Vec2,
    /// How far, doubled ground counted twice.
    pub(crate) range: Length,
    /// The triangle to the outermost places of the target in its arc.
    pub(crate) triangle: Convex,
}

impl Battle {
    /// The kind of fire of a unit, with the ammunition for guns.
    pub(crate) fn fire_of(&self, unit: UnitId, shot: Option<Shot>) -> Option<Fire> {
        match self.facts(unit).kind {
            Kind::Foot { weapon: Weapon::Musket, .. } => Some(Fire::Muskets),
            Kind::Foot { weapon: Weapon::Rifle, .. } => Some(Fire::Rifles),
            Kind::Guns { class, .. } => shot.map(|shot| Fire::Guns(Calibre { class, shot })),
            Kind::Horse { .. } => None,
        }
    }

    /// The posts of a unit's figures or models that can shoot.
    pub(crate) fn posts(&self, unit: UnitId) -> Vec<Post> {
        if let Some(block) = self.block_of(unit) {
            return self.garrison_posts(unit, block);
        }
        posts(self.unit(unit), self.facts(unit), self.numbers())
    }

    /// Everybody who stops fire of a kind from a unit on its way to a target (BB-SHO-44, BB-SHO-45, BB-SHO-46, BB-SHO-47).
    pub(crate) fn screens(&self, shooter: UnitId, target: UnitId, fire: Fire) -> Vec<Placed> {
        decides!(BB_SHO_44, BB_SHO_45, BB_SHO_46, BB_SHO_47);
        let height = self.level(self.unit(shooter).pose.at.v());
        let stops = |enemy: &UnitId| {
            let lower = self.level(self.centre(*enemy)) < height;
            let solid = self.close_order(*enemy) || (!fire.is_ball() && self.skirmishing(*enemy));
            *enemy != target && solid && !lower
        };
        self.enemies(shooter).filter(stops).map(|enemy| self.placed(enemy)).collect()
    }

    /// The figures or models that bear on a target standing at some outline (BB-SHO-07, BB-SHO-16, BB-SHO-54).
    pub(crate) fn bearings(&self, shooter: UnitId, target: UnitId, outline: &Placed, fire: Fire) -> Vec<Bearing> {
        decides!(BB_SHO_07, BB_SHO_16, BB_SHO_54);
        let reach = self.numbers().shooting.reach(fire).0;
        let here = self.placed(shooter);
        let far = reach.f() + NEAR;
        if here.bounds().distance2(&outline.bounds()) > far * far || exact_distance(&here, outline) > far {
            return Vec::new();
        }
        let screens = self.screens(shooter, target, fire);
        let seen_from = self.seen_from(target, outline);
        let posts = self.posts(shooter);
        let open = |from: Vec2, to: Vec2| !self.hedgerow_stops_fire(shooter, target, from, to);
        let near = posts.iter().enumerate().filter(|(_, post)| sees_as_near(post.at, outline, seen_from));
        near.filter_map(|(n, post)| self.bearing(n, post, outline, fire, reach, &screens, &open)).collect()
    }

    /// From how far each figure sees somebody, where that is limited: troops concealed at the edge of a wood who have not fired
    /// (BB-WOO-03).
    pub(crate) fn seen_from(&self, target: UnitId, outline: &Placed) -> Option<f64> {
        decides!(BB_WOO_03);
        let hides = !self.fixed.terrain.is_empty() && !self.unit(target).spotted && self.concealed(outline);
        hides.then(|| self.numbers().woods.concealed.0.f() + NEAR)
    }

    /// The models that bear on some outline that is no unit: a section of works or wall.
    pub(crate) fn bearings_on(&self, shooter: UnitId, outline: &impl Outline, fire: Fire) -> Vec<Bearing> {
        let reach = self.numbers().shooting.reach(fire).0;
        // Ballshot that batters a wall is stopped by units that stand before it.
        let screens = self.screens(shooter, shooter, fire);
        let posts = self.posts(shooter);
        let seen = |_: Vec2, _: Vec2| true;
        let bears = posts.iter().enumerate();
        bears.filter_map(|(n, post)| self.bearing(n, post, outline, fire, reach, &screens, &seen)).collect()
    }

    #[expect(clippy::too_many_arguments, reason = "one place where arc, range, screens and sight come together")]
    pub(crate) fn bearing(
        &self,
        n: usize,
        post: &Post,
        outline: &impl Outline,
        fire: Fire,
        reach: Length,
        screens: &[Placed],
        open: &dyn Fn(Vec2, Vec2) -> bool,
    ) -> Option<Bearing> {
        decides!(BB_GEN_07);
        let arc = &self.numbers().arc;
        let mut seen: SmallVec<[Vec2; 16]> = SmallVec::new();
        let mut places: SmallVec<[(f64, Vec2); 32]> = SmallVec::new();
        let slow_ground = fire.is_ball() && self.fixed.terrain.iter().any(|terrain| terrain.ball > 1);
        let far = reach.f() + NEAR;
        let add = |places: &mut SmallVec<[(f64, Vec2); 32]>, place: Vec2| {
            let range = if slow_ground { self.ball_range(post.at, place).f() } else { (place - post.at).length() };
            if range <= far {
                places.push((range, place));
            }
        };
        for part in outline.parts() {
            let inside = in_arc(part.corners, post, arc);
            if inside.is_empty() {
                continue;
            }
            for (i, corner) in inside.iter().enumerate() {
                let next = inside[(i + 1) % inside.len()];
                add(&mut places, post.at.nearest_on(*corner, next));
                add(&mut places, *corner);
                add(&mut places, corner.toward(next, 0.5));
            }
            if part.holds(post.at, 1.0) {
                add(&mut places, post.at);
            }
            seen.extend(inside);
        }
        // The nearest place that is seen counts, so they are looked at from the nearest on.
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let clear = |place: Vec2| {
            line_clear(post.at, place, screens.iter()) && self.sees(post.at, place) && open(post.at, place)
        };
        let nearest = places.first().copied();
        let best = if nearest.is_some_and(|(_, place)| clear(place)) {
            nearest
        } else {
            // Something is in the way: whatever shows beside it is looked at too (BB-SHO-07, BB-SHO-45).
            for part in outline.parts() {
                for place in self.glimpses(post.at, &in_arc(part.corners, post, arc), screens) {
                    add(&mut places, place);
                }
            }
            places.sort_by(|a, b| a.0.total_cmp(&b.0));
            places.into_iter().find(|(_, place)| clear(*place))
        };
        let (range, to) = best?;
        // Ranges that a thousandth of an inch takes over a boundary are on it (BB-GEN-07).
        let range = Length::rounded((range - NEAR).max(0.0));
        Some(Bearing { post: n, from: post.at, to, range, triangle: triangle(post.at, &seen) })
    }
}

/// Whether a figure is as near to somebody as it has to be to see him.
pub(crate) fn sees_as_near(from: Vec2, outline: &Placed, within: Option<f64>) -> bool {
    within.is_none_or(|within| exact_distance(&Convex::place(from), outline) <= within)
}

/// What of a convex part lies in a post's arc, so far to either side of straight ahead, borders included.
pub(crate) fn in_arc(corners: &[Vec2], post: &Post, arc: &Degrees) -> SmallVec<[Vec2; 8]> {
    let (right, (cosine, sine)) = (post.out.right(), arc.borders());
    let mut left: SmallVec<[Vec2; 8]> = SmallVec::from_slice(corners);
    for normal in [right * cosine - post.out * sine, -right * cosine - post.out * sine] {
        let over = |p: Vec2| normal.dot(p - post.at) - NEAR / 2.0;
        let mut kept: SmallVec<[Vec2; 8]> = SmallVec::new();
        for (i, &a) in left.iter().enumerate() {
            let b = left[(i + 1) % left.len()];
            let (da, db) = (over(a), over(b));
            if da <= 0.0 {
                kept.push(a);
            }
            if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
                kept.push(a.toward(b, da / (da - db)));
            }
        }
        left = kept;
    }
    left
}

/// The triangle from a post to the two outermost places it bears on (BB-SHO-38).
fn triangle(at: Vec2, places: &[Vec2]) -> Convex {
    decides!(BB_SHO_38);
    let outermost = |sign: f64| {
        places
            .iter()
            .copied()
            .reduce(|held, place| if (held - at).cross(place - at) * sign > 0.0 { place } else { held })
    };
    match (outermost(1.0), outermost(-1.0)) {
        (Some(a), Some(b)) => Convex::hull(&[at, a, b]),
        _ => Convex::place(at),
    }
}

impl Battle {
    /// Whether ballshot finds a target dense that stands like this when it is shot at (BB-SHO-28, BB-SHO-29, BB-SHO-30, BB-SHO-31).
    pub(crate) fn dense(&self, target: UnitId, placed: &Placed, from: Vec2) -> bool {
        decides!(BB_SHO_28, BB_SHO_29, BB_SHO_30, BB_SHO_31);
        let (state, facts) = (self.unit(target), self.facts(target));
        if self.arm(target) == Arm::Guns || self.skirmishing(target) || state.inside.is_some() {
            return false;
        }
        if state.formation == Formation::Square || state.deep(facts) >= self.numbers().deep.ranks {
            return true;
        }
        if self.bent(target) {
            return self.enfiladed(target, from);
        }
        let line = match facts.kind {
            Kind::Foot { .. } => {
                matches!(state.formation_now(facts, self.numbers()), Formation::Line | Formation::Extended)
            }
            _ => true,
        };
        let shot = (placed.centre() - from).unit();
        // At so many degrees or less to the front edge, the shot runs no more than that sine across it.
        let across = shot.dot(placed.forward()).abs();
        line && across <= self.numbers().enfilade.sine() + 1e-9
    }
}

/// The stretch of a line within a convex block, as shares of its length.
pub(crate) fn stretch(corners: &[Vec2], a: Vec2, b: Vec2) -> Option<(f64, f64)> {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for i in 0..corners.len() {
        let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
        let out = (q - p).right();
        let (over, closing) = (out.dot(a - p), out.dot(b - a));
        if closing < 0.0 {
            from = from.max(-over / closing);
        } else if closing > 0.0 {
            to = to.min(-over / closing);
        } else if over >= 0.0 {
            return None;
        }
        if from >= to {
            return None;
        }
    }
    Some((from, to))
}

/// Where a friend lies along a shot that passes beside him.
pub(crate) fn side_stretch(friend: &Placed, bearing: &Bearing) -> (f64, f64) {
    let line = bearing.to - bearing.from;
    let length2 = line.length2().max(1.0);
    let along = friend.parts().flat_map(|part| {
        part.corners.iter().map(|corner| (*corner - bearing.from).dot(line) / length2).collect::<Vec<_>>()
    });
    along.fold((f64::INFINITY, f64::NEG_INFINITY), |held, one| (held.0.min(one), held.1.max(one)))
}
