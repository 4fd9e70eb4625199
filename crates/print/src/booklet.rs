//! A battle to be fought with figures on a real table: the map, a sheet a side with boxes to mark, arrivals, what wins, notes.

use sabretache_engine::view::{UnitView, View};
use sabretache_story::{Drawn, Terms, map};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, to_value};

use crate::roster::{Group, MarkWord, is_whole, roster};
use crate::{Design, Paper};

/// What the units of a book are marked with, as its turn says it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Marks {
    marks: Vec<MarkWord>,
}

impl Marks {
    /// From the turn of a book; no boxes where it says nothing of them.
    #[must_use]
    pub fn of(turn: &Json) -> Self {
        serde_json::from_value(serde_json::json!({ "marks": turn["marks"] })).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Booklet<'a> {
    title: &'a str,
    under: String,
    book: &'a str,
    summary: Option<&'a str>,
    sides: Vec<Army<'a>>,
    turns: Option<u64>,
    /// The depth of the table by its width.
    ratio: f64,
    victory: &'a [String],
    arrivals: Vec<Arrival<'a>>,
    rules: &'a [String],
    notes: &'a [String],
    sources: &'a [String],
}

#[derive(Serialize)]
struct Army<'a> {
    name: &'a str,
    colour: &'a str,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Arrival<'a> {
    side: &'a str,
    who: &'a str,
    when: &'a str,
}

/// The booklet of a battle under the book of that title.
#[must_use]
pub fn booklet(view: &View, terms: &Terms, book: &str, marks: &Marks) -> Paper {
    let setting = &view.setting;
    let place: Vec<&str> = [&setting.date, &setting.place].into_iter().flatten().map(String::as_str).collect();
    let named = |side| setting.sides.iter().find(|one| one.side == side).map_or("", |one| one.name.as_str());
    let awaited = |unit: &&UnitView| unit.absent.is_some() && is_whole(unit);
    let arrivals = view.units.iter().filter(awaited).map(|unit| Arrival {
        side: named(unit.side),
        who: &unit.name,
        when: terms.arrivals.get(&unit.key).map(String::as_str).or(unit.absent.as_deref()).unwrap_or_default(),
    });
    let sides = setting.sides.iter().map(|side| Army {
        name: &side.name,
        colour: &side.colour,
        groups: roster(view, side.side, &marks.marks),
    });
    let data = Booklet {
        title: &setting.title,
        under: place.join(" · "),
        book,
        summary: setting.summary.as_deref(),
        sides: sides.collect(),
        turns: terms.turns,
        ratio: setting.depth.f() / setting.width.f().max(1.0),
        victory: &terms.victory,
        arrivals: arrivals.collect(),
        rules: &terms.rules,
        notes: &terms.notes,
        sources: &terms.sources,
    };
    Paper {
        design: Design::Booklet,
        data: to_value(&data).unwrap_or_default(),
        pictures: vec![("map.svg".to_owned(), map(view, Drawn { troops: true, names: true }))],
    }
}
