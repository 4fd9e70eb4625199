//! Command checks (HZ-CHK-01 to HZ-CHK-32).

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::Halt;
use sabretache_table::exact_distance;
use smallvec::SmallVec;

use super::reorganise;
use crate::body::OfficerStatus;
use crate::clauses::{
    HZ_CHK_02, HZ_CHK_04, HZ_CHK_05, HZ_CHK_07, HZ_CHK_08, HZ_CHK_13, HZ_CHK_17, HZ_CHK_18, HZ_CHK_19, HZ_CHK_21,
    HZ_CHK_29, HZ_CHK_31, HZ_OFF_19,
};
use crate::event::Event;
use crate::phases::{Play, fallback, harm, roll_for};
use crate::situations::{CheckDue, CommandCheckSituation, LastCheck, TakenBy};
use crate::state::{ForcedMove, Stage};
use crate::table::{Field, command, support, zones};
use crate::troops::{Ability, Level};

/// Whether a command must check now (HZ-CHK-03 to HZ-CHK-05).
#[must_use]
pub fn is_due(field: &Field<'_>, id: CommandId) -> bool {
    decides!(HZ_CHK_04, HZ_CHK_05);
    let battle = field.battle;
    let state = battle.command(id);
    if state.checked || battle.command_facts(id).side != battle.phasing {
        return false;
    }
    let present: SmallVec<[UnitId; 16]> = battle.units_of(id).filter(|&unit| battle.is_present(unit)).collect();
    let mut due = CheckDue {
        new_loss: state.must_check,
        failed_last_turn: state.passed == Some(false) && state.checked_turn + 1 >= battle.turn,
        damaged: battle.lost_below(id) > 0,
        in_threat_zone: false,
        excused: state.excused,
        off_table: present.is_empty(),
    };
    if !due.is_due() && due.damaged && !due.excused && !due.off_table {
        due.in_threat_zone = present.iter().any(|&unit| zones::in_any_zone(field, unit));
    }
    due.is_due()
}

/// The commands that check next: of the highest level with any due, those with most losses, of these the nearest to the enemy
/// (HZ-CHK-07, HZ-CHK-08). Once a level has been reached those above it are done with: what a brigade's failure does to its division is
/// for the next turn.
#[must_use]
pub fn next_due(field: &Field<'_>) -> SmallVec<[CommandId; 4]> {
    decides!(HZ_CHK_29);
    decides!(HZ_CHK_08);
    let battle = field.battle;
    let taken = battle
        .command_ids()
        .filter(|&id| battle.command(id).checked && battle.command_facts(id).side == battle.phasing);
    let reached = taken.map(|id| battle.command_facts(id).level).min().unwrap_or(Level::Army);
    let levels = [Level::Army, Level::Corps, Level::Division, Level::Brigade];
    for level in levels.into_iter().filter(|&level| level <= reached) {
        decides!(HZ_CHK_07);
        let mut due: SmallVec<[(u8, f64, CommandId); 4]> = SmallVec::new();
        for id in battle.command_ids() {
            if battle.command_facts(id).level == level && is_due(field, id) {
                due.push((battle.lost_below(id), 0.0, id));
            }
        }
        let Some(most) = due.iter().map(|one| one.0).max() else { continue };
        due.retain(|one| one.0 == most);
        if due.len() > 1 {
            for one in &mut due {
                one.1 = nearest(field, one.2);
            }
            let closest = due.iter().map(|one| one.1).fold(f64::INFINITY, f64::min);
            due.retain(|one| one.1 <= closest + 1.0);
        }
        return due.into_iter().map(|one| one.2).collect();
    }
    SmallVec::new()
}

fn nearest(field: &Field<'_>, id: CommandId) -> f64 {
    let mut best = f64::INFINITY;
    for unit in field.battle.units_of(id) {
        let Some(placed) = field.get(unit) else { continue };
        for (_, enemy) in field.enemies(unit) {
            best = best.min(exact_distance(placed, enemy));
        }
    }
    best
}

/// Who can take a command's check: its own officer, or seniors where he is lost (HZ-CHK-18, HZ-CHK-19).
#[must_use]
pub fn takers(field: &Field<'_>, id: CommandId) -> SmallVec<[OfficerId; 4]> {
    decides!(HZ_CHK_18);
    let battle = field.battle;
    if let Some(leader) = battle.leader(id) {
        return SmallVec::from_slice(&[leader]);
    }
    let facts = battle.command_facts(id);
    let lost = matches!(battle.officer(facts.officer).status, OfficerStatus::Killed | OfficerStatus::Captured);
    let mut seniors = SmallVec::new();
    let mut above = facts.above.filter(|_| lost);
    while let Some(senior) = above {
        let officer = battle.command_facts(senior).officer;
        if battle.is_there(officer) && all_within(field, id, officer) {
            seniors.push(officer);
        }
        above = battle.command_facts(senior).above;
    }
    seniors
}

/// Seniors who could take a fallen officer's check if all of the command were within their radius (HZ-CHK-19).
pub(super) fn seniors_out_of_reach(field: &Field<'_>, id: CommandId) -> SmallVec<[OfficerId; 4]> {
    let battle = field.battle;
    let facts = battle.command_facts(id);
    let mut found = SmallVec::new();
    if battle.leader(id).is_some() {
        return found;
    }
    let lost = matches!(battle.officer(facts.officer).status, OfficerStatus::Killed | OfficerStatus::Captured);
    let mut above = facts.above.filter(|_| lost);
    while let Some(senior) = above {
        let officer = battle.command_facts(senior).officer;
        if battle.is_there(officer) && !all_within(field, id, officer) {
            found.push(officer);
        }
        above = battle.command_facts(senior).above;
    }
    found
}

