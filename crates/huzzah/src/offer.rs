//! What a side may do, in the order of the sequence of play. Each phase tells in a file of its own of the offers it makes.

use sabretache_engine::offer::{Preview, Refusal, Value};

use crate::Huzzah;
use crate::battle::Battle;
use crate::phases::act::offers::Acts;
use crate::phases::advance::offers::Advance;
use crate::phases::bombard::offers::Bombard;
use crate::phases::deploy::offers::Deploy;
use crate::phases::engage::offers::Engage;
use crate::phases::fallback::offers::FallBack;
use crate::phases::manoeuvre::offers::Manoeuvre;
use crate::phases::officers::offers::Officers;
use crate::phases::orders::offers::Orders;
use crate::phases::rally::offers::Rally;
use crate::phases::setup::offers::Setup;
use crate::phases::siege::offers::Siege;
use crate::phases::skirmish::offers::Skirmish;
use crate::phases::threat::offers::Threats;

sabretache_kit::offers! {
    /// One thing the deciding side may do.
    pub enum Offer of Huzzah {
        /// Before the first turn.
        Setup(Setup),
        /// Skirmisher superiority.
        Skirmish(Skirmish),
        /// Threat tests.
        Threats(Threats),
        /// Orders.
        Orders(Orders),
        /// Units act on an order: its end, and moves under fire.
        Acts(Acts),
        /// They advance, retire or side-step, follow a road or come on.
        Advance(Advance),
        /// They turn.
        Manoeuvre(Manoeuvre),
        /// They change formation, go into buildings or join the skirmish line.
        Deploy(Deploy),
        /// Walls and mines.
        Siege(Siege),
        /// The other side's guns meanwhile.
        Bombard(Bombard),
        /// Officers.
        Officers(Officers),
        /// Engagements.
        Engage(Engage),
        /// Moves that a result forces on units.
        FallBack(FallBack),
        /// Command checks, rallying, reforming and routing.
        Rally(Rally),
    }
}

impl Offer {
    /// Whether a closed offer could be carried out at all, where the players are only advised of the rules: there is a place, a unit and a
    /// state for it. What there is none for is impossible, and refused at every level of enforcement.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        match self {
            Self::Orders(part) => part.is_possible(battle),
            Self::Acts(part) => part.is_possible(battle),
            Self::Advance(part) => part.is_possible(battle),
            Self::Manoeuvre(part) => part.is_possible(battle),
            Self::Deploy(part) => part.is_possible(battle),
            Self::Siege(part) => part.is_possible(),
            Self::Bombard(part) => part.is_possible(battle),
            Self::Officers(part) => part.is_possible(battle),
            Self::Setup(_) | Self::Skirmish(_) | Self::Threats(_) => true,
            Self::Engage(_) | Self::FallBack(_) | Self::Rally(_) => true,
        }
    }

    /// Why a value that is outside its limits is refused.
    pub(crate) fn why_not(self, battle: &Battle, value: &Value) -> Option<Refusal> {
        match self {
            Self::Advance(part) => part.why_not(battle, value),
            Self::Manoeuvre(part) => part.why_not(battle, value),
            Self::Bombard(part) => part.why_not(value),
            Self::Officers(part) => part.why_not(battle, value),
            Self::Setup(_) | Self::Skirmish(_) | Self::Threats(_) | Self::Orders(_) | Self::Acts(_) => None,
            Self::Deploy(_) | Self::Siege(_) | Self::Engage(_) | Self::FallBack(_) | Self::Rally(_) => None,
        }
    }

    /// Where things would stand if it were chosen.
    pub(crate) fn preview(self, battle: &Battle, value: &Value) -> Preview {
        match self {
            Self::Advance(part) => part.preview(battle, value),
            Self::Manoeuvre(part) => part.preview(battle, value),
            Self::Deploy(part) => part.preview(battle, value),
            Self::Siege(part) => part.preview(battle),
            Self::Bombard(part) => part.preview(battle, value),
            Self::Setup(_) | Self::Skirmish(_) | Self::Threats(_) | Self::Orders(_) => Preview::default(),
            Self::Acts(_) | Self::Officers(_) | Self::Engage(_) => Preview::default(),
            Self::FallBack(_) | Self::Rally(_) => Preview::default(),
        }
    }
}
