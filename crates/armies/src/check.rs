//! What no schema says of an army list.

use sabretache_engine::scenario::{Diagnostics, Path};

use crate::BOOKS;
use crate::list::{Arm, GroundKind, Level, List};

/// Everything that contradicts something else in the list.
pub(crate) fn check(list: &List) -> Diagnostics {
    let mut report = Diagnostics::new();
    let sides: Vec<&str> = list.sides.iter().map(|side| side.id.as_str()).collect();
    known(&list.attacker, &sides, "side", Path::root().key("attacker"), &mut report);
    let grounds: Vec<&str> = list.ground.iter().map(|piece| piece.id.as_str()).collect();
    let commands: Vec<&str> = list.commands.iter().map(|command| command.id.as_str()).collect();
    let units: Vec<&str> = list.units.iter().map(|unit| unit.id.as_str()).collect();
    for (what, ids) in [("ground", &grounds), ("commands", &commands), ("units", &units)] {
        unique(what, ids, &mut report);
    }
    check_commands(list, &sides, &commands, &mut report);
    check_units(list, &commands, &grounds, &mut report);
    for (n, objective) in list.objectives.iter().enumerate() {
        if let Some(side) = &objective.held_by {
            known(side, &sides, "side", Path::root().key("objectives").item(n).key("held_by"), &mut report);
        }
    }
    for (n, piece) in list.ground.iter().enumerate() {
        let at = Path::root().key("ground").item(n);
        if piece.area.is_empty() == piece.line.is_empty() {
            report.error_with_help(at.clone(), "a piece of ground is an `area` or a `line`", "give one of the two");
        }
        let square = matches!(piece.kind, GroundKind::Village | GroundKind::Bridge | GroundKind::Ford);
        if square && piece.area.len() != 4 {
            report.error_with_help(at, "it needs four corners at right angles", "give `area` four points");
        }
    }
    for book in list.books.keys() {
        known(book, &BOOKS, "book", Path::root().key("books").key(book), &mut report);
    }
    report
}

fn check_commands(list: &List, sides: &[&str], commands: &[&str], report: &mut Diagnostics) {
    for (n, command) in list.commands.iter().enumerate() {
        let at = Path::root().key("commands").item(n);
        match (&command.side, &command.part_of) {
            (Some(side), None) => known(side, sides, "side", at.clone().key("side"), report),
            (None, Some(above)) => {
                known(above, &commands[..n], "command", at.clone().key("part_of"), report);
            }
            (None, None) => report.error_with_help(
                at.clone(),
                format!("\"{}\" belongs to nobody", command.name),
                "give an army its `side`, and a part `part_of` the command above it",
            ),
            (Some(_), Some(_)) => report.error_with_help(
                at.clone().key("side"),
                "a part has the side of the command above it",
                "leave `side` out",
            ),
        }
        if (command.level == Level::Army) != command.part_of.is_none() {
            let help = "only an army has `level = \"army\"`, and only an army is part of nothing";
            report.error_with_help(at.clone().key("level"), "its level does not go with its place", help);
        }
        if command.at.is_none() && command.arrives.is_none() {
            report.error_with_help(
                at.clone(),
                format!("nobody knows where \"{}\" is", command.name),
                "add `at = [x, y]`, in paces",
            );
        }
        for place in command.at.iter().chain(command.arrives.as_ref().map(|arrival| &arrival.at)) {
            if place[0] < 0.0 || place[1] < 0.0 || place[0] > list.field.width || place[1] > list.field.depth {
                let field = format!("the field is {} by {} paces", list.field.width, list.field.depth);
                report.error_with_help(at.clone(), format!("\"{}\" is off the field", command.name), field);
            }
        }
    }
    for side in &list.sides {
        let armies = list.commands.iter().filter(|command| command.side.as_deref() == Some(&side.id)).count();
        if armies != 1 {
            let says = format!("the side \"{}\" has {armies} armies, and needs one", side.name);
            report.error_with_help(
                Path::root().key("commands"),
                says,
                "one command with this `side` and `level = \"army\"`",
            );
        }
    }
}

fn check_units(list: &List, commands: &[&str], grounds: &[&str], report: &mut Diagnostics) {
    for (n, unit) in list.units.iter().enumerate() {
        let at = Path::root().key("units").item(n);
        known(&unit.command, commands, "command", at.clone().key("command"), report);
        let command = list.commands.iter().find(|command| command.id == unit.command);
        if command.is_some_and(|command| command.level != Level::Brigade) {
            let help = "units belong to commands of the lowest level";
            report.error_with_help(at.clone().key("command"), format!("'{}' is no brigade", unit.command), help);
        }
        let guns = matches!(unit.arm, Arm::Guns | Arm::HorseGuns);
        if guns && (unit.guns == 0 || unit.pounds == 0) {
            report.error_with_help(at.clone(), "a battery without guns", "give `guns` and `pounds`");
        }
        if !guns && unit.strength == 0 {
            report.error_with_help(at.clone(), "a unit of nobody", "give its `strength`, in men");
        }
        if command.is_some_and(|command| command.nation.is_none()) && unit.nation.is_none() {
            report.error_with_help(at.clone(), "its nation is not known", "give `nation` here or in its command");
        }
        if let Some(ground) = &unit.holds {
            known(ground, grounds, "ground", at.key("holds"), report);
        }
    }
}

fn known(id: &str, all: &[&str], what: &str, at: Path, report: &mut Diagnostics) {
    if !all.contains(&id) {
        report.error_with_help(
            at,
            format!("there is no {what} '{id}' before this"),
            format!("one of {}", all.join(", ")),
        );
    }
}

fn unique(list: &str, ids: &[&str], report: &mut Diagnostics) {
    for (n, id) in ids.iter().enumerate() {
        let at = Path::root().key(list).item(n).key("id");
        if id.is_empty() || id.contains(char::is_whitespace) {
            report.error_with_help(at.clone(), "an id is a word without spaces", "write it with hyphens");
        }
        if ids[..n].contains(id) {
            report.error_with_help(at, format!("there are two '{id}'"), "give one of them another id");
        }
    }
}
