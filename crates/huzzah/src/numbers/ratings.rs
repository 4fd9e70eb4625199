//! What qualities are worth, and the tables on which they are rolled.

use crate::clauses::{HZ_QUA_01, HZ_QUA_03, HZ_QUA_04};
use sabretache_engine::decides;
use std::sync::{Mutex, PoisonError};

use sabretache_engine::test::{Rung, Scale};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::troops::{Ability, Class, Grade, Quality};

/// The two numbers of one quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Morale {
    /// Full morale.
    pub full: i32,
    /// Disadvantaged morale.
    pub disadvantaged: i32,
}

/// Morale ratings (HZ-QUA-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoraleRatings {
    /// Veterans.
    pub veteran: Morale,
    /// Experienced.
    pub experienced: Morale,
    /// Trained.
    pub trained: Morale,
    /// Green.
    pub green: Morale,
    /// Raw.
    pub raw: Morale,
    /// Unreliable.
    pub unreliable: Morale,
}

impl MoraleRatings {
    /// The ratings of the book.
    pub const BOOK: Self = {
        const fn morale(full: i32, disadvantaged: i32) -> Morale {
            Morale { full, disadvantaged }
        }
        Self {
            veteran: morale(10, 6),
            experienced: morale(9, 5),
            trained: morale(8, 4),
            green: morale(7, 4),
            raw: morale(6, 4),
            unreliable: morale(5, 3),
        }
    };

    /// The two numbers of a quality.
    #[must_use]
    pub const fn of(&self, quality: Quality) -> Morale {
        match quality {
            Quality::Veteran => self.veteran,
            Quality::Experienced => self.experienced,
            Quality::Trained => self.trained,
            Quality::Green => self.green,
            Quality::Raw => self.raw,
            Quality::Unreliable => self.unreliable,
        }
    }

    /// The ladder of qualities, worst first, with the numbers of the full or the disadvantaged column.
    #[must_use]
    pub fn ladder(&self, disadvantaged: bool) -> &'static Scale {
        decides!(HZ_QUA_01, HZ_QUA_03, HZ_QUA_04);
        match (*self == Self::BOOK, disadvantaged) {
            (true, false) => &FULL,
            (true, true) => &DISADVANTAGED,
            (false, _) => self.changed_ladder(disadvantaged),
        }
    }

    /// A ladder with changed numbers. Tests keep a ladder for as long as the program runs, so each different one is made
    /// once and kept.
    fn changed_ladder(&self, disadvantaged: bool) -> &'static Scale {
        static KEPT: Mutex<Vec<&'static Scale>> = Mutex::new(Vec::new());
        let column = |morale: Morale| if disadvantaged { morale.disadvantaged } else { morale.full };
        let name = if disadvantaged { DISADVANTAGED.name } else { FULL.name };
        let values = Quality::ALL.iter().rev().map(|&quality| column(self.of(quality)));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |scale: &&&'static Scale| {
            scale.name == name && scale.rungs.iter().map(|rung| rung.value).eq(values.clone())
        };
        if let Some(scale) = kept.iter().find(same) {
            return scale;
        }
        let rungs: Vec<Rung> = Quality::ALL
            .iter()
            .rev()
            .zip(values)
            .map(|(quality, value)| Rung { name: quality.word(), value })
            .collect();
        let scale: &'static Scale = Box::leak(Box::new(Scale { name, rungs: Box::leak(rungs.into_boxed_slice()) }));
        kept.push(scale);
        scale
    }
}

impl Default for MoraleRatings {
    fn default() -> Self {
        Self::BOOK
    }
}

/// The rung of a quality on a ladder: the worst is the lowest (HZ-QUA-02).
#[must_use]
pub const fn rung(quality: Quality) -> usize {
    Quality::ALL.len() - 1 - quality.index()
}

/// The quality of a rung.
#[must_use]
pub fn quality_at(rung: usize) -> Quality {
    *Quality::ALL.iter().rev().nth(rung).unwrap_or(&Quality::Veteran)
}

const fn rungs(disadvantaged: bool) -> [Rung; 6] {
    let mut rungs = [Rung { name: "", value: 0 }; 6];
    let mut n = 0;
    while n < rungs.len() {
        let quality = Quality::ALL[rungs.len() - 1 - n];
        let morale = MoraleRatings::BOOK.of(quality);
        rungs[n] = Rung { name: quality.word(), value: if disadvantaged { morale.disadvantaged } else { morale.full } };
        n += 1;
    }
    rungs
}

