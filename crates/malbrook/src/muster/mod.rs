//! From a scenario to a battle: everything that contradicts the book is reported at once.

use std::sync::Arc;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, Path, Scenario, with_overrides};
use sabretache_table::{Edge, Heading, Length, OnTable, Point, Pose, Tabletop, overlap, overlapping};

use crate::battle::{Battle, Fixed};
use crate::body::{Body, LeaderEntry, State, UnitEntry};
use crate::brigade::{Brigade, LastMove, Leader, Order, Status};
use crate::clauses::{MB_GEN_07, MB_UMP_02};
use crate::event::Phase;
use crate::numbers::{Base, Numbers};
use crate::phases::objectives;
use crate::phases::pending::Pending;
use crate::situations::Cover;
use crate::table::lay::Figure;
use crate::terrain::lay_ground;
use crate::troops::{Formation, Grade, Kind, Rank, Style, grade_of_mixture, may_charge_a_loutrance};

mod checks;
mod leaders;
mod save;
mod units;

pub(crate) use save::{edge_of, save};

use checks::{refuse_impossible_places, refuse_wrong_tokens};
use save::without_state;

struct Muster<'a> {
    scenario: &'a Scenario<Body>,
    numbers: Numbers,
    report: &'a mut Diagnostics,
}

fn of_units(n: usize) -> Path {
    Path::root().key("units").item(n)
}

fn of_leaders(n: usize) -> Path {
    Path::root().key("leaders").item(n)
}

/// Lays out a scenario.
pub(crate) fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
    let measure = scenario.measure;
    let table = Tabletop::new(measure.length(scenario.table.width), measure.length(scenario.table.depth));
    let numbers = with_overrides(&Numbers::default(), &scenario.numbers, report)?;
    let (ground, lands) = lay_ground(&scenario.ground, measure, report)?;
    let mut muster = Muster { scenario, numbers, report };
    let mut leaders = muster.leaders();
    let mut units = muster.units();
    muster.report.clean().ok()?;
    let facing = muster.facings()?;
    muster.commands(&units, &leaders);
    muster.players();
    let zones: Vec<Vec<Point>> = scenario
        .body
        .leaders
        .iter()
        .map(|entry| entry.zone.iter().map(|pair| measure.point(*pair)).collect())
        .collect();
    let placeless: Vec<usize> =
        scenario.body.units.iter().enumerate().filter(|(_, entry)| entry.at.is_none()).map(|(n, _)| n).collect();
    for (n, entry) in scenario.body.units.iter().enumerate() {
        if entry.facing.is_none() {
            units[n].pose.heading = facing[units[n].side.index()];
        }
    }
    crate::phases::deploy::lay_out(&mut units, &placeless, &zones, &leaders, table, facing, muster.report);
    muster.settle_leaders(&mut leaders, &units, &zones);
    let Muster { numbers, report, .. } = muster;

    let state = &scenario.body.state;
    let count = |side: Side, such: fn(&Brigade) -> bool| {
        units.iter().filter(|one| one.side == side && such(one)).map(|one| u32::from(one.bases)).sum::<u32>()
    };
    let started = state.started.unwrap_or_else(|| Side::BOTH.map(|side| count(side, |one| one.kind.is_brigade())));
    let guns = state.guns_started.unwrap_or_else(|| Side::BOTH.map(|side| count(side, |one| one.kind.is_gun())));
    let turns = scenario.body.turns.unwrap_or(numbers.turns);
    if turns == 0 || state.turn > turns.saturating_add(1) {
        report.error(Path::root().key("state").key("turn"), "the battle would be over by then");
    }
    let side_of = |id: &Option<String>| id.as_ref().and_then(|id| side_of(scenario, id));
    let attacker = side_of(&scenario.body.attacker);
    let first = side_of(&state.first).or(attacker).unwrap_or(Side::A);
    let crews = scenario.body.units.iter().enumerate().filter_map(|(n, entry)| {
        let with = scenario.body.units.iter().position(|one| Some(&one.id) == entry.crew_with.as_ref())?;
        Some((UnitId(n as u16), UnitId(with as u16)))
    });
    for (n, objective) in scenario.body.objectives.iter().enumerate() {
        objectives::check(scenario, objective, &Path::root().key("objectives").item(n), report);
    }
    let held = scenario.body.objectives.iter().map(|one| side_of(&one.holder().map(str::to_owned))).collect();
    let memo = crate::table::memo::Memo::of(&units);
    let mut battle = Battle {
        crews: crews.collect(),
        units,
        leaders,
        turn: state.turn,
        phase: state.phase,
        active: side_of(&state.active).unwrap_or(first),
        first,
        chooser: state.chooser,
        group: state.group,
        pending: Pending::of(state),
        closing: state.closing.clone(),
        ahead: state.ahead,
        fights: state.fights.clone(),
        blows: state.blows.clone(),
        dispatches: state.dispatches.clone(),
        taken: state.taken.clone(),
        searched: state.searched.clone(),
        floor: state.floor,
        finished: state.finished,
        held,
        memo,
        fixed: Arc::new(Fixed {
            table,
            ground,
            roads: lands.iter().any(|land| land.road),
            heights: lands.iter().any(|land| land.hill || land.cover == Cover::Fortifications),
            screens: lands.iter().any(|land| land.screens),
            lands,
            numbers,
            scenario: without_state(scenario),
            facing,
            started,
            attacker,
            zones,
            guns_started: guns,
        }),
    };
    refuse_impossible_places(&battle, report);
    refuse_wrong_tokens(&battle, report);
    report.clean().ok()?;
    if battle.turn == 0 && battle.phase != Phase::Deployment {
        crate::phases::turn::begin(&mut battle, attacker);
    }
    Some(battle)
}

