//! What lies on the table.

use std::sync::Arc;

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::scenario::Scenario;
use sabretache_table::{Ground, Heading, OnTable, Placed, Pose, Tabletop, Vec2, overlap, overlapping};

use crate::body::Body;
use crate::body::options::Options;
use crate::numbers::Numbers;
use crate::phases::charges::launch::Launch;
use crate::phases::shooting::battering::Batter;
pub(crate) use crate::phases::victory::Objective;
pub use crate::state::{Abandoned, Chase, Contact, Order, Pending, Step};
use crate::table::NEAR;
use crate::table::memo::Memo;
use crate::terrain::Terrain;
use crate::terrain::barriers::{Barrier, Battered, Break};
use crate::terrain::towns::Block;
use crate::troops::{Arm, Formation};
pub(crate) use crate::unit::{Arrival, Baseline, Brigade, Facts, General, Kind, Unit};
pub use crate::unit::{Place, ThisTurn};

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
    /// Hits by fire in this phase: who fired, at whom, and how many hits told.
    pub(crate) volleys: Vec<(UnitId, UnitId, u16)>,
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
    /// The charge that is being plotted.
    pub(crate) launch: Option<Launch>,
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
    /// What the battle is about.
    pub(crate) objectives: Vec<Objective>,
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        // Copies of a battle share what never changes.
        std::ptr::eq(self, other) || self.scenario == other.scenario
    }
}

impl std::fmt::Debug for Fixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fixed({})", self.scenario.title)
    }
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

    pub(crate) fn id_of(&self, unit: UnitId) -> &str {
        &self.fixed.scenario.body.units[unit.index()].id
    }

    /// The unit of which something is asked in the middle of something else.
    pub(crate) fn asked_of(&self) -> Option<UnitId> {
        self.pending.map(|pending| pending.unit())
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
        let there = move |(_, general): &(usize, &General)| general.side == side && general.there();
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
        (facts.screen_of.is_none() && self.numbers().shattered.reached(start, left))
            || (no_guns && state.inside.is_none())
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

    /// Whether one unit lies on another that it may not lie on. A unit that stands against a block may lie on those inside by the
    /// hair that is forgiven (BB-GEN-07), and so may a bent line: when it loses a stand, its wings are laid anew.
    pub(crate) fn lies_upon(&self, (one, here): (UnitId, &Placed), (other, there): (UnitId, &Placed)) -> bool {
        let (block, theirs) = (self.unit(one).inside, self.unit(other).inside);
        let by_a_hair = |unit: UnitId| self.unit(unit).inside.is_some() || self.unit(unit).formation == Formation::Bent;
        let forgiven = by_a_hair(one) || by_a_hair(other);
        overlapping(here, there)
            && !self.partners(one, other)
            && (block.is_none() || theirs != block)
            && (!forgiven || overlap(here, there).f() > NEAR)
    }

    /// What must always hold.
    pub(crate) fn check(&self) -> Result<(), String> {
        let id = |unit: UnitId| self.id_of(unit);
        let on_table: Vec<(UnitId, Placed)> = self.all().map(|unit| (unit, self.placed(unit))).collect();
        for (n, (unit, placed)) in on_table.iter().enumerate() {
            let state = self.unit(*unit);
            if state.figures > state.start {
                return Err(format!("{} has more figures than it started with", id(*unit)));
            }
            if self.fixed.table.on_table(placed) != OnTable::Wholly {
                return Err(format!("{} stands over the edge", id(*unit)));
            }
            let upon = |(other, there): &&(UnitId, Placed)| self.lies_upon((*unit, placed), (*other, there));
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
        for general in self.generals.iter().filter(|general| general.there()) {
            if general.with.is_some_and(|unit| self.side(unit) != general.side) {
                return Err("a general is with the enemy".into());
            }
        }
        Ok(())
    }
}
