//! The offers of the siege: at a wall, on it, and the mines.

use sabretache_engine::decides;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{GroundId, Named, UnitId};
use sabretache_engine::offer::{Halt, Preview, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::{along_wall, may_explode, may_scale, mined, over_battlements};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_BRE_03, HZ_FTW_04, HZ_FTW_13, HZ_FTW_14};
use crate::offer::Offer;
use crate::phases::Play;
use crate::table::{Field, siege};
use crate::troops::Formation;
use crate::view;
use crate::words::labels::{of_unit, plain, side};
use crate::words::names::{ground_id, ground_name, unit_id, unit_name};

/// What is done about walls and breaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Siege {
    /// Scale a fortress wall.
    Escalade {
        /// Who.
        unit: UnitId,
        /// Which wall.
        wall: u16,
    },
    /// Step over the battlements.
    ClimbOver(UnitId),
    /// Form a march column along the wall.
    AlongWall {
        /// Who.
        unit: UnitId,
        /// Facing to the right of somebody who looks out over the wall; to the left otherwise.
        right: bool,
    },
    /// Fire the mine under a breach.
    Explode(u16),
}

/// What an advance order lets a unit do at a wall.
pub(crate) fn advance_offers(field: &Field<'_>, unit: UnitId, out: &mut Vec<Offer>) {
    let Some(placed) = field.get(unit) else { return };
    if let Some(wall) = siege::foot_of(field.battle, unit, placed)
        && may_scale(field, unit, wall).is_ok()
    {
        out.push(Siege::Escalade { unit, wall }.into());
    }
    if over_battlements(field, unit).is_ok() {
        out.push(Siege::ClimbOver(unit).into());
    }
}

/// The march columns a unit on a wall can form on a deploy order (HZ-FTW-14).
pub(crate) fn deploy_offers(field: &Field<'_>, unit: UnitId, out: &mut Vec<Offer>) {
    decides!(HZ_FTW_14);
    for right in [false, true] {
        if along_wall(field, unit, right).is_some() {
            out.push(Siege::AlongWall { unit, right }.into());
        }
    }
}

/// The mines that can be fired now.
pub(crate) fn mine_offers(battle: &Battle, out: &mut Vec<Offer>) {
    decides!(HZ_BRE_03);
    let field = Field::of(battle);
    let ready = mined(battle).filter(|&breach| may_explode(&field, breach));
    out.extend(ready.map(|breach| Offer::from(Siege::Explode(breach))));
}

/// What is closed to a unit that is ordered to advance at a wall, and why.
pub(crate) fn closed(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return };
    if let Some(wall) = siege::foot_of(battle, unit, placed)
        && let Err((clause, says)) = may_scale(field, unit, wall)
    {
        out.push((Siege::Escalade { unit, wall }.into(), Refusal::new(clause, says)));
    }
    if battle.unit(unit).scaled.is_some()
        && let Err((clause, says)) = over_battlements(field, unit)
    {
        out.push((Siege::ClimbOver(unit).into(), Refusal::new(clause, says)));
    }
}

impl Siege {
    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) const fn is_possible(self) -> bool {
        match self {
            Self::ClimbOver(_) => false,
            Self::Escalade { .. } | Self::AlongWall { .. } | Self::Explode(_) => true,
        }
    }

    /// Where the unit would stand.
    pub(crate) fn preview(self, battle: &Battle) -> Preview {
        match self {
            Self::ClimbOver(unit) => view::standing(battle, unit, over_battlements(&Field::of(battle), unit).ok()),
            Self::AlongWall { unit, right } => {
                let pose = siege::along_wall(battle, unit, &battle.placed(unit), right);
                view::standing_in(battle, unit, Formation::MarchColumn, pose)
            }
            Self::Escalade { .. } | Self::Explode(_) => Preview::default(),
        }
    }
}

impl Part<Huzzah> for Siege {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Escalade { unit, .. } | Self::ClimbOver(unit) | Self::AlongWall { unit, .. } => Some(unit.into()),
            Self::Explode(_) => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Escalade { unit, wall } => super::escalade(play, unit, wall),
            Self::ClimbOver(unit) => super::climb_over(play, unit),
            Self::AlongWall { unit, right } => super::turn_along(play, unit, right),
            Self::Explode(breach) => super::explode(play, breach),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| unit_id(battle, unit);
        match self {
            Self::Escalade { unit, wall } => format!("escalade {} {}", id(unit), ground_id(battle, wall)),
            Self::ClimbOver(unit) => format!("climb over {}", id(unit)),
            Self::AlongWall { unit, right } => format!("along wall {} {}", id(unit), side(right)),
            Self::Explode(breach) => format!("explode {}", ground_id(battle, breach)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| unit_name(battle, unit);
        match self {
            Self::Escalade { unit, wall } => {
                of_unit(battle, unit, format!("{} scales {}", name(unit), ground_name(battle, wall)), HZ_FTW_04)
            }
            Self::ClimbOver(unit) => {
                of_unit(battle, unit, format!("{} climbs over the battlements", name(unit)), HZ_FTW_13)
            }
            Self::AlongWall { unit, right } => {
                let text = format!("{} forms march column along the wall to the {}", name(unit), side(right));
                of_unit(battle, unit, text, HZ_FTW_14)
            }
            Self::Explode(breach) => plain(format!("Fire the mine under {}", ground_name(battle, breach)), HZ_BRE_03),
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        let ground = |n: u16| Named::Ground(GroundId(n));
        match self {
            Self::Escalade { unit, wall } => Handling::at("escalade", [unit], ground(wall)),
            Self::ClimbOver(unit) => Handling::act("climb", unit),
            Self::AlongWall { unit, .. } => Handling::act("along_wall", unit),
            Self::Explode(breach) => Handling::at("explode", [] as [UnitId; 0], ground(breach)),
        }
    }
}
