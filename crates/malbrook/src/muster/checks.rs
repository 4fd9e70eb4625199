//! What is wrong about where things stand, and with a state that was saved.

use super::*;
use crate::clauses::{MB_FRM_06, MB_GEN_07, MB_LEA_07, MB_MOR_04, MB_MOV_09};
use sabretache_engine::decides;

pub(super) fn refuse_impossible_places(battle: &Battle, report: &mut Diagnostics) {
    decides!(MB_GEN_07);
    let there: Vec<(usize, &Figure)> = battle.all().map(|unit| (unit.index(), battle.figure(unit))).collect();
    for (n, (index, figure)) in there.iter().enumerate() {
        let at = of_units(*index).key("at");
        if let Err(what) = battle.check_crowd(battle.brigade(UnitId(*index as u16)), figure) {
            let hint = "give unformed brigades one place for each base, within an inch of each other";
            report.against(MB_FRM_06, of_units(*index).key("places"), format!("it {what}"), hint);
        }
        if battle.fixed.table.on_table(*figure) != OnTable::Wholly {
            report.against(MB_GEN_07, at.clone(), "it stands over the edge of the table", "move it inwards");
        }
        if let Some((other, below)) = there[..n].iter().find(|(_, other)| overlapping(*figure, *other)) {
            let name = battle.id_of(UnitId(*other as u16));
            let deep = battle.fixed.scenario.measure.tell(overlap(*figure, *below).f());
            report.against(MB_MOV_09, at, format!("it stands on top of '{name}', by {deep}"), "move one of them");
        }
    }
    for (n, leader) in battle.leaders.iter().enumerate().filter(|(_, leader)| !leader.lost) {
        if !battle.fixed.table.holds(leader.at) {
            report.against(MB_GEN_07, of_leaders(n).key("at"), "he is off the table", "move him inwards");
        }
        let gap = battle.fixed.numbers.contact_gap.length();
        let near = leader.attached.is_none_or(|unit| battle.leader_reaches(OfficerId(n as u16), unit, gap));
        if !near && battle.fixed.scenario.body.state.turn == 0 && battle.turn == 0 {
            report.against(
                MB_LEA_07,
                of_leaders(n).key("at"),
                "he does not touch the brigade he is with",
                "move him to it",
            );
        }
    }
}

/// Tokens in a saved state must mean something.
pub(super) fn refuse_wrong_tokens(battle: &Battle, report: &mut Diagnostics) {
    let known = |unit: UnitId| unit.index() < battle.units.len();
    let state = Path::root().key("state");
    let fights = battle.fights.iter().flat_map(|fight| {
        let ours = fight.a.iter().chain(&fight.b).map(|one| one.unit);
        ours.chain(fight.guns.iter().copied()).chain(fight.acted.iter().copied()).chain(fight.gave_way.iter().copied())
    });
    if !battle.closing.is_empty() {
        decides!(MB_MOR_04);
    }
    let named = fights
        .chain(battle.group.map(|group| group.of))
        .chain(battle.ahead)
        .chain(battle.pending.iter().flat_map(Pending::units))
        .chain(battle.closing.iter().map(|one| one.unit))
        .chain(battle.dispatches.iter().flat_map(|dispatch| match &dispatch.word {
            crate::phases::messages::Word::Troops { units, .. } => units.clone(),
            _ => Vec::new(),
        }))
        .chain(battle.blows.iter().map(|blow| blow.unit));
    for unit in named {
        if !known(unit) {
            report.error(state.clone(), format!("there is no unit {unit}"));
        }
    }
    for (n, brigade) in battle.units.iter().enumerate() {
        use crate::brigade::{Assault, Charge, HaltAt, Response};
        let aimed = brigade.aim.map(|aim| aim.at);
        let attacked = if let Assault::Declared { at, .. } = brigade.marks.carried.attack { Some(at) } else { None };
        let answered = match brigade.marks.onset.response {
            Response::CounterCharges(unit) | Response::Evades(unit) => Some(unit),
            _ => None,
        };
        let conformed = if let Charge::Conforms(unit) = brigade.marks.control.by { Some(unit) } else { None };
        let level = if let Some(HaltAt::Level(unit)) = brigade.marks.way.halt_at { Some(unit) } else { None };
        for unit in [aimed, attacked, answered, conformed, level, brigade.marks.suffered.volley].into_iter().flatten() {
            if !known(unit) {
                report.error(of_units(n), format!("there is no unit {unit}"));
            }
        }
        if let Charge::By(leader) = brigade.marks.control.by
            && leader.index() >= battle.leaders.len()
        {
            report.error(of_units(n).key("marks"), format!("there is no leader {leader}"));
        }
    }
    for dispatch in &battle.dispatches {
        let third = match dispatch.word {
            crate::phases::messages::Word::Orders(_) => dispatch.to,
            crate::phases::messages::Word::Troops { to, .. } | crate::phases::messages::Word::Command { to, .. } => to,
        };
        let whose =
            if let crate::phases::messages::Word::Command { leader, .. } = dispatch.word { leader } else { third };
        if [dispatch.by, dispatch.to, third, whose].iter().any(|leader| leader.index() >= battle.leaders.len()) {
            report.error(state.clone().key("dispatches"), "there is no such leader");
        }
    }
    for blow in &battle.blows {
        if blow.leader.is_some_and(|leader| leader.index() >= battle.leaders.len()) {
            report.error(state.clone().key("blows"), "there is no such leader");
        }
    }
    if battle.phase == Phase::Over && battle.turn == 0 {
        report.error(state.key("phase"), "a battle that has not begun is not over");
    }
}
