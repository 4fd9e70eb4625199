//! Orders: who may order whom, the roll, and what follows from failing it (HZ-ORD-01 to HZ-ORD-46, HZ-FOR-04 to HZ-FOR-08,
//! HZ-APP-01 to HZ-APP-08, HZ-REA-01 to HZ-REA-09).

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::Wanted;
use sabretache_table::{Length, Zone};
use smallvec::SmallVec;

use super::{Play, act, deploy, fallback, harm, reinforce, roll, setup, throw, turn};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence, SpokeTo};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::situations::{AppointSituation, OrderSituation, RearmContingent, RearmSituation};
use crate::state::{Acting, Addressee, ForcedMove, Stage};
use crate::table::{Field, command, contact, ground, zones};
use crate::troops::{Arm, Forced, Formation, Level, Order};

/// Why something is not allowed.
pub type Barred = (Clause, &'static str);

const ORDERS: [Order; 4] = [Order::Advance, Order::Retire, Order::Manoeuvre, Order::Deploy];

// ------------------------------------------------------------------ who may speak, and to whom

/// Whether an officer may give any order now (HZ-ORD-10, HZ-ORD-11, HZ-ORD-14, HZ-APP-06).
pub fn may_speak(battle: &Battle, officer: OfficerId) -> Result<(), Barred> {
    let state = battle.officer(officer);
    if battle.officer_facts(officer).side != battle.phasing || state.status != OfficerStatus::Present {
        return Err((HZ_ORD_37, "He is not on the table"));
    }
    if state.failed {
        return Err((HZ_ORD_10, "He has failed an order this turn"));
    }
    if state.spoke && battle.doing.speaker != Some(officer) {
        return Err((HZ_ORD_11, "Another officer has given orders since"));
    }
    if battle.turn < state.orders_from {
        return Err((HZ_APP_06, "He gives orders from next turn on"));
    }
    if state.with.is_none() && senior_spoke(battle, battle.acts_for(officer)) {
        return Err((HZ_ORD_14, "An officer above him has given orders"));
    }
    Ok(())
}

/// Whether an officer above a command, not attached to a unit, has given orders to groups.
fn senior_spoke(battle: &Battle, command: CommandId) -> bool {
    let mut here = battle.command_facts(command).above;
    while let Some(above) = here {
        let spoke = battle.leader(above).is_some_and(|id| {
            let officer = battle.officer(id);
            officer.spoke && officer.spoke_to.is_some() && officer.with.is_none() && battle.acts_for(id) == above
        });
        if spoke {
            return true;
        }
        here = battle.command_facts(above).above;
    }
    false
}

/// Whether a command's own officer, or one between it and the command above, has given orders himself (HZ-ORD-14).
fn junior_spoke(battle: &Battle, command: CommandId, below: CommandId) -> bool {
    let mut here = Some(command);
    while let Some(id) = here.filter(|&id| id != below) {
        let spoke = battle.leader(id).is_some_and(|officer| {
            let state = battle.officer(officer);
            state.spoke && state.with.is_none() && battle.acts_for(officer) == id
        });
        if spoke {
            return true;
        }
        here = battle.command_facts(id).above;
    }
    false
}

/// Whether an officer may order this addressee, whatever the order (HZ-ORD-03 to HZ-ORD-14, HZ-ORD-32, HZ-ORD-37).
pub fn may_address(battle: &Battle, officer: OfficerId, to: Addressee) -> Result<(), Barred> {
    let state = battle.officer(officer);
    if let Some(with) = state.with {
        return match to {
            Addressee::Unit(unit) if unit == with => {
                if battle.unit(unit).routing {
                    Err((HZ_ORD_35, "Routing units take no orders"))
                } else {
                    closed_unit(battle, unit)
                }
            }
            _ => Err((HZ_ORD_32, "He is attached to a unit and can order only that")),
        };
    }
    let own = battle.acts_for(officer);
    let level = battle.command_facts(own).level;
    if level == Level::Army {
        return Err((HZ_ORD_03, "The commander in chief has no direct command"));
    }
    let at = match to {
        Addressee::Unit(_) => SpokeTo::Units,
        Addressee::Group(id) => match battle.command_facts(id).level {
            Level::Brigade => SpokeTo::Brigades,
            Level::Division => SpokeTo::Divisions,
            Level::Corps | Level::Army => SpokeTo::Corps,
        },
    };
    if state.spoke_to.is_some_and(|level| level != at) {
        return Err((HZ_ORD_13, "He has given orders at another level"));
    }
    match to {
        Addressee::Unit(unit) => {
            if level != Level::Brigade || battle.facts(unit).brigade != own {
                let clause = if level == Level::Corps { HZ_ORD_04 } else { HZ_ORD_06 };
                return Err((clause, "He does not order single units"));
            }
            if battle.attached_to(unit).is_some() {
                return Err((HZ_ORD_32, "An officer is attached to it and alone orders it"));
            }
            if battle.unit(unit).routing {
                return Err((HZ_ORD_35, "Routing units take no orders"));
            }
            if battle.command(own).silenced {
                return Err((HZ_ORD_09, "Its command receives no further orders this phase"));
            }
            closed_unit(battle, unit)
        }
        Addressee::Group(id) => {
            if !battle.is_within(id, own) {
                return Err((HZ_ORD_04, "That is not his command"));
            }
            if level == Level::Brigade && id != own {
                return Err((HZ_ORD_08, "A brigade officer orders his brigade or its units"));
            }
            if battle.command(id).silenced {
                return Err((HZ_ORD_09, "It receives no further orders this phase"));
            }
            if battle.command(id).closed {
                return Err((HZ_ORD_12, "It has had its orders"));
            }
            if reinforce::still_to_come(battle, id) {
                return Err((HZ_REI_14, "Part of it is not due to arrive yet"));
            }
            if id != own && junior_spoke(battle, id, own) {
                return Err((HZ_ORD_14, "Its own officer has given orders"));
            }
            Ok(())
        }
    }
}

fn closed_unit(battle: &Battle, unit: UnitId) -> Result<(), Barred> {
    if battle.unit(unit).closed {
        return Err((HZ_ORD_12, "It has had its orders"));
    }
    if !battle.is_present(unit) {
        return match reinforce::may_enter(battle, unit) {
            Ok(_) => Ok(()),
            Err((HZ_REI_03, _)) => Err((HZ_QUA_12, "It is not on the table")),
            Err(barred) => Err(barred),
        };
    }
    Ok(())
}

/// The units that an order is for (HZ-ORD-41).
#[must_use]
pub fn units_ordered(battle: &Battle, officer: OfficerId, to: Addressee) -> SmallVec<[UnitId; 16]> {
    match to {
        Addressee::Unit(unit) => SmallVec::from_slice(&[unit]),
        Addressee::Group(id) => {
            let own = battle.acts_for(officer);
            battle
                .units_of(id)
                .filter(|&unit| {
                    let brigade = battle.facts(unit).brigade;
                    (battle.is_present(unit) || reinforce::may_enter(battle, unit).is_ok())
                        && !battle.unit(unit).routing
                        && battle.attached_to(unit).is_none()
                        && !battle.command(brigade).silenced
                        && (brigade == own || !junior_spoke(battle, brigade, own))
                })
                .collect()
        }
    }
}

/// Whether a unit may act on an order at all: not in contact, blown, under recall or spent (HZ-ORD-43, HZ-ORD-45, HZ-BLO-07).
pub fn may_act(field: &Field<'_>, unit: UnitId, order: Order) -> Result<(), Barred> {
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    if state.presence == Presence::Awaited {
        reinforce::may_enter(battle, unit)?;
        return if order == Order::Advance {
            Ok(())
        } else {
            Err((HZ_REI_03, "Reinforcements come on with an advance order"))
        };
    }
    let recall = state.forced == Some(Forced::Recall);
    if order == Order::Recall {
        return if recall { Ok(()) } else { Err((HZ_BLO_08, "It needs no recall")) };
    }
    if recall {
        return Err((HZ_BLO_07, "Cavalry under recall obeys no other order"));
    }
    if state.blown {
        return Err((HZ_ORD_45, "Blown cavalry cannot move until it reforms"));
    }
    if state.spent {
        return Err((HZ_ADV_11, "It acts on no further orders this phase"));
    }
    if field.enemies(unit).any(|(enemy, _)| contact::touch(field, unit, enemy)) || contact::is_engaged(field, unit) {
        return Err((HZ_ORD_43, "It is in contact with the enemy"));
    }
    let unlimbered = facts.arm == Arm::Artillery && state.formation == Formation::Line;
    match order {
        Order::Manoeuvre | Order::Deploy if reinforce::hangs_over_edge(field, unit) => {
            Err((HZ_REI_08, "It has still to come on to the table with all it has"))
        }
        Order::Advance if battle.allowance(unit) <= Length::ZERO => {
            Err((HZ_ADV_01, "It cannot move in this formation"))
        }
        Order::Retire if unlimbered => Err((HZ_RET_07, "Unlimbered artillery cannot retire")),
        Order::Retire | Order::Advance if state.formation == Formation::Garrison => {
            Err((HZ_BLD_17, "A garrison leaves by deploying"))
        }
        Order::Manoeuvre if matches!(state.formation, Formation::Square | Formation::Garrison) => {
            Err((HZ_MAN_05, "A square cannot manoeuvre"))
        }
        _ => Ok(()),
    }
}

// ------------------------------------------------------------------ the facts of the roll

/// The facts of an order roll.
#[must_use]
pub fn situation(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> OrderSituation {
    let battle = field.battle;
    let units = units_ordered(battle, officer, to);
    let mut facts = plain_facts(battle, officer, to, order);
    let garrison = |unit: UnitId| battle.unit(unit).sector.is_some();
    facts.in_threat_zone = units.iter().any(|&unit| zones::in_any_zone(field, unit));
    facts.in_dense_terrain = !battle.lay.terrain.is_empty()
        && units.iter().any(|&unit| {
            field.get(unit).is_some_and(|placed| ground::dense_for_orders(battle, placed, garrison(unit)))
        });
    facts.cavalry_ahead = order == Order::Advance && units.iter().any(|&unit| cavalry_ahead(field, unit));
    let radius = battle.radius(officer);
    facts.in_command = units.iter().all(|&unit| {
        let off_table = battle.unit(unit).presence == Presence::Awaited && reinforce::in_command(battle, officer, unit);
        battle.officer(officer).with == Some(unit) || off_table || command::within_radius(field, officer, unit, radius)
    });
    if order == Order::Advance {
        facts.turns_held_back = reinforce::held_back(battle, &units);
    }
    facts
}

/// The facts that need no measuring.
fn plain_facts(battle: &Battle, officer: OfficerId, to: Addressee, order: Order) -> OrderSituation {
    let state = battle.officer(officer);
    let (moves, others, broken, isolated, own) = match to {
        Addressee::Unit(id) => {
            let unit = battle.unit(id);
            (unit.moves, unit.others, 0, battle.is_isolated(id), battle.facts(id).brigade)
        }
        Addressee::Group(id) => {
            let group = battle.command(id);
            (group.moves, group.others, battle.broken_below_for_orders(id), battle.has_isolated(id), id)
        }
    };
    let mut failed_check = false;
    let mut here = Some(own);
    while let Some(id) = here {
        failed_check |= battle.command(id).passed == Some(false);
        here = battle.command_facts(id).above;
    }
    OrderSituation {
        officer: battle.ability(officer),
        level: battle.command_facts(battle.officer_facts(officer).command).level,
        order,
        broken,
        isolated,
        earlier_moves: moves,
        earlier_others: others,
        dearer_moves: battle.lay.options.dear_orders,
        failed_check,
        attached: state.with.is_some(),
        inspirational: state.inspirational,
        forced: is_forced(battle, officer, to, order).is_some(),
        ..OrderSituation::default()
    }
}

/// Whether infantry that advances is near enough to enemy cavalry (HZ-ORD-20).
fn cavalry_ahead(field: &Field<'_>, unit: UnitId) -> bool {
    let battle = field.battle;
    if battle.facts(unit).arm != Arm::Infantry {
        return false;
    }
    let Some(placed) = field.get(unit) else { return false };
    let facts = battle.facts(unit);
    let depth = battle.lay.length(battle.numbers().zones.depth(facts.arm, battle.unit(unit).formation, facts.guns));
    let reach = battle.allowance(unit) + depth;
    let touch = battle.lay.sizes.touch;
    field.enemies(unit).any(|(enemy, there)| {
        if battle.facts(enemy).arm != Arm::Cavalry {
            return false;
        }
        if zones::threatens(field, enemy, unit) || zones::threatens_basic(field, unit, enemy) {
            return true;
        }
        zones::faces(battle, unit).into_iter().any(|face| {
            let raw = Zone::before(placed, face, reach).cut(field.friends(unit).map(|(_, friend)| friend));
            let screens = zones::ends_zone(field, unit, face, reach);
            let edge = crate::table::shape::lengthened(placed.face(face), touch.f());
            let wide = Zone::from_face(edge, placed.outward(face), raw.depth() + touch);
            wide.nearest(there).is_some() && wide.look(there, screens.iter()).any()
        })
    })
}

/// The unit whose forced order this would be (HZ-FOR-04).
#[must_use]
pub fn is_forced(battle: &Battle, officer: OfficerId, to: Addressee, order: Order) -> Option<UnitId> {
    let Addressee::Unit(unit) = to else { return None };
    let forced = matches!(battle.unit(unit).forced, Some(Forced::Line | Forced::Square));
    (order == Order::Deploy && forced && proper_officer(battle, unit) == Some(officer)).then_some(unit)
}

/// Who is to issue a unit's forced order.
fn proper_officer(battle: &Battle, unit: UnitId) -> Option<OfficerId> {
    battle.attached_to(unit).or_else(|| battle.leader(battle.facts(unit).brigade))
}

// ------------------------------------------------------------------ what may be ordered

/// Whether an order may be given, all in all.
pub fn may_order(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> Result<(), Barred> {
    let battle = field.battle;
    may_speak(battle, officer)?;
    may_address(battle, officer, to)?;
    if matches!(order, Order::Appoint | Order::Rearm) {
        return Err((HZ_ORD_36, "That is for the commander in chief"));
    }
    let units = units_ordered(battle, officer, to);
    if !units.iter().any(|&unit| may_act(field, unit, order).is_ok()) {
        if let (Addressee::Group(id), true) = (to, units.is_empty()) {
            reinforce::may_come_on(battle, id)?;
        }
        return Err((HZ_ORD_29, "No unit addressed may act on it"));
    }
    if !can_be_issued(field, officer, to, order) {
        return Err((HZ_ORD_25, "His rating is too low to issue it"));
    }
    Ok(())
}

/// The rating is above 1 (HZ-ORD-25). Measuring is done only where it could matter.
fn can_be_issued(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> bool {
    let numbers = field.battle.numbers();
    let mut worst = plain_facts(field.battle, officer, to, order);
    worst.in_threat_zone = true;
    worst.in_dense_terrain = true;
    worst.cavalry_ahead = true;
    worst.can_be_issued(numbers) || situation(field, officer, to, order).can_be_issued(numbers)
}

/// All orders open to the phasing side.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Offer::EndOrders);
    let field = Field::of(battle);
    if battle.doing.free
        && let (Some(officer), Some(to)) = (battle.doing.speaker, battle.doing.addressee)
    {
        let units = units_ordered(battle, officer, to);
        for order in ORDERS {
            if may_address(battle, officer, to).is_ok()
                && units.iter().any(|&unit| may_act(&field, unit, order).is_ok())
            {
                out.push(Offer::FreeOrder(order));
            }
        }
    }
    for officer in battle.officer_ids() {
        if may_speak(battle, officer).is_err() {
            continue;
        }
        addressees(battle, officer, |to| {
            if may_address(battle, officer, to).is_err() {
                return;
            }
            let units = units_ordered(battle, officer, to);
            for order in ORDERS.into_iter().chain([Order::Recall]) {
                if units.iter().any(|&unit| may_act(&field, unit, order).is_ok())
                    && can_be_issued(&field, officer, to, order)
                {
                    out.push(Offer::Order { officer, to, order });
                }
            }
        });
    }
    chief_offers(&field, out);
}

/// Everyone an officer might address.
pub fn addressees(battle: &Battle, officer: OfficerId, mut each: impl FnMut(Addressee)) {
    if let Some(with) = battle.officer(officer).with {
        each(Addressee::Unit(with));
        return;
    }
    let own = battle.acts_for(officer);
    let facts = battle.command_facts(own);
    if facts.level == Level::Army {
        return;
    }
    each(Addressee::Group(own));
    if facts.level == Level::Brigade {
        facts
            .units
            .iter()
            .filter(|&&n| matches!(battle.unit(UnitId(n)).presence, Presence::Present | Presence::Awaited))
            .for_each(|&n| each(Addressee::Unit(UnitId(n))));
        return;
    }
    for id in battle.command_ids() {
        if id != own && battle.is_within(id, own) {
            each(Addressee::Group(id));
        }
    }
}

/// Appointing and rearming (HZ-ORD-36).
fn chief_offers(field: &Field<'_>, out: &mut Vec<Offer>) {
    let battle = field.battle;
    if may_command_in_chief(battle).is_err() {
        return;
    }
    for officer in battle.officer_ids() {
        if may_appoint(field, officer).is_ok() {
            out.push(Offer::Appoint(officer));
        }
    }
    if may_rearm(battle).is_ok() {
        out.push(Offer::Rearm);
    }
}

fn may_command_in_chief(battle: &Battle) -> Result<(), Barred> {
    let chief = battle.chief(battle.phasing);
    let state = battle.officer(chief);
    if matches!(state.status, OfficerStatus::Killed | OfficerStatus::Captured) {
        return Err((HZ_OFF_25, "The commander in chief is lost, and nobody takes his place"));
    }
    may_speak(battle, chief)?;
    if state.with.is_some() || state.supersedes.is_some() {
        return Err((HZ_APP_03, "The commander in chief is attached or has superseded an officer"));
    }
    Ok(())
}

/// Whether a vacant post can be filled (HZ-APP-01 to HZ-APP-03).
pub fn may_appoint(field: &Field<'_>, officer: OfficerId) -> Result<(), Barred> {
    let battle = field.battle;
    let chief = battle.chief(battle.phasing);
    let state = battle.officer(officer);
    if officer == chief {
        return Err((HZ_OFF_25, "Nobody appoints a commander in chief"));
    }
    if battle.officer_facts(officer).side != battle.phasing
        || !matches!(state.status, OfficerStatus::Killed | OfficerStatus::Captured)
    {
        return Err((HZ_APP_01, "The post is not vacant"));
    }
    if state.lost >= battle.turn {
        return Err((HZ_APP_01, "The post fell vacant this turn"));
    }
    let command = battle.officer_facts(officer).command;
    if battle.is_gone(command) {
        return Err((HZ_APP_02, "The command has left the table"));
    }
    let radius = battle.radius(chief);
    let present = battle.units_of(command).filter(|&unit| battle.is_present(unit));
    if !present.into_iter().all(|unit| command::within_radius(field, chief, unit, radius)) {
        return Err((HZ_APP_02, "Not all of the command is within the radius of the commander in chief"));
    }
    let facts = appointment(battle, officer);
    if facts.test(battle.numbers()).target() <= battle.numbers().no_order_at {
        return Err((HZ_ORD_25, "His rating is too low to issue it"));
    }
    Ok(())
}

/// Vacant posts that cannot be filled now, and why.
pub(crate) fn closed_appointments(field: &Field<'_>, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    for officer in battle.officer_ids() {
        let vacant = matches!(battle.officer(officer).status, OfficerStatus::Killed | OfficerStatus::Captured);
        if battle.officer_facts(officer).side != battle.phasing || !vacant {
            continue;
        }
        let allowed = may_command_in_chief(battle).and_then(|()| may_appoint(field, officer));
        if let Err((clause, says)) = allowed {
            out.push((Offer::Appoint(officer), Refusal::new(clause, says)));
        }
    }
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

/// Whether ammunition can be brought up (HZ-REA-01).
pub fn may_rearm(battle: &Battle) -> Result<(), Barred> {
    may_command_in_chief(battle)?;
    let depleted = battle
        .present(battle.phasing)
        .any(|id| battle.facts(id).arm == Arm::Artillery && battle.unit(id).bombardments == 0);
    if depleted { Ok(()) } else { Err((HZ_REA_01, "No battery is without bombardments")) }
}

// ------------------------------------------------------------------ giving orders

/// An order is issued and rolled for.
pub(crate) fn issue(play: &mut Play<'_>, officer: OfficerId, to: Addressee, order: Order) -> Result<(), Halt> {
    let allowed = may_order(&Field::of(play.battle()), officer, to, order);
    if let Err((clause, says)) = allowed {
        play.refuse(Refusal::new(clause, says))?;
    }
    let facts = situation(&Field::of(play.battle()), officer, to, order);
    let forced = is_forced(play.battle(), officer, to, order);
    play.happen(Event::Ordered { officer, to, order, free: false });
    if order == Order::Advance {
        let units = units_ordered(play.battle(), officer, to);
        reinforce::choose_first(play, &units);
    }
    disobeyed(play, officer, to, order, forced);
    let side = play.battle().phasing;
    let test = facts.test(play.battle().numbers());
    let total = roll(play, "order", Some(officer.into()), side, &test)?;
    let outcome = facts.read(play.battle().numbers(), total);
    if outcome.succeeded {
        play.happen(Event::Obeyed { officer, to, order, huzzah: outcome.free_order, free: false });
        return act::next_unit(play);
    }
    if let Some(unit) = forced {
        play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_05 });
        harm::stagger(play, unit, outcome.staggers, HZ_FOR_05);
    }
    if outcome.runs_away {
        let units = units_ordered(play.battle(), officer, to);
        lose_control(play, &units);
    }
    fail(play, officer, HZ_ORD_26)
}

/// The phasing side wants no more orders, or no second appointment (HZ-ORD-44).
pub(crate) fn end(play: &mut Play<'_>) -> Result<(), Halt> {
    if play.battle().stage != Stage::SecondAppointment {
        play.happen(Event::OrdersEnding);
    }
    turn::before_order(play)
}

/// A second officer may be appointed, or not.
pub(crate) fn second_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Offer::EndOrders);
    let field = Field::of(battle);
    out.extend(battle.officer_ids().filter(|&officer| may_appoint(&field, officer).is_ok()).map(Offer::AppointToo));
}

