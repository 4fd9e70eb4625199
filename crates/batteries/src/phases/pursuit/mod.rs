//! Option 7.4: who pursues, and whom. How pursuers move stands in `chase.rs`.

pub(crate) mod bounce;
pub(crate) mod chase;
pub(crate) mod crash;
pub(crate) mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Heading, Length, OnTable, Placed, Point, Pose, Vec2, overlapping};

use crate::Batteries;
use crate::battle::{Battle, Chase, Kind, Place};
use crate::clauses::*;
use crate::event::Event;
use crate::situations::Pursuit;
use crate::table::NEAR;
use crate::table::shape::about_centre;
use crate::troops::{Arm, Pace};

impl Battle {
    /// All enemies that a unit has fought this turn. An enemy that routed without coming to blows is left out (BB-OPT-28).
    fn foes(&self, unit: UnitId) -> Vec<UnitId> {
        decides!(BB_OPT_28);
        let gone = self.parted.iter().filter_map(|(one, other)| match unit {
            _ if unit == *one => Some(*other),
            _ if unit == *other => Some(*one),
            _ => None,
        });
        let mut foes: Vec<UnitId> = self.opponents(unit).chain(gone).collect();
        foes.sort_unstable();
        foes.dedup();
        foes.retain(|foe| {
            let now = &self.unit(*foe).now;
            !now.routed || now.beaten || now.of_own_will
        });
        foes
    }

    /// Routed from those it fought, and not destroyed.
    fn routed_in_fight(&self, unit: UnitId) -> bool {
        let state = self.unit(unit);
        state.now.routed && state.now.beaten && !self.destroyed(unit)
    }

    fn destroyed(&self, unit: UnitId) -> bool {
        matches!(self.unit(unit).place, Place::Shattered | Place::Surrendered)
    }

    /// The full move of cavalry, by which one is faster than another (BB-OPT-30).
    fn pace(&self, unit: UnitId) -> Option<Length> {
        decides!(BB_OPT_30);
        match self.facts(unit).kind {
            Kind::Horse { weight, .. } => Some(self.numbers().moves.horse(weight, Pace::March).0),
            _ => None,
        }
    }

    /// Some pursuits are never made: after faster cavalry, by infantry after cavalry, by gunners, out of houses and works, by a
    /// bent line, which does not move (BB-OPT-30, BB-OPT-32, BB-UNI-19).
    fn may_go_after(&self, unit: UnitId, enemy: UnitId) -> bool {
        decides!(BB_OPT_30, BB_OPT_32, BB_UNI_19);
        let allowed = match self.arm(unit) {
            Arm::Guns => false,
            Arm::Foot => self.arm(enemy) != Arm::Horse,
            Arm::Horse => self.pace(enemy).is_none_or(|pace| self.pace(unit).is_some_and(|own| pace <= own)),
        };
        allowed && !self.in_shelter(unit) && !self.bent(unit)
    }

    /// Inside houses or works.
    fn in_shelter(&self, unit: UnitId) -> bool {
        self.unit(unit).inside.is_some() || self.in_works(&self.placed(unit))
    }

