//! The plans that a general thinks of: hold, left, right, centre, echelon, round a flank with the horse, for a place, give ground, all out.

use sabretache_engine::stance::{Branch, Place};
use sabretache_table::Vec2;

use super::field::{Body, Field};
use super::{Kind, March, Plan, Target, Task};

/// How much of a side goes where it strikes.
const STRIKES: f64 = 0.6;
/// How far out, in moves of the one who goes, a way round a flank leads, and how far off the pinned enemy is kept.
const WIDE: f64 = 1.2;
pub(super) const PINNED: f64 = 1.6;
/// How wide, in fronts, each unit of a line stands.
const ABREAST: f64 = 1.15;
/// For no more than so many places plans are made.
const PLACES: usize = 3;

/// A wing: to the left or to the right.
#[derive(Clone, Copy, PartialEq)]
enum Wing {
    Left,
    Right,
}

impl Wing {
    const BOTH: [Self; 2] = [Self::Left, Self::Right];

    fn sign(self) -> f64 {
        if self == Self::Left { -1.0 } else { 1.0 }
    }

    fn word(self) -> &'static str {
        if self == Self::Left { "left" } else { "right" }
    }
}

/// Every plan that is thought of, none at all first.
#[must_use]
pub fn portfolio(field: &Field) -> Vec<Plan> {
    let mut plans = vec![Plan::free(field.side), hold(field), all_out(field)];
    for wing in Wing::BOTH {
        plans.push(wing_attack(field, wing, Kind::Pin));
        plans.push(wing_attack(field, wing, Kind::Hold));
        plans.extend(horse_round(field, wing));
    }
    plans.push(centre(field));
    let wanted = |place: &&Place| place.counts_for.is_none_or(|side| side == field.side);
    for place in field.places.iter().filter(wanted).take(PLACES) {
        plans.push(if place.holder == Some(field.side) { keep(field, place) } else { take(field, place) });
    }
    // The first place that is named counts as the one that the battle is about.
    if let Some(place) = field.places.iter().find(wanted) {
        plans.extend(Wing::BOTH.into_iter().filter_map(|wing| garrison_and_round(field, place, wing)));
    }
    plans.push(delay(field));
    let mut different: Vec<Plan> = Vec::new();
    for plan in plans {
        if !different.iter().any(|other| other.marches == plan.marches) {
            different.push(plan);
        }
    }
    different
}

/// The same plan with one body's task changed, for every body and every other task that it could have.
#[must_use]
pub(super) fn mutations(field: &Field, plan: &Plan) -> Vec<Plan> {
    let mut others = Vec::new();
    for body in field.fighters() {
        let now = plan.tasks.iter().find(|task| task.body == body.of).map(|task| task.kind);
        let mut add = |task: Option<Kind>| {
            if task == now {
                return;
            }
            let mut draft = Draft::new(field, plan.name.clone());
            draft.plan.tasks = plan.tasks.iter().filter(|task| task.body != body.of).cloned().collect();
            let stays = |march: &&March| !body.units.iter().any(|unit| unit.unit == march.unit);
            draft.plan.marches = plan.marches.iter().filter(stays).copied().collect();
            match task {
                Some(Kind::Hold) => draft.hold(body),
                Some(Kind::Attack) => draft.attack_nearest(body),
                Some(_) | None => {}
            }
            others.push(draft.done());
        };
        add(Some(Kind::Hold));
        add(Some(Kind::Attack));
        add(None);
    }
    others
}

fn hold(field: &Field) -> Plan {
    let mut draft = Draft::new(field, "hold our ground");
    for body in field.fighters() {
        draft.hold(body);
    }
    draft.done()
}

pub(super) fn all_out(field: &Field) -> Plan {
    let mut draft = Draft::new(field, "attack along the whole line");
    for body in field.fighters() {
        draft.attack_nearest(body);
    }
    draft.done()
}

/// Most of the army strikes one wing of the enemy, its horse from outside; the rest pins him or is refused.
fn wing_attack(field: &Field, wing: Wing, rest: Kind) -> Plan {
    let how = if rest == Kind::Pin { "strike on the" } else { "in echelon from the" };
    let mut draft = Draft::new(field, format!("{how} {}", wing.word()));
    let outer = |body: &&Body| wing.sign() * body.aside(field.middle, field.right);
    let enemies = field.enemy.iter().filter(|body| body.fights());
    let Some(target) = enemies.max_by(|a, b| outer(a).total_cmp(&outer(b))) else { return draft.done() };
    let mut own: Vec<&Body> = field.fighters().collect();
    own.sort_by(|a, b| outer(b).total_cmp(&outer(a)));
    let strikes = draft.strikers(&own);
    for (n, body) in own.iter().enumerate() {
        match () {
            () if n >= strikes && body.of.1 == Branch::Horse => draft.reserve(body),
            () if n >= strikes => draft.rest(body, rest),
            () if body.of.1 == Branch::Horse => draft.turn(body, target, wing),
            () => draft.attack(body, target.middle, Target::Body(target.of.0, target.of.1)),
        }
    }
    draft.done()
}

