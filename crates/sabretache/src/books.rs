//! The books and the rulesets that this program knows.

use sabretache_engine::clause::Book;
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::erased::Erased;

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
