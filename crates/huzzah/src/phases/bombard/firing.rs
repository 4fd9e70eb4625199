//! Firing: the target tests, then each unit that the shot bounces on to, then smoke gathers (HZ-BOM-13 to HZ-BOM-18).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Angle, Convex, Face, Length, Segment, Vec2, nearer};
use smallvec::SmallVec;

use super::sighting::{self, Swung};
use super::{Target, any_target, batteries, hedges, range, shot, target, why_not};
use crate::clauses::{
    HZ_BOM_04, HZ_BOM_05, HZ_BOM_13, HZ_BOM_14, HZ_BOM_15, HZ_BOM_16, HZ_BOM_17, HZ_BOM_18, HZ_BOM_22, HZ_BOM_23,
    HZ_BOM_24, HZ_BOM_25, HZ_BOM_26, HZ_MAN_08,
};
use crate::event::Event;
use crate::phases::officers::flight;
use crate::phases::{Play, act, advance, threat, turn};
use crate::state::{Act, Bearing, Finish, Moving, Stage, Then};
use crate::table::{Field, bearing, contact, swing};
use crate::terrain::Kind;
use crate::troops::RangeBand;

/// A battery bombards straight ahead.
pub(crate) fn fire(play: &mut Play<'_>, battery: UnitId, unit: UnitId) -> Result<(), Halt> {
    let field = Field::of(play.battle());
    let barred = why_not(&field, battery, unit);
    let shot = shot(&field, battery, unit);
    drop(field);
    if let Some((clause, says)) = barred {
        play.refuse(Refusal { impossible: shot.is_none(), ..Refusal::new(clause, says) })?;
    }
    let Some(found) = shot else {
        return Err(Refusal::impossible(HZ_BOM_04, "The guns do not reach it").into());
    };
    decides!(HZ_BOM_13, HZ_BOM_26);
    resolve(play, battery, found)?;
    after_fire(play)
}

/// A battery sights its guns and bombards (HZ-BOM-23 to HZ-BOM-25). Friends it sweeps against on the way are disordered, and so is it.
pub(crate) fn sight_and_fire(
    play: &mut Play<'_>,
    battery: UnitId,
    unit: UnitId,
    swung: Swung,
    angle: Angle,
) -> Result<(), Halt> {
    decides!(HZ_BOM_23, HZ_BOM_25);
    let field = Field::of(play.battle());
    let able = batteries(&field).any(|id| id == battery);
    let run = sighting::run(play.battle(), battery, unit, swung);
    let placed = field.get(battery).cloned();
    drop(field);
    play.require(able && !play.battle().unit(battery).sighted, HZ_BOM_24, || {
        "A battery sights its guns once in a phase".into()
    })?;
    let hundredths = angle.abs().to_hundredths();
    let legal = run.is_some_and(|(least, most)| (least..=most).contains(&hundredths));
    let (true, Some(placed)) = (legal && (angle > Angle::ZERO) == swung.turn.right, placed) else {
        return Err(Refusal::new(HZ_BOM_23, "Wheeled so far the battery has no clear shot at that target").into());
    };
    let Some(hundredths) = sighting::nearest_legal(play.battle(), battery, unit, swung, hundredths) else {
        return Err(Refusal::new(HZ_BOM_05, "That is not the nearest legitimate target then").into());
    };
    let pose = swing::wheeled(&placed, swung.turn, hundredths);
    let touched = swing::friends_swept(&Field::of(play.battle()), battery, &placed, swung.turn, hundredths);
    play.happen(Event::Sighted { battery, pose });
    advance::stagger_friends_by(play, battery, &touched, HZ_MAN_08);
    // Officers in its way make room or flee before it fires (HZ-ORD-38, HZ-ORD-39).
    let act = Act::Wheel { right: swung.turn.right, back: swung.turn.back };
    let (from, end, finish) = (placed.pose(), hundredths, Finish::There);
    let wheel = Moving { unit: battery, act, from, done: end, end, finish, hit: false, ask: 0, deploying: false };
    let trail = act::trail(play.battle(), &wheel);
    flight::run_over(play, battery, &trail);
    let stage = play.battle().stage;
    if flight::asks(play, Then::Shoot { battery, target: unit, through: swung.through, stage }) {
        return Ok(());
    }
    shoot(play, battery, unit, swung.through)
}

/// A battery that has sighted its guns fires, if it still stands.
pub(crate) fn shoot(play: &mut Play<'_>, battery: UnitId, unit: UnitId, through: bool) -> Result<(), Halt> {
    let found = {
        let field = Field::of(play.battle());
        if through { hedges::target(&field, battery, unit) } else { target(&field, battery, unit) }
    };
    if let Some(found) = found.filter(|_| play.battle().is_present(battery)) {
        if through { hedges::shoot(play, battery, found)? } else { resolve(play, battery, found)? }
    }
    after_fire(play)
}

