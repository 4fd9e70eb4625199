//! The sequence of play: phases, halves, turns.

use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};

use crate::Offer;
use crate::battle::Battle;
use crate::clauses::{
    MB_CTL_04, MB_CTL_11, MB_GUN_05, MB_LEA_02, MB_ORG_06, MB_RSK_05, MB_SEQ_01, MB_SEQ_02, MB_SEQ_03, MB_SEQ_04,
    MB_SEQ_05, MB_SEQ_06, MB_SEQ_09, MB_VIC_01,
};
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::phases::options::offers::Optional;
use crate::phases::pending::Pending;
use crate::phases::{
    charge, closing, combat, command, control, deploy, gunnery, manoeuvre, meeting, merging, morale, movement,
    objectives, options, pending, steps,
};
use crate::situations::Initiative;
use crate::troops::{Ability, Rank};

mod beginning;
pub(crate) mod offers;

use beginning::succeed;
pub(crate) use beginning::{coming_up, enter, go_first, go_second, roll_initiative};
use offers::Turn;

/// A battle begins: the attacker goes first without a roll (MB-SEQ-03).
pub(crate) fn begin(battle: &mut Battle, attacker: Option<Side>) {
    decides!(MB_SEQ_03);
    if battle.fixed.zones.iter().any(|zone| !zone.is_empty()) {
        decides!(MB_ORG_06);
        // The defender is set down first, or the side that rolls lower (MB-ORG-06).
        (battle.phase, battle.chooser) = (Phase::Deployment, attacker.map(Side::other));
        battle.active = battle.chooser.unwrap_or(Side::A);
        return;
    }
    battle.turn = 1;
    battle.floor = options::first_player(battle, attacker.unwrap_or(Side::A));
    if let Some(side) = attacker {
        (battle.phase, battle.first, battle.active) = (Phase::Bombardment, side, side);
    }
}

/// Who decides now.
pub(crate) fn deciding(battle: &Battle) -> Option<Side> {
    if let Some(pending) = battle.pending.as_ref().filter(|pending| pending.holds_up()) {
        return Some(pending.answered_by(battle));
    }
    if let Some(closing) = closing::closing_now(battle) {
        return Some(battle.brigade(closing.unit).side);
    }
    match battle.phase {
        Phase::Over => None,
        Phase::Initiative => Some(battle.chooser.unwrap_or(Side::A)),
        Phase::ChargeMoves => Some(charge::names_dice(battle).map_or(battle.first, |unit| battle.brigade(unit).side)),
        Phase::Combat => Some(crate::phases::after_combat::deciding(battle).unwrap_or(battle.first)),
        _ => Some(battle.active),
    }
}

/// Somebody is asked something in the middle of something else.
pub(crate) fn interrupted(battle: &Battle) -> bool {
    move_interrupted(battle) || battle.scattering().is_some() || !battle.closing.is_empty()
}

/// Somebody is asked something in the middle of a move, which then goes on.
pub(crate) fn move_interrupted(battle: &Battle) -> bool {
    battle.pending.as_ref().is_some_and(Pending::holds_up)
}

impl Battle {
    /// All that the deciding side may do; found once for each decision.
    pub(crate) fn offers(&self) -> &[Offer] {
        self.memo.offers(|| {
            let mut out = Vec::new();
            offers(self, &mut out);
            out
        })
    }
}

fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    // What interrupts something else comes first, and nothing besides it.
    if pending::offers::offers(battle, out) {
        return;
    }
    match battle.phase {
        Phase::Over => return,
        Phase::Deployment => {
            deploy::offers(battle, out);
            if battle.chooser.is_some() {
                out.push(Turn::End.into());
            }
            return;
        }
        Phase::Initiative if battle.chooser.is_some() => {
            return out.extend([Turn::GoFirst, Turn::GoSecond].map(Offer::from));
        }
        Phase::Initiative => return out.push(Turn::RollInitiative.into()),
        Phase::Bombardment | Phase::CloseFire => gunnery::offers(battle, out),
        Phase::Command => {
            command::offers(battle, out);
            out.extend(options::challenges(battle).map(|leader| Offer::from(Optional::Challenge(leader))));
        }
        Phase::Control => control::offers(battle, out),
        Phase::Movement => {
            movement::offers(battle, out);
            movement::second_changes(battle, out);
            decides!(MB_GUN_05);
            for (gun, _) in &battle.crews {
                manoeuvre::recrew_offer(battle, *gun, out);
            }
            merging::offers(battle, out);
            out.extend(coming_up(battle).map(|unit| Offer::from(Turn::Enter(unit))));
        }
        Phase::LoneShots => gunnery::lone_offers(battle, out),
        Phase::Charges => charge::offers(battle, out),
        Phase::Responses => charge::response_offers(battle, out),
        Phase::ChargeMoves => {
            if let Some(unit) = charge::names_dice(battle) {
                charge::dice_offers(battle, unit, out);
            }
        }
        Phase::Combat => combat::offers(battle, out),
        Phase::Morale => {}
    }
    if may_end(battle).is_ok() {
        out.push(Turn::End.into());
    }
    options::for_the_floor(battle, out);
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    pending::offers::closed(battle, out);
    if interrupted(battle) {
        return;
    }
    match battle.phase {
        Phase::Bombardment | Phase::CloseFire => gunnery::closed(battle, out),
        Phase::Command => command::closed(battle, out),
        Phase::Movement => movement::closed(battle, out),
        Phase::Charges => charge::closed(battle, out),
        Phase::Responses => charge::response_closed(battle, out),
        _ => {}
    }
    if let Err(refusal) = may_end(battle)
        && !matches!(battle.phase, Phase::Over | Phase::Initiative)
    {
        out.push((Turn::End.into(), refusal));
    }
}

