//! Actions resulting from combat.

use crate::phases::fleeing;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Heading, Length, Outline, Pose, first_contact, nearest_places};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_RES_09, MB_RES_10, MB_RES_11, MB_RES_13, MB_RES_14, MB_RES_15, MB_RES_25, MB_RES_29};
use crate::event::{Event, FastMove, Fight};
use crate::phases::advance::{capture_on_way, pay_for_way};
use crate::phases::closing::End;
use crate::phases::fleeing::fall_back;
use crate::phases::harm::{Play, harm};
use crate::phases::movement::throw_dice;
use crate::phases::pursuit::pursue;
use crate::phases::splitting::leave_behind;
use crate::situations::{Action, Cause, MoveDice, Pace, Row, actions_after};
use crate::table::lay::{Figure, HAIR, near};
use crate::table::nearing::first_within;
use crate::table::path::Going;

/// Who acts next in a combat: the loser first; equal, the player going second (MB-RES-09).
pub(crate) fn next(battle: &Battle, fight: &Fight) -> Option<UnitId> {
    decides!(MB_RES_09);
    let differences = fight.differences(battle)?;
    let first = match differences[0].cmp(&differences[1]) {
        std::cmp::Ordering::Less => Side::A,
        std::cmp::Ordering::Greater => Side::B,
        std::cmp::Ordering::Equal => battle.second(),
    };
    [first, first.other()].into_iter().find_map(|side| {
        let waits = |unit: &UnitId| !fight.acted.contains(unit) && battle.brigade(*unit).is_unit();
        fight.of(side).iter().map(|one| one.unit).find(waits)
    })
}

/// What a brigade may do after its combat.
pub(crate) fn actions(battle: &Battle, fight: &Fight, unit: UnitId) -> Vec<Action> {
    let side = battle.brigade(unit).side;
    let Some(differences) = fight.differences(battle) else { return Vec::new() };
    let Some(one) = fight.of(side).iter().find(|one| one.unit == unit) else { return Vec::new() };
    let combat = fight.combat(battle);
    let enemy = if side == Side::A { &combat.theirs } else { &combat.ours };
    let foes = fight.of(side.other());
    // A brigade that was blocked in place has given nothing up (MB-RES-10, MB-RES-13).
    decides!(MB_RES_10);
    let gave_way = gave_way_to(battle, fight, side);
    let left = foes.iter().all(|foe| fight.gave_way.contains(&foe.unit) || !battle.brigade(foe.unit).is_unit());
    let of_theirs =
        |enemy: UnitId| foes.iter().any(|foe| battle.brigade(foe.unit).entry == battle.brigade(enemy).entry);
    let stays = |enemy: UnitId| of_theirs(enemy) && !fight.gave_way.contains(&enemy) && battle.meets(unit, enemy);
    let held = battle.close_enemies(unit).any(stays);
    let numbers = &battle.fixed.numbers;
    let difference = differences[side.index()];
    let mut actions =
        actions_after(Row::of(difference, numbers), difference, &one.fighter, enemy, gave_way, left, numbers);
    decides!(MB_RES_13);
    actions.retain(|action| *action != Action::TakePosition || !held);
    if actions == [Action::RideThrough] && !room_to_ride(battle, fight, unit) {
        actions = vec![Action::Remain, Action::Retire];
    }
    if actions == [Action::Pursue] && fleeing::gave_way_before(battle, fight, unit).is_empty() {
        actions = vec![Action::Remain];
    }
    actions
}

/// Whether an opponent of a side, or a part of one, has retired or routed from a combat.
fn gave_way_to(battle: &Battle, fight: &Fight, side: Side) -> bool {
    let went = |foe: &UnitId| battle.brigade(*foe).side != side && battle.brigade(*foe).is_brigade();
    fight.gave_way.iter().any(went)
}

