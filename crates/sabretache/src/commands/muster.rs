//! `sabretache muster`: rolls the quality of units from grade and class by the playsheet's table of Huzzah!, for one unit or for all of a scenario.

use std::io::{BufRead, Write as _};

use sabretache_engine::clause::Clause;
use sabretache_engine::dice::{Dice as _, NoDice, Roll, Scripted, Seeded};
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::{BOOK, HZ_QUA_08, HZ_VAR_01, HZ_VAR_02};
use sabretache_huzzah::numbers::Numbers;
use sabretache_huzzah::situations::{MusterSituation, two_dice};
use sabretache_huzzah::troops::{Class, Grade, Quality};
use serde_json::json;

use super::{print, print_json};
use crate::cli::{DiceKind, Muster};
use crate::failure::{Failure, bad};
use crate::files;

pub(crate) fn run(muster: &Muster) -> Result<(), Failure> {
    let mut dice = DiceOf::new(muster);
    match read_rating(&muster.what) {
        Some((grade, class)) => one(muster, grade, class, &mut dice),
        None => army(muster, &mut dice),
    }
}

/// Where the dice come from: the seed, or whoever types them in.
enum DiceOf {
    Seeded(Box<Seeded>),
    Typed(Scripted),
}

impl DiceOf {
    fn new(muster: &Muster) -> Self {
        match muster.dice {
            DiceKind::Typed => Self::Typed(Scripted::default()),
            DiceKind::Seeded => {
                let seed = muster.seed.unwrap_or_else(super::fight::seed_of_the_moment);
                Self::Seeded(Box::new(Seeded::new(seed)))
            }
        }
    }

    /// Two dice for a unit; typed ones are asked for on standard error, so that standard output stays what it is for.
    fn throw(&mut self, whom: &str) -> Result<Roll, Failure> {
        let told = |error: NoDice| bad(format!("{whom}: {error}"));
        match self {
            Self::Seeded(seeded) => seeded.throw(&two_dice()).map_err(told),
            Self::Typed(scripted) => {
                let _ = write!(std::io::stderr(), "2D6 for {whom}: ");
                while scripted.left().len() < two_dice().len() {
                    let faces = typed(whom)?;
                    *scripted = Scripted::new([scripted.left(), faces.as_slice()].concat());
                }
                scripted.throw(&two_dice()).map_err(told)
            }
        }
    }
}

/// The faces on the next line of standard input.
fn typed(whom: &str) -> Result<Vec<u8>, Failure> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).map_err(|error| bad(format!("standard input: {error}")))?;
    if read == 0 {
        return Err(bad(format!("no more dice were typed; {whom} has still to roll")));
    }
    line.split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| bad(format!("'{word}' is no face of a die"))))
        .collect()
}

/// A grade and class such as `regulars-c` or "Militia A"; nothing where it is something else.
fn read_rating(text: &str) -> Option<(Grade, Class)> {
    let lower = text.to_lowercase();
    let (grade, class) = lower.split_once(['-', ' ', '_'])?;
    let grade = Grade::ALL.iter().copied().find(|one| one.word().to_lowercase() == grade)?;
    let class = Class::ALL.iter().copied().find(|one| one.word().to_lowercase() == class)?;
    Some((grade, class))
}

/// One unit.
fn one(muster: &Muster, grade: Grade, class: Class, dice: &mut DiceOf) -> Result<(), Failure> {
    if muster.scenario {
        return Err(bad("--scenario needs a scenario, not a grade and class"));
    }
    let situation =
        MusterSituation { grade, class, high_is_good: muster.high, earlier_militia_a: muster.old_militia_a };
    let whom = format!("{grade} {class}");
    let roll = dice.throw(&whom)?;
    let quality = situation.read(Numbers::book(), roll.total()).quality;
    tell(muster.json, None, &situation, Numbers::book(), &roll, quality)
}

