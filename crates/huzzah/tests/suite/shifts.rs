#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! A mob that rallies where there is no room shifts by the least there is (HZ-RAL-14).

use std::fs;
use std::path::Path;

use sabretache_engine::ids::UnitId;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_engine::tests_clauses;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::HZ_RAL_14;
use sabretache_huzzah::phases::deploy::fits_rallied;
use sabretache_huzzah::phases::rally::rally_formations;
use sabretache_huzzah::table::{Field, shape};
use sabretache_huzzah::troops::Formation;
use sabretache_table::{Heading, overlapping};
use serde_json::{Value as Json, json};

const GUNS: UnitId = UnitId(3);

/// Numbers that look thrown, the same on every machine.
struct Throws(u64);

impl Throws {
    fn between(&mut self, least: f64, most: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        least + (most - least) * ((self.0 >> 33) % 100_000) as f64 / 100_000.0
    }
}

/// A battery that has run into a crowd of friends, enemies and a pond, and lies across the way it would form; nothing where they would lie on
/// each other.
fn crowd(mut json: Json, seed: u64) -> Option<Battle> {
    let mut throws = Throws(seed);
    let (x, y) = (throws.between(108.0, 132.0), throws.between(48.0, 72.0));
    json["ground"] = json!([{ "kind": "lake", "area": [[x, y], [x + 4.0, y], [x + 5.0, y + 3.0], [x, y + 4.0]] }]);
    for n in [0, 1, 4, 5] {
        let (x, y) = (throws.between(111.0, 129.0), throws.between(51.0, 69.0));
        let at = |value: f64| (value * 10_000.0).round() / 10_000.0;
        json["units"][n]["at"] = json!([at(x), at(y)]);
        json["units"][n]["facing"] = json!(throws.between(0.0, 359.0).round());
    }
    json["units"][3]["at"] = json!([120, 64]);
    json["units"][3]["facing"] = json!(0);
    json["units"][3]["formation"] = json!("mob");
    json["units"][3]["routing"] = json!(true);
    json["state"]["stage"] = json!("rally");
    json["state"]["doing"] = json!({ "phase": "rally" });
    read(&json)
}

fn read(json: &Json) -> Option<Battle> {
    let scenario = Scenario::<Body>::read(json).ok()?;
    let battle = muster::<Huzzah>(&scenario).ok()?;
    let field = Field::of(&battle);
    let guns = field.get(GUNS)?;
    let free = field.all().all(|(id, other)| id == GUNS || !overlapping(guns, other));
    drop(field);
    free.then_some(battle)
}

#[test]
fn no_shorter_shift_is_found_by_trying() {
    tests_clauses!(HZ_RAL_14);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let json = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    let (mut crowded, mut seed) = (0, 0);
    while crowded < 8 {
        seed += 1;
        assert!(seed < 1_000, "only {crowded} crowds");
        let Some(battle) = crowd(json.clone(), seed) else { continue };
        let field = Field::of(&battle);
        let centre = field.get(GUNS).unwrap().centre();
        let found = rally_formations(&battle, GUNS);
        let &[(formation, pose)] = found.as_slice() else { panic!("{seed}: {found:?}") };
        assert_eq!(formation, Formation::MarchColumn);
        assert!(fits_rallied(&field, GUNS, formation, pose), "{seed}: {pose:?} is not free");
        let depth = battle.facts(GUNS).footprints[formation.index()].depth();
        let by = (battle.placed_as(GUNS, formation, pose).centre() - centre).length();
        if by < 1_000.0 {
            continue;
        }
        crowded += 1;
        // Whatever is tried at less than that is taken.
        for ring in 0..16 {
            let out = (by - 10.0) * f64::from(ring) / 15.0;
            for way in 0..240 {
                let spot = centre + Heading::hundredths(way * 150).unit() * out;
                let there = shape::pose_about(spot, pose.heading, depth);
                assert!(
                    !fits_rallied(&field, GUNS, formation, there),
                    "{seed}: {by} um, but {out} um at {way} of 240 will do"
                );
            }
        }
    }
}
