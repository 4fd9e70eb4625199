//! `sabretache simulate`: a scenario fought again and again.

use std::sync::atomic::Ordering;

use sabretache_engine::ids::Side;
use sabretache_lab::balance::{balance, fairer, told as balance_told};
use sabretache_lab::{Luck, Plan, Results, Shard, Watch, answer, simulate, text};
use sabretache_players::{Agreement, Skill};
use serde_json::{Value as Json, json};

use super::laboratory::{Bar, field, interruptible, on_threads, tell_failures, told, varied};
use super::{print, print_json};
use crate::cli::Simulate;
use crate::failure::{Failure, bad};

/// How many battles, when nothing else is said.
const BATTLES: u64 = 1_000;
/// How many at the most, when the interval decides.
const MOST: u64 = 100_000;

pub(crate) fn run(asked: &Simulate) -> Result<(), Failure> {
    let battles = asked.battles.unwrap_or(if asked.until.is_some() { MOST } else { BATTLES });
    if battles == 0 {
        return Err(bad("--battles is one or more"));
    }
    let field = field(&asked.what, &asked.changed)?;
    let fought = &asked.fought;
    let players = if asked.quick { [Skill::Ensign; 2] } else { [fought.a, fought.b] };
    let plan = Plan {
        shard: asked.shard,
        until: asked.until,
        luck: if asked.raw || asked.quick { Luck::Left } else { Luck::Reckoned },
        longest: fought.longest,
        agreement: Agreement { one_sided: asked.adjudicate, even: asked.even },
        ..Plan::new(battles, players, fought.seed)
    };
    let (stop, bar) = (interruptible()?, Bar::new());
    let watch = Watch { progress: &|now| bar.tell(now), stop };
    let results = on_threads(fought.threads, || simulate(&*field, &plan, asked.out.as_deref(), watch))?;
    bar.finish();
    let results = results.map_err(told)?;
    tell_failures(asked.out.as_deref())?;
    let interrupted = stop.load(Ordering::Relaxed);
    if let Some(allowed) = asked.balance.as_ref().filter(|_| !interrupted) {
        let (laboratory, document) = varied(&asked.what, &asked.changed)?;
        let watch = Watch { progress: &|now| bar.tell(now), stop };
        // Each change is fought as often as the scenario was.
        let plan = Plan { battles: results.battles.len() as u64, until: None, shard: Shard::WHOLE, ..plan };
        let tried = on_threads(fought.threads, || balance(laboratory, &document, &plan, allowed, watch))?;
        bar.finish();
        let tried = tried.map_err(told)?;
        if asked.json {
            let mut all = summed_up(&results, interrupted);
            all["fairer"] = json!(fairer(&tried, &results));
            all["balance"] = json!(tried);
            return print_json(&all);
        }
        print(&format!("{}\n", text(&results)))?;
        return print(&balance_told(&tried, &results));
    }
    if asked.json {
        print_json(&summed_up(&results, interrupted))?;
    } else {
        print(&text(&results))?;
        if let Some(folder) = &asked.out {
            print(&format!("\ntables and report are in {}\n", folder.display()))?;
        }
        if interrupted {
            let kept = if asked.out.is_some() {
                "the same command goes on with it"
            } else {
                "name a folder with --out, and a run can be gone on with"
            };
            print(&format!("interrupted; {kept}\n"))?;
        }
    }
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

/// What came of a run, for machines.
pub(crate) fn summed_up(results: &Results, interrupted: bool) -> Json {
    let run = &results.run;
    let mean = |of: &dyn Fn(&sabretache_lab::Fought) -> f64| {
        results.battles.iter().map(of).sum::<f64>() / results.battles.len().max(1) as f64
    };
    json!({
        "scenario": run.setting.title,
        "ruleset": run.ruleset,
        "version": run.version,
        "players": run.players,
        "seed": run.seed,
        "shard": run.shard.to_string(),
        "battles": results.battles.len(),
        "planned": run.battles,
        "interrupted": interrupted,
        "won_a": results.won(Side::A),
        "won_b": results.won(Side::B),
        "drawn": results.drawn(),
        "points_a": results.points(),
        "without_luck": results.without_luck(),
        "answer": answer(results),
        "turns": mean(&|fought| f64::from(fought.turns)),
        "decisions": mean(&|fought| fought.decisions as f64),
        "lost_a": mean(&|fought| fought.lost(&run.roster, Side::A) as f64),
        "lost_b": mean(&|fought| fought.lost(&run.roster, Side::B) as f64),
    })
}
