//! How a unit routs, and routs on purpose.

use sabretache_engine::decides;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{GroundId, Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::Length;

use super::may_rout_on_purpose;
use super::ways::Look;
use crate::Batteries;
use crate::battle::{Battle, Pending, Step};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::handles::answer;
use crate::phases::movement::marches::another;
use crate::phases::turn;
use crate::words::{about, asked};

/// How a unit routs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routs {
    /// Rout on purpose.
    RoutOnPurpose(UnitId),
    /// A router goes back, onto the nth stretch where it may end, and faces what it fled from.
    RoutFacing(u8),
    /// The same, and faces away.
    RoutAway(u8),
    /// A garrison routs into a block farther back.
    RoutInto(u16),
}

/// Where a router may go.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(Pending::Rout { unit, least, cause }) = battle.pending else { return };
    let open = |look: Look| 0..battle.rout_stretches(unit, least, look, cause).len() as u8;
    let ways = open(Look::AtCause).map(Routs::RoutFacing).chain(open(Look::Away).map(Routs::RoutAway));
    let blocks = battle.rout_blocks(unit, least).into_iter().map(Routs::RoutInto);
    out.extend(ways.chain(blocks).map(Offer::from));
}

/// The second and later stretches on which a rout may end.
fn farther(stretch: u8) -> &'static str {
    if stretch == 0 { "" } else { ", farther back" }
}

/// After a rout the phase goes on; a unit that routs on purpose does so in the middle of a movement phase.
fn go_on(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    if matches!(play.battle().step, Step::MoveA | Step::MoveB) { Ok(()) } else { turn::proceed(play) }
}

/// The rout move itself, outside town blocks.
fn run(play: &mut Resolution<'_, Batteries>, look: Look, value: &Value) -> Result<(), Halt> {
    let Some(Pending::Rout { unit, least, cause }) = play.battle().pending else { return Ok(()) };
    super::run(play, unit, least, value.distance().unwrap_or(Length::ZERO), look, cause)?;
    go_on(play)
}

impl Routs {
    /// Why it is closed now, where its input does not say so.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::RoutInto(block) => {
                let Some(Pending::Rout { unit, least, .. }) = battle.pending else {
                    return Err(Refusal::new(BB_MOR_25, "nobody routs"));
                };
                if !battle.rout_blocks(unit, least).contains(&block) {
                    return Err(Refusal::new(BB_TWN_22, "it cannot rout into that block"));
                }
                Ok(())
            }
            Self::RoutOnPurpose(_) | Self::RoutFacing(_) | Self::RoutAway(_) => Ok(()),
        }
    }

    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        match self {
            Self::RoutOnPurpose(unit) => battle.own_to_move(unit).then_some(Input::None),
            Self::RoutFacing(_) | Self::RoutAway(_) | Self::RoutInto(_) => None,
        }
    }
}

impl Part<Batteries> for Routs {
    fn actor(self) -> Option<Named> {
        match self {
            Self::RoutOnPurpose(unit) => Some(unit.into()),
            Self::RoutFacing(_) | Self::RoutAway(_) | Self::RoutInto(_) => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::RoutOnPurpose(unit) => may_rout_on_purpose(battle, unit).map(|()| Input::None),
            Self::RoutFacing(stretch) => battle.rout_input(Look::AtCause, stretch),
            Self::RoutAway(stretch) => battle.rout_input(Look::Away, stretch),
            Self::RoutInto(_) => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::RoutOnPurpose(unit) => {
                another(play, unit);
                decides!(BB_OPT_55);
                play.happen(Event::RoutsOnPurpose { unit });
                super::rout(play, unit, None)
            }
            Self::RoutFacing(_) => run(play, Look::AtCause, value),
            Self::RoutAway(_) => run(play, Look::Away, value),
            Self::RoutInto(block) => {
                let Some(Pending::Rout { unit, .. }) = play.battle().pending else { return Ok(()) };
                let inside = play.battle().inside(unit, block)?;
                play.happen(Event::RoutedInto { unit, block, inside });
                go_on(play)
            }
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::RoutOnPurpose(unit) => format!("rout {}", battle.id_of(unit)),
            Self::RoutFacing(0) => "rout facing".into(),
            Self::RoutFacing(n) => format!("rout facing {}", n + 1),
            Self::RoutAway(0) => "rout away".into(),
            Self::RoutAway(n) => format!("rout away {}", n + 1),
            Self::RoutInto(block) => format!("rout into {}", battle.ground_id(block)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        match self {
            Self::RoutOnPurpose(unit) => {
                about(battle, unit, &format!("Let {} rout on purpose", battle.name_of(unit)), BB_OPT_54)
            }
            Self::RoutFacing(n) => {
                asked(battle, BB_MOR_37, |unit| format!("{unit} routs and ends facing the enemy{}", farther(n)))
            }
            Self::RoutAway(n) => {
                asked(battle, BB_MOR_37, |unit| format!("{unit} routs and ends facing away{}", farther(n)))
            }
            Self::RoutInto(block) => {
                asked(battle, BB_TWN_22, |unit| format!("{unit} routs into {}", battle.ground_name(block)))
            }
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::RoutOnPurpose(unit) => Handling::act("rout", unit),
            Self::RoutFacing(_) | Self::RoutAway(_) => answer(battle, "rout"),
            Self::RoutInto(block) => Handling::at("rout", battle.asked_of(), Named::Ground(GroundId(block))),
        }
    }
}
