//! All units where they lie, computed once and asked many times.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Bounds, Outline, Placed};
use smallvec::SmallVec;

use crate::battle::{Battle, Unit};
use crate::lay::UnitFacts;

/// The units of a battle where they lie.
pub struct Field<'a> {
    /// The battle.
    pub battle: &'a Battle,
    /// Units that are thought of as lying elsewhere.
    elsewhere: SmallVec<[(UnitId, Placed); 1]>,
}

impl<'a> Field<'a> {
    /// The field of a battle as it stands.
    #[must_use]
    pub fn of(battle: &'a Battle) -> Self {
        Self { battle, elsewhere: SmallVec::new() }
    }

    /// The same with one unit elsewhere: where it would be in the middle of its move.
    #[must_use]
    pub fn with(battle: &'a Battle, id: UnitId, placed: Placed) -> Self {
        let mut field = Self::of(battle);
        field.put(id, placed);
        field
    }

    /// A field to try things on, with everybody where this one has them.
    #[must_use]
    pub fn like(other: &Field<'a>) -> Self {
        Self { battle: other.battle, elsewhere: other.elsewhere.clone() }
    }

    /// Whether everybody is where he lies.
    #[must_use]
    pub fn is_as_it_stands(&self) -> bool {
        self.elsewhere.is_empty()
    }

    /// Puts one unit elsewhere.
    pub fn put(&mut self, id: UnitId, placed: Placed) {
        match self.elsewhere.iter_mut().find(|(other, _)| *other == id) {
            Some((_, held)) => *held = placed,
            None => self.elsewhere.push((id, placed)),
        }
    }

    /// A unit where it lies; nothing when it is off the table.
    #[must_use]
    pub fn get(&self, id: UnitId) -> Option<&Placed> {
        match self.elsewhere.iter().find(|(other, _)| *other == id) {
            Some((_, placed)) => Some(placed),
            None => self.battle.laid.get(id),
        }
    }

    /// A unit's state.
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &Unit {
        self.battle.unit(id)
    }

    /// What is fixed about a unit.
    #[must_use]
    pub fn facts(&self, id: UnitId) -> &'a UnitFacts {
        &self.battle.lay.units[id.index()]
    }

    /// Every unit on the table, in order.
    pub fn all(&self) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.battle.unit_ids().filter_map(|id| self.get(id).map(|placed| (id, placed)))
    }

    /// The units of a side on the table, in order.
    pub fn of_side(&self, side: Side) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        let of_side = self.battle.unit_ids().filter(move |id| self.battle.facts(*id).side == side);
        of_side.filter_map(|id| self.get(id).map(|placed| (id, placed)))
    }

    /// The enemies of a unit on the table.
    pub fn enemies(&self, id: UnitId) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.of_side(self.facts(id).side.other())
    }

    /// The other units of its side on the table.
    pub fn friends(&self, id: UnitId) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.of_side(self.facts(id).side).filter(move |(other, _)| *other != id)
    }

    /// The units whose boxes meet a box, in order.
    pub fn meeting(&self, bounds: Bounds) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.meeting_of(bounds, None)
    }

    /// The enemies of a unit whose boxes meet a box, in order.
    pub fn enemies_meeting(&self, id: UnitId, bounds: Bounds) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.meeting_of(bounds, Some(self.facts(id).side.other()))
    }

    /// The other units of its side whose boxes meet a box, in order.
    pub fn friends_meeting(&self, id: UnitId, bounds: Bounds) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        self.meeting_of(bounds, Some(self.facts(id).side)).filter(move |(other, _)| *other != id)
    }

    fn meeting_of(&self, bounds: Bounds, side: Option<Side>) -> impl Iterator<Item = (UnitId, &Placed)> + Clone {
        let mut found = self.battle.laid.meeting(self.battle, &bounds, side);
        if !self.elsewhere.is_empty() {
            found.retain(|id| self.elsewhere.iter().all(|(other, _)| other != id));
            let here = self.elsewhere.iter().filter(|(_, placed)| placed.bounds().meets(&bounds)).map(|(id, _)| *id);
            found.extend(here.filter(|id| side.is_none_or(|side| self.facts(*id).side == side)));
            found.sort_unstable();
        }
        found.into_iter().filter_map(|id| self.get(id).map(|placed| (id, placed)))
    }

    /// Whether two units lie so close that a distance between them is worth working out.
    #[must_use]
    pub fn is_near(&self, a: &Placed, b: &Placed, within: f64) -> bool {
        a.bounds().distance2(&b.bounds()) <= within * within
    }
}
