//! The queries of this crate asked of all the units in an index at once.
//!
//! Each takes a `wanted` test on the unit's number, so that a ruleset can leave out the mover itself, friends that may be passed through, or the other side.

use crate::footprint::Footprint;
use crate::heading::Angle;
use crate::index::{Index, UnitId};
use crate::length::Length;
use crate::outline::{Bounds, Outline, SLOP};
use crate::path::{Followed, Leg, step};
use crate::placed::Placed;
use crate::pose::Pose;
use crate::shadow::{Seen, Shadowed};
use crate::sight::{all_lines_clear, any_line_clear};
use crate::sweep::{Crossing, Direction, Swept, crossings, sweep};
use crate::touch::{Contact, contact, exact_distance};
use crate::vec2::{Segment, Vec2};
use crate::wheel::{Wheeled, inner_corner, turned_box, wheel};
use crate::zone::Zone;

impl Index {
    /// [`sweep`] among the units.
    pub fn sweep(
        &self,
        mover: &Placed,
        direction: Direction,
        max: Length,
        wanted: impl Fn(UnitId) -> bool,
    ) -> Swept<UnitId> {
        let way = direction.heading(mover.pose()).unit();
        let corridor = mover.bounds().swept(way * max.f());
        sweep(mover, direction, max, self.near(corridor).filter(|(id, _)| wanted(*id)))
    }

    /// [`crossings`] among the units.
    pub fn crossings(
        &self,
        mover: &Placed,
        direction: Direction,
        max: Length,
        wanted: impl Fn(UnitId) -> bool,
        out: &mut Vec<Crossing<UnitId>>,
    ) {
        let way = direction.heading(mover.pose()).unit();
        let corridor = mover.bounds().swept(way * max.f());
        crossings(mover, way, max, self.near(corridor).filter(|(id, _)| wanted(*id)), out);
    }

    /// [`wheel`] among the units.
    pub fn wheel(&self, mover: &Placed, pivot: Vec2, max: Angle, wanted: impl Fn(UnitId) -> bool) -> Wheeled<UnitId> {
        wheel(mover, pivot, max, self.near(turned_box(mover, pivot, max)).filter(|(id, _)| wanted(*id)))
    }

    /// [`follow`](crate::follow) among the units.
    pub fn follow(
        &self,
        footprint: &Footprint,
        start: Pose,
        path: &[Leg],
        wanted: impl Fn(UnitId) -> bool,
    ) -> Followed<UnitId> {
        let mut pose = start;
        for (legs, leg) in path.iter().enumerate() {
            let mover = Placed::new(footprint, pose);
            let near = self.near(leg_box(&mover, *leg)).filter(|(id, _)| wanted(*id));
            let (next, part, met) = step(&mover, *leg, near);
            pose = next;
            if met.is_some() {
                return Followed { pose, legs, part, met };
            }
        }
        Followed { pose, legs: path.len(), part: 0, met: None }
    }

    /// The units that touch or overlap an outline, with how; in the order of their numbers.
    pub fn in_contact(&self, with: &impl Outline, wanted: impl Fn(UnitId) -> bool, out: &mut Vec<(UnitId, Contact)>) {
        out.clear();
        for (id, unit) in self.near(with.bounds().grown(SLOP)).filter(|(id, _)| wanted(*id)) {
            let how = contact(with, unit);
            if how != Contact::Apart {
                out.push((id, how));
            }
        }
        out.sort_unstable();
    }

    /// The nearest unit and its distance; of several equally near, the lowest number.
    pub fn nearest(&self, from: &impl Outline, wanted: impl Fn(UnitId) -> bool) -> Option<(UnitId, Length)> {
        let (start, extent) = (from.bounds(), self.extent());
        let mut reach = self.cell_size();
        loop {
            let looked = start.grown(reach);
            let everywhere = looked.join(extent) == looked;
            let mut best: Option<(Length, UnitId)> = None;
            let mut limit = if everywhere { f64::INFINITY } else { reach };
            for (id, unit) in self.near(looked).filter(|(id, _)| wanted(*id)) {
                if unit.bounds().distance2(&start) > limit * limit {
                    continue;
                }
                let d = exact_distance(from, unit);
                let found = (rounded(d), id);
                if d <= limit && best.is_none_or(|held| found < held) {
                    best = Some(found);
                    // A micrometre over, so that one equally near once rounded is still compared by number.
                    limit = limit.min(d + 1.0 + SLOP);
                }
            }
            if best.is_some() || everywhere {
                return best.map(|(d, id)| (id, d));
            }
            reach *= 2.0;
        }
    }

    /// The units within a range, the far edge included, nearest first (then by number).
    pub fn within(
        &self,
        from: &impl Outline,
        range: Length,
        wanted: impl Fn(UnitId) -> bool,
        out: &mut Vec<(UnitId, Length)>,
    ) {
        out.clear();
        let reach = range.f() + SLOP;
        let start = from.bounds();
        for (id, unit) in self.near(start.grown(reach)).filter(|(id, _)| wanted(*id)) {
            if unit.bounds().distance2(&start) <= reach * reach {
                let d = exact_distance(from, unit);
                if d <= reach {
                    out.push((id, rounded(d)));
                }
            }
        }
        out.sort_unstable_by_key(|&(id, d)| (d, id));
    }

    /// The so many nearest units, nearest first (then by number).
    pub fn k_nearest(
        &self,
        from: &impl Outline,
        k: usize,
        wanted: impl Fn(UnitId) -> bool,
        out: &mut Vec<(UnitId, Length)>,
    ) {
        let (start, extent) = (from.bounds(), self.extent());
        let mut reach = self.cell_size();
        loop {
            let looked = start.grown(reach);
            let everywhere = looked.join(extent) == looked;
            let range = if everywhere { Length::MAX } else { Length::rounded(reach) };
            self.within(from, range, &wanted, out);
            if out.len() >= k || everywhere {
                out.truncate(k);
                return;
            }
            reach *= 2.0;
        }
    }

