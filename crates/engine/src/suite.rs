//! A suite that every ruleset must pass, in one line: `suite::run::<Huzzah>(&scenarios, Effort::default())`.
//!
//! It needs nothing but the trait, so it knows no book: random players fight every scenario, and at every step what must
//! hold for any ruleset is checked.

mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use crate::clause::Clause;
use crate::dice::Seeded;
use crate::log::{DiceSource, Enforcement, Entry};
use crate::mark;
use crate::odds::{Chance, NoOdds, Odds};
use crate::offer::{Choice, Input, Value};
use crate::playout::random_choice;
use crate::resolution::{Happening, Resolution};
use crate::ruleset::Ruleset;
use crate::scenario::{Document, Scenario};
use crate::session::{self, Order, ResumeError, Seat, Session, Setup, muster, odds_of_choice, verify, verify_with};
use sabretache_table::Angle;

/// After so many breaches of the rules an advised battle is fought to its end by them, so that it has one.
const MOST_BREACHES: u32 = 150;

pub use told::{Seen, told};

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random battles for each scenario.
    pub battles: u64,
    /// The first seed of them: battles before it are left out, to go on where a run stopped.
    pub from: u64,
    /// After how many choices a battle that does not end counts as one that never would.
    pub longest: u64,
    /// Of how many decisions one is examined closely: saved and loaded, its closed offers tried, its odds told.
    pub closely: u64,
    /// How many offers in all have their odds compared with seeded rolls.
    pub sampled_offers: usize,
    /// With how many rolls.
    pub samples: u32,
    /// How often in one battle each kind of closed offer, by its first word and its clause, is done against the rules, as
    /// players who are only advised may. 0 leaves that out: for a book that cannot do all of it yet.
    pub despite: u32,
    /// How many choices of one battle more go to a log, which is followed, proved, resumed and branched. 0 leaves that out.
    pub logged: u64,
}

impl Default for Effort {
    fn default() -> Self {
        let (longest, logged) = (20_000, 20_000);
        Self { battles: 20, from: 0, longest, closely: 11, sampled_offers: 12, samples: 10_000, despite: 3, logged }
    }
}

/// What a suite has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Battles fought to the end.
    pub battles: u64,
    /// Choices made.
    pub decisions: u64,
    /// Offers whose odds were compared with seeded rolls.
    pub sampled: usize,
    /// Refusals tried.
    pub refusals: u64,
    /// Closed offers that were done against the rules, and noted.
    pub despite: u64,
}

/// Runs everything on every scenario; the first thing that does not hold, with all that is needed to see it again.
pub fn run<R: Ruleset>(scenarios: &[Document], effort: Effort) -> Result<Done, String> {
    let mut done = Done::default();
    for document in scenarios {
        let scenario = Scenario::<R::Body>::read(&document.json).map_err(|report| in_file(document, &report))?;
        for seed in effort.from..effort.battles {
            let mut battle = Trial::<R>::new(&scenario, seed).map_err(|report| in_file(document, &report))?;
            battle
                .fight(effort, &mut done)
                .map_err(|fault| format!("{}, seed {seed}, choice {}: {fault}", document.name, battle.choices))?;
        }
        if effort.logged > 0 {
            logged_battle::<R>(&scenario, effort).map_err(|fault| in_file(document, &fault))?;
        }
        if effort.despite > 0 {
            advised_battle::<R>(&scenario, effort, &mut done)
                .map_err(|fault| in_file(document, &format!("advised: {fault}")))?;
        }
    }
    Ok(done)
}

fn in_file(document: &Document, fault: &impl Display) -> String {
    format!("{}: {fault}", document.name)
}

struct Trial<R: Ruleset> {
    battle: R::Battle,
    seed: u64,
    random: Seeded,
    choices: u64,
    /// How often each kind of closed offer has been done against the rules.
    defied: BTreeMap<(String, Clause), u32>,
}

impl<R: Ruleset> Trial<R> {
    fn new(scenario: &Scenario<R::Body>, seed: u64) -> Result<Self, String> {
        let battle = muster::<R>(scenario).map_err(|report| report.to_string())?;
        Ok(Self { battle, seed, random: Seeded::for_choice(seed, u64::MAX), choices: 0, defied: BTreeMap::new() })
    }

