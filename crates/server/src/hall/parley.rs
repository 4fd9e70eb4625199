//! Agreed dice: the parley before a battle, and the links revealed for a choice.

use std::collections::BTreeMap;

use sabretache_engine::dice::{Commitment, Party, Reveal};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Hash};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::Setup;

use super::{Hall, HallError, blocking};
use crate::agreed::Parley;
use crate::battle::Gone;
use crate::messages::RollingNow;
use crate::store::{Kept, StoreError};

impl Hall {
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
}

#[cfg(test)]
mod tests {
    use sabretache_engine::erased::Erased;
    use sabretache_picket::Picket;

    use super::*;
    use crate::catalogue::Catalogue;
    use crate::examples::Examples;
    use crate::players::Opponents;

    static PICKET: Erased<Picket> = Erased::RULESET;
    const FORD: &str = include_str!("../../../picket/scenarios/ford.toml");

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
}
