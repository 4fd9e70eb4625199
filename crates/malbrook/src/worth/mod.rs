//! How a battle stands, for computer players.
//!
//! Points of which a base of middling foot is worth about a hundred. Everything is a glance at poses and marks: no sight, no
//! paths, no zones.

mod fights;
pub(crate) mod parts;
mod sense;
pub(crate) mod stances;
mod urge;

use std::cell::OnceCell;

use crate::phases::morale;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Bounds, Outline, Vec2};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Brigade, Charge, Status};
use crate::situations::ArmyBreak;
use crate::troops::{Formation, Grade, Kind, Rank};

/// A base of foot or cavalry.
const BASE: f64 = 100.0;
/// A DP on a brigade.
const DISORDER: f64 = 32.0;
/// A DP on a gun, which it is soon rid of.
const GUN_DISORDER: f64 = 30.0;
/// A point of the scenario's, at the end of the battle.
const POINT: f64 = 150.0;
/// One more body to command, and each base that it has less than four: small bodies are soon lost.
const PART: f64 = 10.0;
const SMALL: f64 = 40.0;
/// A base that stands behind others.
const BEHIND: f64 = 6.0;
/// How much of what fights are likely to cost is counted: it is reckoned roughly, and the enemy has a say in it.
const FIGHT: f64 = 0.7;
/// A brigade that does not do as its player wishes.
const OUT_OF_HAND: f64 = 15.0;
/// An army that is about to break.
const BREAKING: f64 = 1_500.0;

pub(crate) const INCH: f64 = 25_400.0;

pub(crate) fn worth(battle: &Battle, side: Side, judgement: Judgement) -> i32 {
    let armies = Side::BOTH.map(|side| Army::of(battle, side));
    let (ours, theirs) = (&armies[side.index()], &armies[side.other().index()]);
    let costs = fights::to_come(battle, [&armies[0], &armies[1]], judgement);
    let fights = costs[side.other().index()] - costs[side.index()];
    let own = army(battle, ours, theirs) + urge::urge(battle, ours, theirs, judgement);
    let stands = own - army(battle, theirs, ours) + FIGHT * fights;
    match judgement {
        Judgement::First => stands as i32,
        Judgement::Present => {
            let sense = sense::of(ours, theirs) - sense::of(theirs, ours);
            let rested = sense::redressed(battle, ours, theirs) - sense::redressed(battle, theirs, ours);
            let own = sense::urge(battle, side) - sense::fears(ours, theirs);
            (stands + sense + own + rested) as i32
        }
    }
}

/// What a side has on the table.
struct Army<'a> {
    side: Side,
    units: Vec<Seen<'a>>,
}

/// A unit on the table, as far as a glance goes.
struct Seen<'a> {
    id: UnitId,
    one: &'a Brigade,
    bounds: Bounds,
    middle: Vec2,
    forward: Vec2,
    /// The level it stands on, and who of the enemy is near enough to fight it with others, once somebody has asked.
    level: OnceCell<i8>,
    beset: OnceCell<SmallVec<[Beset; 4]>>,
}

/// An enemy who is near enough to fight a brigade with others, whether he is foot, and with how many dice.
type Beset = (UnitId, bool, usize);

impl<'a> Army<'a> {
    fn of(battle: &'a Battle, side: Side) -> Self {
        let seen = |id: UnitId| {
            let (one, figure) = (battle.brigade(id), battle.figure(id));
            Seen {
                id,
                one,
                bounds: figure.bounds(),
                middle: figure.centre(),
                forward: one.pose.heading.unit(),
                level: OnceCell::new(),
                beset: OnceCell::new(),
            }
        };
        Self { side, units: battle.of(side).map(seen).collect() }
    }
}

impl Seen<'_> {
    /// The level of the ground under its middle.
    fn level(&self, battle: &Battle) -> i8 {
        *self.level.get_or_init(|| battle.level(self.middle))
    }

    /// Inches of ground between this and another, or nearly.
    fn gap(&self, other: &Seen<'_>) -> f64 {
        self.bounds.distance2(&other.bounds).sqrt() / INCH
    }

    /// Whether it has some of another before its front, which widens by 45 degrees (MB-GEN-09).
    fn before(&self, other: &Seen<'_>) -> bool {
        if self.one.is_unformed() {
            return true;
        }
        let (at, right) = (self.one.pose.at.v(), self.forward.right());
        let half = f64::from(self.one.files) * self.one.width.f() / 2.0;
        let Bounds { min, max } = other.bounds;
        let nearest = Vec2::new(at.x.clamp(min.x, max.x), at.y.clamp(min.y, max.y));
        let faced = |place: Vec2| {
            let off = place - at;
            let ahead = off.dot(self.forward);
            ahead > 0.0 && off.dot(right).abs() <= half + ahead
        };
        [nearest, other.middle, min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)].into_iter().any(faced)
    }
}

