//! Officers in the way of a unit: its own make room, the enemy's are captured or make for the nearest unit of their own; where several are
//! equally near their owner chooses (HZ-ORD-38, HZ-ORD-39, HZ-OFF-12, HZ-OFF-20).

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Convex, Point, exact_distance, nearer, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::clauses::{HZ_OFF_06, HZ_OFF_12, HZ_OFF_20, HZ_ORD_38, HZ_ORD_39};
use crate::event::Event;
use crate::phases::{Play, act, bombard, fallback, harm};
use crate::state::{Fleeing, Stage, Then};
use crate::table::{Field, command};

/// A unit has covered this ground, in pieces in the order in which it came to them: officers of its own on whom it stands make room
/// (HZ-ORD-38), the enemy's whom it touched are captured or flee (HZ-ORD-39), those it met first before the others.
pub(crate) fn run_over(play: &mut Play<'_>, unit: UnitId, trail: &[Convex]) {
    decides!(HZ_ORD_38, HZ_ORD_39, HZ_OFF_20);
    decides!(HZ_ORD_39);
    let (side, start) = {
        let battle = play.battle();
        (battle.facts(unit).side, battle.doing.moving.filter(|moving| moving.unit == unit).map(|moving| moving.from))
    };
    let mut met: SmallVec<[(usize, f64, OfficerId); 2]> = SmallVec::new();
    for officer in play.battle().officer_ids() {
        let battle = play.battle();
        let state = *battle.officer(officer);
        if state.status != OfficerStatus::Present || state.with.is_some() || !battle.is_present(unit) {
            continue;
        }
        let disc = Convex::disc(state.at.v(), battle.officer_facts(officer).base.f());
        if battle.officer_facts(officer).side == side {
            if overlapping(&disc, &battle.placed(unit)) {
                let at = harm::behind(battle, unit, officer);
                play.happen(Event::OfficerShifted { officer, at });
            }
        } else if let Some(piece) = trail.iter().position(|swept| nearer(&disc, swept, battle.lay.sizes.touch.f())) {
            let far = start.map_or(0.0, |pose| exact_distance(&disc, &battle.placed_at(unit, pose)));
            met.push((piece, far, officer));
        }
    }
    met.sort_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    for (.., officer) in met {
        play.happen(Event::Flees { officer, returns: None });
    }
    settle(play);
}

/// An officer is to take his post again where an enemy stands: behind the nearest unit of his command (HZ-OFF-12).
pub(crate) fn take_post(play: &mut Play<'_>, officer: OfficerId, at: Point) {
    decides!(HZ_OFF_12);
    play.happen(Event::Flees { officer, returns: Some(at) });
    settle(play);
}

/// Those who have nothing to choose go where they must, up to the first whose owner is to be asked.
fn settle(play: &mut Play<'_>) {
    while let Some(&one) = play.battle().doing.fleeing.first() {
        match (nearest(play.battle(), one).as_slice(), one.returns) {
            ([], None) => harm::lose_officer(play, one.officer, OfficerStatus::Captured, HZ_ORD_39),
            ([], Some(at)) => play.happen(Event::OfficerComes { officer: one.officer, at }),
            (&[unit], _) => find_place(play, one, unit),
            _ => return,
        }
    }
}

/// He joins the unit, or takes his post behind it.
fn find_place(play: &mut Play<'_>, one: Fleeing, unit: UnitId) {
    let officer = one.officer;
    if one.returns.is_some() {
        let at = harm::behind(play.battle(), unit, officer);
        play.happen(Event::OfficerComes { officer, at });
    } else {
        play.happen(Event::Attaches { officer, unit });
    }
}

/// The units that are nearest to an officer, one or several equally near: steady ones of his own within his radius that have no officer, for
/// one who was run into (HZ-ORD-39, HZ-OFF-20); any of his command, for one who takes his post (HZ-OFF-12).
fn nearest(battle: &Battle, one: Fleeing) -> SmallVec<[UnitId; 2]> {
    let field = Field::of(battle);
    let officer = one.officer;
    let at = Convex::place(one.returns.unwrap_or(battle.officer_at(officer)).v());
    let radius = battle.radius(officer);
    decides!(HZ_ORD_39, HZ_OFF_20, HZ_OFF_06);
    let takes_him = |unit: UnitId| {
        one.returns.is_some()
            || (!battle.unit(unit).routing
                && battle.attached_to(unit).is_none()
                && command::within_radius(&field, officer, unit, radius))
    };
    let mut found: SmallVec<[(f64, UnitId); 4]> = battle
        .units_of(battle.acts_for(officer))
        .filter(|&unit| battle.is_present(unit) && takes_him(unit))
        .filter_map(|unit| field.get(unit).map(|placed| (exact_distance(&at, placed), unit)))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let nearest = found.first().map_or(0.0, |first| first.0) + battle.lay.sizes.touch.f();
    found.into_iter().take_while(|(far, _)| *far <= nearest).map(|(_, unit)| unit).collect()
}

/// Whether an officer waits for his owner's choice; if so he is asked now, and the rest goes on after that.
pub(crate) fn asks(play: &mut Play<'_>, then: Then) -> bool {
    let waits = !play.battle().doing.fleeing.is_empty();
    if waits {
        play.happen(Event::SeeksRefuge { then });
    }
    waits
}

/// Officers who became homeless while other things took their course choose before the next decision.
pub(crate) fn before_deciding(play: &mut Play<'_>) {
    let stage = play.battle().stage;
    if !matches!(stage, Stage::Refuge | Stage::Over) {
        asks(play, Then::Decide(stage));
    }
}

/// The units among which the owner of the officer who comes first may choose.
pub(crate) fn choices(battle: &Battle) -> SmallVec<[UnitId; 2]> {
    battle.doing.fleeing.first().map(|&one| nearest(battle, one)).unwrap_or_default()
}

/// He makes for one of them; when all have found their place, what they interrupted goes on.
pub(crate) fn take_refuge(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let Some(&one) = play.battle().doing.fleeing.first() else {
        return Err(Refusal::new(HZ_ORD_39, "No officer is fleeing").into());
    };
    let near = choices(play.battle()).contains(&unit);
    let clause = if one.returns.is_some() { HZ_OFF_12 } else { HZ_ORD_39 };
    play.require(near, clause, || "He makes for the nearest unit of his own".into())?;
    find_place(play, one, unit);
    settle(play);
    if !play.battle().doing.fleeing.is_empty() {
        return Ok(());
    }
    match (play.battle().doing.then, play.battle().doing.moving) {
        (Some(Then::Act), Some(moving)) => act::after_act(play, moving),
        (Some(Then::Shoot { battery, target, through, stage }), _) => {
            play.happen(Event::Now { stage });
            bombard::shoot(play, battery, target, through)
        }
        (Some(Then::Decide(stage)), _) => {
            play.happen(Event::Now { stage });
            Ok(())
        }
        _ => fallback::next(play),
    }
}
