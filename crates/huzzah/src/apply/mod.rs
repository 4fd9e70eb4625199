//! Folds what happened into the battle. Nothing else writes to a battle.

mod officers;
mod phases;
mod units;

use crate::clauses::HZ_CHK_23;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Bounds, Outline};

use officers::{close, ordered};
use phases::phase_begins;
use units::{leave, on, place};

use crate::battle::Battle;
use crate::body::Presence;
use crate::event::Event;
use crate::state::{Act, Acting, Bombarded, Doing, Phase, Scaled, Stage};
use crate::table::laid::{Asked, Laid};
use crate::troops::Formation;

/// Folds one event into the battle. It writes down what the event says; what follows from it is decided by [`follows`](crate::phases::follows).
pub fn apply(battle: &mut Battle, event: &Event) {
    let concerned = concerns_guns(battle, event);
    // A unit that moves or changes its formation matters to those guns only that can reach where it was or is.
    let one = match event {
        Event::Moved { unit, .. } | Event::Formed { unit, .. } => Some(*unit),
        _ => None,
    };
    let before = one.map(|unit| place_of(battle, unit));
    battle.asked = Asked::default();
    fold(battle, event);
    Laid::refresh(battle);
    match (one, before) {
        (Some(unit), Some(before)) => {
            let places = [before, place_of(battle, unit)];
            battle.guns.forget_at(&places);
            battle.sightings.forget_at(&places);
            battle.guns.forget(unit.index());
            battle.sightings.forget(unit.index());
        }
        _ if concerned => {
            battle.guns.forget_all();
            battle.sightings.forget_all();
        }
        _ => {}
    }
}

/// The box round a unit; an empty one where it is off the table.
fn place_of(battle: &Battle, unit: UnitId) -> Bounds {
    battle.laid.get(unit).map_or(Bounds::EMPTY, Outline::bounds)
}

/// Whether an event could change who can fire at whom. Those listed move nobody, and change no battery and no target.
fn concerns_guns(battle: &Battle, event: &Event) -> bool {
    match event {
        // A unit that acts again may be bombarded again (HZ-BOM-09).
        Event::Acts { moving } => battle.bombarded.iter().any(|one| one.target == moving.unit),
        Event::Now { .. }
        | Event::Finished { .. }
        | Event::Halted { .. }
        | Event::GoesOn { .. }
        | Event::Awaits { .. }
        | Event::Spent { .. }
        | Event::Ordered { .. }
        | Event::NamedFirst { .. }
        | Event::Disadvantaged { .. }
        | Event::Shaken { .. }
        | Event::Obeyed { .. }
        | Event::MustCheck { .. }
        | Event::Silenced { .. }
        | Event::FreeOrdersLapse { .. }
        | Event::GoesAlong { .. }
        | Event::OrderDone { .. } => false,
        _ => true,
    }
}

