//! Control tests, and who controls a brigade.

use sabretache_engine::handle::{Group, Handling};
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::brigade::Charge;
use crate::clauses::{MB_CTL_09, MB_CTL_11, MB_CTL_16};
use crate::phases::control;
use crate::phases::harm::Play;
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ControlTest {
    /// A brigade takes its control test.
    Test(UnitId),
    /// The player shifts a control die.
    Shift(i8),
    /// The player names who controls a brigade.
    NameLeader { unit: UnitId, leader: OfficerId },
}

impl Part<Malbrook> for ControlTest {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Test(unit) | Self::NameLeader { unit, .. } => Some(unit.into()),
            Self::Shift(_) => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Test(unit) => control::test(play, unit),
            Self::Shift(by) => control::shift(play, by.into()),
            Self::NameLeader { unit, leader } => control::name_leader(play, unit, leader),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::Test(unit) => format!("test {}", id(unit)),
            Self::Shift(by) => format!("shift {by:+}"),
            Self::NameLeader { unit, leader } => format!("control {} by {}", id(unit), who(leader)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::Test(unit) => (format!("Test the control of {}", name(unit)), Some(unit), MB_CTL_09),
            Self::Shift(0) => ("Leave the die as it fell".into(), None, MB_CTL_11),
            Self::Shift(by) => (format!("Shift the die by {by:+}"), None, MB_CTL_11),
            Self::NameLeader { unit, leader } => {
                (format!("{} controls {}", who(leader), name(unit)), Some(unit), MB_CTL_16)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Test(unit) => Handling::act("test", unit),
            Self::Shift(_) => Handling::end("shift").of(Group::Act),
            Self::NameLeader { unit, leader } => Handling::at("control", [leader], unit),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    if let Some((unit, _)) = battle.die() {
        let most = control::control_situation(battle, unit).most_shift();
        out.extend((-most..=most).map(|shift| Offer::from(ControlTest::Shift(shift as i8))));
        return;
    }
    for unit in battle.of(battle.active) {
        if control::may_test(battle, unit) {
            out.push(ControlTest::Test(unit).into());
        }
        if let Charge::By(by) = battle.brigade(unit).marks.control.by {
            // Each is named once at the most: those who come after the one who controls it now.
            let others = control::controllers(battle, unit).skip_while(|leader| *leader != by).skip(1);
            out.extend(others.map(|leader| Offer::from(ControlTest::NameLeader { unit, leader })));
        }
    }
}
