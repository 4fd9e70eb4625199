//! What is said about it all.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::ruleset::{Label, Telling};
use sabretache_engine::view::Verdict;
use sabretache_table::Length;

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Charge, HaltAt, Order, Response, Status};
use crate::clauses::*;
use crate::event::{BlowKind, Event, FastMove, Phase};
use crate::manoeuvre::Step;
use crate::messages::Word;
use crate::situations::{Action, Cause, ManoeuvreKind, dps_in_words};
use crate::troops::{Kind, OrderKind};

impl Battle {
    /// The id of a unit in the scenario; parts that split off have a number.
    pub(crate) fn id_of(&self, unit: UnitId) -> String {
        let brigade = self.brigade(unit);
        let id = self.fixed.scenario.body.units.get(usize::from(brigade.entry)).map_or("?", |entry| entry.id.as_str());
        if brigade.part == 0 { id.to_owned() } else { format!("{id}/{}", brigade.part) }
    }

    /// Its name.
    pub(crate) fn name_of(&self, unit: UnitId) -> String {
        let brigade = self.brigade(unit);
        let name =
            self.fixed.scenario.body.units.get(usize::from(brigade.entry)).map_or("?", |entry| entry.name.as_str());
        if brigade.part == 0 { name.to_owned() } else { format!("part {} of {name}", brigade.part) }
    }

    pub(crate) fn leader_name(&self, leader: OfficerId) -> &str {
        self.fixed.scenario.body.leaders.get(leader.index()).map_or("?", |entry| entry.name.as_str())
    }

    fn leader_key(&self, leader: OfficerId) -> &str {
        self.fixed.scenario.body.leaders.get(leader.index()).map_or("?", |entry| entry.id.as_str())
    }

    /// A piece of ground as part of a key.
    fn ground_key(&self, ground: u16) -> String {
        let entry = self.fixed.scenario.ground.get(usize::from(ground));
        entry.and_then(|entry| entry.id.clone()).unwrap_or_else(|| format!("ground {ground}"))
    }

    fn ground_name(&self, ground: u16) -> String {
        let entry = self.fixed.scenario.ground.get(usize::from(ground));
        let name = entry.map(|entry| entry.name.clone().unwrap_or_else(|| format!("the {}", entry.kind)));
        name.unwrap_or_else(|| "a place".into())
    }

    /// An order as part of a key.
    fn order_key(&self, order: Order) -> String {
        let positions = &self.fixed.scenario.body.positions;
        let place = order.position.and_then(|n| positions.get(usize::from(n))).map_or("", |one| one.id.as_str());
        match order.kind {
            OrderKind::Attack => "attack".into(),
            OrderKind::Defend => format!("defend {place}"),
            OrderKind::AdvanceAndDefend => format!("advance to {place}"),
        }
    }

    /// An order in words, with its place.
    pub(crate) fn order_words(&self, order: Order) -> String {
        let positions = &self.fixed.scenario.body.positions;
        match order.position.and_then(|n| positions.get(usize::from(n))) {
            Some(place) => format!("{} ({})", order_word(order.kind), place.id),
            None => order_word(order.kind).into(),
        }
    }

    fn side_name(&self, side: Side) -> &str {
        &self.fixed.scenario.sides[side.index()].name
    }
}

/// A phase in words.
pub(crate) fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Initiative => "initiative",
        Phase::Bombardment => "bombardment",
        Phase::Command => "command",
        Phase::Control => "control tests",
        Phase::Movement => "movement",
        Phase::CloseFire => "close artillery fire",
        Phase::LoneShots => "shots at lone leaders",
        Phase::Charges => "charges",
        Phase::Responses => "responses to charges",
        Phase::ChargeMoves => "charge moves",
        Phase::Combat => "combat",
        Phase::Over => "over",
    }
}

/// An order in words.
pub(crate) fn order_word(kind: OrderKind) -> &'static str {
    match kind {
        OrderKind::Defend => "defend the position",
        OrderKind::AdvanceAndDefend => "advance to the position and defend it",
        OrderKind::Attack => "advance and attack",
    }
}

fn step_word(step: Step) -> &'static str {
    match step {
        Step::Left => "left",
        Step::Right => "right",
        Step::Back => "back",
    }
}

