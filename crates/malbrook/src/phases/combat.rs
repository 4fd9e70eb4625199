//! Close combat: who fights whom with what, and the roll.

use crate::phases::aims;
use crate::phases::gunnery;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{Contact, Corner, Length, Outline, Vec2, contact, exact_distance, line_clear};

use crate::battle::Battle;
use crate::brigade::{Assault, Status};
use crate::clauses::{
    MB_CBT_01, MB_CBT_02, MB_CBT_03, MB_CBT_04, MB_CBT_19, MB_CBT_25, MB_CBT_27, MB_CBT_28, MB_FOO_02, MB_FOO_08,
    MB_GUN_01, MB_GUN_03, MB_GUN_08, MB_GUN_09, MB_RES_31, MB_SEQ_07, MB_UNI_13,
};
use crate::event::{Combatant, Event, Fight, Phase};
use crate::phases::harm::{Play, destroy, harm_by};
use crate::phases::pursuit::hack;
use crate::situations::{Attack, Cause, Combat, Fighter, Force, Row};
use crate::table::lay::{HAIR, near};
use crate::troops::Formation;

mod fights;
mod ground;
pub(crate) mod offers;

pub(crate) use fights::find_fights;
pub(crate) use offers::offers;

impl Fight {
    /// The brigades of a side.
    pub(crate) fn of(&self, side: Side) -> &[Combatant] {
        if side == Side::A { &self.a } else { &self.b }
    }

    /// The combat as the tables see it.
    pub(crate) fn combat(&self, battle: &Battle) -> Combat {
        let force = |side: Side| Force {
            fighters: self.of(side).iter().map(|one| one.fighter).collect(),
            guns: self.guns.iter().any(|gun| battle.brigade(*gun).side == side),
        };
        Combat { ours: force(Side::A), theirs: force(Side::B) }
    }

    /// The differences in hits of A and B, once rolled.
    pub(crate) fn differences(&self, battle: &Battle) -> Option<[i32; 2]> {
        Some(self.combat(battle).differences(self.hits?, &battle.fixed.numbers))
    }
}

/// The start of combat resolution: fire into those who passed, and then all that leads to the combats.
pub(crate) fn engage(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_SEQ_07);
    crate::phases::passing::volleys(play)?;
    // Where the lines stand that lost bases is settled first.
    if crate::phases::closing::ask(play) { Ok(()) } else { find(play) }
}

/// Routers are hacked at, crews run, civilians scatter, and the combats are found.
pub(crate) fn find(play: &mut Play<'_>) -> Result<(), Halt> {
    hack_at_routers(play)?;
    let fights = find_fights(play.battle());
    let caught: Vec<UnitId> = play
        .battle()
        .all()
        .filter(|unit| !play.battle().brigade(*unit).kind.is_brigade() && play.battle().in_combat(*unit))
        .collect();
    for unit in caught {
        abandon(play, unit)?;
    }
    play.happen(Event::Engaged { fights });
    Ok(())
}

/// Foot within an inch of routers hack at them (MB-RES-31).
fn hack_at_routers(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_RES_31);
    let battle = play.battle();
    let reach = battle.fixed.numbers.musketry.length();
    let mut pairs = Vec::new();
    for unit in battle
        .all()
        .filter(|unit| battle.brigade(*unit).kind.is_foot() && battle.brigade(*unit).status == Status::Steady)
    {
        let routing = |enemy: &UnitId| battle.brigade(*enemy).is_routing() && battle.faces(unit, *enemy, reach);
        pairs.extend(battle.enemies(battle.brigade(unit).side).filter(routing).map(|enemy| (unit, enemy)));
    }
    for (unit, enemy) in pairs {
        if play.battle().brigade(enemy).is_unit() {
            hack(play, unit, enemy)?;
        }
    }
    Ok(())
}