/// Whether there is room to ride through (MB-RES-15).
fn room_to_ride(battle: &Battle, fight: &Fight, unit: UnitId) -> bool {
    let brigade = battle.brigade(unit);
    let side = brigade.side;
    decides!(MB_RES_15);
    let through = ridden_through(battle, fight, side);
    let deep = through.iter().any(|foe| battle.brigade(*foe).rows() > 1 && !battle.brigade(*foe).is_unformed());
    let clear = clear_distance(battle, unit, &through);
    let there = Figure::of(brigade, brigade.pose.ahead(clear));
    let two = battle.fixed.numbers.ride_through_halt.length();
    let crowded = battle.enemies(side).any(|enemy| {
        let fresh = !through.contains(&enemy) && battle.brigade(enemy).is_brigade();
        fresh && near(&there, battle.figure(enemy), two) && lies_ahead(&there, brigade.pose, battle.figure(enemy))
    });
    !deep && !crowded && battle.stands(unit, &there)
}

/// Whether what is near a body lies to its front, and not beside it or behind.
fn lies_ahead(here: &Figure, pose: Pose, there: &impl Outline) -> bool {
    let (own, theirs) = nearest_places(here, there);
    (theirs - own).dot(pose.heading.unit()) > HAIR.f()
}

/// Those of a combat whom a side would ride through: the guns that their crews have left too.
fn ridden_through(battle: &Battle, fight: &Fight, side: Side) -> Vec<UnitId> {
    let brigades = fight.of(side.other()).iter().map(|one| one.unit).filter(|foe| battle.brigade(*foe).is_unit());
    brigades.chain(fight.guns.iter().copied().filter(|gun| battle.brigade(*gun).side != side)).collect()
}

/// How far ahead a brigade must go to be a quarter of an inch behind those it rides through.
fn clear_distance(battle: &Battle, unit: UnitId, through: &[UnitId]) -> Length {
    let brigade = battle.brigade(unit);
    let forward = brigade.pose.heading.unit();
    let own = battle.figure(unit).bases.iter().flat_map(|base| base.as_part().corners.to_vec());
    let rear = own.map(|corner| corner.dot(forward)).fold(f64::INFINITY, f64::min);
    let far = through.iter().flat_map(|foe| {
        let figure = battle.figure(*foe);
        figure.bases.iter().flat_map(|base| base.as_part().corners.to_vec()).collect::<Vec<_>>()
    });
    let far = far.map(|corner| corner.dot(forward)).fold(rear, f64::max);
    Length::ceiled(far - rear) + Length::inch_fraction(1, 4)
}

/// Who decides in the combat phase.
pub(crate) fn deciding(battle: &Battle) -> Option<Side> {
    let number = crate::phases::combat::current(battle)?;
    let fight = &battle.fights[number];
    if fight.hits.is_none() {
        return Some(battle.first);
    }
    next(battle, fight).map(|unit| battle.brigade(unit).side)
}

fn turn_of(battle: &Battle, unit: UnitId) -> Result<usize, Refusal> {
    let number =
        crate::phases::combat::current(battle).filter(|number| next(battle, &battle.fights[*number]) == Some(unit));
    number.ok_or_else(|| Refusal::new(MB_RES_09, "it is not its turn to act"))
}

/// A brigade takes its action; if it pursues, it goes after the enemy named, or the nearest of those it fought who gave way.
pub(crate) fn act(play: &mut Play<'_>, unit: UnitId, action: Action, after: Option<UnitId>) -> Result<(), Halt> {
    let number = turn_of(play.battle(), unit)?;
    let open = actions(play.battle(), &play.battle().fights[number], unit);
    play.require(open.contains(&action) && action != Action::RideThrough, MB_RES_10, || {
        format!("it may not {}", action.word())
    })?;
    let fight = play.battle().fights[number].clone();
    let side = play.battle().brigade(unit).side;
    let one = fight.of(side).iter().find(|one| one.unit == unit).cloned();
    let before_it = fleeing::gave_way_before(play.battle(), &fight, unit);
    let after = after.or(before_it.first().copied()).filter(|_| action == Action::Pursue);
    play.require(after.is_none_or(|enemy| before_it.contains(&enemy)), MB_RES_25, || {
        "it pursues one of those it fought who gave way".into()
    })?;
    play.happen(Event::Acted { fight: number, unit, action, after });
    leave_off_pursuing(play, unit, action);
    if action != Action::Remain
        && let Some(one) = &one
    {
        split(play, unit, one.left, one.right);
    }
    match action {
        Action::Remain => {}
        Action::Retire => fall_back(play, unit, FastMove::Retire, None)?,
        Action::Rout => {
            fall_back(play, unit, FastMove::Rout, None)?;
        }
        Action::Pursue => pursue(play, unit, FastMove::Pursue)?,
        Action::TakePosition => take_position(play, unit, one.map_or(Length::inches(1), |one| one.gap))?,
        Action::RideThrough => {}
    }
    if let_go(play.battle(), &fight, unit, action) {
        let price = play.battle().fixed.numbers.let_go;
        harm(play, unit, price, 0, Cause::Combat)?;
    }
    Ok(())
}

