//! What a unit may do with town blocks in its move.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{GroundId, Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::{Length, Outline};

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::despite::break_off;
use crate::phases::movement::marches::another;
use crate::situations::counted;
use crate::troops::Arm;
use crate::words::about;

/// Into town blocks, from one to the next, and out of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units, blocks and their sides")]
pub enum Towns {
    /// Go into a town block.
    Enter { unit: UnitId, block: u16 },
    /// Leave so many stands in a town block.
    Detach { unit: UnitId, block: u16, stands: u8 },
    /// Go over to an adjacent block.
    Shift { unit: UnitId, block: u16 },
    /// Come out of a block by one of its sides.
    Emerge { unit: UnitId, side: u8 },
}

/// The moves that a unit might make into, out of and between town blocks.
pub(crate) fn moves(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut found = Vec::new();
    if let Some(own) = battle.block_of(unit) {
        found.extend((0..own.sides.len() as u8).map(|side| Offer::from(Towns::Emerge { unit, side })));
        let others = battle.fixed.blocks.iter().map(|block| block.ground).filter(|block| *block != own.ground);
        found.extend(others.map(|block| Offer::from(Towns::Shift { unit, block })));
        return found;
    }
    let reach = battle.bounds(unit).grown(Length::inches(1).f());
    for block in battle.fixed.blocks.iter().filter(|block| reach.meets(&block.placed.bounds())) {
        found.push(Towns::Enter { unit, block: block.ground }.into());
        let stands = battle.unit(unit).figures.div_ceil(u16::from(battle.facts(unit).per_stand)).min(60) as u8;
        found.extend((1..stands).map(|stands| Offer::from(Towns::Detach { unit, block: block.ground, stands })));
    }
    found
}

impl Towns {
    fn unit(self) -> UnitId {
        match self {
            Self::Enter { unit, .. }
            | Self::Detach { unit, .. }
            | Self::Shift { unit, .. }
            | Self::Emerge { unit, .. } => unit,
        }
    }

    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        let inside = |unit: UnitId| battle.own_to_move(unit) && battle.arm(unit) == Arm::Foot;
        let holds = |unit: UnitId, block: u16| battle.block(block).is_some_and(|it| battle.may_hold(unit, it).is_ok());
        let possible = match self {
            Self::Enter { unit, block } => battle.free_to_move(unit) && holds(unit, block),
            Self::Detach { unit, block, stands } => {
                battle.free_to_move(unit) && battle.can_detach(unit, block, stands).is_ok()
            }
            Self::Shift { unit, block } => {
                let another = battle.block_of(unit).is_some_and(|own| own.ground != block);
                inside(unit) && another && holds(unit, block)
            }
            Self::Emerge { unit, side } => {
                return if inside(unit) { battle.emerge_despite(unit, side) } else { None };
            }
        };
        possible.then_some(Input::None)
    }
}

impl Part<Batteries> for Towns {
    fn actor(self) -> Option<Named> {
        Some(self.unit().into())
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Enter { unit, block } => battle.may_enter(unit, block).map(|()| Input::None),
            Self::Detach { unit, block, stands } => battle.may_detach(unit, block, stands).map(|_| Input::None),
            Self::Shift { unit, block } => battle.may_shift(unit, block).map(|()| Input::None),
            Self::Emerge { unit, side } => battle.emerge_input(unit, side),
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        let breaks = play.breaks_a_rule();
        match self {
            Self::Enter { unit, block } => {
                if breaks {
                    break_off(play, unit);
                }
                let inside = play.battle().inside(unit, block)?;
                another(play, unit);
                play.happen(Event::Entered { unit, block, inside });
            }
            Self::Detach { unit, block, stands } => {
                let (part, figures, start) = play.battle().can_detach(unit, block, stands)?;
                let inside = play.battle().inside(part, block)?;
                another(play, unit);
                play.happen(Event::Detached { unit, part, block, inside, figures, start });
            }
            Self::Shift { unit, block } => {
                if breaks {
                    break_off(play, unit);
                }
                let inside = play.battle().inside(unit, block)?;
                another(play, unit);
                play.happen(Event::Shifted { unit, block, inside });
            }
            Self::Emerge { unit, side } => {
                let name = value.formation().ok_or(WrongValue("in which formation?".into()))?;
                let emerging = play.battle().emerging(unit, side, name);
                let (shape, to) = emerging.ok_or_else(|| WrongValue(format!("it cannot form {name}")))?;
                if breaks {
                    break_off(play, unit);
                }
                another(play, unit);
                let (formation, stands) = (shape.formation, shape.stands);
                play.happen(Event::Emerged { unit, to, formation, stands });
            }
        }
        Ok(())
    }

    fn key(self, battle: &Battle) -> String {
        let id = battle.id_of(self.unit());
        match self {
            Self::Enter { block, .. } => format!("enter {id} {}", battle.ground_id(block)),
            Self::Detach { block, stands, .. } => format!("detach {stands} of {id} into {}", battle.ground_id(block)),
            Self::Shift { block, .. } => format!("shift {id} to {}", battle.ground_id(block)),
            Self::Emerge { side, .. } => format!("emerge {id} by side {}", side + 1),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = battle.name_of(self.unit());
        let (text, clause) = match self {
            Self::Enter { block, .. } => (format!("{name} goes into {}", battle.ground_name(block)), BB_TWN_04),
            Self::Detach { block, stands, .. } => {
                (format!("{name} leaves {} in {}", counted(stands, "stand"), battle.ground_name(block)), BB_TWN_10)
            }
            Self::Shift { block, .. } => (format!("{name} goes over to {}", battle.ground_name(block)), BB_TWN_05),
            Self::Emerge { unit, side } => {
                (format!("{name} comes out to the {}", battle.side_word(unit, side)), BB_TWN_05)
            }
        };
        about(battle, self.unit(), &text, clause)
    }

    fn handling(self, _: &Battle) -> Handling {
        let ground = |n: u16| Named::Ground(GroundId(n));
        match self {
            Self::Enter { unit, block } => Handling::at("garrison", [unit], ground(block)),
            Self::Detach { unit, block, .. } => Handling::at("detach", [unit], ground(block)),
            Self::Shift { unit, block } => Handling::at("shift", [unit], ground(block)),
            Self::Emerge { unit, .. } => Handling::act("emerge", unit),
        }
    }
}
