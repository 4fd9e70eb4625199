//! Computer players. A new one is a type with [`ComputerPlayer`] and a line in [`ALL`].

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

/// Every computer player there is.
pub static ALL: &[&dyn ComputerPlayer] = &[&Recruit];

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

/// The computer player of this name.
pub(crate) fn find(name: &str) -> Option<&'static dyn ComputerPlayer> {
    ALL.iter().copied().find(|player| player.name() == name)
}

/// The first name of the two that is neither a person nor a computer player.
pub(crate) fn unknown(players: &Players) -> Option<&str> {
    [players.a.as_str(), players.b.as_str()].into_iter().find(|name| *name != PERSON && find(name).is_none())
}

/// Everybody who can be chosen to play, persons first.
pub(crate) fn entries() -> Vec<PlayerEntry> {
    let person =
        PlayerEntry { name: PERSON.into(), title: "Person".into(), note: "whoever has the link to the seat".into() };
    let entry = |player: &&dyn ComputerPlayer| PlayerEntry {
        name: player.name().into(),
        title: player.title().into(),
        note: player.note().into(),
    };
    [person].into_iter().chain(ALL.iter().map(entry)).collect()
}
