//! What fights are likely to cost: those that are on, charges that are coming, and at a glance any that could be had.

use crate::phases::combat;
use crate::phases::morale;
use std::sync::OnceLock;

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::Outline;

use super::{Army, DISORDER, POINT, SMALL, Seen, quality, value};
use crate::battle::Battle;
use crate::brigade::{Assault, Brigade, Response};
use crate::event::Phase;
use crate::numbers::Numbers;
use crate::situations::{Attack, Row};
use crate::troops::{Formation, Grade, Kind, Style};

/// What a side may look for from a round of combat, in the mean.
#[derive(Clone, Copy, Debug, Default)]
struct Toll {
    dps: f64,
    casualties: f64,
    retires: f64,
    routs: f64,
}

/// How much of a place is lost with a brigade that is driven from it.
const AT_STAKE: f64 = 0.3;
/// A charge that falls short is out of hand (MB-CTL-15).
const SHORT: f64 = 40.0;
/// A fight that goes on next turn: somebody may think better of it.
const AGAIN: f64 = 0.6;
/// A charge into a flank or the rear, beyond what its dice tell.
const FLANKED: f64 = 90.0;
/// Hussars who are reached by heavier horse, beyond what the dice tell.
const RIDDEN_DOWN: f64 = 90.0;
/// How often a charge still reaches those who get away from it.
const CAUGHT_UP: f64 = 0.3;
/// More dice than this are read as this many.
const DICE: usize = 15;

/// The tolls of a side by its dice and the enemy's, each hitting on 5 or on 6 only.
fn toll(ours: (usize, bool), theirs: (usize, bool)) -> Toll {
    static TOLLS: OnceLock<Vec<Toll>> = OnceLock::new();
    let width = 2 * (DICE + 1);
    let place = |(dice, six): (usize, bool)| dice.min(DICE) * 2 + usize::from(six);
    let tolls = TOLLS.get_or_init(|| {
        let numbers = Numbers::default();
        let mut tolls = Vec::with_capacity(width * width);
        for a in 0..width {
            for b in 0..width {
                tolls.push(reckon(&hits(a / 2, a % 2 == 1), &hits(b / 2, b % 2 == 1), &numbers));
            }
        }
        tolls
    });
    tolls[place(ours) * width + place(theirs)]
}

/// The chance of each number of hits.
fn hits(dice: usize, six: bool) -> [f64; DICE + 1] {
    let chance = if six { 1.0 / 6.0 } else { 1.0 / 3.0 };
    let mut chances = [0.0; DICE + 1];
    chances[0] = 1.0;
    for n in 1..=dice {
        for k in (0..=n).rev() {
            let hit = if k > 0 { chances[k - 1] * chance } else { 0.0 };
            chances[k] = chances[k] * (1.0 - chance) + hit;
        }
    }
    chances
}

fn reckon(ours: &[f64], theirs: &[f64], numbers: &Numbers) -> Toll {
    let mut toll = Toll::default();
    for (hit, chance) in ours.iter().enumerate() {
        for (struck, other) in theirs.iter().enumerate() {
            let chance = chance * other;
            let row = Row::of(hit as i32 - struck as i32, numbers);
            toll.dps += chance * f64::from(row.dps(Attack::None, numbers));
            toll.casualties += chance * f64::from(row.casualties(numbers));
            match row {
                Row::DrivenBack | Row::Defeat => toll.retires += chance,
                Row::Break => toll.routs += chance,
                _ => {}
            }
        }
    }
    toll
}

/// What a toll costs a brigade, in points; its share of the casualties of its side is given.
fn cost(one: &Brigade, toll: Toll, share: f64) -> f64 {
    let base = quality(one) + SMALL;
    let limit = one.bases.clamp(1, 6);
    // Beyond its limit a DP is a casualty (MB-MOR-02).
    let dp = if one.dps >= limit { base } else { DISORDER + 12.0 * f64::from(2 * one.dps + 1) / f64::from(limit) };
    let value = value(one);
    let lost = toll.dps * dp
        + toll.casualties * share * base
        + toll.retires * (0.2 * value + 30.0)
        + toll.routs * (0.6 * value + 60.0);
    lost.min(value + 60.0)
}

