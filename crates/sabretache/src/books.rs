//! The books and the rulesets that this program knows.

use sabretache_engine::clause::Book;
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::erased::Erased;
use sabretache_lab::AnyLaboratory;
use sabretache_players::Fielded;

use crate::failure::{Failure, bad};

/// The clauses of every book.
pub(crate) fn books() -> Vec<&'static Book> {
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
pub(crate) fn rulesets() -> Vec<&'static dyn AnyRuleset> {
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
pub(crate) fn laboratories() -> Vec<&'static dyn AnyLaboratory> {
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

/// The numbers of every ruleset, with the values of its book.
pub(crate) fn numbers() -> Vec<(&'static str, serde_json::Value)> {
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

/// The laboratory of the ruleset with this name.
pub(crate) fn laboratory(name: &str) -> Result<&'static dyn AnyLaboratory, Failure> {
    let found = laboratories().into_iter().find(|laboratory| laboratory.ruleset() == name);
    found.ok_or_else(|| bad(format!("there is no laboratory for the ruleset '{name}'")))
}

/// The ruleset with this name.
pub(crate) fn ruleset(name: &str) -> Result<&'static dyn AnyRuleset, Failure> {
    let all = rulesets();
    let found = all.iter().find(|ruleset| ruleset.book().name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|ruleset| ruleset.book().name).collect();
        bad(format!("there is no ruleset '{name}'; there are: {}", names.join(", ")))
    })
}

/// The book with this name.
pub(crate) fn book(name: &str) -> Result<&'static Book, Failure> {
    books().into_iter().find(|book| book.name == name).ok_or_else(|| {
        let names: Vec<&str> = books().iter().map(|book| book.name).collect();
        bad(format!("there is no book '{name}'; there are: {}", names.join(", ")))
    })
}
