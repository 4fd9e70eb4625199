//! The morale test.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::options::off;
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Arm, Formation, Grade, Nation};

/// What a morale test depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Morale {
    /// Infantry, cavalry or gunners.
    pub arm: Arm,
    /// Its grade.
    #[schemars(extend("clauses" = ["BB-MOR-12"]))]
    pub grade: Grade,
    /// How many figures it started the game with.
    #[schemars(range(min = 1, max = 200), extend("clauses" = ["BB-GEN-09", "BB-MOR-16"]))]
    pub start: u16,
    /// How many figures it has lost so far, this phase included.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-MOR-16"]))]
    pub losses: u16,
    /// Hits suffered in this phase.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-MOR-05", "BB-MOR-15"]))]
    pub hits: u16,
    /// It is shaken.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-14"]))]
    pub shaken: bool,
    /// It is in a steady square.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-13"]))]
    pub steady_square: bool,
    /// It is in hard cover against shooting.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-13"]))]
    pub hard_cover: bool,
    /// It is charging this turn.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-09", "BB-MOR-10"]))]
    pub charging: bool,
    /// It charges home frontally on steady infantry that is not in square.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-06", "BB-MOR-17"]))]
    pub onto_steady_foot: bool,
    /// It charges home on a steady square.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-06", "BB-MOR-17", "BB-MOR-19"]))]
    pub onto_steady_square: bool,
    /// It charges home on cover that is hard in combat.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-06", "BB-MOR-17"]))]
    pub onto_hard_cover: bool,
    /// An enemy has charged it this turn, whether or not the charge came home.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-OPT-71"]))]
    pub charged: bool,
    /// A charge on it has come home.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-13"]))]
    pub charge_home: bool,
    /// Steady infantry has charged it successfully.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-07", "BB-MOR-18"]))]
    pub met_steady_foot: bool,
    /// Steady cavalry has charged it successfully.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-07", "BB-MOR-20"]))]
    pub met_steady_horse: bool,
    /// It was charged on flank or rear this turn.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-21"]))]
    pub flanked: bool,
    /// It has lost a round of combat.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-08", "BB-MOR-22"]))]
    pub lost_combat: bool,
    /// The charisma of the general with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 2), extend("clauses" = ["BB-MOR-23"]))]
    pub general: Option<u8>,
    /// No general has it in his command radius.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-MOR-24"]))]
    pub out_of_command: bool,
    /// Its nation, where national modifiers are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("clauses" = ["BB-OPT-70", "BB-OPT-71"]))]
    pub nation: Option<Nation>,
    /// Its formation, for national modifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("clauses" = ["BB-OPT-72", "BB-OPT-75", "BB-OPT-84"]))]
    pub formation: Option<Formation>,
    /// It advanced at full speed in column this turn.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-OPT-79", "BB-OPT-80", "BB-OPT-88"]))]
    pub full_speed: bool,
    /// It is steady, for early Prussian infantry charged by cavalry.
    #[serde(default, skip_serializing_if = "off")]
    #[schemars(extend("clauses" = ["BB-OPT-82"]))]
    pub steady: bool,
}

/// Whether it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Nerve {
    /// It passes.
    pub passes: bool,
}

impl Morale {
    /// A unit of which nothing is known but who it is.
    #[must_use]
    pub fn of(arm: Arm, grade: Grade, start: u16) -> Self {
        Self {
            arm,
            grade,
            start,
            losses: 0,
            hits: 0,
            shaken: false,
            steady_square: false,
            hard_cover: false,
            charging: false,
            onto_steady_foot: false,
            onto_steady_square: false,
            onto_hard_cover: false,
            charged: false,
            charge_home: false,
            met_steady_foot: false,
            met_steady_horse: false,
            flanked: false,
            lost_combat: false,
            general: None,
            out_of_command: false,
            nation: None,
            formation: None,
            full_speed: false,
            steady: false,
        }
    }

    fn foot(&self) -> bool {
        self.arm != Arm::Horse
    }

    /// The nation whose modifiers apply: grades A to E, infantry (and British cavalry) only (BB-OPT-70).
    fn nation(&self, arm: Arm) -> Option<Nation> {
        decides!(BB_OPT_11, BB_OPT_70);
        self.nation.filter(|_| self.arm == arm && self.grade != Grade::F)
    }

    /// Steady early Prussians do not mind cavalry (BB-OPT-82).
    fn minds_horse(&self) -> bool {
        decides!(BB_OPT_82);
        self.met_steady_horse && !(self.nation(Arm::Foot) == Some(Nation::EarlyPrussia) && self.steady)
    }

    /// The clause that makes it test, if any does (BB-MOR-05, BB-MOR-06, BB-MOR-07, BB-MOR-08, BB-MOR-09, BB-MOR-10).
    #[must_use]
    pub fn reason(&self, numbers: &Numbers) -> Option<Clause> {
        decides!(BB_MOR_05, BB_MOR_06, BB_MOR_07, BB_MOR_08, BB_MOR_09, BB_MOR_10);
        let home = self.onto_steady_foot || self.onto_steady_square || self.onto_hard_cover;
        if self.lost_combat {
            Some(BB_MOR_08)
        } else if self.charging && home {
            Some(BB_MOR_06)
        } else if self.foot() && (self.met_steady_foot || self.minds_horse()) {
            Some(BB_MOR_07)
        } else if self.hits >= numbers.shaken_by.hits.into() {
            Some(BB_MOR_05)
        } else {
            None
        }
    }

