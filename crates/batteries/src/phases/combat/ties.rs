//! Odd dice and figures that go to one of several equal enemies as the owner likes (BB-COM-29, BB-TWN-16, BB-TWN-19), and odd hits that one of
//! several equal units of a garrison bears (BB-TWN-15).

use sabretache_engine::decides;
use std::cmp::Reverse;

use sabretache_engine::ids::UnitId;

use crate::battle::{Battle, Step};
use crate::clauses::*;

impl Battle {
    /// Whether the owner of a unit has set its odd die or figure against this enemy.
    pub(crate) fn favours(&self, unit: UnitId, enemy: UnitId) -> bool {
        self.favours.contains(&(unit, enemy))
    }

    /// What decides who has the odd die or figure of a unit, before its owner does: most figures in combat with it, then most
    /// figures. A garrison looks at the figures alone.
    fn claim(&self, unit: UnitId, enemy: UnitId) -> (Reverse<u16>, Reverse<u16>) {
        let faced = if self.unit(unit).inside.is_some() { 0 } else { self.faced_by(unit, enemy) };
        let held = self.unit(enemy).inside.is_some();
        (Reverse(faced), Reverse(if held { self.strength_of(enemy).1 } else { self.unit(enemy).figures }))
    }

    /// Enemies in the order in which they have the odd dice and figures of a unit.
    pub(crate) fn by_claim(&self, unit: UnitId, enemies: &mut [UnitId]) {
        let chosen = |enemy: UnitId| self.favours.iter().position(|one| *one == (unit, enemy)).unwrap_or(usize::MAX);
        enemies.sort_by_key(|enemy| (self.claim(unit, *enemy), chosen(*enemy), *enemy));
    }

    /// The enemies between whom the owner of a unit still has to choose, since its dice or figures do not come out even.
    fn tied(&self, unit: UnitId) -> Option<Vec<UnitId>> {
        self.shares(unit).into_iter().find_map(|(enemies, over)| self.tied_among(unit, enemies, usize::from(over)))
    }

    fn tied_among(&self, unit: UnitId, mut enemies: Vec<UnitId>, over: usize) -> Option<Vec<UnitId>> {
        self.by_claim(unit, &mut enemies);
        let (last, next) = (enemies.get(over.checked_sub(1)?)?, enemies.get(over)?);
        let claim = self.claim(unit, *last);
        if claim != self.claim(unit, *next) {
            return None;
        }
        let better = enemies.iter().filter(|enemy| self.claim(unit, **enemy) < claim).count();
        let equal: Vec<UnitId> = enemies.into_iter().filter(|enemy| self.claim(unit, *enemy) == claim).collect();
        let chosen = equal.iter().filter(|enemy| self.favours(unit, **enemy)).count();
        let open: Vec<UnitId> = equal.into_iter().filter(|enemy| !self.favours(unit, *enemy)).collect();
        (chosen < over - better).then_some(open)
    }

    /// The next unit whose owner has to say against whom its odd die or figure goes, Side B first, and the enemies he may name.
    pub(crate) fn open_tie(&self) -> Option<(UnitId, Vec<UnitId>)> {
        if self.step != Step::Combat {
            return None;
        }
        let sides = [self.first.other(), self.first];
        sides.into_iter().flat_map(|side| self.of(side)).find_map(|unit| Some((unit, self.tied(unit)?)))
    }

    /// The equal units of a garrison of whom its owner has yet to say which bears a hit that is over (BB-TWN-15).
    pub(crate) fn tied_to_bear(&self, garrison: UnitId) -> Vec<UnitId> {
        decides!(BB_TWN_15);
        let hits = self.unit(garrison).toll;
        if hits == 0 || self.unit(garrison).inside.is_none() {
            return Vec::new();
        }
        let (shares, mut over) = self.even_hits(garrison, hits);
        let figures = |unit: UnitId| self.unit(unit).figures;
        for equal in shares.chunk_by(|a, b| figures(a.0) == figures(b.0)) {
            if over == 0 || over < equal.len() {
                let chosen = equal.iter().filter(|(unit, _)| self.favours(garrison, *unit)).count();
                let open = equal.iter().map(|(unit, _)| *unit).filter(|unit| !self.favours(garrison, *unit));
                return if chosen < over { open.collect() } else { Vec::new() };
            }
            over -= equal.len();
        }
        Vec::new()
    }

    /// What each unit of a garrison bears of its hits in proportion, the largest unit first and those their owner has named first among
    /// equals; and how many hits are over (BB-TWN-15).
    pub(crate) fn even_hits(&self, garrison: UnitId, hits: u16) -> (Vec<(UnitId, u32)>, usize) {
        decides!(BB_TWN_15);
        let mut company = self.company(garrison);
        let all: u32 = company.iter().map(|other| u32::from(self.unit(*other).figures)).sum();
        let hits = u32::from(hits).min(all);
        company.sort_by_key(|unit| (Reverse(self.unit(*unit).figures), !self.favours(garrison, *unit), *unit));
        let share = |unit: &UnitId| u32::from(self.unit(*unit).figures) * hits / all.max(1);
        let shares: Vec<(UnitId, u32)> = company.iter().map(|unit| (*unit, share(unit))).collect();
        let over = hits - shares.iter().map(|(_, share)| share).sum::<u32>();
        (shares, over as usize)
    }
}
