//! The index over the units: which of them lie near a box, without looking at every one.
//!
//! A grid with each unit in the one cell that holds its middle. Placing, moving and removing touch two short lists; a query looks at the cells of its box,
//! widened by the largest unit. Everything is flat arrays, so cloning an index copies a few blocks of memory.

use crate::length::Length;
use crate::outline::{Bounds, Outline};
use crate::placed::Placed;
use crate::tabletop::Tabletop;
use crate::vec2::Vec2;

/// The number of a unit in an index; keep them small and close together, for they are places in an array.
pub type UnitId = u16;

/// No unit: the end of a list.
const NONE: u16 = u16::MAX;
/// No cell: the unit is not on the table.
const NOWHERE: u16 = u16::MAX;
/// The most cells a grid has.
const MOST_CELLS: f64 = 60_000.0;

/// The units on a table, found by where they lie.
#[derive(Clone, Debug)]
pub struct Index {
    origin: Vec2,
    cell: f64,
    cols: u16,
    rows: u16,
    /// The first unit of each cell; the last list holds the units too large for the grid.
    heads: Vec<u16>,
    links: Vec<Link>,
    boxes: Vec<Bounds>,
    units: Vec<Option<Placed>>,
    count: u16,
    /// The largest half extent of any unit in the grid so far.
    reach: f64,
    /// The box round every unit so far; it never shrinks, so keeping it costs nothing.
    extent: Bounds,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u16,
    prev: u16,
    cell: u16,
}

const UNLINKED: Link = Link { next: NONE, prev: NONE, cell: NOWHERE };

impl Index {
    /// An empty index for a table, with cells of 20 cm: about the frontage of a battalion, and at most a few units in each.
    pub fn new(table: &Tabletop) -> Index {
        Index::with_cells(table, Length::cm(20))
    }

    /// An empty index with cells of another size. Units may lie off the table; they are kept in the outermost cells.
    pub fn with_cells(table: &Tabletop, cell: Length) -> Index {
        let (w, h) = (table.width.f().max(1.0), table.depth.f().max(1.0));
        let count = |side: f64, cell: f64| libm::ceil(side / cell).max(1.0);
        let mut cell = cell.f().max(1_000.0);
        while count(w, cell) * count(h, cell) > MOST_CELLS {
            cell *= 1.5;
        }
        let (cols, rows) = (count(w, cell) as u16, count(h, cell) as u16);
        let cells = usize::from(cols) * usize::from(rows);
        Index {
            origin: Vec2::default(),
            cell,
            cols,
            rows,
            heads: vec![NONE; cells + 1],
            links: Vec::new(),
            boxes: Vec::new(),
            units: Vec::new(),
            count: 0,
            reach: 0.0,
            extent: Bounds::EMPTY,
        }
    }

    /// Places a unit, or moves it where it is placed already. Ids up to 65,534.
    pub fn place(&mut self, id: UnitId, placed: Placed) {
        if id == NONE {
            return;
        }
        let i = usize::from(id);
        if i >= self.links.len() {
            self.links.resize(i + 1, UNLINKED);
            self.boxes.resize(i + 1, Bounds::EMPTY);
            self.units.resize(i + 1, None);
        }
        let bounds = placed.bounds();
        let half = ((bounds.max.x - bounds.min.x).max(bounds.max.y - bounds.min.y)) / 2.0;
        let cell = if half > self.cell {
            (self.heads.len() - 1) as u16
        } else {
            self.reach = self.reach.max(half);
            let (x, y) = self.cell_of(bounds.middle());
            y * self.cols + x
        };
        if self.links[i].cell != cell {
            self.unlink(id);
            let head = self.heads[usize::from(cell)];
            self.links[i] = Link { next: head, prev: NONE, cell };
            if head != NONE {
                self.links[usize::from(head)].prev = id;
            }
            self.heads[usize::from(cell)] = id;
            self.count += 1;
        }
        self.extent = self.extent.join(bounds);
        self.boxes[i] = bounds;
        self.units[i] = Some(placed);
    }

    /// Takes a unit off the table.
    pub fn remove(&mut self, id: UnitId) {
        self.unlink(id);
        if let Some(unit) = self.units.get_mut(usize::from(id)) {
            *unit = None;
        }
    }

    fn unlink(&mut self, id: UnitId) {
        let Some(link) = self.links.get(usize::from(id)).copied().filter(|l| l.cell != NOWHERE) else { return };
        if link.prev == NONE {
            self.heads[usize::from(link.cell)] = link.next;
        } else {
            self.links[usize::from(link.prev)].next = link.next;
        }
        if link.next != NONE {
            self.links[usize::from(link.next)].prev = link.prev;
        }
        self.links[usize::from(id)] = UNLINKED;
        self.count -= 1;
    }

