//! Wheeling about a front corner.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal};
use sabretache_table::{
    Angle, Bounds, Length, Lie, OnTable, Outline, Placed, exact_distance, overlapping, wheel_angle, wheel_forward,
    wheeled_pose,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::*;
use crate::table::NEAR;
use crate::terrain::Kinds;

/// Wheels are looked at in steps of half a degree.
pub(crate) const WHEEL_STEP: i32 = 50;

/// What ends a wheel.
enum WheelEnd {
    /// The edge of the table.
    Edge,
    /// The movement there is, the ground, or the nearness of an enemy.
    Other,
}

impl Battle {
    /// The input of a wheel (BB-MOV-19).
    pub(crate) fn wheel_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        decides!(BB_MOV_19);
        self.may_march(unit)?;
        self.enough_hands(unit)?;
        if self.goes_any_way(unit) {
            return Err(Refusal::new(self.any_way_clause(unit), "it faces any way it likes and need not wheel"));
        }
        let (left, right) = (self.furthest_wheel(unit, -1), self.furthest_wheel(unit, 1));
        if left == Angle::ZERO && right == Angle::ZERO {
            return Err(Refusal::new(BB_MOV_19, "there is no room or no movement left to wheel"));
        }
        Ok(Input::Wheel { most_left: left, most_right: right })
    }

    /// What a wheel costs: the way of the outer corner, over the ground.
    pub(crate) fn wheel_cost(&self, unit: UnitId, angle: Angle) -> Length {
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let width = footprint.frontage();
        let sign = if angle < Angle::ZERO { -1 } else { 1 };
        let mut cost = Length::ZERO;
        let whole = angle.abs().to_hundredths();
        let placed = self.placed(unit);
        if self.fixed.terrain.is_empty() {
            return sabretache_table::wheel_arc(width, angle);
        }
        let wide = width.f() + footprint.depth().f();
        let around = placed.bounds().grown(wide * angle.abs().to_radians().min(2.0) + 1_000.0);
        let lies: SmallVec<[Lie<'_>; 8]> = self.fixed.ground.near(&around).collect();
        let mut at = 0;
        let mut by_road = self.kept_to_road(unit);
        while at < whole {
            let next = (at + WHEEL_STEP).min(whole);
            let there = Placed::new(&footprint, wheeled_pose(&placed, Angle::hundredths(next * sign)));
            by_road &= self.on_road(there.pose().at.v());
            let factor = if by_road { 1 } else { self.wheel_factor(unit, &there, &lies) };
            cost += sabretache_table::wheel_arc(width, Angle::hundredths(next - at)) * i32::from(factor.max(1));
            cost += self.wheel_toll(unit, &placed, at * sign, next * sign);
            at = next;
        }
        cost
    }

    /// What is paid for works and the like that the middle of the front crosses between two angles of a wheel.
    fn wheel_toll(&self, unit: UnitId, placed: &Placed, from: i32, to: i32) -> Length {
        if self.fixed.barriers.is_empty() {
            return Length::ZERO;
        }
        let at = |hundredths: i32| wheeled_pose(placed, Angle::hundredths(hundredths)).at.v();
        self.tolls_between(self.unit(unit), self.facts(unit), at(from), at(to))
    }

    /// What an inch of a wheel costs as it comes to lie here, with all the ground that is near.
    fn wheel_factor(&self, unit: UnitId, there: &Placed, near: &[Lie<'_>]) -> u8 {
        let (state, facts, heading) = (self.unit(unit), self.facts(unit), there.pose().heading);
        let mut most = None;
        for lie in near {
            let terrain = self.terrain(lie);
            if terrain.obstacle() || !overlapping(lie, there) {
                continue;
            }
            match terrain.factor(state, facts, heading) {
                0 => return 0,
                factor => most = most.max(Some(factor)),
            }
        }
        if self.barred_by_line(state, facts, there).is_some() { 0 } else { most.unwrap_or(1) }
    }

    /// Whether a unit can wheel at all.
    pub(crate) fn may_wheel(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_march(unit)?;
        self.enough_hands(unit)?;
        let first = Angle::hundredths(WHEEL_STEP);
        let able =
            !self.goes_any_way(unit) && [-1, 1].iter().any(|sign| self.wheel_up_to(unit, *sign, first) != Angle::ZERO);
        if able { Ok(()) } else { Err(Refusal::new(BB_MOV_19, "there is no room or no movement left to wheel")) }
    }

    /// How far a wheel gets before movement, room, the edge or an enemy ends it.
    fn furthest_wheel(&self, unit: UnitId, sign: i32) -> Angle {
        self.wheel_up_to(unit, sign, Angle::degrees(180))
    }

    fn wheel_up_to(&self, unit: UnitId, sign: i32, limit: Angle) -> Angle {
        let placed = self.outline(unit);
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let budget = self.left_at(unit, self.allowance(unit));
        // A unit that keeps to a road wheels with it, and the ground beside it does not matter (BB-ROA-01).
        let mut by_road = self.road_budget(unit);
        let full = wheel_angle(footprint.frontage(), by_road.unwrap_or(budget)).min(Angle::degrees(180));
        let most = full.min(limit);
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        // Nobody beyond the sweep of the outer corner, and the distance kept from enemies, comes into it.
        let wide = footprint.frontage().f() + footprint.depth().f();
        let swept = |by: Angle| placed.bounds().grown(wide * by.to_radians().min(2.0) + 1_000.0);
        let around = swept(most).grown(apart);
        let near = |around: Bounds| -> SmallVec<[(UnitId, &Placed); 16]> {
            let others = self.others(unit).map(|other| (other, self.outline(other)));
            others.filter(|(_, placed)| around.meets(&placed.bounds())).collect()
        };
        let others = near(around);
        let beside = swept(most);
        // Contact that begins as a mere touch counts only where it becomes deeper before somebody else stops the wheel, so the whole
        // of it is looked at.
        let free = if most == full || others.iter().any(|(_, placed)| beside.meets(&placed.bounds())) {
            let others = near(swept(full));
            wheel_forward(placed, Angle::hundredths(full.to_hundredths() * sign), others.iter().copied()).free
        } else {
            most
        };
        let enemies: SmallVec<[&Placed; 16]> = others
            .iter()
            .filter(|(other, _)| self.side(*other) != self.side(unit) && !self.may_be_passed(*other))
            .filter(|_| self.launch.is_none())
            .map(|(_, placed)| *placed)
            .collect();
        let plain = |lie: Lie<'_>| matches!(self.terrain(&lie).kind, Kinds::Hill | Kinds::Road);
        let lies: SmallVec<[Lie<'_>; 8]> = self.fixed.ground.near(&around).collect();
        let even = lies.iter().copied().all(plain) && self.barriers_near(around).next().is_none();
        let (whole, mut at) = (free.abs().min(limit).to_hundredths(), 0);
        let (reach, table) = (swept(Angle::hundredths(whole)), &self.fixed.table);
        let on_table = reach.min.x >= 0.0
            && reach.min.y >= 0.0
            && reach.max.x <= table.width.f()
            && reach.max.y <= table.depth.f();
        // Over even ground, with nobody near and the table wide enough, nothing but the movement there is ends it.
        if even && on_table && enemies.is_empty() && by_road.is_none() {
            return Angle::hundredths(whole * sign);
        }
        let mut gaps: SmallVec<[f64; 16]> = enemies.iter().map(|enemy| exact_distance(placed, *enemy)).collect();
        let mut cost = Length::ZERO;
        // What a stretch of the wheel costs in all so far, whether it is by road, and how near the enemies are then; or, if it
        // cannot be gone, whether the edge of the table ends it.
        let goes = |at: i32, next: i32, cost: Length, by_road: Option<Length>, gaps: &[f64]| {
            let there = Placed::new(&footprint, wheeled_pose(placed, Angle::hundredths(next * sign)));
            let by_road = by_road.filter(|_| self.on_road(there.pose().at.v()));
            let factor = if even || by_road.is_some() { 1 } else { self.wheel_factor(unit, &there, &lies) };
            let arc = sabretache_table::wheel_arc(footprint.frontage(), Angle::hundredths(next - at));
            let cost = cost + arc * i32::from(factor) + self.wheel_toll(unit, placed, at * sign, next * sign);
            let paid = cost <= by_road.unwrap_or(budget) + Length::um(9);
            if self.fixed.table.on_table(&there) != OnTable::Wholly {
                return Err(WheelEnd::Edge);
            }
            if factor == 0 || !paid {
                return Err(WheelEnd::Other);
            }
            let around = there.bounds().grown(apart);
            let mut now: SmallVec<[f64; 16]> = SmallVec::new();
            for (enemy, gap) in enemies.iter().zip(gaps) {
                let near = around.meets(&enemy.bounds());
                now.push(if near { exact_distance(&there, *enemy) } else { f64::INFINITY });
                if now[now.len() - 1] < apart && now[now.len() - 1] < *gap - 1.0 {
                    return Err(WheelEnd::Other);
                }
            }
            Ok((cost, by_road, now))
        };
        while at < whole {
            let next = (at + WHEEL_STEP).min(whole);
            match goes(at, next, cost, by_road, &gaps) {
                Ok(then) => (at, (cost, by_road, gaps)) = (next, then),
                // At the edge of the table a hair of rounding would tell: it keeps a step off it.
                Err(WheelEnd::Edge) => break,
                Err(WheelEnd::Other) => {
                    // The last part of a step is found to a hundredth of a degree.
                    let (mut open, mut shut) = (at, next);
                    while shut - open > 1 {
                        let middle = i32::midpoint(open, shut);
                        let to = if goes(at, middle, cost, by_road, &gaps).is_ok() { &mut open } else { &mut shut };
                        *to = middle;
                    }
                    at = open;
                    break;
                }
            }
        }
        Angle::hundredths(at * sign)
    }
}
