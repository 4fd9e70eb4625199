//! Hedges with gaps: what is left of them is laid as hedges of their own (HZ-HED-08).

use sabretache_table::{Feature, FeatureId, FeatureShape, Length, Point};

use crate::state::Gap;
use crate::terrain::{Kind, Terrain};

/// Takes the gaps out of the hedges. The first piece that is left keeps the hedge's number; further ones follow at the end of the list.
pub(super) fn cut(terrain: &mut Vec<Terrain>, features: &mut Vec<Feature>, gaps: &[Gap]) {
    let mut hedges: Vec<u16> = gaps.iter().map(|gap| gap.hedge).collect();
    hedges.sort_unstable();
    hedges.dedup();
    for hedge in hedges {
        let n = usize::from(hedge);
        let Some(whole) = terrain.get(n).filter(|one| matches!(one.kind, Kind::Hedge { .. })).cloned() else {
            continue;
        };
        let FeatureShape::Line { width, .. } = features[n].shape else { continue };
        let shot: Vec<(f64, f64)> = gaps
            .iter()
            .filter(|gap| gap.hedge == hedge)
            .map(|gap| {
                let (a, b) = (along(&whole.line, gap.from), along(&whole.line, gap.to));
                (a.min(b), a.max(b))
            })
            .collect();
        let left = pieces(&whole.line, &shot);
        if left.is_empty() {
            terrain[n].kind = Kind::Open;
        }
        for (i, points) in left.into_iter().enumerate() {
            let place = if i == 0 { n } else { terrain.len() };
            let piece = Terrain {
                id: if i == 0 { whole.id.clone() } else { format!("{}-{}", whole.id, i + 1) },
                part_of: if i == 0 { whole.part_of } else { Some(hedge) },
                line: points.clone(),
                ..whole.clone()
            };
            let feature = Feature {
                id: FeatureId(place as u16),
                shape: FeatureShape::Line { points, width },
                ..features[n].clone()
            };
            if i == 0 {
                terrain[n] = piece;
                features[n] = feature;
            } else {
                terrain.push(piece);
                features.push(feature);
            }
        }
    }
}

/// How far along a line the place of it nearest to a point is.
fn along(line: &[Point], point: Point) -> f64 {
    let mut gone = 0.0;
    let mut best = (f64::INFINITY, 0.0);
    for leg in line.windows(2) {
        let (a, b) = (leg[0].v(), leg[1].v());
        let on = point.v().nearest_on(a, b);
        let off = (on - point.v()).length();
        if off < best.0 {
            best = (off, gone + (on - a).length());
        }
        gone += (b - a).length();
    }
    best.1
}

/// The stretches of a line that are left; crumbs below a millimetre are not.
fn pieces(line: &[Point], shot: &[(f64, f64)]) -> Vec<Vec<Point>> {
    let crumb = Length::mm(1).f();
    let whole: f64 = line.windows(2).map(|leg| (leg[1].v() - leg[0].v()).length()).sum();
    let mut shot = shot.to_vec();
    shot.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut left: Vec<(f64, f64)> = Vec::new();
    let mut from = 0.0;
    for (a, b) in shot {
        if a - from >= crumb {
            left.push((from, a));
        }
        from = b.max(from);
    }
    if whole - from >= crumb {
        left.push((from, whole));
    }
    left.into_iter().map(|(from, to)| stretch(line, from, to)).collect()
}

/// The points of a line between two distances along it.
fn stretch(line: &[Point], from: f64, to: f64) -> Vec<Point> {
    let mut points = Vec::new();
    let mut gone = 0.0;
    for leg in line.windows(2) {
        let (a, b) = (leg[0].v(), leg[1].v());
        let length = (b - a).length();
        let at = |distance: f64| Point::rounded(a.toward(b, ((distance - gone) / length.max(1e-9)).clamp(0.0, 1.0)));
        if from < gone + length && to > gone {
            if points.is_empty() {
                points.push(at(from));
            }
            points.push(at(to.min(gone + length)));
        }
        gone += length;
    }
    points.dedup();
    points
}
