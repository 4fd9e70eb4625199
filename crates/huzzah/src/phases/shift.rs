//! The least shift that lets a footprint stand somewhere (HZ-RAL-14).
//!
//! Where a shifted footprint meets an obstacle is told by the sum of the obstacle and the footprint turned inside out: a convex polygon of
//! shifts for each pair of convex parts. The least shift that is free of all of them lies on the edge nearest to no shift at all, or where two
//! edges cross; so those are tried, the nearest first, and whether a footprint may stand there is asked of the rules themselves.

use sabretache_engine::ids::UnitId;
use sabretache_table::{Bounds, Convex, Length, Outline, Part, Placed, Segment, Vec2};

use crate::table::{Field, shape};
use crate::terrain::Kind;

/// Shifts that differ by no more are equally long, in micrometres.
const EQUAL: f64 = 1.0;
/// What rounding to whole micrometres may take away from a gap that must stay open.
const ROUNDING: f64 = 3.0;

/// The edges at which a shifted footprint comes clear of something.
#[derive(Default)]
struct Edges {
    straight: Vec<Segment>,
    /// Round the corner of an enemy, who is not to be touched: the middle and the radius.
    round: Vec<(Vec2, f64)>,
}

/// The least shift of a footprint after which it stands free, of those that are equally short the one that `prefer` rates least; nothing where
/// there is no room on the whole table.
pub(super) fn least_shift(
    field: &Field<'_>,
    unit: UnitId,
    footprints: &[Placed],
    stands: impl Fn(Vec2) -> bool,
    prefer: impl Fn(Vec2) -> f64,
) -> Option<Vec2> {
    let table = &field.battle.lay.table;
    let furthest = table.width.f() + table.depth.f();
    // Only what could be in the way of so short a shift is looked at; most are short.
    let mut reach = 20_000.0;
    loop {
        let mut tried: Vec<(f64, Vec2)> = Vec::new();
        for footprint in footprints {
            Edges::near(field, unit, footprint, reach).candidates(&mut tried);
        }
        tried.retain(|one| one.0 <= reach);
        tried.sort_by(|a, b| a.0.total_cmp(&b.0));
        tried.dedup_by(|a, b| (a.1 - b.1).length2() < 0.01);
        if let Some(&(least, _)) = tried.iter().find(|one| stands(one.1)) {
            let equal = tried.iter().filter(|one| (one.0 - least).abs() <= EQUAL && stands(one.1));
            return equal.min_by(|a, b| prefer(a.1).total_cmp(&prefer(b.1))).map(|one| one.1);
        }
        if reach > furthest {
            return None;
        }
        reach *= 2.0;
    }
}

impl Edges {
    /// The edges that shifts up to a length can come to.
    fn near(field: &Field<'_>, unit: UnitId, footprint: &Placed, reach: f64) -> Self {
        let battle = field.battle;
        let touch = battle.lay.sizes.touch;
        let mut edges = Self::default();
        for (id, other) in field.all().filter(|(id, _)| *id != unit) {
            let enemy = battle.facts(id).side != battle.facts(unit).side;
            let gap = if enemy { touch.f() + ROUNDING } else { 0.0 };
            for (a, b) in footprint.parts().flat_map(|a| other.parts().map(move |b| (a, b))) {
                edges.round(a, b, gap, reach);
            }
        }
        // Ground counts where a unit lies in it by more than a touch.
        let inner = shape::shrink(footprint, touch - Length::um(2));
        let whole = inner.whole().as_part();
        for lie in battle.lay.ground.near(&inner.bounds().grown(reach)) {
            let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
            if matches!(kind, Kind::Hill { .. } | Kind::Road { .. }) {
                continue;
            }
            for part in lie.parts() {
                edges.round(whole, part, 0.0, reach);
            }
            // Infantry that may open out under cover alone has to lie wholly within it (HZ-DEP-17).
            if kind.is_dense() || kind == Kind::Broken {
                edges.within(whole, lie.patch.rim());
            }
        }
        let (bounds, lay) = (footprint.bounds(), &battle.lay.table);
        let far = lay.width.f() + lay.depth.f();
        for x in [-bounds.min.x, lay.width.f() - bounds.max.x] {
            edges.straight.push(Segment::new(Vec2::new(x, -far), Vec2::new(x, far)));
        }
        for y in [-bounds.min.y, lay.depth.f() - bounds.max.y] {
            edges.straight.push(Segment::new(Vec2::new(-far, y), Vec2::new(far, y)));
        }
        edges.straight.retain(|edge| edge.distance(Vec2::default()) <= reach);
        edges
    }

