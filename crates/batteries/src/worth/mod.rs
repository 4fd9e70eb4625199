//! How a battle stands, for computer players.
//!
//! Called some hundred times a decision, so distances are taken between the middles of fronts and nothing is searched.

pub(crate) mod approach;
pub(crate) mod goals;
pub(crate) mod parts;
pub(crate) mod proposals;
pub(crate) mod prospects;
pub(crate) mod stances;
pub(crate) mod threats;

use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Length, Vec2};

use crate::battle::{Battle, Kind, Place, Step, Unit};
use crate::clauses::*;
use crate::troops::{Arm, Formation, Grade, GunClass, Weight};
use crate::worth::approach::{MOVE, forced_march, hurry, spent, way};
use crate::worth::goals::{Goal, ahead, goals, near_enough, objectives, open};
use crate::worth::prospects::{fights, shots};
use crate::worth::threats::{among_friends, horse, under_threat};

/// An inch, in micrometres.
pub(crate) const INCH: f64 = 25_400.0;
/// Being the one who would have won if the battle ended now.
const AHEAD: f64 = 300.0;
/// What disorder takes from a unit's worth; less from those who must come on, or no rough ground would ever be crossed.
const DISORDER: f64 = 0.12;
const DISORDER_BEHIND: f64 = 0.06;
/// What a spent move costs of what it could have brought, so that it is not wasted on going aslant.
const SPENT: f64 = 0.5;
/// A way, in inches, that is neither near nor far.
const FAR: f64 = 30.0;
/// What each move costs by which a unit comes too late, and how many are allowed for ground and enemies that delay it.
const TOO_LATE: f64 = 10.0;
const SLACK: f64 = 2.0;
/// Moving last in the last turn.
const LAST_WORD: f64 = 40.0;
/// What is left of the cost of being shaken or disordered while a unit stands still to recover.
const RESTING: f64 = 0.5;
/// What an inch nearer to the enemy is worth to a side that has not won yet, in its own decisions only.
const URGE: f64 = 0.8;
/// The enemy is neither near nor far, in inches.
const NOT_FAR: f64 = 20.0;
/// A charge that is plotted and not made: while it leads nowhere, and once it would strike somebody.
const PLOTTED: f64 = 0.5;
const STRIKES: f64 = 4.0;
/// A general who is still there.
const GENERAL: f64 = 40.0;
/// What an inch nearer to where it is wanted gains whoever has to come on.
const ATTACKING: f64 = 1.2;
/// The same for whoever is content to stand.
const HOLDING: f64 = 0.2;

/// What the rest needs to know of a unit.
pub(crate) struct Stand {
    pub(crate) unit: UnitId,
    pub(crate) side: Side,
    pub(crate) at: Vec2,
    pub(crate) ahead: Vec2,
    pub(crate) arm: Arm,
    pub(crate) worth: f64,
    pub(crate) sound: bool,
    /// How far the nearest enemy is, in inches.
    pub(crate) enemy: f64,
}

pub(crate) fn worth(battle: &Battle, side: Side, judgement: Judgement) -> i32 {
    let mut stands: Vec<Stand> =
        battle.all().filter(|unit| !battle.is_screen(*unit)).map(|unit| stand(battle, unit)).collect();
    measure(&mut stands);
    let late = late(battle);
    let goals = goals(battle, &stands);
    let ahead = ahead(battle, side, &goals);
    let own = of(battle, side, &stands, &goals, (ahead, late), judgement);
    let theirs = of(battle, side.other(), &stands, &goals, (-ahead, late), judgement);
    let (fights, press) = fights(battle, side, judgement);
    let last = battle.turn >= battle.fixed.scenario.body.turns;
    let standing = f64::from(ahead) * AHEAD * late * if last { 2.0 } else { 1.0 };
    let last_word = if !last || matches!(battle.step, Step::Initiative | Step::Choice) {
        0.0
    } else if battle.first == side {
        -LAST_WORD
    } else {
        LAST_WORD
    };
    let under_way = fights + shots(battle, side, judgement) + standing + last_word;
    let mut sense = 0.0;
    if judgement.is_present() {
        sense = among_friends(battle, side, &stands) - among_friends(battle, side.other(), &stands);
    }
    (own - theirs + under_way + press + urge(battle, side, &stands, ahead, judgement) + sense) as i32
}