    fn fight(&mut self, effort: Effort, done: &mut Done) -> Result<(), String> {
        let mut offers = Vec::new();
        while R::deciding(&self.battle).is_some() {
            if self.choices == effort.longest {
                return Err("the battle does not end".into());
            }
            if self.random.below(effort.closely as u32) == 0 {
                self.look_closely(effort, done)?;
            }
            let choice = random_choice::<R>(&self.battle, &mut offers, &mut self.random)
                .ok_or("somebody decides, and there is nothing to choose")?;
            self.make(&choice)?;
            done.decisions += 1;
        }
        R::verdict(&self.battle).ok_or("the battle is over, and there is no verdict")?;
        done.battles += 1;
        Ok(())
    }

    /// Makes the choice in three ways that must come to the same: in place, chronicled, and by applying the events.
    fn make(&mut self, choice: &Choice<R::Offer>) -> Result<(), String> {
        let key = R::key(&self.battle, &choice.offer);
        let refused = |halt| format!("'{key}' was offered and then not accepted with {:?}: {halt}", choice.value);
        let before = self.battle.clone();
        let (mut dice, mut same_dice) = (self.dice(), self.dice());

        let mut chronicle = Vec::new();
        let mut chronicled = before.clone();
        let mut play = Resolution::<R>::new(&mut chronicled, &mut dice).chronicled(&mut chronicle);
        R::resolve(&mut play, choice).map_err(refused)?;

        R::resolve(&mut Resolution::new(&mut self.battle, &mut same_dice), choice).map_err(refused)?;
        if self.battle != chronicled {
            return Err(format!("'{key}' made in place gives another battle than made on a clone"));
        }

        let mut replayed = before;
        for (n, one) in chronicle.iter().enumerate() {
            if let Happening::Event(event) = one {
                let told = R::tell(&replayed, event);
                if told.text.trim().is_empty() {
                    return Err(format!("'{key}': nothing is told of {event:?}"));
                }
            }
            if let Happening::Event(event) | Happening::Follows(event) = one {
                let ((), decided) = mark::written(|| R::apply(&mut replayed, event));
                if let Some(clause) = decided.iter().find(|clause| !R::WRITTEN.contains(clause)) {
                    return Err(format!("'{key}': {clause} is decided where {event:?} is only to be written down"));
                }
                // What follows belongs to its event.
                if !matches!(chronicle.get(n + 1), Some(Happening::Follows(_))) {
                    R::check(&replayed).map_err(|broken| format!("'{key}', after {event:?}: {broken}"))?;
                }
                event_survives_json::<R>(event)?;
            }
        }
        if replayed != self.battle {
            return Err(format!("'{key}': the events alone lead to another battle"));
        }
        self.choices += 1;
        Ok(())
    }

    fn dice(&self) -> Seeded {
        Seeded::for_choice(self.seed, self.choices)
    }

    fn look_closely(&mut self, effort: Effort, done: &mut Done) -> Result<(), String> {
        self.save_and_load()?;
        self.refusals_change_nothing(done)?;
        self.forbidden_is_done_despite(effort, done)?;
        let mut offers = Vec::new();
        R::offers(&self.battle, &mut offers);
        let keys: BTreeSet<String> = offers.iter().map(|offer| R::key(&self.battle, offer)).collect();
        if keys.len() != offers.len() {
            return Err("two offers have the same key".into());
        }
        let offer = offers.swap_remove(self.random.below(offers.len() as u32) as usize);
        let Some(value) = R::input(&self.battle, &offer).any(&mut self.random) else {
            return Ok(());
        };
        R::preview(&self.battle, &offer, &value);
        for unit in R::view(&self.battle).units {
            if R::pose(&self.battle, unit.id) != unit.pose {
                return Err(format!("the view has {} where the battle has it not", unit.key));
            }
        }
        let mut parts = Vec::new();
        R::parts(&self.battle, &mut parts);
        if parts.len() != R::PARTS.len() || parts.iter().any(|part| !part.is_finite()) {
            return Err(format!("the standing of the battle is told as {parts:?}, its parts are {:?}", R::PARTS));
        }
        self.odds_hold(&Choice { offer, value }, effort, done)
    }

