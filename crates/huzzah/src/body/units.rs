//! Units.

use sabretache_engine::scenario::{FileAngle, FilePoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::state::{ForcedMove, Scaled};
use crate::troops::{Abilities, Arm, Class, Draught, Forced, Formation, Grade, Guns, Horse, Pieces, Quality, not};

/// Whether a unit is on the table, and if not, why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// On the table.
    #[default]
    Present,
    /// Still to arrive (HZ-REI-01).
    Awaited,
    /// Broken by staggers and kills, or by losing an engagement (HZ-QUA-12).
    Shattered,
    /// Routed off the table.
    RoutedOff,
    /// Retired off the table.
    RetiredOff,
    /// Joined the skirmish line (HZ-SKI-07).
    Skirmishing,
    /// Can never return (HZ-CAS-04).
    Destroyed,
    /// Destroyed as its command reorganised: it can never return and counts against nobody any more (HZ-REO-12).
    Disbanded,
}

impl Presence {
    /// Broken: removed by losses, or off the table by rout or retirement (HZ-QUA-12).
    #[must_use]
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::Shattered | Self::RoutedOff | Self::RetiredOff | Self::Destroyed | Self::Disbanded)
    }
}

/// A unit (HZ-GEN-10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its brigade.
    pub command: String,
    /// Its contingent; may be left out where the side has only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contingent: Option<String>,
    /// Infantry, cavalry or artillery.
    pub arm: Arm,
    /// How well it responds; rolled from grade and class where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// Its grade, to roll on (HZ-QUA-08).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// Its class, to roll on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// How many stands; as the basing scheme has it where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 24))]
    pub stands: Option<u8>,
    /// Infantry based as open order for the whole game (HZ-SCL-13).
    #[serde(default, skip_serializing_if = "not")]
    pub open_order_bases: bool,
    /// What it can do beyond the ordinary.
    #[serde(default, skip_serializing_if = "is_default")]
    pub abilities: Abilities,
    /// What kind of cavalry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horse: Option<Horse>,
    /// Weight of its guns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guns: Option<Guns>,
    /// How many guns the battery has, which tells one of eight from one of six where the basing does (HZ-SCL-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 24))]
    pub gun_count: Option<u8>,
    /// How the guns are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draught: Option<Draught>,
    /// Guns, howitzers or rockets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Pieces>,
    /// Its formation.
    pub formation: Formation,
    /// The middle of its front edge; not needed in a sector or off the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePoint>,
    /// The way it faces, in degrees clockwise from north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<FileAngle>,
    /// The sector it is deployed in (HZ-BLD-08).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sector: Option<String>,
    /// The two sides of the sector that close order infantry lines, 0 to 3 clockwise from the sector's front (HZ-BLD-12).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<u8>,
    /// Whether it is on the table.
    #[serde(default, skip_serializing_if = "is_default")]
    pub presence: Presence,
    /// Temporary disorder.
    #[serde(default, skip_serializing_if = "is_default")]
    pub staggers: u8,
    /// Permanent losses.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kills: u8,
    /// It is routing.
    #[serde(default, skip_serializing_if = "not")]
    pub routing: bool,
    /// Cavalry that is blown.
    #[serde(default, skip_serializing_if = "not")]
    pub blown: bool,
    /// A forced order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Forced>,
    /// It was given in the orders phase of its own side that is going on: it is for the next one (HZ-FOR-09).
    #[serde(default, skip_serializing_if = "not")]
    pub forced_later: bool,
    /// Smoke markers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub smoke: u8,
    /// Bombardments left; the contingent's factor where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bombardments: Option<u8>,
    /// The number of the last order it acted on this phase; 0 for none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub acted: u16,
    /// Can act on no further orders this phase (HZ-ADV-11, HZ-ADV-16).
    #[serde(default, skip_serializing_if = "not")]
    pub spent: bool,
    /// Has retired from a failed check since it last obeyed an order (HZ-CHK-23).
    #[serde(default, skip_serializing_if = "not")]
    pub fell_back: bool,
    /// Advance and retire orders issued to it alone this phase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered_moves: u8,
    /// Other orders issued to it alone this phase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered_others: u8,
    /// Can receive no further orders of its own this phase.
    #[serde(default, skip_serializing_if = "not")]
    pub closed: bool,
    /// Has sighted its guns this phase (HZ-BOM-24).
    #[serde(default, skip_serializing_if = "not")]
    pub sighted: bool,
    /// Has rolled to rally or reform this phase (HZ-RAL-02).
    #[serde(default, skip_serializing_if = "not")]
    pub rolled: bool,
    /// A move that a result forces on it and that it has still to make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_move: Option<ForcedMove>,
    /// The enemy it has engaged across a linear obstacle (HZ-TER-15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engages_across: Option<String>,
    /// The fortress wall it has scaled and stands on the outer edge of (HZ-FTW-04).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaled: Option<Scaled>,
    /// The colour of its facings, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facings: Option<String>,
}
