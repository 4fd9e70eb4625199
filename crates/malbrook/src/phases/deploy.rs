//! Deployment: whole armies set down in their zones before the first turn (MB-ORG-06).

use crate::phases::manoeuvre;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Area, Halt, Input, Refusal, Value, WrongValue};
use sabretache_engine::scenario::Diagnostics;
use sabretache_table::{Angle, Length, OnTable, Outline, Point, Pose, Tabletop, Unit, Vec2, overlapping};

use crate::battle::Battle;
use crate::brigade::{Brigade, Leader};
use crate::clauses::{MB_ORG_06, MB_SEQ_02};
use crate::event::{Event, Phase, Set};
use crate::phases::harm::Play;
use crate::table::lay::Figure;
use crate::troops::Formation;

pub(crate) mod offers;

pub(crate) use offers::offers;

/// How finely a zone is searched for room.
const STEP: Length = Length::inch_fraction(1, 2);

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// The zone that troops under a leader are set down in: his own, or that of the nearest leader over him who has one.
pub(crate) fn zone_over<'a>(zones: &'a [Vec<Point>], leaders: &[Leader], leader: OfficerId) -> Option<&'a [Point]> {
    let mut above = Some(leader);
    while let Some(one) = above {
        let zone = zones.get(one.index())?;
        if !zone.is_empty() {
            return Some(zone);
        }
        above = leaders[one.index()].above;
    }
    None
}

fn inside(zone: &[Point], figure: &Figure) -> bool {
    let zone = Area::Polygon { corners: zone.to_vec() };
    figure.parts().all(|part| part.corners.iter().all(|corner| zone.holds(Point::rounded(*corner))))
}

/// Lays out the units that the scenario gives no place, row by row from the front of their zone.
pub(crate) fn lay_out(
    units: &mut [Brigade],
    placeless: &[usize],
    zones: &[Vec<Point>],
    leaders: &[Leader],
    table: Tabletop,
    facing: [sabretache_table::Heading; 2],
    report: &mut Diagnostics,
) {
    for n in placeless {
        let brigade = units[*n];
        let path = sabretache_engine::scenario::Path::root().key("units").item(*n);
        let Some(zone) = zone_over(zones, leaders, brigade.under) else {
            report.against(
                MB_ORG_06,
                path,
                "it has neither a place nor a zone",
                "give it `at`, or its leader a `zone`",
            );
            continue;
        };
        let heading = facing[brigade.side.index()];
        let free = |pose: Pose| {
            let figure = Figure::of(&brigade, pose);
            let others = units.iter().enumerate().filter(|(m, _)| m != n && (*m < *n || !placeless.contains(m)));
            inside(zone, &figure)
                && table.on_table(&figure) == OnTable::Wholly
                && !others
                    .into_iter()
                    .any(|(_, other)| other.is_unit() && overlapping(&figure, &Figure::of(other, other.pose)))
        };
        match spots(zone, heading.unit()).map(|at| Pose::new(at, heading)).find(|pose| free(*pose)) {
            Some(pose) => units[*n].pose = pose,
            None => report.against(MB_ORG_06, path, "there is no room left in its zone", "make the zone larger"),
        }
    }
}

/// Places in a zone, from its front to its rear and from left to right.
fn spots(zone: &[Point], forward: Vec2) -> impl Iterator<Item = Point> {
    let right = forward.right();
    let along = |way: Vec2| {
        let all = zone.iter().map(move |at| at.v().dot(way));
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let ((back, front), (left, most)) = (along(forward), along(right));
    let (rows, files) = (((front - back) / STEP.f()) as i32, ((most - left) / STEP.f()) as i32);
    (0..=rows).flat_map(move |row| {
        (0..=files).map(move |file| {
            let at = forward * (front - f64::from(row) * STEP.f()) + right * (left + f64::from(file) * STEP.f());
            Point::rounded(at)
        })
    })
}

fn zone(battle: &Battle, leader: OfficerId) -> Option<&[Point]> {
    zone_over(&battle.fixed.zones, &battle.leaders, leader)
}

/// Whether a unit may still be set down, turned or formed.
fn may_deploy(battle: &Battle, unit: UnitId) -> Result<&[Point], Refusal> {
    decides!(MB_ORG_06);
    let brigade = battle.brigade(unit);
    if battle.phase != Phase::Deployment || brigade.side != battle.active || battle.chooser.is_none() {
        return no(MB_SEQ_02, "it is not this side's deployment");
    }
    let Some(zone) = zone(battle, brigade.under) else { return no(MB_ORG_06, "the scenario has given it its place") };
    if brigade.marks.share.done {
        return no(MB_ORG_06, "it has been set down");
    }
    Ok(zone)
}

pub(crate) fn place_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let zone = may_deploy(battle, unit)?;
    Ok(Input::Point { within: vec![Area::Polygon { corners: zone.to_vec() }], except: Vec::new() })
}

pub(crate) fn deploy_turn_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    may_deploy(battle, unit)?;
    if battle.brigade(unit).marks.way.bore || battle.brigade(unit).places.is_some() {
        return no(MB_ORG_06, "it has been turned, or its bases stand where they like and face all round");
    }
    Ok(Input::Wheel { most_left: Angle::hundredths(-17_900), most_right: Angle::HALF })
}

