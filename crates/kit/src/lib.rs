//! What every ruleset needs and that is no rule, so that a book is its rules and nothing else.
//!
//! | module | what it is |
//! |---|---|
//! | [`numbers!`], [`numbers`] | the numbers of a book under their clauses, and what a scenario changes of them |
//! | [`length`] | inches and centimetres, in files and in words |
//! | [`names`] | sides and units by the ids of a file |
//! | [`shapes`] | outlines, ground, sides and colours for views |
//! | [`memo`] | answers remembered until something changes |
//! | [`kept`] | what each of many may do, remembered with the ground that was looked at |
//! | [`forbid`] | a clause that forbids something |
//! | [`sentence`] | names within sentences |
//! | [`lines`] | where two straight lines cross |
//! | [`offers!`], [`part`] | the offers of a book, each told of in the file of its phase |

pub mod forbid;
pub mod kept;
pub mod length;
pub mod lines;
pub mod memo;
pub mod names;
pub mod numbers;
pub mod part;
pub mod sentence;
pub mod shapes;

pub use forbid::Forbids;
pub use kept::{Kept, Lane, Looked};
pub use length::{Inches, centimetres, inches};
pub use memo::Memo;
pub use names::{Names, side_of, unit_ids};
pub use part::Part;
pub use sentence::in_a_sentence;
// For `numbers!`, so that a book need not depend on it by itself.
#[doc(hidden)]
pub use serde;
