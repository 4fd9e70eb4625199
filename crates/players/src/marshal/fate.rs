//! Dice that fall alike in the same test of the same unit, whatever was thrown before it.
//!
//! The tries of two choices are compared with the same luck. Were their dice one stream, the first throw that only one of them makes would put all
//! later ones out of step, and luck would tell as much as the choice.

use sabretache_engine::dice::{Dice, NoDice, Roll, Seeded, Throw};
use sabretache_engine::ids::Named;
use sabretache_engine::resolution::Purpose;

/// The luck of one try.
#[derive(Debug)]
pub(crate) struct Fate {
    seed: u64,
    about: Test,
    /// How often each test was thrown for.
    thrown: Vec<(Test, u32)>,
}

/// What dice are thrown for: the beginning of its name, who is tested, and whose luck it is.
type Test = [u8; 20];

impl Fate {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, about: [0; 20], thrown: Vec::new() }
    }
}

impl Dice for Fate {
    fn about(&mut self, purpose: &Purpose) {
        let (kind, number) = match purpose.of {
            None => (0, 0),
            Some(Named::Unit(unit)) => (1, unit.0),
            Some(Named::Officer(officer)) => (2, officer.0),
            Some(Named::Command(command)) => (3, command.0),
            Some(Named::Ground(ground)) => (4, ground.0),
        };
        let [low, high] = number.to_le_bytes();
        self.about = [0; 20];
        self.about.iter_mut().zip(purpose.what.bytes().take(16)).for_each(|(to, byte)| *to = byte);
        self.about[16..].copy_from_slice(&[kind, low, high, purpose.side.index() as u8]);
    }

    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let known = self.thrown.iter().position(|(test, _)| *test == self.about);
        let known = known.unwrap_or_else(|| {
            self.thrown.push((self.about, 0));
            self.thrown.len() - 1
        });
        let times = &mut self.thrown[known].1;
        *times += 1;
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..12].copy_from_slice(&times.to_le_bytes());
        key[12..].copy_from_slice(&self.about);
        Seeded::from_bytes(key).throw(throw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabretache_engine::dice::Die;
    use sabretache_engine::ids::{Side, UnitId};

    fn thrown(dice: &mut Fate, what: &'static str, unit: u16) -> Vec<u8> {
        dice.about(&Purpose { what, of: Some(Named::Unit(UnitId(unit))), side: Side::A });
        dice.throw(&Throw::sum(8, Die::D6)).unwrap().faces.to_vec()
    }

    #[test]
    fn a_test_falls_alike_whatever_was_thrown_before() {
        let mut one = Fate::new(7);
        let (first, second) = (thrown(&mut one, "rally", 3), thrown(&mut one, "rally", 3));
        assert_ne!(first, second, "the second time is another throw");
        let mut other = Fate::new(7);
        assert_ne!(thrown(&mut other, "rally", 4), first);
        assert_ne!(thrown(&mut other, "reform", 3), first);
        assert_eq!(thrown(&mut other, "rally", 3), first);
        assert_eq!(thrown(&mut other, "rally", 3), second);
        assert_ne!(thrown(&mut Fate::new(8), "rally", 3), first);
    }
}
