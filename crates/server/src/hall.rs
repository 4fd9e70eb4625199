//! The battles in memory, and the ways to make new ones.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabretache_engine::dice::{Commitment, Party, Reveal, Seeded};
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Hash, ruleset_of};
use sabretache_engine::patience::{self, Patience};
use sabretache_engine::protocol::Request;
use sabretache_engine::scenario::{Diagnostics, Document, Path};
use sabretache_engine::session::{Seat, Setup};
use sabretache_lab::{AnyLaboratory, Course, vary};
use sabretache_players::Advice;
use tokio::sync::broadcast::error::RecvError;

use crate::agreed::Parley;
use crate::battle::{Answer, COMPUTER, Gone, Handle, IDLE, Shared};
use crate::bounds;
use crate::catalogue::Catalogue;
use crate::examples::Examples;
use crate::figures::Figures;
use crate::laboratory::Bench;
use crate::messages::{
    BattleMade, BattleNow, DiceKind, ExampleMade, NewBattle, NewBranch, NewExample, NewRun, NewUpload, PlayerSeat,
    Players, RollingNow, SeatName, Secrets, WantedThrow,
};
use crate::players::{self, Opponents, Thought};
use crate::seats::{Seats, players_of};
use crate::secret;
use crate::store::{Kept, Store, StoreError, now};
use crate::thinkers::Thinkers;

/// How often this process looks after what others may have left.
const SWEEP: Duration = Duration::from_secs(1);
/// How long something that is due is this process's own to see to.
const CLAIM: Duration = Duration::from_secs(3);

/// How many computer players think at once.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Work that ends when nobody waits for it any more.
struct Waiting(Patience);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Why a battle was not made or not found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HallError {
    /// What was sent cannot be used.
    #[error("{why}")]
    Unusable { why: String, diagnostics: Diagnostics },
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No random numbers are to be had.
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// Anything else that should not happen.
    #[error("{0}")]
    Failed(String),
}

impl HallError {
    fn unusable(why: impl Into<String>) -> Self {
        Self::Unusable { why: why.into(), diagnostics: Diagnostics::new() }
    }

    fn wrong(why: &str, diagnostics: Diagnostics) -> Self {
        Self::Unusable { why: why.into(), diagnostics }
    }
}

/// All the battles of a server.
#[derive(Clone)]
pub(crate) struct Hall {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) opponents: Opponents,
    pub(crate) bench: Arc<Bench>,
    pub(crate) examples: Arc<Examples>,
    /// The threads that computer players share.
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) figures: Arc<Figures>,
    /// The ways to those who do not look.
    pub(crate) notices: Arc<crate::friends::Notices>,
    /// The name of this process among those that serve the same battles.
    holder: Arc<str>,
    open: Arc<Mutex<HashMap<String, Handle>>>,
    /// How long a battle stays in memory when nobody asks for it.
    idle: Duration,
}

impl Hall {
    pub(crate) fn new(catalogue: Catalogue, store: Arc<dyn Store>, opponents: Opponents, examples: Examples) -> Self {
        Self {
            catalogue: Arc::new(catalogue),
            store,
            opponents,
            bench: Arc::new(Bench::new()),
            examples: Arc::new(examples),
            thinkers: Arc::new(Thinkers::new(threads())),
            figures: Arc::default(),
            notices: Arc::new(crate::friends::Notices::silent()),
            holder: secret::name().unwrap_or_default().into(),
            open: Arc::default(),
            idle: IDLE,
        }
    }