fn centre(field: &Field) -> Plan {
    let mut draft = Draft::new(field, "strike in the centre");
    let inner = |body: &Body| body.aside(field.middle, field.right).abs();
    let enemies = field.enemy.iter().filter(|body| body.fights());
    let Some(target) = enemies.min_by(|a, b| inner(a).total_cmp(&inner(b))) else { return draft.done() };
    let mut own: Vec<&Body> = field.fighters().collect();
    own.sort_by(|a, b| inner(a).total_cmp(&inner(b)));
    let strikes = draft.strikers(&own);
    for (n, body) in own.iter().enumerate() {
        if n < strikes {
            draft.attack(body, target.middle, Target::Body(target.of.0, target.of.1));
        } else {
            draft.rest(body, Kind::Pin);
        }
    }
    draft.done()
}

/// The horse goes round a flank while the foot stands.
fn horse_round(field: &Field, wing: Wing) -> Option<Plan> {
    let is_horse = |body: &&Body| body.of.1 == Branch::Horse;
    if !field.fighters().any(|body| is_horse(&body)) || field.fighters().all(|body| is_horse(&body)) {
        return None;
    }
    let mut draft = Draft::new(field, format!("stand, and send the horse round the {}", wing.word()));
    let outer = |body: &&Body| wing.sign() * body.aside(field.middle, field.right);
    let target = field.enemy.iter().filter(|body| body.fights()).max_by(|a, b| outer(a).total_cmp(&outer(b)))?;
    for body in field.fighters() {
        if is_horse(&body) { draft.turn(body, target, wing) } else { draft.hold(body) }
    }
    Some(draft.done())
}

/// Those who are nearest go for a place, the rest pins the enemy.
fn take(field: &Field, place: &Place) -> Plan {
    let mut draft = Draft::new(field, format!("take {}", place.name));
    let mut own: Vec<&Body> = field.fighters().collect();
    let off = |body: &Body| (body.middle - place.at).length() / body.pace;
    own.sort_by(|a, b| off(a).total_cmp(&off(b)));
    let strikes = draft.strikers(&own);
    for (n, body) in own.iter().enumerate() {
        if n < strikes {
            draft.attack(body, place.at, Target::Place(place.name.clone()));
        } else {
            draft.rest(body, Kind::Pin);
        }
    }
    draft.done()
}

/// The nearest foot keeps a place; everybody else as he sees fit.
fn keep(field: &Field, place: &Place) -> Plan {
    let mut draft = Draft::new(field, format!("keep {}", place.name));
    let foot = field.fighters().filter(|body| body.of.1 == Branch::Foot);
    let off = |body: &Body| (body.middle - place.at).length2();
    if let Some(body) = foot.min_by(|a, b| off(a).total_cmp(&off(b))) {
        draft.garrison(body, place);
    }
    draft.done()
}

/// The nearest foot garrisons a place, the horse goes round a flank, everybody else comes up as far as he may without a fight.
fn garrison_and_round(field: &Field, place: &Place, wing: Wing) -> Option<Plan> {
    let mut draft = Draft::new(field, format!("garrison {}, and the horse round the {}", place.name, wing.word()));
    let outer = |body: &&Body| wing.sign() * body.aside(field.middle, field.right);
    let target = field.enemy.iter().filter(|body| body.fights()).max_by(|a, b| outer(a).total_cmp(&outer(b)))?;
    let off = |body: &Body| (body.middle - place.at).length2();
    let foot = field.fighters().filter(|body| body.of.1 == Branch::Foot);
    let garrison = foot.min_by(|a, b| off(a).total_cmp(&off(b)))?.of;
    let mut any = false;
    for body in field.fighters() {
        match body.of.1 {
            _ if body.of == garrison => draft.garrison(body, place),
            Branch::Horse => {
                any = true;
                draft.turn(body, target, wing);
            }
            _ => draft.rest(body, Kind::Pin),
        }
    }
    any.then(|| draft.done())
}

fn delay(field: &Field) -> Plan {
    let mut draft = Draft::new(field, "give ground slowly");
    for body in field.fighters() {
        let to = field.on_table(body.middle - field.ahead * body.pace);
        draft.line(body, Kind::Withdraw, Target::Ground, to, None, 0.3);
    }
    draft.done()
}

/// A plan in the making.
pub(super) struct Draft<'a> {
    field: &'a Field,
    plan: Plan,
}

impl<'a> Draft<'a> {
    pub(super) fn new(field: &'a Field, name: impl Into<String>) -> Self {
        let plan = Plan { name: name.into(), move_worth: field.move_worth, ..Plan::free(field.side) };
        Self { field, plan }
    }

