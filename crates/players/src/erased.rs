//! Any player with any ruleset behind one face, for programs that serve them all.

use std::marker::PhantomData;
use std::path::Path;

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::CommandId;
use sabretache_engine::offer::Choice;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::session::{Order, Session};
use sabretache_table::Point;

use crate::advice::{Advice, advise};
use crate::aide::{Aided, aided, aides_plan};
use crate::decide::decide_by;
use crate::exercise::{Exercise, Exercised, exercise};
use crate::fight::MEMORY;
use crate::plan::choose::plan_of;
use crate::plan::{Errand, Field, Kind, Plan, turn_of};
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

    /// An errand for a command, as an arrow is drawn; nothing where nobody could take it.
    fn errand(&self, session: &dyn AnySession, arrow: Drawn) -> Option<Errand> {
        self.thinker(session)?.errand(arrow)
    }

    /// What the aides who have these errands choose now, with a line that tells it; nothing where what is to be decided is the person's.
    fn aide(&self, session: &dyn AnySession, errands: &[Errand], random: &mut Seeded) -> Option<(Order, String)> {
        self.thinker(session)?.aide(errands, random)
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

    /// An errand as an arrow is drawn now.
    fn errand(&self, arrow: Drawn) -> Option<Errand>;

    /// What the aides who have these errands choose, with a line that tells it.
    fn aide(&self, errands: &[Errand], random: &mut Seeded) -> Option<(Order, String)>;
}

/// An arrow that a person has drawn for a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// The command.
    pub command: CommandId,
    /// What it is to do.
    pub task: Kind,
    /// Where the arrow ends: where the command stands, for one that is to hold its ground.
    pub to: Point,
    /// Where it goes by, for a way round.
    pub by: Option<Point>,
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
        let now = session.battle().clone();
        let (before, began) = (session.since_dice(MEMORY), began::<R>(session).unwrap_or_else(|| now.clone()));
        Some(Box::new(Moment::<R> { now, before, began }))
    }
}

/// The battle when the present turn began: all its moments come after all those of earlier turns.
fn began<R: Ruleset>(session: &Session<R>) -> Option<R::Battle> {
    let of = turn_of::<R>(session.battle());
    let (mut first, mut last) = (1, session.now());
    while first < last {
        let middle = first.midpoint(last);
        if turn_of::<R>(&session.battle_at(middle).ok()?) == of {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    session.battle_at(first).ok()
}

struct Moment<R: Ruleset> {
    now: R::Battle,
    before: Vec<R::Battle>,
    /// As it stood when the turn began.
    began: R::Battle,
}

impl<R: Ruleset> Moment<R> {
    fn plan(&self, skill: Skill) -> Option<Plan> {
        Some(plan_of::<R>(skill, &self.began, R::deciding(&self.now)?))
    }

    fn ordered(&self, choice: Choice<R::Offer>) -> Order {
        Order { offer: R::key(&self.now, &choice.offer), value: choice.value, ..Order::default() }
    }
}

impl<R: Ruleset> Thinker for Moment<R> {
    fn order(&self, skill: Skill, random: &mut Seeded) -> Option<Order> {
        Some(self.ordered(decide_by::<R>(skill, &self.now, &self.before, &self.plan(skill)?, random)?.choice))
    }

    fn advise(&self, skill: Skill, random: &mut Seeded) -> Option<Advice> {
        advise::<R>(skill, &self.now, &self.before, &self.plan(skill)?, random)
    }

    fn errand(&self, Drawn { command, task, to, by }: Drawn) -> Option<Errand> {
        let mut stances = Vec::new();
        R::stances(&self.now, &mut stances);
        let side = stances.iter().find(|stance| stance.command == command)?.side;
        Errand::new(&Field::of::<R>(&self.now, side)?, command, task, to, by)
    }

    fn aide(&self, errands: &[Errand], random: &mut Seeded) -> Option<(Order, String)> {
        let plan = aides_plan::<R>(&self.began, R::deciding(&self.now)?, errands);
        let Aided { choice, line } = aided::<R>(&self.now, &self.before, errands, &plan, random)?;
        Some((self.ordered(choice), line))
    }
}
