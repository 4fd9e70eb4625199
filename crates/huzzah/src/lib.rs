//! Huzzah!: Napoleonic battles of battalions, regiments and batteries.

pub mod clauses;
pub mod numbers;
pub mod troops;
