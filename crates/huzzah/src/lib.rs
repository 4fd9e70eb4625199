//! Huzzah!: Napoleonic battles of battalions, regiments and batteries.

pub mod apply;
pub mod battle;
pub mod body;
pub mod clauses;
pub mod event;
pub mod lay;
pub mod muster;
pub mod numbers;
pub mod phases;
pub mod situations;
pub mod state;
pub mod table;
pub mod terrain;
pub mod troops;