/// Pursuers who have fought the fresh enemy they came upon, and do not go after these, are at the end of their pursuit
/// (MB-RES-29).
fn leave_off_pursuing(play: &mut Play<'_>, unit: UnitId, action: Action) {
    decides!(MB_RES_29);
    let stays = matches!(action, Action::Remain | Action::TakePosition | Action::RideThrough);
    if stays && play.battle().brigade(unit).status == Status::Pursuing {
        play.happen(Event::Became { unit, status: Status::Retired });
    }
}

/// A and B cavalry that break through and let the enemy go pay for it (MB-RES-02).
fn let_go(battle: &Battle, fight: &Fight, unit: UnitId, action: Action) -> bool {
    let brigade = battle.brigade(unit);
    let side = brigade.side;
    let broke_through = fight
        .differences(battle)
        .is_some_and(|differences| Row::of(differences[side.index()], &battle.fixed.numbers) == Row::Breakthrough);
    let quarry = gave_way_to(battle, fight, side);
    brigade.is_brigade() && brigade.kind.is_cavalry() && broke_through && quarry && action != Action::Pursue
}

/// Leaves the files on the flanks that did not fight where they stand, as brigades of their own (MB-RES-11).
fn split(play: &mut Play<'_>, unit: UnitId, left: u8, right: u8) {
    decides!(MB_RES_11);
    for (files, end) in [(left, End::Left), (right, End::Right)] {
        let brigade = *play.battle().brigade(unit);
        if files > 0 && brigade.is_unit() && brigade.splits() && files < brigade.files {
            leave_behind(play, unit, files, end);
        }
    }
}

/// Foot go where the enemy stood (MB-RES-13).
fn take_position(play: &mut Play<'_>, unit: UnitId, gap: Length) -> Result<(), Halt> {
    decides!(MB_RES_13);
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let most = gap.min(battle.fixed.numbers.take_position.length());
    let going = Going { over_obstacles: true, ..Going::normal(false) };
    // Another enemy ahead stops it a little more than an inch short of him, also where it would end at just an inch.
    let reach = battle.reach(unit, brigade.pose.heading, most.max(Length::um(1)) + HAIR, going);
    let tenth = Length::inch_fraction(1, 10);
    let stopped = reach.clause == crate::clauses::MB_FOO_01;
    let distance = if stopped { (reach.distance - tenth).max(Length::ZERO) } else { reach.distance.min(most) };
    // What it steps over costs it nothing.
    let reach = crate::table::path::Reach { distance, crossed: SmallVec::new(), ..reach };
    let to = battle.cleared(unit, brigade, brigade.pose.ahead(reach.distance));
    let roll = crate::situations::MoveRoll::default();
    play.happen(Event::Fell { unit, to, action: FastMove::TakePosition, roll, places: Vec::new() });
    pay_for_way(play, unit, &reach)
}

