//! What the kinds of ground mean.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::scenario::{Diagnostics, FileLength, GroundEntry, Measure, Path};
use sabretache_engine::view::GroundStyle;
use sabretache_kit::shapes::not_laid;
use sabretache_table::{Feature, FeatureId, FeatureKind, FeatureShape, Ground, Length};

use crate::clauses::{MB_MAN_11, MB_TER_01, MB_TER_03, MB_TER_05, MB_TER_06, MB_TER_07, MB_TER_08, MB_TER_09};
use crate::situations::Cover;

/// One piece of ground as the rules see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Land {
    pub(crate) rough: bool,
    /// Closed to cavalry and guns off the roads.
    pub(crate) closed: bool,
    pub(crate) impassable: bool,
    /// A major obstacle: half a move to cross.
    pub(crate) obstacle: bool,
    pub(crate) anti_cavalry: bool,
    /// A line that gives advantage of ground to those behind it.
    pub(crate) lined: bool,
    pub(crate) cover: Cover,
    /// Which side of a work is defended: the right of its direction, or the left.
    pub(crate) defended_right: bool,
    /// Woods and towns: one sees 2 inches inside, and they have an edge to defend.
    pub(crate) screens: bool,
    pub(crate) hill: bool,
    pub(crate) high: bool,
    /// Which way a slope rises, in hundredths of a degree (MB-CBT-19).
    pub(crate) rises: Option<u16>,
    pub(crate) level: i8,
    pub(crate) road: bool,
    /// A road piece over an obstacle.
    pub(crate) bridge: bool,
    /// Baggage or a camp, worth looting (MB-UMP-06).
    pub(crate) camp: bool,
}

pub(crate) const KINDS: &str = "hill, wood, town, marsh, swamp, rough, water, cliff, stream, river, hedge, ditch, wall, obstacle, \
                     fieldworks, fortifications, camp, road, bridge";

/// The ways a slope may rise, clockwise from the far edge of the table.
pub(crate) const RISES: [&str; 8] = [
    "rises north",
    "rises north-east",
    "rises east",
    "rises south-east",
    "rises south",
    "rises south-west",
    "rises west",
    "rises north-west",
];

impl Land {
    /// Reads one piece of ground; nothing for a kind the book does not know.
    pub(crate) fn of(entry: &GroundEntry) -> Option<Self> {
        decides!(MB_MAN_11, MB_TER_01, MB_TER_03, MB_TER_05, MB_TER_06, MB_TER_07, MB_TER_08, MB_TER_09);
        let has = |word: &str| entry.traits.iter().any(|one| one == word);
        let mut land = Self { level: entry.level.unwrap_or(0), ..Self::default() };
        match entry.kind.as_str() {
            "hill" => {
                land.hill = true;
                land.level = entry.level.unwrap_or(1);
                land.rough = has("steep") || has("very steep");
                land.closed = has("very steep");
                land.high = has("high");
                land.rises = (0..).zip(RISES).find_map(|(n, word)| has(word).then_some(n * 4_500));
            }
            "wood" => (land.rough, land.screens, land.closed) = (true, true, !has("open")),
            "town" => {
                (land.rough, land.screens, land.closed) = (true, true, true);
                land.cover = match () {
                    () if has("fortified") => Cover::Fortifications,
                    () if has("fieldworks") => Cover::Fieldworks,
                    () => Cover::None,
                };
            }
            "marsh" | "rough" => land.rough = true,
            "swamp" => (land.rough, land.closed) = (true, true),
            "water" | "cliff" => land.impassable = true,
            "stream" | "river" | "hedge" | "ditch" | "wall" | "obstacle" => {
                land.lined = true;
                land.impassable = has("impassable");
                land.rough = has("minor");
                land.obstacle = !land.impassable && !land.rough;
            }
            "fieldworks" => (land.cover, land.obstacle) = (Cover::Fieldworks, true),
            "fortifications" => {
                land.cover = Cover::Fortifications;
                land.impassable = has("impassable");
                land.obstacle = !land.impassable;
            }
            "camp" => land.camp = true,
            "road" => land.road = true,
            "bridge" => (land.road, land.bridge) = (true, true),
            _ => return None,
        }
        land.anti_cavalry = has("anti-cavalry");
        land.defended_right = !has("defended left");
        Some(land)
    }

