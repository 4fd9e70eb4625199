//! Brigades of which a part stays and a part goes (MB-RES-11, 19, 24, 28).

use sabretache_engine::ids::UnitId;
use sabretache_table::{Heading, Length, Outline, Point, Pose, Quad, first_contact, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::event::Event;
use crate::fleeing::LEAST;
use crate::harm::Play;
use crate::lay::{Figure, HAIR, LOOSE};

/// Splits a brigade into its free and its barred runs of files, from left to right.
pub(crate) fn divide(play: &mut Play<'_>, unit: UnitId, barred: &[bool]) -> Vec<(UnitId, bool)> {
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
            Some(_) if leave_behind(play, unit, files, false) => {
                parts.push((UnitId(play.battle().units.len() as u16 - 1), barred));
            }
            // There is no room to part: it goes or stays with its neighbours, as most of them do.
            Some((neighbours, theirs)) => {
                *theirs = if files > *neighbours { barred } else { *theirs };
                *neighbours += files;
            }
        }
    }
    parts.reverse();
    parts
}

/// Leaves files on a flank where they stand, as a brigade of their own (MB-RES-11). The bases of a short last rank close up
/// behind the part they are with; where there is no room for that, nothing is left behind.
pub(crate) fn leave_behind(play: &mut Play<'_>, unit: UnitId, files: u8, left: bool) -> bool {
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let pitch = brigade.width + if brigade.is_unformed() { LOOSE } else { Length::ZERO };
    let goes = brigade.files - files;
    // The middle of the part that goes, and of the part that stays, each from the middle of the whole.
    let (goes_by, stays_by) = ((pitch * i32::from(files)).half(), (pitch * i32::from(goes)).half());
    let (to, stays_at) = if left {
        (brigade.pose.sideways(goes_by), brigade.pose.sideways(-stays_by))
    } else {
        (brigade.pose.sideways(-goes_by), brigade.pose.sideways(stays_by))
    };
    let part = battle.parts_of(brigade.entry) + 1;
    let stays = brigade.bases_in(files);
    let bases = brigade.bases - stays;
    let [going, staying] =
        [(bases, goes), (stays, files)].map(|(bases, files)| Brigade { bases, files, refused: None, ..brigade });
    let [to, stays_at] = battle.parted(unit, [&going, &staying], [to, stays_at]);
    let fits = |part: &Brigade, pose: Pose| battle.stands(unit, &Figure::of(part, pose));
    if brigade.short_rank() > 0 && !(fits(&going, to) && fits(&staying, stays_at)) {
        return false;
    }
    play.happen(Event::Split { unit, part, bases, files: goes, to, stays, stays_files: files, stays_at });
    true
}

/// Places within a few micrometres of a place, nearest first.
pub(crate) fn about(at: Point) -> impl Iterator<Item = Point> {
    let ring = |far: i32| {
        let all = (-far..=far).flat_map(move |x| (-far..=far).map(move |y| (x, y)));
        all.filter(move |(x, y)| x.abs().max(y.abs()) == far)
    };
    (0..=4).flat_map(ring).map(move |(x, y)| Point::new(at.x + Length::um(x), at.y + Length::um(y)))
}

impl Battle {
    /// The poses of two parts of a brigade. They stand where it stood, but to the whole micrometre, and a neighbour that it
    /// touched must not find itself under them for that.
    pub(crate) fn parted(&self, unit: UnitId, parts: [&Brigade; 2], poses: [Pose; 2]) -> [Pose; 2] {
        let clear = |part: &Brigade, pose: Pose, other: Option<&Figure>| {
            let free = |at: &Point| {
                let figure = Figure::of(part, Pose::new(*at, pose.heading));
                let foreign = |one: UnitId| one != unit && overlapping(&figure, self.figure(one));
                !self.around(figure.bounds(), HAIR).any(foreign) && !other.is_some_and(|one| overlapping(&figure, one))
            };
            Pose::new(about(pose.at).find(free).unwrap_or(pose.at), pose.heading)
        };
        let first = clear(parts[0], poses[0], None);
        [first, clear(parts[1], poses[1], Some(&Figure::of(parts[0], first)))]
    }

    /// A pose to the whole micrometre at which a brigade does not stand on a neighbour that it only touches.
    pub(crate) fn cleared(&self, unit: UnitId, pose: Pose) -> Pose {
        let free = |at: &Point| {
            let figure = Figure::of(self.brigade(unit), Pose::new(*at, pose.heading));
            !self.around(figure.bounds(), HAIR).any(|one| one != unit && overlapping(&figure, self.figure(one)))
        };
        Pose::new(about(pose.at).find(free).unwrap_or(pose.at), pose.heading)
    }

    /// Which files of a brigade cannot go half an inch that way, for enemy or ground; all of a body that does not split.
    pub(crate) fn barred(&self, unit: UnitId, heading: Heading) -> SmallVec<[bool; 12]> {
        let brigade = self.brigade(unit);
        let figure = self.figure(unit);
        let files = usize::from(brigade.files.max(1));
        let mut barred: SmallVec<[bool; 12]> = SmallVec::from_elem(false, files);
        for (n, base) in figure.bases.iter().enumerate() {
            barred[brigade.file_of(n)] |= self.base_barred(brigade, base, heading);
        }
        if brigade.refused.is_some() || files < 2 || self.parts_of(brigade.entry) >= 200 {
            let most = barred.iter().filter(|one| **one).count() * 2 > files;
            return SmallVec::from_elem(most, 1);
        }
        barred
    }

    fn base_barred(&self, brigade: &Brigade, base: &Quad, heading: Heading) -> bool {
        let (way, far) = (heading.unit(), LEAST.f() - 2.0);
        let corridor = Outline::bounds(base).swept(way * far);
        let enemy = |enemy: UnitId| first_contact(base, way, far, self.figure(enemy)).is_some();
        self.enemies_around(brigade.side, corridor, HAIR).any(enemy)
            || self.fixed.ground.near(&corridor).any(|lie| {
                self.stops(brigade, lie.feature.id.0).is_some() && first_contact(base, way, far, &lie).is_some()
            })
    }
}
