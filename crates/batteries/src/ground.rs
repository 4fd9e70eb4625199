//! The ground: what each kind does to movement, order, sight, cover.

use sabretache_engine::clause::Clause;
use sabretache_engine::scenario::{Diagnostics, GroundEntry, Measure, Path};
use sabretache_table::{
    Crossed, Feature, FeatureId, FeatureKind, FeatureShape, Heading, Length, Lie, Outline, Placed, Segment, Vec2,
    area_share, exact_distance, holds, meetings, overlapping,
};
use smallvec::SmallVec;

use crate::battle::{Battle, Facts, Kind, Unit};
use crate::body::TerrainEntry;
use crate::clauses::*;
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
}

/// The kinds under the names that files use.
const NAMES: &[(&str, Kinds)] = &[
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
}

impl Terrain {
    pub(crate) fn contour(&self) -> bool {
        self.kind == Kinds::Hill
    }

    pub(crate) fn obstacle(&self) -> bool {
        matches!(self.kind, Kinds::Obstacle | Kinds::Ford)
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
        }
    }

    /// What an inch costs troops here, moving this way; 0 bars the way.
    pub(crate) fn factor(&self, unit: &Unit, facts: &Facts, way: Heading) -> u8 {
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
            // Foot is slowed going up only; everybody else in any direction (BB-HIL-02, -03).
            Some(up) if self.kind == Kinds::Slope && on_foot => {
                if way.unit().dot(up.unit()) > 1e-9 {
                    class.max(2)
                } else {
                    class
                }
            }
            _ if self.kind == Kinds::Slope && !on_foot && class > 0 => class.max(2),
            _ => class,
        }
    }
}

/// Reads one piece of ground.
pub(crate) fn read(
    piece: &GroundEntry,
    more: Option<&TerrainEntry>,
    n: usize,
    report: &mut Diagnostics,
) -> Option<Terrain> {
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
    for (i, _) in piece.traits.iter().enumerate() {
        report.error_with_help(at.clone().key("traits").item(i), "ground has no traits here", "use `terrain`");
    }
    let mut terrain = default_of(*kind, word, piece);
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
    }
    Some(terrain)
}

fn default_of(kind: Kinds, word: &str, piece: &GroundEntry) -> Terrain {
    let pace = match kind {
        Kinds::Wood => Pace { skirmishers: 1, foot: 2, horse: 4, limbered: 0, by_hand: 2 },
        Kinds::Rough => Pace { skirmishers: 1, foot: 2, horse: 2, limbered: 2, by_hand: 2 },
        Kinds::River => Pace::BARRED,
        Kinds::Slope => Pace { by_hand: 0, ..Pace::FREE },
        _ => Pace::FREE,
    };
    Terrain {
        kind,
        word: word.replace('_', " "),
        pace,
        disorders: matches!(kind, Kinds::Wood | Kinds::Rough | Kinds::Bridge),
        cover_shooting: if kind == Kinds::Wood { Cover::Soft } else { Cover::None },
        cover_combat: Cover::None,
        height: if kind == Kinds::Wood { 2 } else { 0 },
        ball: if matches!(kind, Kinds::Rough | Kinds::Ploughed) { 2 } else { 1 },
        uphill: None,
        thin: kind == Kinds::Obstacle && piece.area.is_empty() && piece.width.is_none(),
    }
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

/// A stretch of a move over ground that costs the same, and what is paid where it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) factor: u8,
    /// Paid at its beginning: the far side of a thin obstacle.
    pub(crate) toll: f64,
    pub(crate) barred: Option<Clause>,
}

