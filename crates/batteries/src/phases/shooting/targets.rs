//! Phase 5a: who may shoot at whom, and where the target is shot at.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{
    Convex, Face, Footprint, Length, Outline, Placed, Point, Pose, Segment, Vec2, exact_distance, overlapping,
};

use crate::battle::{Battle, Kind, Pending, Step};
use crate::clauses::*;
use crate::table::NEAR;
use crate::table::bearing::{Bearing, side_stretch, stretch};
use crate::table::shape::Post;
use crate::troops::{Arm, Fire, Shot};

/// One target of a unit's fire, with those who bear on it.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    pub(crate) target: UnitId,
    pub(crate) bearings: Vec<Bearing>,
    /// Where the target is shot at: a charger at the best point of its way in.
    pub(crate) pose: Pose,
    /// How many dice, where fire is shared among several chargers.
    pub(crate) dice: Option<u16>,
}

/// From where a unit shoots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    /// From its ranks.
    Ranks,
    /// Out of one side of the town block that it holds.
    Side(u8),
}

impl Aim {
    /// The middle of those who fire.
    pub(crate) fn middle(&self) -> Vec2 {
        let many = self.bearings.len().max(1) as f64;
        self.bearings.iter().fold(Vec2::default(), |sum, one| sum + one.from) * (1.0 / many)
    }
}

impl Battle {
    /// Why a unit may not shoot at all in this phase.
    pub(crate) fn may_shoot(&self, unit: UnitId) -> Result<(), Refusal> {
        let (state, name) = (self.unit(unit), self.name_of(unit));
        let refuse = |clause: Clause, why: &str| Err(Refusal::new(clause, format!("{name} {why}")));
        decides!(BB_GUN_02, BB_SHO_10);
        decides!(BB_SHO_05);
        match self.arm(unit) {
            Arm::Horse => return refuse(BB_SHO_05, "is cavalry and does not shoot"),
            Arm::Guns if state.away => return refuse(BB_GUN_11, "has left its guns"),
            Arm::Guns if state.limbered => return refuse(BB_GUN_02, "is limbered"),
            Arm::Guns if state.now.moved => return refuse(BB_SHO_10, "has moved"),
            _ => {}
        }
        let again = state.inside.is_some() && matches!(self.step, Step::AimA | Step::AimB);
        decides!(BB_SHO_50);
        if state.now.fired && !again {
            return refuse(BB_SHO_50, "has fired this turn");
        }
        decides!(BB_SHO_11);
        if state.now.charging {
            return refuse(BB_SHO_11, "has charged");
        }
        if state.now.evaded {
            return refuse(BB_SHO_12, "has evaded");
        }
        if state.now.routed {
            return refuse(BB_MOR_38, "has routed");
        }
        decides!(BB_SHO_51);
        if self.locked(self.lead(unit)) {
            return refuse(BB_SHO_51, "is locked in combat");
        }
        decides!(BB_SHO_09);
        if self.spent_of_longest(unit) > self.numbers().move_and_fire.of(crate::phases::movement::WHOLE) + 20 {
            return refuse(BB_SHO_09, "has used more than half its move");
        }
        Ok(())
    }

    /// Enemies that charge a unit this turn.
    pub(crate) fn chargers(&self, unit: UnitId) -> Vec<UnitId> {
        // A charge at a block is a charge at all who are in it.
        let lead = self.lead(unit);
        let upon = self
            .contacts
            .iter()
            .filter(|contact| contact.fresh && contact.target == lead)
            .map(|contact| contact.charger);
        let coming = match self.pending {
            Some(Pending::Evade { charger, target, .. }) if target == unit => Some(charger),
            _ => None,
        };
        upon.chain(coming).collect()
    }

