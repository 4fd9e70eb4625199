//! What is typed at the prompt.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Value};
use sabretache_engine::scenario::{FilePoint, Measure};
use sabretache_table::{Angle, Length};
use serde_json::Value as Json;

/// One line, understood.
#[derive(Debug, PartialEq)]
pub(super) enum Typed {
    Choose { number: usize, words: Vec<String>, despite: bool },
    Odds { number: usize, words: Vec<String> },
    Why(String),
    Advise(String),
    Finish(String),
    Unit(String),
    Rule(String),
    Set { path: String, to: Json },
    Save(String),
    Log(String),
    Report,
    Offers,
    Story,
    Undo,
    Help,
    Quit,
}

impl Typed {
    /// Understands a line; nothing when it makes no sense.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let rest: Vec<String> = words.map(str::to_owned).collect();
        let all = rest.join(" ");
        let some = |text: String| (!text.is_empty()).then_some(text);
        if let Some(number) = first.strip_prefix('!').and_then(|number| number.parse().ok()) {
            return Some(Self::Choose { number, words: rest, despite: true });
        }
        if let Ok(number) = first.parse() {
            return Some(Self::Choose { number, words: rest, despite: false });
        }
        Some(match first.to_lowercase().as_str() {
            "odds" => {
                let (number, words) = rest.split_first()?;
                Self::Odds { number: number.parse().ok()?, words: words.to_vec() }
            }
            "why" => Self::Why(all),
            "advise" | "advice" => Self::Advise(all),
            "finish" => Self::Finish(all),
            "unit" => Self::Unit(some(all)?),
            "rule" => Self::Rule(some(all)?),
            "set" => {
                let (path, value) = rest.split_first()?;
                let value = some(value.join(" "))?;
                let to = serde_json::from_str(&value).unwrap_or(Json::String(value));
                Self::Set { path: path.clone(), to }
            }
            "save" => Self::Save(some(all)?),
            "log" => Self::Log(some(all)?),
            "report" => Self::Report,
            "offers" => Self::Offers,
            "story" => Self::Story,
            "undo" => Self::Undo,
            "help" | "?" => Self::Help,
            "quit" | "exit" => Self::Quit,
            _ => return None,
        })
    }
}

/// The value that words stand for, for an input.
pub(super) fn value_of(
    input: &Input,
    words: &[String],
    measure: Measure,
    units: &[(String, UnitId)],
) -> Result<Value, String> {
    let text = words.join(" ");
    let wanted = || format!("{} is wanted: {}", input.wanted(), input.limits(measure.unit()));
    match input {
        Input::None if words.is_empty() => Ok(Value::None),
        Input::None => Err("this offer needs no input".into()),
        Input::Distance { .. } => {
            // A bare number is in the measure of the scenario.
            let bare =
                text.parse::<f64>().ok().map(|number| measure.length(sabretache_engine::scenario::FileLength(number)));
            bare.or_else(|| text.parse::<Length>().ok()).map(Value::Distance).ok_or_else(wanted)
        }
        Input::Wheel { .. } => {
            let degrees = text.trim_end_matches('°').parse::<f64>().ok().filter(|degrees| degrees.abs() <= 360.0);
            degrees.map(|degrees| Value::Wheel(Angle::hundredths((degrees * 100.0).round() as i32))).ok_or_else(wanted)
        }
        Input::Point { .. } => {
            let numbers: Option<Vec<f64>> =
                text.split([',', '/', ' ']).filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect();
            match numbers.as_deref() {
                Some([x, y]) => Ok(Value::Point(measure.point(FilePoint([*x, *y])))),
                _ => Err("a point is wanted: 30,42.5".into()),
            }
        }
        Input::Units { .. } => {
            let mut picked = Vec::new();
            for word in words {
                let found = units.iter().find(|(key, _)| key == word);
                picked.push(found.map(|(_, id)| *id).ok_or_else(|| format!("there is no unit '{word}'"))?);
            }
            picked.sort_unstable();
            Ok(Value::Units(picked))
        }
        Input::Formation { .. } => {
            if text.is_empty() {
                Err(wanted())
            } else {
                Ok(Value::Formation(text))
            }
        }
        Input::Number { .. } => text.parse().map(Value::Number).map_err(|_| wanted()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(Typed::read("3 12cm"), Some(Typed::Choose { number: 3, words: words("12cm"), despite: false }));
        assert_eq!(Typed::read("!3"), Some(Typed::Choose { number: 3, words: vec![], despite: true }));
        assert_eq!(Typed::read("odds 2"), Some(Typed::Odds { number: 2, words: vec![] }));
        assert_eq!(Typed::read("why fr-1"), Some(Typed::Why("fr-1".into())));
        assert_eq!(Typed::read("advise marshal:2s"), Some(Typed::Advise("marshal:2s".into())));
        assert_eq!(Typed::read("finish"), Some(Typed::Finish(String::new())));
        assert_eq!(
            Typed::read("set units.a.kills 2"),
            Some(Typed::Set { path: "units.a.kills".into(), to: Json::from(2) })
        );
        for nonsense in ["", "odds", "save", "charge!", "odds x"] {
            assert_eq!(Typed::read(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn inputs_are_read_in_the_measure_of_the_scenario() {
        let distance = Input::Distance { least: Length::ZERO, most: Length::cm(20), stops: vec![] };
        let read = |input: &Input, text: &str| value_of(input, &[text.to_owned()], Measure::In, &[]);
        assert_eq!(read(&distance, "2"), Ok(Value::Distance(Length::inches(2))));
        assert_eq!(read(&distance, "5cm"), Ok(Value::Distance(Length::cm(5))));
        assert!(read(&distance, "far").is_err());
        let wheel = Input::Wheel { most_left: Angle::degrees(-90), most_right: Angle::degrees(90) };
        assert_eq!(read(&wheel, "-45"), Ok(Value::Wheel(Angle::degrees(-45))));
        assert!(read(&wheel, "1e300").is_err());
    }
}
