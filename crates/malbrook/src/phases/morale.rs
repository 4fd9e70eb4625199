//! The morale phase: re-dressing, what neighbours cost, and whether it is over.

use crate::phases::aims;
use crate::phases::objectives;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::Halt;
use sabretache_table::{Bounds, Length, Vec2};

use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_MOR_10, MB_MOR_12, MB_MOR_14, MB_MOR_15, MB_SEQ_08, MB_VIC_02};
use crate::event::{Blow, BlowKind, Event};
use crate::phases::harm::{Play, harm};
use crate::situations::{ArmyBreak, Cause, Neighbour, Redress, Score, Tally, dps_for};
use crate::table::crowds::Places;
use crate::table::lay::{Figure, near};
use crate::troops::{Kind, Rank};

/// Re-dresses ranks, then gives out the DPs of the turn's blows (MB-SEQ-08).
pub(crate) fn phase(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_MOR_10, MB_SEQ_08);
    let order = [play.battle().first, play.battle().second()];
    for side in order {
        for unit in play.battle().right_to_left(side).iter().copied() {
            let removed = redress(play.battle(), unit).removed(&play.battle().fixed.numbers);
            if removed > 0 {
                play.happen(Event::Redressed { unit, removed });
            }
        }
    }
    // A casualty may destroy a brigade, which is a new blow: until no new one arises.
    let mut number = 0;
    while number < play.battle().blows.len() {
        feel(play, number)?;
        number += 1;
    }
    Ok(())
}

/// The facts of re-dressing.
pub(crate) fn redress(battle: &Battle, unit: UnitId) -> Redress {
    let brigade = battle.brigade(unit);
    let far = battle.fixed.numbers.near.length();
    Redress {
        grade: brigade.grade(),
        dps: brigade.dps,
        moved: brigade.marks.shifted,
        fought: brigade.marks.fought || battle.in_combat(unit),
        running: matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting),
        under_fire: battle.under_fire(unit),
        enemy_near: battle.enemy_within(brigade.side, &battle.figure(unit), far),
    }
}

/// What a blow means to those who see it; nothing where a later one replaces it.
fn neighbour(battle: &Battle, number: usize, observer: UnitId) -> Option<Neighbour> {
    let blow = battle.blows.get(number)?;
    let brigade = battle.brigade(blow.unit);
    let grade = brigade.grade();
    match blow.what {
        BlowKind::Routs => Some(Neighbour::Routs(grade)),
        BlowKind::Destroyed => Some(Neighbour::Destroyed(grade)),
        BlowKind::Retires => {
            // Caught and routed, or destroyed, it is felt for that alone (MB-RES-20).
            let worse = |what: BlowKind| matches!(what, BlowKind::Routs | BlowKind::Destroyed);
            let later = battle
                .blows
                .iter()
                .any(|other| other.unit == blow.unit && worse(other.what) && other.turn == blow.turn);
            let retired =
                if brigade.kind.is_foot() { Neighbour::FootRetires(grade) } else { Neighbour::CavalryRetires(grade) };
            (!later).then_some(retired)
        }
        BlowKind::GeneralLost => {
            let senior = blow.leader.filter(|leader| battle.leader(*leader).rank > Rank::MajorGeneral);
            senior.filter(|leader| battle.in_chain(*leader, observer)).map(|_| Neighbour::GeneralLost)
        }
    }
}

