//! Where troops stand: rows of units about a point, laid out by the frontages of a book.

use crate::list::{Command, Formed, List, Nation, Place, Unit};

/// Room behind a row for the one that leads it, in paces.
const ROOM: f64 = 45.0;

/// How a book measures the field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Paces to the book's inch or centimetre.
    paces: f64,
    /// Between two units of a row, in paces.
    interval: f64,
    /// Parts of the book's measure to which places are rounded.
    grain: f64,
}

/// Width and depth of a unit on the table, in the book's measure.
pub(crate) type Footprint = (f64, f64);

/// A unit in its place, in the book's measure.
pub(crate) struct Placed<'a> {
    pub(crate) unit: &'a Unit,
    /// Which of its battalions, from 0.
    pub(crate) part: u8,
    pub(crate) at: Place,
    pub(crate) facing: f64,
}

impl Frame {
    /// The frame of a book in a list.
    pub(crate) fn new(list: &List, book: &str, usual: f64, grain: f64) -> Self {
        let own = list.books.get(book);
        let paces = own.and_then(|own| own.paces).unwrap_or(usual).max(0.1);
        Self { paces, interval: own.and_then(|own| own.interval).unwrap_or(10.0), grain }
    }

    fn rounded(self, x: f64) -> f64 {
        (x * self.grain).round() / self.grain
    }

    /// A length of the field on the table.
    pub(crate) fn length(self, paces: f64) -> f64 {
        self.rounded(paces / self.paces)
    }

    /// A place of the field on the table.
    pub(crate) fn place(self, at: Place) -> Place {
        at.map(|x| self.length(x))
    }

    /// The same for several.
    pub(crate) fn places(self, all: &[Place]) -> Vec<Place> {
        all.iter().map(|&at| self.place(at)).collect()
    }

    /// The units of a command row by row, and behind the first row a place for its leader.
    pub(crate) fn lay<'a>(
        self,
        list: &'a List,
        command: &Command,
        footprint: &dyn Fn(&Unit, Formed) -> Footprint,
        split: bool,
    ) -> (Vec<Placed<'a>>, Place) {
        let facing = command.facing.unwrap_or_default();
        let at = self.place(command.at.or(command.arrives.map(|arrival| arrival.at)).unwrap_or_default());
        let mut placed = Vec::new();
        let (mut back, mut leader) = (0.0, None);
        if command.at.is_none() {
            // One that comes up stands just inside the edge by which it enters.
            let mine = |unit: &&Unit| unit.command == command.id;
            let deep = |unit: &Unit| footprint(unit, formed(command, unit)).1;
            back = -list.units.iter().filter(mine).map(deep).fold(0.0, f64::max) - ROOM / self.paces;
        }
        for row in 1..=6 {
            let of_row = |unit: &&Unit| unit.command == command.id && unit.row == row && unit.at.is_none();
            let parts: Vec<(&Unit, u8)> = list
                .units
                .iter()
                .filter(of_row)
                .flat_map(|unit| (0..if split { unit.battalions } else { 1 }).map(move |part| (unit, part)))
                .collect();
            let sizes: Vec<Footprint> = parts.iter().map(|(unit, _)| footprint(unit, formed(command, unit))).collect();
            let gap = self.interval / self.paces;
            let whole = sizes.iter().map(|size| size.0 + gap).sum::<f64>() - gap;
            let mut along = -whole / 2.0;
            for ((unit, part), size) in parts.iter().zip(&sizes) {
                let at = self.aside(at, facing, along + size.0 / 2.0, back);
                placed.push(Placed { unit, part: *part, at, facing: unit.facing.unwrap_or(facing) });
                along += size.0 + gap;
            }
            let deepest = sizes.iter().map(|size| size.1).fold(0.0, f64::max);
            if !sizes.is_empty() {
                leader.get_or_insert(back + deepest + ROOM / 2.0 / self.paces);
                back += (deepest + ROOM / self.paces).max(command.depth.unwrap_or(0.0) / self.paces);
            }
        }
        for unit in list.units.iter().filter(|unit| unit.command == command.id) {
            for (part, at) in (0..if split { unit.battalions } else { 1 }).zip(unit.at.into_iter().cycle()) {
                let facing = unit.facing.unwrap_or(facing);
                let (wide, _) = footprint(unit, formed(command, unit));
                let at = self.aside(self.place(at), facing, f64::from(part) * (wide + self.interval / self.paces), 0.0);
                placed.push(Placed { unit, part, at, facing });
            }
        }
        let leader = self.aside(at, facing, 0.0, leader.unwrap_or_default());
        (placed, leader)
    }

    /// A place so far to the right and to the rear of another.
    fn aside(self, at: Place, facing: f64, right: f64, back: f64) -> Place {
        let (sin, cos) = facing.to_radians().sin_cos();
        let moved = [at[0] + right * cos - back * sin, at[1] - right * sin - back * cos];
        moved.map(|x| self.rounded(x))
    }
}

/// How a unit is formed.
pub(crate) fn formed(command: &Command, unit: &Unit) -> Formed {
    unit.formed.unwrap_or(command.formed)
}

/// The nation of a unit.
pub(crate) fn nation(command: &Command, unit: &Unit) -> Nation {
    unit.nation.or(command.nation).unwrap_or_default()
}

/// The colour of a unit's coats.
pub(crate) fn coat(command: &Command, unit: &Unit) -> String {
    let given = unit.coat.as_ref().or(command.coat.as_ref());
    given.cloned().unwrap_or_else(|| nation(command, unit).coat().to_owned())
}

/// The side of a command.
pub(crate) fn side<'a>(list: &'a List, command: &'a Command) -> &'a str {
    let mut here = command;
    // No list is deeper than it is long; a ring of commands is refused when the list is read.
    for _ in 0..list.commands.len() {
        match here.part_of.as_ref().and_then(|above| list.commands.iter().find(|one| one.id == *above)) {
            Some(above) => here = above,
            None => break,
        }
    }
    here.side.as_deref().unwrap_or_default()
}

/// The name of a battalion of a unit: the unit's own where it is only one.
pub(crate) fn part_name(unit: &Unit, part: u8) -> (String, String) {
    const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    match unit.battalions {
        0 | 1 => (unit.id.clone(), unit.name.clone()),
        _ => (format!("{}-{}", unit.id, part + 1), format!("{}/{}", ROMAN[usize::from(part) % 12], unit.name)),
    }
}
