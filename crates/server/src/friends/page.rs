//! The page that is kept beside the log of a battle between friends: names, words, the clock, who wants to be told what.

use sabretache_engine::ids::Side;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::clock::Clock;
use super::messages::{CompanyNow, Look, SitterNow, Subscription, Word};
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
const LONGEST_WORD_OF_A_PAGE: usize = 40;
/// So many words of a seat within so many milliseconds are enough.
const AT_ONCE: usize = 10;
const AT_ONCE_WITHIN: i64 = 10_000;
/// So often a notice is sent that does not arrive.
pub(super) const MOST_TRIES: u32 = 6;
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
    /// The seat of the one who came by it, for as long as he has not looked: should the answer be lost on its way, he asks
    /// again with the same word of his own.
    pub(super) taken: Option<Invitation>,
    pub(super) clock: Option<Clock>,
    /// Who is waited for: the side that decides, or the one whose link agreed dice still want.
    pub(super) deciding: Option<Side>,
    /// Since when that side is waited for, in milliseconds since 1970, and how many lines the log had then.
    pub(super) since: i64,
    pub(super) lines: usize,
    /// The moment the battle is at, and who decides there.
    pub(super) moment: usize,
    pub(super) decider: Option<Side>,
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
    /// Which page said last that it was left, and in which of its messages.
    pub(super) left: Option<(String, u64)>,
    pub(super) push: Vec<Subscription>,
    pub(super) mail: Option<Mail>,
    /// Whether he was told that it is his turn, and has not looked since.
    pub(super) told: bool,
    /// Whether he is to be told that his time runs out.
    pub(super) warn: bool,
    /// A notice that is on its way: should it not arrive, it is sent again.
    pub(super) telling: Option<Telling>,
}

/// A notice that is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Telling {
    /// Since when, in milliseconds since 1970.
    pub(super) at: i64,
    /// For which time.
    pub(super) tries: u32,
}

impl Telling {
    /// When it counts as lost: after a minute, and twice as long each time.
    fn lost(self) -> i64 {
        self.at + (60_000 << self.tries.min(MOST_TRIES))
    }
}

/// A battle has gone on, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// How many lines its log has,
    pub(crate) lines: usize,
    /// at which moment it is,
    pub(crate) moment: usize,
    /// who decides,
    pub(crate) deciding: Option<Side>,
    /// and whose link agreed dice wait for.
    pub(crate) owing: Option<Side>,
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

impl Sitter {
    /// He has looked: the next notice is a new one.
    fn opened(&mut self) {
        (self.told, self.warn, self.telling) = (false, false, None);
    }
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
        self.wind_after(None, now);
    }

    fn wind_after(&mut self, decided: Option<Side>, now: i64) {
        let both = self.sitters.iter().all(|sitter| sitter.sat);
        let awaited = self.deciding;
        if let Some(clock) = self.clock.as_mut().filter(|_| both) {
            clock.turn(decided, awaited, now);
        }
    }

    /// The battle has gone on. News that come late change nothing.
    pub(super) fn turn(&mut self, turn: Turn, now: i64) -> bool {
        let awaited = turn.owing.or(turn.deciding);
        if turn.lines < self.lines || (turn.lines == self.lines && self.deciding == awaited) {
            return false;
        }
        // Going back is nobody's decision.
        let decided = self.decider.filter(|_| turn.moment > self.moment);
        if let Some(side) = decided {
            // Whoever decides has opened the battle.
            self.sitter(side).opened();
        }
        (self.lines, self.moment, self.decider) = (turn.lines, turn.moment, turn.deciding);
        if self.deciding != awaited {
            (self.deciding, self.since) = (awaited, now);
            Side::BOTH.into_iter().for_each(|side| self.sitter(side).warn = false);
        }
        self.wind_after(decided, now);
        true
    }

    /// Somebody looks at the battle, or leaves it. What his page sent before it was left and comes in afterwards is late.
    pub(super) fn look(&mut self, side: Side, look: &Look, now: i64) {
        let left = self.sitter(side).left.as_ref();
        if left.is_some_and(|(page, n)| look.page.as_ref() == Some(page) && look.n < *n) {
            return;
        }
        self.taken.take_if(|taken| taken.side == side);
        let sitter = self.sitter(side);
        (sitter.seen, sitter.away) = (now, look.away);
        if look.away {
            sitter.left =
                look.page.clone().filter(|page| page.len() <= LONGEST_WORD_OF_A_PAGE).map(|page| (page, look.n));
        }
        sitter.opened();
        if !sitter.sat {
            sitter.sat = true;
            self.wind(now);
        }
        let sitter = self.sitter(side);
        if let Some(name) = &look.name {
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
        let word = Word { n: self.next_word, at: now, seat, name, text, line: self.lines };
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

    /// The side that is to be told that it decides or that its time runs out, and has not been; when, in milliseconds since
    /// 1970.
    pub(super) fn notice_due(&self) -> Option<(Side, i64)> {
        let side = self.deciding?;
        let sitter = &self.sitters[side.index()];
        let listens = !sitter.push.is_empty() || sitter.mail.as_ref().is_some_and(|mail| mail.confirmed);
        if !listens || (sitter.told && !sitter.warn) {
            return None;
        }
        let due = if sitter.warn { 0 } else { (sitter.seen + JUST_LOOKED).max(self.since) };
        Some((side, due.max(sitter.telling.map_or(0, Telling::lost))))
    }

    /// A notice goes out now; whether it warns of time that runs out.
    pub(super) fn begin_telling(&mut self, side: Side, now: i64) -> (Telling, bool) {
        let sitter = self.sitter(side);
        let telling = Telling { at: now, tries: sitter.telling.map_or(1, |before| before.tries + 1) };
        sitter.telling = Some(telling);
        (telling, sitter.warn)
    }

    /// It has arrived, or has not. One that was lost too often is given up.
    pub(super) fn end_telling(&mut self, side: Side, telling: Telling, arrived: bool) {
        let sitter = self.sitter(side);
        if sitter.telling != Some(telling) || (!arrived && telling.tries < MOST_TRIES) {
            return;
        }
        (sitter.telling, sitter.warn, sitter.told) = (None, false, true);
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
mod tests;
