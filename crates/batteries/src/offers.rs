//! What a side may do now, and what it may not.

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_table::{Angle, Direction, Length, Outline};

use crate::battering::Batter;
use crate::battle::{Battle, Pending, Step};
use crate::clauses::*;
use crate::evade::EVADES;
use crate::moving::LEAST;
use crate::terrain::Kinds;
use crate::troops::Shot;

/// One thing the deciding side may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units and generals")]
pub enum Offer {
    /// Roll for the initiative.
    Roll,
    /// Be Side A this turn.
    BeFirst,
    /// Be Side B this turn.
    BeSecond,
    /// Straight ahead.
    Advance(UnitId),
    /// Straight ahead through friends, to the nth clear stretch beyond.
    Pass(UnitId, u8),
    /// Slantwise to the front.
    Oblique { unit: UnitId, right: bool },
    /// To the side.
    Sidestep { unit: UnitId, right: bool },
    /// Straight back, facing kept.
    Retire(UnitId),
    /// About a front corner.
    Wheel(UnitId),
    /// Set the way of troops that may go any way.
    Head(UnitId),
    /// Go that way.
    March(UnitId),
    /// Push skirmishers forward with the columns behind them.
    Push(UnitId),
    /// Turn skirmishers where they are.
    Face(UnitId),
    /// Turn skirmishers to the rear.
    TurnAbout(UnitId),
    /// Change formation, facing or frontage.
    Form(UnitId),
    /// Charge straight ahead.
    Charge(UnitId),
    /// Rout on purpose.
    RoutOnPurpose(UnitId),
    /// A general rides.
    Ride(OfficerId),
    /// A general joins a unit.
    Join { general: OfficerId, unit: UnitId },
    /// Enough moved.
    EndMoves,
    /// Stand the charge.
    Stand,
    /// Shoot before evading.
    FireFirst,
    /// Evade, so many degrees to the right of the line of the charge.
    Evade(i8),
    /// A charger halts.
    Halt,
    /// A charger goes on over open ground.
    GoOn,
    /// A charger goes on into the next enemy.
    ChargeOn,
    /// Shoot.
    Shoot { unit: UnitId, at: UnitId, shot: Option<Shot> },
    /// Go into a town block.
    Enter { unit: UnitId, block: u16 },
    /// Leave so many stands in a town block.
    Detach { unit: UnitId, block: u16, stands: u8 },
    /// Go over to an adjacent block.
    Shift { unit: UnitId, block: u16 },
    /// Come out of a block by one of its sides.
    Emerge { unit: UnitId, side: u8 },
    /// Shoot out of one side of a block.
    ShootFrom { unit: UnitId, side: u8, at: UnitId, shot: Option<Shot> },
    /// A garrison routs into a block farther back.
    RoutInto(u16),
    /// Batter works or a wall.
    Batter(Batter),
    /// Enough aimed.
    EndAiming,
    /// A unit takes its test.
    Test(UnitId),
    /// A router goes back and faces what it fled from.
    RoutFacing,
    /// A router goes back and faces away.
    RoutAway,
    /// Fight all combats.
    Fight,
    /// Go after an enemy who has fallen back.
    Pursue { unit: UnitId, quarry: UnitId },
    /// Stay, if it can be held back.
    HoldBack(UnitId),
    /// A pursuer goes round ground that it cannot pass.
    GoRound,
    /// A pursuer halts before it.
    HaltThere,
    /// Throw out a screen of so many stands.
    Screen { unit: UnitId, stands: u8 },
    /// Call the screen in.
    Recall(UnitId),
    /// Fill up a screen that was hit.
    Refill,
    /// Nobody has anything to decide here.
    CarryOn,
}

