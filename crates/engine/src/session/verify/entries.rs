//! Proving entry after entry: what a log says must follow from the rules, from its beginning on.

use super::Unproved;
use crate::dice::{AgreedDice, Dice, Scripted, Seeded};
use crate::log::{Adjusted, BadLog, Begun, Chosen, DiceSource, Enforcement, Entry, Hand, Hash, Log, Said, Say};
use crate::offer::Choice;
use crate::resolution::Happening;
use crate::ruleset::Ruleset;
use crate::session::accord::Accord;
use crate::session::choosing::{Made, bound_to, check_value, make_checked};
use crate::session::present::Present;
use crate::session::{ResumeError, Session, adjust, hash_of, letters, seen};

pub(super) fn prove<R: Ruleset>(log: &Log<R::Event>) -> Result<(), Unproved> {
    let begun = log.begun().ok_or(BadLog::NoBeginning)?;
    if begun.ruleset != R::BOOK.name {
        return Err(ResumeError::OtherRuleset(begun.ruleset.clone()).into());
    }
    let shared = begun.branched_from.map_or(1, |origin| origin.shared);
    if shared == 0 || shared > log.entries.len() {
        let why = "it shares entries with the battle it was branched from that it does not have".to_owned();
        return Err(Unproved::Entry { line: 1, why });
    }
    let start = Session::<R>::from_beginning(begun).map_err(|error| Unproved::Resume(ResumeError::Scenario(error)))?;
    let mut proof = Proof::<R> {
        log,
        begun,
        shared,
        battles: vec![(0, start.battle)],
        accord: Accord::default(),
        agreed: start.agreed,
    };
    for position in 1..log.entries.len() {
        proof.follow(position).map_err(|why| Unproved::Entry { line: position + 1, why })?;
    }
    Ok(())
}

/// How far the proof has come.
struct Proof<'a, R: Ruleset> {
    log: &'a Log<R::Event>,
    begun: &'a Begun,
    /// How many entries are another battle's, the beginning included.
    shared: usize,
    /// The battle after each entry that counts, so that an entry taken back costs nothing.
    battles: Vec<(usize, R::Battle)>,
    accord: Accord,
    agreed: Option<AgreedDice>,
}

