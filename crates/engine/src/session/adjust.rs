//! Setting something by hand: the battle as a scenario, one value changed, laid out again.

use serde_json::Value as Json;

use crate::ruleset::Ruleset;
use crate::scenario::{Diagnostics, Path, Scenario};
use crate::session::muster;

/// The battle with one value changed, and what that value was.
///
/// The path has dots between its steps; an item of a list is named by its `id` or its number: `units.fr-1.staggers`.
/// Whatever a scenario can say can be set, and the result is checked as a scenario is.
pub(super) fn adjusted<R: Ruleset>(
    battle: &R::Battle,
    path: &str,
    to: &Json,
) -> Result<(R::Battle, Json), Diagnostics> {
    let mut json = R::save(battle).to_json();
    let from = set(&mut json, path, to.clone())?;
    let scenario = Scenario::<R::Body>::read(&json)?;
    Ok((muster::<R>(&scenario)?, from))
}

/// Sets the value at a path; gives back what was there. Setting null takes a key away; tables that are not there yet are
/// made on the way (whether they make sense is for the schema to say).
pub(crate) fn set(json: &mut Json, path: &str, to: Json) -> Result<Json, Diagnostics> {
    let steps: Vec<&str> = path.split('.').collect();
    let nothing = |step: &str| {
        let message = format!("the battle has nothing called '{step}' there");
        Diagnostics::single(steps.iter().fold(Path::root(), |path, step| path.key(*step)), message)
    };
    let Some((last, above)) = steps.split_last() else {
        return Err(nothing(path));
    };
    let mut here = json;
    for step in above {
        here = child(here, step).ok_or_else(|| nothing(step))?;
    }
    match here {
        Json::Object(map) if to.is_null() => Ok(map.remove(*last).unwrap_or(Json::Null)),
        Json::Object(map) => Ok(map.insert((*last).to_owned(), to).unwrap_or(Json::Null)),
        list => {
            let item = child(list, last).ok_or_else(|| nothing(last))?;
            Ok(std::mem::replace(item, to))
        }
    }
}

fn child<'a>(json: &'a mut Json, step: &str) -> Option<&'a mut Json> {
    match json {
        Json::Object(map) => Some(map.entry(step).or_insert_with(|| Json::Object(serde_json::Map::new()))),
        Json::Array(items) => {
            let named = items.iter().position(|item| item.get("id").and_then(Json::as_str) == Some(step));
            items.get_mut(named.or_else(|| step.parse().ok())?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::set;
    use serde_json::json;

    #[test]
    fn items_are_found_by_id_or_by_number() {
        let mut json = json!({ "units": [{ "id": "a", "kills": 1 }, { "id": "b" }] });
        assert_eq!(set(&mut json, "units.a.kills", json!(2)).unwrap(), json!(1));
        assert_eq!(set(&mut json, "units.1.kills", json!(3)).unwrap(), json!(null));
        assert_eq!(json, json!({ "units": [{ "id": "a", "kills": 2 }, { "id": "b", "kills": 3 }] }));
        set(&mut json, "units.b.kills", json!(null)).unwrap();
        assert_eq!(json["units"][1], json!({ "id": "b" }));
    }

    #[test]
    fn a_path_to_nowhere_is_refused() {
        let mut json = json!({ "units": [] });
        let said = set(&mut json, "units.a.kills", json!(2)).unwrap_err().to_string();
        assert!(said.contains("nothing called 'a'"), "{said}");
    }
}
