//! Whether a choice is open now.

use sabretache_engine::decides;
use sabretache_engine::offer::{Choice, Halt, Input, Refusal};
use sabretache_engine::resolution::Resolution;
use sabretache_table::Unit;

use crate::Batteries;
use crate::battle::{Battle, Pending, Step};
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::charges::answers::fire_first;
use crate::phases::formations::command_points::may_form_named;
use crate::phases::inputs::input;
use crate::words::label;
use crate::words::terms::within;

/// Whether an offer is open now, or is done although it is not; its input, and whether a rule is broken.
pub(crate) fn allowed(play: &mut Resolution<'_, Batteries>, choice: &Choice<Offer>) -> Result<(Input, bool), Halt> {
    match open(play.battle(), choice) {
        Ok(input) => {
            let Err(wrong) = input.check(&choice.value, Unit::Inch) else { return Ok((input, false)) };
            // More than the rules allow, but no more than the table does.
            let battle = play.battle();
            let wider = battle.despite(&choice.offer).filter(|wider| wider.fits(&choice.value));
            let clause = label(battle, &choice.offer).clauses.first().copied();
            let breach = input.breach(&choice.value, Unit::Inch, clause);
            let (Some(wider), Some(breach)) = (wider, breach) else { return Err(wrong.into()) };
            play.refuse(breach).map_err(|_| Halt::Value(wrong))?;
            Ok((wider, true))
        }
        Err(Halt::Refused(said)) => match play.battle().despite(&choice.offer) {
            Some(input) => {
                play.refuse(tidy(said))?;
                input.check(&choice.value, Unit::Inch)?;
                Ok((input, true))
            }
            None => Err(Refusal { impossible: true, ..tidy(said) }.into()),
        },
        Err(halt) => Err(halt),
    }
}

fn tidy(refusal: Refusal) -> Refusal {
    Refusal { sentence: within(&refusal.sentence), ..refusal }
}

