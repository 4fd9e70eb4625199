//! Falling back: retirement, rout and evasion, how they end, and what bars the way (MB-RES-16 to 24, MB-CHG-15).

use crate::phases::splitting;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{
    Contact, Edge, FeatureId, Heading, Length, Lie, Outline, Point, Pose, SLOP, Unit, contact, exact_distance, meetings,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_GEN_12, MB_GEN_17, MB_RES_16, MB_RES_17, MB_RES_19, MB_RES_21, MB_RES_23, MB_RES_24};
use crate::event::{BlowKind, Event, FastMove, Fight};
use crate::phases::advance::pay_for_way;
use crate::phases::harm::{Play, destroy, harm};
use crate::phases::movement::throw_dice;
use crate::phases::splitting::divide;
use crate::situations::{Cause, MoveDice, MoveRoll, Pace};
use crate::table::flight::Flight;
use crate::table::lay::{Figure, HAIR, near};
use crate::table::path::Reach;

mod shelter;

pub(crate) use shelter::{fall_on, halt_behind, is_out_of_reach, shelter_input};
use shelter::{lost_works, rout_end, shelter_on_the_way};

mod trapped;

use trapped::blocked;
pub(crate) use trapped::surrender_the_trapped;

/// A retirement that may be cut short behind friends or cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Falling {
    /// Who falls back.
    pub unit: UnitId,
    /// How.
    pub action: FastMove,
    /// The heading of the move, in hundredths of a degree.
    pub heading: u16,
    /// The dice.
    pub roll: MoveRoll,
    /// How far it goes if it does not halt.
    pub full: Length,
    /// Where it is first behind something.
    pub least: Length,
    /// Up to where it stays so.
    pub most: Length,
}

/// The nearest enemy that a brigade flees from, or that is there at all.
pub(crate) fn nearest_enemy(battle: &Battle, unit: UnitId) -> Option<UnitId> {
    let figure = battle.figure(unit);
    let off = |enemy: &UnitId| sabretache_table::distance(&figure, &battle.figure(*enemy));
    battle
        .enemies(battle.brigade(unit).side)
        .filter(|enemy| battle.brigade(*enemy).is_brigade())
        .min_by_key(|enemy| (off(enemy), *enemy))
}

/// The enemy that a brigade pursues, or the nearest part of it that routs or retired (MB-RES-25); where nobody in particular
/// is known, the nearest enemy that does. One that has rallied or formed before its eyes it goes after still, and comes upon
/// as fresh enemy (MB-RES-23, MB-RES-29).
pub(crate) fn quarry(battle: &Battle, unit: UnitId) -> Option<UnitId> {
    let chased = battle.brigade(unit).pursues;
    let entry = chased.map(|enemy| battle.brigade(enemy).entry);
    let running = runners(battle, unit, |of| entry.is_none_or(|entry| entry == of)).first().copied();
    running.or(chased.filter(|enemy| battle.brigade(*enemy).is_brigade()))
}

/// Those a brigade fought who gave way and are on the run, the nearest first: of each brigade its nearest part. The
/// pursuers choose among them (MB-RES-25).
pub(crate) fn gave_way_before(battle: &Battle, fight: &Fight, unit: UnitId) -> Vec<UnitId> {
    let fought = |entry: u16| fight.gave_way.iter().any(|enemy| battle.brigade(*enemy).entry == entry);
    let mut runners = runners(battle, unit, fought);
    let mut brigades = Vec::new();
    runners.retain(|enemy| {
        let entry = battle.brigade(*enemy).entry;
        let first = !brigades.contains(&entry);
        brigades.push(entry);
        first
    });
    runners
}

/// The enemies of certain entries who are on the run, the nearest to a brigade first.
fn runners(battle: &Battle, unit: UnitId, of: impl Fn(u16) -> bool) -> Vec<UnitId> {
    let figure = battle.figure(unit);
    decides!(MB_RES_23);
    let runs = |enemy: &UnitId| {
        let brigade = battle.brigade(*enemy);
        let running = brigade.runs() || brigade.has_just_rallied();
        brigade.is_brigade() && running && of(brigade.entry)
    };
    let off = |enemy: &UnitId| sabretache_table::distance(&figure, &battle.figure(*enemy));
    let mut runners: Vec<UnitId> = battle.enemies(battle.brigade(unit).side).filter(runs).collect();
    runners.sort_by_cached_key(|enemy| (off(enemy), *enemy));
    runners
}

/// Whether an enemy pursues a brigade. One whom a close combat holds drives nobody before him (MB-RES-22).
pub(crate) fn is_pursued(battle: &Battle, unit: UnitId) -> bool {
    let pursues = |enemy: UnitId| {
        battle.brigade(enemy).status == Status::Pursuing && !battle.pinned(enemy) && quarry(battle, enemy) == Some(unit)
    };
    battle.enemies(battle.brigade(unit).side).any(pursues)
}

