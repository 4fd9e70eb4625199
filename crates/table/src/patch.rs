//! A stretch of ground made ready for queries: convex parts that do not overlap, and the rim round them.

use geo::{Coord, LineString, Polygon, TriangulateEarcut};

use crate::convex::{Convex, Corners, clip, hull};
use crate::length::Length;
use crate::outline::{Bounds, Outline, Part};
use crate::pose::Point;
use crate::vec2::{Segment, Vec2};

/// The convex parts of a feature, and its rim.
#[derive(Clone, Debug)]
pub struct Patch {
    bounds: Bounds,
    parts: Vec<Convex>,
    rim: Vec<Segment>,
}

impl Patch {
    /// An area with holes.
    pub(crate) fn area(outer: &[Point], holes: &[Vec<Point>]) -> Patch {
        let ring = |points: &[Point]| points.iter().map(|p| p.v()).collect::<Vec<_>>();
        let mut rim = Vec::new();
        let mut close = |ring: &[Vec2]| {
            rim.extend((0..ring.len()).map(|i| Segment::new(ring[i], ring[(i + 1) % ring.len()])));
        };
        let corners = ring(outer);
        close(&corners);
        holes.iter().for_each(|hole| close(&ring(hole)));
        let lean = hull(&corners);
        // A convex area is its own hull; corners in line with their neighbours are dropped with no loss.
        let convex = holes.is_empty() && (polygon_area(&corners).abs() - crate::outline::area(&lean)).abs() < 1.0;
        let parts = if convex { vec![Convex::from_ccw(lean)] } else { convex_parts(outer, holes) };
        Patch { bounds: Bounds::of(&corners), parts, rim }
    }

    /// A line with a width: legs joined by mitres, so that they neither overlap nor leave gaps at the bends.
    pub(crate) fn line(points: &[Point], width: Length) -> Patch {
        let mut places: Vec<Vec2> = points.iter().map(|p| p.v()).collect();
        places.dedup();
        let half = width.f().max(0.0) / 2.0;
        if places.len() < 2 || half == 0.0 {
            let mut parts: Vec<Convex> = places.windows(2).map(|w| Convex::segment(Segment::new(w[0], w[1]))).collect();
            if places.len() == 1 {
                parts.push(if half == 0.0 { Convex::place(places[0]) } else { Convex::disc(places[0], half) });
            }
            let rim = places.windows(2).map(|w| Segment::new(w[0], w[1])).collect();
            let bounds = parts.iter().fold(Bounds::EMPTY, |b, p| b.join(p.bounds()));
            return Patch { bounds, parts, rim };
        }
        let last = places.len() - 1;
        let side = |i: usize| (places[i + 1] - places[i]).unit().right();
        let offsets: Vec<Vec2> = (0..=last)
            .map(|i| {
                let (before, after) = (side(i.saturating_sub(1).min(last - 1)), side(i.min(last - 1)));
                let sum = before + after;
                // A hairpin's mitre is cut at twice the half width.
                sum * (half / (sum.length2() / 2.0).max(sum.length() / 2.0).max(1e-9))
            })
            .collect();
        let parts: Vec<Convex> = (0..last)
            .map(|i| {
                let (a, b) = (places[i], places[i + 1]);
                Convex::hull(&[a + offsets[i], b + offsets[i + 1], b - offsets[i + 1], a - offsets[i]])
            })
            .collect();
        let mut rim = Vec::new();
        for i in 0..last {
            rim.push(Segment::new(places[i] + offsets[i], places[i + 1] + offsets[i + 1]));
            rim.push(Segment::new(places[i + 1] - offsets[i + 1], places[i] - offsets[i]));
        }
        for i in [0, last] {
            rim.push(Segment::new(places[i] - offsets[i], places[i] + offsets[i]));
        }
        let bounds = parts.iter().fold(Bounds::EMPTY, |b, p| b.join(p.bounds()));
        Patch { bounds, parts, rim }
    }

    /// A spot with a radius.
    pub(crate) fn spot(at: Point, radius: Length) -> Patch {
        Patch::line(&[at], radius.max(Length::ZERO) * 2).with_rim_of_parts()
    }

    /// Takes out what lies within another patch. The rim stays.
    pub(crate) fn open(&mut self, by: &Patch) {
        for opening in &by.parts {
            let opening = opening.as_part();
            let whole = std::mem::take(&mut self.parts);
            for part in &whole {
                let thin = part.corners().len() < 3;
                let mut inside = Corners::from_slice(part.corners());
                // Beyond each edge of the opening lies a piece that stays; what is beyond none of them goes.
                for (i, normal) in opening.normals.iter().enumerate() {
                    let outside = Convex::hull(&clip(&inside, -*normal, -opening.reach(i)));
                    if if thin { outside.corners().len() > 1 } else { outside.as_part().area() > 1.0 } {
                        self.parts.push(outside);
                    }
                    inside = clip(&inside, *normal, opening.reach(i));
                }
            }
        }
    }

