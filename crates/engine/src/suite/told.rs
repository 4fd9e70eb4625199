//! What a client is told must hold for any ruleset: handles, headlines, quiet interrupts, series, whole moments.

use std::collections::BTreeMap;

use super::{Effort, in_file};
use crate::dice::Seeded;
use crate::erased::AnySession;
use crate::forecast::{Headline, MOST_HEADLINES, forecast, reckoned};
use crate::ids::{Named, UnitId};
use crate::log::{DiceSource, Enforcement, Entry};
use crate::odds::{Chance, MOST_BRANCHES, NoOdds, odds_of};
use crate::offer::{Choice, Halt, Value};
use crate::playout::random_choice;
use crate::protocol::{Decision, Reply, Request, Step};
use crate::report::report;
use crate::resolution::Resolution;
use crate::ruleset::Ruleset;
use crate::scenario::{Document, Scenario};
use crate::session::{Order, Seat, Session, Setup, verify};

/// Beyond so many chains of rolls the headlines are not counted a second time.
const MOST_COUNTED: usize = 4_000;
/// How many choices a series has.
const SERIES: usize = 4;

/// What has been looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Choices made.
    pub choices: u64,
    /// Offers whose handles were looked at.
    pub handles: u64,
    /// Offers whose headlines were counted.
    pub headlines: u64,
    /// Interrupts that nobody was asked about.
    pub passed: u64,
    /// Reactions found to be without meaning, and tried all the same.
    pub meaningless: u64,
    /// Series made.
    pub series: u64,
    /// Choices that were free to be taken back after something had passed unasked.
    pub taken_back: u64,
}

/// Fights battles at random, asking nobody what is not meaningful or new, and looks at what is told on the way; no battle
/// goes on for more than the longest.
pub fn told<R: Ruleset>(scenarios: &[Document], effort: Effort) -> Result<Seen, String> {
    let mut seen = Seen::default();
    for document in scenarios {
        let scenario = Scenario::<R::Body>::read(&document.json).map_err(|report| in_file(document, &report))?;
        for seed in effort.from..effort.battles {
            battle::<R>(&scenario, seed, effort, &mut seen)
                .map_err(|fault| format!("{}, seed {seed}: {fault}", document.name))?;
        }
    }
    Ok(seen)
}

fn battle<R: Ruleset>(scenario: &Scenario<R::Body>, seed: u64, effort: Effort, seen: &mut Seen) -> Result<(), String> {
    let setup = || Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    let (mut session, _) = Session::<R>::begin(scenario, setup()).map_err(|report| report.to_string())?;
    for side in crate::ids::Side::BOTH {
        session.be_quiet(side, true);
    }
    let mut random = Seeded::for_choice(seed, u64::MAX);
    let mut offers = Vec::new();
    for _ in 0..effort.longest {
        let Some(choice) = random_choice::<R>(session.battle(), &mut offers, &mut random) else { break };
        if random.below(effort.closely as u32) == 0 {
            handles_hold::<R>(&session, seen)?;
            two_steps_are_all::<R>(session.battle())?;
            headlines_add_up::<R>(session.battle(), &choice, seen)?;
            series_is_its_choices::<R>(&session, &mut random, seen)?;
            whole_is_all::<R>(&session, &choice)?;
        }
        let mut order = order_of::<R>(session.battle(), &choice);
        // Half of what is asked is let pass, so that it may come again.
        let (told, known) = (R::interrupt(session.battle()), R::lets_pass(session.battle()));
        let key = |offer: &R::Offer| R::key(session.battle(), offer);
        if told.as_ref().map(|told| key(&told.pass)) != known.as_ref().map(key) {
            return Err("what lets a reaction pass is not what the interrupt tells".into());
        }
        if let Some(interrupt) = told.filter(|_| random.below(2) == 0) {
            order = Order { offer: R::key(session.battle(), &interrupt.pass), ..Order::default() };
        }
        let lines =
            session.choose(Seat::Umpire, &order).map_err(|declined| format!("'{}': {declined}", order.offer))?;
        seen.choices += 1;
        no_answer_is_taken_back::<R>(&session, lines.len(), seen)?;
    }
    quiet_changes_nothing::<R>(scenario, &session, setup(), seen)
}

