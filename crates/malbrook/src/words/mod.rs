//! What is said about it all.

use crate::phases::aims;
use crate::phases::closing;
use crate::phases::morale;
use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_engine::ruleset::{Label, Telling};
use sabretache_engine::view::Verdict;
use sabretache_kit::Part;
use sabretache_table::Length;

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Charge, HaltAt, Order, Response, Status};
use crate::clauses::*;
use crate::event::{BlowKind, Event, FastMove, Phase};
use crate::phases::messages::Word;
use crate::situations::{Cause, ManoeuvreKind, dps_in_words};
use crate::troops::{Kind, OrderKind};

mod events;
pub(crate) mod told;

use events::fast;
pub(crate) use events::{inches, tell};

impl Battle {
    /// The id of a unit in the scenario; parts that split off have a number.
    pub(crate) fn id_of(&self, unit: UnitId) -> String {
        let brigade = self.brigade(unit);
        let id = self.fixed.scenario.body.units.get(usize::from(brigade.entry)).map_or("?", |entry| entry.id.as_str());
        if brigade.part == 0 { id.to_owned() } else { format!("{id}/{}", brigade.part) }
    }

    /// Its name.
    pub(crate) fn name_of(&self, unit: UnitId) -> String {
        let brigade = self.brigade(unit);
        let name =
            self.fixed.scenario.body.units.get(usize::from(brigade.entry)).map_or("?", |entry| entry.name.as_str());
        if brigade.part == 0 { name.to_owned() } else { format!("part {} of {name}", brigade.part) }
    }

    pub(crate) fn leader_name(&self, leader: OfficerId) -> &str {
        let entry = self.fixed.scenario.body.leaders.get(leader.index());
        let succeeded = self.leaders.get(leader.index()).is_some_and(|one| one.succeeded);
        entry.map_or("?", |entry| match &entry.successor {
            Some(next) if succeeded => next.as_str(),
            _ => entry.name.as_str(),
        })
    }

    pub(crate) fn leader_key(&self, leader: OfficerId) -> &str {
        self.fixed.scenario.body.leaders.get(leader.index()).map_or("?", |entry| entry.id.as_str())
    }

    /// A piece of ground as part of a key.
    pub(crate) fn ground_key(&self, ground: u16) -> String {
        let entry = self.fixed.scenario.ground.get(usize::from(ground));
        entry.and_then(|entry| entry.id.clone()).unwrap_or_else(|| format!("ground {ground}"))
    }

    pub(crate) fn ground_name(&self, ground: u16) -> String {
        let entry = self.fixed.scenario.ground.get(usize::from(ground));
        let name = entry.map(|entry| entry.name.clone().unwrap_or_else(|| format!("the {}", entry.kind)));
        name.unwrap_or_else(|| "a place".into())
    }

    /// An order as part of a key.
    pub(crate) fn order_key(&self, order: Order) -> String {
        let positions = &self.fixed.scenario.body.positions;
        let place = order.position.and_then(|n| positions.get(usize::from(n))).map_or("", |one| one.id.as_str());
        match order.kind {
            OrderKind::Attack => "attack".into(),
            OrderKind::Defend => format!("defend {place}"),
            OrderKind::AdvanceAndDefend => format!("advance to {place}"),
        }
    }

    /// An order in words, with its place.
    pub(crate) fn order_words(&self, order: Order) -> String {
        let positions = &self.fixed.scenario.body.positions;
        match order.position.and_then(|n| positions.get(usize::from(n))) {
            Some(place) => format!("{} ({})", order_word(order.kind), place.id),
            None => order_word(order.kind).into(),
        }
    }

    /// The name of a side. It may be of one or of many (France, the Allies): no verb follows it whose form would tell.
    pub(super) fn side_name(&self, side: Side) -> &str {
        &self.fixed.scenario.sides[side.index()].name
    }
}

/// An offer in words, with the brigade that it concerns and the clause that it stands on.
pub(crate) fn labelled(battle: &Battle, text: String, unit: Option<UnitId>, clause: Clause) -> Label {
    let command = unit.map(|unit| CommandId(battle.brigade(unit).under.0));
    Label { text, unit, command, clauses: vec![clause] }
}

/// The unit that an offer concerns.
pub(crate) fn unit_of(battle: &Battle, offer: &Offer) -> Option<UnitId> {
    Part::label(*offer, battle).unit
}

