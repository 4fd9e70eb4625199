//! Plans that were dear to find are kept for the turn: the battle as it stood when the turn began tells which is whose.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;

use super::Plan;
use crate::skill::Skill;

/// No more than so many are kept: a server has many battles, and each has two sides.
const MOST: usize = 64;

struct Kept {
    began: Box<dyn Any + Send>,
    of: (Skill, Side),
    plan: Plan,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// The plan that was made for a turn that began so, or else the one that is made now.
pub(super) fn plan<R: Ruleset>(skill: Skill, began: &R::Battle, side: Side, make: impl FnOnce() -> Plan) -> Plan {
    let is_it = |kept: &Kept| kept.of == (skill, side) && kept.began.downcast_ref::<R::Battle>() == Some(began);
    let known = KEPT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .find(|kept| is_it(kept))
        .map(|kept| kept.plan.clone());
    known.unwrap_or_else(|| {
        let plan = make();
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push(Kept { began: Box::new(began.clone()), of: (skill, side), plan: plan.clone() });
        plan
    })
}
