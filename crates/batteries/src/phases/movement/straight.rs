//! Straight moves: how far they get, and what ends them.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_kit::{Lane, Looked};
use sabretache_table::{
    Angle, Direction, Heading, Length, Outline, Placed, Vec2, first_contact, meetings, wheel_angle,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::*;
use crate::event::How;
use crate::offer::Offer;
use crate::phases::movement::LEAST;
use crate::phases::movement::oblique;
use crate::phases::movement::offers::{Movement, Stride};
use crate::table::NEAR;
use crate::table::nearing::too_near;
use crate::terrain::going::pieces;

/// More than any rounding or distance kept can take from a move that has just been found to be long enough.
const ENOUGH: Length = Length::um(30);

/// What ends a straight move.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The movement there is, by this clause.
    Spent(Clause),
    /// The ground.
    Ground(Clause),
    /// The edge of the table.
    Edge,
    /// The nearness of an enemy.
    Enemy(UnitId),
    /// A friend who has moved and cannot be passed.
    Moved(UnitId),
    /// A friend who can be passed, but not stood upon.
    Friend,
}

/// A straight move: how far, and where friends can be passed.
pub(crate) struct Straight {
    pub(crate) most: Length,
    end: End,
    /// Clear ground beyond friends who are passed through.
    pub(crate) beyond: SmallVec<[(Length, Length); 2]>,
}

impl Battle {
    /// How far a movement budget gets over the ground.
    fn over_ground(
        &self,
        unit: UnitId,
        placed: &Placed,
        way: Heading,
        factor: i32,
        budget: Length,
        cap: Option<Length>,
    ) -> (Length, Option<Clause>) {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let most = budget / factor.max(1);
        let most = cap.map_or(most, |cap| most.min(cap));
        if self.fixed.terrain.is_empty() {
            return (most, None);
        }
        let mut left = budget.f();
        for piece in pieces(self, state, facts, placed, way, most) {
            if let Some(clause) = piece.barred {
                return (Length::floored(piece.from), Some(clause));
            }
            left -= piece.toll * f64::from(factor);
            if left < 0.0 {
                return (Length::floored(piece.from - 1.0).max(Length::ZERO), Some(BB_OBS_02));
            }
            let rate = f64::from(piece.factor) * f64::from(factor);
            if left < (piece.to - piece.from) * rate {
                let clause = (piece.factor > 1).then_some(BB_TER_02);
                return (Length::floored(piece.from + left / rate), clause);
            }
            left -= (piece.to - piece.from) * rate;
        }
        (most, None)
    }

    /// How far a mover gets before it comes too near an enemy (BB-MOV-20).
    pub(crate) fn stand_off(&self, unit: UnitId, placed: &Placed, way: Vec2, most: Length) -> (Length, Option<UnitId>) {
        decides!(BB_MOV_20);
        self.stand_off_from(self.enemies(unit), placed, way, most)
    }

    fn stand_off_from(
        &self,
        enemies: impl Iterator<Item = UnitId>,
        placed: &Placed,
        way: Vec2,
        most: Length,
    ) -> (Length, Option<UnitId>) {
        let apart = self.numbers().approach.stand_off.0.f();
        let corridor = placed.bounds().swept(way * most.f()).grown(apart);
        let mut best = (most, None);
        for enemy in enemies {
            let other = self.outline(enemy);
            if !corridor.meets(&other.bounds()) {
                continue;
            }
            // Nobody runs into an enemy, however near to him he stood before.
            let met = first_contact(placed, way, best.0.f(), other);
            let met = met.map(|at| Length::floored(at - NEAR).max(Length::ZERO));
            // A unit that plots a charge may come near the one it charges (BB-MOV-21).
            let kept = self.launch.is_none() && !self.may_be_passed(enemy);
            let near = kept.then(|| too_near(placed.whole(), way, best.0.f(), other, apart));
            let free = met.into_iter().chain(near.flatten().map(Length::floored)).min();
            if let Some(free) = free.filter(|free| *free < best.0) {
                best = (free, Some(enemy));
            }
        }
        best
    }

    /// A straight move in a direction.
    pub(crate) fn straight(&self, unit: UnitId, way: Heading, factor: i32, clause: Clause) -> Straight {
        self.straight_at(unit, way, factor, clause, self.allowance(unit))
    }

