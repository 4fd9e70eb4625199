//! The table for eyes.

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, GroundId, Named, OfficerId, Side, UnitId};
use sabretache_engine::offer::{Ghost, Input, Preview, Value};
use sabretache_engine::view::{
    CommandView, GroundStyle, GroundView, Marker, MarkerStyle, OfficerView, Overlay, OverlayKind, ScoreLine, Setting,
    SideView, Symbol, TokenView, UnitView, View,
};
use sabretache_table::{Direction, Point, Pose, Quad, Segment, circle, fan, rays, wheeled_pose};

use crate::battle::{Battle, Kind, Place, Step, Unit};
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::charges::offers::Charges;
use crate::phases::formations::offers::Formations;
use crate::phases::input;
use crate::phases::movement::oblique;
use crate::phases::movement::offers::Movement;
use crate::phases::screens::offers::Screens;
use crate::phases::shooting::class_word;
use crate::phases::victory::points;
use crate::terrain::Kinds;
use crate::troops::{Calibre, Fire, Shot, Weight};
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

/// Where a unit would stand.
pub(crate) fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
    let ghost = |unit: UnitId, state: &Unit, pose: Pose| {
        let track = vec![battle.unit(unit).pose.at, pose.at];
        Ghost { unit, pose, stands: stands(state, battle, unit, pose), track }
    };
    let straight = |unit: UnitId, way: Direction, by| {
        let pose = battle.unit(unit).pose;
        (unit, pose.moved(way.heading(pose), by))
    };
    use Movement::{Advance, Face, March, Oblique, Pass, Retire, Sidestep, Wheel};
    let moved = match (*offer, value) {
        (Offer::Movement(Pass { unit, by, .. }), Value::Distance(_)) => {
            return preview(battle, &by.alone(unit).into(), value);
        }
        (Offer::Movement(Advance(unit)), Value::Distance(by)) => Some(straight(unit, Direction::Ahead, *by)),
        (Offer::Movement(Retire(unit)), Value::Distance(by)) => Some(straight(unit, Direction::Back, *by)),
        (Offer::Movement(Sidestep { unit, right }), Value::Distance(by)) => {
            Some(straight(unit, if right { Direction::Right } else { Direction::Left }, *by))
        }
        (Offer::Movement(Oblique { unit, right }), Value::Distance(by)) => {
            Some(straight(unit, oblique(battle, unit, right), *by))
        }
        (Offer::Movement(March(unit)), Value::Distance(by)) => {
            battle.march_way(unit).ok().map(|way| straight(unit, Direction::Toward(way), *by))
        }
        (Offer::Movement(Wheel(unit)), Value::Wheel(by)) => Some((unit, wheeled_pose(&battle.placed(unit), *by))),
        (Offer::Movement(Face(unit)), Value::Wheel(by)) => Some((unit, battle.turned(unit, *by))),
        (Offer::Charges(Charges::Evade { way, .. }), Value::Distance(by)) => match battle.pending {
            Some(crate::battle::Pending::Evade { charger, target, .. }) => {
                Some((target, battle.evade_pose(target, charger, way, *by)))
            }
            _ => None,
        },
        (Offer::Charges(Charges::Charge(unit)), _) => {
            battle.run(unit).ok().map(|run| (unit, battle.unit(unit).pose.ahead(run.length)))
        }
        _ => None,
    };
    let stops = match input(battle, offer) {
        Ok(Input::Distance { stops, .. }) => stops,
        _ => Vec::new(),
    };
    let measure = value.distance().map(inches);
    if let (Offer::Formations(Formations::Form(unit)), Some(name)) = (*offer, value.formation())
        && let Some(shape) = battle.shape_named(unit, name)
    {
        let (state, pose) = battle.as_shape(unit, &shape);
        return Preview { ghosts: vec![ghost(unit, &state, pose)], stops, measure, ..Preview::default() };
    }
    if let (Offer::Screens(Screens::Screen { unit, stands }), Value::Distance(gap)) = (*offer, value)
        && let Some((screen, state, pose)) = battle.screen_ghost(unit, stands, *gap)
    {
        let ghost = Ghost { track: vec![battle.unit(unit).pose.at, pose.at], ..ghost(screen, &state, pose) };
        return Preview { ghosts: vec![ghost], stops, measure, ..Preview::default() };
    }
    let ghosts = moved.map(|(unit, pose)| ghost(unit, battle.unit(unit), pose)).into_iter().collect();
    Preview { ghosts, stops, measure, ..Preview::default() }
}

/// Arcs of fire and command radii.
pub(crate) fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
    match of {
        Named::Unit(unit) if battle.units.get(unit.index()).is_some_and(|state| state.place == Place::Table) => {
            fires(battle, unit)
                .into_iter()
                .flat_map(|(fire, label)| fields_of_fire(battle, unit, fire, label))
                .collect()
        }
        Named::Officer(general) if battle.generals.get(general.index()).is_some_and(crate::battle::General::there) => {
            let leader = battle.general(general);
            let radius = &battle.numbers().radius;
            let reach = if leader.with.is_some() { radius.attached } else { radius.alone };
            let ring = circle(leader.at.v(), reach.0.f()).into_iter().map(Point::rounded).collect();
            vec![Overlay {
                kind: OverlayKind::Command,
                label: "command radius".into(),
                rings: vec![ring],
                clause: BB_LEA_05,
            }]
        }
        _ => Vec::new(),
    }
}

/// The kinds of fire that a unit has as it stands: none on horseback, with limbered guns, or away from them.
fn fires(battle: &Battle, unit: UnitId) -> Vec<(Fire, &'static str)> {
    let state = battle.unit(unit);
    match battle.facts(unit).kind {
        Kind::Horse { .. } => Vec::new(),
        Kind::Foot { .. } => battle.fire_of(unit, None).map(|fire| (fire, "fire")).into_iter().collect(),
        Kind::Guns { .. } if state.limbered || state.away => Vec::new(),
        Kind::Guns { class, .. } => vec![
            (Fire::Guns(Calibre { class, shot: Shot::Canister }), "canister"),
            (Fire::Guns(Calibre { class, shot: Shot::Ball }), "ballshot"),
        ],
    }
}

/// So many rays show each part of a field of fire: an arc of 45 degrees is true to a 50,000th of its range.
const RAYS: usize = 65;

/// What a unit can shoot into, so far to each side of its outermost figures: a field for each way that figures of it
/// look (the faces of a square, the wings of a bent line, the sides of a town block). Not through friends, but ballshot over
/// those on lower ground (BB-SHO-43).
fn fields_of_fire(battle: &Battle, unit: UnitId, fire: Fire, label: &str) -> Vec<Overlay> {
    let reach = battle.numbers().shooting.reach(fire).0;
    let level = battle.level(battle.placed(unit).centre());
    let friends: Vec<_> = battle
        .friends(unit)
        .map(|friend| battle.placed(friend))
        .filter(|friend| !fire.is_ball() || battle.level(friend.centre()) >= level)
        .collect();
    let posts = battle.posts(unit);
    let fields = posts.chunk_by(|one, next| one.out == next.out).filter_map(|posts| {
        let (first, last) = (posts.first()?, posts.last()?);
        let edge = Segment::new(first.at, last.at);
        let rays = rays(edge, first.out, reach.f(), battle.numbers().arc.radians(), RAYS);
        let ring = fan(&rays, &friends).into_iter().map(Point::rounded).collect();
        Some(Overlay { kind: OverlayKind::Fire, label: label.into(), rings: vec![ring], clause: BB_SHO_07 })
    });
    fields.collect()
}
