//! What ground does to a straight move: where it slows, stops or bars it.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Cost, Direction, Face, Heading, Length, Lie, Outline, Placed, Reckoning, Vec2, first_contact, meetings, nearer,
};
use smallvec::SmallVec;

use super::{edge_strip, leading, moved};
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_01, HZ_ADV_03, HZ_ADV_25, HZ_DEP_17, HZ_RIV_03, HZ_RIV_09, HZ_ROA_03, HZ_TER_02, HZ_TER_03, HZ_TER_07,
    HZ_TER_08, HZ_TER_09, HZ_TER_10, HZ_TER_11, HZ_TER_15, HZ_TER_18,
};
use crate::state::Way;
use crate::table::{Field, ground, shape};
use crate::terrain::{Crossing, Going, Kind, Troop};
use crate::troops::{Arm, Formation};

/// How far the ground lets a unit go.
pub(super) struct Passage {
    /// How far.
    pub(super) limit: Length,
    /// Where it gets no further, and why.
    pub(super) stop: (Length, Clause),
    /// Over a high obstacle it goes just so far.
    pub(super) exact: Option<Length>,
}

/// How far the ground lets it go, and what ends it. On a compulsory move open order need not stay under cover (HZ-DEP-17).
pub(super) fn terrain(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    way: Way,
    heading: Heading,
    budget: Length,
    compulsory: bool,
) -> Passage {
    let battle = field.battle;
    let mut stop = (budget, if budget < battle.allowance(id) { HZ_ADV_03 } else { HZ_ADV_01 });
    if battle.lay.terrain.is_empty() {
        return Passage { limit: budget, stop, exact: None };
    }
    let troop = battle.troop(id);
    let along = heading.unit();
    let touch = battle.lay.sizes.touch.f();
    let exact = high_obstacle(battle, placed, along, way, &troop);
    let mut limit = exact.unwrap_or(budget);
    let mut whole_order_half = false;
    let path = placed.bounds().swept(along * limit.f());
    let on_road = ground::on_road(battle, placed).is_some();
    for lie in battle.lay.ground.near(&path) {
        let n = lie.feature.id.0;
        let kind = battle.lay.terrain[usize::from(n)].kind;
        let touches = nearer(placed, &lie, touch);
        if let Some(crossing) = kind.crossing(&troop) {
            if bridged(battle, placed, along, limit, &troop, &lie) {
                continue;
            }
            decides!(HZ_ADV_25, HZ_TER_10, HZ_TER_15);
            let Some(at) = first_contact(placed, along, limit.f(), &lie) else { continue };
            if !touches {
                if Length::floored(at) < limit {
                    limit = Length::floored(at);
                    stop = (limit, HZ_TER_10);
                }
                continue;
            }
            decides!(HZ_TER_11);
            match crossing {
                Crossing::Barred(clause) => {
                    limit = Length::ZERO;
                    stop = (limit, clause);
                }
                Crossing::HalfOrder => whole_order_half = true,
                Crossing::JustAcross | Crossing::Full | Crossing::HalfInside => {}
            }
            continue;
        }
        decides!(HZ_TER_09);
        let Going::Barred(clause) = kind.going(&troop) else { continue };
        decides!(HZ_ROA_03);
        if on_road && crate::terrain::roads::opens(kind, &troop) {
            continue;
        }
        // A unit that lies in it goes on in it; one that is over its edge by no more than a touch does not.
        let inner = sabretache_table::overlapping(placed, &lie).then(|| shape::shrink(placed, battle.lay.sizes.touch));
        if inner.as_ref().is_some_and(|inner| sabretache_table::overlapping(inner, &lie)) {
            continue;
        }
        if let Some(at) = first_contact(inner.as_ref().unwrap_or(placed), along, limit.f(), &lie)
            && Length::floored(at) < limit
        {
            limit = Length::floored(at);
            stop = (limit, if clause == HZ_TER_09 { HZ_TER_09 } else { clause });
        }
    }
    if exact.is_some() {
        // Crossing a high obstacle takes the whole order, whatever the ground beyond.
        return Passage { limit, stop, exact };
    }
    let budget = if whole_order_half { budget / i32::from(battle.numbers().slow()) } else { budget };
    let strip = edge_strip(placed, leading(way));
    let cost = |features: &[sabretache_table::FeatureId]| {
        decides!(HZ_TER_08);
        let half = features.iter().any(|feature| {
            let kind = battle.lay.terrain[usize::from(feature.0)].kind;
            if on_road && crate::terrain::roads::opens(kind, &troop) {
                return false;
            }
            matches!(kind.going(&troop), Going::Half)
                || matches!((kind, kind.crossing(&troop)), (Kind::Water { .. }, Some(Crossing::HalfInside)))
        });
        Cost::Rate { num: if half { battle.numbers().slow().into() } else { 1 }, den: 1 }
    };
    decides!(HZ_TER_02, HZ_TER_03, HZ_TER_18);
    let reached =
        battle.lay.ground.how_far(&strip, Direction::Toward(heading), limit, Reckoning::FrontEdge, budget, cost);
    if reached.distance < limit {
        limit = reached.distance;
        stop = (limit, HZ_ADV_01);
    }
    let facts = battle.facts(id);
    let keeps_cover = facts.arm == Arm::Infantry && troop.formation == Formation::OpenOrder;
    decides!(HZ_TER_07);
    if keeps_cover && !facts.abilities.skirmish && !compulsory {
        let covered = stays_under_cover(battle, placed, along, limit);
        if covered < limit {
            limit = covered;
            stop = (limit, HZ_DEP_17);
        }
    }
    Passage { limit, stop, exact: None }
}

