//! The kinds of ground, and what each is like unless a scenario says otherwise.

pub(crate) mod barriers;
pub(crate) mod going;
pub(crate) mod lines;
pub(crate) mod roads;
pub(crate) mod towns;
pub(crate) mod walls;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::scenario::{Diagnostics, GroundEntry, Measure, Path};
use sabretache_table::{Feature, FeatureId, FeatureKind, FeatureShape, Heading, Length};

use crate::battle::{Facts, Kind, Unit};
use crate::body::TerrainEntry;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Arm, Cover, Formation};

/// A kind of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    Wood,
    Rough,
    /// A contour: everything inside is at least this high.
    Hill,
    /// A steep slope.
    Slope,
    Ploughed,
    Obstacle,
    River,
    Bridge,
    Ford,
    Road,
    Hedgerow,
    Abatis,
    LightWorks,
    HeavyWorks,
    CityWall,
    Town,
}

/// The kinds under the names that files use.
pub(crate) const NAMES: &[(&str, Kinds)] = &[
    ("wood", Kinds::Wood),
    ("rough", Kinds::Rough),
    ("hill", Kinds::Hill),
    ("steep_slope", Kinds::Slope),
    ("ploughed_field", Kinds::Ploughed),
    ("stream", Kinds::Obstacle),
    ("wall", Kinds::Obstacle),
    ("hedge", Kinds::Obstacle),
    ("fence", Kinds::Obstacle),
    ("ditch", Kinds::Obstacle),
    ("river", Kinds::River),
    ("bridge", Kinds::Bridge),
    ("ford", Kinds::Ford),
    ("road", Kinds::Road),
    ("hedgerow", Kinds::Hedgerow),
    ("abatis", Kinds::Abatis),
    ("light_works", Kinds::LightWorks),
    ("heavy_works", Kinds::HeavyWorks),
    ("city_wall", Kinds::CityWall),
    ("town_block", Kinds::Town),
];

/// How a piece of ground slows each kind of troops: an inch costs so many inches; 0 bars the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) skirmishers: u8,
    pub(crate) foot: u8,
    pub(crate) horse: u8,
    pub(crate) limbered: u8,
    pub(crate) by_hand: u8,
}

impl Pace {
    const FREE: Self = Self { skirmishers: 1, foot: 1, horse: 1, limbered: 1, by_hand: 1 };
    const BARRED: Self = Self { skirmishers: 0, foot: 0, horse: 0, limbered: 0, by_hand: 0 };
}

/// A piece of ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terrain {
    pub(crate) kind: Kinds,
    pub(crate) word: String,
    pub(crate) pace: Pace,
    pub(crate) disorders: bool,
    pub(crate) cover_shooting: Cover,
    pub(crate) cover_combat: Cover,
    /// How high it stands above the ground.
    pub(crate) height: i8,
    /// Each inch that ballshot crosses counts as so many.
    pub(crate) ball: u8,
    pub(crate) uphill: Option<Heading>,
    /// A thin obstacle counts as an inch wide.
    pub(crate) thin: bool,
    /// Works and walls: which way the outer side looks.
    pub(crate) front: Option<Heading>,
    /// Figures that a town block holds.
    pub(crate) capacity: u16,
    /// A steep slope: what an inch costs infantry going up.
    pub(crate) uphill_costs: u8,
    /// A steep slope: what an inch costs all others.
    pub(crate) steep_costs: u8,
}

impl Terrain {
    pub(crate) fn contour(&self) -> bool {
        self.kind == Kinds::Hill
    }

    pub(crate) fn obstacle(&self) -> bool {
        matches!(self.kind, Kinds::Obstacle | Kinds::Ford)
    }

    /// A line that bars the way and may be broken.
    pub(crate) fn barrier(&self) -> bool {
        use Kinds::{Abatis, CityWall, HeavyWorks, Hedgerow, LightWorks};
        matches!(self.kind, Hedgerow | Abatis | LightWorks | HeavyWorks | CityWall)
    }

