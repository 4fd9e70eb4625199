//! A run and its battles: as tables, as files, and put together from shards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sabretache_engine::ids::Side;
use sabretache_engine::scenario::Diagnostics;
use sabretache_players::{Fault, NoContest, Stuck};

use crate::parquet_file;
use crate::record::{Fought, Loss, Run, Shard};
use crate::statistics::{Adjusted, Share};
use crate::table::{Cells, Table};

/// What can go wrong in the laboratory.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A battle cannot go on.
    #[error(transparent)]
    Stuck(#[from] Stuck),
    /// No battle came of it: a program cannot be started.
    #[error("{0}: {1}")]
    Program(String, Fault),
    /// The scenario is faulty.
    #[error("the scenario cannot be laid out:\n{0}")]
    Scenario(Diagnostics),
    /// The log is faulty, or has no such moment.
    #[error("{0}")]
    Log(String),
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {why}")]
    Content {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Two files do not belong together.
    #[error("{0}")]
    Mismatch(String),
}

impl From<NoContest> for LabError {
    fn from(why: NoContest) -> Self {
        match why {
            NoContest::Stuck(stuck) => Self::Stuck(stuck),
            NoContest::Scenario(report) => Self::Scenario(report),
            NoContest::Program(name, fault) => Self::Program(name, fault),
        }
    }
}

/// A run and its battles, in the order of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What it was about.
    pub run: Run,
    /// The battles.
    pub battles: Vec<Fought>,
}

/// The names of the files of a run.
pub mod names {
    /// What the run is about.
    pub const RUN: &str = "run.json";
    /// The battles as they are fought, a line each.
    pub const FOUGHT: &str = "fought.jsonl";
    /// A row a battle.
    pub const BATTLES: &str = "battles";
    /// A row a unit and battle.
    pub const UNITS: &str = "units";
    /// The report.
    pub const REPORT: &str = "report.html";
    /// The summary.
    pub const SUMMARY: &str = "summary.txt";
}

impl Results {
    /// The share of battles that a side won.
    #[must_use]
    pub fn won(&self, side: Side) -> Share {
        let won = self.battles.iter().filter(|fought| fought.winner == Some(side)).count();
        Share::new(won as f64, self.battles.len() as u64)
    }

    /// The share of battles that nobody won.
    #[must_use]
    pub fn drawn(&self) -> Share {
        let drawn = self.battles.iter().filter(|fought| fought.winner.is_none()).count();
        Share::new(drawn as f64, self.battles.len() as u64)
    }

    /// A's share of the points, a draw counting half.
    #[must_use]
    pub fn points(&self) -> Share {
        points(&self.battles)
    }

    /// The same with the luck of the dice taken out, where it was reckoned.
    #[must_use]
    pub fn without_luck(&self) -> Option<Adjusted> {
        without_luck(&self.battles)
    }

    /// A row a battle.
    #[must_use]
    pub fn battle_table(&self) -> Table {
        let all = &self.battles;
        let roster = &self.run.roster;
        let whole = |value: &dyn Fn(&Fought) -> i64| Cells::Whole(all.iter().map(|one| Some(value(one))).collect());
        let real = |value: &dyn Fn(&Fought) -> f64| Cells::Real(all.iter().map(value).collect());
        let winner = |one: &Fought| one.winner.map(|side| side.to_string());
        Table::new(names::BATTLES)
            .with("battle", whole(&|one| one.battle as i64))
            // Seeds use all 64 bits: as text they stay exact in every reader.
            .with("seed", Cells::Text(all.iter().map(|one| Some(one.seed.to_string())).collect()))
            .with("winner", Cells::Text(all.iter().map(winner).collect()))
            .with("over", Cells::Flag(all.iter().map(|one| one.over).collect()))
            .with("turns", whole(&|one| i64::from(one.turns)))
            .with("decisions", whole(&|one| one.decisions as i64))
            .with("lost_a", whole(&|one| one.lost(roster, Side::A) as i64))
            .with("lost_b", whole(&|one| one.lost(roster, Side::B) as i64))
            .with("luck_a", real(&|one| one.luck[0]))
            .with("luck_b", real(&|one| one.luck[1]))
            .with("swing", real(&|one| one.swing.unwrap_or(f64::NAN)))
            .with("aims", Cells::Text(all.iter().map(|one| Some(letters(&one.aims))).collect()))
            .with("ending", Cells::Text(all.iter().map(|one| Some(one.ending.clone())).collect()))
    }

