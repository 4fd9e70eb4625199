//! Threat tests: musketry, artillery fire and the presence of the enemy.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{Attached, Condition, Ground, Position, cavalry_hampered, in_open_order};
use super::{staggers_text, two_dice};
use crate::clauses::*;
use crate::numbers::{Numbers, rung};
use crate::troops::{Arm, Forced, Formation, Horse, Quality, RangeBand};

/// A bombardment that forces the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bombardment {
    /// How far off the unit is; beyond extreme range counts as extreme.
    #[schemars(extend("clauses" = ["HZ-BOM-12", "HZ-THR-18", "HZ-THR-23", "HZ-THR-24"]))]
    pub range: RangeBand,
    /// The battery has howitzers, which take away the favour of dense terrain, hedges and walls beyond short range.
    #[serde(default)]
    #[schemars(extend("clauses" = ["HZ-WOO-13", "HZ-HED-11", "HZ-WAL-09"]))]
    pub howitzers: bool,
}

/// What a threat test depends on. The threats are counted as units, not as zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ThreatSituation {
    /// The unit's own quality.
    #[schemars(extend("clauses" = ["HZ-QUA-01", "HZ-QUA-03"]))]
    pub quality: Quality,
    /// Its arm.
    #[schemars(extend("clauses" = ["HZ-THR-09", "HZ-THR-10", "HZ-DEP-16"]))]
    pub arm: Arm,
    /// Its formation; unlimbered guns are in line, limbered ones in march column.
    #[schemars(extend("clauses" = ["HZ-THR-07", "HZ-THR-11", "HZ-THR-17", "HZ-THR-29"]))]
    pub formation: Formation,
    /// What kind of cavalry it is, if it is cavalry.
    #[schemars(extend("clauses" = ["HZ-THR-10"]))]
    pub horse: Horse,
    /// It has the Open Order or Skirmish ability.
    #[schemars(extend("clauses" = ["HZ-THR-22"]))]
    pub open_order: bool,
    /// Its staggers before the test.
    #[schemars(extend("clauses" = ["HZ-THR-19", "HZ-THR-05"]))]
    pub staggers: u8,
    /// Its kills.
    #[schemars(extend("clauses" = ["HZ-THR-20", "HZ-THR-05"]))]
    pub kills: u8,
    /// It is routing.
    #[schemars(extend("clauses" = ["HZ-THR-08"]))]
    pub routing: bool,
    /// It is blown; this is no disadvantage here, but a blown unit has no threat zone of its own.
    #[schemars(extend("clauses" = ["HZ-THR-41", "HZ-BLO-04"]))]
    pub blown: bool,
    /// It is the only unit of its brigade that is not routing.
    #[schemars(extend("clauses" = ["HZ-THR-16", "HZ-GEO-22"]))]
    pub isolated: bool,
    /// It is a small unit.
    #[schemars(extend("clauses" = ["HZ-THR-24", "HZ-THR-25"]))]
    pub small: bool,
    /// Who is attached to it.
    #[schemars(extend("clauses" = ["HZ-THR-27", "HZ-THR-28"]))]
    pub officer: Attached,
    /// Where it stands.
    #[schemars(extend("clauses" = ["HZ-THR-21"]))]
    pub position: Position,
    /// How many enemy infantry units in line threaten it.
    #[schemars(extend("clauses" = ["HZ-THR-12", "HZ-FOR-01"]))]
    pub by_lines: u8,
    /// How many enemy infantry units in any other close order threaten it: columns, squares, garrisons.
    #[schemars(extend("clauses" = ["HZ-THR-12", "HZ-THR-13"]))]
    pub by_columns: u8,
    /// How many enemy infantry units in open order threaten it.
    #[schemars(extend("clauses" = ["HZ-THR-12", "HZ-THR-13"]))]
    pub by_open_order: u8,
    /// How many enemy cavalry units other than cossacks threaten it.
    #[schemars(extend("clauses" = ["HZ-THR-09", "HZ-THR-14", "HZ-THR-29", "HZ-THR-32", "HZ-FOR-02"]))]
    pub by_cavalry: u8,
    /// How many enemy cossack units threaten it.
    #[schemars(extend("clauses" = ["HZ-THR-09", "HZ-THR-14", "HZ-THR-29", "HZ-THR-32", "HZ-FOR-02"]))]
    pub by_cossacks: u8,
    /// How many enemy batteries threaten it by their standing zones, at short range.
    #[schemars(extend("clauses" = ["HZ-THR-11", "HZ-THR-12", "HZ-THR-17", "HZ-THR-18"]))]
    pub by_guns: u8,
    /// The bombardment, if this is a bombardment or bounce-through test: then the battery is the only threat.
    #[schemars(extend("clauses" = ["HZ-THR-42", "HZ-BOM-17", "HZ-BOM-18"]))]
    pub bombarded: Option<Bombardment>,
    /// A threat comes from its flank or rear.
    #[schemars(extend("clauses" = ["HZ-THR-06", "HZ-GEO-15"]))]
    pub flank_or_rear: bool,
    /// A threatening unit is renowned.
    #[schemars(extend("clauses" = ["HZ-THR-15"]))]
    pub renowned: bool,
    /// A threatening battery already had smoke.
    #[schemars(extend("clauses" = ["HZ-THR-26"]))]
    pub smoke: bool,
    /// It is outside a fortress wall, in the zone of infantry on top.
    #[schemars(extend("clauses" = ["HZ-THR-43", "HZ-FTW-08"]))]
    pub below_wall: bool,
    /// It is on the slope of a breach.
    #[schemars(extend("clauses" = ["HZ-THR-43", "HZ-BRE-06"]))]
    pub on_breach: bool,
    /// A mine goes up under it: the mine is the only threat.
    #[schemars(extend("clauses" = ["HZ-THR-43", "HZ-BRE-03"]))]
    pub mined: bool,
    /// The test was itself caused by a Huzzah!, so that another one shakes nobody.
    #[schemars(extend("clauses" = ["HZ-THR-31"]))]
    pub reaction: bool,
}

