//! Option 7.4: fresh enemies whom a pursuer runs into, in its way or beside a gap that it does not squeeze through.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Convex, Heading, Length, OnTable, Outline, Placed, Pose, Vec2, exact_distance, first_contact, overlapping,
};

use crate::Batteries;
use crate::battle::{Battle, Chase, Place};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::charges::contact::touch;
use crate::phases::screens;
use crate::table::NEAR;
use crate::table::bearing::stretch;
use crate::table::shape::about_centre;
use crate::terrain::going::pieces;

impl Battle {
    /// The units beside the first gap of three inches or less that the quarry went through (BB-OPT-40).
    fn gap(&self, chase: &Chase) -> Vec<UnitId> {
        decides!(BB_OPT_40);
        let (from, to) = (chase.from.v(), self.quarry_at(chase));
        let length = (to - from).length();
        if length < 1.0 {
            return Vec::new();
        }
        let narrow = self.numbers().gap.within.0.f() + NEAR;
        let side = |p: Vec2| (to - from).cross(p - from);
        let friends: Vec<UnitId> =
            self.friends(chase.quarry).filter(|friend| self.facts(*friend).screen_of.is_none()).collect();
        let corners = |unit: UnitId| {
            let placed = self.placed(unit);
            placed.parts().flat_map(|part| part.corners.to_vec()).collect::<Vec<Vec2>>()
        };
        let mut found: Vec<(f64, Vec<UnitId>)> = Vec::new();
        for (n, one) in friends.iter().enumerate() {
            let placed = self.placed(*one);
            let through = placed.parts().filter_map(|part| stretch(part.corners, from, to)).map(|s| s.0);
            found.extend(through.reduce(f64::min).map(|enter| (enter, vec![*one])));
            for other in &friends[n + 1..] {
                let (a, b) = (corners(*one), corners(*other));
                let left = |all: &[Vec2]| all.iter().all(|p| side(*p) > 0.0);
                let right = |all: &[Vec2]| all.iter().all(|p| side(*p) < 0.0);
                let astride = (left(&a) && right(&b)) || (left(&b) && right(&a));
                if !astride || exact_distance(&self.placed(*one), &self.placed(*other)) > narrow {
                    continue;
                }
                let between = Convex::hull(&[a, b].concat());
                found.extend(stretch(between.corners(), from, to).map(|s| (s.0, vec![*one, *other])));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().next().map(|(_, units)| units).unwrap_or_default()
    }

    /// The fresh enemies that a pursuer runs into: the first whom any part of it meets on its way, or those beside a gap that it comes to before
    /// (BB-OPT-38, BB-OPT-40).
    pub(super) fn runs_into(&self, chase: &Chase) -> Vec<UnitId> {
        decides!(BB_OPT_38, BB_OPT_40);
        let (unit, to) = (chase.pursuer, self.quarry_at(chase));
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let (from, ahead) = (self.centre(unit), Heading::toward(self.centre(unit), to));
        let here = Placed::new(&footprint, about_centre(from, ahead, &footprint));
        let whole = (to - from).length();
        let there = self.unit(chase.quarry).place == Place::Table;
        let caught = || first_contact(&here, ahead.unit(), whole, &self.placed(chase.quarry)).unwrap_or(whole);
        let run = if there { caught() } else { whole };
        // Ground that it cannot pass stops it first (BB-OPT-45).
        let ground = pieces(self, self.unit(unit), self.facts(unit), &here, ahead, Length::floored(run));
        let run = ground.iter().find(|piece| piece.barred.is_some()).map_or(run, |piece| piece.from);
        let heeded = |enemy: &UnitId| *enemy != chase.quarry && self.leads(*enemy) && !self.is_screen(*enemy);
        // Those upon whom it stands already, as it turns, are left behind.
        let met = |enemy: UnitId| first_contact(&here, ahead.unit(), run, self.outline(enemy)).filter(|at| *at > NEAR);
        let mut met: Vec<(f64, UnitId)> =
            self.enemies(unit).filter(heeded).filter_map(|enemy| Some((met(enemy)?, enemy))).collect();
        // Between two that stand wide enough apart it goes through (BB-OPT-40).
        let wide = self.numbers().gap.within.0.f() + NEAR;
        let on_left = |unit: UnitId| (to - from).cross(self.centre(unit) - from) > 0.0;
        let all: Vec<UnitId> = met.iter().map(|(_, enemy)| *enemy).collect();
        let gives_way = |one: UnitId| {
            let beside = |other: &UnitId| {
                on_left(one) != on_left(*other) && exact_distance(self.outline(one), self.outline(*other)) > wide
            };
            all.iter().any(beside)
        };
        met.retain(|(_, enemy)| !gives_way(*enemy));
        let first = met.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
        let gap = self.gap(chase);
        let front = here.pose().at.v();
        let off = |unit: &UnitId| {
            let placed = self.placed(*unit);
            let along = |corner: &Vec2| (*corner - front).dot(ahead.unit());
            placed
                .parts()
                .flat_map(|part| part.corners.iter().map(along).collect::<Vec<_>>())
                .fold(f64::INFINITY, f64::min)
        };
        let gap_at = gap.iter().map(off).fold(f64::INFINITY, f64::min);
        if first >= gap_at - NEAR {
            return gap;
        }
        met.into_iter().filter(|(at, _)| *at <= first + NEAR / 2.0).map(|(_, enemy)| enemy).collect()
    }
}

/// Pursuers who would have to squeeze through a gap run into those beside it: a charge like any other (BB-OPT-40).
pub(super) fn crash(play: &mut Resolution<'_, Batteries>, chase: &Chase, gap: &[UnitId]) {
    decides!(BB_OPT_40);
    let unit = chase.pursuer;
    for other in gap {
        if let Some(screen) = play.battle().screen_out(*other) {
            play.happen(Event::ScreenBack { unit: *other, screen });
        }
    }
    screens::call_in(play, unit);
    let battle = play.battle();
    let footprint = battle.unit(unit).footprint(battle.facts(unit), battle.numbers());
    let centre = battle.centre(unit);
    let ahead = Heading::toward(centre, battle.quarry_at(chase));
    let here = Placed::new(&footprint, about_centre(centre, ahead, &footprint));
    let far = Length::inches(60).f();
    let met = |other: &UnitId| first_contact(&here, ahead.unit(), far, &battle.placed(*other));
    let first = gap.iter().filter_map(|other| Some((met(other)?, *other))).min_by(|a, b| a.0.total_cmp(&b.0));
    let nearest = gap.iter().copied().min_by(|a, b| {
        let off = |other: UnitId| exact_distance(&here, &battle.placed(other));
        off(*a).total_cmp(&off(*b)).then(a.cmp(b))
    });
    // Whom it meets first straight ahead; if it would slip through, the nearer of them.
    let straight = first.map(|(run, _)| here.pose().ahead(Length::floored(run)));
    let clear = |pose: &Pose| {
        let there = Placed::new(&footprint, *pose);
        battle.others(unit).all(|other| !overlapping(&there, &battle.placed(other)))
            && battle.fixed.table.on_table(&there) == OnTable::Wholly
            && battle.barred(battle.unit(unit), battle.facts(unit), &there).is_none()
    };
    let aside = || {
        let target = first.map(|(_, other)| other).or(nearest)?;
        let heading = if first.is_some() { ahead } else { Heading::toward(centre, battle.centre(target)) };
        battle.come_up(unit, target, heading)
    };
    let end = straight.filter(clear).or_else(aside);
    if let Some(to) = end {
        play.happen(Event::Chased { unit, to, crash: true });
        let battle = play.battle();
        let placed = battle.placed(unit);
        let touched: Vec<UnitId> =
            gap.iter().copied().filter(|other| exact_distance(&placed, &battle.placed(*other)) <= NEAR / 2.0).collect();
        for target in touched {
            touch(play, unit, target);
        }
    }
    play.happen(Event::ChaseOver { unit });
}
