//! What is over when a turn is, and what is kept for the next.

use super::*;
use crate::clauses::{MB_CBT_10, MB_RES_27};

impl Battle {
    /// How long each wing has sat still; a challenge to one that has moved is over (MB-UMP-01).
    fn count_idle_turns(&mut self) {
        for n in 0..self.leaders.len() {
            let wing = OfficerId(n as u16);
            let stirs = |unit: UnitId| self.brigade(unit).marks.shifted && self.in_chain(wing, unit);
            let stirred = self.of(self.leaders[n].side).any(stirs);
            let leader = &mut self.leaders[n];
            leader.idle = if stirred { 0 } else { leader.idle.saturating_add(1) };
            leader.challenge = leader.challenge.filter(|_| !stirred);
        }
    }

    /// Clears the marks of a turn and reckons the speed of cavalry (MB-MOV-24).
    pub(super) fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        (self.group, self.ahead, self.pending) = (None, None, None);
        let struck = |n: usize| {
            let mut fighters = self.fights.iter().flat_map(|fight| fight.a.iter().chain(&fight.b));
            fighters.any(|one| one.unit.index() == n && one.fighter.flank)
        };
        let flank_fought: Vec<bool> = (0..self.units.len()).map(struck).collect();
        self.fights.clear();
        let fights: Vec<bool> =
            (0..self.units.len()).map(|n| self.units[n].is_unit() && self.in_combat(UnitId(n as u16))).collect();
        if turn > 1 {
            self.count_idle_turns();
        }
        // A rout is felt by those it comes near in later turns; everything else is over (MB-MOR-15).
        let running: Vec<bool> = self
            .blows
            .iter()
            .map(|blow| blow.what == BlowKind::Routs && self.brigade(blow.unit).is_routing())
            .collect();
        let mut kept = running.into_iter();
        self.blows.retain(|_| kept.next().unwrap_or(false));
        // A brigade that rode through and ended clear of the enemy keeps its speed (MB-MOV-24).
        let free: Vec<bool> = (0..self.units.len()).map(|n| !self.units[n].marks.rode_through || !fights[n]).collect();
        for (n, brigade) in self.units.iter_mut().enumerate() {
            let marks = &brigade.marks;
            // A road move counts as two dice.
            let moved = if marks.road { 2 } else { marks.dice.map_or(0, crate::situations::MoveDice::count) };
            brigade.speed = match brigade.status {
                Status::Pursuing if marks.attack == Assault::Pursued => 0,
                Status::Pursuing => 3,
                Status::Steady if marks.rode_through && free[n] => 3,
                Status::Retired | Status::Routing | Status::Looting => 0,
                _ if marks.fought || marks.halted || matches!(marks.response, Response::Evades(_)) => 0,
                _ if marks.charge_dice > 0 => marks.charge_dice,
                _ => moved,
            };
            let retired = brigade.runs() && !brigade.is_routing() && marks.shifted;
            brigade.last_move = match marks.dice {
                _ if marks.road => LastMove::Road,
                _ if retired => LastMove::Retired,
                Some(dice) => LastMove::Dice(dice),
                None => LastMove::None,
            };
            brigade.spared = marks.volley;
            // A charge met or made after the combats of the turn is fought out in the next (MB-RES-27).
            decides!(MB_CBT_10, MB_RES_27);
            let met = marks.response == Response::Stands && fights[n];
            let attack = match marks.attack {
                Assault::Charged { outrance: false } if met => marks.attack,
                Assault::Pursued => Assault::Pursued,
                _ => Assault::None,
            };
            let flanked = marks.flanked && fights[n] && !flank_fought[n];
            let left_off = if brigade.status == Status::Retired { marks.left_off } else { LeftOff::default() };
            brigade.failed_charge = marks.attack == Assault::Missed && brigade.status == Status::Steady && !fights[n];
            brigade.marks = Marks { attack, flanked, left_off, ..Marks::default() };
        }
        self.memo.forget();
        for dispatch in &mut self.dispatches {
            dispatch.rode = false;
        }
        for leader in &mut self.leaders {
            (leader.used, leader.inspires, leader.rode) = (0, 0, false);
        }
    }
}
