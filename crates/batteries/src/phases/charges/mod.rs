//! Charges.

pub(crate) mod answers;
pub(crate) mod contact;
pub(crate) mod evade;
pub(crate) mod launch;
pub(crate) mod offers;
pub(crate) mod overrun;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{
    Angle, Convex, Face, Length, OnTable, Outline, Placed, Pose, Vec2, exact_distance, first_contact, sweep_outline,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::*;
use crate::table::NEAR;
use crate::table::nearing::too_near;
use crate::terrain::going::pieces;
use crate::troops::{Arm, Formation};

/// A charge that can be made: how far it is to contact, and with whom.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) length: Length,
    pub(crate) cost: Length,
    pub(crate) targets: Vec<UnitId>,
    /// Nobody but a screen is within reach.
    pub(crate) onto_screen: bool,
}

impl Battle {
    /// Why a unit cannot charge anybody (BB-CHG-05, BB-CHG-06, BB-CHG-07, BB-CHG-08).
    pub(crate) fn may_charge(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(BB_CHG_05, BB_CHG_06, BB_CHG_07, BB_CHG_08);
        self.may_march(unit)?;
        if self.in_square(unit) {
            return Err(Refusal::new(BB_CHG_06, format!("{} is in square and cannot charge", self.name_of(unit))));
        }
        self.may_charge_in_some_form(unit)
    }

    /// The same, whatever form it is in now.
    pub(crate) fn may_charge_in_some_form(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_move(unit)?;
        self.not_from_a_block(unit)?;
        let name = self.name_of(unit);
        let refuse = |clause, sentence: String| Err(Refusal::new(clause, sentence));
        if self.arm(unit) == Arm::Guns {
            return refuse(BB_CHG_05, format!("{name} is artillery and cannot charge"));
        }
        if self.unit(unit).shaken {
            return refuse(BB_CHG_08, format!("{name} is shaken and cannot charge"));
        }
        if self.unit(unit).now.returned {
            return refuse(BB_OPT_47, format!("{name} has just come back and cannot charge"));
        }
        decides!(BB_MOV_14);
        if self.unit(unit).now.passed {
            return refuse(BB_MOV_14, format!("{name} has gone through friends and cannot charge"));
        }
        Ok(())
    }

    /// The charge straight ahead, or why there is none.
    pub(crate) fn run(&self, unit: UnitId) -> Result<Run, Refusal> {
        self.may_charge(unit)?;
        let run = self.straight_run(unit)?;
        let straight = self.numbers().run.straight.0.to_um() - 26;
        let now = &self.unit(unit).now;
        decides!(BB_CHG_02);
        if now.turned && now.straight + run.length.to_um() < straight {
            return Err(Refusal::new(BB_CHG_02, "the last 2 in of a charge are straight ahead"));
        }
        self.passed_too_near(unit, &run.targets)?;
        Ok(run)
    }

