//! A line that loses a base: its owner picks the end from which it goes, and later ones go from either end in turn
//! (MB-MOR-04).
//!
//! Losses befall several brigades at once, so that nobody is asked in the middle of them. The base goes from one end for the
//! time being; once all is resolved the owner is asked, and if he picks the other end the line stands one base further over,
//! which comes to the same on the table.

use crate::phases::turn;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::clauses::MB_MOR_04;
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::table::lay::Figure;
use crate::table::room::about;

/// An end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Its left, as it faces.
    Left,
    /// Its right.
    Right,
}

impl End {
    pub(crate) fn other(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }

    pub(crate) fn word(self) -> &'static str {
        if self == Self::Left { "left" } else { "right" }
    }
}

/// A line that has lost a base, and whose owner has yet to pick the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// The brigade.
    pub unit: UnitId,
    /// The end from which the base went for the time being.
    pub lost: End,
    /// The files to the left and right of those in combat before it went, if the brigade fights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<[u8; 2]>,
}

impl Brigade {
    /// Formed in one rank.
    pub(crate) fn is_single_line(&self) -> bool {
        self.files == self.bases && !self.is_unformed()
    }
}

/// The line of which an owner is to pick an end now: once no move is interrupted that has yet to go on.
pub(crate) fn closing_now(battle: &Battle) -> Option<Closing> {
    battle.closing.first().copied().filter(|_| !turn::move_interrupted(battle))
}

/// Where the line stands if its owner picks the other end; nowhere if it is none any more, or somebody came to stand
/// there.
fn closed_other_way(battle: &Battle, closing: Closing) -> Option<Pose> {
    let brigade = battle.brigade(closing.unit);
    if !brigade.is_brigade() || !brigade.is_single_line() || brigade.refused.is_some() {
        return None;
    }
    let by = if closing.lost == End::Left { -brigade.width } else { brigade.width };
    let pose = brigade.pose.sideways(by);
    let free = |pose: &Pose| battle.stands(closing.unit, &Figure::of(brigade, *pose));
    about(pose.at).map(|at| Pose::new(at, pose.heading)).find(free)
}

/// Those who have no choice after all keep what they have; whether an owner is left to be asked.
pub(crate) fn ask(play: &mut Play<'_>) -> bool {
    while let Some(closing) = closing_now(play.battle()) {
        if closed_other_way(play.battle(), closing).is_some() {
            return true;
        }
        let (unit, end) = (closing.unit, closing.lost);
        play.happen(Event::ClosedUp { unit, end, to: play.battle().brigade(unit).pose });
    }
    false
}

/// The owner picks an end.
pub(crate) fn answer(play: &mut Play<'_>, unit: UnitId, end: End) -> Result<(), Halt> {
    let asked = closing_now(play.battle()).filter(|closing| closing.unit == unit);
    let Some(closing) = asked else {
        return Err(Refusal::new(MB_MOR_04, "it is not asked which end of it loses a base").into());
    };
    let to = if end == closing.lost {
        Some(play.battle().brigade(unit).pose)
    } else {
        closed_other_way(play.battle(), closing)
    };
    let Some(to) = to else { return Err(Refusal::new(MB_MOR_04, "it cannot close up that way").into()) };
    play.happen(Event::ClosedUp { unit, end, to });
    // Fire into those who passed comes before the combats are found.
    if !ask(play) && play.battle().phase == Phase::Combat && play.battle().fights.is_empty() {
        crate::phases::combat::find(play)?;
    }
    Ok(())
}
