//! Random battles looked at with other mathematics than the table's own: corners, lengths and areas as schools teach them, from
//! nothing but what a client is shown.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::Path;

use sabretache_batteries::Batteries;
use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Named;
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_engine::view::{OverlayKind, Symbol, UnitView, View};
use serde_json::json;

type Battle = <Batteries as Ruleset>::Battle;
/// A place in inches.
type Place = (f64, f64);

/// Lengths are compared to two thousandths of an inch: the thousandth that the rules allow (BB-GEN-07), and what is rounded.
const SLACK: f64 = 0.002;

fn rings(unit: &UnitView) -> Vec<Vec<Place>> {
    let inches = |um: i64| um as f64 / 25_400.0;
    let place = |corner: &sabretache_table::Point| (inches(corner.x.to_um().into()), inches(corner.y.to_um().into()));
    unit.stands.iter().map(|ring| ring.iter().map(place).collect()).collect()
}

/// Twice the area to the left of the way from a to b.
fn cross(a: Place, b: Place, p: Place) -> f64 {
    (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)
}

fn area(ring: &[Place]) -> f64 {
    let next = |n: usize| ring[(n + 1) % ring.len()];
    ring.iter().enumerate().map(|(n, a)| a.0 * next(n).1 - next(n).0 * a.1).sum::<f64>() / 2.0
}

fn apart(a: Place, b: Place) -> f64 {
    ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt()
}

/// How far a place is from a ring; nothing within it.
fn distance(ring: &[Place], p: Place) -> f64 {
    let turn = area(ring).signum();
    let sides = || (0..ring.len()).map(|n| (ring[n], ring[(n + 1) % ring.len()]));
    if sides().all(|(a, b)| cross(a, b, p) * turn >= 0.0) {
        return 0.0;
    }
    let to_side = |(a, b): (Place, Place)| {
        let long = apart(a, b).powi(2).max(1e-12);
        let along = (((p.0 - a.0) * (b.0 - a.0) + (p.1 - a.1) * (b.1 - a.1)) / long).clamp(0.0, 1.0);
        apart(p, (a.0 + (b.0 - a.0) * along, a.1 + (b.1 - a.1) * along))
    };
    sides().map(to_side).fold(f64::INFINITY, f64::min)
}

/// What two convex rings have in common: one clipped by each side of the other.
fn common(one: &[Place], other: &[Place]) -> Vec<Place> {
    let turn = area(other).signum();
    let mut left = one.to_vec();
    for n in 0..other.len() {
        let (a, b) = (other[n], other[(n + 1) % other.len()]);
        let mut kept = Vec::new();
        for i in 0..left.len() {
            let (p, q) = (left[i], left[(i + 1) % left.len()]);
            let (here, there) = (cross(a, b, p) * turn, cross(a, b, q) * turn);
            if here >= 0.0 {
                kept.push(p);
            }
            if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
                let share = here / (here - there);
                kept.push((p.0 + (q.0 - p.0) * share, p.1 + (q.1 - p.1) * share));
            }
        }
        left = kept;
    }
    left
}

/// Whether two stands lie on one another by more than a seam.
fn on_one_another(one: &[Place], other: &[Place]) -> bool {
    let shared = common(one, other);
    let long = shared.iter().flat_map(|a| shared.iter().map(|b| apart(*a, *b))).fold(0.0, f64::max);
    area(&shared).abs() > SLACK * long.max(0.1)
}

fn is_garrison(unit: &UnitView) -> bool {
    unit.lines.iter().any(|line| line.starts_with("in "))
}