/// Whether a brigade is near enough to feel a blow: where it fell, or where it stands now (MB-MOR-15).
fn feels(battle: &Battle, number: usize, observer: UnitId) -> bool {
    decides!(MB_MOR_15);
    let Some(blow) = battle.blows.get(number) else { return false };
    let watcher = battle.brigade(observer);
    let struck = battle.brigade(blow.unit);
    let itself = observer == blow.unit && blow.what != BlowKind::GeneralLost;
    // A brigade that runs and is then destroyed, or a general swept away and then killed, is lost once (MB-MOR-12, MB-MOR-14).
    decides!(MB_MOR_12, MB_MOR_14);
    let gone = |what: BlowKind| matches!(what, BlowKind::Routs | BlowKind::Destroyed);
    let same = |other: &Blow| match blow.leader {
        Some(_) => other.leader == blow.leader,
        None => other.leader.is_none() && other.unit == blow.unit && gone(other.what) && gone(blow.what),
    };
    let known = battle
        .blows
        .iter()
        .enumerate()
        .any(|(n, other)| n != number && other.turn == blow.turn && same(other) && other.felt.contains(&observer));
    if known {
        return false;
    }
    if watcher.side != struck.side || itself || watcher.is_routing() || blow.felt.contains(&observer) {
        return false;
    }
    let reach = battle.fixed.numbers.morale_reach.length();
    // A general who fell or was taken is missed where he was, and there only; one who runs, where his brigade runs.
    if let Some(leader) = blow.leader {
        let swept_away = !battle.leader(leader).lost && near(battle.figure(observer), &battle.disc(leader), reach);
        return swept_away || near(battle.figure(observer), &battle.disc_at(blow.at.at), reach);
    }
    let places = Places::of(blow.at.at, &blow.places);
    let (bases, files, formation) = (blow.bases, blow.files, blow.formation);
    let then = Brigade { bases, files, pose: blow.at, formation, places, ..*struck };
    let figure = battle.figure(observer);
    let now = struck.is_unit() && near(&figure, &battle.figure(blow.unit), reach);
    now || near(&figure, &Figure::of(&then, blow.at), reach)
}

/// What one side has to show.
pub(crate) fn tally(battle: &Battle, side: Side) -> Tally {
    let enemy = side.other();
    let there: u32 = battle
        .of(enemy)
        .map(|unit| battle.brigade(unit))
        .filter(|one| one.kind.is_brigade())
        .map(|one| u32::from(one.bases))
        .sum();
    let left: u32 = battle
        .units
        .iter()
        .filter(|one| one.side == enemy && one.kind.is_brigade())
        .filter(|one| matches!(one.status, Status::Left | Status::Expected))
        .map(|one| u32::from(one.bases))
        .sum();
    let guns_there = battle
        .units
        .iter()
        .filter(|one| one.side == enemy && one.kind.is_gun())
        .filter(|one| one.is_unit() || matches!(one.status, Status::Abandoned | Status::Expected | Status::Left))
        .count() as u32;
    let lost = |rank: Rank| {
        battle.leaders.iter().filter(|one| one.side == enemy && one.rank == rank && (one.lost || one.succeeded)).count()
            as i32
    };
    let places = battle.held.iter().zip(&battle.fixed.scenario.body.objectives);
    Tally {
        objectives: places.filter(|(held, _)| **held == Some(side)).map(|(_, objective)| objective.points).sum(),
        enemy_bases: battle.fixed.started[enemy.index()].saturating_sub(there + left) as i32,
        enemy_guns: battle.fixed.guns_started[enemy.index()].saturating_sub(guns_there) as i32,
        major_generals: lost(Rank::MajorGeneral),
        lieutenant_generals: lost(Rank::LieutenantGeneral),
        marshals: lost(Rank::Marshal),
        started: battle.fixed.started[side.index()] as i32,
    }
}

/// Points of both sides.
pub(crate) fn score(battle: &Battle) -> Score {
    Score { ours: tally(battle, Side::A), theirs: tally(battle, Side::B) }
}

/// Whether an army is broken (MB-VIC-03).
pub(crate) fn is_broken(battle: &Battle, side: Side) -> bool {
    let lost = tally(battle, side.other()).enemy_bases as u32;
    let routing = battle
        .of(side)
        .map(|unit| battle.brigade(unit))
        .filter(|one| one.is_routing())
        .map(|one| u32::from(one.bases))
        .sum();
    let facts = ArmyBreak { started: battle.fixed.started[side.index()], lost, routing };
    facts.read(battle.fixed.numbers.army_break.share).broken
}

