//! How a battle stands, for computer players: in points of which a trained battalion is worth about a hundred.
//!
//! Everything is a glance, not a measurement: zones are taken as plain rectangles, contact as a zone of no depth. A look at a
//! battle of thirty units costs some microseconds.

mod goals;
mod integrity;
pub(crate) mod parts;
mod sense;
pub(crate) mod stances;

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::ruleset::Judgement;
use sabretache_table::{Face, Outline, Placed, Vec2};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::phases::orders;
use crate::state::{Phase, Stage};
use crate::table::zones;
use crate::troops::{Arm, Formation, Order};

/// Micrometres in a centimetre.
const CM: f64 = 10_000.0;

/// One stagger: it wears off.
const STAGGER: i32 = 7;
/// One kill: it does not.
const KILL: i32 = 9;
/// A unit that runs.
const ROUTING: i32 = 45;
/// Blown horses.
const BLOWN: i32 = 12;
/// An order it did not want.
const FORCED: i32 = 8;
/// A mob, or guns that are not unlimbered with the enemy at hand; and a march column then.
const UNREADY: i32 = 16;
const MARCHING: i32 = 30;
/// Each centimetre out of reach of its officer.
const ALONE: f64 = 0.25;
/// An enemy in the zone of one of ours, straight ahead of him; guns count more, a flank twice.
const THREAT: i32 = 14;
/// One point of steadiness more than the enemy one is in contact with.
const EDGE: i32 = 9;
/// Contact sought in one's own phase.
const PRESS: i32 = 24;
/// Contact in flank or rear.
const FLANKED: i32 = 30;
/// How little a unit has left before it breaks when it is worn.
const WORN: i32 = 3;
/// Each unit that an officer cannot order because he is with another, and what it is worth that he is with one that wavers.
const TIED: i32 = 6;
const STEADIED: i32 = 8;
/// An officer lost.
const OFFICER: i32 = 30;
/// What each centimetre nearer to the enemy is worth, and how many of them an order brings.
const SLOPE: f64 = 0.7;
const STRIDE: f64 = 15.0;
/// What of that a unit is credited with that can still be ordered in this phase, and one that waits to act on the order in hand.
const ORDERABLE: f64 = 0.25;
const WAITING: f64 = 0.7;
/// How much steadier than the enemy a unit must be to seek contact.
const STEADIER: i32 = 2;
/// How near he is, in centimetres, when it counts whether a unit faces him, and for how many centimetres it counts that it looks past him.
const FACING: f64 = 50.0;
const AWAY: f64 = 10.0;
/// A battery with something before its guns.
const UNDER_FIRE: i32 = 3;

pub(crate) fn worth(battle: &Battle, side: Side, judgement: Judgement) -> i32 {
    let units: Vec<Seen> = battle.unit_ids().filter_map(|id| Seen::of(battle, id)).collect();
    let (own, urge) = of(battle, side, &units, Drive::of(battle, side, judgement));
    let (theirs, _) = of(battle, side.other(), &units, Drive::of(battle, side.other(), judgement));
    let stands = own - theirs + goals::ahead(battle, side) + urge as i32;
    match judgement {
        Judgement::First => stands,
        Judgement::Present => {
            let sense = sense::of(battle, side, &units) - sense::of(battle, side.other(), &units);
            stands + sense + sense::urge(battle, side) as i32
        }
    }
}

/// How hard a side comes on.
#[derive(Clone, Copy)]
struct Drive {
    /// What each centimetre nearer to the enemy is worth.
    slope: f64,
    /// How much steadier than the enemy a unit must be to seek contact.
    steadier: i32,
    /// What of its way a unit is credited with that can still be ordered in this phase.
    orderable: f64,
    /// From how far off, in centimetres beyond where they are best, guns in action are drawn nearer to the enemy.
    guns_from: f64,
    /// Units that have further than this to go, in centimetres, come on whether or not their side is content.
    support: f64,
    /// How much of the way that a unit has the further to go because it is now the steadier is no loss: or to weaken an enemy would look like one.
    eager: f64,
    /// What a unit that hangs back because it is worn counts as having still to go, in centimetres.
    spent: f64,
    /// What it is worth to have an enemy in the zone of guns: for more than a shot does, nobody would drive him out of it.
    guns_threaten: i32,
}

