//! Advantage of ground (MB-CBT-19).

use super::fights::{Faced, attack_of};
use super::*;
use sabretache_engine::decides;

/// Advantage of ground (MB-CBT-19): uphill, lining an obstacle, or holding the edge of a wood or town.
pub(super) fn has_ground(faced: &Faced<'_>, unit: UnitId, enemy: UnitId) -> bool {
    let battle = faced.battle;
    let brigade = battle.brigade(unit);
    let (here, there) = (battle.figure(unit), battle.figure(enemy));
    let (engaged, opposed) = (Engaged::of(faced, unit, enemy), Engaged::of(faced, enemy, unit));
    let (ours, theirs) = (engaged.front, opposed.front);
    decides!(MB_CBT_19);
    let higher =
        |ours: Vec2, theirs: Vec2| battle.level(ours) > battle.level(theirs) || higher_on_slope(battle, ours, theirs);
    // Fronts that touch are as high as each other: then the bodies behind them tell who came from above.
    let from_above = || battle.touch(unit, enemy) && !higher(theirs, ours) && higher(here.centre(), there.centre());
    if higher(ours, theirs) || from_above() {
        return true;
    }
    if attack_of(battle, unit) != Attack::None {
        return false;
    }
    let inch = Length::inches(1);
    let lined = battle.fixed.ground.near(&here.bounds().grown(inch.f() * 1.5)).any(|lie| {
        let land = battle.fixed.lands[usize::from(lie.feature.id.0)];
        // Where the enemy lines it as closely, nobody has the better of it; those who charge over it, unless from
        // behind those who line it, are astride it.
        let (off, enemy_off) = (exact_distance(here, &lie), exact_distance(there, &lie));
        let charged_over = attack_of(battle, enemy) != Attack::None && !brigade.marks.carried.flanked;
        let astride = charged_over && contact(there, &lie) == Contact::Overlapping;
        land.lined
            && near(&lie, &here, inch)
            && !line_clear(engaged.front.toward(engaged.rear, 0.5), opposed.rear, [&lie])
            && (astride || off + HAIR.f() < enemy_off)
    });
    // Those who fight hold the edge, or half of them at least.
    let fighting = faced.bases(unit, enemy);
    let holding = fighting.iter().filter(|base| battle.base_on_edge(&here.bases[**base])).count();
    let edge = holding > 0 && holding * 2 >= fighting.len() && !battle.in_screen(theirs) && !brigade.has_moved();
    lined || edge
}

/// The bases of a brigade that fight an enemy; all of its front where none does.
pub(super) struct Engaged {
    /// The middle of their front.
    pub(super) front: Vec2,
    /// The middle behind them. Those who have charged over a work or a hedge are still astride it there.
    pub(super) rear: Vec2,
}

impl Engaged {
    pub(super) fn of(faced: &Faced<'_>, unit: UnitId, enemy: UnitId) -> Self {
        let figure = faced.battle.figure(unit);
        let mut fighting = faced.bases(unit, enemy);
        if fighting.is_empty() {
            fighting = (0..figure.front.min(figure.bases.len())).collect();
        }
        let middle = |left: Corner, right: Corner| {
            let of = |base: &usize| figure.bases[*base].corner(left).toward(figure.bases[*base].corner(right), 0.5);
            let sum = fighting.iter().map(of).fold(Vec2::default(), |sum, place| sum + place);
            sum * (1.0 / fighting.len().max(1) as f64)
        };
        Self { front: middle(Corner::FrontLeft, Corner::FrontRight), rear: middle(Corner::RearLeft, Corner::RearRight) }
    }
}

/// Whether a place is nearer the top of the same slope than another, and no lower for all that.
pub(super) fn higher_on_slope(battle: &Battle, ours: Vec2, theirs: Vec2) -> bool {
    if !battle.fixed.heights || battle.level(ours) < battle.level(theirs) {
        return false;
    }
    let both = battle.fixed.ground.at(ours).filter(|lie| {
        let land = battle.fixed.lands[usize::from(lie.feature.id.0)];
        land.rises.is_some() && battle.fixed.ground.at(theirs).any(|other| other.feature.id == lie.feature.id)
    });
    let rises = |lie: sabretache_table::Lie<'_>| battle.fixed.lands[usize::from(lie.feature.id.0)].rises;
    both.into_iter().filter_map(rises).any(|way| {
        let up = sabretache_table::Heading::hundredths(way.into()).unit();
        (ours - theirs).dot(up) > HAIR.f()
    })
}
