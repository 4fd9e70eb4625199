//! The offers of the phase in which officers move, and of officers who are run into.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{CommandId, Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::{flight, may_attach, may_detach, may_ride, supersede};
use crate::Huzzah;
use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::{
    HZ_OFF_01, HZ_OFF_02, HZ_OFF_05, HZ_OFF_08, HZ_OFF_11, HZ_OFF_12, HZ_OFF_14, HZ_ORD_39, HZ_REI_01,
};
use crate::offer::Offer;
use crate::phases::orders::Barred;
use crate::phases::{Play, reinforce};
use crate::table::Field;
use crate::words::labels::{of_command, of_officer, of_unit, plain};
use crate::words::names::{command_id, command_name, officer_id, officer_name, unit_id, unit_name};

/// What officers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Officers {
    /// Move an officer.
    Ride(OfficerId),
    /// Attach an officer to a unit.
    Attach {
        /// Who.
        officer: OfficerId,
        /// To whom.
        unit: UnitId,
    },
    /// Detach an officer.
    Detach(OfficerId),
    /// The commander in chief takes over a command.
    Supersede(CommandId),
    /// He gives it back; the officer he had relieved stands on this side of him, in eighths of the compass from the south.
    Relinquish(u8),
    /// An officer comes on.
    BringOn(OfficerId),
    /// Officers stay where they are.
    End,
    /// An officer who was run into escapes to this unit.
    Refuge(UnitId),
}

/// What officers may do.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Officers::End.into());
    let field = Field::of(battle);
    for officer in battle.officer_ids() {
        own_offers(&field, officer, out);
    }
    supersede_offers(&field, out);
    for officer in battle.officer_ids() {
        bring_on_offers(battle, officer, out);
    }
    relinquish_offers(battle, out);
}

/// Those who might do something.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    out.push(None);
    let ours = battle.officer_ids().filter(|officer| battle.officer_facts(*officer).side == battle.phasing);
    out.extend(ours.map(|officer| Some(officer.into())));
}

/// What one of them may do; what is for the side as a whole or its commander in chief, where nobody in particular is asked for.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    let field = Field::of(battle);
    match actor {
        None => {
            out.push(Officers::End.into());
            supersede_offers(&field, out);
            relinquish_offers(battle, out);
        }
        Some(Named::Officer(officer)) => {
            own_offers(&field, officer, out);
            bring_on_offers(battle, officer, out);
        }
        Some(_) => {}
    }
}

/// Where an officer may ride, and whom he may join or leave.
fn own_offers(field: &Field<'_>, officer: OfficerId, out: &mut Vec<Offer>) {
    let battle = field.battle;
    if may_detach(battle, officer).is_ok() {
        out.push(Officers::Detach(officer).into());
    }
    if may_ride(battle, officer).is_err() {
        return;
    }
    out.push(Officers::Ride(officer).into());
    for unit in battle.units_of(battle.acts_for(officer)) {
        if may_attach(field, officer, unit).is_ok() {
            out.push(Officers::Attach { officer, unit }.into());
        }
    }
}

fn bring_on_offers(battle: &Battle, officer: OfficerId, out: &mut Vec<Offer>) {
    if reinforce::may_bring_on(battle, officer).is_ok() {
        out.push(Officers::BringOn(officer).into());
    }
}

fn supersede_offers(field: &Field<'_>, out: &mut Vec<Offer>) {
    let open = field.battle.command_ids().filter(|id| supersede::may_supersede(field, *id).is_ok());
    out.extend(open.map(|id| Offer::from(Officers::Supersede(id))));
}

fn relinquish_offers(battle: &Battle, out: &mut Vec<Offer>) {
    if supersede::may_relinquish(battle).is_ok() {
        let sides = supersede::sides(battle);
        out.extend(sides.iter().map(|&side| Offer::from(Officers::Relinquish(side))));
        if sides.is_empty() {
            out.push(Officers::Relinquish(0).into());
        }
    }
}

/// The units to which an officer who was run into may escape.
pub(crate) fn refuge_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(flight::choices(battle).into_iter().map(|unit| Offer::from(Officers::Refuge(unit))));
}

/// What officers may not do, and why.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let field = Field::of(battle);
    let mut note = |offer: Officers, allowed: Result<(), Barred>| {
        if let Err((clause, says)) = allowed {
            out.push((offer.into(), Refusal::new(clause, says)));
        }
    };
    for officer in battle.officer_ids().filter(|&id| battle.officer_facts(id).side == battle.phasing) {
        if battle.is_there(officer) {
            note(Officers::Ride(officer), may_ride(battle, officer));
            if battle.officer(officer).with.is_some() {
                note(Officers::Detach(officer), may_detach(battle, officer));
            }
            for unit in battle.present(battle.phasing) {
                note(Officers::Attach { officer, unit }, may_attach(&field, officer, unit));
            }
        }
        if battle.officer(officer).status == OfficerStatus::Awaited {
            note(Officers::BringOn(officer), reinforce::may_bring_on(battle, officer).map(|_| ()));
        }
    }
    for id in battle.command_ids() {
        let facts = battle.command_facts(id);
        if facts.side == battle.phasing && facts.above.is_some() {
            note(Officers::Supersede(id), supersede::may_supersede(&field, id));
        }
    }
    if battle.officer(battle.chief(battle.phasing)).supersedes.is_some() {
        let side = supersede::sides(battle).first().copied().unwrap_or(0);
        note(Officers::Relinquish(side), supersede::may_relinquish(battle));
    }
}

