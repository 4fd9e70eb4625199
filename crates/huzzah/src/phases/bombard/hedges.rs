//! Guns at a hedge: they bombard through it at short range and shoot it away (HZ-HED-08).

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Convex, Face, Lie, Placed, Point, Segment, Vec2, exact_distance, nearer};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{HZ_BOM_03, HZ_HED_08};
use crate::event::Event;
use crate::phases::Play;
use crate::phases::bombard::{self, Target};
use crate::state::Gap;
use crate::table::{Field, ground};
use crate::terrain::Kind;
use crate::troops::RangeBand;

/// The hedges a battery stands right at with its front.
fn hedges_at(battle: &Battle, placed: &Placed) -> SmallVec<[u16; 2]> {
    let front = Convex::segment(placed.face(Face::Front));
    let hedge = |n: &u16| matches!(battle.lay.terrain[usize::from(*n)].kind, Kind::Hedge { .. });
    (0..battle.lay.terrain.len() as u16).filter(hedge).filter(|&n| ground::adjacent(battle, &front, n)).collect()
}

/// A target that a battery can bombard through the hedge it stands at: at short range, visible apart from that hedge.
#[must_use]
pub fn target(field: &Field<'_>, battery: UnitId, unit: UnitId) -> Option<Target> {
    let battle = field.battle;
    let placed = field.get(battery)?;
    let hedges = hedges_at(battle, placed);
    if hedges.is_empty() || gaps(battle, placed).is_empty() {
        return None;
    }
    let found = bombard::target_but(field, battery, unit, &|n| hedges.contains(&n))?;
    let through = field.get(unit).is_some_and(|there| {
        let (from, to) = (placed.pose().at.v(), there.centre());
        let crossed = |n: &u16| {
            let line = &battle.lay.terrain[usize::from(*n)].line;
            line.windows(2).any(|leg| crate::table::contact::crosses(from, to, leg[0].v(), leg[1].v()))
        };
        hedges.iter().any(crossed)
    });
    (found.range == RangeBand::Short && through).then_some(found)
}

/// Whether there is a hedge at which a battery stands, or could once it has wheeled.
pub(super) fn are_near(battle: &Battle, placed: &Placed) -> bool {
    let reach = placed.face(Face::Front).length() + battle.lay.sizes.adjacent.f();
    let front = Convex::segment(placed.face(Face::Front));
    let is_hedge = |lie: &Lie<'_>| matches!(battle.lay.terrain[usize::from(lie.feature.id.0)].kind, Kind::Hedge { .. });
    battle.lay.ground.all().filter(is_hedge).any(|lie| nearer(&front, &lie, reach))
}

/// Of targets straight ahead those remain that are no further off than the nearest through the hedge (HZ-BOM-05, HZ-HED-08).
pub(super) fn come_first(field: &Field<'_>, battery: UnitId, ahead: &mut SmallVec<[Target; 2]>) {
    if !ahead.is_empty()
        && let Some(first) = nearest(field, battery).first()
    {
        let touch = field.battle.lay.sizes.touch.f();
        ahead.retain(|found| found.distance <= first.distance + touch);
    }
}

/// The nearest targets that a battery has through the hedge; none where it has a nearer one without (HZ-BOM-05).
#[must_use]
pub fn targets(field: &Field<'_>, battery: UnitId) -> SmallVec<[Target; 2]> {
    let mut best = nearest(field, battery);
    if !best.is_empty() {
        let open = bombard::targets(field, battery).first().map_or(f64::INFINITY, |held| held.distance);
        best.retain(|found| found.distance <= open + field.battle.lay.sizes.touch.f());
    }
    best
}

