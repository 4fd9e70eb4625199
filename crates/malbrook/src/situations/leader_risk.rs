//! Whether a leader is hit.

use crate::clauses::{MB_ORD_11, MB_RSK_02, MB_RSK_05, MB_RSK_06};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::numbers::Numbers;

/// What the risk to a leader depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LeaderRisk {
    /// He is alone and shot at; otherwise his brigade has suffered.
    #[schemars(extend("clauses" = ["MB-RSK-02", "MB-RSK-06"]))]
    pub shot_at: bool,
    /// He has been wounded before.
    #[schemars(extend("clauses" = ["MB-RSK-05"]))]
    pub wounded: bool,
    /// He is a messenger: any hit that is not a near miss is the end of him.
    #[schemars(extend("clauses" = ["MB-ORD-11"]))]
    pub messenger: bool,
}

/// What becomes of him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Nothing.
    Unhurt,
    /// A near miss.
    NearMiss,
    /// Wounded.
    Wounded,
    /// Killed, or for a messenger lost.
    Killed,
}

/// What becomes of him, as a drill reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RiskOutcome {
    /// His fate.
    pub fate: Fate,
}

impl LeaderRisk {
    /// Throws through whatever throws the dice: the second only after a hit.
    pub fn take<E>(&self, numbers: &Numbers, mut throw: impl FnMut(&'static str) -> Result<i32, E>) -> Result<Fate, E> {
        decides!(MB_RSK_02);
        let first = throw("risk to leader")?;
        let hit = if self.shot_at {
            decides!(MB_RSK_06);
            first >= i32::from(numbers.lone_shots.hit_at_least)
        } else {
            first <= i32::from(numbers.risk.hit_at_most)
        };
        if !hit {
            return Ok(Fate::Unhurt);
        }
        decides!(MB_ORD_11);
        let second = throw("how badly hit")?;
        if self.wounded {
            decides!(MB_RSK_05);
        }
        Ok(if second <= i32::from(numbers.risk.killed_at_most) {
            Fate::Killed
        } else if second > i32::from(numbers.risk.wounded_at_most) {
            Fate::NearMiss
        } else if self.wounded || self.messenger {
            Fate::Killed
        } else {
            Fate::Wounded
        })
    }
}

impl Fate {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Unhurt => "unhurt",
            Self::NearMiss => "a near miss",
            Self::Wounded => "wounded",
            Self::Killed => "killed",
        }
    }
}

impl Situation for LeaderRisk {
    const NAME: &'static str = "leader-risk";
    const ABOUT: &'static str = "Whether a leader is hit, and how badly.";
    type Outcome = RiskOutcome;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<RiskOutcome, NoDice> {
        let fate = self.take(Numbers::book(), |_| Ok(dice.throw(&Throw::one(Die::D6))?.total()))?;
        Ok(RiskOutcome { fate })
    }

    fn outcome_name(outcome: &RiskOutcome) -> String {
        outcome.fate.word().into()
    }
}
