//! A choice being carried out: what the rules may read, throw, and let happen.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::clause::Clause;
use crate::dice::{Band, Dice, NoDice, Roll, Throw};
use crate::ids::{Named, Side};
use crate::mark;
use crate::odds::Chance;
use crate::offer::{Halt, Refusal};
use crate::ruleset::Ruleset;
use crate::test::{Base, Test};

/// A choice being carried out on a battle.
///
/// Events are applied as they happen, so that the next rule sees what the last one did; when nobody listens (playouts)
/// nothing is kept. Everything random, everything that happens and every breach of the rules goes through here.
pub struct Resolution<'a, R: Ruleset> {
    battle: &'a mut R::Battle,
    dice: &'a mut dyn Dice,
    lenient: bool,
    breaches: Vec<Refusal>,
    happened: usize,
    listener: Listener<'a, R::Event>,
    /// The roll for which there were no dice.
    wanting: Option<Box<(RollRecord, Throw)>>,
}

/// Who wants to know what happens.
enum Listener<'a, E> {
    Nobody,
    Events(&'a mut Vec<E>),
    Everything(&'a mut Vec<Happening<E>>),
}

/// One entry of a chronicle: dice, or an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening<E> {
    /// Dice were rolled.
    Roll(Box<RollRecord>),
    /// Something happened.
    Event(E),
    /// What follows from the event before it by the rules alone. It is written down, so that a replay need not work it out, and not told.
    Follows(E),
}

/// What a roll is for.
#[derive(Clone, Copy, Debug)]
pub struct Purpose {
    /// The name of the test, as the book has it.
    pub what: &'static str,
    /// Who or what is tested.
    pub of: Option<Named>,
    /// Whose luck it is: a good result is good for this side.
    pub side: Side,
}

/// What result is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// The target or less.
    AtMost(i32),
    /// The target or more.
    AtLeast(i32),
    /// As high as can be.
    High,
    /// As low as can be.
    Low,
    /// Good and bad do not come into it (who goes first).
    Neither,
}

impl Wanted {
    /// Whether a total is what is wanted; nothing where good and bad are a matter of degree.
    #[must_use]
    pub fn met(self, total: i32) -> Option<bool> {
        match self {
            Self::AtMost(target) => Some(total <= target),
            Self::AtLeast(target) => Some(total >= target),
            _ => None,
        }
    }
}

/// A roll as the log keeps it: what it was for, what modified it, the chance it had and what fell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
pub struct RollRecord {
    /// The name of the test.
    pub what: String,
    /// Who or what was tested, as a token.
    pub of: Option<String>,
    /// Whose luck it was.
    pub side: Side,
    /// The base value, and what it is called on its scale.
    pub base: Option<BaseRecord>,
    /// What applied.
    pub modifiers: Vec<ModifierRecord>,
    /// The dice in words: `2D6`.
    pub throw: String,
    /// What was wanted.
    pub wanted: Wanted,
    /// The exact chance of getting it.
    pub chance: Option<String>,
    /// Between -1 and 1: how much better than expected it went for the side.
    pub luck: f64,
    /// The faces that fell.
    pub faces: Vec<u8>,
    /// What they came to.
    pub total: i32,
}

/// Where a test started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
pub struct BaseRecord {
    /// The number.
    pub value: i32,
    /// Its name on the scale.
    pub name: Option<String>,
    /// The clause by which it is read from another column than usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<String>")]
    pub clause: Option<Clause>,
}

/// A modifier that applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
pub struct ModifierRecord {
    /// The clause it comes from.
    #[ts(type = "string")]
    pub clause: Clause,
    /// Up or down by how much.
    pub shift: i32,
}

/// Folds an event into a battle, with what follows from it by the rules.
pub fn fold<R: Ruleset>(battle: &mut R::Battle, event: &R::Event) {
    let mut follows = Vec::new();
    R::follows(battle, event, &mut follows);
    R::apply(battle, event);
    follows.iter().for_each(|one| R::apply(battle, one));
}

