//! The messages between a battle and those who play, watch or umpire it: the same over standard input and output, over
//! a WebSocket, and for a program that drives a battle.
//!
//! `docs/protocol.md` describes them. A [`Request`] comes in, one or more [`Reply`]s go out.

use std::collections::BTreeMap;

use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::clause::{Clause, ClauseText};
use crate::dice::{Die, Party, Reveal};
use crate::eyes::{Addressee, LetterView};
use crate::forecast::{HeadlineOdds, Reckoning, UnitOdds};
use crate::handle::{Group, Handle};
use crate::ids::{Named, Side};
use crate::interrupt::Standing;
use crate::log::{Enforcement, SaidView, Say};
use crate::offer::{Input, Preview, Refusal, Value};
use crate::scenario::Diagnostics;
use crate::session::{Adjustable, StoryLine};
use crate::view::{Overlay, Verdict, View};

/// What is asked of a battle.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema, ts_rs::TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Begins a battle; the one before it, if any, is left.
    Begin {
        /// A shipped scenario by name, a path, or a scenario in TOML.
        scenario: String,
        /// How far the rules are enforced.
        #[serde(default)]
        enforcement: Enforcement,
        /// The seed of the dice; real dice are typed in when not given.
        #[serde(default)]
        #[ts(type = "number | null")]
        seed: Option<u64>,
    },
    /// Takes a battle up again from its log.
    Resume {
        /// The log, as text.
        log: String,
    },
    /// The table as it stands, or as it stood at a moment.
    View {
        /// How many entries counted by then.
        #[serde(default)]
        moment: Option<usize>,
    },
    /// What is to be decided, and the offers.
    Decision {
        /// With what is closed, and why.
        #[serde(default)]
        closed: bool,
        /// Only what concerns this unit, officer or command, as a token.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string")]
        of: Option<Named>,
    },
    /// The exact odds of an offer.
    Odds {
        /// The offer, by its key.
        offer: String,
        /// Its input.
        #[serde(default)]
        value: Value,
    },
    /// Why an offer is not open.
    Why {
        /// The offer, by its key.
        offer: String,
    },
    /// Where things would stand.
    Preview {
        /// The offer, by its key.
        offer: String,
        /// Its input.
        #[serde(default)]
        value: Value,
    },
    /// Zones, sight, reach, command radius.
    Overlays {
        /// A token: `#3` or `@1`; of every unit and officer, when not given.
        #[serde(default)]
        of: Option<String>,
    },
    /// Makes a choice.
    Choose {
        /// The offer, by its key.
        offer: String,
        /// Its input.
        #[serde(default)]
        value: Value,
        /// The moment the choice was meant for; a choice that comes too late is declined.
        #[serde(default)]
        moment: Option<usize>,
        /// Real dice, in the order asked for.
        #[serde(default)]
        dice: Vec<u8>,
        /// Secrets for agreed dice.
        #[serde(default)]
        #[ts(type = "Record<string, string>")]
        reveals: BTreeMap<Party, Reveal>,
        /// Do it although the rules forbid it, where the players are only advised.
        #[serde(default)]
        despite: bool,
        /// Which of several players of the side decides: only for commands that are his.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        player: Option<String>,
        /// The moment comes with all that is to be seen and decided then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        whole: bool,
    },
    /// Makes several choices one after the other, until one is refused, the other side decides, or dice have fallen.
    Series {
        /// The choices, in order.
        choices: Vec<Step>,
        /// The moment they were meant for.
        #[serde(default)]
        moment: Option<usize>,
        /// Real dice for the first of them.
        #[serde(default)]
        dice: Vec<u8>,
        /// Secrets for agreed dice for the first of them.
        #[serde(default)]
        #[ts(type = "Record<string, string>")]
        reveals: BTreeMap<Party, Reveal>,
        /// Goes on after dice have fallen: an order and, if it is obeyed, the move.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        through_dice: bool,
        /// Which of several players of the side decides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        player: Option<String>,
        /// The moment comes with all that is to be seen and decided then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        whole: bool,
    },
    /// Takes the last choice back.
    Undo {
        /// Which of several players of the side does so: only for commands that are his.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        player: Option<String>,
        /// The moment comes with all that is to be seen and decided then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        whole: bool,
    },
    /// What an umpire may set on something.
    Adjustable {
        /// A token: `#3`, `@1` or `%0`; nothing for where the battle stands: the turn, the phase, whose it is.
        #[ts(type = "string | null")]
        of: Option<Named>,
    },
    /// Sets something by hand.
    Adjust {
        /// A path into the battle as a scenario: `units.fr-1.staggers`.
        path: String,
        /// The new value; null takes it away.
        #[ts(type = "unknown")]
        to: Json,
        /// Why.
        #[serde(default)]
        why: Option<String>,
    },
    /// Standing instructions of a side, in place of those before.
    Instruct {
        /// Which side.
        side: Side,
        /// What it lets pass.
        instructions: Vec<Standing>,
        /// Whether what is not meaningful, or was let pass before, passes without asking; as before when not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        quiet: Option<bool>,
        /// Which of several players of the side gives them: for the units of his own commands, in place of his own before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        player: Option<String>,
    },
    /// Writes a letter; it changes nothing in the battle.
    Write {
        /// Which of several players of the side writes it.
        #[serde(default)]
        from: Option<String>,
        /// To whom.
        to: Addressee,
        /// What it says.
        text: String,
    },
    /// Gives up, asks the other side for something, or answers.
    Say {
        /// What.
        say: Say,
    },
    /// The letters that this seat may read.
    Letters,
    /// What happened, in words.
    Story {
        /// After this moment; 0, or nothing, for everything.
        #[serde(default)]
        from: usize,
    },
    /// The situation in words.
    Report,
    /// The battle as a scenario, in TOML.
    Save,
    /// The log so far.
    Log,
    /// Goes on from an earlier moment, as a battle of its own.
    Branch {
        /// How many entries both share.
        moment: usize,
        /// The seed of the new battle's dice.
        #[serde(default)]
        #[ts(type = "number | null")]
        seed: Option<u64>,
    },
    /// The text of a clause.
    Clause {
        /// Its id.
        id: String,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// A battle has begun, gone on, or been taken up again: the moment it is at.
    Moment {
        /// How many entries count.
        moment: usize,
        /// Who decides now.
        deciding: Option<Side>,
        /// How it ended, once it has.
        verdict: Option<Verdict>,
        /// What happened since the request, in words.
        story: Vec<StoryLine>,
        /// The letters written since that this seat may read.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<LetterView>>", optional)]
        letters: Vec<LetterView>,
        /// What the players said to each other since.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<SaidView>>", optional)]
        said: Vec<SaidView>,
        /// What a side asks of the other and has no answer to.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        asked: Option<SaidView>,
        /// The new lines of the log; from a server each is empty while this seat may not read the log.
        log: Vec<String>,
        /// How far a series got.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        series: Option<SeriesDone>,
        /// All that is to be seen and decided now, where that was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        whole: Option<Box<Whole>>,
    },
    /// The table.
    View {
        /// How many entries counted by then.
        moment: usize,
        /// What lies on it.
        view: Box<View>,
    },
    /// What is to be decided.
    Decision(Decision),
    /// The odds of an offer.
    Odds {
        /// The offer.
        offer: String,
        /// Every outcome with its chance.
        outcomes: Vec<OutcomeOdds>,
        /// What it comes to at a glance, five lines at the most, in the order in which they matter.
        headlines: Vec<HeadlineOdds>,
        /// The chance that it goes well for the side that chooses; nothing where good and bad do not come into it.
        chance: Option<f64>,
        /// What each unit has to fear that anything may happen to.
        units: Vec<UnitOdds>,
        /// The first rolls to come, as far as they are the same whatever falls.
        reckoning: Vec<Reckoning>,
    },
    /// Why an offer is not open.
    Why {
        /// The offer.
        offer: String,
        /// The clause and the sentence; nothing when it is open.
        refusal: Option<Refusal>,
    },
    /// Where things would stand.
    Preview(Preview),
    /// What is drawn over the table.
    Overlays {
        /// The outlines.
        overlays: Vec<Overlay>,
        /// Whose each of them is, as a token.
        whose: Vec<String>,
    },
    /// The story.
    Story {
        /// Its lines.
        lines: Vec<StoryLine>,
    },
    /// Letters.
    Letters {
        /// In the order in which they were written.
        letters: Vec<LetterView>,
        /// Those who may write to each other on this seat's side, by name; nobody where it has one player.
        players: Vec<String>,
        /// What the players said to each other.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<SaidView>>", optional)]
        said: Vec<SaidView>,
        /// What a side asks of the other and has no answer to.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        asked: Option<SaidView>,
    },
    /// A text: a report, a saved scenario, a log.
    Text {
        /// The text.
        text: String,
    },
    /// A clause.
    Clause(ClauseReply),
    /// Dice are wanted: throw these and ask again with them.
    Dice {
        /// In words: `2D6`.
        throw: String,
        /// How many dice.
        count: usize,
        /// The kind of each of them.
        dice: Vec<Die>,
        /// Who throws, for what, from what base, with which modifiers, and what is wanted.
        reckoning: Option<Box<Reckoning>>,
        /// The faces that were given and used before: send these again, with the new ones after them.
        given: Vec<u8>,
    },
    /// What may be set on something.
    Adjustable {
        /// Each with its path.
        fields: Vec<Adjustable>,
    },
    /// The rules forbid it. Nothing changed.
    Refused(Refusal),
    /// It could not be done. Nothing changed.
    Declined {
        /// Why, as a sentence.
        why: String,
        /// All that is wrong with a file, where one was sent.
        #[ts(type = "unknown[]")]
        #[schemars(with = "Vec<Json>")]
        #[serde(skip_serializing_if = "Diagnostics::is_empty")]
        diagnostics: Diagnostics,
    },
}