    /// Whom a unit goes after if it does: the slowest, then who fell back least, then the nearest; several only where
    /// nothing tells them apart (BB-OPT-28, BB-OPT-29, BB-OPT-30, BB-OPT-31, BB-OPT-32, BB-OPT-36, BB-OPT-19).
    pub(crate) fn quarries(&self, unit: UnitId) -> Vec<UnitId> {
        decides!(BB_OPT_28, BB_OPT_29, BB_OPT_30, BB_OPT_31, BB_OPT_32, BB_OPT_36, BB_OPT_19);
        let (state, options) = (self.unit(unit), &self.fixed.options);
        let idle = state.place == Place::Table && !state.now.routed && !state.now.recoiled;
        if !idle || self.in_contact(unit) || self.facts(unit).screen_of.is_some() {
            return Vec::new();
        }
        let foes = self.foes(unit);
        let all_routed = foes.iter().all(|foe| self.routed_in_fight(*foe) || self.destroyed(*foe));
        let mut open: Vec<UnitId> = Vec::new();
        if options.pursuit && all_routed {
            open.extend(foes.iter().filter(|foe| self.routed_in_fight(**foe)));
        } else if options.cavalry_bounce && self.arm(unit) == Arm::Horse && state.now.won {
            let recoiled = |foe: &&UnitId| self.unit(**foe).now.recoiled && self.unit(**foe).place == Place::Table;
            open.extend(foes.iter().filter(recoiled));
        }
        open.retain(|enemy| self.may_go_after(unit, *enemy));
        let here = self.centre(unit);
        let scores = |enemy: UnitId| {
            let fled = (self.fell_back_to(enemy) - self.fell_back_from(enemy)).length();
            [self.allowance(enemy).f(), fled, (self.fell_back_to(enemy) - here).length()]
        };
        let worse = |one: [f64; 3], other: [f64; 3]| {
            let differs = (0..3).find(|n| (one[*n] - other[*n]).abs() > NEAR);
            differs.is_some_and(|n| one[n] > other[n])
        };
        open.iter().copied().filter(|one| !open.iter().any(|other| worse(scores(*one), scores(*other)))).collect()
    }

    fn fell_back_from(&self, unit: UnitId) -> Vec2 {
        self.unit(unit).now.fell_back_from.map_or(self.centre(unit), Point::v)
    }

    /// Where a unit that fell back is now, or where it left the table.
    fn fell_back_to(&self, unit: UnitId) -> Vec2 {
        if self.unit(unit).place == Place::Table {
            return self.centre(unit);
        }
        self.way_out(unit, self.fell_back_from(unit))
    }

    /// Where a router that started here leaves the table.
    pub(crate) fn way_out(&self, unit: UnitId, from: Vec2) -> Vec2 {
        let (back, _) = self.homeward(unit, from);
        let table = &self.fixed.table;
        let mut far = table.width.f() + table.depth.f();
        for (at, step, size) in [(from.x, back.unit().x, table.width.f()), (from.y, back.unit().y, table.depth.f())] {
            if step > 1e-9 {
                far = far.min((size - at) / step);
            } else if step < -1e-9 {
                far = far.min(at / -step);
            }
        }
        from + back.unit() * far.max(0.0)
    }

    /// The next unit whose owner says whether it pursues: Side B first (BB-OPT-29).
    pub(crate) fn to_pursue(&self) -> Option<UnitId> {
        decides!(BB_OPT_29);
        let open = |unit: &UnitId| {
            let decided = self.unit(*unit).now.stays || self.chases.iter().any(|chase| chase.pursuer == *unit);
            !decided && !self.quarries(*unit).is_empty()
        };
        [self.first.other(), self.first].into_iter().find_map(|side| self.of(side).find(open))
    }

    /// A pursuer turned to face its quarry, where there is room to turn (BB-OPT-37).
    fn turned_after(&self, unit: UnitId, quarry: UnitId) -> Pose {
        decides!(BB_OPT_37);
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let heading = Heading::toward(self.centre(unit), self.fell_back_to(quarry));
        let pose = about_centre(self.centre(unit), heading, &footprint);
        let there = Placed::new(&footprint, pose);
        let clear = self.others(unit).all(|other| !overlapping(&there, &self.placed(other)));
        let fits = clear && self.fixed.table.on_table(&there) == OnTable::Wholly;
        let stands = fits && self.barred(self.unit(unit), self.facts(unit), &there).is_none();
        if stands { pose } else { self.unit(unit).pose }
    }

