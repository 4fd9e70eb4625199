//! Engagements: the telling moment, one on one or one against several.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::tally::Tally;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::doctrine::Doctrine;
use super::facts::{Attached, Position, cavalry_hampered, in_open_order};
use super::fates::EngagementOutcome;
use super::two_dice;
use crate::clauses::*;
use crate::numbers::{Numbers, rung};
use crate::troops::{Arm, Formation, Horse, Quality};

/// Which side of an engagement: the phasing player's units attack (HZ-ENG-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The phasing player's units.
    Attackers,
    /// The other player's units.
    Defenders,
}

impl Role {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attackers => Self::Defenders,
            Self::Defenders => Self::Attackers,
        }
    }
}

/// A unit in an engagement, as it was when the phase began (HZ-ENG-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fighter {
    /// Its quality.
    #[schemars(extend("clauses" = ["HZ-ENG-05", "HZ-QUA-01"]))]
    pub quality: Quality,
    /// Its arm.
    #[schemars(extend("clauses" = ["HZ-ENG-08", "HZ-ENG-13", "HZ-ENG-22", "HZ-ENG-42"]))]
    pub arm: Arm,
    /// Its formation; unlimbered guns are in line, limbered ones in march column.
    #[schemars(extend("clauses" = ["HZ-ENG-07", "HZ-ENG-08", "HZ-ENG-22", "HZ-ENG-41", "HZ-ENG-42"]))]
    pub formation: Formation,
    /// What kind of cavalry it is, if it is cavalry.
    #[schemars(extend("clauses" = ["HZ-ENG-15", "HZ-ENG-27", "HZ-ENG-28"]))]
    pub horse: Horse,
    /// It has the Open Order or Skirmish ability.
    #[schemars(extend("clauses" = ["HZ-ENG-24", "HZ-BLD-09", "HZ-STR-05"]))]
    pub open_order: bool,
    /// Its staggers when the phase began.
    #[schemars(extend("clauses" = ["HZ-ENG-19", "HZ-ENG-35"]))]
    pub staggers: u8,
    /// Its kills when the phase began.
    #[schemars(extend("clauses" = ["HZ-ENG-18", "HZ-ENG-35"]))]
    pub kills: u8,
    /// Staggers taken since; they count only towards breaking.
    #[schemars(extend("clauses" = ["HZ-ENG-03", "HZ-ENG-35"]))]
    pub later_staggers: u8,
    /// Kills taken since; they count only towards breaking.
    #[schemars(extend("clauses" = ["HZ-ENG-03", "HZ-ENG-35"]))]
    pub later_kills: u8,
    /// It is engaged to its flank or rear.
    #[schemars(extend("clauses" = ["HZ-ENG-06", "HZ-ENG-15"]))]
    pub flank_or_rear: bool,
    /// It is blown.
    #[schemars(extend("clauses" = ["HZ-ENG-09", "HZ-BLO-04"]))]
    pub blown: bool,
    /// It is routing.
    #[schemars(extend("clauses" = ["HZ-ENG-10"]))]
    pub routing: bool,
    /// It attacks a strong point, fortress wall or breach.
    #[schemars(extend("clauses" = ["HZ-ENG-11", "HZ-STR-06", "HZ-FTW-05", "HZ-BRE-06"]))]
    pub against_fortification: bool,
    /// An enemy holds higher ground on a steep hill.
    #[schemars(extend("clauses" = ["HZ-ENG-12", "HZ-HIL-15"]))]
    pub below_on_steep_hill: bool,
    /// Some part of it is on a steep hill.
    #[schemars(extend("clauses" = ["HZ-ENG-13", "HZ-HIL-15"]))]
    pub on_steep_hill: bool,
    /// It is a close order garrison attacked at a side that it does not hold.
    #[schemars(extend("clauses" = ["HZ-BLD-14"]))]
    pub unheld_side: bool,
    /// It is a small unit.
    #[schemars(extend("clauses" = ["HZ-ENG-20", "HZ-THR-25"]))]
    pub small: bool,
    /// It is renowned.
    #[schemars(extend("clauses" = ["HZ-ENG-21"]))]
    pub renowned: bool,
    /// What its nation prescribes.
    #[schemars(extend("clauses" = ["HZ-ENG-22"]))]
    pub doctrine: Doctrine,
    /// Where it stands.
    #[schemars(extend("clauses" = ["HZ-ENG-23", "HZ-ENG-24"]))]
    pub position: Position,
    /// Who is attached to it.
    #[schemars(extend("clauses" = ["HZ-ENG-25", "HZ-ENG-26", "HZ-OFF-21"]))]
    pub officer: Attached,
}