impl Officers {
    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        match self {
            Self::Attach { unit, .. } => battle.is_present(unit) && battle.attached_to(unit).is_none(),
            Self::BringOn(officer) => reinforce::entry(battle, battle.officer_facts(officer).command).is_some(),
            Self::Supersede(command) => supersede::is_possible(battle, command),
            Self::Ride(_) | Self::Detach(_) | Self::Relinquish(_) | Self::End | Self::Refuge(_) => true,
        }
    }

    /// Why a value outside its limits is refused.
    pub(crate) fn why_not(self, battle: &Battle, value: &Value) -> Option<Refusal> {
        match self {
            Self::Ride(officer) => super::out_of_reach(battle, officer, value.point()?),
            Self::BringOn(_) | Self::Attach { .. } | Self::Detach(_) | Self::Supersede(_) => None,
            Self::Relinquish(_) | Self::End | Self::Refuge(_) => None,
        }
    }
}

impl Part<Huzzah> for Officers {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Ride(officer) | Self::Detach(officer) | Self::BringOn(officer) => Some(officer.into()),
            Self::Attach { officer, .. } => Some(officer.into()),
            Self::Supersede(_) | Self::Relinquish(_) | Self::End | Self::Refuge(_) => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        Ok(match self {
            Self::Ride(officer) => super::reach(battle, officer),
            Self::BringOn(officer) => reinforce::officer_input(battle, officer),
            Self::Attach { .. } | Self::Detach(_) | Self::Supersede(_) => Input::None,
            Self::Relinquish(_) | Self::End | Self::Refuge(_) => Input::None,
        })
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Ride(officer) => super::ride(play, officer, value.point().unwrap_or_default()),
            Self::Attach { officer, unit } => super::attach(play, officer, unit),
            Self::Detach(officer) => super::detach(play, officer),
            Self::Supersede(command) => supersede::supersede(play, command),
            Self::Relinquish(side) => supersede::relinquish(play, side),
            Self::BringOn(officer) => reinforce::bring_on(play, officer, value.point().unwrap_or_default()),
            Self::End => super::end(play),
            Self::Refuge(unit) => flight::take_refuge(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let name = |officer: OfficerId| officer_id(battle, officer);
        match self {
            Self::Ride(officer) => format!("ride {}", name(officer)),
            Self::Attach { officer, unit } => format!("attach {} {}", name(officer), unit_id(battle, unit)),
            Self::Detach(officer) => format!("detach {}", name(officer)),
            Self::Supersede(command) => format!("supersede {}", command_id(battle, command)),
            Self::Relinquish(side) => match supersede::sides(battle).first() {
                Some(&first) if first != side => format!("relinquish {}", supersede::compass(side)),
                _ => "relinquish".into(),
            },
            Self::BringOn(officer) => format!("bring on {}", name(officer)),
            Self::End => "end officers".into(),
            Self::Refuge(unit) => format!("refuge {}", unit_id(battle, unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |officer: OfficerId| officer_name(battle, officer);
        match self {
            Self::Ride(officer) => of_officer(battle, officer, format!("{} rides", name(officer)), HZ_OFF_02),
            Self::Attach { officer, unit } => {
                of_unit(battle, unit, format!("{} joins {}", name(officer), unit_name(battle, unit)), HZ_OFF_05)
            }
            Self::Detach(officer) => {
                of_officer(battle, officer, format!("{} leaves his unit", name(officer)), HZ_OFF_08)
            }
            Self::Supersede(command) => {
                let text = format!("The commander in chief takes over {}", command_name(battle, command));
                of_command(command, text, HZ_OFF_11)
            }
            Self::Relinquish(side) => {
                let back = "The commander in chief gives the command back";
                if supersede::sides(battle).is_empty() {
                    return plain(back, HZ_OFF_14);
                }
                plain(format!("{back}, its officer to the {} of him", supersede::compass(side)), HZ_OFF_14)
            }
            Self::BringOn(officer) => {
                of_officer(battle, officer, format!("{} comes on to the table", name(officer)), HZ_REI_01)
            }
            Self::End => plain("Officers stay where they are", HZ_OFF_01),
            Self::Refuge(unit) => {
                let whom = unit_name(battle, unit);
                match battle.doing.fleeing.first().and_then(|one| one.returns) {
                    None => of_unit(battle, unit, format!("He escapes to {whom}"), HZ_ORD_39),
                    Some(_) => of_unit(battle, unit, format!("He takes his post behind {whom}"), HZ_OFF_12),
                }
            }
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        let point = |act, officer: OfficerId| Handling::act(act, officer).by(Handle::Point { who: officer.into() });
        match self {
            Self::Ride(officer) => point("ride", officer),
            Self::Attach { officer, unit } => Handling::at("attach", [officer], unit),
            Self::Detach(officer) => Handling::act("detach", officer),
            Self::Supersede(command) => Handling::at("supersede", [battle.chief(battle.phasing)], command),
            Self::Relinquish(_) => Handling::act("relinquish", battle.chief(battle.phasing)),
            Self::BringOn(officer) => point("enter", officer),
            Self::End => Handling::end("end"),
            Self::Refuge(unit) => {
                let who = battle.doing.fleeing.first().map(|one| one.officer);
                Handling::at("refuge", who, unit)
            }
        }
    }
}
