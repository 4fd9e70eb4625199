//! Bombardment: the other side's guns interrupt the orders phase (HZ-BOM-01 to HZ-BOM-26). Here is who may fire at whom; then
//! [`sighting`] the guns, [`firing`] them, and the [`moments`] of a move at which they may.

mod firing;
pub mod hedges;
mod hidden;
mod moments;
pub mod offers;
mod sighting;

use std::cell::OnceCell;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_kit::Looked;
use sabretache_table::{Bounds, Face, Length, Outline, Placed, Zone, exact_distance, nearer};
use smallvec::SmallVec;

pub use firing::bounce_through;
pub(crate) use firing::{after_fire, close, fire, resolve, shoot, sight_and_fire};
pub(crate) use moments::has_path;
pub use moments::next as next_moment;
pub use sighting::{Sighting, Swung, run};

use super::orders::Barred;
use super::siege;
use crate::battle::Battle;
use crate::clauses::{
    HZ_BLD_06, HZ_BLD_07, HZ_BOM_01, HZ_BOM_02, HZ_BOM_03, HZ_BOM_04, HZ_BOM_05, HZ_BOM_06, HZ_BOM_07, HZ_BOM_08,
    HZ_BOM_09, HZ_BOM_10, HZ_BOM_11, HZ_BOM_12, HZ_DIF_05, HZ_GEO_06, HZ_HIL_06, HZ_HIL_08, HZ_HIL_11, HZ_HIL_12,
    HZ_WOO_07, HZ_WOO_12,
};
use crate::table::{Field, contact, ground, shape, sight, zones};
use crate::terrain::Kind;
use crate::troops::{Pieces, RangeBand};

/// A legitimate target: how far off, and at what range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Who.
    pub unit: UnitId,
    /// The perpendicular distance from the battery's front (HZ-BOM-12).
    pub distance: f64,
    /// The range.
    pub range: RangeBand,
}

/// Whether a unit is a battery that can bombard now (HZ-BOM-03).
#[must_use]
pub fn is_able(battle: &Battle, id: UnitId) -> bool {
    let unit = battle.unit(id);
    decides!(HZ_BOM_01, HZ_BOM_02);
    battle.is_unlimbered(id)
        && battle.is_present(id)
        && battle.facts(id).side != battle.phasing
        && unit.bombardments > 0
        && !unit.routing
}

/// The batteries that can bombard, those in contact with the enemy apart.
fn batteries<'a>(field: &'a Field<'_>) -> impl Iterator<Item = UnitId> + 'a {
    let battle = field.battle;
    battle.unit_ids().filter(move |&id| is_able(battle, id) && !contact::touches_enemy(field, id))
}

/// The range of a distance from a battery's front.
pub(crate) fn range(battle: &Battle, battery: UnitId, distance: f64) -> Option<RangeBand> {
    let ends = battle.numbers().ranges.of(battle.facts(battery).guns);
    decides!(HZ_BOM_12);
    let within = |end| distance <= battle.lay.length(end).f() + 1.0;
    if within(ends.short) {
        Some(RangeBand::Short)
    } else if within(ends.long) {
        Some(RangeBand::Long)
    } else {
        within(ends.extreme).then_some(RangeBand::Extreme)
    }
}

/// The lane of a battery out to extreme range (HZ-GEO-06: touching a flank line counts).
#[must_use]
pub fn lane(battle: &Battle, battery: UnitId, placed: &Placed) -> Zone {
    decides!(HZ_GEO_06);
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme);
    let edge = shape::lengthened(placed.face(Face::Front), battle.lay.sizes.touch.f());
    Zone::from_face(edge, placed.forward(), extreme)
}

/// Whether a unit is a legitimate target for a battery where both lie in the field (HZ-BOM-04 to HZ-BOM-11).
#[must_use]
pub fn target(field: &Field<'_>, battery: UnitId, unit: UnitId) -> Option<Target> {
    decides!(HZ_BOM_10, HZ_BOM_11);
    target_but(field, battery, unit, &|_| false)
}

/// Whether the battery has bombarded the unit already since it last acted (HZ-BOM-09).
fn is_again(battle: &Battle, battery: UnitId, unit: UnitId) -> bool {
    let order = battle.unit(unit).acted;
    battle.bombarded.iter().any(|one| one.battery == battery && one.target == unit && one.order == order)
}

