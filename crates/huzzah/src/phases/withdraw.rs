//! Retirements that an engagement or a failed command check forces on units (HZ-ENG-36 to HZ-ENG-38, HZ-ENG-49, HZ-CHK-22 to HZ-CHK-30).

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Heading, Length, OnTable, Placed, Point, Pose, Vec2, first_contact, nearer, overlapping};
use smallvec::SmallVec;

use super::fallback::shift_officers;
use super::room::{FURTHER, bears, clear_end, in_strong_point, just_beyond, just_clear, stands_free, steps};
use super::route::Route;
use super::{Play, advance, detour, harm, path};
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::{
    HZ_CHK_22, HZ_CHK_23, HZ_CHK_24, HZ_CHK_25, HZ_CHK_26, HZ_CHK_30, HZ_ENG_38, HZ_ENG_47, HZ_GEO_02, HZ_QUA_12,
    HZ_TER_16,
};
use crate::event::Event;
use crate::muster::can_form;
use crate::table::{Field, contact, shape, support, track};
use crate::terrain::{Crossing, Going};
use crate::troops::{Arm, Formation};

/// The formations in which a garrison may come out into the open (HZ-CHK-27, HZ-DEP-17).
pub(super) fn formations(battle: &Battle, unit: UnitId) -> impl Iterator<Item = Formation> + '_ {
    let facts = battle.facts(unit);
    let contingent = &battle.lay.contingents[usize::from(facts.contingent)];
    let open = move |formation| formation != Formation::OpenOrder || facts.abilities.skirmish;
    Formation::ALL.iter().copied().filter(move |&formation| can_form(facts, contingent, formation) && open(formation))
}

/// One whole move away, facing the enemy; through friends where it must (HZ-ENG-37, HZ-ENG-38).
pub(super) fn retire(play: &mut Play<'_>, unit: UnitId, way: Heading, formation: Option<Formation>, off: Clause) {
    decides!(HZ_ENG_38);
    let battle = play.battle();
    let state = battle.unit(unit);
    let centre = shape::centre_of(&battle.placed(unit));
    let formation = formation.unwrap_or(match state.formation {
        Formation::Garrison => Formation::Column,
        formation => formation,
    });
    let before = Before::of(battle, unit);
    let turns = state.pose.heading.reversed() != way && formation != Formation::Square;
    if turns || formation != state.formation {
        let heading = if turns { way.reversed() } else { state.pose.heading };
        let depth = battle.facts(unit).footprints[formation.index()].depth();
        take_up(play, unit, formation, shape::pose_about(centre, heading, depth));
    }
    let budget = play.battle().allowance(unit);
    let goal = Point::rounded(shape::centre_of(&play.battle().placed(unit))).along(way, budget);
    withdraw(play, unit, way, goal, off);
    before.unless_room(play, unit);
}

/// One full move because the command failed its check: directly away the first time, towards home after (HZ-CHK-22 to HZ-CHK-25).
pub(super) fn check_retire(play: &mut Play<'_>, unit: UnitId, formation: Option<Formation>) {
    decides!(HZ_CHK_22, HZ_CHK_23, HZ_CHK_24, HZ_CHK_25);
    let battle = play.battle();
    let field = Field::of(battle);
    let nearest = support::nearest_enemy(&field, unit);
    let again = battle.unit(unit).fell_back;
    let Some(placed) = field.get(unit) else { return };
    let enemy = nearest.and_then(|enemy| field.get(enemy)).map(Placed::centre);
    let facing = battle.unit(unit).pose.heading;
    let garrison = battle.unit(unit).formation == Formation::Garrison;
    let ahead = nearest.and_then(|enemy| field.get(enemy)).is_some_and(|there| {
        shape::corners(there).iter().any(|&corner| (corner - placed.pose().at.v()).dot(placed.forward()) > 0.0)
    });
    let away = match enemy {
        Some(_) if again => None,
        Some(_) if ahead && !garrison => Some(facing.reversed()),
        Some(there) => Some(Heading::toward(there, placed.centre())),
        None => None,
    };
    let centre = placed.centre();
    drop(field);
    play.happen(Event::FellBack { unit });
    match away {
        Some(way) if play.battle().facts(unit).arm == Arm::Artillery => drive_off(play, unit, way),
        Some(way) => retire(play, unit, way, formation, HZ_CHK_30),
        None => go_home(play, unit, enemy.map(|enemy| Heading::toward(centre, enemy)), formation),
    }
}

