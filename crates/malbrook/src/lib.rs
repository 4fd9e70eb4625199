//! Malbrook: great battles of the War of the Spanish Succession, brigades as units.
//!
//! The sequence of play of one turn, each phase by the player going first and then by the other:
//! initiative; bombardment ([`gunnery`]); command ([`command`]) and control tests ([`control`]); movement
//! ([`movement`], [`advance`], [`wheel`], [`manoeuvre`], [`roads`]); close artillery fire; combat: charges ([`charge`]), the fight
//! ([`combat`]) and what follows it ([`after`], [`fleeing`], [`pursuing`]); morale ([`morale`]). [`sequence`] leads from one to the next.

mod advance;
mod advised;
mod after;
mod aims;
mod ambush;
mod apply;
mod battle;
mod body;
mod brigade;
mod charge;
pub mod clauses;
mod closing;
mod combat;
mod command;
mod control;
mod crowds;
mod deploy;
mod event;
mod fleeing;
mod flight;
mod gunnery;
mod halting;
mod handle;
mod harm;
mod headlines;
mod hidden;
mod horses;
mod lay;
mod manoeuvre;
mod meeting;
mod memo;
mod merging;
mod messages;
mod morale;
mod movement;
mod muster;
mod nearing;
pub mod numbers;
mod offer;
mod options;
mod orders;
mod passing;
mod path;
mod proposals;
mod pursuing;
mod refusing;
mod roads;
mod sequence;
mod sight;
pub mod situations;
mod skirmish;
mod splitting;
mod terrain;
mod told;
pub mod troops;
mod view;
mod wheel;
mod words;
mod worth;

use sabretache_engine::clause::Book;
use sabretache_engine::forecast::{Cost, Fate, Headline, Invitation};
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{CommandId, Named, OfficerId, Side, UnitId};
use sabretache_engine::interrupt::{Clock, Interrupt, Reaction};
use sabretache_engine::offer::{Choice, Ghost, Halt, Input, Preview, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Label, Ruleset, Telling};
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::situation::SituationTest;
use sabretache_engine::view::{Overlay, Verdict, View};

pub use aims::AimEntry;
pub use battle::Battle;
pub use body::Body;
pub use brigade::{Aim, Assault, Charge, HaltAt, LastMove, LeftOff, Marks, Order, Refused, Response, Status};
use clauses::{BOOK, MB_SEQ_02};
pub use closing::{Closing, End};
pub use event::{Approach, Blow, BlowKind, Combatant, Event, FastMove, Fight, GroupRoll, Phase};
pub use fleeing::Falling;
use hidden::Eyes;
pub use manoeuvre::{Scattering, Step};
pub use meeting::Met;
pub use messages::{Dispatch, Word};
pub use numbers::Numbers;
pub use offer::Offer;
pub use options::{Challenge, Options, PlayerEntry};
pub use passing::Passing;

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
        sequence::deciding(battle)
    }

    fn offers(battle: &Battle, out: &mut Vec<Offer>) {
        out.extend_from_slice(battle.offers());
    }

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        let before = out.len();
        sequence::closed(battle, out);
        battle.sort_out(&mut out[before..]);
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
            return sequence::settle(play);
        }
        sequence::may_choose(play.battle(), &choice.offer)?;
        advised::waive(play, &choice.offer)?;
        let done = take_up(play, choice, value);
        play.battle().memo.waive(false);
        if !done? {
            return Ok(());
        }
        if play.battle().phase == Phase::Over {
            return Err(Refusal::impossible(MB_SEQ_02, "the battle is over").into());
        }
        horses::take(play, &watched);
        sequence::settle(play)
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

    fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
        let (unit, pose) = match (offer, value) {
            (Offer::Advance(unit), Value::Distance(by)) => {
                (*unit, battle.brigade(*unit).pose.moved(battle.course(*unit), *by))
            }
            (Offer::Wheel(unit), Value::Wheel(by)) => (*unit, battle.wheeled(*unit, *by)),
            _ => return Preview::default(),
        };
        let stands = view::bases(&lay::Figure::of(battle.brigade(unit), pose));
        let stops = match battle.advance(unit) {
            Ok((Input::Distance { stops, .. }, _)) if matches!(offer, Offer::Advance(_)) => stops,
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
        battle.player_over(OfficerId(command.0)).map(|player| battle.player_name(player).to_owned())
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
        told::cost(battle, event)
    }

    fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
        told::invites(before, after, offer)
    }

    fn clock(battle: &Battle) -> Clock {
        Clock { turn: Some(battle.turn), phase: words::phase_word(battle.phase).into(), phasing: Some(battle.active) }
    }

    fn reaction(battle: &Battle) -> Option<Reaction> {
        told::reaction(battle)
    }

    fn touched(_battle: &Battle, event: &Event) -> Vec<UnitId> {
        told::touched(event)
    }

    fn command_of(battle: &Battle, unit: UnitId) -> Option<CommandId> {
        Some(CommandId(battle.brigade(unit).under.0))
    }

    fn worth(battle: &Battle, side: Side) -> i32 {
        worth::worth(battle, side)
    }

    fn points(battle: &Battle, unit: UnitId) -> i32 {
        worth::points(battle, unit)
    }

    fn proposals(battle: &Battle, offer: &Offer, out: &mut Vec<Value>) {
        proposals::proposals(battle, offer, &Self::input(battle, offer), out);
    }

    fn situations() -> &'static [&'static dyn SituationTest] {
        situations::SITUATIONS
    }
}

