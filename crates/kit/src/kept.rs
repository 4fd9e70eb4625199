//! What each of many may do, remembered until something changes in the ground that was looked at to find it out.
//!
//! A book keeps one [`Kept`] beside its battle, with a cell for each unit or officer. A cell is filled when it is first asked for
//! and goes with the ground that was looked at; after every event the book says who has changed and where somebody stood or stands
//! now, and the cells that looked there are emptied. A copy of a battle has cells of its own: what is found out about one copy after it
//! was made never reaches the other.

use std::fmt;
use std::sync::{Arc, OnceLock};

use sabretache_table::{Bounds, Vec2};

/// Ground that was looked at: all round somebody, and perhaps a lane before him.
#[derive(Clone, Copy, Debug)]
pub struct Looked {
    /// A box.
    pub round: Bounds,
    /// A lane.
    pub lane: Option<Lane>,
}

/// A strip of ground.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Where it begins.
    pub from: Vec2,
    /// The way it runs, a unit long.
    pub way: Vec2,
    /// How long it is.
    pub long: f64,
    /// How far it reaches to either side.
    pub half: f64,
}

impl Lane {
    fn meets(&self, place: &Bounds) -> bool {
        let (middle, reach) = (place.middle() - self.from, (place.max - place.min) * 0.5);
        let (along, across) = (middle.dot(self.way), middle.cross(self.way).abs());
        let (x, y) = (self.way.x.abs(), self.way.y.abs());
        let (deep, wide) = (reach.x * x + reach.y * y, reach.x * y + reach.y * x);
        along + deep >= 0.0 && along - deep <= self.long && across - wide <= self.half
    }
}

impl Looked {
    /// A box and nothing more.
    #[must_use]
    pub const fn round(round: Bounds) -> Self {
        Self { round, lane: None }
    }

    /// Nothing was looked at but the one who looked.
    pub const NOTHING: Self = Self::round(Bounds::EMPTY);

    /// Whether a box lies in it, or comes near it.
    #[must_use]
    pub fn meets(&self, place: &Bounds) -> bool {
        self.round.meets(place) || self.lane.is_some_and(|lane| lane.meets(place))
    }
}

/// What was found for one, and where it was looked for.
#[derive(Debug)]
struct Found<T> {
    looked: Looked,
    what: Box<[T]>,
}

/// What each of many may do, as far as it has been asked for. It is no part of the battle: whatever is kept, two battles that are
/// otherwise the same are the same.
pub struct Kept<T> {
    cells: Vec<OnceLock<Arc<Found<T>>>>,
}

impl<T> Kept<T> {
    /// Room for so many, and nothing is known of any.
    #[must_use]
    pub fn of(many: usize) -> Self {
        Self { cells: (0..many).map(|_| OnceLock::new()).collect() }
    }

    /// For how many there is room.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// There is room for none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// What one may do, found now if it is not known, with the ground that was looked at.
    ///
    /// # Panics
    ///
    /// Where there is no room for him.
    pub fn get(&self, one: usize, find: impl FnOnce() -> (Looked, Vec<T>)) -> &[T] {
        let found = self.cells[one].get_or_init(|| {
            let (looked, what) = find();
            Arc::new(Found { looked, what: what.into() })
        });
        &found.what
    }

    /// What one may do, if it is known.
    #[must_use]
    pub fn known(&self, one: usize) -> Option<&[T]> {
        self.cells.get(one)?.get().map(|found| &*found.what)
    }

    /// One has changed.
    pub fn forget(&mut self, one: usize) {
        if let Some(cell) = self.cells.get_mut(one) {
            cell.take();
        }
    }

    /// Something has changed that concerns everybody.
    pub fn forget_all(&mut self) {
        for cell in &mut self.cells {
            cell.take();
        }
    }

    /// Those of whom the book says so forget what they may do: it is told who it is, the ground that was looked at and what was found.
    pub fn forget_where(&mut self, mut stale: impl FnMut(usize, &Looked, &[T]) -> bool) {
        for (n, cell) in self.cells.iter_mut().enumerate() {
            if cell.get().is_some_and(|found| stale(n, &found.looked, &found.what)) {
                cell.take();
            }
        }
    }

    /// Those who looked where somebody stood or stands now forget what they may do.
    pub fn forget_at(&mut self, places: &[Bounds]) {
        self.forget_where(|_, looked, _| places.iter().any(|place| looked.meets(place)));
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.cells.clone_from(&source.cells);
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { cells: Vec::new() }
    }
}

impl<T> PartialEq for Kept<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.cells.iter().filter(|cell| cell.get().is_some()).count();
        write!(f, "Kept({known} of {})", self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f64, y: f64) -> Bounds {
        Bounds { min: Vec2::new(x, y), max: Vec2::new(x + 1.0, y + 1.0) }
    }

    #[test]
    fn only_those_who_looked_there_look_again() {
        let mut kept = Kept::of(3);
        for (n, x) in [0.0, 10.0, 20.0].into_iter().enumerate() {
            assert_eq!(kept.get(n, || (Looked::round(place(x, 0.0)), vec![n])), [n]);
        }
        kept.forget_at(&[place(10.5, 0.5)]);
        assert_eq!((kept.known(0), kept.known(1), kept.known(2)), (Some(&[0][..]), None, Some(&[2][..])));
        kept.forget(2);
        assert_eq!((kept.known(2), kept.known(7)), (None, None));
    }

    #[test]
    fn a_lane_is_looked_along_and_not_beside() {
        let lane = Lane { from: Vec2::new(0.0, 0.0), way: Vec2::new(0.0, 1.0), long: 30.0, half: 2.0 };
        let looked = Looked { round: Bounds::EMPTY, lane: Some(lane) };
        assert!(looked.meets(&place(0.0, 20.0)) && looked.meets(&place(1.5, 29.5)));
        assert!(
            !looked.meets(&place(2.5, 20.0)) && !looked.meets(&place(0.0, 31.0)) && !looked.meets(&place(0.0, -2.0))
        );
        assert!(!Looked::NOTHING.meets(&place(0.0, 0.0)));
    }

    #[test]
    fn what_a_copy_finds_out_is_its_own() {
        let first: Kept<u8> = Kept::of(2);
        first.get(0, || (Looked::NOTHING, vec![1]));
        let mut copy = first.clone();
        copy.get(1, || (Looked::NOTHING, vec![2]));
        copy.forget(0);
        assert_eq!((first.known(0), first.known(1)), (Some(&[1][..]), None));
        assert_eq!((copy.known(0), copy.known(1)), (None, Some(&[2][..])));
    }
}
