//! What each offer needs to be told, with its exact limits, or why it is closed.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_table::{Angle, Direction};

use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::charges::answers;
use crate::phases::formations::command_points::form_paid;
use crate::phases::movement::LEAST;
use crate::phases::movement::offers::oblique;
use crate::phases::rout::may_rout_on_purpose;
use crate::phases::rout::ways::Look;

/// What an offer needs to be told, or why it is closed; asked twice at the same moment, it is worked out once.
pub(crate) fn input(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    if let Some(known) = battle.known_input(offer) {
        return Ok(known);
    }
    let input = work_out(battle, offer)?;
    battle.keep_input(offer, &input);
    Ok(input)
}

/// The same, worked out afresh.
pub(crate) fn work_out(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    let formed = |unit: UnitId| {
        if battle.goes_any_way(unit) {
            Err(Refusal::new(battle.any_way_clause(unit), "it goes any way it likes: set its way"))
        } else {
            Ok(())
        }
    };
    battle.keeps_to_launch(offer)?;
    match *offer {
        Offer::Launch(unit) => battle.may_launch(unit).map(|()| Input::None),
        Offer::Advance(unit) => {
            formed(unit)?;
            battle.straight_input(unit, Direction::Ahead)
        }
        Offer::Pass { unit, by, nth } => {
            let gap = battle.beyond_friends(unit, by)?.get(usize::from(nth)).copied();
            let (least, most) = gap.ok_or_else(|| Refusal::new(BB_MOV_13, "there is no clear ground beyond"))?;
            let stop = Stop { at: most, why: "that is as far as it gets".into(), clause: BB_MOV_13 };
            Ok(Input::Distance { least, most, stops: vec![stop] })
        }
        Offer::Oblique { unit, right } => {
            formed(unit)?;
            battle.straight_input(unit, oblique(battle, unit, right))
        }
        Offer::Sidestep { unit, right } => {
            formed(unit)?;
            battle.straight_input(unit, if right { Direction::Right } else { Direction::Left })
        }
        Offer::Retire(unit) => {
            formed(unit)?;
            battle.straight_input(unit, Direction::Back)
        }
        Offer::Wheel(unit) => battle.wheel_input(unit),
        Offer::Head(unit) => {
            battle.may_march(unit)?;
            if !battle.goes_any_way(unit) {
                return Err(Refusal::new(BB_MOV_23, "only skirmishers and squares go any way they like"));
            }
            if battle.unit(unit).now.way.is_some() {
                return Err(Refusal::new(battle.any_way_clause(unit), "its way is set: let it march"));
            }
            if battle.left_at(unit, battle.allowance(unit)) < LEAST {
                return Err(Refusal::new(BB_MOV_01, "it has no movement left"));
            }
            Ok(Input::Wheel { most_left: Angle::degrees(-180), most_right: Angle::degrees(180) })
        }
        Offer::March(unit) => battle.march_input(unit),
        Offer::Push(unit) => {
            let (most, _) = battle.push(unit)?;
            let stop = Stop { at: most, why: "the columns get no farther".into(), clause: BB_MOV_24 };
            Ok(Input::Distance { least: LEAST, most, stops: vec![stop] })
        }
        Offer::Face(unit) => battle.face_input(unit),
        Offer::TurnAbout(unit) => {
            battle.may_turn_about(unit)?;
            Ok(Input::None)
        }
        Offer::Form(unit) => {
            let input = battle.form_input(unit)?;
            form_paid(battle, unit, input)
        }
        Offer::Charge(unit) => {
            battle.run(unit)?;
            battle.who_pays(unit)?;
            Ok(Input::None)
        }
        Offer::RoutOnPurpose(unit) => {
            may_rout_on_purpose(battle, unit)?;
            Ok(Input::None)
        }
        Offer::Enter { unit, block } => battle.may_enter(unit, block).map(|()| Input::None),
        Offer::Detach { unit, block, stands } => battle.may_detach(unit, block, stands).map(|_| Input::None),
        Offer::Shift { unit, block } => battle.may_shift(unit, block).map(|()| Input::None),
        Offer::Emerge { unit, side } => battle.emerge_input(unit, side),
        Offer::Abandon { unit, right } => battle.may_abandon(unit, right).map(|_| Input::None),
        Offer::Clear(unit) => battle.may_set_to_work(unit).map(|()| Input::None),
        Offer::EndMoves => battle.may_end_moves().map(|()| Input::None),
        Offer::Ride(general) => battle.ride_input(general),
        Offer::Join { general, unit } => battle.may_join(general, unit).map(|()| Input::None),
        Offer::EvadeWay | Offer::Evade { .. } | Offer::GoOn => answers::input(battle, offer),
        Offer::RoutFacing(stretch) => battle.rout_input(Look::AtCause, stretch),
        Offer::RoutAway(stretch) => battle.rout_input(Look::Away, stretch),
        Offer::Screen { unit, stands } => battle.screen_input(unit, stands),
        Offer::Recall(unit) => battle.recall_input(unit),
        Offer::Refill => {
            let Some(Pending::Refill { screen }) = battle.pending else {
                return Err(Refusal::new(BB_OPT_66, "no screen was hit"));
            };
            Ok(Input::Number { least: 0, most: battle.refill_most(screen).into() })
        }
        _ => Ok(Input::None),
    }
}
