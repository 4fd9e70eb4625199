//! Room to end a move that is forced on a unit: on nobody, or else just clear of him (HZ-ENG-38, HZ-CHK-26, HZ-ROU-06, HZ-GEO-02).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Length, Placed, Vec2, exact_distance, first_contact, meetings, nearer, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{HZ_ENG_49, HZ_STR_02};
use crate::table::{Field, ground, shape, track};
use crate::terrain::{Crossing, Going, Kind};

/// How much further along a way a unit goes that would end on friends, until it is just clear of them; nothing where that is too far, or an
/// enemy or ground that does not bear it is in the way.
pub(super) fn just_beyond(
    field: &Field<'_>,
    unit: UnitId,
    end: &Placed,
    way: Vec2,
    most: Length,
    bears: impl Fn(&Placed) -> bool,
) -> Option<Length> {
    let clear = field.battle.lay.sizes.clear;
    let mut found = SmallVec::new();
    let mut by = Length::ZERO;
    loop {
        let there = track::moved(end, way, by);
        let leaves = field.friends(unit).filter(|(_, friend)| overlapping(&there, *friend)).map(|(_, friend)| {
            meetings(end, way, by.f() + 1.0, friend, &mut found);
            found.iter().map(|meeting| meeting.to).fold(by.f(), f64::max)
        });
        let Some(leaves) = leaves.reduce(f64::max) else { return Some(by) };
        let on = Length::ceiled(leaves) + clear;
        let met = |(_, enemy): (UnitId, &Placed)| first_contact(end, way, on.f(), enemy).is_some();
        let mut passed = steps(on).skip_while(|&at| at <= by).chain([on]);
        if on > most || field.enemies(unit).any(met) || passed.any(|at| !bears(&track::moved(end, way, at))) {
            return None;
        }
        by = on;
    }
}

/// A stretch, 5 mm at a time.
pub(super) fn steps(whole: Length) -> impl Iterator<Item = Length> {
    let step = Length::mm(5);
    (1..=whole.to_um() / step.to_um()).map(move |n| step * n)
}

/// How much further than its move a unit goes at most that would end on a friend.
pub(super) const FURTHER: Length = Length::mm(600);

/// Whether a unit could stand somewhere: on no friend, touching no enemy, on ground that bears it.
pub(super) fn stands_free(field: &Field<'_>, unit: UnitId, there: &Placed) -> bool {
    let battle = field.battle;
    let room = field.all().all(|(id, other)| {
        if id == unit {
            return true;
        }
        if battle.facts(id).side == battle.facts(unit).side {
            !overlapping(there, other)
        } else {
            !nearer(there, other, battle.lay.sizes.touch.f())
        }
    });
    room && bears(battle, unit, there) && !in_strong_point(battle, there)
}

/// Whether a footprint lies in a strong point, where nobody stands but the garrison deployed in it (HZ-STR-02).
pub(super) fn in_strong_point(battle: &Battle, placed: &Placed) -> bool {
    decides!(HZ_STR_02);
    !battle.lay.terrain.is_empty()
        && ground::Lies::under(battle, placed)
            .in_any()
            .iter()
            .any(|&n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Buildings { strong: true, .. }))
}

/// How far a forced move goes so that it ends on nobody: on until just clear beyond a friend, or else back; nothing where there is no
/// room at all.
pub(super) fn clear_end(
    battle: &Battle,
    unit: UnitId,
    start: &Placed,
    along: Vec2,
    distance: Length,
) -> Option<Length> {
    let field = Field::of(battle);
    let end = track::moved(start, along, distance);
    let bears = |there: &Placed| bears(battle, unit, there);
    let free = |at: Length| stands_free(&field, unit, &track::moved(start, along, at));
    let on = just_beyond(&field, unit, &end, along, FURTHER, bears).map(|by| distance + by);
    let back = || {
        let back = just_beyond(&field, unit, &end, along * -1.0, distance, |_| true)?;
        Some((distance - back).max(Length::ZERO))
    };
    // Where that is no good, wherever there is room: further on while nothing bars the way, or nearer to where it came from.
    let open = |at: &Length| {
        let there = track::moved(start, along, *at);
        bears(&there) && !field.enemies(unit).any(|(_, enemy)| overlapping(&there, enemy))
    };
    let further = steps(FURTHER).map(|by| distance + by).take_while(open);
    let nearer = steps(distance).map(|by| distance - by).chain([Length::ZERO]);
    on.filter(|&at| free(at))
        .or_else(|| back().filter(|&at| free(at)))
        .or_else(|| further.chain(nearer).find(|&at| free(at)))
}

/// How far a unit that cannot get away is pushed so that it stands just clear of those it touches (HZ-ENG-49); ground that hems it in
/// gives way so far, friends and other enemies do not.
pub(super) fn just_clear(battle: &Battle, unit: UnitId, start: &Placed, along: Vec2) -> Option<Length> {
    decides!(HZ_ENG_49);
    let field = Field::of(battle);
    let clear = battle.lay.sizes.clear.f();
    let free = |at: Length| {
        let there = track::moved(start, along, at);
        field.all().all(|(id, other)| {
            id == unit
                || if battle.facts(id).side == battle.facts(unit).side {
                    !overlapping(&there, other)
                } else {
                    exact_distance(&there, other) >= clear - 1.0
                }
        })
    };
    // Half a millimetre at a time, and then to the micrometre.
    let step = Length::um(500);
    let mut most = (0..=100).map(|n| step * n).find(|&at| free(at))?;
    let mut least = most - step;
    while most > Length::ZERO && most - least > Length::um(1) {
        let middle = (least + most).half();
        if free(middle) { most = middle } else { least = middle }
    }
    Some(most)
}

/// Whether the ground bears a unit there: none that it cannot enter, unless it is there already, or stands over the water on a bridge or in a
/// ford.
pub(super) fn bears(battle: &Battle, unit: UnitId, placed: &Placed) -> bool {
    if battle.lay.terrain.is_empty() {
        return true;
    }
    let troop = battle.troop(unit);
    let here = battle.placed(unit);
    let (now, then) = (ground::Lies::under(battle, &here), ground::Lies::under(battle, placed));
    let kind = |n: u16| battle.lay.terrain[usize::from(n)].kind;
    // Bridges and fords themselves bar all but mobs and march columns.
    let crosses = then.in_any().iter().any(|&n| kind(n) == Kind::Crossing);
    then.in_any().iter().all(|&n| {
        let kind = kind(n);
        now.is_in(n)
            || (matches!(kind, Kind::Water { .. }) && crosses && is_bridged(battle, placed, n))
            || !(matches!(kind.going(&troop), Going::Barred(_))
                || matches!(kind.crossing(&troop), Some(Crossing::Barred(_))))
    })
}

/// Whether the middle of a unit, from front to rear, is on a bridge or in a ford wherever it is over some water.
fn is_bridged(battle: &Battle, placed: &Placed, water: u16) -> bool {
    let (front, rear) = (placed.pose().at.v(), shape::rear_of(placed).v());
    (0..=4u8).all(|n| {
        let place = front.toward(rear, f64::from(n) / 4.0);
        let all: SmallVec<[u16; 4]> = battle.lay.ground.at(place).map(|lie| lie.feature.id.0).collect();
        let crossing = |&n: &u16| battle.lay.terrain[usize::from(n)].kind == Kind::Crossing;
        !all.contains(&water) || all.iter().any(crossing)
    })
}
