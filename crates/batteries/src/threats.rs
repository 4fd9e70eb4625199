//! What troops may do to each other before long, for computer players.

use sabretache_engine::ids::Side;

use crate::battle::{Battle, Unit};
use crate::troops::{Arm, Formation};
use crate::worth::{INCH, Stand};

/// What one enemy may do to a unit before long: guns that bear on it, somebody on its flank.
pub(crate) fn under_threat(battle: &Battle, own: &Stand, state: &Unit, enemy: &Stand, distance: f64) -> f64 {
    let inches = distance / INCH;
    let away = (own.at - enemy.at).unit();
    let bears = enemy.ahead.dot(away) > 0.707;
    let their = battle.unit(enemy.unit);
    let mut points = 0.0;
    if enemy.arm == Arm::Guns && bears && !their.limbered && !their.away {
        let canister = inches < 12.0;
        let deep =
            own.arm != Arm::Guns && (state.formation == Formation::Square || state.deep(battle.facts(own.unit)) >= 3);
        points -= if canister { 7.0 } else { 2.0 };
        points -= if deep && !canister { 2.0 } else { 0.0 };
    }
    // Somebody behind its front who faces it.
    if bears
        && inches < if enemy.arm == Arm::Horse { 18.0 } else { 10.0 }
        && own.ahead.dot((enemy.at - own.at).unit()) < 0.1
        && !their.shaken
        && enemy.arm != Arm::Guns
    {
        points -= 10.0;
    }
    points
}

/// What a side's horse may do before long: each body of it to one enemy only, whoever has most to fear.
pub(crate) fn horse(battle: &Battle, side: Side, stands: &[Stand]) -> f64 {
    let squared = |enemy: &Stand| battle.in_square(enemy.unit);
    let feared = |own: &Stand, enemy: &Stand| {
        let to = enemy.at - own.at;
        let reached = to.length2() < (18.0 * INCH) * (18.0 * INCH) && own.ahead.dot(to.unit()) > 0.707;
        match enemy.arm {
            _ if !reached => 0.0,
            Arm::Foot if squared(enemy) => 0.0,
            Arm::Foot => 6.0,
            Arm::Guns => 8.0,
            Arm::Horse => 1.0,
        }
    };
    let able = stands.iter().filter(|own| own.side == side && own.arm == Arm::Horse && own.sound);
    let threat = |own: &Stand| {
        stands.iter().filter(|enemy| enemy.side != side).map(|enemy| feared(own, enemy)).fold(0.0, f64::max)
    };
    able.map(threat).sum()
}
