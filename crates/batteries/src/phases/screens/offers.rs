//! What a battalion may do with its screen.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::Length;

use crate::Batteries;
use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::phases::handles::answer;
use crate::phases::movement::marches::another;
use crate::situations::counted;
use crate::words::{about, asked};

/// Skirmish screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are a unit and stands")]
pub enum Screens {
    /// Throw out a screen of so many stands.
    Screen { unit: UnitId, stands: u8 },
    /// Call the screen in.
    Recall(UnitId),
    /// Fill up a screen that was hit.
    Refill,
}

impl Screens {
    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        match self {
            Self::Screen { unit, stands } if battle.free_to_move(unit) => battle.screen_despite(unit, stands),
            Self::Recall(unit) if battle.free_to_move(unit) => battle.screen_out(unit).map(|_| Input::None),
            Self::Screen { .. } | Self::Recall(_) | Self::Refill => None,
        }
    }
}

impl Part<Batteries> for Screens {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Screen { unit, .. } | Self::Recall(unit) => Some(unit.into()),
            Self::Refill => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Screen { unit, stands } => battle.screen_input(unit, stands),
            Self::Recall(unit) => battle.recall_input(unit),
            Self::Refill => {
                let Some(Pending::Refill { screen }) = battle.pending else {
                    return Err(Refusal::new(BB_OPT_66, "no screen was hit"));
                };
                Ok(Input::Number { least: 0, most: battle.refill_most(screen).into() })
            }
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Screen { unit, stands } => {
                another(play, unit);
                super::deploy(play, unit, stands, value.distance().unwrap_or(Length::ZERO))
            }
            Self::Recall(unit) => {
                another(play, unit);
                super::recall(play, unit);
                Ok(())
            }
            Self::Refill => {
                let Some(Pending::Refill { screen }) = play.battle().pending else { return Ok(()) };
                super::refill(play, screen, value.number().unwrap_or(0) as u16)
            }
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Screen { unit, stands } => format!("screen {} {stands}", battle.id_of(unit)),
            Self::Recall(unit) => format!("recall {}", battle.id_of(unit)),
            Self::Refill => "refill".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        match self {
            Self::Screen { unit, stands } => {
                let text = format!("{} throws out a screen of {}", battle.name_of(unit), counted(stands, "stand"));
                about(battle, unit, &text, BB_OPT_63)
            }
            Self::Recall(unit) => {
                about(battle, unit, &format!("{} calls its screen in", battle.name_of(unit)), BB_OPT_63)
            }
            Self::Refill => asked(battle, BB_OPT_66, |screen| format!("Fill up {screen}")),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Screen { unit, .. } => Handling::act("screen", unit),
            Self::Recall(unit) => Handling::act("recall", unit),
            Self::Refill => answer(battle, "refill"),
        }
    }
}
