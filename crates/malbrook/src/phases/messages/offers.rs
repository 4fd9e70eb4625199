//! Orders, troops given up to another leader, and the messengers who carry the words.

use sabretache_engine::handle::{Group, Handle, Handling};
use sabretache_engine::ids::{CommandId, Named, OfficerId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::{Label, Ruleset as _};
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::brigade::Order;
use crate::clauses::{MB_ORD_05, MB_ORD_07, MB_ORD_08, MB_ORD_09};
use crate::phases::despite::shut;
use crate::phases::harm::Play;
use crate::phases::messages::Dispatch;
use crate::phases::{command, messages};
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// What leaders say to each other, and how it reaches them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Messages {
    /// The Marshal gives a wing new orders.
    Order { by: OfficerId, to: OfficerId, order: Order },
    /// A leader has brigades given up to another.
    Reassign { by: OfficerId, from: OfficerId, to: OfficerId },
    /// The Marshal moves a command to another wing.
    MoveCommand { by: OfficerId, leader: OfficerId, to: OfficerId },
    /// A messenger rides.
    RideMessenger { rider: u16, double: bool },
    /// A leader listens.
    Listen { leader: OfficerId, rider: u16 },
}

impl Part<Malbrook> for Messages {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Order { by, .. } | Self::Reassign { by, .. } | Self::MoveCommand { by, .. } => Some(by.into()),
            Self::Listen { leader, .. } => Some(leader.into()),
            Self::RideMessenger { .. } => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Reassign { by, from, to } => messages::may_reassign(battle, by, from, to).map(|of| {
                let most = of.len() as u16;
                Input::Units { of, least: 1, most }
            }),
            Self::RideMessenger { rider, double } => Ok(messages::rider_input(battle, rider, double)),
            Self::Order { .. } | Self::MoveCommand { .. } | Self::Listen { .. } => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Order { by, to, order } => messages::order(play, by, to, order),
            Self::Reassign { by, from, to } => messages::reassign(play, by, from, to, value.units()),
            Self::MoveCommand { by, leader, to } => messages::move_command(play, by, leader, to),
            Self::RideMessenger { rider, double } => messages::ride(play, rider, double, value.point()),
            Self::Listen { leader, rider } => messages::listen(play, leader, rider),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::Order { by, to, order } => {
                format!("order {} by {} to {}", who(to), who(by), battle.order_key(order))
            }
            Self::Reassign { by, from, to } => format!("reassign from {} to {} by {}", who(from), who(to), who(by)),
            Self::MoveCommand { by, leader, to } => format!("move {} to {} by {}", who(leader), who(to), who(by)),
            Self::RideMessenger { rider, double } => {
                format!("messenger {rider} rides{}", if double { " double" } else { "" })
            }
            Self::Listen { leader, rider } => format!("listen {} to {rider}", who(leader)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::Order { by, to, order } => {
                (format!("{} orders {} to {}", who(by), who(to), battle.order_words(order)), None, MB_ORD_05)
            }
            Self::Reassign { by, from, to } => {
                (format!("{} has {} give up brigades to {}", who(by), who(from), who(to)), None, MB_ORD_09)
            }
            Self::MoveCommand { by, leader, to } => {
                (format!("{} puts the command of {} under {}", who(by), who(leader), who(to)), None, MB_ORD_09)
            }
            Self::RideMessenger { rider, double } => {
                let to = messages::dispatch(battle, rider).map_or("nobody", |one| battle.leader_name(one.to));
                let how = if double { ", double" } else { "" };
                (format!("The messenger to {to} rides{how}"), None, MB_ORD_07)
            }
            Self::Listen { leader, .. } => (format!("{} listens to what he is told", who(leader)), None, MB_ORD_08),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Order { by, to, .. } => Handling::at("order", [by], to).of(Group::Order),
            Self::Reassign { by, from, to } => {
                let of = match Malbrook::input(battle, &self.into()) {
                    Input::Units { of, .. } => of,
                    _ => Vec::new(),
                };
                let mut reassign = Handling::at("reassign", [by, from], to).of(Group::Order);
                if !of.is_empty() {
                    reassign.handle = Handle::Units { of };
                }
                reassign
            }
            Self::MoveCommand { by, leader, to } => {
                Handling::at("move_command", [by], CommandId(leader.0)).to(to).of(Group::Order)
            }
            Self::RideMessenger { rider, .. } => match messages::dispatch(battle, rider) {
                Some(dispatch) => Handling::act("ride", dispatch.to).by(Handle::None { who: Some(dispatch.to.into()) }),
                None => Handling::end("ride").of(Group::Act),
            },
            Self::Listen { leader, .. } => Handling::act("listen", leader),
        }
    }
}

