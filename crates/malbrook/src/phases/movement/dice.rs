//! Move dice: who names them for a group, which ones suit, how much of a roll is left.

use super::*;
use crate::phases::movement::offers::Movement;
use sabretache_engine::decides;

/// Beyond 6 inches of known enemy, and of ground that may hide some (MB-MOV-14).
pub(crate) fn may_double(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_MOV_14);
    !battle.enemy_near(unit) && !options::may_hide_enemy_near(battle, unit)
}

/// The roll as the dice fell.
pub(crate) fn rolled(battle: &Battle) -> Option<MoveRoll> {
    let roll = battle.group?;
    Some(MoveRoll { dice: MoveDice::new(roll.average, roll.d6), faces: roll.faces })
}

/// Whether these dice suit a unit (MB-MOV-24).
pub(super) fn suits(battle: &Battle, unit: UnitId, dice: MoveDice) -> bool {
    let brigade = battle.brigade(unit);
    if !brigade.kind.is_cavalry() {
        return true;
    }
    let (least, most) = brigade.may_roll(None, &battle.fixed.numbers);
    (least..=most).contains(&dice.count())
}

/// How much of the roll a unit still has; nothing if it cannot use the roll.
pub(crate) fn allowance(battle: &Battle, unit: UnitId) -> Option<(Length, bool)> {
    let (roll, group) = (rolled(battle)?, battle.group?);
    let brigade = battle.brigade(unit);
    let open = MoveDice::open_to(brigade.kind, brigade.formation, false);
    if !open.contains(&roll.dice) || !suits(battle, unit, roll.dice) || acting(battle) != Some(group_of(battle, unit)) {
        return None;
    }
    let begun = brigade.marks.share.spent > Length::ZERO;
    let double = group.double && if begun { brigade.marks.share.double } else { may_double(battle, unit) };
    let inspired = battle.inspires(unit) > 0;
    let whole = roll.distance(Pace::Normal, inspired, double, &battle.fixed.numbers);
    let share = if brigade.marks.share.half { whole.half() } else { whole };
    Some(((share - brigade.marks.share.spent).max(Length::ZERO), double))
}

/// The dice a group may name: those that suit one of its members at least.
pub(crate) fn dice_for(battle: &Battle, group: Group) -> Vec<MoveDice> {
    if battle.group.is_some() {
        return Vec::new();
    }
    let mut dice: Vec<MoveDice> = Vec::new();
    for unit in members(battle, group).iter().copied().filter(|unit| may_use_dice(battle, *unit).is_ok()) {
        let brigade = battle.brigade(unit);
        let rough = brigade.formation == Formation::Limbered
            && battle.is_rough(battle.figure(unit), brigade.pose.heading.unit(), Length::inches(5));
        for one in MoveDice::open_to(brigade.kind, brigade.formation, rough) {
            if suits(battle, unit, *one) && !dice.contains(one) && !must_form_first(brigade) {
                dice.push(*one);
            }
        }
    }
    dice.sort_unstable();
    dice
}

/// Who names the dice of a group.
pub(super) fn rolls_for(battle: &Battle, group: Group) -> Option<UnitId> {
    members(battle, group).iter().copied().find(|unit| may_use_dice(battle, *unit).is_ok())
}

pub(super) fn roll_offers(battle: &Battle, group: Group, of: UnitId, out: &mut Vec<Offer>) {
    for dice in dice_for(battle, group) {
        out.push(Movement::Roll { of, dice, double: false }.into());
        if members(battle, group).iter().any(|unit| may_double(battle, *unit)) {
            out.push(Movement::Roll { of, dice, double: true }.into());
        }
    }
}

/// The dice that a group may not name, and why (MB-MOV-24, MB-MOV-14).
pub(super) fn closed_dice(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let Some(group) = acting(battle) else { return };
    let members = members(battle, group);
    let Some(of) = members.iter().copied().find(|unit| may_use_dice(battle, *unit).is_ok()) else { return };
    let open = dice_for(battle, group);
    let brigade = battle.brigade(of);
    for dice in MoveDice::open_to(brigade.kind, brigade.formation, false).iter().copied() {
        if battle.group.is_some() {
            continue;
        }
        let near = !members.iter().any(|unit| may_double(battle, *unit));
        if !open.contains(&dice) {
            let why =
                Refusal::new(MB_MOV_24, "cavalry change their speed by two dice at most from one turn to the next");
            out.push((Movement::Roll { of, dice, double: false }.into(), why));
        } else if near {
            let why = Refusal::new(MB_MOV_14, "enemy, or ground that may hide them, are within 6 inches");
            out.push((Movement::Roll { of, dice, double: true }.into(), why));
        }
    }
}

/// A group rolls its dice.
pub(crate) fn roll(play: &mut Play<'_>, of: UnitId, dice: MoveDice, double: bool) -> Result<(), Halt> {
    may_use_dice(play.battle(), of)?;
    let open = dice_for(play.battle(), group_of(play.battle(), of)).contains(&dice);
    let clause = if play.battle().group.is_some() { MB_MOV_03 } else { MB_MOV_24 };
    play.require(open, clause, || "these dice cannot be rolled now".into())?;
    let battle = play.battle();
    let doubles = members(battle, group_of(battle, of)).iter().any(|unit| may_double(battle, *unit));
    play.require(doubles || !double, MB_MOV_14, || "enemy, or ground that may hide them, are within 6 inches".into())?;
    let roll = throw_dice(play, of, dice)?;
    let roll = GroupRoll { of, average: dice.average, d6: dice.d6, faces: roll.faces, double };
    play.happen(Event::MoveRolled { roll });
    Ok(())
}

/// Throws move dice for a unit, one by one.
pub(crate) fn throw_dice(play: &mut Play<'_>, unit: UnitId, dice: MoveDice) -> Result<MoveRoll, Halt> {
    let side = play.battle().brigade(unit).side;
    MoveRoll::take(dice, |throw| {
        let purpose = Purpose { what: "move", of: Some(unit.into()), side };
        play.throw(purpose, &throw, Wanted::High).map(|roll| roll.total())
    })
}
