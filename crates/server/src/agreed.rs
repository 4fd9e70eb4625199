//! Agreed dice: the parley before a battle, and the secrets revealed for each choice.
//!
//! Both sides and the server commit to a chain of secrets each before there is a battle. A choice that needs dice is
//! written down first and waits; then each side reveals its next link, the server adds its own last, and the engine makes
//! the dice from all three. A link that does not belong to its chain is found out, and asked for again.

use std::collections::BTreeMap;

use sabretache_engine::dice::{Commitment, Party, Reveal, SecretChain};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{Enforcement, Hash};
use sabretache_engine::protocol::Request;
use sabretache_engine::session::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::messages::SeatName;

/// So many choices with dice a chain lasts for; the browsers make chains of the same length.
pub(crate) const CHOICES: usize = 4_096;

/// A battle whose dice are not agreed on yet.
#[derive(Clone, Debug)]
pub(crate) struct Parley {
    /// The scenario as it will be fought.
    pub(crate) scenario: String,
    /// How far the rules will be enforced.
    pub(crate) enforcement: Enforcement,
    /// The server's own secret.
    pub(crate) host: [u8; 32],
    /// What A and B committed to.
    pub(crate) commitments: [Option<Commitment>; 2],
    /// Whether the battle lies on the table.
    pub(crate) begun: bool,
}

impl Parley {
    /// All three commitments, once both sides have made theirs.
    pub(crate) fn agreed(&self) -> Option<BTreeMap<Party, Commitment>> {
        let [a, b] = self.commitments;
        let host = SecretChain::new(self.host, CHOICES).commitment();
        Some(BTreeMap::from([(Party::A, a?), (Party::B, b?), (Party::Host, host)]))
    }
}

/// The page of a battle that a choice waits on for its dice.
pub(crate) const ROLLING: &str = "rolling";

/// A choice that waits for its dice. It is kept beside the log, so that neither a restart nor an idle hour loses it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rolling {
    seat: SeatName,
    request: Request,
    /// Which choice with dice it is, counted from 1.
    pub(crate) n: usize,
    /// The hash of the log so far and the choice: every link is revealed for it and for nothing else.
    pub(crate) bound: Hash,
    links: BTreeMap<Party, Reveal>,
}

impl Rolling {
    /// The choice is written down; nothing else is decided until its dice have fallen.
    pub(crate) fn new(seat: Seat, request: Request, n: usize, bound: Hash) -> Self {
        Self { seat: seat.into(), request, n, bound, links: BTreeMap::new() }
    }

    /// As it is kept.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A side reveals its link for the choice of this hash. The first word counts.
    pub(crate) fn reveal(&mut self, side: Side, link: Reveal, bound: Hash) -> Result<(), String> {
        if bound != self.bound {
            return Err("that link was revealed for another choice".into());
        }
        self.links.entry(side.into()).or_insert(link);
        Ok(())
    }

    /// The side whose link is waited for; of two, the one that did not choose.
    pub(crate) fn owing(&self) -> Option<Side> {
        let chose = Side::BOTH.into_iter().find(|side| SeatName::from(*side) == self.seat).unwrap_or(Side::A);
        [chose.other(), chose].into_iter().find(|side| !self.links.contains_key(&Party::from(*side)))
    }

    /// Takes back a link that did not belong to its chain; which cannot be told apart, so both are asked for again.
    pub(crate) fn ask_again(&mut self) {
        self.links.clear();
    }

    /// The choice with its dice, once both sides have revealed; the server's link comes last.
    pub(crate) fn ready(&self, host: [u8; 32]) -> Option<(Seat, Request)> {
        if self.links.len() < 2 {
            return None;
        }
        let mut links = self.links.clone();
        links.insert(Party::Host, SecretChain::new(host, CHOICES).reveal(self.n)?);
        match self.request.clone() {
            Request::Choose { offer, value, moment, dice, despite, player, whole, .. } => {
                let reveals = links;
                let request = Request::Choose { offer, value, moment, dice, reveals, despite, player, whole };
                Some((self.seat.into(), request))
            }
            _ => None,
        }
    }
}

/// How many choices of a log had agreed dice, those taken back included: their links are spent.
pub(crate) fn spent(log: &str) -> usize {
    let revealed = |line: &&str| {
        let line: Option<Json> = serde_json::from_str(line).ok();
        line.is_some_and(|line| line.pointer("/entry/chosen/reveals").is_some())
    };
    log.lines().filter(revealed).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_s_link_comes_last_and_the_first_word_counts() {
        let choose = Request::Choose {
            offer: "fire".into(),
            value: Default::default(),
            moment: Some(3),
            dice: Vec::new(),
            reveals: BTreeMap::new(),
            despite: false,
            player: None,
            whole: false,
        };
        let bound = Hash([7; 32]);
        let mut rolling = Rolling::new(Seat::Player(Side::A), choose, 1, bound);
        assert!(rolling.reveal(Side::A, Reveal([2; 32]), Hash([8; 32])).is_err(), "it names another choice");
        rolling.reveal(Side::A, Reveal([1; 32]), bound).unwrap();
        rolling.reveal(Side::A, Reveal([2; 32]), bound).unwrap();
        assert!(rolling.ready([9; 32]).is_none(), "B has not revealed");
        rolling.reveal(Side::B, Reveal([3; 32]), bound).unwrap();
        let mut rolling: Rolling = serde_json::from_str(&rolling.text()).unwrap();
        let Some((_, Request::Choose { reveals, .. })) = rolling.ready([9; 32]) else { panic!("ready") };
        assert_eq!(reveals[&Party::A], Reveal([1; 32]));
        assert_eq!(Some(reveals[&Party::Host]), SecretChain::new([9; 32], CHOICES).reveal(1));
        rolling.ask_again();
        assert!(rolling.ready([9; 32]).is_none());
    }

    #[test]
    fn links_of_choices_that_were_taken_back_are_spent_too() {
        let log =
            "{\"entry\":{\"chosen\":{\"reveals\":{}}}}\n{\"entry\":{\"chosen\":{}}}\n{\"entry\":{\"undone\":{}}}\n";
        assert_eq!(spent(log), 1);
    }
}
