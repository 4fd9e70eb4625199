//! Who and what a battle speaks of: sides, and the units, officers, commands and pieces of ground on the table.
//!
//! Ids are small numbers inside a battle. In JSON they are short tokens (`#3` a unit, `@1` an officer, `%0` a command,
//! `~4` a piece of ground), so that any program can tell them from plain numbers and put the names in.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::mentions::ID;

/// One of the two sides of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub enum Side {
    /// The side listed first in the scenario.
    A,
    /// The side listed second.
    B,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// 0 for A, 1 for B.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::A { "A" } else { "B" })
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $mark:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// The id as an index into a list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($mark, "{}"), self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(ID, &format_args!("{self}"))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let token = Cow::<'de, str>::deserialize(deserializer)?;
                let number = token.strip_prefix($mark).and_then(|n| n.parse().ok());
                number.map(Self).ok_or_else(|| de::Error::custom(format!(concat!("'{}' is not of the form ", $mark, "3"), token)))
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schemars::json_schema!({ "type": "string", "pattern": concat!("^", $mark, "[0-9]+$") })
            }
        }
    };
}

id!(
    /// A unit on (or off) the table.
    UnitId,
    "#"
);
id!(
    /// An officer, leader or general.
    OfficerId,
    "@"
);
id!(
    /// A command: a group of units under an officer.
    CommandId,
    "%"
);
id!(
    /// A piece of ground.
    GroundId,
    "~"
);

/// Anything on the table that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// A unit.
    Unit(UnitId),
    /// An officer.
    Officer(OfficerId),
    /// A command.
    Command(CommandId),
    /// A piece of ground.
    Ground(GroundId),
}

impl Named {
    /// What a token such as `#3` stands for.
    #[must_use]
    pub fn parse(token: &str) -> Option<Self> {
        let number = token.get(1..)?.parse().ok()?;
        match token.as_bytes().first()? {
            b'#' => Some(Self::Unit(UnitId(number))),
            b'@' => Some(Self::Officer(OfficerId(number))),
            b'%' => Some(Self::Command(CommandId(number))),
            b'~' => Some(Self::Ground(GroundId(number))),
            _ => None,
        }
    }
}

macro_rules! named {
    ($($id:ident => $kind:ident),*) => { $(
        impl From<$id> for Named {
            fn from(id: $id) -> Self {
                Self::$kind(id)
            }
        }
    )* };
}
named!(UnitId => Unit, OfficerId => Officer, CommandId => Command, GroundId => Ground);

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ID, &format_args!("{self}"))
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&token).ok_or_else(|| de::Error::custom(format!("'{token}' is not of the form #3, @1, %0 or ~4")))
    }
}

impl JsonSchema for Named {
    fn schema_name() -> Cow<'static, str> {
        "Named".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[#@%~][0-9]+$" })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit(id) => id.fmt(f),
            Self::Officer(id) => id.fmt(f),
            Self::Command(id) => id.fmt(f),
            Self::Ground(id) => id.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_tokens_in_json() {
        assert_eq!(serde_json::to_string(&UnitId(3)).unwrap(), "\"#3\"");
        assert_eq!(serde_json::from_str::<OfficerId>("\"@12\"").unwrap(), OfficerId(12));
        assert!(serde_json::from_str::<UnitId>("\"@12\"").is_err());
        assert!(serde_json::from_str::<UnitId>("\"#99999\"").is_err());
    }

    #[test]
    fn tokens_are_told_apart() {
        assert_eq!(Named::parse("%7"), Some(Named::Command(CommandId(7))));
        assert_eq!(Named::parse("7"), None);
        assert_eq!(Named::parse("é"), None);
        assert_eq!(Named::parse(""), None);
    }
}
