//! A player makes its choice.

use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Choice;
use sabretache_engine::playout::random_choice;
use sabretache_engine::ruleset::Ruleset;

use crate::expect::{Spread, expectation, standing};
use crate::hands::{OWN, quick};
use crate::judge::{Care, best, judge};
use crate::marshal::search;
use crate::plan::Plan;
use crate::plan::choose::plan_of;
use crate::skill::Skill;

/// What a player chose, and what else it thought of.
#[derive(Clone, Debug)]
pub struct Decided<O> {
    /// The choice.
    pub choice: Choice<O>,
    /// What it weighed, the best first; empty for one who weighs nothing.
    pub considered: Vec<Considered<O>>,
}

/// A choice that was weighed.
#[derive(Clone, Debug)]
pub struct Considered<O> {
    /// The choice.
    pub choice: Choice<O>,
    /// What it is expected to come to, in the ruleset's points.
    pub value: f64,
    /// How often a search tried it, and what it came to on average, from -1 (lost) to 1 (won).
    pub searched: Option<(u32, f64)>,
}

/// The choice of a player whose turn begins now; nothing when nobody decides.
pub fn decide<R: Ruleset>(
    skill: Skill,
    battle: &R::Battle,
    before: &[R::Battle],
    random: &mut Seeded,
) -> Option<Decided<R::Offer>> {
    let plan = plan_of::<R>(skill, battle, R::deciding(battle)?);
    decide_by::<R>(skill, battle, before, &plan, random)
}

/// Of a turn's budget each decision that is searched has one part of so many.
const DECISIONS: u32 = 12;

/// The choice of a player with a plan; nothing when nobody decides.
///
/// `before` is where the battle stood since dice were last thrown: no player goes back there. `random` is the player's own: the dice of the battle are never
/// looked at.
pub fn decide_by<R: Ruleset>(
    skill: Skill,
    battle: &R::Battle,
    before: &[R::Battle],
    plan: &Plan,
    random: &mut Seeded,
) -> Option<Decided<R::Offer>> {
    R::deciding(battle)?;
    let care = Care::DRILLED.by(skill.judgement()).with(plan);
    let searched = |budget, random: &mut Seeded| -> Vec<Considered<R::Offer>> {
        let found = search::<R>(battle, before, budget, care, random).into_iter();
        found
            .map(|one| Considered { choice: one.choice, value: one.glance, searched: Some((one.visits, one.mean)) })
            .collect()
    };
    let considered: Vec<Considered<R::Offer>> = match skill {
        Skill::Recruit => Vec::new(),
        Skill::Ensign => {
            let eye = care.eye(R::deciding(battle)?);
            let choice = quick::<R>(battle, before, (eye, OWN), random)?;
            let value = expectation::<R>(battle, &[], &choice, eye, 1, &mut Spread::default()).map(|seen| seen.value);
            vec![Considered { choice, value: value.unwrap_or_else(|| standing::<R>(battle, eye)), searched: None }]
        }
        Skill::DrillMaster | Skill::FirstDrillMaster => judge::<R>(battle, before, care, random)
            .into_iter()
            .map(|one| Considered { choice: one.choice, value: one.value, searched: None })
            .collect(),
        Skill::Marshal(budget) => searched(budget.part(DECISIONS), random),
        Skill::FirstMarshal(budget) => searched(budget, random),
        // It is asked by a session, which it may ask in turn: see `contest`.
        Skill::Program(_) => return None,
    };
    let choice = match considered.first() {
        Some(best) => best.choice.clone(),
        None => random_choice::<R>(battle, &mut Vec::new(), random)?,
    };
    Some(Decided { choice, considered })
}

/// The same choice as [`decide`] makes, where nobody asks what else was thought of.
pub fn choose<R: Ruleset>(
    skill: Skill,
    battle: &R::Battle,
    before: &[R::Battle],
    random: &mut Seeded,
) -> Option<Choice<R::Offer>> {
    let plan = plan_of::<R>(skill, battle, R::deciding(battle)?);
    choose_by::<R>(skill, battle, before, &plan, random)
}

/// The same choice as [`decide_by`] makes, where nobody asks what else was thought of.
pub fn choose_by<R: Ruleset>(
    skill: Skill,
    battle: &R::Battle,
    before: &[R::Battle],
    plan: &Plan,
    random: &mut Seeded,
) -> Option<Choice<R::Offer>> {
    match skill {
        Skill::DrillMaster | Skill::FirstDrillMaster => {
            R::deciding(battle)?;
            best::<R>(battle, before, Care::DRILLED.by(skill.judgement()).with(plan), random)
                .or_else(|| random_choice::<R>(battle, &mut Vec::new(), random))
        }
        Skill::Ensign => {
            let eye = Care::DRILLED.with(plan).eye(R::deciding(battle)?);
            quick::<R>(battle, before, (eye, OWN), random)
                .or_else(|| random_choice::<R>(battle, &mut Vec::new(), random))
        }
        _ => decide_by::<R>(skill, battle, before, plan, random).map(|decided| decided.choice),
    }
}
