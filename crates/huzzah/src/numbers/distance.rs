//! Distances as the book prints them: in centimetres of the standard scale, five to the band.

use crate::clauses::HZ_SCL_01;
use sabretache_engine::decides;
use std::fmt;

use sabretache_table::{Length, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A band at the standard scale (HZ-SCL-01).
pub const STANDARD_BAND: Length = Length::cm(5);

/// A distance of the book, at the standard scale. In files it is a text such as `"15cm"` or `"3 bands"`, or a plain
/// number of centimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance(Length);

impl Distance {
    /// No distance: a zone that is not there, a move that cannot be made.
    pub const NONE: Self = Self(Length::ZERO);

    /// So many centimetres.
    #[must_use]
    pub const fn cm(cm: i32) -> Self {
        Self(Length::cm(cm))
    }

    /// So many millimetres.
    #[must_use]
    pub const fn mm(mm: i32) -> Self {
        Self(Length::mm(mm))
    }

    /// So many bands.
    #[must_use]
    pub const fn bands(bands: i32) -> Self {
        Self(Length::bands(bands, STANDARD_BAND))
    }

    /// As it is at the standard scale, where a band is five centimetres.
    #[must_use]
    pub const fn standard(self) -> Length {
        self.0
    }

    /// Both distances together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// What is left without the other, never less than nothing.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self((self.0 - other.0).max(Length::ZERO))
    }

    /// As it is on a table whose band is this long, to the nearest micrometre (HZ-SCL-02).
    #[must_use]
    pub fn on(self, band: Length) -> Length {
        decides!(HZ_SCL_01);
        if band == STANDARD_BAND {
            return self.0;
        }
        Length::rounded(self.0.f() * band.f() / STANDARD_BAND.f())
    }

    fn read(text: &str) -> Result<Self, String> {
        let number = text.trim_end_matches('s').strip_suffix("band").map(str::trim);
        let length = match number {
            Some(number) => {
                let bands: f64 = number.parse().map_err(|_| format!("{text:?} is no number of bands"))?;
                Length::rounded(bands * STANDARD_BAND.f())
            }
            None => text.parse::<Length>().map_err(|error| error.to_string())?,
        };
        Self::not_negative(length)
    }

    fn not_negative(length: Length) -> Result<Self, String> {
        if length < Length::ZERO { Err("a distance of the book is not negative".to_owned()) } else { Ok(Self(length)) }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format_in(Unit::Cm))
    }
}

impl Serialize for Distance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The two ways a distance is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Distance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(cm) if cm.is_finite() => {
                Self::not_negative(Length::rounded(cm * Length::cm(1).f())).map_err(de::Error::custom)
            }
            Written::Number(_) => Err(de::Error::custom("a distance is a finite number of centimetres")),
            Written::Text(text) => Self::read(text.trim()).map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clauses::*;
    use sabretache_engine::tests_clauses;

    #[test]
    fn every_distance_is_a_number_of_bands() {
        tests_clauses!(HZ_SCL_01);
        assert_eq!(Distance::bands(8), Distance::cm(40), "heavy guns at short range");
        assert_eq!(Distance::cm(15).standard().half(), Length::mm(75), "a retiring line goes one and a half bands");
    }

    #[test]
    fn a_smaller_band_scales_every_distance() {
        tests_clauses!(HZ_SCL_02);
        assert_eq!(Distance::bands(6).on(Length::inches(1)), Length::um(152_400));
        assert_eq!(Distance::cm(15).on(Length::cm(3)), Length::cm(9));
        assert_eq!(Distance::cm(15).on(STANDARD_BAND), Length::cm(15));
    }

    #[test]
    fn distances_are_read_in_centimetres_and_bands() {
        let read = |text: &str| serde_json::from_str::<Distance>(text);
        assert_eq!(read("\"20cm\"").unwrap(), Distance::cm(20));
        assert_eq!(read("\"3 bands\"").unwrap(), Distance::cm(15));
        assert_eq!(read("\"1 band\"").unwrap(), Distance::cm(5));
        assert!(read("\"-10cm\"").is_err());
        assert!(read("-10").is_err());
        assert_eq!(read("12.5").unwrap(), Distance::mm(125));
        assert!(read("\"far\"").is_err());
        assert!(read("\"x bands\"").is_err());
        assert_eq!(serde_json::to_string(&Distance::mm(125)).unwrap(), "\"12.5cm\"");
    }
}
