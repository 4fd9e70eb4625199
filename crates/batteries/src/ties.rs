//! Odd dice and figures that go to one of several equal enemies as the owner likes (BB-COM-29, BB-TWN-16).

use std::cmp::Reverse;

use sabretache_engine::ids::UnitId;

use crate::battle::{Battle, Step};

impl Battle {
    /// Whether the owner of a unit has set its odd die or figure against this enemy.
    pub(crate) fn favours(&self, unit: UnitId, enemy: UnitId) -> bool {
        self.favours.contains(&(unit, enemy))
    }

    /// What decides who has the odd die or figure of a unit, before its owner does: most figures in combat with it, then most
    /// figures. A garrison looks at the figures alone.
    fn claim(&self, unit: UnitId, enemy: UnitId) -> (Reverse<u16>, Reverse<u16>) {
        let faced = if self.unit(unit).inside.is_some() { 0 } else { self.faced_by(unit, enemy) };
        (Reverse(faced), Reverse(self.unit(enemy).figures))
    }

    /// Enemies in the order in which they have the odd dice and figures of a unit.
    pub(crate) fn by_claim(&self, unit: UnitId, enemies: &mut [UnitId]) {
        enemies.sort_by_key(|enemy| (self.claim(unit, *enemy), !self.favours(unit, *enemy), *enemy));
    }

    /// The enemies between whom the owner of a unit still has to choose, since its dice do not come out even.
    fn tied(&self, unit: UnitId) -> Option<Vec<UnitId>> {
        let mut enemies: Vec<UnitId> = self.opponents(unit).collect();
        enemies.sort_unstable();
        enemies.dedup();
        if enemies.len() < 2 {
            return None;
        }
        let odd = usize::from(self.odd(unit, &enemies));
        self.by_claim(unit, &mut enemies);
        let (last, next) = (enemies.get(odd.checked_sub(1)?)?, enemies.get(odd)?);
        let claim = self.claim(unit, *last);
        if claim != self.claim(unit, *next) {
            return None;
        }
        let better = enemies.iter().filter(|enemy| self.claim(unit, **enemy) < claim).count();
        let equal: Vec<UnitId> = enemies.into_iter().filter(|enemy| self.claim(unit, *enemy) == claim).collect();
        let chosen = equal.iter().filter(|enemy| self.favours(unit, **enemy)).count();
        let open: Vec<UnitId> = equal.into_iter().filter(|enemy| !self.favours(unit, *enemy)).collect();
        (chosen < odd - better).then_some(open)
    }

    /// The next unit whose owner has to say against whom its odd die or figure goes, Side B first, and the enemies he may name.
    pub(crate) fn open_tie(&self) -> Option<(UnitId, Vec<UnitId>)> {
        if self.step != Step::Combat {
            return None;
        }
        let sides = [self.first.other(), self.first];
        sides.into_iter().flat_map(|side| self.of(side)).find_map(|unit| Some((unit, self.tied(unit)?)))
    }
}
