//! Brigades that come on later.

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Edge, Point, Pose};

use crate::Batteries;
use crate::battle::{Battle, Place};
use crate::clauses::*;
use crate::event::Event;

/// Units that are due come on as their side's movement begins, in the order of the file; those for whom there is no room
/// wait for the next turn. Their generals come with the first of them (BB-GEN-13).
pub(crate) fn arrive(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_GEN_13);
    let side = play.battle().phasing();
    for n in 0..play.battle().units.len() {
        let unit = UnitId(n as u16);
        if play.battle().unit(unit).place != Place::Awaited || play.battle().side(unit) != side {
            continue;
        }
        let Some(to) = play.battle().entry_of(unit) else { continue };
        play.happen(Event::Arrived { unit, to });
        let brigade = play.battle().facts(unit).brigade;
        let mut generals = play.battle().generals.iter().enumerate();
        let general = generals.find(|(_, general)| general.awaited && general.brigade == Some(brigade));
        if let Some((n, _)) = general {
            let at = Point::rounded(play.battle().centre(unit));
            play.happen(Event::RodeUp { general: OfficerId(n as u16), at });
        }
    }
}

impl Battle {
    /// Where a unit comes on now: the clear place on the edge nearest to its brigade's entry point.
    fn entry_of(&self, unit: UnitId) -> Option<Pose> {
        let arrival = self.fixed.brigades[self.facts(unit).brigade.index()].arrives?;
        (self.turn >= arrival.turn).then(|| self.room_on(unit, self.edge_near(arrival.at), arrival.at.v())).flatten()
    }

    /// The edge that somewhere is nearest to.
    fn edge_near(&self, at: Point) -> Edge {
        edge_near(&self.fixed.table, at)
    }

    /// The turn in which a brigade comes on.
    pub(crate) fn arrival_turn(&self, brigade: CommandId) -> Option<u32> {
        self.fixed.brigades.get(brigade.index()).and_then(|brigade| brigade.arrives).map(|arrival| arrival.turn)
    }
}

/// The edge of a table that somewhere is nearest to.
pub(crate) fn edge_near(table: &sabretache_table::Tabletop, at: Point) -> Edge {
    let off = |edge: Edge| {
        let line = table.edge(edge);
        (at.v() - at.v().nearest_on(line.a, line.b)).length()
    };
    Edge::ALL.into_iter().min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(Edge::South)
}
