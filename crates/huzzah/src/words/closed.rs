//! What the deciding side may not do, and why.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Refusal, Value};
use sabretache_table::{Angle, Placed, exact_distance};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::{HZ_BOM_23, HZ_BOM_24, HZ_DEP_01, HZ_FOR_04, HZ_MAN_04, HZ_SKI_07};
use crate::muster::can_form;
use crate::offer::Offer;
use crate::phases::{act, advance, bombard, checks, deploy, despite, ground, manoeuvre, officers, orders};
use crate::state::{Acting, Addressee, Stage, Way};
use crate::table::Field;
use crate::table::swing::Turn;
use crate::troops::{Arm, Forced, Formation, Level, Order};

/// What the deciding side may not do, and why.
pub fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let field = Field::of(battle);
    match battle.stage {
        Stage::Order => {
            for officer in battle
                .officer_ids()
                .filter(|&id| battle.officer_facts(id).side == battle.phasing && battle.is_there(id))
            {
                orders_closed(&field, officer, out);
            }
            chief_closed(&field, out);
        }
        Stage::Act => {
            let Some(acting) = battle.doing.acting else { return };
            acts_closed(&field, &acting, out);
        }
        Stage::Officers => officers::closed(battle, out),
        Stage::Check => checks::closed(battle, out),
        Stage::Window | Stage::Interrupt => bombardments_closed(&field, out),
        _ => {}
    }
    for (offer, refusal) in out.iter_mut() {
        refusal.impossible |= !despite::is_possible(battle, offer);
    }
}

/// Why a value that is outside the limits of an offer is refused.
#[must_use]
pub fn why_not(battle: &Battle, offer: &Offer, value: &Value) -> Option<Refusal> {
    let turn = |angle: Angle, back: bool| Turn { right: angle >= Angle::ZERO, back };
    match (*offer, value) {
        (Offer::Go { unit, way, stretch }, Value::Distance(distance)) => {
            let acting = battle.doing.acting?;
            let track = advance::track(&Field::of(battle), unit, way, &acting)?;
            let limits = *track.stretches.get(usize::from(stretch))?;
            Some(advance::too_far(battle, unit, way, *distance, limits, track.stop.1))
        }
        (Offer::Wheel(unit), Value::Wheel(angle)) => {
            Some(manoeuvre::too_far_round(battle, unit, turn(*angle, false), angle.abs().to_hundredths()))
        }
        (Offer::WheelBack(unit), Value::Wheel(angle)) => {
            Some(manoeuvre::too_far_round(battle, unit, turn(*angle, true), angle.abs().to_hundredths()))
        }
        (Offer::MoveOfficer(officer), Value::Point(to)) => officers::out_of_reach(battle, officer, *to),
        (Offer::Sight { .. }, Value::Wheel(_)) => {
            Some(Refusal::impossible(HZ_BOM_23, "Wheeled so far the battery has no clear shot at that target"))
        }
        _ => None,
    }
}

fn push(out: &mut Vec<(Offer, Refusal)>, offer: Offer, clause: Clause, says: &str) {
    out.push((offer, Refusal::new(clause, says)));
}

/// Orders that an officer may not give: those he might address, and with one order each those who are not his to order now.
fn orders_closed(field: &Field<'_>, officer: OfficerId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let mut named = Vec::new();
    orders::addressees(battle, officer, |to| {
        named.push(to);
        for order in [Order::Advance, Order::Retire, Order::Manoeuvre, Order::Deploy] {
            if let Err((clause, says)) = orders::may_order(field, officer, to, order) {
                push(out, Offer::Order { officer, to, order }, clause, says);
            }
        }
    });
    let own = battle.acts_for(officer);
    let mut others: Vec<Addressee> = Vec::new();
    if battle.command_facts(own).level != Level::Army || battle.officer(officer).with.is_some() {
        others.push(Addressee::Group(own));
    }
    others.extend(battle.units_of(own).filter(|&unit| battle.is_present(unit)).map(Addressee::Unit));
    for to in others.into_iter().filter(|to| !named.contains(to)) {
        if let Err((clause, says)) = orders::may_order(field, officer, to, Order::Advance) {
            push(out, Offer::Order { officer, to, order: Order::Advance }, clause, says);
        }
    }
}

/// What the commander in chief may not appoint or bring up.
fn chief_closed(field: &Field<'_>, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    if let Err((clause, says)) = orders::may_rearm(battle) {
        push(out, Offer::Rearm, clause, says);
    }
    for officer in battle.officer_ids().filter(|&id| battle.officer_facts(id).side == battle.phasing) {
        let vacant = matches!(battle.officer(officer).status, OfficerStatus::Killed | OfficerStatus::Captured);
        let allowed = orders::may_appoint_at_all(battle).and_then(|()| orders::may_appoint(field, officer));
        if let (true, Err((clause, says))) = (vacant, allowed) {
            push(out, Offer::Appoint(officer), clause, says);
        }
    }
}

