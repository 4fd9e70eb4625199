//! What urges a side on: that is weighed for its own decisions only, since every step towards the enemy brings him nearer too.
//!
//! Everything is counted in inches still to be marched. What a brigade may still march this turn counts as marched, as far as it
//! leads where the brigade is wanted: so dice are worth what they carry it, and a move spent on something else costs what it
//! would have carried it.

use crate::phases::morale;
use crate::phases::movement;
use crate::phases::objectives as objectives_of;
use crate::phases::orders;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Bounds, Heading, Vec2};
use smallvec::SmallVec;

use super::fights::glance;
use super::sense::dressed;
use super::{Army, DISORDER, INCH, OUT_OF_HAND, Seen};
use crate::battle::Battle;
use crate::brigade::{Charge, LastMove, Status};
use crate::event::Phase;
use crate::situations::Pace;
use crate::troops::{Formation, OrderKind, Rank};

/// Inches of ground between a brigade of four bases and where it can fight, where its orders want it, and the control of a leader.
const SLOPE: f64 = 5.0;
const STEP: f64 = 4.0;
const REACH: f64 = 1.2;
/// An inch of front that has friends before it.
const SCREENED: f64 = 4.0;
/// How far off the enemy is wanted at the most, in inches: by a worn brigade.
const WANTED: f64 = 8.0;
/// What a fight would bring, at the most.
const MOST_GAIN: f64 = 400.0;
/// How much of what a fight would bring counts before it is fought.
const LOOKED_FOR: f64 = 0.3;
/// A message under way, which keeps its sender from better things.
const WORD: f64 = 5.0;
/// A brigade at a place worth a point.
const DRAWN: f64 = 50.0;
/// A brigade bears off by so much without a turn: 22.5 degrees.
const BEARS: f64 = std::f64::consts::FRAC_PI_8;

pub(super) fn urge(battle: &Battle, ours: &Army<'_>, theirs: &Army<'_>, judgement: Judgement) -> f64 {
    let need = need(battle, ours.side);
    let marches: SmallVec<[March; 32]> =
        ours.units.iter().map(|seen| March::of(battle, seen, theirs, judgement)).collect();
    let mut points = 0.0;
    for (seen, march) in ours.units.iter().zip(&marches) {
        if !seen.one.kind.is_brigade() || seen.one.is_routing() {
            continue;
        }
        // By bases, not by brigades: or it would pay to split, since the parts of a brigade would each have its place.
        let weight = f64::from(seen.one.bases) / 4.0;
        let (reach, rides) = out_of_reach(battle, seen, march, ours.side);
        points -= weight * REACH * reach;
        // A brigade out of control has a chance of one in three to go where it is wanted.
        let idle = if reach > rides { 0.6 * march.next } else { 0.0 };
        if let Some(goal) = battle.ordered_to(seen.id) {
            let way = march.way(seen, Bounds { min: goal, max: goal }).1.min(60.0);
            points -= weight * STEP * (way + idle.min(way));
            continue;
        }
        points -= weight * SCREENED * screened(seen, march, ours);
        // What its control test will cost is known before its leaders are done.
        let tests = battle.phase == Phase::Command && battle.active == ours.side && reach > 0.0;
        if tests && seen.one.last_move != LastMove::None && !battle.in_combat(seen.id) {
            points -= OUT_OF_HAND;
        }
        points += best_prize(battle, seen, march, (ours, theirs), (idle, need)).unwrap_or(0.0);
    }
    let words = battle.dispatches.iter().filter(|one| battle.leader(one.by).side == ours.side).count();
    points + objectives(battle, ours, &marches) - WORD * words as f64
}

/// How much a side needs a fight, from 0 to 1: it would not win if the battle ended as things stand, and the turns run out.
fn need(battle: &Battle, side: Side) -> f64 {
    let points = |side: Side| {
        let places = battle.fixed.scenario.body.objectives.iter().enumerate();
        let held: i32 =
            places.filter(|(n, _)| battle.holder_to_be(*n) == Some(side)).map(|(_, place)| place.points).sum();
        let tally = morale::tally(battle, side);
        held - tally.objectives + tally.points(&battle.fixed.numbers)
    };
    let lead = f64::from(points(side) - points(side.other()));
    let wanted =
        f64::from(battle.fixed.started[side.other().index()]) * f64::from(battle.fixed.numbers.points.lead) / 100.0;
    let late = 0.5 + 0.5 * (f64::from(battle.turn) / f64::from(morale::turns(battle).max(1))).min(1.0);
    late * ((wanted - lead) / wanted.max(1.0)).clamp(0.0, 1.0)
}

