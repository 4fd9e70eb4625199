//! The optional rules, each its own switch, all off unless the scenario says otherwise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The optional rules of chapter 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// A unit that stood still may shoot at enemies who passed by (BB-OPT-01).
    #[serde(skip_serializing_if = "off")]
    pub pass_through_fire: bool,
    /// Dice that miss may hit those behind the target (BB-OPT-08).
    #[serde(skip_serializing_if = "off")]
    pub carry_through: bool,
    /// Foot organised in two ranks shoots better and fights worse (BB-OPT-09).
    #[serde(skip_serializing_if = "off")]
    pub two_rank_line: bool,
    /// Nations have ways of their own (BB-OPT-11).
    #[serde(skip_serializing_if = "off")]
    pub national_modifiers: bool,
    /// Manoeuvring near the enemy shakes a unit (BB-OPT-03).
    #[serde(skip_serializing_if = "off")]
    pub pinning: bool,
    /// Attached generals may fall (BB-OPT-05).
    #[serde(skip_serializing_if = "off")]
    pub danger_to_generals: bool,
    /// Batteries shoot at or near the nearest target (BB-OPT-12).
    #[serde(skip_serializing_if = "off")]
    pub artillery_targeting: bool,
    /// A unit near a general may rout on purpose (BB-OPT-07).
    #[serde(skip_serializing_if = "off")]
    pub voluntary_rout: bool,
    /// Units need room to manoeuvre (BB-OPT-02).
    #[serde(skip_serializing_if = "off")]
    pub elbow_room: bool,
    /// Generals have command points for charges and formation changes (BB-OPT-06).
    #[serde(skip_serializing_if = "off")]
    pub command_initiative: bool,
    /// Cavalry that does not clearly win a round falls back (BB-OPT-15).
    #[serde(skip_serializing_if = "off")]
    pub cavalry_bounce: bool,
    /// Victors may pursue, and cavalry may have to (BB-OPT-04).
    #[serde(skip_serializing_if = "off")]
    pub pursuit: bool,
    /// Battalions that can may throw out a skirmish screen (BB-OPT-10).
    #[serde(skip_serializing_if = "off")]
    pub skirmish_screens: bool,
    /// A unit's first rout off the table is not final (BB-OPT-13).
    #[serde(skip_serializing_if = "off")]
    pub first_rout_off_table: bool,
    /// Old city walls, with breaches and scaling ladders (BB-OPT-14).
    #[serde(skip_serializing_if = "off")]
    pub city_walls: bool,
}

/// For serde: nothing is written for a switch that is off.
pub(crate) fn off(switch: &bool) -> bool {
    !switch
}