    /// A unit, where it lies.
    pub fn get(&self, id: UnitId) -> Option<&Placed> {
        self.units.get(usize::from(id)).and_then(Option::as_ref)
    }

    /// Every unit, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.units.iter().enumerate().filter_map(|(i, u)| u.as_ref().map(|u| (i as u16, u)))
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A box that holds every unit.
    pub(crate) fn extent(&self) -> Bounds {
        self.extent
    }

    pub(crate) fn cell_size(&self) -> f64 {
        self.cell
    }

    fn cell_of(&self, p: Vec2) -> (u16, u16) {
        let d = (p - self.origin) * (1.0 / self.cell);
        // A cast from f64 saturates, so places off the table fall into the outermost cells.
        ((d.x as u16).min(self.cols - 1), (d.y as u16).min(self.rows - 1))
    }

    /// The units whose box meets a box, in no particular order. (Every query built on this gives the same answer in any order.)
    pub fn near(&self, bounds: Bounds) -> Near<'_> {
        let wide = bounds.grown(self.reach);
        let (x0, y0) = self.cell_of(wide.min);
        let (x1, y1) = self.cell_of(wide.max);
        let all = self.heads[self.heads.len() - 1];
        Near { index: self, bounds, x0, x1, y1, x: x0, y: y0, next: all }
    }
}

/// The units near a box; see [`Index::near`].
#[derive(Clone, Debug)]
pub struct Near<'a> {
    index: &'a Index,
    bounds: Bounds,
    x0: u16,
    x1: u16,
    y1: u16,
    x: u16,
    y: u16,
    next: u16,
}

impl<'a> Iterator for Near<'a> {
    type Item = (UnitId, &'a Placed);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.next != NONE {
                let id = self.next;
                let i = usize::from(id);
                self.next = self.index.links[i].next;
                if self.index.boxes[i].meets(&self.bounds)
                    && let Some(unit) = &self.index.units[i]
                {
                    return Some((id, unit));
                }
            }
            if self.y > self.y1 {
                return None;
            }
            self.next = self.index.heads[usize::from(self.y) * usize::from(self.index.cols) + usize::from(self.x)];
            if self.x < self.x1 {
                self.x += 1;
            } else {
                self.x = self.x0;
                self.y += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, 0))
    }

    fn found(index: &Index, bounds: Bounds) -> Vec<u16> {
        let mut ids: Vec<u16> = index.near(bounds).map(|(id, _)| id).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn units_are_found_where_they_are_moved_to() {
        let table = Tabletop::new(Length::cm(180), Length::cm(120));
        let mut index = Index::new(&table);
        index.place(3, unit(20, 20));
        index.place(5, unit(100, 60));
        index.place(9, unit(-50, 500));
        let here = unit(22, 22).bounds();
        assert_eq!(found(&index, here), [3]);
        index.place(3, unit(100, 62));
        assert_eq!(found(&index, here), [] as [u16; 0]);
        assert_eq!(found(&index, unit(100, 60).bounds()), [3, 5]);
        assert_eq!(found(&index, unit(-50, 500).bounds()), [9], "off the table");
        index.remove(5);
        index.remove(5);
        assert_eq!(found(&index, unit(100, 60).bounds()), [3]);
        assert_eq!(index.len(), 2);
    }

    #[test]
    fn no_table_is_too_large_or_too_narrow() {
        for (w, d) in [(Length::MAX, Length::MAX), (Length::MAX, Length::mm(1_010)), (Length::ZERO, -Length::cm(5))] {
            let mut index = Index::with_cells(&Tabletop::new(w, d), Length::ZERO);
            index.place(65_534, unit(5, 5));
            index.place(65_535, unit(5, 5));
            assert_eq!(found(&index, unit(5, 5).bounds()), [65_534]);
        }
    }

    #[test]
    fn a_unit_longer_than_a_cell_is_found_at_its_ends() {
        let table = Tabletop::new(Length::cm(180), Length::cm(120));
        let mut index = Index::new(&table);
        index.place(0, Placed::new(&Footprint::single(Length::cm(100), Length::cm(4)), Pose::cm(90, 60, 0)));
        index.place(1, unit(60, 90));
        assert_eq!(found(&index, unit(42, 60).bounds()), [0]);
    }
}
