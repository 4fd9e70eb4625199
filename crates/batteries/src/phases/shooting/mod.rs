//! Phase 5a: shooting.

pub(crate) mod battering;
pub(crate) mod foreseen;
pub(crate) mod offers;
pub(crate) mod orders;
pub(crate) mod sharing;
pub(crate) mod targets;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Convex, Length, Outline, Placed, Vec2, exact_distance, overlapping};

use crate::Batteries;
use crate::battle::{Battle, Order};
use crate::clauses::*;
use crate::event::Event;
use crate::numbers::Degrees;
use crate::phases::shooting::targets::Aim;
use crate::situations::{Counterbattery, Shooter, Shooting};
use crate::table::NEAR;
use crate::table::bearing::{Bearing, in_arc, stretch};
use crate::table::cover::Trees;
use crate::table::shape::Post;
use crate::troops::{Arm, Cover, Fire, GunClass, Shot};

/// When a unit fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// In phase 5.
    Phase,
    /// As it is about to evade.
    BeforeEvading,
}

impl Battle {
    /// The facts of a shot at a target.
    pub(crate) fn shot_facts(&self, unit: UnitId, aim: &Aim, fire: Fire) -> Shooting {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let bearing = aim.bearings.iter().min_by_key(|bearing| bearing.range);
        let range = bearing.map_or(Length::ZERO, |bearing| bearing.range);
        let count = aim.bearings.len() as u16;
        let cover = bearing.map_or(Cover::None, |bearing| {
            self.cover_of(unit, aim.target, &self.placed_at(aim.target, aim.pose), bearing)
        });
        Shooting {
            shooter: self.shooter(unit, count, fire),
            range: range.to_inches(),
            grade: if self.arm(unit) == Arm::Foot { self.grade_of(unit) } else { facts.grade },
            at_skirmishers: self.skirmishing(aim.target),
            cover,
            dense: fire.is_ball() && self.dense(aim.target, &self.placed_at(aim.target, aim.pose), aim.middle()),
            shaken: self.any_of(unit, |state| state.shaken),
            disordered: self.any_of(unit, |state| state.disordered),
            skirmishing: self.skirmishing(unit),
            evading: false,
            moving: state.now.moved,
            // A column of masses shoots as a column, not as a square (BB-OPT-74).
            in_square: {
                decides!(BB_OPT_74);
                self.in_square(unit)
            },
            unsteady: self.hampered(unit),
            two_rank: facts.two_rank,
            nation: facts.nation,
        }
    }

    /// Who shoots, with so many figures or models bearing.
    pub(crate) fn shooter(&self, unit: UnitId, bearing: u16, fire: Fire) -> Shooter {
        match fire {
            Fire::Muskets => Shooter::Muskets { figures: bearing },
            Fire::Rifles => Shooter::Rifles { figures: bearing },
            Fire::Guns(calibre) => {
                let state = self.unit(unit);
                let half = u16::from(state.guns % 2);
                // A half-strength model is the last of the row to be counted.
                let half_models = if bearing == state.models() { half } else { 0 };
                let models = bearing - half_models;
                Shooter::Guns { class: calibre.class, shot: calibre.shot, models, half_models, gunners: state.figures }
            }
        }
    }

    /// The cover of a target; chargers have none from trees against those they charge (BB-WOO-09).
    fn cover_of(&self, unit: UnitId, target: UnitId, outline: &Placed, bearing: &Bearing) -> Cover {
        decides!(BB_TWN_12, BB_WOO_09);
        if let Some(houses) = self.unit(target).inside.and_then(|ground| self.houses(ground)) {
            return houses.cover_shooting;
        }
        if self.fixed.terrain.is_empty() {
            return Cover::None;
        }
        let mut there = *self.unit(target);
        there.pose = outline.pose();
        let posts = crate::table::shape::posts(&there, self.facts(target), self.numbers());
        let places: Vec<Vec2> = posts.iter().map(|post| post.at).collect();
        let trees = if self.chargers(unit).contains(&target) { Trees::DoNotCount } else { Trees::Count };
        self.cover_among(&places, bearing.from, bearing.to, trees)
    }

