//! How a hand takes hold of each offer on the table.

use crate::phases::advance;
use crate::phases::messages;
use sabretache_engine::dice::Scripted;
use sabretache_engine::handle::{Group, Handle, Handling, Pivots};
use sabretache_engine::ids::{CommandId, GroundId, Named, UnitId};
use sabretache_engine::offer::{Choice, Input, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_table::{Angle, Corner, Length, Point};

use crate::Malbrook;
use crate::battle::Battle;
use crate::brigade::HaltAt;
use crate::offer::Offer;
use crate::phases::manoeuvre::Step;
use crate::situations::Action;

/// How many points show a road.
const ROAD_POINTS: i64 = 6;

/// How an offer is handled.
pub(crate) fn handling(battle: &Battle, offer: &Offer) -> Handling {
    match *offer {
        Offer::RollInitiative => Handling::end("roll"),
        Offer::GoFirst => Handling::end("first"),
        Offer::GoSecond => Handling::end("second"),
        Offer::End => Handling::end("end"),
        Offer::HandOver(_) => Handling::end("hand_over"),
        Offer::SetDown(unit) => Handling::act("set_down", unit).by(Handle::Point { who: unit.into() }),
        Offer::SetDownLeader(leader) => Handling::act("set_down", leader).by(Handle::Point { who: leader.into() }),
        Offer::Face(unit) => about_centre(battle, offer, "face", unit),
        Offer::DeployIn(unit) | Offer::Form(unit) | Offer::Crowd(unit) => {
            Handling::act("form", unit).by(Handle::Formation { unit, into: None })
        }
        Offer::Enter(unit) => Handling::act("enter", unit),
        Offer::Challenge(leader) => Handling::act("challenge", leader).of(Group::Order),
        Offer::Fire { gun, at } => Handling::at("shoot", [gun], at),
        Offer::Shell { gun, at } => Handling::at("shell", [gun], at),
        Offer::Ride { leader, .. } => Handling::act("ride", leader).by(Handle::Point { who: leader.into() }),
        Offer::Attach { leader, unit } => Handling::at("attach", [leader], unit),
        Offer::Steady(leader) => Handling::act("steady", leader),
        Offer::Inspire(leader) => Handling::act("inspire", leader),
        Offer::Order { by, to, .. } => Handling::at("order", [by], to).of(Group::Order),
        Offer::Reassign { by, from, to } => {
            let of = match Malbrook::input(battle, offer) {
                Input::Units { of, .. } => of,
                _ => Vec::new(),
            };
            let mut reassign = Handling::at("reassign", [by, from], to).of(Group::Order);
            if !of.is_empty() {
                reassign.handle = Handle::Units { of };
            }
            reassign
        }
        Offer::MoveCommand { by, leader, to } => {
            Handling::at("move_command", [by], CommandId(leader.0)).to(to).of(Group::Order)
        }
        Offer::RideMessenger { rider, .. } => match messages::dispatch(battle, rider) {
            Some(dispatch) => Handling::act("ride", dispatch.to).by(Handle::None { who: Some(dispatch.to.into()) }),
            None => Handling::end("ride").of(Group::Act),
        },
        Offer::Listen { leader, .. } => Handling::act("listen", leader),
        Offer::Test(unit) => Handling::act("test", unit),
        Offer::Shift(_) => Handling::end("shift").of(Group::Act),
        Offer::NameLeader { unit, leader } => Handling::at("control", [leader], unit),
        Offer::Roll { of, .. } => Handling::act("roll", of).leading_to("advance"),
        Offer::Stand(unit) => Handling::act("stand", unit),
        Offer::Advance(unit) | Offer::HaltShort(unit) | Offer::PassGap(unit) => {
            ahead(battle, offer, "advance", unit, advance::course(battle, unit))
        }
        Offer::Push(unit) => ahead(battle, offer, "push", unit, battle.brigade(unit).pose.heading),
        Offer::Bear(unit) => about_centre(battle, offer, "bear", unit),
        Offer::Wheel(unit) => wheel(battle, offer, unit),
        Offer::Pivot(unit) => about_centre(battle, offer, "wheel", unit),
        Offer::UnlimberTurned { unit, .. } => about_centre(battle, offer, "unlimber", unit),
        Offer::Incline { unit, right } => {
            // The distance is sideways; the brigade goes as far ahead.
            let bearing = battle.brigade(unit).pose.heading + Angle::degrees(if right { 90 } else { -90 });
            Handling::act("incline", unit).by(Handle::Slide { unit, bearing })
        }
        Offer::Step { unit, step } => {
            let heading = battle.brigade(unit).pose.heading;
            let turn = match step {
                Step::Left => -90,
                Step::Right => 90,
                Step::Back => 180,
            };
            let bearing = heading + Angle::degrees(turn);
            Handling::act("side_step", unit).by(Handle::Slide { unit, bearing })
        }
        Offer::HaltAt { unit, at: HaltAt::Ground(ground) } => {
            Handling::at("halt_at", [unit], Named::Ground(GroundId(ground)))
        }
        Offer::HaltAt { unit, at: HaltAt::Level(with) } => Handling::at("halt_at", [unit], with),
        Offer::HaltLevel(unit) => Handling::act("line_up", unit),
        Offer::LetAhead { unit, friend } => Handling::at("let_ahead", [unit], friend),
        Offer::Road { unit, .. } => {
            let mut track = vec![battle.brigade(unit).pose.at];
            // Where things are hidden a trial would stumble over them.
            if !battle.conceals() {
                let by = i64::from(furthest(battle, offer).to_um());
                let part = |n: i64| Value::Distance(Length::um((by * n / ROAD_POINTS) as i32));
                track.extend((1..=ROAD_POINTS).map(|n| ended(battle, offer, part(n)).brigade(unit).pose.at));
            }
            Handling::act("march", unit).by(Handle::Along { unit, track, back: false })
        }
        Offer::GiveFire => match battle.passing() {
            Some(passing) => Handling::at("shoot", [passing.foot], passing.mover),
            None => Handling::end("shoot").of(Group::Act),
        },
        Offer::HoldFire => match battle.passing() {
            Some(passing) => Handling::act("pass", passing.foot).of(Group::End),
            None => Handling::end("pass"),
        },
        Offer::SwingBack { unit, .. } => Handling::act("swing_back", unit),
        Offer::StepEnd { unit, .. } => Handling::act("step_back", unit),
        Offer::SwingForward(unit) => Handling::act("swing_forward", unit),
        Offer::Merge { unit, into } => Handling::at("merge", [unit], into),
        Offer::Split(unit) | Offer::SplitLeaving { unit, .. } => Handling::act("split", unit),
        Offer::TakeGun { unit, gun } => Handling::at("take_gun", [unit], gun),
        Offer::HaltBehind => falling(battle, "halt"),
        Offer::FallOn => falling(battle, "retire"),
        Offer::Conform(unit) => Handling::act("conform", unit),
        Offer::Repeat(unit) => Handling::act("repeat", unit),
        Offer::GoOn(unit) => Handling::act("go_on", unit),
        Offer::Scatter(unit) => Handling::act("scatter", unit),
        Offer::SendBase { unit, .. } => Handling::act("send", unit).by(Handle::Point { who: unit.into() }),
        Offer::LeadHorses(unit) => Handling::act("lead_horses", unit).by(Handle::Point { who: unit.into() }),
        Offer::Scattered(unit) => Handling::act("scattered", unit),
        Offer::GoApart(unit) => Handling::act("go_apart", unit),
        Offer::Gather(unit) => Handling::act("gather", unit),
        Offer::AboutFace(unit) => Handling::act("face_about", unit),
        Offer::Unlimber(unit) => Handling::act("unlimber", unit),
        Offer::Remount(unit) => Handling::act("remount", unit),
        Offer::Recrew(unit) => Handling::act("recrew", unit),
        Offer::Reinforce { unit, into } => Handling::at("reinforce", [unit], into),
        Offer::LoseEnd { unit, .. } => Handling::act("lose_end", unit),
        Offer::Withdraw => approached(battle, "withdraw"),
        Offer::LetCome => approached(battle, "pass").of(Group::End),
        Offer::ShootAt { unit, leader } => Handling::at("shoot", [unit], leader),
        Offer::ShootAtMessenger { unit, .. } => Handling::act("shoot", unit),
        Offer::Charge { unit, at, .. } | Offer::ChargeBearing { unit, at, .. } => Handling::at("charge", [unit], at),
        Offer::ChargeAhead(unit) => Handling::act("charge", unit),
        Offer::GuardFlank { unit, .. } => Handling::act("guard_flank", unit),
        Offer::Receive(unit) => Handling::act("stand", unit).of(Group::End),
        Offer::CounterCharge { unit, charger } => Handling::at("charge", [unit], charger),
        Offer::Evade(unit) => Handling::act("evade", unit),
        Offer::TurnToMeet(unit) => Handling::act("face_about", unit),
        Offer::ChargeDice { unit, .. } => Handling::act("roll", unit),
        Offer::Fight => Handling::end("fight"),
        Offer::Act { unit, action } => Handling::act(after_combat(action), unit),
        Offer::Pursue { unit, after } => Handling::act("pursue", unit).to(after),
        Offer::RideThrough { unit, .. } => Handling::act("ride_through", unit),
    }
}

const fn after_combat(action: Action) -> &'static str {
    match action {
        Action::Remain => "stand",
        Action::TakePosition => "take_position",
        Action::RideThrough => "ride_through",
        Action::Retire => "retire",
        Action::Rout => "rout",
        Action::Pursue => "pursue",
    }
}

