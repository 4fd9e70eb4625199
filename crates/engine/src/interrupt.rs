//! Interrupts are ordinary decisions of the other side; standing instructions answer them without asking.

use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::UnitId;

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
