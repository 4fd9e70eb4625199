//! What happens of itself, whatever was done: guns are taken and manned, ground disorders, generals seek their troops.

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Angle, Convex, Heading, Length, Outline, Placed, Pose, Vec2, exact_distance, overlapping, touching,
};
use smallvec::SmallVec;

use crate::Batteries;
use crate::battle::{Battle, Place};
use crate::clauses::*;
use crate::event::Event;
use crate::table::NEAR;
use crate::troops::Arm;

impl Battle {
    /// Whether a battery that runs leaves its guns where they are: those on their limbers go along.
    pub(crate) fn must_leave_guns(&self, unit: UnitId) -> bool {
        let state = self.unit(unit);
        state.serves_guns(self.facts(unit)) && !state.limbered
    }

    /// Guns standing alone.
    pub(crate) fn guns_placed(&self, unit: UnitId, pose: Pose) -> Placed {
        let mut state = *self.unit(unit);
        (state.away, state.limbered, state.pose) = (false, false, pose);
        state.placed(self.facts(unit), self.numbers())
    }
}

/// Guns without gunners are taken by enemies in good morale who touch them (BB-GUN-11).
pub(crate) fn capture_guns(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_GUN_11);
    let guns = play.battle().abandoned.clone();
    for one in guns {
        let battle = play.battle();
        let placed = battle.guns_placed(one.unit, one.pose);
        let near = |unit: UnitId| exact_distance(&battle.placed(unit), &placed) <= NEAR / 2.0;
        let taken = battle
            .enemies(one.unit)
            .any(|enemy| battle.close_order(enemy) && !battle.unit(enemy).shaken && near(enemy));
        // Their gunners may be off the table.
        let served = battle.unit(one.unit).place == Place::Table && near(one.unit);
        if taken && !served {
            play.happen(Event::Captured { unit: one.unit });
            play.happen(Event::Shattered { unit: one.unit });
        }
    }
}

/// Gunners who touch their guns after a move serve them again (BB-GUN-11).
pub(crate) fn man_guns(play: &mut Resolution<'_, Batteries>, unit: UnitId) {
    decides!(BB_GUN_11);
    let battle = play.battle();
    let guns = battle.abandoned.iter().find(|guns| guns.unit == unit).copied();
    if let Some(guns) = guns.filter(|_| battle.unit(unit).away) {
        let placed = battle.guns_placed(unit, guns.pose);
        let near = exact_distance(&battle.placed(unit), &placed) <= NEAR / 2.0;
        let clear = battle.all().filter(|other| *other != unit).all(|other| {
            !overlapping(&placed, &battle.placed(other))
                && (battle.side(other) == battle.side(unit) || !touching(&placed, &battle.placed(other)))
        });
        if near && clear {
            play.happen(Event::Manned { unit });
        }
    }
}

/// Ground that disorders, entered on a straight way or a wheel (BB-STA-01, BB-HIL-04).
pub(crate) fn disorder_on_the_way(play: &mut Resolution<'_, Batteries>, unit: UnitId, from: Pose) {
    decides!(BB_STA_01, BB_HIL_04);
    let battle = play.battle();
    let (state, facts) = (*battle.unit(unit), *battle.facts(unit));
    if state.disordered || battle.fixed.terrain.is_empty() {
        return;
    }
    let footprint = state.footprint(&facts, battle.numbers());
    let to = state.pose;
    let turn = from.heading.turn_to(to.heading).to_hundredths();
    let sweep = if turn == 0 { 60.0 } else { footprint.frontage().f() + footprint.depth().f() };
    let corridor = Placed::new(&footprint, from).bounds().join(battle.bounds(unit)).grown(sweep);
    let horse = battle.arm(unit) == Arm::Horse;
    if !battle.may_disorder_in(corridor, horse) {
        return;
    }
    // Looked at so closely that nothing that any figure crosses lies between two places.
    let (quarter, arc) = (Length::inch_fraction(1, 4).f(), Angle::hundredths(turn).to_radians().abs());
    let along = (to.at.v() - from.at.v()).length() + arc * (footprint.frontage().f() + footprint.depth().f());
    let least = if turn == 0 { 24 } else { 8 };
    let about = pivot(from, to);
    let steps = ((along / quarter) as i32 + 1).clamp(least, 400);
    for step in 1..=steps {
        let pose = match about {
            Some(pivot) => from.turned_about(pivot, Angle::hundredths(turn * step / steps)),
            None => {
                let at = from.at.v().toward(to.at.v(), f64::from(step) / f64::from(steps));
                Pose::new(sabretache_table::Point::rounded(at), from.heading)
            }
        };
        let placed = Placed::new(&footprint, if step == steps { to } else { pose });
        let slope = horse && battle.on_slope(&placed);
        let by = battle.disordering(&state, &facts, &placed).or(slope.then_some(BB_HIL_04));
        if let Some(by) = by {
            play.happen(Event::Disordered { unit, by });
            return;
        }
    }
}

