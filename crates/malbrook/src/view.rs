//! The table as it stands, for eyes.

use crate::phases::command;
use crate::phases::messages;
use crate::phases::morale;
use crate::phases::options;
use sabretache_engine::decides;
use sabretache_engine::eyes::Eyes;
use sabretache_engine::ids::{CommandId, GroundId, Named, OfficerId, Side, UnitId};
use sabretache_engine::view::{
    CommandView, GroundView, Marker, MarkerStyle, OfficerView, Overlay, OverlayKind, ScoreLine, Setting, SideView,
    Symbol, TokenView, UnitView, View,
};
use sabretache_table::{FeatureShape, Outline, Point, circle};

use crate::battle::Battle;
use crate::brigade::Status;
use crate::clauses::{MB_ART_02, MB_CTL_01, MB_GEN_06, MB_GEN_09, MB_UMP_04};
use crate::table::lay::zone_of;
use crate::troops::{Formation, Kind, Rank};
use crate::words::{counted, phase_word};

pub(crate) fn corners(outline: &impl Outline) -> Vec<Vec<Point>> {
    outline.parts().map(|part| part.corners.iter().map(|corner| Point::rounded(*corner)).collect()).collect()
}

/// The bases of a brigade, front left first and clockwise, as they are told; the table goes anticlockwise from the front right.
pub(crate) fn bases(figure: &crate::table::lay::Figure) -> Vec<Vec<Point>> {
    let corners = |base: &sabretache_table::Quad| {
        let mut corners: Vec<Point> = base.as_part().corners.iter().rev().map(|at| Point::rounded(*at)).collect();
        corners.rotate_left(2);
        corners
    };
    figure.bases.iter().map(corners).collect()
}

fn colour(battle: &Battle, side: Side) -> String {
    let entry = &battle.fixed.scenario.sides[side.index()];
    entry.colour.clone().unwrap_or_else(|| ["#2d4a8f", "#b5382f"][side.index()].into())
}

fn symbol(kind: Kind) -> Symbol {
    match kind {
        Kind::Foot | Kind::ConvergedGrenadiers => Symbol::Foot,
        Kind::DismountedDragoons => Symbol::LightFoot,
        Kind::Horse => Symbol::Horse,
        Kind::Dragoons => Symbol::Dragoons,
        Kind::Hussars => Symbol::LightHorse,
        Kind::LightGun | Kind::MediumGun => Symbol::Guns,
        Kind::HeavyGun => Symbol::HeavyGuns,
        Kind::Howitzer | Kind::Mortar => Symbol::Howitzers,
        Kind::Wagon | Kind::Civilians => Symbol::Train,
    }
}

fn marker(name: &str, style: MarkerStyle, count: i32) -> Marker {
    Marker { name: name.into(), style, count }
}

/// What must be shown beside a brigade (MB-GEN-06).
fn markers(battle: &Battle, unit: UnitId) -> Vec<Marker> {
    decides!(MB_GEN_06);
    let brigade = battle.brigade(unit);
    let mut markers = Vec::new();
    if brigade.dps > 0 {
        markers.push(marker("disorder", MarkerStyle::Stone, brigade.dps.into()));
    }
    if brigade.marks.control.halted {
        markers.push(marker("halt", MarkerStyle::RedSquare, 1));
    }
    if brigade.marks.fire.bombarded.is_some() || brigade.marks.fire.fired_close {
        markers.push(marker("fired", MarkerStyle::GreyPuff, 1));
    }
    if brigade.kind.is_gun() && brigade.formation == Formation::Limbered {
        markers.push(marker("limber", MarkerStyle::WhiteDisc, 1));
    }
    let crews = battle.crews.iter().filter(|(_, with)| *with == unit).count() as i32;
    if crews > 0 {
        markers.push(marker("gun crew", MarkerStyle::BlackChevron, crews));
    }
    if options::hides(battle) && !brigade.known {
        markers.push(marker("hidden", MarkerStyle::GreyPuff, 1));
    }
    match brigade.status {
        Status::Looting => markers.push(marker("looting", MarkerStyle::YellowDiamond, 1)),
        Status::Routing => markers.push(marker("routing", MarkerStyle::YellowDiamond, 1)),
        Status::Pursuing => markers.push(marker("pursuing", MarkerStyle::BlueFlag, 1)),
        _ => {}
    }
    markers
}

fn absent(status: Status) -> Option<String> {
    let why = match status {
        Status::Destroyed => "is destroyed",
        Status::Surrendered => "has surrendered",
        Status::Left => "has left the table",
        Status::Merged => "has joined another brigade",
        Status::Expected => "has yet to come up",
        _ => return None,
    };
    Some(why.into())
}

