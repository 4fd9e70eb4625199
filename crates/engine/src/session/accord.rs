//! What players settle between them: giving up, a draw, taking back what dice or the enemy have answered.
//!
//! Each word is a line of the log. None of them changes anything on the table; some of them end the battle.

use super::{Declined, Seat, Session};
use crate::clause::Clause;
use crate::ids::Side;
use crate::log::{Asked, Entry, Hand, Said, SaidView, Say};
use crate::ruleset::Ruleset;
use crate::view::Verdict;

/// In place of a clause, where no book but the players ended a battle.
pub const BY_ACCORD: Clause = Clause::new("ACCORD");

/// Where the players' dealings stand, read off the log line by line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Accord {
    /// What is asked for and not answered yet.
    asked: Option<Asked>,
    /// How the players ended the battle, and in which line (counted from 0).
    ended: Option<(usize, Verdict)>,
    /// Up to where a side may take back, as the other has just agreed.
    granted: Option<(Side, usize)>,
}

impl Accord {
    /// One more entry of the log.
    pub(super) fn follow<E>(&mut self, position: usize, entry: &Entry<E>) {
        self.granted = None;
        match entry {
            Entry::Said(said) => self.hear(position, *said),
            // Playing on is an answer, too: what the other side asked for lapses, and what was to be taken back is no
            // longer the last thing that happened.
            Entry::Chosen(chosen) if !chosen.standing => {
                let stays = |asked: &Asked| asked.by == chosen.side && asked.say == Say::OfferDraw;
                self.asked = self.asked.filter(stays);
            }
            Entry::Undone { keep, .. } => {
                self.asked = None;
                self.ended.take_if(|(at, _)| *at >= *keep);
            }
            Entry::Adjusted(_) => self.asked = None,
            Entry::Begun(_) | Entry::Chosen(_) | Entry::Written(_) => {}
        }
    }

    fn hear(&mut self, position: usize, said: Said) {
        let asked = self.asked.take();
        let ended =
            |winner: Option<Side>, sentence: String| Some((position, Verdict { winner, sentence, clause: BY_ACCORD }));
        match (said.say, said.by) {
            (Say::Resign, Hand::Player(side)) => {
                self.ended = ended(Some(side.other()), format!("Side {side} has given the battle up."));
            }
            (Say::OutOfTime(side), _) => {
                self.ended = ended(Some(side.other()), format!("Side {side} has no time left."));
            }
            (Say::OfferDraw | Say::AskBack, Hand::Player(by)) => {
                self.asked = Some(Asked { by, say: said.say, keep: said.keep });
            }
            (Say::Agree, _) => match asked {
                Some(Asked { say: Say::OfferDraw, .. }) => self.ended = ended(None, "Drawn by agreement.".into()),
                Some(Asked { by, keep: Some(keep), .. }) => self.granted = Some((by, keep)),
                _ => {}
            },
            _ => {}
        }
    }

    /// Whether this may be said now. `standing` are the lines that count; `over`, whether the book says it is over.
    pub(super) fn may(&self, said: Said, standing: impl Fn(usize) -> bool, over: bool) -> Result<(), &'static str> {
        if over || self.ended.is_some() {
            return Err("the battle is over");
        }
        let Hand::Player(side) = said.by else {
            let keeper = matches!(said.say, Say::OutOfTime(_));
            return if keeper { Ok(()) } else { Err("that is for the players to settle between them") };
        };
        let theirs = self.asked.is_some_and(|asked| asked.by != side);
        match said.say {
            Say::Resign => Ok(()),
            Say::OutOfTime(_) => Err("a player does not keep the clock"),
            Say::OfferDraw | Say::AskBack if self.asked.is_some() => Err("something is asked for already"),
            Say::OfferDraw => Ok(()),
            Say::AskBack => match said.keep {
                Some(keep) if keep > 0 && standing(keep) => Ok(()),
                _ => Err("there is nothing to take back"),
            },
            Say::Agree | Say::Refuse if theirs => Ok(()),
            Say::Withdraw if self.asked.is_some() && !theirs => Ok(()),
            Say::Agree | Say::Refuse | Say::Withdraw => Err("nothing of the kind is asked for"),
        }
    }

    /// Whether the players have ended the battle.
    pub(super) fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Whether a side may take back everything from a line on.
    pub(super) fn grants(&self, side: Side, keep: usize) -> bool {
        self.granted == Some((side, keep))
    }
}

impl<R: Ruleset> Session<R> {
    /// Who decides now; nobody once the battle is over, by the book or by the players.
    #[must_use]
    pub fn deciding(&self) -> Option<Side> {
        R::deciding(&self.battle).filter(|_| self.accord.ended.is_none())
    }

    /// How the battle ended, once it has.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let agreed = self.accord.ended.as_ref().map(|(_, verdict)| verdict.clone());
        agreed.or_else(|| R::verdict(&self.battle))
    }

    /// What a side asks of the other, and what it would take back: the moment that would be the last.
    #[must_use]
    pub fn asked(&self) -> Option<SaidView> {
        let asked = self.accord.asked?;
        let moment = asked.keep.and_then(|keep| self.standing.iter().position(|at| *at == keep));
        Some(SaidView {
            line: self.log.entries.len(),
            moment: moment.unwrap_or_else(|| self.now()),
            by: Hand::Player(asked.by),
            say: asked.say,
        })
    }

    /// All that was said from a line of the log on (counted from 0).
    #[must_use]
    pub fn said(&self, from_line: usize) -> Vec<SaidView> {
        let mut standing: Vec<usize> = Vec::new();
        let mut all = Vec::new();
        for (position, entry) in self.log.entries.iter().enumerate() {
            match entry {
                Entry::Undone { keep, .. } => standing.retain(|at| at < keep),
                Entry::Said(Said { by, say, .. }) => {
                    let (line, moment) = (position + 1, standing.len());
                    all.extend((position >= from_line).then_some(SaidView { line, moment, by: *by, say: *say }));
                }
                Entry::Written(_) => {}
                _ => standing.push(position),
            }
        }
        all
    }

    /// A seat gives up, asks or answers. Agreeing to a taking back takes back.
    pub fn say(&mut self, seat: Seat, say: Say) -> Result<Vec<String>, Declined> {
        let by = match seat {
            Seat::Spectator => return Err(Declined::Spectator),
            Seat::Umpire => Hand::Umpire,
            Seat::Player(side) => Hand::Player(side),
        };
        let keep = match (say, seat) {
            (Say::AskBack, Seat::Player(side)) => self.last_of(side),
            _ => None,
        };
        let said = Said { by, say, keep };
        let over = R::deciding(&self.battle).is_none();
        self.accord.may(said, |at| self.standing.contains(&at), over).map_err(Declined::NotSaid)?;
        let mut lines = vec![self.write(Entry::Said(said))?];
        if let Some((side, keep)) = self.accord.granted {
            lines.push(self.take_back(keep, Hand::Player(side))?);
        }
        Ok(lines)
    }

    /// The line of the last choice that a side made itself.
    fn last_of(&self, side: Side) -> Option<usize> {
        let own = |at: &usize| matches!(&self.log.entries[*at], Entry::Chosen(chosen) if chosen.side == side && !chosen.standing);
        self.standing.iter().copied().rev().find(own)
    }
}
