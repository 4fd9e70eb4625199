//! Before, beside or behind: where a target lies as seen from a unit, by diagonals and by the line of its front.

use crate::convex::{Corners, clip};
use crate::footprint::Corner;
use crate::outline::{Outline, SLOP, area};
use crate::placed::Placed;
use crate::vec2::Vec2;

/// A quarter of the table round a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sector {
    /// Before its front.
    Front,
    /// To its right.
    RightFlank,
    /// Behind it.
    Rear,
    /// To its left.
    LeftFlank,
}

/// How the diagonals that part the sectors are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Diagonals {
    /// Outward from each corner, at 45° to the faces.
    At45,
    /// From the middle through each corner.
    ThroughCorners,
}

/// How much of a target lies in each sector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BySector {
    /// The share of its area, from 0 to 1: front, right flank, rear, left flank.
    pub share: [f64; 4],
    /// How many of the corners of its whole rectangle (or of its parts): in the same order.
    pub corners: [u8; 4],
}

impl BySector {
    /// The share in a sector.
    pub fn of(&self, sector: Sector) -> f64 {
        self.share[sector as usize]
    }

    /// The sector that holds most of it; of equal shares, the first of front, right flank, rear, left flank.
    pub fn most(&self) -> Sector {
        let mut best = Sector::Front;
        for sector in [Sector::RightFlank, Sector::Rear, Sector::LeftFlank] {
            if self.of(sector) > self.of(best) + 1e-9 {
                best = sector;
            }
        }
        best
    }

    /// Whether all of it lies in a sector.
    pub fn wholly(&self, sector: Sector) -> bool {
        self.of(sector) >= 1.0 - 1e-6
    }
}

/// Where something lies by the lines of a unit's front and rear, drawn out to both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// Ahead of the line of the front.
    Ahead,
    /// Between the two lines.
    Level,
    /// Behind the line of the rear.
    Behind,
}

/// How much of a target lies ahead of, level with and behind a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByLine {
    /// The share of its area ahead of the front, between the lines, and behind the rear.
    pub share: [f64; 3],
    /// How many of its corners, in the same order; a corner on a line counts as level.
    pub corners: [u8; 3],
}

impl ByLine {
    /// Whether all of it is ahead of the line of the front.
    pub fn wholly_ahead(&self) -> bool {
        self.corners[1] == 0 && self.corners[2] == 0 || self.share[0] >= 1.0 - 1e-6
    }

    /// Whether all of it is behind the line of the front, touching the line allowed.
    pub fn wholly_behind_front(&self) -> bool {
        self.corners[0] == 0
    }

    /// Whether all of it is behind the line of the rear.
    pub fn wholly_behind_rear(&self) -> bool {
        self.corners[0] == 0 && self.corners[1] == 0 || self.share[2] >= 1.0 - 1e-6
    }
}

/// A unit's own frame: the middle of its rectangle at 0, x to the right, y ahead, and half its width and depth.
struct Frame {
    middle: Vec2,
    right: Vec2,
    ahead: Vec2,
    half_width: f64,
    half_depth: f64,
}

impl Frame {
    fn of(unit: &Placed) -> Frame {
        let (fl, fr, rr) =
            (unit.corner(Corner::FrontLeft), unit.corner(Corner::FrontRight), unit.corner(Corner::RearRight));
        let ahead = unit.forward();
        Frame {
            middle: unit.centre(),
            right: ahead.right(),
            ahead,
            half_width: (fr - fl).length() / 2.0,
            half_depth: (fr - rr).length() / 2.0,
        }
    }

    fn local(&self, p: Vec2) -> Vec2 {
        let d = p - self.middle;
        Vec2::new(d.dot(self.right), d.dot(self.ahead))
    }

    /// How far a place lies beyond the right diagonals toward the flank: above 0 beside, below 0 before or behind.
    fn beside(&self, p: Vec2, diagonals: Diagonals) -> f64 {
        let (x, y) = (p.x.abs(), p.y.abs());
        match diagonals {
            Diagonals::At45 => (x - self.half_width) - (y - self.half_depth),
            // Scaled back to a length, so that the tolerance means the same.
            Diagonals::ThroughCorners => {
                (x * self.half_depth - y * self.half_width) / self.half_width.max(self.half_depth).max(1.0)
            }
        }
    }

    fn sector(&self, p: Vec2, diagonals: Diagonals) -> Sector {
        if self.beside(p, diagonals) > SLOP {
            if p.x >= 0.0 { Sector::RightFlank } else { Sector::LeftFlank }
        } else if p.y >= 0.0 {
            Sector::Front
        } else {
            Sector::Rear
        }
    }

    /// The lines that bound a sector in this frame: normal and reach.
    fn lines(&self, sector: Sector, diagonals: Diagonals) -> [(Vec2, f64); 3] {
        let (w, d) = (self.half_width, self.half_depth);
        let front = match diagonals {
            Diagonals::At45 => {
                [(Vec2::new(0.0, -1.0), 0.0), (Vec2::new(1.0, -1.0), w - d), (Vec2::new(-1.0, -1.0), w - d)]
            }
            Diagonals::ThroughCorners => {
                [(Vec2::new(0.0, -1.0), 0.0), (Vec2::new(d, -w), 0.0), (Vec2::new(-d, -w), 0.0)]
            }
        };
        let side = match diagonals {
            Diagonals::At45 => {
                [(Vec2::new(-1.0, 0.0), 0.0), (Vec2::new(-1.0, 1.0), d - w), (Vec2::new(-1.0, -1.0), d - w)]
            }
            Diagonals::ThroughCorners => {
                [(Vec2::new(-1.0, 0.0), 0.0), (Vec2::new(-d, w), 0.0), (Vec2::new(-d, -w), 0.0)]
            }
        };
        match sector {
            Sector::Front => front,
            Sector::Rear => front.map(|(n, r)| (-n, r)),
            Sector::RightFlank => side,
            Sector::LeftFlank => side.map(|(n, r)| (-n, r)),
        }
    }
}