impl Default for Fighter {
    fn default() -> Self {
        Self {
            quality: Quality::Trained,
            arm: Arm::Infantry,
            formation: Formation::Line,
            horse: Horse::Plain,
            open_order: false,
            staggers: 0,
            kills: 0,
            later_staggers: 0,
            later_kills: 0,
            flank_or_rear: false,
            blown: false,
            routing: false,
            against_fortification: false,
            below_on_steep_hill: false,
            on_steep_hill: false,
            unheld_side: false,
            small: false,
            renowned: false,
            doctrine: Doctrine::default(),
            position: Position::default(),
            officer: Attached::Nobody,
        }
    }
}

impl Fighter {
    pub(super) fn is_cavalry(&self) -> bool {
        self.arm == Arm::Cavalry
    }

    fn is_square(&self) -> bool {
        self.arm == Arm::Infantry && self.formation == Formation::Square
    }

    fn opened_out_in_dense_terrain(&self) -> bool {
        let able = self.open_order || self.horse.is_irregular();
        able && in_open_order(self.formation, able) && self.position.wholly_dense()
    }

    /// The clause that disadvantages it against these opponents, if one does: the first in the order of the book.
    #[must_use]
    #[inline]
    pub fn disadvantage(&self, opponents: &[Self]) -> Option<Clause> {
        decides!(
            HZ_ENG_07, HZ_ENG_08, HZ_ENG_09, HZ_ENG_10, HZ_ENG_11, HZ_ENG_12, HZ_ENG_14, HZ_ENG_15, HZ_ENG_16,
            HZ_BLD_14
        );
        decides!(HZ_BLO_04, HZ_BLO_13, HZ_STR_06, HZ_ENG_06, HZ_ENG_13, HZ_GEO_15, HZ_FTW_05, HZ_BRE_06);
        let close_order_cavalry = |enemy: &Self| enemy.is_cavalry() && enemy.formation.is_close_order();
        let frontal_close_order = |enemy: &Self| enemy.formation.is_close_order() && !enemy.flank_or_rear;
        let skirmishers = self.arm == Arm::Infantry && in_open_order(self.formation, self.open_order);
        decides!(HZ_GEO_24);
        let in_open = self.position.in_open();
        let because = |applies: bool, clause: Clause| applies.then_some(clause);
        because(self.flank_or_rear && !self.is_square(), HZ_ENG_06)
            .or_else(|| because(self.formation == Formation::MarchColumn, HZ_ENG_07))
            .or_else(|| because(self.is_cavalry() && opponents.iter().any(Self::is_square), HZ_ENG_08))
            .or_else(|| because(self.is_cavalry() && self.blown, HZ_ENG_09))
            .or_else(|| because(self.routing || self.formation == Formation::Mob, HZ_ENG_10))
            .or_else(|| because(self.against_fortification, HZ_ENG_11))
            .or_else(|| because(self.below_on_steep_hill, HZ_ENG_12))
            .or_else(|| because(self.is_cavalry() && self.on_steep_hill, HZ_ENG_13))
            .or_else(|| because(skirmishers && in_open && opponents.iter().any(close_order_cavalry), HZ_ENG_14))
            .or_else(|| because(self.is_irregular() && in_open && opponents.iter().any(frontal_close_order), HZ_ENG_15))
            .or_else(|| because(cavalry_hampered(self.arm, self.horse, self.formation, &self.position), HZ_ENG_16))
            .or_else(|| because(self.unheld_side && self.in_close_order_garrison(), HZ_BLD_14))
    }

    fn in_close_order_garrison(&self) -> bool {
        self.formation == Formation::Garrison && !self.open_order
    }

    fn is_irregular(&self) -> bool {
        self.is_cavalry() && self.horse.is_irregular()
    }
}

/// What an engagement depends on: one unit against one, or one against several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EngagementSituation {
    /// The phasing player's units, in the order in which they roll.
    #[schemars(length(min = 1), extend("clauses" = ["HZ-ENG-02", "HZ-MUL-04"]))]
    pub attackers: Vec<Fighter>,
    /// The other player's units, in the order in which they roll.
    #[schemars(length(min = 1), extend("clauses" = ["HZ-ENG-02", "HZ-MUL-04"]))]
    pub defenders: Vec<Fighter>,
    /// Which units take odd staggers where their owner may choose: numbers on the side of several, from 0, the first
    /// preferred; after them the others as listed.
    #[schemars(extend("clauses" = ["HZ-MUL-06"]))]
    pub odd_staggers: Vec<u8>,
}

impl EngagementSituation {
    /// The units of one side.
    #[must_use]
    pub fn side(&self, role: Role) -> &[Fighter] {
        match role {
            Role::Attackers => &self.attackers,
            Role::Defenders => &self.defenders,
        }
    }

    /// Every unit in the order of rolling: attackers, then defenders (HZ-ENG-29).
    pub fn fighters(&self) -> impl Iterator<Item = (Role, &Fighter)> {
        let attackers = self.attackers.iter().map(|fighter| (Role::Attackers, fighter));
        attackers.chain(self.defenders.iter().map(|fighter| (Role::Defenders, fighter)))
    }

