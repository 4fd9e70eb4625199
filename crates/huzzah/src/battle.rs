//! A battle: all that changes as it is fought. Flat lists of small values, so that it clones in a moment.

use std::sync::Arc;

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_kit::Kept;
use sabretache_table::{Footprint, Length, Placed, Point, Pose};

use crate::body::{OfficerStatus, Presence, SpokeTo};
use crate::clauses::{
    HZ_ADV_01, HZ_CMD_02, HZ_CMD_03, HZ_GEN_12, HZ_OFF_10, HZ_OFF_13, HZ_OFF_18, HZ_OFF_26, HZ_REI_04,
};
use crate::lay::{CommandFacts, Lay, OfficerFacts, UnitFacts};
use crate::numbers::Numbers;
use crate::offer::Offer;
use crate::phases::bombard::Sighting;
use crate::situations::{Attached, Condition};
use crate::state::{Addressee, Bombarded, Doing, Fight, ForcedMove, Gap, Scaled, Stage, Threat};
use crate::table::laid::{Asked, Laid};
use crate::terrain::Troop;
use crate::troops::{Ability, Arm, Forced, Formation, Level, Quality};

/// A battle.
#[derive(Clone, Debug, PartialEq)]
pub struct Battle {
    /// What never changes.
    pub lay: Arc<Lay>,
    /// Units, in the order of the scenario.
    pub units: Vec<Unit>,
    /// Officers.
    pub officers: Vec<Officer>,
    /// Commands.
    pub commands: Vec<Command>,
    /// The two armies.
    pub armies: [Army; 2],
    /// The bombardment factor of each contingent.
    pub factors: Vec<u8>,
    /// The turn, counted from 1; 0 before the first.
    pub turn: u16,
    /// Who goes first each turn.
    pub first: Option<Side>,
    /// Whose phase it is.
    pub phasing: Side,
    /// The phase and step.
    pub stage: Stage,
    /// Who has skirmisher superiority.
    pub superiority: Option<Side>,
    /// What is in hand.
    pub doing: Doing,
    /// Bombardments of this phase.
    pub bombarded: Vec<Bombarded>,
    /// Threats still to be tested.
    pub threats: Vec<Threat>,
    /// Engagements still to be fought.
    pub fights: Vec<Fight>,
    /// Gaps in hedges.
    pub gaps: Vec<Gap>,
    /// Mines that have gone off.
    pub exploded: Vec<u16>,
    /// Where the units lie, kept up to date by `apply`.
    pub laid: Laid,
    /// Whether each battery has something to fire at, once somebody has asked; forgotten by `apply`.
    pub guns: Kept<bool>,
    /// All that each battery could bring before it by sighting, likewise.
    pub sightings: Kept<Sighting>,
    /// All that may be done at a moment at which few have anything to decide, likewise.
    pub asked: Asked<Arc<[Offer]>>,
}

/// The state of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The middle of its front edge and the way it faces.
    pub pose: Pose,
    /// Its formation.
    pub formation: Formation,
    /// How well it responds; not known before it has been rolled.
    pub quality: Option<Quality>,
    /// Whether it is on the table.
    pub presence: Presence,
    /// Temporary disorder.
    pub staggers: u8,
    /// Permanent losses.
    pub kills: u8,
    /// It is routing.
    pub routing: bool,
    /// Blown cavalry.
    pub blown: bool,
    /// A forced order.
    pub forced: Option<Forced>,
    /// It was given in the orders phase of its own side that is going on: it is for the next one (HZ-FOR-09).
    pub forced_later: bool,
    /// Smoke markers.
    pub smoke: u8,
    /// Bombardments left.
    pub bombardments: u8,
    /// The sector it is deployed in.
    pub sector: Option<u16>,
    /// Which sides of the sector it lines.
    pub sides: u8,
    /// The number of the last order it acted on this phase; 0 for none.
    pub acted: u16,
    /// Can act on no further orders this phase.
    pub spent: bool,
    /// Has retired from a failed check since it last obeyed an order.
    pub fell_back: bool,
    /// Advance and retire orders issued to it alone this phase.
    pub moves: u8,
    /// Other orders issued to it alone this phase.
    pub others: u8,
    /// Can receive no further orders of its own this phase.
    pub closed: bool,
    /// Has sighted its guns this phase.
    pub sighted: bool,
    /// Has rolled to rally or reform this phase.
    pub rolled: bool,
    /// Has still to make a forced move: a rout, or a retirement.
    pub must_move: Option<ForcedMove>,
    /// The enemy it has engaged across an obstacle.
    pub across: Option<UnitId>,
    /// The fortress wall it has scaled (HZ-FTW-04).
    pub scaled: Option<Scaled>,
}

