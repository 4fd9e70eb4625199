//! Who sits where, and what he may know.

use axum::http::StatusCode;
use sabretache_engine::ids::Side;

use super::{App, Refused};
use crate::hall::{HallError, dice_of};
use crate::messages::{BattleInfo, DiceKind, SeatName};
use crate::seats::Seats;
use crate::store::Kept;

/// The battle of this id and the seats that the secrets sent along belong to; 403 for none.
pub(crate) async fn admit(app: &App, id: &str, secrets: &[String]) -> Result<(Kept, Seats), Refused> {
    let admitted = app.hall.store.admit(id, secrets).await?;
    admitted.ok_or_else(|| Refused::forbidden("there is no such seat: the link is wrong or incomplete"))
}

/// What whoever sits there may know of a battle.
pub(crate) async fn info(app: &App, kept: &Kept, seats: &Seats) -> Result<BattleInfo, Refused> {
    let unbegun = || Refused::new(StatusCode::CONFLICT, "the sides have not agreed on their dice yet");
    let mut beginning = app.hall.store.beginning(&kept.id).await?;
    if beginning.is_none() && app.hall.parley(&kept.id).await?.is_some_and(|parley| parley.begun) {
        beginning = app.hall.store.beginning(&kept.id).await?;
    }
    let beginning = beginning.ok_or_else(unbegun)?;
    let dice = dice_of(&beginning);
    let rolling = if dice == DiceKind::Agreed { app.hall.rolling(kept).await? } else { None };
    let throwing = if dice == DiceKind::Typed { app.hall.throwing(kept).await? } else { None };
    let now = app.hall.standing(kept).await?;
    // Who plays may have changed since the connection was made.
    let players = app.hall.store.battle(&kept.id).await?.map_or_else(|| kept.players.clone(), |kept| kept.players);
    let mut instructions = [Vec::new(), Vec::new()];
    let mut quiet = Side::BOTH.map(|side| players.of(side) == "person");
    for (side, list) in app.hall.store.instructions(&kept.id).await? {
        // What a side lets pass, and which of its units stand where, is nobody else's business.
        if seats.held.contains(&side.into()) || seats.held.contains(&SeatName::Umpire) {
            instructions[side.index()] = list.list;
        }
        quiet[side.index()] = list.quiet.unwrap_or(quiet[side.index()]);
    }
    let aides = app.hall.store.page(&kept.id, crate::aides::AIDES).await?;
    let aides = crate::aides::Aides::read(aides.as_deref()).map_err(HallError::Failed)?;
    Ok(BattleInfo {
        id: kept.id.clone(),
        title: kept.title.clone(),
        ruleset: kept.ruleset.clone(),
        players,
        instructions,
        quiet,
        aides: aides.of_seats(&seats.held),
        dice,
        rolling,
        throwing,
        seats: seats.held.clone(),
        named: seats.named.clone(),
        created: kept.created,
        now,
    })
}

/// Nothing that tells of the whole battle is for those from whom some of it is hidden; 403 for them.
pub(crate) async fn open_to(app: &App, kept: &Kept, seats: &[SeatName], log: bool) -> Result<(), Refused> {
    let open = app.hall.openness(kept, seats).await?;
    if if log { open.log } else { open.table } {
        return Ok(());
    }
    Err(Refused::forbidden("that would tell what is hidden from you: the umpire knows, and you will when it is over"))
}
