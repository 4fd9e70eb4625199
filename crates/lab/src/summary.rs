//! What came of a run, in a page of text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sabretache_engine::ids::Side;

use crate::record::Run;
use crate::results::Results;
use crate::statistics::{Share, mean_and_deviation};
use crate::words::answer;

/// The name of a side.
pub(crate) fn side_name(run: &Run, side: Side) -> String {
    run.setting.sides.get(side.index()).map_or_else(|| side.to_string(), |side| side.name.clone())
}

/// How often each unit was lost, in the order of the roster.
pub(crate) fn losses_by_unit(results: &Results) -> Vec<Share> {
    let mut lost = vec![0u64; results.run.roster.len()];
    for loss in results.battles.iter().flat_map(|fought| &fought.losses) {
        if let Some(count) = lost.get_mut(loss.unit) {
            *count += 1;
        }
    }
    lost.into_iter().map(|count| Share::new(count as f64, results.battles.len() as u64)).collect()
}

/// The share of its units that each command lost on average, by side and name; units without a command go by their side.
pub(crate) fn losses_by_command(results: &Results) -> Vec<(Side, String, f64, usize)> {
    let by_unit = losses_by_unit(results);
    let mut commands: BTreeMap<(Side, String), (f64, usize)> = BTreeMap::new();
    for (unit, share) in results.run.roster.iter().zip(&by_unit) {
        let name = unit.command.clone().unwrap_or_else(|| side_name(&results.run, unit.side));
        let sum = commands.entry((unit.side, name)).or_default();
        *sum = (sum.0 + share.value, sum.1 + 1);
    }
    commands.into_iter().map(|((side, name), (sum, units))| (side, name, sum / units as f64, units)).collect()
}

/// How often each way to end came up, the most frequent first.
pub(crate) fn endings(results: &Results) -> Vec<(String, usize)> {
    let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
    for fought in &results.battles {
        let ending = if fought.over { fought.ending.as_str() } else { "stopped before its end" };
        *endings.entry(ending).or_default() += 1;
    }
    let mut endings: Vec<(String, usize)> = endings.into_iter().map(|(text, n)| (text.to_owned(), n)).collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    endings
}

/// How often each side had each thing that the scenario asks for when a battle ended.
pub(crate) fn aims(results: &Results) -> Vec<[Share; 2]> {
    let held = |n: usize, side: Side| {
        let held = results.battles.iter().filter(|fought| fought.aims.get(n) == Some(&Some(side))).count();
        Share::new(held as f64, results.battles.len() as u64)
    };
    (0..results.run.aims.len()).map(|n| Side::BOTH.map(|side| held(n, side))).collect()
}

/// How much luckier A was than B in each battle, and whether that is told in chances of winning: where they were not reckoned in every battle, in
/// rolls, which do not know what hung on them.
pub(crate) fn luck(results: &Results) -> (Vec<f64>, bool) {
    let in_chances: Option<Vec<f64>> = results.battles.iter().map(|fought| fought.swing).collect();
    let told = in_chances.is_some();
    let in_rolls = || results.battles.iter().map(|fought| fought.luck[0] - fought.luck[1]).collect();
    (in_chances.unwrap_or_else(in_rolls), told)
}

/// How far luck decided: the share of decided battles that the luckier side won.
pub(crate) fn won_by_the_luckier(results: &Results) -> Share {
    let (luck, _) = luck(results);
    let decided = results.battles.iter().zip(luck).filter_map(|(fought, luck)| Some((fought.winner?, luck)));
    let (mut lucky, mut all) = (0.0, 0);
    for (winner, luck) in decided {
        all += 1;
        let for_winner = if winner == Side::A { luck } else { -luck };
        lucky += f64::from(u8::from(for_winner > 0.0));
    }
    Share::new(lucky, all)
}

