//! Hidden enemy whom a move comes upon: within 2 inches of them it halts, and they show themselves (MB-UMP-03).
//!
//! What is offered knows nothing of them, or their absence could be read from it; only the carrying out does.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Convex, Length, Outline, Point, Vec2};

use crate::battle::Battle;
use crate::event::Event;
use crate::harm::Play;
use crate::lay::{Figure, near};
use crate::nearing::first_within;

/// How near hidden enemy show themselves.
pub(crate) const HIDDEN: Length = Length::inches(2);

impl Battle {
    /// The enemies of a unit that it does not know of, about a box.
    fn lurking(&self, unit: UnitId, about: sabretache_table::Bounds) -> impl Iterator<Item = UnitId> + '_ {
        let there = self.hides().then(|| self.enemies_around(self.brigade(unit).side, about, HIDDEN));
        there.into_iter().flatten().filter(|enemy| !self.is_known(*enemy))
    }

    /// Whether a figure is within 2 inches of enemy that its side does not know of.
    pub(crate) fn is_startled(&self, unit: UnitId, figure: &Figure) -> bool {
        self.lurking(unit, figure.bounds()).any(|enemy| near(figure, self.figure(enemy), HIDDEN))
    }

    /// How far of a straight way a unit gets before hidden enemy show themselves.
    pub(crate) fn until_startled(&self, unit: UnitId, way: Vec2, far: Length) -> Length {
        let figure = self.figure(unit);
        let met = |enemy: UnitId| first_within(figure, way, far.f(), self.figure(enemy), HIDDEN.f());
        let corridor = figure.bounds().swept(way * far.f());
        let first = self.lurking(unit, corridor).filter_map(met).fold(far.f(), f64::min);
        Length::floored(first.max(0.0))
    }

    /// Where a lone horseman who rides from one place to another gets before he comes upon hidden enemy.
    pub(crate) fn rides_up_to(&self, side: Side, from: Point, to: Point) -> Point {
        let way = from.distance(to);
        let step = Length::inch_fraction(1, 8);
        let steps = (1..=way.to_um() / step.to_um()).map(|n| (step * n).f() / way.f()).chain([1.0]);
        let at = |share: f64| Point::rounded(from.v().toward(to.v(), share));
        let comes_upon = |share: &f64| {
            let place = Convex::place(at(*share).v());
            let there = self.enemies_around(side, place.bounds(), HIDDEN);
            there.into_iter().any(|enemy| !self.is_known(enemy) && near(&place, self.figure(enemy), HIDDEN))
        };
        if !self.hides() {
            return to;
        }
        steps.into_iter().find(comes_upon).map_or(to, at)
    }

    /// The first of the stages of a move at which hidden enemy show themselves, or the last of all.
    pub(crate) fn halted<T: Copy>(
        &self,
        unit: UnitId,
        stages: impl Iterator<Item = T>,
        at: impl Fn(T) -> Figure,
        all: T,
    ) -> T {
        if !self.hides() {
            return all;
        }
        stages.into_iter().find(|stage| self.is_startled(unit, &at(*stage))).unwrap_or(all)
    }
}

/// Hidden enemy within 2 inches of where a unit was about to stand show themselves; whether there were any.
pub(crate) fn startle(play: &mut Play<'_>, unit: UnitId, figure: &Figure) -> bool {
    let battle = play.battle();
    let lurking = battle.lurking(unit, figure.bounds());
    let shown: Vec<UnitId> = lurking.filter(|enemy| near(figure, battle.figure(*enemy), HIDDEN)).collect();
    for enemy in &shown {
        play.happen(Event::Seen { unit: *enemy });
    }
    !shown.is_empty()
}
