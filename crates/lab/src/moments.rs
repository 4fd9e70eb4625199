//! Moments of many battles, from which the chances of winning of a book are fitted: fought once, kept in a file, fitted as often as wanted.
//!
//! A file begins with a line that says what was fought, as JSON; each line after it is a moment: the battle, the share of the turns that
//! was over, what came of it, and how it stood part by part.

use std::fmt::Write as _;

use rayon::prelude::*;
use sabretache_players::Skill;
use sabretache_players::chance::{Chances, Moment, fit, fitted};
use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::results::LabError;
use crate::simulate::battle_seed;

/// What was fought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The short name of the ruleset.
    pub ruleset: String,
    /// The version of its rules.
    pub rules: String,
    /// The scenario.
    pub scenario: String,
    /// The player of both sides.
    pub player: String,
    /// The seed of the run; the battles are those with the numbers from 0 on.
    pub seed: u64,
    /// How many.
    pub battles: u64,
    /// What the parts are.
    pub parts: Vec<String>,
}

/// Battles that were fought for the chances of winning.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What was fought.
    pub about: About,
    /// How it stood, the battles one after the other.
    pub moments: Vec<Moment>,
}

impl Sample {
    /// Fights so many battles.
    pub fn fought(
        field: &dyn Field,
        scenario: &str,
        player: Skill,
        (seed, battles, longest): (u64, u64, u64),
    ) -> Result<Self, LabError> {
        let one = |n: u64| -> Result<Vec<Moment>, LabError> {
            let mut moments = field.moments(battle_seed(seed, n), [player; 2], longest)?;
            moments.iter_mut().for_each(|moment| moment.battle = n);
            Ok(moments)
        };
        let moments: Vec<Vec<Moment>> = (0..battles).into_par_iter().map(one).collect::<Result<_, _>>()?;
        let about = About {
            ruleset: field.ruleset().to_owned(),
            rules: field.version().to_owned(),
            scenario: scenario.to_owned(),
            player: player.to_string(),
            seed,
            battles,
            parts: field.parts(),
        };
        Ok(Self { about, moments: moments.into_iter().flatten().collect() })
    }

    /// The text of its file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string(&self.about).unwrap_or_default() + "\n";
        for Moment { battle, passed, parts, result, .. } in &self.moments {
            let _ = write!(text, "{battle},{passed:.3},{result}");
            for part in parts {
                let _ = write!(text, ",{}", libm::round(part * 1e4) / 1e4);
            }
            text.push('\n');
        }
        text
    }

    /// The sample of a file.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let about: About = serde_json::from_str(lines.next().unwrap_or_default()).map_err(|error| error.to_string())?;
        let moment = |(n, line): (usize, &str)| {
            let wrong = || format!("line {} is no moment of {} parts", n + 2, about.parts.len());
            let mut fields = line.split(',');
            let battle = fields.next().and_then(|field| field.parse().ok()).ok_or_else(wrong)?;
            let numbers: Vec<f64> = fields.map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
            match &*numbers {
                [passed, result, parts @ ..] if parts.len() == about.parts.len() => {
                    Ok(Moment { battle, scenario: 0, passed: *passed, parts: parts.to_vec(), result: *result })
                }
                _ => Err(wrong()),
            }
        };
        let moments: Vec<Moment> = lines.enumerate().map(moment).collect::<Result<_, String>>()?;
        Ok(Self { about, moments })
    }
}

/// The chances of a book from battles of several scenarios.
pub fn chances(version: u32, samples: Vec<Sample>) -> Result<(String, Chances), String> {
    let Some(first) = samples.first().map(|sample| sample.about.clone()) else {
        return Err("no battles".into());
    };
    let (mut source, mut moments, mut before) = (fit::Source::default(), Vec::new(), 0);
    for sample in samples {
        let About { ruleset, parts, scenario, player, battles, .. } = sample.about;
        if ruleset != first.ruleset || parts != first.parts {
            return Err("chances are fitted for one book at a time".into());
        }
        for (name, list) in [(&scenario, &mut source.scenarios), (&player, &mut source.players)] {
            if !list.contains(name) {
                list.push(name.clone());
            }
        }
        let scenario = source.scenarios.iter().position(|one| *one == scenario).unwrap_or_default();
        moments.extend(sample.moments.into_iter().map(|one| Moment { battle: one.battle + before, scenario, ..one }));
        before += battles;
    }
    Ok((first.ruleset, fitted(version, &first.parts, source, &moments)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(scenario: &str) -> Sample {
        let about = About {
            ruleset: "picket".into(),
            rules: "1".into(),
            scenario: scenario.into(),
            player: "recruit".into(),
            seed: 7,
            battles: 2,
            parts: vec!["strength".into(), "to act".into()],
        };
        let moment = |battle, passed, result| Moment { battle, scenario: 0, passed, parts: vec![0.25, -1.0], result };
        Sample { about, moments: vec![moment(0, 0.125, 1.0), moment(1, 0.5, 0.5)] }
    }

    #[test]
    fn a_file_holds_what_was_fought() {
        assert_eq!(Sample::read(&sample("ford").text()), Ok(sample("ford")));
        for wrong in ["", "{}", &(sample("ford").text() + "3,1\n"), &(sample("ford").text() + "3,1,x,0,0\n")] {
            assert!(Sample::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn battles_of_two_scenarios_are_told_apart_and_those_of_two_books_are_refused() {
        let (book, chances_of_it) = chances(2, vec![sample("ford"), sample("mill")]).unwrap();
        assert_eq!((book.as_str(), chances_of_it.version), ("picket", 2));
        assert_eq!(chances_of_it.scenarios, ["ford", "mill"]);
        assert_eq!(chances_of_it.players, ["recruit"]);
        assert_eq!((chances_of_it.battles, chances_of_it.calibration.battles), (3, 1));
        let mut other = sample("crossroads");
        other.about.ruleset = "batteries".into();
        assert!(chances(2, vec![sample("ford"), other]).is_err());
        assert!(chances(2, Vec::new()).is_err());
    }
}