    /// The battle in memory; it is brought there if it is not.
    pub(crate) fn open(&self, kept: &Kept) -> Result<Handle, HallError> {
        let ruleset = self.catalogue.ruleset(&kept.ruleset);
        let ruleset =
            ruleset.ok_or_else(|| HallError::unusable(format!("there is no ruleset '{}' here", kept.ruleset)))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = open.get(&kept.id).filter(|handle| !handle.is_gone()) {
            return Ok(handle.clone());
        }
        let (battles, id, thinkers) = (Arc::downgrade(&self.open), kept.id.clone(), Arc::clone(&self.thinkers));
        let gone = move || {
            thinkers.left(&id);
            let Some(battles) = battles.upgrade() else { return };
            let mut battles = battles.lock().unwrap_or_else(PoisonError::into_inner);
            // It may have been opened again in the meantime.
            if battles.get(&id).is_some_and(Handle::is_gone) {
                battles.remove(&id);
            }
        };
        let shared = Shared {
            store: self.store.clone(),
            opponents: self.opponents.clone(),
            thinkers: Arc::clone(&self.thinkers),
            figures: Arc::clone(&self.figures),
            holder: Arc::clone(&self.holder),
        };
        let handle = Handle::start(kept.clone(), ruleset, shared, self.idle, gone);
        open.insert(kept.id.clone(), handle.clone());
        Ok(handle)
    }

