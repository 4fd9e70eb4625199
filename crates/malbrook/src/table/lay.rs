//! How brigades lie on the table: their bases, their front zones, who is near whom.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::phases::options;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{
    Bounds, Contact, Convex, Corner, Length, Outline, Part, Pose, Quad, Vec2, contact, exact_distance,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Brigade, Refused, Status};
use crate::clauses::{
    MB_FOO_01, MB_FOO_04, MB_FOO_06, MB_FRM_05, MB_GEN_08, MB_GEN_09, MB_GEN_14, MB_GEN_15, MB_GEN_16, MB_GUN_07,
};
use crate::table::crowds::Places;
use crate::table::memo::Fact;
use crate::troops::{Formation, Kind};

mod zones;

pub(crate) use zones::{all_round, base_zone, disc, zone_of};

/// The gap between the bases of an unformed brigade (MB-FRM-06).
pub(crate) const LOOSE: Length = Length::inch_fraction(1, 4);
/// How much two distances may differ and still be the same (MB-GEN-08).
pub(crate) const HAIR: Length = Length::inch_fraction(1, 100);

/// The bases of a brigade where they lie, front rank first, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) bases: SmallVec<[Quad; 12]>,
    /// The same ground in as few rectangles as can be: bases that touch are one.
    blocks: SmallVec<[Quad; 4]>,
    pub(crate) bounds: Bounds,
    centre: Vec2,
    /// How many of the bases are the front rank.
    pub(crate) front: usize,
    /// What it was laid out from.
    shape: Shape,
    /// The ground within musket range to its front: of the whole, and of each base. It follows from the rest, and copies of the battle
    /// in which the brigade stands as it does share it.
    ahead: OnceLock<Box<(Length, Shapes)>>,
    each: OnceLock<Box<(Length, Shapes)>>,
}

/// What the figure of a brigade, and what is known of its surroundings, depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    pose: Pose,
    bases: u8,
    files: u8,
    formation: Formation,
    width: Length,
    depth: Length,
    refused: Option<Refused>,
    places: Option<Places>,
    kind: Kind,
    status: Status,
    side: Side,
    known: bool,
}

impl Shape {
    fn of(brigade: &Brigade, pose: Pose) -> Self {
        let Brigade { bases, files, formation, width, depth, refused, places, kind, status, side, known, .. } =
            *brigade;
        Self { pose, bases, files, formation, width, depth, refused, places, kind, status, side, known }
    }
}

