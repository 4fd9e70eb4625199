//! Units as their stands in the colour of their coats, with the facings along the front; officers as pennants.

use std::fmt::Write as _;

use sabretache_engine::view::{MarkerStyle, OfficerView, Setting, Symbol, UnitView, View};

use super::pen::{Pen, Spot, escaped, path};

/// Everybody on the table.
pub(crate) fn draw(pen: &Pen, view: &View, names: bool) -> String {
    let mut svg = String::new();
    for unit in view.units.iter().filter(|unit| unit.pose.is_some()) {
        svg.push_str(&shape(pen, &view.setting, unit));
    }
    let mut taken = Vec::new();
    for unit in view.units.iter().filter(|unit| unit.pose.is_some()) {
        svg.push_str(&markers(pen, unit));
        if names {
            svg.push_str(&name(pen, unit, &mut taken));
        }
    }
    for officer in &view.officers {
        svg.push_str(&pennant(pen, &view.setting, officer));
    }
    svg
}

/// Each unit on the table by its token, as it is drawn.
pub(crate) fn shapes(view: &View) -> Vec<(String, String)> {
    let pen = Pen::of(&view.setting);
    let on_table = view.units.iter().filter(|unit| unit.pose.is_some());
    on_table.map(|unit| (unit.key.clone(), shape(&pen, &view.setting, unit) + &markers(&pen, unit))).collect()
}

fn colour(setting: &Setting, unit: sabretache_engine::ids::Side) -> &str {
    setting.sides.iter().find(|side| side.side == unit).map_or("#333333", |side| side.colour.as_str())
}

fn shape(pen: &Pen, setting: &Setting, unit: &UnitView) -> String {
    let stands: Vec<Vec<Spot>> = unit.stands.iter().map(|stand| pen.spots(stand)).collect();
    let d: String = stands.iter().map(|stand| path(stand) + "Z").collect();
    let u = pen.unit;
    let side = colour(setting, unit.side);
    let mut svg = format!(
        "<path d=\"{d}\" fill=\"{0}\" stroke=\"{side}\" stroke-width=\"{1:.2}\" stroke-linejoin=\"round\"/><path d=\"{d}\" fill=\"{0}\" stroke=\"#2a2318\" stroke-width=\"{2:.2}\"/>",
        unit.coat,
        u * 0.34,
        u * 0.07
    );
    // The front of a stand runs from its first corner to its second; a strip behind it carries the facings.
    let mut stripes = String::new();
    for stand in &stands {
        let [left, right, rear, ..] = stand[..] else { continue };
        let deep = (right.0 - rear.0).hypot(right.1 - rear.1).max(0.1);
        let (bx, by) = ((rear.0 - right.0) / deep, (rear.1 - right.1) / deep);
        let band = (deep * 0.24).min(u * 0.5);
        let _ = write!(
            stripes,
            "M{:.1} {:.1}L{:.1} {:.1}l{:.2} {:.2}L{:.1} {:.1}Z",
            left.0,
            left.1,
            right.0,
            right.1,
            bx * band,
            by * band,
            left.0 + bx * band,
            left.1 + by * band
        );
    }
    let _ = write!(
        svg,
        "<path d=\"{stripes}\" fill=\"{}\" stroke=\"#2a2318\" stroke-width=\"{:.2}\"/>",
        unit.facings,
        u * 0.04
    );
    svg.push_str(&symbol(u, unit, &stands));
    svg.push('\n');
    svg
}

/// The middle of a unit, how far it reaches, and the middle of its rear.
fn middle(stands: &[Vec<Spot>]) -> Spot {
    let all: Vec<&Spot> = stands.iter().flatten().collect();
    let count = all.len().max(1) as f64;
    (all.iter().map(|spot| spot.0).sum::<f64>() / count, all.iter().map(|spot| spot.1).sum::<f64>() / count)
}

