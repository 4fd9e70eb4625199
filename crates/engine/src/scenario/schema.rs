//! Checks a document against a JSON Schema and says what is wrong the way a person would.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use schemars::Schema;
use serde_json::Value as Json;

use super::diagnostics::{Change, Diagnostic, Diagnostics, Path, Step};

/// A schema made ready for checking documents, which takes far longer than a check does.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The schema.
    pub(crate) schema: Schema,
    validator: Result<Validator, String>,
}

impl Shape {
    fn of(schema: Schema) -> Self {
        let validator = Validator::new(schema.as_value()).map_err(|error| error.to_string());
        Self { schema, validator }
    }

    /// The shape of the files that a type is read from. It is worked out once for each type.
    pub(crate) fn for_type<T: 'static>(schema: impl FnOnce() -> Schema) -> Arc<Self> {
        static SHAPES: Mutex<BTreeMap<TypeId, Arc<Shape>>> = Mutex::new(BTreeMap::new());
        let mut shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(shapes.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(Self::of(schema()))))
    }

    /// Everything in which the document departs from the schema.
    pub(crate) fn validate(&self, document: &Json) -> Diagnostics {
        let mut report = Diagnostics::new();
        match &self.validator {
            Ok(validator) => {
                for error in validator.iter_errors(document) {
                    let known = report.len();
                    explain(&error, document, &mut report);
                    report.iter_mut().skip(known).for_each(|one| suggest_key(&self.schema, document, one));
                }
            }
            Err(error) => report.error(Path::root(), format!("the schema itself is wrong: {error}")),
        }
        report
    }
}

fn explain(error: &ValidationError<'_>, document: &Json, report: &mut Diagnostics) {
    let path = Path::of_pointer(error.instance_path().as_str(), document);
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for key in unexpected {
                report.error_with_help(
                    path.clone().key(key.clone()),
                    format!("`{key}` is not known here"),
                    "check its spelling, or leave it out",
                );
            }
        }
        Kind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            report.error_with_help(path.key(key), format!("`{key}` is missing"), format!("add `{key} = …`"));
        }
        Kind::Enum { .. } | Kind::Constant { .. } | Kind::OneOfNotValid { .. } | Kind::AnyOf { .. } => {
            explain_alternatives(error, path, document, report);
        }
        Kind::MaxItems { limit } => {
            let count = error.instance().as_array().map_or(0, Vec::len);
            report.error_with_help(path, format!("{count} of them are too many"), format!("{limit} at the most"));
        }
        _ => report.error(path, said(error)),
    }
}

/// As long as a value may be that is repeated in what is said of it.
const REPEATED: usize = 80;

/// What the validator says. What it repeats of a file is short: a whole list tells nobody anything.
fn said(error: &ValidationError<'_>) -> String {
    if error.instance().to_string().len() > REPEATED {
        return plain(&error.masked_with("this").to_string());
    }
    plain(&error.to_string())
}

/// A value that is none of those allowed: names them, and the one that was probably meant. Where the alternatives are
/// shapes and not words, the findings of the one that came closest.
fn explain_alternatives(error: &ValidationError<'_>, path: Path, document: &Json, report: &mut Diagnostics) {
    let mut words = Vec::new();
    allowed_words(error, &mut words);
    if let (Json::String(given), false) = (error.instance().as_ref(), words.is_empty()) {
        let listed = format!("one of {}", words.join(", "));
        let close = nearest(given, words.iter().map(String::as_str));
        let help = match close {
            Some(word) => format!("did you mean \"{word}\"? {listed}"),
            None => listed,
        };
        report.error_with_help(path.clone(), format!("\"{given}\" is not allowed here"), help);
        if let (Some(word), Some(told)) = (close, report.iter_mut().last()) {
            told.mend = vec![Change { path, to: Some(word.into()) }];
        }
        return;
    }
    if let Kind::OneOfNotValid { context } | Kind::AnyOf { context } = error.kind() {
        // The alternative that is wrong deepest inside is the one that was meant.
        let depth = |errors: &Vec<ValidationError<'_>>| errors.iter().map(|e| e.instance_path().as_str().len()).max();
        let wrong_type = |errors: &Vec<ValidationError<'_>>| {
            errors.iter().any(|e| matches!(e.kind(), Kind::Type { .. }) && e.instance_path() == error.instance_path())
        };
        let meant = context.iter().filter(|errors| !wrong_type(errors)).max_by_key(|errors| depth(errors));
        if let Some(errors) = meant {
            for error in errors {
                explain(error, document, report);
            }
            return;
        }
    }
    if words.is_empty() {
        report.error(path, said(error));
    } else {
        let instance = error.instance().to_string();
        let given = if instance.len() > REPEATED { "this" } else { &instance };
        report.error_with_help(path, format!("{given} is not allowed here"), format!("one of {}", words.join(", ")));
    }
}

