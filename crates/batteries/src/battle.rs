//! What lies on the table.

use std::sync::Arc;

use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_engine::scenario::Scenario;
use sabretache_table::{Edge, Ground, Heading, Length, OnTable, Placed, Point, Pose, Tabletop, Vec2, overlapping};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::barriers::{Barrier, Battered, Break};
use crate::battering::Batter;
use crate::body::Body;
use crate::memo::Memo;
use crate::numbers::Numbers;
use crate::options::Options;
use crate::shape::{Bend, shattered};
use crate::terrain::Terrain;
use crate::towns::Block;
use crate::troops::{Arm, Cover, Formation, Grade, GunClass, Nation, Shot, Weapon, Weight};

/// All that changes as a game is fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Battle {
    pub(crate) fixed: Arc<Fixed>,
    pub(crate) units: Vec<Unit>,
    pub(crate) generals: Vec<General>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) shots: Vec<Order>,
    pub(crate) tracks: Vec<(UnitId, Pose)>,
    pub(crate) abandoned: Vec<Abandoned>,
    /// Enemies who were in contact this turn and are no more.
    pub(crate) parted: Vec<(UnitId, UnitId)>,
    /// Units whose owner has set an odd die or figure against one of several equal enemies.
    pub(crate) favours: Vec<(UnitId, UnitId)>,
    /// Those who will go after somebody when the next turn opens.
    pub(crate) chases: Vec<Chase>,
    /// Stretches of works, hedgerows and walls that are broken, and hits on sections that still stand.
    pub(crate) breaks: Vec<Break>,
    pub(crate) battered: Vec<Battered>,
    /// Orders to batter works or walls.
    pub(crate) batters: Vec<Batter>,
    pub(crate) turn: u32,
    /// The side that is Side A this turn.
    pub(crate) first: Side,
    pub(crate) step: Step,
    /// The unit that is in the middle of its move.
    pub(crate) moving: Option<UnitId>,
    pub(crate) pending: Option<Pending>,
    pub(crate) memo: Memo,
}

/// What never changes.
pub(crate) struct Fixed {
    pub(crate) scenario: Scenario<Body>,
    pub(crate) numbers: Numbers,
    pub(crate) options: Options,
    pub(crate) table: Tabletop,
    pub(crate) ground: Ground,
    pub(crate) terrain: Vec<Terrain>,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) facts: Vec<Facts>,
    pub(crate) brigades: Vec<Brigade>,
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        self.scenario == other.scenario
    }
}

impl std::fmt::Debug for Fixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fixed({})", self.scenario.title)
    }
}

/// What is fixed about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) side: Side,
    pub(crate) brigade: CommandId,
    pub(crate) kind: Kind,
    pub(crate) grade: Grade,
    pub(crate) start: u16,
    pub(crate) per_stand: u8,
    /// Organised in two ranks, and that rule is used.
    pub(crate) two_rank: bool,
    /// Stands with scaling ladders.
    pub(crate) ladders: u8,
    /// The part of it that may hold a town block on its own.
    pub(crate) part: Option<UnitId>,
    /// The unit that it is a part of.
    pub(crate) part_of: Option<UnitId>,
    /// Its nation, where national modifiers are used.
    pub(crate) nation: Option<Nation>,
    /// The skirmish screen that it may throw out, where screens are used.
    pub(crate) screen: Option<UnitId>,
    /// The unit whose screen it is.
    pub(crate) screen_of: Option<UnitId>,
}

/// The arm and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Foot { light: bool, weapon: Weapon },
    Horse { weight: Weight, lance: bool },
    Guns { class: GunClass, horse: bool, models: u8 },
}

impl Kind {
    pub(crate) fn arm(self) -> Arm {
        match self {
            Self::Foot { .. } => Arm::Foot,
            Self::Horse { .. } => Arm::Horse,
            Self::Guns { .. } => Arm::Guns,
        }
    }
}

/// What is fixed about a brigade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brigade {
    pub(crate) side: Side,
    pub(crate) baseline: Baseline,
}

