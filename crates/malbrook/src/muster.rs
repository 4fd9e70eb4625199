//! From a scenario to a battle: everything that contradicts the book is reported at once.

use std::sync::Arc;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, FileAngle, FilePoint, Path, Scenario, with_overrides};
use sabretache_table::{Edge, Heading, Length, OnTable, Pose, Tabletop, overlapping};

use crate::battle::{Battle, Fixed};
use crate::body::{Body, LeaderEntry, State, UnitEntry};
use crate::brigade::{Brigade, LastMove, Leader, Order, Status};
use crate::clauses::{
    MB_FRM_01, MB_FRM_03, MB_FRM_04, MB_FRM_07, MB_GEN_07, MB_LEA_01, MB_LEA_07, MB_LEA_13, MB_MOV_09, MB_ORD_01,
    MB_ORG_01, MB_ORG_02, MB_ORG_04, MB_ORG_05, MB_UMP_05, MB_UNI_05, MB_UNI_06, MB_UNI_10,
};
use crate::event::Phase;
use crate::lay::Figure;
use crate::numbers::{Base, Numbers};
use crate::situations::Cover;
use crate::terrain::lay_ground;
use crate::troops::{Formation, Grade, Kind, Rank, Style, grade_of_mixture, may_charge_a_loutrance};

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
    let leaders = muster.leaders();
    let units = muster.units();
    muster.report.clean().ok()?;
    let facing = muster.facings()?;
    muster.commands(&units, &leaders);
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
    let held = scenario.body.objectives.iter().map(|objective| side_of(&objective.held)).collect();
    let memo = crate::memo::Memo::of(&units);
    let mut battle = Battle {
        crews: crews.collect(),
        units,
        leaders,
        turn: state.turn,
        phase: state.phase,
        active: side_of(&state.active).unwrap_or(first),
        first,
        chooser: state.chooser,
        die: state.die,
        group: state.group,
        approach: state.approach,
        passing: state.passing.clone(),
        falling: state.falling,
        met: state.met,
        ahead: state.ahead,
        fights: state.fights.clone(),
        blows: state.blows.clone(),
        dispatches: state.dispatches.clone(),
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
            guns_started: guns,
        }),
    };
    refuse_impossible_places(&battle, report);
    refuse_wrong_tokens(&battle, report);
    report.clean().ok()?;
    if battle.turn == 0 {
        crate::sequence::begin(&mut battle, attacker);
    }
    Some(battle)
}

pub(crate) fn side_of(scenario: &Scenario<Body>, id: &str) -> Option<Side> {
    let position = scenario.sides.iter().position(|side| side.id == id)?;
    Side::BOTH.get(position).copied()
}

/// The scenario without what changes in a battle, so that two moments of one battle share it.
fn without_state(scenario: &Scenario<Body>) -> Scenario<Body> {
    let mut scenario = scenario.clone();
    let body = &mut scenario.body;
    body.state = State::default();
    body.units.retain(|entry| entry.split_from.is_none());
    for entry in &mut body.units {
        *entry = UnitEntry {
            id: std::mem::take(&mut entry.id),
            name: std::mem::take(&mut entry.name),
            coat: entry.coat.take(),
            acts_as_cavalry: entry.acts_as_cavalry,
            ..blank()
        };
    }
    for leader in &mut body.leaders {
        leader.at = FilePoint::default();
        (leader.attached, leader.order, leader.above) = (None, None, None);
        (leader.wounded, leader.lost, leader.rode) = (false, false, false);
        (leader.used, leader.inspires) = (0, 0);
    }
    for objective in &mut body.objectives {
        objective.held = None;
    }
    scenario
}

