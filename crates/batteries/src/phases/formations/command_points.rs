//! Option 7.6: which changes of form want a command point.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal};

use crate::battle::Battle;
use crate::clauses::*;
use crate::phases::formations::offers::Formations;

/// With command points, changes of form need one; mere facing does not (BB-OPT-51, BB-OPT-52, BB-OPT-53).
pub(crate) fn form_paid(battle: &Battle, unit: UnitId, input: Input) -> Result<Input, Refusal> {
    decides!(BB_OPT_51, BB_OPT_52, BB_OPT_53);
    let Input::Formation { of } = input else { return Ok(input) };
    let Err(refusal) = battle.who_pays(unit) else { return Ok(Input::Formation { of }) };
    let of: Vec<String> = of.into_iter().filter(|name| needs_no_point(name, &refusal)).collect();
    if of.is_empty() { Err(refusal) } else { Ok(Input::Formation { of }) }
}

/// Whether a change is made without a command point, though none is to be had.
pub(crate) fn needs_no_point(name: &str, refusal: &Refusal) -> bool {
    let facing = name.starts_with("face ") || name == "about face";
    facing || (refusal.clause == BB_OPT_52 && name == "square")
}

/// Whether one change of form is open, without working out all of them.
pub(crate) fn may_form_named(battle: &Battle, unit: UnitId, name: &str) -> bool {
    battle.keeps_to_launch(&Formations::Form(unit).into()).is_ok()
        && battle.may_change(unit).is_ok()
        && battle.who_pays(unit).err().is_none_or(|refusal| needs_no_point(name, &refusal))
        && battle.shape_named(unit, name).is_some_and(|shape| battle.may_form(unit, &shape).is_ok())
}