/// The symbol of the arm, upright in the unit's own direction.
fn symbol(u: f64, unit: &UnitView, stands: &[Vec<Spot>]) -> String {
    let (x, y) = middle(stands);
    let turn = unit.pose.map_or(0.0, |pose| pose.heading.to_degrees());
    let ink = if is_dark(&unit.coat) { "#f7f1e1" } else { "#1d1812" };
    let deep = stands.first().map_or(u, |stand| (stand[1].0 - stand[2].0).hypot(stand[1].1 - stand[2].1));
    let r = (deep * 0.26).clamp(u * 0.25, u * 0.75);
    let saltire = format!("M{0:.2} {0:.2}L{1:.2} {1:.2}M{0:.2} {1:.2}L{1:.2} {0:.2}", -r, r);
    let slash = format!("M{0:.2} {1:.2}L{1:.2} {0:.2}", -r, r);
    let disc = format!("<circle r=\"{:.2}\" fill=\"{ink}\" stroke=\"none\"/>", r * 0.7);
    let (d, more) = match unit.symbol {
        Symbol::Foot => (saltire, String::new()),
        Symbol::LightFoot => {
            (saltire, format!("<circle cy=\"{:.2}\" r=\"{:.2}\" fill=\"{ink}\" stroke=\"none\"/>", -r, r * 0.25))
        }
        Symbol::Horse => (slash, String::new()),
        Symbol::LightHorse => (
            slash,
            format!(
                "<circle cx=\"{0:.2}\" cy=\"{0:.2}\" r=\"{1:.2}\" fill=\"{ink}\" stroke=\"none\"/>",
                -r * 0.6,
                r * 0.25
            ),
        ),
        Symbol::HeavyHorse => {
            (slash, format!("<path d=\"M{0:.2} {1:.2}L{1:.2} {0:.2}V{1:.2}Z\" fill=\"{ink}\" stroke=\"none\"/>", -r, r))
        }
        Symbol::Dragoons => (slash + &format!("M{:.2} 0H{r:.2}", -r), String::new()),
        Symbol::HorseGuns => (format!("M{:.2} 0H{:.2}", -r * 1.2, r * 1.2), disc),
        Symbol::HeavyGuns => (String::new(), disc + &format!("<circle r=\"{r:.2}\" fill=\"none\"/>")),
        Symbol::Howitzers => (String::new(), format!("<circle r=\"{:.2}\" fill=\"none\"/>", r * 0.7)),
        Symbol::Guns => (String::new(), disc),
        Symbol::Train => (format!("M{:.2} 0H{r:.2}", -r), String::new()),
    };
    format!(
        "<g transform=\"translate({x:.1} {y:.1}) rotate({turn:.0})\" stroke=\"{ink}\" stroke-width=\"{:.2}\" fill=\"none\"><path d=\"{d}\"/>{more}</g>",
        (r * 0.2).max(0.3)
    )
}

