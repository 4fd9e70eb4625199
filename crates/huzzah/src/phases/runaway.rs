//! Cavalry out of control: it rides for the enemy's line of communication until something stops it (HZ-BLO-10 to HZ-BLO-14).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Length, OnTable, Point, first_contact};

use super::officers::flight;
use super::route::Route;
use super::{Play, harm, path, rout};
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::{HZ_BLO_11, HZ_BLO_12, HZ_BLO_13, HZ_BLO_14};
use crate::event::Event;
use crate::state::{Finish, Way};
use crate::table::{Field, shape, track};
use crate::troops::Formation;

/// How a runaway's ride ends.
struct Ride {
    /// The way, as far as it gets.
    points: Vec<Point>,
    /// It ends in contact with an enemy.
    contact: bool,
}

/// Cavalry whose recall failed runs at the enemy (HZ-BLO-11, HZ-BLO-12).
pub(super) fn run_away(play: &mut Play<'_>, unit: UnitId) {
    decides!(HZ_BLO_11, HZ_BLO_12);
    decides!(HZ_BLO_14);
    let ride = ride(play.battle(), unit);
    let goal = play.battle().lay.armies[play.battle().facts(unit).side.other().index()].communication;
    let reached = ride.points.last().is_some_and(|&last| last.distance(goal) <= Length::mm(1));
    let footprint = play.battle().facts(unit).footprints[Formation::Mob.index()].clone();
    rout::trample(play, unit, &ride.points);
    if !play.battle().is_present(unit) {
        return;
    }
    if ride.contact {
        meet(play, unit, &ride.points);
    } else {
        rout::settle_mob(play, unit, &ride.points);
    }
    if !play.battle().is_present(unit) {
        return;
    }
    let legs = path::legs(&footprint, &ride.points, None);
    let trail: Vec<_> = legs.map(|(way, length, mover)| shape::drawn_out(&mover, way * length)).collect();
    flight::run_over(play, unit, &trail);
    if reached || play.battle().lay.table.on_table(&play.battle().placed(unit)) != OnTable::Wholly {
        harm::break_unit(play, unit, Presence::RoutedOff, HZ_BLO_11);
    }
}

/// It comes to stand before the enemy it has run into, and will fight him (HZ-BLO-13).
fn meet(play: &mut Play<'_>, unit: UnitId, points: &[Point]) {
    decides!(HZ_BLO_13);
    let battle = play.battle();
    let footprint = &battle.facts(unit).footprints[Formation::Mob.index()];
    let last = path::legs(footprint, points, None).last();
    let pose = last.map_or(battle.unit(unit).pose, |(way, length, mover)| {
        track::moved(&mover, way, Length::floored(length)).pose()
    });
    play.happen(Event::Formed { unit, formation: Formation::Mob, pose });
    play.happen(Event::Spent { unit, clause: HZ_BLO_13 });
}

/// One full move along the way to the enemy's line of communication, cut short by the first enemy in the mob's path, or one stand deep in
/// the first new zone.
fn ride(battle: &Battle, unit: UnitId) -> Ride {
    let field = Field::of(battle);
    let Some(placed) = field.get(unit) else { return Ride { points: Vec::new(), contact: false } };
    let from = Point::rounded(placed.centre());
    let goal = battle.lay.armies[battle.facts(unit).side.other().index()].communication;
    let footprint = &battle.facts(unit).footprints[Formation::Mob.index()];
    let plain = path::obstacles(&field, unit, Formation::Mob);
    let route = Route { battle, room: path::room(footprint), obstacles: &plain, bridges: true, least: Length::ZERO };
    let whole = route.way(from, goal).unwrap_or_else(|| vec![from]);
    let points = path::walk(battle, unit, Formation::Mob, &whole, None);
    let mut gone = 0.0;
    let mut most = f64::INFINITY;
    for (way, length, mover) in path::legs(footprint, &points, None) {
        if gone >= most {
            break;
        }
        let met = field.enemies(unit).filter_map(|(_, enemy)| first_contact(&mover, way, length, enemy));
        let met = met.fold(f64::INFINITY, f64::min);
        let contact = met.is_finite().then(|| (Length::floored(met), Finish::Contact));
        let limit = Length::rounded(length.min(met));
        // Zones stop it in the usual way, obliquely too, and what it still goes inside makes no contact (HZ-BLO-12, HZ-ADV-07).
        if most.is_finite() {
            most = most.min(gone + met - battle.lay.sizes.clear.f());
        } else if let Some((_, end)) = track::zone_stop(&field, unit, &mover, way, Way::Ahead, limit, contact) {
            most = gone + end.f();
        } else if met.is_finite() {
            return Ride { points: path::cut(&points, Length::floored(gone + met)), contact: true };
        }
        gone += length;
    }
    let end = if most.is_finite() { path::cut(&points, Length::rounded(most)) } else { points };
    Ride { points: end, contact: false }
}
