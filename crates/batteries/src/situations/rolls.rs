//! The small rolls: initiative, charisma, command points, pursuit, fields, hedges, generals, returns.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counted;
use crate::body::options::off;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Grade, Nation};

fn one() -> Throw {
    Throw::one(Die::D10)
}

/// Declares a situation with no facts or a few, its outcome, and its roll.
macro_rules! roll {
    ($(#[$meta:meta])* $name:ident { $($fields:tt)* } as $text:literal, $about:literal,
     $(#[$out_meta:meta])* $outcome:ident { $($out_fields:tt)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($fields)* }

        $(#[$out_meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        pub struct $outcome { $($out_fields)* }

        impl Situation for $name {
            const NAME: &'static str = $text;
            const ABOUT: &'static str = $about;
            type Outcome = $outcome;

            fn tests(&self) -> Vec<Test> {
                vec![self.test(Numbers::book())]
            }

            fn resolve(&self, dice: &mut dyn Dice) -> Result<$outcome, NoDice> {
                let roll = dice.throw(&self.throw(Numbers::book()))?;
                Ok(self.read(roll.total(), Numbers::book()))
            }

            fn outcome_name(outcome: &$outcome) -> String {
                outcome.name()
            }
        }
    };
}

roll! {
    /// Charisma needs no facts.
    Charisma {} as "charisma", "How much a general inspires.",
    /// What it is.
    CharismaRoll {
        /// 0, 1 or 2.
        pub charisma: u8,
    }
}

impl Charisma {
    /// Nothing modifies it.
    #[must_use]
    pub fn test(&self, _: &Numbers) -> Test {
        Test::of(0)
    }

    /// The die.
    #[must_use]
    pub fn throw(&self, _: &Numbers) -> Throw {
        one()
    }

    /// Charisma by the die (BB-LEA-03).
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> CharismaRoll {
        decides!(BB_LEA_03);
        let table = &numbers.charisma;
        CharismaRoll { charisma: u8::from(die >= table.one.into()) + u8::from(die >= table.two.into()) }
    }
}

impl CharismaRoll {
    fn name(self) -> String {
        format!("charisma +{}", self.charisma)
    }
}

roll! {
    /// Command points need no facts.
    CommandPoints {} as "command_points", "How many command points a general has this turn.",
    /// How many.
    Points {
        /// 1 to 4.
        pub points: u8,
    }
}

impl CommandPoints {
    /// Nothing modifies it.
    #[must_use]
    pub fn test(&self, _: &Numbers) -> Test {
        Test::of(0)
    }

    /// The die.
    #[must_use]
    pub fn throw(&self, _: &Numbers) -> Throw {
        one()
    }

    /// Points by the die (BB-OPT-50).
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> Points {
        decides!(BB_OPT_50);
        let table = &numbers.points;
        Points {
            points: 1 + [table.two, table.three, table.four]
                .iter()
                .map(|from| u8::from(die >= (*from).into()))
                .sum::<u8>(),
        }
    }
}

impl Points {
    fn name(self) -> String {
        counted(self.points, "command point")
    }
}

roll! {
    /// What the roll to resist pursuit depends on.
    Pursuit {
        /// The cavalry is grade E or F.
        #[serde(default, skip_serializing_if = "off")]
        #[schemars(extend("clauses" = ["BB-OPT-34"]))]
        pub poor: bool,
        /// The charisma of the general with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0, max = 2), extend("clauses" = ["BB-OPT-35"]))]
        pub general: Option<u8>,
        /// British cavalry of grade A to E, where national modifiers are used.
        #[serde(default, skip_serializing_if = "off")]
        #[schemars(extend("clauses" = ["BB-OPT-77"]))]
        pub british: bool,
    } as "pursuit", "Whether cavalry that has routed its enemies can be held back.",
    /// Whether it pursues.
    Pursues {
        /// It does.
        pub pursues: bool,
    }
}

impl Pursuit {
    /// The roll to resist, for cavalry of a grade and nation.
    #[must_use]
    pub fn of(grade: Grade, nation: Option<Nation>, general: Option<u8>) -> Self {
        let british = nation == Some(Nation::Britain) && grade != Grade::F;
        Self { poor: grade.poor(), general, british }
    }

    /// The modifiers; the total must be above 4 to resist (BB-OPT-33).
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        decides!(BB_OPT_33);
        let mut test = Test::to_reach(numbers.pursuit.pursues + 1);
        let by = &numbers.pursuit_shifts;
        test.down(by.poor, BB_OPT_34).when(self.poor);
        test.up(by.general, BB_OPT_35).times(i32::from(self.general.unwrap_or(0)));
        test.down(by.british, BB_OPT_77).when(self.british);
        test
    }

    /// The die.
    #[must_use]
    pub fn throw(&self, _: &Numbers) -> Throw {
        one()
    }

    /// What the die says.
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> Pursues {
        Pursues { pursues: die < self.test(numbers).target() }
    }
}

impl Pursues {
    fn name(self) -> String {
        if self.pursues { "pursues" } else { "is held back" }.into()
    }
}

roll! {
    /// Cavalry charging over a ploughed field: no facts.
    PloughedField {} as "ploughed_field", "Whether cavalry charging over a muddy field is disordered.",
    /// Whether it is.
    Disordered {
        /// It is.
        pub disordered: bool,
    }
}

impl PloughedField {
    /// Nothing modifies it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        Test::to_reach(numbers.ploughed.needs.into())
    }

    /// The die.
    #[must_use]
    pub fn throw(&self, _: &Numbers) -> Throw {
        one()
    }

    /// What the die says (BB-PLO-02).
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> Disordered {
        decides!(BB_PLO_02);
        Disordered { disordered: die >= self.test(numbers).target() }
    }
}

impl Disordered {
    fn name(self) -> String {
        if self.disordered { "disordered" } else { "in order" }.into()
    }
}

roll! {
    /// What clearing a hedgerow or abatis depends on.
    Clearing {
        /// How many stands have been at it for a turn.
        #[schemars(range(min = 0, max = 60), extend("clauses" = ["BB-HED-05", "BB-ABA-02"]))]
        pub stands: u16,
    } as "clearing", "How many stands clear their frontage of hedgerow or abatis.",
    /// How many do.
    Cleared {
        /// Stands that clear their frontage.
        pub cleared: u16,
    }
}

impl Clearing {
    /// Nothing modifies it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        Test::to_reach(numbers.clearing.needs.into())
    }

    /// A die for each stand.
    #[must_use]
    pub fn throw(&self, numbers: &Numbers) -> Throw {
        Throw::count(self.stands, Die::D10, numbers.clearing.needs)
    }

    /// How many succeed.
    #[must_use]
    pub fn read(&self, count: i32, _: &Numbers) -> Cleared {
        decides!(BB_HED_05, BB_ABA_02);
        Cleared { cleared: count as u16 }
    }
}

