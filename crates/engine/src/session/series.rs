//! Several choices in one message.

use super::{Declined, Order, Seat, Session};
use crate::log::Entry;
use crate::offer::Halt;
use crate::protocol::{SeriesDone, SeriesStopped, Step, StoppedBy};
use crate::ruleset::Ruleset;

/// No series is longer.
const LONGEST: usize = 500;

impl<R: Ruleset> Session<R> {
    /// Makes choices one after the other until one is refused, the other side decides, or dice have fallen (unless it is
    /// to go on then). What the first choice needs beside its value comes with `first`, of which the player holds for all.
    /// If the first is not made, nothing is.
    pub fn series(
        &mut self,
        seat: Seat,
        choices: &[Step],
        first: &Order,
        through_dice: bool,
    ) -> Result<(Vec<String>, SeriesDone), Declined> {
        if choices.is_empty() || choices.len() > LONGEST {
            return Err(Declined::NoSeries(LONGEST));
        }
        let side = self.deciding();
        let mut lines = Vec::new();
        for (done, step) in choices.iter().enumerate() {
            let stopped = |by: StoppedBy, sentence: &str| {
                let stopped = SeriesStopped { by, sentence: sentence.to_owned(), clause: None };
                SeriesDone { done, stopped: Some(stopped) }
            };
            let mut order = Order { player: first.player.clone(), ..Order::default() };
            if done == 0 {
                order = first.clone();
            } else if self.deciding().is_none() {
                return Ok((lines, stopped(StoppedBy::Over, "the battle is over")));
            } else if self.deciding() != side {
                return Ok((lines, stopped(StoppedBy::Answered, "it is for the other side to decide now")));
            } else if !through_dice && self.has_rolled_since(lines.len()) {
                return Ok((lines, stopped(StoppedBy::Thrown, "dice have fallen: look before you go on")));
            }
            (order.offer, order.value) = (step.offer.clone(), step.value.clone());
            match self.choose(seat, &order) {
                Ok(more) => lines.extend(more),
                Err(declined) if done == 0 => return Err(declined),
                Err(Declined::Dice(wanted)) => {
                    return Ok((lines, stopped(StoppedBy::Dice, &format!("throw {}", wanted.throw))));
                }
                Err(Declined::Halt(Halt::Refused(refusal))) => {
                    let (sentence, clause) = (refusal.sentence, Some(refusal.clause));
                    let stopped = SeriesStopped { by: StoppedBy::Refused, sentence, clause };
                    return Ok((lines, SeriesDone { done, stopped: Some(stopped) }));
                }
                Err(declined) => return Ok((lines, stopped(StoppedBy::Refused, &declined.to_string()))),
            }
        }
        Ok((lines, SeriesDone { done: choices.len(), stopped: None }))
    }

    /// Whether dice fell in the latest entries.
    fn has_rolled_since(&self, entries: usize) -> bool {
        let latest = self.log.entries.iter().rev().take(entries);
        latest.into_iter().any(|entry| matches!(entry, Entry::Chosen(chosen) if chosen.rolled()))
    }
}