/// The free order after a Huzzah! (HZ-ORD-33).
pub(crate) fn issue_free(play: &mut Play<'_>, order: Order) -> Result<(), Halt> {
    let (Some(officer), Some(to), true) =
        (play.battle().doing.speaker, play.battle().doing.addressee, play.battle().doing.free)
    else {
        return Err(Refusal::new(HZ_ORD_33, "There is no free order to give").into());
    };
    let forced = is_forced(play.battle(), officer, to, order);
    play.happen(Event::Ordered { officer, to, order, free: true });
    disobeyed(play, officer, to, order, forced);
    play.happen(Event::Obeyed { officer, to, order, huzzah: false, free: true });
    act::next_unit(play)
}

/// Orders put before a forced one cost the unit a stagger each (HZ-FOR-06).
fn disobeyed(play: &mut Play<'_>, officer: OfficerId, to: Addressee, order: Order, forced: Option<UnitId>) {
    if forced.is_some() {
        return;
    }
    let side = play.battle().phasing;
    let slighted: SmallVec<[UnitId; 4]> = {
        let battle = play.battle();
        let ordered = units_ordered(battle, officer, to);
        let slighted = |&unit: &UnitId| {
            let holds = matches!(battle.unit(unit).forced, Some(Forced::Line | Forced::Square));
            let group = matches!(to, Addressee::Group(id) if battle.is_within(battle.facts(unit).brigade, id));
            let fulfils = order == Order::Deploy && ordered.contains(&unit);
            holds && !fulfils && (group || proper_officer(battle, unit) == Some(officer))
        };
        battle.present(side).filter(slighted).collect()
    };
    for unit in slighted {
        let by = play.battle().numbers().forced_disobeyed;
        harm::stagger(play, unit, by, HZ_FOR_06);
    }
}

