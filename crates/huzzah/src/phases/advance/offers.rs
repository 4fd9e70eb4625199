//! The offers of straight moves, of moves along a road, across an obstacle and on to the table.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Ghost, Halt, Input, Preview, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::{Convex, Face, Length, Point, nearer};

use super::{end_of, entering, may_engage_across, roads, stop_clause, stop_words, too_far, ways};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_ADV_02, HZ_ADV_22, HZ_MAN_03, HZ_REI_03, HZ_RET_01, HZ_TER_15};
use crate::offer::Offer;
use crate::phases::{Play, siege};
use crate::state::{Acting, Way};
use crate::table::{Field, contact, track};
use crate::terrain::Crossing;
use crate::troops::{Arm, Formation, Order};
use crate::view;
use crate::words::labels::of_unit;
use crate::words::names::{ground_id, ground_name, unit_id, unit_name};

/// How many points show a road.
const ROAD_POINTS: i32 = 12;

/// How a unit moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Move straight: an advance (a square any way), a retirement or a side-step, as ordered. Where friends part the
    /// places it may end at, each stretch is an offer of its own.
    Go {
        /// Who.
        unit: UnitId,
        /// Which way.
        way: Way,
        /// Which of the stretches.
        stretch: u8,
    },
    /// Follow a road.
    Road {
        /// Who.
        unit: UnitId,
        /// Which road.
        road: u16,
        /// With the order of its points.
        forth: bool,
        /// Which of the stretches that friends on the road leave.
        stretch: u8,
    },
    /// Engage an enemy across an obstacle.
    Across {
        /// Who.
        unit: UnitId,
        /// Whom.
        enemy: UnitId,
    },
    /// Come on to the table: the input is how far along the edge, from its left end looking in.
    Enter {
        /// Who.
        unit: UnitId,
        /// Which of the stretches of the edge that are open to it.
        front: u8,
    },
}

/// The moves open to a unit that is ordered to advance or to retire: an offer for each stretch at whose places a move may end.
pub(crate) fn offers(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<Offer>) {
    for way in ways(field, unit, acting) {
        if let Some(track) = super::track(field, unit, way, acting) {
            for stretch in 0..track.stretches.len().min(255) as u8 {
                out.push(Advance::Go { unit, way, stretch }.into());
            }
        }
    }
    if acting.order == Order::Advance {
        road_offers(field, unit, acting, out);
        across_offers(field, unit, out);
        siege::offers::advance_offers(field, unit, out);
    }
}

/// The roads a column may follow on the order in hand: an offer for each stretch of road that friends leave free.
fn road_offers(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<Offer>) {
    for (road, forth) in roads::roads(field, unit) {
        if let Some(track) = roads::road_track(field, unit, road, forth, acting) {
            for stretch in 0..track.stretches.len().min(255) as u8 {
                out.push(Advance::Road { unit, road, forth, stretch }.into());
            }
        }
    }
}

/// Enemies right behind an obstacle that the unit may engage without moving (HZ-TER-15).
fn across_offers(field: &Field<'_>, unit: UnitId, out: &mut Vec<Offer>) {
    if field.battle.lay.terrain.is_empty() {
        return;
    }
    for (enemy, _) in field.enemies(unit) {
        if may_engage_across(field, unit, enemy) {
            out.push(Advance::Across { unit, enemy }.into());
        }
    }
}

/// The places where a unit may come on with the order in hand.
pub(crate) fn enter_offers(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<Offer>) {
    if acting.order == Order::Advance {
        let fronts = entering::fronts(field, unit, acting).len().min(255) as u8;
        out.extend((0..fronts).map(|front| Offer::from(Advance::Enter { unit, front })));
    }
}

/// A way that a unit would go on its order, had it any room.
pub(crate) fn closed(field: &Field<'_>, unit: UnitId, way: Way, acting: &Acting, out: &mut Vec<(Offer, Refusal)>) {
    if let Some(track) = super::track(field, unit, way, acting)
        && track.stretches.is_empty()
    {
        let says = format!("It cannot go that way: {}", stop_words(field.battle, unit, track.stop.1));
        let refusal = Refusal::new(stop_clause(acting, track.stop.1), says);
        out.push((Advance::Go { unit, way, stretch: 0 }.into(), refusal));
    }
}

/// Enemies right across an obstacle that the unit cannot engage there (HZ-TER-15, HZ-HED-13, HZ-WAL-12, HZ-DIT-07).
pub(crate) fn across_closed(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return };
    let troop = battle.troop(unit);
    let near = battle.lay.sizes.adjacent.f();
    let front = Convex::segment(placed.face(Face::Front));
    for (enemy, there) in field.enemies(unit) {
        if may_engage_across(field, unit, enemy) {
            continue;
        }
        let reason = battle.lay.ground.all().find_map(|lie| {
            let terrain = &battle.lay.terrain[usize::from(lie.feature.id.0)];
            let crossing = terrain.kind.crossing(&troop)?;
            let met =
                contact::is_between(&lie, placed, there) && nearer(&front, &lie, near) && nearer(there, &lie, near);
            let horse = contact::horse_barred(terrain, placed.centre()).filter(|_| troop.arm == Arm::Cavalry);
            let over = if let Crossing::Barred(clause) = crossing { Some(clause) } else { None };
            horse.or(over).filter(|_| met)
        });
        if let Some(clause) = reason {
            let says = "It cannot engage across that obstacle";
            out.push((Advance::Across { unit, enemy }.into(), Refusal::new(clause, says)));
        }
    }
}