/// What a straight move over the ground costs, piece by piece (BB-TER-02, BB-OBS-01, -02).
pub(crate) fn pieces(
    battle: &Battle,
    unit: &Unit,
    facts: &Facts,
    placed: &Placed,
    way: Heading,
    most: Length,
) -> SmallVec<[Piece; 4]> {
    let (ground, max) = (&battle.fixed.ground, most.f());
    let corridor = placed.bounds().swept(way.unit() * max);
    let mut found: SmallVec<[(f64, f64, u8, Clause); 8]> = SmallVec::new();
    let mut tolls: SmallVec<[f64; 4]> = SmallVec::new();
    let mut met = SmallVec::new();
    for lie in ground.near(&corridor) {
        let terrain = battle.terrain(&lie);
        if terrain.obstacle() {
            obstacle_stretches(battle, placed, &lie, terrain, way, most, &mut found, &mut tolls);
            if terrain.factor(unit, facts, way) != 0 {
                continue;
            }
        }
        let factor = match terrain.kind {
            Kinds::Bridge if !fits_bridge(unit, facts) => 0,
            _ => terrain.factor(unit, facts, way),
        };
        if factor == 1 {
            continue;
        }
        meetings(placed, way.unit(), max, &lie, &mut met);
        for one in &met {
            found.push((one.from.max(0.0), one.to.min(max), factor, terrain.clause()));
        }
    }
    let mut stops: SmallVec<[f64; 16]> = SmallVec::new();
    stops.extend([0.0, max]);
    stops.extend(found.iter().flat_map(|one| [one.0, one.1]));
    stops.extend(tolls.iter().copied());
    stops.retain(|stop| (0.0..=max).contains(stop));
    stops.sort_by(f64::total_cmp);
    stops.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    let mut out = SmallVec::new();
    for pair in stops.windows(2) {
        let middle = (pair[0] + pair[1]) / 2.0;
        let mut piece = Piece { from: pair[0], to: pair[1], factor: 1, toll: 0.0, barred: None };
        for (_, _, factor, clause) in found.iter().filter(|one| one.0 <= middle && middle <= one.1) {
            if *factor == 0 {
                piece.barred = Some(*clause);
            }
            piece.factor = piece.factor.max(*factor);
        }
        let paid = tolls.iter().filter(|toll| (**toll - pair[0]).abs() < 1e-6).count();
        piece.toll = paid as f64 * 2.0 * Length::inches(1).f();
        out.push(piece);
    }
    out
}

/// An obstacle is paid for as the middle of the front crosses it: twice its width, or two inches for a thin one.
#[expect(clippy::too_many_arguments, reason = "the two lists are filled together")]
fn obstacle_stretches(
    battle: &Battle,
    placed: &Placed,
    lie: &Lie<'_>,
    terrain: &Terrain,
    way: Heading,
    most: Length,
    found: &mut SmallVec<[(f64, f64, u8, Clause); 8]>,
    tolls: &mut SmallVec<[f64; 4]>,
) {
    let from = placed.pose().at.v();
    let mut crossed: Vec<Crossed> = Vec::new();
    let id = lie.feature.id;
    battle.fixed.ground.crossed_if(from, from + way.unit() * most.f(), |other| other.feature.id == id, &mut crossed);
    for one in crossed {
        if terrain.thin {
            tolls.push(one.enter.f());
        } else {
            found.push((one.enter.f(), one.leave.f(), 2, BB_OBS_01));
        }
    }
}

/// Three or four figures, or one model, wide (BB-RIV-02); skirmishers must reform first.
pub(crate) fn fits_bridge(unit: &Unit, facts: &Facts) -> bool {
    match facts.kind {
        Kind::Guns { .. } => unit.away || unit.ranks(facts).files == 1,
        _ => unit.ranks(facts).first <= 4 && !matches!(unit.formation, Formation::Skirmish | Formation::Square),
    }
}

impl Battle {
    pub(crate) fn terrain(&self, lie: &Lie<'_>) -> &Terrain {
        &self.fixed.terrain[usize::from(lie.feature.id.0)]
    }

    /// Ground that an outline overlaps.
    fn under<'a>(&'a self, outline: &'a impl Outline) -> impl Iterator<Item = (Lie<'a>, &'a Terrain)> + 'a {
        let near = self.fixed.ground.near(&outline.bounds());
        near.map(|lie| (lie, self.terrain(&lie))).filter(move |(lie, _)| overlapping(lie, outline))
    }

    /// Whether a unit may stand here at all; the clause of the ground that bars it (BB-TER-05).
    pub(crate) fn barred(&self, unit: &Unit, facts: &Facts, placed: &Placed) -> Option<Clause> {
        let bars = |terrain: &Terrain| match terrain.kind {
            Kinds::Wood if self.on_road_through(unit, facts) => false,
            _ => terrain.factor(unit, facts, placed.pose().heading) == 0,
        };
        self.under(placed).find(|(_, terrain)| bars(terrain)).map(|(_, t)| match t.kind {
            Kinds::Slope => BB_HIL_05,
            Kinds::Wood => BB_WOO_08,
            _ => BB_TER_05,
        })
    }

    /// The clause of the ground that disorders a unit standing or moving here (BB-STA-01, BB-TER-01).
    pub(crate) fn disordering(&self, unit: &Unit, facts: &Facts, placed: &Placed) -> Option<Clause> {
        let skirmishers = unit.formation == Formation::Skirmish && matches!(facts.kind, Kind::Foot { .. });
        let disorders = |terrain: &Terrain| match terrain.kind {
            Kinds::Wood | Kinds::Rough if skirmishers => false,
            _ => terrain.disorders,
        };
        self.under(placed).find(|(_, terrain)| disorders(terrain)).map(|(_, terrain)| match terrain.kind {
            Kinds::Wood => BB_WOO_06,
            Kinds::Rough => BB_ROU_02,
            Kinds::Bridge => BB_RIV_03,
            _ => BB_TER_01,
        })
    }

