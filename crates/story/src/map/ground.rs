//! The ground, from the bottom up, and its names.

use std::fmt::Write as _;

use sabretache_engine::view::{GroundStyle as Style, GroundView, Setting};

use super::pen::{Hand, Pen, Spot, along, bounds, escaped, path, rounded, scatter, winding};

/// From the bottom up.
const ORDER: [Style; 23] = [
    Style::Hill,
    Style::SteepHill,
    Style::Ridge,
    Style::Field,
    Style::Rough,
    Style::Marsh,
    Style::Water,
    Style::River,
    Style::Ford,
    Style::LightWood,
    Style::Wood,
    Style::Other,
    Style::Ditch,
    Style::SunkenRoad,
    Style::Road,
    Style::Bridge,
    Style::Buildings,
    Style::Hedge,
    Style::Wall,
    Style::Abatis,
    Style::Works,
    Style::Rampart,
    Style::Breach,
];

/// How far from a corner its rounding may begin, in units of the sheet.
const REACH: f64 = 2.5;

/// All pieces.
pub(crate) fn draw(pen: &Pen, setting: &Setting) -> String {
    let mut pieces: Vec<&GroundView> = setting.ground.iter().collect();
    pieces.sort_by_key(|piece| (ORDER.iter().position(|style| *style == piece.drawn), piece.level));
    let mut svg = String::new();
    // Roads meet without seams because all edges are laid before all surfaces.
    let roads: Vec<&&GroundView> = pieces.iter().filter(|piece| piece.drawn == Style::Road).collect();
    for piece in &pieces {
        if piece.drawn == Style::Road {
            continue;
        }
        if piece.drawn == Style::Bridge || piece.drawn == Style::Buildings {
            continue;
        }
        svg.push_str(&one(pen, piece));
    }
    for (colour, wider) in [("#8a7a58", 1.0), ("#f3ecd8", 0.0)] {
        for road in &roads {
            let wide = road.width.map_or(pen.unit * 0.7, |width| width.f() / 1000.0).min(pen.unit * 0.9);
            let d = winding(&pen.spots(&road.line), pen.unit * REACH);
            let _ = writeln!(
                svg,
                "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.2}\"/>",
                wide + wider * pen.unit * 0.18
            );
        }
    }
    for piece in pieces.iter().filter(|piece| matches!(piece.drawn, Style::Bridge | Style::Buildings)) {
        svg.push_str(&one(pen, piece));
    }
    svg
}

fn one(pen: &Pen, piece: &GroundView) -> String {
    let mut hand = Hand::new(&format!("{:?}{:?}", piece.id, piece.name));
    let rings: Vec<Vec<Spot>> = piece.rings.iter().map(|ring| pen.spots(ring)).collect();
    let line = pen.spots(&piece.line);
    let wide = piece.width.map_or(pen.unit, |width| width.f() / 1000.0);
    let u = pen.unit;
    match piece.drawn {
        Style::Hill | Style::SteepHill if !rings.is_empty() => {
            hill(pen, &rings, piece.level, piece.drawn == Style::SteepHill)
        }
        Style::Ridge | Style::Ditch | Style::SunkenRoad if rings.is_empty() => {
            stroke(&winding(&line, u * REACH), "#7c6a48", u * 0.25, "")
        }
        Style::Wood | Style::LightWood => wood(u, &rings, piece.drawn == Style::LightWood, &mut hand),
        Style::Field => {
            let d = pen.rings(&piece.rings);
            format!(
                "<path d=\"{d}\" fill=\"#dfd3ab\" stroke=\"#b7a678\" stroke-width=\"{:.2}\" stroke-dasharray=\"{:.1}\"/>\n",
                u * 0.1,
                u * 0.5
            )
        }
        Style::Rough => tufts(u, &rings, &mut hand, "#d9cba6", |x, y, r| {
            format!("M{:.1} {:.1}q{:.1} {:.1} {:.1} 0", x - r, y, r, -r * 1.1, r * 2.0)
        }),
        Style::Marsh => tufts(u, &rings, &mut hand, "#cfd2b6", |x, y, r| {
            format!(
                "M{:.1} {y:.1}h{:.1}M{x:.1} {y:.1}v{:.1}M{:.1} {y:.1}l{:.1} {:.1}",
                x - r,
                r * 2.0,
                -r,
                x - r * 0.5,
                -r * 0.3,
                -r * 0.8
            )
        }),
        Style::River | Style::Water if rings.is_empty() => {
            stroke(&winding(&line, u * REACH), "#7f97a0", wide + u * 0.16, "")
                + &stroke(&winding(&line, u * REACH), "#a9bfc4", wide, "")
        }
        Style::River | Style::Water => {
            let d: String = rings.iter().map(|ring| path(ring) + "Z").collect();
            format!("<path d=\"{d}\" fill=\"#a9bfc4\" stroke=\"#7f97a0\" stroke-width=\"{:.2}\"/>\n", u * 0.16)
        }
        Style::Ford | Style::Bridge if rings.is_empty() => {
            stroke(&path(&line), "#4a3f2c", u * 1.1, "") + &stroke(&path(&line), "#efe6cd", u * 0.8, "")
        }
        Style::Ford => format!("<path d=\"{}\" fill=\"#d6d6bf\" fill-opacity=\"0.75\"/>\n", pen.rings(&piece.rings)),
        Style::Bridge => {
            format!(
                "<path d=\"{}\" fill=\"#efe6cd\" stroke=\"#4a3f2c\" stroke-width=\"{:.2}\"/>\n",
                pen.rings(&piece.rings),
                u * 0.14
            )
        }
        Style::Buildings => village(u, &rings, &mut hand),
        Style::Hedge => stroke(&path(&line), "#5d7350", u * 0.4, &format!("0 {:.2}", u * 0.6)),
        Style::Abatis => stroke(&path(&line), "#6d5a3a", u * 0.6, &format!("{:.2} {:.2}", u * 0.2, u * 0.35)),
        Style::Wall => stroke(&path(&line), "#4a3f2c", u * 0.35, "") + &stroke(&path(&line), "#d8ccb0", u * 0.15, ""),
        Style::Works | Style::Rampart if rings.is_empty() => {
            stroke(&path(&line), "#6d5a3a", u * 0.6, "")
                + &stroke(&path(&line), "#cdbb8c", u * 0.32, "")
                + &teeth(u, &line)
        }
        _ if !rings.is_empty() => {
            let d = pen.rings(&piece.rings);
            format!(
                "<path d=\"{d}\" fill=\"#cdbf9d\" fill-opacity=\"0.6\" stroke=\"#6d5a3a\" stroke-width=\"{:.2}\"/>\n",
                u * 0.14
            )
        }
        _ => stroke(&path(&line), "#6d5a3a", u * 0.3, ""),
    }
}

