//! The tests of this crate in one program: building and linking one costs more than most of them take.

mod drills;
mod every_ruleset;
mod hidden;
mod ladder;
mod memory;
mod plain;
mod table;
mod words;

// Named as in the crate itself, whose own tests share the plain.
use sabretache_malbrook::{Battle, Body, Malbrook};