    /// Cavalry with any part on a steep slope (BB-HIL-04).
    pub(crate) fn on_slope(&self, placed: &Placed) -> bool {
        self.under(placed).any(|(_, terrain)| terrain.kind == Kinds::Slope)
    }

    /// Divided by an obstacle (BB-OBS-03).
    pub(crate) fn divided(&self, placed: &Placed) -> bool {
        let thin = |lie: &Lie<'_>| lie.parts().any(|part| part.corners.len() < 3);
        self.fixed
            .ground
            .near(&placed.bounds())
            .filter(|lie| self.terrain(lie).obstacle())
            .any(|lie| if thin(&lie) { crosses(placed, &lie) } else { overlapping(&lie, placed) })
    }

    /// How much ploughed ground the middle of a front crosses on a straight move.
    pub(crate) fn ploughed(&self, from: Vec2, to: Vec2) -> Length {
        let mut crossed = Vec::new();
        self.fixed.ground.crossed_if(from, to, |lie| self.terrain(lie).kind == Kinds::Ploughed, &mut crossed);
        crossed.iter().map(|one| one.leave - one.enter).sum()
    }

    /// The range of ballshot along a line, doubled ground counted twice (BB-ROU-03, BB-PLO-01).
    pub(crate) fn ball_range(&self, from: Vec2, to: Vec2) -> Length {
        let mut crossed = Vec::new();
        self.fixed.ground.crossed_if(from, to, |lie| self.terrain(lie).ball > 1, &mut crossed);
        let extra = crossed.iter().map(|one| {
            let terrain = &self.fixed.terrain[usize::from(one.feature.0)];
            (one.leave - one.enter) * i32::from(terrain.ball - 1)
        });
        Length::rounded((to - from).length()) + extra.sum()
    }

    /// The wood that a place lies in.
    pub(crate) fn wood_at(&self, place: Vec2) -> Option<FeatureId> {
        self.fixed.ground.at(place).find(|lie| self.terrain(lie).kind == Kinds::Wood).map(|lie| lie.feature.id)
    }

    /// How far a place is from the edge of a piece of ground.
    fn to_edge_of(&self, place: Vec2, feature: FeatureId) -> f64 {
        let rim = self.fixed.ground.get(feature).map(|lie| lie.patch.rim().to_vec()).unwrap_or_default();
        rim.iter().map(|edge: &Segment| edge.distance(place)).fold(f64::INFINITY, f64::min)
    }

    /// Whether a place can be seen from another (BB-TER-04, BB-WOO-01, -02, -04).
    pub(crate) fn sees(&self, from: Vec2, to: Vec2) -> bool {
        let length = (to - from).length();
        if length < 1.0 || self.fixed.terrain.is_empty() {
            return true;
        }
        let near = Length::inches(1).f();
        let woods = &self.numbers().woods;
        let (low, high) = (f64::from(self.level(from)), f64::from(self.level(to)));
        let (wood_from, wood_to) = (self.wood_at(from), self.wood_at(to));
        let edge = woods.edge.0.f() + 26.0;
        if let Some(wood) = wood_from.filter(|wood| wood_to != Some(*wood))
            && self.to_edge_of(from, wood) > edge
        {
            return false;
        }
        if let Some(wood) = wood_to.filter(|wood| wood_from != Some(*wood))
            && self.to_edge_of(to, wood) > edge
            && self.to_edge_of(from, wood) > edge
        {
            return false;
        }
        let mut crossed = Vec::new();
        let blocks = |lie: &Lie<'_>| self.terrain(lie).contour() || self.terrain(lie).height > 0;
        self.fixed.ground.crossed_if(from, to, blocks, &mut crossed);
        let mut in_woods = 0.0;
        for one in &crossed {
            let terrain = &self.fixed.terrain[usize::from(one.feature.0)];
            let ends_in = [wood_from, wood_to].contains(&Some(one.feature));
            if terrain.kind == Kinds::Wood && ends_in {
                in_woods += (one.leave - one.enter).f();
                continue;
            }
            let (enter, leave) = (one.enter.f().max(near), one.leave.f().min(length - near));
            if enter >= leave {
                continue;
            }
            let top = if terrain.contour() {
                f64::from(self.fixed.ground.get(one.feature).map_or(0, |lie| lie.feature.level))
            } else {
                let middle = from.toward(to, (enter + leave) / 2.0 / length);
                f64::from(self.level(middle)) + f64::from(terrain.height)
            };
            let line = |at: f64| low + (high - low) * at / length;
            if top > line(enter).min(line(leave)) + 1e-9 {
                return false;
            }
        }
        in_woods <= woods.sight.0.f() + 26.0
    }