/// So many of something.
pub(crate) fn counted(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A phase in words.
pub(crate) fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Deployment => "deployment",
        Phase::Initiative => "initiative",
        Phase::Bombardment => "bombardment",
        Phase::Command => "command",
        Phase::Control => "control tests",
        Phase::Movement => "movement",
        Phase::CloseFire => "close artillery fire",
        Phase::LoneShots => "shots at lone leaders",
        Phase::Charges => "charges",
        Phase::Responses => "responses to charges",
        Phase::ChargeMoves => "charge moves",
        Phase::Combat => "combat",
        Phase::Morale => "morale",
        Phase::Over => "over",
    }
}

/// An order in words.
pub(crate) fn order_word(kind: OrderKind) -> &'static str {
    match kind {
        OrderKind::Defend => "defend the position",
        OrderKind::AdvanceAndDefend => "advance to the position and defend it",
        OrderKind::Attack => "advance and attack",
    }
}

pub(crate) fn decision(battle: &Battle) -> String {
    if let Some(approach) = battle.approach() {
        return format!(
            "Coming on: {}. Fall back with {}?",
            battle.name_of(approach.mover),
            battle.name_of(approach.skirmisher)
        );
    }
    if let Some(passing) = battle.passing() {
        let (mover, foot) = (battle.name_of(passing.mover), battle.name_of(passing.foot));
        return format!("Across the front of {foot} comes the move of {mover}: fire?");
    }
    if let Some(falling) = battle.falling() {
        return format!("Retiring: {}. Halt behind friends or cover?", battle.name_of(falling.unit));
    }
    if let Some(met) = battle.met() {
        return format!("{} came upon {}: what now?", battle.name_of(met.charger), battle.name_of(met.target));
    }
    if let Some(closing) = closing::closing_now(battle) {
        return format!("A base lost: {}. From which end of the line?", battle.name_of(closing.unit));
    }
    if let Some(one) = battle.scattering() {
        return format!("Base by base, {}: where to?", battle.name_of(one.unit));
    }
    if let Some((unit, die)) = battle.die() {
        return format!("Control die of {}: {die}. Shift it?", battle.name_of(unit));
    }
    let when = format!("Turn {}, {}", battle.turn, phase_word(battle.phase));
    match crate::phases::turn::deciding(battle) {
        Some(side) => format!("{when}, {}: {}", battle.side_name(side), asked(battle)),
        None => format!("{when}: nobody decides."),
    }
}

/// What a phase asks of the side that acts in it.
fn asked(battle: &Battle) -> &'static str {
    match battle.phase {
        Phase::Deployment => "set down your troops.",
        Phase::Initiative if battle.chooser.is_some() => "go first or second?",
        Phase::Initiative => "roll for it.",
        Phase::Bombardment => "which guns fire, and at whom?",
        Phase::Command => "which generals ride or join a brigade?",
        Phase::Control => "see to the brigades that must test.",
        Phase::Movement if battle.group.is_some() => "move those that were rolled for, then the next.",
        Phase::Movement => "roll for the brigades on the right, then move them.",
        Phase::CloseFire => "which guns fire at whom?",
        Phase::LoneShots => "who shoots at a leader without troops?",
        Phase::Charges => "who charges whom?",
        Phase::Responses => "what do those do who are charged?",
        Phase::ChargeMoves => "who is moved into contact next?",
        Phase::Combat => "which combat is fought next?",
        Phase::Morale => "who tests next?",
        Phase::Over => "it is over.",
    }
}

/// What a run of events comes to: who suffered, who ran, who fell.
pub(crate) fn outcome(battle: &Battle, events: &[Event]) -> String {
    let mut said: Vec<String> = Vec::new();
    for event in events {
        let one = match event {
            Event::Suffered { .. }
            | Event::Became { .. }
            | Event::LeaderRisked { .. }
            | Event::ControlTested { .. }
            | Event::ControlRolled { .. }
            | Event::InitiativeRolled { .. }
            | Event::Fought { .. }
            | Event::Hacked { .. }
            | Event::MoveRolled { .. }
            | Event::Charged { .. }
            | Event::CrewFled { .. }
            | Event::Flanked { .. }
            | Event::Ended => tell_safely(battle, event),
            Event::Fell { unit, action, .. } => format!("{} {}", battle.name_of(*unit), fast(*action).0),
            _ => continue,
        };
        said.push(one.trim_end_matches('.').to_owned());
    }
    if said.is_empty() { "nothing to roll for".into() } else { said.join("; ") }
}

