//! Garrisons in action: how they shoot, fight and stand their tests as one.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{Convex, Outline, Placed, Segment, exact_distance};

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::phases::shooting::targets::{Aim, Stand};
use crate::situations::Blow;
use crate::table::NEAR;
use crate::table::bearing::{Bearing, sees_as_near};
use crate::table::shape::Post;
use crate::terrain::towns::Block;
use crate::troops::{Arm, Fire, Grade, Shot};

/// Places along a side that are looked at for the nearest from which a target can be shot at.
const LOOKOUTS: u16 = 9;

impl Battle {
    /// Infantry of a garrison, all units together; or the figures of a unit by itself.
    fn muskets_of(&self, unit: UnitId) -> u16 {
        let foot = self.company(unit).into_iter().filter(|other| self.arm(*other) == Arm::Foot);
        foot.map(|other| self.unit(other).figures).sum()
    }

    /// Figures or models that may shoot out of one side of a block (BB-TWN-08, BB-TWN-17).
    pub(crate) fn side_strength(&self, unit: UnitId) -> u16 {
        decides!(BB_TWN_08, BB_TWN_17);
        match self.facts(unit).kind {
            Kind::Guns { .. } => self.unit(unit).models(),
            _ => self.numbers().side.of(self.muskets_of(unit).into()) as u16,
        }
    }

    /// The posts of a garrison: those who may shoot from each side, spread along it, side by side.
    pub(crate) fn garrison_posts(&self, unit: UnitId, block: &Block) -> Vec<Post> {
        let strength = self.side_strength(unit).max(1);
        let spread = |(edge, out): &(Segment, _)| {
            let (edge, out) = (*edge, *out);
            (0..strength)
                .map(move |n| Post { at: edge.a.toward(edge.b, (f64::from(n) + 0.5) / f64::from(strength)), out })
        };
        block.sides.iter().flat_map(spread).collect()
    }

    /// Those who bear on a target from one side of a block: all of that side, from its nearest place (BB-TWN-14, BB-TWN-17).
    pub(crate) fn bearings_from_side(
        &self,
        unit: UnitId,
        side: u8,
        target: UnitId,
        them: &Placed,
        fire: Fire,
    ) -> Vec<Bearing> {
        decides!(BB_TWN_14, BB_TWN_17);
        let Some(block) = self.block_of(unit) else { return Vec::new() };
        let Some((edge, out)) = block.sides.get(usize::from(side)).copied() else { return Vec::new() };
        let reach = self.numbers().shooting.reach(fire).0;
        let line = Convex::segment(edge);
        let far = reach.f() + NEAR;
        let ahead = them.parts().any(|part| part.corners.iter().any(|corner| (*corner - edge.a).dot(out) > -NEAR));
        if !ahead || exact_distance(&line, them) > far {
            return Vec::new();
        }
        let screens = self.screens(unit, target, fire);
        let seen_from = self.seen_from(target, them);
        let open = |from, to| !self.hedgerow_stops_fire(unit, target, from, to);
        let mut lookouts: Vec<_> =
            (0..=LOOKOUTS).map(|n| edge.a.toward(edge.b, f64::from(n) / f64::from(LOOKOUTS))).collect();
        lookouts.extend(them.parts().flat_map(|part| {
            let nearest = part.corners.iter().map(|corner| corner.nearest_on(edge.a, edge.b));
            nearest.collect::<Vec<_>>()
        }));
        let bears = lookouts
            .into_iter()
            .filter(|at| sees_as_near(*at, them, seen_from))
            .filter_map(|at| self.bearing(0, &Post { at, out }, them, fire, reach, &screens, &open));
        let Some(best) = bears.min_by_key(|bearing| bearing.range) else { return Vec::new() };
        let strength = usize::from(self.side_strength(unit));
        let first = usize::from(side) * strength.max(1);
        (0..strength).map(|n| Bearing { post: first + n, ..best.clone() }).collect()
    }