    /// Friends endangered by a shot, nearest first, with how many of the shooters endanger each (BB-SHO-38).
    fn endangered(&self, unit: UnitId, aim: &Aim, fire: Fire) -> Vec<(UnitId, u16)> {
        decides!(BB_SHO_38);
        let here = self.placed(unit);
        let reach = self.numbers().shooting.reach(fire).0.f() + NEAR;
        let posts = self.posts(unit);
        let own = self.unit(unit).inside;
        let mut found = Vec::new();
        let apart = |friend: &UnitId| own.is_none() || self.unit(*friend).inside != own;
        for friend in self.friends(unit).filter(|friend| self.leads(*friend) && apart(friend)) {
            let placed = self.placed(friend);
            let in_zone = |bearing: &Bearing| {
                overlapping(&bearing.triangle, &placed) && !(fire.is_ball() && self.overhead(bearing, &placed))
            };
            if !aim.bearings.iter().any(in_zone) {
                continue;
            }
            let arc = &self.numbers().arc;
            let endangers = |bearing: &&Bearing| reaches(&posts[bearing.post], arc, &placed, reach);
            let count = aim.bearings.iter().filter(endangers).count() as u16;
            found.push((exact_distance(&here, &placed), friend, count));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, friend, count)| (friend, count)).collect()
    }

    /// Friends who are shot at first, each with the facts of the dice that go at him: for computer players.
    pub(crate) fn friends_in_the_way(&self, unit: UnitId, aim: &Aim, fire: Fire) -> Vec<(UnitId, Shooting)> {
        let endangered = self.endangered(unit, aim, fire).into_iter();
        let facts = endangered.map(|(friend, count)| (friend, self.aim_for_dice(unit, friend, fire, aim, count)));
        facts.filter(|(_, facts)| facts.score(self.numbers()).is_some()).collect()
    }

    /// Enemy guns in the way of a shot are rolled at first (BB-SHO-46).
    fn guns_in_the_way(&self, unit: UnitId, aim: &Aim) -> Vec<(UnitId, u16)> {
        decides!(BB_SHO_46);
        let here = self.placed(unit);
        let height = self.level(here.pose().at.v());
        let mut found = Vec::new();
        let in_way = |enemy: &UnitId| *enemy != aim.target && self.battery(*enemy) && !self.emplaced(*enemy);
        for enemy in self.enemies(unit).filter(in_way) {
            let placed = self.placed(enemy);
            if self.level(placed.centre()) < height {
                continue;
            }
            let through = aim.bearings.iter().filter(|bearing| overlapping(&bearing.triangle, &placed)).count() as u16;
            if through > 0 {
                found.push((exact_distance(&here, &placed), enemy, through));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, enemy, count)| (enemy, count)).collect()
    }
}

/// Whether a post has any part of an outline in its arc and range.
fn reaches(post: &Post, arc: &Degrees, outline: &Placed, reach: f64) -> bool {
    outline.parts().any(|part| {
        let inside = in_arc(part.corners, post, arc);
        let edges = (0..inside.len()).map(|i| post.at.nearest_on(inside[i], inside[(i + 1) % inside.len()]));
        let mut near = edges.map(|place| (place - post.at).length());
        near.any(|distance| distance <= reach)
    })
}

/// Rolls dice at one target and tells the hits.
fn volley(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    at: UnitId,
    facts: &Shooting,
    dice: u16,
) -> Result<u16, Halt> {
    decides!(BB_SHO_06, BB_SHO_25, BB_SHO_27);
    if dice == 0 {
        return Ok(0);
    }
    let (side, numbers) = (play.battle().side(unit), play.battle().numbers().clone());
    let test = facts.test(&numbers);
    let purpose = Purpose { what: "shooting", of: Some(unit.into()), side };
    let roll = play.roll(purpose, &test, &facts.throw(dice, &numbers), Wanted::High)?;
    let hits = roll.total() as u16;
    play.happen(Event::Fired { unit, at, dice, hits });
    if hits > 0 && play.battle().battery(at) {
        let effect = Counterbattery { hits, ball: facts.fire().is_ball(), limbered: play.battle().limbered(at) };
        let purpose = Purpose { what: "counterbattery", of: Some(at.into()), side };
        let roll = play.roll(purpose, &effect.test(&numbers), &effect.throw(&numbers), Wanted::High)?;
        let losses = Counterbattery::read(&roll);
        play.happen(Event::GunsHit { unit: at, gunners: losses.gunners, guns: losses.guns });
    }
    Ok(hits)
}

