//! The move dice a player names before rolling.

use crate::clauses::{
    MB_GEN_02, MB_MOV_01, MB_MOV_02, MB_MOV_03, MB_MOV_16, MB_MOV_19, MB_RES_16, MB_TER_03, MB_UNI_13,
};
use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::troops::{Formation, Kind};

/// So many average dice and ordinary ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveDice {
    /// Average dice.
    #[schemars(range(max = 2))]
    pub average: u8,
    /// Ordinary dice.
    #[serde(default)]
    #[schemars(range(max = 1))]
    pub d6: u8,
}

/// A six-sided die read as an average die: 1 reads 3 and 6 reads 4 (MB-GEN-03).
#[must_use]
pub const fn average_of_d6(face: u8) -> u8 {
    match face {
        1 => 3,
        6 => 4,
        face => face,
    }
}

impl MoveDice {
    /// So many.
    #[must_use]
    pub const fn new(average: u8, d6: u8) -> Self {
        Self { average, d6 }
    }

    /// How many dice in all.
    #[must_use]
    pub const fn count(self) -> u8 {
        self.average + self.d6
    }

    /// The throws, one for each die, since each is read by itself.
    pub fn throws(self) -> impl Iterator<Item = Throw> {
        decides!(MB_GEN_02, MB_MOV_03);
        let average = std::iter::repeat_n(Die::Average, self.average.into());
        average.chain(std::iter::repeat_n(Die::D6, self.d6.into())).map(Throw::one)
    }

    /// The dice open to troops for a normal move or charge, fewest first (MB-MOV-01, 02, 16, 19).
    #[must_use]
    pub fn open_to(kind: Kind, formation: Formation, rough: bool) -> &'static [Self] {
        decides!(MB_MOV_01, MB_MOV_02, MB_MOV_16, MB_MOV_19);
        const FOOT: [MoveDice; 2] = [MoveDice::new(1, 0), MoveDice::new(1, 1)];
        const CAVALRY: [MoveDice; 4] =
            [MoveDice::new(1, 0), MoveDice::new(2, 0), MoveDice::new(1, 1), MoveDice::new(2, 1)];
        const LIMBERED: [MoveDice; 2] = [MoveDice::new(1, 0), MoveDice::new(2, 0)];
        match (kind, formation) {
            (kind, _) if kind.is_cavalry() => &CAVALRY,
            (kind, _) if kind.is_foot() => &FOOT,
            (_, Formation::Limbered) if rough => {
                decides!(MB_TER_03);
                &LIMBERED[..1]
            }
            (_, Formation::Limbered) => {
                decides!(MB_UNI_13);
                &LIMBERED
            }
            (Kind::LightGun, _) | (Kind::Civilians, _) => {
                decides!(MB_UNI_13);
                &FOOT[..1]
            }
            _ => &[],
        }
    }

    /// As many dice as there can be: those of a fast move (MB-MOV-22).
    #[must_use]
    pub fn most_of(kind: Kind) -> Self {
        decides!(MB_RES_16);
        if kind.is_cavalry() { Self::new(2, 1) } else { Self::new(1, 1) }
    }

    /// In words: "2 average dice and a D6".
    #[must_use]
    pub fn words(self) -> &'static str {
        match (self.average, self.d6) {
            (1, 0) => "1 average die",
            (2, 0) => "2 average dice",
            (1, 1) => "1 average die and a D6",
            (2, 1) => "2 average dice and a D6",
            _ => "no dice",
        }
    }

    /// As part of a key: `2a+1`.
    #[must_use]
    pub fn key(self) -> String {
        format!("{}a{}", self.average, if self.d6 > 0 { "+d6" } else { "" })
    }
}
