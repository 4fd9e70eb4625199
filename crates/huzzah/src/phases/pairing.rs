//! Who fights whom: clumps of contacts broken up into engagements (HZ-MUL-01 to HZ-MUL-03).

use sabretache_engine::ids::UnitId;

/// A contact between an attacker and a defender, and its length.
pub type Link = (UnitId, UnitId, f64);

/// Splits contacts into as many one-on-one engagements as there can be, with the greatest total contact; whoever is left joins the enemy
/// it touches most (HZ-MUL-02, HZ-MUL-03).
#[must_use]
pub fn pair_off(links: &[Link]) -> Vec<(Vec<UnitId>, Vec<UnitId>)> {
    let mut fights = Vec::new();
    let mut left: Vec<Link> = links.to_vec();
    while let Some(&first) = left.first() {
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
        fights.extend(split(&clump));
    }
    fights
}

fn split(clump: &[Link]) -> Vec<(Vec<UnitId>, Vec<UnitId>)> {
    let mut attackers: Vec<UnitId> = clump.iter().map(|link| link.0).collect();
    let mut defenders: Vec<UnitId> = clump.iter().map(|link| link.1).collect();
    attackers.sort_unstable();
    attackers.dedup();
    defenders.sort_unstable();
    defenders.dedup();
    let mut best: (usize, f64, Vec<(UnitId, UnitId)>) = (0, -1.0, Vec::new());
    let mut pairs = Vec::new();
    // Large clumps are cut short: the search visits so many pairings at most.
    let mut budget = 20_000;
    search(clump, &attackers, 0.0, &mut pairs, &mut best, &mut budget);
    let pairs = best.2;
    let mut fights: Vec<(Vec<UnitId>, Vec<UnitId>)> = pairs.iter().map(|&(a, d)| (vec![a], vec![d])).collect();
    for &attacker in attackers.iter().filter(|id| !pairs.iter().any(|pair| pair.0 == **id)) {
        if let Some(enemy) = longest(clump.iter().filter(|link| link.0 == attacker).map(|link| (link.1, link.2)))
            && let Some(fight) = fights.iter_mut().find(|fight| fight.1.contains(&enemy))
        {
            fight.0.push(attacker);
        }
    }
    for &defender in defenders.iter().filter(|id| !pairs.iter().any(|pair| pair.1 == **id)) {
        if let Some(enemy) = longest(clump.iter().filter(|link| link.1 == defender).map(|link| (link.0, link.2)))
            && let Some(fight) = fights.iter_mut().find(|fight| fight.0.contains(&enemy))
        {
            fight.1.push(defender);
        }
    }
    fights
}

fn longest(of: impl Iterator<Item = (UnitId, f64)>) -> Option<UnitId> {
    of.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(id, _)| id)
}

fn search(
    clump: &[Link],
    attackers: &[UnitId],
    length: f64,
    pairs: &mut Vec<(UnitId, UnitId)>,
    best: &mut (usize, f64, Vec<(UnitId, UnitId)>),
    budget: &mut u32,
) {
    if *budget == 0 {
        return;
    }
    *budget -= 1;
    let Some((&first, rest)) = attackers.split_first() else {
        if pairs.len() > best.0 || (pairs.len() == best.0 && length > best.1) {
            *best = (pairs.len(), length, pairs.clone());
        }
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
