//! What lies on the table, and how events change it.

use std::sync::Arc;

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::scenario::Scenario;
use sabretache_table::{Ground, Heading, OnTable, Point, Pose, Tabletop, overlapping};

use crate::body::Body;
use crate::brigade::{Brigade, Leader};
use crate::event::{Blow, BlowKind, Fight, GroupRoll, Phase};
use crate::numbers::Numbers;
use crate::phases::closing::Closing;
use crate::phases::messages::Dispatch;
use crate::phases::pending::Pending;
use crate::table::memo::Memo;
use crate::terrain::Land;
use crate::troops::Rank;

/// All that changes as a game is fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Battle {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) units: Vec<Brigade>,
    pub(crate) leaders: Vec<Leader>,
    /// With whom the crew of an abandoned gun shelters, by unit.
    pub(crate) crews: Vec<(UnitId, UnitId)>,
    pub(crate) turn: u32,
    pub(crate) phase: Phase,
    /// Whose half of the phase it is.
    pub(crate) active: Side,
    /// Who goes first this turn.
    pub(crate) first: Side,
    /// Who may choose to go first or second.
    pub(crate) chooser: Option<Side>,
    pub(crate) group: Option<GroupRoll>,
    /// What is waited for before anything else is done.
    pub(crate) pending: Option<Pending>,
    /// Lines that have lost a base, and whose owners have yet to pick the end (MB-MOR-04).
    pub(crate) closing: Vec<Closing>,
    /// A brigade that moves before others further right, being in their way (MB-SEQ-05).
    pub(crate) ahead: Option<UnitId>,
    pub(crate) fights: Vec<Fight>,
    pub(crate) blows: Vec<Blow>,
    /// Messages under way.
    pub(crate) dispatches: Vec<Dispatch>,
    /// Who holds each objective.
    pub(crate) held: Vec<Option<Side>>,
    /// Which wing took an objective, in the order of their taking it.
    pub(crate) taken: Vec<(u16, OfficerId)>,
    /// Woods and towns that each side has looked into.
    pub(crate) searched: [Vec<u16>; 2],
    /// Which of several players of the active side has the floor, and who is done.
    pub(crate) floor: u8,
    pub(crate) finished: u16,
    /// What follows from all this.
    pub(crate) memo: Memo,
}

/// What never changes.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) table: Tabletop,
    pub(crate) ground: Ground,
    pub(crate) lands: Vec<Land>,
    /// There are roads; hills or fortifications; woods or towns.
    pub(crate) roads: bool,
    pub(crate) heights: bool,
    pub(crate) screens: bool,
    pub(crate) numbers: Numbers,
    pub(crate) scenario: Scenario<Body>,
    /// The way each army faces: away from its own edge.
    pub(crate) facing: [Heading; 2],
    /// Bases of foot and cavalry at the start.
    pub(crate) started: [u32; 2],
    pub(crate) attacker: Option<Side>,
    /// Where the troops of each leader are set down, if they are.
    pub(crate) zones: Vec<Vec<Point>>,
    pub(crate) guns_started: [u32; 2],
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        // The battles of one session share it. Everything else follows from the scenario.
        std::ptr::eq(self, other)
            || self.scenario == other.scenario
                && self.started == other.started
                && self.guns_started == other.guns_started
    }
}

impl Battle {
    pub(crate) fn leader(&self, leader: OfficerId) -> &Leader {
        &self.leaders[leader.index()]
    }

