//! The battle as each seat sees it.

use std::collections::BTreeSet;

use super::{Declined, Seat, Session};
use crate::dice::Scripted;
use crate::eyes::Eyes;
use crate::forecast::{Forecast, Reckoning, leads};
use crate::handle::Handling;
use crate::ids::{Named, OfficerId, Side, UnitId};
use crate::interrupt::Reaction;
use crate::odds::Chance;
use crate::offer::{Choice, Ghost, Preview, Value};
use crate::protocol::{ClosedView, Decision, OfferView, OutcomeOdds, ReactionView, Reply, Whole};
use crate::report::report;
use crate::resolution::{Resolution, RollRecord, fold};
use crate::ruleset::Ruleset;
use crate::view::View;

/// What odds say in place of what would betray something.
const UNFORESEEN: &str = "something unforeseen happens";

impl<R: Ruleset> Session<R> {
    /// Through whose eyes a seat sees the battle as it stands.
    #[must_use]
    pub fn eyes(&self, seat: Seat) -> Eyes {
        let open = self.deciding().is_none() || !R::conceals(&self.battle);
        match seat {
            _ if open => Eyes::All,
            Seat::Umpire => Eyes::All,
            Seat::Player(side) => Eyes::Side(side),
            Seat::Spectator => Eyes::Common,
        }
    }

    /// Whether there is something in the log that a seat may not know yet.
    #[must_use]
    pub fn sealed(&self, seat: Seat) -> bool {
        self.eyes(seat) != Eyes::All || self.has_letters_not_for(seat)
    }

    /// Whether a seat may be told what only those know who decide, or who see everything.
    pub(crate) fn may_ask(&self, seat: Seat) -> Result<(), Declined> {
        let eyes = self.eyes(seat);
        match self.deciding() {
            Some(side) if !eyes.share(side) => Err(Declined::NotYours(side)),
            _ => Ok(()),
        }
    }

    /// What is to be decided, as a seat may know it: one that cannot see what it is about learns only whose it is.
    #[must_use]
    pub fn decision_for(&self, seat: Seat, closed: bool) -> Decision {
        self.decision_of(seat, closed, None)
    }

    /// The same, and only what concerns one unit, officer or command, where one is named.
    #[must_use]
    pub fn decision_of(&self, seat: Seat, closed: bool, of: Option<Named>) -> Decision {
        let (battle, eyes) = (&self.battle, self.eyes(seat));
        let side = self.deciding();
        let told = side.is_some_and(|side| eyes.share(side));
        let offers = if told { self.present().open() } else { &[] };
        let closed_offers = if told && closed { self.present().closed(battle) } else { &[] };
        let veil = Veil::new::<R>(battle, eyes);
        let mut actors: Vec<Named> = Vec::new();
        let mut open = Vec::new();
        for known in offers {
            let offer = &known.offer;
            let label = R::label(battle, offer);
            if !self.may_hear_of(eyes, offer) || veil.is_lifted_by(&label.text) {
                continue;
            }
            let Handling { handle, act, target, group, leads_to } = R::handling(battle, offer);
            let who = handle.actors();
            let concerns = |named: Named| {
                label.unit.map(Named::from) == Some(named)
                    || label.command.map(Named::from) == Some(named)
                    || who.contains(&named)
            };
            if !of.is_none_or(concerns) {
                continue;
            }
            actors.extend(who);
            open.push(OfferView {
                key: known.key.clone(),
                label: label.text,
                unit: label.unit.map(|unit| unit.to_string()),
                command: label.command.map(|command| command.to_string()),
                input: known.input::<R>(battle).clone(),
                handle,
                act: act.to_owned(),
                target,
                group,
                leads_to: leads_to.map(str::to_owned),
                clauses: label.clauses,
            });
        }
        let mut seen = BTreeSet::new();
        actors.retain(|one| seen.insert(*one));
        let closed = closed_offers.iter().filter_map(|(known, why)| {
            let label = R::label(battle, &known.offer);
            let concerns = |named: Named| {
                label.unit.map(Named::from) == Some(named) || label.command.map(Named::from) == Some(named)
            };
            let hidden = !self.may_hear_of(eyes, &known.offer)
                || veil.is_lifted_by(&label.text)
                || veil.is_lifted_by(&why.sentence);
            let unit = label.unit.map(|unit| unit.to_string());
            let told = !hidden && of.is_none_or(concerns);
            told.then(|| ClosedView { key: known.key.clone(), label: label.text, unit, why: why.clone() })
        });
        let sentence = match (self.verdict(), side) {
            (Some(verdict), None) => verdict.sentence,
            (_, Some(side)) if !told => format!("Side {side} decides."),
            _ => R::decision(battle),
        };
        let interrupt = R::interrupt(battle).filter(|_| told);
        let reaction = interrupt.as_ref().and_then(|interrupt| {
            let Reaction { meaningful, sameness } = R::reaction(battle)?;
            Some(ReactionView {
                reactors: interrupt.reactors.iter().map(UnitId::to_string).collect(),
                mover: interrupt.mover.to_string(),
                distance: interrupt.distance,
                pass: R::key(battle, &interrupt.pass),
                meaningful,
                sameness,
            })
        });
        Decision {
            moment: self.now(),
            side,
            sentence,
            interrupt: interrupt.is_some(),
            kind: interrupt.map(|interrupt| interrupt.kind.to_owned()),
            reaction,
            actors,
            offers: open,
            closed: closed.collect(),
        }
    }

