//! The ground of a scenario, with the ridges that hills have unless they are given others.

use sabretache_engine::decides;
use sabretache_engine::scenario::{Diagnostics, Path, Scenario};
use sabretache_kit::shapes::not_laid;
use sabretache_table::{Edge, Feature, FeatureId, FeatureKind, FeatureShape, Ground, Length, Point, Tabletop};

use super::hedges;
use crate::body::Body;
use crate::clauses::{HZ_GEO_17, HZ_GEO_23, HZ_HED_08, HZ_HIL_01, HZ_HIL_04, HZ_HIL_05, HZ_ROU_08, HZ_TER_01};
use crate::state::Gap;
use crate::terrain::{Kind, Terrain, read};

/// Reads the ground and lays it on the table, hedges with the gaps that guns have shot into them (HZ-HED-08).
pub(super) fn lay(scenario: &Scenario<Body>, gaps: &[Gap], report: &mut Diagnostics) -> Option<(Vec<Terrain>, Ground)> {
    decides!(HZ_HED_08);
    let (mut terrain, mut features) = pieces(scenario, report)?;
    hedges::cut(&mut terrain, &mut features, gaps);
    match Ground::new(features) {
        Ok(ground) => Some((terrain, ground)),
        Err(error) => {
            let (at, why) = not_laid(&scenario.ground, &error);
            report.against(HZ_TER_01, at, why, "its edges must not cross each other");
            None
        }
    }
}

