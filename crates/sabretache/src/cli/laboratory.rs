//! The command line of the laboratory and of the computer players.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sabretache_lab::balance::Change;
use sabretache_lab::{Bench, Bounds, Shard};
use sabretache_players::Skill;
use sabretache_players::agreement::{Even, OneSided};

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// A scenario by name or file, or a log; `LOG@40` for the battle as it stood after 40 entries.
    pub(crate) what: String,
    /// How many battles, all shards together; with --until, at the most.
    #[arg(long)]
    pub(crate) battles: Option<u64>,
    #[command(flatten)]
    pub(crate) fought: Fought,
    /// Stops when A's share of the points (a draw as half) is known to so many points either way: 1 for ±1 %.
    #[arg(long, value_parser = points, allow_hyphen_values = true)]
    pub(crate) until: Option<f64>,
    /// Gives a battle up that both players think decided: by this chance of winning, in so many decisions running of each.
    #[arg(long, value_name = "CHANCE[:DECISIONS]")]
    pub(crate) adjudicate: Option<OneSided>,
    /// Draws a battle that both players think even: their chances so near to a half, in so many decisions running of each, from a turn on.
    #[arg(long, value_name = "WITHIN:DECISIONS:TURN")]
    pub(crate) even: Option<Even>,
    /// Both sides are played by the quickest sensible player, the Ensign, and results are taken as they are.
    #[arg(long, conflicts_with_all = ["a", "b"])]
    pub(crate) quick: bool,
    /// Takes results as they are, instead of reckoning the luck of every roll as well.
    #[arg(long)]
    pub(crate) raw: bool,
    /// Looks for what would make the scenario fairer among turns, units, points, quality and arrivals: --balance turns,units.
    #[arg(long, value_delimiter = ',', num_args = 0.., default_missing_value = "turns,units,points,quality,arrivals", value_name = "WHAT,…")]
    pub(crate) balance: Option<Vec<Change>>,
    #[command(flatten)]
    pub(crate) changed: Changed,
    /// Fights only the i-th of n parts of the run.
    #[arg(long, default_value = "1/1", value_name = "I/N")]
    pub(crate) shard: Shard,
    /// The folder for tables and report; a run begun there is gone on with.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who fights, with which dice, on how many threads.
