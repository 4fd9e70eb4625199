//! Sides, units and whatever else a file refers to by an id.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, Path, Scenario};

/// The side with an id.
#[must_use]
pub fn side_of<B>(scenario: &Scenario<B>, id: &str) -> Option<Side> {
    let position = scenario.sides.iter().position(|side| side.id == id)?;
    Side::BOTH.get(position).copied()
}

/// The side with an id; one that is not there is reported with those that are, and the first taken in its place.
pub fn read_side<B>(scenario: &Scenario<B>, id: &str, at: Path, report: &mut Diagnostics) -> Side {
    side_of(scenario, id).unwrap_or_else(|| {
        let known: Vec<&str> = scenario.sides.iter().map(|side| side.id.as_str()).collect();
        report.error_with_help(at, format!("there is no side '{id}'"), format!("one of {}", known.join(", ")));
        Side::A
    })
}

/// The id of a side, as files write it.
#[must_use]
pub fn id_of<B>(scenario: &Scenario<B>, side: Side) -> String {
    scenario.sides.get(side.index()).map(|entry| entry.id.clone()).unwrap_or_default()
}

/// The ids of so many units: they are numbered in the order of the file.
pub fn unit_ids(count: usize) -> impl DoubleEndedIterator<Item = UnitId> + ExactSizeIterator {
    (0..count.min(usize::from(u16::MAX))).map(|n| UnitId(n as u16))
}

/// What a list of a file calls its entries, in their order: `units`, `leaders`.
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: Vec<String>,
}

impl Names {
    /// The names of a list. An id with spaces or none, and one that is there twice, is reported; `what` is what an entry is
    /// called in a sentence: `picket`.
    pub fn read<'a>(
        list: &str,
        what: &str,
        ids: impl IntoIterator<Item = &'a String>,
        report: &mut Diagnostics,
    ) -> Self {
        let mut names = Self::default();
        for (n, id) in ids.into_iter().enumerate() {
            let at = Path::root().key(list).item(n).key("id");
            if id.is_empty() || id.contains(char::is_whitespace) {
                report.error(at.clone(), "an id is a word without spaces");
            }
            if names.ids.contains(id) {
                report.error(at, format!("there are two {what}s '{id}'"));
            }
            names.ids.push(id.clone());
        }
        names
    }

    /// The place in the list of the entry with an id.
    #[must_use]
    pub fn position(&self, id: &str) -> Option<usize> {
        self.ids.iter().position(|other| other == id)
    }

    /// The unit with an id.
    #[must_use]
    pub fn unit(&self, id: &str) -> Option<UnitId> {
        self.position(id).and_then(|n| u16::try_from(n).ok()).map(UnitId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_and_each_is_there_once() {
        let mut report = Diagnostics::new();
        let ids = ["r1", "r 2", "r1", ""].map(String::from);
        let names = Names::read("units", "picket", &ids, &mut report);
        let told: Vec<String> = report.iter().map(|one| format!("{}: {}", one.path, one.message)).collect();
        assert_eq!(
            told,
            [
                "units[1].id: an id is a word without spaces",
                "units[2].id: there are two pickets 'r1'",
                "units[3].id: an id is a word without spaces"
            ]
        );
        assert_eq!((names.unit("r1"), names.unit("r9")), (Some(UnitId(0)), None));
        assert_eq!(unit_ids(3).last(), Some(UnitId(2)));
    }
}
