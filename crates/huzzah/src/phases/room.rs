//! Room to end a move that is forced on a unit: on nobody, or else just clear of him (HZ-ENG-38, HZ-CHK-26, HZ-ROU-06, HZ-GEO-02).

use sabretache_engine::ids::UnitId;
use sabretache_table::{Length, Placed, Vec2, first_contact, meetings, overlapping};
use smallvec::SmallVec;

use crate::table::{Field, track};

/// How much further along a way a unit goes that would end on friends, until it is just clear of them; nothing where that is too far, or an
/// enemy or ground that does not bear it is in the way.
pub(super) fn just_beyond(
    field: &Field<'_>,
    unit: UnitId,
    end: &Placed,
    way: Vec2,
    most: Length,
    bears: impl Fn(&Placed) -> bool,
) -> Option<Length> {
    let clear = field.battle.lay.sizes.clear;
    let mut found = SmallVec::new();
    let mut by = Length::ZERO;
    loop {
        let there = track::moved(end, way, by);
        let leaves = field.friends(unit).filter(|(_, friend)| overlapping(&there, *friend)).map(|(_, friend)| {
            meetings(end, way, by.f() + 1.0, friend, &mut found);
            found.iter().map(|meeting| meeting.to).fold(by.f(), f64::max)
        });
        let Some(leaves) = leaves.reduce(f64::max) else { return Some(by) };
        let on = Length::ceiled(leaves) + clear;
        let met = |(_, enemy): (UnitId, &Placed)| first_contact(end, way, on.f(), enemy).is_some();
        let mut passed = steps(on).skip_while(|&at| at <= by).chain([on]);
        if on > most || field.enemies(unit).any(met) || passed.any(|at| !bears(&track::moved(end, way, at))) {
            return None;
        }
        by = on;
    }
}

/// A stretch, 5 mm at a time.
pub(super) fn steps(whole: Length) -> impl Iterator<Item = Length> {
    let step = Length::mm(5);
    (1..=whole.to_um() / step.to_um()).map(move |n| step * n)
}
