//! Close combat: dice, hits and results of both sides.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::Cover;
use super::results::{Action, Row, actions_after};
use crate::clauses::{
    MB_CBT_04, MB_CBT_05, MB_CBT_06, MB_CBT_07, MB_CBT_08, MB_CBT_09, MB_CBT_10, MB_CBT_11, MB_CBT_12, MB_CBT_13,
    MB_CBT_14, MB_CBT_15, MB_CBT_16, MB_CBT_17, MB_CBT_18, MB_CBT_19, MB_CBT_20, MB_CBT_21, MB_CBT_22, MB_CBT_23,
    MB_CBT_24, MB_CBT_25, MB_CBT_26, MB_CBT_27, MB_CBT_28, MB_CHG_01, MB_CHG_10, MB_CHG_13, MB_FOO_08, MB_FRM_05,
    MB_GUN_03, MB_LEA_10, MB_LEA_14, MB_RES_30, MB_TER_02, MB_TER_08, MB_TER_09, MB_UNI_01, MB_UNI_02, MB_UNI_03,
};
use crate::numbers::Numbers;
use crate::troops::{Formation, Grade, Kind, Style};

/// How a brigade came into the combat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// It stands, or the charge was in an earlier turn.
    #[default]
    None,
    /// It charged or counter-charged this turn.
    Charge,
    /// It charged with the sword alone.
    Outrance,
    /// It came into contact by a pursuit.
    Pursuit,
}

/// One brigade in a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// Its bases in combat.
    #[schemars(range(max = 12), extend("clauses" = ["MB-CBT-02", "MB-CBT-03", "MB-CBT-05"]))]
    pub bases: u8,
    /// Its grade.
    #[schemars(extend("clauses" = ["MB-CBT-06", "MB-CBT-07", "MB-CBT-08", "MB-CBT-09", "MB-CBT-20"]))]
    pub grade: Grade,
    /// What troops.
    #[serde(default)]
    pub kind: Kind,
    /// Their style: new style infantry fire by platoon.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-14"]))]
    pub style: Style,
    /// Their formation.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-24"]))]
    pub formation: Formation,
    /// How many bases the front rank has; as many as fight when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 12), extend("clauses" = ["MB-CBT-13"]))]
    pub front_rank: Option<u8>,
    /// How many bases the second rank has.
    #[serde(default)]
    #[schemars(range(max = 12), extend("clauses" = ["MB-CBT-13"]))]
    pub second_rank: u8,
    /// The DPs.
    #[serde(default)]
    #[schemars(range(max = 12), extend("clauses" = ["MB-CBT-17", "MB-CBT-22"]))]
    pub dps: u8,
    /// Inspire actions taken with it this turn.
    #[serde(default)]
    #[schemars(range(max = 9), extend("clauses" = ["MB-CBT-18"]))]
    pub inspires: u8,
    /// How it came into the combat.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-10", "MB-CBT-11", "MB-CBT-12"]))]
    pub attack: Attack,
    /// It has the advantage of ground.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-19"]))]
    pub ground: bool,
    /// The works that its opponent defends.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-21", "MB-CBT-24"]))]
    pub against: Cover,
    /// It moved in this turn's movement phase.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-15"]))]
    pub moved: bool,
    /// It was struck in flank or rear by a charge from behind its flank.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-CBT-16"]))]
    pub flank: bool,
}

/// One side of a combat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Force {
    /// Its brigades.
    #[schemars(length(max = 12))]
    pub fighters: Vec<Fighter>,
    /// Guns are with it, or are all there is.
    #[schemars(extend("clauses" = ["MB-CBT-26", "MB-GUN-03"]))]
    pub guns: bool,
}

/// A combat: both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combat {
    /// The one side.
    pub ours: Force,
    /// The other.
    pub theirs: Force,
}

/// The dice of a side and what hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pooled {
    /// The bases, and what adds dice or takes them.
    pub test: Test,
    /// What hits: this or more.
    pub hits_on: u8,
}

/// What a combat comes to for one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideOutcome {
    /// Dice thrown.
    pub dice: u8,
    /// Hits scored.
    pub hits: u8,
    /// The row of the result table.
    pub row: Row,
    /// The DPs for each brigade.
    pub dps: Vec<u8>,
    /// The casualties of the side.
    pub casualties: u8,
    /// What each brigade may do, the forced action alone where there is one.
    pub actions: Vec<Vec<Action>>,
    /// What becomes of crews that shelter with the side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crews: Option<&'static str>,
}

