//! Proving a log: the rules are run again, every choice of it, and must come to the same.

use super::accord::Accord;
use super::choosing::bound_to;
use super::{ResumeError, Session, folded, hash_of};
use crate::dice::{AgreedDice, Dice, Scripted, Seeded};
use crate::log::{Adjusted, BadLog, Chosen, DiceSource, Enforcement, Entry, Hand, Hash, Log, Origin};
use crate::offer::Choice;
use crate::resolution::{Happening, Resolution};
use crate::ruleset::Ruleset;

/// What could not be proved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unproved {
    /// The log cannot even be read and replayed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// An entry does not follow from the rules.
    #[error("line {line}: {why}")]
    Entry {
        /// The line of the log, counted from 1.
        line: usize,
        /// What does not fit.
        why: String,
    },
    /// The log given for the battle that it was branched from is not that battle's.
    #[error("the battle it was branched from: {0}")]
    Parent(String),
    /// The battle was fought under other rules than these, by which it comes to something else. Its log is whole, and
    /// replays as recorded.
    #[error(
        "it was fought under other rules (version {theirs}; these are {ours}) and replays as recorded; by these rules, {differs}"
    )]
    OtherRules {
        /// The log's version.
        theirs: String,
        /// This program's.
        ours: String,
        /// The first thing that these rules do not come to.
        differs: String,
    },
}

impl From<BadLog> for Unproved {
    fn from(bad: BadLog) -> Self {
        Self::Resume(bad.into())
    }
}

/// What was proved of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// How many lines, those later taken back included.
    pub lines: usize,
    /// Of how many of them the dice are another battle's, which was not at hand: the rules come to what they say, but that
    /// these dice fell is for that battle's log to prove.
    pub inherited: usize,
    /// Whether a last line was torn by a crash. It counts for nothing.
    pub torn: bool,
}

/// Runs the rules again over every entry of a log, those later taken back included.
///
/// A log of other rules may be proved by these too. If not, it is told apart from one that was altered: its chain of
/// hashes is whole, and its events lead to the battles that it says.
pub fn verify<R: Ruleset>(bytes: &[u8]) -> Result<Proved, Unproved> {
    verify_with::<R>(bytes, None)
}

/// As [`verify`]; with the log of the battle that a branch came from, its dice up to there are proved too.
pub fn verify_with<R: Ruleset>(bytes: &[u8], parent: Option<&[u8]>) -> Result<Proved, Unproved> {
    let log = Log::<R::Event>::read(bytes)?;
    let theirs = log.begun().map(|begun| begun.version.clone()).unwrap_or_default();
    match prove::<R>(&log) {
        Err(unproved @ Unproved::Entry { .. }) if theirs != R::VERSION => {
            Session::<R>::resume(bytes)?;
            return Err(Unproved::OtherRules { theirs, ours: R::VERSION.into(), differs: unproved.to_string() });
        }
        other => other?,
    }
    let origin = log.begun().and_then(|begun| begun.branched_from);
    let inherited = match (origin, parent) {
        (None, None) => 0,
        (None, Some(_)) => return Err(Unproved::Parent("the battle was not branched from another".into())),
        (Some(origin), None) => log.standing().len().min(origin.shared).saturating_sub(1),
        (Some(origin), Some(parent)) => prove_origin::<R>(&log, origin, parent)?,
    };
    Ok(Proved { lines: log.entries.len(), inherited, torn: log.whole_bytes < bytes.len() })
}

/// The entries that a branch shares with its parent are the parent's, and the parent is proved. How many entries then
/// still have dice of yet another battle.
fn prove_origin<R: Ruleset>(log: &Log<R::Event>, origin: Origin, parent: &[u8]) -> Result<usize, Unproved> {
    let other = |why: &str| Unproved::Parent(why.to_owned());
    let proved = verify::<R>(parent)?;
    let mut parent = Log::<R::Event>::read(parent)?;
    let at = parent.hashes.iter().position(|hash| *hash == origin.hash);
    let at = at.ok_or_else(|| other("it has no entry with the hash at which the branch says it left"))?;
    parent.entries.truncate(at + 1);
    let shared: Vec<&Entry<R::Event>> = parent.standing().into_iter().skip(1).map(|n| &parent.entries[n]).collect();
    let ours: Vec<&Entry<R::Event>> = log.entries.iter().skip(1).take(origin.shared.saturating_sub(1)).collect();
    if shared != ours {
        return Err(other("what happened before the branch left is not what its log says"));
    }
    Ok(proved.inherited)
}