/// A sentence about an event that may concern a part which has only just split off.
fn tell_safely(battle: &Battle, event: &Event) -> String {
    let unknown = match event {
        Event::Suffered { unit, .. } | Event::Became { unit, .. } | Event::Hacked { unit, .. } => {
            unit.index() >= battle.units.len()
        }
        _ => false,
    };
    if unknown { "a part that split off suffered".into() } else { tell(battle, event).text }
}

pub(crate) fn verdict(battle: &Battle) -> Option<Verdict> {
    if battle.phase != Phase::Over {
        return None;
    }
    let broken = Side::BOTH.map(|side| morale::is_broken(battle, side));
    let aims = aims::aims_in_words(battle);
    let name = |side: Side| battle.side_name(side);
    let broken_army =
        |side: Side| format!("Victory: {}. The other army is broken: {}.{aims}", name(side.other()), name(side));
    match broken {
        [true, true] => {
            return Some(Verdict {
                winner: None,
                sentence: format!("Both armies are broken.{aims}"),
                clause: MB_VIC_03,
            });
        }
        [true, false] => {
            let sentence = broken_army(Side::A);
            return Some(Verdict { winner: Some(Side::B), sentence, clause: MB_VIC_03 });
        }
        [false, true] => {
            let sentence = broken_army(Side::B);
            return Some(Verdict { winner: Some(Side::A), sentence, clause: MB_VIC_03 });
        }
        [false, false] => {}
    }
    let sudden = Side::BOTH.map(|side| crate::phases::objectives::wins_at_once(battle, side));
    if sudden[0] != sudden[1] {
        let winner = if sudden[0] { Side::A } else { Side::B };
        let sentence = format!("Victory: {}. What the battle was about is done.{aims}", name(winner));
        return Some(Verdict { winner: Some(winner), sentence, clause: MB_VIC_02 });
    }
    let judged = morale::score(battle).read(&battle.fixed.numbers);
    let winner = match judged.winner {
        "ours" => Some(Side::A),
        "theirs" => Some(Side::B),
        _ => None,
    };
    let points = |of: i32| format!("{of} {}", if of == 1 { "point" } else { "points" });
    let sentence = match winner {
        Some(side) => format!(
            "Victory: {}, by {} to {}.{aims}",
            name(side),
            points(judged.ours.max(judged.theirs)),
            judged.ours.min(judged.theirs)
        ),
        None => format!("{} to {}: neither army has won.{aims}", points(judged.ours), judged.theirs),
    };
    Some(Verdict { winner, sentence, clause: MB_VIC_04 })
}

/// How the battle ended, without figures and places.
pub(crate) fn ending(battle: &Battle) -> Option<String> {
    let verdict = verdict(battle)?;
    let name = |side: Side| battle.side_name(side);
    Some(match (verdict.winner, Side::BOTH.map(|side| morale::is_broken(battle, side))) {
        (_, [true, true]) => "Both armies are broken.".into(),
        (Some(winner), [false, false]) => format!("Victory: {}, by points.", name(winner)),
        (Some(winner), _) => format!("Victory: {}. The other army is broken.", name(winner)),
        (None, _) => "Neither army has won.".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that is said with the name of a side in it, for armies of one and of many.
    #[test]
    fn what_is_said_of_a_side_is_right_whatever_it_is_called() {
        for name in ["The Allies", "France", "French", "The Grand Alliance", "Dutch", "The army of Flanders"] {
            let to = format!("name = \"{name}\"");
            let mut battle = crate::plain::plain(&[("name = \"Allies\"", &to)]);
            battle.held = vec![None];
            let mut said = vec![
                tell(&battle, &Event::GoesFirst { side: Side::A }).text,
                tell(&battle, &Event::PhaseBegan { phase: Phase::Movement, side: Side::A }).text,
                tell(&battle, &Event::Held { objective: 0, by: Side::A, wing: None }).text,
                decision(&battle),
            ];
            battle.phase = Phase::Over;
            for unit in &mut battle.units {
                unit.status = if unit.side == Side::B { Status::Destroyed } else { unit.status };
            }
            said.extend(verdict(&battle).map(|verdict| verdict.sentence));
            assert_eq!(said.len(), 5);
            for sentence in said {
                let after = sentence.split(name).nth(1).map(str::trim_start);
                assert!(after.is_some(), "'{sentence}' does not name {name}");
                // Nothing that tells one from many follows the name: it ends there, or goes on without a verb of its own.
                let next = after.unwrap_or_default().split([' ', '.', ',', ':']).next().unwrap_or_default();
                assert!(matches!(next, "" | "to"), "'{sentence}': '{next}' after {name}");
            }
        }
    }
}