/// The same, some ground seen through (HZ-HED-08).
pub(crate) fn target_but(
    field: &Field<'_>,
    battery: UnitId,
    unit: UnitId,
    seen_through: &dyn Fn(u16) -> bool,
) -> Option<Target> {
    let battle = field.battle;
    let placed = field.get(battery)?;
    let there = field.get(unit)?;
    let distance = lane(battle, battery, placed).nearest(there)?;
    decides!(HZ_BOM_04);
    let band = range(battle, battery, distance)?;
    if is_again(battle, battery, unit)
        || contact::is_engaged(field, unit)
        || zones::in_dead_ground(battle, placed, there)
    {
        return None;
    }
    let found = Target { unit, distance, range: band };
    (in_sight(field, battery, placed, &found, there, seen_through)).then_some(found)
}

/// Line of sight, with what hills, howitzers and hedges allow (HZ-BOM-06, HZ-BOM-10, HZ-BOM-11, HZ-WOO-12, HZ-BLD-07, HZ-DIF-05).
fn in_sight(
    field: &Field<'_>,
    battery: UnitId,
    placed: &Placed,
    found: &Target,
    there: &Placed,
    seen_through: &dyn Fn(u16) -> bool,
) -> bool {
    decides!(HZ_DIF_05);
    let battle = field.battle;
    let face = placed.face(Face::Front);
    let level = OnceCell::new();
    let level = || *level.get_or_init(|| ground::elevation(battle, placed));
    let far = found.range != RangeBand::Short;
    let over = |friend: UnitId| {
        decides!(HZ_HIL_11, HZ_HIL_12);
        if !far || battle.facts(friend).side != battle.facts(battery).side || level() == 0 {
            return false;
        }
        let Some(between) = field.get(friend) else { return false };
        if ground::elevation(battle, between) >= level() {
            return false;
        }
        let off = (between.centre() - placed.pose().at.v()).dot(placed.forward());
        let nearest = shape::corners(between)
            .iter()
            .map(|&corner| (corner - placed.pose().at.v()).dot(placed.forward()))
            .fold(off, f64::min);
        let friend_range = range(battle, battery, nearest.max(0.0));
        let gap = battle.lay.length(battle.numbers().over_friends).f() - 1.0;
        let close_friend = friend_range == Some(RangeBand::Short) && exact_distance(between, there) >= gap;
        let high_target = friend_range != Some(found.range) && ground::elevation(battle, there) >= level();
        close_friend || high_target
    };
    decides!(HZ_BOM_06);
    if !sight::units_clear_but(field, battery, face, found.unit, over) {
        return false;
    }
    if battle.lay.terrain.is_empty() {
        return true;
    }
    if hidden_inside(field, found.unit, there) && kept_out(field, battery, level(), found, there).is_some() {
        return false;
    }
    if sight::beyond_cliff(battle, placed, there, far) || zones::beyond_ridge(battle, placed, there) {
        return false;
    }
    sight::ground_clear_but(field, battery, placed, Face::Front, found.unit, seen_through)
}

/// Whether a unit is deep in a wood, or in buildings without being deployed there: no target for guns (HZ-WOO-07, HZ-BLD-06).
fn hidden_inside(field: &Field<'_>, unit: UnitId, there: &Placed) -> bool {
    decides!(HZ_WOO_07, HZ_BLD_06);
    let battle = field.battle;
    if battle.unit(unit).sector.is_some() {
        return false;
    }
    let lies = ground::Lies::under(battle, there);
    lies.in_any().iter().any(|&n| match battle.lay.terrain[usize::from(n)].kind {
        Kind::Wood { .. } => lies.wholly_in(n) && !ground::adjacent(battle, there, n),
        Kind::Buildings { .. } => lies.wholly_in(n),
        _ => false,
    })
}

