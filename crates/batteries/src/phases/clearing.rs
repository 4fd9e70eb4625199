//! Hedgerows broken down and abatis removed, at the end of a turn.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Convex, Length, Segment, Vec2};

use crate::Batteries;
use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::event::Event;
use crate::situations::Clearing;
use crate::table::NEAR;
use crate::terrain::Kinds;
use crate::terrain::barriers::{Barrier, Break};
use crate::troops::Formation;

impl Battle {
    /// Whether a unit has worked at a barrier all turn: it was told to, and did nothing else (BB-HED-05, BB-ABA-02, BB-ABA-04).
    fn has_worked(&self, unit: UnitId, barrier: &Barrier) -> bool {
        decides!(BB_ABA_03, BB_HED_05, BB_ABA_02, BB_ABA_04);
        let now = &self.unit(unit).now;
        let busy = now.moved || now.fired || now.fought || now.routed || now.evaded || now.pursued;
        now.works && !busy && !self.in_contact(unit) && self.may_clear(unit, barrier)
    }

    /// Whether troops like these can work at a barrier (BB-HED-05, BB-ABA-02, BB-ABA-04).
    fn may_clear(&self, unit: UnitId, barrier: &Barrier) -> bool {
        decides!(BB_HED_05, BB_ABA_02, BB_ABA_04);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let foot = matches!(facts.kind, Kind::Foot { .. });
        let gunners = matches!(facts.kind, Kind::Guns { .. }) && !state.limbered;
        let able = match barrier.kind {
            Kinds::Hedgerow => foot,
            Kinds::Abatis => (foot || gunners) && !state.shaken,
            _ => false,
        };
        able && state.inside.is_none() && !state.away
    }

    /// Whether a unit may be told to spend the turn working at what bars its way: nobody tears down a hedgerow or abatis unasked.
    pub(crate) fn may_set_to_work(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_move(unit)?;
        let clause = self.can_work(unit)?;
        let now = &self.unit(unit).now;
        if now.moved || now.evaded || now.fired || now.pursued {
            let why = format!("{} has not stood there since the turn began", self.name_of(unit));
            return Err(Refusal::new(clause, why));
        }
        Ok(())
    }

    /// Whether a unit stands at something that it can clear, and by which clause.
    pub(crate) fn can_work(&self, unit: UnitId) -> Result<Clause, Refusal> {
        let name = self.name_of(unit);
        let refuse = |clause, why: &str| Err(Refusal::new(clause, format!("{name} {why}")));
        let at = |barrier: &&Barrier| !self.at_work(unit, barrier).is_empty();
        let near = self.bounds(unit).grown(self.numbers().at_hand.within.0.f() + NEAR);
        let lines = || self.barriers_near(near).filter(|one| matches!(one.kind, Kinds::Hedgerow | Kinds::Abatis));
        decides!(BB_HED_05, BB_ABA_02);
        let Some(line) = lines().find(at) else {
            return refuse(BB_HED_05, "does not touch a hedgerow or abatis with its front");
        };
        let clause = if line.kind == Kinds::Abatis { BB_ABA_02 } else { BB_HED_05 };
        if !lines().filter(at).any(|barrier| self.may_clear(unit, barrier)) {
            let clause = if self.unit(unit).shaken && clause == BB_ABA_02 { BB_ABA_04 } else { clause };
            return refuse(clause, "cannot clear it");
        }
        Ok(clause)
    }

    /// The clause by which a unit works at what bars its way.
    pub(crate) fn work_clause(&self, unit: UnitId) -> Clause {
        let near = self.bounds(unit).grown(self.numbers().at_hand.within.0.f() + NEAR);
        let abatis =
            self.barriers_near(near).any(|one| one.kind == Kinds::Abatis && !self.at_work(unit, one).is_empty());
        if abatis { BB_ABA_02 } else { BB_HED_05 }
    }

    /// The front edges of a unit's front-row stands, from its left.
    fn front_stands(&self, unit: UnitId) -> Vec<Segment> {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let footprint = state.footprint(facts, self.numbers());
        let open = state.formation == Formation::Skirmish && matches!(facts.kind, Kind::Foot { .. });
        let ahead = state.pose.heading.unit();
        let files = usize::from(state.ranks(facts).files);
        let stands = footprint.stands();
        let front = stands.iter().take(if state.formation == Formation::Bent { stands.len() } else { files });
        front
            .map(|stand| {
                let middle = state.pose.at.v() + ahead.right() * stand.at.at.x.f() + ahead * stand.at.at.y.f();
                let out = (state.pose.heading + stand.at.heading.as_turn()).unit();
                // Skirmishers clear the width of their stand, not the room they take.
                let half = out.right() * (stand.width.f() / if open { 4.0 } else { 2.0 });
                Segment::new(middle - half, middle + half)
            })
            .collect()
    }

    /// The stretches of a barrier before those front-row stands of a unit that touch it.
    fn at_work(&self, unit: UnitId, barrier: &Barrier) -> Vec<Break> {
        let near = self.numbers().at_hand.within.0.f() + NEAR;
        let mut found = Vec::new();
        for front in self.front_stands(unit) {
            if self.gap_to_standing(barrier, &Convex::segment(front)) > near {
                continue;
            }
            let along = |place: Vec2| barrier.along(place);
            let (a, b) = (along(front.a), along(front.b));
            let gap = Break {
                ground: barrier.ground,
                from: Length::rounded(a.min(b).max(0.0)),
                to: Length::rounded(a.max(b).min(barrier.length)),
            };
            if gap.from < gap.to {
                found.push(gap);
            }
        }
        found
    }
}

/// A die for every stand that has spent the turn at a hedgerow or abatis.
pub(crate) fn clear_lines(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let numbers = play.battle().numbers().clone();
    for n in 0..play.battle().fixed.barriers.len() {
        let barrier = play.battle().fixed.barriers[n].clone();
        let all: Vec<UnitId> = play.battle().all().collect();
        for unit in all {
            let battle = play.battle();
            if !battle.has_worked(unit, &barrier) {
                continue;
            }
            for gap in battle.at_work(unit, &barrier) {
                let clearing = Clearing { stands: 1 };
                let purpose = Purpose { what: "clearing", of: Some(unit.into()), side: play.battle().side(unit) };
                let roll = play.roll(purpose, &clearing.test(&numbers), &clearing.throw(&numbers), Wanted::High)?;
                if clearing.read(roll.total(), &numbers).cleared > 0 {
                    let Break { ground, from, to } = gap;
                    play.happen(Event::Cleared { unit, ground, from, to });
                }
            }
        }
    }
    Ok(())
}
