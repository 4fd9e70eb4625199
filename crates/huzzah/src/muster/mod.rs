//! Lays out a scenario as a battle. What contradicts the rules is reported, all of it at once, with its place and clause.

mod advice;
mod ground;
mod hedges;
mod people;
mod reinforcements;
mod save;
mod siege;
mod state;
mod units;

use std::collections::BTreeMap;
use std::sync::Arc;

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, Path, Scenario, with_overrides};
use sabretache_table::{Length, Tabletop};

pub use save::save;
pub(crate) use units::can_form;

use crate::battle::Battle;
use crate::body::{Basing, Body, Goal};
use crate::clauses::{HZ_SCL_02, HZ_SCL_05, HZ_SCL_06, HZ_SCL_07, HZ_SCL_08, HZ_SCL_09, HZ_VIC_02};
use crate::lay::{ArmyFacts, Lay, ObjectiveFacts, Sizes};
use crate::numbers::{Basing as Scheme, Numbers};

/// Who is who in the file being read.
struct Names {
    sides: [String; 2],
    commands: BTreeMap<String, CommandId>,
    units: BTreeMap<String, UnitId>,
}

impl Names {
    fn of(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Self {
        let body = &scenario.body;
        fn index<Id>(
            list: &str,
            ids: impl Iterator<Item = String>,
            id: impl Fn(u16) -> Id,
            report: &mut Diagnostics,
        ) -> BTreeMap<String, Id> {
            let mut known = BTreeMap::new();
            for (n, name) in ids.enumerate() {
                let path = Path::root().key(list).item(n).key("id");
                if name.is_empty() || name.contains(char::is_whitespace) {
                    report.error(path.clone(), "an id is a short name without spaces");
                }
                if known.insert(name.clone(), id(n as u16)).is_some() {
                    report.error(path, format!("\"{name}\" is there twice"));
                }
            }
            known
        }
        let commands = index("commands", body.commands.iter().map(|entry| entry.id.clone()), CommandId, report);
        index("officers", body.officers.iter().map(|entry| entry.id.clone()), OfficerId, report);
        let units = index("units", body.units.iter().map(|entry| entry.id.clone()), UnitId, report);
        let mut sides = scenario.sides.iter().map(|side| side.id.clone());
        Self { sides: [sides.next().unwrap_or_default(), sides.next().unwrap_or_default()], commands, units }
    }

    fn side(&self, id: &str, path: Path, report: &mut Diagnostics) -> Option<Side> {
        match self.sides.iter().position(|side| side == id) {
            Some(0) => Some(Side::A),
            Some(_) => Some(Side::B),
            None => {
                let help = format!("\"{}\" or \"{}\"", self.sides[0], self.sides[1]);
                report.error_with_help(path, format!("no side is called \"{id}\""), help);
                None
            }
        }
    }

    fn command(&self, id: &str, path: Path, report: &mut Diagnostics) -> Option<CommandId> {
        let found = self.commands.get(id).copied();
        if found.is_none() {
            report.error(path, format!("no command is called \"{id}\""));
        }
        found
    }

    fn unit(&self, id: &str, path: Path, report: &mut Diagnostics) -> Option<UnitId> {
        let found = self.units.get(id).copied();
        if found.is_none() {
            report.error(path, format!("no unit is called \"{id}\""));
        }
        found
    }
}

/// The basing scheme a scenario names.
fn scheme(numbers: &Numbers, basing: Basing) -> Scheme {
    match basing {
        Basing::Universal => {
            decides!(HZ_SCL_05);
            numbers.universal
        }
        Basing::Metre15 => {
            decides!(HZ_SCL_06);
            numbers.metre15
        }
        Basing::Pace15 => {
            decides!(HZ_SCL_07);
            numbers.pace15
        }
        Basing::Pace25 => {
            decides!(HZ_SCL_08);
            numbers.pace25
        }
        Basing::Inch => {
            decides!(HZ_SCL_09);
            numbers.inch
        }
    }
}

/// Lays out a scenario. With an error there is no battle.
pub fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
    let body = &scenario.body;
    let measure = scenario.measure;
    let names = Names::of(scenario, report);
    if scenario.sides.len() != 2
        || body.units.len() > 4_000
        || body.commands.len() > 4_000
        || scenario.ground.len() > 4_000
    {
        report
            .error(Path::root(), "a battle has two sides, and no more than 4,000 units, commands or pieces of ground");
        return None;
    }
    let numbers = with_overrides(Numbers::book(), &scenario.numbers, report)?;
    let mut options = body.options.clone();
    options.turns = body.turns.unwrap_or(options.turns);
    let band = Length::rounded(options.band_mm * 1_000.0);
    if !(options.band_mm.is_finite() && (5.0..=200.0).contains(&options.band_mm)) {
        let help = "50 for the standard scale; 25.4 or 30 on a smaller table";
        report.against(HZ_SCL_02, Path::root().key("options").key("band_mm"), "a band is 5 to 200 millimetres", help);
        return None;
    }
    let table = Tabletop::new(measure.length(scenario.table.width), measure.length(scenario.table.depth));
    let sizes = Sizes {
        touch: numbers.gaps.touching.on(band),
        clear: numbers.gaps.clear.on(band),
        adjacent: numbers.near.adjacent.on(band),
        band,
    };
    let (terrain, laid) = ground::lay(scenario, &body.state.gaps, report)?;
    siege::check(scenario, &terrain, report);
    let contingents = people::contingents(body, &names, report)?;
    let commands = people::commands(body, &names, measure, &table, report)?;
    let officers = people::officers(body, &names, &commands, measure, band, report)?;
    let commands = people::with_officers(commands, &officers);
    let facts =
        units::facts(body, &names, &commands, &contingents, &scheme(&numbers, options.basing), &numbers, report)?;
    let commands = people::with_units(commands, &facts);
    let armies = armies(scenario, &names, &commands, &table, &terrain, report)?;
    let commands = people::with_communications(commands, body, measure, &armies, &table, report);
    let objectives = objectives(scenario, &names, &commands, &table, report)?;
    if report.has_errors() {
        return None;
    }
    let lay = Lay {
        scenario: scenario.clone(),
        options,
        numbers,
        band,
        sizes,
        table,
        ground: laid,
        terrain,
        armies,
        contingents,
        commands,
        officers,
        units: facts,
        objectives,
    };
    advice::size(&lay, report);
    let battle = state::battle(Arc::new(lay), &names, report)?;
    units::check_positions(&battle, report);
    reinforcements::check(&battle, report);
    advice::give(&battle, report);
    (!report.has_errors()).then_some(battle)
}