impl Drive {
    fn of(battle: &Battle, side: Side, judgement: Judgement) -> Self {
        match judgement {
            Judgement::First => {
                let (guns_from, support, guns_threaten) = (0.0, f64::INFINITY, 2 * THREAT);
                let (slope, steadier, orderable) = (SLOPE, STEADIER, ORDERABLE);
                Self { slope, steadier, orderable, guns_from, support, eager: 0.0, spent: 0.0, guns_threaten }
            }
            Judgement::Present => sense::drive(battle, side),
        }
    }
}

/// A unit on the table, as far as a glance goes.
struct Seen<'a> {
    id: UnitId,
    side: Side,
    arm: Arm,
    formation: Formation,
    placed: &'a Placed,
    middle: Vec2,
    /// No corner is further from the middle.
    radius: f64,
    /// How well it would stand in a fight.
    steadiness: i32,
    /// It has taken so much that it hangs back, whatever its formation.
    worn: bool,
    /// How deep its zone is.
    zone: f64,
    routing: bool,
}

impl<'a> Seen<'a> {
    fn of(battle: &'a Battle, id: UnitId) -> Option<Self> {
        let placed = battle.laid.get(id)?;
        let (unit, facts) = (battle.unit(id), battle.facts(id));
        let zone = if !zones::has_zone(battle, id) {
            0.0
        } else if unit.formation == Formation::Garrison {
            battle.lay.length(battle.numbers().garrison_zone).f()
        } else {
            battle.lay.length(battle.numbers().zones.depth(facts.arm, unit.formation, facts.guns)).f()
        };
        let order = match (facts.arm, unit.formation) {
            (Arm::Artillery, _) => -3,
            (_, Formation::MarchColumn | Formation::Mob) => -3,
            (Arm::Infantry, Formation::OpenOrder) => -2,
            (_, Formation::Garrison) => 2,
            _ => 0,
        };
        let limit = battle.condition(id).limit(battle.numbers());
        let left = limit - i32::from(unit.staggers) - i32::from(unit.kills) / 2;
        Some(Self {
            id,
            side: facts.side,
            arm: facts.arm,
            formation: unit.formation,
            placed,
            middle: placed.centre(),
            radius: (placed.bounds().max - placed.bounds().min).length() / 2.0,
            steadiness: left + order,
            worn: left <= WORN,
            zone,
            routing: unit.routing,
        })
    }

    /// How far before one of its fronts another lies, if it lies before one at all.
    fn ahead(&self, other: &Seen<'_>) -> Option<f64> {
        let faces: &[Face] = match self.formation {
            Formation::Square | Formation::Garrison => &Face::ALL,
            _ => &[Face::Front],
        };
        faces.iter().filter_map(|&face| before(self.placed, face, other.placed)).min_by(f64::total_cmp)
    }

    /// How it would do against another beyond what the quality tells: horse and foot.
    fn against(&self, other: &Seen<'_>) -> i32 {
        match (self.arm, other.arm, other.formation) {
            (Arm::Cavalry, Arm::Infantry, Formation::Square) => -5,
            (Arm::Cavalry, Arm::Infantry, Formation::Garrison) => -6,
            (Arm::Cavalry, Arm::Infantry, Formation::OpenOrder) => 4,
            (Arm::Cavalry, Arm::Infantry, _) => 1,
            (Arm::Infantry, Arm::Cavalry, _) if self.formation != Formation::Square => -1,
            _ => 0,
        }
    }
}