    /// The effective morale of every unit, in the order of rolling.
    pub fn each<'a>(&'a self, numbers: &'a Numbers) -> impl Iterator<Item = Test> + 'a {
        self.fighters().map(|(role, fighter)| self.test(role, fighter, numbers))
    }

    /// The effective morale of one unit and what made it. Modifiers that look at the opponent are worked out against all
    /// units it faces (HZ-MUL-11).
    #[must_use]
    pub fn test(&self, role: Role, fighter: &Fighter, numbers: &Numbers) -> Test {
        decides!(HZ_ENG_05, HZ_ENG_17);
        decides!(HZ_MUL_11);
        let by = &numbers.engagement;
        let (friends, enemies) = (self.side(role), self.side(role.other()));
        let disadvantage = fighter.disadvantage(enemies);
        let disadvantaged = disadvantage.is_some();
        let attacking = role == Role::Attackers;
        let against_cavalry = enemies.iter().any(Fighter::is_cavalry);
        let doctrinal = fighter.doctrine.allows(
            fighter.arm,
            fighter.formation,
            fighter.open_order,
            &fighter.position,
            attacking,
            against_cavalry,
        );
        let more_than_each = |own: u8, theirs: fn(&Fighter) -> u8| enemies.iter().all(|enemy| own > theirs(enemy));
        let pursuit = fighter.is_cavalry() && fighter.horse.is_pursuit();
        let mut test = Test::on(numbers.morale.ladder(disadvantaged), rung(fighter.quality)).read_by(disadvantage);
        test.down(by.kills, HZ_ENG_18).when(more_than_each(fighter.kills, |enemy| enemy.kills));
        test.down(by.staggers, HZ_ENG_19).when(more_than_each(fighter.staggers, |enemy| enemy.staggers));
        test.down(by.small, HZ_ENG_20).when(fighter.small && enemies.iter().any(|enemy| !enemy.small));
        test.down(by.renowned, HZ_ENG_21).when(enemies.iter().any(|enemy| enemy.renowned));
        test.down(by.doctrine, HZ_ENG_22).when(!doctrinal);
        test.up(by.favourable, HZ_ENG_23).when(!disadvantaged && fighter.position.favours());
        test.up(by.open_order, HZ_ENG_24).when(fighter.opened_out_in_dense_terrain());
        test.up(by.officer, HZ_ENG_25).when(fighter.officer.is_officer());
        test.up(by.inspirational, HZ_ENG_26).when(fighter.officer.is_inspirational());
        test.up(by.battle_cavalry, HZ_ENG_27).when(fighter.is_cavalry() && fighter.horse.is_battle());
        test.up(by.pursuit, HZ_ENG_28)
            .when(pursuit && enemies.iter().any(|enemy| enemy.disadvantage(friends).is_some()));
        test
    }
}

impl Situation for EngagementSituation {
    const NAME: &'static str = "engagement";
    const ABOUT: &'static str = "Who wins when units close, and what it costs both sides.";
    type Outcome = EngagementOutcome;

    fn tests(&self) -> Vec<Test> {
        self.each(Numbers::book()).collect()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<EngagementOutcome, NoDice> {
        self.resolver()(dice)
    }

    fn resolver(&self) -> impl Fn(&mut dyn Dice) -> Result<EngagementOutcome, NoDice> + '_ {
        let (numbers, throw) = (Numbers::book(), two_dice());
        let ready = self.contenders(numbers);
        let told_apart: SmallVec<[_; 4]> = ready.ratings().map(|rating| numbers.told_apart(rating)).collect();
        move |dice| {
            let mut totals: SmallVec<[i32; 8]> = SmallVec::new();
            for cuts in &told_apart {
                totals.push(dice.throw_in(&throw, cuts)?.total());
            }
            Ok(self.read_ready(numbers, &ready, &totals, &self.odd_staggers))
        }
    }

    #[inline]
    fn tally(&self) -> Option<Tally> {
        self.tallied(Numbers::book())
    }

    fn outcome_code(outcome: &EngagementOutcome) -> Option<u64> {
        Some(outcome.code())
    }

    fn outcome_name(outcome: &EngagementOutcome) -> String {
        outcome.name()
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(HZ_MUL_02, HZ_ENG_02);
        if self.attackers.len() > 1 && self.defenders.len() > 1 {
            let message = "several units against several are broken up into smaller engagements first";
            report.against(HZ_MUL_02, Path::root(), message, "give one unit against one, or one against several");
        }
        if self.attackers.is_empty() || self.defenders.is_empty() {
            report.error(Path::root(), "an engagement needs a unit on each side");
        }
    }
}
