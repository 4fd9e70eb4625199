//! Room: whether somebody could stand somewhere, and what a brigade could run into as it turns on the spot.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Contact, Convex, Length, Lie, OnTable, Outline, Point, Pose, Vec2, contact, overlapping,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::{MB_MOV_20, MB_TER_04, MB_TER_11};
use crate::phases::options;
use crate::table::lay::{Figure, HAIR, near, zone_of};

impl Battle {
    /// Whether ground stops these troops.
    pub(crate) fn stops(&self, brigade: &Brigade, ground: u16) -> Option<(&'static str, Clause)> {
        decides!(MB_MOV_20, MB_TER_11);
        let land = self.fixed.lands[usize::from(ground)];
        if land.screens {
            decides!(MB_TER_04);
        }
        if land.impassable {
            return Some(("the ground is impassable", MB_TER_11));
        }
        let closed = land.closed && (brigade.kind.is_cavalry() || brigade.kind.is_model());
        closed.then_some(("the ground is closed to guns and cavalry", MB_MOV_20))
    }

    /// Whether a brigade keeps to a road or bridge, so that what the road leads over or through does not matter.
    pub(crate) fn on_road(&self, figure: &Figure) -> bool {
        let road = |lie: Lie<'_>| self.fixed.lands[usize::from(lie.feature.id.0)].road;
        // A hair's breadth is forgiven, since headings are rounded.
        let on = |at: Vec2, lie: Lie<'_>| {
            self.fixed.lands[usize::from(lie.feature.id.0)].road && near(&Convex::place(at), &lie, Length::ZERO)
        };
        self.fixed.roads
            && self.fixed.ground.near(&figure.bounds()).any(road)
            && figure.bases.iter().all(|base| {
                let at = base.centre();
                self.fixed.ground.near(&Bounds::of(&[at]).grown(HAIR.f())).any(|lie| on(at, lie))
            })
    }

    /// Whether a figure could stand there: on the table, on nobody, on no ground that stops it.
    pub(crate) fn stands(&self, unit: UnitId, figure: &Figure) -> bool {
        self.fixed.table.on_table(figure) == OnTable::Wholly
            && !self.around(figure.bounds(), HAIR).any(|one| one != unit && overlapping(figure, self.figure(one)))
            && !self.fixed.ground.near(&figure.bounds()).any(|lie| self.stops_on(unit, figure, &lie))
    }

    /// Whether a figure could stand there as far as its side knows: hidden enemy do not bar the way to a place.
    pub(crate) fn stands_as_known(&self, unit: UnitId, figure: &Figure) -> bool {
        self.stands_among(unit, figure, |_| true)
    }

    /// The same among those whom it heeds.
    pub(crate) fn stands_among(&self, unit: UnitId, figure: &Figure, heeds: impl Fn(UnitId) -> bool) -> bool {
        let side = self.brigade(unit).side;
        let known = |one: &UnitId| {
            *one != unit && heeds(*one) && (self.brigade(*one).side == side || options::is_known(self, *one))
        };
        self.fixed.table.on_table(figure) == OnTable::Wholly
            && !self.around(figure.bounds(), HAIR).filter(known).any(|one| overlapping(figure, self.figure(one)))
            && !self.fixed.ground.near(&figure.bounds()).any(|lie| self.stops_on(unit, figure, &lie))
    }

    /// Whether a figure would stand on ground that stops its brigade.
    pub(crate) fn stops_on(&self, unit: UnitId, figure: &Figure, lie: &Lie<'_>) -> bool {
        self.stops(self.brigade(unit), lie.feature.id.0).is_some() && overlapping(figure, lie) && !self.on_road(figure)
    }

    /// Whether a move would bring a mover nearer to known enemy foot or cavalry than their halting distance allows.
    pub(crate) fn too_near(&self, unit: UnitId, figure: &Figure) -> bool {
        self.too_near_of(unit, figure, |_| true)
    }

    /// The same of those enemies that it heeds.
    pub(crate) fn too_near_of(&self, unit: UnitId, figure: &Figure, heeds: impl Fn(UnitId) -> bool) -> bool {
        let brigade = self.brigade(unit);
        let depth = self.halting(brigade);
        let mut near = self.enemies_around(brigade.side, figure.bounds(), depth * 2).peekable();
        if near.peek().is_none() {
            return false;
        }
        let zone = zone_of(brigade, figure, depth - HAIR);
        near.any(|enemy| {
            heeds(enemy) && options::is_known(self, enemy) && contact(&zone, self.figure(enemy)) != Contact::Apart
        })
    }

    /// A pose to the whole micrometre at which a brigade, as it is or as what it becomes on its way, does not stand on a
    /// neighbour that it only touches. Every straight move ends at such a pose: rounding alone could lay it on a neighbour
    /// along whose side it moved.
    pub(crate) fn cleared(&self, unit: UnitId, brigade: &Brigade, pose: Pose) -> Pose {
        let free = |at: &Point| {
            let figure = Figure::of(brigade, Pose::new(*at, pose.heading));
            !self.around(figure.bounds(), HAIR).any(|one| one != unit && overlapping(&figure, self.figure(one)))
        };
        Pose::new(about(pose.at).find(free).unwrap_or(pose.at), pose.heading)
    }

    /// How far from enemy to its front a brigade halts.
    pub(crate) fn halting(&self, brigade: &Brigade) -> Length {
        let numbers = &self.fixed.numbers;
        if brigade.kind.is_cavalry() { numbers.cavalry_halt.length() } else { numbers.musketry.length() }
    }
}

