//! Deploy: changes of formation and the skirmish line (HZ-DEP-01 to HZ-DEP-18, HZ-SKI-07); into [`buildings`].

pub mod buildings;
pub mod offers;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Length, OnTable, Outline, Placed, Pose, nearer, overlapping};
use smallvec::SmallVec;

use super::officers::flight;
use super::{Play, act, advance, manoeuvre};
use crate::battle::Battle;
use crate::clauses::{
    HZ_BLD_04, HZ_BRK_01, HZ_DEP_09, HZ_DEP_10, HZ_DEP_11, HZ_DEP_14, HZ_DEP_15, HZ_DEP_17, HZ_FOR_04, HZ_QUA_12,
    HZ_RAL_14, HZ_RIV_08, HZ_RIV_09, HZ_SKI_07, HZ_TER_07, HZ_TER_09, HZ_TER_18,
};
use crate::event::Event;
use crate::muster::can_form;
use crate::state::{Act, Finish, Moving};
use crate::table::{Field, ground, shape};
use crate::terrain::{Going, Kind};
use crate::troops::{Arm, Forced, Formation, Order};

/// The formations a unit may take up on a deploy order, wherever there is room.
#[must_use]
pub fn formations(battle: &Battle, unit: UnitId) -> SmallVec<[Formation; 6]> {
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let contingent = &battle.lay.contingents[usize::from(facts.contingent)];
    let all = Formation::ALL.iter().copied();
    all.filter(|&formation| formation != state.formation && can_form(facts, contingent, formation)).collect()
}

// ------------------------------------------------------------------ changing formation

/// A cell of a formation: how far to the right of and behind the middle of the front its middle is.
type Cell = (Length, Length);

/// The cells of a formation that can anchor it (HZ-DEP-10).
fn cells(battle: &Battle, unit: UnitId, formation: Formation) -> SmallVec<[Cell; 24]> {
    decides!(HZ_DEP_10);
    let facts = battle.facts(unit);
    let (a, b) = (facts.stand_width, facts.stand_depth);
    let files = i32::from(facts.files[formation.index()]);
    let mut cells = SmallVec::new();
    if formation == Formation::Square {
        let side = a * files + b;
        for file in 0..files {
            let from_left = -side.half() + a * file + a.half();
            cells.push((from_left, b.half()));
            cells.push((-from_left, b.half()));
        }
        return cells;
    }
    let stands = i32::from(facts.stands);
    for n in 0..stands {
        let (rank, file) = (n / files, n % files);
        let right = (a * files).half() * -1 + a * file + a.half();
        cells.push((right, b * rank + b.half()));
    }
    cells
}

/// The ways to place a new formation so that one stand stays where it is: nearest to the old front first. `first_only` stops the
/// search at the first that fits.
pub fn placements<'a>(
    field: &'a Field<'_>,
    unit: UnitId,
    formation: Formation,
    first_only: bool,
) -> impl Iterator<Item = Pose> + 'a {
    let battle = field.battle;
    let pose = battle.unit(unit).pose;
    let mut offsets: SmallVec<[(Length, Length); 48]> = SmallVec::new();
    let outside = super::ground::out_of_strong_point(battle, unit, formation);
    if outside.is_some() {
        // Out of a strong point: right before one of its faces (HZ-STR-03).
    } else if let Some(sector) = battle.sector_of(unit) {
        // Out of a sector: the new formation stands in the middle of it (HZ-BLD-17).
        let depth = battle.facts(unit).footprints[formation.index()].depth();
        offsets.push((Length::ZERO, sector.depth.half() - depth.half()));
    } else {
        for &(right, behind) in &cells(battle, unit, battle.unit(unit).formation) {
            for &(new_right, new_behind) in &cells(battle, unit, formation) {
                let offset = (right - new_right, behind - new_behind);
                if !offsets.contains(&offset) {
                    offsets.push(offset);
                }
            }
        }
    }
    offsets.sort_by_key(|&(right, behind)| {
        let square = |length: Length| i64::from(length.to_um()) * i64::from(length.to_um());
        (square(right) + square(behind), behind, right)
    });
    let mut found = false;
    decides!(HZ_DEP_09);
    let there = offsets.into_iter().map(move |(right, behind)| pose.ahead(-behind).sideways(right));
    outside.unwrap_or_default().into_iter().chain(there).filter(move |&at| {
        let fits = !(first_only && found) && fits(field, unit, formation, at);
        found |= fits;
        fits
    })
}

/// Whether a formation fits somewhere: on the table, on nobody, touching no enemy, on ground that bears it.
#[must_use]
pub fn fits(field: &Field<'_>, unit: UnitId, formation: Formation, pose: Pose) -> bool {
    has_room(field, unit, formation, pose, false)
}

