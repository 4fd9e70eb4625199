//! Lays a scenario out, and says what contradicts the book.

pub(crate) mod places;
pub(crate) mod save;

mod arrivals;
mod moment;
mod objectives;
mod units;

use sabretache_engine::decides;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, FileAngle, FilePoint, Path, Scenario, with_overrides};
use sabretache_kit::shapes::not_laid;
use sabretache_table::{Ground, OnTable, Pose, Tabletop, overlap, overlapping};

use crate::battle::{
    Abandoned, Arrival, Baseline, Battle, Brigade, Chase, Contact, Facts, Fixed, General, Kind, Order, Pending, Place,
    Step, ThisTurn, Unit,
};
use crate::body::state::{PendingEntry, State};
use crate::body::{Body, UnitEntry, Victory};
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::phases::charges::launch::Launch;
use crate::phases::screens;
use crate::phases::shooting::battering::Batter;
use crate::table::memo::Memo;
use crate::table::shape::{named_by_width, stands_for};
use crate::terrain::barriers::{self, Battered, Break};
use crate::terrain::{self, Terrain};
use crate::troops::{Arm, Formation, GunClass, Nation, Weapon, Weight};

/// Reads a scenario and reports.
pub(crate) struct Reader<'a> {
    pub(crate) scenario: &'a Scenario<Body>,
    pub(crate) report: &'a mut Diagnostics,
    pub(crate) numbers: Numbers,
}

pub(crate) fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
    let national = with_nations(scenario);
    let screened = screens::with_screens(&national);
    let scenario = &*crate::phases::towns::detach::with_parts(&screened);
    let numbers = with_overrides(&Numbers::default(), &scenario.numbers, report)?;
    let mut reader = Reader { scenario, report, numbers };
    reader.ids();
    reader.victory(&scenario.body.victory);
    let objectives = reader.objectives();
    let brigades = reader.brigades();
    let (terrain, ground) = reader.ground()?;
    let facts: Vec<Facts> = (0..scenario.body.units.len()).map(|n| reader.facts(n)).collect();
    let generals = reader.generals();
    reader.report.clean().ok()?;
    let mut units: Vec<Unit> = (0..facts.len()).map(|n| reader.unit(n, &facts[n])).collect();
    for n in 0..units.len() {
        let screen = facts[n].screen.map(|screen| units[screen.index()]);
        units[n].out = screen.filter(|screen| screen.place == Place::Table).map_or(0, |screen| screen.figures);
    }
    reader.sizes();
    let state = &scenario.body.state;
    let measure = scenario.measure;
    let first = match &state.first {
        Some(id) => reader.side(id, Path::root().key("state").key("first")),
        None => Side::A,
    };
    let moving = state.moving.as_ref().and_then(|id| reader.unit_named(id, Path::root().key("state").key("moving")));
    let contacts = reader.contacts();
    let at = Path::root().key("state");
    let mut shots = Vec::new();
    for (n, shot) in state.shots.iter().enumerate() {
        let at = at.clone().key("shots").item(n);
        let (unit, target) = (reader.unit_named(&shot.unit, at.clone()), reader.unit_named(&shot.at, at.clone()));
        let favours = shot.favours.iter().filter_map(|id| reader.unit_named(id, at.clone().key("favours"))).collect();
        shots.extend(unit.zip(target).map(|(unit, at)| Order {
            unit,
            at,
            shot: shot.shot,
            side: shot.side.map(|side| side.saturating_sub(1)),
            favours,
        }));
    }
    let mut placed_at = |key: &str, entries: &[crate::body::state::TrackEntry]| {
        let mut found = Vec::new();
        for (n, track) in entries.iter().enumerate() {
            let unit = reader.unit_named(&track.unit, Path::root().key("state").key(key).item(n));
            found.extend(unit.map(|unit| (unit, Pose::new(measure.point(track.at), track.facing.heading()))));
        }
        found
    };
    let tracks = placed_at("tracks", &state.tracks);
    let abandoned =
        placed_at("abandoned", &state.abandoned).into_iter().map(|(unit, pose)| Abandoned { unit, pose }).collect();
    let (parted, chases) = (reader.pairs("parted"), reader.chases());
    let (favours, volleys) = (reader.pairs("favours"), reader.volleys());
    let (breaks, battered, batters) = reader.broken();
    let (pending, launch) = (reader.pending(), reader.launch(&units));
    reader.report.clean().ok()?;
    let table = Tabletop::new(measure.length(scenario.table.width), measure.length(scenario.table.depth));
    let barriers = barriers::barriers(&ground, &terrain, &reader.numbers);
    let blocks = terrain::towns::blocks(&ground, &terrain);
    for unit in &mut units {
        // Where a garrison stands in its block does not matter.
        let block = unit.inside.and_then(|inside| blocks.iter().find(|block| block.ground == inside));
        unit.pose = block.map_or(unit.pose, |block| block.placed.pose());
    }
    let fixed = Fixed {
        barriers,
        blocks,
        scenario: without_state(scenario),
        numbers: reader.numbers.clone(),
        options: scenario.body.options,
        table,
        ground,
        terrain,
        facts,
        brigades,
        objectives,
    };
    let mut battle = Battle {
        fixed: Arc::new(fixed),
        units,
        generals,
        contacts,
        shots,
        tracks,
        abandoned,
        parted,
        favours,
        volleys,
        chases,
        breaks,
        battered,
        batters,
        turn: state.turn,
        first,
        step: state.step,
        moving,
        pending,
        launch,
        memo: Memo::default(),
    };
    battle.refresh();
    reader.garrisons(&battle);
    reader.report.clean().ok()?;
    reader.places(&battle);
    report.clean().ok()?;
    // A unit set up in broken ground begins disordered (BB-TER-01).
    for n in 0..battle.units.len() {
        let unit = UnitId(n as u16);
        let (state, facts) = (battle.unit(unit), battle.facts(unit));
        if state.place == Place::Table && battle.disordering(state, facts, &battle.placed(unit)).is_some() {
            battle.units[n].disordered = true;
        }
    }
    // What a unit suffers from as a turn begins, it may recover from in that turn (BB-STA-12).
    if matches!(battle.step, Step::Initiative | Step::Choice) {
        for unit in &mut battle.units {
            (unit.now.was_shaken, unit.now.was_disordered) = (unit.shaken, unit.disordered);
        }
    }
    battle.refresh();
    Some(battle)
}

