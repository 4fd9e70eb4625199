//! Engagements (HZ-ENG-01 to HZ-ENG-49, HZ-MUL-01 to HZ-MUL-13); who fights whom is in [`pairing`].

pub mod offers;
pub mod pairing;

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Face, Heading, Vec2};
use smallvec::SmallVec;

use pairing::{Link, Sides, ways_to_pair_off};

use super::{Play, fallback, harm, roll, rout, turn, withdraw};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::{
    HZ_BLD_14, HZ_BLO_01, HZ_ENG_01, HZ_ENG_02, HZ_ENG_03, HZ_ENG_04, HZ_ENG_11, HZ_ENG_12, HZ_ENG_29, HZ_ENG_30,
    HZ_ENG_31, HZ_ENG_35, HZ_ENG_37, HZ_ENG_41, HZ_ENG_42, HZ_ENG_43, HZ_MUL_02, HZ_MUL_03, HZ_MUL_06, HZ_OFF_21,
    HZ_QUA_09, HZ_QUA_10, HZ_ROU_02, HZ_STR_06,
};
use crate::event::Event;
use crate::situations::{EngagementSituation, Fate, Fighter, FighterResult, Role};
use crate::state::{Fight, ForcedMove, Stage};
use crate::table::{Field, bearing, contact, garrison, ground, shape, siege, support};
use crate::terrain::Kind;
use crate::troops::{Arm, Formation};

/// Who fights whom: every way in which the contacts on the table can be broken up. Mostly there is one; where contacts are equally long
/// the phasing player chooses (HZ-MUL-02, HZ-MUL-03).
#[must_use]
pub fn pairings(battle: &Battle) -> Vec<Vec<Sides>> {
    decides!(HZ_MUL_03);
    let field = Field::of(battle);
    let mut links: Vec<Link> = Vec::new();
    for attacker in battle.present(battle.phasing) {
        for defender in contact::engaged_with(&field, attacker) {
            links.push((attacker, defender, contact::length(&field, attacker, defender)));
        }
    }
    ways_to_pair_off(&links)
}

/// The engagements begin, or the phasing player first says who fights whom.
pub(crate) fn begin(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_MUL_02);
    match pairings(play.battle()).len() {
        0 | 1 => pair(play, 0),
        _ => {
            play.happen(Event::Now { stage: Stage::Pairing });
            Ok(())
        }
    }
}

/// Who fights whom is settled, and all that matters is fixed as it is now (HZ-ENG-03).
pub(crate) fn pair(play: &mut Play<'_>, n: u8) -> Result<(), Halt> {
    decides!(HZ_ENG_03);
    let mut ways = pairings(play.battle());
    decides!(HZ_MUL_02);
    if usize::from(n) >= ways.len() {
        return Err(Refusal::new(HZ_MUL_02, "They cannot be paired in that way").into());
    }
    let way = ways.swap_remove(usize::from(n));
    if way.is_empty() {
        return turn::begin_rally(play);
    }
    let field = Field::of(play.battle());
    let fights = way.into_iter().map(|(attackers, defenders)| frozen(&field, attackers, defenders)).collect();
    play.happen(Event::Engaged { fights });
    play.happen(Event::Now { stage: Stage::Engage });
    Ok(())
}

/// An engagement with its facts.
fn frozen(field: &Field<'_>, attackers: Vec<UnitId>, defenders: Vec<UnitId>) -> Fight {
    let attackers = left_to_right(field, attackers, &defenders);
    let defenders = left_to_right(field, defenders, &attackers);
    let facts = EngagementSituation {
        attackers: attackers.iter().map(|&unit| fighter(field, unit, &defenders, Role::Attackers)).collect(),
        defenders: defenders.iter().map(|&unit| fighter(field, unit, &attackers, Role::Defenders)).collect(),
        odd_staggers: Vec::new(),
    };
    let ways = attackers
        .iter()
        .map(|&unit| way_out(field, unit, Role::Attackers))
        .chain(defenders.iter().map(|&unit| way_out(field, unit, Role::Defenders)));
    Fight { ways: ways.collect(), attackers, defenders, facts, totals: Vec::new() }
}

/// The units of a side as they stand from its left to its right, looking at the enemy (HZ-ENG-29).
fn left_to_right(field: &Field<'_>, mut units: Vec<UnitId>, enemies: &[UnitId]) -> Vec<UnitId> {
    decides!(HZ_ENG_29);
    let middle = |of: &[UnitId]| {
        let sum =
            of.iter().filter_map(|&id| field.get(id)).fold(Vec2::new(0.0, 0.0), |sum, placed| sum + placed.centre());
        sum * (1.0 / of.len().max(1) as f64)
    };
    let right = (middle(enemies) - middle(&units)).unit().right();
    let along = |id: UnitId| field.get(id).map_or(0.0, |placed| placed.centre().dot(right));
    units.sort_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
    units
}

