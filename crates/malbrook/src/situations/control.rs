//! The control test.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::{
    MB_CHG_09, MB_CTL_09, MB_CTL_10, MB_CTL_11, MB_CTL_12, MB_CTL_13, MB_CTL_14, MB_CTL_15, MB_RES_23, MB_RES_29,
    MB_UMP_06,
};
use crate::numbers::Numbers;

/// What a brigade is in the middle of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Running {
    /// Nothing that must be stopped.
    #[default]
    None,
    /// It routs.
    Rout,
    /// It pursues.
    Pursuit,
    /// Its charge of last turn never reached the enemy.
    Charge,
    /// It loots.
    Looting,
}

/// What its player would like; the shifts that are his to choose are chosen for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// To act as he wishes.
    #[default]
    Act,
    /// To have it halt.
    Halt,
    /// To have it go on as before.
    GoOn,
    /// To leave the die as it fell.
    Leave,
}

/// What a control test depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Control {
    /// What the brigade is in the middle of.
    #[schemars(extend("clauses" = ["MB-CTL-10"]))]
    pub running: Running,
    /// A leader is attached, however many.
    #[schemars(extend("clauses" = ["MB-CTL-11"]))]
    pub leader: bool,
    /// It is guns, or of grade A or B.
    #[schemars(extend("clauses" = ["MB-CTL-12"]))]
    pub guns_or_elite: bool,
    /// It moved in its last movement phase.
    #[schemars(extend("clauses" = ["MB-CTL-14"]))]
    pub moved_last_turn: bool,
    /// What its player would like.
    #[schemars(extend("clauses" = ["MB-CTL-11", "MB-CTL-12"]))]
    pub wish: Wish,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ControlResult {
    /// It stays where it is.
    Halt,
    /// It acts as its player wishes.
    Act,
    /// It repeats its last move.
    Repeat,
    /// It routs on.
    RoutOn,
    /// It pursues on.
    PursueOn,
    /// It charges again.
    ChargeAgain,
    /// It loots on.
    LootOn,
}

/// The result as a drill reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ControlOutcome {
    /// The modified total.
    pub total: i32,
    /// What comes of it.
    pub result: ControlResult,
}

impl Control {
    /// What always applies.
    #[must_use]
    pub fn test(&self) -> Test {
        let mut test = Test::of(0);
        test.up(1, MB_CTL_10).when(matches!(self.running, Running::Rout | Running::Pursuit | Running::Charge));
        test
    }

    /// By how much the player may shift the die either way.
    #[must_use]
    pub fn most_shift(&self) -> i32 {
        i32::from(self.leader) + i32::from(self.guns_or_elite)
    }

    /// The test with the player's shift put down to the clauses it comes from.
    #[must_use]
    pub fn shifted(&self, shift: i32) -> Test {
        let mut test = self.test();
        let leader = if self.leader { shift.signum() } else { 0 };
        test.up(leader, MB_CTL_11).always();
        test.up(shift - leader, MB_CTL_12).always();
        test
    }

    /// What a modified total means (MB-CTL-09).
    #[must_use]
    pub fn read(&self, total: i32, numbers: &Numbers) -> ControlResult {
        decides!(MB_CTL_09);
        match self.running {
            Running::Rout => decides!(MB_RES_23),
            Running::Pursuit => decides!(MB_RES_29),
            Running::Charge => decides!(MB_CTL_15, MB_CHG_09),
            Running::Looting => decides!(MB_UMP_06),
            Running::None => decides!(MB_CTL_13, MB_CTL_14),
        }
        let table = &numbers.control_table;
        if total > table.halt_at_most && total <= table.act_at_most {
            return ControlResult::Act;
        }
        match self.running {
            Running::Rout => ControlResult::RoutOn,
            Running::Pursuit => ControlResult::PursueOn,
            Running::Charge => ControlResult::ChargeAgain,
            Running::Looting => ControlResult::LootOn,
            Running::None if total <= table.halt_at_most || !self.moved_last_turn => ControlResult::Halt,
            Running::None => ControlResult::Repeat,
        }
    }

    /// The shift that serves the wish: the smallest that does, none if none does.
    fn shift_for(&self, die: i32, numbers: &Numbers) -> i32 {
        let wanted = |result: ControlResult| match self.wish {
            Wish::Act => result == ControlResult::Act,
            Wish::Halt => result == ControlResult::Halt,
            Wish::GoOn => !matches!(result, ControlResult::Act | ControlResult::Halt),
            Wish::Leave => false,
        };
        let most = self.most_shift();
        let served = |shift: &i32| wanted(self.read(die + self.test().net() + shift, numbers));
        (0..=most).flat_map(|by| [by, -by]).find(served).unwrap_or(0)
    }
}

impl ControlResult {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Halt => "halt",
            Self::Act => "act as the player wishes",
            Self::Repeat => "repeat the last move",
            Self::RoutOn => "rout on",
            Self::PursueOn => "pursue on",
            Self::ChargeAgain => "charge again",
            Self::LootOn => "loot on",
        }
    }
}

impl Situation for Control {
    const NAME: &'static str = "control";
    const ABOUT: &'static str = "What a brigade does that nobody controls, or that wants to leave off running.";
    type Outcome = ControlOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test()]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<ControlOutcome, NoDice> {
        let numbers = Numbers::book();
        let die = dice.throw(&Throw::one(Die::D6))?.total();
        let total = die + self.shifted(self.shift_for(die, numbers)).net();
        Ok(ControlOutcome { total, result: self.read(total, numbers) })
    }

    fn outcome_name(outcome: &ControlOutcome) -> String {
        outcome.result.words().into()
    }
}
