//! What is looked at of a battle: material, order, ground, places, time and threats, as numbers that mean the same in every book.
//!
//! Lengths are counted in moves of the unit that would have to go them, and points in hundreds, of which an average unit is about one. Behind
//! these stand the parts that a book tells of itself (`Ruleset::parts`).

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::stance::{Branch, Stance};
use sabretache_table::Vec2;
use smallvec::SmallVec;

use crate::chance::parts;

/// How many of them mean the same in every book.
pub const COUNT: usize = 24;

/// What each of these is called, in order: the first columns of the data from which values are learnt.
const NAMES: [&str; COUNT] = [
    "worth",
    "time",
    "worth_by_time",
    "balance",
    "own_points",
    "their_points",
    "own_broken",
    "their_broken",
    "own_horse",
    "their_horse",
    "own_guns",
    "their_guns",
    "places_held",
    "places_lost",
    "places_nearer",
    "apart",
    "own_close",
    "their_close",
    "own_flanked",
    "their_flanked",
    "odds_where_close",
    "own_scattered",
    "their_scattered",
    "acts",
];

/// Nobody counts as further off than so many moves.
const FAR: f64 = 8.0;
/// Within so many moves of the enemy a unit is close to him.
const CLOSE: f64 = 1.2;
/// Friends and enemies so near, in moves, decide a fight together.
const TOGETHER: f64 = 1.5;
/// An enemy is before a unit's front where the way to him differs from where it faces by less than about 65 degrees.
const BEFORE: f64 = 0.42;

/// A battle as it is looked at for a side.
pub type Features = SmallVec<[f64; 48]>;

/// What the numbers of a book are called, in order.
pub fn names<R: Ruleset>() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(R::PARTS.iter().copied())
}

/// What one army comes to.
#[derive(Default)]
struct Army {
    points: f64,
    broken: f64,
    horse: f64,
    guns: f64,
    close: f64,
    flanked: f64,
    scattered: f64,
}

/// A battle as either side sees it: what is looked up of it is looked up once.
#[must_use]
pub fn features<R: Ruleset>(battle: &R::Battle) -> [Features; 2] {
    let mut stances = Vec::new();
    R::stances(battle, &mut stances);
    // What urges a side on is left out: half the difference is the same for both, with the sign turned.
    let worth = f64::from(R::worth(battle, Side::A) - R::worth(battle, Side::B)) / 200.0;
    let armies = Side::BOTH.map(|side| army(&stances, side));
    // The book tells its parts for A against B, and whose turn it is last, which is known already.
    let mut parts = parts::<R>(battle);
    parts.truncate(R::PARTS.len());
    Side::BOTH.map(|side| {
        let sign = if side == Side::A { 1.0 } else { -1.0 };
        let common = common::<R>(battle, &stances, &armies, side, sign * worth);
        common.into_iter().chain(parts.iter().map(|part| sign * part)).collect()
    })
}

/// What means the same in every book.
fn common<R: Ruleset>(
    battle: &R::Battle,
    stances: &[Stance],
    armies: &[Army; 2],
    side: Side,
    worth: f64,
) -> [f64; COUNT] {
    let time = R::passed(battle);
    let (own, theirs) = (&armies[side.index()], &armies[side.other().index()]);
    let (held, lost, nearer) = places::<R>(battle, stances, side);
    let apart = stances.iter().filter(|one| one.side == side).filter_map(|one| off(one, stances)).fold(FAR, f64::min);
    let ready = |army: &Army| (army.points - army.broken).max(0.0) + 0.01;
    [
        worth,
        time,
        worth * time,
        ready(own) / (ready(own) + ready(theirs)),
        own.points,
        theirs.points,
        own.broken,
        theirs.broken,
        own.horse,
        theirs.horse,
        own.guns,
        theirs.guns,
        held,
        lost,
        nearer,
        apart,
        own.close,
        theirs.close,
        own.flanked,
        theirs.flanked,
        odds(stances, side),
        own.scattered,
        theirs.scattered,
        f64::from(u8::from(R::clock(battle).phasing == Some(side))),
    ]
}

/// How many moves a unit is from the nearest enemy who stands.
fn off(one: &Stance, stances: &[Stance]) -> Option<f64> {
    let enemies = stances.iter().filter(|other| other.side != one.side && other.ready);
    enemies.map(|enemy| moves(one, enemy.at)).min_by(f64::total_cmp)
}

fn moves(one: &Stance, to: Vec2) -> f64 {
    ((to - one.at).length() / one.pace.max(1.0)).min(FAR)
}

fn army(stances: &[Stance], side: Side) -> Army {
    let mut army = Army::default();
    let own = || stances.iter().filter(|one| one.side == side);
    let count = own().count().max(1) as f64;
    let middle = own().fold(Vec2::default(), |sum, one| sum + one.at) * (1.0 / count);
    for one in own() {
        let points = one.points / 100.0;
        army.points += points;
        army.scattered += moves(one, middle) / count;
        match one.branch {
            Branch::Horse => army.horse += points,
            Branch::Guns => army.guns += points,
            Branch::Foot => {}
        }
        if !one.ready {
            army.broken += points;
            continue;
        }
        army.close += if off(one, stances).is_some_and(|off| off < CLOSE) { points } else { 0.0 };
        army.flanked += if is_flanked(one, stances) { points } else { 0.0 };
    }
    army
}

/// Whether an enemy within reach looks at a unit that does not look at him.
fn is_flanked(one: &Stance, stances: &[Stance]) -> bool {
    stances.iter().any(|enemy| {
        let way = (enemy.at - one.at).unit();
        let comes = enemy.side != one.side && enemy.ready && enemy.branch != Branch::Guns;
        comes && moves(enemy, one.at) < CLOSE && one.facing.dot(way) < BEFORE && enemy.facing.dot(way) < -BEFORE
    })
}

/// The mean of how many more friends than enemies, by points, stand about each unit that is close to the enemy: from -1 to 1.
fn odds(stances: &[Stance], side: Side) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for one in stances.iter().filter(|one| one.side == side && one.ready) {
        if off(one, stances).is_none_or(|off| off >= TOGETHER) {
            continue;
        }
        let near = stances.iter().filter(|other| other.ready && moves(other, one.at) < TOGETHER);
        let (ours, theirs) = near.fold((0.0, 0.0), |(ours, theirs), other| match other.side == side {
            true => (ours + other.points, theirs),
            false => (ours, theirs + other.points),
        });
        sum += one.points * (ours - theirs) / (ours + theirs).max(1.0);
        weight += one.points;
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}

/// Places that count for a side: how many it has, how many the enemy has, and how much nearer it is to them than he is, in moves.
fn places<R: Ruleset>(battle: &R::Battle, stances: &[Stance], side: Side) -> (f64, f64, f64) {
    let (mut held, mut lost, mut nearer) = (0.0, 0.0, 0.0);
    for place in R::places(battle) {
        match place.holder {
            Some(holder) if holder == side => held += 1.0,
            Some(_) => lost += 1.0,
            None => {}
        }
        let nearest = |side: Side| {
            let able = stances.iter().filter(|one| one.side == side && one.ready && one.branch != Branch::Guns);
            able.map(|one| moves(one, place.at)).fold(FAR, f64::min)
        };
        nearer += (nearest(side.other()) - nearest(side)).clamp(-4.0, 4.0);
    }
    (held, lost, nearer)
}