/// How far before a face a footprint lies; nothing where it lies beside or behind it.
fn before(placed: &Placed, face: Face, other: &Placed) -> Option<f64> {
    let edge = placed.face(face);
    let (out, along) = (placed.outward(face), (edge.b - edge.a).unit());
    let (mut near, mut far, mut left, mut right) = (f64::MAX, f64::MIN, f64::MAX, f64::MIN);
    for corner in other.whole().as_part().corners {
        let from = *corner - edge.a;
        let (x, y) = (from.dot(along), from.dot(out));
        (near, far) = (near.min(y), far.max(y));
        (left, right) = (left.min(x), right.max(x));
    }
    (far > 0.0 && right > 0.0 && left < edge.length()).then_some(near.max(0.0))
}

/// How one side stands, and what urges it on: that is weighed for its own decisions only, since every step towards the enemy brings him nearer too.
fn of(battle: &Battle, side: Side, units: &[Seen<'_>], drive: Drive) -> (i32, f64) {
    let mut points = 0;
    for id in battle.unit_ids().filter(|&id| battle.facts(id).side == side) {
        points += material(battle, id);
    }
    // How much each unit could still gain by coming on.
    let mut wants: SmallVec<[(UnitId, f64); 32]> = SmallVec::new();
    let mut urge = 0.0;
    for unit in units.iter().filter(|unit| unit.side == side) {
        let (here, mut short, eager) = place(battle, unit, units, drive);
        if unit.arm == Arm::Artillery && unit.formation == Formation::Line && short < drive.guns_from {
            short = 0.0;
        }
        points += here;
        // Who is content still brings up those who are too far off to help.
        let far = (short - drive.support).max(0.0);
        urge += if unit.worn {
            (short.min(60.0) / 2.0 - drive.spent) * SLOPE
        } else {
            -(short - far) * drive.slope - far * SLOPE + eager * drive.slope * drive.eager
        };
        let slope = if far > 0.0 { SLOPE } else { drive.slope };
        wants.push((unit.id, if unit.worn { 0.0 } else { short.min(STRIDE) * slope }));
    }
    for id in battle.officer_ids().filter(|&id| battle.officer_facts(id).side == side) {
        if matches!(battle.officer(id).status, OfficerStatus::Present | OfficerStatus::Awaited) {
            points += OFFICER - tied(battle, id);
        }
    }
    points -= integrity::checks_to_come(battle, side) as i32;
    (points + goals::objectives(battle, side, units) as i32, urge + tempo(battle, side, &wants, drive.orderable))
}

/// What it costs that an officer is with a unit: he orders nobody else of his command. With those who waver he is well placed.
fn tied(battle: &Battle, id: OfficerId) -> i32 {
    let Some(with) = battle.officer(id).with else { return 0 };
    let led = |unit: &UnitId| *unit != with && battle.is_present(*unit) && !battle.unit(*unit).routing;
    let others = battle.units_of(battle.acts_for(id)).filter(led).count().min(4) as i32;
    let wavers = battle.unit(with).routing || battle.unit(with).staggers > 2;
    TIED * others - if wavers { STEADIED } else { 0 }
}

/// What a unit is worth by what is left of it.
fn material(battle: &Battle, id: UnitId) -> i32 {
    let (unit, facts) = (battle.unit(id), battle.facts(id));
    let limit = battle.condition(id).limit(battle.numbers());
    let whole = whole(battle, id, facts.arm);
    match unit.presence {
        Presence::Awaited => return whole - UNREADY,
        Presence::Skirmishing => return whole / 2,
        Presence::Present => {}
        _ => return 0,
    }
    let mut points = whole - STAGGER * i32::from(unit.staggers) - KILL * i32::from(unit.kills);
    // The nearer to its limit, the more the next blow costs.
    let left = limit - i32::from(unit.staggers) - i32::from(unit.kills);
    points -= match left {
        ..=1 => 20,
        2 => 12,
        3 => 6,
        _ => 0,
    };
    points -= if unit.routing { ROUTING } else { 0 };
    points -= if unit.blown { BLOWN } else { 0 };
    points -= if unit.forced.is_some() { FORCED } else { 0 };
    points -= if unit.formation == Formation::Mob { UNREADY } else { 0 };
    points.max(10)
}

/// What a unit is worth whatever its order and place: its quality and its guns, less the kills it has taken.
pub(crate) fn points(battle: &Battle, id: UnitId) -> i32 {
    let (unit, facts) = (battle.unit(id), battle.facts(id));
    if matches!(unit.presence, Presence::Present | Presence::Skirmishing) {
        (whole(battle, id, facts.arm) - KILL * i32::from(unit.kills)).max(10)
    } else {
        0
    }
}

/// What a fresh unit is worth.
fn whole(battle: &Battle, id: UnitId, arm: Arm) -> i32 {
    20 + 10 * battle.condition(id).limit(battle.numbers()) + if arm == Arm::Artillery { 20 } else { 0 }
}

/// What a unit's place is worth: whom it threatens, whom it fights; and how far it still has to go.
fn place(battle: &Battle, unit: &Seen<'_>, units: &[Seen<'_>], drive: Drive) -> (i32, f64, f64) {
    let mut points = 0;
    let mut nearest: Option<(f64, &Seen<'_>)> = None;
    let mut horse_near = false;
    // An enemy further before it than this is neither fought nor threatened.
    let reach =
        (if unit.arm == Arm::Artillery { 3.0 * unit.zone } else { unit.zone }).max(0.5 * CM) + 2.0 * unit.radius;
    for enemy in units.iter().filter(|enemy| enemy.side != unit.side) {
        let from = enemy.middle - unit.middle;
        let off2 = from.dot(from);
        if !enemy.routing {
            nearest = Some(nearest.filter(|(held, _)| *held <= off2).unwrap_or((off2, enemy)));
        }
        horse_near |= enemy.arm == Arm::Cavalry && off2 < (45.0 * CM) * (45.0 * CM);
        let far = (reach + 4.0 * enemy.radius).min(130.0 * CM);
        if unit.routing || off2 > far * far {
            continue;
        }
        let Some(ahead) = unit.ahead(enemy) else { continue };
        let facing = unit.placed.forward().dot(enemy.placed.forward());
        // A march column has no front to speak of.
        let from_side = match enemy.formation {
            Formation::Square | Formation::Garrison => false,
            Formation::MarchColumn | Formation::Mob => true,
            _ => facing > -0.6,
        };
        if ahead < 0.5 * CM && unit.arm != Arm::Artillery {
            points += (EDGE * (unit.steadiness + unit.against(enemy) - enemy.steadiness)).clamp(-60, 60);
            points += if from_side { FLANKED } else { 0 };
            // A unit that charges has chosen the moment; without this two equal lines would look at each other till nightfall.
            points += if unit.side == battle.phasing { PRESS } else { 0 };
        } else if ahead <= unit.zone && (unit.arm != Arm::Cavalry || unit.against(enemy) > -3) {
            let weight = if unit.arm == Arm::Artillery { drive.guns_threaten } else { THREAT };
            let edge = (unit.steadiness + unit.against(enemy) - enemy.steadiness).clamp(-4, 4);
            points += if from_side { 2 * weight } else { weight } + edge;
        } else if unit.arm == Arm::Artillery && unit.zone > 0.0 && ahead <= 3.0 * unit.zone {
            points += UNDER_FIRE;
        }
    }
    if unit.routing {
        return (points, 0.0, 0.0);
    }
    let nearest = nearest.map(|(off2, enemy)| (libm::sqrt(off2), enemy));
    points += readiness(unit, nearest, horse_near);
    points += cohesion(battle, unit);
    let short = nearest.map_or(0.0, |(off, enemy)| {
        (off / CM - wanted(unit, enemy, drive.steadier)).max(0.0) + turned_away(unit, off, enemy)
    });
    let eager = nearest.map_or(0.0, |(_, enemy)| patient(unit) - wanted(unit, enemy, drive.steadier));
    (points, short, eager)
}

/// What it costs, in centimetres of the way to the enemy, that a unit does not face him: a wheel brings it as much nearer.
fn turned_away(unit: &Seen<'_>, off: f64, enemy: &Seen<'_>) -> f64 {
    if matches!(unit.formation, Formation::Square | Formation::Garrison) || off > FACING * CM {
        return 0.0;
    }
    let way = (enemy.middle - unit.middle).unit();
    AWAY * (1.0 - unit.placed.forward().dot(way)).min(1.0)
}

/// How near to the enemy a unit is best: guns within their longer ranges, the steadier close to him, everybody else where he can charge.
fn wanted(unit: &Seen<'_>, enemy: &Seen<'_>, steadier: i32) -> f64 {
    match unit.arm {
        Arm::Artillery => patient(unit),
        _ if unit.steadiness + unit.against(enemy) >= enemy.steadiness + steadier => 4.0,
        _ => patient(unit),
    }
}

/// The same for one that does not seek contact.
fn patient(unit: &Seen<'_>) -> f64 {
    match unit.arm {
        Arm::Artillery => 50.0,
        Arm::Cavalry => 30.0,
        Arm::Infantry => 18.0,
    }
}

/// In the right formation for what is near.
fn readiness(unit: &Seen<'_>, nearest: Option<(f64, &Seen<'_>)>, horse_near: bool) -> i32 {
    let Some((nearest, _)) = nearest else { return 0 };
    let off = nearest / CM;
    -match (unit.arm, unit.formation) {
        (_, Formation::MarchColumn) if off < 60.0 => MARCHING,
        (Arm::Artillery, Formation::Line) => 0,
        (Arm::Artillery, _) if off < 70.0 => UNREADY,
        (Arm::Infantry, Formation::Square) if !horse_near => 10,
        (Arm::Infantry, Formation::Line | Formation::Column) if horse_near && off < 25.0 => 4,
        _ => 0,
    }
}

