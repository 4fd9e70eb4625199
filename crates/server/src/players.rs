//! Computer players: those of the laboratories that the program brings.

use std::time::Duration;

use sabretache_engine::dice::Seeded;
use sabretache_engine::session::Order;
use sabretache_lab::AnyLaboratory;
use sabretache_players::{Advice, Budget, Skill, Thinker};

use crate::messages::{PlayerEntry, Players};

/// What a side is called that nobody plays for but whoever sits there.
pub const PERSON: &str = "person";

/// Behind the name of a computer player: where the dice are real ones, a person throws for it.
pub const BY_HAND: &str = "+hand";

/// Whether a person throws the real dice of whoever plays a side.
pub(crate) fn thrown_by_hand(name: &str) -> bool {
    name.ends_with(BY_HAND)
}

/// The longest a Marshal may think about one decision here.
const LONGEST: Duration = Duration::from_secs(30);
/// The most it may look ahead.
const MOST: u32 = 50_000;

/// The computer players of a server.
#[derive(Clone)]
pub(crate) struct Opponents(Vec<&'static dyn AnyLaboratory>);

impl Opponents {
    /// The players of these laboratories.
    pub(crate) fn new(laboratories: Vec<&'static dyn AnyLaboratory>) -> Self {
        Self(laboratories)
    }

    /// The laboratory of a ruleset.
    pub(crate) fn laboratory(&self, ruleset: &str) -> Option<&'static dyn AnyLaboratory> {
        self.0.iter().copied().find(|laboratory| laboratory.ruleset() == ruleset)
    }

    /// The computer player of this name, with its budget: `marshal:5s`. Nothing for a person and for nonsense.
    pub(crate) fn find(&self, name: &str) -> Option<Skill> {
        let skill: Skill = name.strip_suffix(BY_HAND).unwrap_or(name).parse().ok()?;
        match skill.budget() {
            Some(Budget::Time(time)) if time > LONGEST => None,
            Some(Budget::Iterations(count)) if count > MOST => None,
            _ => Some(skill),
        }
    }

    /// The first name of the two that is neither a person nor a computer player.
    pub(crate) fn unknown<'a>(&self, players: &'a Players) -> Option<&'a str> {
        let names = [players.a.as_str(), players.b.as_str()];
        names.into_iter().find(|name| *name != PERSON && self.find(name).is_none())
    }

    /// Everybody who can be chosen to play, persons first.
    pub(crate) fn entries(&self) -> Vec<PlayerEntry> {
        let person = PlayerEntry {
            name: PERSON.into(),
            title: "Person".into(),
            note: "whoever has the link to the seat".into(),
        };
        let entry = |skill: Skill| PlayerEntry {
            name: skill.to_string(),
            title: skill.title().into(),
            note: skill.note().into(),
        };
        [person].into_iter().chain(Skill::ALL.map(entry)).collect()
    }
}

/// What somebody thinks about.
pub(crate) struct Thought {
    /// The battle as it stood,
    pub(crate) thinker: Box<dyn Thinker>,
    /// and who thinks.
    pub(crate) skill: Skill,
}

impl Thought {
    /// What it chooses. `random` is its own: the dice of the battle are never looked at.
    pub(crate) fn order(&self, random: &mut Seeded) -> Option<Order> {
        self.thinker.order(self.skill, random)
    }

    /// What it would choose, and why.
    pub(crate) fn advise(&self, random: &mut Seeded) -> Option<Advice> {
        self.thinker.advise(self.skill, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_is_offered_and_known_by_its_name() {
        let opponents = Opponents::new(Vec::new());
        let names: Vec<String> = opponents.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["person", "recruit", "drill-master", "marshal:2s"]);
        let players = |a: &str| Players { a: a.into(), b: PERSON.into() };
        for known in ["person", "recruit", "drill-master", "marshal:500ms", "marshal:40", "drill-master+hand"] {
            assert_eq!(opponents.unknown(&players(known)), None, "{known}");
        }
        for unknown in ["napoleon", "marshal:31s", "marshal:50001", "", "person+hand", "+hand"] {
            assert_eq!(opponents.unknown(&players(unknown)), Some(unknown), "{unknown}");
        }
    }
}
