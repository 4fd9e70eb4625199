//! What each offer asks for and what it does: the table that leads from an offer to the phase it belongs to.

use sabretache_engine::offer::{Choice, Halt, Input, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_table::Unit;

use crate::event::{Event, Phase};
use crate::phases::command::Influence;
use crate::phases::manoeuvre::Bodies;
use crate::phases::{
    advance, after_combat, charge, closing, combat, command, control, deploy, fleeing, gunnery, halting, manoeuvre,
    merging, messages, movement, options, passing, pursuit, refused_flank, roads, skirmish, turn, wheel,
};
use crate::{Battle, Malbrook, Offer, situations};

/// What an offer asks for, if it may be taken up.
pub(crate) fn input_of(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
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
        Offer::SplitLeaving { unit, leader } => merging::split_leaving_input(battle, unit, leader),
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
pub(crate) fn take_up(
    play: &mut Resolution<'_, Malbrook>,
    choice: &Choice<Offer>,
    value: &Value,
) -> Result<bool, Halt> {
    match choice.offer {
        Offer::RollInitiative => return turn::roll_initiative(play).map(|()| false),
        Offer::GoFirst => return turn::go_first(play).map(|()| false),
        Offer::GoSecond => return turn::go_second(play).map(|()| false),
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
        Offer::Steady(leader) => command::influence(play, leader, Influence::Steady)?,
        Offer::Inspire(leader) => command::influence(play, leader, Influence::Inspire)?,
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
        Offer::GiveFire => passing::give_fire(play, value.distance())?,
        Offer::HoldFire => passing::hold_fire(play)?,
        Offer::SwingBack { unit, left, bases } => refused_flank::swing_back(play, unit, left, bases, value.wheel())?,
        Offer::StepEnd { unit, left, bases } => refused_flank::step_end(play, unit, left, bases, value.distance())?,
        Offer::SwingForward(unit) => refused_flank::swing_forward(play, unit)?,
        Offer::Merge { unit, into } => merging::merge(play, unit, into)?,
        Offer::Split(unit) => merging::split(play, unit, value.number())?,
        Offer::SplitLeaving { unit, leader } => merging::split_leaving(play, unit, leader, value.number())?,
        Offer::TakeGun { unit, gun } => merging::take_gun(play, unit, gun)?,
        Offer::HaltBehind => fleeing::halt_behind(play, value.distance())?,
        Offer::FallOn => fleeing::fall_on(play)?,
        Offer::Conform(unit) => advance::conform(play, unit)?,
        Offer::Repeat(unit) => advance::repeat(play, unit)?,
        Offer::GoOn(unit) => pursuit::go_on(play, unit)?,
        Offer::Form(unit) => manoeuvre::form(play, unit, value.formation())?,
        Offer::Crowd(unit) => manoeuvre::crowd(play, unit, value.formation())?,
        Offer::Scatter(unit) => manoeuvre::scatter(play, unit)?,
        Offer::SendBase { unit, base } => manoeuvre::send_base(play, unit, base, value.point())?,
        Offer::Scattered(unit) => manoeuvre::scattered(play, unit, Bodies::One)?,
        Offer::GoApart(unit) => manoeuvre::scattered(play, unit, Bodies::Several)?,
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
        Offer::Withdraw => skirmish::fall_back(play)?,
        Offer::LetCome => skirmish::let_come(play)?,
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