fn army(battle: &Battle, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let side = ours.side;
    let mut points: f64 = ours.units.iter().map(|unit| of_unit(battle, unit, ours, theirs)).sum();
    for leader in battle.leaders_of(side) {
        let one = battle.leader(leader);
        let value = match one.rank {
            Rank::MajorGeneral => 100.0,
            Rank::LieutenantGeneral => 200.0,
            Rank::Marshal => 400.0,
        };
        points += value;
        points -= value
            * match one.attached {
                None => exposed(one.at.v(), ours, theirs),
                Some(unit) => with_fighters(unit, ours, theirs),
            };
    }
    // The side that would hold a place if the turn ended now: or whatever puts off its end would look better than ending it.
    for (n, objective) in battle.fixed.scenario.body.objectives.iter().enumerate() {
        if battle.holder_to_be(n) == Some(side) {
            points += POINT * f64::from(objective.points);
        }
    }
    points - breaking(battle, side, ours)
}

/// How likely a leader on his own is to be shot or taken: no friends within 4 inches of him, and enemy who can get at him.
fn exposed(at: Vec2, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let place = Bounds { min: at, max: at };
    let off = |seen: &Seen<'_>| place.distance2(&seen.bounds).sqrt() / INCH;
    if ours.units.iter().any(|seen| off(seen) < 4.4) {
        return 0.0;
    }
    let danger = |foe: &Seen<'_>| match off(foe) {
        far if foe.one.kind.is_cavalry() => (1.0 - far / 14.0).max(0.0),
        far if foe.one.kind.is_foot() => (1.0 - far / 6.0).max(0.0),
        _ => 0.0,
    };
    theirs.units.iter().map(danger).fold(0.0, f64::max) * 0.6
}

/// How likely a leader is to fall with a brigade that is about to fight.
fn with_fighters(unit: UnitId, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let Some(seen) = ours.units.iter().find(|seen| seen.id == unit) else { return 0.0 };
    let near = |foe: &Seen<'_>| foe.one.kind.is_brigade() && !foe.one.is_routing() && seen.gap(foe) < 4.0;
    if theirs.units.iter().any(near) { 0.06 } else { 0.0 }
}

/// What it costs to be near the loss that ends the battle.
fn breaking(battle: &Battle, side: Side, ours: &Army<'_>) -> f64 {
    let stands = |seen: &&Seen<'_>| seen.one.kind.is_brigade() && !seen.one.is_routing();
    let there: u32 = ours.units.iter().filter(stands).map(|seen| u32::from(seen.one.bases)).sum();
    let started = battle.fixed.started[side.index()].max(1);
    let gone = f64::from(started.saturating_sub(there)) / f64::from(started);
    let share = f64::from(battle.fixed.numbers.army_break.share) / 100.0;
    let facts = ArmyBreak { started, lost: started.saturating_sub(there), routing: 0 };
    let near = (gone / share.max(0.01)).min(1.2);
    BREAKING * near * near + if facts.read(battle.fixed.numbers.army_break.share).broken { 4.0 * BREAKING } else { 0.0 }
}

/// How good each base of a brigade is.
fn quality(brigade: &Brigade) -> f64 {
    let grade = match brigade.grade() {
        Grade::A => 1.5,
        Grade::B => 1.22,
        Grade::C => 1.0,
        Grade::D => 0.8,
        Grade::E => 0.6,
    };
    let kind = match brigade.kind {
        Kind::Horse => 1.15,
        Kind::Hussars | Kind::DismountedDragoons => 0.7,
        // Three points to the side that takes it (MB-VIC-04).
        kind if kind.is_gun() => 4.0,
        Kind::Wagon | Kind::Civilians => 0.3,
        _ => 1.0,
    };
    grade * kind * BASE
}

/// What a brigade's bases are worth, whatever its order and place; guns that were abandoned or taken are lost.
pub(crate) fn points(battle: &Battle, unit: UnitId) -> i32 {
    let brigade = battle.brigade(unit);
    let lost = brigade.status.is_gone() || matches!(brigade.status, Status::Abandoned | Status::Captured);
    if lost { 0 } else { (quality(brigade) * f64::from(brigade.bases)) as i32 }
}

/// What a brigade's bases are worth to its side. Its grade is worth as much to twelve bases as to four: it adds dice to the brigade,
/// not to the base.
fn value(brigade: &Brigade) -> f64 {
    let bases = f64::from(brigade.bases);
    let plain = quality(&Brigade { grade: Some(Grade::C), ..*brigade });
    plain * bases + (quality(brigade) - plain) * bases.min(4.0)
}

