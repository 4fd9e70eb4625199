//! Rearming: reserve ammunition for the artillery.

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

/// The artillery of one contingent of the army.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RearmContingent {
    /// Its bombardment factor.
    #[schemars(extend("clauses" = ["HZ-REA-03", "HZ-BOM-01"]))]
    pub factor: u8,
    /// The highest factor its nation can have; one more than it has, if nothing is said.
    #[serde(default)]
    #[schemars(extend("clauses" = ["HZ-REA-08", "HZ-GEN-09"]))]
    pub most: Option<u8>,
    /// Its batteries on the table.
    #[schemars(extend("clauses" = ["HZ-REA-04", "HZ-REA-05"]))]
    pub batteries: u8,
    /// How many of them have no bombardments left.
    #[schemars(extend("clauses" = ["HZ-REA-01", "HZ-REA-04", "HZ-REA-05"]))]
    pub depleted: u8,
}

/// What a rearm order depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RearmSituation {
    /// The contingents of the army that have artillery.
    #[schemars(length(min = 1), extend("clauses" = ["HZ-REA-07"]))]
    pub contingents: Vec<RearmContingent>,
    /// The commander in chief is attached to a unit.
    #[schemars(extend("clauses" = ["HZ-REA-02"]))]
    pub attached: bool,
    /// The commander in chief supersedes an officer.
    #[schemars(extend("clauses" = ["HZ-REA-02"]))]
    pub superseding: bool,
}

impl RearmSituation {
    /// The modified bombardment factor of each contingent; all are compared with the same roll.
    pub fn each<'a>(&'a self, numbers: &'a Numbers) -> impl Iterator<Item = Test> + 'a {
        self.contingents.iter().map(|contingent| self.test(contingent, numbers))
    }

    /// The modified bombardment factor of one contingent. Depleted batteries are counted over the whole army.
    #[must_use]
    pub fn test(&self, contingent: &RearmContingent, numbers: &Numbers) -> Test {
        let (batteries, depleted) = (self.batteries(), self.depleted());
        decides!(HZ_REA_03);
        decides!(HZ_GEN_06);
        let mut test = Test::of(i32::from(contingent.factor));
        test.up(numbers.rearm.majority, HZ_REA_04).when(2 * depleted > batteries);
        test.up(numbers.rearm.all, HZ_REA_05).when(depleted == batteries);
        test
    }

    /// Batteries of the army on the table.
    #[must_use]
    pub fn batteries(&self) -> u32 {
        self.contingents.iter().map(|contingent| u32::from(contingent.batteries)).sum()
    }

    /// Batteries of the army that have no bombardments left.
    #[must_use]
    pub fn depleted(&self) -> u32 {
        self.contingents.iter().map(|contingent| u32::from(contingent.depleted)).sum()
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> RearmOutcome {
        decides!(HZ_REA_03, HZ_REA_06, HZ_REA_07, HZ_REA_08, HZ_REA_09);
        let huzzah = numbers.is_huzzah(total);
        decides!(HZ_GEN_09);
        let contingents: Vec<RearmedContingent> = self
            .contingents
            .iter()
            .map(|contingent| {
                let most = contingent.most.unwrap_or(contingent.factor.saturating_add(1));
                let raised = contingent.factor.saturating_add(numbers.rearm_huzzah).min(most);
                RearmedContingent {
                    rearmed: huzzah || numbers.succeeds(total, self.test(contingent, numbers).target()),
                    factor: if huzzah { raised.max(contingent.factor) } else { contingent.factor },
                }
            })
            .collect();
        let succeeded = contingents.iter().any(|contingent| contingent.rearmed);
        RearmOutcome { succeeded, huzzah, contingents, ends_phase: !succeeded }
    }
}

/// What becomes of one contingent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RearmedContingent {
    /// All its batteries return to their full allowance.
    pub rearmed: bool,
    /// Its bombardment factor from now on, which is that allowance.
    pub factor: u8,
}

/// What comes of a rearm order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RearmOutcome {
    /// At least one contingent is rearmed.
    pub succeeded: bool,
    /// The dice were a Huzzah!.
    pub huzzah: bool,
    /// Each contingent, in the order given.
    pub contingents: Vec<RearmedContingent>,
    /// The orders phase of the army is over.
    pub ends_phase: bool,
}

impl Situation for RearmSituation {
    const NAME: &'static str = "rearm";
    const ABOUT: &'static str = "Whether a rearm order brings the artillery fresh ammunition.";
    type Outcome = RearmOutcome;

    fn tests(&self) -> Vec<Test> {
        self.each(Numbers::book()).collect()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<RearmOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &RearmOutcome) -> String {
        let rearmed = outcome.contingents.iter().filter(|contingent| contingent.rearmed).count();
        match rearmed {
            0 => "fails and ends the orders phase".to_owned(),
            _ if outcome.huzzah => "rearmed to a higher factor".to_owned(),
            all if all == outcome.contingents.len() => "rearmed".to_owned(),
            some => format!("{some} of {} contingents rearmed", outcome.contingents.len()),
        }
    }

    fn check(&self, report: &mut Diagnostics) {
        for (n, contingent) in self.contingents.iter().enumerate() {
            if contingent.depleted > contingent.batteries {
                let path = Path::root().key("contingents").item(n).key("depleted");
                report.error(path, "more batteries are depleted than there are");
            }
        }
        decides!(HZ_REA_01);
        if self.depleted() == 0 {
            let message = "no battery is depleted, so nothing can be rearmed";
            report.against(HZ_REA_01, Path::root().key("contingents"), message, "at least one battery must be");
        }
        decides!(HZ_REA_02);
        decides!(HZ_ORD_36);
        if self.attached || self.superseding {
            let message = "a commander in chief who is attached or supersedes an officer rearms nobody";
            report.against(HZ_REA_02, Path::root(), message, "let him detach or relinquish first");
        }
    }
}
