//! Rally, rout, reform and compulsory casualties (HZ-SMK-01, HZ-RAL-01 to HZ-RAL-17, HZ-ROU-07, HZ-CAS-01 to HZ-CAS-05). Before them come
//! the command [`checks`], and broken commands [`reorganise`].

pub mod checks;
pub mod offers;
pub mod reorganise;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Heading, Placed, Pose, Vec2};
use smallvec::SmallVec;

use super::{Play, advance, deploy, harm, manoeuvre, roll_for, rout, shift, turn};
use crate::battle::Battle;
use crate::clauses::{
    HZ_BLO_01, HZ_BLO_05, HZ_BLO_06, HZ_BLO_14, HZ_BLO_15, HZ_CAS_01, HZ_CAS_02, HZ_CAS_05, HZ_CHK_01, HZ_RAL_01,
    HZ_RAL_02, HZ_RAL_07, HZ_RAL_08, HZ_RAL_09, HZ_RAL_14, HZ_RAL_15, HZ_RAL_16, HZ_ROU_07, HZ_SEQ_04, HZ_SMK_01,
    HZ_SMK_02,
};
use crate::event::Event;
use crate::muster::can_form;
use crate::situations::{RallySituation, ReformSituation};
use crate::state::{ForcedMove, Stage};
use crate::table::{Field, command, shape, support, zones};
use crate::troops::{Arm, Forced, Formation};

/// Smoke clears from the phasing side's batteries; then routers try to rally.
pub(crate) fn begin(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_CHK_01, HZ_SEQ_04);
    let side = play.battle().phasing;
    let batteries: Vec<UnitId> = play.battle().present(side).filter(|&id| play.battle().unit(id).smoke > 0).collect();
    for unit in batteries {
        let cleared = play.battle().numbers().smoke_cleared;
        decides!(HZ_SMK_01, HZ_SMK_02);
        let by = if play.battle().is_unlimbered(unit) { cleared.unlimbered } else { cleared.limbered };
        let by = by.min(play.battle().unit(unit).smoke);
        if by > 0 {
            play.happen(Event::SmokeClears { unit, by });
        }
    }
    next_rally(play)
}

/// Routers that have still to roll (HZ-RAL-01).
#[must_use]
pub fn routers(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    decides!(HZ_RAL_02);
    battle.present(battle.phasing).filter(|&id| battle.unit(id).routing && !battle.unit(id).rolled).collect()
}

/// Blown and staggered units that have still to roll.
#[must_use]
pub fn reformers(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    let due = |&id: &UnitId| {
        let unit = battle.unit(id);
        decides!(HZ_BLO_05, HZ_RAL_02, HZ_RAL_15);
        !unit.routing && !unit.rolled && (unit.blown || unit.staggers > 0)
    };
    battle.present(battle.phasing).filter(due).collect()
}

/// The next router rolls, or those that failed run on.
fn next_rally(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_CHK_01);
    if !routers(play.battle()).is_empty() {
        play.happen(Event::Now { stage: Stage::Rally });
        return Ok(());
    }
    next_rout(play)
}

/// The next rout move; a single router runs without asking.
pub(crate) fn next_rout(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_ROU_07);
    let units = rout::routs(play.battle());
    match units.as_slice() {
        [] => next_reform(play),
        [only] => rout::rout(play, *only),
        _ => {
            play.happen(Event::Now { stage: Stage::Rout });
            Ok(())
        }
    }
}

/// The next unit reforms, or the phase comes to its end.
fn next_reform(play: &mut Play<'_>) -> Result<(), Halt> {
    if !reformers(play.battle()).is_empty() {
        play.happen(Event::Now { stage: Stage::Reform });
        return Ok(());
    }
    casualties(play)
}

