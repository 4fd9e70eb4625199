//! Any ruleset behind one face: a battle set up once and fought again and again.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_engine::session::{Session, muster};
use sabretache_engine::view::Setting;
use sabretache_players::{AnyPlayers, Fielded, Skill, fight};
use serde_json::Value as Json;

use crate::chronicle::Chronicle;
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
    /// Fights it once with this seed.
    fn fight(&self, battle: u64, seed: u64, players: [Skill; 2], longest: u64) -> Result<Fought, LabError>;
    /// Fights it once and tells only who won: nothing for a draw or a battle without end.
    fn winner(&self, seed: u64, players: [Skill; 2], longest: u64) -> Result<Option<Side>, LabError>;
}

struct Set<R: Ruleset> {
    start: R::Battle,
    scenario: Json,
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
        let unit = view.units.iter().map(|unit| Rostered {
            id: unit.key.clone(),
            name: unit.name.clone(),
            side: unit.side,
            command: unit.command.and_then(command),
        });
        unit.collect()
    }

    fn fight(&self, number: u64, seed: u64, players: [Skill; 2], longest: u64) -> Result<Fought, LabError> {
        let mut battle = self.start.clone();
        let mut chronicle = Chronicle::<R>::new(&battle, seed);
        let ended = fight::<R>(&mut battle, players, seed, longest, |n, choice, after, happened| {
            chronicle.note(n, choice, after, happened);
        })?;
        let verdict = if ended.over { R::verdict(&battle) } else { None };
        let luck = chronicle.luck;
        let (losses, turns) = chronicle.finish();
        Ok(Fought {
            battle: number,
            seed,
            winner: verdict.as_ref().and_then(|verdict| verdict.winner),
            over: ended.over,
            turns,
            decisions: ended.decisions,
            luck,
            ending: verdict.map_or(String::new(), |verdict| verdict.sentence),
            losses,
        })
    }

    fn winner(&self, seed: u64, players: [Skill; 2], longest: u64) -> Result<Option<Side>, LabError> {
        let mut battle = self.start.clone();
        let ended = fight::<R>(&mut battle, players, seed, longest, |_, _, _, _| {})?;
        Ok(if ended.over { R::verdict(&battle).and_then(|verdict| verdict.winner) } else { None })
    }
}