/// The target tests, then each unit that the shot bounces on to; then smoke gathers (HZ-BOM-14 to HZ-BOM-18).
pub(crate) fn resolve(play: &mut Play<'_>, battery: UnitId, found: Target) -> Result<(), Halt> {
    decides!(HZ_BOM_14, HZ_BOM_15, HZ_BOM_16, HZ_BOM_17, HZ_BOM_18);
    let unit = found.unit;
    let (facts, bounced) = {
        let field = Field::of(play.battle());
        let extreme =
            play.battle().lay.length(play.battle().numbers().ranges.of(play.battle().facts(battery).guns).extreme);
        decides!(HZ_BOM_22);
        let from = bearing::of_threat(&field, battery, unit, Some(extreme));
        let facts = threat::bombarded(&field, unit, battery, found.range, from != Bearing::Front);
        (facts, bounce_through(&field, battery, unit))
    };
    play.happen(Event::Bombarded { battery, target: unit });
    let outcome = threat::resolve(play, unit, &facts)?;
    if outcome.shakes {
        let shaken = crate::state::Threat { unit, by: battery, from: Bearing::Front, smoke: false, tested: false };
        threat::shake(play, unit, &[shaken])?;
    }
    for (victim, range, rear) in bounced {
        if !play.battle().is_present(victim) {
            continue;
        }
        let facts = threat::bombarded(&Field::of(play.battle()), victim, battery, range, rear);
        let outcome = threat::resolve(play, victim, &facts)?;
        if outcome.shakes {
            let shaken =
                crate::state::Threat { unit: victim, by: battery, from: Bearing::Front, smoke: false, tested: false };
            threat::shake(play, victim, &[shaken])?;
        }
    }
    if play.battle().is_present(battery) {
        play.happen(Event::Smoke { unit: battery, by: 1 });
    }
    Ok(())
}

/// Units on the line of fire behind the face that is struck, nearest first, each with its range and whether it is hit from behind
/// (HZ-BOM-15 to HZ-BOM-17).
#[must_use]
pub fn bounce_through(field: &Field<'_>, battery: UnitId, unit: UnitId) -> SmallVec<[(UnitId, RangeBand, bool); 2]> {
    let battle = field.battle;
    let mut hit: SmallVec<[(f64, UnitId, RangeBand, bool); 2]> = SmallVec::new();
    let (Some(placed), Some(there)) = (field.get(battery), field.get(unit)) else { return SmallVec::new() };
    let from = placed.face(Face::Front).middle();
    let centre = there.centre();
    let struck =
        Face::ALL.into_iter().map(|face| there.face(face)).find(|edge| contact::crosses(from, centre, edge.a, edge.b));
    let point = struck.map_or(there.face(Face::Front).middle(), Segment::middle);
    let way = (point - from).unit();
    let mut far = battle.lay.length(battle.numbers().bounce_through.of(battle.facts(battery).guns)).f();
    for lie in battle.lay.ground.all() {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        if kind.blocks_sight()
            && kind != Kind::Broken
            && let Some(at) = ray(point, way, far, &lie)
        {
            far = far.min(at);
        }
    }
    for (id, other) in field.all() {
        if id == unit || id == battery {
            continue;
        }
        let Some(at) = ray(point, way, far, other) else { continue };
        let distance = (point + way * at - from).dot(placed.forward());
        let band = range(battle, battery, distance.max(0.0)).unwrap_or(RangeBand::Extreme);
        let behind = bearing::of_threat(field, battery, id, Some(Length::MAX)) == Bearing::Rear;
        hit.push((at, id, band, behind));
    }
    hit.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    hit.into_iter().map(|(_, id, band, rear)| (id, band, rear)).collect()
}

/// How far along a ray it first meets an outline, within a distance; a touch counts.
fn ray(from: Vec2, way: Vec2, far: f64, outline: &impl sabretache_table::Outline) -> Option<f64> {
    let line = Convex::segment(Segment::new(from, from + way * far));
    if !nearer(&line, outline, 2.0) {
        return None;
    }
    let mut best: Option<f64> = None;
    for part in outline.parts() {
        if part.holds(from, 2.0) {
            return Some(0.0);
        }
        for edge in part.edges() {
            let (r, s) = (way * far, edge.b - edge.a);
            let cross = r.cross(s);
            if cross.abs() > 1e-9 {
                let (t, u) = ((edge.a - from).cross(s) / cross, (edge.a - from).cross(r) / cross);
                if (-1e-6..=1.0 + 1e-6).contains(&t) && (-1e-3..=1.0 + 1e-3).contains(&u) {
                    let at = (t * far).max(0.0);
                    best = Some(best.map_or(at, |held: f64| held.min(at)));
                }
            }
        }
    }
    best
}

/// After a bombardment the window stays open while there is anything to fire at; a mover that broke is done.
pub(crate) fn after_fire(play: &mut Play<'_>) -> Result<(), Halt> {
    let battle = play.battle();
    let mover = battle.doing.moving;
    if let Some(moving) = mover
        && !battle.is_present(moving.unit)
    {
        play.happen(Event::Finished { unit: moving.unit });
        play.happen(Event::Now { stage: Stage::Interrupt });
    }
    if any_target(play.battle()) {
        return Ok(());
    }
    close(play)
}

/// The window is closed: on with what was interrupted.
pub(crate) fn close(play: &mut Play<'_>) -> Result<(), Halt> {
    match (play.battle().stage, play.battle().doing.moving) {
        (Stage::Window, _) => turn::window_closed(play),
        (_, None) => act::next_unit(play),
        (_, Some(moving)) => {
            if moving.hit && moving.done > 0 && moving.done < moving.end && act::may_halt(play.battle(), &moving) {
                play.happen(Event::Now { stage: Stage::GoOn });
                return Ok(());
            }
            act::run(play)
        }
    }
}
