//! Guns pivot, are pushed, come off their limbers, and are served again.

use super::*;
use crate::clauses::{MB_GUN_04, MB_MOV_17, MB_MOV_18};
use sabretache_engine::decides;

impl Battle {
    pub(super) fn may_pivot(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(MB_MOV_18);
        self.may_move(unit)?;
        let brigade = self.brigade(unit);
        if !brigade.kind.is_model() {
            return no(MB_MOV_18, "only guns pivot");
        }
        if brigade.marks.moved || brigade.marks.half {
            self.forbid(MB_MOV_18, "only a gun that has not moved pivots")?;
        }
        Ok(())
    }

    /// Whether there is room to pivot at all.
    pub(super) fn has_room_to_pivot(&self, unit: UnitId) -> bool {
        let free = |by: i32| {
            let pose = self.pivoted(unit, Angle::hundredths(by));
            self.stands(unit, &Figure::of(self.brigade(unit), pose))
        };
        self.may_pivot(unit).is_ok() && (free(-100) || free(100))
    }

    /// How far a gun may pivot (MB-MOV-16 to 18); limbered guns and wagons turn as they like.
    pub(crate) fn pivot_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_pivot(unit)?;
        let brigade = self.brigade(unit);
        let limbered = brigade.formation == Formation::Limbered;
        let most = if limbered { 17_900 } else { self.fixed.numbers.pivot };
        let here = Surroundings::of(self, unit, self.figure(unit).bounds().grown(brigade.depth.f()));
        let free = |hundredths: i32| {
            let pose = self.pivoted(unit, Angle::hundredths(hundredths));
            here.bare() || here.free(self, unit, &Figure::of(brigade, pose), false)
        };
        let furthest = |way: i32| {
            let steps = (1..).map(|step| step * 100).take_while(|at| *at < most).chain([most]);
            steps.take_while(|at| free(*at * way)).last().unwrap_or(0) * way
        };
        let (left, right) = (furthest(-1), furthest(1));
        if left == 0 && right == 0 {
            return no(MB_MOV_18, "there is no room to pivot");
        }
        Ok(Input::Wheel { most_left: Angle::hundredths(left), most_right: Angle::hundredths(right) })
    }

    /// A gun turned about its own middle.
    pub(super) fn pivoted(&self, unit: UnitId, by: Angle) -> Pose {
        let centre = self.figure(unit).centre();
        self.brigade(unit).pose.turned_about(centre, by)
    }

    /// How far a medium gun is pushed (MB-MOV-17).
    pub(crate) fn push_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        decides!(MB_MOV_17);
        self.may_go(unit)?;
        let brigade = self.brigade(unit);
        if brigade.formation != Formation::Unlimbered {
            return no(MB_MOV_17, "only guns off their limbers are pushed");
        }
        if matches!(brigade.kind, Kind::HeavyGun | Kind::Mortar) {
            self.forbid(MB_MOV_18, "heavy guns off their limbers only pivot")?;
        }
        if brigade.kind == Kind::LightGun {
            self.forbid(MB_MOV_16, "light guns roll a die")?;
        }
        if brigade.marks.moved || brigade.marks.half {
            self.forbid(MB_MOV_17, "a medium gun is pushed or pivots, not both")?;
        }
        let reach = self.reach(
            unit,
            brigade.pose.heading,
            self.fixed.numbers.medium_gun.length(),
            Going { blind: true, ..Going::normal(false) },
        );
        let least = Length::inch_fraction(1, 20);
        if reach.distance < least {
            return no(reach.clause, reach.why);
        }
        let stop = Stop { at: reach.distance, why: reach.why.into(), clause: MB_MOV_17 };
        Ok(Input::Distance { least, most: reach.distance, stops: vec![stop] })
    }

    /// Whether the crew of an abandoned gun may come back to it (MB-GUN-04).
    pub(crate) fn may_recrew(&self, gun: UnitId) -> Result<(), Refusal> {
        decides!(MB_GUN_04);
        let brigade = self.brigade(gun);
        let numbers = &self.fixed.numbers.recrew;
        if self.phase != Phase::Movement || brigade.side != self.active || brigade.status != Status::Abandoned {
            return no(MB_GUN_04, "crews return to abandoned guns in their own movement phase");
        }
        let Some((_, shelter)) = self.crews.iter().find(|(one, _)| *one == gun) else {
            return no(MB_GUN_04, "its crew is gone");
        };
        let figure = self.figure(gun);
        if !near(&figure, &self.figure(*shelter), numbers.shelter.length()) || self.in_combat(*shelter) {
            self.forbid(MB_GUN_04, "its crew is too far off, or in the fight")?;
        }
        let formed = |enemy: UnitId| {
            self.brigade(enemy).is_formed() && near(&figure, &self.figure(enemy), numbers.enemy.length())
        };
        let in_the_way = self.all().any(|unit| sabretache_table::overlapping(&figure, &self.figure(unit)));
        if in_the_way {
            return no(MB_GUN_04, "somebody stands where the gun is");
        }
        if self.enemies(brigade.side).any(formed) {
            self.forbid(MB_GUN_04, "formed enemy are within 2 inches of the gun")?;
        }
        Ok(())
    }
}

