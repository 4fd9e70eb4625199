//! Skirmish withdrawal (MB-MOV-30).

use crate::phases::{advance, command, roads};
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Heading, Length, Outline, Pose};

use crate::battle::Battle;
use crate::brigade::Status;
use crate::clauses::MB_MOV_30;
use crate::event::{Approach, Course, Event};
use crate::phases::harm::Play;
use crate::table::lay::{Figure, near};
use crate::table::nearing::first_within;
use crate::table::path::Going;
use crate::troops::Kind;

/// Hussars fall back before a formed enemy of themselves, dismounted dragoons if they like; whether somebody did (MB-MOV-30).
pub(crate) fn press(
    play: &mut Play<'_>,
    mover: UnitId,
    heading: Heading,
    course: Course,
    left: Length,
) -> Result<bool, Halt> {
    decides!(MB_MOV_30);
    let mut fell_back = false;
    for skirmisher in pressed(play.battle(), mover) {
        if play.battle().brigade(skirmisher).kind == Kind::Hussars {
            fell_back |= withdraw(play, skirmisher, mover);
        }
    }
    let heading = i32::from(heading.to_hundredths());
    if ask(play, Approach { mover, skirmisher: UnitId(0), left, heading, course }, None) {
        return Ok(false);
    }
    Ok(fell_back)
}

/// The skirmishers whom a formed brigade has come too near.
fn pressed(battle: &Battle, mover: UnitId) -> Vec<UnitId> {
    if !battle.brigade(mover).is_formed() {
        return Vec::new();
    }
    let side = battle.brigade(mover).side;
    let keep = battle.fixed.numbers.skirmish.length();
    let pressed = |enemy: &UnitId| {
        let brigade = battle.brigade(*enemy);
        let close = near(&battle.figure(*enemy), &battle.figure(mover), keep - crate::table::lay::HAIR * 2);
        // Those whom somebody else holds in close combat stay.
        let held = battle.close_enemies(*enemy).any(|other| other != mover && battle.fights(*enemy, other));
        let free = brigade.status == Status::Steady && !held;
        brigade.skirmishes() && close && free && battle.sees(*enemy, mover)
    };
    let mut found: Vec<UnitId> =
        battle.enemies_around(side, battle.figure(mover).bounds(), keep).filter(pressed).collect();
    found.sort_unstable();
    found
}

/// Asks the next dragoons on foot, after those who have answered, whether they fall back; whether somebody is asked.
fn ask(play: &mut Play<'_>, approach: Approach, after: Option<UnitId>) -> bool {
    let battle = play.battle();
    let may_go = |one: &UnitId| {
        after.is_none_or(|last| *one > last)
            && battle.brigade(*one).kind != Kind::Hussars
            && withdrawal(battle, *one, approach.mover).is_some()
    };
    let Some(skirmisher) = pressed(battle, approach.mover).into_iter().find(may_go) else { return false };
    play.happen(Event::Approached { approach: Approach { skirmisher, ..approach } });
    true
}

/// Where a skirmisher would fall back to: straight away, just far enough.
fn withdrawal(battle: &Battle, skirmisher: UnitId, from: UnitId) -> Option<Pose> {
    let keep = battle.fixed.numbers.skirmish.length();
    let (here, there) = (battle.figure(skirmisher), battle.figure(from));
    let away = Heading::toward(there.centre(), here.centre());
    // Six inches in a phase at the most.
    let most =
        (command::riding_distance(battle, false) - battle.brigade(skirmisher).marks.loose.withdrawn).max(Length::ZERO);
    let reach = battle.reach(skirmisher, away, most, Going { passes_friends: false, ..Going::headlong() });
    let pose = battle.brigade(skirmisher).pose;
    let brigade = battle.brigade(skirmisher);
    if reach.distance < Length::inch_fraction(1, 20) {
        return None;
    }
    // From the far end of its way back towards the enemy: where it would again come too near, there it stops.
    let far = Figure::of(brigade, pose.moved(away, reach.distance));
    let back = first_within(&far, away.reversed().unit(), reach.distance.f(), there, keep.f());
    let by = reach.distance - back.map_or(Length::ZERO, Length::floored);
    Some(battle.cleared(skirmisher, brigade, pose.moved(away, by)))
}

fn withdraw(play: &mut Play<'_>, skirmisher: UnitId, from: UnitId) -> bool {
    let Some(to) = withdrawal(play.battle(), skirmisher, from) else { return false };
    play.happen(Event::Withdrew { unit: skirmisher, to });
    true
}

fn approached(battle: &Battle) -> Result<Approach, Refusal> {
    battle.approach().ok_or_else(|| Refusal::new(MB_MOV_30, "nobody approaches"))
}

/// Dismounted dragoons fall back, and the interrupted move goes on.
pub(crate) fn fall_back(play: &mut Play<'_>) -> Result<(), Halt> {
    let approach = approached(play.battle())?;
    let moved = withdraw(play, approach.skirmisher, approach.mover);
    play.happen(Event::ApproachOver);
    let Approach { mover, left, course, .. } = approach;
    if moved && left > Length::ZERO {
        return match course {
            Course::Road | Course::DoubleRoad => roads::march_on(play, mover, course, left),
            _ => advance::march(play, mover, Heading::hundredths(approach.heading), left),
        };
    }
    end_of_move(play, approach);
    Ok(())
}

/// The move that was interrupted is over, once all have been asked; after a wheel its mover may still go on.
fn end_of_move(play: &mut Play<'_>, approach: Approach) {
    if ask(play, Approach { left: Length::ZERO, ..approach }, Some(approach.skirmisher)) {
        return;
    }
    if approach.course != Course::Arc {
        play.happen(Event::Done { unit: approach.mover });
    }
}

/// Dismounted dragoons stand, and the move ends before them.
pub(crate) fn let_come(play: &mut Play<'_>) -> Result<(), Halt> {
    let approach = approached(play.battle())?;
    play.happen(Event::ApproachOver);
    end_of_move(play, approach);
    Ok(())
}
