//! The phases of a turn, in the order of play.

pub mod setup;
