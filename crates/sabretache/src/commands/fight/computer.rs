//! Computer players at the terminal: they decide, advise, and finish a battle.

use std::io::BufRead;

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::log::Say;
use sabretache_engine::protocol::Request;
use sabretache_engine::session::{Order, Seat};
use sabretache_players::Skill;
use sabretache_players::contest::program_seed;
use sabretache_players::fight::own_chance;
use sabretache_players::program::{Chosen, FaultKind, Seated};
use serde_json::Value as Json;

use super::{Battle, Next};
use crate::cli::Player;
use crate::commands::print;
use crate::failure::{Failure, bad};

/// How often a computer player whose choice is refused may choose again, at random.
const TRIES: u32 = 32;

/// The seed of the dice of a logged battle; 0 where the dice have none.
pub(super) fn seed_of(log: &str) -> u64 {
    let first: Option<Json> = log.lines().next().and_then(|line| serde_json::from_str(line).ok());
    first.and_then(|line| line.pointer("/entry/begun/dice/seeded")?.as_u64()).unwrap_or(0)
}

impl Battle {
    /// A computer player decides; where real dice are typed in, they are asked for.
    ///
    /// Its chance is that of a battle of the laboratory with the same seed, so that any of those can be watched here.
    pub(super) fn computer(&mut self, side: Side, skill: Skill, input: &mut impl BufRead) -> Result<Next, Failure> {
        let moment = self.session.now();
        let mut random = own_chance(self.seed, side, moment as u64 - 1);
        let mut order = if skill.program().is_some() {
            match self.program(side, &mut random)? {
                Some(order) => Some(order),
                None => return Ok(Next::On),
            }
        } else if self.reasons {
            let advice = self.computers.advise(&*self.session, skill, &mut random);
            if let Some(advice) = &advice {
                print(&format!("      {} ({}): {}\n", skill.title(), side, advice.text))?;
            }
            advice.map(|advice| Order { offer: advice.offer, value: advice.value, ..Order::default() })
        } else {
            self.computers.order(&*self.session, skill, &mut random)
        };
        for _ in 0..TRIES {
            let Some(Order { offer, value, .. }) = order else { break };
            let request = Request::Choose {
                offer,
                value,
                moment: None,
                dice: Vec::new(),
                reveals: Default::default(),
                despite: false,
                player: None,
                whole: false,
            };
            if matches!(self.choose(request, input)?, Next::Quit) {
                return Ok(Next::Quit);
            }
            if self.session.now() != moment {
                return Ok(Next::On);
            }
            order = self.session.random_order(&mut random);
        }
        Err(bad(format!("side {side} found nothing that the rules allow")))
    }

    /// What a program chooses; nothing where it has given the battle up, or lost it by failing once too often.
    fn program(&mut self, side: Side, random: &mut Seeded) -> Result<Option<Order>, Failure> {
        let Some(seated) = &mut self.seats[side.index()] else { return Ok(None) };
        // It chooses in a copy: the dice of the battle may be real ones.
        let chosen = seated.decide(&mut *self.session.fork(), program_seed(random), Some(self.seed));
        let why = match chosen {
            Ok(Chosen { order: Some(order), text, .. }) => {
                if let Some(text) = text.filter(|_| self.reasons) {
                    print(&format!("      ({side}): {text}\n"))?;
                }
                return Ok(Some(order));
            }
            Ok(Chosen { order: None, .. }) => "it gives up".into(),
            Err(fault) if fault.kind == FaultKind::Start => return Err(bad(fault)),
            Err(fault) => fault.to_string(),
        };
        print(&format!("The program of side {side} has lost: {why}\n"))?;
        let reply = self.session.answer(Seat::Player(side), &Request::Say { say: Say::Resign });
        self.keep(&reply)?;
        Ok(None)
    }

    /// The programs are told that it is over, or left.
    pub(super) fn leave(&mut self) {
        for seated in self.seats.iter_mut().filter_map(Option::take) {
            seated.leave(&*self.session);
        }
    }

    /// What a player would do now, and why.
    pub(super) fn advice(&self, player: &str) -> String {
        let skill = match named(player) {
            Ok(skill) => skill,
            Err(why) => return why,
        };
        let Some(side) = self.session.deciding() else { return "Nobody decides now.\n".into() };
        let mut random = own_chance(self.seed, side, self.session.now() as u64 - 1);
        let Some(advice) = self.computers.advise(&*self.session, skill, &mut random) else {
            return "There is nothing to choose.\n".into();
        };
        let decision = self.session.decision(false);
        let number = decision.offers.iter().position(|offer| offer.key == advice.offer).map_or(0, |n| n + 1);
        let mut text = format!("{} would choose {number}: {}\n", skill.title(), advice.action);
        for one in advice.expects.iter().take(6) {
            let chance = one.exactly.as_ref().map_or_else(String::new, |exactly| format!(" ({exactly})"));
            text +=
                &format!("  {:>5.1} %{chance}  {} ({:+.0} points)\n", 100.0 * one.probability, one.outcome, one.points);
        }
        for fear in &advice.fears {
            text += &format!("  fears: {fear}\n");
        }
        for instead in &advice.instead {
            text += &format!("  instead: {instead}\n");
        }
        text
    }

    /// From now on a computer player decides for every person.
    pub(super) fn hand_over(&mut self, player: &str) -> String {
        match named(player) {
            Ok(skill) => {
                for player in &mut self.players {
                    if *player == Player::Person {
                        *player = Player::Computer(skill);
                    }
                }
                format!("{} fights on.\n", skill.title())
            }
            Err(why) => why,
        }
    }
}

/// A seat for each program that plays.
pub(super) fn seats(players: [Player; 2]) -> [Option<Seated>; 2] {
    Side::BOTH.map(|side| match players[side.index()] {
        Player::Computer(skill) => skill.program().map(|program| Seated::new(program, side)),
        Player::Person => None,
    })
}

/// The player of this name; the Drill-master when none is named.
fn named(player: &str) -> Result<Skill, String> {
    if player.is_empty() { Ok(Skill::DrillMaster) } else { player.parse().map_err(|error| format!("{error}\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_stands_in_the_first_line() {
        assert_eq!(seed_of(r#"{"entry":{"begun":{"dice":{"seeded":7}}},"hash":"00"}"#), 7);
        assert_eq!(seed_of(r#"{"entry":{"begun":{"dice":"typed"}}}"#), 0);
        assert_eq!(seed_of("nonsense"), 0);
    }
}
