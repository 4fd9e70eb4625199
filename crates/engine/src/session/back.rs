//! Taking back, setting by hand, and going on from an earlier moment.

use serde_json::Value as Json;

use super::choosing::is_for;
use super::present::Present;
use super::seen::{is_answer, sees_more};
use super::{Declined, Seat, Session, adjust, hash_of};
use crate::log::{Adjusted, DiceSource, Enforcement, Entry, Hand, Origin};
use crate::ruleset::Ruleset;

impl<R: Ruleset> Session<R> {
    /// Takes the last entry back for one of several players of a side: only what was for him to decide. Whose of the
    /// other side's players decided is nothing to him: `undo` tells him that the other side has.
    pub fn undo_by(&mut self, seat: Seat, player: &str) -> Result<String, Declined> {
        let count = self.count_taken_back(seat);
        let last = self.standing[self.now() - count];
        if let (Seat::Player(side), Entry::Chosen(chosen)) = (seat, &self.log.entries[last])
            && chosen.side == side
        {
            let before = self.battle_at(self.now() - count)?;
            let (offer, ..) = Present::<R>::of(&before).find(&before, &chosen.offer, true)?;
            is_for::<R>(&before, side, player, &offer)?;
        }
        self.undo(seat)
    }

    /// How many entries a seat would take back: the last, and with it those that standing instructions of the other side
    /// made in answer.
    fn count_taken_back(&self, seat: Seat) -> usize {
        let answers = self.standing.iter().rev().take_while(|position| match (&self.log.entries[**position], seat) {
            (Entry::Chosen(chosen), Seat::Player(side)) => chosen.side != side && chosen.standing && !chosen.rolled(),
            _ => false,
        });
        (answers.count() + 1).min(self.now())
    }

    /// Takes the last entry back, and with it what standing instructions of the other side let pass in answer where
    /// nothing could have come of it. It is free until dice were rolled or the other side has answered, by an instruction
    /// or by itself; the umpire may always.
    pub fn undo(&mut self, seat: Seat) -> Result<String, Declined> {
        let count = self.count_taken_back(seat);
        let last = self.standing[self.now() - count];
        let hand = match (seat, &self.log.entries[last]) {
            (Seat::Spectator, _) => return Err(Declined::Spectator),
            (Seat::Player(_), _) if self.deciding().is_none() && R::deciding(&self.battle).is_some() => {
                return Err(Declined::Over);
            }
            (_, Entry::Begun(_)) => return Err(Declined::NoUndo("nothing has been done yet")),
            (Seat::Umpire, _) => Hand::Umpire,
            (Seat::Player(side), Entry::Chosen(chosen)) if chosen.side == side => {
                if chosen.rolled() {
                    return Err(Declined::NoUndo("dice have been rolled since"));
                }
                for answer in self.now() - count + 1..self.now() {
                    if is_answer::<R>(&self.battle_at(answer)?) {
                        return Err(Declined::NoUndo("the other side has let it pass since"));
                    }
                }
                if sees_more::<R>(side, &self.battle_at(self.now() - count)?, &self.battle) {
                    return Err(Declined::NoUndo("something has been seen since that was hidden before"));
                }
                Hand::Player(side)
            }
            (Seat::Player(_), Entry::Chosen(_)) => return Err(Declined::NoUndo("the other side has decided since")),
            (Seat::Player(side), _) if self.begun().enforcement == Enforcement::Sandbox => Hand::Player(side),
            _ => return Err(Declined::NoUndo("the umpire has adjusted the battle since")),
        };
        self.take_back(last, hand)
    }

    /// Takes back everything from a line of the log on that counts (counted from 0).
    pub(super) fn take_back(&mut self, keep: usize, by: Hand) -> Result<String, Declined> {
        let now = self.standing.iter().position(|at| *at == keep).ok_or(Declined::NoEntry(keep))?;
        let before = self.battle_at(now)?;
        let line = self.write(Entry::Undone { keep, by })?;
        self.go_back(now, before);
        Ok(line)
    }

    /// So many entries count from now on, and the battle is what it was after them.
    pub(super) fn go_back(&mut self, now: usize, before: R::Battle) {
        self.standing.truncate(now);
        self.checkpoints.retain(|(count, _)| *count <= now);
        self.passed.retain(|passed| passed.moment <= now);
        self.stand(before);
    }

    /// Sets something by hand: a path into the battle as a scenario, such as `units.fr-1.staggers`.
    pub fn adjust(&mut self, seat: Seat, path: &str, to: Json, why: Option<String>) -> Result<String, Declined> {
        let by = match seat {
            Seat::Umpire => Hand::Umpire,
            Seat::Player(side) if self.begun().enforcement == Enforcement::Sandbox => Hand::Player(side),
            Seat::Player(_) => return Err(Declined::NotUmpire),
            Seat::Spectator => return Err(Declined::Spectator),
        };
        let (battle, from) = adjust::adjusted::<R>(&self.battle, path, &to).map_err(Declined::Adjustment)?;
        R::check(&battle).map_err(Declined::Broken)?;
        let hash = hash_of::<R>(&battle);
        let entry = Adjusted { by, path: path.to_owned(), from, to, why, battle: hash };
        let line = self.write(Entry::Adjusted(entry))?;
        self.stand(battle);
        self.keep_checkpoint(self.now());
        Ok(line)
    }

    /// A new battle that shares the first `moment` entries with this one, with its whole log.
    pub fn branch(&self, moment: usize, dice: Option<DiceSource>) -> Result<(Self, String), Declined> {
        if moment == 0 || moment > self.now() {
            return Err(Declined::NoEntry(moment));
        }
        let mut begun = self.begun().clone();
        begun.branched_from = Some(Origin { hash: self.log.hashes[self.standing[moment - 1]], shared: moment });
        begun.dice = match (dice, begun.dice) {
            (Some(dice), _) => dice,
            (None, DiceSource::Agreed(_)) => return Err(Declined::SecretsSpent),
            (None, dice) => dice,
        };
        let (mut branch, mut text) = Self::begin_with(begun).map_err(Declined::Adjustment)?;
        for position in &self.standing[1..moment] {
            let entry = self.log.entries[*position].clone();
            branch.fold(&entry)?;
            text += &branch.write(entry)?;
            branch.keep_checkpoint(branch.now());
        }
        Ok((branch, text))
    }
}
