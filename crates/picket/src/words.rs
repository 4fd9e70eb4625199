//! What is said about it all.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{Named, Side, UnitId};
use sabretache_engine::ruleset::{Label, Telling};
use sabretache_engine::view::{Marker, MarkerStyle, Overlay, OverlayKind, ScoreLine, Symbol, UnitView, Verdict, View};
use sabretache_kit::shapes::{colour, corners, setting, side_name, stands};
use sabretache_kit::{centimetres, unit_ids};

use crate::Offer;
use crate::battle::{Battle, Event};
use crate::clauses::*;
use crate::moving::zone;

pub(crate) fn key(battle: &Battle, offer: &Offer) -> String {
    let id = |unit: &UnitId| &battle.fixed.entry(*unit).id;
    match offer {
        Offer::Advance(unit) => format!("advance {}", id(unit)),
        Offer::Wheel(unit) => format!("wheel {}", id(unit)),
        Offer::EndTurn => "end turn".into(),
        Offer::Fire => "fire".into(),
        Offer::HoldFire => "hold fire".into(),
    }
}

pub(crate) fn label(battle: &Battle, offer: &Offer) -> Label {
    let name = |unit: &UnitId| &battle.fixed.entry(*unit).name;
    let (text, unit, clause) = match offer {
        Offer::Advance(unit) => (format!("Advance {}", name(unit)), Some(*unit), PK_MOV_01),
        Offer::Wheel(unit) => (format!("Wheel {}", name(unit)), Some(*unit), PK_MOV_04),
        Offer::EndTurn => ("End the turn".into(), None, PK_SEQ_01),
        Offer::Fire | Offer::HoldFire => {
            let firer = battle.halted.as_ref().map(|halted| halted.firer);
            let who = firer.map_or("The picket".into(), |unit| name(&unit).clone());
            let does = if *offer == Offer::Fire { "fires" } else { "holds its fire" };
            (format!("{who} {does}"), firer, PK_VOL_01)
        }
    };
    Label { text, unit, command: None, clauses: vec![clause] }
}

pub(crate) fn decision(battle: &Battle) -> String {
    match &battle.halted {
        Some(halted) => {
            let (firer, mover) = (battle.fixed.entry(halted.firer), battle.fixed.entry(halted.mover));
            format!("{} comes into the zone of {}: fire?", mover.name, firer.name)
        }
        None => {
            let side = side_name(&battle.fixed.scenario, battle.phasing);
            format!("Turn {}: {side} may advance or wheel each picket once.", battle.turn)
        }
    }
}

pub(crate) fn tell(battle: &Battle, event: &Event) -> Telling {
    let name = |unit: UnitId| &battle.fixed.entry(unit).name;
    let about = |unit: UnitId, text: String, clause: Clause| Telling::new(text, Some(unit.into()), clause);
    match *event {
        Event::Acts { unit } => about(unit, format!("{} acts.", name(unit)), PK_SEQ_02),
        Event::Moved { unit, to } => {
            let by = battle.picket(unit).pose.at.distance(to.at);
            let turned = battle.picket(unit).pose.heading != to.heading;
            let how = if turned { "wheels".to_owned() } else { format!("advances {}", centimetres(by)) };
            about(unit, format!("{} {how}.", name(unit)), if turned { PK_MOV_04 } else { PK_MOV_01 })
        }
        Event::Halted { mover, firer, .. } => {
            about(mover, format!("{} is in the zone of {}.", name(mover), name(firer)), PK_VOL_01)
        }
        Event::HeldFire { unit } => about(unit, format!("{} holds its fire.", name(unit)), PK_VOL_01),
        Event::Fired { unit, at, hits } => {
            let hits = if hits == 1 { "1 hit".into() } else { format!("{hits} hits") };
            about(unit, format!("{} fires at {}: {hits}.", name(unit), name(at)), PK_VOL_02)
        }
        Event::Stood { unit } => about(unit, format!("{} stands.", name(unit)), PK_STE_01),
        Event::FellBack { unit } => about(unit, format!("{} falls back.", name(unit)), PK_STE_04),
        Event::MoveOver => Telling::new("The move is over.", None, PK_MOV_01),
        Event::TurnPassed { turn, to } => {
            let side = side_name(&battle.fixed.scenario, to);
            Telling::new(format!("Turn {turn}: {side}."), None, PK_SEQ_01)
        }
    }
}

/// What a run of events comes to: who fell back, who stood.
pub(crate) fn outcome(battle: &Battle, events: &[Event]) -> String {
    let said = events.iter().filter_map(|event| match event {
        Event::FellBack { unit } => Some(format!("{} falls back", battle.fixed.entry(*unit).name)),
        Event::Stood { unit } => Some(format!("{} is hit and stands", battle.fixed.entry(*unit).name)),
        Event::Fired { hits: 0, .. } => Some("no hits".into()),
        _ => None,
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() { "nothing to roll for".into() } else { said.join(", ") }
}

pub(crate) fn verdict(battle: &Battle) -> Option<Verdict> {
    let name = |side: Side| side_name(&battle.fixed.scenario, side);
    decides!(PK_WIN_01, PK_WIN_02);
    if let Some(beaten) = battle.beaten() {
        let sentence = format!("{} has no picket left.", name(beaten));
        return Some(Verdict { winner: Some(beaten.other()), sentence, clause: PK_WIN_01 });
    }
    let sentence = "Both sides hold their ground at the end.".into();
    battle.out_of_time().then_some(Verdict { winner: None, sentence, clause: PK_WIN_02 })
}

pub(crate) fn view(battle: &Battle) -> View {
    let scenario = &battle.fixed.scenario;
    let units = unit_ids(battle.pickets.len()).map(|unit| {
        let (picket, entry) = (battle.picket(unit), battle.fixed.entry(unit));
        let fired = Marker { name: "fired".into(), style: MarkerStyle::GreyPuff, count: 1 };
        UnitView {
            id: unit,
            key: entry.id.clone(),
            name: entry.name.clone(),
            side: picket.side,
            command: None,
            symbol: Symbol::Foot,
            coat: colour(scenario, picket.side),
            facings: "#f3eee2".into(),
            pose: (!picket.gone).then_some(picket.pose),
            stands: if picket.gone { Vec::new() } else { stands(&battle.placed(unit)) },
            formation: "line".into(),
            markers: picket.fired.then_some(fired).into_iter().collect(),
            lines: vec![format!("steadiness {}", entry.steadiness)],
            absent: picket.gone.then(|| "has fallen back".into()),
            lost: picket.gone,
        }
    });
    let left = |side: Side| battle.of(side).count().to_string();
    View {
        setting: setting(scenario, BOOK.name, Vec::new()),
        turn: Some(battle.turn),
        phase: if battle.halted.is_some() { "fire" } else { "movement" }.into(),
        phasing: Some(battle.phasing),
        units: units.collect(),
        officers: Vec::new(),
        commands: Vec::new(),
        score: vec![ScoreLine { name: "pickets left".into(), values: (left(Side::A), left(Side::B)) }],
        tokens: Vec::new(),
    }
}

pub(crate) fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
    match of {
        Named::Unit(unit) if battle.pickets.get(unit.index()).is_some_and(|picket| !picket.gone) => vec![Overlay {
            kind: OverlayKind::Zone,
            label: "fire zone".into(),
            rings: corners(&zone(battle, unit)),
            clause: PK_VOL_01,
        }],
        _ => Vec::new(),
    }
}
