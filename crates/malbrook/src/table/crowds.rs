//! Crowds whose bases do not stand in even rows: each has a place of its own, in one chain (MB-FRM-06, MB-MOV-29).

use crate::phases::merging;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{Length, Point, Pose, Quad, Vec2, exact_distance, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::{MB_FRM_06, MB_MOV_32};
use crate::event::Event;
use crate::phases::harm::Play;
use crate::table::lay::{Figure, HAIR};

/// As many bases as the largest brigade has (MB-UNI-05).
const MOST: usize = 12;

/// The middles of a crowd's bases, each as it lies from the brigade's own place. A crowd that moves as one keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    many: u8,
    off: [Point; MOST],
}

impl Places {
    /// Places on the table as they lie from a brigade's own; nothing for more bases than the largest brigade has.
    pub(crate) fn of(at: Point, places: &[Point]) -> Option<Self> {
        let mut off = [Point::default(); MOST];
        if places.is_empty() || places.len() > MOST {
            return None;
        }
        for (off, place) in off.iter_mut().zip(places) {
            *off = Point::new(place.x - at.x, place.y - at.y);
        }
        Some(Self { many: places.len() as u8, off })
    }

    /// How many bases.
    pub(crate) fn count(&self) -> u8 {
        self.many
    }

    /// The middles of the bases of a brigade that is there.
    pub(crate) fn on_table(&self, at: Point) -> impl Iterator<Item = Point> + '_ {
        self.off[..usize::from(self.many)].iter().map(move |off| Point::new(at.x + off.x, at.y + off.y))
    }
}

impl Brigade {
    /// The brigade as a crowd whose bases have these middles; its own place is the middle of their front.
    pub(crate) fn scattered(&self, places: &[Point]) -> Self {
        let forward = self.pose.heading.unit();
        let along = |way: Vec2| {
            let all = places.iter().map(|place| place.v().dot(way));
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((_, front), (left, right)) = (along(forward), along(forward.right()));
        let middle = forward.right() * left.midpoint(right) + forward * (front + self.depth.f() / 2.0);
        let at = if places.is_empty() { self.pose.at } else { Point::rounded(middle) };
        let bases = places.len() as u8;
        let pose = Pose::new(at, self.pose.heading);
        Self { bases, files: bases, pose, places: Places::of(at, places), ..*self }
    }

    /// One base of a crowd as a body of its own, with its middle at a place.
    pub(crate) fn lone_base(&self, middle: Point) -> Self {
        Self {
            bases: 1,
            files: 1,
            pose: Pose::new(middle, self.pose.heading),
            places: Places::of(middle, &[middle]),
            ..*self
        }
    }
}

impl Figure {
    /// The middles of the bases, to the whole micrometre.
    pub(crate) fn middles(&self) -> SmallVec<[Point; 12]> {
        self.bases.iter().map(|base| Point::rounded(base.centre())).collect()
    }
}

/// Which of some bases hang together, none further than a gap from the next: their group, by base (MB-FRM-06).
pub(crate) fn groups(bases: &[Quad], gap: Length) -> SmallVec<[u8; 12]> {
    let mut group: SmallVec<[u8; 12]> = SmallVec::from_elem(u8::MAX, bases.len());
    let reach = (gap + HAIR).f();
    let mut found = 0;
    while let Some(first) = group.iter().position(|one| *one == u8::MAX) {
        group[first] = found;
        let mut open: SmallVec<[usize; 12]> = SmallVec::from_slice(&[first]);
        while let Some(one) = open.pop() {
            for other in 0..bases.len() {
                if group[other] == u8::MAX && exact_distance(&bases[one], &bases[other]) <= reach {
                    group[other] = found;
                    open.push(other);
                }
            }
        }
        found += 1;
    }
    group
}

/// Whether bases form one chain (MB-FRM-06).
pub(crate) fn is_chain(bases: &[Quad], gap: Length) -> bool {
    decides!(MB_FRM_06);
    groups(bases, gap).iter().all(|one| *one == 0)
}

/// Whether bases stand apart from each other, as those of a crowd do.
pub(crate) fn stand_apart(bases: &[Quad]) -> bool {
    let apart = |one: &Quad, other: &Quad| exact_distance(one, other) >= HAIR.half().f() && !overlapping(one, other);
    bases.iter().enumerate().all(|(n, one)| bases[..n].iter().all(|other| apart(one, other)))
}

impl Battle {
    /// How far the bases of a crowd may stand apart.
    pub(crate) fn loose_gap(&self) -> Length {
        self.fixed.numbers.loose_gap.length()
    }

