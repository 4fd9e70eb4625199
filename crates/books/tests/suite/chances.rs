//! The chances of winning that are shipped, and who goes by them.

use std::path::Path;

use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};
use sabretache_lab::field::Luck;
use sabretache_lab::{AnyLaboratory, Plan, Reckon};
use sabretache_players::fight::own_chance;
use sabretache_players::{Agreement, Keyed, Skill};

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

#[test]
fn the_course_of_a_battle_tells_the_luck_that_a_run_takes_out_of_it() {
    const SEED: u64 = 11;
    const MOST: u64 = 400;
    for name in SCENARIOS {
        let document = document(name);
        let laboratory = laboratory(&document);
        let field = laboratory.field(&document).unwrap();
        let reckon = Reckon { longest: MOST, agreement: Agreement::NONE, luck: Luck::Reckoned, keyed: Keyed::ByChoice };
        let fought = field.fight(0, SEED, [Skill::Recruit; 2], reckon).unwrap();
        // The same battle once more, in a session as on a server.
        let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == field.ruleset()).unwrap();
        let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(SEED) };
        let (mut session, _) = ruleset.begin(&document, setup).unwrap();
        for n in 0..MOST {
            let Some(side) = session.deciding() else { break };
            let order = laboratory.order(&*session, Skill::Recruit, &mut own_chance(SEED, side, n)).unwrap();
            session.choose(Seat::Player(side), &order).unwrap();
        }
        let course = laboratory.course(session.log_text().as_bytes()).unwrap();
        assert_eq!(course.moments.len() as u64, fought.decisions + 1, "{name}");
        let luck: f64 = course.moments.iter().filter_map(|one| one.luck).sum();
        let weighed = course.moments.iter().filter(|one| one.luck.is_some_and(|luck| luck.abs() > 1e-6)).count();
        assert!(weighed > 3, "{name}: too little is weighed to tell anything");
        assert!((luck - fought.swing.unwrap()).abs() < 1e-9, "{name}: {luck} and {:?}", fought.swing);
    }
}
