//! Errands: what a person hands to an aide, a command at a time, by an arrow on the map.

use sabretache_engine::ids::CommandId;
use sabretache_engine::stance::Branch;
use sabretache_table::{Point, Vec2};
use serde::{Deserialize, Serialize};

use super::field::{Body, Field};
use super::portfolio::Draft;
use super::{Kind, Plan, Target};

/// What a command is to do. It is fixed when it is given; the choices under it are made turn by turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    /// The command.
    pub command: CommandId,
    /// What it is to do.
    pub task: Kind,
    /// Where the arrow ends.
    pub to: Point,
    /// Where it goes by.
    pub by: Option<Point>,
    /// What the arrow pointed at when it was drawn.
    target: Aim,
}

/// What an arrow points at, as long as that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Aim {
    Ground,
    Body(CommandId, Foe),
    Place(String),
}

/// The branch of an enemy body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Foe {
    Foot,
    Horse,
    Guns,
}

impl Foe {
    const fn of(branch: Branch) -> Self {
        match branch {
            Branch::Foot => Self::Foot,
            Branch::Horse => Self::Horse,
            Branch::Guns => Self::Guns,
        }
    }
}

/// How far, in moves of the one who goes, an arrow may end from what it points at.
const POINTS_AT: f64 = 1.5;

impl Errand {
    /// An errand as an arrow is drawn on the field as it stands. Nothing where nobody of the command can take it: none of it is on the table and fit, or
    /// there is nothing there to attack, to pin or to garrison.
    #[must_use]
    pub fn new(field: &Field, command: CommandId, task: Kind, to: Point, by: Option<Point>) -> Option<Self> {
        let body = field.fighters().find(|body| body.of.0 == command)?;
        let near = |off: f64| off <= POINTS_AT * body.pace;
        let off = |at: Vec2| (at - to.v()).length();
        let place = field.places.iter().filter(|place| near(off(place.at)));
        let place = place.min_by(|a, b| off(a.at).total_cmp(&off(b.at)));
        let reached = |enemy: &&Body| enemy.units.iter().any(|unit| near(off(unit.at)));
        let target = match task {
            Kind::Garrison => Aim::Place(place?.name.clone()),
            Kind::Attack | Kind::Pin | Kind::Turn => {
                let enemy = field.enemy.iter().filter(reached);
                let enemy = enemy.min_by(|a, b| off(a.middle).total_cmp(&off(b.middle)));
                match (enemy, place) {
                    (Some(enemy), _) => Aim::Body(enemy.of.0, Foe::of(enemy.of.1)),
                    (None, Some(place)) if task == Kind::Attack => Aim::Place(place.name.clone()),
                    _ => return None,
                }
            }
            Kind::Hold | Kind::Reserve | Kind::Withdraw => Aim::Ground,
        };
        Some(Self { command, task, to, by, target })
    }

    /// Where it leads as the field stands now, and to what: an enemy who has moved is followed, one who is gone has left the ground.
    fn aim(&self, field: &Field) -> (Vec2, Target, Option<usize>) {
        match &self.target {
            Aim::Place(name) => {
                let at = field.places.iter().find(|place| place.name == *name).map_or(self.to.v(), |place| place.at);
                (at, Target::Place(name.clone()), None)
            }
            Aim::Body(command, branch) => {
                let is_it = |body: &Body| body.of.0 == *command && Foe::of(body.of.1) == *branch;
                match field.enemy.iter().position(is_it) {
                    Some(n) => {
                        let (command, branch) = field.enemy[n].of;
                        (field.enemy[n].middle, Target::Body(command, branch), Some(n))
                    }
                    None => (self.to.v(), Target::Ground, None),
                }
            }
            Aim::Ground => (self.to.v(), Target::Ground, None),
        }
    }
}

/// The plan that errands come to: a task for each body of the commands that have one; everybody else as he sees fit.
#[must_use]
pub fn entrusted(field: &Field, errands: &[Errand]) -> Plan {
    let mut draft = Draft::new(field, "as they were told");
    for body in field.fighters() {
        // The last word counts.
        let Some(errand) = errands.iter().rfind(|errand| errand.command == body.of.0) else { continue };
        let (to, target, enemy) = errand.aim(field);
        let by = errand.by.map(|by| (by.v(), (by.v() - to).unit()));
        let place = field.places.iter().find(|place| target == Target::Place(place.name.clone()));
        match (errand.task, enemy, place) {
            (Kind::Pin, Some(_), _) => {
                let back = (body.middle - to).unit() * (super::portfolio::PINNED * body.pace);
                draft.line(body, Kind::Pin, target, to + back, None, 0.5);
            }
            (Kind::Turn, Some(_), _) => draft.line(body, Kind::Turn, target, to, by, 0.8),
            (Kind::Garrison, _, Some(place)) if body.of.1 == Branch::Foot => draft.garrison(body, place),
            (Kind::Attack, _, _) => draft.attack(body, to, target),
            // Those who cannot do it themselves stay by those who do.
            (kind, ..) => draft.line(body, kind, target, to, by, 0.3),
        }
    }
    draft.done()
}
