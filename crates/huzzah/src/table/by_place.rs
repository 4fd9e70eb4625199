//! The units by where they lie, so that whoever looks for those near a place need not look at all of them.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Bounds, Length, Outline, Vec2};

use super::zones::Units;
use crate::battle::Battle;

/// The squares in which units are listed: about the frontage of a battalion.
const SQUARE: Length = Length::cm(20);

/// The units on the table by the square that holds their middle.
#[derive(Clone, Debug)]
pub(super) struct ByPlace {
    /// Those of each side, row by row of squares.
    sides: [Vec<Listed>; 2],
    /// The largest half extent of any of them.
    reach: f64,
    /// Those whom an enemy has engaged across an obstacle.
    across: Units,
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
        let mut list = Self { sides: [Vec::new(), Vec::new()], reach: 0.0, across: Units::new() };
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