/// After a choice that others let pass unasked, it is free to be taken back only where nothing could have been done.
fn no_answer_is_taken_back<R: Ruleset>(session: &Session<R>, lines: usize, seen: &mut Seen) -> Result<(), String> {
    let first = session.now() - lines;
    let Some(side) = R::deciding(&session.battle_at(first).map_err(|error| error.to_string())?) else { return Ok(()) };
    let mut answered = false;
    for moment in first + 1..session.now() {
        let battle = session.battle_at(moment).map_err(|error| error.to_string())?;
        // What a side lets pass of its own doing is no answer of the other's.
        if R::deciding(&battle) == Some(side) {
            return Ok(());
        }
        answered |= R::reaction(&battle).is_some_and(|reaction| reaction.meaningful);
    }
    let free = session.clone().undo(Seat::Player(side)).is_ok();
    seen.taken_back += u64::from(free && lines > 1);
    if answered && free {
        return Err("a choice is taken back that the other side has answered by letting it pass".into());
    }
    Ok(())
}

fn order_of<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> Order {
    Order { offer: R::key(battle, &choice.offer), value: choice.value.clone(), ..Order::default() }
}

/// Every offer can be taken hold of: all that its handle names is there.
fn handles_hold<R: Ruleset>(session: &Session<R>, seen: &mut Seen) -> Result<(), String> {
    let battle = session.battle();
    let decision = session.decision_for(Seat::Umpire, false);
    let there = |one: &Named| R::name(battle, *one).is_some();
    for offer in &decision.offers {
        let who = offer.handle.actors();
        if let Some(nobody) = who.iter().chain(&offer.target).find(|one| !there(one)) {
            return Err(format!("'{}' is handled by or at {nobody}, which is not there", offer.key));
        }
        if offer.act.is_empty() || offer.act.contains(' ') {
            return Err(format!("'{}' has no word of its own: '{}'", offer.key, offer.act));
        }
        if !who.iter().all(|one| decision.actors.contains(one)) {
            return Err(format!("'{}' is handled by {who:?}, who are not among the actors", offer.key));
        }
        seen.handles += 1;
    }
    for actor in &decision.actors {
        let of: Decision = session.decision_of(Seat::Umpire, false, Some(*actor));
        let whose = decision.offers.iter().filter(|offer| offer.handle.actors().contains(actor));
        if !whose.into_iter().all(|offer| of.offers.contains(offer)) {
            return Err(format!("asked about {actor} alone, something is missing"));
        }
    }
    Ok(())
}

/// Offers in two steps, who may act and what that one may do, are all offers, each once.
fn two_steps_are_all<R: Ruleset>(battle: &R::Battle) -> Result<(), String> {
    let (mut flat, mut actors, mut count) = (Vec::new(), Vec::new(), 0);
    R::offers(battle, &mut flat);
    R::actors(battle, &mut actors);
    might_act_holds::<R>(battle, &actors)?;
    for actor in actors {
        let mut his = Vec::new();
        R::offers_of(battle, actor, &mut his);
        let of_flat: Vec<&R::Offer> = flat.iter().filter(|offer| R::actor(battle, offer) == actor).collect();
        if his.iter().collect::<Vec<_>>() != of_flat || his.is_empty() {
            return Err(format!("asked in two steps, {actor:?} may do something else than in the list of all"));
        }
        count += his.len();
    }
    (count == flat.len()).then_some(()).ok_or_else(|| "asked in two steps, some offers are nobody's".into())
}

/// Those who might act are all who may, each once; the others among them have no offer.
fn might_act_holds<R: Ruleset>(battle: &R::Battle, actors: &[Option<Named>]) -> Result<(), String> {
    let (mut might, mut his) = (Vec::new(), Vec::new());
    R::might_act(battle, &mut might);
    if let Some(actor) = actors.iter().find(|actor| !might.contains(actor)) {
        return Err(format!("{actor:?} may act and is not among those who might"));
    }
    for (n, actor) in might.iter().enumerate() {
        his.clear();
        R::offers_of(battle, *actor, &mut his);
        if might[..n].contains(actor) || his.is_empty() == actors.contains(actor) {
            return Err(format!("{actor:?} is told twice among those who might act, or may do something after all"));
        }
    }
    Ok(())
}

