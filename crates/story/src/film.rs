//! The whole battle as a short film: an SVG in which units stand where they stood, moment by moment.
//!
//! A unit is drawn once for as long as it does not change, so that a long battle is a small file. Any browser plays it.

use std::fmt::Write as _;

use sabretache_engine::view::View;

use crate::map::{escaped, shapes, sheet};

/// Seconds that a frame is shown, and frames that the last one stays for.
const SECONDS: f64 = 0.5;
const STAYS: usize = 6;

/// A moment of the battle.
pub struct Frame {
    /// The table as it stood.
    pub view: View,
    /// What is written below it.
    pub caption: String,
}

/// Something that is seen from one frame up to another.
struct Run {
    key: String,
    svg: String,
    from: usize,
    to: usize,
}

/// The film of these frames; nothing where there are none.
#[must_use]
pub fn film(frames: &[Frame]) -> String {
    let Some(first) = frames.first() else { return String::new() };
    let mut runs: Vec<Run> = Vec::new();
    for (n, frame) in frames.iter().enumerate() {
        let caption = ("caption".to_owned(), escaped(&frame.caption));
        for (key, svg) in shapes(&frame.view).into_iter().chain([caption]) {
            match runs.iter_mut().rev().find(|run| run.key == key).filter(|run| run.to == n && run.svg == svg) {
                Some(run) => run.to = n + 1,
                None => runs.push(Run { key, svg, from: n, to: n + 1 }),
            }
        }
    }
    let total = (frames.len() + STAYS) as f64;
    let (below, above) = sheet(&first.view);
    let size = first.view.setting.width.f().max(first.view.setting.depth.f()) / 1000.0 / 100.0;
    let mut svg = below;
    for run in &runs {
        let last = run.to == frames.len();
        let (from, to) = (run.from as f64 / total, if last { 1.0 } else { run.to as f64 / total });
        let shown = if last { "visible" } else { "hidden" };
        let body = match run.key.as_str() {
            "caption" => format!(
                "<text x=\"{0:.1}\" y=\"{1:.1}\" font-size=\"{2:.1}\" fill=\"#3f3524\" stroke=\"#ece4d0\" stroke-width=\"{3:.1}\" paint-order=\"stroke\">{4}</text>",
                size * 1.6,
                size * 3.4,
                size * 2.0,
                size * 0.5,
                run.svg
            ),
            _ => run.svg.clone(),
        };
        let _ = write!(svg, "<g visibility=\"{shown}\">{body}");
        if run.from > 0 || !last {
            let (values, times) = match (run.from, last) {
                (0, _) => ("visible;hidden".to_owned(), format!("0;{to:.5}")),
                (_, true) => ("hidden;visible".to_owned(), format!("0;{from:.5}")),
                _ => ("hidden;visible;hidden".to_owned(), format!("0;{from:.5};{to:.5}")),
            };
            let _ = write!(
                svg,
                "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{values}\" keyTimes=\"{times}\" dur=\"{:.1}s\" repeatCount=\"indefinite\"/>",
                total * SECONDS
            );
        }
        svg.push_str("</g>\n");
    }
    svg + &above + "</svg>\n"
}
