//! Units and generals as a scenario has them.

use super::*;
use crate::clauses::*;
use crate::situations::counted;
use sabretache_engine::decides;

impl Reader<'_> {
    pub(super) fn facts(&mut self, n: usize) -> Facts {
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
            let message =
                format!("{start} gunners are more than {} can have", counted(entry.models.unwrap_or(0), "model"));
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
    pub(super) fn screened_by(&mut self, n: usize) -> Option<UnitId> {
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

    pub(super) fn kind(&mut self, n: usize, entry: &UnitEntry) -> Kind {
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
        decides!(BB_UNI_08);
        for key in [one, other].into_iter().flatten() {
            self.against(BB_UNI_08, n, key, format!("`{key}` means nothing for this arm"), "leave it out");
        }
        match entry.arm {
            Arm::Foot => Kind::Foot { light: entry.light, weapon: entry.weapon.unwrap_or(Weapon::Musket) },
            Arm::Horse => {
                decides!(BB_UNI_01);
                let weight = entry.weight.or(entry.lance.then_some(Weight::Light)).unwrap_or_else(|| {
                    self.against(BB_UNI_01, n, "weight", "cavalry is light, heavy or cuirassier", "add `weight`");
                    Weight::Light
                });
                Kind::Horse { weight, lance: entry.lance }
            }
            Arm::Guns => {
                decides!(BB_UNI_04);
                let class = entry.class.or(entry.pounds.map(GunClass::of_pounds)).unwrap_or_else(|| {
                    self.against(BB_UNI_04, n, "class", "guns are light, field or heavy", "add `class` or `pounds`");
                    GunClass::Field
                });
                decides!(BB_UNI_33, BB_UNI_05);
                let models = entry.models.unwrap_or_else(|| {
                    self.against(BB_UNI_33, n, "models", "how many gun models are there?", "add `models`");
                    1
                });
                Kind::Guns { class, horse: entry.horse, models }
            }
        }
    }

    pub(super) fn unit(&mut self, n: usize, facts: &Facts) -> Unit {
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
                decides!(BB_UNI_03);
                let clause = if formation == Formation::Skirmish { BB_UNI_14 } else { clause };
                self.against(clause, n, "formation", "only infantry takes up such formations", help);
                Formation::Line
            }
        };
        Unit {
            pose: Pose::new(self.scenario.measure.point(entry.at), entry.facing.heading()),
            place: if self.is_awaited(Some(&entry.brigade), entry.place == Some(Place::Awaited)) {
                entry.place.filter(|place| matches!(place, Place::Ranks | Place::Whole)).unwrap_or(Place::Awaited)
            } else {
                entry.place.unwrap_or(Place::Table)
            },
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
    pub(super) fn formation(&mut self, n: usize, facts: &Facts, formation: Formation, front: u16, figures: u16) {
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
    pub(super) fn sizes(&mut self) {
        decides!(BB_UNI_07);
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

    pub(super) fn generals(&mut self) -> Vec<General> {
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
                awaited: self.is_awaited(entry.brigade.as_deref(), entry.awaited),
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
}