/// Time runs out: what is held counts for more and more.
fn late(battle: &Battle) -> f64 {
    0.6 + 0.9 * (f64::from(battle.turn) / f64::from(battle.fixed.scenario.body.turns.max(1))).min(1.0)
}

/// What draws a side that has not won on toward the enemy. It is weighed for its own decisions only: every step brings the enemy nearer too.
fn urge(battle: &Battle, side: Side, stands: &[Stand], ahead: i8, judgement: Judgement) -> f64 {
    // Whoever holds a place only as long as nobody comes up to it has to keep the enemy off.
    let defends =
        battle.fixed.scenario.body.victory.defender.as_ref() == Some(&battle.fixed.scenario.sides[side.index()].id);
    let content = ahead > 0 && (defends || battle.turn >= battle.fixed.scenario.body.turns);
    let slope = if content { URGE / 4.0 } else { URGE };
    let mut points = 0.0;
    for own in stands.iter().filter(|own| own.side == side && own.sound && own.arm != Arm::Guns) {
        if own.enemy.is_finite() {
            // One that is far off is still of more use than one that is shaken and counts for nothing here.
            points += (NOT_FAR - own.enemy).clamp(-NOT_FAR, NOT_FAR) * slope;
        }
    }
    let plotted = battle.launch.as_ref().filter(|launch| battle.side(launch.unit) == side);
    // That a charge would strike somebody is nothing gained: it is worth what comes of it.
    let strikes = if judgement.is_present() { -PLOTTED } else { STRIKES };
    points + plotted.map_or(0.0, |launch| if battle.run(launch.unit).is_ok() { strikes } else { -PLOTTED })
}

fn stand(battle: &Battle, unit: UnitId) -> Stand {
    // A charge that is plotted has brought nobody anywhere yet.
    let state = battle.launch.as_ref().filter(|launch| launch.unit == unit).map_or(battle.unit(unit), |one| &one.was);
    Stand {
        unit,
        side: battle.side(unit),
        at: state.pose.at.v(),
        ahead: state.pose.heading.unit(),
        arm: battle.arm(unit),
        worth: material(battle, unit),
        sound: !state.shaken && battle.solid(unit),
        enemy: f64::INFINITY,
    }
}

/// How far everybody is from the enemy.
fn measure(stands: &mut [Stand]) {
    for n in 1..stands.len() {
        for other in 0..n {
            if stands[n].side != stands[other].side {
                let off = (stands[n].at - stands[other].at).length() / INCH;
                stands[n].enemy = stands[n].enemy.min(off);
                stands[other].enemy = stands[other].enemy.min(off);
            }
        }
    }
}

/// Figures and guns, by what they are good for.
pub(crate) fn material(battle: &Battle, unit: UnitId) -> f64 {
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let grade = match facts.grade {
        Grade::A => 1.5,
        Grade::B => 1.3,
        Grade::C => 1.15,
        Grade::D => 1.0,
        Grade::E => 0.85,
        Grade::F => 0.7,
    };
    let figures = f64::from(state.figures + state.out);
    let whole = match facts.kind {
        Kind::Foot { light, .. } => figures * if light { 4.4 } else { 4.0 },
        Kind::Horse { weight, .. } => {
            figures
                * match weight {
                    Weight::Light => 7.5,
                    Weight::Heavy => 8.5,
                    Weight::Cuirassier => 10.0,
                }
        }
        Kind::Guns { class, .. } => {
            let gun = match class {
                GunClass::Light => 10.0,
                GunClass::Field => 14.0,
                GunClass::Heavy => 18.0,
            };
            f64::from(state.guns) * gun + figures * 2.0
        }
    };
    // Half strength is worth less than half: the next test breaks it.
    let strength = figures / f64::from(facts.start.max(1));
    whole * grade * (0.55 + 0.45 * strength)
}

/// What a unit is worth whatever its order; off the table it counts as long as it may come back. A screen counts with the
/// battalion that it is out from.
pub(crate) fn points(battle: &Battle, unit: UnitId) -> i32 {
    let there = matches!(
        battle.unit(unit).place,
        Place::Table | Place::Away | Place::Pursuing | Place::Awaited | Place::Exited
    );
    if there && !battle.is_screen(unit) { material(battle, unit) as i32 } else { 0 }
}

