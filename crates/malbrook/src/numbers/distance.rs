//! Distances as the book prints them: in inches.

use std::fmt;

use sabretache_table::{Length, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A distance of the book. In files it is a text such as `"4in"` or `"3 1/2in"`, or a plain number of inches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inches(Length);

impl Inches {
    /// So many inches.
    #[must_use]
    pub const fn whole(inches: i32) -> Self {
        Self(Length::inches(inches))
    }

    /// A fraction of an inch.
    #[must_use]
    pub const fn fraction(num: i32, den: i32) -> Self {
        Self(Length::inch_fraction(num, den))
    }

    /// As the table measures it.
    #[must_use]
    pub const fn length(self) -> Length {
        self.0
    }

    /// As a number of inches.
    #[must_use]
    pub fn number(self) -> f64 {
        self.0.to_inches()
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
        enum Written {
            Number(f64),
            Text(String),
        }
        let length = match Written::deserialize(deserializer)? {
            Written::Number(inches) => Length::rounded(inches * f64::from(Length::inches(1).to_um())),
            Written::Text(text) => text.parse().map_err(|error| de::Error::custom(format!("'{text}': {error}")))?,
        };
        if length < Length::ZERO || length > Length::inches(1_000) {
            return Err(de::Error::custom("a distance is between nothing and a thousand inches"));
        }
        Ok(Self(length))
    }
}
