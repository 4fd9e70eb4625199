//! Messengers: where they are, how they ride, who is alone (MB-ORD-06 to 08, MB-ORD-11).

use super::*;
use sabretache_engine::decides;

/// Where a messenger is: with the recipient once he has reached him (MB-ORD-08).
pub(crate) fn rider_at(battle: &Battle, dispatch: &Dispatch) -> Option<Point> {
    let rider = dispatch.rider?;
    Some(if dispatch.arrived { battle.leader(dispatch.to).at } else { rider })
}

/// Whether a messenger may ride now (MB-ORD-07).
pub(crate) fn may_ride_rider(battle: &Battle, id: u16, double: bool) -> Result<Point, Refusal> {
    decides!(MB_ORD_07);
    let Some(dispatch) = dispatch(battle, id) else { return no(MB_ORD_06, "there is no such messenger") };
    let side = battle.leader(dispatch.by).side;
    if battle.phase != Phase::Command || side != battle.active {
        return no(MB_ORD_07, "messengers ride in their own half of the command phase only");
    }
    let Some(at) = dispatch.rider.filter(|_| !dispatch.arrived && !dispatch.heard) else {
        return no(MB_ORD_07, "he has arrived");
    };
    if dispatch.rode {
        battle.forbid(MB_ORD_07, "he has ridden this turn")?;
    }
    if double && battle.enemy_within_of_rider(side, at, battle.fixed.numbers.near.length()) {
        battle.forbid(MB_ORD_07, "enemy are within 6 inches of him")?;
    }
    Ok(at)
}

pub(crate) fn rider_input(battle: &Battle, id: u16, double: bool) -> Input {
    let Some(dispatch) = dispatch(battle, id) else { return Input::None };
    let at = dispatch.rider.unwrap_or_default();
    let input = || command::riding_input(battle, battle.leader(dispatch.by).side, at, double);
    if may_ride_rider(battle, id, double).is_ok() { input() } else { battle.waived(input) }
}

/// Messengers of a side who are out alone, by number.
pub(crate) fn lone_riders(battle: &Battle, side: Side) -> impl Iterator<Item = (u16, Point)> + '_ {
    decides!(MB_ORD_11);
    riders(battle, side).filter(move |(_, at)| is_alone(battle, side, *at))
}

/// Messengers of a side who are out.
pub(crate) fn riders(battle: &Battle, side: Side) -> impl Iterator<Item = (u16, Point)> + '_ {
    battle.dispatches.iter().filter_map(move |one| {
        let at = one.rider.filter(|_| !one.arrived && !one.heard && battle.leader(one.by).side == side)?;
        Some((one.id, at))
    })
}

/// No friend within 4 inches of a place (MB-RSK-06).
pub(crate) fn is_alone(battle: &Battle, side: Side, at: Point) -> bool {
    let reach = battle.fixed.numbers.lone_shots.friends.length() + battle.fixed.numbers.bases.leader.length();
    let place = Convex::place(at.v());
    !battle.of(side).any(|friend| near(&place, battle.figure(friend), reach))
}

/// A messenger rides; he has arrived once he touches the recipient.
pub(crate) fn ride(play: &mut Play<'_>, rider: u16, double: bool, to: Option<Point>) -> Result<(), Halt> {
    may_ride_rider(play.battle(), rider, double)?;
    let to = to.ok_or(WrongValue("where to?".into()))?;
    rider_input(play.battle(), rider, double).check(&Value::Point(to), Unit::Inch)?;
    let battle = play.battle();
    let from = dispatch(battle, rider).and_then(|one| Some((battle.leader(one.by).side, one.rider?)));
    let to = from.map_or(to, |(side, from)| command::rides(battle, side, from, to, double));
    let arrived = dispatch(battle, rider).is_some_and(|one| bases_touch(battle, to, battle.leader(one.to).at));
    play.happen(Event::RiderMoved { rider, to, arrived });
    Ok(())
}