/// The summary.
#[must_use]
pub fn text(results: &Results) -> String {
    let run = &results.run;
    let count = results.battles.len();
    let mut text = format!("{}: {count} battles", run.setting.title);
    if count as u64 != run.battles {
        let _ = write!(text, " of {} planned", run.battles);
    }
    let _ = writeln!(text, ", {} against {}, seed {}\n", run.players[0], run.players[1], run.seed);
    let _ = writeln!(text, "{}\n", answer(results));
    for side in Side::BOTH {
        let _ = writeln!(text, "{:<24} won  {}", side_name(run, side), results.won(side));
    }
    let _ = writeln!(text, "{:<24}      {}\n", "nobody", results.drawn());
    let raw = results.points();
    let _ = write!(
        text,
        "points of {} (a draw as half): {:.1} ± {:.1} as they were fought",
        side_name(run, Side::A),
        100.0 * raw.value,
        100.0 * raw.half_width()
    );
    if let Some(adjusted) = results.without_luck() {
        let _ = write!(
            text,
            ", {:.1} ± {:.1} with the luck taken out (factor {:.2})",
            100.0 * adjusted.value,
            100.0 * adjusted.within,
            adjusted.factor
        );
    }
    let _ = writeln!(text);
    let of = |value: &dyn Fn(&crate::record::Fought) -> f64| {
        mean_and_deviation(&results.battles.iter().map(value).collect::<Vec<_>>())
    };
    let (turns, spread) = of(&|fought| f64::from(fought.turns));
    let (decisions, _) = of(&|fought| fought.decisions as f64);
    let _ = writeln!(text, "length: {turns:.1} turns (± {spread:.1}), {decisions:.0} decisions");
    for side in Side::BOTH {
        let (lost, spread) = of(&|fought| fought.lost(&run.roster, side) as f64);
        let units = run.roster.iter().filter(|unit| unit.side == side).count();
        let _ = writeln!(text, "{:<24} lost {lost:.1} (± {spread:.1}) of {units} units", side_name(run, side));
    }
    let luckier = won_by_the_luckier(results);
    if luckier.of > 0 {
        let _ = writeln!(
            text,
            "the luckier side won {luckier} of the decided battles{}",
            if luck(results).1 { ", by chances of winning" } else { ", by rolls" }
        );
    }
    if !run.aims.is_empty() {
        let _ = writeln!(text, "\nwhat was asked for, and who had it at the end");
        for (aim, shares) in run.aims.iter().zip(aims(results)) {
            let [a, b] = shares.map(|share| format!("{:>5.1} %", 100.0 * share.value));
            let _ = writeln!(text, "{a} {}  {b} {}  {aim}", side_name(run, Side::A), side_name(run, Side::B));
        }
    }
    let _ = writeln!(text, "\nhow they ended");
    for (ending, n) in endings(results).into_iter().take(8) {
        let _ = writeln!(text, "{:>6.1} %  {ending}", 100.0 * n as f64 / count.max(1) as f64);
    }
    let mut units: Vec<_> = run.roster.iter().zip(losses_by_unit(results)).collect();
    units.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let _ = writeln!(text, "\nlost most often");
    for (unit, share) in units.into_iter().take(10) {
        let _ = writeln!(text, "{:>6.1} %  {} ({})", 100.0 * share.value, unit.name, side_name(run, unit.side));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{fought, results};

    #[test]
    fn the_luckier_side_is_the_one_whose_chances_the_dice_raised_where_that_was_reckoned() {
        // A rolled well three times and lost the one roll that counted.
        let battle = |swing| {
            let mut one = fought(0, Some(Side::B));
            (one.luck, one.swing) = ([1.5, 0.0], swing);
            one
        };
        let by_chances = results(vec![battle(Some(-0.4))]);
        assert_eq!(luck(&by_chances), (vec![-0.4], true));
        assert_eq!(won_by_the_luckier(&by_chances).count, 1.0);
        assert!(text(&by_chances).contains("by chances of winning"));
        // Where one battle was not reckoned none is told so.
        let by_rolls = results(vec![battle(Some(-0.4)), battle(None)]);
        assert_eq!(luck(&by_rolls), (vec![1.5, 1.5], false));
        assert_eq!(won_by_the_luckier(&by_rolls).count, 0.0);
    }
}
