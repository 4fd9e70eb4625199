//! Where the units lie, worked out once when they move and kept with the battle, since every query of the table asks for it.

use std::sync::{Arc, OnceLock};

use sabretache_engine::ids::UnitId;
use sabretache_table::{Placed, Pose};

use super::ground::Lies;
use crate::battle::Battle;
use crate::body::Presence;
use crate::troops::Formation;

/// The units of a battle where they lie. It follows from the rest of the battle, so two battles are the same whatever is in it.
#[derive(Clone, Debug, Default)]
pub struct Laid(Vec<Option<Arc<Lying>>>);

/// A unit where it lies, and what it lies in once somebody has asked.
#[derive(Clone, Debug)]
struct Lying {
    from: (Pose, Formation, Option<u16>),
    placed: Placed,
    lies: OnceLock<Lies>,
}

/// An answer that is kept until something happens that could change it. It follows from the rest of the battle.
#[derive(Clone, Debug)]
pub struct Asked<T>(OnceLock<T>);

impl<T> Default for Asked<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> PartialEq for Asked<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T: Clone> Asked<T> {
    /// The answer, worked out when it is first asked for.
    pub fn or(&self, work_out: impl FnOnce() -> T) -> T {
        self.0.get_or_init(work_out).clone()
    }
}

impl PartialEq for Laid {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Laid {
    /// A unit where it lies; nothing when it is off the table.
    #[must_use]
    pub fn get(&self, id: UnitId) -> Option<&Placed> {
        self.0.get(id.index()).and_then(Option::as_ref).map(|lying| &lying.placed)
    }

    /// What a footprint lies in, if some unit lies exactly there.
    #[must_use]
    pub fn lies<'a>(&'a self, battle: &Battle, placed: &Placed) -> Option<&'a Lies> {
        let here = self.0.iter().flatten().find(|lying| lying.placed.same_place(placed))?;
        Some(here.lies.get_or_init(|| Lies::worked_out(battle, &here.placed)))
    }

    /// Brings up to date whoever has moved, changed formation, come or gone.
    pub(crate) fn refresh(battle: &mut Battle) {
        if battle.laid.0.len() != battle.units.len() {
            battle.laid.0.resize(battle.units.len(), None);
        }
        for n in 0..battle.units.len() {
            let unit = &battle.units[n];
            let from = (unit.presence == Presence::Present).then_some((unit.pose, unit.formation, unit.sector));
            if battle.laid.0[n].as_ref().map(|lying| lying.from) != from {
                let id = UnitId(n as u16);
                battle.laid.0[n] =
                    from.map(|from| Arc::new(Lying { from, placed: battle.placed(id), lies: OnceLock::new() }));
            }
        }
    }
}
