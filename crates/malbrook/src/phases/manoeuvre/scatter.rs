//! Unformed troops move base by base: each goes where it likes, and in the end they are one chain again (MB-MOV-29, MB-FRM-06).

use crate::phases::merging;
use crate::phases::movement;
use crate::phases::options;
use crate::phases::orders;
use sabretache_engine::decides;
use sabretache_engine::offer::Area;
use sabretache_table::{Convex, Quad, SLOP, Unit, Vec2, meetings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::*;
use crate::brigade::HaltAt;
use crate::clauses::{MB_FRM_06, MB_MOV_29, MB_MOV_32};
use crate::phases::advance::{capture, pay_for_way, tire};
use crate::table::crowds::{groups, is_chain, stand_apart};
use crate::table::lay::HAIR;
use crate::table::path::Reach;

/// How finely a base looks for a place on its way, and a crowd that is stopped for one where it hangs together.
const STEP: Length = Length::inch_fraction(1, 8);
/// How often bases may be called back before they have to move as one.
const CALLED_BACK: u8 = 3;

/// A brigade whose bases are being told, one by one, where to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scattering {
    /// The brigade.
    pub unit: UnitId,
    /// The bases told already, by their numbers, and where their middles go.
    #[serde(default)]
    pub sent: Vec<(u8, Point)>,
}

/// Whether the bases of a brigade may move one by one, and how far each.
pub(crate) fn may_scatter(battle: &Battle, unit: UnitId) -> Result<(Length, bool), Refusal> {
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    decides!(MB_MOV_29);
    if !brigade.is_unformed() || !brigade.kind.is_brigade() {
        return no(MB_MOV_29, "only unformed troops move base by base");
    }
    if !(2..=12).contains(&brigade.bases) {
        return no(MB_MOV_29, "it takes two bases, and twelve at the most, to go different ways");
    }
    if brigade.marks.loose.gathered >= CALLED_BACK {
        return no(MB_MOV_29, "its bases have been called back often enough");
    }
    match movement::allowance(battle, unit).filter(|(allowance, _)| !brigade.marks.moved && *allowance > Length::ZERO) {
        Some(allowance) => Ok(allowance),
        None => no(MB_MOV_29, "dice that suit it must be rolled first, and it has not moved yet"),
    }
}

fn scattering(battle: &Battle) -> Result<&Scattering, Refusal> {
    battle.scattering().ok_or_else(|| Refusal::new(MB_MOV_29, "no bases move one by one"))
}

/// Where the middles of all bases are when those told have gone.
fn told(battle: &Battle, one: &Scattering) -> SmallVec<[Point; 12]> {
    let mut middles = battle.figure(one.unit).middles();
    for (base, to) in &one.sent {
        if let Some(middle) = middles.get_mut(usize::from(*base)) {
            *middle = *to;
        }
    }
    middles
}

/// A place for a base to go towards: within its move, and a little beyond so that all of it is easily asked for.
pub(crate) fn send_input(battle: &Battle, unit: UnitId, base: u8) -> Result<Input, Refusal> {
    let one = scattering(battle)?;
    let middles = battle.figure(one.unit).middles();
    let told = one.sent.iter().any(|(told, _)| *told == base);
    let Some(centre) = middles.get(usize::from(base)).copied().filter(|_| one.unit == unit && !told) else {
        return no(MB_MOV_29, "that base has been told where to go");
    };
    let radius = movement::allowance(battle, unit).map_or(Length::ZERO, |(allowance, _)| allowance) + Length::inches(1);
    Ok(Input::Point { within: vec![Area::Circle { centre, radius }], except: Vec::new() })
}

/// Which enemy a base heeds on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enemy {
    /// Those its side knows of.
    Known,
    /// The hidden ones too.
    All,
}

/// How far one base would get on its way to a place.
fn base_reach(battle: &Battle, unit: UnitId, from: Point, to: Point, enemy: Enemy) -> Reach {
    let lone = battle.brigade(unit).lone_base(from);
    let figure = Figure::of(&lone, lone.pose);
    let (allowance, double) = movement::allowance(battle, unit).unwrap_or_default();
    let going = Going { blind: enemy == Enemy::Known, ..Going::normal(double) };
    battle.reach_as(unit, &lone, &figure, Heading::toward(from.v(), to.v()), allowance, going)
}

