//! The moves of a unit in the movement phase, and the end of that phase.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::{Angle, Corner, Direction, Length, Point, inner_corner, wheeled_pose};

use super::marches::{another, face, go, march, push, wheel};
use super::{LEAST, oblique};
use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::{Event, How};
use crate::phases::charges::launch::note_nearing_in_turn;
use crate::phases::despite::break_off;
use crate::phases::handles::{about_centre, along, turned};
use crate::phases::{input, turn};
use crate::words::{about, plain, sideways};

/// A straight move, by which a unit may go through friends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Straight ahead.
    Ahead,
    /// Straight back, facing kept.
    Back,
    /// Slantwise to the left front.
    SlantLeft,
    /// Slantwise to the right front.
    SlantRight,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// The way that is set for troops that may go any way.
    SetWay,
}

impl Stride {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Ahead, Self::Back, Self::SlantLeft, Self::SlantRight, Self::Left, Self::Right, Self::SetWay];

    /// The same move with nobody in the way.
    #[must_use]
    pub fn alone(self, unit: UnitId) -> Movement {
        match self {
            Self::Ahead => Movement::Advance(unit),
            Self::Back => Movement::Retire(unit),
            Self::SlantLeft => Movement::Oblique { unit, right: false },
            Self::SlantRight => Movement::Oblique { unit, right: true },
            Self::Left => Movement::Sidestep { unit, right: false },
            Self::Right => Movement::Sidestep { unit, right: true },
            Self::SetWay => Movement::March(unit),
        }
    }
}

/// What a unit does in its move, and the end of the movement phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units")]
pub enum Movement {
    /// Straight ahead.
    Advance(UnitId),
    /// Straight on through friends, to the nth clear stretch beyond.
    Pass { unit: UnitId, by: Stride, nth: u8 },
    /// Slantwise to the front.
    Oblique { unit: UnitId, right: bool },
    /// To the side.
    Sidestep { unit: UnitId, right: bool },
    /// Straight back, facing kept.
    Retire(UnitId),
    /// About a front corner.
    Wheel(UnitId),
    /// Set the way of troops that may go any way.
    Head(UnitId),
    /// Go that way.
    March(UnitId),
    /// Push skirmishers forward with the columns behind them.
    Push(UnitId),
    /// Turn skirmishers where they are.
    Face(UnitId),
    /// Turn skirmishers to the rear.
    TurnAbout(UnitId),
    /// Leave the gun model at one end of a battery behind.
    Abandon { unit: UnitId, right: bool },
    /// Work at the hedgerow or abatis before it.
    Clear(UnitId),
    /// Enough moved.
    EndMoves,
}

/// The way of a sidestep.
fn sidestep(right: bool) -> Direction {
    if right { Direction::Right } else { Direction::Left }
}

/// Troops that go any way they like have no moves of a formed body.
fn formed(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    if battle.goes_any_way(unit) {
        return Err(Refusal::new(battle.any_way_clause(unit), "it goes any way it likes: set its way"));
    }
    Ok(())
}

impl Movement {
    /// The unit that leaves its place by it, and its fights if it is in any.
    fn leaves(self) -> Option<UnitId> {
        match self {
            Self::Advance(unit)
            | Self::Oblique { unit, .. }
            | Self::Sidestep { unit, .. }
            | Self::Retire(unit)
            | Self::Wheel(unit)
            | Self::March(unit)
            | Self::Push(unit)
            | Self::Face(unit)
            | Self::TurnAbout(unit) => Some(unit),
            Self::Pass { .. } | Self::Head(_) | Self::Abandon { .. } | Self::Clear(_) | Self::EndMoves => None,
        }
    }

