//! What a scenario file says of a battle in progress.

use sabretache_engine::scenario::{FileAngle, FileLength, FilePoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::{Step, ThisTurn};
use crate::body::options::off;
use crate::troops::{Cover, Formation, Shot};

/// Where a battle in progress stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// The turn, counted from 1.
    #[schemars(range(min = 1))]
    pub turn: u32,
    /// The id of the side that is Side A this turn; in phase 1, of the side that has won the roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Where in the turn.
    pub step: Step,
    /// The unit in the middle of its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving: Option<String>,
    /// Who is in contact with whom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ContactEntry>,
    /// Shots that have been ordered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shots: Vec<ShotEntry>,
    /// The ways that units have come this turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tracks: Vec<TrackEntry>,
    /// Guns without gunners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub abandoned: Vec<TrackEntry>,
    /// Enemies who were in contact this turn and are no more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parted: Vec<PartedEntry>,
    /// Units whose owner has set an odd die or figure against one of several equal enemies: `one` against `other`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub favours: Vec<PartedEntry>,
    /// Hits by fire in this phase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub volleys: Vec<VolleyEntry>,
    /// Those who will go after somebody when the next turn opens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chases: Vec<ChaseEntry>,
    /// Stretches of hedgerow, abatis, works or wall that are broken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<BreakEntry>,
    /// Hits on sections of works or wall that still stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub battered: Vec<BatteredEntry>,
    /// Orders to batter works or walls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub batters: Vec<BatterEntry>,
    /// A decision within the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingEntry>,
    /// The charge that is being plotted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<LaunchEntry>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            turn: 1,
            first: None,
            step: Step::Initiative,
            moving: None,
            contacts: Vec::new(),
            shots: Vec::new(),
            tracks: Vec::new(),
            abandoned: Vec::new(),
            parted: Vec::new(),
            favours: Vec::new(),
            volleys: Vec::new(),
            chases: Vec::new(),
            breaks: Vec::new(),
            battered: Vec::new(),
            batters: Vec::new(),
            pending: None,
            launch: None,
        }
    }
}

/// Hits by the fire of one unit on another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolleyEntry {
    /// Who fired.
    pub unit: String,
    /// At whom.
    pub at: String,
    /// Hits that told.
    pub hits: u16,
}

/// A charge that is being plotted, and what its unit comes back to if it is called off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaunchEntry {
    /// Who.
    pub unit: String,
    /// Where the middle of its front was.
    pub at: FilePoint,
    /// Which way it faced.
    pub facing: FileAngle,
    /// Its formation, where it is infantry and has changed on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formation: Option<Formation>,
    /// Stands across.
    pub width: u8,
    /// It was shaken.
    #[serde(default, skip_serializing_if = "off")]
    pub shaken: bool,
    /// It was disordered.
    #[serde(default, skip_serializing_if = "off")]
    pub disordered: bool,
    /// It was known to be in its wood.
    #[serde(default, skip_serializing_if = "off")]
    pub spotted: bool,
    /// It was halfway through a change that takes two turns.
    #[serde(default, skip_serializing_if = "off")]
    pub reforming: bool,
    /// It had advanced two inches straight.
    #[serde(default, skip_serializing_if = "off")]
    pub advanced: bool,
    /// What it had done this turn.
    #[serde(default)]
    pub now: ThisTurn,
    /// Who was in the middle of his move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// How many of the `tracks` there were.
    #[serde(default)]
    pub tracks: usize,
    /// The id of the general who has paid for a change of frontage on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid: Option<String>,
    /// Enemies to whom it has come nearer than two inches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