/// Whether a side may end its half of the phase.
pub(crate) fn may_end(battle: &Battle) -> Result<(), Refusal> {
    let no = |clause, why: &str| Err(Refusal::new(clause, why));
    if interrupted(battle) {
        return Err(Refusal::impossible(MB_SEQ_02, "somebody must first answer"));
    }
    // What has been asked is answered first, even by those who break the rules: nobody else could answer it later.
    match &battle.pending {
        Some(Pending::ControlDie(..)) => {
            decides!(MB_CTL_11);
            return Err(Refusal::impossible(MB_CTL_11, "a die is thrown and not read yet"));
        }
        Some(_) => return Err(Refusal::impossible(MB_SEQ_02, "what was asked is to be answered first")),
        None => {}
    }
    match battle.phase {
        Phase::Bombardment | Phase::Command | Phase::CloseFire | Phase::LoneShots => Ok(()),
        Phase::Deployment if battle.chooser.is_none() => no(MB_ORG_06, "who is set down first?"),
        Phase::Deployment => Ok(()),
        Phase::Control if control::tests_left(battle) => no(MB_CTL_04, "brigades out of control must test"),
        Phase::Control => Ok(()),
        Phase::Movement
            if battle.group.is_some()
                || battle
                    .of(battle.active)
                    .any(|unit| !battle.brigade(unit).marks.share.done && options::mine(battle, unit).is_ok()) =>
        {
            no(MB_SEQ_05, "each brigade moves or stands in its turn")
        }
        Phase::Movement => Ok(()),
        Phase::Charges if charge::must_declare(battle) => no(crate::clauses::MB_CTL_15, "a brigade must charge again"),
        Phase::Charges => Ok(()),
        Phase::Responses if charge::answers_left(battle, battle.active) => {
            no(crate::clauses::MB_CHG_11, "each charge must be answered")
        }
        Phase::ChargeMoves if charge::next_charge(battle).is_some() => {
            no(crate::clauses::MB_CHG_02, "declared charges are ridden")
        }
        Phase::Combat if combat::current(battle).is_some() => {
            no(crate::clauses::MB_SEQ_07, "every combat is fought out")
        }
        Phase::Responses | Phase::ChargeMoves | Phase::Combat | Phase::Morale => Ok(()),
        Phase::Initiative | Phase::Over => Err(Refusal::impossible(MB_SEQ_02, "there is no phase to end")),
    }
}

/// In the middle of something only what it asks may be answered.
pub(crate) fn may_choose(battle: &Battle, offer: &Offer) -> Result<(), Refusal> {
    if let Some(met) = battle.met() {
        return meeting::may_choose(met, offer);
    }
    options::floor_allows(battle, offer)?;
    if pending::offers::admits(battle, offer) {
        Ok(())
    } else {
        Err(Refusal::impossible(MB_SEQ_02, "somebody must first answer, or nobody asks"))
    }
}

/// A side ends its half of the phase.
pub(crate) fn end(play: &mut Play<'_>) -> Result<(), Halt> {
    if let Err(refusal) = may_end(play.battle()) {
        play.refuse(refusal)?;
    }
    leave_floor(play)?;
    settle(play)
}

/// The player who has the floor is done: the next of his side, or the next half or phase (MB-UMP-02).
fn leave_floor(play: &mut Play<'_>) -> Result<(), Halt> {
    match options::next_player(play.battle()) {
        Some(player) => {
            let finished = play.battle().finished | 1 << play.battle().floor.min(15);
            play.happen(Event::Floor { player, finished });
            Ok(())
        }
        None => advance(play),
    }
}

