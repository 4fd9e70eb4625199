//! Movement: what a unit may spend, how far it gets, what stops it.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_table::{Direction, Heading, Length, Outline, Placed, Vec2, first_contact, meetings};
use smallvec::SmallVec;

use crate::battle::{Battle, Kind, Step};
use crate::clauses::*;
use crate::ground::pieces;
use crate::nearing::too_near;
use crate::state::NEAR;
use crate::troops::{Arm, Formation, Nation};

/// A whole move, in millionths.
pub(crate) const WHOLE: u32 = 1_000_000;
/// The shortest move worth the name.
pub(crate) const LEAST: Length = Length::inch_fraction(1, 10);

/// A straight move: how far, and where friends can be passed.
pub(crate) struct Straight {
    pub(crate) most: Length,
    pub(crate) stop: Stop,
    /// Clear ground beyond friends who are passed through.
    pub(crate) beyond: SmallVec<[(Length, Length); 2]>,
}

impl Battle {
    /// What a unit moves in a turn (BB-MOV-01, BB-OPT-83).
    pub(crate) fn allowance(&self, unit: UnitId) -> Length {
        let (state, facts, moves) = (self.unit(unit), self.facts(unit), &self.numbers().moves);
        match facts.kind {
            Kind::Foot { .. } => {
                let table = moves.foot(state.formation_now(facts, self.numbers())).0;
                let drilled = facts.nation == Some(Nation::EarlyPrussia) && !facts.grade.eq(&crate::troops::Grade::F);
                if drilled { (table - moves.prussian_drill.0).max(Length::ZERO) } else { table }
            }
            Kind::Horse { weight, .. } => moves.horse(weight, false).0,
            Kind::Guns { .. } if state.away => moves.skirmish.0,
            Kind::Guns { class, horse, .. } => moves.guns(class, horse, state.limbered).0,
        }
    }

    /// What it moves when it charges (BB-CHG-03).
    pub(crate) fn charge_allowance(&self, unit: UnitId) -> Length {
        let now = &self.unit(unit).now;
        let steady = if now.moved { now.set_out_steady } else { self.steady(unit) };
        match self.facts(unit).kind {
            Kind::Horse { weight, .. } if steady => self.numbers().moves.horse(weight, true).0,
            _ => self.allowance(unit),
        }
    }

    /// Movement as a share of a move at a unit's present rate, in millionths, rounded up.
    pub(crate) fn share_of(&self, unit: UnitId, run: Length) -> u32 {
        let rate = i64::from(self.allowance(unit).to_um()).max(1);
        let share = (i64::from(run.to_um()) * i64::from(WHOLE) + rate - 1) / rate;
        // A hair over a round share is rounding, not movement.
        if share % 1_000 == 1 { (share - 1) as u32 } else { share.min(i64::from(u32::MAX)) as u32 }
    }

    /// The share of its move that a unit has spent.
    pub(crate) fn spent(&self, unit: UnitId) -> u32 {
        let unit = self.facts(unit).screen_of.unwrap_or(unit);
        let now = &self.unit(unit).now;
        now.share.saturating_add(self.share_of(unit, Length::um(now.run)))
    }

    /// Movement left at a rate.
    pub(crate) fn left_at(&self, unit: UnitId, rate: Length) -> Length {
        let now = &self.unit(unit).now;
        let rest = i64::from(WHOLE.saturating_sub(now.share));
        let left = i64::from(rate.to_um()) * rest / i64::from(WHOLE) - i64::from(now.run);
        // Shares are rounded up; what that took away is given back.
        let hair = if now.share > 0 { 3 } else { 0 };
        Length::um((left + hair).clamp(0, i64::from(i32::MAX)) as i32)
    }

    /// Why a unit may not move at all now.
    pub(crate) fn may_move(&self, unit: UnitId) -> Result<(), Refusal> {
        let name = self.name_of(unit);
        let refuse = |clause, sentence: String| Err(Refusal::new(clause, sentence));
        let now = &self.unit(unit).now;
        if !matches!(self.step, Step::MoveA | Step::MoveB) || self.side(unit) != self.phasing() {
            return refuse(BB_SEQ_03, format!("{name} does not move in this phase"));
        }
        if self.is_screen(unit) {
            return refuse(BB_OPT_65, format!("{name} goes where its battalion goes"));
        }
        if now.routed {
            return refuse(BB_MOR_38, format!("{name} has routed this turn"));
        }
        if now.done || (now.moved && self.moving != Some(unit) && !now.joint) {
            return refuse(BB_SEQ_03, format!("{name} has made its move"));
        }
        if self.in_contact(unit) {
            return refuse(BB_MOV_25, format!("{name} is held in contact"));
        }
        if now.stands {
            return refuse(BB_MOV_13, format!("{name} stands still: a friend has passed through it"));
        }
        if now.charging {
            return refuse(BB_SEQ_03, format!("{name} has charged"));
        }
        Ok(())
    }