/// The enemies of a brigade's combat, while it is being settled; nobody where it is in none.
fn opponents(battle: &Battle, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
    let side = battle.brigade(unit).side;
    let mine = move |fight: &&Fight| fight.of(side).iter().any(|one| one.unit == unit);
    let foes = battle.fights.iter().filter(mine).flat_map(move |fight| fight.of(side.other()));
    foes.map(|one| one.unit).filter(|foe| battle.brigade(*foe).is_brigade())
}

/// The enemy that a brigade flees from: the nearest of those it fought, or the nearest there is.
pub(crate) fn flees_from(battle: &Battle, unit: UnitId) -> Option<UnitId> {
    let fought = opponents(battle, unit).min_by_key(|enemy| (battle.apart(unit, *enemy), *enemy));
    fought.or_else(|| nearest_enemy(battle, unit))
}

/// The nearest of those it fights who struck it in flank or rear, or stand behind it (MB-RES-16).
fn enemy_behind(battle: &Battle, unit: UnitId) -> Option<UnitId> {
    let brigade = battle.brigade(unit);
    let back = brigade.pose.heading.reversed().unit();
    let figure = battle.figure(unit);
    let corners = figure.bases.iter().flat_map(|base| base.as_part().corners.to_vec());
    let rear = corners.map(|corner| corner.dot(back)).fold(f64::NEG_INFINITY, f64::max);
    let inch = battle.fixed.numbers.musketry.length();
    let mut foes: Vec<UnitId> = opponents(battle, unit).collect();
    if foes.is_empty() {
        foes.extend(nearest_enemy(battle, unit));
    }
    let nearest = |of: &dyn Fn(UnitId) -> bool| {
        let those = foes.iter().copied().filter(|foe| of(*foe));
        those.min_by_key(|foe| (battle.apart(unit, *foe), *foe))
    };
    let unseen = |foe: UnitId| !battle.faces(unit, foe, inch);
    let behind = |foe: UnitId| unseen(foe) && battle.figure(foe).centre().dot(back) > rear;
    let struck = || nearest(&unseen).or_else(|| nearest(&|_| true));
    if brigade.marks.carried.flanked { struck() } else { nearest(&behind) }
}

/// Which way a brigade falls back: to its own rear, unless that is where the enemy came from (MB-RES-16).
pub(crate) fn rearward(battle: &Battle, unit: UnitId) -> Heading {
    decides!(MB_RES_16);
    let brigade = battle.brigade(unit);
    let off = |enemy: UnitId| Heading::toward(battle.figure(enemy).centre(), battle.figure(unit).centre());
    if brigade.is_unformed() {
        return flees_from(battle, unit).map_or(brigade.pose.heading.reversed(), off);
    }
    let Some(enemy) = enemy_behind(battle, unit) else { return brigade.pose.heading.reversed() };
    // The way he faces, if that leads away from him.
    let facing = battle.brigade(enemy).pose.heading;
    if battle.brigade(enemy).is_formed() && facing.unit().dot(off(enemy).unit()) > 0.0 { facing } else { off(enemy) }
}

fn own_edge(battle: &Battle, unit: UnitId) -> Edge {
    crate::muster::edge_of(&battle.fixed.scenario, battle.brigade(unit).side)
}

/// Throws the dice of a fast move; its distance.
pub(crate) fn fast(play: &mut Play<'_>, unit: UnitId, pace: Pace) -> Result<(MoveRoll, Length), Halt> {
    let dice = MoveDice::most_of(play.battle().brigade(unit).kind);
    let roll = throw_dice(play, unit, dice)?;
    let battle = play.battle();
    let distance = roll.distance(pace, battle.inspires(unit) > 0, false, &battle.fixed.numbers);
    Ok((roll, distance))
}

/// A brigade retires, routs or evades: straight back until it must or may stop.
pub(crate) fn fall_back(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    away: Option<Heading>,
) -> Result<(), Halt> {
    let first = matches!(action, FastMove::Retire | FastMove::Rout | FastMove::Evade);
    let pace = if first { Pace::FirstFast } else { Pace::Fast };
    let (roll, distance) = fast(play, unit, pace)?;
    let heading = away.unwrap_or_else(|| rearward(play.battle(), unit));
    if action == FastMove::Evade {
        return fall(play, unit, action, heading, roll, distance);
    }
    // What is blocked stays behind; the rest goes (MB-RES-19, 24).
    decides!(MB_RES_19, MB_RES_24);
    let barred = splitting::barred(play.battle(), unit, heading);
    if barred.iter().all(|one| *one) {
        return blocked(play, unit, action.is_rout());
    }
    for (part, barred) in divide(play, unit, &barred) {
        if barred {
            blocked(play, part, action.is_rout())?;
        } else {
            fall(play, part, action, heading, roll, distance)?;
        }
    }
    Ok(())
}

impl FastMove {
    pub(crate) fn is_rout(self) -> bool {
        matches!(self, Self::Rout | Self::RoutOn)
    }
}

/// The way of a body that runs.
struct Way {
    heading: Heading,
    crowd: Brigade,
    /// What it leaves to the enemy, and does not find shelter behind.
    lost: Vec<FeatureId>,
}

