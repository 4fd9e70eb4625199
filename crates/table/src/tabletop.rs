//! The table itself: a rectangle with four named edges, its south-west corner at the origin.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::heading::Heading;
use crate::length::Length;
use crate::outline::{Outline, SLOP};
use crate::placed::{Placed, Quad};
use crate::pose::Point;
use crate::sweep::{Direction, Swept, sweep};
use crate::vec2::{Segment, Vec2};

/// A table: width along x, depth along y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Tabletop {
    /// From west to east.
    pub width: Length,
    /// From south to north.
    pub depth: Length,
}

/// An edge of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    /// The far edge, +y.
    North,
    /// The right edge, +x.
    East,
    /// The near edge.
    South,
    /// The left edge.
    West,
}

impl Edge {
    /// All four, clockwise.
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    /// The way straight to the edge.
    pub const fn heading(self) -> Heading {
        match self {
            Edge::North => Heading::NORTH,
            Edge::East => Heading::EAST,
            Edge::South => Heading::SOUTH,
            Edge::West => Heading::WEST,
        }
    }
}

/// How much of something is on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OnTable {
    /// All of it.
    Wholly,
    /// It hangs over an edge.
    Partly,
    /// None of it.
    Off,
}

/// What stops somebody who makes straight for an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Homeward<T> {
    /// How far the mover gets, and what it meets.
    pub swept: Swept<T>,
    /// Whether it reaches the edge: nothing was met before.
    pub reaches: bool,
}

impl Tabletop {
    /// A table of a size.
    pub const fn new(width: Length, depth: Length) -> Tabletop {
        Tabletop { width, depth }
    }

    /// An edge, from left to right as seen from the middle of the table.
    pub fn edge(&self, edge: Edge) -> Segment {
        let (w, d) = (self.width.f(), self.depth.f());
        let (sw, se, ne, nw) = (Vec2::new(0.0, 0.0), Vec2::new(w, 0.0), Vec2::new(w, d), Vec2::new(0.0, d));
        match edge {
            Edge::North => Segment::new(nw, ne),
            Edge::East => Segment::new(ne, se),
            Edge::South => Segment::new(se, sw),
            Edge::West => Segment::new(sw, nw),
        }
    }

    /// Four walls that stand round the table, in the order of [`Edge::ALL`], each as thick as the table is long: a sweep or a
    /// wheel meets the edge as it meets anything else.
    pub fn walls(&self) -> [Quad; 4] {
        let thick = self.width.max(self.depth).f();
        Edge::ALL.map(|edge| {
            let line = self.edge(edge);
            let half = line.length() / 2.0 + thick;
            Quad::new(line.a.toward(line.b, 0.5), edge.heading().unit(), half, half, thick, 0.0)
        })
    }

    /// Whether a place is on the table, edges included.
    pub fn holds(&self, p: Point) -> bool {
        (Length::ZERO..=self.width).contains(&p.x) && (Length::ZERO..=self.depth).contains(&p.y)
    }

    /// How much of an outline is on the table.
    pub fn on_table(&self, outline: &impl Outline) -> OnTable {
        let b = outline.bounds();
        let (w, d) = (self.width.f(), self.depth.f());
        if b.min.x >= -SLOP && b.min.y >= -SLOP && b.max.x <= w + SLOP && b.max.y <= d + SLOP {
            OnTable::Wholly
        } else if b.max.x <= SLOP || b.max.y <= SLOP || b.min.x >= w - SLOP || b.min.y >= d - SLOP {
            OnTable::Off
        } else {
            OnTable::Partly
        }
    }

    /// How far the nearest place of an outline is from the line of an edge; 0 where it touches or hangs over.
    pub fn distance_to(&self, outline: &impl Outline, edge: Edge) -> Length {
        let b = outline.bounds();
        let d = match edge {
            Edge::North => self.depth.f() - b.max.y,
            Edge::East => self.width.f() - b.max.x,
            Edge::South => b.min.y,
            Edge::West => b.min.x,
        };
        if d <= SLOP { Length::ZERO } else { Length::rounded(d) }
    }

    /// The nearest edge; of two equally near, the first clockwise from north.
    pub fn nearest_edge(&self, outline: &impl Outline) -> Edge {
        let mut best = Edge::North;
        for edge in Edge::ALL {
            if self.distance_to(outline, edge) < self.distance_to(outline, best) {
                best = edge;
            }
        }
        best
    }