    /// Why a unit may not march: it cannot move, or it is in a town block or in a bent line (BB-TWN-05, BB-UNI-19).
    pub(crate) fn may_march(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_move(unit)?;
        self.not_from_a_block(unit)?;
        if self.bent(unit) {
            return Err(Refusal::new(BB_UNI_19, "it is in a bent line and must straighten it first"));
        }
        Ok(())
    }

    /// Movement across the front costs more: the factor of a direction (BB-MOV-08 to -10, -16, BB-GUN-05, -06).
    pub(crate) fn manoeuvre(&self, unit: UnitId, direction: Direction) -> Result<(i32, Clause), Refusal> {
        let by_hand = self.battery(unit) && !self.limbered(unit);
        let double = if self.clumsy(unit) { 2 } else { 1 };
        match direction {
            Direction::Ahead => Ok((1, BB_MOV_01)),
            Direction::Back if by_hand => Ok((1, BB_GUN_06)),
            Direction::Back => Ok((2 * double, BB_MOV_10)),
            _ if by_hand => Err(Refusal::new(BB_GUN_05, "guns moved by hand neither sidestep nor oblique")),
            Direction::Left | Direction::Right => Ok((4 * double, BB_MOV_08)),
            Direction::Toward(_) => Ok((2 * double, BB_MOV_09)),
        }
    }

    /// Troops that go any way at full speed: skirmishers, squares, gunners without guns (BB-MOV-23, -28, BB-GUN-11).
    pub(crate) fn goes_any_way(&self, unit: UnitId) -> bool {
        self.skirmishing(unit) || self.in_square(unit) || self.unit(unit).away
    }

    /// Guns move by hand only with two gunners to a model (BB-GUN-08).
    pub(crate) fn enough_hands(&self, unit: UnitId) -> Result<(), Refusal> {
        let state = self.unit(unit);
        let needed = state.models() * u16::from(self.numbers().crew.by_hand);
        if self.battery(unit) && !state.limbered && state.figures < needed {
            return Err(Refusal::new(BB_GUN_08, format!("{needed} gunners are needed to move the guns by hand")));
        }
        Ok(())
    }