/// The formations that a unit may be set down in.
pub(crate) fn deploy_form_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    may_deploy(battle, unit)?;
    let brigade = battle.brigade(unit);
    if brigade.marks.share.half {
        return no(MB_ORG_06, "its formation is settled");
    }
    let of: Vec<String> = if brigade.kind.is_gun() {
        let other = if brigade.formation == Formation::Limbered { "unlimbered" } else { "limbered" };
        vec![other.into()]
    } else {
        manoeuvre::formations(battle, unit).filter(|name| !name.contains(" to the ")).collect()
    };
    if of.is_empty() || brigade.is_unformed() {
        return no(MB_ORG_06, "it has no other formation here");
    }
    Ok(Input::Formation { of })
}

pub(crate) fn place_leader_input(battle: &Battle, leader: OfficerId) -> Result<Input, Refusal> {
    let one = battle.leader(leader);
    if battle.phase != Phase::Deployment || one.side != battle.active || battle.chooser.is_none() || one.rode {
        return no(MB_SEQ_02, "it is not this side's deployment, or he has been set down");
    }
    let Some(zone) = zone(battle, leader).filter(|_| one.attached.is_none() && !one.lost) else {
        return no(MB_ORG_06, "the scenario has given him his place");
    };
    Ok(Input::Point { within: vec![Area::Polygon { corners: zone.to_vec() }], except: Vec::new() })
}

/// The room nearest to a place where a unit could stand in its zone.
fn room_near(battle: &Battle, unit: UnitId, at: Point, zone: &[Point]) -> Option<Pose> {
    let brigade = battle.brigade(unit);
    let fits = |at: Point| {
        let pose = Pose::new(at, brigade.pose.heading);
        let figure = Figure::of(brigade, pose);
        (inside(zone, &figure) && battle.stands(unit, &figure)).then_some(pose)
    };
    let quarter = Length::inch_fraction(1, 4).f();
    (0..=48).find_map(|ring| {
        let around = (ring * 4).max(1);
        (0..around).find_map(|n| {
            let way = sabretache_table::Heading::hundredths(36_000 * n / around).unit();
            fits(Point::rounded(at.v() + way * (quarter * f64::from(ring))))
        })
    })
}

/// A unit is set down where its player points, or as near as there is room.
pub(crate) fn set_down(play: &mut Play<'_>, unit: UnitId, at: Option<Point>) -> Result<(), Halt> {
    let input = place_input(play.battle(), unit)?;
    let at = at.ok_or(WrongValue("where?".into()))?;
    input.check(&Value::Point(at), Unit::Inch)?;
    let battle = play.battle();
    let zone = may_deploy(battle, unit)?.to_vec();
    let brigade = battle.brigade(unit);
    let to = room_near(battle, unit, at, &zone).unwrap_or(brigade.pose);
    let (formation, files) = (brigade.formation, brigade.files);
    play.happen(Event::SetDown { unit, to, formation, files, what: Set::Place });
    Ok(())
}

/// A unit is turned on the spot, if it has room.
pub(crate) fn face(play: &mut Play<'_>, unit: UnitId, by: Option<Angle>) -> Result<(), Halt> {
    let input = deploy_turn_input(play.battle(), unit)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&Value::Wheel(by), Unit::Inch)?;
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let turned = brigade.pose.turned_about(battle.figure(unit).centre(), by);
    let figure = Figure::of(brigade, turned);
    let fits = battle.stands(unit, &figure) && inside(may_deploy(battle, unit)?, &figure);
    let to = if fits { turned } else { brigade.pose };
    let (formation, files) = (brigade.formation, brigade.files);
    play.happen(Event::SetDown { unit, to, formation, files, what: Set::Facing });
    Ok(())
}

/// A unit takes up the formation it is to begin in.
pub(crate) fn deploy_in(play: &mut Play<'_>, unit: UnitId, name: Option<&str>) -> Result<(), Halt> {
    let input = deploy_form_input(play.battle(), unit)?;
    let name = name.ok_or(WrongValue("which formation?".into()))?;
    input.check(&Value::Formation(name.to_owned()), Unit::Inch)?;
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let changed = match name {
        "limbered" => Brigade { formation: Formation::Limbered, ..brigade },
        "unlimbered" => Brigade { formation: Formation::Unlimbered, ..brigade },
        _ => manoeuvre::in_formation(battle, unit, name).unwrap_or(brigade),
    };
    let Brigade { pose: to, formation, files, .. } = changed;
    play.happen(Event::SetDown { unit, to, formation, files, what: Set::Formation });
    Ok(())
}

pub(crate) fn set_down_leader(play: &mut Play<'_>, leader: OfficerId, at: Option<Point>) -> Result<(), Halt> {
    let input = place_leader_input(play.battle(), leader)?;
    let to = at.ok_or(WrongValue("where?".into()))?;
    input.check(&Value::Point(to), Unit::Inch)?;
    play.happen(Event::Rode { leader, to, action: false });
    Ok(())
}

/// One army is set down: then the other, then the first turn begins.
pub(crate) fn done(play: &mut Play<'_>) {
    let battle = play.battle();
    let attacker = battle.fixed.attacker;
    if battle.chooser == Some(battle.active) {
        let side = battle.active.other();
        play.happen(Event::PhaseBegan { phase: Phase::Deployment, side });
        return;
    }
    play.happen(Event::Deployed);
    match attacker {
        Some(side) => {
            play.happen(Event::GoesFirst { side });
            play.happen(Event::PhaseBegan { phase: Phase::Bombardment, side });
        }
        None => play.happen(Event::PhaseBegan { phase: Phase::Initiative, side: Side::A }),
    }
}
