//! Footprints: the stands of a unit as its formation lays them out, relative to the middle of the front edge.
//!
//! Most units are one solid block, which is a plain value; a bent line, a hollow square or an open order keeps its stands
//! behind a shared pointer, so that cloning a battle copies no stand.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::heading::Heading;
use crate::length::Length;
use crate::pose::{Point, Pose};
use crate::vec2::Vec2;

/// One stand: a small rectangle, placed relative to its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Stand {
    /// The middle of the stand's front edge: x to the right of and y ahead of the middle of the unit's front edge; the
    /// heading is relative to the unit's.
    pub at: Pose,
    /// Its frontage.
    pub width: Length,
    /// Its depth.
    pub depth: Length,
}

/// The four faces of a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// The way it faces.
    Front,
    /// Its right flank.
    Right,
    /// Its back.
    Rear,
    /// Its left flank.
    Left,
}

impl Face {
    /// All four, clockwise from the front.
    pub const ALL: [Face; 4] = [Face::Front, Face::Right, Face::Rear, Face::Left];
}

/// The four corners of a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// The left end of the front.
    FrontLeft,
    /// The right end of the front.
    FrontRight,
    /// The right end of the rear.
    RearRight,
    /// The left end of the rear.
    RearLeft,
}

impl Corner {
    /// All four, clockwise from the front left.
    pub const ALL: [Corner; 4] = [Corner::FrontLeft, Corner::FrontRight, Corner::RearRight, Corner::RearLeft];
}

/// The upright box of a footprint in its own frame: how far it reaches each way from the middle of its front edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Reach {
    /// To the left (not negative for a footprint that straddles its middle).
    pub left: Length,
    /// To the right.
    pub right: Length,
    /// Ahead; 0 for every block.
    pub front: Length,
    /// Back.
    pub back: Length,
}

/// The stands of a unit in a formation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Layout", into = "Layout")]
pub struct Footprint {
    reach: Reach,
    layout: Layout,
}

/// How a footprint is written in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Layout {
    /// So many stands across, so many deep, with no gaps.
    Block { files: u16, ranks: u16, width: Length, depth: Length },
    /// Any stands.
    Stands { stands: Arc<[Stand]> },
}

impl From<Layout> for Footprint {
    fn from(layout: Layout) -> Footprint {
        match layout {
            Layout::Block { files, ranks, width, depth } => Footprint::block(files, ranks, width, depth),
            Layout::Stands { stands } => Footprint::of(&stands),
        }
    }
}

impl From<Footprint> for Layout {
    fn from(footprint: Footprint) -> Layout {
        footprint.layout
    }
}

impl Footprint {
    /// A block with no gaps: `files` stands across and `ranks` deep, each of the size given. At least one of each.
    pub fn block(files: u16, ranks: u16, width: Length, depth: Length) -> Footprint {
        let (files, ranks) = (files.max(1), ranks.max(1));
        let (width, depth) = (width.max(Length::ZERO), depth.max(Length::ZERO));
        let frontage = width * i32::from(files);
        let left = frontage.half();
        let reach = Reach { left, right: frontage - left, front: Length::ZERO, back: depth * i32::from(ranks) };
        Footprint { reach, layout: Layout::Block { files, ranks, width, depth } }
    }

    /// A single stand.
    pub fn single(width: Length, depth: Length) -> Footprint {
        Footprint::block(1, 1, width, depth)
    }

    /// Any stands: a refused line, a hollow square, an open order, a column on a bending road.
    ///
    /// The four faces and corners are those of the smallest box round the stands in the frame of the unit. With no
    /// stands at all the footprint is a single place.
    pub fn of(stands: &[Stand]) -> Footprint {
        let Some(first) = stands.first() else { return Footprint::single(Length::ZERO, Length::ZERO) };
        let straight = first.at.heading == Heading::NORTH && first.at.at == Point::default();
        if stands.len() == 1 && straight {
            return Footprint::single(first.width, first.depth);
        }
        let (mut left, mut right, mut front, mut back) =
            (f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY);
        for stand in stands {
            for p in stand.corners() {
                left = left.min(p.x);
                right = right.max(p.x);
                front = front.max(p.y);
                back = back.min(p.y);
            }
        }
        let reach = Reach {
            left: -Length::rounded(left),
            right: Length::rounded(right),
            front: Length::rounded(front),
            back: -Length::rounded(back),
        };
        Footprint { reach, layout: Layout::Stands { stands: stands.into() } }
    }