/// One body falls back by dice already thrown.
fn fall(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    heading: Heading,
    roll: MoveRoll,
    distance: Length,
) -> Result<(), Halt> {
    decides!(MB_GEN_17, MB_RES_24, MB_RES_19);
    let routs = action.is_rout();
    let evades = action == FastMove::Evade;
    let battle = play.battle();
    let least = battle.fixed.numbers.blocked.length();
    let Flight { reach, crowd, end } = battle.flight(unit, heading, distance);
    let at_edge = reach.clause == MB_GEN_17;
    let to_edge = heading.turn_to(own_edge(battle, unit).heading()).abs().to_hundredths() <= 4_500;
    let first = matches!(action, FastMove::Retire | FastMove::Rout);
    let lost = if first { lost_works(battle, unit) } else { Vec::new() };
    let way = Way { heading, crowd, lost };
    let stops = if routs { rout_end(battle, unit, &way, end.unwrap_or(Length::ZERO)) } else { None };
    if at_edge && routs && stops.is_none() {
        let blow = battle.blow(unit, BlowKind::Destroyed, None);
        destroy(play, unit, Status::Destroyed)?;
        play.happen(Event::Noted { blow });
        return Ok(());
    }
    if at_edge && to_edge && !evades && reach.distance < least {
        return destroy(play, unit, Status::Left);
    }
    if reach.distance < least && !at_edge && !evades {
        return blocked(play, unit, routs);
    }
    // Friends make room for those who retire; routers who cannot get past them are caught (MB-RES-24).
    let held = end.is_none_or(|end| end < least) && !at_edge;
    if routs && held && stops.is_none() {
        return blocked(play, unit, routs);
    }
    let Some(end) = end else {
        play.happen(Event::Barred { unit });
        return Ok(());
    };
    if matches!(action, FastMove::Retire | FastMove::RetireOn)
        && battle.falling().is_none()
        && let Some([least, most]) = shelter_on_the_way(battle, unit, &way, end)
    {
        let heading = heading.to_hundredths();
        play.happen(Event::Sheltered { falling: Falling { unit, action, heading, roll, full: end, least, most } });
        return Ok(());
    }
    finish(play, unit, action, heading, roll, stops.unwrap_or(end))
}

/// The end of the way: where it goes, what it passes, and what friends will feel (MB-MOR-15).
fn finish(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    heading: Heading,
    roll: MoveRoll,
    by: Length,
) -> Result<(), Halt> {
    let routs = action.is_rout();
    let battle = play.battle();
    let crowd = battle.crowd_of(unit, heading, by);
    let passed = run_through(battle, unit, heading, by);
    let blows = if routs { battle.rout_of(unit) } else { vec![battle.blow(unit, BlowKind::Retires, None)] };
    let to = battle.cleared(unit, &crowd, battle.ran_to(&crowd, heading, by));
    let places = new_places(battle, unit, &crowd, to);
    play.happen(Event::Fell { unit, to, action, roll, places });
    pay_for_way(play, unit, &Reach::through(by, passed))?;
    if action == FastMove::Evade {
        let price = play.battle().fixed.numbers.evade;
        return harm(play, unit, price, 0, Cause::Move);
    }
    let first = matches!(action, FastMove::Retire | FastMove::Rout);
    if first && play.battle().brigade(unit).is_unit() {
        for blow in blows {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

/// The friends through whom a body runs that goes so far (MB-MAN-19).
pub(crate) fn run_through(battle: &Battle, unit: UnitId, heading: Heading, by: Length) -> SmallVec<[UnitId; 4]> {
    let (figure, way) = (battle.figure(unit), heading.unit());
    let corridor = figure.bounds().swept(way * by.f());
    let mut stretches = SmallVec::new();
    let friends = battle.friends_around(battle.brigade(unit).side, corridor, HAIR).filter(|friend| *friend != unit);
    friends
        .filter(|friend| {
            meetings(figure, way, by.f(), battle.figure(*friend), &mut stretches);
            stretches.iter().any(|met| !met.deep && met.to > SLOP && met.from < by.f() - SLOP)
        })
        .collect()
}

/// Where the bases of a crowd stand, if it is one that a formed body has become without room to spread evenly.
pub(crate) fn new_places(battle: &Battle, unit: UnitId, crowd: &Brigade, to: Pose) -> Vec<Point> {
    let uneven = crowd.places.filter(|_| !battle.brigade(unit).is_unformed());
    uneven.map_or_else(Vec::new, |places| places.on_table(to.at).collect())
}

/// A crowd takes more room than a line: one that would spread over the edge of the table draws in from it.
pub(crate) fn drawn_in(battle: &Battle, crowd: &Brigade, pose: Pose) -> Pose {
    let (table, bounds) = (&battle.fixed.table, Figure::of(crowd, pose).bounds());
    let over = |low: f64, high: f64, end: f64| (-low).max(0.0) - (high - end).max(0.0);
    let by = |over: f64| if over < 0.0 { Length::floored(over) } else { -Length::floored(-over) };
    let x = by(over(bounds.min.x, bounds.max.x, table.width.f()));
    let y = by(over(bounds.min.y, bounds.max.y, table.depth.f()));
    Pose::new(Point::new(pose.at.x + x, pose.at.y + y), pose.heading)
}