#[derive(Debug, Args)]
pub(crate) struct Fought {
    /// Who plays side A: recruit, ensign (fast), drill-master, marshal:400 (tries a turn), marshal:2s, exec:COMMAND.
    #[arg(long, default_value = "drill-master", value_name = "PLAYER", value_parser = Skill::by_operator)]
    pub(crate) a: Skill,
    /// Who plays side B.
    #[arg(long, default_value = "drill-master", value_name = "PLAYER", value_parser = Skill::by_operator)]
    pub(crate) b: Skill,
    /// The seed of the run; each battle's own comes from it and its number.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// After so many choices a battle is counted as it stands.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) longest: u64,
    /// How many threads; by default one for each core. The results are the same.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What if: what is changed in a scenario.
#[derive(Debug, Args)]
pub(crate) struct Changed {
    /// Changes a number of the rules, or a place in the scenario: HZ-ZON-01.infantry.line=20cm, units.fr-1.quality=raw.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// A scenario file with only what differs, laid over the scenario.
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ChancesArgs {
    /// The scenarios that are fought, all of one book; with --fit, files of moments.
    #[arg(required = true)]
    pub(crate) scenarios: Vec<String>,
    /// How many battles of each; one in four is kept to judge by.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) battles: u64,
    /// The version that the chances are to have.
    #[arg(long, default_value_t = 1)]
    pub(crate) version: u32,
    /// Keeps the moments of the battles in this folder, a file for each scenario, and fits nothing.
    #[arg(long)]
    pub(crate) moments: Option<PathBuf>,
    /// Fights nothing: the chances are fitted to files of moments.
    #[arg(long, conflicts_with = "moments")]
    pub(crate) fit: bool,
    #[command(flatten)]
    pub(crate) fought: Fought,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Folders of runs, or their Parquet files; several shards of one run make one report.
    #[arg(required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// The page to write (report.html), or a folder for tables, page and summary.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The folder of a run; or a scenario or log, to be fought now.
    pub(crate) first: String,
    /// The same for the second; by default the first with what --set and --overlay change.
    pub(crate) second: Option<String>,
    /// How many battles of each at the most, where they are fought now.
    #[arg(long, default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) battles: u64,
    #[command(flatten)]
    pub(crate) fought: Fought,
    /// Fights until it is decided between no difference and one as large as the second number, in normalised Elo.
    #[arg(long, value_name = "LOW,HIGH", default_value = "0,20")]
    pub(crate) bounds: Bounds,
    /// Stops when the difference is known to so many points either way, too.
    #[arg(long, value_parser = points, allow_hyphen_values = true)]
    pub(crate) until: Option<f64>,
    #[command(flatten)]
    pub(crate) changed: Changed,
    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ladder {
    /// The scenario they fight, by name or file; or a log, as for simulate.
    #[arg(long)]
    pub(crate) scenario: String,
    /// How many battles each pair fights, half of them from either side; with --bounds, at the most (100, or 20,000).
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) battles: Option<u64>,
    /// Fights each pair only until it is decided by which of two differences in normalised Elo the one named later is ahead: 0,20.
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub(crate) bounds: Option<Bounds>,
    /// The players; the first stands at 1000.
    #[arg(long, value_delimiter = ',', default_value = "recruit,drill-master,marshal:200", value_name = "PLAYER,…", value_parser = Skill::by_operator)]
    pub(crate) players: Vec<Skill>,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// After so many choices a battle is counted as drawn.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) longest: u64,
    /// Gives a battle up that both players think decided: by this chance of winning, in so many decisions running of each.
    #[arg(long, value_name = "CHANCE[:DECISIONS]")]
    pub(crate) adjudicate: Option<OneSided>,
    /// Draws a battle that both players think even: their chances so near to a half, in so many decisions running of each, from a turn on.
    #[arg(long, value_name = "WITHIN:DECISIONS:TURN")]
    pub(crate) even: Option<Even>,
    /// A file in which each battle is kept as soon as it is fought; the same command goes on with it.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How many threads; by default one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) changed: Changed,
    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compliance {
    /// The program: exec:COMMAND, or the command alone.
    pub(crate) program: String,
    /// The scenarios it is tried on; by default the shortest of each book.
    #[arg(long)]
    pub(crate) scenario: Vec<String>,
    /// How many choices it makes in each battle.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) choices: u16,
    /// Prints one JSON object for each check.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// What; everything, when nothing is named.
    #[arg(value_enum)]
    pub(crate) what: Vec<BenchKind>,
    /// The ruleset; every one, when neither it nor a scenario is named.
    #[arg(long)]
    pub(crate) ruleset: Option<String>,
    /// The scenario; by default the ruleset's largest.
    #[arg(long)]
    pub(crate) scenario: Option<String>,
    /// For how long each.
    #[arg(long, default_value_t = 5.0)]
    pub(crate) seconds: f64,
    /// Prints JSON, an object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchKind {
    /// Decisions and battles of random players.
    Playouts,
    /// The same by players who choose in two steps: who acts, then what he does.
    Steps,
    /// Copies of a battle in full swing.
    Clone,
    /// Exact odds of choices in a battle in full swing.
    Odds,
    /// Lists of all that may be done.
    Offers,
    /// Iterations of a Marshal's search.
    Search,
    /// Decisions and battles of Drill-masters.
    Drilled,
}

impl From<BenchKind> for Bench {
    fn from(kind: BenchKind) -> Self {
        match kind {
            BenchKind::Playouts => Self::Playouts,
            BenchKind::Steps => Self::Steps,
            BenchKind::Clone => Self::Clone,
            BenchKind::Odds => Self::Odds,
            BenchKind::Offers => Self::Offers,
            BenchKind::Search => Self::Search,
            BenchKind::Drilled => Self::Drilled,
        }
    }
}

/// Points either way, as people write them: `1`, `±1`, `0.5%`. As a fraction.
fn points(text: &str) -> Result<f64, String> {
    let bare = text.trim().trim_start_matches(['±', '+']).trim_end_matches('%').trim();
    let number = bare.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 50.0);
    number.map(|number| number / 100.0).ok_or_else(|| "points between 0 and 50, such as 1 for ±1 %".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_people_write_them() {
        for (text, wanted) in [("1", 0.01), ("±1", 0.01), ("±0.5 %", 0.005), ("2%", 0.02)] {
            assert!((points(text).unwrap() - wanted).abs() < 1e-12, "{text}");
        }
        for wrong in ["", "0", "-1", "nan", "51", "one"] {
            assert!(points(wrong).is_err(), "{wrong}");
        }
    }
}
