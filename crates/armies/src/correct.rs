//! What is corrected by hand after the conversions.

use sabretache_engine::scenario::{Diagnostics, Path};
use serde_json::Value as Json;

use crate::list::List;

/// Corrects the scenario of a book as the list asks.
pub(crate) fn correct(json: &mut Json, list: &List, book: &str, report: &mut Diagnostics) {
    let Some(own) = list.books.get(book) else { return };
    for (n, correction) in own.corrections.iter().enumerate() {
        let at = Path::root().key("books").key(book).key("corrections").item(n);
        let steps: Vec<&str> = correction.of.split('.').collect();
        let done = match (&correction.add, &correction.to) {
            (Some(_), Some(_)) => Err("a correction has `to` or `add`, not both".to_owned()),
            (Some(added), None) => find(json, &steps).and_then(|here| match here {
                Json::Array(items) => {
                    items.push(added.clone());
                    Ok(())
                }
                _ => Err(format!("`{}` is no list, so nothing can be added to it", correction.of)),
            }),
            (None, to) => put(json, &steps, to.clone()),
        };
        if let Err(why) = done {
            let help = "the scenario as the list gives it stands below `sabretache army LIST --book BOOK`";
            report.error_with_help(at.key("of"), why, help);
        }
    }
}

/// What a path leads to: keys of tables, and ids or numbers of entries.
fn find<'a>(json: &'a mut Json, steps: &[&str]) -> Result<&'a mut Json, String> {
    let Some((first, rest)) = steps.split_first() else { return Ok(json) };
    let missing = || format!("there is no `{first}` in the scenario that the list gives");
    let next = match json {
        Json::Object(map) => map.get_mut(*first).ok_or_else(missing)?,
        Json::Array(items) => {
            let n = position(items, first).ok_or_else(missing)?;
            &mut items[n]
        }
        _ => return Err(missing()),
    };
    find(next, rest)
}

fn position(items: &[Json], step: &str) -> Option<usize> {
    let id = |item: &Json| item.get("id").or_else(|| item.get("ground")).and_then(Json::as_str) == Some(step);
    items.iter().position(id).or_else(|| step.parse().ok().filter(|&n: &usize| n < items.len()))
}

fn put(json: &mut Json, steps: &[&str], to: Option<Json>) -> Result<(), String> {
    let (last, above) = steps.split_last().ok_or("`of` is empty")?;
    match (find(json, above)?, to) {
        (Json::Object(map), Some(to)) => {
            map.insert((*last).to_owned(), to);
            Ok(())
        }
        (Json::Object(map), None) => match map.shift_remove(*last) {
            Some(_) => Ok(()),
            None => Err(format!("there is no `{last}` to take away")),
        },
        (Json::Array(items), to) => {
            let n = position(items, last).ok_or_else(|| format!("there is no `{last}` in that list"))?;
            match to {
                Some(to) => items[n] = to,
                None => drop(items.remove(n)),
            }
            Ok(())
        }
        _ => Err(format!("nothing can be put at `{last}`")),
    }
}