impl Messages {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Order { by, to, order } => messages::may_order(battle, by, to, order),
            Self::Reassign { by, from, to } => messages::may_reassign(battle, by, from, to).map(drop),
            Self::RideMessenger { rider, double } => messages::may_ride_rider(battle, rider, double).map(drop),
            Self::Listen { leader, rider } => messages::may_listen(battle, leader, rider),
            Self::MoveCommand { .. } => Ok(()),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for by in battle.leaders_of(battle.active) {
        said_by(battle, by, out);
    }
    for dispatch in &battle.dispatches {
        rides_of(battle, dispatch, out);
        listened_to(battle, dispatch, out);
    }
}

/// What a leader may say to others.
pub(crate) fn said_by(battle: &Battle, by: OfficerId, out: &mut Vec<Offer>) {
    if messages::may_give_orders(battle, by).is_ok() {
        battle.kept_words(by, out, || words_of(battle, by));
    }
}

fn words_of(battle: &Battle, by: OfficerId) -> Vec<Offer> {
    let mut out = Vec::new();
    for to in battle.leaders_of(battle.active) {
        for order in messages::orders_for(battle, to) {
            if messages::may_order(battle, by, to, order).is_ok() {
                out.push(Messages::Order { by, to, order }.into());
            }
        }
        for from in battle.leaders_of(battle.active).filter(|from| battle.leader(*from).above == Some(by)) {
            if messages::may_reassign(battle, by, from, to).is_ok() {
                out.push(Messages::Reassign { by, from, to }.into());
            }
        }
    }
    for leader in battle.leaders_of(battle.active) {
        for to in battle.leaders_of(battle.active) {
            if messages::may_move_command(battle, by, leader, to).is_ok() {
                out.push(Messages::MoveCommand { by, leader, to }.into());
            }
        }
    }
    out
}

/// Whether the one whom it is for may listen to it.
pub(crate) fn listened_to(battle: &Battle, dispatch: &Dispatch, out: &mut Vec<Offer>) {
    if command::actions_left(battle, dispatch.to) > 0 && messages::may_listen(battle, dispatch.to, dispatch.id).is_ok()
    {
        out.push(Messages::Listen { leader: dispatch.to, rider: dispatch.id }.into());
    }
}

/// What a messenger may do.
pub(crate) fn rides_of(battle: &Battle, dispatch: &Dispatch, out: &mut Vec<Offer>) {
    for double in [false, true] {
        if messages::may_ride_rider(battle, dispatch.id, double).is_ok() {
            out.push(Messages::RideMessenger { rider: dispatch.id, double }.into());
        }
    }
}

/// What leaders may not say, and why; the full lists would be long, so one of each kind.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for by in battle.leaders_of(battle.active) {
        for to in battle.leaders_of(battle.active).filter(|to| battle.leader(*to).order.is_some()) {
            for order in messages::orders_for(battle, to) {
                shut(battle, Messages::Order { by, to, order }, out);
            }
        }
        let below = |from: &OfficerId| battle.leader(*from).above == Some(by);
        for from in battle.leaders_of(battle.active).filter(below) {
            for to in battle.leaders_of(battle.active) {
                shut(battle, Messages::Reassign { by, from, to }, out);
            }
        }
    }
    for dispatch in &battle.dispatches {
        let (leader, rider) = (dispatch.to, dispatch.id);
        if battle.leader(leader).side == battle.active {
            shut(battle, Messages::Listen { leader, rider }, out);
            for double in [false, true] {
                shut(battle, Messages::RideMessenger { rider, double }, out);
            }
        }
    }
}
