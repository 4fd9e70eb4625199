//! The battle as each seat sees it.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::{Declined, Seat, Session};
use crate::eyes::Eyes;
use crate::ids::{Named, OfficerId, Side, UnitId};
use crate::protocol::{ClosedView, Decision, OfferView, OutcomeOdds};
use crate::resolution::RollRecord;
use crate::ruleset::Ruleset;

/// What odds say in place of what would betray something.
const UNFORESEEN: &str = "something unforeseen happens";

impl<R: Ruleset> Session<R> {
    /// Through whose eyes a seat sees the battle as it stands.
    #[must_use]
    pub fn eyes(&self, seat: Seat) -> Eyes {
        let open = R::deciding(&self.battle).is_none() || !R::conceals(&self.battle);
        match seat {
            _ if open => Eyes::All,
            Seat::Umpire => Eyes::All,
            Seat::Player(side) => Eyes::Side(side),
            Seat::Spectator => Eyes::Common,
        }
    }

    /// Whether a side sees something of the enemy's that it did not see in an earlier battle: that cannot be unlearnt, so
    /// what brought it to light is not taken back.
    pub(super) fn has_seen_more(&self, side: Side, before: &R::Battle) -> bool {
        if !R::conceals(before) {
            return false;
        }
        let seen = |battle: &R::Battle| -> BTreeSet<Named> {
            let view = R::view_for(battle, Eyes::Side(side));
            let units = view.units.iter().filter(|unit| unit.side != side).map(|unit| Named::Unit(unit.id));
            let officers = view.officers.iter().filter(|one| one.side != side).map(|one| Named::Officer(one.id));
            units.chain(officers).collect()
        };
        !seen(&self.battle).is_subset(&seen(before))
    }

    /// Whether there is something in the log that a seat may not know yet.
    #[must_use]
    pub fn sealed(&self, seat: Seat) -> bool {
        self.eyes(seat) != Eyes::All || self.has_letters_not_for(seat)
    }

    /// Whether a seat may be told what only those know who decide, or who see everything.
    pub(crate) fn may_ask(&self, seat: Seat) -> Result<(), Declined> {
        let eyes = self.eyes(seat);
        match R::deciding(&self.battle) {
            Some(side) if !eyes.share(side) => Err(Declined::NotYours(side)),
            _ => Ok(()),
        }
    }

    /// What is to be decided, as a seat may know it: whoever cannot see what it is about learns only whose it is.
    #[must_use]
    pub fn decision_for(&self, seat: Seat, closed: bool) -> Decision {
        let (battle, eyes) = (&self.battle, self.eyes(seat));
        let side = R::deciding(battle);
        let mut offers = Vec::new();
        let mut closed_offers = Vec::new();
        let told = side.is_some_and(|side| eyes.share(side));
        if told {
            R::offers(battle, &mut offers);
            if closed {
                R::closed(battle, &mut closed_offers);
            }
        }
        let veil = Veil::new::<R>(battle, eyes);
        let offers = offers.iter().filter_map(|offer| {
            let label = R::label(battle, offer);
            (!veil.is_lifted_by(&label.text)).then(|| OfferView {
                key: R::key(battle, offer),
                label: label.text,
                unit: label.unit.map(|unit| unit.to_string()),
                command: label.command.map(|command| command.to_string()),
                input: R::input(battle, offer),
                clauses: label.clauses,
            })
        });
        let closed = closed_offers.into_iter().filter_map(|(offer, why)| {
            let label = R::label(battle, &offer);
            let unit = label.unit.map(|unit| unit.to_string());
            let hidden = veil.is_lifted_by(&label.text) || veil.is_lifted_by(&why.sentence);
            (!hidden).then(|| ClosedView { key: R::key(battle, &offer), label: label.text, unit, why })
        });
        let sentence = match (R::verdict(battle), side) {
            (Some(verdict), None) => verdict.sentence,
            (_, Some(side)) if !told => format!("Side {side} decides."),
            _ => R::decision(battle),
        };
        let interrupt = R::interrupt(battle).filter(|_| told);
        Decision {
            moment: self.now(),
            side,
            sentence,
            interrupt: interrupt.is_some(),
            kind: interrupt.map(|interrupt| interrupt.kind.to_owned()),
            offers: offers.collect(),
            closed: closed.collect(),
        }
    }

