//! Changes of formation, facing and frontage; limbering and unlimbering.

pub(crate) mod bent;
pub(crate) mod command_points;
pub(crate) mod masses;
pub(crate) mod offers;
pub(crate) mod why_not;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal};
use sabretache_table::{Angle, Bounds, OnTable, Outline, Placed, Pose, exact_distance, overlapping};

use crate::battle::{Battle, Kind, Unit};
use crate::clauses::*;
use crate::phases::formations::bent::bend_word;
use crate::phases::movement::WHOLE;
use crate::table::NEAR;
use crate::table::shape::{Bend, about_centre, named_by_width, stands_for};
use crate::troops::Formation;

/// What a unit may become by one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) formation: Formation,
    pub(crate) stands: u8,
    pub(crate) limbered: bool,
    pub(crate) turn: Angle,
    /// The wings of a bent line.
    pub(crate) bend: Option<Bend>,
}

const TURNS: [(Angle, &str); 4] =
    [(Angle::ZERO, ""), (Angle::hundredths(-9_000), "left"), (Angle::QUARTER, "right"), (Angle::HALF, "about")];

impl Battle {
    /// The shapes a unit can take, facing as now: formation and width, or limbered and width.
    pub(crate) fn forms(&self, unit: UnitId) -> Vec<(Formation, u8, bool)> {
        let (state, facts, numbers) = (self.unit(unit), self.facts(unit), self.numbers());
        let stands = stands_for(state.figures, facts.per_stand).clamp(1, 60) as u8;
        let mut forms = Vec::new();
        match facts.kind {
            Kind::Foot { light, .. } => {
                for width in 1..=stands {
                    let front = state.figures.min(u16::from(width) * u16::from(facts.per_stand));
                    forms.push((named_by_width(front, numbers), width, false));
                }
                decides!(BB_UNI_13);
                if state.figures >= numbers.square.least && state.formation != Formation::Skirmish {
                    forms.push((Formation::Square, state.stands, false));
                }
                if let Some(width) = facts.masse(state.figures, numbers) {
                    forms.push((Formation::Masse, width, false));
                }
                decides!(BB_UNI_03);
                if light {
                    forms.push((Formation::Skirmish, stands, false));
                }
            }
            Kind::Horse { .. } => {
                decides!(BB_UNI_15);
                forms.extend((1..=stands).rev().map(|width| (Formation::Line, width, false)));
            }
            Kind::Guns { .. } if !state.away => {
                let models = state.models().clamp(1, 60) as u8;
                forms.push((Formation::Line, models, false));
                forms.extend((1..=models).rev().map(|width| (Formation::Line, width, true)));
            }
            Kind::Guns { .. } => {}
        }
        forms
    }

    /// Whether two forms are the same for this unit.
    fn same_form(&self, unit: UnitId, form: (Formation, u8, bool)) -> bool {
        let state = self.unit(unit);
        let guns = matches!(self.facts(unit).kind, Kind::Guns { .. });
        let width =
            |stands: u8| stands.clamp(1, stands_for(state.figures, self.facts(unit).per_stand).clamp(1, 60) as u8);
        let same_width = match form.0 {
            Formation::Square | Formation::Skirmish => true,
            Formation::Bent => false,
            _ if guns && !form.2 => true,
            _ => width(form.1) == width(state.stands),
        };
        form.0 == state.formation && form.2 == state.limbered && same_width
    }

    /// What a change is called.
    pub(crate) fn shape_name(&self, unit: UnitId, shape: &Shape) -> String {
        let turn = TURNS.iter().find(|(angle, _)| *angle == shape.turn).map_or("", |(_, name)| name);
        if self.same_form(unit, (shape.formation, shape.stands, shape.limbered)) {
            return match turn {
                "about" => "about face".into(),
                turn => format!("face {turn}"),
            };
        }
        let form = self.form_word(unit, shape);
        match turn {
            "" => form,
            "about" => format!("{form}, about face"),
            turn => format!("{form}, face {turn}"),
        }
    }

