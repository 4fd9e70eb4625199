//! What a battle is about beside places, and where those are (MB-VIC-02).

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::Halt;
use sabretache_engine::scenario::{Asked, Diagnostics, ObjectiveEntry, Path, Scenario};
use sabretache_table::{Convex, Edge, Heading, Length, Vec2, exact_distance};
use smallvec::SmallVec;

use super::harm::{Play, destroy};
use super::morale;
use crate::battle::Battle;
use crate::body::Body;
use crate::brigade::Status;
use crate::clauses::MB_VIC_02;

/// How near a place counts, where a scenario does not say.
const HELD_WITHIN: Length = Length::inches(2);
/// Corners of a round place.
const CORNERS: usize = 16;
/// How near to an edge a brigade leaves the table by it.
const AT_EDGE: Length = Length::inches(1);

/// What is wrong with an objective.
pub(crate) fn check(scenario: &Scenario<Body>, one: &ObjectiveEntry, at: &Path, report: &mut Diagnostics) {
    decides!(MB_VIC_02);
    one.check(at, &scenario.sides, report);
    match one.asked() {
        Some(Asked::Break(id)) if !scenario.body.leaders.iter().any(|leader| leader.id == *id) => {
            let known: Vec<&str> = scenario.body.leaders.iter().map(|leader| leader.id.as_str()).collect();
            let says = format!("there is no leader '{id}'");
            report.error_with_help(at.clone().key("break"), says, format!("one of {}", known.join(", ")));
        }
        Some(Asked::Exit(_, None)) => {
            let help = "add `edge = \"north\"`, or another edge";
            report.against(MB_VIC_02, at.clone().key("exit"), "it is not said by which edge brigades leave", help);
        }
        _ => {}
    }
}

fn entry(battle: &Battle, objective: usize) -> Option<&ObjectiveEntry> {
    battle.fixed.scenario.body.objectives.get(objective)
}

/// The corners of a place; none for what is no place.
pub(crate) fn corners_of(battle: &Battle, objective: usize) -> SmallVec<[Vec2; 16]> {
    let measure = battle.fixed.scenario.measure;
    match entry(battle, objective).and_then(ObjectiveEntry::asked) {
        Some(Asked::Area(area)) => area.iter().map(|pair| measure.point(*pair).v()).collect(),
        Some(Asked::Hold(at, radius)) => {
            let radius = radius.map_or(HELD_WITHIN, |radius| measure.length(radius)).f();
            let corner = |n: usize| {
                let heading = Heading::hundredths((n * 36_000 / CORNERS) as i32);
                measure.point(at).v() + heading.unit() * radius
            };
            (0..CORNERS).map(corner).collect()
        }
        _ => SmallVec::new(),
    }
}

/// Whether an objective is good for a side.
pub(crate) fn good_for(battle: &Battle, objective: usize, side: Side) -> bool {
    let whose = entry(battle, objective).and_then(|one| one.side.as_ref());
    whose.is_none_or(|id| battle.fixed.scenario.sides.get(side.index()).is_some_and(|entry| entry.id == *id))
}

/// The side that alone has reached an objective which is no place.
pub(crate) fn reached(battle: &Battle, objective: usize) -> Option<Side> {
    let asked = entry(battle, objective)?.asked()?;
    let done = |side: Side| good_for(battle, objective, side) && has_done(battle, side, asked);
    match Side::BOTH.map(done) {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        _ => None,
    }
}

fn has_done(battle: &Battle, side: Side, asked: Asked<'_>) -> bool {
    let of = |whose: Side| {
        (0..battle.units.len()).map(|n| UnitId(n as u16)).filter(move |unit| {
            let one = battle.brigade(*unit);
            one.side == whose && one.kind.is_brigade() && one.status != Status::Merged
        })
    };
    let gone = |unit: &UnitId| matches!(battle.brigade(*unit).status, Status::Destroyed | Status::Surrendered);
    match asked {
        Asked::Hold(..) | Asked::Area(_) => false,
        Asked::Break(id) => {
            let leader = battle.fixed.scenario.body.leaders.iter().position(|leader| leader.id == id);
            leader.is_some_and(|n| {
                let leader = OfficerId(n as u16);
                let broken = |unit: UnitId| gone(&unit) || battle.brigade(unit).is_routing();
                battle.leader(leader).side != side
                    && of(side.other()).filter(|unit| battle.in_chain(leader, *unit)).all(broken)
            })
        }
        Asked::BreakUnits(count) => of(side.other()).filter(gone).count() >= usize::from(count),
        Asked::TakeGuns(count) => morale::tally(battle, side).enemy_guns >= i32::from(count),
        Asked::Exit(count, _) => {
            of(side).filter(|unit| battle.brigade(*unit).status == Status::Left).count() >= usize::from(count)
        }
    }
}

/// Whether a side has an objective that wins the battle at once.
pub(crate) fn wins_at_once(battle: &Battle, side: Side) -> bool {
    let all = battle.fixed.scenario.body.objectives.iter().zip(&battle.held);
    all.into_iter().any(|(one, held)| one.at_once && *held == Some(side))
}

/// Brigades in hand that have come to the edge by which the scenario has their side leave march off as the turn ends.
pub(crate) fn march_off(play: &mut Play<'_>) -> Result<(), Halt> {
    let battle = play.battle();
    let mut off: Vec<UnitId> = Vec::new();
    for (n, one) in battle.fixed.scenario.body.objectives.iter().enumerate() {
        let Some(Asked::Exit(_, Some(edge))) = one.asked() else { continue };
        let line = Convex::segment(battle.fixed.table.edge(Edge::from(edge)));
        let goes = |unit: &UnitId| {
            let brigade = battle.brigade(*unit);
            good_for(battle, n, brigade.side)
                && brigade.status == Status::Steady
                && brigade.kind.is_brigade()
                && exact_distance(&line, battle.figure(*unit)) <= AT_EDGE.f()
        };
        off.extend(battle.all().filter(goes));
    }
    off.sort_unstable();
    off.dedup();
    for unit in off {
        destroy(play, unit, Status::Left)?;
    }
    Ok(())
}