    /// The edge of the shifts by which one part comes upon another, or nearer to it than a gap.
    fn round(&mut self, mover: Part<'_>, other: Part<'_>, gap: f64, reach: f64) {
        let sums: Vec<Vec2> = other.corners.iter().flat_map(|&b| mover.corners.iter().map(move |&a| b - a)).collect();
        let here = Bounds::of(&[Vec2::default()]).grown(reach + gap);
        if !here.meets(&Bounds::of(&sums)) {
            return;
        }
        let sum = Convex::hull(&sums);
        let part = sum.as_part();
        for (edge, &out) in part.edges().zip(part.normals) {
            self.straight.push(Segment::new(edge.a + out * gap, edge.b + out * gap));
        }
        if gap > 0.0 {
            self.round.extend(part.corners.iter().map(|&corner| (corner, gap)));
        }
    }

    /// The edges at which a part comes to lie wholly within an area: a corner of the one on a side of the other.
    fn within(&mut self, mover: Part<'_>, rim: &[Segment]) {
        for side in rim {
            self.straight.extend(mover.corners.iter().map(|&corner| Segment::new(side.a - corner, side.b - corner)));
            self.straight.extend(mover.edges().map(|edge| Segment::new(side.a - edge.a, side.a - edge.b)));
        }
    }

    /// Where the least shift can be: on each edge nearest to no shift at all, and where two edges cross.
    fn candidates(&self, out: &mut Vec<(f64, Vec2)>) {
        let mut put = |shift: Vec2| out.push((shift.length(), shift));
        for (n, edge) in self.straight.iter().enumerate() {
            put(Vec2::default().nearest_on(edge.a, edge.b));
            self.straight[n + 1..].iter().filter_map(|other| crossing(*edge, *other)).for_each(&mut put);
            for &(middle, radius) in &self.round {
                on_circle(*edge, middle, radius).into_iter().for_each(&mut put);
            }
        }
        for (n, &(middle, radius)) in self.round.iter().enumerate() {
            put(middle - middle.unit() * radius);
            for &(other, far) in &self.round[n + 1..] {
                circles(middle, radius, other, far).into_iter().for_each(&mut put);
            }
        }
    }
}

/// Where two stretches cross.
fn crossing(one: Segment, other: Segment) -> Option<Vec2> {
    let (d, e) = (one.b - one.a, other.b - other.a);
    let turn = d.cross(e);
    // A hundred-thousandth of a right angle is parallel.
    if turn.abs() <= 1e-5 * d.length() * e.length() {
        return None;
    }
    let t = (other.a - one.a).cross(e) / turn;
    let u = (other.a - one.a).cross(d) / turn;
    ((-1e-9..=1.0 + 1e-9).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&u)).then(|| one.a.toward(one.b, t))
}

/// Where a stretch meets a circle.
fn on_circle(edge: Segment, middle: Vec2, radius: f64) -> Vec<Vec2> {
    let way = (edge.b - edge.a).unit();
    let foot = edge.a + way * (middle - edge.a).dot(way);
    let left = radius * radius - (foot - middle).length2();
    if left < 0.0 {
        return Vec::new();
    }
    let by = way * libm::sqrt(left);
    [foot - by, foot + by].into_iter().filter(|&place| edge.distance(place) < 1.0).collect()
}

/// Where two circles meet.
fn circles(a: Vec2, r: f64, b: Vec2, s: f64) -> Vec<Vec2> {
    let apart = (b - a).length();
    if apart < 1.0 || apart > r + s {
        return Vec::new();
    }
    let along = (apart * apart + r * r - s * s) / (2.0 * apart);
    let up = r * r - along * along;
    if up < 0.0 {
        return Vec::new();
    }
    let way = (b - a).unit();
    let by = way.right() * libm::sqrt(up);
    vec![a + way * along - by, a + way * along + by]
}

#[cfg(test)]
mod tests {
    use sabretache_engine::tests_clauses;

    use super::*;
    use crate::clauses::HZ_RAL_14;

    fn v(x: f64, y: f64) -> Vec2 {
        Vec2::new(x, y)
    }

    fn line(a: (f64, f64), b: (f64, f64)) -> Segment {
        Segment::new(v(a.0, a.1), v(b.0, b.1))
    }

    fn square(x: f64, y: f64, half: f64) -> Convex {
        Convex::hull(&[v(x - half, y - half), v(x + half, y - half), v(x + half, y + half), v(x - half, y + half)])
    }

    fn close(a: Vec2, b: Vec2) -> bool {
        (a - b).length() < 1e-6
    }