impl Default for ThreatSituation {
    fn default() -> Self {
        Self {
            quality: Quality::Trained,
            arm: Arm::Infantry,
            formation: Formation::Line,
            horse: Horse::Plain,
            open_order: false,
            staggers: 0,
            kills: 0,
            routing: false,
            blown: false,
            isolated: false,
            small: false,
            officer: Attached::Nobody,
            position: Position::default(),
            by_lines: 0,
            by_columns: 0,
            by_open_order: 0,
            by_cavalry: 0,
            by_cossacks: 0,
            by_guns: 0,
            bombarded: None,
            flank_or_rear: false,
            renowned: false,
            smoke: false,
            below_wall: false,
            on_breach: false,
            mined: false,
            reaction: false,
        }
    }
}

impl ThreatSituation {
    /// Whether there is anything to test against (HZ-THR-01, HZ-THR-32).
    #[must_use]
    pub fn must_test(&self) -> bool {
        decides!(HZ_THR_01);
        self.bombarded.is_some() || self.mined || self.infantry() + self.cavalry() + self.by_guns as u16 > 0
    }

    /// The effective morale and what made it.
    #[must_use]
    pub fn test(&self, numbers: &Numbers) -> Test {
        let by = &numbers.threat;
        let disadvantage = self.disadvantage();
        let mut test =
            Test::on(numbers.morale.ladder(disadvantage.is_some()), rung(self.quality)).read_by(disadvantage);
        test.down(by.zones, HZ_THR_12).when(self.zones_that_count() > 1);
        test.down(by.renowned, HZ_THR_15).when(self.renowned);
        test.down(by.isolated, HZ_THR_16).when(self.isolated);
        test.down(by.column, HZ_THR_17).when(self.is_column() && self.under_artillery());
        test.down(by.short_range, HZ_THR_18).when(self.at(RangeBand::Short));
        decides!(HZ_QUA_09);
        test.down(by.staggers, HZ_THR_19).when(self.staggers > 0);
        test.down(by.kills, HZ_THR_20).when(self.kills > 0);
        test.up(by.favourable, HZ_THR_21).when(self.in_favourable_position());
        test.up(by.open_order, HZ_THR_22).when(self.opened_out_in_dense_terrain());
        test.up(by.extreme, HZ_THR_23).when(self.at(RangeBand::Extreme));
        test.up(by.small, HZ_THR_24).when(self.small && self.far_bombarded());
        test.up(by.smoke, HZ_THR_26).when(self.smoke && self.under_artillery());
        test.up(by.officer, HZ_THR_27).when(self.officer.is_officer());
        test.up(by.inspirational, HZ_THR_28).when(self.officer.is_inspirational());
        test.up(by.square, HZ_THR_29).when(self.is_square() && self.cavalry() > 0);
        test
    }