    /// The handles of the battles in memory.
    fn handles(&self) -> Vec<(String, Handle)> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().map(|(id, handle)| (id.clone(), handle.clone())).collect()
    }

    /// How many battles are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Hears what other processes write to the same database, and takes over what one that was killed left undone. Ends
    /// at once where there are no other processes.
    pub(crate) async fn attend(self) {
        let Some(mut woken) = self.store.woken() else { return };
        let mut sweep = tokio::time::interval(SWEEP);
        let mut rounds = 0_u32;
        loop {
            tokio::select! {
                one = woken.recv() => match one {
                    Ok(woken) if !woken.battle.is_empty() => {
                        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
                        if let Some(handle) = open.get(&woken.battle) {
                            handle.wake(woken.lines);
                        }
                    }
                    // Some of it was missed: every battle looks at its log.
                    Ok(_) | Err(RecvError::Lagged(_)) => self.wake_all(),
                    Err(RecvError::Closed) => return,
                },
                _ = sweep.tick() => {
                    rounds += 1;
                    if rounds.is_multiple_of(5) {
                        self.wake_all();
                    }
                    self.take_over().await;
                }
            }
        }
    }

    fn wake_all(&self) {
        for (_, handle) in self.handles() {
            handle.wake(0);
        }
    }

    /// Opens the battles whose computer players have to decide and that nobody leads.
    async fn take_over(&self) {
        while let Ok(Some(id)) = self.store.claim(COMPUTER, &self.holder, CLAIM).await {
            if let Ok(Some(kept)) = self.store.battle(&id).await
                && let Ok(handle) = self.open(&kept)
            {
                handle.wake(0);
            }
        }
    }

    /// Forgets a battle altogether.
    pub(crate) async fn delete(&self, kept: &Kept) -> Result<(), HallError> {
        self.bench.forget(&kept.id);
        self.store.delete(&kept.id).await?;
        let handle = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&kept.id);
        if let Some(handle) = handle {
            handle.end().await;
        }
        Ok(())
    }

    /// Asks a battle something, wherever it is.
    pub(crate) async fn ask(
        &self,
        kept: &Kept,
        seat: Seat,
        seats: &[SeatName],
        request: Request,
    ) -> Result<Answer, HallError> {
        for _ in 0..3 {
            if let Ok(answer) = self.open(kept)?.ask(seat, seats.to_vec(), request.clone()).await {
                return Ok(answer);
            }
        }
        Err(HallError::Failed("the battle does not answer".into()))
    }

    /// How much of a battle these seats may know.
    pub(crate) async fn openness(&self, kept: &Kept, seats: &[SeatName]) -> Result<crate::battle::Openness, HallError> {
        let told = self.open(kept)?.openness(seats.to_vec()).await;
        told.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?.map_err(HallError::Failed)
    }

    /// Where a battle stands.
    pub(crate) async fn standing(&self, kept: &Kept) -> Result<BattleNow, HallError> {
        for _ in 0..3 {
            match self.open(kept)?.standing().await {
                Ok(standing) => return standing.map_err(HallError::Failed),
                Err(Gone) => continue,
            }
        }
        Err(HallError::Failed("the battle does not answer".into()))
    }

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
        getrandom::fill(&mut host)?;
        let scenario = document.json.to_string();
        let commitments = [None, None];
        let parley = Parley { scenario, enforcement: new.enforcement, host, commitments, begun: false };
        self.keep_with(begun.ruleset, begun.title, new.players, named, "", None, Some(&parley)).await
    }

    /// A side commits to its dice; when both have, the battle begins.
    pub(crate) async fn commit(&self, kept: &Kept, side: Side, commitment: Commitment) -> Result<(), HallError> {
        if self.parley(&kept.id).await?.is_none() {
            return Err(HallError::unusable("the dice of this battle are not agreed on"));
        }
        if !self.store.commit(&kept.id, side, commitment).await? {
            return Err(HallError::unusable("this side has committed already"));
        }
        self.parley(&kept.id).await.map(drop)
    }

    /// How far the sides have agreed on their dice. Where both have committed and the battle does not lie on the table
    /// (the process that was to lay it out was killed), it is laid out now.
    pub(crate) async fn parley(&self, id: &str) -> Result<Option<Parley>, HallError> {
        let Some(mut parley) = self.store.parley(id).await? else { return Ok(None) };
        if let Some(agreed) = parley.agreed().filter(|_| !parley.begun) {
            self.lay_out(id, &parley, agreed).await?;
            parley.begun = true;
        }
        Ok(Some(parley))
    }

    async fn lay_out(&self, id: &str, parley: &Parley, agreed: BTreeMap<Party, Commitment>) -> Result<(), HallError> {
        let catalogue = self.catalogue.clone();
        let setup = Setup { enforcement: parley.enforcement, dice: DiceSource::Agreed(agreed) };
        let scenario = parley.scenario.clone();
        let begun = blocking(move || {
            let json = serde_json::from_str(&scenario).unwrap_or_default();
            catalogue.begin(&Document::of_json("scenario", json), setup)
        });
        let begun = begun.await?.map_err(|wrong| HallError::wrong("the scenario cannot be fought", wrong))?;
        match self.store.append(id, 0, vec![begun.log]).await {
            // The other side's request, or another process, has laid the same battle out.
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// A side reveals its link for the choice that waits for its dice.
    pub(crate) async fn reveal(&self, kept: &Kept, side: Side, link: Reveal, bound: Hash) -> Result<(), HallError> {
        let told = self.open(kept)?.reveal(side, link, bound).await;
        told.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?.map_err(HallError::unusable)
    }

    /// The choice with agreed dice that waits for them.
    pub(crate) async fn rolling(&self, kept: &Kept) -> Result<Option<RollingNow>, HallError> {
        let told = self.open(kept)?.rolling().await;
        told.map_err(|Gone| HallError::Failed("the battle does not answer".into()))
    }

    /// The real dice that a person has to throw for a computer player.
    pub(crate) async fn throwing(&self, kept: &Kept) -> Result<Option<WantedThrow>, HallError> {
        let told = self.open(kept)?.throwing().await;
        told.map_err(|Gone| HallError::Failed("the battle does not answer".into()))
    }

    /// A person has thrown for a computer player.
    pub(crate) async fn throw(&self, kept: &Kept, faces: Vec<u8>) -> Result<(), HallError> {
        let told = self.open(kept)?.throw(faces).await;
        told.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?.map_err(HallError::unusable)
    }

    /// Takes over a battle from its log, once every line of it is proved.
    pub(crate) async fn upload(&self, new: NewUpload) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, DiceKind::Seeded)?;
        let name = ruleset_of(new.log.as_bytes()).map_err(|bad| HallError::unusable(bad.to_string()))?;
        let ruleset = self.catalogue.ruleset(&name);
        let ruleset = ruleset.ok_or_else(|| HallError::unusable(format!("there is no ruleset '{name}' here")))?;
        let proved = blocking(move || {
            // A torn last line counts for nothing; what is kept is what is proved.
            let whole = new.log.rfind('\n').map_or(0, |end| end + 1);
            let log = new.log[..whole].to_owned();
            let lines = ruleset.verify(log.as_bytes(), None).map_err(|unproved| unproved.to_string())?.lines;
            let named = named_in(ruleset, &log);
            Ok::<_, String>((lines, log, named))
        });
        let (lines, log, named) =
            proved.await?.map_err(|why| HallError::unusable(format!("the log is not proved: {why}")))?;
        let title = title_of(&log);
        self.keep(name, title, new.players, named, &log, Some(lines)).await
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

    /// What a computer player would do now, and why. It thinks apart: the battle is not held up.
    pub(crate) async fn advise(&self, kept: &Kept, player: &str) -> Result<Advice, HallError> {
        let skill = self.opponents.find(player);
        let skill = skill.ok_or_else(|| HallError::unusable(format!("there is no player called '{player}'")))?;
        if skill.program().is_some() {
            return Err(HallError::unusable("a program of somebody else's plays, and gives no advice"));
        }
        let thinker = self.open(kept)?.think().await;
        let thinker = thinker.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?;
        let thinker = thinker.map_err(HallError::Failed)?;
        let thinker = thinker.ok_or_else(|| HallError::unusable("this ruleset has no computer players"))?;
        let turn = self.thinkers.turn(&kept.id).await;
        let (seed, patience) = (secret::seed()?, turn.patience());
        // It stops when nobody waits for it any more.
        let _waiting = Waiting(patience.clone());
        let advice =
            blocking(move || patience::with(&patience, || Thought { thinker, skill }.advise(&mut Seeded::new(seed))))
                .await?;
        drop(turn);
        advice.ok_or_else(|| HallError::unusable("nobody decides any more"))
    }

    /// Somebody else plays from now on. A seat may say so of its own side, the umpire of both.
    pub(crate) async fn change_players(
        &self,
        kept: &Kept,
        seats: &[SeatName],
        players: Players,
    ) -> Result<(), HallError> {
        let own = [(SeatName::A, &kept.players.a, &players.a), (SeatName::B, &kept.players.b, &players.b)];
        for (seat, before, after) in own {
            if before != after && !seats.contains(&seat) && !seats.contains(&SeatName::Umpire) {
                return Err(HallError::unusable("only whoever sits there, or the umpire, may let somebody else play"));
            }
        }
        let beginning = self.store.beginning(&kept.id).await?.unwrap_or_default();
        self.check_players(&players, dice_of(&beginning))?;
        self.store.change_players(&kept.id, &players).await?;
        self.open(kept)?.players(players).await;
        Ok(())
    }

    /// How a battle went, moment by moment.
    pub(crate) async fn course(&self, kept: &Kept) -> Result<Course, HallError> {
        let laboratory = self.laboratory(kept)?;
        let (log, _) = self.store.log(&kept.id).await?;
        let course = blocking(move || laboratory.course(log.as_bytes())).await?;
        course.map_err(|error| HallError::Failed(error.to_string()))
    }

    /// Begins to fight a moment of a battle many times.
    pub(crate) async fn run(&self, kept: &Kept, asked: NewRun, by: (Seats, &str)) -> Result<(), HallError> {
        let laboratory = self.laboratory(kept)?;
        if let Some(why) = self.bench.refused(&kept.id, &asked) {
            return Err(HallError::unusable(why));
        }
        let (log, _) = self.store.log(&kept.id).await?;
        self.bench.begin(&kept.id, asked, by, laboratory, log, secret::seed()?);
        Ok(())
    }

    fn laboratory(&self, kept: &Kept) -> Result<&'static dyn AnyLaboratory, HallError> {
        let found = self.opponents.laboratory(&kept.ruleset);
        found.ok_or_else(|| HallError::unusable("this ruleset has no laboratory"))
    }

    fn check_players(&self, players: &Players, dice: DiceKind) -> Result<(), HallError> {
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
        Ok(BattleMade { id: kept.id, secrets, proved })
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

/// Runs rules code on a thread where it may take its time.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, HallError> {
    // On a simulated day there is one thread alone.
    #[cfg(test)]
    if turmoil::in_simulation() {
        return Ok(work());
    }
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| HallError::Failed("the rules code failed at this".into()))
}