    /// Straight ahead until an enemy is touched, with the charge move.
    pub(crate) fn straight_run(&self, unit: UnitId) -> Result<Run, Refusal> {
        let placed = self.placed(unit);
        let way = placed.pose().heading;
        let left = self.left_at(unit, self.charge_allowance(unit));
        let corridor = placed.bounds().swept(way.unit() * left.f()).grown(NEAR);
        // A charge goes through screens to those behind them (BB-OPT-68).
        let of = |screens: bool| -> SmallVec<[(UnitId, &Placed); 8]> {
            self.enemies(unit)
                .filter(|enemy| self.leads(*enemy) && self.is_screen(*enemy) == screens)
                .map(|enemy| (enemy, self.outline(enemy)))
                .filter(|(_, placed)| corridor.meets(&placed.bounds()))
                .collect()
        };
        let (mut enemies, mut onto_screen) = (of(false), false);
        let mut met = sweep_outline(&placed, way.unit(), left, enemies.iter().copied());
        if met.met.is_none() && self.fixed.options.skirmish_screens {
            (enemies, onto_screen) = (of(true), true);
            met = sweep_outline(&placed, way.unit(), left, enemies.iter().copied());
        }
        decides!(BB_CHG_01);
        if met.met.is_none() {
            return Err(Refusal::new(BB_CHG_01, "no enemy is within reach straight ahead"));
        }
        let length = match self.to_the_wall(unit, &placed, way.unit(), met.free.f()) {
            Some(at) => Length::floored(at),
            None => met.free,
        };
        let there =
            Placed::new(&self.unit(unit).footprint(self.facts(unit), self.numbers()), placed.pose().ahead(length));
        decides!(BB_MOV_27);
        if self.fixed.table.on_table(&there) != OnTable::Wholly {
            return Err(Refusal::new(BB_MOV_27, "the charge would take it over the edge of the table"));
        }
        let touched = |enemy: UnitId, other: &Placed| {
            exact_distance(&there, other) <= NEAR / 2.0 || self.meets_at_wall(&there, enemy)
        };
        let targets: Vec<UnitId> =
            enemies.iter().filter(|(enemy, other)| touched(*enemy, other)).map(|(enemy, _)| *enemy).collect();
        let mut cost = 0.0;
        for piece in pieces(self, self.unit(unit), self.facts(unit), &placed, way, length) {
            if let Some(clause) = piece.barred {
                return Err(self.barred_charge(clause));
            }
            cost += piece.toll + (piece.to - piece.from) * f64::from(piece.factor);
        }
        let cost = Length::rounded(cost);
        if cost > left + Length::um(3) {
            return Err(Refusal::new(BB_CHG_01, "the ground takes up too much of the charge"));
        }
        self.across_barriers(unit, &there, &targets)?;
        for friend in self.friends(unit) {
            let at = first_contact(&placed, way.unit(), length.f(), self.outline(friend));
            if at.is_some_and(|at| at < length.f() - 3.0) {
                return Err(Refusal::new(BB_MOV_14, format!("{} stands in the way", self.name_of(friend))));
            }
        }
        if self.arm(unit) != Arm::Foot && targets.iter().any(|target| self.unit(*target).inside.is_some()) {
            return Err(Refusal::new(BB_TWN_06, "only infantry attacks a town block"));
        }
        if self.skirmishing(unit) && targets.iter().any(|target| self.close_order(*target)) {
            return Err(Refusal::new(BB_CHG_07, "skirmishers do not charge troops in close order"));
        }
        self.past_neighbours(unit, &placed, way.unit(), length, &targets)?;
        Ok(Run { length, cost, targets, onto_screen })
    }

    /// A charge that the ground bars; without ladders nobody attacks a wall (BB-OPT-98).
    fn barred_charge(&self, clause: sabretache_engine::clause::Clause) -> Refusal {
        decides!(BB_OPT_98);
        match clause {
            BB_OPT_93 => Refusal::new(BB_OPT_98, "it has no ladders"),
            _ => Refusal::new(clause, "the ground bars the way"),
        }
    }

    /// Nobody strikes across what he cannot cross, and a breach takes one unit at a time (BB-TER-05, BB-OPT-97, BB-OPT-98).
    fn across_barriers(&self, unit: UnitId, there: &Placed, targets: &[UnitId]) -> Result<(), Refusal> {
        decides!(BB_TER_05, BB_OPT_97, BB_OPT_98);
        if self.fixed.barriers.is_empty() {
            return Ok(());
        }
        for target in targets {
            let mut state = *self.unit(unit);
            state.climbs |= self.ladders(unit) > 0;
            let to = self.outline(*target).centre();
            if let Some(clause) = self.cannot_strike_across(&state, self.facts(unit), there.centre(), to) {
                return Err(self.barred_charge(clause));
            }
            if let Some(clause) = self.breach_taken(unit, there, *target) {
                return Err(Refusal::new(clause, "somebody else is in the breach"));
            }
        }
        Ok(())
    }

    /// Other enemies may be near in the last two inches, and before that only where the target is nearer (BB-MOV-22).
    fn past_neighbours(
        &self,
        unit: UnitId,
        placed: &Placed,
        way: Vec2,
        length: Length,
        targets: &[UnitId],
    ) -> Result<(), Refusal> {
        decides!(BB_MOV_22);
        let apart = self.numbers().approach.stand_off.0.f();
        let last = length.f() - self.numbers().run.straight.0.f();
        let heeded = |enemy: &UnitId| !targets.contains(enemy) && !self.in_contact(*enemy) && !self.is_screen(*enemy);
        for enemy in self.enemies(unit).filter(heeded) {
            let other = self.outline(enemy);
            if !placed.bounds().swept(way * length.f()).grown(apart).meets(&other.bounds()) {
                continue;
            }
            let Some(from) = too_near(placed.whole(), way, length.f(), other, apart) else { continue };
            let mut at = from + 100.0;
            while at < last {
                let here = placed.whole().moved(way * at);
                let near = exact_distance(&here, other);
                let target = targets
                    .iter()
                    .map(|target| exact_distance(&here, self.outline(*target)))
                    .fold(f64::INFINITY, f64::min);
                if near < apart - NEAR && target > near + NEAR {
                    return Err(Refusal::new(BB_MOV_22, format!("the charge passes too near {}", self.name_of(enemy))));
                }
                at += Length::inch_fraction(1, 10).f();
            }
        }
        Ok(())
    }

