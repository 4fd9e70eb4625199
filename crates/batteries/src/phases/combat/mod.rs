//! Phase 6: combats, in rounds.

pub(crate) mod garrisons;
pub(crate) mod offers;
pub(crate) mod ties;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Face, Outline, Placed, Vec2};

use crate::Batteries;
use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::event::Event;
use crate::situations::{Blow, Fighter};
use crate::table::shape::faces;
use crate::troops::{Arm, Cover, Weight};

impl Battle {
    /// A unit as it fights now, against one enemy.
    fn fighter(&self, unit: UnitId, as_square: bool) -> Fighter {
        decides!(BB_COM_26, BB_UNI_02);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let (weight, lance) = match facts.kind {
            Kind::Horse { weight, lance } => (weight, lance),
            _ => (Weight::Light, false),
        };
        Fighter {
            arm: self.arm(unit),
            grade: self.grade_of(unit),
            weight,
            lance,
            square: as_square || self.in_square(unit),
            skirmishing: self.skirmishing(unit),
            shaken: self.any_of(unit, |state| state.shaken),
            disordered: self.any_of(unit, |state| state.disordered),
            unsteady: self.hampered(unit),
            fought: state.fought,
            two_rank: facts.two_rank,
        }
    }

    /// The facts of a unit's blows at one enemy, but for how many figures strike.
    pub(crate) fn blow(&self, unit: UnitId, enemy: UnitId) -> Blow {
        decides!(BB_COM_27, BB_COM_28, BB_COM_31, BB_COM_32);
        let contact = self.contacts.iter().find(|contact| contact.other(unit) == Some(enemy));
        let attacks = contact.is_some_and(|contact| contact.charger == unit);
        let held = contact.filter(|_| attacks);
        let own = contact.filter(|_| !attacks);
        let state = self.unit(unit);
        let uphill = held.is_some_and(|held| held.uphill) || (contact.is_some() && self.strikes_uphill(unit, enemy));
        // Nobody rides foot down across an obstacle or cover, whichever of the two holds it.
        let parted = contact.is_some_and(|contact| contact.obstacle || contact.cover != Cover::None);
        let not_in_open = self.not_in_open(enemy) || uphill || parted;
        Blow {
            figures: 0,
            us: self.fighter(unit, own.is_some_and(|own| own.as_square)),
            them: self.fighter(enemy, held.is_some_and(|held| held.as_square)),
            not_in_open,
            flank: held.is_some_and(|held| held.flank),
            flanked: own.is_some_and(|own| own.flank),
            // Nobody charges in a pursuit (BB-OPT-39).
            first_round: state.rounds == 0 && !contact.is_some_and(|contact| contact.follows),
            stationary: !state.advanced && !state.now.charging,
            uphill,
            obstacle: held.is_some_and(|held| held.obstacle),
            cover: held.map_or(Cover::None, |held| held.cover),
            own_cover: own.map_or(Cover::None, |own| own.cover),
            // A unit that follows an enemy that recoiled is no pursuer, and counts each hit once (BB-OPT-20).
            pursuing: {
                decides!(BB_OPT_20);
                held.is_some_and(|held| held.pursuit)
            },
        }
    }

    /// In woods, rough ground or the like (BB-COM-04).
    fn not_in_open(&self, unit: UnitId) -> bool {
        decides!(BB_COM_04);
        let placed = self.placed(unit);
        self.fixed
            .ground
            .near(&placed.bounds())
            .any(|lie| self.terrain(&lie).disorders && sabretache_table::overlapping(&lie, &placed))
    }

    /// How many of a unit's front-rank figures an enemy overlaps, projected on its front; of a square, those of the face that he is at
    /// (BB-COM-29).
    pub(crate) fn faced_by(&self, unit: UnitId, enemy: UnitId) -> u16 {
        decides!(BB_COM_29);
        let (here, them) = (self.placed(unit), self.placed(enemy));
        let square = self.in_square(unit) || self.fights_as_square(unit);
        let face = if square { self.face_against(&here, enemy) } else { Face::Front };
        let along = here.outward(face).right();
        let across = |p: Vec2| (p - here.pose().at.v()).dot(along);
        let reach = them.parts().flat_map(|part| part.corners.iter().map(|corner| across(*corner)).collect::<Vec<_>>());
        let (low, high) = reach.fold((f64::INFINITY, f64::NEG_INFINITY), |held, x| (held.0.min(x), held.1.max(x)));
        let overlapped = |at: f64, half: f64| at + half > low && at - half < high;
        if !square {
            let half = self.facts(unit).basing(self.numbers()).frontage.f() / 2.0;
            return self.posts(unit).iter().filter(|post| overlapped(across(post.at), half)).count() as u16;
        }
        // The figures of a face stand evenly along it.
        let (edge, figures) = (here.face(face), self.figures_on(unit, face));
        let half = (edge.b - edge.a).length() / f64::from(figures.max(1)) / 2.0;
        let at = |n: u16| across(edge.a.toward(edge.b, (f64::from(n) + 0.5) / f64::from(figures)));
        (0..figures).filter(|n| overlapped(at(*n), half)).count() as u16
    }

