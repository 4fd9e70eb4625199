//! Lengths on the table: whole micrometres, so that equality, hashing and files are exact.
//!
//! An inch is 25,400 µm and a centimetre 10,000 µm, so every length that a rulebook prints is exact.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A length in whole micrometres, between [`Length::MIN`] and [`Length::MAX`] (one kilometre either way).
///
/// Arithmetic stays within those limits instead of overflowing, so that a hostile file cannot stop the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "i64", into = "i32")]
pub struct Length(i32);

/// Micrometres in a centimetre.
const CM: i64 = 10_000;
/// Micrometres in an inch.
const INCH: i64 = 25_400;
/// The largest length, in micrometres.
const LIMIT: i64 = 1_000_000_000;

/// A unit that a rulebook measures in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
    /// Inches.
    Inch,
}

impl Length {
    /// No length at all.
    pub const ZERO: Length = Length(0);
    /// One kilometre.
    pub const MAX: Length = Length(LIMIT as i32);
    /// One kilometre, the other way.
    pub const MIN: Length = Length(-(LIMIT as i32));

    const fn clamp_from(um: i64) -> Length {
        if um > LIMIT {
            Length::MAX
        } else if um < -LIMIT {
            Length::MIN
        } else {
            Length(um as i32)
        }
    }

    /// A number of micrometres.
    pub const fn um(um: i32) -> Length {
        Length::clamp_from(um as i64)
    }

    /// A number of millimetres.
    pub const fn mm(mm: i32) -> Length {
        Length::clamp_from(mm as i64 * 1_000)
    }

    /// A number of centimetres.
    pub const fn cm(cm: i32) -> Length {
        Length::clamp_from(cm as i64 * CM)
    }

    /// A number of inches.
    pub const fn inches(inches: i32) -> Length {
        Length::clamp_from(inches as i64 * INCH)
    }

    /// A fraction of an inch, `inch_fraction(3, 4)` for ¾ in: exact where 25,400·num divides by den (halves, quarters,
    /// eighths, fifths, tenths), otherwise rounded to the nearest micrometre. A denominator of 0 gives zero.
    pub const fn inch_fraction(num: i32, den: i32) -> Length {
        Length::clamp_from(round_div(INCH * num as i64, den as i64))
    }

    /// So many bands of a given depth: `Length::bands(3, Length::cm(20))` is 60 cm.
    pub const fn bands(n: i32, band: Length) -> Length {
        Length::clamp_from(n as i64 * band.0 as i64)
    }

    /// This many micrometres, rounded to the nearest (ties away from zero); values that are not numbers give zero.
    pub fn rounded(um: f64) -> Length {
        Length::clamp_from(nearest(um))
    }

    /// This many micrometres, rounded down; a thousandth of a micrometre is forgiven so that noise in the last digit of
    /// a computation does not cost a whole micrometre.
    pub fn floored(um: f64) -> Length {
        Length::clamp_from(floor(um + 1e-3))
    }

    /// This many micrometres, rounded up, with the same forgiveness as [`Length::floored`].
    pub fn ceiled(um: f64) -> Length {
        Length::clamp_from(-floor(1e-3 - um))
    }

    /// The whole number of micrometres.
    pub const fn to_um(self) -> i32 {
        self.0
    }

    /// The micrometres as a real number, for geometry.
    pub const fn f(self) -> f64 {
        self.0 as f64
    }

    /// The centimetres as a real number, for display.
    pub fn to_cm(self) -> f64 {
        self.f() / CM as f64
    }

    /// The inches as a real number, for display.
    pub fn to_inches(self) -> f64 {
        self.f() / INCH as f64
    }

    /// The length without its sign.
    pub const fn abs(self) -> Length {
        Length(self.0.abs())
    }

    /// Half the length, rounded toward zero.
    pub const fn half(self) -> Length {
        Length(self.0 / 2)
    }

