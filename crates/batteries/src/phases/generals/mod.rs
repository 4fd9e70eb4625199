//! Generals: riding, joining, command points.

pub(crate) mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Area, Input, Refusal};
use sabretache_kit::Looked;
use sabretache_table::{Convex, Heading, Length, Outline, Point, Vec2};
use smallvec::SmallVec;

use crate::battle::{Battle, Step};
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::generals::offers::Generals;
use crate::table::NEAR;
use crate::terrain::Kinds;

/// In how many directions a general's reach is measured.
const RAYS: i32 = 64;

impl Battle {
    /// Why a general may not ride now.
    pub(crate) fn may_ride(&self, general: OfficerId) -> Result<(), Refusal> {
        let leader = self.general(general);
        let phase =
            matches!(self.step, Step::MoveA | Step::MoveB) && leader.side == self.phasing() && self.pending.is_none();
        if !phase || !leader.there() {
            return Err(Refusal::new(BB_SEQ_03, "he does not move in this phase"));
        }
        if let Some(launch) = &self.launch {
            return Err(Refusal::new(
                BB_SEQ_03,
                format!("{} is launching its charge first", self.name_of(launch.unit)),
            ));
        }
        if leader.rode {
            return Err(Refusal::new(BB_LEA_09, "he has ridden this turn"));
        }
        Ok(())
    }

    /// How far a general gets in a direction: half speed over slow ground, not over a river (BB-LEA-09).
    fn ride_reach(&self, from: Vec2, way: Vec2) -> Length {
        decides!(BB_LEA_09);
        let full = self.numbers().moves.light.0;
        let mut left = full.f();
        let slow = |kind: Kinds| matches!(kind, Kinds::Wood | Kinds::Rough | Kinds::Slope);
        let stop = self.rider_stops(from, from + way * full.f()).map_or(full.f(), |at| (at - 1_000.0).max(0.0));
        let full = full.min(Length::floored(stop));
        let mut crossed = Vec::new();
        let heeded =
            |lie: &sabretache_table::Lie<'_>| slow(self.terrain(lie).kind) || self.terrain(lie).kind == Kinds::River;
        self.fixed.ground.crossed_if(from, from + way * full.f(), heeded, &mut crossed);
        let mut at = 0.0;
        for one in crossed {
            let (enter, leave) = (one.enter.f().max(at), one.leave.f());
            if left < enter - at {
                break;
            }
            left -= enter - at;
            at = enter;
            if self.fixed.terrain[usize::from(one.feature.0)].kind == Kinds::River {
                return Length::floored((at - 1_000.0).max(0.0));
            }
            let length = (leave - enter).max(0.0);
            if left < 2.0 * length {
                return Length::floored(at + left / 2.0);
            }
            left -= 2.0 * length;
            at = at.max(leave);
        }
        Length::floored((at + left).min(full.f()))
    }

    /// Where a general may ride to: a polygon of his reach, clipped to the table, without the neighbourhood of enemies.
    pub(crate) fn ride_input(&self, general: OfficerId) -> Result<Input, Refusal> {
        decides!(BB_LEA_09);
        self.may_ride(general)?;
        let leader = self.general(general);
        let (from, table) = (leader.at.v(), &self.fixed.table);
        let full = self.numbers().moves.light.0.f();
        let around = Convex::place(from).bounds().grown(full + 1_000.0);
        let open = self.rides_freely(general);
        let corners = (0..RAYS).map(|n| {
            let way = Heading::hundredths(n * 36_000 / RAYS).unit();
            let mut reach = if open { full } else { self.ride_reach(from, way).f() };
            // To the edge of the table and no farther.
            for (at, step, size) in [(from.x, way.x, table.width.f()), (from.y, way.y, table.depth.f())] {
                if step > 1e-12 {
                    reach = reach.min((size - at) / step);
                } else if step < -1e-12 {
                    reach = reach.min(at / -step);
                }
            }
            Point::rounded(from + way * (reach - 2.0).max(0.0))
        });
        let within = vec![Area::Polygon { corners: corners.collect() }];
        let near = self.numbers().refuge.near.0.f() + 60.0;
        let mut except = Vec::new();
        let near_enough = around.grown(near + 1_000.0);
        for enemy in self.of(leader.side.other()).filter(|enemy| near_enough.meets(&self.bounds(*enemy))) {
            for part in self.outline(enemy).parts() {
                let around: Vec<Vec2> =
                    part.corners.iter().flat_map(|corner| Convex::disc(*corner, near).corners().to_vec()).collect();
                let hull = Convex::hull(&around);
                except.push(Area::Polygon {
                    corners: hull.corners().iter().map(|corner| Point::rounded(*corner)).collect(),
                });
            }
        }
        Ok(Input::Point { within, except })
    }

