//! Leaders and their commands.

use super::*;
use crate::clauses::{
    MB_LEA_01, MB_LEA_07, MB_LEA_13, MB_ORD_01, MB_ORG_01, MB_ORG_02, MB_ORG_03, MB_ORG_04, MB_ORG_05, MB_ORG_06,
};
use sabretache_engine::decides;

impl Muster<'_> {
    pub(super) fn leader_id(&self, id: &str) -> Option<OfficerId> {
        let position = self.scenario.body.leaders.iter().position(|leader| leader.id == id)?;
        Some(OfficerId(position as u16))
    }

    pub(super) fn leaders(&mut self) -> Vec<Leader> {
        decides!(MB_LEA_01, MB_ORD_01);
        let mut leaders = Vec::new();
        for (n, entry) in self.scenario.body.leaders.iter().enumerate() {
            let at = of_leaders(n);
            let earlier = self.scenario.body.leaders[..n].iter().any(|other| other.id == entry.id);
            self.id(&entry.id, earlier, at.clone().key("id"));
            let side = self.side(&entry.side, at.clone().key("side"));
            let above = self.above(entry, &at);
            let attached = entry.attached.as_ref().and_then(|id| self.unit_id(id));
            if entry.attached.is_some() && attached.is_none() {
                self.report.error(at.clone().key("attached"), "there is no such brigade");
            }
            let order = entry.order.as_ref().map(|order| {
                let positions = &self.scenario.body.positions;
                let position = order.position.as_ref().map(|id| positions.iter().position(|one| one.id == *id));
                if position == Some(None) {
                    let path = at.clone().key("order").key("position");
                    self.against(MB_ORD_01, path, "there is no such position", "list it under [[positions]]");
                }
                Order { kind: order.kind, position: position.flatten().map(|n| n as u16) }
            });
            let point = self.scenario.measure.point(entry.at.unwrap_or_default());
            if entry.at.is_none() && entry.zone.is_empty() {
                let help = "give him `at`, or a `zone`";
                self.against(MB_ORG_06, at.clone(), "he has neither a place nor a zone", help);
            }
            leaders.push(Leader {
                side,
                rank: entry.rank,
                ability: entry.ability,
                above,
                at: point,
                attached: attached.filter(|_| !entry.lost),
                wounded: entry.wounded,
                lost: entry.lost,
                used: entry.used,
                inspires: entry.inspires,
                rode: entry.rode,
                order,
                succeeded: entry.succeeded,
                idle: entry.idle,
                challenge: entry.challenge,
                guns: entry.guns,
                started: entry.started.unwrap_or(0),
            });
        }
        for side in Side::BOTH {
            let marshals = leaders.iter().filter(|leader| leader.side == side && leader.rank == Rank::Marshal).count();
            if !(1..=2).contains(&marshals) {
                let at = Path::root().key("leaders");
                self.against(
                    MB_ORG_05,
                    at,
                    format!("{} has {marshals} Marshals", self.scenario.sides[side.index()].name),
                    "an army has one, sometimes two",
                );
            }
        }
        leaders
    }

    /// The leader above another: of the same side and of higher rank, so that every chain has an end.
    pub(super) fn above(&mut self, entry: &LeaderEntry, at: &Path) -> Option<OfficerId> {
        decides!(MB_ORG_04, MB_ORG_05);
        let Some(id) = &entry.above else {
            if entry.rank != Rank::Marshal {
                let message = format!("a {} answers to somebody", entry.rank.word());
                self.against(MB_ORG_04, at.clone().key("above"), message, "name the leader above him");
            }
            return None;
        };
        let above = self.leader_id(id);
        let fits = above.is_some_and(|above| {
            let other = &self.scenario.body.leaders[above.index()];
            other.side == entry.side && other.rank > entry.rank
        });
        if !fits {
            let message = format!("'{id}' is no leader above a {} of that side", entry.rank.word());
            self.against(MB_ORG_04, at.clone().key("above"), message, "name one of higher rank");
            return None;
        }
        above
    }

    /// Commands and their leaders (MB-ORG-01 to 05, MB-LEA-01).
    pub(super) fn commands(&mut self, units: &[Brigade], leaders: &[Leader]) {
        decides!(MB_ORG_01, MB_ORG_02, MB_ORG_03);
        for (n, brigade) in units.iter().enumerate() {
            let leader = &leaders[brigade.under.index()];
            if brigade.kind.is_brigade() && leader.rank != Rank::MajorGeneral {
                let message = "a brigade belongs to a command, which a Major General leads";
                self.against(MB_ORG_01, of_units(n).key("under"), message, "put it under a Major General");
            }
        }
        for (n, leader) in leaders.iter().enumerate() {
            let entry = &self.scenario.body.leaders[n];
            if leader.rank == Rank::MajorGeneral {
                let of: Vec<&Brigade> = units
                    .iter()
                    .filter(|one| one.under.index() == n && one.kind.is_brigade() && one.part == 0)
                    .collect();
                let foot = of.iter().any(|one| one.kind.is_infantry());
                let horse = of.iter().any(|one| matches!(one.kind, Kind::Horse | Kind::Hussars));
                if foot && horse && !entry.mixed_command {
                    let message = format!("the command of {} has both foot and cavalry", entry.name);
                    self.against(
                        MB_ORG_02,
                        of_leaders(n),
                        message,
                        "divide it, or give leave with `mixed_command = true`",
                    );
                }
                if of.len() < 2 && self.scenario.body.state.turn == 0 {
                    let message = format!("the command of {} has fewer than two brigades", entry.name);
                    self.report.unusual(Some(MB_ORG_01), of_leaders(n), message);
                }
            }
            if let Some(unit) = leader.attached {
                let Some(brigade) = units.get(unit.index()) else { continue };
                let mut above = Some(brigade.under);
                while let Some(one) = above.filter(|one| one.index() != n) {
                    above = leaders[one.index()].above;
                }
                if above.is_none() {
                    self.against(
                        MB_LEA_13,
                        of_leaders(n).key("attached"),
                        "that brigade is not under him",
                        "attach him to one that is",
                    );
                }
                if !brigade.is_unit() {
                    self.against(
                        MB_LEA_07,
                        of_leaders(n).key("attached"),
                        "that brigade is not on the table",
                        "detach him",
                    );
                }
            }
        }
        for side in Side::BOTH {
            if !leaders.iter().any(|leader| leader.side == side && leader.rank == Rank::MajorGeneral) {
                self.against(
                    MB_LEA_01,
                    Path::root().key("leaders"),
                    "each army has a Major General at least",
                    "add one",
                );
            }
        }
    }
}
