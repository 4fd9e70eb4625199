//! The table for eyes.

mod overlays;
mod preview;

pub(crate) use overlays::overlays;
pub(crate) use preview::preview;

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, GroundId, OfficerId, Side, UnitId};
use sabretache_engine::view::{
    CommandView, GroundStyle, GroundView, Marker, MarkerStyle, OfficerView, ScoreLine, Setting, SideView, Symbol,
    TokenView, UnitView, View,
};
use sabretache_table::{Point, Pose, Quad};

use crate::battle::{Battle, Kind, Place, Step, Unit};
use crate::clauses::*;
use crate::phases::shooting::class_word;
use crate::phases::victory::points;
use crate::terrain::Kinds;
use crate::troops::Weight;
use crate::words::terms::{absence, formation_word, inches, phase};

fn ring(quad: &Quad) -> Vec<Point> {
    let mut corners: Vec<Point> = quad.as_part().corners.iter().map(|corner| Point::rounded(*corner)).collect();
    // From the front left, clockwise.
    corners.reverse();
    corners.rotate_right(3);
    corners.rotate_left(1);
    corners
}

/// The single stands of a unit, each as a ring.
fn stands(unit: &Unit, battle: &Battle, id: UnitId, pose: Pose) -> Vec<Vec<Point>> {
    let (facts, numbers) = (battle.facts(id), battle.numbers());
    let footprint = unit.footprint(facts, numbers);
    // Figures in a block are shown in its middle; where they are does not matter.
    let pose = match battle.block_of(id).filter(|_| unit.inside.is_some()) {
        Some(block) => crate::table::shape::about_centre(block.placed.centre(), pose.heading, &footprint),
        None => pose,
    };
    let turn = |stand: &sabretache_table::Stand| (pose.heading + stand.at.heading.as_turn()).unit();
    footprint
        .stands()
        .iter()
        .map(|stand| {
            let front = pose.local(stand.at.at.x, stand.at.at.y);
            ring(&Quad::new(front, turn(stand), stand.width.f() / 2.0, stand.width.f() / 2.0, 0.0, stand.depth.f()))
        })
        .collect()
}

fn symbol(kind: Kind) -> Symbol {
    match kind {
        Kind::Foot { light: true, .. } => Symbol::LightFoot,
        Kind::Foot { .. } => Symbol::Foot,
        Kind::Horse { weight: Weight::Light, .. } => Symbol::LightHorse,
        Kind::Horse { weight: Weight::Heavy, .. } => Symbol::Horse,
        Kind::Horse { weight: Weight::Cuirassier, .. } => Symbol::HeavyHorse,
        Kind::Guns { horse: true, .. } => Symbol::HorseGuns,
        Kind::Guns { class: crate::troops::GunClass::Heavy, .. } => Symbol::HeavyGuns,
        Kind::Guns { .. } => Symbol::Guns,
    }
}

fn unit_view(battle: &Battle, id: UnitId) -> UnitView {
    let (unit, facts) = (battle.unit(id), battle.facts(id));
    let entry = &battle.fixed.scenario.body.units[id.index()];
    let there = unit.place == Place::Table;
    let marker = |name: &str, style, count| Marker { name: name.into(), style, count };
    let mut markers = Vec::new();
    if there {
        let flags = [
            (unit.shaken, "shaken", MarkerStyle::RedSquare),
            (unit.disordered, "disordered", MarkerStyle::YellowDiamond),
            (unit.now.fired, "fired", MarkerStyle::GreyPuff),
            (unit.now.charging, "charging", MarkerStyle::BlackChevron),
        ];
        markers.extend(flags.iter().filter(|flag| flag.0).map(|(_, name, style)| marker(name, *style, 1)));
        let lost = unit.start - (unit.figures + unit.out).min(unit.start);
        if lost > 0 && facts.screen_of.is_none() {
            markers.push(marker("lost", MarkerStyle::WhiteDisc, lost.into()));
        }
    }
    let formation = match facts.kind {
        Kind::Foot { .. } => formation_word(unit.formation_now(facts, battle.numbers())).to_owned(),
        Kind::Horse { .. } if unit.deep(facts) >= 3 => "column".into(),
        Kind::Horse { .. } => "line".into(),
        Kind::Guns { .. } if unit.away => "gunners without guns".into(),
        Kind::Guns { .. } if unit.limbered => "limbered".into(),
        Kind::Guns { .. } => "unlimbered".into(),
    };
    decides!(BB_GEN_01);
    let men = u32::from(unit.figures) * if matches!(facts.kind, Kind::Guns { .. }) { 5 } else { 20 };
    let mut lines = vec![format!("grade {:?}, {} of {} figures, {men} men", facts.grade, unit.figures, unit.start)];
    if let Some(ground) = unit.inside {
        lines.push(format!("in {}", battle.ground_name(ground)));
    }
    if let Kind::Guns { class, models, .. } = facts.kind {
        lines.push(format!("{} of {} {}", unit.guns, models * 2, class_word(class)));
    }
    lines.push(if battle.steady(id) { "steady" } else { "unsteady" }.into());
    if there && !battle.in_command(id) {
        lines.push("out of command".into());
    }
    let colour = side_colour(battle, facts.side);
    UnitView {
        id,
        key: entry.id.clone(),
        name: entry.name.clone(),
        side: facts.side,
        command: Some(facts.brigade),
        symbol: symbol(facts.kind),
        coat: entry.coat.clone().unwrap_or_else(|| colour.clone()),
        facings: entry.facings.clone().unwrap_or_else(|| "#f3eee2".into()),
        pose: there.then_some(unit.pose),
        stands: if there { stands(unit, battle, id, unit.pose) } else { Vec::new() },
        formation,
        markers,
        lines,
        absent: match battle.arrival_turn(facts.brigade).filter(|_| unit.place == Place::Awaited) {
            Some(turn) => Some(format!("comes on in turn {turn}")),
            None => absence(unit.place),
        },
        lost: matches!(unit.place, Place::Shattered | Place::Fled | Place::Surrendered),
    }
}

