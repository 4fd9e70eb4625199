//! The field as a plan sees it: who faces whom, and what lies where.

use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::stance::{Branch, Place, Stance};
use sabretache_table::Vec2;

/// What a command has of one branch.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) of: (CommandId, Branch),
    pub(super) units: Vec<Stance>,
    pub(super) middle: Vec2,
    pub(super) points: f64,
    /// The slowest of them.
    pub(super) pace: f64,
}

impl Body {
    /// How far to the right of a place it stands.
    pub(super) fn aside(&self, from: Vec2, right: Vec2) -> f64 {
        (self.middle - from).dot(right)
    }

    pub(super) fn fights(&self) -> bool {
        self.of.1 != Branch::Guns
    }
}

/// The field from one side.
#[derive(Clone, Debug)]
pub struct Field {
    pub(super) side: Side,
    /// The turn, from 1.
    pub(super) turn: u32,
    /// From our middle to theirs, and a quarter turn from it.
    pub(super) ahead: Vec2,
    pub(super) right: Vec2,
    pub(super) middle: Vec2,
    /// Ours and theirs, from the left to the right; guns last.
    pub(super) own: Vec<Body>,
    pub(super) enemy: Vec<Body>,
    pub(super) places: Vec<Place>,
    /// The far corner of the table.
    pub(super) corner: Vec2,
    /// What a move of one unit is worth.
    pub(super) move_worth: f64,
}

impl Field {
    /// The field as a side sees it; nothing where one of the two has nobody left who can fight.
    pub fn of<R: Ruleset>(battle: &R::Battle, side: Side) -> Option<Self> {
        let mut stances = Vec::new();
        R::stances(battle, &mut stances);
        stances.retain(|stance| stance.ready);
        let mut own = bodies(&stances, side);
        let mut enemy = bodies(&stances, side.other());
        let (middle, theirs) = (middle(&own)?, middle(&enemy)?);
        let ahead = (theirs - middle).unit();
        let right = ahead.right();
        for bodies in [&mut own, &mut enemy] {
            bodies.sort_by(|a, b| {
                b.fights()
                    .cmp(&a.fights())
                    .then_with(|| a.aside(middle, right).total_cmp(&b.aside(middle, right)))
                    .then_with(|| a.of.cmp(&b.of))
            });
        }
        let view = R::view(battle);
        let corner = Vec2::new(view.setting.width.f(), view.setting.depth.f());
        let all: f64 = stances.iter().map(|stance| stance.points).sum();
        let move_worth = super::MOVE_WORTH * all / stances.len().max(1) as f64;
        let (turn, places) = (view.turn.unwrap_or(1), R::places(battle));
        Some(Self { side, turn, ahead, right, middle, own, enemy, places, corner, move_worth })
    }

    /// A place on the table, a little within its edge.
    pub(super) fn on_table(&self, at: Vec2) -> Vec2 {
        let margin = 0.04;
        let within = |x: f64, most: f64| x.clamp(margin * most, (1.0 - margin) * most);
        Vec2::new(within(at.x, self.corner.x), within(at.y, self.corner.y))
    }

    /// Those who fight, guns left out.
    pub(super) fn fighters(&self) -> impl Iterator<Item = &Body> {
        self.own.iter().filter(|body| body.fights())
    }

    /// The enemy body nearest to a place.
    pub(super) fn nearest_enemy(&self, to: Vec2) -> Option<&Body> {
        let off = |body: &Body| (body.middle - to).length2();
        self.enemy.iter().filter(|body| body.fights()).min_by(|a, b| off(a).total_cmp(&off(b)))
    }
}

fn bodies(stances: &[Stance], side: Side) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    for stance in stances.iter().filter(|stance| stance.side == side) {
        let of = (stance.command, stance.branch);
        match bodies.iter_mut().find(|body| body.of == of) {
            Some(body) => body.units.push(*stance),
            None => bodies.push(Body { of, units: vec![*stance], middle: stance.at, points: 0.0, pace: 0.0 }),
        }
    }
    for body in &mut bodies {
        let count = body.units.len() as f64;
        body.middle = body.units.iter().fold(Vec2::default(), |sum, unit| sum + unit.at) * (1.0 / count);
        body.points = body.units.iter().map(|unit| unit.points).sum();
        body.pace = body.units.iter().map(|unit| unit.pace).fold(f64::INFINITY, f64::min);
    }
    bodies
}

/// The middle of those who fight, by what they are worth.
fn middle(bodies: &[Body]) -> Option<Vec2> {
    let points: f64 = bodies.iter().filter(|body| body.fights()).map(|body| body.points).sum();
    let sum =
        bodies.iter().filter(|body| body.fights()).fold(Vec2::default(), |sum, body| sum + body.middle * body.points);
    (points > 0.0).then(|| sum * (1.0 / points))
}