impl Cleared {
    fn name(self) -> String {
        counted(self.cleared, "stand")
    }
}

roll! {
    /// A unit off the table: no facts.
    Returning {} as "returning", "Whether a unit that left the table comes back.",
    /// Whether it does.
    Returns {
        /// It does.
        pub returns: bool,
    }
}

impl Returning {
    /// Nothing modifies it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        Test::to_reach(numbers.returning.needs.into())
    }

    /// The die.
    #[must_use]
    pub fn throw(&self, _: &Numbers) -> Throw {
        one()
    }

    /// What the die says (BB-OPT-47).
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> Returns {
        decides!(BB_OPT_47);
        Returns { returns: die >= self.test(numbers).target() }
    }
}

impl Returns {
    fn name(self) -> String {
        if self.returns { "returns" } else { "stays away" }.into()
    }
}

roll! {
    /// A general with a unit that has been hit hard: no facts.
    DangerToGeneral {} as "danger_to_general", "Whether a general falls whose unit has been hit hard.",
    /// What becomes of him.
    Fate {
        /// He is wounded or killed.
        pub falls: bool,
    }
}

impl DangerToGeneral {
    /// Nothing modifies it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        Test::to_reach(i32::from(numbers.fall.on) + 1)
    }

    /// The die.
    #[must_use]
    pub fn throw(&self, _: &Numbers) -> Throw {
        one()
    }

    /// What the die says (BB-OPT-49).
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> Fate {
        decides!(BB_OPT_49);
        Fate { falls: die < self.test(numbers).target() }
    }
}

impl Fate {
    fn name(self) -> String {
        if self.falls { "falls" } else { "unhurt" }.into()
    }
}

/// Initiative needs no facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Initiative {}

/// Who may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct InitiativeRoll {
    /// The first side's die.
    pub first: i32,
    /// The second side's.
    pub second: i32,
}

impl Situation for Initiative {
    const NAME: &'static str = "initiative";
    const ABOUT: &'static str = "Which side chooses whether to move first; equal dice are rolled again.";
    type Outcome = InitiativeRoll;

    fn tests(&self) -> Vec<Test> {
        vec![Test::of(0)]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<InitiativeRoll, NoDice> {
        decides!(BB_SEQ_02);
        Ok(InitiativeRoll { first: dice.throw(&one())?.total(), second: dice.throw(&one())?.total() })
    }

    fn outcome_name(outcome: &InitiativeRoll) -> String {
        match outcome.first.cmp(&outcome.second) {
            std::cmp::Ordering::Greater => "the first side chooses",
            std::cmp::Ordering::Less => "the second side chooses",
            std::cmp::Ordering::Equal => "roll again",
        }
        .into()
    }
}
