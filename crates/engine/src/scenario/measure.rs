//! The numbers of a scenario file and the lengths they stand for.

use sabretache_table::{Heading, Length, Point, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the numbers of a file measure in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
    /// Inches.
    In,
}

/// A length as a file has it, in the file's measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct FileLength(pub f64);

/// A point as a file has it: `[x, y]`, in the file's measure, from the south-west corner of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct FilePoint(pub [f64; 2]);

/// A heading as a file has it: degrees clockwise from north, 0 up to 360.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct FileAngle(pub f64);

impl Measure {
    const fn micrometres(self) -> f64 {
        match self {
            Self::Cm => 10_000.0,
            Self::Mm => 1_000.0,
            Self::In => 25_400.0,
        }
    }

    /// The largest number that stands for a length on a table.
    #[must_use]
    pub fn largest(self) -> f64 {
        f64::from(Length::MAX.to_um()) / self.micrometres()
    }

    /// The same as the table knows it.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::Cm => Unit::Cm,
            Self::Mm => Unit::Mm,
            Self::In => Unit::Inch,
        }
    }

    /// The length that a number of the file stands for, to the nearest micrometre.
    #[must_use]
    pub fn length(self, number: FileLength) -> Length {
        let largest = f64::from(Length::MAX.to_um());
        Length::um(nearest(number.0 * self.micrometres()).clamp(-largest, largest) as i32)
    }

    /// The number that stands for a length; [`Measure::length`] gives back exactly that length.
    #[must_use]
    pub fn number(self, length: Length) -> FileLength {
        FileLength(f64::from(length.to_um()) / self.micrometres())
    }

    /// A length in micrometres in words, to a tenth: `3.2 cm`.
    #[must_use]
    pub fn tell(self, um: f64) -> String {
        let (number, word) = match self {
            Self::Cm => (um / 10_000.0, "cm"),
            Self::Mm => (um / 1_000.0, "mm"),
            Self::In => (um / 25_400.0, "in"),
        };
        let tenths = (number * 10.0).round() / 10.0;
        format!("{tenths} {word}")
    }

    /// The point that a pair of the file stands for.
    #[must_use]
    pub fn point(self, pair: FilePoint) -> Point {
        Point::new(self.length(FileLength(pair.0[0])), self.length(FileLength(pair.0[1])))
    }

    /// The pair that stands for a point.
    #[must_use]
    pub fn pair(self, point: Point) -> FilePoint {
        FilePoint([self.number(point.x).0, self.number(point.y).0])
    }
}

/// The nearest whole number (`f64::round` gives the same bits on every machine); nothing for what is no number.
fn nearest(number: f64) -> f64 {
    if number.is_finite() { number.round() } else { 0.0 }
}

impl FileAngle {
    /// The heading, to the nearest hundredth of a degree.
    #[must_use]
    pub fn heading(self) -> Heading {
        Heading::hundredths((nearest(self.0 * 100.0) as i64).rem_euclid(36_000) as i32)
    }
}

impl From<Heading> for FileAngle {
    fn from(heading: Heading) -> Self {
        Self(f64::from(heading.to_hundredths()) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_micrometre_survives_the_file() {
        for measure in [Measure::Cm, Measure::Mm, Measure::In] {
            for um in (-5_000_000..5_000_000).step_by(7_919).chain([1, -1, 999_999_999]) {
                let length = Length::um(um);
                let text = serde_json::to_string(&measure.number(length)).unwrap();
                assert_eq!(measure.length(serde_json::from_str(&text).unwrap()), length, "{text}");
            }
        }
    }

    #[test]
    fn headings_survive_the_file() {
        for hundredths in 0..36_000 {
            let heading = Heading::hundredths(hundredths);
            assert_eq!(FileAngle::from(heading).heading(), heading);
        }
        assert_eq!(FileAngle(-90.0).heading(), Heading::WEST);
        assert_eq!(FileAngle(f64::NAN).heading(), Heading::NORTH);
    }
}
