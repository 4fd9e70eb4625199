//! Phase 5a: how a unit shares its fire, among those who charge it and for those who cannot bear on its target.

use sabretache_engine::decides;
use std::cmp::Reverse;

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::exact_distance;

use crate::battle::{Battle, Order};
use crate::clauses::*;
use crate::phases::shooting::targets::{Aim, Stand};
use crate::table::NEAR;
use crate::troops::Fire;

/// What an order comes to: its targets, and those between whom its owner has yet to choose.
type Laid = (Vec<Aim>, Vec<UnitId>);

impl Battle {
    /// What an order comes to: the main target, and others for those who cannot bear on it (BB-SHO-41, BB-SHO-42).
    pub(crate) fn aims(&self, order: &Order) -> Vec<Aim> {
        decides!(BB_SHO_41, BB_SHO_42);
        self.laid(order).0
    }

    /// The equal enemies between whom the owner of the shot just ordered has yet to choose.
    pub(crate) fn open_aim(&self) -> Vec<UnitId> {
        self.shots.last().map_or_else(Vec::new, |order| self.laid(order).1)
    }

    fn laid(&self, order: &Order) -> Laid {
        decides!(BB_SHO_40);
        let Some(fire) = self.fire_of(order.unit, order.shot) else { return Laid::default() };
        let chargers = self.chargers(order.unit);
        let Ok(main) = self.aim_of(order, order.at) else { return Laid::default() };
        let charged = chargers.contains(&order.at);
        let (aims, tied) =
            if charged { self.share_among_chargers(order, &chargers, fire) } else { (vec![main], Vec::new()) };
        if order.side.is_some() || !tied.is_empty() {
            return (aims, tied);
        }
        self.second_targets(order, fire, aims)
    }

