//! What the turn leaves on a brigade: who decides for it, what it has done, how it attacks and answers.

use std::borrow::Cow;

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::Length;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::brigade::{HaltAt, Status};
use crate::situations::{Band, MoveDice};

/// Who decides what a brigade does this turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Charge {
    /// Nobody yet, or nobody needs to: it stands.
    #[default]
    Unset,
    /// A leader near it.
    By(OfficerId),
    /// A leader who is with it.
    Attached,
    /// It copies a neighbour.
    Conforms(UnitId),
    /// It must test.
    Tests,
    /// It tested and acts as its player wishes.
    Free,
    /// It halts.
    Halts,
    /// It repeats its last move.
    Repeats,
    /// It goes on routing, pursuing or must charge again.
    GoesOn,
}

/// What this turn has left on a brigade, by whose it is and how long it lasts. Scenarios have it all side by side: see `Saved`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct Marks {
    /// It changed its place in the movement phase.
    pub moved: bool,
    /// It changed its place at any time this turn.
    pub shifted: bool,
    /// It took part in a close combat.
    pub fought: bool,
    /// What its leaders and its control test have made of a brigade.
    pub control: Control,
    /// How much of its move a brigade has used up. Its dice are asked for until the turn is over: by charges, and by the speed of the next turn.
    pub share: Share,
    /// How a brigade has gone in the movement phase, and where it may halt.
    pub way: Way,
    /// What unformed troops, and dragoons on foot, have done in a move of their own or the enemy's.
    pub loose: Loose,
    /// In which ways a brigade or gun has fired.
    pub fire: Fire,
    /// How a brigade answers charges, and rides.
    pub onset: Onset,
    /// What others have done to a brigade: enemy who shot at it or saw it, friends who passed through it.
    pub suffered: Suffered,
    /// What the next turn may take over. All else is over with the turn.
    pub carried: Carried,
}

/// What its leaders and its control test have made of a brigade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Who decides what it does.
    pub by: Charge,
    /// It has taken its control test.
    pub tested: bool,
    /// A leader steadied it, or a test halted it.
    pub halted: bool,
}

/// How much of its move a brigade has used up. Its dice are asked for until the turn is over: by charges, and by the speed of the next turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The dice of this turn's movement phase.
    pub dice: Option<MoveDice>,
    /// Distance of the roll used up already.
    pub spent: Length,
    /// It moves double.
    pub double: bool,
    /// Half of the move went on a manoeuvre.
    pub half: bool,
    /// All of the move has just gone on a change of formation, which a second may follow (MB-MAN-07).
    pub whole: bool,
    /// Its movement phase is over.
    pub done: bool,
    /// Some of it, whom the rest have joined, stood while these rode: it has no third die (MB-MOV-24).
    pub stood: bool,
}

/// How a brigade has gone in the movement phase, and where it may halt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Its way led over rough ground.
    pub rough: bool,
    /// It has taken a bearing of its own.
    pub bore: bool,
    /// Off straight ahead, in hundredths of a degree.
    pub bearing: i32,
    /// It wheeled in line near enemy.
    pub wheeled: bool,
    /// By how much it wheeled, in hundredths of a degree.
    pub turned: i32,
    /// How far it inclined: to the right, or less than nothing to the left.
    pub aside: Length,
    /// How far it went straight on.
    pub ahead: Length,
    /// It marched along a road.
    pub road: bool,
    /// Where it may halt.
    pub halt_at: Option<HaltAt>,
}

/// What unformed troops, and dragoons on foot, have done in a move of their own or the enemy's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loose {
    /// It has turned as it liked, being unformed.
    pub faced: bool,
    /// How often its bases were called back as they moved one by one.
    pub gathered: u8,
    /// How far it has fallen back before enemy who came on.
    pub withdrawn: Length,
    /// It has dismounted, and its horses may still be led away.
    pub dismounted: bool,
}

/// In which ways a brigade or gun has fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fire {
    /// How far it bombarded, if it did.
    pub bombarded: Option<Band>,
    /// It fired in the close artillery fire phase.
    pub fired_close: bool,
    /// It shot at a lone leader.
    pub shot_at_leader: bool,
    /// It fires into a move.
    pub gave_fire: bool,
}

/// How a brigade answers charges, and rides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Onset {
    /// How it answers a charge.
    pub response: Response,
    /// The dice of its charge.
    pub charge_dice: u8,
    /// It rode through the enemy.
    pub rode_through: bool,
}

/// What others have done to a brigade: enemy who shot at it or saw it, friends who passed through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffered {
    /// Guns shot at it.
    pub shot_at: bool,
    /// Its leaders have tested: for fire, for combat, for other casualties.
    pub risked: [bool; 3],
    /// The enemy foot that fire into its move.
    pub volley: Option<UnitId>,
    /// Friends passed through it without penalty, so that it stays where it is.
    pub passed: bool,
    /// The enemy has seen it this turn.
    pub seen: bool,
}

/// What the next turn may take over. All else is over with the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// How it attacks.
    pub attack: Assault,
    /// A charge struck it in flank or rear.
    pub flanked: bool,
    /// It has left off running, and is unformed until it re-forms.
    pub left_off: LeftOff,
}

/// Writes the marks as they are saved: by name, and where each of them is kept.
macro_rules! saved {
    ($($(#[$about:meta])* $name:ident: $type:ty = $($place:ident).+,)+) => {
        /// What this turn has left on a brigade.
        #[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(rename = "Marks", deny_unknown_fields, default)]
        struct Saved { $($(#[$about])* $name: $type,)+ }

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

/// What a brigade that is unformed has left off: it does not run, and pursuers that come upon it meet fresh enemy (MB-RES-23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOff {
    /// Nothing: if it is unformed, it is for having retired.
    #[default]
    Nothing,
    /// It has rallied from rout.
    Rout,
    /// It has left off pursuing, or looting.
    Pursuit,
}

impl LeftOff {
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    pub(crate) fn of(status: Status) -> Self {
        match status {
            Status::Routing => Self::Rout,
            Status::Pursuing | Status::Looting => Self::Pursuit,
            _ => Self::Nothing,
        }
    }
}

/// How a brigade attacks in the combat phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assault {
    /// It does not.
    #[default]
    None,
    /// It has declared a charge.
    Declared {
        /// At whom.
        at: UnitId,
        /// With the sword alone.
        outrance: bool,
        /// Off straight ahead, in hundredths of a degree.
        bearing: i32,
    },
    /// It has charged and touched.
    Charged {
        /// With the sword alone.
        outrance: bool,
    },
    /// It came into contact by a pursuit.
    Pursued,
    /// It charged and did not touch.
    Missed,
}

/// How a brigade that is charged answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// Not yet.
    #[default]
    None,
    /// It stands to receive.
    Stands,
    /// It rides to meet this enemy.
    CounterCharges(UnitId),
    /// It gets away from this enemy.
    Evades(UnitId),
}

#[cfg(test)]
mod tests {
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
