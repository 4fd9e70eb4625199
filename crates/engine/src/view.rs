//! What a client draws and a report tells: the table as it stands, with no rules in it.

use sabretache_table::{Length, Point, Pose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clause::Clause;
use crate::ids::{CommandId, GroundId, OfficerId, Side, UnitId};
use crate::scenario::Measure;

macro_rules! wire {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
        $vis struct $name { $($body)* }
    )* };
}

wire! {
    /// The table as it stands.
    pub struct View {
        /// What never changes: title, table, ground, sides.
        pub setting: Setting,
        /// The turn, counted from 1, where the book counts turns.
        pub turn: Option<u32>,
        /// The phase, as the book calls it.
        pub phase: String,
        /// Whose phase it is.
        pub phasing: Option<Side>,
        /// Every unit, on the table or off.
        pub units: Vec<UnitView>,
        /// Every officer.
        pub officers: Vec<OfficerView>,
        /// Every command, with the one above it.
        pub commands: Vec<CommandView>,
        /// How the sides stand, in the terms in which the battle is won.
        pub score: Vec<ScoreLine>,
        /// Things that lie on the table and are neither units nor ground: smoke, breaches, messengers.
        pub tokens: Vec<TokenView>,
    }

    /// What never changes in a battle.
    pub struct Setting {
        /// The short name of the ruleset.
        pub ruleset: String,
        /// The title of the scenario.
        pub title: String,
        /// When it was fought, in words.
        pub date: Option<String>,
        /// Where.
        pub place: Option<String>,
        /// What it is about.
        pub summary: Option<String>,
        /// Special rules of this battle in words, for both sides; runs of the laboratory kept from before have none.
        #[serde(default)]
        pub rules: Vec<String>,
        /// What the book measures in.
        pub measure: Measure,
        /// From west to east.
        #[ts(type = "number")]
        pub width: Length,
        /// From south to north.
        #[ts(type = "number")]
        pub depth: Length,
        /// The two sides, A first.
        pub sides: Vec<SideView>,
        /// The ground.
        pub ground: Vec<GroundView>,
    }

    /// One of the two sides.
    pub struct SideView {
        /// Which.
        pub side: Side,
        /// Its name.
        pub name: String,
        /// Its colour, as `#rrggbb`.
        pub colour: String,
    }

    /// A piece of ground.
    pub struct GroundView {
        /// Its token.
        #[ts(type = "string")]
        pub id: GroundId,
        /// The book's word for it.
        pub kind: String,
        /// How it is drawn.
        pub drawn: GroundStyle,
        /// Its name on the map.
        pub name: Option<String>,
        /// The outline and then any holes; empty for a line.
        #[ts(type = "{ x: number; y: number }[][]")]
        pub rings: Vec<Vec<Point>>,
        /// The points of a line; empty for an area.
        #[ts(type = "{ x: number; y: number }[]")]
        pub line: Vec<Point>,
        /// How wide the line is.
        #[ts(type = "number | null")]
        pub width: Option<Length>,
        /// How high it is, in levels.
        pub level: i8,
        /// What the book says of it, in a line: how it slows, hides, protects.
        pub note: Option<String>,
        /// Whether the left of its line is the side that looks at the enemy, or the right; nothing where both are alike.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        pub faces_left: Option<bool>,
    }

    /// A unit.
    pub struct UnitView {
        /// Its token.
        #[ts(type = "string")]
        pub id: UnitId,
        /// Its id in the scenario.
        pub key: String,
        /// Its name.
        pub name: String,
        /// Whose it is.
        pub side: Side,
        /// The command it belongs to.
        #[ts(type = "string | null")]
        pub command: Option<CommandId>,
        /// The arm's symbol.
        pub symbol: Symbol,
        /// The colour of its coats, as `#rrggbb`.
        pub coat: String,
        /// The colour of its facings, as `#rrggbb`.
        pub facings: String,
        /// Where it stands; nothing when it is off the table.
        #[ts(type = "{ at: { x: number; y: number }; heading: number } | null")]
        pub pose: Option<Pose>,
        /// The corners of each stand, front left first, clockwise.
        #[ts(type = "{ x: number; y: number }[][]")]
        pub stands: Vec<Vec<Point>>,
        /// Its formation in a word.
        pub formation: String,
        /// What it is marked with.
        pub markers: Vec<Marker>,
        /// What a roster says of it, a line each.
        pub lines: Vec<String>,
        /// Why it is off the table, when it is: broken, not yet arrived.
        pub absent: Option<String>,
        /// Whether it is lost to its side for good: not while it is awaited, may return, or serves on in another body.
        pub lost: bool,
    }

    /// A marker beside a unit or officer.
    pub struct Marker {
        /// What it means, in a word.
        pub name: String,
        /// How it is drawn.
        pub style: MarkerStyle,
        /// Its numeral.
        pub count: i32,
    }

    /// An officer.
    pub struct OfficerView {
        /// Its token.
        #[ts(type = "string")]
        pub id: OfficerId,
        /// Its id in the scenario.
        pub key: String,
        /// Name.
        pub name: String,
        /// Whose.
        pub side: Side,
        /// What he commands.
        #[ts(type = "string | null")]
        pub command: Option<CommandId>,
        /// The rank in words.
        pub rank: String,
        /// 1 for the lowest that the book knows; drawn as the shape of the pennant.
        pub grade: u8,
        /// Where he is; nothing when he is off the table.
        #[ts(type = "{ x: number; y: number } | null")]
        pub at: Option<Point>,
        /// How far his voice carries.
        #[ts(type = "number | null")]
        pub radius: Option<Length>,
        /// The unit he is with.
        #[ts(type = "string | null")]
        pub with: Option<UnitId>,
        /// Markers.
        pub markers: Vec<Marker>,
        /// What a roster says of him.
        pub lines: Vec<String>,
    }

    /// A command.
    pub struct CommandView {
        /// Its token.
        #[ts(type = "string")]
        pub id: CommandId,
        /// Its id in the scenario.
        pub key: String,
        /// Name.
        pub name: String,
        /// Whose.
        pub side: Side,
        /// The command above it.
        #[ts(type = "string | null")]
        pub above: Option<CommandId>,
        /// Who commands it.
        #[ts(type = "string | null")]
        pub officer: Option<OfficerId>,
        /// What a roster says of it: orders, checks, losses.
        pub lines: Vec<String>,
    }

    /// Something on the table that is neither a unit nor ground.
    pub struct TokenView {
        /// What it is.
        pub marker: Marker,
        /// Where it lies.
        #[ts(type = "{ x: number; y: number }")]
        pub at: Point,
    }

    /// One line of the score.
    pub struct ScoreLine {
        /// What is counted.
        pub name: String,
        /// A's and B's.
        pub values: (String, String),
    }

    /// How a battle ended.
    pub struct Verdict {
        /// Who won; nobody when it was drawn.
        pub winner: Option<Side>,
        /// Why, as a sentence.
        pub sentence: String,
        /// The clause that says so.
        #[ts(type = "string")]
        pub clause: Clause,
    }

    /// Something drawn over the table.
    pub struct Overlay {
        /// What it shows.
        pub kind: OverlayKind,
        /// What it says beside it.
        pub label: String,
        /// The outlines.
        #[ts(type = "{ x: number; y: number }[][]")]
        pub rings: Vec<Vec<Point>>,
        /// The clause behind it.
        #[ts(type = "string")]
        pub clause: Clause,
    }
}