fn unit(battle: &Battle, unit: UnitId) -> UnitView {
    let brigade = battle.brigade(unit);
    let gone = brigade.status.is_gone();
    let entry = &battle.fixed.scenario.body.units[usize::from(brigade.entry)];
    let grade = brigade.grade.map_or(String::new(), |grade| format!("grade {grade:?}, "));
    let strength = counted(brigade.bases.into(), "base", "bases");
    let men = match brigade.kind {
        kind if kind.is_foot() => format!("{strength}, about {} men", u32::from(brigade.bases) * 600),
        kind if kind.is_cavalry() => {
            format!("{strength}, about {} squadrons", u32::from(brigade.bases) * 3)
        }
        _ => "one model".into(),
    };
    let mut lines = vec![format!("{grade}{}, {}", brigade.kind.word(), men), counted(brigade.dps.into(), "DP", "DPs")];
    if brigade.status != Status::Steady {
        lines.push(format!("{:?}", brigade.status).to_lowercase());
    }
    UnitView {
        id: unit,
        key: battle.id_of(unit),
        name: battle.name_of(unit),
        side: brigade.side,
        command: Some(CommandId(brigade.under.0)),
        symbol: symbol(brigade.kind),
        coat: entry.coat.clone().unwrap_or_else(|| colour(battle, brigade.side)),
        facings: entry.facings.clone().unwrap_or_else(|| "#f3eee2".into()),
        pose: (!gone).then_some(brigade.pose),
        stands: if gone { Vec::new() } else { bases(battle.figure(unit)) },
        formation: brigade.formation.word().into(),
        markers: markers(battle, unit),
        lines,
        absent: absent(brigade.status),
        lost: matches!(brigade.status, Status::Destroyed | Status::Surrendered | Status::Left),
    }
}

fn officer(battle: &Battle, n: usize) -> OfficerView {
    let leader = &battle.leaders[n];
    let entry = &battle.fixed.scenario.body.leaders[n];
    let numbers = &battle.fixed.numbers.control;
    let radius = if leader.rank == Rank::Marshal { numbers.marshal } else { numbers.general };
    let id = OfficerId(n as u16);
    let mut markers = Vec::new();
    if leader.inspires > 0 {
        markers.push(marker("inspires", MarkerStyle::GreenRing, leader.inspires.into()));
    }
    if leader.wounded {
        markers.push(marker("wounded", MarkerStyle::RedSquare, 1));
    }
    OfficerView {
        id,
        key: entry.id.clone(),
        name: entry.name.clone(),
        side: leader.side,
        command: Some(CommandId(n as u16)),
        rank: leader.rank.word().into(),
        grade: leader.rank as u8 + 1,
        at: (!leader.lost).then_some(leader.at),
        radius: leader.attached.is_none().then(|| radius.length()),
        with: leader.attached,
        markers,
        lines: vec![format!(
            "{}, {} left",
            leader.rank.word(),
            counted(command::actions_left(battle, id).into(), "action", "actions")
        )],
    }
}

fn ground(battle: &Battle) -> Vec<GroundView> {
    let scenario = &battle.fixed.scenario;
    let pieces = battle.fixed.ground.features().iter().map(|feature| {
        let entry = &scenario.ground[usize::from(feature.id.0)];
        let land = battle.fixed.lands[usize::from(feature.id.0)];
        let (rings, line, width) = match &feature.shape {
            FeatureShape::Area { outer, holes } => {
                (std::iter::once(outer.clone()).chain(holes.iter().cloned()).collect(), Vec::new(), None)
            }
            FeatureShape::Line { points, width } => (Vec::new(), points.clone(), Some(*width)),
            FeatureShape::Spot { at, .. } => (Vec::new(), vec![*at], None),
        };
        GroundView {
            id: GroundId(feature.id.0),
            kind: entry.kind.clone(),
            drawn: land.style(&entry.kind),
            name: entry.name.clone(),
            rings,
            line,
            width,
            level: land.level,
            note: land.note(),
            faces_left: land.faces_left(),
        }
    });
    pieces.collect()
}

/// The line of the score that tells how many bases are left.
pub(crate) const IN_HAND: &str = "bases in hand";

pub(crate) fn view(battle: &Battle) -> View {
    View { tokens: tokens(battle, |_, _| true), ..view_without_tokens(battle) }
}

