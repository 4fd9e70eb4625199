//! The tests of this crate in one program: building and linking one costs more than most of them take.

mod advice;
mod detours;
mod drills;
mod engagement_odds;
mod every_ruleset;
mod officers;
mod orders;
mod players;
mod proportional;
mod refusals;
mod scenarios;
mod shifts;
mod sieges;
mod words;
mod worth;
