//! Turns the clauses of the book into constants.

fn main() {
    sabretache_clauses::build("../../rules/batteries.toml", "batteries", "Brigades and Batteries", "1");
}