/// The ground of a scenario with these gaps in its hedges.
pub(crate) fn relaid(
    scenario: &Scenario<Body>,
    gaps: &[crate::state::Gap],
) -> Option<(Vec<crate::terrain::Terrain>, sabretache_table::Ground)> {
    ground::lay(scenario, gaps, &mut Diagnostics::new())
}

/// The two armies, each with its line of communication.
fn armies(
    scenario: &Scenario<Body>,
    names: &Names,
    commands: &[crate::lay::CommandFacts],
    table: &Tabletop,
    terrain: &[crate::terrain::Terrain],
    report: &mut Diagnostics,
) -> Option<[ArmyFacts; 2]> {
    let body = &scenario.body;
    let mut found: [Option<ArmyFacts>; 2] = [None, None];
    for (n, entry) in body.armies.iter().enumerate() {
        let path = Path::root().key("armies").item(n);
        let Some(side) = names.side(&entry.id, path.clone().key("id"), report) else { continue };
        let top = commands.iter().position(|command| command.side == side && command.above.is_none());
        let Some(top) = top else { continue };
        let communication = match entry.communication {
            Some(pair) => {
                let point = scenario.measure.point(pair);
                ground::on_edge(point, table, path.clone().key("communication"), report);
                point
            }
            None => ground::communication(entry.baseline, table, terrain),
        };
        if found[side.index()].is_some() {
            report.error(path.key("id"), format!("the army \"{}\" is there twice", entry.id));
        }
        found[side.index()] = Some(ArmyFacts {
            command: CommandId(top as u16),
            baseline: entry.baseline,
            communication,
            skirmish_table: entry.skirmish_table,
            strength: commands[top].all_units.len() as u16,
        });
    }
    for side in Side::BOTH {
        if found[side.index()].is_none() {
            report
                .error(Path::root().key("armies"), format!("the army of \"{}\" is missing", names.sides[side.index()]));
        }
    }
    let [a, b] = found;
    Some([a?, b?])
}

