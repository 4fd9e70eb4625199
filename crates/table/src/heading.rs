//! Headings and angles: whole hundredths of a degree.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vec2::Vec2;

/// Hundredths of a degree in a full turn.
const FULL: i32 = 36_000;
/// Radians in a hundredth of a degree.
pub(crate) const RADIANS: f64 = core::f64::consts::PI / 18_000.0;

/// A direction on the table: 0 is north (+y), 90° is east (+x), clockwise, in hundredths of a degree from 0 to 35,999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "i64", into = "u16")]
pub struct Heading(u16);

/// A turn from one heading to another, in hundredths of a degree, clockwise positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "i64", into = "i32")]
pub struct Angle(i32);

impl Heading {
    /// Toward +y.
    pub const NORTH: Heading = Heading(0);
    /// Toward +x.
    pub const EAST: Heading = Heading(9_000);
    /// Toward -y.
    pub const SOUTH: Heading = Heading(18_000);
    /// Toward -x.
    pub const WEST: Heading = Heading(27_000);

    /// A heading in whole degrees; whole turns are taken off.
    pub const fn degrees(degrees: i32) -> Heading {
        Heading::wrap(degrees as i64 * 100)
    }

    /// A heading in hundredths of a degree; whole turns are taken off.
    pub const fn hundredths(hundredths: i32) -> Heading {
        Heading::wrap(hundredths as i64)
    }

    const fn wrap(hundredths: i64) -> Heading {
        Heading(hundredths.rem_euclid(FULL as i64) as u16)
    }

    /// The hundredths of a degree, 0 to 35,999.
    pub const fn to_hundredths(self) -> u16 {
        self.0
    }

    /// The degrees as a real number, for display.
    pub fn to_degrees(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The opposite heading.
    pub const fn reversed(self) -> Heading {
        Heading::wrap(self.0 as i64 + 18_000)
    }

    /// A quarter turn clockwise.
    pub const fn right(self) -> Heading {
        Heading::wrap(self.0 as i64 + 9_000)
    }

    /// A quarter turn anticlockwise.
    pub const fn left(self) -> Heading {
        Heading::wrap(self.0 as i64 - 9_000)
    }

    /// The smallest turn from this heading to another, from -179.99° to 180°.
    pub const fn turn_to(self, to: Heading) -> Angle {
        let d = (to.0 as i32 - self.0 as i32).rem_euclid(FULL);
        Angle(if d > FULL / 2 { d - FULL } else { d })
    }

    /// The turn from north to this heading, clockwise.
    pub const fn as_turn(self) -> Angle {
        Angle(self.0 as i32)
    }

    /// The heading from one place toward another, to the nearest hundredth of a degree; north where they coincide.
    pub fn toward(from: Vec2, to: Vec2) -> Heading {
        let d = to - from;
        if d.x == 0.0 && d.y == 0.0 {
            return Heading::NORTH;
        }
        Heading::wrap(libm::round(libm::atan2(d.x, d.y) / RADIANS) as i64)
    }

    /// The unit vector of the heading.
    ///
    /// The angle is first brought into one quarter, so that headings a quarter turn apart give vectors that are
    /// perpendicular to the last bit, and the four quarters themselves are exact.
    pub fn unit(self) -> Vec2 {
        let (quarter, rest) = (self.0 / 9_000, self.0 % 9_000);
        let (s, c) = if rest == 0 { (0.0, 1.0) } else { quarter_turns()[usize::from(rest)] };
        match quarter {
            0 => Vec2::new(s, c),
            1 => Vec2::new(c, -s),
            2 => Vec2::new(-s, -c),
            _ => Vec2::new(-c, s),
        }
    }
}

/// Sine and cosine of every hundredth of a degree in a quarter turn: a battle asks for a few of them over and over.
fn quarter_turns() -> &'static [(f64, f64)] {
    static TURNS: LazyLock<Box<[(f64, f64)]>> = LazyLock::new(|| {
        let radians = |rest: u16| f64::from(rest) * RADIANS;
        (0..9_000).map(|rest| (libm::sin(radians(rest)), libm::cos(radians(rest)))).collect()
    });
    &TURNS
}

impl Angle {
    /// No turn.
    pub const ZERO: Angle = Angle(0);
    /// A quarter turn clockwise.
    pub const QUARTER: Angle = Angle(9_000);
    /// Half a turn.
    pub const HALF: Angle = Angle(18_000);
    /// A whole turn.
    pub const FULL: Angle = Angle(FULL);
    /// The largest angle kept; more than any sweep needs.
    const LIMIT: i64 = 10 * FULL as i64;

