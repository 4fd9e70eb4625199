//! Dice that nobody could have chosen, the host included.
//!
//! Before the battle each party (side A, side B, the host) makes a chain of secrets, each the hash of the next, and
//! publishes only the first link: its commitment. Whenever a choice needs dice, every party reveals its next link. The
//! others check that it hashes to the link before; the dice are drawn from all three links together with the log so far.
//! Each link was fixed before the first choice, so nobody can bend a roll; and nobody can foresee one, since the dice
//! need every party's link and the links are asked for only once the choice has been written down.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Seeded;
use crate::ids::Side;

/// One of those who agree on the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Party {
    /// Side A.
    A,
    /// Side B.
    B,
    /// Whoever runs the battle.
    Host,
}

impl Party {
    /// All parties, in order.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::Host];
}

impl From<Side> for Party {
    fn from(side: Side) -> Self {
        match side {
            Side::A => Self::A,
            Side::B => Self::B,
        }
    }
}

macro_rules! hash_value {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(pub [u8; 32]);

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                hex::encode(value.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let mut bytes = [0; 32];
                hex::decode_to_slice(&text, &mut bytes).map_err(|error| format!("not 64 hexadecimal digits: {error}"))?;
                Ok(Self(bytes))
            }
        }
    };
}

hash_value!(
    /// The published first link of a party's chain.
    Commitment
);
hash_value!(
    /// A link of a party's chain, revealed for one choice.
    Reveal
);

/// A party's own chain of secrets. It never leaves the party but link by link.
#[derive(Clone)]
pub struct SecretChain {
    /// `links[0]` is the commitment, `links[n]` the reveal for the nth choice that needs dice.
    links: Vec<[u8; 32]>,
}

impl SecretChain {
    /// A chain for up to `choices` choices, from a secret that the party alone knows.
    #[must_use]
    pub fn new(secret: [u8; 32], choices: usize) -> Self {
        let mut links = Vec::with_capacity(choices + 1);
        links.push(hash(&[&secret]));
        for n in 0..choices {
            links.push(hash(&[&links[n]]));
        }
        links.reverse();
        Self { links }
    }

    /// What is published before the battle.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment(self.links[0])
    }

    /// The link for the `n`th choice with dice, counted from 1; nothing when the chain is used up.
    #[must_use]
    pub fn reveal(&self, n: usize) -> Option<Reveal> {
        (n > 0).then(|| self.links.get(n).copied().map(Reveal)).flatten()
    }
}

impl std::fmt::Debug for SecretChain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretChain({} links)", self.links.len())
    }
}

/// Why reveals do not give dice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenAgreement {
    /// A party has not revealed its link yet.
    #[error("{0:?} has not revealed its secret for this roll")]
    Missing(Party),
    /// A link does not belong to the chain committed to.
    #[error("the secret revealed by {0:?} does not belong to what it committed to before the battle")]
    Forged(Party),
}

/// The state of an agreement: the last link seen of each party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedDice {
    last: BTreeMap<Party, Commitment>,
}

impl AgreedDice {
    /// An agreement between all three parties.
    pub fn new(commitments: &BTreeMap<Party, Commitment>) -> Result<Self, BrokenAgreement> {
        match Party::ALL.iter().find(|party| !commitments.contains_key(party)) {
            Some(party) => Err(BrokenAgreement::Missing(*party)),
            None => Ok(Self { last: commitments.clone() }),
        }
    }

    /// Checks the reveals of one choice and makes its dice from them and the log up to and including the choice.
    pub fn open(&mut self, reveals: &BTreeMap<Party, Reveal>, log_so_far: &[u8]) -> Result<Seeded, BrokenAgreement> {
        let links = self.pass(reveals)?;
        Ok(Seeded::from_bytes(hash(&[&links, log_so_far])))
    }

    /// Checks the reveals of one choice and moves on to the next links. The links themselves, one after the other.
    pub fn pass(&mut self, reveals: &BTreeMap<Party, Reveal>) -> Result<Vec<u8>, BrokenAgreement> {
        let mut links = Vec::new();
        for party in Party::ALL {
            let reveal = reveals.get(&party).ok_or(BrokenAgreement::Missing(party))?;
            if self.last.get(&party).map(|last| last.0) != Some(hash(&[&reveal.0])) {
                return Err(BrokenAgreement::Forged(party));
            }
            links.extend(reveal.0);
        }
        for (party, reveal) in reveals {
            self.last.insert(*party, Commitment(reveal.0));
        }
        Ok(links)
    }
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Die, Throw};

    fn chains() -> BTreeMap<Party, SecretChain> {
        Party::ALL.iter().map(|party| (*party, SecretChain::new([*party as u8; 32], 3))).collect()
    }

    fn reveals(chains: &BTreeMap<Party, SecretChain>, n: usize) -> BTreeMap<Party, Reveal> {
        chains.iter().map(|(party, chain)| (*party, chain.reveal(n).unwrap())).collect()
    }

    fn agreement(chains: &BTreeMap<Party, SecretChain>) -> AgreedDice {
        AgreedDice::new(&chains.iter().map(|(party, chain)| (*party, chain.commitment())).collect()).unwrap()
    }

    #[test]
    fn anyone_who_sees_the_reveals_makes_the_same_dice() {
        let chains = chains();
        let (mut host, mut checker) = (agreement(&chains), agreement(&chains));
        for n in 1..=3 {
            let links = reveals(&chains, n);
            let throw = Throw::sum(6, Die::D10);
            let rolled = host.open(&links, b"log").unwrap().throw(&throw);
            assert_eq!(rolled, checker.open(&links, b"log").unwrap().throw(&throw));
        }
        assert_eq!(chains[&Party::A].reveal(4), None, "the chain is used up");
    }

    #[test]
    fn a_link_that_was_not_committed_to_is_found_out() {
        let chains = chains();
        let mut links = reveals(&chains, 1);
        links.insert(Party::Host, Reveal([9; 32]));
        let mut agreement = agreement(&chains);
        assert_eq!(agreement.open(&links, b"").unwrap_err(), BrokenAgreement::Forged(Party::Host));
        assert!(agreement.open(&reveals(&chains, 1), b"").is_ok(), "a forged link uses up nothing");
        assert!(agreement.open(&reveals(&chains, 1), b"").is_err(), "a link serves once");
    }

    #[test]
    fn every_party_and_the_log_bear_on_the_dice() {
        let chains = chains();
        let dice = |log: &[u8]| agreement(&chains).open(&reveals(&chains, 1), log).unwrap().bits();
        assert_ne!(dice(b"one choice"), dice(b"another"));
        let mut missing = reveals(&chains, 1);
        missing.remove(&Party::B);
        assert_eq!(agreement(&chains).open(&missing, b"").unwrap_err(), BrokenAgreement::Missing(Party::B));
    }
}