/// What so many DPs cost a brigade: they bite harder the nearer they come to costing bases.
fn disorder(brigade: &Brigade, dps: u8) -> f64 {
    let limit = f64::from(brigade.bases.clamp(1, 6));
    let dps = f64::from(dps);
    if brigade.kind.is_gun() { GUN_DISORDER * dps } else { DISORDER * dps + 12.0 * dps * (dps / limit) }
}

fn of_unit(battle: &Battle, seen: &Seen<'_>, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let brigade = seen.one;
    let value = value(brigade);
    let mut points = value;
    points -= disorder(brigade, brigade.dps);
    points -= match brigade.status {
        Status::Routing => value * 0.55,
        Status::Retired | Status::Looting => value * 0.18,
        Status::Pursuing => value * 0.08,
        _ => 0.0,
    };
    if brigade.kind.is_gun() {
        return points + of_gun(seen, theirs);
    }
    // Parts are harder to command than the whole.
    points -= PART + SMALL * f64::from(4_u8.saturating_sub(brigade.bases));
    if brigade.formation == Formation::MarchColumn {
        points -= 25.0;
    }
    // A brigade that stands behind others does not fight.
    points -= BEHIND * f64::from(brigade.bases.saturating_sub(brigade.files));
    if matches!(brigade.marks.control.by, Charge::Tests | Charge::Halts | Charge::Repeats) {
        points -= OUT_OF_HAND;
    }
    if brigade.is_routing() || !brigade.kind.is_brigade() {
        return points;
    }
    points + readiness(seen, theirs) + blows_to_come(battle, seen, ours, theirs)
}

/// A gun is worth more the more enemy are before it, the nearer the better.
fn of_gun(gun: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    if gun.one.formation != Formation::Unlimbered {
        return -40.0;
    }
    let mut best: f64 = 0.0;
    for foe in &theirs.units {
        let off = foe.middle - gun.middle;
        let range = off.length() / INCH;
        if range < 24.0 && off.dot(gun.forward) > off.length() * 0.7 {
            best = best.max(40.0 - range);
        }
    }
    best - 14.0 * f64::from(gun.one.dps)
}

/// Looking at the enemy that is near, in a formation to meet it.
fn readiness(seen: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let brigade = seen.one;
    let nearest = theirs
        .units
        .iter()
        .filter(|foe| foe.one.kind.is_brigade() || foe.one.kind.is_gun())
        .map(|foe| (foe.middle - seen.middle, foe))
        .min_by(|a, b| a.0.length2().total_cmp(&b.0.length2()));
    let Some((off, _)) = nearest else { return 0.0 };
    let mut points = 0.0;
    let far = off.length() / INCH;
    // To face the enemy that is near matters more the nearer it is.
    let aside = 1.0 - off.dot(seen.forward) / off.length().max(1.0);
    if !brigade.is_unformed() {
        points -= aside * (80.0 / (1.0 + far / 4.0)).min(40.0);
    }
    if brigade.formation.is_column() && far < 6.0 {
        points -= 20.0;
    }
    points
}

/// What is about to happen: fights that are on, charges that are coming, flanks that lie open, guns that bear.
fn blows_to_come(battle: &Battle, seen: &Seen<'_>, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let brigade = seen.one;
    let mut points = 0.0;
    let cavalry = brigade.kind.is_cavalry();
    for foe in &theirs.units {
        let gap = seen.gap(foe);
        if gap > 24.0 {
            continue;
        }
        if foe.one.kind.is_gun() {
            // Guns before its front cost it something before they fire, and to reach them is worth having.
            if foe.before(seen) && foe.one.formation == Formation::Unlimbered && gap < 10.0 {
                points -= if brigade.formation.is_column() { 9.0 } else { 5.0 };
            }
            continue;
        }
        if !foe.one.kind.is_brigade() || gap > 9.0 {
            continue;
        }
        // An enemy on our flank that can come at us, and we at his.
        if gap < 7.0 && foe.before(seen) && !seen.before(foe) && !brigade.is_unformed() {
            points -= 14.0;
        }
        if cavalry && brigade.is_formed() && gap < 6.0 && gap > 0.1 && seen.before(foe) {
            // What it could charge.
            points += (0.15 * fights::glance(battle, seen, foe, ours)).clamp(0.0, 30.0);
        }
    }
    points
}

impl Battle {
    /// Who holds an objective if the turn ends now.
    fn holder_to_be(&self, objective: usize) -> Option<Side> {
        morale::taker_of(self, objective).map(|(side, _)| side).or(self.held.get(objective).copied().flatten())
    }
}