    /// A row a unit and battle.
    #[must_use]
    pub fn unit_table(&self) -> Table {
        let roster = &self.run.roster;
        let mut rows: Vec<(u64, usize, Option<Loss>)> = Vec::new();
        for fought in &self.battles {
            for unit in 0..roster.len() {
                rows.push((fought.battle, unit, fought.losses.iter().find(|loss| loss.unit == unit).copied()));
            }
        }
        let flags = |value: &dyn Fn(&Fought, usize) -> bool| -> Vec<bool> {
            let each = |fought| (0..roster.len()).map(move |unit| value(fought, unit));
            self.battles.iter().flat_map(each).collect()
        };
        let text = |value: &dyn Fn(usize) -> Option<String>| {
            Cells::Text(rows.iter().map(|(_, unit, _)| value(*unit)).collect())
        };
        let of_loss =
            |value: &dyn Fn(Loss) -> i64| Cells::Whole(rows.iter().map(|(_, _, loss)| loss.map(value)).collect());
        Table::new(names::UNITS)
            .with("battle", Cells::Whole(rows.iter().map(|(battle, _, _)| Some(*battle as i64)).collect()))
            .with("unit", text(&|unit| Some(roster[unit].id.clone())))
            .with("name", text(&|unit| Some(roster[unit].name.clone())))
            .with("side", text(&|unit| Some(roster[unit].side.to_string())))
            .with("command", text(&|unit| roster[unit].command.clone()))
            .with("lost", Cells::Flag(rows.iter().map(|(_, _, loss)| loss.is_some()).collect()))
            .with("came", Cells::Flag(flags(&|fought, unit| !fought.waited.contains(&unit))))
            .with(
                "engaged",
                Cells::Flag(flags(&|fought, unit| !fought.waited.contains(&unit) && !fought.spared.contains(&unit))),
            )
            .with("turn", of_loss(&|loss| i64::from(loss.turn)))
            .with("x_um", of_loss(&|loss| i64::from(loss.at[0])))
            .with("y_um", of_loss(&|loss| i64::from(loss.at[1])))
    }

