//! Making a choice, and what would come of it.

use std::collections::BTreeMap;

use super::{Declined, DiceWanted, Order, Seat, Session, hash_of};
use crate::dice::{AgreedDice, Dice, NoDice, Scripted, Seeded};
use crate::forecast::{Forecast, Reckoning, forecast, reckoned};
use crate::ids::Side;
use crate::log::{Chosen, DiceSource, Enforcement, Entry, Hash};
use crate::odds::{MOST_BRANCHES, NoOdds, Odds, odds_of};
use crate::offer::{Choice, Halt, Input, Refusal, Value};
use crate::resolution::{Happening, Resolution};
use crate::ruleset::Ruleset;

impl<R: Ruleset> Session<R> {
    /// Makes a choice, and after it those that standing instructions make. Returns the new lines of the log.
    ///
    /// When dice are wanted (typed, agreed) it declines, saying which, and can be called again with more of them.
    pub fn choose(&mut self, seat: Seat, order: &Order) -> Result<Vec<String>, Declined> {
        let passing = self.passing(order);
        let mut lines = vec![self.choose_one(seat, order, None)?];
        self.passed.extend(passing);
        while let Some((pass, why)) = self.standing_answer() {
            let order = Order { offer: R::key(&self.battle, &pass), ..Order::default() };
            match self.choose_one(Seat::Umpire, &order, Some(why)) {
                Ok(line) => lines.push(line),
                // It needs dice or breaks something: then the player is asked after all.
                Err(_) => break,
            }
        }
        Ok(lines)
    }

    fn choose_one(&mut self, seat: Seat, order: &Order, standing: Option<String>) -> Result<String, Declined> {
        let side = self.deciding().ok_or(Declined::Over)?;
        match seat {
            Seat::Spectator => return Err(Declined::Spectator),
            Seat::Player(mine) if mine != side => return Err(Declined::NotYours(side)),
            _ => {}
        }
        let lenient = order.despite && self.begun().enforcement != Enforcement::Referee;
        let (offer, mut breaches, input) = self.find(&order.offer, lenient)?;
        if let Some(player) = &order.player {
            is_for::<R>(&self.battle, side, player, &offer)?;
        }
        breaches.extend(check_value::<R>(&self.battle, &offer, input, &order.value, lenient)?);
        let choice = Choice { offer, value: order.value.clone() };
        let mut dice = self.dice(order)?;
        let made = make_checked::<R>(&self.battle, &choice, lenient, dice.source());
        let Made { battle, happened, breaches: broken } = made.map_err(|declined| match declined {
            Declined::Dice(wanted) => Declined::Dice(Box::new(DiceWanted { given: dice.used(), ..*wanted })),
            other => other,
        })?;
        breaches.extend(broken);
        if dice.left() > 0 {
            return Err(Declined::DiceLeft(dice.left()));
        }

        let rolled = happened.iter().any(|one| matches!(one, Happening::Roll(_)));
        let reveals = if rolled { order.reveals.clone() } else { BTreeMap::new() };
        let bound = (!reveals.is_empty()).then(|| self.binding(order));
        let lapsed = self.lapsing(&happened, &battle);
        let entry = Entry::Chosen(Chosen {
            side,
            offer: order.offer.clone(),
            value: order.value.clone(),
            standing: standing.is_some(),
            why: standing,
            lapsed,
            breaches,
            reveals,
            bound,
            settled: true,
            happened,
            battle: hash_of::<R>(&battle),
        });
        let line = self.write(entry)?;
        if let (true, ChoiceDice::Agreed(_, agreement)) = (rolled, dice) {
            self.agreed = Some(agreement);
        }
        self.stand(battle);
        self.keep_checkpoint(self.now());
        Ok(line)
    }

