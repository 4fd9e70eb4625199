//! What stands on a roster, and how many boxes there are to mark.

use sabretache_engine::ids::Side;
use sabretache_engine::view::{OfficerView, Symbol, UnitView, View};
use serde::{Deserialize, Serialize};

/// Something that units of a book are marked with.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MarkWord {
    /// What it is called.
    pub word: String,
    /// The most there can be.
    pub most: u8,
    /// The arm that alone has it, where not all have.
    #[serde(default)]
    pub only: Option<String>,
}

/// A command as it is printed.
#[derive(Serialize)]
pub(crate) struct Group {
    name: String,
    officers: Vec<Person>,
    units: Vec<Row>,
}

#[derive(Serialize)]
struct Person {
    name: String,
    about: String,
}

#[derive(Serialize)]
struct Row {
    name: String,
    coat: String,
    facings: String,
    about: String,
    absent: Option<String>,
    boxes: Vec<Boxes>,
}

/// Boxes of one kind.
#[derive(Debug, PartialEq, Serialize)]
struct Boxes {
    word: String,
    count: u8,
}

/// What is said of those that are a part of another unit: they have no row of their own.
const PARTS: [&str; 2] = ["in the ranks", "with its unit"];

/// Whether a unit has a row of its own.
pub(crate) fn is_whole(unit: &UnitView) -> bool {
    unit.absent.as_ref().is_none_or(|why| !PARTS.contains(&why.as_str()))
}

/// A side, command by command; those whose command is nobody's come last.
pub(crate) fn roster(view: &View, side: Side, marks: &[MarkWord]) -> Vec<Group> {
    let mut groups = Vec::new();
    let whole = || view.units.iter().filter(|unit| is_whole(unit));
    let row = |unit: &UnitView| Row {
        name: unit.name.clone(),
        coat: unit.coat.clone(),
        facings: unit.facings.clone(),
        about: unit.lines.join(" · "),
        absent: unit.absent.clone(),
        boxes: boxes(&unit.lines, arm(unit.symbol), marks),
    };
    let person = |officer: &OfficerView| Person { name: officer.name.clone(), about: officer.lines.join(" · ") };
    for command in view.commands.iter().filter(|command| command.side == side) {
        let leads = |officer: &&OfficerView| command.officer == Some(officer.id) || officer.command == Some(command.id);
        let officers: Vec<Person> = view.officers.iter().filter(leads).map(person).collect();
        let units: Vec<Row> = whole().filter(|unit| unit.command == Some(command.id)).map(row).collect();
        if !officers.is_empty() || !units.is_empty() {
            groups.push(Group { name: command.name.clone(), officers, units });
        }
    }
    let loose: Vec<Row> = whole().filter(|unit| unit.side == side && unit.command.is_none()).map(row).collect();
    if !loose.is_empty() {
        groups.push(Group { name: "Others".to_owned(), officers: Vec::new(), units: loose });
    }
    groups
}

/// More boxes than this of one kind are not printed for a unit: a number is written instead.
const MOST_BOXES: u8 = 40;
/// So many boxes there are of what a unit collects.
const COLLECTED: u8 = 6;

/// The boxes of a unit: as many as the roster counts of a thing, a few of what it collects, one for what is or is not.
fn boxes(lines: &[String], arm: &str, marks: &[MarkWord]) -> Vec<Boxes> {
    let mut all = Vec::new();
    for mark in marks.iter().filter(|mark| mark.only.as_ref().is_none_or(|only| only == arm)) {
        let counted = counted(lines, &mark.word);
        let count = match (mark.most, counted) {
            (1, _) => 1,
            // None of it yet: it is what a unit collects.
            (_, Some(count)) if count > 0 => count.min(MOST_BOXES),
            // What only some units have is on their rosters.
            (most, _) if most > 12 => continue,
            (most, _) => most.min(COLLECTED),
        };
        all.push(Boxes { word: mark.word.clone(), count });
    }
    all
}

/// The arm of a unit in the word that marks are limited by.
fn arm(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Foot | Symbol::LightFoot => "foot",
        Symbol::Horse | Symbol::LightHorse | Symbol::HeavyHorse | Symbol::Dragoons => "horse",
        Symbol::Guns | Symbol::HorseGuns | Symbol::HeavyGuns | Symbol::Howitzers => "guns",
        Symbol::Train => "train",
    }
}

/// The number that a roster puts before a word: "21 of 24 figures" has room for 24.
fn counted(lines: &[String], word: &str) -> Option<u8> {
    let word = word.trim_end_matches('s');
    lines.iter().find_map(|line| {
        let tokens: Vec<&str> = line.split([' ', ',', ';', ':']).collect();
        tokens.windows(2).find(|pair| pair[1].trim_end_matches('s') == word).and_then(|pair| pair[0].parse().ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_box_for_each_figure_and_one_for_what_is_or_is_not() {
        let mark = |word: &str, most| MarkWord { word: word.to_owned(), most, only: None };
        let smoke = MarkWord { only: Some("guns".to_owned()), ..mark("smoke", 3) };
        let lines = vec!["Line infantry, grade C".to_owned(), "12 of 18 figures, 360 men".to_owned()];
        let found = boxes(&lines, "foot", &[mark("figures", 99), mark("shaken", 1), mark("kills", 12), smoke]);
        let told: Vec<(&str, u8)> = found.iter().map(|one| (one.word.as_str(), one.count)).collect();
        assert_eq!(told, [("figures", 18), ("shaken", 1), ("kills", COLLECTED)]);
    }

    #[test]
    fn what_nobody_has_yet_has_boxes_and_what_the_unit_does_not_consist_of_has_none() {
        let mark = |word: &str, most| MarkWord { word: word.to_owned(), most, only: None };
        let marks = [mark("DPs", 12), mark("bases", 20)];
        let of = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            boxes(&lines, "foot", &marks).into_iter().map(|one| (one.word, one.count)).collect::<Vec<_>>()
        };
        assert_eq!(
            of(&["grade C, foot, 4 bases, about 2400 men", "0 DPs"]),
            [("DPs".to_owned(), COLLECTED), ("bases".to_owned(), 4)]
        );
        assert_eq!(of(&["medium gun, one model", "0 DPs"]), [("DPs".to_owned(), COLLECTED)]);
    }
}
