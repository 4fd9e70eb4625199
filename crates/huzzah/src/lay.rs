//! What never changes in a battle: the table and its ground, who is who, and the numbers in force.

use std::fmt;

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, Side};
use sabretache_engine::scenario::Scenario;
use sabretache_table::{Edge, Footprint, Ground, Length, Point, Tabletop};

use crate::body::{Body, Goal, Options};
use crate::clauses::{HZ_DEP_08, HZ_GEO_01};
use crate::numbers::{AbilityTable, Distance, Numbers};
use crate::situations::Doctrine;
use crate::terrain::Terrain;
use crate::troops::{Abilities, Ability, Arm, Class, Draught, Formation, Grade, Guns, Horse, Level, Pieces};

/// Everything fixed, behind one `Arc`. Only hedges that are shot away ever change it (HZ-HED-08).
#[derive(Clone)]
pub struct Lay {
    /// The scenario as it was read; its state is overwritten when a battle is saved.
    pub scenario: Scenario<Body>,
    /// The options.
    pub options: Options,
    /// The numbers of the book, as this scenario has them.
    pub numbers: Numbers,
    /// How long a band is.
    pub band: Length,
    /// Lengths used at every turn, on this table's scale.
    pub sizes: Sizes,
    /// The table.
    pub table: Tabletop,
    /// The ground, by the numbers of `terrain`.
    pub ground: Ground,
    /// What each piece of ground is; default ridges of hills follow after those of the file.
    pub terrain: Vec<Terrain>,
    /// The two armies.
    pub armies: [ArmyFacts; 2],
    /// Their contingents.
    pub contingents: Vec<ContingentFacts>,
    /// Commands.
    pub commands: Vec<CommandFacts>,
    /// Officers.
    pub officers: Vec<OfficerFacts>,
    /// Units.
    pub units: Vec<UnitFacts>,
    /// Objectives.
    pub objectives: Vec<ObjectiveFacts>,
}

/// Lengths used at every turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The largest gap at which units touch (HZ-GEO-02).
    pub touch: Length,
    /// The gap that is left just out of contact.
    pub clear: Length,
    /// Next to a feature (HZ-GEO-25).
    pub adjacent: Length,
    /// One band.
    pub band: Length,
}

/// What is fixed about an army.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmyFacts {
    /// The army as a command.
    pub command: CommandId,
    /// The edge it comes from.
    pub baseline: Edge,
    /// Its line of communication (HZ-GEO-23).
    pub communication: Point,
    /// How its skirmish rating is rolled, where it is.
    pub skirmish_table: Option<AbilityTable>,
    /// How many units it began with.
    pub strength: u16,
}

/// What is fixed about a contingent.
#[derive(Clone, Debug, PartialEq)]
pub struct ContingentFacts {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// The factor it starts with.
    pub factor: u8,
    /// The most the factor can become.
    pub most: u8,
    /// What its doctrine prescribes.
    pub doctrine: Doctrine,
    /// The best its officers can be.
    pub best: Ability,
    /// How its officers are rolled, where it is not as in the book.
    pub table: Option<AbilityTable>,
    /// Its skirmish rating.
    pub skirmish: Option<Ability>,
    /// Its infantry can form mass.
    pub mass: bool,
    /// The colour of its coats.
    pub coat: Option<String>,
}

/// What is fixed about a command.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandFacts {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its level.
    pub level: Level,
    /// The command above.
    pub above: Option<CommandId>,
    /// The commands right below.
    pub below: Vec<CommandId>,
    /// Its own units, for a brigade.
    pub units: Vec<u16>,
    /// All units in it, at whatever depth, in the order of the file.
    pub all_units: Vec<u16>,
    /// Its officer.
    pub officer: OfficerId,
    /// Its line of communication.
    pub communication: Point,
    /// When and where it arrives.
    pub arrives: Option<ArrivalFacts>,
}

/// When and where a command arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivalFacts {
    /// The turn.
    pub turn: u16,
    /// The entry point.
    pub at: Point,
    /// The edge it lies on.
    pub edge: Edge,
    /// Only the exact point may be used.
    pub narrow: bool,
}

