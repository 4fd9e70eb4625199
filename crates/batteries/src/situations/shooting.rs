//! Shooting: dice, the table, its modifiers, and the second roll for hits on guns.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counted;
use crate::clauses::*;
use crate::numbers::{Inches, Numbers, Row};
use crate::troops::{Calibre, Column, Cover, Fire, Grade, GunClass, Nation, Shot, dice_for};

/// What is fired, and from what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "with", deny_unknown_fields)]
pub enum Shooter {
    /// Muskets.
    Muskets {
        /// How many figures bear.
        #[schemars(range(min = 0, max = 200))]
        figures: u16,
    },
    /// Rifles.
    Rifles {
        /// How many figures bear.
        #[schemars(range(min = 0, max = 200))]
        figures: u16,
    },
    /// Guns.
    Guns {
        /// How heavy they are.
        class: GunClass,
        /// What they fire.
        shot: Shot,
        /// How many models bear with both guns left.
        #[schemars(range(min = 0, max = 30))]
        models: u16,
        /// How many models bear with one gun left.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        half_models: u16,
        /// How many gunners serve them.
        #[schemars(range(min = 0, max = 200))]
        gunners: u16,
    },
}

/// What fire at one target depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shooting {
    /// Who fires, and with what.
    #[schemars(extend("clauses" = ["BB-SHO-01", "BB-SHO-02", "BB-SHO-03", "BB-SHO-13"]))]
    pub shooter: Shooter,
    /// The range in inches, doubled ground counted twice.
    #[schemars(range(min = 0.0, max = 400.0), extend("clauses" = ["BB-SHO-13", "BB-SHO-16"]))]
    pub range: f64,
    /// The shooter's grade.
    #[schemars(extend("clauses" = ["BB-SHO-20", "BB-SHO-21"]))]
    pub grade: Grade,
    /// The target is in skirmish order.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-14"]))]
    pub at_skirmishers: bool,
    /// The target's cover against shooting.
    #[serde(default = "no_cover")]
    #[schemars(extend("clauses" = ["BB-SHO-14", "BB-TER-03"]))]
    pub cover: Cover,
    /// The target is dense.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-17", "BB-SHO-28"]))]
    pub dense: bool,
    /// The shooter is shaken.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-18"]))]
    pub shaken: bool,
    /// The shooter is disordered.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-19"]))]
    pub disordered: bool,
    /// The shooter is in skirmish order.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-19"]))]
    pub skirmishing: bool,
    /// The shooter shoots before it evades.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-22"]))]
    pub evading: bool,
    /// The shooter has moved.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-23"]))]
    pub moving: bool,
    /// The shooter is in square.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-24"]))]
    pub in_square: bool,
    /// The shooter is unsteady for another reason than these.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-STA-08", "BB-OPT-76"]))]
    pub unsteady: bool,
    /// The shooter is organised in two ranks, and that rule is used.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-OPT-59", "BB-OPT-60"]))]
    pub two_rank: bool,
    /// The shooter's nation, where national modifiers are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("clauses" = ["BB-OPT-76", "BB-OPT-86"]))]
    pub nation: Option<Nation>,
}

fn no_cover() -> Cover {
    Cover::None
}

/// What a shot comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Scored {
    /// How many dice were rolled.
    pub dice: u16,
    /// How many hit.
    pub hits: u16,
}

/// Dice of a battery: crews are shared out to the best effect (BB-GUN-09).
#[must_use]
pub fn gun_dice(models: u16, half_models: u16, gunners: u16, numbers: &Numbers) -> u16 {
    decides!(BB_GUN_09);
    let crew = &numbers.crew;
    let full = models.min(gunners / u16::from(crew.both.max(1)));
    let left = gunners - full * u16::from(crew.both.max(1));
    let unserved = models - full + half_models;
    full * 2 + u16::from(unserved > 0 && left >= u16::from(crew.one))
}

