//! Marching along roads (MB-MOV-21, MB-TER-10).

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{FeatureShape, Heading, Length, OnTable, Outline, Point, Pose, Segment, Vec2, overlapping};
use smallvec::SmallVec;

use crate::advance::pay_for_way;
use crate::battle::Battle;
use crate::brigade::LastMove;
use crate::clauses::{MB_CTL_14, MB_MAN_01, MB_MOV_14, MB_MOV_21, MB_TER_10};
use crate::event::Event;
use crate::harm::Play;
use crate::lay::{Figure, HAIR};
use crate::path::Reach;
use crate::troops::{Formation, Kind};

/// How finely a way along a road is looked at.
const STEP: Length = Length::inch_fraction(1, 8);
/// Pieces of road whose ends are this near are one road.
const JOINT: Length = Length::inch_fraction(3, 5);

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

impl Battle {
    /// How far this kind of unit marches along a road; nothing for those who never do.
    fn road_distance(&self, unit: UnitId) -> Option<Length> {
        let brigade = self.brigade(unit);
        let roads = &self.fixed.numbers.roads;
        let far = match (brigade.kind, brigade.formation) {
            (kind, Formation::MarchColumn) if kind.is_brigade() => roads.column,
            (_, Formation::Limbered) => roads.column,
            (Kind::LightGun, Formation::Unlimbered) => roads.light_gun,
            (Kind::MediumGun | Kind::Howitzer, Formation::Unlimbered) => roads.medium_gun,
            _ => return None,
        };
        Some(far.length())
    }

    /// The road from a place on, in the direction nearest to a heading, for some length.
    fn road_ahead(&self, from: Vec2, heading: Heading, length: f64) -> Vec<Vec2> {
        let (mut way, mut here, mut facing, mut left) = (Vec::new(), from, heading.unit(), length);
        let mut walked: Vec<(u16, usize)> = Vec::new();
        while left > 0.0 {
            let mut best: Option<(f64, (u16, usize), Vec2)> = None;
            for feature in self.fixed.ground.features() {
                let FeatureShape::Line { points, .. } = &feature.shape else { continue };
                if !self.fixed.lands[usize::from(feature.id.0)].road {
                    continue;
                }
                for (n, pair) in points.windows(2).enumerate() {
                    let stretch = Segment::new(pair[0].v(), pair[1].v());
                    if walked.contains(&(feature.id.0, n)) || stretch.distance(here) > JOINT.f() {
                        continue;
                    }
                    let along = (stretch.b - stretch.a).unit();
                    let end = if along.dot(facing) >= 0.0 { stretch.b } else { stretch.a };
                    let turn = along.dot(facing).abs();
                    // Straightest on first; a piece that has nothing more ahead leads nowhere.
                    if (end - here).length() > 2.0 && turn > 0.2 && best.is_none_or(|(held, _, _)| turn > held) {
                        best = Some((turn, (feature.id.0, n), end));
                    }
                }
            }
            let Some((_, piece, end)) = best else { break };
            walked.push(piece);
            left -= (end - here).length();
            facing = (end - here).unit();
            here = end;
            way.push(end);
        }
        way
    }

    /// The way of a column along its road: from its last base to its first, and on.
    fn road_way(&self, unit: UnitId, length: Length) -> Vec<Vec2> {
        let figure = self.figure(unit);
        let mut way: Vec<Vec2> = figure.bases.iter().rev().map(|base| base.centre()).collect();
        let head = way.last().copied().unwrap_or(figure.centre());
        way.extend(self.road_ahead(head, self.brigade(unit).pose.heading, length.f() + Length::inches(1).f()));
        way
    }

    /// Where a column stands that has marched so far along its way; nothing where the way ends.
    fn along_road(&self, unit: UnitId, way: &[Vec2], by: Length) -> Option<Pose> {
        let brigade = self.brigade(unit);
        let ranks = f64::from(brigade.bases.max(1) - 1);
        let length = brigade.depth.f() * ranks;
        let head = place_on(way, length + by.f())?;
        // A single model looks along the piece it is on.
        let (behind, ahead) = if ranks > 0.0 {
            (place_on(way, by.f())?, head)
        } else {
            (place_on(way, (by.f() - 1_000.0).max(0.0))?, place_on(way, by.f().max(1_000.0))?)
        };
        let heading = Heading::toward(behind, ahead);
        Some(Pose::new(Point::rounded(head + heading.unit() * (brigade.depth.f() / 2.0)), heading))
    }

    /// How far a unit may march along its road, and the way.
    fn road_reach(&self, unit: UnitId, double: bool) -> Result<(Length, Vec<Vec2>), Refusal> {
        self.may_go(unit)?;
        self.along_the_road(unit, double)
    }