    /// How far a movement budget gets over the ground.
    fn over_ground(
        &self,
        unit: UnitId,
        placed: &Placed,
        way: Heading,
        factor: i32,
        budget: Length,
    ) -> (Length, Option<Clause>) {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let most = budget / factor.max(1);
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

    /// What a straight move of a length costs.
    pub(crate) fn cost(&self, unit: UnitId, way: Heading, factor: i32, length: Length) -> Length {
        if self.fixed.terrain.is_empty() {
            return length * factor;
        }
        // On a road the ground under it does not matter.
        if factor == 1 && self.road_run(unit, way).is_some_and(|run| length <= run) {
            return length;
        }
        let placed = self.placed(unit);
        let all = pieces(self, self.unit(unit), self.facts(unit), &placed, way, length);
        let sum: f64 = all.iter().map(|piece| piece.toll + (piece.to - piece.from) * f64::from(piece.factor)).sum();
        Length::rounded(sum * f64::from(factor))
    }

    /// Whether an enemy may be passed at less than two inches (BB-MOV-21).
    pub(crate) fn may_be_passed(&self, enemy: UnitId) -> bool {
        self.in_contact(enemy)
    }

    /// How far a mover gets before it comes too near an enemy (BB-MOV-20).
    pub(crate) fn stand_off(&self, unit: UnitId, placed: &Placed, way: Vec2, most: Length) -> (Length, Option<UnitId>) {
        let apart = self.numbers().approach.stand_off.0.f();
        let corridor = placed.bounds().swept(way * most.f()).grown(apart);
        let mut best = (most, None);
        for enemy in self.enemies(unit) {
            let other = self.outline(enemy);
            if !corridor.meets(&other.bounds()) {
                continue;
            }
            let free = if self.may_be_passed(enemy) {
                first_contact(placed, way, best.0.f(), other).map(|at| Length::floored(at - NEAR).max(Length::ZERO))
            } else {
                too_near(placed.whole(), way, best.0.f(), other, apart).map(Length::floored)
            };
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

    /// A straight move in a direction at another rate than its own.
    pub(crate) fn straight_at(
        &self,
        unit: UnitId,
        way: Heading,
        factor: i32,
        clause: Clause,
        rate: Length,
    ) -> Straight {
        let placed = self.placed(unit);
        let budget = self.left_at(unit, rate);
        let (mut most, mut ground) = self.over_ground(unit, &placed, way, factor, budget);
        let mut clause = clause;
        if factor == 1
            && let Some(run) = self.road_run(unit, way).filter(|run| *run > most)
        {
            (most, ground, clause) = (run, None, BB_ROA_01);
        }
        let mut stop = match ground {
            Some(clause) => Stop { at: most, why: "the ground allows no more".into(), clause },
            None => Stop { at: most, why: "that is all it can move".into(), clause },
        };
        if let Some((edge, _)) = self.fixed.table.leaves_after(&placed, Direction::Toward(way), most)
            && edge < most
        {
            most = edge;
            stop = Stop { at: most, why: "the table ends here".into(), clause: BB_MOV_27 };
        }
        let (free, enemy) = self.stand_off(unit, &placed, way.unit(), most);
        if let Some(enemy) = enemy {
            most = free;
            stop = Stop { at: most, why: format!("{} is near", self.name_of(enemy)), clause: BB_MOV_20 };
        }
        self.pass_friends(unit, &placed, way, most, stop)
    }

    /// Friends in the way: some can be passed, but nobody ends on top of them (BB-MOV-13).
    fn pass_friends(&self, unit: UnitId, placed: &Placed, way: Heading, mut most: Length, mut stop: Stop) -> Straight {
        let mut hidden: SmallVec<[(f64, f64); 4]> = SmallVec::new();
        let mut met = SmallVec::new();
        for friend in self.friends(unit) {
            meetings(placed, way.unit(), most.f(), self.outline(friend), &mut met);
            let Some(first) = met.first() else { continue };
            let state = self.unit(friend);
            let open = self.skirmishing(friend) || (self.battery(friend) && !state.limbered);
            if !open && (state.now.moved || self.in_contact(friend)) {
                let at = Length::floored(first.from.max(0.0));
                if at < most {
                    most = at;
                    let why = format!("{} has moved and cannot be passed", self.name_of(friend));
                    stop = Stop { at, why, clause: BB_MOV_13 };
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
            return Straight { most, stop, beyond };
        };
        let gap = (Length::ceiled(clear_from + 3.0), most);
        if gap.1 - gap.0 >= LEAST {
            beyond.push(gap);
        }
        let stop = Stop { at: first, why: "a friend stands in the way".into(), clause: BB_MOV_13 };
        Straight { most: first, stop, beyond }
    }

    /// The input of a straight move, or why there is none.
    pub(crate) fn straight_input(&self, unit: UnitId, direction: Direction) -> Result<Input, Refusal> {
        self.may_march(unit)?;
        self.enough_hands(unit)?;
        let (factor, clause) = self.manoeuvre(unit, direction)?;
        let way = direction.heading(self.unit(unit).pose);
        let reach = self.straight(unit, way, factor, clause);
        distance_input(reach.most, reach.stop)
    }

    /// The input of a march any way, once the way is set.
    pub(crate) fn march_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_march(unit)?;
        let way = self.march_way(unit)?;
        let reach = self.straight(unit, way, 1, BB_MOV_23);
        distance_input(reach.most, reach.stop)
    }

    pub(crate) fn march_way(&self, unit: UnitId) -> Result<Heading, Refusal> {
        let way = self.unit(unit).now.way.filter(|_| self.goes_any_way(unit));
        way.map(|way| Heading::hundredths(way.into())).ok_or_else(|| Refusal::new(BB_MOV_23, "set its way first"))
    }

    /// Friends that a straight move passes through and that must stand still for it.
    pub(crate) fn passed(&self, unit: UnitId, way: Heading, length: Length) -> Vec<UnitId> {
        let placed = self.placed(unit);
        let mut met = SmallVec::new();
        let passed = |friend: &UnitId| {
            let open = self.skirmishing(*friend) || (self.battery(*friend) && !self.limbered(*friend));
            meetings(&placed, way.unit(), length.f(), self.outline(*friend), &mut met);
            !open && met.iter().any(|one| one.from < length.f() - 1.0)
        };
        let mut passed = passed;
        self.friends(unit).filter(|friend| passed(friend)).collect()
    }

    /// Troops in column that went forward for all they were worth (BB-OPT-80).
    pub(crate) fn full_speed(&self, unit: UnitId) -> bool {
        let state = self.unit(unit);
        let column = matches!(state.formation, Formation::Column | Formation::Masse) && self.arm(unit) == Arm::Foot;
        let far = state.now.held_up && state.now.run >= Length::inches(6).to_um() - 26;
        column
            && state.now.moved
            && !state.now.manoeuvred
            && !state.now.charging
            && (self.spent(unit) + 500 >= WHOLE || far)
    }
}

/// The input of a move of up to `most`.
fn distance_input(most: Length, stop: Stop) -> Result<Input, Refusal> {
    if most < LEAST {
        return Err(Refusal::new(stop.clause, format!("it cannot move there: {}", stop.why)));
    }
    Ok(Input::Distance { least: LEAST, most, stops: vec![stop] })
}
