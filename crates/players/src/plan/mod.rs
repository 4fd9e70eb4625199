//! A plan: a task for every body of a side's troops, and what it is worth to be on the way.
//!
//! A body is what a command has of one branch: its foot, its horse, its guns. A plan knows no book. It is made of where everybody stands
//! ([`Ruleset::stances`]) and of the places that count ([`Ruleset::places`]), once for each side's turn ([`choose`]); while it holds, the choices of
//! that turn are weighed by how the battle stands and by how far each unit has come to where its task wants it. So a march that costs before it
//! pays is begun and finished.
//!
//! ```text
//! battle as the turn begins ─→ field ─→ portfolio of plans ─→ one of them ─→ worth + progress, choice by choice
//! ```
//!
//! The plan follows from the battle as it stood when the turn began: the same log gives the same plan.

pub mod choose;
mod errand;
mod field;
pub mod kept;
mod portfolio;
mod race;
mod turn;
mod words;

use sabretache_engine::ids::{CommandId, Side, UnitId};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::stance::{Branch, Stance};
use sabretache_table::Vec2;
use serde::{Deserialize, Serialize};

pub use errand::{Errand, entrusted};
pub use field::Field;
pub use portfolio::portfolio;
pub use turn::{Turn, turn_of};
pub use words::{Arrow, PlanAdvice};

/// What a body of troops is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Go for an enemy body or a place.
    Attack,
    /// Keep an enemy body where it is: within reach, out of contact.
    Pin,
    /// Go round a flank and come at it from there.
    Turn,
    /// Stay on this ground.
    Hold,
    /// Hold a place with one unit, the others beside it.
    Garrison,
    /// Stay behind the line until it is needed.
    Reserve,
    /// Give ground.
    Withdraw,
}

/// What a task is aimed at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing but the ground.
    Ground,
    /// What an enemy command has of one branch.
    Body(CommandId, Branch),
    /// A place that counts, by its name.
    Place(String),
}

/// A task for what a command has of one branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What is to be done.
    pub kind: Kind,
    /// By whom.
    pub body: (CommandId, Branch),
    /// Those of them who are fit for it.
    pub units: Vec<UnitId>,
    /// To what.
    pub target: Target,
    /// Where they are, where they go by, and where they are wanted.
    pub from: Vec2,
    /// The way round, where there is one.
    pub by: Option<Vec2>,
    /// The middle of the line on which they are wanted.
    pub to: Vec2,
    /// How many turns it takes, as a rule.
    pub turns: u32,
}

/// Where one unit is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct March {
    unit: UnitId,
    goal: Vec2,
    /// A point to be passed first, and in which direction from the enemy it lies.
    by: Option<(Vec2, Vec2)>,
    /// Within so many moves of the goal it is there.
    near: f64,
}

/// A task for each body of a side, and where each unit is wanted by it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Whose.
    pub side: Side,
    /// What kind of plan it is, in a few words.
    pub name: String,
    /// The tasks; what has none does as it sees fit.
    pub tasks: Vec<Task>,
    /// In the order of the units.
    marches: Vec<March>,
    /// What a move nearer is worth, in the ruleset's points.
    move_worth: f64,
    /// How it did where plans were tried: how often, and by how much better than none, from -1 to 1.
    pub tried: Option<(u32, f64)>,
}

/// What a move nearer to where a unit is wanted is worth, of what a unit is worth.
const MOVE_WORTH: f64 = 0.09;
/// Nobody is further than so many moves from where he is wanted.
const FARTHEST: f64 = 8.0;
/// A unit looks at its goal from the side when it does so for this share of what the point to be passed does.
const ROUND: f64 = 0.8;
/// What it costs, in moves, to face straight away from where one has to go.
const TURNED: f64 = 0.6;

impl Plan {
    /// No plan: everybody as he sees fit.
    #[must_use]
    pub fn free(side: Side) -> Self {
        let name = "everybody as he sees fit".to_owned();
        Self { side, name, tasks: Vec::new(), marches: Vec::new(), move_worth: 0.0, tried: None }
    }

    /// A plan made by hand: where units are wanted, each within so many moves of its place, and what a move is worth of what a unit is.
    #[must_use]
    pub fn by_hand(side: Side, name: &str, goals: &[(UnitId, Vec2, f64)], stances: &[Stance], zeal: f64) -> Self {
        let mut marches: Vec<March> =
            goals.iter().map(|(unit, goal, near)| March { unit: *unit, goal: *goal, by: None, near: *near }).collect();
        marches.sort_by_key(|march| march.unit);
        let all: f64 = stances.iter().map(|stance| stance.points).sum();
        let move_worth = zeal * all / stances.len().max(1) as f64;
        Self { name: name.to_owned(), marches, move_worth, ..Self::free(side) }
    }

