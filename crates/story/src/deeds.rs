//! What a turn's story says was done, by whom and to whom: charges, fire, fights, flights, losses. It is read off sentences and rolls, by the words
//! in which all books tell the same things.

use std::collections::{BTreeMap, BTreeSet};

use sabretache_engine::ids::{Named, Side};
use sabretache_engine::session::{StoryLine, StoryPart};
use sabretache_engine::view::View;

/// What became of a unit in a turn; the later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    Back,
    Ran,
    Gone,
}

/// Who they are that can do and suffer something.
pub(crate) struct Cast {
    /// Names with their sides, the longest first, so that a name within another is not taken for it.
    units: Vec<(String, Side)>,
    officers: Vec<(String, Side)>,
    tokens: BTreeMap<String, String>,
}

impl Cast {
    pub(crate) fn of(view: &View) -> Self {
        let mut units: Vec<(String, Side)> = view.units.iter().map(|unit| (unit.name.clone(), unit.side)).collect();
        units.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let officers = view.officers.iter().map(|officer| (officer.name.clone(), officer.side)).collect();
        let unit_tokens = view.units.iter().map(|unit| (unit.id.to_string(), unit.name.clone()));
        let officer_tokens = view.officers.iter().map(|officer| (officer.id.to_string(), officer.name.clone()));
        Self { units, officers, tokens: unit_tokens.chain(officer_tokens).collect() }
    }

    pub(crate) fn side(&self, name: &str) -> Option<Side> {
        self.units.iter().chain(&self.officers).find(|(one, _)| one == name).map(|(_, side)| *side)
    }

    fn is_unit(&self, name: &str) -> bool {
        self.units.iter().any(|(one, _)| one == name)
    }

    fn named(&self, token: Option<&str>) -> Option<&str> {
        let token = token?;
        Named::parse(token)?;
        self.tokens.get(token).map(String::as_str)
    }

