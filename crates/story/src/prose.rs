//! A turn in plain prose, made from what was done in it.

use std::collections::BTreeSet;

use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::view::View;

use crate::deeds::{Came, Cast, Charge, Deeds, Fate};

/// So many things of one kind are told one by one in a turn, and so many of those whom a sentence is about are named.
const FIGHTS: usize = 5;
const NAMED: usize = 4;
/// A command has moved if its troops are so far from where they were, in parts of the table's depth.
const STIRRED: f64 = 0.05;

/// The sentences of a turn; `before` and `after` are the table at its beginning and at its end.
///
/// Units are spoken of in the plural throughout, as despatches do: a name does not tell whether it is one.
pub(crate) fn turn(number: u32, deeds: &Deeds, cast: &Cast, before: &View, after: &View) -> Vec<String> {
    let mut told =
        Told { variant: number as usize, deeds, cast, view: after, sentences: Vec::new(), done: BTreeSet::new() };
    told.arrivals();
    told.movement(before);
    told.fire();
    told.fights();
    told.others();
    told.losses();
    told.people();
    if told.sentences.is_empty() {
        let ways = ["Neither side stirred.", "Both lines stood and watched each other.", "There was a lull."];
        told.sentences.push(ways[told.variant % ways.len()].to_owned());
    }
    told.sentences
}

/// What each side had to fight with.
pub(crate) fn armies(first: &View) -> Vec<String> {
    let mut told = Vec::new();
    for side in &first.setting.sides {
        let mine: Vec<_> = first.units.iter().filter(|unit| unit.side == side.side && !unit.lost).collect();
        let commands: BTreeSet<_> = mine.iter().filter_map(|unit| unit.command).collect();
        let later = mine.iter().filter(|unit| unit.pose.is_none()).count();
        let count = |n: usize| number(u32::try_from(n).unwrap_or(u32::MAX));
        let units = |n: usize| format!("{} {}", count(n), if n == 1 { "unit" } else { "units" });
        let under = match commands.len() {
            0 | 1 => String::new(),
            many => format!(" in {} commands", count(many)),
        };
        let awaited = match later {
            0 => String::new(),
            1 => ", one of them not yet on the field".to_owned(),
            more if more == mine.len() => ", none of them on the field yet".to_owned(),
            more => format!(", {} of them not yet on the field", count(more)),
        };
        if !mine.is_empty() {
            told.push(sentence(&format!("{} had {}{under}{awaited}", army(&side.name), units(mine.len()))));
        }
    }
    told
}

struct Told<'a> {
    /// Which of several ways of saying a thing is next: not by chance, so that the same battle is always told in the same words.
    variant: usize,
    deeds: &'a Deeds,
    cast: &'a Cast,
    view: &'a View,
    sentences: Vec<String>,
    /// Whose fate or loss has been told.
    done: BTreeSet<String>,
}

/// A name within a sentence. One with a comma in it ("Foot battery, 6-pounders") has another after it.
pub(crate) fn within(name: &str) -> String {
    let bare = match name.strip_prefix("The ") {
        Some(rest) => format!("the {rest}"),
        None => {
            let numbered = name.starts_with(|letter: char| letter.is_ascii_digit());
            let roman = name
                .split_once('/')
                .is_some_and(|(head, _)| !head.is_empty() && head.chars().all(|one| "IVX".contains(one)));
            if numbered || roman { format!("the {name}") } else { name.to_owned() }
        }
    };
    if bare.contains(", ") { bare + "," } else { bare }
}

/// A side within a sentence: "the French", "Victor's corps".
pub(crate) fn army(name: &str) -> String {
    let bare = name.trim_start_matches("The ").trim_start_matches("the ");
    let owned = bare.split_whitespace().next().is_some_and(|first| first.contains(['\'', '’']));
    if owned { bare.to_owned() } else { format!("the {bare}") }
}

pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Numbers up to twelve are words.
pub(crate) fn number(n: u32) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(n as usize).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

pub(crate) fn sentence(text: &str) -> String {
    // The comma that ends a name goes where another mark follows, or what belongs to the name.
    let text =
        ["; ", ", ", ")", "."].iter().fold(text.to_owned(), |text, mark| text.replace(&format!(",{mark}"), mark));
    let text = text.replace(", (", " (");
    let mut letters = text.trim_end_matches([',', '.']).chars();
    let first: String = letters.next().map_or(String::new(), |first| first.to_uppercase().collect());
    format!("{first}{}.", letters.as_str())
}

/// What is said of those who came off worse, after their name.
fn ended(fate: Fate) -> &'static str {
    match fate {
        Fate::Gone => "were broken for good",
        Fate::Ran => "ran",
        Fate::Back => "were thrown back",
    }
}

impl Told<'_> {
    fn say(&mut self, text: &str) {
        self.sentences.push(sentence(text));
    }

    fn one_of<'w>(&mut self, ways: &[&'w str]) -> &'w str {
        self.variant += 1;
        ways[self.variant % ways.len()]
    }

    fn side_name(&self, side: Side) -> String {
        army(self.view.setting.sides.iter().find(|one| one.side == side).map_or("", |one| one.name.as_str()))
    }

    /// Names of a few, and how many more there were.
    fn some(names: &[String], most: usize) -> String {
        let mut shown: Vec<String> = names.iter().take(most).map(|name| within(name)).collect();
        match names.len().saturating_sub(most) {
            0 => {}
            1 => shown.push("one more".to_owned()),
            more => shown.push(format!("{} more", number(u32::try_from(more).unwrap_or(u32::MAX)))),
        }
        listed(&shown)
    }

    fn arrivals(&mut self) {
        let all: Vec<String> = self.deeds.arrived.iter().cloned().collect();
        if !all.is_empty() {
            let how = self.one_of(&["came up", "reached the field"]);
            self.say(&format!("{} {how}", Self::some(&all, NAMED)));
        }
    }

    /// Which commands went forward and which drew back, by where their troops stand.
    fn movement(&mut self, before: &View) {
        for side in [Side::A, Side::B] {
            let (mut forward, mut back, mut all) = (Vec::new(), Vec::new(), 0);
            for command in self.view.commands.iter().filter(|command| command.side == side) {
                match self.went(before, command.id, side) {
                    Some(far) if far > STIRRED => forward.push(command.name.clone()),
                    Some(far) if far < -STIRRED => back.push(command.name.clone()),
                    Some(_) => {}
                    None => continue,
                }
                all += 1;
            }
            let whose = self.side_name(side);
            let most = |moved: &[String]| all == 1 || (moved.len() > 2 && moved.len() * 3 >= all * 2);
            if !forward.is_empty() && most(&forward) {
                let how = match all {
                    1 => self.one_of(&["went forward", "came on", "moved up"]),
                    _ => self.one_of(&["went forward along nearly the whole line", "came on with nearly all they had"]),
                };
                self.say(&format!("{whose} {how}"));
            } else if !forward.is_empty() {
                let how = self.one_of(&["went forward", "came on", "moved up"]);
                self.say(&format!("of {whose}, {} {how}", Self::some(&forward, NAMED)));
            }
            if !back.is_empty() {
                let how = self.one_of(&["drew back", "gave up ground"]);
                let who = if most(&back) { whose } else { Self::some(&back, NAMED) };
                self.say(&format!("{who} {how}"));
            }
        }
    }

    /// How far the troops of a command went toward the enemy, in parts of the table; nothing where it has none.
    fn went(&self, before: &View, command: CommandId, side: Side) -> Option<f64> {
        let middle = |view: &View, of: &dyn Fn(&sabretache_engine::view::UnitView) -> bool| {
            let all: Vec<_> = view.units.iter().filter(|unit| of(unit)).filter_map(|unit| unit.pose).collect();
            let count = all.len() as f64;
            let sum = all.iter().fold((0.0, 0.0), |(x, y), pose| (x + pose.at.v().x, y + pose.at.v().y));
            (count > 0.0).then(|| (sum.0 / count, sum.1 / count))
        };
        // Only those who stood there before and stand there still: who is gone has not moved the rest.
        let both = |key: &str| {
            let there = |view: &View| view.units.iter().any(|unit| unit.key == key && unit.pose.is_some());
            there(before) && there(self.view)
        };
        let mine = |unit: &sabretache_engine::view::UnitView| unit.command == Some(command) && both(&unit.key);
        let (from, to) = (middle(before, &mine)?, middle(self.view, &mine)?);
        let enemy = middle(before, &|unit| unit.side != side)?;
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (ex, ey) = (enemy.0 - from.0, enemy.1 - from.1);
        let far = ex.hypot(ey).max(1.0);
        Some((dx * ex + dy * ey) / far / self.view.setting.depth.f().max(1.0))
    }

    fn fate(&self, who: &str) -> Option<Fate> {
        self.deeds.fates.get(who).copied().filter(|_| !self.done.contains(who))
    }

    fn met(&self, who: &str) -> bool {
        let home =
            |charge: &Charge| charge.came == Came::Home && (charge.who == who || charge.whom.as_deref() == Some(who));
        self.deeds.fights.iter().any(|(a, b)| a == who || b == who) || self.deeds.charges.iter().any(home)
    }

    /// Fire that told, target by target.
    fn fire(&mut self) {
        let mut targets: Vec<String> = Vec::new();
        for (_, at) in &self.deeds.shots {
            if !targets.contains(at) {
                targets.push(at.clone());
            }
        }
        targets.sort_by_key(|at| std::cmp::Reverse(self.deeds.losses.get(at).map_or(0, |(count, _)| *count)));
        for at in targets.into_iter().take(3) {
            let from: Vec<String> =
                self.deeds.shots.iter().filter(|(_, to)| *to == at).map(|(by, _)| by.clone()).collect();
            let (guns, target) = (Self::some(&from, 3), within(&at));
            // Who met somebody hand to hand did not suffer by the fire alone.
            let met = self.met(&at);
            let lost = self.deeds.losses.get(&at).filter(|_| !met).map(|(count, word)| took(*count, word));
            let fate = self.fate(&at).filter(|_| !met);
            let friend = from.iter().all(|by| self.cast.side(by) == self.cast.side(&at));
            let text = match (lost, fate) {
                _ if friend => format!("the fire of {guns} fell among their own {}", target.trim_start_matches("the ")),
                (Some(lost), Some(fate)) => format!("under the fire of {guns} {target} {lost} and {}", ended(fate)),
                (None, Some(fate)) => format!("under the fire of {guns} {target} {}", ended(fate)),
                (Some(lost), None) => {
                    let way = self.one_of(&["@ * to the fire of #", "# fired on @, who *", "under the fire of # @ *"]);
                    way.replace('#', &guns).replace('@', &target).replace('*', &lost)
                }
                (None, None) => {
                    let way = self.one_of(&["the fire of # shook @", "# fired on @ with effect"]);
                    way.replace('#', &guns).replace('@', &target)
                }
            };
            self.say(&text);
            if !met {
                self.done.insert(at);
            }
        }
    }

    /// Charges and fights: those that were decided first, the rest together.
    fn fights(&mut self) {
        let mut pairs: Vec<(String, String, bool)> = Vec::new();
        let known = |pairs: &[(String, String, bool)], a: &str, b: &str| {
            pairs.iter().any(|(x, y, _)| (x == a && y == b) || (x == b && y == a))
        };
        let mut vain: Vec<&Charge> = Vec::new();
        for charge in &self.deeds.charges {
            let foe = || {
                let foe = self.deeds.fights.iter().find(|(a, b)| *a == charge.who || *b == charge.who)?;
                Some(if foe.0 == charge.who { foe.1.clone() } else { foe.0.clone() })
            };
            let home = charge.came == Came::Home || foe().is_some();
            match charge.whom.clone().filter(|_| charge.came == Came::Home).or_else(foe) {
                Some(whom) if home => {
                    if !known(&pairs, &charge.who, &whom) {
                        pairs.push((charge.who.clone(), whom, true));
                    }
                }
                _ => vain.push(charge),
            }
        }
        for (a, b) in &self.deeds.fights {
            if !known(&pairs, a, b) {
                pairs.push((a.clone(), b.clone(), false));
            }
        }
        pairs.sort_by_key(|(a, b, _)| std::cmp::Reverse(self.fate(a).max(self.fate(b))));
        let (mut told, mut open) = (0, Vec::new());
        for (a, b, charged) in pairs {
            if self.fate(&a).is_none() && self.fate(&b).is_none() {
                open.push((a, b, charged));
            } else if told < FIGHTS {
                self.decided(&a, &b, charged);
                told += 1;
            }
        }
        self.undecided(open);
        self.in_vain(&vain.into_iter().cloned().collect::<Vec<_>>());
    }

    /// A charge or a fight after which somebody gave way.
    fn decided(&mut self, a: &str, b: &str, charged: bool) {
        let (left, right) = (within(a), within(b));
        let flank = if self.deeds.flanked.contains(b) { " in flank" } else { "" };
        let began = if charged {
            format!("{left} charged {right}{flank}")
        } else {
            let way = self.one_of(&["# met @ hand to hand", "# closed with @", "# and @ came to blows"]);
            way.replace('#', &left).replace('@', &right)
        };
        let end = match (self.fate(a), self.fate(b)) {
            (None, None) => String::new(),
            (None, Some(fate)) => {
                // After "A and B came to blows" nobody knows who "them" are.
                let both = began.ends_with("to blows");
                match fate {
                    _ if both => format!(", and {right} {}", ended(fate)),
                    Fate::Gone => self.one_of(&[", and broke them", ", and swept them from the field"]).to_owned(),
                    Fate::Ran => self.one_of(&[", and put them to flight", ", who turned and ran"]).to_owned(),
                    Fate::Back => self.one_of(&[", and drove them back", ", who gave ground"]).to_owned(),
                }
            }
            (Some(fate), None) if charged => match fate {
                Fate::Gone => ", and were broken in the attempt".to_owned(),
                Fate::Ran => ", and ran themselves".to_owned(),
                Fate::Back => ", and were thrown back".to_owned(),
            },
            (Some(fate), None) => format!("; it was {left} who {}", ended(fate)),
            (Some(one), Some(other)) => match (one.min(other), one.max(other)) {
                (Fate::Gone, _) => ", and both were ruined by it".to_owned(),
                (_, Fate::Gone) => {
                    let (gone, rest) = if one == Fate::Gone { (&left, &right) } else { (&right, &left) };
                    format!("; {gone} were broken for good, but {rest} gave way too")
                }
                _ => ", and both gave way".to_owned(),
            },
        };
        self.say(&format!("{began}{end}"));
        self.done.extend([a.to_owned(), b.to_owned()]);
    }

    /// Those who fought and still stood: who held against several is told once.
    fn undecided(&mut self, mut pairs: Vec<(String, String, bool)>) {
        let mut told = 0;
        while let Some((a, b, charged)) = pairs.first().cloned() {
            if told == 3 {
                let more = pairs.len();
                let fights = if more == 1 { "fight besides was" } else { "fights besides were" };
                let more = number(u32::try_from(more).unwrap_or(u32::MAX));
                self.say(&format!("{more} {fights} left undecided"));
                break;
            }
            let with = |who: &str| pairs.iter().filter(|(x, y, _)| x == who || y == who).count();
            let who = if with(&b) > with(&a) { b.clone() } else { a.clone() };
            if with(&who) > 1 {
                let (mine, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(x, y, _)| *x == who || *y == who);
                pairs = rest;
                let foes: Vec<String> = mine.into_iter().map(|(x, y, _)| if x == who { y } else { x }).collect();
                let way = self.one_of(&["# held their own against @", "# stood up to @", "# fought on against @"]);
                self.say(&way.replace('#', &within(&who)).replace('@', &Self::some(&foes, NAMED)));
            } else {
                pairs.remove(0);
                let way = match charged {
                    true => self.one_of(&["# charged @, who stood", "# charged @ without a decision"]),
                    false => self.one_of(&[
                        "# and @ fought without a decision",
                        "# met @ hand to hand, and neither would give way",
                        "between # and @ the fight hung in the balance",
                    ]),
                };
                self.say(&way.replace('#', &within(&a)).replace('@', &within(&b)));
            }
            told += 1;
        }
    }

    /// Charges that did not come home.
    fn in_vain(&mut self, charges: &[Charge]) {
        let mut short: Vec<String> = Vec::new();
        for Charge { who, whom, .. } in charges {
            let fate = self.fate(who);
            let name = within(who);
            match (whom, fate) {
                (_, Some(fate)) => {
                    self.say(&format!("{name} set out to charge, and {}", ended(fate)));
                    self.done.insert(who.clone());
                }
                (Some(whom), None) if self.deeds.evaded.contains(whom) => {
                    let way = self.one_of(&["# charged @, who got away", "@ did not wait for the charge of #"]);
                    self.say(&way.replace('#', &name).replace('@', &within(whom)));
                }
                _ if !short.contains(who) => short.push(who.clone()),
                _ => {}
            }
        }
        if !short.is_empty() {
            let way = self.one_of(&["# charged, but did not come home", "the charge of # came to nothing"]);
            self.say(&way.replace('#', &Self::some(&short, NAMED)));
        }
    }

    /// Those who gave way, and of whom nothing has been said.
    fn others(&mut self) {
        let broken: Vec<String> = self.deeds.shattered.iter().cloned().collect();
        if !broken.is_empty() {
            self.say(&format!("{} broke up altogether", Self::some(&broken, NAMED)));
        }
        let faint: Vec<String> = self.deeds.disheartened.difference(&self.deeds.shattered).cloned().collect();
        if !faint.is_empty() {
            let how = self.one_of(&["lost heart", "wavered"]);
            self.say(&format!("{} {how}", Self::some(&faint, NAMED)));
        }
        for (fate, ways) in [
            (Fate::Gone, ["were lost", "were broken for good"]),
            (Fate::Ran, ["broke and ran", "turned and fled"]),
            (Fate::Back, ["fell back", "drew back"]),
        ] {
            let all = self.deeds.fates.iter().filter(|(who, one)| **one == fate && !self.done.contains(*who));
            let names: Vec<String> = all.map(|(who, _)| who.clone()).collect();
            if names.is_empty() {
                continue;
            }
            let how = self.one_of(&ways);
            self.say(&format!("{} {how}", Self::some(&names, NAMED)));
            self.done.extend(names);
        }
        let guns: Vec<String> = self.deeds.guns.iter().cloned().collect();
        if !guns.is_empty() {
            self.say(&format!("the guns of {} were lost to the enemy", Self::some(&guns, NAMED)));
        }
    }

    /// Losses of those of whom nothing has been said: the heaviest by name.
    fn losses(&mut self) {
        let mut all: Vec<(&String, u32, &str)> = self
            .deeds
            .losses
            .iter()
            .filter(|(who, _)| !self.done.contains(*who))
            .map(|(who, (count, word))| (who, *count, *word))
            .collect();
        all.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
        match all.as_slice() {
            [] => {}
            [(who, count, word)] => {
                let text = format!("{} {}", within(who), took(*count, word));
                self.say(&text);
            }
            [(_, count, word), rest @ ..] if rest.iter().all(|(_, other, _)| other == count) => {
                let names: Vec<String> = all.iter().map(|(who, ..)| (*who).clone()).collect();
                let text = format!("{} {} each", Self::some(&names, NAMED), took(*count, word));
                self.say(&text);
            }
            _ => {
                let told: Vec<String> = all
                    .iter()
                    .take(NAMED)
                    .map(|(who, count, word)| format!("{} ({})", within(who), amount(*count, word)))
                    .collect();
                let way = self.one_of(&["losses fell besides on #", "there was loss too in #"]);
                self.say(&way.replace('#', &listed(&told)));
            }
        }
    }

    fn people(&mut self) {
        for (who, how) in self.deeds.fallen.clone() {
            let whose = self.cast.side(&who).map_or(String::new(), |side| format!(" of {}", self.side_name(side)));
            let how: Vec<String> = how.into_iter().map(str::to_owned).collect();
            self.say(&format!("{who}{whose} was {}", listed(&how)));
        }
        for (who, place) in self.deeds.places.clone() {
            let whose = self.view.setting.sides.iter().find(|side| side.name.to_lowercase() == who);
            let whose = whose.map_or_else(|| army(&who), |side| army(&side.name));
            self.say(&format!("{whose} took {}", within(&place)));
        }
        let rallied: Vec<String> =
            self.deeds.rallied.iter().filter(|who| !self.deeds.fates.contains_key(*who)).cloned().collect();
        if !rallied.is_empty() {
            self.say(&format!("{} were rallied", Self::some(&rallied, NAMED)));
        }
    }
}