/// Why a battery cannot reach a unit inside a wood or buildings: howitzers and rockets on higher ground reach into light woods and into
/// buildings beyond short range, clear of their friends (HZ-WOO-12, HZ-BLD-07).
fn kept_out(field: &Field<'_>, battery: UnitId, level: i8, found: &Target, there: &Placed) -> Option<Barred> {
    let battle = field.battle;
    let facts = battle.facts(battery);
    let terrain = |n: u16| &battle.lay.terrain[usize::from(n)];
    let lies = ground::Lies::under(battle, there);
    let in_wood = lies.in_any().iter().any(|&n| matches!(terrain(n).kind, Kind::Wood { .. }));
    let says = |wood: &'static str, buildings: &'static str| match in_wood {
        true => Some((HZ_WOO_12, wood)),
        false => Some((HZ_BLD_07, buildings)),
    };
    decides!(HZ_WOO_12, HZ_BLD_07);
    if facts.pieces == Pieces::Cannon {
        return match in_wood {
            true => Some((HZ_WOO_07, "Cannon do not reach it deep in the wood")),
            false => Some((HZ_BLD_06, "Cannon do not reach it inside the buildings")),
        };
    }
    if found.range == RangeBand::Short {
        return says(
            "At short range howitzers and rockets do not reach into a wood",
            "At short range howitzers and rockets do not reach into buildings",
        );
    }
    if lies.in_any().iter().any(|&n| terrain(n).kind == Kind::Wood { heavy: true }) {
        return says("Howitzers and rockets do not reach into a heavy wood", "");
    }
    let covers = |n: u16| matches!(terrain(n).kind, Kind::Wood { .. } | Kind::Buildings { .. });
    if lies.in_any().iter().any(|&n| covers(n) && level <= terrain(n).level) {
        return says(
            "Howitzers and rockets reach into a light wood only from higher ground",
            "Howitzers and rockets reach into buildings only from higher ground",
        );
    }
    let numbers = battle.numbers();
    let near = if in_wood { numbers.howitzers_into_woods } else { numbers.howitzers_into_buildings };
    let near = battle.lay.length(near).f();
    if field.of_side(facts.side).any(|(_, friend)| nearer(friend, there, near)) {
        return says(
            "Howitzers and rockets do not fire into a light wood so near to their own side's units",
            "Howitzers and rockets do not fire into buildings so near to their own side's units",
        );
    }
    None
}

/// The nearest legitimate targets straight ahead of a battery: one, or several equally near (HZ-BOM-05).
#[must_use]
pub fn targets(field: &Field<'_>, battery: UnitId) -> SmallVec<[Target; 2]> {
    let battle = field.battle;
    let mut best: SmallVec<[Target; 2]> = SmallVec::new();
    let Some(placed) = field.get(battery) else { return best };
    let lane = lane(battle, battery, placed);
    let mut ahead: SmallVec<[(f64, UnitId); 8]> = field
        .enemies_meeting(battery, lane.bounds())
        .filter_map(|(id, there)| lane.nearest(there).map(|distance| (distance, id)))
        .collect();
    ahead.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let touch = battle.lay.sizes.touch.f();
    decides!(HZ_BOM_05);
    for (distance, id) in ahead {
        if best.first().is_some_and(|held| distance > held.distance + touch) {
            break;
        }
        best.extend(target(field, battery, id));
    }
    hedges::come_first(field, battery, &mut best);
    best
}

/// Why a battery may not bombard a unit straight ahead of it now; nothing where it may.
#[must_use]
pub fn why_not(field: &Field<'_>, battery: UnitId, unit: UnitId) -> Option<Barred> {
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(battery), field.get(unit)) else {
        return Some((HZ_BOM_04, "It is not on the table"));
    };
    decides!(HZ_BOM_08);
    if battle.facts(battery).side == battle.facts(unit).side {
        return Some((HZ_BOM_08, "It is of the battery's own side"));
    }
    decides!(HZ_BOM_03);
    if !is_able(battle, battery) || contact::touches_enemy(field, battery) {
        return Some((HZ_BOM_03, "The battery is limbered, routing, in contact or has no bombardment left"));
    }
    decides!(HZ_BOM_04);
    let Some(distance) = lane(battle, battery, placed).nearest(there) else {
        return Some((HZ_BOM_04, "It is not straight ahead and in range"));
    };
    let Some(range) = range(battle, battery, distance) else {
        return Some((HZ_BOM_04, "It is out of range"));
    };
    decides!(HZ_BOM_07);
    if contact::is_engaged(field, unit) {
        return Some((HZ_BOM_07, "It is in contact with the enemy"));
    }
    decides!(HZ_BOM_09);
    if is_again(battle, battery, unit) {
        return Some((HZ_BOM_09, "The battery has bombarded it already"));
    }
    decides!(HZ_HIL_08);
    if zones::in_dead_ground(battle, placed, there) {
        return Some((HZ_HIL_08, "It lies wholly in dead ground, below a contour the battery is not at"));
    }
    decides!(HZ_HIL_06);
    if zones::beyond_ridge(battle, placed, there) {
        return Some((HZ_HIL_06, "A ridge hides it from the battery"));
    }
    if hidden_inside(field, unit, there) {
        let found = Target { unit, distance, range };
        let barred = kept_out(field, battery, ground::elevation(battle, placed), &found, there);
        if barred.is_some() {
            return barred;
        }
    }
    decides!(HZ_BOM_06);
    if target(field, battery, unit).is_none() {
        return Some((HZ_BOM_06, "There is no clear line of sight to it"));
    }
    decides!(HZ_BOM_05);
    if !targets(field, battery).iter().any(|found| found.unit == unit) {
        return Some((HZ_BOM_05, "Another legitimate target is nearer"));
    }
    None
}

