//! How a battle stands, for computer players.
//!
//! Points of which a base of middling foot is worth about a hundred. Everything is a glance at poses and marks: no sight, no
//! paths, no zones.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Bounds, Length, Outline, Vec2};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Assault, Brigade, Charge, Status};
use crate::situations::ArmyBreak;
use crate::troops::{Formation, Grade, Kind, OrderKind, Rank, Style};

/// A base of foot or cavalry.
const BASE: f64 = 100.0;
/// A DP on a brigade.
const DISORDER: f64 = 32.0;
/// A point of the scenario's, at the end of the battle.
const POINT: f64 = 150.0;
/// One more body to command, and each base that it has less than four: small bodies are soon lost.
const PART: f64 = 60.0;
const SMALL: f64 = 40.0;
/// A hit more than the enemy's that a fight is likely to bring.
const EDGE: f64 = 14.0;
/// A fight that looks no worse than this, in hits, is sought.
const EVEN: f64 = -0.4;
/// Inches of ground between a brigade of four bases and where it can fight, where its orders want it, and the control of a leader.
const SLOPE: f64 = 3.0;
const STEP: f64 = 2.4;
const REACH: f64 = 1.2;
/// A brigade at a place worth a point.
const DRAWN: f64 = 50.0;
/// An army that is about to break.
const BREAKING: f64 = 1_500.0;

pub(crate) const INCH: f64 = 25_400.0;

pub(crate) fn worth(battle: &Battle, side: Side) -> i32 {
    let [ours, theirs] = [side, side.other()].map(|side| Army::of(battle, side));
    let own = army(battle, &ours, &theirs) + urge(battle, &ours, &theirs);
    (own - army(battle, &theirs, &ours)) as i32
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
}

impl<'a> Army<'a> {
    fn of(battle: &'a Battle, side: Side) -> Self {
        let seen = |id: UnitId| {
            let (one, figure) = (battle.brigade(id), battle.figure(id));
            Seen { id, one, bounds: figure.bounds(), middle: figure.centre(), forward: one.pose.heading.unit() }
        };
        Self { side, units: battle.of(side).map(seen).collect() }
    }
}

impl Seen<'_> {
    /// Inches of ground between this and another, or nearly.
    fn gap(&self, other: &Seen<'_>) -> f64 {
        self.bounds.distance2(&other.bounds).sqrt() / INCH
    }

    /// Whether it has another before its front.
    fn before(&self, other: &Seen<'_>) -> bool {
        let off = other.middle - self.middle;
        self.one.is_unformed() || off.dot(self.forward) > off.length() * 0.6
    }

    /// The hits that it may look for in a fight with another (MB-CBT-05 to 21), at a glance.
    fn hits(&self, foe: &Seen<'_>, charges: bool, outrance: bool) -> f64 {
        let one = self.one;
        let grade = match one.grade() {
            Grade::A => 2.0,
            Grade::B => 1.0,
            Grade::C => 0.0,
            Grade::D => -1.0,
            Grade::E => -2.0,
        };
        let wide = if foe.before(self) || foe.one.is_unformed() { foe.one.files + 1 } else { 2 };
        let mut dice = f64::from(one.files.min(wide).min(8)) + grade - f64::from(one.dps);
        let foot = one.kind.is_foot();
        let platoons = one.style == Style::New && foot && one.rows() == 1 && foe.one.kind.is_foot();
        if platoons {
            dice += f64::from(one.files / 3);
        } else if one.second_rank() * 2 >= one.files && !one.is_unformed() {
            dice += 1.0;
        }
        if charges {
            dice += 1.0 + if outrance && !(foe.one.is_formed() && foe.one.kind.is_foot()) { 2.0 } else { 0.0 };
        }
        if !self.before(foe) {
            dice = dice.min(2.0) - 2.0;
        }
        let face = if one.is_unformed() || one.formation == Formation::MarchColumn { 6.0 } else { 3.0 };
        dice.max(0.0) / face
    }
}

