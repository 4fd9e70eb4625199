//! A battle with real figures kept together: an umpire and several telephones on one list of what happened.
//!
//! The list is append-only, like the log of a battle, and kept the same way. Nothing in it is judged by the rules: the umpire may write
//! anything, a player what concerns his own troops. Who reads what is decided here: units that are hidden, and letters that are on their way.

use std::collections::BTreeSet;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use sabretache_engine::ids::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::guard;
use crate::http::{App, Body, Refused, admit, permit};
use crate::messages::{BattleMade, PlayerSeat, Players, SeatName, Secrets};
use crate::seats::Seats;
use crate::secret;
use crate::store::{Kept, StoreError, now};
use crate::watch::Caller;

/// What stands before the ruleset of a table, so that nobody takes it for a battle that the rules have fought.
const KIND: &str = "table:";
/// The longest thing that anybody says, in characters.
const LONGEST: usize = 4_000;
/// So many lines a table has at the most.
const MOST_LINES: usize = 20_000;
/// The largest beginning, in bytes.
const LARGEST: usize = 1 << 20;
/// So many players share a side at the most.
const MOST_PLAYERS: usize = 16;

/// A table to be kept together.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The book.
    pub ruleset: String,
    /// What it is called.
    pub title: String,
    /// The battle as the companion keeps it; its `units` have a `key`, a `side` (0 or 1) and a `command`.
    #[ts(type = "unknown")]
    pub battle: Value,
    /// Those who share a side, each with his commands.
    #[serde(default)]
    pub players: Vec<TablePlayer>,
}

/// One of several players of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TablePlayer {
    /// His side.
    pub side: Side,
    /// His name.
    pub name: String,
    /// The names of his commands.
    pub commands: Vec<String>,
}

/// One thing that happened at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum Happened {
    /// It began.
    Began {
        /// The battle as the companion keeps it.
        #[ts(type = "unknown")]
        battle: Value,
        /// Those who share a side.
        players: Vec<TablePlayer>,
    },
    /// A unit is marked.
    Marked {
        /// Its key.
        unit: String,
        /// With what.
        mark: String,
        /// How much of it there is now.
        to: u16,
    },
    /// A command has orders now.
    Ordered {
        /// Its side: 0 or 1.
        side: u8,
        /// What it is called.
        command: String,
        /// The orders, in the book's words; none where they are gone.
        order: String,
    },
    /// The turn goes on, or back.
    Went {
        /// The turn; 0 before the first.
        turn: u16,
        /// The step of it.
        step: u16,
    },
    /// Something was done, or not after all.
    Ticked {
        /// The step and the task.
        task: String,
    },
    /// Something to remember: what came of a test, what somebody saw.
    Told {
        /// In words.
        text: String,
        /// How likely it was, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chance: Option<f64>,
    },
    /// A letter or an order goes off with a messenger.
    Sent {
        /// To whom: a player by name, a side as `A` or `B`, or `umpire`.
        to: String,
        /// What it says.
        text: String,
        /// The turn in which it arrives.
        arrives: u16,
    },
    /// A unit is hidden from the enemy, or shows itself.
    Hidden {
        /// Its key.
        unit: String,
        /// Whether it is hidden now.
        hidden: bool,
    },
    /// A question for the umpire.
    Disputed {
        /// In words.
        text: String,
    },
    /// The umpire has decided.
    Ruled {
        /// In words.
        text: String,
    },
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TableLine {
    /// Its place in the list.
    pub n: u32,
    /// Who wrote it: a player by name, `A`, `B` or `umpire`.
    pub by: String,
    /// What happened.
    #[serde(flatten)]
    pub happened: Happened,
}

/// The list, as somebody may read it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TableNow {
    /// Who reads it.
    pub seat: String,
    /// The side that he has, if he has one.
    pub side: Option<Side>,
    /// How long the whole list is.
    pub length: u32,
    /// The lines; none where nothing is new.
    pub lines: Vec<TableLine>,
}

/// What somebody knows already.
#[derive(Debug, Deserialize)]
struct Known {
    #[serde(default)]
    length: u32,
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/tables", post(begin)).route("/tables/{id}", get(read).post(write))
}

