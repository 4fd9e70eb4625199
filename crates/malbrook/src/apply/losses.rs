//! Brigades that have lost bases.

use super::*;
use crate::event::Remains;
use crate::phases::closing::End;
use crate::phases::follows::losses::{combatants, narrow};
use crate::table::crowds::Places;

impl Battle {
    /// What is left of a brigade stands as it was worked out.
    pub(super) fn left(&mut self, unit: UnitId, remains: &Remains) {
        let brigade = self.at(unit);
        (brigade.bases, brigade.files, brigade.pose) = (remains.bases, remains.files, remains.pose);
        (brigade.refused, brigade.lost_end) = (remains.refused, remains.lost_end);
        brigade.places = Places::of(remains.pose.at, &remains.places);
        if self.closing.iter().find(|one| one.unit == unit) != remains.closing.as_ref() {
            self.closing.retain(|one| one.unit != unit);
            self.closing.extend(remains.closing);
        }
        for (one, beside) in combatants(self, unit).zip(&remains.beside) {
            [one.left, one.right] = *beside;
        }
    }

    /// The owner of a line has picked the end that lost a base.
    pub(super) fn close_up(&mut self, unit: UnitId, end: End, to: Pose) {
        let asked = self.closing.iter().position(|one| one.unit == unit);
        let Some(closing) = asked.map(|n| self.closing.remove(n)) else { return };
        self.at(unit).lost_end = Some(end);
        if end == closing.lost {
            return;
        }
        self.at(unit).pose = to;
        if let Some([left, right]) = closing.beside {
            combatants(self, unit).for_each(|one| (one.left, one.right) = (left, right));
            narrow(self, unit, end);
        }
    }
}