/// All that the deciding side may do.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    match battle.pending {
        Some(Pending::Evade { charger, target }) => {
            out.push(Offer::Stand);
            if fire_first(battle, charger, target).is_ok() {
                out.push(Offer::FireFirst);
            }
            let open = EVADES.into_iter().filter(|way| battle.evade_reach(target, charger, *way).is_some());
            out.extend(open.map(|way| Offer::Evade(way as i8)));
            return;
        }
        Some(Pending::Onward { charger } | Pending::Overrun { charger }) => {
            out.push(Offer::Halt);
            if battle.onward_reach(charger) >= LEAST {
                out.push(Offer::GoOn);
            }
            if battle.straight_run(charger).is_ok() {
                out.push(Offer::ChargeOn);
            }
            return;
        }
        Some(Pending::Rout { .. }) => {
            let Some(Pending::Rout { unit, least, .. }) = battle.pending else { return };
            if battle.may_rout_outside(unit, least) {
                out.extend([Offer::RoutFacing, Offer::RoutAway]);
            }
            out.extend(battle.rout_blocks(unit, least).into_iter().map(Offer::RoutInto));
            return;
        }
        Some(Pending::Detour { .. }) => {
            out.extend([Offer::GoRound, Offer::HaltThere]);
            return;
        }
        Some(Pending::Refill { .. }) => {
            out.push(Offer::Refill);
            return;
        }
        None => {}
    }
    match battle.step {
        Step::Initiative => out.push(Offer::Roll),
        Step::Choice => out.extend([Offer::BeFirst, Offer::BeSecond]),
        Step::MoveA | Step::MoveB => {
            for unit in battle.of(battle.phasing()) {
                out.extend_from_slice(&battle.remembered(unit, || moves_of(battle, unit)));
                screen_offers(battle, unit, out);
            }
            for general in battle.generals_of(battle.phasing()) {
                if battle.may_ride(general).is_ok() {
                    out.push(Offer::Ride(general));
                }
                let near = battle.of(battle.phasing()).filter(|unit| battle.may_join(general, *unit).is_ok());
                out.extend(near.map(|unit| Offer::Join { general, unit }));
            }
            if battle.may_end_moves().is_ok() {
                out.push(Offer::EndMoves);
            }
        }
        Step::AimA | Step::AimB => {
            for unit in battle.of(battle.phasing()).filter(|unit| battle.may_shoot(*unit).is_ok()) {
                out.extend_from_slice(&battle.remembered(unit, || shots_of(battle, unit)));
            }
            out.push(Offer::EndAiming);
        }
        Step::ChargeTests | Step::Overruns | Step::PanicTests | Step::HitTests | Step::LoserTests => {
            match battle.testing() {
                Some(side) => out.extend(battle.due(side).into_iter().map(Offer::Test)),
                None => out.push(Offer::CarryOn),
            }
        }
        Step::Combat => out.push(Offer::Fight),
        Step::Pursuits => match battle.to_pursue() {
            Some(unit) => {
                out.extend(battle.quarries(unit).into_iter().map(|quarry| Offer::Pursue { unit, quarry }));
                if !battle.unit(unit).now.runs_wild {
                    out.push(Offer::HoldBack(unit));
                }
            }
            None => out.push(Offer::CarryOn),
        },
        Step::Over => {}
    }
}

/// What a battalion may do with its screen.
fn screen_offers(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    if battle.facts(unit).screen.is_none() {
        return;
    }
    let sizes = (1..=battle.most_stands(unit)).map(|stands| Offer::Screen { unit, stands });
    out.extend(sizes.filter(|offer| input(battle, offer).is_ok()));
    if battle.recall_input(unit).is_ok() {
        out.push(Offer::Recall(unit));
    }
}

/// The moves open to a unit.
fn moves_of(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut open = Vec::new();
    if battle.may_move(unit).is_ok() {
        open.extend(moves(unit).into_iter().filter(|offer| is_open(battle, offer)));
        open.extend(house_moves(battle, unit).into_iter().filter(|offer| is_open(battle, offer)));
        if battle.may_march(unit).is_ok() && !battle.goes_any_way(unit) && battle.enough_hands(unit).is_ok() {
            let reach = battle.straight(unit, battle.unit(unit).pose.heading, 1, BB_MOV_01);
            open.extend((0..reach.beyond.len()).map(|n| Offer::Pass(unit, n as u8)));
        }
    }
    let rout = Offer::RoutOnPurpose(unit);
    open.extend(may_rout_on_purpose(battle, unit).is_ok().then_some(rout));
    open
}

/// Whether there is any input for an offer, without working all of it out.
fn is_open(battle: &Battle, offer: &Offer) -> bool {
    match *offer {
        Offer::Wheel(unit) => battle.may_wheel(unit).is_ok(),
        Offer::Form(unit) if !battle.fixed.options.command_initiative => battle.may_form_something(unit),
        Offer::Face(unit) => battle.may_face(unit),
        Offer::Emerge { unit, side } => battle.may_emerge(unit, side),
        Offer::Oblique { unit, .. } | Offer::Sidestep { unit, .. } | Offer::Retire(unit) | Offer::Advance(unit)
            if battle.goes_any_way(unit) =>
        {
            false
        }
        Offer::Head(unit) | Offer::March(unit) if !battle.goes_any_way(unit) => false,
        Offer::Push(unit) | Offer::TurnAbout(unit) if !battle.skirmishing(unit) && !battle.unit(unit).away => false,
        _ => input(battle, offer).is_ok(),
    }
}