async fn begin(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Body(new): Body<NewTable>,
) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    permit(&app, &caller)?;
    let wrong = |why: &str| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
    if app.hall.catalogue.ruleset(&new.ruleset).is_none() {
        return Err(wrong("there is no such ruleset"));
    }
    let names: BTreeSet<&String> = new.players.iter().map(|player| &player.name).collect();
    let good = |name: &&String| !name.is_empty() && name.len() <= 60 && !["A", "B", "umpire"].contains(&name.as_str());
    if names.len() != new.players.len() || names.len() > 2 * MOST_PLAYERS || !names.iter().all(good) {
        return Err(wrong("players have names of their own, and are not too many"));
    }
    let seats = new.players.iter().map(|player| PlayerSeat { side: player.side, name: player.name.clone() });
    let secrets = Secrets::fresh(seats.collect()).map_err(|_| wrong("no secrets could be made"))?;
    let happened = Happened::Began { battle: new.battle, players: new.players };
    let first = line(&TableLine { n: 0, by: "umpire".to_owned(), happened })?;
    if first.len() > LARGEST {
        return Err(wrong("that is more than a table holds"));
    }
    let id = secret::name().map_err(|_| wrong("no name could be made"))?;
    let title: String = new.title.chars().take(200).collect();
    let ruleset = format!("{KIND}{}", new.ruleset);
    let kept = Kept { id: id.clone(), ruleset, title, players: Players::default(), created: now() };
    app.hall.store.create(&kept, &secrets, &first, None).await?;
    Ok((StatusCode::CREATED, Json(BattleMade { id, secrets, proved: None, inherited: 0 })))
}

fn line(one: &TableLine) -> Result<String, Refused> {
    let text = serde_json::to_string(one);
    let text = text.map_err(|error| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    Ok(text + "\n")
}

async fn read(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(known): Query<Known>,
    headers: HeaderMap,
) -> Result<Json<TableNow>, Refused> {
    let (reader, all) = open(&app, &id, &headers).await?;
    let length = all.len() as u32;
    let lines = if known.length == length { Vec::new() } else { reader.visible(&all) };
    Ok(Json(TableNow { seat: reader.name.clone(), side: reader.side, length, lines }))
}

async fn write(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(happened): Body<Happened>,
) -> Result<Json<TableNow>, Refused> {
    // Two who write at once: the second looks again and comes after the first.
    for _ in 0..20 {
        let (reader, mut all) = open(&app, &id, &headers).await?;
        reader.may_write(&all, &happened)?;
        let n = all.len();
        let new = TableLine { n: n as u32, by: reader.name.clone(), happened: happened.clone() };
        match app.hall.store.append(&id, n, vec![line(&new)?]).await {
            Ok(()) => {
                all.push(new);
                let (length, lines) = (all.len() as u32, reader.visible(&all));
                return Ok(Json(TableNow { seat: reader.name.clone(), side: reader.side, length, lines }));
            }
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Refused::new(StatusCode::CONFLICT, "too many write at once; try again"))
}

/// Who asks, and the whole list.
async fn open(app: &App, id: &str, headers: &HeaderMap) -> Result<(Reader, Vec<TableLine>), Refused> {
    let (kept, seats) = admit(app, id, &guard::secrets(headers)).await?;
    if !kept.ruleset.starts_with(KIND) {
        return Err(Refused::new(StatusCode::NOT_FOUND, "that is no table kept together"));
    }
    let text = app.hall.store.lines(id, 0).await?;
    let lines: Result<Vec<TableLine>, _> = text.iter().map(|line| serde_json::from_str(line)).collect();
    let lines = lines.map_err(|error| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok((Reader::of(&seats, &lines), lines))
}

/// Somebody at a table.
struct Reader {
    name: String,
    /// Nothing for the umpire and for those who look on.
    side: Option<Side>,
    umpire: bool,
    /// His commands, where he shares his side with others.
    commands: Option<Vec<String>>,
}

impl Reader {
    fn of(seats: &Seats, lines: &[TableLine]) -> Self {
        if seats.held.contains(&SeatName::Umpire) {
            return Self { name: "umpire".to_owned(), side: None, umpire: true, commands: None };
        }
        let whole = Side::BOTH.into_iter().find(|side| seats.whole().contains(&SeatName::from(*side)));
        if let Some(side) = whole {
            return Self { name: side.to_string(), side: Some(side), umpire: false, commands: None };
        }
        match seats.named.first() {
            Some(player) => {
                let own = players(lines).iter().find(|one| one.name == player.name);
                let commands = Some(own.map(|one| one.commands.clone()).unwrap_or_default());
                Self { name: player.name.clone(), side: Some(player.side), umpire: false, commands }
            }
            None => Self { name: "spectator".to_owned(), side: None, umpire: false, commands: None },
        }
    }

    /// The list without what is hidden from him: letters of others, letters that are not there yet, hidden units of the enemy's.
    fn visible(&self, lines: &[TableLine]) -> Vec<TableLine> {
        if self.umpire {
            return lines.to_vec();
        }
        let turn = turn_of(lines);
        let hidden = hidden_units(lines);
        let secret = |unit: &String| hidden.contains(unit) && side_of(lines, unit) != self.side;
        let open = |line: &&TableLine| match &line.happened {
            Happened::Sent { to, arrives, .. } => line.by == self.name || (self.reads(to) && *arrives <= turn),
            Happened::Marked { unit, .. } | Happened::Hidden { unit, .. } => !secret(unit),
            Happened::Ordered { side, .. } => Side::BOTH.get(usize::from(*side)).copied() == self.side,
            Happened::Disputed { .. } | Happened::Ruled { .. } | Happened::Told { .. } => true,
            Happened::Began { .. } | Happened::Went { .. } | Happened::Ticked { .. } => true,
        };
        let mut shown: Vec<TableLine> = lines.iter().filter(open).cloned().collect();
        if let Some(TableLine { happened: Happened::Began { battle, .. }, .. }) = shown.first_mut()
            && let Some(units) = battle.get_mut("units").and_then(Value::as_array_mut)
        {
            units.retain(|unit| unit["key"].as_str().is_none_or(|key| !secret(&key.to_owned())));
        }
        shown
    }

    /// Whether something written to somebody is for him.
    fn reads(&self, to: &str) -> bool {
        to == self.name || self.side.is_some_and(|side| side.to_string() == to)
    }

    fn may_write(&self, lines: &[TableLine], happened: &Happened) -> Result<(), Refused> {
        let no = |why: &str| Err(Refused::forbidden(why));
        let long = match happened {
            Happened::Told { text, .. }
            | Happened::Sent { text, .. }
            | Happened::Disputed { text }
            | Happened::Ruled { text } => text.len() > LONGEST,
            Happened::Ticked { task } => task.len() > 100,
            Happened::Ordered { side, command, order } => *side > 1 || command.len() > 200 || order.len() > 200,
            _ => false,
        };
        if long || lines.len() >= MOST_LINES {
            return Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, "that is more than a table holds"));
        }
        if matches!(happened, Happened::Began { .. }) {
            return no("it has begun already");
        }
        if let Happened::Marked { unit, .. } | Happened::Hidden { unit, .. } = happened
            && side_of(lines, unit).is_none()
        {
            return Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, "there is no such unit"));
        }
        if self.umpire {
            return Ok(());
        }
        if self.side.is_none() {
            return no("those who look on write nothing");
        }
        match happened {
            Happened::Marked { unit, .. } | Happened::Hidden { unit, .. } if !self.commands(lines, unit) => {
                no("only the umpire and those who command it mark that unit")
            }
            Happened::Ordered { side, command, .. }
                if Side::BOTH.get(usize::from(*side)).copied() != self.side || !self.leads(command) =>
            {
                no("only the umpire and those who command it change the orders of a command")
            }
            Happened::Ruled { .. } => no("the umpire decides"),
            Happened::Sent { arrives, .. } if *arrives < turn_of(lines) => no("no messenger is so fast"),
            _ => Ok(()),
        }
    }

    /// Whether a unit is under him.
    fn commands(&self, lines: &[TableLine], unit: &str) -> bool {
        let command = entry(lines, unit).and_then(|unit| unit["command"].as_str());
        side_of(lines, unit) == self.side && self.leads(command.unwrap_or_default())
    }

    /// Whether a command of his side is his.
    fn leads(&self, command: &str) -> bool {
        self.commands.as_ref().is_none_or(|own| own.iter().any(|one| one == command))
    }
}