/// A shot at a unit straight ahead and in range, whatever forbids it; nothing where the battery cannot fire at all.
#[must_use]
pub fn shot(field: &Field<'_>, battery: UnitId, unit: UnitId) -> Option<Target> {
    let (placed, there) = (field.get(battery)?, field.get(unit)?);
    let found = targets(field, battery).into_iter().find(|found| found.unit == unit);
    let forced = || {
        let distance = lane(field.battle, battery, placed).nearest(there)?;
        let range = range(field.battle, battery, distance)?;
        is_able(field.battle, battery).then_some(Target { unit, distance, range })
    };
    found.or_else(forced)
}

/// Whether some battery has something to fire at, straight ahead, through a hedge or by sighting its guns, or a mine can be fired.
#[must_use]
pub fn any_target(battle: &Battle) -> bool {
    let field = Field::of(battle);
    let has_target = |battery: UnitId| {
        battle.guns.get(battery.index(), || (looked(battle, battery), vec![has_target_on(&field, battery)]))[0]
    };
    // One that is known to have something is enough: the others need not be looked at.
    let known = || {
        battle
            .unit_ids()
            .any(|id| battle.guns.known(id.index()).is_some_and(|found| found == [true]) && may_fire(&field, id))
    };
    // Straight ahead is soon seen; what the guns could be swung to takes longer.
    let ahead = |battery: UnitId| {
        let found = battle.guns.known(battery.index()).is_none() && !targets(&field, battery).is_empty();
        found && battle.guns.get(battery.index(), || (looked(battle, battery), vec![true]))[0]
    };
    siege::any_mine(battle) || known() || batteries(&field).any(ahead) || batteries(&field).any(has_target)
}

/// Whether some battery has something to fire at straight ahead, which is soon seen.
pub(crate) fn any_straight_ahead(battle: &Battle) -> bool {
    let field = Field::of(battle);
    batteries(&field).any(|battery| !targets(&field, battery).is_empty())
}

/// The ground that matters to what a battery can fire at: all within its range, and what touches a unit that is partly in it.
fn looked(battle: &Battle, battery: UnitId) -> Looked {
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme);
    let numbers = battle.numbers();
    let near = battle.lay.length(numbers.howitzers_into_woods.max(numbers.howitzers_into_buildings));
    let here = battle.laid.get(battery).map_or(Bounds::EMPTY, Outline::bounds);
    Looked::round(here.grown((extreme + near + Length::mm(500)).f()))
}

fn has_target_on(field: &Field<'_>, battery: UnitId) -> bool {
    !targets(field, battery).is_empty()
        || !hedges::targets(field, battery).is_empty()
        || sighting::is_any(field, battery)
}

/// The same where a unit is somewhere on its way.
fn any_target_on(field: &Field<'_>) -> bool {
    batteries(field).any(|battery| !targets(field, battery).is_empty())
        || batteries(field).any(|battery| has_target_on(field, battery))
}

/// Whether a battery can bombard now.
pub(crate) fn may_fire(field: &Field<'_>, battery: UnitId) -> bool {
    is_able(field.battle, battery) && !contact::touches_enemy(field, battery)
}
