//! Works, walls, hedgerows and abatis in the way: where they are broken, whom they bar, what they cost.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_table::{Bounds, Convex, Length, Outline, Placed, Segment, Vec2, exact_distance, holds, overlapping};
use smallvec::SmallVec;

use crate::battle::{Battle, Facts, Kind, Unit};
use crate::clauses::*;
use crate::table::NEAR;
use crate::terrain::Kinds;
use crate::terrain::barriers::*;

impl Battle {
    pub(crate) fn barrier_of(&self, ground: u16) -> Option<&Barrier> {
        self.fixed.barriers.iter().find(|barrier| barrier.ground == ground)
    }

    pub(crate) fn barriers_near(&self, bounds: Bounds) -> impl Iterator<Item = &Barrier> {
        self.fixed.barriers.iter().filter(move |barrier| barrier.bounds.meets(&bounds))
    }

    /// Whether a barrier is broken so far along it.
    pub(crate) fn broken_at(&self, barrier: &Barrier, at: f64) -> bool {
        let holds = |gap: &&Break| gap.ground == barrier.ground && gap.from.f() <= at && at <= gap.to.f();
        self.breaks.iter().any(|gap| holds(&gap))
    }

    /// The straight stretches of a barrier, standing and broken.
    pub(crate) fn stretches(&self, barrier: &Barrier) -> SmallVec<[Stretch; 8]> {
        let mut found = SmallVec::new();
        for leg in &barrier.legs {
            let length = (leg.b - leg.a).length();
            let along = (leg.b - leg.a) * (1.0 / length.max(1.0));
            let mut stops: SmallVec<[f64; 8]> = SmallVec::from_slice(&[0.0, length]);
            for gap in self.breaks.iter().filter(|gap| gap.ground == barrier.ground) {
                stops.extend(
                    [gap.from.f() - leg.from, gap.to.f() - leg.from]
                        .into_iter()
                        .filter(|at| (0.0..=length).contains(at)),
                );
            }
            stops.sort_by(f64::total_cmp);
            stops.dedup_by(|a, b| (*a - *b).abs() < 1.0);
            for pair in stops.windows(2) {
                let standing = !self.broken_at(barrier, leg.from + (pair[0] + pair[1]) / 2.0);
                found.push(Stretch { line: Segment::new(leg.a + along * pair[0], leg.a + along * pair[1]), standing });
            }
        }
        found
    }

    /// The ground that a stretch covers.
    fn body_of(barrier: &Barrier, stretch: &Stretch) -> Convex {
        if barrier.half == 0.0 {
            return Convex::segment(stretch.line);
        }
        let side = (stretch.line.b - stretch.line.a).unit().right() * barrier.half;
        let Segment { a, b } = stretch.line;
        Convex::hull(&[a + side, b + side, b - side, a - side])
    }

    /// What a stretch does to a unit (BB-HED-04, BB-HED-06, BB-ABA-01, BB-FLD-04, BB-FLD-10, BB-OPT-93, BB-OPT-95).
    pub(crate) fn passage(&self, barrier: &Barrier, standing: bool, unit: &Unit, facts: &Facts) -> Passage {
        decides!(BB_HED_04, BB_HED_06, BB_ABA_01, BB_FLD_04, BB_FLD_10, BB_OPT_93, BB_OPT_95);
        let thin = self.numbers().thin.within.0.f();
        let foot = unit.on_foot(facts);
        match (barrier.kind, standing) {
            (Kinds::Hedgerow, true) => Passage::Barred(BB_HED_04),
            (Kinds::Hedgerow, false) => Passage::Toll(thin, BB_HED_06),
            (Kinds::Abatis, true) => Passage::Barred(BB_ABA_01),
            (Kinds::LightWorks, false) => Passage::Toll(thin, BB_FLD_10),
            (Kinds::LightWorks | Kinds::HeavyWorks, _) if foot => {
                let ranks = f64::from(if unit.away { 1 } else { unit.deep(facts) });
                Passage::Toll(self.numbers().works_cost.within.0.f() * ranks, BB_FLD_04)
            }
            (Kinds::LightWorks | Kinds::HeavyWorks, _) => Passage::Barred(BB_FLD_04),
            (Kinds::CityWall, true) if unit.climbs => {
                decides!(BB_OPT_98);
                Passage::Toll(self.numbers().breach.cost.0.f(), BB_OPT_98)
            }
            (Kinds::CityWall, true) => Passage::Barred(BB_OPT_93),
            (Kinds::CityWall, false) if matches!(facts.kind, Kind::Foot { .. }) => {
                Passage::Toll(self.numbers().breach.cost.0.f(), BB_OPT_95)
            }
            (Kinds::CityWall, false) => Passage::Barred(BB_OPT_95),
            _ => Passage::Free,
        }
    }

