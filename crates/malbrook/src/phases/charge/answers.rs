//! Answers to a charge: to receive it, to ride to meet it, to get away, to turn about (MB-CHG-11 to 16).

use super::*;
use sabretache_engine::decides;

/// Whether a brigade still has to answer a charge.
pub(crate) fn must_answer(battle: &Battle, unit: UnitId) -> bool {
    let brigade = battle.brigade(unit);
    // Guns, wagons and civilians can do nothing else but stand, and are not asked.
    if !brigade.kind.is_brigade() {
        return false;
    }
    decides!(MB_CHG_11);
    let free = brigade.marks.onset.response == Response::None
        && !matches!(brigade.marks.carried.attack, Assault::Declared { .. });
    let evades = || brigade.kind.is_cavalry() && brigade.is_unformed() && shot_at_close(battle, unit);
    free && !brigade.is_routing() && brigade.is_unit() && (chargers(battle, unit).next().is_some() || evades())
}

/// Whether enemy whom a brigade touches hold it in close combat (MB-MOV-07).
pub(crate) fn is_held(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_MOV_07);
    battle.close_enemies(unit).any(|enemy| battle.fights(unit, enemy) && battle.touch(unit, enemy))
}

/// Unformed cavalry that foot have come within an inch of may evade uncharged (MB-FOO-03).
pub(super) fn shot_at_close(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_FOO_03);
    let reach = battle.fixed.numbers.musketry.length();
    battle.enemies(battle.brigade(unit).side).any(|enemy| {
        let foe = battle.brigade(enemy);
        foe.kind.is_foot() && !foe.is_routing() && foe.has_moved() && battle.faces(enemy, unit, reach)
    })
}

pub(crate) fn may_counter(battle: &Battle, unit: UnitId, charger: UnitId) -> Result<(), Refusal> {
    let brigade = battle.brigade(unit);
    if !must_answer(battle, unit) || !chargers(battle, unit).any(|one| one == charger) {
        return no(MB_CHG_11, "it has no such charge to answer");
    }
    decides!(MB_CHG_12);
    let touching = battle.enemies(brigade.side).any(|enemy| battle.touch(unit, enemy));
    if !brigade.kind.is_cavalry() || touching || brigade.formation == Formation::MarchColumn {
        battle.forbid(MB_CHG_12, "only cavalry counter-charge, and not from march column or contact")?;
    }
    if !battle.faces(unit, charger, Length::inches(60)) || !battle.sees(unit, charger) {
        battle.forbid(MB_CHG_12, "the chargers are not to its front")?;
    }
    Ok(())
}

pub(crate) fn may_evade(battle: &Battle, unit: UnitId) -> Result<UnitId, Refusal> {
    decides!(MB_RES_30);
    let brigade = battle.brigade(unit);
    if !must_answer(battle, unit) {
        return no(MB_CHG_11, "it has no charge to answer");
    }
    decides!(MB_CHG_15);
    if !brigade.kind.is_cavalry() || !brigade.is_unformed() {
        battle.forbid(MB_CHG_15, "only unformed cavalry evade")?;
    }
    if is_held(battle, unit) {
        battle.forbid(MB_MOV_07, "it is in contact with enemy, and leaves them only when that is fought out")?;
    }
    let figure = battle.figure(unit);
    let off = |enemy: &UnitId| sabretache_table::distance(&figure, &battle.figure(*enemy));
    let charger = chargers(battle, unit)
        .min_by_key(|enemy| (off(enemy), *enemy))
        .or_else(|| fleeing::nearest_enemy(battle, unit));
    charger.ok_or_else(|| Refusal::new(MB_CHG_11, "nobody charges it"))
}

/// Foot may turn about to meet a charge from over 2 inches away (MB-CHG-16).
pub(crate) fn may_turn(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    if !must_answer(battle, unit) {
        return no(MB_CHG_11, "it has no charge to answer");
    }
    can_turn(battle, unit, &chargers(battle, unit).collect::<Vec<_>>())
}

/// The same for a brigade that is known to have those charges to answer, each still where it began.
pub(crate) fn can_turn(battle: &Battle, unit: UnitId, chargers: &[UnitId]) -> Result<(), Refusal> {
    decides!(MB_CHG_16);
    let brigade = battle.brigade(unit);
    let close = begins_close(battle, unit, chargers);
    let room = battle.stands(unit, &Figure::of(brigade, manoeuvre::turned_about(battle, unit)));
    let why = "only formed foot turn about, when the charge began more than 2 inches off";
    if !brigade.is_formed() || brigade.refused.is_some() || !room {
        return no(MB_CHG_16, why);
    }
    if !brigade.kind.is_foot() || close || battle.in_combat(unit) {
        battle.forbid(MB_CHG_16, why)?;
    }
    Ok(())
}

/// Whether a charge begins 2 inches off or nearer, too near for foot to turn (MB-CHG-16).
pub(crate) fn begins_close(battle: &Battle, unit: UnitId, chargers: &[UnitId]) -> bool {
    let warning = battle.fixed.numbers.charge_warning.length();
    chargers.iter().any(|enemy| near(battle.figure(unit), battle.figure(*enemy), warning))
}

/// Whether anybody of a side has a charge to answer.
pub(crate) fn answers_left(battle: &Battle, side: Side) -> bool {
    battle.of(side).any(|unit| must_answer(battle, unit))
}

pub(crate) fn receive(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let open = must_answer(play.battle(), unit) && play.battle().brigade(unit).side == play.battle().active;
    play.require(open, MB_CHG_11, || "it has no charge to answer".into())?;
    play.happen(Event::Responded { unit, response: Response::Stands });
    Ok(())
}

pub(crate) fn counter(play: &mut Play<'_>, unit: UnitId, charger: UnitId) -> Result<(), Halt> {
    decides!(MB_CHG_13);
    may_counter(play.battle(), unit, charger)?;
    play.happen(Event::Responded { unit, response: Response::CounterCharges(charger) });
    Ok(())
}

pub(crate) fn evade(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let from = may_evade(play.battle(), unit)?;
    let away = Heading::toward(play.battle().figure(from).centre(), play.battle().figure(unit).centre());
    play.happen(Event::Responded { unit, response: Response::Evades(from) });
    fall_back(play, unit, FastMove::Evade, Some(away))
}

pub(crate) fn turn_to_meet(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    may_turn(play.battle(), unit)?;
    turn(play, unit)
}

/// It turns about where it stands, and receives the charge so.
pub(crate) fn turn(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let to = manoeuvre::turned_about(play.battle(), unit);
    let brigade = *play.battle().brigade(unit);
    let price = u8::from(play.battle().under_fire(unit));
    play.happen(Event::Responded { unit, response: Response::Stands });
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: crate::situations::ManoeuvreKind::AboutFace,
        to,
        formation: brigade.formation,
        files: brigade.files,
        half: false,
        spent: Length::ZERO,
    });
    harm(play, unit, price, 0, Cause::Move)
}
