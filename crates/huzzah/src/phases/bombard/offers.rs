//! The offers of the other side's guns while one side gives orders and moves.

use sabretache_engine::clause::Clause;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Preview, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::{Placed, exact_distance};

use super::{Swung, batteries, hedges, lane, may_fire, moments, range, shot, sighting, targets};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_BOM_04, HZ_BOM_19, HZ_BOM_20, HZ_BOM_23, HZ_BOM_24, HZ_HED_08, HZ_VAR_03};
use crate::offer::Offer;
use crate::phases::{Play, siege};
use crate::table::Field;
use crate::table::swing::{self, Turn};
use crate::troops::Arm;
use crate::view;
use crate::words::labels::{of_unit, plain, side};
use crate::words::names::{unit_id, unit_name};

/// What the guns do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bombard {
    /// Let it pass: no bombardment now.
    Pass,
    /// Bombard the nearest target straight ahead.
    Ahead {
        /// The battery.
        battery: UnitId,
        /// The target.
        target: UnitId,
    },
    /// Bombard through the hedge the guns stand at, and shoot it away.
    Through {
        /// The battery.
        battery: UnitId,
        /// The target.
        target: UnitId,
    },
    /// Sight the guns and bombard: the input is the angle.
    Sight {
        /// The battery.
        battery: UnitId,
        /// The target.
        target: UnitId,
        /// Wheeling to the right; to the left otherwise.
        right: bool,
        /// Wheeling backward, by the older playsheet.
        back: bool,
        /// Through the hedge the guns stand at then, which is shot away.
        through: bool,
        /// Which of the runs of angles that bring the target before the guns.
        run: u8,
    },
    /// Let the mover come on so far, and be asked again there.
    Await,
}

/// All bombardments open to the other side now.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Bombard::Pass.into());
    siege::offers::mine_offers(battle, out);
    let field = Field::of(battle);
    for battery in batteries(&field) {
        shots(&field, battery, out);
    }
    if moments::may_wait(battle) {
        out.push(Bombard::Await.into());
    }
}

/// Those that might act when the other side may fire.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    out.push(None);
    let field = Field::of(battle);
    let idle = |battery: &UnitId| battle.guns.known(battery.index()).is_some_and(|found| found == [false]);
    out.extend(batteries(&field).filter(|battery| !idle(battery)).map(|battery| Some(battery.into())));
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    let field = Field::of(battle);
    match actor {
        None => {
            out.push(Bombard::Pass.into());
            siege::offers::mine_offers(battle, out);
            if moments::may_wait(battle) {
                out.push(Bombard::Await.into());
            }
        }
        Some(Named::Unit(battery)) if may_fire(&field, battery) => shots(&field, battery, out),
        Some(_) => {}
    }
}

/// The bombardments open to a battery.
fn shots(field: &Field<'_>, battery: UnitId, out: &mut Vec<Offer>) {
    let ahead = targets(field, battery).into_iter().map(|found| Bombard::Ahead { battery, target: found.unit });
    out.extend(ahead.map(Offer::from));
    let through = hedges::targets(field, battery).into_iter();
    out.extend(through.map(|found| Offer::from(Bombard::Through { battery, target: found.unit })));
    sight_offers(field.battle, battery, out);
}

/// The sightings open to a battery, target by target.
fn sight_offers(battle: &Battle, battery: UnitId, out: &mut Vec<Offer>) {
    for (target, Swung { turn: Turn { right, back }, through, run }) in sighting::open(battle, battery) {
        out.push(Bombard::Sight { battery, target, right, back, through, run }.into());
    }
}

/// Whom the guns may not fire at, and why: everybody before the other side's guns who cannot be bombarded.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let field = Field::of(battle);
    for (battery, placed) in field.of_side(battle.phasing.other()) {
        if battle.facts(battery).arm != Arm::Artillery {
            continue;
        }
        let lane = lane(battle, battery, placed);
        for (target, there) in field.all().filter(|(id, _)| *id != battery) {
            if lane.nearest(there).is_some()
                && let Some((clause, says)) = super::why_not(&field, battery, target)
            {
                out.push((Bombard::Ahead { battery, target }.into(), Refusal::new(clause, says)));
            }
        }
        sightings_closed(&field, battery, placed, out);
    }
}

/// Enemies in range beside a battery's lane, for whom it may not or need not sight its guns (HZ-BOM-23 to HZ-BOM-25).
fn sightings_closed(field: &Field<'_>, battery: UnitId, placed: &Placed, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    if !may_fire(field, battery) {
        return;
    }
    let lane = lane(battle, battery, placed);
    let is_open = |unit: UnitId| sighting::open(battle, battery).any(|(target, _)| target == unit);
    for (target, there) in field.enemies(battery).filter(|(_, there)| lane.nearest(*there).is_none()) {
        let off = there.centre() - placed.centre();
        if range(battle, battery, exact_distance(placed, there)).is_none()
            || off.dot(placed.forward()) <= 0.0
            || is_open(target)
        {
            continue;
        }
        let (clause, says) = not_sighted(battle, battery);
        let right = off.dot(placed.forward().right()) > 0.0;
        let sight = Bombard::Sight { battery, target, right, back: false, through: false, run: 0 };
        out.push((sight.into(), Refusal::impossible(clause, says)));
    }
}

