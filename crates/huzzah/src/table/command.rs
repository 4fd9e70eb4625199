//! Command: who is within whose radius, isolated, broken or routing (HZ-CMD-05 to HZ-CMD-10, HZ-GEO-22, HZ-CHK-06).

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_table::{Convex, Length, nearer};

use super::Field;
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::{HZ_CHK_06, HZ_CMD_05, HZ_CMD_06, HZ_CMD_07, HZ_GEO_22, HZ_QUA_13, HZ_REI_14, HZ_REO_12};

/// Whether any part of a unit is within an officer's command radius (HZ-CMD-05).
#[must_use]
pub fn within_radius(field: &Field<'_>, officer: OfficerId, unit: UnitId, radius: Length) -> bool {
    decides!(HZ_CMD_05);
    let at = field.battle.officer_at(officer).v();
    // Half a micrometre is lost where a distance is exactly the radius.
    field.get(unit).is_some_and(|placed| nearer(&Convex::place(at), placed, radius.f() + 1.0))
}

/// A unit in command of its brigade officer, or with an officer attached (HZ-CMD-06, HZ-CMD-07).
#[must_use]
pub fn in_command(field: &Field<'_>, unit: UnitId) -> bool {
    decides!(HZ_CMD_06, HZ_CMD_07);
    let battle = field.battle;
    if battle.attached_to(unit).is_some() {
        return true;
    }
    let leader = battle.leader(battle.facts(unit).brigade);
    leader.is_some_and(|officer| within_radius(field, officer, unit, battle.radius(officer)))
}

impl Battle {
    /// Whether a unit is neither gone nor routing; units still to arrive count as there (HZ-GEO-22).
    #[must_use]
    pub fn is_steady(&self, id: UnitId) -> bool {
        decides!(HZ_GEO_22);
        let unit = self.unit(id);
        matches!(unit.presence, Presence::Present | Presence::Awaited) && !unit.routing
    }

    /// A unit that still counts for its command: not committed to the skirmish line.
    fn counts(&self, id: UnitId) -> bool {
        self.unit(id).presence != Presence::Skirmishing
    }

    /// The only non-routing unit of its brigade, or its only unit (HZ-GEO-22).
    #[must_use]
    pub fn is_isolated(&self, id: UnitId) -> bool {
        let brigade = self.facts(id).brigade;
        !self.units_of(brigade).any(|other| other != id && self.is_steady(other))
    }

    /// All units of the command are gone, and at least one of them is broken (HZ-QUA-13).
    #[must_use]
    pub fn is_broken(&self, command: CommandId) -> bool {
        decides!(HZ_QUA_13);
        let mut broken = false;
        for id in self.units_of(command) {
            match self.unit(id).presence {
                Presence::Present | Presence::Awaited => return false,
                Presence::Skirmishing => broken |= self.unit(id).kills > 0,
                _ => broken = true,
            }
        }
        broken
    }

    /// None of the command's units is on the table or still to come.
    #[must_use]
    pub fn is_gone(&self, command: CommandId) -> bool {
        decides!(HZ_QUA_13);
        !self.units_of(command).any(|id| matches!(self.unit(id).presence, Presence::Present | Presence::Awaited))
    }

    /// Every unit the command still has on the table is routing, and it has some (HZ-CHK-06).
    #[must_use]
    pub fn is_routing(&self, command: CommandId) -> bool {
        decides!(HZ_CHK_06);
        let mut any = false;
        for id in self.units_of(command) {
            match self.unit(id).presence {
                Presence::Present if self.unit(id).routing => any = true,
                Presence::Present | Presence::Awaited => return false,
                _ => {}
            }
        }
        any
    }

    /// The direct sub-commands of a command that are neither broken nor routing (HZ-ORD-21, HZ-CHK-12).
    fn steady_below(&self, command: CommandId) -> usize {
        let facts = self.command_facts(command);
        let units = facts.units.iter().filter(|&&n| self.is_steady(UnitId(n))).count();
        let groups = facts.below.iter().filter(|&&id| self.is_sound(id)).count();
        units + groups
    }

    /// A group that is neither broken nor routing nor empty.
    fn is_sound(&self, command: CommandId) -> bool {
        self.units_of(command).any(|id| self.is_steady(id))
    }

    /// Broken sub-commands for the order modifier: the level right below only; skirmishers never count (HZ-ORD-16).
    #[must_use]
    pub fn broken_below_for_orders(&self, command: CommandId) -> u8 {
        let facts = self.command_facts(command);
        let unit_broken = |n: u16| {
            let presence = self.unit(UnitId(n)).presence;
            decides!(HZ_REO_12);
            presence.is_broken() && presence != Presence::Disbanded
        };
        let units = facts.units.iter().filter(|&&n| unit_broken(n)).count();
        let groups =
            facts.below.iter().filter(|&&id| self.is_gone(id) && self.units_of(id).any(|unit| unit_broken(unit.0)));
        (units + groups.count()).min(255) as u8
    }

    /// Sub-commands that are broken or routing now (HZ-CHK-09): units that joined the skirmish line count if they had
    /// kills (HZ-SKI-07).
    #[must_use]
    pub fn lost_below(&self, command: CommandId) -> u8 {
        let facts = self.command_facts(command);
        let unit_lost = |n: u16| {
            let id = UnitId(n);
            let unit = self.unit(id);
            decides!(HZ_REI_14);
            match unit.presence {
                Presence::Present => unit.routing,
                Presence::Awaited | Presence::Disbanded => false,
                Presence::Skirmishing => unit.kills > 0,
                _ => true,
            }
        };
        let units = facts.units.iter().filter(|&&n| unit_lost(n)).count();
        let groups = facts.below.iter().filter(|&&id| self.is_broken(id) || self.is_routing(id)).count();
        (units + groups).min(255) as u8
    }

    /// The isolated sub-command of orders and checks: the group has exactly one steady sub-command, or is itself the only
    /// steady member of the command above (HZ-ORD-21, HZ-CHK-12).
    #[must_use]
    pub fn has_isolated(&self, command: CommandId) -> bool {
        self.steady_below(command) == 1 || self.is_last_of_parent(command)
    }

    /// Whether a group is the only steady member of the command above it.
    #[must_use]
    pub fn is_last_of_parent(&self, command: CommandId) -> bool {
        let facts = self.command_facts(command);
        let Some(above) = facts.above else { return false };
        let parent = self.command_facts(above);
        let others = parent.below.iter().filter(|&&id| id != command && self.is_sound(id)).count();
        others == 0
    }

    /// How many of a command's units were ever there, for the share that is broken (HZ-VIC-02).
    #[must_use]
    pub fn broken_units(&self, command: CommandId) -> u16 {
        self.units_of(command).filter(|&id| self.counts(id) && self.unit(id).presence.is_broken()).count() as u16
    }
}
