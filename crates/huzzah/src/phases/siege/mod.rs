//! The siege: escalades, the way over the battlements and along the walls, mines (HZ-FTW-01 to HZ-FTW-14, HZ-BRE-03).

pub mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Length, OnTable, Placed, Pose, first_contact, nearer, overlapping};
use smallvec::SmallVec;

use super::officers::flight;
use super::orders::Barred;
use super::{Play, act, advance, bombard, threat};
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_11, HZ_BRE_03, HZ_BRE_07, HZ_FTW_01, HZ_FTW_02, HZ_FTW_03, HZ_FTW_04, HZ_FTW_13, HZ_FTW_14,
};
use crate::event::Event;
use crate::state::{Act, Finish, Moving};
use crate::table::ground::Lies;
use crate::table::{Field, shape, siege, track};
use crate::terrain::Kind;
use crate::troops::{Arm, Formation, Order};

// ------------------------------------------------------------------ escalade

/// Whether a unit at the foot of a wall can scale it: infantry in line or open order, in a siege (HZ-FTW-01).
pub fn may_scale(field: &Field<'_>, unit: UnitId, wall: u16) -> Result<(), Barred> {
    let battle = field.battle;
    let foot = field.get(unit).and_then(|placed| siege::foot_of(battle, unit, placed));
    decides!(HZ_FTW_04);
    if foot != Some(wall) {
        return Err((HZ_FTW_04, "It does not stand with its front at the foot of that wall"));
    }
    decides!(HZ_FTW_01);
    if !battle.lay.options.siege {
        return Err((HZ_FTW_01, "Nobody scales a fortress wall except in a siege"));
    }
    let (arm, formation) = (battle.facts(unit).arm, battle.unit(unit).formation);
    decides!(HZ_FTW_01);
    if arm != Arm::Infantry || !matches!(formation, Formation::Line | Formation::OpenOrder) {
        return Err((HZ_FTW_01, "Only infantry in line or open order scales a wall"));
    }
    Ok(())
}

/// Levels of wall and trench that an advance order to these units is to overcome: those of the highest wall that one of them stands ready
/// to scale (HZ-FTW-02, HZ-FTW-03).
#[must_use]
pub fn levels_to_scale(field: &Field<'_>, units: &[UnitId]) -> (u8, u8) {
    if !field.battle.lay.options.siege {
        return (0, 0);
    }
    decides!(HZ_BRE_07, HZ_FTW_02, HZ_FTW_03);
    let ready = units.iter().filter_map(|&unit| {
        let wall = siege::foot_of(field.battle, unit, field.get(unit)?)?;
        may_scale(field, unit, wall).is_ok().then(|| siege::levels(field.battle, wall))
    });
    ready.max_by_key(|&(height, trench)| (height + trench, height)).unwrap_or_default()
}

/// A unit goes up the ladders.
pub(crate) fn escalade(play: &mut Play<'_>, unit: UnitId, wall: u16) -> Result<(), Halt> {
    act::require(play, unit, Order::Advance)?;
    let allowed = may_scale(&Field::of(play.battle()), unit, wall);
    if let Err((clause, says)) = allowed {
        play.refuse(Refusal::new(clause, says))?;
    }
    act::begin(play, unit, Act::Escalade { wall }, 0, Finish::There)
}

/// It is on top, engaged with the unit that holds that stretch (HZ-FTW-04).
pub(crate) fn complete_escalade(play: &mut Play<'_>, unit: UnitId, wall: u16) {
    let battle = play.battle();
    let placed = battle.placed(unit);
    let gap = battle
        .lay
        .ground
        .get(sabretache_table::FeatureId(wall))
        .and_then(|lie| first_contact(&placed, placed.forward(), battle.lay.sizes.adjacent.f(), &lie));
    let pose = placed.pose().ahead(Length::floored(gap.unwrap_or(0.0)));
    let defender = siege::defender_of(&Field::of(battle), unit, wall);
    play.happen(Event::Scales { unit, wall, pose });
    if let Some(enemy) = defender {
        play.happen(Event::Across { unit, enemy: Some(enemy) });
        play.happen(Event::Spent { unit, clause: HZ_ADV_11 });
    }
}