    /// The morale modifiers, line by line.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        decides!(BB_MOR_02, BB_MOR_12);
        let fight = self.charging || self.charge_home || self.lost_combat;
        let shooting_alone = !fight && self.hits >= numbers.shaken_by.hits.into();
        let national = shooting_alone && !self.charged;
        let column = matches!(self.formation, Some(Formation::Column | Formation::Masse));
        let line = matches!(self.formation, Some(Formation::Line | Formation::Extended | Formation::Bent));
        let onto_foot = self.onto_steady_foot || self.onto_steady_square || self.onto_hard_cover;
        let nation = self.nation(Arm::Foot);
        let mut test = Test::to_reach(numbers.morale.of(self.grade));
        let by = &numbers.morale_shifts;
        test.up(by.sheltered, BB_MOR_13).when(shooting_alone && (self.steady_square || self.hard_cover));
        test.down(by.shaken, BB_MOR_14).when(self.shaken);
        test.down(numbers.each_hits.by, BB_MOR_15).times(numbers.each_hits.times(self.hits));
        test.down(numbers.each_losses.by, BB_MOR_16).times(numbers.each_losses.times(self.start, self.losses));
        test.down(by.foot_charging, BB_MOR_17).when(self.foot() && self.charging && onto_foot);
        test.down(by.met_foot, BB_MOR_18).when(self.foot() && self.met_steady_foot);
        test.down(by.onto_square, BB_MOR_19).when(self.arm == Arm::Horse && self.charging && self.onto_steady_square);
        test.down(by.met_horse, BB_MOR_20).when(self.foot() && self.minds_horse());
        test.down(by.flanked, BB_MOR_21).when(self.flanked);
        test.down(by.lost_combat, BB_MOR_22).when(self.lost_combat);
        test.up(by.general, BB_MOR_23).times(i32::from(self.general.unwrap_or(0)));
        test.down(by.out_of_command, BB_MOR_24).when(self.out_of_command && self.general.is_none());
        decides!(BB_OPT_71, BB_OPT_72, BB_OPT_84);
        let drilled = [(Nation::Austria, by.austrian, BB_OPT_72), (Nation::LaterPrussia, by.prussian, BB_OPT_84)];
        for (_, shift, clause) in drilled.into_iter().filter(|(one, ..)| nation == Some(*one)) {
            test.up(shift, clause).when(national && column);
            test.down(shift, clause).when(national && line);
        }
        test.up(by.british_line, BB_OPT_75).when(national && line && nation == Some(Nation::Britain));
        test.up(by.french, BB_OPT_79).when(national && column && self.full_speed && nation == Some(Nation::France));
        test.up(by.spanish, BB_OPT_88).when(national && column && self.full_speed && nation == Some(Nation::Spain));
        test.up(by.russian, BB_OPT_87).when(self.lost_combat && nation == Some(Nation::Russia));
        let british_horse = self.nation(Arm::Horse) == Some(Nation::Britain);
        test.up(by.british_horse, BB_OPT_78)
            .when(british_horse && !self.lost_combat && (self.charging || self.charged));
        test
    }

    /// The die.
    #[must_use]
    pub fn throw() -> Throw {
        Throw::one(Die::D10)
    }

    /// Whether a die passes: natural scores do not matter here (BB-GEN-06).
    #[must_use]
    pub fn read(&self, total: i32, numbers: &Numbers) -> Nerve {
        decides!(BB_GEN_06);
        Nerve { passes: total >= self.test(numbers).target() }
    }
}

impl Situation for Morale {
    const NAME: &'static str = "morale";
    const ABOUT: &'static str = "Whether a unit holds.";
    type Outcome = Nerve;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Nerve, NoDice> {
        Ok(self.read(dice.throw(&Self::throw())?.total(), Numbers::book()))
    }

    fn outcome_name(outcome: &Nerve) -> String {
        if outcome.passes { "passes" } else { "fails" }.into()
    }

    fn check(&self, report: &mut Diagnostics) {
        let at = |key: &str| Path::root().key(key);
        if self.reason(Numbers::book()).is_none() {
            report.against(BB_MOR_05, Path::root(), "it has no reason to test", "two hits, a charge, or a lost round");
        }
        if self.losses >= self.start || Numbers::book().shattered.reached(self.start, self.start - self.losses) {
            report.against(BB_MOR_04, at("losses"), "it is shattered and tests no more", "three quarters lost");
        }
        let onto = self.onto_steady_foot || self.onto_steady_square || self.onto_hard_cover;
        if onto && !self.charging {
            report.against(BB_MOR_06, at("charging"), "it charges home without charging", "say that it is charging");
        }
        if (self.met_steady_foot || self.met_steady_horse) && !self.charge_home {
            report.against(BB_CHG_29, at("charge_home"), "a charge that it meets has come home", "say so");
        }
        if self.charge_home && !self.charged {
            report.against(
                BB_CHG_29,
                at("charged"),
                "a charge has come home that nobody made",
                "say that it is charged",
            );
        }
    }
}