    /// The clause that slows or bars troops here.
    pub(crate) fn clause(&self) -> Clause {
        match self.kind {
            Kinds::Wood => BB_WOO_07,
            Kinds::Rough => BB_ROU_01,
            Kinds::Hill => BB_HIL_01,
            Kinds::Slope => BB_HIL_02,
            Kinds::Ploughed => BB_PLO_03,
            Kinds::Obstacle | Kinds::Ford => BB_OBS_01,
            Kinds::River => BB_RIV_01,
            Kinds::Bridge => BB_RIV_02,
            Kinds::Road => BB_ROA_01,
            Kinds::Hedgerow => BB_HED_04,
            Kinds::Abatis => BB_ABA_01,
            Kinds::LightWorks | Kinds::HeavyWorks => BB_FLD_04,
            Kinds::CityWall => BB_OPT_93,
            Kinds::Town => BB_TWN_04,
        }
    }

    /// The clause that keeps troops off who cannot be here at all.
    pub(crate) fn bars(&self) -> Clause {
        match self.kind {
            Kinds::Slope => BB_HIL_05,
            Kinds::Wood => BB_WOO_08,
            Kinds::Town => BB_TWN_06,
            _ => self.clause(),
        }
    }

    /// What an inch costs troops here, moving this way; 0 bars the way.
    pub(crate) fn factor(&self, unit: &Unit, facts: &Facts, way: Heading) -> u8 {
        decides!(BB_HIL_01, BB_WOO_07, BB_WOO_08, BB_ROU_01, BB_HIL_02, BB_HIL_03, BB_PLO_03, BB_RIV_01);
        let class = match facts.kind {
            Kind::Foot { .. } if unit.formation == Formation::Skirmish => self.pace.skirmishers,
            Kind::Foot { .. } => self.pace.foot,
            Kind::Horse { .. } => self.pace.horse,
            Kind::Guns { .. } if unit.away => self.pace.foot,
            Kind::Guns { .. } if unit.limbered => self.pace.limbered,
            Kind::Guns { .. } => self.pace.by_hand,
        };
        let on_foot = matches!(facts.kind, Kind::Foot { .. }) || unit.away;
        match self.uphill {
            // Foot is slowed going up only; everybody else in any direction (BB-HIL-02, BB-HIL-03).
            Some(up) if self.kind == Kinds::Slope && on_foot => {
                if way.unit().dot(up.unit()) > 1e-9 {
                    class.max(self.uphill_costs)
                } else {
                    class
                }
            }
            _ if self.kind == Kinds::Slope && !on_foot && class > 0 => class.max(self.steep_costs),
            _ => class,
        }
    }
}

