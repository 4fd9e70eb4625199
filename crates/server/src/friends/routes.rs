//! What friends ask of the server.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use sabretache_engine::ids::Side;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;

use super::clock::Clock;
use super::messages::{
    AskMine, Beside, Confirm, FriendlyMade, Guest, Invited, Look, Mine, NewFriendly, NewWord, NoticesNow, Pause,
    Seated, Wish,
};
use super::page::{self, Invitation, Mail, PAGE, Page, Turn};
use super::{follow, judge, mail, now, schedule};
use crate::battle::Handle;
use crate::guard;
use crate::http::{App, Body, Refused, admit, permit};
use crate::messages::{BattleNow, SeatName};
use crate::seats::Seats;
use crate::secret;
use crate::store::{Kept, Store, Stored};
use crate::watch::Caller;

/// How many battles may be asked after at once.
const MOST_MINE: usize = 100;

/// All of it, below `/api`.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/friends", post(make))
        .route("/mine", post(mine))
        .route("/battles/{id}/invitation", post(invitation))
        .route("/battles/{id}/sit", post(sit))
        .route("/battles/{id}/beside", get(beside))
        .route("/battles/{id}/here", post(here))
        .route("/battles/{id}/words", post(say))
        .route("/battles/{id}/pause", post(pause))
        .route("/battles/{id}/wishes", post(wish))
        .route("/battles/{id}/notices", post(confirm))
}

fn unusable(why: &str) -> Refused {
    Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why)
}

fn nothing_beside() -> Refused {
    Refused::new(StatusCode::NOT_FOUND, "nobody has sat down at this battle as a friend")
}

/// Makes a battle and an invitation to its other side.
async fn make(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Body(new): Body<NewFriendly>,
) -> Result<(StatusCode, Json<FriendlyMade>), Refused> {
    permit(&app, &caller)?;
    let clock = match new.clock {
        Some(setting) => Some(Clock::new(setting).ok_or_else(|| unusable("a clock has between a minute and 90 days"))?),
        None => None,
    };
    let players = [&new.battle.players.a, &new.battle.players.b];
    if players.into_iter().any(|player| player != crate::players::PERSON) {
        return Err(unusable("a friend is a person"));
    }
    let made = app.hall.begin(new.battle).await?;
    let (mine, theirs) = match new.side {
        Side::A => (made.secrets.a, made.secrets.b),
        Side::B => (made.secrets.b, made.secrets.a),
    };
    let token = secret::secret().map_err(crate::hall::HallError::from)?;
    let mut page = Page { clock, invitation: Invitation::new(new.side.other(), &theirs, &token), ..Page::default() };
    if let Some(kept) = app.hall.store.battle(&made.id).await?
        && app.hall.store.beginning(&made.id).await?.is_some()
    {
        let standing = app.hall.standing(&kept).await?;
        page.turn(turn_of(&standing), now());
    }
    page.sit(new.side, &new.name, now());
    app.hall.store.turn_page(&made.id, PAGE, None, Some(&page::to_text(&page)?)).await?;
    let made = FriendlyMade {
        id: made.id,
        side: new.side,
        secret: mine,
        spectator: made.secrets.spectator,
        invitation: token,
    };
    Ok((StatusCode::CREATED, Json(made)))
}

/// The battle and the page that an invitation belongs to.
async fn invited(app: &App, id: &str, token: &str) -> Result<(Kept, Page, Side), Refused> {
    let spent = || Refused::forbidden("the invitation is wrong, or somebody has come by it already");
    let page = page::read(&*app.hall.store, id).await?.ok_or_else(spent)?;
    let side = page.invitation.as_ref().filter(|one| one.is(token)).map(|one| one.side).ok_or_else(spent)?;
    let kept = app.hall.store.battle(id).await?.ok_or_else(spent)?;
    Ok((kept, page, side))
}

async fn invitation(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(guest): Body<Guest>,
) -> Result<Json<Invited>, Refused> {
    let (kept, page, side) = invited(&app, &id, &guest.invitation).await?;
    let by = page.sitters[side.other().index()].name.clone();
    let clock = page.clock.as_ref().map(Clock::setting);
    let side_name = name_of(&app, &kept, side).await;
    Ok(Json(Invited { title: kept.title, ruleset: kept.ruleset, side, side_name, by, clock }))
}

/// What a side is called on the table; nothing before there is one.
async fn name_of(app: &App, kept: &Kept, side: Side) -> Option<String> {
    let spectator = [SeatName::Spectator];
    let seen = app.hall.ask(kept, Seat::Spectator, &spectator, Request::View { moment: None }).await.ok()?;
    let Reply::View { view, .. } = seen.reply else { return None };
    view.setting.sides.into_iter().find(|one| one.side == side).map(|one| one.name)
}

fn turn_of(standing: &BattleNow) -> Turn {
    let BattleNow { lines, moment, deciding, owing, .. } = *standing;
    Turn { lines, moment, deciding, owing }
}

