//! The report: one HTML page that needs nothing else.

mod plots;
mod svg;

use std::fmt::Write as _;

use sabretache_engine::ids::Side;

use crate::chance::Chances;
use crate::record::Run;
use crate::results::Results;
use crate::statistics::Share;
use crate::summary::{aims, endings, losses_by_unit, luck, side_name, text};
use crate::words::answer;
use svg::escaped;

const STYLE: &str = "
body{font:16px/1.5 Georgia,'Times New Roman',serif;margin:2rem auto;max-width:62rem;padding:0 1rem;color:#2a2620;background:#faf7f0}
h1,h2{font-weight:normal;line-height:1.2}h2{margin-top:2.2rem;border-top:1px solid #cfc6b4;padding-top:.8rem}
table{border-collapse:collapse;font-size:.9rem}td,th{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
svg{width:100%;height:auto;font:12px Georgia,serif}svg text{fill:#5a5244}svg .grid{stroke:#e3dccd}svg .axis{stroke:#8d8370}
pre{white-space:pre-wrap;font:13px/1.45 ui-monospace,monospace}.big{font-size:1.3rem}
.key i{display:inline-block;width:.9em;height:.9em;margin:0 .35em 0 1em;vertical-align:-.1em}
details{margin-top:1.5rem}@media print{details{display:none}}";

/// The colour of a side.
pub(crate) fn colour(run: &Run, side: Side) -> String {
    let known = run.setting.sides.get(side.index()).map(|side| side.colour.clone());
    let shape = |colour: &String| colour.len() == 7 && colour.starts_with('#');
    known.filter(shape).unwrap_or_else(|| ["#2d4a8f", "#b5382f"][side.index()].to_owned())
}

/// The page.
#[must_use]
pub fn html(results: &Results) -> String {
    let run = &results.run;
    let title = escaped(&run.setting.title);
    let mut page = format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'><title>{title}: {} battles</title><style>{STYLE}</style></head><body>",
        results.battles.len()
    );
    let _ = write!(page, "<h1>{title}</h1><p>{}</p>", escaped(&subtitle(run)));
    let won = |side: Side| {
        format!(
            "<td><b style='color:{}'>{}</b></td><td class=n>{}</td>",
            colour(run, side),
            escaped(&side_name(run, side)),
            results.won(side)
        )
    };
    let _ = write!(
        page,
        "<p class=big>{}</p><table class=big><tr>{}</tr><tr>{}</tr><tr><td>nobody</td><td class=n>{}</td></tr></table><p>{} battles; shares with their 95 % intervals.</p>",
        escaped(&answer(results)),
        won(Side::A),
        won(Side::B),
        results.drawn(),
        results.battles.len()
    );
    if results.battles.is_empty() {
        return page + "<p>No battle has been fought yet.</p></body></html>\n";
    }
    let key = Side::BOTH
        .map(|side| format!("<i style='background:{}'></i>{}", colour(run, side), escaped(&side_name(run, side))));
    let _ = write!(page, "<p class=key>{}</p>", key.concat());
    let mut section = |name: &str, note: &str, body: &str| {
        let _ = write!(page, "<h2>{name}</h2><p>{note}</p>{body}");
    };
    section(
        "How the result settled",
        "The share won by each side, with its 95 % interval, battle after battle.",
        &plots::settling(results),
    );
    section("Length", "In which turn the battles ended.", &plots::length(results));
    section(
        "Losses by side and command",
        "The share of its units that each command lost on average.",
        &plots::commands(results),
    );
    section(
        "Survival of each unit by turn",
        "The share of battles in which a unit was still on the table at the end of each turn.",
        &plots::survival(results),
    );
    section(
        "Where units were lost",
        "The last place of every unit that left the table; at most the first 4,000 of them.",
        &plots::map(results),
    );
    section(
        "Luck",
        if luck(results).1 {
            "How much the dice brought A in chances of winning, against what was to be expected of them, over all battles (grey) and over those that A won."
        } else {
            "How much luckier A's dice were than B's, in rolls, over all battles (grey) and over those that A won."
        },
        &plots::luck(results),
    );
    section("How they ended", "", &ending_table(results));
    if !run.aims.is_empty() {
        section("What was asked for", "Who had it when the battle ended.", &aim_table(results));
    }
    if let Some(chances) = Chances::named(&run.ruleset) {
        let note = format!(
            "The chances of winning by which luck is taken out, held against {} battles that they were not fitted on: what was told, and what came of it. Brier score {:.3}; always one half would have {:.3}.",
            chances.calibration.battles, chances.calibration.brier, chances.calibration.brier_of_half
        );
        section("Are the chances right?", &note, &plots::reliability(&chances.calibration));
    }
    section("Every unit", "", &unit_table(results));
    let _ = writeln!(
        page,
        "<details><summary>In words</summary><pre>{}</pre></details><details><summary>The scenario as it was fought</summary><pre>{}</pre></details></body></html>",
        escaped(&text(results)),
        escaped(&serde_json::to_string_pretty(&run.scenario).unwrap_or_default())
    );
    page
}

fn subtitle(run: &Run) -> String {
    let changed = run.scenario.get("numbers").and_then(|numbers| numbers.as_object());
    let changed = changed.filter(|numbers| !numbers.is_empty()).map(|numbers| {
        let list = numbers.iter().map(|(name, value)| format!("{name} = {value}"));
        format!(" Changed: {}.", list.collect::<Vec<_>>().join(", "))
    });
    format!(
        "{} (version {}), {} for {} against {} for {}, seed {}.{}",
        if run.title.is_empty() { &run.ruleset } else { &run.title },
        run.version,
        run.players[0],
        side_name(run, Side::A),
        run.players[1],
        side_name(run, Side::B),
        run.seed,
        changed.unwrap_or_default()
    )
}

fn ending_table(results: &Results) -> String {
    let count = results.battles.len() as f64;
    let row = |(ending, n): (String, usize)| {
        format!("<tr><td class=n>{:.1} %</td><td>{}</td></tr>", 100.0 * n as f64 / count, escaped(&ending))
    };
    format!("<table>{}</table>", endings(results).into_iter().take(20).map(row).collect::<String>())
}

fn aim_table(results: &Results) -> String {
    let run = &results.run;
    let head = Side::BOTH.map(|side| format!("<th class=n>{}</th>", escaped(&side_name(run, side)))).concat();
    let row = |(aim, shares): (&String, [Share; 2])| {
        format!("<tr><td>{}</td><td class=n>{}</td><td class=n>{}</td></tr>", escaped(aim), shares[0], shares[1])
    };
    let rows: String = run.aims.iter().zip(aims(results)).map(row).collect();
    format!("<table><tr><th></th>{head}</tr>{rows}</table>")
}

fn unit_table(results: &Results) -> String {
    let run = &results.run;
    let row = |(unit, share): (&crate::record::Rostered, Share)| {
        format!(
            "<tr><td style='color:{}'>{}</td><td>{}</td><td class=n>{share}</td></tr>",
            colour(run, unit.side),
            escaped(&unit.name),
            escaped(unit.command.as_deref().unwrap_or("")),
        )
    };
    let rows: String = run.roster.iter().zip(losses_by_unit(results)).map(row).collect();
    format!("<table><tr><th>unit</th><th>command</th><th class=n>lost</th></tr>{rows}</table>")
}
