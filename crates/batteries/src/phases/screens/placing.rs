//! Option 7.10: where a screen finds room, and how far out it may be.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_table::{Bounds, Length, Outline, Placed, Pose, exact_distance, overlapping};

use crate::battle::{Battle, Unit};
use crate::clauses::*;
use crate::situations::counted;
use crate::table::NEAR;
use crate::troops::Formation;

impl Battle {
    /// Why a battalion has no business with a screen now.
    pub(crate) fn may_handle_screen(&self, unit: UnitId) -> Result<UnitId, Refusal> {
        let name = self.name_of(unit);
        decides!(BB_OPT_10);
        if !self.fixed.options.skirmish_screens {
            return Err(Refusal::new(BB_OPT_10, "the rule for skirmish screens is not used"));
        }
        let Some(screen) = self.facts(unit).screen else {
            return Err(Refusal::new(BB_OPT_63, format!("{name} does not fight behind a screen")));
        };
        self.may_move(unit)?;
        if self.unit(unit).now.screened {
            return Err(Refusal::new(BB_OPT_63, "its screen has gone out or come in this turn"));
        }
        Ok(screen)
    }

    /// A screen of so many stands, so far before the front, if it can stand there (BB-OPT-63, BB-OPT-64).
    pub(crate) fn screen_pose(&self, unit: UnitId, stands: u8, gap: Length) -> Option<Pose> {
        decides!(BB_OPT_63, BB_OPT_64);
        let screen = self.facts(unit).screen?;
        let mut state = *self.unit(screen);
        let facts = self.facts(screen);
        (state.stands, state.formation) = (stands, Formation::Skirmish);
        state.figures = state.figures.max(u16::from(stands) * u16::from(facts.per_stand));
        let footprint = state.footprint(facts, self.numbers());
        let pose = self.unit(unit).pose.ahead(gap + footprint.depth());
        let (there, parent) = (Placed::new(&footprint, pose), self.outline(unit));
        let within = self.numbers().screen_near.within.0.f() + NEAR;
        let close = match there.part_count() {
            1 => exact_distance(&there, parent) <= within,
            _ => there
                .parts()
                .all(|slot| exact_distance(&sabretache_table::Convex::hull(slot.corners), parent) <= within),
        };
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let own = |other: UnitId| other == screen || other == unit;
        // The wing of a bent line may lie where the screen of a straight one would.
        decides!(BB_MOV_27);
        let clear = !overlapping(&there, parent);
        (close && clear && self.room_for(unit, &state, &there, apart, own)).then_some(pose)
    }

    /// The place of a screen that is to keep a gap: nearer to its battalion where there is no room.
    pub(crate) fn screen_near(&self, unit: UnitId, stands: u8, gap: Length) -> Option<Pose> {
        let step = Length::inch_fraction(1, 8);
        let (mut at, mut shut) = (gap, gap);
        loop {
            if let Some(pose) = self.screen_pose(unit, stands, at) {
                return Some(self.screen_farthest(unit, stands, (at, pose), shut).1);
            }
            if at == Length::ZERO {
                return None;
            }
            shut = at;
            at = (at - step).max(Length::ZERO);
        }
    }

    /// The farthest place for a screen between a gap for which there is room and one for which there is none; the hair by which
    /// distances are forgiven is not made use of.
    pub(crate) fn screen_farthest(
        &self,
        unit: UnitId,
        stands: u8,
        open: (Length, Pose),
        shut: Length,
    ) -> (Length, Pose) {
        let (mut last, mut shut) = (open.0, shut);
        while shut - last > Length::um(1) {
            let middle = Length::um(i32::midpoint(last.to_um(), shut.to_um()));
            *(if self.screen_pose(unit, stands, middle).is_some() { &mut last } else { &mut shut }) = middle;
        }
        let last = last - Length::floored(NEAR);
        match self.screen_pose(unit, stands, last).filter(|_| last > open.0) {
            Some(pose) => (last, pose),
            None => open,
        }
    }

