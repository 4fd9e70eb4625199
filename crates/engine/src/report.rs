//! The situation in words: the same text for a terminal and for a screen reader.

use std::fmt::Write as _;

use sabretache_table::Unit;

use crate::ids::Side;
use crate::protocol::Decision;
use crate::view::{UnitView, View};

/// The table as it stands, in words.
#[must_use]
pub fn report(view: &View) -> String {
    let mut text = format!("{}\n", view.setting.title);
    let turn = view.turn.map_or(String::new(), |turn| format!("turn {turn}, "));
    let whose = view.phasing.map_or(String::new(), |side| format!(" of {}", side_name(view, side)));
    let _ = writeln!(text, "{turn}{}{whose}", view.phase);
    for line in &view.score {
        let (a, b) = &line.values;
        let _ = writeln!(text, "{}: {} {a}, {} {b}", line.name, side_name(view, Side::A), side_name(view, Side::B));
    }
    for side in Side::BOTH {
        let _ = writeln!(text, "\n{}", side_name(view, side).to_uppercase());
        for officer in view.officers.iter().filter(|officer| officer.side == side) {
            let place = match (officer.with, officer.at) {
                (Some(unit), _) => {
                    let unit = view.units.iter().find(|other| other.id == unit);
                    unit.map_or("with a unit".into(), |unit| format!("with {}", unit.name))
                }
                (None, Some(at)) => format!("at {}", place_of(view, at.x, at.y)),
                (None, None) => "off the table".into(),
            };
            let more = officer.lines.iter().map(|line| format!("; {line}")).collect::<String>();
            let _ = writeln!(text, "  {} ({}), {place}{more}", officer.name, officer.rank);
        }
        for unit in view.units.iter().filter(|unit| unit.side == side) {
            let _ = writeln!(text, "  {}", unit_line(view, unit));
        }
    }
    text
}

/// One unit in a line.
#[must_use]
pub fn unit_line(view: &View, unit: &UnitView) -> String {
    let mut line = format!("{} ({})", unit.name, unit.key);
    if let Some(why) = &unit.absent {
        return format!("{line}: {why}");
    }
    let _ = write!(line, ": {}", unit.formation);
    if let Some(pose) = unit.pose {
        let place = place_of(view, pose.at.x, pose.at.y);
        let _ = write!(line, " at {place} facing {}", compass(pose.heading.to_hundredths()));
    }
    for marker in &unit.markers {
        let _ = match marker.count {
            1 => write!(line, ", {}", marker.name),
            count => write!(line, ", {} {count}", marker.name),
        };
    }
    for more in &unit.lines {
        let _ = write!(line, "; {more}");
    }
    line
}

fn place_of(view: &View, x: sabretache_table::Length, y: sabretache_table::Length) -> String {
    let unit = view.setting.measure.unit();
    format!("{} / {}", x.format_in(unit), y.format_in(unit))
}

/// The point of the compass nearest to a heading.
fn compass(hundredths: u16) -> &'static str {
    const POINTS: [&str; 8] =
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    POINTS[usize::from((hundredths + 2_250) / 4_500) % 8]
}

fn side_name(view: &View, side: Side) -> &str {
    view.setting.sides.get(side.index()).map_or("?", |side| &side.name)
}

/// What is to be decided, and the offers as a numbered list, with lengths in the book's unit.
#[must_use]
pub fn decision_in_words(decision: &Decision, unit: Unit) -> String {
    let mut text = format!("{}\n", decision.sentence);
    for (n, offer) in decision.offers.iter().enumerate() {
        let input = match &offer.input {
            crate::offer::Input::None => String::new(),
            input => format!("  … {}", input.limits(unit)),
        };
        let _ = writeln!(text, "{:>3}  {}{input}", n + 1, offer.label);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::compass;

    #[test]
    fn headings_are_named_by_the_nearest_point() {
        assert_eq!(compass(0), "north");
        assert_eq!(compass(2_249), "north");
        assert_eq!(compass(2_250), "north-east");
        assert_eq!(compass(18_000), "south");
        assert_eq!(compass(35_999), "north");
    }
}