    /// Whether it leaves everybody to himself.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.marches.is_empty()
    }

    /// How far its side has come on with it, in the ruleset's points: only what is there and fit comes on.
    #[must_use]
    pub fn progress<R: Ruleset>(&self, battle: &R::Battle) -> f64 {
        if self.marches.is_empty() {
            return 0.0;
        }
        let mut stances = Vec::with_capacity(48);
        R::stances(battle, &mut stances);
        self.come(&stances)
    }

    fn come(&self, stances: &[Stance]) -> f64 {
        let mut moves = 0.0;
        for stance in stances.iter().filter(|stance| stance.side == self.side && stance.ready) {
            if let Ok(at) = self.marches.binary_search_by_key(&stance.unit, |march| march.unit) {
                moves += FARTHEST - self.marches[at].left(stance).min(FARTHEST);
            }
        }
        moves * self.move_worth
    }

    /// Where a unit is to go next and how many moves it still has to go; nothing where the plan leaves it to itself.
    #[must_use]
    pub fn wanted(&self, stance: &Stance) -> Option<(Vec2, f64)> {
        let at = self.marches.binary_search_by_key(&stance.unit, |march| march.unit).ok()?;
        let march = &self.marches[at];
        let next = march.on_the_way(stance).map_or(march.goal, |(by, _)| by);
        Some((next, march.left(stance)))
    }

    /// The task of a unit.
    #[must_use]
    pub fn task_of(&self, unit: UnitId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.units.contains(&unit))
    }
}

impl March {
    /// The point that a unit still has to pass. One that has come out far enough is round the corner, and so is one that looks at its goal from that
    /// side.
    fn on_the_way(&self, stance: &Stance) -> Option<(Vec2, Vec2)> {
        self.by.filter(|(by, out)| {
            let from_aside = |at: Vec2| (at - self.goal).dot(*out) / (at - self.goal).length().max(1.0);
            (stance.at - *by).dot(*out) < -stance.pace.max(1.0) / 2.0 && from_aside(stance.at) < ROUND * from_aside(*by)
        })
    }

    /// How many moves a unit still has to go.
    fn left(&self, stance: &Stance) -> f64 {
        let pace = stance.pace.max(1.0);
        let (next, rest) = match self.on_the_way(stance) {
            Some((by, _)) => (by, (self.goal - by).length()),
            None => (self.goal, 0.0),
        };
        let way = next - stance.at;
        let length = way.length();
        let moves = (length + rest) / pace - self.near;
        if moves <= 0.0 {
            return 0.0;
        }
        let turned = if length > pace { (1.0 - stance.facing.dot(way * (1.0 / length))) / 2.0 } else { 0.0 };
        moves + TURNED * turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stance(at: Vec2, facing: Vec2) -> Stance {
        Stance {
            unit: UnitId(3),
            side: Side::A,
            command: CommandId(0),
            branch: Branch::Horse,
            at,
            facing,
            front: 5.0,
            pace: 10.0,
            points: 100.0,
            ready: true,
        }
    }

    const NORTH: Vec2 = Vec2::new(0.0, 1.0);
    const EAST: Vec2 = Vec2::new(1.0, 0.0);

    #[test]
    fn a_way_round_gains_with_every_step_though_it_leads_away_from_the_goal() {
        let march =
            March { unit: UnitId(3), goal: Vec2::new(0.0, 60.0), by: Some((Vec2::new(40.0, 20.0), EAST)), near: 1.0 };
        let way = [(0.0, 0.0), (10.0, 5.0), (20.0, 10.0), (36.0, 18.0), (30.0, 40.0), (5.0, 56.0)];
        let left: Vec<f64> = way.iter().map(|(x, y)| march.left(&stance(Vec2::new(*x, *y), EAST))).collect();
        assert!(left.windows(2).all(|pair| pair[1] < pair[0]), "{left:?}");
        let straight = March { by: None, ..march };
        assert!(
            straight.left(&stance(Vec2::new(20.0, 10.0), NORTH)) > straight.left(&stance(Vec2::new(0.0, 20.0), NORTH))
        );
    }

    #[test]
    fn to_face_the_way_counts_and_to_be_there_is_enough() {
        let march = March { unit: UnitId(3), goal: Vec2::new(0.0, 60.0), by: None, near: 1.0 };
        assert!(march.left(&stance(Vec2::default(), NORTH)) < march.left(&stance(Vec2::default(), EAST)));
        assert_eq!(march.left(&stance(Vec2::new(0.0, 51.0), EAST)), 0.0);
    }

    #[test]
    fn who_is_lost_or_runs_does_not_come_on() {
        let march = March { unit: UnitId(3), goal: Vec2::new(0.0, 60.0), by: None, near: 1.0 };
        let plan = Plan { marches: vec![march], move_worth: 10.0, ..Plan::free(Side::A) };
        let there = stance(Vec2::new(0.0, 30.0), NORTH);
        assert!(plan.come(&[there]) > 0.0);
        assert_eq!(plan.come(&[Stance { ready: false, ..there }]), 0.0);
        assert_eq!(plan.come(&[Stance { side: Side::B, ..there }]), 0.0);
        assert_eq!(plan.come(&[]), 0.0);
    }
}
