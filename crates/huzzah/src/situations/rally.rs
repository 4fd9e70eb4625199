//! Rallying routers, and reforming blown and staggered units. Both use the same lines of the playsheet.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{Attached, Condition, Position};
use super::{staggers_text, two_dice};
use crate::clauses::*;
use crate::numbers::{Numbers, rung};
use crate::troops::{Arm, Formation, Horse, Quality};

/// What any recovery roll depends on, a rally or a reform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The unit's quality.
    pub quality: Quality,
    /// Its staggers.
    pub staggers: u8,
    /// Its kills.
    pub kills: u8,
    /// It is routing.
    pub routing: bool,
    /// It is blown.
    pub blown: bool,
    /// It is battle cavalry.
    pub battle_cavalry: bool,
    /// It is within an enemy threat zone.
    pub in_threat_zone: bool,
    /// It is in command.
    pub in_command: bool,
    /// It is in a favourable position.
    pub favourable: bool,
    /// Who is attached to it.
    pub officer: Attached,
}

impl Recovery {
    /// The effective morale, always in the full column, and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        decides!(HZ_RAL_03);
        let by = &numbers.rally;
        let mut test = Test::on(numbers.morale.ladder(false), rung(self.quality));
        test.down(by.kills, HZ_RAL_04).when(self.kills > 0);
        test.down(by.threat_zone, HZ_RAL_07).when(self.in_threat_zone);
        test.down(by.routing, HZ_RAL_05).when(self.routing);
        test.down(by.blown, HZ_RAL_06).when(self.blown && self.battle_cavalry);
        decides!(HZ_CMD_07);
        test.up(by.in_command, HZ_RAL_08).when(self.in_command || self.officer.is_officer());
        test.up(by.favourable, HZ_RAL_09).when(self.favourable && !self.routing);
        test.up(by.officer, HZ_RAL_10).when(self.officer.is_officer());
        test.up(by.inspirational, HZ_RAL_11).when(self.officer.is_inspirational());
        test
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> RecoveryOutcome {
        decides!(HZ_RAL_12, HZ_RAL_13, HZ_RAL_17);
        let huzzah = numbers.is_huzzah(total);
        let margin = numbers.margin(total, self.test(numbers).target());
        decides!(HZ_RAL_16, HZ_BLO_06);
        decides!(HZ_BLO_01);
        let succeeded = huzzah || margin.is_some();
        decides!(HZ_QUA_09, HZ_QUA_10, HZ_RAL_02);
        let removed = match margin {
            _ if huzzah => self.staggers,
            Some(margin) => margin.clamp(0, i32::from(self.staggers)) as u8,
            None => 0,
        };
        let staggers = self.staggers - removed;
        let before = Condition { quality: self.quality, staggers, kills: self.kills };
        let after = before.after_casualties(numbers);
        RecoveryOutcome {
            succeeded,
            huzzah,
            removed,
            staggers,
            rallied: succeeded && self.routing,
            routs_on: !succeeded && self.routing,
            blown: self.blown && !succeeded,
            recall: self.blown && !succeeded && !self.routing,
            casualty: after.kills - before.kills,
            breaks: after.is_broken(numbers),
        }
    }
}

/// What a rally or reform roll does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RecoveryOutcome {
    /// The roll succeeded.
    pub succeeded: bool,
    /// The dice were a Huzzah!.
    pub huzzah: bool,
    /// Staggers removed.
    pub removed: u8,
    /// Staggers left.
    pub staggers: u8,
    /// It is no longer routing: it halts, faces the enemy and takes any formation it may.
    pub rallied: bool,
    /// It routs on.
    pub routs_on: bool,
    /// It is still blown.
    pub blown: bool,
    /// It receives a forced order of recall.
    pub recall: bool,
    /// Kills it takes at the end of the phase for the staggers it has left.
    pub casualty: u8,
    /// That kill breaks it.
    pub breaks: bool,
}

impl RecoveryOutcome {
    fn name(&self, done: &str) -> String {
        let mut name = if self.succeeded { done.to_owned() } else { "fails".to_owned() };
        if self.routs_on {
            name.push_str(" and routs on");
        }
        if self.recall {
            name.push_str(" and must be recalled");
        }
        if self.breaks {
            name.push_str(", then breaks");
        } else if self.staggers > 0 {
            name.push_str(&format!(", {} left and a kill", staggers_text(self.staggers)));
        }
        name
    }
}

/// What a routing unit's rally depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RallySituation {
    /// The unit's quality.
    #[schemars(extend("clauses" = ["HZ-RAL-03", "HZ-QUA-01"]))]
    pub quality: Quality,
    /// Its staggers.
    #[schemars(extend("clauses" = ["HZ-RAL-13", "HZ-CAS-01"]))]
    pub staggers: u8,
    /// Its kills.
    #[schemars(extend("clauses" = ["HZ-RAL-04", "HZ-CAS-03"]))]
    pub kills: u8,
    /// What kind of cavalry it is, if it is cavalry.
    #[schemars(extend("clauses" = ["HZ-RAL-06"]))]
    pub horse: Horse,
    /// It is cavalry and was blown before it routed.
    #[schemars(extend("clauses" = ["HZ-RAL-06", "HZ-RAL-16", "HZ-BLO-01"]))]
    pub blown: bool,
    /// It is within an enemy threat zone.
    #[schemars(extend("clauses" = ["HZ-RAL-07"]))]
    pub in_threat_zone: bool,
    /// It is in command of its brigade officer.
    #[schemars(extend("clauses" = ["HZ-RAL-08"]))]
    pub in_command: bool,
    /// The officer attached to it. With any officer attached the unit is in command.
    #[schemars(extend("clauses" = ["HZ-RAL-10", "HZ-RAL-11", "HZ-CMD-07"]))]
    pub officer: Attached,
}

