//! The ways to make a new battle: from a scenario, a log, a drill, or an earlier moment of another.

use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, ruleset_of};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::session::Setup;
use sabretache_lab::vary;
use sabretache_players::Skill;

use super::{Hall, HallError, blocking};
use crate::agreed::Parley;
use crate::battle::Gone;
use crate::bounds;
use crate::messages::{
    BattleMade, DiceKind, ExampleMade, NewBattle, NewBranch, NewExample, NewUpload, PlayerSeat, Players, Secrets,
};
use crate::players;
use crate::seats::players_of;
use crate::secret;
use crate::store::{Kept, now};

impl Hall {
    /// Makes a new battle.
    pub(crate) async fn begin(&self, new: NewBattle) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, new.dice)?;
        let seed = match new.seed {
            Some(seed) => seed,
            None => secret::seed()?,
        };
        let dice = match new.dice {
            DiceKind::Seeded => DiceSource::Seeded(seed),
            // The battle is laid out once to see that it can be, and again when both sides have agreed.
            DiceKind::Typed | DiceKind::Agreed => DiceSource::Typed,
        };
        let setup = Setup { enforcement: new.enforcement, dice };
        let catalogue = self.catalogue.clone();
        bounds::of_text(&new.scenario).map_err(HallError::unusable)?;
        let begun = blocking(move || {
            let mut document = catalogue.document(&new.scenario)?;
            if !new.set.is_empty() {
                document = vary(&document, None, &new.set)?;
            }
            let large = |why: String| Diagnostics::single(Path::root(), why);
            bounds::of_scenario(&document.json).map_err(large)?;
            let mut begun = catalogue.begin(&document, setup)?;
            let named = players_of(&mut *begun.session);
            Ok((begun, document, named))
        });
        let cannot = |wrong| HallError::wrong("the scenario cannot be fought", wrong);
        let (begun, document, named) = begun.await?.map_err(cannot)?;
        if new.dice != DiceKind::Agreed {
            return self.keep(begun.ruleset, begun.title, new.players, named, &begun.log, None).await;
        }
        let mut host = [0; 32];
        secret::fill(&mut host)?;
        let scenario = document.json.to_string();
        let commitments = [None, None];
        let parley = Parley { scenario, enforcement: new.enforcement, host, commitments, begun: false };
        self.keep_with(begun.ruleset, begun.title, new.players, named, "", None, Some(&parley)).await
    }

    /// Takes over a battle from its log, once every line of it is proved.
    pub(crate) async fn upload(&self, new: NewUpload) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, DiceKind::Seeded)?;
        let name = ruleset_of(new.log.as_bytes()).map_err(|bad| HallError::unusable(bad.to_string()))?;
        let ruleset = self.catalogue.ruleset(&name);
        let ruleset = ruleset.ok_or_else(|| HallError::unusable(format!("there is no ruleset '{name}' here")))?;
        let beginning: Option<serde_json::Value> =
            new.log.lines().next().and_then(|line| serde_json::from_str(line).ok());
        let scenario = beginning.as_ref().and_then(|line| line.pointer("/entry/begun/scenario"));
        scenario.map_or(Ok(()), bounds::of_scenario).map_err(HallError::unusable)?;
        let proved = blocking(move || {
            // A torn last line counts for nothing; what is kept is what is proved.
            let whole = new.log.rfind('\n').map_or(0, |end| end + 1);
            let log = new.log[..whole].to_owned();
            let proved = ruleset.verify(log.as_bytes(), None).map_err(|unproved| unproved.to_string())?;
            let named = named_in(ruleset, &log);
            Ok::<_, String>((proved, log, named))
        });
        let (proved, log, named) =
            proved.await?.map_err(|why| HallError::unusable(format!("the log is not proved: {why}")))?;
        let title = title_of(&log);
        let made = self.keep(name, title, new.players, named, &log, Some(proved.lines)).await?;
        Ok(BattleMade { inherited: proved.inherited, ..made })
    }

    /// Fights a drill on the table, as a battle in which it can be looked at moment by moment.
    pub(crate) async fn example(&self, new: NewExample) -> Result<ExampleMade, HallError> {
        let ruleset = self.catalogue.ruleset(&new.ruleset);
        let ruleset =
            ruleset.ok_or_else(|| HallError::unusable(format!("there is no ruleset '{}' here", new.ruleset)))?;
        let examples = self.examples.clone();
        let fought = blocking(move || {
            let (title, fought) = examples.fight(ruleset, &new.name)?;
            Some(fought.map(|example| (title, named_in(ruleset, &example.log), example)))
        });
        let fought = fought.await?.ok_or_else(|| HallError::unusable("there is no such example"))?;
        let (title, named, example) =
            fought.map_err(|why| HallError::unusable(format!("it cannot be shown: {why}")))?;
        let persons = Players { a: players::PERSON.into(), b: players::PERSON.into() };
        let ruleset = ruleset.book().name.to_owned();
        let battle = self.keep(ruleset, title_of(&example.log), persons, named, &example.log, None).await?;
        Ok(ExampleMade { battle, title, refused: example.refused })
    }

    /// Keeps the position of an exercise as a battle; whoever tries it plays one side, and the other answers.
    pub(crate) async fn lay_exercise(
        &self,
        entry: &crate::exercises::ExerciseEntry,
        side: Side,
        log: &str,
    ) -> Result<BattleMade, HallError> {
        let mut players = Players::default();
        let other = if side == Side::A { &mut players.b } else { &mut players.a };
        *other = Skill::DrillMaster.to_string();
        self.keep(entry.ruleset.clone(), entry.title.clone(), players, Vec::new(), log, None).await
    }

    /// Makes a battle that goes on from an earlier moment of another.
    pub(crate) async fn branch(&self, kept: &Kept, new: NewBranch) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, DiceKind::Seeded)?;
        let seed = match new.seed {
            Some(seed) => seed,
            None => secret::seed()?,
        };
        let branch = self.open(kept)?.branch(new.moment, seed).await;
        let log = branch.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?;
        let log = log.map_err(HallError::unusable)?;
        let ruleset = self.catalogue.ruleset(&kept.ruleset);
        let (log, named) = blocking(move || {
            let named = ruleset.map(|ruleset| named_in(ruleset, &log)).unwrap_or_default();
            (log, named)
        })
        .await?;
        self.keep(kept.ruleset.clone(), kept.title.clone(), new.players, named, &log, None).await
    }

    pub(super) fn check_players(&self, players: &Players, dice: DiceKind) -> Result<(), HallError> {
        if let Some(name) = self.opponents.unknown(players) {
            return Err(HallError::unusable(format!("there is no player called '{name}'")));
        }
        let persons = [&players.a, &players.b].into_iter().all(|name| name == players::PERSON);
        if dice == DiceKind::Agreed && !persons {
            return Err(HallError::unusable("dice are agreed on between persons: a computer player has no secrets"));
        }
        if dice != DiceKind::Typed && [&players.a, &players.b].into_iter().any(|name| players::thrown_by_hand(name)) {
            return Err(HallError::unusable("a person throws for a computer player only where the dice are real ones"));
        }
        Ok(())
    }

    async fn keep(
        &self,
        ruleset: String,
        title: String,
        players: Players,
        named: Vec<PlayerSeat>,
        log: &str,
        proved: Option<usize>,
    ) -> Result<BattleMade, HallError> {
        self.keep_with(ruleset, title, players, named, log, proved, None).await
    }

    #[allow(clippy::too_many_arguments, reason = "all that a battle begins with")]
    async fn keep_with(
        &self,
        ruleset: String,
        title: String,
        players: Players,
        named: Vec<PlayerSeat>,
        log: &str,
        proved: Option<usize>,
        parley: Option<&Parley>,
    ) -> Result<BattleMade, HallError> {
        let kept = Kept { id: secret::name()?, ruleset, title, players, created: now() };
        let secrets = Secrets::fresh(named)?;
        self.store.create(&kept, &secrets, log, parley).await?;
        Ok(BattleMade { id: kept.id, secrets, proved, inherited: 0 })
    }
}

