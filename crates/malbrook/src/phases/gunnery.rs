//! Bombardment and close artillery fire, and shots at lone leaders.

use crate::phases::control;
use crate::phases::messages;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::dice::{Die, Throw};
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{
    Angle, Arc, Convex, Corner, Heading, Length, Outline, Point, Segment, Vec2, fan, holds, line_clear, overlapping,
};

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::Charge;
use crate::clauses::{
    MB_ART_01, MB_ART_02, MB_ART_03, MB_ART_04, MB_ART_05, MB_ART_06, MB_ART_07, MB_ART_08, MB_ART_19, MB_ART_21,
    MB_ART_22, MB_GUN_02, MB_ORD_11, MB_RSK_06, MB_SEQ_02,
};
use crate::event::{Event, Phase};
use crate::phases::harm::{Danger, Play, harm_by, risk_leader};
use crate::situations::{Artillery, Band, Cause, Cover, Fate, LeaderRisk, Scatter};
use crate::table::lay::{Figure, HAIR, near};
use crate::troops::{Formation, Kind};

mod lone_shots;
pub(crate) mod offers;

use lone_shots::lone_shots_of;
pub(crate) use lone_shots::{is_lone, may_shoot_at_somebody, shoot_at, shoot_at_rider};
use offers::Gunnery;
pub(crate) use offers::{closed, lone_offers, lone_offers_of, offers, offers_of};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// The middle of a gun's muzzle end.
fn muzzle(battle: &Battle, gun: UnitId) -> Vec2 {
    battle.brigade(gun).pose.at.v()
}

/// The range to the nearest part of a target in the arc (MB-ART-02).
fn range(battle: &Battle, gun: UnitId, at: UnitId) -> Option<Length> {
    decides!(MB_ART_02);
    let half = Angle::hundredths(battle.fixed.numbers.arc);
    let forward = battle.brigade(gun).pose.heading.unit();
    Arc::from_place(muzzle(battle, gun), forward, half).look(&battle.figure(at)).range
}

/// Whether a gun is under a leader's control now: in the bombardment by where leaders stand (MB-ART-03).
fn gun_controlled(battle: &Battle, gun: UnitId) -> bool {
    if battle.phase == Phase::Bombardment {
        return control::controllers(battle, gun).next().is_some() || battle.attached_to(gun).next().is_some();
    }
    matches!(battle.brigade(gun).marks.control.by, Charge::By(_) | Charge::Attached)
}

/// Whether a gun can fire at all in this phase.
pub(crate) fn gun_ready(battle: &Battle, gun: UnitId) -> Result<(), Refusal> {
    decides!(MB_ART_01, MB_ART_07, MB_GUN_02);
    let brigade = battle.brigade(gun);
    if !brigade.kind.is_gun() || brigade.formation != Formation::Unlimbered || !brigade.is_unit() {
        return no(MB_ART_01, "only unlimbered guns with their crews fire");
    }
    let marks = &brigade.marks;
    match battle.phase {
        Phase::Bombardment if marks.fire.bombarded.is_some() => battle.forbid(MB_ART_07, "it has fired in this phase"),
        Phase::Bombardment => Ok(()),
        Phase::CloseFire if marks.fire.fired_close => battle.forbid(MB_ART_07, "it has fired in this phase"),
        Phase::CloseFire if marks.fire.bombarded == Some(Band::Close) => {
            battle.forbid(MB_ART_07, "it has fired at close range in the bombardment")
        }
        Phase::CloseFire if marks.fire.bombarded.is_some() && battle.in_combat(gun) => {
            battle.forbid(MB_GUN_02, "it has bombarded, and the enemy is upon it")
        }
        Phase::CloseFire => Ok(()),
        _ => no(MB_SEQ_02, "guns fire in the bombardment and close artillery fire phases"),
    }
}

