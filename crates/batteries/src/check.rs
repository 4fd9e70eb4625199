//! What must hold whatever happens.

use sabretache_engine::ids::UnitId;
use sabretache_table::{OnTable, Placed, overlapping};

use crate::battle::{Battle, Place};

impl Battle {
    /// What must always hold.
    pub(crate) fn check(&self) -> Result<(), String> {
        let id = |unit: UnitId| &self.fixed.scenario.body.units[unit.index()].id;
        let on_table: Vec<(UnitId, Placed)> = self.all().map(|unit| (unit, self.placed(unit))).collect();
        for (n, (unit, placed)) in on_table.iter().enumerate() {
            let state = self.unit(*unit);
            if state.figures > state.start {
                return Err(format!("{} has more figures than it started with", id(*unit)));
            }
            if self.fixed.table.on_table(placed) != OnTable::Wholly {
                return Err(format!("{} stands over the edge", id(*unit)));
            }
            let upon = |(other, there): &&(UnitId, Placed)| {
                overlapping(placed, there) && (state.inside.is_none() || self.unit(*other).inside != state.inside)
            };
            if let Some((other, _)) = on_table[..n].iter().find(upon) {
                return Err(format!("{} stands on top of {}", id(*unit), id(*other)));
            }
        }
        for block in &self.fixed.blocks {
            let held: u16 = self.garrison(block.ground).map(|unit| self.unit(unit).figures).sum();
            if held > block.capacity {
                return Err(format!("{} holds more than it can", self.ground_id(block.ground)));
            }
        }
        for contact in &self.contacts {
            for unit in [contact.charger, contact.target] {
                if self.unit(unit).place != Place::Table {
                    return Err(format!("{} fights and is not on the table", id(unit)));
                }
            }
            if self.side(contact.charger) == self.side(contact.target) {
                return Err(format!("{} fights a friend", id(contact.charger)));
            }
        }
        for general in self.generals.iter().filter(|general| !general.lost) {
            if general.with.is_some_and(|unit| self.side(unit) != general.side) {
                return Err("a general is with the enemy".into());
            }
        }
        Ok(())
    }
}