/// Whether a unit does nothing this turn, so that it comes to itself again at the end (BB-STA-12).
fn rests(battle: &Battle, unit: UnitId, state: &Unit) -> bool {
    decides!(BB_STA_12);
    let now = &state.now;
    let stirs = now.moved || now.fired || now.fought || now.routed || now.evaded || now.pursued;
    !stirs && !battle.in_contact(unit) && !battle.shots.iter().any(|order| order.unit == unit)
}

/// What its order takes from a unit's worth.
fn order(battle: &Battle, unit: UnitId, state: &Unit, ahead: i8) -> f64 {
    let mut share = 1.0;
    let rests = (state.shaken || state.disordered) && rests(battle, unit, state);
    let resting = |recovers: bool| if rests && recovers { RESTING } else { 1.0 };
    if state.shaken {
        share -= 0.3 * resting(state.now.was_shaken);
    }
    if state.disordered {
        let recovers = state.now.was_disordered && battle.disordered_here(unit).is_none();
        share -= if ahead < 0 { DISORDER_BEHIND } else { DISORDER } * resting(recovers);
    }
    if state.away {
        share -= 0.4;
    }
    if state.now.lost || (state.now.hits >= 2 && !state.now.tested) {
        share -= 0.15;
    }
    if battle.facts(unit).grade == Grade::F {
        share -= 0.02;
    }
    share
}

fn of(
    battle: &Battle,
    side: Side,
    stands: &[Stand],
    goals: &[Goal],
    (ahead, late): (i8, f64),
    judgement: Judgement,
) -> f64 {
    let mut points = 0.0;
    for (state, facts) in battle.units.iter().zip(&battle.fixed.facts).filter(|(_, facts)| facts.side == side) {
        // Whoever may come back is worth something.
        if matches!(state.place, Place::Away | Place::Pursuing) {
            points += f64::from(state.figures) * if matches!(facts.kind, Kind::Horse { .. }) { 3.0 } else { 1.5 };
        }
    }
    // Whoever would win if the battle ended now need not come on.
    let drive = if ahead > 0 { HOLDING } else { ATTACKING };
    for own in stands.iter().filter(|own| own.side == side) {
        let state = battle.unit(own.unit);
        points += own.worth * order(battle, own.unit, state, ahead);
        points += position(battle, own, state, stands, goals, (drive, judgement));
    }
    points += command(battle, side, stands) + horse(battle, side, stands);
    points += objectives(battle, side, goals, stands) * late;
    points - wear(battle, side)
}

/// Where a unit stands: how near to where it is wanted, which way it faces, what it threatens, what threatens it.
fn position(
    battle: &Battle,
    own: &Stand,
    state: &Unit,
    stands: &[Stand],
    goals: &[Goal],
    (drive, judgement): (f64, Judgement),
) -> f64 {
    let mut nearest: Option<(f64, &Stand)> = None;
    let mut points = 0.0;
    for enemy in stands.iter().filter(|enemy| enemy.side != own.side) {
        let distance = (enemy.at - own.at).length();
        if nearest.is_none_or(|(held, _)| distance < held) {
            nearest = Some((distance, enemy));
        }
        if distance < 48.0 * INCH {
            points += under_threat(battle, own, state, (enemy, distance), judgement);
        }
    }
    let Some((distance, enemy)) = nearest else { return points };
    let toward = (enemy.at - own.at).unit();
    let inches = distance / INCH;
    // One that is shaken wants room, not the enemy.
    if state.shaken {
        return points - FAR * drive + inches.min(16.0) * 0.3;
    }
    // Whoever has to come on does not turn to everybody on his way.
    let heeded = if drive > HOLDING { 10.0 } else { 20.0 };
    points -= (1.0 - own.ahead.dot(toward)) * if inches < heeded { 6.0 } else { 2.0 };
    match own.arm {
        Arm::Guns => points + guns(battle, own, state, inches, stands),
        _ => {
            let to_go = still_to_go(battle, own, goals, way);
            points += (FAR - to_go) * drive;
            if to_go > MOVE && drive > HOLDING {
                points -= spent(battle, own.unit) * hurry(own) * MOVE * drive * SPENT;
                let in_haste = still_to_go(battle, own, goals, forced_march);
                points -= (in_haste / MOVE - moves_left(battle) + SLACK).max(0.0) * TOO_LATE;
            }
            if own.arm == Arm::Foot {
                points += musketry(battle, own.unit, state, inches, own.ahead.dot(toward));
            }
            if own.arm == Arm::Horse && state.advanced {
                points += 2.0;
            }
            points
        }
    }
}

