//! The units by where they lie, so that those near a place are found without looking at all of them.

use std::sync::atomic::{AtomicU8, Ordering};

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Bounds, Length, Outline, Vec2};

use super::zones::Units;
use crate::battle::Battle;

/// The squares in which units are listed: about the frontage of a battalion.
const SQUARE: Length = Length::cm(20);

/// The units on the table by the square that holds their middle.
#[derive(Debug)]
pub(super) struct ByPlace {
    /// Those of each side, row by row of squares.
    sides: [Vec<Listed>; 2],
    /// The largest half extent of any of them.
    reach: f64,
    /// Those whom an enemy has engaged across an obstacle.
    across: Units,
    /// What has been asked about each unit's contacts: two bits a question, asked and so. They follow from the places.
    contacts: Vec<AtomicU8>,
}

/// What is asked about a unit's contacts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Contact {
    /// It touches an enemy.
    Touches = 0,
    /// It is engaged, and not across an obstacle.
    Engaged = 2,
}

#[derive(Clone, Copy, Debug)]
struct Listed {
    square: u32,
    id: UnitId,
    bounds: Bounds,
}

/// The column and row of a place; a cast from f64 saturates, so what lies off the table is in the outermost squares.
fn square(place: Vec2) -> (u16, u16) {
    ((place.x / SQUARE.f()) as u16, (place.y / SQUARE.f()) as u16)
}

/// The number of a square, row by row.
fn number((column, row): (u16, u16)) -> u32 {
    u32::from(row) << 16 | u32::from(column)
}

impl ByPlace {
    /// The units of a battle as they lie.
    pub(super) fn of(battle: &Battle) -> Self {
        let contacts = battle.unit_ids().map(|_| AtomicU8::new(0)).collect();
        let mut list = Self { sides: [Vec::new(), Vec::new()], reach: 0.0, across: Units::new(), contacts };
        for id in battle.unit_ids() {
            list.across.extend(battle.unit(id).across);
            let Some(placed) = battle.laid.get(id) else { continue };
            let bounds = placed.bounds();
            let size = bounds.max - bounds.min;
            list.reach = list.reach.max(size.x.max(size.y) / 2.0);
            let square = number(square(bounds.middle()));
            list.sides[battle.facts(id).side.index()].push(Listed { square, id, bounds });
        }
        list.sides.iter_mut().for_each(|side| side.sort_unstable_by_key(|listed| (listed.square, listed.id)));
        list
    }

    /// The same with one unit where it lies now, or nowhere.
    pub(super) fn with(&self, battle: &Battle, id: UnitId) -> Self {
        let contacts = self.contacts.iter().map(|_| AtomicU8::new(0)).collect();
        let (mut sides, mut reach) = (self.sides.clone(), self.reach);
        let list = &mut sides[battle.facts(id).side.index()];
        list.retain(|listed| listed.id != id);
        if let Some(placed) = battle.laid.get(id) {
            let bounds = placed.bounds();
            let size = bounds.max - bounds.min;
            // It is never less than the largest, which is all that is asked of it.
            reach = reach.max(size.x.max(size.y) / 2.0);
            let square = number(square(bounds.middle()));
            let at = list.partition_point(|listed| (listed.square, listed.id) < (square, id));
            list.insert(at, Listed { square, id, bounds });
        }
        Self { sides, reach, across: self.across.clone(), contacts }
    }

    /// Something about a unit's contacts, found out if it is not known.
    pub(super) fn contact(&self, id: UnitId, what: Contact, find: impl FnOnce() -> bool) -> bool {
        let Some(cell) = self.contacts.get(id.index()) else { return find() };
        let known = cell.load(Ordering::Relaxed) >> what as u8;
        if known & 1 == 1 {
            return known & 2 == 2;
        }
        let so = find();
        cell.fetch_or((1 | u8::from(so) << 1) << what as u8, Ordering::Relaxed);
        so
    }

    /// Those of a side, or of both, whose boxes meet a box, in order.
    pub(super) fn meeting(&self, bounds: &Bounds, side: Option<Side>) -> Units {
        let wide = bounds.grown(self.reach);
        let (from, to) = (square(wide.min), square(wide.max));
        let mut found = Units::new();
        for (n, list) in self.sides.iter().enumerate() {
            if side.is_some_and(|side| side.index() != n) {
                continue;
            }
            let mut look = |listed: &[Listed]| {
                found.extend(listed.iter().filter(|listed| listed.bounds.meets(bounds)).map(|listed| listed.id));
            };
            // Few units are looked through sooner than they are looked up.
            if list.len() <= 8 * usize::from(to.1 - from.1 + 1) {
                look(list);
                continue;
            }
            for row in from.1..=to.1 {
                let first = list.partition_point(|listed| listed.square < number((from.0, row)));
                let in_row = &list[first..];
                look(&in_row[..in_row.partition_point(|listed| listed.square <= number((to.0, row)))]);
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether an enemy had engaged a unit across an obstacle when this was made.
    pub(super) fn is_across(&self, id: UnitId) -> bool {
        self.across.contains(&id)
    }
}
