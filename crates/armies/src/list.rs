//! An army list: a battle in terms that belong to no book.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

/// A point of the field in paces: `[x, y]` from its south-west corner.
pub type Place = [f64; 2];

/// An army list: who fought whom, with what, where and when. Lengths are in paces of 75 centimetres.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// What the battle is called.
    pub title: String,
    /// When it was fought, in words.
    pub date: String,
    /// Where.
    pub place: String,
    /// What it is about, in a few sentences.
    pub summary: String,
    /// Where the facts come from.
    pub sources: Vec<String>,
    /// What is our own judgement, and anything else worth knowing.
    #[serde(default)]
    pub notes: Vec<String>,
    /// How many turns the battle lasts; a book's own number may be given under `books`.
    #[schemars(range(min = 1, max = 200))]
    pub turns: u16,
    /// The side that attacks, by its id.
    pub attacker: String,
    /// How large the field is.
    pub field: Field,
    /// The two sides.
    #[schemars(length(min = 2, max = 2))]
    pub sides: Vec<Side>,
    /// The ground.
    #[serde(default)]
    pub ground: Vec<Ground>,
    /// Places that are worth holding.
    #[serde(default)]
    pub objectives: Vec<Objective>,
    /// The commands with their leaders, an army before its parts.
    pub commands: Vec<Command>,
    /// The units.
    pub units: Vec<Unit>,
    /// What is particular to a book, by the book's name.
    #[serde(default)]
    pub books: BTreeMap<String, Book>,
}

/// How large the field is, in paces.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// From west to east.
    #[schemars(range(min = 200, max = 20000))]
    pub width: f64,
    /// From south to north.
    #[schemars(range(min = 200, max = 20000))]
    pub depth: f64,
}

/// One of the two sides.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its colour on the map.
    pub colour: String,
    /// The edge of the field that it came from.
    pub edge: Edge,
    /// Where on that edge its road home leaves the field; in the middle when not given.
    #[serde(default)]
    pub road_home: Option<Place>,
    /// How good its skirmishers are.
    #[serde(default)]
    pub skirmishers: Ability,
    /// How it fought, before 1715: with deep ranks, or with platoon fire and the sword.
    #[serde(default)]
    pub style: Style,
    /// The side is beaten when it has lost so many hundredths of its troops.
    #[serde(default = "a_third")]
    #[schemars(range(min = 5, max = 100))]
    pub breaks_at: u8,
}

fn a_third() -> u8 {
    33
}

/// A command and the one who leads it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side; a part has that of the command above it.
    #[serde(default)]
    pub side: Option<String>,
    /// The command above it; none for an army.
    #[serde(default)]
    pub part_of: Option<String>,
    /// Its level.
    #[serde(default)]
    pub level: Level,
    /// Who leads it, with his rank.
    pub leader: String,
    /// How able he is.
    #[serde(default)]
    pub ability: Ability,
    /// Men follow him gladly.
    #[serde(default)]
    pub inspiring: bool,
    /// The nation of its units, where they give none of their own.
    #[serde(default)]
    pub nation: Option<Nation>,
    /// The colour of the coats of its units, where it is neither their own nor their nation's.
    #[serde(default)]
    pub coat: Option<String>,
    /// The middle of the front of its first row.
    #[serde(default)]
    pub at: Option<Place>,
    /// Which way it faces, in degrees clockwise from north.
    #[serde(default)]
    pub facing: Option<f64>,
    /// How its units are formed, where they say nothing of their own.
    #[serde(default)]
    pub formed: Formed,
    /// How many paces lie between the fronts of its rows; as little as the book has room for when not given.
    #[serde(default)]
    pub depth: Option<f64>,
    /// When it comes up, and where; its first row enters there.
    #[serde(default)]
    pub arrives: Option<Arrival>,
    /// What its wing is ordered to do, where a book gives orders to wings.
    #[serde(default)]
    pub order: Order,
}

/// When a command comes up, and where.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    /// The first turn in which it may come.
    #[schemars(range(min = 1, max = 200))]
    pub turn: u16,
    /// Where, on an edge of the field.
    pub at: Place,
}

/// A unit: a battalion, a regiment of horse, a battery; or several battalions together, where a list is of brigades.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its command.
    pub command: String,
    /// Its arm.
    pub arm: Arm,
    /// Men under arms; of guns, the gunners are not counted.
    #[serde(default)]
    #[schemars(range(max = 20000))]
    pub strength: u32,
    /// How many battalions, or regiments of horse, it is.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 12))]
    pub battalions: u8,
    /// How many guns.
    #[serde(default)]
    #[schemars(range(max = 48))]
    pub guns: u8,
    /// The weight of their shot in pounds.
    #[serde(default)]
    #[schemars(range(max = 48))]
    pub pounds: u8,
    /// What it had been through.
    pub experience: Experience,
    /// Known and feared.
    #[serde(default)]
    pub renowned: bool,
    /// It carries rifles.
    #[serde(default)]
    pub rifles: bool,
    /// Horse with lances.
    #[serde(default)]
    pub lances: bool,
    /// Its nation, where it is not the command's.
    #[serde(default)]
    pub nation: Option<Nation>,
    /// The row of its command in which it stands, counted from the front. In a row units stand in their order, from the left.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 6))]
    pub row: u8,
    /// How it is formed, where not as its command.
    #[serde(default)]
    pub formed: Option<Formed>,
    /// Where the middle of its front is, where it stands away from its command.
    #[serde(default)]
    pub at: Option<Place>,
    /// Which way it faces, where not as its command.
    #[serde(default)]
    pub facing: Option<f64>,
    /// The ground that it holds, where that is a village, by its id.
    #[serde(default)]
    pub holds: Option<String>,
    /// The colour of its coats, where not its nation's.
    #[serde(default)]
    pub coat: Option<String>,
    /// The colour of its facings.
    #[serde(default)]
    pub facings: Option<String>,
}

