//! The offers of those whom a result forces to move.

use sabretache_engine::decides;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::{may_stay, retires_from_buildings, waiting};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_CHK_27, HZ_CHK_28, HZ_ENG_48};
use crate::offer::Offer;
use crate::phases::{Play, withdraw};
use crate::troops::Formation;
use crate::words::labels::of_unit;
use crate::words::names::{unit_id, unit_name};

/// Which unit moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallBack {
    /// Make the move that is forced on a unit.
    Go(UnitId),
    /// Make it in this formation: a garrison that comes out.
    GoIn {
        /// Who.
        unit: UnitId,
        /// In what.
        formation: Formation,
    },
    /// The garrison of a strong point stays.
    Stay(UnitId),
}

/// Which of them goes first is for their owner to say; a garrison also chooses its formation (HZ-CHK-27).
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in waiting(battle) {
        decides!(HZ_CHK_27);
        if retires_from_buildings(battle, unit) {
            let formations = withdraw::formations(battle, unit);
            out.extend(formations.map(|formation| Offer::from(FallBack::GoIn { unit, formation })));
        } else {
            out.push(FallBack::Go(unit).into());
        }
        if may_stay(battle, unit) {
            out.push(FallBack::Stay(unit).into());
        }
    }
}

impl Part<Huzzah> for FallBack {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Go(unit) | Self::GoIn { unit, .. } | Self::Stay(unit) => Some(unit.into()),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Go(unit) => super::go(play, unit),
            Self::GoIn { unit, formation } => super::go_in(play, unit, formation),
            Self::Stay(unit) => super::stay(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Go(unit) => format!("fall back {}", unit_id(battle, unit)),
            Self::GoIn { unit, formation } => format!("fall back {} {}", unit_id(battle, unit), formation.word()),
            Self::Stay(unit) => format!("stay {}", unit_id(battle, unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| unit_name(battle, unit);
        match self {
            Self::Go(unit) => of_unit(battle, unit, format!("{} moves next", name(unit)), HZ_ENG_48),
            Self::GoIn { unit, formation } => {
                of_unit(battle, unit, format!("{} comes out of the buildings in {formation}", name(unit)), HZ_CHK_27)
            }
            Self::Stay(unit) => of_unit(battle, unit, format!("{} stays in its strong point", name(unit)), HZ_CHK_28),
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Go(unit) | Self::GoIn { unit, .. } => Handling::act("fall_back", unit),
            Self::Stay(unit) => Handling::act("stay", unit),
        }
    }
}
