//! Movement: what a unit may spend, and on what.

pub(crate) mod elbow_room;
pub(crate) mod marches;
pub(crate) mod offers;
pub(crate) mod open;
pub(crate) mod push;
pub(crate) mod straight;
pub(crate) mod turning;
pub(crate) mod wheeling;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{Angle, Direction, Heading, Length, Pose, meetings};
use smallvec::SmallVec;

use crate::battle::{Battle, Kind, Step};
use crate::clauses::*;
use crate::numbers::Slower;
use crate::terrain::going::pieces;
use crate::troops::{Arm, Formation, Nation, Pace};

/// A whole move, in millionths.
pub(crate) const WHOLE: u32 = 1_000_000;
/// The shortest move worth the name.
pub(crate) const LEAST: Length = Length::inch_fraction(1, 10);

/// Slantwise to the front.
pub(crate) fn oblique(battle: &Battle, unit: UnitId, right: bool) -> Direction {
    Direction::Toward(battle.unit(unit).pose.heading + Angle::degrees(if right { 45 } else { -45 }))
}

impl Battle {
    /// What a unit moves in a turn (BB-MOV-01, BB-OPT-83).
    pub(crate) fn allowance(&self, unit: UnitId) -> Length {
        decides!(BB_GUN_03, BB_MOV_01, BB_OPT_83);
        let (state, facts, moves) = (self.unit(unit), self.facts(unit), &self.numbers().moves);
        match facts.kind {
            Kind::Foot { .. } => {
                let table = moves.foot(state.formation_now(facts, self.numbers())).0;
                let drilled = facts.nation == Some(Nation::EarlyPrussia) && !facts.grade.eq(&crate::troops::Grade::F);
                if drilled { (table - moves.prussian_drill.0).max(Length::ZERO) } else { table }
            }
            Kind::Horse { .. } => {
                decides!(BB_UNI_15);
                self.horse_allowance(unit, Pace::March).unwrap_or(Length::ZERO)
            }
            Kind::Guns { .. } if state.away => moves.skirmish.0,
            Kind::Guns { class, horse, .. } => moves.guns(class, horse, state.limbered).0,
        }
    }

    /// What it moves when it charges (BB-CHG-03).
    pub(crate) fn charge_allowance(&self, unit: UnitId) -> Length {
        decides!(BB_CHG_03);
        self.horse_allowance(unit, Pace::Charge).unwrap_or_else(|| self.allowance(unit))
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
        // However much it has moved against the rules, sums of shares stay numbers.
        now.share.saturating_add(self.share_of(unit, Length::um(now.run))).min(1_000 * WHOLE)
    }

    /// The same, of the longest move it has: on a road throughout the turn that is the longer one (BB-ROA-01, BB-SHO-09).
    pub(crate) fn spent_of_longest(&self, unit: UnitId) -> u32 {
        decides!(BB_ROA_01, BB_SHO_09);
        let spent = self.spent(unit);
        if spent == 0 || !self.kept_to_road(unit) {
            return spent;
        }
        let (rate, bonus) = (i64::from(self.allowance(unit).to_um()), i64::from(self.numbers().road.bonus.0.to_um()));
        (i64::from(spent) * rate / (rate + bonus).max(1)) as u32
    }

    /// Movement left at a rate.
    pub(crate) fn left_at(&self, unit: UnitId, rate: Length) -> Length {
        decides!(BB_MOV_02);
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
        decides!(BB_SEQ_03, BB_MOV_15);
        if !matches!(self.step, Step::MoveA | Step::MoveB) || self.side(unit) != self.phasing() {
            return refuse(BB_SEQ_03, format!("{name} does not move in this phase"));
        }
        decides!(BB_OPT_65);
        if self.is_screen(unit) {
            return refuse(BB_OPT_65, format!("{name} goes where its battalion goes"));
        }
        if let Some(launch) = self.launch.as_ref().filter(|launch| launch.unit != unit) {
            return refuse(BB_SEQ_03, format!("{} is launching its charge first", self.name_of(launch.unit)));
        }
        decides!(BB_MOR_38);
        if now.routed {
            return refuse(BB_MOR_38, format!("{name} has routed this turn"));
        }
        if now.done || (now.moved && self.moving != Some(unit) && !now.joint) {
            return refuse(BB_SEQ_03, format!("{name} has made its move"));
        }
        decides!(BB_CHG_10, BB_COM_33, BB_MOV_25);
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
        decides!(BB_TWN_05, BB_UNI_19);
        self.may_move(unit)?;
        self.not_from_a_block(unit)?;
        if self.bent(unit) {
            return Err(Refusal::new(BB_UNI_19, "it is in a bent line and must straighten it first"));
        }
        Ok(())
    }

