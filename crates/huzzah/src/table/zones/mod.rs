//! Threat zones: how deep, cut by friends, shadowed by enemies, stopped by terrain (HZ-ZON-01 to HZ-ZON-19).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Face, Length, Lie, Outline, Placed, Shadowed, Zone};
use smallvec::SmallVec;

mod depth;
mod hidden;
mod seen;

pub use depth::{deepest, faces, has_zone};
use depth::{depth, lengthened};
pub use hidden::{beyond_ridge, in_dead_ground, sunk_from};
use hidden::{in_wood, shares_dense};
pub use seen::faces_obstacle;
pub(super) use seen::lines;
use seen::{Lane, enclosure, screens, sees_in_zone};

use super::Field;
use super::ground;
use super::shape::Shape;
use crate::clauses::{
    HZ_ADV_09, HZ_BRE_04, HZ_REI_08, HZ_THR_26, HZ_THR_32, HZ_WOO_10, HZ_ZON_02, HZ_ZON_03, HZ_ZON_06, HZ_ZON_12,
    HZ_ZON_18, HZ_ZON_19,
};
use crate::state::{Bearing, Threat};
use crate::troops::Arm;

/// A few units.
pub type Units = SmallVec<[UnitId; 8]>;

/// The threats on one unit.
pub type Threats = SmallVec<[Threat; 4]>;

/// One face's zone, cut off by friends (HZ-ZON-06). `but` is not counted among the friends.
fn cut_zone(field: &Field<'_>, id: UnitId, placed: &Placed, face: Face, depth: Length, but: Option<UnitId>) -> Zone {
    decides!(HZ_ZON_02, HZ_ZON_19);
    decides!(HZ_ZON_06);
    let zone = Zone::before(placed, face, depth);
    let friends = field.friends_meeting(id, zone.bounds()).filter(|(other, _)| Some(*other) != but);
    zone.cut(friends.map(|(_, friend)| friend))
}

/// Whether a unit's zone reaches a target, where both lie in the field (HZ-ZON-03).
#[must_use]
pub fn threatens(field: &Field<'_>, id: UnitId, target: UnitId) -> bool {
    decides!(HZ_ZON_03);
    reaches(field, id, target, Superiority::Counts)
}

/// The same without skirmisher superiority, for who looks at it with basic depths.
#[must_use]
pub fn threatens_basic(field: &Field<'_>, id: UnitId, target: UnitId) -> bool {
    reaches(field, id, target, Superiority::LeftOut)
}

/// Whether the skirmishers' superiority lengthens a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Superiority {
    Counts,
    LeftOut,
}

fn reaches(field: &Field<'_>, id: UnitId, target: UnitId, superiority: Superiority) -> bool {
    decides!(HZ_ZON_12, HZ_WOO_10);
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(id), field.get(target)) else { return false };
    if !has_zone(battle, id) {
        return false;
    }
    let facts = battle.facts(id);
    let touch = battle.lay.sizes.touch;
    if !field.is_near(placed, there, deepest(battle).f() + touch.f()) {
        return false;
    }
    decides!(HZ_ZON_18);
    let depth = depth(field, id, placed);
    let bonus = superiority == Superiority::Counts && lengthened(field, id, &depth, target, there);
    let outside = if bonus { depth.outside + battle.lay.length(battle.numbers().superiority) } else { depth.outside };
    let reach = if depth.dense && shares_dense(battle, placed, there) { depth.inside } else { outside };
    if reach <= Length::ZERO || !field.is_near(placed, there, reach.f() + touch.f()) {
        return false;
    }
    decides!(HZ_BRE_04);
    if facts.arm == Arm::Artillery && in_dead_ground(battle, placed, there) {
        return false;
    }
    if sunk_from(battle, placed, there, target) {
        return false;
    }
    let cavalry_into_wood = facts.arm == Arm::Cavalry && !facts.horse.is_irregular();
    if cavalry_into_wood && in_wood(battle, there) {
        return false;
    }
    faces(battle, id).into_iter().any(|face| {
        let zone = cut_zone(field, id, placed, face, reach, None);
        sees_in_zone(field, id, placed, face, &zone, &depth, target, there)
    })
}

