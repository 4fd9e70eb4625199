//! Staggers, kills and what breaks (HZ-QUA-09 to HZ-QUA-13, HZ-OFF-21 to HZ-OFF-24).

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_table::{Convex, Face, Heading, Length, Point, Vec2, exact_distance, nearer};

use super::Play;
use super::officers::{self, flight};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::{
    HZ_CAS_04, HZ_OFF_12, HZ_OFF_17, HZ_OFF_21, HZ_OFF_22, HZ_OFF_23, HZ_OFF_24, HZ_ORD_38, HZ_QUA_09, HZ_QUA_10,
};
use crate::event::Event;
use crate::table::{Field, shape, support};
use crate::troops::Formation;

/// A unit takes staggers, and breaks if they are too many. Whether it still stands.
pub(crate) fn stagger(play: &mut Play<'_>, unit: UnitId, by: u8, clause: Clause) -> bool {
    if by == 0 || !play.battle().is_present(unit) {
        return play.battle().is_present(unit);
    }
    let officer = play.battle().attached_to(unit);
    decides!(HZ_QUA_09);
    play.happen(Event::Staggered { unit, by, clause });
    stands(play, unit, officer, clause)
}

/// A unit takes kills, and breaks if they are too many. Whether it still stands.
pub(crate) fn kill(play: &mut Play<'_>, unit: UnitId, by: u8, clause: Clause) -> bool {
    if by == 0 || !play.battle().is_present(unit) {
        return play.battle().is_present(unit);
    }
    let officer = play.battle().attached_to(unit);
    decides!(HZ_QUA_10);
    play.happen(Event::Killed { unit, by, clause });
    stands(play, unit, officer, clause)
}

/// Whether a unit still stands after a loss: at its limit it went off with the loss itself (HZ-QUA-11), and all else follows.
fn stands(play: &mut Play<'_>, unit: UnitId, officer: Option<OfficerId>, clause: Clause) -> bool {
    decides!(HZ_OFF_21, HZ_OFF_22);
    if play.battle().is_present(unit) {
        return true;
    }
    fallen(play, unit, officer, clause);
    false
}

/// What follows when losses have taken a unit off the table: the officer who was with it dies, its command may be broken.
pub(crate) fn fallen(play: &mut Play<'_>, unit: UnitId, officer: Option<OfficerId>, clause: Clause) {
    decides!(HZ_OFF_21);
    if let Some(officer) = officer.filter(|&officer| play.battle().is_there(officer)) {
        lose_officer(play, officer, OfficerStatus::Killed, HZ_OFF_21);
    }
    let how = play.battle().unit(unit).presence;
    let clause = if how == Presence::Destroyed { HZ_CAS_04 } else { clause };
    play.happen(Event::Broken { unit, how, clause });
    after_leaving(play, unit);
}

/// Takes a unit off the table, with all that follows: its officer dies with it, or is left at the edge where it went off;
/// a command that is broken thereby loses its officer from the table.
pub(crate) fn break_unit(play: &mut Play<'_>, unit: UnitId, how: Presence, clause: Clause) {
    let officer = play.battle().attached_to(unit);
    decides!(HZ_OFF_21);
    if let Some(officer) = officer {
        if matches!(how, Presence::RoutedOff | Presence::RetiredOff) {
            let at = left_at(play.battle(), unit);
            play.happen(Event::Detaches { officer, at });
        } else {
            lose_officer(play, officer, OfficerStatus::Killed, HZ_OFF_21);
        }
    }
    play.happen(Event::Broken { unit, how, clause });
    after_leaving(play, unit);
}

/// A battalion leaves to join the skirmish line (HZ-SKI-07).
pub(crate) fn join_skirmishers(play: &mut Play<'_>, unit: UnitId) {
    if let Some(officer) = play.battle().attached_to(unit) {
        let at = Point::rounded(play.battle().placed(unit).centre());
        play.happen(Event::Detaches { officer, at });
    }
    play.happen(Event::JoinsSkirmishers { unit });
    after_leaving(play, unit);
}

/// Commands of which nothing is left lose their officers from the table (HZ-OFF-24).
fn after_leaving(play: &mut Play<'_>, unit: UnitId) {
    decides!(HZ_OFF_24);
    let mut here: Option<CommandId> = Some(play.battle().facts(unit).brigade);
    while let Some(command) = here {
        let battle = play.battle();
        if !battle.is_gone(command) {
            break;
        }
        let facts = battle.command_facts(command);
        let (above, officer) = (facts.above, facts.officer);
        play.happen(Event::CommandBroken { command });
        let battle = play.battle();
        let chief = battle.chief(battle.command_facts(command).side);
        decides!(HZ_OFF_17);
        if battle.officer(chief).supersedes == Some(command) {
            play.happen(Event::Relinquishes { officer: chief });
        }
        // An officer who fell earlier stays fallen, even where the chief had taken his place.
        let lives = matches!(play.battle().officer(officer).status, OfficerStatus::Present | OfficerStatus::Superseded);
        if above.is_some() && lives {
            play.happen(Event::OfficerGone { officer, status: OfficerStatus::Removed, clause: HZ_OFF_24 });
        }
        here = above;
    }
}