/// Whether a gun may fire direct at a target, and at what range; nearer targets do not matter here.
fn direct(battle: &Battle, gun: UnitId, at: UnitId) -> Result<Length, Refusal> {
    decides!(MB_ART_04, MB_ART_05, MB_ART_06, MB_ART_22);
    let numbers = &battle.fixed.numbers;
    let kind = battle.brigade(gun).kind;
    if kind == Kind::Mortar {
        battle.forbid(MB_ART_22, "a mortar fires indirectly only")?;
    }
    let Some(range) = range(battle, gun, at) else { return no(MB_ART_02, "the target is outside its arc of fire") };
    let band = Band::of(kind, range.to_inches(), numbers);
    if band.is_none() {
        battle.forbid(MB_ART_05, "the target is out of range")?;
    }
    if battle.phase == Phase::CloseFire && band != Some(Band::Close) {
        battle.forbid(MB_ART_07, "in this phase guns fire at 2 inches and less")?;
    }
    let friends = numbers.friends_near_target.length();
    let side = battle.brigade(gun).side;
    let target = battle.figure(at);
    if battle.of(side).any(|friend| friend != gun && near(&target, &battle.figure(friend), friends)) {
        battle.forbid(MB_ART_06, "friends are within an inch of the target")?;
    }
    if !battle.sees(gun, at) {
        battle.forbid(MB_ART_04, "it does not see the target")?;
    }
    Ok(range)
}

/// Whether a howitzer or mortar may fire indirectly at a target; nearer targets do not matter here.
fn indirect(battle: &Battle, gun: UnitId, at: UnitId) -> Result<Length, Refusal> {
    decides!(MB_ART_19);
    let side = battle.brigade(gun).side;
    if !matches!(battle.brigade(gun).kind, Kind::Howitzer | Kind::Mortar) {
        return no(MB_ART_19, "only howitzers and mortars fire over others");
    }
    if battle.phase != Phase::Bombardment {
        battle.forbid(MB_ART_19, "indirect fire is for the bombardment")?;
    }
    let Some(range) = range(battle, gun, at) else { return no(MB_ART_02, "the target is outside its arc of fire") };
    if !Scatter::in_range(range.to_inches(), &battle.fixed.numbers) {
        battle.forbid(MB_ART_19, "the target must be more than 2 and no more than 36 inches off")?;
    }
    let by_leader = |leader: OfficerId| battle.seen_from(&[battle.leader(leader).at.v()], None, at);
    if !battle.of(side).any(|friend| battle.sees(friend, at)) && !battle.leaders_of(side).any(by_leader) {
        battle.forbid(MB_ART_19, "no friend sees the target")?;
    }
    Ok(range)
}

/// How a gun fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fire {
    /// At what it sees.
    Direct,
    /// Over the heads of others (MB-ART-19).
    Indirect,
}

/// Whether a gun may fire at a target; nearer targets do not matter here.
fn look(battle: &Battle, gun: UnitId, at: UnitId, fire: Fire) -> Result<Length, Refusal> {
    match fire {
        Fire::Direct => direct(battle, gun, at),
        Fire::Indirect => indirect(battle, gun, at),
    }
}

/// Whether one target comes before another, each with its range: the nearer, and of two as near the one further to the owner's
/// right (MB-GEN-16).
fn comes_first(battle: &Battle, side: Side, other: (UnitId, Length), one: (UnitId, Length)) -> bool {
    let right = |unit: UnitId| (battle.off_right(side, battle.figure(unit).centre()), unit);
    other.1 + HAIR < one.1 || (other.1 <= one.1 + HAIR && right(other.0) < right(one.0))
}

/// Whether a gun may fire at a target: the nearest, unless a leader controls it (MB-ART-03).
pub(crate) fn may_fire(battle: &Battle, gun: UnitId, at: UnitId, fire: Fire) -> Result<Length, Refusal> {
    decides!(MB_ART_03);
    gun_ready(battle, gun)?;
    let here = look(battle, gun, at, fire)?;
    if !gun_controlled(battle, gun) {
        let side = battle.brigade(gun).side;
        let nearer = battle.enemies(side).filter(|other| *other != at).find(|other| {
            range(battle, gun, *other).is_some_and(|off| comes_first(battle, side, (*other, off), (at, here)))
                && look(battle, gun, *other, fire).is_ok()
        });
        if let Some(nearer) = nearer {
            let why = format!("nobody controls it, and there is a nearer target: {}", battle.name_of(nearer));
            battle.forbid(MB_ART_03, sabretache_kit::in_a_sentence(&why))?;
        }
    }
    Ok(here)
}

/// The facts of a direct shot.
fn artillery(battle: &Battle, gun: UnitId, at: UnitId, range: Length) -> Artillery {
    let brigade = battle.brigade(gun);
    let target = battle.brigade(at);
    // A part that split off is the same target still.
    let same = |aim: &crate::brigade::Aim| battle.brigade(aim.at).entry == target.entry;
    let aim = brigade.aim.filter(|aim| same(aim) && !aim.indirect);
    let recent = aim.filter(|aim| aim.turn + 1 >= battle.turn);
    let last = recent.map(|aim| aim.range.to_inches()).or(aim.map(|_| f64::MAX));
    Artillery {
        gun: brigade.kind,
        range: range.to_inches(),
        dps: brigade.dps,
        last_range: last,
        column: target.formation.is_column(),
        limbered: target.formation == Formation::Limbered,
        enfilade: enfiladed(battle, gun, at),
        cover: cover(battle, muzzle(battle, gun), at),
    }
}