/// What is to be decided, by whom, and what may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct Decision {
    /// The moment it belongs to.
    pub moment: usize,
    /// Who decides; nobody when the battle is over.
    pub side: Option<Side>,
    /// What is to be decided.
    pub sentence: String,
    /// Whether it interrupts the other side's doing.
    pub interrupt: bool,
    /// What may be done in the interrupt, in a word, as standing instructions name it: `bombard`, `evade`.
    pub kind: Option<String>,
    /// More of the interrupt.
    pub reaction: Option<ReactionView>,
    /// What can act now, units and officers, in the order of the offers.
    #[ts(type = "string[]")]
    pub actors: Vec<Named>,
    /// What may be chosen.
    pub offers: Vec<OfferView>,
    /// What might be expected and may not be chosen, on request.
    pub closed: Vec<ClosedView>,
}

/// One thing that may be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct OfferView {
    /// Its key.
    pub key: String,
    /// In words.
    pub label: String,
    /// The unit it concerns, as a token.
    pub unit: Option<String>,
    /// The command it concerns, as a token.
    pub command: Option<String>,
    /// What it needs to be told.
    pub input: Input,
    /// How a hand takes hold of it.
    pub handle: Handle,
    /// What it is, in a machine's word: `advance`, `wheel`, `charge`, `shoot`, `order`, `ride`, `pass`, `end`.
    pub act: String,
    /// What it is done to, as a token.
    #[ts(type = "string | null")]
    pub target: Option<Named>,
    /// What kind of thing it is.
    pub group: Group,
    /// The act that it makes possible, if it comes off: an order to advance leads to `advance`.
    pub leads_to: Option<String>,
    /// The clauses that allow it.
    #[ts(type = "string[]")]
    pub clauses: Vec<Clause>,
}