/// Where a unit left the table (HZ-OFF-23): the point of the edge nearest to the corner that is furthest off it, or to its middle where
/// no corner is.
fn left_at(battle: &Battle, unit: UnitId) -> Point {
    decides!(HZ_OFF_23);
    let placed = battle.placed(unit);
    let centre = shape::centre_of(&placed);
    let (w, d) = (battle.lay.table.width.f(), battle.lay.table.depth.f());
    // How far beyond each edge it reaches: west, east, south, north.
    let beyond = |place: Vec2| [-place.x, place.x - w, -place.y, place.y - d];
    let mut most = (f64::NEG_INFINITY, 0);
    for corner in shape::corners(&placed) {
        for (edge, far) in beyond(corner).into_iter().enumerate() {
            if far > most.0 {
                most = (far, edge);
            }
        }
    }
    let (x, y) = (centre.x.clamp(0.0, w), centre.y.clamp(0.0, d));
    let spot = match most.1 {
        0 => Vec2::new(0.0, y),
        1 => Vec2::new(w, y),
        2 => Vec2::new(x, 0.0),
        _ => Vec2::new(x, d),
    };
    Point::rounded(spot)
}

/// An officer is killed or captured. A commander in chief who had superseded somebody leaves that officer back in his post
/// (HZ-OFF-12).
pub(crate) fn lose_officer(play: &mut Play<'_>, officer: OfficerId, status: OfficerStatus, clause: Clause) {
    let state = *play.battle().officer(officer);
    play.happen(Event::OfficerGone { officer, status, clause });
    decides!(HZ_OFF_12, HZ_OFF_17);
    if let Some(command) = state.supersedes {
        let relieved = play.battle().command_facts(command).officer;
        if play.battle().officer(relieved).status == OfficerStatus::Superseded {
            if is_held(play.battle(), relieved, state.at) {
                flight::take_post(play, relieved, state.at);
            } else {
                play.happen(Event::OfficerComes { officer: relieved, at: state.at });
            }
        }
    }
}

/// Whether an enemy unit stands where an officer would.
fn is_held(battle: &Battle, officer: OfficerId, at: Point) -> bool {
    let facts = battle.officer_facts(officer);
    let disc = Convex::disc(at.v(), facts.base.f());
    battle.present(facts.side.other()).any(|enemy| nearer(&disc, &battle.placed(enemy), 0.0))
}

/// Just out of contact behind the middle of a unit, or further back where somebody stands there (HZ-ORD-38, HZ-OFF-08).
#[must_use]
pub fn behind(battle: &Battle, unit: UnitId, officer: OfficerId) -> Point {
    let placed = battle.placed(unit);
    let gap = battle.lay.sizes.clear + battle.officer_facts(officer).base;
    let face = back_of(battle, unit);
    let out = placed.outward(face);
    let spot = Point::rounded(placed.face(face).middle() + out * gap.f());
    // Where that spot is taken he stands at the nearest free one behind the edge: straight back, or to either side.
    let back = Heading::toward(Vec2::new(0.0, 0.0), out).to_hundredths();
    let around = (1..=60).flat_map(|ring| {
        let turns = [0, 2_250, -2_250, 4_500, -4_500, 6_750, -6_750, 9_000, -9_000];
        turns.map(|turn| (Heading::hundredths(i32::from(back) + turn), ring))
    });
    let around = around.map(|(way, ring)| spot.along(way, battle.lay.sizes.clear * ring));
    decides!(HZ_ORD_38);
    let free = std::iter::once(spot).chain(around).find(|&at| officers::stands_free(battle, officer, at));
    free.unwrap_or_else(|| {
        let table = &battle.lay.table;
        let within = |value: Length, most: Length| value.clamp(Length::ZERO, most);
        Point::new(within(spot.x, table.width), within(spot.y, table.depth))
    })
}

/// The side a unit turns to its own people: the rear, or of a square or garrison the side farthest from the nearest enemy (HZ-OFF-08).
fn back_of(battle: &Battle, unit: UnitId) -> Face {
    if !matches!(battle.unit(unit).formation, Formation::Square | Formation::Garrison) {
        return Face::Rear;
    }
    let field = Field::of(battle);
    let (Some(placed), Some(enemy)) = (field.get(unit), support::nearest(&field, unit)) else { return Face::Rear };
    let Some(there) = field.get(enemy) else { return Face::Rear };
    let far = |face: Face| exact_distance(&Convex::segment(placed.face(face)), there);
    let order = [Face::Rear, Face::Left, Face::Right, Face::Front];
    order.into_iter().fold(Face::Rear, |best, face| if far(face) > far(best) + 1.0 { face } else { best })
}