/// How likely a gun that is reached is to be lost for good: its crew run to friends, if there are any (MB-GUN-01).
fn taken(battle: &Battle, gun: UnitId) -> f64 {
    let (one, figure) = (battle.brigade(gun), battle.figure(gun));
    let refuge = battle.fixed.numbers.crew_refuge.length();
    let friend = |unit: UnitId| battle.brigade(unit).is_brigade() && !battle.brigade(unit).is_routing();
    let mut near = battle.friends_around(one.side, figure.bounds(), refuge);
    if near.any(friend) { 0.4 } else { 1.0 }
}

/// The points of places that a brigade stands in and its side holds: they fall to the enemy that drives it from there.
fn stake(battle: &Battle, unit: UnitId) -> f64 {
    let side = battle.brigade(unit).side;
    let places = battle.fixed.scenario.body.objectives.iter().enumerate();
    let held = places.filter(|(n, _)| battle.held.get(*n).copied().flatten() == Some(side));
    held.filter(|(n, _)| morale::stands_in(battle, unit, *n)).map(|(_, place)| POINT * f64::from(place.points)).sum()
}

/// What the fights that are on and the charges that are coming are likely to cost each side.
pub(super) fn to_come(battle: &Battle, armies: [&Army<'_>; 2], judgement: Judgement) -> [f64; 2] {
    let mut costs = [0.0; 2];
    let numbers = &battle.fixed.numbers;
    for fight in combat::find_fights(battle) {
        let fought = |unit: UnitId| {
            battle.fights.iter().any(|one| {
                one.hits.is_some() && [&one.a, &one.b].iter().any(|of| of.iter().any(|one| one.unit == unit))
            })
        };
        let again = battle.phase == Phase::Combat && fight.a.first().is_some_and(|one| fought(one.unit));
        let weight = if again { AGAIN } else { 1.0 };
        let combat = fight.combat(battle);
        for gun in &fight.guns {
            let one = battle.brigade(*gun);
            costs[one.side.index()] += weight * quality(one) * taken(battle, *gun);
        }
        if !combat.rolls() {
            continue;
        }
        let pools = combat.pools(numbers);
        let dice = |n: usize| (usize::from(pools[n].dice()), pools[n].hits_on > 5);
        for side in Side::BOTH {
            let n = side.index();
            let toll = toll(dice(n), dice(1 - n));
            let members = fight.of(side);
            let share = 1.0 / members.len().max(1) as f64;
            for one in members {
                costs[n] += weight * cost(battle.brigade(one.unit), toll, share);
            }
            let stakes: f64 = members.iter().map(|one| stake(battle, one.unit)).sum();
            costs[n] += weight * (toll.retires + toll.routs) * share * AT_STAKE * stakes;
        }
    }
    if matches!(battle.phase, Phase::Charges | Phase::Responses | Phase::ChargeMoves) {
        for side in Side::BOTH {
            for seen in &armies[side.index()].units {
                let Assault::Declared { at, outrance, .. } = seen.one.marks.carried.attack else {
                    if seen.one.marks.carried.attack == Assault::Missed {
                        costs[side.index()] += SHORT;
                    }
                    continue;
                };
                let Some(foe) = armies[side.other().index()].units.iter().find(|foe| foe.id == at) else { continue };
                let meets = judgement.is_present() && rides_to_meet(foe.one, seen.id);
                // Two that ride at each other are one fight.
                if meets && side == Side::B && matches!(foe.one.marks.carried.attack, Assault::Declared { .. }) {
                    continue;
                }
                let gap = seen.gap(foe);
                let gets_away = judgement.is_present() && foe.one.marks.onset.response == Response::Evades(seen.id);
                let likely = (1.45 - gap / 5.25).clamp(0.0, 1.0) * if gets_away { CAUGHT_UP } else { 1.0 };
                costs[side.index()] += SHORT * (1.0 - likely);
                if foe.one.kind.is_gun() {
                    costs[side.other().index()] += likely * quality(foe.one) * taken(battle, foe.id);
                    continue;
                }
                let (ours, theirs) = (seen.dice(foe, true, outrance), foe.dice(seen, meets, meets && foe.one.outrance));
                costs[side.index()] += likely * cost(seen.one, toll(ours, theirs), 1.0);
                costs[side.other().index()] += likely * cost(foe.one, toll(theirs, ours), 1.0);
                // He will have turned before there is another chance.
                if judgement.is_present() && foe.one.is_formed() && !foe.before(seen) {
                    costs[side.other().index()] += likely * FLANKED;
                }
                // Hussars do not stand against heavier horse.
                let heavier = foe.one.kind == Kind::Hussars && seen.one.kind != Kind::Hussars;
                if judgement.is_present() && heavier && !gets_away {
                    costs[side.other().index()] += likely * RIDDEN_DOWN;
                }
            }
        }
    }
    costs
}

/// Whether a brigade rides to meet one that charges it.
fn rides_to_meet(one: &Brigade, charger: UnitId) -> bool {
    let charges = matches!(one.marks.carried.attack, Assault::Declared { at, .. } if at == charger);
    charges || one.marks.onset.response == Response::CounterCharges(charger)
}

/// What a fight would cost the enemy more than us, at a glance.
pub(super) fn glance(battle: &Battle, seen: &Seen<'_>, foe: &Seen<'_>, ours: &Army<'_>) -> f64 {
    if foe.one.kind.is_gun() {
        return quality(foe.one) * taken(battle, foe.id);
    }
    // It will have turned to him: what that takes is in its march.
    let mut mine = seen.dice_ahead(foe, seen.one.kind.is_cavalry(), seen.one.outrance);
    let mut his = foe.dice(seen, false, false);
    if foe.level(battle) > seen.level(battle) {
        his.0 += 1;
    }
    // Friends who are as near to him fight with it.
    let near = |friend: &&Seen<'_>| {
        friend.one.is_formed() && !friend.one.is_routing() && friend.gap(foe) < 4.5 && friend.before(foe)
    };
    let dice = |friend: &Seen<'_>| (friend.id, friend.one.kind.is_foot(), friend.dice(foe, false, false).0);
    let beset = foe.beset.get_or_init(|| ours.units.iter().filter(near).map(dice).collect());
    let with = |friend: &&(UnitId, bool, usize)| friend.0 != seen.id && friend.1 == seen.one.kind.is_foot();
    let friends: usize = beset.iter().filter(with).map(|friend| friend.2).sum();
    mine.0 += friends.min(4) * 2 / 3;
    cost(foe.one, toll(his, mine), 1.0) - cost(seen.one, toll(mine, his), 1.0)
}

