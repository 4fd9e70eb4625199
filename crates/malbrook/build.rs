//! Turns the clauses of the book into constants.

fn main() {
    sabretache_clauses::build("../../rules/malbrook.toml", "malbrook", "Malbrook", "1");
}
