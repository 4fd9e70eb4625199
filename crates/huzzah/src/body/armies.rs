//! Armies, and the nations and factions they are made of.

use sabretache_engine::scenario::FilePoint;
use sabretache_table::Edge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::numbers::AbilityTable;
use crate::troops::{Ability, Formation, not};

/// An army (HZ-GEN-09).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmyEntry {
    /// The id of its side.
    pub id: String,
    /// Its skirmish rating; rolled or taken from the contingents where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skirmish: Option<Ability>,
    /// How the rating is rolled, where it is to be (HZ-SKI-01).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skirmish_table: Option<AbilityTable>,
    /// The edge of the table it comes from.
    pub baseline: Edge,
    /// Its line of communication, where it is not the road nearest the middle of the baseline (HZ-GEO-23).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communication: Option<FilePoint>,
    /// How often its skirmish rating has been worn down by one (HZ-SKI-11).
    #[serde(default, skip_serializing_if = "is_default")]
    pub worn: u8,
    /// Whether it failed its last skirmish test (HZ-SKI-04).
    #[serde(default, skip_serializing_if = "not")]
    pub failed_skirmish: bool,
    /// Battalions committed to the skirmish line so far (HZ-SKI-06).
    #[serde(default, skip_serializing_if = "is_default")]
    pub committed: u16,
    /// Appoint orders issued this turn (HZ-APP-08).
    #[serde(default, skip_serializing_if = "is_default")]
    pub appointments: u8,
    /// Rearm orders issued this turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rearms: u8,
}

/// A nation or faction within an army (HZ-GEN-09).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContingentEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// How often each of its batteries can bombard (HZ-BOM-01).
    #[serde(default)]
    pub bombardment_factor: u8,
    /// The most the factor can be raised to; one more than it starts at where left out (HZ-REA-08).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bombardment_max: Option<u8>,
    /// What the factor has been raised to (HZ-REA-08).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bombardment_now: Option<u8>,
    /// Formations its doctrine prescribes when attacking (HZ-ENG-22).
    #[serde(default = "attack_doctrine")]
    pub doctrine_attack: Vec<Formation>,
    /// Formations its doctrine prescribes when defending.
    #[serde(default = "defence_doctrine")]
    pub doctrine_defence: Vec<Formation>,
    /// Formations its doctrine prescribes against cavalry.
    #[serde(default = "cavalry_doctrine")]
    pub doctrine_cavalry: Vec<Formation>,
    /// The best its officers can be (HZ-CMD-04).
    #[serde(default = "excellent")]
    pub best_officer: Ability,
    /// How its officers are rolled, where it is not as in the book (HZ-APP-05).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub officer_table: Option<AbilityTable>,
    /// Its skirmish rating, where the army's comes from its contingents (HZ-SKI-02).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skirmish: Option<Ability>,
    /// Its infantry can form mass (HZ-DEP-01).
    #[serde(default, skip_serializing_if = "not")]
    pub forms_mass: bool,
    /// The colour of its coats, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coat: Option<String>,
}

fn attack_doctrine() -> Vec<Formation> {
    vec![Formation::Line, Formation::Column]
}

fn defence_doctrine() -> Vec<Formation> {
    vec![Formation::Line]
}

fn cavalry_doctrine() -> Vec<Formation> {
    vec![Formation::Square, Formation::Mass]
}

fn excellent() -> Ability {
    Ability::Excellent
}
