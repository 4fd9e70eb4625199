//! Brigades that manoeuvre, split and join.

use super::*;

impl Battle {
    /// A manoeuvre has been made.
    pub(super) fn manoeuvred(&mut self, event: &Event) {
        let Event::Manoeuvred { unit, manoeuvre, to, formation, files, half, spent } = event else { return };
        let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
        let from = self.brigade(*unit).pose.heading;
        self.carry(*unit, *to);
        let brigade = self.at(*unit);
        // The second of two changes is the last.
        let first = *manoeuvre == ManoeuvreKind::ChangeFormation && !*half && !brigade.marks.share.whole;
        brigade.marks.share.whole = first && !brigade.marks.share.done;
        if *manoeuvre == ManoeuvreKind::Wheel {
            brigade.marks.way.turned += from.turn_to(to.heading).to_hundredths();
        }
        (brigade.formation, brigade.files, brigade.refused) = (*formation, *files, None);
        brigade.places = brigade.places.filter(|_| brigade.is_unformed());
        brigade.marks.share.half |= *half;
        brigade.marks.share.spent += *spent;
        if matches!(manoeuvre, ManoeuvreKind::Wheel | ManoeuvreKind::Incline | ManoeuvreKind::PassGap) {
            (brigade.marks.moved, brigade.marks.shifted) = (true, true);
            brigade.marks.share.dice = brigade.marks.share.dice.or(dice);
            brigade.marks.way.wheeled = true;
        }
        if matches!(manoeuvre, ManoeuvreKind::SideStep | ManoeuvreKind::StepBack) {
            (brigade.marks.moved, brigade.marks.shifted) = (true, true);
        }
        if *manoeuvre == ManoeuvreKind::ReForm {
            brigade.status = Status::Steady;
        }
        if brigade.kind.is_gun() {
            brigade.aim = brigade.aim.filter(|_| *manoeuvre == ManoeuvreKind::TurnToFlank);
        }
    }

    /// A flank was refused, or straightened again.
    pub(super) fn bent(&mut self, event: &Event) {
        let Event::Bent { unit, refused, spent, moved } = event else { return };
        let dice = self.group.map(|roll| crate::situations::MoveDice::new(roll.average, roll.d6));
        let brigade = self.at(*unit);
        brigade.refused = *refused;
        brigade.marks.share.spent += *spent;
        if *moved {
            (brigade.marks.moved, brigade.marks.shifted) = (true, true);
            brigade.marks.share.dice = brigade.marks.share.dice.or(dice.filter(|_| *spent > Length::ZERO));
            brigade.marks.way.wheeled |= *spent > Length::ZERO;
        }
    }

    /// A brigade has split into two.
    pub(super) fn split(&mut self, event: &Event) {
        let Event::Split { unit, part, bases, files, to, stays, stays_files, stays_at } = event else { return };
        let parent = *self.brigade(*unit);
        let mut marks = parent.marks;
        marks.carried.attack = Assault::None;
        let pose = *stays_at;
        let rest = Brigade {
            part: *part,
            bases: *stays,
            files: *stays_files,
            pose,
            marks,
            refused: None,
            places: None,
            horses: parent.horses,
            ..parent
        };
        self.units.push(rest);
        let brigade = self.at(*unit);
        (brigade.bases, brigade.files, brigade.pose, brigade.places) = (*bases, *files, *to, None);
    }

    /// A brigade has taken over a gun that its crew had left.
    pub(super) fn take_gun(&mut self, unit: UnitId, gun: UnitId) {
        let (side, under) = (self.brigade(unit).side, self.brigade(unit).under);
        self.crews.retain(|(one, _)| *one != gun);
        let taken = self.at(gun);
        (taken.side, taken.under, taken.status) = (side, under, Status::Steady);
        (taken.dps, taken.aim, taken.marks) = (0, None, Marks::default());
        taken.marks.share.done = true;
    }

    /// What the turn has left on a brigade that has joined another is left on the whole: that it is to stand still, is fired
    /// into as it passes, or has to charge again. Old logs, in which that was lost, do not ask for it.
    pub(super) fn take_over(&mut self, unit: UnitId, from: UnitId) {
        let joined = *self.brigade(from);
        let brigade = self.at(unit);
        let marks = &mut brigade.marks;
        marks.control.halted |= joined.marks.control.halted;
        marks.suffered.passed |= joined.marks.suffered.passed;
        marks.fire.gave_fire |= joined.marks.fire.gave_fire;
        marks.suffered.volley = marks.suffered.volley.or(joined.marks.suffered.volley);
        marks.suffered.seen |= joined.marks.suffered.seen;
        brigade.known |= joined.known;
        brigade.spared = brigade.spared.or(joined.spared);
        let in_hand = |control: Charge| matches!(control, Charge::By(_) | Charge::Attached | Charge::Free);
        let copies = matches!(joined.marks.control.by, Charge::Conforms(_));
        if in_hand(marks.control.by) && !in_hand(joined.marks.control.by) && !copies {
            marks.control.by = joined.marks.control.by;
        }
        brigade.failed_charge |= joined.failed_charge;
        // Those at whom it fired, who charge it or who copy it have to do with the whole now.
        for one in &mut self.units {
            for foot in [&mut one.marks.suffered.volley, &mut one.spared] {
                if *foot == Some(from) {
                    *foot = Some(unit);
                }
            }
            if let Assault::Declared { at, .. } = &mut one.marks.carried.attack
                && *at == from
            {
                *at = unit;
            }
            if one.marks.control.by == Charge::Conforms(from) {
                one.marks.control.by = Charge::Conforms(unit);
            }
        }
        self.memo.forget();
    }

    /// A brigade has joined another.
    pub(super) fn merged_into(&mut self, event: &Event) {
        let Event::MergedInto { unit, into, files, to, places } = event else { return };
        let joined = *self.brigade(*unit);
        let brigade = self.at(*into);
        if joined.bases > brigade.bases {
            brigade.style = joined.style;
        }
        brigade.bases += joined.bases;
        let marks = &mut brigade.marks;
        marks.fought |= joined.marks.fought;
        marks.suffered.shot_at |= joined.marks.suffered.shot_at;
        if *files > brigade.files {
            // Side by side: what either has done, both have.
            marks.moved |= joined.marks.moved;
            marks.shifted |= joined.marks.shifted;
            marks.share.dice = marks.share.dice.max(joined.marks.share.dice);
            marks.share.done |= joined.marks.share.done;
            marks.share.spent = marks.share.spent.max(joined.marks.share.spent);
        }
        brigade.speed = brigade.speed.max(joined.speed);
        brigade.dps = brigade.dps.max(joined.dps);
        (brigade.files, brigade.pose) = (*files, *to);
        brigade.places = crate::table::crowds::Places::of(to.at, places);
        brigade.mixed |= joined.mixed || joined.kind != brigade.kind;
        brigade.outrance &= joined.outrance;
        // Guns that shot at either shoot at the same target still (MB-ART-13).
        for gun in &mut self.units {
            if let Some(aim) = gun.aim.as_mut().filter(|aim| aim.at == *unit) {
                aim.at = *into;
            }
        }
        for (_, with) in self.crews.iter_mut().filter(|(_, with)| with == unit) {
            *with = *into;
        }
        self.turn_into(*unit, Status::Merged);
        for leader in self.leaders.iter_mut().filter(|leader| leader.attached == Some(*unit)) {
            leader.attached = Some(*into);
        }
    }
}
