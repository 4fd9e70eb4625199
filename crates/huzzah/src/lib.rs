//! Huzzah!: Napoleonic battles of battalions, regiments and batteries.
//!
//! The sequence of play (HZ-SEQ-02), and where each part of it stands:
//!
//! | each turn | file |
//! |---|---|
//! | 1 skirmisher superiority | [`phases::skirmish`] |
//! | 2, 7 threat tests | [`phases::threat`] |
//! | 3, 8 orders and movement | [`phases::orders`], [`phases::act`], [`phases::advance`], [`phases::roads`], [`phases::manoeuvre`], [`phases::deploy`] |
//! | the other side's guns meanwhile | [`phases::bombard`], [`phases::hedges`] |
//! | escalades, mines | [`phases::siege`] |
//! | officers who are run into | `phases::flight` |
//! | 4, 9 move officers | [`phases::officers`], [`phases::supersede`], [`phases::reinforce`], [`phases::entering`] |
//! | 5, 10 engage the enemy | [`phases::pairing`], [`phases::engage`], [`phases::fallback`], [`phases::withdraw`], [`phases::rout`] |
//! | 6, 11 rally, reform and rout | [`phases::checks`], [`phases::reorganise`], [`phases::rally`], [`phases::rout`] |
//! | 12 the turn ends | [`phases::turn`], [`phases::victory`] |
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
mod handle;
mod headlines;
pub mod keys;
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
use sabretache_table::{Pose, Unit};