    /// Whether a garrison may be ordered to shoot from a side: half from each of two at the most (BB-TWN-08, BB-TWN-15, BB-TWN-17).
    pub(crate) fn may_shoot_from(
        &self,
        unit: UnitId,
        side: u8,
        target: UnitId,
        shot: Option<Shot>,
    ) -> Result<Aim, Refusal> {
        decides!(BB_TWN_08, BB_TWN_15, BB_TWN_17);
        self.may_shoot(unit)?;
        if self.unit(unit).inside.is_none() {
            return Err(Refusal::new(BB_TWN_17, "it is in no block"));
        }
        let guns = self.arm(unit) == Arm::Guns;
        if !guns && !self.leads(unit) {
            return Err(Refusal::new(BB_TWN_15, "it shoots with the rest of the garrison"));
        }
        let ordered = |order: &&crate::battle::Order| order.unit == unit;
        if self.shots.iter().filter(ordered).any(|order| order.side == Some(side)) {
            return Err(Refusal::new(BB_TWN_17, "half of the garrison shoots from that side already"));
        }
        let sides = self.shots.iter().filter(ordered).count();
        if guns && sides >= 1 {
            return Err(Refusal::new(BB_TWN_08, "an emplaced gun shoots out of one side in a turn"));
        }
        if sides >= 2 {
            return Err(Refusal::new(BB_TWN_17, "everybody in the block shoots already"));
        }
        let aim = self.aim_from(unit, Stand::Side(side), target, shot)?;
        let chargers = self.chargers(unit);
        let comes = |charger: &UnitId| self.aim_from(unit, Stand::Side(side), *charger, shot).is_ok();
        if !chargers.contains(&target) && chargers.iter().any(comes) {
            return Err(Refusal::new(BB_SHO_35, "it must shoot at those who charge it"));
        }
        self.keeps_to_the_nearest(unit, target, shot)?;
        Ok(aim)
    }

    /// The lowest grade of a garrison (BB-TWN-15).
    pub(crate) fn grade_of(&self, unit: UnitId) -> Grade {
        decides!(BB_TWN_15);
        let grades = self.company(unit).into_iter().map(|other| self.facts(other).grade);
        grades.max().unwrap_or(self.facts(unit).grade)
    }

    /// Starting figures and present figures of all who count as one (BB-TWN-15).
    pub(crate) fn strength_of(&self, unit: UnitId) -> (u16, u16) {
        decides!(BB_TWN_15);
        let company = self.company(unit);
        let start = company.iter().map(|other| self.start_of(*other)).sum();
        (start, company.iter().map(|other| self.unit(*other).figures + self.unit(*other).out).sum())
    }

    /// Hits on a garrison are shared in proportion, odd ones from the larger unit, one each (BB-TWN-15).
    pub(crate) fn shared_hits(&self, unit: UnitId, hits: u16) -> Vec<(UnitId, u16)> {
        decides!(BB_TWN_15);
        let (shares, over) = self.even_hits(unit, hits);
        let more = |n: usize| u32::from(n < over);
        shares.into_iter().enumerate().map(|(n, (other, share))| (other, (share + more(n)) as u16)).collect()
    }

    /// The side of a block that an attacker is at: the nearest that looks at him.
    fn side_attacked(&self, attacker: UnitId, block: &Block) -> usize {
        let here = self.outline(attacker);
        let score = |(edge, out): &(Segment, sabretache_table::Vec2)| {
            let gap = exact_distance(&Convex::segment(*edge), here);
            let faces = (here.centre() - edge.middle()).unit().dot(*out);
            (if gap <= NEAR { 0.0 } else { gap }) - faces
        };
        let order = |a: &usize, b: &usize| score(&block.sides[*a]).total_cmp(&score(&block.sides[*b]));
        (0..block.sides.len()).min_by(order).unwrap_or(0)
    }