fn players(lines: &[TableLine]) -> &[TablePlayer] {
    match lines.first().map(|line| &line.happened) {
        Some(Happened::Began { players, .. }) => players,
        _ => &[],
    }
}

fn entry<'a>(lines: &'a [TableLine], unit: &str) -> Option<&'a Value> {
    let Some(Happened::Began { battle, .. }) = lines.first().map(|line| &line.happened) else { return None };
    battle["units"].as_array()?.iter().find(|one| one["key"] == unit)
}

fn side_of(lines: &[TableLine], unit: &str) -> Option<Side> {
    Side::BOTH.get(entry(lines, unit)?["side"].as_u64()? as usize).copied()
}

fn turn_of(lines: &[TableLine]) -> u16 {
    let went = lines.iter().rev().find_map(|line| match line.happened {
        Happened::Went { turn, .. } => Some(turn),
        _ => None,
    });
    went.unwrap_or(0)
}

fn hidden_units(lines: &[TableLine]) -> BTreeSet<String> {
    let mut hidden = BTreeSet::new();
    for line in lines {
        if let Happened::Hidden { unit, hidden: now } = &line.happened {
            if *now {
                hidden.insert(unit.clone())
            } else {
                hidden.remove(unit)
            };
        }
    }
    hidden
}

#[cfg(test)]
mod tests;