/// A zone as a moving unit meets it.
pub struct Met {
    /// With the touch that counts as being in it: what it touches first has stopped it.
    pub touched: Shadowed,
    /// The zone itself, which it is then placed inside of.
    pub zone: Shadowed,
}

/// The zones of one enemy as they bear on a moving unit: what it is stopped by when it first touches it (HZ-ADV-06).
pub fn stopping(field: &Field<'_>, id: UnitId, mover: UnitId, out: &mut SmallVec<[Met; 4]>) {
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(id), field.get(mover)) else { return };
    if !has_zone(battle, id) {
        return;
    }
    let depth = depth(field, id, placed);
    let bonus = lengthened(field, id, &depth, mover, there);
    let reach = if bonus { depth.outside + battle.lay.length(battle.numbers().superiority) } else { depth.outside };
    if reach <= Length::ZERO {
        return;
    }
    for face in faces(battle, id) {
        let zone = cut_zone(field, id, placed, face, reach, None);
        let lane = Lane::of(battle, placed, face, &zone);
        let screens = screens(field, id, placed, face, zone.depth());
        let mut others: SmallVec<[Shape<'_>; 16]> = SmallVec::new();
        for (other, outline) in field.enemies_meeting(id, lane.touched.bounds()) {
            if other != mover && lane.touched.nearest(outline).is_some() {
                lane.hide(outline, &mut others);
                others.push(Shape::Unit(outline));
            }
        }
        for lie in screens {
            lane.hide(&lie, &mut others);
            others.push(Shape::Ground(lie));
        }
        others.extend(enclosure(battle, &depth));
        out.push(Met { touched: lane.touched.shadowed(others.iter()), zone: zone.shadowed(others.iter()) });
    }
}

/// The present outline of a unit's zones against nobody in particular, for drawing and for the flanks of friends: basic
/// depth, shadowed and cut (HZ-GEO-18).
#[must_use]
pub fn outlines(field: &Field<'_>, id: UnitId) -> SmallVec<[Shadowed; 4]> {
    let battle = field.battle;
    let mut out = SmallVec::new();
    let Some(placed) = field.get(id) else { return out };
    if !has_zone(battle, id) {
        return out;
    }
    let depth = depth(field, id, placed);
    let reach = depth.outside;
    if reach <= Length::ZERO {
        return out;
    }
    for face in faces(battle, id) {
        let zone = cut_zone(field, id, placed, face, reach, None);
        let screens = screens(field, id, placed, face, zone.depth());
        let mut others: SmallVec<[Shape<'_>; 16]> = SmallVec::new();
        others.extend(
            field
                .enemies_meeting(id, zone.bounds())
                .filter(|(_, outline)| zone.nearest(*outline).is_some())
                .map(|(_, outline)| Shape::Unit(outline)),
        );
        others.extend(screens.into_iter().map(Shape::Ground));
        others.extend(enclosure(battle, &depth));
        out.push(zone.shadowed(others.iter()));
    }
    out
}

/// A face's zone as it supports a friend: basic depth, not cut by the friend itself (HZ-GEO-19).
#[must_use]
pub fn supporting_zone(field: &Field<'_>, id: UnitId, face: Face, supported: UnitId) -> Option<Zone> {
    let placed = field.get(id)?;
    if !has_zone(field.battle, id) {
        return None;
    }
    let reach = depth(field, id, placed).outside;
    (reach > Length::ZERO).then(|| cut_zone(field, id, placed, face, reach, Some(supported)))
}

/// What ends a supporter's zone before it comes to the unit: enemies in it, and ground (HZ-ZON-07, HZ-ZON-13 to HZ-ZON-16).
#[must_use]
pub fn between<'a>(field: &'a Field<'_>, id: UnitId, face: Face, zone: &Zone) -> SmallVec<[Shape<'a>; 8]> {
    let enemies = field.enemies_meeting(id, zone.bounds()).filter(|(_, enemy)| zone.nearest(*enemy).is_some());
    let mut found: SmallVec<[Shape<'a>; 8]> = enemies.map(|(_, enemy)| Shape::Unit(enemy)).collect();
    found.extend(ends_zone(field, id, face, zone.depth()).into_iter().map(Shape::Ground));
    found
}

/// Ground that ends a supporter's zone.
#[must_use]
pub fn ends_zone<'a>(field: &Field<'a>, id: UnitId, face: Face, reach: Length) -> SmallVec<[Lie<'a>; 8]> {
    field.get(id).map_or_else(SmallVec::new, |placed| screens(field, id, placed, face, reach))
}