/// Nothing lies on anything else, and nothing beyond the edge. The screen of a unit that plots a charge stays where it is until the
/// charge is made or called off, and is not looked at until then.
fn stands_lie_apart(view: &View, plotting: Option<&str>) -> Result<(), String> {
    let waits = |unit: &UnitView| plotting.is_some_and(|plots| unit.key == format!("{plots}-screen"));
    let shown: Vec<(&UnitView, Vec<Vec<Place>>)> = view
        .units
        .iter()
        .filter(|unit| unit.pose.is_some() && !is_garrison(unit) && !waits(unit))
        .map(|unit| (unit, rings(unit)))
        .collect();
    let (width, depth) = (view.setting.width.f() / 25_400.0, view.setting.depth.f() / 25_400.0);
    for (n, (unit, stands)) in shown.iter().enumerate() {
        for corner in stands.iter().flatten() {
            let inside = -SLACK..=width + SLACK;
            if !inside.contains(&corner.0) || !(-SLACK..=depth + SLACK).contains(&corner.1) {
                return Err(format!("{} is beyond the edge at {corner:?}", unit.key));
            }
        }
        for (i, stand) in stands.iter().enumerate() {
            if stands[..i].iter().any(|other| on_one_another(stand, other)) {
                return Err(format!("{} ({}) lies on itself", unit.key, unit.formation));
            }
            for (other, theirs) in &shown[..n] {
                if theirs.iter().any(|theirs| on_one_another(stand, theirs)) {
                    return Err(format!(
                        "{} ({}) lies on {} ({})",
                        unit.key, unit.formation, other.key, other.formation
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The most inches that a unit may go in a phase as it is formed now: the book's table of movement, its road bonus, and the 8 in of
/// skirmishers who are pushed forward.
fn most(unit: &UnitView, roads: bool) -> f64 {
    let road = if roads { 4.0 } else { 0.0 };
    let class = |word: &str| unit.lines.iter().any(|line| line.ends_with(word));
    match (unit.symbol, unit.formation.as_str()) {
        (Symbol::LightHorse, _) => 20.0 + road,
        (Symbol::Horse | Symbol::HeavyHorse, _) => 16.0 + road,
        (Symbol::HorseGuns, "limbered") => 12.0 + road,
        (Symbol::HorseGuns, "unlimbered") => 4.0,
        (Symbol::Guns | Symbol::HeavyGuns, "limbered") if class("heavy guns") => 6.0 + road,
        (Symbol::Guns | Symbol::HeavyGuns, "limbered") => 8.0 + road,
        (Symbol::Guns | Symbol::HeavyGuns, "unlimbered") if class("light guns") => 4.0,
        (Symbol::Guns | Symbol::HeavyGuns, "unlimbered") if class("heavy guns") => 1.0,
        (Symbol::Guns | Symbol::HeavyGuns, "unlimbered") => 2.0,
        (Symbol::Foot | Symbol::LightFoot, "column" | "column masse") => 8.0 + road,
        (Symbol::Foot | Symbol::LightFoot, "line") => 4.0,
        (Symbol::LightFoot, "skirmish order") => 8.0,
        (Symbol::Foot | Symbol::LightFoot, "extended line") => 3.0,
        (Symbol::Foot | Symbol::LightFoot, "square") => 2.0,
        (Symbol::Foot | Symbol::LightFoot, "bent line") => 0.0,
        // Gunners on foot have no move of their own in the table; the book lets them walk as infantry in line.
        _ => 4.0,
    }
}

/// The two ends of a unit's front: of the corners that its stands show first, those farthest to the front.
fn front(unit: &UnitView) -> Vec<Place> {
    let stands = rings(unit);
    let Some(first) = stands.first() else { return Vec::new() };
    let ahead = (first[0].0 - first[3].0, first[0].1 - first[3].1);
    let forward = |p: &Place| p.0 * ahead.0 + p.1 * ahead.1;
    let corners: Vec<Place> = stands.iter().flat_map(|ring| [ring[0], ring[1]]).collect();
    let most = corners.iter().map(forward).fold(f64::NEG_INFINITY, f64::max);
    corners.into_iter().filter(|corner| forward(corner) > most - 0.01).collect()
}

/// How far a move has taken a unit: the place of its front that went farthest, as the crow flies.
fn gone(before: &UnitView, after: &UnitView) -> f64 {
    let corners = front(before).into_iter().zip(front(after));
    corners.map(|(a, b)| apart(a, b)).fold(0.0, f64::max)
}

const MOVES: [&str; 6] = ["advance ", "pass ", "retire ", "sidestep ", "oblique ", "wheel "];

/// What each unit has gone in this phase, and the most that any formation of it in this phase allowed.
#[derive(Default)]
struct Marched {
    phase: String,
    inches: BTreeMap<String, (f64, f64)>,
    /// A unit that plots a charge, and what it had gone before: where that is called off it was never begun.
    plotting: Option<(String, (f64, f64))>,
}

impl Marched {
    fn look(&mut self, key: &str, before: &View, after: &View, roads: bool) -> Result<(), String> {
        let phase = format!("{:?} {}", before.turn, before.phase);
        if self.phase != phase {
            *self = Marched { phase, ..Marched::default() };
        }
        if let Some(unit) = key.strip_prefix("launch ") {
            self.plotting = Some((unit.into(), self.inches.get(unit).copied().unwrap_or_default()));
        } else if let Some(unit) = key.strip_prefix("call off ") {
            let was = self.plotting.take().map(|(_, was)| was).unwrap_or_default();
            self.inches.insert(unit.into(), was);
        } else if key.starts_with("charge ") {
            self.plotting = None;
        }
        let Some(mover) = before.units.iter().find(|unit| {
            let of_it = key.split(' ').any(|word| word == unit.key);
            of_it && MOVES.iter().any(|word| key.starts_with(word))
        }) else {
            return Ok(());
        };
        let Some(there) = after.units.iter().find(|unit| unit.key == mover.key && unit.pose.is_some()) else {
            return Ok(());
        };
        let (sum, limit) = self.inches.entry(mover.key.clone()).or_default();
        *sum += gone(mover, there);
        *limit = limit.max(most(mover, roads));
        if *sum > *limit + SLACK {
            return Err(format!("{} has gone {sum:.3} in of {limit} in, by {key}", mover.key));
        }
        Ok(())
    }
}

/// The range of a unit's fire by the book, for an overlay of this label.
fn range(unit: &UnitView, label: &str, rifles: bool) -> f64 {
    let class = |word: &str| unit.lines.iter().any(|line| line.ends_with(word));
    match label {
        "canister" if class("light guns") => 10.0,
        "canister" if class("heavy guns") => 16.0,
        "canister" => 12.0,
        "ballshot" if class("light guns") => 24.0,
        "ballshot" if class("heavy guns") => 40.0,
        "ballshot" => 32.0,
        _ if rifles => 16.0,
        _ => 8.0,
    }
}

/// Fields of fire lie within the range and within a quarter of a circle; command radii are circles.
fn overlays_are_true(battle: &Battle, view: &View, rifles: &[String]) -> Result<usize, String> {
    let mut seen = 0;
    for unit in view.units.iter().filter(|unit| unit.pose.is_some()) {
        let shown = Batteries::overlays(battle, Named::Unit(unit.id));
        let silent = ["limbered", "gunners without guns"].contains(&unit.formation.as_str());
        let horse = matches!(unit.symbol, Symbol::LightHorse | Symbol::Horse | Symbol::HeavyHorse);
        if (silent || horse) && !shown.is_empty() {
            return Err(format!("{} cannot fire, and is shown a field of fire", unit.key));
        }
        // Where the figures of a garrison are does not matter, so their places are not shown.
        if is_garrison(unit) {
            continue;
        }
        let stands = rings(unit);
        let wide = stands.iter().flatten().flat_map(|a| stands.iter().flatten().map(|b| apart(*a, *b)));
        let wide = wide.fold(0.0, f64::max);
        for overlay in shown {
            seen += 1;
            let range = range(unit, &overlay.label, rifles.contains(&unit.key));
            let corners: Vec<Place> =
                overlay.rings[0].iter().map(|p| (p.x.f() / 25_400.0, p.y.f() / 25_400.0)).collect();
            let far = |p: &Place| stands.iter().map(|ring| distance(ring, *p)).fold(f64::INFINITY, f64::min);
            let farthest = corners.iter().map(far).fold(0.0, f64::max);
            if overlay.kind != OverlayKind::Fire || farthest > range + SLACK {
                return Err(format!("{}: {} reaches {farthest:.2} in of {range}", unit.key, overlay.label));
            }
            let (shown, most) = (area(&corners).abs(), PI * range * range / 4.0 + wide * range);
            if shown > most {
                return Err(format!("{}: {} covers {shown:.1} sq in of {most:.1}", unit.key, overlay.label));
            }
        }
    }
    for officer in view.officers.iter().filter(|officer| officer.at.is_some()) {
        for overlay in Batteries::overlays(battle, Named::Officer(officer.id)) {
            seen += 1;
            let (at, radius) = (officer.at.unwrap(), officer.radius.unwrap().f());
            let off = |p: &sabretache_table::Point| (apart((p.x.f(), p.y.f()), (at.x.f(), at.y.f())) - radius).abs();
            let covered: Vec<Place> = overlay.rings[0].iter().map(|p| (p.x.f(), p.y.f())).collect();
            let share = area(&covered).abs() / (PI * radius * radius);
            if overlay.rings[0].iter().map(off).fold(0.0, f64::max) > 2.0 || !(0.999..=1.0001).contains(&share) {
                return Err(format!("the command radius of {} is no circle: {share}", officer.key));
            }
        }
    }
    Ok(seen)
}

/// One battle, looked at after every choice.
fn fight(document: &Document, seed: u64, most: u64) -> Result<(u64, usize), String> {
    let scenario = Scenario::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let roads = scenario.ground.iter().any(|piece| piece.kind == "road");
    let rifle = |unit: &&serde_json::Value| unit["weapon"] == "rifle";
    let rifles: Vec<String> = document.json["units"]
        .as_array()
        .unwrap()
        .iter()
        .filter(rifle)
        .map(|unit| unit["id"].as_str().unwrap().to_owned())
        .collect();
    let mut battle = Batteries::muster(&scenario, &mut Diagnostics::new()).unwrap();
    let (mut random, mut dice) = (Seeded::for_choice(seed, u64::MAX), Seeded::new(seed));
    let (mut offers, mut marched) = (Vec::new(), Marched::default());
    let (mut choices, mut overlays) = (0, 0);
    let mut before = Batteries::view(&battle);
    while let Some(choice) = random_choice::<Batteries>(&battle, &mut offers, &mut random).filter(|_| choices < most) {
        let key = Batteries::key(&battle, &choice.offer);
        let said = |fault: String| format!("{}, seed {seed}, choice {choices}, after '{key}': {fault}", document.name);
        Batteries::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice)
            .unwrap_or_else(|halt| panic!("{halt}"));
        let after = Batteries::view(&battle);
        marched.look(&key, &before, &after, roads).map_err(said)?;
        let plotting = marched.plotting.as_ref().map(|(unit, _)| unit.as_str());
        stands_lie_apart(&after, plotting).map_err(said)?;
        if choices % 20 == 0 {
            overlays += overlays_are_true(&battle, &after, &rifles).map_err(said)?;
        }
        choices += 1;
        before = after;
    }
    Ok((choices, overlays))
}

#[test]
fn on_a_true_table_nothing_overlaps_and_no_move_is_too_long() {
    let battles: u64 = std::env::var("BATTLES").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/batteries");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut choices, mut overlays, mut faults) = (0, 0, Vec::new());
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut document = Document::parse(name, std::fs::read_to_string(&path).unwrap()).unwrap();
        // Screens before bent lines are where stands are nearest to one another.
        document.json["options"]["skirmish_screens"] = json!(true);
        for unit in document.json["units"].as_array_mut().unwrap() {
            let foot = unit["arm"] == "foot" && unit["screen_of"].is_null() && unit["part_of"].is_null();
            if foot && unit["light"] != json!(true) {
                unit["screen_capable"] = json!(true);
            }
        }
        for seed in 0..battles {
            match fight(&document, seed, 1_500) {
                Ok(seen) => (choices, overlays) = (choices + seen.0, overlays + seen.1),
                Err(fault) => faults.push(fault),
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(choices > 1_000 && overlays > 500, "{choices} choices, {overlays} overlays");
}

#[test]
fn two_rings_that_share_a_corner_of_ground_are_told_from_two_that_touch() {
    let block = |x: f64, y: f64| [(x, y), (x + 2.0, y), (x + 2.0, y + 1.0), (x, y + 1.0)];
    assert!(on_one_another(&block(0.0, 0.0), &block(1.9, 0.9)));
    assert!(!on_one_another(&block(0.0, 0.0), &block(2.0, 0.0)));
    assert!((area(&common(&block(0.0, 0.0), &block(1.0, 0.5))).abs() - 0.5).abs() < 1e-12);
    assert!((distance(&block(0.0, 0.0), (5.0, 5.0)) - 5.0).abs() < 1e-12);
}