/// Places within a few micrometres of a place, nearest first.
pub(crate) fn about(at: Point) -> impl Iterator<Item = Point> {
    let ring = |far: i32| {
        let all = (-far..=far).flat_map(move |x| (-far..=far).map(move |y| (x, y)));
        all.filter(move |(x, y)| x.abs().max(y.abs()) == far)
    };
    (0..=4).flat_map(ring).map(move |(x, y)| Point::new(at.x + Length::um(x), at.y + Length::um(y)))
}

/// How near to enemy a brigade turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nerve {
    /// Not nearer than their halting distance.
    KeepsOff,
    /// As near as there is room.
    TurnsAnywhere,
}

/// What a brigade could run into as it turns on the spot, as far as its side knows.
pub(crate) struct Surroundings<'a> {
    units: SmallVec<[UnitId; 8]>,
    enemies: SmallVec<[UnitId; 8]>,
    ground: SmallVec<[Lie<'a>; 4]>,
    at_edge: bool,
}

impl<'a> Surroundings<'a> {
    /// What lies in a box around a brigade.
    pub(crate) fn of(battle: &'a Battle, unit: UnitId, within: Bounds) -> Self {
        let brigade = battle.brigade(unit);
        let stops = |lie: &Lie<'_>| battle.stops(brigade, lie.feature.id.0).is_some();
        let seen = |one: &UnitId| {
            *one != unit && (battle.brigade(*one).side == brigade.side || options::is_known(battle, *one))
        };
        Self {
            units: battle.around(within, HAIR).filter(seen).collect(),
            enemies: battle.enemies_around(brigade.side, within, battle.halting(brigade) * 2).filter(seen).collect(),
            ground: battle.fixed.ground.near(&within).filter(stops).collect(),
            at_edge: battle.fixed.table.on_table(&Boxed(within)) != OnTable::Wholly,
        }
    }

    /// Nothing is there at all.
    pub(crate) fn bare(&self) -> bool {
        self.units.is_empty() && self.enemies.is_empty() && self.ground.is_empty() && !self.at_edge
    }

    /// Whether a figure could stand there, not too near to enemy where that matters.
    pub(crate) fn free(&self, battle: &Battle, unit: UnitId, figure: &Figure, nerve: Nerve) -> bool {
        let pressed = nerve == Nerve::KeepsOff && !self.enemies.is_empty() && battle.too_near(unit, figure);
        battle.fixed.table.on_table(figure) == OnTable::Wholly
            && !pressed
            && !self.units.iter().any(|one| overlapping(figure, battle.figure(*one)))
            && !self.ground.iter().any(|lie| battle.stops_on(unit, figure, lie))
    }
}

/// A box as an outline.
struct Boxed(Bounds);

impl Outline for Boxed {
    fn bounds(&self) -> Bounds {
        self.0
    }
    fn part_count(&self) -> usize {
        0
    }
    fn part(&self, _: usize) -> sabretache_table::Part<'_> {
        sabretache_table::Part { corners: &[], normals: &[] }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]
mod tests {
    use sabretache_engine::dice::Seeded;
    use sabretache_engine::offer::{Choice, Input, Value};
    use sabretache_engine::resolution::Resolution;
    use sabretache_engine::ruleset::Ruleset;
    use sabretache_engine::tests_clauses;
    use sabretache_table::Heading;

    use super::*;
    use crate::clauses::{MB_CHG_06, MB_MOV_09};
    use crate::troops::Formation;
    use crate::{Malbrook, Movement, Offer};

    /// Two columns of foot side by side that look so far off north, each so many micrometres into the other.
    fn side_by_side(degrees: i32, deep: i32) -> Battle {
        let mut battle = crate::plain::plain(&[]);
        let heading = Heading::degrees(degrees);
        let first = Pose::new(Point::new(Length::inches(20), Length::inches(8)), heading);
        let second = first.sideways(Length::inches(1) - Length::um(deep));
        for (unit, pose) in [(UnitId(0), first), (UnitId(1), second)] {
            battle.units[unit.index()].pose = pose;
            (battle.units[unit.index()].formation, battle.units[unit.index()].files) = (Formation::MarchColumn, 1);
            battle.units[unit.index()].marks.share.done = unit == UnitId(1);
            battle.units[unit.index()].marks.control.by = crate::brigade::Charge::Free;
        }
        battle.memo = crate::table::memo::Memo::of(&battle.units);
        battle
    }

