//! The table as a picture: a campaign map of about 1810 as SVG, drawn from a view and nothing else.
//!
//! It is plainer than the map of the page, and stands wherever there is no browser: in print, in a story, in a film.

mod ground;
mod pen;
mod troops;

use std::fmt::Write as _;

use sabretache_engine::view::View;

use pen::Pen;
pub(crate) use pen::escaped;
pub(crate) use troops::shapes;

/// What of a view is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// The units and officers.
    pub troops: bool,
    /// The names of units.
    pub names: bool,
}

/// The whole map as an SVG file.
#[must_use]
pub fn map(view: &View, drawn: Drawn) -> String {
    let pen = Pen::of(&view.setting);
    let mut svg = opened(&pen);
    svg.push_str(&ground::draw(&pen, &view.setting));
    if drawn.troops {
        svg.push_str(&troops::draw(&pen, view, drawn.names));
    }
    svg.push_str(&ground::names(&pen, &view.setting));
    svg.push_str(&frame(&pen));
    svg + "</svg>\n"
}

/// The beginning of the file: the sheet with its paper and the looks that everything has.
fn opened(pen: &Pen) -> String {
    let (width, depth) = (pen.width, pen.depth);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {depth:.1}\" font-family=\"'EB Garamond', 'Libertinus Serif', Georgia, serif\">"
    );
    let _ = writeln!(svg, "<rect width=\"{width:.1}\" height=\"{depth:.1}\" fill=\"#ece4d0\"/>");
    svg
}

/// The ground and its names alone, with the file left open: what moves is put on top.
pub(crate) fn sheet(view: &View) -> (String, String) {
    let pen = Pen::of(&view.setting);
    let below = opened(&pen) + &ground::draw(&pen, &view.setting);
    (below, ground::names(&pen, &view.setting) + &frame(&pen))
}

/// A double line about the sheet, and a north arrow.
fn frame(pen: &Pen) -> String {
    let (w, d, u) = (pen.width, pen.depth, pen.unit);
    let mut svg = format!(
        "<rect x=\"{0:.1}\" y=\"{0:.1}\" width=\"{1:.1}\" height=\"{2:.1}\" fill=\"none\" stroke=\"#4a3f2c\" stroke-width=\"{3:.2}\"/>\n",
        u * 0.3,
        w - u * 0.6,
        d - u * 0.6,
        u * 0.22
    );
    let _ = writeln!(
        svg,
        "<rect x=\"{0:.1}\" y=\"{0:.1}\" width=\"{1:.1}\" height=\"{2:.1}\" fill=\"none\" stroke=\"#4a3f2c\" stroke-width=\"{3:.2}\"/>",
        u * 0.75,
        w - u * 1.5,
        d - u * 1.5,
        u * 0.07
    );
    let (x, y) = (w - u * 3.2, u * 3.6);
    let _ = writeln!(
        svg,
        "<g stroke=\"#4a3f2c\" stroke-width=\"{0:.2}\" fill=\"#4a3f2c\"><path d=\"M{x:.1} {1:.1}V{2:.1}\"/><path d=\"M{x:.1} {1:.1}l{3:.2} {4:.2}h-{5:.2}z\"/></g>",
        u * 0.12,
        y - u * 1.2,
        y + u * 1.4,
        u * 0.45,
        u * 0.9,
        u * 0.9
    );
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" text-anchor=\"middle\" fill=\"#4a3f2c\">N</text>",
        y - u * 1.5,
        u * 1.3
    );
    svg
}
