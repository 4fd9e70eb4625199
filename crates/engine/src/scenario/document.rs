//! A TOML file as text, as JSON, and as a map from paths to places in the text.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Map, Number, Value as Json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostics::{Diagnostics, Path, Step};

/// The deepest that tables and lists may be nested in a file.
const DEEPEST: usize = 40;

/// A TOML file that has been read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The name of the file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it says.
    pub json: Json,
    places: BTreeMap<Path, Range<usize>>,
}

impl Document {
    /// Reads TOML; everything that is no TOML is reported at once, with its line.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self, Diagnostics> {
        let mut document = Self { name: name.into(), text: text.into(), json: Json::Null, places: BTreeMap::new() };
        let mut report = Diagnostics::new();
        let text = std::mem::take(&mut document.text);
        let (table, errors) = DeTable::parse_recoverable(&text);
        for error in errors {
            report.error_with_help(
                Path::root(),
                format!("not TOML: {}", error.message()),
                "see toml.io for the syntax",
            );
            if let (Some(span), Some(one)) = (error.span(), report.iter_mut().last()) {
                one.span = Some((span.start, span.end));
                one.line = Some(line_at(&text, span.start));
            }
        }
        report.clean()?;
        let json = document.table(table.get_ref(), &Path::root(), &mut report);
        document.json = json;
        document.text = text;
        document.place(&mut report);
        report.clean()?;
        Ok(document)
    }

    /// The document that JSON makes, with no places in a text.
    #[must_use]
    pub fn of_json(name: impl Into<String>, json: Json) -> Self {
        Self { name: name.into(), text: String::new(), json, places: BTreeMap::new() }
    }

    /// Completes each finding with its place in the text: that of the nearest thing above it that the text has.
    pub fn place(&self, report: &mut Diagnostics) {
        for one in report.iter_mut().filter(|one| one.span.is_none()) {
            let mut steps = one.path.steps();
            let place = loop {
                let path = steps.iter().fold(Path::root(), |path, step| match step {
                    Step::Key(key) => path.key(key.clone()),
                    Step::Item(n) => path.item(*n),
                });
                match (self.places.get(&path), steps.split_last()) {
                    (Some(place), _) => break Some(place),
                    (None, Some((_, above))) => steps = above,
                    (None, None) => break None,
                }
            };
            if let Some(place) = place {
                one.span = Some((place.start, place.end));
                one.line = Some(line_at(&self.text, place.start));
            }
        }
    }

    fn table(&mut self, table: &DeTable<'_>, path: &Path, report: &mut Diagnostics) -> Json {
        let mut map = Map::new();
        for (key, value) in table {
            let path = path.clone().key(key.get_ref().to_string());
            // A key's own place reads better than the whole of a long table, and tables written `[[units]]` have none.
            let place = if value.get_ref().is_table() { key.span() } else { value.span() };
            self.places.insert(path.clone(), place);
            map.insert(key.get_ref().to_string(), self.value(value, &path, report));
        }
        Json::Object(map)
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, path: &Path, report: &mut Diagnostics) -> Json {
        if path.steps().len() > DEEPEST {
            report.error(path.clone(), "nested too deeply");
            return Json::Null;
        }
        match value.get_ref() {
            DeValue::String(text) => Json::String(text.to_string()),
            DeValue::Boolean(yes) => Json::Bool(*yes),
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(number) => Json::Number(number.into()),
                Err(_) => {
                    report.error(path.clone(), format!("{} is too large a number", digits.as_str()));
                    Json::Null
                }
            },
            DeValue::Float(digits) => {
                let number = digits.as_str().parse::<f64>().ok().and_then(Number::from_f64);
                number.map(Json::Number).unwrap_or_else(|| {
                    report.error(path.clone(), format!("{} is not a finite number", digits.as_str()));
                    Json::Null
                })
            }
            DeValue::Datetime(date) => {
                let help = format!("write it in quotes: \"{date}\"");
                report.error_with_help(path.clone(), "a bare date is not used in these files", help);
                Json::Null
            }
            DeValue::Array(items) => {
                let mut list = Vec::new();
                for (n, item) in items.iter().enumerate() {
                    let path = path.clone().item(n);
                    self.places.insert(path.clone(), item.span());
                    list.push(self.value(item, &path, report));
                }
                Json::Array(list)
            }
            DeValue::Table(table) => self.table(table, path, report),
        }
    }
}

/// The line of a byte, counted from 1.
fn line_at(text: &str, byte: usize) -> usize {
    text.as_bytes().iter().take(byte).filter(|&&b| b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_given_the_line_it_is_about() {
        let text = "title = \"x\"\n\n[[units]]\nid = \"a\"\n\n[[units]]\nid = \"b\"\nformation = \"sqare\"\n";
        let document = Document::parse("x.toml", text).unwrap();
        let mut report = Diagnostics::new();
        let second = Path::root().key("units").item(1);
        report.error(second.clone().key("formation"), "no such formation");
        report.error(second.key("facing"), "missing");
        document.place(&mut report);
        let lines: Vec<_> = report.iter().map(|one| one.line).collect();
        assert_eq!(lines, [Some(8), Some(6)], "what is missing is placed where it should stand");
    }

    #[test]
    fn all_syntax_errors_are_reported_at_once() {
        let report = Document::parse("x.toml", "a = \nb = 1\nc = = 2\n").unwrap_err();
        let lines: Vec<_> = report.iter().filter_map(|one| one.line).collect();
        assert!(lines.contains(&1) && lines.contains(&3), "{report}");
    }

    #[test]
    fn what_json_cannot_hold_is_refused() {
        for text in ["a = nan", "a = inf", "a = 99999999999999999999", "a = 1979-05-27"] {
            assert!(Document::parse("x.toml", text).is_err(), "{text}");
        }
    }
}
