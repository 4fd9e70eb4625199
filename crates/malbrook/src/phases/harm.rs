//! What befalls brigades and the leaders who are with them: DPs, casualties, destruction, risk.

use crate::clauses::{MB_LEA_14, MB_MOR_05, MB_RSK_01};
use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};

use crate::Malbrook;
use crate::brigade::Status;
use crate::event::{BlowKind, Event, Risk};
use crate::situations::{Cause, Fate, LeaderRisk, Standing, suffer};
use crate::table::lay::near;
use crate::troops::Rank;

pub(crate) type Play<'a> = Resolution<'a, Malbrook>;

/// Gives DPs and casualties to a brigade that no enemy in particular has done it to.
pub(crate) fn harm(play: &mut Play<'_>, unit: UnitId, dps: u8, casualties: u8, cause: Cause) -> Result<(), Halt> {
    harm_by(play, unit, dps, casualties, cause, None)
}

/// Gives DPs and casualties to a brigade, with all that follows (MB-MOR-02 to 05, MB-RSK-01), and says who did it.
pub(crate) fn harm_by(
    play: &mut Play<'_>,
    unit: UnitId,
    dps: u8,
    casualties: u8,
    cause: Cause,
    by: Option<UnitId>,
) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    if !brigade.is_unit() {
        return Ok(());
    }
    let standing = Standing { bases: brigade.bases, dps: brigade.dps, model: brigade.kind.is_model() };
    let suffered = suffer(standing, dps, casualties, cause, &battle.fixed.numbers);
    if suffered.dps == 0 && suffered.casualties == 0 {
        return Ok(());
    }
    let destroyed = suffered.casualties >= brigade.bases;
    let is_brigade = brigade.kind.is_brigade();
    let blow = battle.blow(unit, BlowKind::Destroyed, None);
    // The last base stays on the roster as the place where it fell; the brigade itself is gone.
    let casualties = if destroyed { suffered.casualties - 1 } else { suffered.casualties };
    let converted = suffered.converted;
    play.happen(Event::Suffered { unit, dps: suffered.dps, casualties, cause, by, converted });
    risk(play, unit, suffered.dps > 0, suffered.casualties > 0, cause)?;
    if destroyed {
        destroy(play, unit, Status::Destroyed)?;
        if is_brigade {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

/// A brigade is no more; leaders with it are taken if the enemy is near and no friend is (MB-MOR-05).
pub(crate) fn destroy(play: &mut Play<'_>, unit: UnitId, status: Status) -> Result<(), Halt> {
    decides!(MB_MOR_05);
    let battle = play.battle();
    let side = battle.brigade(unit).side;
    let two = battle.fixed.numbers.surrender.length();
    let four = battle.fixed.numbers.lone_shots.friends.length();
    let leaders: Vec<OfficerId> = battle.attached_to(unit).collect();
    let taken: Vec<OfficerId> = leaders
        .into_iter()
        .filter(|leader| {
            let disc = battle.disc(*leader);
            let enemy = battle.of(side.other()).any(|enemy| near(&disc, &battle.figure(enemy), two));
            let friend = battle.of(side).any(|friend| friend != unit && near(&disc, &battle.figure(friend), four));
            status == Status::Surrendered || (enemy && !friend)
        })
        .collect();
    play.happen(Event::Became { unit, status });
    for leader in taken {
        lose(play, leader, unit, Loss::Taken);
    }
    Ok(())
}

/// How a leader is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// The enemy have him.
    Taken,
    /// He has fallen, and that has been told.
    Killed,
}

/// A leader is lost; friends feel it if he was a Lieutenant General or Marshal (MB-MOR-14).
fn lose(play: &mut Play<'_>, leader: OfficerId, with: UnitId, how: Loss) {
    let senior = play.battle().leader(leader).rank > Rank::MajorGeneral;
    let blow = play.battle().blow(with, BlowKind::GeneralLost, Some(leader));
    if how == Loss::Taken {
        play.happen(Event::LeaderTaken { leader });
    }
    if senior {
        play.happen(Event::Noted { blow });
    }
}

/// A leader is taken by cavalry; his friends near there feel it as his death (MB-RSK-07, MB-MOR-14).
pub(crate) fn capture(play: &mut Play<'_>, leader: OfficerId, by: UnitId) {
    let of = play.battle().brigade_near(leader).unwrap_or(by);
    lose(play, leader, of, Loss::Taken);
}

/// The leaders with a brigade test: once for fire, once for combat, once for other casualties (MB-RSK-01).
fn risk(play: &mut Play<'_>, unit: UnitId, dps: bool, casualties: bool, cause: Cause) -> Result<(), Halt> {
    decides!(MB_RSK_01, MB_LEA_14);
    let which = match cause {
        Cause::Move => return Ok(()),
        Cause::Fire => Risk::Fire,
        Cause::Combat => Risk::Combat,
        Cause::Morale => Risk::Other,
    };
    let called_for = if which == Risk::Other { casualties } else { dps || casualties };
    if !called_for || play.battle().brigade(unit).marks.suffered.risked[which as usize] {
        return Ok(());
    }
    let leaders: Vec<OfficerId> = play.battle().attached_to(unit).collect();
    if leaders.is_empty() {
        return Ok(());
    }
    play.happen(Event::Risked { unit, which });
    for leader in leaders {
        risk_leader(play, leader, unit, Danger::Shared)?;
    }
    Ok(())
}

/// What a leader is in danger of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Danger {
    /// He shares what befalls the brigade he is with (MB-RSK-01).
    Shared,
    /// He is shot at alone (MB-RSK-06).
    Shot,
}

/// One leader tests, or is shot at alone.
pub(crate) fn risk_leader(play: &mut Play<'_>, leader: OfficerId, with: UnitId, danger: Danger) -> Result<(), Halt> {
    let (one, shot_at) = (*play.battle().leader(leader), danger == Danger::Shot);
    let situation = LeaderRisk { shot_at, wounded: one.wounded, messenger: false };
    let numbers = play.battle().fixed.numbers.clone();
    let fate = situation.take(&numbers, |what| {
        let purpose = Purpose { what, of: Some(leader.into()), side: one.side };
        let wanted = if shot_at { Wanted::Low } else { Wanted::High };
        play.throw(purpose, &Throw::one(Die::D6), wanted).map(|roll| roll.total())
    })?;
    play.happen(Event::LeaderRisked { leader, fate });
    if fate == Fate::Killed {
        lose(play, leader, with, Loss::Killed);
    }
    Ok(())
}