    /// The figures of one face of a square, or of one edge of a column of masses.
    fn figures_on(&self, unit: UnitId, face: Face) -> u16 {
        if self.in_square(unit) {
            let [front, rear, right, left] = faces(self.unit(unit).figures);
            return match face {
                Face::Front => front,
                Face::Rear => rear,
                Face::Right => right,
                Face::Left => left,
            };
        }
        let ranks = self.unit(unit).ranks(self.facts(unit));
        if matches!(face, Face::Left | Face::Right) { ranks.rows } else { ranks.first }
    }

    /// The face of a square that an enemy touches: the one most opposed to the way he faces (BB-COM-36).
    pub(crate) fn face_against(&self, square: &Placed, enemy: UnitId) -> Face {
        decides!(BB_COM_36);
        let them = self.placed(enemy);
        let toward = them.centre() - square.centre();
        let scored = |face: &Face| {
            let (out, middle) = (square.outward(*face), square.face(*face).middle());
            let beyond = (them.centre() - middle).dot(out);
            (out.dot(toward.unit()) * 2.0 - out.dot(them.forward()), beyond)
        };
        let mut best = Face::Front;
        for face in Face::ALL {
            if scored(&face).0 > scored(&best).0 + 1e-9 {
                best = face;
            }
        }
        best
    }

    /// The blows of a unit at all its enemies, with the dice of each (BB-COM-02, BB-COM-03, BB-COM-04, BB-COM-05, BB-COM-06, BB-COM-07, BB-COM-08,
    /// BB-COM-29, BB-COM-36, BB-COM-37).
    pub(crate) fn blows(&self, unit: UnitId) -> Vec<(UnitId, Blow, u16)> {
        decides!(
            BB_COM_02, BB_COM_03, BB_COM_04, BB_COM_05, BB_COM_06, BB_COM_07, BB_COM_08, BB_COM_29, BB_COM_36,
            BB_COM_37
        );
        if let Some(blows) = self.town_blows(unit) {
            return blows;
        }
        let mut enemies: Vec<UnitId> = self.opponents(unit).collect();
        enemies.sort_unstable();
        enemies.dedup();
        if enemies.is_empty() {
            return Vec::new();
        }
        if self.in_square(unit) {
            return self.blows_of_square(unit, &enemies);
        }
        if self.fights_as_square(unit) {
            return self.blows_of_masse(unit, &enemies);
        }
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let ranks = state.ranks(facts);
        let first = match facts.kind {
            Kind::Guns { .. } => state.figures,
            _ => ranks.first,
        };
        // Most figures in combat first: odd figures and dice go to him.
        self.by_claim(unit, &mut enemies);
        let mut blows: Vec<(UnitId, Blow)> = enemies.iter().map(|enemy| (*enemy, self.blow(unit, *enemy))).collect();
        let horse = self.arm(unit) == Arm::Horse;
        let second_rank = |blow: &Blow| horse && blow.them.arm == Arm::Horse;
        let same_rate = self.same_rate(unit, &blows);
        if let [(enemy, blow)] = blows.as_mut_slice()
            && let Some(figures) = self.figures_at_wall(unit, *enemy)
        {
            blow.figures = figures;
            return vec![(*enemy, *blow, blow.dice(self.numbers()))];
        }
        let many = blows.len() as u16;
        if same_rate {
            let mut whole = blows[0].1;
            whole.figures = first + if second_rank(&whole) { ranks.second } else { 0 };
            let dice = whole.dice(self.numbers());
            let share = |n: usize, of: u16| of / many + u16::from((n as u16) < of % many);
            return blows
                .iter()
                .enumerate()
                .map(|(n, (enemy, blow))| {
                    let mut blow = *blow;
                    blow.figures = share(n, whole.figures);
                    (*enemy, blow, share(n, dice))
                })
                .collect();
        }
        let share = |n: usize, of: u16| of / many + u16::from((n as u16) < of % many);
        blows
            .iter_mut()
            .enumerate()
            .map(|(n, (enemy, blow))| {
                blow.figures = share(n, first) + if second_rank(blow) { share(n, ranks.second) } else { 0 };
                (*enemy, *blow, blow.dice(self.numbers()))
            })
            .collect()
    }