impl Shooting {
    /// The kind of fire.
    #[must_use]
    pub fn fire(&self) -> Fire {
        match self.shooter {
            Shooter::Muskets { .. } => Fire::Muskets,
            Shooter::Rifles { .. } => Fire::Rifles,
            Shooter::Guns { class, shot, .. } => Fire::Guns(Calibre { class, shot }),
        }
    }

    /// The dice that are rolled (BB-SHO-01, BB-SHO-02, BB-SHO-03, BB-SHO-04, BB-OPT-59, BB-OPT-60).
    #[must_use]
    pub fn dice(&self, numbers: &Numbers) -> u16 {
        decides!(BB_OPT_09, BB_SHO_01, BB_SHO_02, BB_SHO_03, BB_SHO_04, BB_OPT_59, BB_OPT_60);
        let volley = &numbers.volley;
        match self.shooter {
            Shooter::Guns { models, half_models, gunners, .. } => gun_dice(models, half_models, gunners, numbers),
            Shooter::Muskets { figures } | Shooter::Rifles { figures } if self.two_rank && !self.skirmishing => {
                dice_for(figures, volley.two_rank_figures, volley.two_rank_remainder)
            }
            Shooter::Muskets { figures } | Shooter::Rifles { figures } => {
                dice_for(figures, volley.figures, volley.remainder)
            }
        }
    }

    fn row<'n>(&self, numbers: &'n Numbers) -> Option<&'n Row> {
        decides!(BB_SHO_13, BB_SHO_32);
        numbers.shooting.row(self.fire(), Inches(Length::rounded(self.range * Length::inches(1).f())))
    }

    /// The score needed before modifiers: the worst of the columns that fit (BB-SHO-14). Nothing for NIL, and nothing
    /// beyond the last range.
    #[must_use]
    pub fn score(&self, numbers: &Numbers) -> Option<u8> {
        decides!(BB_SHO_14);
        decides!(BB_GEN_05);
        let row = self.row(numbers)?;
        let cover = match self.cover {
            Cover::None => Column::Normal,
            Cover::Soft => Column::Soft,
            Cover::Hard => Column::Hard,
        };
        let mut score = row.cell(cover)?;
        if self.at_skirmishers {
            score = score.max(row.cell(Column::Skirmishers)?);
        }
        Some(score)
    }

    fn steady(&self) -> bool {
        !(self.shaken || self.disordered || self.skirmishing || self.unsteady || self.grade == Grade::F)
    }

    /// The shooting modifiers, line by line.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        decides!(BB_STA_10, BB_OPT_11);
        let guns = matches!(self.shooter, Shooter::Guns { .. });
        decides!(BB_OPT_70);
        let nation = self.nation.filter(|_| !guns && self.grade != Grade::F);
        let muskets = self.fire() == Fire::Muskets;
        let mut test = Test::to_reach(self.score(numbers).map_or(11, i32::from));
        test.up(numbers.dense.by, BB_SHO_17).when(self.dense && self.fire().is_ball());
        let by = &numbers.shooting_shifts;
        test.down(by.shaken, BB_SHO_18).when(self.shaken);
        test.down(by.disordered, BB_SHO_19).when(self.disordered || self.skirmishing);
        test.up(by.good, BB_SHO_20).when(matches!(self.grade, Grade::A | Grade::B));
        test.down(by.poor, BB_SHO_21).when(self.grade.poor());
        test.down(by.evading, BB_SHO_22).when(self.evading);
        test.down(by.moving, BB_SHO_23).when(self.moving && !self.evading);
        test.down(by.square, BB_SHO_24).when(self.in_square);
        test.up(by.british, BB_OPT_76).when(nation == Some(Nation::Britain) && muskets && self.steady());
        test.down(by.russian, BB_OPT_86).when(nation == Some(Nation::Russia) && muskets);
        test.at_least(i32::from(numbers.natural.misses) + 1, BB_GEN_04);
        test.at_most(numbers.natural.hits.into(), BB_GEN_04);
        test
    }

    /// So many dice at this target.
    #[must_use]
    pub fn throw(&self, dice: u16, numbers: &Numbers) -> Throw {
        Throw::count(dice, Die::D10, self.test(numbers).target() as u8)
    }
}