    fn save_and_load(&self) -> Result<(), String> {
        let saved = R::save(&self.battle);
        let text = saved.to_toml().map_err(|error| format!("the battle cannot be saved: {error}"))?;
        let document = Document::parse("saved.toml", text).map_err(|report| format!("a saved battle: {report}"))?;
        let again = Scenario::<R::Body>::read(&document.json).map_err(|report| format!("a saved battle: {report}"))?;
        let loaded = muster::<R>(&again).map_err(|report| format!("a saved battle: {report}"))?;
        if loaded != self.battle {
            return Err(format!("saved and loaded, the battle is another:\n{}", document.text));
        }
        // One that has just been loaded remembers nothing of what was worked out before.
        let (mut kept, mut afresh) = (Vec::new(), Vec::new());
        R::offers(&self.battle, &mut kept);
        R::offers(&loaded, &mut afresh);
        match kept.iter().zip(&afresh).find(|(one, other)| one != other) {
            _ if kept == afresh => Ok(()),
            found => Err(format!("what was remembered is not what is found afresh, beginning with {found:?}")),
        }
    }

    fn refusals_change_nothing(&self, done: &mut Done) -> Result<(), String> {
        let mut closed = Vec::new();
        R::closed(&self.battle, &mut closed);
        for (offer, refusal) in closed {
            let key = R::key(&self.battle, &offer);
            if R::BOOK.find(refusal.clause).is_none() {
                return Err(format!("'{key}' is closed by {}, which is not in the book", refusal.clause));
            }
            let mut trial = self.battle.clone();
            let value = Value::None;
            if R::resolve(&mut Resolution::new(&mut trial, &mut self.dice()), &Choice { offer, value }).is_ok() {
                return Err(format!("'{key}' is closed ({refusal}) and was accepted all the same"));
            }
            if trial != self.battle {
                return Err(format!("'{key}' was refused and changed the battle"));
            }
            done.refusals += 1;
        }
        Ok(())
    }

    /// What a rule forbids is really done where the players are only advised, with any value that fits, and the battle after
    /// it is a whole one. Only what is impossible is refused.
    fn forbidden_is_done_despite(&mut self, effort: Effort, done: &mut Done) -> Result<(), String> {
        if effort.despite == 0 {
            return Ok(());
        }
        let mut closed = Vec::new();
        R::closed(&self.battle, &mut closed);
        for (offer, refusal) in closed {
            let key = R::key(&self.battle, &offer);
            let kind = (key.split(' ').next().unwrap_or_default().to_owned(), refusal.clause);
            let tried = self.defied.entry(kind).or_default();
            if refusal.impossible || *tried == effort.despite {
                continue;
            }
            *tried += 1;
            let value = a_deed(&R::input(&self.battle, &offer), &mut self.random)
                .ok_or_else(|| format!("'{key}' is forbidden ({refusal}), not impossible, and no value fits it"))?;
            let choice = Choice { offer, value };
            let fault = |what: &str| format!("'{key}' with {:?} despite {refusal}: {what}", choice.value);
            let made = session::make::<R>(&self.battle, &choice, true, &mut self.dice())
                .map_err(|declined| fault(&format!("not done: {declined}")))?;
            // A second shot that misses leaves the battle as it was, and has been fired all the same.
            let acted = made.happened.iter().any(|one| matches!(one, Happening::Event(_)));
            if made.battle == self.battle && !acted {
                return Err(fault("nothing happened"));
            }
            if let Some(breach) = made.breaches.iter().find(|breach| R::BOOK.find(breach.clause).is_none()) {
                return Err(fault(&format!("noted as a breach of {}, which is not in the book", breach.clause)));
            }
            let mut replayed = self.battle.clone();
            for one in &made.happened {
                if let Happening::Event(event) | Happening::Follows(event) = one {
                    R::tell(&replayed, event);
                    R::apply(&mut replayed, event);
                }
            }
            if replayed != made.battle {
                return Err(fault("the events alone lead to another battle"));
            }
            done.despite += 1;
        }
        Ok(())
    }