    /// Whether a charge that began here, on this target, has flank or rear status (BB-COM-30, BB-UNI-31).
    pub(crate) fn takes_in_flank(&self, charger: UnitId, target: UnitId) -> bool {
        decides!(BB_COM_35, BB_COM_30, BB_UNI_31);
        if self.unit(target).inside.is_some() {
            return false;
        }
        if self.unit(target).formation == Formation::Bent {
            return self.takes_bent_end(charger, target);
        }
        if self.in_square(target) || self.skirmishing(target) || self.unit(target).away {
            return false;
        }
        let from = self.as_it_set_out(charger);
        let them = self.placed(target);
        let stood = self.before_evading(charger, target).unwrap_or(them.pose());
        let (front, ahead) = (stood.at.v(), stood.heading.unit());
        let behind = from.parts().any(|part| part.corners.iter().any(|corner| (*corner - front).dot(ahead) < -NEAR));
        behind && !self.touches_front(&self.placed(charger), &them)
    }

    /// A unit as it stood when it began its move (BB-COM-30).
    pub(crate) fn as_it_set_out(&self, unit: UnitId) -> Placed {
        let mut state = *self.unit(unit);
        state.pose = self.track(unit).first().copied().unwrap_or(state.pose);
        if let Some(out) = state.now.set_out.filter(|out| out.formation != Formation::Bent) {
            (state.formation, state.stands, state.inside) = (out.formation, out.stands, out.inside);
        }
        self.fixed.outline(&state, self.facts(unit))
    }

    /// Whether a charger touches the front edge anywhere but at its two ends.
    fn touches_front(&self, charger: &Placed, target: &Placed) -> bool {
        let front = target.face(Face::Front);
        let along = (front.b - front.a).unit() * (2.0 * NEAR);
        let inner = Convex::segment(sabretache_table::Segment::new(front.a + along, front.b - along));
        let rear_side = |corner: &Vec2| (*corner - front.a).dot(target.forward()) < -2.0 * NEAR;
        let wholly_behind = charger.parts().all(|part| part.corners.iter().all(rear_side));
        !wholly_behind && exact_distance(charger, &inner) <= NEAR
    }

    /// Where a target stood when a charger set out, if it has evaded since (BB-COM-30).
    fn before_evading(&self, charger: UnitId, target: UnitId) -> Option<Pose> {
        if !self.unit(target).now.evaded {
            return None;
        }
        let (began, _) = self.places_passed(charger).next()?;
        self.tracks[began..].iter().find(|(who, _)| *who == target).map(|(_, pose)| *pose)
    }

    /// The poses that a unit has come through in its own move, its start first.
    pub(crate) fn track(&self, unit: UnitId) -> Vec<Pose> {
        self.places_passed(unit).map(|(_, pose)| pose).collect()
    }