    /// A screen as it would stand, for those who want to see before they order it.
    pub(crate) fn screen_ghost(&self, unit: UnitId, stands: u8, gap: Length) -> Option<(UnitId, Unit, Pose)> {
        let screen = self.facts(unit).screen?;
        let pose = self.screen_near(unit, stands, gap)?;
        let figures = u16::from(stands) * u16::from(self.facts(screen).per_stand);
        Some((screen, Unit { stands, figures, formation: Formation::Skirmish, pose, ..*self.unit(screen) }, pose))
    }

    /// Whether a battalion may throw out a screen of so many stands at all.
    pub(crate) fn may_screen(&self, unit: UnitId, stands: u8, looked: &mut Bounds) -> bool {
        if self.screen_size(unit, stands).is_err() {
            return false;
        }
        // The ground that is looked at: as wide as the screen, and the distance kept from enemies.
        let wide = self.facts(unit).basing(self.numbers()).frontage.f() * f64::from(stands) * 2.0;
        let wide = wide * f64::from(self.facts(unit).per_stand) + Length::inches(2).f();
        *looked = looked.join(self.bounds(unit).grown(wide + self.numbers().approach.stand_off.0.f()));
        self.screen_pose(unit, stands, Length::ZERO).is_some()
    }

    /// Why a battalion may not throw out a screen of so many stands, room for it apart.
    pub(crate) fn screen_size(&self, unit: UnitId, stands: u8) -> Result<(), Refusal> {
        self.may_handle_screen(unit)?;
        if self.screen_out(unit).is_some() {
            return Err(Refusal::new(BB_OPT_63, "its screen is out already"));
        }
        let (state, facts) = (self.unit(unit), self.facts(unit));
        if matches!(state.formation, Formation::Square | Formation::Skirmish) || state.inside.is_some() {
            return Err(Refusal::new(BB_OPT_63, "a square, a garrison or a skirmish line has no screen"));
        }
        if stands == 0 || stands > self.most_stands(unit) {
            let third = state.figures / self.numbers().screen.part;
            let why = format!("a third of it is {}, and stands have {}", counted(third, "figure"), facts.per_stand);
            return Err(Refusal::new(BB_OPT_63, why));
        }
        Ok(())
    }

    /// The same for a battalion that may not do it now, but could.
    pub(crate) fn screen_despite(&self, unit: UnitId, stands: u8) -> Option<Input> {
        let shut = matches!(self.unit(unit).formation, Formation::Square | Formation::Skirmish);
        let able = self.fixed.options.skirmish_screens && self.facts(unit).screen.is_some() && !shut;
        let fits = (1..=self.most_stands(unit)).contains(&stands) && !self.in_contact(unit);
        let none_out = self.screen_out(unit).is_none();
        let most = self.screen_near(unit, stands, Length::ZERO).filter(|_| able && fits && none_out);
        most.map(|_| Input::Distance { least: Length::ZERO, most: Length::ZERO, stops: Vec::new() })
    }

    /// How far before its front a battalion may throw out a screen of so many stands.
    pub(crate) fn screen_input(&self, unit: UnitId, stands: u8) -> Result<Input, Refusal> {
        self.screen_size(unit, stands)?;
        let (step, far) = (Length::inch_fraction(1, 8), self.numbers().screen_near.within.0);
        let mut most = None;
        let mut at = Length::ZERO;
        while let Some(pose) = self.screen_pose(unit, stands, at).filter(|_| at <= far) {
            most = Some((at, pose));
            at += step;
        }
        let most = most.map(|open| if at <= far { self.screen_farthest(unit, stands, open, at).0 } else { open.0 });
        let most = most.ok_or_else(|| Refusal::new(BB_OPT_64, "there is no room for a screen before its front"))?;
        let stop = Stop { at: most, why: "that is as far out as it may be".into(), clause: BB_OPT_64 };
        Ok(Input::Distance { least: Length::ZERO, most, stops: vec![stop] })
    }

    /// The most stands that a battalion may send out: whole ones, up to a third of its figures.
    pub(crate) fn most_stands(&self, unit: UnitId) -> u8 {
        let third = self.unit(unit).figures / self.numbers().screen.part.max(1);
        (third / u16::from(self.facts(unit).per_stand.max(1))).min(60) as u8
    }
}
