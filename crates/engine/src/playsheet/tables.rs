//! The numbers of a book as tables.

use serde_json::{Map, Value as Json};

use super::{SheetRow, SheetTable};
use crate::clause::{Book, Clause};

/// A table for each clause that has numbers, in the order of the book; none for what stands among the modifiers already.
pub(super) fn tables(book: &Book, numbers: &Json, shown: &dyn Fn(&str) -> bool) -> Vec<SheetTable> {
    let mut found: Vec<(Option<usize>, SheetTable)> = Vec::new();
    for (clause, value) in numbers.as_object().into_iter().flatten() {
        let (Some(id), false) = (Clause::parse(clause), shown(clause)) else { continue };
        let text = book.find(id);
        if text.is_some_and(|text| text.option.is_some()) {
            continue;
        }
        let place = book.clauses.iter().position(|text| text.id == id);
        let (columns, rows) = laid_out(value);
        found.push((place, SheetTable { title: book.title_of(id), clause: clause.clone(), columns, rows }));
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, table)| table).collect()
}

/// Columns and rows: a row for each group where groups have the same parts, otherwise a row for each number.
fn laid_out(value: &Json) -> (Vec<String>, Vec<SheetRow>) {
    let groups: Option<Vec<(&String, &Map<String, Json>)>> = value
        .as_object()
        .map(|map| map.iter().filter_map(|(key, part)| Some((key, part.as_object()?))).collect())
        .filter(|groups: &Vec<_>| groups.len() > 1 && value.as_object().is_some_and(|map| map.len() == groups.len()));
    let flat = |map: &Map<String, Json>| map.values().all(|part| !part.is_object());
    if let Some(groups) = groups.filter(|groups| groups.iter().all(|(_, group)| flat(group))) {
        let mut columns: Vec<&String> = Vec::new();
        for key in groups.iter().flat_map(|(_, group)| group.keys()) {
            if !columns.contains(&key) {
                columns.push(key);
            }
        }
        let row = |(name, group): &(&String, &Map<String, Json>)| SheetRow {
            name: words(name),
            cells: columns.iter().map(|key| group.get(*key).map_or(String::new(), told)).collect(),
        };
        return (columns.iter().map(|key| words(key)).collect(), groups.iter().map(row).collect());
    }
    let mut rows = Vec::new();
    leaves(value, &mut Vec::new(), &mut rows);
    (Vec::new(), rows)
}

fn leaves(value: &Json, above: &mut Vec<String>, rows: &mut Vec<SheetRow>) {
    match value {
        Json::Object(map) => {
            for (key, part) in map {
                above.push(words(key));
                leaves(part, above, rows);
                above.pop();
            }
        }
        other => rows.push(SheetRow { name: above.join(", "), cells: vec![told(other)] }),
    }
}

fn words(key: &str) -> String {
    key.replace(['_', '-'], " ")
}

fn told(value: &Json) -> String {
    match value {
        Json::Null => "–".to_owned(),
        Json::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(told).collect::<Vec<_>>().join(" / "),
        Json::Object(map) => {
            map.iter().map(|(key, part)| format!("{} {}", words(key), told(part))).collect::<Vec<_>>().join(", ")
        }
        number => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn groups_with_the_same_parts_become_columns_and_everything_else_rows() {
        let (columns, rows) = laid_out(
            &json!({ "musket_close": { "range": "2in", "hard": null }, "rifle": { "range": "4in", "hard": 9 } }),
        );
        assert_eq!(columns, ["range", "hard"]);
        assert_eq!(rows[0], SheetRow { name: "musket close".into(), cells: vec!["2in".into(), "–".into()] });
        let (columns, rows) = laid_out(&json!({ "column": "8in", "guns": { "light": 6, "heavy": 4 } }));
        assert!(columns.is_empty());
        assert_eq!(rows[2], SheetRow { name: "guns, heavy".into(), cells: vec!["4".into()] });
        let (_, rows) = laid_out(&json!(2));
        assert_eq!(rows, [SheetRow { name: String::new(), cells: vec!["2".into()] }]);
    }
}
