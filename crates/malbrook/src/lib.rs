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
//! What lies on the table is in [`table`], the ground in [`terrain`], the rolls in [`situations`], the numbers of the book in
//! [`numbers`].

mod apply;
mod battle;
mod bench;
mod body;
mod brigade;
pub mod clauses;
mod event;
mod handle;
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

use sabretache_engine::clause::Book;
use sabretache_engine::forecast::{Cost, Fate, Headline, Invitation};
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{CommandId, Named, OfficerId, Side, UnitId};
use sabretache_engine::interrupt::{Clock, Interrupt, Reaction};
use sabretache_engine::offer::{Choice, Ghost, Halt, Input, Preview, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{self, Judgement, Label, Ruleset, Telling};
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::situation::SituationTest;
use sabretache_engine::stance::{Place, Stance};
use sabretache_engine::view::{Overlay, Verdict, View};
use sabretache_table::Unit;

pub use battle::Battle;
pub use body::Body;
pub use brigade::{Aim, Assault, Charge, HaltAt, LastMove, LeftOff, Marks, Order, Refused, Response, Status};
use clauses::{BOOK, MB_SEQ_02};
pub use event::{Approach, Blow, BlowKind, Combatant, Event, FastMove, Fight, GroupRoll, Phase};
pub use numbers::Numbers;
pub use offer::Offer;
pub use phases::aims::AimEntry;
pub use phases::closing::{Closing, End};
pub use phases::fleeing::Falling;
pub use phases::manoeuvre::{Scattering, Step};
pub use phases::meeting::Met;
pub use phases::messages::{Dispatch, Word};
pub use phases::options::{Challenge, Options, PlayerEntry};
pub use phases::passing::Passing;
use phases::{
    advance, after_combat, charge, closing, combat, command, control, deploy, despite, fleeing, gunnery, halting,
    horses, manoeuvre, meeting, merging, messages, movement, options, passing, pursuit, refused_flank, roads, skirmish,
    turn, wheel,
};
use table::hidden::Eyes;
use table::{hidden, lay};

/// The ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Malbrook;

impl Ruleset for Malbrook {
    const BOOK: &'static Book = &BOOK;
    const VERSION: &'static str = clauses::VERSION;
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

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        let before = out.len();
        turn::closed(battle, out);
        despite::sort_out(battle, &mut out[before..]);
    }

    fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
        manoeuvre::why_not(battle, offer, value.formation()?)
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        let input = input_of(battle, offer);
        // What is forbidden has its input too, for players who are only advised.
        input.or_else(|_| battle.waived(|| input_of(battle, offer))).unwrap_or(Input::None)
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        let value = &choice.value;
        let watched = horses::watch(play.battle());
        if let Some(met) = play.battle().met {
            meeting::answer(play, met, choice.offer)?;
            horses::take(play, &watched);
            return turn::settle(play);
        }
        turn::may_choose(play.battle(), &choice.offer)?;
        despite::waive(play, &choice.offer)?;
        let done = take_up(play, choice, value);
        play.battle().memo.waive(false);
        if !done? {
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

    fn check(battle: &Battle) -> Result<(), String> {
        battle.check()
    }

    fn key(battle: &Battle, offer: &Offer) -> String {
        words::key(battle, offer)
    }

    fn label(battle: &Battle, offer: &Offer) -> Label {
        let label = words::label(battle, offer);
        Label { text: words::in_a_sentence(&label.text), ..label }
    }

    fn decision(battle: &Battle) -> String {
        words::in_a_sentence(&words::decision(battle))
    }

    fn tell(battle: &Battle, event: &Event) -> Telling {
        let telling = words::tell(battle, event);
        Telling { text: words::in_a_sentence(&telling.text), ..telling }
    }

    fn outcome(battle: &Battle, events: &[Event]) -> String {
        words::in_a_sentence(&words::outcome(battle, events))
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
            (Offer::Advance(unit), Value::Distance(by)) => {
                (*unit, battle.brigade(*unit).pose.moved(advance::course(battle, *unit), *by))
            }
            (Offer::Wheel(unit), Value::Wheel(by)) => (*unit, wheel::wheeled(battle, *unit, *by)),
            _ => return Preview::default(),
        };
        let stands = view::bases(&lay::Figure::of(battle.brigade(unit), pose));
        let stops = match advance::straight_on(battle, unit) {
            Ok((Input::Distance { stops, .. }, _)) if matches!(offer, Offer::Advance(_)) => stops,
            _ => Vec::new(),
        };
        let track = vec![battle.brigade(unit).pose.at, pose.at];
        let measure = value.distance().map(|by| by.format_in(Unit::Inch));
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
        if let Some(passing) = &battle.passing {
            return Some(Interrupt {
                kind: "flanking fire",
                reactors: vec![passing.foot],
                mover: passing.mover,
                distance: sabretache_table::distance(battle.figure(passing.foot), battle.figure(passing.mover)),
                pass: Offer::HoldFire,
            });
        }
        if let Some(met) = battle.met.filter(|met| !met.counters) {
            return Some(Interrupt {
                kind: "come upon",
                reactors: vec![met.target],
                mover: met.charger,
                distance: sabretache_table::distance(battle.figure(met.target), battle.figure(met.charger)),
                pass: Offer::Receive(met.target),
            });
        }
        let approach = battle.approach?;
        Some(Interrupt {
            kind: "withdraw",
            reactors: vec![approach.skirmisher],
            mover: approach.mover,
            distance: sabretache_table::distance(&battle.figure(approach.skirmisher), &battle.figure(approach.mover)),
            pass: Offer::LetCome,
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

    fn situations() -> &'static [&'static dyn SituationTest] {
        situations::SITUATIONS
    }
}

/// What an offer asks for, if it may be taken up.
fn input_of(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    match *offer {
        Offer::SetDown(unit) => deploy::place_input(battle, unit),
        Offer::Face(unit) if battle.phase == Phase::Movement => manoeuvre::face_input(battle, unit),
        Offer::Face(unit) => deploy::deploy_turn_input(battle, unit),
        Offer::DeployIn(unit) => deploy::deploy_form_input(battle, unit),
        Offer::SetDownLeader(leader) => deploy::place_leader_input(battle, leader),
        Offer::Ride { leader, double } => Ok(command::ride_input(battle, leader, double)),
        Offer::RideMessenger { rider, double } => Ok(messages::rider_input(battle, rider, double)),
        Offer::Reassign { by, from, to } => messages::may_reassign(battle, by, from, to).map(|of| {
            let most = of.len() as u16;
            Input::Units { of, least: 1, most }
        }),
        Offer::Advance(unit) => advance::straight_on(battle, unit).map(|(input, _)| input),
        Offer::HaltShort(unit) => advance::short_of_friends_input(battle, unit),
        Offer::Bear(unit) => advance::bearing(battle, unit),
        Offer::ChargeBearing { unit, at, outrance } => charge::charge_input(battle, unit, at, outrance),
        Offer::Wheel(unit) => wheel::wheel_input(battle, unit),
        Offer::Incline { unit, right } => wheel::incline_input(battle, unit, right),
        Offer::Road { unit, double } => roads::road_input(battle, unit, double),
        Offer::PassGap(unit) => passing::gap_input(battle, unit),
        Offer::GiveFire => passing::volley_input(battle),
        Offer::SwingBack { unit, left, bases } => refused_flank::swing_back_input(battle, unit, left, bases),
        Offer::StepEnd { unit, left, bases } => refused_flank::step_end_input(battle, unit, left, bases),
        Offer::Split(unit) => merging::split_input(battle, unit),
        Offer::HaltBehind => fleeing::shelter_input(battle),
        Offer::Form(unit) => manoeuvre::formation_input(battle, unit),
        Offer::Crowd(unit) => manoeuvre::crowd_input(battle, unit),
        Offer::SendBase { unit, base } => manoeuvre::send_input(battle, unit, base),
        Offer::Pivot(unit) => manoeuvre::pivot_input(battle, unit),
        Offer::UnlimberTurned { unit, back } => manoeuvre::unlimber_input(battle, unit, back),
        Offer::LeadHorses(unit) => manoeuvre::horses_input(battle, unit),
        Offer::Push(unit) => manoeuvre::push_input(battle, unit),
        Offer::Step { unit, step } => manoeuvre::step_input(battle, unit, step),
        _ => Ok(Input::None),
    }
}

/// What an offer does; whether the sequence of play is still to be settled after it.
fn take_up(play: &mut Resolution<'_, Malbrook>, choice: &Choice<Offer>, value: &Value) -> Result<bool, Halt> {
    match choice.offer {
        Offer::RollInitiative => return turn::roll_initiative(play).map(|()| false),
        Offer::GoFirst => return turn::choose_order(play, true).map(|()| false),
        Offer::GoSecond => return turn::choose_order(play, false).map(|()| false),
        Offer::End => return turn::end(play).map(|()| false),
        Offer::LoseEnd { unit, end } => {
            closing::answer(play, unit, end)?;
            return turn::settle(play).map(|()| false);
        }
        Offer::SetDown(unit) => deploy::set_down(play, unit, value.point())?,
        Offer::Face(unit) if play.battle().phase == Phase::Movement => {
            manoeuvre::face(play, unit, value.wheel())?;
        }
        Offer::Face(unit) => deploy::face(play, unit, value.wheel())?,
        Offer::DeployIn(unit) => deploy::deploy_in(play, unit, value.formation())?,
        Offer::SetDownLeader(leader) => deploy::set_down_leader(play, leader, value.point())?,
        Offer::Enter(unit) => turn::enter(play, unit)?,
        Offer::HandOver(to) => options::hand_over(play, to)?,
        Offer::Challenge(leader) => options::challenge(play, leader)?,
        Offer::Fire { gun, at } => gunnery::fire(play, gun, at)?,
        Offer::Shell { gun, at } => gunnery::shell(play, gun, at)?,
        Offer::Ride { leader, double } => command::ride(play, leader, double, value.point())?,
        Offer::Attach { leader, unit } => command::attach(play, leader, unit)?,
        Offer::Steady(leader) => command::influence(play, leader, true)?,
        Offer::Inspire(leader) => command::influence(play, leader, false)?,
        Offer::Order { by, to, order } => messages::order(play, by, to, order)?,
        Offer::Reassign { by, from, to } => messages::reassign(play, by, from, to, value.units())?,
        Offer::MoveCommand { by, leader, to } => messages::move_command(play, by, leader, to)?,
        Offer::RideMessenger { rider, double } => messages::ride(play, rider, double, value.point())?,
        Offer::Listen { leader, rider } => messages::listen(play, leader, rider)?,
        Offer::Test(unit) => control::test(play, unit)?,
        Offer::Shift(by) => control::shift(play, by.into())?,
        Offer::NameLeader { unit, leader } => control::name_leader(play, unit, leader)?,
        Offer::Roll { of, dice, double } => movement::roll(play, of, dice, double)?,
        Offer::Stand(unit) => movement::stand(play, unit)?,
        Offer::Advance(unit) => advance::advance(play, unit, value.distance())?,
        Offer::HaltShort(unit) => advance::halt_short(play, unit, value.distance())?,
        Offer::Bear(unit) => {
            let input = advance::bearing(play.battle(), unit)?;
            let angle = value.wheel().ok_or(WrongValue("how much?".into()))?;
            input.check(value, Unit::Inch)?;
            play.happen(Event::Bears { unit, bearing: angle.to_hundredths() });
        }
        Offer::Wheel(unit) => wheel::wheel(play, unit, value.wheel())?,
        Offer::Incline { unit, right } => wheel::incline(play, unit, right, value.distance())?,
        Offer::HaltAt { unit, at } => halting::halt_at(play, unit, at)?,
        Offer::HaltLevel(unit) => halting::halt_level(play, unit)?,
        Offer::LetAhead { unit, friend } => halting::let_ahead(play, unit, friend)?,
        Offer::Road { unit, double } => roads::march(play, unit, double, value.distance())?,
        Offer::PassGap(unit) => passing::pass_gap(play, unit, value.distance())?,
        Offer::GiveFire => passing::answer(play, true, value.distance())?,
        Offer::HoldFire => passing::answer(play, false, None)?,
        Offer::SwingBack { unit, left, bases } => refused_flank::swing_back(play, unit, left, bases, value.wheel())?,
        Offer::StepEnd { unit, left, bases } => refused_flank::step_end(play, unit, left, bases, value.distance())?,
        Offer::SwingForward(unit) => refused_flank::swing_forward(play, unit)?,
        Offer::Merge { unit, into } => merging::merge(play, unit, into)?,
        Offer::Split(unit) => merging::split(play, unit, value.number())?,
        Offer::TakeGun { unit, gun } => merging::take_gun(play, unit, gun)?,
        Offer::HaltBehind => fleeing::answer_shelter(play, true, value.distance())?,
        Offer::FallOn => fleeing::answer_shelter(play, false, None)?,
        Offer::Conform(unit) => advance::conform(play, unit)?,
        Offer::Repeat(unit) => advance::repeat(play, unit)?,
        Offer::GoOn(unit) => pursuit::go_on(play, unit)?,
        Offer::Form(unit) => manoeuvre::form(play, unit, value.formation())?,
        Offer::Crowd(unit) => manoeuvre::crowd(play, unit, value.formation())?,
        Offer::Scatter(unit) => manoeuvre::scatter(play, unit)?,
        Offer::SendBase { unit, base } => manoeuvre::send_base(play, unit, base, value.point())?,
        Offer::Scattered(unit) => manoeuvre::scattered(play, unit, false)?,
        Offer::GoApart(unit) => manoeuvre::scattered(play, unit, true)?,
        Offer::Gather(unit) => manoeuvre::gather(play, unit)?,
        Offer::AboutFace(unit) => manoeuvre::about_face(play, unit)?,
        Offer::Pivot(unit) => manoeuvre::pivot(play, unit, value.wheel())?,
        Offer::Push(unit) => manoeuvre::push(play, unit, value.distance())?,
        Offer::Step { unit, step } => manoeuvre::step(play, unit, step, value.distance())?,
        Offer::Unlimber(unit) => manoeuvre::unlimber(play, unit)?,
        Offer::UnlimberTurned { unit, back } => manoeuvre::unlimber_turned(play, unit, back, value.wheel())?,
        Offer::LeadHorses(unit) => manoeuvre::lead_horses(play, unit, value.point())?,
        Offer::Remount(unit) => manoeuvre::remount(play, unit)?,
        Offer::Recrew(unit) => manoeuvre::recrew(play, unit)?,
        Offer::Reinforce { unit, into } => merging::reinforce(play, unit, into)?,
        Offer::Withdraw => skirmish::answer_approach(play, true)?,
        Offer::LetCome => skirmish::answer_approach(play, false)?,
        Offer::ShootAt { unit, leader } => gunnery::shoot_at(play, unit, leader)?,
        Offer::ShootAtMessenger { unit, rider } => gunnery::shoot_at_rider(play, unit, rider)?,
        Offer::Charge { unit, at, outrance } => charge::declare(play, unit, at, outrance, None)?,
        Offer::ChargeBearing { unit, at, outrance } => {
            charge::charge_input(play.battle(), unit, at, outrance)?.check(value, Unit::Inch)?;
            charge::declare(play, unit, at, outrance, value.wheel())?;
        }
        Offer::ChargeAhead(unit) => charge::charge_ahead(play, unit)?,
        Offer::GuardFlank { unit, left } => refused_flank::guard_flank(play, unit, left)?,
        Offer::Receive(unit) => charge::receive(play, unit)?,
        Offer::CounterCharge { unit, charger } => charge::counter(play, unit, charger)?,
        Offer::Evade(unit) => charge::evade(play, unit)?,
        Offer::TurnToMeet(unit) => charge::turn_to_meet(play, unit)?,
        Offer::ChargeDice { unit, dice } => charge::name_dice(play, unit, dice)?,
        Offer::Fight => combat::fight(play)?,
        Offer::Act { unit, action } => after_combat::act(play, unit, action, None)?,
        Offer::Pursue { unit, after } => after_combat::act(play, unit, situations::Action::Pursue, Some(after))?,
        Offer::RideThrough { unit, dice } => after_combat::ride_through(play, unit, dice)?,
    }
    Ok(true)
}

#[cfg(test)]
#[path = "../tests/suite/plain.rs"]
mod plain;