    /// How it is drawn.
    pub(crate) fn style(self, kind: &str) -> GroundStyle {
        match kind {
            "hill" if self.rough => GroundStyle::SteepHill,
            "hill" => GroundStyle::Hill,
            "wood" if self.closed => GroundStyle::Wood,
            "wood" => GroundStyle::LightWood,
            "town" => GroundStyle::Buildings,
            "marsh" | "swamp" => GroundStyle::Marsh,
            "rough" | "cliff" => GroundStyle::Rough,
            "water" => GroundStyle::Water,
            "stream" | "river" => GroundStyle::River,
            "hedge" => GroundStyle::Hedge,
            "ditch" => GroundStyle::Ditch,
            "wall" => GroundStyle::Wall,
            "fieldworks" => GroundStyle::Works,
            "fortifications" => GroundStyle::Rampart,
            "road" => GroundStyle::Road,
            "bridge" => GroundStyle::Bridge,
            _ => GroundStyle::Other,
        }
    }

    /// Which side of a work that has a defended side looks at the enemy: the left of its line, or the right.
    pub(crate) fn faces_left(self) -> Option<bool> {
        (self.cover != Cover::None && !self.screens).then_some(self.defended_right)
    }

    /// What the book says of it, in a line.
    pub(crate) fn note(self) -> Option<String> {
        let mut said = Vec::new();
        for (is, what) in [
            (self.impassable, "impassable"),
            (self.closed, "closed to guns and cavalry off roads"),
            (self.rough, "rough"),
            (self.obstacle, "half a move to cross"),
            (self.anti_cavalry, "worse for cavalry"),
            (self.screens, "one sees 2 inches inside"),
            (self.high, "high"),
        ] {
            if is {
                said.push(what);
            }
        }
        (!said.is_empty()).then(|| said.join(", "))
    }
}

/// The ground of a scenario, with the meaning of each piece.
pub(crate) fn lay_ground(
    entries: &[GroundEntry],
    measure: Measure,
    report: &mut Diagnostics,
) -> Option<(Ground, Vec<Land>)> {
    let mut features = Vec::new();
    let mut lands = Vec::new();
    for (n, entry) in entries.iter().enumerate() {
        let at = Path::root().key("ground").item(n);
        let Some(land) = Land::of(entry) else {
            report.error_with_help(
                at.key("kind"),
                format!("there is no ground '{}'", entry.kind),
                format!("one of {KINDS}"),
            );
            continue;
        };
        // The works of a town run along its edge (MB-TER-05).
        let works = land.cover != Cover::None && !land.screens;
        let linear = land.lined || land.road || works;
        let mut wants = |clause: Clause, line: bool| {
            if entry.line.is_empty() == line {
                let what = if line { "line" } else { "area" };
                report.against(clause, at.clone(), format!("{} is given by its {what}", entry.kind), "see the clause");
            }
        };
        if works {
            wants(MB_TER_08, true);
        } else if linear {
            wants(MB_TER_07, true);
        } else {
            wants(MB_TER_01, false);
        }
        if land.rough && entry.traits.iter().any(|word| word == "impassable") {
            report.against(MB_MAN_11, at.clone().key("traits"), "a minor obstacle is not impassable", "choose one");
        }
        let points =
            |pairs: &[sabretache_engine::scenario::FilePoint]| pairs.iter().map(|pair| measure.point(*pair)).collect();
        // A minor obstacle is a strip half an inch wide, a road an inch; other lines have no width.
        let width = match entry.width {
            Some(FileLength(width)) => measure.length(FileLength(width)),
            None if land.road => Length::inches(1),
            None if land.lined && land.rough => Length::inch_fraction(1, 2),
            None => Length::ZERO,
        };
        let shape = if entry.line.is_empty() {
            FeatureShape::Area {
                outer: points(&entry.area),
                holes: entry.holes.iter().map(|hole| points(hole)).collect(),
            }
        } else {
            FeatureShape::Line { points: points(&entry.line), width }
        };
        features.push(Feature {
            id: FeatureId(n as u16),
            kind: FeatureKind::new(&entry.kind),
            name: entry.name.clone(),
            shape,
            level: land.level,
        });
        lands.push(land);
    }
    report.clean().ok()?;
    match Ground::new(features) {
        Ok(ground) => Some((ground, lands)),
        Err(error) => {
            let (at, why) = not_laid(entries, &error);
            report.against(MB_TER_01, at, why, "its edges must not cross each other");
            None
        }
    }
}