/// Cavalry ride through (MB-RES-14).
pub(crate) fn ride_through(play: &mut Play<'_>, unit: UnitId, dice: MoveDice) -> Result<(), Halt> {
    let number = turn_of(play.battle(), unit)?;
    let fight = play.battle().fights[number].clone();
    let open = actions(play.battle(), &fight, unit) == [Action::RideThrough];
    let named = dice == MoveDice::new(2, 0) || dice == MoveDice::new(2, 1);
    play.require(open && named, MB_RES_14, || "it may not ride through".into())?;
    play.happen(Event::Acted { fight: number, unit, action: Action::RideThrough, after: None });
    let side = play.battle().brigade(unit).side;
    if let Some(one) = fight.of(side).iter().find(|one| one.unit == unit) {
        split(play, unit, one.left, one.right);
    }
    let roll = throw_dice(play, unit, dice)?;
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let through = ridden_through(battle, &fight, side);
    let rolled = roll.distance(Pace::Normal, battle.inspires(unit) > 0, false, &battle.fixed.numbers);
    let clear = clear_distance(battle, unit, &through);
    // From the first clear spot on, as far as the dice go and the way is free.
    let by = clear + free_ride(battle, unit, &brigade, clear, rolled - clear, &through);
    let ridden = brigade.pose.ahead(by);
    let to = faced(battle, unit, battle.cleared(unit, &brigade, ridden));
    let rough = battle.is_rough(battle.figure(unit), brigade.pose.heading.unit(), by);
    let dps = roll.disorder(brigade.kind, brigade.formation, rough, Pace::Normal, &battle.fixed.numbers);
    let began = battle.figure(unit).clone();
    harm(play, unit, dps, 0, Cause::Move)?;
    play.happen(Event::Fell { unit, to, action: FastMove::RideThrough, roll, places: Vec::new() });
    capture_on_way(play, unit, &began, brigade.pose.heading, by);
    crate::phases::options::begin_looting(play, unit);
    leave_off_pursuing(play, unit, Action::RideThrough);
    Ok(())
}

/// How far riders get beyond the first clear spot behind those they rode through: fresh enemy to their front and ground
/// they cannot enter halt them beyond 2 inches, friends and the edge of the table where they meet them (MB-RES-14).
fn free_ride(
    battle: &Battle,
    unit: UnitId,
    brigade: &Brigade,
    clear: Length,
    far: Length,
    through: &[UnitId],
) -> Length {
    decides!(MB_RES_14);
    if far <= Length::ZERO {
        return Length::ZERO;
    }
    let pose = brigade.pose.ahead(clear);
    let (start, way) = (Figure::of(brigade, pose), pose.heading.unit());
    let halt = battle.fixed.numbers.ride_through_halt.length() + HAIR;
    let mut free = battle.room(&start, way, far).f();
    let corridor = start.bounds().swept(way * far.f());
    for one in battle.around(corridor, halt) {
        let met = match battle.brigade(one).side == brigade.side {
            _ if one == unit || through.contains(&one) => None,
            true => first_contact(&start, way, far.f(), battle.figure(one)),
            false => halted_by(&start, pose, far, battle.figure(one), halt),
        };
        free = met.map_or(free, |at| free.min(at));
    }
    for lie in battle.fixed.ground.near(&corridor.grown(halt.f())) {
        if battle.stops(brigade, lie.feature.id.0).is_some() {
            free = halted_by(&start, pose, far, &lie, halt).map_or(free, |at| free.min(at));
        }
    }
    Length::floored(free.max(0.0))
}

/// After how far a body that rides ahead is as near as it may come to something to its front.
fn halted_by(start: &Figure, pose: Pose, far: Length, there: &impl Outline, halt: Length) -> Option<f64> {
    let way = pose.heading.unit();
    let at = first_within(start, way, far.f(), there, halt.f())?;
    if lies_ahead(&start.moved(way * at), pose, there) {
        return Some(at);
    }
    // What is beside it at first may reach across its way further on, slantwise.
    first_contact(start, way, far.f() + halt.f(), there).map(|met| at.max(met - halt.f()))
}

/// The pose turned in place towards the nearest enemy, if it can stand so.
fn faced(battle: &Battle, unit: UnitId, at: Pose) -> Pose {
    let brigade = battle.brigade(unit);
    let here = Figure::of(brigade, at);
    let off = |enemy: &UnitId| sabretache_table::distance(&here, &battle.figure(*enemy));
    let enemy = battle
        .enemies(brigade.side)
        .filter(|enemy| battle.brigade(*enemy).is_brigade())
        .min_by_key(|enemy| (off(enemy), *enemy));
    // Bases that each have a place of their own face all round where they are.
    let Some(enemy) = enemy.filter(|_| brigade.places.is_none()) else { return at };
    let heading = Heading::toward(here.centre(), battle.figure(enemy).centre());
    let turned = at.turned_about(here.centre(), at.heading.turn_to(heading));
    if battle.stands(unit, &Figure::of(brigade, turned)) { turned } else { at }
}
