//! What a general does in the movement phase of his side.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::words::{about, plain};

/// Generals ride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are generals and units")]
pub enum Generals {
    /// A general rides.
    Ride(OfficerId),
    /// A general joins a unit.
    Join { general: OfficerId, unit: UnitId },
}

impl Generals {
    fn general(self) -> OfficerId {
        match self {
            Self::Ride(general) | Self::Join { general, .. } => general,
        }
    }

    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        match self {
            Self::Ride(_) => None,
            Self::Join { general, unit } => {
                let leader = battle.general(general);
                let possible = leader.with != Some(unit) && !battle.is_screen(unit) && leader.side == battle.side(unit);
                possible.then_some(Input::None)
            }
        }
    }
}

impl Part<Batteries> for Generals {
    fn actor(self) -> Option<Named> {
        Some(self.general().into())
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Ride(general) => battle.ride_input(general),
            Self::Join { general, unit } => battle.may_join(general, unit).map(|()| Input::None),
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Ride(general) => {
                let to = value.point().ok_or(WrongValue("where to?".into()))?;
                play.happen(Event::Rode { general, to });
            }
            Self::Join { general, unit } => play.happen(Event::Joined { general, unit }),
        }
        Ok(())
    }

    fn key(self, battle: &Battle) -> String {
        let id = &battle.fixed.scenario.body.generals[self.general().index()].id;
        match self {
            Self::Ride(_) => format!("ride {id}"),
            Self::Join { unit, .. } => format!("join {id} {}", battle.id_of(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = &battle.fixed.scenario.body.generals[self.general().index()].name;
        match self {
            Self::Ride(_) => plain(&format!("{name} rides"), BB_LEA_09),
            Self::Join { unit, .. } => {
                about(battle, unit, &format!("{name} joins {}", battle.name_of(unit)), BB_LEA_08)
            }
        }
    }

    fn handling(self, _: &Battle) -> Handling {
        match self {
            Self::Ride(general) => Handling::act("ride", general).by(Handle::Point { who: general.into() }),
            Self::Join { general, unit } => Handling::at("join", [general], unit),
        }
    }
}
