//! The table as a small picture, for mail: ground and troops, no words.

use sabretache_engine::ids::Side;
use sabretache_engine::view::{GroundStyle, GroundView, View};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// How wide a picture is, and how high at the most.
const WIDTH: f32 = 640.0;
const HIGHEST: f32 = 900.0;
const PAPER: (u8, u8, u8) = (0xf3, 0xea, 0xd7);
const INK: (u8, u8, u8) = (0x3b, 0x2f, 0x20);

/// The table as a PNG; nothing where it has no size.
pub(crate) fn png(view: &View) -> Option<Vec<u8>> {
    let (width, depth) = (view.setting.width.f() as f32, view.setting.depth.f() as f32);
    let scale = (WIDTH / width).min(HIGHEST / depth);
    let (w, h) = ((width * scale).round() as u32, (depth * scale).round() as u32);
    let mut picture = Pixmap::new(w, h)?;
    picture.fill(color(PAPER));
    // North is up.
    let place = Place { scale, height: h as f32 };
    for ground in &view.setting.ground {
        draw_ground(&mut picture, ground, &place);
    }
    for unit in view.units.iter().filter(|unit| unit.pose.is_some()) {
        let side = view.setting.sides.iter().find(|side| side.side == unit.side);
        let coat = side.and_then(|side| rgb(&side.colour)).unwrap_or(own(unit.side));
        for stand in &unit.stands {
            let corners = stand.iter().map(|point| (point.x.f(), point.y.f()));
            let Some(path) = line(corners, &place, true) else { continue };
            fill(&mut picture, &path, coat);
            stroke(&mut picture, &path, INK, 1.0);
        }
    }
    let frame = Rect::from_xywh(0.5, 0.5, w as f32 - 1.0, h as f32 - 1.0)?;
    stroke(&mut picture, &PathBuilder::from_rect(frame), INK, 1.0);
    picture.encode_png().ok()
}

struct Place {
    scale: f32,
    height: f32,
}

fn draw_ground(picture: &mut Pixmap, ground: &GroundView, place: &Place) {
    let colour = shade(ground.drawn);
    for outline in &ground.rings {
        if let Some(path) = line(outline.iter().map(|point| (point.x.f(), point.y.f())), place, true) {
            fill(picture, &path, colour);
        }
    }
    if let Some(path) = line(ground.line.iter().map(|point| (point.x.f(), point.y.f())), place, false) {
        let wide = ground.width.map_or(2.0, |width| (width.f() as f32 * place.scale).max(1.5));
        stroke(picture, &path, colour, wide);
    }
}

const fn shade(drawn: GroundStyle) -> (u8, u8, u8) {
    match drawn {
        GroundStyle::Wood | GroundStyle::LightWood | GroundStyle::Hedge => (0xa9, 0xb9, 0x8a),
        GroundStyle::River | GroundStyle::Water | GroundStyle::Ford => (0x9f, 0xb9, 0xc4),
        GroundStyle::Marsh => (0xb9, 0xc4, 0xae),
        GroundStyle::Road | GroundStyle::Bridge | GroundStyle::SunkenRoad => (0xc9, 0xb4, 0x8c),
        GroundStyle::Buildings => (0xc2, 0x9b, 0x86),
        GroundStyle::Hill | GroundStyle::SteepHill | GroundStyle::Ridge => (0xe4, 0xd3, 0xaf),
        _ => (0xdd, 0xcf, 0xb2),
    }
}

fn line(points: impl Iterator<Item = (f64, f64)>, place: &Place, closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (n, (x, y)) in points.enumerate() {
        let (x, y) = (x as f32 * place.scale, place.height - y as f32 * place.scale);
        if n == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn fill(picture: &mut Pixmap, path: &Path, colour: (u8, u8, u8)) {
    picture.fill_path(path, &paint(colour), FillRule::EvenOdd, Transform::identity(), None);
}

fn stroke(picture: &mut Pixmap, path: &Path, colour: (u8, u8, u8), width: f32) {
    let stroke = Stroke { width, ..Stroke::default() };
    picture.stroke_path(path, &paint(colour), &stroke, Transform::identity(), None);
}

fn paint(colour: (u8, u8, u8)) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color(colour));
    paint
}

fn color((r, g, b): (u8, u8, u8)) -> Color {
    Color::from_rgba8(r, g, b, 255)
}

fn own(side: Side) -> (u8, u8, u8) {
    if side == Side::A { (0xa8, 0x32, 0x2a) } else { (0x2c, 0x4a, 0x7c) }
}

fn rgb(text: &str) -> Option<(u8, u8, u8)> {
    let bytes = hex::decode(text.strip_prefix('#')?).ok()?;
    let [r, g, b] = bytes.try_into().ok()?;
    Some((r, g, b))
}