    /// The clause that disadvantages the unit, if one does: the first of them in the order of the book.
    #[must_use]
    pub fn disadvantage(&self) -> Option<Clause> {
        decides!(
            HZ_QUA_05, HZ_THR_06, HZ_THR_07, HZ_THR_08, HZ_THR_09, HZ_THR_10, HZ_THR_11, HZ_THR_41, HZ_THR_43,
            HZ_BLO_04, HZ_GEO_15, HZ_FTW_08, HZ_BRE_03, HZ_BRE_06
        );
        let reasons = [
            (self.flank_or_rear && !self.is_square(), HZ_THR_06),
            (self.formation == Formation::MarchColumn, HZ_THR_07),
            (self.routing || self.formation == Formation::Mob, HZ_THR_08),
            (
                self.opened_out() && self.arm == Arm::Infantry && self.position.in_open() && self.cavalry() > 0,
                HZ_THR_09,
            ),
            (cavalry_hampered(self.arm, self.horse, self.formation, &self.position), HZ_THR_10),
            (self.is_square() && self.under_artillery(), HZ_THR_11),
            (self.below_wall || self.on_breach || self.mined, HZ_THR_43),
        ];
        reasons.into_iter().find(|(applies, _)| *applies).map(|(_, clause)| clause)
    }

    /// Whether the position is favourable (HZ-THR-21).
    #[must_use]
    pub fn in_favourable_position(&self) -> bool {
        decides!(HZ_QUA_06, HZ_THR_39, HZ_THR_40, HZ_DEP_16, HZ_TER_05, HZ_GEO_24);
        decides!(HZ_WOO_13, HZ_HED_11, HZ_WAL_09);
        let howitzers = self.far_bombarded() && self.bombarded.is_some_and(|fire| fire.howitzers);
        let ground = if howitzers { self.position.favours_under_howitzers() } else { self.position.favours() };
        let dispersed = self.opened_out() || self.is_unlimbered();
        let no_cavalry_about = dispersed && self.position.in_open() && self.cavalry() == 0 && !self.mined;
        let far_off = dispersed && self.far_bombarded();
        self.disadvantage().is_none() && (ground || no_cavalry_about || far_off)
    }

    /// The threats that count towards being in more than one zone (HZ-THR-12, HZ-THR-13, HZ-THR-14, HZ-THR-42).
    #[must_use]
    pub fn zones_that_count(&self) -> u16 {
        decides!(HZ_THR_13, HZ_THR_14);
        decides!(HZ_THR_02, HZ_THR_42, HZ_BOM_17);
        if self.alone() {
            return 1;
        }
        let all = self.infantry() + self.cavalry() + u16::from(self.by_guns);
        if self.arm == Arm::Infantry && self.opened_out() {
            return u16::from(self.by_open_order) + self.cavalry();
        }
        if self.is_square() && all == self.cavalry() {
            return all.min(1);
        }
        all
    }