/// Whether all units of a command are within an officer's radius.
fn all_within(field: &Field<'_>, id: CommandId, officer: OfficerId) -> bool {
    decides!(HZ_CHK_19);
    let radius = field.battle.radius(officer);
    let mut there = field.battle.units_of(id).filter(|&unit| field.battle.is_present(unit));
    there.all(|unit| command::within_radius(field, officer, unit, radius))
}

/// Whether the officer may seize the flag (HZ-CHK-17).
pub(super) fn may_seize(field: &Field<'_>, id: CommandId, by: OfficerId) -> bool {
    decides!(HZ_CHK_17);
    field.battle.leader(id) == Some(by) && all_within(field, id, by)
}

/// The facts of a check.
#[must_use]
pub fn situation(field: &Field<'_>, id: CommandId, by: Option<OfficerId>, flag: bool) -> CommandCheckSituation {
    let battle = field.battle;
    let facts = battle.command_facts(id);
    let taken_by = match by {
        None => TakenBy::Nobody,
        Some(officer) if officer == facts.officer => TakenBy::OwnOfficer,
        Some(officer) if battle.officer(officer).supersedes == Some(id) => {
            decides!(HZ_OFF_19);
            TakenBy::SupersedingCinc
        }
        Some(officer) => match battle.command_facts(battle.officer_facts(officer).command).level {
            Level::Army => TakenBy::Cinc,
            Level::Corps => TakenBy::CorpsOfficer,
            Level::Division | Level::Brigade => TakenBy::DivisionOfficer,
        },
    };
    CommandCheckSituation {
        command: facts.level,
        taken_by,
        officer: by.map_or(Ability::Average, |officer| battle.ability(officer)),
        inspirational: by.is_some_and(|officer| battle.officer(officer).inspirational),
        lost: battle.lost_below(id),
        last_check: LastCheck::of(battle.command(id).passed),
        isolated: battle.has_isolated(id),
        favourable: favourable(field, id),
        seizes_flag: flag,
        out_of_radius: by.is_some_and(|officer| !all_within(field, id, officer)),
        pass_granted: battle.command(id).free_pass,
    }
}

/// Sub-commands in a favourable position (HZ-CHK-13).
fn favourable(field: &Field<'_>, id: CommandId) -> u8 {
    decides!(HZ_CHK_13);
    let battle = field.battle;
    let facts = battle.command_facts(id);
    let unit_is = |unit: UnitId| battle.is_present(unit) && support::favourable_at_rest(field, unit);
    let units = facts.units.iter().filter(|&&n| unit_is(UnitId(n))).count();
    let groups = facts.below.iter().filter(|&&below| {
        let mut there = battle.units_of(below).filter(|&unit| battle.is_present(unit)).peekable();
        there.peek().is_some() && there.all(unit_is)
    });
    (units + groups.count()).min(255) as u8
}

/// The next check, or on to reorganising. Passes that a superior's Huzzah! has granted need no dice (HZ-CHK-31).
pub(crate) fn next(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_CHK_31);
    loop {
        let due = next_due(&Field::of(play.battle()));
        let Some(&first) = due.first() else { return reorganise::next(play) };
        if !play.battle().command(first).free_pass {
            play.happen(Event::Now { stage: Stage::Check });
            return Ok(());
        }
        play.happen(Event::Checked { command: first, passed: true, excused: false });
    }
}

/// A command takes its check.
pub(crate) fn check(play: &mut Play<'_>, id: CommandId, by: Option<OfficerId>, flag: bool) -> Result<(), Halt> {
    decides!(HZ_CHK_02);
    let (due, known, seize, facts) = {
        let field = Field::of(play.battle());
        let takers = takers(&field, id);
        let known = by.map_or(play.battle().leader(id).is_none(), |officer| takers.contains(&officer));
        let seize = !flag || by.is_some_and(|officer| may_seize(&field, id, officer));
        (next_due(&field).contains(&id), known, seize, situation(&field, id, by, flag))
    };
    play.require(due, HZ_CHK_07, || "It is not that command's turn to check".into())?;
    play.require(known, HZ_CHK_19, || "He cannot take that check".into())?;
    play.require(seize, HZ_CHK_17, || "Not all of the command is within his radius".into())?;
    let side = play.battle().phasing;
    let outcome = match facts.without_dice(play.battle().numbers()) {
        Some(outcome) => outcome,
        None => {
            let test = facts.test(play.battle().numbers());
            roll_for(play, "command check", Some(id.into()), side, &test, |numbers, total| facts.read(numbers, total))?
        }
    };
    play.happen(Event::Checked { command: id, passed: outcome.passed, excused: outcome.excused });
    if outcome.excused {
        for below in play.battle().command_ids() {
            if below != id && play.battle().is_within(below, id) {
                play.happen(Event::PassGranted { command: below });
            }
        }
    }
    if let (true, Some(officer)) = (outcome.officer_killed, by) {
        harm::lose_officer(play, officer, OfficerStatus::Killed, HZ_CHK_17);
    }
    let units: Vec<UnitId> = play.battle().units_of(id).filter(|&unit| play.battle().is_present(unit)).collect();
    for &unit in &units {
        harm::stagger(play, unit, outcome.staggers, HZ_CHK_21);
    }
    for &unit in &units {
        if outcome.retires && play.battle().is_present(unit) && !play.battle().unit(unit).routing {
            play.happen(Event::MustMove { unit, forced: Some(ForcedMove::CheckRetire) });
        }
    }
    fallback::next(play)
}