/// The facts of one unit in an engagement.
#[must_use]
pub fn fighter(field: &Field<'_>, unit: UnitId, opponents: &[UnitId], role: Role) -> Fighter {
    let attacks = role == Role::Attackers;
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let touching: SmallVec<[UnitId; 4]> = contact::engaged_with(field, unit).collect();
    let level = field.get(unit).map_or(0, |placed| ground::elevation(battle, placed));
    let steep = field.get(unit).is_some_and(|placed| ground::on_steep_hill(battle, placed));
    let higher = |&enemy: &UnitId| {
        field.get(enemy).is_some_and(|there| {
            ground::elevation(battle, there) > level && (steep || ground::on_steep_hill(battle, there))
        })
    };
    decides!(HZ_ENG_11, HZ_ENG_12, HZ_STR_06);
    let strong = |&enemy: &UnitId| {
        battle
            .unit(enemy)
            .sector
            .is_some_and(|n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Buildings { strong: true, .. }))
    };
    Fighter {
        quality: battle.quality(unit),
        arm: facts.arm,
        formation: state.formation,
        horse: facts.horse,
        open_order: facts.abilities.opens_order(),
        staggers: state.staggers,
        kills: state.kills,
        later_staggers: 0,
        later_kills: 0,
        flank_or_rear: touching.iter().any(|&enemy| bearing::engaged_to_flank(field, unit, enemy)),
        blown: state.blown,
        routing: state.routing,
        against_fortification: (attacks && opponents.iter().any(strong)) || siege::storms(field, unit, attacks),
        below_on_steep_hill: opponents.iter().any(higher),
        on_steep_hill: steep,
        unheld_side: attacked_at_unheld_side(field, unit, &touching),
        small: facts.small,
        renowned: facts.abilities.renown,
        doctrine: battle.lay.contingents[usize::from(facts.contingent)].doctrine,
        position: support::position(field, unit, opponents, support::Test::Engagement),
        officer: battle.attached(unit),
    }
}

/// A close order garrison attacked at a side it does not hold (HZ-BLD-14).
fn attacked_at_unheld_side(field: &Field<'_>, unit: UnitId, touching: &[UnitId]) -> bool {
    decides!(HZ_BLD_14);
    let battle = field.battle;
    let (Some(placed), true) = (field.get(unit), battle.unit(unit).sector.is_some()) else { return false };
    let held: SmallVec<[Face; 4]> = garrison::held(battle, unit).collect();
    let touch = battle.lay.sizes.touch.f();
    touching.iter().any(|&enemy| {
        let Some(there) = field.get(enemy) else { return false };
        // Along which side he lies; only where he touches a mere corner does the held side that shares it count.
        let along = |face: Face| contact::shared(placed.face(face), there.face(Face::Front), touch);
        let longest = |of_held: bool| {
            let faces = garrison::FACES.into_iter().filter(|face| held.contains(face) == of_held);
            faces.map(along).fold(0.0, f64::max)
        };
        if longest(false) > longest(true) + touch {
            return true;
        }
        let on_held = held
            .iter()
            .any(|&face| sabretache_table::nearer(&sabretache_table::Convex::segment(placed.face(face)), there, touch));
        !on_held
    })
}

/// The way a unit goes if it has to: straight back, or away from the sides that were touched (HZ-ENG-37, HZ-ROU-02).
fn way_out(field: &Field<'_>, unit: UnitId, role: Role) -> u16 {
    decides!(HZ_ENG_37, HZ_ROU_02);
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return 0 };
    let facing = battle.unit(unit).pose.heading;
    let formation = battle.unit(unit).formation;
    let straight_back = facing.reversed().to_hundredths();
    if role == Role::Attackers && !matches!(formation, Formation::Square | Formation::Mob) {
        return straight_back;
    }
    let mut sum = Vec2::new(0.0, 0.0);
    for enemy in contact::engaged_with(field, unit) {
        let Some(there) = field.get(enemy) else { continue };
        if formation == Formation::Mob {
            sum = sum + (shape::centre_of(placed) - shape::centre_of(there)).unit();
        } else {
            sum = sum + contact::away_from(placed, there, battle.lay.sizes.touch.f());
        }
    }
    if sum.length() < 1e-6 {
        let home = battle.command_facts(battle.facts(unit).brigade).communication.v();
        sum = home - shape::centre_of(placed);
    }
    if sum.length() < 1e-6 { straight_back } else { Heading::toward(Vec2::new(0.0, 0.0), sum).to_hundredths() }
}

