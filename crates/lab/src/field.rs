//! Any ruleset behind one face: a battle set up once and fought again and again.

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Happening;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_engine::session::{Session, muster};
use sabretache_engine::view::Setting;
use sabretache_players::{Agreement, AnyPlayers, Contested, Ended, Fielded, Keyed, Skill, Terms, contest, fight_keyed};
use serde_json::Value as Json;

use crate::chance::{Chances, Moment, names, parts, score};
use crate::chronicle::{Chronicle, Noted, counted};
use crate::course::{Course, course};
use crate::measure::{Bench, Measured, measure};
use crate::record::{Fought, Rostered};
use crate::results::LabError;

/// The laboratory of a ruleset.
pub trait AnyLaboratory: AnyPlayers {
    /// Sets up a scenario.
    fn field(&self, document: &Document) -> Result<Box<dyn Field>, Diagnostics>;

    /// Sets up the battle of a log as it stood after so many entries (the beginning included), or as it stands.
    fn field_of_log(&self, log: &[u8], moment: Option<usize>) -> Result<Box<dyn Field>, LabError>;

    /// How the battle of a log went, moment by moment.
    fn course(&self, log: &[u8]) -> Result<Course, LabError>;

    /// Measures how fast something goes on a scenario.
    fn measure(&self, document: &Document, bench: Bench, seconds: f64) -> Result<Measured, LabError>;
}

/// A battle set up, to be fought as often as wanted.
pub trait Field: Send + Sync {
    /// The short name of the ruleset.
    fn ruleset(&self) -> &'static str;
    /// The title of its book.
    fn title(&self) -> &'static str;
    /// The version of its rules.
    fn version(&self) -> &'static str;
    /// The battle as a scenario.
    fn scenario(&self) -> Json;
    /// Title, table, ground and sides.
    fn setting(&self) -> Setting;
    /// Every unit.
    fn roster(&self) -> Vec<Rostered>;
    /// What the scenario asks for, in words.
    fn aims(&self) -> Vec<String>;
    /// The chances of winning under its book.
    fn chances(&self) -> &'static Chances;
    /// What the parts are called by which a chance of winning is told.
    fn parts(&self) -> Vec<String>;
    /// Fights it once with this seed.
    fn fight(&self, battle: u64, seed: u64, players: [Skill; 2], reckon: Reckon) -> Result<Fought, LabError>;
    /// Fights it once and tells how it stood at the start of every turn and now and then within it.
    fn moments(&self, seed: u64, players: [Skill; 2], longest: u64) -> Result<Vec<Moment>, LabError>;
    /// Fights it once and tells only who won: nothing for a draw or a battle without end.
    fn winner(
        &self,
        seed: u64,
        players: [Skill; 2],
        longest: u64,
        agreement: Agreement,
    ) -> Result<Option<Side>, LabError>;
}

/// How far a battle is fought, and whether its luck is reckoned in chances of winning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reckon {
    /// After so many choices it is counted as it stands.
    pub longest: u64,
    /// What players may end a battle by: both think it decided, or even.
    pub agreement: Agreement,
    /// Whether each roll is weighed.
    pub luck: Luck,
    /// How the dice follow from the seed. Where a session is needed (programs, battles that are given up) they go by the choice all the same.
    pub keyed: Keyed,
}

/// Whether luck is taken out of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// Every roll is weighed by what else could have come of it.
    Reckoned,
    /// Results are taken as they are.
    Left,
}

/// Whether a battle is fought in a session: a program asks it, and only there can a battle be given up.
fn in_session(players: [Skill; 2], agreement: Agreement) -> bool {
    agreement != Agreement::NONE || players.iter().any(|player| player.program().is_some())
}

/// One moment in so many is looked at besides the beginnings of turns.
const LOOKED_AT: u32 = 24;

struct Set<R: Ruleset> {
    start: R::Battle,
    scenario: Json,
}

impl<R: Ruleset> Set<R> {
    /// Fights it once: in a session where a program plays or battles may be given up, and otherwise faster.
    fn fought(
        &self,
        players: [Skill; 2],
        (seed, keyed): (u64, Keyed),
        (most, agreement): (u64, Agreement),
        mut witness: impl FnMut(u64, &Choice<R::Offer>, &R::Battle, &[Happening<R::Event>]),
    ) -> Result<Contested<R>, LabError> {
        if in_session(players, agreement) {
            let scenario = Scenario::<R::Body>::read(&self.scenario).map_err(LabError::Scenario)?;
            let chances = Chances::of::<R>();
            let chance_of_a = |battle: &R::Battle| chances.of_battle::<R>(battle);
            let terms = Terms { players, seed, most, agreement, chance_of_a: &chance_of_a };
            return Ok(contest::<R>(&scenario, &terms, witness)?);
        }
        let mut battle = self.start.clone();
        let ended: Ended =
            fight_keyed::<R>(&mut battle, players, (seed, keyed), most, |n, choice, after, happened| {
                witness(n, choice, after, happened);
            })?;
        let verdict = if ended.over { R::verdict(&battle) } else { None };
        Ok(Contested { ended, verdict, cut_short: None, battle })
    }
}