/// Somebody sits down. The first who comes by an invitation has the seat, and nobody after him. Should he not hear that he
/// has, he asks again with the same word of his own.
async fn sit(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(guest): Body<Guest>,
) -> Result<Json<Seated>, Refused> {
    let spent = || Refused::forbidden("the invitation is wrong, or somebody has come by it already");
    let own = guest.claim.as_ref().map(|claim| format!("{} {claim}", guest.invitation));
    if guest.claim.as_ref().is_some_and(|claim| !(20..=100).contains(&claim.len())) {
        return Err(unusable("the word of one's own has between 20 and 100 letters"));
    }
    let at = now();
    let taken = page::change(&*app.hall.store, &id, |page| {
        let again = own.as_ref().and_then(|own| Some((own, page.taken.as_ref().filter(|taken| taken.is(own))?)));
        if let Some((own, taken)) = again {
            return Some(Seated { side: taken.side, secret: taken.open(own)? });
        }
        let invitation = page.invitation.take_if(|one| one.is(&guest.invitation))?;
        page.sit(invitation.side, &guest.name, at);
        let secret = invitation.open(&guest.invitation)?;
        page.taken = own.as_ref().and_then(|own| Invitation::new(invitation.side, &secret, own));
        Some(Seated { side: invitation.side, secret })
    });
    let (page, seated) = taken.await?.ok_or_else(spent)?;
    let seated = seated.ok_or_else(spent)?;
    if let Some(kept) = app.hall.store.battle(&id).await? {
        spread(&app, &kept, &page).await?;
    }
    Ok(Json(seated))
}

/// Whether nobody has come by the invitation to a battle yet: then it is its maker's alone.
pub(crate) async fn is_lonely(store: &dyn Store, id: &str) -> Stored<bool> {
    Ok(page::read(store, id).await?.is_some_and(|page| page.invitation.is_some()))
}

/// Everybody who looks hears of a changed page, and it is looked at again when it must be.
async fn spread(app: &App, kept: &Kept, page: &Page) -> Result<(), Refused> {
    schedule(&*app.hall.store, &kept.id, page).await?;
    app.hall.opened(&kept.id).iter().for_each(Handle::look_beside);
    Ok(())
}

/// The sides among some seats that are held as a whole.
fn sides(seats: &Seats) -> Vec<Side> {
    let whole = seats.whole();
    Side::BOTH.into_iter().filter(|side| whole.contains(&SeatName::from(*side))).collect()
}

/// The one side that somebody speaks for: two at one screen are told nothing by mail.
fn own_side(seats: &Seats) -> Result<Side, Refused> {
    match sides(seats).as_slice() {
        [side] => Ok(*side),
        _ => Err(Refused::forbidden("this is for one who sits at one side")),
    }
}

