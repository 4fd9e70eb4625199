//! Looking things up in the tables.

use sabretache_engine::decides;

use super::{ByGrade, Degrees, EachHits, EachLosses, Inches, Losses, Moves, Row, Share, Shooting, Slower};
use crate::clauses::{BB_GEN_09, BB_MOR_04};
use crate::troops::{Calibre, Column, Fire, Formation, Grade, GunClass, Pace, Shot, Weight};

impl Row {
    pub(super) const fn of(range: i32, normal: u8, skirmishers: Option<u8>, soft: u8, hard: Option<u8>) -> Self {
        Self { range: Inches::whole(range), normal: Some(normal), skirmishers, soft: Some(soft), hard }
    }

    /// The cell of a column; nothing is NIL.
    #[must_use]
    pub fn cell(&self, column: Column) -> Option<u8> {
        match column {
            Column::Normal => self.normal,
            Column::Skirmishers => self.skirmishers,
            Column::Soft => self.soft,
            Column::Hard => self.hard,
        }
    }
}

impl Share {
    /// What it comes to of a whole.
    #[must_use]
    pub fn of(&self, whole: u32) -> u32 {
        (u64::from(whole) * u64::from(self.percent) / 100) as u32
    }
}

impl Slower {
    /// How often each inch counts: at least once, and within what lengths on a table can be multiplied by.
    #[must_use]
    pub fn factor(&self) -> u8 {
        self.times.clamp(1, 20)
    }
}

impl Degrees {
    /// The angle, less than a quarter of a circle.
    #[must_use]
    pub fn radians(&self) -> f64 {
        (f64::from(self.hundredths.min(8_999)) / 100.0).to_radians()
    }

    /// Its cosine and its sine, of less than a quarter of a circle.
    #[must_use]
    pub fn borders(&self) -> (f64, f64) {
        (libm::cos(self.radians()), libm::sin(self.radians()))
    }

    /// Its sine.
    #[must_use]
    pub fn sine(&self) -> f64 {
        libm::sin((f64::from(self.hundredths) / 100.0).to_radians())
    }
}

impl Losses {
    /// Whether a unit that began with so many figures and has so many left has lost this share (BB-MOR-04, BB-GEN-09).
    #[must_use]
    pub fn reached(&self, start: u16, left: u16) -> bool {
        decides!(BB_MOR_04, BB_GEN_09);
        u32::from(start.saturating_sub(left)) * 100 >= u32::from(start) * u32::from(self.percent)
    }
}

impl EachHits {
    /// How often so many hits count.
    #[must_use]
    pub fn times(&self, hits: u16) -> i32 {
        i32::from(hits / u16::from(self.hits.max(1)))
    }
}

impl EachLosses {
    /// How often this share is in so many losses of a unit that began with so many figures.
    #[must_use]
    pub fn times(&self, start: u16, losses: u16) -> i32 {
        i32::from(losses) * 100 / (i32::from(start.max(1)) * i32::from(self.percent.max(1)))
    }
}

impl ByGrade {
    /// The number of a grade.
    #[must_use]
    pub fn of(&self, grade: Grade) -> i32 {
        match grade {
            Grade::A => self.a,
            Grade::B => self.b,
            Grade::C => self.c,
            Grade::D => self.d,
            Grade::E => self.e,
            Grade::F => self.f,
        }
    }
}

impl Shooting {
    /// The row of a kind of fire at a range; nothing beyond its last range.
    #[must_use]
    pub fn row(&self, fire: Fire, range: Inches) -> Option<&Row> {
        let rows: &[&Row] = match fire {
            Fire::Muskets => &[&self.musket_close, &self.musket_far],
            Fire::Rifles => &[&self.rifle_close, &self.rifle_far],
            Fire::Guns(Calibre { class, shot }) => match (class, shot) {
                (GunClass::Light, Shot::Canister) => &[&self.light_canister],
                (GunClass::Field, Shot::Canister) => &[&self.field_canister],
                (GunClass::Heavy, Shot::Canister) => &[&self.heavy_canister],
                (GunClass::Light, Shot::Ball) => &[&self.light_ball],
                (GunClass::Field, Shot::Ball) => &[&self.field_ball],
                (GunClass::Heavy, Shot::Ball) => &[&self.heavy_ball],
            },
        };
        rows.iter().copied().find(|row| range <= row.range)
    }

    /// The farthest that a kind of fire reaches.
    #[must_use]
    pub fn reach(&self, fire: Fire) -> Inches {
        match fire {
            Fire::Muskets => self.musket_far.range,
            Fire::Rifles => self.rifle_far.range,
            Fire::Guns(_) => self.row(fire, Inches::whole(0)).map_or(Inches::whole(0), |row| row.range),
        }
    }
}

impl Moves {
    /// What infantry moves in a formation.
    #[must_use]
    pub fn foot(&self, formation: Formation) -> Inches {
        match formation {
            Formation::Column | Formation::Masse => self.column,
            Formation::Line => self.line,
            Formation::Extended => self.extended,
            Formation::Skirmish => self.skirmish,
            Formation::Square => self.square,
            Formation::Bent => Inches::whole(0),
        }
    }

    /// What cavalry moves.
    #[must_use]
    pub fn horse(&self, weight: Weight, pace: Pace) -> Inches {
        match (weight, pace) {
            (Weight::Light, Pace::March) => self.light,
            (Weight::Light, Pace::Charge) => self.light_charge,
            (_, Pace::March) => self.heavy,
            (_, Pace::Charge) => self.heavy_charge,
        }
    }

    /// What guns move, limbered or by hand.
    #[must_use]
    pub fn guns(&self, class: GunClass, horse: bool, limbered: bool) -> Inches {
        match (horse, class, limbered) {
            (true, _, true) => self.horse_guns,
            (true, _, false) => self.horse_guns_by_hand,
            (false, GunClass::Light, true) => self.light_guns,
            (false, GunClass::Light, false) => self.light_guns_by_hand,
            (false, GunClass::Field, true) => self.field_guns,
            (false, GunClass::Field, false) => self.field_guns_by_hand,
            (false, GunClass::Heavy, true) => self.heavy_guns,
            (false, GunClass::Heavy, false) => self.heavy_guns_by_hand,
        }
    }
}