impl Default for RallySituation {
    fn default() -> Self {
        Self {
            quality: Quality::Trained,
            staggers: 0,
            kills: 0,
            horse: Horse::Plain,
            blown: false,
            in_threat_zone: false,
            in_command: false,
            officer: Attached::Nobody,
        }
    }
}

impl RallySituation {
    /// The same as any recovery.
    #[must_use]
    pub const fn recovery(&self) -> Recovery {
        Recovery {
            quality: self.quality,
            staggers: self.staggers,
            kills: self.kills,
            routing: true,
            blown: self.blown,
            battle_cavalry: self.horse.is_battle(),
            in_threat_zone: self.in_threat_zone,
            in_command: self.in_command,
            favourable: false,
            officer: self.officer,
        }
    }

    /// The effective morale and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        self.recovery().test(numbers)
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> RecoveryOutcome {
        self.recovery().read(numbers, total)
    }
}

impl Situation for RallySituation {
    const NAME: &'static str = "rally";
    const ABOUT: &'static str = "Whether a routing unit rallies, and what order it recovers.";
    type Outcome = RecoveryOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<RecoveryOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &RecoveryOutcome) -> String {
        outcome.name("rallies")
    }
}

/// What the reforming of a blown or staggered unit depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReformSituation {
    /// The unit's quality.
    #[schemars(extend("clauses" = ["HZ-RAL-03", "HZ-QUA-01"]))]
    pub quality: Quality,
    /// Its arm.
    #[schemars(extend("clauses" = ["HZ-CHK-14"]))]
    pub arm: Arm,
    /// Its formation.
    #[schemars(extend("clauses" = ["HZ-CHK-14"]))]
    pub formation: Formation,
    /// What kind of cavalry it is, if it is cavalry.
    #[schemars(extend("clauses" = ["HZ-RAL-06"]))]
    pub horse: Horse,
    /// Its staggers.
    #[schemars(extend("clauses" = ["HZ-RAL-13", "HZ-CAS-01"]))]
    pub staggers: u8,
    /// Its kills.
    #[schemars(extend("clauses" = ["HZ-RAL-04", "HZ-CAS-03"]))]
    pub kills: u8,
    /// It is blown.
    #[schemars(extend("clauses" = ["HZ-RAL-06", "HZ-RAL-16", "HZ-BLO-06"]))]
    pub blown: bool,
    /// It is within an enemy threat zone.
    #[schemars(extend("clauses" = ["HZ-RAL-07"]))]
    pub in_threat_zone: bool,
    /// It is threatened from its flank or rear, where no position is favourable.
    #[schemars(extend("clauses" = ["HZ-CHK-14"]))]
    pub flank_or_rear: bool,
    /// It is in command of its brigade officer.
    #[schemars(extend("clauses" = ["HZ-RAL-08"]))]
    pub in_command: bool,
    /// Where it stands.
    #[schemars(extend("clauses" = ["HZ-RAL-09", "HZ-CHK-14"]))]
    pub position: Position,
    /// The officer attached to it. With any officer attached the unit is in command.
    #[schemars(extend("clauses" = ["HZ-RAL-10", "HZ-RAL-11", "HZ-CMD-07"]))]
    pub officer: Attached,
}

impl Default for ReformSituation {
    fn default() -> Self {
        Self {
            quality: Quality::Trained,
            arm: Arm::Infantry,
            formation: Formation::Line,
            horse: Horse::Plain,
            staggers: 0,
            kills: 0,
            blown: false,
            in_threat_zone: false,
            flank_or_rear: false,
            in_command: false,
            position: Position::default(),
            officer: Attached::Nobody,
        }
    }
}

impl ReformSituation {
    /// The same as any recovery.
    #[must_use]
    pub fn recovery(&self) -> Recovery {
        Recovery {
            quality: self.quality,
            staggers: self.staggers,
            kills: self.kills,
            routing: false,
            blown: self.blown,
            battle_cavalry: self.arm == Arm::Cavalry && self.horse.is_battle(),
            in_threat_zone: self.in_threat_zone,
            in_command: self.in_command,
            favourable: self.position.favours_at_rest(self.arm, self.formation, self.flank_or_rear),
            officer: self.officer,
        }
    }

    /// The effective morale and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        self.recovery().test(numbers)
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> RecoveryOutcome {
        self.recovery().read(numbers, total)
    }
}

impl Situation for ReformSituation {
    const NAME: &'static str = "reform";
    const ABOUT: &'static str = "Whether a blown or staggered unit restores its order.";
    type Outcome = RecoveryOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<RecoveryOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &RecoveryOutcome) -> String {
        outcome.name("reforms")
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(HZ_RAL_01, HZ_BLO_01);
        if !self.blown && self.staggers == 0 {
            let message = "a unit that is neither blown nor staggered has nothing to reform";
            report.against(HZ_RAL_01, Path::root(), message, "say how many staggers it has, or that it is blown");
        }
        if self.blown && self.arm != Arm::Cavalry {
            report.against(HZ_BLO_01, Path::root().key("blown"), "only cavalry is ever blown", "arm = \"cavalry\"");
        }
    }
}