/// Where a base that is sent to a place ends: there, or as near to it as its way and its neighbours let it come.
fn sent_to(battle: &Battle, one: &Scattering, base: u8, to: Point) -> Point {
    let middles = told(battle, one);
    let from = middles[usize::from(base)];
    let heading = Heading::toward(from.v(), to.v());
    let wanted = from.distance(to);
    if wanted < HAIR {
        return from;
    }
    let most = wanted.min(base_reach(battle, one.unit, from, to, Enemy::Known).distance);
    let brigade = battle.brigade(one.unit);
    let others: SmallVec<[Quad; 12]> = middles
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != usize::from(base))
        .map(|(_, middle)| base_at(brigade, *middle))
        .collect();
    let place = |by: Length| Pose::new(from, heading).moved(heading, by).at;
    let free = |by: &Length| {
        let there = base_at(brigade, place(*by));
        let lone = brigade.lone_base(place(*by));
        others.iter().all(|other| stand_apart(&[there, *other]))
            && battle.stands_as_known(one.unit, &Figure::of(&lone, lone.pose))
    };
    let shorter = (1..=most.to_um() / STEP.to_um()).map(|n| most - STEP * n);
    std::iter::once(most).chain(shorter).find(free).map_or(from, place)
}

/// A base of a brigade with its middle at a place.
fn base_at(brigade: &Brigade, middle: Point) -> Quad {
    let (half, depth) = (brigade.width.f() / 2.0, brigade.depth.f() / 2.0);
    Quad::new(middle.v(), brigade.pose.heading.unit(), half, half, depth, depth)
}

/// Whether a base has gone as far as a move must go: all the way, to what stops it, or to where it may halt (MB-MOV-05, 08).
fn went_far_enough(battle: &Battle, unit: UnitId, from: Point, to: Point) -> bool {
    let (allowance, _) = movement::allowance(battle, unit).unwrap_or_default();
    let gone = from.distance(to);
    if gone < HAIR {
        return false;
    }
    let reach = base_reach(battle, unit, from, to, Enemy::Known);
    let short = if reach.may_halt_short { battle.fixed.numbers.halt_short.length() } else { Length::ZERO };
    let at_ground = match battle.brigade(unit).marks.way.halt_at {
        Some(HaltAt::Ground(ground)) => {
            let there = base_at(battle.brigade(unit), to);
            let lie = battle.fixed.ground.get(sabretache_table::FeatureId(ground));
            lie.is_some_and(|lie| near(&there, &lie, Length::ZERO))
        }
        _ => false,
    };
    at_ground || gone + HAIR >= reach.distance.min(allowance - short)
}

/// The bases of a crowd by the bodies that they are, the one with the first base first.
fn bodies(battle: &Battle, bases: &[Quad]) -> Vec<Vec<u8>> {
    let group = groups(bases, battle.loose_gap());
    let of = |number: u8| (0..group.len() as u8).filter(|n| group[usize::from(*n)] == number).collect();
    (0..=group.iter().copied().max().unwrap_or(0)).map(of).collect()
}

/// What bases that went each its own way become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bodies {
    /// They stay one brigade.
    One,
    /// They move apart and are brigades of their own (MB-MOV-32).
    Several,
}

