//! The offers of units that are ordered to deploy.

use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{GroundId, Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Preview, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::nearer;

use super::buildings::{self, garrison_sides, may_garrison};
use super::{formations, may_skirmish, placements, why_no_room};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_BLD_08, HZ_DEP_01, HZ_FOR_04, HZ_SKI_07};
use crate::muster::can_form;
use crate::offer::Offer;
use crate::phases::{Play, siege};
use crate::table::Field;
use crate::table::garrison::{self, FACES};
use crate::troops::{Arm, Formation};
use crate::view;
use crate::words::labels::of_unit;
use crate::words::names::{ground_id, ground_name, unit_id, unit_name};

/// How a unit changes what it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deploy {
    /// Change formation: the input picks one of the ways to place it, nearest to where it stands first.
    Change {
        /// Who.
        unit: UnitId,
        /// Into what.
        formation: Formation,
    },
    /// Deploy into a sector of buildings.
    Garrison {
        /// Who.
        unit: UnitId,
        /// Where.
        sector: u16,
        /// Which sides it lines.
        sides: u8,
    },
    /// Join the skirmish line.
    JoinSkirmishers(UnitId),
}

/// What a unit may do on a deploy order.
pub(crate) fn offers(field: &Field<'_>, unit: UnitId, out: &mut Vec<Offer>) {
    let battle = field.battle;
    let required = battle.forced_formation(unit);
    let mut any = false;
    for formation in formations(battle, unit) {
        // A unit with a forced order uses a deploy order for that (HZ-FOR-04).
        if required.is_some_and(|wanted| wanted != formation) {
            continue;
        }
        if placements(field, unit, formation, true).next().is_some() {
            out.push(Deploy::Change { unit, formation }.into());
            any = true;
        }
    }
    if required.is_some() && any {
        return;
    }
    for sector in 0..battle.lay.terrain.len() as u16 {
        if may_garrison(field, unit, sector).is_ok() {
            let sides = garrison_sides(battle, unit, sector);
            out.extend(sides.iter().map(|&sides| Offer::from(Deploy::Garrison { unit, sector, sides })));
        }
    }
    siege::offers::deploy_offers(field, unit, out);
    if may_skirmish(battle, unit) {
        out.push(Deploy::JoinSkirmishers(unit).into());
    }
}

/// The formations a unit cannot take up here, and why it does not join the skirmish line.
pub(crate) fn closed(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    let contingent = &battle.lay.contingents[usize::from(facts.contingent)];
    let forced = battle.forced_formation(unit);
    if facts.arm == Arm::Infantry && facts.abilities.opens_order() && !may_skirmish(battle, unit) {
        let says = if facts.abilities.skirmish {
            "Staggered troops do not join the skirmish line"
        } else {
            "Only troops with the Skirmish ability join the skirmish line"
        };
        out.push((Deploy::JoinSkirmishers(unit).into(), Refusal::new(HZ_SKI_07, says)));
    }
    for &formation in Formation::ALL {
        if formation == state.formation || matches!(formation, Formation::Mob | Formation::Garrison) {
            continue;
        }
        let refusal = if !can_form(facts, contingent, formation) {
            Refusal::new(HZ_DEP_01, "Its arm and abilities do not allow that formation")
        } else if forced.is_some_and(|wanted| wanted != formation) {
            Refusal::new(HZ_FOR_04, "Its forced order comes first")
        } else if placements(field, unit, formation, true).next().is_none() {
            let (clause, says) = why_no_room(field, unit, formation);
            Refusal::new(clause, says)
        } else {
            continue;
        };
        out.push((Deploy::Change { unit, formation }.into(), refusal));
    }
}

/// Sectors within a band that the unit cannot deploy into.
pub(crate) fn sectors_closed(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return };
    for sector in 0..battle.lay.terrain.len() as u16 {
        let Some(area) = garrison::sector(battle, sector) else { continue };
        if !nearer(placed, &area, battle.lay.sizes.band.f()) || battle.unit(unit).sector == Some(sector) {
            continue;
        }
        if let Err((clause, says)) = may_garrison(field, unit, sector) {
            for &sides in garrison_sides(battle, unit, sector) {
                out.push((Deploy::Garrison { unit, sector, sides }.into(), Refusal::new(clause, says)));
            }
        }
    }
}

impl Deploy {
    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        let field = Field::of(battle);
        match self {
            Self::Change { unit, formation } => {
                !battle.unit(unit).routing
                    && formations(battle, unit).contains(&formation)
                    && placements(&field, unit, formation, true).next().is_some()
            }
            Self::Garrison { unit, sector, .. } => buildings::is_empty_for(&field, unit, sector),
            Self::JoinSkirmishers(unit) => battle.facts(unit).arm == Arm::Infantry && !battle.unit(unit).routing,
        }
    }

    /// Where the unit would stand.
    pub(crate) fn preview(self, battle: &Battle, value: &Value) -> Preview {
        match (self, value.number()) {
            (Self::Change { unit, formation }, Some(n)) => {
                let n = usize::try_from(n).ok();
                let pose = n.and_then(|n| placements(&Field::of(battle), unit, formation, false).nth(n));
                view::standing_in(battle, unit, formation, pose)
            }
            _ => Preview::default(),
        }
    }
}

impl Part<Huzzah> for Deploy {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Change { unit, .. } | Self::Garrison { unit, .. } | Self::JoinSkirmishers(unit) => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        Ok(match self {
            Self::Change { unit, formation } => super::input(battle, unit, formation),
            Self::Garrison { .. } | Self::JoinSkirmishers(_) => Input::None,
        })
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Change { unit, formation } => super::change(play, unit, formation, value.number().unwrap_or(0)),
            Self::Garrison { unit, sector, sides } => buildings::garrison(play, unit, sector, sides),
            Self::JoinSkirmishers(unit) => super::skirmish(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| unit_id(battle, unit);
        match self {
            Self::Change { unit, formation } => format!("deploy {} {}", id(unit), formation.word()),
            Self::Garrison { unit, sector, sides } => {
                let lined: String = (0..FACES.len()).filter(|n| sides & (1 << n) != 0).map(|n| n.to_string()).collect();
                let which = if sides == 0b1111 { String::new() } else { format!(" {lined}") };
                format!("garrison {} {}{which}", id(unit), ground_id(battle, sector))
            }
            Self::JoinSkirmishers(unit) => format!("skirmish {}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| unit_name(battle, unit);
        match self {
            Self::Change { unit, formation } => {
                of_unit(battle, unit, format!("{} forms {formation}", name(unit)), HZ_DEP_01)
            }
            Self::Garrison { unit, sector, .. } => {
                of_unit(battle, unit, format!("{} deploys into {}", name(unit), ground_name(battle, sector)), HZ_BLD_08)
            }
            Self::JoinSkirmishers(unit) => {
                of_unit(battle, unit, format!("{} joins the skirmish line for good", name(unit)), HZ_SKI_07)
            }
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Change { unit, formation } => {
                let into = Some(formation.to_string());
                Handling::act("form", unit).by(Handle::Formation { unit, into })
            }
            Self::Garrison { unit, sector, .. } => Handling::at("garrison", [unit], Named::Ground(GroundId(sector))),
            Self::JoinSkirmishers(unit) => Handling::act("skirmish", unit),
        }
    }
}