/// The state of an officer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Officer {
    /// Where he stands.
    pub at: Point,
    /// Where he is, if not on the table.
    pub status: OfficerStatus,
    /// How good he is; not known before it has been rolled.
    pub ability: Option<Ability>,
    /// Whether he is inspirational.
    pub inspirational: bool,
    /// The unit he is attached to.
    pub with: Option<UnitId>,
    /// The turn in which the post fell vacant.
    pub lost: u16,
    /// The command whose officer he has superseded.
    pub supersedes: Option<CommandId>,
    /// The turn in which he did so.
    pub superseded_in: u16,
    /// The first turn in which he can give orders.
    pub orders_from: u16,
    /// Has given orders this phase.
    pub spoke: bool,
    /// Has failed an order this phase.
    pub failed: bool,
    /// The level at which he has given orders.
    pub spoke_to: Option<SpokeTo>,
    /// The number of the last order he gave this phase; 0 for none.
    pub spoke_at: u16,
    /// The unit or command he spoke to last this phase.
    pub spoke_last: Option<Addressee>,
    /// After a Huzzah!: he may order the same addressee once more without a roll.
    pub free: bool,
    /// Has done moving this phase.
    pub moved: bool,
    /// How far he has ridden this phase.
    pub ridden: Length,
    /// Has detached this phase.
    pub detached: bool,
    /// Has relinquished a command this phase.
    pub relinquished: bool,
}

/// The state of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// How its last check went.
    pub passed: Option<bool>,
    /// The turn of that check.
    pub checked_turn: u16,
    /// It has had a loss since its last check.
    pub must_check: bool,
    /// Excused until a new loss.
    pub excused: bool,
    /// Has checked in this phase.
    pub checked: bool,
    /// Passes its check this phase by a superior's Huzzah!.
    pub free_pass: bool,
    /// Advance and retire orders issued to it this phase.
    pub moves: u8,
    /// Other orders issued to it this phase.
    pub others: u8,
    /// Closed to orders this phase by a failure.
    pub silenced: bool,
    /// Can receive no further orders of its own this phase.
    pub closed: bool,
    /// The turn in which the last of it left.
    pub left: u16,
    /// Attempts at reorganising it.
    pub attempts: u8,
    /// Tried to reorganise this phase.
    pub tried: bool,
    /// Reorganised, and coming back at its line of communication.
    pub returning: bool,
    /// Turns of voluntary delay.
    pub delayed: u8,
    /// Chosen to come on first.
    pub chosen: bool,
    /// Ordered on to the table this phase.
    pub sent_for: bool,
}

/// The state of an army.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Army {
    /// Its skirmish rating; not known before it has been rolled.
    pub skirmish: Option<Ability>,
    /// How often it has been worn down.
    pub worn: u8,
    /// Failed the last skirmish test.
    pub failed: bool,
    /// Battalions in the skirmish line.
    pub committed: u16,
    /// Appoint orders issued this turn.
    pub appointments: u8,
    /// Rearm orders issued this turn.
    pub rearms: u8,
}

impl Battle {
    /// The numbers in force.
    #[must_use]
    pub fn numbers(&self) -> &Numbers {
        &self.lay.numbers
    }

    /// A unit's state.
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    /// What is fixed about a unit.
    #[must_use]
    pub fn facts(&self, id: UnitId) -> &UnitFacts {
        &self.lay.units[id.index()]
    }

    /// An officer's state.
    #[must_use]
    pub fn officer(&self, id: OfficerId) -> &Officer {
        &self.officers[id.index()]
    }

    /// What is fixed about an officer.
    #[must_use]
    pub fn officer_facts(&self, id: OfficerId) -> &OfficerFacts {
        &self.lay.officers[id.index()]
    }

    /// A command's state.
    #[must_use]
    pub fn command(&self, id: CommandId) -> &Command {
        &self.commands[id.index()]
    }

