//! Edits of a TOML text that leave everything else as it was: comments, order, the way things are written.

use sabretache_engine::scenario::{Path, Step};
use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use super::Edit;

/// The text after some edits; why not, where one cannot be made.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error| format!("not TOML: {error}"))?;
    for edit in edits {
        let (Edit::Set { path, .. } | Edit::Remove { path } | Edit::Add { path, .. }) = edit;
        let place = Path::parse(path).ok_or_else(|| format!("'{path}' is no place"))?;
        let done = match edit {
            Edit::Set { to, .. } => set(document.as_item_mut(), place.steps(), to),
            Edit::Remove { .. } => remove(document.as_item_mut(), place.steps()),
            Edit::Add { value, .. } => add(document.as_item_mut(), place.steps(), value),
        };
        done.ok_or_else(|| format!("there is no place '{path}'"))?;
    }
    Ok(document.to_string())
}

fn at<'a>(item: &'a mut Item, step: &Step) -> Option<&'a mut Item> {
    match step {
        Step::Key(key) => item.get_mut(key.as_str()),
        Step::Item(n) => item.get_mut(*n),
    }
}

fn set(item: &mut Item, steps: &[Step], to: &Json) -> Option<()> {
    let (step, rest) = steps.split_first()?;
    if let Some(inner) = at(item, step).filter(|inner| !inner.is_none()) {
        if !rest.is_empty() {
            return set(inner, rest, to);
        }
        let mut value = value_of(to)?;
        if let Some(old) = inner.as_value() {
            *value.decor_mut() = old.decor().clone();
        }
        *inner = Item::Value(value);
        return Some(());
    }
    // What holds it is made as well: `arrives` for `arrives.at`.
    let Step::Key(key) = step else { return None };
    let value = rest.iter().rev().try_fold(to.clone(), |inner, step| match step {
        Step::Key(key) => Some(serde_json::json!({ key: inner })),
        Step::Item(_) => None,
    })?;
    take_blank(item);
    item.as_table_like_mut()?.insert(key, Item::Value(value_of(&value)?));
    Some(())
}

/// The blank before the closing brace of a table in braces belongs to its last value, and goes over to the one that is last instead.
fn take_blank(item: &mut Item) -> Option<String> {
    let (_, last) = item.as_inline_table_mut()?.iter_mut().last()?;
    let blank = last.decor().suffix()?.as_str()?.to_owned();
    last.decor_mut().set_suffix("");
    Some(blank)
}

fn give_blank(item: &mut Item, blank: String) {
    if let Some((_, last)) = item.as_inline_table_mut().and_then(|table| table.iter_mut().last()) {
        last.decor_mut().set_suffix(blank);
    }
}

fn remove(item: &mut Item, steps: &[Step]) -> Option<()> {
    let (last, above) = steps.split_last()?;
    let holder = above.iter().try_fold(item, at)?;
    match last {
        Step::Key(key) => {
            let blank = take_blank(holder);
            let gone = holder.as_table_like_mut()?.remove(key).map(|_| ());
            if let Some(blank) = blank {
                give_blank(holder, blank);
            }
            gone
        }
        Step::Item(n) => match holder {
            Item::ArrayOfTables(tables) if *n < tables.len() => {
                tables.remove(*n);
                Some(())
            }
            Item::Value(Value::Array(list)) if *n < list.len() => {
                // A comment above an item says something of those that follow as well.
                let above = list.get(*n).and_then(|gone| gone.decor().prefix()?.as_str().map(str::to_owned));
                list.remove(*n);
                if let (Some(above), Some(next)) = (above.filter(|above| above.contains('#')), list.get_mut(*n)) {
                    next.decor_mut().set_prefix(above);
                }
                Some(())
            }
            _ => None,
        },
    }
}

fn add(item: &mut Item, steps: &[Step], value: &Json) -> Option<()> {
    let Some((step, rest)) = steps.split_first() else {
        return push(item, value);
    };
    if let Some(inner) = at(item, step).filter(|inner| !inner.is_none()) {
        return add(inner, rest, value);
    }
    let Step::Key(key) = step else { return None };
    // In the way of the rest of the file: `[[units]]`, or a list in brackets.
    let tables = item.as_table().is_some_and(|table| table.iter().any(|(_, item)| item.is_array_of_tables()));
    let mut made = match (rest.is_empty(), tables && value.is_object()) {
        (true, true) => Item::ArrayOfTables(ArrayOfTables::new()),
        (true, false) => Item::Value(Value::Array(Array::new())),
        (false, _) => Item::Value(Value::InlineTable(InlineTable::new())),
    };
    add(&mut made, rest, value)?;
    item.as_table_like_mut()?.insert(key, made);
    Some(())
}

