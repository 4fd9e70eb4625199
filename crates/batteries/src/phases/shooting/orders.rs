//! Phase 5a: which orders to shoot are open, and which are closed.

use sabretache_engine::decides;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::Refusal;
use sabretache_engine::resolution::Resolution;
use sabretache_kit::Looked;

use crate::Batteries;
use crate::battle::{Battle, Order, Pending};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::shooting::battering::Batter;
use crate::phases::shooting::offers::Aiming;
use crate::terrain::Kinds;
use crate::troops::Arm;

/// All that the aiming side may do.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in battle.of(battle.phasing()).filter(|unit| battle.may_shoot(*unit).is_ok()) {
        remembered_shots(battle, unit, out);
    }
    out.push(Aiming::EndAiming.into());
}

fn remembered_shots(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    battle.remembered(unit, || (Looked::round(battle.bounds(unit)), shots_of(battle, unit)), out);
}

/// Who might shoot: all whom nobody knows to have no target.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    let able = |unit: &UnitId| !battle.known_idle(*unit) && battle.may_shoot(*unit).is_ok();
    out.extend(battle.of(battle.phasing()).filter(able).map(|unit| Some(unit.into())));
    out.push(None);
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    match actor {
        None => out.push(Aiming::EndAiming.into()),
        Some(Named::Unit(unit))
            if battle.of(battle.phasing()).any(|one| one == unit) && battle.may_shoot(unit).is_ok() =>
        {
            remembered_shots(battle, unit, out);
        }
        Some(_) => {}
    }
}

/// The shots open to a unit.
fn shots_of(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut open = Vec::new();
    if let Some(block) = battle.block_of(unit) {
        for side in 0..block.sides.len() as u8 {
            for shot in battle.ammunition(unit) {
                let at = battle.enemies(unit).filter(|at| battle.may_shoot_from(unit, side, *at, *shot).is_ok());
                open.extend(at.map(|at| Offer::from(Aiming::ShootFrom { unit, side, at, shot: *shot })));
            }
        }
        return open;
    }
    for shot in battle.ammunition(unit) {
        let at = battle.enemies(unit).filter(|enemy| battle.may_shoot_at(unit, *enemy, *shot).is_ok());
        open.extend(at.map(|at| Offer::from(Aiming::Shoot { unit, at, shot: *shot })));
    }
    open.extend(battle.batters_open(unit).into_iter().map(|order| Offer::from(Aiming::Batter(order))));
    open
}

/// The shots that are closed.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for unit in battle.of(battle.phasing()) {
        for shot in battle.ammunition(unit) {
            for at in battle.enemies(unit) {
                let refusal = battle.may_shoot_at(unit, at, *shot).err();
                out.extend(refusal.map(|refusal| (Aiming::Shoot { unit, at, shot: *shot }.into(), refusal)));
            }
        }
        if let Some(block) = battle.block_of(unit) {
            for side in 0..block.sides.len() as u8 {
                for (shot, at) in battle.ammunition(unit).iter().flat_map(|s| battle.enemies(unit).map(|at| (*s, at))) {
                    let refusal = battle.may_shoot_from(unit, side, at, shot).err();
                    out.extend(refusal.map(|refusal| (Aiming::ShootFrom { unit, side, at, shot }.into(), refusal)));
                }
            }
        }
        if battle.arm(unit) == Arm::Guns {
            closed_batters(battle, unit, out);
        }
    }
}

/// Sections of works and walls that a battery may not batter.
fn closed_batters(battle: &Battle, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    for barrier in &battle.fixed.barriers {
        let length = battle.damage(barrier).map_or(battle.numbers().works.length, |damage| damage.length).0.f();
        if !matches!(barrier.kind, Kinds::LightWorks | Kinds::HeavyWorks | Kinds::CityWall) {
            continue;
        }
        for section in 0..barrier.sections(length) {
            let refusal = battle.may_batter(unit, barrier.ground, section).err();
            let order = Batter { unit, ground: barrier.ground, section, onward: true };
            out.extend(refusal.map(|refusal| (Aiming::Batter(order).into(), refusal)));
        }
    }
}

/// A shot is ordered; where its fire is shared between equals, its owner says how (BB-SHO-41, BB-SHO-42).
pub(crate) fn take_aim(play: &mut Resolution<'_, Batteries>, order: Order) {
    decides!(BB_SHO_41, BB_SHO_42);
    let unit = order.unit;
    play.happen(Event::Ordered { order });
    if !play.battle().open_aim().is_empty() {
        play.happen(Event::Asked { pending: Pending::Aim { unit } });
    }
}
