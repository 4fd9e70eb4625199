//! Lays a scenario out, and says what contradicts the book.

use std::collections::BTreeSet;
use std::sync::Arc;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, FileAngle, FilePoint, Path, Scenario, with_overrides};
use sabretache_table::{Ground, OnTable, Pose, Tabletop, overlapping};

use crate::barriers::{self, Battered, Break};
use crate::battering::Batter;
use crate::battle::{
    Abandoned, Baseline, Battle, Brigade, Chase, Contact, Facts, Fixed, General, Kind, Order, Pending, Place, Step,
    ThisTurn, Unit,
};
use crate::body::{Body, PendingEntry, State, UnitEntry, Victory};
use crate::clauses::*;
use crate::memo::Memo;
use crate::numbers::Numbers;
use crate::screens;
use crate::shape::{named_by_width, stands_for};
use crate::terrain::{self, Terrain};
use crate::troops::{Arm, Formation, GunClass, Weapon, Weight};

/// Reads a scenario and reports.
pub(crate) struct Reader<'a> {
    pub(crate) scenario: &'a Scenario<Body>,
    pub(crate) report: &'a mut Diagnostics,
    pub(crate) numbers: Numbers,
}

pub(crate) fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
    let screened = screens::with_screens(scenario);
    let scenario = &*crate::detach::with_parts(&screened);
    let numbers = with_overrides(&Numbers::default(), &scenario.numbers, report)?;
    let mut reader = Reader { scenario, report, numbers };
    reader.ids();
    reader.victory(&scenario.body.victory);
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
        let (unit, target) = (reader.unit_named(&shot.unit, at.clone()), reader.unit_named(&shot.at, at));
        shots.extend(unit.zip(target).map(|(unit, at)| Order {
            unit,
            at,
            shot: shot.shot,
            side: shot.side.map(|side| side.saturating_sub(1)),
        }));
    }
    let mut placed_at = |key: &str, entries: &[crate::body::TrackEntry]| {
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
    let favours = reader.pairs("favours");
    let (breaks, battered, batters) = reader.broken();
    let pending = reader.pending();
    reader.report.clean().ok()?;
    let table = Tabletop::new(measure.length(scenario.table.width), measure.length(scenario.table.depth));
    let barriers = barriers::barriers(&ground, &terrain, &reader.numbers);
    let blocks = crate::towns::blocks(&ground, &terrain);
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
        chases,
        breaks,
        battered,
        batters,
        turn: state.turn,
        first,
        step: state.step,
        moving,
        pending,
        memo: Memo::default(),
    };
    battle.refresh();
    reader.garrisons(&battle);
    reader.report.clean().ok()?;
    reader.places(&battle);
    report.clean().ok()?;
    // Whoever is set up in broken ground begins disordered (BB-TER-01).
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
        if victory.losses.is_none() && victory.objectives.is_empty() {
            self.report.unusual(Some(BB_GEN_11), at, "nobody can win: only the losses will be told at the end");
        }
    }

    fn brigades(&mut self) -> Vec<Brigade> {
        let measure = self.scenario.measure;
        let mut brigades = Vec::new();
        for (n, entry) in self.scenario.body.brigades.iter().enumerate() {
            let at = Path::root().key("brigades").item(n);
            let side = self.side(&entry.side, at.clone().key("side"));
            let baseline = match (entry.baseline, entry.centre) {
                (Some(edge), None) => Baseline::Edge(edge.into()),
                (None, Some(centre)) => Baseline::Centre(measure.point(centre)),
                _ => {
                    let help = "a table edge as `baseline`, or the `centre` of a surrounded force";
                    self.report.against(BB_MOR_40, at, "a brigade has one baseline", help);
                    Baseline::Edge(sabretache_table::Edge::South)
                }
            };
            brigades.push(Brigade { side, baseline });
        }
        for side in Side::BOTH {
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
            if piece.kind == "city_wall" && !body.options.city_walls {
                let at = Path::root().key("ground").item(n);
                let help = "add `city_walls = true` under `options`";
                self.report.against(BB_OPT_14, at, "the rule for old city walls is not used", help);
            }
            kinds.push(terrain::read(piece, more, n, self.report)?);
            features.push(terrain::feature(piece, n, self.scenario.measure));
        }
        match Ground::new(features) {
            Ok(ground) => Some((kinds, ground)),
            Err(error) => {
                self.report.error(Path::root().key("ground"), error.to_string());
                None
            }
        }
    }

    pub(crate) fn against(&mut self, clause: Clause, n: usize, key: &str, message: impl Into<String>, help: &str) {
        self.report.against(clause, Self::at_unit(n).key(key), message, help);
    }

    fn facts(&mut self, n: usize) -> Facts {
        let entry = &self.scenario.body.units[n];
        let brigade = self.brigade_named(&entry.brigade, Self::at_unit(n).key("brigade")).unwrap_or(CommandId(0));
        let side_id = &self.scenario.body.brigades[brigade.index()].side;
        let side = self.scenario.sides.iter().position(|side| side.id == *side_id);
        let side = side.and_then(|n| Side::BOTH.get(n).copied()).unwrap_or(Side::A);
        let kind = self.kind(n, entry);
        let stands = &self.numbers.stands;
        let usual = match entry.arm {
            Arm::Foot => stands.foot_figures,
            Arm::Horse => stands.horse_figures,
            Arm::Guns => stands.gunners,
        };
        let crew = entry.models.map(|models| u16::from(models) * u16::from(stands.gunners));
        let start = entry.start.or(crew.filter(|_| entry.arm == Arm::Guns)).unwrap_or_else(|| {
            let help = "add `start = 24`";
            self.report.against(BB_GEN_11, Self::at_unit(n).key("start"), "how many figures did it start with?", help);
            1
        });
        if let (Some(crew), Arm::Guns) = (crew, entry.arm)
            && start > crew
        {
            let message = format!("{start} gunners are more than {} models can have", entry.models.unwrap_or(0));
            self.against(BB_UNI_33, n, "start", message, "four to a model at the most");
        }
        Facts {
            side,
            brigade,
            kind,
            grade: entry.grade,
            start,
            per_stand: entry.per_stand.unwrap_or(usual).max(1),
            ladders: entry.ladders,
            part: self
                .scenario
                .body
                .units
                .iter()
                .position(|part| part.part_of.as_ref() == Some(&entry.id))
                .map(|n| UnitId(n as u16)),
            part_of: entry.part_of.as_ref().and_then(|id| self.unit_named(id, Self::at_unit(n).key("part_of"))),
            two_rank: entry.two_rank && self.scenario.body.options.two_rank_line,
            nation: entry.nation.filter(|_| self.scenario.body.options.national_modifiers),
            screen: self
                .scenario
                .body
                .units
                .iter()
                .position(|other| other.screen_of.as_ref() == Some(&entry.id))
                .map(unit_id),
            screen_of: self.screened_by(n),
        }
    }

    /// The battalion whose screen a unit is.
    fn screened_by(&mut self, n: usize) -> Option<UnitId> {
        let entry = &self.scenario.body.units[n];
        let id = entry.screen_of.as_ref()?;
        let at = Self::at_unit(n).key("screen_of");
        if !self.scenario.body.options.skirmish_screens {
            self.report.against(BB_OPT_10, at, "skirmish screens are not used", "switch them on under `options`");
            return None;
        }
        let parent = self.unit_named(id, at.clone())?;
        let other = &self.scenario.body.units[parent.index()];
        let foot = entry.arm == Arm::Foot && other.arm == Arm::Foot && other.screen_of.is_none();
        if !foot || other.brigade != entry.brigade {
            self.report.against(BB_OPT_63, at, "only a battalion of its own brigade has a screen", "name one");
        }
        Some(parent)
    }

    fn kind(&mut self, n: usize, entry: &UnitEntry) -> Kind {
        if entry.ladders > 0 && !self.scenario.body.options.city_walls {
            self.against(BB_OPT_14, n, "ladders", "the rule for old city walls is not used", "leave it out");
        }
        let foot_only = [
            ("light", entry.light),
            ("weapon", entry.weapon.is_some()),
            ("two_rank", entry.two_rank),
            ("ladders", entry.ladders > 0),
        ];
        let horse_only = [("weight", entry.weight.is_some()), ("lance", entry.lance)];
        let guns_only = [
            ("class", entry.class.is_some()),
            ("pounds", entry.pounds.is_some()),
            ("horse", entry.horse),
            ("models", entry.models.is_some()),
            ("guns", entry.guns.is_some()),
            ("limbered", entry.limbered),
            ("away", entry.away),
        ];
        let wrong = |keys: &[(&'static str, bool)]| keys.iter().find(|(_, given)| *given).map(|(key, _)| *key);
        let (one, other) = match entry.arm {
            Arm::Foot => (wrong(&horse_only), wrong(&guns_only)),
            Arm::Horse => (wrong(&foot_only), wrong(&guns_only)),
            Arm::Guns => (wrong(&foot_only), wrong(&horse_only)),
        };
        for key in [one, other].into_iter().flatten() {
            self.against(BB_UNI_08, n, key, format!("`{key}` means nothing for this arm"), "leave it out");
        }
        match entry.arm {
            Arm::Foot => Kind::Foot { light: entry.light, weapon: entry.weapon.unwrap_or(Weapon::Musket) },
            Arm::Horse => {
                let weight = entry.weight.or(entry.lance.then_some(Weight::Light)).unwrap_or_else(|| {
                    self.against(BB_UNI_01, n, "weight", "cavalry is light, heavy or cuirassier", "add `weight`");
                    Weight::Light
                });
                Kind::Horse { weight, lance: entry.lance }
            }
            Arm::Guns => {
                let class = entry.class.or(entry.pounds.map(GunClass::of_pounds)).unwrap_or_else(|| {
                    self.against(BB_UNI_04, n, "class", "guns are light, field or heavy", "add `class` or `pounds`");
                    GunClass::Field
                });
                let models = entry.models.unwrap_or_else(|| {
                    self.against(BB_UNI_33, n, "models", "how many gun models are there?", "add `models`");
                    1
                });
                Kind::Guns { class, horse: entry.horse, models }
            }
        }
    }

    fn unit(&mut self, n: usize, facts: &Facts) -> Unit {
        let entry = &self.scenario.body.units[n];
        let figures = entry.figures.unwrap_or(facts.start);
        if figures > facts.start {
            self.against(BB_GEN_09, n, "figures", "it has more figures than it started with", "fewer");
        }
        let models = if let Kind::Guns { models, .. } = facts.kind { models } else { 0 };
        let guns = entry.guns.unwrap_or(models * 2);
        if guns > models * 2 {
            self.against(BB_GUN_10, n, "guns", "it has more guns than its models stand for", "two to a model");
        }
        let stands = stands_for(figures, facts.per_stand);
        let across = if models > 0 { u16::from(guns).div_ceil(2) } else { stands };
        let width = u16::from(entry.width.unwrap_or(across.clamp(1, 60) as u8));
        let front = figures.min(width * u16::from(facts.per_stand));
        let by_width = named_by_width(front, &self.numbers);
        let formation = match (entry.arm, entry.formation) {
            (Arm::Foot, Some(formation)) => {
                self.formation(n, facts, formation, front, figures);
                formation
            }
            (Arm::Foot, None) => by_width,
            (_, None) => Formation::Line,
            (_, Some(formation)) => {
                let (clause, help) = match entry.arm {
                    Arm::Horse => (BB_UNI_15, "give `width` in stands instead"),
                    _ => (BB_UNI_16, "guns are limbered or not"),
                };
                let clause = if formation == Formation::Skirmish { BB_UNI_14 } else { clause };
                self.against(clause, n, "formation", "only infantry takes up such formations", help);
                Formation::Line
            }
        };
        Unit {
            pose: Pose::new(self.scenario.measure.point(entry.at), entry.facing.heading()),
            place: entry.place.unwrap_or(Place::Table),
            formation,
            stands: width as u8,
            figures,
            guns,
            limbered: entry.limbered,
            away: entry.away,
            shaken: entry.shaken,
            disordered: entry.disordered,
            spotted: entry.spotted,
            fought: entry.fought,
            fled_once: entry.fled_once,
            chases: entry.chases,
            out: 0,
            reforming: entry.reforming,
            climbs: entry.climbs,
            bend: self.bend(n, facts, figures),
            start: entry.started.unwrap_or(facts.start),
            inside: entry.inside.as_ref().and_then(|id| self.ground_named(id, Self::at_unit(n).key("inside"))),
            rounds: entry.rounds,
            advanced: entry.advanced,
            now: entry.now,
            toll: 0,
            gun_toll: 0,
        }
    }

    /// Whether a battalion can stand like this.
    fn formation(&mut self, n: usize, facts: &Facts, formation: Formation, front: u16, figures: u16) {
        let widths = self.numbers.widths.clone();
        let entry = &self.scenario.body.units[n];
        match formation {
            Formation::Skirmish if !matches!(facts.kind, Kind::Foot { light: true, .. }) => {
                self.against(
                    BB_UNI_14,
                    n,
                    "formation",
                    "only light infantry takes skirmish order",
                    "add `light = true`, or another formation",
                );
            }
            Formation::Column if front > widths.column => {
                self.against(
                    BB_UNI_10,
                    n,
                    "width",
                    format!("a column is {} figures wide at the most", widths.column),
                    "fewer stands across",
                );
            }
            Formation::Line if front > widths.line => {
                self.against(
                    BB_UNI_11,
                    n,
                    "width",
                    format!("a line is {} figures wide at the most", widths.line),
                    "`extended`, or fewer stands across",
                );
            }
            Formation::Masse => match facts.masse(facts.start, &self.numbers) {
                None => {
                    let help = "`column`; national modifiers give it to Austrians of grades A to E";
                    self.against(BB_OPT_73, n, "formation", "it does not form column masse", help);
                }
                Some(width) if entry.width != Some(width) => {
                    let help = format!("`width = {width}`");
                    self.against(BB_OPT_73, n, "width", "a column masse is four figures wide", &help);
                }
                Some(_) => {}
            },
            Formation::Square if figures < self.numbers.square.least && entry.figures.is_none() => {
                self.against(BB_UNI_13, n, "formation", "it has too few figures for a square", "`column`");
            }
            _ => {}
        }
    }

    /// Unusual sizes are worth a warning (BB-UNI-07).
    fn sizes(&mut self) {
        let sizes = self.numbers.sizes.clone();
        let own = |entry: &UnitEntry| entry.screen_of.is_none() && entry.part_of.is_none() && !entry.emplaced;
        for (n, entry) in self.scenario.body.units.iter().enumerate().filter(|(_, entry)| own(entry)) {
            let (size, least, most, word) = match entry.arm {
                Arm::Foot => (entry.start.unwrap_or(0), sizes.foot_least, sizes.foot_most, "battalion has figures"),
                Arm::Horse => (entry.start.unwrap_or(0), sizes.horse_least, sizes.horse_most, "regiment has figures"),
                Arm::Guns => {
                    (entry.models.unwrap_or(0).into(), sizes.models_least, sizes.models_most, "battery has models")
                }
            };
            if !(least..=most).contains(&size) {
                let message = format!("a {word} from {least} to {most}, as a rule; this one {size}");
                self.report.unusual(Some(BB_UNI_07), Self::at_unit(n), message);
            }
        }
    }

    fn generals(&mut self) -> Vec<General> {
        let measure = self.scenario.measure;
        let mut generals = Vec::new();
        for (n, entry) in self.scenario.body.generals.iter().enumerate() {
            let at = Path::root().key("generals").item(n);
            let side = self.side(&entry.side, at.clone().key("side"));
            let brigade = entry.brigade.as_ref().and_then(|id| self.brigade_named(id, at.clone().key("brigade")));
            if brigade.is_none() && !entry.commander_in_chief && entry.brigade.is_none() {
                let help = "name his `brigade`, or make him `commander_in_chief`";
                self.report.against(BB_LEA_01, at.clone(), "a general commands a brigade or the army", help);
            }
            if let Some(brigade) = brigade
                && self.scenario.body.brigades[brigade.index()].side != entry.side
            {
                self.report.against(
                    BB_LEA_01,
                    at.clone().key("brigade"),
                    "that brigade is the enemy's",
                    "one of his own",
                );
            }
            let with = entry.with.as_ref().and_then(|id| self.unit_named(id, at.clone().key("with")));
            if let Some(unit) = with {
                let own = &self.scenario.body.units[unit.index()].brigade;
                let side =
                    self.scenario.body.brigades.iter().find(|brigade| brigade.id == *own).map(|brigade| &brigade.side);
                let may = if entry.commander_in_chief {
                    side == Some(&entry.side)
                } else {
                    entry.brigade.as_ref() == Some(own)
                };
                if !may {
                    self.report.against(
                        BB_LEA_01,
                        at.key("with"),
                        "he cannot influence that unit",
                        "one of his own brigade",
                    );
                }
            }
            generals.push(General {
                side,
                brigade,
                cinc: entry.commander_in_chief,
                charisma: entry.charisma,
                at: measure.point(entry.at),
                with,
                lost: entry.lost,
                rode: entry.rode,
                points: entry.points,
            });
        }
        for side in Side::BOTH {
            let count = generals.iter().filter(|general| general.side == side && general.cinc).count();
            if count != 1 {
                let name = self.scenario.sides.get(side.index()).map_or("", |side| side.name.as_str());
                let message = format!("{name} has {count} commanders-in-chief");
                self.report.against(BB_LEA_02, Path::root().key("generals"), message, "exactly one on each side");
            }
        }
        generals
    }

    fn contacts(&mut self) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for (n, entry) in self.scenario.body.state.contacts.iter().enumerate() {
            let at = Path::root().key("state").key("contacts").item(n);
            let charger = self.unit_named(&entry.charger, at.clone().key("charger"));
            let target = self.unit_named(&entry.target, at.key("target"));
            contacts.extend(charger.zip(target).map(|(charger, target)| Contact {
                charger,
                target,
                flank: entry.flank,
                cover: entry.cover,
                obstacle: entry.obstacle,
                uphill: entry.uphill,
                fresh: entry.fresh,
                steady: entry.steady,
                overrun: entry.overrun,
                follows: entry.follows,
                pursuit: entry.pursuit,
                as_square: entry.as_square,
            }));
        }
        contacts
    }

    /// Pairs of enemies: those who have parted, or those who have an odd die set against them.
    fn pairs(&mut self, key: &str) -> Vec<(UnitId, UnitId)> {
        let state = &self.scenario.body.state;
        let entries = if key == "parted" { &state.parted } else { &state.favours };
        let mut pairs = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            let at = Path::root().key("state").key(key).item(n);
            let (one, other) = (self.unit_named(&entry.one, at.clone()), self.unit_named(&entry.other, at));
            pairs.extend(one.zip(other));
        }
        pairs
    }

    fn chases(&mut self) -> Vec<Chase> {
        let mut chases = Vec::new();
        for (n, entry) in self.scenario.body.state.chases.iter().enumerate() {
            let at = Path::root().key("state").key("chases").item(n);
            let pursuer = self.unit_named(&entry.pursuer, at.clone().key("pursuer"));
            let quarry = self.unit_named(&entry.quarry, at.key("quarry"));
            let from = self.scenario.measure.point(entry.from);
            chases.extend(pursuer.zip(quarry).map(|(pursuer, quarry)| Chase {
                pursuer,
                quarry,
                from,
                recoiled: entry.recoiled,
            }));
        }
        chases
    }

    /// A piece of ground by its id, or by the name that a save gives it.
    fn ground_named(&mut self, id: &str, at: Path) -> Option<u16> {
        let named = |n: usize| self.scenario.ground[n].id.as_deref() == Some(id) || format!("ground-{n}") == id;
        let found = (0..self.scenario.ground.len()).find(|n| named(*n));
        if found.is_none() {
            self.report.error(at, format!("there is no ground '{id}'"));
        }
        found.map(|n| n as u16)
    }

    /// What is broken, and what is being battered.
    fn broken(&mut self) -> (Vec<Break>, Vec<Battered>, Vec<Batter>) {
        let (state, measure) = (&self.scenario.body.state, self.scenario.measure);
        let at = Path::root().key("state");
        let mut breaks = Vec::new();
        for (n, gap) in state.breaks.iter().enumerate() {
            let ground = self.ground_named(&gap.ground, at.clone().key("breaks").item(n));
            let (from, to) = (measure.length(gap.from), measure.length(gap.to));
            breaks.extend(ground.map(|ground| Break { ground, from, to }));
        }
        let mut battered = Vec::new();
        for (n, one) in state.battered.iter().enumerate() {
            let ground = self.ground_named(&one.ground, at.clone().key("battered").item(n));
            let section = one.section.saturating_sub(1);
            battered.extend(ground.map(|ground| Battered { ground, section, hits: one.hits }));
        }
        let mut batters = Vec::new();
        for (n, one) in state.batters.iter().enumerate() {
            let at = at.clone().key("batters").item(n);
            let (unit, ground) = (self.unit_named(&one.unit, at.clone()), self.ground_named(&one.ground, at));
            let section = one.section.saturating_sub(1);
            batters.extend(unit.zip(ground).map(|(unit, ground)| Batter { unit, ground, section, onward: !one.back }));
        }
        (breaks, battered, batters)
    }

    fn pending(&mut self) -> Option<Pending> {
        let at = Path::root().key("state").key("pending");
        let measure = self.scenario.measure;
        match self.scenario.body.state.pending.as_ref()? {
            PendingEntry::Evade { charger, target, way } => {
                if !(-45.0..=45.0).contains(way) {
                    let help = "from -45 to 45 degrees to the right of the line of the charge";
                    self.report.against(BB_CHG_13, at.key("evade").key("way"), "nobody evades that way", help);
                    return None;
                }
                let way = (way * 100.0).round() as i16;
                let charger = self.unit_named(charger, at.clone());
                let target = self.unit_named(target, at);
                charger.zip(target).map(|(charger, target)| Pending::Evade { charger, target, way })
            }
            PendingEntry::Onward { charger } => self.unit_named(charger, at).map(|charger| Pending::Onward { charger }),
            PendingEntry::Overrun { charger } => {
                self.unit_named(charger, at).map(|charger| Pending::Overrun { charger })
            }
            PendingEntry::Detour { unit } => self.unit_named(unit, at).map(|unit| Pending::Detour { unit }),
            PendingEntry::Refill { screen } => self.unit_named(screen, at).map(|screen| Pending::Refill { screen }),
            PendingEntry::Rout { unit, least, cause } => {
                let cause = cause.as_ref().and_then(|id| self.unit_named(id, at.clone()));
                let unit = self.unit_named(unit, at)?;
                Some(Pending::Rout { unit, least: measure.length(*least), cause })
            }
        }
    }

    /// Where units cannot stand.
    fn places(&mut self, battle: &Battle) {
        let placed: Vec<_> = battle.all().map(|unit| (unit, battle.placed(unit))).collect();
        for (i, (unit, here)) in placed.iter().enumerate() {
            let n = unit.index();
            if battle.fixed.table.on_table(here) != OnTable::Wholly {
                self.against(BB_MOV_27, n, "at", "it stands over the edge of the table", "move it inwards");
            }
            let inside = battle.unit(*unit).inside;
            let upon = |(other, there): &&(UnitId, sabretache_table::Placed)| {
                overlapping(here, there)
                    && !battle.partners(*unit, *other)
                    && (inside.is_none() || battle.unit(*other).inside != inside)
            };
            if let Some((other, _)) = placed[..i].iter().find(upon) {
                let name = self.scenario.body.units[other.index()].id.clone();
                self.against(BB_MOV_27, n, "at", format!("it stands on top of '{name}'"), "move one of them");
            }
            let bars = || battle.barred(battle.unit(*unit), battle.facts(*unit), here);
            if let Some(clause) = inside.is_none().then(bars).flatten() {
                self.against(clause, n, "at", "it cannot stand on that ground", "move it off");
            }
        }
        let state = &self.scenario.body.state;
        if state.step != Step::Over && state.turn > self.scenario.body.turns {
            self.report.error(Path::root().key("state").key("turn"), "the battle has no such turn");
        }
        for (n, contact) in battle.contacts.iter().enumerate() {
            let at = Path::root().key("state").key("contacts").item(n);
            if battle.side(contact.charger) == battle.side(contact.target) {
                self.report.against(BB_COM_01, at, "two friends do not fight", "name an enemy");
            } else if [contact.charger, contact.target].iter().any(|unit| battle.unit(*unit).place != Place::Table) {
                self.report.against(BB_COM_01, at, "a unit that is not on the table does not fight", "leave it out");
            }
        }
    }
}
