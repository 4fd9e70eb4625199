//! Where troops stand and what they are for, at a glance: all that a player who plans asks of a book.

use sabretache_table::Vec2;

use crate::ids::{CommandId, Side, UnitId};
use crate::ruleset::Ruleset;
use crate::view::Symbol;

/// A unit on the table, as far as a plan goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// The unit.
    pub unit: UnitId,
    /// Whose it is.
    pub side: Side,
    /// The command that it fights under.
    pub command: CommandId,
    /// What it is.
    pub branch: Branch,
    /// Its middle.
    pub at: Vec2,
    /// Where it faces, of length 1.
    pub facing: Vec2,
    /// How wide it is, in micrometres.
    pub front: f64,
    /// How far it gets in a turn, in micrometres, as a rule.
    pub pace: f64,
    /// What it is worth, in the points of [`Ruleset::worth`].
    pub points: f64,
    /// Whether it does as it is told: it neither runs nor is as good as lost.
    pub ready: bool,
}

/// What a unit is, as far as a plan goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Branch {
    /// Foot.
    Foot,
    /// Horse.
    Horse,
    /// Guns.
    Guns,
}

/// A place that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where.
    pub at: Vec2,
    /// What it is called.
    pub name: String,
    /// For whom it counts; for both where nobody is named.
    pub counts_for: Option<Side>,
    /// Who would have it if the battle ended now.
    pub holder: Option<Side>,
}

/// A tenth of the table, where a book does not say how far its units get.
const PACE: f64 = 0.1;

/// What the view tells of every unit that stands on the table.
pub(crate) fn from_view<R: Ruleset>(battle: &R::Battle, out: &mut Vec<Stance>) {
    let view = R::view(battle);
    let pace = view.setting.width.f().max(view.setting.depth.f()) * PACE;
    for unit in &view.units {
        let Some(pose) = unit.pose else { continue };
        let corners: Vec<Vec2> = unit.stands.iter().flatten().map(|corner| corner.v()).collect();
        let count = corners.len().max(1) as f64;
        let sum = corners.iter().fold(Vec2::default(), |sum, corner| sum + *corner);
        let at = if corners.is_empty() { pose.at.v() } else { sum * (1.0 / count) };
        let facing = pose.heading.unit();
        let aside = corners.iter().map(|corner| (*corner - at).dot(facing.right()).abs());
        out.push(Stance {
            unit: unit.id,
            side: unit.side,
            // A book without commands has one a side.
            command: unit.command.unwrap_or(CommandId(unit.side.index() as u16)),
            branch: match unit.symbol {
                Symbol::Horse | Symbol::LightHorse | Symbol::HeavyHorse | Symbol::Dragoons => Branch::Horse,
                Symbol::Guns | Symbol::HorseGuns | Symbol::HeavyGuns | Symbol::Howitzers => Branch::Guns,
                _ => Branch::Foot,
            },
            at,
            facing,
            front: 2.0 * aside.fold(0.0, f64::max),
            pace,
            points: f64::from(R::points(battle, unit.id)),
            ready: true,
        });
    }
}