pub(crate) fn key(battle: &Battle, offer: &Offer) -> String {
    let id = |unit: &UnitId| battle.id_of(*unit);
    let who = |leader: &OfficerId| battle.leader_key(*leader);
    let side = |right: &bool| if *right { "right" } else { "left" };
    match offer {
        Offer::RollInitiative => "roll initiative".into(),
        Offer::GoFirst => "go first".into(),
        Offer::GoSecond => "go second".into(),
        Offer::End => "end".into(),
        Offer::Fire { gun, at } => format!("fire {} at {}", id(gun), id(at)),
        Offer::Shell { gun, at } => format!("shell {} at {}", id(gun), id(at)),
        Offer::Ride { leader, double } => format!("ride {}{}", who(leader), if *double { " double" } else { "" }),
        Offer::Attach { leader, unit } => format!("attach {} to {}", who(leader), id(unit)),
        Offer::Steady(leader) => format!("steady {}", who(leader)),
        Offer::Inspire(leader) => format!("inspire {}", who(leader)),
        Offer::Order { by, to, order } => {
            format!("order {} by {} to {}", who(to), who(by), battle.order_key(*order))
        }
        Offer::Reassign { by, from, to } => format!("reassign from {} to {} by {}", who(from), who(to), who(by)),
        Offer::MoveCommand { by, leader, to } => format!("move {} to {} by {}", who(leader), who(to), who(by)),
        Offer::RideMessenger { rider, double } => {
            format!("messenger {rider} rides{}", if *double { " double" } else { "" })
        }
        Offer::Listen { leader, rider } => format!("listen {} to {rider}", who(leader)),
        Offer::Test(unit) => format!("test {}", id(unit)),
        Offer::Shift(by) => format!("shift {by:+}"),
        Offer::NameLeader { unit, leader } => format!("control {} by {}", id(unit), who(leader)),
        Offer::Roll { of, dice, double } => {
            format!("roll {} {}{}", id(of), dice.key(), if *double { " double" } else { "" })
        }
        Offer::Stand(unit) => format!("stand {}", id(unit)),
        Offer::Advance(unit) => format!("advance {}", id(unit)),
        Offer::HaltShort(unit) => format!("halt short {}", id(unit)),
        Offer::Bear(unit) => format!("bear {}", id(unit)),
        Offer::Wheel(unit) => format!("wheel {}", id(unit)),
        Offer::Incline { unit, right } => format!("incline {} {}", id(unit), side(right)),
        Offer::HaltAt { unit, at: HaltAt::Ground(ground) } => format!("halt {} at {}", id(unit), battle.ground_key(*ground)),
        Offer::HaltAt { unit, at: HaltAt::Level(with) } => format!("halt {} level with {}", id(unit), id(with)),
        Offer::HaltLevel(unit) => format!("line up {}", id(unit)),
        Offer::LetAhead { unit, friend } => format!("let {} go before {}", id(friend), id(unit)),
        Offer::Road { unit, double } => format!("march {}{}", id(unit), if *double { " double" } else { "" }),
        Offer::PassGap(unit) => format!("pass gap {}", id(unit)),
        Offer::GiveFire => "give fire".into(),
        Offer::HoldFire => "let pass".into(),
        Offer::SwingBack { unit, left, bases } => format!("swing back {} {bases} {}", id(unit), side(&!left)),
        Offer::StepEnd { unit, left, bases } => format!("step back {} {bases} {}", id(unit), side(&!left)),
        Offer::SwingForward(unit) => format!("swing forward {}", id(unit)),
        Offer::Merge { unit, into } => format!("merge {} into {}", id(unit), id(into)),
        Offer::Split(unit) => format!("split {}", id(unit)),
        Offer::TakeGun { unit, gun } => format!("take over {} by {}", id(gun), id(unit)),
        Offer::HaltBehind => "halt behind".into(),
        Offer::FallOn => "go the whole way".into(),
        Offer::ChargeAhead(unit) => format!("charge {} ahead", id(unit)),
        Offer::GuardFlank { unit, left } => format!("draw back {} {}", id(unit), side(&!left)),
        Offer::Conform(unit) => format!("conform {}", id(unit)),
        Offer::Repeat(unit) => format!("repeat {}", id(unit)),
        Offer::GoOn(unit) => format!("go on {}", id(unit)),
        Offer::Form(unit) => format!("form {}", id(unit)),
        Offer::AboutFace(unit) => format!("about face {}", id(unit)),
        Offer::Pivot(unit) => format!("pivot {}", id(unit)),
        Offer::Push(unit) => format!("push {}", id(unit)),
        Offer::Step { unit, step } => format!("step {} {}", id(unit), step_word(*step)),
        Offer::Unlimber(unit) => format!("unlimber {}", id(unit)),
        Offer::Remount(unit) => format!("remount {}", id(unit)),
        Offer::Recrew(unit) => format!("recrew {}", id(unit)),
        Offer::Reinforce { unit, into } => format!("reinforce {} with {}", id(into), id(unit)),
        Offer::Withdraw => "withdraw".into(),
        Offer::LetCome => "stand fast".into(),
        Offer::ShootAt { unit, leader } => format!("shoot {} at {}", id(unit), who(leader)),
        Offer::ShootAtMessenger { unit, rider } => format!("shoot {} at messenger {rider}", id(unit)),
        Offer::Charge { unit, at, outrance } => {
            format!("charge {} at {}{}", id(unit), id(at), if *outrance { " outrance" } else { "" })
        }
        Offer::Receive(unit) => format!("receive {}", id(unit)),
        Offer::CounterCharge { unit, charger } => format!("counter {} at {}", id(unit), id(charger)),
        Offer::Evade(unit) => format!("evade {}", id(unit)),
        Offer::TurnToMeet(unit) => format!("turn {} to meet it", id(unit)),
        Offer::ChargeDice { unit, dice } => format!("charge dice {} {}", id(unit), dice.key()),
        Offer::Fight => "fight".into(),
        Offer::Act { unit, action } => format!("{} {}", action.word(), id(unit)),
        Offer::RideThrough { unit, dice } => format!("ride through {} {}", id(unit), dice.key()),
    }
}

