//! Bent lines: one rank of stands in two or more straight wings.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Angle, Convex, Heading, Placed, Point, Pose, Segment, Stand, Vec2, exact_distance};
use smallvec::SmallVec;

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::phases::formations::Shape;
use crate::table::NEAR;
use crate::table::shape::{Bend, stands_for};
use crate::troops::{Arm, Formation};

/// The turns of a wing that are offered; a scenario may have any up to 90 degrees.
const TURNS: [i16; 8] = [-9_000, -6_000, -4_500, -3_000, 3_000, 4_500, 6_000, 9_000];

/// What a bent line is called: the stands of its wings and how the next is turned.
pub(crate) fn bend_word(bend: Bend) -> String {
    let mut word = format!("bent line {}", bend.wings[0]);
    for (stands, turn) in bend.wings[1..].iter().zip(bend.turns).filter(|(stands, _)| **stands > 0) {
        let side = if turn < 0 { "left" } else { "right" };
        word += &format!("+{stands} {side} {}", turn.abs() / 100);
    }
    word
}

impl Battle {
    pub(crate) fn bent(&self, unit: UnitId) -> bool {
        self.arm(unit) == Arm::Foot && self.unit(unit).formation == Formation::Bent
    }

    /// The bent lines that a unit may form: only one whose single rank would be a line (BB-UNI-18).
    pub(crate) fn bends(&self, unit: UnitId) -> Vec<Shape> {
        decides!(BB_UNI_18);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let straight = matches!(state.formation, Formation::Line | Formation::Extended | Formation::Column);
        let stands = stands_for(state.figures + state.out, facts.per_stand).min(60) as u8;
        let line = matches!(facts.kind, Kind::Foot { .. }) && state.figures > self.numbers().widths.column;
        if !line || !straight || stands < 2 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for first in 1..stands {
            for turn in TURNS {
                let bend = Bend { wings: [first, stands - first, 0, 0], turns: [turn, 0, 0] };
                found.push(Shape {
                    formation: Formation::Bent,
                    stands,
                    limbered: false,
                    turn: Angle::ZERO,
                    bend: Some(bend),
                });
            }
        }
        found
    }

    /// Where a unit stands when it bends or straightens: its left wing stays where it is.
    pub(crate) fn bending_pose(&self, unit: UnitId, shape: &Shape) -> Pose {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let basing = facts.basing(self.numbers());
        let stand = (basing.frontage * i32::from(basing.per_stand)).f();
        let stands = stands_for(state.figures + state.out, facts.per_stand);
        let first =
            |bend: Option<Bend>| bend.and_then(|bend| bend.filled(stands).first().map(|wing| f64::from(wing.0)));
        let width = |formation: Formation, bend: Option<Bend>, files: f64| match formation {
            Formation::Bent => first(bend).unwrap_or(files) * stand,
            _ => files * stand,
        };
        let now = width(state.formation, state.bend, f64::from(state.ranks(facts).files));
        let then = width(shape.formation, shape.bend, f64::from(u16::from(shape.stands).min(stands).max(1)));
        let right = state.pose.heading.unit().right();
        Pose::new(Point::rounded(state.pose.at.v() + right * ((then - now) / 2.0)), state.pose.heading)
    }

    /// The wings of a bent line where they lie: the middle of the front of each, its heading and its stands.
    fn laid_wings(&self, unit: UnitId, bend: &Bend) -> SmallVec<[(Vec2, Heading, u8); 4]> {
        let (state, basing) = (self.unit(unit), self.facts(unit).basing(self.numbers()));
        let stand = basing.frontage * i32::from(basing.per_stand);
        let (ahead, at) = (state.pose.heading.unit(), state.pose.at.v());
        let lie = |wing: &Stand| {
            let middle = at + ahead.right() * wing.at.at.x.f() + ahead * wing.at.at.y.f();
            let stands = (wing.width.to_um() + stand.to_um() / 2) / stand.to_um().max(1);
            (middle, state.pose.heading + wing.at.heading.as_turn(), stands as u8)
        };
        bend.stands(u16::MAX, stand, basing.depth).iter().map(lie).collect()
    }

