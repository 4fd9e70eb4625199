//! A battle as a scenario.

use sabretache_engine::ids::UnitId;
use sabretache_engine::scenario::Scenario;
use sabretache_table::Pose;

use crate::battle::{Battle, Kind, Pending, Place};
use crate::body::Body;
use crate::body::state::{
    BatterEntry, BatteredEntry, BreakEntry, ChaseEntry, ContactEntry, LaunchEntry, PartedEntry, PendingEntry,
    ShotEntry, State, TrackEntry, VolleyEntry,
};
use crate::troops::Arm;

pub(crate) fn save(battle: &Battle) -> Scenario<Body> {
    let mut scenario = battle.fixed.scenario.clone();
    let measure = scenario.measure;
    let ids: Vec<String> = scenario.body.units.iter().map(|unit| unit.id.clone()).collect();
    let id = |unit: UnitId| ids[unit.index()].clone();
    for ((entry, unit), facts) in scenario.body.units.iter_mut().zip(&battle.units).zip(&battle.fixed.facts) {
        entry.at = measure.pair(unit.pose.at);
        entry.facing = unit.pose.heading.into();
        entry.formation = (facts.kind.arm() == Arm::Foot).then_some(unit.formation);
        entry.width = Some(unit.stands);
        entry.figures = Some(unit.figures);
        entry.guns = matches!(facts.kind, Kind::Guns { .. }).then_some(unit.guns);
        entry.limbered = unit.limbered;
        entry.away = unit.away;
        entry.shaken = unit.shaken;
        entry.disordered = unit.disordered;
        entry.spotted = unit.spotted;
        entry.fought = unit.fought;
        entry.fled_once = unit.fled_once;
        entry.reforming = unit.reforming;
        entry.climbs = unit.climbs;
        let bend = unit.bend.unwrap_or_default();
        entry.wings = bend.wings.into_iter().filter(|stands| *stands > 0).collect();
        let turns = bend.turns.into_iter().take(entry.wings.len().saturating_sub(1));
        entry.turns = turns.map(|turn| f64::from(turn) / 100.0).collect();
        entry.started = (unit.start != facts.start).then_some(unit.start);
        entry.inside = unit.inside.map(|ground| battle.ground_id(ground));
        entry.rounds = unit.rounds;
        entry.advanced = unit.advanced;
        entry.chases = unit.chases;
        entry.place = (unit.place != Place::Table).then_some(unit.place);
        entry.now = unit.now;
    }
    for (entry, general) in scenario.body.generals.iter_mut().zip(&battle.generals) {
        entry.at = measure.pair(general.at);
        entry.charisma = general.charisma;
        entry.with = general.with.map(id);
        entry.lost = general.lost;
        entry.awaited = general.awaited;
        entry.rode = general.rode;
        entry.points = general.points;
    }
    let track = |unit: UnitId, pose: Pose| TrackEntry {
        unit: id(unit),
        at: measure.pair(pose.at),
        facing: pose.heading.into(),
    };
    scenario.body.state = State {
        turn: battle.turn,
        first: Some(scenario.sides[battle.first.index()].id.clone()),
        step: battle.step,
        moving: battle.moving.map(id),
        contacts: battle
            .contacts
            .iter()
            .map(|contact| ContactEntry {
                charger: id(contact.charger),
                target: id(contact.target),
                flank: contact.flank,
                cover: contact.cover,
                obstacle: contact.obstacle,
                into_obstacle: contact.into_obstacle,
                uphill: contact.uphill,
                fresh: contact.fresh,
                steady: contact.steady,
                overrun: contact.overrun,
                follows: contact.follows,
                pursuit: contact.pursuit,
                as_square: contact.as_square,
            })
            .collect(),
        shots: battle
            .shots
            .iter()
            .map(|shot| ShotEntry {
                unit: id(shot.unit),
                at: id(shot.at),
                shot: shot.shot,
                side: shot.side.map(|side| side + 1),
                favours: shot.favours.iter().map(|enemy| id(*enemy)).collect(),
            })
            .collect(),
        tracks: battle.tracks.iter().map(|(unit, pose)| track(*unit, *pose)).collect(),
        abandoned: battle.abandoned.iter().map(|guns| track(guns.unit, guns.pose)).collect(),
        parted: battle.parted.iter().map(|(one, other)| PartedEntry { one: id(*one), other: id(*other) }).collect(),
        favours: battle.favours.iter().map(|(one, other)| PartedEntry { one: id(*one), other: id(*other) }).collect(),
        volleys: battle
            .volleys
            .iter()
            .map(|(unit, at, hits)| VolleyEntry { unit: id(*unit), at: id(*at), hits: *hits })
            .collect(),
        chases: battle
            .chases
            .iter()
            .map(|chase| ChaseEntry {
                pursuer: id(chase.pursuer),
                quarry: id(chase.quarry),
                from: measure.pair(chase.from),
                recoiled: chase.recoiled,
            })
            .collect(),
        breaks: battle
            .breaks
            .iter()
            .map(|gap| BreakEntry {
                ground: battle.ground_id(gap.ground),
                from: measure.number(gap.from),
                to: measure.number(gap.to),
            })
            .collect(),
        battered: battle
            .battered
            .iter()
            .map(|one| BatteredEntry { ground: battle.ground_id(one.ground), section: one.section + 1, hits: one.hits })
            .collect(),
        batters: battle
            .batters
            .iter()
            .map(|one| BatterEntry {
                unit: id(one.unit),
                ground: battle.ground_id(one.ground),
                section: one.section + 1,
                back: !one.onward,
            })
            .collect(),
        pending: battle.pending.map(|pending| match pending {
            Pending::Detour { unit } => PendingEntry::Detour { unit: id(unit) },
            Pending::Refill { screen } => PendingEntry::Refill { screen: id(screen) },
            Pending::AtOnce { unit, charger } => PendingEntry::AtOnce { unit: id(unit), charger: id(charger) },
            Pending::Aim { unit } => PendingEntry::Aim { unit: id(unit) },
            Pending::Toll { garrison } => PendingEntry::Toll { garrison: id(garrison) },
            Pending::Evade { charger, target, way } => {
                PendingEntry::Evade { charger: id(charger), target: id(target), way: f64::from(way) / 100.0 }
            }
            Pending::Onward { charger } => PendingEntry::Onward { charger: id(charger) },
            Pending::Overrun { charger } => PendingEntry::Overrun { charger: id(charger) },
            Pending::Rout { unit, least, cause } => {
                PendingEntry::Rout { unit: id(unit), least: measure.number(least), cause: cause.map(id) }
            }
        }),
        launch: battle.launch.as_ref().map(|launch| LaunchEntry {
            unit: id(launch.unit),
            at: measure.pair(launch.was.pose.at),
            facing: launch.was.pose.heading.into(),
            formation: Some(launch.was.formation).filter(|was| *was != battle.unit(launch.unit).formation),
            width: launch.was.stands,
            shaken: launch.was.shaken,
            disordered: launch.was.disordered,
            spotted: launch.was.spotted,
            reforming: launch.was.reforming,
            advanced: launch.was.advanced,
            now: launch.was.now,
            before: launch.before.map(id),
            tracks: launch.tracks,
            paid: launch.paid.map(|general| scenario.body.generals[general.index()].id.clone()),
            near: launch.near.iter().map(|enemy| id(*enemy)).collect(),
        }),
    };
    scenario
}
