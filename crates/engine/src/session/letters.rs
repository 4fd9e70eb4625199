//! Letters: what players of a side write to each other, and to and from the umpire.

use super::{Declined, Seat, Session};
use crate::eyes::{Addressee, Letter, LetterView};
use crate::log::{Entry, Hand};
use crate::offer::Halt;
use crate::ruleset::Ruleset;

/// The longest letter in characters.
const LONGEST_LETTER: usize = 2_000;

impl<R: Ruleset> Session<R> {
    /// Sends a letter; it becomes a line of the log and changes nothing in the battle.
    ///
    /// A player writes to the umpire, or to another player of their side as far as the rules let them; the umpire
    /// writes to a side or to one of its players.
    pub fn write_letter(
        &mut self,
        seat: Seat,
        from: Option<String>,
        to: Addressee,
        text: &str,
    ) -> Result<String, Declined> {
        let by = match seat {
            Seat::Spectator => return Err(Declined::Spectator),
            Seat::Umpire => Hand::Umpire,
            Seat::Player(side) => Hand::Player(side),
        };
        let letter = Letter { by, from, to, text: text.trim().to_owned() };
        may_send::<R>(&self.battle, &letter)?;
        self.write(Entry::Written(letter))
    }

    /// Whether a seat may read a letter: its writer, its reader, the umpire; everybody once the battle is over.
    fn reads(&self, seat: Seat, letter: &Letter) -> bool {
        let Seat::Player(side) = seat else {
            return seat == Seat::Umpire || self.deciding().is_none();
        };
        let addressed = match &letter.to {
            Addressee::Umpire => false,
            Addressee::Side(to) => *to == side,
            Addressee::Player(name) => letter.by == Hand::Umpire && R::players(&self.battle, side).contains(name),
        };
        letter.by == Hand::Player(side) || addressed || self.deciding().is_none()
    }

    /// The letters from a line of the log on (counted from 0) that a seat may read.
    #[must_use]
    pub fn letters(&self, seat: Seat, from_line: usize) -> Vec<LetterView> {
        let mut standing = Vec::new();
        let mut letters = Vec::new();
        for (position, entry) in self.log.entries.iter().enumerate() {
            match entry {
                Entry::Undone { keep, .. } => standing.retain(|position| position < keep),
                Entry::Written(letter) if position >= from_line && self.reads(seat, letter) => {
                    letters.push(LetterView { line: position + 1, moment: standing.len(), letter: letter.clone() });
                }
                Entry::Written(_) | Entry::Said(_) => {}
                _ => standing.push(position),
            }
        }
        letters
    }

    pub(super) fn has_letters_not_for(&self, seat: Seat) -> bool {
        let not_for = |entry: &Entry<R::Event>| matches!(entry, Entry::Written(letter) if !self.reads(seat, letter));
        self.log.entries.iter().any(not_for)
    }
}

/// Whether a letter may be sent as the battle stands.
pub(super) fn may_send<R: Ruleset>(battle: &R::Battle, letter: &Letter) -> Result<(), Declined> {
    let Letter { by, from, to, text } = letter;
    let printable = |letter: char| !letter.is_control() || letter == '\n';
    if text.trim() != text || text.is_empty() || text.chars().count() > LONGEST_LETTER || !text.chars().all(printable) {
        return Err(Declined::Unsent("a letter has between 1 and 2000 characters"));
    }
    let names = |side| R::players(battle, side);
    match (by, to) {
        (Hand::Player(side), to) => {
            let players = names(*side);
            if from.as_ref().is_some_and(|from| !players.contains(from)) {
                return Err(Declined::Unsent("the side has no such player to write it"));
            }
            match to {
                Addressee::Umpire => Ok(()),
                Addressee::Side(_) => {
                    Err(Declined::Unsent("players write to players of their own side, and to the umpire"))
                }
                Addressee::Player(reader) => {
                    let Some(from) = from else { return Err(Declined::Unsent("which player writes?")) };
                    if !players.contains(reader) || reader == from {
                        return Err(Declined::Unsent("the side has no such other player"));
                    }
                    Ok(R::may_write(battle, *side, from, reader).map_err(Halt::Refused)?)
                }
            }
        }
        (Hand::Umpire, _) if from.is_some() => Err(Declined::Unsent("the umpire writes in his own name")),
        (Hand::Umpire, Addressee::Umpire) => Err(Declined::Unsent("nobody writes to himself")),
        (Hand::Umpire, Addressee::Player(reader)) => {
            let known = crate::ids::Side::BOTH.into_iter().any(|side| names(side).contains(reader));
            known.then_some(()).ok_or(Declined::Unsent("there is no such player"))
        }
        (Hand::Umpire, Addressee::Side(_)) => Ok(()),
    }
}
