//! Who chooses to go first or second.

use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::MB_SEQ_04;

/// What initiative depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Initiative {
    /// Our Marshal is exceptional and on the table.
    #[schemars(extend("clauses" = ["MB-SEQ-04"]))]
    pub ours_exceptional: bool,
    /// Theirs is.
    #[schemars(extend("clauses" = ["MB-SEQ-04"]))]
    pub theirs_exceptional: bool,
}

/// Who chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Chooses {
    /// We do, they do, or it is rolled again.
    pub chooses: &'static str,
}

impl Initiative {
    /// What each side adds to its die.
    #[must_use]
    pub fn tests(&self) -> [Test; 2] {
        [self.ours_exceptional, self.theirs_exceptional].map(|exceptional| {
            let mut test = Test::of(0);
            test.up(1, MB_SEQ_04).when(exceptional);
            test
        })
    }
}

impl Situation for Initiative {
    const NAME: &'static str = "initiative";
    const ABOUT: &'static str = "Who chooses to go first or second.";
    type Outcome = Chooses;

    fn tests(&self) -> Vec<Test> {
        Self::tests(self).into()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Chooses, NoDice> {
        let [ours, theirs] = Self::tests(self);
        let ours = dice.throw(&Throw::one(Die::D6))?.total() + ours.net();
        let theirs = dice.throw(&Throw::one(Die::D6))?.total() + theirs.net();
        Ok(Chooses {
            chooses: match ours.cmp(&theirs) {
                std::cmp::Ordering::Greater => "ours",
                std::cmp::Ordering::Less => "theirs",
                std::cmp::Ordering::Equal => "nobody: roll again",
            },
        })
    }

    fn outcome_name(outcome: &Chooses) -> String {
        outcome.chooses.into()
    }
}