    /// How far it reaches each way.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The width of the front, from the leftmost to the rightmost edge.
    pub fn frontage(&self) -> Length {
        self.reach.left + self.reach.right
    }

    /// The depth, from the foremost to the rearmost edge.
    pub fn depth(&self) -> Length {
        self.reach.front + self.reach.back
    }

    /// How many stands there are.
    pub fn stand_count(&self) -> usize {
        match &self.layout {
            Layout::Block { files, ranks, .. } => usize::from(*files) * usize::from(*ranks),
            Layout::Stands { stands } => stands.len(),
        }
    }

    /// Whether the stands fill one rectangle.
    pub fn is_block(&self) -> bool {
        matches!(self.layout, Layout::Block { .. })
    }

    /// The stands of a footprint that is no block; empty for a block, whose rectangle says it all.
    pub(crate) fn loose(&self) -> &[Stand] {
        match &self.layout {
            Layout::Block { .. } => &[],
            Layout::Stands { stands } => stands,
        }
    }

    /// The stands, front rank first, from left to right.
    pub fn stands(&self) -> Vec<Stand> {
        match &self.layout {
            Layout::Stands { stands } => stands.to_vec(),
            Layout::Block { files, ranks, width, depth } => {
                let mut out = Vec::with_capacity(self.stand_count());
                for rank in 0..i32::from(*ranks) {
                    for file in 0..i32::from(*files) {
                        let x = *width * file + width.half() - self.reach.left;
                        let at = Pose::new(Point::new(x, -(*depth * rank)), Heading::NORTH);
                        out.push(Stand { at, width: *width, depth: *depth });
                    }
                }
                out
            }
        }
    }
}

impl Stand {
    /// The corners in the frame of the unit: front right, front left, rear left, rear right (anticlockwise).
    pub(crate) fn corners(&self) -> [Vec2; 4] {
        rectangle(
            self.at.at.v(),
            self.at.heading.unit(),
            self.width.f() / 2.0,
            self.width.f() / 2.0,
            0.0,
            self.depth.f(),
        )
    }
}

/// The corners of a rectangle, anticlockwise from the front right.
pub(crate) fn rectangle(at: Vec2, forward: Vec2, left: f64, right: f64, front: f64, back: f64) -> [Vec2; 4] {
    let r = forward.right();
    [
        at + r * right + forward * front,
        at - r * left + forward * front,
        at - r * left - forward * back,
        at + r * right - forward * back,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_its_rectangle() {
        let f = Footprint::block(4, 2, Length::mm(40), Length::mm(20));
        assert_eq!((f.frontage(), f.depth(), f.stand_count()), (Length::cm(16), Length::cm(4), 8));
        let stands = f.stands();
        assert_eq!(stands[0].at.at, Point::new(Length::mm(-60), Length::ZERO));
        assert_eq!(stands[7].at.at, Point::new(Length::mm(60), Length::mm(-20)));
        let same = Footprint::of(&stands);
        assert_eq!(same.reach(), f.reach());
    }

    #[test]
    fn footprints_are_written_and_read() {
        let block = Footprint::block(3, 1, Length::mm(40), Length::mm(20));
        let text = serde_json::to_string(&block).unwrap();
        assert_eq!(text, r#"{"files":3,"ranks":1,"width":40000,"depth":20000}"#);
        assert_eq!(serde_json::from_str::<Footprint>(&text).unwrap(), block);
        let loose = Footprint::of(&block.stands());
        let text = serde_json::to_string(&loose).unwrap();
        assert_eq!(serde_json::from_str::<Footprint>(&text).unwrap(), loose);
    }
}