    /// `num`/`den` of the length, rounded down; zero where `den` is 0.
    pub const fn fraction(self, num: i32, den: i32) -> Length {
        if den == 0 {
            return Length::ZERO;
        }
        let (num, den) = if den < 0 { (-(num as i64), -(den as i64)) } else { (num as i64, den as i64) };
        // |length| ≤ 10⁹ and |num| ≤ 2³¹, so the product stays within an i64.
        Length::clamp_from((self.0 as i64 * num).div_euclid(den))
    }

    /// How many whole steps of `step` fit into the length; 0 where the step is not positive.
    pub const fn whole(self, step: Length) -> i32 {
        if step.0 <= 0 { 0 } else { self.0.div_euclid(step.0) }
    }

    /// How many steps of `step` are needed to cover the length, counting a begun step whole: the band that something
    /// at this distance is in.
    pub const fn begun(self, step: Length) -> i32 {
        if step.0 <= 0 { 0 } else { -((-self.0).div_euclid(step.0)) }
    }

    /// The sum, or nothing where it leaves the limits.
    pub const fn checked_add(self, other: Length) -> Option<Length> {
        let sum = self.0 as i64 + other.0 as i64;
        if sum > LIMIT || sum < -LIMIT { None } else { Some(Length(sum as i32)) }
    }

    /// The text of the length in a unit, with no more decimals than it needs: `20cm`, `2.5cm`, `3 1/2in`, `0.333in`.
    pub fn format_in(self, unit: Unit) -> String {
        match unit {
            Unit::Cm => format!("{}cm", decimal(self.0 as i64, CM)),
            Unit::Mm => format!("{}mm", decimal(self.0 as i64, 1_000)),
            Unit::Inch => inches_text(self.0 as i64),
        }
    }
}

/// A real number as a whole one, toward zero, far within what a whole number can hold; what is no number gives zero.
#[inline]
fn whole(x: f64) -> i64 {
    const FAR: i64 = 1 << 52;
    (x as i64).clamp(-FAR, FAR)
}

/// The nearest whole number, ties away from zero. It tells the same as `libm::round`, without a call.
#[inline]
fn nearest(x: f64) -> i64 {
    let cut = whole(x);
    // Exact, since both lie within a whole of each other.
    let rest = x - cut as f64;
    cut + i64::from(rest >= 0.5) - i64::from(rest <= -0.5)
}

/// The whole number at or below, like `libm::floor`.
#[inline]
fn floor(x: f64) -> i64 {
    let cut = whole(x);
    cut - i64::from(cut as f64 > x)
}

const fn round_div(num: i64, den: i64) -> i64 {
    if den == 0 {
        return 0;
    }
    let (num, den) = if den < 0 { (-num, -den) } else { (num, den) };
    if num >= 0 { (num + den / 2) / den } else { -((-num + den / 2) / den) }
}