impl Outline for Figure {
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn part_count(&self) -> usize {
        self.blocks.len()
    }
    fn part(&self, i: usize) -> Part<'_> {
        self.blocks[i].as_part()
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
        let mut bases: SmallVec<[Quad; 12]> = SmallVec::new();
        let mut blocks: SmallVec<[Quad; 4]> = SmallVec::new();
        if let Some(places) = brigade.places.filter(|places| unformed && places.count() == brigade.bases) {
            for middle in places.on_table(pose.at) {
                let half = depth / 2.0;
                bases.push(Quad::new(middle.v(), forward, width / 2.0, width / 2.0, half, half));
            }
            blocks.extend(bases.iter().copied());
            let front = bases.len();
            return Self::made(bases, blocks, front, Shape::of(brigade, pose));
        }
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
        match brigade.refused {
            Some(refused) => {
                refused.lay(&mut bases, brigade.width.f());
                blocks.extend(bases.iter().copied());
            }
            None if unformed => blocks.extend(bases.iter().copied()),
            None => {
                // Full ranks are one rectangle, a shorter last one another.
                let (whole, rest) = (brigade.bases / files, brigade.bases % files);
                let block = |count: u8, from: f64, ranks: u8| {
                    let half = width * f64::from(count) / 2.0;
                    Quad::new(pose.at.v() - forward * from, forward, half, half, 0.0, depth * f64::from(ranks))
                };
                if whole > 0 {
                    blocks.push(block(files, 0.0, whole));
                }
                if rest > 0 {
                    blocks.push(block(rest, depth * f64::from(whole), 1));
                }
            }
        }
        let front = if unformed { bases.len() } else { usize::from(files).min(bases.len()) };
        Self::made(bases, blocks, front, Shape::of(brigade, pose))
    }

    fn made(bases: SmallVec<[Quad; 12]>, blocks: SmallVec<[Quad; 4]>, front: usize, shape: Shape) -> Self {
        let bounds = blocks.iter().fold(Bounds::EMPTY, |all: Bounds, quad: &Quad| all.join(Outline::bounds(quad)));
        let sum = bases.iter().fold(Vec2::default(), |sum, quad| sum + quad.centre());
        let centre = sum * (1.0 / bases.len().max(1) as f64);
        Self { bases, blocks, bounds, centre, front, shape, ahead: OnceLock::new(), each: OnceLock::new() }
    }

    /// Whether this is the figure of a brigade as it stands.
    pub(crate) fn is_of(&self, brigade: &Brigade) -> bool {
        self.shape == Shape::of(brigade, brigade.pose)
    }

    /// The middle of the footprint.
    pub(crate) fn centre(&self) -> Vec2 {
        self.centre
    }

    /// The whole, moved.
    pub(crate) fn moved(&self, by: Vec2) -> Self {
        let bases = self.bases.iter().map(|quad| quad.moved(by)).collect();
        let blocks = self.blocks.iter().map(|quad| quad.moved(by)).collect();
        Self::made(bases, blocks, self.front, self.shape)
    }

    /// The bases of the front rank.
    pub(crate) fn front_rank(&self) -> &[Quad] {
        &self.bases[..self.front.min(self.bases.len())]
    }

    /// The front zones of the bases of its front rank, one each; those of the first depth that is asked for are kept.
    pub(crate) fn base_zones(&self, depth: Length) -> Cow<'_, Shapes> {
        let laid = || Shapes(self.front_rank().iter().map(|base| base_zone(base, depth)).collect());
        let kept = self.each.get_or_init(|| Box::new((depth, laid())));
        if kept.0 == depth { Cow::Borrowed(&kept.1) } else { Cow::Owned(laid()) }
    }

    /// All that lies within a distance of a brigade to its front, likewise.
    fn zone(&self, brigade: &Brigade, depth: Length) -> Cow<'_, Shapes> {
        let kept = self.ahead.get_or_init(|| Box::new((depth, zone_of(brigade, self, depth))));
        if kept.0 == depth { Cow::Borrowed(&kept.1) } else { Cow::Owned(zone_of(brigade, self, depth)) }
    }
}

/// Several convex shapes as one.
#[derive(Clone, Debug)]
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

/// Whether two outlines are within a distance, a hair's breadth forgiven (MB-GEN-08).
pub(crate) fn near(a: &impl Outline, b: &impl Outline, distance: Length) -> bool {
    let reach = (distance + HAIR).f();
    a.bounds().distance2(&b.bounds()) <= reach * reach && exact_distance(a, b) <= reach
}

impl Battle {
    pub(crate) fn brigade(&self, unit: UnitId) -> &Brigade {
        &self.units[unit.index()]
    }

    pub(crate) fn figure(&self, unit: UnitId) -> &Figure {
        self.memo.figure(unit)
    }

