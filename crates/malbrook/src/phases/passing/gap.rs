//! Through a gap with a narrowed front (MB-MAN-20).

use super::*;
use sabretache_engine::decides;

/// How a line passes a gap narrower than its front.
pub(super) struct Gap {
    pub(super) least: Length,
    pub(super) most: Length,
}

/// Whether a line may pass a gap before it by narrowing its front, and how far beyond it gets (MB-MAN-20).
pub(super) fn gap(battle: &Battle, unit: UnitId) -> Result<Gap, Refusal> {
    decides!(MB_MAN_20);
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    let facts = manoeuvre::facts_of(battle, unit, ManoeuvreKind::PassGap);
    if let Some(refusal) = facts.refusal().filter(|refusal| refusal.impossible || !battle.memo.waives()) {
        return Err(refusal);
    }
    let Some((allowance, double)) = movement::allowance(battle, unit) else {
        return no(MB_MOV_03, "dice must be rolled first");
    };
    if brigade.files != brigade.bases || brigade.marks.moved {
        return no(MB_MAN_20, "only a line one rank deep that has not moved narrows its front");
    }
    let allowance = if facts.cost(&battle.fixed.numbers).half_distance { allowance.half() } else { allowance };
    let heading = brigade.pose.heading;
    let going = Going { passes_friends: false, blind: true, ..Going::normal(double) };
    let usual = battle.reach(unit, heading, allowance, going);
    if usual.distance >= allowance {
        return no(MB_MAN_20, "nothing narrows its way");
    }
    let least_files = brigade.bases.div_ceil(2);
    let mut widest: Option<Gap> = None;
    for files in (least_files..brigade.bases).rev() {
        let narrow = Brigade { files, ..*brigade };
        let figure = Figure::of(&narrow, narrow.pose);
        let reach = battle.reach_as(unit, &narrow, &figure, heading, allowance, going);
        if reach.distance <= usual.distance {
            continue;
        }
        // It widens again beyond the gap, at once: where its whole front stands clear.
        let clear = |by: Length| {
            let there = Figure::of(brigade, brigade.pose.moved(heading, by));
            battle.stands_as_known(unit, &there)
                && !battle.too_near(unit, &there)
                && orders::keeps_to(battle, unit, &there).is_ok()
        };
        let Some([least, most]) = last_stretch(battle, unit, usual.distance, reach.distance, clear) else { continue };
        widest = Some(Gap { least, most });
        break;
    }
    widest.ok_or_else(|| Refusal::new(MB_MAN_20, "there is no gap of half its front that it can clear in this move"))
}

/// The furthest stretch of a way straight ahead, beyond a place on it, all along which a line stands clear.
pub(super) fn last_stretch(
    battle: &Battle,
    unit: UnitId,
    from: Length,
    full: Length,
    clear: impl Fn(Length) -> bool,
) -> Option<[Length; 2]> {
    let (brigade, figure) = (battle.brigade(unit), battle.figure(unit));
    let heading = brigade.pose.heading;
    let mut points = battle.turning_points(unit, brigade, heading, full);
    // Its front may also not come too near to enemy.
    let depth = battle.halting(brigade);
    let zone = zone_of(brigade, figure, depth - HAIR);
    let mut stretches = SmallVec::new();
    for enemy in battle.enemies_around(brigade.side, figure.bounds().swept(heading.unit() * full.f()), depth * 2) {
        meetings(&zone, heading.unit(), full.f(), battle.figure(enemy), &mut stretches);
        points.extend(stretches.iter().flat_map(|met| [met.from, met.to]).map(|by| Length::ceiled(by.max(0.0))));
    }
    points.extend(edges_met(battle, figure, heading, full));
    points.sort_unstable();
    let mut last = None;
    let mut begins = from;
    while let Some([least, most]) = battle.first_stretch(&points, begins, full, &clear) {
        // Where it stands before the gap it has not passed it.
        last = Some([least, most]).filter(|_| least > from + HAIR).or(last);
        if most <= begins {
            break;
        }
        begins = most;
    }
    // Where the move ends it may stand just clear.
    last.or_else(|| (full > from && clear(full)).then_some([full, full]))
}

/// Where a corner of its whole front comes to an edge of the table: the narrow front gets by where this one does not.
fn edges_met(battle: &Battle, figure: &Figure, heading: Heading, full: Length) -> Vec<Length> {
    let (way, table) = (heading.unit(), &battle.fixed.table);
    let corners = figure.parts().flat_map(|part| part.corners.iter().copied());
    let met = corners.flat_map(|corner| {
        let across = [0.0, table.width.f()].map(|edge| (edge - corner.x) / way.x);
        let along = [0.0, table.depth.f()].map(|edge| (edge - corner.y) / way.y);
        across.into_iter().chain(along)
    });
    met.filter(|by| by.is_finite() && *by > 0.0 && *by < full.f()).map(Length::ceiled).collect()
}

pub(crate) fn gap_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let Gap { least, most } = gap(battle, unit)?;
    let stop = Stop { at: most, why: "as far as it gets beyond the gap".into(), clause: MB_MAN_20 };
    Ok(Input::Distance { least, most, stops: vec![stop] })
}

/// A line narrows, passes the gap and widens again.
pub(crate) fn pass_gap(play: &mut Play<'_>, unit: UnitId, by: Option<Length>) -> Result<(), Halt> {
    let input = gap_input(play.battle(), unit)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&Value::Distance(by), Unit::Inch)?;
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let fits = |by: &Length| battle.stands(unit, &Figure::of(&brigade, brigade.pose.ahead(*by)));
    let Input::Distance { most, .. } = input else { return Ok(()) };
    let free = ambush::until_startled(battle, unit, brigade.pose.heading.unit(), by);
    let by = if free < by {
        // Hidden enemy halt it: there, or further back where its whole front has room.
        let step = Length::inch_fraction(1, 8);
        let looks = (0..=free.to_um() / step.to_um()).rev().map(|n| step * n);
        std::iter::once(free).chain(looks).find(fits).unwrap_or(Length::ZERO)
    } else {
        [by, most].into_iter().find(fits).unwrap_or(most)
    };
    let to = brigade.pose.ahead(by);
    // Wherever on its way enemy are within 6 inches.
    let there = Figure::of(&brigade, to);
    let corners = battle.figure(unit).parts().chain(there.parts()).flat_map(|part| part.corners.iter().copied());
    let swept = Convex::hull(&corners.collect::<Vec<_>>());
    let near = battle.enemy_within(brigade.side, &swept, battle.fixed.numbers.near.length());
    let facts = Manoeuvre { enemy_near: near, ..manoeuvre::facts_of(battle, unit, ManoeuvreKind::PassGap) };
    let price = facts.cost(&battle.fixed.numbers).price;
    let (first, roll) = (brigade.marks.share.dice.is_none(), movement::rolled(battle));
    let rough = battle.is_rough(battle.figure(unit), brigade.pose.heading.unit(), by);
    let began = battle.figure(unit).clone();
    let (formation, files) = (brigade.formation, brigade.files);
    let manoeuvre = ManoeuvreKind::PassGap;
    play.happen(Event::Manoeuvred { unit, manoeuvre, to, formation, files, half: false, spent: by });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    harm(play, unit, price, 0, Cause::Move)?;
    capture_on_way(play, unit, &began, brigade.pose.heading, by);
    wheel::finish(play, unit, brigade.pose.heading)
}
