//! The turn: what follows what, and what happens of itself.

pub(crate) mod offers;

use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};

use crate::Batteries;
use crate::battle::{Battle, Pending, Place, Step};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::charges::overrun;
use crate::phases::morale::Over;
use crate::phases::pursuit::{bounce, chase};
use crate::phases::{arrivals, combat, morale, returns, rout, screens, shooting, victory};
use crate::situations::{Charisma, CommandPoints};

impl Battle {
    /// Units of a side that must test in this step (BB-SEQ-05, BB-SEQ-06, BB-MOR-05, BB-MOR-06, BB-MOR-07, BB-MOR-08).
    pub(crate) fn due(&self, side: Side) -> Vec<UnitId> {
        decides!(BB_SEQ_05, BB_SEQ_06, BB_MOR_05, BB_MOR_06, BB_MOR_07, BB_MOR_08);
        let charged = |unit: UnitId| self.contacts.iter().any(|contact| contact.fresh && contact.target == unit);
        let due = |unit: &UnitId| {
            let state = self.unit(*unit);
            // Hits on a screen make nobody test (BB-OPT-66).
            if self.broken(*unit) || self.facts(*unit).screen_of.is_some() {
                return false;
            }
            match self.step {
                Step::ChargeTests => !state.now.tested && self.tests_to_charge(*unit),
                Step::PanicTests => {
                    // A unit that has failed the charge test is in contact no more (BB-CHG-29).
                    decides!(BB_CHG_29);
                    !state.now.tested
                        && charged(*unit)
                        && self.nerve(*unit, Over::Shock).reason(self.numbers()) == Some(BB_MOR_07)
                }
                Step::HitTests => !state.now.tested && state.now.hits >= u16::from(self.numbers().shaken_by.hits),
                Step::LoserTests => state.now.lost,
                _ => false,
            }
        };
        self.of(side).filter(|unit| self.leads(*unit)).filter(due).collect()
    }

    /// The side that tests now: Side B first (BB-MOR-11).
    pub(crate) fn testing(&self) -> Option<Side> {
        decides!(BB_MOR_11);
        [self.first.other(), self.first].into_iter().find(|side| !self.due(*side).is_empty())
    }

    /// A side that has lost too much is beaten.
    pub(crate) fn beaten(&self, side: Side) -> bool {
        let (lost, start) = self.losses(side);
        let limit = self.fixed.scenario.body.victory.losses;
        start > 0
            && (lost == start
                || limit.is_some_and(|limit| u64::from(lost) * 100 >= u64::from(start) * u64::from(limit)))
    }

    /// Figures lost and figures at the start; units that are off the table count as lost.
    pub(crate) fn losses(&self, side: Side) -> (u32, u32) {
        let own = || self.units.iter().zip(&self.fixed.facts).filter(|(_, facts)| facts.side == side);
        let units = own().filter(|(_, facts)| facts.screen_of.is_none());
        let start: u32 = units.map(|(unit, _)| u32::from(unit.start)).sum();
        let on_table = |place: Place| {
            matches!(place, Place::Table | Place::Away | Place::Pursuing | Place::Awaited | Place::Exited)
        };
        let left: u32 = own().filter(|(unit, _)| on_table(unit.place)).map(|(unit, _)| u32::from(unit.figures)).sum();
        (start - left.min(start), start)
    }
}

/// Phase 1: charisma that is still unknown, then the dice of both sides.
pub(crate) fn initiative(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    decides!(BB_SEQ_02);
    chase::chase_all(play);
    if play.battle().pending.is_some() {
        return Ok(());
    }
    let numbers = play.battle().numbers().clone();
    for n in 0..play.battle().generals.len() {
        let general = OfficerId(n as u16);
        let (side, unknown) = (play.battle().general(general).side, play.battle().general(general).charisma.is_none());
        if unknown {
            let purpose = Purpose { what: "charisma", of: Some(general.into()), side };
            let roll = play.throw(purpose, &Charisma {}.throw(&numbers), Wanted::High)?;
            let charisma = Charisma {}.read(roll.total(), &numbers).charisma;
            play.happen(Event::CharismaRolled { general, charisma });
        }
    }
    let mut rolled = [0u8; 2];
    for side in Side::BOTH {
        let purpose = Purpose { what: "initiative", of: None, side };
        rolled[side.index()] = play.throw(purpose, &Throw::one(Die::D10), Wanted::High)?.total() as u8;
    }
    play.happen(Event::InitiativeRolled { first: rolled[0], second: rolled[1] });
    if rolled[0] != rolled[1] {
        play.happen(Event::Won { side: if rolled[0] > rolled[1] { Side::A } else { Side::B } });
    }
    Ok(())
}

