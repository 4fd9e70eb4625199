//! Changes of formation, facing and frontage; guns limbered and unlimbered.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::command_points::form_paid;
use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::phases::despite::break_off;
use crate::phases::movement::marches::form;
use crate::words::about;

/// Changes of formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formations {
    /// Change formation, facing or frontage.
    Form(UnitId),
}

impl Formations {
    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        let Self::Form(unit) = self;
        if battle.free_to_move(unit) { battle.forms_despite(unit) } else { None }
    }
}

impl Part<Batteries> for Formations {
    fn actor(self) -> Option<Named> {
        let Self::Form(unit) = self;
        Some(unit.into())
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        let Self::Form(unit) = self;
        let input = battle.form_input(unit)?;
        form_paid(battle, unit, input)
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        let Self::Form(unit) = self;
        let breaks = play.breaks_a_rule();
        if breaks {
            break_off(play, unit);
        }
        let name = value.formation().ok_or(WrongValue("which formation?".into()))?;
        form(play, unit, name, breaks)
    }

    fn key(self, battle: &Battle) -> String {
        let Self::Form(unit) = self;
        format!("form {}", battle.id_of(unit))
    }

    fn label(self, battle: &Battle) -> Label {
        let Self::Form(unit) = self;
        let text = format!("Change the formation or facing of {}", battle.name_of(unit));
        about(battle, unit, &text, BB_MOV_04)
    }

    fn handling(self, _: &Battle) -> Handling {
        let Self::Form(unit) = self;
        Handling::act("form", unit).by(Handle::Formation { unit, into: None })
    }
}
