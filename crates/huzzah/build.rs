//! Turns the clauses of the book into constants.

fn main() {
    sabretache_clauses::build("../../rules/huzzah.toml", "huzzah", "Huzzah!", "1.11");
}
