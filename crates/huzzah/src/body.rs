//! What a Huzzah! scenario adds to every scenario: options, armies, commands, officers, units, and the state of a battle
//! in progress. Everything a battle can contain can be written here, so that any position is a scenario.

use sabretache_engine::scenario::{FileAngle, FileLength, FilePoint};
use sabretache_table::Edge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::numbers::AbilityTable;
use crate::state::{Addressee, Bombarded, Doing, Fight, ForcedMove, Gap, Scaled, Stage, Threat};
use crate::troops::{
    Abilities, Ability, Arm, Class, Draught, Forced, Formation, Grade, Guns, Horse, Level, Pieces, Quality, not,
};

/// What a Huzzah! scenario adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// Length of the battle and the choices the rules leave to the players.
    #[serde(default)]
    pub options: Options,
    /// The two armies, by the ids of their sides.
    #[schemars(length(min = 2, max = 2))]
    pub armies: Vec<ArmyEntry>,
    /// The nations and factions of the armies.
    pub contingents: Vec<ContingentEntry>,
    /// Every command group, the armies themselves included.
    pub commands: Vec<CommandEntry>,
    /// One officer for each command.
    pub officers: Vec<OfficerEntry>,
    /// Every unit.
    pub units: Vec<UnitEntry>,
    /// The players who share a side, where there are several (HZ-GEN-12).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<PlayerEntry>,
    /// What the scenario is won by, beyond breaking the enemy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<ObjectiveEntry>,
    /// Where the battle stands; a fresh battle when left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: StateEntry,
}

/// For serde: leave out what is as it is by default.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A basing scheme (HZ-SCL-05 to HZ-SCL-09).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basing {
    /// Square stands of 40 mm for every arm.
    #[default]
    Universal,
    /// 15 mm figures, a millimetre to the metre.
    Metre15,
    /// 15 mm figures, a millimetre to the pace.
    Pace15,
    /// 20 or 25 mm figures, a millimetre to the pace.
    Pace25,
    /// Stands an inch square.
    Inch,
}

/// How the flank zones of a unit are drawn (HZ-GEO-07, HZ-GEO-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlankZone {
    /// By the prolonged diagonals.
    #[default]
    Diagonal,
    /// For formations deeper than wide, from the middle of the far flank.
    Midpoint,
}

/// What kind of game it is, for the starting distance (HZ-SCL-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameKind {
    /// Both sides move.
    Encounter,
    /// One side stands.
    Assault,
}

/// Length of the battle and the choices the rules leave to the players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many turns are played (HZ-VIC-02).
    #[schemars(range(min = 1, max = 200))]
    pub turns: u16,
    /// The side that acts first, by id (HZ-SEQ-01).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The designated attacker, by id, who acts first where nothing else is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attacker: Option<String>,
    /// How figures are based.
    pub basing: Basing,
    /// Stands of a cavalry regiment, where the scheme leaves a choice (HZ-SCL-10).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 16))]
    pub cavalry_stands: Option<u8>,
    /// How many stands wide a column is, where the basing asks for something else (HZ-DEP-08).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 8))]
    pub column_width: Option<u8>,
    /// How long a band is, in millimetres (HZ-SCL-02).
    #[schemars(range(min = 5.0, max = 200.0))]
    pub band_mm: f64,
    /// How flank zones are drawn.
    #[serde(skip_serializing_if = "is_default")]
    pub flank_zone: FlankZone,
    /// Standard distances with smaller units: dearer follow-up orders (HZ-SCL-03).
    #[serde(skip_serializing_if = "not")]
    pub dear_orders: bool,
    /// Broken commands may reorganise (HZ-REO-01).
    #[serde(skip_serializing_if = "not")]
    pub reorganise: bool,
    /// A siege: fortress walls can be scaled (HZ-FTW-01).
    #[serde(skip_serializing_if = "not")]
    pub siege: bool,
    /// Quality is rolled high, as on the older playsheet (HZ-VAR-01).
    #[serde(skip_serializing_if = "not")]
    pub high_quality_rolls: bool,
    /// Militia A has the odds of the older playsheet (HZ-VAR-02).
    #[serde(skip_serializing_if = "not")]
    pub old_militia_a: bool,
    /// Sighting the guns may swing backward (HZ-VAR-03).
    #[serde(skip_serializing_if = "not")]
    pub sight_backward: bool,
    /// Encounter or assault, for a warning about the starting distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<GameKind>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            turns: 12,
            first: None,
            attacker: None,
            basing: Basing::default(),
            cavalry_stands: None,
            column_width: None,
            band_mm: 50.0,
            flank_zone: FlankZone::default(),
            dear_orders: false,
            reorganise: false,
            siege: false,
            high_quality_rolls: false,
            old_militia_a: false,
            sight_backward: false,
            kind: None,
        }
    }
}

