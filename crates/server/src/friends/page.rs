//! The page that is kept beside the log of a battle between friends: names, words, the clock, who wants to be told what.

use sabretache_engine::ids::Side;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::clock::Clock;
use super::messages::{CompanyNow, SitterNow, Subscription, Word};
use crate::messages::SeatName;
use crate::secret;
use crate::store::{PageName, Store, StoreError, Stored};

/// Its name in the store.
pub(super) const PAGE: PageName = "friends";
/// How often somebody else may get in between before a change is given up.
const TRIES: usize = 50;
/// How many words are kept, how long each may be, and a name.
const MOST_WORDS: usize = 200;
const LONGEST_WORD: usize = 500;
const LONGEST_NAME: usize = 40;
/// So many words of a seat within so many milliseconds are enough.
const AT_ONCE: usize = 10;
const AT_ONCE_WITHIN: i64 = 10_000;
/// How many browsers of a side are told.
const MOST_BROWSERS: usize = 5;
/// Somebody who has looked within this time, in milliseconds, is there.
pub(super) const JUST_LOOKED: i64 = 120_000;

/// All that stands beside a battle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Page {
    pub(super) sitters: [Sitter; 2],
    pub(super) invitation: Option<Invitation>,
    pub(super) clock: Option<Clock>,
    pub(super) deciding: Option<Side>,
    /// Since when that side decides, in milliseconds since 1970, and how many lines the log had then.
    pub(super) since: i64,
    pub(super) lines: usize,
    pub(super) words: Vec<Word>,
    pub(super) next_word: u64,
}

/// Who sits at a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Sitter {
    pub(super) name: String,
    pub(super) sat: bool,
    /// When he last looked at this battle, in milliseconds since 1970.
    pub(super) seen: i64,
    /// Whether he went away since.
    pub(super) away: bool,
    pub(super) push: Vec<Subscription>,
    pub(super) mail: Option<Mail>,
    /// Whether he was told that it is his turn, and has not looked since.
    pub(super) told: bool,
}

/// Where mail for a side goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mail {
    pub(super) address: String,
    pub(super) digest: bool,
    pub(super) confirmed: bool,
    /// What stands in the links of every mail to it.
    pub(super) token: String,
}

/// An invitation that nobody has come by yet. The secret of the seat lies in it under a mask that only the invitation takes
/// off; when somebody has, it is gone, so that the one who wrote the invitation has no way to that seat any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Invitation {
    pub(super) side: Side,
    hash: String,
    masked: String,
}

impl Invitation {
    pub(super) fn new(side: Side, seat: &str, token: &str) -> Option<Self> {
        let masked = hex::encode(mask(&hex::decode(seat).ok()?, token));
        Some(Self { side, hash: hex::encode(secret::hash(token)), masked })
    }

    /// Whether this is it.
    pub(super) fn is(&self, token: &str) -> bool {
        self.hash == hex::encode(secret::hash(token))
    }

    /// The secret of the seat.
    pub(super) fn open(&self, token: &str) -> Option<String> {
        Some(hex::encode(mask(&hex::decode(&self.masked).ok()?, token)))
    }
}

fn mask(bytes: &[u8], token: &str) -> Vec<u8> {
    let key = Sha256::new().chain_update(b"sabretache invitation").chain_update(token.as_bytes()).finalize();
    bytes.iter().zip(key).map(|(byte, key)| byte ^ key).collect()
}

impl Page {
    pub(super) fn sitter(&mut self, side: Side) -> &mut Sitter {
        &mut self.sitters[side.index()]
    }

    /// Somebody sits down. The clock begins when both sides have.
    pub(super) fn sit(&mut self, side: Side, name: &str, now: i64) {
        let sitter = self.sitter(side);
        sitter.sat = true;
        sitter.seen = now;
        sitter.name = tidy(name);
        self.wind(now);
    }

    fn wind(&mut self, now: i64) {
        let both = self.sitters.iter().all(|sitter| sitter.sat);
        let deciding = self.deciding;
        if let Some(clock) = self.clock.as_mut().filter(|_| both) {
            clock.turn(deciding, now);
        }
    }

