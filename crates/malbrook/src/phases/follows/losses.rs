//! Bases that are lost, and the end of the line from which they go (MB-MOR-04).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Angle, Length, OnTable, Outline as _, Pose, overlapping};

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::MB_MOR_04;
use crate::event::{Combatant, Event, Remains};
use crate::phases::closing::{Closing, End};
use crate::table::lay::{Figure, LOOSE};
use crate::table::room::about;

/// What is left of a brigade after casualties, and how it stands.
pub(super) fn leave(before: &Battle, unit: UnitId, casualties: u8, by: Option<UnitId>, out: &mut Vec<Event>) {
    decides!(MB_MOR_04);
    if casualties == 0 {
        return;
    }
    // Base by base, on a copy.
    let mut battle = before.clone();
    for _ in 0..casualties {
        lose_one(&mut battle, unit, by);
    }
    if battle.brigade(unit).places.is_none() {
        shove(&mut battle, unit);
    }
    let brigade = battle.brigade(unit);
    out.push(Event::Left {
        unit,
        remains: Box::new(Remains {
            bases: brigade.bases,
            files: brigade.files,
            pose: brigade.pose,
            refused: brigade.refused,
            lost_end: brigade.lost_end,
            places: brigade.places.iter().flat_map(|places| places.on_table(brigade.pose.at)).collect(),
            closing: battle.closing.iter().find(|one| one.unit == unit).copied(),
            beside: combatants(&mut battle, unit).map(|one| [one.left, one.right]).collect(),
        }),
    });
}

fn lose_one(battle: &mut Battle, unit: UnitId, by: Option<UnitId>) {
    // A crowd does not close up: the bases that are left stay where they are.
    if let Some(fewer) = battle.without_furthest(unit, by) {
        *battle.at(unit) = fewer;
        return;
    }
    let brigade = battle.at(unit);
    if let Some(refused) = brigade.refused.filter(|one| one.bases + 1 >= brigade.bases) {
        // Only the end that was drawn back is left: it is the line now, where it stands.
        brigade.pose = refused.pose_of(&Figure::of(brigade, brigade.pose).bases, brigade.pose);
        (brigade.bases, brigade.files) = (refused.bases, refused.bases);
        brigade.refused = None;
        return;
    }
    let single = brigade.is_single_line();
    brigade.bases = brigade.bases.saturating_sub(1);
    brigade.files = brigade.files.min(brigade.bases).max(1);
    if single && brigade.bases > 0 {
        let end = end_that_loses(battle, unit);
        // The front narrows, and its middle shifts by half a base.
        let brigade = battle.at(unit);
        let half = brigade.width.half();
        brigade.pose = brigade.pose.sideways(if end == End::Right { -half } else { half });
        narrow(battle, unit, end);
    }
}

/// A line that fights has lost a base on its right, or on its left: if that was none of those in combat, as many are in
/// combat as before, and fewer beside them (MB-RES-11).
pub(crate) fn narrow(battle: &mut Battle, unit: UnitId, end: End) {
    for one in combatants(battle, unit) {
        let beside = if end == End::Right { &mut one.right } else { &mut one.left };
        *beside = beside.saturating_sub(1);
    }
}

/// A brigade in the fights in which it stands.
pub(crate) fn combatants(battle: &mut Battle, unit: UnitId) -> impl Iterator<Item = &mut Combatant> {
    let members = battle.fights.iter_mut().flat_map(|fight| fight.a.iter_mut().chain(&mut fight.b));
    members.filter(move |one| one.unit == unit)
}

/// The end of a line from which a base goes (MB-MOR-04). The first is the owner's to pick: he is asked afterwards. If
/// another goes before he is, that one goes from the other end, and there is nothing to pick.
fn end_that_loses(battle: &mut Battle, unit: UnitId) -> End {
    let brigade: Brigade = *battle.brigade(unit);
    // An end that is drawn back keeps its bases: the other loses one.
    if let Some(refused) = brigade.refused {
        return if refused.left { End::Right } else { End::Left };
    }
    if let Some(last) = brigade.lost_end {
        battle.at(unit).lost_end = Some(last.other());
        return last.other();
    }
    if let Some(n) = battle.closing.iter().position(|one| one.unit == unit) {
        return battle.closing.remove(n).lost.other();
    }
    let lost = if brigade.bases.is_multiple_of(2) { End::Right } else { End::Left };
    if brigade.is_brigade() {
        let beside = combatants(battle, unit).next().map(|one| [one.left, one.right]);
        battle.closing.push(Closing { unit, lost, beside });
    }
    lost
}

/// A crowd too large for each of its bases to have a place of its own closes up to its middle after losses. Where somebody's corner was between its bases it gives way by as
/// little as it can: at the most it stands where one of its bases stood.
fn shove(battle: &mut Battle, unit: UnitId) {
    let brigade = *battle.brigade(unit);
    let free = |pose: Pose| {
        let figure = Figure::of(&brigade, pose);
        let others = battle.around(figure.bounds(), Length::ZERO).filter(|other| *other != unit);
        battle.fixed.table.on_table(&figure) == OnTable::Wholly
            && !others.into_iter().any(|other| overlapping(&figure, battle.figure(other)))
    };
    let steps = (0..=12_i32).flat_map(|far| (0..8).map(move |way| (LOOSE.half() * far, Angle::degrees(way * 45))));
    let back = brigade.pose.heading.reversed();
    let steps = steps.filter(|_| brigade.is_unformed()).map(|(far, way)| brigade.pose.moved(back + way, far));
    // What was rounded to the whole micrometre comes first.
    let mut poses = about(brigade.pose.at).map(|at| Pose::new(at, brigade.pose.heading)).chain(steps);
    if let Some(pose) = poses.find(|pose| free(*pose)).filter(|pose| *pose != brigade.pose) {
        battle.at(unit).pose = pose;
    }
}
