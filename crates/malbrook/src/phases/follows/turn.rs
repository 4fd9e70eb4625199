//! What brigades and wings take over from one turn into the next.

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};

use crate::battle::Battle;
use crate::brigade::{Assault, Brigade, LastMove, LeftOff, Response, Status};
use crate::clauses::{MB_CBT_10, MB_RES_27};
use crate::event::{BlowKind, Event, Fresh, Idle};
use crate::situations::MoveDice;

/// A turn begins.
pub(super) fn begins(before: &Battle, turn: u32, out: &mut Vec<Event>) {
    let units = (0..before.units.len()).map(|n| fresh(before, UnitId(n as u16))).collect();
    let idle = if turn > 1 { (0..before.leaders.len()).map(|n| idle(before, n)).collect() } else { Vec::new() };
    // A rout is felt by those it comes near in later turns; everything else is over (MB-MOR-15).
    let runs = |n: &usize| {
        let blow = &before.blows[*n];
        blow.what == BlowKind::Routs && before.brigade(blow.unit).is_routing()
    };
    let blows = (0..before.blows.len()).filter(runs).collect();
    out.push(Event::Refreshed { units, idle, blows });
}

/// How long a wing has sat still; a challenge to one that has moved is over (MB-UMP-01).
fn idle(before: &Battle, n: usize) -> Idle {
    let wing = OfficerId(n as u16);
    let leader = before.leader(wing);
    let stirs = |unit: UnitId| before.brigade(unit).marks.shifted && before.in_chain(wing, unit);
    let stirred = before.of(leader.side).any(stirs);
    Idle {
        turns: if stirred { 0 } else { leader.idle.saturating_add(1) },
        challenge: leader.challenge.filter(|_| !stirred),
    }
}

/// The speed of cavalry (MB-MOV-24), and what else of last turn still counts.
fn fresh(before: &Battle, unit: UnitId) -> Fresh {
    let brigade = before.brigade(unit);
    let marks = &brigade.marks;
    let fights = brigade.is_unit() && before.in_combat(unit);
    let retired = brigade.runs() && !brigade.is_routing() && marks.shifted;
    // A charge met or made after the combats of the turn is fought out in the next (MB-RES-27).
    decides!(MB_CBT_10, MB_RES_27);
    let met = marks.onset.response == Response::Stands && fights;
    let mut fighters = before.fights.iter().flat_map(|fight| fight.a.iter().chain(&fight.b));
    let flank_fought = fighters.any(|one| one.unit == unit && one.fighter.flank);
    Fresh {
        speed: speed(brigade, fights),
        last_move: match marks.share.dice {
            _ if marks.way.road => LastMove::Road,
            _ if retired => LastMove::Retired,
            Some(dice) => LastMove::Dice(dice),
            None => LastMove::None,
        },
        spared: marks.suffered.volley,
        attack: match marks.carried.attack {
            Assault::Charged { outrance: false } if met => marks.carried.attack,
            Assault::Pursued => Assault::Pursued,
            _ => Assault::None,
        },
        flanked: marks.carried.flanked && fights && !flank_fought,
        left_off: if brigade.status == Status::Retired { marks.carried.left_off } else { LeftOff::default() },
        failed_charge: marks.carried.attack == Assault::Missed && brigade.status == Status::Steady && !fights,
    }
}

/// The dice of a brigade's speed (MB-MOV-24).
fn speed(brigade: &Brigade, fights: bool) -> u8 {
    let marks = &brigade.marks;
    match brigade.status {
        Status::Pursuing if marks.carried.attack == Assault::Pursued => 0,
        Status::Pursuing => 3,
        // A brigade that rode through and ended clear of the enemy keeps its speed.
        Status::Steady | Status::Retired if marks.onset.rode_through && !fights => 3,
        Status::Retired | Status::Routing | Status::Looting => 0,
        _ if marks.fought || marks.control.halted || matches!(marks.onset.response, Response::Evades(_)) => 0,
        _ if marks.onset.charge_dice > 0 => marks.onset.charge_dice,
        // A road move counts as two dice.
        _ if marks.way.road => 2,
        _ => marks.share.dice.map_or(0, MoveDice::count),
    }
}