impl<'a, R: Ruleset> Resolution<'a, R> {
    /// A resolution of which nothing is kept.
    pub fn new(battle: &'a mut R::Battle, dice: &'a mut dyn Dice) -> Self {
        Self {
            battle,
            dice,
            lenient: false,
            breaches: Vec::new(),
            happened: 0,
            listener: Listener::Nobody,
            wanting: None,
        }
    }

    /// Keeps all that happens, dice included.
    #[must_use]
    pub fn chronicled(mut self, chronicle: &'a mut Vec<Happening<R::Event>>) -> Self {
        self.listener = Listener::Everything(chronicle);
        self
    }

    /// Keeps the events, and neither the dice nor what follows by itself.
    #[must_use]
    pub fn events_only(mut self, events: &'a mut Vec<R::Event>) -> Self {
        self.listener = Listener::Events(events);
        self
    }

    /// Notes breaches of the rules instead of refusing them.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Whether breaches of the rules are noted and not refused.
    #[must_use]
    pub fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// Whether the choice is carried out although it is against the rules.
    #[must_use]
    pub fn breaks_a_rule(&self) -> bool {
        !self.breaches.is_empty()
    }

    /// The battle, with all that has happened so far.
    #[must_use]
    pub fn battle(&self) -> &R::Battle {
        self.battle
    }

    /// Lets something happen, with what follows from it by the rules alone.
    pub fn happen(&mut self, event: R::Event) {
        let mut follows = Vec::new();
        R::follows(self.battle, &event, &mut follows);
        R::apply(self.battle, &event);
        self.happened += 1;
        match &mut self.listener {
            Listener::Nobody => {}
            Listener::Events(events) => events.push(event),
            Listener::Everything(chronicle) => chronicle.push(Happening::Event(event)),
        }
        for one in follows {
            R::apply(self.battle, &one);
            if let Listener::Everything(chronicle) = &mut self.listener {
                chronicle.push(Happening::Follows(one));
            }
        }
    }

    /// The choice is allowed only if this holds. Where the players have agreed to be advised and not refereed, the
    /// breach is noted and the choice goes on.
    pub fn require(&mut self, holds: bool, clause: Clause, sentence: impl FnOnce() -> String) -> Result<(), Halt> {
        mark::ran(clause);
        if holds {
            return Ok(());
        }
        self.refuse(Refusal::new(clause, sentence()))
    }

    /// The choice is against the rules: refused, or noted where the players are only advised. What is impossible is
    /// always refused.
    pub fn refuse(&mut self, refusal: Refusal) -> Result<(), Halt> {
        if !self.lenient || refusal.impossible {
            return Err(refusal.into());
        }
        self.breaches.push(refusal);
        Ok(())
    }

    /// Throws dice for a test with modifiers and records both.
    pub fn roll(&mut self, purpose: Purpose, test: &Test, throw: &Throw, wanted: Wanted) -> Result<Roll, Halt> {
        self.throw_for(purpose, Some(test), throw, wanted)
    }

    /// Throws dice that no test modifies.
    pub fn throw(&mut self, purpose: Purpose, throw: &Throw, wanted: Wanted) -> Result<Roll, Halt> {
        self.throw_for(purpose, None, throw, wanted)
    }

    fn throw_for(
        &mut self,
        purpose: Purpose,
        test: Option<&Test>,
        throw: &Throw,
        wanted: Wanted,
    ) -> Result<Roll, Halt> {
        self.dice.about(&purpose);
        let roll = self.dice.throw(throw);
        let roll = roll.inspect_err(|no_dice| self.want(no_dice, purpose, test, throw, wanted))?;
        self.record(purpose, test, throw, wanted, &roll);
        Ok(roll)
    }

