//! Steady and unsteady, in command and out of it.

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::{Convex, Point, exact_distance};

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::table::NEAR;
use crate::troops::{Arm, Formation, Grade};

impl Battle {
    pub(crate) fn skirmishing(&self, unit: UnitId) -> bool {
        self.arm(unit) == Arm::Foot && self.unit(unit).formation == Formation::Skirmish
    }

    pub(crate) fn in_square(&self, unit: UnitId) -> bool {
        self.arm(unit) == Arm::Foot && self.unit(unit).formation == Formation::Square
    }

    /// Cavalry, and infantry that does not skirmish, in the open or in houses.
    pub(crate) fn solid(&self, unit: UnitId) -> bool {
        self.arm(unit) != Arm::Guns && !self.skirmishing(unit)
    }

    /// Cavalry in any formation, and infantry in all but skirmish order; a garrison has no formation (BB-UNI-30).
    pub(crate) fn close_order(&self, unit: UnitId) -> bool {
        decides!(BB_UNI_30);
        self.solid(unit) && self.unit(unit).inside.is_none()
    }

    /// Guns whose crews stand by them.
    pub(crate) fn battery(&self, unit: UnitId) -> bool {
        matches!(self.facts(unit).kind, Kind::Guns { .. }) && !self.unit(unit).away
    }

    /// At an obstacle: charging into it, or divided by it (BB-OBS-03, BB-OBS-04).
    pub(crate) fn at_obstacle(&self, unit: UnitId) -> bool {
        decides!(BB_OBS_03, BB_OBS_04);
        let into = |contact: &crate::battle::Contact| contact.charger == unit && contact.into_obstacle;
        self.contacts.iter().any(into)
            || (!self.fixed.terrain.is_empty() && self.unit(unit).inside.is_none() && self.divided_here(unit))
    }

    /// Unsteady for another reason than grade, order, morale or formation (BB-STA-08).
    pub(crate) fn hampered(&self, unit: UnitId) -> bool {
        decides!(BB_STA_08);
        self.unit(unit).now.cramped || self.at_obstacle(unit) || self.at_houses(unit)
    }

    /// No condition of unsteadiness holds (BB-STA-07, BB-STA-08).
    pub(crate) fn steady(&self, unit: UnitId) -> bool {
        decides!(BB_STA_07, BB_STA_08);
        let (state, facts) = (self.unit(unit), self.facts(unit));
        facts.grade != Grade::F && !state.disordered && !state.shaken && self.close_order(unit) && !self.hampered(unit)
    }

    /// Manoeuvres cost double: unsteady or grade E-F, but not for merely being skirmishers or gunners (BB-MOV-16, BB-MOV-17).
    pub(crate) fn clumsy(&self, unit: UnitId) -> bool {
        decides!(BB_MOV_16, BB_MOV_17);
        let state = self.unit(unit);
        self.facts(unit).grade.poor() || state.shaken || state.disordered || self.hampered(unit)
    }

    /// Whether a general may influence a unit (BB-LEA-01, BB-LEA-02).
    pub(crate) fn may_influence(&self, general: OfficerId, unit: UnitId) -> bool {
        decides!(BB_LEA_01, BB_LEA_02);
        let leader = self.general(general);
        let own = leader.brigade == Some(self.facts(unit).brigade);
        leader.there() && leader.side == self.side(unit) && (leader.cinc || own)
    }

    /// How far a general is from a unit.
    pub(crate) fn distance_from(&self, at: Point, unit: UnitId) -> f64 {
        exact_distance(&Convex::place(at.v()), &self.placed(unit))
    }

    /// Whether a general has a unit in his command radius (BB-LEA-05, BB-LEA-06, BB-LEA-07).
    pub(crate) fn in_radius(&self, general: OfficerId, unit: UnitId) -> bool {
        decides!(BB_LEA_05, BB_LEA_06, BB_LEA_07);
        let leader = self.general(general);
        if leader.with == Some(unit) {
            return true;
        }
        let radius = &self.numbers().radius;
        let reach = if leader.with.is_some() { radius.attached } else { radius.alone };
        self.distance_from(leader.at, unit) <= reach.0.f() + NEAR
    }

    /// Whether any general who may influence it has a unit in his radius.
    pub(crate) fn in_command(&self, unit: UnitId) -> bool {
        self.generals_of(self.side(unit))
            .any(|general| self.may_influence(general, unit) && self.in_radius(general, unit))
    }

    /// The charisma of the best general attached to a unit (BB-LEA-04).
    pub(crate) fn charisma(&self, unit: UnitId) -> Option<u8> {
        decides!(BB_LEA_04);
        let company = self.company(unit);
        let with = |general: &OfficerId| self.general(*general).with.is_some_and(|with| company.contains(&with));
        self.generals_of(self.side(unit)).filter(with).map(|general| self.general(general).charisma.unwrap_or(0)).max()
    }
}