    pub(crate) fn apply_pursuit(&mut self, event: &Event) {
        match *event {
            Event::RoutsOnPurpose { unit } => self.change(unit).now.of_own_will = true,
            Event::RoutsAgain { unit } => {
                let now = &mut self.change(unit).now;
                (now.tested, now.lost, now.beaten) = (true, false, true);
            }
            Event::Recoiled { unit, to } => {
                self.leave_contacts(unit);
                let state = self.change(unit);
                (state.pose, state.now.recoiled, state.spotted) = (to, true, false);
            }
            Event::Stays { unit } => self.change(unit).now.stays = true,
            Event::RunsWild { unit } => self.change(unit).now.runs_wild = true,
            Event::Pursues { chase, to } => {
                let state = self.change(chase.pursuer);
                (state.pose, state.disordered) = (to, true);
                state.chases = state.chases.saturating_add(1);
                self.chases.push(chase);
            }
            Event::Straggled { unit, figures } => {
                let state = self.change(unit);
                state.figures = state.figures.saturating_sub(figures);
            }
            Event::Faces { unit, to } => {
                self.change(unit).pose = to;
            }
            Event::Chased { unit, to, crash } => {
                let from = self.unit(unit).pose;
                if crash {
                    // The way in, for units that shoot at it and for its flank (BB-OPT-40).
                    self.tracks.extend([(unit, from), (unit, to)]);
                }
                let state = self.change(unit);
                (state.pose, state.spotted, state.now.pursued) = (to, false, true);
                if crash {
                    (state.now.charging, state.now.moved, state.now.done) = (true, true, true);
                }
            }
            Event::ChasedOff { unit, to } => {
                self.chases.retain(|chase| chase.pursuer != unit);
                let state = self.change(unit);
                (state.pose, state.now.pursued) = (to, true);
                self.remove(unit, Place::Pursuing);
            }
            Event::ChaseOver { unit } => {
                self.pending = None;
                self.chases.retain(|chase| chase.pursuer != unit);
            }
            _ => {}
        }
    }
}

/// The owner lets his unit pursue.
pub(crate) fn pursue(play: &mut Resolution<'_, Batteries>, unit: UnitId, quarry: UnitId) {
    let battle = play.battle();
    let state = battle.unit(unit);
    decides!(BB_OPT_44);
    // Only what comes after the first of a chain costs a figure (BB-OPT-44).
    if battle.arm(unit) == Arm::Horse && state.chases > 0 {
        let figures = battle.numbers().straggling.figures.min(state.figures);
        play.happen(Event::Straggled { unit, figures });
        if play.battle().broken(unit) {
            play.happen(Event::Shattered { unit });
            return;
        }
    }
    let battle = play.battle();
    let from = Point::rounded(battle.fell_back_from(quarry));
    let chase = Chase { pursuer: unit, quarry, from, recoiled: battle.unit(quarry).now.recoiled };
    let to = battle.turned_after(unit, quarry);
    play.happen(Event::Pursues { chase, to });
}

/// The owner holds his unit back: infantry obeys, cavalry rolls (BB-OPT-29, BB-OPT-33).
pub(crate) fn hold_back(play: &mut Resolution<'_, Batteries>, unit: UnitId) -> Result<(), Halt> {
    decides!(BB_OPT_29, BB_OPT_33);
    let battle = play.battle();
    if battle.arm(unit) != Arm::Horse {
        play.happen(Event::Stays { unit });
        return Ok(());
    }
    let (facts, numbers) = (battle.facts(unit), battle.numbers().clone());
    let roll_of = Pursuit::of(facts.grade, facts.nation, battle.charisma(unit));
    let test = roll_of.test(&numbers);
    let purpose = Purpose { what: "pursuit", of: Some(unit.into()), side: facts.side };
    let wanted = Wanted::AtLeast(test.target());
    let read = |_: &Battle, total| roll_of.read(total, &numbers).pursues;
    if !play.roll_for(purpose, &test, &roll_of.throw(&numbers), wanted, read)? {
        play.happen(Event::Stays { unit });
        return Ok(());
    }
    play.happen(Event::RunsWild { unit });
    // With two that nothing tells apart the owner still says which.
    if let [quarry] = play.battle().quarries(unit)[..] {
        pursue(play, unit, quarry);
    }
    Ok(())
}