fn stroke(d: &str, colour: &str, width: f64, dashes: &str) -> String {
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    format!(
        "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.2}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{dashes}/>\n"
    )
}

/// A tint a level, and short strokes down the slope.
fn hill(pen: &Pen, rings: &[Vec<Spot>], level: i8, steep: bool) -> String {
    let tint = match level {
        ..=1 => "#e0d3b1",
        2 => "#d4c397",
        _ => "#c8b480",
    };
    let u = pen.unit;
    let d: String = rings.iter().map(|ring| rounded(ring, u * REACH)).collect();
    let svg = format!("<path d=\"{d}\" fill=\"{tint}\" fill-rule=\"evenodd\"/>\n");
    let mut strokes = String::new();
    for ring in rings.iter().take(1) {
        let count = ring.len() as f64;
        let middle = (ring.iter().map(|s| s.0).sum::<f64>() / count, ring.iter().map(|s| s.1).sum::<f64>() / count);
        for (n, (x, y)) in along(ring, u * REACH, u * 0.55).into_iter().enumerate() {
            let off = (middle.0 - x).hypot(middle.1 - y).max(1.0);
            let size = u * if steep { 1.1 } else { 0.65 } * if n % 2 == 0 { 1.0 } else { 0.7 };
            let (dx, dy) = ((middle.0 - x) / off * size, (middle.1 - y) / off * size);
            let _ = write!(strokes, "M{x:.1} {y:.1}l{dx:.1} {dy:.1}");
        }
    }
    let (colour, width) = if steep { ("#8d7a52", 0.13) } else { ("#a7956c", 0.09) };
    svg + &stroke(&strokes, colour, u * width, "")
}

/// Crowns in two greens on a floor.
fn wood(u: f64, rings: &[Vec<Spot>], light: bool, hand: &mut Hand) -> String {
    let floor: String = rings.iter().map(|ring| rounded(ring, u * REACH)).collect();
    let mut svg =
        format!("<path d=\"{floor}\" fill=\"{}\" fill-rule=\"evenodd\"/>\n", if light { "#d5d2ac" } else { "#b3ba8d" });
    let (spacing, size) = if light { (1.9, 0.5) } else { (1.25, 0.68) };
    let (mut fair, mut deep, mut shade) = (String::new(), String::new(), String::new());
    for (x, y) in scatter(rings, spacing * u, hand) {
        let r = size * u * hand.between(0.75, 1.1);
        let crown =
            format!("M{:.1} {y:.1}a{r:.1} {r:.1} 0 1 0 {:.1} 0a{r:.1} {r:.1} 0 1 0 {:.1} 0", x - r, 2.0 * r, -2.0 * r);
        if hand.next() < 0.5 {
            fair.push_str(&crown)
        } else {
            deep.push_str(&crown)
        }
        let _ = write!(
            shade,
            "M{:.1} {:.1}q{:.1} {:.1} {:.1} {:.1}",
            x + r * 0.8,
            y - r * 0.1,
            r * 0.1,
            r * 0.8,
            -r,
            r * 0.85
        );
    }
    for (d, colour) in [(fair, "#8f9c6b"), (deep, "#76875a")] {
        let _ =
            writeln!(svg, "<path d=\"{d}\" fill=\"{colour}\" stroke=\"#5b6a45\" stroke-width=\"{:.2}\"/>", u * 0.05);
    }
    svg + &stroke(&shade, "#4c5a3a", u * 0.09, "")
}

