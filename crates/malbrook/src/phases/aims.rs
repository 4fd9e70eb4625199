//! What leaders want for themselves (MB-VIC-05).

use crate::clauses::MB_VIC_05;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Battle;
use crate::troops::Rank;
use crate::words::counted;

/// What a leader wants for himself (MB-VIC-05).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AimEntry {
    /// His wing takes or holds this objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// His wing takes this objective,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<String>,
    /// and does so before this leader of his own side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// His wing loses less than so many hundredths of its bases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub loses_less_than: Option<u32>,
    /// His wing captures so many guns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guns: Option<u8>,
    /// What it is worth.
    pub points: i32,
}

/// The leader of the wing that a brigade belongs to: his Lieutenant General, or the Marshal.
pub(crate) fn wing_of(battle: &Battle, unit: UnitId) -> OfficerId {
    let mut leader = battle.brigade(unit).under;
    while battle.leader(leader).rank < Rank::LieutenantGeneral {
        let Some(above) = battle.leader(leader).above else { break };
        leader = above;
    }
    leader
}

fn objective(battle: &Battle, id: &str) -> Option<u16> {
    battle.fixed.scenario.body.objectives.iter().position(|one| one.id == id).map(|n| n as u16)
}

/// Whether a leader has what he wanted for himself.
pub(crate) fn has_aim(battle: &Battle, leader: OfficerId) -> Option<(bool, i32)> {
    decides!(MB_VIC_05);
    let aim = battle.fixed.scenario.body.leaders[leader.index()].aim.as_ref()?;
    let one = battle.leader(leader);
    let wing = |unit: &UnitId| battle.in_chain(leader, *unit);
    let took = |id: &str, by: OfficerId| {
        let objective = objective(battle, id);
        battle.taken.iter().position(|(taken, wing)| Some(*taken) == objective && *wing == by)
    };
    let holds = aim.holds.as_ref().is_none_or(|id| {
        let held = objective(battle, id).is_some_and(|n| battle.held[usize::from(n)] == Some(one.side));
        held && took(id, leader).is_some()
    });
    let takes = aim.takes.as_ref().is_none_or(|id| {
        let rival = aim
            .before
            .as_ref()
            .and_then(|rival| battle.fixed.scenario.body.leaders.iter().position(|entry| entry.id == *rival));
        let theirs = rival.and_then(|rival| took(id, OfficerId(rival as u16)));
        took(id, leader).is_some_and(|ours| theirs.is_none_or(|theirs| ours < theirs))
    });
    let spared = aim.loses_less_than.is_none_or(|share| {
        let left: u32 = battle
            .of(one.side)
            .filter(|unit| wing(unit))
            .map(|unit| battle.brigade(unit))
            .filter(|b| b.kind.is_brigade())
            .map(|b| u32::from(b.bases))
            .sum();
        one.started.saturating_sub(left) * 100 < share * one.started.max(1)
    });
    let guns = aim.guns.is_none_or(|guns| one.guns >= guns);
    Some((holds && takes && spared && guns, aim.points))
}

/// The leaders of a side who have aims of their own, those who met them first, in words.
pub(crate) fn aims_in_words(battle: &Battle) -> String {
    if !battle.fixed.scenario.body.options.personal {
        return String::new();
    }
    let mut said = String::new();
    for side in Side::BOTH {
        let aims = (0..battle.leaders.len() as u16).map(OfficerId).filter(|one| battle.leader(*one).side == side);
        let mut ranked: Vec<(i32, OfficerId)> = aims
            .filter_map(|one| has_aim(battle, one).map(|(met, points)| (if met { -points } else { 0 }, one)))
            .collect();
        ranked.sort_unstable();
        for (points, leader) in ranked {
            let met = if points < 0 {
                format!("has what he wanted ({})", counted(points.unsigned_abs(), "point", "points"))
            } else {
                "has not what he wanted".into()
            };
            said.push_str(&format!(" {} {met}.", battle.leader_name(leader)));
        }
    }
    said
}
