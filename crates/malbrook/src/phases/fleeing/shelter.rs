//! Where those who run may or must stop: behind friends or cover, clear of the enemy (MB-GEN-12, MB-RES-17, MB-RES-21).

use super::*;
use sabretache_engine::decides;

/// The obstacles that lie between a brigade and those it flees from as it begins to run: the works it has lost are no
/// shelter (MB-GEN-12).
pub(super) fn lost_works(battle: &Battle, unit: UnitId) -> Vec<FeatureId> {
    let Some(enemy) = flees_from(battle, unit) else { return Vec::new() };
    let mut crossed = Vec::new();
    let (from, to) = (battle.figure(unit).centre(), battle.figure(enemy).centre());
    battle.fixed.ground.crossed_if(from, to, |lie| is_shelter(battle, lie), &mut crossed);
    crossed.into_iter().map(|one| one.feature).collect()
}

/// Whether a piece of ground is one that those who run get behind.
pub(super) fn is_shelter(battle: &Battle, lie: &Lie<'_>) -> bool {
    let land = battle.fixed.lands[usize::from(lie.feature.id.0)];
    land.obstacle || land.lined
}

/// Behind formed friends or an obstacle as seen from the enemy it flees from (MB-GEN-12).
pub(super) fn sheltered(battle: &Battle, unit: UnitId, figure: &Figure, lost: &[FeatureId]) -> bool {
    decides!(MB_GEN_12);
    let Some(enemy) = flees_from(battle, unit) else { return true };
    let (from, to) = (figure.centre(), battle.figure(enemy).centre());
    let side = battle.brigade(unit).side;
    let blocks = |friend: UnitId| {
        let brigade = battle.brigade(friend);
        friend != unit && brigade.is_formed() && !sabretache_table::line_clear(from, to, [&battle.figure(friend)])
    };
    if battle.of(side).any(blocks) {
        return true;
    }
    let mut crossed = Vec::new();
    battle.fixed.ground.crossed_if(
        from,
        to,
        |lie| {
            // Behind it, not astride it.
            is_shelter(battle, lie) && !lost.contains(&lie.feature.id) && contact(figure, lie) != Contact::Overlapping
        },
        &mut crossed,
    );
    !crossed.is_empty()
}

/// Whether routers have reached a place where they stop (MB-RES-21).
pub(super) fn rout_ends(battle: &Battle, unit: UnitId, figure: &Figure, slack: Length, lost: &[FeatureId]) -> bool {
    decides!(MB_RES_21);
    let clear = (battle.fixed.numbers.rout_clear.length() - slack).f();
    let near_by =
        battle.enemies_around(battle.brigade(unit).side, figure.bounds(), battle.fixed.numbers.rout_clear.length());
    let chased = near_by
        .filter(|enemy| battle.brigade(*enemy).is_brigade())
        .any(|enemy| exact_distance(figure, battle.figure(enemy)) < clear);
    !chased || sheltered(battle, unit, figure, lost)
}

/// Whether routers need run no further from where they are (MB-RES-22).
pub(crate) fn is_out_of_reach(battle: &Battle, unit: UnitId) -> bool {
    rout_ends(battle, unit, battle.figure(unit), HAIR, &[])
}

/// Where a crowd that falls back is behind friends or cover, from its first place on (MB-RES-17).
pub(super) fn shelter_on_the_way(battle: &Battle, unit: UnitId, way: &Way, full: Length) -> Option<[Length; 2]> {
    decides!(MB_RES_17);
    let points = battle.turning_points(unit, &way.crowd, way.heading, full);
    let [least, most] = battle.first_stretch(&points, Length::ZERO, full, |by| {
        let figure = Figure::of(&way.crowd, battle.ran_to(&way.crowd, way.heading, by));
        battle.stands(unit, &figure) && sheltered(battle, unit, &figure, &way.lost)
    })?;
    (least < full).then_some([least, most])
}

/// Where on their way routers stop (MB-RES-21).
pub(super) fn rout_end(battle: &Battle, unit: UnitId, way: &Way, full: Length) -> Option<Length> {
    let points = battle.turning_points(unit, &way.crowd, way.heading, full);
    let stretch = battle.first_stretch(&points, Length::ZERO, full, |by| {
        let figure = Figure::of(&way.crowd, battle.ran_to(&way.crowd, way.heading, by));
        battle.stands(unit, &figure) && rout_ends(battle, unit, &figure, Length::um(3), &way.lost)
    });
    stretch.map(|[least, _]| least)
}

/// How far retirers may go who halt behind something.
pub(crate) fn shelter_input(battle: &Battle) -> Result<Input, Refusal> {
    let Some(falling) = battle.falling() else { return Err(Refusal::new(MB_RES_17, "nobody falls back")) };
    let stop = Stop { at: falling.most, why: "behind friends or cover".into(), clause: MB_RES_17 };
    Ok(Input::Distance { least: falling.least, most: falling.most, stops: vec![stop] })
}

/// A brigade that retires halts behind friends or cover (MB-RES-17).
pub(crate) fn halt_behind(play: &mut Play<'_>, by: Option<Length>) -> Result<(), Halt> {
    let input = shelter_input(play.battle())?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&Value::Distance(by), Unit::Inch)?;
    retire_by(play, by)
}

/// It goes back the whole way (MB-RES-16).
pub(crate) fn fall_on(play: &mut Play<'_>) -> Result<(), Halt> {
    shelter_input(play.battle())?;
    let full = play.battle().falling().map_or(Length::ZERO, |falling| falling.full);
    retire_by(play, full)
}

pub(super) fn retire_by(play: &mut Play<'_>, way: Length) -> Result<(), Halt> {
    let Some(falling) = play.battle().falling() else { return Ok(()) };
    play.happen(Event::ShelterOver);
    let Falling { unit, action, heading, roll, .. } = falling;
    finish(play, unit, action, Heading::hundredths(heading.into()), roll, way)
}
