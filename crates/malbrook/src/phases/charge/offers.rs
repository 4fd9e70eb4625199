//! Charges, and the answers to them: of those who are charged, and of those whom a charge or pursuit comes upon.

use sabretache_engine::decides;
use sabretache_engine::handle::{Group, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::{Looked, Part};
use sabretache_table::{Length, Unit};

use crate::battle::Battle;
use crate::clauses::{MB_CHG_02, MB_CHG_06, MB_CHG_07, MB_CHG_12, MB_CHG_15, MB_CHG_16, MB_CTL_15};
use crate::phases::despite::shut;
use crate::phases::harm::Play;
use crate::phases::{charge, meeting, merging, refused_flank};
use crate::situations::MoveDice;
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Declaring a charge, and answering one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Charges {
    /// Cavalry declare a charge, on the bearing that reaches the enemy soonest.
    Charge { unit: UnitId, at: UnitId, outrance: bool },
    /// Cavalry declare a charge on a bearing of the player's choice.
    ChargeBearing { unit: UnitId, at: UnitId, outrance: bool },
    /// Cavalry that must charge again and have nobody to charge.
    ChargeAhead(UnitId),
    /// The charged stand.
    Receive(UnitId),
    /// The charged ride to meet the charge.
    CounterCharge { unit: UnitId, charger: UnitId },
    /// The charged get away.
    Evade(UnitId),
    /// Foot turn about to meet a charge.
    TurnToMeet(UnitId),
    /// Foot draw back an end base to meet a charge.
    GuardFlank { unit: UnitId, left: bool },
    /// The dice of a charge.
    ChargeDice { unit: UnitId, dice: MoveDice },
}

impl Part<Malbrook> for Charges {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Charge { unit, .. }
            | Self::ChargeBearing { unit, .. }
            | Self::ChargeAhead(unit)
            | Self::GuardFlank { unit, .. }
            | Self::Receive(unit)
            | Self::CounterCharge { unit, .. }
            | Self::Evade(unit)
            | Self::TurnToMeet(unit)
            | Self::ChargeDice { unit, .. } => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::ChargeBearing { unit, at, outrance } => charge::charge_input(battle, unit, at, outrance),
            Self::Charge { .. }
            | Self::ChargeAhead(_)
            | Self::Receive(_)
            | Self::CounterCharge { .. }
            | Self::Evade(_)
            | Self::TurnToMeet(_)
            | Self::GuardFlank { .. }
            | Self::ChargeDice { .. } => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        if let Some(met) = play.battle().met() {
            return meeting::answer(play, met, self);
        }
        match self {
            Self::Charge { unit, at, outrance } => charge::declare(play, unit, at, outrance, None),
            Self::ChargeBearing { unit, at, outrance } => {
                charge::charge_input(play.battle(), unit, at, outrance)?.check(value, Unit::Inch)?;
                charge::declare(play, unit, at, outrance, value.wheel())
            }
            Self::ChargeAhead(unit) => charge::charge_ahead(play, unit),
            Self::Receive(unit) => charge::receive(play, unit),
            Self::CounterCharge { unit, charger } => charge::counter(play, unit, charger),
            Self::Evade(unit) => charge::evade(play, unit),
            Self::TurnToMeet(unit) => charge::turn_to_meet(play, unit),
            Self::GuardFlank { unit, left } => refused_flank::guard_flank(play, unit, left),
            Self::ChargeDice { unit, dice } => charge::name_dice(play, unit, dice),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let side = |right: bool| if right { "right" } else { "left" };
        match self {
            Self::Charge { unit, at, outrance } => {
                format!("charge {} at {}{}", id(unit), id(at), if outrance { " outrance" } else { "" })
            }
            Self::ChargeBearing { unit, at, outrance } => {
                format!("charge {} at {}{} bearing", id(unit), id(at), if outrance { " outrance" } else { "" })
            }
            Self::ChargeAhead(unit) => format!("charge {} ahead", id(unit)),
            Self::Receive(unit) => format!("receive {}", id(unit)),
            Self::CounterCharge { unit, charger } => format!("counter {} at {}", id(unit), id(charger)),
            Self::Evade(unit) => format!("evade {}", id(unit)),
            Self::TurnToMeet(unit) => format!("turn {} to meet it", id(unit)),
            Self::GuardFlank { unit, left } => format!("draw back {} {}", id(unit), side(!left)),
            Self::ChargeDice { unit, dice } => format!("charge dice {} {}", id(unit), dice.key()),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (text, unit, clause) = match self {
            Self::Charge { unit, at, outrance } => {
                let how = if outrance { " à l'outrance" } else { "" };
                (format!("Charge {} with {}{how}", name(at), name(unit)), Some(unit), MB_CHG_02)
            }
            Self::ChargeBearing { unit, at, outrance } => {
                let how = if outrance { " à l'outrance" } else { "" };
                (format!("Charge {} with {}{how} on another bearing", name(at), name(unit)), Some(unit), MB_CHG_06)
            }
            Self::ChargeAhead(unit) => (format!("Charge straight ahead with {}", name(unit)), Some(unit), MB_CTL_15),
            Self::Receive(unit) => (format!("Let {} stand to receive", name(unit)), Some(unit), MB_CHG_16),
            Self::CounterCharge { unit, charger } => {
                (format!("Ride to meet {} with {}", name(charger), name(unit)), Some(unit), MB_CHG_12)
            }
            Self::Evade(unit) => (format!("Let {} evade", name(unit)), Some(unit), MB_CHG_15),
            Self::TurnToMeet(unit) => (format!("Turn {} about to meet the charge", name(unit)), Some(unit), MB_CHG_16),
            Self::GuardFlank { unit, left } => {
                let flank = if left { "left" } else { "right" };
                (format!("Draw back the base of {} on the {flank}", name(unit)), Some(unit), MB_CHG_16)
            }
            Self::ChargeDice { unit, dice } => {
                (format!("Ride with {}: {}", dice.words(), name(unit)), Some(unit), MB_CHG_06)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Charge { unit, at, .. } | Self::ChargeBearing { unit, at, .. } => Handling::at("charge", [unit], at),
            Self::ChargeAhead(unit) => Handling::act("charge", unit),
            Self::Receive(unit) => Handling::act("stand", unit).of(Group::End),
            Self::CounterCharge { unit, charger } => Handling::at("charge", [unit], charger),
            Self::Evade(unit) => Handling::act("evade", unit),
            Self::TurnToMeet(unit) => Handling::act("face_about", unit),
            Self::GuardFlank { unit, .. } => Handling::act("guard_flank", unit),
            Self::ChargeDice { unit, .. } => Handling::act("roll", unit),
        }
    }
}

impl Charges {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        // Those who were come upon have answers of their own, which allow nothing that is forbidden.
        if battle.met().is_some() {
            return Ok(());
        }
        match self {
            Self::Charge { unit, at, outrance } => charge::may_charge(battle, unit, at, outrance).map(drop),
            Self::CounterCharge { unit, charger } => charge::may_counter(battle, unit, charger),
            Self::Evade(unit) => charge::may_evade(battle, unit).map(drop),
            Self::TurnToMeet(unit) => charge::may_turn(battle, unit),
            Self::GuardFlank { unit, left } => refused_flank::may_guard_flank(battle, unit, left).map(drop),
            Self::ChargeBearing { .. } | Self::ChargeAhead(_) | Self::Receive(_) | Self::ChargeDice { .. } => Ok(()),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    // All that is done in this phase: nobody wheels or forms before a charge.
    decides!(MB_CHG_07);
    for unit in battle.right_to_left(battle.active).iter().copied() {
        let from = out.len();
        offers_of(battle, unit, out);
        // Merging comes after all charges.
        out.truncate(from + out[from..].iter().position(is_merging).unwrap_or(out.len() - from));
    }
    for unit in battle.of(battle.active) {
        let from = out.len();
        offers_of(battle, unit, out);
        let merging = out[from..].iter().position(is_merging).unwrap_or(out.len() - from);
        out.drain(from..from + merging);
    }
}

fn is_merging(offer: &Offer) -> bool {
    matches!(offer, Offer::Merging(_))
}

/// What a unit may do before charges are ridden: declare one, and merge with another to charge as one body.
pub(crate) fn offers_of(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    let find = || {
        let mut open = Vec::new();
        if charge::may_declare(battle, unit).is_ok() {
            charges_of(battle, unit, &mut open);
        }
        merging::offers_of(battle, unit, &mut open);
        // Whether another may declare can hang on one in line with it, and that one stands beside it.
        let beside = battle.fixed.numbers.contact_gap.length() + Length::inches(1);
        (Looked::round(battle.figure(unit).bounds.grown(beside.f())), open)
    };
    battle.kept_of(unit, out, find);
}

fn charges_of(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    for at in battle.enemies(battle.active) {
        for outrance in [false, true] {
            if charge::may_charge(battle, unit, at, outrance).is_ok() {
                out.push(Charges::Charge { unit, at, outrance }.into());
                out.push(Charges::ChargeBearing { unit, at, outrance }.into());
            }
        }
    }
    if charge::may_charge_ahead(battle, unit).is_ok() {
        out.push(Charges::ChargeAhead(unit).into());
    }
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for unit in battle.of(battle.active) {
        for at in battle.enemies(battle.active) {
            for outrance in [false, true] {
                shut(battle, Charges::Charge { unit, at, outrance }, out);
            }
        }
    }
}

/// The dice that may be named for a charge, or for riding to meet one.
pub(crate) fn dice_offers(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    out.extend(
        charge::charge_dice(battle, unit).into_iter().map(|dice| Offer::from(Charges::ChargeDice { unit, dice })),
    );
}

pub(crate) fn response_offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in battle.right_to_left(battle.active).iter().copied().filter(|unit| charge::must_answer(battle, *unit)) {
        out.push(Charges::Receive(unit).into());
        for charger in charge::chargers(battle, unit) {
            if charge::may_counter(battle, unit, charger).is_ok() {
                out.push(Charges::CounterCharge { unit, charger }.into());
            }
        }
        if charge::may_evade(battle, unit).is_ok() {
            out.push(Charges::Evade(unit).into());
        }
        if charge::may_turn(battle, unit).is_ok() {
            out.push(Charges::TurnToMeet(unit).into());
        }
        for left in [true, false] {
            if refused_flank::may_guard_flank(battle, unit, left).is_ok() {
                out.push(Charges::GuardFlank { unit, left }.into());
            }
        }
    }
}

pub(crate) fn response_closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for unit in battle.of(battle.active).filter(|unit| charge::must_answer(battle, *unit)) {
        for charger in charge::chargers(battle, unit) {
            shut(battle, Charges::CounterCharge { unit, charger }, out);
        }
        shut(battle, Charges::Evade(unit), out);
        shut(battle, Charges::TurnToMeet(unit), out);
        for left in [true, false] {
            shut(battle, Charges::GuardFlank { unit, left }, out);
        }
    }
}