/// Headlines add up to one, and each to the outcomes under it.
fn headlines_add_up<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>, seen: &mut Seen) -> Result<(), String> {
    let key = R::key(battle, &choice.offer);
    let told = match forecast::<R>(battle, choice) {
        Ok(told) => told,
        Err(NoOdds::TooMany { .. } | NoOdds::TooLong) => return Ok(()),
        Err(NoOdds::Stopped(halt)) => return Err(format!("'{key}' has no headlines: {halt}")),
    };
    let sum = |chances: Vec<Chance>| chances.into_iter().try_fold(Chance::NEVER, Chance::plus);
    let all = sum(told.headlines.iter().map(|(_, chance)| *chance).collect());
    if all != Some(Chance::CERTAIN) || told.headlines.len() > MOST_HEADLINES {
        return Err(format!("the headlines of '{key}' come to {all:?}: {:?}", told.headlines));
    }
    let odds = odds_of(MOST_BRANCHES, |dice| {
        let (mut trial, mut events) = (battle.clone(), Vec::new());
        R::foresee(&mut Resolution::new(&mut trial, dice).events_only(&mut events), choice)?;
        Ok(R::outcome(battle, &events))
    });
    let odds = odds.map_err(|error: NoOdds<Halt>| format!("'{key}': {error}"))?;
    let outcomes: Vec<(String, Chance)> = odds.iter().map(|(outcome, chance)| (outcome.clone(), chance)).collect();
    if outcomes != told.outcomes {
        return Err(format!("the full list of '{key}' is another beside its headlines"));
    }
    if odds.branches > MOST_COUNTED {
        return Ok(());
    }
    let counted = counted::<R>(battle, choice).map_err(|error| format!("'{key}': {error}"))?;
    for (headline, chance) in &told.headlines {
        let rest = headline.rank == u8::MAX;
        let named = |one: &Headline| told.headlines.iter().any(|(other, _)| other == one);
        let under = counted.iter().filter(|(one, _)| if rest { !named(one) } else { *one == headline });
        if sum(under.map(|(_, chance)| *chance).collect()) != Some(*chance) {
            return Err(format!("'{}' of '{key}' is not the sum of what is under it", headline.text));
        }
    }
    if reckoned::<R>(battle, choice).is_empty() && odds.branches > 1 {
        return Err(format!("'{key}' needs dice, and there is no reckoning"));
    }
    seen.headlines += 1;
    Ok(())
}

/// The chance of each headline, counted way by way.
fn counted<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
) -> Result<BTreeMap<Headline, Chance>, NoOdds<Halt>> {
    let odds = odds_of(MOST_COUNTED, |dice| {
        let (mut trial, mut events) = (battle.clone(), Vec::new());
        R::foresee(&mut Resolution::new(&mut trial, dice).events_only(&mut events), choice)?;
        Ok(R::headline(battle, &events))
    })?;
    Ok(odds.iter().map(|(headline, chance)| (headline.clone(), chance)).collect())
}

/// A series comes to the same as its choices one by one.
fn series_is_its_choices<R: Ruleset>(session: &Session<R>, random: &mut Seeded, seen: &mut Seen) -> Result<(), String> {
    let (mut single, mut at_once) = (session.clone(), session.clone());
    let side = R::deciding(session.battle());
    let (mut steps, mut offers) = (Vec::new(), Vec::new());
    while steps.len() < SERIES && R::deciding(single.battle()) == side {
        let Some(choice) = random_choice::<R>(single.battle(), &mut offers, random) else { break };
        let order = order_of::<R>(single.battle(), &choice);
        single.choose(Seat::Umpire, &order).map_err(|declined| declined.to_string())?;
        steps.push(Step { offer: order.offer, value: order.value });
    }
    if steps.is_empty() {
        return Ok(());
    }
    let (_, done) = at_once
        .series(Seat::Umpire, &steps, &Order::default(), true)
        .map_err(|declined| format!("a series: {declined}"))?;
    if done.done != steps.len() || done.stopped.is_some() || at_once.battle() != single.battle() {
        return Err(format!("a series of {steps:?} came to something else than its choices: {done:?}"));
    }
    // One that cannot go on says so, and what was done before stays done.
    let mut broken = session.clone();
    steps.truncate(1);
    steps.push(Step { offer: "nothing of the kind".into(), value: Value::None });
    let (_, done) = broken
        .series(Seat::Umpire, &steps, &Order::default(), true)
        .map_err(|declined| format!("a series: {declined}"))?;
    if done.done != 1 || done.stopped.is_none() || broken.now() == session.now() {
        return Err(format!("a series that cannot go on came to {done:?}"));
    }
    seen.series += 1;
    Ok(())
}