/// Two units in contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactEntry {
    /// Who charged.
    pub charger: String,
    /// Whom.
    pub target: String,
    /// In flank or rear.
    #[serde(default, skip_serializing_if = "off")]
    pub flank: bool,
    /// The target's cover in combat.
    #[serde(default = "no_cover")]
    pub cover: Cover,
    /// The target defends an obstacle.
    #[serde(default, skip_serializing_if = "off")]
    pub obstacle: bool,
    /// The charge ended at an obstacle, or in it.
    #[serde(default, skip_serializing_if = "off")]
    pub into_obstacle: bool,
    /// The target stands uphill.
    #[serde(default, skip_serializing_if = "off")]
    pub uphill: bool,
    /// Made this turn.
    #[serde(default, skip_serializing_if = "off")]
    pub fresh: bool,
    /// The charger was steady before contact.
    #[serde(default, skip_serializing_if = "off")]
    pub steady: bool,
    /// The charger has run over those it touched.
    #[serde(default, skip_serializing_if = "off")]
    pub overrun: bool,
    /// The charger came up after an enemy that had fallen back.
    #[serde(default, skip_serializing_if = "off")]
    pub follows: bool,
    /// The target routed from the charger the turn before.
    #[serde(default, skip_serializing_if = "off")]
    pub pursuit: bool,
    /// The target is a column of masses that counts as a square.
    #[serde(default, skip_serializing_if = "off")]
    pub as_square: bool,
}

/// Two units that were in contact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartedEntry {
    /// One.
    pub one: String,
    /// The other.
    pub other: String,
}

/// A unit that goes after an enemy who has fallen back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChaseEntry {
    /// Who.
    pub pursuer: String,
    /// After whom.
    pub quarry: String,
    /// Where the centre of the quarry was before it fell back.
    pub from: FilePoint,
    /// The quarry recoiled and did not rout.
    #[serde(default, skip_serializing_if = "off")]
    pub recoiled: bool,
}

fn no_cover() -> Cover {
    Cover::None
}

/// A shot that has been ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShotEntry {
    /// Who.
    pub unit: String,
    /// At whom.
    pub at: String,
    /// With what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot: Option<Shot>,
    /// From which side of its town block, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub side: Option<u8>,
    /// Those whom its owner has chosen between equals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub favours: Vec<String>,
}

/// A place that a unit has come through, or where its guns stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrackEntry {
    /// Who.
    pub unit: String,
    /// Where the middle of the front was.
    pub at: FilePoint,
    /// Which way it faced.
    pub facing: FileAngle,
}

/// A broken stretch of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BreakEntry {
    /// The id of the ground.
    pub ground: String,
    /// From how far along the line.
    pub from: FileLength,
    /// To how far along it.
    pub to: FileLength,
}

/// Hits on a section of works or wall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatteredEntry {
    /// The id of the ground.
    pub ground: String,
    /// Which section, from 1 at the beginning of the line.
    #[schemars(range(min = 1))]
    pub section: u16,
    /// How many.
    #[schemars(range(min = 1, max = 99))]
    pub hits: u16,
}

/// An order to batter a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatterEntry {
    /// Which battery.
    pub unit: String,
    /// The id of the ground.
    pub ground: String,
    /// Which section, from 1 at the beginning of the line.
    #[schemars(range(min = 1))]
    pub section: u16,
    /// Hits left over go to the section before, not to the next.
    #[serde(default, skip_serializing_if = "off")]
    pub back: bool,
}

fn straight_on(way: &f64) -> bool {
    *way == 0.0
}

/// A decision within a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum PendingEntry {
    /// A charged unit may evade.
    Evade {
        /// Who charges.
        charger: String,
        /// Who may evade.
        target: String,
        /// The way it would go, in degrees to the right of the line of the charge, if one has been set.
        #[serde(default, skip_serializing_if = "straight_on")]
        way: f64,
    },
    /// A charger whose targets have gone may go on.
    Onward {
        /// Who.
        charger: String,
    },
    /// A unit routs.
    Rout {
        /// Who.
        unit: String,
        /// How far at the least.
        least: FileLength,
        /// What it routs from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
    },
    /// A charger that has overrun may go on.
    Overrun {
        /// Who.
        charger: String,
    },
    /// A pursuer has come to ground that it cannot pass, and there is a way round.
    Detour {
        /// Who.
        unit: String,
    },
    /// A screen that was hit may be filled up again.
    Refill {
        /// Which.
        screen: String,
    },
    /// A unit that has not fired may shoot at a charger that has come upon it after an overrun.
    AtOnce {
        /// Who may shoot.
        unit: String,
        /// At whom.
        charger: String,
    },
    /// The shot just ordered is to be set against one of several equal enemies.
    Aim {
        /// Who shoots.
        unit: String,
    },
    /// Equal units of a garrison share hits that do not come out even.
    Toll {
        /// The first of the garrison.
        garrison: String,
    },
}