/// One thing that may not be chosen, and why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct ClosedView {
    /// Its key.
    pub key: String,
    /// In words.
    pub label: String,
    /// The unit it concerns, as a token.
    pub unit: Option<String>,
    /// Why not.
    pub why: Refusal,
}

/// Who may react to what.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct ReactionView {
    /// Who may react, as tokens.
    pub reactors: Vec<String>,
    /// Whose doing is interrupted, as a token.
    pub mover: String,
    /// How far the nearest reactor is from the mover.
    #[ts(type = "number")]
    pub distance: Length,
    /// The key of the offer that lets it pass.
    pub pass: String,
    /// Whether anything that may be done could change what happens.
    pub meaningful: bool,
    /// What makes it the same as one before: what was let pass stays passed until this changes.
    pub sameness: String,
}

/// All that is to be seen and decided at a moment, as a seat may know it: the same as asking for each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct Whole {
    /// The table.
    pub view: View,
    /// What is to be decided.
    pub decision: Decision,
    /// The situation in words.
    pub report: String,
}

/// One choice of a series.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The offer, by its key.
    pub offer: String,
    /// Its input.
    #[serde(default)]
    pub value: Value,
}

/// How far a series of choices got.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct SeriesDone {
    /// How many of the choices were made.
    pub done: usize,
    /// Why no more of them, where some are left.
    pub stopped: Option<SeriesStopped>,
}

/// Why a series stopped.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct SeriesStopped {
    /// What stopped it.
    pub by: StoppedBy,
    /// As a sentence.
    pub sentence: String,
    /// The clause, where a rule stopped it.
    #[ts(type = "string | null")]
    pub clause: Option<Clause>,
}

/// What stopped a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The next choice is not allowed, or no longer there.
    Refused,
    /// The other side decides.
    Answered,
    /// Dice have fallen.
    Thrown,
    /// The next choice needs real or agreed dice.
    Dice,
    /// The battle is over.
    Over,
}

/// An outcome and its chance.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct OutcomeOdds {
    /// What comes out.
    pub outcome: String,
    /// The exact chance, as a fraction.
    pub p: String,
    /// The chance as a decimal fraction.
    pub probability: f64,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, ts_rs::TS)]
pub struct ClauseReply {
    /// Its id.
    pub id: String,
    /// The rule in one line.
    pub title: String,
    /// Where the book has it.
    pub source: String,
    /// Concept, modifier, restriction and so on.
    pub kind: String,
    /// The rule.
    pub text: String,
    /// How we read it where the book is silent.
    pub ruling: Option<String>,
    /// A worked case.
    pub example: String,
    /// Clauses it builds on.
    pub needs: Vec<String>,
    /// The optional rule it belongs to.
    pub option: Option<String>,
}

impl From<&ClauseText> for ClauseReply {
    fn from(text: &ClauseText) -> Self {
        Self {
            id: text.id.to_string(),
            title: text.title.into(),
            source: text.source.into(),
            kind: text.kind.into(),
            text: text.text.into(),
            ruling: text.ruling.map(str::to_owned),
            example: text.example.into(),
            needs: text.needs.iter().map(Clause::to_string).collect(),
            option: text.option.map(|option| option.to_string()),
        }
    }
}