/// The furthest that the distance of an offer may be.
fn furthest(battle: &Battle, offer: &Offer) -> Length {
    match Malbrook::input(battle, offer) {
        Input::Distance { most, .. } => most,
        _ => Length::ZERO,
    }
}

/// The battle once an offer is done as far as no dice are needed.
fn ended(battle: &Battle, offer: &Offer, value: Value) -> Battle {
    let mut after = battle.clone();
    let mut no_dice = Scripted::default();
    // What comes before the dice has happened by then.
    let _ = Malbrook::resolve(&mut Resolution::new(&mut after, &mut no_dice), &Choice { offer: *offer, value });
    after
}

fn ahead(
    battle: &Battle,
    offer: &Offer,
    act: &'static str,
    unit: UnitId,
    heading: sabretache_table::Heading,
) -> Handling {
    let pose = battle.brigade(unit).pose;
    let track = vec![pose.at, pose.moved(heading, furthest(battle, offer)).at];
    Handling::act(act, unit).by(Handle::Along { unit, track, back: false })
}

fn sides(battle: &Battle, offer: &Offer) -> (bool, bool) {
    match Malbrook::input(battle, offer) {
        Input::Wheel { most_left, most_right } => (most_left < Angle::ZERO, most_right > Angle::ZERO),
        _ => (false, false),
    }
}

