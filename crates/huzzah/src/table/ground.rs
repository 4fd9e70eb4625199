//! The ground under a unit: dense or open, how high, wholly or partly (HZ-GEO-24, HZ-TER-04, HZ-TER-05).

use sabretache_engine::decides;
use std::borrow::Cow;

use sabretache_table::{Convex, Lie, Outline, Placed, Point, Segment, Vec2, WHOLE, area_share, nearer, overlapping};
use smallvec::SmallVec;

use super::shape;
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_22, HZ_DEP_17, HZ_DIT_08, HZ_ENG_13, HZ_GEO_24, HZ_GEO_25, HZ_HIL_13, HZ_ROA_03, HZ_STR_01, HZ_TER_07,
    HZ_TER_12, HZ_WOO_01,
};
use crate::situations::Ground;
use crate::terrain::{Kind, Sunk, Terrain, Troop, roads};

/// What an outline lies in, by more than a touch.
#[derive(Clone, Debug)]
pub struct Lies {
    any: SmallVec<[u16; 6]>,
    shares: SmallVec<[(u16, u16); 6]>,
}

impl Lies {
    /// What a unit's footprint lies in.
    #[must_use]
    pub fn under<'a>(battle: &'a Battle, placed: &Placed) -> Cow<'a, Self> {
        match battle.laid.lies(battle, placed) {
            Some(lies) => Cow::Borrowed(lies),
            None => Cow::Owned(Self::worked_out(battle, placed)),
        }
    }

    /// The same, by geometry.
    pub(super) fn worked_out(battle: &Battle, placed: &Placed) -> Self {
        let mut lies = Self { any: SmallVec::new(), shares: SmallVec::new() };
        if battle.lay.terrain.is_empty() {
            return lies;
        }
        let small = shape::shrink(placed, battle.lay.sizes.touch);
        for share in battle.lay.ground.shares(&small) {
            lies.any.push(share.feature.0);
            lies.shares.push((share.feature.0, share.share));
        }
        lies
    }

    /// The features it lies in, wholly or partly.
    #[must_use]
    pub fn in_any(&self) -> &[u16] {
        &self.any
    }

    /// Whether it lies in a feature by more than a touch.
    #[must_use]
    pub fn is_in(&self, feature: u16) -> bool {
        self.any.contains(&feature)
    }

    /// Whether all of it lies in a feature.
    #[must_use]
    pub fn wholly_in(&self, feature: u16) -> bool {
        self.shares.iter().any(|&(n, share)| n == feature && share >= WHOLE)
    }

    /// How much of it lies in features of some kind, in ten-thousandths; features of a kind are taken not to overlap.
    fn share_of(&self, battle: &Battle, wanted: impl Fn(Kind) -> bool) -> u32 {
        let kind = |n: u16| battle.lay.terrain[usize::from(n)].kind;
        self.shares.iter().filter(|(n, _)| wanted(kind(*n))).map(|&(_, share)| u32::from(share)).sum()
    }
}

/// The ground a unit is in, and whether only part of it is.
#[must_use]
pub fn stands_in(battle: &Battle, placed: &Placed, garrison: bool) -> (Ground, bool) {
    if garrison {
        return (Ground::Buildings, false);
    }
    if battle.lay.terrain.is_empty() {
        return (Ground::Open, false);
    }
    let lies = Lies::under(battle, placed);
    // Two parts in ten thousand are lost to rounding where two pieces meet under a unit.
    let whole = u32::from(WHOLE) - 2;
    let woods = lies.share_of(battle, Kind::is_wood);
    let buildings = lies.share_of(battle, |kind| matches!(kind, Kind::Buildings { .. }));
    let dense = lies.share_of(battle, Kind::is_dense);
    if dense > 0 {
        let ground = if woods >= buildings && woods > 0 {
            Ground::Woods
        } else if buildings > 0 {
            Ground::Buildings
        } else {
            Ground::OtherDense
        };
        return (ground, dense < whole);
    }
    let broken = lies.share_of(battle, |kind| kind == Kind::Broken);
    if broken > 0 { (Ground::Broken, broken < whole) } else { (Ground::Open, false) }
}

/// Whether the whole of it is in dense terrain.
#[must_use]
pub fn wholly_dense(battle: &Battle, placed: &Placed, garrison: bool) -> bool {
    let (ground, partly) = stands_in(battle, placed, garrison);
    ground.is_dense() && !partly
}

/// Whether any part of it is dense terrain for the order penalty (HZ-ORD-19).
#[must_use]
pub fn dense_for_orders(battle: &Battle, placed: &Placed, garrison: bool) -> bool {
    decides!(HZ_STR_01, HZ_ROA_03, HZ_WOO_01);
    garrison || {
        let lies = Lies::under(battle, placed);
        lies.in_any().iter().any(|&n| battle.lay.terrain[usize::from(n)].kind.is_dense_for_orders())
    }
}

/// Whether any part of it is in open ground, for open order without the Skirmish ability (HZ-DEP-17).
#[must_use]
pub fn touches_open_ground(battle: &Battle, placed: &Placed) -> bool {
    decides!(HZ_DEP_17, HZ_TER_07);
    let lies = Lies::under(battle, placed);
    let covered = lies.share_of(battle, |kind| kind.is_dense() || kind == Kind::Broken);
    covered < u32::from(WHOLE) - 2
}

