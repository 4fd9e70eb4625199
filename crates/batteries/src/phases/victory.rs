//! What the battle is about, who has it, and who has won.

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, Side, UnitId};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Aim;
use sabretache_engine::scenario::area_meets;
use sabretache_engine::view::Verdict;
use sabretache_table::{Convex, Edge, Length, Point, Vec2, exact_distance};

use crate::Batteries;
use crate::battle::{Battle, Place, Step};
use crate::clauses::*;
use crate::event::Event;
use crate::troops::Arm;
use crate::words::terms::side_within;

/// Something that the battle is about (BB-GEN-11).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Objective {
    pub(crate) name: String,
    pub(crate) goal: Goal,
    pub(crate) points: i32,
    /// The side it is good for; either where there is none.
    pub(crate) side: Option<Side>,
    /// Whose a place is while nobody is there.
    pub(crate) held_by: Option<Side>,
    /// It ends the battle.
    pub(crate) at_once: bool,
}

/// What an objective asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Troops in good morale within reach of a place, and no enemy so.
    Near { at: Point, radius: Length },
    /// The same in an area.
    Area(Vec<Vec2>),
    /// All units of a brigade of the enemy's are gone for good.
    Break(CommandId),
    /// So many units of the enemy's are gone for good.
    BreakUnits(u16),
    /// So many batteries of the enemy's are taken or destroyed.
    TakeGuns(u16),
    /// So many of the side's units have marched off by an edge.
    Exit(u16, Edge),
}

impl Objective {
    /// The middle of the place, and how far it reaches, if it is one.
    pub(crate) fn place(&self) -> Option<(Vec2, Length)> {
        match &self.goal {
            Goal::Near { at, radius } => Some((at.v(), *radius)),
            Goal::Area(corners) => {
                let middle = sabretache_table::Bounds::of(corners).middle();
                let off = corners.iter().map(|corner| (*corner - middle).length()).fold(f64::INFINITY, f64::min);
                Some((middle, Length::rounded(off)))
            }
            _ => None,
        }
    }
}

/// Who has an objective now: of a place, the side with troops in good morale there and no enemy so, else as at the start.
pub(crate) fn holder(battle: &Battle, objective: &Objective) -> Option<Side> {
    let sound = |unit: &UnitId| !battle.unit(*unit).shaken && battle.solid(*unit);
    let there = |side: Side| match &objective.goal {
        Goal::Near { at, radius } => {
            let place = Convex::place(at.v());
            let near = |unit: UnitId| exact_distance(&place, &battle.placed(unit)) <= radius.f() + crate::table::NEAR;
            battle.of(side).filter(sound).any(near)
        }
        Goal::Area(corners) => battle.of(side).filter(sound).any(|unit| area_meets(corners, &battle.placed(unit))),
        Goal::Break(brigade) => {
            let mut units = battle.whole_units(side.other()).filter(|unit| battle.facts(*unit).brigade == *brigade);
            battle.fixed.brigades[brigade.index()].side != side && units.all(|unit| battle.gone(unit))
        }
        Goal::BreakUnits(count) => {
            battle.whole_units(side.other()).filter(|unit| battle.gone(*unit)).count() >= usize::from(*count)
        }
        Goal::TakeGuns(count) => {
            let guns = battle.whole_units(side.other()).filter(|unit| battle.arm(*unit) == Arm::Guns);
            guns.filter(|unit| battle.gone(*unit)).count() >= usize::from(*count)
        }
        Goal::Exit(count, _) => {
            let away = battle.whole_units(side).filter(|unit| battle.unit(*unit).place == Place::Exited);
            away.count() >= usize::from(*count)
        }
    };
    match (there(Side::A), there(Side::B)) {
        (true, false) => Some(Side::A),
        (false, true) => Some(Side::B),
        (true, true) => None,
        (false, false) => objective.held_by,
    }
    .filter(|side| objective.side.is_none_or(|good_for| good_for == *side))
}

/// Whether a side has an objective that wins the battle at once.
pub(crate) fn wins_at_once(battle: &Battle, side: Side) -> bool {
    battle.fixed.objectives.iter().any(|objective| objective.at_once && holder(battle, objective) == Some(side))
}