/// Goes on to the next half or phase.
fn advance(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_SEQ_01, MB_SEQ_02, MB_SEQ_06);
    let (first, second, active) = (play.battle().first, play.battle().second(), play.battle().active);
    let last = active == second;
    if play.battle().phase == Phase::Movement {
        movement::come_to_hand(play, active);
    }
    let (phase, side) = match play.battle().phase {
        Phase::Bombardment if last => (Phase::Command, first),
        Phase::Bombardment => (Phase::Bombardment, second),
        Phase::Command => (Phase::Control, active),
        Phase::Control if last => (Phase::Movement, first),
        Phase::Control => (Phase::Command, second),
        Phase::Movement if last => (Phase::CloseFire, first),
        Phase::Movement => (Phase::Movement, second),
        Phase::CloseFire if last => (Phase::LoneShots, first),
        Phase::CloseFire => (Phase::CloseFire, second),
        Phase::LoneShots if last => (Phase::Charges, first),
        Phase::LoneShots => (Phase::LoneShots, second),
        Phase::Charges if last => (Phase::Responses, second),
        Phase::Charges => (Phase::Charges, second),
        // The second player answers first.
        Phase::Responses if last => (Phase::Responses, first),
        Phase::Responses => (Phase::ChargeMoves, first),
        Phase::ChargeMoves => (Phase::Combat, first),
        Phase::Combat => {
            crate::phases::fleeing::surrender_the_trapped(play)?;
            play.happen(Event::PhaseBegan { phase: Phase::Morale, side: first });
            return morale::phase(play);
        }
        Phase::Morale => return end_turn(play),
        Phase::Deployment => {
            deploy::done(play);
            return Ok(());
        }
        Phase::Initiative | Phase::Over => return Ok(()),
    };
    crate::phases::fleeing::surrender_the_trapped(play)?;
    play.happen(Event::PhaseBegan { phase, side });
    match phase {
        Phase::Control => control::settle(play, side),
        Phase::Command => succeed(play, side),
        Phase::Combat => combat::engage(play)?,
        _ => {}
    }
    Ok(())
}

/// The morale phase is over, and lines that lost a base in it have picked an end: the next turn, or the end of the battle
/// (MB-VIC-01).
fn end_turn(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_VIC_01);
    objectives::march_off(play)?;
    morale::take_objectives(play);
    options::hide_the_unseen(play);
    let battle = play.battle();
    let over =
        Side::BOTH.into_iter().any(|side| morale::is_broken(battle, side) || objectives::wins_at_once(battle, side))
            || battle.turn >= morale::turns(battle);
    if over {
        play.happen(Event::Ended);
        return Ok(());
    }
    let turn = battle.turn + 1;
    let side = battle.first;
    play.happen(Event::TurnBegan { turn });
    play.happen(Event::PhaseBegan { phase: Phase::Initiative, side });
    Ok(())
}

/// Passes over halves in which there is nothing to decide, and finishes what finishes itself.
pub(crate) fn settle(play: &mut Play<'_>) -> Result<(), Halt> {
    options::look_about(play);
    loop {
        closing::ask(play);
        let battle = play.battle();
        if interrupted(battle) {
            return Ok(());
        }
        if battle.phase == Phase::Movement {
            if battle.group.is_some()
                && movement::acting(battle).is_none_or(|group| {
                    movement::members(battle, group).iter().all(|unit| battle.brigade(*unit).marks.share.done)
                })
            {
                play.happen(Event::GroupDone);
                continue;
            }
            match acting(battle) {
                Acting::Idle(unit) => {
                    play.happen(Event::Done { unit });
                    continue;
                }
                // Where a side has several players, the floor may have to pass to another.
                Acting::Busy if !options::has_players(battle) => return Ok(()),
                Acting::Busy | Acting::Nobody => {}
            }
        }
        if play.battle().phase == Phase::Morale {
            end_turn(play)?;
            continue;
        }
        let battle = play.battle();
        let waits = matches!(battle.phase, Phase::Initiative | Phase::Over);
        if waits || steps::anything_to_do(battle) || battle.offers().is_empty() {
            return Ok(());
        }
        leave_floor(play)?;
        options::look_about(play);
    }
}

/// What the group whose turn it is to move comes to.
enum Acting {
    /// This one can only stand.
    Idle(UnitId),
    /// There is something to do: told without listing all that may be done, which a player who only weighs what a choice came to never asks for.
    Busy,
    /// There is no such group, or its brigades wait for others.
    Nobody,
}

fn acting(battle: &Battle) -> Acting {
    let Some(group) = movement::acting(battle) else { return Acting::Nobody };
    // While dice may still be named the group is not idle.
    if !movement::dice_for(battle, group).is_empty() {
        return Acting::Busy;
    }
    let mut found = Acting::Nobody;
    for unit in movement::members(battle, group).iter().copied().filter(|unit| !battle.brigade(*unit).marks.share.done)
    {
        // A conforming brigade waits for its neighbour.
        let waits = matches!(battle.brigade(unit).marks.control.by, crate::brigade::Charge::Conforms(lead) if !battle.brigade(lead).marks.share.done && movement::group_of(battle, lead) == group);
        if waits {
            continue;
        }
        if movement::only_stands(battle, unit) {
            return Acting::Idle(unit);
        }
        found = Acting::Busy;
    }
    found
}