/// The facts of a rally.
#[must_use]
pub fn rally_situation(field: &Field<'_>, unit: UnitId) -> RallySituation {
    decides!(HZ_RAL_07, HZ_RAL_08);
    let battle = field.battle;
    let state = battle.unit(unit);
    RallySituation {
        quality: battle.quality(unit),
        staggers: state.staggers,
        kills: state.kills,
        blown: state.blown,
        horse: battle.facts(unit).horse,
        in_threat_zone: !zones::threats_on(field, unit).is_empty(),
        in_command: command::in_command(field, unit),
        officer: battle.attached(unit),
    }
}

/// The facts of a reform.
#[must_use]
pub fn reform_situation(field: &Field<'_>, unit: UnitId) -> ReformSituation {
    decides!(HZ_RAL_07, HZ_RAL_08, HZ_RAL_09);
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let threats = zones::threats_on(field, unit);
    let against = support::opponents_at_rest(field, unit);
    ReformSituation {
        quality: battle.quality(unit),
        arm: facts.arm,
        formation: state.formation,
        horse: facts.horse,
        staggers: state.staggers,
        kills: state.kills,
        blown: state.blown,
        in_threat_zone: !threats.is_empty(),
        flank_or_rear: zones::from_flank_or_rear(&threats),
        in_command: command::in_command(field, unit),
        position: support::position(field, unit, &against, support::Test::Threat),
        officer: battle.attached(unit),
    }
}

/// A router tries to rally.
pub(crate) fn rally(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let due = routers(play.battle()).contains(&unit);
    play.require(due, HZ_RAL_01, || "It is not routing, or has rolled already".into())?;
    let facts = rally_situation(&Field::of(play.battle()), unit);
    let test = facts.test(play.battle().numbers());
    let side = play.battle().phasing;
    let outcome = roll_for(play, "rally", Some(unit.into()), side, &test, |numbers, total| facts.read(numbers, total))?;
    play.happen(Event::Rolled { unit });
    if outcome.removed > 0 {
        play.happen(Event::Recovered { unit, by: outcome.removed });
    }
    if outcome.rallied {
        play.happen(Event::Rallied { unit });
        decides!(HZ_BLO_01);
        if play.battle().unit(unit).blown {
            // One successful roll ends the rout and the blown state alike (HZ-BLO-01).
            play.happen(Event::Blown { unit, blown: false });
        }
        return form_up(play, unit);
    }
    play.happen(Event::MustMove { unit, forced: Some(ForcedMove::Rout) });
    next_rally(play)
}

/// The formations open to a unit that has rallied, each with where it would stand: on its centre, facing the enemy (HZ-RAL-14).
#[must_use]
pub fn rally_formations(battle: &Battle, unit: UnitId) -> SmallVec<[(Formation, Pose); 6]> {
    let field = Field::of(battle);
    let facts = battle.facts(unit);
    let contingent = &battle.lay.contingents[usize::from(facts.contingent)];
    let Some(placed) = field.get(unit) else { return SmallVec::new() };
    let centre = placed.centre();
    let heading = if battle.unit(unit).blown {
        // Cavalry that lost control keeps the facing of its last movement (HZ-BLO-15).
        battle.unit(unit).pose.heading
    } else {
        let enemy = support::nearest(&field, unit).and_then(|enemy| field.get(enemy));
        let home = battle.command_facts(facts.brigade).communication.v();
        enemy.map_or_else(|| Heading::toward(home, centre), |there| Heading::toward(centre, there.centre()))
    };
    // Artillery rallies limbered.
    let allowed = |formation: Formation| {
        can_form(facts, contingent, formation) && (facts.arm != Arm::Artillery || formation == Formation::MarchColumn)
    };
    let pose = |formation: Formation, spot: Vec2| {
        shape::pose_about(spot, heading, facts.footprints[formation.index()].depth())
    };
    let formations = || Formation::ALL.iter().copied().filter(|&formation| allowed(formation));
    let at = |spot: Vec2| -> SmallVec<[(Formation, Pose); 6]> {
        let there = formations().map(|formation| (formation, pose(formation, spot)));
        there.filter(|&(formation, pose)| deploy::fits_rallied(&field, unit, formation, pose)).collect()
    };
    let open = at(centre);
    if !open.is_empty() {
        return open;
    }
    let home = battle.command_facts(facts.brigade).communication.v();
    let footprints: SmallVec<[Placed; 6]> =
        formations().map(|formation| battle.placed_as(unit, formation, pose(formation, centre))).collect();
    let stands = |by: Vec2| !at(centre + by).is_empty();
    let least = shift::least_shift(&field, unit, &footprints, stands, |by| (centre + by - home).length());
    least.map(|by| at(centre + by)).unwrap_or_default()
}

