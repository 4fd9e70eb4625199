//! The tests of this crate in one program: building and linking one costs more than most of them take.

mod advise;
mod bad_input;
mod battles;
mod drills;
mod every_ruleset;
mod geometry;
mod ladder;
mod players;
mod said;
mod threads;
mod words;
mod works;
