//! Notices to a side that does not look: by the browser's push service, and by mail.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabretache_engine::ids::Side;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use tokio::sync::Semaphore;

use super::mail::{Letter, Post};
use super::messages::{NoticesNow, Subscription};
use super::page::{self, Mail, Sitter};
use super::push::{Keys, NotPushed, house_of};
use super::{now, picture};
use crate::hall::{Hall, blocking};
use crate::messages::SeatName;
use crate::rate::Rate;
use crate::store::PageName;

/// The hour at which daily mail goes out, in hours of universal time.
const DIGEST_AT: i64 = 7;
const DAY: i64 = 86_400;
/// A battle whose side gets its mail once a day waits under this name.
const DIGEST: PageName = "digest";
/// One that was not sent is tried again after so long.
const DIGEST_HELD: Duration = Duration::from_secs(600);

/// When the next daily mail goes out, in seconds since 1970.
const fn next_digest(now: i64) -> i64 {
    let hour = DIGEST_AT * 3_600;
    (now.div_euclid(1_000) - hour).div_euclid(DAY) * DAY + DAY + hour
}

/// How notices go out.
#[derive(Clone, Debug, Default)]
pub struct NoticeOptions {
    /// The mail server: `smtps://name:word@mail.example.org`. No mail goes out without one.
    pub mail_server: Option<String>,
    /// The name and address that mail comes from.
    pub mail_from: Option<String>,
    /// Where the server is reached from outside, for the links in notices.
    pub url: Option<String>,
    /// Push services on this machine and in private networks are let pass: for tests.
    pub push_anywhere: bool,
}

impl NoticeOptions {
    /// As the environment says: `SABRETACHE_SMTP`, `SABRETACHE_MAIL_FROM`, `SABRETACHE_URL`. A password belongs there, and not
    /// on a command line that every user of the machine can read.
    #[must_use]
    pub fn from_environment() -> Self {
        let said = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        Self {
            mail_server: said("SABRETACHE_SMTP"),
            mail_from: said("SABRETACHE_MAIL_FROM"),
            url: said("SABRETACHE_URL"),
            push_anywhere: said("SABRETACHE_PUSH_ANYWHERE").is_some(),
        }
    }
}

/// Why a notice is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    YourTurn,
    TimeRunsOut,
}

/// So many notices are on their way at once, and so many of them to one push service: one that never answers holds up
/// nobody else's.
const AT_ONCE: usize = 32;
const TO_ONE_HOUSE: usize = 4;
/// Mail that is on its way at once.
const MAILS: usize = 4;
/// An address that has not agreed to it is written to so often at once, and once an hour in the long run;
const ASKED: u32 = 3;
/// one caller has so many addresses asked at once, and one in ten minutes.
const ASKS: u32 = 10;
/// So many addresses and callers are remembered.
const MOST_ASKED: usize = 4_096;

/// The ways out.
pub(crate) struct Notices {
    keys: Option<Keys>,
    post: Option<Post>,
    url: String,
    pushing: Semaphore,
    posting: Semaphore,
    houses: Mutex<HashMap<String, Arc<Semaphore>>>,
    asked: Mutex<HashMap<String, Rate>>,
}

impl Notices {
    /// With the keys of this folder; what is wrong with the options, where something is.
    pub(crate) fn new(options: &NoticeOptions, folder: &Path, address: &str) -> Result<Self, String> {
        let url = options.url.clone().unwrap_or_else(|| format!("http://{address}")).trim_end_matches('/').to_owned();
        let from = options.mail_from.clone().unwrap_or_else(|| "Sabretache <sabretache@localhost>".into());
        let post = options.mail_server.as_ref().map(|server| Post::new(server, &from)).transpose()?;
        let keys = Keys::of(folder, &url, options.push_anywhere).map_err(|error| error.to_string())?;
        Ok(Self { keys: Some(keys), post, url, ..Self::silent() })
    }

    /// Nothing goes out.
    pub(crate) fn silent() -> Self {
        Self {
            keys: None,
            post: None,
            url: String::new(),
            pushing: Semaphore::new(AT_ONCE),
            posting: Semaphore::new(MAILS),
            houses: Mutex::default(),
            asked: Mutex::default(),
        }
    }