/// A whole moment is what one gets by asking for each part of it.
fn whole_is_all<R: Ruleset>(session: &Session<R>, choice: &Choice<R::Offer>) -> Result<(), String> {
    let mut session = session.clone();
    let order = order_of::<R>(session.battle(), choice);
    let request = Request::Choose {
        offer: order.offer,
        value: order.value,
        moment: None,
        dice: Vec::new(),
        reveals: BTreeMap::new(),
        despite: false,
        player: None,
        whole: true,
    };
    let Reply::Moment { whole: Some(whole), .. } = session.answer(Seat::Umpire, &request) else {
        return Err("a choice did not bring the whole moment".into());
    };
    let view = R::view(session.battle());
    if whole.report != report(&view) || whole.view != view || whole.decision != session.decision(false) {
        return Err("the whole moment is not what one gets by asking".into());
    }
    Ok(())
}

/// The same choices with everybody asked come to the same battle; and what is said to have no meaning has none.
fn quiet_changes_nothing<R: Ruleset>(
    scenario: &Scenario<R::Body>,
    quiet: &Session<R>,
    setup: Setup,
    seen: &mut Seen,
) -> Result<(), String> {
    let log = quiet.log().to_text().map_err(|error| error.to_string())?;
    verify::<R>(log.as_bytes()).map_err(|unproved| format!("a quiet battle does not verify: {unproved}"))?;
    let (mut asked, _) = Session::<R>::begin(scenario, setup).map_err(|report| report.to_string())?;
    for entry in &quiet.log().entries {
        let Entry::Chosen(chosen) = entry else { continue };
        if chosen.standing {
            seen.passed += 1;
            if chosen.why.is_none() {
                return Err(format!("'{}' was chosen unasked, and nobody says why", chosen.offer));
            }
            meaningless_is_so::<R>(asked.battle(), seen)?;
        }
        let order = Order { offer: chosen.offer.clone(), value: chosen.value.clone(), ..Order::default() };
        asked.choose(Seat::Umpire, &order).map_err(|declined| format!("'{}': {declined}", chosen.offer))?;
    }
    if asked.battle() != quiet.battle() {
        return Err("a battle in which not everything is asked is another battle".into());
    }
    Ok(())
}

/// A reaction that is said to be without meaning does nothing to the side that is reacted to.
fn meaningless_is_so<R: Ruleset>(battle: &R::Battle, seen: &mut Seen) -> Result<(), String> {
    let (Some(reaction), Some(side)) = (R::reaction(battle), R::deciding(battle)) else { return Ok(()) };
    if reaction.meaningful {
        return Ok(());
    }
    let view = R::view(battle);
    let ours = |unit: UnitId| view.units.iter().any(|one| one.id == unit && one.side == side);
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    for offer in offers {
        let mut values = Vec::new();
        R::input(battle, &offer).proposals(&mut values);
        for value in values {
            let key = R::key(battle, &offer);
            let Ok(told) = forecast::<R>(battle, &Choice { offer: offer.clone(), value }) else { continue };
            if let Some(hurt) = told.units.iter().find(|one| !ours(one.unit)) {
                return Err(format!("'{key}' is said to change nothing, and may hurt {}", hurt.unit));
            }
            seen.meaningless += 1;
        }
    }
    Ok(())
}
