//! Players against each other, from both sides.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;
use sabretache_engine::ids::Side;
use sabretache_players::{Agreement, Skill};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::field::Field;
use crate::results::LabError;
use crate::sequential::{Bounds, Found, Pairs};
use crate::simulate::{Progress, Watch, battle_seed};
use crate::statistics::{Rating, Share, ratings};

/// The standing of players after they have all fought each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// What was fought.
    pub scenario: String,
    /// Under which rules, by their short name.
    pub ruleset: String,
    /// The title of the book.
    pub title: String,
    /// How many battles each pair fought, half of them from either side; with bounds, at the most.
    pub battles: u64,
    /// The hypotheses between which was tested, where a pair stops as soon as that is decided.
    pub bounds: Option<Bounds>,
    /// The seed.
    pub seed: u64,
    /// The players, the strongest first.
    pub players: Vec<Standing>,
    /// Every pair.
    pub pairs: Vec<Pair>,
}

/// A player's rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Who.
    pub player: Skill,
    /// The rating; the first player named stands at 1000.
    pub rating: Rating,
}

/// How one player did against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Who.
    pub player: Skill,
    /// Against whom.
    pub against: Skill,
    /// The battles won.
    pub won: Share,
    /// The points: a draw counts half. The interval is that of the battles in pairs, each seed from both sides.
    pub points: Share,
    /// How those pairs came out.
    pub pairs: Pairs,
    /// How far ahead the player is in normalised Elo, and so much up or down; nothing where all pairs came out the same.
    pub normalised: Option<(f64, f64)>,
    /// What the test came to.
    pub found: Option<Found>,
    /// The points of it as side A, and as side B.
    pub by_side: [Share; 2],
    /// How many were drawn.
    pub drawn: u64,
}

/// How players are matched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match<'a> {
    /// How many battles each pair fights, half of them from either side.
    pub battles: u64,
    /// The seed.
    pub seed: u64,
    /// After so many choices a battle is counted as drawn.
    pub longest: u64,
    /// What players may end a battle by: both think it decided, or even.
    pub agreement: Agreement,
    /// Each pair fights on only until it is decided between these.
    pub bounds: Option<Bounds>,
    /// A file in which each battle is written down as soon as it is fought; those found there are not fought again.
    pub kept: Option<&'a Path>,
}

