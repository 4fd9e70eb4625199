//! Brigades and Batteries: division-sized Napoleonic battles, figures and guns as strength.
//!
//! The sequence of play (BB-SEQ-01), and where each part of it stands:
//!
//! | each turn | file |
//! |---|---|
//! | what follows what | `phases::turn` |
//! | 1 dice for the initiative; the winner is Side A or Side B this turn | `phases::turn` |
//! | 2, 3 Side A moves, then Side B | `phases::movement`, `phases::formations`, `phases::towns`, `phases::screens`, `phases::clearing`, `phases::generals` |
//! | as it begins, brigades come on and units that left the table come back | `phases::arrivals`, `phases::returns` |
//! | charges meanwhile, and the other side's evades | `phases::charges` |
//! | 5 all shooting | `phases::shooting` |
//! | chargers test, guns and skirmishers are overrun, those who are charged test, all others who were hit test | `phases::morale`, `phases::charges::overrun`, `phases::rout` |
//! | 6 one round of every combat; losers test | `phases::combat`, `phases::morale`, `phases::rout` |
//! | with the options, cavalry recoils and victors pursue, to move before the next turn's dice | `phases::pursuit` |
//! | the turn ends | `phases::aftermath`, `phases::clearing`, `phases::victory` |
//!
//! What a side may do in a phase is in the `offers.rs` of that phase: who acts, what is asked, what it does, its key and words, how a hand
//! takes hold of it; beside that `may`, why it is closed at its own moment, and `despite`, what it asks for where the rules close it and the
//! players are only advised. `offer` lists the phases, and `phases` says which moment admits which offers.
//!
//! What lies on the table is in `table`, the ground in `terrain`, the rolls in [`situations`], the numbers of the book in
//! [`numbers`], what computer players think of it in `worth`.

mod apply;
mod battle;
mod bench;
mod body;
pub mod clauses;
mod event;
mod headlines;
mod muster;
pub mod numbers;
mod offer;
mod phases;
pub mod situations;
mod state;
mod table;
mod terrain;
pub mod troops;
mod unit;
mod view;
mod words;
mod worth;

pub use bench::bench;

use sabretache_engine::clause::{Book, Clause};
use sabretache_engine::forecast::{Cost, Fate, Headline, Invitation};
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{CommandId, Named, Side, UnitId};
use sabretache_engine::interrupt::{Clock, Interrupt, Reaction};
use sabretache_engine::offer::{Choice, Halt, Input, Preview, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Aim, Judgement, Label, Ruleset, Telling};
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::situation::SituationTest;
use sabretache_engine::stance::{self, Stance};
use sabretache_engine::view::{Overlay, Verdict, View};
use sabretache_kit::Part;
use sabretache_table::{Pose, distance};

pub use battle::{Abandoned, Battle, Chase, Contact, Order, Pending, Place, Step, ThisTurn};
pub use body::Body;
pub use body::options::Options;
pub use event::{Event, How};
pub use numbers::Numbers;
pub use offer::Offer;
pub use phases::charges::offers::Charges;
pub use phases::combat::offers::Combats;
pub use phases::formations::offers::Formations;
pub use phases::generals::offers::Generals;
pub use phases::morale::offers::Tests;
pub use phases::movement::offers::{Movement, Stride};
pub use phases::pursuit::offers::Pursuits;
pub use phases::rout::offers::Routs;
pub use phases::screens::offers::Screens;
pub use phases::shooting::battering::Batter;
pub use phases::shooting::offers::Aiming;
pub use phases::towns::offers::Towns;
pub use phases::turn::offers::Turn;
pub use situations::{
    Blow, Charisma, Clearing, CommandPoints, Counterbattery, DangerToGeneral, Initiative, Morale, PloughedField,
    Pursuit, Returning, RoutRoll, Shooting, gun_dice,
};
pub use terrain::barriers::{Battered, Break};
pub use troops::dice_for;

/// The ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Batteries;

