//! An aide: a person hands it commands with an errand each, and it makes their choices under it; all others stay with the person.

use sabretache_engine::dice::Seeded;
use sabretache_engine::handle::Group;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::stance::Stance;

use crate::judge::{Care, judge_among};
use crate::plan::{Errand, Field, Plan, entrusted};

/// What an aide does next, and why.
#[derive(Clone, Debug)]
pub struct Aided<O> {
    /// The choice.
    pub choice: Choice<O>,
    /// A line that tells it.
    pub line: String,
}

/// The plan of a side's aides, from the battle as it stood when the turn began.
#[must_use]
pub fn aides_plan<R: Ruleset>(began: &R::Battle, side: Side, errands: &[Errand]) -> Plan {
    Field::of::<R>(began, side).map_or_else(|| Plan::free(side), |field| entrusted(&field, errands))
}

/// The next choice of the aides of the side that decides; nothing where what is to be decided is the person's: it concerns none of the commands
/// that were handed over, or the aides see nothing more to be done with them while there is something left for the person.
pub fn aided<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    errands: &[Errand],
    plan: &Plan,
    random: &mut Seeded,
) -> Option<Aided<R::Offer>> {
    R::deciding(battle)?;
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    let handed = Handed::<R>::new(battle, errands);
    let all: Vec<Whose> = offers.iter().map(|offer| handed.whose(offer)).collect();
    if !all.contains(&Whose::Aide) {
        return None;
    }
    // Where nobody else could do anything, to end it is the aide's as well: an order that it gave is its own to finish.
    let alone = !all.contains(&Whose::Person);
    let mine = |offer: &R::Offer| handed.whose(offer) != Whose::Person;
    let judged = judge_among::<R>(battle, before, Care::DRILLED.with(plan), mine, random);
    let choice = judged.into_iter().next()?.choice;
    if !alone && handed.whose(&choice.offer) == Whose::Nobody {
        return None;
    }
    let label = R::label(battle, &choice.offer);
    let serves = plan.told::<R>(battle, label.unit).and_then(|told| told.serves);
    let line = serves.map_or_else(|| format!("{}.", label.text), |serves| format!("{}. {serves}", label.text));
    Some(Aided { choice, line })
}

/// Whose an offer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Aide,
    Person,
    /// It ends something, or lets something pass.
    Nobody,
}

/// The commands that are handed over, and who fights under which.
struct Handed<'a, R: Ruleset> {
    battle: &'a R::Battle,
    errands: &'a [Errand],
    stances: Vec<Stance>,
}

impl<'a, R: Ruleset> Handed<'a, R> {
    fn new(battle: &'a R::Battle, errands: &'a [Errand]) -> Self {
        let mut stances = Vec::new();
        R::stances(battle, &mut stances);
        Self { battle, errands, stances }
    }

    fn whose(&self, offer: &R::Offer) -> Whose {
        let label = R::label(self.battle, offer);
        let stance = |unit| self.stances.iter().find(|stance| stance.unit == unit).map(|stance| stance.command);
        let of_unit = label.unit.and_then(|unit| stance(unit).or_else(|| R::command_of(self.battle, unit)));
        match of_unit.or(label.command) {
            Some(command) if self.errands.iter().any(|errand| errand.command == command) => Whose::Aide,
            Some(_) => Whose::Person,
            None if R::handling(self.battle, offer).group == Group::End => Whose::Nobody,
            None => Whose::Person,
        }
    }
}
