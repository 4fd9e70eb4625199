//! The commander in chief takes over a command and gives it back (HZ-OFF-11 to HZ-OFF-17).

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Heading, Length, Point};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::{HZ_OFF_03, HZ_OFF_11, HZ_OFF_12, HZ_OFF_14, HZ_OFF_15, HZ_OFF_16, HZ_OFF_17};
use crate::event::Event;
use crate::phases::orders::Barred;
use crate::phases::{Play, officers, path};
use crate::table::{Field, command};

/// Whether the commander in chief may take over a command (HZ-OFF-11, HZ-OFF-15 to HZ-OFF-17).
pub fn may_supersede(field: &Field<'_>, id: CommandId) -> Result<(), Barred> {
    let battle = field.battle;
    let facts = battle.command_facts(id);
    let chief = battle.chief(battle.phasing);
    let state = battle.officer(chief);
    decides!(HZ_OFF_11);
    if facts.side != battle.phasing || facts.above.is_none() || battle.is_gone(id) {
        return Err((HZ_OFF_11, "There is nothing to take over"));
    }
    decides!(HZ_OFF_15);
    if state.relinquished {
        return Err((HZ_OFF_15, "He has given back a command in this phase"));
    }
    decides!(HZ_OFF_11);
    if !battle.is_there(chief) || state.with.is_some() || state.supersedes.is_some() {
        return Err((HZ_OFF_11, "The commander in chief is not free to"));
    }
    let officer = battle.officer(facts.officer);
    match officer.status {
        OfficerStatus::Killed | OfficerStatus::Captured => {
            let radius = battle.radius(chief);
            let mut there = battle.units_of(id).filter(|&unit| battle.is_present(unit));
            decides!(HZ_OFF_17);
            if there.any(|unit| !command::within_radius(field, chief, unit, radius)) {
                return Err((HZ_OFF_17, "Not all of the command is within his radius"));
            }
            Ok(())
        }
        OfficerStatus::Present if officer.with.is_some() => Err((HZ_OFF_11, "That officer is with a unit")),
        OfficerStatus::Present => {
            let moves = officers::left(battle, chief) + officers::left(battle, facts.officer);
            let apart = officer.at.distance(state.at);
            decides!(HZ_OFF_11);
            if apart - bases(battle, chief, facts.officer) > moves {
                return Err((HZ_OFF_11, "They are too far apart"));
            }
            match to_meet(field, chief, facts.officer) {
                Some((_, ride)) if ride <= moves => Ok(()),
                _ => Err((HZ_OFF_03, "The enemy is in the way")),
            }
        }
        _ => Err((HZ_OFF_11, "That officer is not there")),
    }
}

/// Whether the commander in chief and the command are there, and he is in nobody else's place.
pub(super) fn is_possible(battle: &Battle, command: CommandId) -> bool {
    let facts = battle.command_facts(command);
    let chief = battle.chief(battle.phasing);
    let there = matches!(
        battle.officer(facts.officer).status,
        OfficerStatus::Killed | OfficerStatus::Captured | OfficerStatus::Present
    );
    facts.side == battle.phasing
        && facts.above.is_some()
        && !battle.is_gone(command)
        && battle.is_there(chief)
        && battle.officer(chief).supersedes.is_none()
        && there
}

fn bases(battle: &Battle, one: OfficerId, other: OfficerId) -> Length {
    battle.officer_facts(one).base + battle.officer_facts(other).base
}

/// The way from one officer to another, and how much of it they ride between them until their bases touch.
fn to_meet(field: &Field<'_>, chief: OfficerId, officer: OfficerId) -> Option<(Vec<Point>, Length)> {
    let battle = field.battle;
    let way = officers::way_round(field, chief, battle.officer(chief).at, battle.officer(officer).at)?;
    let ride = (path::length(&way) - bases(battle, chief, officer)).max(Length::ZERO);
    Some((way, ride))
}

