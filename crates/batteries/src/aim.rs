//! Who bears on whom: arcs, ranges, sight, what stands between.

use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Length, Outline, Placed, Vec2, exact_distance, line_clear};
use smallvec::SmallVec;

use crate::battle::{Battle, Kind};
use crate::shape::{Post, posts};
use crate::state::NEAR;
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
        posts(self.unit(unit), self.facts(unit), self.numbers())
    }

    /// Everybody who stops fire of a kind from a unit on its way to a target (BB-SHO-44 to -47).
    fn screens(&self, shooter: UnitId, target: UnitId, fire: Fire) -> Vec<Placed> {
        let height = self.level(self.unit(shooter).pose.at.v());
        let stops = |enemy: &UnitId| {
            let lower = self.level(self.centre(*enemy)) < height;
            let solid = self.close_order(*enemy) || (!fire.is_ball() && self.skirmishing(*enemy));
            *enemy != target && solid && !lower
        };
        self.enemies(shooter).filter(stops).map(|enemy| self.placed(enemy)).collect()
    }

    /// The figures or models that bear on a target standing at some outline (BB-SHO-07, -16, -54).
    pub(crate) fn bearings(&self, shooter: UnitId, target: UnitId, outline: &Placed, fire: Fire) -> Vec<Bearing> {
        let reach = self.numbers().shooting.reach(fire).0;
        let here = self.placed(shooter);
        if exact_distance(&here, outline) > reach.f() + NEAR {
            return Vec::new();
        }
        let screens = self.screens(shooter, target, fire);
        let hidden = self.hidden_from(shooter, target, outline);
        if hidden {
            return Vec::new();
        }
        let posts = self.posts(shooter);
        let bears =
            posts.iter().enumerate().filter_map(|(n, post)| self.bearing(n, post, outline, fire, reach, &screens));
        bears.collect()
    }

    /// Troops concealed at the edge of a wood are not seen from afar (BB-WOO-03).
    fn hidden_from(&self, shooter: UnitId, target: UnitId, outline: &Placed) -> bool {
        if self.fixed.terrain.is_empty() || self.unit(target).spotted {
            return false;
        }
        let far = self.numbers().woods.concealed.0.f() + NEAR;
        exact_distance(&self.placed(shooter), outline) > far && self.concealed(outline)
    }

    fn bearing(
        &self,
        n: usize,
        post: &Post,
        outline: &Placed,
        fire: Fire,
        reach: Length,
        screens: &[Placed],
    ) -> Option<Bearing> {
        let mut best: Option<(f64, Vec2)> = None;
        let mut seen: SmallVec<[Vec2; 16]> = SmallVec::new();
        for part in outline.parts() {
            let inside = in_arc(part.corners, post);
            if inside.is_empty() {
                continue;
            }
            let mut places: SmallVec<[Vec2; 24]> = SmallVec::new();
            for (i, corner) in inside.iter().enumerate() {
                let next = inside[(i + 1) % inside.len()];
                places.push(post.at.nearest_on(*corner, next));
                places.extend([*corner, corner.toward(next, 0.5)]);
            }
            if part.holds(post.at, 1.0) {
                places.push(post.at);
            }
            for place in places {
                let range =
                    if fire.is_ball() { self.ball_range(post.at, place).f() } else { (place - post.at).length() };
                if range > reach.f() + NEAR || !line_clear(post.at, place, screens.iter()) || !self.sees(post.at, place)
                {
                    continue;
                }
                if best.is_none_or(|(held, _)| range < held - 1e-6) {
                    best = Some((range, place));
                }
            }
            seen.extend(inside);
        }
        let (range, to) = best?;
        // Ranges that a thousandth of an inch takes over a boundary are on it (BB-GEN-07).
        let range = Length::rounded((range - NEAR).max(0.0));
        Some(Bearing { post: n, from: post.at, to, range, triangle: triangle(post.at, &seen) })
    }
}

/// What of a convex part lies in a post's arc of 45 degrees to either side, borders included.
pub(crate) fn in_arc(corners: &[Vec2], post: &Post) -> SmallVec<[Vec2; 8]> {
    let right = post.out.right();
    let mut left: SmallVec<[Vec2; 8]> = SmallVec::from_slice(corners);
    for normal in [right - post.out, -right - post.out] {
        let normal = normal.unit();
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
    /// Whether ballshot finds a target dense (BB-SHO-28 to -31).
    pub(crate) fn dense(&self, target: UnitId, from: Vec2) -> bool {
        let (state, facts) = (self.unit(target), self.facts(target));
        if self.arm(target) == Arm::Guns || self.skirmishing(target) {
            return false;
        }
        if state.formation == Formation::Square || state.deep(facts) >= 3 {
            return true;
        }
        let line = match facts.kind {
            Kind::Foot { .. } => {
                matches!(state.formation_now(facts, self.numbers()), Formation::Line | Formation::Extended)
            }
            _ => true,
        };
        let placed = self.placed(target);
        let shot = (placed.centre() - from).unit();
        // At 22.5 degrees or less to the front edge, the shot runs no more than that sine across it.
        let across = shot.dot(placed.forward()).abs();
        line && across <= (22.5f64.to_radians()).sin() + 1e-9
    }
}
