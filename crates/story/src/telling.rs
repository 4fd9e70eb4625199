//! The battle in prose: what mattered in each turn, who was fortunate, what was lost.

use std::collections::BTreeMap;

use sabretache_engine::ids::{Named, Side};
use sabretache_engine::session::StoryLine;
use sabretache_engine::view::{Verdict, View};

/// So many sentences a turn are told at the most: a page of story, not a log.
const MOST: usize = 7;
/// So many of those that lost men are named.
const SOME: usize = 5;

/// Words that make an event worth telling, and how much.
const WEIGHTY: [(&str, u32); 28] = [
    ("shatter", 6),
    ("destroy", 6),
    ("surrender", 6),
    ("is broken", 6),
    ("breaks", 5),
    ("killed", 6),
    ("has fallen", 6),
    ("captured", 5),
    ("is taken", 4),
    ("routs", 5),
    ("rout", 4),
    ("flee", 4),
    ("overrun", 4),
    ("rides through", 4),
    ("loses the", 3),
    ("wins", 4),
    ("charge", 3),
    ("pursue", 3),
    ("retire", 1),
    ("is beaten", 4),
    ("struck home", 4),
    ("give ground", 3),
    ("falls back", 3),
    ("recoil", 3),
    ("kill", 3),
    ("arrives", 3),
    ("takes", 1),
    ("hits", 1),
];

/// Said by the log for its own sake, and not for a reader.
const ROUTINE: [&str; 18] = [
    "may be",
    "has done",
    "acts on",
    "order",
    "no longer",
    "made its move",
    "takes aim",
    "0 hits",
    "at the least",
    "does not charge",
    "sets out to",
    "would evade",
    "has fought a round",
    "will feel",
    "felt what",
    "could halt",
    "control test",
    ": part ",
];

/// A turn.
pub struct Passage {
    /// Its number; 0 before the first.
    pub turn: u32,
    /// What happened, in order, a sentence each.
    pub sentences: Vec<String>,
    /// How much happened.
    pub weight: u32,
    /// The moment at its end.
    pub moment: usize,
}

/// How the dice fell for a unit, an officer or a side.
pub struct Fortune {
    /// Who.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// How many rolls.
    pub rolls: u32,
    /// How much better than expected they went, in rolls.
    pub luck: f64,
}

/// Everything that is told.
pub struct Account {
    /// Turn by turn.
    pub passages: Vec<Passage>,
    /// Who did better than the dice promised, best first.
    pub fortunes: Vec<Fortune>,
    /// The same for the two sides.
    pub sides: Vec<Fortune>,
    /// Who left the table, with the reason.
    pub lost: Vec<(Side, String, String)>,
    /// How it ended.
    pub verdict: Option<Verdict>,
}

/// Tells a battle from its story and from the table as it stood first and last.
#[must_use]
pub fn tell(story: &[StoryLine], first: &View, last: &View, verdict: Option<Verdict>) -> Account {
    let mut passages: Vec<Passage> = Vec::new();
    for line in story {
        let turn = line.turn.unwrap_or_default();
        if passages.last().is_none_or(|passage| passage.turn != turn) {
            passages.push(Passage { turn, sentences: Vec::new(), weight: 0, moment: line.moment });
        }
        let Some(passage) = passages.last_mut() else { continue };
        passage.moment = line.moment;
        // What is about nobody is the clock of the turn.
        for part in line.parts.iter().filter(|part| part.roll.is_none() && part.about.is_some()) {
            let weight = weight(&part.text);
            passage.weight += weight;
            if weight > 1 {
                passage.sentences.push(format!("{weight} {}", sentence(&part.text)));
            }
        }
    }
    let names: Vec<&str> = last.units.iter().map(|unit| unit.name.as_str()).collect();
    for passage in &mut passages {
        let (losses, rest) = std::mem::take(&mut passage.sentences).into_iter().partition(|one| is_loss(one));
        passage.sentences = joined(chosen(rest), &names);
        passage.sentences.extend(bled(losses, &names));
    }
    passages.retain(|passage| passage.turn > 0);
    let (fortunes, sides) = fortunes(story, last);
    Account { passages, fortunes, sides, lost: lost(first, last), verdict }
}

