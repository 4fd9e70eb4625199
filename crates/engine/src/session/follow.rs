//! Following a battle that is fought elsewhere: what was added to its log is read and applied, and nothing before it.

use super::{Declined, Order, ResumeError, Session, adjust, folded};
use crate::log::{Entry, whole_lines};
use crate::ruleset::Ruleset;

impl<R: Ruleset> Session<R> {
    /// Reads the lines that another program has added to the log, each checked against the hash of the one before it, and applies their
    /// events. At the first that does not fit it stops, and the battle is as the lines before left it.
    ///
    /// What was let pass, and the standing instructions that ended, are followed as well: a seat that is asked quietly is not asked again.
    pub fn follow(&mut self, added: &[u8]) -> Result<(), ResumeError> {
        for line in whole_lines(added) {
            let (entry, hash) = self.log.next(line)?;
            let position = self.log.entries.len();
            self.go_on(&entry).map_err(|why| ResumeError::Entry(position + 1, why.to_string()))?;
            self.accord.follow(position, &entry);
            if !matches!(entry, Entry::Undone { .. } | Entry::Written(_) | Entry::Said(_)) {
                self.standing.push(position);
                self.keep_checkpoint(self.now());
            }
            self.log.admit(entry, hash, line.len());
        }
        Ok(())
    }

    /// The battle after one more entry; where it cannot be applied, nothing has changed.
    fn go_on(&mut self, entry: &Entry<R::Event>) -> Result<(), Declined> {
        match entry {
            Entry::Chosen(chosen) => {
                let after = folded::<R>(self.battle.clone(), entry)?;
                if let (Some(agreed), Some(reveals)) = (&mut self.agreed, entry.reveals()) {
                    agreed.pass(reveals)?;
                }
                let order = Order { offer: chosen.offer.clone(), ..Order::default() };
                let passing = if chosen.standing { None } else { self.passing(&order) };
                // The seat that chose has told of those that ended.
                self.lapsing(&chosen.happened, &after);
                self.passed.extend(passing);
                self.stand(after);
            }
            Entry::Adjusted(adjusted) => {
                let (battle, _) =
                    adjust::adjusted::<R>(&self.battle, &adjusted.path, &adjusted.to).map_err(Declined::Adjustment)?;
                self.stand(battle);
            }
            Entry::Undone { keep, .. } => {
                let now = self.standing.iter().take_while(|at| *at < keep).count();
                let before = self.battle_at(now)?;
                self.go_back(now, before);
            }
            Entry::Begun(_) | Entry::Written(_) | Entry::Said(_) => {}
        }
        Ok(())
    }
}
