//! Turns the clauses into constants.

fn main() {
    sabretache_clauses::build("rules.toml", "picket", "Picket", "1");
}
