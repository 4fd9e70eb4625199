//! What a side may do, what it answers, and why a choice is not allowed.

use std::fmt;

use sabretache_table::{Angle, Length, Point, Pose, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clause::Clause;
use crate::dice::{NoDice, Seeded};
use crate::forecast::{Cost, Invitation};
use crate::handle::Handle;
use crate::ids::UnitId;
use crate::odds::IsNoDice;

/// What an offer needs to be told before it can be chosen, and within which limits.
///
/// The limits are exact: any value within them is accepted. What the other values would run into is for
/// [`Stop`]s and refusals to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Input {
    /// Nothing: the offer says it all.
    None,
    /// How far along its path.
    Distance {
        /// The least that may be moved.
        #[ts(type = "number")]
        least: Length,
        /// The furthest it gets.
        #[ts(type = "number")]
        most: Length,
        /// Where it is stopped or may be, and why.
        stops: Vec<Stop>,
    },
    /// How much to wheel: negative to the left, positive to the right, in hundredths of a degree.
    Wheel {
        /// The furthest to the left (zero or less).
        #[ts(type = "number")]
        most_left: Angle,
        /// The furthest to the right (zero or more).
        #[ts(type = "number")]
        most_right: Angle,
    },
    /// A point within an area.
    Point {
        /// Any of these,
        within: Vec<Area>,
        /// but none of these.
        except: Vec<Area>,
    },
    /// Some of these units, each once and in the order of their numbers.
    Units {
        /// The units to pick from.
        #[ts(type = "string[]")]
        of: Vec<UnitId>,
        /// At least so many.
        least: u16,
        /// At most so many.
        most: u16,
    },
    /// A formation to take up.
    Formation {
        /// The formations open to it.
        of: Vec<String>,
    },
    /// A number.
    Number {
        /// The smallest.
        least: i32,
        /// The largest.
        most: i32,
    },
}

/// A place along a move where something stops it, or may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct Stop {
    /// How far along.
    #[ts(type = "number")]
    pub at: Length,
    /// Why, in words.
    pub why: String,
    /// The clause that says so.
    #[ts(type = "string")]
    pub clause: Clause,
}

/// A patch of the table, its edge included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Area {
    /// Everything within this distance.
    Circle {
        /// The middle.
        #[ts(type = "{ x: number; y: number }")]
        centre: Point,
        /// The distance.
        #[ts(type = "number")]
        radius: Length,
    },
    /// A polygon without holes.
    Polygon {
        /// Its corners in order.
        #[ts(type = "{ x: number; y: number }[]")]
        corners: Vec<Point>,
    },
}

impl Area {
    /// Whether the point lies in the area or on its edge.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        match self {
            Self::Circle { centre, radius } => {
                let (dx, dy) = between(*centre, point);
                dx * dx + dy * dy <= square(*radius)
            }
            Self::Polygon { corners } => polygon_holds(corners, point),
        }
    }

    /// The corners of the smallest upright rectangle around the area.
    fn bounds(&self) -> (Point, Point) {
        match self {
            Self::Circle { centre, radius } => {
                (Point::new(centre.x - *radius, centre.y - *radius), Point::new(centre.x + *radius, centre.y + *radius))
            }
            Self::Polygon { corners } => {
                let xs = || corners.iter().map(|corner| corner.x);
                let ys = || corners.iter().map(|corner| corner.y);
                let least = Point::new(xs().min().unwrap_or_default(), ys().min().unwrap_or_default());
                (least, Point::new(xs().max().unwrap_or_default(), ys().max().unwrap_or_default()))
            }
        }
    }
}

fn between(from: Point, to: Point) -> (i64, i64) {
    (i64::from(to.x.to_um()) - i64::from(from.x.to_um()), i64::from(to.y.to_um()) - i64::from(from.y.to_um()))
}

fn square(length: Length) -> i64 {
    i64::from(length.to_um()) * i64::from(length.to_um())
}