/// Horse-holders and messengers, where these eyes see them.
pub(crate) fn tokens(battle: &Battle, sees: impl Fn(Side, Point) -> bool) -> Vec<TokenView> {
    let horses =
        battle.units.iter().filter(|one| !one.status.is_gone()).filter_map(|one| Some((one.side, one.horses?)));
    let horses = horses.map(|place| (place, marker("horse-holders", MarkerStyle::WhiteDisc, 1)));
    let riders = battle.dispatches.iter().filter(|one| !one.heard);
    let riders = riders.filter_map(|one| Some((battle.leader(one.by).side, messages::rider_at(battle, one)?)));
    let riders = riders.map(|place| (place, marker("messenger", MarkerStyle::BlueFlag, 1)));
    let seen = horses.chain(riders).filter(|((side, at), _)| sees(*side, *at));
    seen.map(|((_, at), marker)| TokenView { marker, at }).collect()
}

pub(crate) fn view_without_tokens(battle: &Battle) -> View {
    let scenario = &battle.fixed.scenario;
    let side =
        |side: Side| SideView { side, name: scenario.sides[side.index()].name.clone(), colour: colour(battle, side) };
    let commands = scenario.body.leaders.iter().enumerate().map(|(n, entry)| {
        let leader = &battle.leaders[n];
        let order = leader.order.map(|order| format!("orders: {}", battle.order_words(order)));
        CommandView {
            id: CommandId(n as u16),
            key: entry.id.clone(),
            name: entry.leads.clone().unwrap_or_else(|| entry.name.clone()),
            side: leader.side,
            above: leader.above.map(|above| CommandId(above.0)),
            officer: Some(OfficerId(n as u16)),
            lines: order.into_iter().collect(),
        }
    });
    let score = morale::score(battle).read(&battle.fixed.numbers);
    let left = |side: Side| {
        battle
            .of(side)
            .map(|unit| battle.brigade(unit))
            .filter(|one| one.kind.is_brigade())
            .map(|one| u32::from(one.bases))
            .sum::<u32>()
    };
    View {
        setting: Setting {
            ruleset: "malbrook".into(),
            title: scenario.title.clone(),
            date: scenario.date.clone(),
            place: scenario.place.clone(),
            summary: scenario.summary.clone(),
            rules: scenario.rules.clone(),
            measure: scenario.measure,
            width: battle.fixed.table.width,
            depth: battle.fixed.table.depth,
            sides: Side::BOTH.into_iter().map(side).collect(),
            ground: ground(battle),
        },
        turn: Some(battle.turn),
        phase: phase_word(battle.phase).into(),
        phasing: Some(battle.active),
        units: (0..battle.units.len()).map(|n| unit(battle, UnitId(n as u16))).collect(),
        officers: (0..battle.leaders.len()).map(|n| officer(battle, n)).collect(),
        commands: commands.collect(),
        score: vec![
            ScoreLine { name: IN_HAND.into(), values: (left(Side::A).to_string(), left(Side::B).to_string()) },
            ScoreLine { name: "points".into(), values: (score.ours.to_string(), score.theirs.to_string()) },
        ],
        tokens: Vec::new(),
    }
}

pub(crate) fn overlays(battle: &Battle, of: Named, eyes: Eyes) -> Vec<Overlay> {
    match of {
        Named::Unit(unit) if battle.units.get(unit.index()).is_some_and(|one| !one.status.is_gone()) => {
            let brigade = battle.brigade(unit);
            if brigade.kind.is_gun() {
                let rings = vec![crate::phases::gunnery::arc_corners(battle, unit)];
                return vec![Overlay {
                    kind: OverlayKind::Fire,
                    label: "arc of fire".into(),
                    rings,
                    clause: MB_ART_02,
                }];
            }
            let zone = zone_of(brigade, battle.figure(unit), battle.fixed.numbers.musketry.length());
            vec![Overlay {
                kind: OverlayKind::Zone,
                label: "front zone".into(),
                rings: corners(&zone),
                clause: MB_GEN_09,
            }]
        }
        Named::Officer(leader) if battle.leaders.get(leader.index()).is_some_and(|one| !one.lost) => {
            let one = battle.leader(leader);
            let numbers = &battle.fixed.numbers;
            let radius = if one.rank == Rank::Marshal { numbers.control.marshal } else { numbers.control.general };
            let reach = radius.length().f() + numbers.bases.leader.length().f();
            let rings = vec![circle(one.at.v(), reach).into_iter().map(Point::rounded).collect()];
            let mut overlays =
                vec![Overlay { kind: OverlayKind::Command, label: "control".into(), rings, clause: MB_CTL_01 }];
            // What his own wing sees, where players know no more than that.
            if battle.fixed.scenario.body.options.limited && eyes.share(one.side) {
                for enemy in options::seen_by_wing(battle, leader) {
                    overlays.push(Overlay {
                        kind: OverlayKind::Sight,
                        label: format!("his wing sees {}", battle.name_of(enemy)),
                        rings: bases(battle.figure(enemy)),
                        clause: MB_UMP_04,
                    });
                }
            }
            overlays
        }
        _ => Vec::new(),
    }
}
