//! A test: a base value, modifiers that name their clauses, and the target number they make.

use smallvec::SmallVec;

use crate::clause::Clause;
use crate::mark;

/// A ladder of descriptions, each with its number: Raw 6, Trained 8, Veteran 10.
///
/// Shifts move along the ladder and stop at its ends; two rungs may share a number, so that a step along the ladder
/// need not change what must be rolled.
#[derive(Debug, PartialEq, Eq)]
pub struct Scale {
    /// What the ladder measures.
    pub name: &'static str,
    /// The rungs, worst first.
    pub rungs: &'static [Rung],
}

/// One step of a [`Scale`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// What it is called.
    pub name: &'static str,
    /// What it is worth.
    pub value: i32,
}

impl Scale {
    /// The rung reached from `rung` by a net shift, never past either end.
    ///
    /// # Panics
    /// When the scale has no rungs.
    #[must_use]
    #[inline]
    pub fn shifted(&self, rung: usize, shift: i32) -> (usize, Rung) {
        let last = self.rungs.len() as i64 - 1;
        let reached = (rung as i64 + i64::from(shift)).clamp(0, last) as usize;
        (reached, self.rungs[reached])
    }
}

/// Where a test starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// A plain number; modifiers are added to it.
    Number(i32),
    /// A rung of a scale; the net of all modifiers shifts it along the scale.
    Rung(&'static Scale, usize),
    /// A score to be reached, where modifiers are added to the dice: what the dice must show is the score less the net.
    Score(i32),
}

/// One line of a playsheet that applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modifier {
    /// The clause it comes from.
    pub clause: Clause,
    /// Up or down by how much.
    pub shift: i32,
}

/// A base value and what modified it.
///
/// ```
/// use sabretache_engine::{clause::Clause, test::Test};
/// const ZONES: Clause = Clause::new("TY-THR-02");
/// const SUPPORT: Clause = Clause::new("TY-THR-03");
/// let (zones, supported) = (2, false);
/// let mut test = Test::of(8);
/// test.down(1, ZONES).when(zones > 1);
/// test.up(1, SUPPORT).when(supported);
/// assert_eq!(test.target(), 7);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    base: Base,
    modifiers: SmallVec<[Modifier; 8]>,
    least: Option<(i32, Clause)>,
    most: Option<(i32, Clause)>,
    read_by: Option<Clause>,
}

impl Test {
    /// A test on a plain number.
    #[must_use]
    #[inline]
    pub fn of(base: i32) -> Self {
        Self { base: Base::Number(base), modifiers: SmallVec::new(), least: None, most: None, read_by: None }
    }

    /// A test in which the dice and all modifiers together must reach a score; the target is what the dice must show.
    #[must_use]
    #[inline]
    pub fn to_reach(score: i32) -> Self {
        Self { base: Base::Score(score), ..Self::of(0) }
    }

    /// A test on a rung of a scale.
    #[must_use]
    #[inline]
    pub fn on(scale: &'static Scale, rung: usize) -> Self {
        Self { base: Base::Rung(scale, rung), ..Self::of(0) }
    }

