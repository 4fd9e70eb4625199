//! What the Python package is made of, without Python. The package is a workspace of its own that nothing here builds, so that a change of the
//! engine could break it unseen: its battles, its dice by hand and its tables of numbers are built and used here.

use std::sync::Arc;

use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};

use crate::fight::{Beginning, Fight, What, engage};
use crate::look::{ACTION_COLUMNS, SCALARS, UNIT_COLUMNS, action_row, look, raster, raster_size, scale_of};

fn begin(book: &str, scenario: &str, seed: u64) -> Box<dyn Fight> {
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == book).unwrap();
    let document = Document::parse("scenario.toml", scenario).unwrap();
    let setup = |seed| Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    let (session, _) = ruleset.begin(&document, setup(seed)).unwrap();
    let beginning: Beginning = Arc::new(move |seed| Some(ruleset.begin(&document, setup(seed)).ok()?.0));
    engage(&*session, seed, beginning).unwrap()
}

fn log_of(fight: &dyn Fight) -> String {
    let mut text = None;
    fight.with_session(&mut |session| text = Some(session.answer(Seat::Umpire, &Request::Log))).unwrap();
    let Some(Reply::Text { text }) = text else { panic!("{text:?} is no log") };
    text
}

/// A battle at random: what Python sees of it is sound on the way, what is taken back comes again, and its log is proved.
fn fought(book: &str, scenario: &str) {
    let mut fight = begin(book, scenario, 7);
    let rows = 2 * fight.view(fight.eyes(Seat::Umpire)).units.len();
    let (mut units, mut scalars) = (vec![0.0; rows * UNIT_COLUMNS.len()], vec![0.0; SCALARS.len()]);
    let mut forks = 0;
    for n in 0..160 {
        if fight.deciding().is_none() {
            break;
        }
        assert!(fight.count() > 0 && fight.menu(8).len() <= 8, "choice {n}");
        let (key, value) = fight.action(0).unwrap();
        assert_eq!(fight.find(&key, &value), Some(0), "choice {n}");
        let mut row = vec![0.0; ACTION_COLUMNS.len()];
        action_row(&fight.said(0).unwrap(), scale_of(&*fight), &mut row);
        look(&*fight, Some(Side::A), &mut units, &mut scalars);
        let there: Vec<&[f32]> = units.chunks(UNIT_COLUMNS.len()).filter(|row| row[0] > 0.0).collect();
        let on = |row: &&[f32]| (-0.5..=1.5).contains(&row[2]) && (-0.5..=1.5).contains(&row[3]);
        assert!(!there.is_empty() && there.iter().all(on), "choice {n}");
        // The chances of what is thrown first add up to one.
        if let Some(laid) = fight.forks(&What::Action(0), &[]).ok().flatten() {
            assert_eq!(laid.iter().map(|fork| fork.ways).sum::<u128>(), laid[0].of, "choice {n}");
            forks += 1;
        }
        assert!(fight.stumble(None).unwrap());
    }
    assert!(forks > 0 && fight.depth() > 40, "{forks} throws, {} choices", fight.depth());
    let setting = fight.view(fight.eyes(Seat::Umpire)).setting;
    let (down, across) = raster_size(&setting, 16);
    assert_eq!(raster(&setting, 16).len() % (down * across), 0);
    let (whole, depth) = (fight.saved().unwrap(), fight.depth());
    fight.undo(20);
    while fight.depth() < depth {
        assert!(fight.stumble(None).unwrap());
    }
    assert_eq!(fight.saved().unwrap(), whole, "the same choices meet the same dice");
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == book).unwrap();
    let proved = ruleset.verify(log_of(&*fight).as_bytes(), None);
    assert!(proved.is_ok(), "{:?}", proved.err().map(|why| why.to_string()));
}

#[test]
fn huzzah() {
    fought("huzzah", include_str!("../../../../scenarios/huzzah/teaching.toml"));
}

#[test]
fn brigades_and_batteries() {
    fought("batteries", include_str!("../../../../scenarios/batteries/the-crossroads.toml"));
}

#[test]
fn malbrook() {
    fought("malbrook", include_str!("../../../../scenarios/malbrook/meeting.toml"));
}
