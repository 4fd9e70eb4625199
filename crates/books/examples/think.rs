//! What a player thought of its choices in a battle: fights it with a seed, and from one choice to another tells the best of what was weighed. For
//! whoever mends a player and has read in a battle what it should not have done.
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example think -- SCENARIO PLAYER PLAYER SEED FROM TO
//! ```
//!
//! Choices are counted as `sabretache fight` counts them.

use std::error::Error;
use std::io::{Write, stdout};

use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_players::Skill;
use sabretache_players::decide::decide_by;
use sabretache_players::fight;
use sabretache_players::fight::own_chance;
use sabretache_players::plan::Turn;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How many choices are told.
const TOLD: usize = 12;

fn think<R: Ruleset>(document: &Document, players: [Skill; 2], seed: u64, (from, to): (u64, u64)) -> Outcome<()> {
    let scenario = Scenario::<R::Body>::read(&document.json).map_err(|report| report.to_string())?;
    let mut battle = muster::<R>(&scenario).map_err(|report| report.to_string())?;
    let mut stood = battle.clone();
    let mut turn = Turn::<R>::new(&battle);
    let mut out = stdout().lock();
    fight::<R>(&mut battle, players, seed, to, |n, choice, after, _| {
        turn.goes_on(&stood);
        // The log begins with the scenario.
        if n + 2 >= from
            && let Some(side) = R::deciding(&stood)
        {
            let skill = players[side.index()];
            let plan = turn.plan(skill, side).clone();
            let now = R::worth_by(&stood, side, skill.judgement());
            let _ = writeln!(out, "{} {side} {skill} stands at {now}, {}", n + 2, plan.name);
            let chosen = R::key(&stood, &choice.offer);
            let decided = decide_by::<R>(skill, &stood, &[], &plan, &mut own_chance(seed, side, n));
            for one in decided.iter().flat_map(|decided| &decided.considered).take(TOLD) {
                let key = R::key(&stood, &one.choice.offer);
                let mark = if one.choice == *choice { "→" } else { " " };
                let value = serde_json::to_string(&one.choice.value).unwrap_or_default();
                let _ = writeln!(out, " {mark} {:+8.1}  {key} {value}", one.value - f64::from(now));
            }
            let _ = writeln!(out, "  chosen: {chosen}");
        }
        stood = after.clone();
    })?;
    Ok(())
}

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, one, other, seed, from, to] = words.as_slice() else {
        return Err("SCENARIO PLAYER PLAYER SEED FROM TO are wanted".into());
    };
    let document = Document::parse(file, std::fs::read_to_string(file)?).map_err(|report| report.to_string())?;
    let players = [one.parse()?, other.parse()?];
    let (seed, of) = (seed.parse()?, (from.parse()?, to.parse()?));
    match document.json["ruleset"].as_str() {
        #[cfg(feature = "huzzah")]
        Some("huzzah") => think::<sabretache_huzzah::Huzzah>(&document, players, seed, of),
        #[cfg(feature = "batteries")]
        Some("batteries") => think::<sabretache_batteries::Batteries>(&document, players, seed, of),
        #[cfg(feature = "malbrook")]
        Some("malbrook") => think::<sabretache_malbrook::Malbrook>(&document, players, seed, of),
        other => Err(format!("there is no ruleset {other:?} here").into()),
    }
}