    fn with_rim_of_parts(mut self) -> Patch {
        self.rim = self
            .parts
            .iter()
            .filter(|p| p.corners().len() > 2)
            .flat_map(|p| {
                let part = p.as_part();
                part.edges().collect::<Vec<_>>()
            })
            .collect();
        self
    }

    /// The edges that bound it, holes included.
    pub fn rim(&self) -> &[Segment] {
        &self.rim
    }
}

impl Outline for Patch {
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn part_count(&self) -> usize {
        self.parts.len()
    }
    fn part(&self, i: usize) -> Part<'_> {
        self.parts[i].as_part()
    }
}

fn polygon_area(corners: &[Vec2]) -> f64 {
    crate::outline::area(corners)
}

/// The area as a polygon of the geometry library.
pub(crate) fn polygon(outer: &[Point], holes: &[Vec<Point>]) -> Polygon<f64> {
    let ring =
        |points: &[Point]| -> LineString<f64> { points.iter().map(|p| Coord { x: p.x.f(), y: p.y.f() }).collect() };
    Polygon::new(ring(outer), holes.iter().map(|h| ring(h)).collect())
}

/// Cuts an area into triangles and joins neighbours while the result stays convex: a few large parts are quicker to sweep
/// against than many triangles.
fn convex_parts(outer: &[Point], holes: &[Vec<Point>]) -> Vec<Convex> {
    let raw = polygon(outer, holes).earcut_triangles_raw();
    let place = |i: usize| Vec2::new(raw.vertices[i][0], raw.vertices[i][1]);
    let mut loops: Vec<Vec<usize>> = Vec::new();
    for t in raw.triangle_indices.chunks_exact(3) {
        let (a, b, c) = (t[0], t[1], t[2]);
        let turn = (place(b) - place(a)).cross(place(c) - place(a));
        if turn > 0.0 {
            loops.push(vec![a, b, c]);
        } else if turn < 0.0 {
            loops.push(vec![a, c, b]);
        }
    }
    let mut i = 0;
    while i < loops.len() {
        match (i + 1..loops.len()).find_map(|j| joined(&loops[i], &loops[j], &place).map(|l| (j, l))) {
            Some((j, merged)) => {
                loops[i] = merged;
                loops.remove(j);
            }
            None => i += 1,
        }
    }
    loops.iter().map(|l| Convex::from_ccw(l.iter().map(|&k| place(k)).collect())).collect()
}

/// Two convex loops that share an edge, as one, if that is convex.
fn joined(a: &[usize], b: &[usize], place: &impl Fn(usize) -> Vec2) -> Option<Vec<usize>> {
    let (n, m) = (a.len(), b.len());
    for i in 0..n {
        let (from, to) = (a[i], a[(i + 1) % n]);
        let Some(j) = (0..m).find(|&j| b[j] == to && b[(j + 1) % m] == from) else { continue };
        // a without the edge: to .. from; b without the edge: from .. to.
        let mut merged: Vec<usize> = (0..n).map(|k| a[(i + 1 + k) % n]).collect();
        merged.extend((2..m).map(|k| b[(j + k) % m]));
        let k = merged.len();
        let convex = (0..k).all(|x| {
            let (p, q, r) = (place(merged[x]), place(merged[(x + 1) % k]), place(merged[(x + 2) % k]));
            (q - p).cross(r - q) >= 0.0
        });
        return convex.then_some(merged);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angular_area_becomes_few_convex_parts_of_the_same_size() {
        let l = [(0, 0), (30, 0), (30, 10), (10, 10), (10, 30), (0, 30)].map(|(x, y)| Point::cm(x, y));
        let patch = Patch::area(&l, &[]);
        assert_eq!(patch.part_count(), 2);
        assert!((patch.area() - 500.0 * 1e8).abs() < 1.0);
        let outer = [(0, 0), (40, 0), (40, 40), (0, 40)].map(|(x, y)| Point::cm(x, y));
        let hole = [(10, 10), (30, 10), (30, 30), (10, 30)].map(|(x, y)| Point::cm(x, y)).to_vec();
        let ring = Patch::area(&outer, &[hole]);
        assert!((ring.area() - 1200.0 * 1e8).abs() < 1.0);
        assert_eq!(ring.rim().len(), 8);
        assert_eq!(Patch::area(&outer, &[]).part_count(), 1);
    }

    #[test]
    fn a_bent_line_has_mitred_joints() {
        let patch = Patch::line(&[Point::cm(0, 0), Point::cm(20, 0), Point::cm(20, 20)], Length::cm(2));
        assert_eq!(patch.part_count(), 2);
        // 20 + 20 long and 2 wide: the mitre takes from the inside what it gives to the outside.
        assert!((patch.area() - 80.0 * 1e8).abs() < 1.0);
    }
}
