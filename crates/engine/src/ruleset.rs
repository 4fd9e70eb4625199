//! The rules of one book, as the engine sees them.

use std::collections::BTreeSet;
use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::clause::{Book, Clause};
use crate::eyes::Eyes;
use crate::forecast::{Cost, Fate, Headline, Invitation};
use crate::handle::{self, Handling};
use crate::ids::{CommandId, Named, Side, UnitId};
use crate::interrupt::{Clock, Interrupt, Reaction};
use crate::mentions::mentions;
use crate::offer::{Choice, Halt, Input, Preview, Refusal, Value};
use crate::resolution::Resolution;
use crate::scenario::{Diagnostics, Measure, Scenario};
use crate::session::Adjustable;
use crate::situation::SituationTest;
use crate::stance::{self, Place, Stance};
use crate::view::{Overlay, Verdict, View};
use sabretache_table::Pose;

/// The rules of one book. `Battle` is what lies on the table; everything else is a function of it.
///
/// The first part is how a battle goes on, the second what is said about it, the third what is told on request. A
/// ruleset that implements the first two can be fought, logged, replayed, verified, drilled and simulated.
pub trait Ruleset: Sized + Send + Sync + 'static {
    /// The clauses.
    const BOOK: &'static Book;
    /// Which edition of the book in which version of the code: two logs with the same version were fought by the same
    /// rules.
    const VERSION: &'static str;
    /// Clauses that need no decision when an event is written down: what is wiped off the slate when a turn, a phase or a move begins.
    const WRITTEN: &'static [Clause] = &[];

    /// All that changes as a game is fought. It is cloned often, so what never changes belongs behind an `Arc`.
    type Battle: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// One thing the deciding side may do, in its cheapest form.
    type Offer: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// One thing that happened.
    type Event: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// This book's part of a scenario file: options, commands, officers, units, and the state of a battle in progress.
    type Body: Clone + Debug + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static;

    // ------------------------------------------------------------------ how a battle goes on

    /// Lays out a scenario. What contradicts the book is reported, all of it at once; with an error there is no battle.
    fn muster(scenario: &Scenario<Self::Body>, report: &mut Diagnostics) -> Option<Self::Battle>;

    /// The battle as a scenario, so that mustering it again gives the same battle.
    fn save(battle: &Self::Battle) -> Scenario<Self::Body>;

    /// Who decides now; nobody when the battle is over.
    fn deciding(battle: &Self::Battle) -> Option<Side>;

    /// All that the deciding side may do. Never empty while somebody decides.
    fn offers(battle: &Self::Battle, out: &mut Vec<Self::Offer>);

    /// Who would act by an offer: the first of the two steps in which offers come. Nobody for what a whole side does.
    fn actor(battle: &Self::Battle, offer: &Self::Offer) -> Option<Named> {
        let label = Self::label(battle, offer);
        label.unit.map(Named::from).or_else(|| label.command.map(Named::from))
    }

    /// Who may act now, in the order of the offers.
    fn actors(battle: &Self::Battle, out: &mut Vec<Option<Named>>) {
        let mut offers = Vec::new();
        Self::offers(battle, &mut offers);
        for actor in offers.iter().map(|offer| Self::actor(battle, offer)) {
            if !out.contains(&actor) {
                out.push(actor);
            }
        }
    }

    /// Who might act now, told as cheaply as the book can: everybody who may, each once, and perhaps some who turn out to have
    /// no offer. In the order of the book.
    fn might_act(battle: &Self::Battle, out: &mut Vec<Option<Named>>) {
        Self::actors(battle, out);
    }

    /// What one of them may do: of all offers those that are his, in their order. A book that can tell without working out
    /// everybody else's does so.
    fn offers_of(battle: &Self::Battle, actor: Option<Named>, out: &mut Vec<Self::Offer>) {
        let first = out.len();
        Self::offers(battle, out);
        let mut his = out.split_off(first);
        his.retain(|offer| Self::actor(battle, offer) == actor);
        out.append(&mut his);
    }

    /// What an offer needs to be told; any value within its limits is accepted.
    fn input(battle: &Self::Battle, offer: &Self::Offer) -> Input;

    /// Carries out a choice up to the next decision. It refuses before anything has happened, or not at all; then it
    /// reads `play.battle()`, throws with `play.roll(…)`, and lets things happen with `play.happen(event)`.
    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Self::Offer>) -> Result<(), Halt>;

    /// Carries a choice out for the odds: as it will be, and nothing more, unless a book writes a choice down now and carries it out
    /// later with others. Then it is carried out at once, on a battle that is thrown away.
    fn foresee(play: &mut Resolution<'_, Self>, choice: &Choice<Self::Offer>) -> Result<(), Halt> {
        Self::resolve(play, choice)
    }

    /// Folds one event into the battle: it writes down what the event says, and decides, measures and looks up nothing. Nothing else
    /// writes to a battle.
    fn apply(battle: &mut Self::Battle, event: &Self::Event);

    /// What follows from an event by the rules alone, as events that are written down after it: an officer goes along with his unit, a
    /// unit that can bear no more leaves the table. Asked on the battle as it was before the event, and never when a log is replayed.
    fn follows(before: &Self::Battle, event: &Self::Event, out: &mut Vec<Self::Event>) {
        let _ = (before, event, out);
    }

    /// What must always hold; a sentence about what does not.
    fn check(battle: &Self::Battle) -> Result<(), String>;

    // ------------------------------------------------------------------ what is said about it

    /// A short text that no other offer of this decision has: `advance fr-1`. It stands for the offer in logs, drills
    /// and messages.
    fn key(battle: &Self::Battle, offer: &Self::Offer) -> String;

    /// The offer in words.
    fn label(battle: &Self::Battle, offer: &Self::Offer) -> Label;

    /// What is to be decided, as a sentence.
    fn decision(battle: &Self::Battle) -> String;

    /// What happened, as a sentence, told of the battle just before the event.
    fn tell(battle: &Self::Battle, event: &Self::Event) -> Telling;

    /// What a run of events comes to, in a few words, told of the battle before them: the outcomes that odds are given
    /// for. Two runs that a player would call the same must come to the same words.
    fn outcome(battle: &Self::Battle, events: &[Self::Event]) -> String;

    /// The id under which a scenario knows something, and its name in words.
    fn name(battle: &Self::Battle, named: Named) -> Option<(String, String)>;

    /// The table as it stands, for eyes and for reports in words.
    fn view(battle: &Self::Battle) -> View;

    /// What the book measures in: everything that is said of lengths is said in it.
    fn measure(battle: &Self::Battle) -> Measure {
        Self::view(battle).setting.measure
    }

    /// How the battle ended, once nobody decides.
    fn verdict(battle: &Self::Battle) -> Option<Verdict>;

    /// How it ended in words that many battles share, without figures and places: reports count by it.
    fn ending(battle: &Self::Battle) -> Option<String> {
        Self::verdict(battle).map(|verdict| verdict.sentence)
    }

    /// Whether a unit is only a part of another now: skirmishers in the ranks, a detachment with its battalion. Such parts are
    /// not counted beside the whole.
    fn is_part(_battle: &Self::Battle, _unit: UnitId) -> bool {
        false
    }

    /// The clauses that say when a battle is won, whatever the scenario.
    fn victory() -> &'static [Clause] {
        &[]
    }

    /// What the scenario asks for, in its order, and who has it now.
    fn aims(_battle: &Self::Battle) -> Vec<Aim> {
        Vec::new()
    }

    // ------------------------------------------------------------------ what is told on request

    /// What the deciding side might expect to be able to do, but may not, and why.
    fn closed(_battle: &Self::Battle, _out: &mut Vec<(Self::Offer, Refusal)>) {}

    /// Why a value that is outside the limits of an open offer is refused, where it is not the limits that say so: a
    /// formation that is named and forbidden.
    fn why_not(_battle: &Self::Battle, _offer: &Self::Offer, _value: &Value) -> Option<Refusal> {
        None
    }

    /// Where things would stand if the offer were chosen with this value.
    fn preview(_battle: &Self::Battle, _offer: &Self::Offer, _value: &Value) -> Preview {
        Preview::default()
    }

    /// Zones, sight, reach, command radius: what is to be drawn over the table for a unit or officer.
    fn overlays(_battle: &Self::Battle, _of: Named) -> Vec<Overlay> {
        Vec::new()
    }

    /// How a hand takes hold of an offer on the table, what it is in a word, and what it is done to.
    fn handling(battle: &Self::Battle, offer: &Self::Offer) -> Handling {
        handle::plain::<Self>(battle, offer)
    }

    /// What a run of events comes to for a player who wants to know it at a glance, told of the battle before them: who
    /// wins, who holds, routs, breaks. Finer outcomes come under the same headline.
    fn headline(battle: &Self::Battle, events: &[Self::Event]) -> Headline {
        Headline::new(1, Self::outcome(battle, events), None)
    }

    /// What a run of events did to each unit that it did something to, with the battle before and after them.
    fn fates(_before: &Self::Battle, _after: &Self::Battle, _events: &[Self::Event]) -> Vec<Fate> {
        Vec::new()
    }

    /// What the loss of a unit is counted in.
    fn loss_measure(_battle: &Self::Battle, _unit: UnitId) -> &'static str {
        "losses"
    }

    /// The price of an event that comes of a choice without dice, where it has one, told of the battle just before it.
    fn cost(_battle: &Self::Battle, _event: &Self::Event) -> Option<Cost> {
        None
    }

    /// What a choice lays itself open to, with the battle before it and as it stands once it is done as far as no dice
    /// are needed.
    fn invites(_before: &Self::Battle, _after: &Self::Battle, _offer: &Self::Offer) -> Vec<Invitation> {
        Vec::new()
    }

    /// What an umpire may set on a unit, an officer or a command; of nobody, on where the battle stands.
    fn adjustable(battle: &Self::Battle, of: Option<Named>) -> Vec<Adjustable> {
        Adjustable::of::<Self>(battle, of)
    }

    /// The turn and phase, so that what was said for this phase or this turn ends with it.
    fn clock(battle: &Self::Battle) -> Clock {
        let view = Self::view(battle);
        Clock { turn: view.turn, phase: view.phase, phasing: view.phasing }
    }

    /// Where a unit is on the table; nothing where it is not on it. The same as the view tells, without its words: it is asked for every unit
    /// after every choice of many battles.
    fn pose(battle: &Self::Battle, unit: UnitId) -> Option<Pose> {
        Self::view(battle).units.into_iter().find(|one| one.id == unit).and_then(|one| one.pose)
    }

    /// Which share of its turns is over, from 0 to 1; nothing of them where a battle has no end of its own.
    fn passed(_battle: &Self::Battle) -> f64 {
        0.0
    }

    // ------------------------------------------------------------------ what not everybody sees

    /// Whether the sides see different things now. Where they do, each seat is told of the battle through its own
    /// [`Eyes`]; once nobody decides any more, everybody sees everything.
    fn conceals(_battle: &Self::Battle) -> bool {
        false
    }

    /// Whether these eyes see something that is on the table, or off it.
    fn sees(_battle: &Self::Battle, _eyes: Eyes, _what: Named) -> bool {
        true
    }

    /// Whether these eyes learn of an event of which they see everything that it speaks of: orders given in private,
    /// say, are heard by their own side alone.
    fn learns(_battle: &Self::Battle, _eyes: Eyes, _event: &Self::Event) -> bool {
        true
    }

    /// What an event speaks of. Its own types tell: an event that carries ids of units and officers need say no more.
    fn speaks_of(event: &Self::Event) -> BTreeSet<Named> {
        mentions(event)
    }

    /// What an offer is about, as its label and its handle have it.
    fn offer_speaks_of(battle: &Self::Battle, offer: &Self::Offer) -> BTreeSet<Named> {
        let (label, handling) = (Self::label(battle, offer), Self::handling(battle, offer));
        let about = label.unit.map(Named::from).into_iter().chain(label.command.map(Named::from));
        about.chain(handling.target).chain(handling.handle.actors()).collect()
    }

    /// The table as these eyes see it.
    fn view_for(battle: &Self::Battle, _eyes: Eyes) -> View {
        Self::view(battle)
    }

    /// What is drawn over the table for something, as these eyes see it.
    fn overlays_for(battle: &Self::Battle, of: Named, eyes: Eyes) -> Vec<Overlay> {
        if Self::sees(battle, eyes, of) { Self::overlays(battle, of) } else { Vec::new() }
    }

    /// The player of a command by name, where several share a side: only he decides for it. Nobody in particular otherwise.
    fn player_of(_battle: &Self::Battle, _command: CommandId) -> Option<String> {
        None
    }

    /// The players of a side by name, where it has several: each has commands of his own, and they may write to each other.
    fn players(_battle: &Self::Battle, _side: Side) -> Vec<String> {
        Vec::new()
    }

    /// Whether one player of a side may write to another now.
    fn may_write(_battle: &Self::Battle, _side: Side, _from: &str, _to: &str) -> Result<(), Refusal> {
        Ok(())
    }

    /// If the current decision interrupts the other side's doing: what it is about, and the offer that lets it pass.
    fn interrupt(_battle: &Self::Battle) -> Option<Interrupt<Self::Offer>> {
        None
    }

    /// The offer with which the present interrupt is let pass; nothing where the decision is none. The same as [`Self::interrupt`] tells, where
    /// a ruleset can tell it without looking at who could do what: players ask it after every choice that they try.
    fn lets_pass(battle: &Self::Battle) -> Option<Self::Offer> {
        Self::interrupt(battle).map(|interrupt| interrupt.pass)
    }

    /// Of the current interrupt: whether anything that may be done could change what happens, and what makes it the same
    /// as one before. What is not meaningful, or was let pass before, need not be asked again.
    fn reaction(battle: &Self::Battle) -> Option<Reaction> {
        Self::interrupt(battle).map(|interrupt| Reaction { meaningful: true, sameness: interrupt.sameness() })
    }

    /// The units that an event shoots at or charges: it breaks the standing instructions that hold them back.
    fn touched(_battle: &Self::Battle, _event: &Self::Event) -> Vec<UnitId> {
        Vec::new()
    }

    /// The command of a unit.
    fn command_of(_battle: &Self::Battle, _unit: UnitId) -> Option<CommandId> {
        None
    }

    /// How well the battle stands for a side, for computer players: material, order, position, threats, objectives and
    /// cohesion weighed in points, more is better. What it is worth for one side it costs the other, but for what only
    /// urges a side on (how far its units still have to go): that counts for its own decisions alone.
    fn worth(_battle: &Self::Battle, _side: Side) -> i32 {
        0
    }

    /// The same by an earlier judgement, for players who are kept as they were. What is new in a book's judgement stands
    /// beside what was there before, so that an earlier one is the present one with less in it.
    fn worth_by(battle: &Self::Battle, side: Side, _judgement: Judgement) -> i32 {
        Self::worth(battle, side)
    }

    /// What the parts of a battle's standing are called by which a chance of winning is told, in the order of [`Self::parts`].
    const PARTS: &'static [&'static str] = &["worth"];

    /// How the battle stands for side A, part by part: numbers of the order of one, whose sign turns where the sides change places. A chance
    /// of winning is fitted to them, which weighs each by what came of it in many battles. They are looked at for every way in which the
    /// dice of a choice can fall, so a book tells them cheaply.
    fn parts(battle: &Self::Battle, out: &mut Vec<f64>) {
        // What urges a side on is left out: half the difference is the same for both, with the sign turned.
        out.push(f64::from(Self::worth(battle, Side::A) - Self::worth(battle, Side::B)) / 2_000.0);
    }

    /// What a unit is worth as it is, in the points of [`Self::worth`]: men, horses and guns by what they are good for, less
    /// what it has suffered for good; nothing before it comes and once it is lost. Losses are told in it. Nothing for
    /// every unit where the book does not weigh them.
    fn points(_battle: &Self::Battle, _unit: UnitId) -> i32 {
        0
    }

    /// Where every unit on the table stands, for players who plan. It is asked for whenever a choice is weighed, so a book tells
    /// it without the words of a view.
    fn stances(battle: &Self::Battle, out: &mut Vec<Stance>) {
        stance::from_view::<Self>(battle, out);
    }

    /// The places that count, and who has them: a plan is made for them.
    fn places(_battle: &Self::Battle) -> Vec<Place> {
        Vec::new()
    }

    /// A few sensible values for an offer, for computer players: to the edge of a zone, to contact, into cover.
    fn proposals(battle: &Self::Battle, offer: &Self::Offer, out: &mut Vec<Value>) {
        Self::input(battle, offer).proposals(out);
    }

    /// The same by an earlier judgement.
    fn proposals_by(battle: &Self::Battle, offer: &Self::Offer, _judgement: Judgement, out: &mut Vec<Value>) {
        Self::proposals(battle, offer, out);
    }

    /// The tests of the book that can be taken from a situation alone.
    fn situations() -> &'static [&'static dyn SituationTest] {
        &[]
    }
}

