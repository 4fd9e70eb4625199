//! What has been worked out about the present decision, once: offers, their keys and inputs, and what is closed.

use std::sync::OnceLock;

use super::{Declined, Session};
use crate::offer::{Halt, Input, Refusal};
use crate::ruleset::Ruleset;

/// An offer under its key, and its input once that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Known<O> {
    pub(crate) key: String,
    pub(crate) offer: O,
    input: OnceLock<Input>,
}

impl<O> Known<O> {
    fn of<R: Ruleset<Offer = O>>(battle: &R::Battle, offer: O) -> Self {
        Self { key: R::key(battle, &offer), offer, input: OnceLock::new() }
    }

    /// What it needs to be told.
    pub(crate) fn input<R: Ruleset<Offer = O>>(&self, battle: &R::Battle) -> &Input {
        self.input.get_or_init(|| R::input(battle, &self.offer))
    }
}

/// The present decision, as far as anybody has asked about it.
#[derive(Debug)]
pub(crate) struct Present<R: Ruleset> {
    open: Vec<Known<R::Offer>>,
    closed: OnceLock<Vec<(Known<R::Offer>, Refusal)>>,
}

impl<R: Ruleset> Clone for Present<R> {
    fn clone(&self) -> Self {
        Self { open: self.open.clone(), closed: self.closed.clone() }
    }
}

impl<R: Ruleset> Present<R> {
    /// What may be done on a battle.
    pub(crate) fn of(battle: &R::Battle) -> Self {
        let mut offers = Vec::new();
        R::offers(battle, &mut offers);
        let open = offers.into_iter().map(|offer| Known::of::<R>(battle, offer));
        Self { open: open.collect(), closed: OnceLock::new() }
    }

    /// What may be chosen.
    pub(crate) fn open(&self) -> &[Known<R::Offer>] {
        &self.open
    }

    /// What may not, and why.
    pub(crate) fn closed(&self, battle: &R::Battle) -> &[(Known<R::Offer>, Refusal)] {
        self.closed.get_or_init(|| {
            let mut closed = Vec::new();
            R::closed(battle, &mut closed);
            closed.into_iter().map(|(offer, refusal)| (Known::of::<R>(battle, offer), refusal)).collect()
        })
    }

    /// What is offered under a key, with its input; what the rules forbid, with the rule, where that is let pass.
    pub(crate) fn find(
        &self,
        battle: &R::Battle,
        key: &str,
        lenient: bool,
    ) -> Result<(R::Offer, Vec<Refusal>, &Input), Declined> {
        if let Some(known) = self.open.iter().find(|known| known.key == key) {
            return Ok((known.offer.clone(), Vec::new(), known.input::<R>(battle)));
        }
        match self.closed(battle).iter().find(|(known, _)| known.key == key) {
            Some((known, refusal)) if lenient && !refusal.impossible => {
                Ok((known.offer.clone(), vec![refusal.clone()], known.input::<R>(battle)))
            }
            Some((_, refusal)) => Err(Halt::Refused(refusal.clone()).into()),
            None => Err(Declined::NoSuchOffer(key.to_owned())),
        }
    }
}

impl<R: Ruleset> Session<R> {
    /// The present decision. It is worked out when it is first asked about and kept until the battle goes on.
    pub(crate) fn present(&self) -> &Present<R> {
        self.present.get_or_init(|| Present::of(&self.battle))
    }

    /// What is offered now under a key.
    pub(crate) fn find(&self, key: &str, lenient: bool) -> Result<(R::Offer, Vec<Refusal>, &Input), Declined> {
        self.present().find(&self.battle, key, lenient)
    }

    /// The battle stands so now.
    pub(super) fn stand(&mut self, battle: R::Battle) {
        self.battle = battle;
        self.present = OnceLock::new();
    }
}