/// The highest contour that holds the whole of it; 0 on the plain (HZ-GEO-24).
#[must_use]
pub fn elevation(battle: &Battle, placed: &Placed) -> i8 {
    decides!(HZ_HIL_13);
    decides!(HZ_GEO_24);
    if battle.lay.terrain.is_empty() {
        return 0;
    }
    let terrain = |n: u16| &battle.lay.terrain[usize::from(n)];
    let is_hill = |n: u16| matches!(terrain(n).kind, Kind::Hill { .. });
    if let Some(lies) = battle.laid.lies(battle, placed) {
        let hills = lies.in_any().iter().filter(|&&n| is_hill(n) && lies.wholly_in(n));
        return hills.map(|&n| terrain(n).level).max().unwrap_or(0);
    }
    // Elsewhere only the hills are asked about, and only those that could hold all of it.
    let small = shape::shrink(placed, battle.lay.sizes.touch);
    let (low, high) = (small.bounds().min, small.bounds().max);
    let holds = |lie: &Lie<'_>| {
        lie.bounds().holds(low) && lie.bounds().holds(high) && {
            let share = libm::round(area_share(&small, lie) * f64::from(WHOLE)) as u16;
            share >= WHOLE
        }
    };
    let hills = battle.lay.ground.near(&small.bounds()).filter(|lie| is_hill(lie.feature.id.0) && holds(lie));
    hills.map(|lie| terrain(lie.feature.id.0).level).max().unwrap_or(0)
}

/// Whether any part of it is on a steep hill (HZ-ENG-13).
#[must_use]
pub fn on_steep_hill(battle: &Battle, placed: &Placed) -> bool {
    decides!(HZ_ENG_13);
    let lies = Lies::under(battle, placed);
    lies.in_any().iter().any(|&n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Hill { steep: true, .. }))
}

/// Whether a march column or mob is on a road that opens this ground to it (HZ-ROA-03).
#[must_use]
pub fn opened_by_road(battle: &Battle, placed: &Placed, troop: &Troop, kind: Kind) -> bool {
    roads::opens(kind, troop) && on_road(battle, placed).is_some()
}

/// Whether a mob or march column goes over ground at full rate because it follows a road: along a sunken road, or through a wood on a road
/// (HZ-DIT-08, HZ-ROA-03).
#[must_use]
pub fn eases(battle: &Battle, feature: u16, troop: &Troop, from: Vec2, to: Vec2) -> bool {
    let kind = battle.lay.terrain[usize::from(feature)].kind;
    let near = battle.lay.sizes.adjacent.f();
    let along = |line: &[Point]| {
        line.windows(2).any(|leg| {
            let leg = Segment::new(leg[0].v(), leg[1].v());
            let turn = (leg.b - leg.a).unit().dot((to - from).unit()).abs();
            turn >= libm::cos(f64::from(battle.numbers().along_road).to_radians()) - 1e-9
                && leg.distance(from) <= near
                && leg.distance(to) <= near
        })
    };
    decides!(HZ_ROA_03, HZ_DIT_08);
    match kind {
        Kind::Sunken { sort: Sunk::Road, .. } => {
            troop.in_march_column() && along(&battle.lay.terrain[usize::from(feature)].line)
        }
        _ => {
            let open = |one: &&Terrain| matches!(one.kind, Kind::Road { open: true });
            roads::opens(kind, troop) && battle.lay.terrain.iter().filter(open).any(|road| along(&road.line))
        }
    }
}

/// The road whose centre line the middles of a unit's front and rear are on (HZ-ADV-22, HZ-ROA-03).
#[must_use]
pub fn on_road(battle: &Battle, placed: &Placed) -> Option<u16> {
    decides!(HZ_ADV_22);
    let near = battle.lay.sizes.adjacent.f();
    let front = placed.pose().at.v();
    let rear = shape::rear_of(placed).v();
    battle.lay.terrain.iter().enumerate().find_map(|(n, road)| {
        let Kind::Road { open: true } = road.kind else { return None };
        let on = |place| road.line.windows(2).any(|leg| Segment::new(leg[0].v(), leg[1].v()).distance(place) <= near);
        (on(front) && on(rear)).then_some(n as u16)
    })
}

/// Whether a unit's footprint is within reach of a feature's edge or line (HZ-TER-12).
#[must_use]
pub fn adjacent(battle: &Battle, outline: &impl Outline, feature: u16) -> bool {
    decides!(HZ_TER_12, HZ_GEO_25);
    let Some(lie) = battle.lay.ground.get(sabretache_table::FeatureId(feature)) else { return false };
    let near = battle.lay.sizes.adjacent.f();
    lie.patch.rim().iter().any(|&edge| nearer(outline, &Convex::segment(edge), near))
}

/// Whether some unit of a side lies wholly or partly in a feature.
#[must_use]
pub fn holds_unit<'a>(battle: &Battle, feature: u16, mut units: impl Iterator<Item = &'a Placed>) -> bool {
    let Some(lie) = battle.lay.ground.get(sabretache_table::FeatureId(feature)) else { return false };
    units.any(|placed| overlapping(placed, &lie))
}