    /// What is fixed about a command.
    #[must_use]
    pub fn command_facts(&self, id: CommandId) -> &CommandFacts {
        &self.lay.commands[id.index()]
    }

    /// Every unit.
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + Clone + use<> {
        (0..self.units.len() as u16).map(UnitId)
    }

    /// Every officer.
    pub fn officer_ids(&self) -> impl Iterator<Item = OfficerId> + use<> {
        (0..self.officers.len() as u16).map(OfficerId)
    }

    /// Every command.
    pub fn command_ids(&self) -> impl Iterator<Item = CommandId> + use<> {
        (0..self.commands.len() as u16).map(CommandId)
    }

    /// The units of a side that are on the table.
    pub fn present(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.unit_ids().filter(move |&id| self.is_present(id) && self.facts(id).side == side)
    }

    /// All units of a command, at whatever depth.
    pub fn units_of(&self, command: CommandId) -> impl Iterator<Item = UnitId> + '_ {
        self.command_facts(command).all_units.iter().map(|&n| UnitId(n))
    }

    /// Whether a unit is on the table.
    #[must_use]
    pub fn is_present(&self, id: UnitId) -> bool {
        self.unit(id).presence == Presence::Present
    }

    /// The footprint of a unit in its formation.
    #[must_use]
    pub fn footprint(&self, id: UnitId) -> Footprint {
        let unit = self.unit(id);
        match self.sector_of(id) {
            Some(sector) => Footprint::single(sector.width, sector.depth),
            None => self.facts(id).footprints[unit.formation.index()].clone(),
        }
    }

    /// The sector a unit is deployed in.
    #[must_use]
    pub fn sector_of(&self, id: UnitId) -> Option<crate::terrain::Sector> {
        self.unit(id).sector.and_then(|n| self.lay.terrain.get(usize::from(n))).and_then(|terrain| terrain.sector)
    }

    /// A unit where it lies.
    #[must_use]
    pub fn placed(&self, id: UnitId) -> Placed {
        self.placed_at(id, self.unit(id).pose)
    }

    /// A unit where it would lie, in its present formation.
    #[must_use]
    pub fn placed_at(&self, id: UnitId, pose: Pose) -> Placed {
        match self.sector_of(id) {
            Some(sector) => Placed::new(&Footprint::single(sector.width, sector.depth), sector.pose),
            None => Placed::new(&self.facts(id).footprints[self.unit(id).formation.index()], pose),
        }
    }

    /// A unit where it would lie in another formation.
    #[must_use]
    pub fn placed_as(&self, id: UnitId, formation: Formation, pose: Pose) -> Placed {
        Placed::new(&self.facts(id).footprints[formation.index()], pose)
    }

    /// A unit as far as the ground is concerned.
    #[must_use]
    pub fn troop(&self, id: UnitId) -> Troop {
        self.troop_as(id, self.unit(id).formation)
    }

    /// A unit in another formation, as far as the ground is concerned.
    #[must_use]
    pub fn troop_as(&self, id: UnitId, formation: Formation) -> Troop {
        let facts = self.facts(id);
        Troop { arm: facts.arm, formation, abilities: facts.abilities, horse: facts.horse }
    }

    /// Unlimbered artillery.
    #[must_use]
    pub fn is_unlimbered(&self, id: UnitId) -> bool {
        self.facts(id).arm == Arm::Artillery && self.unit(id).formation == Formation::Line
    }

    /// A unit's quality. Before it has been rolled nothing happens that asks for it; Trained stands in.
    #[must_use]
    pub fn quality(&self, id: UnitId) -> Quality {
        self.unit(id).quality.unwrap_or(Quality::Trained)
    }

    /// What a unit has suffered.
    #[must_use]
    pub fn condition(&self, id: UnitId) -> Condition {
        let unit = self.unit(id);
        Condition { quality: self.quality(id), staggers: unit.staggers, kills: unit.kills }
    }

    /// The formation that a forced order wants of a unit in the orders phase that is going on (HZ-FOR-04, HZ-FOR-09).
    #[must_use]
    pub fn forced_formation(&self, id: UnitId) -> Option<Formation> {
        match self.unit(id) {
            Unit { forced: Some(Forced::FormLine), forced_later: false, .. } => Some(Formation::Line),
            Unit { forced: Some(Forced::FormSquare), forced_later: false, .. } => Some(Formation::Square),
            _ => None,
        }
    }

    /// The full allowance of a unit in a formation.
    #[must_use]
    pub fn allowance_as(&self, id: UnitId, formation: Formation) -> Length {
        let facts = self.facts(id);
        decides!(HZ_ADV_01);
        self.lay.length(self.numbers().moves.allowance(facts.arm, formation, facts.guns, facts.draught))
    }

    /// The full allowance of a unit.
    #[must_use]
    pub fn allowance(&self, id: UnitId) -> Length {
        self.allowance_as(id, self.unit(id).formation)
    }

    // ------------------------------------------------------------------ officers

    /// Whether an officer is on the table.
    #[must_use]
    pub fn is_there(&self, id: OfficerId) -> bool {
        self.officer(id).status == OfficerStatus::Present
    }

    /// How good an officer is; Average before it has been rolled.
    #[must_use]
    pub fn ability(&self, id: OfficerId) -> Ability {
        self.officer(id).ability.unwrap_or(Ability::Average)
    }

    /// His command rating (HZ-CMD-03).
    #[must_use]
    pub fn rating(&self, id: OfficerId) -> i32 {
        decides!(HZ_CMD_03);
        self.numbers().command_rating.of(self.ability(id))
    }

    /// The command an officer acts for: his own, or the one he has superseded.
    #[must_use]
    pub fn acts_for(&self, id: OfficerId) -> CommandId {
        decides!(HZ_OFF_13);
        self.officer(id).supersedes.unwrap_or(self.officer_facts(id).command)
    }

    /// The level at which he acts.
    #[must_use]
    pub fn acts_at(&self, id: OfficerId) -> Level {
        self.command_facts(self.acts_for(id)).level
    }

    /// His command radius (HZ-CMD-02, HZ-OFF-18).
    #[must_use]
    pub fn radius(&self, id: OfficerId) -> Length {
        decides!(HZ_CMD_02, HZ_OFF_18);
        self.lay.length(self.numbers().command_radius.of(self.acts_at(id), self.ability(id)))
    }

    /// Where an officer is: with the unit he is attached to, at the middle of its rear, or where he stands.
    #[must_use]
    pub fn officer_at(&self, id: OfficerId) -> Point {
        decides!(HZ_OFF_10);
        self.officer(id).at
    }

    /// The officer attached to a unit.
    #[must_use]
    pub fn attached_to(&self, unit: UnitId) -> Option<OfficerId> {
        self.officer_ids().find(|&id| self.officer(id).with == Some(unit) && self.is_there(id))
    }

    /// Who is attached to a unit, for its tests.
    #[must_use]
    pub fn attached(&self, unit: UnitId) -> Attached {
        match self.attached_to(unit) {
            None => Attached::Nobody,
            Some(id) if self.officer(id).inspirational => Attached::Inspirational,
            Some(_) => Attached::Officer,
        }
    }

    /// The commander in chief of a side.
    #[must_use]
    pub fn chief(&self, side: Side) -> OfficerId {
        self.command_facts(self.lay.armies[side.index()].command).officer
    }

    /// Whether the same player gives the orders of two officers of a side (HZ-GEN-12).
    #[must_use]
    pub fn same_player(&self, one: OfficerId, other: OfficerId) -> bool {
        decides!(HZ_GEN_12);
        let (one, other) = (self.officer_facts(one), self.officer_facts(other));
        one.side == other.side && one.player == other.player
    }

    /// The officer who leads a command now: its own, or the commander in chief who has superseded him; nobody where the
    /// post is vacant or he is off the table.
    #[must_use]
    pub fn leader(&self, command: CommandId) -> Option<OfficerId> {
        let facts = self.command_facts(command);
        let chief = self.chief(facts.side);
        if self.is_there(chief) && self.officer(chief).supersedes == Some(command) {
            return Some(chief);
        }
        decides!(HZ_OFF_26, HZ_REI_04);
        self.is_there(facts.officer).then_some(facts.officer)
    }

    /// Whether a command is the other or lies somewhere below it.
    #[must_use]
    pub fn is_within(&self, command: CommandId, outer: CommandId) -> bool {
        let mut here = Some(command);
        while let Some(id) = here {
            if id == outer {
                return true;
            }
            here = self.command_facts(id).above;
        }
        false
    }
}