fn wheel(battle: &Battle, offer: &Offer, unit: UnitId) -> Handling {
    let figure = battle.figure(unit);
    let front = figure.front_rank();
    let (left, right) = sides(battle, offer);
    let at = |base: Option<&sabretache_table::Quad>, corner| base.map(|base| Point::rounded(base.corner(corner)));
    let pivots = Pivots {
        left: at(front.first(), Corner::FrontLeft).filter(|_| left),
        right: at(front.last(), Corner::FrontRight).filter(|_| right),
    };
    Handling::act("wheel", unit).by(Handle::Wheel { unit, pivots })
}

fn about_centre(battle: &Battle, offer: &Offer, act: &'static str, unit: UnitId) -> Handling {
    let centre = Some(Point::rounded(battle.figure(unit).centre()));
    let (left, right) = sides(battle, offer);
    let pivots = Pivots { left: centre.filter(|_| left), right: centre.filter(|_| right) };
    Handling::act(act, unit).by(Handle::Wheel { unit, pivots })
}

fn falling(battle: &Battle, act: &'static str) -> Handling {
    battle.falling().map_or_else(|| Handling::end(act), |one| Handling::act(act, one.unit))
}

fn approached(battle: &Battle, act: &'static str) -> Handling {
    battle.approach().map_or_else(|| Handling::end(act), |one| Handling::act(act, one.skirmisher))
}