    /// Whether there is nothing within a general's reach that would slow or stop him.
    pub(crate) fn rides_freely(&self, general: OfficerId) -> bool {
        let full = self.numbers().moves.light.0.f();
        let around = Convex::place(self.general(general).at.v()).bounds().grown(full + 1_000.0);
        let heeded = |kind: Kinds| matches!(kind, Kinds::Wood | Kinds::Rough | Kinds::Slope | Kinds::River);
        self.fixed.barriers.is_empty() && !self.fixed.ground.near(&around).any(|lie| heeded(self.terrain(&lie).kind))
    }

    /// No general joins a unit that is farther from him than this.
    fn farthest_join(&self) -> f64 {
        self.numbers().moves.light.0.f() + self.numbers().radius.attach.0.f() + 2.0 * NEAR
    }

    /// Whether a general can reach a unit and be attached to it (BB-LEA-08).
    pub(crate) fn may_join(&self, general: OfficerId, unit: UnitId) -> Result<(), Refusal> {
        decides!(BB_LEA_08);
        self.may_ride(general)?;
        self.may_reach(general, unit, self.rides_freely(general))
    }

    /// The same for a general who may ride, with nothing in his way or not.
    pub(crate) fn may_reach(&self, general: OfficerId, unit: UnitId, freely: bool) -> Result<(), Refusal> {
        decides!(BB_LEA_09);
        decides!(BB_OPT_69);
        if self.is_screen(unit) {
            return Err(Refusal::new(BB_OPT_69, "a screen has no general of its own"));
        }
        if !self.may_influence(general, unit) {
            return Err(Refusal::new(BB_LEA_01, "he cannot influence that unit"));
        }
        let leader = self.general(general);
        if leader.with == Some(unit) {
            return Err(Refusal::new(BB_LEA_08, "he is with that unit already"));
        }
        let from = leader.at.v();
        let placed = self.outline(unit);
        let farthest = self.farthest_join();
        let too_far = || Refusal::new(BB_LEA_09, "that unit is beyond his reach");
        if placed.bounds().distance2(&Convex::place(from).bounds()) > farthest * farthest {
            return Err(too_far());
        }
        let edges = placed
            .parts()
            .flat_map(|part| part.edges().collect::<SmallVec<[_; 4]>>())
            .map(|edge| from.nearest_on(edge.a, edge.b));
        let to = edges.min_by(|a, b| (*a - from).length2().total_cmp(&(*b - from).length2())).unwrap_or(from);
        let distance = (to - from).length();
        let full = self.numbers().moves.light.0.f();
        let reach = if freely { full } else { self.ride_reach(from, (to - from).unit()).f() };
        let reach = reach + self.numbers().radius.attach.0.f();
        if distance > reach + NEAR {
            return Err(too_far());
        }
        Ok(())
    }

    /// The general who pays for a charge or a change of formation; nobody where no points are needed (BB-OPT-51, BB-OPT-52).
    pub(crate) fn who_pays(&self, unit: UnitId) -> Result<Option<OfficerId>, Refusal> {
        decides!(BB_OPT_06, BB_OPT_51, BB_OPT_52);
        if !self.fixed.options.command_initiative {
            return Ok(None);
        }
        let mut near: Vec<OfficerId> = self
            .generals_of(self.side(unit))
            .filter(|general| self.may_influence(*general, unit) && self.in_radius(*general, unit))
            .collect();
        if near.is_empty() {
            return Err(Refusal::new(BB_OPT_52, "it is out of every general's command radius"));
        }
        // His own brigadier pays before the commander-in-chief does.
        near.sort_by_key(|general| self.general(*general).cinc);
        let able = near.into_iter().find(|general| self.general(*general).points > 0);
        able.map(Some).ok_or_else(|| Refusal::new(BB_OPT_51, "no general near it has a command point left"))
    }
}

/// The rides that are open to a general.
pub(crate) fn offers(battle: &Battle, general: OfficerId, out: &mut Vec<Offer>) {
    battle.remembered_rides(general, || rides_of(battle, general), out);
}

fn rides_of(battle: &Battle, general: OfficerId) -> (Looked, Vec<Offer>) {
    let here = Convex::place(battle.general(general).at.v()).bounds();
    let looked = Looked::round(here.grown(battle.farthest_join()));
    if battle.may_ride(general).is_err() {
        return (looked, Vec::new());
    }
    let mut out = vec![Generals::Ride(general).into()];
    let open = battle.rides_freely(general);
    let near = battle.of(battle.phasing()).filter(|unit| battle.may_reach(general, *unit, open).is_ok());
    out.extend(near.map(|unit| Offer::from(Generals::Join { general, unit })));
    (looked, out)
}

/// The units that a general may not join.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for general in battle.generals_of(battle.phasing()) {
        for unit in battle.of(battle.phasing()) {
            let refusal = battle.may_join(general, unit).err();
            out.extend(refusal.map(|refusal| (Generals::Join { general, unit }.into(), refusal)));
        }
    }
}
