//! The phases of a turn in the order of play, and what a side may do in each.

pub(crate) mod aftermath;
pub(crate) mod allowed;
pub(crate) mod arrivals;
pub(crate) mod charges;
pub(crate) mod clearing;
pub(crate) mod combat;
pub(crate) mod despite;
pub(crate) mod detach;
pub(crate) mod follows;
pub(crate) mod formations;
pub(crate) mod generals;
pub(crate) mod inputs;
pub(crate) mod morale;
pub(crate) mod movement;
pub(crate) mod pursuit;
pub(crate) mod resolve;
pub(crate) mod returns;
pub(crate) mod rout;
pub(crate) mod screens;
pub(crate) mod shooting;
pub(crate) mod turn;
pub(crate) mod victory;

use sabretache_engine::decides;
use sabretache_engine::ids::Named;
use sabretache_engine::offer::Refusal;

use crate::battle::{Battle, Pending, Step};
use crate::clauses::BB_SEQ_01;
use crate::offer::Offer;
use crate::words::terms::within;
use charges::answers;

/// All that the deciding side may do: what it is asked for, else what the step of the turn is for (BB-SEQ-01).
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    match battle.pending {
        Some(pending) => asked(battle, pending, out),
        None => in_step(battle, out),
    }
}

/// Who might act now.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    match (battle.pending, battle.step) {
        (None, Step::MoveA | Step::MoveB) => movement::offers::might_act(battle, out),
        (None, Step::AimA | Step::AimB) => shooting::orders::might_act(battle, out),
        _ => {
            for offer in all_asked(battle) {
                let actor = actor(battle, offer);
                if !out.contains(&actor) {
                    out.push(actor);
                }
            }
        }
    }
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, who: Option<Named>, out: &mut Vec<Offer>) {
    match (battle.pending, battle.step) {
        (None, Step::MoveA | Step::MoveB) => movement::offers::offers_of(battle, who, out),
        (None, Step::AimA | Step::AimB) => shooting::orders::offers_of(battle, who, out),
        _ => out.extend(all_asked(battle).iter().filter(|offer| actor(battle, offer) == who)),
    }
}

fn all_asked(battle: &Battle) -> &[Offer] {
    battle.asked(|| {
        let mut all = Vec::new();
        offers(battle, &mut all);
        all
    })
}

/// Who would act by an offer: the general who rides, the unit that does it or of which something is asked.
pub(crate) fn actor(battle: &Battle, offer: &Offer) -> Option<Named> {
    let asked = battle.pending.map(|pending| pending.unit());
    let own = match *offer {
        Offer::Ride(general) | Offer::Join { general, .. } => return Some(general.into()),
        Offer::Advance(unit) | Offer::Pass { unit, .. } | Offer::Retire(unit) | Offer::Wheel(unit) => Some(unit),
        Offer::Head(unit) | Offer::March(unit) | Offer::Push(unit) | Offer::Face(unit) => Some(unit),
        Offer::TurnAbout(unit) | Offer::Form(unit) | Offer::Charge(unit) | Offer::Launch(unit) => Some(unit),
        Offer::CallOff(unit) | Offer::RoutOnPurpose(unit) | Offer::Clear(unit) | Offer::Test(unit) => Some(unit),
        Offer::HoldBack(unit) | Offer::Recall(unit) => Some(unit),
        Offer::Oblique { unit, .. } | Offer::Sidestep { unit, .. } | Offer::Abandon { unit, .. } => Some(unit),
        Offer::Shoot { unit, .. } | Offer::ShootFrom { unit, .. } | Offer::Enter { unit, .. } => Some(unit),
        Offer::Detach { unit, .. } | Offer::Shift { unit, .. } | Offer::Emerge { unit, .. } => Some(unit),
        Offer::Favour { unit, .. } | Offer::Pursue { unit, .. } | Offer::Screen { unit, .. } => Some(unit),
        Offer::Batter(order) => Some(order.unit),
        Offer::Bear { garrison, .. } => Some(garrison),
        Offer::Roll | Offer::BeFirst | Offer::BeSecond | Offer::EndMoves | Offer::EndAiming => None,
        Offer::Fight | Offer::CarryOn => None,
        Offer::Stand | Offer::FireFirst | Offer::EvadeWay | Offer::Evade { .. } => asked,
        Offer::Halt | Offer::GoOn | Offer::ChargeOn | Offer::FireAtOnce(_) | Offer::HoldFire => asked,
        Offer::RoutFacing(_) | Offer::RoutAway(_) | Offer::RoutInto(_) => asked,
        Offer::GoRound | Offer::HaltThere | Offer::Refill => asked,
    };
    own.map(Named::from)
}

fn asked(battle: &Battle, pending: Pending, out: &mut Vec<Offer>) {
    match pending {
        Pending::Evade { charger, target, way } => answers::when_charged(battle, charger, target, way, out),
        Pending::Onward { charger } | Pending::Overrun { charger } => answers::when_clear(battle, charger, out),
        Pending::AtOnce { unit, charger } => answers::when_reached_late(battle, unit, charger, out),
        Pending::Rout { unit, least, cause } => rout::offers(battle, unit, least, cause, out),
        Pending::Detour { .. } => out.extend([Offer::GoRound, Offer::HaltThere]),
        Pending::Refill { .. } => out.push(Offer::Refill),
        Pending::Aim { unit } => {
            out.extend(battle.open_aim().into_iter().map(|enemy| Offer::Favour { unit, enemy }));
        }
        Pending::Toll { garrison } => {
            out.extend(battle.tied_to_bear(garrison).into_iter().map(|unit| Offer::Bear { garrison, unit }));
        }
    }
}

fn in_step(battle: &Battle, out: &mut Vec<Offer>) {
    decides!(BB_SEQ_01);
    match battle.step {
        Step::Initiative => out.push(Offer::Roll),
        Step::Choice => out.extend([Offer::BeFirst, Offer::BeSecond]),
        Step::MoveA | Step::MoveB => movement::offers::offers(battle, out),
        Step::AimA | Step::AimB => shooting::orders::offers(battle, out),
        Step::ChargeTests | Step::Overruns | Step::PanicTests | Step::HitTests | Step::LoserTests => {
            match battle.testing() {
                Some(side) => out.extend(battle.due(side).into_iter().map(Offer::Test)),
                None => out.push(Offer::CarryOn),
            }
        }
        Step::Combat => match battle.open_tie() {
            Some((unit, tied)) => out.extend(tied.into_iter().map(|enemy| Offer::Favour { unit, enemy })),
            None => out.push(Offer::Fight),
        },
        Step::Pursuits => pursuit::offers(battle, out),
        Step::Over => {}
    }
}

/// What might be expected and is not allowed; what cannot be done at all is told from what is only forbidden.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let before = out.len();
    match (battle.pending, battle.step) {
        (Some(Pending::Evade { charger, target, .. }), _) => {
            let refusal = answers::fire_first(battle, charger, target).err();
            out.extend(refusal.map(|refusal| (Offer::FireFirst, refusal)));
        }
        (Some(_), _) => {}
        (None, Step::MoveA | Step::MoveB) => movement::offers::closed(battle, out),
        (None, Step::AimA | Step::AimB) => shooting::orders::closed(battle, out),
        _ => {}
    }
    for (offer, refusal) in &mut out[before..] {
        refusal.impossible |= battle.despite(offer).is_none();
        refusal.sentence = within(&refusal.sentence);
    }
}
