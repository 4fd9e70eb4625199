//! Cavalry that come upon enemy they did not charge: these may answer (MB-CHG-08, MB-RES-27).

use crate::phases::charge;
use crate::phases::fleeing;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Heading, Length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Assault, Response, Status};
use crate::clauses::{MB_CHG_08, MB_CHG_12, MB_CHG_15, MB_MOV_24, MB_RES_27};
use crate::event::{Event, FastMove};
use crate::phases::charge::offers::Charges;
use crate::phases::charge::{arrive, distance_of, finish_ride, ridden, ride_both};
use crate::phases::fleeing::fall_back;
use crate::phases::harm::Play;
use crate::phases::movement::throw_dice;
use crate::phases::pursuit::{catch, go_after};
use crate::phases::refused_flank;
use crate::situations::{MoveDice, MoveRoll};
use crate::table::path::Going;
use crate::troops::Formation;

/// A charge or pursuit that comes upon an enemy it was not aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Met {
    /// Who charges or pursues.
    pub charger: UnitId,
    /// Whom it comes upon.
    pub target: UnitId,
    /// The heading of the move, in hundredths of a degree.
    pub heading: u16,
    /// Its dice.
    pub roll: MoveRoll,
    /// How far they take it.
    pub distance: Length,
    /// The move of a pursuit; nothing for a charge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pursuit: Option<FastMove>,
    /// The other rides to meet it, and names his dice.
    #[serde(default)]
    pub counters: bool,
}

/// Whether an enemy that is come upon has an answer to give: fresh cavalry that have given none yet.
pub(crate) fn may_answer_meeting(battle: &Battle, charger: UnitId, target: UnitId) -> bool {
    let one = battle.brigade(target);
    let steady = one.status == Status::Steady || (one.status == Status::Retired && !one.runs());
    let fresh = steady && one.kind.is_cavalry() && one.marks.onset.response == Response::None;
    let free = fresh && !matches!(one.marks.carried.attack, Assault::Declared { .. } | Assault::Charged { .. });
    free && (may_get_away(battle, target) || may_ride_to_meet(battle, target, charger))
}

/// Whether cavalry that are come upon may evade: unformed, and held by nobody.
fn may_get_away(battle: &Battle, unit: UnitId) -> bool {
    battle.brigade(unit).is_unformed() && !charge::is_held(battle, unit)
}

fn may_ride_to_meet(battle: &Battle, unit: UnitId, charger: UnitId) -> bool {
    let one = battle.brigade(unit);
    let touching = battle.close_enemies(unit).any(|enemy| battle.touch(unit, enemy));
    !touching
        && one.formation != Formation::MarchColumn
        && battle.faces(unit, charger, Length::inches(60))
        && battle.sees(unit, charger)
        && !charge::charge_dice(battle, unit).is_empty()
}

/// Whether foot that a charge comes upon have time to turn about or draw back an end (MB-CHG-16).
pub(crate) fn may_turn_in_time(battle: &Battle, charger: UnitId, target: UnitId) -> bool {
    let one = battle.brigade(target);
    one.kind.is_foot()
        && one.status == Status::Steady
        && one.marks.onset.response == Response::None
        && (charge::can_turn(battle, target, &[charger]).is_ok()
            || [true, false]
                .iter()
                .any(|left| refused_flank::can_guard_flank(battle, target, *left, &[charger]).is_ok()))
}

pub(crate) fn offers(battle: &Battle, met: Met, out: &mut Vec<Offer>) {
    let (unit, charger) = (met.target, met.charger);
    if met.counters {
        charge::dice_offers(battle, unit, out);
        return;
    }
    out.push(Charges::Receive(unit).into());
    if battle.brigade(unit).kind.is_foot() {
        if charge::can_turn(battle, unit, &[charger]).is_ok() {
            out.push(Charges::TurnToMeet(unit).into());
        }
        for left in [true, false] {
            if refused_flank::can_guard_flank(battle, unit, left, &[charger]).is_ok() {
                out.push(Charges::GuardFlank { unit, left }.into());
            }
        }
        return;
    }
    if may_ride_to_meet(battle, unit, charger) {
        out.push(Charges::CounterCharge { unit, charger }.into());
    }
    if may_get_away(battle, unit) {
        out.push(Charges::Evade(unit).into());
    }
}

