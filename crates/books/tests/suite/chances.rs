//! The chances of winning that are shipped.

use std::path::Path;

use sabretache_engine::scenario::Document;
use sabretache_lab::AnyLaboratory;

const SCENARIOS: [&str; 3] = ["huzzah/teaching", "batteries/the-crossroads", "malbrook/meeting"];

fn document(name: &str) -> Document {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name).with_extension("toml");
    Document::parse(name, std::fs::read_to_string(file).unwrap()).unwrap()
}

fn laboratory(document: &Document) -> &'static dyn AnyLaboratory {
    let book = document.json["ruleset"].as_str().unwrap();
    sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book).unwrap()
}

#[test]
fn every_book_has_chances_that_were_fitted_to_its_parts_and_hold_on_other_battles() {
    for name in SCENARIOS {
        let document = document(name);
        let field = laboratory(&document).field(&document).unwrap();
        let chances = field.chances();
        // Chances that cannot be read, or were fitted to other parts, are version 0.
        assert!(chances.version > 0, "{name} goes by a guess");
        assert!(chances.scenarios.len() > 2 && chances.battles > 300, "{name}: {:?}", chances.scenarios);
        let held = &chances.calibration;
        assert!(held.battles >= 100 && held.brier < 0.6 * held.brier_of_half, "{name}: {held:?}");
        // On the whole what was told came true: the mean of what it is off by, each bin by its moments.
        let moments: u64 = held.bins.iter().map(|bin| bin.moments).sum();
        let off = held.bins.iter().map(|bin| bin.moments as f64 * (bin.told - bin.came).abs()).sum::<f64>();
        assert!(off / (moments as f64) < 0.1, "{name}: {held:?}");
    }
}
