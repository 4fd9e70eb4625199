//! Staggers, kills and what breaks (HZ-QUA-09 to HZ-QUA-13, HZ-OFF-21 to HZ-OFF-24).

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_table::Point;

use super::Play;
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::{HZ_CAS_04, HZ_OFF_12, HZ_OFF_21, HZ_OFF_24};
use crate::event::Event;
use crate::table::shape;

/// A unit takes staggers, and breaks if they are too many. Whether it still stands.
pub(crate) fn stagger(play: &mut Play<'_>, unit: UnitId, by: u8, clause: Clause) -> bool {
    if by == 0 || !play.battle().is_present(unit) {
        return play.battle().is_present(unit);
    }
    play.happen(Event::Staggered { unit, by, clause });
    settle(play, unit, clause)
}

/// A unit takes kills, and breaks if they are too many. Whether it still stands.
pub(crate) fn kill(play: &mut Play<'_>, unit: UnitId, by: u8, clause: Clause) -> bool {
    if by == 0 || !play.battle().is_present(unit) {
        return play.battle().is_present(unit);
    }
    play.happen(Event::Killed { unit, by, clause });
    settle(play, unit, clause)
}

/// Breaks a unit whose losses have reached its limit (HZ-QUA-11).
pub(crate) fn settle(play: &mut Play<'_>, unit: UnitId, clause: Clause) -> bool {
    let battle = play.battle();
    let condition = battle.condition(unit);
    if condition.is_destroyed(battle.numbers()) {
        break_unit(play, unit, Presence::Destroyed, HZ_CAS_04);
        return false;
    }
    if condition.is_broken(battle.numbers()) {
        break_unit(play, unit, Presence::Shattered, clause);
        return false;
    }
    true
}

/// Takes a unit off the table, with all that follows: its officer dies with it, or is left at the edge where it went off;
/// a command that is broken thereby loses its officer from the table.
pub(crate) fn break_unit(play: &mut Play<'_>, unit: UnitId, how: Presence, clause: Clause) {
    let officer = play.battle().attached_to(unit);
    if let Some(officer) = officer {
        if matches!(how, Presence::RoutedOff | Presence::RetiredOff) {
            let at = left_at(play.battle(), unit);
            play.happen(Event::Detaches { officer, at });
        } else {
            lose_officer(play, officer, OfficerStatus::Killed, HZ_OFF_21);
        }
    }
    play.happen(Event::Broken { unit, how, clause });
    after_leaving(play, unit);
}

/// A battalion leaves to join the skirmish line (HZ-SKI-07).
pub(crate) fn join_skirmishers(play: &mut Play<'_>, unit: UnitId) {
    if let Some(officer) = play.battle().attached_to(unit) {
        let at = Point::rounded(play.battle().placed(unit).centre());
        play.happen(Event::Detaches { officer, at });
    }
    play.happen(Event::JoinsSkirmishers { unit });
    after_leaving(play, unit);
}

/// Commands of which nothing is left lose their officers from the table (HZ-OFF-24).
fn after_leaving(play: &mut Play<'_>, unit: UnitId) {
    let mut here: Option<CommandId> = Some(play.battle().facts(unit).brigade);
    while let Some(command) = here {
        let battle = play.battle();
        if !battle.is_gone(command) {
            break;
        }
        let facts = battle.command_facts(command);
        let (above, officer) = (facts.above, facts.officer);
        play.happen(Event::CommandBroken { command });
        let battle = play.battle();
        let chief = battle.chief(battle.command_facts(command).side);
        if battle.officer(chief).supersedes == Some(command) && above.is_some() {
            play.happen(Event::Relinquishes { officer: chief });
            play.happen(Event::OfficerGone { officer, status: OfficerStatus::Removed, clause: HZ_OFF_24 });
        } else if above.is_some()
            && matches!(battle.officer(officer).status, OfficerStatus::Present | OfficerStatus::Superseded)
        {
            play.happen(Event::OfficerGone { officer, status: OfficerStatus::Removed, clause: HZ_OFF_24 });
        }
        here = above;
    }
}

/// Where a unit left the table: the point of the edge nearest to its middle.
fn left_at(battle: &Battle, unit: UnitId) -> Point {
    let centre = shape::centre_of(&battle.placed(unit));
    let table = &battle.lay.table;
    let clamp =
        |value: f64, most: sabretache_table::Length| sabretache_table::Length::rounded(value.clamp(0.0, most.f()));
    Point::new(clamp(centre.x, table.width), clamp(centre.y, table.depth))
}

/// An officer is killed or captured. A commander in chief who had superseded somebody leaves that officer back in his post
/// (HZ-OFF-12).
pub(crate) fn lose_officer(play: &mut Play<'_>, officer: OfficerId, status: OfficerStatus, clause: Clause) {
    let state = *play.battle().officer(officer);
    play.happen(Event::OfficerGone { officer, status, clause });
    if let Some(command) = state.supersedes {
        let relieved = play.battle().command_facts(command).officer;
        if play.battle().officer(relieved).status == OfficerStatus::Superseded {
            let at = spot_clear_of_enemies(play.battle(), relieved, state.at, command);
            play.happen(Event::OfficerComes { officer: relieved, at });
            let _ = HZ_OFF_12;
        }
    }
}

/// Where an officer can stand: here, or behind the nearest unit of his command if an enemy is here.
fn spot_clear_of_enemies(battle: &Battle, officer: OfficerId, at: Point, command: CommandId) -> Point {
    let side = battle.officer_facts(officer).side;
    let base = battle.officer_facts(officer).base.f();
    let disc = sabretache_table::Convex::disc(at.v(), base);
    let held =
        battle.present(side.other()).any(|enemy| sabretache_table::exact_distance(&disc, &battle.placed(enemy)) <= 0.0);
    if !held {
        return at;
    }
    let nearest = battle.units_of(command).filter(|&id| battle.is_present(id)).min_by(|&a, &b| {
        let far = |id: UnitId| sabretache_table::exact_distance(&disc, &battle.placed(id));
        far(a).total_cmp(&far(b)).then(a.cmp(&b))
    });
    nearest.map_or(at, |unit| behind(battle, unit, officer))
}

/// Just out of contact behind the middle of a unit, or further back where somebody stands there (HZ-ORD-38, HZ-OFF-08).
#[must_use]
pub fn behind(battle: &Battle, unit: UnitId, officer: OfficerId) -> Point {
    let placed = battle.placed(unit);
    let base = battle.officer_facts(officer).base;
    let clear = battle.lay.sizes.clear;
    let rear = placed.face(sabretache_table::Face::Rear).middle();
    let table = &battle.lay.table;
    let within = |value: sabretache_table::Length, most: sabretache_table::Length| {
        value.clamp(sabretache_table::Length::ZERO, most)
    };
    let spot = |back: i32| {
        let spot = Point::rounded(rear - placed.forward() * (clear * back + base).f());
        Point::new(within(spot.x, table.width), within(spot.y, table.depth))
    };
    let is_free = |at: Point| {
        let disc = sabretache_table::Convex::disc(at.v(), base.f());
        battle
            .unit_ids()
            .filter(|&id| id != unit && battle.is_present(id))
            .all(|id| !sabretache_table::overlapping(&disc, &battle.placed(id)))
    };
    (1..60).map(spot).find(|&at| is_free(at)).unwrap_or_else(|| spot(1))
}
