//! Threat tests (HZ-THR-01 to HZ-THR-44) and the forced orders they bring (HZ-FOR-01 to HZ-FOR-03).

pub mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use smallvec::SmallVec;

use super::{Play, harm, roll_for, turn};
use crate::battle::Battle;
use crate::clauses::{
    HZ_DEP_12, HZ_FOR_01, HZ_FOR_02, HZ_FOR_09, HZ_THR_01, HZ_THR_02, HZ_THR_03, HZ_THR_04, HZ_THR_05, HZ_THR_30,
    HZ_THR_31, HZ_THR_42,
};
use crate::event::Event;
use crate::situations::{Bombardment, ThreatOutcome, ThreatSituation};
use crate::state::Threat;
use crate::table::{Field, siege, support, zones};
use crate::troops::{Arm, Forced, Formation, Pieces, RangeBand};

/// Every phasing unit in an enemy zone, and because of whom (HZ-THR-01).
#[must_use]
pub fn list(battle: &Battle) -> Vec<Threat> {
    decides!(HZ_THR_01);
    let field = Field::of(battle);
    battle.present(battle.phasing).flat_map(|unit| zones::threats_on(&field, unit)).collect()
}

/// The units that have still to test.
pub fn waiting(battle: &Battle) -> SmallVec<[UnitId; 8]> {
    let mut units: SmallVec<[UnitId; 8]> = SmallVec::new();
    for threat in &battle.threats {
        let due = !threat.tested && battle.is_present(threat.unit) && battle.is_present(threat.by);
        if due && !units.contains(&threat.unit) {
            units.push(threat.unit);
        }
    }
    units
}

/// The threats that count in a unit's test now: those of the list whose units are still there.
#[must_use]
pub fn listed(battle: &Battle, unit: UnitId) -> zones::Threats {
    battle.threats.iter().filter(|threat| threat.unit == unit && battle.is_present(threat.by)).copied().collect()
}

/// The facts of a threat test.
#[must_use]
pub fn situation(field: &Field<'_>, unit: UnitId, threats: &[Threat]) -> ThreatSituation {
    let battle = field.battle;
    let mut facts = own_facts(field, unit);
    for threat in threats {
        let by = battle.facts(threat.by);
        let count = match (by.arm, battle.unit(threat.by).formation) {
            (Arm::Infantry, Formation::Line) => &mut facts.by_lines,
            (Arm::Infantry, Formation::OpenOrder) => &mut facts.by_open_order,
            (Arm::Infantry, _) => &mut facts.by_columns,
            (Arm::Cavalry, _) if by.horse.is_irregular() => &mut facts.by_cossacks,
            (Arm::Cavalry, _) => &mut facts.by_cavalry,
            (Arm::Artillery, _) => &mut facts.by_guns,
        };
        *count = count.saturating_add(1);
        facts.renowned |= by.abilities.renown;
        facts.smoke |= threat.smoke;
    }
    facts.flank_or_rear = zones::from_flank_or_rear(threats);
    facts.below_wall = siege::is_below(field, unit, threats);
    let against: SmallVec<[UnitId; 8]> = threats.iter().map(|threat| threat.by).collect();
    facts.position = support::position(field, unit, &against, support::Test::Threat);
    facts
}

/// The facts of a test under bombardment: the battery is the only threat (HZ-THR-42).
#[must_use]
pub fn bombarded(
    field: &Field<'_>,
    unit: UnitId,
    battery: UnitId,
    range: RangeBand,
    flank_or_rear: bool,
) -> ThreatSituation {
    decides!(HZ_THR_42);
    let battle = field.battle;
    let mut facts = own_facts(field, unit);
    let guns = battle.facts(battery);
    facts.bombarded = Some(Bombardment { range, howitzers: guns.pieces == Pieces::Howitzers });
    facts.renowned = guns.abilities.renown;
    facts.smoke = battle.unit(battery).smoke > 0;
    facts.flank_or_rear = flank_or_rear;
    facts.position = support::position(field, unit, &[battery], support::Test::Threat);
    facts
}

/// The facts of a test when a mine goes up under a unit: the mine is the only threat (HZ-BRE-03).
#[must_use]
pub fn mined(field: &Field<'_>, unit: UnitId) -> ThreatSituation {
    ThreatSituation { mined: true, ..own_facts(field, unit) }
}

