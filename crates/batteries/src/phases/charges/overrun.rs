//! Guns and skirmishers run over by chargers in close order.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Length, OnTable, Placed, Point, Pose, Quad, exact_distance, overlapping};
use smallvec::SmallVec;

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::table::NEAR;

/// What an overrun takes if the rest then stands here.
#[derive(Clone, Copy)]
struct Taken {
    figures: u16,
    models: u16,
    rest: Pose,
}

impl Battle {
    /// The next target that a charger in close order runs over (BB-CHG-23).
    pub(crate) fn next_overrun(&self) -> Option<(UnitId, UnitId)> {
        decides!(BB_CHG_23);
        let due = |contact: &&crate::battle::Contact| {
            let open = self.skirmishing(contact.target) || self.arm(contact.target) == crate::troops::Arm::Guns;
            contact.fresh
                && !self.sheltered(contact)
                && !contact.overrun
                && open
                && self.close_order(contact.charger)
                && !self.broken(contact.charger)
        };
        self.contacts.iter().find(due).map(|contact| (contact.charger, contact.target))
    }

    /// In a town block, or in works that the charger has struck across: those must be fought (BB-CHG-25).
    fn sheltered(&self, contact: &crate::battle::Contact) -> bool {
        decides!(BB_CHG_25);
        let across = contact.cover != crate::troops::Cover::None || contact.obstacle;
        self.unit(contact.target).inside.is_some() || (across && self.in_works(self.outline(contact.target)))
    }

    /// The single stands or slots of a unit, from its left.
    fn slots(&self, unit: UnitId) -> Vec<Quad> {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let ranks = state.ranks(facts);
        let placed = self.placed(unit);
        let footprint = state.footprint(facts, self.numbers());
        let (width, depth) = (footprint.frontage().f() / f64::from(ranks.files), footprint.depth().f());
        let (at, ahead) = (placed.pose().at.v(), placed.forward());
        let left = -footprint.frontage().f() / 2.0;
        (0..ranks.files)
            .map(|n| {
                Quad::new(
                    at + ahead.right() * (left + width * (f64::from(n) + 0.5)),
                    ahead,
                    width / 2.0,
                    width / 2.0,
                    0.0,
                    depth,
                )
            })
            .collect()
    }

    /// What a charger takes of those it touches or has swept over since it was at `from`, with each place where the rest might
    /// stand, the best first.
    fn taken(&self, charger: UnitId, target: UnitId, from: Pose) -> SmallVec<[Taken; 4]> {
        let (state, facts) = (self.unit(target), self.facts(target));
        let slots = self.slots(target);
        let footprint = self.unit(charger).footprint(self.facts(charger), self.numbers());
        let here = self.placed(charger);
        let start = Placed::new(&footprint, from);
        let corners: Vec<_> =
            [start.whole(), here.whole()].iter().flat_map(|quad| quad.as_part().corners.to_vec()).collect();
        let swept = sabretache_table::Convex::hull(&corners);
        let touched: Vec<bool> = slots.iter().map(|slot| exact_distance(slot, &swept) <= NEAR / 2.0).collect();
        let count = touched.iter().filter(|one| **one).count() as u16;
        let (Some(first), Some(last)) = (touched.iter().position(|one| *one), touched.iter().rposition(|one| *one))
        else {
            return SmallVec::from_slice(&[Taken { figures: 0, models: 0, rest: state.pose }]);
        };
        let files = slots.len();
        let rows = state.ranks(facts).rows;
        // What so many slots hold, the last of all counted in or not: it may hold fewer, and is lost with what it has.
        let held = |slots: u16, to_the_last: bool| -> (u16, u16) {
            if self.battery(target) {
                let models = state.models().max(1);
                let lost = (slots * rows).min(models);
                (state.figures.div_ceil(models).saturating_mul(lost).min(state.figures), lost)
            } else {
                let per_file = u16::from(facts.per_stand.min(if state.away { 4 } else { u8::MAX })) * rows;
                let short = if to_the_last { (files as u16 * per_file).saturating_sub(state.figures) } else { 0 };
                ((slots * per_file).saturating_sub(short).min(state.figures), 0)
            }
        };
        let width = slots.first().map_or(0.0, |slot| {
            (slot.corner(sabretache_table::Corner::FrontRight) - slot.corner(sabretache_table::Corner::FrontLeft))
                .length()
        });
        let right = self.placed(target).forward().right();
        let taken = |(figures, models): (u16, u16), middle: f64| {
            let aside = (middle - files as f64 / 2.0) * width;
            Taken {
                figures,
                models,
                rest: Pose::new(Point::rounded(state.pose.at.v() + right * aside), state.pose.heading),
            }
        };
        let (on_left, on_right) = (first, files - 1 - last);
        let left = (on_left + on_right) as f64;
        // All that are left close up outward on one side of the gap, the longer if there is room for them; else those of one side
        // stay where they stand, and the others are lost with those run over.
        let gap = held(count, on_right == 0);
        let mut closing = [
            (on_left > 0).then(|| taken(gap, first as f64 - left / 2.0)),
            (on_right > 0).then(|| taken(gap, last as f64 + 1.0 + left / 2.0)),
        ];
        let mut staying = [
            (on_left > 0).then(|| taken(held((files - first) as u16, true), first as f64 / 2.0)),
            (on_right > 0).then(|| taken(held(last as u16 + 1, false), (last + 1 + files) as f64 / 2.0)),
        ];
        if on_right > on_left {
            closing.reverse();
            staying.reverse();
        }
        closing.into_iter().chain(staying).flatten().collect()
    }

    /// The rest can stand there.
    fn rest_fits(&self, target: UnitId, taken: &Taken) -> bool {
        let mut rest = *self.unit(target);
        rest.figures = rest.figures.saturating_sub(taken.figures);
        if rest.figures == 0 {
            return false;
        }
        rest.guns = rest.guns.saturating_sub((taken.models * 2) as u8);
        rest.pose = taken.rest;
        let there = rest.placed(self.facts(target), self.numbers());
        let clear = self.all().filter(|other| *other != target).all(|other| !overlapping(&there, &self.placed(other)));
        clear && self.fixed.table.on_table(&there) == OnTable::Wholly
    }
}

/// Runs over the figures that it touches; those for whom no room is left are lost with them.
pub(crate) fn overrun(play: &mut Resolution<'_, Batteries>, charger: UnitId, target: UnitId, from: Pose) {
    let battle = play.battle();
    let state = battle.unit(target);
    let all = Taken { figures: state.figures, models: state.models(), rest: state.pose };
    let taken = battle.taken(charger, target, from).into_iter().find(|taken| battle.rest_fits(target, taken));
    let Taken { figures, models, rest: to } = taken.unwrap_or(all);
    play.happen(Event::Overran { unit: charger, over: target, figures, models, to });
}

/// Those of whom a charger has run some over and whose rest it has now come up to.
pub(crate) fn met_again(battle: &Battle, charger: UnitId) -> Vec<UnitId> {
    let here = battle.placed(charger);
    let run_over = battle.contacts.iter().filter(|contact| contact.charger == charger && contact.overrun);
    let left = run_over.map(|contact| contact.target).filter(|target| battle.unit(*target).figures > 0);
    left.filter(|target| exact_distance(&here, battle.outline(*target)) <= NEAR / 2.0).collect()
}

/// Whether there is any way to go on.
pub(crate) fn can_go_on(battle: &Battle, charger: UnitId) -> bool {
    battle.onward_reach(charger) >= crate::phases::movement::LEAST
        || battle.straight_run(charger).is_ok_and(|run| run.length > Length::ZERO)
}