/// Whether the bases may go where they have been told: as one brigade, or apart as several (MB-MOV-32).
pub(crate) fn may_finish_scattering(battle: &Battle, unit: UnitId, wanted: Bodies) -> Result<(), Refusal> {
    let one = scattering(battle)?.clone();
    if one.unit != unit || one.sent.is_empty() {
        return no(MB_MOV_29, "none of its bases has been told where to go");
    }
    let (brigade, before, after) = (battle.brigade(unit), battle.figure(unit).middles(), told(battle, &one));
    let moved = brigade.scattered(&after);
    let figure = Figure::of(&moved, moved.pose);
    let bodies = bodies(battle, &figure.bases).len();
    match wanted {
        Bodies::One if bodies > 1 => {
            return no(MB_FRM_06, "its bases must stay within an inch of each other, in one chain");
        }
        Bodies::Several if bodies < 2 => {
            return no(MB_MOV_32, "its bases have not moved apart: they are still one brigade");
        }
        Bodies::Several
            if battle.units.len() >= 4_000 || usize::from(merging::parts_of(battle, brigade.entry)) + bodies > 200 =>
        {
            return no(MB_MOV_32, "it has split often enough");
        }
        _ => {}
    }
    if !before.iter().zip(&after).any(|(from, to)| went_far_enough(battle, unit, *from, *to)) {
        return no(MB_MOV_29, "one base at least must go the whole distance");
    }
    orders::keeps_to(battle, unit, &figure)?;
    // Foot who come within an inch of enemy attack them, if their orders let them.
    let inch = battle.fixed.numbers.musketry.length();
    let close = |enemy: &UnitId| near(&figure, battle.figure(*enemy), inch) && options::is_known(battle, *enemy);
    let close = battle.enemies_around(brigade.side, figure.bounds(), inch).filter(close);
    for enemy in close.filter(|_| brigade.kind.is_foot()) {
        orders::may_attack(battle, unit, enemy)?;
    }
    Ok(())
}

/// How much of their ways the bases can go, as a share: where hidden enemy show themselves, all of them halt.
fn share_of_ways(battle: &Battle, unit: UnitId, before: &[Point], after: &[Point]) -> f64 {
    let share = |(from, to): (&Point, &Point)| {
        let wanted = from.distance(*to);
        let met = base_reach(battle, unit, *from, *to, Enemy::All).distance;
        if wanted <= met || wanted == Length::ZERO { 1.0 } else { met.f() / wanted.f() }
    };
    before.iter().zip(after).map(share).fold(1.0, f64::min)
}

/// The bases after a share of their ways, or less: where they stand clear and hang together. At the least where they stood.
fn gone(
    battle: &Battle,
    unit: UnitId,
    [before, after]: [&[Point]; 2],
    share: f64,
    wanted: Bodies,
) -> SmallVec<[Point; 12]> {
    let brigade = battle.brigade(unit);
    let at = |share: f64| -> SmallVec<[Point; 12]> {
        before.iter().zip(after).map(|(from, to)| Point::rounded(from.v().toward(to.v(), share))).collect()
    };
    let good = |places: &SmallVec<[Point; 12]>| {
        let moved = brigade.scattered(places);
        let figure = Figure::of(&moved, moved.pose);
        let hangs_together = wanted == Bodies::Several || is_chain(&figure.bases, battle.loose_gap());
        hangs_together && stand_apart(&figure.bases) && battle.stands(unit, &figure)
    };
    let shares = (0..16).map(|n| share * f64::from(16 - n) / 16.0);
    shares.map(at).find(good).unwrap_or_else(|| before.iter().copied().collect())
}

/// The friends whom bases pass through on their ways.
fn passed_by(battle: &Battle, unit: UnitId, before: &[Point], after: &[Point]) -> SmallVec<[UnitId; 4]> {
    let brigade = battle.brigade(unit);
    let mut passed: SmallVec<[UnitId; 4]> = SmallVec::new();
    let mut stretches = SmallVec::new();
    for (from, to) in before.iter().zip(after).filter(|(from, to)| from != to) {
        let (base, by) = (base_at(brigade, *from), to.v() - from.v());
        let corridor = Outline::bounds(&base).swept(by);
        for friend in battle.friends_around(brigade.side, corridor, HAIR).filter(|friend| *friend != unit) {
            meetings(&base, by.unit(), by.length(), battle.figure(friend), &mut stretches);
            let through = stretches.iter().any(|one| one.to > SLOP && !one.deep && one.from < by.length());
            if through && !passed.contains(&friend) {
                passed.push(friend);
            }
        }
    }
    passed
}

/// Whether any base touches rough ground on its way.
fn rough_ways(battle: &Battle, unit: UnitId, before: &[Point], after: &[Point]) -> bool {
    let brigade = battle.brigade(unit);
    before.iter().zip(after).any(|(from, to)| {
        let (base, there) = (base_at(brigade, *from), base_at(brigade, *to));
        let corners = base.as_part().corners.iter().chain(there.as_part().corners);
        let swept = Convex::hull(&corners.copied().collect::<SmallVec<[_; 8]>>());
        battle
            .fixed
            .ground
            .near(&swept.bounds())
            .any(|lie| battle.fixed.lands[usize::from(lie.feature.id.0)].rough && near(&swept, &lie, Length::ZERO))
    })
}

