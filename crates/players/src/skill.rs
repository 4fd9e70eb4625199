//! Which computer player, and how long it may think.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sabretache_engine::ruleset::Judgement;
use serde::{Deserialize, Serialize};

use crate::program::Program;

/// A computer player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Skill {
    /// Does anything the rules allow.
    Recruit,
    /// Plays soon rather than well: the first thing that gains anything.
    Ensign,
    /// Plays by sound principles, looking one choice ahead.
    DrillMaster,
    /// Plans every turn and searches within a budget for the turn.
    Marshal(Budget),
    /// The Drill-master by the first judgement of the books, kept to measure others against.
    FirstDrillMaster,
    /// The Marshal by the first judgement of the books: it makes no plan, and its budget is for each decision.
    FirstMarshal(Budget),
    /// Somebody else's program, by the command that starts it.
    Program(&'static Program),
}

/// How long a Marshal may think: about a turn, or the first Marshal about one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// So many looks ahead: the same seed, the same choice.
    Iterations(u32),
    /// So long.
    Time(Duration),
}

impl Budget {
    /// Two seconds.
    pub const USUAL: Self = Self::Time(Duration::from_secs(2));

    /// One part of so many, at least a try.
    #[must_use]
    pub fn part(self, of: u32) -> Self {
        match self {
            Self::Iterations(count) => Self::Iterations((count / of).max(1)),
            Self::Time(time) => Self::Time(time / of),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Iterations(count) => write!(f, "{count}"),
            Self::Time(time) if time.subsec_millis() == 0 => write!(f, "{}s", time.as_secs()),
            Self::Time(time) => write!(f, "{}ms", time.as_millis()),
        }
    }
}

impl Skill {
    /// Every player that is offered, each with the budget it has when none is named.
    pub const ALL: [Self; 4] = [Self::Recruit, Self::Ensign, Self::DrillMaster, Self::Marshal(Budget::USUAL)];

    /// Its short name, without a budget.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recruit => "recruit",
            Self::Ensign => "ensign",
            Self::DrillMaster => "drill-master",
            Self::Marshal(_) => "marshal",
            Self::FirstDrillMaster => "drill-master:1",
            Self::FirstMarshal(_) => "marshal:1",
            Self::Program(_) => "exec",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Recruit => "Recruit",
            Self::Ensign => "Ensign",
            Self::DrillMaster => "Drill-master",
            Self::Marshal(_) => "Marshal",
            Self::FirstDrillMaster => "First Drill-master",
            Self::FirstMarshal(_) => "First Marshal",
            Self::Program(_) => "A program",
        }
    }

    /// What it is like, in a sentence.
    #[must_use]
    pub const fn note(self) -> &'static str {
        match self {
            Self::Recruit => "does anything the rules allow, without a plan",
            Self::Ensign => "decides at a glance and does the first thing that gains anything",
            Self::DrillMaster | Self::FirstDrillMaster => {
                "plays by sound principles and weighs the dice of every choice"
            }
            Self::Marshal(_) => "makes a plan for every turn, and looks ahead as far as its time allows",
            Self::FirstMarshal(_) => "looks ahead as far as its time allows",
            Self::Program(_) => "somebody else's program, which decides as it likes",
        }
    }

    /// Whether the same seed always gives the same choice: not so where the clock decides when to stop. Of a program it is not
    /// known; it is told the seed of its own chance with every decision, and may go by it.
    #[must_use]
    pub const fn repeats(self) -> bool {
        !matches!(self.budget(), Some(Budget::Time(_)))
    }

    /// How long it may think, where that is limited.
    #[must_use]
    pub const fn budget(self) -> Option<Budget> {
        match self {
            Self::Marshal(budget) | Self::FirstMarshal(budget) => Some(budget),
            _ => None,
        }
    }

    /// By which judgement of the books it weighs a battle.
    #[must_use]
    pub const fn judgement(self) -> Judgement {
        match self {
            Self::FirstDrillMaster | Self::FirstMarshal(_) => Judgement::First,
            _ => Judgement::Present,
        }
    }
}

