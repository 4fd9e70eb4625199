//! Shots at lone leaders and messengers (MB-RSK-06, MB-ORD-11).

use super::*;
use sabretache_engine::decides;

/// Lone leaders that a brigade of foot may shoot at (MB-RSK-06).
pub(crate) fn may_shoot_at(battle: &Battle, unit: UnitId, leader: OfficerId) -> Result<(), Refusal> {
    decides!(MB_RSK_06);
    let one = battle.leader(leader);
    if one.attached.is_some() || one.lost || one.side == battle.brigade(unit).side || !is_lone(battle, leader) {
        return no(MB_RSK_06, "he is not alone");
    }
    may_shoot_there(battle, unit, one.at)
}

/// Whether foot may shoot at a lone messenger (MB-ORD-11).
pub(crate) fn may_shoot_at_rider(battle: &Battle, unit: UnitId, rider: u16) -> Result<(), Refusal> {
    let side = battle.brigade(unit).side.other();
    let Some((_, at)) = messages::lone_riders(battle, side).find(|(id, _)| *id == rider) else {
        return no(MB_RSK_06, "there is no messenger alone");
    };
    may_shoot_there(battle, unit, at)
}

/// Whether a unit may shoot at lone horsemen at all (MB-RSK-06).
pub(crate) fn may_shoot_at_somebody(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_RSK_06);
    let brigade = battle.brigade(unit);
    if battle.phase != Phase::LoneShots || brigade.side != battle.active {
        return no(MB_SEQ_02, "foot shoot at lone leaders after the close artillery fire");
    }
    if !brigade.kind.is_foot() || brigade.is_routing() || brigade.marks.fire.shot_at_leader || battle.in_combat(unit) {
        return no(MB_RSK_06, "only foot that are not in close combat shoot at leaders, once a turn");
    }
    Ok(())
}

/// Whether foot may shoot at a lone horseman at a place (MB-RSK-06).
pub(super) fn may_shoot_there(battle: &Battle, unit: UnitId, at: Point) -> Result<(), Refusal> {
    decides!(MB_RSK_06);
    let brigade = battle.brigade(unit);
    may_shoot_at_somebody(battle, unit)?;
    let range = battle.fixed.numbers.lone_shots.range.length();
    let zone = crate::table::lay::zone_of(brigade, battle.figure(unit), range + HAIR);
    if sabretache_table::contact(&zone, &battle.disc_at(at)) == sabretache_table::Contact::Apart {
        return no(MB_RSK_06, "he is not within 2 inches to their front");
    }
    if !battle.seen_from(&[at.v()], None, unit) {
        return no(MB_RSK_06, "they have no line of sight to him");
    }
    Ok(())
}

/// Detached, with no friend within 4 inches (MB-RSK-06).
pub(crate) fn is_lone(battle: &Battle, leader: OfficerId) -> bool {
    let one = battle.leader(leader);
    one.attached.is_none() && messages::is_alone(battle, one.side, one.at)
}

pub(super) fn lone_shots_of(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut out = Vec::new();
    for leader in battle.leaders_of(battle.active.other()) {
        if in_reach(battle, unit, battle.leader(leader).at) && may_shoot_at(battle, unit, leader).is_ok() {
            out.push(Gunnery::ShootAt { unit, leader }.into());
        }
    }
    for (rider, at) in messages::riders(battle, battle.active.other()) {
        if in_reach(battle, unit, at) && may_shoot_at_rider(battle, unit, rider).is_ok() {
            out.push(Gunnery::ShootAtMessenger { unit, rider }.into());
        }
    }
    out
}

/// Whether a horseman is so near a unit that it is worth looking whether it may shoot at him.
pub(super) fn in_reach(battle: &Battle, unit: UnitId, at: Point) -> bool {
    let numbers = &battle.fixed.numbers;
    let reach = numbers.lone_shots.range.length() + numbers.bases.leader.length() + HAIR * 2;
    battle.figure(unit).bounds.grown(reach.f()).holds(at.v())
}

/// Foot shoot at a lone leader.
pub(crate) fn shoot_at(play: &mut Play<'_>, unit: UnitId, leader: OfficerId) -> Result<(), Halt> {
    may_shoot_at(play.battle(), unit, leader)?;
    play.happen(Event::ShotAtLeader { unit });
    let nearest = play.battle().brigade_near(leader).unwrap_or(unit);
    risk_leader(play, leader, nearest, Danger::Shot)
}

/// Foot shoot at a lone messenger: any hit but a near miss is the end of him and his message (MB-ORD-11).
pub(crate) fn shoot_at_rider(play: &mut Play<'_>, unit: UnitId, rider: u16) -> Result<(), Halt> {
    decides!(MB_ORD_11);
    may_shoot_at_rider(play.battle(), unit, rider)?;
    play.happen(Event::ShotAtLeader { unit });
    let numbers = play.battle().fixed.numbers.clone();
    let side = play.battle().brigade(unit).side;
    let situation = LeaderRisk { shot_at: true, wounded: false, messenger: true };
    let fate = situation.take(&numbers, |what| {
        let purpose = Purpose { what, of: Some(unit.into()), side };
        play.throw(purpose, &Throw::one(Die::D6), Wanted::High).map(|roll| roll.total())
    })?;
    if matches!(fate, Fate::Killed | Fate::Wounded) {
        play.happen(Event::RiderLost { rider });
    }
    Ok(())
}