fn side_colour(battle: &Battle, side: Side) -> String {
    let entry = &battle.fixed.scenario.sides[side.index()];
    entry.colour.clone().unwrap_or_else(|| ["#2d4a8f", "#b5382f"][side.index()].into())
}

pub(crate) fn drawn(kind: Kinds, word: &str) -> GroundStyle {
    match kind {
        Kinds::Wood => GroundStyle::Wood,
        Kinds::Rough => GroundStyle::Rough,
        Kinds::Hill => GroundStyle::Hill,
        Kinds::Slope => GroundStyle::SteepHill,
        Kinds::Ploughed => GroundStyle::Field,
        Kinds::River => GroundStyle::River,
        Kinds::Bridge => GroundStyle::Bridge,
        Kinds::Ford => GroundStyle::Ford,
        Kinds::Road => GroundStyle::Road,
        Kinds::Hedgerow => GroundStyle::Hedge,
        Kinds::Abatis => GroundStyle::Abatis,
        Kinds::LightWorks | Kinds::HeavyWorks => GroundStyle::Works,
        Kinds::CityWall => GroundStyle::Rampart,
        Kinds::Town => GroundStyle::Buildings,
        Kinds::Obstacle => match word {
            "wall" => GroundStyle::Wall,
            "hedge" | "fence" => GroundStyle::Hedge,
            "ditch" => GroundStyle::Ditch,
            _ => GroundStyle::River,
        },
    }
}

fn ground_views(battle: &Battle) -> Vec<GroundView> {
    let measure = battle.fixed.scenario.measure;
    let pieces = battle.fixed.scenario.ground.iter().zip(&battle.fixed.terrain).enumerate();
    let whole = pieces.map(|(n, (piece, terrain))| {
        let points = |pairs: &[_]| pairs.iter().map(|pair| measure.point(*pair)).collect::<Vec<Point>>();
        let area = std::iter::once(&piece.area).chain(&piece.holes).filter(|ring| !ring.is_empty());
        GroundView {
            id: GroundId(n as u16),
            kind: terrain.word.clone(),
            drawn: drawn(terrain.kind, &terrain.word),
            name: piece.name.clone(),
            rings: area.map(|ring| points(ring)).collect(),
            line: points(&piece.line),
            width: piece.width.map(|width| measure.length(width)),
            level: piece.level.unwrap_or(0),
            note: Some(battle_note(terrain)),
            faces_left: None,
        }
    });
    whole.chain(broken_views(battle)).collect()
}

/// Broken stretches of hedgerows, works and walls, drawn over them.
fn broken_views(battle: &Battle) -> Vec<GroundView> {
    let first = battle.fixed.scenario.ground.len();
    let gaps = battle.breaks.iter().enumerate();
    gaps.filter_map(|(n, gap)| {
        let barrier = battle.barrier_of(gap.ground)?;
        let place = |at: f64| Point::rounded(barrier.place(at).0);
        Some(GroundView {
            id: GroundId((first + n) as u16),
            kind: "broken".into(),
            drawn: GroundStyle::Breach,
            name: None,
            rings: Vec::new(),
            line: vec![place(gap.from.f()), place(gap.to.f())],
            width: None,
            level: 0,
            note: Some(format!("{} of {} are down", inches(gap.to - gap.from), battle.ground_name(gap.ground))),
            faces_left: None,
        })
    })
    .collect()
}

