//! What each offer needs to be told, with its exact limits, or why it is closed.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_table::{Angle, Direction, Length};

use crate::battle::{Battle, Pending, Step};
use crate::clauses::*;
use crate::moving::LEAST;
use crate::offer::Offer;
use crate::offers::oblique;

/// Shooting before evading (BB-CHG-17, BB-SHO-12).
pub(crate) fn fire_first(battle: &Battle, charger: UnitId, target: UnitId) -> Result<crate::targets::Aim, Refusal> {
    decides!(BB_CHG_17, BB_SHO_12);
    if battle.arm(target) != crate::troops::Arm::Foot {
        return Err(Refusal::new(BB_SHO_12, "only infantry shoots before it evades"));
    }
    battle.may_shoot(target)?;
    battle.aim(target, charger, None)
}

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
        Offer::Pass(unit, n) => {
            battle.may_march(unit)?;
            let reach = battle.straight(unit, battle.unit(unit).pose.heading, 1, BB_MOV_01);
            let gap = reach.beyond.get(usize::from(n)).copied();
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
        Offer::EvadeWay => {
            let most = Angle::degrees(45);
            Ok(Input::Wheel { most_left: -most, most_right: most })
        }
        Offer::Evade { way, stretch } => {
            decides!(BB_CHG_12);
            let Some(Pending::Evade { charger, target, .. }) = battle.pending else {
                return Err(Refusal::new(BB_CHG_12, "nobody is charged"));
            };
            if i32::from(way).abs() > 4_500 {
                return Err(Refusal::new(BB_CHG_13, "that is more than 45 degrees from the line of the charge"));
            }
            let open = battle.evade_stretches(target, charger, way).get(usize::from(stretch)).copied();
            let (least, most) = open.ok_or_else(|| Refusal::new(BB_CHG_21, "there is no room to evade that way"))?;
            let stop = Stop { at: most, why: "that is as far as it can run".into(), clause: BB_CHG_13 };
            Ok(Input::Distance { least, most, stops: vec![stop] })
        }
        Offer::GoOn => {
            decides!(BB_CHG_15);
            let Some(Pending::Onward { charger } | Pending::Overrun { charger }) = battle.pending else {
                return Err(Refusal::new(BB_CHG_15, "nobody has a charge to go on with"));
            };
            let most = battle.onward_reach(charger);
            let stop = Stop { at: most, why: "the charge ends here".into(), clause: BB_CHG_15 };
            if most < LEAST {
                return Err(Refusal::new(BB_CHG_15, "there is no way to go on"));
            }
            Ok(Input::Distance { least: LEAST, most, stops: vec![stop] })
        }
        Offer::RoutFacing(stretch) => battle.rout_input(true, stretch),
        Offer::RoutAway(stretch) => battle.rout_input(false, stretch),
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

impl Battle {
    /// How far back a router may end, facing the enemy or away from him.
    fn rout_input(&self, toward: bool, stretch: u8) -> Result<Input, Refusal> {
        let Some(Pending::Rout { unit, least, cause }) = self.pending else {
            return Err(Refusal::new(BB_MOR_25, "nobody routs"));
        };
        let open = self.rout_stretches(unit, least, toward, cause).get(usize::from(stretch)).copied();
        let (least, most) = open.ok_or_else(|| Refusal::new(BB_MOR_35, "there is nowhere for it to end like that"))?;
        let mut stops = Vec::new();
        let (_, to_centre) = self.homeward(unit, self.centre(unit));
        if let Some(at) = to_centre.map(Length::floored).filter(|at| (least..most).contains(at)) {
            let why = "beyond the centre of its position two more figures are lost".into();
            stops.push(Stop { at, why, clause: BB_MOR_42 });
        }
        let from = self.centre(unit);
        let at = Length::floored((self.way_out(unit, from) - from).length());
        if (least..most).contains(&at) {
            stops.push(Stop { at, why: "beyond this it leaves the table".into(), clause: BB_MOR_39 });
        }
        stops.sort_by_key(|stop| stop.at);
        let farthest = most >= self.numbers().rout.farthest.0;
        let why = if farthest { "nobody routs farther" } else { "there is no room for it farther back" };
        stops.push(Stop { at: most, why: why.into(), clause: if farthest { BB_MOR_34 } else { BB_MOR_32 } });
        Ok(Input::Distance { least, most, stops })
    }
}

/// With command points, changes of form need one; mere facing does not (BB-OPT-51, BB-OPT-52, BB-OPT-53).
fn form_paid(battle: &Battle, unit: UnitId, input: Input) -> Result<Input, Refusal> {
    decides!(BB_OPT_51, BB_OPT_52, BB_OPT_53);
    let Input::Formation { of } = input else { return Ok(input) };
    let Err(refusal) = battle.who_pays(unit) else { return Ok(Input::Formation { of }) };
    let of: Vec<String> = of.into_iter().filter(|name| needs_no_point(name, &refusal)).collect();
    if of.is_empty() { Err(refusal) } else { Ok(Input::Formation { of }) }
}

/// Whether a change is made without a command point, though none is to be had.
pub(crate) fn needs_no_point(name: &str, refusal: &Refusal) -> bool {
    let facing = name.starts_with("face ") || name == "about face";
    facing || (refusal.clause == BB_OPT_52 && name == "square")
}

/// Whether one change of form is open, without working out all of them.
pub(crate) fn may_form_named(battle: &Battle, unit: UnitId, name: &str) -> bool {
    battle.keeps_to_launch(&Offer::Form(unit)).is_ok()
        && battle.may_change(unit).is_ok()
        && battle.who_pays(unit).err().is_none_or(|refusal| needs_no_point(name, &refusal))
        && battle.shape_named(unit, name).is_some_and(|shape| battle.may_form(unit, &shape).is_ok())
}

/// A rout on purpose: before it has moved, with a general near (BB-OPT-54).
pub(crate) fn may_rout_on_purpose(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(BB_OPT_54, BB_OPT_07);
    if !battle.fixed.options.voluntary_rout {
        return Err(Refusal::new(BB_OPT_07, "the rule for voluntary routs is not used"));
    }
    decides!(BB_OPT_65);
    if battle.is_screen(unit) {
        return Err(Refusal::new(BB_OPT_65, "a screen goes where its battalion goes"));
    }
    let now = &battle.unit(unit).now;
    if !matches!(battle.step, Step::MoveA | Step::MoveB) || battle.side(unit) != battle.phasing() {
        return Err(Refusal::new(BB_OPT_54, "only in its own movement phase"));
    }
    if now.moved || now.done || now.routed || now.stands {
        return Err(Refusal::new(BB_OPT_54, "only instead of any other move"));
    }
    let within = battle.numbers().voluntary.within.0.f() + crate::state::NEAR;
    let near = battle.generals_of(battle.side(unit)).any(|general| {
        let leader = battle.general(general);
        battle.may_influence(general, unit)
            && (leader.with == Some(unit) || battle.distance_from(leader.at, unit) <= within)
    });
    if near { Ok(()) } else { Err(Refusal::new(BB_OPT_54, "no general who may influence it is within 2 in")) }
}