    /// The leaders of a side who are on the table.
    pub(crate) fn leaders_of(&self, side: Side) -> impl Iterator<Item = OfficerId> + '_ {
        let there = move |(_, leader): &(usize, &Leader)| leader.side == side && !leader.lost;
        self.leaders.iter().enumerate().filter(there).map(|(n, _)| OfficerId(n as u16))
    }

    /// The leaders who are with a brigade.
    pub(crate) fn attached_to(&self, unit: UnitId) -> impl Iterator<Item = OfficerId> + '_ {
        let with = move |(_, leader): &(usize, &Leader)| leader.attached == Some(unit) && !leader.lost;
        self.leaders.iter().enumerate().filter(with).map(|(n, _)| OfficerId(n as u16))
    }

    /// Inspire actions taken with a brigade this turn (MB-LEA-14).
    pub(crate) fn inspires(&self, unit: UnitId) -> u8 {
        self.attached_to(unit).map(|leader| self.leader(leader).inspires).sum()
    }

    /// Whether a leader is in a brigade's chain of command (MB-LEA-13).
    pub(crate) fn in_chain(&self, leader: OfficerId, unit: UnitId) -> bool {
        let mut above = Some(self.brigade(unit).under);
        // The chain is checked to have an end when the scenario is read.
        while let Some(one) = above {
            if one == leader {
                return true;
            }
            above = self.leader(one).above;
        }
        false
    }

    /// The player going second.
    pub(crate) fn second(&self) -> Side {
        self.first.other()
    }

    /// The brigade of his side that is nearest to a leader.
    pub(crate) fn brigade_near(&self, leader: OfficerId) -> Option<UnitId> {
        let (side, at) = (self.leader(leader).side, self.leader(leader).at);
        self.of(side).min_by_key(|unit| (self.brigade(*unit).pose.at.distance(at), *unit))
    }

    /// The blow that a brigade has just dealt its friends. A general is missed where he was.
    pub(crate) fn blow(&self, unit: UnitId, what: BlowKind, leader: Option<OfficerId>) -> Blow {
        let brigade = self.brigade(unit);
        let at = leader.map_or(brigade.pose.at, |leader| self.leader(leader).at);
        Blow {
            unit,
            what,
            leader,
            at: Pose::new(at, brigade.pose.heading),
            bases: brigade.bases.max(1),
            files: brigade.files.max(1),
            formation: brigade.formation,
            places: brigade.places.map(|places| places.on_table(brigade.pose.at).collect()).unwrap_or_default(),
            turn: self.turn,
            felt: Vec::new(),
        }
    }

    /// The blows that a rout deals: its own, and that of each general who is swept away with it (MB-MOR-12, 14).
    pub(crate) fn rout_of(&self, unit: UnitId) -> Vec<Blow> {
        let senior = |leader: &OfficerId| self.leader(*leader).rank > Rank::MajorGeneral;
        let swept_away = self.attached_to(unit).filter(senior);
        let generals = swept_away.map(|leader| self.blow(unit, BlowKind::GeneralLost, Some(leader)));
        std::iter::once(self.blow(unit, BlowKind::Routs, None)).chain(generals).collect()
    }

    /// What must always hold.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.memo.agrees(&self.units) {
            return Err("a figure does not lie where its brigade stands".into());
        }
        let on_table: Vec<UnitId> = self.all().collect();
        let figures: Vec<_> = on_table.iter().map(|unit| self.figure(*unit)).collect();
        for (n, unit) in on_table.iter().enumerate() {
            let brigade = self.brigade(*unit);
            let name = || self.id_of(*unit);
            if brigade.bases == 0 || brigade.files == 0 || brigade.files > brigade.bases {
                return Err(format!("{} has {} bases in files of {}", name(), brigade.bases, brigade.files));
            }
            if let Err(what) = self.check_crowd(brigade, figures[n]) {
                return Err(format!("{} {what}", name()));
            }
            if self.fixed.table.on_table(figures[n]) != OnTable::Wholly {
                return Err(format!("{} stands over the edge", name()));
            }
            let on_top = (0..n).find(|other| overlapping(figures[n], figures[*other]));
            if let Some(other) = on_top {
                return Err(format!("{} stands on top of {}", name(), self.id_of(on_table[other])));
            }
        }
        for (n, leader) in self.leaders.iter().enumerate() {
            if let Some(unit) = leader.attached
                && (!self.brigade(unit).is_unit() || !self.in_chain(OfficerId(n as u16), unit))
            {
                return Err(format!("a leader is with {}, which is not under him", self.id_of(unit)));
            }
        }
        Ok(())
    }
}