/// An order failed: by the dice, or because nobody acted on it.
pub(crate) fn fail(play: &mut Play<'_>, officer: OfficerId, clause: Clause) -> Result<(), Halt> {
    let battle = play.battle();
    if officer == battle.chief(battle.officer_facts(officer).side) {
        play.happen(Event::OrderFailed { officer, command: None, clause });
        play.happen(Event::OrdersOver { clause: HZ_ORD_02 });
        return finish(play);
    }
    let command = battle.acts_for(officer);
    play.happen(Event::OrderFailed { officer, command: Some(command), clause });
    fallback::next(play)
}

/// Those of these units that were not recalled lose control; their owner says who runs first (HZ-BLO-10).
fn lose_control(play: &mut Play<'_>, units: &[UnitId]) {
    for &unit in units {
        if play.battle().is_present(unit) && play.battle().unit(unit).forced == Some(Forced::Recall) {
            play.happen(Event::Forced { unit, order: None, clause: HZ_BLO_10 });
            play.happen(Event::MustMove { unit, forced: Some(ForcedMove::RunAway) });
        }
    }
}

/// Cavalry out of control has run: on with the orders, or on to the officers.
pub(crate) fn resume(play: &mut Play<'_>) -> Result<(), Halt> {
    if play.battle().doing.ending { turn::begin_officers(play) } else { turn::before_order(play) }
}