/// The scenario with the nation of a brigade given to its units.
fn with_nations(scenario: &Scenario<Body>) -> Cow<'_, Scenario<Body>> {
    if scenario.body.brigades.iter().all(|brigade| brigade.nation.is_none()) {
        return Cow::Borrowed(scenario);
    }
    let mut scenario = scenario.clone();
    let nations: Vec<(String, Option<Nation>)> =
        scenario.body.brigades.iter().map(|brigade| (brigade.id.clone(), brigade.nation)).collect();
    for unit in scenario.body.units.iter_mut().filter(|unit| unit.nation.is_none()) {
        unit.nation = nations.iter().find(|(id, _)| *id == unit.brigade).and_then(|(_, nation)| *nation);
    }
    Cow::Owned(scenario)
}

fn unit_id(n: usize) -> UnitId {
    UnitId(n as u16)
}

/// The scenario without what changes in a battle, so that two moments of one battle share it.
fn without_state(scenario: &Scenario<Body>) -> Scenario<Body> {
    let mut scenario = scenario.clone();
    scenario.body.state = State::default();
    for entry in &mut scenario.body.units {
        (entry.wings, entry.turns, entry.started) = (Vec::new(), Vec::new(), None);
        entry.at = FilePoint::default();
        entry.facing = FileAngle::default();
        (entry.formation, entry.width, entry.figures, entry.guns, entry.place) = (None, None, None, None, None);
        (entry.limbered, entry.shaken, entry.disordered, entry.fought, entry.spotted) =
            (false, false, false, false, false);
        (entry.away, entry.fled_once, entry.rounds, entry.advanced, entry.reforming) = (false, false, 0, false, false);
        entry.chases = 0;
        (entry.climbs, entry.inside) = (false, None);
        entry.now = ThisTurn::default();
    }
    for entry in &mut scenario.body.generals {
        entry.at = FilePoint::default();
        (entry.charisma, entry.with, entry.lost, entry.rode, entry.points) = (None, None, false, false, 0);
        entry.awaited = false;
    }
    scenario
}

