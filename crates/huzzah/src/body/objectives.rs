//! What a scenario is won by.

use sabretache_engine::ids::Side;
use sabretache_engine::scenario::{Asked, FileLength, FilePoint, ObjectiveEntry};

/// What an objective asks for (HZ-VIC-02).
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A steady unit of the side is there at the end, and no enemy is.
    Hold(Spot),
    /// This command of the enemy's is broken at the end.
    Break(String),
    /// So many of the enemy's units are broken at the end.
    BreakUnits(u16),
    /// So many of the side's own units have retired off the table in good order.
    Exit(u16),
    /// So many of the enemy's batteries are broken at the end: their guns are left on the field.
    TakeGuns(u16),
}

/// A place to be held.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The place, or the middle of the area.
    pub middle: FilePoint,
    /// How near counts, where it is not as the book has it.
    pub radius: Option<FileLength>,
    /// The corners of the area, where it is one.
    pub area: Vec<FilePoint>,
    /// Whose it is while nobody is there.
    pub held_by: Option<Side>,
}

impl Goal {
    /// What an entry asks for; whose a place is at first, somebody else has found out.
    #[must_use]
    pub fn of(entry: &ObjectiveEntry, held_by: Option<Side>) -> Option<Self> {
        Some(match entry.asked()? {
            Asked::Hold(middle, radius) => Self::Hold(Spot { middle, radius, area: Vec::new(), held_by }),
            Asked::Area(corners) => {
                let mean = |n: usize| corners.iter().map(|corner| corner.0[n]).sum::<f64>() / corners.len() as f64;
                let middle = FilePoint([mean(0), mean(1)]);
                Self::Hold(Spot { middle, radius: None, area: corners.to_vec(), held_by })
            }
            Asked::Break(id) => Self::Break(id.to_owned()),
            Asked::BreakUnits(count) => Self::BreakUnits(count),
            Asked::Exit(count, _) => Self::Exit(count),
            Asked::TakeGuns(count) => Self::TakeGuns(count),
        })
    }
}