    /// Whether the way of a plotted charge may be made up of it.
    pub(crate) fn plots_charges(self) -> bool {
        match self {
            Self::Advance(_) | Self::Oblique { .. } | Self::Sidestep { .. } | Self::Retire(_) | Self::Wheel(_) => true,
            Self::Head(_) | Self::March(_) | Self::Face(_) | Self::TurnAbout(_) => true,
            Self::Pass { .. } | Self::Push(_) | Self::Abandon { .. } | Self::Clear(_) | Self::EndMoves => false,
        }
    }

    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        let free = |unit: UnitId| battle.free_to_move(unit);
        let pose = |unit: UnitId| battle.unit(unit).pose;
        let none = |possible: bool| possible.then_some(Input::None);
        match self {
            Self::Advance(unit) => battle.run_despite(unit, pose(unit).heading),
            Self::Retire(unit) => battle.run_despite(unit, pose(unit).heading.reversed()),
            Self::Oblique { unit, right } => battle.run_despite(unit, oblique(battle, unit, right).heading(pose(unit))),
            Self::Sidestep { unit, right } => battle.run_despite(unit, sidestep(right).heading(pose(unit))),
            Self::March(unit) => battle.run_despite(unit, battle.march_way(unit).ok()?),
            Self::Push(unit) if battle.skirmishing(unit) => battle.run_despite(unit, pose(unit).heading),
            Self::Head(unit) if free(unit) && battle.goes_any_way(unit) => Some(battle.another_way(unit)),
            Self::Wheel(unit) if free(unit) => {
                let placed = battle.placed(unit);
                let pivot = |most: Angle| placed.corner(inner_corner(most));
                battle.turn_despite(unit, pivot, |angle| wheeled_pose(&placed, angle))
            }
            Self::Face(unit) if free(unit) => {
                battle.turn_despite(unit, |_| battle.centre(unit), |angle| battle.turned(unit, angle))
            }
            Self::TurnAbout(unit) if free(unit) => none(battle.fits_at(unit, battle.turned(unit, Angle::HALF))),
            Self::Abandon { unit, right } if free(unit) => none(battle.can_abandon(unit, right).is_ok()),
            Self::Clear(unit) if free(unit) => none(!battle.unit(unit).now.works && battle.can_work(unit).is_ok()),
            Self::EndMoves => Some(Input::None),
            Self::Push(_) | Self::Head(_) | Self::Wheel(_) | Self::Face(_) | Self::TurnAbout(_) => None,
            Self::Pass { .. } | Self::Abandon { .. } | Self::Clear(_) => None,
        }
    }
}

