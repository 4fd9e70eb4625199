//! Orders: whether an officer gets a unit or command to act.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::two_dice;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Ability, Level, Order};

/// What the roll for an order depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OrderSituation {
    /// How good the officer is who issues the order.
    #[schemars(extend("clauses" = ["HZ-ORD-26", "HZ-CMD-03"]))]
    pub officer: Ability,
    /// His own level; that of a CinC is army, whatever command he supersedes.
    #[schemars(extend("clauses" = ["HZ-ORD-02", "HZ-ORD-05", "HZ-ORD-07", "HZ-ORD-09"]))]
    pub level: Level,
    /// What is ordered.
    #[schemars(extend("clauses" = ["HZ-ORD-17", "HZ-ORD-20", "HZ-ORD-24"]))]
    pub order: Order,
    /// How many sub-commands of the group addressed are broken.
    #[schemars(extend("clauses" = ["HZ-ORD-16"]))]
    pub broken: u8,
    /// A sub-command is isolated.
    #[schemars(extend("clauses" = ["HZ-ORD-21"]))]
    pub isolated: bool,
    /// A unit ordered is in an enemy threat zone.
    #[schemars(extend("clauses" = ["HZ-ORD-15"]))]
    pub in_threat_zone: bool,
    /// Advance and retire orders already issued to the same unit or group this turn.
    #[schemars(extend("clauses" = ["HZ-ORD-18", "HZ-SCL-03"]))]
    pub earlier_moves: u8,
    /// Other orders already issued to the same unit or group this turn.
    #[schemars(extend("clauses" = ["HZ-ORD-18", "HZ-SCL-03"]))]
    pub earlier_others: u8,
    /// The option of a scaled game in which an order after an advance or retire is dearer.
    #[schemars(extend("clauses" = ["HZ-SCL-03"]))]
    pub dearer_moves: bool,
    /// The command failed its last command check.
    #[schemars(extend("clauses" = ["HZ-ORD-17", "HZ-CHK-32"]))]
    pub failed_check: bool,
    /// A unit ordered has a stand in dense terrain.
    #[schemars(extend("clauses" = ["HZ-ORD-19"]))]
    pub in_dense_terrain: bool,
    /// Infantry among the units ordered is near enough to enemy cavalry for an advance to lead on to it.
    #[schemars(extend("clauses" = ["HZ-ORD-20"]))]
    pub cavalry_ahead: bool,
    /// Levels of a fortress wall to be scaled.
    #[schemars(extend("clauses" = ["HZ-FTW-02"]))]
    pub wall_levels: u8,
    /// Levels of the trench in front of that wall.
    #[schemars(extend("clauses" = ["HZ-FTW-03"]))]
    pub trench_levels: u8,
    /// All units ordered are in command of the officer.
    #[schemars(extend("clauses" = ["HZ-ORD-22"]))]
    pub in_command: bool,
    /// The officer is attached to the unit he orders, which is thereby in command.
    #[schemars(extend("clauses" = ["HZ-ORD-23", "HZ-CMD-07"]))]
    pub attached: bool,
    /// The officer is inspirational.
    #[schemars(extend("clauses" = ["HZ-ORD-24"]))]
    pub inspirational: bool,
    /// Turns for which these reinforcements were held back of their owner's free will.
    #[schemars(extend("clauses" = ["HZ-REI-09", "HZ-REI-12"]))]
    pub turns_held_back: u8,
    /// It is the deploy order that a failed threat test forced on the unit.
    #[schemars(extend("clauses" = ["HZ-FOR-04", "HZ-FOR-05"]))]
    pub forced: bool,
    /// Orders that the officer issued before this forced one.
    #[schemars(extend("clauses" = ["HZ-FOR-06"]))]
    pub orders_before: u8,
}

impl Default for OrderSituation {
    fn default() -> Self {
        Self {
            officer: Ability::Average,
            level: Level::Brigade,
            order: Order::Advance,
            broken: 0,
            isolated: false,
            in_threat_zone: false,
            earlier_moves: 0,
            earlier_others: 0,
            dearer_moves: false,
            failed_check: false,
            in_dense_terrain: false,
            cavalry_ahead: false,
            wall_levels: 0,
            trench_levels: 0,
            in_command: false,
            attached: false,
            inspirational: false,
            turns_held_back: 0,
            forced: false,
            orders_before: 0,
        }
    }
}

