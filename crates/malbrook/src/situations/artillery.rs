//! Direct fire by one gun model.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::{
    MB_ART_01, MB_ART_05, MB_ART_08, MB_ART_09, MB_ART_10, MB_ART_11, MB_ART_12, MB_ART_13, MB_ART_14, MB_ART_15,
    MB_ART_16, MB_ART_17, MB_ART_18, MB_ART_22, MB_TER_08, MB_TER_09,
};
use crate::numbers::{Inches, Numbers};
use crate::troops::Kind;

/// What the effect of a gun's fire depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artillery {
    /// The gun that fires; a howitzer counts as a medium gun.
    #[schemars(extend("clauses" = ["MB-ART-09", "MB-ART-10", "MB-ART-22"]))]
    pub gun: Kind,
    /// How far it is to the target, in inches.
    #[schemars(range(min = 0), extend("clauses" = ["MB-ART-05", "MB-ART-12", "MB-ART-17", "MB-ART-18"]))]
    pub range: f64,
    /// The DPs on the gun.
    #[serde(default)]
    #[schemars(range(max = 12), extend("clauses" = ["MB-ART-11"]))]
    pub dps: u8,
    /// At what range this gun shot last at this very target, this turn or last, without having moved since; nothing for a
    /// new target.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-ART-13", "MB-ART-14"]))]
    pub last_range: Option<f64>,
    /// The target is in march or field column.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-ART-15"]))]
    pub column: bool,
    /// The target is limbered, or wagons.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-ART-15"]))]
    pub limbered: bool,
    /// The target is taken in enfilade.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-ART-15"]))]
    pub enfilade: bool,
    /// What protects the target.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-ART-16"]))]
    pub cover: Cover,
}

/// What protects from guns and hampers attackers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Nothing.
    #[default]
    None,
    /// Barricades and entrenchments.
    Fieldworks,
    /// Earthworks and walls.
    Fortifications,
}

/// How far off a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Up to 2 inches.
    Close,
    /// Up to 8 inches.
    Effective,
    /// Up to the gun's most.
    Far,
}

/// What fire does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FireResult {
    /// DPs on the target.
    pub dps: u8,
    /// Bases lost besides.
    pub casualties: u8,
}

/// A hair's breadth by which two distances may differ and still be the same (MB-GEN-08).
const HAIR: f64 = 0.01;

impl Band {
    /// The band of a range for a gun; nothing when it is out of range.
    #[must_use]
    pub fn of(gun: Kind, range: f64, numbers: &Numbers) -> Option<Self> {
        let most = if gun == Kind::LightGun { numbers.ranges.light } else { numbers.ranges.heavy };
        decides!(MB_ART_05);
        let up_to = |distance: Inches| range <= distance.number() + HAIR;
        if !up_to(most) {
            None
        } else if up_to(numbers.ranges.close) {
            Some(Self::Close)
        } else if up_to(numbers.ranges.effective) {
            Some(Self::Effective)
        } else {
            Some(Self::Far)
        }
    }
}

impl Artillery {
    /// The playsheet: what is added to the die.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        // A howitzer fires direct as a medium gun, which has no line of its own.
        decides!(MB_ART_22);
        let far = Band::of(self.gun, self.range, numbers) == Some(Band::Far);
        let same_range = self.last_range.is_some_and(|last| (last - self.range).abs() <= 0.5 + HAIR);
        decides!(MB_ART_08);
        let mut test = Test::of(0);
        test.up(numbers.heavy_gun, MB_ART_09).when(self.gun == Kind::HeavyGun);
        test.down(numbers.light_gun, MB_ART_10).when(self.gun == Kind::LightGun);
        test.down(numbers.gun_dp, MB_ART_11).times(self.dps.into());
        test.down(numbers.far, MB_ART_12).when(far);
        test.down(numbers.new_target, MB_ART_13).when(self.last_range.is_none());
        test.up(numbers.same_target, MB_ART_14).when(same_range);
        test.up(numbers.column, MB_ART_15).when(self.column || self.limbered || self.enfilade);
        decides!(MB_TER_08, MB_TER_09);
        test.down(numbers.works.fortifications, MB_ART_16).when(self.cover == Cover::Fortifications);
        test.down(numbers.works.fieldworks, MB_ART_16).when(self.cover == Cover::Fieldworks);
        test
    }

    /// The result of a die.
    #[must_use]
    pub fn read(&self, die: i32, numbers: &Numbers) -> FireResult {
        decides!(MB_ART_17, MB_ART_18);
        let total = die + self.test(numbers).net();
        if Band::of(self.gun, self.range, numbers) != Some(Band::Close) {
            return FireResult { dps: u8::from(total >= numbers.distant_fire), casualties: 0 };
        }
        let close = &numbers.close_fire;
        let (dps, casualties) = match total {
            total if total >= close.casualty => (1, 1),
            total if total >= close.two_dps => (2, 0),
            total if total >= close.one_dp => (1, 0),
            _ => (0, 0),
        };
        FireResult { dps, casualties }
    }
}

impl FireResult {
    pub(crate) fn words(self) -> String {
        match (self.dps, self.casualties) {
            (0, 0) => "no effect".into(),
            (dps, 0) => dps_in_words(dps),
            (dps, _) => format!("{} and a casualty", dps_in_words(dps)),
        }
    }
}

/// "1 DP", "2 DPs".
pub(crate) fn dps_in_words(dps: u8) -> String {
    if dps == 1 { "1 DP".into() } else { format!("{dps} DPs") }
}

impl Situation for Artillery {
    const NAME: &'static str = "artillery";
    const ABOUT: &'static str = "What one gun does to its target by direct fire.";
    type Outcome = FireResult;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<FireResult, NoDice> {
        let die = dice.throw(&Throw::one(Die::D6))?.total();
        Ok(self.read(die, Numbers::book()))
    }

    fn outcome_name(outcome: &FireResult) -> String {
        outcome.words()
    }

    fn check(&self, report: &mut Diagnostics) {
        let at = |key: &str| Path::root().key(key);
        if !self.gun.is_gun() {
            report.against(MB_ART_01, at("gun"), "only guns fire like this", "name a gun");
        }
        if self.gun == Kind::Mortar {
            report.against(MB_ART_22, at("gun"), "a mortar fires indirectly only", "see the test `scatter`");
        }
        if Band::of(self.gun, self.range, Numbers::book()).is_none() {
            report.against(MB_ART_05, at("range"), "the target is out of range", "come closer");
        }
    }
}
