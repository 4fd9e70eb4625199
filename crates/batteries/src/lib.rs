//! Brigades and Batteries: division-sized Napoleonic battles, figures and guns as strength.
//!
//! The sequence of play, as `phases.rs` carries it out:
//!
//! 1. dice for the initiative; the winner is Side A or Side B this turn;
//! 2. Side A moves, charges included, and Side B evades;
//! 3. Side B moves, and Side A evades;
//! 5. all shooting; chargers test; guns and skirmishers are overrun; those who are charged test; all others who were hit
//!    test;
//! 6. one round of every combat; losers test; with the options, cavalry recoils and victors pursue, to move before the
//!    next turn's dice.

mod aftermath;
mod aim;
mod allowed;
mod apply;
mod approach;
mod barriers;
mod battering;
mod battle;
mod bent;
mod body;
mod bounce;
mod charge;
mod chase;
pub mod clauses;
mod clearing;
mod closed;
mod combat;
mod cover;
mod despite;
mod detach;
mod elbow;
mod evade;
mod event;
mod forbidden;
mod garrisons;
mod generals;
mod glimpse;
mod goals;
mod ground;
mod handle;
mod headlines;
mod inputs;
mod launch;
mod lines;
mod manoeuvre;
mod marches;
mod marks;
mod masses;
mod memo;
mod moment;
mod morale;
mod moving;
mod muster;
mod nearing;
pub mod numbers;
mod offer;
mod offers;
mod options;
mod overrun;
mod phases;
mod places;
mod proposals;
mod prospects;
mod pursuit;
mod push;
mod resolve;
mod road;
mod room;
mod rout;
mod save;
mod screens;
mod shape;
mod sharing;
mod shooting;
pub mod situations;
mod state;
mod step;
mod straight;
mod strike;
mod targets;
mod telling;
mod terms;
mod terrain;
mod threats;
mod ties;
mod told;
mod towns;
pub mod troops;
mod turning;
mod unit;
mod verdict;
mod view;
mod walls;
mod wheeling;
mod words;
mod worth;

use sabretache_engine::clause::Book;
use sabretache_engine::forecast::{Cost, Fate, Headline, Invitation};
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{CommandId, Named, Side, UnitId};
use sabretache_engine::interrupt::{Clock, Interrupt, Reaction};
use sabretache_engine::offer::{Choice, Halt, Input, Preview, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Label, Ruleset, Telling};
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::situation::SituationTest;
use sabretache_engine::view::{Overlay, Verdict, View};
use sabretache_table::distance;

pub use barriers::{Battered, Break};
pub use battering::Batter;
pub use battle::{Abandoned, Battle, Chase, Contact, Order, Pending, Place, Step, ThisTurn};
pub use body::Body;
pub use event::{Event, How};
pub use numbers::Numbers;
pub use offer::Offer;
pub use options::Options;
pub use situations::{
    Blow, Charisma, Clearing, CommandPoints, Counterbattery, DangerToGeneral, Initiative, Morale, PloughedField,
    Pursuit, Returning, RoutRoll, Shooting, gun_dice,
};
pub use troops::dice_for;

/// The ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Batteries;

impl Ruleset for Batteries {
    const BOOK: &'static Book = &clauses::BOOK;
    const VERSION: &'static str = clauses::VERSION;
    type Battle = Battle;
    type Offer = Offer;
    type Event = Event;
    type Body = Body;

    fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
        muster::muster(scenario, report)
    }

    fn save(battle: &Battle) -> Scenario<Body> {
        save::save(battle)
    }

    fn deciding(battle: &Battle) -> Option<Side> {
        match (battle.pending, battle.step) {
            (_, Step::Over) => None,
            (Some(Pending::Evade { target, .. }), _) => Some(battle.side(target)),
            (Some(Pending::Onward { charger } | Pending::Overrun { charger }), _) => Some(battle.side(charger)),
            (Some(Pending::Rout { unit, .. } | Pending::Detour { unit }), _) => Some(battle.side(unit)),
            (Some(Pending::Refill { screen }), _) => Some(battle.side(screen)),
            (Some(Pending::AtOnce { unit, .. }), _) => Some(battle.side(unit)),
            (Some(Pending::Aim { unit } | Pending::Toll { garrison: unit }), _) => Some(battle.side(unit)),
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
        offers::offers(battle, out);
    }

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        closed::closed(battle, out);
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        words::tidy(inputs::input(battle, offer).ok().or_else(|| battle.despite(offer)).unwrap_or(Input::None))
    }

    fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
        forbidden::why_not(battle, offer, value.formation()?)
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        resolve::resolve(play, choice)
    }

    fn apply(battle: &mut Battle, event: &Event) {
        battle.apply(event);
    }

    fn check(battle: &Battle) -> Result<(), String> {
        battle.check()
    }

    fn key(battle: &Battle, offer: &Offer) -> String {
        words::key(battle, offer)
    }

    fn label(battle: &Battle, offer: &Offer) -> Label {
        words::label(battle, offer)
    }

    fn decision(battle: &Battle) -> String {
        words::decision(battle)
    }

    fn tell(battle: &Battle, event: &Event) -> Telling {
        telling::tell(battle, event)
    }

    fn outcome(battle: &Battle, events: &[Event]) -> String {
        telling::outcome(battle, events)
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
        verdict::verdict(battle)
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
            pass: Offer::Stand,
        })
    }

    fn handling(battle: &Battle, offer: &Offer) -> Handling {
        handle::handling(battle, offer)
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
        told::cost(battle, event)
    }

    fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
        told::invites(before, after, offer)
    }

    fn clock(battle: &Battle) -> Clock {
        let phasing =
            matches!(battle.step, Step::MoveA | Step::MoveB | Step::AimA | Step::AimB).then(|| battle.phasing());
        Clock { turn: Some(battle.turn), phase: terms::phase(battle, battle.step), phasing }
    }

    fn reaction(battle: &Battle) -> Option<Reaction> {
        told::reaction(battle)
    }

    fn touched(_battle: &Battle, event: &Event) -> Vec<UnitId> {
        told::touched(event)
    }

    fn command_of(battle: &Battle, unit: UnitId) -> Option<CommandId> {
        Some(battle.facts(unit).brigade)
    }

    fn worth(battle: &Battle, side: Side) -> i32 {
        worth::worth(battle, side)
    }

    fn points(battle: &Battle, unit: UnitId) -> i32 {
        worth::points(battle, unit)
    }

    fn proposals(battle: &Battle, offer: &Offer, out: &mut Vec<Value>) {
        proposals::proposals(battle, offer, out);
    }

    fn situations() -> &'static [&'static dyn SituationTest] {
        situations::SITUATIONS
    }
}
