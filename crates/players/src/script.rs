//! A person's plan written down: where each unit goes by, what is done as soon as it may be, and what is never done.
//!
//! Scripts are there to be beaten: a general that loses to one that fits on a page does not see what a person sees at once. What a script
//! does not say is done by the Drill-master's hands, with the places where the units are wanted in mind.

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::{Named, Side, UnitId};
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::FilePoint;
use sabretache_engine::stance::Stance;
use sabretache_table::{Point, Vec2};
use serde::Deserialize;

use crate::expect::Spread;
use crate::judge::{Care, judge_among};
use crate::plan::Plan;

/// A person's plan, as data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The plan in a few words.
    pub name: String,
    /// The scenario file that it is for, relative to its own.
    pub scenario: String,
    /// The side, by its id.
    pub side: String,
    /// Where units go.
    #[serde(default)]
    pub go: Vec<Way>,
    /// Officers who ride with a unit: his id and the unit's.
    #[serde(default)]
    pub ride: Vec<(String, String)>,
    /// What is done as soon as it may be, by its key, in which `*` stands for anything.
    #[serde(default)]
    pub first: Vec<String>,
    /// What is never done.
    #[serde(default)]
    pub never: Vec<String>,
    /// How much the way counts: of what a unit is worth, for each move.
    #[serde(default = "usual_zeal")]
    pub zeal: f64,
}

fn usual_zeal() -> f64 {
    0.3
}

/// Where a unit goes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The unit, by its id.
    pub unit: String,
    /// The places that it goes by, the last of which it is to be at.
    pub by: Vec<FilePoint>,
    /// Within how many moves of a place it is there.
    #[serde(default = "usual_near")]
    pub near: f64,
}

fn usual_near() -> f64 {
    0.4
}

/// A script that is being followed in a battle.
pub struct Follower<'a> {
    script: &'a Script,
    side: Side,
    /// How many of its places each unit has passed.
    passed: Vec<usize>,
    /// In which turn each officer rode last.
    rode: Vec<Option<u32>>,
}

/// Shorter rides than this, in micrometres, are not made.
const LEAST_RIDE: f64 = 30_000.0;

impl<'a> Follower<'a> {
    /// Begins to follow a script.
    #[must_use]
    pub fn new(script: &'a Script, side: Side) -> Self {
        Self { script, side, passed: vec![0; script.go.len()], rode: vec![None; script.ride.len()] }
    }

    /// What the script chooses now; nothing when its side does not decide.
    pub fn choose<R: Ruleset>(
        &mut self,
        battle: &R::Battle,
        before: &[R::Battle],
        random: &mut Seeded,
    ) -> Option<Choice<R::Offer>> {
        let mut stances = Vec::new();
        R::stances(battle, &mut stances);
        let mut offers = Vec::new();
        R::offers(battle, &mut offers);
        let keyed: Vec<(String, R::Offer)> = offers.into_iter().map(|offer| (R::key(battle, &offer), offer)).collect();
        if let Some(choice) = self.at_once::<R>(battle, &keyed).or_else(|| self.ride::<R>(battle, &keyed, &stances)) {
            return Some(choice);
        }
        let plan = self.plan::<R>(battle, &stances);
        let never = |offer: &R::Offer| {
            let key = R::key(battle, offer);
            self.script.never.iter().any(|pattern| crate::exercise::like(pattern, &key))
        };
        let all = keyed.iter().all(|(_, offer)| never(offer));
        let care = Care::DRILLED.with(&plan);
        judge_among::<R>(battle, before, care, |offer| all || !never(offer), random)
            .into_iter()
            .next()
            .map(|one| one.choice)
    }

    /// What is done as soon as it may be.
    fn at_once<R: Ruleset>(&self, battle: &R::Battle, keyed: &[(String, R::Offer)]) -> Option<Choice<R::Offer>> {
        self.script.first.iter().find_map(|pattern| {
            let (_, offer) = keyed.iter().find(|(key, _)| crate::exercise::like(pattern, key))?;
            let mut values = Vec::new();
            R::proposals(battle, offer, &mut values);
            let choice = Choice { offer: offer.clone(), value: values.into_iter().next()? };
            let mut trial = battle.clone();
            let allowed = R::resolve(&mut Resolution::new(&mut trial, &mut Spread::default()), &choice).is_ok();
            (allowed && trial != *battle).then_some(choice)
        })
    }

    /// An officer rides to the unit that he is to be with, once a turn.
    fn ride<R: Ruleset>(
        &mut self,
        battle: &R::Battle,
        keyed: &[(String, R::Offer)],
        stances: &[Stance],
    ) -> Option<Choice<R::Offer>> {
        let turn = R::clock(battle).turn.unwrap_or(0);
        for (n, (officer, unit)) in self.script.ride.iter().enumerate() {
            let Some((_, offer)) = keyed.iter().find(|(key, _)| *key == format!("ride {officer}")) else { continue };
            let with = stances.iter().find(|stance| id_of::<R>(battle, stance.unit).as_deref() == Some(unit));
            let (Some(with), false) = (with, self.rode[n] == Some(turn)) else { continue };
            self.rode[n] = Some(turn);
            let input = R::input(battle, offer);
            let behind = with.at - with.facing * with.front;
            let from = officer_at::<R>(battle, officer)?;
            let way = behind - from;
            let reached = [1.0, 0.9, 0.75, 0.6, 0.45, 0.3].into_iter().find_map(|share| {
                let value = Value::Point(Point::rounded(from + way * share));
                (way.length() * share > LEAST_RIDE && input.fits(&value)).then_some(value)
            });
            if let Some(value) = reached {
                return Some(Choice { offer: offer.clone(), value });
            }
        }
        None
    }

    /// Where everybody is wanted now.
    fn plan<R: Ruleset>(&mut self, battle: &R::Battle, stances: &[Stance]) -> Plan {
        let measure = R::measure(battle);
        let mut goals: Vec<(UnitId, Vec2, f64)> = Vec::new();
        for (way, passed) in self.script.go.iter().zip(&mut self.passed) {
            let Some(stance) =
                stances.iter().find(|stance| id_of::<R>(battle, stance.unit).as_deref() == Some(way.unit.as_str()))
            else {
                continue;
            };
            let at = |n: usize| way.by.get(n).map(|place| measure.point(*place).v());
            while *passed + 1 < way.by.len()
                && at(*passed).is_some_and(|at| (at - stance.at).length() < way.near * stance.pace)
            {
                *passed += 1;
            }
            goals.extend(at(*passed).map(|at| (stance.unit, at, way.near)));
        }
        Plan::by_hand(self.side, &self.script.name, &goals, stances, self.script.zeal)
    }
}

fn id_of<R: Ruleset>(battle: &R::Battle, unit: UnitId) -> Option<String> {
    R::name(battle, Named::Unit(unit)).map(|(id, _)| id)
}

fn officer_at<R: Ruleset>(battle: &R::Battle, id: &str) -> Option<Vec2> {
    R::view(battle).officers.iter().find(|officer| officer.key == id)?.at.map(|at| at.v())
}