/// Whether a unit with a forced order has still to use the deploy order in hand for it (HZ-FOR-04).
#[must_use]
pub fn owes_forced(field: &Field<'_>, acting: &Acting) -> bool {
    let owes = |unit: UnitId| {
        let mut offers = Vec::new();
        if matches!(field.unit(unit).forced, Some(Forced::Line | Forced::Square)) {
            deploy::offers(field, unit, &mut offers);
        }
        !offers.is_empty()
    };
    acting.order == Order::Deploy && act::waiting(field, acting).into_iter().any(owes)
}

/// The order has been carried out as far as it will be.
pub(crate) fn done(play: &mut Play<'_>) -> Result<(), Halt> {
    let Some(acting) = play.battle().doing.acting else { return turn::before_order(play) };
    let owes = owes_forced(&Field::of(play.battle()), &acting);
    play.require(!owes, HZ_FOR_04, || "A unit must use the order to obey its forced order".into())?;
    if acting.order == Order::Recall {
        // One recall that is obeyed serves every unit addressed that needs it (HZ-BLO-08).
        for unit in units_ordered(play.battle(), acting.officer, acting.to) {
            if play.battle().unit(unit).forced == Some(Forced::Recall) {
                play.happen(Event::Forced { unit, order: None, clause: HZ_BLO_09 });
            }
        }
    } else if !acting.acted {
        return fail(play, acting.officer, HZ_ORD_29);
    }
    play.happen(Event::OrderDone { huzzah: acting.huzzah && !acting.free });
    turn::before_order(play)
}

