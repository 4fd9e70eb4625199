//! The battle told afterwards, as a few pages.

use sabretache_engine::view::View;
use sabretache_story::{Account, Drawn, fortunes, losses, map};
use serde_json::json;

use crate::{Design, Paper};

/// The story; `maps` are the table first, at the end of each turning point, and last, with what stands below each.
#[must_use]
pub fn story(account: &Account, maps: &[(View, String)], turning: &[u32]) -> Paper {
    let setting = maps.first().map(|(view, _)| &view.setting);
    let place: Vec<&str> =
        setting.into_iter().flat_map(|setting| [&setting.date, &setting.place]).flatten().map(String::as_str).collect();
    let passages: Vec<_> = account
        .passages
        .iter()
        .filter(|passage| !passage.sentences.is_empty())
        .map(|passage| {
            let shown = turning.iter().position(|turn| *turn == passage.turn);
            json!({
                "turn": passage.turn,
                "text": passage.sentences.join(" "),
                "picture": shown.filter(|n| n + 2 < maps.len()).map(|n| n + 1),
            })
        })
        .collect();
    let first = maps.first().map(|(view, _)| view);
    let data = json!({
        "title": setting.map_or("", |setting| &setting.title),
        "under": place.join(" · "),
        "summary": setting.and_then(|setting| setting.summary.as_ref()),
        "armies": account.armies.join(" "),
        "passages": passages,
        "captions": maps.iter().map(|(_, caption)| caption).collect::<Vec<_>>(),
        "verdict": account.verdict.as_ref().map(|verdict| &verdict.sentence),
        "losses": first.map_or_else(Vec::new, |view| losses(account, view)),
        "fortunes": first.map_or_else(Vec::new, |view| fortunes(account, view)),
    });
    let drawn = |(n, (view, _)): (usize, &(View, String))| {
        (format!("map-{n}.svg"), map(view, Drawn { troops: true, names: true }))
    };
    Paper { design: Design::Story, data, pictures: maps.iter().enumerate().map(drawn).collect() }
}
