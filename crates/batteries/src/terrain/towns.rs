//! Town blocks and their garrisons: who may go in and out, and how the garrison stands.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{
    Convex, FeatureId, FeatureShape, Ground, Heading, Outline, Placed, Point, Pose, Segment, Vec2, exact_distance,
    overlapping,
};

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::event::Inside;
use crate::situations::counted;
use crate::table::NEAR;
use crate::terrain::{Kinds, Terrain};
use crate::troops::{Arm, Formation};

/// A town block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) ground: u16,
    pub(crate) capacity: u16,
    pub(crate) placed: Placed,
    /// Its straight sides, each with the way it looks.
    pub(crate) sides: Vec<(Segment, Vec2)>,
}

/// Finds the blocks of a table.
pub(crate) fn blocks(ground: &Ground, terrain: &[Terrain]) -> Vec<Block> {
    let mut found = Vec::new();
    for lie in ground.all() {
        let kind = &terrain[usize::from(lie.feature.id.0)];
        let FeatureShape::Area { outer, .. } = &lie.feature.shape else { continue };
        if kind.kind != Kinds::Town {
            continue;
        }
        let mut ring: Vec<Vec2> = outer.iter().map(|point| point.v()).collect();
        let twice: f64 = (0..ring.len()).map(|i| ring[i].cross(ring[(i + 1) % ring.len()])).sum();
        if twice < 0.0 {
            ring.reverse();
        }
        let sides = (0..ring.len()).map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            (Segment::new(a, b), (b - a).unit().right())
        });
        let bounds = lie.patch.bounds();
        let front = Vec2::new(bounds.middle().x, bounds.max.y);
        let pose = Pose::new(Point::rounded(front), Heading::NORTH);
        found.push(Block {
            ground: lie.feature.id.0,
            capacity: kind.capacity,
            placed: Placed::area(lie.patch, pose),
            sides: sides.collect(),
        });
    }
    found
}

impl Battle {
    pub(crate) fn block(&self, ground: u16) -> Option<&Block> {
        self.fixed.blocks.iter().find(|block| block.ground == ground)
    }

    /// How a unit stands in a block: infantry in column, whatever it was before (BB-TWN-14).
    pub(crate) fn inside(&self, unit: UnitId, block: u16) -> Result<Inside, Refusal> {
        decides!(BB_TWN_14);
        let block = self.block(block).ok_or_else(|| Refusal::new(BB_TWN_14, "there is no such block"))?;
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let column = (self.numbers().widths.column / u16::from(facts.per_stand)).max(1) as u8;
        let (formation, stands) = match facts.kind {
            Kind::Foot { .. } => (Formation::Column, column),
            _ => (state.formation, state.stands),
        };
        Ok(Inside { to: block.placed.pose(), formation, stands })
    }

    /// The block that a unit holds.
    pub(crate) fn block_of(&self, unit: UnitId) -> Option<&Block> {
        self.unit(unit).inside.and_then(|ground| self.block(ground))
    }