/// Turns to come, this one included.
fn moves_left(battle: &Battle) -> f64 {
    f64::from(battle.fixed.scenario.body.turns) - f64::from(battle.turn) + 1.0
}

/// How far a unit is from where it is wanted: the nearest place to be taken, or else the far side of the table. Not the
/// distance to the enemy, which is as much his gain as ours.
fn still_to_go(battle: &Battle, own: &Stand, goals: &[Goal], way: impl Fn(&Battle, &Stand, Vec2, f64) -> f64) -> f64 {
    let off = |goal: &Goal| way(battle, own, goal.at, near_enough(goal));
    if let Some(nearest) = open(goals, own.side).map(off).reduce(f64::min) {
        return nearest;
    }
    let (back, _) = battle.homeward(own.unit, own.at);
    let table = &battle.fixed.table;
    let gone = (Vec2::new(table.width.f() / 2.0, table.depth.f() / 2.0) - own.at).dot(back.unit());
    let half = (table.width.f() * back.unit().x.abs() + table.depth.f() * back.unit().y.abs()) / 2.0;
    (half - gone) / INCH
}

/// Foot in reach of the enemy with its muskets to the front; deep columns bring few of them to bear.
fn musketry(battle: &Battle, unit: UnitId, state: &Unit, inches: f64, facing: f64) -> f64 {
    if inches > 9.0 || facing < 0.6 || state.formation == Formation::Square {
        return 0.0;
    }
    let front = f64::from(state.ranks(battle.facts(unit)).first);
    front * if inches <= 5.0 { 0.5 } else { 0.25 }
}

/// Guns want to be unlimbered, with somebody in reach and nobody upon them.
fn guns(battle: &Battle, own: &Stand, state: &Unit, inches: f64, stands: &[Stand]) -> f64 {
    let reach = match battle.facts(own.unit).kind {
        Kind::Guns { class: GunClass::Light, .. } => 24.0,
        Kind::Guns { class: GunClass::Heavy, .. } => 40.0,
        _ => 32.0,
    };
    let mut points = 0.0;
    if inches > reach {
        points -= (inches - reach) * 0.6;
        points += if state.limbered { 3.0 } else { 0.0 };
    } else if !state.limbered {
        // That somebody in their reach comes nearer still is no gain of theirs until they fire, or nobody would ever come near.
        let bears = stands.iter().filter(|enemy| enemy.side != own.side).any(|enemy| {
            let to = enemy.at - own.at;
            to.length2() <= (reach * INCH) * (reach * INCH) && own.ahead.dot(to.unit()) > 0.72
        });
        points += if bears && !state.now.moved { 10.0 } else { 4.0 };
    }
    if inches < 7.0 {
        points -= 12.0;
    }
    points
}

/// Generals, and those out of their reach.
fn command(battle: &Battle, side: Side, stands: &[Stand]) -> f64 {
    let mut points = 0.0;
    for general in battle.generals.iter().filter(|general| general.side == side && general.there()) {
        points += GENERAL + f64::from(general.charisma.unwrap_or(1)) * 10.0;
    }
    let radius = &battle.numbers().radius;
    for own in stands.iter().filter(|own| own.side == side) {
        let brigade = battle.facts(own.unit).brigade;
        let led = battle.generals.iter().filter(|general| general.side == side && general.there()).any(|general| {
            let reach = if general.with.is_some() { radius.attached } else { radius.alone }.0.f() + 3.0 * INCH;
            let may = general.cinc || general.brigade == Some(brigade);
            may && (general.with == Some(own.unit) || (general.at.v() - own.at).length() <= reach)
        });
        points -= if led { 0.0 } else { 6.0 };
    }
    points
}

/// Losses weigh more the nearer a side comes to being beaten.
fn wear(battle: &Battle, side: Side) -> f64 {
    let (lost, start) = battle.losses(side);
    let limit = f64::from(battle.fixed.scenario.body.victory.losses.unwrap_or(100)) / 100.0;
    let share = f64::from(lost) / (f64::from(start.max(1)) * limit.max(0.01));
    share * share * 300.0
}

/// How far a unit of this kind shoots.
pub(crate) fn reach(battle: &Battle, unit: UnitId) -> Length {
    let fires = battle.ammunition(unit).iter().filter_map(|shot| battle.fire_of(unit, *shot));
    fires.map(|fire| battle.numbers().shooting.reach(fire).0).max().unwrap_or(Length::ZERO)
}
