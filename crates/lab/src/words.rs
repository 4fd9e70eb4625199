//! What came of a run, as one would tell it to the designer of the scenario.

use sabretache_engine::ids::Side;

use crate::record::Fought;
use crate::results::Results;
use crate::summary::side_name;

/// What a scenario asks for is told as the reason of victories only if it was there in so many of them,
const OFTEN: f64 = 0.5;
/// and in so many more of them than of the other battles.
const TELLING: f64 = 0.15;
/// Units that had no part in the battle are worth a sentence from this share on.
const MANY: f64 = 0.25;
/// A share of the points between these is called fair.
const FAIR: [f64; 2] = [0.45, 0.55];

/// A few sentences: who wins how often, by what, who had no part in it, whether it is fair.
#[must_use]
pub fn answer(results: &Results) -> String {
    if results.battles.is_empty() {
        return "No battle has been fought.".into();
    }
    let mut said = vec![who_wins(results)];
    said.extend(Side::BOTH.iter().filter_map(|side| won_by(results, *side)));
    said.extend(Side::BOTH.iter().filter_map(|side| idle(results, *side)));
    said.extend(Side::BOTH.iter().filter_map(|side| never_came(results, *side)));
    said.push(fair(results));
    said.join(" ")
}

fn in_100(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

fn who_wins(results: &Results) -> String {
    let [a, b] = Side::BOTH.map(|side| (results.won(side), side_name(&results.run, side)));
    let ((first, name), (second, other)) = if a.0.value >= b.0.value { (a, b) } else { (b, a) };
    let within = format!("± {:.1}", 100.0 * first.half_width());
    let drawn = match results.drawn() {
        none if none.count == 0.0 => String::new(),
        some => format!(", {} are drawn", in_100(some.value)),
    };
    let mut said =
        format!("Victory: {name} {} {within} in 100, {other} {}{drawn}.", in_100(first.value), in_100(second.value));
    if let Some(adjusted) = results.without_luck() {
        let side = side_name(&results.run, Side::A);
        let better = if adjusted.factor >= 1.05 {
            format!(", as if {:.1} times as many had been fought", adjusted.factor)
        } else {
            String::new()
        };
        said += &format!(
            " With the luck of the dice taken out and a draw as half: {side} {:.1} ± {:.1}{better}.",
            100.0 * adjusted.value,
            100.0 * adjusted.within
        );
    }
    said
}

/// The thing asked for that goes with a side's victories most.
fn won_by(results: &Results, side: Side) -> Option<String> {
    let (victories, others): (Vec<&Fought>, Vec<&Fought>) =
        results.battles.iter().partition(|fought| fought.winner == Some(side));
    if victories.len() < 10 {
        return None;
    }
    let share = |battles: &[&Fought], n: usize| {
        let held = battles.iter().filter(|fought| fought.aims.get(n) == Some(&Some(side))).count();
        held as f64 / battles.len().max(1) as f64
    };
    let aims = (0..results.run.aims.len()).map(|n| (n, share(&victories, n), share(&others, n)));
    let telling = aims.filter(|(_, with, without)| *with >= OFTEN && with - without >= TELLING);
    let (n, with, without) = telling.max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)).then(b.0.cmp(&a.0)))?;
    Some(format!(
        "{} by \u{201c}{}\u{201d}: so at the end of {} in 100 of these victories and of {} in 100 other battles.",
        side_name(&results.run, side),
        results.run.aims[n],
        in_100(with),
        in_100(without)
    ))
}

/// The mean number of a side's units for which something holds, and how many it has.
fn mean(results: &Results, side: Side, which: impl Fn(&Fought) -> &[usize]) -> (f64, usize) {
    let roster = &results.run.roster;
    let mine = |unit: &usize| roster.get(*unit).is_some_and(|one| one.side == side);
    let sum: usize = results.battles.iter().map(|fought| which(fought).iter().filter(|unit| mine(unit)).count()).sum();
    let units = roster.iter().filter(|one| one.side == side).count();
    (sum as f64 / results.battles.len() as f64, units)
}

fn idle(results: &Results, side: Side) -> Option<String> {
    let (spared, units) = mean(results, side, |fought| &fought.spared);
    let share = spared / units.max(1) as f64;
    (share >= MANY).then(|| {
        let name = side_name(&results.run, side);
        format!("{name}: {} in 100 of the units were never shot at or charged.", in_100(share))
    })
}

