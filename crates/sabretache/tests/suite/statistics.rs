//! A run under Huzzah! comes out at odds that are known exactly.

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::odds::odds_of;
use sabretache_engine::offer::{Choice, Halt, Input};
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::{Happening, Resolution};
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_huzzah::Huzzah;
use sabretache_lab::statistics::Share;
use sabretache_lab::{AnyLaboratory as _, Plan, Watch, simulate};
use sabretache_players::{Fielded, Skill};

type Battle = <Huzzah as sabretache_engine::ruleset::Ruleset>::Battle;
type Offer = <Huzzah as sabretache_engine::ruleset::Ruleset>::Offer;

const MAIDA: &str = include_str!("../../../../scenarios/huzzah/maida.toml");
/// The normal quantile of a 99.9 % interval: a run with a fixed seed should not be the one in twenty.
const Z999: f64 = 3.290_526_731_491_926;

/// The luck of A in one way a choice can go, in millionths of a roll.
fn luck(happened: &[Happening<<Huzzah as sabretache_engine::ruleset::Ruleset>::Event>]) -> i64 {
    let rolls = happened.iter().filter_map(|one| match one {
        Happening::Roll(roll) if roll.side == Side::A => Some(roll.luck),
        _ => None,
    });
    (rolls.sum::<f64>() * 1e6).round() as i64
}

/// The exact chance that a choice turns out lucky for A; nothing where it is certain or too much to enumerate.
fn exactly(battle: &Battle, choice: &Choice<Offer>) -> Option<f64> {
    let odds = odds_of(2_000, |dice| -> Result<i64, Halt> {
        let (mut trial, mut happened) = (battle.clone(), Vec::new());
        Huzzah::resolve(&mut Resolution::new(&mut trial, dice).chronicled(&mut happened), choice)?;
        Ok(luck(&happened))
    });
    let odds = odds.ok()?;
    assert_eq!(odds.total().unwrap().to_string(), "1/1");
    let mean: f64 = odds.iter().map(|(luck, chance)| *luck as f64 * chance.value()).sum();
    assert!(mean.abs() < 1.0, "luck is what is above expectation, so its mean is nothing: {mean} millionths");
    odds.chance_that(|luck| *luck > 0).map(|chance| chance.value()).filter(|chance| (0.1..0.9).contains(chance))
}

/// A position of a battle fought at random in which there is one thing to do, and dice decide what comes of it.
fn forced() -> (Battle, f64) {
    for seed in 0..40 {
        let scenario = Scenario::read(&Document::parse("maida.toml", MAIDA).unwrap().json).unwrap();
        let mut battle = muster::<Huzzah>(&scenario).unwrap();
        let mut random = Seeded::new(seed);
        for _ in 0..600 {
            let mut offers = Vec::new();
            let Some(choice) = random_choice::<Huzzah>(&battle, &mut offers, &mut random) else { break };
            offers.clear();
            Huzzah::offers(&battle, &mut offers);
            if offers.len() == 1
                && Huzzah::input(&battle, &offers[0]) == Input::None
                && let Some(chance) = exactly(&battle, &choice)
            {
                return (battle, chance);
            }
            Huzzah::resolve(&mut Resolution::new(&mut battle, &mut random), &choice).unwrap();
        }
    }
    panic!("no position with one choice and dice");
}

#[test]
fn one_forced_choice_under_huzzah_comes_out_at_its_exact_odds() {
    let (battle, exact) = forced();
    let document = Document::of_json("forced", Huzzah::save(&battle).to_json());
    let field = Fielded::<Huzzah>::PLAYERS.field(&document).unwrap();
    // One choice and no more: what the dice of it brought.
    let plan = Plan { longest: 1, ..Plan::new(3_000, [Skill::Recruit; 2], 12) };
    let results = simulate(&*field, &plan, None, Watch::NOBODY).unwrap();
    let lucky = results.battles.iter().filter(|fought| fought.luck[0] > 1e-6).count();
    let share = Share::with_z(lucky as f64, 3_000, Z999);
    assert!(share.low <= exact && exact <= share.high, "{exact} and {share}");
    assert!(share.half_width() < 0.031, "{share}");
}