pub(crate) fn label(battle: &Battle, offer: &Offer) -> Label {
    let name = |unit: &UnitId| battle.name_of(*unit);
    let who = |leader: &OfficerId| battle.leader_name(*leader);
    let (text, unit, clause): (String, Option<UnitId>, Clause) = match offer {
        Offer::RollInitiative => ("Roll for initiative".into(), None, MB_SEQ_04),
        Offer::GoFirst => ("Go first this turn".into(), None, MB_SEQ_04),
        Offer::GoSecond => ("Go second this turn".into(), None, MB_SEQ_04),
        Offer::End => (format!("Enough of {}", phase_word(battle.phase)), None, MB_SEQ_02),
        Offer::Fire { gun, at } => (format!("{} fires at {}", name(gun), name(at)), Some(*gun), MB_ART_08),
        Offer::Shell { gun, at } => (format!("{} fires over others at {}", name(gun), name(at)), Some(*gun), MB_ART_19),
        Offer::Ride { leader, double } => {
            (format!("{} rides{}", who(leader), if *double { ", double" } else { "" }), None, MB_LEA_04)
        }
        Offer::Attach { leader, unit } => (format!("{} joins {}", who(leader), name(unit)), Some(*unit), MB_LEA_06),
        Offer::Steady(leader) => {
            (format!("{} steadies his brigade", who(leader)), battle.leader(*leader).attached, MB_LEA_09)
        }
        Offer::Inspire(leader) => {
            (format!("{} inspires his brigade", who(leader)), battle.leader(*leader).attached, MB_LEA_10)
        }
        Offer::Order { by, to, order } => {
            (format!("{} orders {} to {}", who(by), who(to), battle.order_words(*order)), None, MB_ORD_05)
        }
        Offer::Reassign { by, from, to } => {
            (format!("{} has {} give up brigades to {}", who(by), who(from), who(to)), None, MB_ORD_09)
        }
        Offer::MoveCommand { by, leader, to } => {
            (format!("{} puts the command of {} under {}", who(by), who(leader), who(to)), None, MB_ORD_09)
        }
        Offer::RideMessenger { rider, double } => {
            let to = battle.dispatch(*rider).map_or("nobody", |one| battle.leader_name(one.to));
            let how = if *double { ", double" } else { "" };
            (format!("The messenger to {to} rides{how}"), None, MB_ORD_07)
        }
        Offer::Listen { leader, .. } => (format!("{} listens to what he is told", who(leader)), None, MB_ORD_08),
        Offer::Test(unit) => (format!("{} tests for control", name(unit)), Some(*unit), MB_CTL_09),
        Offer::Shift(0) => ("Leave the die as it fell".into(), None, MB_CTL_11),
        Offer::Shift(by) => (format!("Shift the die by {by:+}"), None, MB_CTL_11),
        Offer::NameLeader { unit, leader } => {
            (format!("{} controls {}", who(leader), name(unit)), Some(*unit), MB_CTL_16)
        }
        Offer::Roll { of, dice, double } => {
            let double = if *double { ", those far from enemy doubled" } else { "" };
            (format!("Roll {} for {} and its group{double}", dice.words(), name(of)), Some(*of), MB_MOV_03)
        }
        Offer::Stand(unit) => (format!("{} stands", name(unit)), Some(*unit), MB_MOV_04),
        Offer::Advance(unit) => (format!("Advance {}", name(unit)), Some(*unit), MB_MOV_04),
        Offer::HaltShort(unit) => (format!("Advance {} short of friends", name(unit)), Some(*unit), MB_MOV_08),
        Offer::Bear(unit) => (format!("{} bears off straight ahead", name(unit)), Some(*unit), MB_MOV_10),
        Offer::Wheel(unit) => (format!("Wheel {}", name(unit)), Some(*unit), MB_MAN_02),
        Offer::Incline { unit, right } => {
            (format!("Incline {} to the {}", name(unit), if *right { "right" } else { "left" }), Some(*unit), MB_MAN_14)
        }
        Offer::HaltAt { unit, at } => {
            let place = match at {
                HaltAt::Ground(ground) => format!("at {}", battle.ground_name(*ground)),
                HaltAt::Level(with) => format!("level with {}", name(with)),
            };
            (format!("{} may halt {place}", name(unit)), Some(*unit), MB_MOV_05)
        }
        Offer::HaltLevel(unit) => (format!("{} lines up and halts", name(unit)), Some(*unit), MB_MOV_05),
        Offer::LetAhead { unit, friend } => {
            (format!("{} lets {} go first", name(unit), name(friend)), Some(*friend), MB_SEQ_05)
        }
        Offer::Road { unit, double } => {
            let how = if *double { ", double" } else { "" };
            (format!("{} marches along the road{how}", name(unit)), Some(*unit), MB_MOV_21)
        }
        Offer::PassGap(unit) => (format!("{} narrows its front to pass the gap", name(unit)), Some(*unit), MB_MAN_20),
        Offer::GiveFire => ("Fire into their flank as they pass".into(), battle.passing.as_ref().map(|p| p.foot), MB_FOO_04),
        Offer::HoldFire => ("Let them pass".into(), battle.passing.as_ref().map(|p| p.foot), MB_FOO_04),
        Offer::SwingBack { unit, left, bases } | Offer::StepEnd { unit, left, bases } => {
            let (does, clause) = match offer {
                Offer::SwingBack { .. } => ("swings back", MB_MAN_04),
                _ => ("steps back", MB_MAN_15),
            };
            let flank = if *left { "left" } else { "right" };
            (format!("{} {does} {bases} on its {flank}", name(unit)), Some(*unit), clause)
        }
        Offer::SwingForward(unit) => (format!("{} wheels its flank forward", name(unit)), Some(*unit), MB_MAN_24),
        Offer::Merge { unit, into } => {
            let clause = if battle.phase == Phase::Charges { MB_CHG_05 } else { MB_MOV_31 };
            (format!("{} merges with {}", name(unit), name(into)), Some(*unit), clause)
        }
        Offer::Split(unit) => (format!("{} splits", name(unit)), Some(*unit), MB_MOV_32),
        Offer::TakeGun { unit, gun } => (format!("{} takes over {}", name(unit), name(gun)), Some(*unit), MB_GUN_06),
        Offer::HaltBehind => ("Halt behind friends or cover".into(), battle.falling.map(|one| one.unit), MB_RES_17),
        Offer::FallOn => ("Go back the whole way".into(), battle.falling.map(|one| one.unit), MB_RES_16),
        Offer::ChargeAhead(unit) => (format!("{} charges straight ahead", name(unit)), Some(*unit), MB_CTL_15),
        Offer::GuardFlank { unit, left } => {
            let flank = if *left { "left" } else { "right" };
            (format!("{} draws back the base on its {flank}", name(unit)), Some(*unit), MB_CHG_16)
        }
        Offer::Conform(unit) => (format!("{} copies its neighbour", name(unit)), Some(*unit), MB_CTL_06),
        Offer::Repeat(unit) => (format!("{} repeats its last move", name(unit)), Some(*unit), MB_CTL_14),
        Offer::GoOn(unit) => (format!("{} runs on", name(unit)), Some(*unit), MB_MOV_22),
        Offer::Form(unit) => (format!("{} takes up a formation", name(unit)), Some(*unit), MB_MAN_06),
        Offer::AboutFace(unit) => (format!("{} turns about", name(unit)), Some(*unit), MB_MAN_12),
        Offer::Pivot(unit) => (format!("Pivot {}", name(unit)), Some(*unit), MB_MOV_17),
        Offer::Push(unit) => (format!("Push {} forward", name(unit)), Some(*unit), MB_MOV_17),
        Offer::Step { unit, step } => (format!("{} steps {}", name(unit), step_word(*step)), Some(*unit), MB_MAN_15),
        Offer::Unlimber(unit) => (format!("Unlimber {}", name(unit)), Some(*unit), MB_MAN_08),
        Offer::Remount(unit) => {
            let does = if battle.brigade(*unit).kind == Kind::Dragoons { "dismount" } else { "mount" };
            (format!("{} {does}", name(unit)), Some(*unit), MB_MAN_16)
        }
        Offer::Recrew(unit) => (format!("The crew of {} returns", name(unit)), Some(*unit), MB_GUN_04),
        Offer::Reinforce { unit, into } => {
            (format!("{} reinforces {}", name(unit), name(into)), Some(*unit), MB_FOO_07)
        }
        Offer::Withdraw => ("Fall back before them".into(), battle.approach.map(|one| one.skirmisher), MB_MOV_30),
        Offer::LetCome => ("Stand and let them come".into(), battle.approach.map(|one| one.skirmisher), MB_MOV_30),
        Offer::ShootAt { unit, leader } => {
            (format!("{} shoots at {}", name(unit), who(leader)), Some(*unit), MB_RSK_06)
        }
        Offer::ShootAtMessenger { unit, .. } => {
            (format!("{} shoots at a messenger", name(unit)), Some(*unit), MB_ORD_11)
        }
        Offer::Charge { unit, at, outrance } => {
            let how = if *outrance { " à l'outrance" } else { "" };
            (format!("{} charges {}{how}", name(unit), name(at)), Some(*unit), MB_CHG_02)
        }
        Offer::Receive(unit) => (format!("{} stands to receive", name(unit)), Some(*unit), MB_CHG_16),
        Offer::CounterCharge { unit, charger } => {
            (format!("{} rides to meet {}", name(unit), name(charger)), Some(*unit), MB_CHG_12)
        }
        Offer::Evade(unit) => (format!("{} evades", name(unit)), Some(*unit), MB_CHG_15),
        Offer::TurnToMeet(unit) => (format!("{} turns about to meet the charge", name(unit)), Some(*unit), MB_CHG_16),
        Offer::ChargeDice { unit, dice } => {
            (format!("{} rides with {}", name(unit), dice.words()), Some(*unit), MB_CHG_06)
        }
        Offer::Fight => ("Fight the next combat".into(), None, MB_CBT_05),
        Offer::Act { unit, action } => {
            (format!("{}: {}", name(unit), action.word()), Some(*unit), action_clause(*action))
        }
        Offer::RideThrough { unit, dice } => {
            (format!("{} rides through with {}", name(unit), dice.words()), Some(*unit), MB_RES_14)
        }
    };
    let command = unit.map(|unit| sabretache_engine::ids::CommandId(battle.brigade(unit).under.0));
    Label { text, unit, command, clauses: vec![clause] }
}