/// Units in good morale that touch the edge by which the scenario has their side leave march off at the end of a turn.
pub(crate) fn march_off(play: &mut Resolution<'_, Batteries>) {
    let battle = play.battle();
    let mut off: Vec<UnitId> = Vec::new();
    for objective in &battle.fixed.objectives {
        let Goal::Exit(_, edge) = objective.goal else { continue };
        let line = battle.fixed.table.edge(edge);
        let line = Convex::segment(line);
        let goes = |unit: &UnitId| {
            let state = battle.unit(*unit);
            objective.side.is_none_or(|side| side == battle.side(*unit))
                && !state.shaken
                && state.inside.is_none()
                && !battle.in_contact(*unit)
                && battle.facts(*unit).screen_of.is_none()
                && exact_distance(&line, &battle.placed(*unit)) <= crate::table::NEAR
        };
        off.extend(battle.all().filter(goes));
    }
    off.sort_unstable();
    off.dedup();
    for unit in off {
        play.happen(Event::Exited { unit });
    }
}

impl Battle {
    /// The units of a side, on the table or not; screens and parts go with their battalions.
    fn whole_units(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        let whole = move |unit: &UnitId| {
            self.side(*unit) == side && !matches!(self.unit(*unit).place, Place::Ranks | Place::Whole)
        };
        (0..self.units.len())
            .map(|n| UnitId(n as u16))
            .filter(whole)
            .filter(|unit| self.facts(*unit).screen_of.is_none())
    }

    /// A unit is gone for good.
    fn gone(&self, unit: UnitId) -> bool {
        matches!(self.unit(unit).place, Place::Shattered | Place::Fled | Place::Surrendered)
    }
}

/// What a side has reached at the end.
pub(crate) fn points(battle: &Battle, side: Side) -> i32 {
    let reached = battle.fixed.objectives.iter().filter(|objective| holder(battle, objective) == Some(side));
    reached.map(|objective| objective.points).sum()
}

pub(crate) fn verdict(battle: &Battle) -> Option<Verdict> {
    decides!(BB_GEN_11);
    if battle.step != Step::Over {
        return None;
    }
    let told = |winner: Option<Side>, sentence: String| Some(Verdict { winner, sentence, clause: BB_GEN_11 });
    let name = |side: Side| side_within(battle, side);
    let beaten = |loser: Side| {
        let winner = loser.other();
        let why = format!("Victory to {}: too many are lost for {} to go on.", name(winner), name(loser));
        told(Some(winner), why)
    };
    match (battle.beaten(Side::A), battle.beaten(Side::B)) {
        (true, true) => return told(None, "Both armies are spent.".into()),
        (true, false) => return beaten(Side::A),
        (false, true) => return beaten(Side::B),
        (false, false) => {}
    }
    let sudden = Side::BOTH.map(|side| wins_at_once(battle, side));
    if sudden[0] != sudden[1] {
        let winner = if sudden[0] { Side::A } else { Side::B };
        return told(Some(winner), format!("Victory to {}: what the battle was about is done.", name(winner)));
    }
    let (a, b) = (points(battle, Side::A), points(battle, Side::B));
    if a != b {
        let winner = if a > b { Side::A } else { Side::B };
        return told(Some(winner), format!("Victory to {}: the ground that matters is taken or held.", name(winner)));
    }
    let victory = &battle.fixed.scenario.body.victory;
    let defender = victory.defender.as_ref().and_then(|id| {
        let n = battle.fixed.scenario.sides.iter().position(|side| side.id == *id)?;
        Side::BOTH.get(n).copied()
    });
    match defender {
        Some(side) => told(Some(side), format!("Victory to {}: the ground is held to the end.", name(side))),
        None => {
            let ((a, _), (b, _)) = (battle.losses(Side::A), battle.losses(Side::B));
            let text = format!("Night falls. Figures lost: {a} by {}, {b} by {}.", name(Side::A), name(Side::B));
            told(None, text)
        }
    }
}

/// How the battle ended, without figures.
pub(crate) fn ending(battle: &Battle) -> Option<String> {
    let verdict = verdict(battle)?;
    let spent = Side::BOTH.iter().any(|side| battle.beaten(*side));
    Some(if verdict.winner.is_none() && !spent {
        "Night falls, and neither side has won.".into()
    } else {
        verdict.sentence
    })
}

/// What the battle is about, and who has it.
pub(crate) fn aims(battle: &Battle) -> Vec<Aim> {
    let aim = |objective: &Objective| Aim { name: objective.name.clone(), reached_by: holder(battle, objective) };
    battle.fixed.objectives.iter().map(aim).collect()
}