fn never_came(results: &Results, side: Side) -> Option<String> {
    let (waited, units) = mean(results, side, |fought| &fought.waited);
    (waited >= 0.05).then(|| {
        let name = side_name(&results.run, side);
        format!("{name}: {waited:.1} of {units} units never came onto the table.")
    })
}

fn fair(results: &Results) -> String {
    let (value, within) = match results.without_luck() {
        Some(adjusted) if adjusted.factor >= 1.0 => (adjusted.value, adjusted.within),
        _ => (results.points().value, results.points().half_width()),
    };
    let favoured = side_name(&results.run, if value > 0.5 { Side::A } else { Side::B });
    if value - within >= FAIR[0] && value + within <= FAIR[1] {
        "It is fair between these players.".into()
    } else if value + within < FAIR[0] || value - within > FAIR[1] {
        format!("Between these players it favours {favoured}.")
    } else {
        "Too few battles to tell whether it is fair.".into()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::record::{Fought, Rostered, Run, Shard};
    use sabretache_engine::view::{Setting, SideView};
    use sabretache_players::Skill;
    use serde_json::Value as Json;

    fn side(side: Side, name: &str) -> SideView {
        SideView { side, name: name.into(), colour: "#000000".into() }
    }

    fn run() -> Run {
        let unit = |id: &str, side| Rostered { id: id.into(), name: id.into(), side, command: None };
        Run {
            ruleset: "picket".into(),
            title: String::new(),
            version: "1".into(),
            scenario: Json::Null,
            setting: Setting {
                sides: vec![side(Side::A, "Red"), side(Side::B, "Blue")],
                ..serde_json::from_value(serde_json::json!({
                    "ruleset": "picket", "title": "The ford", "date": null, "place": null, "summary": "", "measure": "cm",
                    "width": 0, "depth": 0, "sides": [], "ground": []
                }))
                .unwrap_or_else(|error| panic!("{error}"))
            },
            roster: vec![unit("r1", Side::A), unit("r2", Side::A), unit("b1", Side::B), unit("b2", Side::B)],
            aims: vec!["the ford".into()],
            chances: None,
            players: [Skill::Recruit; 2],
            seed: 1,
            battles: 100,
            longest: 1,
            agreement: None,
            even: None,
            shard: Shard::WHOLE,
        }
    }

    pub(crate) fn results(battles: Vec<Fought>) -> Results {
        Results { run: run(), battles }
    }

    pub(crate) fn fought(battle: u64, winner: Option<Side>) -> Fought {
        Fought {
            battle,
            seed: battle,
            winner,
            over: true,
            turns: 1,
            decisions: 1,
            luck: [0.0; 2],
            swing: None,
            ending: String::new(),
            aims: vec![winner],
            waited: vec![3],
            spared: vec![0],
            losses: Vec::new(),
        }
    }

    #[test]
    fn it_is_told_who_wins_by_what_and_who_had_no_part_in_it() {
        let winner = |n: u64| {
            if n < 60 {
                Some(Side::A)
            } else if n < 90 {
                Some(Side::B)
            } else {
                None
            }
        };
        let battles = (0..100).map(|n| fought(n, winner(n))).collect();
        let told = answer(&Results { run: run(), battles });
        for wanted in [
            "Victory: Red 60 ± 9.4 in 100, Blue 30, 10 are drawn.",
            "Red by “the ford”: so at the end of 100 in 100 of these victories and of 0 in 100 other battles.",
            "Red: 50 in 100 of the units were never shot at or charged.",
            "Blue: 1.0 of 2 units never came onto the table.",
            "favours Red",
        ] {
            assert!(told.contains(wanted), "{wanted}: {told}");
        }
    }

    #[test]
    fn a_few_even_battles_tell_nothing_and_many_tell_that_it_is_fair() {
        let even = |count: u64| {
            let battles = (0..count).map(|n| fought(n, Some(Side::BOTH[(n % 2) as usize]))).collect();
            answer(&Results { run: run(), battles })
        };
        assert!(even(20).contains("Too few"), "{}", even(20));
        assert!(even(2_000).contains("It is fair"), "{}", even(2_000));
    }
}
