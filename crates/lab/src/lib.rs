//! The laboratory: a scenario, or any moment of a battle, fought thousands of times.
//!
//! | module | what it is |
//! |---|---|
//! | [`field`] | any ruleset behind one face, ready to fight a scenario again and again |
//! | [`record`] | what is kept of a run and of each battle |
//! | [`variant`] | what if: a number of the rules or a part of the scenario changed |
//! | [`simulate`] | the battles themselves, over all cores, safe to interrupt and to resume |
//! | [`sequential`] | a test that ends as soon as it is clear which of two hypotheses holds |
//! | [`statistics`] | shares and differences with their intervals, ratings |
//! | [`results`] | a run and its battles: tables, files, merging of shards |
//! | [`words`] | what came of it in a few sentences |
//! | [`balance`] | what would make a scenario fairer |
//! | [`summary`], [`report`] | what came of it, as text and as one HTML page |
//! | [`course`] | how one battle went, moment by moment: turns, worth, losses |
//! | [`compare`] | whether two variants differ |
//! | [`ladder`] | players against each other |
//! | [`measure`] | how fast it all is |
//!
//! Same seed, same results, byte for byte, whatever the number of threads, unless a player goes by the clock.

pub mod balance;
pub mod compare;
pub mod course;
pub mod field;
pub mod ladder;
pub mod measure;
pub mod moments;
pub mod record;
pub mod report;
pub mod results;
pub mod sequential;
pub mod simulate;
pub mod statistics;
pub mod summary;
pub mod table;
pub mod variant;
pub mod words;

mod chronicle;
#[cfg(feature = "parquet")]
mod parquet_file;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet_file.rs"]
mod parquet_file;

pub use compare::{Comparison, compare, fight_both};
pub use course::{Course, CourseCommand, CourseMoment};
pub use field::{AnyLaboratory, Field, Luck, Reckon};
pub use ladder::{Ladder, Match, ladder};
pub use measure::{Bench, Measured};
pub use record::{Fought, Loss, Run, Shard};
pub use report::html;
pub use results::{LabError, Results};
pub use sabretache_players::chance::{self, Chances};
pub use sequential::{Bounds, Found, Pairs};
pub use simulate::{Plan, Progress, Watch, simulate};
pub use summary::text;
pub use variant::vary;
pub use words::answer;