    const fn clamp_from(hundredths: i64) -> Angle {
        if hundredths > Angle::LIMIT {
            Angle(Angle::LIMIT as i32)
        } else if hundredths < -Angle::LIMIT {
            Angle(-Angle::LIMIT as i32)
        } else {
            Angle(hundredths as i32)
        }
    }

    /// An angle in whole degrees.
    pub const fn degrees(degrees: i32) -> Angle {
        Angle::clamp_from(degrees as i64 * 100)
    }

    /// An angle in hundredths of a degree.
    pub const fn hundredths(hundredths: i32) -> Angle {
        Angle::clamp_from(hundredths as i64)
    }

    /// The angle nearest to so many radians, rounded toward zero; noise of a millionth of a hundredth is forgiven.
    pub fn floored_radians(radians: f64) -> Angle {
        let hundredths = radians / RADIANS;
        if hundredths >= 0.0 {
            Angle::clamp_from(libm::floor(hundredths + 1e-6) as i64)
        } else {
            Angle::clamp_from(libm::ceil(hundredths - 1e-6) as i64)
        }
    }

    /// The hundredths of a degree.
    pub const fn to_hundredths(self) -> i32 {
        self.0
    }

    /// The degrees as a real number, for display.
    pub fn to_degrees(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The radians, for geometry.
    pub fn to_radians(self) -> f64 {
        f64::from(self.0) * RADIANS
    }

    /// The angle without its direction.
    pub const fn abs(self) -> Angle {
        Angle(self.0.abs())
    }

    /// Sine and cosine, exact at the quarters.
    pub(crate) fn sin_cos(self) -> (f64, f64) {
        let v = Heading::wrap(self.0 as i64).unit();
        (v.x, v.y)
    }
}

impl From<i64> for Heading {
    fn from(hundredths: i64) -> Heading {
        Heading::wrap(hundredths)
    }
}

impl From<Heading> for u16 {
    fn from(heading: Heading) -> u16 {
        heading.0
    }
}

impl From<i64> for Angle {
    fn from(hundredths: i64) -> Angle {
        Angle::clamp_from(hundredths)
    }
}

impl From<Angle> for i32 {
    fn from(angle: Angle) -> i32 {
        angle.0
    }
}

impl Add<Angle> for Heading {
    type Output = Heading;
    fn add(self, angle: Angle) -> Heading {
        Heading::wrap(self.0 as i64 + angle.0 as i64)
    }
}

impl Sub<Angle> for Heading {
    type Output = Heading;
    fn sub(self, angle: Angle) -> Heading {
        Heading::wrap(self.0 as i64 - angle.0 as i64)
    }
}

impl AddAssign<Angle> for Heading {
    fn add_assign(&mut self, angle: Angle) {
        *self = *self + angle;
    }
}

impl SubAssign<Angle> for Heading {
    fn sub_assign(&mut self, angle: Angle) {
        *self = *self - angle;
    }
}

impl Add for Angle {
    type Output = Angle;
    fn add(self, other: Angle) -> Angle {
        Angle::clamp_from(self.0 as i64 + other.0 as i64)
    }
}

impl Sub for Angle {
    type Output = Angle;
    fn sub(self, other: Angle) -> Angle {
        Angle::clamp_from(self.0 as i64 - other.0 as i64)
    }
}

impl Neg for Angle {
    type Output = Angle;
    fn neg(self) -> Angle {
        Angle(-self.0)
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}°", self.to_degrees())
    }
}

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}°", self.to_degrees())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_exact_and_perpendicular() {
        assert_eq!(Heading::NORTH.unit(), Vec2::new(0.0, 1.0));
        assert_eq!(Heading::EAST.unit(), Vec2::new(1.0, 0.0));
        assert_eq!(Heading::SOUTH.unit(), Vec2::new(0.0, -1.0));
        for h in 0..360 {
            let (a, b) = (Heading::degrees(h).unit(), Heading::degrees(h).right().unit());
            assert_eq!(a.dot(b), 0.0, "{h}");
        }
    }

    #[test]
    fn headings_wrap_and_turn_the_short_way() {
        assert_eq!(Heading::degrees(-90), Heading::WEST);
        assert_eq!(Heading::degrees(350).turn_to(Heading::degrees(10)), Angle::degrees(20));
        assert_eq!(Heading::degrees(10).turn_to(Heading::degrees(350)), Angle::degrees(-20));
        assert_eq!(Heading::WEST + Angle::QUARTER, Heading::NORTH);
        assert_eq!(serde_json::from_str::<Heading>("-9000").unwrap(), Heading::WEST);
        assert_eq!(Heading::toward(Vec2::new(0.0, 0.0), Vec2::new(5.0, 5.0)), Heading::degrees(45));
    }
}