/// Of some words the one that was probably meant; none where nothing is like it.
pub(crate) fn nearest<'a>(given: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let far = |word: &str| strsim::damerau_levenshtein(word, given);
    words.min_by_key(|word| far(word)).filter(|word| far(word) <= 1 + word.len() / 4)
}

/// A key that is not known: the one that was probably meant, unless it is there already.
fn suggest_key(schema: &Schema, document: &Json, told: &mut Diagnostic) {
    let Some((Step::Key(key), above)) = told.path.steps().split_last() else { return };
    if told.message != format!("`{key}` is not known here") {
        return;
    }
    let above = Path::of_steps(above);
    let (Some(Json::Object(here)), Some(known)) = (above.of(document), at(schema.as_value(), &above)) else { return };
    let free = keys(schema.as_value(), known).filter(|name| !here.contains_key(*name));
    let meant = nearest(key, free);
    told.mend = match meant.zip(here.get(key)) {
        Some((meant, value)) => vec![
            Change { path: told.path.clone(), to: None },
            Change { path: above.key(meant), to: Some(value.clone()) },
        ],
        None => vec![Change { path: told.path.clone(), to: None }],
    };
    if let Some(meant) = meant {
        told.help = Some(format!("did you mean `{meant}`?"));
    }
}

/// The part of a schema that is said of a place in a document.
pub(crate) fn at<'a>(schema: &'a Json, path: &Path) -> Option<&'a Json> {
    path.steps().iter().try_fold(resolved(schema, schema), |here, step| {
        let inner = match step {
            Step::Key(key) => parts(schema, here).find_map(|part| part.get("properties")?.get(key))?,
            Step::Item(_) => here.get("items")?,
        };
        Some(resolved(schema, inner))
    })
}

/// Follows references, and takes what may be left out for what it is when it is there.
fn resolved<'a>(schema: &'a Json, part: &'a Json) -> &'a Json {
    if let Some(target) = part.get("$ref").and_then(Json::as_str) {
        let found = target.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
        return found.map_or(part, |found| resolved(schema, found));
    }
    let some = |one: &&Json| one.get("type").and_then(Json::as_str) != Some("null");
    let there = part.get("anyOf").and_then(Json::as_array).and_then(|all| all.iter().find(some));
    there.map_or(part, |there| resolved(schema, there))
}

/// A part of a schema with what it is made up of and the forms it may take.
fn parts<'a>(schema: &'a Json, of: &'a Json) -> impl Iterator<Item = &'a Json> {
    let inner = ["allOf", "oneOf"].into_iter().filter_map(|key| of.get(key)?.as_array()).flatten();
    std::iter::once(of).chain(inner.map(|part| resolved(schema, part)))
}

fn keys<'a>(schema: &'a Json, of: &'a Json) -> impl Iterator<Item = &'a str> {
    parts(schema, of).filter_map(|part| part.get("properties")?.as_object()).flatten().map(|(key, _)| key.as_str())
}

