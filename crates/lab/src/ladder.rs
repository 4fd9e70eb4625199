//! Players against each other, from both sides.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use sabretache_engine::ids::Side;
use sabretache_players::Skill;
use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::results::LabError;
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
    /// How many battles each pair fought, half of them from either side.
    pub battles: u64,
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
    /// The points: a draw counts half.
    pub points: Share,
    /// The points of it as side A, and as side B.
    pub by_side: [Share; 2],
    /// How many were drawn.
    pub drawn: u64,
}

/// Lets every player fight every other, half of the battles from either side. When it is stopped, the ladder stands on
/// what was fought by then.
pub fn ladder(
    field: &dyn Field,
    players: &[Skill],
    battles: u64,
    seed: u64,
    longest: u64,
    watch: Watch<'_>,
) -> Result<Ladder, LabError> {
    let pairs: Vec<(usize, usize)> =
        (0..players.len()).flat_map(|i| (i + 1..players.len()).map(move |j| (j, i))).collect();
    let each = battles.div_ceil(2);
    let (done, begun) = (AtomicU64::new(0), Instant::now());
    let all = pairs.len() as u64 * each * 2;
    let mut scores = vec![vec![0.0; players.len()]; players.len()];
    let mut table = Vec::new();
    for (i, j) in pairs {
        // The same seeds from either side: who is lucky in one battle is unlucky in its twin.
        let one = |n: u64| -> Option<Result<(Side, Option<Side>), LabError>> {
            if watch.stop.load(Ordering::Relaxed) {
                return None;
            }
            let side = Side::BOTH[(n % 2) as usize];
            let sides = if side == Side::A { [players[i], players[j]] } else { [players[j], players[i]] };
            let winner = field.winner(battle_seed(seed, n / 2), sides, longest);
            (watch.progress)(Progress::new(done.fetch_add(1, Ordering::Relaxed) + 1, 0, all, begun));
            Some(winner.map(|winner| (side, winner)))
        };
        let fought: Vec<(Side, Option<Side>)> =
            (0..2 * each).into_par_iter().filter_map(one).collect::<Result<_, _>>()?;
        let pair = Pair::new(players[i], players[j], &fought);
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
        seed,
        players: standings,
        pairs: table,
    })
}

impl Pair {
    fn new(player: Skill, against: Skill, fought: &[(Side, Option<Side>)]) -> Self {
        let won = fought.iter().filter(|(side, winner)| *winner == Some(*side)).count();
        let drawn = fought.iter().filter(|(_, winner)| winner.is_none()).count();
        let points_of = |battles: &[&(Side, Option<Side>)]| {
            let points = battles.iter().map(|(side, winner)| match winner {
                Some(winner) if winner == side => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            });
            Share::new(points.sum(), battles.len() as u64)
        };
        let of_side = |side: Side| fought.iter().filter(|(mine, _)| *mine == side).collect::<Vec<_>>();
        Self {
            player,
            against,
            won: Share::new(won as f64, fought.len() as u64),
            points: points_of(&fought.iter().collect::<Vec<_>>()),
            by_side: Side::BOTH.map(|side| points_of(&of_side(side))),
            drawn: drawn as u64,
        }
    }
}

impl std::fmt::Display for Ladder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} ({}), {} battles a pair, seed {}", self.scenario, self.title, self.battles, self.seed)?;
        writeln!(f, "\n{:<18} {:>6}", "player", "Elo")?;
        for one in &self.players {
            let (name, rating) = (one.player.to_string(), one.rating);
            let within = if rating.within > 0.0 { format!(" ± {:.0}", rating.within) } else { String::new() };
            writeln!(f, "{name:<18} {:>6.0}{within}", rating.elo)?;
        }
        writeln!(f, "\n{:<36} {:<24} {:<24} {:>6}", "", "won, 95 % interval", "points, 95 % interval", "drawn")?;
        for pair in &self.pairs {
            let names = format!("{} against {}", pair.player, pair.against);
            writeln!(f, "{names:<36} {:<24} {:<24} {:>6}", pair.won.to_string(), pair.points.to_string(), pair.drawn)?;
        }
        Ok(())
    }
}