/// Something that a scenario gives points or the victory for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// What it is, in words.
    pub name: String,
    /// Who has it.
    pub reached_by: Option<Side>,
}

/// Which of a book's judgements a computer player goes by: an earlier one is kept, so that a match tells what was gained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judgement {
    /// Each unit by itself: where it stands, whom it threatens, how far it has to go.
    First,
    /// With an eye for one's own side: friends in the way, troops that are still to come, work that is undone again.
    #[default]
    Present,
}

impl Judgement {
    /// Whether it is the one that is mended and added to.
    #[must_use]
    pub fn is_present(self) -> bool {
        self == Self::Present
    }
}

/// An offer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What would be done: "Advance the 1er Léger".
    pub text: String,
    /// The unit it concerns.
    pub unit: Option<UnitId>,
    /// The command it concerns, so that one of several players on a side finds what is theirs to decide.
    pub command: Option<CommandId>,
    /// The clauses that allow it.
    pub clauses: Vec<Clause>,
}

/// An event in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    /// What happened.
    pub text: String,
    /// What it happened to.
    pub about: Option<Named>,
    /// The clauses that made it happen.
    pub clauses: Vec<Clause>,
}

impl Telling {
    /// A sentence about something, with the clause behind it.
    pub fn new(text: impl Into<String>, about: Option<Named>, clause: Clause) -> Self {
        Self { text: text.into(), about, clauses: vec![clause] }
    }
}
