//! Lengths of the book: inches.

use std::fmt;

use sabretache_table::{Length, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A length as the book gives it. In files it is a plain number of inches or a text with its unit: `8`, `"1 1/2in"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inches(pub Length);

impl Inches {
    /// So many whole inches.
    #[must_use]
    pub const fn whole(inches: i32) -> Self {
        Self(Length::inches(inches))
    }

    /// A fraction of an inch.
    #[must_use]
    pub const fn part(num: i32, den: i32) -> Self {
        Self(Length::inch_fraction(num, den))
    }
}

impl fmt::Display for Inches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format_in(Unit::Inch))
    }
}

impl Serialize for Inches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Inches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Given {
            Number(f64),
            Text(String),
        }
        let length = match Given::deserialize(deserializer)? {
            Given::Number(inches) => Length::rounded(inches * Length::inches(1).f()),
            Given::Text(text) => text.parse().map_err(de::Error::custom)?,
        };
        if length < Length::ZERO {
            return Err(de::Error::custom("a length of the book is not negative"));
        }
        Ok(Self(length))
    }
}
