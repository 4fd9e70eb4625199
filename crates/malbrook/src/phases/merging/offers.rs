//! Brigades that become one, or several, or take over a gun.

use sabretache_engine::decides;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::Outline;

use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_CHG_05, MB_FOO_07, MB_GUN_06, MB_LEA_07, MB_MOV_31, MB_MOV_32};
use crate::event::Phase;
use crate::phases::harm::Play;
use crate::phases::merging;
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Merging and splitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Merging {
    /// Two brigades side by side become one.
    Merge { unit: UnitId, into: UnitId },
    /// A brigade joins one before it.
    Reinforce { unit: UnitId, into: UnitId },
    /// A brigade splits.
    Split(UnitId),
    /// It splits, and a leader who is with it stays with the part on the right or behind.
    SplitLeaving { unit: UnitId, leader: OfficerId },
    /// A brigade takes over a gun.
    TakeGun { unit: UnitId, gun: UnitId },
}

impl Part<Malbrook> for Merging {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Merge { unit, .. }
            | Self::Reinforce { unit, .. }
            | Self::Split(unit)
            | Self::SplitLeaving { unit, .. }
            | Self::TakeGun { unit, .. } => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Split(unit) => merging::split_input(battle, unit),
            Self::SplitLeaving { unit, leader } => merging::split_leaving_input(battle, unit, leader),
            Self::Merge { .. } | Self::Reinforce { .. } | Self::TakeGun { .. } => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Merge { unit, into } => merging::merge(play, unit, into),
            Self::Reinforce { unit, into } => merging::reinforce(play, unit, into),
            Self::Split(unit) => merging::split(play, unit, value.number()),
            Self::SplitLeaving { unit, leader } => merging::split_leaving(play, unit, leader, value.number()),
            Self::TakeGun { unit, gun } => merging::take_gun(play, unit, gun),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::Merge { unit, into } => format!("merge {} into {}", id(unit), id(into)),
            Self::Reinforce { unit, into } => format!("reinforce {} with {}", id(into), id(unit)),
            Self::Split(unit) => format!("split {}", id(unit)),
            Self::SplitLeaving { unit, leader } => format!("split {} leaving {}", id(unit), who(leader)),
            Self::TakeGun { unit, gun } => format!("take over {} by {}", id(gun), id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::Merge { unit, into } => {
                let clause = if battle.phase == Phase::Charges { MB_CHG_05 } else { MB_MOV_31 };
                (format!("Merge {} with {}", name(unit), name(into)), Some(unit), clause)
            }
            Self::Reinforce { unit, into } => {
                (format!("Reinforce {} with {}", name(into), name(unit)), Some(unit), MB_FOO_07)
            }
            Self::Split(unit) => (format!("Split {}", name(unit)), Some(unit), MB_MOV_32),
            Self::SplitLeaving { unit, leader } => {
                let part =
                    if battle.brigade(unit).files == battle.brigade(unit).bases { "on the right" } else { "behind" };
                (format!("Split {}, {} with the part {part}", name(unit), who(leader)), Some(unit), MB_LEA_07)
            }
            Self::TakeGun { unit, gun } => {
                (format!("Take over {} with a base of {}", name(gun), name(unit)), Some(unit), MB_GUN_06)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Merge { unit, into } => Handling::at("merge", [unit], into),
            Self::Reinforce { unit, into } => Handling::at("reinforce", [unit], into),
            Self::Split(unit) | Self::SplitLeaving { unit, .. } => Handling::act("split", unit),
            Self::TakeGun { unit, gun } => Handling::at("take_gun", [unit], gun),
        }
    }
}

impl Merging {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Reinforce { unit, into } => merging::may_reinforce(battle, unit, into),
            Self::Split(unit) => merging::split_input(battle, unit).map(drop),
            Self::SplitLeaving { unit, leader } => merging::split_leaving_input(battle, unit, leader).map(drop),
            Self::Merge { .. } | Self::TakeGun { .. } => Ok(()),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in battle.of(battle.active) {
        offers_of(battle, unit, out);
    }
}

/// Those with whom a brigade may become one.
pub(crate) fn offers_of(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    if !battle.brigade(unit).is_brigade() {
        return;
    }
    let gap = battle.fixed.numbers.contact_gap.length();
    // Most are not in contact, of another command or not steady: that is seen without measuring.
    decides!(MB_MOV_31);
    match battle.phase {
        Phase::Movement => decides!(MB_FOO_07),
        _ => decides!(MB_CHG_05),
    }
    let one = battle.brigade(unit);
    let alike = |into: &UnitId| {
        let other = battle.brigade(*into);
        *into != unit && one.under == other.under && one.status == Status::Steady && other.status == Status::Steady
    };
    for into in battle.friends_around(battle.active, battle.figure(unit).bounds(), gap).filter(alike) {
        if battle.phase == Phase::Movement && merging::may_reinforce(battle, unit, into).is_ok() {
            out.push(Merging::Reinforce { unit, into }.into());
        }
        if merging::may_merge(battle, unit, into).is_ok() {
            out.push(Merging::Merge { unit, into }.into());
        }
    }
}

/// Tells of guns that a brigade may take over and of its splitting, until the listener has heard enough.
pub(crate) fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    let left = |brigade: &Brigade| matches!(brigade.status, Status::Abandoned | Status::Captured);
    for (n, _) in battle.units.iter().enumerate().filter(|(_, brigade)| left(brigade)) {
        let gun = UnitId(n as u16);
        if merging::may_take_gun(battle, unit, gun).is_ok() && enough(Merging::TakeGun { unit, gun }.into()) {
            return true;
        }
    }
    if merging::split_input(battle, unit).is_err() {
        return false;
    }
    let leaving = battle.attached_to(unit).map(|leader| Offer::from(Merging::SplitLeaving { unit, leader }));
    std::iter::once(Offer::from(Merging::Split(unit))).chain(leaving).any(enough)
}

/// Why brigades in contact, or near those in combat, may not reinforce them (MB-FOO-07).
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let six = battle.fixed.numbers.near.length();
    for into in battle.of(battle.active).filter(|into| battle.brigade(*into).is_brigade() && battle.in_combat(*into)) {
        for unit in battle.friends_around(battle.active, battle.figure(into).bounds(), six) {
            let close = unit != into && battle.brigade(unit).is_brigade() && !battle.in_combat(unit);
            let refusal = merging::may_reinforce(battle, unit, into).err().filter(|_| close);
            out.extend(refusal.map(|refusal| (Offer::from(Merging::Reinforce { unit, into }), refusal)));
        }
    }
}
