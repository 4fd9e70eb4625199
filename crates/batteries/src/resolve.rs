//! Choices carried out.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Choice, Halt, Input, Refusal, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Angle, Direction, Heading, Length, exact_distance, wheeled_pose};

use crate::Batteries;
use crate::battle::{Order, Pending, Step};
use crate::clauses::*;
use crate::event::{Event, How};
use crate::inputs::{fire_first, input};
use crate::offer::Offer;
use crate::state::NEAR;
use crate::{charge, chase, evade, morale, phases, pursuit, screens, shooting};

/// Carries out a choice up to the next decision.
pub(crate) fn resolve(play: &mut Resolution<'_, Batteries>, choice: &Choice<Offer>) -> Result<(), Halt> {
    let wanted = allowed(play, &choice.offer)?;
    wanted.check(&choice.value)?;
    let mut gaps = play.battle().screen_gaps();
    let plots = play.battle().launch.as_ref().map(|launch| launch.unit);
    let distance = choice.value.distance().unwrap_or(Length::ZERO);
    let angle = choice.value.wheel().unwrap_or(Angle::ZERO);
    match choice.offer {
        Offer::Roll => phases::initiative(play)?,
        Offer::BeFirst => phases::chosen(play, play.battle().first)?,
        Offer::BeSecond => phases::chosen(play, play.battle().first.other())?,
        Offer::Advance(unit) => go(play, unit, Direction::Ahead, How::Advance, distance, Some(&wanted))?,
        Offer::Pass(unit, _) => {
            go(play, unit, Direction::Ahead, How::Advance, distance, None)?;
            play.happen(Event::WentThrough { unit });
        }
        Offer::Oblique { unit, right } => {
            let direction = crate::offers::oblique(play.battle(), unit, right);
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
            let (_, columns) = play.battle().push(unit)?;
            push(play, unit, &columns, distance);
        }
        Offer::March(unit) => {
            let way = play.battle().march_way(unit)?;
            march(play, unit, way, distance);
        }
        Offer::Face(unit) => {
            let (to, cost) = (play.battle().turned(unit, angle), play.battle().turn_cost(unit, angle));
            face(play, unit, to, cost.max(Length::um(1)));
        }
        Offer::TurnAbout(unit) => {
            let to = play.battle().turned(unit, Angle::HALF);
            face(play, unit, to, Length::ZERO);
        }
        Offer::Form(unit) => {
            let name = choice.value.formation().ok_or(WrongValue("which formation?".into()))?;
            form(play, unit, name)?;
        }
        Offer::Charge(unit) => {
            let run = play.battle().run(unit)?;
            let payer = play.battle().who_pays(unit)?;
            let before = play.battle().launch.as_ref().and_then(|launch| launch.before);
            if let Some(before) = before.filter(|before| *before != unit) {
                play.happen(Event::MoveOver { unit: before });
            }
            another(play, unit);
            if let Some(general) = payer {
                play.happen(Event::PointSpent { general });
            }
            charge::charge(play, unit, &run)?;
        }
        Offer::Launch(unit) => play.happen(Event::Launched { unit }),
        Offer::CallOff(unit) => play.happen(Event::CalledOff { unit }),
        Offer::RoutOnPurpose(unit) => {
            another(play, unit);
            play.happen(Event::RoutsOnPurpose { unit });
            morale::rout(play, unit, None)?;
        }
        Offer::Ride(general) => {
            let to = choice.value.point().ok_or(WrongValue("where to?".into()))?;
            play.happen(Event::Rode { general, to });
        }
        Offer::Join { general, unit } => play.happen(Event::Joined { general, unit }),
        Offer::EndMoves => phases::moves_over(play)?,
        Offer::Stand | Offer::FireFirst | Offer::EvadeWay | Offer::Evade { .. } => {
            react(play, &choice.offer, distance, angle)?
        }
        Offer::Halt | Offer::GoOn | Offer::ChargeOn => go_on(play, &choice.offer, distance)?,
        Offer::Shoot { unit, at, shot } => take_aim(play, Order { unit, at, shot, side: None, favours: Vec::new() }),
        Offer::Enter { unit, block } => {
            another(play, unit);
            play.happen(Event::Entered { unit, block });
        }
        Offer::Detach { unit, block, stands } => {
            let (part, figures, start) = play.battle().may_detach(unit, block, stands)?;
            another(play, unit);
            play.happen(Event::Detached { unit, part, block, figures, start });
        }
        Offer::Shift { unit, block } => {
            another(play, unit);
            play.happen(Event::Shifted { unit, block });
        }
        Offer::Emerge { unit, side } => {
            let name = choice.value.formation().ok_or(WrongValue("in which formation?".into()))?;
            let (shape, to) =
                play.battle().emerging(unit, side, name).ok_or_else(|| WrongValue(format!("it cannot form {name}")))?;
            another(play, unit);
            let (formation, stands) = (shape.formation, shape.stands);
            play.happen(Event::Emerged { unit, to, formation, stands });
        }
        Offer::ShootFrom { unit, side, at, shot } => {
            take_aim(play, Order { unit, at, shot, side: Some(side), favours: Vec::new() });
        }
        Offer::RoutInto(block) => {
            let Some(Pending::Rout { unit, .. }) = play.battle().pending else { return Ok(()) };
            play.happen(Event::RoutedInto { unit, block });
            if !matches!(play.battle().step, Step::MoveA | Step::MoveB) {
                phases::proceed(play)?;
            }
        }
        Offer::Batter(order) => play.happen(Event::BatterOrdered { order }),
        Offer::EndAiming => phases::aimed(play)?,
        Offer::Test(unit) => {
            let lost = play.battle().step == Step::LoserTests;
            morale::test(play, unit, lost)?;
            phases::proceed(play)?;
        }
        Offer::RoutFacing | Offer::RoutAway => {
            let Some(Pending::Rout { unit, least, cause }) = play.battle().pending else { return Ok(()) };
            morale::run(play, unit, least, distance, choice.offer == Offer::RoutFacing, cause)?;
            if !matches!(play.battle().step, Step::MoveA | Step::MoveB) {
                phases::proceed(play)?;
            }
        }
        Offer::FireAtOnce(_) | Offer::HoldFire => {
            let Some(Pending::AtOnce { unit, charger }) = play.battle().pending else { return Ok(()) };
            let shot = if let Offer::FireAtOnce(shot) = choice.offer { Some(shot) } else { None };
            charge::at_once(play, unit, charger, shot)?;
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
            phases::losses_off(play)?;
        }
        Offer::Fight => phases::fight(play)?,
        Offer::Pursue { unit, quarry } => {
            pursuit::pursue(play, unit, quarry);
            phases::proceed(play)?;
        }
        Offer::HoldBack(unit) => {
            pursuit::hold_back(play, unit)?;
            phases::proceed(play)?;
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
        Offer::CarryOn => phases::proceed(play)?,
    }
    crate::detach::rejoin_all(play);
    // A screen stays where it is until a plotted charge is made or called off.
    gaps.retain(|(unit, ..)| Some(*unit) != plots || play.battle().unit(*unit).now.charging);
    screens::settle(play, &gaps);
    phases::escort_generals(play);
    phases::settle_in_ground(play);
    Ok(())
}

/// Whether an offer is open now; its input.
fn allowed(play: &Resolution<'_, Batteries>, offer: &Offer) -> Result<Input, Halt> {
    let battle = play.battle();
    let wrong = |clause, sentence: &str| Err(Halt::from(Refusal::new(clause, sentence)));
    let answers = |offer: &Offer| match battle.pending? {
        Pending::Evade { .. } => {
            Some(matches!(offer, Offer::Stand | Offer::FireFirst | Offer::EvadeWay | Offer::Evade { .. }))
        }
        Pending::Onward { .. } | Pending::Overrun { .. } => {
            Some(matches!(offer, Offer::Halt | Offer::GoOn | Offer::ChargeOn))
        }
        Pending::Rout { .. } => Some(matches!(offer, Offer::RoutFacing | Offer::RoutAway | Offer::RoutInto(_))),
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
        Offer::RoutFacing
            | Offer::RoutAway
            | Offer::RoutInto(_)
            | Offer::GoRound
            | Offer::HaltThere
            | Offer::Refill
            | Offer::FireAtOnce(_)
            | Offer::HoldFire
            | Offer::Bear { .. }
    );
    let fits = answers(offer).unwrap_or(!answer);
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
            crate::offers::offers(battle, &mut open);
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
        Offer::RoutFacing | Offer::RoutAway => {
            if let Some(Pending::Rout { unit, least, .. }) = battle.pending
                && !battle.may_rout_outside(unit, least)
            {
                return wrong(BB_MOR_35, "there is nowhere for it to go but into houses");
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
    Ok(input(battle, offer)?)
}

/// A shot is ordered; where its fire is shared between equals, its owner says how (BB-SHO-41, -42).
fn take_aim(play: &mut Resolution<'_, Batteries>, order: Order) {
    let unit = order.unit;
    play.happen(Event::Ordered { order });
    if !play.battle().open_aim().is_empty() {
        play.happen(Event::Asked { pending: Pending::Aim { unit } });
    }
}

/// Another unit moves: the move of the last one is over (BB-SEQ-03).
fn another(play: &mut Resolution<'_, Batteries>, unit: UnitId) {
    if let Some(last) = play.battle().moving.filter(|last| *last != unit) {
        play.happen(Event::MoveOver { unit: last });
    }
}

/// A straight move, with its price. An advance up to where the nearness of an enemy ends it is held up.
fn go(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    direction: Direction,
    how: How,
    distance: Length,
    advance: Option<&Input>,
) -> Result<(), Halt> {
    another(play, unit);
    let battle = play.battle();
    let (factor, _) = battle.manoeuvre(unit, direction)?;
    let from = battle.unit(unit).pose;
    let way = direction.heading(from);
    let held_up = match advance {
        Some(Input::Distance { most, stops, .. }) => {
            stops.iter().any(|stop| stop.clause == BB_MOV_20) && distance + Length::um(10) >= *most
        }
        _ => false,
    };
    step(play, unit, way, factor, how, distance);
    if held_up {
        play.happen(Event::HeldUp { unit });
    }
    Ok(())
}

fn march(play: &mut Resolution<'_, Batteries>, unit: UnitId, way: Heading, distance: Length) {
    another(play, unit);
    step(play, unit, way, 1, How::March, distance);
}

/// One straight stretch: those who are passed stand, the ground disorders.
fn step(play: &mut Resolution<'_, Batteries>, unit: UnitId, way: Heading, factor: i32, how: How, distance: Length) {
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let cost = battle.cost(unit, way, factor, distance);
    let passed = battle.passed(unit, way, distance);
    let to = if how == How::Advance { from.ahead(distance) } else { from.moved(way, distance) };
    crate::launch::note_nearing(play, unit, way.unit(), distance);
    play.happen(Event::Moved { unit, to, cost, how });
    for friend in passed {
        play.happen(Event::PassedThrough { unit: friend });
    }
    phases::disorder_on_the_way(play, unit, from);
    phases::man_guns(play, unit);
}

/// Skirmishers pushed forward by columns that advance as far (BB-MOV-24).
fn push(play: &mut Resolution<'_, Batteries>, unit: UnitId, columns: &[UnitId], distance: Length) {
    another(play, unit);
    let way = play.battle().unit(unit).pose.heading;
    step(play, unit, way, 1, How::Advance, distance);
    play.happen(Event::MoveOver { unit });
    for column in columns {
        let way = play.battle().unit(*column).pose.heading;
        step(play, *column, way, 1, How::Advance, distance);
        play.happen(Event::Pushed { unit: *column });
    }
}

fn wheel(play: &mut Resolution<'_, Batteries>, unit: UnitId, angle: Angle) {
    another(play, unit);
    crate::launch::note_nearing_in_wheel(play, unit, angle);
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let (to, cost) = (wheeled_pose(&battle.placed(unit), angle), battle.wheel_cost(unit, angle));
    play.happen(Event::Moved { unit, to, cost, how: How::Wheel });
    phases::disorder_on_the_way(play, unit, from);
}

fn face(play: &mut Resolution<'_, Batteries>, unit: UnitId, to: sabretache_table::Pose, cost: Length) {
    another(play, unit);
    let from = play.battle().unit(unit).pose;
    play.happen(Event::Faced { unit, to, cost });
    phases::disorder_on_the_way(play, unit, from);
}

/// A change of formation, facing or frontage, and what the nearness of the enemy does to it (BB-OPT-26).
fn form(play: &mut Resolution<'_, Batteries>, unit: UnitId, name: &str) -> Result<(), Halt> {
    let battle = play.battle();
    let shape = battle.shape_named(unit, name).ok_or_else(|| WrongValue(format!("it cannot form {name}")))?;
    battle.may_form(unit, &shape)?;
    let facing_only = name.starts_with("face ") || name == "about face";
    let payer = if facing_only { None } else { battle.who_pays(unit).unwrap_or(None) };
    let share = battle.change_share(unit, &shape);
    let (_, to) = battle.as_shape(unit, &shape);
    let within = battle.numbers().pinning.within.0.f() + NEAR;
    let here = battle.placed(unit);
    let pinned = battle.fixed.options.pinning
        && !battle.unit(unit).shaken
        && battle.enemies(unit).any(|enemy| exact_distance(&here, &battle.placed(enemy)) <= within);
    let from = battle.unit(unit).pose;
    another(play, unit);
    if let Some(general) = payer {
        play.happen(Event::PointSpent { general });
    }
    if share > crate::moving::WHOLE && !play.battle().unit(unit).reforming {
        play.happen(Event::Reforming { unit });
        return Ok(());
    }
    let cramped = !play.battle().has_elbow_room(unit);
    let share = share.min(crate::moving::WHOLE) + play.battle().waited(unit);
    let (formation, stands, limbered) = (shape.formation, shape.stands, shape.limbered);
    if let Some(bend) = shape.bend {
        play.happen(Event::Bends { unit, bend });
    }
    play.happen(Event::Formed { unit, formation, stands, limbered, to, share });
    if pinned {
        play.happen(Event::Shaken { unit, by: BB_OPT_26 });
    }
    if cramped {
        if !play.battle().unit(unit).shaken {
            play.happen(Event::Shaken { unit, by: BB_OPT_23 });
        }
        play.happen(Event::Cramped { unit });
    }
    let _ = from;
    phases::disorder_on_the_way(play, unit, to);
    Ok(())
}

/// The charged unit stands, shoots first, or evades.
fn react(play: &mut Resolution<'_, Batteries>, offer: &Offer, distance: Length, angle: Angle) -> Result<(), Halt> {
    let Some(Pending::Evade { charger, target, .. }) = play.battle().pending else { return Ok(()) };
    match offer {
        Offer::FireFirst => {
            let aim = fire_first(play.battle(), charger, target)?;
            if let Some(kind) = play.battle().fire_of(target, None) {
                shooting::fire(play, target, &aim, kind, true)?;
                shooting::take_losses(play);
            }
        }
        Offer::EvadeWay => {
            let way = angle.to_hundredths().clamp(-4_500, 4_500) as i16;
            play.happen(Event::Asked { pending: Pending::Evade { charger, target, way } });
        }
        Offer::Evade { way, .. } => evade::evade(play, charger, target, *way, distance)?,
        _ => evade::stand(play, charger, target)?,
    }
    Ok(())
}

/// A charger whose target has gone, or has been run over, goes on or halts.
fn go_on(play: &mut Resolution<'_, Batteries>, offer: &Offer, distance: Length) -> Result<(), Halt> {
    let (charger, overran) = match play.battle().pending {
        Some(Pending::Onward { charger }) => (charger, false),
        Some(Pending::Overrun { charger }) => (charger, true),
        _ => return Ok(()),
    };
    let length = match offer {
        Offer::Halt => None,
        Offer::ChargeOn => Some(play.battle().straight_run(charger)?.length),
        _ => Some(distance),
    };
    if overran { charge::after_overrun(play, charger, length) } else { charge::onward(play, charger, length) }
}