/// An army (HZ-GEN-09).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmyEntry {
    /// The id of its side.
    pub id: String,
    /// Its skirmish rating; rolled or taken from the contingents where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skirmish: Option<Ability>,
    /// How the rating is rolled, where it is to be (HZ-SKI-01).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skirmish_table: Option<AbilityTable>,
    /// The edge of the table it comes from.
    pub baseline: Edge,
    /// Its line of communication, where it is not the road nearest the middle of the baseline (HZ-GEO-23).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communication: Option<FilePoint>,
    /// How often its skirmish rating has been worn down by one (HZ-SKI-11).
    #[serde(default, skip_serializing_if = "is_default")]
    pub worn: u8,
    /// Whether it failed its last skirmish test (HZ-SKI-04).
    #[serde(default, skip_serializing_if = "not")]
    pub failed_skirmish: bool,
    /// Battalions committed to the skirmish line so far (HZ-SKI-06).
    #[serde(default, skip_serializing_if = "is_default")]
    pub committed: u16,
    /// Appoint orders issued this turn (HZ-APP-08).
    #[serde(default, skip_serializing_if = "is_default")]
    pub appointments: u8,
    /// Rearm orders issued this turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rearms: u8,
}

/// A nation or faction within an army (HZ-GEN-09).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContingentEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// How often each of its batteries can bombard (HZ-BOM-01).
    #[serde(default)]
    pub bombardment_factor: u8,
    /// The most the factor can be raised to; one more than it starts at where left out (HZ-REA-08).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bombardment_max: Option<u8>,
    /// What the factor has been raised to (HZ-REA-08).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bombardment_now: Option<u8>,
    /// Formations its doctrine prescribes when attacking (HZ-ENG-22).
    #[serde(default = "attack_doctrine")]
    pub doctrine_attack: Vec<Formation>,
    /// Formations its doctrine prescribes when defending.
    #[serde(default = "defence_doctrine")]
    pub doctrine_defence: Vec<Formation>,
    /// Formations its doctrine prescribes against cavalry.
    #[serde(default = "cavalry_doctrine")]
    pub doctrine_cavalry: Vec<Formation>,
    /// The best its officers can be (HZ-CMD-04).
    #[serde(default = "excellent")]
    pub best_officer: Ability,
    /// How its officers are rolled, where it is not as in the book (HZ-APP-05).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub officer_table: Option<AbilityTable>,
    /// Its skirmish rating, where the army's comes from its contingents (HZ-SKI-02).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skirmish: Option<Ability>,
    /// Its infantry can form mass (HZ-DEP-01).
    #[serde(default, skip_serializing_if = "not")]
    pub forms_mass: bool,
    /// The colour of its coats, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coat: Option<String>,
}

fn attack_doctrine() -> Vec<Formation> {
    vec![Formation::Line, Formation::Column]
}

fn defence_doctrine() -> Vec<Formation> {
    vec![Formation::Line]
}

fn cavalry_doctrine() -> Vec<Formation> {
    vec![Formation::Square, Formation::Mass]
}

fn excellent() -> Ability {
    Ability::Excellent
}