/// Whether a line is shot along its length: no more than 22.5 degrees off its frontage (MB-ART-15).
fn enfiladed(battle: &Battle, gun: UnitId, at: UnitId) -> bool {
    let target = battle.brigade(at);
    if !target.is_formed() {
        return false;
    }
    let line = Heading::toward(muzzle(battle, gun), battle.figure(at).centre());
    let off = i32::from(target.pose.heading.right().turn_to(line).abs().to_hundredths() as u16);
    off.min(18_000 - off) <= 2_250
}

/// The works that protect a target from a place: between them, and the target within an inch behind (MB-ART-16).
pub(crate) fn cover(battle: &Battle, from: Vec2, at: UnitId) -> Cover {
    let figure = battle.figure(at);
    let inch = Length::inches(1);
    let (_, nearest) = sabretache_table::nearest_places(&Convex::place(from), &figure);
    // On through the works that the target may touch or stand astride of.
    let into = nearest + (nearest - from).unit() * Length::inch_fraction(1, 2).f();
    let works = battle.fixed.ground.near(&figure.bounds().grown(inch.f() * 1.5)).filter(|lie| {
        let land = battle.fixed.lands[usize::from(lie.feature.id.0)];
        // The works of a town protect those who stand in it.
        let held = if land.screens { overlapping(figure, lie) } else { near(lie, figure, inch) };
        land.cover != Cover::None
            && held
            && !line_clear(from, into, [lie])
            && defended(lie, land.defended_right, figure.centre())
    });
    let covers = works.map(|lie| battle.fixed.lands[usize::from(lie.feature.id.0)].cover);
    covers.fold(Cover::None, |most, cover| match (most, cover) {
        (Cover::Fortifications, _) | (_, Cover::Fortifications) => Cover::Fortifications,
        (Cover::Fieldworks, _) | (_, Cover::Fieldworks) => Cover::Fieldworks,
        _ => Cover::None,
    })
}

/// Whether a place is on the defended side of a work (MB-TER-08).
fn defended(lie: &sabretache_table::Lie<'_>, right: bool, place: Vec2) -> bool {
    let sabretache_table::FeatureShape::Line { points, .. } = &lie.feature.shape else { return true };
    let nearest = points.windows(2).min_by(|a, b| {
        let off = |pair: &[Point]| Segment::new(pair[0].v(), pair[1].v()).distance(place);
        off(a).total_cmp(&off(b))
    });
    nearest.is_none_or(|pair| {
        let along = pair[1].v() - pair[0].v();
        (along.cross(place - pair[0].v()) < 0.0) == right
    })
}

fn shots_of(battle: &Battle, gun: UnitId) -> Vec<Offer> {
    decides!(MB_ART_03);
    let side = battle.brigade(gun).side;
    let open = |fire: Fire| -> Vec<(UnitId, Length)> {
        let look = |at: UnitId| look(battle, gun, at, fire).ok().map(|range| (at, range));
        battle.enemies(side).filter_map(look).collect()
    };
    let (straight, over) = (open(Fire::Direct), open(Fire::Indirect));
    let controlled = straight.is_empty() && over.is_empty() || gun_controlled(battle, gun);
    let first = |(at, here): (UnitId, Length), all: &[(UnitId, Length)]| {
        let nearer =
            |(other, off): &(UnitId, Length)| *other != at && comes_first(battle, side, (*other, *off), (at, here));
        controlled || !all.iter().any(nearer)
    };
    let find = |all: &[(UnitId, Length)], at: UnitId| all.iter().copied().find(|(one, _)| *one == at);
    let mut out = Vec::new();
    for at in battle.enemies(side) {
        if find(&straight, at).is_some_and(|one| first(one, &straight)) {
            out.push(Gunnery::Fire { gun, at }.into());
        }
        if find(&over, at).is_some_and(|one| first(one, &over)) {
            out.push(Gunnery::Shell { gun, at }.into());
        }
    }
    out
}