    /// Whether a straight move in a direction gets anywhere at all: looked at no farther than that.
    pub(crate) fn may_go(&self, unit: UnitId, direction: Direction, close_by: &[UnitId]) -> bool {
        if self.goes_any_way(unit) || self.may_march(unit).is_err() || self.enough_hands(unit).is_err() {
            return false;
        }
        let Ok((factor, clause)) = self.manoeuvre(unit, direction) else { return false };
        let rate = self.allowance(unit);
        // Only a road, straight ahead, gives more than is left.
        if factor > 1 && self.left_at(unit, rate) / factor < LEAST {
            return false;
        }
        let way = direction.heading(self.unit(unit).pose);
        let (most, end) = self.over_open_ground(unit, way, factor, clause, rate, Some(LEAST + ENOUGH));
        if close_by.is_empty() || most < LEAST {
            return most >= LEAST;
        }
        let (own, placed) = (self.side(unit), self.outline(unit));
        let of = |side: Side| close_by.iter().copied().filter(move |other| self.side(*other) == side);
        let (most, _) = self.stand_off_from(of(own.other()), placed, way.unit(), most);
        most >= LEAST && self.pass_friends(of(own), placed, way, most, end).most >= LEAST
    }

    /// Those so near a unit that they could bar the first tenth of an inch of a move.
    pub(crate) fn close_by(&self, unit: UnitId) -> SmallVec<[UnitId; 16]> {
        let near = self.bounds(unit).grown(self.numbers().approach.stand_off.0.f() + (LEAST + ENOUGH).f());
        self.others(unit).filter(|other| near.meets(&self.bounds(*other))).collect()
    }

    /// The ground that is looked at to find the straight moves, the wheel and the charge that are open to a unit.
    pub(crate) fn looked_at(&self, unit: UnitId) -> Looked {
        let here = self.bounds(unit);
        let apart = self.numbers().approach.stand_off.0.f() + 3_000.0;
        if self.goes_any_way(unit) || self.unit(unit).inside.is_some() {
            return Looked::round(here.grown(self.concern(unit).f()));
        }
        let far = self.left_at(unit, self.allowance(unit) + self.numbers().road.bonus.0);
        let far = far.max(self.left_at(unit, self.charge_allowance(unit)));
        let (placed, footprint) = (self.outline(unit), self.unit(unit).footprint(self.facts(unit), self.numbers()));
        let (wide, deep) = (footprint.frontage().f(), footprint.depth().f());
        let (ahead, at) = (placed.forward(), placed.pose().at.v());
        // A bent line reaches farther than half its front; it does not march.
        let from = at - ahead * (deep + apart);
        let lane = Lane { from, way: ahead, long: far.f() + deep + 2.0 * apart, half: wide / 2.0 + apart };
        // Where somebody is close beside it, the whole wheel is looked at.
        let beside = here.grown((wide + deep) * 0.01 + 2_000.0);
        let wheel = if self.others(unit).any(|other| beside.meets(&self.bounds(other))) {
            wheel_angle(footprint.frontage(), far).to_radians().min(2.0)
        } else {
            0.01
        };
        // Beyond friends it may go every other way as far as it has movement for.
        Looked { round: here.grown(((wide + deep) * wheel).max(self.aside(unit).f()) + apart), lane: Some(lane) }
    }

    /// The direction of a stride, and the way of moving that it is. Troops that go any way have only the one that is set for them.
    pub(crate) fn stride(&self, unit: UnitId, by: Stride) -> Result<(Direction, How), Refusal> {
        match by {
            Stride::SetWay => Ok((Direction::Toward(self.march_way(unit)?), How::March)),
            _ if self.goes_any_way(unit) => {
                Err(Refusal::new(self.any_way_clause(unit), "it goes any way it likes: set its way"))
            }
            Stride::Ahead => Ok((Direction::Ahead, How::Advance)),
            Stride::Back => Ok((Direction::Back, How::Retire)),
            Stride::SlantLeft => Ok((oblique(self, unit, false), How::Oblique)),
            Stride::SlantRight => Ok((oblique(self, unit, true), How::Oblique)),
            Stride::Left => Ok((Direction::Left, How::Sidestep)),
            Stride::Right => Ok((Direction::Right, How::Sidestep)),
        }
    }