    /// Whether the same dice rate and ranks hold against all enemies of a unit.
    fn same_rate(&self, unit: UnitId, blows: &[(UnitId, Blow)]) -> bool {
        let horse = self.arm(unit) == Arm::Horse;
        let second_rank = |blow: &Blow| horse && blow.them.arm == Arm::Horse;
        blows.iter().all(|(_, blow)| {
            blow.rides_down() == blows[0].1.rides_down() && second_rank(blow) == second_rank(&blows[0].1)
        })
    }

    /// The enemies among whom a unit shares dice or figures evenly, and how many are over: all of them for most units, those at one face
    /// for a square (BB-COM-29, BB-COM-36, BB-COM-37, BB-TWN-16, BB-TWN-19, BB-TWN-21).
    pub(crate) fn shares(&self, unit: UnitId) -> Vec<(Vec<UnitId>, u16)> {
        decides!(BB_COM_29, BB_COM_36, BB_COM_37, BB_TWN_16, BB_TWN_19, BB_TWN_21);
        let mut enemies: Vec<UnitId> = self.opponents(unit).collect();
        enemies.sort_unstable();
        enemies.dedup();
        if enemies.len() < 2 {
            return Vec::new();
        }
        let many = |enemies: &[UnitId]| enemies.len().max(1) as u16;
        if self.unit(unit).inside.is_some() {
            let over = if self.leads(unit) { self.strength_of(unit).1 % many(&enemies) } else { 0 };
            return vec![(enemies, over)];
        }
        if enemies.iter().any(|enemy| self.unit(*enemy).inside.is_some()) {
            let (held, outside, sent, half) = self.parted_attack(unit);
            let over = (sent % many(&held), half % many(&outside));
            return vec![(held, over.0), (outside, over.1)];
        }
        let groups = if self.in_square(unit) {
            self.groups_of_square(unit, &enemies)
        } else if self.fights_as_square(unit) {
            self.groups_of_masse(unit, &enemies)
        } else {
            let over = self.odd(unit, &enemies);
            return vec![(enemies, over)];
        };
        let over = |(enemies, figures): (Vec<UnitId>, u16)| {
            let dice = self.dice_at(unit, &enemies, figures);
            let over = dice % many(&enemies);
            (enemies, over)
        };
        groups.into_iter().map(over).collect()
    }

    /// How many dice or figures of a unit in line or column are over when they are shared evenly among its enemies (BB-COM-29).
    fn odd(&self, unit: UnitId, enemies: &[UnitId]) -> u16 {
        decides!(BB_COM_29);
        let many = enemies.len().max(1) as u16;
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let ranks = state.ranks(facts);
        let first = match facts.kind {
            Kind::Guns { .. } => state.figures,
            _ => ranks.first,
        };
        let blows: Vec<(UnitId, Blow)> = enemies.iter().map(|enemy| (*enemy, self.blow(unit, *enemy))).collect();
        let second = |blow: &Blow| self.arm(unit) == Arm::Horse && blow.them.arm == Arm::Horse;
        if !self.same_rate(unit, &blows) {
            let behind = if blows.iter().any(|(_, blow)| second(blow)) { ranks.second } else { 0 };
            return (first % many).max(behind % many);
        }
        let mut whole = blows[0].1;
        whole.figures = first + if second(&whole) { ranks.second } else { 0 };
        whole.dice(self.numbers()) % many
    }

    /// The dice of so many figures against enemies of one kind.
    fn dice_at(&self, unit: UnitId, enemies: &[UnitId], figures: u16) -> u16 {
        let Some(first) = enemies.first() else { return 0 };
        let mut blow = self.blow(unit, *first);
        blow.figures = figures;
        blow.dice(self.numbers())
    }

    /// Infantry is fought by the face that it touches, and cavalry by all the rest (BB-COM-36, BB-COM-37).
    fn groups_of_square(&self, unit: UnitId, enemies: &[UnitId]) -> Vec<(Vec<UnitId>, u16)> {
        decides!(BB_COM_36, BB_COM_37);
        let placed = self.placed(unit);
        let [front, rear, right, left] = faces(self.unit(unit).figures);
        let mut free = [(Face::Front, front), (Face::Rear, rear), (Face::Right, right), (Face::Left, left)];
        let mut groups = Vec::new();
        let (horse, foot): (Vec<UnitId>, Vec<UnitId>) =
            enemies.iter().partition(|enemy| self.arm(**enemy) == Arm::Horse);
        for face in Face::ALL {
            let here: Vec<UnitId> =
                foot.iter().copied().filter(|enemy| self.face_against(&placed, *enemy) == face).collect();
            let held = free.iter_mut().find(|(own, _)| *own == face);
            if let (Some((_, figures)), false) = (held, here.is_empty()) {
                groups.push((here, *figures));
                *figures = 0;
            }
        }
        if !horse.is_empty() {
            groups.push((horse, free.iter().map(|(_, figures)| figures).sum()));
        }
        groups
    }

