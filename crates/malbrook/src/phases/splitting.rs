//! Brigades of which a part stays and a part goes (MB-RES-11, 19, 24, 28).

use crate::phases::command;
use crate::phases::merging;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::{Heading, Length, Outline, Point, Pose, Quad, SLOP, first_contact, meetings, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::MB_LEA_07;
use crate::event::Event;
use crate::phases::closing::End;
use crate::phases::harm::Play;
use crate::table::crowds::come_apart;
use crate::table::lay::{Figure, HAIR, LOOSE};
use crate::table::room::about;

/// Splits a brigade into its free and its barred runs of files, from left to right. Leaders with it go with those who go.
pub(crate) fn divide(play: &mut Play<'_>, unit: UnitId, barred: &[bool]) -> Vec<(UnitId, bool)> {
    if let [all] = barred {
        return vec![(unit, *all)];
    }
    let parts = if play.battle().brigade(unit).is_unformed() {
        come_apart(play, unit, barred)
    } else {
        files_apart(play, unit, barred)
    };
    decides!(MB_LEA_07);
    let goes = parts.iter().filter(|(_, barred)| !barred).map(|(part, _)| *part);
    let larger = goes.max_by_key(|part| (play.battle().brigade(*part).bases, std::cmp::Reverse(*part)));
    let stays = parts.iter().any(|(part, barred)| *part == unit && *barred);
    if let Some(part) = larger.filter(|_| stays) {
        let leaders: Vec<OfficerId> = play.battle().attached_to(unit).collect();
        for leader in leaders {
            let to = command::beside(play.battle(), leader, part);
            play.happen(Event::StayedWith { leader, unit: part, to });
        }
    }
    parts
}

/// Splits a brigade in order into its free and its barred runs of files, from left to right.
fn files_apart(play: &mut Play<'_>, unit: UnitId, barred: &[bool]) -> Vec<(UnitId, bool)> {
    let mut runs: Vec<(u8, bool)> = Vec::new();
    for one in barred {
        match runs.last_mut() {
            Some((files, same)) if *same == *one => *files += 1,
            _ => runs.push((1, *one)),
        }
    }
    let mut parts = Vec::new();
    // The rightmost run leaves, again and again, until one is left, which keeps the name.
    while let Some((files, barred)) = runs.pop() {
        match runs.last_mut() {
            None => parts.push((unit, barred)),
            Some(_) if leave_behind(play, unit, files, End::Right) => {
                parts.push((UnitId(play.battle().units.len() as u16 - 1), barred));
            }
            // There is no room to part: it goes or stays with its neighbours, as most of them do.
            Some((neighbours, theirs)) => {
                *theirs = if files > *neighbours { barred } else { *theirs };
                *neighbours += files;
                let joined = (*neighbours, *theirs);
                // What it is one with now may be one with the next.
                if let [.., (further, same), _] = runs.as_mut_slice()
                    && *same == joined.1
                {
                    *further += joined.0;
                    runs.pop();
                }
            }
        }
    }
    parts.reverse();
    parts
}

/// Leaves files on a flank where they stand, as a brigade of their own (MB-RES-11). The bases of a short last rank close up
/// behind the part they are with; where there is no room for that, nothing is left behind.
pub(crate) fn leave_behind(play: &mut Play<'_>, unit: UnitId, files: u8, end: End) -> bool {
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let pitch = brigade.width + if brigade.is_unformed() { LOOSE } else { Length::ZERO };
    let goes = brigade.files - files;
    // The middle of the part that goes, and of the part that stays, each from the middle of the whole.
    let (goes_by, stays_by) = ((pitch * i32::from(files)).half(), (pitch * i32::from(goes)).half());
    let (to, stays_at) = if end == End::Left {
        (brigade.pose.sideways(goes_by), brigade.pose.sideways(-stays_by))
    } else {
        (brigade.pose.sideways(-goes_by), brigade.pose.sideways(stays_by))
    };
    let part = merging::parts_of(battle, brigade.entry) + 1;
    let stays = brigade.bases_in(files);
    let bases = brigade.bases - stays;
    let [going, staying] =
        [(bases, goes), (stays, files)].map(|(bases, files)| Brigade { bases, files, refused: None, ..brigade });
    let [to, stays_at] = parted(battle, unit, [&going, &staying], [to, stays_at]);
    let fits = |part: &Brigade, pose: Pose| battle.stands(unit, &Figure::of(part, pose));
    if brigade.short_rank() > 0 && !(fits(&going, to) && fits(&staying, stays_at)) {
        return false;
    }
    play.happen(Event::Split { unit, part, bases, files: goes, to, stays, stays_files: files, stays_at });
    true
}

/// The poses of two parts of a brigade. They stand where it stood, but to the whole micrometre, and a neighbour that it
/// touched must not find itself under them for that.
pub(crate) fn parted(battle: &Battle, unit: UnitId, parts: [&Brigade; 2], poses: [Pose; 2]) -> [Pose; 2] {
    let clear = |part: &Brigade, pose: Pose, other: Option<&Figure>| {
        let free = |at: &Point| {
            let figure = Figure::of(part, Pose::new(*at, pose.heading));
            let foreign = |one: UnitId| one != unit && overlapping(&figure, battle.figure(one));
            !battle.around(figure.bounds(), HAIR).any(foreign) && !other.is_some_and(|one| overlapping(&figure, one))
        };
        Pose::new(about(pose.at).find(free).unwrap_or(pose.at), pose.heading)
    };
    let first = clear(parts[0], poses[0], None);
    [first, clear(parts[1], poses[1], Some(&Figure::of(parts[0], first)))]
}

/// Which files of a brigade, or bases of a crowd, cannot go half an inch that way, for enemy or ground; all of a body
/// that does not split.
pub(crate) fn barred(battle: &Battle, unit: UnitId, heading: Heading) -> SmallVec<[bool; 12]> {
    let brigade = battle.brigade(unit);
    let figure = battle.figure(unit);
    let parts = usize::from(merging::parts_of(battle, brigade.entry));
    let least = battle.fixed.numbers.blocked.length();
    if brigade.is_unformed() && brigade.bases <= 12 && parts + usize::from(brigade.bases) < 200 {
        let mut barred: SmallVec<[bool; 12]> =
            figure.bases.iter().map(|base| base_barred(battle, brigade, base, heading, least)).collect();
        // A base that has another in its way that stays, and does not get past it, must stay too.
        let behind = |one: usize, other: usize| {
            let base = &figure.bases[one];
            let mut stretches = SmallVec::new();
            meetings(base, heading.unit(), Length::inches(6).f(), &figure.bases[other], &mut stretches);
            let met = stretches.iter().find(|met| met.to > SLOP && met.from < least.f() - 2.0);
            met.is_some_and(|met| base_barred(battle, brigade, base, heading, Length::ceiled(met.to)))
        };
        while let Some(next) = (0..barred.len())
            .find(|one| !barred[*one] && (0..barred.len()).any(|other| barred[other] && behind(*one, other)))
        {
            barred[next] = true;
        }
        return barred;
    }
    let files = usize::from(brigade.files.max(1));
    let mut barred: SmallVec<[bool; 12]> = SmallVec::from_elem(false, files);
    for (n, base) in figure.bases.iter().enumerate() {
        barred[brigade.file_of(n)] |= base_barred(battle, brigade, base, heading, least);
    }
    if brigade.refused.is_some() || files < 2 || parts >= 200 {
        let most = barred.iter().filter(|one| **one).count() * 2 > files;
        return SmallVec::from_elem(most, 1);
    }
    barred
}

/// Whether a base cannot go so far that way.
fn base_barred(battle: &Battle, brigade: &Brigade, base: &Quad, heading: Heading, far: Length) -> bool {
    let (way, far) = (heading.unit(), far.f() - 2.0);
    let corridor = Outline::bounds(base).swept(way * far);
    let enemy = |enemy: UnitId| first_contact(base, way, far, battle.figure(enemy)).is_some();
    battle.enemies_around(brigade.side, corridor, HAIR).any(enemy)
        || battle.fixed.ground.near(&corridor).any(|lie| {
            battle.stops(brigade, lie.feature.id.0).is_some() && first_contact(base, way, far, &lie).is_some()
        })
}