/// What a combat comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CombatOutcome {
    /// For the one side.
    pub ours: SideOutcome,
    /// For the other.
    pub theirs: SideOutcome,
}

impl Fighter {
    /// New style infantry (MB-UNI-02).
    #[must_use]
    pub fn fires_by_platoon(&self) -> bool {
        decides!(MB_UNI_02);
        decides!(MB_UNI_01);
        self.kind.is_infantry() && self.style == Style::New
    }

    /// A second rank at least half as strong as the first (MB-CBT-13).
    #[must_use]
    pub fn supported(&self) -> bool {
        let front = self.front_rank.unwrap_or(self.bases);
        self.formation.is_formed()
            && self.second_rank > 0
            && self.second_rank * 2 >= front
            && !self.flank
            && !self.fires_by_platoon()
            && !matches!(self.attack, Attack::Outrance | Attack::Pursuit)
    }

    /// Platoon-firing bases in a single line (MB-CBT-14).
    fn platoon_bases(&self) -> u8 {
        let single = self.formation == Formation::Line && self.second_rank == 0;
        if self.fires_by_platoon() && single { self.bases } else { 0 }
    }

    fn hits_on_six(&self) -> bool {
        decides!(MB_CBT_24);
        decides!(MB_TER_08, MB_TER_09);
        matches!(self.formation, Formation::Unformed | Formation::MarchColumn) || self.against == Cover::Fortifications
    }
}

impl Force {
    /// A side of one brigade.
    #[must_use]
    pub fn of(fighter: Fighter) -> Self {
        Self { fighters: vec![fighter], guns: false }
    }

    pub(crate) fn bases(&self) -> i32 {
        self.fighters.iter().map(|one| i32::from(one.bases)).sum()
    }

    /// Whether brigades with at least half of the bases in combat are such (MB-CBT-23).
    pub(crate) fn mostly(&self, such: impl Fn(&Fighter) -> bool) -> bool {
        decides!(MB_CBT_23);
        // Where nobody has a base that fights, brigades are counted instead.
        let weight = |one: &Fighter| if self.bases() == 0 { 1 } else { i32::from(one.bases) };
        let all: i32 = self.fighters.iter().map(weight).sum();
        let those: i32 = self.fighters.iter().filter(|one| such(one)).map(weight).sum();
        all > 0 && those * 2 >= all
    }

    pub(crate) fn any(&self, such: impl Fn(&Fighter) -> bool) -> bool {
        self.fighters.iter().any(such)
    }

    pub(crate) fn all(&self, such: impl Fn(&Fighter) -> bool) -> bool {
        !self.fighters.is_empty() && self.fighters.iter().all(such)
    }

    /// The grade of the side: that of the majority of bases, else the average of the brigades, rounded up (MB-CBT-20).
    #[must_use]
    pub fn grade(&self) -> Grade {
        decides!(MB_CBT_20);
        let all = self.bases();
        let majority = Grade::ALL.into_iter().find(|grade| {
            let bases: i32 =
                self.fighters.iter().filter(|one| one.grade == *grade).map(|one| i32::from(one.bases)).sum();
            bases * 2 > all
        });
        majority.unwrap_or_else(|| {
            let sum: i32 = self.fighters.iter().map(|one| one.grade.value()).sum();
            let count = (self.fighters.len() as i32).max(1);
            Grade::of_value((sum + count - 1) / count)
        })
    }

    /// The DPs of the side: the average of its brigades, rounded up (MB-CBT-22).
    #[must_use]
    pub fn dps(&self) -> i32 {
        decides!(MB_CBT_22);
        let sum: i32 = self.fighters.iter().map(|one| i32::from(one.dps)).sum();
        let count = (self.fighters.len() as i32).max(1);
        (sum + count - 1) / count
    }

