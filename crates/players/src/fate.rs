//! Dice that fall alike in the same test of the same unit, whatever was thrown before it.
//!
//! The tries of two choices are compared with the same luck. Were their dice one stream, the first throw that only one of them makes would put all
//! later ones out of step, and luck would tell as much as the choice.

use std::collections::HashMap;

use sabretache_engine::dice::{Dice, NoDice, Roll, Seeded, Throw};
use sabretache_engine::ids::Named;
use sabretache_engine::resolution::Purpose;

/// The luck of one try, or of a battle that is compared with another.
#[derive(Clone, Debug)]
pub struct Fate {
    seed: u64,
    about: Test,
    /// How often each test was thrown for. It is only looked up, so that its order tells nothing.
    thrown: HashMap<Test, u32>,
}

/// What dice are thrown for: the beginning of its name, who is tested, and whose luck it is.
type Test = [u8; 20];

impl Fate {
    /// The luck of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, about: [0; 20], thrown: HashMap::new() }
    }
}

/// How the dice of a battle follow from its seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keyed {
    /// By the number of the choice, as in a session: the battle can be fought again before anybody's eyes.
    #[default]
    ByChoice,
    /// By test and unit: two battles that differ in one thing stay in step after it.
    ByTest,
}

/// The dice of a battle that is being fought.
#[derive(Clone, Debug)]
pub struct BattleDice {
    seed: u64,
    dice: Kept,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one a battle, and it is looked at for every roll")]
enum Kept {
    ByChoice(Seeded),
    ByTest(Fate),
}

impl BattleDice {
    /// The dice of a battle with this seed.
    #[must_use]
    pub fn new(seed: u64, keyed: Keyed) -> Self {
        let dice = match keyed {
            Keyed::ByChoice => Kept::ByChoice(Seeded::for_choice(seed, 0)),
            Keyed::ByTest => Kept::ByTest(Fate::new(seed)),
        };
        Self { seed, dice }
    }

    /// The `n`th choice of the battle is made next.
    pub fn turn_to(&mut self, n: u64) {
        if let Kept::ByChoice(dice) = &mut self.dice {
            *dice = Seeded::for_choice(self.seed, n);
        }
    }
}

impl Dice for BattleDice {
    fn about(&mut self, purpose: &Purpose) {
        if let Kept::ByTest(fate) = &mut self.dice {
            fate.about(purpose);
        }
    }

    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        match &mut self.dice {
            Kept::ByChoice(dice) => dice.throw(throw),
            Kept::ByTest(fate) => fate.throw(throw),
        }
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
        let times = self.thrown.entry(self.about).or_default();
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
    fn by_choice_it_is_the_session_that_is_fought_again() {
        let mut dice = BattleDice::new(7, Keyed::ByChoice);
        for n in [3, 0, 3] {
            dice.turn_to(n);
            let throw = Throw::sum(8, Die::D6);
            assert_eq!(dice.throw(&throw).unwrap(), Seeded::for_choice(7, n).throw(&throw).unwrap());
        }
        let mut keyed = BattleDice::new(7, Keyed::ByTest);
        let purpose = Purpose { what: "rally", of: Some(Named::Unit(UnitId(3))), side: Side::A };
        keyed.turn_to(40);
        keyed.about(&purpose);
        let throw = Throw::sum(8, Die::D6);
        assert_eq!(keyed.throw(&throw).unwrap().faces.to_vec(), thrown(&mut Fate::new(7), "rally", 3));
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
