//! The ground: areas, lines and spots of named kinds, in layers, with an index over them.
//!
//! A kind is only a name here ("wood", "river", "ridge", "contour"); a ruleset gives it meaning.

use std::fmt;
use std::sync::Arc;

use geo::Validation;
use rstar::{AABB, RTree, RTreeObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::length::Length;
use crate::outline::{Bounds, Outline, Part};
use crate::patch::{Patch, polygon};
use crate::pose::Point;
use crate::vec2::Vec2;

/// The number of a feature, unique on a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct FeatureId(pub u16);

/// The kind of a feature, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct FeatureKind(pub Arc<str>);

impl FeatureKind {
    /// The kind of a name.
    pub fn new(name: &str) -> FeatureKind {
        FeatureKind(name.into())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The kind of a feature as a small number, the same for the same set of kinds; see [`Ground::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u16);

/// The shape of a feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeatureShape {
    /// A polygon, with holes.
    Area {
        /// The outer edge, either way round, the first point not repeated.
        outer: Vec<Point>,
        /// The holes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holes: Vec<Vec<Point>>,
    },
    /// A line with a width: a river, hedge, wall, road or ridge.
    Line {
        /// The points along it.
        points: Vec<Point>,
        /// The width; 0 for a bare line.
        #[serde(default)]
        width: Length,
    },
    /// A spot: a well, a ford, an objective.
    Spot {
        /// Where.
        at: Point,
        /// How far round.
        #[serde(default)]
        radius: Length,
    },
}

/// One piece of ground.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Feature {
    /// Its number.
    pub id: FeatureId,
    /// What it is.
    pub kind: FeatureKind,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its shape.
    pub shape: FeatureShape,
    /// For a contour, the level of the ground inside; for anything else as the ruleset likes.
    #[serde(default)]
    pub level: i8,
}

/// Why a ground cannot be laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroundError {
    /// Two features share a number.
    SameId(FeatureId),
    /// A polygon or line has too few points.
    TooFewPoints(FeatureId),
    /// A polygon crosses itself, or a hole leaves it.
    BadArea(FeatureId, String),
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::SameId(id) => write!(f, "two features have the number {}", id.0),
            GroundError::TooFewPoints(id) => write!(f, "feature {} has too few points", id.0),
            GroundError::BadArea(id, why) => write!(f, "feature {} is no proper area: {why}", id.0),
        }
    }
}

impl std::error::Error for GroundError {}

/// All the ground of a table. Cloning shares it: ground never moves.
#[derive(Clone, Debug)]
pub struct Ground(Arc<Laid>);

#[derive(Debug)]
struct Laid {
    features: Vec<Feature>,
    patches: Vec<Patch>,
    kinds: Vec<FeatureKind>,
    kind_of: Vec<KindId>,
    tree: RTree<Leaf>,
}

/// Up to so many features are gone through one by one: that is quicker than a tree.
const FEW: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Leaf {
    bounds: Bounds,
    place: u16,
}

impl RTreeObject for Leaf {
    type Envelope = AABB<[f64; 2]>;
    fn envelope(&self) -> Self::Envelope {
        envelope(&self.bounds)
    }
}

fn envelope(b: &Bounds) -> AABB<[f64; 2]> {
    AABB::from_corners([b.min.x, b.min.y], [b.max.x, b.max.y])
}

/// A feature on the table, with its outline ready for queries.
#[derive(Clone, Copy, Debug)]
pub struct Lie<'a> {
    /// The feature.
    pub feature: &'a Feature,
    /// Its kind as a small number.
    pub kind: KindId,
    /// Its outline.
    pub patch: &'a Patch,
}

impl Outline for Lie<'_> {
    fn bounds(&self) -> Bounds {
        self.patch.bounds()
    }
    fn part_count(&self) -> usize {
        self.patch.part_count()
    }
    fn part(&self, i: usize) -> Part<'_> {
        self.patch.part(i)
    }
}

impl Default for Ground {
    fn default() -> Ground {
        Ground::bare()
    }
}

impl Ground {
    /// Open ground.
    pub fn bare() -> Ground {
        Ground(Arc::new(Laid {
            features: Vec::new(),
            patches: Vec::new(),
            kinds: Vec::new(),
            kind_of: Vec::new(),
            tree: RTree::new(),
        }))
    }

    /// Lays the ground out; features are kept in the order of their numbers.
    pub fn new(features: Vec<Feature>) -> Result<Ground, GroundError> {
        Ground::with_openings(features, &[])
    }

    /// The same with openings: what of the first of a pair lies within the second is no part of it, as a river is none where a ford leads
    /// through it. Its edges as they are drawn stay what they were.
    pub fn with_openings(
        mut features: Vec<Feature>,
        openings: &[(FeatureId, FeatureId)],
    ) -> Result<Ground, GroundError> {
        features.sort_by_key(|f| f.id);
        if let Some(twice) = features.windows(2).find(|w| w[0].id == w[1].id) {
            return Err(GroundError::SameId(twice[0].id));
        }
        let mut patches = features.iter().map(patch).collect::<Result<Vec<_>, _>>()?;
        let whole = patches.clone();
        let place = |id: FeatureId| features.binary_search_by_key(&id, |feature| feature.id).ok();
        for (cut, by) in openings {
            if let (Some(cut), Some(by)) = (place(*cut), place(*by)) {
                patches[cut].open(&whole[by]);
            }
        }
        let mut kinds: Vec<FeatureKind> = features.iter().map(|f| f.kind.clone()).collect();
        kinds.sort();
        kinds.dedup();
        let kind_of =
            features.iter().map(|f| KindId(kinds.binary_search(&f.kind).unwrap_or_default() as u16)).collect();
        let leaves = patches.iter().enumerate().map(|(i, p)| Leaf { bounds: p.bounds(), place: i as u16 }).collect();
        let tree = RTree::bulk_load(leaves);
        Ok(Ground(Arc::new(Laid { features, patches, kinds, kind_of, tree })))
    }

    /// The small number of a kind, if the table has any of it. Kinds are numbered in the order of their names.
    pub fn kind(&self, name: &str) -> Option<KindId> {
        self.0.kinds.binary_search_by(|k| k.as_str().cmp(name)).ok().map(|i| KindId(i as u16))
    }

    /// The name of a kind.
    pub fn kind_name(&self, kind: KindId) -> &str {
        self.0.kinds.get(usize::from(kind.0)).map_or("", FeatureKind::as_str)
    }

    /// Every feature, in the order of their numbers.
    pub fn features(&self) -> &[Feature] {
        &self.0.features
    }

    /// A feature by its number.
    pub fn get(&self, id: FeatureId) -> Option<Lie<'_>> {
        self.0.features.binary_search_by_key(&id, |f| f.id).ok().map(|i| self.lie(i))
    }

    /// Every feature with its outline, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = Lie<'_>> {
        (0..self.0.features.len()).map(|i| self.lie(i))
    }

    fn lie(&self, i: usize) -> Lie<'_> {
        Lie { feature: &self.0.features[i], kind: self.0.kind_of[i], patch: &self.0.patches[i] }
    }

    /// The features whose box meets a box, in the order of their numbers.
    pub fn near(&self, bounds: &Bounds) -> impl Iterator<Item = Lie<'_>> + use<'_> {
        let mut found: SmallVec<[u16; 16]> = SmallVec::new();
        if self.0.patches.len() <= FEW {
            let met = self.0.patches.iter().enumerate().filter(|(_, patch)| bounds.meets(&patch.bounds()));
            found.extend(met.map(|(i, _)| i as u16));
        } else {
            found.extend(self.0.tree.locate_in_envelope_intersecting(envelope(bounds)).map(|leaf| leaf.place));
            found.sort_unstable();
        }
        found.into_iter().map(|i| self.lie(usize::from(i)))
    }

    /// The features that a place lies in, edges included, in the order of their numbers.
    pub fn at(&self, place: Vec2) -> impl Iterator<Item = Lie<'_>> {
        let spot = Bounds { min: place, max: place }.grown(crate::outline::SLOP);
        self.near(&spot).filter(move |lie| crate::touch::holds(lie, place))
    }
}

fn patch(feature: &Feature) -> Result<Patch, GroundError> {
    match &feature.shape {
        FeatureShape::Area { outer, holes } => {
            if outer.len() < 3 || holes.iter().any(|h| h.len() < 3) {
                return Err(GroundError::TooFewPoints(feature.id));
            }
            polygon(outer, holes)
                .check_validation()
                .map_err(|why| GroundError::BadArea(feature.id, why.to_string()))?;
            Ok(Patch::area(outer, holes))
        }
        FeatureShape::Line { points, width } => {
            if points.len() < 2 {
                return Err(GroundError::TooFewPoints(feature.id));
            }
            Ok(Patch::line(points, *width))
        }
        FeatureShape::Spot { at, radius } => Ok(Patch::spot(*at, *radius)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn area(id: u16, kind: &str, corners: &[(i32, i32)]) -> Feature {
        let outer = corners.iter().map(|&(x, y)| Point::cm(x, y)).collect();
        let shape = FeatureShape::Area { outer, holes: Vec::new() };
        Feature { id: FeatureId(id), kind: FeatureKind::new(kind), name: None, shape, level: 0 }
    }

    #[test]
    fn ground_is_found_by_place_and_box() {
        let ground = Ground::new(vec![
            area(2, "wood", &[(0, 0), (20, 0), (20, 20), (0, 20)]),
            area(1, "hill", &[(10, 10), (40, 10), (40, 40), (10, 40)]),
        ])
        .unwrap();
        let ids = |p: Point| ground.at(p.v()).map(|l| l.feature.id.0).collect::<Vec<_>>();
        assert_eq!(ids(Point::cm(5, 5)), [2]);
        assert_eq!(ids(Point::cm(15, 15)), [1, 2]);
        assert_eq!(ids(Point::cm(20, 5)), [2], "the edge belongs to the wood");
        assert_eq!(ids(Point::cm(60, 60)), [] as [u16; 0]);
        assert_eq!(ground.kind("wood"), Some(KindId(1)));
        assert_eq!(ground.kind("marsh"), None);
    }

    #[test]
    fn a_ford_opens_a_river() {
        let river = |points: &[(i32, i32)], width| Feature {
            shape: FeatureShape::Line { points: points.iter().map(|&(x, y)| Point::cm(x, y)).collect(), width },
            ..area(0, "river", &[])
        };
        let ford = area(1, "ford", &[(40, 5), (50, 5), (50, 20), (40, 20)]);
        for (points, width) in [
            (&[(0, 10), (100, 10)][..], Length::cm(2)),
            (&[(0, 8), (45, 10), (100, 14)][..], Length::cm(2)),
            (&[(0, 10), (100, 10)][..], Length::ZERO),
        ] {
            let features = vec![river(points, width), ford.clone()];
            let openings = [(FeatureId(0), FeatureId(1))];
            let ground = Ground::with_openings(features.clone(), &openings).unwrap();
            let wet = |x: i32, y: i32| ground.at(Point::cm(x, y).v()).any(|lie| lie.feature.id.0 == 0);
            let middle = |x: i32| i32::from(points.len() > 2) * if x < 45 { -1 } else { 1 } + 10;
            assert!(wet(20, middle(20)) && wet(70, middle(70)), "{points:?}");
            assert!(!wet(45, 10), "{points:?}");
            let crossing = |x: i32| {
                let mut found = Vec::new();
                ground.crossed_if(Point::cm(x, 0).v(), Point::cm(x, 30).v(), |lie| lie.feature.id.0 == 0, &mut found);
                found.len()
            };
            assert_eq!([crossing(39), crossing(41), crossing(49), crossing(51)], [1, 0, 0, 1], "{points:?}");
            let lost = Ground::new(features).unwrap().get(FeatureId(0)).unwrap().patch.area()
                - ground.get(FeatureId(0)).unwrap().patch.area();
            assert!(lost >= width.f() * Length::cm(10).f() - 1.0, "{points:?}: {lost}");
        }
    }

    #[test]
    fn bad_ground_is_refused_with_a_reason() {
        let bow = area(3, "wood", &[(0, 0), (10, 10), (10, 0), (0, 10)]);
        assert!(matches!(Ground::new(vec![bow.clone()]), Err(GroundError::BadArea(FeatureId(3), _))));
        assert!(matches!(Ground::new(vec![area(1, "x", &[(0, 0)])]), Err(GroundError::TooFewPoints(_))));
        let fine = area(3, "wood", &[(0, 0), (10, 0), (0, 10)]);
        assert_eq!(Ground::new(vec![fine.clone(), fine]).unwrap_err(), GroundError::SameId(FeatureId(3)));
    }

    #[test]
    fn features_are_written_and_read() {
        let f = area(1, "wood", &[(0, 0), (10, 0), (0, 10)]);
        let text = serde_json::to_string(&f).unwrap();
        assert_eq!(serde_json::from_str::<Feature>(&text).unwrap(), f);
    }
}