/// Whether an offer is open now; its input.
fn open(battle: &Battle, choice: &Choice<Offer>) -> Result<Input, Halt> {
    let offer = &choice.offer;
    let wrong = |clause, sentence: &str| Err(Halt::from(Refusal::new(clause, sentence)));
    let answers = |offer: &Offer| match battle.pending? {
        Pending::Evade { .. } => {
            Some(matches!(offer, Offer::Stand | Offer::FireFirst | Offer::EvadeWay | Offer::Evade { .. }))
        }
        Pending::Onward { .. } | Pending::Overrun { .. } => {
            Some(matches!(offer, Offer::Halt | Offer::GoOn | Offer::ChargeOn))
        }
        Pending::Rout { .. } => Some(matches!(offer, Offer::RoutFacing(_) | Offer::RoutAway(_) | Offer::RoutInto(_))),
        Pending::Detour { .. } => Some(matches!(offer, Offer::GoRound | Offer::HaltThere)),
        Pending::Refill { .. } => Some(*offer == Offer::Refill),
        Pending::AtOnce { .. } => Some(matches!(offer, Offer::FireAtOnce(_) | Offer::HoldFire)),
        Pending::Aim { .. } => Some(matches!(offer, Offer::Favour { .. })),
        Pending::Toll { .. } => Some(matches!(offer, Offer::Bear { .. })),
    };
    let answer = matches!(
        offer,
        Offer::Stand
            | Offer::FireFirst
            | Offer::EvadeWay
            | Offer::Evade { .. }
            | Offer::Halt
            | Offer::GoOn
            | Offer::ChargeOn
    ) || matches!(
        offer,
        Offer::RoutFacing(_)
            | Offer::RoutAway(_)
            | Offer::RoutInto(_)
            | Offer::GoRound
            | Offer::HaltThere
            | Offer::Refill
            | Offer::FireAtOnce(_)
            | Offer::HoldFire
            | Offer::Bear { .. }
    );
    let fits = answers(offer).unwrap_or(!answer);
    decides!(BB_SEQ_01);
    if !fits {
        return wrong(BB_SEQ_01, "that is not what is to be decided now");
    }
    let in_step = match offer {
        Offer::Roll => battle.step == Step::Initiative,
        Offer::BeFirst | Offer::BeSecond => battle.step == Step::Choice,
        Offer::EndMoves => matches!(battle.step, Step::MoveA | Step::MoveB),
        Offer::EndAiming | Offer::Shoot { .. } | Offer::ShootFrom { .. } | Offer::Batter(_) => {
            matches!(battle.step, Step::AimA | Step::AimB)
        }
        Offer::Fight => battle.step == Step::Combat && battle.open_tie().is_none(),
        Offer::Favour { unit, enemy } => match battle.pending {
            Some(Pending::Aim { unit: asked }) => asked == *unit && battle.open_aim().contains(enemy),
            _ => battle.open_tie().is_some_and(|(asked, tied)| asked == *unit && tied.contains(enemy)),
        },
        Offer::Bear { garrison, unit } => {
            let asked = matches!(battle.pending, Some(Pending::Toll { garrison: asked }) if asked == *garrison);
            asked && battle.tied_to_bear(*garrison).contains(unit)
        }
        Offer::Test(unit) => battle.testing().is_some_and(|side| battle.due(side).contains(unit)),
        Offer::Pursue { unit, quarry } => {
            let due = battle.step == Step::Pursuits && battle.to_pursue() == Some(*unit);
            due && battle.quarries(*unit).contains(quarry)
        }
        Offer::HoldBack(unit) => {
            let due = battle.step == Step::Pursuits && battle.to_pursue() == Some(*unit);
            due && !battle.unit(*unit).now.runs_wild
        }
        Offer::CarryOn => {
            let mut open = Vec::new();
            crate::phases::offers(battle, &mut open);
            open.contains(&Offer::CarryOn)
        }
        _ => true,
    };
    if !in_step {
        return wrong(BB_SEQ_01, "that does not belong to this phase");
    }
    match *offer {
        Offer::Shoot { unit, at, shot } => {
            if battle.side(unit) != battle.phasing() {
                return wrong(BB_SHO_52, "the other side aims now");
            }
            battle.may_shoot_at(unit, at, shot)?;
        }
        Offer::ShootFrom { unit, side, at, shot } => {
            if battle.side(unit) != battle.phasing() {
                return wrong(BB_SHO_52, "the other side aims now");
            }
            battle.may_shoot_from(unit, side, at, shot)?;
        }
        Offer::RoutInto(block) => {
            let Some(Pending::Rout { unit, least, .. }) = battle.pending else {
                return wrong(BB_MOR_25, "nobody routs");
            };
            if !battle.rout_blocks(unit, least).contains(&block) {
                return wrong(BB_TWN_22, "it cannot rout into that block");
            }
        }
        Offer::Batter(order) => {
            if battle.side(order.unit) != battle.phasing() {
                return wrong(BB_SHO_52, "the other side aims now");
            }
            battle.may_batter(order.unit, order.ground, order.section)?;
        }
        Offer::FireFirst => {
            if let Some(Pending::Evade { charger, target, .. }) = battle.pending {
                fire_first(battle, charger, target)?;
            }
        }
        Offer::FireAtOnce(shot) => {
            if let Some(Pending::AtOnce { unit, charger }) = battle.pending {
                battle.aim(unit, charger, shot)?;
            }
        }
        Offer::ChargeOn => {
            if let Some(Pending::Onward { charger } | Pending::Overrun { charger }) = battle.pending {
                battle.straight_run(charger)?;
            }
        }
        _ => {}
    }
    // Of the many forms that a unit might take up only the one that was chosen is looked at.
    if let (Offer::Form(unit), Some(name)) = (offer, choice.value.formation())
        && may_form_named(battle, *unit, name)
    {
        return Ok(Input::Formation { of: vec![name.to_owned()] });
    }
    Ok(input(battle, offer)?)
}
