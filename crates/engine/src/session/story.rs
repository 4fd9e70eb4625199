//! The log in words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::seen::{Veil, event_seen, roll_seen};
use super::{Declined, Session, folded};
use crate::clause::{Book, Clause};
use crate::eyes::Eyes;
use crate::ids::{Named, Side, UnitId};
use crate::interrupt::Clock;
use crate::log::{Entry, Hand};
use crate::resolution::{Happening, RollRecord, Wanted};
use crate::ruleset::Ruleset;

/// What one entry of the log tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct StoryLine {
    /// The moment after the entry: how many entries count by then.
    pub moment: usize,
    /// The turn in which it happened, where the book counts turns.
    pub turn: Option<u32>,
    /// The phase, as the book calls it.
    pub phase: String,
    /// Who chose, if somebody did.
    pub side: Option<Side>,
    /// What was chosen, set or begun.
    pub text: String,
    /// Whether a standing instruction chose, and nobody was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub standing: bool,
    /// Whether the rules were overridden: a breach with open eyes, or something set by hand.
    pub overridden: bool,
    /// What came of it.
    pub parts: Vec<StoryPart>,
}

/// A roll or an event in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct StoryPart {
    /// What happened.
    pub text: String,
    /// What it happened to, as a token.
    pub about: Option<String>,
    /// The clauses behind it.
    #[ts(type = "string[]")]
    pub clauses: Vec<Clause>,
    /// The roll, if it is one.
    pub roll: Option<RollRecord>,
}

impl StoryLine {
    fn at(moment: usize, clock: Clock) -> Self {
        Self {
            moment,
            turn: clock.turn,
            phase: clock.phase,
            side: None,
            text: String::new(),
            standing: false,
            overridden: false,
            parts: Vec::new(),
        }
    }
}

impl<R: Ruleset> Session<R> {
    /// What happened after a moment, in words; after moment 0, everything, the beginning included.
    pub fn story(&self, after: usize) -> Result<Vec<StoryLine>, Declined> {
        self.story_for(after, Eyes::All)
    }

    /// What happened after a moment, as these eyes saw it.
    pub fn story_for(&self, after: usize, eyes: Eyes) -> Result<Vec<StoryLine>, Declined> {
        let mut lines = Vec::new();
        if after == 0 {
            lines.push(self.beginning());
        }
        let after = after.clamp(1, self.now());
        let mut battle = self.battle_at(after)?;
        for moment in after..self.now() {
            let entry = &self.log.entries[self.standing[moment]];
            lines.push(tell_entry::<R>(&battle, entry, moment + 1, eyes));
            battle = folded::<R>(battle, entry)?;
        }
        Ok(lines)
    }

    fn beginning(&self) -> StoryLine {
        let title = self.begun().scenario.get("title").and_then(|title| title.as_str()).unwrap_or_default();
        let battle = self.checkpoints.first().map_or(&self.battle, |(_, battle)| battle);
        StoryLine { text: title.to_owned(), ..StoryLine::at(1, R::clock(battle)) }
    }
}

/// What is said of a choice by those who did not see what it was about.
const OUT_OF_SIGHT: &str = "Something is done out of sight";

