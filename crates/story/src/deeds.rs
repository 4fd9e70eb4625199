//! What a turn's story says was done, by whom and to whom: charges, fire, fights, flights, losses. It is read off sentences and rolls, by the words
//! in which all books tell the same things.

use std::collections::{BTreeMap, BTreeSet};

use sabretache_engine::ids::{Named, Side};
use sabretache_engine::session::{StoryLine, StoryPart};
use sabretache_engine::view::{UnitView, View};
use sabretache_table::{Point, Segment};

use crate::prose;

/// What became of a unit in a turn; the later, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    Back,
    Ran,
    Gone,
}

/// How a charge went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// It set out, and nothing was heard of its coming home.
    Out,
    Home,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    pub(crate) who: String,
    pub(crate) whom: Option<String>,
    pub(crate) came: Came,
}

/// Who they are that can do and suffer something.
pub(crate) struct Cast {
    units: Vec<Actor>,
    officers: Vec<(String, Side)>,
    tokens: BTreeMap<String, String>,
}

/// A unit: what the book calls it, and what it is called in the account, where no two have one name.
struct Actor {
    raw: String,
    name: String,
    side: Side,
}

impl Cast {
    pub(crate) fn of(view: &View) -> Self {
        let named = |unit: &UnitView| {
            let alike = |one: &&UnitView| one.name == unit.name && one.id != unit.id;
            let mut others = view.units.iter().filter(alike).peekable();
            if others.peek().is_none() {
                return unit.name.clone();
            }
            let command = view.commands.iter().find(|one| Some(one.id) == unit.command).map(|one| one.name.as_str());
            match (others.all(|one| one.side != unit.side), command) {
                (true, _) | (_, None) => format!("{} {}", unit.name, of_side(view, unit.side)),
                (false, Some(command)) => format!("{} of {}", unit.name, prose::within(command)),
            }
        };
        let mut units: Vec<Actor> = view
            .units
            .iter()
            .map(|unit| Actor { raw: unit.name.clone(), name: named(unit), side: unit.side })
            .collect();
        let tokens = view.units.iter().zip(&units).map(|(unit, actor)| (unit.id.to_string(), actor.name.clone()));
        let officers_too = view.officers.iter().map(|officer| (officer.id.to_string(), officer.name.clone()));
        let commands = view.commands.iter().map(|command| (command.id.to_string(), command.name.clone()));
        let tokens = tokens.chain(officers_too).chain(commands).collect();
        // The longest first, so that a name within another is not taken for it.
        units.sort_by_key(|unit| std::cmp::Reverse(unit.raw.len()));
        let officers = view.officers.iter().map(|officer| (officer.name.clone(), officer.side)).collect();
        Self { units, officers, tokens }
    }

    pub(crate) fn side(&self, name: &str) -> Option<Side> {
        let unit = self.units.iter().find(|one| one.name == name).map(|one| one.side);
        unit.or_else(|| self.officers.iter().find(|(one, _)| one == name).map(|(_, side)| *side))
    }

    fn is_unit(&self, name: &str) -> bool {
        self.units.iter().any(|one| one.name == name)
    }

    fn named(&self, token: Option<&str>) -> Option<&str> {
        let token = token?;
        Named::parse(token)?;
        self.tokens.get(token).map(String::as_str)
    }

