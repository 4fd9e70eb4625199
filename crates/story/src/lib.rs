//! A battle told afterwards: its map, its prose, its page and its film, made from views and stories of any book.
//!
//! Nothing here knows a rule. What happened is read off the story of the log, who was lucky off its rolls, who is left off
//! the table as it stood first and last.

mod booklet;
mod deeds;
mod film;
mod gather;
mod map;
mod page;
mod prose;
mod telling;
mod terms;

pub use booklet::booklet;
pub use film::{Frame, film};
pub use gather::{Gathered, gather};
pub use map::{Drawn, map};
pub use page::{fortunes, losses, page};
pub use telling::{Account, Distinguished, Fortune, Passage, tell};
pub use terms::Terms;