/// What is fixed about an officer's post.
#[derive(Clone, Debug, PartialEq)]
pub struct OfficerFacts {
    /// His id.
    pub id: String,
    /// His name.
    pub name: String,
    /// His side.
    pub side: Side,
    /// The command he leads.
    pub command: CommandId,
    /// The radius of his base.
    pub base: Length,
    /// Added to rolls for the post.
    pub roll_modifier: i8,
    /// The player who gives his orders, where several share the side; nobody in particular otherwise (HZ-GEN-12).
    pub player: Option<u16>,
}

/// What is fixed about a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitFacts {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its brigade.
    pub brigade: CommandId,
    /// Its contingent.
    pub contingent: u16,
    /// Its arm.
    pub arm: Arm,
    /// What kind of cavalry.
    pub horse: Horse,
    /// Weight of guns.
    pub guns: Guns,
    /// How they are drawn.
    pub draught: Draught,
    /// Guns, howitzers or rockets.
    pub pieces: Pieces,
    /// Abilities.
    pub abilities: Abilities,
    /// A small unit (HZ-THR-25).
    pub small: bool,
    /// Its grade and class, where its quality is rolled.
    pub rolled_as: Option<(Grade, Class)>,
    /// How many stands.
    pub stands: u8,
    /// How wide a stand is.
    pub stand_width: Length,
    /// How deep a stand is.
    pub stand_depth: Length,
    /// Its footprint in each formation, in the order of [`Formation::ALL`].
    pub footprints: [Footprint; 8],
    /// How many stands wide each formation is.
    pub files: [u8; 8],
    /// The colour of its facings.
    pub facings: Option<String>,
}

/// An objective.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectiveFacts {
    /// What it is, in words.
    pub name: String,
    /// Whom it is good for.
    pub side: Side,
    /// What it is worth.
    pub points: u16,
    /// It wins the battle as soon as it is reached.
    pub at_once: bool,
    /// What has to be done.
    pub goal: Goal,
}

impl Lay {
    /// A distance of the book on this table.
    #[must_use]
    pub fn length(&self, distance: Distance) -> Length {
        distance.on(self.band)
    }

    /// The id of a side in the scenario.
    #[must_use]
    pub fn side_id(&self, side: Side) -> &str {
        self.scenario.sides.get(side.index()).map_or("", |entry| entry.id.as_str())
    }

    /// The name of a side.
    #[must_use]
    pub fn side_name(&self, side: Side) -> &str {
        self.scenario.sides.get(side.index()).map_or("", |entry| entry.name.as_str())
    }
}

impl PartialEq for Lay {
    /// What is fixed is the same; the state that the scenario was read with does not matter.
    fn eq(&self, other: &Self) -> bool {
        // Copies of a battle share it.
        if std::ptr::eq(self, other) {
            return true;
        }
        self.options == other.options
            && self.numbers == other.numbers
            && self.table == other.table
            && self.terrain == other.terrain
            && self.ground.features() == other.ground.features()
            && self.armies == other.armies
            && self.contingents == other.contingents
            && self.commands == other.commands
            && self.officers == other.officers
            && self.units == other.units
            && self.objectives == other.objectives
    }
}

impl fmt::Debug for Lay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lay").field("title", &self.scenario.title).finish_non_exhaustive()
    }
}

/// How many stands wide a formation is (HZ-DEP-08).
#[must_use]
pub fn files(formation: Formation, stands: u8, column_width: Option<u8>) -> u8 {
    decides!(HZ_DEP_08);
    let stands = stands.max(1);
    match formation {
        Formation::Line | Formation::OpenOrder | Formation::Garrison => stands,
        Formation::MarchColumn => 1,
        Formation::Square => stands.div_ceil(4),
        Formation::Column | Formation::Mass | Formation::Mob => {
            let usual = if stands <= 3 {
                1
            } else if stands <= 11 {
                2
            } else {
                3
            };
            column_width.unwrap_or(usual).clamp(1, stands)
        }
    }
}

/// The rectangle of a formation (HZ-GEO-01, HZ-DEP-08).
#[must_use]
pub fn footprint(
    formation: Formation,
    stands: u8,
    width: Length,
    depth: Length,
    column_width: Option<u8>,
) -> Footprint {
    decides!(HZ_GEO_01);
    let wide = files(formation, stands, column_width);
    if formation == Formation::Square {
        let side = width * i32::from(wide) + depth;
        return Footprint::single(side, side);
    }
    let ranks = stands.max(1).div_ceil(wide);
    Footprint::single(width * i32::from(wide), depth * i32::from(ranks))
}