    fn along_the_road(&self, unit: UnitId, double: bool) -> Result<(Length, Vec<Vec2>), Refusal> {
        decides!(MB_MOV_21, MB_TER_10);
        let brigade = self.brigade(unit);
        let Some(single) = self.road_distance(unit) else {
            return no(MB_MOV_21, "only a march column, a limbered gun or a light or medium one marches along a road");
        };
        if !self.on_road(self.figure(unit)) {
            return no(MB_MOV_21, "it does not stand on a road");
        }
        if brigade.marks.half || brigade.marks.spent > Length::ZERO || brigade.marks.dice.is_some() {
            self.forbid(MB_MAN_01, "part of its move is used up")?;
        }
        if double && !self.may_double(unit) {
            self.forbid(MB_MOV_14, "enemy are within 6 inches")?;
        }
        let most = if double { single * 2 } else { single };
        let way = self.road_way(unit, most);
        let near = self.fixed.numbers.near.length() - HAIR * 3;
        let free = |by: Length| {
            self.along_road(unit, &way, by).filter(|pose| {
                let figure = Figure::of(brigade, *pose);
                self.on_road(&figure)
                    && self.passable(unit, &figure)
                    && !self.too_near(unit, &figure)
                    && !(double && !self.memo.waives() && self.enemy_within(brigade.side, &figure, near))
            })
        };
        // It may march through friends, and not stop among them.
        let (mut at, mut reached) = (Length::ZERO, Length::ZERO);
        while at < most
            && let Some(pose) = free((at + STEP).min(most))
        {
            at = (at + STEP).min(most);
            if self.stands_as_known(unit, &Figure::of(brigade, pose)) {
                reached = at;
            }
        }
        if reached == Length::ZERO {
            return no(MB_MOV_21, "the road leads no further for it");
        }
        Ok((reached, way))
    }

    /// Whether a figure could be there on its way: on nobody but friends, on no ground that stops it.
    fn passable(&self, unit: UnitId, figure: &Figure) -> bool {
        let side = self.brigade(unit).side;
        self.fixed.table.on_table(figure) == OnTable::Wholly
            && !self
                .enemies_around(side, figure.bounds(), HAIR)
                .any(|one| self.is_known(one) && overlapping(figure, self.figure(one)))
            && !self.fixed.ground.near(&figure.bounds()).any(|lie| self.stops_on(unit, figure, &lie))
    }

    /// The friends that a march leads through.
    fn friends_on_road(&self, unit: UnitId, way: &[Vec2], by: Length) -> SmallVec<[UnitId; 4]> {
        let brigade = self.brigade(unit);
        let mut passed = SmallVec::new();
        for step in 1..=by.to_um() / STEP.to_um() {
            let Some(pose) = self.along_road(unit, way, STEP * step) else { break };
            let figure = Figure::of(brigade, pose);
            for friend in self.friends_around(brigade.side, figure.bounds(), HAIR).filter(|one| *one != unit) {
                if !passed.contains(&friend) && overlapping(&figure, self.figure(friend)) {
                    passed.push(friend);
                }
            }
        }
        passed
    }

    pub(crate) fn road_input(&self, unit: UnitId, double: bool) -> Result<Input, Refusal> {
        let (most, _) = self.road_reach(unit, double)?;
        let stop = Stop { at: most, why: "as far as the road takes it".into(), clause: MB_MOV_21 };
        Ok(Input::Distance { least: STEP.half(), most, stops: vec![stop] })
    }

    /// Whether a unit whose last move was along a road has road left to repeat it (MB-CTL-14).
    pub(crate) fn repeats_road(&self, unit: UnitId) -> Option<Length> {
        let brigade = self.brigade(unit);
        let repeats = brigade.marks.control == crate::brigade::Charge::Repeats && !brigade.marks.halted;
        if brigade.last_move != LastMove::Road || !repeats {
            return None;
        }
        self.along_the_road(unit, self.may_double(unit)).ok().map(|(most, _)| most)
    }
}

/// The place so far along a way.
fn place_on(way: &[Vec2], mut left: f64) -> Option<Vec2> {
    for pair in way.windows(2) {
        let length = (pair[1] - pair[0]).length();
        if left <= length {
            return Some(pair[0].toward(pair[1], if length > 0.0 { left / length } else { 0.0 }));
        }
        left -= length;
    }
    (left <= 2.0).then(|| way.last().copied()).flatten()
}

/// A unit marches along its road.
pub(crate) fn march(play: &mut Play<'_>, unit: UnitId, double: bool, by: Option<Length>) -> Result<(), Halt> {
    let input = play.battle().road_input(unit, double)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&Value::Distance(by))?;
    go(play, unit, double, by)
}

fn go(play: &mut Play<'_>, unit: UnitId, double: bool, by: Length) -> Result<(), Halt> {
    let battle = play.battle();
    let way = battle.road_way(unit, by);
    let fits = |by: &Length| {
        battle.along_road(unit, &way, *by).is_some_and(|pose| {
            let figure = Figure::of(battle.brigade(unit), pose);
            battle.on_road(&figure) && battle.stands(unit, &figure) && !battle.too_near(unit, &figure)
        })
    };
    let stages = (1..=by.to_um() / STEP.to_um()).map(|step| STEP * step);
    let there = |by: Length| {
        let pose = battle.along_road(unit, &way, by).unwrap_or(battle.brigade(unit).pose);
        Figure::of(battle.brigade(unit), pose)
    };
    let by = battle.halted(unit, stages, there, by);
    // Between two looks at the way a corner may graze something, and among friends it cannot stop: then the look before.
    let looks = (0..=by.to_um() / STEP.to_um()).rev().map(|step| STEP * step);
    let by = std::iter::once(by).chain(looks).find(fits).unwrap_or(Length::ZERO);
    if let Some(to) = battle.along_road(unit, &way, by).filter(|_| by > Length::ZERO) {
        let passed = battle.friends_on_road(unit, &way, by);
        play.happen(Event::Marched { unit, to, spent: by, double });
        pay_for_way(play, unit, &Reach::through(by, passed))?;
        crate::advance::capture(play, unit);
    }
    if play.battle().brigade(unit).is_unit() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A unit repeats its march along the road at full length.
pub(crate) fn repeat(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let Some(most) = play.battle().repeats_road(unit) else {
        return Err(Refusal::new(MB_CTL_14, "there is no road left to march along").into());
    };
    let double = play.battle().may_double(unit);
    go(play, unit, double, most)
}