/// The best of what its enemies are worth to a brigade. Those who are so far off that they cannot be the best are not weighed: the nearest is
/// looked at first, and nobody gains more by being near than the most that a fight can bring.
fn best_prize(
    battle: &Battle,
    seen: &Seen<'_>,
    march: &March,
    (ours, theirs): (&Army<'_>, &Army<'_>),
    (idle, need): (f64, f64),
) -> Option<f64> {
    let weight = f64::from(seen.one.bases) / 4.0;
    let mut foes: SmallVec<[(f64, &Seen<'_>); 40]> =
        theirs.units.iter().map(|foe| (seen.far(&foe.bounds), foe)).collect();
    foes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<f64> = None;
    for (far, foe) in foes {
        // The way is no shorter than the ground between them, less what it may still march; no enemy is wanted further off than WANTED.
        let short = (far - march.left - WANTED - 0.1).clamp(0.0, 72.0);
        let most = LOOKED_FOR * weight.min(1.0) * MOST_GAIN - weight * SLOPE * (short + idle.min(short)) + 1.0;
        if best.is_some_and(|best| best > most) {
            break;
        }
        let found = prize(battle, seen, foe, march, ours, (idle, need));
        best = best.into_iter().chain(found).max_by(f64::total_cmp);
    }
    best
}

/// What it is worth to be as near to an enemy as a brigade is, and able to fight him.
fn prize(
    battle: &Battle,
    seen: &Seen<'_>,
    foe: &Seen<'_>,
    march: &March,
    ours: &Army<'_>,
    (idle, need): (f64, f64),
) -> Option<f64> {
    if foe.one.is_routing() || !(foe.one.kind.is_brigade() || foe.one.kind.is_gun()) {
        return None;
    }
    let worn = seen.one.dps >= (seen.one.bases / 2 + 1).max(3).min(seen.one.bases);
    let (stands, goes) = march.way(seen, foe.bounds);
    let gain = glance(battle, seen, foe, ours);
    let wanted = match () {
        () if worn => WANTED,
        () if seen.one.kind.is_cavalry() && gain < -40.0 * need => 7.0,
        () if gain < -20.0 - 60.0 * need => 4.0,
        () if seen.one.kind.is_cavalry() => 3.0,
        () => 0.9,
    };
    let at = |way: f64| {
        let short = (way - wanted).clamp(0.0, 72.0);
        let near = if worn { (wanted - way).max(0.0) } else { 0.0 };
        -SLOPE * (short + idle.min(short)) - 4.0 * near
    };
    // It may stand as well.
    let weight = f64::from(seen.one.bases) / 4.0;
    let best = (weight * at(stands)).max(weight * at(goes) - march.disorder);
    // A great body fights no better for being great: its glance knows its front.
    Some(LOOKED_FOR * weight.min(1.0) * gain.clamp(-100.0, MOST_GAIN) + best)
}

/// Inches of its front that have friends close before them.
fn screened(seen: &Seen<'_>, march: &March, ours: &Army<'_>) -> f64 {
    let wide = |one: &Seen<'_>| f64::from(one.one.files) * one.one.width.f() / INCH;
    let way = march.course.unit();
    let at = seen.one.pose.at.v() + way * (march.left * INCH);
    let before = |friend: &Seen<'_>| {
        if friend.id == seen.id || !friend.one.is_formed() {
            return 0.0;
        }
        let off = friend.middle - at;
        let (ahead, aside) = (off.dot(way) / INCH, off.dot(way.right()).abs() / INCH);
        let overlap = ((wide(friend) + wide(seen)) / 2.0 - aside).min(wide(seen));
        if ahead > 0.0 && ahead < 4.0 { overlap.max(0.0) } else { 0.0 }
    };
    ours.units.iter().map(before).fold(0.0, f64::max)
}

/// What a brigade may still march.
pub(super) struct March {
    /// Inches left this turn,
    left: f64,
    /// and in the next.
    next: f64,
    /// Its own way, and whether it may yet bear off it.
    course: Heading,
    bears: bool,
    turns: bool,
    /// What the dice that carry it will cost, and the disorder that it would be rid of if it stood.
    disorder: f64,
}

impl March {
    fn of(battle: &Battle, seen: &Seen<'_>, theirs: &Army<'_>, judgement: Judgement) -> Self {
        let one = seen.one;
        let free = one.is_unformed() || one.formation == Formation::Limbered;
        let (left, dice) = left(battle, seen, theirs);
        // Who marches does not dress his ranks.
        let undressed = if judgement.is_present() && left > 0.0 { dressed(battle, seen, theirs) } else { 0.0 };
        let disorder = dice + undressed;
        let bearing = if free { 0 } else { one.marks.way.bearing };
        let course = one.pose.heading + sabretache_table::Angle::hundredths(bearing);
        let next = if one.refused.is_some() { 0.5 } else { 1.0 } * stride(seen, theirs);
        Self { left, next, course, bears: !(one.marks.way.bore || one.marks.moved), turns: free, disorder }
    }

    /// Inches that a brigade has to march to a place, and those after all it may still march this turn; a turn counts as what its
    /// outer flank goes.
    fn way(&self, seen: &Seen<'_>, to: Bounds) -> (f64, f64) {
        let (front, place) = seen.across(&to);
        let far = (place - front).length() / INCH;
        if self.turns || far < 0.2 {
            return (far, (far - self.left).max(0.0));
        }
        let there = Heading::toward(front, place);
        let angle = |way: Heading| f64::from(way.turn_to(there).abs().to_hundredths()) / 5_729.578;
        let wide = f64::from(seen.one.files) * seen.one.width.f() / INCH;
        // Right about costs less than a wheel all round.
        let turn = (angle(seen.one.pose.heading) - BEARS).max(0.0);
        let wheel = (turn * wide).min((std::f64::consts::PI - turn) * wide + 3.0).min(9.0);
        let aside = (angle(self.course) - if self.bears { BEARS } else { 0.0 }).max(0.0);
        let way = Heading::hundredths((aside * 5_729.578) as i32).unit();
        let carried = self.left * way.y.max(0.0);
        (far + wheel, (far + wheel - carried).max(far * way.x * 0.5).max(0.0))
    }
}

impl Seen<'_> {
    /// The place of its front that is nearest to something, and the nearest place of that.
    fn across(&self, to: &Bounds) -> (Vec2, Vec2) {
        let front = self.front(to);
        (front, Vec2::new(front.x.clamp(to.min.x, to.max.x), front.y.clamp(to.min.y, to.max.y)))
    }

    /// Inches of ground between its front and something.
    fn far(&self, to: &Bounds) -> f64 {
        let (front, place) = self.across(to);
        (place - front).length() / INCH
    }

    /// The place of its front that is nearest to something.
    fn front(&self, to: &Bounds) -> Vec2 {
        let half = self.forward.right() * (f64::from(self.one.files) * self.one.width.f() * 0.4);
        let at = self.one.pose.at.v();
        let off = |place: &Vec2| {
            let near = Vec2::new(place.x.clamp(to.min.x, to.max.x), place.y.clamp(to.min.y, to.max.y));
            (near - *place).length2()
        };
        [at, at + half, at - half].into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(at)
    }
}