    /// All that is to be seen and decided now, as a seat may know it.
    #[must_use]
    pub fn whole(&self, seat: Seat) -> Whole {
        let view = R::view_for(&self.battle, self.eyes(seat));
        Whole { decision: self.decision_for(seat, false), report: report(&view), view }
    }

    /// What a choice whose value fits costs for certain and what it lays itself open to, as far as a seat may know it: it is done until
    /// dice or somebody's decision are wanted, and what has happened by then is read.
    /// Where no book says where things would stand, they are drawn as they stand then.
    pub(crate) fn complete_preview(&self, seat: Seat, offer: &R::Offer, value: &Value, preview: &mut Preview) {
        // Where something is hidden from a seat, a trial would stumble over it.
        if self.sees_less(seat) {
            return;
        }
        let (mut after, mut events) = (self.battle.clone(), Vec::new());
        let choice = Choice { offer: offer.clone(), value: value.clone() };
        let mut no_dice = Scripted::default();
        // Where dice are wanted, what comes before them has happened.
        let _ = R::resolve(&mut Resolution::<R>::new(&mut after, &mut no_dice).events_only(&mut events), &choice);
        let mut battle = self.battle.clone();
        for event in &events {
            preview.costs.extend(R::cost(&battle, event));
            fold::<R>(&mut battle, event);
        }
        preview.costs.dedup();
        preview.invites.extend(R::invites(&self.battle, &after, offer));
        if preview.ghosts.is_empty() && !events.is_empty() {
            preview.ghosts = ghosts(&R::view(&self.battle), &R::view(&after));
        }
        if preview.ghosts.is_empty() {
            preview.leads = leads::<R>(&self.battle, &choice);
        }
    }