    /// What follows from a roll.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> ThreatOutcome {
        let huzzah = numbers.is_huzzah(total);
        let target = self.test(numbers).target();
        decides!(HZ_THR_04);
        let passed = huzzah || numbers.succeeds(total, target);
        // No effective morale is above 10, so a failure always costs at least one stagger unless numbers were changed.
        let staggers = if passed { 0 } else { (total - target).clamp(0, i32::from(u8::MAX)) as u8 };
        let after = Condition { quality: self.quality, staggers: self.staggers, kills: self.kills }.with(staggers, 0);
        decides!(HZ_THR_05, HZ_QUA_11, HZ_OFF_21, HZ_OFF_22);
        let broken = !passed && after.is_broken(numbers);
        decides!(HZ_THR_31, HZ_FOR_01, HZ_FOR_08);
        ThreatOutcome {
            passed,
            huzzah,
            staggers,
            broken,
            officer_killed: broken && self.officer.is_officer(),
            forced: if passed || broken { None } else { self.forced_order() },
            shakes: huzzah && !self.reaction && self.has_zone(),
            disadvantaged: self.disadvantage(),
        }
    }

    /// The order that a failed test forces on the unit (HZ-FOR-01, HZ-FOR-02, HZ-FOR-03).
    #[must_use]
    pub fn forced_order(&self) -> Option<Forced> {
        decides!(HZ_FOR_01, HZ_FOR_02, HZ_FOR_03);
        decides!(HZ_BOM_18, HZ_FOR_08);
        if self.alone() || self.arm != Arm::Infantry || self.routing {
            return None;
        }
        let may_form_square = matches!(
            self.formation,
            Formation::Line | Formation::Column | Formation::OpenOrder | Formation::MarchColumn
        );
        if may_form_square && self.cavalry() > 0 && self.position.protected_flanks == 0 {
            return Some(Forced::FormSquare);
        }
        (self.formation == Formation::Column && self.by_lines > 0).then_some(Forced::FormLine)
    }

    /// One threat alone is looked at: a bombardment or a mine.
    const fn alone(&self) -> bool {
        self.bombarded.is_some() || self.mined
    }

    const fn infantry(&self) -> u16 {
        if self.alone() { 0 } else { self.by_lines as u16 + self.by_columns as u16 + self.by_open_order as u16 }
    }

    /// Threatening cavalry that the unit does not ignore: infantry in woods or buildings heeds none but cossacks in
    /// woods (HZ-THR-32).
    fn cavalry(&self) -> u16 {
        decides!(HZ_THR_32, HZ_GEO_24);
        let sheltered = matches!(self.arm, Arm::Infantry) && self.position.in_cover();
        match (self.alone(), sheltered, self.position.ground) {
            (true, ..) | (false, true, Ground::Buildings) => 0,
            (false, true, _) => self.by_cossacks as u16,
            (false, false, _) => self.by_cavalry as u16 + self.by_cossacks as u16,
        }
    }

    const fn under_artillery(&self) -> bool {
        self.bombarded.is_some() || (self.by_guns > 0 && !self.mined)
    }

    fn at(&self, range: RangeBand) -> bool {
        match self.bombarded {
            Some(fire) => fire.range == range,
            None => range == RangeBand::Short && self.by_guns > 0 && !self.mined,
        }
    }

    fn far_bombarded(&self) -> bool {
        self.at(RangeBand::Long) || self.at(RangeBand::Extreme)
    }

    fn is_square(&self) -> bool {
        self.formation == Formation::Square && self.arm == Arm::Infantry
    }

    fn is_column(&self) -> bool {
        matches!(self.formation, Formation::Column | Formation::Mass)
    }

    fn is_unlimbered(&self) -> bool {
        self.arm == Arm::Artillery && self.formation == Formation::Line
    }

    fn opened_out(&self) -> bool {
        in_open_order(self.formation, self.open_order)
    }

    fn opened_out_in_dense_terrain(&self) -> bool {
        (self.open_order || self.horse.is_irregular()) && self.opened_out() && self.position.wholly_dense()
    }

    const fn has_zone(&self) -> bool {
        !self.routing && !self.blown && !matches!(self.formation, Formation::MarchColumn | Formation::Mob)
    }
}

/// What a threat test does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ThreatOutcome {
    /// The unit passed.
    pub passed: bool,
    /// The dice were a Huzzah!.
    pub huzzah: bool,
    /// The staggers it takes.
    pub staggers: u8,
    /// It reached its limit and is removed.
    pub broken: bool,
    /// The officer attached to it is killed with it.
    pub officer_killed: bool,
    /// The order it is forced to be given.
    pub forced: Option<Forced>,
    /// Every enemy that threatens it and lies in its own zone must test at once.
    pub shakes: bool,
    /// The clause that made it read its disadvantaged morale.
    pub disadvantaged: Option<Clause>,
}

impl Situation for ThreatSituation {
    const NAME: &'static str = "threat";
    const ABOUT: &'static str = "Whether a threatened or bombarded unit stands, and how many staggers it takes if not.";
    type Outcome = ThreatOutcome;

    fn tests(&self) -> Vec<Test> {
        vec![self.test(Numbers::book())]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<ThreatOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &ThreatOutcome) -> String {
        match outcome {
            ThreatOutcome { shakes: true, .. } => "passes and shakes the enemy".to_owned(),
            ThreatOutcome { passed: true, .. } => "passes".to_owned(),
            ThreatOutcome { broken: true, .. } => "breaks".to_owned(),
            ThreatOutcome { staggers, forced: Some(Forced::FormSquare), .. } => {
                format!("{}, must form square", staggers_text(*staggers))
            }
            ThreatOutcome { staggers, forced: Some(_), .. } => format!("{}, must form line", staggers_text(*staggers)),
            ThreatOutcome { staggers, .. } => staggers_text(*staggers),
        }
    }

    fn check(&self, report: &mut Diagnostics) {
        if !self.must_test() {
            let help = "say what threatens it, such as by_lines = 1, by_guns = 1 or bombarded = { range = \"long\" }";
            report.against(HZ_THR_01, Path::root(), "nothing threatens the unit, so it takes no test", help);
        }
    }
}
