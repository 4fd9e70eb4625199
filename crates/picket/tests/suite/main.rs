//! The tests of this crate in one program: building and linking one costs more than most of them take.

mod accord;
mod bytes;
mod every_ruleset;
mod follow;
mod odds;
mod proof;
mod quiet;
mod session;