impl Seen<'_> {
    /// The dice that it may look for in a fight with another (MB-CBT-05 to 21), at a glance, and whether only 6s hit.
    fn dice(&self, foe: &Seen<'_>, charges: bool, outrance: bool) -> (usize, bool) {
        let (dice, six) = self.dice_ahead(foe, charges, outrance);
        // A brigade that looks elsewhere hardly fights.
        if self.before(foe) { (dice, six) } else { ((dice / 3).min(1), six) }
    }

    /// The same for a brigade that has the other before its front.
    fn dice_ahead(&self, foe: &Seen<'_>, charges: bool, outrance: bool) -> (usize, bool) {
        let one = self.one;
        let grade = match one.grade() {
            Grade::A => 2,
            Grade::B => 1,
            Grade::C => 0,
            Grade::D => -1,
            Grade::E => -2,
        };
        let wide = if foe.before(self) || foe.one.is_unformed() { foe.one.files + 2 } else { 2 };
        let mut dice = i32::from(one.files.min(wide).min(8));
        let foot = one.kind.is_foot();
        let platoons = one.style == Style::New && foot && one.rows() == 1 && foe.one.kind.is_foot();
        if platoons {
            dice += i32::from(one.files / 3);
        } else if one.second_rank() * 2 >= one.files && !one.is_unformed() && !outrance {
            dice += 1;
        }
        if charges {
            dice += 1 + if outrance && !(foe.one.is_formed() && foe.one.kind.is_foot()) { 2 } else { 0 };
        }
        dice += grade - i32::from(one.dps);
        let six = one.is_unformed() || one.formation == Formation::MarchColumn;
        (dice.max(0) as usize, six)
    }
}