/// Where a unit that has scaled a wall stands once it is over the battlements: just beyond them, where a defender would stand
/// (HZ-FTW-13).
pub fn over_battlements(field: &Field<'_>, unit: UnitId) -> Result<Pose, Barred> {
    let battle = field.battle;
    let (Some(placed), Some(scaled)) = (field.get(unit), battle.unit(unit).scaled) else {
        return Err((HZ_FTW_13, "It has scaled no wall"));
    };
    let Some(lie) = battle.lay.ground.get(sabretache_table::FeatureId(scaled.wall)) else {
        return Err((HZ_FTW_13, "It has scaled no wall"));
    };
    let distance = track::just_across(placed, placed.forward(), crate::state::Way::Ahead, &lie, battle.lay.sizes.clear);
    let there = track::moved(placed, placed.forward(), distance);
    let touch = battle.lay.sizes.touch.f();
    let free = field.all().all(|(id, other)| {
        let friend = battle.facts(id).side == battle.facts(unit).side;
        id == unit || if friend { !overlapping(&there, other) } else { !nearer(&there, other, touch) }
    });
    decides!(HZ_FTW_13);
    if !free || battle.lay.table.on_table(&there) != OnTable::Wholly {
        return Err((HZ_FTW_13, "There is no room for it beyond the battlements"));
    }
    Ok(there.pose())
}

/// It steps over the battlements.
pub(crate) fn climb_over(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    act::require(play, unit, Order::Advance)?;
    let pose = over_battlements(&Field::of(play.battle()), unit);
    match pose {
        Ok(pose) => act::begin(play, unit, Act::ClimbOver { pose }, 0, Finish::There),
        Err((clause, says)) => Err(Refusal::new(clause, says).into()),
    }
}

/// A unit that has scaled a wall goes on over it or back down; it does nothing else there.
pub fn bound_to_wall(battle: &Battle, unit: UnitId, order: Order) -> Result<(), Barred> {
    let elsewhere = matches!(order, Order::Manoeuvre | Order::Deploy);
    decides!(HZ_FTW_13);
    if elsewhere && battle.unit(unit).scaled.is_some() {
        return Err((HZ_FTW_13, "On the edge of the wall it can only go on or back"));
    }
    Ok(())
}

// ------------------------------------------------------------------ along the wall

fn along_wall(field: &Field<'_>, unit: UnitId, right: bool) -> Option<Pose> {
    let battle = field.battle;
    let pose = siege::along_wall(battle, unit, field.get(unit)?, right)?;
    super::deploy::fits(field, unit, Formation::MarchColumn, pose).then_some(pose)
}

/// It turns along the wall.
pub(crate) fn turn_along(play: &mut Play<'_>, unit: UnitId, right: bool) -> Result<(), Halt> {
    act::require(play, unit, Order::Deploy)?;
    let pose = along_wall(&Field::of(play.battle()), unit, right);
    match pose {
        Some(pose) => act::begin(play, unit, Act::AlongWall { pose }, 0, Finish::There),
        None => Err(Refusal::new(HZ_FTW_14, "It is not on a wall, or there is no room along it").into()),
    }
}

/// The unit has come over the battlements, or along them.
pub(crate) fn complete(play: &mut Play<'_>, moving: Moving) {
    let unit = moving.unit;
    match moving.act {
        Act::Escalade { wall } => complete_escalade(play, unit, wall),
        Act::ClimbOver { pose } => {
            play.happen(Event::Moved { unit, pose, done: 0 });
            make_room(play, unit);
        }
        Act::AlongWall { pose } => {
            play.happen(Event::Formed { unit, formation: Formation::MarchColumn, pose });
            make_room(play, unit);
        }
        _ => {}
    }
}

/// Friends it has come to touch, and officers on whom it stands.
fn make_room(play: &mut Play<'_>, unit: UnitId) {
    let touched = super::manoeuvre::ends_touching(play.battle(), unit);
    advance::stagger_friends(play, unit, &touched);
    if play.battle().is_present(unit) {
        let placed = play.battle().placed(unit);
        flight::run_over(play, unit, &[sabretache_table::Convex::hull(&shape::corners(&placed))]);
    }
}