/// Guns limber where they are and drive off facing the way they go (HZ-CHK-24).
fn drive_off(play: &mut Play<'_>, unit: UnitId, way: Heading) {
    let battle = play.battle();
    let before = Before::of(battle, unit);
    let depth = battle.facts(unit).footprints[Formation::MarchColumn.index()].depth();
    let centre = shape::centre_of(&battle.placed(unit));
    take_up(play, unit, Formation::MarchColumn, shape::pose_about(centre, way, depth));
    let goal = Point::rounded(centre).along(way, play.battle().allowance(unit));
    withdraw(play, unit, way, goal, HZ_CHK_30);
    before.unless_room(play, unit);
}

/// A further retirement goes the shortest way towards the line of communication and ends facing the nearest enemy (HZ-CHK-23).
fn go_home(play: &mut Play<'_>, unit: UnitId, enemy: Option<Heading>, formation: Option<Formation>) {
    let battle = play.battle();
    let state = battle.unit(unit);
    let before = Before::of(battle, unit);
    let guns = battle.facts(unit).arm == Arm::Artillery;
    let formation = formation.unwrap_or(match state.formation {
        _ if guns => Formation::MarchColumn,
        Formation::Garrison => Formation::Column,
        formation => formation,
    });
    let home = battle.command_facts(battle.facts(unit).brigade).communication;
    let centre = shape::centre_of(&battle.placed(unit));
    let out = Heading::toward(centre, home.v());
    let heading = if guns { out } else { enemy.unwrap_or(out.reversed()) };
    let depth = battle.facts(unit).footprints[formation.index()].depth();
    take_up(play, unit, formation, shape::pose_about(centre, heading, depth));
    follow(play, unit, home, HZ_CHK_30, |route, from, to| route.way(from, to));
    if !guns && play.battle().is_present(unit) {
        face_enemy(play, unit);
    }
    before.unless_room(play, unit);
}

/// How a unit stood before it was to go.
struct Before {
    formation: Formation,
    pose: Pose,
    garrison: Option<(u16, u8)>,
}

impl Before {
    fn of(battle: &Battle, unit: UnitId) -> Self {
        let state = battle.unit(unit);
        let garrison = state.sector.map(|sector| (sector, state.sides));
        Self { formation: state.formation, pose: state.pose, garrison }
    }

    /// Where it has turned on the spot, could not go, and would now lie on a friend, it stays as it was: nobody ends on top of another
    /// (HZ-GEO-02). So does a garrison that could not leave its strong point, and a unit that would come to lie in one (HZ-STR-02).
    fn unless_room(self, play: &mut Play<'_>, unit: UnitId) {
        decides!(HZ_GEO_02);
        let crowded = {
            let field = Field::of(play.battle());
            let Some(placed) = field.get(unit) else { return };
            let battle = play.battle();
            let was_out = || !in_strong_point(battle, &battle.placed_as(unit, self.formation, self.pose));
            let shut_in = in_strong_point(battle, placed) && (self.garrison.is_some() || was_out());
            shut_in || field.all().any(|(id, other)| id != unit && overlapping(placed, other))
        };
        if !crowded {
            return;
        }
        match self.garrison {
            Some((sector, sides)) => play.happen(Event::Garrisons { unit, sector, sides }),
            None => take_up(play, unit, self.formation, self.pose),
        }
    }
}

/// A unit turns on its centre to face the nearest enemy, where there is room to.
fn face_enemy(play: &mut Play<'_>, unit: UnitId) {
    let pose = {
        let battle = play.battle();
        let field = Field::of(battle);
        let enemy = support::nearest_enemy(&field, unit).and_then(|enemy| field.get(enemy));
        let (Some(placed), Some(there)) = (field.get(unit), enemy) else { return };
        let heading = Heading::toward(placed.centre(), there.centre());
        let formation = battle.unit(unit).formation;
        let pose =
            shape::pose_about(placed.centre(), heading, battle.facts(unit).footprints[formation.index()].depth());
        let turned = battle.placed_as(unit, formation, pose);
        let fits = stands_free(&field, unit, &turned) && battle.lay.table.on_table(&turned) == OnTable::Wholly;
        if !fits || pose == battle.unit(unit).pose {
            return;
        }
        pose
    };
    play.happen(Event::Moved { unit, pose, done: 0 });
}

/// A unit changes formation or facing on its centre, before it goes.
fn take_up(play: &mut Play<'_>, unit: UnitId, formation: Formation, pose: Pose) {
    let state = play.battle().unit(unit);
    if state.formation != formation {
        play.happen(Event::Formed { unit, formation, pose });
    } else if state.pose != pose {
        play.happen(Event::Moved { unit, pose, done: 0 });
    }
}

