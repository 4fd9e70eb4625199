//! Leaders go along with the brigade they are with (MB-LEA-07).

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::{Convex, Length, Point, Pose, nearest_places};

use super::after;
use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::MB_LEA_07;
use crate::event::Event;
use crate::situations::ManoeuvreKind;
use crate::table::lay::Figure;

/// How leaders go along.
enum Way {
    /// As a body that goes somewhere, and turns.
    Carried,
    /// As bases that change their order on the spot: as they were to the middle.
    OnTheSpot,
    /// They stay where they are.
    Stay,
}

/// Where leaders are who are with a brigade that goes somewhere or changes its shape.
pub(super) fn go_along(before: &Battle, event: &Event, out: &mut Vec<Event>) {
    let Some((unit, way, within)) = moves(before, event) else { return };
    let leaders: Vec<OfficerId> = before.attached_to(unit).collect();
    if leaders.is_empty() {
        return;
    }
    decides!(MB_LEA_07);
    let then = after(before, event, out);
    let (from, to) = (before.brigade(unit), then.brigade(unit));
    for leader in leaders {
        let at = before.leader(leader).at;
        let mut place = match way {
            Way::Carried => on_table(before, carried(at, from.pose, to.pose)),
            Way::OnTheSpot => {
                // Bases that stay behind on the spot are no part of the change.
                let changed =
                    Brigade { pose: to.pose, formation: to.formation, files: to.files, refused: None, ..*from };
                let by = Figure::of(&changed, to.pose).centre() - Figure::of(from, from.pose).centre();
                on_table(before, Point::rounded(at.v() + by))
            }
            Way::Stay => at,
        };
        if within {
            place = kept_near(before, place, to);
        }
        if place != at {
            out.push(Event::LedAlong { leader, to: place });
        }
    }
}

/// Which brigade goes where leaders follow it, how, and whether they are kept within its new bounds.
fn moves(before: &Battle, event: &Event) -> Option<(UnitId, Way, bool)> {
    Some(match event {
        Event::SetDown { unit, .. }
        | Event::Moved { unit, .. }
        | Event::Crowded { unit, .. }
        | Event::Marched { unit, .. }
        | Event::Withdrew { unit, .. }
        | Event::Charged { unit, .. }
        | Event::Fell { unit, .. } => (*unit, Way::Carried, false),
        Event::Scattered { unit, .. } | Event::WentApart { unit, .. } => (*unit, Way::Carried, true),
        Event::Manoeuvred { unit, manoeuvre, .. } => match manoeuvre {
            ManoeuvreKind::AboutFace
            | ManoeuvreKind::ChangeFormation
            | ManoeuvreKind::DoubleChange
            | ManoeuvreKind::ReForm => (*unit, Way::OnTheSpot, true),
            _ => (*unit, Way::Carried, false),
        },
        Event::Changed { unit, to: Some(_), .. } | Event::CameApart { unit, .. } | Event::Split { unit, .. } => {
            (*unit, Way::Stay, true)
        }
        Event::ClosedUp { unit, end, .. } => {
            let shifts = before.closing.iter().any(|one| one.unit == *unit && one.lost != *end);
            (*unit, Way::Stay, shifts)
        }
        _ => return None,
    })
}

/// In a body that turns a leader turns with it.
fn carried(at: Point, from: Pose, to: Pose) -> Point {
    let turn = from.heading.turn_to(to.heading);
    let beside = Pose::new(at, from.heading).turned_about(from.at.v(), turn).at;
    Point::new(beside.x + to.at.x - from.at.x, beside.y + to.at.y - from.at.y)
}

fn on_table(battle: &Battle, at: Point) -> Point {
    let keep = |at: Length, most: Length| at.max(Length::ZERO).min(most);
    Point::new(keep(at.x, battle.fixed.table.width), keep(at.y, battle.fixed.table.depth))
}

fn kept_near(battle: &Battle, at: Point, brigade: &Brigade) -> Point {
    let figure = Figure::of(brigade, brigade.pose);
    let radius = battle.fixed.numbers.bases.leader.length();
    let (from, to) = nearest_places(&Convex::place(at.v()), &figure);
    if (from - to).length() > radius.f() { Point::rounded(to + (from - to).unit() * radius.f()) } else { at }
}