    /// The odds of an offer as a seat may know them. What would name something that it does not see is told in no more
    /// than that something happens.
    pub(crate) fn told_odds(&self, seat: Seat, offer: &str, forecast: &Forecast, rolls: Vec<Reckoning>) -> Reply {
        let eyes = self.eyes(seat);
        let veil = Veil::new::<R>(&self.battle, eyes);
        let betrays = |about: Option<&BTreeSet<Named>>| {
            let mut about = about.into_iter().flatten().filter(|one| is_hideable(**one));
            eyes != Eyes::All && about.any(|one| !R::sees(&self.battle, eyes, *one))
        };
        let outcomes = forecast.outcomes.iter().map(|(outcome, chance)| OutcomeOdds {
            outcome: if betrays(forecast.about_outcome(outcome)) { UNFORESEEN.into() } else { outcome.clone() },
            p: chance.to_string(),
            probability: chance.value(),
        });
        let mut headlines = forecast.told();
        for one in &mut headlines {
            if betrays(forecast.about_headline(&one.text)) || veil.is_lifted_by(&one.text) {
                one.text = UNFORESEEN.into();
            }
        }
        let sees = |unit: UnitId| R::sees(&self.battle, eyes, unit.into());
        let named = |roll: &Reckoning| roll.of.as_deref().and_then(Named::parse);
        Reply::Odds {
            offer: offer.to_owned(),
            outcomes: self.veiled(seat, outcomes.collect()),
            headlines,
            chance: forecast.chance.map(Chance::value),
            units: forecast.units.iter().filter(|one| sees(one.unit)).cloned().collect(),
            reckoning: rolls
                .into_iter()
                .filter(|roll| named(roll).is_none_or(|one| R::sees(&self.battle, eyes, one)))
                .collect(),
        }
    }

    /// Whether these eyes see all that an offer is about.
    fn may_hear_of(&self, eyes: Eyes, offer: &R::Offer) -> bool {
        if eyes == Eyes::All || !R::conceals(&self.battle) {
            return true;
        }
        let about = R::offer_speaks_of(&self.battle, offer);
        about.into_iter().filter(|one| is_hideable(*one)).all(|one| R::sees(&self.battle, eyes, one))
    }

    /// Whether a seat sees less than everything.
    pub(crate) fn sees_less(&self, seat: Seat) -> bool {
        self.eyes(seat) != Eyes::All
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

/// Whether a side sees something of the enemy's that it did not see in an earlier battle: that cannot be unlearnt, so
/// what brought it to light is not taken back.
pub(super) fn sees_more<R: Ruleset>(side: Side, before: &R::Battle, now: &R::Battle) -> bool {
    if !R::conceals(before) {
        return false;
    }
    let seen = |battle: &R::Battle| -> BTreeSet<Named> {
        let view = R::view_for(battle, Eyes::Side(side));
        let units = view.units.iter().filter(|unit| unit.side != side).map(|unit| Named::Unit(unit.id));
        let officers = view.officers.iter().filter(|one| one.side != side).map(|one| Named::Officer(one.id));
        units.chain(officers).collect()
    };
    !seen(now).is_subset(&seen(before))
}

/// Whether to let the interrupt pass that is asked about now is an answer, so that the mover learns something by it: it is
/// none where nothing that could be done would change anything.
pub(super) fn is_answer<R: Ruleset>(battle: &R::Battle) -> bool {
    R::reaction(battle).is_none_or(|reaction| reaction.meaningful)
}

/// Every unit that stands otherwise than before, where it stands now.
fn ghosts(before: &View, after: &View) -> Vec<Ghost> {
    let moved = after.units.iter().filter_map(|unit| {
        let pose = unit.pose?;
        let then = before.units.iter().find(|one| one.id == unit.id);
        let same = then.is_some_and(|then| then.pose == unit.pose && then.stands == unit.stands);
        let track = then.and_then(|then| then.pose).map(|pose| pose.at).into_iter().chain([pose.at]).collect();
        (!same).then(|| Ghost { unit: unit.id, pose, stands: unit.stands.clone(), track })
    });
    moved.collect()
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
    let known =
        |one: Named| (R::name(before, one).is_some() && R::sees(before, eyes, one)) || R::sees(after, eyes, one);
    R::speaks_of(event).into_iter().filter(|one| is_hideable(*one)).all(known) && R::learns(before, eyes, event)
}

/// Units and officers may be hidden; commands and ground are known to everybody.
fn is_hideable(one: Named) -> bool {
    matches!(one, Named::Unit(_) | Named::Officer(_))
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
