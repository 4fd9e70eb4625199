//! The offers before the first turn.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, Side};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_SEQ_01, HZ_SEQ_06};
use crate::offer::Offer;
use crate::phases::Play;
use crate::words::labels::plain;

/// What is done before the first turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// Roll what is still to be rolled, and begin.
    Begin,
    /// Choose who goes first.
    GoesFirst(Side),
}

/// Everything is rolled at once.
pub(crate) fn offers(_battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Setup::Begin.into());
}

/// Who is to go first.
pub(crate) fn first_offers(_battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(Side::BOTH.map(|side| Offer::from(Setup::GoesFirst(side))));
}

impl Part<Huzzah> for Setup {
    fn actor(self) -> Option<Named> {
        None
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Begin => super::begin(play),
            Self::GoesFirst(side) => super::goes_first(play, side),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Begin => "begin".into(),
            Self::GoesFirst(side) => format!("first {}", battle.lay.side_id(side)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        match self {
            Self::Begin => plain("Roll what is to be rolled, and begin", HZ_SEQ_06),
            Self::GoesFirst(side) => plain(format!("First to go: {}", battle.lay.side_name(side)), HZ_SEQ_01),
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Begin => Handling::end("begin"),
            Self::GoesFirst(_) => Handling::end("first"),
        }
    }
}
