//! The numbers of a book, and how a scenario or a laboratory run changes them by name.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::diagnostics::{Diagnostics, Path};

/// The new value of a number: a plain number, a length such as `"20cm"`, or a switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumberValue {
    /// A switch.
    Switch(bool),
    /// A whole number.
    Whole(i64),
    /// A fraction.
    Fraction(f64),
    /// A length with its unit, or a word.
    Text(String),
}

/// A book's numbers with some of them changed.
///
/// A book keeps its numbers in one type whose fields are named after the clause they belong to
/// (`#[serde(rename = "HZ-ZON-01")]`); an override names the clause, then the fields below it, with dots between.
pub fn with_overrides<N>(book: &N, overrides: &BTreeMap<String, NumberValue>, report: &mut Diagnostics) -> Option<N>
where
    N: Clone + Serialize + DeserializeOwned,
{
    if overrides.is_empty() {
        return Some(book.clone());
    }
    let mut tree = serde_json::to_value(book).ok()?;
    let mut names = Vec::new();
    name_leaves(&tree, "", &mut names);
    for (name, value) in overrides {
        let at = Path::root().key("numbers").key(name.clone());
        let Some(leaf) = leaf(&mut tree, name) else {
            let nearest = names.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
            let help = nearest.map_or("this book has none".into(), |known| format!("did you mean \"{known}\"?"));
            report.error_with_help(at, format!("the book has no number \"{name}\""), help);
            continue;
        };
        let before = std::mem::replace(leaf, serde_json::to_value(value).unwrap_or_default());
        if let Err(error) = serde_json::from_value::<N>(tree.clone()) {
            report.error_with_help(at, format!("{error}"), format!("the book's own value is {before}"));
            if let Some(leaf) = self::leaf(&mut tree, name) {
                *leaf = before;
            }
        }
    }
    serde_json::from_value(tree).ok()
}

/// The value of a dotted name; only single values can be overridden.
fn leaf<'a>(tree: &'a mut Json, name: &str) -> Option<&'a mut Json> {
    let found = name.split('.').try_fold(tree, |here, step| match here {
        Json::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Json::Object(map) => map.get_mut(step),
        _ => None,
    })?;
    (!found.is_object() && !found.is_array()).then_some(found)
}

fn name_leaves(tree: &Json, prefix: &str, names: &mut Vec<String>) {
    let dotted = |step: &str| if prefix.is_empty() { step.to_owned() } else { format!("{prefix}.{step}") };
    match tree {
        Json::Object(map) => map.iter().for_each(|(key, value)| name_leaves(value, &dotted(key), names)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(n, value)| name_leaves(value, &dotted(&n.to_string()), names));
        }
        _ => names.push(prefix.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Zones {
        infantry: u8,
        guns: [u8; 2],
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Numbers {
        #[serde(rename = "TY-ZON-01")]
        zones: Zones,
    }

    const BOOK: Numbers = Numbers { zones: Zones { infantry: 15, guns: [30, 60] } };

    fn changed(name: &str, value: NumberValue) -> Result<Numbers, String> {
        let mut report = Diagnostics::new();
        let numbers = with_overrides(&BOOK, &BTreeMap::from([(name.to_owned(), value)]), &mut report);
        if report.has_errors() { Err(report.to_string()) } else { Ok(numbers.unwrap()) }
    }

    #[test]
    fn a_number_is_changed_by_its_name() {
        assert_eq!(changed("TY-ZON-01.infantry", NumberValue::Whole(20)).unwrap().zones.infantry, 20);
        assert_eq!(changed("TY-ZON-01.guns.1", NumberValue::Whole(50)).unwrap().zones.guns, [30, 50]);
    }

    #[test]
    fn a_wrong_name_or_value_is_explained() {
        let said = changed("TY-ZON-01.infntry", NumberValue::Whole(20)).unwrap_err();
        assert!(said.contains("did you mean \"TY-ZON-01.infantry\"?"), "{said}");
        let said = changed("TY-ZON-01.infantry", NumberValue::Whole(2_000)).unwrap_err();
        assert!(said.contains("the book's own value is 15"), "{said}");
        assert!(changed("TY-ZON-01", NumberValue::Whole(1)).is_err(), "a whole group is no number");
    }
}