/// Inches that a brigade looks for in a whole move: with all its dice, doubled as far as six inches from the enemy.
fn stride(seen: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let one = seen.one;
    let single: f64 = match () {
        () if one.kind.is_cavalry() && one.speed == 0 => 3.5,
        () if one.kind.is_cavalry() => 5.0,
        () => 3.5,
    };
    let gap = theirs.units.iter().map(|foe| seen.gap(foe)).fold(99.0, f64::min);
    if gap > 6.0 { (2.0 * single).min((gap - 6.0).max(single)) } else { single }
}

/// Inches that a brigade may still march in this movement phase, and what its dice will cost it.
fn left(battle: &Battle, seen: &Seen<'_>, theirs: &Army<'_>) -> (f64, f64) {
    let one = seen.one;
    let stands = one.marks.share.done || one.marks.control.halted || one.refused.is_some();
    if battle.phase != Phase::Movement || battle.active != one.side || stands || battle.pinned(seen.id) {
        return (0.0, 0.0);
    }
    if matches!(one.status, Status::Retired | Status::Looting | Status::Pursuing)
        || (one.marks.suffered.passed && !one.marks.shifted)
    {
        return (0.0, 0.0);
    }
    let own = matches!(
        one.marks.control.by,
        Charge::By(_) | Charge::Attached | Charge::Free | Charge::Conforms(_) | Charge::GoesOn
    );
    if !own {
        return (0.0, 0.0);
    }
    let half = if one.marks.share.half { 0.5 } else { 1.0 };
    // The chance of a 6 on the die that makes it the faster.
    let looked_for = if one.is_formed() && one.formation != Formation::MarchColumn { DISORDER / 6.0 } else { 0.0 };
    let Some(roll) = movement::rolled(battle) else { return (half * stride(seen, theirs), looked_for) };
    if movement::acting(battle) != Some(movement::group_of(battle, seen.id)) {
        return (half * stride(seen, theirs), looked_for);
    }
    let Some((allowance, double)) = movement::allowance(battle, seen.id) else { return (0.0, 0.0) };
    let mut inches = allowance.f() / INCH;
    if double {
        let gap = theirs.units.iter().map(|foe| seen.gap(foe)).fold(99.0, f64::min);
        inches = inches.min((gap - 6.0).max(0.0));
    }
    let dps = if one.marks.share.dice.is_some() {
        0
    } else {
        roll.disorder(one.kind, one.formation, false, Pace::Normal, &battle.fixed.numbers)
    };
    (inches, f64::from(dps) * DISORDER)
}

