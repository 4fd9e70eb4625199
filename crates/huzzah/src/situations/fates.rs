//! What an engagement does to the units in it.

use serde::{Serialize, Serializer};
use smallvec::SmallVec;

use super::engagement::Role;

/// What becomes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stays where it is.
    Holds,
    /// It retires one move, facing the enemy.
    Retires,
    /// It routs.
    Routs,
    /// It is broken and removed.
    Breaks,
}

impl Fate {
    const fn word(self) -> &'static str {
        match self {
            Self::Holds => "hold",
            Self::Retires => "retire",
            Self::Routs => "rout",
            Self::Breaks => "break",
        }
    }
}

/// How one unit came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FighterResult {
    /// Its effective morale.
    pub rating: i32,
    /// What it rolled.
    pub total: i32,
    /// By how much it succeeded; nothing if it failed.
    pub margin: Option<i32>,
    /// It rolled a Huzzah!.
    pub huzzah: bool,
    /// Kills it takes.
    pub kills: u8,
    /// Staggers it takes.
    pub staggers: u8,
    /// Its losses brought it to its limit.
    pub shattered: bool,
    /// Its kills alone brought it to its limit: it can never come back.
    pub destroyed: bool,
    /// What becomes of it.
    pub fate: Fate,
    /// It is blown from now on.
    pub blown: bool,
    /// It is routing from now on.
    pub routing: bool,
    /// The officer attached to it is killed.
    pub officer_killed: bool,
}

/// Odd staggers that their owner may place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OddStaggers {
    /// On which side.
    pub side: Role,
    /// How many of them, at most one to a unit.
    pub staggers: u8,
    /// The units among which he may choose, by number on their side.
    pub among: Vec<u8>,
}

/// How an engagement ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngagementOutcome {
    /// Who wins; nobody in a tie.
    pub winner: Option<Role>,
    /// It is a tie because the unit that won broke.
    pub winner_broke: bool,
    /// The attackers, in the order given.
    #[serde(serialize_with = "as_list")]
    pub attackers: FighterResults,
    /// The defenders, in the order given.
    #[serde(serialize_with = "as_list")]
    pub defenders: FighterResults,
}

/// How the units of one side came through: seldom more than two.
pub type FighterResults = SmallVec<[FighterResult; 2]>;

fn as_list<S: Serializer>(results: &FighterResults, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(results)
}

impl EngagementOutcome {
    /// The units of one side.
    #[must_use]
    pub fn side(&self, role: Role) -> &[FighterResult] {
        match role {
            Role::Attackers => &self.attackers,
            Role::Defenders => &self.defenders,
        }
    }

    /// The end as a number.
    fn end(&self) -> End {
        let fates = |role: Role| self.side(role).iter().fold(Fates::NONE, |all, unit| all.and(Fates::of(unit.fate)));
        let wins = |role: Role| self.winner == Some(role);
        let (attackers, defenders) = (fates(Role::Attackers), fates(Role::Defenders));
        End::of(wins(Role::Attackers), wins(Role::Defenders), attackers, defenders)
    }

    /// A number for the end: whatever the words of [`Self::name`] are made from, and nothing else.
    #[must_use]
    pub fn code(&self) -> u64 {
        self.end().0.into()
    }

    /// The end in a few words: "attackers win, defenders rout".
    #[must_use]
    pub fn name(&self) -> String {
        self.end().name()
    }
}

/// The different fates of a side's units, as far as they tell one end from another: some are left (who hold, or retire
/// where they may not), some break, some rout.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Fates(u16);

impl Fates {
    pub(super) const NONE: Self = Self(0);
    pub(super) const LEFT: Self = Self(1);
    pub(super) const BREAK: Self = Self(2);
    const ROUT: Self = Self(4);

    #[inline(always)]
    pub(super) const fn of(fate: Fate) -> Self {
        match fate {
            Fate::Holds | Fate::Retires => Self::LEFT,
            Fate::Routs => Self::ROUT,
            Fate::Breaks => Self::BREAK,
        }
    }

    #[inline(always)]
    pub(super) const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// In words, where those that are left do this.
    fn words(self, left: Fate) -> String {
        let each = [(Self::LEFT, left), (Self::ROUT, Fate::Routs), (Self::BREAK, Fate::Breaks)];
        let those = each.iter().filter(|(fates, _)| self.0 & fates.0 != 0);
        those.map(|(_, fate)| fate.word()).collect::<Vec<_>>().join(" and ")
    }
}

/// How an engagement ends, as far as its name tells: who wins and what becomes of the losers, or of both sides in a tie.
#[derive(Clone, Copy)]
pub(super) struct End(pub(super) u16);

impl End {
    /// Ends have numbers below this.
    pub(super) const ALL: usize = 32;
    const ATTACKERS_WIN: u16 = 16;
    const DEFENDERS_WIN: u16 = 24;

    /// Nobody routs in a tie, and none of the side that loses holds.
    #[inline(always)]
    pub(super) const fn of(attackers_win: bool, defenders_win: bool, attackers: Fates, defenders: Fates) -> Self {
        let tie = attackers.0 << 2 | defenders.0;
        let not_won = if defenders_win { Self::DEFENDERS_WIN | attackers.0 } else { tie };
        Self(if attackers_win { Self::ATTACKERS_WIN | defenders.0 } else { not_won })
    }

    pub(super) fn name(self) -> String {
        let losers = Fates(self.0 & 7).words(Fate::Retires);
        match self.0 & !7 {
            Self::ATTACKERS_WIN => format!("attackers win, defenders {losers}"),
            Self::DEFENDERS_WIN => format!("defenders win, attackers {losers}"),
            _ => {
                let attackers = Fates(self.0 >> 2 & 3).words(Fate::Retires);
                let defenders = Fates(self.0 & 3).words(Fate::Holds);
                format!("tie, attackers {attackers}, defenders {defenders}")
            }
        }
    }
}