fn decimal(um: i64, unit: i64) -> String {
    let sign = if um < 0 { "-" } else { "" };
    let (whole, rest) = (um.abs() / unit, um.abs() % unit);
    let mut text = format!("{sign}{whole}");
    if rest > 0 {
        let digits = if unit == CM { 4 } else { 3 };
        let fraction = format!("{rest:0digits$}");
        text.push('.');
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

fn inches_text(um: i64) -> String {
    let sign = if um < 0 { "-" } else { "" };
    let (whole, rest) = (um.abs() / INCH, um.abs() % INCH);
    if rest == 0 {
        return format!("{sign}{whole}in");
    }
    for den in [2i64, 4, 8] {
        if (rest * den) % INCH == 0 {
            let num = rest * den / INCH;
            return if whole == 0 { format!("{sign}{num}/{den}in") } else { format!("{sign}{whole} {num}/{den}in") };
        }
    }
    let thousandths = round_div(um.abs() * 1_000, INCH);
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    format!("{sign}{}in", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Why a text or a number is not a length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LengthError {
    /// The text is no number with a unit.
    Text(String),
    /// More than a kilometre.
    TooLong,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LengthError::Text(text) => {
                write!(f, "{text:?} is not a length; write it like 20cm, 2.5cm, 15mm, 4in or 3 1/2in")
            }
            LengthError::TooLong => write!(f, "a length on the table is at most one kilometre"),
        }
    }
}

impl std::error::Error for LengthError {}

impl TryFrom<i64> for Length {
    type Error = LengthError;
    fn try_from(um: i64) -> Result<Length, LengthError> {
        if (-LIMIT..=LIMIT).contains(&um) { Ok(Length(um as i32)) } else { Err(LengthError::TooLong) }
    }
}

impl From<Length> for i32 {
    fn from(length: Length) -> i32 {
        length.0
    }
}

impl FromStr for Length {
    type Err = LengthError;

    /// Reads `20cm`, `4 in`, `2.5cm`, `3 1/2in`, `1/4"`, `15 mm`, `300um`.
    fn from_str(text: &str) -> Result<Length, LengthError> {
        let bad = || LengthError::Text(text.to_owned());
        let trimmed = text.trim();
        let units = [
            ("inches", INCH),
            ("inch", INCH),
            ("in", INCH),
            ("\"", INCH),
            ("cm", CM),
            ("mm", 1_000),
            ("um", 1),
            ("µm", 1),
            ("m", 100 * CM),
        ];
        let (number, unit) =
            units.iter().find_map(|(name, um)| trimmed.strip_suffix(name).map(|n| (n.trim(), *um))).ok_or_else(bad)?;
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, number),
        };
        if number.is_empty() || !number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | ' ')) {
            return Err(bad());
        }
        let mut parts = number.split_whitespace();
        let first = parts.next().and_then(|part| part_um(part, unit)).ok_or_else(bad)?;
        // A second number is only ever the fraction after a whole: 3 1/2in.
        let second = match parts.next() {
            None => 0,
            Some(part) if part.contains('/') => part_um(part, unit).ok_or_else(bad)?,
            Some(_) => return Err(bad()),
        };
        if parts.next().is_some() {
            return Err(bad());
        }
        let um = first.checked_add(second).ok_or(LengthError::TooLong)?;
        Length::try_from(if negative { -um } else { um })
    }
}

/// One number of a text, `12`, `2.5` or `1/2`, in micrometres of the unit given, rounded to the nearest.
fn part_um(part: &str, unit: i64) -> Option<i64> {
    // Nine digits keep every product within an i64; a longer number is no length on a table.
    let whole = |digits: &str| {
        if digits.is_empty() || digits.len() > 9 { None } else { digits.parse::<i64>().ok() }
    };
    if let Some((num, den)) = part.split_once('/') {
        let den = whole(den)?;
        return if den == 0 { None } else { Some(round_div(whole(num)?.checked_mul(unit)?, den)) };
    }
    match part.split_once('.') {
        None => whole(part)?.checked_mul(unit),
        Some((before, after)) => {
            let before = if before.is_empty() { 0 } else { whole(before)? };
            let scale = 10i64.pow(after.len().min(9) as u32);
            Some(before.checked_mul(unit)?.checked_add(round_div(whole(after)?.checked_mul(unit)?, scale))?)
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format_in(Unit::Cm))
    }
}

impl Add for Length {
    type Output = Length;
    fn add(self, other: Length) -> Length {
        Length::clamp_from(self.0 as i64 + other.0 as i64)
    }
}

impl Sub for Length {
    type Output = Length;
    fn sub(self, other: Length) -> Length {
        Length::clamp_from(self.0 as i64 - other.0 as i64)
    }
}

impl AddAssign for Length {
    fn add_assign(&mut self, other: Length) {
        *self = *self + other;
    }
}

impl SubAssign for Length {
    fn sub_assign(&mut self, other: Length) {
        *self = *self - other;
    }
}

impl Neg for Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length(-self.0)
    }
}

