//! Bases that are lost, and the end of the line from which they go.

use super::*;
use crate::event::Combatant;
use crate::phases::closing::{Closing, End};
use crate::phases::splitting::about;
use crate::table::lay::{Figure, LOOSE};
use sabretache_table::{Angle, OnTable, Outline, overlapping};

impl Battle {
    /// Takes bases off a brigade (MB-MOR-04).
    pub(super) fn lose_bases(&mut self, unit: UnitId, casualties: u8, by: Option<UnitId>) {
        decides!(MB_MOR_04);
        for _ in 0..casualties {
            // A crowd does not close up: the bases that are left stay where they are.
            if let Some(fewer) = self.without_furthest(unit, by) {
                *self.at(unit) = fewer;
                continue;
            }
            let brigade = self.at(unit);
            if let Some(refused) = brigade.refused.filter(|one| one.bases + 1 >= brigade.bases) {
                // Only the end that was drawn back is left: it is the line now, where it stands.
                brigade.pose = refused.pose_of(&Figure::of(brigade, brigade.pose).bases, brigade.pose);
                (brigade.bases, brigade.files) = (refused.bases, refused.bases);
                brigade.refused = None;
                continue;
            }
            let single = brigade.is_single_line();
            brigade.bases = brigade.bases.saturating_sub(1);
            if single && brigade.bases > 0 {
                brigade.files = brigade.files.min(brigade.bases).max(1);
                let end = self.end_that_loses(unit);
                // The front narrows, and its middle shifts by half a base.
                let brigade = self.at(unit);
                let half = brigade.width.half();
                brigade.pose = brigade.pose.sideways(if end == End::Right { -half } else { half });
                self.narrow(unit, end);
                continue;
            }
            brigade.files = brigade.files.min(brigade.bases).max(1);
        }
        if casualties > 0 && self.brigade(unit).places.is_none() {
            self.shove(unit);
        }
    }

    /// A line that fights has lost a base on its right, or on its left: if that was none of those in combat, as many are in
    /// combat as before, and fewer beside them (MB-RES-11).
    fn narrow(&mut self, unit: UnitId, end: End) {
        for one in self.combatants(unit) {
            let beside = if end == End::Right { &mut one.right } else { &mut one.left };
            *beside = beside.saturating_sub(1);
        }
    }

    fn combatants(&mut self, unit: UnitId) -> impl Iterator<Item = &mut Combatant> {
        let members = self.fights.iter_mut().flat_map(|fight| fight.a.iter_mut().chain(&mut fight.b));
        members.filter(move |one| one.unit == unit)
    }

    /// The end of a line from which a base goes (MB-MOR-04). The first is the owner's to pick: he is asked afterwards. If
    /// another goes before he is, that one goes from the other end, and there is nothing to pick.
    fn end_that_loses(&mut self, unit: UnitId) -> End {
        let brigade = *self.brigade(unit);
        // An end that is drawn back keeps its bases: the other loses one.
        if let Some(refused) = brigade.refused {
            return if refused.left { End::Right } else { End::Left };
        }
        if let Some(last) = brigade.lost_end {
            self.at(unit).lost_end = Some(last.other());
            return last.other();
        }
        if let Some(n) = self.closing.iter().position(|one| one.unit == unit) {
            return self.closing.remove(n).lost.other();
        }
        let lost = if brigade.bases.is_multiple_of(2) { End::Right } else { End::Left };
        if brigade.is_brigade() {
            let beside = self.combatants(unit).next().map(|one| [one.left, one.right]);
            self.closing.push(Closing { unit, lost, beside });
        }
        lost
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
            self.combatants(unit).for_each(|one| (one.left, one.right) = (left, right));
            self.narrow(unit, end);
        }
        self.take_leaders_along(unit);
    }

    /// A crowd too large for each of its bases to have a place of its own closes up to its middle after losses. Where somebody's corner was between its bases it gives way by as
    /// little as it can: at the most it stands where one of its bases stood.
    fn shove(&mut self, unit: UnitId) {
        let brigade = *self.brigade(unit);
        let free = |pose: Pose| {
            let figure = Figure::of(&brigade, pose);
            let others = self.around(figure.bounds(), Length::ZERO).filter(|other| *other != unit);
            self.fixed.table.on_table(&figure) == OnTable::Wholly
                && !others.into_iter().any(|other| overlapping(&figure, self.figure(other)))
        };
        let steps = (0..=12_i32).flat_map(|far| (0..8).map(move |way| (LOOSE.half() * far, Angle::degrees(way * 45))));
        let back = brigade.pose.heading.reversed();
        let steps = steps.filter(|_| brigade.is_unformed()).map(|(far, way)| brigade.pose.moved(back + way, far));
        // What was rounded to the whole micrometre comes first.
        let mut poses = about(brigade.pose.at).map(|at| Pose::new(at, brigade.pose.heading)).chain(steps);
        if let Some(pose) = poses.find(|pose| free(*pose)).filter(|pose| *pose != brigade.pose) {
            self.at(unit).pose = pose;
        }
    }
}