/// What the enemy that was come upon does.
pub(crate) fn answer(play: &mut Play<'_>, met: Met, offer: Charges) -> Result<(), Halt> {
    let Met { charger, target, .. } = met;
    match offer {
        Charges::Receive(unit) if unit == target && !met.counters => {
            play.happen(Event::Responded { unit, response: Response::Stands });
            play.happen(Event::MetOver);
            go_on(play, met)
        }
        Charges::TurnToMeet(unit) if unit == target && met.pursuit.is_none() => {
            charge::can_turn(play.battle(), unit, &[charger])?;
            play.happen(Event::MetOver);
            charge::turn(play, unit)?;
            go_on(play, met)
        }
        Charges::GuardFlank { unit, left } if unit == target && met.pursuit.is_none() => {
            let refused = refused_flank::can_guard_flank(play.battle(), unit, left, &[charger])?;
            play.happen(Event::MetOver);
            refused_flank::draw_back(play, unit, refused);
            go_on(play, met)
        }
        Charges::CounterCharge { unit, charger: at } if unit == target && at == charger && !met.counters => {
            let may = may_ride_to_meet(play.battle(), unit, charger);
            play.require(may, MB_CHG_12, || "it cannot ride to meet them".into())?;
            play.happen(Event::Responded { unit, response: Response::CounterCharges(charger) });
            play.happen(Event::Met { met: Met { counters: true, ..met } });
            Ok(())
        }
        Charges::Evade(unit) if unit == target && !met.counters => {
            let loose = may_get_away(play.battle(), unit);
            play.require(loose, MB_CHG_15, || "only unformed cavalry that touch nobody evade".into())?;
            let battle = play.battle();
            let away = Heading::toward(battle.figure(charger).centre(), battle.figure(unit).centre());
            play.happen(Event::Responded { unit, response: Response::Evades(charger) });
            play.happen(Event::MetOver);
            fall_back(play, unit, FastMove::Evade, Some(away))?;
            go_on(play, met)
        }
        Charges::ChargeDice { unit, dice } if unit == target && met.counters => {
            let suits = charge::charge_dice(play.battle(), unit).contains(&dice);
            play.require(suits, MB_MOV_24, || "cavalry change their speed by two dice at most".into())?;
            play.happen(Event::MetOver);
            ride_to_meet(play, met, dice)
        }
        _ => Err(stranger(met, &offer.into()).into()),
    }
}

/// Only those who were come upon choose anything, among the ways in which a charge is answered.
pub(crate) fn may_choose(met: Met, offer: &Offer) -> Result<(), Refusal> {
    if matches!(offer, Offer::Charges(_)) { Ok(()) } else { Err(stranger(met, offer)) }
}

/// Why an offer is no answer.
fn stranger(met: Met, offer: &Offer) -> Refusal {
    let clause = match offer {
        Offer::Charges(Charges::ChargeDice { .. }) => MB_MOV_24,
        _ if met.pursuit.is_some() => MB_RES_27,
        _ => MB_CHG_08,
    };
    Refusal::new(clause, "it is for those who were come upon to answer")
}

/// The charge or pursuit goes on as its dice have it.
fn go_on(play: &mut Play<'_>, met: Met) -> Result<(), Halt> {
    let heading = Heading::hundredths(met.heading.into());
    let Some(action) = met.pursuit else { return finish_ride(play, met.charger, met.roll, met.distance, heading) };
    let quarry = fleeing::quarry(play.battle(), met.charger).unwrap_or(met.target);
    go_after(play, met.charger, quarry, action, met.roll, heading, met.distance)
}

/// Both ride: they meet in between (MB-CHG-14).
fn ride_to_meet(play: &mut Play<'_>, met: Met, dice: MoveDice) -> Result<(), Halt> {
    let theirs = throw_dice(play, met.target, dice)?;
    let Some(action) = met.pursuit else { return ride_both(play, met.charger, met.roll, met.target, theirs) };
    let (a, b) = (met.distance, distance_of(play, met.target, &theirs));
    let battle = play.battle();
    let (began, stood) = (battle.figure(met.charger).clone(), battle.brigade(met.charger).pose);
    let heading = Heading::hundredths(met.heading.into());
    let course = charge::course_to_meet(battle, met.target, heading);
    let ways = [heading.unit() * a.f(), course.unit() * b.f()];
    let [ours, theirs_now] = [met.charger, met.target].map(|one| battle.figure(one));
    let share = Length::floored(a.f() * charge::meet_after(ours, ways[0], theirs_now, ways[1]).unwrap_or(1.0)).min(a);
    let quarry = fleeing::quarry(battle, met.charger).unwrap_or(met.target);
    go_after(play, met.charger, quarry, action, met.roll, heading, share)?;
    let battle = play.battle();
    if !battle.brigade(met.target).is_unit() {
        return Ok(());
    }
    let started = battle.figure(met.target).clone();
    let reach = battle.reach(met.target, course, b, Going::headlong());
    let to = ridden(battle, met.target, course, reach.distance);
    play.happen(Event::Charged { unit: met.target, to, roll: theirs, touched: reach.touched.is_some() });
    arrive(play, met.target, &started, reach.touched, theirs, &reach, Some((met.charger, stood)))?;
    if play.battle().brigade(met.charger).is_unit() { catch(play, met.charger, &began) } else { Ok(()) }
}