/// The shots open to a unit.
fn shots_of(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut open = Vec::new();
    if let Some(block) = battle.block_of(unit) {
        for side in 0..block.sides.len() as u8 {
            for shot in battle.ammunition(unit) {
                let at = battle.enemies(unit).filter(|at| battle.may_shoot_from(unit, side, *at, *shot).is_ok());
                open.extend(at.map(|at| Offer::ShootFrom { unit, side, at, shot: *shot }));
            }
        }
        return open;
    }
    for shot in battle.ammunition(unit) {
        let at = battle.enemies(unit).filter(|enemy| battle.may_shoot_at(unit, *enemy, *shot).is_ok());
        open.extend(at.map(|at| Offer::Shoot { unit, at, shot: *shot }));
    }
    open.extend(battle.batters_open(unit).into_iter().map(Offer::Batter));
    open
}

/// The moves that a unit might make.
fn moves(unit: UnitId) -> [Offer; 14] {
    [
        Offer::Charge(unit),
        Offer::Advance(unit),
        Offer::Wheel(unit),
        Offer::Form(unit),
        Offer::Oblique { unit, right: false },
        Offer::Oblique { unit, right: true },
        Offer::Sidestep { unit, right: false },
        Offer::Sidestep { unit, right: true },
        Offer::Retire(unit),
        Offer::Head(unit),
        Offer::March(unit),
        Offer::Push(unit),
        Offer::Face(unit),
        Offer::TurnAbout(unit),
    ]
}

/// The moves that a unit might make into, out of and between town blocks.
fn house_moves(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut found = Vec::new();
    if let Some(own) = battle.block_of(unit) {
        found.extend((0..own.sides.len() as u8).map(|side| Offer::Emerge { unit, side }));
        let others = battle.fixed.blocks.iter().map(|block| block.ground).filter(|block| *block != own.ground);
        found.extend(others.map(|block| Offer::Shift { unit, block }));
        return found;
    }
    let reach = battle.bounds(unit).grown(Length::inches(1).f());
    for block in battle.fixed.blocks.iter().filter(|block| reach.meets(&block.placed.bounds())) {
        found.push(Offer::Enter { unit, block: block.ground });
        let stands = battle.unit(unit).figures.div_ceil(u16::from(battle.facts(unit).per_stand)).min(60) as u8;
        found.extend((1..stands).map(|stands| Offer::Detach { unit, block: block.ground, stands }));
    }
    found
}

/// What might be expected and is not allowed.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    if battle.pending.is_some() {
        if let Some(Pending::Evade { charger, target }) = battle.pending {
            out.extend(fire_first(battle, charger, target).err().map(|refusal| (Offer::FireFirst, refusal)));
        }
        return;
    }
    match battle.step {
        Step::MoveA | Step::MoveB => {
            for unit in battle.all() {
                for offer in moves(unit).into_iter().chain(house_moves(battle, unit)) {
                    out.extend(input(battle, &offer).err().map(|refusal| (offer, refusal)));
                }
                if battle.fixed.options.skirmish_screens && battle.arm(unit) == crate::troops::Arm::Foot {
                    let stands = battle.most_stands(unit);
                    for offer in [Offer::Screen { unit, stands }, Offer::Screen { unit, stands: stands + 1 }] {
                        out.extend(input(battle, &offer).err().map(|refusal| (offer, refusal)));
                    }
                    let offer = Offer::Recall(unit);
                    out.extend(input(battle, &offer).err().map(|refusal| (offer, refusal)));
                }
                if battle.fixed.options.voluntary_rout {
                    let offer = Offer::RoutOnPurpose(unit);
                    out.extend(input(battle, &offer).err().map(|refusal| (offer, refusal)));
                }
            }
            out.extend(battle.may_end_moves().err().map(|refusal| (Offer::EndMoves, refusal)));
            for general in battle.generals_of(battle.phasing()) {
                for unit in battle.of(battle.phasing()) {
                    let refusal = battle.may_join(general, unit).err();
                    out.extend(refusal.map(|refusal| (Offer::Join { general, unit }, refusal)));
                }
            }
        }
        Step::AimA | Step::AimB => {
            for unit in battle.of(battle.phasing()) {
                for shot in battle.ammunition(unit) {
                    for at in battle.enemies(unit) {
                        let refusal = battle.may_shoot_at(unit, at, *shot).err();
                        out.extend(refusal.map(|refusal| (Offer::Shoot { unit, at, shot: *shot }, refusal)));
                    }
                }
                if let Some(block) = battle.block_of(unit) {
                    for side in 0..block.sides.len() as u8 {
                        for (shot, at) in
                            battle.ammunition(unit).iter().flat_map(|s| battle.enemies(unit).map(|at| (*s, at)))
                        {
                            let refusal = battle.may_shoot_from(unit, side, at, shot).err();
                            out.extend(refusal.map(|refusal| (Offer::ShootFrom { unit, side, at, shot }, refusal)));
                        }
                    }
                }
                if battle.arm(unit) == crate::troops::Arm::Guns {
                    closed_batters(battle, unit, out);
                }
            }
        }
        _ => {}
    }
}

