//! The clauses of the book as constants, generated from `rules/malbrook.toml`.

include!(concat!(env!("OUT_DIR"), "/clauses.rs"));
