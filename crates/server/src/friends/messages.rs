//! What travels between friends and the server.

use sabretache_engine::ids::Side;
use sabretache_engine::view::Verdict;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::messages::{NewBattle, SeatName};

/// Asks for a battle against a friend: one side is kept, the other goes to the one who opens the link.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewFriendly {
    /// The battle.
    pub battle: NewBattle,
    /// The side of the one who asks.
    pub side: Side,
    /// His name; none needed.
    #[serde(default)]
    pub name: String,
    /// How much time each side has; as much as it likes when not given.
    #[serde(default)]
    pub clock: Option<ClockSetting>,
}

/// How much time a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// At the beginning, in seconds. It never has more.
    #[ts(type = "number")]
    pub bank: i64,
    /// What it gets back whenever it has decided, in seconds.
    #[ts(type = "number")]
    pub increment: i64,
}

/// A battle against a friend was made. The maker has his own side and no other.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct FriendlyMade {
    /// Its id.
    pub id: String,
    /// The maker's side.
    pub side: Side,
    /// The secret of his seat.
    pub secret: String,
    /// The secret of those who only watch.
    pub spectator: String,
    /// What goes to the friend: whoever brings it first sits down.
    pub invitation: String,
}

/// Somebody comes by an invitation.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    /// The invitation.
    pub invitation: String,
    /// The name of the one who comes.
    #[serde(default)]
    pub name: String,
    /// A random word of his own, by which he is known should the answer be lost on its way.
    #[serde(default)]
    #[ts(optional)]
    pub claim: Option<String>,
}

/// What an invitation is for.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Invited {
    /// The title of the scenario.
    pub title: String,
    /// The short name of its ruleset.
    pub ruleset: String,
    /// The side that waits.
    pub side: Side,
    /// What that side is called; nothing while the dice are still to be agreed on.
    pub side_name: Option<String>,
    /// The name of the one who asks; empty where he gave none.
    pub by: String,
    /// How much time each side has.
    pub clock: Option<ClockSetting>,
}

/// The seat of the one who came by an invitation.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Seated {
    /// His side.
    pub side: Side,
    /// The secret of the seat.
    pub secret: String,
}

/// The company at a battle: who is there, who decides since when, how much time is left.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct CompanyNow {
    /// Side A's and side B's.
    pub sitters: [SitterNow; 2],
    /// Whether an invitation still waits for somebody.
    pub waiting: bool,
    /// Who decides.
    pub deciding: Option<Side>,
    /// Since when, in milliseconds since 1970.
    #[ts(type = "number")]
    pub since: i64,
    /// The clock, where there is one.
    pub clock: Option<ClockNow>,
    /// The server's time, in milliseconds since 1970.
    #[ts(type = "number")]
    pub now: i64,
}

/// Somebody who sits at a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SitterNow {
    /// His name; empty where he gave none.
    pub name: String,
    /// Whether anybody has sat down there.
    pub sat: bool,
    /// Whether he is there now.
    pub here: bool,
    /// When he last looked, in milliseconds since 1970; 0 for never.
    #[ts(type = "number")]
    pub seen: i64,
}

/// A clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ClockNow {
    /// What was agreed on.
    pub setting: ClockSetting,
    /// What A and B have left, in milliseconds.
    #[ts(type = "[number, number]")]
    pub left: [i64; 2],
    /// Whose time runs.
    pub running: Option<Side>,
    /// Whether both have agreed on a pause.
    pub paused: bool,
    /// Who asks for one.
    pub pause_asked: Option<Side>,
}

/// Something said beside the battle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Word {
    /// Its number.
    #[ts(type = "number")]
    pub n: u64,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: i64,
    /// From which seat.
    pub seat: SeatName,
    /// Under what name.
    pub name: String,
    /// What.
    pub text: String,
    /// How many lines the log had then: so it stands where it was said, among what was settled.
    #[serde(default)]
    pub line: usize,
}

/// All that stands beside a battle.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Beside {
    /// The company.
    pub company: CompanyNow,
    /// What was said, the last of it.
    pub words: Vec<Word>,
    /// What this seat wants to be told, and how.
    pub notices: NoticesNow,
}

/// What somebody says beside the battle.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewWord {
    /// As whom.
    pub seat: SeatName,
    /// What.
    pub text: String,
}

/// Somebody is there, and looks.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// His name; as before when not given.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether he goes away.
    #[serde(default)]
    pub away: bool,
    /// A random word of the page that he has open, and how many such messages it has sent: a look that comes in after the page said that it
    /// was left is late and counts for nothing.
    #[serde(default)]
    pub page: Option<String>,
    /// The number of this message.
    #[serde(default)]
    #[ts(type = "number")]
    pub n: u64,
}

/// Asks for a pause, or ends it.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// Whose wish it is.
    pub side: Side,
    /// A pause, or no pause.
    pub pause: bool,
}

/// How a side is told that it is to decide while nobody looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct NoticesNow {
    /// The key of the server that a browser's push service wants; nothing where it sends none.
    pub push_key: Option<String>,
    /// Whether the server sends mail.
    pub mails: bool,
    /// How many browsers are told.
    pub browsers: usize,
    /// The address that mail goes to.
    pub mail: Option<String>,
    /// Whether its owner has confirmed it.
    pub confirmed: bool,
    /// Whether mail comes once a day.
    pub digest: bool,
}

/// What a seat wants to be told, and how.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Wish {
    /// By the push service of this browser.
    Push {
        /// What the browser gave.
        subscription: Subscription,
    },
    /// No more by that one.
    NoPush {
        /// Its address.
        endpoint: String,
    },
    /// By mail.
    Mail {
        /// Where to.
        address: String,
        /// Once a day, of all battles together.
        #[serde(default)]
        digest: bool,
    },
    /// No mail.
    NoMail,
}

/// A browser's push subscription, as it gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Subscription {
    /// Where its push service takes messages.
    pub endpoint: String,
    /// The keys that only this browser reads with.
    pub keys: SubscriptionKeys,
}

/// The keys of a subscription, in base64 as a browser gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SubscriptionKeys {
    /// Its public key.
    pub p256dh: String,
    /// What only it and the server know.
    pub auth: String,
}

/// Confirms an address that mail is to go to, or ends it. Both come by the link in a mail.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// What stood in the link.
    pub token: String,
    /// Whether mail is wanted.
    pub wanted: bool,
}

/// Asks where several battles stand.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AskMine {
    /// Each with a secret of it.
    pub battles: Vec<MineAsked>,
}

/// One of them.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MineAsked {
    /// Its id.
    pub id: String,
    /// Secrets of the asker's seats.
    pub secrets: Vec<String>,
}

/// Where one of several battles stands.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Mine {
    /// Its id.
    pub id: String,
    /// The title of its scenario.
    pub title: String,
    /// The short name of its ruleset.
    pub ruleset: String,
    /// The seats of the asker.
    pub seats: Vec<SeatName>,
    /// Who plays each side: `person`, or a computer player.
    pub players: crate::messages::Players,
    /// How many lines its log has.
    pub lines: usize,
    /// Who decides.
    pub deciding: Option<Side>,
    /// How it ended, once it has.
    pub verdict: Option<Verdict>,
    /// Its company, where it is fought between friends.
    pub company: Option<CompanyNow>,
    /// When it began, in seconds since 1970.
    #[ts(type = "number")]
    pub created: i64,
}