/// Lets every player fight every other, half of the battles from either side. When it is stopped, the ladder stands on
/// what was fought by then.
pub fn ladder(field: &dyn Field, players: &[Skill], matched: Match<'_>, watch: Watch<'_>) -> Result<Ladder, LabError> {
    let Match { battles, seed, longest, agreement, bounds, kept } = matched;
    let kept = kept.map(|path| Kept::open(path, &about(field, &matched))).transpose()?;
    let pairs: Vec<(usize, usize)> =
        (0..players.len()).flat_map(|i| (i + 1..players.len()).map(move |j| (j, i))).collect();
    let each = battles.div_ceil(2);
    let (done, begun) = (AtomicU64::new(0), Instant::now());
    let all = pairs.len() as u64 * each * 2;
    let mut scores = vec![vec![0.0; players.len()]; players.len()];
    let mut table = Vec::new();
    for (i, j) in pairs {
        // The same seeds from either side: who is lucky in one battle is unlucky in its twin.
        let one = |n: u64| -> Option<Result<Came, LabError>> {
            if watch.stop.load(Ordering::Relaxed) {
                return None;
            }
            let side = Side::BOTH[(n % 2) as usize];
            let sides = if side == Side::A { [players[i], players[j]] } else { [players[j], players[i]] };
            let id = (sides[0].to_string(), sides[1].to_string(), n);
            let winner = match kept.as_ref().and_then(|kept| kept.known.get(&id).copied()) {
                Some(winner) => Ok(winner),
                None => {
                    let winner = field.winner(battle_seed(seed, n / 2), sides, longest, agreement);
                    match (&winner, &kept) {
                        (Ok(winner), Some(kept)) => kept.note(&id, *winner).map(|()| *winner),
                        _ => winner,
                    }
                }
            };
            (watch.progress)(Progress::new(done.fetch_add(1, Ordering::Relaxed) + 1, 0, all, begun));
            Some(winner.map(|winner| (n, side, winner)))
        };
        let mut fought: Vec<Came> = Vec::new();
        let step = if bounds.is_some() { STEP } else { each };
        for from in (0..each).step_by(step.max(1) as usize) {
            let range = 2 * from..2 * (from + step).min(each);
            fought.extend(range.into_par_iter().filter_map(&one).collect::<Result<Vec<_>, _>>()?);
            let found = bounds.map_or(Found::Open, |bounds| twins(&fought).found(&bounds));
            if found != Found::Open || watch.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let pair = Pair::new(players[i], players[j], &fought, bounds.as_ref());
        scores[i][j] = pair.points.count;
        scores[j][i] = pair.points.of as f64 - pair.points.count;
        table.push(pair);
    }
    let rated = ratings(&scores).into_iter().zip(players);
    let mut standings: Vec<Standing> = rated.map(|(rating, player)| Standing { player: *player, rating }).collect();
    standings.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    Ok(Ladder {
        scenario: field.setting().title,
        ruleset: field.ruleset().to_owned(),
        title: field.title().to_owned(),
        battles: each * 2,
        bounds,
        seed,
        players: standings,
        pairs: table,
    })
}

/// A battle of a pair of players: its number, the side of the first, and who won.
type Came = (u64, Side, Option<Side>);

/// So many seeds are fought from both sides between two looks at the test.
const STEP: u64 = 16;

/// The battles with the same seed from both sides, in pairs; one that is alone is left out.
fn twins(fought: &[Came]) -> Pairs {
    let mut pairs = Pairs::default();
    let mut waiting: Option<(u64, f64)> = None;
    for (n, side, winner) in fought {
        let points = winner.map_or(0.5, |winner| f64::from(u8::from(winner == *side)));
        waiting = match waiting {
            Some((twin, before)) if twin == n / 2 => {
                pairs.add(before + points);
                None
            }
            _ => Some((n / 2, points)),
        };
    }
    pairs
}

/// What must be the same for battles to belong to one ladder.
fn about(field: &dyn Field, matched: &Match<'_>) -> Json {
    json!({ "ladder": {
        "ruleset": field.ruleset(),
        "version": field.version(),
        "scenario": field.scenario(),
        "seed": matched.seed,
        "longest": matched.longest,
        "agreement": matched.agreement.one_sided.map(|one_sided| (one_sided.chance, one_sided.decisions)),
        "even": matched.agreement.even.map(|even| (even.within, even.decisions, even.turn)),
    } })
}

/// The players of A and B and the number of a battle.
type Id = (String, String, u64);

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Noted {
    a: String,
    b: String,
    n: u64,
    winner: Option<Side>,
}

/// The file in which battles are kept.
struct Kept {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<Id, Option<Side>>,
}

impl Kept {
    fn open(path: &Path, about: &Json) -> Result<Self, LabError> {
        let failed = |error| LabError::File { path: path.to_owned(), error };
        let text = if path.exists() { fs::read_to_string(path).map_err(failed)? } else { String::new() };
        let mut lines = text.lines();
        let first: Option<Json> = lines.next().and_then(|line| serde_json::from_str(line).ok());
        if !text.trim().is_empty() && first.as_ref() != Some(about) {
            let why = "holds something else: no ladder, or one with another scenario, seed, length or rules".to_owned();
            return Err(LabError::Content { path: path.to_owned(), why });
        }
        // The last line may be torn: it is fought again, and what is whole is written anew.
        let whole: Vec<Noted> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut text = format!("{about}\n");
        for noted in &whole {
            text += &(serde_json::to_string(noted).unwrap_or_default() + "\n");
        }
        fs::write(path, &text).map_err(failed)?;
        let file = Mutex::new(File::options().append(true).open(path).map_err(failed)?);
        let known = whole.into_iter().map(|one| ((one.a, one.b, one.n), one.winner)).collect();
        Ok(Self { path: path.to_owned(), file, known })
    }

    fn note(&self, (a, b, n): &Id, winner: Option<Side>) -> Result<(), LabError> {
        let noted = Noted { a: a.clone(), b: b.clone(), n: *n, winner };
        let line = serde_json::to_string(&noted).unwrap_or_default() + "\n";
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(line.as_bytes()).and_then(|()| file.flush());
        written.map_err(|error| LabError::File { path: self.path.clone(), error })
    }
}

/// A share with the interval that the pairs give it.
fn in_pairs(share: Share, pairs: &Pairs) -> Share {
    if pairs.count() < 2 {
        return share;
    }
    let (_, within) = pairs.share();
    Share { low: (share.value - within).max(0.0), high: (share.value + within).min(1.0), ..share }
}

impl Pair {
    fn new(player: Skill, against: Skill, fought: &[Came], bounds: Option<&Bounds>) -> Self {
        let pairs = twins(fought);
        let won = fought.iter().filter(|(_, side, winner)| *winner == Some(*side)).count();
        let drawn = fought.iter().filter(|(.., winner)| winner.is_none()).count();
        let points_of = |battles: &[&Came]| {
            let points = battles.iter().map(|(_, side, winner)| match winner {
                Some(winner) if winner == side => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            });
            Share::new(points.sum(), battles.len() as u64)
        };
        let of_side = |side: Side| fought.iter().filter(|(_, mine, _)| *mine == side).collect::<Vec<_>>();
        Self {
            player,
            against,
            won: Share::new(won as f64, fought.len() as u64),
            points: in_pairs(points_of(&fought.iter().collect::<Vec<_>>()), &pairs),
            normalised: pairs.normalised(),
            found: bounds.map(|bounds| pairs.found(bounds)),
            pairs,
            by_side: Side::BOTH.map(|side| points_of(&of_side(side))),
            drawn: drawn as u64,
        }
    }
}

impl std::fmt::Display for Ladder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let most = if self.bounds.is_some() { " at the most" } else { "" };
        writeln!(f, "{} ({}), {} battles a pair{most}, seed {}", self.scenario, self.title, self.battles, self.seed)?;
        // Programs have long names.
        let widest = self.players.iter().map(|one| one.player.to_string().chars().count()).max().unwrap_or(0).max(18);
        writeln!(f, "\n{:<widest$} {:>6}", "player", "Elo")?;
        for one in &self.players {
            let (name, rating) = (one.player.to_string(), one.rating);
            let within = if rating.within > 0.0 { format!(" ± {:.0}", rating.within) } else { String::new() };
            writeln!(f, "{name:<widest$} {:>6.0}{within}", rating.elo)?;
        }
        let named = |pair: &Pair| format!("{} against {}", pair.player, pair.against);
        let widest = self.pairs.iter().map(|pair| named(pair).chars().count()).max().unwrap_or(0).max(36);
        writeln!(f, "\n{:<widest$} {:<24} {:<24} {:>6}", "", "won, 95 % interval", "points, 95 % interval", "drawn")?;
        for pair in &self.pairs {
            let names = named(pair);
            writeln!(
                f,
                "{names:<widest$} {:<24} {:<24} {:>6}",
                pair.won.to_string(),
                pair.points.to_string(),
                pair.drawn
            )?;
        }
        writeln!(f, "\neach seed from both sides, none to all of the points")?;
        for pair in &self.pairs {
            let names = named(pair);
            let ahead = pair.normalised.map(|(ahead, within)| format!(", {ahead:+.0} ± {within:.0} in normalised Elo"));
            let found = match (pair.found, &self.bounds) {
                (Some(Found::High), Some(bounds)) => format!(": {} rather than {}", bounds.high, bounds.low),
                (Some(Found::Low), Some(bounds)) => format!(": {} rather than {}", bounds.low, bounds.high),
                (Some(Found::Open), Some(bounds)) => format!(": not decided between {bounds}"),
                _ => String::new(),
            };
            let pairs = pair.pairs.0.map(|count| count.to_string()).join(" ");
            writeln!(f, "{names:<widest$} {pairs}{}{found}", ahead.unwrap_or_default())?;
        }
        Ok(())
    }
}
