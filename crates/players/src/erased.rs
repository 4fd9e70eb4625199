//! Any player with any ruleset behind one face, for programs that serve them all.

use std::marker::PhantomData;

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::AnySession;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::session::{Order, Session};

use crate::advice::{Advice, advise};
use crate::decide::decide;
use crate::skill::Skill;

/// The players of a ruleset.
pub trait AnyPlayers: Send + Sync {
    /// The short name of the ruleset.
    fn ruleset(&self) -> &'static str;

    /// What a player chooses now; nothing when nobody decides, or when the session is of another ruleset.
    ///
    /// `random` is the player's own: the dice of the battle are never looked at.
    fn order(&self, session: &dyn AnySession, skill: Skill, random: &mut Seeded) -> Option<Order>;

    /// What a player would choose now, and why.
    fn advise(&self, session: &dyn AnySession, skill: Skill, random: &mut Seeded) -> Option<Advice>;
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

    fn order(&self, session: &dyn AnySession, skill: Skill, random: &mut Seeded) -> Option<Order> {
        let battle = session.as_any().downcast_ref::<Session<R>>()?.battle();
        let choice = decide::<R>(skill, battle, random)?.choice;
        Some(Order { offer: R::key(battle, &choice.offer), value: choice.value, ..Order::default() })
    }

    fn advise(&self, session: &dyn AnySession, skill: Skill, random: &mut Seeded) -> Option<Advice> {
        let battle = session.as_any().downcast_ref::<Session<R>>()?.battle();
        advise::<R>(skill, battle, random)
    }
}