    /// How far a mover can go before it first touches an edge it would then hang over; nothing where it does not within the distance.
    pub fn leaves_after(&self, mover: &Placed, direction: Direction, max: Length) -> Option<(Length, Edge)> {
        let way = direction.heading(mover.pose()).unit();
        let b = mover.bounds();
        let (w, d) = (self.width.f(), self.depth.f());
        let sides = [
            (Edge::North, d - b.max.y, way.y),
            (Edge::East, w - b.max.x, way.x),
            (Edge::South, b.min.y, -way.y),
            (Edge::West, b.min.x, -way.x),
        ];
        let mut best: Option<(Length, Edge)> = None;
        for (edge, room, speed) in sides {
            if speed > 1e-12 {
                let at = Length::floored((room / speed).max(0.0));
                if at < max && best.is_none_or(|held| (at, edge) < held) {
                    best = Some((at, edge));
                }
            }
        }
        best
    }

    /// Makes straight for an edge, without turning, until the mover touches the edge or first meets something.
    pub fn straight_home<'a, T, O>(
        &self,
        mover: &Placed,
        edge: Edge,
        among: impl IntoIterator<Item = (T, &'a O)>,
    ) -> Homeward<T>
    where
        T: Copy + Ord,
        O: Outline + 'a,
    {
        let swept = sweep(mover, Direction::Toward(edge.heading()), self.distance_to(mover, edge), among);
        Homeward { swept, reaches: swept.met.is_none() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    const TABLE: Tabletop = Tabletop::new(Length::cm(180), Length::cm(120));

    #[test]
    fn hanging_over_an_edge_is_partly_on_the_table() {
        assert_eq!(TABLE.on_table(&unit(90, 60, 45)), OnTable::Wholly);
        assert_eq!(TABLE.on_table(&unit(90, 120, 0)), OnTable::Wholly);
        assert_eq!(TABLE.on_table(&unit(90, 121, 0)), OnTable::Partly);
        assert_eq!(TABLE.on_table(&unit(90, 124, 0)), OnTable::Off);
        assert_eq!(TABLE.nearest_edge(&unit(20, 60, 0)), Edge::West);
        assert_eq!(TABLE.distance_to(&unit(20, 60, 0), Edge::West), Length::cm(15));
    }

    #[test]
    fn the_straight_way_home_ends_at_the_edge_or_at_what_is_met() {
        assert_eq!(
            TABLE.leaves_after(&unit(90, 60, 0), Direction::Ahead, Length::cm(100)),
            Some((Length::cm(60), Edge::North))
        );
        let home = TABLE.straight_home(&unit(90, 60, 0), Edge::South, [(1, &unit(94, 30, 0))]);
        assert_eq!((home.swept.free, home.swept.met, home.reaches), (Length::cm(26), Some(1), false));
        let home = TABLE.straight_home(&unit(90, 60, 0), Edge::South, [(1, &unit(24, 30, 0))]);
        assert_eq!((home.swept.free, home.reaches), (Length::cm(56), true));
    }

    #[test]
    fn the_walls_stand_where_the_table_ends() {
        use crate::heading::Angle;
        use crate::wheel::{wheel_forward, wheeled_pose};
        let table = Tabletop::new(Length::cm(60), Length::cm(40));
        let walls = table.walls();
        let block = Footprint::block(1, 1, Length::cm(10), Length::cm(2));
        let among = || Edge::ALL.into_iter().zip(&walls);
        // Straight ahead they are met where it leaves the table.
        let mover = Placed::new(&block, Pose::cm(30, 20, 0));
        let met = sweep(&mover, Direction::Ahead, Length::cm(50), among());
        assert_eq!((met.free, met.met), (Length::cm(20), Some(Edge::North)));
        assert_eq!(sweep(&mover, Direction::Ahead, Length::cm(19), among()).met, None);
        // A millimetre from the west edge, the rear left corner of a wheel to the right soon hangs over it, one to the left
        // is free.
        let mover =
            Placed::new(&block, Pose { at: Point { x: Length::mm(51), y: Length::cm(20) }, heading: Heading::NORTH });
        let right = wheel_forward(&mover, Angle::degrees(90), among());
        assert_eq!(right.met, Some(Edge::West));
        assert!((Angle::hundredths(330)..Angle::hundredths(340)).contains(&right.free), "{:?}", right.free);
        let at = |angle: Angle| table.on_table(&Placed::new(&block, wheeled_pose(&mover, angle)));
        assert_eq!(at(right.free), OnTable::Wholly);
        assert_eq!(at(right.free + Angle::hundredths(5)), OnTable::Partly);
        assert_eq!(wheel_forward(&mover, Angle::degrees(-90), among()).met, None);
    }
}