/// Sections of works and walls that a battery may not batter.
fn closed_batters(battle: &Battle, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    for barrier in &battle.fixed.barriers {
        let length = battle.damage(barrier).map_or(battle.numbers().works.length, |damage| damage.length).0.f();
        if !matches!(barrier.kind, Kinds::LightWorks | Kinds::HeavyWorks | Kinds::CityWall) {
            continue;
        }
        for section in 0..barrier.sections(length) {
            let refusal = battle.may_batter(unit, barrier.ground, section).err();
            let order = Batter { unit, ground: barrier.ground, section, onward: true };
            out.extend(refusal.map(|refusal| (Offer::Batter(order), refusal)));
        }
    }
}

/// Shooting before evading (BB-CHG-17, BB-SHO-12).
pub(crate) fn fire_first(battle: &Battle, charger: UnitId, target: UnitId) -> Result<crate::targets::Aim, Refusal> {
    if battle.arm(target) != crate::troops::Arm::Foot {
        return Err(Refusal::new(BB_SHO_12, "only infantry shoots before it evades"));
    }
    battle.may_shoot(target)?;
    battle.aim(target, charger, None)
}

/// What an offer needs to be told, or why it is closed.
pub(crate) fn input(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    let diagonal = |unit: UnitId, right: bool| {
        let turn = Angle::degrees(if right { 45 } else { -45 });
        Direction::Toward(battle.unit(unit).pose.heading + turn)
    };
    let formed = |unit: UnitId| {
        if battle.goes_any_way(unit) {
            Err(Refusal::new(BB_MOV_23, "it goes any way it likes: set its way"))
        } else {
            Ok(())
        }
    };
    match *offer {
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
            battle.straight_input(unit, diagonal(unit, right))
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
                return Err(Refusal::new(BB_MOV_23, "its way is set: let it march"));
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
            battle.may_turn_freely(unit)?;
            if battle.unit(unit).now.changed {
                return Err(Refusal::new(BB_MOV_05, "it has turned about this turn"));
            }
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
        Offer::EndMoves => battle.may_end_moves().map(|()| Input::None),
        Offer::Ride(general) => battle.ride_input(general),
        Offer::Join { general, unit } => battle.may_join(general, unit).map(|()| Input::None),
        Offer::Evade(way) => {
            let Some(Pending::Evade { charger, target }) = battle.pending else {
                return Err(Refusal::new(BB_CHG_12, "nobody is charged"));
            };
            let reach = battle.evade_reach(target, charger, way.into());
            let (least, most) = reach.ok_or_else(|| Refusal::new(BB_CHG_21, "there is no room to evade that way"))?;
            let stop = Stop { at: most, why: "that is as far as it can run".into(), clause: BB_CHG_13 };
            Ok(Input::Distance { least, most, stops: vec![stop] })
        }
        Offer::GoOn => {
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
        Offer::RoutFacing | Offer::RoutAway => {
            let Some(Pending::Rout { least, .. }) = battle.pending else {
                return Err(Refusal::new(BB_MOR_25, "nobody routs"));
            };
            let most = battle.numbers().rout.farthest.0.max(least);
            let stop = Stop { at: most, why: "nobody routs farther".into(), clause: BB_MOR_34 };
            Ok(Input::Distance { least, most, stops: vec![stop] })
        }
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

/// With command points, changes of form need one; mere facing does not (BB-OPT-51 to -53).
fn form_paid(battle: &Battle, unit: UnitId, input: Input) -> Result<Input, Refusal> {
    let Input::Formation { of } = input else { return Ok(input) };
    let Err(refusal) = battle.who_pays(unit) else { return Ok(Input::Formation { of }) };
    let free = |name: &String| {
        let facing = name.starts_with("face ") || name == "about face";
        facing || (refusal.clause == BB_OPT_52 && name == "square")
    };
    let of: Vec<String> = of.into_iter().filter(free).collect();
    if of.is_empty() { Err(refusal) } else { Ok(Input::Formation { of }) }
}

/// A rout on purpose: before it has moved, with a general near (BB-OPT-54).
fn may_rout_on_purpose(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    if !battle.fixed.options.voluntary_rout {
        return Err(Refusal::new(BB_OPT_07, "the rule for voluntary routs is not used"));
    }
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
