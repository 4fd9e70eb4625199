//! Guns pivot, are pushed, come off their limbers, and are served again.

use super::*;
use crate::clauses::{MB_GUN_04, MB_GUN_05, MB_MAN_08, MB_MOV_16, MB_MOV_17, MB_MOV_18};
use crate::phases::movement;
use crate::phases::wheel;
use sabretache_engine::decides;
use sabretache_table::Unit;

pub(super) fn may_pivot(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_MOV_18);
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    if !brigade.kind.is_model() {
        return no(MB_MOV_18, "only guns pivot");
    }
    if brigade.marks.moved || brigade.marks.share.half {
        battle.forbid(MB_MOV_18, "only a gun that has not moved pivots")?;
    }
    Ok(())
}

/// Whether there is room to pivot at all.
pub(super) fn has_room_to_pivot(battle: &Battle, unit: UnitId) -> bool {
    let free = |by: i32| {
        let pose = pivoted(battle, unit, Angle::hundredths(by));
        battle.stands(unit, &Figure::of(battle.brigade(unit), pose))
    };
    may_pivot(battle, unit).is_ok() && (free(-100) || free(100))
}

/// How far a gun may pivot (MB-MOV-16 to 18); limbered guns and wagons turn as they like.
pub(crate) fn pivot_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    may_pivot(battle, unit)?;
    let brigade = battle.brigade(unit);
    let limbered = brigade.formation == Formation::Limbered;
    let most = if limbered { 17_900 } else { battle.fixed.numbers.pivot };
    let here = Surroundings::of(battle, unit, battle.figure(unit).bounds().grown(brigade.depth.f()));
    let free = |hundredths: i32| {
        let pose = pivoted(battle, unit, Angle::hundredths(hundredths));
        here.bare() || here.free(battle, unit, &Figure::of(brigade, pose), Nerve::TurnsAnywhere)
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
pub(super) fn pivoted(battle: &Battle, unit: UnitId, by: Angle) -> Pose {
    let centre = battle.figure(unit).centre();
    battle.brigade(unit).pose.turned_about(centre, by)
}

/// How far a medium gun is pushed (MB-MOV-17).
pub(crate) fn push_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    decides!(MB_MOV_17);
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    if brigade.formation != Formation::Unlimbered {
        return no(MB_MOV_17, "only guns off their limbers are pushed");
    }
    if matches!(brigade.kind, Kind::HeavyGun | Kind::Mortar) {
        battle.forbid(MB_MOV_18, "heavy guns off their limbers only pivot")?;
    }
    if brigade.kind == Kind::LightGun {
        battle.forbid(MB_MOV_16, "light guns roll a die")?;
    }
    if brigade.marks.moved || brigade.marks.share.half {
        battle.forbid(MB_MOV_17, "a medium gun is pushed or pivots, not both")?;
    }
    let reach = battle.reach(
        unit,
        brigade.pose.heading,
        battle.fixed.numbers.medium_gun.length(),
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
pub(crate) fn may_recrew(battle: &Battle, gun: UnitId) -> Result<(), Refusal> {
    decides!(MB_GUN_04);
    let brigade = battle.brigade(gun);
    let numbers = &battle.fixed.numbers.recrew;
    decides!(MB_GUN_05);
    if battle.phase != Phase::Movement || brigade.side != battle.active || brigade.status != Status::Abandoned {
        return no(MB_GUN_04, "crews return to abandoned guns in their own movement phase");
    }
    let Some((_, shelter)) = battle.crews.iter().find(|(one, _)| *one == gun) else {
        return no(MB_GUN_04, "its crew is gone");
    };
    let figure = battle.figure(gun);
    if !near(&figure, &battle.figure(*shelter), numbers.shelter.length()) || battle.in_combat(*shelter) {
        battle.forbid(MB_GUN_04, "its crew is too far off, or in the fight")?;
    }
    let formed = |enemy: UnitId| {
        battle.brigade(enemy).is_formed() && near(&figure, &battle.figure(enemy), numbers.enemy.length())
    };
    let in_the_way = battle.all().any(|unit| sabretache_table::overlapping(&figure, &battle.figure(unit)));
    if in_the_way {
        return no(MB_GUN_04, "somebody stands where the gun is");
    }
    if battle.enemies(brigade.side).any(formed) {
        battle.forbid(MB_GUN_04, "formed enemy are within 2 inches of the gun")?;
    }
    Ok(())
}

/// A gun pivots, or a limbered one turns.
pub(crate) fn pivot(play: &mut Play<'_>, unit: UnitId, by: Option<Angle>) -> Result<(), Halt> {
    let input = pivot_input(play.battle(), unit)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(by), Unit::Inch)?;
    let battle = play.battle();
    let by = wheel::settled(battle, unit, by, |by| pivoted(battle, unit, by));
    let to = pivoted(battle, unit, by);
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
    let input = push_input(play.battle(), unit)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(by), Unit::Inch)?;
    let heading = play.battle().brigade(unit).pose.heading;
    advance::march(play, unit, heading, by)
}

/// The pose of a gun unlimbered at an angle from its limbered facing, or from the reverse (MB-MAN-08).
fn unlimbered(battle: &Battle, unit: UnitId, back: bool, by: Angle) -> Pose {
    let half = if back { Angle::HALF } else { Angle::ZERO };
    pivoted(battle, unit, half + by)
}

pub(crate) fn unlimber_input(battle: &Battle, unit: UnitId, back: bool) -> Result<Input, Refusal> {
    may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber)?;
    let most = battle.fixed.numbers.pivot;
    let free = |by: i32| {
        let pose = unlimbered(battle, unit, back, Angle::hundredths(by));
        battle.stands(unit, &Figure::of(battle.brigade(unit), pose))
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

/// A gun comes off its limber facing another way.
pub(crate) fn unlimber_turned(play: &mut Play<'_>, unit: UnitId, back: bool, by: Option<Angle>) -> Result<(), Halt> {
    let input = unlimber_input(play.battle(), unit, back)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(by), Unit::Inch)?;
    let battle = play.battle();
    let facts = may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber)?;
    let by = wheel::settled(battle, unit, by, |by| unlimbered(battle, unit, back, by));
    let pose = unlimbered(battle, unit, back, by);
    let changed = Brigade { formation: Formation::Unlimbered, pose, ..*battle.brigade(unit) };
    happen(play, unit, &facts, changed, Length::ZERO)
}

/// A gun comes off its limber for good.
pub(crate) fn unlimber(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let facts = may_manoeuvre(play.battle(), unit, ManoeuvreKind::Unlimber)?;
    let changed = Brigade { formation: Formation::Unlimbered, ..*play.battle().brigade(unit) };
    happen(play, unit, &facts, changed, Length::ZERO)
}

/// A crew comes back to its gun.
pub(crate) fn recrew(play: &mut Play<'_>, gun: UnitId) -> Result<(), Halt> {
    may_recrew(play.battle(), gun)?;
    play.happen(Event::Recrewed { unit: gun });
    Ok(())
}