// ------------------------------------------------------------------ fighting

/// Whether both sides of an engagement are still there.
fn stands(battle: &Battle, fight: &Fight) -> bool {
    let there = |units: &[UnitId]| units.iter().any(|&id| battle.is_present(id));
    there(&fight.attackers) && there(&fight.defenders)
}

/// Fights one engagement.
pub(crate) fn fight(play: &mut Play<'_>, n: u16) -> Result<(), Halt> {
    decides!(HZ_ENG_02);
    let Some(fight) = play.battle().fights.get(usize::from(n)).cloned() else {
        return Err(Refusal::new(HZ_ENG_01, "There is no such engagement").into());
    };
    let facts = current(play.battle(), &fight);
    let tests: Vec<_> = facts.each(play.battle().numbers()).collect();
    let units: Vec<UnitId> = fight.attackers.iter().chain(&fight.defenders).copied().collect();
    let mut totals = Vec::with_capacity(units.len());
    for (unit, test) in units.iter().zip(&tests) {
        let side = play.battle().facts(*unit).side;
        totals.push(roll(play, "engagement", Some((*unit).into()), side, test)?);
    }
    decides!(HZ_MUL_06);
    if let Some(odd) = facts.odd_staggers(play.battle().numbers(), &totals) {
        let attackers = play.battle().phasing;
        let side = if odd.side == Role::Attackers { attackers } else { attackers.other() };
        play.happen(Event::FightRolled { fight: n, totals });
        play.happen(Event::Now { stage: Stage::OddStagger(side) });
        return Ok(());
    }
    settle(play, n, &totals)
}

/// The facts as they were fixed, with the staggers from routers since; a kill can only come of the fight itself.
fn current(battle: &Battle, fight: &Fight) -> EngagementSituation {
    let mut facts = fight.facts.clone();
    let units = fight
        .attackers
        .iter()
        .zip(facts.attackers.iter_mut())
        .chain(fight.defenders.iter().zip(facts.defenders.iter_mut()));
    for (&unit, fighter) in units {
        fighter.later_staggers = battle.unit(unit).staggers.saturating_sub(fighter.staggers);
    }
    facts
}

/// The fight whose odd staggers are being placed.
fn open_fight(battle: &Battle) -> Option<u16> {
    battle.fights.iter().position(|fight| !fight.totals.is_empty()).map(|n| n as u16)
}

/// The owner places an odd stagger (HZ-MUL-06).
pub(crate) fn place_odd(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    decides!(HZ_MUL_06);
    let found = open_fight(play.battle())
        .and_then(|n| play.battle().fights.get(usize::from(n)).cloned().map(|fight| (n, fight)));
    let Some((n, fight)) = found else {
        return Err(Refusal::new(HZ_MUL_06, "No odd staggers are to be placed").into());
    };
    let odd = current(play.battle(), &fight).odd_staggers(play.battle().numbers(), &fight.totals);
    let Some(odd) = odd else { return settle(play, n, &fight.totals) };
    let units = if odd.side == Role::Attackers { &fight.attackers } else { &fight.defenders };
    let place = units.iter().position(|&id| id == unit).map(|place| place as u8);
    let Some(place) = place.filter(|place| odd.among.contains(place) && !fight.facts.odd_staggers.contains(place))
    else {
        return Err(Refusal::new(HZ_MUL_06, "That unit does not take odd staggers").into());
    };
    play.happen(Event::OddPlaced { fight: n, unit: place });
    let placed = play.battle().fights.get(usize::from(n)).map_or(0, |fight| fight.facts.odd_staggers.len());
    if placed < usize::from(odd.staggers) {
        return Ok(());
    }
    settle(play, n, &fight.totals)
}