/// Where a force routs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Baseline {
    Edge(Edge),
    /// The centre of a surrounded force.
    Centre(Point),
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the table.
    Table,
    /// Off the table, and may return where it left.
    Away,
    /// Shattered and removed.
    Shattered,
    /// Off the table for good.
    Fled,
    /// Surrendered.
    Surrendered,
    /// Off the table after an enemy, and may return where it left.
    Pursuing,
    /// A screen in the ranks of its battalion.
    Ranks,
    /// A part of a unit that is not detached.
    Whole,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) pose: Pose,
    pub(crate) place: Place,
    pub(crate) formation: Formation,
    /// Stands (limbered: models) across, as last ordered.
    pub(crate) stands: u8,
    pub(crate) figures: u16,
    /// Actual guns left.
    pub(crate) guns: u8,
    pub(crate) limbered: bool,
    /// Gunners away from their guns.
    pub(crate) away: bool,
    pub(crate) shaken: bool,
    pub(crate) disordered: bool,
    /// It has fired from a wood and is known to be there.
    pub(crate) spotted: bool,
    /// It has fought a round of combat in this game.
    pub(crate) fought: bool,
    /// It is halfway through a change that takes two turns.
    pub(crate) reforming: bool,
    /// It has cleared a city wall of its defenders and may climb over.
    pub(crate) climbs: bool,
    /// The town block it holds.
    pub(crate) inside: Option<u16>,
    /// The wings of a bent line.
    pub(crate) bend: Option<Bend>,
    /// Figures it started with, less those of a part that is detached.
    pub(crate) start: u16,
    /// It has routed off the table once.
    pub(crate) fled_once: bool,
    /// Rounds fought in the combat it is in.
    pub(crate) rounds: u8,
    /// It advanced two inches straight in its most recent movement phase.
    pub(crate) advanced: bool,
    /// How often in a row it has entered pursuit.
    pub(crate) chases: u8,
    /// Figures that are out in its screen.
    pub(crate) out: u16,
    pub(crate) now: ThisTurn,
    /// Losses still to be taken off.
    pub(crate) toll: u16,
    pub(crate) gun_toll: u8,
}

/// What a unit has done and suffered this turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ThisTurn {
    /// It was shaken when the turn began.
    pub was_shaken: bool,
    /// It was disordered when the turn began.
    pub was_disordered: bool,
    /// It has begun to move.
    pub moved: bool,
    /// It was steady when it began to move.
    pub set_out_steady: bool,
    /// Its move is over.
    pub done: bool,
    /// It has advanced in a joint order and may go on with its move.
    pub joint: bool,
    /// A friend has passed through it, so it stands.
    pub stands: bool,
    /// It has changed formation, facing or frontage.
    pub changed: bool,
    /// It has done something else than go straight ahead.
    pub turned: bool,
    /// It has done something else than go ahead and wheel.
    pub manoeuvred: bool,
    /// Only the enemy's nearness has stopped it.
    pub held_up: bool,
    /// It has charged.
    pub charging: bool,
    /// An enemy has charged it.
    pub charged: bool,
    /// It was charged in flank or rear by somebody who came home.
    pub flanked: bool,
    /// It has fired.
    pub fired: bool,
    /// It has evaded.
    pub evaded: bool,
    /// It has routed.
    pub routed: bool,
    /// It has taken its morale test of the shooting phase.
    pub tested: bool,
    /// It has fought a round.
    pub fought: bool,
    /// It has lost a round and has yet to test.
    pub lost: bool,
    /// The garrison it belongs to has failed its test, and it has yet to rout.
    pub breaking: bool,
    /// It manoeuvred without elbow room, and is unsteady for the rest of the turn.
    pub cramped: bool,
    /// It came back to the table this turn.
    pub returned: bool,
    /// It inflicted more than it suffered in its round of combat.
    pub won: bool,
    /// It routed from those it fought: on a panic test, or after losing a round.
    pub beaten: bool,
    /// It routed of its own will.
    pub of_own_will: bool,
    /// It recoiled from a cavalry fight.
    pub recoiled: bool,
    /// Where its centre was when it routed or recoiled.
    pub fell_back_from: Option<Point>,
    /// It does not pursue.
    pub stays: bool,
    /// It could not be held back from pursuit.
    pub runs_wild: bool,
    /// It moved in pursuit when the turn opened.
    pub pursued: bool,
    /// It has sent out or called in its screen.
    pub screened: bool,
    /// Hits suffered in this phase.
    pub hits: u16,
    /// Movement used at its present rate, in micrometres.
    pub run: i32,
    /// Movement used at earlier rates and by manoeuvres, in millionths of a move.
    pub share: u32,
    /// How far it has gone straight ahead without a turn, in micrometres.
    pub straight: i32,
    /// The way it marches, where it may go any way, in hundredths of a degree.
    pub way: Option<u16>,
}

/// A general.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct General {
    pub(crate) side: Side,
    pub(crate) brigade: Option<CommandId>,
    pub(crate) cinc: bool,
    pub(crate) charisma: Option<u8>,
    pub(crate) at: Point,
    pub(crate) with: Option<UnitId>,
    pub(crate) lost: bool,
    /// He has ridden this turn.
    pub(crate) rode: bool,
    pub(crate) points: u8,
}