/// Straight away without turning, prolonged until it is clear of friends, with all that follows; round ground that bars the way
/// (HZ-TER-16). Where there is no room at all it stays, to be parted from the enemy when all is fought (HZ-ENG-49).
fn withdraw(play: &mut Play<'_>, unit: UnitId, way: Heading, goal: Point, off: Clause) {
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let start = battle.placed(unit);
    decides!(HZ_TER_16);
    let straight = track::retreat(&Field::of(battle), unit, way, battle.allowance(unit));
    // March columns and limbered guns, who face the way they go, use bridges and fords.
    if battle.unit(unit).formation == Formation::MarchColumn && is_barred(battle, unit, &start, way.unit(), straight) {
        let goal = detour::goal(battle, unit, &start, way).unwrap_or(goal);
        // Where there is no way round they stop at the ground, and do not make for a place beside it.
        if follow(play, unit, goal, off, |route, from, to| route.whole_way(from, to)) {
            return;
        }
    }
    let battle = play.battle();
    let mut legs = detour::legs(battle, unit, from, way);
    let (last, distance) = legs.pop().unwrap_or((way, straight));
    let bend = legs.iter().fold(from, |pose, &(way, distance)| pose.moved(way, distance));
    let round = clear_end(battle, unit, &battle.placed_at(unit, bend), last.unit(), distance);
    let (passed, from, way, end) = match round {
        Some(end) => (detour::passed(battle, unit, &start, &legs), bend, last, end),
        None => {
            let Some(end) = clear_end(battle, unit, &start, way.unit(), straight) else { return };
            (SmallVec::new(), from, way, end)
        }
    };
    let pose = from.moved(way, end);
    let start = battle.placed_at(unit, from);
    if pose != battle.unit(unit).pose {
        play.happen(Event::Moved { unit, pose, done: 0 });
    }
    let touched = advance::friends_touched(play.battle(), unit, &start, way.unit(), end, true);
    let mut met = passed;
    met.retain(|friend| !touched.contains(friend));
    met.extend(touched);
    advance::stagger_friends_by(play, unit, &met, through_friends(off));
    after(play, unit, off);
}

/// The clause by which friends are disordered who are in the way of a retirement that would be told by this one off the table.
fn through_friends(off: Clause) -> Clause {
    decides!(HZ_CHK_26);
    if off == HZ_CHK_30 { HZ_CHK_26 } else { HZ_ENG_38 }
}

/// What follows from where a retirement ends.
fn after(play: &mut Play<'_>, unit: UnitId, off: Clause) {
    if !play.battle().is_present(unit) {
        return;
    }
    shift_officers(play, unit);
    decides!(HZ_ENG_47, HZ_CHK_30, HZ_QUA_12);
    if play.battle().lay.table.on_table(&play.battle().placed(unit)) != OnTable::Wholly {
        harm::break_unit(play, unit, Presence::RetiredOff, off);
    }
}

/// Whether ground that the unit cannot enter ends its move right here.
fn is_barred(battle: &Battle, unit: UnitId, start: &Placed, along: Vec2, distance: Length) -> bool {
    if battle.lay.terrain.is_empty() || distance >= battle.allowance(unit) {
        return false;
    }
    let troop = battle.troop(unit);
    let reach = distance.f() + battle.lay.sizes.touch.f();
    battle.lay.ground.all().any(|lie| {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        let barred = matches!(kind.going(&troop), Going::Barred(_))
            || matches!(kind.crossing(&troop), Some(Crossing::Barred(_)));
        barred
            && !overlapping(start, &lie)
            && first_contact(start, along, reach, &lie).is_some_and(|at| at >= distance.f() - 1_000.0)
    })
}

