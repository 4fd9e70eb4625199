//! Where the battle of a scenario stands: every marker and status, and whose decision it is.

use std::sync::Arc;

use sabretache_engine::decides;
use sabretache_engine::ids::Side;
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_kit::Kept;
use sabretache_table::{Heading, Point, Pose};

use super::Names;
use crate::battle::{Army, Battle, Command, Officer, Unit};
use crate::body::{Body, OfficerStatus, Presence};
use crate::clauses::{HZ_BLD_08, HZ_BLD_12, HZ_OFF_06, HZ_OFF_07, HZ_OFF_11, HZ_SEQ_01, HZ_SKI_02, HZ_STR_04};
use crate::lay::Lay;
use crate::situations::contingents_rating;
use crate::state::{Stage, Then};
use crate::table::laid::{Asked, Laid};
use crate::terrain::Kind;
use crate::troops::{Ability, Arm};

/// The battle of a scenario.
pub(super) fn battle(lay: Arc<Lay>, names: &Names, report: &mut Diagnostics) -> Option<Battle> {
    let body = lay.scenario.body.clone();
    let state = &body.state;
    let at = Path::root().key("state");
    let first = match (&state.first, &body.options.first, &body.options.attacker) {
        (Some(id), _, _) => Some(names.side(id, at.clone().key("first"), report)?),
        (None, Some(id), _) => Some(names.side(id, Path::root().key("options").key("first"), report)?),
        (None, None, Some(id)) => Some(names.side(id, Path::root().key("options").key("attacker"), report)?),
        (None, None, None) => None,
    };
    let phasing = match &state.phasing {
        Some(id) => names.side(id, at.clone().key("phasing"), report)?,
        None => first.unwrap_or(Side::A),
    };
    let superiority = match &state.superiority {
        Some(id) => Some(names.side(id, at.clone().key("superiority"), report)?),
        None => None,
    };
    let units = units(&lay, names, &body, report)?;
    let officers = officers(&lay, names, &body, &units, report)?;
    let commands = body
        .commands
        .iter()
        .map(|entry| Command {
            passed: entry.passed_last_check,
            checked_turn: entry.checked_turn,
            must_check: entry.must_check,
            excused: entry.excused,
            checked: entry.checked,
            free_pass: entry.free_pass,
            moves: entry.ordered_moves,
            others: entry.ordered_others,
            silenced: entry.silenced,
            closed: entry.closed,
            left: entry.left,
            attempts: entry.attempts,
            tried: entry.tried,
            returning: entry.returning,
            delayed: entry.delayed,
            chosen: entry.chosen,
            sent_for: entry.sent_for,
        })
        .collect();
    let armies = armies(&lay, names, &body);
    let many = units.len();
    let mut battle = Battle {
        factors: lay.contingents.iter().map(|one| one.factor).collect(),
        lay,
        units,
        officers,
        commands,
        armies,
        turn: state.turn,
        first,
        phasing,
        stage: state.stage,
        superiority,
        doing: state.doing.clone(),
        bombarded: state.bombarded.clone(),
        threats: state.threats.clone(),
        fights: state.fights.clone(),
        gaps: state.gaps.clone(),
        exploded: state.exploded.clone(),
        laid: Laid::default(),
        guns: Kept::of(many),
        sightings: Kept::of(many),
        asked: Asked::default(),
    };
    Laid::refresh(&mut battle);
    for (n, factor) in body.contingents.iter().enumerate() {
        battle.factors[n] = factor.bombardment_now.unwrap_or(factor.bombardment_factor);
    }
    check_stage(&battle, &at, report);
    if battle.stage == Stage::SetUp && !crate::phases::setup::needed(&battle) {
        battle.stage = Stage::Skirmish;
        battle.turn = battle.turn.max(1);
    }
    if battle.stage != Stage::SetUp && !matches!(battle.stage, Stage::ChooseFirst(_)) && battle.turn == 0 {
        battle.turn = 1;
    }
    Some(battle)
}