fn prove<R: Ruleset>(log: &Log<R::Event>) -> Result<(), Unproved> {
    let begun = log.begun().ok_or(BadLog::NoBeginning)?;
    if begun.ruleset != R::BOOK.name {
        return Err(ResumeError::OtherRuleset(begun.ruleset.clone()).into());
    }
    let start = Session::<R>::from_beginning(begun).map_err(|error| Unproved::Resume(ResumeError::Scenario(error)))?;
    let mut agreed = start.agreed.clone();
    // The battle after each entry that counts, so that an entry taken back costs nothing.
    let mut battles: Vec<(usize, R::Battle)> = vec![(0, start.battle)];
    let mut accord = Accord::default();
    for (position, entry) in log.entries.iter().enumerate().skip(1) {
        let unproved = |why: String| Unproved::Entry { line: position + 1, why };
        if let Entry::Undone { keep, by } = entry {
            let taken = battles.iter().map(|(at, _)| *at).filter(|at| at >= keep);
            if !matches!(by, Hand::Player(side) if accord.grants(*side, *keep)) {
                may_take_back(begun.enforcement, *by, taken.map(|at| &log.entries[at])).map_err(unproved)?;
            }
            accord.follow(position, entry);
            battles.retain(|(at, _)| at < keep);
            continue;
        }
        if matches!(entry, Entry::Written(_)) {
            continue;
        }
        if let Entry::Said(said) = entry {
            let over = battles.last().is_none_or(|(_, battle)| R::deciding(battle).is_none());
            let counts = |line: usize| battles.iter().any(|(at, _)| *at == line);
            accord.may(*said, counts, over).map_err(|why| unproved(why.to_owned()))?;
            accord.follow(position, entry);
            continue;
        }
        if accord.is_over() && matches!(entry, Entry::Chosen(_)) {
            return Err(unproved("the players had ended the battle".into()));
        }
        accord.follow(position, entry);
        let Some((_, battle)) = battles.last() else {
            return Err(unproved("nothing is left to go on from".into()));
        };
        let choices = battles.iter().filter(|(at, _)| matches!(log.entries[*at], Entry::Chosen(_))).count() as u64;
        let after = match entry {
            Entry::Chosen(chosen) if !chosen.breaches.is_empty() && begun.enforcement == Enforcement::Referee => {
                return Err(unproved("it breaks a rule, and the battle is refereed".into()));
            }
            Entry::Chosen(chosen) => {
                let before = log.hashes[position - 1];
                let inherited = begun.branched_from.is_some_and(|origin| position < origin.shared);
                let source = if inherited { &DiceSource::Typed } else { &begun.dice };
                prove_choice::<R>(battle, chosen, source, choices, before, &mut agreed).map_err(unproved)?
            }
            Entry::Adjusted(Adjusted { by: Hand::Player(_), .. }) if begun.enforcement != Enforcement::Sandbox => {
                return Err(unproved("a player has set something by hand, which is for the umpire".into()));
            }
            Entry::Adjusted(adjusted) => {
                let after = folded::<R>(battle.clone(), entry).map_err(|error| unproved(error.to_string()))?;
                if hash_of::<R>(&after) != adjusted.battle {
                    return Err(unproved("the adjustment leads to another battle than the log says".into()));
                }
                after
            }
            Entry::Begun(_) | Entry::Undone { .. } | Entry::Written(_) | Entry::Said(_) => {
                return Err(unproved("a battle begins once".into()));
            }
        };
        battles.push((position, after));
    }
    Ok(())
}

