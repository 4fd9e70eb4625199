//! The orders to shoot, and between whom fire is shared.

use sabretache_engine::clause::Clause;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{GroundId, Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::battering::Batter;
use super::orders::take_aim;
use super::targets::Stand;
use crate::Batteries;
use crate::battle::{Battle, Order, Pending};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::{not_now, turn};
use crate::terrain::Kinds;
use crate::troops::{Arm, Shot};
use crate::words::terms::shot_word;
use crate::words::{about, plain};

/// The orders to shoot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units, sides of a block and what guns shoot with")]
pub enum Aiming {
    /// Shoot.
    Shoot { unit: UnitId, at: UnitId, shot: Option<Shot> },
    /// Shoot out of one side of a block.
    ShootFrom { unit: UnitId, side: u8, at: UnitId, shot: Option<Shot> },
    /// Batter works or a wall.
    Batter(Batter),
    /// Set an odd die, or fire that is left over, against one of several equal enemies.
    Favour { unit: UnitId, enemy: UnitId },
    /// Enough aimed.
    EndAiming,
}

/// The equal enemies between whom the fire of the shot just ordered is shared.
pub(crate) fn equals(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(Pending::Aim { unit }) = battle.pending else { return };
    out.extend(battle.open_aim().into_iter().map(|enemy| Offer::from(Aiming::Favour { unit, enemy })));
}

/// The clause by which the owner of a unit chooses between equal enemies at whom it shoots.
pub(crate) fn favour_clause(battle: &Battle, unit: UnitId, enemy: UnitId) -> Clause {
    if battle.chargers(unit).contains(&enemy) { BB_SHO_42 } else { BB_SHO_41 }
}

impl Aiming {
    /// Who shoots.
    fn unit(self) -> Option<UnitId> {
        match self {
            Self::Shoot { unit, .. } | Self::ShootFrom { unit, .. } | Self::Favour { unit, .. } => Some(unit),
            Self::Batter(order) => Some(order.unit),
            Self::EndAiming => None,
        }
    }

    /// Why it is closed now.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        if battle.pending.is_none() && self.unit().is_some_and(|unit| battle.side(unit) != battle.phasing()) {
            return Err(Refusal::new(BB_SHO_52, "the other side aims now"));
        }
        match self {
            Self::Shoot { unit, at, shot } => battle.may_shoot_at(unit, at, shot).map(|_| ()),
            Self::ShootFrom { unit, side, at, shot } => battle.may_shoot_from(unit, side, at, shot).map(|_| ()),
            Self::Batter(order) => battle.may_batter(order.unit, order.ground, order.section).map(|_| ()),
            Self::Favour { unit, enemy } => {
                let asked = matches!(battle.pending, Some(Pending::Aim { unit: asked }) if asked == unit);
                if asked && battle.open_aim().contains(&enemy) { Ok(()) } else { Err(not_now()) }
            }
            Self::EndAiming => Ok(()),
        }
    }

    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        let possible = match self {
            Self::Shoot { unit, at, shot } => {
                let able = battle.can_fire(unit) && battle.unit(unit).inside.is_none();
                able && battle.aim(unit, at, shot).is_ok()
            }
            Self::ShootFrom { unit, side, at, shot } => {
                let able = battle.can_fire(unit) && (battle.arm(unit) == Arm::Guns || battle.leads(unit));
                able && battle.aim_from(unit, Stand::Side(side), at, shot).is_ok()
            }
            Self::Batter(order) => {
                let sound = battle.can_batter(order.unit, order.ground, order.section).is_ok();
                battle.can_fire(order.unit) && sound
            }
            Self::Favour { .. } | Self::EndAiming => false,
        };
        possible.then_some(Input::None)
    }
}

impl Part<Batteries> for Aiming {
    fn actor(self) -> Option<Named> {
        self.unit().map(Named::from)
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, _: &Value) -> Result<(), Halt> {
        match self {
            Self::Shoot { unit, at, shot } => {
                take_aim(play, Order { unit, at, shot, side: None, favours: Vec::new() });
            }
            Self::ShootFrom { unit, side, at, shot } => {
                take_aim(play, Order { unit, at, shot, side: Some(side), favours: Vec::new() });
            }
            Self::Batter(order) => play.happen(Event::BatterOrdered { order }),
            Self::Favour { unit, enemy } => {
                play.happen(Event::Favoured { unit, enemy });
                if play.battle().open_aim().is_empty() {
                    play.happen(Event::Settled);
                }
            }
            Self::EndAiming => turn::aimed(play)?,
        }
        Ok(())
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        match self {
            Self::Shoot { unit, at, shot } => format!("shoot {} at {}{}", id(unit), id(at), shot_word(shot)),
            Self::ShootFrom { unit, side, at, shot } => {
                format!("shoot {} at {} from side {}{}", id(unit), id(at), side + 1, shot_word(shot))
            }
            Self::Batter(order) => {
                let then = if order.onward { "" } else { " then back" };
                let ground = battle.ground_id(order.ground);
                format!("batter {} at {ground} {}{then}", id(order.unit), order.section + 1)
            }
            Self::Favour { unit, enemy } => format!("favour {} against {}", id(unit), id(enemy)),
            Self::EndAiming => "end aiming".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        match self {
            Self::Shoot { unit, at, shot } => {
                about(battle, unit, &format!("{} shoots at {}{}", name(unit), name(at), shot_word(shot)), BB_SHO_06)
            }
            Self::ShootFrom { unit, side, at, shot } => {
                let toward = battle.side_word(unit, side);
                let text = format!("{} shoots at {} out of the {toward} side{}", name(unit), name(at), shot_word(shot));
                about(battle, unit, &text, BB_TWN_17)
            }
            Self::Batter(order) => {
                let wall = battle.barrier_of(order.ground).is_some_and(|barrier| barrier.kind == Kinds::CityWall);
                let where_to = if order.onward { "" } else { ", what is left over at the section before" };
                let (ground, section) = (battle.ground_name(order.ground), order.section + 1);
                let text = format!("{} batters section {section} of {ground}{where_to}", name(order.unit));
                about(battle, order.unit, &text, if wall { BB_OPT_94 } else { BB_FLD_09 })
            }
            Self::Favour { unit, enemy } => match favour_clause(battle, unit, enemy) {
                clause @ BB_SHO_42 => {
                    about(battle, unit, &format!("{} shoots harder at {}", name(unit), name(enemy)), clause)
                }
                clause => about(battle, unit, &format!("{} shoots at {} next", name(unit), name(enemy)), clause),
            },
            Self::EndAiming => plain("No more shots", BB_SHO_52),
        }
    }

    fn handling(self, _: &Battle) -> Handling {
        match self {
            Self::Shoot { unit, at, .. } | Self::ShootFrom { unit, at, .. } => Handling::at("shoot", [unit], at),
            Self::Batter(order) => Handling::at("batter", [order.unit], Named::Ground(GroundId(order.ground))),
            Self::Favour { unit, enemy } => Handling::at("favour", [unit], enemy),
            Self::EndAiming => Handling::end("end"),
        }
    }
}
