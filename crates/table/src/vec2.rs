//! Places and directions as real numbers, in micrometres: what geometry is computed with between two roundings.

use std::ops::{Add, Mul, Neg, Sub};

/// A place or a direction, in micrometres: x to the east, y to the north.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
}

impl Vec2 {
    /// A place or direction from its coordinates.
    pub const fn new(x: f64, y: f64) -> Vec2 {
        Vec2 { x, y }
    }

    /// The dot product.
    #[inline]
    pub fn dot(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The cross product: positive where `other` lies anticlockwise of this.
    #[inline]
    pub fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The squared length.
    #[inline]
    pub fn length2(self) -> f64 {
        self.dot(self)
    }

    /// The length.
    #[inline]
    pub fn length(self) -> f64 {
        self.length2().sqrt()
    }

    /// A quarter turn clockwise.
    #[inline]
    pub fn right(self) -> Vec2 {
        Vec2::new(self.y, -self.x)
    }

    /// The same direction with length 1; zero stays zero.
    #[inline]
    pub fn unit(self) -> Vec2 {
        let l = self.length();
        if l > 0.0 { self * (1.0 / l) } else { self }
    }

    /// The place a share `t` of the way to another.
    #[inline]
    pub fn toward(self, to: Vec2, t: f64) -> Vec2 {
        self + (to - self) * t
    }

    /// The place nearest to this one on the segment from `a` to `b`.
    #[inline]
    pub fn nearest_on(self, a: Vec2, b: Vec2) -> Vec2 {
        let d = b - a;
        let l2 = d.length2();
        if l2 == 0.0 {
            return a;
        }
        a + d * ((self - a).dot(d) / l2).clamp(0.0, 1.0)
    }
}

impl Add for Vec2 {
    type Output = Vec2;
    #[inline]
    fn add(self, o: Vec2) -> Vec2 {
        Vec2::new(self.x + o.x, self.y + o.y)
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    #[inline]
    fn sub(self, o: Vec2) -> Vec2 {
        Vec2::new(self.x - o.x, self.y - o.y)
    }
}

impl Mul<f64> for Vec2 {
    type Output = Vec2;
    #[inline]
    fn mul(self, k: f64) -> Vec2 {
        Vec2::new(self.x * k, self.y * k)
    }
}

impl Neg for Vec2 {
    type Output = Vec2;
    #[inline]
    fn neg(self) -> Vec2 {
        Vec2::new(-self.x, -self.y)
    }
}

/// A straight stretch between two places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it begins.
    pub a: Vec2,
    /// Where it ends.
    pub b: Vec2,
}

impl Segment {
    /// The stretch between two places.
    pub const fn new(a: Vec2, b: Vec2) -> Segment {
        Segment { a, b }
    }

    /// Its length.
    pub fn length(self) -> f64 {
        (self.b - self.a).length()
    }

    /// The place halfway.
    pub fn middle(self) -> Vec2 {
        self.a.toward(self.b, 0.5)
    }

    /// The distance from a place.
    pub fn distance(self, p: Vec2) -> f64 {
        (p - p.nearest_on(self.a, self.b)).length()
    }
}