impl<R: Ruleset> Proof<'_, R> {
    fn follow(&mut self, position: usize) -> Result<(), String> {
        let entry = &self.log.entries[position];
        let counts = matches!(entry, Entry::Chosen(_) | Entry::Adjusted(_));
        if position < self.shared && !counts {
            return Err("a branch begins with what counts of the battle it left, and with nothing else".into());
        }
        let Some((_, battle)) = self.battles.last() else { return Err("nothing is left to go on from".into()) };
        let after = match entry {
            Entry::Begun(_) => return Err("a battle begins once".into()),
            Entry::Undone { keep, by } => {
                self.may_take_back(*keep, *by)?;
                self.battles.retain(|(at, _)| at < keep);
                None
            }
            Entry::Written(letter) => {
                letters::may_send::<R>(battle, letter).map_err(|declined| declined.to_string())?;
                None
            }
            Entry::Said(said) => {
                self.may_say(*said)?;
                None
            }
            Entry::Chosen(chosen) => Some(self.prove_choice(position, chosen)?),
            Entry::Adjusted(adjusted) => Some(self.prove_adjustment(adjusted)?),
        };
        self.accord.follow(position, entry);
        self.battles.extend(after.map(|battle| (position, battle)));
        Ok(())
    }

    fn may_say(&self, said: Said) -> Result<(), String> {
        if said.keep.is_some() && said.say != Say::AskBack {
            return Err("only who asks to take back names a moment".into());
        }
        let over = self.battles.last().is_none_or(|(_, battle)| R::deciding(battle).is_none());
        let counts = |line: usize| self.battles.iter().any(|(at, _)| *at == line);
        self.accord.may(said, counts, over).map_err(str::to_owned)
    }

    /// Whether everything from a line on may be taken back by this hand: a player takes back what the other side has just
    /// agreed to, or the last thing he chose himself, before any dice and anybody else's answer.
    fn may_take_back(&self, keep: usize, by: Hand) -> Result<(), String> {
        let first = self.battles.iter().position(|(at, _)| *at == keep).filter(|first| *first > 0);
        let first = first.ok_or("it takes back what does not count")?;
        let Hand::Player(side) = by else { return Ok(()) };
        if self.accord.grants(side, keep) {
            return Ok(());
        }
        if self.accord.is_over() {
            return Err("the players had ended the battle".into());
        }
        let mut taken = self.battles[first..].iter().map(|(at, _)| &self.log.entries[*at]);
        let own = match taken.next() {
            Some(Entry::Chosen(chosen)) => chosen.side == side && !chosen.rolled(),
            Some(Entry::Adjusted(_)) => self.begun.enforcement == Enforcement::Sandbox,
            _ => false,
        };
        // What standing instructions of the other side let pass goes with it, where nothing could have come of it.
        let let_pass = |entry: &Entry<R::Event>| matches!(entry, Entry::Chosen(chosen) if chosen.side != side && chosen.standing && !chosen.rolled());
        if !own || !taken.all(let_pass) {
            return Err(format!("side {side} takes back what is not its own to take back"));
        }
        let passes = self.battles.get(first..self.battles.len() - 1).unwrap_or_default();
        if passes.iter().any(|(_, battle)| seen::is_answer::<R>(battle)) {
            return Err(format!("side {side} takes back what the other side has let pass"));
        }
        let (before, now) = (&self.battles[first - 1].1, self.battles.last().map(|(_, battle)| battle));
        if now.is_some_and(|now| seen::sees_more::<R>(side, before, now)) {
            return Err(format!("side {side} takes back what has shown it something that was hidden before"));
        }
        Ok(())
    }

    fn prove_adjustment(&self, adjusted: &Adjusted) -> Result<R::Battle, String> {
        if matches!(adjusted.by, Hand::Player(_)) && self.begun.enforcement != Enforcement::Sandbox {
            return Err("a player has set something by hand, which is for the umpire".into());
        }
        let battle = self.now()?;
        let (after, from) = adjust::adjusted::<R>(battle, &adjusted.path, &adjusted.to).map_err(|no| no.to_string())?;
        if from != adjusted.from {
            return Err("the adjustment began from something else than the log says".into());
        }
        if hash_of::<R>(&after) != adjusted.battle {
            return Err("the adjustment leads to another battle than the log says".into());
        }
        Ok(after)
    }

    fn now(&self) -> Result<&R::Battle, String> {
        self.battles.last().map(|(_, battle)| battle).ok_or_else(|| "nothing is left to go on from".into())
    }

    fn prove_choice(&mut self, position: usize, chosen: &Chosen<R::Event>) -> Result<R::Battle, String> {
        if self.accord.is_over() {
            return Err("the players had ended the battle".into());
        }
        let counts = |(at, _): &&(usize, R::Battle)| matches!(self.log.entries[*at], Entry::Chosen(_));
        let choices = self.battles.iter().filter(counts).count() as u64;
        let source = if position < self.shared { &DiceSource::Typed } else { &self.begun.dice };
        let before = self.log.hashes[position - 1];
        let mut dice = dice_of(chosen, source, choices, before, self.agreed.as_mut())?;
        let inherited = position < self.shared;
        if !inherited && !matches!(source, DiceSource::Agreed(_)) && !chosen.reveals.is_empty() {
            return Err("secrets were revealed, and no dice were agreed on".into());
        }
        let battle = self.now()?;
        if R::deciding(battle) != Some(chosen.side) {
            return Err(format!("it was not for side {} to decide", chosen.side));
        }
        let lenient = !chosen.breaches.is_empty();
        if lenient && self.begun.enforcement == Enforcement::Referee {
            return Err("it breaks a rule, and the battle is refereed".into());
        }
        if chosen.standing {
            is_let_pass::<R>(battle, chosen)?;
        } else if chosen.why.is_some() {
            return Err("it says why nobody was asked, and somebody was".into());
        }
        let Made { battle: after, happened, breaches } = made::<R>(battle, chosen, lenient, &mut *dice)?;
        if !chosen.settled {
            return Err(format!("what follows from '{}' is not written down", chosen.offer));
        }
        if happened != chosen.happened {
            let differs = happened.iter().zip(&chosen.happened).position(|(ours, theirs)| ours != theirs);
            let n = differs.unwrap_or(happened.len().min(chosen.happened.len())) + 1;
            return Err(format!("'{}' comes to something else by the rules, from its {n}. happening on", chosen.offer));
        }
        if breaches != chosen.breaches {
            return Err(format!("'{}' breaks other rules than the log says", chosen.offer));
        }
        if hash_of::<R>(&after) != chosen.battle {
            return Err("the battle afterwards is not the one the log says".into());
        }
        Ok(after)
    }
}

