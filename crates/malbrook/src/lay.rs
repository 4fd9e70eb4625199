//! How brigades lie on the table: their bases, their front zones, who is near whom.

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{
    Bounds, Contact, Convex, Heading, Length, Outline, Part, Pose, Quad, Vec2, contact, exact_distance,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::troops::Formation;

/// The gap between the bases of an unformed brigade (MB-FRM-06).
const LOOSE: Length = Length::inch_fraction(1, 4);
/// How much two distances may differ and still be the same (MB-GEN-08).
pub(crate) const HAIR: Length = Length::inch_fraction(1, 100);

/// The bases of a brigade where they lie, front rank first, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) bases: SmallVec<[Quad; 12]>,
    bounds: Bounds,
    /// How many of the bases are the front rank.
    pub(crate) front: usize,
}

impl Outline for Figure {
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn part_count(&self) -> usize {
        self.bases.len()
    }
    fn part(&self, i: usize) -> Part<'_> {
        self.bases[i].as_part()
    }
}

impl Figure {
    /// The figure of a brigade at a pose.
    pub(crate) fn of(brigade: &Brigade, pose: Pose) -> Self {
        let files = brigade.files.clamp(1, brigade.bases.max(1));
        let unformed = brigade.formation == Formation::Unformed;
        let gap = if unformed { LOOSE } else { Length::ZERO };
        let (width, depth) = (brigade.width.f(), brigade.depth.f());
        let (across, back) = (width + gap.f(), depth + gap.f());
        let forward = pose.heading.unit();
        let right = forward.right();
        let mut bases = SmallVec::new();
        let mut left = brigade.bases;
        let mut row = 0;
        while left > 0 {
            let here = left.min(files);
            let start = -(across * f64::from(here - 1)) / 2.0;
            for file in 0..here {
                let at = pose.at.v() + right * (start + across * f64::from(file)) - forward * (back * f64::from(row));
                bases.push(Quad::new(at, forward, width / 2.0, width / 2.0, 0.0, depth));
            }
            left -= here;
            row += 1;
        }
        let bounds = bases.iter().fold(Bounds::EMPTY, |bounds: Bounds, quad: &Quad| bounds.join(Outline::bounds(quad)));
        let front = if unformed { bases.len() } else { usize::from(files).min(bases.len()) };
        Self { bases, bounds, front }
    }

    /// The middle of the footprint.
    pub(crate) fn centre(&self) -> Vec2 {
        let sum = self.bases.iter().fold(Vec2::default(), |sum, quad| sum + quad.centre());
        sum * (1.0 / self.bases.len().max(1) as f64)
    }

    /// The whole, moved.
    pub(crate) fn moved(&self, by: Vec2) -> Self {
        let bases: SmallVec<[Quad; 12]> = self.bases.iter().map(|quad| quad.moved(by)).collect();
        let bounds = bases.iter().fold(Bounds::EMPTY, |bounds: Bounds, quad: &Quad| bounds.join(Outline::bounds(quad)));
        Self { bases, bounds, ..self.clone() }
    }
}

/// Several convex shapes as one.
pub(crate) struct Shapes(pub(crate) SmallVec<[Convex; 12]>);

impl Outline for Shapes {
    fn bounds(&self) -> Bounds {
        self.0.iter().fold(Bounds::EMPTY, |bounds, shape| bounds.join(shape.bounds()))
    }
    fn part_count(&self) -> usize {
        self.0.len()
    }
    fn part(&self, i: usize) -> Part<'_> {
        self.0[i].as_part()
    }
}

/// The ground within a distance of a base's front edge and no more than 45 degrees off its corners (MB-GEN-09).
pub(crate) fn front_zone(base: &Quad, depth: Length) -> Convex {
    use sabretache_table::Corner;
    let (left, right) = (base.corner(Corner::FrontLeft), base.corner(Corner::FrontRight));
    let ahead = Heading::toward(Vec2::default(), base.forward()).to_hundredths();
    let mut places: SmallVec<[Vec2; 16]> = SmallVec::new();
    places.extend([left, right]);
    for step in 0..=5 {
        let turn = 900 * step;
        let to_right = Heading::hundredths(i32::from(ahead) + turn).unit();
        let to_left = Heading::hundredths(i32::from(ahead) - turn).unit();
        places.push(right + to_right * depth.f());
        places.push(left + to_left * depth.f());
    }
    Convex::hull(&places)
}

/// All that lies within a distance of a brigade to its front; all round if it is unformed.
pub(crate) fn zone_of(brigade: &Brigade, figure: &Figure, depth: Length) -> Shapes {
    let bases = figure.bases.iter().take(figure.front);
    if brigade.formation == Formation::Unformed {
        return Shapes(bases.map(|base| Convex::grown(base.as_part(), depth.f())).collect());
    }
    Shapes(bases.map(|base| front_zone(base, depth)).collect())
}

/// Whether two outlines are within a distance, a hair's breadth forgiven (MB-GEN-08).
pub(crate) fn near(a: &impl Outline, b: &impl Outline, distance: Length) -> bool {
    let reach = (distance + HAIR).f();
    a.bounds().distance2(&b.bounds()) <= reach * reach && exact_distance(a, b) <= reach
}

impl Battle {
    pub(crate) fn brigade(&self, unit: UnitId) -> &Brigade {
        &self.units[unit.index()]
    }

