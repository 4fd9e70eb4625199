//! Command integrity checks: whether an officer holds a damaged command together.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{staggers_text, two_dice};
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Ability, Level};

/// How a command's last command check went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LastCheck {
    /// It has not taken one.
    #[default]
    None,
    /// It passed.
    Passed,
    /// It failed.
    Failed,
}

impl LastCheck {
    /// As a command remembers it.
    #[must_use]
    pub const fn of(passed: Option<bool>) -> Self {
        match passed {
            None => Self::None,
            Some(true) => Self::Passed,
            Some(false) => Self::Failed,
        }
    }
}

/// Who takes a command check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TakenBy {
    /// The command's own officer.
    #[default]
    OwnOfficer,
    /// The commander in chief, who has superseded him.
    SupersedingCinc,
    /// The division officer, for a brigade officer who is lost.
    DivisionOfficer,
    /// The corps officer, for a lost officer below him.
    CorpsOfficer,
    /// The commander in chief from afar, for a lost officer below him.
    Cinc,
    /// Nobody can.
    Nobody,
}

impl TakenBy {
    /// The level of a senior officer who takes the check from afar.
    const fn senior(self) -> Option<Level> {
        match self {
            Self::DivisionOfficer => Some(Level::Division),
            Self::CorpsOfficer => Some(Level::Corps),
            Self::Cinc => Some(Level::Army),
            Self::OwnOfficer | Self::SupersedingCinc | Self::Nobody => None,
        }
    }
}

/// What a command check depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CommandCheckSituation {
    /// The level of the command that checks.
    #[schemars(extend("clauses" = ["HZ-CHK-11", "HZ-CHK-28", "HZ-CHK-29"]))]
    pub command: Level,
    /// Who takes the check.
    #[schemars(extend("clauses" = ["HZ-CHK-18", "HZ-CHK-19", "HZ-OFF-19"]))]
    pub taken_by: TakenBy,
    /// How good the officer is who takes it.
    #[schemars(extend("clauses" = ["HZ-CHK-20", "HZ-CMD-03"]))]
    pub officer: Ability,
    /// He is inspirational.
    #[schemars(extend("clauses" = ["HZ-CHK-16"]))]
    pub inspirational: bool,
    /// How many sub-commands are broken or routing.
    #[schemars(extend("clauses" = ["HZ-CHK-09", "HZ-CHK-21"]))]
    pub lost: u8,
    /// How the command's last check went.
    #[schemars(extend("clauses" = ["HZ-CHK-10", "HZ-CHK-15"]))]
    pub last_check: LastCheck,
    /// A sub-command is isolated.
    #[schemars(extend("clauses" = ["HZ-CHK-12"]))]
    pub isolated: bool,
    /// How many sub-commands are in a favourable position.
    #[schemars(extend("clauses" = ["HZ-CHK-13"]))]
    pub favourable: u8,
    /// The officer seizes the flag.
    #[schemars(extend("clauses" = ["HZ-CHK-17"]))]
    pub seizes_flag: bool,
    /// Not every unit of the command is within the command radius of the officer who takes the check.
    #[schemars(extend("clauses" = ["HZ-CHK-17", "HZ-CHK-19"]))]
    pub out_of_radius: bool,
    /// A superior command rolled Huzzah! this phase, so that this one passes without a roll.
    #[schemars(extend("clauses" = ["HZ-CHK-31"]))]
    pub pass_granted: bool,
}

impl Default for CommandCheckSituation {
    fn default() -> Self {
        Self {
            command: Level::Brigade,
            taken_by: TakenBy::OwnOfficer,
            officer: Ability::Average,
            inspirational: false,
            lost: 0,
            last_check: LastCheck::None,
            isolated: false,
            favourable: 0,
            seizes_flag: false,
            out_of_radius: false,
            pass_granted: false,
        }
    }
}

impl CommandCheckSituation {
    /// The effective command rating and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let by = &numbers.check;
        decides!(HZ_GEN_06, HZ_CMD_03);
        let mut test = Test::of(numbers.command_rating.of(self.officer));
        test.down(by.lost, HZ_CHK_09).times(i32::from(self.lost));
        test.down(by.failed_last, HZ_CHK_10).when(self.last_check == LastCheck::Failed);
        test.down(by.level, HZ_CHK_11).times(self.level_difference());
        test.down(by.isolated, HZ_CHK_12).when(self.isolated);
        test.up(by.favourable, HZ_CHK_13).times(i32::from(self.favourable));
        test.up(by.passed_last, HZ_CHK_15).when(self.last_check == LastCheck::Passed);
        test.up(by.inspirational, HZ_CHK_16).when(self.inspirational);
        test.up(by.flag, HZ_CHK_17).when(self.seizes_flag);
        test
    }

    /// How many levels the officer stands above the one who should take the check; the ladder is fixed, even where the
    /// army has no officers at the levels between.
    #[must_use]
    pub fn level_difference(&self) -> i32 {
        decides!(HZ_OFF_19);
        let senior = self.taken_by.senior().unwrap_or(self.command);
        senior.index() as i32 - self.command.index() as i32
    }

    /// The result that needs no dice: a pass that was granted, or a failure because there is no officer.
    #[must_use]
    pub fn without_dice(&self, numbers: &Numbers) -> Option<CommandCheckOutcome> {
        decides!(HZ_CHK_18, HZ_CHK_31, HZ_OFF_25);
        match self.taken_by {
            _ if self.pass_granted => Some(self.outcome(numbers, true, false)),
            TakenBy::Nobody => Some(self.outcome(numbers, false, false)),
            _ => None,
        }
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> CommandCheckOutcome {
        decides!(HZ_CHK_20);
        decides!(HZ_CHK_31);
        let huzzah = numbers.is_huzzah(total);
        let passed = huzzah || numbers.succeeds(total, self.test(numbers).target());
        self.outcome(numbers, passed, huzzah)
    }

    fn outcome(&self, numbers: &Numbers, passed: bool, huzzah: bool) -> CommandCheckOutcome {
        decides!(HZ_CHK_21);
        decides!(HZ_CHK_28, HZ_CHK_29);
        let failed = !passed;
        CommandCheckOutcome {
            passed,
            huzzah,
            staggers: if failed { self.lost } else { 0 },
            retires: failed,
            garrisons_retire: failed && self.command == Level::Army,
            officer_killed: failed && self.seizes_flag,
            excused: huzzah,
            rating: self.test(numbers).target(),
        }
    }
}

