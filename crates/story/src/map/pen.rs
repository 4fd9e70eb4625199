//! What drawing needs: millimetres with north up, and a hand that is the same every time.

use std::fmt::Write as _;

use sabretache_engine::view::Setting;
use sabretache_table::Point;

/// The sheet: millimetres, y downwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pen {
    pub(crate) width: f64,
    pub(crate) depth: f64,
    /// A length that is the same part of every sheet: its longer side's hundredth.
    pub(crate) unit: f64,
}

/// A place on the sheet.
pub(crate) type Spot = (f64, f64);

impl Pen {
    pub(crate) fn of(setting: &Setting) -> Self {
        let (width, depth) = (setting.width.f() / 1000.0, setting.depth.f() / 1000.0);
        Self { width, depth, unit: width.max(depth) / 100.0 }
    }

    pub(crate) fn spot(&self, point: Point) -> Spot {
        let at = point.v();
        (at.x / 1000.0, self.depth - at.y / 1000.0)
    }

    pub(crate) fn spots(&self, points: &[Point]) -> Vec<Spot> {
        points.iter().map(|&point| self.spot(point)).collect()
    }

    /// Outlines one after the other, closed.
    pub(crate) fn rings(&self, rings: &[Vec<Point>]) -> String {
        rings.iter().map(|ring| path(&self.spots(ring)) + "Z").collect()
    }
}

/// A line through places.
pub(crate) fn path(spots: &[Spot]) -> String {
    let mut d = String::new();
    for (n, (x, y)) in spots.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if n == 0 { "M" } else { "L" });
    }
    d
}

/// Where the rounding of a corner begins and ends: never further along a side than its middle, nor than `reach`. A few long sides keep
/// their shape so, and many short ones become a curve.
fn bend(before: Spot, corner: Spot, next: Spot, reach: f64) -> (Spot, Spot) {
    let toward = |end: Spot| {
        let (dx, dy) = (end.0 - corner.0, end.1 - corner.1);
        let part = (reach / dx.hypot(dy).max(1e-9)).min(0.5);
        (corner.0 + dx * part, corner.1 + dy * part)
    };
    (toward(before), toward(next))
}

/// A closed outline with its corners rounded off.
pub(crate) fn rounded(spots: &[Spot], reach: f64) -> String {
    let mut d = String::new();
    for (n, &corner) in spots.iter().enumerate() {
        let (from, to) = bend(spots[(n + spots.len() - 1) % spots.len()], corner, spots[(n + 1) % spots.len()], reach);
        let first = if n == 0 { "M" } else { "L" };
        let _ = write!(d, "{first}{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", from.0, from.1, corner.0, corner.1, to.0, to.1);
    }
    d + if spots.is_empty() { "" } else { "Z" }
}

/// Places along such an outline, so far from one another.
pub(crate) fn along(spots: &[Spot], reach: f64, step: f64) -> Vec<Spot> {
    let mut places = Vec::new();
    let count = spots.len();
    for (n, &corner) in spots.iter().enumerate() {
        let next = spots[(n + 1) % count];
        let (from, to) = bend(spots[(n + count - 1) % count], corner, next, reach);
        let (end, _) = bend(corner, next, spots[(n + 2) % count], reach);
        let curve = (from.0 - corner.0).hypot(from.1 - corner.1) + (to.0 - corner.0).hypot(to.1 - corner.1);
        let steps = (curve / step).ceil().max(1.0);
        for k in 0..steps as u32 {
            let t = f64::from(k) / steps;
            let at = |k: fn(Spot) -> f64| (1.0 - t).powi(2) * k(from) + 2.0 * t * (1.0 - t) * k(corner) + t * t * k(to);
            places.push((at(|s| s.0), at(|s| s.1)));
        }
        let straight = (end.0 - to.0).hypot(end.1 - to.1);
        let steps = (straight / step).floor();
        for k in 0..steps as u32 {
            let t = f64::from(k) / steps;
            places.push((to.0 + (end.0 - to.0) * t, to.1 + (end.1 - to.1) * t));
        }
    }
    places
}

/// A line with its bends rounded off.
pub(crate) fn winding(spots: &[Spot], reach: f64) -> String {
    let (Some(first), Some(last)) = (spots.first(), spots.last()) else { return String::new() };
    let mut d = format!("M{:.1} {:.1}", first.0, first.1);
    for three in spots.windows(3) {
        let (from, to) = bend(three[0], three[1], three[2], reach);
        let _ = write!(d, "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", from.0, from.1, three[1].0, three[1].1, to.0, to.1);
    }
    let _ = write!(d, "L{:.1} {:.1}", last.0, last.1);
    d
}

/// Whether a place lies within outlines, holes being outside.
pub(crate) fn within(rings: &[Vec<Spot>], (x, y): Spot) -> bool {
    let crosses = |ring: &Vec<Spot>| {
        let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
        pairs.filter(|(a, b)| (a.1 > y) != (b.1 > y) && x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0).count()
    };
    rings.iter().map(crosses).sum::<usize>() % 2 == 1
}

/// Where an area lies: its least and greatest corner.
pub(crate) fn bounds(spots: &[Spot]) -> (Spot, Spot) {
    spots.iter().fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), |(least, most), spot| {
        ((least.0.min(spot.0), least.1.min(spot.1)), (most.0.max(spot.0), most.1.max(spot.1)))
    })
}

/// Numbers from 0 to 1 that look like chance and are the same every time.
pub(crate) struct Hand(u32);

impl Hand {
    pub(crate) fn new(seed: &str) -> Self {
        Self(seed.bytes().fold(2_166_136_261, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619)) | 1)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0) / f64::from(u32::MAX)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Places spread over an area in rows, each a little out of line.
pub(crate) fn scatter(rings: &[Vec<Spot>], spacing: f64, hand: &mut Hand) -> Vec<Spot> {
    let Some(outer) = rings.first() else { return Vec::new() };
    let (least, most) = bounds(outer);
    let mut spots = Vec::new();
    let (mut y, mut row) = (least.1 + spacing * 0.4, 0);
    while y < most.1 {
        let mut x = least.0 + if row % 2 == 0 { 0.2 } else { 0.7 } * spacing;
        while x < most.0 {
            let spot = (x + hand.between(-0.3, 0.3) * spacing, y + hand.between(-0.25, 0.25) * spacing);
            if within(rings, spot) {
                spots.push(spot);
            }
            x += spacing;
        }
        y += spacing * 0.8;
        row += 1;
    }
    spots
}

/// Text as XML has it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How large the area within an outline is.
    fn area(ring: &[Spot]) -> f64 {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
    }

    #[test]
    fn a_hill_of_four_corners_keeps_its_size() {
        let hill = [(0.0, 0.0), (400.0, 0.0), (400.0, 200.0), (0.0, 200.0)];
        let drawn = area(&along(&hill, 20.0, 2.0));
        assert!(drawn > 0.98 * area(&hill) && drawn < area(&hill), "{drawn}");
    }

    #[test]
    fn a_road_goes_through_its_points_all_but_for_the_bend() {
        // The middle of the long leg is on the road, whatever is rounded at its ends.
        let d = winding(&[(0.0, 0.0), (0.0, 300.0), (300.0, 300.0)], 10.0);
        assert!(d.contains("L0.0 290.0Q0.0 300.0 10.0 300.0"), "{d}");
    }
}