/// How near the nearest few are to places that are not theirs yet; the more the later it is.
fn objectives(battle: &Battle, ours: &Army<'_>, marches: &[March]) -> f64 {
    let late = 0.5 + 0.5 * (f64::from(battle.turn) / f64::from(morale::turns(battle).max(1))).min(1.0);
    let mut points = 0.0;
    for (n, objective) in battle.fixed.scenario.body.objectives.iter().enumerate() {
        let corners = objectives_of::corners_of(battle, n);
        if corners.is_empty() {
            continue;
        }
        let there = Bounds::of(&corners);
        let able =
            |seen: &Seen<'_>| seen.one.is_formed() && !seen.one.is_routing() && battle.ordered_to(seen.id).is_none();
        let units = ours.units.iter().zip(marches).filter(|(seen, _)| able(seen));
        let mut off: SmallVec<[f64; 32]> = units.map(|(seen, march)| march.way(seen, there).1).collect();
        off.sort_by(f64::total_cmp);
        let few = if battle.holder_to_be(n) == Some(ours.side) { 1 } else { 2 };
        let drawn: f64 = off.iter().take(few).map(|off| (40.0 - off).max(0.0) / 40.0).sum();
        points += drawn * DRAWN * f64::from(objective.points.max(0)) * late;
    }
    points
}

/// Inches between where a brigade will be and the control of the nearest leader over it (MB-CTL-01), a little where none is left; and
/// how far that leader may ride before it matters.
fn out_of_reach(battle: &Battle, seen: &Seen<'_>, march: &March, side: Side) -> (f64, f64) {
    let numbers = &battle.fixed.numbers.control;
    let by = march.course.unit() * (march.left * INCH);
    let bounds = Bounds { min: seen.bounds.min + by, max: seen.bounds.max + by };
    let before = matches!(battle.phase, Phase::Command | Phase::Control);
    let moving = battle.phase == Phase::Movement && battle.active == side;
    let mut best: (f64, f64) = (12.0, 0.0);
    for leader in battle.leaders_of(side).filter(|leader| battle.in_chain(*leader, seen.id)) {
        let one = battle.leader(leader);
        if one.attached == Some(seen.id) {
            return (0.0, 0.0);
        }
        if one.attached.is_some() {
            continue;
        }
        let radius = if one.rank == Rank::Marshal { &numbers.marshal } else { &numbers.general };
        let reach = radius.length() + battle.fixed.numbers.bases.leader.length();
        let at = one.at.v();
        let off = Bounds { min: at, max: at }.distance2(&bounds).sqrt() - reach.f();
        let rides = if before { 0.0 } else { 5.0 } + if moving && !one.rode { 6.0 } else { 0.0 };
        let off = (off / INCH).max(0.0);
        if off - rides < best.0 - best.1 {
            best = (off, rides);
        }
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
        let order = orders::order_over(self, unit).filter(|order| order.kind != OrderKind::Attack)?;
        let position = order.position.and_then(|n| self.fixed.scenario.body.positions.get(usize::from(n)))?;
        let goal = self.middle_of(&position.area);
        // Anywhere about the position will do.
        let far = (goal - self.brigade(unit).pose.at.v()).length();
        (far > 8.0 * INCH).then_some(goal)
    }
}
