//! Computer players. The recruit is always there; a program brings others with [`crate::serve_with`].

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::AnySession;
use sabretache_engine::session::Order;

use crate::messages::{PlayerEntry, Players};

/// Whatever plays a side without being asked.
pub trait ComputerPlayer: Sync {
    /// Its short name.
    fn name(&self) -> &'static str;
    /// What it is called.
    fn title(&self) -> &'static str;
    /// What it is like, in a sentence.
    fn note(&self) -> &'static str;
    /// What it chooses. `random` is its own: the dice of the battle are never looked at.
    fn order(&self, session: &dyn AnySession, random: &mut Seeded) -> Option<Order>;
}

/// What a side is called that nobody plays for but whoever sits there.
pub const PERSON: &str = "person";

/// Picks any allowed choice at random.
struct Recruit;

impl ComputerPlayer for Recruit {
    fn name(&self) -> &'static str {
        "recruit"
    }

    fn title(&self) -> &'static str {
        "Recruit"
    }

    fn note(&self) -> &'static str {
        "does anything the rules allow, without a plan"
    }

    fn order(&self, session: &dyn AnySession, random: &mut Seeded) -> Option<Order> {
        session.random_order(random)
    }
}

/// The computer players of a server.
#[derive(Clone)]
pub(crate) struct Opponents(Vec<&'static dyn ComputerPlayer>);

impl Opponents {
    /// The recruit and these; of two with the same name the later is left out.
    pub(crate) fn new(others: Vec<&'static dyn ComputerPlayer>) -> Self {
        let mut all: Vec<&'static dyn ComputerPlayer> = vec![&Recruit];
        for other in others {
            if other.name() != PERSON && all.iter().all(|one| one.name() != other.name()) {
                all.push(other);
            }
        }
        Self(all)
    }

    /// The computer player of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&'static dyn ComputerPlayer> {
        self.0.iter().copied().find(|player| player.name() == name)
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
        let entry = |player: &&dyn ComputerPlayer| PlayerEntry {
            name: player.name().into(),
            title: player.title().into(),
            note: player.note().into(),
        };
        [person].into_iter().chain(self.0.iter().map(entry)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recruit_is_always_there_and_there_once() {
        let opponents = Opponents::new(vec![&Recruit]);
        let names: Vec<String> = opponents.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["person", "recruit"]);
        let players = |a: &str| Players { a: a.into(), b: PERSON.into() };
        assert_eq!(opponents.unknown(&players("recruit")), None);
        assert_eq!(opponents.unknown(&players("napoleon")), Some("napoleon"));
    }
}