/// A state that contradicts itself.
fn check_stage(battle: &Battle, at: &Path, report: &mut Diagnostics) {
    if battle.first.is_none() && !matches!(battle.stage, Stage::SetUp | Stage::ChooseFirst(_)) {
        report.against(
            HZ_SEQ_01,
            at.clone().key("first"),
            "who goes first is not settled, yet the battle has begun",
            "name the side",
        );
    }
    let doing = &battle.doing;
    let units = battle.units.len();
    let officers = battle.officers.len();
    let mut bad = false;
    // Where officers seek refuge, what goes on after that must fit as well.
    let next = match doing.then {
        Some(Then::Decide(stage) | Then::Shoot { stage, .. }) => stage,
        Some(Then::Act) => Stage::Act,
        _ => battle.stage,
    };
    bad |= matches!(next, Stage::Act | Stage::Interrupt | Stage::GoOn | Stage::Swing) && doing.acting.is_none();
    bad |= matches!(next, Stage::GoOn | Stage::Swing) && doing.moving.is_none();
    bad |= next == Stage::Formation && doing.forming.is_none();
    bad |= next == Stage::Over && doing.ended.is_none();
    bad |= doing.then.is_some() && matches!(next, Stage::SetUp | Stage::Over);
    bad |= doing.then == Some(Then::Act) && doing.moving.is_none();
    bad |= (battle.stage == Stage::Refuge) != doing.then.is_some()
        || doing.then.is_some() && next == Stage::Refuge && doing.then != Some(Then::FallBack);
    bad |= (battle.stage == Stage::Refuge) == doing.fleeing.is_empty();
    bad |= doing.fleeing.iter().any(|one| one.officer.index() >= officers);
    bad |= matches!(doing.then, Some(Then::Shoot { battery, target, .. }) if battery.index() >= units || target.index() >= units);
    bad |= doing.moving.is_some_and(|moving| moving.unit.index() >= units);
    bad |= doing.acting.is_some_and(|acting| acting.officer.index() >= officers || !exists(battle, acting.to));
    bad |= battle.officers.iter().any(|one| one.spoke_last.is_some_and(|to| !exists(battle, to)));
    bad |= doing.forming.is_some_and(|id| id.index() >= units);
    bad |= battle.threats.iter().any(|threat| threat.unit.index() >= units || threat.by.index() >= units);
    bad |= battle.bombarded.iter().any(|one| one.battery.index() >= units || one.target.index() >= units);
    bad |=
        battle.fights.iter().any(|fight| fight.attackers.iter().chain(&fight.defenders).any(|id| id.index() >= units));
    bad |= battle.fights.iter().any(|fight| !fight.is_sound());
    if bad || (battle.stage == Stage::Refuge && crate::phases::officers::flight::choices(battle).is_empty()) {
        report.error(at.clone(), "the state in hand does not fit the stage, or names what is not there");
    }
}

fn exists(battle: &Battle, to: crate::state::Addressee) -> bool {
    match to {
        crate::state::Addressee::Unit(id) => id.index() < battle.units.len(),
        crate::state::Addressee::Group(id) => id.index() < battle.commands.len(),
    }
}

fn units(lay: &Lay, names: &Names, body: &Body, report: &mut Diagnostics) -> Option<Vec<Unit>> {
    let measure = lay.scenario.measure;
    let mut all = Vec::new();
    for (n, entry) in body.units.iter().enumerate() {
        let path = Path::root().key("units").item(n);
        let facts = &lay.units[n];
        let mut pose = Pose::new(
            entry.at.map_or(Point::default(), |pair| measure.point(pair)),
            entry.facing.map_or(Heading::NORTH, |angle| angle.heading()),
        );
        let mut sector = None;
        if let (Some(id), Presence::Present) = (&entry.sector, entry.presence) {
            let found = lay.terrain.iter().position(|one| one.id == *id && matches!(one.kind, Kind::Buildings { .. }));
            let Some(found) = found else {
                report.against(
                    HZ_BLD_08,
                    path.key("sector"),
                    format!("no sector of buildings is called \"{id}\""),
                    "give the sector an id",
                );
                continue;
            };
            sector = Some(found as u16);
            pose = lay.terrain[found].sector.map_or(pose, |sector| sector.pose);
        }
        let sides = sides(lay, n, sector, &entry.sides, &path, report);
        let across = match &entry.engages_across {
            Some(id) => Some(names.unit(id, path.clone().key("engages_across"), report)?),
            None => None,
        };
        let factor = body.contingents[usize::from(facts.contingent)].bombardment_factor;
        all.push(Unit {
            pose,
            formation: entry.formation,
            quality: entry.quality,
            presence: entry.presence,
            staggers: entry.staggers,
            kills: entry.kills,
            routing: entry.routing,
            blown: entry.blown,
            forced: entry.forced,
            smoke: entry.smoke,
            bombardments: if facts.arm == Arm::Artillery { entry.bombardments.unwrap_or(factor) } else { 0 },
            sector,
            sides,
            acted: entry.acted,
            spent: entry.spent,
            fell_back: entry.fell_back,
            moves: entry.ordered_moves,
            others: entry.ordered_others,
            closed: entry.closed,
            sighted: entry.sighted,
            forced_later: entry.forced_later,
            rolled: entry.rolled,
            must_move: entry.must_move,
            across,
            scaled: entry.scaled,
        });
    }
    (all.len() == body.units.len()).then_some(all)
}

/// The sides of a sector that a garrison lines: all four with the ability or in a strong point, otherwise two that meet
/// (HZ-BLD-08, HZ-BLD-12, HZ-STR-04).
fn sides(lay: &Lay, n: usize, sector: Option<u16>, given: &[u8], path: &Path, report: &mut Diagnostics) -> u8 {
    decides!(HZ_BLD_08, HZ_BLD_12, HZ_STR_04);
    let Some(sector) = sector else { return 0 };
    let strong = matches!(lay.terrain[usize::from(sector)].kind, Kind::Buildings { strong: true, .. });
    if strong || lay.units[n].abilities.opens_order() {
        return 0b1111;
    }
    let mut bits = 0u8;
    for &side in given {
        bits |= 1 << side.min(3);
    }
    if !crate::table::garrison::TWO_SIDES.contains(&bits) {
        let help = "two neighbouring sides, 0 to 3 clockwise from the sector's front: sides = [0, 1]";
        report.against(HZ_BLD_12, path.clone().key("sides"), "close order infantry lines two sides that meet", help);
    }
    bits
}