impl Advance {
    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        match self {
            Self::Go { unit, way, stretch } => battle
                .doing
                .acting
                .and_then(|acting| super::track(&Field::of(battle), unit, way, &acting))
                .is_some_and(|track| track.stretches.len() > usize::from(stretch)),
            Self::Road { .. } | Self::Across { .. } | Self::Enter { .. } => true,
        }
    }

    /// Why a value outside its limits is refused.
    pub(crate) fn why_not(self, battle: &Battle, value: &Value) -> Option<Refusal> {
        match self {
            Self::Go { unit, way, stretch } => {
                let (distance, acting) = (value.distance()?, battle.doing.acting?);
                let track = super::track(&Field::of(battle), unit, way, &acting)?;
                let limits = *track.stretches.get(usize::from(stretch))?;
                Some(too_far(
                    battle,
                    unit,
                    way,
                    distance,
                    limits,
                    stop_clause(&acting, end_of(&acting, &track, limits.1).1),
                ))
            }
            Self::Road { .. } | Self::Across { .. } | Self::Enter { .. } => None,
        }
    }

    /// Where the unit would stand.
    pub(crate) fn preview(self, battle: &Battle, value: &Value) -> Preview {
        let Some(distance) = value.distance() else { return Preview::default() };
        match self {
            Self::Go { unit, way, stretch } => go_preview(battle, unit, way, stretch, distance).unwrap_or_default(),
            Self::Road { unit, road, forth, .. } => {
                let pose = roads::along(battle, battle.unit(unit).pose.at, road, forth, distance);
                Preview { measure: Some(distance.to_string()), ..view::standing(battle, unit, pose) }
            }
            Self::Enter { unit, front } => {
                let front = entering::front(battle, unit, front);
                let pose = front.and_then(|front| entering::pose_on(battle, unit, &front, distance));
                let ghosts = pose.map(|pose| {
                    // Along the edge, from where the distance is measured.
                    let track = entering::end_of_edge(battle, unit).into_iter().chain([pose.at]).collect();
                    Ghost { track, ..view::ghost(battle, unit, battle.unit(unit).formation, pose) }
                });
                Preview { ghosts: ghosts.into_iter().collect(), ..Preview::default() }
            }
            Self::Across { .. } => Preview::default(),
        }
    }
}

fn go_preview(battle: &Battle, unit: UnitId, way: Way, stretch: u8, distance: Length) -> Option<Preview> {
    let acting = battle.doing.acting?;
    let (end, _) = super::track(&Field::of(battle), unit, way, &acting)?.end(distance);
    let from = battle.unit(unit).pose;
    let pose = from.moved(track::heading(from, way), end);
    let stops = match super::input(battle, unit, way, stretch) {
        Input::Distance { stops, .. } => stops,
        _ => Vec::new(),
    };
    Some(Preview { stops, measure: Some(end.to_string()), ..view::standing(battle, unit, Some(pose)) })
}