    /// The places of a unit's own move among all tracks. A unit of Side B that evaded in phase 2 and moves in phase 3 begins where the
    /// evasion ended.
    fn places_passed(&self, unit: UnitId) -> impl Iterator<Item = (usize, Pose)> + '_ {
        let evasion = if self.unit(unit).now.evaded && self.side(unit) != self.first { 2 } else { 0 };
        let its = self.tracks.iter().enumerate().filter(move |(_, (who, _))| *who == unit);
        its.map(|(n, (_, pose))| (n, *pose)).skip(evasion)
    }

    /// Where the way of a unit began this turn, and where it was at each full inch of it.
    pub(crate) fn inches_of_track(&self, unit: UnitId) -> Vec<Pose> {
        let (track, inch) = (self.track(unit), Length::inches(1).f());
        let mut poses: Vec<Pose> = track.first().copied().into_iter().collect();
        let (mut gone, mut next) = (0.0, inch);
        for pair in track.windows(2) {
            let length = (pair[1].at.v() - pair[0].at.v()).length();
            let turn = pair[0].heading.turn_to(pair[1].heading).to_hundredths();
            while next <= gone + length {
                let share = (next - gone) / length;
                let at = sabretache_table::Point::rounded(pair[0].at.v().toward(pair[1].at.v(), share));
                poses.push(Pose::new(at, pair[0].heading + Angle::hundredths((f64::from(turn) * share) as i32)));
                next += inch;
            }
            gone += length;
        }
        poses
    }

    /// The way a unit has come in its own move, every quarter of an inch, with its end.
    pub(crate) fn along_track(&self, unit: UnitId) -> Vec<Pose> {
        quarter_inches(&self.track(unit))
    }

    /// The whole way of a unit this turn, its evasion and its rout included, every quarter of an inch (BB-OPT-16).
    pub(crate) fn whole_way(&self, unit: UnitId) -> Vec<Pose> {
        decides!(BB_OPT_16);
        let now = &self.unit(unit).now;
        let all: Vec<Pose> = self.tracks.iter().filter(|(who, _)| *who == unit).map(|(_, pose)| *pose).collect();
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        // Nobody turns on the way as he runs: he faces as he does at its end.
        let run = |from: Vec2, to: Pose| {
            let back = from - Placed::new(&footprint, to).centre();
            quarter_inches(&[Pose::new(sabretache_table::Point::rounded(to.at.v() + back), to.heading), to])
        };
        let middle = |pose: Pose| Placed::new(&footprint, pose).centre();
        let mut way = match all[..] {
            [from, to, ref rest @ ..] if now.evaded && self.side(unit) != self.first => {
                [run(middle(from), to), quarter_inches(rest)].concat()
            }
            [ref rest @ .., from, to] if now.evaded => [quarter_inches(rest), run(middle(from), to)].concat(),
            _ => quarter_inches(&all),
        };
        if let Some(from) = now.fell_back_from.filter(|_| now.routed) {
            way.extend(run(from.v(), self.unit(unit).pose));
        }
        way
    }

    /// How far a charger may go on over open ground once its targets have gone, stopping short of every enemy.
    pub(crate) fn onward_reach(&self, charger: UnitId) -> Length {
        let placed = self.placed(charger);
        let way = placed.pose().heading;
        let left = self.left_at(charger, self.charge_allowance(charger));
        let mut most = left;
        let mut paid = left.f();
        for piece in pieces(self, self.unit(charger), self.facts(charger), &placed, way, left) {
            let rate = f64::from(piece.factor);
            paid -= piece.toll;
            if piece.barred.is_some() || paid < 0.0 {
                most = Length::floored(piece.from);
                break;
            }
            if paid < (piece.to - piece.from) * rate {
                most = Length::floored(piece.from + paid / rate);
                break;
            }
            paid -= (piece.to - piece.from) * rate;
        }
        if let Some((edge, _)) = self.fixed.table.leaves_after(&placed, sabretache_table::Direction::Ahead, most) {
            most = most.min(edge);
        }
        for friend in self.friends(charger) {
            if let Some(at) = first_contact(&placed, way.unit(), most.f(), self.outline(friend)) {
                most = most.min(Length::floored(at));
            }
        }
        self.stand_off(charger, &placed, way.unit(), most).0
    }
}

/// The places of a way every quarter of an inch, with its end.
fn quarter_inches(track: &[Pose]) -> Vec<Pose> {
    let mut poses = Vec::new();
    for pair in track.windows(2) {
        let length = pair[0].at.distance(pair[1].at);
        let steps = (length.begun(Length::inch_fraction(1, 4))).clamp(1, 400);
        for step in 0..steps {
            let at = pair[0].at.v().toward(pair[1].at.v(), f64::from(step) / f64::from(steps));
            let turn = pair[0].heading.turn_to(pair[1].heading).to_hundredths();
            let heading = pair[0].heading + Angle::hundredths(turn * step / steps);
            poses.push(Pose::new(sabretache_table::Point::rounded(at), heading));
        }
    }
    poses.extend(track.last());
    poses
}
