//! What a battle waits for in the middle of something else: one thing at a time.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::interrupt::Interrupt;
use sabretache_table::distance;
use smallvec::{SmallVec, smallvec};

use crate::Offer;
use crate::battle::Battle;
use crate::body::State;
use crate::event::Approach;
use crate::phases::charge::offers::Charges;
use crate::phases::fleeing::Falling;
use crate::phases::manoeuvre::Scattering;
use crate::phases::meeting::Met;
use crate::phases::passing::Passing;

pub(crate) mod offers;

use offers::Answer;

/// An answer that is waited for before anything else is done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pending {
    /// Foot whose front a move passes: do they fire (MB-FOO-04)?
    Passing(Passing),
    /// A brigade that retires: does it halt behind friends or cover (MB-RES-17)?
    Falling(Falling),
    /// Cavalry that a charge or a pursuit comes upon: what do they do (MB-CHG-08, MB-RES-27)?
    Meeting(Met),
    /// Dismounted dragoons that a move approaches: do they fall back (MB-MOV-30)?
    Approach(Approach),
    /// A brigade whose bases move one by one: where to (MB-MOV-29)?
    Scattering(Scattering),
    /// A control die that its player may still shift (MB-CTL-11, MB-CTL-12).
    ControlDie(UnitId, i32),
}

impl Pending {
    /// What a battle saved as a scenario waits for.
    pub(crate) fn of(state: &State) -> Option<Self> {
        let passing = state.passing.clone().map(Self::Passing);
        passing
            .or_else(|| state.falling.map(Self::Falling))
            .or_else(|| state.met.map(Self::Meeting))
            .or_else(|| state.approach.map(Self::Approach))
            .or_else(|| state.scattering.clone().map(Self::Scattering))
            .or_else(|| state.die.map(|(unit, die)| Self::ControlDie(unit, die)))
    }

    /// Whether a move, a charge or a combat is held up until it is answered.
    pub(crate) fn holds_up(&self) -> bool {
        !matches!(self, Self::Scattering(_) | Self::ControlDie(..))
    }

    /// The side that answers.
    pub(crate) fn answered_by(&self, battle: &Battle) -> Side {
        match self {
            Self::Passing(one) => battle.brigade(one.foot).side,
            Self::Falling(one) => battle.brigade(one.unit).side,
            Self::Meeting(one) => battle.brigade(one.target).side,
            Self::Approach(_) => battle.active.other(),
            Self::Scattering(_) | Self::ControlDie(..) => battle.active,
        }
    }

    /// The units that it is about.
    pub(crate) fn units(&self) -> SmallVec<[UnitId; 2]> {
        match self {
            Self::Passing(one) => smallvec![one.mover, one.foot],
            Self::Falling(one) => smallvec![one.unit],
            Self::Meeting(one) => smallvec![one.charger, one.target],
            Self::Approach(one) => smallvec![one.mover, one.skirmisher],
            Self::Scattering(one) => smallvec![one.unit],
            Self::ControlDie(unit, _) => smallvec![*unit],
        }
    }
}

/// What the side that is asked may answer to a move of the other's, and how it lets it pass.
pub(crate) fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
    if let Some(passing) = battle.passing() {
        return Some(Interrupt {
            kind: "flanking fire",
            reactors: vec![passing.foot],
            mover: passing.mover,
            distance: distance(battle.figure(passing.foot), battle.figure(passing.mover)),
            pass: Answer::HoldFire.into(),
        });
    }
    if let Some(met) = battle.met().filter(|met| !met.counters) {
        return Some(Interrupt {
            kind: "come upon",
            reactors: vec![met.target],
            mover: met.charger,
            distance: distance(battle.figure(met.target), battle.figure(met.charger)),
            pass: Charges::Receive(met.target).into(),
        });
    }
    let approach = battle.approach()?;
    Some(Interrupt {
        kind: "withdraw",
        reactors: vec![approach.skirmisher],
        mover: approach.mover,
        distance: distance(battle.figure(approach.skirmisher), battle.figure(approach.mover)),
        pass: Answer::LetCome.into(),
    })
}

impl Battle {
    /// From here on an answer is waited for. Two at once would leave one of them without its answer.
    pub(crate) fn wait_for(&mut self, pending: Pending) {
        let same =
            self.pending.as_ref().is_none_or(|now| std::mem::discriminant(now) == std::mem::discriminant(&pending));
        assert!(same, "{pending:?} is asked while {:?} is still to be answered", self.pending);
        self.pending = Some(pending);
    }

    /// Foot whose front a move passes.
    pub(crate) fn passing(&self) -> Option<&Passing> {
        if let Some(Pending::Passing(one)) = &self.pending { Some(one) } else { None }
    }

    /// A brigade that retires and may halt behind something.
    pub(crate) fn falling(&self) -> Option<Falling> {
        if let Some(Pending::Falling(one)) = &self.pending { Some(*one) } else { None }
    }

    /// Cavalry that were come upon.
    pub(crate) fn met(&self) -> Option<Met> {
        if let Some(Pending::Meeting(one)) = &self.pending { Some(*one) } else { None }
    }

    /// Dismounted dragoons that a move approaches.
    pub(crate) fn approach(&self) -> Option<Approach> {
        if let Some(Pending::Approach(one)) = &self.pending { Some(*one) } else { None }
    }

    /// A brigade whose bases move one by one.
    pub(crate) fn scattering(&self) -> Option<&Scattering> {
        if let Some(Pending::Scattering(one)) = &self.pending { Some(one) } else { None }
    }

    /// A control die that may still be shifted.
    pub(crate) fn die(&self) -> Option<(UnitId, i32)> {
        if let Some(Pending::ControlDie(unit, die)) = &self.pending { Some((*unit, *die)) } else { None }
    }
}