impl Part<Huzzah> for Advance {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Go { unit, .. } | Self::Road { unit, .. } | Self::Across { unit, .. } => Some(unit.into()),
            Self::Enter { unit, .. } => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        Ok(match self {
            Self::Go { unit, way, stretch } => super::input(battle, unit, way, stretch),
            Self::Road { unit, road, forth, stretch } => roads::input(battle, unit, road, forth, stretch),
            Self::Enter { unit, front } => entering::input(battle, unit, front),
            Self::Across { .. } => Input::None,
        })
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        let distance = value.distance().unwrap_or_default();
        match self {
            Self::Go { unit, way, stretch } => super::go(play, unit, way, stretch, distance),
            Self::Road { unit, road, forth, stretch } => roads::follow(play, unit, road, forth, stretch, distance),
            Self::Across { unit, enemy } => super::engage_across(play, unit, enemy),
            Self::Enter { unit, front } => entering::enter(play, unit, front, distance),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| unit_id(battle, unit);
        match self {
            Self::Go { unit, way, stretch } => {
                let verb = match ordered(battle) {
                    Some(Order::Retire) => "retire",
                    Some(Order::Manoeuvre | Order::Deploy) => "side-step",
                    _ => "advance",
                };
                let square = battle.unit(unit).formation == Formation::Square;
                let side = match way {
                    Way::Left => " left",
                    Way::Right => " right",
                    Way::Back if square && verb == "advance" => " back",
                    Way::Ahead | Way::Back => "",
                };
                format!("{verb} {}{side}{}", id(unit), through(stretch))
            }
            Self::Road { unit, road, forth, stretch } => {
                let back = if forth { "" } else { " back" };
                format!("road {} {}{back}{}", id(unit), ground_id(battle, road), through(stretch))
            }
            Self::Across { unit, enemy } => format!("across {} {}", id(unit), id(enemy)),
            Self::Enter { unit, front } => match entering::front(battle, unit, front).and_then(|front| front.road) {
                Some(road) => format!("enter {} by {}", id(unit), ground_id(battle, road)),
                None if front == 0 => format!("enter {}", id(unit)),
                None => format!("enter {} {}", id(unit), front + 1),
            },
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| unit_name(battle, unit);
        let through = |stretch: u8| if stretch > 0 { ", through friends" } else { "" };
        match self {
            Self::Go { unit, way, stretch } => {
                let (verb, clause) = match ordered(battle) {
                    Some(Order::Retire) => ("Retire", HZ_RET_01),
                    Some(Order::Manoeuvre | Order::Deploy) => ("Side-step", HZ_MAN_03),
                    _ => ("Advance", HZ_ADV_02),
                };
                let side = match way {
                    Way::Left => " to the left",
                    Way::Right => " to the right",
                    Way::Ahead | Way::Back => "",
                };
                of_unit(battle, unit, format!("{verb} {}{side}{}", name(unit), through(stretch)), clause)
            }
            Self::Road { unit, stretch, .. } => {
                of_unit(battle, unit, format!("{} follows the road{}", name(unit), through(stretch)), HZ_ADV_22)
            }
            Self::Across { unit, enemy } => {
                of_unit(battle, unit, format!("{} engages {} across the obstacle", name(unit), name(enemy)), HZ_TER_15)
            }
            Self::Enter { unit, front } => {
                let by = match entering::front(battle, unit, front).and_then(|front| front.road) {
                    Some(road) => format!(" by {}", ground_name(battle, road)),
                    None if front > 0 => ", further along the edge".into(),
                    None => String::new(),
                };
                of_unit(battle, unit, format!("{} comes on to the table{by}", name(unit)), HZ_REI_03)
            }
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Go { unit, way, stretch } => go_handling(battle, unit, way, stretch),
            Self::Road { unit, road, forth, stretch } => road_handling(battle, unit, road, forth, stretch),
            Self::Across { unit, enemy } => Handling::at("charge", [unit], enemy),
            Self::Enter { unit, front } => enter_handling(battle, unit, front),
        }
    }
}

/// How a stretch beyond friends is told from the one before them, in a key.
pub(crate) fn through(stretch: u8) -> String {
    match stretch {
        0 => String::new(),
        1 => " through".into(),
        n => format!(" through {n}"),
    }
}

/// What is ordered: a straight move is told by that.
fn ordered(battle: &Battle) -> Option<Order> {
    battle.doing.acting.map(|acting| acting.order)
}

/// The furthest that a distance may be.
fn furthest(input: &Input) -> Length {
    match input {
        Input::Distance { most, .. } => *most,
        _ => Length::ZERO,
    }
}

fn go_handling(battle: &Battle, unit: UnitId, way: Way, stretch: u8) -> Handling {
    let from = battle.unit(unit).pose;
    let bearing = track::heading(from, way);
    let order = ordered(battle);
    if matches!(order, Some(Order::Manoeuvre | Order::Deploy)) {
        return Handling::act("side_step", unit).by(Handle::Slide { unit, bearing });
    }
    let most = furthest(&super::input(battle, unit, way, stretch));
    let act = if order == Some(Order::Retire) { "retire" } else { "advance" };
    let track = vec![from.at, from.moved(bearing, most).at];
    Handling::act(act, unit).by(Handle::Along { unit, track, back: way == Way::Back })
}

fn road_handling(battle: &Battle, unit: UnitId, road: u16, forth: bool, stretch: u8) -> Handling {
    let most = furthest(&roads::input(battle, unit, road, forth, stretch));
    let from = battle.unit(unit).pose.at;
    let at = |n: i32| {
        let part = Length::um((i64::from(most.to_um()) * i64::from(n) / i64::from(ROAD_POINTS)) as i32);
        roads::along(battle, from, road, forth, part).map(|pose| pose.at)
    };
    let track = std::iter::once(from).chain((1..=ROAD_POINTS).filter_map(at)).collect();
    Handling::act("march", unit).by(Handle::Along { unit, track, back: false })
}

fn enter_handling(battle: &Battle, unit: UnitId, front: u8) -> Handling {
    let found = entering::front(battle, unit, front);
    let at = |at: Length| entering::pose_on(battle, unit, &found?, at).map(|pose| pose.at);
    let (least, most) = found.map_or((Length::ZERO, Length::ZERO), |front| (front.least, front.most));
    // The distance is measured from the end of the edge, so that the way begins there.
    let track: Vec<Point> = entering::end_of_edge(battle, unit).into_iter().chain(at(least)).chain(at(most)).collect();
    Handling::act("enter", unit).by(Handle::Along { unit, track, back: false })
}
