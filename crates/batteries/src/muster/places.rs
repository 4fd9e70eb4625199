//! What contradicts the book about garrisons, roads and bent lines.

use sabretache_engine::decides;
use sabretache_engine::scenario::Path;
use sabretache_table::{Convex, FeatureShape, Footprint, Placed, Pose, Segment, overlapping};

use crate::battle::{Battle, Facts, Kind, Place};
use crate::clauses::*;
use crate::muster::Reader;
use crate::situations::counted;
use crate::table::shape::{Bend, stands_for};
use crate::terrain::Kinds;
use crate::troops::{Arm, Formation};

impl Reader<'_> {
    /// The wings of a bent line (BB-UNI-18).
    pub(crate) fn bend(&mut self, n: usize, facts: &Facts, figures: u16) -> Option<Bend> {
        decides!(BB_UNI_18);
        let entry = &self.scenario.body.units[n];
        let (wings, turns) = (&entry.wings, &entry.turns);
        if wings.is_empty() && turns.is_empty() && entry.formation != Some(Formation::Bent) {
            return None;
        }
        let help = "`wings = [4, 2]` and `turns = [90]`: stands of each wing, and how far each next one is turned";
        let mut wrong = |key: &str, why: &str| self.report.against(BB_UNI_18, Self::at_unit(n).key(key), why, help);
        let stands: u16 = wings.iter().map(|stands| u16::from(*stands)).sum();
        if entry.formation == Some(Formation::Bent) && facts.start <= self.numbers.widths.column {
            wrong("formation", "only a unit whose single rank would be a line may bend it");
        }
        if wings.len() < 2 || wings.len() > 4 || wings.contains(&0) {
            wrong("wings", "a bent line has two to four wings of a stand or more");
        } else if stands != stands_for(facts.start, facts.per_stand) && stands < stands_for(figures, facts.per_stand) {
            wrong("wings", "the wings have fewer stands than the unit");
        }
        if turns.len() + 1 != wings.len() || turns.iter().any(|turn| *turn == 0.0 || turn.abs() > 90.0) {
            wrong("turns", "each wing after the first is turned by more than 0 and at most 90 degrees");
        }
        let mut bend = Bend::default();
        for (slot, stands) in bend.wings.iter_mut().zip(wings) {
            *slot = *stands;
        }
        for (slot, turn) in bend.turns.iter_mut().zip(turns) {
            *slot = (turn * 100.0).round().clamp(-9_000.0, 9_000.0) as i16;
        }
        let basing = facts.basing(&self.numbers);
        let laid = bend.stands(stands, basing.frontage * i32::from(basing.per_stand), basing.depth);
        let wings: Vec<Placed> =
            laid.iter().map(|wing| Placed::new(&Footprint::of(&[*wing]), Pose::default())).collect();
        let crossed = wings.iter().enumerate().any(|(n, wing)| wings[..n].iter().any(|other| overlapping(wing, other)));
        if crossed {
            self.report.against(BB_UNI_18, Self::at_unit(n).key("turns"), "its wings lie on one another", help);
        }
        Some(bend)
    }

    /// Who cannot be in a town block (BB-TWN-01, BB-TWN-04, BB-TWN-06, BB-TWN-07), and roads that run through one (BB-TWN-03).
    pub(crate) fn garrisons(&mut self, battle: &Battle) {
        decides!(BB_TWN_01, BB_TWN_04, BB_TWN_06, BB_TWN_07, BB_TWN_03);
        for (n, unit) in battle.units.iter().enumerate().filter(|(_, unit)| unit.place == Place::Table) {
            let Some(ground) = unit.inside else { continue };
            let facts = &battle.fixed.facts[n];
            let Some(block) = battle.block(ground) else {
                self.against(BB_TWN_01, n, "inside", "that is no town block", "the id of a town block");
                continue;
            };
            let emplaced = self.scenario.body.units[n].emplaced;
            match facts.kind {
                Kind::Horse { .. } => {
                    self.against(BB_TWN_06, n, "inside", "only infantry holds a town block", "leave it out");
                }
                Kind::Guns { models, .. } if models != 1 || !emplaced || unit.limbered => {
                    let help = "`models = 1` and `emplaced = true`";
                    self.against(BB_TWN_07, n, "inside", "only a single emplaced gun may be in a town block", help);
                }
                _ => {}
            }
            let before = || {
                let there = |other: &usize| {
                    battle.units[*other].inside == Some(ground) && battle.units[*other].place == Place::Table
                };
                (0..n).filter(there)
            };
            let guns = |other: usize| battle.fixed.facts[other].kind.arm() == Arm::Guns;
            if guns(n) && before().any(guns) {
                self.against(BB_TWN_07, n, "inside", "there is a gun in that block already", "one to a block");
            }
            if before().any(|other| battle.fixed.facts[other].side != facts.side) {
                self.against(BB_TWN_04, n, "inside", "the enemy is in that block", "another block");
            }
            let held: u16 = before().map(|other| battle.units[other].figures).sum();
            if held + unit.figures > block.capacity {
                let message = format!(
                    "the block holds {}, of whom {held} already: there is no room for {}",
                    counted(block.capacity, "figure"),
                    unit.figures
                );
                self.against(BB_TWN_01, n, "inside", message, "fewer figures, or another block");
            }
        }
        for lie in battle.fixed.ground.all().filter(|lie| battle.terrain(lie).kind == Kinds::Road) {
            let FeatureShape::Line { points, .. } = &lie.feature.shape else { continue };
            let through = |pair: &[sabretache_table::Point]| {
                let leg = Convex::segment(Segment::new(pair[0].v(), pair[1].v()));
                battle.fixed.blocks.iter().any(|block| overlapping(&leg, &block.placed))
            };
            if points.windows(2).any(through) {
                let at = Path::root().key("ground").item(usize::from(lie.feature.id.0));
                self.report.against(
                    BB_TWN_03,
                    at,
                    "a road does not run through a town block",
                    "lead it between blocks",
                );
            }
        }
    }
}