    /// Everybody in a block.
    pub(crate) fn garrison(&self, ground: u16) -> impl Iterator<Item = UnitId> + '_ {
        self.all().filter(move |unit| self.unit(*unit).inside == Some(ground))
    }

    /// All who count as one with a unit: the garrison of its block, or the unit alone (BB-TWN-15).
    pub(crate) fn company(&self, unit: UnitId) -> Vec<UnitId> {
        decides!(BB_TWN_15);
        match self.unit(unit).inside {
            Some(ground) => self.garrison(ground).collect(),
            None => vec![unit],
        }
    }

    /// The unit that stands for a garrison: the one that is fighting, its first infantry, or its gun.
    pub(crate) fn lead(&self, unit: UnitId) -> UnitId {
        let Some(ground) = self.unit(unit).inside else { return unit };
        // Somebody who comes in while a block is fought for does not take over the fight.
        let fights = |other: &UnitId| self.contacts.iter().any(|contact| contact.target == *other);
        if let Some(fighting) = self.garrison(ground).find(fights) {
            return fighting;
        }
        let foot = self.garrison(ground).find(|other| self.arm(*other) == Arm::Foot);
        foot.or_else(|| self.garrison(ground).next()).unwrap_or(unit)
    }

    /// Whether a unit stands for itself, or for the garrison it belongs to.
    pub(crate) fn leads(&self, unit: UnitId) -> bool {
        self.unit(unit).inside.is_none() || self.lead(unit) == unit
    }

    /// Figures that a block still has room for (BB-TWN-01).
    pub(crate) fn room_in(&self, block: &Block) -> u16 {
        decides!(BB_TWN_01);
        let held: u16 = self.garrison(block.ground).map(|unit| self.unit(unit).figures).sum();
        block.capacity.saturating_sub(held)
    }

    pub(crate) fn enemy_held(&self, unit: UnitId, block: &Block) -> bool {
        self.garrison(block.ground).any(|other| self.side(other) != self.side(unit))
    }

    /// In a block, or with the footprint touching one: unsteady (BB-TWN-11).
    pub(crate) fn at_houses(&self, unit: UnitId) -> bool {
        decides!(BB_TWN_11);
        if self.fixed.blocks.is_empty() {
            return false;
        }
        if self.unit(unit).inside.is_some() {
            return true;
        }
        let here = self.placed(unit);
        let reach = here.bounds().grown(NEAR);
        let touches =
            |block: &Block| reach.meets(&block.placed.bounds()) && exact_distance(&here, &block.placed) <= NEAR;
        self.fixed.blocks.iter().any(touches)
    }

    /// Whether a unit may be in a block with what is there already, wherever it comes from.
    pub(crate) fn may_hold(&self, unit: UnitId, block: &Block) -> Result<(), Refusal> {
        decides!(BB_TWN_23);
        if self.arm(unit) != Arm::Foot {
            return Err(Refusal::new(BB_TWN_06, "only infantry enters a town block"));
        }
        if self.enemy_held(unit, block) {
            return Err(Refusal::new(BB_TWN_04, "the enemy holds it: it can only be attacked"));
        }
        // Its screen goes in with it.
        let (room, figures) = (self.room_in(block), self.unit(unit).figures + self.unit(unit).out);
        if figures > room {
            return Err(Refusal::new(
                BB_TWN_01,
                format!("it has room for {} and not for {figures}", counted(room, "figure")),
            ));
        }
        Ok(())
    }

    /// Blocks that a garrison may rout into: another one, with room, in its corridor and deep enough (BB-TWN-22).
    pub(crate) fn rout_blocks(&self, unit: UnitId, least: sabretache_table::Length) -> Vec<u16> {
        decides!(BB_TWN_22);
        let Some(own) = self.block_of(unit) else { return Vec::new() };
        if self.arm(unit) != Arm::Foot {
            return Vec::new();
        }
        let from = own.placed.centre();
        let (back, _) = self.homeward(unit, from);
        let (ahead, right) = (back.unit(), back.unit().right());
        let half = self.numbers().corridor.half.0.f();
        let far = self.numbers().rout.farthest.0.max(least).f();
        let corner = |deep: f64, side: f64| from + ahead * deep + right * side;
        let near = least.f() - NEAR;
        let zone = Convex::hull(&[
            corner(near, -half),
            corner(near, half),
            corner(far + NEAR, half),
            corner(far + NEAR, -half),
        ]);
        let fits = |block: &&Block| {
            block.ground != own.ground
                && self.may_hold(unit, block).is_ok()
                && overlapping(&zone, &block.placed)
                && self.rout_way(unit, clamped(block.placed.centre(), from, ahead, right, half))
        };
        self.fixed.blocks.iter().filter(fits).map(|block| block.ground).collect()
    }

    /// Emplaced in a block.
    pub(crate) fn emplaced(&self, unit: UnitId) -> bool {
        self.unit(unit).inside.is_some() && matches!(self.facts(unit).kind, Kind::Guns { .. })
    }

    /// The ground of a block, for what it is rated.
    pub(crate) fn houses(&self, ground: u16) -> Option<&Terrain> {
        self.fixed.ground.get(FeatureId(ground)).map(|lie| self.terrain(&lie))
    }
}

/// A place moved sideways into a corridor.
fn clamped(place: Vec2, from: Vec2, ahead: Vec2, right: Vec2, half: f64) -> Vec2 {
    let off = place - from;
    from + ahead * off.dot(ahead) + right * off.dot(right).clamp(-half, half)
}
