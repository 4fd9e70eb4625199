//! The engine: everything that fighting a battle needs and that no book needs to say.
//!
//! ```text
//! Scenario ─muster→ Battle ─offers→ Choice ─resolve→ [ Situation → Test → Roll → Outcome ] → Events ─apply→ Battle
//!                                      └────────────→ Refusal (nothing changed)
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | [`ruleset`] | the one trait that a book implements |
//! | [`clause`] | clauses and books |
//! | [`mark`] | the deciding line of a clause, and whether it ran |
//! | [`test`] | base values, modifiers with their clauses, target numbers, scales |
//! | [`dice`] | seeded, scripted, agreed and enumerating dice, thrown in groups |
//! | [`odds`] | exact odds from the resolving code itself |
//! | [`tally`] | the same at once, where all throws are known beforehand |
//! | [`forecast`] | what comes of a choice, in headlines; what each unit has to fear; the reckoning before the roll |
//! | [`handle`] | how a hand takes hold of an offer |
//! | [`offer`] | offers' inputs, choices, refusals |
//! | [`resolution`] | a choice being carried out |
//! | [`interrupt`] | the other side's reactions, and standing instructions |
//! | [`scenario`] | files, what is wrong with them and where |
//! | [`situation`] | tests taken without a table |
//! | [`log`] | the battle as a hash-chained file |
//! | [`session`] | a battle being fought: choose, undo, branch, adjust, replay, verify |
//! | [`mentions`] | what an event speaks of, asked of its type |
//! | [`eyes`] | what each seat sees, and the letters it may read |
//! | [`view`] | what is drawn and told |
//! | [`drill`] | test cases as data |
//! | [`patience`] | how long somebody waits for a piece of work |
//! | [`playout`] | battles fought at random |
//! | [`digest`] | such a battle as one hash, to compare two builds of the rules |
//! | [`playsheet`] | a book on a page or two, made from what resolves it |
//! | [`protocol`] | the messages of a battle, the same everywhere |
//! | [`erased`] | any ruleset and any battle behind one face |
//! | [`report`] | the situation in words |
//! | [`coverage`] | which clauses are tested |
//! | [`suite`] | what every ruleset must pass |

pub mod clause;
pub mod coverage;
pub mod dice;
pub mod digest;
pub mod drill;
pub mod erased;
pub mod eyes;
pub mod forecast;
pub mod handle;
pub mod ids;
pub mod interrupt;
pub mod log;
pub mod mark;
pub mod mentions;
pub mod odds;
pub mod offer;
pub mod patience;
pub mod playout;
pub mod playsheet;
pub mod protocol;
pub mod report;
pub mod resolution;
pub mod ruleset;
pub mod scenario;
pub mod session;
pub mod situation;
pub mod stance;
pub mod suite;
pub mod tally;
pub mod test;
pub mod view;
