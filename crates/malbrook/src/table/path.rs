//! How far a brigade gets along a straight path, what stops it, and what it meets on the way.

use crate::phases::options;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Heading, Length, Outline, SLOP, Vec2, exact_distance, first_contact, meetings, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::{
    MB_CHG_14, MB_FOO_01, MB_GEN_17, MB_MAN_09, MB_MOV_04, MB_MOV_06, MB_MOV_09, MB_MOV_15, MB_MOV_26, MB_UMP_03,
};
use crate::table::lay::{Figure, HAIR, zone_of};
use crate::table::nearing::first_within;

/// The least gap left to friends that cannot be passed (MB-MOV-09).
const BREADTH: Length = Length::inch_fraction(1, 4);

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Going {
    /// Stops before enemy to the front: at an inch for foot, two for cavalry.
    pub(crate) heeds_enemy: bool,
    /// A double move stops 6 inches from enemy.
    pub(crate) double: bool,
    /// Passes through friends.
    pub(crate) passes_friends: bool,
    /// Friends do not stop it wherever it ends: they make room for those who run.
    pub(crate) ignores_friends: bool,
    /// Does not heed skirmishers, who fall back before it.
    pub(crate) presses: bool,
    /// Does not know of enemy who are hidden.
    pub(crate) blind: bool,
    /// Obstacles on the way cost it nothing: it only steps into a place that was given up (MB-RES-13).
    pub(crate) over_obstacles: bool,
    /// It goes no further than this, whatever its allowance: there it is met (MB-CHG-14).
    pub(crate) up_to: Option<Length>,
}

impl Going {
    /// A normal move.
    pub(crate) fn normal(double: bool) -> Self {
        Self {
            heeds_enemy: true,
            double,
            passes_friends: true,
            ignores_friends: false,
            presses: false,
            blind: false,
            over_obstacles: false,
            up_to: None,
        }
    }

    /// A charge, retirement, rout, pursuit or evade: only contact stops it.
    pub(crate) fn headlong() -> Self {
        Self { heeds_enemy: false, double: false, ..Self::normal(false) }
    }

    /// The way of those who run: only enemy, ground and the edge of the table stop it.
    pub(crate) fn through_friends() -> Self {
        Self { ignores_friends: true, ..Self::headlong() }
    }
}

/// How far a path leads.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// How far.
    pub(crate) distance: Length,
    /// Why no further, and by which clause.
    pub(crate) why: &'static str,
    pub(crate) clause: Clause,
    /// What one obstacle costs: half the allowance.
    pub(crate) half: Length,
    /// The obstacles crossed: how far along, and the index of the ground.
    pub(crate) crossed: SmallVec<[(Length, u16); 4]>,
    /// The friends passed through.
    pub(crate) passed: SmallVec<[UnitId; 4]>,
    /// Where the first of them is met, and where the last of them is left behind.
    pub(crate) among: Option<(Length, Length)>,
    /// Some of the way is rough.
    pub(crate) rough: bool,
    /// The enemy touched at the end.
    pub(crate) touched: Option<UnitId>,
    /// Something of what could not be left out lies on the way: friends, ground or enemy (MB-MOV-08).
    pub(crate) may_halt_short: bool,
}

impl Reach {
    /// A way that is not straight, of which only the friends it leads through matter.
    pub(crate) fn through(distance: Length, passed: SmallVec<[UnitId; 4]>) -> Self {
        Self {
            distance,
            why: "that is as far as it moves",
            clause: MB_MOV_04,
            half: Length::ZERO,
            crossed: SmallVec::new(),
            passed,
            among: None,
            rough: false,
            touched: None,
            may_halt_short: false,
        }
    }
}

impl Battle {
    /// How far an outline can move along a way before it leaves the table.
    pub(crate) fn room(&self, figure: &Figure, way: Vec2, most: Length) -> Length {
        let (bounds, table) = (figure.bounds(), self.fixed.table);
        let along =
            |from: f64, to: f64, speed: f64| if speed.abs() < 1e-12 { f64::INFINITY } else { (to - from) / speed };
        let x = if way.x > 0.0 { along(bounds.max.x, table.width.f(), way.x) } else { along(bounds.min.x, 0.0, way.x) };
        let y = if way.y > 0.0 { along(bounds.max.y, table.depth.f(), way.y) } else { along(bounds.min.y, 0.0, way.y) };
        Length::floored(x.min(y).max(0.0).min(most.f()))
    }

    /// How far a brigade gets along a heading with an allowance.
    pub(crate) fn reach(&self, unit: UnitId, heading: Heading, allowance: Length, going: Going) -> Reach {
        self.reach_as(unit, self.brigade(unit), self.figure(unit), heading, allowance, going)
    }