fn weight(text: &str) -> u32 {
    // Words are looked for from their beginning: there is no kill in Inniskilling.
    let plain = format!(" {}", text.to_lowercase());
    if ROUTINE.iter().any(|word| plain.contains(word)) {
        return 0;
    }
    WEIGHTY.iter().filter(|(word, _)| plain.contains(&format!(" {word}"))).map(|(_, weight)| *weight).max().unwrap_or(0)
}

fn sentence(text: &str) -> String {
    let text = text.trim_end_matches(['.', '!', ' ']);
    let mut letters = text.chars();
    let first = letters.next().map_or(String::new(), |first| first.to_uppercase().collect());
    format!("{first}{}.", letters.as_str())
}

/// The weightiest, in the order in which they happened, none twice.
fn chosen(weighed: Vec<String>) -> Vec<String> {
    let split = |one: &String| {
        let (weight, text) = one.split_once(' ').unwrap_or(("0", one));
        (weight.parse::<u32>().unwrap_or(0), text.to_owned())
    };
    let mut all: Vec<(usize, u32, String)> = Vec::new();
    for (n, one) in weighed.iter().enumerate() {
        let (weight, text) = split(one);
        if !all.iter().any(|(_, _, told)| *told == text) {
            all.push((n, weight, text));
        }
    }
    all.sort_by_key(|(n, weight, _)| (std::cmp::Reverse(*weight), *n));
    all.truncate(MOST);
    all.sort_by_key(|(n, ..)| *n);
    all.into_iter().map(|(_, _, text)| text).collect()
}

/// Whether a sentence only tells that men were lost.
fn is_loss(weighed: &str) -> bool {
    weighed.contains(" kill") && weighed.contains(" takes ")
        || weighed.contains(" loses ") && weighed.contains(" figure")
}

/// Who lost men, in one sentence.
fn bled(losses: Vec<String>, names: &[&str]) -> Option<String> {
    let mut who: Vec<&str> = Vec::new();
    for name in names {
        if losses.iter().any(|one| one.contains(&format!(" {name} "))) && !who.contains(name) {
            who.push(name);
        }
    }
    if who.len() > SOME {
        return Some(format!("{} and {} more bled.", who[..SOME].join(", "), who.len() - SOME));
    }
    let last = who.pop()?;
    Some(if who.is_empty() { format!("{last} bled.") } else { format!("{} and {last} bled.", who.join(", ")) })
}

/// What one unit did in a row as one sentence: "The 28th breaks, loses 5 figures and routs."
fn joined(sentences: Vec<String>, names: &[&str]) -> Vec<String> {
    let subject = |text: &str| {
        let fits = |name: &&&str| text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        names.iter().filter(fits).map(|name| name.len()).max()
    };
    let mut told: Vec<(Option<String>, Vec<String>)> = Vec::new();
    for text in sentences {
        let body = text.trim_end_matches('.');
        let Some(long) = subject(body).filter(|long| body[*long..].starts_with(' ')) else {
            told.push((None, vec![body.to_owned()]));
            continue;
        };
        let (who, does) = (body[..long].to_owned(), body[long + 1..].to_owned());
        match told.last_mut().filter(|(before, _)| before.as_ref() == Some(&who)) {
            Some((_, deeds)) => deeds.push(does),
            None => told.push((Some(who), vec![does])),
        }
    }
    let sentence = |(who, mut deeds): (Option<String>, Vec<String>)| {
        let last = deeds.pop().unwrap_or_default();
        let before = if deeds.is_empty() { String::new() } else { format!("{} and ", deeds.join(", ")) };
        format!("{}{before}{last}.", who.map_or(String::new(), |who| who + " "))
    };
    told.into_iter().map(sentence).collect()
}

