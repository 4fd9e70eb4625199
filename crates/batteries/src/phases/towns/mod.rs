//! Town blocks in the movement phase: into them, from one to the next, and out of them.

pub(crate) mod detach;
pub(crate) mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal};
use sabretache_table::{
    Angle, Convex, Face, Heading, Length, OnTable, Outline, Placed, Point, Pose, Segment, Vec2, exact_distance,
    overlapping,
};

use crate::battle::Battle;
use crate::clauses::*;
use crate::phases::formations::Shape;
use crate::phases::movement::WHOLE;
use crate::table::NEAR;
use crate::troops::{Arm, Formation};

impl Battle {
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
        let step = Length::inch_fraction(1, 4).f();
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

    /// The shapes in which a garrison could emerge from a side, whatever the rules say of it.
    pub(crate) fn emerge_despite(&self, unit: UnitId, side: u8) -> Option<Input> {
        let shapes = self.emerging_shapes(unit).into_iter();
        let open = shapes.filter(|(_, shape, out)| self.emerges_at(unit, side, shape, *out).is_some());
        let of: Vec<String> = open.map(|(name, ..)| name).collect();
        (!of.is_empty()).then_some(Input::Formation { of })
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
}