    /// The crowd after a loss: the base furthest from the enemy who caused it goes, or from the nearest where nobody in
    /// particular did, as long as the rest hang together (MB-MOR-04, MB-FRM-06).
    pub(crate) fn without_furthest(&self, unit: UnitId, by: Option<UnitId>) -> Option<Brigade> {
        let brigade = self.brigade(unit);
        let figure = Figure::of(brigade, brigade.pose);
        if !brigade.is_unformed() || figure.bases.len() < 2 || figure.bases.len() > MOST {
            return None;
        }
        let nearest = || self.enemies(brigade.side).min_by_key(|enemy| (self.apart(unit, *enemy), *enemy));
        let foe = by.or_else(nearest).map(|enemy| self.figure(enemy));
        // Of equals, the one furthest from his middle.
        let off = |base: &Quad| {
            let far = |foe: &Figure| (exact_distance(base, foe) as i64, (base.centre() - foe.centre()).length() as i64);
            foe.map_or((0, 0), far)
        };
        let mut order: SmallVec<[_; 12]> =
            figure.bases.iter().enumerate().map(|(n, base)| (std::cmp::Reverse(off(base)), n)).collect();
        order.sort_unstable();
        let rest = |gone: usize| -> SmallVec<[Quad; 12]> {
            figure.bases.iter().enumerate().filter(|(n, _)| *n != gone).map(|(_, base)| *base).collect()
        };
        let (_, gone) = order.iter().find(|(_, gone)| is_chain(&rest(*gone), self.loose_gap()))?;
        let mut middles = figure.middles();
        middles.remove(*gone);
        Some(brigade.scattered(&middles))
    }

    /// How far two units are apart.
    pub(crate) fn apart(&self, unit: UnitId, other: UnitId) -> Length {
        sabretache_table::distance(self.figure(unit), self.figure(other))
    }

    /// The bases of a crowd by their numbers, from its right.
    pub(crate) fn rightmost(&self, unit: UnitId) -> SmallVec<[u8; 12]> {
        let (figure, right) = (self.figure(unit), self.brigade(unit).pose.heading.unit().right());
        let mut order: SmallVec<[(i64, u8); 12]> =
            figure.bases.iter().zip(0..).map(|(base, n)| (-(base.centre().dot(right) as i64), n)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, n)| n).collect()
    }

    /// How many bases may leave a crowd from its right so that both parts hang together: the longest run of numbers that
    /// all will do (MB-MOV-32, MB-FRM-06).
    pub(crate) fn crowd_split(&self, unit: UnitId) -> Result<(i32, i32), Refusal> {
        let (figure, order) = (self.figure(unit), self.rightmost(unit));
        let of = |numbers: &[u8]| -> SmallVec<[Quad; 12]> {
            numbers.iter().map(|n| figure.bases[usize::from(*n)]).collect()
        };
        let parts = |many: i32| {
            let (leave, stay) = order.split_at(many as usize);
            is_chain(&of(leave), self.loose_gap()) && is_chain(&of(stay), self.loose_gap())
        };
        let mut best: Option<(i32, i32)> = None;
        let mut from = None;
        for many in 1..=order.len() as i32 {
            let good = many < order.len() as i32 && parts(many);
            match (good, from) {
                (true, None) => from = Some(many),
                (false, Some(first)) => {
                    if best.is_none_or(|(least, most)| many - 1 - first > most - least) {
                        best = Some((first, many - 1));
                    }
                    from = None;
                }
                _ => {}
            }
        }
        best.ok_or_else(|| Refusal::new(MB_MOV_32, "its bases would no longer hang together: it draws together first"))
    }