fn amount(count: u32, word: &str) -> String {
    format!("{} {word}{}", number(count), if count == 1 { "" } else { "s" })
}

/// "lost two figures"; a kill is taken.
fn took(count: u32, word: &str) -> String {
    format!("{} {}", if word == "kill" { "took" } else { "lost" }, amount(count, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_a_sentence_as_one_would_write_them() {
        for (name, written) in [
            ("The 52nd", "the 52nd"),
            ("2/42e Ligne", "the 2/42e Ligne"),
            ("III/58e Ligne", "the III/58e Ligne"),
            ("Danish horse", "Danish horse"),
            ("Griois's horse artillery", "Griois's horse artillery"),
        ] {
            assert_eq!(within(name), written);
        }
        assert_eq!(army("The French"), "the French");
        assert_eq!(army("Victor's corps"), "Victor's corps");
    }

    #[test]
    fn a_comma_within_a_name_has_another_after_it() {
        let guns = within("Foot battery, 6-pounders");
        assert_eq!(
            sentence(&format!("{guns} fired on {guns}")),
            "Foot battery, 6-pounders, fired on Foot battery, 6-pounders."
        );
        assert_eq!(sentence(&format!("{guns}, and the 20th ran")), "Foot battery, 6-pounders, and the 20th ran.");
        assert_eq!(
            sentence(&format!("they forsook {guns} (2 rolls)")),
            "They forsook Foot battery, 6-pounders (2 rolls)."
        );
    }

    #[test]
    fn a_sentence_begins_large_and_ends_in_one_stop() {
        assert_eq!(sentence("the 52nd charged"), "The 52nd charged.");
        assert_eq!(sentence("élite troops came up."), "Élite troops came up.");
    }

    #[test]
    fn a_few_are_named_and_the_rest_are_counted() {
        let names: Vec<String> = ["A", "B", "C", "D"].map(str::to_owned).to_vec();
        assert_eq!(Told::some(&names, 2), "A, B and two more");
        assert_eq!(Told::some(&names[..3], 2), "A, B and one more");
        assert_eq!(Told::some(&names[..2], 2), "A and B");
        assert_eq!(Told::some(&names[..1], 2), "A");
    }
}