impl Part<Batteries> for Movement {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Advance(unit)
            | Self::Pass { unit, .. }
            | Self::Oblique { unit, .. }
            | Self::Sidestep { unit, .. }
            | Self::Retire(unit)
            | Self::Wheel(unit)
            | Self::Head(unit)
            | Self::March(unit)
            | Self::Push(unit)
            | Self::Face(unit)
            | Self::TurnAbout(unit)
            | Self::Abandon { unit, .. }
            | Self::Clear(unit) => Some(unit.into()),
            Self::EndMoves => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Advance(unit) => formed(battle, unit).and_then(|()| battle.straight_input(unit, Direction::Ahead)),
            Self::Pass { unit, by, nth } => {
                let gap = battle.beyond_friends(unit, by)?.get(usize::from(nth)).copied();
                let (least, most) = gap.ok_or_else(|| Refusal::new(BB_MOV_13, "there is no clear ground beyond"))?;
                let stop = Stop { at: most, why: "that is as far as it gets".into(), clause: BB_MOV_13 };
                Ok(Input::Distance { least, most, stops: vec![stop] })
            }
            Self::Oblique { unit, right } => {
                formed(battle, unit)?;
                battle.straight_input(unit, oblique(battle, unit, right))
            }
            Self::Sidestep { unit, right } => {
                formed(battle, unit)?;
                battle.straight_input(unit, sidestep(right))
            }
            Self::Retire(unit) => formed(battle, unit).and_then(|()| battle.straight_input(unit, Direction::Back)),
            Self::Wheel(unit) => battle.wheel_input(unit),
            Self::Head(unit) => battle.head_input(unit),
            Self::March(unit) => battle.march_input(unit),
            Self::Push(unit) => {
                let (most, _) = battle.push(unit)?;
                let stop = Stop { at: most, why: "the columns get no farther".into(), clause: BB_MOV_24 };
                Ok(Input::Distance { least: LEAST, most, stops: vec![stop] })
            }
            Self::Face(unit) => battle.face_input(unit),
            Self::TurnAbout(unit) => battle.may_turn_about(unit).map(|()| Input::None),
            Self::Abandon { unit, right } => battle.may_abandon(unit, right).map(|_| Input::None),
            Self::Clear(unit) => battle.may_set_to_work(unit).map(|()| Input::None),
            Self::EndMoves => battle.may_end_moves().map(|()| Input::None),
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        let breaks = play.breaks_a_rule();
        if let Some(unit) = self.leaves().filter(|_| breaks) {
            break_off(play, unit);
        }
        let distance = value.distance().unwrap_or(Length::ZERO);
        let angle = value.wheel().unwrap_or(Angle::ZERO);
        match self {
            Self::Advance(unit) => {
                let wanted = if breaks { None } else { Some(input(play.battle(), &self.into())?) };
                go(play, unit, Direction::Ahead, How::Advance, distance, wanted.as_ref())?;
            }
            Self::Pass { unit, by, .. } => {
                let (direction, how) = play.battle().stride(unit, by)?;
                match how {
                    How::March => march(play, unit, play.battle().march_way(unit)?, distance),
                    _ => go(play, unit, direction, how, distance, None)?,
                }
                play.happen(Event::WentThrough { unit });
            }
            Self::Oblique { unit, right } => {
                let direction = oblique(play.battle(), unit, right);
                go(play, unit, direction, How::Oblique, distance, None)?;
            }
            Self::Sidestep { unit, right } => go(play, unit, sidestep(right), How::Sidestep, distance, None)?,
            Self::Retire(unit) => go(play, unit, Direction::Back, How::Retire, distance, None)?,
            Self::Wheel(unit) => wheel(play, unit, angle),
            Self::Head(unit) => {
                another(play, unit);
                let way = play.battle().unit(unit).pose.heading + angle;
                play.happen(Event::Headed { unit, way });
            }
            Self::March(unit) => {
                let way = play.battle().march_way(unit)?;
                march(play, unit, way, distance);
            }
            Self::Push(unit) => {
                let columns = if breaks { Vec::new() } else { play.battle().push(unit)?.1 };
                push(play, unit, &columns, distance);
            }
            Self::Face(unit) => {
                let (to, cost) = (play.battle().turned(unit, angle), play.battle().turn_cost(unit, angle));
                note_nearing_in_turn(play, unit, angle);
                face(play, unit, to, cost.max(Length::um(1)));
            }
            Self::TurnAbout(unit) => {
                let to = play.battle().turned(unit, Angle::HALF);
                face(play, unit, to, Length::ZERO);
            }
            Self::Abandon { unit, right } => {
                let (guns, to) = play.battle().can_abandon(unit, right)?;
                another(play, unit);
                play.happen(Event::Abandons { unit, guns, to });
            }
            Self::Clear(unit) => {
                another(play, unit);
                play.happen(Event::Works { unit });
            }
            Self::EndMoves => turn::moves_over(play)?,
        }
        Ok(())
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        match self {
            Self::Advance(unit) => format!("advance {}", id(unit)),
            Self::Pass { unit, by: Stride::Ahead, nth } => format!("pass {} {}", id(unit), nth + 1),
            Self::Pass { unit, by, nth } => format!("{} through {}", by.alone(unit).key(battle), nth + 1),
            Self::Oblique { unit, right } => format!("oblique {} {}", sideways(right), id(unit)),
            Self::Sidestep { unit, right } => format!("sidestep {} {}", sideways(right), id(unit)),
            Self::Retire(unit) => format!("retire {}", id(unit)),
            Self::Wheel(unit) => format!("wheel {}", id(unit)),
            Self::Head(unit) => format!("head {}", id(unit)),
            Self::March(unit) => format!("march {}", id(unit)),
            Self::Push(unit) => format!("push {}", id(unit)),
            Self::Face(unit) => format!("face {}", id(unit)),
            Self::TurnAbout(unit) => format!("turn about {}", id(unit)),
            Self::Abandon { unit, right } => format!("abandon {} of {}", sideways(right), id(unit)),
            Self::Clear(unit) => format!("clear {}", id(unit)),
            Self::EndMoves => "end moves".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (unit, text, clause) = match self {
            Self::Advance(unit) => (unit, format!("Advance {}", name(unit)), BB_MOV_01),
            Self::Pass { unit, by, .. } => {
                (unit, format!("{} through friends", by.alone(unit).label(battle).text), BB_MOV_13)
            }
            Self::Oblique { unit, right } => {
                (unit, format!("Oblique {} to the {}", name(unit), sideways(right)), BB_MOV_09)
            }
            Self::Sidestep { unit, right } => {
                (unit, format!("Sidestep {} to the {}", name(unit), sideways(right)), BB_MOV_08)
            }
            Self::Retire(unit) => (unit, format!("Retire {}, facing kept", name(unit)), BB_MOV_10),
            Self::Wheel(unit) => (unit, format!("Wheel {}", name(unit)), BB_MOV_19),
            Self::Head(unit) => (unit, format!("Set the way of {}", name(unit)), battle.any_way_clause(unit)),
            Self::March(unit) => (unit, format!("March {} on its way", name(unit)), battle.any_way_clause(unit)),
            Self::Push(unit) => (unit, format!("Push {} forward with the columns behind", name(unit)), BB_MOV_24),
            Self::Face(unit) => (unit, format!("Turn {} where it stands", name(unit)), BB_MOV_23),
            Self::TurnAbout(unit) => (unit, format!("Turn {} to the rear", name(unit)), BB_MOV_23),
            Self::Abandon { unit, right } => {
                (unit, format!("Leave the {}-hand gun of {} behind", sideways(right), name(unit)), BB_GUN_08)
            }
            Self::Clear(unit) => {
                (unit, format!("Set {} to work on what bars its way", name(unit)), battle.work_clause(unit))
            }
            Self::EndMoves => return plain("End the movement phase", BB_SEQ_03),
        };
        about(battle, unit, &text, clause)
    }

