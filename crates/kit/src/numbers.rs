//! The numbers of a book, each under the clause it belongs to.

use sabretache_engine::scenario::{Diagnostics, Scenario, with_overrides};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The book's numbers as a scenario changes them: `"PK-MOV-01.most" = 90`. What is wrong with a change is reported.
pub fn of_scenario<N, B>(scenario: &Scenario<B>, report: &mut Diagnostics) -> Option<N>
where
    N: Clone + Default + Serialize + DeserializeOwned,
{
    with_overrides(&N::default(), &scenario.numbers, report)
}

/// Declares groups of numbers: plain public fields, each with its clause and the book's value.
///
/// ```
/// sabretache_kit::numbers! {
///     /// Every number that a scenario may change by name.
///     Numbers {
///         /// How far an advance goes, in millimetres.
///         #[serde(rename = "PK-MOV-01")]
///         advance: Advance = Advance::default(),
///     }
///
///     /// An advance.
///     Advance {
///         /// At the most.
///         most: u16 = 120,
///     }
/// }
/// assert_eq!(Numbers::default().advance.most, 120);
/// ```
#[macro_export]
macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty = $value:expr,)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, $crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(deny_unknown_fields, crate = "sabretache_kit::serde")]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    )* };
}
