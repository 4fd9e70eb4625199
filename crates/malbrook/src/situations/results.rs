//! The combat result table.

use crate::clauses::{
    MB_RES_01, MB_RES_02, MB_RES_03, MB_RES_04, MB_RES_05, MB_RES_06, MB_RES_07, MB_RES_08, MB_RES_10, MB_RES_12,
    MB_RES_13, MB_RES_14, MB_RES_16, MB_RES_21, MB_RES_25,
};
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combat::{Attack, Fighter, Force};
use crate::numbers::Numbers;
use crate::troops::Formation;

/// A row of the result table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Row {
    /// -7 or worse.
    Break,
    /// -5 or -6.
    Defeat,
    /// -2 to -4.
    DrivenBack,
    /// -1 to +1.
    Inconclusive,
    /// +2 or +3.
    Success,
    /// +4 to +6.
    Victory,
    /// +7 or better.
    Breakthrough,
}

/// What a brigade does after a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It stays.
    Remain,
    /// It goes where the enemy stood.
    TakePosition,
    /// It goes through the enemy.
    RideThrough,
    /// It goes back, unformed.
    Retire,
    /// It runs.
    Rout,
    /// It goes after the enemy.
    Pursue,
}

impl Row {
    /// The row of a difference in hits (MB-RES-01).
    #[must_use]
    pub fn of(difference: i32, numbers: &Numbers) -> Self {
        decides!(MB_RES_01);
        let table = &numbers.results;
        match difference {
            d if d >= table.breakthrough => Self::Breakthrough,
            d if d >= table.victory => Self::Victory,
            d if d >= table.success => Self::Success,
            d if d <= -table.breakthrough => Self::Break,
            d if d <= -table.defeat => Self::Defeat,
            d if d <= -table.success => Self::DrivenBack,
            _ => Self::Inconclusive,
        }
    }

    /// The DPs of the row for a brigade.
    #[must_use]
    pub fn dps(self, attack: Attack, numbers: &Numbers) -> u8 {
        let table = &numbers.results;
        match self {
            Self::Breakthrough | Self::Break => 0,
            Self::Victory | Self::Success => table.won_dps,
            Self::Inconclusive if attack == Attack::Outrance => table.inconclusive_dps + table.outrance_dps,
            Self::Inconclusive => table.inconclusive_dps,
            Self::DrivenBack | Self::Defeat => table.lost_dps,
        }
    }

    /// The casualties of the row for a side.
    #[must_use]
    pub fn casualties(self, numbers: &Numbers) -> u8 {
        let table = &numbers.results;
        match self {
            Self::Breakthrough | Self::Victory | Self::Success => 0,
            Self::Inconclusive => table.inconclusive_losses,
            Self::DrivenBack => table.driven_back_losses,
            Self::Defeat => table.defeat_losses,
            Self::Break => table.break_losses,
        }
    }

    /// In words.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Break => "break",
            Self::Defeat => "defeat",
            Self::DrivenBack => "driven back",
            Self::Inconclusive => "inconclusive",
            Self::Success => "success",
            Self::Victory => "victory",
            Self::Breakthrough => "breakthrough",
        }
    }
}

impl Action {
    /// In words, for one brigade.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Remain => "remain in place",
            Self::TakePosition => "take the position",
            Self::RideThrough => "ride through",
            Self::Retire => "retire",
            Self::Rout => "rout",
            Self::Pursue => "pursue",
        }
    }

    /// The clause that says what it is.
    pub(crate) fn clause(self) -> Clause {
        match self {
            Self::Remain => MB_RES_12,
            Self::TakePosition => MB_RES_13,
            Self::RideThrough => MB_RES_14,
            Self::Retire => MB_RES_16,
            Self::Rout => MB_RES_21,
            Self::Pursue => MB_RES_25,
        }
    }

    /// Whether it takes a brigade out of the enemy's way.
    #[must_use]
    pub fn gives_way(self) -> bool {
        matches!(self, Self::Retire | Self::Rout)
    }
}

/// What the table leaves a brigade to do, the first being what it does if nobody chooses.
///
/// `gave_way` says whether some opponent of the combat has retired or routed (there is somebody to pursue and a position to take),
/// `left` whether the place is empty all the same (destroyed, or guns abandoned).
#[must_use]
pub fn actions_after(
    row: Row,
    difference: i32,
    who: &Fighter,
    enemy: &Force,
    gave_way: bool,
    left: bool,
    numbers: &Numbers,
) -> Vec<Action> {
    decides!(MB_RES_02, MB_RES_03, MB_RES_04, MB_RES_05, MB_RES_06, MB_RES_07, MB_RES_08, MB_RES_12);
    let cavalry = who.kind.is_cavalry();
    let charged = cavalry && who.attack != Attack::None;
    let charged_foot = charged && enemy.mostly(|other| other.kind.is_foot());
    let only_guns = enemy.fighters.is_empty() && enemy.guns;
    match row {
        Row::Breakthrough if !who.grade.is_elite() && gave_way => vec![Action::Pursue],
        Row::Breakthrough => permitted(cavalry, gave_way, left),
        Row::Victory if charged_foot && difference < numbers.results.defeat => vec![Action::Retire],
        Row::Victory if !who.grade.is_elite() && gave_way => vec![Action::Pursue],
        Row::Victory => permitted(cavalry, gave_way, left),
        Row::Success if charged_foot => vec![Action::Retire],
        Row::Success if who.is_dismounted_dragoons() => vec![Action::Remain],
        Row::Success if who.kind.is_foot() && enemy.any(|other| other.kind.is_cavalry()) => vec![Action::Remain],
        Row::Success if charged && only_guns => vec![Action::RideThrough],
        Row::Success => permitted(cavalry, gave_way, left),
        Row::Inconclusive if who.attack == Attack::Outrance && enemy.all(rides_through) => vec![Action::RideThrough],
        Row::Inconclusive if charged_foot => vec![Action::Retire],
        Row::Inconclusive => vec![Action::Remain, Action::Retire],
        Row::DrivenBack if who.kind.is_foot() && enemy.all(charging_cavalry) => vec![Action::Remain],
        Row::DrivenBack | Row::Defeat => vec![Action::Retire],
        Row::Break => vec![Action::Rout],
    }
}

/// Any permitted after-combat action (MB-RES-10).
fn permitted(cavalry: bool, gave_way: bool, left: bool) -> Vec<Action> {
    decides!(MB_RES_10);
    let mut actions = vec![Action::Remain];
    if cavalry {
        actions.push(Action::Retire);
    }
    if !cavalry && (gave_way || left) {
        actions.push(Action::TakePosition);
    }
    if gave_way {
        actions.push(Action::Pursue);
    }
    actions
}

/// Dismounted dragoons, or cavalry one rank deep: what sword-in-hand chargers ride through (MB-RES-05).
fn rides_through(enemy: &Fighter) -> bool {
    enemy.is_dismounted_dragoons() || (enemy.kind.is_cavalry() && enemy.single_rank())
}

fn charging_cavalry(enemy: &Fighter) -> bool {
    enemy.kind.is_cavalry() && enemy.attack != Attack::None
}

impl Fighter {
    pub(crate) fn is_dismounted_dragoons(&self) -> bool {
        self.kind == crate::troops::Kind::DismountedDragoons
    }

    pub(crate) fn single_rank(&self) -> bool {
        self.second_rank == 0 || self.formation == Formation::Unformed
    }
}
