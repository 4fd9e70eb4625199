//! Ground in common terms, and each book's words for it.

use serde_json::{Map, Value as Json, json};

use crate::lay::Frame;
use crate::list::{Ground, GroundKind as Kind, Hand, List};

/// A book's word for a kind of ground, with its traits. Nothing where the book takes no notice of it.
pub(crate) type Words = fn(&Ground) -> Option<(&'static str, Vec<&'static str>)>;

/// The ground of a list in the words of a book.
pub(crate) fn write(list: &List, frame: &Frame, words: Words) -> Json {
    let mut all = Vec::new();
    for piece in &list.ground {
        let Some((kind, traits)) = words(piece) else { continue };
        let mut entry = Map::new();
        entry.insert("kind".into(), json!(kind));
        entry.insert("id".into(), json!(piece.id));
        if let Some(name) = &piece.name {
            entry.insert("name".into(), json!(name));
        }
        if !piece.area.is_empty() {
            entry.insert("area".into(), json!(frame.places(&piece.area)));
        } else {
            entry.insert("line".into(), json!(frame.places(&piece.line)));
            if let Some(width) = piece.width.or(usual_width(piece.kind)) {
                entry.insert("width".into(), json!(frame.length(width)));
            }
        }
        if matches!(piece.kind, Kind::Hill | Kind::SteepHill) {
            entry.insert("level".into(), json!(piece.level.unwrap_or(1)));
        }
        if !traits.is_empty() {
            entry.insert("traits".into(), json!(traits));
        }
        all.push(Json::Object(entry));
    }
    Json::Array(all)
}

/// In paces.
fn usual_width(kind: Kind) -> Option<f64> {
    match kind {
        Kind::Road => Some(15.0),
        Kind::Stream => Some(12.0),
        Kind::River => Some(40.0),
        Kind::Ditch => Some(10.0),
        _ => None,
    }
}

/// The words of Huzzah!
pub(crate) fn huzzah(piece: &Ground) -> Option<(&'static str, Vec<&'static str>)> {
    Some(match piece.kind {
        Kind::Hill => ("hill", vec!["gentle", "no_ridge"]),
        Kind::SteepHill => ("hill", vec!["steep", "no_ridge"]),
        Kind::Wood => ("wood", vec!["heavy"]),
        Kind::OpenWood => ("wood", vec!["light"]),
        Kind::Rough => ("broken", vec![]),
        Kind::Fields => return None,
        Kind::Marsh => ("marsh", vec!["passable"]),
        Kind::Lake => ("lake", vec![]),
        Kind::Stream => ("stream", vec!["fordable"]),
        Kind::River => ("river", vec!["infantry_and_cavalry"]),
        Kind::Bridge => ("bridge", vec![]),
        Kind::Ford => ("ford", vec![]),
        Kind::Road => ("road", vec![]),
        Kind::Village => ("buildings", vec!["village"]),
        Kind::Hedge => ("hedge", vec!["low"]),
        Kind::Wall => ("wall", vec!["low"]),
        Kind::Ditch => ("ditch", vec!["shallow"]),
        Kind::Works => ("redoubt", vec![if piece.outside == Hand::Left { "front_left" } else { "front_right" }]),
    })
}

/// The words of Brigades and Batteries.
pub(crate) fn batteries(piece: &Ground) -> Option<(&'static str, Vec<&'static str>)> {
    let kind = match piece.kind {
        Kind::Hill | Kind::SteepHill => "hill",
        Kind::Wood | Kind::OpenWood => "wood",
        Kind::Rough | Kind::Marsh => "rough",
        Kind::Fields => "ploughed_field",
        Kind::Lake | Kind::River => "river",
        Kind::Stream => "stream",
        Kind::Bridge => "bridge",
        Kind::Ford => "ford",
        Kind::Road => "road",
        Kind::Village => "town_block",
        Kind::Hedge => "hedge",
        Kind::Wall => "wall",
        Kind::Ditch => "ditch",
        Kind::Works => "light_works",
    };
    Some((kind, vec![]))
}

/// The words of Malbrook.
pub(crate) fn malbrook(piece: &Ground) -> Option<(&'static str, Vec<&'static str>)> {
    Some(match piece.kind {
        Kind::Hill => ("hill", vec![]),
        Kind::SteepHill => ("hill", vec!["steep"]),
        Kind::Wood => ("wood", vec![]),
        Kind::OpenWood => ("wood", vec!["open"]),
        Kind::Rough => ("rough", vec![]),
        Kind::Fields | Kind::Bridge | Kind::Ford => return None,
        Kind::Marsh => ("marsh", vec![]),
        Kind::Lake => ("water", vec![]),
        Kind::Stream => ("stream", vec!["minor"]),
        Kind::River => ("river", vec![]),
        Kind::Road => ("road", vec![]),
        Kind::Village => ("town", vec![]),
        Kind::Hedge => ("hedge", vec![]),
        Kind::Wall => ("wall", vec![]),
        Kind::Ditch => ("ditch", vec![]),
        Kind::Works if piece.outside == Hand::Left => ("fieldworks", vec![]),
        Kind::Works => ("fieldworks", vec!["defended left"]),
    })
}
