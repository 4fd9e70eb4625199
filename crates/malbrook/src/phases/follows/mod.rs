//! What follows from an event by the rules alone. It is worked out once, as the event happens, and written down after it, so that a replay
//! asks no rule.

mod leaders;
pub(crate) mod losses;
mod turn;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::{MB_GUN_09, MB_MOR_04, MB_MOR_15, MB_MOV_24};
use crate::event::{Event, FastMove};
use crate::phases::{movement, options};
use crate::situations::{ManoeuvreKind, MoveDice};
use crate::troops::{Kind, grade_of_mixture};

/// What follows from an event that is about to happen.
pub(crate) fn follows(before: &Battle, event: &Event, out: &mut Vec<Event>) {
    match event {
        Event::PhaseBegan { side, .. } => {
            let player = options::first_player(before, *side);
            out.extend((player != 0).then_some(Event::Floor { player, finished: 0 }));
        }
        Event::TurnBegan { turn } => turn::begins(before, *turn, out),
        Event::Deployed => turn::begins(before, 1, out),
        Event::Suffered { unit, casualties, by, .. } => losses::leave(before, *unit, *casualties, *by, out),
        Event::GunTaken { unit, .. } => losses::leave(before, *unit, 1, None, out),
        Event::Fell { unit, action: FastMove::Retire | FastMove::Rout, .. } => gives_way(before, *unit, out),
        Event::Split { unit, bases, stays, .. } => {
            crews_go(before, *unit, (stays > bases).then_some(0), out);
            have_felt(before, *unit, 1, out);
        }
        Event::CameApart { unit, stays, .. } => {
            let larger = stays.len() * 2 > usize::from(before.brigade(*unit).bases);
            crews_go(before, *unit, larger.then_some(0), out);
            have_felt(before, *unit, 1, out);
        }
        Event::WentApart { unit, bodies, .. } => {
            let largest = bodies.iter().map(Vec::len).max().unwrap_or(0);
            let keeps_crew = bodies.iter().position(|body| body.len() == largest).unwrap_or(0);
            crews_go(before, *unit, keeps_crew.checked_sub(1), out);
            have_felt(before, *unit, bodies.len().saturating_sub(1), out);
        }
        Event::Manoeuvred { unit, manoeuvre: ManoeuvreKind::AboutFace, .. } => {
            // What was the left of a line that turns about is its right now (MB-MOR-04).
            decides!(MB_MOR_04);
            out.extend(before.brigade(*unit).lost_end.map(|end| Event::EndLost { unit: *unit, end: end.other() }));
        }
        Event::MergedInto { unit, into, files, .. } => mixes(before, *unit, *into, *files, out),
        Event::Changed { unit, kind, .. } => {
            let bases = &before.fixed.numbers.bases;
            let base = if *kind == Kind::Dragoons { &bases.horse } else { &bases.foot };
            out.push(Event::Based { unit: *unit, width: base.width.length(), depth: base.depth.length() });
        }
        _ => {}
    }
    leaders::go_along(before, event, out);
}

/// The battle after an event and what is known to follow from it.
fn after(before: &Battle, event: &Event, follows: &[Event]) -> Battle {
    let mut after = before.clone();
    after.apply(event);
    follows.iter().for_each(|one| after.apply(one));
    after
}

/// A brigade, or what could go of one, has left its place in the combat that is being settled (MB-RES-10).
fn gives_way(before: &Battle, unit: UnitId, out: &mut Vec<Event>) {
    let entry = before.brigade(unit).entry;
    let of = |who: &UnitId| before.brigade(*who).entry == entry;
    let fight = before.fights.iter().rposition(|fight| fight.acted.iter().any(of));
    out.extend(fight.map(|fight| Event::GaveWay { fight, unit }));
}

/// A crew stays with the larger part of a brigade that comes apart: of the new ones this one, if it is (MB-GUN-09).
fn crews_go(before: &Battle, unit: UnitId, part: Option<usize>, out: &mut Vec<Event>) {
    decides!(MB_GUN_09);
    let sheltered = before.crews.iter().any(|(_, with)| *with == unit);
    if let Some(part) = part.filter(|_| sheltered) {
        out.push(Event::CrewsGo { from: unit, to: UnitId((before.units.len() + part) as u16) });
    }
}

/// What a brigade has felt, the parts of it that are brigades of their own now have felt too (MB-MOR-15).
fn have_felt(before: &Battle, unit: UnitId, parts: usize, out: &mut Vec<Event>) {
    decides!(MB_MOR_15);
    let parts = (0..parts).map(|part| UnitId((before.units.len() + part) as u16));
    for part in parts {
        let felt = before.blows.iter().enumerate().filter(|(_, blow)| blow.felt.contains(&unit));
        out.extend(felt.map(|(blow, _)| Event::Felt { blow, unit: part }));
    }
}

/// Two brigades that join have one grade, and may have made their move.
fn mixes(before: &Battle, unit: UnitId, into: UnitId, files: u8, out: &mut Vec<Event>) {
    let (joined, brigade) = (before.brigade(unit), before.brigade(into));
    let grade = grade_of_mixture([(brigade.grade(), brigade.bases), (joined.grade(), joined.bases)]);
    let [of_one, of_other] = [unit, into].map(|one| movement::group_of(before, one));
    let rolls = before.group.is_some_and(|roll| movement::group_of(before, roll.of) == of_one);
    // Dice are shared with nobody outside the group: a brigade that takes in one that has rolled has made its move.
    let done = files > brigade.files && (rolls || joined.marks.share.dice.is_some()) && of_one != of_other;
    // The whole has the speed of the faster, and the slower has no third die for all that (MB-MOV-24).
    decides!(MB_MOV_24);
    let rode = |one: &Brigade| [one.speed, one.marks.share.dice.map_or(0, MoveDice::count)];
    let unlike = rode(joined).into_iter().zip(rode(brigade)).any(|(one, other)| (one == 0) != (other == 0));
    let stood = joined.marks.share.stood || (brigade.kind.is_cavalry() && unlike);
    out.push(Event::Mixed { unit: into, grade, done, from: Some(unit), stood });
}