    /// The units within a distance of a box, and perhaps a few more.
    pub(crate) fn around(&self, bounds: Bounds, distance: Length) -> impl Iterator<Item = UnitId> + '_ {
        self.memo.near(bounds, (distance + HAIR * 2).f())
    }

    /// The enemies within a distance of a box, and perhaps a few more.
    pub(crate) fn enemies_around(
        &self,
        side: Side,
        bounds: Bounds,
        distance: Length,
    ) -> impl Iterator<Item = UnitId> + '_ {
        self.around(bounds, distance).filter(move |unit| self.brigade(*unit).side != side)
    }

    /// The friends of a side within a distance of a box, and perhaps a few more.
    pub(crate) fn friends_around(
        &self,
        side: Side,
        bounds: Bounds,
        distance: Length,
    ) -> impl Iterator<Item = UnitId> + '_ {
        self.around(bounds, distance).filter(move |unit| self.brigade(*unit).side == side)
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
        decides!(MB_GEN_08, MB_GEN_14);
        self.enemies_around(side, outline.bounds(), distance)
            .any(|enemy| options::is_known(self, enemy) && near(outline, self.figure(enemy), distance))
    }

    /// The same of the round base of a leader or messenger. The base is drawn only where its being round could matter.
    pub(crate) fn enemy_within_of_rider(&self, side: Side, at: sabretache_table::Point, distance: Length) -> bool {
        let (place, radius) = (Convex::place(at.v()), self.fixed.numbers.bases.leader.length());
        let reach = (distance + HAIR).f();
        let disc = std::cell::OnceCell::new();
        let close = |enemy: UnitId| {
            let figure = self.figure(enemy);
            let off = exact_distance(&place, figure);
            if off > reach + radius.f() + 1.0 {
                return false;
            }
            // The base as it is drawn holds a circle of 0.98 of its radius.
            off < reach + radius.f() * 0.98 - 1.0 || near(disc.get_or_init(|| self.disc_at(at)), figure, distance)
        };
        let around = Bounds { min: at.v(), max: at.v() };
        self.enemies_around(side, around, distance + radius + Length::mm(1))
            .any(|enemy| options::is_known(self, enemy) && close(enemy))
    }

    /// Whether enemy are within the six inches that so many rules ask about.
    pub(crate) fn enemy_near(&self, unit: UnitId) -> bool {
        self.memo.fact(unit, Fact::EnemyNear, || {
            self.enemy_within(self.brigade(unit).side, self.figure(unit), self.fixed.numbers.near.length())
        })
    }

    /// Whether one brigade has another in its front zone within a distance.
    pub(crate) fn faces(&self, unit: UnitId, other: UnitId, depth: Length) -> bool {
        let (brigade, figure, foe) = (self.brigade(unit), self.figure(unit), self.figure(other));
        let reach = (depth + HAIR * 2).f();
        figure.bounds.distance2(&foe.bounds) <= reach * reach
            && contact(&*figure.zone(brigade, depth + HAIR), foe) != Contact::Apart
    }

    /// Whether two brigades touch, a hair's breadth forgiven.
    pub(crate) fn touch(&self, unit: UnitId, other: UnitId) -> bool {
        near(self.figure(unit), self.figure(other), Length::ZERO)
    }

    /// The disc of a leader's base.
    pub(crate) fn disc(&self, leader: OfficerId) -> Convex {
        self.disc_at(self.leaders[leader.index()].at)
    }

    /// The disc of a leader's or messenger's base at a place.
    pub(crate) fn disc_at(&self, at: sabretache_table::Point) -> Convex {
        disc(at.v(), self.fixed.numbers.bases.leader.length())
    }

    /// How near to a leader's edge a brigade stands.
    pub(crate) fn leader_reaches(&self, leader: OfficerId, unit: UnitId, distance: Length) -> bool {
        let at = self.leaders[leader.index()].at.v();
        let reach = distance + self.fixed.numbers.bases.leader.length();
        let far = (reach + HAIR).f();
        // Most are nowhere near.
        Bounds { min: at, max: at }.distance2(&self.figure(unit).bounds) <= far * far
            && near(&Convex::place(at), self.figure(unit), reach)
    }

    /// Sideways from a side's own right edge, in micrometres: less is further right (MB-SEQ-05).
    pub(crate) fn off_right(&self, side: Side, place: Vec2) -> i64 {
        decides!(MB_GEN_16);
        let facing = self.fixed.facing[side.index()];
        -(place.dot(facing.unit().right()) as i64)
    }

    /// The units of a side from its right to its left; equal: nearer the enemy's edge first.
    pub(crate) fn right_to_left(&self, side: Side) -> std::sync::Arc<[UnitId]> {
        self.memo.order(side, || {
            let facing = self.fixed.facing[side.index()].unit();
            let place = |unit: UnitId| {
                let centre = self.figure(unit).centre();
                (self.off_right(side, centre), -(centre.dot(facing) as i64), unit)
            };
            let mut units: Vec<(i64, i64, UnitId)> = self.of(side).map(place).collect();
            units.sort_unstable();
            units.into_iter().map(|(_, _, unit)| unit).collect()
        })
    }

    /// The enemies within musket range of a brigade, and perhaps a few more.
    pub(crate) fn close_enemies(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        decides!(MB_FOO_01);
        let reach = self.fixed.numbers.musketry.length();
        self.enemies_around(self.brigade(unit).side, self.figure(unit).bounds, reach)
    }

    /// Whether a brigade is in close combat (MB-MOV-07, MB-FOO-01, MB-GUN-01).
    pub(crate) fn in_combat(&self, unit: UnitId) -> bool {
        self.memo.fact(unit, Fact::InCombat, || self.close_enemies(unit).any(|enemy| self.fights(unit, enemy)))
    }

    /// Whether two enemies are in close combat: foot within an inch of what they face, cavalry in contact.
    pub(crate) fn fights(&self, unit: UnitId, enemy: UnitId) -> bool {
        let reach = self.fixed.numbers.musketry.length();
        let (a, b) = (self.brigade(unit), self.brigade(enemy));
        if a.is_routing() || b.is_routing() || !near(self.figure(unit), self.figure(enemy), reach) {
            return false;
        }
        // Fire into the flank of those who pass is no close combat, as long as nobody touches (MB-FOO-04), nor is it one
        // to be before the same foot still in the turn after, unless facing them (MB-FOO-06).
        let passes = a.marks.suffered.volley == Some(enemy) || b.marks.suffered.volley == Some(unit);
        let passes_on = |who: UnitId, foot: UnitId| {
            if self.brigade(who).spared != Some(foot) {
                return false;
            }
            decides!(MB_FOO_06);
            !self.faces(who, foot, reach)
        };
        if passes || passes_on(unit, enemy) || passes_on(enemy, unit) {
            decides!(MB_FOO_04);
            if !self.touch(unit, enemy) {
                return false;
            }
        }
        let shoots = |who: UnitId, at: UnitId| self.brigade(who).kind.is_foot() && self.faces(who, at, reach);
        if shoots(unit, enemy) || shoots(enemy, unit) {
            return true;
        }
        if !(a.kind.is_cavalry() || b.kind.is_cavalry()) || !(a.is_brigade() || b.is_brigade()) {
            return false;
        }
        self.touch(unit, enemy)
    }

    /// Whether cavalry fight foot over a gun: they touch it, and the foot stand within an inch behind it (MB-GUN-07).
    pub(crate) fn gun_between(&self, cavalry: UnitId, foot: UnitId) -> Option<UnitId> {
        decides!(MB_GUN_07);
        let (horse, behind) = (self.brigade(cavalry), self.brigade(foot));
        if !horse.kind.is_cavalry() || !behind.kind.is_foot() || horse.is_routing() || behind.is_routing() {
            return None;
        }
        let inch = self.fixed.numbers.musketry.length();
        self.close_enemies(cavalry).find(|gun| {
            let model = self.brigade(*gun);
            let ahead = model.pose.at.v() - behind.pose.at.v();
            model.kind.is_gun()
                && self.touch(cavalry, *gun)
                && near(self.figure(*gun), self.figure(foot), inch)
                && ahead.dot(behind.pose.heading.unit()) > 0.0
        })
    }

    /// Whether two enemies take part in one combat: in close combat, or over a gun.
    pub(crate) fn meets(&self, unit: UnitId, enemy: UnitId) -> bool {
        self.fights(unit, enemy) || self.gun_between(unit, enemy).is_some() || self.gun_between(enemy, unit).is_some()
    }

    /// Whether a brigade is pinned by close combat: it has enemy foot in front, or touches (MB-MOV-07).
    pub(crate) fn pinned(&self, unit: UnitId) -> bool {
        self.memo.fact(unit, Fact::Pinned, || {
            let reach = self.fixed.numbers.musketry.length();
            let brigade = self.brigade(unit);
            // A wagon holds nobody, though friends at hand keep it from being taken (MB-UNI-13).
            self.close_enemies(unit).filter(|enemy| self.brigade(*enemy).kind != Kind::Wagon).any(|enemy| {
                let foot = self.brigade(enemy).kind.is_foot() || brigade.kind.is_foot();
                let faced = foot && !self.brigade(enemy).is_routing() && self.faces(unit, enemy, reach);
                faced || (self.fights(unit, enemy) && self.touch(unit, enemy))
            })
        })
    }

    /// Under fire (MB-GEN-15).
    pub(crate) fn under_fire(&self, unit: UnitId) -> bool {
        decides!(MB_GEN_15);
        self.brigade(unit).marks.suffered.shot_at
            || self.memo.fact(unit, Fact::Faced, || {
                let reach = self.fixed.numbers.musketry.length();
                self.close_enemies(unit).any(|enemy| {
                    let foe = self.brigade(enemy);
                    foe.kind.is_foot() && !foe.is_routing() && self.faces(enemy, unit, reach)
                })
            })
    }
}
