//! Brigades and Batteries: division-sized Napoleonic battles, figures and guns as strength.

pub mod clauses;