fn is_dark(colour: &str) -> bool {
    let part = |n: usize| colour.get(n..n + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(128);
    part(1) * 30 + part(3) * 59 + part(5) * 11 < 14_000
}

/// Markers behind the unit, each with its shape and numeral.
fn markers(pen: &Pen, unit: &UnitView) -> String {
    let stands: Vec<Vec<Spot>> = unit.stands.iter().map(|stand| pen.spots(stand)).collect();
    let u = pen.unit;
    let (x, y) = middle(&stands);
    let reach = stands.iter().flatten().map(|spot| spot.1 - y).fold(0.0, f64::max);
    let mut svg = String::new();
    let from = x - (unit.markers.len() as f64 - 1.0) * u * 0.65;
    for (n, marker) in unit.markers.iter().enumerate() {
        let (x, y, r) = (from + n as f64 * u * 1.3, y + reach + u * 0.8, u * 0.55);
        let (fill, ink) = match marker.style {
            MarkerStyle::YellowDiamond => ("#d9b13a", "#1d1812"),
            MarkerStyle::RedSquare => ("#a6342b", "#f7f1e1"),
            MarkerStyle::GreyPuff => ("#b9b4a8", "#1d1812"),
            MarkerStyle::GreenRing => ("#5d8a4e", "#f7f1e1"),
            MarkerStyle::BlueFlag => ("#3a5f9e", "#f7f1e1"),
            MarkerStyle::Stone => ("#8b8579", "#f7f1e1"),
            MarkerStyle::WhiteDisc => ("#f7f1e1", "#1d1812"),
            MarkerStyle::BlackChevron => ("#1d1812", "#f7f1e1"),
        };
        let d = match marker.style {
            MarkerStyle::YellowDiamond => format!("M{x:.1} {:.1}l{r:.2} {r:.2}l-{r:.2} {r:.2}l-{r:.2} -{r:.2}z", y - r),
            MarkerStyle::RedSquare | MarkerStyle::BlueFlag | MarkerStyle::BlackChevron => {
                format!("M{:.1} {:.1}h{2:.2}v{2:.2}h-{2:.2}z", x - r * 0.85, y - r * 0.85, r * 1.7)
            }
            _ => format!(
                "M{:.1} {y:.1}a{r:.2} {r:.2} 0 1 0 {:.2} 0a{r:.2} {r:.2} 0 1 0 -{:.2} 0z",
                x - r,
                2.0 * r,
                2.0 * r
            ),
        };
        let _ = write!(svg, "<path d=\"{d}\" fill=\"{fill}\" stroke=\"#2a2318\" stroke-width=\"{:.2}\"/>", u * 0.05);
        if marker.count > 0 {
            let _ = write!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.2}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                y + r * 0.42,
                r * 1.3,
                marker.count
            );
        }
    }
    svg
}

/// The name above the unit; none where it would lie on another.
fn name(pen: &Pen, unit: &UnitView, taken: &mut Vec<(Spot, Spot)>) -> String {
    let stands: Vec<Vec<Spot>> = unit.stands.iter().map(|stand| pen.spots(stand)).collect();
    let (x, y) = middle(&stands);
    let reach = stands.iter().flatten().map(|spot| y - spot.1).fold(0.0, f64::max);
    let size = pen.unit * 1.05;
    let (half, base) = (unit.name.chars().count() as f64 * size * 0.24, y - reach - size * 0.35);
    let here = ((x - half, base - size * 0.8), (x + half, base + size * 0.1));
    let meets = |other: &(Spot, Spot)| {
        here.0.0 < other.1.0 && here.1.0 > other.0.0 && here.0.1 < other.1.1 && here.1.1 > other.0.1
    };
    if taken.iter().any(meets) || here.0.0 < 0.0 || here.1.0 > pen.width {
        return String::new();
    }
    taken.push(here);
    format!(
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size:.2}\" text-anchor=\"middle\" fill=\"#1d1812\" stroke=\"#ece4d0\" stroke-opacity=\"0.8\" stroke-width=\"{:.2}\" paint-order=\"stroke\">{}</text>\n",
        base,
        size * 0.25,
        escaped(&unit.name)
    )
}

/// A staff with a pennant, the higher the rank the larger.
fn pennant(pen: &Pen, setting: &Setting, officer: &OfficerView) -> String {
    let Some(at) = officer.at else { return String::new() };
    let (x, y) = pen.spot(at);
    let size = pen.unit * (0.7 + 0.25 * f64::from(officer.grade.min(4)));
    format!(
        "<g stroke=\"#2a2318\" stroke-width=\"{:.2}\"><path d=\"M{x:.1} {y:.1}v-{:.2}\"/><path d=\"M{x:.1} {:.1}l{:.2} {:.2}l-{:.2} {:.2}z\" fill=\"{}\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.2}\" fill=\"#f7f1e1\"/></g>\n",
        pen.unit * 0.09,
        size * 1.8,
        y - size * 1.8,
        size * 1.2,
        size * 0.4,
        size * 1.2,
        size * 0.4,
        colour(setting, officer.side),
        size * 0.22
    )
}