    /// Whether an address may be asked whether it wants mail: nobody's box is filled by strangers.
    pub(super) fn may_ask(&self, address: &str, caller: &str) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= MOST_ASKED {
            asked.retain(|_, rate| !rate.is_full());
        }
        let hour = Duration::from_secs(3_600);
        let mut take =
            |key: String, at_once, every| asked.entry(key).or_insert_with(|| Rate::every(at_once, every)).take();
        take(format!("by {caller}"), ASKS, hour / 6) && take(format!("at {}", address.to_lowercase()), ASKED, hour)
    }

    /// The door of a push service, through which only a few go at once.
    fn house(&self, endpoint: &str) -> Arc<Semaphore> {
        let mut houses = self.houses.lock().unwrap_or_else(PoisonError::into_inner);
        houses.retain(|_, door| Arc::strong_count(door) > 1);
        let door = houses.entry(house_of(endpoint)).or_insert_with(|| Arc::new(Semaphore::new(TO_ONE_HOUSE)));
        Arc::clone(door)
    }

    /// What a seat wants to be told, and what can be had.
    pub(super) fn of(&self, sitter: Option<&Sitter>) -> NoticesNow {
        let mail = sitter.and_then(|sitter| sitter.mail.as_ref());
        NoticesNow {
            push_key: self.keys.as_ref().map(Keys::public),
            mails: self.post.is_some(),
            browsers: sitter.map_or(0, |sitter| sitter.push.len()),
            mail: mail.map(|mail| mail.address.clone()),
            confirmed: mail.is_some_and(|mail| mail.confirmed),
            digest: mail.is_some_and(|mail| mail.digest),
        }
    }

    /// Whether an address can be a push service's. Finding its name may take time: it is looked for apart.
    pub(super) async fn may_push_to(&self, subscription: Subscription) -> bool {
        let anywhere = self.keys.as_ref().is_some_and(|keys| keys.anywhere);
        anywhere || blocking(move || super::push::is_public(&subscription.endpoint)).await.unwrap_or(false)
    }

    /// Tells a side, in every way that it wants. Whether it was told in one of them.
    pub(super) async fn send(&self, hall: &Hall, id: &str, side: Side, occasion: Occasion) -> bool {
        let Ok(Some(page)) = page::read(&*hall.store, id).await else { return false };
        let Ok(Some(kept)) = hall.store.battle(id).await else { return false };
        let sitter = page.sitters[side.index()].clone();
        let subject = match occasion {
            Occasion::YourTurn => format!("{}: it is for you to decide", kept.title),
            Occasion::TimeRunsOut => format!("{}: your time runs out", kept.title),
        };
        let link = format!("{}/battle/{id}", self.url);
        let pushed = self.push(hall, id, side, &sitter, &subject, &link).await;
        let Some(mail) = sitter.mail.filter(|mail| mail.confirmed) else { return pushed };
        if mail.digest && occasion == Occasion::YourTurn {
            return hall.store.want(id, DIGEST, next_digest(now())).await.is_ok() || pushed;
        }
        let seats = [SeatName::from(side)];
        let report = hall.ask(&kept, Seat::Player(side), &seats, Request::Report).await;
        let report = match report.map(|answer| answer.reply) {
            Ok(Reply::Text { text }) => text,
            _ => String::new(),
        };
        let view = hall.ask(&kept, Seat::Player(side), &seats, Request::View { moment: None }).await;
        let map = match view.map(|answer| answer.reply) {
            Ok(Reply::View { view, .. }) => blocking(move || picture::png(&view)).await.ok().flatten(),
            _ => None,
        };
        let text = format!("{subject}.\n\n{link}\n\n{report}\n{}", self.ending(id, &mail.token));
        self.post(Letter { to: mail.address, subject, text, map, stop: self.stop(id, &mail.token) }).await || pushed
    }

    /// Tells every browser of a side. Whether one was.
    async fn push(&self, hall: &Hall, id: &str, side: Side, sitter: &Sitter, subject: &str, link: &str) -> bool {
        let Some(keys) = &self.keys else { return false };
        let mut told = false;
        let text = serde_json::json!({ "title": subject, "link": link, "battle": id }).to_string();
        for subscription in sitter.push.clone() {
            let (keys, text, endpoint) = (keys.clone(), text.clone(), subscription.endpoint.clone());
            let door = self.house(&endpoint);
            let _passage = (door.acquire().await, self.pushing.acquire().await);
            let sent = blocking(move || keys.send(&subscription, &text, now() / 1_000)).await;
            match sent {
                Ok(Err(NotPushed::Gone)) => {
                    // The browser has ended it: nobody is there any more.
                    let ended = page::change(&*hall.store, id, |page| {
                        page.sitter(side).push.retain(|one| one.endpoint != endpoint);
                    });
                    let _ = ended.await;
                }
                Ok(Err(NotPushed::Failed(why))) => tracing::warn!(why, "a notice was not sent"),
                Ok(Ok(())) => told = true,
                Err(_) => {}
            }
        }
        told
    }

    /// Asks the owner of an address whether mail is wanted there.
    pub(super) async fn ask(&self, id: &str, title: &str, mail: &Mail) {
        let link = self.stop(id, &mail.token);
        let text = format!(
            "Somebody, presumably you, wants mail here when it is for him to decide in the battle '{title}'.\n\n\
             If so, confirm it:\n{link}\n\nIf not, do nothing: no more mail will come.\n"
        );
        let subject = format!("{title}: do you want mail?");
        self.post(Letter { to: mail.address.clone(), subject, text, map: None, stop: link.clone() }).await;
    }

    fn stop(&self, id: &str, token: &str) -> String {
        format!("{}/notices/{id}#{token}", self.url)
    }

    fn ending(&self, id: &str, token: &str) -> String {
        format!(
            "\nThe link opens your battle in the browser in which you sit at it.\nNo more mail: {}\n",
            self.stop(id, token)
        )
    }

    /// Sends the daily mail that is due: one to an address, of all its battles that still wait. What is not sent is due again
    /// in a while.
    pub(super) async fn send_digests(&self, hall: &Hall, holder: &str) {
        let mut waiting: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        while let Ok(Some(id)) = hall.store.claim(DIGEST, holder, DIGEST_HELD).await {
            let Ok(page) = page::read(&*hall.store, &id).await else { continue };
            let sitter = page.and_then(|page| Some(page.sitters[page.deciding?.index()].clone()));
            let mail = sitter.filter(|sitter| sitter.told).and_then(|sitter| sitter.mail);
            match mail.filter(|mail| mail.confirmed && mail.digest) {
                Some(mail) => waiting.entry(mail.address).or_default().push((id, mail.token)),
                // It is no longer wanted: it is done.
                None => drop(hall.store.unwant(&id, DIGEST).await),
            }
        }
        for (to, battles) in waiting {
            let hall = hall.clone();
            tokio::spawn(async move { hall.notices.send_digest(&hall, to, battles).await });
        }
    }

    async fn send_digest(&self, hall: &Hall, to: String, battles: Vec<(String, String)>) {
        let Some((last, token)) = battles.last().cloned() else { return };
        let mut lines = String::new();
        for (id, _) in &battles {
            let Ok(Some(kept)) = hall.store.battle(id).await else { continue };
            lines += &format!("{}\n{}/battle/{id}\n\n", kept.title, self.url);
        }
        let subject = "It is for you to decide".to_owned();
        let text = format!("These battles wait for you:\n\n{lines}{}", self.ending(&last, &token));
        if self.post(Letter { to, subject, text, map: None, stop: self.stop(&last, &token) }).await {
            for (id, _) in battles {
                let _ = hall.store.unwant(&id, DIGEST).await;
            }
        }
    }

    async fn post(&self, letter: Letter) -> bool {
        let Some(post) = self.post.clone() else { return false };
        let _passage = self.posting.acquire().await;
        match blocking(move || post.send(letter)).await {
            Ok(Ok(())) => true,
            Ok(Err(why)) => {
                tracing::warn!(why, "mail was not sent");
                false
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_s_box_is_filled_by_strangers() {
        let notices = Notices::silent();
        let asked = (0..50).filter(|n| notices.may_ask("victim@example.org", &format!("caller {n}"))).count();
        assert_eq!(asked, 3, "whoever asks");
        assert!(!notices.may_ask("Victim@example.org", "another"));
        let asked = (0..50).filter(|n| notices.may_ask(&format!("{n}@example.org"), "stranger")).count();
        assert_eq!(asked, 10, "whoever is asked");
    }

    #[test]
    fn the_daily_mail_goes_out_at_the_next_seven_o_clock() {
        assert_eq!(next_digest(0), 7 * 3_600);
        assert_eq!(next_digest(7 * 3_600_000 - 1), 7 * 3_600);
        assert_eq!(next_digest(7 * 3_600_000), 31 * 3_600);
    }
}