    /// The dice of a choice.
    fn dice(&self, order: &Order) -> Result<ChoiceDice, Declined> {
        Ok(match &self.begun().dice {
            DiceSource::Seeded(seed) => ChoiceDice::Seeded(Seeded::for_choice(*seed, self.choices())),
            DiceSource::Typed => ChoiceDice::Typed(Scripted::new(order.dice.clone())),
            DiceSource::Agreed(_) if order.reveals.is_empty() => ChoiceDice::Typed(Scripted::default()),
            DiceSource::Agreed(commitments) => {
                let mut agreement = match &self.agreed {
                    Some(agreement) => agreement.clone(),
                    None => AgreedDice::new(commitments)?,
                };
                let seeded = agreement.open(&order.reveals, &self.bound_to(order))?;
                ChoiceDice::Agreed(seeded, agreement)
            }
        })
    }

    /// What agreed dice are bound to: the log so far and the choice itself.
    fn bound_to(&self, order: &Order) -> Vec<u8> {
        bound_to(self.log.last_hash(), &order.offer, &order.value)
    }

    /// The hash that a choice with agreed dice is known by before its dice fall. Each side reveals its link for this
    /// hash, so nobody can make another choice once he has seen the links.
    pub fn binding(&self, order: &Order) -> Hash {
        Hash::of(&[&self.bound_to(order)])
    }

    /// The exact odds of a choice, up to the next decision, by what it comes to.
    pub fn odds(&self, offer: &str, value: &Value) -> Result<Odds<String>, NoOdds<Declined>> {
        let (offer, _, input) = self.find(offer, true).map_err(NoOdds::Stopped)?;
        check_value::<R>(&self.battle, &offer, input, value, false).map_err(NoOdds::Stopped)?;
        odds_of_choice::<R>(&self.battle, &Choice { offer, value: value.clone() }).map_err(|error| match error {
            NoOdds::TooMany { most } => NoOdds::TooMany { most },
            NoOdds::TooLong => NoOdds::TooLong,
            NoOdds::Stopped(halt) => NoOdds::Stopped(halt.into()),
        })
    }

    /// What comes of a choice, in headlines, outcomes and what each unit has to fear; and the first rolls to come.
    pub fn forecast(&self, offer: &str, value: &Value) -> Result<(Forecast, Vec<Reckoning>), NoOdds<Declined>> {
        let (offer, _, input) = self.find(offer, true).map_err(NoOdds::Stopped)?;
        check_value::<R>(&self.battle, &offer, input, value, false).map_err(NoOdds::Stopped)?;
        let choice = Choice { offer, value: value.clone() };
        let forecast = forecast::<R>(&self.battle, &choice).map_err(|error| match error {
            NoOdds::TooMany { most } => NoOdds::TooMany { most },
            NoOdds::TooLong => NoOdds::TooLong,
            NoOdds::Stopped(halt) => NoOdds::Stopped(halt.into()),
        })?;
        let reckoning = reckoned::<R>(&self.battle, &choice);
        Ok((forecast, reckoning))
    }
}

/// A choice and the log before it, as agreed dice are bound to them.
pub(super) fn bound_to(before: Hash, offer: &str, value: &Value) -> Vec<u8> {
    [&before.0[..], serde_json::json!([offer, value]).to_string().as_bytes()].concat()
}

/// The dice of one choice.
enum ChoiceDice {
    Seeded(Seeded),
    Typed(Scripted),
    Agreed(Seeded, AgreedDice),
}

impl ChoiceDice {
    fn source(&mut self) -> &mut dyn Dice {
        match self {
            Self::Seeded(dice) | Self::Agreed(dice, _) => dice,
            Self::Typed(dice) => dice,
        }
    }

    fn left(&self) -> usize {
        if let Self::Typed(dice) = self { dice.left().len() } else { 0 }
    }

    fn used(&self) -> Vec<u8> {
        if let Self::Typed(dice) = self { dice.used().to_vec() } else { Vec::new() }
    }
}

