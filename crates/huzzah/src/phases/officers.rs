//! Officer movement (HZ-OFF-01 to HZ-OFF-26).

use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Area, Halt, Input, Refusal};
use sabretache_table::{Convex, Length, Outline, Point, Vec2, exact_distance};

use super::orders::Barred;
use super::{Play, harm, reinforce, turn};
use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::table::{Field, command};

/// Whether no officer of the phasing side could do anything.
#[must_use]
pub fn nothing_to_do(battle: &Battle) -> bool {
    let acts = |id: OfficerId| battle.officer_facts(id).side == battle.phasing && battle.is_there(id);
    !battle.officer_ids().any(|id| acts(id) || reinforce::may_bring_on(battle, id).is_ok())
}

/// What officers may do.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Offer::EndOfficers);
    let field = Field::of(battle);
    for officer in battle.officer_ids() {
        if battle.officer_facts(officer).side != battle.phasing || !battle.is_there(officer) {
            continue;
        }
        if battle.officer(officer).with.is_some() {
            out.push(Offer::Detach(officer));
            continue;
        }
        if battle.officer(officer).moved {
            continue;
        }
        out.push(Offer::MoveOfficer(officer));
        for unit in battle.units_of(battle.acts_for(officer)) {
            if may_attach(&field, officer, unit).is_ok() {
                out.push(Offer::Attach { officer, unit });
            }
        }
    }
    for id in battle.command_ids() {
        if may_supersede(&field, id).is_ok() {
            out.push(Offer::Supersede(id));
        }
    }
    out.extend(
        battle.officer_ids().filter(|&officer| reinforce::may_bring_on(battle, officer).is_ok()).map(Offer::BringOn),
    );
    if may_relinquish(battle).is_ok() {
        out.push(Offer::Relinquish);
    }
}

/// Whether an officer may join a unit (HZ-OFF-05 to HZ-OFF-09).
pub fn may_attach(field: &Field<'_>, officer: OfficerId, unit: UnitId) -> Result<(), Barred> {
    let battle = field.battle;
    let state = battle.officer(officer);
    let Some(placed) = field.get(unit) else { return Err((HZ_OFF_05, "That unit is not on the table")) };
    if state.with.is_some() || state.moved {
        return Err((HZ_OFF_04, "He has moved, or is with a unit"));
    }
    if state.detached {
        return Err((HZ_OFF_09, "He has left a unit in this phase"));
    }
    if state.supersedes.is_some() && state.superseded_in == battle.turn {
        return Err((HZ_OFF_16, "He has superseded an officer in this phase"));
    }
    if !battle.is_within(battle.facts(unit).brigade, battle.acts_for(officer)) {
        return Err((HZ_OFF_06, "It is not of his command"));
    }
    if battle.attached_to(unit).is_some() {
        return Err((HZ_OFF_07, "Another officer is with it"));
    }
    let from = state.at.v();
    let base = battle.officer_facts(officer).base.f();
    let reach = battle.lay.length(battle.numbers().officer_move).f();
    let (_, to) = sabretache_table::nearest_places(&Convex::place(from), placed);
    if exact_distance(&Convex::place(from), placed) - base > reach + 1.0 {
        return Err((HZ_OFF_05, "It is too far off"));
    }
    if !path_clear(field, officer, from, to) {
        return Err((HZ_OFF_03, "The enemy is in the way"));
    }
    Ok(())
}

/// Whether an officer's base passes clear of all enemies on a straight path.
fn path_clear(field: &Field<'_>, officer: OfficerId, from: Vec2, to: Vec2) -> bool {
    let battle = field.battle;
    let side = battle.officer_facts(officer).side;
    let gap = battle.officer_facts(officer).base.f() + battle.lay.sizes.touch.f();
    let path = Convex::segment(sabretache_table::Segment::new(from, to));
    field
        .of_side(side.other())
        .all(|(_, enemy)| exact_distance(&path, enemy) > gap || exact_distance(&Convex::place(from), enemy) <= gap)
}

/// Where an officer may ride: straight, up to his move, clear of the enemy and not on top of a friend (HZ-OFF-02, HZ-OFF-03).
#[must_use]
pub fn reach(battle: &Battle, officer: OfficerId) -> Input {
    reach_from(battle, officer, battle.officer(officer).at)
}