/// Why a battery cannot sight its guns at an enemy beside its lane.
fn not_sighted(battle: &Battle, battery: UnitId) -> (Clause, &'static str) {
    if battle.unit(battery).sighted {
        return (HZ_BOM_24, "The battery has sighted its guns once in this phase");
    }
    (HZ_BOM_23, "No wheel of 45 degrees or less brings it before the guns as the nearest legitimate target")
}

impl Bombard {
    /// The battery, and whom it fires at.
    pub(crate) const fn shot(self) -> Option<(UnitId, UnitId)> {
        match self {
            Self::Ahead { battery, target } | Self::Through { battery, target } => Some((battery, target)),
            Self::Sight { battery, target, .. } => Some((battery, target)),
            Self::Pass | Self::Await => None,
        }
    }

    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        match self {
            Self::Ahead { battery, target } => shot(&Field::of(battle), battery, target).is_some(),
            Self::Sight { .. } => false,
            Self::Pass | Self::Through { .. } | Self::Await => true,
        }
    }

    /// Why a value outside its limits is refused.
    pub(crate) fn why_not(self, value: &Value) -> Option<Refusal> {
        match self {
            Self::Sight { .. } => {
                value.wheel()?;
                Some(Refusal::impossible(HZ_BOM_23, "Wheeled so far the battery has no clear shot at that target"))
            }
            Self::Pass | Self::Ahead { .. } | Self::Through { .. } | Self::Await => None,
        }
    }

    /// Where the battery would stand.
    pub(crate) fn preview(self, battle: &Battle, value: &Value) -> Preview {
        match (self, value.wheel()) {
            (Self::Sight { battery, right, back, .. }, Some(angle)) => {
                let turn = Turn { right, back };
                let pose = swing::wheeled(&battle.placed(battery), turn, angle.abs().to_hundredths());
                view::standing(battle, battery, Some(pose))
            }
            _ => Preview::default(),
        }
    }
}

impl Part<Huzzah> for Bombard {
    fn actor(self) -> Option<Named> {
        self.shot().map(|(battery, _)| battery.into())
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        Ok(match self {
            Self::Sight { battery, target, right, back, through, run } => {
                sighting::input(battle, battery, target, Swung { turn: Turn { right, back }, through, run })
            }
            Self::Await => moments::input(battle),
            Self::Pass | Self::Ahead { .. } | Self::Through { .. } => Input::None,
        })
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Pass => super::close(play),
            Self::Ahead { battery, target } => super::fire(play, battery, target),
            Self::Through { battery, target } => hedges::fire(play, battery, target),
            Self::Sight { battery, target, right, back, through, run } => {
                let swung = Swung { turn: Turn { right, back }, through, run };
                super::sight_and_fire(play, battery, target, swung, value.wheel().unwrap_or_default())
            }
            Self::Await => moments::wait(play, value.distance(), value.number()),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| unit_id(battle, unit);
        match self {
            Self::Pass => "pass".into(),
            Self::Ahead { battery, target } => format!("bombard {} {}", id(battery), id(target)),
            Self::Through { battery, target } => format!("bombard through {} {}", id(battery), id(target)),
            Self::Sight { battery, target, right, back, through, run } => {
                let back = if back { "back " } else { "" };
                let through = if through { "through " } else { "" };
                let again = if run == 0 { String::new() } else { format!(" {}", run + 1) };
                format!("sight {back}{through}{} {} {}{again}", id(battery), id(target), side(right))
            }
            Self::Await => "await".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| unit_name(battle, unit);
        match self {
            Self::Pass => plain("Hold fire", HZ_BOM_19),
            Self::Ahead { battery, target } => {
                of_unit(battle, battery, format!("{} bombards {}", name(battery), name(target)), HZ_BOM_04)
            }
            Self::Through { battery, target } => {
                let (guns, whom) = (name(battery), name(target));
                let text = format!("{guns} bombards {whom} through the hedge and shoots it away");
                of_unit(battle, battery, text, HZ_HED_08)
            }
            Self::Sight { battery, target, right, back, through, run } => {
                let (guns, whom, side) = (name(battery), name(target), side(right));
                let (back, clause) = if back { (" backward", HZ_VAR_03) } else { ("", HZ_BOM_23) };
                let again = if run > 0 { ", further round," } else { "" };
                let hedge = if through { " through the hedge and shoots it away" } else { "" };
                let text = format!("{guns} sights its guns{back} to the {side}{again} and bombards {whom}{hedge}");
                let mut label = of_unit(battle, battery, text, clause);
                label.clauses.extend(through.then_some(HZ_HED_08));
                label
            }
            Self::Await => plain("Let it come on, and be asked again further along", HZ_BOM_20),
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Pass => Handling::end("pass"),
            Self::Ahead { battery, target } | Self::Through { battery, target } => {
                Handling::at("shoot", [battery], target)
            }
            Self::Sight { battery, target, .. } => Handling::at("sight", [battery], target),
            Self::Await => Handling::end("await"),
        }
    }
}
