//! The offers of the orders phase: orders, and what the commander in chief alone can order.

use sabretache_engine::decides;
use sabretache_engine::handle::{Group, Handling};
use sabretache_engine::ids::{CommandId, Named, OfficerId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::{
    ORDERS, addressees, can_be_issued, may_act, may_address, may_appoint, may_appoint_at_all, may_command_in_chief,
    may_order, may_order_free, may_rearm, may_speak, proper_officer, to_troops, units_ordered,
};
use crate::Huzzah;
use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::{HZ_APP_01, HZ_ORD_01, HZ_ORD_33, HZ_ORD_44, HZ_REA_03, HZ_REI_10};
use crate::offer::Offer;
use crate::phases::{Play, reinforce};
use crate::state::Addressee;
use crate::table::Field;
use crate::troops::{Level, Order};
use crate::words::labels::{of_command, of_officer, of_unit, plain};
use crate::words::names::{command_id, command_name, officer_id, officer_name, to_whom, unit_id};
use crate::words::order_clause;

/// What the phasing side orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// Give an order.
    Order {
        /// Who gives it.
        officer: OfficerId,
        /// To whom.
        to: Addressee,
        /// What for.
        order: Order,
    },
    /// Give the free order after a Huzzah!.
    FreeOrder {
        /// Whose order was the Huzzah!.
        officer: OfficerId,
        /// What for.
        order: Order,
    },
    /// Appoint an officer to a vacant post.
    Appoint(OfficerId),
    /// Appoint a second one for free, which ends the phase.
    AppointToo(OfficerId),
    /// Name the command that is to come on first of those due at one point.
    NameFirst(CommandId),
    /// Bring up ammunition.
    Rearm,
    /// No more orders this phase; or no second appointment.
    End,
}

/// All orders open to the phasing side.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Orders::End.into());
    let field = Field::of(battle);
    for officer in battle.officer_ids() {
        free_offers(&field, officer, out);
    }
    for officer in battle.officer_ids() {
        order_offers(&field, officer, out);
    }
    name_offers(battle, out);
    chief_offers(&field, out);
}

/// Those who might give an order.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    out.push(None);
    let speaks = battle.officer_ids().filter(|officer| may_speak(battle, *officer).is_ok());
    out.extend(speaks.map(|officer| Some(officer.into())));
}

/// What one of them may order; what is for the side as a whole or its commander in chief, where nobody in particular is asked for.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    let field = Field::of(battle);
    match actor {
        None => {
            out.push(Orders::End.into());
            name_offers(battle, out);
            chief_offers(&field, out);
        }
        Some(Named::Officer(officer)) => {
            free_offers(&field, officer, out);
            order_offers(&field, officer, out);
        }
        Some(_) => {}
    }
}

/// The free orders of an officer.
fn free_offers(field: &Field<'_>, officer: OfficerId, out: &mut Vec<Offer>) {
    let open = to_troops().filter(|order| may_order_free(field, officer, *order).is_ok());
    out.extend(open.map(|order| Offer::from(Orders::FreeOrder { officer, order })));
}

/// The orders that an officer may give.
fn order_offers(field: &Field<'_>, officer: OfficerId, out: &mut Vec<Offer>) {
    let battle = field.battle;
    decides!(HZ_ORD_01);
    if may_speak(battle, officer).is_err() {
        return;
    }
    addressees(battle, officer, |to| {
        if may_address(battle, officer, to).is_err() {
            return;
        }
        let units = units_ordered(battle, officer, to);
        for order in to_troops() {
            if units.iter().any(|&unit| may_act(field, unit, order).is_ok()) && can_be_issued(field, officer, to, order)
            {
                out.push(Orders::Order { officer, to, order }.into());
            }
        }
    });
}

/// The commands of which one is to come on first.
fn name_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(reinforce::unnamed(battle).map(|command| Offer::from(Orders::NameFirst(command))));
}

