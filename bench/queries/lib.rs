//! See `benches/queries.rs`.
