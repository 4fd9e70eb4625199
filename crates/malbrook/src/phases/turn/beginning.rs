//! How a turn begins: the initiative, successors, reinforcements (MB-SEQ-04, MB-RSK-05, MB-SEQ-09).

use super::*;
use sabretache_engine::decides;

/// Rolls for initiative; equal totals are rolled again (MB-SEQ-04).
pub(crate) fn roll_initiative(play: &mut Play<'_>) -> Result<(), Halt> {
    let phase = play.battle().phase;
    let open = matches!(phase, Phase::Initiative | Phase::Deployment) && play.battle().chooser.is_none();
    play.require(open, MB_SEQ_04, || "the order of this turn is settled".into())?;
    let exceptional = |side: Side| {
        let battle = play.battle();
        battle
            .leaders_of(side)
            .any(|one| battle.leader(one).rank == Rank::Marshal && battle.leader(one).ability == Ability::Superior)
    };
    decides!(MB_LEA_02);
    let situation = Initiative { ours_exceptional: exceptional(Side::A), theirs_exceptional: exceptional(Side::B) };
    let mut totals = [0; 2];
    for (side, test) in Side::BOTH.into_iter().zip(situation.tests()) {
        let purpose = Purpose { what: "initiative", of: None, side };
        totals[side.index()] = play.roll(purpose, &test, &Throw::one(Die::D6), Wanted::High)?.total() + test.net();
    }
    play.happen(Event::InitiativeRolled { totals });
    Ok(())
}

/// The winner of initiative chooses to go first.
pub(crate) fn go_first(play: &mut Play<'_>) -> Result<(), Halt> {
    let chooser = chooser(play.battle())?;
    begin_with(play, chooser)
}

/// The winner of initiative chooses to go second.
pub(crate) fn go_second(play: &mut Play<'_>) -> Result<(), Halt> {
    let chooser = chooser(play.battle())?;
    begin_with(play, chooser.other())
}

pub(super) fn chooser(battle: &Battle) -> Result<Side, Refusal> {
    let chooser = battle.chooser.filter(|_| battle.phase == Phase::Initiative);
    chooser.ok_or_else(|| Refusal::new(MB_SEQ_04, "nobody has won initiative"))
}

/// The turn begins with the bombardment of the side that goes first.
pub(super) fn begin_with(play: &mut Play<'_>, side: Side) -> Result<(), Halt> {
    play.happen(Event::GoesFirst { side });
    play.happen(Event::PhaseBegan { phase: Phase::Bombardment, side });
    settle(play)
}

/// Those named in the scenario step into the places of leaders who fell (MB-RSK-05).
pub(super) fn succeed(play: &mut Play<'_>, side: Side) {
    let battle = play.battle();
    let mut ready = Vec::new();
    for (n, leader) in battle.leaders.iter().enumerate() {
        decides!(MB_RSK_05);
        let named = battle.fixed.scenario.body.leaders[n].successor.is_some();
        let leads = |unit: &UnitId| battle.in_chain(OfficerId(n as u16), *unit);
        if leader.side == side && leader.lost && !leader.succeeded && named {
            let nearest = battle
                .of(side)
                .filter(leads)
                .min_by_key(|unit| (battle.brigade(*unit).pose.at.distance(leader.at), *unit));
            let at = nearest.map(|unit| battle.brigade(unit).pose.at);
            ready.extend(at.map(|at| (OfficerId(n as u16), at)));
        }
    }
    for (leader, at) in ready {
        play.happen(Event::Succeeded { leader, at });
    }
}

/// Reinforcements that may come up now (MB-SEQ-09).
pub(crate) fn coming_up(battle: &Battle) -> impl Iterator<Item = UnitId> + '_ {
    let ready = move |(n, brigade): &(usize, &crate::brigade::Brigade)| {
        decides!(MB_SEQ_09);
        let due = battle.fixed.scenario.body.units[usize::from(brigade.entry)].arrives;
        let unit = UnitId(*n as u16);
        brigade.status == crate::brigade::Status::Expected
            && brigade.side == battle.active
            && due.is_some_and(|due| battle.turn >= due)
            && battle.stands_as_known(unit, battle.figure(unit))
    };
    let movement = battle.phase == Phase::Movement && !interrupted(battle);
    battle.units.iter().enumerate().filter(move |one| movement && ready(one)).map(|(n, _)| UnitId(n as u16))
}

/// Reinforcements come up at the place that the scenario gives them.
pub(crate) fn enter(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let may = coming_up(play.battle()).any(|one| one == unit);
    play.require(may, MB_SEQ_09, || "it does not come up now".into())?;
    let figure = play.battle().figure(unit).clone();
    if !play.battle().stands(unit, &figure) {
        // Hidden enemy hold the place: they show themselves.
        crate::phases::ambush::startle(play, unit, &figure);
        return Ok(());
    }
    play.happen(Event::Entered { unit });
    Ok(())
}
