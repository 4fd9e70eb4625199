//! A clause that forbids something.

use sabretache_engine::clause::Clause;
use sabretache_engine::offer::Refusal;

/// What a clause can say against a choice.
pub trait Forbids {
    /// The clause forbids it; where the players are only advised it may be done all the same.
    fn forbids(self, sentence: impl Into<String>) -> Refusal;

    /// It cannot be done at all: there is no such place, unit or state.
    fn rules_out(self, sentence: impl Into<String>) -> Refusal;

    /// The clause forbids it if this is so.
    fn forbids_if(self, so: bool, sentence: impl FnOnce() -> String) -> Result<(), Refusal>;
}

impl Forbids for Clause {
    fn forbids(self, sentence: impl Into<String>) -> Refusal {
        Refusal::new(self, sentence)
    }

    fn rules_out(self, sentence: impl Into<String>) -> Refusal {
        Refusal::impossible(self, sentence)
    }

    fn forbids_if(self, so: bool, sentence: impl FnOnce() -> String) -> Result<(), Refusal> {
        sabretache_engine::mark::ran(self);
        if so { Err(self.forbids(sentence())) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TY_GAP_01: Clause = Clause::new("TY-GAP-01");

    #[test]
    fn a_clause_forbids_or_rules_out() {
        assert!(!TY_GAP_01.forbids("it has moved").impossible);
        assert!(TY_GAP_01.rules_out("there is no such hill").impossible);
        assert_eq!(TY_GAP_01.forbids_if(false, || unreachable!("nothing is said of what is allowed")), Ok(()));
        let refusal = TY_GAP_01.forbids_if(true, || "it has moved".into()).unwrap_err();
        assert_eq!(refusal.to_string(), "it has moved [TY-GAP-01]");
    }

    #[test]
    fn asking_whether_it_forbids_is_deciding_it() {
        let (_, ran) = sabretache_engine::mark::watched(|| TY_GAP_01.forbids_if(false, String::new));
        assert!(ran.contains(&TY_GAP_01));
    }
}
