//! What the battle is about, from both lists of a file.

use sabretache_engine::scenario::Asked;
use sabretache_table::Length;

use super::*;
use crate::phases::victory::{Goal, Objective};

/// How near troops must be to hold a place, where a scenario does not say.
const HELD_WITHIN: Length = Length::inches(4);

impl Reader<'_> {
    /// The places of `victory` first, then `objectives`.
    pub(super) fn objectives(&mut self) -> Vec<Objective> {
        let (scenario, measure) = (self.scenario, self.scenario.measure);
        let side_of = |id: Option<&str>| {
            let n = scenario.sides.iter().position(|side| Some(side.id.as_str()) == id)?;
            Side::BOTH.get(n).copied()
        };
        let place = |old: &crate::body::Objective| Objective {
            name: old.name.clone(),
            goal: Goal::Near { at: measure.point(old.at), radius: measure.length(old.radius) },
            points: i32::from(old.worth),
            side: None,
            held_by: side_of(old.held_by.as_deref()),
            at_once: false,
        };
        let mut all: Vec<Objective> = scenario.body.victory.objectives.iter().map(place).collect();
        for (n, entry) in scenario.body.objectives.iter().enumerate() {
            let path = Path::root().key("objectives").item(n);
            entry.check(&path, &scenario.sides, self.report);
            let Some(asked) = entry.asked() else { continue };
            let goal = match asked {
                Asked::Hold(at, radius) => {
                    let radius = radius.map_or(HELD_WITHIN, |radius| measure.length(radius));
                    Some(Goal::Near { at: measure.point(at), radius })
                }
                Asked::Area(corners) => {
                    Some(Goal::Area(corners.iter().map(|corner| measure.point(*corner).v()).collect()))
                }
                Asked::Break(id) => self.brigade_named(id, path.clone().key("break")).map(Goal::Break),
                Asked::BreakUnits(count) => Some(Goal::BreakUnits(count)),
                Asked::TakeGuns(count) => Some(Goal::TakeGuns(count)),
                Asked::Exit(count, Some(edge)) => Some(Goal::Exit(count, edge.into())),
                Asked::Exit(_, None) => {
                    let help = "add `edge = \"north\"`, or another edge";
                    self.report.against(BB_GEN_11, path.key("exit"), "it is not said by which edge units leave", help);
                    None
                }
            };
            all.extend(goal.map(|goal| Objective {
                name: entry.name.clone(),
                goal,
                points: entry.points,
                side: side_of(entry.side.as_deref()),
                held_by: side_of(entry.holder()),
                at_once: entry.at_once,
            }));
        }
        all
    }
}
