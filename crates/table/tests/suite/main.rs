//! The tests of this crate in one program: building and linking one costs more than most of them take.

mod layout;
mod oracle_ground;
mod oracle_index;
mod oracle_sight;
mod oracle_sweep;
mod oracle_zone;