    /// The battle has gone on. News that come late change nothing.
    pub(super) fn turn(&mut self, lines: usize, deciding: Option<Side>, now: i64) -> bool {
        if lines < self.lines || (lines == self.lines && self.deciding == deciding) {
            return false;
        }
        self.lines = lines;
        if self.deciding != deciding {
            (self.deciding, self.since) = (deciding, now);
            for side in Side::BOTH {
                self.sitter(side).told = false;
            }
        }
        self.wind(now);
        true
    }

    /// Somebody looks at the battle.
    pub(super) fn look(&mut self, side: Side, name: Option<&str>, away: bool, now: i64) {
        let sitter = self.sitter(side);
        (sitter.seen, sitter.told, sitter.away) = (now, false, away);
        if !sitter.sat {
            sitter.sat = true;
            self.wind(now);
        }
        let sitter = self.sitter(side);
        if let Some(name) = name {
            sitter.name = tidy(name);
        }
    }

    /// Something is said; what is wrong with it, where it cannot be.
    pub(super) fn say(&mut self, seat: SeatName, text: &str, now: i64) -> Result<Word, &'static str> {
        let text: String = text.trim().chars().filter(|letter| !letter.is_control() || *letter == '\n').collect();
        if text.is_empty() || text.chars().count() > LONGEST_WORD {
            return Err("say something of between 1 and 500 characters");
        }
        let last: Vec<i64> =
            self.words.iter().rev().filter(|word| word.seat == seat).take(AT_ONCE).map(|word| word.at).collect();
        if last.len() == AT_ONCE && last.iter().all(|at| now - at < AT_ONCE_WITHIN) {
            return Err("that is a lot at once: wait a little");
        }
        let name = match seat {
            SeatName::A => self.sitters[0].name.clone(),
            SeatName::B => self.sitters[1].name.clone(),
            _ => String::new(),
        };
        let word = Word { n: self.next_word, at: now, seat, name, text };
        self.next_word += 1;
        self.words.push(word.clone());
        let over = self.words.len().saturating_sub(MOST_WORDS);
        self.words.drain(..over);
        Ok(word)
    }

    /// One browser more is told.
    pub(super) fn subscribe(&mut self, side: Side, subscription: Subscription) {
        let all = &mut self.sitter(side).push;
        all.retain(|one| one.endpoint != subscription.endpoint);
        all.push(subscription);
        let over = all.len().saturating_sub(MOST_BROWSERS);
        all.drain(..over);
    }

    /// The side that is to be told that it decides, and has not been; when, in milliseconds since 1970.
    pub(super) fn notice_due(&self) -> Option<(Side, i64)> {
        let side = self.deciding?;
        let sitter = &self.sitters[side.index()];
        let listens = !sitter.push.is_empty() || sitter.mail.as_ref().is_some_and(|mail| mail.confirmed);
        (listens && !sitter.told).then_some((side, (sitter.seen + JUST_LOOKED).max(self.since)))
    }

    pub(super) fn now(&self, now: i64) -> CompanyNow {
        let sitter = |side: Side| {
            let Sitter { name, sat, seen, away, .. } = self.sitters[side.index()].clone();
            SitterNow { name, sat, here: !away && seen > 0 && now - seen < JUST_LOOKED, seen }
        };
        CompanyNow {
            sitters: Side::BOTH.map(sitter),
            waiting: self.invitation.is_some(),
            deciding: self.deciding,
            since: self.since,
            clock: self.clock.as_ref().map(|clock| clock.now(now)),
            now,
        }
    }
}

/// A name without what would garble a page or a terminal.
fn tidy(name: &str) -> String {
    let plain: String = name.trim().chars().filter(|letter| !letter.is_control()).collect();
    plain.chars().take(LONGEST_NAME).collect()
}

/// The page of a battle; nothing for one that is not fought between friends.
pub(super) async fn read(store: &dyn Store, id: &str) -> Stored<Option<Page>> {
    store.page(id, PAGE).await?.map(|text| of_text(&text)).transpose()
}

