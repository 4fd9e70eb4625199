//! Heavy guns against light works and old city walls.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Convex, Length, Segment, Vec2, overlapping};
use serde::{Deserialize, Serialize};

use crate::Batteries;
use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::event::Event;
use crate::numbers::Damage;
use crate::phases::shooting::targets::Aim;
use crate::situations::Shooting;
use crate::table::bearing::Bearing;
use crate::terrain::Kinds;
use crate::terrain::barriers::{Barrier, Break};
use crate::troops::{Calibre, Cover, Fire, GunClass, Shot};

/// An order to batter a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batter {
    /// Which battery.
    pub unit: UnitId,
    /// Which works or wall.
    pub ground: u16,
    /// Which section, from the beginning of the line.
    pub section: u16,
    /// Hits beyond what it takes go to the next section, not to the one before.
    pub onward: bool,
}

impl Battle {
    /// What it takes to break a section of a barrier, where anything does.
    pub(crate) fn damage(&self, barrier: &Barrier) -> Option<&Damage> {
        match barrier.kind {
            Kinds::LightWorks => Some(&self.numbers().works),
            Kinds::CityWall => Some(&self.numbers().walls),
            _ => None,
        }
    }

    pub(crate) fn section_broken(&self, barrier: &Barrier, section: u16) -> bool {
        let Some(damage) = self.damage(barrier) else { return false };
        let (from, to) = barrier.section(section, damage.length.0.f());
        self.broken_at(barrier, (from + to) / 2.0)
    }

    pub(crate) fn hits_on(&self, ground: u16, section: u16) -> u16 {
        let held = self.battered.iter().find(|held| (held.ground, held.section) == (ground, section));
        held.map_or(0, |held| held.hits)
    }

    /// The models that bear on a section, and the dice they roll (BB-FLD-08, BB-FLD-09, BB-OPT-94).
    pub(crate) fn may_batter(&self, unit: UnitId, ground: u16, section: u16) -> Result<Shooting, Refusal> {
        decides!(BB_FLD_08, BB_FLD_09, BB_OPT_94);
        let Some(barrier) = self.barrier_of(ground) else {
            return Err(Refusal::new(BB_FLD_09, "there are no works there"));
        };
        let wall = barrier.kind == Kinds::CityWall;
        let clause = if wall { BB_OPT_94 } else { BB_FLD_09 };
        if barrier.kind == Kinds::HeavyWorks {
            return Err(Refusal::new(BB_FLD_08, "nothing damages heavy works"));
        }
        if self.damage(barrier).is_none() {
            return Err(Refusal::new(clause, "guns do not batter that"));
        }
        let Kind::Guns { class: GunClass::Heavy, .. } = self.facts(unit).kind else {
            return Err(Refusal::new(clause, "only the ballshot of heavy guns does any damage"));
        };
        let facts = self.can_batter(unit, ground, section)?;
        self.may_shoot(unit)?;
        let chargers = self.chargers(unit);
        if chargers.iter().any(|charger| self.aim(unit, *charger, Some(Shot::Ball)).is_ok()) {
            return Err(Refusal::new(BB_SHO_35, "it must shoot at those who charge it"));
        }
        Ok(facts)
    }

    /// The same, without asking what the battery has done or who charges it.
    pub(crate) fn can_batter(&self, unit: UnitId, ground: u16, section: u16) -> Result<Shooting, Refusal> {
        let Some(barrier) = self.barrier_of(ground) else {
            return Err(Refusal::new(BB_FLD_09, "there are no works there"));
        };
        let clause = if barrier.kind == Kinds::CityWall { BB_OPT_94 } else { BB_FLD_09 };
        let Some(damage) = self.damage(barrier) else {
            return Err(Refusal::new(clause, "guns do not batter that"));
        };
        let Kind::Guns { class: GunClass::Heavy, .. } = self.facts(unit).kind else {
            return Err(Refusal::new(clause, "only the ballshot of heavy guns does any damage"));
        };
        if section >= barrier.sections(damage.length.0.f()) || self.section_broken(barrier, section) {
            return Err(Refusal::new(clause, "that section is down already"));
        }
        let fire = Fire::Guns(Calibre { class: GunClass::Heavy, shot: Shot::Ball });
        let face = section_face(barrier, section, damage);
        let bearings = self.bearings_on(unit, &face, fire);
        if bearings.is_empty() {
            return Err(Refusal::new(BB_SHO_07, "nobody bears on that section"));
        }
        let in_the_way =
            |bearing: &Bearing| self.friends(unit).any(|friend| overlapping(&bearing.triangle, self.outline(friend)));
        if bearings.iter().any(in_the_way) {
            return Err(Refusal::new(BB_SHO_38, "friends stand in the line of fire"));
        }
        let aim = Aim { target: unit, bearings, pose: self.unit(unit).pose, dice: None };
        let mut facts = self.shot_facts(unit, &aim, fire);
        (facts.cover, facts.dense, facts.at_skirmishers) = (Cover::Hard, false, false);
        decides!(BB_GEN_05);
        if facts.score(self.numbers()).is_none() || facts.dice(self.numbers()) == 0 {
            return Err(Refusal::new(BB_GEN_05, "there is no chance to hit it like that"));
        }
        Ok(facts)
    }

