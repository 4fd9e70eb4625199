//! Any player with any ruleset behind one face, for programs that serve them all.

use std::marker::PhantomData;
use std::path::Path;

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::AnySession;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::session::{Order, Session};

use crate::advice::{Advice, advise};
use crate::decide::decide;
use crate::exercise::{Exercise, Exercised, exercise};
use crate::fight::MEMORY;
use crate::skill::Skill;

/// The players of a ruleset.
pub trait AnyPlayers: Send + Sync {
    /// The short name of the ruleset.
    fn ruleset(&self) -> &'static str;

    /// The battle as it stands, to be thought about apart from the session; nothing when the session is of another
    /// ruleset.
    fn thinker(&self, session: &dyn AnySession) -> Option<Box<dyn Thinker>>;

    /// What a player chooses now; nothing when nobody decides, or when the session is of another ruleset.
    ///
    /// `random` is the player's own: the dice of the battle are never looked at.
    fn order(&self, session: &dyn AnySession, skill: Skill, random: &mut Seeded) -> Option<Order> {
        self.thinker(session)?.order(skill, random)
    }

    /// What a player would choose now, and why.
    fn advise(&self, session: &dyn AnySession, skill: Skill, random: &mut Seeded) -> Option<Advice> {
        self.thinker(session)?.advise(skill, random)
    }

    /// How a player does at an exercise; its folder is where its scenario is looked for.
    fn exercise(&self, one: &Exercise, folder: &Path, skill: Skill, tries: u32) -> Result<Exercised, String>;
}

/// A battle as it stood at one moment, with its players. It can be taken to another thread while the session goes on.
pub trait Thinker: Send {
    /// What a player chooses; nothing when nobody decides.
    fn order(&self, skill: Skill, random: &mut Seeded) -> Option<Order>;

    /// What a player would choose, and why.
    fn advise(&self, skill: Skill, random: &mut Seeded) -> Option<Advice>;
}

/// Makes an [`AnyPlayers`] of a [`Ruleset`].
pub struct Fielded<R>(PhantomData<fn() -> R>);

impl<R> Fielded<R> {
    /// The players of the ruleset.
    pub const PLAYERS: Self = Self(PhantomData);
}

impl<R: Ruleset> AnyPlayers for Fielded<R> {
    fn ruleset(&self) -> &'static str {
        R::BOOK.name
    }

    fn exercise(&self, one: &Exercise, folder: &Path, skill: Skill, tries: u32) -> Result<Exercised, String> {
        exercise::<R>(one, folder, skill, tries)
    }

    fn thinker(&self, session: &dyn AnySession) -> Option<Box<dyn Thinker>> {
        let session = session.as_any().downcast_ref::<Session<R>>()?;
        Some(Box::new(Moment::<R> { now: session.battle().clone(), before: session.since_dice(MEMORY) }))
    }
}

struct Moment<R: Ruleset> {
    now: R::Battle,
    before: Vec<R::Battle>,
}

impl<R: Ruleset> Thinker for Moment<R> {
    fn order(&self, skill: Skill, random: &mut Seeded) -> Option<Order> {
        let choice = decide::<R>(skill, &self.now, &self.before, random)?.choice;
        Some(Order { offer: R::key(&self.now, &choice.offer), value: choice.value, ..Order::default() })
    }

    fn advise(&self, skill: Skill, random: &mut Seeded) -> Option<Advice> {
        advise::<R>(skill, &self.now, &self.before, random)
    }
}