    /// The dice of this side against another: one line for each line of the playsheet.
    #[must_use]
    pub fn pool(&self, enemy: &Self, numbers: &Numbers) -> Pooled {
        let grade = self.grade();
        let attacks = |attack: Attack| move |one: &Fighter| one.attack == attack;
        let charging = |one: &Fighter| one.attack != Attack::None;
        let cavalry_or_unformed_foot = |one: &Fighter| one.kind.is_cavalry() || one.formation == Formation::Unformed;
        let charged_by_cavalry = enemy.any(|one| one.kind.is_cavalry() && one.attack != Attack::None);
        let platoon: u8 = self.fighters.iter().map(Fighter::platoon_bases).sum();
        let platoon_dice = i32::from(platoon / numbers.platoon_bases.max(1));

        decides!(MB_CBT_27, MB_CBT_04, MB_FOO_08);
        let mut test = Test::of(self.bases());
        test.up(numbers.grade_a, MB_CBT_06).when(grade == Grade::A);
        test.up(numbers.grade_b, MB_CBT_07).when(grade == Grade::B);
        test.down(numbers.grade_d, MB_CBT_08).when(grade == Grade::D);
        test.down(numbers.grade_e, MB_CBT_09).when(grade == Grade::E);
        decides!(MB_LEA_10, MB_LEA_14);
        test.up(numbers.each_inspire, MB_CBT_18).times(self.fighters.iter().map(|one| i32::from(one.inspires)).sum());
        decides!(MB_TER_02);
        test.up(numbers.ground, MB_CBT_19).when(self.mostly(|one| one.ground));
        decides!(MB_TER_08);
        test.down(numbers.fieldworks, MB_CBT_21).when(self.mostly(|one| one.against == Cover::Fieldworks));
        test.up(numbers.charging, MB_CBT_10).when(self.mostly(charging));
        decides!(MB_CHG_10, MB_CHG_13, MB_RES_30);
        let outrance = self.mostly(attacks(Attack::Outrance)) && enemy.mostly(cavalry_or_unformed_foot);
        test.up(numbers.outrance, MB_CBT_11).when(outrance);
        let pursuing = |one: &Fighter| one.attack == Attack::Pursuit && one.kind.is_cavalry();
        test.up(numbers.cavalry_pursuing, MB_CBT_12).when(self.mostly(pursuing));
        test.up(numbers.supported, MB_CBT_13).when(self.mostly(Fighter::supported));
        test.up(platoon_dice, MB_CBT_14).when(enemy.mostly(|one| one.kind.is_infantry()));
        let moved = |one: &Fighter| one.kind.is_foot() && one.moved;
        test.down(numbers.foot_moved, MB_CBT_15).when(charged_by_cavalry && self.mostly(moved));
        decides!(MB_FRM_05);
        let flank = |one: &Fighter| one.flank && one.formation != Formation::Unformed;
        test.down(numbers.flank, MB_CBT_16).when(self.mostly(flank));
        test.down(numbers.each_dp, MB_CBT_17).times(self.dps());
        test.at_least(0, MB_CBT_05);

        let sixes: i32 = self.fighters.iter().filter(|one| one.hits_on_six()).map(|one| i32::from(one.bases)).sum();
        let none_fight = self.bases() == 0 && self.all(Fighter::hits_on_six);
        let on_six = sixes * 2 > self.bases() || none_fight;
        Pooled { test, hits_on: if on_six { numbers.hits.unformed } else { numbers.hits.formed } }
    }

    /// What is left of a side whose only fighters are guns.
    fn only_guns(&self) -> bool {
        self.fighters.is_empty()
    }
}

impl Pooled {
    /// How many dice.
    #[must_use]
    pub fn dice(&self) -> u8 {
        self.test.target().clamp(0, 60) as u8
    }

    /// The throw.
    #[must_use]
    pub fn throw(&self) -> Throw {
        Throw::count(u16::from(self.dice()), Die::D6, self.hits_on)
    }
}

impl Combat {
    /// The dice of both sides.
    #[must_use]
    pub fn pools(&self, numbers: &Numbers) -> [Pooled; 2] {
        [self.ours.pool(&self.theirs, numbers), self.theirs.pool(&self.ours, numbers)]
    }

    /// Whether dice are thrown at all: against guns alone nobody rolls (MB-CBT-26).
    #[must_use]
    pub fn rolls(&self) -> bool {
        decides!(MB_CBT_26);
        !self.ours.only_guns() && !self.theirs.only_guns()
    }