fn one() -> u8 {
    1
}

/// A place that is worth holding.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its middle.
    pub at: Place,
    /// How far it reaches.
    #[serde(default = "a_bowshot")]
    #[schemars(range(min = 10, max = 1000))]
    pub radius: f64,
    /// What it is worth.
    #[schemars(range(min = 1, max = 20))]
    pub points: u16,
    /// The side that holds it at first, by its id.
    #[serde(default)]
    pub held_by: Option<String>,
}

fn a_bowshot() -> f64 {
    100.0
}

/// A piece of ground, as an area or as a line.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// A short name without spaces.
    pub id: String,
    /// What it is.
    pub kind: GroundKind,
    /// Its name on the map.
    #[serde(default)]
    pub name: Option<String>,
    /// The corners of an area, in order; of a village, bridge or ford four at right angles.
    #[serde(default)]
    pub area: Vec<Place>,
    /// The points of a line, in order.
    #[serde(default)]
    pub line: Vec<Place>,
    /// How wide a line is; as is usual for its kind when not given.
    #[serde(default)]
    pub width: Option<f64>,
    /// How high a hill is, in contours.
    #[serde(default)]
    pub level: Option<i8>,
    /// The side of a line of works that looks to the enemy, seen along the line.
    #[serde(default)]
    pub outside: Hand,
}

/// What is particular to a book.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Book {
    /// The title under this book, where it is another.
    pub title: Option<String>,
    /// How long it takes to play, in words.
    pub length: Option<String>,
    /// How many paces an inch or centimetre of the table is; the book's own scale when not given.
    pub paces: Option<f64>,
    /// How many paces lie between two units of a row; 10 when not given.
    pub interval: Option<f64>,
    /// How many turns it lasts.
    pub turns: Option<u16>,
    /// How many men a figure or a base of foot stands for; the book's own number when not given.
    pub men: Option<u32>,
    /// Notes for this book alone.
    pub notes: Vec<String>,
    /// What is corrected by hand in the scenario, in order.
    pub corrections: Vec<Correction>,
}

/// Something in the scenario of a book that is corrected by hand.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// What: `units.foot-20.quality`; entries of lists are named by their ids, or by their numbers from 0.
    pub of: String,
    /// What it is instead; left out, it is taken away.
    #[serde(default)]
    pub to: Option<Json>,
    /// What is added to a list.
    #[serde(default)]
    pub add: Option<Json>,
    /// Why.
    pub why: String,
}

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$word:meta])* $variant:ident),+ $(,)? })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "the words speak for themselves")]
        pub enum $name { $($(#[$word])* $variant),+ }
    )* };
}

words! {
    /// An edge of the field.
    Edge { #[default] North, East, South, West }
    /// A level of command.
    Level {
        /// A whole army.
        Army,
        /// A wing, corps or division: several brigades.
        Wing,
        /// A brigade.
        #[default]
        Brigade,
    }
    /// How able a leader is, or a side's skirmishers are.
    Ability { Great, Able, #[default] Ordinary, Poor }
    /// How an army fought in the time of Marlborough.
    Style { #[default] Traditional, New }
    /// What a wing is to do.
    Order { #[default] Attack, Defend }
    /// An arm.
    Arm { #[default] Foot, LightFoot, Grenadiers, LightHorse, Horse, HeavyHorse, Dragoons, DismountedDragoons, Guns, HorseGuns }
    /// What troops had been through, from the best to the worst.
    Experience { Elite, Veteran, #[default] Steady, Trained, Green, Raw }
    /// How a unit is formed.
    Formed { #[default] Line, Column, March, Skirmish }
    /// Left or right.
    Hand { #[default] Left, Right }
    /// A nation.
    Nation {
        #[default] Britain, France, Austria, Prussia, Russia, Spain, Portugal, Bavaria, Netherlands, Denmark, Hanover, Hesse,
        Switzerland, Poland, Italy, Corsica, Empire,
    }
    /// A kind of ground.
    GroundKind {
        #[default] Hill, SteepHill, Wood, OpenWood, Rough, Fields, Marsh, Lake, Stream, River, Bridge, Ford, Road, Village, Hedge,
        Wall, Ditch, Works,
    }
}