// ------------------------------------------------------------------ mines

/// Whether the mine under a breach can be fired now: it lies there still, it is the besieger's orders phase, and somebody is on the slope
/// (HZ-BRE-03).
#[must_use]
pub fn may_explode(field: &Field<'_>, breach: u16) -> bool {
    let battle = field.battle;
    let mined = matches!(
        battle.lay.terrain.get(usize::from(breach)).map(|terrain| terrain.kind),
        Some(Kind::Breach { mined: true })
    );
    mined
        && !battle.exploded.contains(&breach)
        && siege::besieger(battle) == Some(battle.phasing)
        && siege::on_slope(field, breach).iter().any(|&id| battle.facts(id).side == battle.phasing)
}

fn mined(battle: &Battle) -> impl Iterator<Item = u16> + '_ {
    (0..battle.lay.terrain.len() as u16)
        .filter(|&n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Breach { mined: true }))
}

/// Whether any mine can be fired now.
#[must_use]
pub fn any_mine(battle: &Battle) -> bool {
    mined(battle).any(|breach| may_explode(&Field::of(battle), breach))
}

/// A mine goes up: everybody on the slope tests (HZ-BRE-03).
pub(crate) fn explode(play: &mut Play<'_>, breach: u16) -> Result<(), Halt> {
    let may = may_explode(&Field::of(play.battle()), breach);
    play.require(may, HZ_BRE_03, || "There is no mine to be fired there now".into())?;
    let caught = siege::on_slope(&Field::of(play.battle()), breach);
    play.happen(Event::Explodes { breach });
    for unit in caught {
        if play.battle().is_present(unit) {
            let facts = threat::mined(&Field::of(play.battle()), unit);
            threat::resolve(play, unit, &facts)?;
        }
    }
    bombard::after_fire(play)
}

/// Where on its way a mover comes on to the slope of a mined breach, or is there when the other side wants to be asked again: the mine may be
/// fired under it (HZ-BRE-03).
#[must_use]
pub fn next_moment(battle: &Battle, moving: &Moving) -> Option<i32> {
    if !bombard::has_path(moving.act) || siege::besieger(battle) != Some(battle.phasing) {
        return None;
    }
    decides!(HZ_BRE_03);
    let laid: SmallVec<[u16; 2]> = mined(battle).filter(|breach| !battle.exploded.contains(breach)).collect();
    let placed = |at: i32| battle.placed_at(moving.unit, act::pose_at(battle, moving, at));
    let comes_on = laid.iter().filter_map(|&breach| comes_on(battle, moving, breach, &placed));
    let asked = Some(moving.ask)
        .filter(|&at| laid.iter().any(|&breach| may_explode(&Field::with(battle, moving.unit, placed(at)), breach)));
    comes_on.chain(asked).filter(|&at| at > moving.done && at < moving.end).min()
}

/// Where a mover first is on the slope of a breach by more than a touch.
fn comes_on(battle: &Battle, moving: &Moving, breach: u16, placed: &impl Fn(i32) -> Placed) -> Option<i32> {
    let lie = battle.lay.ground.get(sabretache_table::FeatureId(breach))?;
    if let Act::Straight { way } = moving.act {
        let along = track::heading(moving.from, way).unit();
        let at = first_contact(&placed(0), along, f64::from(moving.end), &lie)?;
        return Some(libm::ceil(at) as i32 + battle.lay.sizes.touch.to_um() + 500);
    }
    // Along a road or a wheel it is looked at in small steps; halving the last of them finds the place.
    let on_it = |at: i32| Lies::under(battle, &placed(at)).is_in(breach);
    let step = if matches!(moving.act, Act::Wheel { .. }) { 100 } else { 5_000 };
    let mut before = 0;
    while before < moving.end {
        let mut at = (before + step).min(moving.end);
        if on_it(at) {
            while at - before > 1 {
                let middle = before.midpoint(at);
                if on_it(middle) { at = middle } else { before = middle }
            }
            return Some(at);
        }
        before = at;
    }
    None
}