/// The commander in chief fills a vacant post (HZ-APP-04).
pub(crate) fn appoint(play: &mut Play<'_>, officer: OfficerId) -> Result<(), Halt> {
    let allowed = may_command_in_chief(play.battle()).and_then(|()| may_appoint(&Field::of(play.battle()), officer));
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
    let total = roll(play, "appoint officer", Some(chief.into()), side, &test)?;
    if !facts.succeeds(play.battle().numbers(), total) {
        return fail(play, chief, HZ_APP_04);
    }
    let outcome = facts.read(play.battle().numbers(), total, None);
    fill_post(play, officer, outcome.at_once)?;
    if outcome.may_appoint_another {
        play.happen(Event::Now { stage: Stage::SecondAppointment });
        return Ok(());
    }
    turn::before_order(play)
}

/// A second appointment without a roll, which ends the phase (HZ-APP-07).
pub(crate) fn appoint_too(play: &mut Play<'_>, officer: OfficerId) -> Result<(), Halt> {
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
    let side = play.battle().phasing;
    let chief = play.battle().chief(side);
    let situation = setup::officer_situation(play.battle(), officer, false);
    let total = throw(play, "officer quality", Some(officer.into()), side, Wanted::Low)?;
    let ability = situation.read(play.battle().numbers(), total).ability;
    let battle = play.battle();
    let gap = battle.officer_facts(chief).base + battle.officer_facts(officer).base;
    let at = super::officers::free_spot_by(battle, officer, battle.officer_at(chief), gap);
    let orders_from = battle.turn + u16::from(!at_once);
    play.happen(Event::Appointed { officer, ability, at, orders_from });
    Ok(())
}