/// The turns the battle lasts.
pub(crate) fn turns(battle: &Battle) -> u32 {
    battle.fixed.scenario.body.turns.unwrap_or(battle.fixed.numbers.turns)
}

/// Everybody near enough feels a blow.
fn feel(play: &mut Play<'_>, number: usize) -> Result<(), Halt> {
    let battle = play.battle();
    let observers: Vec<UnitId> = battle.all().filter(|unit| feels(battle, number, *unit)).collect();
    for unit in observers {
        let battle = play.battle();
        if !battle.brigade(unit).is_unit() || battle.brigade(unit).is_routing() {
            continue;
        }
        let Some(neighbour) = neighbour(battle, number, unit) else { continue };
        let Some((dps, _)) = dps_for(battle.brigade(unit).grade(), neighbour, &battle.fixed.numbers) else { continue };
        play.happen(Event::Felt { blow: number, unit });
        harm(play, unit, dps, 0, Cause::Morale)?;
    }
    Ok(())
}

/// Who holds each objective (MB-VIC-02).
pub(crate) fn take_objectives(play: &mut Play<'_>) {
    let battle = play.battle();
    let mut taken = Vec::new();
    for n in 0..battle.fixed.scenario.body.objectives.len() {
        let taker = taker_of(battle, n).map(|(side, first)| (side, Some(aims::wing_of(battle, first))));
        let taker = taker.or_else(|| objectives::reached(battle, n).map(|side| (side, None)));
        let new = taker.filter(|(side, _)| battle.held[n] != Some(*side) && objectives::good_for(battle, n, *side));
        taken.extend(new.map(|(side, wing)| (n as u16, side, wing)));
    }
    for (objective, by, wing) in taken {
        play.happen(Event::Held { objective, by, wing });
    }
}

/// The side that alone has a brigade at an objective which counts, and the first such brigade.
pub(crate) fn taker_of(battle: &Battle, objective: usize) -> Option<(Side, UnitId)> {
    decides!(MB_VIC_02);
    let corners = objectives::corners_of(battle, objective);
    if corners.is_empty() {
        return None;
    }
    let bounds = Bounds::of(&corners);
    let inside = |side: Side, counts: fn(&Brigade) -> bool| {
        let near = battle.friends_around(side, bounds, Length::ZERO);
        near.filter(|unit| counts(battle.brigade(*unit))).find(|unit| has_base_in(battle, *unit, &corners))
    };
    let holds = |one: &Brigade| {
        let in_order = one.is_formed() || one.kind == Kind::DismountedDragoons;
        in_order && !one.is_routing() && one.kind.is_brigade()
    };
    let there = |one: &Brigade| one.kind.is_brigade() && !one.is_routing();
    let alone = |side: Side| inside(side, holds).filter(|_| inside(side.other(), there).is_none());
    Side::BOTH.into_iter().find_map(|side| alone(side).map(|first| (side, first)))
}

/// Whether a brigade has a base at an objective.
pub(crate) fn stands_in(battle: &Battle, unit: UnitId, objective: usize) -> bool {
    has_base_in(battle, unit, &objectives::corners_of(battle, objective))
}

fn has_base_in(battle: &Battle, unit: UnitId, corners: &[Vec2]) -> bool {
    battle.figure(unit).bases.iter().any(|base| within(corners, base.as_part().corners))
}

/// Whether a base lies in a polygon: its middle or one of its corners does.
pub(crate) fn within(polygon: &[Vec2], corners: &[Vec2]) -> bool {
    let inside = |p: Vec2| {
        let mut inside = false;
        for (n, a) in polygon.iter().enumerate() {
            let b = polygon[(n + 1) % polygon.len()];
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
        inside
    };
    let middle =
        corners.iter().fold(Vec2::default(), |sum, corner| sum + *corner) * (1.0 / corners.len().max(1) as f64);
    inside(middle) || corners.iter().any(|corner| inside(*corner))
}
