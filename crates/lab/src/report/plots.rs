//! The plots of a report.

use std::fmt::Write as _;

use sabretache_engine::ids::Side;
use sabretache_engine::view::{GroundStyle, GroundView};

use super::colour;
use super::svg::{Plot, escaped, ticks};
use crate::chance::Calibration;
use crate::results::Results;
use crate::statistics::Share;
use crate::summary::{losses_by_command, luck as luck_of_each, side_name};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
/// No more places than this are drawn on the map.
const MOST_PLACES: usize = 4_000;

/// The share won by each side, battle after battle, with its interval.
pub(super) fn settling(results: &Results) -> String {
    let count = results.battles.len();
    let mut plot = Plot::new(WIDTH, HEIGHT, (1.0, count as f64), (0.0, 1.0));
    plot.axes("battles", "share won", &ticks(1.0, count as f64), &ticks(0.0, 1.0));
    // A few hundred places are enough for the eye.
    let step = count.div_ceil(300).max(1);
    for side in Side::BOTH {
        let (mut won, mut line, mut low, mut high) = (0.0, Vec::new(), Vec::new(), Vec::new());
        for (n, fought) in results.battles.iter().enumerate() {
            won += f64::from(u8::from(fought.winner == Some(side)));
            if n % step == 0 || n + 1 == count {
                let (share, x) = (Share::new(won, n as u64 + 1), n as f64 + 1.0);
                line.push((x, share.value));
                low.push((x, share.low));
                high.push((x, share.high));
            }
        }
        let colour = colour(&results.run, side);
        plot.band(&low, &high, &colour);
        plot.line(&line, &colour);
    }
    plot.finish("win rate of both sides as the run goes on")
}

/// What was told as the chance of winning, against what came of it: right chances lie on the diagonal.
pub(super) fn reliability(calibration: &Calibration) -> String {
    let mut plot = Plot::new(WIDTH / 2.0, HEIGHT, (0.0, 1.0), (0.0, 1.0));
    plot.axes("chance told", "came true", &ticks(0.0, 1.0), &ticks(0.0, 1.0));
    plot.line(&[(0.0, 0.0), (1.0, 1.0)], "#cfc6b4");
    let bins: Vec<(f64, f64)> =
        calibration.bins.iter().filter(|bin| bin.moments > 0).map(|bin| (bin.told, bin.came)).collect();
    plot.line(&bins, "#2d4a8f");
    plot.finish("chances of winning told, against what came of them")
}

/// How many battles ended in each turn.
pub(super) fn length(results: &Results) -> String {
    let turns: Vec<u32> = results.battles.iter().map(|fought| fought.turns).collect();
    let (first, last) = (turns.iter().min().copied().unwrap_or(0), turns.iter().max().copied().unwrap_or(0));
    let count = |turn: u32| turns.iter().filter(|other| **other == turn).count();
    let share = |turn: u32| count(turn) as f64 / turns.len() as f64;
    let highest = (first..=last).map(share).fold(0.0, f64::max);
    // From the first turn on, and wide enough that a single bar is not a wall.
    let ends = (0.5, f64::from(last.max(8)) + 0.5);
    let mut plot = Plot::new(WIDTH, HEIGHT, ends, (0.0, highest));
    plot.axes("turn", "share of battles", &whole(ticks(ends.0, ends.1)), &ticks(0.0, highest));
    for turn in first..=last {
        let x = f64::from(turn);
        let title = format!("turn {turn}: {} battles", count(turn));
        plot.bar((x - 0.45, x + 0.45), share(turn), "#8d8370", &title);
    }
    plot.finish("in which turn battles ended")
}

fn whole(ticks: Vec<f64>) -> Vec<f64> {
    ticks.into_iter().filter(|tick| (tick - libm::round(*tick)).abs() < 1e-9).collect()
}

/// A name that fits beside a row.
fn shortened(name: &str) -> String {
    const MOST: usize = 34;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(MOST - 1).collect();
    short.truncate(short.trim_end().len());
    short + "…"
}