    pub(crate) fn figure(&self, unit: UnitId) -> Figure {
        let brigade = self.brigade(unit);
        Figure::of(brigade, brigade.pose)
    }

    /// Everything of a side that is on the table as a unit.
    pub(crate) fn of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.all().filter(move |unit| self.brigade(*unit).side == side)
    }

    /// Everything that is on the table as a unit.
    pub(crate) fn all(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.units.iter().enumerate().filter(|(_, brigade)| brigade.is_unit()).map(|(n, _)| UnitId(n as u16))
    }

    /// What counts as enemy for distances: brigades, crewed guns, wagons and civilians of the other side (MB-GEN-14).
    pub(crate) fn enemies(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.of(side.other())
    }

    /// Whether some enemy is within a distance of an outline.
    pub(crate) fn enemy_within(&self, side: Side, outline: &impl Outline, distance: Length) -> bool {
        self.enemies(side).any(|enemy| near(outline, &self.figure(enemy), distance))
    }

    /// Whether enemy are within the six inches that so many rules ask about.
    pub(crate) fn enemy_near(&self, unit: UnitId) -> bool {
        let near = self.fixed.numbers.near.length();
        self.enemy_within(self.brigade(unit).side, &self.figure(unit), near)
    }

    /// Whether one brigade has another in its front zone within a distance.
    pub(crate) fn faces(&self, unit: UnitId, other: UnitId, depth: Length) -> bool {
        let (brigade, figure) = (self.brigade(unit), self.figure(unit));
        contact(&zone_of(brigade, &figure, depth + HAIR), &self.figure(other)) != Contact::Apart
    }

    /// Whether two brigades touch, a hair's breadth forgiven.
    pub(crate) fn touch(&self, unit: UnitId, other: UnitId) -> bool {
        near(&self.figure(unit), &self.figure(other), Length::ZERO)
    }

    /// The disc of a leader's base.
    pub(crate) fn disc(&self, leader: OfficerId) -> Convex {
        let at = self.leaders[leader.index()].at.v();
        Convex::disc(at, self.fixed.numbers.bases.leader.length().f())
    }

    /// How near to a leader's edge a brigade stands.
    pub(crate) fn leader_reaches(&self, leader: OfficerId, unit: UnitId, distance: Length) -> bool {
        let at = Convex::place(self.leaders[leader.index()].at.v());
        near(&at, &self.figure(unit), distance + self.fixed.numbers.bases.leader.length())
    }

    /// Sideways from a side's own right edge, in micrometres: less is further right (MB-SEQ-05).
    pub(crate) fn off_right(&self, side: Side, place: Vec2) -> i64 {
        let facing = self.fixed.facing[side.index()];
        -(place.dot(facing.unit().right()) as i64)
    }

    /// The units of a side from its right to its left; equal: nearer the enemy's edge first.
    pub(crate) fn right_to_left(&self, side: Side) -> Vec<UnitId> {
        let facing = self.fixed.facing[side.index()].unit();
        let mut units: Vec<(i64, i64, UnitId)> = self
            .of(side)
            .map(|unit| {
                let centre = self.figure(unit).centre();
                (self.off_right(side, centre), -(centre.dot(facing) as i64), unit)
            })
            .collect();
        units.sort_unstable();
        units.into_iter().map(|(_, _, unit)| unit).collect()
    }

    /// Whether a brigade is in close combat (MB-MOV-07, MB-FOO-01, MB-GUN-01).
    pub(crate) fn in_combat(&self, unit: UnitId) -> bool {
        self.enemies(self.brigade(unit).side).any(|enemy| self.fights(unit, enemy))
    }

    /// Whether two enemies are in close combat: foot within an inch of what they face, cavalry in contact.
    pub(crate) fn fights(&self, unit: UnitId, enemy: UnitId) -> bool {
        let reach = self.fixed.numbers.musketry.length();
        let (a, b) = (self.brigade(unit), self.brigade(enemy));
        if a.is_routing() || b.is_routing() || !near(&self.figure(unit), &self.figure(enemy), reach) {
            return false;
        }
        let shoots = |who: UnitId, at: UnitId| self.brigade(who).kind.is_foot() && self.faces(who, at, reach);
        if shoots(unit, enemy) || shoots(enemy, unit) {
            return true;
        }
        (a.kind.is_cavalry() || b.kind.is_cavalry()) && (a.is_brigade() || b.is_brigade()) && self.touch(unit, enemy)
    }

    /// Whether a brigade is pinned by close combat: it has enemy foot in front, or touches (MB-MOV-07).
    pub(crate) fn pinned(&self, unit: UnitId) -> bool {
        let reach = self.fixed.numbers.musketry.length();
        let brigade = self.brigade(unit);
        self.enemies(brigade.side).any(|enemy| {
            let foot = self.brigade(enemy).kind.is_foot() || brigade.kind.is_foot();
            let faced = foot && !self.brigade(enemy).is_routing() && self.faces(unit, enemy, reach);
            faced || (self.fights(unit, enemy) && self.touch(unit, enemy))
        })
    }

    /// Under fire (MB-GEN-15).
    pub(crate) fn under_fire(&self, unit: UnitId) -> bool {
        let reach = self.fixed.numbers.musketry.length();
        let brigade = self.brigade(unit);
        brigade.marks.shot_at
            || self.enemies(brigade.side).any(|enemy| {
                let foe = self.brigade(enemy);
                foe.kind.is_foot() && !foe.is_routing() && self.faces(enemy, unit, reach)
            })
    }
}
