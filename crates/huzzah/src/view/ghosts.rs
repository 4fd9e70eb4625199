//! Units as they stand, stand by stand, and as they would stand if an offer were chosen.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Ghost, Preview};
use sabretache_table::{Length, Point, Pose};

use crate::battle::Battle;
use crate::troops::Formation;

/// A unit as it would stand.
pub(crate) fn ghost(battle: &Battle, unit: UnitId, formation: Formation, pose: Pose) -> Ghost {
    let track = vec![battle.unit(unit).pose.at, pose.at];
    Ghost { unit, pose, stands: stands(battle, unit, formation, pose), track }
}

/// A unit that would stand there, if anywhere, in the formation it has.
pub(crate) fn standing(battle: &Battle, unit: UnitId, pose: Option<Pose>) -> Preview {
    standing_in(battle, unit, battle.unit(unit).formation, pose)
}

/// The same in another formation.
pub(crate) fn standing_in(battle: &Battle, unit: UnitId, formation: Formation, pose: Option<Pose>) -> Preview {
    let ghosts = pose.map(|pose| ghost(battle, unit, formation, pose)).into_iter().collect();
    Preview { ghosts, ..Preview::default() }
}

/// The corners of each stand, front left first, clockwise (HZ-DEP-08).
pub(super) fn stands(battle: &Battle, id: UnitId, formation: Formation, pose: Pose) -> Vec<Vec<Point>> {
    let facts = battle.facts(id);
    let (a, b) = (facts.stand_width, facts.stand_depth);
    let one = |right: Length, behind: Length, width: Length, depth: Length| -> Vec<Point> {
        let at = |x: Length, y: Length| Point::rounded(pose.local(x, y));
        vec![
            at(right, -behind),
            at(right + width, -behind),
            at(right + width, -behind - depth),
            at(right, -behind - depth),
        ]
    };
    let files = i32::from(facts.files[formation.index()]);
    let count = i32::from(facts.stands);
    if formation == Formation::Square {
        // Set pinwheel fashion: each side begins where the last one's depth ends.
        let side = a * files + b;
        let half = side.half();
        let mut out = Vec::new();
        for n in 0..count {
            let (face, along) = (n / files, a * (n % files));
            out.push(match face {
                0 => one(-half + along, Length::ZERO, a, b),
                1 => one(half - b, along, b, a),
                2 => one(half - along - a, side - b, a, b),
                _ => one(-half, side - along - a, b, a),
            });
        }
        return out;
    }
    let left = (a * files).half() * -1;
    (0..count).map(|n| one(left + a * (n % files), b * (n / files), a, b)).collect()
}