fn battle_note(terrain: &crate::terrain::Terrain) -> String {
    let mut notes = Vec::new();
    if terrain.disorders {
        notes.push("disorders".to_owned());
    }
    if terrain.cover_shooting != crate::troops::Cover::None {
        notes.push(format!("{:?} cover against shooting", terrain.cover_shooting).to_lowercase());
    }
    if terrain.cover_combat != crate::troops::Cover::None {
        notes.push(format!("{:?} cover in combat", terrain.cover_combat).to_lowercase());
    }
    if terrain.pace.foot == 0 {
        notes.push("impassable".into());
    } else if terrain.pace.foot > 1 {
        notes.push("slow".into());
    }
    if notes.is_empty() { terrain.word.clone() } else { notes.join(", ") }
}

pub(crate) fn view(battle: &Battle) -> View {
    let scenario = &battle.fixed.scenario;
    let side = |side: Side| SideView {
        side,
        name: scenario.sides[side.index()].name.clone(),
        colour: side_colour(battle, side),
    };
    let officers = battle.generals.iter().zip(&scenario.body.generals).enumerate().map(|(n, (general, entry))| {
        let radius = &battle.numbers().radius;
        let reach = if general.with.is_some() { radius.attached } else { radius.alone };
        OfficerView {
            id: OfficerId(n as u16),
            key: entry.id.clone(),
            name: entry.name.clone(),
            side: general.side,
            command: general.brigade,
            rank: if general.cinc { "commander-in-chief" } else { "brigadier" }.into(),
            grade: if general.cinc { 2 } else { 1 },
            at: general.there().then_some(general.at),
            radius: general.there().then_some(reach.0),
            with: general.with,
            markers: Vec::new(),
            lines: general.charisma.map(|charisma| format!("charisma +{charisma}")).into_iter().collect(),
        }
    });
    let commands = scenario.body.brigades.iter().enumerate().map(|(n, entry)| {
        let own = CommandId(n as u16);
        let leader = battle.generals.iter().position(|general| general.brigade == Some(own));
        CommandView {
            id: own,
            key: entry.id.clone(),
            name: entry.name.clone(),
            side: battle.fixed.brigades[n].side,
            above: None,
            officer: leader.map(|n| OfficerId(n as u16)),
            lines: Vec::new(),
        }
    });
    let lost = |side: Side| {
        let (lost, start) = battle.losses(side);
        format!("{lost} of {start}")
    };
    let mut score = vec![ScoreLine { name: "figures lost".into(), values: (lost(Side::A), lost(Side::B)) }];
    if !battle.fixed.objectives.is_empty() {
        let held = |side: Side| points(battle, side).to_string();
        score.push(ScoreLine {
            name: if battle.fixed.objectives.iter().all(|one| one.place().is_some()) {
                "ground held"
            } else {
                "objectives"
            }
            .into(),
            values: (held(Side::A), held(Side::B)),
        });
    }
    View {
        setting: Setting {
            ruleset: "batteries".into(),
            title: scenario.title.clone(),
            date: scenario.date.clone(),
            place: scenario.place.clone(),
            summary: scenario.summary.clone(),
            rules: scenario.rules.clone(),
            measure: scenario.measure,
            width: battle.fixed.table.width,
            depth: battle.fixed.table.depth,
            sides: Side::BOTH.into_iter().map(side).collect(),
            ground: ground_views(battle),
        },
        turn: Some(battle.turn),
        phase: phase(battle, battle.step),
        phasing: matches!(battle.step, Step::MoveA | Step::MoveB | Step::AimA | Step::AimB).then(|| battle.phasing()),
        units: (0..battle.units.len())
            .filter(|n| battle.units[*n].place != Place::Ranks)
            .map(|n| unit_view(battle, UnitId(n as u16)))
            .collect(),
        officers: officers.collect(),
        commands: commands.collect(),
        score,
        tokens: battle
            .abandoned
            .iter()
            .map(|guns| TokenView {
                marker: Marker {
                    name: "abandoned guns".into(),
                    style: MarkerStyle::Stone,
                    count: battle.unit(guns.unit).models().into(),
                },
                at: guns.pose.at,
            })
            .collect(),
    }
}
