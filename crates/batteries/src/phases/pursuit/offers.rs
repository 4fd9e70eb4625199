//! Who pursues whom, and what a pursuer does before ground that it cannot pass.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::chase::detour;
use crate::Batteries;
use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::handles::answer;
use crate::phases::turn::offers::Turn;
use crate::phases::{not_now, turn};
use crate::troops::Arm;
use crate::words::{about, asked};

/// Who pursues, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units")]
pub enum Pursuits {
    /// Go after an enemy who has fallen back.
    Pursue { unit: UnitId, quarry: UnitId },
    /// Stay, if it can be held back.
    HoldBack(UnitId),
    /// A pursuer goes round ground that it cannot pass.
    GoRound,
    /// A pursuer halts before it.
    HaltThere,
}

/// Whom a unit may go after, and whether it may stay.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(unit) = battle.to_pursue() else {
        out.push(Turn::CarryOn.into());
        return;
    };
    out.extend(battle.quarries(unit).into_iter().map(|quarry| Offer::from(Pursuits::Pursue { unit, quarry })));
    if !battle.unit(unit).now.runs_wild {
        out.push(Pursuits::HoldBack(unit).into());
    }
}

impl Pursuits {
    /// Why it is closed now.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        let open = match self {
            Self::Pursue { unit, quarry } => {
                battle.to_pursue() == Some(unit) && battle.quarries(unit).contains(&quarry)
            }
            Self::HoldBack(unit) => battle.to_pursue() == Some(unit) && !battle.unit(unit).now.runs_wild,
            Self::GoRound | Self::HaltThere => true,
        };
        if open { Ok(()) } else { Err(not_now()) }
    }
}

/// A pursuer goes round ground that it cannot pass, or halts before it.
fn at_the_ground(play: &mut Resolution<'_, Batteries>, round: bool) -> Result<(), Halt> {
    let Some(Pending::Detour { unit }) = play.battle().pending else { return Ok(()) };
    detour(play, unit, round)
}

impl Part<Batteries> for Pursuits {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Pursue { unit, .. } | Self::HoldBack(unit) => Some(unit.into()),
            Self::GoRound | Self::HaltThere => None,
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, _: &Value) -> Result<(), Halt> {
        match self {
            Self::Pursue { unit, quarry } => {
                super::pursue(play, unit, quarry);
                turn::proceed(play)
            }
            Self::HoldBack(unit) => {
                super::hold_back(play, unit)?;
                turn::proceed(play)
            }
            Self::GoRound => at_the_ground(play, true),
            Self::HaltThere => at_the_ground(play, false),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Pursue { unit, quarry } => format!("pursue {} {}", battle.id_of(unit), battle.id_of(quarry)),
            Self::HoldBack(unit) => format!("hold back {}", battle.id_of(unit)),
            Self::GoRound => "go round".into(),
            Self::HaltThere => "halt there".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        match self {
            Self::Pursue { unit, quarry } => {
                about(battle, unit, &format!("{} goes after {}", name(unit), name(quarry)), BB_OPT_29)
            }
            Self::HoldBack(unit) if battle.arm(unit) == Arm::Horse => {
                about(battle, unit, &format!("Try to hold {} back", name(unit)), BB_OPT_33)
            }
            Self::HoldBack(unit) => about(battle, unit, &format!("{} stays where it is", name(unit)), BB_OPT_29),
            Self::GoRound => asked(battle, BB_OPT_45, |unit| format!("{unit} goes round and on")),
            Self::HaltThere => asked(battle, BB_OPT_45, |unit| format!("{unit} halts")),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Pursue { unit, quarry } => Handling::at("pursue", [unit], quarry),
            Self::HoldBack(unit) => Handling::act("hold_back", unit),
            Self::GoRound => answer(battle, "go_round"),
            Self::HaltThere => answer(battle, "halt"),
        }
    }
}
