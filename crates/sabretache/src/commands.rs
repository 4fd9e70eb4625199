//! One file for each command.

pub(crate) mod army;
pub(crate) mod bench;
pub(crate) mod booklet;
pub(crate) mod chances;
pub(crate) mod clauses;
pub(crate) mod compare;
pub(crate) mod compliance;
pub(crate) mod drill;
pub(crate) mod engine;
pub(crate) mod exercise;
pub(crate) mod fight;
pub(crate) mod ladder;
pub(crate) mod manual;
#[cfg(feature = "huzzah")]
pub(crate) mod muster;
pub(crate) mod odds;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod scenario;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod story;
pub(crate) mod verify;
pub(crate) mod words;

mod laboratory;

use std::borrow::Cow;
use std::io::Write as _;

use serde::Serialize;

use crate::failure::{Failure, bad};

/// A text in which every control character but tabs and ends of lines is shown by its picture: names come out of files, and a
/// terminal would obey them.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if !text.contains(obeyed) {
        return text.into();
    }
    let picture = |letter: char| match u32::from(letter) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(|letter| if obeyed(letter) { picture(letter) } else { letter }).collect::<String>().into()
}

/// Prints a text to standard output. A reader who has gone away is no fault.
fn print(text: &str) -> Result<(), Failure> {
    let text = harmless(text);
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(bad(format!("standard output: {error}"))),
        _ => Ok(()),
    }
}

/// Prints a value as one line of JSON.
fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(value).map_err(|error| bad(format!("cannot be written as JSON: {error}")))?;
    print(&(line + "\n"))
}

/// Prints a value as JSON for people.
fn print_pretty(value: &impl Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| bad(format!("cannot be written as JSON: {error}")))?;
    print(&(text + "\n"))
}