/// What an offer asks for, if it may be taken up.
fn input_of(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    match *offer {
        Offer::SetDown(unit) => battle.place_input(unit),
        Offer::Face(unit) if battle.phase == Phase::Movement => battle.face_input(unit),
        Offer::Face(unit) => battle.deploy_turn_input(unit),
        Offer::DeployIn(unit) => battle.deploy_form_input(unit),
        Offer::SetDownLeader(leader) => battle.place_leader_input(leader),
        Offer::Ride { leader, double } => Ok(battle.ride_input(leader, double)),
        Offer::RideMessenger { rider, double } => Ok(battle.rider_input(rider, double)),
        Offer::Reassign { by, from, to } => battle.may_reassign(by, from, to).map(|of| {
            let most = of.len() as u16;
            Input::Units { of, least: 1, most }
        }),
        Offer::Advance(unit) => battle.advance(unit).map(|(input, _)| input),
        Offer::HaltShort(unit) => battle.halt_short(unit),
        Offer::Bear(unit) => battle.bearing(unit),
        Offer::ChargeBearing { unit, at, outrance } => battle.charge_input(unit, at, outrance),
        Offer::Wheel(unit) => battle.wheel(unit),
        Offer::Incline { unit, right } => battle.incline(unit, right),
        Offer::Road { unit, double } => battle.road_input(unit, double),
        Offer::PassGap(unit) => battle.gap_input(unit),
        Offer::GiveFire => battle.volley_input(),
        Offer::SwingBack { unit, left, bases } => battle.swing_back_input(unit, left, bases),
        Offer::StepEnd { unit, left, bases } => battle.step_end_input(unit, left, bases),
        Offer::Split(unit) => battle.split_input(unit),
        Offer::HaltBehind => battle.shelter_input(),
        Offer::Form(unit) => battle.formation_input(unit),
        Offer::Crowd(unit) => battle.crowd_input(unit),
        Offer::SendBase { unit, base } => battle.send_input(unit, base),
        Offer::Pivot(unit) => battle.pivot_input(unit),
        Offer::UnlimberTurned { unit, back } => battle.unlimber_input(unit, back),
        Offer::LeadHorses(unit) => battle.horses_input(unit),
        Offer::Push(unit) => battle.push_input(unit),
        Offer::Step { unit, step } => battle.step_input(unit, step),
        _ => Ok(Input::None),
    }
}

/// What an offer does; whether the sequence of play is still to be settled after it.
fn take_up(play: &mut Resolution<'_, Malbrook>, choice: &Choice<Offer>, value: &Value) -> Result<bool, Halt> {
    match choice.offer {
        Offer::RollInitiative => return sequence::roll_initiative(play).map(|()| false),
        Offer::GoFirst => return sequence::choose_order(play, true).map(|()| false),
        Offer::GoSecond => return sequence::choose_order(play, false).map(|()| false),
        Offer::End => return sequence::end(play).map(|()| false),
        Offer::LoseEnd { unit, end } => {
            closing::answer(play, unit, end)?;
            return sequence::settle(play).map(|()| false);
        }
        Offer::SetDown(unit) => deploy::set_down(play, unit, value.point())?,
        Offer::Face(unit) if play.battle().phase == Phase::Movement => {
            manoeuvre::face(play, unit, value.wheel())?;
        }
        Offer::Face(unit) => deploy::face(play, unit, value.wheel())?,
        Offer::DeployIn(unit) => deploy::deploy_in(play, unit, value.formation())?,
        Offer::SetDownLeader(leader) => deploy::set_down_leader(play, leader, value.point())?,
        Offer::Enter(unit) => sequence::enter(play, unit)?,
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
            let input = play.battle().bearing(unit)?;
            let angle = value.wheel().ok_or(WrongValue("how much?".into()))?;
            input.check(value)?;
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
        Offer::SwingBack { unit, left, bases } => refusing::swing_back(play, unit, left, bases, value.wheel())?,
        Offer::StepEnd { unit, left, bases } => refusing::step_end(play, unit, left, bases, value.distance())?,
        Offer::SwingForward(unit) => refusing::swing_forward(play, unit)?,
        Offer::Merge { unit, into } => merging::merge(play, unit, into)?,
        Offer::Split(unit) => merging::split(play, unit, value.number())?,
        Offer::TakeGun { unit, gun } => merging::take_gun(play, unit, gun)?,
        Offer::HaltBehind => fleeing::answer_shelter(play, true, value.distance())?,
        Offer::FallOn => fleeing::answer_shelter(play, false, None)?,
        Offer::Conform(unit) => advance::conform(play, unit)?,
        Offer::Repeat(unit) => advance::repeat(play, unit)?,
        Offer::GoOn(unit) => pursuing::go_on(play, unit)?,
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
            play.battle().charge_input(unit, at, outrance)?.check(value)?;
            charge::declare(play, unit, at, outrance, value.wheel())?;
        }
        Offer::ChargeAhead(unit) => charge::charge_ahead(play, unit)?,
        Offer::GuardFlank { unit, left } => refusing::guard_flank(play, unit, left)?,
        Offer::Receive(unit) => charge::receive(play, unit)?,
        Offer::CounterCharge { unit, charger } => charge::counter(play, unit, charger)?,
        Offer::Evade(unit) => charge::evade(play, unit)?,
        Offer::TurnToMeet(unit) => charge::turn_to_meet(play, unit)?,
        Offer::ChargeDice { unit, dice } => charge::name_dice(play, unit, dice)?,
        Offer::Fight => combat::fight(play)?,
        Offer::Act { unit, action } => after::act(play, unit, action)?,
        Offer::RideThrough { unit, dice } => after::ride_through(play, unit, dice)?,
    }
    Ok(true)
}

#[cfg(test)]
#[path = "../tests/suite/plain.rs"]
mod plain;