/// Even-odd rule in whole numbers, so that a point on the edge is always inside.
fn polygon_holds(corners: &[Point], point: Point) -> bool {
    let mut inside = false;
    for (n, from) in corners.iter().enumerate() {
        let to = &corners[(n + 1) % corners.len()];
        let (ax, ay) = between(point, *from);
        let (bx, by) = between(point, *to);
        let cross = i128::from(ax) * i128::from(by) - i128::from(ay) * i128::from(bx);
        let dot = i128::from(ax) * i128::from(bx) + i128::from(ay) * i128::from(by);
        if cross == 0 && dot <= 0 {
            return true;
        }
        if (ay > 0) != (by > 0) && (cross > 0) == (by > ay) {
            inside = !inside;
        }
    }
    inside
}

/// The answer to an [`Input`].
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, ts_rs::TS,
)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Nothing.
    #[default]
    None,
    /// So far.
    Distance(#[ts(type = "number")] Length),
    /// So much to the left (negative) or right.
    Wheel(#[ts(type = "number")] Angle),
    /// There.
    Point(#[ts(type = "{ x: number; y: number }")] Point),
    /// These.
    Units(#[ts(type = "string[]")] Vec<UnitId>),
    /// This formation.
    Formation(String),
    /// So many.
    Number(i32),
}

impl Value {
    /// The distance, if it is one.
    #[must_use]
    pub fn distance(&self) -> Option<Length> {
        if let Self::Distance(length) = self { Some(*length) } else { None }
    }

    /// The angle, if it is one.
    #[must_use]
    pub fn wheel(&self) -> Option<Angle> {
        if let Self::Wheel(angle) = self { Some(*angle) } else { None }
    }

    /// The point, if it is one.
    #[must_use]
    pub fn point(&self) -> Option<Point> {
        if let Self::Point(point) = self { Some(*point) } else { None }
    }

    /// The units, if they are any.
    #[must_use]
    pub fn units(&self) -> Option<&[UnitId]> {
        if let Self::Units(units) = self { Some(units) } else { None }
    }

    /// The formation, if it is one.
    #[must_use]
    pub fn formation(&self) -> Option<&str> {
        if let Self::Formation(name) = self { Some(name) } else { None }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<i32> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// What is wrong with a value, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongValue(pub String);

impl Input {
    /// Whether the value is of the right kind and within the limits.
    #[must_use]
    pub fn fits(&self, value: &Value) -> bool {
        self.judge(value, Unit::Cm).is_ok()
    }

    /// What is wrong with a value, if anything, in the book's unit and with the clause behind the limit.
    pub fn check(&self, value: &Value, unit: Unit) -> Result<(), WrongValue> {
        self.judge(value, unit).map_err(|sentence| match self.limit_clause() {
            Some(clause) if self.is_beyond(value) => WrongValue(format!("{sentence} [{clause}]")),
            _ => WrongValue(sentence),
        })
    }

    /// A value that does not fit, as the breach of the clause behind the limit, or of the one given where the limit names none.
    #[must_use]
    pub fn breach(&self, value: &Value, unit: Unit, otherwise: Option<Clause>) -> Option<Refusal> {
        let sentence = self.judge(value, unit).err()?;
        Some(Refusal::new(self.limit_clause().or(otherwise)?, sentence))
    }

    /// Whether a distance is longer than the longest.
    fn is_beyond(&self, value: &Value) -> bool {
        matches!((self, value), (Self::Distance { most, .. }, Value::Distance(distance)) if distance > most)
    }

    /// Whether the value fits, and if not, why, without its clause.
    fn judge(&self, value: &Value, unit: Unit) -> Result<(), String> {
        let wrong = |text: String| Err(text);
        let in_words = |length: Length| length.format_in(unit);
        match (self, value) {
            (Self::None, Value::None) => Ok(()),
            (Self::Distance { least, most, stops }, Value::Distance(distance)) => {
                if distance < least {
                    let (least, distance) = (in_words(*least), in_words(*distance));
                    return wrong(format!("at least {least} must be moved, not {distance}"));
                }
                if distance > most {
                    let why = stops.iter().find(|stop| stop.at >= *most);
                    let why = why.map_or(String::new(), |stop| format!(": {}", stop.why));
                    let (most, distance) = (in_words(*most), in_words(*distance));
                    return wrong(format!("it gets {most} at the most, not {distance}{why}"));
                }
                Ok(())
            }
            (Self::Wheel { most_left, most_right }, Value::Wheel(angle)) => {
                if angle < most_left || angle > most_right {
                    return wrong(format!("it can wheel {}", turns(*most_left, *most_right)));
                }
                Ok(())
            }
            (Self::Point { within, except }, Value::Point(point)) => {
                if !within.iter().any(|area| area.holds(*point)) {
                    return wrong("that point is outside the area it may go to".into());
                }
                if except.iter().any(|area| area.holds(*point)) {
                    return wrong("that point lies in a part of the area that is closed to it".into());
                }
                Ok(())
            }
            (Self::Units { of, least, most }, Value::Units(units)) => {
                if let Some(stranger) = units.iter().find(|unit| !of.contains(unit)) {
                    return wrong(format!("{stranger} is not one of those that can be picked"));
                }
                if units.windows(2).any(|pair| pair[0] >= pair[1]) {
                    return wrong("name each unit once, in rising order".into());
                }
                if units.len() < usize::from(*least) || units.len() > usize::from(*most) {
                    let some = if least == most { format!("{most}") } else { format!("{least} to {most}") };
                    let units_word = if *most == 1 { "unit" } else { "units" };
                    return wrong(format!("pick {some} {units_word}, not {}", units.len()));
                }
                Ok(())
            }
            (Self::Formation { of }, Value::Formation(name)) => {
                if of.contains(name) {
                    Ok(())
                } else {
                    wrong(format!("it can form {}, not {name}", of.join(", ")))
                }
            }
            (Self::Number { least, most }, Value::Number(number)) => {
                if (least..=most).contains(&number) {
                    Ok(())
                } else {
                    wrong(format!("{least} to {most}, not {number}"))
                }
            }
            (wanted, _) => wrong(format!("{} is wanted here", wanted.wanted())),
        }
    }

    /// The clause behind the upper limit, where a stop gives one.
    #[must_use]
    pub fn limit_clause(&self) -> Option<Clause> {
        match self {
            Self::Distance { most, stops, .. } => stops.iter().find(|stop| stop.at >= *most).map(|stop| stop.clause),
            _ => None,
        }
    }

    /// Whether the value is of the kind wanted, whatever its limits.
    #[must_use]
    pub fn same_kind(&self, value: &Value) -> bool {
        matches!(
            (self, value),
            (Self::None, Value::None)
                | (Self::Distance { .. }, Value::Distance(_))
                | (Self::Wheel { .. }, Value::Wheel(_))
                | (Self::Point { .. }, Value::Point(_))
                | (Self::Units { .. }, Value::Units(_))
                | (Self::Formation { .. }, Value::Formation(_))
                | (Self::Number { .. }, Value::Number(_))
        )
    }

    /// What is wanted, in words.
    #[must_use]
    pub fn wanted(&self) -> &'static str {
        match self {
            Self::None => "no value",
            Self::Distance { .. } => "a distance",
            Self::Wheel { .. } => "an angle",
            Self::Point { .. } => "a point",
            Self::Units { .. } => "a choice of units",
            Self::Formation { .. } => "a formation",
            Self::Number { .. } => "a number",
        }
    }

    /// What is wanted and within which limits, in words and in the book's unit.
    #[must_use]
    pub fn limits(&self, unit: Unit) -> String {
        match self {
            Self::None => String::new(),
            Self::Distance { least, most, stops } => {
                let why =
                    stops.iter().find(|stop| stop.at >= *most).map_or(String::new(), |stop| format!(" ({})", stop.why));
                format!("{} to {}{why}", least.format_in(unit), most.format_in(unit))
            }
            Self::Wheel { most_left, most_right } => turns(*most_left, *most_right),
            Self::Point { .. } => "a point on the table".into(),
            Self::Units { of, least, most } => {
                let some = if least == most { format!("{most}") } else { format!("{least} to {most}") };
                format!("{some} of {} unit{}", of.len(), if of.len() == 1 { "" } else { "s" })
            }
            Self::Formation { of } => of.join(", "),
            Self::Number { least, most } => format!("{least} to {most}"),
        }
    }

    /// A few values that stand for the rest: the limits, the stops, the middle. All of them are allowed.
    pub fn proposals(&self, out: &mut Vec<Value>) {
        let first = out.len();
        match self {
            Self::None => out.push(Value::None),
            Self::Distance { least, most, stops } => {
                out.push(Value::Distance(*most));
                out.extend(stops.iter().map(|stop| Value::Distance(stop.at)));
                out.push(Value::Distance(Length::um((least.to_um() + most.to_um()) / 2)));
            }
            Self::Wheel { most_left, most_right } => {
                for hundredths in [most_left.to_hundredths(), most_right.to_hundredths()] {
                    out.extend([hundredths, hundredths / 2].map(|angle| Value::Wheel(Angle::hundredths(angle))));
                }
            }
            Self::Point { within, .. } => {
                for area in within {
                    let (low, high) = area.bounds();
                    let middle = |a: Length, b: Length| Length::um((a.to_um() + b.to_um()) / 2);
                    out.push(Value::Point(Point::new(middle(low.x, high.x), middle(low.y, high.y))));
                    if let Area::Polygon { corners } = area {
                        out.extend(corners.iter().map(|corner| Value::Point(*corner)));
                    }
                }
            }
            Self::Units { of, least, most } => {
                for count in [*least, *most] {
                    let mut units: Vec<UnitId> = of.iter().take(usize::from(count)).copied().collect();
                    units.sort_unstable();
                    out.push(Value::Units(units));
                }
            }
            Self::Formation { of } => out.extend(of.iter().map(|name| Value::Formation(name.clone()))),
            Self::Number { least, most } => out.extend([*least, least.midpoint(*most), *most].map(Value::Number)),
        }
        let mut kept = out.split_off(first);
        kept.retain(|value| self.fits(value));
        kept.sort_unstable();
        kept.dedup();
        out.append(&mut kept);
    }

    /// Any allowed value, each about equally likely, the limits themselves more often than chance would have it: that
    /// is where rules break. Nothing where an area leaves hardly any room.
    #[must_use]
    pub fn any(&self, random: &mut Seeded) -> Option<Value> {
        Some(match self {
            Self::None => Value::None,
            Self::Distance { least, most, stops } => {
                let stop = stops.get(random.below(stops.len() as u32) as usize).map(|stop| stop.at);
                let range = (most.to_um() - least.to_um()).max(0) as u32;
                Value::Distance(match random.below(8) {
                    0..=2 => *most,
                    3 => *least,
                    4 => stop.filter(|at| at >= least && at <= most).unwrap_or(*most),
                    _ => *least + Length::um(random.below(range.saturating_add(1)) as i32),
                })
            }
            Self::Wheel { most_left, most_right } => {
                let (left, right) = (most_left.to_hundredths(), most_right.to_hundredths());
                let range = (right - left).max(0) as u32;
                Value::Wheel(match random.below(6) {
                    0 => *most_left,
                    1 => *most_right,
                    _ => Angle::hundredths(left + random.below(range + 1) as i32),
                })
            }
            Self::Point { within, .. } => {
                for _ in 0..64 {
                    let (low, high) = within.get(random.below(within.len() as u32) as usize)?.bounds();
                    let mut between = |low: Length, high: Length| {
                        low + Length::um(random.below((high - low).to_um().max(0) as u32 + 1) as i32)
                    };
                    let value = Value::Point(Point::new(between(low.x, high.x), between(low.y, high.y)));
                    if self.fits(&value) {
                        return Some(value);
                    }
                }
                return None;
            }
            Self::Units { of, least, most } => {
                let room = u32::from(most.saturating_sub(*least));
                let count = usize::from(*least) + random.below(room + 1) as usize;
                let mut left = of.clone();
                let mut picked = Vec::new();
                while picked.len() < count && !left.is_empty() {
                    picked.push(left.swap_remove(random.below(left.len() as u32) as usize));
                }
                picked.sort_unstable();
                Value::Units(picked)
            }
            Self::Formation { of } => Value::Formation(of.get(random.below(of.len() as u32) as usize)?.clone()),
            Self::Number { least, most } => {
                Value::Number(least.saturating_add(random.below((most - least).max(0) as u32 + 1) as i32))
            }
        })
    }
}

/// The limits of a wheel in words. One that has to go past something has both on the same side.
fn turns(least: Angle, most: Angle) -> String {
    let (left, right) = (least.abs().to_degrees(), most.abs().to_degrees());
    if least > Angle::ZERO {
        format!("{left:.2}° to {right:.2}° to the right")
    } else if most < Angle::ZERO {
        format!("{right:.2}° to {left:.2}° to the left (negative)")
    } else {
        format!("up to {left:.2}° to the left (negative), {right:.2}° to the right")
    }
}

/// An offer and the value of its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<O> {
    /// What is done.
    pub offer: O,
    /// How far, how much, which.
    pub value: Value,
}

impl<O> Choice<O> {
    /// An offer that needs no input.
    pub fn plain(offer: O) -> Self {
        Self { offer, value: Value::None }
    }
}

/// Why a choice is not allowed: a clause and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct Refusal {
    /// The clause that forbids it.
    #[ts(type = "string")]
    pub clause: Clause,
    /// Why, as a sentence.
    pub sentence: String,
    /// Whether it cannot be done at all, whatever the players have agreed: there is no such place, unit or state. What is
    /// merely forbidden may be done with open eyes where the players are only advised.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub impossible: bool,
}

impl Refusal {
    /// A rule forbids it; where the players are only advised it may be done all the same, and is noted.
    pub fn new(clause: Clause, sentence: impl Into<String>) -> Self {
        crate::mark::ran(clause);
        Self { clause, sentence: sentence.into(), impossible: false }
    }

    /// It cannot be done at all: there is no such place, unit or state.
    pub fn impossible(clause: Clause, sentence: impl Into<String>) -> Self {
        Self { impossible: true, ..Self::new(clause, sentence) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.sentence, self.clause)
    }
}

impl std::error::Error for Refusal {}

/// Why a choice was not resolved. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The rules forbid it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The value given does not fit the offer's input.
    #[error(transparent)]
    Value(#[from] WrongValue),
    /// Dice are wanted that are not there yet.
    #[error(transparent)]
    Dice(#[from] NoDice),
}

impl IsNoDice for Halt {
    fn is_no_dice(&self) -> bool {
        matches!(self, Self::Dice(_))
    }
}

/// Where a unit would stand: what a client draws while a choice is being made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct Preview {
    /// The ghosts, each with the unit it belongs to.
    pub ghosts: Vec<Ghost>,
    /// What stops it on the way, and where.
    pub stops: Vec<Stop>,
    /// What it comes to, in the book's unit.
    pub measure: Option<String>,
    /// What it costs for certain, whatever the dice.
    pub costs: Vec<Cost>,
    /// What it lays itself open to.
    pub invites: Vec<Invitation>,
    /// What an order makes possible once it is obeyed: how far whoever is ordered could then go.
    #[serde(default)]
    pub leads: Vec<Lead>,
}

/// Something that may be chosen once an order is obeyed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct Lead {
    /// What it is, in a machine's word.
    pub act: String,
    /// What it will need to be told.
    pub input: Input,
    /// How a hand will take hold of it.
    pub handle: Handle,
}

/// One unit where it would stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct Ghost {
    /// The unit.
    #[ts(type = "string")]
    pub unit: UnitId,
    /// Where.
    #[ts(type = "{ at: { x: number; y: number }; heading: number }")]
    pub pose: Pose,
    /// The corners of each of its stands.
    #[ts(type = "{ x: number; y: number }[][]")]
    pub stands: Vec<Vec<Point>>,
    /// The way there.
    #[ts(type = "{ x: number; y: number }[]")]
    pub track: Vec<Point>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_area() -> Area {
        Area::Polygon { corners: vec![Point::cm(0, 0), Point::cm(10, 0), Point::cm(10, 10), Point::cm(0, 10)] }
    }

    #[test]
    fn an_area_includes_its_edge_and_no_more() {
        let area = square_area();
        for inside in [Point::cm(5, 5), Point::cm(0, 0), Point::cm(10, 4), Point::cm(3, 10)] {
            assert!(area.holds(inside), "{inside:?}");
        }
        let outside = Point::new(Length::cm(10) + Length::um(1), Length::cm(4));
        assert!(!area.holds(outside) && !area.holds(Point::cm(-1, 0)) && !area.holds(Point::cm(15, 0)));
        let circle = Area::Circle { centre: Point::cm(0, 0), radius: Length::cm(5) };
        assert!(circle.holds(Point::cm(3, 4)) && !circle.holds(Point::cm(4, 4)));
    }

    #[test]
    fn limits_are_inclusive_and_refusals_say_what_stopped_it() {
        let clause = Clause::new("TY-ZON-01");
        let stop = Stop { at: Length::cm(12), why: "the enemy's zone begins".into(), clause };
        let input = Input::Distance { least: Length::cm(1), most: Length::cm(12), stops: vec![stop] };
        assert!(input.fits(&Value::Distance(Length::cm(12))));
        assert!(input.fits(&Value::Distance(Length::cm(1))));
        let wrong = input.check(&Value::Distance(Length::cm(13)), Unit::Cm).unwrap_err();
        assert!(wrong.0.contains("the enemy's zone begins [TY-ZON-01]"), "{wrong}");
        assert_eq!(input.check(&Value::None, Unit::Cm).unwrap_err().0, "a distance is wanted here");
    }

    #[test]
    fn lengths_are_told_in_the_unit_of_the_book() {
        let (least, most) = (Length::inch_fraction(1, 2), Length::inch_fraction(9, 2));
        let input = Input::Distance { least, most, stops: vec![] };
        let says = |length: Length| input.check(&Value::Distance(length), Unit::Inch).unwrap_err().0;
        assert_eq!(says(Length::inches(6)), "it gets 4 1/2in at the most, not 6in");
        assert_eq!(says(Length::inch_fraction(1, 4)), "at least 1/2in must be moved, not 1/4in");
        assert_eq!(input.limits(Unit::Inch), "1/2in to 4 1/2in");
    }

    #[test]
    fn a_wheel_says_how_far_it_goes_and_to_which_side() {
        let says = |left: i32, right: i32| {
            Input::Wheel { most_left: Angle::degrees(left), most_right: Angle::degrees(right) }.limits(Unit::Cm)
        };
        assert_eq!(says(-45, 30), "up to 45.00° to the left (negative), 30.00° to the right");
        assert_eq!(says(30, 45), "30.00° to 45.00° to the right");
        assert_eq!(says(-45, -30), "30.00° to 45.00° to the left (negative)");
    }

    #[test]
    fn whatever_is_picked_or_proposed_is_allowed() {
        let mut random = Seeded::new(5);
        let units: Vec<UnitId> = (0..6).map(UnitId).collect();
        let inputs = [
            Input::None,
            Input::Distance { least: Length::ZERO, most: Length::cm(15), stops: vec![] },
            Input::Wheel { most_left: Angle::degrees(-90), most_right: Angle::ZERO },
            Input::Wheel { most_left: Angle::degrees(30), most_right: Angle::degrees(45) },
            Input::Point {
                within: vec![square_area()],
                except: vec![Area::Circle { centre: Point::cm(5, 5), radius: Length::cm(3) }],
            },
            Input::Units { of: units, least: 1, most: 4 },
            Input::Formation { of: vec!["line".into(), "column".into()] },
            Input::Number { least: -2, most: 2 },
        ];
        for input in &inputs {
            for _ in 0..500 {
                let value = input.any(&mut random).unwrap();
                assert_eq!(input.check(&value, Unit::Cm), Ok(()), "{input:?}");
            }
            let mut proposed = Vec::new();
            input.proposals(&mut proposed);
            assert!(!proposed.is_empty() && proposed.iter().all(|value| input.fits(value)), "{input:?}");
        }
    }
}
