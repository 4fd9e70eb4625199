//! What the ground does to movement and order.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Convex, Crossed, Heading, Length, Lie, Outline, Placed, Vec2, exact_distance, meetings, overlapping,
};
use smallvec::SmallVec;

use crate::battle::{Battle, Facts, Kind, Unit};
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::table::NEAR;
use crate::terrain::{Kinds, Terrain};
use crate::troops::Formation;

/// A stretch of a move over ground that costs the same, and what is paid where it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) factor: u8,
    /// Paid at its beginning: the far side of a thin obstacle.
    pub(crate) toll: f64,
    pub(crate) barred: Option<Clause>,
}

/// What a straight move over the ground costs, piece by piece (BB-TER-02, BB-OBS-01, BB-OBS-02).
pub(crate) fn pieces(
    battle: &Battle,
    unit: &Unit,
    facts: &Facts,
    placed: &Placed,
    way: Heading,
    most: Length,
) -> SmallVec<[Piece; 4]> {
    decides!(BB_TER_02, BB_OBS_01, BB_OBS_02);
    let (ground, max) = (&battle.fixed.ground, most.f());
    let corridor = placed.bounds().swept(way.unit() * max);
    let mut found: SmallVec<[(f64, f64, u8, Clause); 8]> = SmallVec::new();
    let mut tolls: SmallVec<[(f64, f64); 4]> = SmallVec::new();
    let mut met = SmallVec::new();
    for lie in ground.near(&corridor) {
        let terrain = battle.terrain(&lie);
        if terrain.obstacle() {
            obstacle_stretches(battle, placed, &lie, terrain, way, most, &mut found, &mut tolls);
            if terrain.factor(unit, facts, way) != 0 {
                continue;
            }
        }
        let factor = match terrain.kind {
            Kinds::Bridge if !fits_bridge(unit, facts, battle.numbers()) => 0,
            _ => terrain.factor(unit, facts, way),
        };
        if factor == 1 {
            continue;
        }
        meetings(placed, way.unit(), max, &lie, &mut met);
        for one in &met {
            let clause = if factor == 0 { terrain.bars() } else { terrain.clause() };
            found.push((one.from.max(0.0), one.to.min(max), factor, clause));
        }
    }
    battle.barrier_pieces(unit, facts, placed, way.unit(), max, &mut found, &mut tolls);
    let mut stops: SmallVec<[f64; 16]> = SmallVec::new();
    stops.extend([0.0, max]);
    stops.extend(found.iter().flat_map(|one| [one.0, one.1]));
    stops.extend(tolls.iter().map(|toll| toll.0));
    stops.retain(|stop| (0.0..=max).contains(stop));
    stops.sort_by(f64::total_cmp);
    stops.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    let mut out = SmallVec::new();
    for pair in stops.windows(2) {
        let middle = (pair[0] + pair[1]) / 2.0;
        let mut piece = Piece { from: pair[0], to: pair[1], factor: 1, toll: 0.0, barred: None };
        for (_, _, factor, clause) in found.iter().filter(|one| one.0 <= middle && middle <= one.1) {
            if *factor == 0 {
                piece.barred = Some(*clause);
            }
            piece.factor = piece.factor.max(*factor);
        }
        piece.toll = tolls.iter().filter(|toll| (toll.0 - pair[0]).abs() < 1e-6).map(|toll| toll.1).sum();
        out.push(piece);
    }
    out
}

/// An obstacle is paid for as the middle of the front crosses it: twice its width, or two inches for a thin one.
#[expect(clippy::too_many_arguments, reason = "the two lists are filled together")]
fn obstacle_stretches(
    battle: &Battle,
    placed: &Placed,
    lie: &Lie<'_>,
    terrain: &Terrain,
    way: Heading,
    most: Length,
    found: &mut SmallVec<[(f64, f64, u8, Clause); 8]>,
    tolls: &mut SmallVec<[(f64, f64); 4]>,
) {
    let from = placed.pose().at.v();
    let mut crossed: Vec<Crossed> = Vec::new();
    let id = lie.feature.id;
    battle.fixed.ground.crossed_if(from, from + way.unit() * most.f(), |other| other.feature.id == id, &mut crossed);
    for one in crossed {
        if terrain.thin {
            tolls.push((one.enter.f(), battle.numbers().thin.within.0.f()));
        } else {
            found.push((one.enter.f(), one.leave.f(), battle.numbers().obstacle.factor(), BB_OBS_01));
        }
    }
}

