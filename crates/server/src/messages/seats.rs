//! The seats at a battle.

use sabretache_engine::ids::Side;
use sabretache_engine::session::Seat;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One of several players of a side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct PlayerSeat {
    /// His side.
    pub side: Side,
    /// His name in the scenario.
    pub name: String,
}

impl PlayerSeat {
    /// As it is kept in the database.
    #[must_use]
    pub fn word(&self) -> String {
        format!("{}:{}", self.side, self.name)
    }

    /// The player kept under this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let (side, name) = word.split_once(':')?;
        let side = Side::BOTH.into_iter().find(|one| one.to_string() == side)?;
        Some(Self { side, name: name.to_owned() })
    }
}

/// A seat at a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub enum SeatName {
    /// Side A.
    A,
    /// Side B.
    B,
    /// The umpire.
    #[serde(rename = "umpire")]
    Umpire,
    /// A spectator.
    #[serde(rename = "spectator")]
    Spectator,
}

impl SeatName {
    /// Every seat.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::Umpire, Self::Spectator];

    /// As it is kept in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::Umpire => "umpire",
            Self::Spectator => "spectator",
        }
    }

    /// The seat kept under this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.word() == word)
    }
}

impl From<Side> for SeatName {
    fn from(side: Side) -> Self {
        match side {
            Side::A => Self::A,
            Side::B => Self::B,
        }
    }
}

impl From<Seat> for SeatName {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::Player(side) => side.into(),
            Seat::Umpire => Self::Umpire,
            Seat::Spectator => Self::Spectator,
        }
    }
}

impl From<SeatName> for Seat {
    fn from(name: SeatName) -> Self {
        match name {
            SeatName::A => Self::Player(Side::A),
            SeatName::B => Self::Player(Side::B),
            SeatName::Umpire => Self::Umpire,
            SeatName::Spectator => Self::Spectator,
        }
    }
}
