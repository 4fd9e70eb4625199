//! Part of a unit holds a town block, and rejoins it.

use sabretache_engine::decides;
use std::borrow::Cow;

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::scenario::Scenario;
use sabretache_kit::in_a_sentence;
use sabretache_table::{Convex, Direction, Face, Length, exact_distance};

use crate::Batteries;
use crate::battle::{Battle, Place, ThisTurn};
use crate::body::{Body, UnitEntry};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::follows::happened;
use crate::phases::movement::WHOLE;
use crate::phases::movement::offers::Movement;
use crate::situations::counted;
use crate::table::NEAR;
use crate::table::shape::stands_for;
use crate::troops::Arm;

/// The scenario with a part, not yet detached, for every battalion that might hold a town block with some of its figures.
pub(crate) fn with_parts(scenario: &Scenario<Body>) -> Cow<'_, Scenario<Body>> {
    if !scenario.ground.iter().any(|piece| piece.kind == "town_block") {
        return Cow::Borrowed(scenario);
    }
    let body = &scenario.body;
    let has = |id: &str| body.units.iter().any(|entry| entry.part_of.as_deref() == Some(id));
    let able = |entry: &&UnitEntry| {
        entry.arm == Arm::Foot && entry.part_of.is_none() && entry.screen_of.is_none() && !has(&entry.id)
    };
    let new: Vec<UnitEntry> = body
        .units
        .iter()
        .filter(able)
        .map(|entry| UnitEntry {
            id: format!("{}-part", entry.id),
            name: in_a_sentence(&format!("the detachment of {}", entry.name)),
            part_of: Some(entry.id.clone()),
            started: Some(0),
            figures: Some(0),
            place: Some(Place::Whole),
            formation: None,
            width: Some(1),
            wings: Vec::new(),
            turns: Vec::new(),
            inside: None,
            shaken: false,
            disordered: false,
            fought: false,
            spotted: false,
            reforming: false,
            climbs: false,
            fled_once: false,
            rounds: 0,
            advanced: false,
            chases: 0,
            screen_capable: false,
            now: ThisTurn::default(),
            ..entry.clone()
        })
        .collect();
    if new.is_empty() {
        return Cow::Borrowed(scenario);
    }
    let mut scenario = scenario.clone();
    scenario.body.units.extend(new);
    Cow::Owned(scenario)
}

impl Battle {
    /// Figures that a unit started with, without those of a part of it.
    pub(crate) fn start_of(&self, unit: UnitId) -> u16 {
        self.unit(unit).start
    }

    /// Whether a unit may leave so many stands in a block, and what that comes to (BB-TWN-10).
    pub(crate) fn may_detach(&self, unit: UnitId, ground: u16, stands: u8) -> Result<(UnitId, u16, u16), Refusal> {
        decides!(BB_TWN_10);
        self.may_march(unit)?;
        let front = Convex::segment(self.outline(unit).face(Face::Front));
        let near = self.numbers().at_hand.within.0.f() + NEAR;
        let parts = self.can_detach(unit, ground, stands)?;
        match self.block(ground).filter(|block| exact_distance(&front, &block.placed) <= near) {
            Some(_) => Ok(parts),
            None => Err(Refusal::new(BB_TWN_04, "its front does not touch the block")),
        }
    }

    /// The same, wherever it stands and whatever it has done.
    pub(crate) fn can_detach(&self, unit: UnitId, ground: u16, stands: u8) -> Result<(UnitId, u16, u16), Refusal> {
        let refuse = |clause, why: &str| Err(Refusal::new(clause, why));
        let (Some(block), Some(part)) = (self.block(ground), self.facts(unit).part) else {
            return refuse(BB_TWN_10, "only a battalion leaves part of itself in a town block");
        };
        if self.unit(part).place != Place::Whole {
            return refuse(BB_TWN_10, "part of it is detached already");
        }
        if self.garrison(ground).any(|other| self.side(other) != self.side(unit)) {
            return refuse(BB_TWN_04, "the enemy holds it: it can only be attacked");
        }
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let whole = stands_for(state.figures, facts.per_stand);
        if stands == 0 || u16::from(stands) >= whole {
            return refuse(BB_TWN_10, "some of its stands go in and some stay outside");
        }
        let figures = u16::from(stands) * u16::from(facts.per_stand);
        if figures > self.room_in(block) {
            return Err(Refusal::new(BB_TWN_01, format!("there is no room for {}", counted(figures, "figure"))));
        }
        // Losses suffered so far are shared in proportion. Those out in a screen are no losses, and stay with the unit.
        let present = u32::from(state.figures + state.out);
        let start = (u32::from(state.start) * u32::from(figures) * 2 + present) / (present * 2);
        Ok((part, figures, start as u16))
    }