fn tell_entry<R: Ruleset>(battle: &R::Battle, entry: &Entry<R::Event>, moment: usize, eyes: Eyes) -> StoryLine {
    let mut line = StoryLine::at(moment, R::clock(battle));
    let hides = eyes != Eyes::All && R::conceals(battle);
    match entry {
        Entry::Chosen(chosen) => {
            line.side = Some(chosen.side);
            let (text, unit) = label_of::<R>(battle, &chosen.offer);
            let open = || {
                unit.is_some_and(|unit| R::sees(battle, eyes, unit.into()))
                    && !Veil::new::<R>(battle, eyes).is_lifted_by(&text)
            };
            let told = !hides || eyes.share(chosen.side) || open();
            line.text = if told { text } else { OUT_OF_SIGHT.into() };
            line.overridden = !chosen.breaches.is_empty();
            let breaches = chosen.breaches.iter().filter(|_| told).map(|breach| StoryPart {
                text: format!("Against the rules: {}", breach.sentence),
                about: None,
                clauses: vec![breach.clause],
                roll: None,
            });
            line.parts.extend(breaches);
            line.standing = chosen.standing;
            if let Some(why) = chosen.why.as_ref().filter(|_| told) {
                line.parts.push(said(why.clone()));
            }
            let lapsed: Vec<StoryPart> = chosen
                .lapsed
                .iter()
                .filter(|lapse| eyes.share(lapse.side))
                .map(|lapse| said(lapse.text.clone()))
                .collect();
            let mut battle = battle.clone();
            for one in &chosen.happened {
                match one {
                    Happening::Roll(roll) if !hides || roll_seen::<R>(&battle, eyes, roll) => {
                        line.parts.push(tell_roll(R::BOOK, roll, |named| name_of::<R>(&battle, named)));
                    }
                    Happening::Roll(_) => {}
                    Happening::Follows(_) => chosen.fold::<R>(&mut battle, one),
                    Happening::Event(event) => {
                        let before = hides.then(|| battle.clone());
                        let telling = R::tell(&battle, event);
                        chosen.fold::<R>(&mut battle, one);
                        let told = before.is_none_or(|before| event_seen::<R>(&before, &battle, eyes, event));
                        let about = telling.about.map(|about| about.to_string());
                        let part = StoryPart { text: telling.text, about, clauses: telling.clauses, roll: None };
                        line.parts.extend(told.then_some(part));
                    }
                }
            }
            line.parts.extend(lapsed);
        }
        Entry::Adjusted(adjusted) => {
            line.overridden = true;
            let by = match adjusted.by {
                Hand::Umpire => "The umpire".to_owned(),
                Hand::Player(side) => format!("Side {side}"),
            };
            let why = adjusted.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
            line.text = match hides {
                true => format!("{by} set something by hand"),
                false => format!("{by} set {} from {} to {}{why}", adjusted.path, adjusted.from, adjusted.to),
            };
        }
        Entry::Begun(_) | Entry::Undone { .. } | Entry::Written(_) | Entry::Said(_) => {}
    }
    line
}

/// Words behind which no clause stands.
fn said(text: String) -> StoryPart {
    StoryPart { text, about: None, clauses: Vec::new(), roll: None }
}

/// The label of an offer known by its key, and its unit; the key itself where the rules no longer make that offer.
fn label_of<R: Ruleset>(battle: &R::Battle, key: &str) -> (String, Option<UnitId>) {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    let mut closed = Vec::new();
    R::closed(battle, &mut closed);
    let mut all = offers.into_iter().chain(closed.into_iter().map(|(offer, _)| offer));
    let label = all.find(|offer| R::key(battle, offer) == key).map(|offer| R::label(battle, &offer));
    label.map_or_else(|| (key.to_owned(), None), |label| (label.text, label.unit))
}

fn name_of<R: Ruleset>(battle: &R::Battle, named: Named) -> Option<String> {
    R::name(battle, named).map(|(_, name)| name)
}

/// A roll in words: what for, from what base, with which modifiers, what was wanted at what chance, what fell.
pub(crate) fn tell_roll(book: &Book, roll: &RollRecord, name: impl Fn(Named) -> Option<String>) -> StoryPart {
    let of = roll.of.as_deref().and_then(Named::parse).and_then(name);
    let mut text = capitalised(&roll.what);
    if let Some(of) = of {
        text += &format!(", {of}");
    }
    if let Some(base) = &roll.base {
        text += &match &base.name {
            Some(name) => format!(": {name} ({})", base.value),
            None => format!(": {}", base.value),
        };
    }
    let column = roll.base.as_ref().and_then(|base| base.clause);
    if let Some(clause) = column {
        text += &format!(", {}", uncapitalised(&book.title_of(clause)));
    }
    for modifier in &roll.modifiers {
        let way = if modifier.shift < 0 { "down" } else { "up" };
        text += &format!(", {way} {} ({})", modifier.shift.abs(), book.title_of(modifier.clause));
    }
    let chance = roll.probability().map_or(String::new(), |p| format!(" ({:.1} %)", p * 100.0));
    text += &match roll.wanted {
        Wanted::AtMost(target) => format!("; {target} or less on {}{chance}", roll.throw),
        Wanted::AtLeast(target) => format!("; {target} or more on {}{chance}", roll.throw),
        _ => format!("; {}", roll.throw),
    };
    let faces: Vec<String> = roll.faces.iter().map(u8::to_string).collect();
    text += &match faces.len() {
        0 | 1 => format!(": {}", roll.total),
        _ => format!(": {} = {}", faces.join(" + "), roll.total),
    };
    if let Some(met) = roll.wanted.met(roll.total) {
        text += if met { ", made it" } else { ", failed" };
    }
    text.push('.');
    let clauses = column.into_iter().chain(roll.modifiers.iter().map(|modifier| modifier.clause)).collect();
    StoryPart { text, about: roll.of.clone(), clauses, roll: Some(roll.clone()) }
}

fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
