//! Hidden enemy whom a move comes upon: within 2 inches of them it halts, and they show themselves (MB-UMP-03).
//!
//! What is offered knows nothing of them, or their absence could be read from it; only the carrying out does.

use crate::phases::options;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Convex, Length, Outline, Point, Vec2};

use crate::battle::Battle;
use crate::event::Event;
use crate::phases::harm::Play;
use crate::table::lay::{Figure, near};
use crate::table::nearing::first_within;

/// How near hidden enemy show themselves.
fn shown_at(battle: &Battle) -> Length {
    battle.fixed.numbers.hidden.length()
}

/// The enemies of a unit that it does not know of, about a box.
fn lurking(battle: &Battle, unit: UnitId, about: sabretache_table::Bounds) -> impl Iterator<Item = UnitId> + '_ {
    let there =
        options::hides(battle).then(|| battle.enemies_around(battle.brigade(unit).side, about, shown_at(battle)));
    there.into_iter().flatten().filter(|enemy| !options::is_known(battle, *enemy))
}

/// Whether a figure is within 2 inches of enemy that its side does not know of.
pub(crate) fn is_startled(battle: &Battle, unit: UnitId, figure: &Figure) -> bool {
    lurking(battle, unit, figure.bounds()).any(|enemy| near(figure, battle.figure(enemy), shown_at(battle)))
}

/// How far of a straight way a unit gets before hidden enemy show themselves.
pub(crate) fn until_startled(battle: &Battle, unit: UnitId, way: Vec2, far: Length) -> Length {
    let figure = battle.figure(unit);
    let met = |enemy: UnitId| first_within(figure, way, far.f(), battle.figure(enemy), shown_at(battle).f());
    let corridor = figure.bounds().swept(way * far.f());
    let first = lurking(battle, unit, corridor).filter_map(met).fold(far.f(), f64::min);
    Length::floored(first.max(0.0))
}

/// Where a lone horseman who rides from one place to another gets before he comes upon hidden enemy.
pub(crate) fn rides_up_to(battle: &Battle, side: Side, from: Point, to: Point) -> Point {
    let way = from.distance(to);
    let step = Length::inch_fraction(1, 8);
    let steps = (1..=way.to_um() / step.to_um()).map(|n| (step * n).f() / way.f()).chain([1.0]);
    let at = |share: f64| Point::rounded(from.v().toward(to.v(), share));
    let comes_upon = |share: &f64| {
        let place = Convex::place(at(*share).v());
        let there = battle.enemies_around(side, place.bounds(), shown_at(battle));
        there
            .into_iter()
            .any(|enemy| !options::is_known(battle, enemy) && near(&place, battle.figure(enemy), shown_at(battle)))
    };
    if !options::hides(battle) {
        return to;
    }
    steps.into_iter().find(comes_upon).map_or(to, at)
}

/// The first of the stages of a move at which hidden enemy show themselves, or the last of all.
pub(crate) fn halted<T: Copy>(
    battle: &Battle,
    unit: UnitId,
    stages: impl Iterator<Item = T>,
    at: impl Fn(T) -> Figure,
    all: T,
) -> T {
    if !options::hides(battle) {
        return all;
    }
    stages.into_iter().find(|stage| is_startled(battle, unit, &at(*stage))).unwrap_or(all)
}

/// Hidden enemy within 2 inches of where a unit was about to stand show themselves; whether there were any.
pub(crate) fn startle(play: &mut Play<'_>, unit: UnitId, figure: &Figure) -> bool {
    let battle = play.battle();
    let lurking = lurking(battle, unit, figure.bounds());
    let shown: Vec<UnitId> = lurking.filter(|enemy| near(figure, battle.figure(*enemy), shown_at(battle))).collect();
    for enemy in &shown {
        play.happen(Event::Seen { unit: *enemy });
    }
    !shown.is_empty()
}