    /// The units that a sentence names beside the one it is about, in its order, and the sentence without their names: there is no
    /// kill in Inniskilling.
    fn parsed(&self, text: &str, subject: Option<&str>) -> (Vec<String>, String) {
        let mut found: Vec<(usize, &str)> = Vec::new();
        let mut bare = text.to_owned();
        for unit in &self.units {
            while let Some(at) = position(&bare, &unit.raw) {
                found.push((at, &unit.raw));
                // As long as before, so that places stay comparable.
                bare.replace_range(at..at + unit.raw.len(), &"#".repeat(unit.raw.len()));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        let own = self.units.iter().find(|one| Some(one.name.as_str()) == subject);
        if let Some(first) = own.and_then(|own| found.iter().position(|(_, raw)| *raw == own.raw)) {
            found.remove(first);
        }
        // Of several with one name the enemy is meant.
        let meant = |raw: &str| {
            let all = self.units.iter().filter(|one| one.raw == raw && Some(one.name.as_str()) != subject);
            all.max_by_key(|one| own.is_some_and(|own| own.side != one.side)).map(|one| one.name.clone())
        };
        let names = found.into_iter().filter_map(|(_, raw)| meant(raw)).collect();
        (names, format!(" {}", bare.replace('#', "").to_lowercase()))
    }
}

impl Cast {
    /// How far two units stand apart, from corner to edge; far away where one of them stands nowhere.
    fn apart(&self, view: &View, a: &str, b: &str) -> f64 {
        let stands = |name: &str| {
            let token = self.tokens.iter().find(|(_, one)| *one == name).map(|(token, _)| token.as_str());
            let unit = view.units.iter().find(|unit| Some(unit.id.to_string().as_str()) == token);
            unit.map_or(&[][..], |unit| &unit.stands)
        };
        let (here, there) = (stands(a), stands(b));
        let from = |one: &[Vec<Point>], other: &[Vec<Point>]| {
            let edges = other.iter().flat_map(|stand| stand.iter().zip(stand.iter().cycle().skip(1)));
            let edges: Vec<Segment> = edges.map(|(a, b)| Segment::new(a.v(), b.v())).collect();
            let corners = one.iter().flatten().map(|corner| corner.v());
            corners.flat_map(|at| edges.iter().map(move |edge| edge.distance(at))).fold(f64::INFINITY, f64::min)
        };
        from(here, there).min(from(there, here))
    }
}

/// "of the French", "of Victor's corps".
pub(crate) fn of_side(view: &View, side: Side) -> String {
    let name = view.setting.sides.iter().find(|one| one.side == side).map_or("", |one| one.name.as_str());
    format!("of {}", prose::army(name))
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
    pub(crate) charges: Vec<Charge>,
    /// Who met whom hand to hand.
    pub(crate) fights: Vec<(String, String)>,
    /// Who fired on whom and hurt or shook him.
    pub(crate) shots: Vec<(String, String)>,
    pub(crate) fates: BTreeMap<String, Fate>,
    /// How many men, figures, bases or kills, in the book's word.
    pub(crate) losses: BTreeMap<String, (u32, &'static str)>,
    /// Who got away from a charge.
    pub(crate) evaded: BTreeSet<String>,
    /// Who was struck in flank or rear.
    pub(crate) flanked: BTreeSet<String>,
    /// Commands that lost heart, and commands that were broken.
    pub(crate) disheartened: BTreeSet<String>,
    pub(crate) shattered: BTreeSet<String>,
    /// Officers, and what became of them.
    pub(crate) fallen: Vec<(String, Vec<&'static str>)>,
    pub(crate) guns: BTreeSet<String>,
    /// Places, with those who took them.
    pub(crate) places: Vec<(String, String)>,
    pub(crate) arrived: BTreeSet<String>,
    pub(crate) rallied: BTreeSet<String>,
    /// What an entry has told so far: who fights hand to hand, and who fired on whom.
    fighting: Vec<String>,
    firing: Vec<(String, String)>,
}

const ENDS: [&str; 6] = [" is shattered", " is destroyed", "destroyed:", " surrender", " is broken", " off the table"];
const RUNS: [&str; 4] = [" routs", " routed", " runs because", " flee"];
const YIELDS: [&str; 7] =
    [" gives ground", " give ground", " recoils", " falls back", " fell back", ": retire", " retires"];
const FIRES: [&str; 5] = [" bombards ", " shoots at ", " fired at ", " fired into ", " a shell at "];
const LOSSES: [(&str, &str); 4] = [("kill", "kill"), ("figure", "figure"), ("base", "base"), ("gunner", "gunner")];

impl Deeds {
    /// Reads an entry of the story. `table` is as it stood before: who fights whom is seen there, where several fight at once.
    pub(crate) fn read(
        &mut self,
        line: &StoryLine,
        cast: &Cast,
        table: &mut dyn FnMut() -> Result<View, String>,
    ) -> Result<(), String> {
        self.fighting.clear();
        self.firing.clear();
        for part in &line.parts {
            match &part.roll {
                Some(roll) => {
                    let hand_to_hand = ["engage", "combat"].iter().any(|word| roll.what.to_lowercase().contains(word));
                    if let Some(name) = cast.named(roll.of.as_deref()).filter(|_| hand_to_hand)
                        && !self.fighting.iter().any(|one| one == name)
                    {
                        self.fighting.push(name.to_owned());
                    }
                }
                None => self.hear(part, cast),
            }
        }
        let fighting = std::mem::take(&mut self.fighting);
        let of = |side: Side| fighting.iter().filter(move |name| cast.side(name) == Some(side)).count();
        let several = of(Side::A) > 1 || of(Side::B) > 1;
        let seen = if several && of(Side::A).min(of(Side::B)) > 0 { Some(table()?) } else { None };
        for name in &fighting {
            let mut foes = fighting.iter().filter(|other| cast.side(other) != cast.side(name));
            let foe = match &seen {
                None => foes.next(),
                Some(view) => foes.min_by(|a, b| cast.apart(view, name, a).total_cmp(&cast.apart(view, name, b))),
            };
            if let Some(foe) = foe {
                self.meet(name, foe);
            }
        }
        Ok(())
    }

    fn meet(&mut self, a: &str, b: &str) {
        let same = |(x, y): &(String, String)| (x == a && y == b) || (x == b && y == a);
        if !self.fights.iter().any(same) {
            self.fights.push((a.to_owned(), b.to_owned()));
        }
    }

    fn hear(&mut self, part: &StoryPart, cast: &Cast) {
        let subject = cast.named(part.about.as_deref()).map(str::to_owned);
        let (names, says) = cast.parsed(&part.text, subject.as_deref());
        let says_any = |words: &[&str]| words.iter().any(|word| says.contains(word));
        if let Some(place) = says.strip_prefix(" taken by ") {
            if let Some((_, name)) = part.text.split_once(": ") {
                let who = place.split(": ").next().unwrap_or_default().to_owned();
                self.places.push((who, name.trim_end_matches('.').to_owned()));
            }
            return;
        }
        let Some(subject) = subject else { return };
        if says.contains("fails its command check") {
            self.disheartened.insert(subject);
            return;
        }
        if !cast.is_unit(&subject) {
            if says.contains(" is broken") {
                self.shattered.insert(subject.clone());
            }
            self.befell(subject, &says);
            return;
        }
        let other = names.into_iter().next();
        // A message that friends will feel it is no event of its own.
        if says_any(&[" will feel ", " felt what ", " may ", " could ", " would ", "takes aim", "in good order"]) {
        } else if says.contains(" does not charge") {
            self.charges.retain(|charge| charge.who != subject);
        } else if says_any(&[" charges", "declared a charge"]) {
            self.charges.push(Charge { who: subject, whom: other, came: Came::Out });
        } else if says_any(&[" is upon ", " came upon "]) {
            if let (true, Some(other)) = (says.contains(" in flank or rear"), &other) {
                self.flanked.insert(other.clone());
            }
            self.comes_home(subject, other);
        } else if says.contains(" struck home") {
            self.comes_home(subject, None);
        } else if says.contains("struck in flank or rear") {
            self.flanked.insert(subject);
        } else if says_any(&[" evades ", " evaded", " got away"]) {
            self.evaded.insert(subject);
        } else if says_any(&FIRES) {
            if let Some(at) = other.filter(|_| !says.contains(": 0 hits")) {
                self.firing.push((subject, at));
            }
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

    fn comes_home(&mut self, who: String, whom: Option<String>) {
        match self.charges.iter_mut().rev().find(|charge| charge.who == who) {
            Some(charge) => {
                charge.came = Came::Home;
                charge.whom = whom.or(charge.whom.take());
            }
            None => self.charges.push(Charge { who, whom, came: Came::Home }),
        }
    }

    /// What befell an officer, each thing once.
    fn befell(&mut self, who: String, says: &str) {
        let how = [
            ("killed", "killed"),
            ("captured", "captured"),
            ("is taken", "taken"),
            ("out of the battle", "lost"),
            ("wounded", "wounded"),
        ];
        let Some((_, how)) = how.iter().find(|(word, _)| says.contains(word)) else { return };
        match self.fallen.iter_mut().find(|(one, _)| *one == who) {
            Some((_, all)) if all.contains(how) => {}
            Some((_, all)) => all.push(how),
            None => self.fallen.push((who, vec![how])),
        }
    }

    fn suffer(&mut self, who: String, says: &str) {
        let says_any = |words: &[&str]| words.iter().any(|word| says.contains(word));
        let lost = says_any(&[" takes ", " took ", " loses ", " lost ", " hit."]).then(|| counted(says)).flatten();
        if let Some((count, word)) = lost {
            let known = self.losses.entry(who.clone()).or_insert((0, word));
            known.0 += count;
        }
        if lost.is_some() || (says.contains(" takes ") && says.contains(" stagger")) {
            for shot in self.firing.iter().filter(|(_, at)| *at == who) {
                if !self.shots.contains(shot) {
                    self.shots.push(shot.clone());
                }
            }
        }
        let fate = if says_any(&ENDS) {
            Fate::Gone
        } else if says_any(&RUNS) {
            Fate::Ran
        // Who falls back with his command is told of with it.
        } else if says_any(&YIELDS) && !says.contains(" with its command") {
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
        let unit = |name: &str, side| Actor { raw: name.to_owned(), name: name.to_owned(), side };
        let units =
            vec![unit("part 1 of the 28th", Side::B), unit("1/27th Inniskilling", Side::A), unit("the 28th", Side::B)];
        let tokens = [("#0", "1/27th Inniskilling"), ("#1", "the 28th"), ("#2", "part 1 of the 28th"), ("@0", "Ross")];
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
        let (names, says) = cast().parsed("The 28th turns after 1/27th Inniskilling, disordered.", Some("the 28th"));
        assert_eq!(names, ["1/27th Inniskilling"]);
        assert_eq!(says.trim(), "turns after , disordered.");
        assert_eq!(
            cast().parsed("Part 1 of the 28th halts", None).0,
            ["part 1 of the 28th"],
            "the longest name goes first"
        );
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
        let (who, whom) = ("1/27th Inniskilling".to_owned(), Some("the 28th".to_owned()));
        assert_eq!(deeds.charges, [Charge { who, whom, came: Came::Home }]);
        assert_eq!(deeds.fallen, [("Ross".to_owned(), vec!["killed"])]);
        let deeds = heard(&[("#0", "1/27th Inniskilling declared a charge at the 28th."), ("#1", "The 28th evaded.")]);
        assert_eq!(deeds.charges[0].came, Came::Out, "nothing was heard of its coming home");
        assert!(deeds.evaded.contains("the 28th"));
        let off = heard(&[
            ("#0", "1/27th Inniskilling charges!"),
            ("#0", "1/27th Inniskilling does not charge and is where it was."),
        ]);
        assert!(off.charges.is_empty());
    }

    #[test]
    fn shots_are_told_before_their_losses_and_each_keeps_its_own() {
        let deeds = heard(&[
            ("#0", "1/27th Inniskilling shoots at the 28th: 2 hits of 3 dice."),
            ("#2", "Part 1 of the 28th shoots at 1/27th Inniskilling: 1 hit of 3 dice."),
            ("#1", "The 28th loses 2 figures."),
            ("#0", "1/27th Inniskilling loses 1 figure."),
        ]);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let all = [pair("1/27th Inniskilling", "the 28th"), pair("part 1 of the 28th", "1/27th Inniskilling")];
        assert_eq!(deeds.shots, all);
        // Guns that only stagger their target have told on it, too.
        let shaken = heard(&[("#0", "1/27th Inniskilling bombards the 28th"), ("#1", "The 28th takes 2 staggers")]);
        assert_eq!(shaken.shots, [pair("1/27th Inniskilling", "the 28th")]);
    }
}