/// The winner has chosen: Side A moves.
pub(crate) fn chosen(play: &mut Resolution<'_, Batteries>, first: Side) -> Result<(), Halt> {
    decides!(BB_OPT_06);
    play.happen(Event::Chose { first });
    if play.battle().fixed.options.command_initiative {
        let numbers = play.battle().numbers().clone();
        for n in 0..play.battle().generals.len() {
            let general = OfficerId(n as u16);
            if !play.battle().general(general).there() {
                continue;
            }
            let purpose =
                Purpose { what: "command points", of: Some(general.into()), side: play.battle().general(general).side };
            let roll = play.throw(purpose, &CommandPoints {}.throw(&numbers), Wanted::High)?;
            let points = CommandPoints {}.read(roll.total(), &numbers).points;
            play.happen(Event::PointsRolled { general, points });
        }
    }
    begin_moves(play, Step::MoveA)
}

/// A movement phase begins; units off the table may return (BB-OPT-47, BB-OPT-92).
fn begin_moves(play: &mut Resolution<'_, Batteries>, step: Step) -> Result<(), Halt> {
    play.happen(Event::Began { step });
    arrivals::arrive(play);
    returns::come_back(play)
}

/// The phasing side has done with moving.
pub(crate) fn moves_over(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    if let Some(unit) = play.battle().moving {
        play.happen(Event::MoveOver { unit });
    }
    remove_shattered(play);
    match play.battle().step {
        Step::MoveA => begin_moves(play, Step::MoveB),
        _ => {
            play.happen(Event::Began { step: Step::AimA });
            Ok(())
        }
    }
}

/// A side has given its orders to fire; when both have, all fire.
pub(crate) fn aimed(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    if play.battle().step == Step::AimA {
        play.happen(Event::Began { step: Step::AimB });
        return Ok(());
    }
    shooting::all_fire(play)?;
    losses_off(play)
}

/// Losses of fire or of combat come off, once it is settled who of a garrison bears them; then the phase goes on.
pub(crate) fn losses_off(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let battle = play.battle();
    let tied = battle.all().find(|unit| !battle.tied_to_bear(*unit).is_empty());
    if let Some(garrison) = tied {
        play.happen(Event::Asked { pending: Pending::Toll { garrison } });
        return Ok(());
    }
    shooting::take_losses(play);
    if play.battle().step == Step::Combat {
        return after_blows(play);
    }
    screens::ask_to_refill(play);
    if play.battle().pending.is_some() {
        return Ok(());
    }
    after_fire(play)
}

/// All have fired and the losses are off: generals with those hit hard are in danger, then chargers test.
pub(crate) fn after_fire(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    endanger_generals(play)?;
    play.happen(Event::Began { step: Step::ChargeTests });
    proceed(play)
}

/// Generals with units that have been hit hard in this phase are in danger (BB-OPT-49).
fn endanger_generals(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let hit: Vec<UnitId> = play.battle().all().filter(|unit| play.battle().unit(*unit).now.hits > 0).collect();
    for unit in hit {
        morale::danger_to_generals(play, unit)?;
    }
    Ok(())
}

/// Goes on until somebody has to decide.
pub(crate) fn proceed(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    loop {
        if play.battle().pending.is_some() {
            return Ok(());
        }
        let breaking = play.battle().all().find(|unit| play.battle().unit(*unit).now.breaking);
        if let Some(unit) = breaking {
            let cause = play.battle().cause_of(unit);
            rout::rout(play, unit, cause)?;
            continue;
        }
        match play.battle().step {
            Step::ChargeTests | Step::PanicTests | Step::HitTests | Step::LoserTests => {
                if let Some(side) = play.battle().testing() {
                    let due = play.battle().due(side);
                    if due.len() > 1 {
                        return Ok(());
                    }
                    let over = Over::in_step(play.battle().step);
                    morale::test(play, due[0], over)?;
                    continue;
                }
                next_step(play)?;
            }
            Step::Overruns => match play.battle().next_overrun() {
                Some((charger, target)) => {
                    let from = play.battle().unit(charger).pose;
                    overrun::overrun(play, charger, target, from);
                    let battle = play.battle();
                    let all_run_over = battle
                        .contacts
                        .iter()
                        .filter(|contact| contact.charger == charger)
                        .all(|contact| contact.overrun);
                    let more = battle.next_overrun().is_some_and(|(next, _)| next == charger);
                    if all_run_over && !more && overrun::can_go_on(battle, charger) {
                        play.happen(Event::Asked { pending: Pending::Overrun { charger } });
                    }
                }
                None => play.happen(Event::Began { step: Step::PanicTests }),
            },
            Step::Combat if play.battle().contacts.is_empty() => after_fights(play)?,
            Step::Pursuits if play.battle().to_pursue().is_some() => return Ok(()),
            Step::Pursuits => return end_of_turn(play),
            _ => return Ok(()),
        }
    }
}