/// Fires at one target: friends in the danger zone first, then guns in the way, then the target (BB-SHO-39, BB-SHO-46).
pub(crate) fn fire(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    aim: &Aim,
    fire: Fire,
    moment: Moment,
) -> Result<(), Halt> {
    let evading = moment == Moment::BeforeEvading;
    decides!(BB_SHO_39, BB_SHO_46);
    let battle = play.battle();
    let numbers = battle.numbers().clone();
    let mut facts = battle.shot_facts(unit, aim, fire);
    facts.evading = evading;
    let mut dice = aim.dice.unwrap_or_else(|| facts.dice(&numbers));
    let mut first: Vec<(UnitId, u16)> = battle.endangered(unit, aim, fire);
    first.extend(battle.guns_in_the_way(unit, aim));
    for (other, count) in first {
        let mut nearer = play.battle().aim_for_dice(unit, other, fire, aim, count);
        nearer.evading = evading;
        if nearer.score(&numbers).is_none() {
            continue;
        }
        let thrown = nearer.dice(&numbers).min(dice);
        dice -= volley(play, unit, other, &nearer, thrown)?.min(dice);
    }
    let hits = volley(play, unit, aim.target, &facts, dice)?;
    decides!(BB_OPT_08);
    if play.battle().fixed.options.carry_through {
        carry_through(play, unit, aim, fire, dice - hits.min(dice), &facts)?;
    }
    Ok(())
}

/// Dice that missed are rolled at units behind the target in the line of fire (BB-OPT-57).
fn carry_through(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    aim: &Aim,
    fire: Fire,
    mut dice: u16,
    facts: &Shooting,
) -> Result<(), Halt> {
    decides!(BB_OPT_57);
    let numbers = play.battle().numbers().clone();
    let middle = aim.middle();
    for (other, place) in play.battle().behind(unit, aim, fire) {
        let battle = play.battle();
        let placed = battle.placed(other);
        // Ground that stretches the range of ballshot does so as far as it flies (BB-ROU-03, BB-PLO-01).
        let range = if fire.is_ball() { battle.ball_range(middle, place).f() } else { (place - middle).length() };
        let mut next = facts.clone();
        next.range = Length::rounded((range - NEAR).max(0.0)).to_inches();
        next.at_skirmishers = battle.skirmishing(other);
        next.dense = fire.is_ball() && battle.dense(other, &placed, middle);
        let places: Vec<Vec2> = battle.posts(other).iter().map(|post| post.at).collect();
        let open = battle.fixed.terrain.is_empty();
        next.cover = if open { Cover::None } else { battle.cover_from_fire(&places, middle, placed.centre()) };
        if next.score(&numbers).is_some() {
            dice -= volley(play, unit, other, &next, dice)?.min(dice);
        }
    }
    Ok(())
}

impl Battle {
    /// The facts of dice that go first at somebody in the way.
    fn aim_for_dice(&self, unit: UnitId, other: UnitId, fire: Fire, aim: &Aim, count: u16) -> Shooting {
        let placed = self.placed(other);
        let posts = self.posts(unit);
        let nearest =
            aim.bearings.iter().map(|bearing| exact_distance(&Convex::place(posts[bearing.post].at), &placed));
        let range = nearest.fold(f64::INFINITY, f64::min);
        let mut facts = self.shot_facts(unit, aim, fire);
        facts.shooter = self.shooter(unit, count.min(aim.bearings.len() as u16), fire);
        facts.range = Length::rounded((range - NEAR).max(0.0)).to_inches();
        facts.at_skirmishers = self.skirmishing(other);
        facts.dense = fire.is_ball() && self.dense(other, &placed, aim.middle());
        facts.cover = aim.bearings.first().map_or(Cover::None, |bearing| {
            let places: Vec<Vec2> = self.posts(other).iter().map(|post| post.at).collect();
            if self.fixed.terrain.is_empty() {
                Cover::None
            } else {
                self.cover_from_fire(&places, bearing.from, placed.centre())
            }
        });
        facts
    }