fn action_clause(action: Action) -> Clause {
    match action {
        Action::Remain => MB_RES_12,
        Action::TakePosition => MB_RES_13,
        Action::RideThrough => MB_RES_14,
        Action::Retire => MB_RES_16,
        Action::Rout => MB_RES_21,
        Action::Pursue => MB_RES_25,
    }
}

pub(crate) fn decision(battle: &Battle) -> String {
    let side = crate::sequence::deciding(battle).map_or("Nobody", |side| battle.side_name(side));
    if let Some(approach) = battle.approach {
        return format!(
            "{} comes on: does {} fall back?",
            battle.name_of(approach.mover),
            battle.name_of(approach.skirmisher)
        );
    }
    if let Some(passing) = &battle.passing {
        let (mover, foot) = (battle.name_of(passing.mover), battle.name_of(passing.foot));
        return format!("{mover} passes across the front of {foot}: fire?");
    }
    if let Some(falling) = battle.falling {
        return format!("{} retires and could halt behind friends or cover.", battle.name_of(falling.unit));
    }
    if let Some(met) = battle.met {
        return format!("{} comes upon {}: what do they do?", battle.name_of(met.charger), battle.name_of(met.target));
    }
    if let Some((unit, die)) = battle.die {
        return format!("{} rolls {die} for control of {}: shift it?", side, battle.name_of(unit));
    }
    format!("Turn {}, {}: {side} decides.", battle.turn, phase_word(battle.phase))
}

