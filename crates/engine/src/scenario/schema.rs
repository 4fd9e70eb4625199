//! Checks a document against a JSON Schema and says what is wrong the way a person would.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use schemars::Schema;
use serde_json::Value as Json;

use super::diagnostics::{Diagnostics, Path};

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
            Ok(validator) => validator.iter_errors(document).for_each(|error| explain(&error, document, &mut report)),
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
        _ => report.error(path, plain(&error.to_string())),
    }
}

/// A value that is none of those allowed: names them, and the one that was probably meant. Where the alternatives are
/// shapes and not words, the findings of the one that came closest.
fn explain_alternatives(error: &ValidationError<'_>, path: Path, document: &Json, report: &mut Diagnostics) {
    let mut words = Vec::new();
    allowed_words(error, &mut words);
    if let (Json::String(given), false) = (error.instance().as_ref(), words.is_empty()) {
        let nearest = words.iter().min_by_key(|word| strsim::damerau_levenshtein(word, given));
        let close = nearest.filter(|word| strsim::damerau_levenshtein(word, given) <= 1 + word.len() / 4);
        let help = match close {
            Some(word) => format!("did you mean \"{word}\"?"),
            None => format!("one of {}", words.join(", ")),
        };
        report.error_with_help(path, format!("\"{given}\" is not allowed here"), help);
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
        report.error(path, plain(&error.to_string()));
    } else {
        report.error_with_help(
            path,
            format!("{} is not allowed here", error.instance()),
            format!("one of {}", words.join(", ")),
        );
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
    fn a_misspelt_word_is_guessed() {
        let said = findings(&json!({ "id": "a", "stands": 4, "formation": "march_colum" }));
        assert_eq!(said, "formation: \"march_colum\" is not allowed here (did you mean \"march_column\"?)");
        let said = findings(&json!({ "id": "a", "stands": 4, "formation": "hedgehog" }));
        assert!(said.contains("one of line, march_column"), "{said}");
    }
}
