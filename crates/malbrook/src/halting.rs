//! Halting at a place named beforehand (MB-MOV-05), and letting a friend in the way go first (MB-SEQ-05).

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Length, Outline, first_contact};

use crate::advance::march;
use crate::battle::Battle;
use crate::brigade::HaltAt;
use crate::clauses::{MB_MOV_05, MB_SEQ_05};
use crate::event::Event;
use crate::harm::Play;
use crate::lay::{Figure, HAIR};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

impl Battle {
    /// Where a unit would reach the ground it was told to halt at.
    pub(crate) fn halting_ground(&self, unit: UnitId, most: Length) -> Option<Length> {
        let Some(HaltAt::Ground(ground)) = self.brigade(unit).marks.halt_at else { return None };
        let lie = self.fixed.ground.get(sabretache_table::FeatureId(ground))?;
        first_contact(self.figure(unit), self.course(unit).unit(), most.f(), &lie).map(Length::ceiled)
    }

    /// Places at which a unit could be told to halt: ground and the fronts of friends straight ahead (MB-MOV-05).
    pub(crate) fn halting_places(&self, unit: UnitId) -> Vec<HaltAt> {
        if self.group.is_some() || self.may_halt_at(unit).is_err() {
            return Vec::new();
        }
        let (figure, way) = (self.figure(unit), self.brigade(unit).pose.heading.unit());
        let far = Length::inches(12);
        let corridor = figure.bounds().swept(way * far.f());
        let ahead = |lie: &sabretache_table::Lie<'_>| {
            let land = self.fixed.lands[usize::from(lie.feature.id.0)];
            !land.road && first_contact(figure, way, far.f(), lie).is_some_and(|at| at > HAIR.f())
        };
        let ground = self.fixed.ground.near(&corridor).filter(ahead).map(|lie| HaltAt::Ground(lie.feature.id.0));
        let side = self.brigade(unit).side;
        let level = |friend: &UnitId| self.level_with(unit, *friend).is_some_and(|by| by <= far);
        let friends = self.friends_around(side, corridor, far).filter(|friend| *friend != unit);
        ground.chain(friends.filter(level).map(HaltAt::Level)).collect()
    }

    fn may_halt_at(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_go(unit)?;
        let brigade = self.brigade(unit);
        if self.group.is_some() || brigade.marks.halt_at.is_some() || brigade.marks.spent > Length::ZERO {
            return no(MB_MOV_05, "where to halt is said once, before the dice are rolled");
        }
        if !brigade.kind.is_brigade() {
            return no(MB_MOV_05, "guns and wagons halt where they like");
        }
        Ok(())
    }

    /// How far ahead the front of another brigade that faces the same way is.
    fn level_with(&self, unit: UnitId, friend: UnitId) -> Option<Length> {
        let (one, other) = (self.brigade(unit), self.brigade(friend));
        let turn = one.pose.heading.turn_to(other.pose.heading).abs().to_hundredths();
        let ahead = (other.pose.at.v() - one.pose.at.v()).dot(one.pose.heading.unit());
        (other.is_formed() && turn <= self.fixed.numbers.off_centre && ahead > HAIR.f()).then(|| Length::rounded(ahead))
    }

    /// How far a unit goes that halts level with the brigade it was told to (MB-MOV-05).
    pub(crate) fn level_halt(&self, unit: UnitId) -> Result<Length, Refusal> {
        let Some(HaltAt::Level(friend)) = self.brigade(unit).marks.halt_at else {
            return no(MB_MOV_05, "it was not told to line up with anybody before the dice were rolled");
        };
        let (_, reach) = self.advance(unit)?;
        let by = self.level_with(unit, friend).filter(|by| *by <= reach.distance);
        let stands = |by: &Length| {
            let brigade = self.brigade(unit);
            self.stands_as_known(unit, &Figure::of(brigade, brigade.pose.moved(self.course(unit), *by)))
        };
        by.filter(stands).ok_or_else(|| Refusal::new(MB_MOV_05, "it does not come level with that brigade"))
    }

    /// Friends not yet moved who stand in a unit's way, and may go first (MB-SEQ-05).
    pub(crate) fn in_the_way(&self, unit: UnitId) -> Vec<UnitId> {
        if self.group.is_some() || self.ahead.is_some() || self.brigade(unit).marks.spent > Length::ZERO {
            return Vec::new();
        }
        let (figure, brigade) = (self.figure(unit), self.brigade(unit));
        let (way, far) = (brigade.pose.heading.unit(), Length::inches(12).f());
        let group = self.group_of(unit);
        let blocks = |friend: &UnitId| {
            !self.brigade(*friend).marks.done
                && self.group_of(*friend) != group
                && first_contact(figure, way, far, self.figure(*friend)).is_some()
        };
        self.friends_around(brigade.side, figure.bounds().swept(way * far), HAIR).filter(blocks).collect()
    }
}

/// A unit is told where it may halt.
pub(crate) fn halt_at(play: &mut Play<'_>, unit: UnitId, at: HaltAt) -> Result<(), Halt> {
    play.battle().may_halt_at(unit)?;
    let there = play.battle().halting_places(unit).contains(&at);
    play.require(there, MB_MOV_05, || "that does not lie straight ahead of it".into())?;
    play.happen(Event::Aimed { unit, at });
    Ok(())
}

/// A unit halts level with the brigade it was told to.
pub(crate) fn halt_level(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let by = play.battle().level_halt(unit)?;
    let heading = play.battle().course(unit);
    march(play, unit, heading, by)
}

/// A friend in the way goes first.
pub(crate) fn let_ahead(play: &mut Play<'_>, unit: UnitId, friend: UnitId) -> Result<(), Halt> {
    play.battle().may_go(unit)?;
    let blocks = play.battle().in_the_way(unit).contains(&friend);
    play.require(blocks, MB_SEQ_05, || "it is not in the way, or has moved".into())?;
    play.happen(Event::LetAhead { unit: friend });
    Ok(())
}
