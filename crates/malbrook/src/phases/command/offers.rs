//! What leaders do by themselves: they ride, join a brigade, steady and inspire it.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::{MB_LEA_04, MB_LEA_06, MB_LEA_09, MB_LEA_10};
use crate::phases::command::Influence;
use crate::phases::despite::shut;
use crate::phases::harm::Play;
use crate::phases::{command, messages};
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// The actions of leaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Command {
    /// A leader rides.
    Ride { leader: OfficerId, double: bool },
    /// A leader joins a brigade.
    Attach { leader: OfficerId, unit: UnitId },
    /// A leader steadies his brigade.
    Steady(OfficerId),
    /// A leader inspires his brigade.
    Inspire(OfficerId),
}

impl Part<Malbrook> for Command {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Ride { leader, .. } | Self::Attach { leader, .. } | Self::Steady(leader) | Self::Inspire(leader) => {
                Some(leader.into())
            }
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Ride { leader, double } => Ok(command::ride_input(battle, leader, double)),
            Self::Attach { .. } | Self::Steady(_) | Self::Inspire(_) => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Ride { leader, double } => command::ride(play, leader, double, value.point()),
            Self::Attach { leader, unit } => command::attach(play, leader, unit),
            Self::Steady(leader) => command::influence(play, leader, Influence::Steady),
            Self::Inspire(leader) => command::influence(play, leader, Influence::Inspire),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::Ride { leader, double } => format!("ride {}{}", who(leader), if double { " double" } else { "" }),
            Self::Attach { leader, unit } => format!("attach {} to {}", who(leader), id(unit)),
            Self::Steady(leader) => format!("steady {}", who(leader)),
            Self::Inspire(leader) => format!("inspire {}", who(leader)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::Ride { leader, double } => {
                (format!("{} rides{}", who(leader), if double { ", double" } else { "" }), None, MB_LEA_04)
            }
            Self::Attach { leader, unit } => (format!("{} joins {}", who(leader), name(unit)), Some(unit), MB_LEA_06),
            Self::Steady(leader) => {
                (format!("{} steadies his brigade", who(leader)), battle.leader(leader).attached, MB_LEA_09)
            }
            Self::Inspire(leader) => {
                (format!("{} inspires his brigade", who(leader)), battle.leader(leader).attached, MB_LEA_10)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Ride { leader, .. } => Handling::act("ride", leader).by(Handle::Point { who: leader.into() }),
            Self::Attach { leader, unit } => Handling::at("attach", [leader], unit),
            Self::Steady(leader) => Handling::act("steady", leader),
            Self::Inspire(leader) => Handling::act("inspire", leader),
        }
    }
}

impl Command {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Ride { leader, double } => command::may_ride(battle, leader, double),
            Self::Attach { leader, unit } => command::may_attach(battle, leader, unit),
            Self::Steady(leader) => command::may_influence(battle, leader, Influence::Steady).map(drop),
            Self::Inspire(leader) => command::may_influence(battle, leader, Influence::Inspire).map(drop),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for leader in battle.leaders_of(battle.active) {
        offers_of(battle, leader, out);
    }
    messages::offers(battle, out);
}

/// What a leader may do himself: ride, see to his brigade, join another.
pub(crate) fn offers_of(battle: &Battle, leader: OfficerId, out: &mut Vec<Offer>) {
    if command::may_act(battle, leader).is_ok() {
        battle.kept_of_leader(leader, out, || own_offers(battle, leader));
    }
}

fn own_offers(battle: &Battle, leader: OfficerId) -> Vec<Offer> {
    let mut out = Vec::new();
    for double in [false, true] {
        if command::may_ride(battle, leader, double).is_ok() {
            out.push(Command::Ride { leader, double }.into());
        }
    }
    if command::may_influence(battle, leader, Influence::Steady).is_ok() {
        out.push(Command::Steady(leader).into());
    }
    if command::may_influence(battle, leader, Influence::Inspire).is_ok() {
        out.push(Command::Inspire(leader).into());
    }
    let near = battle.of(battle.active).filter(|unit| command::may_attach(battle, leader, *unit).is_ok());
    out.extend(near.map(|unit| Offer::from(Command::Attach { leader, unit })));
    out
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for leader in battle.leaders_of(battle.active) {
        shut(battle, Command::Steady(leader), out);
        shut(battle, Command::Inspire(leader), out);
        for unit in battle.of(battle.active) {
            shut(battle, Command::Attach { leader, unit }, out);
        }
        for double in [false, true] {
            shut(battle, Command::Ride { leader, double }, out);
        }
    }
    messages::closed(battle, out);
}
