//! How a hand takes hold of an offer: what is dragged, turned or pointed at, so that a client needs to know no rules.

use sabretache_table::{Heading, Point};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{Named, UnitId};
use crate::offer::{Input, Value};
use crate::ruleset::{Label, Ruleset};

/// How an offer is taken hold of on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Handle {
    /// Dragged along a way. The input is a distance.
    Along {
        /// What is dragged.
        #[ts(type = "string")]
        unit: UnitId,
        /// The points of the way from where it stands to its furthest.
        #[ts(type = "{ x: number; y: number }[]")]
        track: Vec<Point>,
        /// Whether it goes back, away from where it faces.
        back: bool,
    },
    /// Turned about a point. The input is an angle.
    Wheel {
        /// What is turned.
        #[ts(type = "string")]
        unit: UnitId,
        /// About which points.
        pivots: Pivots,
    },
    /// Pushed sideways without turning. The input is a distance.
    Slide {
        /// What is pushed.
        #[ts(type = "string")]
        unit: UnitId,
        /// In which direction, in hundredths of a degree clockwise from north.
        #[ts(type = "number")]
        bearing: Heading,
    },
    /// Put down at a point. The input is a point.
    Point {
        /// Who: a unit or an officer.
        #[ts(type = "string")]
        who: Named,
    },
    /// Pointed at: those that act do something to the target.
    Target {
        /// Those that act, units or officers; nobody where it is not theirs alone.
        #[ts(type = "string[]")]
        of: Vec<Named>,
        /// What they do it to: a unit, an officer, a piece of ground.
        #[ts(type = "string")]
        target: Named,
    },
    /// A formation chip beside the unit. The input is a formation, a number, or nothing.
    Formation {
        /// Whose.
        #[ts(type = "string")]
        unit: UnitId,
        /// Which formation, where the offer is for one; otherwise the input has them all.
        into: Option<String>,
    },
    /// Some units are picked. The input is a choice of units.
    Units {
        /// From these.
        #[ts(type = "string[]")]
        of: Vec<UnitId>,
    },
    /// A button, beside the one it concerns where it concerns one.
    None {
        /// Whom it concerns.
        #[ts(type = "string | null")]
        who: Option<Named>,
    },
}

/// The points about which a unit turns: one for each hand, where it can turn that way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct Pivots {
    /// Turning to the left.
    #[ts(type = "{ x: number; y: number } | null")]
    pub left: Option<Point>,
    /// Turning to the right.
    #[ts(type = "{ x: number; y: number } | null")]
    pub right: Option<Point>,
}

/// What kind of thing an offer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Something that a unit or an officer does.
    Act,
    /// An order to others, or something that concerns a whole command.
    Order,
    /// It ends something, or lets something pass.
    End,
}

/// All that is said of how an offer is handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handling {
    /// How it is taken hold of.
    pub handle: Handle,
    /// What it is, in a machine's word: `advance`, `wheel`, `charge`, `shoot`, `order`, `ride`, `pass`, `end`.
    pub act: &'static str,
    /// What it is done to.
    pub target: Option<Named>,
    /// What kind of thing it is.
    pub group: Group,
    /// What it makes possible, if it comes off: an order to advance leads to `advance`.
    pub leads_to: Option<&'static str>,
}

impl Handling {
    /// Something done by one, with no more to say than the word.
    pub fn act(act: &'static str, who: impl Into<Named>) -> Self {
        let handle = Handle::None { who: Some(who.into()) };
        Self { handle, act, target: None, group: Group::Act, leads_to: None }
    }

    /// A button that ends something or lets it pass.
    #[must_use]
    pub fn end(act: &'static str) -> Self {
        Self { handle: Handle::None { who: None }, act, target: None, group: Group::End, leads_to: None }
    }

    /// Some do something to a target.
    pub fn at(act: &'static str, of: impl IntoIterator<Item = impl Into<Named>>, target: impl Into<Named>) -> Self {
        let (of, target) = (of.into_iter().map(Into::into).collect(), target.into());
        Self { handle: Handle::Target { of, target }, act, target: Some(target), group: Group::Act, leads_to: None }
    }

    /// The same, taken hold of in this way.
    #[must_use]
    pub fn by(mut self, handle: Handle) -> Self {
        self.handle = handle;
        self
    }

    /// The same, done to this.
    #[must_use]
    pub fn to(mut self, target: impl Into<Named>) -> Self {
        self.target = Some(target.into());
        self
    }

    /// The same, and what it makes possible.
    #[must_use]
    pub fn leading_to(mut self, act: &'static str) -> Self {
        self.leads_to = Some(act);
        self
    }

    /// The same, of this kind.
    #[must_use]
    pub fn of(mut self, group: Group) -> Self {
        self.group = group;
        self
    }
}

impl Handle {
    /// Who can be taken hold of for it: units and officers.
    pub fn actors(&self) -> Vec<Named> {
        match self {
            Self::Along { unit, .. }
            | Self::Wheel { unit, .. }
            | Self::Slide { unit, .. }
            | Self::Formation { unit, .. } => vec![(*unit).into()],
            Self::Point { who } => vec![*who],
            Self::Target { of, .. } => of.clone(),
            Self::Units { of } => of.iter().map(|unit| (*unit).into()).collect(),
            Self::None { who } => who.iter().copied().collect(),
        }
    }
}

/// How an offer is handled as far as its input, its words and its preview tell.
#[must_use]
pub fn plain<R: Ruleset>(battle: &R::Battle, offer: &R::Offer) -> Handling {
    let Label { unit, command, .. } = R::label(battle, offer);
    let input = R::input(battle, offer);
    let who = unit.map(Named::from);
    let ghost = |value: Value| R::preview(battle, offer, &value).ghosts.into_iter().next();
    let handle = match (&input, unit) {
        (Input::Distance { most, .. }, Some(unit)) => {
            let track = ghost(Value::Distance(*most)).map(|ghost| ghost.track).unwrap_or_default();
            Handle::Along { unit, track, back: false }
        }
        (Input::Wheel { .. }, Some(unit)) => Handle::Wheel { unit, pivots: Pivots::default() },
        (Input::Point { .. }, Some(unit)) => Handle::Point { who: unit.into() },
        (Input::Formation { .. }, Some(unit)) => Handle::Formation { unit, into: None },
        (Input::Units { of, .. }, _) => Handle::Units { of: of.clone() },
        _ => Handle::None { who },
    };
    let group = match (unit, command) {
        (Some(_), _) => Group::Act,
        (None, Some(_)) => Group::Order,
        (None, None) => Group::End,
    };
    let act = match input {
        Input::Distance { .. } => "move",
        Input::Wheel { .. } => "wheel",
        Input::Point { .. } => "place",
        Input::Formation { .. } => "form",
        Input::Units { .. } => "pick",
        Input::None | Input::Number { .. } if group == Group::End => "end",
        Input::None | Input::Number { .. } => "do",
    };
    Handling { handle, act, target: None, group, leads_to: None }
}