/// The commander in chief brings up ammunition (HZ-REA-03 to HZ-REA-09).
pub(crate) fn rearm(play: &mut Play<'_>) -> Result<(), Halt> {
    if let Err((clause, says)) = may_rearm(play.battle()) {
        play.refuse(Refusal::new(clause, says))?;
    }
    let side = play.battle().phasing;
    let chief = play.battle().chief(side);
    let (numbers, facts) = rearming(play.battle());
    play.happen(Event::Rearming { side });
    let best = facts.each(play.battle().numbers()).max_by_key(sabretache_engine::test::Test::target);
    let Some(best) = best else { return fail(play, chief, HZ_REA_09) };
    let total = roll(play, "rearm", Some(chief.into()), side, &best)?;
    let outcome = facts.read(play.battle().numbers(), total);
    if !outcome.succeeded {
        return fail(play, chief, HZ_REA_09);
    }
    for (&contingent, result) in numbers.iter().zip(&outcome.contingents) {
        if result.rearmed {
            play.happen(Event::Rearmed { contingent, factor: result.factor });
        }
    }
    turn::before_order(play)
}

/// The contingents that have batteries on the table, and the facts of rearming them.
#[must_use]
pub fn rearming(battle: &Battle) -> (Vec<u16>, RearmSituation) {
    let mut numbers = Vec::new();
    let mut contingents = Vec::new();
    for (n, facts) in battle.lay.contingents.iter().enumerate().filter(|(_, facts)| facts.side == battle.phasing) {
        let of =
            |id: &UnitId| usize::from(battle.facts(*id).contingent) == n && battle.facts(*id).arm == Arm::Artillery;
        let batteries = battle.present(battle.phasing).filter(of).count();
        let depleted =
            battle.present(battle.phasing).filter(of).filter(|&id| battle.unit(id).bombardments == 0).count();
        if batteries > 0 {
            numbers.push(n as u16);
            let (batteries, depleted) = (batteries.min(255) as u8, depleted.min(255) as u8);
            contingents.push(RearmContingent {
                factor: battle.factors[n],
                most: Some(facts.most),
                batteries,
                depleted,
            });
        }
    }
    let chief = battle.officer(battle.chief(battle.phasing));
    (numbers, RearmSituation { contingents, attached: chief.with.is_some(), superseding: chief.supersedes.is_some() })
}