/// What a command check does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CommandCheckOutcome {
    /// The command holds together.
    pub passed: bool,
    /// The dice were a Huzzah!.
    pub huzzah: bool,
    /// Staggers on every unit of the command, routing ones included.
    pub staggers: u8,
    /// Every unit of the command that is not routing retires one full move.
    pub retires: bool,
    /// Units in strong points must retire too; otherwise their owner decides.
    pub garrisons_retire: bool,
    /// The officer who seized the flag is killed.
    pub officer_killed: bool,
    /// No further checks until another sub-command breaks or routs, and all commands below pass theirs this phase.
    pub excused: bool,
    /// The effective command rating.
    pub rating: i32,
}

impl Situation for CommandCheckSituation {
    const NAME: &'static str = "command_check";
    const ABOUT: &'static str = "Whether a command with broken or routing sub-commands holds together.";
    type Outcome = CommandCheckOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<CommandCheckOutcome, NoDice> {
        let numbers = Numbers::book();
        match self.without_dice(numbers) {
            Some(outcome) => Ok(outcome),
            None => Ok(self.read(numbers, dice.throw(&two_dice())?.total())),
        }
    }

    fn outcome_name(outcome: &CommandCheckOutcome) -> String {
        match outcome {
            CommandCheckOutcome { excused: true, .. } => "passes with a Huzzah!".to_owned(),
            CommandCheckOutcome { passed: true, .. } => "passes".to_owned(),
            CommandCheckOutcome { staggers, officer_killed, .. } => {
                let killed = if *officer_killed { ", the officer is killed" } else { "" };
                let each =
                    if *staggers == 0 { String::new() } else { format!("{} on each unit, ", staggers_text(*staggers)) };
                format!("fails: {each}all retire{killed}")
            }
        }
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(HZ_CHK_04, HZ_CHK_17, HZ_CHK_19, HZ_CHK_29);
        let at = |key: &str| Path::root().key(key);
        if self.taken_by.senior().is_some() && self.level_difference() < 1 {
            let message =
                format!("an officer takes the check only for a command below his own, not for a {}", self.command);
            report.against(HZ_CHK_19, at("taken_by"), message, "name an officer higher in the chain of command");
        }
        if self.command == Level::Army && self.taken_by == TakenBy::SupersedingCinc {
            report.against(HZ_CHK_29, at("taken_by"), "the army is the CinC's own command", "leave out `taken_by`");
        }
        if self.taken_by.senior().is_some() && self.out_of_radius {
            let message = "a senior officer takes the check only if every unit is within his command radius";
            report.against(HZ_CHK_19, at("out_of_radius"), message, "taken_by = \"nobody\" fails without a roll");
        }
        if self.seizes_flag && self.out_of_radius {
            let message = "an officer seizes the flag only if every unit is within his command radius";
            report.against(HZ_CHK_17, at("seizes_flag"), message, "leave out `seizes_flag`");
        }
        if self.seizes_flag && !matches!(self.taken_by, TakenBy::OwnOfficer | TakenBy::SupersedingCinc) {
            let message = "only the command's own officer, or a CinC in his place, seizes the flag";
            report.against(HZ_CHK_17, at("seizes_flag"), message, "leave out `seizes_flag`");
        }
    }
}

/// Whether a command must take a check when its level is reached (HZ-CHK-03, HZ-CHK-04, HZ-CHK-05, HZ-CHK-31).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckDue {
    /// A sub-command broke or began to rout since the command's last check step.
    pub new_loss: bool,
    /// It failed a check last turn.
    pub failed_last_turn: bool,
    /// It has broken or routing sub-commands.
    pub damaged: bool,
    /// A unit of it is within an enemy threat zone.
    pub in_threat_zone: bool,
    /// A Huzzah! excused it, and no further sub-command has broken or routed since.
    pub excused: bool,
    /// None of its units is on the table.
    pub off_table: bool,
}

impl CheckDue {
    /// Whether the check must be taken.
    #[must_use]
    pub const fn is_due(&self) -> bool {
        let excused = self.excused && !self.new_loss;
        !self.off_table && !excused && (self.new_loss || self.failed_last_turn || (self.damaged && self.in_threat_zone))
    }
}
