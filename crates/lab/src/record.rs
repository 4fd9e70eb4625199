//! What is kept of a run and of each battle in it.

use std::fmt;
use std::str::FromStr;

use sabretache_engine::ids::Side;
use sabretache_engine::view::Setting;
use sabretache_players::Skill;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::chance::score;

/// What a run is about: enough to fight it again and to draw its report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The short name of the ruleset.
    pub ruleset: String,
    /// The title of its book; empty in runs of before it was kept.
    #[serde(default)]
    pub title: String,
    /// The version of its rules.
    pub version: String,
    /// The scenario, whole, with any changes of numbers; of a moment in a battle, the battle as it stood.
    pub scenario: Json,
    /// Title, table, ground and sides.
    pub setting: Setting,
    /// Every unit, in the order in which losses refer to them.
    pub roster: Vec<Rostered>,
    /// What the scenario asks for, in words.
    #[serde(default)]
    pub aims: Vec<String>,
    /// The version of the chances of winning by which luck is taken out, where it is.
    #[serde(default)]
    pub chances: Option<u32>,
    /// The players of A and B.
    pub players: [Skill; 2],
    /// The seed of the run; each battle's own comes from it and the battle's number.
    pub seed: u64,
    /// How many battles the whole run has, all shards together.
    pub battles: u64,
    /// After so many choices a battle is counted as it stands.
    pub longest: u64,
    /// Where battles that both players think decided are given up: by which chance, in how many decisions of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<(f64, u32)>,
    /// Where battles that both players think even are drawn: how near to a half, in how many decisions of each, from which turn on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even: Option<(f64, u32, u32)>,
    /// Which part of the run this is.
    pub shard: Shard,
}

/// A unit of the roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rostered {
    /// Its id in the scenario.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// The name of its command.
    pub command: Option<String>,
}

/// One battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fought {
    /// Its number in the run, counted from 0.
    pub battle: u64,
    /// Its seed: a battle between the same players with this seed goes the same way.
    pub seed: u64,
    /// Who won.
    pub winner: Option<Side>,
    /// Whether it came to its end.
    pub over: bool,
    /// The turn in which it ended.
    pub turns: u32,
    /// How many choices were made.
    pub decisions: u64,
    /// How much better than expected the dice were for A and for B, in rolls.
    pub luck: [f64; 2],
    /// How much luckier than its dice deserved it went for A, in chances of winning; nothing where that was not reckoned.
    #[serde(default)]
    pub swing: Option<f64>,
    /// How it ended, in words that many battles share.
    pub ending: String,
    /// Who had what the scenario asks for when it ended, in the order of the run.
    #[serde(default)]
    pub aims: Vec<Option<Side>>,
    /// The units that never came onto the table, in the order of the roster.
    #[serde(default)]
    pub waited: Vec<usize>,
    /// Those that came and were never shot at or charged.
    #[serde(default)]
    pub spared: Vec<usize>,
    /// The units that left the table and did not come back, in the order of the roster.
    pub losses: Vec<Loss>,
}

/// A unit that left the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Its place in the roster.
    pub unit: usize,
    /// In which turn.
    pub turn: u32,
    /// Where it last stood, in micrometres from the west and the south edge.
    pub at: [i32; 2],
}

impl Fought {
    /// What it counts for side A: 1 for a victory, a half for a draw.
    #[must_use]
    pub fn score(&self) -> f64 {
        score(self.winner)
    }

    /// How many units of a side were lost.
    #[must_use]
    pub fn lost(&self, roster: &[Rostered], side: Side) -> usize {
        self.losses.iter().filter(|loss| roster.get(loss.unit).is_some_and(|unit| unit.side == side)).count()
    }
}

/// The `index`th of `of` parts of a run, counted from 1: a range of battles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// The battles of this shard.
    #[must_use]
    pub fn range(self, battles: u64) -> std::ops::Range<u64> {
        let cut = |n: u64| (u128::from(battles) * u128::from(n) / u128::from(self.of.max(1))) as u64;
        cut(self.index.saturating_sub(1))..cut(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// No shard is called that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no shard: write 2/5 for the second of five")]
pub struct NoShard(String);

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((index, of)) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err(NoShard(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_a_run_without_gap_or_overlap() {
        for (battles, of) in [(10, 3), (7, 7), (2, 5), (1_000_003, 16)] {
            let ranges: Vec<_> = (1..=of).map(|index| Shard { index, of }.range(battles)).collect();
            assert_eq!((ranges[0].start, ranges[of as usize - 1].end), (0, battles));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn a_shard_is_written_as_a_fraction() {
        assert_eq!("2/5".parse::<Shard>().unwrap().to_string(), "2/5");
        for wrong in ["0/5", "6/5", "2", "a/b", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