/// The players of sides that have several, by the log of a battle.
fn named_in(ruleset: &dyn AnyRuleset, log: &str) -> Vec<PlayerSeat> {
    ruleset.resume(log.as_bytes()).map(|mut session| players_of(&mut *session)).unwrap_or_default()
}

/// Where the dice of a battle come from, by the first line of its log.
pub(crate) fn dice_of(beginning: &str) -> DiceKind {
    let line: Option<serde_json::Value> = serde_json::from_str(beginning).ok();
    match line.as_ref().and_then(|line| line.pointer("/entry/begun/dice")) {
        Some(dice) if dice == "typed" => DiceKind::Typed,
        Some(dice) if dice.get("agreed").is_some() => DiceKind::Agreed,
        _ => DiceKind::Seeded,
    }
}

fn title_of(log: &str) -> String {
    let first: Option<serde_json::Value> = log.lines().next().and_then(|line| serde_json::from_str(line).ok());
    let title = first.as_ref().and_then(|line| line.pointer("/entry/begun/scenario/title")?.as_str());
    title.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_stands_in_the_first_line() {
        let log = r#"{"entry":{"begun":{"scenario":{"title":"Maida"}}},"hash":"00"}"#;
        assert_eq!(title_of("no log at all"), "");
        assert_eq!(title_of(log), "Maida");
        assert_eq!(dice_of(log), DiceKind::Seeded);
        assert_eq!(dice_of(r#"{"entry":{"begun":{"dice":"typed"}}}"#), DiceKind::Typed);
    }
}