/// The exact odds of a choice on a battle, up to the next decision.
pub fn odds_of_choice<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> Result<Odds<String>, NoOdds<Halt>> {
    let mut happened = Vec::new();
    let mut trial = battle.clone();
    odds_of(MOST_BRANCHES, |dice| {
        happened.clear();
        trial.clone_from(battle);
        R::resolve(&mut Resolution::new(&mut trial, dice).events_only(&mut happened), choice)?;
        Ok(R::outcome(battle, &happened))
    })
}

/// A choice that was made: the battle after it, what happened, and which rules it broke with open eyes.
pub(crate) struct Made<R: Ruleset> {
    pub(crate) battle: R::Battle,
    pub(crate) happened: Vec<Happening<R::Event>>,
    pub(crate) breaches: Vec<Refusal>,
}

/// Makes a choice. Leniently, what a rule forbids is done and noted; what is impossible is refused all the same.
pub(crate) fn make<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    lenient: bool,
    dice: &mut dyn Dice,
) -> Result<Made<R>, Declined> {
    let input = R::input(battle, &choice.offer);
    let breach = check_value::<R>(battle, &choice.offer, &input, &choice.value, lenient)?;
    let mut made = make_checked::<R>(battle, choice, lenient, dice)?;
    made.breaches.splice(0..0, breach);
    Ok(made)
}

/// Makes a choice whose value is known to fit.
pub(super) fn make_checked<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    lenient: bool,
    dice: &mut dyn Dice,
) -> Result<Made<R>, Declined> {
    let mut after = battle.clone();
    let mut happened = Vec::new();
    let mut play = Resolution::<R>::new(&mut after, dice).chronicled(&mut happened);
    if lenient {
        play = play.lenient();
    }
    if let Err(halt) = R::resolve(&mut play, choice) {
        let wanting = play.wanting();
        let (Halt::Dice(NoDice::Throw(_)), Some((roll, throw))) = (&halt, wanting) else { return Err(halt.into()) };
        let kinds = (0..throw.len()).map(|n| throw.die(n)).collect();
        let reckoning = Some(Reckoning::of(R::BOOK, &roll, kinds));
        return Err(Declined::Dice(Box::new(DiceWanted { throw, reckoning, given: Vec::new() })));
    }
    let breaches = play.into_breaches();
    R::check(&after).map_err(Declined::Broken)?;
    Ok(Made { battle: after, happened, breaches })
}

/// Whether one of several players of a side may decide on an offer: what concerns no command is for each of them.
pub(super) fn is_for<R: Ruleset>(
    battle: &R::Battle,
    side: Side,
    player: &str,
    offer: &R::Offer,
) -> Result<(), Declined> {
    if !R::players(battle, side).iter().any(|name| name == player) {
        return Err(Declined::NoSuchPlayer(player.to_owned()));
    }
    let owner = R::label(battle, offer).command.and_then(|command| R::player_of(battle, command));
    match owner {
        Some(owner) if owner != player => Err(Declined::NotYourCommand(owner)),
        _ => Ok(()),
    }
}

/// Whether the value fits the offer; a limit passed with open eyes is a breach of the clause behind the limit.
pub(super) fn check_value<R: Ruleset>(
    battle: &R::Battle,
    offer: &R::Offer,
    input: &Input,
    value: &Value,
    lenient: bool,
) -> Result<Option<Refusal>, Declined> {
    if input.fits(value) {
        return Ok(None);
    }
    let unit = R::measure(battle).unit();
    if input.same_kind(value)
        && let Some(refusal) = R::why_not(battle, offer, value)
    {
        return if lenient && !refusal.impossible { Ok(Some(refusal)) } else { Err(Halt::Refused(refusal).into()) };
    }
    if lenient && input.same_kind(value) {
        let breach = input.breach(value, unit, R::label(battle, offer).clauses.first().copied());
        if breach.is_some() {
            return Ok(breach);
        }
    }
    input.check(value, unit).map(|()| None).map_err(|wrong| Halt::Value(wrong).into())
}
