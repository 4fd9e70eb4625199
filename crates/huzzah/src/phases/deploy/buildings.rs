//! Garrisons: which sectors of buildings a unit can deploy into (HZ-BLD-08 to HZ-BLD-15, HZ-STR-01 to HZ-STR-03).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Face, Placed, nearer, overlapping};

use crate::battle::Battle;
use crate::clauses::{HZ_BLD_08, HZ_BLD_10, HZ_BLD_11, HZ_BLD_15, HZ_STR_01, HZ_STR_02, HZ_STR_03};
use crate::phases::orders::Barred;
use crate::phases::{Play, act};
use crate::state::{Act, Finish};
use crate::table::garrison::{self, TWO_SIDES};
use crate::table::{Field, contact};
use crate::terrain::Kind;
use crate::troops::{Arm, Order};

/// The sides a garrison may line: all four with the ability or in a strong point, otherwise two that meet.
pub(crate) fn garrison_sides(battle: &Battle, unit: UnitId, sector: u16) -> &'static [u8] {
    let strong = matches!(battle.lay.terrain[usize::from(sector)].kind, Kind::Buildings { strong: true, .. });
    if strong || battle.facts(unit).abilities.opens_order() { &[0b1111] } else { &TWO_SIDES }
}

/// Whether infantry could be put into a sector: nobody else is in it.
pub(super) fn is_empty_for(field: &Field<'_>, unit: UnitId, sector: u16) -> bool {
    let battle = field.battle;
    let Some(area) = garrison::sector(battle, sector) else { return false };
    let taken = |(id, other): (UnitId, &Placed)| {
        id != unit && (battle.unit(id).sector == Some(sector) || overlapping(other, &area))
    };
    let state = battle.unit(unit);
    battle.facts(unit).arm == Arm::Infantry && !state.routing && state.sector != Some(sector) && !field.all().any(taken)
}

/// Whether a unit can deploy into a sector (HZ-BLD-08 to HZ-BLD-15, HZ-STR-02, HZ-STR-03).
pub fn may_garrison(field: &Field<'_>, unit: UnitId, sector: u16) -> Result<(), Barred> {
    decides!(HZ_BLD_10, HZ_BLD_15, HZ_STR_02, HZ_STR_03);
    let battle = field.battle;
    decides!(HZ_BLD_11, HZ_STR_01);
    let Some(area) = garrison::sector(battle, sector) else {
        return Err((HZ_BLD_11, "That is no sector of buildings"));
    };
    let Kind::Buildings { strong, .. } = battle.lay.terrain[usize::from(sector)].kind else {
        return Err((HZ_BLD_11, "That is no sector of buildings"));
    };
    let (Some(placed), facts) = (field.get(unit), battle.facts(unit)) else {
        return Err((HZ_BLD_11, "It is not on the table"));
    };
    if facts.arm != Arm::Infantry {
        return Err((HZ_STR_02, "Only infantry can garrison buildings"));
    }
    let state = battle.unit(unit);
    let near = if strong { battle.lay.sizes.touch.f() } else { battle.lay.sizes.adjacent.f() };
    match state.sector {
        Some(own) if own == sector => {
            // To line other sides of the same sector takes another deploy order.
            return if facts.abilities.opens_order() || strong {
                Err((HZ_BLD_11, "It is there already"))
            } else {
                Ok(())
            };
        }
        Some(_) if !facts.abilities.opens_order() => {
            return Err((HZ_BLD_15, "Close order troops must come out first"));
        }
        Some(own) => {
            let half = garrison::sector(battle, own)
                .is_some_and(|from| shares_half_a_face(&from, &area, battle.lay.sizes.adjacent.f()));
            if !half {
                return Err((HZ_BLD_10, "The sectors are not next to each other"));
            }
        }
        None if !nearer(placed, &area, near) => {
            return Err(if strong {
                (HZ_STR_03, "It is not in contact with the strong point")
            } else {
                (HZ_BLD_08, "It is not next to the sector")
            });
        }
        None => {}
    }
    let occupied = field.all().any(|(id, other)| {
        id != unit && (battle.unit(id).sector == Some(sector) || (state.sector.is_some() && overlapping(other, &area)))
    });
    if occupied {
        let clause = match (state.sector, strong) {
            (Some(_), _) => HZ_BLD_10,
            (None, true) => HZ_STR_02,
            (None, false) => HZ_BLD_08,
        };
        return Err((clause, "Somebody is there already"));
    }
    // A friend in the way would lie on the same ground as the garrison.
    if field.friends(unit).any(|(_, friend)| overlapping(friend, &area)) {
        return Err((HZ_BLD_08, "A friendly unit is in the sector"));
    }
    let touch = battle.lay.sizes.touch.f();
    let contested = field.enemies(unit).any(|(enemy, there)| {
        let front_touches = contact::front_meets(battle, enemy, there, &area, touch);
        overlapping(there, &area) || (front_touches && !battle.unit(enemy).routing)
    });
    if contested { Err((HZ_BLD_11, "The enemy contests it")) } else { Ok(()) }
}

fn shares_half_a_face(a: &Placed, b: &Placed, near: f64) -> bool {
    let half = |one: &Placed, other: &Placed| {
        Face::ALL.iter().any(|&face| {
            let edge = one.face(face);
            Face::ALL.iter().any(|&side| contact::shared(edge, other.face(side), near) >= edge.length() / 2.0 - 2.0)
        })
    };
    half(a, b) || half(b, a)
}

/// Infantry deploys into a sector.
pub(crate) fn garrison(play: &mut Play<'_>, unit: UnitId, sector: u16, sides: u8) -> Result<(), Halt> {
    act::require(play, unit, Order::Deploy)?;
    let allowed = may_garrison(&Field::of(play.battle()), unit, sector);
    let known = usize::from(sector) < play.battle().lay.terrain.len()
        && garrison_sides(play.battle(), unit, sector).contains(&sides);
    if let Err((clause, says)) = allowed {
        let impossible = !is_empty_for(&Field::of(play.battle()), unit, sector);
        play.refuse(Refusal { impossible, ..Refusal::new(clause, says) })?;
    }
    play.require(known, HZ_BLD_11, || "It cannot line those sides".into())?;
    act::begin(play, unit, Act::Garrison { sector, sides }, 0, Finish::There)
}