    /// A modifier in the roller's favour, if `.when(…)` says that it applies.
    #[inline]
    pub fn up(&mut self, by: i32, clause: Clause) -> Pending<'_> {
        mark::ran(clause);
        Pending { test: self, modifier: Modifier { clause, shift: by } }
    }

    /// A modifier against the roller, if `.when(…)` says that it applies.
    #[inline]
    pub fn down(&mut self, by: i32, clause: Clause) -> Pending<'_> {
        self.up(-by, clause)
    }

    /// However many modifiers apply, the target is at least this.
    pub fn at_least(&mut self, least: i32, clause: Clause) {
        mark::ran(clause);
        self.least = Some((least, clause));
    }

    /// However many modifiers apply, the target is at most this.
    pub fn at_most(&mut self, most: i32, clause: Clause) {
        mark::ran(clause);
        self.most = Some((most, clause));
    }

    /// Says which clause decides from which of a book's columns the base is read.
    #[must_use]
    pub fn read_by(mut self, clause: Option<Clause>) -> Self {
        self.read_by = clause;
        self
    }

    /// The clause that decides from which column the base is read, where it is not the usual one.
    #[must_use]
    pub fn column(&self) -> Option<Clause> {
        self.read_by
    }

    /// Where the test starts from.
    #[must_use]
    pub fn base(&self) -> Base {
        self.base
    }

    /// The base as a number, before any modifier.
    #[must_use]
    pub fn base_value(&self) -> i32 {
        match self.base {
            Base::Number(number) | Base::Score(number) => number,
            Base::Rung(scale, rung) => scale.shifted(rung, 0).1.value,
        }
    }

    /// What applied, in the order in which it was asked.
    #[must_use]
    pub fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    /// The sum of all modifiers.
    #[must_use]
    #[inline]
    pub fn net(&self) -> i32 {
        self.modifiers.iter().fold(0, |sum: i32, modifier| sum.saturating_add(modifier.shift))
    }

    /// The rung reached, on a scale.
    #[must_use]
    pub fn rung(&self) -> Option<(usize, Rung)> {
        match self.base {
            Base::Number(_) | Base::Score(_) => None,
            Base::Rung(scale, rung) => Some(scale.shifted(rung, self.net())),
        }
    }

    /// The number that the dice are compared with.
    #[must_use]
    #[inline]
    pub fn target(&self) -> i32 {
        let plain = match self.base {
            Base::Number(number) => number.saturating_add(self.net()),
            Base::Score(score) => score.saturating_sub(self.net()),
            Base::Rung(scale, rung) => scale.shifted(rung, self.net()).1.value,
        };
        let raised = self.least.map_or(plain, |(least, _)| plain.max(least));
        self.most.map_or(raised, |(most, _)| raised.min(most))
    }

    /// The clause that capped the target, if a cap took effect.
    #[must_use]
    pub fn capped_by(&self) -> Option<Clause> {
        let uncapped = Self { least: None, most: None, ..self.clone() }.target();
        let low = self.least.filter(|(least, _)| uncapped < *least);
        let high = self.most.filter(|(most, _)| uncapped > *most);
        low.or(high).map(|(_, clause)| clause)
    }
}

/// A modifier that waits to be told whether it applies.
#[must_use = "say whether the modifier applies with .when(…), .times(…) or .always()"]
#[derive(Debug)]
pub struct Pending<'a> {
    test: &'a mut Test,
    modifier: Modifier,
}

impl Pending<'_> {
    /// It applies if the condition holds.
    #[inline]
    pub fn when(self, applies: bool) {
        self.times(i32::from(applies));
    }

    /// It applies once for each of these; not at all for none.
    #[inline]
    pub fn times(self, count: i32) {
        let shift = self.modifier.shift.saturating_mul(count);
        if shift != 0 {
            self.test.modifiers.push(Modifier { shift, ..self.modifier });
        }
    }

    /// It applies.
    #[inline]
    pub fn always(self) {
        self.times(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Clause = Clause::new("TY-ONE-01");
    const TWO: Clause = Clause::new("TY-TWO-02");
    static QUALITY: Scale = Scale {
        name: "quality",
        rungs: &[
            Rung { name: "Raw", value: 6 },
            Rung { name: "Drafted", value: 6 },
            Rung { name: "Trained", value: 8 },
            Rung { name: "Veteran", value: 9 },
        ],
    };

    #[test]
    fn only_what_applies_is_listed() {
        let mut test = Test::of(7);
        test.down(1, ONE).when(false);
        test.down(2, TWO).times(2);
        test.up(1, ONE).always();
        assert_eq!(test.modifiers(), [Modifier { clause: TWO, shift: -4 }, Modifier { clause: ONE, shift: 1 }]);
        assert_eq!(test.target(), 4);
    }

    #[test]
    fn the_net_shift_moves_along_the_scale_once_and_stops_at_its_ends() {
        let mut test = Test::on(&QUALITY, 2);
        test.up(2, ONE).always();
        test.down(1, TWO).always();
        assert_eq!(test.target(), 9, "two up and one down are one up, not up to the end and one down");
        test.up(5, ONE).always();
        assert_eq!(test.rung().map(|(_, rung)| rung.name), Some("Veteran"));
    }

    #[test]
    fn a_step_between_rungs_of_one_value_changes_nothing() {
        let mut test = Test::on(&QUALITY, 1);
        test.down(1, ONE).always();
        assert_eq!((test.base_value(), test.target()), (6, 6));
    }

    #[test]
    fn a_bonus_on_the_dice_lowers_what_they_must_show() {
        let mut test = Test::to_reach(7);
        test.down(2, ONE).always();
        test.up(1, TWO).always();
        assert_eq!((test.base_value(), test.target()), (7, 8));
    }

    #[test]
    fn caps_hold_and_say_so() {
        let mut test = Test::of(9);
        test.at_most(10, TWO);
        test.up(1, ONE).always();
        assert_eq!((test.target(), test.capped_by()), (10, None));
        test.up(1, ONE).always();
        assert_eq!((test.target(), test.capped_by()), (10, Some(TWO)));
    }
}