/// A command group (HZ-CMD-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// Its level.
    pub level: Level,
    /// The command above it; none for the army.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// A line of communication of its own (HZ-GEO-23).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communication: Option<FilePoint>,
    /// When and where it arrives, for reinforcements (HZ-REI-01).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrives: Option<ArrivalEntry>,
    /// How its last command check went; nothing when it never checked (HZ-CHK-10, HZ-CHK-15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_last_check: Option<bool>,
    /// The turn of that check.
    #[serde(default, skip_serializing_if = "is_default")]
    pub checked_turn: u16,
    /// A sub-command has broken or routed since its last check (HZ-CHK-03).
    #[serde(default, skip_serializing_if = "not")]
    pub must_check: bool,
    /// Excused from checks until a new loss (HZ-CHK-31).
    #[serde(default, skip_serializing_if = "not")]
    pub excused: bool,
    /// Has checked in this phase already.
    #[serde(default, skip_serializing_if = "not")]
    pub checked: bool,
    /// Passes its check this phase by its superior's Huzzah! (HZ-CHK-31).
    #[serde(default, skip_serializing_if = "not")]
    pub free_pass: bool,
    /// Advance and retire orders issued to it this phase (HZ-ORD-18, HZ-SCL-03).
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered_moves: u8,
    /// Other orders issued to it this phase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered_others: u8,
    /// Closed to orders: an officer failed (HZ-ORD-05, HZ-ORD-07, HZ-ORD-09).
    #[serde(default, skip_serializing_if = "not")]
    pub silenced: bool,
    /// Can receive no further orders after a Huzzah! order, or because its officer turned elsewhere.
    #[serde(default, skip_serializing_if = "not")]
    pub closed: bool,
    /// The turn in which the last of it left the table; 0 while it is there (HZ-REO-07).
    #[serde(default, skip_serializing_if = "is_default")]
    pub left: u16,
    /// Attempts made at reorganising it (HZ-REO-11).
    #[serde(default, skip_serializing_if = "is_default")]
    pub attempts: u8,
    /// Tried to reorganise in this phase.
    #[serde(default, skip_serializing_if = "not")]
    pub tried: bool,
    /// Reorganised, and coming back at its line of communication (HZ-REO-10).
    #[serde(default, skip_serializing_if = "not")]
    pub returning: bool,
    /// Turns of voluntary delay so far (HZ-REI-09).
    #[serde(default, skip_serializing_if = "is_default")]
    pub delayed: u8,
    /// Chosen as the first to come on where several share an entry point (HZ-REI-10).
    #[serde(default, skip_serializing_if = "not")]
    pub chosen: bool,
    /// Ordered on to the table in this orders phase, with success or without (HZ-REI-09).
    #[serde(default, skip_serializing_if = "not")]
    pub sent_for: bool,
}

/// One of several players on a side, and what he commands (HZ-GEN-12).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerEntry {
    /// A short name without spaces.
    pub id: String,
    /// His name.
    pub name: String,
    /// The id of his side.
    pub side: String,
    /// The commands he gives orders to, with all below them that no other player has; the rest of the side is for whoever
    /// plays the rest.
    pub commands: Vec<String>,
}

/// When and where a command arrives (HZ-REI-01).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivalEntry {
    /// The turn in which it can first be ordered on.
    pub turn: u16,
    /// The entry point, on the edge of the table.
    pub at: FilePoint,
    /// Only the exact entry point may be used.
    #[serde(default, skip_serializing_if = "not")]
    pub narrow: bool,
}

/// Where an officer is, if not with his command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfficerStatus {
    /// On the table.
    #[default]
    Present,
    /// Still to come on (HZ-REI-01).
    Awaited,
    /// Relieved by the commander in chief (HZ-OFF-12).
    Superseded,
    /// Off the table with his broken command (HZ-OFF-24).
    Removed,
    /// Killed.
    Killed,
    /// Captured.
    Captured,
}