/// Three or four figures, or one model, wide (BB-RIV-02); skirmishers must reform first.
pub(crate) fn fits_bridge(unit: &Unit, facts: &Facts, numbers: &Numbers) -> bool {
    decides!(BB_RIV_02);
    match facts.kind {
        Kind::Guns { .. } => unit.away || unit.ranks(facts).files == 1,
        _ => {
            let narrow = unit.ranks(facts).first <= numbers.bridge.figures;
            narrow && !matches!(unit.formation, Formation::Skirmish | Formation::Square)
        }
    }
}

impl Battle {
    pub(crate) fn terrain(&self, lie: &Lie<'_>) -> &Terrain {
        &self.fixed.terrain[usize::from(lie.feature.id.0)]
    }

    /// Ground that an outline overlaps.
    pub(crate) fn under<'a>(&'a self, outline: &'a impl Outline) -> impl Iterator<Item = (Lie<'a>, &'a Terrain)> + 'a {
        let near = self.fixed.ground.near(&outline.bounds());
        near.map(|lie| (lie, self.terrain(&lie))).filter(move |(lie, _)| overlapping(lie, outline))
    }

    /// Whether a unit may stand here at all; the clause of the ground that bars it (BB-TER-05).
    pub(crate) fn barred(&self, unit: &Unit, facts: &Facts, placed: &Placed) -> Option<Clause> {
        decides!(BB_HIL_05, BB_TER_05);
        let bars = |terrain: &Terrain| match terrain.kind {
            Kinds::Wood if self.on_road_through(unit, facts) => false,
            _ => terrain.factor(unit, facts, placed.pose().heading) == 0,
        };
        self.under(placed)
            .find(|(_, terrain)| bars(terrain))
            .map(|(_, t)| match t.kind {
                Kinds::Slope => BB_HIL_05,
                Kinds::Wood => BB_WOO_08,
                Kinds::Town => BB_TWN_06,
                _ => BB_TER_05,
            })
            .or_else(|| self.barred_by_line(unit, facts, placed))
    }

    /// The clause of the ground that disorders a unit standing or moving here (BB-STA-01, BB-TER-01).
    pub(crate) fn disordering(&self, unit: &Unit, facts: &Facts, placed: &Placed) -> Option<Clause> {
        decides!(BB_WOO_06, BB_ROU_02, BB_RIV_03, BB_STA_01, BB_TER_01);
        let skirmishers = unit.formation == Formation::Skirmish && matches!(facts.kind, Kind::Foot { .. });
        let disorders = |terrain: &Terrain| match terrain.kind {
            Kinds::Wood | Kinds::Rough if skirmishers => false,
            _ => terrain.disorders,
        };
        self.under(placed)
            .find(|(_, terrain)| disorders(terrain))
            .map(|(_, terrain)| match terrain.kind {
                Kinds::Wood => BB_WOO_06,
                Kinds::Rough => BB_ROU_02,
                Kinds::Bridge => BB_RIV_03,
                Kinds::LightWorks | Kinds::HeavyWorks => BB_FLD_03,
                _ => BB_TER_01,
            })
            .or_else(|| self.disordered_by_line(placed))
    }

    /// Whether there is anything in a box that may disorder somebody.
    pub(crate) fn may_disorder_in(&self, bounds: Bounds, horse: bool) -> bool {
        let broken = |terrain: &Terrain| terrain.disorders || (horse && terrain.kind == Kinds::Slope);
        self.fixed.ground.near(&bounds).any(|lie| broken(self.terrain(&lie)))
            || self.barriers_near(bounds).next().is_some()
    }

    /// Cavalry with any part on a steep slope (BB-HIL-04).
    pub(crate) fn on_slope(&self, placed: &Placed) -> bool {
        decides!(BB_HIL_04);
        self.under(placed).any(|(_, terrain)| terrain.kind == Kinds::Slope)
    }

