//! The table as the rules see it: who threatens whom and from where, who touches, supports, covers and sees whom, and how
//! far troops get.

pub mod bearing;
mod by_place;
pub mod command;
pub mod contact;
pub mod field;
pub mod garrison;
pub mod ground;
pub mod laid;
pub mod shape;
pub mod siege;
pub mod sight;
pub mod support;
pub mod swing;
pub mod track;
pub mod zones;

pub use field::Field;

#[cfg(test)]
mod tests;
