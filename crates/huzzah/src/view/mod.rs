//! The table as it stands, for eyes and for reports in words.

mod ghosts;

use sabretache_engine::ids::{CommandId, GroundId, Named, OfficerId, Side, UnitId};
use sabretache_engine::view::{
    CommandView, GroundStyle, GroundView, Marker, MarkerStyle, OfficerView, Overlay, OverlayKind, ScoreLine, Setting,
    SideView, Symbol, UnitView, View,
};
use sabretache_table::{Face, FeatureShape, Outline, Placed, Point, circle, fan, rays};

pub(crate) use ghosts::{ghost, standing, standing_in};

use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::{HZ_BOM_12, HZ_CMD_02, HZ_ZON_02};
use crate::phases::victory;
use crate::state::{Phase, Stage};
use crate::table::{Field, ground, zones};
use crate::terrain::{Kind, Sunk, Terrain};
use crate::troops::{Arm, Draught, Guns, Horse, Level, Pieces};

/// The table as it stands.
#[must_use]
pub fn view(battle: &Battle) -> View {
    View {
        setting: setting(battle),
        turn: (battle.turn > 0).then_some(u32::from(battle.turn)),
        phase: phase(battle).to_owned(),
        phasing: (!matches!(battle.stage, Stage::SetUp | Stage::Skirmish | Stage::Over)).then_some(battle.phasing),
        units: battle.unit_ids().map(|id| unit(battle, id)).collect(),
        officers: battle.officer_ids().map(|id| officer(battle, id)).collect(),
        commands: battle.command_ids().map(|id| command(battle, id)).collect(),
        score: score(battle),
        tokens: Vec::new(),
    }
}

/// The phase, as the book calls it.
#[must_use]
pub fn phase(battle: &Battle) -> &'static str {
    match (battle.stage, battle.doing.phase) {
        (Stage::SetUp | Stage::ChooseFirst(_), _) => "Setting up",
        (Stage::Over, _) => "The battle is over",
        (_, Some(phase)) => Phase::word(phase),
        (_, None) => "Skirmisher superiority",
    }
}

fn setting(battle: &Battle) -> Setting {
    let scenario = &battle.lay.scenario;
    let colours = ["#2f4f9e", "#b5382f"];
    Setting {
        ruleset: crate::clauses::BOOK.name.to_owned(),
        title: scenario.title.clone(),
        date: scenario.date.clone(),
        place: scenario.place.clone(),
        summary: scenario.summary.clone(),
        rules: scenario.rules.clone(),
        measure: scenario.measure,
        width: battle.lay.table.width,
        depth: battle.lay.table.depth,
        sides: Side::BOTH
            .map(|side| SideView {
                side,
                name: battle.lay.side_name(side).to_owned(),
                colour: scenario
                    .sides
                    .get(side.index())
                    .and_then(|entry| entry.colour.clone())
                    .unwrap_or_else(|| colours[side.index()].to_owned()),
            })
            .to_vec(),
        ground: battle.lay.ground.features().iter().filter_map(|feature| ground(battle, feature)).collect(),
    }
}

fn ground(battle: &Battle, feature: &sabretache_table::Feature) -> Option<GroundView> {
    let terrain = battle.lay.terrain.get(usize::from(feature.id.0))?;
    // A hedge of which nothing is left is not drawn.
    if terrain.kind == Kind::Open && matches!(feature.shape, FeatureShape::Line { .. }) {
        return None;
    }
    let exploded = battle.exploded.contains(&feature.id.0);
    let (rings, line, width) = match &feature.shape {
        FeatureShape::Area { outer, holes } => {
            (std::iter::once(outer.clone()).chain(holes.iter().cloned()).collect(), Vec::new(), None)
        }
        FeatureShape::Line { points, width } => (Vec::new(), points.clone(), Some(*width)),
        FeatureShape::Spot { at, .. } => (Vec::new(), vec![*at], None),
    };
    Some(GroundView {
        id: GroundId(feature.id.0),
        kind: terrain.kind.word().to_owned(),
        drawn: style(terrain),
        name: terrain.name.clone(),
        rings,
        line,
        width,
        level: terrain.level,
        note: exploded.then(|| "its mine has gone up".to_owned()),
        faces_left: None,
    })
}