/// An entry with nothing in it.
fn blank() -> UnitEntry {
    UnitEntry {
        id: String::new(),
        name: String::new(),
        side: String::new(),
        kind: Kind::default(),
        style: None,
        grade: None,
        mix: Vec::new(),
        acts_as_cavalry: false,
        bases: None,
        under: String::new(),
        at: FilePoint::default(),
        facing: FileAngle::default(),
        formation: None,
        ranks: None,
        files: None,
        refused: None,
        coat: None,
        mixed: None,
        outrance: None,
        base: None,
        dps: 0,
        status: Status::default(),
        speed: 0,
        last_move: None,
        last_road: false,
        spared: None,
        failed_charge: false,
        aim: None,
        horses: None,
        crew_with: None,
        split_from: None,
        marks: crate::brigade::Marks::default(),
    }
}

impl Muster<'_> {
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

    fn leader_id(&self, id: &str) -> Option<OfficerId> {
        let position = self.scenario.body.leaders.iter().position(|leader| leader.id == id)?;
        Some(OfficerId(position as u16))
    }

    fn leaders(&mut self) -> Vec<Leader> {
        let mut leaders = Vec::new();
        for (n, entry) in self.scenario.body.leaders.iter().enumerate() {
            let at = of_leaders(n);
            let earlier = self.scenario.body.leaders[..n].iter().any(|other| other.id == entry.id);
            self.id(&entry.id, earlier, at.clone().key("id"));
            let side = self.side(&entry.side, at.clone().key("side"));
            let above = self.above(entry, &at);
            let attached = entry.attached.as_ref().and_then(|id| self.unit_id(id));
            if entry.attached.is_some() && attached.is_none() {
                self.report.error(at.clone().key("attached"), "there is no such brigade");
            }
            let order = entry.order.as_ref().map(|order| {
                let positions = &self.scenario.body.positions;
                let position = order.position.as_ref().map(|id| positions.iter().position(|one| one.id == *id));
                if position == Some(None) {
                    let path = at.clone().key("order").key("position");
                    self.against(MB_ORD_01, path, "there is no such position", "list it under [[positions]]");
                }
                Order { kind: order.kind, position: position.flatten().map(|n| n as u16) }
            });
            let point = self.scenario.measure.point(entry.at);
            leaders.push(Leader {
                side,
                rank: entry.rank,
                ability: entry.ability,
                above,
                at: point,
                attached: attached.filter(|_| !entry.lost),
                wounded: entry.wounded,
                lost: entry.lost,
                used: entry.used,
                inspires: entry.inspires,
                rode: entry.rode,
                order,
            });
        }
        for side in Side::BOTH {
            let marshals = leaders.iter().filter(|leader| leader.side == side && leader.rank == Rank::Marshal).count();
            if !(1..=2).contains(&marshals) {
                let at = Path::root().key("leaders");
                self.against(
                    MB_ORG_05,
                    at,
                    format!("{} has {marshals} Marshals", self.scenario.sides[side.index()].name),
                    "an army has one, sometimes two",
                );
            }
        }
        leaders
    }

    /// The leader above another: of the same side and of higher rank, so that every chain has an end.
    fn above(&mut self, entry: &LeaderEntry, at: &Path) -> Option<OfficerId> {
        let Some(id) = &entry.above else {
            if entry.rank != Rank::Marshal {
                let message = format!("a {} answers to somebody", entry.rank.word());
                self.against(MB_ORG_04, at.clone().key("above"), message, "name the leader above him");
            }
            return None;
        };
        let above = self.leader_id(id);
        let fits = above.is_some_and(|above| {
            let other = &self.scenario.body.leaders[above.index()];
            other.side == entry.side && other.rank > entry.rank
        });
        if !fits {
            let message = format!("'{id}' is no leader above a {} of that side", entry.rank.word());
            self.against(MB_ORG_04, at.clone().key("above"), message, "name one of higher rank");
            return None;
        }
        above
    }

    fn unit_id(&self, id: &str) -> Option<UnitId> {
        let position = self.scenario.body.units.iter().position(|unit| unit.id == id)?;
        Some(UnitId(position as u16))
    }

    fn units(&mut self) -> Vec<Brigade> {
        let mut units: Vec<Brigade> = Vec::new();
        let mut entries = 0;
        for (n, entry) in self.scenario.body.units.iter().enumerate() {
            let at = of_units(n);
            let earlier = self.scenario.body.units[..n].iter().any(|other| other.id == entry.id);
            self.id(&entry.id, earlier, at.clone().key("id"));
            let (number, part) = match &entry.split_from {
                None => {
                    if entries != n {
                        self.report.error(at.clone(), "parts that split off come after all other units");
                    }
                    entries += 1;
                    (n as u16, 0)
                }
                Some(split) => {
                    let parent = self.unit_id(&split.of).filter(|unit| unit.index() < entries);
                    if parent.is_none() {
                        self.report.error(at.clone().key("split_from"), "there is no such brigade");
                    }
                    (parent.map_or(0, |unit| unit.0), split.part)
                }
            };
            let brigade = self.unit(entry, number, part, &at);
            units.push(brigade);
        }
        units
    }

    fn unit(&mut self, entry: &UnitEntry, number: u16, part: u8, at: &Path) -> Brigade {
        let side = self.side(&entry.side, at.clone().key("side"));
        let army = self.scenario.body.armies.iter().find(|army| army.side == entry.side);
        let style = entry.style.or(army.map(|army| army.style)).unwrap_or_default();
        let mixed = entry.mixed.unwrap_or_else(|| entry.mix.iter().any(|part| part.kind != entry.kind));
        let bases = match (entry.bases, entry.mix.is_empty()) {
            (Some(bases), _) => bases,
            (None, false) => entry.mix.iter().map(|part| part.bases).fold(0, u8::saturating_add),
            (None, true) if entry.kind.is_model() => 1,
            (None, true) => {
                self.against(MB_UMP_05, at.clone(), "the number of bases is missing", "add `bases`");
                1
            }
        };
        self.size(entry, bases, at);
        let grade = entry.grade.or_else(|| grade_of_mixture(entry.mix.iter().map(|part| (part.grade, part.bases))));
        let grade = grade.or((entry.kind == Kind::ConvergedGrenadiers).then_some(Grade::B));
        if grade.is_none() && entry.kind.is_brigade() {
            self.against(MB_UMP_05, at.clone(), "the grade is missing", "add `grade = \"C\"`");
        }
        if matches!(entry.kind, Kind::Dragoons | Kind::Hussars) && grade > Some(Grade::C) {
            let message = "dragoons and hussars are seldom graded above C";
            self.report.unusual(Some(MB_UNI_10), at.clone().key("grade"), message);
        }
        let under =
            self.leader_id(&entry.under).filter(|leader| self.scenario.body.leaders[leader.index()].side == entry.side);
        if under.is_none() {
            self.against(
                MB_ORG_01,
                at.clone().key("under"),
                format!("'{}' leads nobody on that side", entry.under),
                "name its leader",
            );
        }
        let formation = self.formation(entry, mixed, at);
        let base = base_of(entry.kind, style, entry.acts_as_cavalry, &self.numbers);
        let [width, depth] = entry.base.unwrap_or([base.width.length(), base.depth.length()]);
        let files = self.files(entry, bases, formation, [width, depth], at);
        let pose = Pose::new(self.scenario.measure.point(entry.at), entry.facing.heading());
        let outrance = entry.outrance.unwrap_or_else(|| {
            let entitled = |kind| may_charge_a_loutrance(kind, style, entry.acts_as_cavalry);
            entitled(entry.kind) && entry.mix.iter().all(|part| entitled(part.kind))
        });
        Brigade {
            entry: number,
            part,
            side,
            kind: entry.kind,
            style,
            grade,
            mixed,
            outrance,
            under: under.unwrap_or(OfficerId(0)),
            bases,
            width,
            depth,
            formation,
            files,
            pose,
            refused: entry.refused,
            dps: entry.dps,
            status: entry.status,
            speed: entry.speed,
            last_move: entry.last(),
            spared: entry.spared.as_ref().and_then(|id| self.unit_id(id)),
            failed_charge: entry.failed_charge,
            aim: entry.aim,
            horses: entry.horses.map(|at| self.scenario.measure.point(at)),
            marks: entry.marks,
        }
    }

    /// MB-UNI-05, MB-UNI-06: the smallest sizes hold at the start only.
    fn size(&mut self, entry: &UnitEntry, bases: u8, at: &Path) {
        let sizes = self.numbers.sizes.clone();
        let at = at.clone().key("bases");
        if entry.kind.is_model() {
            if bases != 1 && !entry.status.is_gone() {
                self.against(MB_UNI_06, at, "guns and wagons are single models", "one unit for each");
            }
            return;
        }
        let fresh = self.scenario.body.state.turn == 0;
        let least = match entry.kind {
            _ if entry.status.is_gone() => 0,
            kind if kind.is_brigade() && fresh && entry.split_from.is_none() => {
                if kind.is_cavalry() {
                    sizes.cavalry_least
                } else {
                    sizes.foot_least
                }
            }
            _ => 1,
        };
        if bases < least || bases > sizes.most {
            let message =
                format!("a brigade of {} has {least} to {} bases, not {bases}", entry.kind.word(), sizes.most);
            self.against(MB_UNI_05, at, message, "divide it, or strengthen it");
        }
    }

    fn formation(&mut self, entry: &UnitEntry, mixed: bool, at: &Path) -> Formation {
        let at = at.clone().key("formation");
        let never_formed = entry.kind.never_formed() && !mixed;
        let formation = entry.formation.unwrap_or(match entry.kind {
            Kind::Wagon => Formation::Limbered,
            kind if kind.is_gun() => Formation::Unlimbered,
            _ if never_formed => Formation::Unformed,
            _ => Formation::Line,
        });
        let model = matches!(formation, Formation::Limbered | Formation::Unlimbered);
        if model != entry.kind.is_model() || (entry.kind == Kind::Wagon && formation != Formation::Limbered) {
            self.against(
                MB_FRM_07,
                at,
                format!("{} are not {}", entry.kind.word(), formation.word()),
                "guns are limbered or unlimbered",
            );
        } else if never_formed && formation != Formation::Unformed {
            self.against(MB_FRM_04, at, format!("{} never form", entry.kind.word()), "leave the formation out");
        } else if !never_formed
            && formation == Formation::Unformed
            && self.scenario.body.state.turn == 0
            && entry.status == Status::Steady
        {
            self.against(
                MB_FRM_04,
                at,
                format!("{} do not go unformed by choice", entry.kind.word()),
                "choose a formation",
            );
        }
        formation
    }

    fn files(&mut self, entry: &UnitEntry, bases: u8, formation: Formation, base: [Length; 2], at: &Path) -> u8 {
        let bases = bases.max(1);
        let at = at.clone().key("formation");
        let files = match formation {
            _ if entry.files.is_some() => entry.files.unwrap_or(1).min(bases),
            Formation::MarchColumn => 1,
            Formation::FieldColumn => {
                if bases < 3 && self.scenario.body.state.turn == 0 {
                    self.against(MB_FRM_03, at.clone(), "a field column needs 3 bases", "form line or march column");
                }
                2.min(bases)
            }
            Formation::Line | Formation::Unformed => bases.div_ceil(entry.ranks.unwrap_or(1).clamp(1, 2)),
            Formation::Limbered | Formation::Unlimbered => 1,
        };
        // In play casualties may leave a line deeper than it may be formed.
        if formation == Formation::Line && files < bases && self.scenario.body.state.turn == 0 {
            let ranks = bases.div_ceil(files);
            let deep = base[1] * i32::from(ranks) > base[0] * i32::from(files);
            if ranks > 2 || deep || files < 2 {
                self.against(
                    MB_FRM_01,
                    at,
                    "a line is two ranks deep at most, and no deeper than it is wide",
                    "make it wider",
                );
            }
        }
        files
    }

    /// Commands and their leaders (MB-ORG-01 to 05, MB-LEA-01).
    fn commands(&mut self, units: &[Brigade], leaders: &[Leader]) {
        for (n, brigade) in units.iter().enumerate() {
            let leader = &leaders[brigade.under.index()];
            if brigade.kind.is_brigade() && leader.rank != Rank::MajorGeneral {
                let message = "a brigade belongs to a command, which a Major General leads";
                self.against(MB_ORG_01, of_units(n).key("under"), message, "put it under a Major General");
            }
        }
        for (n, leader) in leaders.iter().enumerate() {
            let entry = &self.scenario.body.leaders[n];
            if leader.rank == Rank::MajorGeneral {
                let of: Vec<&Brigade> = units
                    .iter()
                    .filter(|one| one.under.index() == n && one.kind.is_brigade() && one.part == 0)
                    .collect();
                let foot = of.iter().any(|one| one.kind.is_infantry());
                let horse = of.iter().any(|one| matches!(one.kind, Kind::Horse | Kind::Hussars));
                if foot && horse && !entry.mixed_command {
                    let message = format!("the command of {} has both foot and cavalry", entry.name);
                    self.against(
                        MB_ORG_02,
                        of_leaders(n),
                        message,
                        "divide it, or give leave with `mixed_command = true`",
                    );
                }
                if of.len() < 2 && self.scenario.body.state.turn == 0 {
                    let message = format!("the command of {} has fewer than two brigades", entry.name);
                    self.report.unusual(Some(MB_ORG_01), of_leaders(n), message);
                }
            }
            if let Some(unit) = leader.attached {
                let Some(brigade) = units.get(unit.index()) else { continue };
                let mut above = Some(brigade.under);
                while let Some(one) = above.filter(|one| one.index() != n) {
                    above = leaders[one.index()].above;
                }
                if above.is_none() {
                    self.against(
                        MB_LEA_13,
                        of_leaders(n).key("attached"),
                        "that brigade is not under him",
                        "attach him to one that is",
                    );
                }
                if !brigade.is_unit() {
                    self.against(
                        MB_LEA_07,
                        of_leaders(n).key("attached"),
                        "that brigade is not on the table",
                        "detach him",
                    );
                }
            }
        }
        for side in Side::BOTH {
            if !leaders.iter().any(|leader| leader.side == side && leader.rank == Rank::MajorGeneral) {
                self.against(
                    MB_LEA_01,
                    Path::root().key("leaders"),
                    "each army has a Major General at least",
                    "add one",
                );
            }
        }
    }
}

