//! What is said between the host of a battle and a program that plays in it.
//!
//! `docs/bots.md` describes it for those who write one; `sabretache engine --schema` has the schema of it under `bot`.

use sabretache_engine::ids::Side;
use sabretache_engine::offer::Value;
use sabretache_engine::protocol::{Decision, Reply, Request};
use sabretache_engine::view::Setting;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Rises when a program that was written for an earlier one would no longer understand.
pub const VERSION: u32 = 1;

/// What a program is told. Types that it does not know it passes over.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot<'a> {
    /// The first message: it answers `hello`.
    Hello {
        /// The version of these messages.
        protocol: u32,
        /// Who speaks.
        host: &'a str,
    },
    /// Whether it is there: it answers `ready`.
    Ready,
    /// A battle begins for it, or is told anew after a fault: it answers `ready` when it is. Whatever it knew of another battle is over.
    Battle {
        /// The side it plays.
        side: Side,
        /// Ruleset, title, table, ground and sides.
        setting: &'a Setting,
        /// The moment it stands at; 1 at the start.
        moment: usize,
    },
    /// It is to decide: any number of `info` and questions, and then `choose` or `resign`.
    Go {
        /// The moment, to be given back with the choice.
        moment: usize,
        /// What is to be decided, and the offers.
        decision: &'a Decision,
        /// A few sensible values for each offer, all of them within its limits: a finite list to choose from.
        proposals: &'a [Proposed],
        /// How well the battle stands for it, in the points of the book; nothing where something is hidden from it.
        worth: Option<i32>,
        /// The seed of its own chance at this decision. A program that goes by it plays the same battle again.
        seed: u64,
        /// How long it may think, in milliseconds.
        limit_ms: u64,
    },
    /// Its time is over: it is to choose at once.
    Stop,
    /// It did something wrong: it is ended, or started again.
    Fault {
        /// What was expected and what came.
        why: &'a str,
    },
    /// The battle is over. No answer.
    Over {
        /// Who won; nobody when it was drawn or left.
        winner: Option<Side>,
        /// Why, as a sentence.
        sentence: &'a str,
    },
    /// It is to end.
    Quit,
}

/// An offer and a few values for it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Proposed {
    /// The offer, by its key.
    pub offer: String,
    /// The values.
    pub values: Vec<Value>,
}

/// Who a program is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Hello {
    /// What it is called.
    pub name: String,
    /// Who made it.
    #[serde(default)]
    pub author: Option<String>,
    /// Which version it is.
    #[serde(default)]
    pub version: Option<String>,
}

/// What a program says. It may also ask what a seat of its side may ask of a battle: those of [`QUESTIONS`].
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBot {
    /// The answer to `hello`.
    Hello(Hello),
    /// The answer to `ready` and `battle`.
    Ready,
    /// What it thinks meanwhile.
    Info {
        /// In words.
        #[serde(default)]
        text: Option<String>,
        /// The chance that its side wins, from 0 to 1.
        #[serde(default)]
        score: Option<f64>,
    },
    /// Its choice.
    Choose {
        /// The moment of the `go` that it answers.
        moment: usize,
        /// The offer, by its key.
        offer: String,
        /// Its input.
        #[serde(default)]
        value: Value,
        /// The chance that its side wins, from 0 to 1.
        #[serde(default)]
        score: Option<f64>,
    },
    /// It gives the battle up.
    Resign {
        /// The moment of the `go` that it answers.
        moment: usize,
    },
}

/// The requests of a battle that a program may make while it decides; the answers are those of the protocol.
pub const QUESTIONS: [&str; 12] =
    ["view", "decision", "odds", "why", "preview", "overlays", "story", "report", "letters", "clause", "save", "log"];

/// A line of a program.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// It said something.
    Said(FromBot),
    /// It asked something, with what is to be given back.
    Asked(Box<Request>, Option<Json>),
}

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Line, String> {
    let told = |error: serde_json::Error| format!("{} is no message: {error}", quoted(line));
    let mut message: Json = serde_json::from_str(line)
        .map_err(|error| format!("{} is no JSON object on one line: {error}", quoted(line)))?;
    let Some(map) = message.as_object_mut() else { return Err(format!("{} is no JSON object", quoted(line))) };
    match map.get("type").and_then(Json::as_str) {
        Some("hello" | "ready" | "info" | "choose" | "resign") => {
            serde_json::from_value(message).map(Line::Said).map_err(told)
        }
        Some(kind) if QUESTIONS.contains(&kind) => {
            let reference = map.remove("ref");
            serde_json::from_value(message).map(|asked| Line::Asked(Box::new(asked), reference)).map_err(told)
        }
        Some(other) => Err(format!(
            "a program says hello, ready, info, choose or resign and asks {}; it does not say '{other}'",
            QUESTIONS.join(", ")
        )),
        None => Err(format!("{} has no type", quoted(line))),
    }
}

/// A line as it is told: not all of a long one.
pub(super) fn quoted(line: &str) -> String {
    const LONGEST: usize = 80;
    let short: String = line.trim_end().chars().take(LONGEST).collect();
    let more = if short.len() < line.trim_end().len() { "…" } else { "" };
    format!("'{}{more}'", short.escape_debug())
}

/// The schemas of what a program is told and of what it says, questions and their answers left out: those are of the protocol.
#[must_use]
pub fn schema() -> Json {
    let said = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<FromBot>();
    let told = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<ToBot<'static>>();
    json!({ "to": told, "from": said })
}

/// The answer to a question, with what came with it.
pub(super) fn answer(reply: &Reply, reference: Option<Json>) -> Json {
    let mut answer = json!(reply);
    if let (Some(map), Some(reference)) = (answer.as_object_mut(), reference) {
        map.insert("ref".into(), reference);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_says_is_read() {
        let choose = r##"{"type":"choose","moment":3,"offer":"advance r1","value":{"distance":5},"more":1}"##;
        assert!(matches!(read(choose), Ok(Line::Said(FromBot::Choose { moment: 3, score: None, .. }))));
        let Ok(Line::Asked(asked, reference)) = read(r##"{"type":"odds","offer":"x","ref":[7]}"##) else {
            unreachable!("it is a question")
        };
        assert_eq!((*asked, reference), (Request::Odds { offer: "x".into(), value: Value::None }, Some(json!([7]))));
    }

    #[test]
    fn rubbish_is_told_from_messages() {
        for (line, why) in [
            ("bestmove e2e4", "no JSON object on one line"),
            ("[1]", "no JSON object"),
            ("{}", "no type"),
            (r#"{"type":"undo"}"#, "does not say 'undo'"),
            (r#"{"type":"adjust","path":"x","to":1}"#, "does not say 'adjust'"),
            (r#"{"type":"choose","offer":"x"}"#, "moment"),
            (r#"{"type":"view","moment":"now"}"#, "no message"),
        ] {
            let told = read(line).unwrap_err();
            assert!(told.contains(why), "{line}: {told}");
        }
        let long = read(&"x".repeat(10_000)).unwrap_err();
        assert!(long.len() < 300, "{long}");
    }
}
