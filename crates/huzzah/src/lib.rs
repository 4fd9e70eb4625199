//! Huzzah!: Napoleonic battles of battalions, regiments and batteries.
//!
//! The sequence of play (HZ-SEQ-02), and where each part of it stands:
//!
//! | each turn | file |
//! |---|---|
//! | before the first | [`phases::setup`] |
//! | 1 skirmisher superiority | [`phases::skirmish`] |
//! | 2, 7 threat tests | [`phases::threat`] |
//! | 3, 8 orders and movement | [`phases::orders`], [`phases::act`], [`phases::advance`], [`phases::manoeuvre`], [`phases::deploy`] |
//! | the other side's guns meanwhile | [`phases::bombard`] |
//! | escalades, mines | [`phases::siege`] |
//! | 4, 9 move officers | [`phases::officers`], [`phases::reinforce`] |
//! | 5, 10 engage the enemy | [`phases::engage`], [`phases::fallback`], [`phases::withdraw`], [`phases::rout`] |
//! | 6, 11 rally, reform and rout | [`phases::rally`], [`phases::rout`] |
//! | 12 the turn ends | [`phases::turn`], [`phases::victory`] |
//!
//! What may be chosen in a phase, and all that is to be known of it, is in that phase's `offers.rs`; which of it is open at which stage, in
//! `phases::menu`.
//!
//! What lies on the table is in [`table`], the ground in [`terrain`], the rolls in [`situations`], the numbers of the book in
//! [`numbers`].

pub mod apply;
pub mod battle;
mod bench;
pub mod body;
pub mod check;
pub mod clauses;
pub mod event;
mod headlines;
pub mod lay;
pub mod muster;
pub mod numbers;
pub mod offer;
pub mod phases;
mod proposals;
mod prospects;
pub mod situations;
pub mod state;
pub mod table;
pub mod terrain;
pub mod troops;
pub mod view;
pub mod words;
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
use sabretache_engine::stance::{Place, Stance};
use sabretache_engine::view::{Overlay, Verdict, View};
use sabretache_kit::{Part, in_a_sentence};
use sabretache_table::{Pose, Unit};

use battle::Battle;
use body::Body;
use event::Event;
use offer::Offer;
use phases::officers::flight;
use phases::{fallback, menu};
use state::Stage;

/// The ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Huzzah;

impl Ruleset for Huzzah {
    const BOOK: &'static Book = &clauses::BOOK;
    const VERSION: &'static str = clauses::VERSION;
    const WRITTEN: &'static [Clause] = &[clauses::HZ_SEQ_05, clauses::HZ_CHK_23];

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
        let other = battle.phasing.other();
        match battle.stage {
            Stage::Over => None,
            Stage::ChooseFirst(side) | Stage::OddStagger(side) => Some(side),
            Stage::Window | Stage::Interrupt => Some(other),
            Stage::Refuge => battle.doing.fleeing.first().map(|one| battle.officer_facts(one.officer).side),
            Stage::FallBack => {
                let first = fallback::waiting(battle).first().map(|&unit| battle.facts(unit).side);
                Some(first.unwrap_or(battle.phasing))
            }
            _ => Some(battle.phasing),
        }
    }

    fn offers(battle: &Battle, out: &mut Vec<Offer>) {
        menu::offers(battle, out);
    }

    fn actor(_battle: &Battle, offer: &Offer) -> Option<Named> {
        offer.actor()
    }

    fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
        menu::might_act(battle, out);
    }

    fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
        menu::offers_of(battle, actor, out);
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        Part::input(*offer, battle).unwrap_or(Input::None)
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        if let Err(wrong) = Self::input(play.battle(), &choice.offer).check(&choice.value, Unit::Cm) {
            match Self::why_not(play.battle(), &choice.offer, &choice.value) {
                Some(refusal) => play.refuse(refusal)?,
                None => return Err(wrong.into()),
            }
        }
        choice.offer.carry_out(play, &choice.value)?;
        flight::before_deciding(play);
        Ok(())
    }

    fn apply(battle: &mut Battle, event: &Event) {
        apply::apply(battle, event);
    }

    fn follows(before: &Battle, event: &Event, out: &mut Vec<Event>) {
        phases::follows::follows(before, event, out);
    }

    fn check(battle: &Battle) -> Result<(), String> {
        check::check(battle)
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
        words::name(battle, named)
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

    fn aims(battle: &Battle) -> Vec<Aim> {
        phases::victory::aims(battle)
    }

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        menu::closed(battle, out);
    }

    fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
        offer.why_not(battle, value)
    }

    fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
        offer.preview(battle, value)
    }

    fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
        view::overlays(battle, of)
    }

    fn players(battle: &Battle, side: Side) -> Vec<String> {
        let entries = battle.lay.scenario.body.players.iter();
        let sides = &battle.lay.scenario.sides;
        entries.filter(|entry| sides[side.index()].id == entry.side).map(|entry| entry.name.clone()).collect()
    }

    fn player_of(battle: &Battle, command: CommandId) -> Option<String> {
        let player = battle.officer_facts(battle.command_facts(command).officer).player?;
        battle.lay.scenario.body.players.get(usize::from(player)).map(|entry| entry.name.clone())
    }

    fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
        prospects::interrupt(battle)
    }

    fn lets_pass(battle: &Battle) -> Option<Offer> {
        prospects::lets_pass(battle)
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
        "staggers and kills"
    }

    fn cost(battle: &Battle, event: &Event) -> Option<Cost> {
        prospects::cost(battle, event)
    }

    fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
        prospects::invites(before, after, offer)
    }

    fn clock(battle: &Battle) -> Clock {
        let turn = (battle.turn > 0).then_some(u32::from(battle.turn));
        Clock { turn, phase: view::phase(battle).to_owned(), phasing: Some(battle.phasing) }
    }

    fn reaction(battle: &Battle) -> Option<Reaction> {
        prospects::reaction(battle)
    }

    fn touched(_battle: &Battle, event: &Event) -> Vec<UnitId> {
        prospects::touched(event)
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
        battle.is_present(unit).then(|| battle.unit(unit).pose)
    }

    fn passed(battle: &Battle) -> f64 {
        (f64::from(battle.turn.saturating_sub(1)) / f64::from(battle.lay.options.turns.max(1))).min(1.0)
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
        &[clauses::HZ_VIC_01, clauses::HZ_VIC_02]
    }

    fn situations() -> &'static [&'static dyn SituationTest] {
        situations::ALL
    }
}
