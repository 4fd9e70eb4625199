//! Unformed troops move base by base: they draw together or spread out as they go (MB-MOV-29, MB-FRM-06).

use super::*;
use crate::clauses::MB_MOV_29;
use crate::phases::advance::tire;
use crate::phases::ambush::startle;
use crate::phases::movement;
use crate::table::lay::LOOSE;
use sabretache_engine::decides;
use sabretache_table::Unit;

/// A crowd about its own middle with so many bases abreast, and how far the base that goes furthest for it moves.
fn crowded(battle: &Battle, unit: UnitId, files: u8) -> (Brigade, Length) {
    let brigade = battle.brigade(unit);
    let rows = i32::from(brigade.bases.div_ceil(files.max(1)));
    let depth = (brigade.depth + LOOSE) * rows - LOOSE;
    let pose = Pose::new(Point::rounded(battle.figure(unit).centre()), brigade.pose.heading).ahead(depth.half());
    let changed = Brigade { files, pose, places: None, ..*brigade };
    let there = Figure::of(&changed, pose);
    let moves = battle.figure(unit).bases.iter().zip(&there.bases).map(|(a, b)| (b.centre() - a.centre()).length());
    (changed, Length::ceiled(moves.fold(0.0, f64::max)))
}

/// Whether a crowd may stand so many abreast with what its dice give it; why not, if not.
pub(super) fn may_crowd(battle: &Battle, unit: UnitId, files: u8) -> Result<(), &'static str> {
    let brigade = battle.brigade(unit);
    let allowance = movement::allowance(battle, unit).map_or(Length::ZERO, |(allowance, _)| allowance);
    decides!(MB_MOV_29);
    if files == 0 || files > brigade.bases {
        return Err("it has not so many bases");
    }
    if files == brigade.files && brigade.places.is_none() {
        return Err("it stands so already");
    }
    let (changed, far) = crowded(battle, unit, files);
    let figure = Figure::of(&changed, changed.pose);
    match () {
        () if far > allowance => Err("its dice are too few"),
        () if !battle.stands_as_known(unit, &figure) => Err("there is no room"),
        () if battle.too_near(unit, &figure) => Err("it would come too near the enemy"),
        () => Ok(()),
    }
}

/// The widths that a crowd may take up with what its dice give it.
pub(crate) fn crowd_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    decides!(MB_MOV_29);
    if !brigade.is_unformed() || !brigade.kind.is_brigade() {
        return no(MB_MOV_29, "only unformed troops move base by base");
    }
    if brigade.marks.moved || movement::allowance(battle, unit).is_none() {
        return no(MB_MOV_29, "dice that suit it must be rolled first, and it has not moved yet");
    }
    let fits = |files: &u8| may_crowd(battle, unit, *files).is_ok();
    let of: Vec<String> = (1..=brigade.bases).filter(fits).map(|files| format!("{files} abreast")).collect();
    if of.is_empty() {
        return no(MB_MOV_29, "there is no room, or its dice are too few");
    }
    Ok(Input::Formation { of })
}

/// A crowd draws together or spreads out; what is left of its move it may still go.
pub(crate) fn crowd(play: &mut Play<'_>, unit: UnitId, name: Option<&str>) -> Result<(), Halt> {
    let input = crowd_input(play.battle(), unit)?;
    let name = name.ok_or(WrongValue("how many abreast?".into()))?;
    input.check(&sabretache_engine::offer::Value::Formation(name.to_owned()), Unit::Inch)?;
    let files = name.split(' ').next().and_then(|files| files.parse().ok()).unwrap_or(1);
    let battle = play.battle();
    let (changed, spent) = crowded(battle, unit, files);
    if startle(play, unit, &Figure::of(&changed, changed.pose)) {
        play.happen(Event::Done { unit });
        return Ok(());
    }
    let battle = play.battle();
    let double = movement::allowance(battle, unit).is_some_and(|(_, double)| double);
    let (first, roll) = (battle.brigade(unit).marks.share.dice.is_none(), movement::rolled(battle));
    let ahead = changed.pose.heading.unit();
    let rough = battle.is_rough(&Figure::of(&changed, changed.pose), ahead, Length::um(1));
    play.happen(Event::Crowded { unit, files, to: changed.pose, spent, double });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    Ok(())
}