/// The same from another place: where he comes on.
#[must_use]
pub fn reach_from(battle: &Battle, officer: OfficerId, at: Point) -> Input {
    let field = Field::of(battle);
    let facts = battle.officer_facts(officer);
    let radius = battle.lay.length(battle.numbers().officer_move);
    let mut except = beyond_table(battle);
    let gap = facts.base.f() + battle.lay.sizes.touch.f() + 2.0;
    for (id, placed) in field.all() {
        let grown =
            Convex::grown(placed.part(0), if battle.facts(id).side == facts.side { facts.base.f() + 2.0 } else { gap });
        if battle.facts(id).side == facts.side {
            except.push(area(grown.corners()));
            continue;
        }
        let inside = sabretache_table::holds(&grown, at.v());
        if inside {
            // Already beside the enemy: he may ride off, but not end there.
            except.push(area(grown.corners()));
            continue;
        }
        // What lies behind an enemy cannot be reached by a straight ride.
        let mut shadow: Vec<Vec2> = grown.corners().to_vec();
        shadow.extend(grown.corners().iter().map(|&corner| corner + (corner - at.v()).unit() * (radius.f() * 3.0)));
        except.push(area(Convex::hull(&shadow).corners()));
    }
    Input::Point { within: vec![Area::Circle { centre: at, radius }], except }
}

fn area(corners: &[Vec2]) -> Area {
    Area::Polygon { corners: corners.iter().map(|&corner| Point::rounded(corner)).collect() }
}

/// Everything off the table.
fn beyond_table(battle: &Battle) -> Vec<Area> {
    let (w, d) = (battle.lay.table.width, battle.lay.table.depth);
    let (one, far) = (Length::um(1), Length::cm(1_000));
    let rectangle = |x0: Length, y0: Length, x1: Length, y1: Length| Area::Polygon {
        corners: vec![Point::new(x0, y0), Point::new(x1, y0), Point::new(x1, y1), Point::new(x0, y1)],
    };
    vec![
        rectangle(-far, d + one, w + far, d + far),
        rectangle(w + one, -far, w + far, d + far),
        rectangle(-far, -far, w + far, -one),
        rectangle(-far, -far, -one, d + far),
    ]
}

/// An officer rides somewhere.
pub(crate) fn ride(play: &mut Play<'_>, officer: OfficerId, to: Point) -> Result<(), Halt> {
    let state = *play.battle().officer(officer);
    let own = play.battle().officer_facts(officer).side == play.battle().phasing && play.battle().is_there(officer);
    play.require(own && state.with.is_none() && !state.moved, HZ_OFF_01, || "He has moved, or is with a unit".into())?;
    let reach = reach(play.battle(), officer);
    if let Err(wrong) = reach.check(&sabretache_engine::offer::Value::Point(to)) {
        return Err(Refusal::new(HZ_OFF_02, wrong.to_string()).into());
    }
    play.happen(Event::OfficerMoves { officer, at: to });
    Ok(())
}

/// An officer joins a unit.
pub(crate) fn attach(play: &mut Play<'_>, officer: OfficerId, unit: UnitId) -> Result<(), Halt> {
    let allowed = may_attach(&Field::of(play.battle()), officer, unit);
    if let Err((clause, says)) = allowed {
        return Err(Refusal::new(clause, says).into());
    }
    play.happen(Event::Attaches { officer, unit });
    Ok(())
}

/// An officer leaves his unit and stands behind it (HZ-OFF-08).
pub(crate) fn detach(play: &mut Play<'_>, officer: OfficerId) -> Result<(), Halt> {
    let Some(unit) = play.battle().officer(officer).with else {
        return Err(Refusal::new(HZ_OFF_08, "He is with no unit").into());
    };
    let at = harm::behind(play.battle(), unit, officer);
    play.happen(Event::Detaches { officer, at });
    Ok(())
}

/// Whether the commander in chief may take over a command (HZ-OFF-11, HZ-OFF-15 to HZ-OFF-17).
pub fn may_supersede(field: &Field<'_>, id: CommandId) -> Result<(), Barred> {
    let battle = field.battle;
    let facts = battle.command_facts(id);
    let chief = battle.chief(battle.phasing);
    let state = battle.officer(chief);
    if facts.side != battle.phasing || facts.above.is_none() || battle.is_gone(id) {
        return Err((HZ_OFF_11, "There is nothing to take over"));
    }
    if !battle.is_there(chief) || state.with.is_some() || state.supersedes.is_some() {
        return Err((HZ_OFF_11, "The commander in chief is not free to"));
    }
    if state.relinquished {
        return Err((HZ_OFF_15, "He has given back a command in this phase"));
    }
    let officer = battle.officer(facts.officer);
    match officer.status {
        OfficerStatus::Killed | OfficerStatus::Captured => {
            let radius = battle.radius(chief);
            let mut there = battle.units_of(id).filter(|&unit| battle.is_present(unit));
            if there.any(|unit| !command::within_radius(field, chief, unit, radius)) {
                return Err((HZ_OFF_17, "Not all of the command is within his radius"));
            }
            Ok(())
        }
        OfficerStatus::Present => {
            if state.moved || officer.moved || officer.with.is_some() {
                return Err((HZ_OFF_11, "One of the two has moved, or is with a unit"));
            }
            let reach = battle.lay.length(battle.numbers().officer_move).f() * 2.0;
            let bases = battle.officer_facts(chief).base.f() + battle.officer_facts(facts.officer).base.f();
            let apart = (officer.at.v() - state.at.v()).length();
            if apart - bases > reach {
                return Err((HZ_OFF_11, "They are too far apart"));
            }
            if !path_clear(field, chief, state.at.v(), officer.at.v()) {
                return Err((HZ_OFF_03, "The enemy is in the way"));
            }
            Ok(())
        }
        _ => Err((HZ_OFF_11, "That officer is not there")),
    }
}