fn fortunes(story: &[StoryLine], view: &View) -> (Vec<Fortune>, Vec<Fortune>) {
    let mut of: BTreeMap<String, (Side, u32, f64)> = BTreeMap::new();
    let mut sides = [(0, 0.0), (0, 0.0)];
    for roll in story.iter().flat_map(|line| &line.parts).filter_map(|part| part.roll.as_ref()) {
        if roll.luck == 0.0 && roll.chance.is_none() {
            continue;
        }
        let side = &mut sides[roll.side.index()];
        *side = (side.0 + 1, side.1 + roll.luck);
        let name = roll.of.as_deref().and_then(Named::parse).and_then(|named| match named {
            Named::Unit(id) => view.units.iter().find(|unit| unit.id == id).map(|unit| unit.name.clone()),
            Named::Officer(id) => {
                view.officers.iter().find(|officer| officer.id == id).map(|officer| officer.name.clone())
            }
            Named::Command(_) | Named::Ground(_) => None,
        });
        if let Some(name) = name {
            let known = of.entry(name).or_insert((roll.side, 0, 0.0));
            *known = (known.0, known.1 + 1, known.2 + roll.luck);
        }
    }
    let mut all: Vec<Fortune> =
        of.into_iter().map(|(name, (side, rolls, luck))| Fortune { name, side, rolls, luck }).collect();
    all.sort_by(|a, b| b.luck.total_cmp(&a.luck));
    let names = view.setting.sides.iter().map(|side| {
        let (rolls, luck) = sides[side.side.index()];
        Fortune { name: side.name.clone(), side: side.side, rolls, luck }
    });
    (all, names.collect())
}

/// Those who are lost to their side, and were not before.
fn lost(first: &View, last: &View) -> Vec<(Side, String, String)> {
    let gone = last.units.iter().filter_map(|unit| {
        let before = first.units.iter().find(|one| one.key == unit.key)?;
        let why = unit.absent.clone().filter(|_| unit.lost && !before.lost)?;
        Some((unit.side, unit.name.clone(), why))
    });
    gone.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_for_from_their_beginning() {
        assert_eq!(weight("1/27th Inniskilling forms square"), 0);
        assert!(weight("1/27th Inniskilling routs") > weight("1/27th Inniskilling takes 1 kill"));
        assert_eq!(weight("The 1er Dragons does not charge and is where it was."), 0);
    }

    #[test]
    fn of_much_that_happened_the_weightiest_is_told_in_its_order_and_nothing_twice() {
        let mut all: Vec<String> = (0..9).map(|n| format!("2 Small thing {n}.")).collect();
        all.insert(3, "6 The 87th is broken.".into());
        all.push("6 The 87th is broken.".into());
        all.push("5 The 28th routs.".into());
        let told = chosen(all);
        assert_eq!(told.len(), MOST);
        let place = |sentence: &str| told.iter().position(|one| one == sentence);
        assert!(place("The 87th is broken.") < place("The 28th routs."), "{told:?}");
        assert_eq!(told.iter().filter(|one| one.contains("87th")).count(), 1);
    }

    #[test]
    fn what_one_unit_did_in_a_row_is_one_sentence() {
        let told =
            ["The 28th breaks.", "The 28th loses 5 figures.", "The 28th routs.", "The 8th routs."].map(str::to_owned);
        let told = joined(told.to_vec(), &["the 28th", "The 8th"]);
        assert_eq!(told, ["The 28th breaks, loses 5 figures and routs.", "The 8th routs."]);
    }

    #[test]
    fn losses_are_one_sentence() {
        let losses =
            ["3 The 28th takes 1 kill.", "3 The 8th takes 2 kills.", "3 The 28th takes 1 kill."].map(str::to_owned);
        assert!(losses.iter().all(|one| is_loss(one)) && !is_loss("5 The 28th routs."));
        assert_eq!(
            bled(losses.to_vec(), &["The 8th", "The 9th", "The 28th"]).as_deref(),
            Some("The 8th and The 28th bled.")
        );
        assert_eq!(bled(Vec::new(), &["The 8th"]), None);
    }

    #[test]
    fn a_sentence_ends_in_one_stop() {
        assert_eq!(sentence("the 1er Dragons charges!"), "The 1er Dragons charges.");
        assert_eq!(sentence("Kurprinz: retire."), "Kurprinz: retire.");
    }
}