impl Mul<i32> for Length {
    type Output = Length;
    fn mul(self, by: i32) -> Length {
        Length::bands(by, self)
    }
}

impl Div<i32> for Length {
    type Output = Length;
    /// Rounded down; dividing by 0 gives zero.
    fn div(self, by: i32) -> Length {
        self.fraction(1, by)
    }
}

impl std::iter::Sum for Length {
    fn sum<I: Iterator<Item = Length>>(iter: I) -> Length {
        iter.fold(Length::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_that_of_the_library() {
        let mut tried =
            vec![0.0, -0.0, 0.5, -0.5, 1.5, 0.499_999_999_999_999_94, -0.499_999_999_999_999_94, 4.5e15, 1e300];
        tried.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e300, 2_147_483_647.5, -2_147_483_648.5]);
        let mut seed = 1_u64;
        for _ in 0..100_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            tried.push((seed >> 20) as f64 / 2_048.0 - 4e9);
            tried.push(((seed >> 33) as f64 - 1e9) / 2.0);
        }
        for x in tried {
            assert_eq!(Length::rounded(x), Length::clamp_from(libm::round(x) as i64), "{x}");
            assert_eq!(Length::floored(x), Length::clamp_from(libm::floor(x + 1e-3) as i64), "{x}");
            assert_eq!(Length::ceiled(x), Length::clamp_from(libm::ceil(x - 1e-3) as i64), "{x}");
        }
    }

    #[test]
    fn rulebook_lengths_are_exact() {
        assert_eq!(Length::cm(20).to_um(), 200_000);
        assert_eq!(Length::inches(4).to_um(), 101_600);
        assert_eq!(Length::inch_fraction(3, 8).to_um(), 9_525);
        assert_eq!(Length::bands(3, Length::cm(20)), Length::cm(60));
        assert_eq!(Length::cm(25).begun(Length::cm(10)), 3);
        assert_eq!(Length::cm(20).begun(Length::cm(10)), 2);
        assert_eq!(Length::cm(25).whole(Length::cm(10)), 2);
    }

    #[test]
    fn texts_are_read_and_written() {
        for (text, um) in [
            ("20cm", 200_000),
            ("4 in", 101_600),
            ("2.5cm", 25_000),
            ("3 1/2in", 88_900),
            ("1/4\"", 6_350),
            ("-15 mm", -15_000),
            ("1.8m", 1_800_000),
        ] {
            assert_eq!(text.parse::<Length>().unwrap().to_um(), um, "{text}");
        }
        for text in ["", "cm", "20", "1/0in", "99999999999cm", "2..5cm", "--2cm", "5 000 000cm", "1e9cm"] {
            assert!(text.parse::<Length>().is_err(), "{text}");
        }
        assert_eq!(Length::um(25_000).format_in(Unit::Cm), "2.5cm");
        assert_eq!(Length::um(88_900).format_in(Unit::Inch), "3 1/2in");
        assert_eq!(Length::um(6_350).format_in(Unit::Inch), "1/4in");
        assert_eq!(Length::um(-15_500).format_in(Unit::Mm), "-15.5mm");
    }

    #[test]
    fn hostile_values_stay_within_a_kilometre() {
        assert_eq!(Length::cm(i32::MAX), Length::MAX);
        assert_eq!(Length::MAX + Length::MAX, Length::MAX);
        assert_eq!(Length::MIN - Length::MAX, Length::MIN);
        assert_eq!(Length::MAX * i32::MIN, Length::MIN);
        assert_eq!(Length::MIN.fraction(i32::MIN, -1), Length::MIN);
        assert_eq!(Length::rounded(f64::NAN), Length::ZERO);
        assert_eq!(Length::rounded(f64::INFINITY), Length::MAX);
        assert!(serde_json::from_str::<Length>("1000000001").is_err());
        assert_eq!(serde_json::to_string(&Length::cm(1)).unwrap(), "10000");
    }
}