    /// A barrier that an outline lies across and that the unit may not cross.
    pub(crate) fn barred_by_line(&self, unit: &Unit, facts: &Facts, placed: &Placed) -> Option<Clause> {
        for barrier in self.barriers_near(placed.bounds()) {
            for stretch in self.stretches(barrier) {
                if let Passage::Barred(clause) = self.passage(barrier, stretch.standing, unit, facts)
                    && overlapping(&Self::body_of(barrier, &stretch), placed)
                {
                    return Some(clause);
                }
            }
        }
        None
    }

    /// The barriers that stand in the way of a unit, as walls.
    pub(crate) fn lines_that_bar(&self, unit: &Unit, facts: &Facts) -> Vec<Convex> {
        let mut found = Vec::new();
        for barrier in &self.fixed.barriers {
            for stretch in self.stretches(barrier) {
                if matches!(self.passage(barrier, stretch.standing, unit, facts), Passage::Barred(_)) {
                    found.push(Self::body_of(barrier, &stretch));
                }
            }
        }
        found
    }

    /// Where a straight move meets barriers: stretches that bar it, and tolls paid as the middle of the front crosses.
    #[expect(clippy::too_many_arguments, reason = "the two lists are filled together")]
    pub(crate) fn barrier_pieces(
        &self,
        unit: &Unit,
        facts: &Facts,
        placed: &Placed,
        way: Vec2,
        max: f64,
        found: &mut SmallVec<[(f64, f64, u8, Clause); 8]>,
        tolls: &mut SmallVec<[(f64, f64); 4]>,
    ) {
        let corridor = placed.bounds().swept(way * max);
        let from = placed.pose().at.v();
        let mut met = SmallVec::new();
        for barrier in self.barriers_near(corridor) {
            for stretch in self.stretches(barrier) {
                if let Passage::Barred(clause) = self.passage(barrier, stretch.standing, unit, facts) {
                    sabretache_table::meetings(placed, way, max, &Self::body_of(barrier, &stretch), &mut met);
                    found.extend(met.iter().map(|one| (one.from.max(0.0), one.to.min(max), 0, clause)));
                }
            }
            for (share, at) in barrier.crossings(from, from + way * max) {
                let standing = !self.broken_at(barrier, at);
                if let Passage::Toll(toll, _) = self.passage(barrier, standing, unit, facts) {
                    tolls.push((share * max, toll));
                }
            }
        }
    }

    /// What the middle of a front pays for the barriers between two places.
    pub(crate) fn tolls_between(&self, unit: &Unit, facts: &Facts, from: Vec2, to: Vec2) -> Length {
        let mut sum = 0.0;
        for barrier in self.barriers_near(Bounds::of(&[from, to])) {
            for (_, at) in barrier.crossings(from, to) {
                let standing = !self.broken_at(barrier, at);
                if let Passage::Toll(toll, _) = self.passage(barrier, standing, unit, facts) {
                    sum += toll;
                }
            }
        }
        Length::rounded(sum)
    }

