//! Choices carried out.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Choice, Halt, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Angle, Direction, Length};

use crate::Batteries;
use crate::battle::{Order, Pending, Step};
use crate::clauses::*;
use crate::event::{Event, How};
use crate::offer::Offer;
use crate::phases::allowed::allowed;
use crate::phases::charges::answers::{go_on, react};
use crate::phases::despite::break_off;
use crate::phases::movement::marches::{another, face, form, go, march, push, wheel};
use crate::phases::pursuit::chase;
use crate::phases::rout::ways::Look;
use crate::phases::shooting::orders::take_aim;
use crate::phases::{morale, pursuit, rout, screens, turn};

/// Carries out a choice up to the next decision.
pub(crate) fn resolve(play: &mut Resolution<'_, Batteries>, choice: &Choice<Offer>) -> Result<(), Halt> {
    let (wanted, breaks) = allowed(play, choice)?;
    if let Some(unit) = mover(&choice.offer).filter(|unit| breaks && play.battle().in_contact(*unit)) {
        break_off(play, unit);
    }
    let mut gaps = play.battle().screen_gaps();
    let plots = play.battle().launch.as_ref().map(|launch| launch.unit);
    let distance = choice.value.distance().unwrap_or(Length::ZERO);
    let angle = choice.value.wheel().unwrap_or(Angle::ZERO);
    match choice.offer {
        Offer::Roll => turn::initiative(play)?,
        Offer::BeFirst => turn::chosen(play, play.battle().first)?,
        Offer::BeSecond => turn::chosen(play, play.battle().first.other())?,
        Offer::Advance(unit) => go(play, unit, Direction::Ahead, How::Advance, distance, Some(&wanted))?,
        Offer::Pass { unit, by, .. } => {
            let (direction, how) = play.battle().stride(unit, by)?;
            match how {
                How::March => march(play, unit, play.battle().march_way(unit)?, distance),
                _ => go(play, unit, direction, how, distance, None)?,
            }
            play.happen(Event::WentThrough { unit });
        }
        Offer::Oblique { unit, right } => {
            let direction = crate::phases::movement::offers::oblique(play.battle(), unit, right);
            go(play, unit, direction, How::Oblique, distance, None)?;
        }
        Offer::Sidestep { unit, right } => {
            go(play, unit, if right { Direction::Right } else { Direction::Left }, How::Sidestep, distance, None)?;
        }
        Offer::Retire(unit) => go(play, unit, Direction::Back, How::Retire, distance, None)?,
        Offer::Wheel(unit) => wheel(play, unit, angle),
        Offer::Head(unit) => {
            another(play, unit);
            let way = play.battle().unit(unit).pose.heading + angle;
            play.happen(Event::Headed { unit, way });
        }
        Offer::Push(unit) => {
            let columns = if breaks { Vec::new() } else { play.battle().push(unit)?.1 };
            push(play, unit, &columns, distance);
        }
        Offer::March(unit) => {
            let way = play.battle().march_way(unit)?;
            march(play, unit, way, distance);
        }
        Offer::Face(unit) => {
            let (to, cost) = (play.battle().turned(unit, angle), play.battle().turn_cost(unit, angle));
            crate::phases::charges::launch::note_nearing_in_turn(play, unit, angle);
            face(play, unit, to, cost.max(Length::um(1)));
        }
        Offer::TurnAbout(unit) => {
            let to = play.battle().turned(unit, Angle::HALF);
            face(play, unit, to, Length::ZERO);
        }
        Offer::Form(unit) => {
            let name = choice.value.formation().ok_or(WrongValue("which formation?".into()))?;
            form(play, unit, name, breaks)?;
        }
        Offer::Charge(unit) => {
            let battle = play.battle();
            let run = match battle.charge_despite(unit).filter(|_| breaks) {
                Some(run) => run,
                None => battle.run(unit)?,
            };
            let payer = if breaks { battle.who_pays(unit).unwrap_or(None) } else { battle.who_pays(unit)? };
            let before = play.battle().launch.as_ref().and_then(|launch| launch.before);
            if let Some(before) = before.filter(|before| *before != unit) {
                play.happen(Event::MoveOver { unit: before });
            }
            another(play, unit);
            if let Some(general) = payer {
                play.happen(Event::PointSpent { general });
            }
            crate::phases::charges::contact::charge(play, unit, &run)?;
        }
        Offer::Launch(unit) => play.happen(Event::Launched { unit }),
        Offer::CallOff(unit) => play.happen(Event::CalledOff { unit }),
        Offer::RoutOnPurpose(unit) => {
            another(play, unit);
            decides!(BB_OPT_55);
            play.happen(Event::RoutsOnPurpose { unit });
            rout::rout(play, unit, None)?;
        }
        Offer::Abandon { unit, right } => {
            let (guns, to) = play.battle().can_abandon(unit, right)?;
            another(play, unit);
            play.happen(Event::Abandons { unit, guns, to });
        }
        Offer::Clear(unit) => {
            another(play, unit);
            play.happen(Event::Works { unit });
        }
        Offer::Ride(general) => {
            let to = choice.value.point().ok_or(WrongValue("where to?".into()))?;
            play.happen(Event::Rode { general, to });
        }
        Offer::Join { general, unit } => play.happen(Event::Joined { general, unit }),
        Offer::EndMoves => turn::moves_over(play)?,
        Offer::Stand | Offer::FireFirst | Offer::EvadeWay | Offer::Evade { .. } => {
            react(play, &choice.offer, distance, angle)?
        }
        Offer::Halt | Offer::GoOn | Offer::ChargeOn => go_on(play, &choice.offer, distance)?,
        Offer::Shoot { unit, at, shot } => take_aim(play, Order { unit, at, shot, side: None, favours: Vec::new() }),
        Offer::Enter { unit, block } => {
            let inside = play.battle().inside(unit, block)?;
            another(play, unit);
            play.happen(Event::Entered { unit, block, inside });
        }
        Offer::Detach { unit, block, stands } => {
            let (part, figures, start) = play.battle().can_detach(unit, block, stands)?;
            let inside = play.battle().inside(part, block)?;
            another(play, unit);
            play.happen(Event::Detached { unit, part, block, inside, figures, start });
        }
        Offer::Shift { unit, block } => {
            let inside = play.battle().inside(unit, block)?;
            another(play, unit);
            play.happen(Event::Shifted { unit, block, inside });
        }
        Offer::Emerge { unit, side } => {
            let name = choice.value.formation().ok_or(WrongValue("in which formation?".into()))?;
            let (shape, to) =
                play.battle().emerging(unit, side, name).ok_or_else(|| WrongValue(format!("it cannot form {name}")))?;
            if breaks {
                break_off(play, unit);
            }
            another(play, unit);
            let (formation, stands) = (shape.formation, shape.stands);
            play.happen(Event::Emerged { unit, to, formation, stands });
        }
        Offer::ShootFrom { unit, side, at, shot } => {
            take_aim(play, Order { unit, at, shot, side: Some(side), favours: Vec::new() });
        }
        Offer::RoutInto(block) => {
            let Some(Pending::Rout { unit, .. }) = play.battle().pending else { return Ok(()) };
            let inside = play.battle().inside(unit, block)?;
            play.happen(Event::RoutedInto { unit, block, inside });
            if !matches!(play.battle().step, Step::MoveA | Step::MoveB) {
                turn::proceed(play)?;
            }
        }
        Offer::Batter(order) => play.happen(Event::BatterOrdered { order }),
        Offer::EndAiming => turn::aimed(play)?,
        Offer::Test(unit) => {
            let over = morale::Over::in_step(play.battle().step);
            morale::test(play, unit, over)?;
            turn::proceed(play)?;
        }
        Offer::RoutFacing(_) | Offer::RoutAway(_) => {
            let Some(Pending::Rout { unit, least, cause }) = play.battle().pending else { return Ok(()) };
            let facing = matches!(choice.offer, Offer::RoutFacing(_));
            let look = if facing { Look::AtCause } else { Look::Away };
            rout::run(play, unit, least, distance, look, cause)?;
            if !matches!(play.battle().step, Step::MoveA | Step::MoveB) {
                turn::proceed(play)?;
            }
        }
        Offer::FireAtOnce(_) | Offer::HoldFire => {
            let Some(Pending::AtOnce { unit, charger }) = play.battle().pending else { return Ok(()) };
            let shot = if let Offer::FireAtOnce(shot) = choice.offer { Some(shot) } else { None };
            crate::phases::charges::contact::at_once(play, unit, charger, shot)?;
        }
        Offer::Favour { unit, enemy } => {
            play.happen(Event::Favoured { unit, enemy });
            if play.battle().pending.is_some() && play.battle().open_aim().is_empty() {
                play.happen(Event::Settled);
            }
        }
        Offer::Bear { garrison, unit } => {
            play.happen(Event::Bears { garrison, unit });
            play.happen(Event::Settled);
            turn::losses_off(play)?;
        }
        Offer::Fight => turn::fight(play)?,
        Offer::Pursue { unit, quarry } => {
            pursuit::pursue(play, unit, quarry);
            turn::proceed(play)?;
        }
        Offer::HoldBack(unit) => {
            pursuit::hold_back(play, unit)?;
            turn::proceed(play)?;
        }
        Offer::GoRound | Offer::HaltThere => {
            let Some(Pending::Detour { unit }) = play.battle().pending else { return Ok(()) };
            chase::detour(play, unit, choice.offer == Offer::GoRound)?;
        }
        Offer::Screen { unit, stands } => {
            another(play, unit);
            screens::deploy(play, unit, stands, distance)?;
        }
        Offer::Recall(unit) => {
            another(play, unit);
            screens::recall(play, unit);
        }
        Offer::Refill => {
            let Some(Pending::Refill { screen }) = play.battle().pending else { return Ok(()) };
            let figures = choice.value.number().unwrap_or(0);
            screens::refill(play, screen, figures as u16)?;
        }
        Offer::CarryOn => turn::proceed(play)?,
    }
    crate::phases::detach::rejoin_all(play);
    // A screen stays where it is until a plotted charge is made or called off.
    gaps.retain(|(unit, ..)| Some(*unit) != plots || play.battle().unit(*unit).now.charging);
    screens::settle(play, &gaps);
    crate::phases::aftermath::escort_generals(play);
    crate::phases::aftermath::settle_in_ground(play);
    Ok(())
}

/// The unit that moves by a choice, if it does.
fn mover(offer: &Offer) -> Option<UnitId> {
    match *offer {
        Offer::Advance(unit) | Offer::Retire(unit) | Offer::Wheel(unit) | Offer::March(unit) | Offer::Push(unit) => {
            Some(unit)
        }
        Offer::Oblique { unit, .. } | Offer::Sidestep { unit, .. } | Offer::Face(unit) | Offer::TurnAbout(unit) => {
            Some(unit)
        }
        Offer::Form(unit) | Offer::Enter { unit, .. } | Offer::Shift { unit, .. } => Some(unit),
        _ => None,
    }
}
