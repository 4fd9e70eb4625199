//! Dice whose faces are given: drills, and real dice typed in beside a real table.

use super::{Dice, Faces, NoDice, Roll, Throw};

/// Hands out the given faces in order; asks for more when they run out.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    faces: Vec<u8>,
    used: usize,
}

impl Scripted {
    /// These faces, in this order.
    #[must_use]
    pub fn new(faces: impl Into<Vec<u8>>) -> Self {
        Self { faces: faces.into(), used: 0 }
    }

    /// The faces that throws have used.
    #[must_use]
    pub fn used(&self) -> &[u8] {
        &self.faces[..self.used]
    }

    /// The faces that no throw has used.
    #[must_use]
    pub fn left(&self) -> &[u8] {
        &self.faces[self.used..]
    }
}

impl Dice for Scripted {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let Some(given) = self.left().get(..throw.len()) else {
            return Err(NoDice::Throw(throw.clone()));
        };
        let mut faces = Faces::from_slice(given);
        for (n, face) in faces.iter_mut().enumerate() {
            let die = throw.die(n);
            *face = die.read(*face).ok_or(NoDice::NoSuchFace { face: *face, die })?;
        }
        self.used += throw.len();
        Ok(throw.read(faces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Die;

    #[test]
    fn faces_come_in_order_and_then_more_are_wanted() {
        let mut dice = Scripted::new([4, 3, 6]);
        let throw = Throw::sum(2, Die::D6);
        assert_eq!(dice.throw(&throw).unwrap().total(), 7);
        assert_eq!(dice.throw(&throw), Err(NoDice::Throw(throw)));
        assert_eq!(dice.left(), [6], "a throw that could not be made uses up nothing");
    }

    #[test]
    fn a_face_that_is_not_on_the_die_is_refused() {
        let mut dice = Scripted::new([7]);
        assert_eq!(dice.throw(&Throw::one(Die::D6)).unwrap_err().to_string(), "7 is not on a D6");
        let refused = Scripted::new([7]).throw(&Throw::one(Die::Average)).unwrap_err();
        assert_eq!(refused.to_string(), "7 is not on an average die");
    }

    #[test]
    fn an_ordinary_die_thrown_for_an_average_one_is_read_as_one() {
        let read = |face: u8| Scripted::new([face]).throw(&Throw::one(Die::Average)).unwrap().total();
        assert_eq!([1, 2, 3, 4, 5, 6].map(read), [3, 2, 3, 4, 5, 4]);
    }
}
