//! Town blocks and their garrisons: who may go in and out, and how the garrison stands.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal};
use sabretache_table::{
    Angle, Convex, Face, FeatureId, FeatureShape, Ground, Heading, OnTable, Outline, Placed, Point, Pose, Segment,
    Vec2, exact_distance, overlapping,
};

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::event::Inside;
use crate::phases::formations::Shape;
use crate::phases::movement::WHOLE;
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

    fn enemy_held(&self, unit: UnitId, block: &Block) -> bool {
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

    /// Whether a unit may go into a block now (BB-TWN-01, BB-TWN-04, BB-TWN-06).
    pub(crate) fn may_enter(&self, unit: UnitId, ground: u16) -> Result<(), Refusal> {
        decides!(BB_TWN_01, BB_TWN_04, BB_TWN_06);
        self.may_march(unit)?;
        let Some(block) = self.block(ground) else {
            return Err(Refusal::new(BB_TWN_04, "there is no block"));
        };
        if self.arm(unit) != Arm::Foot {
            return Err(Refusal::new(BB_TWN_06, "only infantry enters a town block"));
        }
        let front = Convex::segment(self.outline(unit).face(Face::Front));
        if exact_distance(&front, &block.placed) > self.numbers().at_hand.within.0.f() + NEAR {
            return Err(Refusal::new(BB_TWN_04, "its front does not touch the block"));
        }
        self.may_hold(unit, block)
    }

    /// Why a unit in a block does not simply march (BB-TWN-05, BB-TWN-08).
    pub(crate) fn not_from_a_block(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(BB_TWN_05, BB_TWN_08);
        match self.unit(unit).inside {
            None => Ok(()),
            Some(_) if self.arm(unit) == Arm::Guns => {
                Err(Refusal::new(BB_TWN_08, "an emplaced gun neither leaves, limbers nor shifts"))
            }
            Some(_) => Err(Refusal::new(BB_TWN_05, "it is in a town block: let it emerge first")),
        }
    }

    /// Half a move, never doubled, must be left to leave a block (BB-TWN-05).
    fn half_a_move_left(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(BB_TWN_05);
        self.may_move(unit)?;
        if self.unit(unit).inside.is_none() {
            return Err(Refusal::new(BB_TWN_05, "it is in no block"));
        }
        if self.arm(unit) == Arm::Guns {
            return Err(Refusal::new(BB_TWN_08, "an emplaced gun neither leaves, limbers nor shifts"));
        }
        decides!(BB_MOV_25);
        if self.in_contact(self.lead(unit)) {
            return Err(Refusal::new(BB_MOV_25, "the block is being fought for"));
        }
        if self.spent(unit) + self.numbers().leaving.of(WHOLE) > WHOLE + 20 {
            return Err(Refusal::new(BB_TWN_05, "it takes half a move, more than is left"));
        }
        Ok(())
    }

    /// Whether a garrison may change to an adjacent block (BB-TWN-05).
    pub(crate) fn may_shift(&self, unit: UnitId, ground: u16) -> Result<(), Refusal> {
        decides!(BB_TWN_05);
        self.half_a_move_left(unit)?;
        let (Some(here), Some(there)) = (self.block_of(unit), self.block(ground)) else {
            return Err(Refusal::new(BB_TWN_05, "there is no such block"));
        };
        if here.ground == ground {
            return Err(Refusal::new(BB_TWN_05, "it is in that block already"));
        }
        let apart = exact_distance(&here.placed, &there.placed);
        if apart > self.numbers().town.adjacent.0.f() + NEAR {
            return Err(Refusal::new(BB_TWN_05, "that block is not adjacent"));
        }
        let (from, to) = (here.placed.centre(), there.placed.centre());
        let line = Convex::segment(Segment::new(from, to));
        let between = self.fixed.blocks.iter().filter(|block| ![here.ground, ground].contains(&block.ground));
        if between.into_iter().any(|block| self.enemy_held(unit, block) && overlapping(&line, &block.placed)) {
            return Err(Refusal::new(BB_TWN_05, "the enemy holds what lies between"));
        }
        self.may_hold(unit, there)
    }

    /// The shapes in which a garrison may emerge, facing away from the block or toward it.
    pub(crate) fn emerging_shapes(&self, unit: UnitId) -> Vec<(String, Shape, bool)> {
        let mut found: Vec<(String, Shape, bool)> = Vec::new();
        for (formation, stands, limbered) in self.forms(unit) {
            let shape = Shape { formation, stands, limbered, turn: Angle::ZERO, bend: None };
            let form = self.form_word(unit, &shape);
            for outward in [true, false] {
                if formation == Formation::Square && !outward {
                    continue;
                }
                let name = format!("{form} facing {}", if outward { "out" } else { "in" });
                if !found.iter().any(|(held, ..)| *held == name) {
                    found.push((name, shape, outward));
                }
            }
        }
        found
    }

    /// Where a garrison emerges from a side in a shape: as near the middle of the side as there is room (BB-TWN-09).
    pub(crate) fn emerges_at(&self, unit: UnitId, side: u8, shape: &Shape, outward: bool) -> Option<Pose> {
        decides!(BB_TWN_09);
        let block = self.block_of(unit)?;
        let (edge, out) = *block.sides.get(usize::from(side))?;
        let mut state = *self.unit(unit);
        (state.formation, state.stands, state.inside) = (shape.formation, shape.stands, None);
        let facts = self.facts(unit);
        let footprint = state.footprint(facts, self.numbers());
        let heading = Heading::toward(Vec2::default(), if outward { out } else { -out });
        let along = (edge.b - edge.a).unit();
        let depth = if outward { footprint.depth().f() } else { 0.0 };
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let step = sabretache_table::Length::inch_fraction(1, 4).f();
        let half = edge.length() / 2.0;
        let shifts = (0..).map(|n: i32| f64::from((n + 1) / 2) * step * if n % 2 == 0 { 1.0 } else { -1.0 });
        for shift in shifts.take_while(|shift| shift.abs() <= half) {
            let front = edge.middle() + along * shift + out * depth;
            state.pose = Pose::new(Point::rounded(front), heading);
            let there = Placed::new(&footprint, state.pose);
            let around = there.bounds().grown(apart);
            let clear = self.all().filter(|other| self.unit(*other).inside != Some(block.ground)).all(|other| {
                let placed = self.outline(other);
                let enemy = self.side(other) != self.side(unit) && !self.in_contact(other);
                !around.meets(&placed.bounds())
                    || !(overlapping(&there, placed) || enemy && exact_distance(&there, placed) < apart)
            });
            if clear
                && self.fixed.table.on_table(&there) == OnTable::Wholly
                && self.barred(&state, facts, &there).is_none()
            {
                return Some(state.pose);
            }
        }
        None
    }

    /// The input of emerging from a side.
    pub(crate) fn emerge_input(&self, unit: UnitId, side: u8) -> Result<Input, Refusal> {
        self.half_a_move_left(unit)?;
        decides!(BB_MOV_05);
        if self.unit(unit).now.changed {
            return Err(Refusal::new(BB_MOV_05, "it has changed once this turn"));
        }
        if self.block_of(unit).is_none_or(|block| usize::from(side) >= block.sides.len()) {
            return Err(Refusal::new(BB_TWN_05, "the block has no such side"));
        }
        let open = |(_, shape, outward): &(String, Shape, bool)| self.emerges_at(unit, side, shape, *outward).is_some();
        let of: Vec<String> = self.emerging_shapes(unit).into_iter().filter(open).map(|(name, ..)| name).collect();
        if of.is_empty() {
            Err(Refusal::new(BB_TWN_09, "there is no room on that side"))
        } else {
            Ok(Input::Formation { of })
        }
    }

    /// Whether anything can emerge from a side.
    pub(crate) fn may_emerge(&self, unit: UnitId, side: u8) -> bool {
        let free = self.half_a_move_left(unit).is_ok() && !self.unit(unit).now.changed;
        let open = |(_, shape, outward): &(String, Shape, bool)| self.emerges_at(unit, side, shape, *outward).is_some();
        free && self.emerging_shapes(unit).iter().any(open)
    }

    /// The shape and place of emerging by its name.
    pub(crate) fn emerging(&self, unit: UnitId, side: u8, name: &str) -> Option<(Shape, Pose)> {
        let (_, shape, outward) = self.emerging_shapes(unit).into_iter().find(|(held, ..)| held == name)?;
        self.emerges_at(unit, side, &shape, outward).map(|pose| (shape, pose))
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