    /// Those who cannot bear on the main target shoot at the enemy nearest to it; of several as near the owner says which
    /// (BB-SHO-41).
    fn second_targets(&self, order: &Order, fire: Fire, mut aims: Vec<Aim>) -> Laid {
        decides!(BB_SHO_41);
        let here = self.placed(order.at);
        let aimed_at = |enemy: &UnitId| aims.iter().any(|aim| aim.target == *enemy);
        let mut others: Vec<(f64, Aim)> = self
            .enemies(order.unit)
            .filter(|enemy| !aimed_at(enemy))
            .filter_map(|enemy| Some((enemy, self.aim(order.unit, enemy, order.shot).ok()?)))
            .map(|(enemy, aim)| (exact_distance(&here, &self.placed(enemy)), aim))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.target.cmp(&b.1.target)));
        let mut used: Vec<usize> = aims.iter().flat_map(|aim| aim.bearings.iter().map(|one| one.post)).collect();
        loop {
            for (_, aim) in &mut others {
                aim.bearings.retain(|bearing| !used.contains(&bearing.post));
            }
            others.retain(|(_, aim)| {
                let facts = || self.shot_facts(order.unit, aim, fire);
                !aim.bearings.is_empty() && facts().dice(self.numbers()) > 0 && facts().score(self.numbers()).is_some()
            });
            let Some(nearest) = others.first().map(|(distance, _)| *distance) else { return (aims, Vec::new()) };
            let equal = others.iter().take_while(|(distance, _)| *distance <= nearest + NEAR).count();
            let next = match self.contested(&others[..equal]) {
                // Where none of them takes a shot from another it does not matter who comes first.
                Ok(n) => n,
                Err(tied) => {
                    let chosen = order.favours.iter().find(|enemy| tied.contains(enemy));
                    let found = chosen.and_then(|enemy| others.iter().position(|(_, aim)| aim.target == *enemy));
                    match found {
                        Some(n) => n,
                        None => return (aims, tied),
                    }
                }
            };
            let (_, aim) = others.remove(next);
            used.extend(aim.bearings.iter().map(|bearing| bearing.post));
            aims.push(aim);
        }
    }

    /// One of several aims that shares no shooter with another; or those that do.
    fn contested(&self, equal: &[(f64, Aim)]) -> Result<usize, Vec<UnitId>> {
        let posts = |n: usize| equal[n].1.bearings.iter().map(|bearing| bearing.post);
        let shares = |n: usize| {
            (0..equal.len()).any(|other| other != n && posts(n).any(|post| posts(other).any(|one| one == post)))
        };
        match (0..equal.len()).find(|n| !shares(*n)) {
            Some(n) => Ok(n),
            None => Err(equal.iter().map(|(_, aim)| aim.target).collect()),
        }
    }

    /// The aim that an order gives at a target: from one side of a block, or simply so.
    fn aim_of(&self, order: &Order, target: UnitId) -> Result<Aim, Refusal> {
        match order.side {
            Some(side) => self.aim_from(order.unit, Stand::Side(side), target, order.shot),
            None => self.aim(order.unit, target, order.shot),
        }
    }

    /// The dice of so many figures or models of a unit.
    fn dice_of(&self, unit: UnitId, bearing: u16, fire: Fire) -> u16 {
        let aim = Aim { target: unit, bearings: Vec::new(), pose: self.unit(unit).pose, dice: None };
        let mut facts = self.shot_facts(unit, &aim, fire);
        facts.shooter = self.shooter(unit, bearing, fire);
        facts.dice(self.numbers())
    }

    /// Fire is split as evenly as the arcs allow among all who charge; an odd die goes to the one on whom more bear, then as
    /// the owner likes (BB-SHO-42).
    fn share_among_chargers(&self, order: &Order, chargers: &[UnitId], fire: Fire) -> Laid {
        decides!(BB_SHO_42);
        let mut aims: Vec<Aim> = chargers.iter().filter_map(|charger| self.aim_of(order, *charger).ok()).collect();
        let chosen = |aim: &Aim| order.favours.iter().position(|enemy| *enemy == aim.target).unwrap_or(usize::MAX);
        aims.sort_by_key(|aim| (Reverse(aim.bearings.len()), chosen(aim), aim.target));
        let mut posts: Vec<usize> = aims.iter().flat_map(|aim| aim.bearings.iter().map(|one| one.post)).collect();
        posts.sort_unstable();
        posts.dedup();
        let all = self.dice_of(order.unit, posts.len() as u16, fire);
        let most: Vec<u16> = aims.iter().map(|aim| self.dice_of(order.unit, aim.bearings.len() as u16, fire)).collect();
        let mut given = vec![0u16; aims.len()];
        for _ in 0..all {
            if let Some(n) = (0..aims.len()).filter(|n| given[*n] < most[*n]).min_by_key(|n| (given[*n], *n)) {
                given[n] += 1;
            }
        }
        let tied = odd_dice(&aims, &given, &order.favours);
        for (aim, dice) in aims.iter_mut().zip(given) {
            aim.dice = Some(dice);
        }
        (aims, tied)
    }
}

/// Chargers on whom as many bear as on each other, and who have not all the same dice: those not chosen yet, while one has to be.
fn odd_dice(aims: &[Aim], given: &[u16], favours: &[UnitId]) -> Vec<UnitId> {
    for alike in aims.chunk_by(|a, b| a.bearings.len() == b.bearings.len()) {
        let dice = |aim: &Aim| aims.iter().position(|one| one.target == aim.target).map_or(0, |n| given[n]);
        let most = alike.iter().map(dice).max().unwrap_or(0);
        let odd = alike.iter().filter(|aim| dice(aim) == most).count();
        let chosen = alike.iter().filter(|aim| favours.contains(&aim.target)).count();
        if odd < alike.len() && chosen < odd {
            let open = alike.iter().map(|aim| aim.target).filter(|target| !favours.contains(target));
            return open.collect();
        }
    }
    Vec::new()
}