/// The commander in chief takes over a command.
pub(crate) fn supersede(play: &mut Play<'_>, id: CommandId) -> Result<(), Halt> {
    let allowed = may_supersede(&Field::of(play.battle()), id);
    if let Err((clause, says)) = allowed {
        let impossible = !is_possible(play.battle(), id);
        play.refuse(Refusal { impossible, ..Refusal::new(clause, says) })?;
    }
    let (chief, officer) = (play.battle().chief(play.battle().phasing), play.battle().command_facts(id).officer);
    officers::leave_unit(play, chief);
    officers::leave_unit(play, officer);
    let battle = play.battle();
    decides!(HZ_OFF_12);
    if battle.is_there(officer) {
        // The chief rides as far as he can and the other comes to meet him.
        let found = to_meet(&Field::of(battle), chief, officer);
        if let Some((way, ride)) = found {
            let ride = ride.min(officers::left(battle, chief));
            let (at, ride) = clear_of_units(battle, chief, &way, ride);
            if ride > Length::ZERO {
                play.happen(Event::OfficerMoves { officer: chief, at, ride });
            }
        }
        play.happen(Event::OfficerGone { officer, status: OfficerStatus::Superseded, clause: HZ_OFF_12 });
    }
    play.happen(Event::Supersedes { officer: chief, command: id });
    Ok(())
}

/// So far along a way, or a little less where that would be on a unit.
fn clear_of_units(battle: &Battle, officer: OfficerId, way: &[Point], ride: Length) -> (Point, Length) {
    let mut ride = ride;
    while ride > Length::ZERO {
        let at = path::cut(way, ride).last().copied().unwrap_or_default();
        if officers::stands_free(battle, officer, at) {
            return (at, ride);
        }
        ride -= Length::mm(5);
    }
    (battle.officer(officer).at, Length::ZERO)
}

/// Whether the commander in chief may give a command back: in a later turn, and not in a phase in which he has left a unit
/// (HZ-OFF-14, HZ-OFF-16).
pub fn may_relinquish(battle: &Battle) -> Result<(), Barred> {
    let state = battle.officer(battle.chief(battle.phasing));
    decides!(HZ_OFF_14);
    if state.supersedes.is_none() {
        return Err((HZ_OFF_14, "He has superseded nobody"));
    }
    decides!(HZ_OFF_14);
    if state.superseded_in >= battle.turn {
        return Err((HZ_OFF_14, "He has superseded him only this turn"));
    }
    decides!(HZ_OFF_16);
    if state.detached {
        return Err((HZ_OFF_16, "He has left a unit in this phase"));
    }
    Ok(())
}

/// What an eighth of the compass from the south is called.
#[must_use]
pub const fn compass(side: u8) -> &'static str {
    match side % 8 {
        0 => "south",
        1 => "south-west",
        2 => "west",
        3 => "north-west",
        4 => "north",
        5 => "north-east",
        6 => "east",
        _ => "south-east",
    }
}

/// The officer whom the commander in chief has relieved and who comes back when the command is given back.
fn relieved(battle: &Battle) -> Option<OfficerId> {
    let command = battle.officer(battle.chief(battle.phasing)).supersedes?;
    let officer = battle.command_facts(command).officer;
    (battle.officer(officer).status == OfficerStatus::Superseded).then_some(officer)
}

/// Where he stands on one side of the commander in chief: bases touching.
fn beside(battle: &Battle, officer: OfficerId, side: u8) -> Point {
    let chief = battle.chief(battle.phasing);
    battle.officer(chief).at.along(Heading::degrees(180 + 45 * i32::from(side)), bases(battle, chief, officer))
}

/// The sides of the commander in chief on which there is room for him; his owner chooses (HZ-OFF-14).
#[must_use]
pub fn sides(battle: &Battle) -> SmallVec<[u8; 8]> {
    let Some(officer) = relieved(battle) else { return SmallVec::new() };
    (0..8).filter(|&side| officers::stands_free(battle, officer, beside(battle, officer, side))).collect()
}

/// The commander in chief gives a command back (HZ-OFF-14).
pub(crate) fn relinquish(play: &mut Play<'_>, side: u8) -> Result<(), Halt> {
    if let Err((clause, says)) = may_relinquish(play.battle()) {
        let impossible = play.battle().officer(play.battle().chief(play.battle().phasing)).supersedes.is_none();
        play.refuse(Refusal { impossible, ..Refusal::new(clause, says) })?;
    }
    let sides = sides(play.battle());
    play.require(sides.is_empty() || sides.contains(&side), HZ_OFF_14, || "There is no room on that side".into())?;
    let chief = play.battle().chief(play.battle().phasing);
    let officer = relieved(play.battle());
    play.happen(Event::Relinquishes { officer: chief });
    decides!(HZ_OFF_17);
    if let Some(officer) = officer {
        let battle = play.battle();
        let at = if sides.contains(&side) {
            beside(battle, officer, side)
        } else {
            officers::free_spot_by(battle, officer, battle.officer(chief).at, bases(battle, chief, officer))
        };
        play.happen(Event::OfficerComes { officer, at });
    }
    Ok(())
}