/// The base of a kind of troops (MB-UNI-04).
pub(crate) fn base_of(kind: Kind, style: Style, acts_as_cavalry: bool, numbers: &Numbers) -> Base {
    let bases = &numbers.bases;
    match (kind, style) {
        (Kind::Foot | Kind::ConvergedGrenadiers, Style::New) => &bases.new_foot,
        (Kind::Horse, Style::New) | (Kind::Hussars, _) => &bases.new_horse,
        (Kind::Dragoons, Style::New) if acts_as_cavalry => &bases.new_horse,
        (Kind::Horse | Kind::Dragoons, _) => &bases.horse,
        (Kind::LightGun, _) => &bases.light_gun,
        (Kind::MediumGun | Kind::Howitzer | Kind::Mortar, _) => &bases.medium_gun,
        (Kind::HeavyGun, _) => &bases.heavy_gun,
        _ => &bases.foot,
    }
    .clone()
}

fn refuse_impossible_places(battle: &Battle, report: &mut Diagnostics) {
    let there: Vec<(usize, &Figure)> = battle.all().map(|unit| (unit.index(), battle.figure(unit))).collect();
    for (n, (index, figure)) in there.iter().enumerate() {
        let at = of_units(*index).key("at");
        if battle.fixed.table.on_table(*figure) != OnTable::Wholly {
            report.against(MB_GEN_07, at.clone(), "it stands over the edge of the table", "move it inwards");
        }
        if let Some((other, _)) = there[..n].iter().find(|(_, other)| overlapping(*figure, *other)) {
            let name = battle.id_of(UnitId(*other as u16));
            report.against(MB_MOV_09, at, format!("it stands on top of '{name}'"), "move one of them");
        }
    }
    for (n, leader) in battle.leaders.iter().enumerate().filter(|(_, leader)| !leader.lost) {
        if !battle.fixed.table.holds(leader.at) {
            report.against(MB_GEN_07, of_leaders(n).key("at"), "he is off the table", "move him inwards");
        }
        let gap = battle.fixed.numbers.contact_gap.length();
        let near = leader.attached.is_none_or(|unit| battle.leader_reaches(OfficerId(n as u16), unit, gap));
        if !near && battle.fixed.scenario.body.state.turn == 0 && battle.turn == 0 {
            report.against(
                MB_LEA_07,
                of_leaders(n).key("at"),
                "he does not touch the brigade he is with",
                "move him to it",
            );
        }
    }
}

