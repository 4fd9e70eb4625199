//! Combat: what one unit's blows at one enemy come to in a round.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counted;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Arm, Cover, Grade, Weight, dice_for};

/// One of the two who fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// Infantry, cavalry or gunners.
    pub arm: Arm,
    /// Its grade.
    #[schemars(extend("clauses" = ["BB-COM-18"]))]
    pub grade: Grade,
    /// How heavy cavalry is.
    #[serde(default = "light")]
    #[schemars(extend("clauses" = ["BB-COM-19"]))]
    pub weight: Weight,
    /// Cavalry with lances.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-20"]))]
    pub lance: bool,
    /// It counts as a square against this enemy.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-14", "BB-COM-16"]))]
    pub square: bool,
    /// It is in skirmish order.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-STA-08"]))]
    pub skirmishing: bool,
    /// It is shaken.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-13"]))]
    pub shaken: bool,
    /// It is disordered.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-22"]))]
    pub disordered: bool,
    /// It is unsteady for another reason: an obstacle, a town block.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-STA-08"]))]
    pub unsteady: bool,
    /// Cavalry that has fought before in this game.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-39"]))]
    pub fought: bool,
    /// Infantry organised in two ranks, and that rule is used.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-23", "BB-OPT-62"]))]
    pub two_rank: bool,
}

fn light() -> Weight {
    Weight::Light
}

impl Fighter {
    /// In good order, in good morale, in close order, grade E or better, and nothing in the way (BB-STA-07).
    #[must_use]
    pub fn steady(&self) -> bool {
        decides!(BB_STA_07, BB_STA_08);
        self.arm != Arm::Guns
            && self.grade != Grade::F
            && !(self.skirmishing || self.shaken || self.disordered || self.unsteady)
    }

    /// Cavalry in the first round of combat of its game, if it is steady (BB-COM-39).
    #[must_use]
    pub fn fresh(&self) -> bool {
        decides!(BB_COM_39);
        self.arm == Arm::Horse && self.steady() && !self.fought
    }

    fn unsquared_foot(&self) -> bool {
        self.arm == Arm::Foot && !self.square
    }
}

/// What one unit's blows at one enemy depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// How many of its figures strike at this enemy.
    #[schemars(range(min = 0, max = 200), extend("clauses" = ["BB-COM-02", "BB-COM-03", "BB-COM-05", "BB-COM-07"]))]
    pub figures: u16,
    /// Who strikes.
    pub us: Fighter,
    /// Who is struck.
    pub them: Fighter,
    /// The enemy is not in the open: inside broken ground, works or houses, or struck across an obstacle or up a slope.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-04"]))]
    pub not_in_open: bool,
    /// We charged this enemy in flank or rear.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-10"]))]
    pub flank: bool,
    /// This enemy charged us in flank or rear.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-11"]))]
    pub flanked: bool,
    /// It is the first round of this combat for us.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-20", "BB-COM-24"]))]
    pub first_round: bool,
    /// We are cavalry that was caught stationary.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-24", "BB-COM-27"]))]
    pub stationary: bool,
    /// The enemy stands uphill on a steep slope.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-21"]))]
    pub uphill: bool,
    /// The enemy defends an obstacle between us.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-21"]))]
    pub obstacle: bool,
    /// The enemy's cover against combat.
    #[serde(default = "none")]
    #[schemars(extend("clauses" = ["BB-COM-25"]))]
    pub cover: Cover,
    /// Our own cover against combat with this enemy.
    #[serde(default = "none")]
    #[schemars(extend("clauses" = ["BB-COM-23"]))]
    pub own_cover: Cover,
    /// We follow up an enemy that routed from us the turn before.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-COM-09", "BB-OPT-42"]))]
    pub pursuing: bool,
}

fn none() -> Cover {
    Cover::None
}

/// What the blows come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Hits {
    /// How many dice were rolled.
    pub dice: u16,
    /// How many hits count.
    pub hits: u16,
}

impl Blow {
    /// Cavalry riding down foot rolls a die for each figure (BB-COM-04).
    #[must_use]
    pub fn rides_down(&self) -> bool {
        decides!(BB_COM_04);
        self.us.arm == Arm::Horse && self.them.unsquared_foot() && !self.not_in_open
    }

    /// The dice that are rolled (BB-COM-02, BB-COM-03, BB-COM-04, BB-COM-05).
    #[must_use]
    pub fn dice(&self, numbers: &Numbers) -> u16 {
        decides!(BB_OPT_61, BB_COM_02, BB_COM_03, BB_COM_04, BB_COM_05);
        let blows = &numbers.blows;
        match self.us.arm {
            Arm::Horse if self.rides_down() => self.figures,
            Arm::Horse => dice_for(self.figures, blows.horse, blows.horse_remainder),
            Arm::Foot | Arm::Guns => dice_for(self.figures, blows.foot, blows.foot_remainder),
        }
    }