macro_rules! words {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($body:tt)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
        #[serde(rename_all = "snake_case")]
        $vis enum $name { $($body)* }
    )* };
}

words! {
    /// How a piece of ground is drawn.
    pub enum GroundStyle {
        /// A rise of one level.
        Hill,
        /// A steep rise.
        SteepHill,
        /// A crest line.
        Ridge,
        /// Close trees.
        Wood,
        /// Scattered trees.
        LightWood,
        /// Rough or broken ground.
        Rough,
        /// Reeds and tufts.
        Marsh,
        /// Ploughed furrows.
        Field,
        /// A river or stream.
        River,
        /// Standing water.
        Water,
        /// A pale double line.
        Road,
        /// Across water.
        Bridge,
        /// Shallow water.
        Ford,
        /// A dotted green line.
        Hedge,
        /// A fine dark double line.
        Wall,
        /// A bank with teeth on the outer side.
        Works,
        /// A ditch or trench.
        Ditch,
        /// A sunken road.
        SunkenRoad,
        /// Felled trees.
        Abatis,
        /// A built-up sector.
        Buildings,
        /// A fortress wall.
        Rampart,
        /// A gap shot into a wall.
        Breach,
        /// Anything else.
        Other,
    }

    /// The symbol of an arm.
    pub enum Symbol {
        /// Foot: a saltire.
        Foot,
        /// Light foot: a saltire with a dot.
        LightFoot,
        /// Horse: a diagonal.
        Horse,
        /// Light horse: a diagonal with a dot.
        LightHorse,
        /// Heavy horse: a filled half.
        HeavyHorse,
        /// Dragoons: a diagonal with a bar.
        Dragoons,
        /// Guns: a disc.
        Guns,
        /// Horse guns: a disc with a bar.
        HorseGuns,
        /// Heavy guns: a ringed disc.
        HeavyGuns,
        /// Howitzers and mortars: an open disc.
        Howitzers,
        /// Wagons, limbers, civilians.
        Train,
    }

    /// How a marker is drawn: never by colour alone.
    pub enum MarkerStyle {
        /// A yellow diamond.
        YellowDiamond,
        /// A red square.
        RedSquare,
        /// A grey puff.
        GreyPuff,
        /// A green ring.
        GreenRing,
        /// A blue flag.
        BlueFlag,
        /// A small stone.
        Stone,
        /// A white disc.
        WhiteDisc,
        /// A black chevron.
        BlackChevron,
    }

    /// What an overlay shows.
    pub enum OverlayKind {
        /// What it threatens.
        Zone,
        /// What it sees.
        Sight,
        /// Where it can get to.
        Reach,
        /// How far a voice carries.
        Command,
        /// Where it can shoot.
        Fire,
    }
}