/// The share of its units that each command lost, as bars lying down.
pub(super) fn commands(results: &Results) -> String {
    let rows = losses_by_command(results);
    let height = 26.0 * rows.len() as f64 + 34.0;
    let mut svg = format!("<svg viewBox='0 0 {WIDTH} {height}' role=img aria-label='losses by command'>");
    let (left, room) = (260.0, WIDTH - 340.0);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (x, bottom) = (left + room * share, height - 26.0);
        let _ = write!(
            svg,
            "<line class=grid x1={x:.1} x2={x:.1} y1=2 y2={bottom:.1} /><text x={x:.1} y={:.1} text-anchor=middle>{:.0} %</text>",
            height - 10.0,
            100.0 * share
        );
    }
    for (n, (side, name, share, units)) in rows.iter().enumerate() {
        let y = 26.0 * n as f64 + 8.0;
        let _ = write!(
            svg,
            "<text x={0:.1} y={1:.1} text-anchor=end>{2} ({units})</text><rect x={left} y={y} width={3:.1} height=18 fill='{4}' /><text x={5:.1} y={1:.1}>{6:.0} %</text>",
            left - 8.0,
            y + 13.0,
            escaped(&shortened(name)),
            room * share,
            colour(&results.run, *side),
            left + room * share + 6.0,
            100.0 * share
        );
    }
    svg + "</svg>"
}

/// The share of battles in which each unit was still there, turn by turn: a row a unit, a column a turn.
pub(super) fn survival(results: &Results) -> String {
    let run = &results.run;
    let last = results.battles.iter().map(|fought| fought.turns).max().unwrap_or(0).min(60) as usize;
    let mut lost = vec![vec![0u32; last + 1]; run.roster.len()];
    for loss in results.battles.iter().flat_map(|fought| &fought.losses) {
        if let Some(row) = lost.get_mut(loss.unit) {
            row[(loss.turn as usize).min(last)] += 1;
        }
    }
    let count = results.battles.len() as f64;
    let (left, cell, row_height) = (230.0, (WIDTH - 250.0) / last.max(1) as f64, 20.0);
    let height = row_height * run.roster.len() as f64 + 30.0;
    let mut svg = format!("<svg viewBox='0 0 {WIDTH} {height}' role=img aria-label='survival of each unit by turn'>");
    for (n, (unit, lost)) in run.roster.iter().zip(&lost).enumerate() {
        let y = row_height * n as f64 + 2.0;
        let _ = write!(
            svg,
            "<text x={:.1} y={:.1} text-anchor=end>{}</text>",
            left - 8.0,
            y + 13.0,
            escaped(&shortened(&unit.name))
        );
        let mut gone = f64::from(lost[0]);
        for (turn, lost) in lost.iter().enumerate().skip(1) {
            gone += f64::from(*lost);
            let share = 1.0 - gone / count;
            let x = left + cell * (turn - 1) as f64;
            let _ = write!(
                svg,
                "<rect x={x:.1} y={y:.1} width={:.1} height={:.1} fill='{}' fill-opacity={share:.2}><title>{}, turn {turn}: {:.0} %</title></rect>",
                (cell - 1.0).max(0.5),
                row_height - 3.0,
                colour(run, unit.side),
                escaped(&unit.name),
                100.0 * share
            );
            if cell > 34.0 {
                let ink = if share > 0.55 { "#fff" } else { "#2a2620" };
                let _ = write!(
                    svg,
                    "<text x={:.1} y={:.1} text-anchor=middle style='fill:{ink}'>{:.0}</text>",
                    x + cell / 2.0,
                    y + 13.0,
                    100.0 * share
                );
            }
        }
    }
    for turn in (1..=last).step_by(last.div_ceil(20).max(1)) {
        let x = left + cell * (turn as f64 - 0.5);
        let _ = write!(svg, "<text x={x:.1} y={:.1} text-anchor=middle>{turn}</text>", height - 10.0);
    }
    svg + "</svg>"
}

/// Where units were lost, over the ground.
pub(super) fn map(results: &Results) -> String {
    let setting = &results.run.setting;
    let (width, depth) = (setting.width.f() / 1_000.0, setting.depth.f() / 1_000.0);
    let mut svg = format!(
        "<svg viewBox='0 0 {width:.1} {depth:.1}' role=img aria-label='where units were lost' style='background:#ece4d0;border:1px solid #8d8370;max-height:80vh'>"
    );
    for piece in &setting.ground {
        svg += &ground(piece, depth);
    }
    let radius = width.max(depth) / 220.0;
    let losses = results.battles.iter().flat_map(|fought| &fought.losses).take(MOST_PLACES);
    for loss in losses {
        let Some(unit) = results.run.roster.get(loss.unit) else { continue };
        let (x, y) = (f64::from(loss.at[0]) / 1_000.0, depth - f64::from(loss.at[1]) / 1_000.0);
        let _ = write!(
            svg,
            "<circle cx={x:.1} cy={y:.1} r={radius:.1} fill='{}' fill-opacity=0.28 />",
            colour(&results.run, unit.side)
        );
    }
    svg + "</svg>"
}

