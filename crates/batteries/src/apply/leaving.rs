//! Units that leave: their fights, their guns, the table.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;

use crate::battle::{Abandoned, Battle, Contact, Place};
use crate::clauses::BB_OPT_28;

impl Battle {
    /// The unit has left its fights.
    pub(crate) fn leave_contacts(&mut self, unit: UnitId) {
        self.note_parted(|contact| contact.other(unit).is_some());
        self.contacts.retain(|contact| contact.other(unit).is_none());
        self.rest_of_those_free();
    }

    /// Fights that end this turn are remembered until it is over; those who were run over were never fought (BB-OPT-28).
    pub(super) fn note_parted(&mut self, ends: impl Fn(&Contact) -> bool) {
        decides!(BB_OPT_28);
        let over = self.contacts.iter().filter(|contact| ends(contact) && !contact.overrun);
        self.parted.extend(over.map(|contact| (contact.charger, contact.target)));
    }

    /// Those who fight nobody any more begin their next combat afresh.
    pub(super) fn rest_of_those_free(&mut self) {
        for n in 0..self.units.len() {
            if self.units[n].rounds > 0 && !self.in_contact(UnitId(n as u16)) {
                self.units[n].rounds = 0;
            }
        }
    }

    /// The unit is off the table.
    pub(crate) fn remove(&mut self, unit: UnitId, place: Place) {
        if let Some(screen) = self.screen_out(unit) {
            self.take_in(unit, screen);
        }
        self.leave_contacts(unit);
        self.abandoned.retain(|guns| guns.unit != unit);
        for general in self.generals.iter_mut().filter(|general| general.with == Some(unit)) {
            general.with = None;
        }
        let state = self.change(unit);
        (state.place, state.inside) = (place, None);
    }

    /// Guns stay where they are.
    pub(crate) fn leave_guns(&mut self, unit: UnitId) {
        let pose = self.unit(unit).pose;
        self.abandoned.push(Abandoned { unit, pose });
        self.change(unit).away = true;
    }
}
