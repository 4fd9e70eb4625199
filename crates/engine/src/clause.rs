//! A clause is one atomic rule with an id, a title and a text in our own words.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The id of a clause, such as `HZ-THR-03`: a small value that modifiers, refusals and events carry.
///
/// The id is stored in place rather than as an index into a book, so that a log keeps its meaning when a later version
/// of a book renumbers its clauses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause {
    id: [u8; Self::LONGEST],
}

impl Clause {
    /// The longest id there can be, in bytes.
    pub const LONGEST: usize = 12;

    /// The clause with this id. Meant for the constants that the build step generates.
    ///
    /// # Panics
    /// When the id is longer than [`Clause::LONGEST`]; in a constant this is a compile error.
    #[must_use]
    #[expect(clippy::panic, reason = "evaluated at compile time")]
    pub const fn new(id: &str) -> Self {
        let bytes = id.as_bytes();
        if bytes.is_empty() || bytes.len() > Self::LONGEST {
            panic!("a clause id has 1 to 12 characters");
        }
        let mut own = [0; Self::LONGEST];
        let mut i = 0;
        while i < bytes.len() {
            own[i] = bytes[i];
            i += 1;
        }
        Self { id: own }
    }

    /// The clause named in text from outside, or nothing if that cannot be a clause id.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        let fits = (1..=Self::LONGEST).contains(&id.len());
        let plain = id.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
        (fits && plain).then(|| Self::new(id))
    }

    /// The id as text.
    #[must_use]
    pub fn id(&self) -> &str {
        let length = self.id.iter().position(|&b| b == 0).unwrap_or(Self::LONGEST);
        // Both constructors take a `&str` of at most this length, so the bytes are text.
        std::str::from_utf8(&self.id[..length]).unwrap_or("?")
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Clause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Clause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&id).ok_or_else(|| de::Error::custom(format!("'{id}' is no clause id (one looks like HZ-THR-03)")))
    }
}

impl JsonSchema for Clause {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Clause".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[A-Z0-9-]{1,12}$", "description": "The id of a clause, such as HZ-THR-03." })
    }
}

/// What a book says in one clause, in our own words.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ClauseText {
    /// Its id.
    pub id: Clause,
    /// The rule in one line.
    pub title: &'static str,
    /// Where the book has it.
    pub source: &'static str,
    /// Concept, modifier, restriction, table and so on.
    pub kind: &'static str,
    /// The rule.
    pub text: &'static str,
    /// How we read it where the book is silent or can be read in two ways.
    pub ruling: Option<&'static str>,
    /// A worked case.
    pub example: &'static str,
    /// Clauses it builds on.
    pub needs: &'static [Clause],
    /// The optional rule it belongs to, if it is one.
    pub option: Option<Clause>,
    /// Why no line of code decides it, where none does.
    pub without_force: Option<&'static str>,
    /// The lines that decide it.
    pub decided: &'static [Place],
}

/// A line of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, from the root of the project.
    pub file: &'static str,
    /// The line, from one.
    pub line: u32,
}

/// All the clauses of one ruleset.
#[derive(Debug, Clone, Copy)]
pub struct Book {
    /// The short name used on the command line and in files.
    pub name: &'static str,
    /// The title of the book.
    pub title: &'static str,
    /// The clauses, in the order of the book.
    pub clauses: &'static [ClauseText],
}

impl Book {
    /// The text of a clause, if the book has it.
    #[must_use]
    pub fn find(&self, clause: Clause) -> Option<&'static ClauseText> {
        self.clauses.iter().find(|text| text.id == clause)
    }

    /// The title of a clause; its id where the book does not know it (an old log may name a clause since renumbered).
    #[must_use]
    pub fn title_of(&self, clause: Clause) -> String {
        self.find(clause).map_or_else(|| clause.to_string(), |text| text.title.to_owned())
    }

    /// The clauses that contain every one of these words, in title, text, ruling or example, whatever their case.
    #[must_use]
    pub fn search(&self, words: &str) -> Vec<&'static ClauseText> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let has_all = |clause: &&ClauseText| {
            let all =
                [clause.id.id(), clause.title, clause.text, clause.ruling.unwrap_or(""), clause.example].join("\n");
            let all = all.to_lowercase();
            words.iter().all(|word| all.contains(word))
        };
        self.clauses.iter().filter(has_all).collect()
    }
}

/// Says which clauses a Rust test is for, so that `make clauses` can count them. The names are checked by the compiler.
///
/// ```ignore
/// #[test]
/// fn a_square_has_no_flank() {
///     tests_clauses!(HZ_GEO_11);
/// }
/// ```
#[macro_export]
macro_rules! tests_clauses {
    ($($clause:path),+ $(,)?) => {
        let _: &[$crate::clause::Clause] = &[$($clause),+];
    };
}

#[cfg(test)]
mod tests {
    use super::Clause;

    #[test]
    fn ids_survive_a_round_trip_through_json() {
        let clause = Clause::new("HZ-THR-03");
        let json = serde_json::to_string(&clause).unwrap();
        assert_eq!(json, "\"HZ-THR-03\"");
        assert_eq!(serde_json::from_str::<Clause>(&json).unwrap(), clause);
    }

    #[test]
    fn text_that_is_no_id_is_refused() {
        for wrong in ["", "hz-thr-03", "HZ-THR-03-TOO-LONG", "HZ THR", "HZ-É"] {
            assert_eq!(Clause::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Clause::parse("ABCDEFGHIJKL").unwrap().id(), "ABCDEFGHIJKL");
    }
}