pub(crate) fn style(terrain: &Terrain) -> GroundStyle {
    match terrain.kind {
        Kind::Open => GroundStyle::Field,
        Kind::Hill { steep: false, .. } => GroundStyle::Hill,
        Kind::Hill { steep: true, .. } => GroundStyle::SteepHill,
        Kind::Ridge => GroundStyle::Ridge,
        Kind::Broken | Kind::WolfPits | Kind::Cliff { .. } => GroundStyle::Rough,
        Kind::Wood { heavy: false } => GroundStyle::LightWood,
        Kind::Wood { heavy: true } => GroundStyle::Wood,
        Kind::Water { .. } => GroundStyle::River,
        Kind::Crossing => GroundStyle::Bridge,
        Kind::Hedge { .. } => GroundStyle::Hedge,
        Kind::Wall { .. } => GroundStyle::Wall,
        Kind::Redoubt { .. } => GroundStyle::Works,
        Kind::Sunken { sort: Sunk::Road, .. } => GroundStyle::SunkenRoad,
        Kind::Sunken { .. } => GroundStyle::Ditch,
        Kind::Lake => GroundStyle::Water,
        Kind::Marsh { .. } => GroundStyle::Marsh,
        Kind::Road { .. } => GroundStyle::Road,
        Kind::Buildings { .. } => GroundStyle::Buildings,
        Kind::Rampart { .. } => GroundStyle::Rampart,
        Kind::Breach { .. } => GroundStyle::Breach,
    }
}

fn ring(outline: &impl Outline) -> Vec<Point> {
    let mut corners: Vec<Point> = outline.part(0).corners.iter().map(|&corner| Point::rounded(corner)).collect();
    corners.reverse();
    corners
}

fn unit(battle: &Battle, id: UnitId) -> UnitView {
    let (state, facts) = (battle.unit(id), battle.facts(id));
    let there = battle.is_present(id);
    let contingent = &battle.lay.contingents[usize::from(facts.contingent)];
    let mut markers = Vec::new();
    let mut mark = |name: &str, style: MarkerStyle, count: u8| {
        if count > 0 {
            markers.push(Marker { name: name.into(), style, count: i32::from(count) });
        }
    };
    mark("staggers", MarkerStyle::YellowDiamond, state.staggers);
    mark("kills", MarkerStyle::RedSquare, state.kills);
    mark("smoke", MarkerStyle::GreyPuff, state.smoke);
    mark("blown", MarkerStyle::GreenRing, u8::from(state.blown));
    mark("forced order", MarkerStyle::BlueFlag, u8::from(state.forced.is_some()));
    mark("bombardments", MarkerStyle::Stone, state.bombardments);
    mark("routing", MarkerStyle::BlackChevron, u8::from(state.routing));
    mark("on the wall", MarkerStyle::WhiteDisc, u8::from(state.scaled.is_some()));
    let mut lines = vec![match state.quality {
        Some(quality) => {
            let morale = battle.numbers().morale.of(quality);
            format!("{quality} {}/{}", morale.full, morale.disadvantaged)
        }
        None => {
            facts.rolled_as.map_or_else(String::new, |(grade, class)| format!("{grade} {class}, quality to be rolled"))
        }
    }];
    if facts.arm == Arm::Cavalry && facts.horse != Horse::Plain {
        lines.push(facts.horse.to_string());
    }
    if facts.arm == Arm::Artillery {
        lines.push(format!("{} {} {}", facts.guns, facts.draught, facts.pieces));
    }
    let abilities = [
        (facts.abilities.skirmish, "Skirmish"),
        (facts.abilities.open_order, "Open Order"),
        (facts.abilities.renown, "Renown"),
        (facts.small, "small unit"),
    ];
    lines.extend(abilities.iter().filter(|(has, _)| *has).map(|(_, word)| (*word).to_owned()));
    if let Some(forced) = state.forced {
        lines.push(format!("forced order: {forced}"));
    }
    UnitView {
        id,
        key: facts.id.clone(),
        name: facts.name.clone(),
        side: facts.side,
        command: Some(facts.brigade),
        symbol: symbol(battle, id),
        coat: contingent.coat.clone().unwrap_or_else(|| ["#2f4f9e", "#b5382f"][facts.side.index()].to_owned()),
        facings: facts.facings.clone().unwrap_or_else(|| "#e8e2d0".to_owned()),
        pose: there.then_some(state.pose),
        stands: match (there, battle.sector_of(id)) {
            (false, _) => Vec::new(),
            (true, Some(_)) => vec![ring(&battle.placed(id))],
            (true, None) => ghosts::stands(battle, id, state.formation, state.pose),
        },
        formation: state.formation.to_string(),
        markers,
        lines,
        absent: match state.presence {
            Presence::Present => None,
            Presence::Awaited => Some("still to arrive".into()),
            Presence::Shattered => Some("broken".into()),
            Presence::RoutedOff => Some("routed off".into()),
            Presence::RetiredOff => Some("retired off".into()),
            Presence::Skirmishing => Some("in the skirmish line".into()),
            Presence::Destroyed | Presence::Disbanded => Some("destroyed".into()),
        },
        lost: !matches!(state.presence, Presence::Present | Presence::Awaited | Presence::Skirmishing),
    }
}