    /// The clear stretches beyond friends on a straight way of a unit: whichever way it goes, it may go through friends of whom one
    /// stands still (BB-MOV-13).
    pub(crate) fn beyond_friends(&self, unit: UnitId, by: Stride) -> Result<SmallVec<[(Length, Length); 2]>, Refusal> {
        decides!(BB_MOV_13);
        self.may_march(unit)?;
        self.enough_hands(unit)?;
        let (direction, how) = self.stride(unit, by)?;
        let (factor, clause) = match how {
            How::March => (1, self.any_way_clause(unit)),
            _ => self.manoeuvre(unit, direction)?,
        };
        Ok(self.straight(unit, direction.heading(self.unit(unit).pose), factor, clause).beyond)
    }

    /// The ways through friends that are open to a unit that may move.
    pub(crate) fn ways_through(&self, unit: UnitId) -> SmallVec<[Offer; 4]> {
        let mut open = SmallVec::new();
        let far = self.left_at(unit, self.allowance(unit) + self.numbers().road.bonus.0);
        let placed = self.outline(unit);
        for by in Stride::ALL {
            let Ok((direction, how)) = self.stride(unit, by) else { continue };
            let factor = if how == How::March { Ok(1) } else { self.manoeuvre(unit, direction).map(|one| one.0) };
            let Ok(factor) = factor else { continue };
            let way = direction.heading(self.unit(unit).pose).unit();
            let corridor = placed.bounds().swept(way * (far / factor).f());
            if self.friends(unit).any(|friend| corridor.meets(&self.bounds(friend))) {
                let many = self.beyond_friends(unit, by).map_or(0, |beyond| beyond.len() as u8);
                open.extend((0..many).map(|nth| Offer::from(Movement::Pass { unit, by, nth })));
            }
        }
        open
    }

    /// How far a unit in formation may go any other way than straight ahead.
    fn aside(&self, unit: UnitId) -> Length {
        let factor = |direction| self.manoeuvre(unit, direction).map_or(i32::MAX, |one| one.0);
        let factor = [Direction::Back, oblique(self, unit, true), Direction::Right].map(factor).into_iter().min();
        self.left_at(unit, self.allowance(unit)) / factor.unwrap_or(1).max(1)
    }

    /// A straight move in a direction at another rate than its own.
    pub(crate) fn straight_at(
        &self,
        unit: UnitId,
        way: Heading,
        factor: i32,
        clause: Clause,
        rate: Length,
    ) -> Straight {
        let placed = self.outline(unit);
        let (mut most, mut end) = self.over_open_ground(unit, way, factor, clause, rate, None);
        let (free, enemy) = self.stand_off(unit, placed, way.unit(), most);
        if let Some(enemy) = enemy {
            (most, end) = (free, End::Enemy(enemy));
        }
        self.pass_friends(self.friends(unit), placed, way, most, end)
    }

    /// How far a straight move gets if nobody stands in its way, looked at no farther than a cap.
    fn over_open_ground(
        &self,
        unit: UnitId,
        way: Heading,
        factor: i32,
        clause: Clause,
        rate: Length,
        cap: Option<Length>,
    ) -> (Length, End) {
        let placed = self.outline(unit);
        let budget = self.left_at(unit, rate);
        let (mut most, mut ground) = self.over_ground(unit, placed, way, factor, budget, cap);
        let mut clause = clause;
        if factor == 1
            && cap.is_none_or(|cap| most < cap)
            && let Some(run) = self.road_run(unit, way).filter(|run| *run > most)
        {
            (most, ground, clause) = (run, None, BB_ROA_01);
        }
        let mut end = ground.map_or(End::Spent(clause), End::Ground);
        if let Some((edge, _)) = self.fixed.table.leaves_after(placed, Direction::Toward(way), most)
            && edge < most
        {
            (most, end) = (edge, End::Edge);
        }
        (most, end)
    }