fn fold(battle: &mut Battle, event: &Event) {
    match event {
        Event::QualityRolled { unit, quality } => {
            on(battle, *unit, |unit| unit.quality = Some(*quality));
        }
        Event::OfficerRolled { officer, ability } => battle.officers[officer.index()].ability = Some(*ability),
        Event::SkirmishRolled { side, ability } => battle.armies[side.index()].skirmish = Some(*ability),
        Event::GoesFirst { side } => {
            battle.first = Some(*side);
            battle.phasing = *side;
        }
        Event::TurnBegins { turn } => {
            battle.turn = *turn;
            battle.doing = Doing { fleeing: std::mem::take(&mut battle.doing.fleeing), ..Doing::default() };
            battle.phasing = battle.first.unwrap_or(Side::A);
            battle.armies.iter_mut().for_each(|army| {
                army.appointments = 0;
                army.rearms = 0;
            });
        }
        Event::PhaseBegins { side, phase } => phase_begins(battle, *side, *phase),
        Event::Now { stage } => {
            battle.stage = *stage;
            battle.doing.then = None;
        }
        Event::BattleEnds { ended } => {
            battle.stage = Stage::Over;
            battle.doing = Doing { ended: Some(*ended), ..Doing::default() };
        }

        Event::Skirmished { winner, failed } => {
            battle.superiority = *winner;
            for side in Side::BOTH {
                battle.armies[side.index()].failed = failed[side.index()];
            }
        }
        Event::SkirmishersWorn { side, by } => {
            let army = &mut battle.armies[side.index()];
            army.worn = army.worn.saturating_add(*by);
        }
        Event::JoinsSkirmishers { unit } => {
            let side = battle.facts(*unit).side;
            let army = &mut battle.armies[side.index()];
            army.committed = army.committed.saturating_add(1);
            leave(battle, *unit, Presence::Skirmishing);
        }

        Event::Threatened { threats } => battle.threats.clone_from(threats),
        Event::Tested { unit, .. } => {
            for threat in battle.threats.iter_mut().filter(|threat| threat.unit == *unit) {
                threat.tested = true;
            }
        }
        Event::Staggered { unit, by, .. } => {
            on(battle, *unit, |unit| unit.staggers = unit.staggers.saturating_add(*by));
        }
        Event::Killed { unit, by, .. } => {
            on(battle, *unit, |unit| unit.kills = unit.kills.saturating_add(*by));
        }
        Event::Recovered { unit, by } => on(battle, *unit, |unit| unit.staggers = unit.staggers.saturating_sub(*by)),
        Event::Broken { unit, how, .. } | Event::Off { unit, how } => leave(battle, *unit, *how),
        Event::MustCheck { commands } => {
            for command in commands {
                let command = &mut battle.commands[command.index()];
                (command.must_check, command.excused) = (true, false);
            }
        }
        Event::Forced { unit, order, .. } => {
            let late = order.is_some()
                && battle.doing.phase == Some(Phase::Orders)
                && battle.facts(*unit).side == battle.phasing;
            on(battle, *unit, |unit| (unit.forced, unit.forced_later) = (*order, late));
        }
        Event::Smoke { unit, by } => on(battle, *unit, |unit| unit.smoke = unit.smoke.saturating_add(*by)),
        Event::SmokeClears { unit, by } => on(battle, *unit, |unit| unit.smoke = unit.smoke.saturating_sub(*by)),
        Event::Blown { unit, blown } => on(battle, *unit, |unit| unit.blown = *blown),
        Event::CommandBroken { command } => battle.commands[command.index()].left = battle.turn,

        Event::Ordered { officer, to, order, .. } => ordered(battle, *officer, *to, *order),
        Event::Obeyed { officer, to, order, huzzah, free } => {
            battle.doing.acting =
                Some(Acting { order: *order, officer: *officer, to: *to, huzzah: *huzzah, free: *free, acted: false });
            battle.stage = Stage::Act;
        }
        Event::OrderFailed { officer, .. } => {
            battle.officers[officer.index()].failed = true;
            battle.doing.came_on.clear();
            battle.doing.acting = None;
            battle.doing.moving = None;
        }
        Event::Silenced { commands } => {
            commands.iter().for_each(|command| battle.commands[command.index()].silenced = true);
        }
        Event::FreeOrdersLapse { officers } => {
            officers.iter().for_each(|officer| battle.officers[officer.index()].free = false);
        }
        Event::OrderDone { huzzah } => {
            battle.doing.came_on.clear();
            if let Some(acting) = battle.doing.acting.take() {
                if acting.free {
                    close(battle, acting.to);
                }
                battle.officers[acting.officer.index()].free = *huzzah;
            }
        }
        Event::OrdersOver { .. } => {
            battle.doing = Doing { phase: battle.doing.phase, orders: battle.doing.orders, ..Doing::default() };
        }
        Event::OrdersEnding => battle.doing.ending = true,
        Event::Acts { moving } => {
            battle.doing.moving = Some(*moving);
            let serial = battle.doing.orders;
            // A wheel through no angle is standing still (HZ-ORD-29).
            let still = matches!(moving.act, Act::Wheel { .. }) && moving.end == 0 && !moving.deploying;
            if let Some(acting) = battle.doing.acting.as_mut().filter(|_| !still) {
                acting.acted = true;
            }
            on(battle, moving.unit, |unit| {
                unit.acted = serial;
                decides!(HZ_CHK_23);
                unit.fell_back = false;
            });
        }
        Event::Moved { unit, pose, done } => {
            place(battle, *unit, *pose);
            if let Some(moving) = battle.doing.moving.as_mut().filter(|moving| moving.unit == *unit) {
                moving.done = *done;
            }
        }
        Event::Formed { unit, formation, pose } => {
            on(battle, *unit, |unit| {
                unit.formation = *formation;
                unit.sector = None;
                unit.sides = 0;
            });
            place(battle, *unit, *pose);
        }
        Event::Garrisons { unit, sector, sides } => {
            let pose = battle
                .lay
                .terrain
                .get(usize::from(*sector))
                .and_then(|terrain| terrain.sector)
                .map(|sector| sector.pose);
            on(battle, *unit, |unit| {
                unit.formation = Formation::Garrison;
                unit.sector = Some(*sector);
                unit.sides = *sides;
            });
            if let Some(pose) = pose {
                place(battle, *unit, pose);
            }
        }
        Event::Finished { .. } => {
            battle.doing.moving = None;
            battle.doing.forming = None;
        }
        Event::Halted { .. } => {
            if let Some(moving) = &mut battle.doing.moving {
                moving.end = moving.done;
                moving.finish = crate::state::Finish::There;
            }
        }
        Event::GoesOn { .. } => {
            if let Some(moving) = &mut battle.doing.moving {
                moving.hit = false;
            }
        }
        Event::Spent { unit, .. } => on(battle, *unit, |unit| unit.spent = true),
        Event::Across { unit, enemy } => {
            on(battle, *unit, |unit| unit.across = *enemy);
            battle.laid.forget();
        }
        Event::Enters { unit, pose } => {
            on(battle, *unit, |unit| unit.presence = Presence::Present);
            battle.doing.came_on.push(*unit);
            if let Some(acting) = &mut battle.doing.acting {
                acting.acted = true;
            }
            place(battle, *unit, *pose);
        }
        Event::ChosenFirst { command } => {
            let command = &mut battle.commands[command.index()];
            command.chosen = true;
            command.sent_for = true;
        }
        Event::Disadvantaged { .. } | Event::Shaken { .. } => {}
        Event::NamedFirst { command } => battle.commands[command.index()].chosen = true,
        Event::HeldBack { command } => {
            let command = &mut battle.commands[command.index()];
            command.delayed = command.delayed.saturating_add(1);
        }

        Event::Awaits { at, .. } => {
            if let Some(moving) = &mut battle.doing.moving {
                moving.ask = *at;
            }
        }
        Event::Sighted { battery, pose } => {
            on(battle, *battery, |unit| unit.sighted = true);
            place(battle, *battery, *pose);
        }
        Event::Bombarded { battery, target } => {
            let order = battle.unit(*target).acted;
            battle.bombarded.push(Bombarded { battery: *battery, target: *target, order });
            on(battle, *battery, |unit| unit.bombardments = unit.bombardments.saturating_sub(1));
            if let Some(moving) = battle.doing.moving.as_mut().filter(|moving| moving.unit == *target) {
                moving.hit = true;
            }
        }
        Event::HedgeGone { gap } => {
            battle.gaps.push(*gap);
            let lay = std::sync::Arc::make_mut(&mut battle.lay);
            if let Some((terrain, ground)) = crate::muster::relaid(&lay.scenario, &battle.gaps) {
                lay.terrain = terrain;
                lay.ground = ground;
            }
            // Units that stood at the hedge may lie in other ground now.
            battle.laid = Laid::default();
        }
        Event::Explodes { breach } => battle.exploded.push(*breach),
        Event::MoverHit => {
            if let Some(moving) = &mut battle.doing.moving {
                moving.hit = true;
            }
        }
        Event::Scales { unit, wall, pose } => {
            place(battle, *unit, *pose);
            on(battle, *unit, |unit| unit.scaled = Some(Scaled { wall: *wall, won: false }));
        }

        Event::OfficerMoves { .. }
        | Event::OfficerShifted { .. }
        | Event::GoesAlong { .. }
        | Event::Flees { .. }
        | Event::SeeksRefuge { .. }
        | Event::Attaches { .. }
        | Event::Detaches { .. }
        | Event::OfficerGone { .. }
        | Event::OfficerComes { .. }
        | Event::Supersedes { .. }
        | Event::Relinquishes { .. }
        | Event::Appointed { .. }
        | Event::Appointing { .. }
        | Event::Rearming { .. }
        | Event::Rearmed { .. } => officers::fold(battle, event),

        Event::Engaged { fights } => battle.fights.clone_from(fights),
        Event::FightRolled { fight, totals } => {
            if let Some(fight) = battle.fights.get_mut(usize::from(*fight)) {
                fight.totals.clone_from(totals);
            }
        }
        Event::OddPlaced { fight, unit } => {
            if let Some(fight) = battle.fights.get_mut(usize::from(*fight)) {
                fight.facts.odd_staggers.push(*unit);
            }
        }
        Event::Fought { fight, winner } => {
            if usize::from(*fight) < battle.fights.len() {
                let fought = battle.fights.remove(usize::from(*fight));
                for id in fought.attackers.iter().chain(&fought.defenders) {
                    let won = *winner == Some(battle.facts(*id).side);
                    on(battle, *id, |unit| {
                        unit.across = None;
                        // Once it has beaten the defender an escalading unit is at home on the wall (HZ-FTW-12).
                        if let Some(scaled) = &mut unit.scaled {
                            scaled.won |= won;
                        }
                    });
                }
            }
        }
        Event::Routs { unit, pose } => {
            on(battle, *unit, |unit| {
                unit.routing = true;
                unit.formation = Formation::Mob;
                unit.sector = None;
                unit.sides = 0;
                unit.forced = None;
            });
            place(battle, *unit, *pose);
        }
        Event::MustMove { unit, forced } => on(battle, *unit, |unit| unit.must_move = *forced),

        Event::Checked { command, passed, excused } => {
            let turn = battle.turn;
            let command = &mut battle.commands[command.index()];
            command.passed = Some(*passed);
            command.checked_turn = turn;
            command.must_check = false;
            command.excused = *excused;
            command.checked = true;
        }
        Event::PassGranted { command } => battle.commands[command.index()].free_pass = true,
        Event::Rolled { unit } => on(battle, *unit, |unit| unit.rolled = true),
        Event::Rallied { unit } => {
            on(battle, *unit, |unit| unit.routing = false);
            battle.doing.forming = Some(*unit);
        }
        Event::Reorganising { command } => {
            let turn = battle.turn;
            let command = &mut battle.commands[command.index()];
            command.attempts = command.attempts.saturating_add(1);
            command.tried = true;
            command.left = turn;
        }
        Event::Reorganised { command } => {
            let command = &mut battle.commands[command.index()];
            command.returning = true;
            command.left = 0;
            command.attempts = 0;
            command.delayed = 0;
            command.chosen = false;
            command.must_check = false;
        }
        Event::Returns { unit, kills } => on(battle, *unit, |unit| {
            unit.presence = Presence::Awaited;
            unit.staggers = 0;
            unit.kills = *kills;
            unit.formation = Formation::MarchColumn;
            unit.routing = false;
            unit.blown = false;
            unit.forced = None;
        }),
        Event::FellBack { unit } => on(battle, *unit, |unit| unit.fell_back = true),
    }
}