fn symbol(battle: &Battle, id: UnitId) -> Symbol {
    let facts = battle.facts(id);
    match facts.arm {
        Arm::Infantry if facts.abilities.opens_order() => Symbol::LightFoot,
        Arm::Infantry => Symbol::Foot,
        Arm::Cavalry => match facts.horse {
            Horse::Battle | Horse::BattlePursuit => Symbol::HeavyHorse,
            Horse::Pursuit | Horse::Cossacks | Horse::Yoruks => Symbol::LightHorse,
            Horse::Plain => Symbol::Horse,
        },
        Arm::Artillery => match (facts.pieces, facts.guns, facts.draught) {
            (Pieces::Howitzers | Pieces::Rockets, _, _) => Symbol::Howitzers,
            (_, _, Draught::Horse) => Symbol::HorseGuns,
            (_, Guns::Heavy, _) => Symbol::HeavyGuns,
            _ => Symbol::Guns,
        },
    }
}

fn officer(battle: &Battle, id: OfficerId) -> OfficerView {
    let (state, facts) = (battle.officer(id), battle.officer_facts(id));
    let there = battle.is_there(id);
    let level = battle.command_facts(facts.command).level;
    let mut lines = vec![match state.ability {
        Some(ability) => format!("{ability}, rating {}", battle.rating(id)),
        None => "to be rolled".into(),
    }];
    if state.inspirational {
        lines.push("inspirational".into());
    }
    if let Some(command) = state.supersedes {
        lines.push(format!("has taken over {}", battle.command_facts(command).name));
    }
    match state.status {
        OfficerStatus::Present => {}
        OfficerStatus::Awaited => lines.push("still to come".into()),
        OfficerStatus::Superseded => lines.push("superseded".into()),
        OfficerStatus::Removed => lines.push("off the field with his command".into()),
        OfficerStatus::Killed => lines.push("killed".into()),
        OfficerStatus::Captured => lines.push("captured".into()),
    }
    OfficerView {
        id,
        key: facts.id.clone(),
        name: facts.name.clone(),
        side: facts.side,
        command: Some(facts.command),
        rank: match level {
            Level::Brigade => "brigade officer",
            Level::Division => "division officer",
            Level::Corps => "corps officer",
            Level::Army => "commander in chief",
        }
        .into(),
        grade: level as u8 + 1,
        at: there.then_some(state.at),
        radius: there.then(|| battle.radius(id)),
        with: state.with.filter(|_| there),
        markers: Vec::new(),
        lines,
    }
}

