//! Malbrook: great battles of the War of the Spanish Succession, brigades as units.
//!
//! The sequence of play of one turn (MB-SEQ-01), each phase by the player going first and then by the other, and where each part
//! of it stands:
//!
//! | each turn | file |
//! |---|---|
//! | initiative, and what leads from one phase to the next | [`phases::turn`] |
//! | bombardment, close artillery fire, shots at lone leaders | [`phases::gunnery`] |
//! | command | [`phases::command`], [`phases::orders`], [`phases::messages`] |
//! | control tests | [`phases::control`] |
//! | movement | [`phases::movement`], [`phases::advance`], [`phases::wheel`], [`phases::halting`], [`phases::roads`], [`phases::manoeuvre`], [`phases::refused_flank`], [`phases::merging`] |
//! | what interrupts a move | [`phases::passing`], [`phases::skirmish`], [`phases::ambush`] |
//! | charges | [`phases::charge`], [`phases::meeting`] |
//! | combat and what follows it | [`phases::combat`], [`phases::after_combat`], [`phases::fleeing`], [`phases::pursuit`], [`phases::splitting`] |
//! | losses | [`phases::harm`], [`phases::closing`] |
//! | morale, and the end | [`phases::morale`], [`phases::aims`] |
//! | rules for umpires and several players | [`phases::options`], [`phases::despite`] |
//!
//! What a phase offers stands in its `offers.rs`, with all that belongs to an offer: who acts, what is asked for, what it does, its key,
//! its label, how a hand takes hold of it. What the battle waits for in the middle of something is in [`phases::pending`].
//! What lies on the table is in [`table`], the ground in [`terrain`], the rolls in [`situations`], the numbers of the book in
//! [`numbers`].

mod apply;
mod battle;
mod bench;
mod body;
mod brigade;
pub mod clauses;
mod event;
mod headlines;
mod marks;
mod muster;
pub mod numbers;
mod offer;
mod phases;
mod proposals;
pub mod situations;
mod table;
mod terrain;
pub mod troops;
mod view;
mod words;
mod worth;

pub use bench::bench;