fn army(battle: &Battle, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let side = ours.side;
    let mut points: f64 = ours.units.iter().map(|unit| of_unit(battle, unit, theirs)).sum();
    for leader in battle.leaders_of(side) {
        let one = battle.leader(leader);
        let value = match one.rank {
            Rank::MajorGeneral => 100.0,
            Rank::LieutenantGeneral => 200.0,
            Rank::Marshal => 400.0,
        };
        points += value;
        if one.attached.is_none() {
            points -= value * exposed(one.at.v(), ours, theirs);
        }
    }
    for (held, objective) in battle.held.iter().zip(&battle.fixed.scenario.body.objectives) {
        if *held == Some(side) {
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
        kind if kind.is_gun() => 2.2,
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

fn of_unit(battle: &Battle, seen: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let brigade = seen.one;
    let value = quality(brigade) * f64::from(brigade.bases);
    let mut points = value;
    // Disorder bites harder the nearer it comes to costing bases.
    let limit = f64::from(brigade.bases.clamp(1, 6));
    let dps = f64::from(brigade.dps);
    points -= DISORDER * dps + 12.0 * dps * (dps / limit);
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
    if matches!(brigade.marks.control, Charge::Tests | Charge::Halts | Charge::Repeats) {
        points -= 15.0;
    }
    if brigade.is_routing() || !brigade.kind.is_brigade() {
        return points;
    }
    points + readiness(seen, theirs) + blows_to_come(battle, seen, theirs)
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

/// Looking at whoever is near, in a formation to meet him.
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
    // To face whoever is near matters more the nearer he is.
    let aside = 1.0 - off.dot(seen.forward) / off.length().max(1.0);
    if !brigade.is_unformed() {
        points -= aside * (80.0 / (1.0 + far / 4.0)).min(40.0);
    }
    if brigade.formation.is_column() && far < 6.0 {
        points -= 20.0;
    }
    points
}

/// What urges a side on: that is weighed for its own decisions only, since every step towards the enemy brings him nearer too.
/// Everybody who is not worn wants to be where he can fight, the nearest few where there is something to take, and all of them near
/// a leader of theirs.
fn urge(battle: &Battle, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let mut points = 0.0;
    for seen in ours.units.iter().filter(|seen| seen.one.kind.is_brigade() && !seen.one.is_routing()) {
        // By bases, not by brigades: or it would pay to split, since the parts of a brigade would each have its place.
        let weight = f64::from(seen.one.bases) / 4.0;
        points -= weight * REACH * out_of_reach(battle, seen.id, ours.side);
        if let Some(goal) = battle.ordered_to(seen.id) {
            points -= weight * STEP * ((goal - seen.middle).length() / INCH).min(60.0);
            continue;
        }
        let foes = theirs.units.iter().filter(|foe| foe.one.kind.is_brigade() && !foe.one.is_routing());
        let Some((gap, foe)) = foes.map(|foe| (seen.gap(foe), foe)).min_by(|a, b| a.0.total_cmp(&b.0)) else {
            continue;
        };
        let edge = seen.hits(foe, seen.one.kind.is_cavalry(), seen.one.outrance) - foe.hits(seen, false, false);
        let worn = seen.one.dps >= 3.min(seen.one.bases);
        let wanted = match () {
            () if worn => 8.0,
            () if seen.one.kind.is_cavalry() => 3.0,
            () if edge >= EVEN => 0.9,
            () => 4.0,
        };
        let short = (gap - wanted).max(0.0);
        let near = if worn { (wanted - gap).max(0.0) } else { 0.0 };
        points -= weight * (SLOPE * short.min(72.0) + 4.0 * near);
    }
    points + objectives(battle, ours)
}

/// How near the nearest few are to places that are not theirs yet; the more the later it is.
fn objectives(battle: &Battle, ours: &Army<'_>) -> f64 {
    let late = 0.5 + 0.5 * (f64::from(battle.turn) / f64::from(battle.turns().max(1))).min(1.0);
    let mut points = 0.0;
    for (held, objective) in battle.held.iter().zip(&battle.fixed.scenario.body.objectives) {
        let place = battle.middle_of(&objective.area);
        let able =
            |seen: &&Seen<'_>| seen.one.is_formed() && !seen.one.is_routing() && battle.ordered_to(seen.id).is_none();
        let mut off: SmallVec<[f64; 32]> =
            ours.units.iter().filter(able).map(|seen| (seen.middle - place).length() / INCH).collect();
        off.sort_by(f64::total_cmp);
        let few = if *held == Some(ours.side) { 1 } else { 3 };
        let drawn: f64 = off.iter().take(few).map(|off| (40.0 - off).max(0.0) / 40.0).sum();
        points += drawn * DRAWN * f64::from(objective.points.max(0)) * late;
    }
    points
}

/// Inches between a brigade and the control of the nearest leader over it (MB-CTL-01); a little where none is left.
fn out_of_reach(battle: &Battle, unit: UnitId, side: Side) -> f64 {
    let numbers = &battle.fixed.numbers.control;
    let bounds = battle.figure(unit).bounds();
    let mut best: f64 = 12.0;
    for leader in battle.leaders_of(side).filter(|leader| battle.in_chain(*leader, unit)) {
        let one = battle.leader(leader);
        if one.attached == Some(unit) {
            return 0.0;
        }
        if one.attached.is_some() {
            continue;
        }
        let radius = if one.rank == Rank::Marshal { &numbers.marshal } else { &numbers.general };
        let reach = radius.length() + battle.fixed.numbers.bases.leader.length();
        let at = one.at.v();
        let off = Bounds { min: at, max: at }.distance2(&bounds).sqrt() - reach.f();
        best = best.min((off / INCH).max(0.0));
    }
    best
}

impl Battle {
    fn middle_of(&self, area: &[sabretache_engine::scenario::FilePoint]) -> Vec2 {
        let measure = self.fixed.scenario.measure;
        let sum = area.iter().fold(Vec2::default(), |sum, pair| sum + measure.point(*pair).v());
        sum * (1.0 / area.len().max(1) as f64)
    }

    /// The place that a brigade's orders bind it to, if it is not about there.
    fn ordered_to(&self, unit: UnitId) -> Option<Vec2> {
        let order = self.order_over(unit).filter(|order| order.kind != OrderKind::Attack)?;
        let position = order.position.and_then(|n| self.fixed.scenario.body.positions.get(usize::from(n)))?;
        let goal = self.middle_of(&position.area);
        // Anywhere about the position will do.
        let far = (goal - self.brigade(unit).pose.at.v()).length();
        (far > 8.0 * INCH).then_some(goal)
    }
}

/// What is about to happen: fights that are on, charges that are coming, flanks that lie open, guns that bear.
fn blows_to_come(battle: &Battle, seen: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let brigade = seen.one;
    let mut points = 0.0;
    let cavalry = brigade.kind.is_cavalry();
    let (declared, at, outrance) = match brigade.marks.attack {
        Assault::Declared { at, outrance, .. } => (true, Some(at), outrance),
        Assault::Charged { outrance } => (true, None, outrance),
        _ => (false, None, false),
    };
    let mut engaged = false;
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
        let foot = brigade.kind.is_foot() || foe.one.kind.is_foot();
        let close = if foot { gap < 1.05 } else { gap < 0.1 };
        let charges = declared && at.is_none_or(|at| at == foe.id);
        let ridden = charges && at.is_some();
        if (close || ridden) && (seen.before(foe) || foe.before(seen)) {
            engaged = true;
            let likely = if close { 1.0 } else { (1.4 - gap / 5.25).clamp(0.0, 1.0) };
            let theirs_charge = matches!(foe.one.marks.attack, Assault::Charged { .. });
            let edge = seen.hits(foe, charges, outrance) - foe.hits(seen, theirs_charge, false);
            points += likely * (edge * EDGE).clamp(-100.0, 100.0);
        } else if cavalry && brigade.is_formed() && gap < 6.0 && seen.before(foe) {
            // What it could charge.
            let edge = seen.hits(foe, true, brigade.outrance) - foe.hits(seen, false, false);
            points += (edge * 6.0).clamp(0.0, 30.0);
        }
    }
    // Several on one is worth more than the same one after another.
    if engaged {
        let at = seen.middle;
        let friends = battle
            .friends_around(brigade.side, Bounds { min: at, max: at }, Length::inches(5))
            .filter(|friend| *friend != seen.id && battle.brigade(*friend).kind.is_brigade())
            .count();
        points += 6.0 * friends.min(3) as f64 + 8.0;
    }
    points
}