impl Situation for Shooting {
    const NAME: &'static str = "shooting";
    const ABOUT: &'static str = "How many hits a unit scores at one target.";
    type Outcome = Scored;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Scored, NoDice> {
        let number = self.dice(Numbers::book());
        let hits = if number == 0 { 0 } else { dice.throw(&self.throw(number, Numbers::book()))?.total() as u16 };
        Ok(Scored { dice: number, hits })
    }

    fn outcome_name(outcome: &Scored) -> String {
        counted(outcome.hits, "hit")
    }

    fn check(&self, report: &mut Diagnostics) {
        let numbers = Numbers::book();
        let guns = matches!(self.shooter, Shooter::Guns { .. });
        if self.row(numbers).is_none() {
            report.against(BB_SHO_32, Path::root().key("range"), "that is out of range", "come nearer");
        } else if self.score(numbers).is_none() {
            report.against(BB_GEN_05, Path::root(), "there is no chance to hit: NIL", "no dice may be rolled");
        }
        if guns && (self.moving || self.evading) {
            report.against(BB_SHO_10, Path::root(), "a battery that moves does not fire", "leave it standing");
        }
        if guns && (self.in_square || self.skirmishing) {
            report.against(BB_UNI_16, Path::root(), "guns are limbered or unlimbered", "leave the formation out");
        }
        if self.in_square && self.skirmishing {
            report.against(BB_UNI_14, Path::root(), "a square is no skirmish line", "it is one or the other");
        }
        if self.dense && self.at_skirmishers {
            report.against(BB_SHO_31, Path::root().key("dense"), "skirmishers are never dense", "leave it out");
        }
    }
}

/// What hits on guns come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counterbattery {
    /// How many hits there were.
    #[schemars(range(min = 1, max = 60), extend("clauses" = ["BB-SHO-25"]))]
    pub hits: u16,
    /// They were scored by ballshot.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-25"]))]
    pub ball: bool,
    /// The guns are limbered.
    #[serde(default)]
    #[schemars(extend("clauses" = ["BB-SHO-26"]))]
    pub limbered: bool,
}

/// What a battery loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GunLosses {
    /// Gunners.
    pub gunners: u16,
    /// Actual guns.
    pub guns: u16,
}

impl Counterbattery {
    /// The modifier of the second roll.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let table = &numbers.counterbattery;
        let gunner = if self.ball { table.gunner_from_ball } else { table.gunner };
        let mut test = Test::to_reach(gunner.into());
        test.up(table.limbered, BB_SHO_26).when(self.ball && self.limbered);
        test
    }

    /// The dice: nothing, a gunner, a gun and a gunner.
    #[must_use]
    pub fn throw(&self, numbers: &Numbers) -> Throw {
        let test = self.test(numbers);
        let natural = |score: i32| (score - test.net()).clamp(1, 11) as u8;
        let gunner = natural(test.base_value());
        // Only ballshot breaks guns; a cut above every face is never reached.
        let gun = if self.ball { natural(numbers.counterbattery.gun.into()) } else { 11 };
        Throw::Sort { dice: self.hits, die: Die::D10, cuts: [gunner, gun.max(gunner)].into_iter().collect() }
    }

    /// What the dice say.
    #[must_use]
    pub fn read(roll: &sabretache_engine::dice::Roll) -> GunLosses {
        decides!(BB_SHO_25);
        GunLosses { gunners: roll.class(1) + roll.class(2), guns: roll.class(2) }
    }
}

impl Situation for Counterbattery {
    const NAME: &'static str = "counterbattery";
    const ABOUT: &'static str = "What hits on guns come to.";
    type Outcome = GunLosses;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<GunLosses, NoDice> {
        Ok(Self::read(&dice.throw(&self.throw(Numbers::book()))?))
    }

    fn outcome_name(outcome: &GunLosses) -> String {
        format!("{}, {}", counted(outcome.gunners, "gunner"), counted(outcome.guns, "gun"))
    }
}