/// The same for a mob that rallies: it forms where it comes to stand, not where it was (HZ-RAL-14).
#[must_use]
pub fn fits_rallied(field: &Field<'_>, unit: UnitId, formation: Formation, pose: Pose) -> bool {
    decides!(HZ_RAL_14);
    has_room(field, unit, formation, pose, true)
}

fn has_room(field: &Field<'_>, unit: UnitId, formation: Formation, pose: Pose, rallies: bool) -> bool {
    let battle = field.battle;
    let placed = battle.placed_as(unit, formation, pose);
    let touch = battle.lay.sizes.touch.f();
    if battle.lay.table.on_table(&placed) != OnTable::Wholly {
        return false;
    }
    let free = field.meeting(placed.bounds().grown(touch)).all(|(id, other)| {
        if id == unit {
            return true;
        }
        decides!(HZ_DEP_15);
        let enemy = battle.facts(id).side != battle.facts(unit).side;
        decides!(HZ_DEP_14);
        if enemy { !nearer(&placed, other, touch) } else { !overlapping(&placed, other) }
    });
    free && ground_bears(battle, unit, formation, &placed, rallies)
}

/// Whether the ground bears a formation there (HZ-TER-09, HZ-BRK-01, HZ-BLD-04, HZ-RIV-08, HZ-DEP-17).
fn ground_bears(battle: &Battle, unit: UnitId, formation: Formation, placed: &Placed, rallies: bool) -> bool {
    decides!(HZ_TER_09, HZ_RIV_09, HZ_BRK_01, HZ_BLD_04, HZ_RIV_08, HZ_DEP_17, HZ_TER_07, HZ_TER_18);
    if battle.lay.terrain.is_empty() {
        return formation != Formation::OpenOrder || opens_here(battle, unit, placed);
    }
    let troop = battle.troop_as(unit, formation);
    let here = battle.placed(unit);
    let (now, then) = (ground::Lies::under(battle, &here), ground::Lies::under(battle, placed));
    let kind = |n: u16| battle.lay.terrain[usize::from(n)].kind;
    let bears = then.in_any().iter().all(|&n| match kind(n) {
        // Guns do not unlimber in water; troops that can ford it may take any formation in it (HZ-RIV-08).
        Kind::Water { .. } => {
            let forded = !matches!(kind(n).crossing(&troop), Some(crate::terrain::Crossing::Barred(_)));
            !(troop.arm == Arm::Artillery && formation == Formation::Line)
                && (forded || (!rallies && now.is_in(n) && formation == Formation::MarchColumn))
        }
        Kind::Crossing => formation == Formation::MarchColumn,
        Kind::Hedge { .. } | Kind::Wall { .. } | Kind::Redoubt { .. } | Kind::Rampart { .. } => now.is_in(n),
        Kind::Sunken { .. } => now.is_in(n),
        Kind::Buildings { strong: true, .. } => false,
        kind => !matches!(kind.going(&troop), Going::Barred(_)),
    });
    // Cavalry and guns cannot change formation in buildings, nor anybody on a bridge; nor in broken ground, where a mob may still open out.
    let changes = if rallies { &then } else { &now };
    let stuck = changes.in_any().iter().any(|&n| match kind(n) {
        Kind::Buildings { .. } => troop.arm != Arm::Infantry,
        Kind::Crossing => battle.unit(unit).sector.is_none(),
        Kind::Broken => !rallies && battle.unit(unit).sector.is_none(),
        _ => false,
    });
    bears && !stuck && (formation != Formation::OpenOrder || opens_here(battle, unit, placed))
}

