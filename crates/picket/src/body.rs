//! What Picket adds to a scenario file, and how a battle is laid out from it and saved to it.

use std::sync::Arc;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, FileAngle, FilePoint, Path, Scenario};
use sabretache_kit::{Names, names, numbers, side_of};
use sabretache_table::{Footprint, Length, OnTable, Placed, Pose, Tabletop, overlapping};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::{Battle, Fixed, Halted, Picket};
use crate::clauses::{PK_MOV_02, PK_MOV_03, PK_SEQ_01};
use crate::numbers::Numbers;

/// Picket's part of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// How many turns the battle lasts.
    #[schemars(range(min = 1, max = 100))]
    pub turns: u32,
    /// The pickets of both sides.
    #[schemars(length(min = 1, max = 64))]
    pub units: Vec<UnitEntry>,
    /// Where a battle in progress stands.
    #[serde(default)]
    pub state: State,
}

/// A picket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// Where the middle of its front is.
    pub at: FilePoint,
    /// Which way it faces, in degrees clockwise from north.
    pub facing: FileAngle,
    /// What it needs to stand on two dice.
    #[schemars(range(min = 2, max = 12))]
    pub steadiness: u8,
    /// It has fired and not yet reloaded.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fired: bool,
    /// It has acted this turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub acted: bool,
    /// It has fallen back.
    #[serde(default, skip_serializing_if = "is_false")]
    pub gone: bool,
}

/// Where a battle in progress stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// The turn, counted from 1.
    #[schemars(range(min = 1))]
    pub turn: u32,
    /// The id of the side whose turn it is; the first side when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phasing: Option<String>,
    /// A move that an enemy may fire at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halted: Option<HaltedEntry>,
}

/// A move that an enemy may fire at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HaltedEntry {
    /// Who moves.
    pub mover: String,
    /// How much of the move is left, in micrometres.
    pub left: u32,
    /// Who may fire now.
    pub firer: String,
    /// Who has been asked already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<String>,
}

impl Default for State {
    fn default() -> Self {
        Self { turn: 1, phasing: None, halted: None }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

pub(crate) fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
    let measure = scenario.measure;
    let table = Tabletop::new(measure.length(scenario.table.width), measure.length(scenario.table.depth));
    let roster = Names::read("units", "picket", scenario.body.units.iter().map(|entry| &entry.id), report);
    let mut pickets = Vec::new();
    for (n, entry) in scenario.body.units.iter().enumerate() {
        let at = Path::root().key("units").item(n).key("side");
        let side = names::read_side(scenario, &entry.side, at, report);
        let pose = Pose::new(measure.point(entry.at), entry.facing.heading());
        pickets.push(Picket { side, pose, fired: entry.fired, acted: entry.acted, gone: entry.gone });
    }
    report.clean().ok()?;
    let numbers: Numbers = numbers::of_scenario(scenario, report)?;
    let footprint = Footprint::single(Length::cm(6), Length::cm(2));
    let fixed = Fixed { footprint, table, walls: table.walls(), numbers, scenario: without_state(scenario) };
    refuse_impossible_places(&pickets, &fixed, report);
    let state = &scenario.body.state;
    let phasing = state.phasing.as_deref().map_or(Some(Side::A), |id| side_of(scenario, id));
    if phasing.is_none() {
        report.error(Path::root().key("state").key("phasing"), "there is no such side");
    }
    let halted = state.halted.as_ref().and_then(|halted| halted_of(&roster, &pickets, phasing?, halted, report));
    report.clean().ok()?;
    Some(Battle { fixed: Arc::new(fixed), pickets, turn: state.turn, phasing: phasing?, halted })
}

/// The scenario without what changes in a battle, so that two moments of one battle share it.
fn without_state(scenario: &Scenario<Body>) -> Scenario<Body> {
    let mut scenario = scenario.clone();
    scenario.body.state = State::default();
    for entry in &mut scenario.body.units {
        entry.at = FilePoint::default();
        entry.facing = FileAngle::default();
        (entry.fired, entry.acted, entry.gone) = (false, false, false);
    }
    scenario
}

fn refuse_impossible_places(pickets: &[Picket], fixed: &Fixed, report: &mut Diagnostics) {
    let placed: Vec<Placed> = pickets.iter().map(|picket| Placed::new(&fixed.footprint, picket.pose)).collect();
    let mut against = |clause: Clause, n: usize, message: String, help: &str| {
        report.against(clause, Path::root().key("units").item(n).key("at"), message, help);
    };
    for (n, here) in placed.iter().enumerate().filter(|(n, _)| !pickets[*n].gone) {
        if fixed.table.on_table(here) != OnTable::Wholly {
            against(PK_MOV_03, n, "it stands over the edge of the table".into(), "move it inwards");
        }
        let other = (0..n).find(|other| !pickets[*other].gone && overlapping(here, &placed[*other]));
        if let Some(other) = other {
            let name = &fixed.scenario.body.units[other].id;
            against(PK_MOV_02, n, format!("it stands on top of '{name}'"), "move one of them");
        }
    }
}

fn halted_of(
    roster: &Names,
    pickets: &[Picket],
    phasing: Side,
    halted: &HaltedEntry,
    report: &mut Diagnostics,
) -> Option<Halted> {
    let at = Path::root().key("state").key("halted");
    let mut find = |id: &str, key: &str, side: Side| {
        let can_be_meant = |unit: &UnitId| pickets[unit.index()].side == side && !pickets[unit.index()].gone;
        let found = roster.unit(id).filter(can_be_meant);
        if found.is_none() {
            let message = format!("'{id}' is no picket that can be meant here");
            report.against(PK_SEQ_01, at.clone().key(key), message, "name one on the right side that is on the table");
        }
        found
    };
    let mover = find(&halted.mover, "mover", phasing);
    let firer = find(&halted.firer, "firer", phasing.other());
    let asked = halted.asked.iter().map(|id| find(id, "asked", phasing.other())).collect::<Option<_>>();
    let left = Length::um(i32::try_from(halted.left).unwrap_or(0));
    Some(Halted { mover: mover?, firer: firer?, left, asked: asked? })
}

pub(crate) fn save(battle: &Battle) -> Scenario<Body> {
    let mut scenario = battle.fixed.scenario.clone();
    let measure = scenario.measure;
    for (entry, picket) in scenario.body.units.iter_mut().zip(&battle.pickets) {
        entry.at = measure.pair(picket.pose.at);
        entry.facing = picket.pose.heading.into();
        entry.fired = picket.fired;
        entry.acted = picket.acted;
        entry.gone = picket.gone;
    }
    let id = |unit: UnitId| battle.fixed.entry(unit).id.clone();
    scenario.body.state = State {
        turn: battle.turn,
        phasing: Some(names::id_of(&battle.fixed.scenario, battle.phasing)),
        halted: battle.halted.as_ref().map(|halted| HaltedEntry {
            mover: id(halted.mover),
            left: halted.left.to_um().max(0) as u32,
            firer: id(halted.firer),
            asked: halted.asked.iter().map(|unit| id(*unit)).collect(),
        }),
    };
    scenario
}
