//! Who fights whom: clumps of contacts broken up into engagements (HZ-MUL-01 to HZ-MUL-03).

use crate::clauses::HZ_MUL_01;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;

/// A contact between an attacker and a defender, and its length.
pub type Link = (UnitId, UnitId, f64);
/// An engagement: its attackers and its defenders.
pub type Sides = (Vec<UnitId>, Vec<UnitId>);

/// Lengths of contact that differ by less are equal, in micrometres.
const EQUAL: f64 = 0.5;
/// No more ways than this are laid before the phasing player.
const MOST: usize = 16;

/// Splits contacts into as many one-on-one engagements as there can be, with the greatest total contact; a unit that is left joins the enemy
/// it touches most (HZ-MUL-02, HZ-MUL-03). Where that can be done in several ways that are equal, the first of them.
#[must_use]
pub fn pair_off(links: &[Link]) -> Vec<Sides> {
    ways_to_pair_off(links).into_iter().next().unwrap_or_default()
}

/// Every way to do so that is as good as any other: more than one only where lengths of contact are equal.
#[must_use]
pub fn ways_to_pair_off(links: &[Link]) -> Vec<Vec<Sides>> {
    let mut ways: Vec<Vec<Sides>> = vec![Vec::new()];
    let mut left: Vec<Link> = links.to_vec();
    while let Some(&first) = left.first() {
        decides!(HZ_MUL_01);
        let mut clump: Vec<Link> = vec![first];
        loop {
            let more: Vec<Link> = left
                .iter()
                .filter(|link| !clump.contains(link) && clump.iter().any(|one| one.0 == link.0 || one.1 == link.1))
                .copied()
                .collect();
            if more.is_empty() {
                break;
            }
            clump.extend(more);
        }
        left.retain(|link| !clump.contains(link));
        let splits = splits(&clump);
        ways = ways
            .iter()
            .flat_map(|way| splits.iter().map(move |split| [way.as_slice(), split.as_slice()].concat()))
            .take(MOST)
            .collect();
    }
    ways
}

/// The equally good ways to break up one clump.
fn splits(clump: &[Link]) -> Vec<Vec<Sides>> {
    let mut attackers: Vec<UnitId> = clump.iter().map(|link| link.0).collect();
    attackers.sort_unstable();
    attackers.dedup();
    let mut defenders: Vec<UnitId> = clump.iter().map(|link| link.1).collect();
    defenders.sort_unstable();
    defenders.dedup();
    let mut best = Best { pairs: 0, length: -1.0, all: Vec::new() };
    // Large clumps are cut short: the search visits so many pairings at most.
    let mut budget = 20_000;
    search(clump, &attackers, 0.0, &mut Vec::new(), &mut best, &mut budget);
    let mut found: Vec<Vec<Sides>> = Vec::new();
    for pairs in best.all {
        for mut fights in with_rest(clump, &attackers, &defenders, &pairs) {
            for fight in &mut fights {
                fight.0.sort_unstable();
                fight.1.sort_unstable();
            }
            fights.sort();
            if !found.contains(&fights) && found.len() < MOST {
                found.push(fights);
            }
        }
    }
    found
}

/// The pairs, each way with everybody else joined to an enemy it touches most (HZ-MUL-03).
fn with_rest(
    clump: &[Link],
    attackers: &[UnitId],
    defenders: &[UnitId],
    pairs: &[(UnitId, UnitId)],
) -> Vec<Vec<Sides>> {
    let mut ways: Vec<Vec<Sides>> = vec![pairs.iter().map(|&(a, d)| (vec![a], vec![d])).collect()];
    let mut join = |unit: UnitId, enemies: Vec<UnitId>, attacks: bool| {
        let mut next = Vec::new();
        for way in &ways {
            for enemy in &enemies {
                let mut fights = way.clone();
                let found =
                    fights.iter_mut().find(|(a, d)| if attacks { d.contains(enemy) } else { a.contains(enemy) });
                if let Some((a, d)) = found {
                    if attacks { a.push(unit) } else { d.push(unit) }
                }
                next.push(fights);
            }
        }
        ways = next;
        ways.truncate(MOST);
    };
    for &attacker in attackers.iter().filter(|id| !pairs.iter().any(|pair| pair.0 == **id)) {
        join(attacker, longest(clump.iter().filter(|link| link.0 == attacker).map(|link| (link.1, link.2))), true);
    }
    for &defender in defenders.iter().filter(|id| !pairs.iter().any(|pair| pair.1 == **id)) {
        join(defender, longest(clump.iter().filter(|link| link.1 == defender).map(|link| (link.0, link.2))), false);
    }
    ways
}

/// The enemies with the longest contact, by their numbers.
fn longest(of: impl Iterator<Item = (UnitId, f64)> + Clone) -> Vec<UnitId> {
    let most = of.clone().map(|(_, length)| length).fold(f64::NEG_INFINITY, f64::max);
    let mut all: Vec<UnitId> = of.filter(|(_, length)| *length >= most - EQUAL).map(|(id, _)| id).collect();
    all.sort_unstable();
    all
}

/// The best pairings found so far.
struct Best {
    pairs: usize,
    length: f64,
    all: Vec<Vec<(UnitId, UnitId)>>,
}

impl Best {
    fn look_at(&mut self, pairs: &[(UnitId, UnitId)], length: f64) {
        let better = pairs.len() > self.pairs || (pairs.len() == self.pairs && length > self.length + EQUAL);
        let equal = pairs.len() == self.pairs && (length - self.length).abs() <= EQUAL;
        if better {
            *self = Self { pairs: pairs.len(), length, all: vec![pairs.to_vec()] };
        } else if equal && self.all.len() < MOST {
            self.all.push(pairs.to_vec());
        }
    }
}

fn search(
    clump: &[Link],
    attackers: &[UnitId],
    length: f64,
    pairs: &mut Vec<(UnitId, UnitId)>,
    best: &mut Best,
    budget: &mut u32,
) {
    if *budget == 0 {
        return;
    }
    *budget -= 1;
    let Some((&first, rest)) = attackers.split_first() else {
        best.look_at(pairs, length);
        return;
    };
    for &(attacker, defender, touching) in clump {
        if attacker == first && !pairs.iter().any(|pair| pair.1 == defender) {
            pairs.push((attacker, defender));
            search(clump, rest, length + touching, pairs, best, budget);
            pairs.pop();
        }
    }
    search(clump, rest, length, pairs, best, budget);
}