    /// What a form is called, whichever way it faces.
    pub(crate) fn form_word(&self, unit: UnitId, shape: &Shape) -> String {
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let front = state.figures.min(u16::from(shape.stands) * u16::from(facts.per_stand));
        match (facts.kind, shape.formation) {
            (Kind::Guns { .. }, _) if !shape.limbered => "unlimber".into(),
            (Kind::Guns { .. }, _) if shape.stands == 1 || u16::from(shape.stands) < state.models() => {
                format!("limber {} wide", shape.stands)
            }
            (Kind::Guns { .. }, _) => "limber".into(),
            (Kind::Horse { .. }, _) => format!("{front} wide"),
            (_, Formation::Column) => format!("column of {front}"),
            (_, Formation::Line) => format!("line of {front}"),
            (_, Formation::Extended) => "extended line".into(),
            (_, Formation::Square) => "square".into(),
            (_, Formation::Skirmish) => "skirmish order".into(),
            (_, Formation::Masse) => "column masse".into(),
            (_, Formation::Bent) => shape.bend.map_or_else(|| "bent line".into(), bend_word),
        }
    }

    /// The unit as it would be.
    pub(crate) fn as_shape(&self, unit: UnitId, shape: &Shape) -> (Unit, Pose) {
        let facts = self.facts(unit);
        let mut state = *self.unit(unit);
        let heading = state.pose.heading + shape.turn;
        let centre = self.centre(unit);
        (state.formation, state.stands, state.limbered) = (shape.formation, shape.stands, shape.limbered);
        if shape.bend.is_some() || self.bent(unit) {
            state.pose = self.bending_pose(unit, shape);
            state.bend = shape.bend.or(state.bend);
        }
        let pose = if shape.turn == Angle::ZERO {
            state.pose
        } else {
            about_centre(centre, heading, &state.footprint(facts, self.numbers()))
        };
        state.pose = pose;
        (state, pose)
    }

    /// The share of a move that a change costs (BB-MOV-04, BB-MOV-07, BB-MOV-12, BB-MOV-16, BB-GUN-01, BB-GUN-07).
    pub(crate) fn change_share(&self, unit: UnitId, shape: &Shape) -> u32 {
        decides!(BB_MOV_04, BB_MOV_07, BB_MOV_12, BB_MOV_16, BB_GUN_01, BB_GUN_07);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let reshaped = !self.same_form(unit, (shape.formation, shape.stands, shape.limbered));
        let from = match state.formation_now(facts, self.numbers()) {
            Formation::Bent => named_by_width(state.figures, self.numbers()),
            other => other,
        };
        let numbers = self.numbers();
        let foot = reshaped && self.arm(unit) == crate::troops::Arm::Foot;
        let share = match from {
            Formation::Extended if foot => numbers.change_extended.of(WHOLE),
            Formation::Skirmish if foot => numbers.change_skirmish.of(WHOLE),
            _ => numbers.change.of(WHOLE),
        };
        if self.clumsy(unit) { share.saturating_mul(numbers.clumsy.factor().into()) } else { share }
    }

    /// Whether a unit may become this, and if not, why.
    pub(crate) fn may_form(&self, unit: UnitId, shape: &Shape) -> Result<(), Refusal> {
        self.may_form_after(unit, shape, self.waited(unit), &mut self.bounds(unit))
    }