    /// How many of these, the first first, are enough to strike.
    fn strikers(&self, own: &[&Body]) -> usize {
        let all: f64 = own.iter().map(|body| body.points).sum();
        let mut sum = 0.0;
        let enough = |body: &&Body| {
            sum += body.points;
            sum >= STRIKES * all
        };
        own.iter().position(enough).map_or(own.len(), |last| last + 1)
    }

    /// What those do who do not strike.
    fn rest(&mut self, body: &Body, kind: Kind) {
        if kind == Kind::Hold {
            self.hold(body);
        } else if let Some(enemy) = self.field.nearest_enemy(body.middle) {
            let back = (body.middle - enemy.middle).unit();
            let to = enemy.middle + back * (PINNED * body.pace);
            // Who is nearer than that already stands fast.
            let to = if (body.middle - enemy.middle).length() < PINNED * body.pace { body.middle } else { to };
            self.line(body, Kind::Pin, Target::Body(enemy.of.0, enemy.of.1), to, None, 0.5);
        }
    }

    /// Behind the middle of the line.
    fn reserve(&mut self, body: &Body) {
        let to = self.field.on_table(self.field.middle - self.field.ahead * body.pace);
        self.line(body, Kind::Reserve, Target::Ground, to, None, 0.7);
    }

    fn hold(&mut self, body: &Body) {
        let marches = body.units.iter().map(|unit| March { unit: unit.unit, goal: unit.at, by: None, near: 0.5 });
        self.plan.marches.extend(marches);
        self.task(body, Kind::Hold, Target::Ground, (None, body.middle), 1);
    }

    fn attack_nearest(&mut self, body: &Body) {
        if let Some(enemy) = self.field.nearest_enemy(body.middle) {
            self.attack(body, enemy.middle, Target::Body(enemy.of.0, enemy.of.1));
        }
    }

    pub(super) fn attack(&mut self, body: &Body, at: Vec2, target: Target) {
        let near = if matches!(target, Target::Place(_)) { 0.3 } else { 1.0 };
        self.line(body, Kind::Attack, target, at, None, near);
    }

    /// Round a wing of the enemy and at his flank.
    fn turn(&mut self, body: &Body, target: &Body, wing: Wing) {
        let field = self.field;
        let out = field.right * wing.sign();
        let edge = target.units.iter().map(|unit| (unit.at - target.middle).dot(out)).fold(0.0, f64::max);
        let by = field.on_table(target.middle + out * (edge + WIDE * body.pace) - field.ahead * (0.5 * body.pace));
        let kind = Kind::Turn;
        self.line(body, kind, Target::Body(target.of.0, target.of.1), target.middle + out * edge, Some((by, out)), 0.8);
    }

    pub(super) fn garrison(&mut self, body: &Body, place: &Place) {
        let off = |unit: &sabretache_engine::stance::Stance| (unit.at - place.at).length2();
        let mut units = body.units.clone();
        units.sort_by(|a, b| off(a).total_cmp(&off(b)));
        for (n, unit) in units.iter().enumerate() {
            let (goal, near) = if n == 0 { (place.at, 0.1) } else { (place.at, 1.5) };
            self.plan.marches.push(March { unit: unit.unit, goal, by: None, near });
        }
        self.task(body, Kind::Garrison, Target::Place(place.name.clone()), (None, place.at), 1);
    }

    /// The units of a body abreast on a line across the field, in the order in which they stand.
    pub(super) fn line(
        &mut self,
        body: &Body,
        kind: Kind,
        target: Target,
        to: Vec2,
        by: Option<(Vec2, Vec2)>,
        near: f64,
    ) {
        let way = (to - by.map_or(body.middle, |(by, _)| by)).unit();
        let across = if way == Vec2::default() { self.field.right } else { way.right() };
        let mut units = body.units.clone();
        units.sort_by(|a, b| a.at.dot(across).total_cmp(&b.at.dot(across)).then(a.unit.cmp(&b.unit)));
        let width: f64 = units.iter().map(|unit| unit.front * ABREAST).sum();
        let mut left = -width / 2.0;
        let mut slowest: f64 = 0.0;
        for unit in &units {
            let half = unit.front * ABREAST / 2.0;
            let goal = self.field.on_table(to + across * (left + half));
            left += 2.0 * half;
            let march = March { unit: unit.unit, goal, by, near };
            slowest = slowest.max(march.left(unit));
            self.plan.marches.push(march);
        }
        let turns = libm::ceil(slowest).max(1.0) as u32;
        self.task(body, kind, target, (by.map(|(by, _)| by), to), turns);
    }

    fn task(&mut self, body: &Body, kind: Kind, target: Target, (by, to): (Option<Vec2>, Vec2), turns: u32) {
        let units = body.units.iter().map(|unit| unit.unit).collect();
        self.plan.tasks.push(Task { kind, body: body.of, units, target, from: body.middle, by, to, turns });
    }

    pub(super) fn done(mut self) -> Plan {
        self.plan.marches.sort_by_key(|march| march.unit);
        self.plan
    }
}