impl Reader<'_> {
    pub(crate) fn at_unit(n: usize) -> Path {
        Path::root().key("units").item(n)
    }

    /// Ids are words, and no two are the same.
    fn ids(&mut self) {
        let body = &self.scenario.body;
        let lists: [(&str, Vec<&String>); 3] = [
            ("units", body.units.iter().map(|entry| &entry.id).collect()),
            ("brigades", body.brigades.iter().map(|entry| &entry.id).collect()),
            ("generals", body.generals.iter().map(|entry| &entry.id).collect()),
        ];
        for (key, ids) in lists {
            let mut seen = BTreeSet::new();
            for (n, id) in ids.into_iter().enumerate() {
                let at = Path::root().key(key).item(n).key("id");
                if id.is_empty() || id.contains(char::is_whitespace) || id.starts_with(['#', '@', '%', '~']) {
                    self.report.error(at, "an id is a word without spaces");
                } else if !seen.insert(id) {
                    self.report.error(at, format!("there are two '{id}'"));
                }
            }
        }
    }

    fn side(&mut self, id: &str, at: Path) -> Side {
        let found = self.scenario.sides.iter().position(|side| side.id == id);
        found.and_then(|n| Side::BOTH.get(n).copied()).unwrap_or_else(|| {
            let names: Vec<&str> = self.scenario.sides.iter().map(|side| side.id.as_str()).collect();
            self.report.error_with_help(at, format!("there is no side '{id}'"), format!("one of {}", names.join(", ")));
            Side::A
        })
    }

    fn unit_named(&mut self, id: &str, at: Path) -> Option<UnitId> {
        let found = self.scenario.body.units.iter().position(|unit| unit.id == id);
        if found.is_none() {
            self.report.error(at, format!("there is no unit '{id}'"));
        }
        found.map(|n| UnitId(n as u16))
    }

    fn brigade_named(&mut self, id: &str, at: Path) -> Option<CommandId> {
        let found = self.scenario.body.brigades.iter().position(|brigade| brigade.id == id);
        if found.is_none() {
            self.report.error(at, format!("there is no brigade '{id}'"));
        }
        found.map(|n| CommandId(n as u16))
    }

    fn victory(&mut self, victory: &Victory) {
        let at = Path::root().key("victory");
        if let Some(defender) = &victory.defender {
            self.side(defender, at.clone().key("defender"));
        }
        for (n, objective) in victory.objectives.iter().enumerate() {
            if let Some(id) = &objective.held_by {
                self.side(id, at.clone().key("objectives").item(n).key("held_by"));
            }
        }
        if victory.losses.is_none() && victory.objectives.is_empty() && self.scenario.body.objectives.is_empty() {
            self.report.unusual(Some(BB_GEN_11), at, "nobody can win: only the losses will be told at the end");
        }
    }

    fn brigades(&mut self) -> Vec<Brigade> {
        let measure = self.scenario.measure;
        let mut brigades = Vec::new();
        for (n, entry) in self.scenario.body.brigades.iter().enumerate() {
            let at = Path::root().key("brigades").item(n);
            let side = self.side(&entry.side, at.clone().key("side"));
            decides!(BB_MOR_40, BB_MOR_41);
            let baseline = match (entry.baseline, entry.centre) {
                (Some(edge), None) => Baseline::Edge(edge.into()),
                (None, Some(centre)) => Baseline::Centre(measure.point(centre)),
                _ => {
                    let help = "a table edge as `baseline`, or the `centre` of a surrounded force";
                    self.report.against(BB_MOR_40, at, "a brigade has one baseline", help);
                    Baseline::Edge(sabretache_table::Edge::South)
                }
            };
            let arrives = self.arrival(n, baseline);
            brigades.push(Brigade { side, baseline, arrives });
        }
        for side in Side::BOTH {
            decides!(BB_GEN_10);
            let count = brigades.iter().filter(|brigade| brigade.side == side).count();
            if count > 6 {
                let message = format!("{count} brigades on one side are more than the usual 3 to 6");
                self.report.unusual(Some(BB_GEN_10), Path::root().key("brigades"), message);
            }
        }
        brigades
    }

    fn ground(&mut self) -> Option<(Vec<Terrain>, Ground)> {
        let body = &self.scenario.body;
        for (n, more) in body.terrain.iter().enumerate() {
            if !self.scenario.ground.iter().any(|piece| piece.id.as_ref() == Some(&more.ground)) {
                let at = Path::root().key("terrain").item(n).key("ground");
                self.report.error(at, format!("there is no ground '{}'", more.ground));
            }
        }
        let mut kinds = Vec::new();
        let mut features = Vec::new();
        for (n, piece) in self.scenario.ground.iter().enumerate() {
            let more = body.terrain.iter().find(|more| piece.id.as_ref() == Some(&more.ground));
            decides!(BB_OPT_14);
            if piece.kind == "city_wall" && !body.options.city_walls {
                let at = Path::root().key("ground").item(n);
                let help = "add `city_walls = true` under `options`";
                self.report.against(BB_OPT_14, at, "the rule for old city walls is not used", help);
            }
            kinds.push(terrain::read(piece, more, n, &self.numbers, self.report)?);
            features.push(terrain::feature(piece, n, self.scenario.measure));
        }
        match Ground::with_openings(features, &terrain::openings(&kinds)) {
            Ok(ground) => Some((kinds, ground)),
            Err(error) => {
                let (at, why) = not_laid(&self.scenario.ground, &error);
                self.report.against(BB_TER_07, at, why, "its edges must not cross each other");
                None
            }
        }
    }

    pub(crate) fn against(&mut self, clause: Clause, n: usize, key: &str, message: impl Into<String>, help: &str) {
        self.report.against(clause, Self::at_unit(n).key(key), message, help);
    }
}