fn next_step(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    decides!(BB_CHG_26);
    match play.battle().step {
        Step::ChargeTests => play.happen(Event::Began { step: Step::Overruns }),
        Step::PanicTests => play.happen(Event::Began { step: Step::HitTests }),
        Step::HitTests => {
            let over: Vec<_> = play.battle().contacts.iter().filter(|contact| contact.overrun).copied().collect();
            for contact in over {
                play.happen(Event::Parted { charger: contact.charger, target: contact.target });
            }
            combat::contact_disorder(play);
            remove_shattered(play);
            play.happen(Event::Began { step: Step::Combat });
        }
        _ => {
            remove_shattered(play);
            after_fights(play)?;
        }
    }
    Ok(())
}

/// Cavalry bounces and victors pursue, where those rules are used; then the turn is over.
fn after_fights(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    decides!(BB_MOV_26, BB_OPT_04, BB_OPT_15);
    let options = play.battle().fixed.options;
    if options.cavalry_bounce {
        bounce::recoil_all(play);
    }
    if options.cavalry_bounce || options.pursuit {
        play.happen(Event::Began { step: Step::Pursuits });
        return Ok(());
    }
    end_of_turn(play)
}

/// Combats are fought, and the losers test.
pub(crate) fn fight(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    combat::fight(play)?;
    losses_off(play)
}

fn after_blows(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    endanger_generals(play)?;
    play.happen(Event::Began { step: Step::LoserTests });
    proceed(play)
}

/// Units that have lost three quarters leave at the end of the phase (BB-MOR-04).
fn remove_shattered(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_MOR_04);
    let broken: Vec<UnitId> = play.battle().all().filter(|unit| play.battle().broken(*unit)).collect();
    for unit in broken {
        play.happen(Event::Shattered { unit });
    }
}

/// Recovery, guns, the marks of the turn, and whether the battle is over (BB-SEQ-08).
fn end_of_turn(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    decides!(BB_STA_11, BB_STA_12, BB_SEQ_08, BB_GEN_11);
    let all: Vec<UnitId> = play.battle().all().collect();
    for unit in &all {
        let battle = play.battle();
        let (state, now) = (battle.unit(*unit), battle.unit(*unit).now);
        decides!(BB_OPT_48);
        let rests = !(now.moved || now.routed || now.evaded || now.pursued);
        // A garrison shoots and fights as one (BB-TWN-15).
        let fires = battle.any_of(*unit, |state| state.now.fired || state.now.fought);
        let free = !battle.in_contact(battle.lead(*unit));
        let idle = rests && !fires && free && !battle.chases.iter().any(|chase| chase.pursuer == *unit);
        let shaken = idle && state.shaken && now.was_shaken;
        let disordered = idle && state.disordered && now.was_disordered && battle.disordered_here(*unit).is_none();
        if shaken || disordered {
            play.happen(Event::Recovered { unit: *unit, shaken, disordered });
        }
    }
    crate::phases::clearing::clear_lines(play)?;
    crate::terrain::walls::won_walls(play);
    crate::phases::aftermath::capture_guns(play);
    victory::march_off(play);
    let (turn, last) = (play.battle().turn, play.battle().fixed.scenario.body.turns);
    let beaten = Side::BOTH.into_iter().any(|side| play.battle().beaten(side));
    let decided = Side::BOTH.into_iter().any(|side| victory::wins_at_once(play.battle(), side));
    if beaten || decided || turn >= last {
        play.happen(Event::Began { step: Step::Over });
        return Ok(());
    }
    // A pursued unit that was not beaten again is pursued no more (BB-OPT-43).
    decides!(BB_OPT_43);
    let off_the_wall = crate::terrain::walls::off_the_wall(play.battle());
    play.happen(Event::TurnOver { turn: turn + 1, off_the_wall });
    chase::chase_all(play);
    Ok(())
}
