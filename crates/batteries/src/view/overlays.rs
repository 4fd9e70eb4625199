//! What a unit can shoot into, and how far a general commands.

use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::view::{Overlay, OverlayKind};
use sabretache_table::{Point, Segment, circle, fan, rays};

use crate::battle::{Battle, General, Kind, Place};
use crate::clauses::*;
use crate::troops::{Calibre, Fire, Shot};

/// Arcs of fire and command radii.
pub(crate) fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
    match of {
        Named::Unit(unit) if battle.units.get(unit.index()).is_some_and(|state| state.place == Place::Table) => {
            fires(battle, unit)
                .into_iter()
                .flat_map(|(fire, label)| fields_of_fire(battle, unit, fire, label))
                .collect()
        }
        Named::Officer(general) if battle.generals.get(general.index()).is_some_and(General::there) => {
            let leader = battle.general(general);
            let radius = &battle.numbers().radius;
            let reach = if leader.with.is_some() { radius.attached } else { radius.alone };
            let ring = circle(leader.at.v(), reach.0.f()).into_iter().map(Point::rounded).collect();
            vec![Overlay {
                kind: OverlayKind::Command,
                label: "command radius".into(),
                rings: vec![ring],
                clause: BB_LEA_05,
            }]
        }
        _ => Vec::new(),
    }
}

/// The kinds of fire that a unit has as it stands: none on horseback, with limbered guns, or away from them.
fn fires(battle: &Battle, unit: UnitId) -> Vec<(Fire, &'static str)> {
    let state = battle.unit(unit);
    match battle.facts(unit).kind {
        Kind::Horse { .. } => Vec::new(),
        Kind::Foot { .. } => battle.fire_of(unit, None).map(|fire| (fire, "fire")).into_iter().collect(),
        Kind::Guns { .. } if state.limbered || state.away => Vec::new(),
        Kind::Guns { class, .. } => vec![
            (Fire::Guns(Calibre { class, shot: Shot::Canister }), "canister"),
            (Fire::Guns(Calibre { class, shot: Shot::Ball }), "ballshot"),
        ],
    }
}

/// So many rays show each part of a field of fire: an arc of 45 degrees is true to a 50,000th of its range.
const RAYS: usize = 65;

/// What a unit can shoot into, so far to each side of its outermost figures: a field for each way that figures of it
/// look (the faces of a square, the wings of a bent line, the sides of a town block). Not through friends, but ballshot over
/// those on lower ground (BB-SHO-43).
fn fields_of_fire(battle: &Battle, unit: UnitId, fire: Fire, label: &str) -> Vec<Overlay> {
    let reach = battle.numbers().shooting.reach(fire).0;
    let level = battle.level(battle.placed(unit).centre());
    let friends: Vec<_> = battle
        .friends(unit)
        .map(|friend| battle.placed(friend))
        .filter(|friend| !fire.is_ball() || battle.level(friend.centre()) >= level)
        .collect();
    let posts = battle.posts(unit);
    let fields = posts.chunk_by(|one, next| one.out == next.out).filter_map(|posts| {
        let (first, last) = (posts.first()?, posts.last()?);
        let edge = Segment::new(first.at, last.at);
        let rays = rays(edge, first.out, reach.f(), battle.numbers().arc.radians(), RAYS);
        let ring = fan(&rays, &friends).into_iter().map(Point::rounded).collect();
        Some(Overlay { kind: OverlayKind::Fire, label: label.into(), rings: vec![ring], clause: BB_SHO_07 })
    });
    fields.collect()
}