/// An officer (HZ-GEN-11).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfficerEntry {
    /// A short name without spaces.
    pub id: String,
    /// His name.
    pub name: String,
    /// The command he leads.
    pub command: String,
    /// How good he is; rolled before the battle where left out (HZ-CMD-04).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ability: Option<Ability>,
    /// Added to the roll for his successor, or for himself (HZ-APP-05).
    #[serde(default, skip_serializing_if = "is_default")]
    pub roll_modifier: i8,
    /// Whether he is inspirational.
    #[serde(default, skip_serializing_if = "not")]
    pub inspirational: bool,
    /// Where he stands; not needed when he is attached or off the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePoint>,
    /// The unit he is attached to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached_to: Option<String>,
    /// The radius of his base (HZ-GEN-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<FileLength>,
    /// Where he is, if not on the table.
    #[serde(default, skip_serializing_if = "is_default")]
    pub status: OfficerStatus,
    /// The turn in which the post fell vacant (HZ-APP-01).
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: u16,
    /// The command whose officer he has superseded; the commander in chief only (HZ-OFF-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The turn in which he did so (HZ-OFF-14).
    #[serde(default, skip_serializing_if = "is_default")]
    pub superseded_in: u16,
    /// The first turn in which he can give orders (HZ-APP-06).
    #[serde(default, skip_serializing_if = "is_default")]
    pub orders_from: u16,
    /// Has given orders this phase (HZ-ORD-11).
    #[serde(default, skip_serializing_if = "not")]
    pub spoke: bool,
    /// Has failed an order this phase (HZ-ORD-10).
    #[serde(default, skip_serializing_if = "not")]
    pub failed: bool,
    /// The level at which he has given orders this phase (HZ-ORD-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoke_to: Option<SpokeTo>,
    /// The number of the last order he gave this phase, counted over the side; 0 for none (HZ-ORD-11, HZ-GEN-12).
    #[serde(default, skip_serializing_if = "is_default")]
    pub spoke_at: u16,
    /// The unit or command he spoke to last this phase (HZ-ORD-12).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoke_last: Option<Addressee>,
    /// After a Huzzah! he may order the same addressee once more without a roll (HZ-ORD-33).
    #[serde(default, skip_serializing_if = "not")]
    pub free_order: bool,
    /// Has done moving in this officer movement phase (HZ-OFF-01).
    #[serde(default, skip_serializing_if = "not")]
    pub moved: bool,
    /// How far he has ridden in this officer movement phase (HZ-OFF-02).
    #[serde(default, skip_serializing_if = "is_default")]
    pub ridden: FileLength,
    /// Has detached from a unit in this phase (HZ-OFF-09).
    #[serde(default, skip_serializing_if = "not")]
    pub detached: bool,
    /// Has relinquished a command in this phase (HZ-OFF-15).
    #[serde(default, skip_serializing_if = "not")]
    pub relinquished: bool,
}

/// The level an officer has given orders at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpokeTo {
    /// Single units.
    Units,
    /// Brigades.
    Brigades,
    /// Divisions.
    Divisions,
    /// A corps.
    Corps,
}

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

/// Something besides the enemy's ruin that the battle is about (HZ-VIC-02).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveEntry {
    /// A short name without spaces.
    pub id: String,
    /// What it is, in words.
    pub name: String,
    /// The side it is good for.
    pub side: String,
    /// How many points it is worth.
    #[serde(default = "one")]
    pub points: u16,
    /// It wins the battle as soon as it is reached at the end of a phase, and not only by points at the end.
    #[serde(default, skip_serializing_if = "not")]
    pub at_once: bool,
    /// What has to be done.
    #[serde(flatten)]
    pub goal: Goal,
}

fn one() -> u16 {
    1
}

/// What an objective asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// A steady unit of the side is within 10 cm of this place at the end, and no enemy is.
    Hold(FilePoint),
    /// This command of the enemy's is broken at the end.
    Break(String),
    /// So many of the enemy's units are broken at the end.
    BreakUnits(u16),
    /// So many of the side's own units have retired off the table in good order.
    Exit(u16),
}

/// Where the battle stands. Units, officers and commands are named by their tokens (`#3` the unit listed fourth) here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StateEntry {
    /// The turn, counted from 1; 0 before the first.
    #[serde(skip_serializing_if = "is_default")]
    pub turn: u16,
    /// Who goes first each turn, by the id of the side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Whose phase it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phasing: Option<String>,
    /// The phase and step.
    #[serde(skip_serializing_if = "is_default")]
    pub stage: Stage,
    /// Who won skirmisher superiority this turn (or, before the roll, last turn).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superiority: Option<String>,
    /// The order, move or check in hand.
    #[serde(skip_serializing_if = "is_default")]
    pub doing: Doing,
    /// Bombardments of this phase (HZ-BOM-09).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bombarded: Vec<Bombarded>,
    /// Threats fixed at the start of the threat phase and not tested yet (HZ-THR-01).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<Threat>,
    /// Engagements fixed at the start of the phase and not fought yet (HZ-ENG-03).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fights: Vec<Fight>,
    /// Stretches of hedge that guns have blown away (HZ-HED-08).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// Mines that have gone off, by the number of the breach in the list of ground (HZ-BRE-03).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exploded: Vec<u16>,
}
