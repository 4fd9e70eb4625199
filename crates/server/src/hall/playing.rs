//! Computer players, advice, the course of a battle, and runs of the laboratory.

use sabretache_engine::dice::Seeded;
use sabretache_engine::patience::{self, Patience};
use sabretache_lab::{AnyLaboratory, Course};
use sabretache_players::Advice;

use super::making::dice_of;
use super::{Hall, HallError, blocking};
use crate::battle::Gone;
use crate::messages::{NewRun, Players, SeatName, WantedThrow};
use crate::players::Thought;
use crate::seats::Seats;
use crate::secret;
use crate::store::Kept;

/// Work that ends when nobody waits for it any more.
struct Waiting(Patience);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Hall {
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
}