    /// A zone cut off by the nearest of the units wanted; see [`Zone::cut`].
    pub fn cut(&self, zone: Zone, friends: impl Fn(UnitId) -> bool) -> Zone {
        let bounds = zone.outline().bounds();
        zone.cut(self.near(bounds).filter(|(id, _)| friends(*id)).map(|(_, unit)| unit))
    }

    /// The units wanted that are in a zone and not hidden behind another of them, in the order of their numbers.
    pub fn seen_in(&self, zone: &Zone, wanted: impl Fn(UnitId) -> bool, out: &mut Vec<(UnitId, Seen)>) {
        out.clear();
        let near = self.near(zone.outline().bounds().grown(SLOP)).filter(|(id, _)| wanted(*id));
        for (id, unit) in near.clone() {
            let seen = zone.look(unit, near.clone().filter(|(other, _)| *other != id).map(|(_, other)| other));
            if seen.any() {
                out.push((id, seen));
            }
        }
        out.sort_unstable_by_key(|(id, _)| *id);
    }

    /// A zone without what is hidden behind the units wanted; see [`Zone::shadowed`].
    pub fn shadowed(&self, zone: &Zone, enemies: impl Fn(UnitId) -> bool) -> Shadowed {
        let near = self.near(zone.outline().bounds().grown(SLOP));
        zone.shadowed(near.filter(|(id, _)| enemies(*id)).map(|(_, unit)| unit))
    }

    /// Whether any straight line from a face to a target is clear of the units that block; leave the firer and the target out.
    pub fn any_line_clear(&self, from: Segment, target: &impl Outline, blocks: impl Fn(UnitId) -> bool) -> bool {
        let bounds = target.bounds().with(from.a).with(from.b).grown(SLOP);
        any_line_clear(from, target, self.near(bounds).filter(|(id, _)| blocks(*id)).map(|(_, unit)| unit))
    }

    /// Whether every straight line from a face to a target is clear of the units that block; leave the firer and the target out.
    pub fn all_lines_clear(&self, from: Segment, target: &impl Outline, blocks: impl Fn(UnitId) -> bool) -> bool {
        let bounds = target.bounds().with(from.a).with(from.b).grown(SLOP);
        all_lines_clear(from, target, self.near(bounds).filter(|(id, _)| blocks(*id)).map(|(_, unit)| unit))
    }
}

fn rounded(d: f64) -> Length {
    if d <= SLOP { Length::ZERO } else { Length::rounded(d) }
}

/// The box round all that a footprint can touch on a leg.
fn leg_box(mover: &Placed, leg: Leg) -> Bounds {
    let pose = mover.pose();
    let sweep = |way: Vec2, d: Length| mover.bounds().swept(way * d.f());
    match leg {
        Leg::Ahead(d) => sweep(pose.heading.unit(), d),
        Leg::Sideways(d) => sweep(pose.heading.right().unit(), d),
        Leg::Slide(h, d) => sweep(h.unit(), d),
        Leg::Wheel(angle) => turned_box(mover, mover.corner(inner_corner(angle)), angle),
        Leg::WheelOn(corner, angle) => turned_box(mover, mover.corner(corner), angle),
        Leg::Turn(angle) => turned_box(mover, pose.at.v(), angle),
        Leg::TurnOnCentre(angle) => turned_box(mover, mover.centre(), angle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Face;
    use crate::tabletop::Tabletop;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    fn index() -> Index {
        let mut index = Index::new(&Tabletop::new(Length::cm(180), Length::cm(120)));
        for (id, (x, y)) in [(50, 20), (50, 50), (50, 80), (120, 50), (50, 60)].into_iter().enumerate() {
            index.place(id as u16, unit(x, y, 0));
        }
        index
    }

    #[test]
    fn the_nearest_of_a_kind_is_found_however_far() {
        let index = index();
        let us = index.get(0).unwrap();
        assert_eq!(index.nearest(us, |id| id != 0), Some((1, Length::cm(26))));
        assert_eq!(index.nearest(us, |id| id == 3), Some((3, Length::rounded(libm::hypot(600_000.0, 260_000.0)))));
        assert_eq!(index.nearest(us, |_| false), None);
        let mut out = Vec::new();
        index.k_nearest(us, 2, |id| id != 0, &mut out);
        assert_eq!(out.iter().map(|o| o.0).collect::<Vec<_>>(), [1, 4]);
        index.within(us, Length::cm(36), |id| id != 0, &mut out);
        assert_eq!(out, [(1, Length::cm(26)), (4, Length::cm(36))]);
    }

    #[test]
    fn zones_and_sweeps_ask_only_the_units_near() {
        let index = index();
        let us = index.get(0).unwrap();
        assert_eq!(index.sweep(us, Direction::Ahead, Length::cm(60), |id| id != 0).met, Some(1));
        let zone = Zone::before(us, Face::Front, Length::cm(50));
        let mut out = Vec::new();
        index.seen_in(&zone, |id| id != 0, &mut out);
        assert_eq!(out.iter().map(|o| o.0).collect::<Vec<_>>(), [1], "the next stands right behind it");
        assert_eq!(index.cut(zone, |id| id == 4).depth(), Length::cm(36));
        let face = us.face(Face::Front);
        assert!(!index.any_line_clear(face, index.get(4).unwrap(), |id| id == 1));
    }
}
