//! Fights battles between two players from both sides with the same seeds, and tells what they did in them: who won, how often each kind of thing
//! happened, how many units never came or were never shot at or charged. For whoever mends a player.
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example battles -- [OPTIONS] SCENARIO PLAYER PLAYER
//!
//!   --battles N   how many, half of them from either side (20)
//!   --seed N      the seed of the run (1)
//!   --each        a line a battle
//!   --count       how often each kind of event came of a player's choices, a battle: slower, since the battles are fought in sessions
//!   --story       the same, and every choice with all that came of it
//! ```
//!
//! A scenario is a file. With the feature `picket` that ruleset is fought, too.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};

use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};
use sabretache_lab::simulate::battle_seed;
use sabretache_lab::statistics::Share;
use sabretache_lab::{AnyLaboratory, Luck, Reckon};
use sabretache_players::fight::own_chance;
use sabretache_players::{Agreement, Keyed, Skill};
use serde_json::Value as Json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// After so many choices a battle is drawn.
const LONGEST: u64 = 20_000;

struct Asked {
    battles: u64,
    seed: u64,
    each: bool,
    count: bool,
    story: bool,
    scenario: String,
    players: [Skill; 2],
}

fn asked() -> Outcome<Asked> {
    let (mut battles, mut seed, mut each, mut count, mut story) = (20, 1, false, false, false);
    let mut named = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Outcome<u64> { Ok(words.next().ok_or(format!("{word} wants a number"))?.parse()?) };
        match word.as_str() {
            "--battles" => battles = number()?,
            "--seed" => seed = number()?,
            "--each" => each = true,
            "--count" => count = true,
            "--story" => (count, story) = (true, true),
            other if other.starts_with('-') => return Err(format!("there is no option {other}").into()),
            other => named.push(other.to_owned()),
        }
    }
    let [scenario, one, other] = named.as_slice() else { return Err("a scenario and two players are wanted".into()) };
    let players = [one.parse()?, other.parse()?];
    Ok(Asked { battles, seed, each, count, story, scenario: scenario.clone(), players })
}

/// How often each kind of thing came of a player's choices.
type Counts = [BTreeMap<String, u64>; 2];

/// Fights a battle in a session and counts what happens; who won.
fn counted(
    (laboratory, document): (&dyn AnyLaboratory, &Document),
    (players, first): ([Skill; 2], usize),
    seed: u64,
    story: bool,
    counts: &mut Counts,
) -> Outcome<Option<Side>> {
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == laboratory.ruleset());
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    let begun = ruleset.ok_or("no ruleset")?.begin(document, setup);
    let mut session = begun.map_err(|report| report.to_string())?.0;
    let mut out = stdout().lock();
    for n in 0..LONGEST {
        let Some(side) = session.deciding() else { break };
        let skill = players[side.index()];
        let Some(order) = laboratory.order(&*session, skill, &mut own_chance(seed, side, n)) else { break };
        let lines = session.choose(Seat::Player(side), &order).map_err(|declined| format!("{declined:?}"))?;
        if story {
            writeln!(out, "{n} {side} {}: {} {}", skill, order.offer, serde_json::to_string(&order.value)?)?;
        }
        for line in lines {
            let Ok(line) = serde_json::from_str::<Json>(&line) else { continue };
            for event in happened(&line) {
                if story {
                    writeln!(out, "      {event}")?;
                }
                let name = match event {
                    Json::String(name) => Some(name.clone()),
                    Json::Object(fields) => fields.keys().next().cloned(),
                    _ => None,
                };
                if let Some(name) = name {
                    *counts[usize::from(side.index() != first)].entry(name).or_default() += 1;
                }
            }
        }
    }
    Ok(session.verdict().and_then(|verdict| verdict.winner))
}

/// The events of a line of a log.
fn happened(line: &Json) -> Vec<&Json> {
    match line {
        Json::Object(fields) => match fields.get("event") {
            Some(event) => vec![event],
            None => fields.values().flat_map(happened).collect(),
        },
        Json::Array(list) => list.iter().flat_map(happened).collect(),
        _ => Vec::new(),
    }
}

/// Of a player's units: all, those that never came, those that came and were never shot at or charged.
type Units = (u64, u64, u64);

fn main() -> Outcome<()> {
    let asked = asked()?;
    let text = std::fs::read_to_string(&asked.scenario)?;
    let document = Document::parse(&asked.scenario, text).map_err(|report| report.to_string())?;
    let book = document.json.get("ruleset").and_then(Json::as_str).unwrap_or_default();
    let laboratory = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book);
    let laboratory = laboratory.ok_or(format!("there is no ruleset '{book}' here"))?;
    let field = laboratory.field(&document).map_err(|report| report.to_string())?;
    let roster = field.roster();
    let mut by_side = [[0_u64; 3]; 2];
    let mut counts = Counts::default();
    let mut units: [Units; 2] = [(0, 0, 0); 2];
    let mut turns = 0;
    for n in 0..asked.battles {
        let first = (n % 2) as usize;
        let sides = if first == 0 { asked.players } else { [asked.players[1], asked.players[0]] };
        let seed = battle_seed(asked.seed, n / 2);
        let (winner, ending) = if asked.count {
            let by = (laboratory, &document);
            (counted(by, (sides, first), seed, asked.story, &mut counts)?, String::new())
        } else {
            let fought = field.fight(
                n,
                seed,
                sides,
                Reckon { longest: LONGEST, luck: Luck::Left, agreement: Agreement::NONE, keyed: Keyed::ByChoice },
            )?;
            for (unit, one) in roster.iter().enumerate() {
                let (all, waited, spared) = &mut units[usize::from(one.side.index() != first)];
                *all += 1;
                *waited += u64::from(fought.waited.contains(&unit));
                *spared += u64::from(fought.spared.contains(&unit));
            }
            turns += u64::from(fought.turns);
            (fought.winner, fought.ending)
        };
        let result = match winner {
            None => 1,
            Some(winner) if winner.index() == first => 0,
            Some(_) => 2,
        };
        by_side[first][result] += 1;
        if asked.each {
            let how = ["won", "drawn", "lost"][result];
            writeln!(stdout(), "{n} seed {seed} as {}: {how}. {ending}", Side::BOTH[first])?;
        }
    }
    let [a, b] = by_side;
    let [won, drawn, lost] = [0, 1, 2].map(|n| a[n] + b[n]);
    let share = Share::new(won as f64, asked.battles);
    let mut out = stdout().lock();
    writeln!(out, "{} against {}, {}, seed {}", asked.players[0], asked.players[1], asked.scenario, asked.seed)?;
    let (low, high) = (100.0 * share.low, 100.0 * share.high);
    writeln!(
        out,
        "won {won} drawn {drawn} lost {lost} of {} ({low:.0} to {high:.0} %); as A {a:?}, as B {b:?}",
        asked.battles
    )?;
    let each = |count: u64| count as f64 / asked.battles.max(1) as f64;
    for (player, ((all, waited, spared), counts)) in asked.players.iter().zip(units.into_iter().zip(&counts)) {
        let part = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
        if all > 0 {
            let (waited, spared) = (part(waited), part(spared));
            write!(out, "{player}: {waited:.0} % of its units never came, {spared:.0} % ")?;
            writeln!(out, "were never shot at or charged; {:.1} turns", each(turns))?;
        }
        if asked.count {
            let told: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {:.1}", each(*count))).collect();
            writeln!(out, "{player}: {}", told.join(", "))?;
        }
    }
    Ok(())
}