/// What the units ordered may not do on the order in hand.
fn acts_closed(field: &Field<'_>, acting: &Acting, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    if let Some(unit) = act::must_act(field, acting) {
        let says = format!("{} must first obey its forced order", battle.facts(unit).name);
        push(out, Offer::Done, HZ_FOR_04, &says);
    }
    let ordered = orders::units_ordered(battle, acting.officer, acting.to);
    if let Addressee::Group(id) = acting.to {
        for unit in battle.units_of(id).filter(|&unit| battle.is_present(unit) && !ordered.contains(&unit)) {
            let (clause, says) = orders::why_not_ordered(battle, unit);
            for offer in acts_on(battle, unit, acting.order) {
                push(out, offer, clause, says);
            }
        }
    }
    for unit in ordered.into_iter().filter(|&unit| battle.is_present(unit)) {
        let way = if acting.order == Order::Retire { Way::Back } else { Way::Ahead };
        let go = Offer::Go { unit, way, stretch: 0 };
        if let Err((clause, says)) = orders::may_act(field, unit, acting.order) {
            for offer in acts_on(battle, unit, acting.order) {
                push(out, offer, clause, says);
            }
            continue;
        }
        match acting.order {
            Order::Advance | Order::Retire => {
                if let Some(track) = advance::track(field, unit, way, acting)
                    && track.stretches.is_empty()
                {
                    let says = format!("It cannot go that way: {}", advance::stop_words(battle, unit, track.stop.1));
                    push(out, go, advance::stop_clause(acting, track.stop.1), &says);
                }
            }
            Order::Manoeuvre if battle.is_unlimbered(unit) => {
                push(out, Offer::WheelBack(unit), HZ_MAN_04, "Unlimbered guns wheel forward only");
                for way in [Way::Left, Way::Right] {
                    push(out, Offer::Go { unit, way, stretch: 0 }, HZ_MAN_04, "Unlimbered guns do not side-step");
                }
            }
            Order::Deploy => deploys_closed(field, unit, out),
            _ => {}
        }
        if battle.unit(unit).acted != battle.doing.orders {
            ground::closed(field, unit, acting, out);
        }
    }
}

/// What a unit would do on an order, were it allowed to.
fn acts_on(battle: &Battle, unit: UnitId, order: Order) -> SmallVec<[Offer; 6]> {
    let one = |offer: Offer| SmallVec::from_slice(&[offer]);
    match order {
        Order::Manoeuvre => one(Offer::Wheel(unit)),
        Order::Recall => one(Offer::Recall(unit)),
        Order::Deploy => {
            let mut formations = deploy::formations(battle, unit);
            formations.retain(|formation| *formation != Formation::Line);
            let all = [Formation::Line].into_iter().chain(formations);
            all.map(|formation| Offer::Deploy { unit, formation }).collect()
        }
        Order::Retire => one(Offer::Go { unit, way: Way::Back, stretch: 0 }),
        _ => one(Offer::Go { unit, way: Way::Ahead, stretch: 0 }),
    }
}

/// Who lies before the other side's guns and yet cannot be bombarded.
fn bombardments_closed(field: &Field<'_>, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    for (battery, placed) in field.of_side(battle.phasing.other()) {
        if battle.facts(battery).arm != Arm::Artillery {
            continue;
        }
        let lane = bombard::lane(battle, battery, placed);
        for (target, there) in field.all().filter(|(id, _)| *id != battery) {
            if lane.nearest(there).is_some()
                && let Some((clause, says)) = bombard::why_not(field, battery, target)
            {
                push(out, Offer::Bombard { battery, target }, clause, says);
            }
        }
        sightings_closed(field, battery, placed, out);
    }
}

/// Enemies in range beside a battery's lane, for whom it may not or need not sight its guns (HZ-BOM-23 to HZ-BOM-25).
fn sightings_closed(field: &Field<'_>, battery: UnitId, placed: &Placed, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    if !bombard::may_fire(field, battery) {
        return;
    }
    let lane = bombard::lane(battle, battery, placed);
    let mut open = Vec::new();
    bombard::sightings(battle, battery, &mut open);
    let is_open = |unit: UnitId| open.iter().any(|one| matches!(one, Offer::Sight { target, .. } if *target == unit));
    for (target, there) in field.enemies(battery).filter(|(_, there)| lane.nearest(*there).is_none()) {
        let off = there.centre() - placed.centre();
        if bombard::range(battle, battery, exact_distance(placed, there)).is_none()
            || off.dot(placed.forward()) <= 0.0
            || is_open(target)
        {
            continue;
        }
        let (clause, says) = match battle.unit(battery).sighted {
            true => (HZ_BOM_24, "The battery has sighted its guns once in this phase"),
            false => {
                (HZ_BOM_23, "No wheel of 45 degrees or less brings it before the guns as the nearest legitimate target")
            }
        };
        let right = off.dot(placed.forward().right()) > 0.0;
        out.push((
            Offer::Sight { battery, target, right, back: false, through: false, run: 0 },
            Refusal::impossible(clause, says),
        ));
    }
}

/// The formations a unit cannot take up here.
fn deploys_closed(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let contingent = &battle.lay.contingents[usize::from(facts.contingent)];
    let forced = match state.forced {
        Some(Forced::FormLine) => Some(Formation::Line),
        Some(Forced::FormSquare) => Some(Formation::Square),
        _ => None,
    };
    if facts.arm == Arm::Infantry && facts.abilities.opens_order() && !deploy::may_skirmish(battle, unit) {
        let says = if facts.abilities.skirmish {
            "Staggered troops do not join the skirmish line"
        } else {
            "Only troops with the Skirmish ability join the skirmish line"
        };
        push(out, Offer::JoinSkirmishers(unit), HZ_SKI_07, says);
    }
    for &formation in Formation::ALL {
        if formation == state.formation || matches!(formation, Formation::Mob | Formation::Garrison) {
            continue;
        }
        let offer = Offer::Deploy { unit, formation };
        if !can_form(facts, contingent, formation) {
            push(out, offer, HZ_DEP_01, "Its arm and abilities do not allow that formation");
        } else if forced.is_some_and(|wanted| wanted != formation) {
            push(out, offer, HZ_FOR_04, "Its forced order comes first");
        } else if deploy::placements(field, unit, formation, true).next().is_none() {
            let (clause, says) = deploy::why_no_room(field, unit, formation);
            push(out, offer, clause, &says);
        }
    }
}