fn inches(length: Length) -> String {
    let hundredths = (f64::from(length.to_um()) / 254.0).round() / 100.0;
    format!("{hundredths} inches")
}

pub(crate) fn tell(battle: &Battle, event: &Event) -> Telling {
    let name = |unit: &UnitId| battle.name_of(*unit);
    let who = |leader: &OfficerId| battle.leader_name(*leader).to_owned();
    let of = |unit: &UnitId, text: String, clause: Clause| Telling::new(text, Some((*unit).into()), clause);
    let by = |leader: &OfficerId, text: String, clause: Clause| Telling::new(text, Some((*leader).into()), clause);
    let plain = |text: String, clause: Clause| Telling::new(text, None, clause);
    match event {
        Event::InitiativeRolled { totals } => plain(format!("Initiative: {} to {}.", totals[0], totals[1]), MB_SEQ_04),
        Event::GoesFirst { side } => plain(format!("{} goes first.", battle.side_name(*side)), MB_SEQ_04),
        Event::PhaseBegan { phase, side } => {
            plain(format!("{}: {}.", battle.side_name(*side), phase_word(*phase)), MB_SEQ_01)
        }
        Event::TurnBegan { turn } => plain(format!("Turn {turn} begins."), MB_SEQ_01),
        Event::Ended => plain("The battle is over.".into(), MB_VIC_01),
        Event::Fired { unit, at, range, .. } => {
            of(unit, format!("{} fires at {} over {}.", name(unit), name(at), inches(*range)), MB_ART_08)
        }
        Event::ShellFell { unit, at, on_target, .. } => {
            let falls = if *on_target { "on target" } else { "wide" };
            of(unit, format!("{} throws a shell at {}: it falls {falls}.", name(unit), name(at)), MB_ART_20)
        }
        Event::UnderFire { unit } => of(unit, format!("{} is under fire.", name(unit)), MB_GEN_15),
        Event::Suffered { unit, dps, casualties, cause } => suffered(battle, unit, *dps, *casualties, *cause),
        Event::Became { unit, status } => became(battle, unit, *status),
        Event::CrewFled { unit, to: Some(to) } => {
            of(unit, format!("The crew of {} run to {}.", name(unit), name(to)), MB_GUN_01)
        }
        Event::CrewFled { unit, to: None } => of(unit, format!("{} is lost, its crew with it.", name(unit)), MB_GUN_01),
        Event::Recrewed { unit } => of(unit, format!("The crew of {} return to it.", name(unit)), MB_GUN_04),
        Event::Noted { blow } => {
            let (what, clause) = match blow.what {
                BlowKind::Routs => ("rout", MB_MOR_12),
                BlowKind::Destroyed => ("end", MB_MOR_12),
                BlowKind::Retires => ("retirement", MB_MOR_13),
                BlowKind::GeneralLost => ("loss of a general with it", MB_MOR_14),
            };
            of(&blow.unit, format!("Friends will feel the {what} of {}.", name(&blow.unit)), clause)
        }
        Event::Rode { leader, .. } => by(leader, format!("{} rides.", who(leader)), MB_LEA_04),
        Event::Attached { leader, unit } => by(leader, format!("{} joins {}.", who(leader), name(unit)), MB_LEA_07),
        Event::Detached { leader } => by(leader, format!("{} leaves his brigade.", who(leader)), MB_LEA_06),
        Event::Steadied { leader, unit } => {
            by(leader, format!("{} steadies {}: 1 DP less, and it halts.", who(leader), name(unit)), MB_LEA_09)
        }
        Event::Inspired { leader, unit } => by(leader, format!("{} inspires {}.", who(leader), name(unit)), MB_LEA_10),
        Event::LeaderRisked { leader, fate } => by(leader, format!("{}: {}.", who(leader), fate.word()), MB_RSK_02),
        Event::Risked { unit, .. } => of(unit, format!("The leaders with {} are at risk.", name(unit)), MB_RSK_01),
        Event::Ordered { leader, order } => {
            by(leader, format!("{} orders his army to {}.", who(leader), battle.order_words(*order)), MB_ORD_05)
        }
        Event::Dispatched { dispatch } => {
            let (does, clause) = match (&dispatch.word, dispatch.rider) {
                (Word::Orders(_), Some(_)) => ("sends new orders to", MB_ORD_06),
                (Word::Orders(_), None) => ("gives new orders to", MB_ORD_05),
                (_, Some(_)) => ("sends to have troops given up by", MB_ORD_09),
                (_, None) => ("has troops given up by", MB_ORD_09),
            };
            by(&dispatch.by, format!("{} {does} {}.", who(&dispatch.by), who(&dispatch.to)), clause)
        }
        Event::RiderMoved { rider, arrived, .. } => {
            let to = battle.dispatch(*rider).map_or_else(|| "nobody".into(), |one| who(&one.to));
            let does = if *arrived { "reaches him" } else { "rides on" };
            plain(format!("The messenger to {to} {does}."), MB_ORD_07)
        }
        Event::Heard { rider } => {
            let to = battle.dispatch(*rider).map_or_else(|| "Nobody".into(), |one| who(&one.to));
            plain(format!("{to} listens to what he is told."), MB_ORD_08)
        }
        Event::RiderLost { rider } => match battle.dispatch(*rider) {
            Some(one) if one.heard => plain(format!("What {} was told is done.", who(&one.to)), MB_ORD_09),
            Some(one) if one.rider.is_some() => plain(format!("The messenger to {} is lost.", who(&one.to)), MB_ORD_11),
            _ => plain("What was said goes unheard.".into(), MB_ORD_08),
        },
        Event::Reassigned { unit, to } => of(unit, format!("{} is now under {}.", name(unit), who(to)), MB_ORD_09),
        Event::CommandMoved { leader, to } => {
            by(leader, format!("The command of {} is now under {}.", who(leader), who(to)), MB_ORD_09)
        }
        Event::LeaderTaken { leader } => by(leader, format!("{} is taken.", who(leader)), MB_RSK_07),
        Event::Control { unit, control } => controlled(battle, unit, *control),
        Event::ControlRolled { unit, die } => of(unit, format!("{} tests for control: {die}.", name(unit)), MB_CTL_09),
        Event::ControlTested { unit, total, result } => {
            of(unit, format!("{}, with {total}, {}.", name(unit), result.words()), MB_CTL_09)
        }
        Event::MoveRolled { roll } => {
            let dice = crate::situations::MoveDice::new(roll.average, roll.d6);
            let faces: Vec<String> = roll.faces[..usize::from(dice.count()).min(3)].iter().map(u8::to_string).collect();
            of(
                &roll.of,
                format!("{} and its group: {} show {}.", name(&roll.of), dice.words(), faces.join(", ")),
                MB_MOV_11,
            )
        }
        Event::Moved { unit, to, .. } => {
            let far = battle.brigade(*unit).pose.at.distance(to.at);
            of(unit, format!("{} moves {}.", name(unit), inches(far)), MB_MOV_04)
        }
        Event::Rough { unit } => of(unit, format!("The way of {} is rough.", name(unit)), MB_MOV_26),
        Event::Bears { unit, bearing } => {
            of(unit, format!("{} bears {:.1}° off.", name(unit), f64::from(*bearing) / 100.0), MB_MOV_10)
        }
        Event::Manoeuvred { unit, manoeuvre, formation, .. } => {
            let (does, clause) = manoeuvred(*manoeuvre, formation.word());
            of(unit, format!("{} {does}.", name(unit)), clause)
        }
        Event::Changed { unit, kind, .. } => {
            let does = if *kind == Kind::Dragoons { "mount" } else { "dismount" };
            of(unit, format!("{} {does}.", name(unit)), MB_MAN_16)
        }
        Event::Bent { unit, refused: Some(one), moved, .. } => {
            let flank = if one.left { "left" } else { "right" };
            let clause = match one {
                _ if !moved => MB_CHG_16,
                one if one.swung > 0 => MB_MAN_04,
                _ => MB_MAN_15,
            };
            of(unit, format!("{} refuses its {flank} flank.", name(unit)), clause)
        }
        Event::Bent { unit, refused: None, .. } => of(unit, format!("{} straightens its line.", name(unit)), MB_MAN_24),
        Event::Marched { unit, spent, .. } => {
            of(unit, format!("{} marches {} along the road.", name(unit), inches(*spent)), MB_MOV_21)
        }
        Event::Aimed { unit, at } => {
            let place = match at {
                HaltAt::Ground(ground) => format!("at {}", battle.ground_name(*ground)),
                HaltAt::Level(with) => format!("level with {}", name(with)),
            };
            of(unit, format!("{} is to halt {place}.", name(unit)), MB_MOV_05)
        }
        Event::LetAhead { unit } => of(unit, format!("{} goes first, being in the way.", name(unit)), MB_SEQ_05),
        Event::PassedThrough { unit } => {
            of(unit, format!("{} stands while friends pass through it.", name(unit)), MB_MAN_18)
        }
        Event::Passes { passing } => of(
            &passing.mover,
            format!("{} passes across the front of {}.", name(&passing.mover), name(&passing.foot)),
            MB_FOO_04,
        ),
        Event::PassesOver => plain("The passage is answered.".into(), MB_FOO_04),
        Event::Volley { unit, at } => {
            of(unit, format!("{} fires into the flank of {}, which must halt.", name(unit), name(at)), MB_FOO_04)
        }
        Event::GunTaken { unit, gun } => {
            of(unit, format!("{} gives up a base to take over {}.", name(unit), name(gun)), MB_GUN_06)
        }
        Event::Sheltered { falling } => {
            of(&falling.unit, format!("{} could halt behind friends or cover.", name(&falling.unit)), MB_RES_17)
        }
        Event::ShelterOver => plain("That is settled.".into(), MB_RES_17),
        Event::Met { met } => {
            let clause = if met.pursuit.is_some() { MB_RES_27 } else { MB_CHG_08 };
            of(&met.charger, format!("{} comes upon {}.", name(&met.charger), name(&met.target)), clause)
        }
        Event::MetOver => plain("They have answered.".into(), MB_CHG_08),
        Event::Done { unit } => of(unit, format!("{} has moved.", name(unit)), MB_SEQ_05),
        Event::Approached { approach } => of(
            &approach.mover,
            format!("{} comes within 2 inches of {}.", name(&approach.mover), name(&approach.skirmisher)),
            MB_MOV_30,
        ),
        Event::ApproachOver => plain("The approach is answered.".into(), MB_MOV_30),
        Event::Withdrew { unit, .. } => of(unit, format!("{} falls back to keep its distance.", name(unit)), MB_MOV_30),
        Event::ShotAtLeader { unit } => of(unit, format!("{} shoots at a lone horseman.", name(unit)), MB_RSK_06),
        Event::GroupDone => plain("The group has moved.".into(), MB_MOV_11),
        Event::Declared { unit, at, outrance, .. } => {
            let (how, clause) = if *outrance { (" à l'outrance", MB_CHG_10) } else { ("", MB_CHG_02) };
            of(unit, format!("{} declares a charge at {}{how}.", name(unit), name(at)), clause)
        }
        Event::Responded { unit, response } => {
            let (does, clause) = match response {
                Response::Stands | Response::None => ("stands to receive", MB_CHG_16),
                Response::CounterCharges(_) => ("rides to meet them", MB_CHG_12),
                Response::Evades(_) => ("evades", MB_CHG_15),
            };
            of(unit, format!("{} {does}.", name(unit)), clause)
        }
        Event::Charged { unit, roll, touched, .. } => {
            let (does, clause) =
                if *touched { ("and strikes home", MB_CHG_06) } else { ("and falls short", MB_CHG_09) };
            of(unit, format!("{} rides with {} {does}.", name(unit), roll.words()), clause)
        }
        Event::Fell { unit, action, roll, .. } => {
            let (does, clause) = fast(*action);
            let dice = if roll.dice.count() > 0 { format!(" ({})", roll.words()) } else { String::new() };
            of(unit, format!("{} {does}{dice}.", name(unit)), clause)
        }
        Event::Flanked { unit } => of(unit, format!("{} is struck in flank or rear.", name(unit)), MB_CBT_16),
        Event::Engaged { fights } => {
            let many = match fights.len() {
                0 => "There is no combat.".into(),
                1 => "There is one combat.".into(),
                many => format!("There are {many} combats."),
            };
            plain(many, MB_CBT_01)
        }
        Event::Fought { hits, .. } => plain(format!("{} hits to {}.", hits[0], hits[1]), MB_RES_01),
        Event::Acted { unit, action, .. } => {
            of(unit, format!("{}: {}.", name(unit), action.word()), action_clause(*action))
        }
        Event::Hacked { unit, at, casualties } => {
            let bases = if *casualties == 1 { "1 base".into() } else { format!("{casualties} bases") };
            of(unit, format!("{} hacks at {}: {bases}.", name(unit), name(at)), MB_RES_26)
        }
        Event::PursuedInto { unit } => of(unit, format!("{} runs into fresh enemy.", name(unit)), MB_RES_27),
        Event::Split { unit, stays, .. } => {
            of(unit, format!("{stays} bases of {} stay where they are.", name(unit)), MB_RES_11)
        }
        Event::MergedInto { unit, into, .. } => of(unit, format!("{} joins {}.", name(unit), name(into)), MB_MOV_31),
        Event::Felt { blow, unit } => {
            let whose = battle.blows.get(*blow).map_or_else(String::new, |blow| name(&blow.unit));
            of(unit, format!("{} feels what befell {whose}.", name(unit)), MB_MOR_15)
        }
        Event::Redressed { unit, removed } => {
            of(unit, format!("{} re-dresses its ranks: {} less.", name(unit), dps_in_words(*removed)), MB_MOR_06)
        }
        Event::Held { objective, by } => {
            let place = battle
                .fixed
                .scenario
                .body
                .objectives
                .get(usize::from(*objective))
                .map_or("a place", |one| one.name.as_str());
            plain(format!("{} holds {place}.", battle.side_name(*by)), MB_VIC_02)
        }
    }
}

