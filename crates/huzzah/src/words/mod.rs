//! Events and decisions in words, and what offers need to be told in words.

pub(crate) mod labels;
mod moves;
pub(crate) mod names;
mod telling;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::Side;
use sabretache_engine::view::Verdict;

pub use names::name;
use names::{command_name, officer_name, to_whom, unit_name};
pub use telling::tell;

use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::*;
use crate::event::Event;
use crate::phases::victory;
use crate::state::Stage;
use crate::troops::Order;

/// What is to be decided.
#[must_use]
pub fn decision(battle: &Battle) -> String {
    let us = battle.lay.side_name(battle.phasing);
    let them = battle.lay.side_name(battle.phasing.other());
    match battle.stage {
        Stage::SetUp => "Qualities are still to be rolled before the battle begins.".into(),
        Stage::ChooseFirst(side) => format!("{}: a Huzzah! Who is to go first?", battle.lay.side_name(side)),
        Stage::Skirmish => format!("Turn {}: the skirmishers fight for superiority.", battle.turn),
        Stage::Threat => format!("{us}: which threatened unit tests next?"),
        Stage::Window => format!("{them}: bombard before the other side goes on?"),
        Stage::Order => format!("{us}: give an order, or end the phase."),
        Stage::Act => match battle.doing.acting {
            Some(acting) => {
                let (whom, what) = (to_whom(battle, acting.to), acting.order.word());
                format!("{us}: the order to {whom} is to {what}; who acts, and how?")
            }
            None => format!("{us}: who acts?"),
        },
        Stage::Interrupt => format!("{them}: bombard while the other side moves?"),
        Stage::GoOn => format!("{us}: go on under fire, or halt here?"),
        Stage::Swing => format!("{us}: manoeuvre the guns with it?"),
        Stage::Refuge => {
            let Some(one) = battle.doing.fleeing.first() else { return String::new() };
            let (owner, who) = (battle.officer_facts(one.officer).side, officer_name(battle, one.officer));
            let owner = battle.lay.side_name(owner);
            match one.returns {
                None => format!("{owner}: to which of the nearest units does {who} escape?"),
                Some(_) => format!("{owner}: behind which of the nearest units does {who} take his post?"),
            }
        }
        Stage::SecondAppointment => format!("{us}: appoint a second officer and end the phase, or go on?"),
        Stage::Officers => format!("{us}: move officers."),
        Stage::Pairing => format!("{us}: who fights whom?"),
        Stage::Engage => format!("{us}: which engagement is fought next?"),
        Stage::OddStagger(side) => format!("{}: who takes the odd stagger?", battle.lay.side_name(side)),
        Stage::FallBack => "Who moves first of those that must?".into(),
        Stage::Check => format!("{us}: a command check is due."),
        Stage::Reorganise => format!("{us}: try to reorganise a broken command?"),
        Stage::Rally => format!("{us}: which routing unit tries to rally next?"),
        Stage::Formation => format!("{us}: what formation does the rallied unit take?"),
        Stage::Rout => format!("{us}: which routing unit runs first?"),
        Stage::Reform => format!("{us}: which unit tries to reform next?"),
        Stage::Over => "The battle is over.".into(),
    }
}

/// The clause that an order is given under.
pub(crate) const fn order_clause(order: Order) -> Clause {
    match order {
        Order::Advance => HZ_ADV_02,
        Order::Retire => HZ_RET_01,
        Order::Manoeuvre => HZ_MAN_01,
        Order::Deploy => HZ_DEP_01,
        Order::Appoint => HZ_APP_01,
        Order::Rearm => HZ_REA_03,
        Order::Recall => HZ_BLO_08,
    }
}

