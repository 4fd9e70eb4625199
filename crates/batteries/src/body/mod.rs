//! What the book adds to a scenario file.

pub(crate) mod options;
pub(crate) mod state;

use sabretache_engine::scenario::{FileAngle, FileLength, FilePoint, ObjectiveEntry};
use sabretache_table::Edge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::{Place, ThisTurn};
use crate::body::options::{Options, off};
use crate::body::state::State;
use crate::troops::{Arm, Cover, Formation, Grade, GunClass, Nation, Weapon, Weight};

/// The book's part of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// How many turns the battle lasts.
    #[schemars(range(min = 1, max = 200))]
    pub turns: u32,
    /// How it is won.
    #[serde(default)]
    pub victory: Victory,
    /// What the battle is about, in the words that every book has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<ObjectiveEntry>,
    /// The optional rules that are used.
    #[serde(default)]
    pub options: Options,
    /// What is special about pieces of the ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terrain: Vec<TerrainEntry>,
    /// The brigades.
    #[schemars(length(min = 1, max = 60))]
    pub brigades: Vec<BrigadeEntry>,
    /// The generals.
    #[schemars(length(min = 2, max = 60))]
    pub generals: Vec<GeneralEntry>,
    /// The units.
    #[schemars(length(min = 1, max = 1000))]
    pub units: Vec<UnitEntry>,
    /// Where a battle in progress stands.
    #[serde(default)]
    pub state: State,
}

/// How a battle is won.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// A side that has lost this percentage of its figures is beaten at the end of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub losses: Option<u8>,
    /// An older word for the `objectives` of the file: places that count at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("deprecated" = true))]
    pub objectives: Vec<Objective>,
    /// The side that wins if nobody else does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defender: Option<String>,
}

/// A place that counts at the end, as older files say it; newer ones have `objectives`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: FilePoint,
    /// How near troops must be to hold it.
    pub radius: FileLength,
    /// How much it counts.
    #[schemars(range(min = 1, max = 100))]
    pub worth: u8,
    /// Who holds it when the battle begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
}

/// What is special about a piece of ground; everything else is as the book has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TerrainEntry {
    /// The id of the ground.
    #[schemars(required)]
    pub ground: String,
    /// A steep slope: which way is uphill, in degrees clockwise from north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uphill: Option<FileAngle>,
    /// Linear works and city walls: which way their outer side looks, in degrees clockwise from north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<FileAngle>,
    /// A town block: how many figures it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 200))]
    pub capacity: Option<u16>,
    /// Cover against shooting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cover_shooting: Option<Cover>,
    /// Cover in combat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cover_combat: Option<Cover>,
    /// How many contours high it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i8>,
    /// It disorders troops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disorders: Option<bool>,
    /// Who cannot pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impassable_to: Option<Vec<Arm>>,
    /// An inch of ballshot counts as so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ballshot: Option<u8>,
    /// An inch costs skirmishers so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slows_skirmishers: Option<u8>,
    /// An inch costs other infantry so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slows_foot: Option<u8>,
    /// An inch costs cavalry so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slows_horse: Option<u8>,
    /// An inch costs limbered guns so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slows_guns: Option<u8>,
}

/// A brigade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrigadeEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// The table edge it routs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<EdgeName>,
    /// For a surrounded force: the centre of its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<FilePoint>,
    /// The nation of its units, where they do not say their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nation: Option<Nation>,
    /// It is not there at first, and comes on later. Where its units stand in the file is then of no account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrives: Option<ArrivalEntry>,
}

/// When and where a brigade comes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivalEntry {
    /// The turn in whose movement phase it comes on; later where there is no room.
    #[schemars(range(min = 1, max = 200))]
    pub turn: u32,
    /// The entry point, on the edge of the table.
    pub at: FilePoint,
}

/// An edge of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EdgeName {
    /// The far edge.
    North,
    /// The right edge.
    East,
    /// The near edge.
    South,
    /// The left edge.
    West,
}

impl From<EdgeName> for Edge {
    fn from(name: EdgeName) -> Self {
        match name {
            EdgeName::North => Self::North,
            EdgeName::East => Self::East,
            EdgeName::South => Self::South,
            EdgeName::West => Self::West,
        }
    }
}

/// A general.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralEntry {
    /// A short name without spaces.
    pub id: String,
    /// His name.
    pub name: String,
    /// The id of his side.
    pub side: String,
    /// The brigade that he commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brigade: Option<String>,
    /// He is the commander-in-chief.
    #[serde(default, skip_serializing_if = "off")]
    pub commander_in_chief: bool,
    /// His charisma; rolled when the battle begins if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 2))]
    pub charisma: Option<u8>,
    /// Where he is.
    pub at: FilePoint,
    /// The unit that he is attached to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// He has fallen or been taken.
    #[serde(default, skip_serializing_if = "off")]
    pub lost: bool,
    /// He is still to come, with his brigade.
    #[serde(default, skip_serializing_if = "off")]
    pub awaited: bool,
    /// He has ridden this turn.
    #[serde(default, skip_serializing_if = "off")]
    pub rode: bool,
    /// His command points this turn.
    #[serde(default, skip_serializing_if = "none_left")]
    #[schemars(range(min = 0, max = 4))]
    pub points: u8,
}

