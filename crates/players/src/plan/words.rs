//! A plan in words and arrows, as a staff officer would put it.

use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::stance::Branch;
use sabretache_table::{Point, Vec2};
use serde::{Deserialize, Serialize};

use super::{Kind, Plan, Target, Task};

/// A plan for a person: in a sentence or two, and as arrows on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct PlanAdvice {
    /// What kind of plan it is, in a few words.
    pub name: String,
    /// What everybody does, why, and what would change our mind.
    pub text: String,
    /// What everybody does, on the map.
    pub arrows: Vec<Arrow>,
    /// How the choice at hand serves it, as a sentence; nothing where it concerns nobody who has a task.
    pub serves: Option<String>,
}

/// What some troops do, on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct Arrow {
    /// The command, as a token.
    pub command: String,
    /// Who it is, in words.
    pub who: String,
    /// What they do: `attack`, `pin`, `turn`, `hold`, `garrison`, `reserve`, `withdraw`.
    pub task: String,
    /// Where they stand.
    #[ts(type = "{ x: number; y: number }")]
    pub from: Point,
    /// Where they go by; nothing where they go straight.
    #[ts(type = "{ x: number; y: number } | null")]
    pub by: Option<Point>,
    /// Where they are wanted.
    #[ts(type = "{ x: number; y: number }")]
    pub to: Point,
}

impl Kind {
    /// In a machine's word.
    const fn word(self) -> &'static str {
        match self {
            Self::Attack => "attack",
            Self::Pin => "pin",
            Self::Turn => "turn",
            Self::Hold => "hold",
            Self::Garrison => "garrison",
            Self::Reserve => "reserve",
            Self::Withdraw => "withdraw",
        }
    }
}

impl Plan {
    /// The plan for a person; `unit` is whom the choice at hand concerns.
    #[must_use]
    pub fn told<R: Ruleset>(&self, battle: &R::Battle, unit: Option<UnitId>) -> Option<PlanAdvice> {
        if self.tasks.is_empty() {
            return None;
        }
        let turn = R::clock(battle).turn.unwrap_or(1);
        let mut parts: Vec<(String, Vec<String>)> = Vec::new();
        let mut longest = (0, String::new());
        let mut arrows = Vec::new();
        for task in &self.tasks {
            let (what, who) = (said::<R>(battle, task), self.who::<R>(battle, task));
            match parts.iter_mut().find(|(known, _)| *known == what) {
                Some((_, all)) => all.push(who.clone()),
                None => parts.push((what, vec![who.clone()])),
            }
            if task.turns > longest.0 && matches!(task.kind, Kind::Attack | Kind::Turn) {
                longest = (task.turns, who.clone());
            }
            arrows.push(Arrow {
                command: task.body.0.to_string(),
                who,
                task: task.kind.word().to_owned(),
                from: Point::rounded(task.from),
                by: task.by.map(Point::rounded),
                to: Point::rounded(task.to),
            });
        }
        let parts = parts.into_iter().map(|(what, who)| format!("{what} with {}", listed(&who)));
        let mut text = capital(&format!("{}.", parts.collect::<Vec<_>>().join("; ")));
        if let Some((rounds, by)) = self.tried {
            let against = if by > 0.0 {
                format!("{:+.0} in a hundred on leaving everybody to himself", 50.0 * by)
            } else {
                "no worse than leaving everybody to himself".into()
            };
            text += &format!(" Played out {rounds} times against plans of the enemy's: {against}.");
        }
        if longest.0 > 0 {
            let when = turn + longest.0;
            text += &format!(" If {} has not come to grips by turn {when}, we think again.", longest.1);
        }
        let serves = unit.and_then(|unit| self.task_of(unit)).map(|task| {
            let what = said::<R>(battle, task);
            format!("It serves the plan: {what} with {}.", self.who::<R>(battle, task))
        });
        Some(PlanAdvice { name: self.name.clone(), text, arrows, serves })
    }

    /// Who has a task: a unit by its name, a whole command by its own, or what it has of a branch.
    fn who<R: Ruleset>(&self, battle: &R::Battle, task: &Task) -> String {
        let name = |named: Named| R::name(battle, named).map_or_else(|| "some troops".to_owned(), |(_, name)| name);
        if let [unit] = task.units[..] {
            return name(unit.into());
        }
        let command = name(task.body.0.into());
        let shared = self.tasks.iter().any(|other| other.body.0 == task.body.0 && other.body.1 != task.body.1);
        match task.body.1 {
            _ if !shared => command,
            Branch::Foot => format!("the foot of {command}"),
            Branch::Horse => format!("the horse of {command}"),
            Branch::Guns => format!("the guns of {command}"),
        }
    }
}

/// What is to be done, as an order.
fn said<R: Ruleset>(battle: &R::Battle, task: &Task) -> String {
    let target = match &task.target {
        Target::Ground => String::new(),
        Target::Place(name) => name.clone(),
        Target::Body(command, branch) => {
            let name = R::name(battle, (*command).into()).map_or_else(|| "the enemy".to_owned(), |(_, name)| name);
            match branch {
                Branch::Foot => format!("the foot of {name}"),
                Branch::Horse => format!("the horse of {name}"),
                Branch::Guns => format!("the guns of {name}"),
            }
        }
    };
    match task.kind {
        Kind::Attack => format!("attack {target}"),
        Kind::Pin => format!("pin {target}"),
        Kind::Turn => format!("go round by the {} and take {target} in flank", compass(task)),
        Kind::Hold => "hold the ground".to_owned(),
        Kind::Garrison => format!("keep {target}"),
        Kind::Reserve => "stay in reserve".to_owned(),
        Kind::Withdraw => "fall back".to_owned(),
    }
}

/// On which side of the straight way a way round leads.
fn compass(task: &Task) -> &'static str {
    let by = task.by.unwrap_or(task.to);
    let straight = (task.to - task.from).unit();
    let off: Vec2 = by - task.from - straight * (by - task.from).dot(straight);
    match (off.x.abs() > off.y.abs(), off.x > 0.0, off.y > 0.0) {
        (true, true, _) => "east",
        (true, false, _) => "west",
        (false, _, true) => "north",
        (false, _, false) => "south",
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