/// How a way to a goal is found.
type Finds = fn(&Route<'_>, Point, Point) -> Option<Vec<Point>>;

/// A move along the shortest way to a goal, round ground it cannot cross, keeping its facing; it halts just short of any enemy. Whether
/// there is such a way.
fn follow(play: &mut Play<'_>, unit: UnitId, goal: Point, off: Clause, find: Finds) -> bool {
    let (points, pose) = {
        let battle = play.battle();
        let field = Field::of(battle);
        let Some(placed) = field.get(unit) else { return false };
        let formation = battle.unit(unit).formation;
        let footprint = &battle.facts(unit).footprints[formation.index()];
        let from = Point::rounded(placed.centre());
        let plain = path::obstacles(&field, unit, formation);
        let bridges = matches!(formation, Formation::Mob | Formation::MarchColumn);
        // A unit that keeps its facing needs room on every side (HZ-TER-16).
        let (facing, room) = match battle.facts(unit).arm {
            Arm::Artillery => (None, path::room(footprint)),
            _ => (Some(placed.pose().heading), detour::room(placed)),
        };
        let route = Route { battle, room, obstacles: &plain, bridges, least: Length::ZERO };
        decides!(HZ_TER_16);
        let Some(way) = find(&route, from, goal) else { return false };
        let walked = path::walk(battle, unit, formation, &way, facing);
        let points = short_of_enemies(&field, unit, walked, facing);
        let Some(pose) = free_end(&field, unit, &points, facing) else { return false };
        (points, pose)
    };
    play.happen(Event::Moved { unit, pose, done: 0 });
    let touched = {
        let battle = play.battle();
        let field = Field::of(battle);
        let footprint = &battle.facts(unit).footprints[battle.unit(unit).formation.index()];
        let touch = battle.lay.sizes.touch.f();
        let mut touched: SmallVec<[UnitId; 4]> = SmallVec::new();
        let facing = (battle.facts(unit).arm != Arm::Artillery).then_some(pose.heading);
        for friend in path::friends_met(&field, unit, footprint, &points, facing) {
            let there = field.get(friend).zip(field.get(unit));
            let still = there.is_some_and(|(there, here)| nearer(here, there, touch));
            if still || !advance::is_passage(battle, unit, friend) {
                touched.push(friend);
            }
        }
        touched
    };
    advance::stagger_friends_by(play, unit, &touched, through_friends(off));
    after(play, unit, off);
    true
}

/// The part of a path on which a unit keeps just clear of every enemy.
fn short_of_enemies(field: &Field<'_>, unit: UnitId, points: Vec<Point>, facing: Option<Heading>) -> Vec<Point> {
    let battle = field.battle;
    let footprint = &battle.facts(unit).footprints[battle.unit(unit).formation.index()];
    let clear = battle.lay.sizes.clear.f();
    let mut gone = 0.0;
    for (way, length, mover) in path::legs(footprint, &points, facing) {
        let touch = battle.lay.sizes.touch.f();
        let met = field.enemies(unit).filter(|(_, enemy)| !nearer(&mover, *enemy, touch));
        let met = met.filter_map(|(_, enemy)| contact::first_touch(&mover, way, length + clear, enemy, touch));
        let met = met.fold(f64::INFINITY, f64::min);
        if met.is_finite() {
            return path::cut(&points, Length::floored((gone + met - clear).max(0.0)));
        }
        gone += length;
    }
    points
}

/// Where a unit stands at the end of a path: on until clear beyond a friend, or else back along it.
fn free_end(field: &Field<'_>, unit: UnitId, points: &[Point], facing: Option<Heading>) -> Option<Pose> {
    let battle = field.battle;
    let footprint = &battle.facts(unit).footprints[battle.unit(unit).formation.index()];
    let (way, length, mover) = path::legs(footprint, points, facing).last()?;
    let wanted = track::moved(&mover, way, Length::rounded(length));
    let bears = |there: &Placed| bears(battle, unit, there);
    let free = |by: Length| {
        let there = track::moved(&wanted, way, by);
        stands_free(field, unit, &there).then(|| there.pose())
    };
    let on = just_beyond(field, unit, &wanted, way, FURTHER, bears);
    let back = || just_beyond(field, unit, &wanted, way * -1.0, Length::floored(length), |_| true);
    let nearer = || steps(Length::floored(length)).find_map(|by| free(Length::ZERO - by));
    on.and_then(&free).or_else(|| back().and_then(|by| free(Length::ZERO - by))).or_else(nearer)
}

/// Opposing units that are still in contact when all is fought are parted: the attacker is put just clear (HZ-ENG-49).
pub(super) fn part(play: &mut Play<'_>) {
    let side = play.battle().phasing;
    let attackers: Vec<UnitId> = play.battle().present(side).collect();
    for unit in attackers {
        let found = {
            let battle = play.battle();
            let field = Field::of(battle);
            let Some(placed) = field.get(unit) else { continue };
            let touching = contact::engaged_with(&field, unit).filter_map(|enemy| field.get(enemy));
            let away = touching.fold(Vec2::new(0.0, 0.0), |sum, there| {
                sum + contact::away_from(placed, there, battle.lay.sizes.touch.f())
            });
            if away.length() < 1e-6 {
                continue;
            }
            let along = away.unit();
            just_clear(battle, unit, placed, along).map(|by| track::moved(placed, along, by).pose())
        };
        if let Some(pose) = found {
            play.happen(Event::Moved { unit, pose, done: 0 });
            shift_officers(play, unit);
        }
    }
}