    /// Whether all of a unit is in woods and so unseen from afar until it fires (BB-WOO-03).
    pub(crate) fn concealed(&self, placed: &Placed) -> bool {
        let woods = self.under(placed).filter(|(_, terrain)| terrain.kind == Kinds::Wood);
        woods.map(|(lie, _)| area_share(placed, &lie)).sum::<f64>() > 0.999
    }

    /// The cover against shooting of some places of a front rank, shot at along a line (BB-TER-03).
    pub(crate) fn cover_from_fire(&self, posts: &[Vec2], from: Vec2, to: Vec2) -> Cover {
        let half = |count: usize| count * 2 >= posts.len() && count > 0;
        let mut best = Cover::None;
        for lie in self.fixed.ground.all().filter(|lie| self.terrain(lie).cover_shooting != Cover::None) {
            let terrain = self.terrain(&lie);
            let linear = matches!(lie.feature.shape, FeatureShape::Line { .. });
            let covered = if linear {
                let mut crossed = Vec::new();
                self.fixed.ground.crossed_if(from, to, |other| other.feature.id == lie.feature.id, &mut crossed);
                let near = Length::inches(1).f() + 26.0;
                let close = |post: &&Vec2| exact_distance(&sabretache_table::Convex::place(**post), &lie) <= near;
                !crossed.is_empty() && half(posts.iter().filter(close).count())
            } else {
                half(posts.iter().filter(|post| holds(&lie, **post)).count())
            };
            if covered {
                best = best.max(terrain.cover_shooting);
            }
        }
        best
    }

    /// What a charger meets between itself and the unit it charges: cover in combat, and an obstacle (BB-TER-06).
    pub(crate) fn defended(&self, charger: &Placed, target: &Placed) -> (Cover, bool) {
        let (mut cover, mut obstacle) = (Cover::None, false);
        let near = Length::inches(1);
        for lie in self.fixed.ground.near(&target.bounds().grown(near.f() + 26.0)) {
            let terrain = self.terrain(&lie);
            if !terrain.obstacle() && terrain.cover_combat == Cover::None {
                continue;
            }
            let linear = matches!(lie.feature.shape, FeatureShape::Line { .. }) || terrain.obstacle();
            let holder = if linear {
                sabretache_table::within(target, &lie, near) && between(charger, target, &lie)
            } else {
                area_share(target, &lie) >= 0.5
            };
            if holder {
                cover = cover.max(terrain.cover_combat);
                obstacle |= terrain.obstacle();
            }
        }
        (cover, obstacle)
    }
}

/// Whether a thin line runs through a footprint, and not only along its edge.
fn crosses(placed: &Placed, lie: &Lie<'_>) -> bool {
    let deep = 26.0;
    lie.parts().any(|part| {
        let [a, b] = part.corners else { return false };
        placed.parts().any(|block| {
            let steps = 64;
            (0..=steps).any(|i| block.holds(a.toward(*b, f64::from(i) / f64::from(steps)), -deep))
                || segment_cuts(block.corners, *a, *b, deep)
        })
    })
}

/// Whether a segment cuts a convex block deeper than a hair: its middle stretch inside is not on the rim.
fn segment_cuts(corners: &[Vec2], a: Vec2, b: Vec2, deep: f64) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for i in 0..corners.len() {
        let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
        let out = (q - p).unit().right();
        let (over, closing) = (out.dot(a - p) + deep, out.dot(b - a));
        if closing < 0.0 {
            from = from.max(-over / closing);
        } else if closing > 0.0 {
            to = to.min(-over / closing);
        } else if over >= 0.0 {
            return false;
        }
        if from >= to {
            return false;
        }
    }
    true
}

/// Whether the ground lies between a charger and its target where they meet. A charger that is clean across before it
/// strikes has nothing in its way (BB-OBS-05).
fn between(charger: &Placed, target: &Placed, lie: &Lie<'_>) -> bool {
    let (from, to) = (charger.centre(), target.centre());
    lie.parts().any(|part| match part.corners {
        [a, b] => {
            let (d, e) = (to - from, *b - *a);
            let cross = d.cross(e);
            let (t, s) = ((*a - from).cross(e) / cross, (*a - from).cross(d) / cross);
            cross != 0.0 && (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)
        }
        corners => segment_cuts(corners, from, to, 0.0),
    })
}