use battle::Battle;
use body::Body;
use event::Event;
use offer::Offer;
use phases::bombard::Swung;
use phases::{
    act, advance, bombard, checks, deploy, engage, entering, fallback, flight, hedges, manoeuvre, officers, orders,
    rally, reinforce, reorganise, roads, rout, setup, siege, skirmish, steps, supersede, threat,
};
use state::Stage;
use table::swing::Turn;

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
        match battle.stage {
            Stage::SetUp => out.push(Offer::Begin),
            Stage::ChooseFirst(_) => out.extend(Side::BOTH.map(Offer::GoesFirst)),
            Stage::Skirmish => out.push(Offer::Skirmish),
            Stage::Threat => out.extend(threat::waiting(battle).into_iter().map(Offer::Test)),
            Stage::Window | Stage::Interrupt => bombard::offers(battle, out),
            Stage::Order => orders::offers(battle, out),
            Stage::Act => act::offers(battle, out),
            Stage::GoOn => out.extend([Offer::GoOn, Offer::Halt]),
            Stage::Swing => manoeuvre::swing_offers(battle, out),
            Stage::Refuge => flight::offers(battle, out),
            Stage::SecondAppointment => orders::second_offers(battle, out),
            Stage::Officers => officers::offers(battle, out),
            Stage::Pairing => engage::pairing_offers(battle, out),
            Stage::Engage => engage::offers(battle, out),
            Stage::OddStagger(_) => engage::odd_offers(battle, out),
            Stage::FallBack => fallback::offers(battle, out),
            Stage::Check => checks::offers(battle, out),
            Stage::Reorganise => reorganise::offers(battle, out),
            Stage::Rally => out.extend(rally::routers(battle).into_iter().map(Offer::Rally)),
            Stage::Formation => rally::form_offers(battle, out),
            Stage::Rout => out.extend(rout::routs(battle).into_iter().map(Offer::Rout)),
            Stage::Reform => out.extend(rally::reformers(battle).into_iter().map(Offer::Reform)),
            Stage::Over => {}
        }
    }

    fn actor(_battle: &Battle, offer: &Offer) -> Option<Named> {
        steps::actor(offer)
    }

    fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
        steps::might_act(battle, out);
    }

    fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
        steps::offers_of(battle, actor, out);
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        match *offer {
            Offer::Go { unit, way, stretch } => advance::input(battle, unit, way, stretch),
            Offer::Road { unit, road, forth, stretch } => roads::input(battle, unit, road, forth, stretch),
            Offer::Wheel(unit) => manoeuvre::input(battle, unit, false),
            Offer::WheelBack(unit) => manoeuvre::input(battle, unit, true),
            Offer::WheelThrough { unit, right, back, stretch } => {
                manoeuvre::input_through(battle, unit, Turn { right, back }, stretch)
            }
            Offer::Deploy { unit, formation } => deploy::input(battle, unit, formation),
            Offer::Sight { battery, target, right, back, through, run } => {
                bombard::input(battle, battery, target, Swung { turn: Turn { right, back }, through, run })
            }
            Offer::Await => bombard::await_input(battle),
            Offer::MoveOfficer(officer) => officers::reach(battle, officer),
            Offer::BringOn(officer) => reinforce::officer_input(battle, officer),
            Offer::Enter { unit, front } => entering::input(battle, unit, front),
            _ => Input::None,
        }
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        if let Err(wrong) = Self::input(play.battle(), &choice.offer).check(&choice.value, Unit::Cm) {
            match Self::why_not(play.battle(), &choice.offer, &choice.value) {
                Some(refusal) => play.refuse(refusal)?,
                None => return Err(wrong.into()),
            }
        }
        carry_out(play, choice)?;
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
        keys::key(battle, offer)
    }

    fn label(battle: &Battle, offer: &Offer) -> Label {
        words::label(battle, offer)
    }

    fn decision(battle: &Battle) -> String {
        words::decision(battle)
    }

    fn tell(battle: &Battle, event: &Event) -> Telling {
        words::tell(battle, event)
    }

    fn outcome(battle: &Battle, events: &[Event]) -> String {
        words::outcome(battle, events)
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
        words::closed(battle, out);
    }

    fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
        words::why_not(battle, offer, value)
    }

    fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
        view::preview(battle, offer, value)
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
        words::interrupt(battle)
    }

    fn lets_pass(battle: &Battle) -> Option<Offer> {
        words::lets_pass(battle)
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

/// What the deciding side chose is done, up to the next decision.
fn carry_out(play: &mut Resolution<'_, Huzzah>, choice: &Choice<Offer>) -> Result<(), Halt> {
    let value = &choice.value;
    match choice.offer {
        Offer::Begin => setup::begin(play),
        Offer::GoesFirst(side) => setup::goes_first(play, side),
        Offer::Skirmish => skirmish::fight(play),
        Offer::Test(unit) => threat::test(play, unit),
        Offer::Pass => bombard::close(play),
        Offer::Bombard { battery, target } => bombard::fire(play, battery, target),
        Offer::Through { battery, target } => hedges::fire(play, battery, target),
        Offer::Explode(breach) => siege::explode(play, breach),
        Offer::Sight { battery, target, right, back, through, run } => {
            let swung = Swung { turn: Turn { right, back }, through, run };
            bombard::sight_and_fire(play, battery, target, swung, value.wheel().unwrap_or_default())
        }
        Offer::Await => bombard::wait(play, value.distance(), value.number()),
        Offer::Order { officer, to, order } => orders::issue(play, officer, to, order),
        Offer::FreeOrder { officer, order } => orders::issue_free(play, officer, order),
        Offer::Appoint(officer) => orders::appoint(play, officer),
        Offer::AppointToo(officer) => orders::appoint_too(play, officer),
        Offer::NameFirst(command) => reinforce::name_first(play, command),
        Offer::Rearm => orders::rearm(play),
        Offer::EndOrders => orders::end(play),
        Offer::Go { unit, way, stretch } => advance::go(play, unit, way, stretch, value.distance().unwrap_or_default()),
        Offer::Road { unit, road, forth, stretch } => {
            roads::follow(play, unit, road, forth, stretch, value.distance().unwrap_or_default())
        }
        Offer::Wheel(unit) => manoeuvre::wheel(play, unit, false, value.wheel().unwrap_or_default()),
        Offer::WheelBack(unit) => manoeuvre::wheel(play, unit, true, value.wheel().unwrap_or_default()),
        Offer::WheelThrough { unit, back, .. } => manoeuvre::wheel(play, unit, back, value.wheel().unwrap_or_default()),
        Offer::AboutFace(unit) => manoeuvre::about_face(play, unit),
        Offer::NoSwing => manoeuvre::no_swing(play),
        Offer::Refuge(unit) => flight::take_refuge(play, unit),
        Offer::Deploy { unit, formation } => deploy::change(play, unit, formation, value.number().unwrap_or(0)),
        Offer::Garrison { unit, sector, sides } => deploy::garrison(play, unit, sector, sides),
        Offer::JoinSkirmishers(unit) => deploy::skirmish(play, unit),
        Offer::Across { unit, enemy } => advance::engage_across(play, unit, enemy),
        Offer::Recall(unit) => act::recall(play, unit),
        Offer::Escalade { unit, wall } => siege::escalade(play, unit, wall),
        Offer::ClimbOver(unit) => siege::climb_over(play, unit),
        Offer::AlongWall { unit, right } => siege::turn_along(play, unit, right),
        Offer::Enter { unit, front } => entering::enter(play, unit, front, value.distance().unwrap_or_default()),
        Offer::Done => orders::done(play),
        Offer::GoOn => act::go_on(play, false),
        Offer::Halt => act::go_on(play, true),
        Offer::MoveOfficer(officer) => officers::ride(play, officer, value.point().unwrap_or_default()),
        Offer::Attach { officer, unit } => officers::attach(play, officer, unit),
        Offer::Detach(officer) => officers::detach(play, officer),
        Offer::Supersede(command) => supersede::supersede(play, command),
        Offer::Relinquish(side) => supersede::relinquish(play, side),
        Offer::BringOn(officer) => reinforce::bring_on(play, officer, value.point().unwrap_or_default()),
        Offer::EndOfficers => officers::end(play),
        Offer::Pairing(n) => engage::pair(play, n),
        Offer::Fight(n) => engage::fight(play, n),
        Offer::OddStagger(unit) => engage::place_odd(play, unit),
        Offer::FallBack(unit) => fallback::go(play, unit),
        Offer::FallBackIn { unit, formation } => fallback::go_in(play, unit, formation),
        Offer::Stay(unit) => fallback::stay(play, unit),
        Offer::Check { command, by, flag } => checks::check(play, command, by, flag),
        Offer::Reorganise(command) => reorganise::attempt(play, command),
        Offer::EndReorganise => rally::begin(play),
        Offer::Rally(unit) => rally::rally(play, unit),
        Offer::Form(formation) => rally::form(play, formation),
        Offer::Rout(unit) => rout::rout(play, unit),
        Offer::Reform(unit) => rally::reform(play, unit),
    }
}
