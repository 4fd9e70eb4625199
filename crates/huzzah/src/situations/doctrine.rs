//! Doctrine: the formations in which a nation's infantry is meant to fight.

use crate::clauses::{HZ_BLD_09, HZ_BLD_13, HZ_GEN_09, HZ_STR_05};
use sabretache_engine::decides;
use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::facts::{Ground, Position, in_open_order};
use crate::troops::{Arm, Formation};

/// Some of the formations. In files it is a list: `["line", "column"]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Formations(u8);

impl Formations {
    /// These formations.
    #[must_use]
    pub const fn of(formations: &[Formation]) -> Self {
        let (mut set, mut n) = (0, 0);
        while n < formations.len() {
            set |= 1 << formations[n].index();
            n += 1;
        }
        Self(set)
    }

    /// Whether a formation is among them.
    #[must_use]
    pub const fn has(self, formation: Formation) -> bool {
        self.0 & (1 << formation.index()) != 0
    }

    /// All of them, in the order of the book.
    pub fn iter(self) -> impl Iterator<Item = Formation> {
        Formation::ALL.iter().copied().filter(move |&formation| self.has(formation))
    }
}

impl Serialize for Formations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Formations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(&Vec::<Formation>::deserialize(deserializer)?))
    }
}

impl JsonSchema for Formations {
    fn schema_name() -> Cow<'static, str> {
        "Formations".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "array", "items": generator.subschema_for::<Formation>() })
    }
}

/// What a contingent's doctrine prescribes for its infantry (HZ-ENG-22, HZ-GEN-09).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Doctrine {
    /// Formations when attacking.
    #[schemars(extend("clauses" = ["HZ-ENG-22", "HZ-GEN-09"]))]
    pub attack: Formations,
    /// Formations when defending.
    #[schemars(extend("clauses" = ["HZ-ENG-22", "HZ-GEN-09"]))]
    pub defence: Formations,
    /// Formations against cavalry.
    #[schemars(extend("clauses" = ["HZ-ENG-22", "HZ-GEN-09"]))]
    pub cavalry: Formations,
}

impl Default for Doctrine {
    fn default() -> Self {
        Self {
            attack: Formations::of(&[Formation::Line, Formation::Column]),
            defence: Formations::of(&[Formation::Line]),
            cavalry: Formations::of(&[Formation::Square, Formation::Mass]),
        }
    }
}

impl Doctrine {
    /// Whether a unit is in doctrinal deployment (HZ-ENG-22). Only infantry is ever not.
    #[must_use]
    pub fn allows(
        &self,
        arm: Arm,
        formation: Formation,
        able_to_open: bool,
        position: &Position,
        attacking: bool,
        against_cavalry: bool,
    ) -> bool {
        if !matches!(arm, Arm::Infantry) {
            return true;
        }
        let rough = (position.ground.is_dense() || matches!(position.ground, Ground::Broken)) && !position.partly;
        decides!(HZ_GEN_09);
        match formation {
            Formation::MarchColumn | Formation::Mob => false,
            Formation::Garrison => {
                decides!(HZ_BLD_09, HZ_BLD_13, HZ_STR_05);
                able_to_open
            }
            _ if able_to_open && in_open_order(formation, able_to_open) && rough => true,
            // What is prescribed against cavalry is never wrong against it; wholly in dense terrain nor is what is prescribed otherwise.
            _ if against_cavalry && self.cavalry.has(formation) => true,
            _ if against_cavalry && !position.wholly_dense() => false,
            _ if attacking => self.attack.has(formation),
            _ => self.defence.has(formation),
        }
    }
}