    /// Part of a unit leaves it, to go into a block.
    pub(crate) fn detach(&mut self, unit: UnitId, part: UnitId, figures: u16, start: u16) {
        self.start_move(unit);
        let parent = *self.unit(unit);
        let state = self.change(unit);
        state.figures = state.figures.saturating_sub(figures);
        state.start = state.start.saturating_sub(start);
        state.reforming = false;
        let now = ThisTurn { moved: true, done: true, was_shaken: parent.now.was_shaken, ..ThisTurn::default() };
        let state = self.change(part);
        (state.figures, state.start, state.place) = (figures, start, Place::Table);
        (state.shaken, state.disordered, state.fought, state.now) =
            (parent.shaken, parent.disordered, parent.fought, now);
    }

    /// The parts are one unit again.
    pub(crate) fn rejoin(&mut self, unit: UnitId, part: UnitId) {
        let other = *self.unit(part);
        let state = self.change(unit);
        state.figures += other.figures;
        state.start += other.start;
        (state.shaken, state.disordered, state.fought) =
            (state.shaken | other.shaken, state.disordered | other.disordered, state.fought | other.fought);
        state.now.moved |= other.now.moved;
        let state = self.change(part);
        (state.figures, state.start, state.place, state.inside) = (0, 0, Place::Whole, None);
        for general in self.generals.iter_mut().filter(|general| general.with == Some(part)) {
            general.with = Some(unit);
        }
        self.tracks.retain(|(who, _)| *who != part);
        if self.moving == Some(part) {
            self.moving = None;
        }
    }

    /// Units that have a part of themselves outside and apart.
    fn parted(&self) -> impl Iterator<Item = (UnitId, UnitId)> + '_ {
        let outside = |unit: UnitId| self.unit(unit).place == Place::Table && self.unit(unit).inside.is_none();
        let pairs = self.all().filter_map(|unit| Some((unit, self.facts(unit).part?)));
        pairs.filter(move |(unit, part)| outside(*unit) && outside(*part))
    }

    /// Whether a part could still go toward the other and has not gone half its move.
    fn should_rejoin(&self, unit: UnitId, other: UnitId) -> bool {
        if self.in_contact(unit) || self.may_march(unit).is_err() || self.spent(unit) >= WHOLE / 2 - 20 {
            return false;
        }
        let to = (self.centre(other) - self.centre(unit)).unit();
        let ways = [Direction::Ahead, Direction::Left, Direction::Right, Direction::Back];
        let open = |way: &Direction| {
            let toward = way.heading(self.unit(unit).pose).unit().dot(to) > 0.5;
            toward && !self.goes_any_way(unit) && self.straight_input(unit, *way).is_ok()
        };
        // Those who go any way can go that one.
        let heads =
            self.goes_any_way(unit) && self.left_at(unit, self.allowance(unit)) >= crate::phases::movement::LEAST;
        ways.iter().any(open) || (heads && self.unit(unit).now.way.is_none())
    }

    /// The movement phase does not end while a part that has emerged could still go back to its unit (BB-TWN-10).
    pub(crate) fn may_end_moves(&self) -> Result<(), Refusal> {
        decides!(BB_TWN_10);
        self.keeps_to_launch(&Movement::EndMoves.into())?;
        let side = self.phasing();
        for (unit, part) in self.parted().filter(|(unit, _)| self.side(*unit) == side) {
            for (one, other) in [(unit, part), (part, unit)] {
                if self.should_rejoin(one, other) {
                    let why = format!("{} must go at least half a move toward its other part", self.name_of(one));
                    return Err(Refusal::new(BB_TWN_10, why));
                }
            }
        }
        Ok(())
    }
}

/// Parts that touch outside are one unit again.
pub(crate) fn rejoin_all(play: &mut Resolution<'_, Batteries>) {
    let battle = play.battle();
    // A charge under way may still be called off: nobody joins anybody before it has come home or has been.
    if battle.fixed.blocks.is_empty() || battle.pending.is_some() || battle.launch.is_some() {
        return;
    }
    let near = NEAR.max(Length::um(30).f());
    let touch = |(unit, part): &(UnitId, UnitId)| {
        exact_distance(battle.outline(*unit), battle.outline(*part)) <= near && !battle.in_contact(*part)
    };
    let pairs: Vec<(UnitId, UnitId)> = battle.parted().filter(touch).collect();
    for (unit, part) in pairs {
        if play.battle().rejoined_fits(unit, part) {
            play.happen(Event::Rejoined { unit, part });
        }
    }
}

impl Battle {
    /// Whether there is room for the unit once its part is back in its ranks.
    fn rejoined_fits(&self, unit: UnitId, part: UnitId) -> bool {
        let whole = happened(self, &Event::Rejoined { unit, part });
        let state = *whole.unit(unit);
        let there = state.placed(self.facts(unit), self.numbers());
        self.room_for(unit, &state, &there, 0.0, |other| [unit, part].contains(&other))
    }
}