fn none_left(points: &u8) -> bool {
    *points == 0
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its brigade.
    pub brigade: String,
    /// Infantry, cavalry or artillery.
    pub arm: Arm,
    /// Its morale grade.
    pub grade: Grade,
    /// Infantry trained to skirmish.
    #[serde(default, skip_serializing_if = "off")]
    pub light: bool,
    /// What infantry carries; muskets unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weapon: Option<Weapon>,
    /// How heavy cavalry is; light for lancers unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Weight>,
    /// Cavalry with lances.
    #[serde(default, skip_serializing_if = "off")]
    pub lance: bool,
    /// How heavy guns are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<GunClass>,
    /// The weight of their shot, where the class is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pounds: Option<u8>,
    /// Horse guns.
    #[serde(default, skip_serializing_if = "off")]
    pub horse: bool,
    /// Gun models that the battery started with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 12))]
    pub models: Option<u8>,
    /// Figures that it started with; four gunners to a model unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 120))]
    pub start: Option<u16>,
    /// Figures on a stand, if not the usual number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 12))]
    pub per_stand: Option<u8>,
    /// Infantry organised in two ranks.
    #[serde(default, skip_serializing_if = "off")]
    pub two_rank: bool,
    /// Its nation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nation: Option<Nation>,
    /// Infantry that can throw out a skirmish screen, whatever its nation.
    #[serde(default, skip_serializing_if = "off")]
    pub screen_capable: bool,
    /// The battalion whose skirmish screen this is. Screens that are not given are added when the battle begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen_of: Option<String>,
    /// The colour of its coats: `#2d4a8f`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coat: Option<String>,
    /// The colour of its facings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facings: Option<String>,
    /// Where the middle of its front is.
    pub at: FilePoint,
    /// Which way it faces, in degrees clockwise from north.
    pub facing: FileAngle,
    /// How infantry stands. Found from its width when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formation: Option<Formation>,
    /// Stands across, or models across when limbered; all of them in one row when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 60))]
    pub width: Option<u8>,
    /// Guns on their limbers.
    #[serde(default, skip_serializing_if = "off")]
    pub limbered: bool,
    /// Figures it has now, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<u16>,
    /// Actual guns it has now, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guns: Option<u8>,
    /// It is shaken.
    #[serde(default, skip_serializing_if = "off")]
    pub shaken: bool,
    /// It is disordered.
    #[serde(default, skip_serializing_if = "off")]
    pub disordered: bool,
    /// It has fought before in this game.
    #[serde(default, skip_serializing_if = "off")]
    pub fought: bool,
    /// It has fired from the edge of a wood and is known to be there.
    #[serde(default, skip_serializing_if = "off")]
    pub spotted: bool,
    /// Gunners away from their guns.
    #[serde(default, skip_serializing_if = "off")]
    pub away: bool,
    /// It is halfway through a change that takes two turns.
    #[serde(default, skip_serializing_if = "off")]
    pub reforming: bool,
    /// Stands with scaling ladders.
    #[serde(default, skip_serializing_if = "none_left")]
    #[schemars(range(min = 0, max = 30))]
    pub ladders: u8,
    /// It has cleared a city wall of its defenders and may climb over.
    #[serde(default, skip_serializing_if = "off")]
    pub climbs: bool,
    /// The wings of a bent line from its left: stands of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 4))]
    pub wings: Vec<u8>,
    /// How far each wing after the first is turned from the one before it, in degrees to the right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 3))]
    pub turns: Vec<f64>,
    /// A gun that was set up in its town block before the battle, with a whole day to do it.
    #[serde(default, skip_serializing_if = "off")]
    pub emplaced: bool,
    /// The unit that it is a part of, where it may hold a town block on its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// Figures it started with when parts of it are counted apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u16>,
    /// The id of the town block it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// It has routed off the table once.
    #[serde(default, skip_serializing_if = "off")]
    pub fled_once: bool,
    /// Rounds it has fought in the combat it is in.
    #[serde(default, skip_serializing_if = "none_left")]
    pub rounds: u8,
    /// Cavalry that advanced two inches straight in its last movement phase.
    #[serde(default, skip_serializing_if = "off")]
    pub advanced: bool,
    /// How often in a row it has entered pursuit.
    #[serde(default, skip_serializing_if = "none_left")]
    pub chases: u8,
    /// Where it is, if not on the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What it has done and suffered this turn.
    #[serde(default, skip_serializing_if = "nothing_done")]
    pub now: ThisTurn,
}

fn nothing_done(now: &ThisTurn) -> bool {
    *now == ThisTurn::default()
}