/// Every unit of a scenario that is still to be rolled for, in the order of the file.
fn army(muster: &Muster, dice: &mut DiceOf) -> Result<(), Failure> {
    if muster.high || muster.old_militia_a {
        return Err(bad(
            "a scenario says itself which playsheet it rolls by: options.high_quality_rolls and options.old_militia_a",
        ));
    }
    let (document, ruleset) = files::scenario(&muster.what)?;
    if ruleset.book().name != BOOK.name {
        return Err(bad(format!("{}: only {} rolls for the quality of units", document.name, BOOK.title)));
    }
    let wrong = |mut report: Diagnostics| {
        document.place(&mut report);
        Failure::File { name: document.name.clone(), text: document.text.clone(), report }
    };
    let mut scenario = read(&document).map_err(wrong)?;
    let mut report = Diagnostics::new();
    let Some(battle) = sabretache_huzzah::muster::muster(&scenario, &mut report) else { return Err(wrong(report)) };
    let (numbers, options) = (battle.numbers(), &battle.lay.options);
    let mut rolled = 0;
    for (n, facts) in battle.lay.units.iter().enumerate() {
        let entry = &mut scenario.body.units[n];
        let (Some((grade, class)), None) = (facts.rolled_as, entry.quality) else { continue };
        let situation = MusterSituation {
            grade,
            class,
            high_is_good: options.high_quality_rolls,
            earlier_militia_a: options.old_militia_a,
        };
        let roll = dice.throw(&format!("{} ({grade} {class})", facts.name))?;
        let quality = situation.read(numbers, roll.total()).quality;
        entry.quality = Some(quality);
        rolled += 1;
        if !muster.scenario {
            tell(muster.json, Some((&facts.id, &facts.name)), &situation, numbers, &roll, quality)?;
        }
    }
    if muster.scenario {
        let text = scenario.to_toml().map_err(|error| bad(format!("cannot be written as TOML: {error}")))?;
        return print(&text);
    }
    if rolled == 0 && !muster.json {
        print(&format!("{}: the quality of every unit is fixed; there is nothing to roll\n", document.name))?;
    }
    Ok(())
}

fn read(document: &Document) -> Result<Scenario<Body>, Diagnostics> {
    Scenario::<Body>::read(&document.json)
}

/// The clauses that the roll was read by.
fn clauses(situation: &MusterSituation) -> Vec<Clause> {
    let mut clauses = vec![HZ_QUA_08];
    if situation.high_is_good {
        clauses.push(HZ_VAR_01);
    }
    if situation.earlier_militia_a && (situation.grade, situation.class) == (Grade::Militia, Class::A) {
        clauses.push(HZ_VAR_02);
    }
    clauses
}

/// The row of the table, as the playsheet has it: `Veteran 2-3, Experienced 4-5`.
fn row(situation: &MusterSituation, numbers: &Numbers) -> String {
    let mut parts: Vec<(Quality, i32, i32)> = Vec::new();
    for total in 2..=12 {
        let quality = situation.read(numbers, total).quality;
        match parts.last_mut() {
            Some((held, _, to)) if *held == quality => *to = total,
            _ => parts.push((quality, total, total)),
        }
    }
    let told = |&(quality, from, to): &(Quality, i32, i32)| {
        if from == to { format!("{quality} {from}") } else { format!("{quality} {from}-{to}") }
    };
    parts.iter().map(told).collect::<Vec<_>>().join(", ")
}

fn tell(
    as_json: bool,
    unit: Option<(&str, &str)>,
    situation: &MusterSituation,
    numbers: &Numbers,
    roll: &Roll,
    quality: Quality,
) -> Result<(), Failure> {
    let (grade, class, total) = (situation.grade, situation.class, roll.total());
    if as_json {
        let mut told = json!({
            "grade": grade, "class": class, "faces": roll.faces.to_vec(), "total": total, "quality": quality,
            "clauses": clauses(situation),
        });
        if let Some((id, name)) = unit {
            told["unit"] = id.into();
            told["name"] = name.into();
        }
        return print_json(&told);
    }
    let faces: Vec<String> = roll.faces.iter().map(u8::to_string).collect();
    let ids: Vec<String> = clauses(situation).iter().map(|clause| format!("[{clause}]")).collect();
    let whose = unit.map_or_else(String::new, |(_, name)| format!("{name}, "));
    print(&format!(
        "{whose}{grade} {class}: {} = {total}, {quality} {}\n    {}\n",
        faces.join(" + "),
        ids.join(" "),
        row(situation, numbers)
    ))
}