    /// The units that a sentence names, in its order, and the sentence without their names: there is no kill in Inniskilling.
    fn parsed(&self, text: &str) -> (Vec<String>, String) {
        let mut found: Vec<(usize, &str)> = Vec::new();
        let mut bare = text.to_owned();
        for (name, _) in &self.units {
            while let Some(at) = position(&bare, name) {
                found.push((at, name));
                // As long as before, so that places stay comparable.
                bare.replace_range(at..at + name.len(), &"#".repeat(name.len()));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        let names = found.into_iter().map(|(_, name)| name.to_owned()).collect();
        (names, format!(" {}", bare.replace('#', "").to_lowercase()))
    }
}

/// Where a name stands in a text, as words of its own.
fn position(text: &str, name: &str) -> Option<usize> {
    let part_of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let starts = text.match_indices(name).map(|(at, _)| at).chain(capital(name).into_iter().flat_map(|name| {
        let found: Vec<usize> = text.match_indices(&name).map(|(at, _)| at).collect();
        found
    }));
    let whole = |at: &usize| {
        !part_of_word(text[..*at].chars().next_back()) && !part_of_word(text[*at + name.len()..].chars().next())
    };
    starts.filter(whole).min()
}

/// A name as it begins a sentence, where that is another.
fn capital(name: &str) -> Option<String> {
    let first = name.chars().next().filter(char::is_ascii_lowercase)?;
    Some(format!("{}{}", first.to_ascii_uppercase(), &name[1..]))
}

/// All that happened in a turn.
#[derive(Default)]
pub(crate) struct Deeds {
    /// Who charged whom, as far as that is told.
    pub(crate) charges: Vec<(String, Option<String>)>,
    /// Who met whom hand to hand.
    pub(crate) fights: Vec<(String, String)>,
    /// Who fired on whom and hurt him.
    pub(crate) shots: Vec<(String, String)>,
    pub(crate) fates: BTreeMap<String, Fate>,
    /// How many men, figures, bases or kills, in the book's word.
    pub(crate) losses: BTreeMap<String, (u32, &'static str)>,
    /// Officers, and what became of them.
    pub(crate) fallen: Vec<(String, &'static str)>,
    pub(crate) guns: BTreeSet<String>,
    /// Places, with those who took them.
    pub(crate) places: Vec<(String, String)>,
    pub(crate) arrived: BTreeSet<String>,
    pub(crate) rallied: BTreeSet<String>,
    /// Hand to hand: each fight as it is being told.
    fighting: Vec<String>,
    firing: Option<(String, String)>,
}

const ENDS: [&str; 6] = [" is shattered", " is destroyed", "destroyed:", " surrender", " is broken", " off the table"];
const RUNS: [&str; 4] = [" routs", " routed", " runs because", " flee"];
const YIELDS: [&str; 7] =
    [" gives ground", " give ground", " recoils", " falls back", " fell back", ": retire", " retires"];
const FIRES: [&str; 5] = [" bombards ", " shoots at ", " fired at ", " fired into ", " a shell at "];
const LOSSES: [(&str, &str); 4] = [("kill", "kill"), ("figure", "figure"), ("base", "base"), ("gunner", "gunner")];

impl Deeds {
    /// Reads an entry of the story.
    pub(crate) fn read(&mut self, line: &StoryLine, cast: &Cast) {
        self.fighting.clear();
        self.firing = None;
        for part in &line.parts {
            match &part.roll {
                Some(roll) => {
                    let hand_to_hand = ["engage", "combat"].iter().any(|word| roll.what.to_lowercase().contains(word));
                    if let Some(name) = cast.named(roll.of.as_deref()).filter(|_| hand_to_hand) {
                        self.meets(name, cast);
                    }
                }
                None => self.hear(part, cast),
            }
        }
    }

    fn meets(&mut self, name: &str, cast: &Cast) {
        let foe = self.fighting.iter().rev().find(|other| cast.side(other) != cast.side(name)).cloned();
        self.fighting.push(name.to_owned());
        if let Some(foe) = foe {
            let pair = (foe, name.to_owned());
            if !self.fights.contains(&pair) {
                self.fights.push(pair);
            }
        }
    }

    fn hear(&mut self, part: &StoryPart, cast: &Cast) {
        let (names, says) = cast.parsed(&part.text);
        let says_any = |words: &[&str]| words.iter().any(|word| says.contains(word));
        let subject = cast.named(part.about.as_deref()).map(str::to_owned);
        if let Some(place) = says.strip_prefix(" taken by ") {
            if let Some((_, name)) = part.text.split_once(": ") {
                let who = place.split(": ").next().unwrap_or_default().to_owned();
                self.places.push((who, name.trim_end_matches('.').to_owned()));
            }
            return;
        }
        let Some(subject) = subject else { return };
        if !cast.is_unit(&subject) {
            let how = [
                ("killed", "was killed"),
                ("captured", "was captured"),
                ("is taken", "was taken"),
                ("out of the battle", "fell"),
                ("wounded", "was wounded"),
            ];
            if let Some((_, how)) = how.iter().find(|(word, _)| says.contains(word)) {
                self.fallen.push((subject, how));
            }
            return;
        }
        let other = names.iter().find(|name| **name != subject).cloned();
        // A message that friends will feel it is no event of its own.
        if says_any(&[" will feel ", " felt what ", " may ", " could ", " would ", "does not charge", "takes aim"]) {
        } else if says_any(&[" charges", "declared a charge"]) {
            self.charges.push((subject, other));
        } else if says_any(&[" is upon ", " came upon "]) {
            if let Some(charge) = self.charges.iter_mut().rev().find(|(who, _)| *who == subject) {
                charge.1 = other.or(charge.1.take());
            } else {
                self.charges.push((subject, other));
            }
        } else if says_any(&FIRES) {
            self.firing = other.map(|at| (subject, at));
        } else if says.contains(" guns of ") && says.contains(" are taken")
            || says.starts_with(" captured:")
            || says.starts_with(" abandoned:")
        {
            self.guns.insert(subject);
        } else if says_any(&[" arrives", " came up", " comes on to the table"]) {
            self.arrived.insert(subject);
        } else if says_any(&[" rallies", " in hand again"]) {
            self.rallied.insert(subject);
        } else {
            self.suffer(subject, &says);
        }
    }

    fn suffer(&mut self, who: String, says: &str) {
        let says_any = |words: &[&str]| words.iter().any(|word| says.contains(word));
        let lost = says_any(&[" takes ", " took ", " loses ", " lost ", " hit."]).then(|| counted(says)).flatten();
        if let Some((count, word)) = lost {
            let known = self.losses.entry(who.clone()).or_insert((0, word));
            known.0 += count;
            if let Some(shot) = self.firing.clone().filter(|(_, at)| *at == who)
                && !self.shots.contains(&shot)
            {
                self.shots.push(shot);
            }
        }
        let fate = if says_any(&ENDS) {
            Fate::Gone
        } else if says_any(&RUNS) {
            Fate::Ran
        } else if says_any(&YIELDS) {
            Fate::Back
        } else {
            return;
        };
        let known = self.fates.entry(who).or_insert(fate);
        *known = (*known).max(fate);
    }

    /// Whether shots, fights or flights were heard of.
    pub(crate) fn is_quiet(&self) -> bool {
        self.charges.is_empty()
            && self.fights.is_empty()
            && self.fates.is_empty()
            && self.losses.is_empty()
            && self.fallen.is_empty()
            && self.guns.is_empty()
            && self.places.is_empty()
            && self.arrived.is_empty()
    }

    /// How much happened.
    pub(crate) fn weight(&self) -> u32 {
        let fate = |fate: &Fate| match fate {
            Fate::Gone => 6,
            Fate::Ran => 4,
            Fate::Back => 2,
        };
        let fates: u32 = self.fates.values().map(fate).sum();
        let losses: u32 = self.losses.values().map(|(count, _)| (*count).min(6)).sum();
        let others = self.charges.len() + self.fights.len() + 2 * self.fallen.len() + 2 * self.guns.len();
        fates + losses + 2 * u32::try_from(others + 2 * self.places.len()).unwrap_or_default()
    }
}

/// "takes 2 kills": 2, kill.
fn counted(says: &str) -> Option<(u32, &'static str)> {
    let words: Vec<&str> = says.split([' ', '.', ',', ':']).collect();
    words.windows(2).find_map(|pair| {
        let count = pair[0].parse::<u32>().ok().filter(|count| *count > 0)?;
        LOSSES.iter().find(|(word, _)| pair[1].trim_end_matches('s') == *word).map(|(_, word)| (count, *word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast() -> Cast {
        let unit = |name: &str, side| (name.to_owned(), side);
        let units =
            vec![unit("part 1 of the 28th", Side::B), unit("1/27th Inniskilling", Side::A), unit("the 28th", Side::B)];
        let tokens = [("#0", "1/27th Inniskilling"), ("#1", "the 28th"), ("@0", "Ross")];
        let tokens = tokens.iter().map(|(token, name)| ((*token).to_owned(), (*name).to_owned())).collect();
        Cast { units, officers: vec![("Ross".to_owned(), Side::A)], tokens }
    }

    fn heard(said: &[(&str, &str)]) -> Deeds {
        let mut deeds = Deeds::default();
        for (about, text) in said {
            let part = StoryPart {
                text: (*text).to_owned(),
                about: Some((*about).to_owned()),
                clauses: Vec::new(),
                roll: None,
            };
            deeds.hear(&part, &cast());
        }
        deeds
    }

    #[test]
    fn a_name_is_not_taken_for_what_happened() {
        assert!(heard(&[("#0", "1/27th Inniskilling forms square")]).is_quiet());
        let (names, says) = cast().parsed("The 28th turns after 1/27th Inniskilling, disordered.");
        assert_eq!(names, ["the 28th", "1/27th Inniskilling"]);
        assert_eq!(says.trim(), "turns after , disordered.");
        assert_eq!(cast().parsed("Part 1 of the 28th halts").0, ["part 1 of the 28th"], "the longest name goes first");
    }

    #[test]
    fn every_book_says_in_its_words_that_somebody_is_hurt_runs_or_is_lost() {
        for says in ["The 28th takes 2 kills", "The 28th loses 2 figures and 1 gun.", "The 28th lost 2 bases by fire."]
        {
            let deeds = heard(&[("#1", says)]);
            assert_eq!(deeds.losses.get("the 28th").map(|(count, _)| *count), Some(2), "{says}");
        }
        for (says, fate) in [
            ("The 28th gives ground", Fate::Back),
            ("The 28th recoils 3 in.", Fate::Back),
            ("The 28th: retire.", Fate::Back),
            ("The 28th routs", Fate::Ran),
            ("The 28th routed.", Fate::Ran),
            ("The 28th routs off the table.", Fate::Gone),
            ("The 28th is shattered.", Fate::Gone),
            ("Destroyed: the 28th.", Fate::Gone),
        ] {
            assert_eq!(heard(&[("#1", says)]).fates.get("the 28th"), Some(&fate), "{says}");
        }
        let deeds = heard(&[("#1", "The 28th is shattered."), ("#1", "The 28th gives ground")]);
        assert_eq!(deeds.fates["the 28th"], Fate::Gone, "the worst of it is what became of it");
    }

    #[test]
    fn a_shot_is_told_where_it_hurt_and_what_may_happen_has_not_happened() {
        let missed = heard(&[("#0", "1/27th Inniskilling shoots at the 28th: 0 hits of 3 dice.")]);
        assert!(missed.is_quiet());
        let hit = heard(&[
            ("#0", "1/27th Inniskilling shoots at the 28th: 2 hits of 3 dice."),
            ("#1", "The 28th loses 2 figures."),
        ]);
        assert_eq!(hit.shots, [("1/27th Inniskilling".to_owned(), "the 28th".to_owned())]);
        assert!(heard(&[("#1", "Friends will feel the rout of the 28th.")]).is_quiet());
        assert!(heard(&[("#1", "The 28th does not charge and is where it was.")]).charges.is_empty());
    }

    #[test]
    fn charges_know_whom_and_officers_what_became_of_them() {
        let deeds = heard(&[
            ("#0", "1/27th Inniskilling sets out to charge."),
            ("#0", "1/27th Inniskilling charges!"),
            ("#0", "1/27th Inniskilling is upon the 28th."),
            ("@0", "Ross is killed"),
        ]);
        assert_eq!(deeds.charges, [("1/27th Inniskilling".to_owned(), Some("the 28th".to_owned()))]);
        assert_eq!(deeds.fallen, [("Ross".to_owned(), "was killed")]);
    }
}