/// Losses, then who holds, retires, routs or breaks (HZ-ENG-48).
fn settle(play: &mut Play<'_>, n: u16, totals: &[i32]) -> Result<(), Halt> {
    let Some(fight) = play.battle().fights.get(usize::from(n)).cloned() else { return next(play) };
    let facts = current(play.battle(), &fight);
    let outcome = facts.read(play.battle().numbers(), totals, &facts.odd_staggers);
    let attackers = play.battle().phasing;
    let winner = outcome.winner.map(|role| if role == Role::Attackers { attackers } else { attackers.other() });
    let units: Vec<UnitId> = fight.attackers.iter().chain(&fight.defenders).copied().collect();
    let results: Vec<FighterResult> = outcome.attackers.iter().chain(&outcome.defenders).cloned().collect();
    let fought: Vec<(UnitId, &FighterResult, Option<OfficerId>)> = units
        .iter()
        .zip(&results)
        .filter(|&(&unit, _)| play.battle().is_present(unit))
        .map(|(&unit, result)| (unit, result, play.battle().attached_to(unit)))
        .collect();
    for &(unit, result, _) in &fought {
        decides!(HZ_QUA_10);
        if result.kills > 0 {
            // A unit that did not fail was killed by a Huzzah!; one that did has both in one, as they fall together (HZ-ENG-35).
            let clause = if result.margin.is_none() { HZ_ENG_31 } else { HZ_ENG_43 };
            play.happen(Event::Killed { unit, by: result.kills, clause });
        }
        decides!(HZ_QUA_09);
        if result.staggers > 0 {
            play.happen(Event::Staggered { unit, by: result.staggers, clause: HZ_ENG_30 });
        }
    }
    for &(unit, result, officer) in &fought {
        if !play.battle().is_present(unit) {
            harm::fallen(play, unit, officer, HZ_ENG_35);
            continue;
        }
        decides!(HZ_OFF_21);
        if let (true, Some(officer)) = (result.officer_killed, officer) {
            harm::lose_officer(play, officer, OfficerStatus::Killed, HZ_OFF_21);
        }
        if result.fate == Fate::Breaks {
            let guns = play.battle().facts(unit).arm == Arm::Artillery;
            harm::break_unit(play, unit, Presence::Shattered, if guns { HZ_ENG_41 } else { HZ_ENG_42 });
        }
    }
    for ((&unit, result), &way) in units.iter().zip(&results).zip(&fight.ways) {
        if !play.battle().is_present(unit) {
            continue;
        }
        match result.fate {
            Fate::Holds | Fate::Breaks => {}
            Fate::Retires => play.happen(Event::MustMove { unit, forced: Some(ForcedMove::Retire(way)) }),
            Fate::Routs => {
                rout::turn_to_mob(play, unit);
                play.happen(Event::MustMove { unit, forced: Some(ForcedMove::FirstRout(way)) });
            }
        }
        decides!(HZ_BLO_01);
        if result.blown && !play.battle().unit(unit).blown {
            play.happen(Event::Blown { unit, blown: true });
        }
    }
    play.happen(Event::Fought { fight: n, winner });
    fallback::next(play)
}

/// The next engagement, or the rally phase. Engagements whose units are gone are not fought (HZ-ENG-04).
pub(crate) fn next(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(HZ_ENG_04);
    while let Some(n) =
        play.battle().fights.iter().position(|fight| !stands(play.battle(), fight) || missing(play.battle(), fight))
    {
        let rest = refit(play.battle(), n);
        play.happen(Event::Fought { fight: n as u16, winner: None });
        if let Some(fight) = rest {
            let mut fights = play.battle().fights.clone();
            fights.push(fight);
            play.happen(Event::Engaged { fights });
        }
    }
    if play.battle().fights.is_empty() {
        withdraw::part(play);
        return turn::begin_rally(play);
    }
    play.happen(Event::Now { stage: Stage::Engage });
    Ok(())
}

/// Whether some unit of an engagement is gone.
fn missing(battle: &Battle, fight: &Fight) -> bool {
    fight.attackers.iter().chain(&fight.defenders).any(|&id| !battle.is_present(id))
}

/// An engagement without those of its units that are gone, if both sides still have any.
fn refit(battle: &Battle, n: usize) -> Option<Fight> {
    let fight = battle.fights.get(n)?;
    if !stands(battle, fight) {
        return None;
    }
    let mut rest = Fight {
        attackers: Vec::new(),
        defenders: Vec::new(),
        facts: EngagementSituation::default(),
        totals: Vec::new(),
        ways: Vec::new(),
    };
    let here = |id: &UnitId| battle.is_present(*id);
    let all = fight.attackers.len();
    for (i, id) in fight.attackers.iter().enumerate().filter(|(_, id)| here(id)) {
        rest.attackers.push(*id);
        rest.facts.attackers.extend(fight.facts.attackers.get(i).cloned());
        rest.ways.extend(fight.ways.get(i).copied());
    }
    for (i, id) in fight.defenders.iter().enumerate().filter(|(_, id)| here(id)) {
        rest.defenders.push(*id);
        rest.facts.defenders.extend(fight.facts.defenders.get(i).cloned());
        rest.ways.extend(fight.ways.get(all + i).copied());
    }
    Some(rest)
}
