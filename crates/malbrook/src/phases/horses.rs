//! The horses that dragoons left behind are lost to enemy who move over them (MB-MAN-17).

use crate::clauses::MB_MAN_17;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Length, Vec2};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::event::Event;
use crate::phases::harm::Play;
use crate::table::lay::{Figure, near};

/// Where those stand who might move over somebody's horses; nobody where no horses were left behind.
pub(crate) fn watch(battle: &Battle) -> Vec<(UnitId, Figure)> {
    let left = battle.units.iter().any(|one| one.horses.is_some() && !one.status.is_gone());
    let brigades = battle.all().filter(|unit| left && battle.brigade(*unit).is_brigade());
    brigades.map(|unit| (unit, battle.figure(unit).clone())).collect()
}

/// Horses over which somebody came, anywhere on the way from where it stood, are lost.
pub(crate) fn take(play: &mut Play<'_>, watched: &[(UnitId, Figure)]) {
    decides!(MB_MAN_17);
    for (mover, from) in watched {
        let battle = play.battle();
        let to = battle.figure(*mover);
        let side = battle.brigade(*mover).side;
        let moved = !from.is_of(battle.brigade(*mover)) && battle.brigade(*mover).is_brigade();
        let over = |unit: &UnitId| {
            let one = battle.brigade(*unit);
            let Some(at) = one.horses.filter(|_| moved && one.side != side && !one.status.is_gone()) else {
                return false;
            };
            let place = Convex::place(at.v());
            from.bases.iter().zip(&to.bases).any(|(before, after)| {
                let corners = before.as_part().corners.iter().chain(after.as_part().corners.iter());
                near(&Convex::hull(&corners.copied().collect::<SmallVec<[Vec2; 8]>>()), &place, Length::ZERO)
            })
        };
        let lost: Vec<UnitId> = (0..battle.units.len()).map(|n| UnitId(n as u16)).filter(over).collect();
        for unit in lost {
            play.happen(Event::HorsesLost { unit });
        }
    }
}
