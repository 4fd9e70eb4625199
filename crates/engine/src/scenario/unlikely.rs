//! What no rule forbids and a maker of scenarios hardly means: troops in the water or over the edge, a road through a river, a
//! brigade that its officer does not reach. Read off the table as it is drawn, so that it holds for every book.

use sabretache_table::{Length, Point};
use serde_json::Value as Json;

use super::diagnostics::{Diagnostics, Path};
use crate::view::{GroundStyle, GroundView, UnitView, View};

/// A bridge or ford that lies so near a crossing is meant for it.
const NEAR_CROSSING: f64 = 40_000.0;
/// A corner may be so far over the edge before it is told.
const OVER: f64 = 500.0;

/// Warns of all that is unlikely on a table where nothing has happened yet.
pub(super) fn warn(view: &View, document: &Json, report: &mut Diagnostics) {
    colours(document, report);
    let fought = document.get("state").and_then(|state| state.get("turn")).and_then(Json::as_u64).unwrap_or(0) > 1;
    if fought {
        return;
    }
    let place = |list: &str, id: &str| {
        let items = document.get(list)?.as_array()?;
        let n = items.iter().position(|item| item.get("id").and_then(Json::as_str) == Some(id))?;
        Some(Path::root().key(list).item(n))
    };
    for unit in view.units.iter().filter(|unit| unit.pose.is_some()) {
        let Some(at) = place("units", &unit.key) else { continue };
        over_the_edge(view, unit, &at, report);
        in_water(view, unit, &at, report);
    }
    roads(view, report);
    for officer in &view.officers {
        let (Some(here), Some(radius), Some(command)) = (officer.at, officer.radius, officer.command) else { continue };
        for unit in view.units.iter().filter(|unit| unit.command == Some(command)) {
            let nearest = corners(unit).map(|corner| apart(corner, here)).fold(f64::INFINITY, f64::min);
            let (beyond, Some(at)) = (nearest - radius.f(), place("units", &unit.key)) else { continue };
            if nearest.is_finite() && beyond > 1_000.0 {
                let by = view.setting.measure.tell(beyond);
                let says = format!("\"{}\" stands {by} out of the reach of {}", unit.name, officer.name);
                report.unusual(None, at.key("at"), says);
            }
        }
    }
}

/// A colour that a browser does not know is drawn black.
fn colours(document: &Json, report: &mut Diagnostics) {
    for (list, keys) in [("sides", &["colour"][..]), ("units", &["coat", "facings"][..])] {
        let items = document.get(list).and_then(Json::as_array).into_iter().flatten();
        for (n, item) in items.enumerate() {
            for key in keys {
                let Some(told) = item.get(*key).and_then(Json::as_str) else { continue };
                let digits = told.strip_prefix('#').filter(|digits| matches!(digits.len(), 3 | 6));
                if !digits.is_some_and(|digits| digits.chars().all(|one| one.is_ascii_hexdigit())) {
                    let at = Path::root().key(list).item(n).key(*key);
                    report.unusual(None, at, format!("\"{told}\" is no colour: write it as `#b5382f`"));
                }
            }
        }
    }
}

fn corners(unit: &UnitView) -> impl Iterator<Item = Point> {
    unit.stands.iter().flatten().copied()
}

fn over_the_edge(view: &View, unit: &UnitView, at: &Path, report: &mut Diagnostics) {
    let out = |value: f64, most: Length| (-value).max(value - most.f());
    let over = |corner: Point| out(corner.v().x, view.setting.width).max(out(corner.v().y, view.setting.depth));
    let most = corners(unit).map(over).fold(0.0, f64::max);
    if most > OVER {
        let says = format!("\"{}\" hangs {} over the edge of the table", unit.name, view.setting.measure.tell(most));
        report.unusual(None, at.clone().key("at"), says);
    }
}

