//! Computer opponents, on the engine's trait alone: they know no book.
//!
//! A ruleset tells them two things: how well a battle stands for a side (`Ruleset::worth`) and a few sensible inputs
//! for each offer (`Ruleset::proposals`). From these:
//!
//! | player | how it decides |
//! |---|---|
//! | Recruit | anything the rules allow, at random |
//! | Ensign | the first thing that gains anything, by task and cheap geometry: [`hands`] |
//! | Drill-master | what stands best after the dice, the enemy's reactions included: [`judge`] |
//! | Marshal | makes a plan for every turn by playing plans out ([`plan`]), and searches ahead with it in mind: [`marshal`] |
//!
//! ```text
//! offers × proposals ─→ candidates ─→ judged by expectation over the dice and by the plan ─→ (searched) ─→ a choice, with reasons
//! ```
//!
//! Somebody else's program plays through [`program`].
//!
//! The same battle, skill and seed give the same choice on any machine and any number of threads, unless a Marshal is
//! given time instead of a number of iterations.

pub mod advice;
pub mod agreement;
pub mod aide;
pub mod candidates;
pub mod chance;
pub mod contest;
pub mod decide;
pub mod erased;
pub mod exercise;
pub mod expect;
pub mod fate;
pub mod fight;
pub mod hands;
pub mod judge;
pub mod learnt;
pub mod marshal;
pub mod plan;
pub mod program;
pub mod script;
pub mod skill;

pub use advice::{Advice, Weighed};
pub use agreement::{Agreement, Even, OneSided};
pub use aide::Aided;
pub use chance::Chances;
pub use contest::{Contested, NoContest, Terms, contest};
pub use decide::{Considered, Decided, choose, decide};
pub use erased::{AnyPlayers, Drawn, Fielded, Thinker};
pub use exercise::{Exercise, Exercised, Judgement, Theme, read_exercises};
pub use fate::{BattleDice, Keyed};
pub use fight::{Ended, Stuck, fight, fight_keyed};
pub use plan::{Arrow, Errand, Plan, PlanAdvice};
pub use program::{Fault, FaultKind, Program};
pub use skill::{Budget, Skill, UnknownSkill};
