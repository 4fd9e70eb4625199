//! What a side might expect to do and may not, with the clause that forbids it.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;

use crate::battering::Batter;
use crate::battle::{Battle, Pending, Step};
use crate::inputs::{fire_first, work_out};
use crate::offer::Offer;
use crate::offers::{moves, other_moves};
use crate::terms::within;
use crate::terrain::Kinds;

/// What might be expected and is not allowed; what cannot be done at all is told from what is only forbidden.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let before = out.len();
    forbidden(battle, out);
    for (offer, refusal) in &mut out[before..] {
        refusal.impossible |= battle.despite(offer).is_none();
        refusal.sentence = within(&refusal.sentence);
    }
}

fn forbidden(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    if battle.pending.is_some() {
        if let Some(Pending::Evade { charger, target, .. }) = battle.pending {
            out.extend(fire_first(battle, charger, target).err().map(|refusal| (Offer::FireFirst, refusal)));
        }
        return;
    }
    match battle.step {
        Step::MoveA | Step::MoveB => {
            for unit in battle.all() {
                let plots = [Offer::Launch(unit), Offer::CallOff(unit)];
                for offer in moves(unit).into_iter().chain(plots).chain(other_moves(battle, unit)) {
                    out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
                }
                if battle.fixed.options.skirmish_screens && battle.arm(unit) == crate::troops::Arm::Foot {
                    let stands = battle.most_stands(unit);
                    for offer in [Offer::Screen { unit, stands }, Offer::Screen { unit, stands: stands + 1 }] {
                        out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
                    }
                    let offer = Offer::Recall(unit);
                    out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
                }
                if battle.fixed.options.voluntary_rout {
                    let offer = Offer::RoutOnPurpose(unit);
                    out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
                }
            }
            out.extend(battle.may_end_moves().err().map(|refusal| (Offer::EndMoves, refusal)));
            for general in battle.generals_of(battle.phasing()) {
                for unit in battle.of(battle.phasing()) {
                    let refusal = battle.may_join(general, unit).err();
                    out.extend(refusal.map(|refusal| (Offer::Join { general, unit }, refusal)));
                }
            }
        }
        Step::AimA | Step::AimB => {
            for unit in battle.of(battle.phasing()) {
                for shot in battle.ammunition(unit) {
                    for at in battle.enemies(unit) {
                        let refusal = battle.may_shoot_at(unit, at, *shot).err();
                        out.extend(refusal.map(|refusal| (Offer::Shoot { unit, at, shot: *shot }, refusal)));
                    }
                }
                if let Some(block) = battle.block_of(unit) {
                    for side in 0..block.sides.len() as u8 {
                        for (shot, at) in
                            battle.ammunition(unit).iter().flat_map(|s| battle.enemies(unit).map(|at| (*s, at)))
                        {
                            let refusal = battle.may_shoot_from(unit, side, at, shot).err();
                            out.extend(refusal.map(|refusal| (Offer::ShootFrom { unit, side, at, shot }, refusal)));
                        }
                    }
                }
                if battle.arm(unit) == crate::troops::Arm::Guns {
                    closed_batters(battle, unit, out);
                }
            }
        }
        _ => {}
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
            out.extend(refusal.map(|refusal| (Offer::Batter(order), refusal)));
        }
    }
}