impl Ruleset for Batteries {
    const BOOK: &'static Book = &clauses::BOOK;
    const VERSION: &'static str = clauses::VERSION;
    const WRITTEN: &'static [Clause] = &[clauses::BB_OPT_28, clauses::BB_OPT_66, clauses::BB_OPT_67];
    type Battle = Battle;
    type Offer = Offer;
    type Event = Event;
    type Body = Body;

    fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
        muster::muster(scenario, report)
    }

    fn save(battle: &Battle) -> Scenario<Body> {
        muster::save::save(battle)
    }

    fn deciding(battle: &Battle) -> Option<Side> {
        match (battle.pending, battle.step) {
            (_, Step::Over) => None,
            (Some(pending), _) => Some(battle.side(pending.unit())),
            (None, Step::Initiative) => Some(Side::A),
            (None, Step::ChargeTests | Step::Overruns | Step::PanicTests | Step::HitTests | Step::LoserTests) => {
                Some(battle.testing().unwrap_or(battle.first))
            }
            (None, Step::Combat) => Some(battle.open_tie().map_or(battle.first.other(), |(unit, _)| battle.side(unit))),
            (None, Step::Pursuits) => Some(battle.to_pursue().map_or(battle.first, |unit| battle.side(unit))),
            (None, _) => Some(battle.phasing()),
        }
    }

    fn offers(battle: &Battle, out: &mut Vec<Offer>) {
        phases::offers(battle, out);
    }

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        phases::closed(battle, out);
    }

    fn actor(battle: &Battle, offer: &Offer) -> Option<Named> {
        phases::actor(battle, offer)
    }

    fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
        phases::might_act(battle, out);
    }

    fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
        phases::offers_of(battle, actor, out);
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        words::tidy(phases::input(battle, offer).ok().or_else(|| battle.despite(offer)).unwrap_or(Input::None))
    }

    fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
        phases::formations::why_not::why_not(battle, offer, value.formation()?)
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        phases::resolve(play, choice)
    }

    fn apply(battle: &mut Battle, event: &Event) {
        battle.apply(event);
    }

    fn follows(before: &Battle, event: &Event, out: &mut Vec<Event>) {
        phases::follows::follows(before, event, out);
    }

    fn check(battle: &Battle) -> Result<(), String> {
        battle.check()
    }

    fn key(battle: &Battle, offer: &Offer) -> String {
        offer.key(battle)
    }

    fn label(battle: &Battle, offer: &Offer) -> Label {
        offer.label(battle)
    }

    fn decision(battle: &Battle) -> String {
        words::decision(battle)
    }

    fn tell(battle: &Battle, event: &Event) -> Telling {
        words::telling::tell(battle, event)
    }

    fn outcome(battle: &Battle, events: &[Event]) -> String {
        words::outcome::outcome(battle, events)
    }

    fn name(battle: &Battle, named: Named) -> Option<(String, String)> {
        let body = &battle.fixed.scenario.body;
        match named {
            Named::Unit(unit) => body.units.get(unit.index()).map(|entry| (entry.id.clone(), entry.name.clone())),
            Named::Officer(general) => {
                body.generals.get(general.index()).map(|entry| (entry.id.clone(), entry.name.clone()))
            }
            Named::Command(brigade) => {
                body.brigades.get(brigade.index()).map(|entry| (entry.id.clone(), entry.name.clone()))
            }
            Named::Ground(ground) => {
                let piece = battle.fixed.scenario.ground.get(ground.index())?;
                let id = piece.id.clone().unwrap_or_else(|| format!("ground-{}", ground.0));
                Some((id, piece.name.clone().unwrap_or_else(|| piece.kind.clone())))
            }
        }
    }

    fn view(battle: &Battle) -> View {
        view::view(battle)
    }

    fn verdict(battle: &Battle) -> Option<Verdict> {
        phases::victory::verdict(battle)
    }

    fn ending(battle: &Battle) -> Option<String> {
        phases::victory::ending(battle)
    }

    fn is_part(battle: &Battle, unit: UnitId) -> bool {
        matches!(battle.unit(unit).place, Place::Ranks | Place::Whole)
    }

    fn aims(battle: &Battle) -> Vec<Aim> {
        phases::victory::aims(battle)
    }

    fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
        view::preview(battle, offer, value)
    }

    fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
        view::overlays(battle, of)
    }

    fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
        let Some(Pending::Evade { charger, target, .. }) = battle.pending else { return None };
        Some(Interrupt {
            kind: "evade",
            reactors: vec![target],
            mover: charger,
            distance: distance(&battle.placed(charger), &battle.placed(target)),
            pass: Charges::Stand.into(),
        })
    }

    fn handling(battle: &Battle, offer: &Offer) -> Handling {
        offer.handling(battle)
    }

    fn foresee(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        phases::shooting::foreseen::foresee(play, choice)
    }

    fn headline(battle: &Battle, events: &[Event]) -> Headline {
        headlines::headline(battle, events)
    }

    fn fates(before: &Battle, after: &Battle, events: &[Event]) -> Vec<Fate> {
        headlines::fates(before, after, events)
    }

    fn loss_measure(_battle: &Battle, _unit: UnitId) -> &'static str {
        "figures"
    }

    fn cost(battle: &Battle, event: &Event) -> Option<Cost> {
        words::told::cost(battle, event)
    }

    fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
        words::told::invites(before, after, offer)
    }

    fn clock(battle: &Battle) -> Clock {
        let phasing =
            matches!(battle.step, Step::MoveA | Step::MoveB | Step::AimA | Step::AimB).then(|| battle.phasing());
        Clock { turn: Some(battle.turn), phase: words::terms::phase(battle, battle.step), phasing }
    }

    fn reaction(battle: &Battle) -> Option<Reaction> {
        words::told::reaction(battle)
    }

    fn touched(_battle: &Battle, event: &Event) -> Vec<UnitId> {
        words::told::touched(event)
    }

    fn command_of(battle: &Battle, unit: UnitId) -> Option<CommandId> {
        Some(battle.facts(unit).brigade)
    }

    fn worth(battle: &Battle, side: Side) -> i32 {
        worth::worth(battle, side, Judgement::Present)
    }

    fn worth_by(battle: &Battle, side: Side, judgement: Judgement) -> i32 {
        worth::worth(battle, side, judgement)
    }

    fn pose(battle: &Battle, unit: UnitId) -> Option<Pose> {
        (battle.unit(unit).place == Place::Table).then(|| battle.unit(unit).pose)
    }

    fn passed(battle: &Battle) -> f64 {
        (f64::from(battle.turn.saturating_sub(1)) / f64::from(battle.fixed.scenario.body.turns.max(1))).min(1.0)
    }

    const PARTS: &'static [&'static str] = worth::parts::NAMES;

    fn parts(battle: &Battle, out: &mut Vec<f64>) {
        worth::parts::parts(battle, out);
    }

    fn points(battle: &Battle, unit: UnitId) -> i32 {
        worth::points(battle, unit)
    }

    fn stances(battle: &Battle, out: &mut Vec<Stance>) {
        worth::stances::stances(battle, out);
    }

    fn places(battle: &Battle) -> Vec<stance::Place> {
        worth::stances::places(battle)
    }

    fn proposals(battle: &Battle, offer: &Offer, out: &mut Vec<Value>) {
        worth::proposals::proposals(battle, offer, Judgement::Present, out);
    }

    fn proposals_by(battle: &Battle, offer: &Offer, judgement: Judgement, out: &mut Vec<Value>) {
        worth::proposals::proposals(battle, offer, judgement, out);
    }

    fn victory() -> &'static [Clause] {
        &[clauses::BB_GEN_11]
    }

    fn situations() -> &'static [&'static dyn SituationTest] {
        situations::SITUATIONS
    }
}
