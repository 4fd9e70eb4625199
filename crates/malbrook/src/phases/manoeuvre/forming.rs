//! Changes of formation, and about faces (MB-MAN-05 to 07, MB-MAN-12).

use super::*;
use sabretache_engine::decides;

/// How far back a brigade looks for room to form.
pub(super) const BACK: Length = Length::inches(6);

/// Where a brigade would stand in another formation: its front's middle kept, shifted back if need be (MB-MAN-06).
pub(super) fn formed(battle: &Battle, unit: UnitId, formation: Formation, files: u8, pose: Pose) -> Option<Brigade> {
    let mut changed = Brigade { formation, files, pose, refused: None, places: None, ..*battle.brigade(unit) };
    let figure = Figure::of(&changed, pose);
    if battle.stands_as_known(unit, &figure) {
        return Some(changed);
    }
    // Straight back to where it is just clear of what it would stand on.
    let (back, most) = (pose.heading.reversed().unit(), BACK);
    let corridor = figure.bounds().swept(back * most.f());
    let mut clear: Vec<Length> = Vec::new();
    let mut stretches = SmallVec::new();
    for one in battle.around(corridor, HAIR).filter(|one| *one != unit) {
        meetings(&figure, back, most.f(), battle.figure(one), &mut stretches);
        clear.extend(stretches.iter().map(|met| Length::ceiled(met.to)));
    }
    for lie in battle.fixed.ground.near(&corridor).filter(|lie| battle.stops(&changed, lie.feature.id.0).is_some()) {
        meetings(&figure, back, most.f(), &lie, &mut stretches);
        clear.extend(stretches.iter().map(|met| Length::ceiled(met.to)));
    }
    clear.sort_unstable();
    let near_by = clear.into_iter().filter(|by| *by <= most).flat_map(|by| [by, by + Length::um(2)]);
    let found =
        near_by.map(|by| pose.ahead(-by)).find(|to| battle.stands_as_known(unit, &Figure::of(&changed, *to)))?;
    changed.pose = found;
    Some(changed)
}

/// The brigade in a formation by its name; nothing where it cannot take it up.
pub(crate) fn in_formation(battle: &Battle, unit: UnitId, name: &str) -> Option<Brigade> {
    let brigade = battle.brigade(unit);
    let Named { formation, files, turn } = named(brigade, name)?.ok()?;
    let pose = if brigade.is_unformed() {
        centred(battle, unit, files, brigade.pose.heading)
    } else {
        brigade.pose.turned(turn)
    };
    formed(battle, unit, formation, files, pose)
}

/// The pose that keeps a brigade's middle where it is.
pub(super) fn centred(battle: &Battle, unit: UnitId, files: u8, heading: Heading) -> Pose {
    let brigade = battle.brigade(unit);
    let rows = brigade.bases.div_ceil(files.max(1));
    let depth = brigade.depth * i32::from(rows);
    Pose::new(Point::rounded(battle.figure(unit).centre()), heading).ahead(depth.half())
}

/// The formations open to a brigade, as they are found.
pub(crate) fn formations(battle: &Battle, unit: UnitId) -> impl Iterator<Item = String> + '_ {
    every_name().filter(move |name| in_formation(battle, unit, name).is_some())
}

/// Whether a brigade may change its formation, or re-form.
pub(crate) fn may_form(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    let unformed = battle.brigade(unit).is_unformed();
    may_manoeuvre(battle, unit, if unformed { ManoeuvreKind::ReForm } else { ManoeuvreKind::ChangeFormation })?;
    if formations(battle, unit).next().is_none() {
        let clause = if unformed { MB_MAN_05 } else { MB_MAN_06 };
        return no(clause, "there is no room for another formation");
    }
    Ok(())
}

pub(crate) fn formation_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    may_form(battle, unit)?;
    Ok(Input::Formation { of: formations(battle, unit).collect() })
}

/// The brigade turned about: its footprint stays (MB-MAN-12).
pub(crate) fn may_turn_about(battle: &Battle, unit: UnitId) -> Result<Pose, Refusal> {
    let brigade = battle.brigade(unit);
    may_manoeuvre(battle, unit, ManoeuvreKind::AboutFace)?;
    if brigade.is_unformed() {
        return no(MB_MAN_12, "unformed troops face all round");
    }
    let pose = turned_about(battle, unit);
    if !battle.stands(unit, &Figure::of(brigade, pose)) {
        return no(MB_MAN_12, "there is no room to turn about");
    }
    Ok(pose)
}

/// The pose of a brigade facing the other way on the same ground.
pub(crate) fn turned_about(battle: &Battle, unit: UnitId) -> Pose {
    let brigade = battle.brigade(unit);
    let depth = brigade.depth * i32::from(brigade.rows());
    let back = brigade.pose.ahead(-depth);
    Pose::new(back.at, brigade.pose.heading.reversed())
}

/// A brigade takes up a formation.
pub(crate) fn form(play: &mut Play<'_>, unit: UnitId, name: Option<&str>) -> Result<(), Halt> {
    formation_input(play.battle(), unit)?;
    let name = name.ok_or(WrongValue("which formation?".into()))?;
    let battle = play.battle();
    let kind = if battle.brigade(unit).is_unformed() { ManoeuvreKind::ReForm } else { ManoeuvreKind::ChangeFormation };
    // A second change in the same move makes it a double one, which costs no second DP (MB-MAN-07).
    decides!(MB_MAN_07);
    let again = battle.brigade(unit).marks.share.half || battle.brigade(unit).marks.share.whole;
    let facts = facts_of(battle, unit, kind);
    let facts = Manoeuvre { enemy_near: facts.enemy_near && !battle.brigade(unit).marks.share.whole, ..facts };
    let Some(changed) = in_formation(battle, unit, name) else {
        return Err(Refusal::new(MB_FRM_01, format!("it cannot form {name} here")).into());
    };
    if startle(play, unit, &Figure::of(&changed, changed.pose)) {
        play.happen(Event::Done { unit });
        return Ok(());
    }
    happen(play, unit, &facts, changed, Length::ZERO)?;
    if again && !play.battle().brigade(unit).marks.share.done {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A brigade turns about.
pub(crate) fn about_face(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let pose = may_turn_about(play.battle(), unit)?;
    let facts = facts_of(play.battle(), unit, ManoeuvreKind::AboutFace);
    let changed = Brigade { pose, ..*play.battle().brigade(unit) };
    let again = play.battle().brigade(unit).marks.share.half;
    happen(play, unit, &facts, changed, Length::ZERO)?;
    if again && !play.battle().brigade(unit).marks.share.done {
        play.happen(Event::Done { unit });
    }
    Ok(())
}
