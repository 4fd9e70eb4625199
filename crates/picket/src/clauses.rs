//! The clauses as constants, generated from `rules.toml`.

include!(concat!(env!("OUT_DIR"), "/clauses.rs"));