    fn blows_of_square(&self, unit: UnitId, enemies: &[UnitId]) -> Vec<(UnitId, Blow, u16)> {
        let mut out = Vec::new();
        for (enemies, figures) in self.groups_of_square(unit, enemies) {
            self.shared(unit, enemies, figures, &mut out);
        }
        out
    }

    /// Dice of some figures shared among enemies, odd ones to the enemy with the best claim (BB-COM-29).
    pub(crate) fn shared(
        &self,
        unit: UnitId,
        mut enemies: Vec<UnitId>,
        figures: u16,
        out: &mut Vec<(UnitId, Blow, u16)>,
    ) {
        decides!(BB_COM_29);
        self.by_claim(unit, &mut enemies);
        let many = enemies.len() as u16;
        let dice = self.dice_at(unit, &enemies, figures);
        for (n, enemy) in enemies.iter().enumerate() {
            let mut blow = self.blow(unit, *enemy);
            let extra = u16::from((n as u16) < dice % many);
            blow.figures = figures / many;
            out.push((*enemy, blow, dice / many + extra));
        }
    }
}

/// Disorder by contact, all at once and judged on the states before it (BB-STA-04, BB-STA-05, BB-STA-06, BB-STA-09).
pub(crate) fn contact_disorder(play: &mut Resolution<'_, Batteries>) {
    decides!(BB_STA_04, BB_STA_05, BB_STA_06, BB_STA_09);
    let battle = play.battle();
    let mut disordered = Vec::new();
    for contact in battle.contacts.iter().filter(|contact| contact.fresh) {
        for (one, other) in [(contact.charger, contact.target), (contact.target, contact.charger)] {
            let square = |unit: UnitId| battle.in_square(unit) || (unit == contact.target && contact.as_square);
            let steady_square = square(one) && battle.steady(one);
            let (us, them, their_steadiness) = (battle.arm(one), battle.arm(other), battle.steady(other));
            let by = if us == Arm::Foot && them == Arm::Horse && their_steadiness && !steady_square {
                Some(BB_STA_04)
            } else if square(one) && them == Arm::Foot && their_steadiness {
                Some(BB_STA_05)
            } else if us == Arm::Horse && square(other) && their_steadiness {
                Some(BB_STA_06)
            } else {
                None
            };
            let new =
                |by: &_| !battle.unit(one).disordered && !disordered.iter().any(|(unit, _)| (*unit, by) == (one, by));
            disordered.extend(by.filter(new).map(|by| (one, by)));
        }
    }
    for (unit, by) in disordered {
        if !play.battle().unit(unit).disordered {
            play.happen(Event::Disordered { unit, by });
        }
    }
}

/// One round of every combat: all blows, then who has lost; the losses come off after it (BB-SEQ-07, BB-COM-40, BB-COM-41).
pub(crate) fn fight(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    decides!(BB_COM_01, BB_STA_02, BB_COM_34, BB_COM_42, BB_COM_43, BB_SEQ_07, BB_COM_40, BB_COM_41);
    let battle = play.battle();
    let fighters: Vec<UnitId> = battle.all().filter(|unit| battle.in_contact(battle.lead(*unit))).collect();
    let blows: Vec<_> = fighters.iter().map(|unit| (*unit, battle.blows(*unit))).collect();
    let numbers = battle.numbers().clone();
    let mut dealt = vec![0u16; battle.units.len()];
    let mut suffered = vec![0u16; battle.units.len()];
    for (unit, blows) in blows {
        for (enemy, blow, dice) in blows {
            let mut hits = 0;
            if dice > 0 {
                let purpose = Purpose { what: "combat", of: Some(unit.into()), side: play.battle().side(unit) };
                let roll = play.roll(purpose, &blow.test(&numbers), &blow.throw(dice, &numbers), Wanted::High)?;
                hits = blow.worth(roll.total() as u16, &numbers);
            }
            dealt[unit.index()] += hits;
            suffered[enemy.index()] += hits;
            play.happen(Event::Struck { unit, at: enemy, dice, hits });
        }
    }
    for unit in fighters {
        // A garrison loses as one, and its lead tests for it.
        let (dealt, suffered) = (dealt[unit.index()], suffered[unit.index()]);
        play.happen(Event::Fought { unit, lost: suffered > dealt, won: dealt > suffered });
    }
    Ok(())
}