    /// Outcomes that would name what a seat does not see are told in no more than that something happens.
    pub(crate) fn veiled(&self, seat: Seat, outcomes: Vec<OutcomeOdds>) -> Vec<OutcomeOdds> {
        let veil = Veil::new::<R>(&self.battle, self.eyes(seat));
        let veiled = |mut one: OutcomeOdds| {
            if veil.is_lifted_by(&one.outcome) {
                one.outcome = UNFORESEEN.into();
            }
            one
        };
        outcomes.into_iter().map(veiled).collect()
    }
}

/// All units and officers of a battle.
fn everybody<R: Ruleset>(battle: &R::Battle) -> impl Iterator<Item = (Named, String)> + '_ {
    let named = move |one: Named| R::name(battle, one).map(|(_, name)| (one, name));
    let units = (0..=u16::MAX).map(|n| Named::Unit(UnitId(n))).map_while(named);
    units.chain((0..=u16::MAX).map(|n| Named::Officer(OfficerId(n))).map_while(named))
}

/// The names of what some eyes see and of what they do not.
pub(super) struct Veil {
    /// The longest first, so that "Second foot" is not taken for "Second".
    seen: Vec<String>,
    unseen: Vec<String>,
}

impl Veil {
    pub(super) fn new<R: Ruleset>(battle: &R::Battle, eyes: Eyes) -> Self {
        let mut veil = Self { seen: Vec::new(), unseen: Vec::new() };
        if eyes != Eyes::All && R::conceals(battle) {
            for (one, name) in everybody::<R>(battle).filter(|(_, name)| !name.is_empty()) {
                if R::sees(battle, eyes, one) { veil.seen.push(name) } else { veil.unseen.push(name) }
            }
            veil.seen.sort_by_key(|name| std::cmp::Reverse(name.len()));
        }
        veil
    }

    /// Whether a text names something that is not seen.
    pub(super) fn is_lifted_by(&self, text: &str) -> bool {
        if !self.unseen.iter().any(|name| text.contains(name)) {
            return false;
        }
        let mut rest = text.to_owned();
        for name in &self.seen {
            rest = rest.replace(name, "\u{0}");
        }
        self.unseen.iter().any(|name| rest.contains(name))
    }
}

/// Whether these eyes see whom a roll is for.
pub(super) fn roll_seen<R: Ruleset>(battle: &R::Battle, eyes: Eyes, roll: &RollRecord) -> bool {
    let of = roll.of.as_deref().and_then(Named::parse);
    of.is_none_or(|of| R::sees(battle, eyes, of)) && (eyes.share(roll.side) || of.is_some())
}

/// Whether these eyes see an event: all that it speaks of is seen before it or after it.
pub(super) fn event_seen<R: Ruleset>(before: &R::Battle, after: &R::Battle, eyes: Eyes, event: &R::Event) -> bool {
    let Ok(json) = serde_json::to_value(event) else { return false };
    let known =
        |one: Named| (R::name(before, one).is_some() && R::sees(before, eyes, one)) || R::sees(after, eyes, one);
    mentioned(&json, &mut |one| known(one)) && R::learns(before, eyes, event)
}

/// Whether something holds of every unit and officer that a piece of JSON speaks of, by their tokens.
fn mentioned(json: &Json, holds: &mut impl FnMut(Named) -> bool) -> bool {
    match json {
        Json::String(token) => match Named::parse(token) {
            Some(one @ (Named::Unit(_) | Named::Officer(_))) => holds(one),
            _ => true,
        },
        Json::Array(items) => items.iter().all(|item| mentioned(item, holds)),
        Json::Object(map) => map.values().all(|item| mentioned(item, holds)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::Veil;

    #[test]
    fn a_name_within_a_name_that_is_seen_betrays_nothing() {
        let veil = Veil { seen: vec!["Second foot".into()], unseen: vec!["Second".into(), "The Guards".into()] };
        assert!(!veil.is_lifted_by("Advance Second foot"));
        assert!(veil.is_lifted_by("Second foot meets Second"));
        assert!(veil.is_lifted_by("The Guards are in the wood"));
        assert!(!veil.is_lifted_by("Nobody is in the wood"));
    }
}