    /// Sections of works and walls that a battery may batter; where hits may be left over, with where they go.
    pub(crate) fn batters_open(&self, unit: UnitId) -> Vec<Batter> {
        let mut open = Vec::new();
        if !matches!(self.facts(unit).kind, Kind::Guns { class: GunClass::Heavy, .. }) {
            return open;
        }
        for barrier in &self.fixed.barriers {
            let Some(damage) = self.damage(barrier) else { continue };
            for section in 0..barrier.sections(damage.length.0.f()) {
                let Ok(facts) = self.may_batter(unit, barrier.ground, section) else { continue };
                let order = Batter { unit, ground: barrier.ground, section, onward: true };
                open.push(order);
                if self.hits_on(barrier.ground, section) + facts.dice(self.numbers()) > u16::from(damage.hits) {
                    open.push(Batter { onward: false, ..order });
                }
            }
        }
        open
    }

    /// What hits on a section come to: the hits that each section touched has then, and those that are down. What is left over goes on
    /// to the next section that stands (BB-FLD-09, BB-OPT-94).
    fn battered_by(&self, order: &Batter, hits: u16) -> (Vec<(u16, u16)>, Vec<Break>) {
        decides!(BB_FLD_09, BB_OPT_94);
        let (mut sections, mut down) = (Vec::new(), Vec::new());
        let ground = order.ground;
        let Some(barrier) = self.barrier_of(ground) else { return (sections, down) };
        let Some(damage) = self.damage(barrier) else { return (sections, down) };
        let (needed, length) = (u16::from(damage.hits.max(1)), damage.length.0.f());
        let last = barrier.sections(length);
        let mut at = order.section;
        let mut left = self.hits_on(ground, at) + hits;
        while left >= needed {
            left -= needed;
            sections.push((at, 0));
            let (from, to) = barrier.section(at, length);
            down.push(Break { ground, from: Length::rounded(from), to: Length::rounded(to) });
            let (after, before) = ((at + 1 < last).then_some(at + 1), at.checked_sub(1));
            let neighbours = if order.onward { [after, before] } else { [before, after] };
            let stands = |next: &u16| {
                !self.section_broken(barrier, *next) && !sections.iter().any(|(section, _)| section == next)
            };
            let Some(next) = neighbours.into_iter().flatten().find(stands).filter(|_| left > 0) else {
                return (sections, down);
            };
            at = next;
            left += self.hits_on(ground, at);
        }
        sections.push((at, left));
        (sections, down)
    }

    /// Sections of works or wall have so many hits now, or are down.
    pub(crate) fn batter(&mut self, ground: u16, sections: &[(u16, u16)], down: &[Break]) {
        for (section, hits) in sections.iter().copied() {
            self.battered.retain(|held| (held.ground, held.section) != (ground, section));
            if hits > 0 {
                self.battered.push(crate::terrain::barriers::Battered { ground, section, hits });
            }
        }
        self.battered.sort_by_key(|held| (held.ground, held.section));
        self.breaks.extend_from_slice(down);
    }
}

/// The outer face of a section, a hair before it, so that the works themselves do not hide it.
fn section_face(barrier: &Barrier, section: u16, damage: &Damage) -> Convex {
    let (from, to) = barrier.section(section, damage.length.0.f());
    let before = |at: f64| -> Vec2 {
        let (place, out) = barrier.place(at);
        place + out * Length::inch_fraction(1, 20).f()
    };
    Convex::segment(Segment::new(before(from + 1.0), before(to - 1.0)))
}

/// All battering that was ordered.
pub(crate) fn batter_all(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let orders = play.battle().batters.clone();
    for order in orders {
        let battle = play.battle();
        let numbers = battle.numbers().clone();
        let facts = battle.battering_facts(&order);
        let (dice, side) = (facts.dice(&numbers), battle.side(order.unit));
        if dice == 0 || facts.score(&numbers).is_none() {
            continue;
        }
        let purpose = Purpose { what: "battering", of: Some(order.unit.into()), side };
        let roll = play.roll(purpose, &facts.test(&numbers), &facts.throw(dice, &numbers), Wanted::High)?;
        let Batter { unit, ground, section, onward } = order;
        let hits = roll.total() as u16;
        let (sections, down) = play.battle().battered_by(&order, hits);
        play.happen(Event::Battered { unit, ground, section, dice, hits, onward, sections, down });
    }
    Ok(())
}

impl Battle {
    /// The facts of an order that was allowed when it was given.
    fn battering_facts(&self, order: &Batter) -> Shooting {
        let fire = Fire::Guns(Calibre { class: GunClass::Heavy, shot: Shot::Ball });
        let face = self.barrier_of(order.ground).zip(self.barrier_of(order.ground).and_then(|one| self.damage(one)));
        let bearings = face.map_or(Vec::new(), |(barrier, damage)| {
            self.bearings_on(order.unit, &section_face(barrier, order.section, damage), fire)
        });
        let aim = Aim { target: order.unit, bearings, pose: self.unit(order.unit).pose, dice: None };
        let mut facts = self.shot_facts(order.unit, &aim, fire);
        (facts.cover, facts.dense, facts.at_skirmishers) = (Cover::Hard, false, false);
        facts
    }
}