/// Two units in contact, made by a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Who charged.
    pub charger: UnitId,
    /// Who was charged.
    pub target: UnitId,
    /// With flank or rear status.
    pub flank: bool,
    /// The target's cover in combat.
    pub cover: Cover,
    /// The target defends an obstacle.
    pub obstacle: bool,
    /// The target stands uphill.
    pub uphill: bool,
    /// Made this turn.
    pub fresh: bool,
    /// The charger was steady before contact.
    pub steady: bool,
    /// The charger has run over those it touched.
    pub overrun: bool,
    /// The charger came up after an enemy that had fallen back: nobody's first round, nobody caught standing.
    pub follows: bool,
    /// The target routed from the charger the turn before.
    pub pursuit: bool,
    /// The target is a column of masses struck in front or side, and counts as a square.
    pub as_square: bool,
}

impl Contact {
    /// The other of the two, if this is one of them.
    #[must_use]
    pub fn other(&self, unit: UnitId) -> Option<UnitId> {
        match unit {
            _ if unit == self.charger => Some(self.target),
            _ if unit == self.target => Some(self.charger),
            _ => None,
        }
    }
}

/// A shot that has been ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Who shoots.
    pub unit: UnitId,
    /// At whom.
    pub at: UnitId,
    /// From which side of its town block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// Guns: with what.
    pub shot: Option<Shot>,
}

/// Guns whose gunners have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abandoned {
    /// Whose guns they are.
    pub unit: UnitId,
    /// Where they stand.
    pub pose: Pose,
}

/// A unit that goes after an enemy who has fallen back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chase {
    /// Who.
    pub pursuer: UnitId,
    /// After whom.
    pub quarry: UnitId,
    /// Where the centre of the quarry was before it fell back.
    pub from: Point,
    /// The quarry recoiled and did not rout.
    pub recoiled: bool,
}

/// Where in the turn the battle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Phase 1: dice are rolled for the initiative.
    Initiative,
    /// Phase 1: the winner chooses.
    Choice,
    /// Phase 2: Side A moves.
    MoveA,
    /// Phase 3: Side B moves.
    MoveB,
    /// Phase 5: Side A aims.
    AimA,
    /// Phase 5: Side B aims.
    AimB,
    /// Phase 5: chargers test.
    ChargeTests,
    /// Phase 5: guns and skirmishers are overrun.
    Overruns,
    /// Phase 5: those who are charged test.
    PanicTests,
    /// Phase 5: all others who were hit test.
    HitTests,
    /// Phase 6: combats are fought.
    Combat,
    /// Phase 6: losers test.
    LoserTests,
    /// Phase 6: who pursues.
    Pursuits,
    /// The battle is over.
    Over,
}

/// A decision within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pending {
    /// A charged unit may evade.
    Evade {
        /// Who charges.
        charger: UnitId,
        /// Who may evade.
        target: UnitId,
        /// The way it would go, in hundredths of a degree to the right of the line of the charge.
        #[serde(default)]
        way: i16,
    },
    /// A charger whose targets have gone may go on.
    Onward {
        /// Who.
        charger: UnitId,
    },
    /// A unit that failed its test routs.
    Rout {
        /// Who.
        unit: UnitId,
        /// How far at the least.
        least: Length,
        /// What it routs from.
        cause: Option<UnitId>,
    },
    /// A charger that has overrun may go on.
    Overrun {
        /// Who.
        charger: UnitId,
    },
    /// A pursuer has come to ground that it cannot pass, and there is a way round.
    Detour {
        /// Who.
        unit: UnitId,
    },
    /// A screen that was hit may be filled up again.
    Refill {
        /// Which.
        screen: UnitId,
    },
}