#[cfg(test)]
mod tests {
    use sabretache_engine::erased::Erased;
    use sabretache_picket::Picket;

    use super::*;

    static PICKET: Erased<Picket> = Erased::RULESET;
    const FORD: &str = include_str!("../../picket/scenarios/ford.toml");

    #[tokio::test]
    async fn a_battle_that_nobody_asks_for_leaves_memory_and_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::store::open(folder.path(), None).await.unwrap();
        let (catalogue, _) = Catalogue::new(vec![&PICKET], vec![("ford".into(), FORD.into())], Vec::new());
        let mut hall = Hall::new(catalogue, store, Opponents::new(Vec::new(), Vec::new()), Examples::new(Vec::new()));
        hall.idle = Duration::from_millis(50);
        let new = serde_json::from_value(serde_json::json!({ "scenario": "ford", "seed": 1 })).unwrap();
        let made = hall.begin(new).await.unwrap();
        let kept = hall.store.battle(&made.id).await.unwrap().unwrap();
        let choice = serde_json::json!({ "type": "choose", "offer": "end turn" });
        let told =
            hall.ask(&kept, Seat::Umpire, &[SeatName::Umpire], serde_json::from_value(choice).unwrap()).await.unwrap();
        assert!(matches!(told.reply, sabretache_engine::protocol::Reply::Moment { .. }));
        let in_memory = || hall.open.lock().unwrap().len();
        // However long it takes on a busy machine: it must come to it.
        while in_memory() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let standing = hall.standing(&kept).await.unwrap();
        assert_eq!((standing.lines, standing.moment), (told.lines, 2), "the turn that was ended is still ended");
        assert_eq!(in_memory(), 1);
        // Whoever listens keeps it there.
        let handle = hall.open(&kept).unwrap();
        let _listener = handle.listen();
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!handle.is_gone());
    }

    #[tokio::test]
    async fn a_kill_between_the_commitments_and_the_beginning_leaves_nothing_stuck() {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::store::open(folder.path(), None).await.unwrap();
        let (catalogue, _) = Catalogue::new(vec![&PICKET], vec![("ford".into(), FORD.into())], Vec::new());
        let hall = Hall::new(catalogue, store, Opponents::new(Vec::new(), Vec::new()), Examples::new(Vec::new()));
        let new = serde_json::json!({ "scenario": "ford", "dice": "agreed" });
        let made = hall.begin(serde_json::from_value(new).unwrap()).await.unwrap();
        // As it was left by a process that was killed after the second commitment was on the disk.
        for side in Side::BOTH {
            assert!(hall.store.commit(&made.id, side, Commitment([side.index() as u8; 32])).await.unwrap());
        }
        assert_eq!(hall.store.length(&made.id).await.unwrap(), 0);
        let (one, other) = tokio::join!(hall.parley(&made.id), hall.parley(&made.id));
        assert!(one.unwrap().unwrap().begun && other.unwrap().unwrap().begun);
        assert_eq!(hall.store.length(&made.id).await.unwrap(), 1);
        let kept = hall.store.battle(&made.id).await.unwrap().unwrap();
        assert_eq!(hall.standing(&kept).await.unwrap().moment, 1);
        hall.delete(&kept).await.unwrap();
        assert!(hall.store.battle(&made.id).await.unwrap().is_none());
    }

    #[test]
    fn the_title_stands_in_the_first_line() {
        let log = r#"{"entry":{"begun":{"scenario":{"title":"Maida"}}},"hash":"00"}"#;
        assert_eq!(title_of("no log at all"), "");
        assert_eq!(title_of(log), "Maida");
        assert_eq!(dice_of(log), DiceKind::Seeded);
        assert_eq!(dice_of(r#"{"entry":{"begun":{"dice":"typed"}}}"#), DiceKind::Typed);
    }
}