/// The place about which a body turns that goes from one pose to another on an arc; nothing where it does not turn.
fn pivot(from: Pose, to: Pose) -> Option<Vec2> {
    let turn = from.heading.turn_to(to.heading);
    let sweep = (Heading::NORTH + turn).unit();
    let (sine, cosine) = (sweep.x, sweep.y);
    let chord = to.at.v() - from.at.v();
    let middle = from.at.v().toward(to.at.v(), 0.5);
    match turn == Angle::ZERO {
        true => None,
        // Half a circle turns about the middle of its chord.
        false if sine.abs() < 1e-9 => Some(middle),
        false => Some(middle + chord.right() * ((1.0 + cosine) / (2.0 * sine))),
    }
}

/// A unit that has come to stand in ground that disorders is disordered, however it came there (BB-TER-01).
pub(crate) fn settle_in_ground(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_TER_01);
    let battle = play.battle();
    if battle.fixed.terrain.is_empty() {
        return;
    }
    let broken = |unit: &UnitId| !battle.unit(*unit).disordered && battle.disordered_here(*unit).is_some();
    let entered: SmallVec<[UnitId; 4]> = battle.all().filter(broken).collect();
    for unit in entered {
        if let Some(by) = play.battle().disordered_here(unit) {
            play.happen(Event::Disordered { unit, by });
        }
    }
}

/// Ground that disorders where a rout ends.
pub(crate) fn disorder_where_it_ends(play: &mut Resolution<'_, Batteries>, unit: UnitId, _from: Pose) {
    let battle = play.battle();
    let state = battle.unit(unit);
    let by = battle.disordering(state, battle.facts(unit), &battle.placed(unit)).filter(|_| !state.disordered);
    if let Some(by) = by {
        play.happen(Event::Disordered { unit, by });
    }
}

/// Lone generals with enemies upon them join their nearest troops, or are taken (BB-LEA-10).
pub(crate) fn escort_generals(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_LEA_10);
    for n in 0..play.battle().generals.len() {
        let general = OfficerId(n as u16);
        let battle = play.battle();
        let leader = battle.general(general);
        if !leader.there() || leader.with.is_some() {
            continue;
        }
        let place = Convex::place(leader.at.v());
        let near = battle.numbers().refuge.near.0.f() + NEAR;
        let threatened = battle.of(leader.side.other()).filter(|enemy| !battle.launched(*enemy)).any(|enemy| {
            let placed = battle.outline(enemy);
            placed.bounds().grown(near).holds(leader.at.v()) && exact_distance(&place, placed) < near
        });
        if !threatened {
            continue;
        }
        let reach = battle.numbers().refuge.within.0.f() + NEAR;
        let mut own: Vec<(f64, UnitId)> = battle
            .of(leader.side)
            .filter(|unit| battle.may_influence(general, *unit) && battle.facts(*unit).screen_of.is_none())
            .map(|unit| (exact_distance(&place, battle.outline(unit)), unit))
            .collect();
        own.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        match own.first().filter(|(distance, _)| *distance <= reach) {
            Some((_, unit)) => {
                let unit = *unit;
                play.happen(Event::Joined { general, unit });
            }
            None => play.happen(Event::GeneralLost { general }),
        }
    }
}