    fn odds_hold(&self, choice: &Choice<R::Offer>, effort: Effort, done: &mut Done) -> Result<(), String> {
        let key = R::key(&self.battle, &choice.offer);
        let odds = match odds_of_choice::<R>(&self.battle, choice) {
            Ok(odds) => odds,
            Err(NoOdds::TooMany { .. } | NoOdds::TooLong) => return Ok(()),
            Err(NoOdds::Stopped(halt)) => return Err(format!("'{key}' has no odds: {halt}")),
        };
        if odds.total() != Some(Chance::CERTAIN) {
            return Err(format!("the odds of '{key}' add up to {:?}", odds.total()));
        }
        if odds.branches > 1 && done.sampled < effort.sampled_offers {
            done.sampled += 1;
            self.sample(choice, &odds, effort.samples).map_err(|fault| format!("the odds of '{key}': {fault}"))?;
        }
        Ok(())
    }

    /// Rolls many times and compares; five standard deviations, and fixed seeds, so that it fails always or never.
    fn sample(&self, choice: &Choice<R::Offer>, odds: &Odds<String>, samples: u32) -> Result<(), String> {
        let mut seen = BTreeMap::<String, u32>::new();
        let mut events = Vec::new();
        for n in 0..samples {
            events.clear();
            let mut trial = self.battle.clone();
            let mut dice = Seeded::for_choice(self.seed ^ 0x5eed, u64::from(n));
            let mut play = Resolution::<R>::new(&mut trial, &mut dice).events_only(&mut events);
            R::resolve(&mut play, choice).map_err(|halt| halt.to_string())?;
            *seen.entry(R::outcome(&self.battle, &events)).or_default() += 1;
        }
        if let Some(outcome) = seen.keys().find(|outcome| odds.chance(outcome) == Chance::NEVER) {
            return Err(format!("'{outcome}' came up and has no chance"));
        }
        for (outcome, chance) in odds.iter() {
            let expected = chance.value();
            let share = f64::from(seen.get(outcome).copied().unwrap_or(0)) / f64::from(samples);
            let deviation = (expected * (1.0 - expected) / f64::from(samples)).sqrt();
            if (share - expected).abs() > 5.0 * deviation + 1e-9 {
                return Err(format!("'{outcome}' has a chance of {expected:.4} and came up at {share:.4}"));
            }
        }
        Ok(())
    }
}

/// Something that fits and does something: a place that fits may be hard to come upon, and a wheel by nothing is none.
fn a_deed(input: &Input, random: &mut Seeded) -> Option<Value> {
    let none = Value::Wheel(Angle::ZERO);
    (0..32).filter_map(|_| input.any(random)).find(|value| *value != none)
}

