//! Appointing an officer in place of one that was lost.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::officer::{OfficerOutcome, OfficerSituation};
use super::two_dice;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::Ability;

/// What an appointment depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AppointSituation {
    /// How good the commander in chief is.
    #[schemars(extend("clauses" = ["HZ-APP-04"]))]
    pub cinc: Ability,
    /// Appointments already ordered this turn.
    #[schemars(extend("clauses" = ["HZ-APP-08"]))]
    pub earlier_appointments: u8,
    /// Rearm orders already issued this turn; they count only with the option of dearer orders in a scaled game.
    #[schemars(extend("clauses" = ["HZ-APP-08", "HZ-SCL-03"]))]
    pub earlier_rearms: u8,
    /// The option of a scaled game in which orders after an advance or retire are dearer.
    #[schemars(extend("clauses" = ["HZ-SCL-03"]))]
    pub dearer_moves: bool,
    /// Another command has lost its officer and could be given one.
    #[schemars(extend("clauses" = ["HZ-APP-07"]))]
    pub another_vacancy: bool,
    /// The commander in chief is attached to a unit.
    #[schemars(extend("clauses" = ["HZ-APP-03"]))]
    pub attached: bool,
    /// The commander in chief supersedes an officer.
    #[schemars(extend("clauses" = ["HZ-APP-03"]))]
    pub superseding: bool,
    /// How the quality of the new officer is rolled.
    #[schemars(extend("clauses" = ["HZ-APP-05"]))]
    pub officer: OfficerSituation,
}

impl Default for AppointSituation {
    fn default() -> Self {
        Self {
            cinc: Ability::Average,
            earlier_appointments: 0,
            earlier_rearms: 0,
            dearer_moves: false,
            another_vacancy: false,
            attached: false,
            superseding: false,
            officer: OfficerSituation::default(),
        }
    }
}

impl AppointSituation {
    /// The rating of the commander in chief and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let rearms = if self.dearer_moves { i32::from(self.earlier_rearms) } else { 0 };
        decides!(HZ_GEN_06, HZ_CMD_03, HZ_APP_04, HZ_SCL_03);
        let mut test = Test::of(numbers.command_rating.of(self.cinc));
        test.down(numbers.appoint.successive, HZ_APP_08).times(i32::from(self.earlier_appointments) + rearms);
        test
    }

    /// Whether the appointment succeeds; if it does, the quality of the officer is rolled next.
    #[must_use]
    pub fn succeeds(&self, numbers: &Numbers, total: i32) -> bool {
        numbers.succeeds(total, self.test(numbers).target())
    }

    /// What follows from the roll, and from the quality roll if it succeeded.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32, quality_total: Option<i32>) -> AppointOutcome {
        let appointed = self.succeeds(numbers, total);
        let huzzah = appointed && numbers.is_huzzah(total);
        decides!(HZ_APP_01, HZ_APP_06, HZ_APP_07);
        AppointOutcome {
            appointed,
            officer: quality_total.filter(|_| appointed).map(|total| self.officer.read(numbers, total)),
            at_once: huzzah,
            may_appoint_another: huzzah && self.another_vacancy,
            ends_phase: !appointed,
        }
    }
}

/// What comes of an appointment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AppointOutcome {
    /// There is a new officer.
    pub appointed: bool,
    /// How good he is.
    pub officer: Option<OfficerOutcome>,
    /// A Huzzah!: he can issue orders this turn, not only from the next.
    pub at_once: bool,
    /// Another officer can be appointed without a roll, which ends the orders phase.
    pub may_appoint_another: bool,
    /// The orders phase of the army is over.
    pub ends_phase: bool,
}

impl Situation for AppointSituation {
    const NAME: &'static str = "appoint";
    const ABOUT: &'static str = "Whether the commander in chief can appoint a new officer, and how good he is.";
    type Outcome = AppointOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<AppointOutcome, NoDice> {
        let numbers = Numbers::book();
        let total = dice.throw(&two_dice())?.total();
        let quality = if self.succeeds(numbers, total) { Some(dice.throw(&two_dice())?.total()) } else { None };
        Ok(self.read(numbers, total, quality))
    }

    fn outcome_name(outcome: &AppointOutcome) -> String {
        match (outcome.officer, outcome.at_once) {
            (Some(officer), true) => format!("an officer who can order at once: {}", officer.ability),
            (Some(officer), false) => format!("an officer from next turn: {}", officer.ability),
            (None, _) => "fails and ends the orders phase".to_owned(),
        }
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(HZ_APP_03, HZ_ORD_36);
        if self.attached || self.superseding {
            let message = "a commander in chief who is attached or supersedes an officer appoints nobody";
            report.against(HZ_APP_03, Path::root(), message, "let him detach or relinquish first");
        }
        let rating = self.test(Numbers::book()).target();
        decides!(HZ_ORD_25);
        if rating <= Numbers::book().no_order_at {
            let message = format!("an order cannot be issued at an effective rating of {rating}");
            report.against(HZ_ORD_25, Path::root(), message, "wait for the next turn");
        }
    }
}