    fn handling(self, battle: &Battle) -> Handling {
        let pull = |act, unit, way, back| along(battle, self.into(), act, unit, way, back);
        match self {
            Self::Advance(unit) => pull("advance", unit, Direction::Ahead, false),
            Self::Pass { unit, by, .. } => match battle.stride(unit, by) {
                Ok((way, _)) => pull("advance", unit, way, by == Stride::Back),
                Err(_) => Handling::act("advance", unit),
            },
            Self::Push(unit) => pull("push", unit, Direction::Ahead, false),
            Self::Oblique { unit, right } => pull("oblique", unit, oblique(battle, unit, right), false),
            Self::Retire(unit) => pull("retire", unit, Direction::Back, true),
            Self::Sidestep { unit, right } => {
                let bearing = sidestep(right).heading(battle.unit(unit).pose);
                Handling::act("side_step", unit).by(Handle::Slide { unit, bearing })
            }
            Self::March(unit) => match battle.march_way(unit) {
                Ok(way) => pull("march", unit, Direction::Toward(way), false),
                Err(_) => Handling::act("march", unit),
            },
            Self::Wheel(unit) => {
                let placed = battle.placed(unit);
                let corners =
                    [Corner::FrontLeft, Corner::FrontRight].map(|corner| Point::rounded(placed.corner(corner)));
                turned(battle, self.into(), "wheel", unit, corners)
            }
            Self::Head(unit) => about_centre(battle, self.into(), "head", unit),
            Self::Face(unit) => about_centre(battle, self.into(), "face", unit),
            Self::TurnAbout(unit) => Handling::act("face_about", unit),
            Self::Abandon { unit, .. } => Handling::act("abandon", unit),
            Self::Clear(unit) => Handling::act("clear", unit),
            Self::EndMoves => Handling::end("end"),
        }
    }
}
