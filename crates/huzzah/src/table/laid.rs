//! Where the units lie, worked out once when they move and kept with the battle, since every query of the table asks for it.

use std::sync::{Arc, OnceLock};

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Bounds, Placed, Pose};

use super::by_place::{ByPlace, Contact};
use super::ground::Lies;
use super::zones::Units;
use crate::battle::Battle;
use crate::body::Presence;
use crate::troops::Formation;

/// The units of a battle where they lie. It follows from the rest of the battle, so two battles are the same whatever is in it.
#[derive(Clone, Debug, Default)]
pub struct Laid {
    units: Vec<Option<Arc<Lying>>>,
    /// Which unit lies where: worked out when it is first asked for, and anew when a unit has moved.
    by_place: Asked<Arc<ByPlace>>,
}

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

impl<T> Asked<T> {
    /// An answer that is known.
    #[must_use]
    pub fn so(answer: T) -> Self {
        Self(OnceLock::from(answer))
    }

    /// The answer, if it is known.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        self.0.get()
    }

    /// The answer, worked out when it is first asked for.
    pub fn get_or(&self, work_out: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(work_out)
    }
}

impl<T: Clone> Asked<T> {
    /// The same, to keep.
    pub fn or(&self, work_out: impl FnOnce() -> T) -> T {
        self.get_or(work_out).clone()
    }
}

/// Who has moved since units were last listed by their places.
enum Moved {
    One(UnitId),
    Several,
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
        self.units.get(id.index()).and_then(Option::as_ref).map(|lying| &lying.placed)
    }

    /// What a footprint lies in, if some unit lies exactly there.
    #[must_use]
    pub fn lies<'a>(&'a self, battle: &Battle, placed: &Placed) -> Option<&'a Lies> {
        let here = self.units.iter().flatten().find(|lying| lying.placed.same_place(placed))?;
        Some(here.lies.get_or_init(|| Lies::worked_out(battle, &here.placed)))
    }

    /// Those of a side, or of both, whose boxes meet a box, in order.
    #[must_use]
    pub fn meeting(&self, battle: &Battle, bounds: &Bounds, side: Option<Side>) -> Units {
        self.by_place(battle).meeting(bounds, side)
    }

    /// Whether an enemy may have engaged a unit across an obstacle; if not, none has.
    #[must_use]
    pub fn may_be_across(&self, battle: &Battle, id: UnitId) -> bool {
        self.by_place(battle).is_across(id)
    }

    /// Something about a unit's contacts as everybody lies, found out once.
    pub(super) fn contact(&self, battle: &Battle, id: UnitId, what: Contact, find: impl FnOnce() -> bool) -> bool {
        self.by_place(battle).contact(id, what, find)
    }

    fn by_place(&self, battle: &Battle) -> &ByPlace {
        self.by_place.get_or(|| Arc::new(ByPlace::of(battle)))
    }

    /// Brings up to date the units that have moved, changed formation, come or gone.
    pub(crate) fn refresh(battle: &mut Battle) {
        if battle.laid.units.len() != battle.units.len() {
            battle.laid.units.resize(battle.units.len(), None);
        }
        let mut moved = None;
        for n in 0..battle.units.len() {
            let unit = &battle.units[n];
            let from = (unit.presence == Presence::Present).then_some((unit.pose, unit.formation, unit.sector));
            if battle.laid.units[n].as_ref().map(|lying| lying.from) != from {
                let id = UnitId(n as u16);
                battle.laid.units[n] =
                    from.map(|from| Arc::new(Lying { from, placed: battle.placed(id), lies: OnceLock::new() }));
                moved = Some(if moved.is_none() { Moved::One(id) } else { Moved::Several });
            }
        }
        battle.laid.by_place = match (moved, battle.laid.by_place.known()) {
            (None, _) => return,
            (Some(Moved::One(id)), Some(list)) => Asked::so(Arc::new(list.with(battle, id))),
            _ => Asked::default(),
        };
    }

    /// Forgets who lies where, for what follows from more than the places.
    pub(crate) fn forget(&mut self) {
        self.by_place = Asked::default();
    }
}