/// Whether these entries may be taken back by this hand: a player takes back the last thing he chose himself, before any
/// dice or anybody else's answer.
fn may_take_back<'a, E: 'a>(
    enforcement: Enforcement,
    by: Hand,
    mut taken: impl Iterator<Item = &'a Entry<E>>,
) -> Result<(), String> {
    let Hand::Player(side) = by else { return Ok(()) };
    match (taken.next(), taken.next()) {
        (Some(Entry::Chosen(chosen)), None) if chosen.side == side && !chosen.rolled() => Ok(()),
        (Some(Entry::Adjusted(_)), None) if enforcement == Enforcement::Sandbox => Ok(()),
        _ => Err(format!("side {side} takes back what is not its own to take back")),
    }
}

fn prove_choice<R: Ruleset>(
    battle: &R::Battle,
    chosen: &Chosen<R::Event>,
    source: &DiceSource,
    choices: u64,
    before: Hash,
    agreed: &mut Option<AgreedDice>,
) -> Result<R::Battle, String> {
    if R::deciding(battle) != Some(chosen.side) {
        return Err(format!("it was not for side {} to decide", chosen.side));
    }
    let lenient = !chosen.breaches.is_empty();
    let offer = find_offer::<R>(battle, &chosen.offer, lenient)?;
    if !lenient {
        let unit = R::measure(battle).unit();
        R::input(battle, &offer).check(&chosen.value, unit).map_err(|wrong| wrong.0)?;
    }
    let mut dice: Box<dyn Dice> = match source {
        DiceSource::Seeded(seed) => Box::new(Seeded::for_choice(*seed, choices)),
        DiceSource::Agreed(_) if !chosen.reveals.is_empty() => {
            let bound = bound_to(before, &chosen.offer, &chosen.value);
            if chosen.bound != Some(Hash::of(&[&bound])) {
                return Err("its secrets were not revealed for this choice".into());
            }
            let agreement = agreed.as_mut().ok_or("no dice were agreed on")?;
            Box::new(agreement.open(&chosen.reveals, &bound).map_err(|error| error.to_string())?)
        }
        DiceSource::Typed | DiceSource::Agreed(_) => Box::new(Scripted::new(faces(chosen))),
    };
    if matches!(source, DiceSource::Agreed(_)) && chosen.rolled() && chosen.reveals.is_empty() {
        return Err("dice were rolled and no secrets revealed for them".into());
    }
    let mut after = battle.clone();
    let mut happened = Vec::new();
    let mut play = Resolution::<R>::new(&mut after, &mut *dice).chronicled(&mut happened);
    if lenient {
        play = play.lenient();
    }
    let choice = Choice { offer, value: chosen.value.clone() };
    R::resolve(&mut play, &choice).map_err(|halt| format!("the rules do not allow '{}': {halt}", chosen.offer))?;
    if happened != chosen.happened {
        let differs = happened.iter().zip(&chosen.happened).position(|(ours, theirs)| ours != theirs);
        let n = differs.unwrap_or(happened.len().min(chosen.happened.len())) + 1;
        return Err(format!("'{}' comes to something else by the rules, from its {n}. happening on", chosen.offer));
    }
    if hash_of::<R>(&after) != chosen.battle {
        return Err("the battle afterwards is not the one the log says".into());
    }
    Ok(after)
}

fn find_offer<R: Ruleset>(battle: &R::Battle, key: &str, lenient: bool) -> Result<R::Offer, String> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    if lenient {
        let mut closed = Vec::new();
        R::closed(battle, &mut closed);
        offers.extend(closed.into_iter().map(|(offer, _)| offer));
    }
    let found = offers.into_iter().find(|offer| R::key(battle, offer) == key);
    found.ok_or_else(|| format!("the rules offer nothing called '{key}' here"))
}

fn faces<E>(chosen: &Chosen<E>) -> Vec<u8> {
    let rolls = chosen.happened.iter().filter_map(|one| match one {
        Happening::Roll(roll) => Some(&roll.faces),
        Happening::Event(_) => None,
    });
    rolls.flatten().copied().collect()
}