fn officers(lay: &Lay, names: &Names, body: &Body, units: &[Unit], report: &mut Diagnostics) -> Option<Vec<Officer>> {
    let measure = lay.scenario.measure;
    let mut all = Vec::new();
    for (n, entry) in body.officers.iter().enumerate() {
        let path = Path::root().key("officers").item(n);
        let facts = &lay.officers[n];
        let with = match &entry.attached_to {
            Some(id) => Some(names.unit(id, path.clone().key("attached_to"), report)?),
            None => None,
        };
        if let Some(unit) = with {
            let own = &lay.commands[facts.command.index()].all_units;
            decides!(HZ_OFF_06);
            if !own.contains(&unit.0) {
                let says = format!("{} does not command \"{}\"", entry.name, lay.units[unit.index()].name);
                report.against(HZ_OFF_06, path.clone().key("attached_to"), says, "a unit of his own command group");
            }
            if units[unit.index()].presence != Presence::Present {
                report.against(
                    HZ_OFF_06,
                    path.clone().key("attached_to"),
                    "that unit is not on the table",
                    "leave it out",
                );
            }
            if body.officers[..n].iter().any(|other| other.attached_to == entry.attached_to) {
                report.against(
                    HZ_OFF_07,
                    path.clone().key("attached_to"),
                    "that unit has an officer already",
                    "one officer to a unit",
                );
            }
        }
        let supersedes = match &entry.supersedes {
            Some(id) => Some(names.command(id, path.clone().key("supersedes"), report)?),
            None => None,
        };
        if supersedes.is_some() && lay.commands[facts.command.index()].above.is_some() {
            report.against(
                HZ_OFF_11,
                path.clone().key("supersedes"),
                "only the commander in chief supersedes officers",
                "leave it out",
            );
        }
        let at = match (entry.at, with) {
            (Some(pair), _) => measure.point(pair),
            (None, Some(_)) => Point::default(),
            (None, None) => {
                if entry.status == OfficerStatus::Present {
                    report.error(path.clone().key("at"), format!("where does {} stand?", entry.name));
                }
                Point::default()
            }
        };
        if entry.status == OfficerStatus::Present && with.is_none() && !lay.table.holds(at) {
            report.error(path.clone().key("at"), format!("{} is not on the table", entry.name));
        }
        all.push(Officer {
            at,
            status: entry.status,
            ability: entry.ability,
            inspirational: entry.inspirational,
            with,
            lost: entry.lost,
            supersedes,
            superseded_in: entry.superseded_in,
            orders_from: entry.orders_from,
            spoke: entry.spoke,
            failed: entry.failed,
            spoke_to: entry.spoke_to,
            spoke_at: entry.spoke_at,
            spoke_last: entry.spoke_last,
            free: entry.free_order,
            moved: entry.moved,
            ridden: measure.length(entry.ridden),
            detached: entry.detached,
            relinquished: entry.relinquished,
        });
    }
    // Officers ride at the middle of the rear of the unit they are attached to.
    for officer in &mut all {
        if let Some(unit) = officer.with {
            let state = &units[unit.index()];
            let sector = state.sector.and_then(|n| lay.terrain[usize::from(n)].sector);
            let footprint = match sector {
                Some(sector) => sabretache_table::Footprint::single(sector.width, sector.depth),
                None => lay.units[unit.index()].footprints[state.formation.index()].clone(),
            };
            officer.at = crate::table::shape::rear_of(&sabretache_table::Placed::new(&footprint, state.pose));
        }
    }
    Some(all)
}

/// The skirmish rating of each army: its own, or that of the contingent with most infantry (HZ-SKI-02).
fn armies(lay: &Lay, names: &Names, body: &Body) -> [Army; 2] {
    decides!(HZ_SKI_02);
    let mut armies = [Army::default(); 2];
    for entry in &body.armies {
        let Some(n) = names.sides.iter().position(|id| *id == entry.id) else { continue };
        let side = Side::BOTH[n.min(1)];
        let by_contingent = || -> Option<Ability> {
            let _ = HZ_SKI_02;
            let counted: Vec<(Ability, u16)> = lay
                .contingents
                .iter()
                .enumerate()
                .filter(|(_, one)| one.side == side)
                .filter_map(|(c, one)| {
                    let infantry = lay
                        .units
                        .iter()
                        .filter(|unit| usize::from(unit.contingent) == c && unit.arm == Arm::Infantry)
                        .count();
                    one.skirmish.map(|rating| (rating, infantry as u16))
                })
                .collect();
            contingents_rating(counted)
        };
        let rolled = entry.skirmish_table.is_some();
        armies[n] = Army {
            skirmish: entry.skirmish.or_else(|| if rolled { None } else { by_contingent().or(Some(Ability::Average)) }),
            worn: entry.worn,
            failed: entry.failed_skirmish,
            committed: entry.committed,
            appointments: entry.appointments,
            rearms: entry.rearms,
        };
    }
    armies
}