    /// Movement across the front costs more: the factor of a direction (BB-MOV-08, BB-MOV-09, BB-MOV-10, BB-MOV-16, BB-GUN-05, BB-GUN-06).
    pub(crate) fn manoeuvre(&self, unit: UnitId, direction: Direction) -> Result<(i32, Clause), Refusal> {
        decides!(BB_MOV_03, BB_MOV_08, BB_MOV_09, BB_MOV_10, BB_MOV_16, BB_GUN_05, BB_GUN_06);
        let by_hand = self.battery(unit) && !self.limbered(unit);
        let numbers = self.numbers();
        let clumsy = if self.clumsy(unit) { i32::from(numbers.clumsy.factor()) } else { 1 };
        let slower = |by: &Slower| i32::from(by.factor()) * clumsy;
        match direction {
            Direction::Ahead => Ok((1, BB_MOV_01)),
            Direction::Back if by_hand => Ok((1, BB_GUN_06)),
            Direction::Back => Ok((slower(&numbers.retire), BB_MOV_10)),
            _ if by_hand => Err(Refusal::new(BB_GUN_05, "guns moved by hand neither sidestep nor oblique")),
            Direction::Left | Direction::Right => Ok((slower(&numbers.sidestep), BB_MOV_08)),
            Direction::Toward(_) => Ok((slower(&numbers.oblique), BB_MOV_09)),
        }
    }

    /// Troops that go any way at full speed: skirmishers, squares, gunners without guns (BB-MOV-23, BB-MOV-28, BB-GUN-11).
    pub(crate) fn goes_any_way(&self, unit: UnitId) -> bool {
        decides!(BB_MOV_23, BB_MOV_28, BB_GUN_11);
        self.skirmishing(unit) || self.in_square(unit) || self.unit(unit).away
    }

    /// The clause by which they do.
    pub(crate) fn any_way_clause(&self, unit: UnitId) -> Clause {
        match unit {
            _ if self.in_square(unit) => BB_MOV_28,
            _ if self.unit(unit).away => BB_GUN_11,
            _ => BB_MOV_23,
        }
    }

    /// Guns move by hand only with two gunners to a model (BB-GUN-08).
    pub(crate) fn enough_hands(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(BB_GUN_08);
        let state = self.unit(unit);
        let needed = state.models() * u16::from(self.numbers().crew.by_hand);
        if self.battery(unit) && !state.limbered && state.figures < needed {
            return Err(Refusal::new(BB_GUN_08, format!("{needed} gunners are needed to move the guns by hand")));
        }
        Ok(())
    }

    /// The guns that go and the place of the rest when a battery with too few hands leaves the model at one of its ends behind: a damaged one, if it has
    /// one (BB-GUN-08).
    pub(crate) fn may_abandon(&self, unit: UnitId, right: bool) -> Result<(u8, Pose), Refusal> {
        decides!(BB_GUN_08);
        self.may_move(unit)?;
        let rest = self.can_abandon(unit, right)?;
        if self.enough_hands(unit).is_ok() {
            let why = format!("{} has gunners enough for its guns", self.name_of(unit));
            return Err(Refusal::new(BB_GUN_08, why));
        }
        Ok(rest)
    }

    /// The same for any battery that has a gun to spare.
    pub(crate) fn can_abandon(&self, unit: UnitId, right: bool) -> Result<(u8, Pose), Refusal> {
        let state = self.unit(unit);
        let refuse = |why: &str| Err(Refusal::new(BB_GUN_08, format!("{} {why}", self.name_of(unit))));
        if !self.battery(unit) || state.limbered || state.inside.is_some() {
            return refuse("has no guns to move by hand");
        }
        if state.models() < 2 {
            return refuse("would have no gun left");
        }
        let frontage = state.footprint(self.facts(unit), self.numbers()).frontage() / i32::from(state.models());
        let aside = state.pose.heading + if right { -Angle::QUARTER } else { Angle::QUARTER };
        let guns = if state.guns % 2 == 1 { 1 } else { 2 };
        Ok((guns, state.pose.moved(aside, frontage.half())))
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
        let all = pieces(self, self.unit(unit), self.facts(unit), self.outline(unit), way, length);
        let sum: f64 = all.iter().map(|piece| piece.toll + (piece.to - piece.from) * f64::from(piece.factor)).sum();
        Length::rounded(sum * f64::from(factor))
    }

    /// Whether an enemy may be passed at less than two inches (BB-MOV-21).
    pub(crate) fn may_be_passed(&self, enemy: UnitId) -> bool {
        decides!(BB_MOV_21);
        self.in_contact(enemy)
    }

    /// Friends that a straight move passes through and that must stand still for it.
    pub(crate) fn passed(&self, unit: UnitId, way: Heading, length: Length) -> Vec<UnitId> {
        let placed = self.outline(unit);
        let mut met = SmallVec::new();
        let passed = |friend: &UnitId| {
            let open = self.skirmishing(*friend) || (self.battery(*friend) && !self.limbered(*friend));
            meetings(placed, way.unit(), length.f(), self.outline(*friend), &mut met);
            !open && met.iter().any(|one| one.from < length.f() - 1.0)
        };
        let mut passed = passed;
        self.friends(unit).filter(|friend| passed(friend)).collect()
    }

    /// Troops in column that went forward for all they were worth (BB-OPT-80).
    pub(crate) fn full_speed(&self, unit: UnitId) -> bool {
        decides!(BB_OPT_80);
        let state = self.unit(unit);
        let column = matches!(state.formation, Formation::Column | Formation::Masse) && self.arm(unit) == Arm::Foot;
        let far = state.now.held_up && state.now.run >= self.numbers().full_speed.within.0.to_um() - 26;
        column
            && state.now.moved
            && !state.now.manoeuvred
            && !state.now.charging
            && (self.spent(unit) + 500 >= WHOLE || far)
    }
}
