//! Every ruleset there is, with its book, its computer players and its laboratory.
//!
//! All that is generic over a ruleset is compiled here, once, and not again each time the program is.

use sabretache_engine::clause::Book;
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::erased::Erased;
use sabretache_engine::scenario::Bench;
use sabretache_lab::AnyLaboratory;
use sabretache_players::Fielded;

/// The clauses of every book.
#[must_use]
pub fn books() -> Vec<&'static Book> {
    vec![
        #[cfg(feature = "huzzah")]
        &sabretache_huzzah::clauses::BOOK,
        #[cfg(feature = "batteries")]
        &sabretache_batteries::clauses::BOOK,
        #[cfg(feature = "malbrook")]
        &sabretache_malbrook::clauses::BOOK,
        #[cfg(feature = "picket")]
        &sabretache_picket::clauses::BOOK,
    ]
}

/// Every ruleset that can be fought.
#[must_use]
pub fn rulesets() -> Vec<&'static dyn AnyRuleset> {
    vec![
        #[cfg(feature = "huzzah")]
        &Erased::<sabretache_huzzah::Huzzah>::RULESET,
        #[cfg(feature = "batteries")]
        &Erased::<sabretache_batteries::Batteries>::RULESET,
        #[cfg(feature = "malbrook")]
        &Erased::<sabretache_malbrook::Malbrook>::RULESET,
        #[cfg(feature = "picket")]
        &Erased::<sabretache_picket::Picket>::RULESET,
    ]
}

/// The laboratory and the computer players of every ruleset.
#[must_use]
pub fn laboratories() -> Vec<&'static dyn AnyLaboratory> {
    vec![
        #[cfg(feature = "huzzah")]
        &Fielded::<sabretache_huzzah::Huzzah>::PLAYERS,
        #[cfg(feature = "batteries")]
        &Fielded::<sabretache_batteries::Batteries>::PLAYERS,
        #[cfg(feature = "malbrook")]
        &Fielded::<sabretache_malbrook::Malbrook>::PLAYERS,
        #[cfg(feature = "picket")]
        &Fielded::<sabretache_picket::Picket>::PLAYERS,
    ]
}

/// What the workshop needs to know of every book, by its short name.
#[must_use]
pub fn benches() -> Vec<(&'static str, Bench)> {
    vec![
        #[cfg(feature = "huzzah")]
        (sabretache_huzzah::clauses::BOOK.name, sabretache_huzzah::bench()),
        #[cfg(feature = "batteries")]
        (sabretache_batteries::clauses::BOOK.name, sabretache_batteries::bench()),
        #[cfg(feature = "malbrook")]
        (sabretache_malbrook::clauses::BOOK.name, sabretache_malbrook::bench()),
    ]
}

/// The turn of every book, phase by phase with what is to be done, and the marks that units carry: for a table with real figures.
#[must_use]
pub fn turns() -> serde_json::Value {
    serde_json::from_str(include_str!("turns.json")).unwrap_or_default()
}

/// The numbers of every ruleset, with the values of its book.
#[must_use]
pub fn numbers() -> Vec<(&'static str, serde_json::Value)> {
    fn tree<N: Default + serde::Serialize>() -> serde_json::Value {
        serde_json::to_value(N::default()).unwrap_or_default()
    }
    vec![
        #[cfg(feature = "huzzah")]
        (sabretache_huzzah::clauses::BOOK.name, tree::<sabretache_huzzah::numbers::Numbers>()),
        #[cfg(feature = "batteries")]
        (sabretache_batteries::clauses::BOOK.name, tree::<sabretache_batteries::numbers::Numbers>()),
        #[cfg(feature = "malbrook")]
        (sabretache_malbrook::clauses::BOOK.name, tree::<sabretache_malbrook::numbers::Numbers>()),
        #[cfg(feature = "picket")]
        (sabretache_picket::clauses::BOOK.name, tree::<sabretache_picket::numbers::Numbers>()),
    ]
}