/// Within reach of its officer.
fn cohesion(battle: &Battle, unit: &Seen<'_>) -> i32 {
    let brigade = battle.facts(unit.id).brigade;
    match battle.leader(brigade) {
        Some(officer) => {
            let off = (battle.officer_at(officer).v() - unit.middle).length();
            -(((off - battle.radius(officer).f()) / CM).clamp(0.0, 40.0) * ALONE) as i32
        }
        None => -10,
    }
}

/// What the orders phase still holds for its side: units that wait to act on the order in hand, and commands that can still be ordered. Without it an
/// order to one unit would look as good as one to a brigade, and a failure would cost nothing.
fn tempo(battle: &Battle, side: Side, wants: &[(UnitId, f64)], orderable: f64) -> f64 {
    let giving = matches!(
        battle.stage,
        Stage::Order | Stage::Act | Stage::Interrupt | Stage::GoOn | Stage::Swing | Stage::Window | Stage::Refuge
    );
    // Officers may flee in other phases as well.
    let elsewhere = battle.doing.phase.is_some_and(|phase| phase != Phase::Orders);
    if battle.phasing != side || !giving || elsewhere || battle.doing.ending {
        return 0.0;
    }
    let ordered = battle.doing.acting.map(|acting| (acting, orders::units_ordered(battle, acting.officer, acting.to)));
    let mut points = 0.0;
    for &(unit, want) in wants {
        let command = battle.command(battle.facts(unit).brigade);
        if !command.silenced && !command.closed {
            points += want * orderable;
        }
        if let Some((acting, ordered)) = &ordered
            && battle.unit(unit).acted != battle.doing.orders
            && ordered.contains(&unit)
        {
            points += if acting.order == Order::Advance { want * WAITING } else { 0.5 };
        }
    }
    points
}