fn suffered(battle: &Battle, unit: &UnitId, dps: u8, casualties: u8, cause: Cause) -> Telling {
    let (from, clause) = match cause {
        Cause::Move => ("by moving", MB_MOR_03),
        Cause::Fire => ("by fire", MB_MOR_02),
        Cause::Combat => ("in combat", MB_MOR_17),
        Cause::Morale => ("at heart", MB_MOR_15),
    };
    let mut parts = Vec::new();
    if dps > 0 {
        parts.push(format!("takes {}", dps_in_words(dps)));
    }
    if casualties > 0 {
        parts.push(format!("loses {casualties} {}", if casualties == 1 { "base" } else { "bases" }));
    }
    if parts.is_empty() {
        parts.push("suffers".into());
    }
    Telling::new(format!("{} {} {from}.", battle.name_of(*unit), parts.join(" and ")), Some((*unit).into()), clause)
}

fn became(battle: &Battle, unit: &UnitId, status: Status) -> Telling {
    let (what, clause) = match status {
        Status::Steady => ("is in hand", MB_MAN_05),
        Status::Retired => ("leaves off running", MB_RES_29),
        Status::Routing => ("routs", MB_RES_20),
        Status::Pursuing => ("pursues", MB_RES_25),
        Status::Abandoned => ("is abandoned", MB_GUN_01),
        Status::Captured => ("is captured", MB_GUN_05),
        Status::Destroyed => ("is destroyed", MB_MOR_05),
        Status::Surrendered => ("surrenders", MB_RES_24),
        Status::Left => ("leaves the table", MB_GEN_17),
        Status::Merged => ("joins another brigade", MB_MOV_31),
    };
    Telling::new(format!("{} {what}.", battle.name_of(*unit)), Some((*unit).into()), clause)
}