static FULL_RUNGS: [Rung; 6] = rungs(false);
static DISADVANTAGED_RUNGS: [Rung; 6] = rungs(true);
/// The full column of the book.
static FULL: Scale = Scale { name: "full morale", rungs: &FULL_RUNGS };
/// The disadvantaged column of the book.
static DISADVANTAGED: Scale = Scale { name: "disadvantaged morale", rungs: &DISADVANTAGED_RUNGS };

/// A number for each word from Excellent to Abysmal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbilityRatings {
    /// Excellent.
    pub excellent: i32,
    /// Skilful.
    pub skilful: i32,
    /// Average.
    pub average: i32,
    /// Poor.
    pub poor: i32,
    /// Abysmal.
    pub abysmal: i32,
}

impl Default for AbilityRatings {
    fn default() -> Self {
        Self { excellent: 10, skilful: 9, average: 8, poor: 7, abysmal: 6 }
    }
}

impl AbilityRatings {
    /// The number of a word.
    #[must_use]
    pub const fn of(&self, ability: Ability) -> i32 {
        match ability {
            Ability::Excellent => self.excellent,
            Ability::Skilful => self.skilful,
            Ability::Average => self.average,
            Ability::Poor => self.poor,
            Ability::Abysmal => self.abysmal,
        }
    }
}

/// A table for rolling an officer's quality or a skirmish rating on two dice: for each word the highest total that still
/// gives it, best first; 0 where no total does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbilityTable {
    /// Excellent up to this total.
    pub excellent: u8,
    /// Skilful up to this total.
    pub skilful: u8,
    /// Average up to this total.
    pub average: u8,
    /// Poor up to this total.
    pub poor: u8,
}

impl Default for AbilityTable {
    fn default() -> Self {
        Self { excellent: 2, skilful: 4, average: 9, poor: 11 }
    }
}

impl AbilityTable {
    /// What a total gives.
    #[must_use]
    pub fn read(&self, total: i32) -> Ability {
        let rows = [
            (self.excellent, Ability::Excellent),
            (self.skilful, Ability::Skilful),
            (self.average, Ability::Average),
            (self.poor, Ability::Poor),
        ];
        rows.into_iter().find(|(up_to, _)| total <= i32::from(*up_to)).map_or(Ability::Abysmal, |(_, ability)| ability)
    }
}

/// One row of the unit quality table: for each quality the highest total that still gives it; 0 where no total does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualityRow {
    /// Veterans up to this total.
    pub veteran: u8,
    /// Experienced up to this total.
    pub experienced: u8,
    /// Trained up to this total.
    pub trained: u8,
    /// Green up to this total.
    pub green: u8,
    /// Raw up to this total.
    pub raw: u8,
    /// Unreliable up to this total.
    pub unreliable: u8,
}

impl QualityRow {
    /// The columns as the playsheet prints them, Veteran first; 0 for a dash.
    const fn columns(up_to: [u8; 6]) -> Self {
        let [veteran, experienced, trained, green, raw, unreliable] = up_to;
        Self { veteran, experienced, trained, green, raw, unreliable }
    }

    const fn up_to(&self, quality: Quality) -> u8 {
        match quality {
            Quality::Veteran => self.veteran,
            Quality::Experienced => self.experienced,
            Quality::Trained => self.trained,
            Quality::Green => self.green,
            Quality::Raw => self.raw,
            Quality::Unreliable => self.unreliable,
        }
    }

    /// What a total gives: the column with the lowest end that it does not exceed.
    #[must_use]
    pub fn read(&self, total: i32) -> Quality {
        let reached = Quality::ALL.iter().copied().filter(|&quality| total <= i32::from(self.up_to(quality)));
        reached.min_by_key(|&quality| self.up_to(quality)).unwrap_or(Quality::Unreliable)
    }
}

/// The unit quality table of a playsheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualityTable {
    /// Elites, A class.
    pub elites_a: QualityRow,
    /// Elites, B class.
    pub elites_b: QualityRow,
    /// Elites, C class.
    pub elites_c: QualityRow,
    /// Elites, D class.
    pub elites_d: QualityRow,
    /// Regulars, A class.
    pub regulars_a: QualityRow,
    /// Regulars, B class.
    pub regulars_b: QualityRow,
    /// Regulars, C class.
    pub regulars_c: QualityRow,
    /// Regulars, D class.
    pub regulars_d: QualityRow,
    /// Militia, A class.
    pub militia_a: QualityRow,
    /// Militia, B class.
    pub militia_b: QualityRow,
    /// Militia, C class.
    pub militia_c: QualityRow,
    /// Militia, D class.
    pub militia_d: QualityRow,
}