/// Appointing and rearming (HZ-ORD-36).
pub(super) fn chief_offers(field: &Field<'_>, out: &mut Vec<Offer>) {
    let battle = field.battle;
    if may_command_in_chief(battle).is_err() {
        return;
    }
    for officer in battle.officer_ids() {
        if may_appoint(field, officer).is_ok() {
            out.push(Orders::Appoint(officer).into());
        }
    }
    if may_rearm(battle).is_ok() {
        out.push(Orders::Rearm.into());
    }
}

/// A second officer may be appointed, or not.
pub(crate) fn second_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Orders::End.into());
    let field = Field::of(battle);
    let open = battle.officer_ids().filter(|&officer| may_appoint(&field, officer).is_ok());
    out.extend(open.map(|officer| Offer::from(Orders::AppointToo(officer))));
}

/// What may not be ordered, and why.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let field = Field::of(battle);
    let ours = |id: &OfficerId| battle.officer_facts(*id).side == battle.phasing;
    for officer in battle.officer_ids().filter(|id| ours(id) && battle.is_there(*id)) {
        orders_closed(&field, officer, out);
    }
    if let Err((clause, says)) = may_rearm(battle) {
        out.push((Orders::Rearm.into(), Refusal::new(clause, says)));
    }
    for officer in battle.officer_ids().filter(ours) {
        let vacant = matches!(battle.officer(officer).status, OfficerStatus::Killed | OfficerStatus::Captured);
        let allowed = may_appoint_at_all(battle).and_then(|()| may_appoint(&field, officer));
        if let (true, Err((clause, says))) = (vacant, allowed) {
            out.push((Orders::Appoint(officer).into(), Refusal::new(clause, says)));
        }
    }
}

/// Orders that an officer may not give: those he might address, and with one order each those who are not his to order now.
fn orders_closed(field: &Field<'_>, officer: OfficerId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let mut note = |to: Addressee, order: Order| {
        if let Err((clause, says)) = may_order(field, officer, to, order) {
            out.push((Orders::Order { officer, to, order }.into(), Refusal::new(clause, says)));
        }
    };
    let mut named = Vec::new();
    addressees(battle, officer, |to| {
        named.push(to);
        ORDERS.into_iter().for_each(|order| note(to, order));
    });
    let own = battle.acts_for(officer);
    let mut others: Vec<Addressee> = Vec::new();
    if battle.command_facts(own).level != Level::Army || battle.officer(officer).with.is_some() {
        others.push(Addressee::Group(own));
    }
    others.extend(battle.units_of(own).filter(|&unit| battle.is_present(unit)).map(Addressee::Unit));
    others.into_iter().filter(|to| !named.contains(to)).for_each(|to| note(to, Order::Advance));
}

impl Orders {
    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        let chief = battle.chief(battle.phasing);
        match self {
            Self::Appoint(officer) | Self::AppointToo(officer) => {
                battle.is_there(chief)
                    && officer != chief
                    && matches!(battle.officer(officer).status, OfficerStatus::Killed | OfficerStatus::Captured)
                    && !battle.is_gone(battle.officer_facts(officer).command)
            }
            Self::Rearm => battle.is_there(chief),
            Self::Order { .. } | Self::FreeOrder { .. } | Self::NameFirst(_) | Self::End => true,
        }
    }
}