    /// A bent line that has lost stands has lost them from the outer end of its longer outer wing, of two equal ones the last; one that has
    /// won some has them at the end where they came. All others stay put (BB-UNI-28, BB-TWN-10).
    pub(crate) fn fit_bend(&mut self, unit: UnitId, joined_at: Option<Vec2>) {
        let Some(bend) = self.unit(unit).bend.filter(|_| self.bent(unit)) else { return };
        let (state, facts) = (*self.unit(unit), self.facts(unit));
        let basing = facts.basing(self.numbers());
        let half = (basing.frontage * i32::from(basing.per_stand)).f() / 2.0;
        let stands = stands_for(state.figures + state.out, facts.per_stand).max(1);
        let mut wings = self.laid_wings(unit, &bend);
        let count = |wings: &[(Vec2, Heading, u8)]| wings.iter().map(|wing| u16::from(wing.2)).sum::<u16>();
        let ends = |wings: &[(Vec2, Heading, u8)]| {
            let end = |wing: &(Vec2, Heading, u8), sign: f64| {
                wing.0 + wing.1.unit().right() * (f64::from(wing.2) * half * sign)
            };
            wings.first().zip(wings.last()).map(|(first, last)| (end(first, -1.0), end(last, 1.0)))
        };
        if count(&wings) == stands {
            return;
        }
        while let Some((left, right)) = ends(&wings).filter(|_| count(&wings) != stands && !wings.is_empty()) {
            let grows = count(&wings) < stands;
            let last = wings.len() - 1;
            let at_left = match joined_at.filter(|_| grows) {
                Some(place) => (place - left).length2() <= (place - right).length2(),
                None => wings[0].2 > wings[last].2,
            };
            let wing = &mut wings[if at_left { 0 } else { last }];
            let outward = wing.1.unit().right() * if at_left { -half } else { half };
            wing.0 = if grows { wing.0 + outward } else { wing.0 - outward };
            wing.2 = if grows { wing.2.saturating_add(1) } else { wing.2 - 1 };
            wings.retain(|wing| wing.2 > 0);
        }
        let Some(first) = wings.first().copied() else { return };
        let mut bend = Bend::default();
        for (n, wing) in wings.iter().enumerate() {
            bend.wings[n] = wing.2;
            if n > 0 {
                bend.turns[n - 1] = wings[n - 1].1.turn_to(wing.1).to_hundredths() as i16;
            }
        }
        let straight = wings.len() == 1;
        let state = self.change(unit);
        state.pose = Pose::new(Point::rounded(first.0), first.1);
        (state.bend, state.stands) = (Some(bend), stands.min(60) as u8);
        if straight {
            (state.formation, state.bend) = (Formation::Line, None);
        }
    }

    /// The wings of a bent line on the table: the front edge of each and the way it looks.
    pub(crate) fn wings(&self, unit: UnitId) -> Vec<(Segment, Vec2)> {
        let placed = self.placed(unit);
        let quads = placed.quads();
        quads
            .iter()
            .map(|quad| {
                use sabretache_table::Corner::{FrontLeft, FrontRight};
                (Segment::new(quad.corner(FrontLeft), quad.corner(FrontRight)), quad.forward())
            })
            .collect()
    }

    /// A charge takes a bent line in flank only at the outer edge of its first or last stand, and only if it began behind the
    /// front line of that wing (BB-UNI-20).
    pub(crate) fn takes_bent_end(&self, charger: UnitId, target: UnitId) -> bool {
        decides!(BB_UNI_20);
        let from = self.as_it_set_out(charger);
        let here = self.placed(charger);
        let wings = self.wings(target);
        let depth = self.facts(target).basing(self.numbers()).depth.f();
        let (Some(first), Some(last)) = (wings.first(), wings.last()) else { return false };
        let end = |(front, out): &(Segment, Vec2), corner: Vec2| {
            let edge = Convex::segment(Segment::new(corner, corner - *out * depth));
            let behind = |p: &Vec2| (*p - front.a).dot(*out) < -NEAR;
            let began_behind = corners(&from).iter().any(behind);
            began_behind && exact_distance(&here, &edge) <= NEAR && !self.strikes_elsewhere(&here, front, corner)
        };
        end(first, first.0.a) || end(last, last.0.b)
    }

    /// Whether a charger lies along the front of a wing as well, and not only at its end.
    fn strikes_elsewhere(&self, here: &Placed, front: &Segment, end: Vec2) -> bool {
        let far = if (front.a - end).length() < 1.0 { front.b } else { front.a };
        let inner = end + (far - end).unit() * (4.0 * NEAR);
        exact_distance(here, &Convex::segment(Segment::new(inner, far))) <= NEAR / 2.0
    }

    /// Whether ballshot from a place runs along a wing of a bent line (BB-UNI-18, BB-SHO-30).
    pub(crate) fn enfiladed(&self, target: UnitId, from: Vec2) -> bool {
        decides!(BB_UNI_18, BB_SHO_30);
        let nearest = self.wings(target).into_iter().min_by(|a, b| a.0.distance(from).total_cmp(&b.0.distance(from)));
        nearest.is_some_and(|(front, out)| {
            let shot = (front.middle() - from).unit();
            shot.dot(out).abs() <= self.numbers().enfilade.sine() + 1e-9
        })
    }
}

fn corners(placed: &Placed) -> Vec<Vec2> {
    use sabretache_table::Outline;
    placed.parts().flat_map(|part| part.corners.to_vec()).collect()
}