    #[test]
    fn a_place_that_is_clear_is_kept_and_one_a_hair_on_a_neighbour_is_shifted() {
        tests_clauses!(MB_MOV_09);
        let battle = side_by_side(30, 0);
        let pose = battle.brigade(UnitId(0)).pose;
        assert_eq!(battle.cleared(UnitId(0), battle.brigade(UnitId(0)), pose), pose);
        let on_top = pose.sideways(Length::um(4));
        let figure = |pose| Figure::of(battle.brigade(UnitId(0)), pose);
        assert!(overlapping(&figure(on_top), battle.figure(UnitId(1))), "4 micrometres are more than touching");
        let cleared = battle.cleared(UnitId(0), battle.brigade(UnitId(0)), on_top);
        assert!(!overlapping(&figure(cleared), battle.figure(UnitId(1))));
        let shift = cleared.at.distance(on_top.at);
        assert!(shift > Length::ZERO && shift <= Length::um(6), "{shift:?}");
    }

    #[test]
    fn a_move_along_a_neighbour_whom_it_touches_does_not_end_on_him_by_a_hair() {
        tests_clauses!(MB_MOV_09);
        let mut grazed = 0;
        for (degrees, deep) in (1..90).step_by(2).flat_map(|degrees| (1..4).map(move |deep| (degrees, deep))) {
            let mut battle = side_by_side(degrees, deep);
            if battle.check().is_err() {
                continue;
            }
            let mut dice = Seeded::new(3);
            let mut do_it = |battle: &mut Battle, offer: Offer, value: Value| {
                Malbrook::resolve(&mut Resolution::new(battle, &mut dice), &Choice { offer, value }).unwrap();
            };
            let roll = battle
                .offers()
                .iter()
                .find(|offer| matches!(offer, Offer::Movement(Movement::Roll { double: false, .. })))
                .copied();
            do_it(&mut battle, roll.unwrap(), Value::None);
            let Input::Distance { most, .. } = Malbrook::input(&battle, &Offer::Movement(Movement::Advance(UnitId(0))))
            else {
                continue;
            };
            let plain = battle.brigade(UnitId(0)).pose.ahead(most);
            let there = Figure::of(battle.brigade(UnitId(0)), plain);
            grazed += u32::from(overlapping(&there, battle.figure(UnitId(1))));
            do_it(&mut battle, Offer::Movement(Movement::Advance(UnitId(0))), Value::Distance(most));
            assert_eq!(battle.check(), Ok(()), "{deep} deep at {degrees} degrees");
        }
        assert!(grazed > 0, "no move was rounded on to the neighbour: this test looks at nothing");
    }

    #[test]
    fn nor_does_a_charge() {
        tests_clauses!(MB_MOV_09, MB_CHG_06);
        let (horse, dragoons, foot) = (UnitId(3), UnitId(4), UnitId(6));
        let (mut whole, mut grazed) = (0, 0);
        for (degrees, deep) in (1..90).flat_map(|degrees| (1..4).map(move |deep| (degrees, deep))) {
            let mut battle = crate::plain::plain(&[]);
            let pose = Pose::new(Point::inches(14, 32), Heading::degrees(degrees));
            let ahead = pose.ahead(Length::inches(1));
            battle.units[horse.index()].pose = pose;
            battle.units[dragoons.index()].pose = pose.sideways(Length::inch_fraction(7, 2) - Length::um(deep));
            battle.units[foot.index()].pose = Pose::new(ahead.at, pose.heading.reversed());
            battle.units[horse.index()].marks.control.by = crate::brigade::Charge::Free;
            battle.phase = crate::Phase::Charges;
            battle.memo = crate::table::memo::Memo::of(&battle.units);
            if battle.check().is_err() {
                continue;
            }
            whole += 1;
            let plain = Figure::of(battle.brigade(horse), ahead);
            grazed += u32::from(overlapping(&plain, battle.figure(dragoons)));
            let mut dice = Seeded::new(3);
            for key in ["charge ah at f1", "receive f1", "charge dice ah 2a"] {
                let offer = battle.offers().iter().find(|offer| Malbrook::key(&battle, offer) == key).copied();
                let choice = Choice { offer: offer.unwrap_or_else(|| panic!("no '{key}'")), value: Value::None };
                Malbrook::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
                assert_eq!(battle.check(), Ok(()), "{key}, {deep} deep at {degrees} degrees");
            }
        }
        assert!(grazed > 0, "of {whole} none was rounded on to the neighbour: this test looks at nothing");
    }
}
