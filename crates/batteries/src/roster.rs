//! Who is there: ids, brigades, generals, the sizes of units, and how the battle is won.

use std::collections::BTreeSet;

use sabretache_engine::ids::Side;
use sabretache_engine::scenario::Path;

use crate::battle::{Baseline, Brigade, General};
use crate::body::Victory;
use crate::clauses::*;
use crate::muster::Reader;
use crate::troops::Arm;

impl Reader<'_> {
    /// Ids are words, and no two are the same.
    pub(crate) fn ids(&mut self) {
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

    pub(crate) fn victory(&mut self, victory: &Victory) {
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

    pub(crate) fn brigades(&mut self) -> Vec<Brigade> {
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

    /// Unusual sizes are worth a warning (BB-UNI-07).
    pub(crate) fn sizes(&mut self) {
        let sizes = self.numbers.sizes.clone();
        for (n, entry) in
            self.scenario.body.units.iter().enumerate().filter(|(_, entry)| entry.part_of.is_none() && !entry.emplaced)
        {
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

    pub(crate) fn generals(&mut self) -> Vec<General> {
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
}