/// A gun pivots, or a limbered one turns.
pub(crate) fn pivot(play: &mut Play<'_>, unit: UnitId, by: Option<Angle>) -> Result<(), Halt> {
    let input = play.battle().pivot_input(unit)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(by))?;
    let battle = play.battle();
    let by = battle.settled(unit, by, |by| battle.pivoted(unit, by));
    let to = battle.pivoted(unit, by);
    let brigade = *play.battle().brigade(unit);
    let half = brigade.formation == Formation::Limbered;
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: ManoeuvreKind::TurnToFlank,
        to,
        formation: brigade.formation,
        files: brigade.files,
        half,
        spent: Length::ZERO,
    });
    if !half {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A medium gun is pushed.
pub(crate) fn push(play: &mut Play<'_>, unit: UnitId, by: Option<Length>) -> Result<(), Halt> {
    let input = play.battle().push_input(unit)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(by))?;
    let heading = play.battle().brigade(unit).pose.heading;
    crate::advance::march(play, unit, heading, by)
}

impl Battle {
    /// The pose of a gun unlimbered at an angle from its limbered facing, or from the reverse (MB-MAN-08).
    fn unlimbered(&self, unit: UnitId, back: bool, by: Angle) -> Pose {
        let half = if back { Angle::HALF } else { Angle::ZERO };
        self.pivoted(unit, half + by)
    }

    pub(crate) fn unlimber_input(&self, unit: UnitId, back: bool) -> Result<Input, Refusal> {
        self.may_manoeuvre(unit, ManoeuvreKind::Unlimber)?;
        let most = self.fixed.numbers.pivot;
        let free = |by: i32| {
            let pose = self.unlimbered(unit, back, Angle::hundredths(by));
            self.stands(unit, &Figure::of(self.brigade(unit), pose))
        };
        if !free(0) {
            return no(MB_MAN_08, "there is no room to face that way");
        }
        let furthest = |way: i32| {
            let steps = (1..).map(|step| step * 100).take_while(|at| *at < most).chain([most]);
            Angle::hundredths(steps.take_while(|at| free(*at * way)).last().unwrap_or(0) * way)
        };
        Ok(Input::Wheel { most_left: furthest(-1), most_right: furthest(1) })
    }
}

/// A gun comes off its limber facing another way.
pub(crate) fn unlimber_turned(play: &mut Play<'_>, unit: UnitId, back: bool, by: Option<Angle>) -> Result<(), Halt> {
    let input = play.battle().unlimber_input(unit, back)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(by))?;
    let battle = play.battle();
    let facts = battle.may_manoeuvre(unit, ManoeuvreKind::Unlimber)?;
    let by = battle.settled(unit, by, |by| battle.unlimbered(unit, back, by));
    let pose = battle.unlimbered(unit, back, by);
    let changed = Brigade { formation: Formation::Unlimbered, pose, ..*battle.brigade(unit) };
    happen(play, unit, &facts, changed, Length::ZERO)
}

/// A gun comes off its limber for good.
pub(crate) fn unlimber(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let facts = play.battle().may_manoeuvre(unit, ManoeuvreKind::Unlimber)?;
    let changed = Brigade { formation: Formation::Unlimbered, ..*play.battle().brigade(unit) };
    happen(play, unit, &facts, changed, Length::ZERO)
}

/// A crew comes back to its gun.
pub(crate) fn recrew(play: &mut Play<'_>, gun: UnitId) -> Result<(), Halt> {
    play.battle().may_recrew(gun)?;
    play.happen(Event::Recrewed { unit: gun });
    Ok(())
}