    /// How a unit that attacks blocks is divided: the garrisons it attacks, its enemies outside, the figures that go against the former and
    /// those of its front rank that are kept for the latter (BB-TWN-18, BB-TWN-19, BB-TWN-21).
    pub(crate) fn parted_attack(&self, attacker: UnitId) -> (Vec<UnitId>, Vec<UnitId>, u16, u16) {
        decides!(BB_TWN_18, BB_TWN_19, BB_TWN_21);
        let (state, facts) = (self.unit(attacker), self.facts(attacker));
        let mut enemies: Vec<UnitId> = self.opponents(attacker).collect();
        enemies.sort_unstable();
        enemies.dedup();
        let (held, outside): (Vec<UnitId>, Vec<UnitId>) =
            enemies.into_iter().partition(|enemy| self.unit(*enemy).inside.is_some());
        let half = self.numbers().outside.of(state.ranks(facts).first.into()) as u16;
        let kept = if outside.is_empty() { 0 } else { half.min(state.figures) };
        (held, outside, state.figures - kept, kept)
    }

    /// The figures that an attacker sends against one garrison, before the limit of the side; an odd one goes to the larger, then as the
    /// owner likes.
    fn sent_against(&self, attacker: UnitId, garrison: UnitId) -> u16 {
        let (mut held, _, sent, _) = self.parted_attack(attacker);
        self.by_claim(attacker, &mut held);
        let many = held.len().max(1) as u16;
        let place = held.iter().position(|other| *other == garrison).unwrap_or(0) as u16;
        sent / many + u16::from(place < sent % many)
    }

    /// How many of them count: up to one and a half times what the block holds on each side, in order of arrival (BB-TWN-20).
    fn counted_against(&self, attacker: UnitId, garrison: UnitId) -> u16 {
        decides!(BB_TWN_20);
        let sent = self.sent_against(attacker, garrison);
        let Some(block) = self.block_of(garrison) else { return sent };
        let limit = block.capacity * self.numbers().town.attackers / 10;
        let side = self.side_attacked(attacker, block);
        let before: u16 = self
            .contacts
            .iter()
            .filter(|contact| contact.target == garrison)
            .take_while(|contact| contact.charger != attacker)
            .filter(|contact| self.side_attacked(contact.charger, block) == side)
            .map(|contact| self.sent_against(contact.charger, garrison))
            .sum();
        sent.min(limit.saturating_sub(before))
    }

    /// The blows of a garrison, or of a unit that attacks one; nothing for anybody else (BB-TWN-16, BB-TWN-17, BB-TWN-18, BB-TWN-19, BB-TWN-20,
    /// BB-TWN-21).
    pub(crate) fn town_blows(&self, unit: UnitId) -> Option<Vec<(UnitId, Blow, u16)>> {
        decides!(BB_TWN_16, BB_TWN_17, BB_TWN_18, BB_TWN_19, BB_TWN_20, BB_TWN_21);
        if self.fixed.blocks.is_empty() {
            return None;
        }
        let mut enemies: Vec<UnitId> = self.opponents(unit).collect();
        enemies.sort_unstable();
        enemies.dedup();
        let with = |enemy: UnitId, figures: u16| {
            let mut blow = self.blow(unit, enemy);
            blow.figures = figures;
            (enemy, blow, blow.dice(self.numbers()))
        };
        if self.unit(unit).inside.is_some() {
            if !self.leads(unit) {
                return Some(Vec::new());
            }
            // Most figures first: an odd figure is set against him.
            self.by_claim(unit, &mut enemies);
            let (many, all) = (enemies.len() as u16, self.strength_of(unit).1);
            let share = |n: usize| all / many + u16::from((n as u16) < all % many);
            return Some(enemies.iter().enumerate().map(|(n, enemy)| with(*enemy, share(n))).collect());
        }
        if !enemies.iter().any(|enemy| self.unit(*enemy).inside.is_some()) {
            return None;
        }
        let (held, mut outside, _, half) = self.parted_attack(unit);
        self.by_claim(unit, &mut outside);
        let many = outside.len().max(1) as u16;
        let outer = |n: usize| half / many + u16::from((n as u16) < half % many);
        let mut blows: Vec<_> = outside.iter().enumerate().map(|(n, enemy)| with(*enemy, outer(n))).collect();
        blows.extend(held.iter().map(|enemy| with(*enemy, self.counted_against(unit, *enemy))));
        Some(blows)
    }
}