pub(crate) fn side_of(scenario: &Scenario<Body>, id: &str) -> Option<Side> {
    let position = scenario.sides.iter().position(|side| side.id == id)?;
    Side::BOTH.get(position).copied()
}

impl Muster<'_> {
    /// Several players a side: each names leaders of it (MB-UMP-02).
    fn players(&mut self) {
        for (n, player) in self.scenario.body.players.iter().enumerate() {
            let at = Path::root().key("players").item(n);
            self.side(&player.side, at.clone().key("side"));
            for leader in &player.leaders {
                let known = self.scenario.body.leaders.iter().any(|one| one.id == *leader && one.side == player.side);
                if !known {
                    let message = format!("'{leader}' is no leader of that side");
                    self.against(MB_UMP_02, at.clone().key("leaders"), message, "name leaders of his side");
                }
            }
        }
    }

    /// Leaders without a place of their own are put into their zones; how many bases each began with.
    fn settle_leaders(&mut self, leaders: &mut [Leader], units: &[Brigade], zones: &[Vec<Point>]) {
        for n in 0..leaders.len() {
            let entry = &self.scenario.body.leaders[n];
            if entry.at.is_none() && !zones[n].is_empty() {
                let sum = zones[n].iter().fold(sabretache_table::Vec2::default(), |sum, at| sum + at.v());
                leaders[n].at = Point::rounded(sum * (1.0 / zones[n].len() as f64));
            }
            if entry.started.is_none() {
                let under = |unit: &Brigade| {
                    let mut above = Some(unit.under);
                    while let Some(one) = above.filter(|one| one.index() != n) {
                        above = leaders[one.index()].above;
                    }
                    above.is_some() && unit.kind.is_brigade() && unit.part == 0
                };
                leaders[n].started = units.iter().filter(|unit| under(unit)).map(|unit| u32::from(unit.bases)).sum();
            }
        }
    }

    fn against(&mut self, clause: Clause, at: Path, message: impl Into<String>, help: &str) {
        self.report.against(clause, at, message, help);
    }

    fn side(&mut self, id: &str, at: Path) -> Side {
        side_of(self.scenario, id).unwrap_or_else(|| {
            let sides: Vec<&str> = self.scenario.sides.iter().map(|side| side.id.as_str()).collect();
            self.report.error_with_help(at, format!("there is no side '{id}'"), format!("one of {}", sides.join(", ")));
            Side::A
        })
    }

    fn id(&mut self, id: &str, earlier: bool, at: Path) {
        if id.is_empty() || id.contains(char::is_whitespace) {
            self.report.error(at.clone(), "an id is a word without spaces");
        }
        if earlier {
            self.report.error(at, format!("there are two called '{id}'"));
        }
    }

    /// Which way each army faces: away from its own edge (MB-GEN-07).
    fn facings(&mut self) -> Option<[Heading; 2]> {
        let mut facing = [None; 2];
        for (n, army) in self.scenario.body.armies.iter().enumerate() {
            let side = self.side(&army.side, Path::root().key("armies").item(n).key("side"));
            facing[side.index()] = Some(army.edge.heading().reversed());
        }
        let [Some(a), Some(b)] = facing else {
            self.against(MB_GEN_07, Path::root().key("armies"), "each side has one army with its own edge", "add it");
            return None;
        };
        if a == b {
            self.against(MB_GEN_07, Path::root().key("armies"), "both armies have the same edge", "give each its own");
        }
        Some([a, b])
    }
}