    /// Writes the tables as CSV and Parquet, the report and the summary into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), LabError> {
        let about = serde_json::to_string(&self.run).unwrap_or_default();
        for table in [self.battle_table(), self.unit_table()] {
            write(&folder.join(format!("{}.csv", table.name)), table.to_csv().as_bytes())?;
            let path = folder.join(format!("{}.parquet", table.name));
            let bytes = parquet_file::encode(&table, &about).map_err(content(&path))?;
            write(&path, &bytes)?;
        }
        write(&folder.join(names::SUMMARY), crate::summary::text(self).as_bytes())?;
        write(&folder.join(names::REPORT), crate::report::html(self).as_bytes())
    }

    /// Reads Parquet files of one run, or of several shards of one run, in any order. Files of battles and files of units
    /// may be mixed; a folder stands for the two in it.
    pub fn read(paths: &[PathBuf]) -> Result<Self, LabError> {
        let mut run: Option<Run> = None;
        let mut battles: BTreeMap<u64, Fought> = BTreeMap::new();
        let mut units: BTreeMap<u64, UnitsOf> = BTreeMap::new();
        let (mut battle_files, mut unit_files) = (0, 0);
        for folder in paths.iter().filter(|path| only_journal(path)) {
            let (this, fought) = journal(folder)?;
            one_run(&mut run, this, folder)?;
            units.extend(fought.iter().map(|one| (one.battle, UnitsOf::of(one))));
            battles.extend(fought.into_iter().map(|one| (one.battle, one)));
        }
        for path in paths.iter().filter(|path| !only_journal(path)).flat_map(|path| parquet_files(path)) {
            let bytes = fs::read(&path).map_err(|error| LabError::File { path: path.clone(), error })?;
            let (table, about) = parquet_file::decode(bytes).map_err(content(&path))?;
            let this: Run = serde_json::from_str(&about).map_err(|error| content(&path)(error.to_string()))?;
            let run = one_run(&mut run, this, &path)?;
            if table.column("winner").is_some() {
                battle_files += 1;
                for fought in battles_of(&table).ok_or_else(|| content(&path)("columns are missing".into()))? {
                    battles.insert(fought.battle, fought);
                }
            } else {
                unit_files += 1;
                units.extend(units_of(&table, run).ok_or_else(|| content(&path)("columns are missing".into()))?);
            }
        }
        let run = run.ok_or_else(|| LabError::Mismatch("there are no Parquet files of a run".into()))?;
        if battle_files != unit_files {
            let why = format!("{battle_files} files of battles and {unit_files} of units: each shard has one of both");
            return Err(LabError::Mismatch(why));
        }
        for fought in battles.values_mut() {
            let UnitsOf { losses, waited, spared } = units.remove(&fought.battle).unwrap_or_default();
            (fought.losses, fought.waited, fought.spared) = (losses, waited, spared);
        }
        Ok(Self { run, battles: battles.into_values().collect() })
    }
}

/// What the table of units tells of a battle.
#[derive(Default)]
struct UnitsOf {
    losses: Vec<Loss>,
    waited: Vec<usize>,
    spared: Vec<usize>,
}

impl UnitsOf {
    fn of(fought: &Fought) -> Self {
        Self { losses: fought.losses.clone(), waited: fought.waited.clone(), spared: fought.spared.clone() }
    }
}

/// Who had what the scenario asks for, a letter each.
fn letters(aims: &[Option<Side>]) -> String {
    aims.iter().map(|side| side.map_or("-".to_owned(), |side| side.to_string())).collect()
}

fn points(battles: &[Fought]) -> Share {
    Share::new(battles.iter().map(Fought::score).sum(), battles.len() as u64)
}

fn without_luck(battles: &[Fought]) -> Option<Adjusted> {
    let scores: Option<Vec<(f64, f64)>> =
        battles.iter().map(|fought| Some((fought.score(), fought.score() - fought.swing?))).collect();
    Adjusted::of(&scores?)
}

/// How well A's share of the points is known: as it is or without luck, whichever is better.
pub(crate) fn half_width(battles: &[Fought]) -> f64 {
    let raw = points(battles).half_width();
    without_luck(battles).map_or(raw, |adjusted| raw.min(adjusted.within))
}

/// Whether a folder holds a run that was cut off before it could leave its tables.
fn only_journal(folder: &Path) -> bool {
    folder.join(names::FOUGHT).is_file() && !folder.join(format!("{}.parquet", names::BATTLES)).exists()
}

/// The run of a folder and the battles written down so far; a line torn by a crash counts for nothing.
fn journal(folder: &Path) -> Result<(Run, Vec<Fought>), LabError> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|error| LabError::File { path, error })
    };
    let about = serde_json::from_str(&read(names::RUN)?);
    let run: Run = about.map_err(|error| content(&folder.join(names::RUN))(error.to_string()))?;
    let fought = read(names::FOUGHT)?;
    let battles = fought.lines().map_while(|line| serde_json::from_str::<Fought>(line).ok());
    let range = run.shard.range(run.battles);
    let battles = battles.filter(|fought| range.contains(&fought.battle)).collect();
    Ok((run, battles))
}