    /// The differences in hits that the sides read the table with.
    #[must_use]
    pub fn differences(&self, hits: [u8; 2], numbers: &Numbers) -> [i32; 2] {
        let gap = numbers.results.success;
        match (self.ours.only_guns(), self.theirs.only_guns()) {
            (false, true) => [gap, -gap],
            (true, false) => [-gap, gap],
            _ => [i32::from(hits[0]) - i32::from(hits[1]), i32::from(hits[1]) - i32::from(hits[0])],
        }
    }

    fn side(&self, n: usize, hits: [u8; 2], numbers: &Numbers) -> SideOutcome {
        let differences = self.differences(hits, numbers);
        let forces = [&self.ours, &self.theirs];
        let (force, enemy) = (forces[n], forces[1 - n]);
        let row = Row::of(differences[n], numbers);
        let enemy_row = Row::of(differences[1 - n], numbers);
        // The enemy gives way if the table leaves some brigade of it nothing else.
        let gave_way = enemy.fighters.iter().any(|one| {
            let actions = actions_after(enemy_row, differences[1 - n], one, force, false, false, numbers);
            actions.iter().all(|action| action.gives_way())
        });
        let left = enemy.only_guns();
        let act = |one: &Fighter| actions_after(row, differences[n], one, enemy, gave_way, left, numbers);
        decides!(MB_GUN_03);
        let crews = force.guns.then_some(match row {
            Row::Break | Row::Defeat => "eliminated",
            Row::DrivenBack => "driven off",
            _ => "safe",
        });
        decides!(MB_CBT_28);
        let dice = if self.rolls() { self.pools(numbers)[n].dice() } else { 0 };
        SideOutcome {
            dice,
            hits: hits[n],
            row,
            dps: force.fighters.iter().map(|one| row.dps(one.attack, numbers)).collect(),
            casualties: if force.fighters.is_empty() { 0 } else { row.casualties(numbers) },
            actions: force.fighters.iter().map(act).collect(),
            crews,
        }
    }
}

impl Situation for Combat {
    const NAME: &'static str = "combat";
    const ABOUT: &'static str = "A round of close combat between two sides of one brigade or several.";
    type Outcome = CombatOutcome;

    fn tests(&self) -> Vec<Test> {
        if !self.rolls() {
            return Vec::new();
        }
        self.pools(Numbers::book()).map(|pooled| pooled.test).into()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<CombatOutcome, NoDice> {
        let numbers = Numbers::book();
        let mut hits = [0; 2];
        if self.rolls() {
            for (n, pooled) in self.pools(numbers).iter().enumerate() {
                if pooled.dice() > 0 {
                    hits[n] = dice.throw(&pooled.throw())?.total() as u8;
                }
            }
        }
        Ok(CombatOutcome { ours: self.side(0, hits, numbers), theirs: self.side(1, hits, numbers) })
    }

    fn outcome_name(outcome: &CombatOutcome) -> String {
        format!("{} / {}", outcome.ours.row.word(), outcome.theirs.row.word())
    }

    fn check(&self, report: &mut Diagnostics) {
        for (key, force) in [("ours", &self.ours), ("theirs", &self.theirs)] {
            if force.fighters.is_empty() && !force.guns {
                report.error(Path::root().key(key), "a side of a combat has brigades, or guns at least");
            }
            for (n, one) in force.fighters.iter().enumerate() {
                let at = Path::root().key(key).key("fighters").item(n);
                if !one.kind.is_brigade() {
                    report.against(
                        MB_CBT_25,
                        at.clone().key("kind"),
                        "civilians and guns do not roll",
                        "leave them out",
                    );
                }
                let charges = matches!(one.attack, Attack::Charge | Attack::Outrance);
                if charges && !one.kind.is_cavalry() {
                    report.against(
                        MB_CHG_01,
                        at.clone().key("attack"),
                        "only cavalry charge",
                        "foot have \"none\" or \"pursuit\"",
                    );
                }
                let traditional = one.kind == Kind::Horse && one.style == Style::Traditional;
                if one.attack == Attack::Outrance && traditional {
                    let message = "traditional horse do not charge with the sword alone";
                    report.against(MB_UNI_03, at.key("attack"), message, "write \"charge\"");
                }
            }
        }
        if self.ours.only_guns() && self.theirs.only_guns() {
            report.error(Path::root().key("ours"), "guns do not fight guns in close combat");
        }
    }
}
