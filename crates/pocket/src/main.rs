//! The pocket: one question on standard input, its answer on standard output. Compiled to WebAssembly it needs nothing of the
//! machine it runs on but these two.

use std::io::{Read, Write};

use sabretache_engine::ruleset::Ruleset;
use sabretache_pocket::Tests;

fn main() -> std::io::Result<()> {
    let shelf: [(_, Tests); 3] = [
        (&sabretache_huzzah::clauses::BOOK, sabretache_huzzah::Huzzah::situations()),
        (&sabretache_batteries::clauses::BOOK, sabretache_batteries::Batteries::situations()),
        (&sabretache_malbrook::clauses::BOOK, sabretache_malbrook::Malbrook::situations()),
    ];
    let mut asked = String::new();
    std::io::stdin().read_to_string(&mut asked)?;
    std::io::stdout().write_all(sabretache_pocket::answer(&shelf, &asked).as_bytes())
}
