//! What is over when a turn is, and what is kept for the next.

use super::*;
use crate::event::{Fresh, Idle};

impl Battle {
    /// Clears the marks of a turn.
    pub(super) fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        (self.group, self.ahead, self.pending) = (None, None, None);
        self.fights.clear();
        for brigade in &mut self.units {
            (brigade.speed, brigade.last_move, brigade.spared) = (0, LastMove::None, None);
            (brigade.failed_charge, brigade.marks) = (false, Marks::default());
        }
        self.memo.forget();
        for dispatch in &mut self.dispatches {
            dispatch.rode = false;
        }
        for leader in &mut self.leaders {
            (leader.used, leader.inspires, leader.rode) = (0, 0, false);
        }
    }

    /// What is taken over from the turn before.
    pub(super) fn refreshed(&mut self, units: &[Fresh], idle: &[Idle], blows: &[usize]) {
        for (brigade, fresh) in self.units.iter_mut().zip(units) {
            let Fresh { speed, last_move, spared, attack, flanked, left_off, failed_charge } = *fresh;
            (brigade.speed, brigade.last_move, brigade.spared) = (speed, last_move, spared);
            (brigade.marks.carried.attack, brigade.marks.carried.flanked, brigade.marks.carried.left_off) =
                (attack, flanked, left_off);
            brigade.failed_charge = failed_charge;
        }
        for (leader, idle) in self.leaders.iter_mut().zip(idle) {
            (leader.idle, leader.challenge) = (idle.turns, idle.challenge);
        }
        let mut n = 0..;
        self.blows.retain(|_| n.next().is_some_and(|n| blows.contains(&n)));
        self.memo.forget();
    }
}
