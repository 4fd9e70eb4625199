//! Reorganising a command that has left the battlefield: an option.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::Condition;
use super::two_dice;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Ability, Level, Quality};

/// How a unit left the battlefield.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// Its staggers and kills broke it, or it was beaten in a way that breaks a unit.
    Broke,
    /// It routed off.
    Routed,
    /// It retired off in good order.
    Retired,
}

/// A unit that has left the battlefield.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Departed {
    /// How it left.
    #[schemars(extend("clauses" = ["HZ-REO-04", "HZ-REO-06"]))]
    pub left: Left,
    /// Its quality.
    #[serde(default = "trained")]
    #[schemars(extend("clauses" = ["HZ-REO-12"]))]
    pub quality: Quality,
    /// The kills it had when it left.
    #[serde(default)]
    #[schemars(extend("clauses" = ["HZ-REO-11", "HZ-REO-12"]))]
    pub kills: u8,
    /// In a division or corps, the number of the sub-command it belongs to.
    #[serde(default)]
    #[schemars(extend("clauses" = ["HZ-REO-04"]))]
    pub sub_command: u8,
}

const fn trained() -> Quality {
    Quality::Trained
}

/// What an attempt to reorganise depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReorganiseSituation {
    /// The level of the command.
    #[schemars(extend("clauses" = ["HZ-REO-02", "HZ-REO-05"]))]
    pub command: Level,
    /// How good its officer is.
    #[schemars(extend("clauses" = ["HZ-REO-09", "HZ-CMD-03"]))]
    pub officer: Ability,
    /// He is inspirational.
    #[schemars(extend("clauses" = ["HZ-REO-08"]))]
    pub inspirational: bool,
    /// He was killed or captured and not replaced.
    #[schemars(extend("clauses" = ["HZ-REO-02"]))]
    pub officer_lost: bool,
    /// Its units, all of which have left; those destroyed for good are not among them.
    #[schemars(length(min = 1), extend("clauses" = ["HZ-REO-04", "HZ-REO-06", "HZ-REO-11"]))]
    pub units: Vec<Departed>,
    /// Turns waited since it left, or since the last attempt.
    #[schemars(extend("clauses" = ["HZ-REO-07"]))]
    pub turns_waited: u8,
    /// Attempts made before this one.
    #[schemars(extend("clauses" = ["HZ-REO-11"]))]
    pub earlier_attempts: u8,
}

impl Default for ReorganiseSituation {
    fn default() -> Self {
        Self {
            command: Level::Brigade,
            officer: Ability::Average,
            inspirational: false,
            officer_lost: false,
            units: Vec::new(),
            turns_waited: 0,
            earlier_attempts: 0,
        }
    }
}

impl ReorganiseSituation {
    /// The effective command rating and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let (by, size) = (&numbers.reorganise, &numbers.reorganise_size);
        decides!(HZ_GEN_06);
        let mut test = Test::of(numbers.command_rating.of(self.officer));
        test.down(by.lost, HZ_REO_04).times(self.sub_commands_lost());
        test.down(size.division, HZ_REO_05).when(self.command == Level::Division);
        test.down(size.corps, HZ_REO_05).when(self.command == Level::Corps);
        test.up(by.retired, HZ_REO_06).when(more_retired(self.units.iter()));
        test.up(by.waited, HZ_REO_07).times(i32::from(self.turns_waited));
        test.up(by.inspirational, HZ_REO_08).when(self.inspirational);
        test
    }

    /// Sub-commands that broke or routed: the units of a brigade; of a larger command the groups below it of which not
    /// more units retired than were lost (HZ-REO-04).
    #[must_use]
    pub fn sub_commands_lost(&self) -> i32 {
        if self.command == Level::Brigade {
            return self.units.iter().filter(|unit| unit.left != Left::Retired).count() as i32;
        }
        let first = |n: usize| !self.units[..n].iter().any(|before| before.sub_command == self.units[n].sub_command);
        let of = |n: usize| self.units.iter().filter(move |unit| unit.sub_command == self.units[n].sub_command);
        (0..self.units.len()).filter(|&n| first(n) && !more_retired(of(n))).count() as i32
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> ReorganiseOutcome {
        decides!(HZ_REO_09, HZ_REO_11, HZ_REO_12, HZ_REO_13);
        let huzzah = numbers.is_huzzah(total);
        let reorganised = huzzah || numbers.succeeds(total, self.test(numbers).target());
        let attempts = self.earlier_attempts.saturating_add(1);
        let kills = if reorganised && !huzzah { attempts.saturating_mul(numbers.attempt_kills) } else { 0 };
        let back = |unit: &Departed| {
            let after = Condition { quality: unit.quality, staggers: 0, kills: unit.kills }.with(0, kills);
            ReturnedUnit { kills: after.kills, destroyed: after.is_destroyed(numbers) }
        };
        decides!(HZ_REO_10);
        ReorganiseOutcome {
            reorganised,
            huzzah,
            attempts,
            kills,
            officer_enters_in: if huzzah { 0 } else { 1 },
            orders_in: if huzzah { 1 } else { 2 },
            units: if reorganised { self.units.iter().map(back).collect() } else { Vec::new() },
        }
    }
}

/// Whether strictly more of these retired than broke or routed.
fn more_retired<'a>(units: impl Iterator<Item = &'a Departed>) -> bool {
    let balance: i32 = units.map(|unit| if unit.left == Left::Retired { 1 } else { -1 }).sum();
    balance > 0
}

/// A unit that comes back, with no staggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReturnedUnit {
    /// All its kills.
    pub kills: u8,
    /// They are too many: it is destroyed for good and the command returns without it.
    pub destroyed: bool,
}

/// What comes of an attempt to reorganise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReorganiseOutcome {
    /// The command comes back.
    pub reorganised: bool,
    /// The dice were a Huzzah!.
    pub huzzah: bool,
    /// Attempts made, this one included.
    pub attempts: u8,
    /// Kills that each unit takes for them.
    pub kills: u8,
    /// Turns until the officer enters; none after a Huzzah!. It matters only if the command comes back.
    pub officer_enters_in: u8,
    /// Turns until he can order the command.
    pub orders_in: u8,
    /// The units that come back, in the order given.
    pub units: Vec<ReturnedUnit>,
}

impl Situation for ReorganiseSituation {
    const NAME: &'static str = "reorganise";
    const ABOUT: &'static str = "Whether a command that has left the battlefield can be brought back (an option).";
    type Outcome = ReorganiseOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<ReorganiseOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &ReorganiseOutcome) -> String {
        let name = match outcome {
            ReorganiseOutcome { huzzah: true, .. } => "reorganised at once",
            ReorganiseOutcome { reorganised: true, .. } => "reorganised",
            ReorganiseOutcome { .. } => "fails",
        };
        name.to_owned()
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(HZ_REO_02);
        if self.command == Level::Army {
            let message = "a broken army has lost and cannot reorganise";
            report.against(HZ_REO_02, Path::root().key("command"), message, "a brigade, division or corps can");
        }
        if self.officer_lost {
            let message = "a command without an officer cannot reorganise";
            report.against(
                HZ_REO_02,
                Path::root().key("officer_lost"),
                message,
                "appoint one before the command leaves",
            );
        }
    }
}