fn controlled(battle: &Battle, unit: &UnitId, control: Charge) -> Telling {
    let (what, clause) = match control {
        Charge::Unset => ("stands".to_owned(), MB_CTL_04),
        Charge::By(leader) => (format!("is under the control of {}", battle.leader_name(leader)), MB_CTL_01),
        Charge::Attached => ("is under the leader who is with it".to_owned(), MB_CTL_05),
        Charge::Conforms(lead) => (format!("conforms to {}", battle.name_of(lead)), MB_CTL_06),
        Charge::Tests => ("is out of control and must test".to_owned(), MB_CTL_04),
        Charge::Free => ("acts as its player wishes".to_owned(), MB_CTL_09),
        Charge::Halts => ("halts".to_owned(), MB_CTL_13),
        Charge::Repeats => ("repeats its last move".to_owned(), MB_CTL_14),
        Charge::GoesOn => ("runs on".to_owned(), MB_CTL_08),
    };
    Telling::new(format!("{} {what}.", battle.name_of(*unit)), Some((*unit).into()), clause)
}

fn manoeuvred(manoeuvre: ManoeuvreKind, formation: &str) -> (String, Clause) {
    match manoeuvre {
        ManoeuvreKind::Wheel => ("wheels".into(), MB_MAN_02),
        ManoeuvreKind::RefuseFlank => ("refuses a flank".into(), MB_MAN_04),
        ManoeuvreKind::ChangeFormation => (format!("forms {formation}"), MB_MAN_06),
        ManoeuvreKind::DoubleChange => (format!("forms {formation} by two changes"), MB_MAN_07),
        ManoeuvreKind::ReForm => (format!("re-forms in {formation}"), MB_MAN_05),
        ManoeuvreKind::Unlimber => ("unlimbers".into(), MB_MAN_08),
        ManoeuvreKind::CrossObstacle => ("crosses an obstacle".into(), MB_MAN_09),
        ManoeuvreKind::AboutFace => ("turns about".into(), MB_MAN_12),
        ManoeuvreKind::TurnToFlank => ("pivots".into(), MB_MOV_17),
        ManoeuvreKind::Incline => ("inclines".into(), MB_MAN_14),
        ManoeuvreKind::SideStep => ("steps aside".into(), MB_MAN_15),
        ManoeuvreKind::StepBack => ("steps back".into(), MB_MAN_15),
        ManoeuvreKind::Mount => ("mounts".into(), MB_MAN_16),
        ManoeuvreKind::Dismount => ("dismounts".into(), MB_MAN_16),
        ManoeuvreKind::PassGap => ("passes a gap".into(), MB_MAN_20),
    }
}

