//! Dice from a seed: the same seed, the same battle, on any machine.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{Dice, Faces, NoDice, Roll, Throw};

/// A seeded source.
///
/// Every choice of a battle has a stream of its own ([`Seeded::for_choice`]), so that resuming, undoing or verifying a
/// battle needs no position in a stream, and taking a choice back cannot be used to fish for better dice.
#[derive(Clone, Debug)]
pub struct Seeded {
    rng: ChaCha12Rng,
}

impl Seeded {
    /// A single stream.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: ChaCha12Rng::seed_from_u64(seed) }
    }

    /// The stream of the `n`th choice of the battle with this seed.
    #[must_use]
    pub fn for_choice(seed: u64, n: u64) -> Self {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        rng.set_stream(n);
        Self { rng }
    }

    /// A stream from 32 bytes that nobody could choose.
    #[must_use]
    pub fn from_bytes(seed: [u8; 32]) -> Self {
        Self { rng: ChaCha12Rng::from_seed(seed) }
    }

    /// A number from 0 to `below` - 1, each equally likely; 0 when `below` is 0.
    pub fn below(&mut self, below: u32) -> u32 {
        if below < 2 {
            return 0;
        }
        // Numbers past the last whole multiple would favour the low faces; they are thrown again.
        let whole = u32::MAX - u32::MAX % below;
        loop {
            let number = self.rng.next_u32();
            if number < whole {
                return number % below;
            }
        }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }
}

impl Dice for Seeded {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let mut faces = Faces::new();
        for n in 0..throw.len() {
            let on_die = throw.die(n).faces();
            faces.push(on_die[self.below(on_die.len() as u32) as usize]);
        }
        Ok(throw.read(faces))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Die;

    #[test]
    fn the_dice_of_a_seed_never_change() {
        let mut dice = Seeded::for_choice(1815, 3);
        let faces = dice.throw(&Throw::sum(8, Die::D6)).unwrap().faces;
        let again = Seeded::for_choice(1815, 3).throw(&Throw::sum(8, Die::D6)).unwrap().faces;
        assert_eq!(faces, again);
        assert_ne!(faces, Seeded::for_choice(1815, 4).throw(&Throw::sum(8, Die::D6)).unwrap().faces);
    }

    #[test]
    fn every_face_comes_up_about_equally_often() {
        let mut dice = Seeded::new(7);
        let mut seen = [0u32; 7];
        for _ in 0..60_000 {
            seen[dice.throw(&Throw::one(Die::D6)).unwrap().total() as usize] += 1;
        }
        assert!(seen[1..].iter().all(|count| (9_600..10_400).contains(count)), "{seen:?}");
    }
}