use sabretache_engine::clause::{Book, Clause};
use sabretache_engine::forecast::{Cost, Fate, Headline, Invitation};
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{CommandId, Named, OfficerId, Side, UnitId};
use sabretache_engine::interrupt::{Clock, Interrupt, Reaction};
use sabretache_engine::offer::{Choice, Ghost, Halt, Input, Preview, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{self, Judgement, Label, Ruleset, Telling};
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::situation::SituationTest;
use sabretache_engine::stance::{Place, Stance};
use sabretache_engine::view::{Overlay, Verdict, View};
use sabretache_kit::in_a_sentence;
use sabretache_table::Pose;

pub use battle::Battle;
pub use body::Body;
pub use brigade::{Aim, Assault, Charge, HaltAt, LastMove, LeftOff, Marks, Order, Refused, Response, Status};
use clauses::{BOOK, MB_SEQ_02};
pub use event::{Approach, Blow, BlowKind, Combatant, Course, Event, FastMove, Fight, GroupRoll, Phase};
pub use numbers::Numbers;
pub use offer::Offer;
pub use phases::aims::AimEntry;
pub use phases::charge::offers::Charges;
pub use phases::closing::{Closing, End};
pub use phases::combat::offers::Combats;
pub use phases::command::offers::Command;
pub use phases::control::offers::ControlTest;
pub use phases::deploy::offers::Deployment;
pub use phases::fleeing::Falling;
pub use phases::gunnery::offers::Gunnery;
pub use phases::manoeuvre::offers::Manoeuvres;
pub use phases::manoeuvre::{Scattering, Step};
pub use phases::meeting::Met;
pub use phases::merging::offers::Merging;
pub use phases::messages::offers::Messages;
pub use phases::messages::{Dispatch, Word};
pub use phases::movement::offers::Movement;
pub use phases::options::offers::Optional;
pub use phases::options::{Challenge, Options, PlayerEntry};
pub use phases::passing::Passing;
pub use phases::pending::offers::Answer;
pub use phases::refused_flank::offers::RefusedFlank;
pub use phases::turn::offers::Turn;
use phases::{advance, despite, horses, manoeuvre, options, pending, steps, turn, wheel};
use sabretache_kit::Part;
use table::hidden::Eyes;
use table::{hidden, lay};

/// The ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Malbrook;

impl Ruleset for Malbrook {
    const BOOK: &'static Book = &BOOK;
    const VERSION: &'static str = clauses::VERSION;
    const WRITTEN: &'static [Clause] = &[clauses::MB_MOR_16, clauses::MB_ORD_06];
    type Battle = Battle;
    type Offer = Offer;
    type Event = Event;
    type Body = Body;

    fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
        muster::muster(scenario, report)
    }

    fn save(battle: &Battle) -> Scenario<Body> {
        muster::save(battle)
    }

    fn deciding(battle: &Battle) -> Option<Side> {
        turn::deciding(battle)
    }

    fn offers(battle: &Battle, out: &mut Vec<Offer>) {
        out.extend_from_slice(battle.offers());
    }

    fn actor(_battle: &Battle, offer: &Offer) -> Option<Named> {
        offer.actor()
    }

    fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
        steps::might_act(battle, out);
    }

    fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
        steps::offers_of(battle, actor, out);
    }

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        let before = out.len();
        turn::closed(battle, out);
        despite::sort_out(battle, &mut out[before..]);
    }

    fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
        manoeuvre::why_not(battle, offer, value.formation()?)
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        let input = Part::input(*offer, battle);
        // What is forbidden has its input too, for players who are only advised.
        input.or_else(|_| battle.waived(|| Part::input(*offer, battle))).unwrap_or(Input::None)
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        let watched = horses::watch(play.battle());
        turn::may_choose(play.battle(), &choice.offer)?;
        despite::waive(play, choice.offer)?;
        let done = choice.offer.carry_out(play, &choice.value);
        play.battle().memo.enforce();
        done?;
        if choice.offer.settles_itself() {
            return Ok(());
        }
        if play.battle().phase == Phase::Over {
            return Err(Refusal::impossible(MB_SEQ_02, "the battle is over").into());
        }
        horses::take(play, &watched);
        turn::settle(play)
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
        Part::key(*offer, battle)
    }

    fn label(battle: &Battle, offer: &Offer) -> Label {
        let label = Part::label(*offer, battle);
        Label { text: in_a_sentence(&label.text), ..label }
    }

    fn decision(battle: &Battle) -> String {
        in_a_sentence(&words::decision(battle))
    }

    fn tell(battle: &Battle, event: &Event) -> Telling {
        let telling = words::tell(battle, event);
        Telling { text: in_a_sentence(&telling.text), ..telling }
    }

    fn outcome(battle: &Battle, events: &[Event]) -> String {
        in_a_sentence(&words::outcome(battle, events))
    }

    fn name(battle: &Battle, named: Named) -> Option<(String, String)> {
        match named {
            Named::Unit(unit) if unit.index() < battle.units.len() => Some((battle.id_of(unit), battle.name_of(unit))),
            Named::Officer(leader) => {
                let entry = battle.fixed.scenario.body.leaders.get(leader.index())?;
                Some((entry.id.clone(), entry.name.clone()))
            }
            Named::Command(command) => {
                let entry = battle.fixed.scenario.body.leaders.get(command.index())?;
                Some((entry.id.clone(), entry.leads.clone().unwrap_or_else(|| entry.name.clone())))
            }
            Named::Ground(ground) => {
                let entry = battle.fixed.scenario.ground.get(ground.index())?;
                let id = entry.id.clone().unwrap_or_else(|| ground.to_string());
                Some((id, entry.name.clone().unwrap_or_else(|| entry.kind.clone())))
            }
            Named::Unit(_) => None,
        }
    }

    fn view(battle: &Battle) -> View {
        view::view(battle)
    }

    fn verdict(battle: &Battle) -> Option<Verdict> {
        words::verdict(battle)
    }

    fn ending(battle: &Battle) -> Option<String> {
        words::ending(battle)
    }

    fn aims(battle: &Battle) -> Vec<ruleset::Aim> {
        let objectives = battle.fixed.scenario.body.objectives.iter().zip(&battle.held);
        objectives.map(|(one, held)| ruleset::Aim { name: one.name.clone(), reached_by: *held }).collect()
    }

    fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
        let (unit, pose) = match (offer, value) {
            (Offer::Movement(Movement::Advance(unit)), Value::Distance(by)) => {
                (*unit, battle.brigade(*unit).pose.moved(advance::course(battle, *unit), *by))
            }
            (Offer::Movement(Movement::Wheel(unit)), Value::Wheel(by)) => (*unit, wheel::wheeled(battle, *unit, *by)),
            _ => return Preview::default(),
        };
        let stands = view::bases(&lay::Figure::of(battle.brigade(unit), pose));
        let stops = match advance::straight_on(battle, unit) {
            Ok((Input::Distance { stops, .. }, _)) if matches!(offer, Offer::Movement(Movement::Advance(_))) => stops,
            _ => Vec::new(),
        };
        let track = vec![battle.brigade(unit).pose.at, pose.at];
        let measure = value.distance().map(|by| by.format_in(sabretache_table::Unit::Inch));
        Preview { ghosts: vec![Ghost { unit, pose, stands, track }], stops, measure, ..Preview::default() }
    }

    fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
        view::overlays(battle, of, Eyes::All)
    }

    fn conceals(battle: &Battle) -> bool {
        battle.conceals()
    }

    fn sees(battle: &Battle, eyes: Eyes, what: Named) -> bool {
        battle.named_seen(eyes, what)
    }

    fn learns(battle: &Battle, eyes: Eyes, event: &Event) -> bool {
        battle.learned(eyes, event)
    }

    fn view_for(battle: &Battle, eyes: Eyes) -> View {
        hidden::view_for(battle, eyes)
    }

    fn overlays_for(battle: &Battle, of: Named, eyes: Eyes) -> Vec<Overlay> {
        if battle.named_seen(eyes, of) { view::overlays(battle, of, eyes) } else { Vec::new() }
    }

    fn players(battle: &Battle, side: Side) -> Vec<String> {
        battle.player_names(side)
    }

    fn player_of(battle: &Battle, command: CommandId) -> Option<String> {
        options::player_over(battle, OfficerId(command.0)).map(|player| options::player_name(battle, player).to_owned())
    }

    fn may_write(battle: &Battle, side: Side, from: &str, to: &str) -> Result<(), Refusal> {
        battle.may_write(side, from, to)
    }

    fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
        pending::interrupt(battle)
    }

    fn handling(battle: &Battle, offer: &Offer) -> Handling {
        Part::handling(*offer, battle)
    }

    fn headline(battle: &Battle, events: &[Event]) -> Headline {
        headlines::headline(battle, events)
    }

    fn fates(before: &Battle, after: &Battle, events: &[Event]) -> Vec<Fate> {
        headlines::fates(before, after, events)
    }

    fn loss_measure(_battle: &Battle, _unit: UnitId) -> &'static str {
        "bases"
    }

    fn cost(battle: &Battle, event: &Event) -> Option<Cost> {
        words::told::cost(battle, event)
    }

    fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
        words::told::invites(before, after, offer)
    }

    fn clock(battle: &Battle) -> Clock {
        Clock { turn: Some(battle.turn), phase: words::phase_word(battle.phase).into(), phasing: Some(battle.active) }
    }

    fn reaction(battle: &Battle) -> Option<Reaction> {
        words::told::reaction(battle)
    }

    fn touched(_battle: &Battle, event: &Event) -> Vec<UnitId> {
        words::told::touched(event)
    }

    fn command_of(battle: &Battle, unit: UnitId) -> Option<CommandId> {
        Some(CommandId(battle.brigade(unit).under.0))
    }

    fn worth(battle: &Battle, side: Side) -> i32 {
        worth::worth(battle, side, Judgement::Present)
    }

    fn worth_by(battle: &Battle, side: Side, judgement: Judgement) -> i32 {
        worth::worth(battle, side, judgement)
    }

    fn pose(battle: &Battle, unit: UnitId) -> Option<Pose> {
        let one = battle.brigade(unit);
        (!one.status.is_gone()).then_some(one.pose)
    }

    fn passed(battle: &Battle) -> f64 {
        (f64::from(battle.turn.saturating_sub(1)) / f64::from(phases::morale::turns(battle).max(1))).min(1.0)
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

    fn places(battle: &Battle) -> Vec<Place> {
        worth::stances::places(battle)
    }

    fn proposals(battle: &Battle, offer: &Offer, out: &mut Vec<Value>) {
        proposals::proposals(battle, offer, &Self::input(battle, offer), Judgement::Present, out);
    }

    fn proposals_by(battle: &Battle, offer: &Offer, judgement: Judgement, out: &mut Vec<Value>) {
        proposals::proposals(battle, offer, &Self::input(battle, offer), judgement, out);
    }

    fn victory() -> &'static [Clause] {
        &[clauses::MB_VIC_01, clauses::MB_VIC_03, clauses::MB_VIC_04]
    }

    fn situations() -> &'static [&'static dyn SituationTest] {
        situations::SITUATIONS
    }
}

#[cfg(test)]
#[path = "../tests/suite/plain.rs"]
mod plain;
