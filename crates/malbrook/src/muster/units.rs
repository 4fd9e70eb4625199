//! Brigades, guns, wagons and civilians.

use super::*;
use crate::clauses::{
    MB_FRM_01, MB_FRM_02, MB_FRM_03, MB_FRM_04, MB_FRM_07, MB_ORG_01, MB_SEQ_09, MB_UMP_05, MB_UNI_01, MB_UNI_04,
    MB_UNI_05, MB_UNI_06, MB_UNI_07, MB_UNI_10, MB_UNI_14,
};
use crate::table::crowds::Places;
use sabretache_engine::decides;

impl Muster<'_> {
    pub(super) fn unit_id(&self, id: &str) -> Option<UnitId> {
        let position = self.scenario.body.units.iter().position(|unit| unit.id == id)?;
        Some(UnitId(position as u16))
    }

    pub(super) fn units(&mut self) -> Vec<Brigade> {
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

    pub(super) fn unit(&mut self, entry: &UnitEntry, number: u16, part: u8, at: &Path) -> Brigade {
        decides!(MB_UMP_05, MB_UNI_01, MB_UNI_07, MB_UNI_10, MB_UNI_14);
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
        let facing = entry.facing.unwrap_or_default().heading();
        let pose = Pose::new(self.scenario.measure.point(entry.at.unwrap_or_default()), facing);
        let places: Vec<_> = entry.places.iter().map(|place| self.scenario.measure.point(*place)).collect();
        let places = Places::of(pose.at, &places);
        let fresh = self.scenario.body.state.turn == 0;
        let status = if fresh && entry.arrives.is_some() { Status::Expected } else { entry.status };
        if entry.arrives.is_some() && entry.at.is_none() {
            self.against(MB_SEQ_09, at.clone(), "reinforcements come up at a place", "give it `at`, near the edge");
        }
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
            places,
            dps: entry.dps,
            status,
            known: entry.known,
            speed: entry.speed,
            last_move: entry.last(),
            spared: entry.spared.as_ref().and_then(|id| self.unit_id(id)),
            pursues: entry.pursues.as_ref().and_then(|id| self.unit_id(id)),
            lost_end: entry.lost_end,
            failed_charge: entry.failed_charge,
            aim: entry.aim,
            horses: entry.horses.map(|at| self.scenario.measure.point(at)),
            marks: entry.marks,
        }
    }

    /// MB-UNI-05, MB-UNI-06: the smallest sizes hold at the start only.
    pub(super) fn size(&mut self, entry: &UnitEntry, bases: u8, at: &Path) {
        decides!(MB_UNI_05, MB_UNI_06);
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

    pub(super) fn formation(&mut self, entry: &UnitEntry, mixed: bool, at: &Path) -> Formation {
        let at = at.clone().key("formation");
        let never_formed = entry.kind.never_formed() && !mixed;
        let formation = entry.formation.unwrap_or(match entry.kind {
            Kind::Wagon => Formation::Limbered,
            kind if kind.is_gun() => Formation::Unlimbered,
            _ if never_formed => Formation::Unformed,
            _ => Formation::Line,
        });
        decides!(MB_FRM_04, MB_FRM_07);
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

    pub(super) fn files(
        &mut self,
        entry: &UnitEntry,
        bases: u8,
        formation: Formation,
        base: [Length; 2],
        at: &Path,
    ) -> u8 {
        let bases = bases.max(1);
        let at = at.clone().key("formation");
        decides!(MB_FRM_01, MB_FRM_02, MB_FRM_03);
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
}

/// The base of a kind of troops (MB-UNI-04).
pub(crate) fn base_of(kind: Kind, style: Style, acts_as_cavalry: bool, numbers: &Numbers) -> Base {
    decides!(MB_UNI_04);
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