/// The nearest targets that a battery has through the hedge.
fn nearest(field: &Field<'_>, battery: UnitId) -> SmallVec<[Target; 2]> {
    let battle = field.battle;
    let mut best: SmallVec<[Target; 2]> = SmallVec::new();
    let Some(placed) = field.get(battery) else { return best };
    if hedges_at(battle, placed).is_empty() {
        return best;
    }
    let touch = battle.lay.sizes.touch.f();
    for (unit, _) in field.enemies(battery) {
        let Some(found) = target(field, battery, unit) else { continue };
        let nearest = best.first().map_or(f64::INFINITY, |held| held.distance);
        if found.distance < nearest - touch {
            best.clear();
        }
        if found.distance <= nearest + touch {
            best.push(found);
        }
    }
    best
}

/// A battery bombards through a hedge, which is gone afterwards as far as the guns are wide.
pub(crate) fn fire(play: &mut Play<'_>, battery: UnitId, unit: UnitId) -> Result<(), Halt> {
    let field = Field::of(play.battle());
    let able = bombard::may_fire(&field, battery);
    let found = targets(&field, battery).into_iter().find(|found| found.unit == unit);
    drop(field);
    play.require(able, HZ_BOM_03, || "That battery cannot bombard now".into())?;
    let Some(found) = found else {
        return Err(Refusal::new(HZ_HED_08, "That is no target at short range through the hedge").into());
    };
    shoot(play, battery, found)?;
    bombard::after_fire(play)
}

/// The target tests; then the hedge before the guns is gone.
pub(super) fn shoot(play: &mut Play<'_>, battery: UnitId, found: Target) -> Result<(), Halt> {
    let cut = gaps(play.battle(), &play.battle().placed(battery));
    bombard::resolve(play, battery, found)?;
    for gap in cut {
        play.happen(Event::HedgeGone { gap });
    }
    Ok(())
}

/// The stretches of hedge that lines straight ahead from a battery's front meet first, by the hedges of the file.
fn gaps(battle: &Battle, placed: &Placed) -> SmallVec<[Gap; 2]> {
    let mut out = SmallVec::new();
    let front = placed.face(Face::Front);
    for n in hedges_at(battle, placed) {
        let terrain = &battle.lay.terrain[usize::from(n)];
        let legs: Vec<Segment> = terrain.line.windows(2).map(|leg| Segment::new(leg[0].v(), leg[1].v())).collect();
        let nearest = legs.iter().enumerate().min_by(|a, b| {
            let far = |leg: &Segment| exact_distance(&Convex::segment(*leg), &Convex::segment(front));
            far(a.1).total_cmp(&far(b.1))
        });
        let Some((start, _)) = nearest else { continue };
        // On from the nearest leg both ways, as long as the hedge stays before the guns.
        let before: Vec<Option<Segment>> = legs.iter().map(|leg| in_lane(*leg, front, placed.forward())).collect();
        let mut last = start;
        while last + 1 < legs.len() && before[last + 1].is_some() {
            last += 1;
        }
        let mut first = start;
        while first > 0 && before[first - 1].is_some() {
            first -= 1;
        }
        // What is left of a hedge is part of the one in the file.
        let is_hedge = |&n: &u16| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Hedge { .. });
        let hedge = terrain.part_of.filter(is_hedge).unwrap_or(n);
        for part in before[first..=last].iter().flatten() {
            if (part.b - part.a).length() > 1.0 {
                out.push(Gap { hedge, from: Point::rounded(part.a), to: Point::rounded(part.b) });
            }
        }
    }
    out
}

/// The part of a leg that lies ahead of a front, between its flank lines.
fn in_lane(leg: Segment, front: Segment, out: Vec2) -> Option<Segment> {
    let along = (front.b - front.a).unit();
    let width = front.length();
    let at = |place: Vec2| (place - front.a).dot(along);
    let off = |place: Vec2| (place - front.a).dot(out);
    let (a, b) = (at(leg.a), at(leg.b));
    if (b - a).abs() < 1.0 {
        return None;
    }
    let share = |x: f64| ((x - a) / (b - a)).clamp(0.0, 1.0);
    let (s, t) = (share(0.0), share(width));
    let (from, to) = (s.min(t), s.max(t));
    let part = Segment::new(leg.a.toward(leg.b, from), leg.a.toward(leg.b, to));
    (to > from && off(part.middle()) > -1.0).then_some(part)
}