    /// Units of either side behind a target in the line of fire, within the carry-through distance, nearest first, each with the place where the
    /// line comes to it.
    fn behind(&self, unit: UnitId, aim: &Aim, fire: Fire) -> Vec<(UnitId, Vec2)> {
        decides!(BB_OPT_56);
        let carry = &self.numbers().carry;
        let reach = match fire {
            Fire::Guns(calibre) if calibre.shot == Shot::Ball => match calibre.class {
                GunClass::Light => carry.light,
                GunClass::Field => carry.field,
                GunClass::Heavy => carry.heavy,
            },
            _ => carry.small_arms,
        };
        let from = aim.middle();
        let target = self.placed_at(aim.target, aim.pose);
        let edges = target.parts().flat_map(|part| part.edges().collect::<Vec<_>>());
        let near = edges.map(|edge| from.nearest_on(edge.a, edge.b));
        let nearest = near.min_by(|a, b| (*a - from).length2().total_cmp(&(*b - from).length2()));
        let Some(nearest) = nearest.filter(|_| !aim.bearings.is_empty()) else { return Vec::new() };
        let way = (nearest - from).unit();
        let first = (nearest - from).length();
        let far = first + reach.0.f() + Length::inches(1).f();
        let enters = |outline: &Placed| {
            let parts = outline.parts().filter_map(|part| stretch(part.corners, from, from + way * far));
            parts.map(|(enter, _)| enter * far).reduce(f64::min)
        };
        let mut found: Vec<(UnitId, f64)> = self
            .all()
            .filter(|other| *other != unit && *other != aim.target && self.leads(*other))
            .filter_map(|other| Some((other, enters(&self.placed(other))?)))
            .filter(|(_, at)| *at > first && *at <= first + reach.0.f() + NEAR)
            .collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found.into_iter().map(|(other, at)| (other, from + way * at)).collect()
    }

    /// Whether something holds of anybody who counts as one with a unit.
    pub(crate) fn any_of(&self, unit: UnitId, holds: impl Fn(&crate::battle::Unit) -> bool) -> bool {
        self.company(unit).into_iter().any(|other| holds(self.unit(other)))
    }
}

/// All fire of the phase; the losses come off when all of it has been rolled (BB-SHO-52).
pub(crate) fn all_fire(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    decides!(BB_SHO_52);
    let orders = play.battle().shots.clone();
    let aimed: Vec<(Order, Vec<Aim>)> = orders.iter().map(|order| (order.clone(), play.battle().aims(order))).collect();
    for (order, aims) in aimed {
        let Some(kind) = play.battle().fire_of(order.unit, order.shot) else { continue };
        for aim in &aims {
            fire(play, order.unit, aim, kind, Moment::Phase)?;
        }
    }
    battering::batter_all(play)?;
    let battle = play.battle();
    let fired = |unit: &UnitId| battle.unit(*unit).now.fired && !battle.unit(*unit).spotted;
    let seen: Vec<UnitId> = battle.all().filter(fired).filter(|unit| battle.gives_itself_away(*unit)).collect();
    for unit in seen {
        play.happen(Event::Spotted { unit });
    }
    Ok(())
}

/// Hits come off as figures (BB-GEN-08).
pub(crate) fn take_losses(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_GEN_08);
    let battle = play.battle();
    let hit: Vec<(UnitId, u16, u16)> = battle
        .all()
        .map(|unit| (unit, battle.unit(unit)))
        .filter(|(_, state)| state.toll > 0 || state.gun_toll > 0)
        .map(|(unit, state)| (unit, state.toll, u16::from(state.gun_toll.min(state.guns))))
        .collect();
    for (unit, hits, guns) in hit {
        for (other, figures) in play.battle().shared_hits(unit, hits) {
            let guns = if other == unit { guns } else { 0 };
            if figures > 0 || other == unit {
                play.happen(Event::Lost { unit: other, figures, guns });
            }
        }
    }
}

/// Heavy guns only, for what is said about them.
pub(crate) fn class_word(class: GunClass) -> &'static str {
    match class {
        GunClass::Light => "light guns",
        GunClass::Field => "field guns",
        GunClass::Heavy => "heavy guns",
    }
}