/// The dice of a choice, by what was thrown or revealed for it.
fn dice_of<E>(
    chosen: &Chosen<E>,
    source: &DiceSource,
    choices: u64,
    before: Hash,
    agreed: Option<&mut AgreedDice>,
) -> Result<Box<dyn Dice>, String> {
    if chosen.reveals.is_empty() != chosen.bound.is_none() {
        return Err("secrets are revealed for a choice, and a choice has its secrets".into());
    }
    if !chosen.reveals.is_empty() && !chosen.rolled() {
        return Err("secrets were revealed, and no dice rolled".into());
    }
    Ok(match source {
        DiceSource::Seeded(seed) => Box::new(Seeded::for_choice(*seed, choices)),
        DiceSource::Agreed(_) if !chosen.reveals.is_empty() => {
            let bound = bound_to(before, &chosen.offer, &chosen.value);
            if chosen.bound != Some(Hash::of(&[&bound])) {
                return Err("its secrets were not revealed for this choice".into());
            }
            let agreement = agreed.ok_or("no dice were agreed on")?;
            Box::new(agreement.open(&chosen.reveals, &bound).map_err(|error| error.to_string())?)
        }
        DiceSource::Agreed(_) if chosen.rolled() => {
            return Err("dice were rolled and no secrets revealed for them".into());
        }
        DiceSource::Typed | DiceSource::Agreed(_) => Box::new(Scripted::new(faces(chosen))),
    })
}

/// The choice made again, as it was made: with open eyes where it says so.
fn made<R: Ruleset>(
    battle: &R::Battle,
    chosen: &Chosen<R::Event>,
    lenient: bool,
    dice: &mut dyn Dice,
) -> Result<Made<R>, String> {
    let no = |why: &dyn std::fmt::Display| format!("the rules do not allow '{}': {why}", chosen.offer);
    let present = Present::<R>::of(battle);
    let (offer, mut breaches, input) = present.find(battle, &chosen.offer, lenient).map_err(|why| no(&why))?;
    breaches.extend(check_value::<R>(battle, &offer, input, &chosen.value, lenient).map_err(|why| no(&why))?);
    let choice = Choice { offer, value: chosen.value.clone() };
    let mut made = make_checked::<R>(battle, &choice, lenient, dice).map_err(|why| no(&why))?;
    made.breaches.splice(0..0, breaches);
    Ok(made)
}

/// Whether a choice that nobody made lets something pass, as such choices do.
fn is_let_pass<R: Ruleset>(battle: &R::Battle, chosen: &Chosen<R::Event>) -> Result<(), String> {
    let pass = R::interrupt(battle).map(|interrupt| R::key(battle, &interrupt.pass));
    let passes = pass.as_ref() == Some(&chosen.offer) && !chosen.rolled();
    passes.then_some(()).ok_or_else(|| "a standing instruction lets things pass and does nothing else".into())
}

fn faces<E>(chosen: &Chosen<E>) -> Vec<u8> {
    let rolls = chosen.happened.iter().filter_map(|one| match one {
        Happening::Roll(roll) => Some(&roll.faces),
        Happening::Event(_) | Happening::Follows(_) => None,
    });
    rolls.flatten().copied().collect()
}
