//! `sabretache compliance`: whether a program can play, for whoever writes it.

use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::session::Setup;
use sabretache_players::Program;
use sabretache_players::program::compliance::{Check, SEED, check};
use serde_json::json;

use super::{print, print_json};
use crate::books::rulesets;
use crate::cli::Compliance;
use crate::failure::{Failure, bad};
use crate::files::{SHIPPED, scenario};

pub(crate) fn run(asked: &Compliance) -> Result<(), Failure> {
    let named =
        if asked.program.starts_with("exec") { asked.program.clone() } else { format!("exec:{}", asked.program) };
    let program = Program::named(&named).map_err(bad)?;
    let names = if asked.scenario.is_empty() { shortest() } else { asked.scenario.clone() };
    let mut battles = Vec::new();
    for name in names {
        let (document, ruleset) = scenario(&name)?;
        let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(SEED) };
        let wrong = |report| Failure::File { name: name.clone(), text: document.text.clone(), report };
        let (session, _) = ruleset.begin(&document, setup).map_err(wrong)?;
        battles.push((name, session));
    }
    let mut told = Ok(());
    let good = check(program, &battles, usize::from(asked.choices), &mut |check| {
        if told.is_ok() {
            told = tell(check, asked.json);
        }
    });
    told?;
    if !asked.json {
        print(if good { "\nIt can play.\n" } else { "\nIt cannot play yet.\n" })?;
    }
    if good { Ok(()) } else { Err(Failure::No) }
}

fn tell(check: &Check, as_json: bool) -> Result<(), Failure> {
    if as_json {
        let (good, came) = match &check.came {
            Ok(came) => (true, came),
            Err(came) => (false, came),
        };
        return print_json(&json!({ "expected": check.expected, "good": good, "came": came }));
    }
    print(&match &check.came {
        Ok(came) if came.is_empty() => format!("ok      {}\n", check.expected),
        Ok(came) => format!("ok      {}: {came}\n", check.expected),
        Err(came) => format!("FAILED  {}\n        {came}\n", check.expected),
    })
}

/// The scenario with the shortest text of each ruleset.
fn shortest() -> Vec<String> {
    let of = |ruleset: &str| {
        let named = format!("ruleset = \"{ruleset}\"");
        let own = SHIPPED.iter().filter(|(_, text)| text.contains(&named));
        own.min_by_key(|(_, text)| text.len()).map(|(name, _)| (*name).to_owned())
    };
    rulesets().into_iter().filter_map(|ruleset| of(ruleset.book().name)).collect()
}
