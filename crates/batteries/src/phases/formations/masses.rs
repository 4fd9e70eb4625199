//! The Austrian column of masses: a column, and a square to enemies that strike it in front or side.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Face, Segment, exact_distance};

use crate::battle::{Battle, Facts, Kind};
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::situations::Blow;
use crate::table::NEAR;
use crate::troops::{Arm, Formation, Grade, Nation};

impl Facts {
    /// Stands across a column of masses, for those who may form it (BB-OPT-73).
    pub(crate) fn masse(&self, figures: u16, numbers: &Numbers) -> Option<u8> {
        decides!(BB_OPT_73);
        let able = matches!(self.kind, Kind::Foot { .. })
            && self.nation == Some(Nation::Austria)
            && self.grade != Grade::F
            && figures >= numbers.masse.least;
        let stands = numbers.masse.width / u16::from(self.per_stand.max(1));
        (able && stands > 0 && stands * u16::from(self.per_stand) == numbers.masse.width).then_some(stands as u8)
    }
}

impl Battle {
    /// A charger that touches a column of masses anywhere but at its rear meets a square (BB-OPT-74).
    pub(crate) fn meets_square(&self, charger: UnitId, target: UnitId) -> bool {
        decides!(BB_OPT_74);
        if self.arm(target) != Arm::Foot || self.unit(target).formation != Formation::Masse {
            return false;
        }
        let (us, them) = (self.placed(charger), self.placed(target));
        let touches = |face: Face| {
            let edge = them.face(face);
            let inset = (edge.b - edge.a).unit() * (2.0 * NEAR);
            exact_distance(&us, &Convex::segment(Segment::new(edge.a + inset, edge.b - inset))) <= NEAR
        };
        let front_or_side = [Face::Front, Face::Left, Face::Right].into_iter().any(touches);
        // Corner on corner is judged by the way the charger comes.
        front_or_side || (!touches(Face::Rear) && self.face_against(&them, charger) != Face::Rear)
    }

    /// Whether anybody has met it as a square.
    pub(crate) fn fights_as_square(&self, unit: UnitId) -> bool {
        decides!(BB_OPT_74);
        self.contacts.iter().any(|contact| contact.target == unit && contact.as_square)
    }

    /// It fights infantry with the edge in contact, cavalry with all the rest, and enemies behind it as a column.
    pub(crate) fn groups_of_masse(&self, unit: UnitId, enemies: &[UnitId]) -> Vec<(Vec<UnitId>, u16)> {
        let placed = self.placed(unit);
        let ranks = self.unit(unit).ranks(self.facts(unit));
        let square = |enemy: &UnitId| {
            self.contacts.iter().any(|one| one.target == unit && one.charger == *enemy && one.as_square)
        };
        let mut groups = Vec::new();
        let mut used = 0;
        let (around, behind): (Vec<UnitId>, Vec<UnitId>) = enemies.iter().copied().partition(square);
        let (horse, foot): (Vec<UnitId>, Vec<UnitId>) =
            around.into_iter().partition(|enemy| self.arm(*enemy) == Arm::Horse);
        for face in Face::ALL {
            let here: Vec<UnitId> =
                foot.iter().copied().filter(|enemy| self.face_against(&placed, *enemy) == face).collect();
            if !here.is_empty() {
                let figures = if matches!(face, Face::Left | Face::Right) { ranks.rows } else { ranks.first };
                groups.push((here, figures));
                used += figures;
            }
        }
        if !behind.is_empty() {
            groups.push((behind, ranks.first));
            used += ranks.first;
        }
        if !horse.is_empty() {
            groups.push((horse, self.unit(unit).figures.saturating_sub(used)));
        }
        groups
    }

    /// The blows of a column of masses that somebody has met as a square.
    pub(crate) fn blows_of_masse(&self, unit: UnitId, enemies: &[UnitId]) -> Vec<(UnitId, Blow, u16)> {
        let mut out = Vec::new();
        for (enemies, figures) in self.groups_of_masse(unit, enemies) {
            self.shared(unit, enemies, figures, &mut out);
        }
        out
    }
}