/// One battle among players who are only advised, and now and then do what is forbidden: all of it is noted, and the log proves it.
fn advised_battle<R: Ruleset>(scenario: &Scenario<R::Body>, effort: Effort, done: &mut Done) -> Result<(), String> {
    let setup = Setup { enforcement: Enforcement::Advise, dice: DiceSource::Seeded(effort.battles) };
    let (mut session, mut text) = Session::<R>::begin(scenario, setup).map_err(|report| report.to_string())?;
    let mut random = Seeded::new(effort.battles ^ 0xadd1ce);
    let (mut offers, mut closed) = (Vec::new(), Vec::new());
    let mut breaches = 0;
    while let Some(mut choice) = random_choice::<R>(session.battle(), &mut offers, &mut random) {
        if session.now() as u64 == effort.longest {
            return Err("the battle does not end".into());
        }
        let mut despite = None;
        if breaches < MOST_BREACHES && random.below(8) == 0 {
            closed.clear();
            R::closed(session.battle(), &mut closed);
            closed.retain(|(_, refusal)| !refusal.impossible);
            if !closed.is_empty() {
                let (offer, refusal) = closed.swap_remove(random.below(closed.len() as u32) as usize);
                let key = R::key(session.battle(), &offer);
                let value = a_deed(&R::input(session.battle(), &offer), &mut random)
                    .ok_or_else(|| format!("'{key}' is forbidden ({refusal}), not impossible, and no value fits it"))?;
                choice = Choice { offer, value };
                despite = Some(refusal);
            }
        }
        let offer = R::key(session.battle(), &choice.offer);
        let at = session.now();
        let order = Order { offer: offer.clone(), value: choice.value, despite: despite.is_some(), ..Order::default() };
        let lines = session.choose(Seat::Umpire, &order).map_err(|declined| {
            format!("entry {at}, '{offer}' with {:?}, despite {despite:?}: {declined}", order.value)
        })?;
        text += &lines.concat();
        if let Some(refusal) = despite {
            let noted = match session.log().entries.last() {
                Some(Entry::Chosen(chosen)) => chosen.breaches.contains(&refusal),
                _ => false,
            };
            if !noted {
                return Err(format!("entry {at}, '{offer}' was done despite {refusal}, and that is not noted"));
            }
            breaches += 1;
            done.despite += 1;
        }
    }
    verify::<R>(text.as_bytes()).map_err(|unproved| format!("the log does not verify: {unproved}"))?;
    session.story(0).map_err(|declined| declined.to_string())?;
    Ok(())
}

fn event_survives_json<R: Ruleset>(event: &R::Event) -> Result<(), String> {
    let json = serde_json::to_string(event).map_err(|error| format!("{event:?} cannot be written: {error}"))?;
    let again: R::Event = serde_json::from_str(&json).map_err(|error| format!("{json} cannot be read: {error}"))?;
    if again == *event { Ok(()) } else { Err(format!("{event:?} is another once written and read: {json}")) }
}

/// One battle with a log: followed, resumed, verified, branched and told, it must be the same battle.
fn logged_battle<R: Ruleset>(scenario: &Scenario<R::Body>, effort: Effort) -> Result<(), String> {
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(effort.battles) };
    let (mut session, mut text) = Session::<R>::begin(scenario, setup).map_err(|report| report.to_string())?;
    let unread = |error: ResumeError| format!("the log does not resume: {error}");
    let mut follower = Session::<R>::resume(text.as_bytes()).map_err(unread)?;
    let mut random = Seeded::new(effort.battles);
    let mut offers = Vec::new();
    for _ in 0..effort.logged {
        let Some(choice) = random_choice::<R>(session.battle(), &mut offers, &mut random) else { break };
        let offer = R::key(session.battle(), &choice.offer);
        let order = Order { offer: offer.clone(), value: choice.value, ..Order::default() };
        let lines = session.choose(Seat::Umpire, &order).map_err(|declined| format!("'{offer}': {declined}"))?;
        text += &lines.concat();
        follower.follow(lines.concat().as_bytes()).map_err(|error| format!("'{offer}' is not followed: {error}"))?;
    }
    if follower.battle() != session.battle() || follower.now() != session.now() {
        return Err("followed line by line, the battle is another".into());
    }
    let proved = verify::<R>(text.as_bytes()).map_err(|unproved| format!("the log does not verify: {unproved}"))?;
    let resumed = Session::<R>::resume(text.as_bytes()).map_err(unread)?;
    if resumed.battle() != session.battle() || proved.lines != session.now() {
        return Err("replayed from its log, the battle is another".into());
    }
    let middle = session.now().div_ceil(2);
    let (branch, branched) = session.branch(middle, None).map_err(|declined| declined.to_string())?;
    if *branch.battle() != session.battle_at(middle).map_err(|declined| declined.to_string())? {
        return Err("a branch begins with another battle than the one it left".into());
    }
    let proved = verify_with::<R>(branched.as_bytes(), Some(text.as_bytes()));
    let proved = proved.map_err(|unproved| format!("a branch does not verify: {unproved}"))?;
    if proved.inherited > 0 {
        return Err("a branch is not proved although the battle it left is at hand".into());
    }
    session.story(0).map_err(|declined| declined.to_string())?;
    Ok(())
}
