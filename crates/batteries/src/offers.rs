//! What a side may do now.

use sabretache_engine::ids::UnitId;
use sabretache_table::{Angle, Bounds, Direction, Length, Outline};

use crate::battle::{Battle, Pending, Step};
use crate::evade::EVADES;
use crate::inputs::{fire_first, may_rout_on_purpose, work_out};
use crate::memo::Looked;
use crate::moving::LEAST;
use crate::offer::Offer;
use crate::troops::Arm;

/// All that the deciding side may do.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    match battle.pending {
        Some(Pending::Evade { charger, target, way }) => {
            out.push(Offer::Stand);
            if fire_first(battle, charger, target).is_ok() {
                out.push(Offer::FireFirst);
            }
            let set = Some(way).filter(|way| !EVADES.contains(way));
            for way in EVADES.into_iter().chain(set) {
                let open = battle.evade_stretches(target, charger, way).len() as u8;
                out.extend((0..open).map(|stretch| Offer::Evade { way, stretch }));
            }
            out.push(Offer::EvadeWay);
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
            let Some(Pending::Rout { unit, least, cause }) = battle.pending else { return };
            let open = |toward: bool| 0..battle.rout_stretches(unit, least, toward, cause).len() as u8;
            out.extend(open(true).map(Offer::RoutFacing));
            out.extend(open(false).map(Offer::RoutAway));
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
        Some(Pending::AtOnce { unit, charger }) => {
            let shots = battle.ammunition(unit).iter().filter(|shot| battle.aim(unit, charger, **shot).is_ok());
            out.extend(shots.map(|shot| Offer::FireAtOnce(*shot)));
            out.push(Offer::HoldFire);
            return;
        }
        Some(Pending::Aim { unit }) => {
            out.extend(battle.open_aim().into_iter().map(|enemy| Offer::Favour { unit, enemy }));
            return;
        }
        Some(Pending::Toll { garrison }) => {
            out.extend(battle.tied_to_bear(garrison).into_iter().map(|unit| Offer::Bear { garrison, unit }));
            return;
        }
        None => {}
    }
    match battle.step {
        Step::Initiative => out.push(Offer::Roll),
        Step::Choice => out.extend([Offer::BeFirst, Offer::BeSecond]),
        Step::MoveA | Step::MoveB => {
            if let Some(unit) = battle.launch.as_ref().map(|launch| launch.unit) {
                out.extend(moves_of(battle, unit).1);
                out.push(Offer::CallOff(unit));
                return;
            }
            for unit in battle.of(battle.phasing()) {
                battle.remembered(unit, || moves_of(battle, unit), out);
            }
            let fresh = |unit: &UnitId| !battle.unit(*unit).now.done && battle.may_launch(*unit).is_ok();
            out.extend(battle.of(battle.phasing()).filter(fresh).map(Offer::Launch));
            for general in battle.generals_of(battle.phasing()) {
                if battle.may_ride(general).is_err() {
                    continue;
                }
                out.push(Offer::Ride(general));
                let open = battle.rides_freely(general);
                let near = battle.of(battle.phasing()).filter(|unit| battle.may_reach(general, *unit, open).is_ok());
                out.extend(near.map(|unit| Offer::Join { general, unit }));
            }
            if battle.may_end_moves().is_ok() {
                out.push(Offer::EndMoves);
            }
        }
        Step::AimA | Step::AimB => {
            for unit in battle.of(battle.phasing()).filter(|unit| battle.may_shoot(*unit).is_ok()) {
                let looked = Looked { round: battle.bounds(unit), lane: None };
                battle.remembered(unit, || (looked, shots_of(battle, unit)), out);
            }
            out.push(Offer::EndAiming);
        }
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
fn screen_offers(battle: &Battle, unit: UnitId, looked: &mut Bounds, out: &mut Vec<Offer>) {
    if battle.facts(unit).screen.is_none() {
        return;
    }
    let open = (1..=battle.most_stands(unit)).filter(|stands| battle.may_screen(unit, *stands, looked));
    out.extend(open.map(|stands| Offer::Screen { unit, stands }));
    if battle.recall_input(unit).is_ok() {
        out.push(Offer::Recall(unit));
    }
}

/// The moves open to a unit, and the ground that was looked at: whatever happens elsewhere does not change them.
fn moves_of(battle: &Battle, unit: UnitId) -> (Looked, Vec<Offer>) {
    let mut open = Vec::with_capacity(24);
    let mut looked = Looked { round: battle.bounds(unit), lane: None };
    if battle.may_move(unit).is_ok() {
        looked = battle.looked_at(unit);
        let near = battle.close_by(unit);
        let ahead = battle.way_ahead(unit, &near);
        for offer in moves(unit) {
            let is_open = match offer {
                Offer::Advance(_) => ahead.0,
                Offer::Oblique { right, .. } => battle.may_go(unit, oblique(battle, unit, right), &near),
                Offer::Sidestep { right: true, .. } => battle.may_go(unit, Direction::Right, &near),
                Offer::Sidestep { right: false, .. } => battle.may_go(unit, Direction::Left, &near),
                Offer::Retire(_) => battle.may_go(unit, Direction::Back, &near),
                Offer::Form(_) => {
                    battle.keeps_to_launch(&offer).is_ok() && battle.may_form_something(unit, &mut looked.round)
                }
                _ => is_open(battle, &offer),
            };
            open.extend(is_open.then_some(offer));
        }
        open.extend(other_moves(battle, unit).into_iter().filter(|offer| is_open(battle, offer)));
        if battle.launched(unit) {
            return (looked, open);
        }
        open.extend((0..ahead.1).map(|n| Offer::Pass(unit, n)));
    }
    let rout = Offer::RoutOnPurpose(unit);
    open.extend(may_rout_on_purpose(battle, unit).is_ok().then_some(rout));
    screen_offers(battle, unit, &mut looked.round, &mut open);
    (looked, open)
}

/// Whether there is any input for an offer, without working all of it out.
fn is_open(battle: &Battle, offer: &Offer) -> bool {
    match *offer {
        Offer::Wheel(unit) => battle.may_wheel(unit).is_ok(),
        Offer::Face(unit) => battle.may_face(unit),
        Offer::Emerge { unit, side } => battle.may_emerge(unit, side),
        Offer::Head(unit) | Offer::March(unit) if !battle.goes_any_way(unit) => false,
        Offer::Push(unit) | Offer::TurnAbout(unit) if !battle.skirmishing(unit) && !battle.unit(unit).away => false,
        _ => work_out(battle, offer).is_ok(),
    }
}

/// Slantwise to the front.
pub(crate) fn oblique(battle: &Battle, unit: UnitId, right: bool) -> Direction {
    Direction::Toward(battle.unit(unit).pose.heading + Angle::degrees(if right { 45 } else { -45 }))
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
pub(crate) fn moves(unit: UnitId) -> [Offer; 14] {
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

/// What else a unit might do in its move: with houses, with guns that are too many for their gunners, with what bars its way.
pub(crate) fn other_moves(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut found = house_moves(battle, unit);
    if battle.battery(unit) && !battle.limbered(unit) {
        found.extend([false, true].map(|right| Offer::Abandon { unit, right }));
    }
    if !battle.fixed.barriers.is_empty() && battle.arm(unit) != Arm::Horse {
        found.push(Offer::Clear(unit));
    }
    found
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]
mod tests {
    use sabretache_engine::dice::Seeded;
    use sabretache_engine::playout::random_choice;
    use sabretache_engine::resolution::Resolution;
    use sabretache_engine::ruleset::Ruleset;
    use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

    use super::{moves, moves_of, other_moves};
    use crate::Batteries;
    use crate::battle::Step;
    use crate::inputs::work_out;
    use crate::offer::Offer;

    /// What is tested cheaply for a list of offers is open exactly where its input can be worked out.
    #[test]
    fn a_move_is_offered_where_it_has_an_input_and_nowhere_else() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/batteries");
        for (n, name) in ["the-crossroads", "smolensk-royal-bastion", "bussaco-sula", "barrosa"].iter().enumerate() {
            let text = std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap();
            let document = Document::parse("scenario", text).unwrap();
            let mut battle =
                Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
            let (mut random, mut dice) = (Seeded::new(n as u64), Seeded::new(9));
            let mut offers = Vec::new();
            let mut decisions = 0;
            while let Some(choice) = random_choice::<Batteries>(&battle, &mut offers, &mut random) {
                decisions += 1;
                if matches!(battle.step, Step::MoveA | Step::MoveB) && battle.pending.is_none() && decisions % 3 == 0 {
                    for unit in battle.of(battle.phasing()).filter(|unit| battle.may_move(*unit).is_ok()) {
                        let (_, open) = moves_of(&battle, unit);
                        for offer in moves(unit).into_iter().chain(other_moves(&battle, unit)) {
                            let whole = work_out(&battle, &offer);
                            assert_eq!(
                                open.contains(&offer),
                                whole.is_ok(),
                                "{name}, {decisions}: {offer:?} {whole:?}"
                            );
                        }
                        for stands in 1..=battle.most_stands(unit) {
                            let offer = Offer::Screen { unit, stands };
                            assert_eq!(open.contains(&offer), work_out(&battle, &offer).is_ok(), "{name}: {offer:?}");
                        }
                    }
                }
                Batteries::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
            }
        }
    }
}