fn count(number: u8, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// What is asked next, in a few words.
fn asks(battle: &Battle, stage: Stage) -> String {
    let who = match stage {
        Stage::Window | Stage::Interrupt => battle.lay.side_name(battle.phasing.other()),
        Stage::Refuge => {
            let owner = battle.doing.fleeing.first().map(|one| battle.officer_facts(one.officer).side);
            battle.lay.side_name(owner.unwrap_or(battle.phasing.other()))
        }
        Stage::ChooseFirst(side) | Stage::OddStagger(side) => battle.lay.side_name(side),
        _ => battle.lay.side_name(battle.phasing),
    };
    let what = match stage {
        Stage::SetUp => "setting up",
        Stage::ChooseFirst(_) => "who is to go first?",
        Stage::Skirmish => "the skirmishers go out",
        Stage::Threat => "threats to be faced",
        Stage::Window | Stage::Interrupt => "the guns may bombard",
        Stage::Order => "orders may be given",
        Stage::Act => "the order is to be acted on",
        Stage::GoOn => "the unit under fire may halt",
        Stage::Swing => "the guns may manoeuvre",
        Stage::Refuge => "an officer makes for one of his units",
        Stage::SecondAppointment => "a second officer may be appointed",
        Stage::Officers => "officers may move",
        Stage::Pairing => "who fights whom?",
        Stage::Engage => "engagements are to be fought",
        Stage::OddStagger(_) => "odd staggers are to be placed",
        Stage::FallBack => "units give ground",
        Stage::Check => "command checks are to be taken",
        Stage::Reorganise => "broken commands may reorganise",
        Stage::Rally => "routing units may rally",
        Stage::Formation => "a rallied unit forms up",
        Stage::Rout => "routing units run",
        Stage::Reform => "units may reform",
        Stage::Over => "the field is left",
    };
    format!("{who}: {what}")
}

/// What a run of events comes to, in a few words: what was lost, who broke, who won.
#[must_use]
pub fn outcome(battle: &Battle, events: &[Event]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut push = |text: String| {
        if !parts.contains(&text) {
            parts.push(text);
        }
    };
    for event in events {
        match event {
            Event::Skirmished { winner, .. } => push(
                winner.map_or("no superiority".into(), |side| format!("superiority: {}", battle.lay.side_name(side))),
            ),
            Event::Tested { unit, passed: true } => push(format!("{} passes", unit_name(battle, *unit))),
            Event::Staggered { unit, by, .. } => {
                push(format!("{} takes {}", unit_name(battle, *unit), count(*by, "stagger")))
            }
            Event::Killed { unit, by, .. } => {
                push(format!("{} takes {}", unit_name(battle, *unit), count(*by, "kill")))
            }
            Event::Broken { unit, .. } => push(format!("{} breaks", unit_name(battle, *unit))),
            Event::Routs { unit, .. } => push(format!("{} routs", unit_name(battle, *unit))),
            Event::Rallied { unit } => push(format!("{} rallies", unit_name(battle, *unit))),
            Event::Recovered { unit, by } => {
                push(format!("{} loses {}", unit_name(battle, *unit), count(*by, "stagger")))
            }
            Event::Obeyed { huzzah: true, .. } => push("obeyed with a Huzzah!".into()),
            Event::Obeyed { .. } => push("obeyed".into()),
            Event::OrderFailed { .. } => push("the order fails".into()),
            Event::Checked { command, passed, .. } => {
                push(format!("{} {}", command_name(battle, *command), if *passed { "passes" } else { "fails" }))
            }
            Event::Fought { winner, .. } => {
                push(winner.map_or("a tie".into(), |side| format!("won: {}", battle.lay.side_name(side))))
            }
            Event::OfficerGone { officer, status: OfficerStatus::Killed, .. } => {
                push(format!("{} falls", officer_name(battle, *officer)))
            }
            Event::Rearmed { .. } => push("rearmed".into()),
            Event::Reorganised { .. } => push("reorganised".into()),
            Event::Appointed { ability, .. } => push(format!("an officer, {ability}")),
            Event::BattleEnds { ended } => push(ended.winner.map_or("the battle is drawn".into(), |side| {
                format!("the battle is won: {}", battle.lay.side_name(side))
            })),
            _ => {}
        }
    }
    if parts.is_empty() { "nothing else happens".into() } else { parts.join(", ") }
}

/// How the battle ended.
#[must_use]
pub fn verdict(battle: &Battle) -> Option<Verdict> {
    let ended = battle.doing.ended.filter(|_| battle.stage == Stage::Over)?;
    let sentence = match ended.winner {
        Some(winner) if ended.clause == HZ_VIC_01 => format!(
            "One army is broken: {}. Victory: {}.",
            battle.lay.side_name(winner.other()),
            battle.lay.side_name(winner)
        ),
        Some(winner) => {
            let turns = if battle.turn == 1 { "After one turn".into() } else { format!("After {} turns", battle.turn) };
            format!("{turns} {}: {}.", better(battle, winner), battle.lay.side_name(winner))
        }
        None => "Neither side has the better of it.".into(),
    };
    Some(Verdict { winner: ended.winner, sentence, clause: ended.clause })
}

/// By what a side has the better of it when time is up, or an objective decides.
fn better(battle: &Battle, winner: Side) -> &'static str {
    match victory::is_by_losses(battle, winner) {
        true if battle.lay.objectives.is_empty() => "one side has lost less of its army",
        true => "the points are level, and one side has lost less of its army",
        false => "one side has the better of it",
    }
}

/// How the battle ended, without figures.
#[must_use]
pub fn ending(battle: &Battle) -> Option<String> {
    let ended = battle.doing.ended.filter(|_| battle.stage == Stage::Over)?;
    match ended.winner {
        Some(winner) if ended.clause != HZ_VIC_01 => {
            Some(format!("In the end {}: {}.", better(battle, winner), battle.lay.side_name(winner)))
        }
        _ => verdict(battle).map(|verdict| verdict.sentence),
    }
}
