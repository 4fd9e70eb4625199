//! The ground about bases: to their front, all round, and the round bases of leaders (MB-GEN-09).

use super::*;
use sabretache_engine::decides;

/// Cosines and sines of 0, 9, 18, 27, 36 and 45 degrees.
pub(super) const SPLAY: [(f64, f64); 6] = [
    (1.0, 0.0),
    (0.987_688_340_595_137_8, 0.156_434_465_040_230_87),
    (0.951_056_516_295_153_5, 0.309_016_994_374_947_45),
    (0.891_006_524_188_367_9, 0.453_990_499_739_546_8),
    (0.809_016_994_374_947_5, 0.587_785_252_292_473_1),
    (core::f64::consts::FRAC_1_SQRT_2, core::f64::consts::FRAC_1_SQRT_2),
];

/// The ground within a distance of a front edge and no more than 45 degrees off its corners (MB-GEN-09).
pub(crate) fn front_zone(left: Vec2, right: Vec2, forward: Vec2, depth: Length) -> Convex {
    decides!(MB_GEN_09);
    let side = forward.right();
    let mut places: SmallVec<[Vec2; 16]> = SmallVec::new();
    places.extend([left, right]);
    for (cos, sin) in SPLAY {
        places.push(right + (forward * cos + side * sin) * depth.f());
        places.push(left + (forward * cos - side * sin) * depth.f());
    }
    Convex::hull(&places)
}

/// The ground within a distance of a base, its corners as round as those of front zones.
pub(crate) fn all_round(base: &Quad, distance: Length) -> Convex {
    let (forward, far) = (base.forward(), distance.f());
    let right = forward.right();
    let mut places: SmallVec<[Vec2; 48]> = SmallVec::new();
    for (corner, ahead, aside) in [
        (Corner::FrontLeft, forward, -right),
        (Corner::FrontRight, forward, right),
        (Corner::RearRight, -forward, right),
        (Corner::RearLeft, -forward, -right),
    ] {
        for (cos, sin) in SPLAY {
            places.push(base.corner(corner) + (ahead * cos + aside * sin) * far);
            places.push(base.corner(corner) + (ahead * sin + aside * cos) * far);
        }
    }
    Convex::hull(&places)
}

/// A round base, drawn to within two thousandths of an inch.
pub(crate) fn disc(middle: Vec2, radius: Length) -> Convex {
    let quarter = |ahead: Vec2, aside: Vec2| SPLAY.map(|(cos, sin)| middle + (ahead * cos + aside * sin) * radius.f());
    let (north, east) = (Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0));
    let mut places: SmallVec<[Vec2; 48]> = SmallVec::new();
    for (ahead, aside) in [(north, east), (east, -north), (-north, -east), (-east, north)] {
        places.extend(quarter(ahead, aside));
        places.extend(quarter(aside, ahead));
    }
    Convex::hull(&places)
}

/// The front zone of one base.
pub(crate) fn base_zone(base: &Quad, depth: Length) -> Convex {
    front_zone(base.corner(Corner::FrontLeft), base.corner(Corner::FrontRight), base.forward(), depth)
}

/// All that lies within a distance of a brigade to its front; all round if it is unformed.
pub(crate) fn zone_of(brigade: &Brigade, figure: &Figure, depth: Length) -> Shapes {
    let rank = figure.front_rank();
    if brigade.formation == Formation::Unformed {
        decides!(MB_FRM_05);
        return Shapes(rank.iter().map(|base| all_round(base, depth)).collect());
    }
    match (rank.first(), rank.last()) {
        // The zones of bases side by side are one zone.
        (Some(first), Some(last)) if brigade.refused.is_none() => {
            let (left, right) = (first.corner(Corner::FrontLeft), last.corner(Corner::FrontRight));
            Shapes(SmallVec::from_iter([front_zone(left, right, first.forward(), depth)]))
        }
        _ => Shapes(rank.iter().map(|base| base_zone(base, depth)).collect()),
    }
}