fn own_facts(field: &Field<'_>, unit: UnitId) -> ThreatSituation {
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let placed = field.get(unit);
    ThreatSituation {
        quality: battle.quality(unit),
        arm: facts.arm,
        formation: state.formation,
        horse: facts.horse,
        open_order: facts.abilities.opens_order() || facts.horse.is_irregular(),
        staggers: state.staggers,
        kills: state.kills,
        routing: state.routing,
        blown: state.blown,
        isolated: battle.is_isolated(unit),
        small: facts.small,
        officer: battle.attached(unit),
        on_breach: placed.is_some_and(|placed| siege::climbs(battle, unit, placed)),
        ..ThreatSituation::default()
    }
}

/// A unit of the list takes its test.
pub(crate) fn test(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    decides!(HZ_THR_02, HZ_THR_03);
    let threats = listed(play.battle(), unit);
    let outcome = take(play, unit, &threats, false)?;
    play.happen(Event::Tested { unit, passed: outcome.passed });
    if outcome.shakes {
        shake(play, unit, &threats)?;
    }
    turn::after_threat(play)
}

/// Rolls a full test against these threats and applies what follows for the unit itself.
pub(crate) fn take(
    play: &mut Play<'_>,
    unit: UnitId,
    threats: &[Threat],
    reaction: bool,
) -> Result<ThreatOutcome, Halt> {
    let mut facts = situation(&Field::of(play.battle()), unit, threats);
    facts.reaction = reaction;
    resolve(play, unit, &facts)
}

/// Rolls a test from its facts and applies staggers, forced orders and breaking.
pub(crate) fn resolve(play: &mut Play<'_>, unit: UnitId, facts: &ThreatSituation) -> Result<ThreatOutcome, Halt> {
    decides!(HZ_THR_04, HZ_THR_05);
    let side = play.battle().facts(unit).side;
    let test = facts.test(play.battle().numbers());
    if let Some(clause) = facts.disadvantage() {
        play.happen(Event::Disadvantaged { unit, clause });
    }
    let outcome =
        roll_for(play, "threat test", Some(unit.into()), side, &test, |numbers, total| facts.read(numbers, total))?;
    if harm::stagger(play, unit, outcome.staggers, HZ_THR_04) {
        let forced = outcome.forced.map(|order| match order {
            Forced::FormLine => (order, HZ_FOR_01),
            Forced::FormSquare | Forced::Recall => (order, HZ_FOR_02),
        });
        if let Some((order, clause)) = forced {
            play.happen(Event::Forced { unit, order: Some(order), clause });
        }
    }
    Ok(outcome)
}

/// A Huzzah!: every threatener that lies in the unit's own zone must itself test at once (HZ-THR-31).
pub(crate) fn shake(play: &mut Play<'_>, unit: UnitId, threats: &[Threat]) -> Result<(), Halt> {
    decides!(HZ_THR_31);
    let shaken: SmallVec<[UnitId; 4]> = {
        let field = Field::of(play.battle());
        let side = field.facts(unit).side;
        // Shot can bounce on to a friend of the guns, and they have nothing to fear from him (HZ-BOM-17).
        let enemies = threats.iter().map(|threat| threat.by).filter(|&by| field.facts(by).side != side);
        enemies.filter(|&by| zones::threatens(&field, unit, by)).collect()
    };
    for enemy in shaken {
        if !play.battle().is_present(enemy) {
            continue;
        }
        let reacting = zones::threats_on(&Field::of(play.battle()), enemy);
        if reacting.is_empty() {
            continue;
        }
        play.happen(Event::Shaken { unit: enemy, by: unit });
        take(play, enemy, &reacting, true)?;
        smoke_of(play, &reacting);
    }
    Ok(())
}

/// Batteries that threatened through their standing zones gather smoke (HZ-THR-30).
pub(crate) fn smoke_of(play: &mut Play<'_>, threats: &[Threat]) {
    decides!(HZ_THR_30);
    let mut batteries: SmallVec<[UnitId; 4]> = SmallVec::new();
    for threat in threats {
        let battle = play.battle();
        if battle.facts(threat.by).arm == Arm::Artillery
            && battle.is_present(threat.by)
            && !batteries.contains(&threat.by)
        {
            batteries.push(threat.by);
        }
    }
    for unit in batteries {
        play.happen(Event::Smoke { unit, by: 1 });
    }
}

/// A unit that has deployed within or into a zone tests at once (HZ-DEP-13).
pub(crate) fn after_deploying(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    decides!(HZ_FOR_09);
    if !play.battle().is_present(unit) {
        return Ok(());
    }
    decides!(HZ_DEP_12);
    let threats = zones::threats_on(&Field::of(play.battle()), unit);
    if threats.is_empty() {
        return Ok(());
    }
    let outcome = take(play, unit, &threats, false)?;
    if outcome.shakes {
        shake(play, unit, &threats)?;
    }
    smoke_of(play, &threats);
    Ok(())
}