impl Battle {
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.fixed.numbers
    }

    pub(crate) fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.index()]
    }

    pub(crate) fn facts(&self, unit: UnitId) -> &Facts {
        &self.fixed.facts[unit.index()]
    }

    pub(crate) fn general(&self, general: OfficerId) -> &General {
        &self.generals[general.index()]
    }

    pub(crate) fn side(&self, unit: UnitId) -> Side {
        self.facts(unit).side
    }

    pub(crate) fn name_of(&self, unit: UnitId) -> &str {
        &self.fixed.scenario.body.units[unit.index()].name
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = UnitId> + '_ {
        (0..self.units.len()).map(|n| UnitId(n as u16)).filter(|unit| self.unit(*unit).place == Place::Table)
    }

    /// The units of a side on the table.
    pub(crate) fn of(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.all().filter(move |unit| self.side(*unit) == side)
    }

    pub(crate) fn enemies(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.of(self.side(unit).other())
    }

    pub(crate) fn friends(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.of(self.side(unit)).filter(move |friend| *friend != unit && !self.partners(*friend, unit))
    }

    pub(crate) fn generals_of(&self, side: Side) -> impl Iterator<Item = OfficerId> + '_ {
        let there = move |(_, general): &(usize, &General)| general.side == side && !general.lost;
        self.generals.iter().enumerate().filter(there).map(|(n, _)| OfficerId(n as u16))
    }

    pub(crate) fn centre(&self, unit: UnitId) -> Vec2 {
        self.placed(unit).centre()
    }

    /// The side that moves or aims in this step.
    pub(crate) fn phasing(&self) -> Side {
        match self.step {
            Step::MoveB | Step::AimB => self.first.other(),
            _ => self.first,
        }
    }

    pub(crate) fn arm(&self, unit: UnitId) -> Arm {
        self.facts(unit).kind.arm()
    }

    /// A battalion and its screen.
    pub(crate) fn partners(&self, one: UnitId, other: UnitId) -> bool {
        self.facts(one).screen == Some(other) || self.facts(one).screen_of == Some(other)
    }

    /// All on the table but a unit and its own screen.
    pub(crate) fn others(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.all().filter(move |other| *other != unit && !self.partners(*other, unit))
    }

    /// Three quarters of its figures are gone, or all its guns.
    pub(crate) fn broken(&self, unit: UnitId) -> bool {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let no_guns = matches!(facts.kind, Kind::Guns { .. }) && state.guns == 0;
        // Those out in a screen are not lost, and a screen is no unit of its own (BB-OPT-66).
        let (start, left) = self.strength_of(unit);
        (facts.screen_of.is_none() && shattered(start, left)) || (no_guns && state.inside.is_none())
    }

    /// Those whom a unit touches in a fight.
    pub(crate) fn opponents(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.contacts.iter().filter_map(move |contact| contact.other(unit))
    }

    pub(crate) fn in_contact(&self, unit: UnitId) -> bool {
        self.opponents(unit).next().is_some()
    }

    /// Locked in a combat that goes on from an earlier turn.
    pub(crate) fn locked(&self, unit: UnitId) -> bool {
        self.contacts.iter().any(|contact| contact.other(unit).is_some() && !contact.fresh)
    }

    /// The level of the ground under a place.
    pub(crate) fn level(&self, place: Vec2) -> i8 {
        let hill = |lie: &sabretache_table::Lie<'_>| self.fixed.terrain[usize::from(lie.feature.id.0)].contour();
        self.fixed.ground.at(place).filter(hill).map(|lie| lie.feature.level).max().unwrap_or(0)
    }

    /// The direction in which a unit at a place routs, and how far its centre point is for a surrounded force.
    pub(crate) fn homeward(&self, unit: UnitId, from: Vec2) -> (Heading, Option<f64>) {
        match self.fixed.brigades[self.facts(unit).brigade.index()].baseline {
            Baseline::Edge(edge) => (edge.heading(), None),
            Baseline::Centre(point) => (Heading::toward(from, point.v()), Some((point.v() - from).length())),
        }
    }

    /// What must always hold.
    pub(crate) fn check(&self) -> Result<(), String> {
        let id = |unit: UnitId| &self.fixed.scenario.body.units[unit.index()].id;
        let on_table: Vec<(UnitId, Placed)> = self.all().map(|unit| (unit, self.placed(unit))).collect();
        for (n, (unit, placed)) in on_table.iter().enumerate() {
            let state = self.unit(*unit);
            if state.figures > state.start {
                return Err(format!("{} has more figures than it started with", id(*unit)));
            }
            if self.fixed.table.on_table(placed) != OnTable::Wholly {
                return Err(format!("{} stands over the edge", id(*unit)));
            }
            let upon = |(other, there): &&(UnitId, Placed)| {
                overlapping(placed, there)
                    && !self.partners(*unit, *other)
                    && (state.inside.is_none() || self.unit(*other).inside != state.inside)
            };
            if let Some((other, _)) = on_table[..n].iter().find(upon) {
                return Err(format!("{} stands on top of {}", id(*unit), id(*other)));
            }
        }
        for block in &self.fixed.blocks {
            let held: u16 = self.garrison(block.ground).map(|unit| self.unit(unit).figures).sum();
            if held > block.capacity {
                return Err(format!("{} holds more than it can", self.ground_id(block.ground)));
            }
        }
        for contact in &self.contacts {
            for unit in [contact.charger, contact.target] {
                if self.unit(unit).place != Place::Table {
                    return Err(format!("{} fights and is not on the table", id(unit)));
                }
            }
            if self.side(contact.charger) == self.side(contact.target) {
                return Err(format!("{} fights a friend", id(contact.charger)));
            }
        }
        for general in self.generals.iter().filter(|general| !general.lost) {
            if general.with.is_some_and(|unit| self.side(unit) != general.side) {
                return Err("a general is with the enemy".into());
            }
        }
        Ok(())
    }
}