fn fast(action: FastMove) -> (&'static str, Clause) {
    match action {
        FastMove::Evade => ("gets away", MB_CHG_15),
        FastMove::Retire => ("retires", MB_RES_16),
        FastMove::RetireOn => ("goes on retiring", MB_RES_18),
        FastMove::Rout => ("routs", MB_RES_21),
        FastMove::RoutOn => ("routs on", MB_RES_22),
        FastMove::Pursue => ("pursues", MB_RES_25),
        FastMove::PursueOn => ("pursues on", MB_RES_29),
        FastMove::RideThrough => ("rides through", MB_RES_14),
        FastMove::TakePosition => ("takes the position", MB_RES_13),
    }
}

/// What a run of events comes to: who suffered, who ran, who fell.
pub(crate) fn outcome(battle: &Battle, events: &[Event]) -> String {
    let mut said: Vec<String> = Vec::new();
    for event in events {
        let one = match event {
            Event::Suffered { .. }
            | Event::Became { .. }
            | Event::LeaderRisked { .. }
            | Event::ControlTested { .. }
            | Event::ControlRolled { .. }
            | Event::InitiativeRolled { .. }
            | Event::Fought { .. }
            | Event::Hacked { .. }
            | Event::MoveRolled { .. }
            | Event::Charged { .. }
            | Event::CrewFled { .. }
            | Event::Flanked { .. }
            | Event::Ended => tell_safely(battle, event),
            Event::Fell { unit, action, .. } => format!("{} {}", battle.name_of(*unit), fast(*action).0),
            _ => continue,
        };
        said.push(one.trim_end_matches('.').to_owned());
    }
    if said.is_empty() { "nothing to roll for".into() } else { said.join("; ") }
}

/// A sentence about an event that may concern a part which has only just split off.
fn tell_safely(battle: &Battle, event: &Event) -> String {
    let unknown = match event {
        Event::Suffered { unit, .. } | Event::Became { unit, .. } | Event::Hacked { unit, .. } => {
            unit.index() >= battle.units.len()
        }
        _ => false,
    };
    if unknown { "a part that split off suffers".into() } else { tell(battle, event).text }
}

pub(crate) fn verdict(battle: &Battle) -> Option<Verdict> {
    if battle.phase != Phase::Over {
        return None;
    }
    let broken = Side::BOTH.map(|side| battle.is_broken(side));
    let name = |side: Side| battle.side_name(side);
    match broken {
        [true, true] => {
            return Some(Verdict { winner: None, sentence: "Both armies are broken.".into(), clause: MB_VIC_03 });
        }
        [true, false] => {
            let sentence = format!("{} is broken.", name(Side::A));
            return Some(Verdict { winner: Some(Side::B), sentence, clause: MB_VIC_03 });
        }
        [false, true] => {
            let sentence = format!("{} is broken.", name(Side::B));
            return Some(Verdict { winner: Some(Side::A), sentence, clause: MB_VIC_03 });
        }
        [false, false] => {}
    }
    let judged = battle.score().read(&battle.fixed.numbers);
    let winner = match judged.winner {
        "ours" => Some(Side::A),
        "theirs" => Some(Side::B),
        _ => None,
    };
    let sentence = match winner {
        Some(side) => format!(
            "{} wins by {} points to {}.",
            name(side),
            judged.ours.max(judged.theirs),
            judged.ours.min(judged.theirs)
        ),
        None => format!("{} points to {}: neither army has won.", judged.ours, judged.theirs),
    };
    Some(Verdict { winner, sentence, clause: MB_VIC_04 })
}