/// Takes a formation: the only one there is room for, or the owner's choice.
fn form_up(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let open = rally_formations(play.battle(), unit);
    match open.as_slice() {
        [] => {
            // There is no room on the whole table.
            harm::break_unit(play, unit, crate::body::Presence::Shattered, HZ_RAL_14);
            after_forming(play, unit)
        }
        [only] => {
            let (formation, pose) = *only;
            play.happen(Event::Formed { unit, formation, pose });
            after_forming(play, unit)
        }
        _ => {
            play.happen(Event::Now { stage: Stage::Formation });
            Ok(())
        }
    }
}

/// The owner has chosen.
pub(crate) fn form(play: &mut Play<'_>, formation: Formation) -> Result<(), Halt> {
    let unit = play.battle().doing.forming;
    let found = unit.and_then(|unit| {
        rally_formations(play.battle(), unit).into_iter().find(|one| one.0 == formation).map(|one| (unit, one.1))
    });
    let Some((unit, pose)) = found else {
        return Err(Refusal::new(HZ_RAL_14, "There is no room for that formation").into());
    };
    play.happen(Event::Formed { unit, formation, pose });
    after_forming(play, unit)
}

fn after_forming(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    if play.battle().is_present(unit) {
        let touched = manoeuvre::ends_touching(play.battle(), unit);
        advance::stagger_friends_by(play, unit, &touched, HZ_RAL_14);
    }
    if play.battle().is_present(unit) {
        super::fallback::shift_officers(play, unit);
        if play.battle().unit(unit).blown {
            play.happen(Event::Blown { unit, blown: false });
        }
    }
    play.happen(Event::Finished { unit });
    next_rally(play)
}

/// A blown or staggered unit tries to reform.
pub(crate) fn reform(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let due = reformers(play.battle()).contains(&unit);
    play.require(due, HZ_RAL_01, || "It has no order to restore, or has rolled already".into())?;
    let facts = reform_situation(&Field::of(play.battle()), unit);
    let test = facts.test(play.battle().numbers());
    let side = play.battle().phasing;
    let outcome =
        roll_for(play, "reform", Some(unit.into()), side, &test, |numbers, total| facts.read(numbers, total))?;
    play.happen(Event::Rolled { unit });
    if outcome.removed > 0 {
        play.happen(Event::Recovered { unit, by: outcome.removed });
    }
    decides!(HZ_RAL_16, HZ_BLO_15);
    if facts.blown && !outcome.blown {
        if play.battle().unit(unit).formation == Formation::Mob {
            // Cavalry that lost control forms up on the spot, as its owner likes; till then it is blown (HZ-BLO-15).
            play.happen(Event::Rallied { unit });
            return form_up(play, unit);
        }
        play.happen(Event::Blown { unit, blown: false });
    }
    decides!(HZ_BLO_06, HZ_BLO_14);
    if outcome.recall {
        play.happen(Event::Forced { unit, order: Some(Forced::Recall), clause: HZ_BLO_06 });
    }
    next_reform(play)
}

/// A kill for every unit of the phasing side that still has staggers (HZ-CAS-01).
fn casualties(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_CAS_01);
    let side = play.battle().phasing;
    decides!(HZ_CAS_02, HZ_CAS_05);
    let units: Vec<UnitId> = play.battle().present(side).filter(|&id| play.battle().unit(id).staggers > 0).collect();
    for unit in units {
        let by = play.battle().numbers().casualty_kills;
        harm::kill(play, unit, by, HZ_CAS_01);
    }
    turn::end_phases(play)
}
