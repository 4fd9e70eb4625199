//! Room: whether somebody could stand somewhere, and what a brigade could run into as it turns on the spot.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Bounds, Contact, Convex, Length, Lie, OnTable, Outline, Vec2, contact, overlapping};
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
        let side = self.brigade(unit).side;
        let known = |one: &UnitId| *one != unit && (self.brigade(*one).side == side || options::is_known(self, *one));
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
        let brigade = self.brigade(unit);
        let depth = self.halting(brigade);
        let mut near = self.enemies_around(brigade.side, figure.bounds(), depth * 2).peekable();
        if near.peek().is_none() {
            return false;
        }
        let zone = zone_of(brigade, figure, depth - HAIR);
        near.any(|enemy| options::is_known(self, enemy) && contact(&zone, self.figure(enemy)) != Contact::Apart)
    }

    /// How far from enemy to its front a brigade halts.
    pub(crate) fn halting(&self, brigade: &Brigade) -> Length {
        let numbers = &self.fixed.numbers;
        if brigade.kind.is_cavalry() { numbers.cavalry_halt.length() } else { numbers.musketry.length() }
    }
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