/// The bases of a brigade are to be told where to go, one by one.
pub(crate) fn scatter(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    may_scatter(play.battle(), unit)?;
    play.happen(Event::Scatters { unit });
    Ok(())
}

/// A base is told where to go.
pub(crate) fn send_base(play: &mut Play<'_>, unit: UnitId, base: u8, to: Option<Point>) -> Result<(), Halt> {
    let input = send_input(play.battle(), unit, base)?;
    let to = to.ok_or(WrongValue("where to?".into()))?;
    input.check(&sabretache_engine::offer::Value::Point(to), Unit::Inch)?;
    let to = sent_to(play.battle(), scattering(play.battle())?, base, to);
    play.happen(Event::BaseSent { base, to });
    Ok(())
}

/// The bases are called back: the brigade moves as one, or tells them anew.
pub(crate) fn gather(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let open = scattering(play.battle())?.unit == unit;
    play.require(open, MB_MOV_29, || "its bases do not move one by one".into())?;
    play.happen(Event::Gathered { unit });
    Ok(())
}

/// The bases go, and stay one brigade or move apart and become several, each with all the DPs (MB-MOV-32).
pub(crate) fn scattered(play: &mut Play<'_>, unit: UnitId, wanted: Bodies) -> Result<(), Halt> {
    may_finish_scattering(play.battle(), unit, wanted)?;
    let battle = play.battle();
    let one = scattering(battle)?;
    let (before, told) = (battle.figure(unit).middles(), told(battle, one));
    let share = share_of_ways(battle, unit, &before, &told);
    let after = gone(battle, unit, [&before, &told], share, wanted);
    let moved = battle.brigade(unit).scattered(&after);
    let bodies = bodies(battle, &Figure::of(&moved, moved.pose).bases);
    let (first, roll) = (battle.brigade(unit).marks.share.dice.is_none(), movement::rolled(battle));
    let double = movement::allowance(battle, unit).is_some_and(|(_, double)| double);
    let rough = rough_ways(battle, unit, &before, &after);
    let passed = passed_by(battle, unit, &before, &after);
    let mut parts = vec![unit];
    if bodies.len() > 1 {
        parts.extend((battle.units.len() as u16..).take(bodies.len() - 1).map(UnitId));
        let part = merging::parts_of(battle, battle.brigade(unit).entry) + 1;
        play.happen(Event::WentApart { unit, part, bodies, places: after.to_vec(), double });
    } else {
        play.happen(Event::Scattered { unit, places: after.to_vec(), double });
    }
    for unit in parts.iter().copied() {
        if let Some(roll) = roll {
            tire(play, unit, roll, rough, first)?;
        }
    }
    pay_for_way(play, unit, &Reach::through(Length::ZERO, passed))?;
    for unit in parts {
        capture(play, unit);
        if play.battle().brigade(unit).is_unit() {
            crate::phases::options::begin_looting(play, unit);
            play.happen(Event::Done { unit });
        }
    }
    Ok(())
}

/// A crowd turns, if it has room: about a place as a whole, or each base on its own spot. It takes nothing of its move.
pub(super) fn turn_bases(play: &mut Play<'_>, unit: UnitId, by: Angle, about: Option<Vec2>) -> bool {
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let spun = |middle: Point| match about {
        Some(about) => Pose::new(middle, brigade.pose.heading).turned_about(about, by).at,
        None => middle,
    };
    let middles: Vec<Point> = battle.figure(unit).middles().into_iter().map(spun).collect();
    let turned = Brigade { pose: brigade.pose.turned(by), ..brigade }.scattered(&middles);
    let figure = Figure::of(&turned, turned.pose);
    let room = turned.places.is_some()
        && stand_apart(&figure.bases)
        && is_chain(&figure.bases, battle.loose_gap())
        && battle.stands(unit, &figure);
    if room {
        play.happen(Event::BasesTurned { unit, to: turned.pose, places: middles });
    }
    room
}