/// Why a formation finds no place, told of the place nearest to where the unit stands: the edge of the table, a unit, or the ground by
/// name and the arm that it is closed to.
#[must_use]
pub fn why_no_room(field: &Field<'_>, unit: UnitId, formation: Formation) -> (Clause, String) {
    let battle = field.battle;
    let facts = battle.facts(unit);
    let placed = battle.placed_as(unit, formation, battle.unit(unit).pose);
    let here = battle.placed(unit);
    let name = |n: u16| {
        let terrain = &battle.lay.terrain[usize::from(n)];
        terrain.name.clone().unwrap_or_else(|| format!("the {}", terrain.kind.word()))
    };
    let (now, then) = (ground::Lies::under(battle, &here), ground::Lies::under(battle, &placed));
    let troop = battle.troop_as(unit, formation);
    let kind = |n: u16| battle.lay.terrain[usize::from(n)].kind;
    for &n in now.in_any().iter().chain(then.in_any()) {
        let clause = match kind(n) {
            Kind::Water { .. } | Kind::Crossing if facts.arm == Arm::Artillery && formation == Formation::Line => {
                Some(HZ_RIV_08)
            }
            Kind::Crossing => Some(HZ_RIV_09),
            Kind::Buildings { .. } if facts.arm != Arm::Infantry => Some(HZ_BLD_04),
            Kind::Broken if battle.unit(unit).sector.is_none() && formation != Formation::OpenOrder => Some(HZ_BRK_01),
            kind if !now.is_in(n) && matches!(kind.going(&troop), Going::Barred(_)) => Some(HZ_TER_09),
            _ => None,
        };
        if let Some(clause) = clause {
            return (clause, format!("{} cannot form {formation} in {}", capital(facts.arm.word()), name(n)));
        }
    }
    if formation == Formation::OpenOrder && !opens_here(battle, unit, &placed) {
        return (HZ_DEP_17, "Without the Skirmish ability infantry opens out only under cover".into());
    }
    if battle.lay.table.on_table(&placed) != OnTable::Wholly {
        return (HZ_QUA_12, format!("There is no room on the table to form {formation}"));
    }
    let touch = battle.lay.sizes.touch.f();
    let near =
        field.meeting(placed.bounds().grown(touch)).find(|(id, other)| *id != unit && nearer(&placed, *other, touch));
    match near {
        Some((id, _)) => (HZ_DEP_10, format!("{} leaves no room to form {formation}", battle.facts(id).name)),
        None => (HZ_DEP_10, format!("There is no room to form {formation} about a stand that stays")),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Infantry without the Skirmish ability opens out only under cover (HZ-DEP-17).
fn opens_here(battle: &Battle, unit: UnitId, placed: &Placed) -> bool {
    let facts = battle.facts(unit);
    facts.arm != Arm::Infantry || facts.abilities.skirmish || !ground::touches_open_ground(battle, placed)
}

/// Which of the ways to place it.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId, formation: Formation) -> Input {
    let ways = placements(&Field::of(battle), unit, formation, false).count();
    Input::Number { least: 0, most: (ways as i32 - 1).max(0) }
}

/// A unit changes formation.
pub(crate) fn change(play: &mut Play<'_>, unit: UnitId, formation: Formation, placement: i32) -> Result<(), Halt> {
    act::require(play, unit, Order::Deploy)?;
    let pose = {
        let field = Field::of(play.battle());
        let known = formations(play.battle(), unit).contains(&formation);
        let mut found = placements(&field, unit, formation, false);
        usize::try_from(placement).ok().and_then(|n| found.nth(n)).filter(|_| known)
    };
    let required = play.battle().forced_formation(unit);
    play.require(required.is_none_or(|wanted| wanted == formation), HZ_FOR_04, || {
        "Its forced order comes first".into()
    })?;
    let Some(pose) = pose else {
        return Err(Refusal::impossible(HZ_DEP_10, "There is no room to form like that").into());
    };
    act::begin(play, unit, Act::Deploy { formation, pose }, 0, Finish::There)
}

/// The change is made.
pub(crate) fn complete(play: &mut Play<'_>, moving: Moving) {
    let unit = moving.unit;
    match moving.act {
        Act::Deploy { formation, pose } => play.happen(Event::Formed { unit, formation, pose }),
        Act::Garrison { sector, sides } => play.happen(Event::Garrisons { unit, sector, sides }),
        _ => {}
    }
    let state = play.battle().unit(unit);
    let done = matches!(
        (state.forced, state.formation),
        (Some(Forced::FormLine), Formation::Line) | (Some(Forced::FormSquare), Formation::Square)
    );
    if done {
        play.happen(Event::Forced { unit, order: None, clause: HZ_FOR_04 });
    }
    if !may_swing(play.battle(), unit) {
        let touched = manoeuvre::ends_touching(play.battle(), unit);
        advance::stagger_friends_by(play, unit, &touched, HZ_DEP_14);
    }
    if play.battle().is_present(unit) {
        let placed = play.battle().placed(unit);
        let stands = sabretache_table::Convex::hull(&shape::corners(&placed));
        flight::run_over(play, unit, &[stands]);
    }
}

/// Guns that have limbered or unlimbered may manoeuvre with it (HZ-DEP-11).
#[must_use]
pub fn may_swing(battle: &Battle, unit: UnitId) -> bool {
    decides!(HZ_DEP_11);
    battle.is_present(unit) && battle.facts(unit).arm == Arm::Artillery
}

// ------------------------------------------------------------------ the skirmish line

/// Whether a battalion can join the skirmish line (HZ-SKI-07).
#[must_use]
pub fn may_skirmish(battle: &Battle, unit: UnitId) -> bool {
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    decides!(HZ_SKI_07);
    facts.arm == Arm::Infantry && facts.abilities.skirmish && state.staggers == 0 && !state.routing
}

/// A battalion joins the skirmish line.
pub(crate) fn skirmish(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    act::require(play, unit, Order::Deploy)?;
    let may = may_skirmish(play.battle(), unit);
    play.require(may, HZ_SKI_07, || {
        "Only unstaggered infantry with the Skirmish ability joins the skirmish line".into()
    })?;
    act::begin(play, unit, Act::Skirmish, 0, Finish::There)
}