/// Tokens in a saved state must mean something.
fn refuse_wrong_tokens(battle: &Battle, report: &mut Diagnostics) {
    let known = |unit: UnitId| unit.index() < battle.units.len();
    let state = Path::root().key("state");
    let fights = battle.fights.iter().flat_map(|fight| {
        let ours = fight.a.iter().chain(&fight.b).map(|one| one.unit);
        ours.chain(fight.guns.iter().copied()).chain(fight.acted.iter().copied()).chain(fight.gave_way.iter().copied())
    });
    let named = fights
        .chain(battle.die.map(|(unit, _)| unit))
        .chain(battle.group.map(|group| group.of))
        .chain(battle.ahead)
        .chain(battle.falling.map(|falling| falling.unit))
        .chain(battle.met.iter().flat_map(|met| [met.charger, met.target]))
        .chain(battle.passing.iter().flat_map(|passing| [passing.mover, passing.foot]))
        .chain(battle.dispatches.iter().flat_map(|dispatch| match &dispatch.word {
            crate::messages::Word::Troops { units, .. } => units.clone(),
            _ => Vec::new(),
        }))
        .chain(battle.blows.iter().map(|blow| blow.unit))
        .chain(battle.approach.iter().flat_map(|approach| [approach.mover, approach.skirmisher]));
    for unit in named {
        if !known(unit) {
            report.error(state.clone(), format!("there is no unit {unit}"));
        }
    }
    for (n, brigade) in battle.units.iter().enumerate() {
        use crate::brigade::{Assault, Charge, HaltAt, Response};
        let aimed = brigade.aim.map(|aim| aim.at);
        let attacked = if let Assault::Declared { at, .. } = brigade.marks.attack { Some(at) } else { None };
        let answered = match brigade.marks.response {
            Response::CounterCharges(unit) | Response::Evades(unit) => Some(unit),
            _ => None,
        };
        let conformed = if let Charge::Conforms(unit) = brigade.marks.control { Some(unit) } else { None };
        let level = if let Some(HaltAt::Level(unit)) = brigade.marks.halt_at { Some(unit) } else { None };
        for unit in [aimed, attacked, answered, conformed, level, brigade.marks.volley].into_iter().flatten() {
            if !known(unit) {
                report.error(of_units(n), format!("there is no unit {unit}"));
            }
        }
        if let Charge::By(leader) = brigade.marks.control
            && leader.index() >= battle.leaders.len()
        {
            report.error(of_units(n).key("marks"), format!("there is no leader {leader}"));
        }
    }
    for dispatch in &battle.dispatches {
        let third = match dispatch.word {
            crate::messages::Word::Orders(_) => dispatch.to,
            crate::messages::Word::Troops { to, .. } | crate::messages::Word::Command { to, .. } => to,
        };
        let whose = if let crate::messages::Word::Command { leader, .. } = dispatch.word { leader } else { third };
        if [dispatch.by, dispatch.to, third, whose].iter().any(|leader| leader.index() >= battle.leaders.len()) {
            report.error(state.clone().key("dispatches"), "there is no such leader");
        }
    }
    for blow in &battle.blows {
        if blow.leader.is_some_and(|leader| leader.index() >= battle.leaders.len()) {
            report.error(state.clone().key("blows"), "there is no such leader");
        }
    }
    if battle.phase == Phase::Over && battle.turn == 0 {
        report.error(state.key("phase"), "a battle that has not begun is not over");
    }
}