/// How deep the zone of a unit's face is at present, after friends have cut it, against a target.
#[must_use]
pub fn present_depth(field: &Field<'_>, id: UnitId, face: Face, target: UnitId) -> Length {
    let (Some(placed), Some(there)) = (field.get(id), field.get(target)) else { return Length::ZERO };
    let depth = depth(field, id, placed);
    let bonus = lengthened(field, id, &depth, target, there);
    let reach =
        if bonus { depth.outside + field.battle.lay.length(field.battle.numbers().superiority) } else { depth.outside };
    cut_zone(field, id, placed, face, reach, None).depth()
}

/// Whether a unit disregards a threat in its tests: infantry in dense terrain and cavalry, cossacks in woods apart
/// (HZ-THR-32).
#[must_use]
pub fn ignores(field: &Field<'_>, target: UnitId, by: UnitId) -> bool {
    decides!(HZ_THR_32);
    let battle = field.battle;
    let (Some(there), Some(threat)) = (field.get(target), field.get(by)) else { return false };
    if battle.facts(target).arm != Arm::Infantry || battle.facts(by).arm != Arm::Cavalry {
        return false;
    }
    let garrison = battle.unit(target).sector.is_some();
    if battle.lay.terrain.is_empty() || !ground::wholly_dense(battle, there, garrison) {
        return false;
    }
    let cossacks_in_woods =
        battle.facts(by).horse.is_irregular() && !garrison && (in_wood(battle, there) || in_wood(battle, threat));
    !cossacks_in_woods
}

/// The enemies whose zones may reach a unit; no others do.
pub fn may_threaten<'a>(field: &'a Field<'_>, unit: UnitId) -> impl Iterator<Item = (UnitId, &'a Placed)> {
    let reach = deepest(field.battle).f() + field.battle.lay.sizes.touch.f();
    let near = field.get(unit).map(|placed| placed.bounds().grown(reach));
    near.into_iter().flat_map(move |near| field.enemies_meeting(unit, near))
}

/// The enemies in whose zones a unit lies, those it disregards included (HZ-ORD-15).
#[must_use]
pub fn zones_on(field: &Field<'_>, unit: UnitId) -> Units {
    may_threaten(field, unit).map(|(id, _)| id).filter(|&id| threatens(field, id, unit)).collect()
}

/// Whether a unit was in an enemy's zone before it acts on the order in hand, so that this zone does not stop it (HZ-ADV-09). One that has
/// come on to the table with that order was in none: where it stands at the edge it has only just met them (HZ-REI-08).
#[must_use]
pub fn began_in(field: &Field<'_>, enemy: UnitId, unit: UnitId) -> bool {
    decides!(HZ_ADV_09, HZ_REI_08);
    !field.battle.doing.came_on.contains(&unit) && threatens(field, enemy, unit)
}

/// Whether a unit lies in any enemy zone.
#[must_use]
pub fn in_any_zone(field: &Field<'_>, unit: UnitId) -> bool {
    may_threaten(field, unit).any(|(id, _)| threatens(field, id, unit))
}

/// The threats on a unit: who, from where, and whether there is smoke on the guns (HZ-THR-01).
#[must_use]
pub fn threats_on(field: &Field<'_>, unit: UnitId) -> Threats {
    let battle = field.battle;
    let mut threats = Threats::new();
    decides!(HZ_ZON_19);
    for (id, _) in may_threaten(field, unit) {
        if !threatens(field, id, unit) || ignores(field, unit, id) {
            continue;
        }
        let from = super::bearing::of_threat(field, id, unit, None);
        decides!(HZ_THR_26);
        let smoke = battle.facts(id).arm == Arm::Artillery && battle.unit(id).smoke > 0;
        threats.push(Threat { unit, by: id, from, smoke, tested: false });
    }
    threats
}

/// Whether any of the threats comes from flank or rear.
#[must_use]
pub fn from_flank_or_rear(threats: &[Threat]) -> bool {
    threats.iter().any(|threat| threat.from != Bearing::Front)
}