/// Reads one piece of ground.
pub(crate) fn read(
    piece: &GroundEntry,
    more: Option<&TerrainEntry>,
    n: usize,
    numbers: &Numbers,
    report: &mut Diagnostics,
) -> Option<Terrain> {
    decides!(BB_TER_07);
    let at = Path::root().key("ground").item(n);
    let Some((word, kind)) = NAMES.iter().find(|(name, _)| *name == piece.kind) else {
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        let help = format!("one of {}", names.join(", "));
        report.against(BB_TER_07, at.key("kind"), format!("\"{}\" is no kind of ground", piece.kind), help);
        return None;
    };
    let areas = [Kinds::Wood, Kinds::Rough, Kinds::Hill, Kinds::Slope, Kinds::Ploughed, Kinds::Bridge, Kinds::Ford];
    if areas.contains(kind) && piece.area.is_empty() {
        report.against(BB_TER_07, at.clone().key("area"), format!("a {word} is an area"), "give its corners as `area`");
    }
    if *kind == Kinds::Hill && piece.level.is_none_or(|level| level < 1) {
        report.against(BB_TER_04, at.clone().key("level"), "a hill has a level of 1 or more", "add `level = 1`");
    }
    if *kind == Kinds::Slope && more.is_none_or(|more| more.uphill.is_none()) {
        let help = "add it under `terrain`: { ground = \"…\", uphill = 0 }";
        report.against(BB_HIL_02, at.clone(), "a steep slope needs to know which way is uphill", help);
    }
    new_kinds(*kind, word, piece, more, &at, report);
    for (i, _) in piece.traits.iter().enumerate() {
        report.error_with_help(at.clone().key("traits").item(i), "ground has no traits here", "use `terrain`");
    }
    let mut terrain = default_of(*kind, word, piece, numbers);
    if let Some(more) = more {
        let pace = &mut terrain.pace;
        for (given, own) in [
            (more.slows_skirmishers, &mut pace.skirmishers),
            (more.slows_foot, &mut pace.foot),
            (more.slows_horse, &mut pace.horse),
            (more.slows_guns, &mut pace.limbered),
        ] {
            *own = given.unwrap_or(*own);
        }
        for arm in more.impassable_to.iter().flatten() {
            match arm {
                Arm::Foot => (pace.foot, pace.skirmishers) = (0, 0),
                Arm::Horse => pace.horse = 0,
                Arm::Guns => (pace.limbered, pace.by_hand) = (0, 0),
            }
        }
        terrain.cover_shooting = more.cover_shooting.unwrap_or(terrain.cover_shooting);
        terrain.cover_combat = more.cover_combat.unwrap_or(terrain.cover_combat);
        terrain.height = more.height.unwrap_or(terrain.height);
        terrain.disorders = more.disorders.unwrap_or(terrain.disorders);
        terrain.ball = more.ballshot.unwrap_or(terrain.ball).max(1);
        terrain.uphill = more.uphill.map(|angle| angle.heading());
        terrain.front = more.front.map(|angle| angle.heading());
        terrain.capacity = more.capacity.unwrap_or(0);
    }
    Some(terrain)
}

/// What blocks, works, hedgerows and walls need to be told.
fn new_kinds(
    kind: Kinds,
    word: &str,
    piece: &GroundEntry,
    more: Option<&TerrainEntry>,
    at: &Path,
    report: &mut Diagnostics,
) {
    let word = word.replace('_', " ");
    let linear = !piece.line.is_empty();
    match kind {
        Kinds::Town => {
            if linear {
                report.against(BB_TWN_01, at.clone(), "a town block is an area", "give its corners as `area`");
            }
            if more.and_then(|more| more.capacity).is_none() {
                let help = "add it under `terrain`: { ground = \"…\", capacity = 24 }";
                report.against(BB_TWN_01, at.clone(), "how many figures does the block hold?", help);
            }
            decides!(BB_TWN_02);
            let height = more.and_then(|more| more.height).unwrap_or(1);
            if !(1..=2).contains(&height) {
                report.against(BB_TWN_02, at.clone(), "a block is 1 or 2 contours high", "`height = 1` or `2`");
            }
        }
        Kinds::Hedgerow | Kinds::Abatis | Kinds::CityWall if !linear => {
            let clause = match kind {
                Kinds::Hedgerow => BB_HED_04,
                Kinds::Abatis => BB_ABA_01,
                _ => BB_OPT_93,
            };
            report.against(clause, at.clone(), format!("a {word} is a line"), "give its points as `line`");
        }
        Kinds::LightWorks | Kinds::HeavyWorks | Kinds::CityWall
            if linear && more.is_none_or(|more| more.front.is_none()) =>
        {
            let clause = if kind == Kinds::CityWall { BB_OPT_93 } else { BB_FLD_07 };
            let help = "add it under `terrain`: { ground = \"…\", front = 0 }";
            report.against(clause, at.clone(), format!("which way does the outside of the {word} look?"), help);
        }
        _ => {}
    }
}