impl Skill {
    /// The player that whoever runs the program names: those that [`Skill::from_str`] knows, and `exec:COMMAND`.
    ///
    /// A command is run, so no name that comes from elsewhere (a request to a server, a message to the engine) is read so.
    pub fn by_operator(text: &str) -> Result<Self, UnknownSkill> {
        if !text.starts_with("exec") {
            return text.parse();
        }
        Program::named(text).map(Self::Program).map_err(|why| UnknownSkill::Program(text.to_owned(), why))
    }

    /// The program behind it, where it is one.
    #[must_use]
    pub const fn program(self) -> Option<&'static Program> {
        if let Self::Program(program) = self { Some(program) } else { None }
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Program(program) = self {
            return f.write_str(program.spec());
        }
        match self.budget() {
            Some(budget) => write!(f, "{}:{budget}", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

/// There is no such player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownSkill {
    /// Nobody is called so.
    #[error(
        "there is no player '{0}'; there are recruit, ensign, drill-master and marshal (marshal:400 for 400 iterations a turn, marshal:2s for two seconds), and as they were at first drill-master:1 and marshal:1 (marshal:1:2s)"
    )]
    Nobody(String),
    /// No program can be started by it.
    #[error("'{0}' names no program: {1}")]
    Program(String, String),
}

impl FromStr for Skill {
    type Err = UnknownSkill;

    fn from_str(text: &str) -> Result<Self, UnknownSkill> {
        let unknown = || UnknownSkill::Nobody(text.to_owned());
        match text.split_once(':') {
            None => Self::ALL.into_iter().find(|skill| skill.name() == text).ok_or_else(unknown),
            Some(("drill-master", "1")) => Ok(Self::FirstDrillMaster),
            // One iteration would be no search: the number stands for the first Marshal.
            Some(("marshal", "1")) => Ok(Self::FirstMarshal(Budget::USUAL)),
            Some(("marshal", budget)) if budget.starts_with("1:") => {
                Ok(Self::FirstMarshal(read_budget(&budget[2..]).ok_or_else(unknown)?))
            }
            Some(("marshal", budget)) => Ok(Self::Marshal(read_budget(budget).ok_or_else(unknown)?)),
            Some(_) => Err(unknown()),
        }
    }
}

fn read_budget(text: &str) -> Option<Budget> {
    if text.ends_with('s') {
        return read_time(text).map(Budget::Time);
    }
    text.parse().ok().filter(|count| *count > 0).map(Budget::Iterations)
}

/// `2s`, `500ms`.
pub(crate) fn read_time(text: &str) -> Option<Duration> {
    let millis = |digits: &str, each: u64| {
        let number = digits.parse::<u64>().ok().filter(|number| (1..=86_400_000).contains(number))?;
        Some(Duration::from_millis(number.checked_mul(each)?))
    };
    match text.strip_suffix("ms") {
        Some(digits) => millis(digits, 1),
        None => millis(text.strip_suffix('s')?, 1_000),
    }
}

impl TryFrom<String> for Skill {
    type Error = UnknownSkill;

    // Only runs that were kept are read so, and reading one starts nothing.
    fn try_from(text: String) -> Result<Self, UnknownSkill> {
        Self::by_operator(&text)
    }
}

impl From<Skill> for String {
    fn from(skill: Skill) -> Self {
        skill.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_named_with_its_budget() {
        for name in [
            "recruit",
            "ensign",
            "drill-master",
            "marshal:400",
            "marshal:2s",
            "marshal:500ms",
            "drill-master:1",
            "marshal:1:2s",
            "marshal:1:64",
        ] {
            assert_eq!(name.parse::<Skill>().unwrap().to_string(), name);
        }
        assert_eq!("marshal".parse::<Skill>().unwrap().to_string(), "marshal:2s");
        assert_eq!("marshal:1".parse::<Skill>().unwrap().to_string(), "marshal:1:2s");
        for wrong in [
            "",
            "drill-master:2",
            "marshal:1:",
            "marshal:1:0",
            "Marshal",
            "marshal:",
            "marshal:0",
            "marshal:0s",
            "recruit:3",
            "ensign:1",
            "marshal:-1",
            "general",
            "exec:true",
        ] {
            assert!(wrong.parse::<Skill>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_clock_makes_a_player_play_differently() {
        assert!(Skill::Marshal(Budget::Iterations(5)).repeats() && Skill::DrillMaster.repeats());
        assert!(!"marshal:1s".parse::<Skill>().unwrap().repeats());
    }
}