/// Something that may stand where this part of a schema is asked for: the first of its words, the least of its numbers.
pub(crate) fn stand_in(schema: &Json, part: &Json) -> Json {
    let part = resolved(schema, part);
    let first = |key: &str| part.get(key).and_then(Json::as_array).and_then(|all| all.first());
    if let Some(word) = part.get("const").or_else(|| first("enum")) {
        return word.clone();
    }
    if let Some(one) = first("oneOf") {
        return stand_in(schema, one);
    }
    let kind = match part.get("type") {
        Some(Json::Array(kinds)) => kinds.first().and_then(Json::as_str),
        Some(kind) => kind.as_str(),
        None => None,
    };
    let count = |key: &str| part.get(key).and_then(Json::as_u64).unwrap_or(0) as usize;
    match kind {
        Some("string") => "?".into(),
        Some("integer" | "number") => part.get("minimum").cloned().unwrap_or_else(|| 1.into()),
        Some("boolean") => false.into(),
        Some("array") => {
            let item = part.get("items").map_or(Json::Null, |item| stand_in(schema, item));
            Json::Array(vec![item; count("minItems").min(8)])
        }
        Some("object") => {
            let needed = part.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
            let value = |key: &str| part.get("properties")?.get(key).map(|one| stand_in(schema, one));
            Json::Object(needed.filter_map(|key| Some((key.to_owned(), value(key)?))).collect())
        }
        _ => Json::Null,
    }
}

fn allowed_words(error: &ValidationError<'_>, words: &mut Vec<String>) {
    match error.kind() {
        Kind::Enum { options } => {
            words.extend(options.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned));
        }
        Kind::Constant { expected_value } => words.extend(expected_value.as_str().map(str::to_owned)),
        Kind::OneOfNotValid { context } | Kind::AnyOf { context } => {
            for error in context.iter().flatten().filter(|inner| inner.instance_path() == error.instance_path()) {
                allowed_words(error, words);
            }
        }
        _ => {}
    }
}

/// The validator's own sentence, with the names a wargamer knows.
fn plain(sentence: &str) -> String {
    sentence
        .replace("is not of type \"string\"", "should be a text in quotes")
        .replace("is not of type \"integer\"", "should be a whole number")
        .replace("is not of type \"number\"", "should be a number")
        .replace("is not of type \"array\"", "should be a list in [ ]")
        .replace("is not of type \"object\"", "should be a table of keys and values")
        .replace("is not of type \"boolean\"", "should be true or false")
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde_json::json;

    /// A formation.
    #[derive(JsonSchema)]
    #[schemars(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Formation {
        /// Two deep.
        Line,
        /// Deep.
        MarchColumn,
    }

    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Unit {
        id: String,
        formation: Option<Formation>,
        stands: u8,
    }

    fn findings(document: &Json) -> String {
        Shape::of(schemars::schema_for!(Unit)).validate(document).to_string()
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let said = findings(&json!({ "stands": "four", "formatoin": "line" }));
        assert!(said.contains("`id` is missing"), "{said}");
        assert!(said.contains("`formatoin` is not known here"), "{said}");
        assert!(said.contains("should be a whole number"), "{said}");
    }

    #[test]
    fn a_misspelt_key_is_guessed_and_can_be_mended() {
        let document = json!({ "id": "a", "stands": 4, "formatoin": "line" });
        let report = Shape::of(schemars::schema_for!(Unit)).validate(&document);
        let one = report.iter().next().unwrap();
        assert_eq!(one.help.as_deref(), Some("did you mean `formation`?"));
        let changes: Vec<_> = one.mend.iter().map(|one| (one.path.to_string(), one.to.clone())).collect();
        assert_eq!(changes, [("formatoin".to_owned(), None), ("formation".to_owned(), Some("line".into()))]);
    }

    #[test]
    fn a_misspelt_word_is_guessed() {
        let said = findings(&json!({ "id": "a", "stands": 4, "formation": "march_colum" }));
        assert_eq!(
            said,
            "formation: \"march_colum\" is not allowed here (did you mean \"march_column\"? one of line, march_column)"
        );
        let said = findings(&json!({ "id": "a", "stands": 4, "formation": "hedgehog" }));
        assert!(said.contains("one of line, march_column"), "{said}");
    }
}
