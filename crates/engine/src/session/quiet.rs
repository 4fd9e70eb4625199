//! Interrupts that nobody is asked about: standing instructions, and what is not meaningful or not new.

use std::collections::BTreeSet;

use super::{Declined, Order, Session};
use crate::ids::{Side, UnitId};
use crate::interrupt::{Clock, Interrupt, Standing};
use crate::log::Lapse;
use crate::resolution::Happening;
use crate::ruleset::Ruleset;

/// A standing instruction, and when it was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    standing: Standing,
    at: Clock,
    /// The units that it holds back: who is shot at or charged among them is asked again.
    holds: BTreeSet<UnitId>,
}

/// Something that was let pass, and stays passed for the phase.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    /// The moment from which it counts.
    pub(super) moment: usize,
    side: Side,
    at: Clock,
    sameness: String,
    holds: Vec<UnitId>,
}

impl Passed {
    /// Each thing that was let pass.
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.sameness.split(", ")
    }
}

impl<R: Ruleset> Session<R> {
    /// Standing instructions of a side, in place of those it gave before.
    pub fn instruct(&mut self, side: Side, instructions: Vec<Standing>) {
        if instructions.is_empty() {
            self.instructions[side.index()].clear();
            return;
        }
        let at = R::clock(&self.battle);
        let now = R::interrupt(&self.battle).filter(|_| R::deciding(&self.battle) == Some(side));
        let given = |standing: Standing| {
            let asked = now.as_ref().filter(|interrupt| standing.lets_pass(interrupt));
            let holds =
                asked.iter().flat_map(|interrupt| &interrupt.reactors).copied().chain(standing.reactor).collect();
            Given { at: at.clone(), holds, standing }
        };
        self.instructions[side.index()] = instructions.into_iter().map(given).collect();
    }

    /// Standing instructions of one of several players of a side, in place of those for his own units: he instructs his
    /// own commands alone.
    pub fn instruct_own(&mut self, side: Side, player: &str, own: Vec<Standing>) -> Result<(), Declined> {
        let battle = &self.battle;
        let commander = |unit| R::command_of(battle, unit).and_then(|command| R::player_of(battle, command));
        let his = |standing: &Standing| standing.reactor.and_then(commander).as_deref() == Some(player);
        if !own.iter().all(his) {
            return Err(Declined::NotInstructed("an instruction of one player is for a unit of his own commands"));
        }
        let others = self.instructions(side).into_iter().filter(|standing| !his(standing));
        let all = others.chain(own).collect();
        self.instruct(side, all);
        Ok(())
    }

    /// The standing instructions of a side.
    #[must_use]
    pub fn instructions(&self, side: Side) -> Vec<Standing> {
        self.instructions[side.index()].iter().map(|given| given.standing.clone()).collect()
    }

    /// Whether a side is asked nothing that is not meaningful and new.
    pub fn be_quiet(&mut self, side: Side, quiet: bool) {
        self.quiet[side.index()] = quiet;
        if !quiet {
            self.passed.retain(|passed| passed.side != side);
        }
    }

    /// Whether a side is asked nothing that is not meaningful and new.
    #[must_use]
    pub fn is_quiet(&self, side: Side) -> bool {
        self.quiet[side.index()]
    }

    /// What is let pass if this is chosen by a side that is asked quietly.
    pub(super) fn passing(&self, order: &Order) -> Option<Passed> {
        let side = R::deciding(&self.battle).filter(|side| self.is_quiet(*side))?;
        let interrupt = R::interrupt(&self.battle)?;
        (R::key(&self.battle, &interrupt.pass) == order.offer).then_some(())?;
        let sameness = R::reaction(&self.battle)?.sameness;
        let at = R::clock(&self.battle);
        Some(Passed { moment: self.now() + 1, side, at, sameness, holds: interrupt.reactors })
    }

    /// The offer that lets the current interrupt pass, where nobody need be asked, and why not.
    pub(super) fn standing_answer(&mut self) -> Option<(R::Offer, String)> {
        let side = self.deciding()?;
        if self.instructions[side.index()].is_empty() && !self.is_quiet(side) {
            return None;
        }
        let interrupt = R::interrupt(&self.battle)?;
        let given = self.instructions[side.index()].iter_mut().find(|given| given.standing.lets_pass(&interrupt));
        if let Some(given) = given {
            given.holds.extend(interrupt.reactors.iter().copied());
            return Some((interrupt.pass, format!("As instructed: {}.", in_words::<R>(&self.battle, &given.standing))));
        }
        if !self.is_quiet(side) {
            return None;
        }
        let why = self.why_quiet(side, &interrupt)?;
        Some((interrupt.pass, why))
    }

