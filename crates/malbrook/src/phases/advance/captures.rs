//! Lone leaders and messengers whom cavalry take on their way (MB-RSK-07, MB-ORD-11).

use super::*;
use sabretache_engine::decides;

/// The place behind the friend nearest to a leader.
pub(super) fn behind_friends(battle: &Battle, leader: OfficerId) -> Option<Point> {
    let one = battle.leader(leader);
    let nearest = battle
        .of(one.side)
        .filter(|unit| battle.brigade(*unit).is_brigade())
        .min_by_key(|unit| (battle.brigade(*unit).pose.at.distance(one.at), *unit))?;
    let brigade = battle.brigade(nearest);
    let back = brigade.depth * i32::from(brigade.rows()) + battle.fixed.numbers.bases.leader.length();
    let place = brigade.pose.ahead(-back).at;
    let table = battle.fixed.table;
    let keep = |at: Length, most: Length| at.max(Length::ZERO).min(most);
    Some(Point::new(keep(place.x, table.width), keep(place.y, table.depth)))
}

/// Cavalry that reach lone leaders where their way ends take them (MB-RSK-07).
pub(crate) fn capture(play: &mut Play<'_>, unit: UnitId) {
    let (figure, heading) = (play.battle().figure(unit).clone(), play.battle().brigade(unit).pose.heading);
    capture_on_way(play, unit, &figure, heading, Length::ZERO);
}

/// Cavalry that reach lone leaders on their way, or where it ends, take them (MB-RSK-07).
pub(crate) fn capture_on_way(play: &mut Play<'_>, unit: UnitId, began: &Figure, heading: Heading, far: Length) {
    let figure = play.battle().figure(unit).clone();
    let swept = figure.bounds.join(began.bounds).join(began.bounds.swept(heading.unit() * far.f()));
    let meets = |disc: &Convex| {
        let on_way = far > Length::ZERO && first_contact(began, heading.unit(), far.f(), disc).is_some();
        on_way || crate::table::lay::near(&figure, disc, Length::ZERO)
    };
    take_those_met(play, unit, swept, meets);
}

/// The same on a way that is told by where the cavalry stand, one look after another.
pub(crate) fn capture_along(play: &mut Play<'_>, unit: UnitId, way: &[Figure]) {
    let bounds = play.battle().figure(unit).bounds;
    let swept = way.iter().fold(bounds, |all: Bounds, figure| all.join(figure.bounds));
    take_those_met(play, unit, swept, |disc| {
        way.iter().any(|there| crate::table::lay::near(there, disc, Length::ZERO))
    });
}

/// Cavalry take the lone leaders and messengers whose bases they have met somewhere in a box (MB-RSK-07).
pub(super) fn take_those_met(play: &mut Play<'_>, unit: UnitId, swept: Bounds, meets: impl Fn(&Convex) -> bool) {
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    if !brigade.kind.is_cavalry() || !brigade.is_unit() {
        return;
    }
    decides!(MB_RSK_07);
    let figure = battle.figure(unit);
    // Most are nowhere near, and their bases need not be drawn.
    let swept = swept.grown((battle.fixed.numbers.bases.leader.length() + Length::mm(1)).f());
    let close = |at: Point| swept.holds(at.v());
    let touched = |leader: &OfficerId| {
        close(battle.leader(*leader).at) && meets(&battle.disc(*leader)) && gunnery::is_lone(battle, *leader)
    };
    let taken: Vec<OfficerId> = battle.leaders_of(brigade.side.other()).filter(touched).collect();
    decides!(MB_ORD_11);
    let riders: Vec<u16> = messages::riders(battle, brigade.side.other())
        .filter(|(_, at)| close(*at) && meets(&battle.disc_at(*at)))
        .filter(|(_, at)| messages::is_alone(battle, brigade.side.other(), *at))
        .map(|(rider, _)| rider)
        .collect();
    // Leaders who are not alone get behind their friends (MB-RSK-07).
    let pushed: Vec<(OfficerId, Point)> = battle
        .leaders_of(brigade.side.other())
        .filter(|leader| battle.leader(*leader).attached.is_none() && !taken.contains(leader))
        .filter(|leader| close(battle.leader(*leader).at))
        .filter(|leader| crate::table::lay::near(figure, &battle.disc(*leader), Length::ZERO))
        .filter_map(|leader| Some((leader, behind_friends(battle, leader)?)))
        .collect();
    for leader in taken {
        crate::phases::harm::capture(play, leader, unit);
    }
    for (leader, to) in pushed {
        play.happen(Event::Displaced { leader, to });
    }
    for rider in riders {
        play.happen(Event::RiderLost { rider });
    }
}