/// Guns in close combat are left by their crews, civilians are gone, wagons taken (MB-GUN-01, MB-CBT-25, MB-UNI-13).
fn abandon(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    decides!(MB_UNI_13, MB_GUN_01, MB_CBT_25);
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let refuge = battle.fixed.numbers.crew_refuge.length();
    let figure = battle.figure(unit);
    let friend = |friend: &UnitId| {
        let one = battle.brigade(*friend);
        one.is_brigade() && !one.is_routing() && near(&figure, &battle.figure(*friend), refuge)
    };
    if !brigade.kind.is_model() {
        return destroy(play, unit, Status::Destroyed);
    }
    if !brigade.kind.is_gun() {
        // A wagon with friends at hand is not taken.
        let guarded = battle.of(brigade.side).any(|one| friend(&one));
        return if guarded { Ok(()) } else { destroy(play, unit, Status::Surrendered) };
    }
    decides!(MB_GUN_09);
    let off = |friend: &UnitId| sabretache_table::distance(&figure, &battle.figure(*friend));
    let to = battle.of(brigade.side).filter(friend).min_by_key(|one| (off(one), *one));
    let taker = battle.close_enemies(unit).find(|enemy| battle.fights(*enemy, unit));
    let wing = taker.filter(|_| to.is_none()).map(|taker| aims::wing_of(battle, taker));
    let leaders: Vec<_> = battle.attached_to(unit).collect();
    for leader in leaders {
        play.happen(Event::Detached { leader });
    }
    play.happen(Event::CrewFled { unit, to });
    if let Some(leader) = wing {
        play.happen(Event::GunsTaken { leader });
    }
    Ok(())
}

/// The combat to be fought or finished next.
pub(crate) fn current(battle: &Battle) -> Option<usize> {
    battle
        .fights
        .iter()
        .position(|fight| fight.hits.is_none() || crate::phases::after_combat::next(battle, fight).is_some())
}

/// Both sides of a combat roll, and take their losses together.
pub(crate) fn fight(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_CBT_27, MB_CBT_28);
    let number = current(play.battle()).filter(|number| play.battle().fights[*number].hits.is_none());
    let Some(number) = number.filter(|_| play.battle().phase == Phase::Combat) else {
        return Err(Refusal::new(MB_SEQ_07, "there is no combat to be rolled").into());
    };
    let fight = play.battle().fights[number].clone();
    let combat = fight.combat(play.battle());
    let numbers = play.battle().fixed.numbers.clone();
    let mut hits = [0; 2];
    if combat.rolls() {
        for (side, pooled) in Side::BOTH.into_iter().zip(combat.pools(&numbers)) {
            let of = fight.of(side).first().map(|one| one.unit.into());
            // A side that has no dice throws none, and it is told why.
            let purpose = Purpose { what: "combat", of, side };
            hits[side.index()] = play.roll(purpose, &pooled.test, &pooled.throw(), Wanted::High)?.total() as u8;
        }
    }
    play.happen(Event::Fought { fight: number, hits });
    let differences = combat.differences(hits, &numbers);
    for side in Side::BOTH {
        let row = Row::of(differences[side.index()], &numbers);
        let members = fight.of(side);
        // Of several whom it fought, the nearest did it.
        let by = |play: &Play<'_>, unit: UnitId| {
            let off = |enemy: &UnitId| play.battle().apart(unit, *enemy);
            fight.of(side.other()).iter().map(|one| one.unit).min_by_key(|enemy| (off(enemy), *enemy))
        };
        for one in members {
            let (dps, casualties) = (row.dps(one.fighter.attack, &numbers), 0);
            harm_by(play, one.unit, dps, casualties, Cause::Combat, by(play, one.unit))?;
        }
        // They go round those who are still there.
        let mut next = members.iter().map(|one| one.unit).cycle();
        for _ in 0..row.casualties(&numbers) {
            let there = |unit: &UnitId| play.battle().brigade(*unit).is_unit();
            if let Some(unit) = next.by_ref().take(members.len()).find(there) {
                harm_by(play, unit, 0, 1, Cause::Combat, by(play, unit))?;
            }
        }
        if matches!(row, Row::Defeat | Row::Break) {
            eliminate_crews(play, &fight, side);
        }
    }
    Ok(())
}

/// Crews that shelter with a beaten brigade are lost (MB-GUN-03).
fn eliminate_crews(play: &mut Play<'_>, fight: &Fight, side: Side) {
    decides!(MB_GUN_03, MB_GUN_08);
    let members: Vec<UnitId> = fight.of(side).iter().map(|one| one.unit).collect();
    let lost: Vec<UnitId> = play
        .battle()
        .crews
        .iter()
        .filter(|(gun, with)| members.contains(with) && fight.guns.contains(gun))
        .map(|(gun, _)| *gun)
        .collect();
    for unit in lost {
        play.happen(Event::CrewFled { unit, to: None });
    }
}
