//! The shots of guns, and of foot at leaders and messengers who are alone.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::{Looked, Part};

use crate::battle::Battle;
use crate::clauses::{MB_ART_08, MB_ART_19, MB_ORD_11, MB_RSK_06};
use crate::phases::despite::shut;
use crate::phases::gunnery;
use crate::phases::gunnery::Fire;
use crate::phases::harm::Play;
use crate::troops::Kind;
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Artillery fire, and shots at lone horsemen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Gunnery {
    /// A gun fires direct.
    Fire { gun: UnitId, at: UnitId },
    /// A gun fires over others.
    Shell { gun: UnitId, at: UnitId },
    /// Foot shoot at a lone leader.
    ShootAt { unit: UnitId, leader: OfficerId },
    /// Foot shoot at a lone messenger.
    ShootAtMessenger { unit: UnitId, rider: u16 },
}

impl Part<Malbrook> for Gunnery {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Fire { gun, .. } | Self::Shell { gun, .. } => Some(gun.into()),
            Self::ShootAt { unit, .. } | Self::ShootAtMessenger { unit, .. } => Some(unit.into()),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Fire { gun, at } => gunnery::fire(play, gun, at),
            Self::Shell { gun, at } => gunnery::shell(play, gun, at),
            Self::ShootAt { unit, leader } => gunnery::shoot_at(play, unit, leader),
            Self::ShootAtMessenger { unit, rider } => gunnery::shoot_at_rider(play, unit, rider),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::Fire { gun, at } => format!("fire {} at {}", id(gun), id(at)),
            Self::Shell { gun, at } => format!("shell {} at {}", id(gun), id(at)),
            Self::ShootAt { unit, leader } => format!("shoot {} at {}", id(unit), who(leader)),
            Self::ShootAtMessenger { unit, rider } => format!("shoot {} at messenger {rider}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::Fire { gun, at } => (format!("Fire {} at {}", name(gun), name(at)), Some(gun), MB_ART_08),
            Self::Shell { gun, at } => {
                (format!("Fire {} over others at {}", name(gun), name(at)), Some(gun), MB_ART_19)
            }
            Self::ShootAt { unit, leader } => {
                (format!("Shoot at {} with {}", who(leader), name(unit)), Some(unit), MB_RSK_06)
            }
            Self::ShootAtMessenger { unit, .. } => {
                (format!("Shoot at a messenger with {}", name(unit)), Some(unit), MB_ORD_11)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Fire { gun, at } => Handling::at("shoot", [gun], at),
            Self::Shell { gun, at } => Handling::at("shell", [gun], at),
            Self::ShootAt { unit, leader } => Handling::at("shoot", [unit], leader),
            Self::ShootAtMessenger { unit, .. } => Handling::act("shoot", unit),
        }
    }
}

impl Gunnery {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Fire { gun, at } => gunnery::may_fire(battle, gun, at, Fire::Direct).map(drop),
            Self::Shell { gun, at } => gunnery::may_fire(battle, gun, at, Fire::Indirect).map(drop),
            Self::ShootAt { .. } | Self::ShootAtMessenger { .. } => Ok(()),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for gun in battle.right_to_left(battle.active).iter().copied() {
        offers_of(battle, gun, out);
    }
}

/// The shots open to a gun.
pub(crate) fn offers_of(battle: &Battle, gun: UnitId, out: &mut Vec<Offer>) {
    if gunnery::gun_ready(battle, gun).is_ok() {
        battle.kept_of(gun, out, || (Looked::round(battle.figure(gun).bounds), gunnery::shots_of(battle, gun)));
    }
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let side = battle.active;
    for gun in battle.of(side).filter(|gun| battle.brigade(*gun).kind.is_gun()) {
        for at in battle.enemies(side) {
            shut(battle, Gunnery::Fire { gun, at }, out);
            if matches!(battle.brigade(gun).kind, Kind::Howitzer | Kind::Mortar) {
                shut(battle, Gunnery::Shell { gun, at }, out);
            }
        }
    }
}

pub(crate) fn lone_offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in battle.of(battle.active) {
        lone_offers_of(battle, unit, out);
    }
}

/// The lone leaders and messengers that a unit may shoot at.
pub(crate) fn lone_offers_of(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    if gunnery::may_shoot_at_somebody(battle, unit).is_ok() {
        battle.kept_of(unit, out, || (Looked::round(battle.figure(unit).bounds), gunnery::lone_shots_of(battle, unit)));
    }
}