/// How far it is just across the high obstacle that a unit stands at, if it stands at one.
pub(super) fn high_obstacle(battle: &Battle, placed: &Placed, along: Vec2, way: Way, troop: &Troop) -> Option<Length> {
    let touch = battle.lay.sizes.touch.f();
    let near = placed.bounds().grown(touch);
    battle
        .lay
        .ground
        .near(&near)
        .filter(|lie| {
            let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
            kind.crossing(troop) == Some(Crossing::JustAcross)
                && nearer(placed, lie, touch)
                && first_contact(placed, along, battle.lay.sizes.adjacent.f(), lie).is_some()
        })
        .map(|lie| just_across(placed, along, way, &lie, battle.lay.sizes.clear))
        .max()
}

/// How far open order without the Skirmish ability gets before any part of it is in the open (HZ-DEP-17).
pub(super) fn stays_under_cover(battle: &Battle, placed: &Placed, along: Vec2, limit: Length) -> Length {
    let step = Length::mm(5);
    let is_open = |at: Length| ground::touches_open_ground(battle, &moved(placed, along, at));
    let mut at = Length::ZERO;
    while at < limit {
        let next = (at + step).min(limit);
        if is_open(next) {
            let (mut covered, mut open) = (at.to_um(), next.to_um());
            while open - covered > 1 {
                let middle = covered.midpoint(open);
                if is_open(Length::um(middle)) { open = middle } else { covered = middle }
            }
            // A touch of open ground is not being in it, nor is it worth setting out for.
            return (Length::um(covered) - battle.lay.sizes.touch).max(Length::ZERO);
        }
        at = next;
    }
    limit
}

/// Whether a march column goes over a bridge or ford wherever the line of its middle lies in the water (HZ-RIV-03, HZ-RIV-09).
pub(super) fn bridged(
    battle: &Battle,
    placed: &Placed,
    along: Vec2,
    limit: Length,
    troop: &Troop,
    water: &Lie<'_>,
) -> bool {
    decides!(HZ_RIV_03, HZ_RIV_09);
    if !troop.in_march_column()
        || !matches!(battle.lay.terrain[usize::from(water.feature.id.0)].kind, Kind::Water { .. })
    {
        return false;
    }
    // From the tail of the column to where its head gets.
    let tail = placed.centre() - along * (placed.face(Face::Right).length() / 2.0);
    let way = limit.f() + placed.face(Face::Right).length();
    let on_crossing = |place: Vec2| {
        battle.lay.ground.at(place).any(|lie| battle.lay.terrain[usize::from(lie.feature.id.0)].kind == Kind::Crossing)
    };
    let steps = libm::ceil(way / 2_500.0).max(1.0) as usize;
    let mut wet = false;
    for n in 0..=steps {
        let place = tail + along * (way * n as f64 / steps as f64);
        if sabretache_table::holds(water, place) {
            wet = true;
            if !on_crossing(place) {
                return false;
            }
        }
    }
    wet
}

/// The distance that puts the trailing edge just beyond an obstacle (HZ-HED-05, HZ-WAL-05).
pub(crate) fn just_across(placed: &Placed, along: Vec2, way: Way, lie: &Lie<'_>, clear: Length) -> Length {
    let depth = match way {
        Way::Ahead | Way::Back => placed.face(Face::Right).length(),
        Way::Left | Way::Right => placed.face(Face::Front).length(),
    };
    let mut found = SmallVec::new();
    meetings(placed, along, depth * 3.0, lie, &mut found);
    let leaves = found.iter().map(|meeting| meeting.to).fold(0.0, f64::max);
    Length::ceiled(leaves) + clear
}