    fn why_quiet(&self, side: Side, interrupt: &Interrupt<R::Offer>) -> Option<String> {
        let reaction = R::reaction(&self.battle)?;
        if !reaction.meaningful {
            return Some(format!(
                "Nobody is asked ({}): nothing that could be done would change anything.",
                interrupt.kind
            ));
        }
        if !self.passed.iter().any(|one| one.side == side) {
            return None;
        }
        let now = R::clock(&self.battle);
        let passed: BTreeSet<&str> =
            self.passed.iter().filter(|one| one.side == side && one.at == now).flat_map(Passed::parts).collect();
        // What is less than was let pass before is nothing new.
        let before = reaction.sameness.split(", ").all(|part| passed.contains(part));
        before.then(|| "Nobody is asked again: the same was let pass before in this phase.".into())
    }

    /// Takes away the standing instructions that end with what happened, and says why.
    pub(super) fn lapsing(&mut self, happened: &[Happening<R::Event>], after: &R::Battle) -> Vec<Lapse> {
        if self.instructions.iter().all(Vec::is_empty) && self.passed.is_empty() {
            return Vec::new();
        }
        if R::deciding(after).is_none() {
            self.instructions.iter_mut().for_each(Vec::clear);
            self.passed.clear();
            return Vec::new();
        }
        let touched = touched::<R>(&self.battle, happened);
        let now = R::clock(after);
        self.passed.retain(|one| one.at == now && !one.holds.iter().any(|unit| touched.contains(unit)));
        let mut lapses = Vec::new();
        for side in Side::BOTH {
            self.instructions[side.index()].retain(|given| {
                let why = why_over::<R>(after, given, &now, &touched);
                let words = || in_words::<R>(after, &given.standing);
                lapses.extend(why.as_ref().map(|why| Lapse { side, text: format!("No longer: {}; {why}.", words()) }));
                why.is_none()
            });
        }
        lapses
    }
}

/// Why an instruction is over, if it is.
fn why_over<R: Ruleset>(battle: &R::Battle, given: &Given, now: &Clock, touched: &BTreeSet<UnitId>) -> Option<String> {
    if given.standing.until.is_past(&given.at, now) {
        return Some("its time is over".into());
    }
    let held = |unit: &&UnitId| {
        let command = given.standing.unless_touched;
        given.holds.contains(*unit) || (command.is_some() && R::command_of(battle, **unit) == command)
    };
    let unit = touched.iter().find(held)?;
    let name = R::name(battle, (*unit).into()).map_or_else(|| unit.to_string(), |(_, name)| name);
    Some(format!("{name} has been shot at or charged"))
}

/// The units that were shot at or charged.
fn touched<R: Ruleset>(before: &R::Battle, happened: &[Happening<R::Event>]) -> BTreeSet<UnitId> {
    let mut battle = before.clone();
    let mut touched = BTreeSet::new();
    for one in happened {
        match one {
            Happening::Event(event) => {
                touched.extend(R::touched(&battle, event));
                R::apply(&mut battle, event);
            }
            Happening::Follows(event) => R::apply(&mut battle, event),
            Happening::Roll(_) => {}
        }
    }
    touched
}

/// An instruction in words.
fn in_words<R: Ruleset>(battle: &R::Battle, standing: &Standing) -> String {
    let name = |unit: UnitId| R::name(battle, unit.into()).map_or_else(|| unit.to_string(), |(_, name)| name);
    let kind = standing.kind.as_ref().map_or("let everything pass".to_owned(), |kind| format!("let it pass ({kind})"));
    let reactor = standing.reactor.map_or(String::new(), |unit| format!(", {}", name(unit)));
    let mover = standing.mover.map_or(String::new(), |unit| format!(", for {}", name(unit)));
    let close = standing
        .unless_within
        .map_or(String::new(), |close| format!(", unless within {}", close.format_in(R::measure(battle).unit())));
    let left = standing.unless_touched.and_then(|command| R::name(battle, command.into()));
    let left = left.map_or(String::new(), |(_, name)| format!(", until {name} is touched"));
    format!("{kind}{reactor}{mover} {}{close}{left}", standing.until.words())
}
