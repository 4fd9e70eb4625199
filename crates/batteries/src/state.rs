//! Where in the turn a battle is, and what is under way: contacts, shots, chases, decisions.

use sabretache_engine::ids::UnitId;
use sabretache_table::{Length, Point, Pose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::troops::{Cover, Shot};

/// Two units in contact, made by a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Who charged.
    pub charger: UnitId,
    /// Who was charged.
    pub target: UnitId,
    /// With flank or rear status.
    pub flank: bool,
    /// The target's cover in combat.
    pub cover: Cover,
    /// The target defends an obstacle.
    pub obstacle: bool,
    /// The charge ended at an obstacle, or in it.
    #[serde(default)]
    pub into_obstacle: bool,
    /// The target stands uphill.
    pub uphill: bool,
    /// Made this turn.
    pub fresh: bool,
    /// The charger was steady before contact.
    pub steady: bool,
    /// The charger has run over those it touched.
    pub overrun: bool,
    /// The charger came up after an enemy that had fallen back: nobody's first round, nobody caught standing.
    pub follows: bool,
    /// The target routed from the charger the turn before.
    pub pursuit: bool,
    /// The target is a column of masses struck in front or side, and counts as a square.
    pub as_square: bool,
}

impl Contact {
    /// The other of the two, if this is one of them.
    #[must_use]
    pub fn other(&self, unit: UnitId) -> Option<UnitId> {
        match unit {
            _ if unit == self.charger => Some(self.target),
            _ if unit == self.target => Some(self.charger),
            _ => None,
        }
    }
}

/// A shot that has been ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Who shoots.
    pub unit: UnitId,
    /// At whom.
    pub at: UnitId,
    /// From which side of its town block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// Guns: with what.
    pub shot: Option<Shot>,
    /// Those whom its owner has chosen between equals: for an odd die, or for fire that is left over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub favours: Vec<UnitId>,
}

/// Guns whose gunners have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abandoned {
    /// Whose guns they are.
    pub unit: UnitId,
    /// Where they stand.
    pub pose: Pose,
}

/// A unit that goes after an enemy who has fallen back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chase {
    /// Who.
    pub pursuer: UnitId,
    /// After whom.
    pub quarry: UnitId,
    /// Where the centre of the quarry was before it fell back.
    pub from: Point,
    /// The quarry recoiled and did not rout.
    pub recoiled: bool,
}

/// Where in the turn the battle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Phase 1: dice are rolled for the initiative.
    Initiative,
    /// Phase 1: the winner chooses.
    Choice,
    /// Phase 2: Side A moves.
    MoveA,
    /// Phase 3: Side B moves.
    MoveB,
    /// Phase 5: Side A aims.
    AimA,
    /// Phase 5: Side B aims.
    AimB,
    /// Phase 5: chargers test.
    ChargeTests,
    /// Phase 5: guns and skirmishers are overrun.
    Overruns,
    /// Phase 5: those who are charged test.
    PanicTests,
    /// Phase 5: all others who were hit test.
    HitTests,
    /// Phase 6: combats are fought.
    Combat,
    /// Phase 6: losers test.
    LoserTests,
    /// Phase 6: who pursues.
    Pursuits,
    /// The battle is over.
    Over,
}

impl Pending {
    /// The unit of which something is to be decided; its owner decides.
    #[must_use]
    pub const fn unit(&self) -> UnitId {
        match *self {
            Self::Evade { target, .. } => target,
            Self::Onward { charger } | Self::Overrun { charger } => charger,
            Self::Refill { screen } => screen,
            Self::Toll { garrison } => garrison,
            Self::Rout { unit, .. } | Self::Detour { unit } | Self::AtOnce { unit, .. } | Self::Aim { unit } => unit,
        }
    }
}

/// A decision within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pending {
    /// A charged unit may evade.
    Evade {
        /// Who charges.
        charger: UnitId,
        /// Who may evade.
        target: UnitId,
        /// The way it would go, in hundredths of a degree to the right of the line of the charge.
        #[serde(default)]
        way: i16,
    },
    /// A charger whose targets have gone may go on.
    Onward {
        /// Who.
        charger: UnitId,
    },
    /// A unit that failed its test routs.
    Rout {
        /// Who.
        unit: UnitId,
        /// How far at the least.
        least: Length,
        /// What it routs from.
        cause: Option<UnitId>,
    },
    /// A charger that has overrun may go on.
    Overrun {
        /// Who.
        charger: UnitId,
    },
    /// A pursuer has come to ground that it cannot pass, and there is a way round.
    Detour {
        /// Who.
        unit: UnitId,
    },
    /// A screen that was hit may be filled up again.
    Refill {
        /// Which.
        screen: UnitId,
    },
    /// A unit that has not fired may shoot at a charger that has come upon it after an overrun.
    AtOnce {
        /// Who may shoot.
        unit: UnitId,
        /// At whom.
        charger: UnitId,
    },
    /// The shot just ordered is to be set against one of several equal enemies.
    Aim {
        /// Who shoots.
        unit: UnitId,
    },
    /// Equal units of a garrison share hits that do not come out even.
    Toll {
        /// The first of the garrison.
        garrison: UnitId,
    },
}