    /// The combat modifiers, line by line.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        decides!(BB_COM_06, BB_COM_26, BB_COM_32, BB_UNI_02, BB_STA_10);
        let (us, them) = (&self.us, &self.them);
        let horse_against_horse = us.arm == Arm::Horse && them.arm == Arm::Horse;
        let mut test = Test::to_reach(numbers.combat.base);
        let by = &numbers.combat_shifts;
        test.up(by.flank, BB_COM_10).when(self.flank);
        test.down(by.flanked, BB_COM_11).when(self.flanked);
        test.up(by.fresh, BB_COM_12).when(us.fresh() && them.arm == Arm::Horse && !them.fresh());
        test.down(by.shaken, BB_COM_13).when(us.shaken);
        test.up(by.horse_on_foot, BB_COM_14).when(us.arm == Arm::Horse && us.steady() && them.unsquared_foot());
        test.down(by.foot_on_horse, BB_COM_15).when(us.unsquared_foot() && them.arm == Arm::Horse && them.steady());
        test.up(by.square, BB_COM_16).when(us.arm == Arm::Foot && us.square && them.arm == Arm::Horse);
        test.down(by.against_square, BB_COM_17).when(us.arm == Arm::Horse && them.arm == Arm::Foot && them.square);
        test.up(by.grade, BB_COM_18).times(us.grade.above(them.grade));
        test.up(by.weight, BB_COM_19).times(if horse_against_horse {
            us.weight as i32 - them.weight as i32
        } else {
            0
        });
        test.up(by.lances, BB_COM_20).when(us.arm == Arm::Horse && us.lance && us.steady() && self.first_round);
        test.down(by.uphill, BB_COM_21).when(self.uphill || (self.obstacle && self.cover == Cover::None));
        test.down(by.disordered, BB_COM_22).when(us.disordered && them.steady());
        test.down(by.two_rank, BB_COM_23).when(us.arm == Arm::Foot && us.two_rank && self.own_cover == Cover::None);
        test.up(by.on_two_rank, BB_OPT_62)
            .when(us.arm == Arm::Horse && them.arm == Arm::Foot && them.two_rank && !them.skirmishing);
        test.down(by.stationary, BB_COM_24).when(us.arm == Arm::Horse && self.stationary && self.first_round);
        let covered = if self.cover == Cover::Hard { numbers.covered.hard } else { numbers.covered.soft };
        test.down(covered, BB_COM_25).when(self.cover != Cover::None);
        test.at_least(i32::from(numbers.natural.misses) + 1, BB_GEN_04);
        test.at_most(numbers.natural.hits.into(), BB_GEN_04);
        test
    }

    /// So many dice.
    #[must_use]
    pub fn throw(&self, dice: u16, numbers: &Numbers) -> Throw {
        Throw::count(dice, Die::D10, self.test(numbers).target() as u8)
    }

    /// What so many dice that hit count for (BB-OPT-42).
    #[must_use]
    pub fn worth(&self, hits: u16, numbers: &Numbers) -> u16 {
        decides!(BB_COM_09, BB_OPT_42);
        if self.pursuing { hits.saturating_mul(numbers.follow_up.factor().into()) } else { hits }
    }
}

impl Situation for Blow {
    const NAME: &'static str = "combat";
    const ABOUT: &'static str = "How many hits a unit scores on one enemy in a round of combat.";
    type Outcome = Hits;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Hits, NoDice> {
        let number = self.dice(Numbers::book());
        let hits = if number == 0 { 0 } else { dice.throw(&self.throw(number, Numbers::book()))?.total() as u16 };
        Ok(Hits { dice: number, hits: self.worth(hits, Numbers::book()) })
    }

    fn outcome_name(outcome: &Hits) -> String {
        counted(outcome.hits, "hit")
    }

    fn check(&self, report: &mut Diagnostics) {
        for (key, fighter) in [("us", &self.us), ("them", &self.them)] {
            let at = Path::root().key(key);
            if fighter.square && (fighter.arm != Arm::Foot || fighter.skirmishing) {
                report.against(
                    BB_UNI_13,
                    at.clone().key("square"),
                    "only close-order infantry forms square",
                    "leave it out",
                );
            }
            if fighter.skirmishing && fighter.arm != Arm::Foot {
                report.against(BB_UNI_14, at.key("skirmishing"), "only light infantry skirmishes", "leave it out");
            }
        }
    }
}
