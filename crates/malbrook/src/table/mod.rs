//! What lies on the table: where everybody stands, what is near what, who sees whom, and how far a way leads.

pub(crate) mod crowds;
pub(crate) mod flight;
pub(crate) mod hidden;
pub(crate) mod lay;
pub(crate) mod memo;
pub(crate) mod nearing;
pub(crate) mod openings;
pub(crate) mod path;
pub(crate) mod room;
pub(crate) mod sight;
