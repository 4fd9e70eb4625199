//! Paper for a real table: a booklet for a battle, a quick sheet for a book, a battle's story.
//!
//! A [`Paper`] is a page design (a template for typst in `pages/`), what stands on it (JSON), and its pictures. It is worked out
//! without typst, and so tested without; [`pdf`] sets it where the feature `pdf` is switched on.

mod account;
mod booklet;
mod playsheet;
#[cfg(feature = "pdf")]
mod press;
mod roster;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub use account::story;
pub use booklet::{Marks, booklet};
pub use playsheet::quick_sheet;

/// Whether this build can set pages.
pub const HAS_PRESS: bool = cfg!(feature = "pdf");

/// Something to be printed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Paper {
    /// The design of its pages.
    pub design: Design,
    /// What stands on them.
    pub data: Json,
    /// Its pictures as SVG, by the names under which the data speaks of them.
    pub pictures: Vec<(String, String)>,
}

/// What the pages of a paper look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// A battle for a real table.
    Booklet,
    /// A book on two pages.
    QuickSheet,
    /// A battle told afterwards.
    Story,
}

/// Why something was not printed.
#[derive(Debug, PartialEq, Eq)]
pub enum NotPrinted {
    /// The program was built without typst.
    NoPress,
    /// A page could not be set.
    Wrong(String),
}

impl std::fmt::Display for NotPrinted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoPress => f.write_str(
                "this program was built without PDF (cargo build --features pdf has it); any browser prints the HTML",
            ),
            Self::Wrong(why) => write!(f, "the pages could not be set: {why}"),
        }
    }
}

impl std::error::Error for NotPrinted {}

/// The paper as a PDF file; the same bytes every time.
#[cfg(feature = "pdf")]
pub fn pdf(paper: &Paper) -> Result<Vec<u8>, NotPrinted> {
    press::pdf(paper).map_err(NotPrinted::Wrong)
}

/// The paper as a PDF file; this build has no press.
#[cfg(not(feature = "pdf"))]
pub fn pdf(_paper: &Paper) -> Result<Vec<u8>, NotPrinted> {
    Err(NotPrinted::NoPress)
}