impl OrderSituation {
    /// The effective command rating and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let by = &numbers.order;
        let advance = self.order == Order::Advance;
        let (moves, others) = (i32::from(self.earlier_moves), i32::from(self.earlier_others));
        decides!(HZ_GEN_06, HZ_CMD_03, HZ_ORD_31, HZ_BLO_08, HZ_CHK_32);
        let mut test = Test::of(numbers.command_rating.of(self.officer));
        test.down(by.broken, HZ_ORD_16).times(i32::from(self.broken));
        test.down(by.isolated, HZ_ORD_21).when(self.isolated);
        test.down(by.threat_zone, HZ_ORD_15).when(self.in_threat_zone);
        test.down(by.successive, HZ_ORD_18).times(if self.dearer_moves { others } else { moves + others });
        test.down(by.after_move, HZ_SCL_03).times(if self.dearer_moves { moves } else { 0 });
        test.down(by.failed_check, HZ_ORD_17).when(self.failed_check && advance);
        test.down(by.dense, HZ_ORD_19).when(self.in_dense_terrain);
        test.down(by.on_cavalry, HZ_ORD_20).when(self.cavalry_ahead && advance);
        test.down(by.wall, HZ_FTW_02).times(if advance { i32::from(self.wall_levels) } else { 0 });
        test.down(by.wall, HZ_FTW_03).times(if advance { i32::from(self.trench_levels) } else { 0 });
        decides!(HZ_CMD_07);
        test.up(by.in_command, HZ_ORD_22).when(self.in_command || self.attached);
        test.up(by.attached, HZ_ORD_23).when(self.attached);
        test.up(by.inspirational, HZ_ORD_24).when(self.inspirational && advance);
        test.up(by.held_back, HZ_REI_09).times(if advance { i32::from(self.turns_held_back) } else { 0 });
        test
    }

    /// Whether the order can be issued at all (HZ-ORD-25).
    #[must_use]
    pub fn can_be_issued(&self, numbers: &Numbers) -> bool {
        decides!(HZ_ORD_25);
        self.test(numbers).target() > numbers.no_order_at
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> OrderOutcome {
        decides!(HZ_ORD_33);
        decides!(HZ_ORD_26);
        let succeeded = numbers.succeeds(total, self.test(numbers).target());
        decides!(HZ_FOR_04, HZ_FOR_06);
        let disobedience = if self.forced { self.orders_before.saturating_mul(numbers.forced_disobeyed) } else { 0 };
        decides!(HZ_ORD_02, HZ_ORD_05, HZ_ORD_07, HZ_ORD_09, HZ_ORD_25, HZ_FOR_05, HZ_BLO_09, HZ_BLO_10);
        OrderOutcome {
            succeeded,
            free_order: succeeded && numbers.is_huzzah(total),
            closes: if succeeded { None } else { Some(self.level) },
            staggers: if self.forced && !succeeded { numbers.forced_failed } else { 0 },
            disobedience,
            runs_away: self.order == Order::Recall && !succeeded,
        }
    }
}

/// What the roll for an order does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OrderOutcome {
    /// The order is obeyed.
    pub succeeded: bool,
    /// A Huzzah!: the officer can issue another order to the same addressee without a roll.
    pub free_order: bool,
    /// The level of the command that receives no further orders this phase; of an army, the phase is over.
    pub closes: Option<Level>,
    /// Staggers on the unit because its forced order failed.
    pub staggers: u8,
    /// Staggers on the unit because other orders were put before its forced one. They are taken as those orders are
    /// issued, whatever becomes of this one.
    pub disobedience: u8,
    /// The recall failed and the cavalry loses control.
    pub runs_away: bool,
}

impl Situation for OrderSituation {
    const NAME: &'static str = "order";
    const ABOUT: &'static str = "Whether an officer's order to advance, retire, manoeuvre, deploy or recall succeeds.";
    type Outcome = OrderOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<OrderOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &OrderOutcome) -> String {
        let name = match outcome {
            OrderOutcome { free_order: true, .. } => "succeeds with a free order",
            OrderOutcome { succeeded: true, .. } => "succeeds",
            OrderOutcome { closes: Some(Level::Army), .. } => "fails and ends the orders phase",
            OrderOutcome { runs_away: true, .. } => "fails and the cavalry loses control",
            OrderOutcome { .. } => "fails",
        };
        name.to_owned()
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(HZ_ORD_36, HZ_FOR_04);
        if matches!(self.order, Order::Appoint | Order::Rearm) {
            let help = format!("take the test `{}`", self.order);
            report.against(HZ_ORD_36, Path::root().key("order"), format!("{} has a test of its own", self.order), help);
        }
        if self.forced && self.order != Order::Deploy {
            let help = "a recall is a forced order too, but costs no staggers: leave out `forced`";
            report.against(HZ_FOR_04, Path::root().key("forced"), "a forced order is a deploy order", help);
        }
        let numbers = Numbers::book();
        if !self.can_be_issued(numbers) {
            let rating = self.test(numbers).target();
            let message = format!("an order cannot be issued at an effective rating of {rating}");
            report.against(HZ_ORD_25, Path::root(), message, "order something else, or another unit");
        }
    }
}