    /// How far it would get if it stood as this brigade and figure do: as a crowd, say.
    pub(crate) fn reach_as(
        &self,
        unit: UnitId,
        brigade: &Brigade,
        figure: &Figure,
        heading: Heading,
        allowance: Length,
        going: Going,
    ) -> Reach {
        let way = heading.unit();
        let mut reach = Reach {
            distance: allowance,
            why: "that is as far as it moves",
            clause: MB_MOV_04,
            half: allowance.half(),
            crossed: SmallVec::new(),
            passed: SmallVec::new(),
            among: None,
            rough: false,
            touched: None,
            may_halt_short: false,
        };
        let stop = |reach: &mut Reach, at: f64, why: &'static str, clause: Clause| {
            let at = Length::floored(at.max(0.0));
            if at < reach.distance {
                (reach.distance, reach.why, reach.clause, reach.touched) = (at, why, clause, None);
                return true;
            }
            false
        };
        let room = self.room(figure, way, allowance);
        if room < allowance {
            decides!(MB_GEN_17);
            stop(&mut reach, room.f(), "the table ends here", MB_GEN_17);
        }
        if let Some(most) = going.up_to {
            stop(&mut reach, most.f(), "there it is met", MB_CHG_14);
        }
        self.stop_at_enemies(brigade, figure, way, going, &mut reach, stop);
        let half = if going.over_obstacles { Length::ZERO } else { allowance.half() };
        self.stop_at_ground(brigade, figure, way, [allowance, half], &mut reach, stop);
        if !going.ignores_friends {
            self.pass_friends(unit, figure, way, going, &mut reach, stop);
        }
        reach.rough = self.goes_rough(figure, way, reach.distance);
        reach
    }

    /// A way of which only a part is gone: with the friends and the rough ground of that part.
    pub(crate) fn cut_short(&self, unit: UnitId, heading: Heading, mut reach: Reach, distance: Length) -> Reach {
        if distance >= reach.distance {
            return reach;
        }
        let (figure, way) = (self.figure(unit), heading.unit());
        let mut stretches = SmallVec::new();
        reach.passed.retain(|friend| {
            meetings(figure, way, distance.f(), self.figure(*friend), &mut stretches);
            stretches.iter().any(|one| !one.deep && one.to > SLOP && one.to <= distance.f() + SLOP)
        });
        reach.rough = reach.rough && self.goes_rough(figure, way, distance);
        Reach { distance, ..reach }
    }

    /// Whether a way leads through rough ground, and not by a road.
    fn goes_rough(&self, figure: &Figure, way: Vec2, distance: Length) -> bool {
        self.is_rough(figure, way, distance)
            && !(self.on_road(figure) && self.on_road(&figure.moved(way * distance.f())))
    }

    fn stop_at_enemies(
        &self,
        brigade: &Brigade,
        figure: &Figure,
        way: Vec2,
        going: Going,
        reach: &mut Reach,
        stop: impl Fn(&mut Reach, f64, &'static str, Clause) -> bool,
    ) {
        decides!(MB_MOV_06, MB_MOV_15, MB_FOO_01);
        let numbers = &self.fixed.numbers;
        let allowance = reach.distance.f();
        let (depth, why, clause) = if brigade.kind.is_cavalry() {
            (numbers.cavalry_halt.length(), "cavalry halt 2 inches from enemy to their front", MB_MOV_06)
        } else {
            (numbers.musketry.length(), "an inch from enemy it is in close combat", MB_FOO_01)
        };
        let far = numbers.near.length();
        let looks = match going {
            Going { double: true, .. } => far * 3,
            Going { heeds_enemy: true, .. } => depth * 2,
            _ if options::hides(self) => numbers.hidden.length(),
            _ => HAIR,
        };
        let corridor = figure.bounds().swept(way * allowance);
        let mut zone = None;
        for enemy in self.enemies_around(brigade.side, corridor, looks) {
            if going.presses && brigade.is_formed() && self.brigade(enemy).skirmishes() {
                continue;
            }
            let there = self.figure(enemy);
            if !options::is_known(self, enemy) {
                // Nobody walks on to hidden enemy: two inches off they show themselves (MB-UMP-03).
                if !going.blind
                    && let Some(at) = first_within(figure, way, allowance, there, numbers.hidden.length().f())
                {
                    stop(reach, at, "hidden enemy show themselves", MB_UMP_03);
                }
                continue;
            }
            // Just reaching an enemy is touching him, a hair's breadth forgiven (MB-GEN-08).
            if let Some(at) = first_contact(figure, way, allowance + HAIR.f(), there)
                && Length::floored(at) <= reach.distance + HAIR
            {
                stop(reach, at, "an enemy stands in the way", MB_MOV_09);
                reach.touched = Some(enemy);
            }
            if going.heeds_enemy {
                let met = if brigade.is_unformed() {
                    // Those who are nearer already may go away from him, or along him (MB-MOV-06).
                    let kept = exact_distance(figure, there).min(depth.f());
                    first_within(figure, way, allowance, there, kept)
                } else {
                    let zone = zone.get_or_insert_with(|| zone_of(brigade, figure, depth));
                    first_contact(zone, way, allowance, there)
                };
                if let Some(at) = met {
                    reach.may_halt_short = true;
                    stop(reach, at, why, clause);
                }
            }
            if going.double
                && let Some(at) = first_within(figure, way, allowance, there, far.f())
            {
                stop(reach, at, "a double move ends 6 inches from enemy", MB_MOV_15);
            }
        }
    }

    fn stop_at_ground(
        &self,
        brigade: &Brigade,
        figure: &Figure,
        way: Vec2,
        [allowance, half]: [Length; 2],
        reach: &mut Reach,
        stop: impl Fn(&mut Reach, f64, &'static str, Clause) -> bool,
    ) {
        let corridor = figure.bounds().swept(way * reach.distance.f());
        let mut obstacles: SmallVec<[(Length, u16); 4]> = SmallVec::new();
        let mut stretches = SmallVec::new();
        let by_road = self.on_road(figure) && self.on_road(&figure.moved(way * reach.distance.f()));
        for lie in self.fixed.ground.near(&corridor) {
            let id = lie.feature.id.0;
            let land = self.fixed.lands[usize::from(id)];
            if land.road || by_road {
                continue;
            }
            meetings(figure, way, reach.distance.f(), &lie, &mut stretches);
            let Some(first) = stretches.iter().find(|one| !one.deep && one.to > SLOP) else { continue };
            let at = first.from.max(0.0);
            if at > reach.distance.f() {
                continue;
            }
            reach.may_halt_short |= land.rough || land.obstacle || land.impassable || land.hill;
            if let Some((why, clause)) = self.stops(brigade, id) {
                stop(reach, at, why, clause);
            } else if land.obstacle {
                obstacles.push((Length::floored(at), id));
            }
        }
        obstacles.sort_unstable();
        let (mut left, mut done) = (allowance, Length::ZERO);
        for (at, id) in obstacles {
            if at > reach.distance {
                break;
            }
            left -= at - done;
            done = at;
            if left < half {
                stop(reach, at.f(), "too little of the move is left to cross the obstacle", MB_MAN_09);
                return;
            }
            left -= half;
            reach.crossed.push((at, id));
        }
        if !reach.crossed.is_empty() && done + left < reach.distance {
            (reach.distance, reach.why, reach.clause) = (done + left, "crossing took half of the move", MB_MAN_09);
            reach.touched = None;
        }
    }

    fn pass_friends(
        &self,
        unit: UnitId,
        figure: &Figure,
        way: Vec2,
        going: Going,
        reach: &mut Reach,
        stop: impl Fn(&mut Reach, f64, &'static str, Clause) -> bool,
    ) {
        decides!(MB_MOV_09);
        let side = self.brigade(unit).side;
        let mut friends: SmallVec<[(f64, f64, UnitId, bool); 8]> = SmallVec::new();
        let mut stretches = SmallVec::new();
        let corridor = figure.bounds().swept(way * reach.distance.f());
        for friend in self.friends_around(side, corridor, HAIR).filter(|friend| *friend != unit) {
            meetings(figure, way, reach.distance.f(), self.figure(friend), &mut stretches);
            friends.extend(
                stretches.iter().filter(|one| one.to > SLOP).map(|one| (one.from.max(0.0), one.to, friend, one.deep)),
            );
        }
        friends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        reach.may_halt_short |= friends.iter().any(|(from, _, _, _)| *from <= reach.distance.f());
        // Where it cannot end clear of somebody it stops short of him, which may leave it among others.
        loop {
            let distance = reach.distance.f();
            // Just touching him at the end it is clear of him.
            let caught = friends.iter().find(|(from, to, _, _)| *from < distance + SLOP && *to > distance + 0.01);
            let blocked = friends.iter().find(|(from, _, _, deep)| !deep && !going.passes_friends && *from < distance);
            let Some((from, _, _, _)) = blocked.or(caught) else { break };
            let short = if *from < BREADTH.f() { 0.0 } else { *from - BREADTH.f() };
            if !stop(reach, short, "friends stand in the way", MB_MOV_09) {
                reach.distance = Length::floored(short).min(reach.distance);
                if reach.distance <= Length::um(2) {
                    reach.distance = Length::ZERO;
                    break;
                }
                reach.distance -= Length::um(3);
            }
            if reach.distance == Length::ZERO {
                break;
            }
        }
        let end = reach.distance.f();
        for (from, to, friend, deep) in friends {
            if !deep && from < end && to <= end + SLOP && !reach.passed.contains(&friend) {
                reach.passed.push(friend);
            }
            if from < end && to <= end + SLOP {
                let (first, last) = reach.among.unwrap_or((Length::floored(from), Length::ZERO));
                reach.among = Some((first.min(Length::floored(from)), last.max(Length::ceiled(to))));
            }
        }
    }

    /// Whether any base is in rough ground on the way: to touch it is not to move in it (MB-MOV-26).
    pub(crate) fn is_rough(&self, figure: &Figure, way: Vec2, distance: Length) -> bool {
        decides!(MB_MOV_26);
        let corridor = figure.bounds().swept(way * distance.f());
        let mut stretches = SmallVec::new();
        self.fixed.ground.near(&corridor).any(|lie| {
            if !self.fixed.lands[usize::from(lie.feature.id.0)].rough {
                return false;
            }
            meetings(figure, way, distance.f(), &lie, &mut stretches);
            let entered = stretches.iter().any(|met| met.to > SLOP && met.from < distance.f() - SLOP);
            entered || overlapping(figure, &lie)
        })
    }
}