// ------------------------------------------------------------------ the end of the phase

/// Forced orders that make no sense any more lapse (HZ-FOR-08).
pub(crate) fn lapse_forced(play: &mut Play<'_>) {
    let side = play.battle().phasing;
    let lapsed: SmallVec<[UnitId; 4]> = {
        let field = Field::of(play.battle());
        play.battle()
            .present(side)
            .filter(|&unit| {
                matches!(play.battle().unit(unit).forced, Some(Forced::Line | Forced::Square)) && lapses(&field, unit)
            })
            .collect()
    };
    for unit in lapsed {
        play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_08 });
    }
}

fn lapses(field: &Field<'_>, unit: UnitId) -> bool {
    let state = field.unit(unit);
    let formed = match state.forced {
        Some(Forced::Line) => state.formation == Formation::Line,
        Some(Forced::Square) => state.formation == Formation::Square,
        _ => false,
    };
    formed || state.routing || field.enemies(unit).any(|(enemy, _)| contact::touch(field, unit, enemy))
}

/// The orders phase is over: forced orders that were not issued fail, cavalry that was not recalled runs away
/// (HZ-FOR-07, HZ-BLO-10).
pub(crate) fn finish(play: &mut Play<'_>) -> Result<(), Halt> {
    lapse_forced(play);
    let side = play.battle().phasing;
    let units: SmallVec<[UnitId; 16]> = play.battle().present(side).collect();
    for &unit in &units {
        if matches!(play.battle().unit(unit).forced, Some(Forced::Line | Forced::Square)) {
            play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_07 });
            let by = play.battle().numbers().forced_failed;
            harm::stagger(play, unit, by, HZ_FOR_07);
        }
    }
    lose_control(play, &units);
    reinforce::hold_back(play);
    if !play.battle().doing.ending {
        play.happen(Event::OrdersEnding);
    }
    fallback::next(play)
}