impl<R: Ruleset> AnyLaboratory for Fielded<R> {
    fn field(&self, document: &Document) -> Result<Box<dyn Field>, Diagnostics> {
        let scenario = Scenario::<R::Body>::read(&document.json)?;
        Ok(Box::new(Set::<R> { start: muster::<R>(&scenario)?, scenario: scenario.to_json() }))
    }

    fn field_of_log(&self, log: &[u8], moment: Option<usize>) -> Result<Box<dyn Field>, LabError> {
        let session = Session::<R>::resume(log).map_err(|error| LabError::Log(error.to_string()))?;
        let start = session.battle_at(moment.unwrap_or(session.now()));
        let start = start.map_err(|error| LabError::Log(error.to_string()))?;
        Ok(Box::new(Set::<R> { scenario: R::save(&start).to_json(), start }))
    }

    fn course(&self, log: &[u8]) -> Result<Course, LabError> {
        let session = Session::<R>::resume(log).map_err(|error| LabError::Log(error.to_string()))?;
        course(&session)
    }

    fn measure(&self, document: &Document, bench: Bench, seconds: f64) -> Result<Measured, LabError> {
        let scenario = Scenario::<R::Body>::read(&document.json).map_err(LabError::Scenario)?;
        measure::<R>(&muster::<R>(&scenario).map_err(LabError::Scenario)?, bench, seconds)
    }
}

impl<R: Ruleset> Field for Set<R> {
    fn ruleset(&self) -> &'static str {
        R::BOOK.name
    }

    fn title(&self) -> &'static str {
        R::BOOK.title
    }

    fn version(&self) -> &'static str {
        R::VERSION
    }

    fn scenario(&self) -> Json {
        self.scenario.clone()
    }

    fn setting(&self) -> Setting {
        R::view(&self.start).setting
    }

    fn roster(&self) -> Vec<Rostered> {
        let view = R::view(&self.start);
        let command = |id| view.commands.iter().find(|command| command.id == id).map(|command| command.name.clone());
        let unit = counted::<R>(&self.start).map(|unit| Rostered {
            id: unit.key,
            name: unit.name,
            side: unit.side,
            command: unit.command.and_then(command),
        });
        unit.collect()
    }

    fn chances(&self) -> &'static Chances {
        Chances::of::<R>()
    }

    fn parts(&self) -> Vec<String> {
        names::<R>().map(str::to_owned).collect()
    }

    fn aims(&self) -> Vec<String> {
        R::aims(&self.start).into_iter().map(|aim| aim.name).collect()
    }

    fn fight(&self, number: u64, seed: u64, players: [Skill; 2], reckon: Reckon) -> Result<Fought, LabError> {
        let by = (reckon.luck == Luck::Reckoned).then(Chances::of::<R>);
        let keyed = if in_session(players, reckon.agreement) { Keyed::ByChoice } else { reckon.keyed };
        let mut chronicle = Chronicle::<R>::new(&self.start, by);
        let until = (reckon.longest, reckon.agreement);
        let contested = self.fought(players, (seed, keyed), until, |_, choice, after, happened| {
            chronicle.note(choice, after, happened);
        })?;
        let Contested { ended, verdict, cut_short, battle } = contested;
        let luck = chronicle.luck;
        let Noted { losses, turns, swing, waited, spared } = chronicle.finish();
        Ok(Fought {
            battle: number,
            seed,
            winner: verdict.as_ref().and_then(|verdict| verdict.winner),
            over: ended.over,
            turns,
            decisions: ended.decisions,
            luck,
            swing,
            ending: match cut_short {
                Some(why) => why,
                None if ended.over => R::ending(&battle).unwrap_or_default(),
                None => String::new(),
            },
            aims: R::aims(&battle).into_iter().map(|aim| aim.reached_by).collect(),
            waited,
            spared,
            losses,
        })
    }

    fn moments(&self, seed: u64, players: [Skill; 2], longest: u64) -> Result<Vec<Moment>, LabError> {
        let mut moments = Vec::new();
        let mut last = None;
        let mut look = |n: u64, battle: &R::Battle| {
            let turn = R::clock(battle).turn;
            // Now and then by lot: a chance is asked for in every phase, not where a turn begins alone.
            let drawn = Seeded::for_choice(!seed, n).below(LOOKED_AT) == 0;
            if (turn != last || drawn) && R::deciding(battle).is_some() {
                last = turn;
                moments.push((parts::<R>(battle), R::passed(battle)));
            }
        };
        look(0, &self.start);
        let contested =
            self.fought(players, (seed, Keyed::ByChoice), (longest, Agreement::NONE), |n, _, after, _| {
                look(n + 1, after)
            })?;
        let result = score(contested.verdict.and_then(|verdict| verdict.winner));
        Ok(moments
            .into_iter()
            .map(|(parts, passed)| Moment { battle: 0, scenario: 0, passed, parts, result })
            .collect())
    }

    fn winner(
        &self,
        seed: u64,
        players: [Skill; 2],
        longest: u64,
        agreement: Agreement,
    ) -> Result<Option<Side>, LabError> {
        let contested = self.fought(players, (seed, Keyed::ByChoice), (longest, agreement), |_, _, _, _| {})?;
        Ok(contested.verdict.and_then(|verdict| verdict.winner))
    }
}