/// Where an army's own edge is.
pub(crate) fn edge_of(scenario: &Scenario<Body>, side: Side) -> Edge {
    let id = &scenario.sides[side.index()].id;
    scenario.body.armies.iter().find(|army| army.side == *id).map_or(Edge::South, |army| army.edge)
}

/// The battle as a scenario, so that mustering it again gives the same battle.
pub(crate) fn save(battle: &Battle) -> Scenario<Body> {
    let mut scenario = battle.fixed.scenario.clone();
    let measure = scenario.measure;
    let side_id = |side: Side| battle.fixed.scenario.sides[side.index()].id.clone();
    let body = &mut scenario.body;
    let statics = std::mem::take(&mut body.units);
    for (n, brigade) in battle.units.iter().enumerate() {
        let fixed = &statics[usize::from(brigade.entry)];
        let crew_with = battle.crews.iter().find(|(gun, _)| gun.index() == n).map(|(_, with)| battle.id_of(*with));
        body.units.push(UnitEntry {
            id: battle.id_of(UnitId(n as u16)),
            name: fixed.name.clone(),
            side: side_id(brigade.side),
            kind: brigade.kind,
            style: Some(brigade.style),
            grade: brigade.grade,
            acts_as_cavalry: fixed.acts_as_cavalry,
            bases: Some(brigade.bases),
            under: battle.fixed.scenario.body.leaders[brigade.under.index()].id.clone(),
            at: measure.pair(brigade.pose.at),
            facing: brigade.pose.heading.into(),
            formation: Some(brigade.formation),
            files: Some(brigade.files),
            refused: brigade.refused,
            coat: fixed.coat.clone(),
            mixed: Some(brigade.mixed),
            outrance: Some(brigade.outrance),
            base: Some([brigade.width, brigade.depth]),
            dps: brigade.dps,
            status: brigade.status,
            speed: brigade.speed,
            last_move: match brigade.last_move {
                LastMove::None | LastMove::Road => None,
                LastMove::Dice(dice) => Some(dice),
            },
            last_road: brigade.last_move == LastMove::Road,
            spared: brigade.spared.map(|foot| battle.id_of(foot)),
            failed_charge: brigade.failed_charge,
            aim: brigade.aim,
            horses: brigade.horses.map(|at| measure.pair(at)),
            crew_with,
            split_from: (brigade.part > 0)
                .then(|| crate::body::SplitEntry { of: fixed.id.clone(), part: brigade.part }),
            marks: brigade.marks,
            ..blank()
        });
    }
    let ids: Vec<String> = body.leaders.iter().map(|entry| entry.id.clone()).collect();
    for (entry, leader) in body.leaders.iter_mut().zip(&battle.leaders) {
        entry.at = measure.pair(leader.at);
        entry.above = leader.above.map(|above| ids[above.index()].clone());
        entry.attached = leader.attached.map(|unit| battle.id_of(unit));
        entry.order = leader.order.map(|order| crate::body::OrderEntry {
            kind: order.kind,
            position: order.position.and_then(|n| body.positions.get(usize::from(n))).map(|one| one.id.clone()),
        });
        (entry.wounded, entry.lost, entry.rode) = (leader.wounded, leader.lost, leader.rode);
        (entry.used, entry.inspires) = (leader.used, leader.inspires);
    }
    for (entry, held) in body.objectives.iter_mut().zip(&battle.held) {
        entry.held = held.map(side_id);
    }
    body.state = State {
        turn: battle.turn,
        phase: battle.phase,
        active: Some(side_id(battle.active)),
        first: Some(side_id(battle.first)),
        chooser: battle.chooser,
        die: battle.die,
        group: battle.group,
        approach: battle.approach,
        passing: battle.passing.clone(),
        falling: battle.falling,
        met: battle.met,
        ahead: battle.ahead,
        fights: battle.fights.clone(),
        blows: battle.blows.clone(),
        dispatches: battle.dispatches.clone(),
        started: Some(battle.fixed.started),
        guns_started: Some(battle.fixed.guns_started),
    };
    scenario
}
