//! Lengths of a book in inches or centimetres: in files, and in words.

use std::fmt;

use sabretache_table::{Length, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A length in words, as a book in inches prints it: `3 1/2 in`, `0.37 in`.
#[must_use]
pub fn inches(length: Length) -> String {
    let hundredths = (length.to_inches() * 100.0).round() as i64;
    let (sign, hundredths) = (if hundredths < 0 { "-" } else { "" }, hundredths.abs());
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    let part = match rest {
        0 => return format!("{sign}{whole} in"),
        12 | 13 => "1/8",
        25 => "1/4",
        37 | 38 => "3/8",
        50 => "1/2",
        62 | 63 => "5/8",
        75 => "3/4",
        87 | 88 => "7/8",
        _ => return format!("{sign}{whole}.{rest:02} in"),
    };
    if whole == 0 { format!("{sign}{part} in") } else { format!("{sign}{whole} {part} in") }
}

/// A length in words, as a book in centimetres prints it, to the millimetre: `12 cm`, `2.5 cm`.
#[must_use]
pub fn centimetres(length: Length) -> String {
    let millimetres = (f64::from(length.to_um()) / 1_000.0).round() as i64;
    let (sign, millimetres) = (if millimetres < 0 { "-" } else { "" }, millimetres.abs());
    match millimetres % 10 {
        0 => format!("{sign}{} cm", millimetres / 10),
        rest => format!("{sign}{}.{rest} cm", millimetres / 10),
    }
}

/// A length of a book in inches. In files it is a plain number of inches or a text with its unit: `8`, `"3 1/2in"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inches(pub Length);

impl Inches {
    /// So many whole inches.
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

/// The two ways a length is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Inches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let length = match Written::deserialize(deserializer)? {
            Written::Number(number) => Length::rounded(number * Length::inches(1).f()),
            Written::Text(text) => text.parse().map_err(|error| de::Error::custom(format!("'{text}': {error}")))?,
        };
        if length < Length::ZERO || length > Length::inches(1_000) {
            return Err(de::Error::custom("a length of the book is between nothing and a thousand inches"));
        }
        Ok(Self(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inches_are_told_in_eighths_where_they_are_eighths() {
        assert_eq!(inches(Length::inches(4)), "4 in");
        assert_eq!(inches(Length::inch_fraction(7, 2)), "3 1/2 in");
        assert_eq!(inches(Length::inch_fraction(1, 8)), "1/8 in");
        assert_eq!(inches(Length::inch_fraction(1, 3)), "0.33 in");
        assert_eq!(inches(Length::ZERO - Length::inches(2)), "-2 in");
    }

    #[test]
    fn centimetres_are_told_to_the_millimetre() {
        assert_eq!(centimetres(Length::cm(12)), "12 cm");
        assert_eq!(centimetres(Length::mm(25)), "2.5 cm");
        assert_eq!(centimetres(Length::um(25_400)), "2.5 cm");
    }

    #[test]
    fn files_write_inches_as_numbers_or_texts() {
        let read = |text: &str| serde_json::from_str::<Inches>(text);
        assert_eq!(read("8").unwrap(), Inches::whole(8));
        assert_eq!(read("\"3 1/2in\"").unwrap(), Inches::fraction(7, 2));
        assert_eq!(serde_json::to_string(&Inches::fraction(7, 2)).unwrap(), "\"3 1/2in\"");
        assert!(read("-1").is_err() && read("1001").is_err() && read("1000").is_ok() && read("\"far\"").is_err());
    }
}
