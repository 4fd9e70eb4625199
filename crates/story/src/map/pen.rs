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

/// A closed outline with its corners rounded off: through the middles of its sides.
pub(crate) fn rounded(spots: &[Spot]) -> String {
    let middle = |a: Spot, b: Spot| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let (Some(&first), Some(&last)) = (spots.first(), spots.last()) else { return String::new() };
    let start = middle(last, first);
    let mut d = format!("M{:.1} {:.1}", start.0, start.1);
    for (n, &corner) in spots.iter().enumerate() {
        let to = middle(corner, spots[(n + 1) % spots.len()]);
        let _ = write!(d, "Q{:.1} {:.1} {:.1} {:.1}", corner.0, corner.1, to.0, to.1);
    }
    d + "Z"
}

/// A line with its bends rounded off.
pub(crate) fn winding(spots: &[Spot]) -> String {
    let (Some(first), Some(last)) = (spots.first(), spots.last()) else { return String::new() };
    let mut d = format!("M{:.1} {:.1}", first.0, first.1);
    for pair in spots.windows(2).skip(1) {
        let to = ((pair[0].0 + pair[1].0) / 2.0, (pair[0].1 + pair[1].1) / 2.0);
        let _ = write!(d, "Q{:.1} {:.1} {:.1} {:.1}", pair[0].0, pair[0].1, to.0, to.1);
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
