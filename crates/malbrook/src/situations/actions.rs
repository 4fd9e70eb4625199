//! How many command actions a leader has.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::{MB_LEA_02, MB_RSK_03, MB_RSK_04};
use crate::numbers::Numbers;
use crate::troops::{Ability, Rank};
use crate::words::counted;

/// What a leader's actions depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandActions {
    /// His rank.
    #[schemars(extend("clauses" = ["MB-LEA-02"]))]
    pub rank: Rank,
    /// How able he is.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-LEA-02"]))]
    pub ability: Ability,
    /// He is wounded.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-RSK-03", "MB-RSK-04"]))]
    pub wounded: bool,
}

/// What he has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Has {
    /// Actions a turn.
    pub actions: u8,
    /// Whether he may steady and inspire.
    pub influences: bool,
}

impl CommandActions {
    fn test(&self, numbers: &Numbers) -> Test {
        let base = match self.rank {
            Rank::MajorGeneral => numbers.actions.major_general,
            Rank::LieutenantGeneral => numbers.actions.lieutenant_general,
            Rank::Marshal => numbers.actions.marshal,
        };
        let mut test = Test::of(base.into());
        test.up(1, MB_LEA_02).when(self.ability == Ability::Superior);
        test.down(1, MB_LEA_02).when(self.ability == Ability::Incompetent);
        if self.wounded && self.rank != Rank::MajorGeneral {
            test.at_most(1, MB_RSK_03);
            test.at_least(1, MB_RSK_03);
        }
        test
    }
}

/// The actions of a leader.
#[must_use]
pub fn actions_of(rank: Rank, ability: Ability, wounded: bool, numbers: &Numbers) -> u8 {
    CommandActions { rank, ability, wounded }.test(numbers).target().clamp(0, 9) as u8
}

impl Situation for CommandActions {
    const NAME: &'static str = "actions";
    const ABOUT: &'static str = "How many command actions a leader has in a turn.";
    type Outcome = Has;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Has, NoDice> {
        let actions = actions_of(self.rank, self.ability, self.wounded, Numbers::book());
        decides!(MB_RSK_04);
        Ok(Has { actions, influences: !(self.wounded && self.rank == Rank::MajorGeneral) })
    }

    fn outcome_name(outcome: &Has) -> String {
        counted(outcome.actions.into(), "action", "actions")
    }
}