fn of_text(text: &str) -> Stored<Page> {
    serde_json::from_str(text).map_err(|error| StoreError::Garbled(error.to_string()))
}

/// Changes the page of a battle, whoever else does so at the same time. Nothing for a battle that has none.
pub(super) async fn change<T>(
    store: &dyn Store,
    id: &str,
    mut change: impl FnMut(&mut Page) -> T + Send,
) -> Stored<Option<(Page, T)>> {
    for _ in 0..TRIES {
        let Some(was) = store.page(id, PAGE).await? else { return Ok(None) };
        let mut page = of_text(&was)?;
        let done = change(&mut page);
        let text = to_text(&page)?;
        if text == was || store.turn_page(id, PAGE, Some(&was), Some(&text)).await? {
            return Ok(Some((page, done)));
        }
    }
    Err(StoreError::Conflict)
}

pub(super) fn to_text(page: &Page) -> Stored<String> {
    serde_json::to_string(page).map_err(|error| StoreError::Garbled(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_invitation_opens_the_seat() {
        let seat = secret::secret().unwrap();
        let invitation = Invitation::new(Side::B, &seat, "token").unwrap();
        assert!(invitation.is("token") && !invitation.is("another"));
        assert_eq!(invitation.open("token"), Some(seat.clone()));
        assert_ne!(invitation.open("another"), Some(seat.clone()));
        assert!(!serde_json::to_string(&invitation).unwrap().contains(&seat));
    }

    #[test]
    fn words_are_bounded_and_numbered() {
        let mut page = Page::default();
        assert!(page.say(SeatName::A, "  ", 0).is_err());
        assert!(page.say(SeatName::A, &"x".repeat(501), 0).is_err());
        for n in 0..250 {
            page.say(SeatName::A, &format!("{n}\u{1b}"), n * 1_000).unwrap();
        }
        assert!(page.say(SeatName::A, "again", 249_001).is_err() && page.say(SeatName::B, "I", 249_001).is_ok());
        page.words.pop();
        assert_eq!((page.words.len(), page.words[0].n, page.words[198].text.as_str()), (MOST_WORDS - 1, 51, "249"));
    }

    #[test]
    fn late_news_change_nothing_and_the_clock_waits_for_both() {
        let setting = super::super::messages::ClockSetting { bank: 100, increment: 0 };
        let mut page = Page { clock: Clock::new(setting), ..Page::default() };
        page.turn(1, Some(Side::A), 0);
        page.sit(Side::A, "Anna", 0);
        assert_eq!(page.now(50_000).clock.unwrap().left, [100_000; 2]);
        page.sit(Side::B, "Ben", 50_000);
        assert_eq!(page.now(60_000).clock.unwrap().left, [90_000, 100_000]);
        assert!(page.turn(3, Some(Side::B), 60_000));
        assert!(!page.turn(2, Some(Side::A), 70_000));
        assert_eq!((page.deciding, page.since), (Some(Side::B), 60_000));
    }

    #[test]
    fn a_side_is_told_once_and_not_while_it_looks() {
        let mut page = Page::default();
        page.turn(1, Some(Side::B), 1_000_000);
        assert_eq!(page.notice_due(), None, "it wants to be told nothing");
        let keys = super::super::messages::SubscriptionKeys { p256dh: String::new(), auth: String::new() };
        page.subscribe(Side::B, Subscription { endpoint: "https://push.example/1".into(), keys });
        assert_eq!(page.notice_due(), Some((Side::B, 1_000_000)));
        page.look(Side::B, None, false, 990_000);
        assert_eq!(page.notice_due(), Some((Side::B, 990_000 + JUST_LOOKED)), "it has just looked");
        page.sitter(Side::B).told = true;
        assert_eq!(page.notice_due(), None, "one until it is opened");
        page.look(Side::B, None, false, 2_000_000);
        assert!(page.notice_due().is_some());
    }
}
