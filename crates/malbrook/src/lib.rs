//! Malbrook: great battles of the War of the Spanish Succession, brigades as units.

pub mod clauses;
pub mod numbers;
pub mod situations;
pub mod troops;