    /// The first standing barrier on a rider's way.
    pub(crate) fn rider_stops(&self, from: Vec2, to: Vec2) -> Option<f64> {
        let length = (to - from).length();
        let mut first: Option<f64> = None;
        for barrier in self.barriers_near(Bounds::of(&[from, to])) {
            for (share, at) in barrier.crossings(from, to) {
                let open = self.broken_at(barrier, at) && barrier.kind != Kinds::CityWall;
                if !open && first.is_none_or(|held| share * length < held) {
                    first = Some(share * length);
                }
            }
        }
        first
    }

    /// Ground at barriers that disorders units standing there (BB-FLD-03, BB-FLD-07, BB-OPT-99).
    pub(crate) fn disordered_by_line(&self, placed: &Placed) -> Option<Clause> {
        decides!(BB_FLD_03, BB_FLD_07, BB_OPT_99);
        for barrier in self.barriers_near(placed.bounds()) {
            let broken_ground = self.fixed.terrain[usize::from(barrier.ground)].disorders;
            if broken_ground && barrier.strips.iter().any(|strip| overlapping(strip, placed)) {
                return Some(if barrier.kind == Kinds::CityWall { BB_OPT_99 } else { BB_FLD_07 });
            }
        }
        None
    }

    /// Divided by a barrier that can be stepped over, as by any obstacle (BB-OBS-03, BB-HED-06, BB-FLD-01, BB-FLD-10).
    pub(crate) fn divided_by_line(&self, placed: &Placed) -> bool {
        decides!(BB_OBS_03, BB_HED_06, BB_FLD_01, BB_FLD_10);
        let inner = |stretch: &Stretch| {
            // A line along the edge of a unit does not divide it.
            placed
                .parts()
                .any(|part| crate::terrain::going::segment_cuts(part.corners, stretch.line.a, stretch.line.b, 26.0))
        };
        self.barriers_near(placed.bounds()).any(|barrier| {
            let obstacle = |stretch: &Stretch| match barrier.kind {
                Kinds::Hedgerow => !stretch.standing,
                Kinds::LightWorks | Kinds::HeavyWorks => true,
                _ => false,
            };
            self.stretches(barrier).iter().any(|stretch| obstacle(stretch) && inner(stretch))
        })
    }

    /// A barrier between a charger and its target that the charger cannot strike across.
    pub(crate) fn cannot_strike_across(&self, charger: &Unit, facts: &Facts, from: Vec2, to: Vec2) -> Option<Clause> {
        for barrier in self.barriers_near(Bounds::of(&[from, to])) {
            for (_, at) in barrier.crossings(from, to) {
                let standing = !self.broken_at(barrier, at);
                if let Passage::Barred(clause) = self.passage(barrier, standing, charger, facts) {
                    return Some(clause);
                }
            }
        }
        None
    }

    /// Whether a unit holds works: inside closed ones, or with its front within an inch behind linear ones.
    pub(crate) fn in_works(&self, placed: &Placed) -> bool {
        let front = placed.pose().at.v();
        let near = self.numbers().held.within.0.f() + NEAR;
        self.barriers_near(placed.bounds().grown(near)).any(|barrier| {
            let works = matches!(barrier.kind, Kinds::LightWorks | Kinds::HeavyWorks);
            let closed = || {
                let ground = sabretache_table::FeatureId(barrier.ground);
                self.fixed.ground.get(ground).is_some_and(|lie| lie.patch.area() > 0.0 && holds(&lie, placed.centre()))
            };
            works && (closed() || (barrier.inside(placed.centre()) && barrier.distance(front) <= near))
        })
    }

    /// How far an outline is from a hedgerow or the like where it still stands.
    pub(crate) fn gap_to_standing(&self, barrier: &Barrier, outline: &impl Outline) -> f64 {
        let standing = self.stretches(barrier).into_iter().filter(|stretch| stretch.standing);
        standing.map(|stretch| exact_distance(&Self::body_of(barrier, &stretch), outline)).fold(f64::INFINITY, f64::min)
    }
}
