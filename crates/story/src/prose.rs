//! A turn in plain prose, made from what was done in it.

use std::collections::BTreeSet;

use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::view::View;

use crate::deeds::{Cast, Deeds, Fate};

/// So many fights of a turn are told one by one, and so many of those who were hurt are named.
const FIGHTS: usize = 6;
const NAMED: usize = 4;
/// A command has moved if its troops are so far from where they were, in parts of the table's depth.
const STIRRED: f64 = 0.05;

/// The sentences of a turn; `before` and `after` are the table at its beginning and at its end.
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
        told.sentences
            .push(["Neither side stirred.", "Both lines stood and watched each other."][told.variant % 2].to_owned());
    }
    told.sentences
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

/// A name within a sentence.
pub(crate) fn within(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("The ") {
        return format!("the {rest}");
    }
    let numbered = name.starts_with(|letter: char| letter.is_ascii_digit());
    let roman =
        name.split_once('/').is_some_and(|(head, _)| !head.is_empty() && head.chars().all(|one| "IVX".contains(one)));
    if numbered || roman { format!("the {name}") } else { name.to_owned() }
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
    let mut letters = text.chars();
    let first: String = letters.next().map_or(String::new(), |first| first.to_uppercase().collect());
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
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
        let name = self.view.setting.sides.iter().find(|one| one.side == side).map_or("", |one| one.name.as_str());
        format!("the {}", name.trim_start_matches("The ").trim_start_matches("the "))
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
            if forward.len() > 2 && forward.len() * 3 >= all * 2 {
                let how =
                    self.one_of(&["went forward along nearly the whole line", "came on with nearly all they had"]);
                self.say(&format!("{whose} {how}"));
            } else if !forward.is_empty() {
                let how = self.one_of(&["went forward", "came on", "moved up"]);
                self.say(&format!("of {whose}, {} {how}", Self::some(&forward, NAMED)));
            }
            if !back.is_empty() {
                let how = self.one_of(&["drew back", "gave up ground"]);
                self.say(&format!("{} {how}", Self::some(&back, NAMED)));
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
            let guns = Self::some(&from, 3);
            let fate = match self.deeds.fates.get(&at) {
                Some(Fate::Gone) => " and broke it",
                Some(Fate::Ran) => " and put it to flight",
                Some(Fate::Back) => " and drove it back",
                None => "",
            };
            let lost = self.lost(&at);
            let way = self.one_of(&["The fire of # told on @", "# fired on @", "@ came under the fire of #"]);
            // A fate is the fire's only where nobody met the unit hand to hand.
            let met = self.deeds.fights.iter().any(|(a, b)| *a == at || *b == at);
            let text = if fate.is_empty() || met {
                way.replace('#', &guns).replace('@', &within(&at)) + &lost
            } else {
                format!("the fire of {guns} told on {}{lost}{fate}", within(&at))
            };
            self.say(&text);
            if !met {
                self.done.insert(at.clone());
            }
        }
    }

    /// ", which lost two figures".
    fn lost(&self, who: &str) -> String {
        self.deeds.losses.get(who).map_or(String::new(), |(count, word)| format!(", which {}", took(*count, word)))
    }

    fn fights(&mut self) {
        let mut pairs: Vec<(String, Option<String>, bool)> = Vec::new();
        let known = |pairs: &[(String, Option<String>, bool)], a: &str, b: &str| {
            pairs.iter().any(|(x, y, _)| (x == a && y.as_deref() == Some(b)) || (x == b && y.as_deref() == Some(a)))
        };
        for (who, whom) in &self.deeds.charges {
            let met = whom.clone().or_else(|| {
                let foe = self.deeds.fights.iter().find(|(a, b)| a == who || b == who)?;
                Some(if foe.0 == *who { foe.1.clone() } else { foe.0.clone() })
            });
            if !met.as_ref().is_some_and(|met| known(&pairs, who, met))
                && !pairs.iter().any(|(x, y, _)| x == who && *y == met)
            {
                pairs.push((who.clone(), met, true));
            }
        }
        for (a, b) in &self.deeds.fights {
            if !known(&pairs, a, b) {
                pairs.push((a.clone(), Some(b.clone()), false));
            }
        }
        let fate = |deeds: &Deeds, who: &str| deeds.fates.get(who).copied();
        pairs.sort_by_key(|(a, b, _)| {
            let worst = fate(self.deeds, a).max(b.as_deref().and_then(|b| fate(self.deeds, b)));
            std::cmp::Reverse(worst)
        });
        for (a, b, charged) in pairs.into_iter().take(FIGHTS) {
            self.fight(&a, b.as_deref(), charged);
        }
    }

    fn fight(&mut self, a: &str, b: Option<&str>, charged: bool) {
        let mut fates = [Some(a), b].map(|who| who.and_then(|who| self.deeds.fates.get(who).copied()));
        // What became of somebody is told once.
        for (fate, who) in fates.iter_mut().zip([Some(a), b]) {
            if who.is_some_and(|who| self.done.contains(who)) {
                *fate = None;
            }
        }
        let left = within(a);
        let Some(b) = b else {
            let end = match fates[0] {
                Some(Fate::Gone) => " and was broken",
                Some(Fate::Ran) => " and ended in flight",
                Some(Fate::Back) => " and was thrown back",
                None => "",
            };
            self.say(&format!("{left} charged{end}"));
            self.done.insert(a.to_owned());
            return;
        };
        let right = within(b);
        let began = if charged {
            format!("{left} charged {right}")
        } else {
            let way = self.one_of(&["# met @ hand to hand", "# closed with @", "# and @ came to blows"]);
            way.replace('#', &left).replace('@', &right)
        };
        let end = match (fates[0], fates[1]) {
            (None, None) => self
                .one_of(&[", and neither would give way", " without a decision", ", and the fight hung in the balance"])
                .to_owned(),
            (None, Some(fate)) => match fate {
                Fate::Gone => self.one_of(&[", and broke it", ", which was swept from the field"]).to_owned(),
                Fate::Ran => self.one_of(&[", and put it to flight", ", which turned and ran"]).to_owned(),
                Fate::Back => self.one_of(&[", and drove it back", ", which gave ground"]).to_owned(),
            },
            (Some(fate), None) => match fate {
                Fate::Gone => format!(", and {left} was broken in the attempt"),
                Fate::Ran => format!("; it was {left} that ran"),
                Fate::Back => format!(", and {left} was thrown back"),
            },
            (Some(one), Some(other)) => match (one.min(other), one.max(other)) {
                (Fate::Gone, _) => ", and both were ruined by it".to_owned(),
                (_, Fate::Gone) => {
                    let (gone, rest) = if one == Fate::Gone { (&left, &right) } else { (&right, &left) };
                    format!("; {gone} was broken, and {rest} could not hold its ground either")
                }
                _ => ", and both gave way".to_owned(),
            },
        };
        self.say(&format!("{began}{end}"));
        self.done.extend([a.to_owned(), b.to_owned()]);
    }

    /// Those who gave way, and of whom nothing has been said.
    fn others(&mut self) {
        for (fate, ways) in [
            (Fate::Gone, ["broke and was seen no more", "was lost"]),
            (Fate::Ran, ["broke and ran", "turned and fled"]),
            (Fate::Back, ["fell back", "gave ground"]),
        ] {
            let all = self.deeds.fates.iter().filter(|(who, one)| **one == fate && !self.done.contains(*who));
            let names: Vec<String> = all.map(|(who, _)| who.clone()).collect();
            if names.is_empty() {
                continue;
            }
            let how = self.one_of(&ways).to_owned();
            let how = if names.len() > 1 { how.replace("was ", "were ") } else { how };
            self.say(&format!("{} {how}", Self::some(&names, NAMED)));
            self.done.extend(names);
        }
        let guns: Vec<String> = self.deeds.guns.iter().cloned().collect();
        if !guns.is_empty() {
            self.say(&format!("the guns of {} were lost to the enemy", Self::some(&guns, NAMED)));
        }
    }

    fn losses(&mut self) {
        let mut all: Vec<(&String, u32, &str)> = self
            .deeds
            .losses
            .iter()
            .filter(|(who, _)| !self.done.contains(*who))
            .map(|(who, (count, word))| (who, *count, *word))
            .collect();
        all.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
        let told: Vec<String> = all
            .iter()
            .take(NAMED)
            .map(|(who, count, word)| format!("{} ({})", within(who), amount(*count, word)))
            .collect();
        match told.len() {
            0 => {}
            1 => {
                let (who, count, word) = all[0];
                self.say(&format!("{} {}", within(who), took(count, word)));
            }
            _ => {
                let way = self.one_of(&["Others who suffered were #", "There was loss too in #"]);
                self.say(&way.replace('#', &listed(&told)));
            }
        }
    }

    fn people(&mut self) {
        for (who, how) in self.deeds.fallen.clone() {
            let unhurt = *self.cast.side(&who).as_ref().unwrap_or(&Side::A);
            let whose = self.side_name(unhurt);
            self.say(&format!("{who} of {whose} {how}"));
        }
        for (who, place) in self.deeds.places.clone() {
            self.say(&format!("{} took {}", within_side(&who), within(&place)));
        }
        let rallied: Vec<String> =
            self.deeds.rallied.iter().filter(|who| !self.deeds.fates.contains_key(*who)).cloned().collect();
        if !rallied.is_empty() {
            let how = if rallied.len() == 1 { "was rallied" } else { "were rallied" };
            self.say(&format!("{} {how}", Self::some(&rallied, NAMED)));
        }
    }
}

fn within_side(name: &str) -> String {
    format!("the {}", name.trim_start_matches("the "))
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