    /// Friends in the way: some can be passed, but nobody ends on top of them (BB-MOV-13).
    fn pass_friends(
        &self,
        friends: impl Iterator<Item = UnitId>,
        placed: &Placed,
        way: Heading,
        mut most: Length,
        mut end: End,
    ) -> Straight {
        decides!(BB_MOV_13);
        let mut hidden: SmallVec<[(f64, f64); 4]> = SmallVec::new();
        let mut met = SmallVec::new();
        let along = way.unit();
        for friend in friends {
            meetings(placed, along, most.f(), self.outline(friend), &mut met);
            let Some(first) = met.first() else { continue };
            let state = self.unit(friend);
            let open = self.skirmishing(friend) || (self.battery(friend) && !state.limbered);
            if !open && (state.now.moved || self.in_contact(friend)) {
                let at = Length::floored(first.from.max(0.0));
                if at < most {
                    (most, end) = (at, End::Moved(friend));
                }
            } else {
                hidden.extend(met.iter().map(|one| (one.from.max(0.0), one.to)));
            }
        }
        hidden.retain(|one| one.0 < most.f());
        hidden.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut beyond = SmallVec::new();
        let mut clear_from = 0.0f64;
        let mut first = None;
        for (from, to) in hidden {
            if from > clear_from || first.is_none() {
                let gap = (Length::ceiled(clear_from + 3.0), Length::floored(from));
                match first {
                    None => first = Some(Length::floored(from)),
                    Some(_) if gap.1 - gap.0 >= LEAST => beyond.push(gap),
                    Some(_) => {}
                }
            }
            clear_from = clear_from.max(to);
        }
        let Some(first) = first else {
            return Straight { most, end, beyond };
        };
        let gap = (Length::ceiled(clear_from + 3.0), most);
        if gap.1 - gap.0 >= LEAST {
            beyond.push(gap);
        }
        Straight { most: first, end: End::Friend, beyond }
    }

    /// The input of a straight move, or why there is none.
    pub(crate) fn straight_input(&self, unit: UnitId, direction: Direction) -> Result<Input, Refusal> {
        self.may_march(unit)?;
        self.enough_hands(unit)?;
        let (factor, clause) = self.manoeuvre(unit, direction)?;
        let way = direction.heading(self.unit(unit).pose);
        let reach = self.straight(unit, way, factor, clause);
        let mut input = self.distance_input(&reach)?;
        if let (Direction::Ahead, Input::Distance { stops, .. }) = (direction, &mut input)
            && let Some((at, turn)) = self.next_bend(unit).filter(|(at, _)| (LEAST..reach.most).contains(at))
        {
            let hand = if turn < Angle::ZERO { "left" } else { "right" };
            let degrees = f64::from(turn.abs().to_hundredths()) / 100.0;
            let why = format!("the road turns {degrees} degrees to the {hand} here");
            stops.insert(0, Stop { at, why, clause: BB_ROA_01 });
        }
        Ok(input)
    }

    /// The input of a march any way, once the way is set.
    pub(crate) fn march_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_march(unit)?;
        let way = self.march_way(unit)?;
        let reach = self.straight(unit, way, 1, self.any_way_clause(unit));
        self.distance_input(&reach)
    }

    pub(crate) fn march_way(&self, unit: UnitId) -> Result<Heading, Refusal> {
        let way = self.unit(unit).now.way.filter(|_| self.goes_any_way(unit));
        way.map(|way| Heading::hundredths(way.into()))
            .ok_or_else(|| Refusal::new(self.any_way_clause(unit), "set its way first"))
    }

    /// The input of a move of up to so far.
    fn distance_input(&self, reach: &Straight) -> Result<Input, Refusal> {
        let (clause, why) = match reach.end {
            End::Spent(clause) => (clause, "that is all it can move".into()),
            End::Ground(clause) => (clause, "the ground allows no more".into()),
            End::Edge => {
                decides!(BB_MOV_27);
                (BB_MOV_27, "the table ends here".into())
            }
            End::Enemy(enemy) => (BB_MOV_20, format!("{} is near", self.name_of(enemy))),
            End::Moved(friend) => (BB_MOV_13, format!("{} has moved and cannot be passed", self.name_of(friend))),
            End::Friend => (BB_MOV_13, "a friend stands in the way".into()),
        };
        if reach.most < LEAST {
            return Err(Refusal::new(clause, format!("it cannot move there: {why}")));
        }
        let stop = Stop { at: reach.most, why, clause };
        Ok(Input::Distance { least: LEAST, most: reach.most, stops: vec![stop] })
    }
}