/// The pieces of ground of the file, and the ridges that hills have of themselves.
fn pieces(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<(Vec<Terrain>, Vec<Feature>)> {
    let mut terrain: Vec<Terrain> = Vec::new();
    let mut features = Vec::new();
    for (n, piece) in scenario.ground.iter().enumerate() {
        let read = read::terrain(piece, n, scenario.measure, report);
        let Some(mut one) = read else { continue };
        if let Some(whole) = &piece.part_of {
            let path = Path::root().key("ground").item(n).key("part_of");
            match scenario.ground.iter().position(|other| other.id.as_ref() == Some(whole)) {
                Some(place) => one.part_of = Some(place as u16),
                None => report.error(path, format!("no piece of ground is called \"{whole}\"")),
            }
        }
        features.push(read::feature(piece, &one, n, scenario.measure));
        terrain.push(one);
    }
    if report.has_errors() {
        return None;
    }
    steepen(scenario, &mut terrain, report);
    raise_ridges(scenario, &mut terrain, &mut features);
    add_ridges(scenario, &mut terrain, &mut features);
    Some((terrain, features))
}

/// A hill of two contours is steep all over (HZ-HIL-01).
fn steepen(scenario: &Scenario<Body>, terrain: &mut [Terrain], report: &mut Diagnostics) {
    decides!(HZ_HIL_01);
    let is_hill = |one: &Terrain| matches!(one.kind, Kind::Hill { .. });
    for n in 0..terrain.len() {
        let mut whole = terrain[n].part_of.filter(|_| is_hill(&terrain[n]));
        // A file in which contours are parts of each other in a ring ends here too.
        for _ in 0..terrain.len() {
            let Some(hill) = whole.map(usize::from).filter(|&hill| is_hill(&terrain[hill])) else { break };
            if let Kind::Hill { steep, .. } = &mut terrain[hill].kind {
                *steep = true;
            }
            whole = terrain[hill].part_of;
        }
    }
    let contours =
        |whole: usize| terrain.iter().filter(|one| is_hill(one) && one.part_of == Some(whole as u16)).count();
    for (n, one) in terrain.iter().enumerate() {
        if matches!(one.kind, Kind::Hill { steep: true, outer: true }) && contours(n) == 0 {
            let at = Path::root().key("ground").item(n).key("traits");
            report.unusual(Some(HZ_HIL_01), at, "a steep hill has a second contour, part_of this one");
        }
        let gentle = scenario.ground[n].traits.iter().any(|word| word == "gentle");
        if gentle && matches!(one.kind, Kind::Hill { steep: true, .. }) {
            let at = Path::root().key("ground").item(n).key("traits");
            report.against(HZ_HIL_01, at, "a hill of two contours is steep", "leave out \"gentle\", or one contour");
        }
    }
}

/// A ridge of the file for which no level is given is as high as the highest contour of its hill, or of whatever hill it lies on
/// (HZ-HIL-01, HZ-GEO-17).
fn raise_ridges(scenario: &Scenario<Body>, terrain: &mut [Terrain], features: &mut [Feature]) {
    decides!(HZ_GEO_17);
    let laid = Ground::new(features.to_vec()).ok();
    for n in 0..terrain.len() {
        if terrain[n].kind != Kind::Ridge || scenario.ground[n].level.is_some() {
            continue;
        }
        let own = terrain[n].part_of;
        let of_hill = |m: usize| own.is_some() && (Some(m as u16) == own || terrain[m].part_of == own);
        let under = |m: usize| {
            own.is_none()
                && laid
                    .as_ref()
                    .and_then(|laid| laid.get(FeatureId(m as u16)))
                    .is_some_and(|lie| terrain[n].line.iter().any(|point| sabretache_table::holds(&lie, point.v())))
        };
        let contours = (0..terrain.len()).filter(|&m| matches!(terrain[m].kind, Kind::Hill { .. }));
        let level = contours.filter(|&m| of_hill(m) || under(m)).map(|m| terrain[m].level).max().unwrap_or(0);
        terrain[n].level = level;
        features[n].level = level;
    }
}

/// Hills without a ridge of their own get the midlines of their outer contour's box (HZ-HIL-04, HZ-HIL-05).
fn add_ridges(scenario: &Scenario<Body>, terrain: &mut Vec<Terrain>, features: &mut Vec<Feature>) {
    decides!(HZ_HIL_04, HZ_HIL_05);
    let own_ridge = |hill: usize| terrain.iter().any(|one| one.kind == Kind::Ridge && one.part_of == Some(hill as u16));
    let mut ridges = Vec::new();
    for (n, one) in terrain.iter().enumerate() {
        let Kind::Hill { outer: true, .. } = one.kind else { continue };
        let has = |word: &str| scenario.ground[n].traits.iter().any(|trait_| trait_ == word);
        if has("no_ridge") || own_ridge(n) {
            continue;
        }
        let FeatureShape::Area { outer, .. } = &features[n].shape else { continue };
        let xs = || outer.iter().map(|corner| corner.x);
        let ys = || outer.iter().map(|corner| corner.y);
        let (west, east) = (xs().min().unwrap_or_default(), xs().max().unwrap_or_default());
        let (south, north) = (ys().min().unwrap_or_default(), ys().max().unwrap_or_default());
        let (x, y) = ((west + east).half(), (south + north).half());
        let across = clipped(outer, Point::new(west, y), Point::new(east, y));
        let along = clipped(outer, Point::new(x, south), Point::new(x, north));
        let single = has("single_ridge");
        let wide = east - west >= north - south;
        if !single || wide {
            ridges.extend(across.map(|line| (n, line)));
        }
        if !single || !wide {
            ridges.extend(along.map(|line| (n, line)));
        }
    }
    for (hill, (from, to)) in ridges {
        let n = terrain.len();
        let level = terrain.iter().filter(|one| one.part_of == Some(hill as u16)).map(|one| one.level).max();
        let level = level.unwrap_or(terrain[hill].level).max(terrain[hill].level);
        terrain.push(Terrain {
            kind: Kind::Ridge,
            level,
            part_of: Some(hill as u16),
            id: format!("ridge-{n}"),
            name: None,
            sector: None,
            line: vec![from, to],
        });
        features.push(Feature {
            id: FeatureId(n as u16),
            kind: FeatureKind::new("ridge"),
            name: None,
            shape: FeatureShape::Line { points: vec![from, to], width: Length::ZERO },
            level,
        });
    }
}

/// The stretch of an upright line that lies in a polygon, from its first to its last crossing.
fn clipped(outer: &[Point], from: Point, to: Point) -> Option<(Point, Point)> {
    let (a, b) = (from.v(), to.v());
    let mut shares: Vec<f64> = Vec::new();
    for (n, corner) in outer.iter().enumerate() {
        let (c, d) = (corner.v(), outer[(n + 1) % outer.len()].v());
        let (r, s) = (b - a, d - c);
        let cross = r.cross(s);
        if cross.abs() < 1e-9 {
            continue;
        }
        let (t, u) = ((c - a).cross(s) / cross, (c - a).cross(r) / cross);
        if (-1e-9..=1.0 + 1e-9).contains(&t) && (0.0..=1.0).contains(&u) {
            shares.push(t.clamp(0.0, 1.0));
        }
    }
    let first = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let last = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (last > first).then(|| (Point::rounded(a.toward(b, first)), Point::rounded(a.toward(b, last))))
}

/// Reports a point that is not on an edge of the table.
pub(super) fn on_edge(point: Point, table: &Tabletop, path: Path, report: &mut Diagnostics) -> Option<Edge> {
    let slack = Length::mm(1);
    let near = |a: Length, b: Length| (a - b).abs() <= slack;
    let edges = [
        (Edge::North, near(point.y, table.depth)),
        (Edge::East, near(point.x, table.width)),
        (Edge::South, near(point.y, Length::ZERO)),
        (Edge::West, near(point.x, Length::ZERO)),
    ];
    let edge = edges.iter().find(|(_, there)| *there).map(|(edge, _)| *edge);
    if edge.is_none() || !table.holds(point) {
        report.against(
            HZ_GEO_23,
            path,
            "the point is not on an edge of the table",
            "x or y is 0, or the table's width or depth",
        );
        return None;
    }
    edge
}

/// Where a road crosses the baseline nearest to its middle; the middle itself where none does (HZ-GEO-23, HZ-ROU-08).
pub(super) fn communication(baseline: Edge, table: &Tabletop, terrain: &[Terrain]) -> Point {
    decides!(HZ_GEO_23, HZ_ROU_08);
    let along = table.edge(baseline);
    let middle = Point::rounded(along.middle());
    let slack = 1_000.0;
    let mut best: Option<(Length, Point)> = None;
    for road in terrain.iter().filter(|one| matches!(one.kind, Kind::Road { .. })) {
        for leg in road.line.windows(2) {
            let (c, d) = (leg[0].v(), leg[1].v());
            let s = d - c;
            let r = along.b - along.a;
            let cross = r.cross(s);
            let mut crossing = None;
            if cross.abs() > 1e-9 {
                let (t, u) = ((c - along.a).cross(s) / cross, (c - along.a).cross(r) / cross);
                let reach = slack / s.length().max(1.0);
                if (0.0..=1.0).contains(&t) && (-reach..=1.0 + reach).contains(&u) {
                    crossing = Some(Point::rounded(along.a.toward(along.b, t)));
                }
            }
            let Some(point) = crossing else { continue };
            // Edges run from left to right as seen from the table; the player's own left is the other end.
            let left = |p: Point| (p.v() - along.b).length();
            let closer = best.is_none_or(|(held, at)| {
                let distance = middle.distance(point);
                distance < held || (distance == held && left(point) < left(at))
            });
            if closer {
                best = Some((middle.distance(point), point));
            }
        }
    }
    best.map_or(middle, |(_, point)| point)
}