/// Makes sure that all files are of one run.
fn one_run<'a>(run: &'a mut Option<Run>, this: Run, path: &Path) -> Result<&'a Run, LabError> {
    let this = Run { shard: Shard::WHOLE, ..this };
    let run = run.get_or_insert_with(|| this.clone());
    if *run != this {
        let why = "is of another run: scenario, players, seed or rules differ";
        return Err(LabError::Mismatch(format!("{} {why}", path.display())));
    }
    Ok(run)
}

fn content(path: &Path) -> impl Fn(String) -> LabError + use<> {
    let path = path.to_owned();
    move |why| LabError::Content { path: path.clone(), why }
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    fs::write(path, bytes).map_err(|error| LabError::File { path: path.to_owned(), error })
}

fn parquet_files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    [names::BATTLES, names::UNITS].map(|name| path.join(format!("{name}.parquet"))).to_vec()
}

fn battles_of(table: &Table) -> Option<Vec<Fought>> {
    let side = |text: &Option<String>| match text.as_deref() {
        Some("A") => Some(Side::A),
        Some("B") => Some(Side::B),
        _ => None,
    };
    let (battle, turns, decisions) = (table.whole("battle")?, table.whole("turns")?, table.whole("decisions")?);
    let (seed, winner, ending) = (table.text("seed")?, table.text("winner")?, table.text("ending")?);
    let (over, luck_a, luck_b) = (table.flags("over")?, table.reals("luck_a")?, table.reals("luck_b")?);
    // Runs of before these were kept have no such columns.
    let (swing, aims) = (table.reals("swing"), table.text("aims"));
    let held = |letter: char| match letter {
        'A' => Some(Side::A),
        'B' => Some(Side::B),
        _ => None,
    };
    let row = |n: usize| {
        Some(Fought {
            battle: u64::try_from(battle[n]?).ok()?,
            seed: seed[n].as_ref()?.parse().ok()?,
            winner: side(&winner[n]),
            over: over[n],
            turns: u32::try_from(turns[n]?).ok()?,
            decisions: u64::try_from(decisions[n]?).ok()?,
            luck: [luck_a[n], luck_b[n]],
            swing: swing.map(|swing| swing[n]).filter(|swing| !swing.is_nan()),
            ending: ending[n].clone().unwrap_or_default(),
            aims: aims.and_then(|aims| aims[n].as_deref()).unwrap_or_default().chars().map(held).collect(),
            waited: Vec::new(),
            spared: Vec::new(),
            losses: Vec::new(),
        })
    };
    (0..battle.len()).map(row).collect()
}

fn units_of(table: &Table, run: &Run) -> Option<BTreeMap<u64, UnitsOf>> {
    let (battle, unit, lost) = (table.whole("battle")?, table.text("unit")?, table.flags("lost")?);
    let (turn, x, y) = (table.whole("turn")?, table.whole("x_um")?, table.whole("y_um")?);
    let (came, engaged) = (table.flags("came"), table.flags("engaged"));
    let mut all: BTreeMap<u64, UnitsOf> = BTreeMap::new();
    for n in 0..battle.len() {
        let of = all.entry(u64::try_from(battle[n]?).ok()?).or_default();
        let unit = run.roster.iter().position(|one| Some(&one.id) == unit[n].as_ref())?;
        if lost[n] {
            let place = |cell: Option<i64>| cell.and_then(|um| i32::try_from(um).ok());
            of.losses.push(Loss { unit, turn: u32::try_from(turn[n]?).ok()?, at: [place(x[n])?, place(y[n])?] });
        }
        match (came.map(|came| came[n]), engaged.map(|engaged| engaged[n])) {
            (Some(false), _) => of.waited.push(unit),
            (Some(true), Some(false)) => of.spared.push(unit),
            _ => {}
        }
    }
    Some(all)
}