fn push(list: &mut Item, value: &Json) -> Option<()> {
    match list {
        Item::ArrayOfTables(tables) => {
            let mut table = Table::new();
            for (key, value) in value.as_object()? {
                table.insert(key, Item::Value(value_of(value)?));
            }
            table.decor_mut().set_prefix("\n");
            tables.push(table);
            Some(())
        }
        Item::Value(Value::Array(items)) => {
            push_in_line(items, value_of(value)?, value.is_object());
            Some(())
        }
        _ => None,
    }
}

/// Adds to a list in brackets: on a line of its own where the others have one, or where it is a table.
fn push_in_line(items: &mut Array, mut value: Value, table: bool) {
    let first = items.get(0).and_then(|first| first.decor().prefix()?.as_str().map(str::to_owned));
    let indent = match &first {
        Some(prefix) => prefix.rfind('\n').map(|at| prefix[at + 1..].to_owned()),
        None => table.then(|| "    ".to_owned()),
    };
    match indent {
        Some(indent) => {
            // Comments behind the last item stay where they are.
            let behind = items.trailing().as_str().map(|text| text.trim_end().to_owned()).unwrap_or_default();
            value.decor_mut().set_prefix(format!("{behind}\n{indent}"));
            value.decor_mut().set_suffix("");
            items.push_formatted(value);
            items.set_trailing("\n");
            items.set_trailing_comma(true);
        }
        None => items.push(value),
    }
}

fn value_of(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(yes) => (*yes).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::Array(items.iter().map(value_of).collect::<Option<Array>>()?),
        Json::Object(map) => {
            let mut table = InlineTable::new();
            for (key, value) in map.iter().filter(|(_, value)| !value.is_null()) {
                table.insert(key, value_of(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TEXT: &str = "# A battle.\ntitle = \"Old\" # as it was called\nunits = [\n    # the left\n    { id = \"a\", at = [1, 2] },\n    { id = \"b\" },\n    # nobody on the right\n]\n\n[victory] # how\nlosses = 50\n";

    fn after(edits: &[Json]) -> String {
        let edits: Vec<Edit> = edits.iter().map(|edit| serde_json::from_value(edit.clone()).unwrap()).collect();
        edited(TEXT, &edits).unwrap()
    }

    #[test]
    fn a_value_is_changed_and_the_comments_stay() {
        let text = after(&[
            json!({ "do": "set", "path": "title", "to": "New" }),
            json!({ "do": "set", "path": "units[0].at", "to": [3.5, 2] }),
            json!({ "do": "set", "path": "units[1].facing", "to": 90 }),
        ]);
        let wanted = TEXT
            .replace("\"Old\"", "\"New\"")
            .replace("[1, 2]", "[3.5, 2]")
            .replace("{ id = \"b\" }", "{ id = \"b\", facing = 90 }");
        assert_eq!(text, wanted);
    }

    #[test]
    fn items_are_added_in_the_way_of_the_file() {
        let text = after(&[json!({ "do": "add", "path": "units", "value": { "id": "c", "at": [0, 1] } })]);
        let wanted = TEXT
            .replace("    # nobody on the right\n]", "    # nobody on the right\n    { id = \"c\", at = [0, 1] },\n]");
        assert_eq!(text, wanted);
        let text = after(&[json!({ "do": "add", "path": "victory.objectives", "value": { "name": "x" } })]);
        assert!(text.ends_with("losses = 50\nobjectives = [\n    { name = \"x\" },\n]\n"), "{text}");
        let tables = "[[units]]\nid = \"a\"\n";
        let add = Edit::Add { path: "units".into(), value: json!({ "id": "b" }) };
        assert_eq!(edited(tables, &[add]).unwrap(), "[[units]]\nid = \"a\"\n\n[[units]]\nid = \"b\"\n");
    }

    #[test]
    fn what_is_taken_away_leaves_its_comment() {
        let text = after(&[json!({ "do": "remove", "path": "units[0]" })]);
        assert_eq!(text, TEXT.replace("    { id = \"a\", at = [1, 2] },\n", ""));
        let text = after(&[json!({ "do": "remove", "path": "units[0].at" })]);
        assert!(text.contains("{ id = \"a\" }"), "{text}");
        assert!(edited(TEXT, &[Edit::Remove { path: "units[7]".into() }]).is_err());
    }
}