fn in_water(view: &View, unit: &UnitView, at: &Path, report: &mut Diagnostics) {
    let Some(pose) = unit.pose else { return };
    let spots: Vec<Point> = corners(unit).chain([pose.at]).collect();
    let crossed = |spot: Point| crossings(view).any(|crossing| lies_in(crossing, spot, NEAR_CROSSING));
    let wet = |piece: &&GroundView| spots.iter().any(|&spot| lies_in(piece, spot, 0.0) && !crossed(spot));
    if let Some(piece) = water(view).find(wet) {
        let what = piece.name.clone().unwrap_or_else(|| format!("the {}", piece.kind));
        report.unusual(None, at.clone().key("at"), format!("\"{}\" stands in the water: {what}", unit.name));
    }
}

fn water(view: &View) -> impl Iterator<Item = &GroundView> {
    view.setting.ground.iter().filter(|piece| matches!(piece.drawn, GroundStyle::River | GroundStyle::Water))
}

fn crossings(view: &View) -> impl Iterator<Item = &GroundView> {
    view.setting.ground.iter().filter(|piece| matches!(piece.drawn, GroundStyle::Bridge | GroundStyle::Ford))
}

/// A road that runs through water where there is neither bridge nor ford.
fn roads(view: &View, report: &mut Diagnostics) {
    let roads = view.setting.ground.iter().filter(|piece| piece.drawn == GroundStyle::Road);
    for road in roads {
        for piece in water(view) {
            let crossed = legs(road).flat_map(|leg| legs(piece).filter_map(move |bank| meeting(leg, bank)));
            let bare = |spot: &Point| !crossings(view).any(|crossing| lies_in(crossing, *spot, NEAR_CROSSING));
            let mut crossed = crossed.filter(bare);
            if let Some(spot) = crossed.next() {
                let measure = view.setting.measure;
                let what = piece.name.clone().unwrap_or_else(|| format!("the {}", piece.kind));
                let (x, y) = (measure.tell(spot.v().x), measure.tell(spot.v().y));
                let says = format!("the road meets {what} at {x}, {y}, and there is no bridge and no ford");
                report.unusual(None, Path::root().key("ground").item(road.id.index()), says);
            }
        }
    }
}

/// The straight pieces of a line, or of the edge of an area.
fn legs(piece: &GroundView) -> impl Iterator<Item = (Point, Point)> {
    let line = piece.line.windows(2).map(|pair| (pair[0], pair[1]));
    let rings = piece.rings.iter().flat_map(|ring| {
        let next = ring.iter().skip(1).chain(ring.first());
        ring.iter().copied().zip(next.copied())
    });
    line.chain(rings)
}

fn apart(a: Point, b: Point) -> f64 {
    (a.v() - b.v()).length()
}

/// Where two straight pieces cross.
fn meeting((a, b): (Point, Point), (c, d): (Point, Point)) -> Option<Point> {
    let (along, other) = (b.v() - a.v(), d.v() - c.v());
    let across = along.cross(other);
    if across == 0.0 {
        return None;
    }
    let from = c.v() - a.v();
    let (s, t) = (from.cross(other) / across, from.cross(along) / across);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then(|| Point::rounded(a.v().toward(b.v(), s)))
}

/// Whether a spot lies in a piece of ground, or so near to it.
fn lies_in(piece: &GroundView, spot: Point, near: f64) -> bool {
    let half = piece.width.map_or(0.0, |width| width.f() / 2.0);
    let close = |(a, b): (Point, Point)| (spot.v() - spot.v().nearest_on(a.v(), b.v())).length() <= half + near;
    let on_line = (half > 0.0 || near > 0.0) && legs(piece).any(close);
    let inside = piece.rings.iter().filter(|ring| winds_round(ring, spot)).count() % 2 == 1;
    on_line || inside
}

/// Whether a ring has a spot within it.
fn winds_round(ring: &[Point], spot: Point) -> bool {
    let next = ring.iter().skip(1).chain(ring.first());
    let crossed = ring.iter().zip(next).filter(|(a, b)| {
        let (a, b, p) = (a.v(), b.v(), spot.v());
        (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x
    });
    crossed.count() % 2 == 1
}
