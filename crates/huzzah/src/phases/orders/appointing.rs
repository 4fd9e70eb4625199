//! The commander in chief appoints officers to vacant posts (HZ-APP-01 to HZ-APP-08).

use sabretache_engine::decides;
use sabretache_engine::ids::OfficerId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::Wanted;

use super::super::{Play, officers, roll_for, setup, throw, turn};
use super::issuing::{fail, finish};
use super::{Barred, may_command_in_chief};
use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::*;
use crate::event::Event;
use crate::situations::AppointSituation;
use crate::state::Stage;
use crate::table::{Field, command};

/// Whether the commander in chief may appoint anybody now (HZ-APP-03).
pub fn may_appoint_at_all(battle: &Battle) -> Result<(), Barred> {
    decides!(HZ_APP_03);
    may_command_in_chief(battle).map_err(|(clause, says)| (if clause == HZ_ORD_36 { HZ_APP_03 } else { clause }, says))
}

/// Whether a vacant post can be filled (HZ-APP-01 to HZ-APP-03).
pub fn may_appoint(field: &Field<'_>, officer: OfficerId) -> Result<(), Barred> {
    let battle = field.battle;
    let chief = battle.chief(battle.phasing);
    let state = battle.officer(officer);
    decides!(HZ_OFF_25);
    if officer == chief {
        return Err((HZ_OFF_25, "Nobody appoints a commander in chief"));
    }
    decides!(HZ_APP_01);
    if battle.officer_facts(officer).side != battle.phasing
        || !matches!(state.status, OfficerStatus::Killed | OfficerStatus::Captured)
    {
        return Err((HZ_APP_01, "The post is not vacant"));
    }
    decides!(HZ_APP_01);
    if state.lost >= battle.turn {
        return Err((HZ_APP_01, "The post fell vacant this turn"));
    }
    let command = battle.officer_facts(officer).command;
    decides!(HZ_APP_02);
    if battle.is_gone(command) {
        return Err((HZ_APP_02, "The command has left the table"));
    }
    let radius = battle.radius(chief);
    let present = battle.units_of(command).filter(|&unit| battle.is_present(unit));
    decides!(HZ_APP_02);
    if !present.into_iter().all(|unit| command::within_radius(field, chief, unit, radius)) {
        return Err((HZ_APP_02, "Not all of the command is within the radius of the commander in chief"));
    }
    let facts = appointment(battle, officer);
    decides!(HZ_ORD_25);
    if facts.test(battle.numbers()).target() <= battle.numbers().no_order_at {
        return Err((HZ_ORD_25, "His rating is too low to issue it"));
    }
    Ok(())
}

fn appointment(battle: &Battle, officer: OfficerId) -> AppointSituation {
    let side = battle.phasing;
    let chief = battle.chief(side);
    let army = &battle.armies[side.index()];
    AppointSituation {
        cinc: battle.ability(chief),
        earlier_appointments: army.appointments,
        earlier_rearms: army.rearms,
        dearer_moves: battle.lay.options.dear_orders,
        another_vacancy: false,
        attached: battle.officer(chief).with.is_some(),
        superseding: battle.officer(chief).supersedes.is_some(),
        officer: setup::officer_situation(battle, officer, false),
    }
}

/// The commander in chief fills a vacant post (HZ-APP-04).
pub(crate) fn appoint(play: &mut Play<'_>, officer: OfficerId) -> Result<(), Halt> {
    decides!(HZ_APP_04);
    let allowed = may_appoint_at_all(play.battle()).and_then(|()| may_appoint(&Field::of(play.battle()), officer));
    if let Err((clause, says)) = allowed {
        play.refuse(Refusal::new(clause, says))?;
    }
    let side = play.battle().phasing;
    let chief = play.battle().chief(side);
    let mut facts = appointment(play.battle(), officer);
    facts.another_vacancy = {
        let field = Field::of(play.battle());
        play.battle().officer_ids().any(|other| other != officer && may_appoint(&field, other).is_ok())
    };
    play.happen(Event::Appointing { side });
    let test = facts.test(play.battle().numbers());
    let Some(outcome) = roll_for(play, "appoint officer", Some(chief.into()), side, &test, |numbers, total| {
        facts.succeeds(numbers, total).then(|| facts.read(numbers, total, None))
    })?
    else {
        return fail(play, chief, HZ_APP_04);
    };
    fill_post(play, officer, outcome.at_once)?;
    if outcome.may_appoint_another {
        play.happen(Event::Now { stage: Stage::SecondAppointment });
        return Ok(());
    }
    turn::before_order(play)
}

/// A second appointment without a roll, which ends the phase (HZ-APP-07).
pub(crate) fn appoint_too(play: &mut Play<'_>, officer: OfficerId) -> Result<(), Halt> {
    decides!(HZ_APP_07);
    let allowed = may_appoint(&Field::of(play.battle()), officer);
    if let Err((clause, says)) = allowed {
        play.refuse(Refusal::new(clause, says))?;
    }
    fill_post(play, officer, true)?;
    play.happen(Event::OrdersOver { clause: HZ_APP_07 });
    finish(play)
}

/// The new officer is rolled for and put next to the commander in chief (HZ-APP-05, HZ-APP-06).
fn fill_post(play: &mut Play<'_>, officer: OfficerId, at_once: bool) -> Result<(), Halt> {
    decides!(HZ_APP_05);
    let side = play.battle().phasing;
    let chief = play.battle().chief(side);
    let situation = setup::officer_situation(play.battle(), officer, false);
    let total = throw(play, "officer quality", Some(officer.into()), side, Wanted::Low)?;
    let ability = situation.read(play.battle().numbers(), total).ability;
    let battle = play.battle();
    let gap = battle.officer_facts(chief).base + battle.officer_facts(officer).base;
    let at = officers::free_spot_by(battle, officer, battle.officer_at(chief), gap);
    let orders_from = battle.turn + u16::from(!at_once);
    play.happen(Event::Appointed { officer, ability, at, orders_from });
    Ok(())
}