    /// Whether a unit in contact with an enemy strikes up a steep slope: where they touch one of them stands on it, and the
    /// enemy's middle lies higher up (BB-COM-21).
    pub(crate) fn strikes_uphill(&self, unit: UnitId, enemy: UnitId) -> bool {
        let (us, them) = (self.placed(unit), self.placed(enemy));
        let (ours, theirs) = (us.bounds().grown(NEAR), them.bounds().grown(NEAR));
        let between = |low: f64, high: f64| (low + high) / 2.0;
        let touch = Vec2::new(
            between(ours.min.x.max(theirs.min.x), ours.max.x.min(theirs.max.x)),
            between(ours.min.y.max(theirs.min.y), ours.max.y.min(theirs.max.y)),
        );
        self.fixed.ground.near(&ours).any(|lie| {
            let up = self.terrain(&lie).uphill.filter(|_| self.terrain(&lie).kind == Kinds::Slope);
            up.is_some_and(|up| (them.centre() - us.centre()).dot(up.unit()) > NEAR)
                && exact_distance(&Convex::place(touch), &lie) <= NEAR
                && (overlapping(&lie, &us) || overlapping(&lie, &them))
        })
    }

    /// Divided by an obstacle (BB-OBS-03).
    pub(crate) fn divided(&self, placed: &Placed) -> bool {
        decides!(BB_OBS_03);
        let thin = |lie: &Lie<'_>| lie.parts().any(|part| part.corners.len() < 3);
        self.fixed
            .ground
            .near(&placed.bounds())
            .filter(|lie| self.terrain(lie).obstacle())
            .any(|lie| if thin(&lie) { crosses(placed, &lie) } else { overlapping(&lie, placed) })
            || self.divided_by_line(placed)
    }

    /// How much ploughed ground the middle of a front crosses on a straight move.
    pub(crate) fn ploughed(&self, from: Vec2, to: Vec2) -> Length {
        let mut crossed = Vec::new();
        self.fixed.ground.crossed_if(from, to, |lie| self.terrain(lie).kind == Kinds::Ploughed, &mut crossed);
        crossed.iter().map(|one| one.leave - one.enter).sum()
    }

    /// How much of it the middle of its front has crossed in this turn's move.
    pub(crate) fn ploughed_so_far(&self, unit: UnitId) -> Length {
        self.track(unit).windows(2).map(|pair| self.ploughed(pair[0].at.v(), pair[1].at.v())).sum()
    }

    /// The range of ballshot along a line, doubled ground counted twice (BB-ROU-03, BB-PLO-01).
    pub(crate) fn ball_range(&self, from: Vec2, to: Vec2) -> Length {
        decides!(BB_ROU_03, BB_PLO_01);
        let mut crossed = Vec::new();
        self.fixed.ground.crossed_if(from, to, |lie| self.terrain(lie).ball > 1, &mut crossed);
        let extra = crossed.iter().map(|one| {
            let terrain = &self.fixed.terrain[usize::from(one.feature.0)];
            (one.leave - one.enter) * i32::from(terrain.ball - 1)
        });
        Length::rounded((to - from).length()) + extra.sum()
    }
}

/// Whether a thin line runs through a footprint, and not only along its edge.
pub(crate) fn crosses(placed: &Placed, lie: &Lie<'_>) -> bool {
    let deep = 26.0;
    lie.parts().any(|part| {
        let [a, b] = part.corners else { return false };
        placed.parts().any(|block| segment_cuts(block.corners, *a, *b, deep))
    })
}

/// Whether a segment cuts a convex block deeper than a hair: its middle stretch inside is not on the rim.
pub(crate) fn segment_cuts(corners: &[Vec2], a: Vec2, b: Vec2, deep: f64) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for i in 0..corners.len() {
        let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
        let out = (q - p).unit().right();
        let (over, closing) = (out.dot(a - p) + deep, out.dot(b - a));
        if closing < 0.0 {
            from = from.max(-over / closing);
        } else if closing > 0.0 {
            to = to.min(-over / closing);
        } else if over >= 0.0 {
            return false;
        }
        if from >= to {
            return false;
        }
    }
    true
}

/// Whether the ground lies across a straight way.
pub(crate) fn between(from: Vec2, to: Vec2, lie: &Lie<'_>) -> bool {
    lie.parts().any(|part| match part.corners {
        [a, b] => {
            let (d, e) = (to - from, *b - *a);
            let cross = d.cross(e);
            let (t, s) = ((*a - from).cross(e) / cross, (*a - from).cross(d) / cross);
            cross != 0.0 && (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)
        }
        corners => segment_cuts(corners, from, to, 0.0),
    })
}
