//! The offer of the skirmishers' fight.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::Named;
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::HZ_SKI_03;
use crate::offer::Offer;
use crate::phases::Play;
use crate::words::labels::plain;

/// What is done about the skirmishers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skirmish {
    /// Roll for superiority.
    Roll,
}

/// There is nothing else to do.
pub(crate) fn offers(_battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Skirmish::Roll.into());
}

impl Part<Huzzah> for Skirmish {
    fn actor(self) -> Option<Named> {
        None
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Roll => super::fight(play),
        }
    }

    fn key(self, _battle: &Battle) -> String {
        match self {
            Self::Roll => "skirmish".into(),
        }
    }

    fn label(self, _battle: &Battle) -> Label {
        match self {
            Self::Roll => plain("Roll for skirmisher superiority", HZ_SKI_03),
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Roll => Handling::end("skirmish"),
        }
    }
}