/// The commander in chief takes over a command.
pub(crate) fn supersede(play: &mut Play<'_>, id: CommandId) -> Result<(), Halt> {
    let allowed = may_supersede(&Field::of(play.battle()), id);
    if let Err((clause, says)) = allowed {
        return Err(Refusal::new(clause, says).into());
    }
    let battle = play.battle();
    let (chief, officer) = (battle.chief(battle.phasing), battle.command_facts(id).officer);
    if battle.is_there(officer) {
        // The chief rides as far as he can and the other comes to meet him.
        let (from, to) = (battle.officer(chief).at.v(), battle.officer(officer).at.v());
        let reach = battle.lay.length(battle.numbers().officer_move).f();
        let bases = battle.officer_facts(chief).base.f() + battle.officer_facts(officer).base.f();
        let ride = ((to - from).length() - bases).clamp(0.0, reach);
        let spot =
            clear_of_units(battle, chief, Point::rounded(from + (to - from).unit() * ride), battle.officer(chief).at);
        play.happen(Event::OfficerMoves { officer: chief, at: spot });
        play.happen(Event::OfficerGone { officer, status: OfficerStatus::Superseded, clause: HZ_OFF_12 });
    }
    play.happen(Event::Supersedes { officer: chief, command: id });
    Ok(())
}

fn may_relinquish(battle: &Battle) -> Result<(), Barred> {
    let state = battle.officer(battle.chief(battle.phasing));
    if state.supersedes.is_none() || state.with.is_some() {
        return Err((HZ_OFF_14, "He has superseded nobody"));
    }
    if state.superseded_in >= battle.turn {
        return Err((HZ_OFF_14, "He has superseded him only this turn"));
    }
    Ok(())
}

/// The commander in chief gives a command back (HZ-OFF-14).
pub(crate) fn relinquish(play: &mut Play<'_>) -> Result<(), Halt> {
    if let Err((clause, says)) = may_relinquish(play.battle()) {
        return Err(Refusal::new(clause, says).into());
    }
    let chief = play.battle().chief(play.battle().phasing);
    let command = play.battle().officer(chief).supersedes;
    play.happen(Event::Relinquishes { officer: chief });
    if let Some(command) = command {
        let officer = play.battle().command_facts(command).officer;
        if play.battle().officer(officer).status == OfficerStatus::Superseded {
            let battle = play.battle();
            let gap = battle.officer_facts(chief).base + battle.officer_facts(officer).base;
            let at = free_spot_by(battle, officer, battle.officer(chief).at, gap);
            play.happen(Event::OfficerComes { officer, at });
        }
    }
    Ok(())
}

/// A spot on a unit is moved off it, back towards where he came from.
fn clear_of_units(battle: &Battle, officer: OfficerId, at: Point, from: Point) -> Point {
    if stands_free(battle, officer, at) {
        return at;
    }
    let whole = (at.v() - from.v()).length();
    let mut back = 0.0;
    while back < whole {
        back += 5_000.0;
        let spot = Point::rounded(at.v().toward(from.v(), (back / whole).min(1.0)));
        if stands_free(battle, officer, spot) {
            return spot;
        }
    }
    from
}

fn stands_free(battle: &Battle, officer: OfficerId, at: Point) -> bool {
    let disc = Convex::disc(at.v(), battle.officer_facts(officer).base.f());
    battle.lay.table.holds(at)
        && battle
            .unit_ids()
            .filter(|&id| battle.is_present(id))
            .all(|id| exact_distance(&disc, &battle.placed(id)) > 0.0)
}

/// A free spot beside a place: so far off, the first of eight ways round that is clear.
#[must_use]
pub fn free_spot_by(battle: &Battle, officer: OfficerId, place: Point, gap: Length) -> Point {
    for round in 1..=6 {
        for eighth in 0..8 {
            let heading = sabretache_table::Heading::degrees(180 + 45 * eighth);
            let spot = place.along(heading, gap * round);
            if stands_free(battle, officer, spot) {
                return spot;
            }
        }
    }
    place
}

/// Officers have moved.
pub(crate) fn end(play: &mut Play<'_>) -> Result<(), Halt> {
    turn::begin_engage(play)
}
