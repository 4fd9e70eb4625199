//! Halting at a place named beforehand (MB-MOV-05), and letting a friend in the way go first (MB-SEQ-05).

use crate::phases::advance;
use crate::phases::movement;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Length, Outline, first_contact};

use crate::battle::Battle;
use crate::brigade::HaltAt;
use crate::clauses::{MB_MOV_05, MB_SEQ_05};
use crate::event::Event;
use crate::phases::advance::march;
use crate::phases::harm::Play;
use crate::table::lay::{Figure, HAIR};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Where a unit would reach the ground it was told to halt at.
pub(crate) fn halting_ground(battle: &Battle, unit: UnitId, most: Length) -> Option<Length> {
    let Some(HaltAt::Ground(ground)) = battle.brigade(unit).marks.way.halt_at else { return None };
    let lie = battle.fixed.ground.get(sabretache_table::FeatureId(ground))?;
    first_contact(battle.figure(unit), advance::course(battle, unit).unit(), most.f(), &lie).map(Length::ceiled)
}

/// Places at which a unit could be told to halt: ground and the fronts of friends straight ahead (MB-MOV-05).
pub(crate) fn halting_places(battle: &Battle, unit: UnitId) -> Vec<HaltAt> {
    if battle.group.is_some() || may_halt_at(battle, unit).is_err() {
        return Vec::new();
    }
    let (figure, way) = (battle.figure(unit), battle.brigade(unit).pose.heading.unit());
    let far = Length::inches(12);
    let corridor = figure.bounds().swept(way * far.f());
    let ahead = |lie: &sabretache_table::Lie<'_>| {
        let land = battle.fixed.lands[usize::from(lie.feature.id.0)];
        !land.road && first_contact(figure, way, far.f(), lie).is_some_and(|at| at > HAIR.f())
    };
    let ground = battle.fixed.ground.near(&corridor).filter(ahead).map(|lie| HaltAt::Ground(lie.feature.id.0));
    let side = battle.brigade(unit).side;
    let level = |friend: &UnitId| level_with(battle, unit, *friend).is_some_and(|by| by <= far);
    let friends = battle.friends_around(side, corridor, far).filter(|friend| *friend != unit);
    ground.chain(friends.filter(level).map(HaltAt::Level)).collect()
}

fn may_halt_at(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    decides!(MB_MOV_05);
    if battle.group.is_some() || brigade.marks.way.halt_at.is_some() || brigade.marks.share.spent > Length::ZERO {
        return no(MB_MOV_05, "where to halt is said once, before the dice are rolled");
    }
    if !brigade.kind.is_brigade() {
        return no(MB_MOV_05, "guns and wagons halt where they like");
    }
    Ok(())
}

/// How far ahead the front of another brigade that faces the same way is.
fn level_with(battle: &Battle, unit: UnitId, friend: UnitId) -> Option<Length> {
    let (one, other) = (battle.brigade(unit), battle.brigade(friend));
    let turn = one.pose.heading.turn_to(other.pose.heading).abs().to_hundredths();
    let ahead = (other.pose.at.v() - one.pose.at.v()).dot(one.pose.heading.unit());
    (other.is_formed() && turn <= battle.fixed.numbers.off_centre && ahead > HAIR.f()).then(|| Length::rounded(ahead))
}

/// How far a unit goes that halts level with the brigade it was told to (MB-MOV-05).
pub(crate) fn level_halt(battle: &Battle, unit: UnitId) -> Result<Length, Refusal> {
    let Some(HaltAt::Level(friend)) = battle.brigade(unit).marks.way.halt_at else {
        return no(MB_MOV_05, "it was not told to line up with anybody before the dice were rolled");
    };
    let (_, reach) = advance::straight_on(battle, unit)?;
    let by = level_with(battle, unit, friend).filter(|by| *by <= reach.distance);
    let stands = |by: &Length| {
        let brigade = battle.brigade(unit);
        battle.stands_as_known(unit, &Figure::of(brigade, brigade.pose.moved(advance::course(battle, unit), *by)))
    };
    by.filter(stands).ok_or_else(|| Refusal::new(MB_MOV_05, "it does not come level with that brigade"))
}

/// Friends not yet moved who stand in a unit's way, and may go first (MB-SEQ-05).
pub(crate) fn in_the_way(battle: &Battle, unit: UnitId) -> Vec<UnitId> {
    if battle.group.is_some() || battle.ahead.is_some() || battle.brigade(unit).marks.share.spent > Length::ZERO {
        return Vec::new();
    }
    let (figure, brigade) = (battle.figure(unit), battle.brigade(unit));
    let (way, far) = (brigade.pose.heading.unit(), Length::inches(12).f());
    let group = movement::group_of(battle, unit);
    let blocks = |friend: &UnitId| {
        !battle.brigade(*friend).marks.share.done
            && movement::group_of(battle, *friend) != group
            && first_contact(figure, way, far, battle.figure(*friend)).is_some()
    };
    battle.friends_around(brigade.side, figure.bounds().swept(way * far), HAIR).filter(blocks).collect()
}

/// A unit is told where it may halt.
pub(crate) fn halt_at(play: &mut Play<'_>, unit: UnitId, at: HaltAt) -> Result<(), Halt> {
    may_halt_at(play.battle(), unit)?;
    let there = halting_places(play.battle(), unit).contains(&at);
    play.require(there, MB_MOV_05, || "that does not lie straight ahead of it".into())?;
    play.happen(Event::Aimed { unit, at });
    Ok(())
}

/// A unit halts level with the brigade it was told to.
pub(crate) fn halt_level(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let by = level_halt(play.battle(), unit)?;
    let heading = advance::course(play.battle(), unit);
    march(play, unit, heading, by)
}

/// A friend in the way goes first.
pub(crate) fn let_ahead(play: &mut Play<'_>, unit: UnitId, friend: UnitId) -> Result<(), Halt> {
    movement::may_go(play.battle(), unit)?;
    let blocks = in_the_way(play.battle(), unit).contains(&friend);
    play.require(blocks, MB_SEQ_05, || "it is not in the way, or has moved".into())?;
    play.happen(Event::LetAhead { unit: friend });
    Ok(())
}