/// One gun fires direct.
pub(crate) fn fire(play: &mut Play<'_>, gun: UnitId, at: UnitId) -> Result<(), Halt> {
    decides!(MB_ART_08);
    let range = may_fire(play.battle(), gun, at, Fire::Direct)?;
    let battle = play.battle();
    let situation = artillery(battle, gun, at, range);
    let numbers = battle.fixed.numbers.clone();
    let test = situation.test(&numbers);
    let side = battle.brigade(gun).side;
    let band = Band::of(situation.gun, situation.range, &numbers).unwrap_or(Band::Far);
    let purpose = Purpose { what: "artillery", of: Some(gun.into()), side };
    let read = |_: &Battle, total| situation.read(total, &numbers);
    let result = play.roll_for(purpose, &test, &Throw::one(Die::D6), Wanted::High, read)?;
    play.happen(Event::Fired { unit: gun, at, range, band });
    harm_by(play, at, result.dps, result.casualties, Cause::Fire, Some(gun))
}

/// A howitzer or mortar fires over others.
pub(crate) fn shell(play: &mut Play<'_>, gun: UnitId, at: UnitId) -> Result<(), Halt> {
    decides!(MB_ART_21);
    let range = may_fire(play.battle(), gun, at, Fire::Indirect)?;
    let numbers = play.battle().fixed.numbers.clone();
    let side = play.battle().brigade(gun).side;
    let landing = Scatter::land(&numbers, |what| {
        let purpose = Purpose { what, of: Some(gun.into()), side };
        let wanted = if what == "scatter" { Wanted::High } else { Wanted::Neither };
        play.throw(purpose, &Throw::one(Die::D6), wanted).map(|roll| roll.total())
    })?;
    let battle = play.battle();
    let muzzle = muzzle(battle, gun);
    let aim = battle
        .figure(at)
        .bases
        .iter()
        .map(|base| base.centre())
        .min_by(|a, b| (*a - muzzle).length2().total_cmp(&(*b - muzzle).length2()));
    let aim = aim.unwrap_or(muzzle);
    let bearing = i32::from(Heading::toward(muzzle, aim).to_hundredths()) + i32::from(landing.direction) * 100;
    let off = Length::inch_fraction(landing.half_inches.into(), 2).f();
    let place = aim + Heading::hundredths(bearing).unit() * off;
    let hit: Vec<UnitId> = if landing.on_target {
        vec![at]
    } else {
        battle.all().filter(|unit| holds(&battle.figure(*unit), place)).collect()
    };
    let table = battle.fixed.table;
    let keep = |x: f64, most: Length| Length::rounded(x.clamp(0.0, most.f()));
    let place = Point::new(keep(place.x, table.width), keep(place.y, table.depth));
    play.happen(Event::ShellFell { unit: gun, at, range, place, on_target: landing.on_target });
    for unit in hit {
        play.happen(Event::UnderFire { unit });
        harm_by(play, unit, numbers.shell, 0, Cause::Fire, Some(gun))?;
    }
    Ok(())
}

/// The arc of fire of a gun, for overlays: not through friends.
pub(crate) fn arc_corners(battle: &Battle, gun: UnitId) -> Vec<Point> {
    let figure = battle.figure(gun);
    let Some(base) = figure.bases.first() else { return Vec::new() };
    let numbers = &battle.fixed.numbers;
    let kind = battle.brigade(gun).kind;
    let most = if kind == Kind::LightGun { numbers.ranges.light } else { numbers.ranges.heavy };
    let muzzle = base.corner(Corner::FrontLeft).toward(base.corner(Corner::FrontRight), 0.5);
    let ahead = i32::from(battle.brigade(gun).pose.heading.to_hundredths());
    let rays: Vec<Segment> = (-RAYS..=RAYS)
        .map(|step| {
            let heading = Heading::hundredths(ahead + numbers.arc * step / RAYS);
            Segment::new(muzzle, muzzle + heading.unit() * most.length().f())
        })
        .collect();
    // Friends on its own level are in the way; howitzers and mortars throw over them (MB-ART-04, MB-ART-19).
    let thrown = matches!(kind, Kind::Howitzer | Kind::Mortar);
    let level = battle.level_of(gun);
    let in_the_way = |friend: &UnitId| !thrown && *friend != gun && battle.level_of(*friend) >= level;
    let side = battle.brigade(gun).side;
    let friends: Vec<&Figure> = battle.of(side).filter(in_the_way).map(|friend| battle.figure(friend)).collect();
    fan(&rays, &friends).into_iter().map(Point::rounded).collect()
}

/// So many rays show each half of an arc of fire.
const RAYS: i32 = 24;