fn command(battle: &Battle, id: CommandId) -> CommandView {
    let (state, facts) = (battle.command(id), battle.command_facts(id));
    let mut lines = vec![facts.level.to_string()];
    if battle.is_gone(id) {
        lines.push("broken".into());
    }
    match state.passed {
        Some(true) => lines.push("passed its last command check".into()),
        Some(false) => lines.push("failed its last command check".into()),
        None => {}
    }
    if state.must_check {
        lines.push("must check".into());
    }
    if state.silenced {
        lines.push("receives no further orders this phase".into());
    }
    CommandView {
        id,
        key: facts.id.clone(),
        name: facts.name.clone(),
        side: facts.side,
        above: facts.above,
        officer: battle.leader(id),
        lines,
    }
}

fn score(battle: &Battle) -> Vec<ScoreLine> {
    let lost = Side::BOTH.map(|side| {
        let army = battle.lay.armies[side.index()].command;
        format!("{} of {}", battle.broken_units(army), battle.lay.armies[side.index()].strength)
    });
    let [a, b] = lost;
    let mut lines = vec![ScoreLine { name: "broken units".into(), values: (a, b) }];
    if !battle.lay.objectives.is_empty() {
        let [a, b] = victory::score(battle);
        lines.push(ScoreLine { name: "points".into(), values: (a.to_string(), b.to_string()) });
    }
    let holds = |side: Side| if battle.superiority == Some(side) { "yes" } else { "no" }.to_owned();
    lines.push(ScoreLine { name: "skirmisher superiority".into(), values: (holds(Side::A), holds(Side::B)) });
    lines
}

/// Zones, lanes of fire and command radii.
#[must_use]
pub fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
    match of {
        Named::Unit(id) if id.index() < battle.units.len() && battle.is_present(id) => {
            let field = Field::of(battle);
            let mut all: Vec<Overlay> = zones::outlines(&field, id)
                .iter()
                .map(|zone| Overlay {
                    kind: OverlayKind::Zone,
                    label: "threat zone".into(),
                    rings: vec![zone.corners.iter().map(|&corner| Point::rounded(corner)).collect()],
                    clause: HZ_ZON_02,
                })
                .collect();
            if battle.is_unlimbered(id) {
                all.extend(lanes(&field, id));
            }
            all
        }
        Named::Officer(id) if id.index() < battle.officers.len() && battle.is_there(id) => {
            let ring = circle(battle.officer_at(id).v(), battle.radius(id).f());
            let rings = vec![ring.into_iter().map(Point::rounded).collect()];
            vec![Overlay { kind: OverlayKind::Command, label: "command radius".into(), rings, clause: HZ_CMD_02 }]
        }
        _ => Vec::new(),
    }
}

/// The lanes of a battery, none of them through friends: those who stand lower than guns on a hill are fired over beyond
/// short range (HZ-BOM-06, HZ-BOM-10).
fn lanes(field: &Field<'_>, id: UnitId) -> Vec<Overlay> {
    let (battle, Some(placed)) = (field.battle, field.get(id)) else { return Vec::new() };
    let ends = battle.numbers().ranges.of(battle.facts(id).guns);
    let level = ground::elevation(battle, placed);
    let friends: Vec<&Placed> = field.friends(id).map(|(_, friend)| friend).collect();
    let level_ones: Vec<&Placed> =
        friends.iter().copied().filter(|friend| ground::elevation(battle, friend) >= level).collect();
    let ranges = [("short range", ends.short), ("long range", ends.long), ("extreme range", ends.extreme)];
    let lane = |(n, (label, end)): (usize, &(&str, _))| {
        let lane = rays(placed.face(Face::Front), placed.forward(), battle.lay.length(*end).f(), 0.0, RAYS);
        let ring = fan(&lane, if n == 0 { &friends } else { &level_ones });
        let rings = vec![ring.into_iter().map(Point::rounded).collect()];
        Overlay { kind: OverlayKind::Fire, label: (*label).into(), rings, clause: HZ_BOM_12 }
    };
    ranges.iter().enumerate().map(lane).collect()
}

/// So many rays show a lane of fire.
const RAYS: usize = 33;
