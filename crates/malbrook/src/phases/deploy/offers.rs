//! What may be done while the armies are set down.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::MB_ORG_06;
use crate::phases::harm::Play;
use crate::phases::turn::offers::Turn;
use crate::phases::{deploy, handles::about_centre};
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Setting an army down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Deployment {
    /// A unit is set down in its zone.
    SetDown(UnitId),
    /// It is turned as it is set down.
    Face(UnitId),
    /// It is set down in another formation.
    DeployIn(UnitId),
    /// A leader is set down.
    SetDownLeader(OfficerId),
}

impl Part<Malbrook> for Deployment {
    fn actor(self) -> Option<Named> {
        match self {
            Self::SetDown(unit) | Self::Face(unit) | Self::DeployIn(unit) => Some(unit.into()),
            Self::SetDownLeader(leader) => Some(leader.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::SetDown(unit) => deploy::place_input(battle, unit),
            Self::Face(unit) => deploy::deploy_turn_input(battle, unit),
            Self::DeployIn(unit) => deploy::deploy_form_input(battle, unit),
            Self::SetDownLeader(leader) => deploy::place_leader_input(battle, leader),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::SetDown(unit) => deploy::set_down(play, unit, value.point()),
            Self::Face(unit) => deploy::face(play, unit, value.wheel()),
            Self::DeployIn(unit) => deploy::deploy_in(play, unit, value.formation()),
            Self::SetDownLeader(leader) => deploy::set_down_leader(play, leader, value.point()),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::SetDown(unit) => format!("set down {}", id(unit)),
            Self::Face(unit) => format!("face {}", id(unit)),
            Self::DeployIn(unit) => format!("deploy {}", id(unit)),
            Self::SetDownLeader(leader) => format!("set down {}", who(leader)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::SetDown(unit) => (format!("Set down {}", name(unit)), Some(unit), MB_ORG_06),
            Self::Face(unit) => (format!("Turn {} to face", name(unit)), Some(unit), MB_ORG_06),
            Self::DeployIn(unit) => (format!("Begin in another formation: {}", name(unit)), Some(unit), MB_ORG_06),
            Self::SetDownLeader(leader) => (format!("Set down {}", who(leader)), None, MB_ORG_06),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::SetDown(unit) => Handling::act("set_down", unit).by(Handle::Point { who: unit.into() }),
            Self::Face(unit) => about_centre(battle, self, "face", unit),
            Self::DeployIn(unit) => Handling::act("form", unit).by(Handle::Formation { unit, into: None }),
            Self::SetDownLeader(leader) => Handling::act("set_down", leader).by(Handle::Point { who: leader.into() }),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    if battle.chooser.is_none() {
        return out.push(Turn::RollInitiative.into());
    }
    for unit in battle.of(battle.active) {
        if deploy::place_input(battle, unit).is_ok() {
            out.push(Deployment::SetDown(unit).into());
        }
        if deploy::deploy_turn_input(battle, unit).is_ok() {
            out.push(Deployment::Face(unit).into());
        }
        if deploy::deploy_form_input(battle, unit).is_ok() {
            out.push(Deployment::DeployIn(unit).into());
        }
    }
    for leader in battle.leaders_of(battle.active) {
        if deploy::place_leader_input(battle, leader).is_ok() {
            out.push(Deployment::SetDownLeader(leader).into());
        }
    }
}