    /// Notes what there were no dice for, where somebody listens.
    fn want(&mut self, no_dice: &NoDice, purpose: Purpose, test: Option<&Test>, throw: &Throw, wanted: Wanted) {
        if let (NoDice::Throw(_), Listener::Everything(_)) = (no_dice, &self.listener) {
            let lowest = (0..throw.len()).filter_map(|n| throw.die(n).faces().first()).copied();
            let record = RollRecord::new(purpose, test, throw, wanted, &throw.read(lowest.collect()));
            self.wanting = Some(Box::new((record, throw.clone())));
        }
    }

    /// The roll for which there were no dice, as it would be recorded, whatever its faces say.
    #[must_use]
    pub fn wanting(&mut self) -> Option<(RollRecord, Throw)> {
        self.wanting.take().map(|wanting| *wanting)
    }

    fn record(&mut self, purpose: Purpose, test: Option<&Test>, throw: &Throw, wanted: Wanted, roll: &Roll) {
        if let Listener::Everything(chronicle) = &mut self.listener {
            chronicle.push(Happening::Roll(Box::new(RollRecord::new(purpose, test, throw, wanted, roll))));
        }
    }

    /// Throws dice for a test of which no more is read than whether what is wanted was met. Odds then have two branches
    /// here and not one for every total. A test with no target is never met.
    pub fn check(&mut self, purpose: Purpose, test: &Test, throw: &Throw, wanted: Wanted) -> Result<bool, Halt> {
        let cut = match wanted {
            Wanted::AtMost(target) => target.saturating_add(1),
            Wanted::AtLeast(target) => target,
            _ => i32::MAX,
        };
        let total = self.total_in(purpose, Some(test), throw, Some(&[cut]), wanted)?;
        Ok(wanted.met(total).unwrap_or(false))
    }

    /// Throws dice for a test and reads what their total means. Totals in a row that mean the same are one branch where
    /// odds are worked out.
    pub fn roll_for<T: PartialEq>(
        &mut self,
        purpose: Purpose,
        test: &Test,
        throw: &Throw,
        wanted: Wanted,
        read: impl Fn(&R::Battle, i32) -> T,
    ) -> Result<T, Halt> {
        let mut cuts = None;
        if self.dice.tells_bands() {
            let mut rising: SmallVec<[i32; 12]> = SmallVec::new();
            let mut last = None;
            let every = Band::each(throw, |band| {
                let meant = read(self.battle, band.total);
                if last.as_ref().is_some_and(|last| *last != meant) {
                    rising.push(band.total);
                }
                last = Some(meant);
            });
            cuts = every.map(|_| rising);
        }
        let total = self.total_in(purpose, Some(test), throw, cuts.as_deref(), wanted)?;
        Ok(read(self.battle, total))
    }

    /// Throws dice that no test modifies and of which no more is read than the total.
    pub fn total(&mut self, purpose: Purpose, throw: &Throw, wanted: Wanted) -> Result<i32, Halt> {
        self.total_in(purpose, None, throw, None, wanted)
    }

    fn total_in(
        &mut self,
        purpose: Purpose,
        test: Option<&Test>,
        throw: &Throw,
        cuts: Option<&[i32]>,
        wanted: Wanted,
    ) -> Result<i32, Halt> {
        self.dice.about(&purpose);
        if !matches!(self.listener, Listener::Everything(_)) {
            return Ok(self.dice.total_in(throw, cuts)?);
        }
        let roll = match cuts {
            Some(cuts) => self.dice.throw_in(throw, cuts),
            None => self.dice.throw(throw),
        };
        let roll = roll.inspect_err(|no_dice| self.want(no_dice, purpose, test, throw, wanted))?;
        self.record(purpose, test, throw, wanted, &roll);
        Ok(roll.total())
    }