    /// The same after a wait for room; the ground that is looked at for it is added to what was looked at before.
    fn may_form_after(&self, unit: UnitId, shape: &Shape, waited: u32, looked: &mut Bounds) -> Result<(), Refusal> {
        if shape.bend.is_some() && self.launched(unit) {
            return Err(Refusal::new(BB_UNI_19, "a bent line goes nowhere, and charges nobody"));
        }
        let share = self.change_share(unit, shape);
        let by_hand = self.battery(unit) && !self.limbered(unit) && !shape.limbered;
        decides!(BB_GUN_04);
        if by_hand && shape.turn.abs() == Angle::QUARTER {
            return Err(Refusal::new(BB_GUN_04, "guns moved by hand change facing by wheeling"));
        }
        if by_hand {
            self.enough_hands(unit)?;
        }
        // What costs two moves is begun in one turn and done in the next (BB-MOV-18).
        let share = share.min(WHOLE);
        if waited > 0 && waited + share > WHOLE + 20 {
            return Err(Refusal::new(BB_OPT_25, "it has waited too long for room to do that"));
        }
        if self.spent(unit) + share > WHOLE + 20 {
            let halves = if share == WHOLE { "a whole move" } else { "half a move" };
            return Err(Refusal::new(BB_MOV_04, format!("it costs {halves}, more than is left")));
        }
        let (state, pose) = self.as_shape(unit, shape);
        let there = Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose);
        decides!(BB_MOV_27);
        if self.fixed.table.on_table(&there) != OnTable::Wholly {
            return Err(Refusal::new(BB_MOV_27, "there is no room for it on the table"));
        }
        if let Some(clause) = self.barred(&state, self.facts(unit), &there) {
            return Err(Refusal::new(clause, "the ground does not allow it"));
        }
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let around = there.bounds().grown(apart);
        *looked = looked.join(around);
        for other in self.others(unit) {
            let placed = self.outline(other);
            if !around.meets(&placed.bounds()) {
                continue;
            }
            if overlapping(&there, placed) {
                return Err(Refusal::new(BB_MOV_04, format!("{} is in the way", self.name_of(other))));
            }
            if self.side(other) == self.side(unit) {
                continue;
            }
            // A unit that plots a charge may come near the one it charges, but strikes it straight ahead (BB-MOV-21, BB-CHG-02).
            if self.launched(unit) {
                if exact_distance(&there, placed) <= NEAR {
                    return Err(Refusal::new(BB_CHG_02, "the last 2 in of a charge are straight ahead"));
                }
            } else if !self.may_be_passed(other) && self.closes(unit, &there, other, apart) {
                return Err(Refusal::new(BB_MOV_20, format!("{} is too near", self.name_of(other))));
            }
        }
        Ok(())
    }

    /// Why a unit may not change at all now.
    pub(crate) fn may_change(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_move(unit)?;
        self.not_from_a_block(unit)?;
        decides!(BB_MOV_05);
        if self.unit(unit).now.changed {
            return Err(Refusal::new(BB_MOV_05, format!("{} has changed once this turn", self.name_of(unit))));
        }
        if self.unit(unit).away {
            return Err(Refusal::new(BB_GUN_11, "gunners without guns have no formation"));
        }
        Ok(())
    }

    /// Every change open to a unit, facing changes included.
    pub(crate) fn shapes(&self, unit: UnitId) -> Vec<Shape> {
        let mut shapes = Vec::new();
        for form in self.forms(unit) {
            let same = self.same_form(unit, form);
            for (turn, _) in TURNS {
                let (formation, stands, limbered) = form;
                // Skirmishers and squares turn freely, and a square has four fronts already.
                let idle =
                    same && (turn == Angle::ZERO || matches!(formation, Formation::Skirmish | Formation::Square));
                let needless = formation == Formation::Square && turn != Angle::ZERO;
                if !idle && !needless {
                    shapes.push(Shape { formation, stands, limbered, turn, bend: None });
                }
            }
        }
        shapes.extend(self.bends(unit));
        shapes
    }

    /// The input of a change.
    pub(crate) fn form_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_change(unit)?;
        let mut why = Refusal::new(BB_MOV_04, "there is nothing else it can form");
        let mut of = Vec::new();
        let waited = self.waited(unit);
        for shape in self.shapes(unit) {
            match self.may_form_after(unit, &shape, waited, &mut self.bounds(unit)) {
                Ok(()) => {
                    let name = self.shape_name(unit, &shape);
                    if !of.contains(&name) {
                        of.push(name);
                    }
                }
                Err(refusal) => why = refusal,
            }
        }
        if of.is_empty() { Err(why) } else { Ok(Input::Formation { of }) }
    }

    /// Whether there is any change open to a unit.
    pub(crate) fn may_form_something(&self, unit: UnitId, looked: &mut Bounds) -> bool {
        if self.may_change(unit).is_err() {
            return false;
        }
        let waited = self.waited(unit);
        let unpaid = self.who_pays(unit).err();
        self.shapes(unit).iter().any(|shape| {
            let free = || {
                let facing = self.same_form(unit, (shape.formation, shape.stands, shape.limbered));
                let square = shape.formation == Formation::Square && shape.turn == Angle::ZERO;
                facing || (square && unpaid.as_ref().is_some_and(|refusal| refusal.clause == BB_OPT_52))
            };
            (unpaid.is_none() || free()) && self.may_form_after(unit, shape, waited, looked).is_ok()
        })
    }

    /// The names of all changes that a unit might make but bends, whether they are open or not.
    pub(crate) fn plain_forms(&self, unit: UnitId) -> Vec<String> {
        let plain = self.shapes(unit).into_iter().filter(|shape| shape.bend.is_none());
        plain.map(|shape| self.shape_name(unit, &shape)).collect()
    }

    /// The change of a name; of several that are called alike one that is open, if any is.
    pub(crate) fn shape_named(&self, unit: UnitId, name: &str) -> Option<Shape> {
        let mut named = self.shapes(unit).into_iter().filter(|shape| self.shape_name(unit, shape) == name);
        let first = named.next()?;
        if self.may_form(unit, &first).is_ok() {
            return Some(first);
        }
        named.find(|shape| self.may_form(unit, shape).is_ok()).or(Some(first))
    }
}
