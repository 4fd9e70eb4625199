//! Fights a person's plan, written down as a script, against a player. For whoever mends a player.
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example scripts -- [--battles N] [--seed N] [--story] PLAYER SCRIPTS
//! ```
//!
//! A script is for one side of one scenario: the player has the other side in every battle. With `--story` every choice is told.

use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::resolution::{Happening, Resolution};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_lab::simulate::battle_seed;
use sabretache_lab::statistics::Share;
use sabretache_players::Skill;
use sabretache_players::decide::choose_by;
use sabretache_players::fight::{MEMORY, own_chance};
use sabretache_players::plan::Turn;
use sabretache_players::script::{Follower, Script};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// After so many choices a battle is drawn.
const LONGEST: u64 = 20_000;

struct Asked {
    battles: u64,
    seed: u64,
    story: bool,
    player: Skill,
}

/// Fights a battle to its end; who won.
fn fight<R: Ruleset>(
    began: &R::Battle,
    script: &Script,
    side: Side,
    asked: &Asked,
    seed: u64,
) -> Outcome<Option<Side>> {
    let mut battle = began.clone();
    let mut follower = Follower::new(script, side);
    let mut before: Vec<R::Battle> = Vec::new();
    let mut turn = Turn::<R>::new(&battle);
    let mut out = stdout().lock();
    for n in 0..LONGEST {
        let Some(decides) = R::deciding(&battle) else { break };
        let mut random = own_chance(seed, decides, n);
        turn.goes_on(&battle);
        let choice = if decides == side {
            follower.choose::<R>(&battle, &before, &mut random)
        } else {
            choose_by::<R>(asked.player, &battle, &before, turn.plan(asked.player, decides), &mut random)
        };
        let choice = choice.ok_or("nothing to choose")?;
        let stood = battle.clone();
        let mut happened = Vec::new();
        let mut dice = Seeded::for_choice(seed, n);
        if asked.story {
            writeln!(
                out,
                "{n} {decides} {} {}",
                R::key(&battle, &choice.offer),
                serde_json::to_string(&choice.value)?
            )?;
        }
        let play = &mut Resolution::<R>::new(&mut battle, &mut dice).chronicled(&mut happened);
        R::resolve(play, &choice).map_err(|halt| format!("{}: {halt}", R::key(&stood, &choice.offer)))?;
        if happened.iter().any(|one| matches!(one, Happening::Roll(_))) {
            before.clear();
        } else {
            before.push(stood);
            let forgotten = before.len().saturating_sub(MEMORY);
            before.drain(..forgotten);
        }
    }
    Ok(R::verdict(&battle).and_then(|verdict| verdict.winner))
}

fn fought<R: Ruleset>(document: &Document, script: &Script, asked: &Asked) -> Outcome<()> {
    let scenario = Scenario::<R::Body>::read(&document.json).map_err(|report| report.to_string())?;
    let began = muster::<R>(&scenario).map_err(|report| report.to_string())?;
    let side = Side::BOTH.into_iter().find(|side| scenario.sides[side.index()].id == script.side);
    let side = side.ok_or(format!("there is no side '{}'", script.side))?;
    let mut results = [0_u64; 3];
    for n in 0..asked.battles {
        let seed = battle_seed(asked.seed, n);
        match fight::<R>(&began, script, side, asked, seed)? {
            Some(winner) if winner == side => results[2] += 1,
            Some(_) => results[0] += 1,
            None => results[1] += 1,
        }
    }
    let [won, drawn, lost] = results;
    let share = Share::new(won as f64, asked.battles);
    let (low, high) = (100.0 * share.low, 100.0 * share.high);
    writeln!(
        stdout(),
        "{} against \"{}\" ({}): won {won} drawn {drawn} lost {lost} of {} ({low:.0} to {high:.0} %)",
        asked.player,
        script.name,
        script.side,
        asked.battles
    )?;
    Ok(())
}

fn main() -> Outcome<()> {
    let mut asked = Asked { battles: 20, seed: 1, story: false, player: Skill::DrillMaster };
    let mut named = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Outcome<u64> { Ok(words.next().ok_or(format!("{word} wants a number"))?.parse()?) };
        match word.as_str() {
            "--battles" => asked.battles = number()?,
            "--seed" => asked.seed = number()?,
            "--story" => asked.story = true,
            _ => named.push(word),
        }
    }
    let [player, scripts @ ..] = named.as_slice() else { return Err("a player and scripts are wanted".into()) };
    asked.player = player.parse()?;
    for file in scripts {
        let text = std::fs::read_to_string(file)?;
        let read = Document::parse(file, text).map_err(|report| report.to_string())?;
        let script: Script = serde_json::from_value(read.json).map_err(|error| format!("{file}: {error}"))?;
        let scenario = Path::new(file).parent().unwrap_or(Path::new(".")).join(&script.scenario);
        let text = std::fs::read_to_string(&scenario)?;
        let document = Document::parse(&script.scenario, text).map_err(|report| report.to_string())?;
        match document.json.get("ruleset").and_then(serde_json::Value::as_str) {
            #[cfg(feature = "huzzah")]
            Some("huzzah") => fought::<sabretache_huzzah::Huzzah>(&document, &script, &asked)?,
            #[cfg(feature = "batteries")]
            Some("batteries") => fought::<sabretache_batteries::Batteries>(&document, &script, &asked)?,
            #[cfg(feature = "malbrook")]
            Some("malbrook") => fought::<sabretache_malbrook::Malbrook>(&document, &script, &asked)?,
            other => return Err(format!("there is no ruleset {other:?} here").into()),
        }
    }
    Ok(())
}