    /// The ammunition that a unit may choose from.
    pub(crate) fn ammunition(&self, unit: UnitId) -> &'static [Option<Shot>] {
        decides!(BB_SHO_15);
        match self.facts(unit).kind {
            Kind::Guns { .. } => &[Some(Shot::Canister), Some(Shot::Ball)],
            _ => &[None],
        }
    }

    /// The aim of a unit at one enemy, or why it cannot shoot at it. A garrison shoots out of the first side of its block from which it can.
    pub(crate) fn aim(&self, unit: UnitId, target: UnitId, shot: Option<Shot>) -> Result<Aim, Refusal> {
        let Some(block) = self.block_of(unit) else { return self.aim_from(unit, Stand::Ranks, target, shot) };
        let sides = (0..block.sides.len()).map(|side| self.aim_from(unit, Stand::Side(side as u8), target, shot));
        sides
            .reduce(|held, aim| if held.is_ok() { held } else { aim })
            .unwrap_or_else(|| Err(Refusal::new(BB_TWN_14, "the block has no sides")))
    }

    /// The same from its ranks, or out of one side of its block: what may be shot at, and where, is the same for both.
    pub(crate) fn aim_from(
        &self,
        unit: UnitId,
        from: Stand,
        target: UnitId,
        shot: Option<Shot>,
    ) -> Result<Aim, Refusal> {
        let fire = self.fire_of(unit, shot).ok_or_else(|| Refusal::new(BB_SHO_05, "it does not shoot"))?;
        let name = self.name_of(target);
        if !self.leads(target) {
            return Err(Refusal::new(BB_TWN_15, format!("{name} is part of a garrison and is shot at with it")));
        }
        let charging_us = self.chargers(unit).contains(&target);
        decides!(BB_OPT_41);
        if self.unit(target).now.pursued && self.in_contact(target) && !charging_us {
            return Err(Refusal::new(BB_OPT_41, format!("{name} is in pursuit and among its enemies")));
        }
        decides!(BB_SHO_33);
        let locked = self.locked(target) && !charging_us;
        let aim = if charging_us {
            self.aim_at_charger(unit, from, target, fire)
        } else if locked {
            self.aim_at_hanging_flank(unit, from, target, fire)
        } else {
            self.aim_in_passing(unit, from, target, fire)
        };
        if aim.bearings.is_empty() && locked {
            return Err(Refusal::new(BB_SHO_33, format!("{name} is in combat")));
        }
        if aim.bearings.is_empty()
            && fire.is_ball()
            && !self.bear(unit, from, target, self.outline(target), fire).is_empty()
        {
            return Err(Refusal::new(BB_SHO_48, format!("our own skirmishers stand between it and {name}")));
        }
        if aim.bearings.is_empty() {
            return Err(match from {
                Stand::Ranks => Refusal::new(BB_SHO_07, format!("nobody bears on {name}")),
                Stand::Side(_) => Refusal::new(BB_TWN_14, format!("nobody bears on {name} from that side")),
            });
        }
        let facts = self.shot_facts(unit, &aim, fire);
        if facts.score(self.numbers()).is_none() {
            return Err(Refusal::new(BB_GEN_05, format!("there is no chance to hit {name} like that")));
        }
        if facts.dice(self.numbers()) == 0 {
            return Err(Refusal::new(BB_SHO_01, format!("too few bear on {name} for a die")));
        }
        Ok(aim)
    }

    /// Those who bear on a target from where a unit stands.
    fn bear(&self, unit: UnitId, from: Stand, target: UnitId, outline: &Placed, fire: Fire) -> Vec<Bearing> {
        match from {
            Stand::Ranks => self.bearings(unit, target, outline, fire),
            Stand::Side(side) => self.bearings_from_side(unit, side, target, outline, fire),
        }
    }

    fn aim_where_it_stands(&self, unit: UnitId, from: Stand, target: UnitId, fire: Fire) -> Aim {
        let outline = self.placed(target);
        Aim {
            target,
            bearings: self.free_bearings(unit, from, target, &outline, fire),
            pose: outline.pose(),
            dice: None,
        }
    }

    /// What a shot is worth: dice times the faces that hit.
    pub(crate) fn worth_of_shot(&self, unit: UnitId, aim: &Aim, fire: Fire) -> i32 {
        let facts = self.shot_facts(unit, aim, fire);
        if aim.bearings.is_empty() || facts.score(self.numbers()).is_none() {
            return 0;
        }
        i32::from(facts.dice(self.numbers())) * (11 - facts.test(self.numbers()).target())
    }

    /// A target where it stands; with pass-through fire also where it has passed, if it was in the field of fire for half
    /// of its way or more (BB-OPT-01, BB-OPT-16).
    fn aim_in_passing(&self, unit: UnitId, from: Stand, target: UnitId, fire: Fire) -> Aim {
        decides!(BB_OPT_01, BB_OPT_16);
        let mut best = self.aim_where_it_stands(unit, from, target, fire);
        let way = if self.fixed.options.pass_through_fire { self.whole_way(target) } else { Vec::new() };
        if self.unit(unit).now.moved || way.len() < 2 {
            return best;
        }
        let footprint = self.unit(target).footprint(self.facts(target), self.numbers());
        let mut seen = 0;
        let mut value = self.worth_of_shot(unit, &best, fire);
        let mut passing = None;
        for pose in &way {
            let bearings = self.free_bearings(unit, from, target, &Placed::new(&footprint, *pose), fire);
            seen += usize::from(!bearings.is_empty());
            let aim = Aim { target, bearings, pose: *pose, dice: None };
            let worth = self.worth_of_shot(unit, &aim, fire);
            // Of places that are worth as much the last one.
            if worth > value || (worth == value && passing.is_some()) {
                (value, passing) = (worth, Some(aim));
            }
        }
        if let Some(aim) = passing.filter(|_| seen * 100 >= way.len() * usize::from(self.numbers().in_passing.percent))
        {
            best = aim;
        }
        best
    }

    /// Six figures or more that stick out beyond those who fight the target may be shot at (BB-SHO-34).
    fn aim_at_hanging_flank(&self, unit: UnitId, from: Stand, target: UnitId, fire: Fire) -> Aim {
        decides!(BB_SHO_34);
        let pose = self.unit(target).pose;
        let aims = self.hanging_flanks(target).into_iter().map(|flank| Aim {
            target,
            bearings: self.free_bearings(unit, from, target, &flank, fire),
            pose,
            dice: None,
        });
        let none = Aim { target, bearings: Vec::new(), pose, dice: None };
        aims.fold(none, |held, aim| if aim.bearings.len() > held.bearings.len() { aim } else { held })
    }

    /// The hanging flanks of a unit in combat, from its left and from its right.
    fn hanging_flanks(&self, target: UnitId) -> Vec<Placed> {
        if self.in_square(target) || self.unit(target).inside.is_some() {
            return Vec::new();
        }
        let placed = self.placed(target);
        let right = placed.forward().right();
        let across = |p: Vec2| (p - placed.pose().at.v()).dot(right);
        let opponents: Vec<Placed> = self.opponents(target).map(|other| self.placed(other)).collect();
        let spans: Vec<(f64, f64)> = opponents
            .iter()
            .map(|other| {
                let reach = other
                    .parts()
                    .flat_map(|part| part.corners.iter().map(|corner| across(*corner)).collect::<Vec<_>>());
                reach.fold((f64::INFINITY, f64::NEG_INFINITY), |held, x| (held.0.min(x), held.1.max(x)))
            })
            .collect();
        let frontage = self.facts(target).basing(self.numbers()).frontage.f();
        let free = |post: &&Post| {
            let x = across(post.at);
            spans.iter().all(|(low, high)| x + frontage / 2.0 <= low + 1.0 || x - frontage / 2.0 >= high - 1.0)
        };
        let touched = |face: Face| {
            let edge = placed.face(face);
            let inset = (edge.b - edge.a).unit() * (2.0 * NEAR);
            let edge = Convex::segment(Segment::new(edge.a + inset, edge.b - inset));
            opponents.iter().any(|other| exact_distance(other, &edge) <= NEAR)
        };
        let posts = self.posts(target);
        let ends = [
            (Face::Left, posts.iter().take_while(free).count(), -1.0),
            (Face::Right, posts.iter().rev().take_while(free).count(), 1.0),
        ];
        let least = usize::from(self.numbers().hanging.figures);
        let hang = ends.into_iter().filter(|(face, count, _)| *count >= least && !touched(*face));
        hang.map(|(_, count, side)| {
            let width = frontage * count as f64;
            let outer = frontage * posts.len() as f64 / 2.0;
            let middle = placed.pose().at.v() + right * (side * (outer - width / 2.0));
            let depth = self.unit(target).footprint(self.facts(target), self.numbers()).depth();
            let flank = Footprint::single(Length::rounded(width), depth);
            Placed::new(&flank, Pose::new(Point::rounded(middle), placed.pose().heading))
        })
        .collect()
    }

    /// A charger is shot at where it hurts most on its way in, if the charged unit stood still (BB-SHO-37).
    fn aim_at_charger(&self, unit: UnitId, from: Stand, target: UnitId, fire: Fire) -> Aim {
        decides!(BB_SHO_37);
        let at_contact = self.aim_where_it_stands(unit, from, target, fire);
        if self.unit(unit).now.moved {
            return at_contact;
        }
        let worth = |aim: &Aim| self.worth_of_shot(unit, aim, fire);
        let footprint = self.unit(target).footprint(self.facts(target), self.numbers());
        let mut best = (worth(&at_contact), at_contact);
        // From contact backwards, so that ties go to the point nearest contact.
        for pose in self.inches_of_track(target).into_iter().rev() {
            let outline = Placed::new(&footprint, pose);
            let aim =
                Aim { target, bearings: self.free_bearings(unit, from, target, &outline, fire), pose, dice: None };
            let worth = worth(&aim);
            if worth > best.0 {
                best = (worth, aim);
            }
        }
        best.1
    }

    /// Those who bear on a target wherever it is shot at. Guns do not fire ballshot through friendly skirmishers (BB-SHO-48),
    /// unless over their heads.
    fn free_bearings(&self, unit: UnitId, from: Stand, target: UnitId, outline: &Placed, fire: Fire) -> Vec<Bearing> {
        let mut bearings = self.bear(unit, from, target, outline, fire);
        if !fire.is_ball() {
            return bearings;
        }
        decides!(BB_SHO_48);
        for friend in self.friends(unit).filter(|friend| self.skirmishing(*friend)) {
            let placed = self.placed(friend);
            bearings.retain(|bearing| !overlapping(&bearing.triangle, &placed) || self.overhead(bearing, &placed));
        }
        bearings
    }

    /// Ballshot over a friend on lower ground (BB-SHO-43).
    pub(crate) fn overhead(&self, bearing: &Bearing, friend: &Placed) -> bool {
        decides!(BB_SHO_43);
        if self.level(friend.centre()) >= self.level(bearing.from) {
            return false;
        }
        let line = bearing.to - bearing.from;
        let length = line.length();
        let along = friend.parts().filter_map(|part| stretch(part.corners, bearing.from, bearing.to));
        let (near, far) = along.fold((1.0f64, 0.0f64), |held, one| (held.0.min(one.0), held.1.max(one.1)));
        // A friend in the triangle but beside the line to the nearest place is judged by his own distance.
        let (near, far) = if near > far { side_stretch(friend, bearing) } else { (near, far) };
        near * length < (1.0 - far) * length - 1e-6
    }

    /// Whether a unit may shoot at an enemy now: priorities included (BB-SHO-35, BB-SHO-36, BB-OPT-89, BB-OPT-90, BB-OPT-91).
    pub(crate) fn may_shoot_at(&self, unit: UnitId, target: UnitId, shot: Option<Shot>) -> Result<Aim, Refusal> {
        decides!(BB_SHO_35, BB_SHO_36, BB_OPT_89, BB_OPT_90, BB_OPT_91);
        self.may_shoot(unit)?;
        if self.unit(unit).inside.is_some() {
            return Err(Refusal::new(BB_TWN_17, "a garrison shoots out of one side or another"));
        }
        let aim = self.aim(unit, target, shot)?;
        let chargers = self.chargers(unit);
        if !chargers.contains(&target) && chargers.iter().any(|charger| self.aim(unit, *charger, shot).is_ok()) {
            return Err(Refusal::new(BB_SHO_35, "it must shoot at those who charge it"));
        }
        self.keeps_to_the_nearest(unit, target, shot)?;
        Ok(aim)
    }

    /// Where that rule is used, guns that nobody charges shoot at the nearest target or near it (BB-OPT-12).
    pub(crate) fn keeps_to_the_nearest(&self, unit: UnitId, target: UnitId, shot: Option<Shot>) -> Result<(), Refusal> {
        decides!(BB_OPT_12);
        let bound = self.fixed.options.artillery_targeting && self.arm(unit) == Arm::Guns;
        if bound && self.chargers(unit).is_empty() { self.near_the_nearest(unit, target, shot) } else { Ok(()) }
    }

    /// The target of a battery is the nearest, or near it, unless a general is with the guns (BB-OPT-89, BB-OPT-90, BB-OPT-91).
    fn near_the_nearest(&self, unit: UnitId, target: UnitId, shot: Option<Shot>) -> Result<(), Refusal> {
        if self.charisma(unit).is_some() {
            return Ok(());
        }
        let here = self.outline(unit);
        let eligible = self.enemies(unit).filter(|enemy| self.aim(unit, *enemy, shot).is_ok());
        let gaps: Vec<(f64, UnitId)> =
            eligible.map(|enemy| (exact_distance(here, self.outline(enemy)), enemy)).collect();
        let least = gaps.iter().map(|(gap, _)| *gap).fold(f64::INFINITY, f64::min);
        let within = self.numbers().targeting.within.0.f() + NEAR;
        // Of several at the same distance the owner says which is the nearest: whichever his target is near to.
        let mut nearest = gaps.iter().filter(|(gap, _)| *gap <= least + NEAR).map(|(_, enemy)| *enemy);
        let Some(first) = nearest.clone().next() else { return Ok(()) };
        if nearest.any(|near| exact_distance(self.outline(near), self.outline(target)) <= within) {
            return Ok(());
        }
        Err(Refusal::new(BB_OPT_89, format!("it must shoot at or near {}", self.name_of(first))))
    }
}