fn ground(piece: &GroundView, depth: f64) -> String {
    let fill = match piece.drawn {
        GroundStyle::Wood | GroundStyle::LightWood | GroundStyle::Hedge => "#a9bd8b",
        GroundStyle::River | GroundStyle::Water | GroundStyle::Ford | GroundStyle::Marsh => "#a8c6d4",
        GroundStyle::Buildings | GroundStyle::Rampart | GroundStyle::Wall => "#b9a08c",
        GroundStyle::Road | GroundStyle::Bridge | GroundStyle::SunkenRoad => "#dccfae",
        GroundStyle::Hill | GroundStyle::SteepHill | GroundStyle::Ridge => "#dbd3ab",
        _ => "#d5d5b6",
    };
    let points = |points: &[sabretache_table::Point]| {
        let one = |point: &sabretache_table::Point| {
            format!("{:.1},{:.1}", point.x.f() / 1_000.0, depth - point.y.f() / 1_000.0)
        };
        points.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    let name = piece.name.as_deref().unwrap_or(&piece.kind);
    let title = format!("<title>{}</title>", escaped(name));
    match piece.rings.first() {
        Some(ring) => format!("<polygon points='{}' fill='{fill}' fill-opacity=0.8>{title}</polygon>", points(ring)),
        None => {
            let width = piece.width.map_or(6.0, |width| width.f() / 1_000.0).max(4.0);
            let line = points(&piece.line);
            format!("<polyline points='{line}' fill=none stroke='{fill}' stroke-width={width:.1}>{title}</polyline>")
        }
    }
}

/// How much luckier A was than B, over all battles and over those that A won.
pub(super) fn luck(results: &Results) -> String {
    let (luck, in_chances) = luck_of_each(results);
    let all: Vec<(f64, bool)> =
        luck.into_iter().zip(&results.battles).map(|(luck, fought)| (luck, fought.winner == Some(Side::A))).collect();
    let furthest = all.iter().map(|(luck, _)| luck.abs()).fold(if in_chances { 0.5 } else { 1.0 }, f64::max);
    const BINS: usize = 30;
    let bin_of = |luck: f64| (((luck + furthest) / (2.0 * furthest) * BINS as f64) as usize).min(BINS - 1);
    let mut bins = [(0u32, 0u32); BINS];
    for (luck, won) in &all {
        let bin = &mut bins[bin_of(*luck)];
        *bin = (bin.0 + 1, bin.1 + u32::from(*won));
    }
    let highest = bins.iter().map(|(count, _)| *count).max().unwrap_or(1);
    let mut plot = Plot::new(WIDTH, HEIGHT, (-furthest, furthest), (0.0, f64::from(highest)));
    let [a, b] = Side::BOTH.map(|side| side_name(&results.run, side));
    let name = if in_chances {
        format!("chance of winning that the dice brought {a}")
    } else {
        format!("luck of {a} less that of {b}, in rolls")
    };
    plot.axes(&name, "battles", &ticks(-furthest, furthest), &whole(ticks(0.0, f64::from(highest))));
    let width = 2.0 * furthest / BINS as f64;
    let colour = colour(&results.run, Side::A);
    for (n, (count, won)) in bins.into_iter().enumerate().filter(|(_, (count, _))| *count > 0) {
        let left = -furthest + width * n as f64;
        let title = format!("{won} of {count} battles won");
        plot.bar((left, left + width), f64::from(count), "#cfc6b4", &title);
        plot.bar((left, left + width), f64::from(won), &colour, &title);
    }
    let zero = plot.px(0.0);
    plot.raw(&format!("<line class=axis x1={zero:.1} x2={zero:.1} y1=12 y2={:.1} />", HEIGHT - 40.0));
    plot.finish("luck against result")
}