/// The sector of a unit that a place lies in. On a diagonal it is before or behind rather than beside; inside the
/// unit's own rectangle the diagonals are drawn on until they meet.
pub fn sector(of: &Placed, diagonals: Diagonals, place: Vec2) -> Sector {
    let frame = Frame::of(of);
    frame.sector(frame.local(place), diagonals)
}

/// How much of a target lies in each sector of a unit.
pub fn by_diagonals(of: &Placed, diagonals: Diagonals, target: &impl Outline) -> BySector {
    let frame = Frame::of(of);
    let mut out = BySector::default();
    let mut whole = 0.0;
    for part in target.parts() {
        let local: Corners = part.corners.iter().map(|c| frame.local(*c)).collect();
        whole += area(&local);
        for c in &local {
            out.corners[frame.sector(*c, diagonals) as usize] += 1;
        }
        for s in [Sector::Front, Sector::RightFlank, Sector::Rear, Sector::LeftFlank] {
            let mut left = local.clone();
            for (normal, reach) in frame.lines(s, diagonals) {
                left = clip(&left, normal, reach);
            }
            out.share[s as usize] += area(&left).max(0.0);
        }
    }
    share_out(&mut out.share, whole);
    out
}

/// Where a place lies by the lines of a unit's front and rear.
pub fn line_of(of: &Placed, place: Vec2) -> Line {
    let frame = Frame::of(of);
    line(frame.local(place).y, frame.half_depth)
}

fn line(y: f64, half_depth: f64) -> Line {
    if y > half_depth + SLOP {
        Line::Ahead
    } else if y < -half_depth - SLOP {
        Line::Behind
    } else {
        Line::Level
    }
}

/// How much of a target lies ahead of, level with and behind a unit, by the lines of its front and rear.
pub fn by_frontage_line(of: &Placed, target: &impl Outline) -> ByLine {
    let frame = Frame::of(of);
    let (up, down, d) = (Vec2::new(0.0, 1.0), Vec2::new(0.0, -1.0), frame.half_depth);
    let mut out = ByLine::default();
    let mut whole = 0.0;
    for part in target.parts() {
        let local: Corners = part.corners.iter().map(|c| frame.local(*c)).collect();
        let all = area(&local);
        whole += all;
        for c in &local {
            out.corners[line(c.y, d) as usize] += 1;
        }
        let (ahead, behind) = (area(&clip(&local, down, -d)).max(0.0), area(&clip(&local, up, -d)).max(0.0));
        out.share[0] += ahead;
        out.share[1] += (all - ahead - behind).max(0.0);
        out.share[2] += behind;
    }
    share_out(&mut out.share, whole);
    out
}

/// Turns areas into shares of a whole.
fn share_out(areas: &mut [f64], whole: f64) {
    for a in areas {
        *a = if whole > 0.0 { (*a / whole).min(1.0) } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::length::Length;
    use crate::pose::{Point, Pose};

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    #[test]
    fn diagonals_part_front_flank_and_rear() {
        let us = unit(50, 52, 0);
        let at = |x, y| sector(&us, Diagonals::At45, Point::cm(x, y).v());
        assert_eq!(at(50, 80), Sector::Front);
        assert_eq!(at(60, 57), Sector::Front, "on the diagonal");
        assert_eq!(at(61, 57), Sector::RightFlank);
        assert_eq!(at(39, 50), Sector::LeftFlank);
        assert_eq!(at(50, 20), Sector::Rear);
        let through = |x, y| sector(&us, Diagonals::ThroughCorners, Point::cm(x, y).v());
        assert_eq!(through(60, 57), Sector::Front);
        assert_eq!(through(65, 55), Sector::RightFlank);
    }

    #[test]
    fn a_target_astride_a_diagonal_is_shared() {
        let us = unit(50, 52, 0);
        let got = by_diagonals(&us, Diagonals::At45, &unit(60, 59, 0));
        assert!((got.share.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        assert!(got.of(Sector::Front) > 0.2 && got.of(Sector::RightFlank) > 0.2);
        assert_eq!(got.corners, [2, 2, 0, 0]);
        assert_eq!(by_diagonals(&us, Diagonals::ThroughCorners, &unit(50, 30, 0)).most(), Sector::Rear);
    }

    #[test]
    fn the_line_of_the_front_parts_ahead_from_behind() {
        let us = unit(50, 52, 0);
        assert!(by_frontage_line(&us, &unit(80, 70, 0)).wholly_ahead());
        let beside = by_frontage_line(&us, &unit(80, 52, 0));
        assert!(beside.wholly_behind_front() && !beside.wholly_behind_rear());
        assert!(by_frontage_line(&us, &unit(80, 48, 0)).wholly_behind_rear());
        assert_eq!(line_of(&us, Point::cm(90, 53).v()), Line::Ahead);
    }
}
