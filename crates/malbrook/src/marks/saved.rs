//! The marks as scenarios have them: side by side, whatever they belong to.

use std::borrow::Cow;

use sabretache_engine::ids::UnitId;
use sabretache_table::Length;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{Assault, Charge, LeftOff, Marks, Response};
use crate::brigade::HaltAt;
use crate::situations::{Band, MoveDice};

/// Writes the marks as they are saved: by name, and where each of them is kept.
macro_rules! saved {
    ($($(#[$about:meta])* $name:ident: $type:ty = $($place:ident).+,)+) => {
        /// What this turn has left on a brigade.
        #[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(rename = "Marks", deny_unknown_fields, default)]
        pub(super) struct Saved { $($(#[$about])* $name: $type,)+ }

        impl From<Marks> for Saved {
            fn from(marks: Marks) -> Self {
                Self { $($name: marks.$($place).+,)+ }
            }
        }

        impl From<Saved> for Marks {
            fn from(saved: Saved) -> Self {
                let mut marks = Self::default();
                $(marks.$($place).+ = saved.$name;)+
                marks
            }
        }
    };
}

saved! {
    /// Who decides what it does.
    control: Charge = control.by,
    /// It has taken its control test.
    tested: bool = control.tested,
    /// A leader steadied it, or a test halted it.
    halted: bool = control.halted,
    /// It changed its place in the movement phase.
    moved: bool = moved,
    /// It changed its place at any time this turn.
    shifted: bool = shifted,
    /// It took part in a close combat.
    fought: bool = fought,
    /// Guns shot at it.
    shot_at: bool = suffered.shot_at,
    /// How far it bombarded, if it did.
    bombarded: Option<Band> = fire.bombarded,
    /// It fired in the close artillery fire phase.
    fired_close: bool = fire.fired_close,
    /// It shot at a lone leader.
    shot_at_leader: bool = fire.shot_at_leader,
    /// The dice of this turn's movement phase.
    dice: Option<MoveDice> = share.dice,
    /// Distance of the roll used up already.
    spent: Length = share.spent,
    /// It moves double.
    double: bool = share.double,
    /// Its way led over rough ground.
    rough: bool = way.rough,
    /// It has taken a bearing of its own.
    bore: bool = way.bore,
    /// Half of the move went on a manoeuvre.
    half: bool = share.half,
    /// All of the move has just gone on a change of formation, which a second may follow (MB-MAN-07).
    whole: bool = share.whole,
    /// Its movement phase is over.
    done: bool = share.done,
    /// Off straight ahead, in hundredths of a degree.
    bearing: i32 = way.bearing,
    /// It wheeled in line near enemy.
    wheeled: bool = way.wheeled,
    /// Its leaders have tested: for fire, for combat, for other casualties.
    risked: [bool; 3] = suffered.risked,
    /// How it attacks.
    attack: Assault = carried.attack,
    /// How it answers a charge.
    response: Response = onset.response,
    /// A charge struck it in flank or rear.
    flanked: bool = carried.flanked,
    /// The dice of its charge.
    charge_dice: u8 = onset.charge_dice,
    /// It marched along a road.
    road: bool = way.road,
    /// Where it may halt.
    #[serde(skip_serializing_if = "Option::is_none")]
    halt_at: Option<HaltAt> = way.halt_at,
    /// By how much it wheeled, in hundredths of a degree.
    turned: i32 = way.turned,
    /// How far it inclined: to the right, or less than nothing to the left.
    #[serde(skip_serializing_if = "is_nothing")]
    aside: Length = way.aside,
    /// How far it went straight on.
    ahead: Length = way.ahead,
    /// Friends passed through it without penalty, so that it stays where it is.
    passed: bool = suffered.passed,
    /// The enemy foot that fire into its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    volley: Option<UnitId> = suffered.volley,
    /// It fires into a move.
    gave_fire: bool = fire.gave_fire,
    /// It rode through the enemy.
    rode_through: bool = onset.rode_through,
    /// How far it has fallen back before enemy who came on.
    withdrawn: Length = loose.withdrawn,
    /// It has turned as it liked, being unformed.
    faced: bool = loose.faced,
    /// How often its bases were called back as they moved one by one.
    gathered: u8 = loose.gathered,
    /// It has dismounted, and its horses may still be led away.
    dismounted: bool = loose.dismounted,
    /// The enemy has seen it this turn.
    seen: bool = suffered.seen,
    /// Some of it, whom the rest have joined, stood while these rode: it has no third die (MB-MOV-24).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stood: bool = share.stood,
    /// It has left off running, and is unformed until it re-forms.
    #[serde(skip_serializing_if = "LeftOff::is_nothing")]
    left_off: LeftOff = carried.left_off,
}

impl JsonSchema for Marks {
    fn schema_name() -> Cow<'static, str> {
        Saved::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Saved::json_schema(generator)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_nothing(length: &Length) -> bool {
    *length == Length::ZERO
}

#[cfg(test)]
mod tests {
    use super::super::{Carried, Control, Fire, Loose, Onset, Share, Suffered, Way};
    use super::*;

    /// Marks with nothing left out and nothing as it is at first: a mark that is added must be added here too.
    fn all() -> Marks {
        let (one, some) = (UnitId(1), Length::inches(1));
        Marks {
            moved: true,
            shifted: true,
            fought: true,
            control: Control { by: Charge::Tests, tested: true, halted: true },
            share: Share {
                dice: Some(MoveDice::new(1, 1)),
                spent: some,
                double: true,
                half: true,
                whole: true,
                done: true,
                stood: true,
            },
            way: Way {
                rough: true,
                bore: true,
                bearing: 100,
                wheeled: true,
                turned: 200,
                aside: some,
                ahead: some,
                road: true,
                halt_at: Some(HaltAt::Level(one)),
            },
            loose: Loose { faced: true, gathered: 1, withdrawn: some, dismounted: true },
            fire: Fire { bombarded: Some(Band::Far), fired_close: true, shot_at_leader: true, gave_fire: true },
            onset: Onset { response: Response::Stands, charge_dice: 2, rode_through: true },
            suffered: Suffered { shot_at: true, risked: [true; 3], volley: Some(one), passed: true, seen: true },
            carried: Carried { attack: Assault::Pursued, flanked: true, left_off: LeftOff::Rout },
        }
    }

    #[test]
    fn every_mark_is_saved_and_read_again() {
        let saved = serde_json::to_value(all()).unwrap_or_default();
        let first = serde_json::to_value(Marks::default()).unwrap_or_default();
        for (name, value) in saved.as_object().into_iter().flatten() {
            assert_ne!(first.get(name), Some(value), "{name} is saved as if nothing had happened");
        }
        assert_eq!(serde_json::from_value(saved).ok(), Some(all()));
    }

    #[test]
    fn scenarios_have_all_marks_side_by_side_and_no_others() {
        let read = |text: &str| serde_json::from_str::<Marks>(text).map_err(|error| error.to_string());
        let saved = read(r#"{ "control": "tests", "spent": 5 }"#);
        assert_eq!(saved.map(|one| (one.control.by, one.share.spent)), Ok((Charge::Tests, Length::um(5))));
        assert!(read(r#"{ "share": { "spent": 5 } }"#).is_err_and(|why| why.starts_with("unknown field `share`")));
    }
}
