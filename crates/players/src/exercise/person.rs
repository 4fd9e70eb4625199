//! The same exercises for people: what is to be thought of a choice, and what a good player would have chosen.

use sabretache_engine::drill::{Drill, DrillChoice};
use sabretache_engine::offer::{Input, Value};
use sabretache_engine::scenario::{FileLength, FilePoint, Measure};
use sabretache_table::Angle;

use super::{Exercise, Limits, Pattern, like};

/// What is to be thought of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// A good player would choose so.
    pub well: bool,
    /// He never would.
    pub avoided: bool,
}

impl Exercise {
    /// What is to be thought of a choice in its position.
    #[must_use]
    pub fn judge(&self, key: &str, value: &Value, measure: Measure) -> Judgement {
        let among = |patterns: &[Pattern]| patterns.iter().any(|one| one.limits().holds(key, value, measure));
        let avoided = among(&self.avoid);
        Judgement { avoided, well: !avoided && (self.best.is_empty() || among(&self.best)) }
    }

    /// How a good player would choose this offer, if he would at all: the input in the middle of what the exercise allows, nothing where any will do.
    #[must_use]
    pub fn answer(&self, key: &str, input: &Input, measure: Measure) -> Option<Option<Value>> {
        let best = self.best.iter().map(Pattern::limits).find(|limits| like(&limits.choose, key))?;
        let value = best.middle(input, measure);
        match &value {
            Some(value) if !self.judge(key, value, measure).well => None,
            None if best.limited() => None,
            _ => Some(value),
        }
    }

    /// Its position and what was chosen up to it, as a drill that expects nothing.
    #[must_use]
    pub fn way_there(&self) -> Drill {
        Drill {
            clauses: Vec::new(),
            title: self.title.clone(),
            ruleset: self.ruleset.clone(),
            test: None,
            situation: None,
            scenario: self.scenario.clone(),
            position: self.position.clone(),
            set: self.set.clone(),
            choices: self.choices.iter().cloned().map(DrillChoice::Plain).collect(),
            dice: self.dice.clone(),
            expect: serde_json::Map::new(),
        }
    }
}

impl Limits {
    /// Whether it is said how.
    fn limited(&self) -> bool {
        self.distance.is_some()
            || self.wheel.is_some()
            || self.near.is_some()
            || self.formation.is_some()
            || self.number.is_some()
    }

    /// A value in the middle of the limits; nothing where there are none, or the input has nothing within them.
    fn middle(&self, input: &Input, measure: Measure) -> Option<Value> {
        match input {
            Input::Distance { least, most, .. } => {
                let [from, to] = self.distance?.map(|end| measure.length(FileLength(end)));
                let (from, to) = (from.max(*least), to.min(*most));
                // Nearer to what the offer allows: half-way is seldom what is meant.
                (from <= to).then_some(Value::Distance(to))
            }
            Input::Wheel { most_left, most_right } => {
                let [from, to] = self.wheel?;
                let (from, to) = (from.max(most_left.to_degrees()), to.min(most_right.to_degrees()));
                let middle = Angle::hundredths((f64::midpoint(from, to) * 100.0) as i32);
                (from <= to).then_some(Value::Wheel(middle))
            }
            Input::Point { within, except } => {
                let [x, y, _] = self.near?;
                let at = measure.point(FilePoint([x, y]));
                let open = within.iter().any(|area| area.holds(at)) && !except.iter().any(|area| area.holds(at));
                open.then_some(Value::Point(at))
            }
            Input::Formation { of } => {
                let wanted = self.formation.as_ref()?;
                of.iter().find(|one| like(wanted, one)).cloned().map(Value::Formation)
            }
            Input::Number { least, most } => {
                let [from, to] = self.number?;
                let (from, to) = (from.max(*least), to.min(*most));
                (from <= to).then_some(Value::Number(from))
            }
            Input::None | Input::Units { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_exercises;
    use super::*;

    const TEXT: &str = r#"
[[exercise]]
title = "A wheel"
theme = "flank"
why = "It turns to meet him."
ruleset = "huzzah"
scenario = "positions/field.toml"
best = [{ choose = "wheel fr-1", wheel = [-90, -30] }, "order * fr-1"]
avoid = [{ choose = "wheel fr-1", wheel = [5, 90] }, "done"]
"#;

    #[test]
    fn a_choice_is_judged_and_the_answer_is_within_what_is_allowed() {
        let one = &read_exercises("test", TEXT).unwrap()[0];
        let judge = |key: &str, value: Value| one.judge(key, &value, Measure::Cm);
        let wheel = |degrees: i32| Value::Wheel(Angle::degrees(degrees));
        assert_eq!(judge("wheel fr-1", wheel(-45)), Judgement { well: true, avoided: false });
        assert_eq!(judge("wheel fr-1", wheel(45)), Judgement { well: false, avoided: true });
        assert_eq!(judge("wheel fr-1", wheel(2)), Judgement { well: false, avoided: false });
        assert_eq!(judge("done", Value::None), Judgement { well: false, avoided: true });
        let input = Input::Wheel { most_left: Angle::degrees(-60), most_right: Angle::degrees(60) };
        assert_eq!(one.answer("wheel fr-1", &input, Measure::Cm), Some(Some(wheel(-45))));
        let little = Input::Wheel { most_left: Angle::degrees(-10), most_right: Angle::degrees(60) };
        assert_eq!(one.answer("wheel fr-1", &little, Measure::Cm), None);
        assert_eq!(one.answer("order advance fr-1", &Input::None, Measure::Cm), Some(None));
        assert_eq!(one.answer("done", &Input::None, Measure::Cm), None);
    }
}