async fn beside(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<Beside>, Refused> {
    let (_, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    // The clock is judged whenever it is read.
    judge(&app.hall, &id).await?;
    let page = page::read(&*app.hall.store, &id).await?.ok_or_else(nothing_beside)?;
    Ok(Json(told(&app, &page, &seats)))
}

fn told(app: &App, page: &Page, seats: &Seats) -> Beside {
    let own = own_side(seats).ok().map(|side| &page.sitters[side.index()]);
    Beside { company: page.now(now()), words: page.words.clone(), notices: app.hall.notices.of(own) }
}

/// Somebody looks, or goes away. A battle whose sides came by plain links has its page from the first look on.
async fn here(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(look): Body<Look>,
) -> Result<Json<Beside>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let persons = [&kept.players.a, &kept.players.b].into_iter().all(|player| player == crate::players::PERSON);
    if page::read(&*app.hall.store, &id).await?.is_none() && persons && !sides(&seats).is_empty() {
        let mut page = Page::default();
        let standing = app.hall.standing(&kept).await?;
        page.turn(turn_of(&standing), now());
        // Where somebody else was quicker, his page will do.
        app.hall.store.turn_page(&id, PAGE, None, Some(&page::to_text(&page)?)).await?;
    }
    follow(&app.hall, &id).await?;
    let (own, at) = (sides(&seats), now());
    let looked = page::change(&*app.hall.store, &id, |page| {
        let before = page.now(at);
        for side in &own {
            page.look(*side, &look, at);
        }
        let after = page.now(at);
        let same = |n: usize| {
            before.sitters[n].here == after.sitters[n].here && before.sitters[n].name == after.sitters[n].name
        };
        !(same(0) && same(1) && before.clock == after.clock)
    });
    let (page, changed) = looked.await?.ok_or_else(nothing_beside)?;
    if changed {
        spread(&app, &kept, &page).await?;
    } else {
        schedule(&*app.hall.store, &id, &page).await?;
    }
    Ok(Json(told(&app, &page, &seats)))
}

async fn say(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(word): Body<NewWord>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    if word.seat == SeatName::Spectator || !seats.held.contains(&word.seat) {
        return Err(Refused::forbidden("only those who sit at the battle talk"));
    }
    let at = now();
    let said = page::change(&*app.hall.store, &id, |page| page.say(word.seat, &word.text, at));
    let (_, said) = said.await?.ok_or_else(nothing_beside)?;
    said.map_err(unusable)?;
    app.hall.opened(&kept.id).iter().for_each(Handle::look_beside);
    Ok(StatusCode::NO_CONTENT)
}

async fn pause(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Pause>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    if !sides(&seats).contains(&wish.side) {
        return Err(Refused::forbidden("only whoever sits there may"));
    }
    let at = now();
    let paused = page::change(&*app.hall.store, &id, |page| {
        let clock = page.clock.as_mut()?;
        clock.pause(wish.side, wish.pause, at);
        Some(())
    });
    let (page, done) = paused.await?.ok_or_else(nothing_beside)?;
    done.ok_or_else(|| unusable("this battle has no clock"))?;
    spread(&app, &kept, &page).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn wish(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(wish): Body<Wish>,
) -> Result<Json<NoticesNow>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let side = own_side(&seats)?;
    let notices = Arc::clone(&app.hall.notices);
    match &wish {
        Wish::Push { subscription } if !notices.may_push_to(subscription.clone()).await => {
            return Err(unusable("that is no address of a push service"));
        }
        Wish::Mail { address, .. } if !notices.of(None).mails || !mail::is_address(address) => {
            return Err(unusable("that is no address that mail can go to from here"));
        }
        _ => {}
    }
    // Mail to an address that nobody has asked for can be made to come only so often, whoever asks.
    if let Wish::Mail { address, .. } = &wish {
        permit(&app, &caller)?;
        let known = page::read(&*app.hall.store, &id).await?;
        let known = known.and_then(|page| page.sitters[side.index()].mail.clone());
        if known.is_none_or(|mail| mail.address != *address) && !notices.may_ask(address, &caller.0) {
            let why = "that address was asked often enough: look for the mail that has come";
            return Err(Refused::new(StatusCode::TOO_MANY_REQUESTS, why));
        }
    }
    let token = secret::secret().map_err(crate::hall::HallError::from)?;
    let changed = page::change(&*app.hall.store, &id, |page| {
        let sitter = page.sitter(side);
        match &wish {
            Wish::Push { subscription } => page.subscribe(side, subscription.clone()),
            Wish::NoPush { endpoint } => sitter.push.retain(|one| one.endpoint != *endpoint),
            Wish::NoMail => sitter.mail = None,
            Wish::Mail { address, digest } => match &mut sitter.mail {
                Some(mail) if mail.address == *address => mail.digest = *digest,
                other => {
                    let (address, digest) = (address.clone(), *digest);
                    *other = Some(Mail { address, digest, confirmed: false, token: token.clone() });
                }
            },
        }
        page.sitter(side).mail.clone().filter(|mail| mail.token == token)
    });
    let (page, fresh) = changed.await?.ok_or_else(nothing_beside)?;
    if let Some(mail) = fresh {
        notices.ask(&id, &kept.title, &mail).await;
    }
    schedule(&*app.hall.store, &id, &page).await?;
    Ok(Json(notices.of(Some(&page.sitters[side.index()]))))
}

/// The owner of an address confirms it, or wants no more mail.
async fn confirm(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(said): Body<Confirm>,
) -> Result<StatusCode, Refused> {
    let confirmed = page::change(&*app.hall.store, &id, |page| {
        let his = |side: &Side| page.sitters[side.index()].mail.as_ref().is_some_and(|mail| mail.token == said.token);
        let side = Side::BOTH.into_iter().find(his)?;
        let mail = &mut page.sitter(side).mail;
        if said.wanted {
            mail.iter_mut().for_each(|mail| mail.confirmed = true);
        } else {
            *mail = None;
        }
        Some(())
    });
    let confirmed = confirmed.await?;
    let known = confirmed.as_ref().and_then(|(_, done)| *done);
    known.ok_or_else(|| Refused::forbidden("there is no such address: the link is old, or mail has been ended"))?;
    if let Some((page, _)) = confirmed {
        schedule(&*app.hall.store, &id, &page).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Where several battles stand. Those that the asker has no seat at, or that cannot be taken up, are left out.
async fn mine(State(app): State<App>, Body(asked): Body<AskMine>) -> Result<Json<Vec<Mine>>, Refused> {
    if asked.battles.len() > MOST_MINE {
        return Err(unusable("ask after no more than 100 battles at once"));
    }
    let mut all = Vec::new();
    for one in asked.battles {
        let Some((kept, seats)) = app.hall.store.admit(&one.id, &one.secrets).await? else { continue };
        judge(&app.hall, &kept.id).await?;
        let Ok(standing) = app.hall.standing(&kept).await else { continue };
        let page = page::read(&*app.hall.store, &kept.id).await?;
        all.push(Mine {
            id: kept.id,
            title: kept.title,
            ruleset: kept.ruleset,
            seats: seats.held,
            players: kept.players,
            lines: standing.lines,
            deciding: standing.deciding,
            verdict: standing.verdict,
            company: page.map(|page| page.now(now())),
            created: kept.created,
        });
    }
    Ok(Json(all))
}
