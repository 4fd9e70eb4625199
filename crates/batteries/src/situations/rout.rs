//! The rout table.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counted;
use crate::body::options::off;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::Grade;

/// What a roll on the rout table depends on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutRoll {
    /// Its grade.
    #[schemars(extend("clauses" = ["BB-MOR-31"]))]
    pub grade: Grade,
    /// How many figures it started the game with.
    #[schemars(range(min = 1, max = 200), extend("clauses" = ["BB-MOR-30"]))]
    pub start: u16,
    /// How many figures it has now.
    #[schemars(range(min = 1, max = 200), extend("clauses" = ["BB-MOR-27", "BB-MOR-30"]))]
    pub figures: u16,
    /// The charisma of the general with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 2), extend("clauses" = ["BB-MOR-28"]))]
    pub general: Option<u8>,
    /// No general has it in his command radius.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-29"]))]
    pub out_of_command: bool,
    /// For a surrounded force: how far it is to the centre of its position, in inches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 400.0), extend("clauses" = ["BB-MOR-42"]))]
    pub to_centre: Option<f64>,
}

/// How it routs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Flight {
    /// It is shattered, by the roll or by the hits.
    pub shattered: bool,
    /// How far it routs, in inches.
    pub distance: f64,
    /// How many figures it loses.
    pub hits: u16,
}

impl RoutRoll {
    /// The modifiers, line by line; they are added to the die.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let mut test = Test::of(0);
        let by = &numbers.rout_shifts;
        test.up(by.general, BB_MOR_28).times(i32::from(self.general.unwrap_or(0)));
        test.down(by.out_of_command, BB_MOR_29).when(self.out_of_command && self.general.is_none());
        let lost = self.start.saturating_sub(self.figures);
        test.down(numbers.weakened.by, BB_MOR_30).when(numbers.weakened.times(self.start, lost) > 0);
        test.up(1, BB_MOR_31).times(numbers.rout_grade.of(self.grade));
        test
    }

    /// The die.
    #[must_use]
    pub fn throw() -> Throw {
        Throw::one(Die::D10)
    }

    /// What a die comes to: how far and with how many hits; nothing when the unit is shattered outright.
    #[must_use]
    pub fn row(&self, die: i32, numbers: &Numbers) -> Option<(Length, u16)> {
        decides!(BB_MOR_26, BB_MOR_27);
        let total = die + self.test(numbers).net();
        let row = numbers.rout.rows.iter().rev().find(|row| total >= row.from)?;
        let hits = if self.figures >= numbers.rout.large { row.large } else { row.small };
        Some((row.distance.0, u16::from(hits)))
    }

    fn read(&self, die: i32, numbers: &Numbers) -> Flight {
        decides!(BB_MOR_42, BB_MOR_44);
        let Some((distance, hits)) = self.row(die, numbers) else {
            return Flight { shattered: true, distance: 0.0, hits: 0 };
        };
        let past = self.to_centre.is_some_and(|to_centre| distance.to_inches() > to_centre);
        let hits = hits + if past { u16::from(numbers.past_centre.hits) } else { 0 };
        let shattered = numbers.shattered.reached(self.start, self.figures.saturating_sub(hits));
        Flight { shattered, distance: distance.to_inches(), hits }
    }
}

impl Situation for RoutRoll {
    const NAME: &'static str = "rout";
    const ABOUT: &'static str = "How far a unit that failed its test routs, and what it loses.";
    type Outcome = Flight;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Flight, NoDice> {
        Ok(self.read(dice.throw(&Self::throw())?.total(), Numbers::book()))
    }

    fn outcome_name(outcome: &Flight) -> String {
        if outcome.shattered {
            "shattered".into()
        } else {
            format!("{} in, {}", outcome.distance, counted(outcome.hits, "hit"))
        }
    }

    fn check(&self, report: &mut Diagnostics) {
        if self.figures > self.start {
            report.against(BB_GEN_09, Path::root().key("figures"), "it has more figures than it started with", "fewer");
        }
    }
}
