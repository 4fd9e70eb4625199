//! The account as a page of its own: nothing is fetched, and it prints.

use std::fmt::Write as _;

use sabretache_engine::ids::Side;
use sabretache_engine::view::View;

use crate::map::{Drawn, escaped, map};
use crate::prose::{army, listed, number, sentence, within};
use crate::telling::{Account, Distinguished, Fortune};

const STYLE: &str = "body{margin:0;background:#f4eedd;color:#2a2318;font:18px/1.55 'EB Garamond','Libertinus Serif',Georgia,serif}\
main{max-width:46rem;margin:0 auto;padding:2.5rem 1.2rem}h1{font-size:2.6rem;margin:0;letter-spacing:.02em}\
h2{font-variant:small-caps;letter-spacing:.06em;font-weight:500;margin:2.2rem 0 .4rem;border-bottom:1px solid #b7a678}\
.where{font-style:italic;color:#5c5039;margin:.2rem 0 1.4rem}figure{margin:1.4rem 0}figure svg{width:100%;height:auto;display:block}\
figcaption{font-style:italic;color:#5c5039;font-size:.95rem;margin-top:.3rem}p{margin:.5rem 0;text-align:justify;hyphens:auto}\
.turn{font-variant:small-caps;letter-spacing:.05em;margin-right:.5em;color:#8e3b32}table{border-collapse:collapse;width:100%;font-size:.95rem}\
td,th{padding:.15rem .5rem;border-bottom:1px solid #d9cba6;text-align:left;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}\
@media print{body{background:none;font-size:11pt}main{padding:0;max-width:none}figure,table,h2+p{break-inside:avoid}.film{display:none}}";

/// The page; `maps` are the table first, at each turning point and last, with what stands below each.
#[must_use]
pub fn page(account: &Account, maps: &[(View, String)], turning: &[u32], film: &str) -> String {
    let Some((first, _)) = maps.first() else { return String::new() };
    let setting = &first.setting;
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title><style>{STYLE}</style></head><body><main>\n<h1>{0}</h1>\n",
        escaped(&setting.title)
    );
    let place: Vec<&str> = [&setting.date, &setting.place].into_iter().flatten().map(String::as_str).collect();
    let _ = writeln!(html, "<p class=\"where\">{}</p>", escaped(&place.join(" · ")));
    if let Some(summary) = &setting.summary {
        let _ = writeln!(html, "<p>{}</p>", escaped(summary));
    }
    if !account.armies.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", escaped(&account.armies.join(" ")));
    }
    html.push_str(&figure(maps.first()));
    html.push_str("<h2>The battle</h2>\n");
    for passage in account.passages.iter().filter(|passage| !passage.sentences.is_empty()) {
        let told = escaped(&passage.sentences.join(" "));
        let _ = writeln!(html, "<p><span class=\"turn\">Turn {}</span>{told}</p>", passage.turn);
        if let Some(n) = turning.iter().position(|turn| *turn == passage.turn) {
            html.push_str(&figure(maps.get(n + 1)));
        }
    }
    if let Some(verdict) = &account.verdict {
        let _ = writeln!(html, "<p><strong>{}</strong></p>", escaped(&verdict.sentence));
    }
    html.push_str(&figure(maps.last().filter(|_| maps.len() > 1)));
    html.push_str(&losses_table(account, first));
    html.push_str("<h2>Distinguished, and fortune</h2>\n");
    for told in fortunes(account, first) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&told));
    }
    if !film.is_empty() {
        let _ = writeln!(html, "<figure class=\"film\">{film}<figcaption>The whole battle</figcaption></figure>");
    }
    html + "</main></body></html>\n"
}

fn figure(shown: Option<&(View, String)>) -> String {
    let drawn = |(view, caption): &(View, String)| {
        let picture = map(view, Drawn { troops: true, names: true });
        format!("<figure>{picture}<figcaption>{}</figcaption></figure>\n", escaped(caption))
    };
    shown.map_or(String::new(), drawn)
}

fn side_name(view: &View, side: Side) -> &str {
    view.setting.sides.iter().find(|one| one.side == side).map_or("", |one| one.name.as_str())
}

/// Who left the field for good: whose, who, what became of them.
#[must_use]
pub fn losses(account: &Account, view: &View) -> Vec<[String; 3]> {
    let told =
        |(side, name, why): &(Side, String, String)| [side_name(view, *side).to_owned(), name.clone(), why.clone()];
    account.lost.iter().map(told).collect()
}

/// "the 20th broke two of the enemy, the 1er Léger and the Polish Legion".
fn before_whom(one: &Distinguished) -> String {
    let over: Vec<String> = one.over.iter().map(|name| within(name)).collect();
    match over.as_slice() {
        [only] => format!("{} broke {only}", within(&one.name)),
        _ => format!(
            "{} broke {} of the enemy, {}",
            within(&one.name),
            number(u32::try_from(over.len()).unwrap_or(u32::MAX)),
            listed(&over)
        ),
    }
}

fn losses_table(account: &Account, view: &View) -> String {
    let lost = losses(account, view);
    if lost.is_empty() {
        return "<h2>Losses</h2>\n<p>Nobody left the field for good.</p>\n".into();
    }
    let mut html =
        String::from("<h2>Losses</h2>\n<table><tr><th>Side</th><th>Who</th><th>What became of them</th></tr>\n");
    for [side, who, why] in &lost {
        let _ = writeln!(html, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", escaped(side), escaped(who), escaped(why));
    }
    html + "</table>\n"
}

/// Who distinguished himself, who did better than the dice promised, and whom they let down; a paragraph each.
#[must_use]
pub fn fortunes(account: &Account, view: &View) -> Vec<String> {
    let mut all = Vec::new();
    for side in &view.setting.sides {
        let best: Vec<String> =
            account.distinguished.iter().filter(|one| one.side == side.side).map(before_whom).collect();
        if !best.is_empty() {
            all.push(sentence(&format!("of {}, {}", army(&side.name), best.join("; "))));
        }
    }
    let told = |one: &Fortune| {
        let better = if one.luck >= 0.0 { "better" } else { "worse" };
        format!(
            "{} ({} {}, {:.1} {better} than the odds)",
            within(&one.name),
            one.rolls,
            if one.rolls == 1 { "roll" } else { "rolls" },
            one.luck.abs()
        )
    };
    for side in &view.setting.sides {
        let mine: Vec<&Fortune> = account.fortunes.iter().filter(|one| one.side == side.side).collect();
        let best: Vec<String> = mine.iter().filter(|one| one.luck > 0.3).take(3).map(|one| told(one)).collect();
        let worst: Vec<String> = mine.iter().rev().filter(|one| one.luck < -0.3).take(2).map(|one| told(one)).collect();
        if !best.is_empty() {
            let best = best.join("; ");
            all.push(sentence(&format!("the dice were kindest, of {}, to {best}", army(&side.name))));
        }
        if !worst.is_empty() {
            all.push(sentence(&format!("they forsook {}", worst.join("; "))));
        }
    }
    for side in account.sides.iter().filter(|side| side.rolls > 0) {
        let how = if side.luck >= 0.0 { "more" } else { "less" };
        all.push(format!("{}: {} rolls, {:.1} {how} than the odds.", side.name, side.rolls, side.luck.abs()));
    }
    all
}