fn tufts(u: f64, rings: &[Vec<Spot>], hand: &mut Hand, floor: &str, mark: impl Fn(f64, f64, f64) -> String) -> String {
    let d: String = rings.iter().map(|ring| rounded(ring, u * REACH)).collect();
    let marks: String = scatter(rings, u * 1.5, hand).into_iter().map(|(x, y)| mark(x, y, u * 0.35)).collect();
    format!("<path d=\"{d}\" fill=\"{floor}\" fill-opacity=\"0.8\"/>\n") + &stroke(&marks, "#75714e", u * 0.08, "")
}

/// Dark-red blocks in a grey sector.
fn village(u: f64, rings: &[Vec<Spot>], hand: &mut Hand) -> String {
    let d: String = rings.iter().map(|ring| path(ring) + "Z").collect();
    let mut svg = format!("<path d=\"{d}\" fill=\"#cfc6b2\" stroke=\"#7c6f58\" stroke-width=\"{:.2}\"/>\n", u * 0.1);
    let Some(outer) = rings.first() else { return svg };
    let (least, most) = bounds(outer);
    let size = u.min((most.0 - least.0) / 4.0).min((most.1 - least.1) / 4.0).max(0.5);
    let mut houses = String::new();
    for (x, y) in scatter(rings, size * 1.9, hand) {
        let (w, h) = (size * hand.between(0.7, 1.2), size * hand.between(0.6, 1.0));
        let _ = write!(houses, "M{:.1} {:.1}h{w:.1}v{h:.1}h{:.1}z", x - w / 2.0, y - h / 2.0, -w);
    }
    let _ =
        writeln!(svg, "<path d=\"{houses}\" fill=\"#8e3b32\" stroke=\"#5c2720\" stroke-width=\"{:.2}\"/>", u * 0.06);
    svg
}

/// Little teeth along works.
fn teeth(u: f64, line: &[Spot]) -> String {
    let mut d = String::new();
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let long = (b.0 - a.0).hypot(b.1 - a.1).max(0.1);
        let (dx, dy) = ((b.0 - a.0) / long, (b.1 - a.1) / long);
        let mut at = u * 0.5;
        while at < long {
            let _ = write!(d, "M{:.1} {:.1}l{:.1} {:.1}", a.0 + dx * at, a.1 + dy * at, dy * u * 0.6, -dx * u * 0.6);
            at += u;
        }
    }
    stroke(&d, "#6d5a3a", u * 0.14, "")
}

/// Names in small capitals, italic for water, each with a pale edge so that it is read on any ground.
pub(crate) fn names(pen: &Pen, setting: &Setting) -> String {
    let mut svg = String::new();
    let mut taken: Vec<(Spot, Spot)> = Vec::new();
    for piece in &setting.ground {
        let Some(name) = &piece.name else { continue };
        let size = pen.unit * if piece.drawn == Style::Buildings { 1.7 } else { 1.5 };
        let water = matches!(piece.drawn, Style::River | Style::Water | Style::Marsh | Style::Ford);
        let half = name.chars().count() as f64 * size * if water { 0.22 } else { 0.33 };
        let middle = match (piece.rings.first(), piece.line.len()) {
            (Some(ring), _) => {
                let (least, most) = bounds(&pen.spots(ring));
                let y = if piece.drawn == Style::Buildings {
                    least.1 - size * 0.4
                } else {
                    (least.1 + most.1) / 2.0 + size * 0.3
                };
                ((least.0 + most.0) / 2.0, y)
            }
            (None, 0) => continue,
            (None, n) => {
                let (x, y) = pen.spot(piece.line[n / 2]);
                (x, y - size * 0.6)
            }
        };
        let x = middle.0.clamp(half + pen.unit, (pen.width - half - pen.unit).max(half + pen.unit));
        let mut y = middle.1.clamp(size * 1.4, pen.depth - size);
        let meets = |y: f64, taken: &[(Spot, Spot)]| {
            taken
                .iter()
                .any(|(least, most)| x - half < most.0 && x + half > least.0 && y - size < most.1 && y > least.1)
        };
        for _ in 0..6 {
            if meets(y, &taken) {
                y += size * 1.1;
            }
        }
        taken.push(((x - half, y - size), (x + half, y)));
        let text = if water { escaped(name) } else { escaped(&name.to_uppercase()) };
        let (style, colour, size) =
            if water { (" font-style=\"italic\"", "#4d6870", size) } else { ("", "#3f3524", size * 0.82) };
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.2}\" text-anchor=\"middle\" letter-spacing=\"{:.2}\" fill=\"{colour}\"{style} stroke=\"#ece4d0\" stroke-opacity=\"0.85\" stroke-width=\"{:.2}\" paint-order=\"stroke\">{text}</text>",
            size * if water { 0.02 } else { 0.09 },
            size * 0.22
        );
    }
    svg
}
