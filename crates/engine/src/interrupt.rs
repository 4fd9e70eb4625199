//! Interrupts are ordinary decisions of the other side; standing instructions answer them without asking.

use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{CommandId, Side, UnitId};

/// What the current decision interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupt<O> {
    /// What may be done, in a word: `bombard`, `evade`.
    pub kind: &'static str,
    /// Who may react.
    pub reactors: Vec<UnitId>,
    /// Whose doing is interrupted.
    pub mover: UnitId,
    /// How far the nearest reactor is from the mover.
    pub distance: Length,
    /// The offer that lets it pass.
    pub pass: O,
}

impl<O> Interrupt<O> {
    /// What makes it the same as one before, as far as this says: the same reaction of the same to the same.
    #[must_use]
    pub fn sameness(&self) -> String {
        let reactors: Vec<String> = self.reactors.iter().map(UnitId::to_string).collect();
        format!("{} {} {}", self.kind, reactors.join(" "), self.mover)
    }
}

/// What is to be known of an interrupt before anybody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Whether anything that may be done could change what happens: a shot that can hurt, an evasion that can save.
    pub meaningful: bool,
    /// The same for the same reactors, the same target and the same band: what was let pass stays passed until it changes.
    pub sameness: String,
}

/// The turn and phase of a battle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The turn, where the book counts turns.
    pub turn: Option<u32>,
    /// The phase, as the book calls it.
    pub phase: String,
    /// Whose phase it is.
    pub phasing: Option<Side>,
}

/// How long a standing instruction holds. All end with the battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// To the end of this phase.
    Phase,
    /// To the end of this turn.
    Turn,
    /// To the end of the battle.
    #[default]
    Battle,
}

impl Until {
    /// Whether it has ended, given then and now.
    #[must_use]
    pub fn is_past(self, given: &Clock, now: &Clock) -> bool {
        match self {
            Self::Phase => given != now,
            Self::Turn => given.turn != now.turn,
            Self::Battle => false,
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Phase => "for this phase",
            Self::Turn => "for this turn",
            Self::Battle => "for this battle",
        }
    }
}

/// A standing instruction: "let it pass", for some interrupts, unless the mover comes close.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(default, deny_unknown_fields)]
pub struct Standing {
    /// Only interrupts of this kind; every kind when not given.
    pub kind: Option<String>,
    /// Only when this unit is the one that could react.
    #[ts(type = "string | null")]
    pub reactor: Option<UnitId>,
    /// Only when this unit moves.
    #[ts(type = "string | null")]
    pub mover: Option<UnitId>,
    /// Ask all the same when the mover is this close or closer, in micrometres.
    #[ts(type = "number | null")]
    pub unless_within: Option<Length>,
    /// It ends when a unit of this command is shot at or charged.
    #[ts(type = "string | null")]
    pub unless_touched: Option<CommandId>,
    /// How long it holds.
    pub until: Until,
}

impl Standing {
    /// Whether this instruction lets the interrupt pass. With several possible reactors it must cover each of them.
    #[must_use]
    pub fn lets_pass<O>(&self, interrupt: &Interrupt<O>) -> bool {
        self.kind.as_ref().is_none_or(|kind| kind == interrupt.kind)
            && self.reactor.is_none_or(|unit| interrupt.reactors == [unit])
            && self.mover.is_none_or(|unit| unit == interrupt.mover)
            && self.unless_within.is_none_or(|close| interrupt.distance > close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interrupt(distance: Length) -> Interrupt<()> {
        Interrupt { kind: "evade", reactors: vec![UnitId(2)], mover: UnitId(7), distance, pass: () }
    }

    #[test]
    fn an_instruction_covers_what_it_names_and_nothing_else() {
        let any = Standing::default();
        assert!(any.lets_pass(&interrupt(Length::cm(3))));
        let evade = Standing { kind: Some("evade".into()), reactor: Some(UnitId(2)), ..any.clone() };
        assert!(evade.lets_pass(&interrupt(Length::cm(3))));
        let other = Standing { mover: Some(UnitId(8)), ..any };
        assert!(!other.lets_pass(&interrupt(Length::cm(3))));
    }

    #[test]
    fn it_asks_all_the_same_when_the_mover_is_close() {
        let far = Standing { unless_within: Some(Length::cm(10)), ..Standing::default() };
        assert!(!far.lets_pass(&interrupt(Length::cm(10))), "exactly there is close");
        assert!(far.lets_pass(&interrupt(Length::cm(10) + Length::um(1))));
    }
}
