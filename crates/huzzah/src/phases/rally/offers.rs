//! The offers of the phase in which troops rally, reform and rout; command checks and reorganising come before.

use sabretache_engine::handle::{Group, Handle, Handling};
use sabretache_engine::ids::{CommandId, Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::{checks, rally_formations, reformers, reorganise, routers};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_CHK_17, HZ_CHK_19, HZ_CHK_20, HZ_RAL_12, HZ_RAL_14, HZ_REO_03, HZ_ROU_07};
use crate::offer::Offer;
use crate::phases::{Play, rout};
use crate::table::Field;
use crate::troops::Formation;
use crate::words::labels::{of_command, of_unit, plain};
use crate::words::names::{command_id, command_name, officer_id, officer_name, unit_id, unit_name};

/// How order is restored, or lost for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rally {
    /// Take a command check.
    Check {
        /// Of which command.
        command: CommandId,
        /// Who takes it; nobody where it fails of itself.
        by: Option<OfficerId>,
        /// Seizing the flag.
        flag: bool,
    },
    /// Try to reorganise a command.
    Reorganise(CommandId),
    /// No more of that.
    EndReorganise,
    /// Try to rally.
    Rally(UnitId),
    /// Take a formation after rallying.
    Form(Formation),
    /// Rout on.
    Rout(UnitId),
    /// Try to reform.
    Reform(UnitId),
}

/// The checks that can be taken now.
pub(crate) fn check_offers(battle: &Battle, out: &mut Vec<Offer>) {
    let field = Field::of(battle);
    for id in checks::next_due(&field) {
        let takers = checks::takers(&field, id);
        // A senior officer can take the check, and need not (HZ-CHK-18, HZ-GEN-01).
        if battle.leader(id).is_none() {
            out.push(Rally::Check { command: id, by: None, flag: false }.into());
        }
        for by in takers {
            out.push(Rally::Check { command: id, by: Some(by), flag: false }.into());
            if checks::may_seize(&field, id, by) {
                out.push(Rally::Check { command: id, by: Some(by), flag: true }.into());
            }
        }
    }
}

/// The checks that an officer may not take and the flags that he may not seize, and why.
pub(crate) fn checks_closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let field = Field::of(battle);
    for id in checks::next_due(&field) {
        for by in checks::seniors_out_of_reach(&field, id) {
            let says = "Not all of the command is within his radius";
            out.push((Rally::Check { command: id, by: Some(by), flag: false }.into(), Refusal::new(HZ_CHK_19, says)));
        }
        for by in checks::takers(&field, id).into_iter().filter(|&by| !checks::may_seize(&field, id, by)) {
            let refusal = match battle.leader(id) == Some(by) {
                true => Refusal::new(HZ_CHK_17, "Not all of the command is within his radius"),
                false => Refusal::new(HZ_CHK_17, "A senior officer acts through his staff and seizes no flag"),
            };
            out.push((Rally::Check { command: id, by: Some(by), flag: true }.into(), refusal));
        }
    }
}

/// The commands that may try to reorganise.
pub(crate) fn reorganise_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Rally::EndReorganise.into());
    let may_try = battle.command_ids().filter(|&id| reorganise::may_try(battle, id));
    out.extend(may_try.map(|id| Offer::from(Rally::Reorganise(id))));
}

/// The routing units that may try to rally.
pub(crate) fn rally_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(routers(battle).into_iter().map(|unit| Offer::from(Rally::Rally(unit))));
}

/// The formations that a unit may take once it has rallied.
pub(crate) fn form_offers(battle: &Battle, out: &mut Vec<Offer>) {
    if let Some(unit) = battle.doing.forming {
        let formations = rally_formations(battle, unit).into_iter();
        out.extend(formations.map(|(formation, _)| Offer::from(Rally::Form(formation))));
    }
}

/// The units that have still to run on.
pub(crate) fn rout_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(rout::routs(battle).into_iter().map(|unit| Offer::from(Rally::Rout(unit))));
}

/// The units that may try to reform.
pub(crate) fn reform_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(reformers(battle).into_iter().map(|unit| Offer::from(Rally::Reform(unit))));
}

impl Part<Huzzah> for Rally {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Check { command, .. } | Self::Reorganise(command) => Some(command.into()),
            Self::Rally(unit) | Self::Rout(unit) | Self::Reform(unit) => Some(unit.into()),
            Self::EndReorganise | Self::Form(_) => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Check { command, by, flag } => checks::check(play, command, by, flag),
            Self::Reorganise(command) => reorganise::attempt(play, command),
            Self::EndReorganise => super::begin(play),
            Self::Rally(unit) => super::rally(play, unit),
            Self::Form(formation) => super::form(play, formation),
            Self::Rout(unit) => rout::rout(play, unit),
            Self::Reform(unit) => super::reform(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Check { command, by, flag } => {
                let senior = by.filter(|&id| battle.leader(command) != Some(id));
                let senior = senior.map_or_else(String::new, |id| format!(" by {}", officer_id(battle, id)));
                format!("check {}{senior}{}", command_id(battle, command), if flag { " flag" } else { "" })
            }
            Self::Reorganise(command) => format!("reorganise {}", command_id(battle, command)),
            Self::EndReorganise => "end reorganising".into(),
            Self::Rally(unit) => format!("rally {}", unit_id(battle, unit)),
            Self::Form(formation) => format!("form {}", formation.word()),
            Self::Rout(unit) => format!("rout {}", unit_id(battle, unit)),
            Self::Reform(unit) => format!("reform {}", unit_id(battle, unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let unit_name = |unit: UnitId| unit_name(battle, unit);
        match self {
            Self::Check { command, by, flag } => {
                let name = command_name(battle, command);
                let text = match (by.map(|id| officer_name(battle, id)), flag) {
                    (None, _) => format!("Nobody takes the command check of {name}, and it fails"),
                    (Some(who), false) => format!("{who} takes the command check of {name}"),
                    (Some(who), true) => {
                        format!("{who} seizes the flag and takes the command check of {name}; if it fails he is killed")
                    }
                };
                of_command(command, text, if flag { HZ_CHK_17 } else { HZ_CHK_20 })
            }
            Self::Reorganise(command) => {
                of_command(command, format!("{} tries to reorganise", command_name(battle, command)), HZ_REO_03)
            }
            Self::EndReorganise => plain("No more reorganising", HZ_REO_03),
            Self::Rally(unit) => of_unit(battle, unit, format!("{} tries to rally", unit_name(unit)), HZ_RAL_12),
            Self::Form(formation) => plain(format!("Form {formation}"), HZ_RAL_14),
            Self::Rout(unit) => of_unit(battle, unit, format!("{} runs next", unit_name(unit)), HZ_ROU_07),
            Self::Reform(unit) => of_unit(battle, unit, format!("{} tries to reform", unit_name(unit)), HZ_RAL_12),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Check { command, by, .. } => {
                let act = by.map_or_else(|| Handling::act("check", command), |by| Handling::act("check", by));
                act.to(command)
            }
            Self::Reorganise(command) => Handling::act("reorganise", command).of(Group::Order),
            Self::EndReorganise => Handling::end("end"),
            Self::Rally(unit) => Handling::act("rally", unit),
            Self::Form(formation) => match battle.doing.forming {
                Some(unit) => {
                    let into = Some(formation.to_string());
                    Handling::act("form", unit).by(Handle::Formation { unit, into })
                }
                None => Handling::end("form").of(Group::Act),
            },
            Self::Rout(unit) => Handling::act("rout", unit),
            Self::Reform(unit) => Handling::act("reform", unit),
        }
    }
}