    #[test]
    fn stretches_cross_within_both_or_not_at_all() {
        assert!(close(
            crossing(line((0.0, 0.0), (4.0, 4.0)), line((0.0, 4.0), (4.0, 0.0))).unwrap_or_default(),
            v(2.0, 2.0)
        ));
        let ends_short = [line((0.0, 0.0), (1.0, 1.0)), line((3.0, 3.0), (9.0, 9.0))];
        assert!(ends_short.iter().all(|&one| crossing(one, line((0.0, 4.0), (4.0, 0.0))).is_none()));
        assert!(ends_short.iter().all(|&one| crossing(line((0.0, 4.0), (4.0, 0.0)), one).is_none()));
        assert!(crossing(line((0.0, 0.0), (4.0, 0.0)), line((0.0, 1.0), (4.0, 1.0))).is_none());
    }

    #[test]
    fn a_stretch_meets_a_circle_twice_once_or_never() {
        let through = on_circle(line((-10.0, 3.0), (10.0, 3.0)), v(0.0, 0.0), 5.0);
        assert!(through.len() == 2 && close(through[0], v(-4.0, 3.0)) && close(through[1], v(4.0, 3.0)));
        let into = on_circle(line((2.0, 3.0), (10.0, 3.0)), v(0.0, 0.0), 5.0);
        assert!(into.len() == 1 && close(into[0], v(4.0, 3.0)));
        assert!(on_circle(line((-10.0, 6.0), (10.0, 6.0)), v(0.0, 0.0), 5.0).is_empty());
        let elsewhere = on_circle(line((10.0, 23.0), (30.0, 23.0)), v(20.0, 20.0), 5.0);
        assert!(elsewhere.len() == 2 && close(elsewhere[0], v(16.0, 23.0)));
    }

    #[test]
    fn circles_meet_in_two_places_unless_they_are_apart_or_one_holds_the_other() {
        let met = circles(v(10.0, 0.0), 5.0, v(16.0, 0.0), 5.0);
        assert!(met.len() == 2 && close(met[0], v(13.0, 4.0)) && close(met[1], v(13.0, -4.0)));
        let unequal = circles(v(0.0, 0.0), 5.0, v(8.0, 0.0), 41.0_f64.sqrt());
        assert!(unequal.len() == 2 && close(unequal[0], v(3.0, 4.0)), "{unequal:?}");
        assert!(circles(v(0.0, 0.0), 5.0, v(11.0, 0.0), 5.0).is_empty());
        assert!(circles(v(0.0, 0.0), 9.0, v(3.0, 0.0), 2.0).is_empty());
        assert!(circles(v(0.0, 0.0), 5.0, v(0.0, 0.0), 5.0).is_empty());
    }

    /// The least of what is tried.
    fn least(edges: &Edges) -> Vec2 {
        let mut tried = Vec::new();
        edges.candidates(&mut tried);
        tried.sort_by(|a, b| a.0.total_cmp(&b.0));
        tried.first().map(|one| one.1).unwrap_or_default()
    }

    #[test]
    fn round_the_corner_of_an_enemy_the_edge_is_an_arc() {
        tests_clauses!(HZ_RAL_14);
        // A square of 2 at the origin comes upon one of 2 at (5, 5) from (3, 3) on; a gap of 1 keeps it 1 away from that place.
        let mut edges = Edges::default();
        edges.round(square(0.0, 0.0, 1.0).as_part(), square(5.0, 5.0, 1.0).as_part(), 1.0, 100.0);
        let out = 3.0 - 0.5_f64.sqrt();
        assert!(close(least(&edges), v(out, out)), "{:?}", least(&edges));
        // A friend may be touched: up to the corner itself.
        let mut edges = Edges::default();
        edges.round(square(0.0, 0.0, 1.0).as_part(), square(5.0, 5.0, 1.0).as_part(), 0.0, 100.0);
        assert!(close(least(&edges), v(3.0, 3.0)) && edges.round.is_empty());
        // Square before him it is a straight edge.
        let mut edges = Edges::default();
        edges.round(square(0.0, 0.0, 1.0).as_part(), square(5.0, 0.0, 1.0).as_part(), 1.0, 100.0);
        assert!(close(least(&edges), v(2.0, 0.0)), "{:?}", least(&edges));
    }

    #[test]
    fn where_two_arcs_meet_there_is_a_corner_to_stand_in() {
        tests_clauses!(HZ_RAL_14);
        let edges = Edges { straight: Vec::new(), round: vec![(v(4.0, 3.0), 5.0), (v(4.0, -3.0), 5.0)] };
        let mut tried = Vec::new();
        edges.candidates(&mut tried);
        assert!(tried.iter().any(|one| close(one.1, v(0.0, 0.0))) && tried.iter().any(|one| close(one.1, v(8.0, 0.0))));
        let edges = Edges { straight: vec![line((-9.0, 3.0), (9.0, 3.0))], round: vec![(v(0.0, 0.0), 5.0)] };
        let mut tried = Vec::new();
        edges.candidates(&mut tried);
        assert!(tried.iter().any(|one| close(one.1, v(4.0, 3.0)) && (one.0 - 5.0).abs() < 1e-6));
    }
}