/// What the battle is about: ground on the table, commands of the enemy's, units that there are (HZ-VIC-02).
fn objectives(
    scenario: &Scenario<Body>,
    names: &Names,
    commands: &[crate::lay::CommandFacts],
    table: &Tabletop,
    report: &mut Diagnostics,
) -> Option<Vec<ObjectiveFacts>> {
    decides!(HZ_VIC_02);
    let mut all = Vec::new();
    for (n, entry) in scenario.body.objectives.iter().enumerate() {
        let path = Path::root().key("objectives").item(n);
        entry.check(&path, &scenario.sides, report);
        let side_of = |id: Option<&str>| {
            let n = scenario.sides.iter().position(|side| Some(side.id.as_str()) == id)?;
            Side::BOTH.get(n).copied()
        };
        let Some(goal) = Goal::of(entry, side_of(entry.holder())) else { continue };
        let good_for = side_of(entry.side.as_deref());
        let sides = good_for.map_or_else(|| Side::BOTH.to_vec(), |side| vec![side]);
        let points = u16::try_from(entry.points).unwrap_or_else(|_| {
            report.against(HZ_VIC_02, path.clone().key("points"), "points are not less than none", "0 or more");
            0
        });
        for side in sides {
            // A command belongs to one side, and only the other wins by its ruin.
            let own = |id: &str| commands.iter().any(|command| command.id == *id && command.side == side);
            if good_for.is_none() && matches!(&goal, Goal::Break(id) if own(id)) {
                continue;
            }
            can_be_reached(&goal, side, &path, (scenario, names, commands, table), report)?;
            let (name, at_once) = (entry.name.clone(), entry.at_once);
            all.push(ObjectiveFacts { name, side, points, at_once, goal: goal.clone() });
        }
    }
    Some(all)
}

type Known<'a> = (&'a Scenario<Body>, &'a Names, &'a [crate::lay::CommandFacts], &'a Tabletop);

/// Whether there is what an objective asks for.
fn can_be_reached(
    goal: &Goal,
    side: Side,
    path: &Path,
    (scenario, names, commands, table): Known<'_>,
    report: &mut Diagnostics,
) -> Option<()> {
    let strength =
        |side: Side| commands.iter().filter(|one| one.side == side).map(|one| one.units.len()).sum::<usize>();
    let mut few = |key: &str, count: u16, of: Side, says: &str| {
        if usize::from(count) > strength(of) {
            report.against(HZ_VIC_02, path.clone().key(key), says, "as many as there are at the most");
        }
    };
    match goal {
        Goal::Hold(spot) => {
            if !table.holds(scenario.measure.point(spot.middle)) {
                let says = "the place to be held is not on the table";
                let key = if spot.area.is_empty() { "hold" } else { "area" };
                report.against(HZ_VIC_02, path.clone().key(key), says, "a point between its edges");
            }
        }
        Goal::Break(id) => {
            let command = names.command(id, path.clone().key("break"), report)?;
            if commands[command.index()].side == side {
                let says = "a side wins nothing by the ruin of a command of its own";
                report.against(HZ_VIC_02, path.clone().key("break"), says, "name a command of the enemy's");
            }
        }
        Goal::BreakUnits(count) => few("break_units", *count, side.other(), "the enemy has not so many units"),
        Goal::TakeGuns(count) => few("take_guns", *count, side.other(), "the enemy has not so many units"),
        Goal::Exit(count) => few("exit", *count, side, "the side has not so many units"),
    }
    Some(())
}
