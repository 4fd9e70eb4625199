//! Option 7.14: old city walls, breaches and scaling ladders.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Bounds, Convex, Outline, Placed, Vec2, exact_distance};

use crate::Batteries;
use crate::battle::{Battle, Kind, Unit};
use crate::clauses::*;
use crate::event::Event;
use crate::table::NEAR;
use crate::terrain::Kinds;
use crate::terrain::barriers::Barrier;

/// How a fight across a city wall is fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtWall {
    /// Through a breach, known by the wall and the break.
    Breach(u16, usize),
    /// With ladders.
    Escalade,
}

impl Battle {
    fn walls_between(&self, from: Vec2, to: Vec2) -> impl Iterator<Item = &Barrier> {
        self.barriers_near(Bounds::of(&[from, to])).filter(|barrier| barrier.kind == Kinds::CityWall)
    }

    /// What kind of fight two units have where a wall lies between their middles.
    pub(crate) fn at_wall(&self, one: &Placed, other: &Placed) -> Option<AtWall> {
        let (from, to) = (one.centre(), other.centre());
        for wall in self.walls_between(from, to) {
            if let Some((_, at)) = wall.crossings(from, to).first() {
                let gap = |n: &usize| {
                    let gap = self.breaks[*n];
                    gap.ground == wall.ground && gap.from.f() <= *at && *at <= gap.to.f()
                };
                let broken = (0..self.breaks.len()).find(gap);
                return Some(broken.map_or(AtWall::Escalade, |n| AtWall::Breach(wall.ground, n)));
            }
        }
        None
    }

    /// Whether an outline meets an enemy at a wall that the enemy mans: it touches the wall, and he stands close behind it.
    pub(crate) fn meets_at_wall(&self, here: &Placed, enemy: UnitId) -> bool {
        let within = self.numbers().wall_manned.within.0.f() + NEAR;
        let them = self.outline(enemy);
        let reach = here.bounds().grown(within);
        if self.fixed.barriers.is_empty() || !reach.meets(&them.bounds()) || exact_distance(here, them) > within {
            return false;
        }
        let walls = self.barriers_near(reach).filter(|barrier| barrier.kind == Kinds::CityWall);
        walls.into_iter().any(|wall| {
            let behind = wall.inside(them.centre()) && !wall.inside(here.centre());
            behind && self.gap_to_standing(wall, here) <= NEAR && self.gap_to_standing(wall, them) <= within
        })
    }

    /// How far a ladder party gets until it is at the foot of a wall whose defender stands close behind it.
    pub(crate) fn to_the_wall(&self, unit: UnitId, placed: &Placed, way: Vec2, contact: f64) -> Option<f64> {
        let within = self.numbers().wall_manned.within.0.f() + NEAR;
        let corridor = placed.bounds().swept(way * contact);
        let mut first: Option<f64> = None;
        for wall in self.barriers_near(corridor).filter(|barrier| barrier.kind == Kinds::CityWall) {
            for stretch in self.stretches(wall).iter().filter(|stretch| stretch.standing) {
                let line = Convex::segment(stretch.line);
                if let Some(at) = sabretache_table::first_contact(placed, way, contact, &line) {
                    first = Some(first.map_or(at, |held: f64| held.min(at)));
                }
            }
        }
        first.filter(|at| self.ladders(unit) > 0 && contact - at <= within)
    }

    /// Stands with ladders that a unit still has: they are the last to be lost (BB-OPT-98).
    pub(crate) fn ladders(&self, unit: UnitId) -> u16 {
        decides!(BB_OPT_98);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let stands = crate::table::shape::stands_for(state.figures, facts.per_stand);
        if matches!(facts.kind, Kind::Foot { .. }) { u16::from(facts.ladders).min(stands) } else { 0 }
    }

    /// Somebody else already assaults the breach, or nobody may (BB-OPT-97).
    pub(crate) fn breach_taken(&self, unit: UnitId, at: &Placed, target: UnitId) -> Option<Clause> {
        decides!(BB_OPT_97);
        let Some(AtWall::Breach(wall, n)) = self.at_wall(at, self.outline(target)) else { return None };
        let same = |contact: &&crate::battle::Contact| {
            let pair = (self.outline(contact.charger), self.outline(contact.target));
            contact.charger != unit && self.at_wall(pair.0, pair.1) == Some(AtWall::Breach(wall, n))
        };
        self.contacts.iter().find(same).map(|_| BB_OPT_97)
    }

    /// How many figures of a unit count against an enemy across a wall, where that limits them (BB-OPT-97, BB-OPT-98).
    pub(crate) fn figures_at_wall(&self, unit: UnitId, enemy: UnitId) -> Option<u16> {
        decides!(BB_OPT_97, BB_OPT_98);
        if !self.fixed.options.city_walls || self.fixed.barriers.is_empty() {
            return None;
        }
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let per_stand = u16::from(facts.per_stand);
        let attacks = self.contacts.iter().any(|contact| (contact.charger, contact.target) == (unit, enemy));
        match self.at_wall(self.outline(unit), self.outline(enemy))? {
            AtWall::Breach(..) => Some(state.figures.min(u16::from(self.numbers().breach.stands) * per_stand)),
            AtWall::Escalade if attacks => Some(state.figures.min(self.ladders(unit) * per_stand)),
            AtWall::Escalade => None,
        }
    }

    /// A ladder party that has driven off the defenders may climb over in a later turn (BB-OPT-98).
    fn has_won_the_wall(&self, unit: UnitId) -> bool {
        decides!(BB_OPT_98);
        let state = self.unit(unit);
        let at_foot = || {
            let here = self.outline(unit);
            let walls = self.barriers_near(here.bounds().grown(NEAR));
            walls.into_iter().any(|wall| wall.kind == Kinds::CityWall && self.gap_to_standing(wall, here) <= NEAR)
        };
        !state.climbs
            && state.now.fought
            && !state.now.routed
            && !self.in_contact(unit)
            && self.ladders(unit) > 0
            && at_foot()
    }
}

/// At the end of a turn: those who have won a wall may climb it from now on.
pub(crate) fn won_walls(play: &mut Resolution<'_, Batteries>) {
    let battle = play.battle();
    if !battle.fixed.options.city_walls || battle.fixed.barriers.is_empty() {
        return;
    }
    let won: Vec<UnitId> = battle.all().filter(|unit| battle.has_won_the_wall(*unit)).collect();
    for unit in won {
        play.happen(Event::Scaled { unit });
    }
}

/// Those who could climb a wall and have moved away from it, or over it: others keep the chance.
pub(crate) fn off_the_wall(battle: &Battle) -> Vec<UnitId> {
    let astride = |unit: UnitId| {
        let down = Unit { climbs: false, ..*battle.unit(unit) };
        battle.barred_by_line(&down, battle.facts(unit), &battle.placed(unit)).is_some()
    };
    let ids = (0..battle.units.len()).map(|n| UnitId(n as u16));
    let gone = |unit: &UnitId| {
        let state = battle.unit(*unit);
        state.climbs && (state.now.moved || state.now.evaded) && !astride(*unit)
    };
    ids.filter(gone).collect()
}