    /// Reads something off the battle that takes a while, such as the situation of a test. While odds are worked out, the
    /// same way there is walked again and again, and it is read only the first time.
    pub fn once<T: Clone + Send + 'static>(&mut self, read: impl FnOnce(&R::Battle) -> T) -> T {
        let Some(recall) = self.dice.recall() else { return read(self.battle) };
        if let Some(known) = recall.known() {
            return known;
        }
        let made = read(self.battle);
        if let Some(recall) = self.dice.recall() {
            recall.keep(made.clone());
        }
        made
    }

    /// How many events have happened so far.
    #[must_use]
    pub fn happened(&self) -> usize {
        self.happened
    }

    /// The breaches that were noted.
    #[must_use]
    pub fn into_breaches(self) -> Vec<Refusal> {
        self.breaches
    }
}

impl RollRecord {
    /// The record of one roll.
    #[must_use]
    pub fn new(purpose: Purpose, test: Option<&Test>, throw: &Throw, wanted: Wanted, roll: &Roll) -> Self {
        let base = test.map(|test| BaseRecord {
            value: test.base_value(),
            name: match test.base() {
                Base::Number(_) | Base::Score(_) => None,
                Base::Rung(scale, rung) => Some(scale.shifted(rung, 0).1.name.to_owned()),
            },
            clause: test.column(),
        });
        let modifiers = test.map_or(&[][..], Test::modifiers);
        let chance = Chance::of(throw, |total| wanted.met(total).unwrap_or(false));
        let total = roll.total();
        Self {
            what: purpose.what.to_owned(),
            of: purpose.of.map(|of| of.to_string()),
            side: purpose.side,
            base,
            modifiers: modifiers.iter().map(|m| ModifierRecord { clause: m.clause, shift: m.shift }).collect(),
            throw: throw.to_string(),
            wanted,
            chance: wanted.met(total).and(chance).map(|chance| chance.to_string()),
            luck: luck(throw, wanted, total),
            faces: roll.faces.to_vec(),
            total,
        }
    }

    /// The chance as a decimal fraction.
    #[must_use]
    pub fn probability(&self) -> Option<f64> {
        let (ways, of) = self.chance.as_ref()?.split_once('/')?;
        Some(ways.parse::<f64>().ok()? / of.parse::<f64>().ok()?)
    }
}

/// How much better than expected: 1 or 0 for success or failure less its chance; where it is a matter of degree, the
/// share of results that would have been worse less the share that would have been better.
fn luck(throw: &Throw, wanted: Wanted, total: i32) -> f64 {
    let share = |better: &dyn Fn(i32) -> bool| Chance::of(throw, better).map_or(0.0, Chance::value);
    match wanted {
        Wanted::AtMost(_) | Wanted::AtLeast(_) => {
            let met = |total| wanted.met(total).unwrap_or(false);
            f64::from(u8::from(met(total))) - share(&met)
        }
        Wanted::High => share(&|other| other < total) - share(&|other| other > total),
        Wanted::Low => share(&|other| other > total) - share(&|other| other < total),
        Wanted::Neither => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Die;

    fn luck_of(wanted: Wanted, total: i32) -> f64 {
        luck(&Throw::sum(2, Die::D6), wanted, total)
    }

    #[test]
    fn luck_is_what_came_less_what_was_to_be_expected() {
        assert!((luck_of(Wanted::AtMost(7), 7) - (1.0 - 21.0 / 36.0)).abs() < 1e-12);
        assert!((luck_of(Wanted::AtMost(7), 8) + 21.0 / 36.0).abs() < 1e-12);
        assert!((luck_of(Wanted::High, 12) - 35.0 / 36.0).abs() < 1e-12);
        assert!(luck_of(Wanted::High, 7).abs() < 1e-12, "seven is the middle");
        assert!((luck_of(Wanted::Low, 12) + 35.0 / 36.0).abs() < 1e-12);
    }

    #[test]
    fn luck_adds_up_to_nothing_over_all_ways() {
        for wanted in [Wanted::AtMost(5), Wanted::AtLeast(9), Wanted::High, Wanted::Low] {
            let sum: f64 = (1..=6).flat_map(|a| (1..=6).map(move |b| a + b)).map(|total| luck_of(wanted, total)).sum();
            assert!(sum.abs() < 1e-9, "{wanted:?}: {sum}");
        }
    }
}
