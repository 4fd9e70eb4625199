//! One order of battle, any book: army lists, and the scenarios that are written from them.
//!
//! A list tells a battle in terms that belong to no book: nations, arms, strengths, what troops had been through, guns, leaders,
//! ground. Each book has its own conversions, which `docs/armies.md` states, and what a conversion gets wrong is corrected by
//! hand in the list itself. The scenario that comes out is a file like any other.

mod batteries;
mod check;
mod correct;
mod from;
mod ground;
mod huzzah;
mod lay;
pub mod list;
mod malbrook;
mod nations;
mod text;

use sabretache_engine::scenario::{Diagnostics, Document, Path, read_shaped};
use serde_json::{Map, Value as Json, json};

pub use from::from_scenario;
pub use list::List;

/// The books that a list can be written for.
pub const BOOKS: [&str; 3] = ["huzzah", "batteries", "malbrook"];

/// The lists that come with the program, by their names.
pub const SHIPPED: [(&str, &str); 3] = [
    ("maida", include_str!("../../../armies/maida.toml")),
    ("schellenberg", include_str!("../../../armies/schellenberg.toml")),
    ("vimeiro", include_str!("../../../armies/vimeiro.toml")),
];

/// The JSON Schema of army lists, for editors.
#[must_use]
pub fn schema() -> Json {
    schemars::schema_for!(List).to_value()
}

/// Reads an army list; all that is wrong in it is told at once.
pub fn read(document: &Document) -> Result<List, Diagnostics> {
    let list: List = read_shaped(document)?;
    let mut report = check::check(&list);
    document.place(&mut report);
    report.clean()?;
    Ok(list)
}

/// The scenario of a list under a book, as a file; `name` is what the list is called.
pub fn scenario(list: &List, book: &str, name: &str, document: &Document) -> Result<String, Diagnostics> {
    let mut json = match book {
        "huzzah" => huzzah::write(list),
        "batteries" => batteries::write(list),
        "malbrook" => malbrook::write(list),
        _ => {
            let says = format!("an army list cannot be written for '{book}'; the books are {}", BOOKS.join(", "));
            return Err(Diagnostics::single(Path::root(), says));
        }
    };
    let mut report = Diagnostics::new();
    correct::correct(&mut json, list, book, &mut report);
    document.place(&mut report);
    report.clean()?;
    let head = format!(
        "# Written by `sabretache army {name} --book {book}`. Change the list, or its corrections for this book, and not this file.\n\n"
    );
    Ok(head + &text::toml(&json))
}

/// What a list gives a book's scenario beside the troops.
fn front(list: &List, book: &str, measure: &str, frame: &lay::Frame) -> Map<String, Json> {
    let own = list.books.get(book).cloned().unwrap_or_default();
    let mut file = Map::new();
    file.insert("ruleset".into(), json!(book));
    file.insert("title".into(), json!(own.title.unwrap_or_else(|| list.title.clone())));
    file.insert("date".into(), json!(list.date));
    file.insert("place".into(), json!(list.place));
    file.insert("summary".into(), json!(list.summary));
    if let Some(length) = own.length {
        file.insert("length".into(), json!(length));
    }
    file.insert("sources".into(), json!(list.sources));
    let corrected = own.corrections.iter().map(|one| format!("Corrected by hand for this book: {}", one.why));
    let notes: Vec<String> = list.notes.iter().chain(&own.notes).cloned().chain(corrected).collect();
    if !notes.is_empty() {
        file.insert("notes".into(), json!(notes));
    }
    file.insert("measure".into(), json!(measure));
    file.insert(
        "table".into(),
        json!({ "width": frame.length(list.field.width), "depth": frame.length(list.field.depth) }),
    );
    let side = |side: &list::Side| json!({ "id": side.id, "name": side.name, "colour": side.colour });
    file.insert("sides".into(), list.sides.iter().map(side).collect());
    file
}
