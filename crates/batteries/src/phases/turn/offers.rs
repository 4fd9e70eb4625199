//! What the turn itself asks: the dice for the initiative, who moves first, and to go on where nobody has anything to decide.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::Named;
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::phases::{all_asked, not_now};
use crate::words::plain;

/// What the turn itself asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Roll for the initiative.
    Roll,
    /// Be Side A this turn.
    BeFirst,
    /// Be Side B this turn.
    BeSecond,
    /// Nobody has anything to decide here.
    CarryOn,
}

impl Turn {
    /// Why it is not asked now: nobody carries on while something is to be decided.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::CarryOn if !all_asked(battle).contains(&self.into()) => Err(not_now()),
            Self::Roll | Self::BeFirst | Self::BeSecond | Self::CarryOn => Ok(()),
        }
    }
}

impl Part<Batteries> for Turn {
    fn actor(self) -> Option<Named> {
        None
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, _: &Value) -> Result<(), Halt> {
        match self {
            Self::Roll => super::initiative(play),
            Self::BeFirst => super::chosen(play, play.battle().first),
            Self::BeSecond => super::chosen(play, play.battle().first.other()),
            Self::CarryOn => super::proceed(play),
        }
    }

    fn key(self, _: &Battle) -> String {
        match self {
            Self::Roll => "roll initiative".into(),
            Self::BeFirst => "move first".into(),
            Self::BeSecond => "move second".into(),
            Self::CarryOn => "carry on".into(),
        }
    }

    fn label(self, _: &Battle) -> Label {
        match self {
            Self::Roll => plain("Roll for the initiative", BB_SEQ_02),
            Self::BeFirst => plain("Move first this turn", BB_SEQ_02),
            Self::BeSecond => plain("Move second this turn", BB_SEQ_02),
            Self::CarryOn => plain("Carry on", BB_SEQ_01),
        }
    }

    fn handling(self, _: &Battle) -> Handling {
        match self {
            Self::Roll => Handling::end("roll"),
            Self::BeFirst => Handling::end("first"),
            Self::BeSecond => Handling::end("second"),
            Self::CarryOn => Handling::end("go_on"),
        }
    }
}
