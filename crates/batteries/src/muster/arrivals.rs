//! Brigades that are not there from the start.

use sabretache_table::Length;

use super::*;
use crate::phases::arrivals::edge_near;

/// An entry point may lie so far from the edge.
const OFF_EDGE: Length = Length::inches(1);

impl Reader<'_> {
    /// When and where a brigade comes on. It routs to the edge by which it came (BB-MOR-41, BB-GEN-13).
    pub(super) fn arrival(&mut self, n: usize, baseline: Baseline) -> Option<Arrival> {
        decides!(BB_GEN_13);
        let entry = self.scenario.body.brigades[n].arrives?;
        let path = Path::root().key("brigades").item(n).key("arrives");
        let measure = self.scenario.measure;
        let table = Tabletop::new(measure.length(self.scenario.table.width), measure.length(self.scenario.table.depth));
        let at = measure.point(entry.at);
        let edge = edge_near(&table, at);
        let line = table.edge(edge);
        let off = (at.v() - at.v().nearest_on(line.a, line.b)).length();
        if off > OFF_EDGE.f() {
            let says = format!("the entry point lies {} from the edge of the table", measure.tell(off));
            self.report.against(BB_GEN_13, path.key("at"), says, "a point on an edge");
        } else if entry.turn > self.scenario.body.turns {
            let says = format!("the battle is over after turn {}", self.scenario.body.turns);
            self.report.against(BB_GEN_13, path.key("turn"), says, "an earlier turn");
        } else if baseline != Baseline::Edge(edge) {
            let says = "it comes on by another edge than the one it routs to";
            self.report.unusual(Some(BB_MOR_41), path.key("at"), says);
        }
        Some(Arrival { turn: entry.turn, at })
    }

    /// Whether those of a brigade are still to come: as the battle begins, before its turn, and where a saved battle says so.
    pub(super) fn is_awaited(&self, brigade: Option<&str>, saved: bool) -> bool {
        let entry = self.scenario.body.brigades.iter().find(|entry| Some(entry.id.as_str()) == brigade);
        let Some(arrives) = entry.and_then(|entry| entry.arrives) else { return false };
        let state = &self.scenario.body.state;
        saved || state.turn < arrives.turn || *state == State::default()
    }
}