impl QualityTable {
    /// The table of version 1.11: low totals are good (HZ-QUA-08).
    pub const LOW_IS_GOOD: Self = Self {
        elites_a: QualityRow::columns([7, 12, 0, 0, 0, 0]),
        elites_b: QualityRow::columns([6, 10, 12, 0, 0, 0]),
        elites_c: QualityRow::columns([5, 9, 12, 0, 0, 0]),
        elites_d: QualityRow::columns([4, 7, 10, 12, 0, 0]),
        regulars_a: QualityRow::columns([4, 6, 9, 12, 0, 0]),
        regulars_b: QualityRow::columns([3, 5, 8, 12, 0, 0]),
        regulars_c: QualityRow::columns([2, 4, 7, 10, 12, 0]),
        regulars_d: QualityRow::columns([0, 3, 6, 9, 12, 0]),
        militia_a: QualityRow::columns([0, 3, 5, 8, 12, 0]),
        militia_b: QualityRow::columns([0, 2, 4, 7, 10, 12]),
        militia_c: QualityRow::columns([0, 0, 3, 6, 9, 12]),
        militia_d: QualityRow::columns([0, 0, 0, 5, 8, 12]),
    };

    /// The table of the earlier playsheet: high totals are good (HZ-VAR-01). Militia A has the chances of version 1.11;
    /// the chances printed on the earlier sheet are an option of their own (HZ-VAR-02).
    pub const HIGH_IS_GOOD: Self = Self {
        elites_a: QualityRow::columns([12, 6, 0, 0, 0, 0]),
        elites_b: QualityRow::columns([12, 7, 3, 0, 0, 0]),
        elites_c: QualityRow::columns([12, 8, 4, 0, 0, 0]),
        elites_d: QualityRow::columns([12, 9, 6, 3, 0, 0]),
        regulars_a: QualityRow::columns([12, 9, 7, 4, 0, 0]),
        regulars_b: QualityRow::columns([12, 10, 8, 5, 0, 0]),
        regulars_c: QualityRow::columns([12, 11, 9, 6, 3, 0]),
        regulars_d: QualityRow::columns([0, 12, 10, 7, 4, 0]),
        militia_a: QualityRow::columns([0, 12, 10, 8, 5, 0]),
        militia_b: QualityRow::columns([0, 12, 11, 9, 6, 3]),
        militia_c: QualityRow::columns([0, 0, 12, 10, 7, 4]),
        militia_d: QualityRow::columns([0, 0, 0, 12, 8, 5]),
    };

    /// The row of a grade and class.
    #[must_use]
    pub const fn row(&self, grade: Grade, class: Class) -> &QualityRow {
        match (grade, class) {
            (Grade::Elites, Class::A) => &self.elites_a,
            (Grade::Elites, Class::B) => &self.elites_b,
            (Grade::Elites, Class::C) => &self.elites_c,
            (Grade::Elites, Class::D) => &self.elites_d,
            (Grade::Regulars, Class::A) => &self.regulars_a,
            (Grade::Regulars, Class::B) => &self.regulars_b,
            (Grade::Regulars, Class::C) => &self.regulars_c,
            (Grade::Regulars, Class::D) => &self.regulars_d,
            (Grade::Militia, Class::A) => &self.militia_a,
            (Grade::Militia, Class::B) => &self.militia_b,
            (Grade::Militia, Class::C) => &self.militia_c,
            (Grade::Militia, Class::D) => &self.militia_d,
        }
    }
}

/// Militia A with the chances of the earlier playsheet (HZ-VAR-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierMilitiaA {
    /// The row where low totals are good.
    pub low_is_good: QualityRow,
    /// The row where high totals are good.
    pub high_is_good: QualityRow,
}

impl Default for EarlierMilitiaA {
    fn default() -> Self {
        Self {
            low_is_good: QualityRow::columns([0, 2, 5, 8, 12, 0]),
            high_is_good: QualityRow::columns([0, 12, 11, 8, 5, 0]),
        }
    }
}