impl Part<Huzzah> for Orders {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Order { officer, .. } | Self::FreeOrder { officer, .. } => Some(officer.into()),
            Self::Appoint(_) | Self::AppointToo(_) | Self::NameFirst(_) | Self::Rearm | Self::End => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Order { officer, to, order } => super::issue(play, officer, to, order),
            Self::FreeOrder { officer, order } => super::issue_free(play, officer, order),
            Self::Appoint(officer) => super::appoint(play, officer),
            Self::AppointToo(officer) => super::appoint_too(play, officer),
            Self::NameFirst(command) => reinforce::name_first(play, command),
            Self::Rearm => super::rearm(play),
            Self::End => super::end(play),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Order { officer, to, order } => {
                let (whom, proper) = match to {
                    Addressee::Unit(id) => (unit_id(battle, id), proper_officer(battle, id)),
                    Addressee::Group(id) => (command_id(battle, id), battle.leader(id)),
                };
                let by = if proper == Some(officer) { String::new() } else { by(battle, officer) };
                format!("order {} {whom}{by}", order.word())
            }
            Self::FreeOrder { officer, order } => {
                // Allies on one side may each have a free order (HZ-GEN-12).
                let only = battle.officers.iter().filter(|one| one.free).count() < 2;
                let by = if only { String::new() } else { by(battle, officer) };
                format!("huzzah {}{by}", order.word())
            }
            Self::Appoint(officer) => format!("appoint {}", officer_id(battle, officer)),
            Self::AppointToo(officer) => format!("appoint too {}", officer_id(battle, officer)),
            Self::NameFirst(command) => format!("name first {}", command_id(battle, command)),
            Self::Rearm => "rearm".into(),
            Self::End => "end orders".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        match self {
            Self::Order { officer, to, order } => {
                let (who, whom) = (officer_name(battle, officer), to_whom(battle, to));
                let text = format!("{who} orders {whom} to {}", order.word());
                match to {
                    Addressee::Unit(unit) => of_unit(battle, unit, text, order_clause(order)),
                    Addressee::Group(command) => of_command(command, text, order_clause(order)),
                }
            }
            Self::FreeOrder { officer, order } => {
                let who = officer_name(battle, officer);
                let whom = battle.officer(officer).spoke_last.map_or("", |to| to_whom(battle, to));
                let text = format!("Huzzah! {who} orders {whom} to {} without a roll", order.word());
                of_officer(battle, officer, text, HZ_ORD_33)
            }
            Self::Appoint(officer) | Self::AppointToo(officer) => {
                let command = battle.officer_facts(officer).command;
                let text = format!("Appoint a new officer to {}", command_name(battle, command));
                of_command(command, text, HZ_APP_01)
            }
            Self::NameFirst(command) => {
                let text = format!("{} is to come on first of those due there", command_name(battle, command));
                of_command(command, text, HZ_REI_10)
            }
            Self::Rearm => plain("Bring up ammunition for the guns", HZ_REA_03),
            Self::End => plain("No more orders", HZ_ORD_44),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        let chief = battle.chief(battle.phasing);
        match self {
            Self::Order { officer, to, order } => {
                Handling::at("order", [officer], named(to)).of(Group::Order).leading_to(leads_to(order))
            }
            Self::FreeOrder { officer, order } => {
                let act = match battle.officer(officer).spoke_last {
                    Some(to) => Handling::at("order", [officer], named(to)),
                    None => Handling::act("order", officer),
                };
                act.of(Group::Order).leading_to(leads_to(order))
            }
            Self::Appoint(officer) | Self::AppointToo(officer) => {
                let post = battle.officer_facts(officer);
                Handling::act("appoint", battle.chief(post.side)).to(post.command).of(Group::Order)
            }
            Self::NameFirst(command) => Handling::at("name_first", [chief], command).of(Group::Order),
            Self::Rearm => Handling::act("rearm", chief).of(Group::Order),
            Self::End => Handling::end("end"),
        }
    }
}

/// Whose order it is, in a key.
fn by(battle: &Battle, officer: OfficerId) -> String {
    format!(" by {}", officer_id(battle, officer))
}

const fn named(to: Addressee) -> Named {
    match to {
        Addressee::Unit(unit) => Named::Unit(unit),
        Addressee::Group(command) => Named::Command(command),
    }
}

/// What is done on an order, in the words of the acts.
const fn leads_to(order: Order) -> &'static str {
    match order {
        Order::Advance => "advance",
        Order::Retire => "retire",
        Order::Manoeuvre => "wheel",
        Order::Deploy => "form",
        Order::Appoint => "appoint",
        Order::Rearm => "rearm",
        Order::Recall => "recall",
    }
}