    /// What must hold of a crowd: its bases stand apart and in one chain.
    pub(crate) fn check_crowd(&self, brigade: &Brigade, figure: &Figure) -> Result<(), &'static str> {
        match brigade.places {
            None => Ok(()),
            Some(_) if !brigade.is_unformed() => Err("is formed, and its bases stand where they like"),
            Some(places) if places.count() != brigade.bases => Err("has not as many places as bases"),
            Some(_) if !stand_apart(&figure.bases) => Err("has bases on top of each other"),
            Some(_) if !is_chain(&figure.bases, self.loose_gap()) => Err("has bases too far apart"),
            Some(_) => Ok(()),
        }
    }
}

/// A crowd of which some bases are barred and some are not comes apart, each part a chain; none of them moves for it.
/// Which parts they are, and whether each is barred.
pub(crate) fn come_apart(play: &mut Play<'_>, unit: UnitId, barred: &[bool]) -> Vec<(UnitId, bool)> {
    let battle = play.battle();
    let (brigade, figure) = (*battle.brigade(unit), battle.figure(unit));
    let gap = battle.loose_gap();
    let mut parts: Vec<(Vec<u8>, bool)> = Vec::new();
    for wanted in [false, true] {
        let those: SmallVec<[u8; 12]> =
            (0..figure.bases.len() as u8).filter(|n| barred.get(usize::from(*n)) == Some(&wanted)).collect();
        let bases: SmallVec<[Quad; 12]> = those.iter().map(|n| figure.bases[usize::from(*n)]).collect();
        let group = groups(&bases, gap);
        for number in 0..=group.iter().copied().max().unwrap_or(0) {
            let of = those.iter().zip(&group).filter(|(_, one)| **one == number).map(|(n, _)| *n);
            let of: Vec<u8> = of.collect();
            if !of.is_empty() {
                parts.push((of, wanted));
            }
        }
    }
    // From left to right, as a line comes apart.
    let right = brigade.pose.heading.unit().right();
    let from_left = |bases: &[u8]| {
        let off = |n: &u8| figure.bases[usize::from(*n)].centre().dot(right) as i64;
        bases.iter().map(off).min().unwrap_or(0)
    };
    parts.sort_by_key(|(bases, _)| from_left(bases));
    // The first part keeps the name; the others leave it one by one, as long as there are names for them, and in such an order that
    // what is left hangs together until the last has gone.
    let mut found = vec![(unit, parts.first().is_some_and(|(_, barred)| *barred))];
    let all: SmallVec<[Quad; 12]> = figure.bases.iter().copied().collect();
    let mut left: Vec<u8> = (0..all.len() as u8).collect();
    let first = merging::parts_of(battle, brigade.entry) + 1;
    let mut leaving: Vec<(u8, (Vec<u8>, bool))> = (first..).zip(parts.into_iter().skip(1)).collect();
    while !leaving.is_empty() {
        let whole = |bases: &[u8]| {
            let rest = left.iter().filter(|n| !bases.contains(n)).map(|n| all[usize::from(*n)]);
            is_chain(&rest.collect::<SmallVec<[Quad; 12]>>(), gap)
        };
        let next = leaving.iter().position(|(_, (bases, _))| whole(bases)).unwrap_or(0);
        let (part, (bases, barred)) = leaving.remove(next);
        let stays: Vec<u8> =
            bases.iter().filter_map(|n| left.iter().position(|one| one == n)).map(|n| n as u8).collect();
        left.retain(|n| !bases.contains(n));
        play.happen(Event::CameApart { unit, part, stays });
        found.push((UnitId(play.battle().units.len() as u16 - 1), barred));
    }
    found
}