fn default_of(kind: Kinds, word: &str, piece: &GroundEntry, numbers: &Numbers) -> Terrain {
    let (woods, rough) = (&numbers.woods_pace, numbers.rough.factor());
    let pace = match kind {
        Kinds::Wood => Pace {
            skirmishers: 1,
            foot: woods.foot,
            horse: woods.horse,
            limbered: 0,
            by_hand: numbers.woods_guns.factor(),
        },
        Kinds::Rough => Pace { skirmishers: 1, foot: rough, horse: rough, limbered: rough, by_hand: rough },
        // Nobody walks through houses: infantry that touches a block goes into it.
        Kinds::River | Kinds::Town => Pace::BARRED,
        Kinds::Slope => Pace { by_hand: 0, ..Pace::FREE },
        _ => Pace::FREE,
    };
    let works = matches!(kind, Kinds::LightWorks | Kinds::HeavyWorks);
    Terrain {
        kind,
        word: word.replace('_', " "),
        pace,
        disorders: works || matches!(kind, Kinds::Wood | Kinds::Rough | Kinds::Bridge | Kinds::CityWall),
        cover_shooting: match kind {
            Kinds::Wood | Kinds::Hedgerow => Cover::Soft,
            Kinds::LightWorks | Kinds::HeavyWorks | Kinds::CityWall | Kinds::Town => Cover::Hard,
            _ => Cover::None,
        },
        cover_combat: match kind {
            Kinds::LightWorks | Kinds::Town => Cover::Soft,
            Kinds::HeavyWorks | Kinds::CityWall => Cover::Hard,
            _ => Cover::None,
        },
        height: match kind {
            Kinds::Wood => numbers.woods_height.contours,
            Kinds::Town | Kinds::CityWall => 1,
            _ => 0,
        },
        ball: match kind {
            Kinds::Rough => numbers.rough_shot.factor(),
            Kinds::Ploughed => numbers.ploughed_shot.factor(),
            _ => 1,
        },
        uphill: None,
        thin: kind == Kinds::Obstacle && piece.area.is_empty() && piece.width.is_none(),
        front: None,
        capacity: 0,
        uphill_costs: numbers.uphill.factor(),
        steep_costs: numbers.steep.factor(),
    }
}

/// Where bridges and fords lead over water or through it there is nothing of it in the way (BB-RIV-01).
pub(crate) fn openings(kinds: &[Terrain]) -> Vec<(FeatureId, FeatureId)> {
    decides!(BB_RIV_01);
    let number = |n: usize| FeatureId(n as u16);
    let of = |wanted: fn(&Terrain) -> bool| {
        kinds.iter().enumerate().filter(move |(_, terrain)| wanted(terrain)).map(move |(n, _)| number(n))
    };
    let water = |terrain: &Terrain| terrain.kind == Kinds::River || matches!(terrain.word.as_str(), "stream" | "ditch");
    let crossings = |terrain: &Terrain| matches!(terrain.kind, Kinds::Bridge | Kinds::Ford);
    of(water).flat_map(|wet| of(crossings).map(move |over| (wet, over))).collect()
}

/// The feature that the table keeps of it.
pub(crate) fn feature(piece: &GroundEntry, n: usize, measure: Measure) -> Feature {
    let points = |pairs: &[_]| pairs.iter().map(|pair| measure.point(*pair)).collect::<Vec<_>>();
    let shape = if piece.line.is_empty() {
        FeatureShape::Area { outer: points(&piece.area), holes: piece.holes.iter().map(|hole| points(hole)).collect() }
    } else {
        let width = piece.width.map_or(Length::ZERO, |width| measure.length(width));
        FeatureShape::Line { points: points(&piece.line), width }
    };
    Feature {
        id: FeatureId(n as u16),
        kind: FeatureKind::new(&piece.kind),
        name: piece.name.clone(),
        shape,
        level: piece.level.unwrap_or(0),
    }
}
