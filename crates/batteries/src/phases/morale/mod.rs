//! Morale: the facts of tests read off the table, and the tests.

pub(crate) mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Vec2, exact_distance};

use crate::Batteries;
use crate::battle::{Battle, Step};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::rout::rout;
use crate::situations::{DangerToGeneral, Morale};
use crate::troops::{Arm, Cover, Formation};

/// What a unit tests over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// The fire and the charges of phase 5.
    Shock,
    /// The blows of phase 6, of which it has had the worse.
    Blows,
}

impl Over {
    /// What is tested over in a step.
    pub(crate) fn in_step(step: Step) -> Self {
        if step == Step::LoserTests { Self::Blows } else { Self::Shock }
    }
}

impl Battle {
    /// The facts of a unit's test at this moment.
    pub(crate) fn nerve(&self, unit: UnitId, over: Over) -> Morale {
        let lost_combat = over == Over::Blows;
        let (state, facts) = (self.unit(unit), self.facts(unit));
        let (start, left) = self.strength_of(unit);
        let mut morale = Morale::of(self.arm(unit), self.grade_of(unit), start);
        morale.losses = start - left.min(start);
        morale.hits = state.now.hits;
        morale.shaken = self.any_of(unit, |state| state.shaken);
        morale.steady = self.steady(unit);
        morale.steady_square = self.in_square(unit) && morale.steady;
        morale.lost_combat = lost_combat;
        morale.general = self.charisma(unit);
        morale.out_of_command = !self.in_command(unit);
        morale.nation = facts.nation;
        // A bent line is a line.
        let formation = match state.formation_now(facts, self.numbers()) {
            Formation::Bent => Formation::Line,
            other => other,
        };
        morale.formation = (self.arm(unit) == Arm::Foot).then_some(formation);
        morale.full_speed = self.full_speed(unit);
        morale.charged = state.now.charged;
        if !self.fixed.terrain.is_empty() {
            let places: Vec<Vec2> = self.posts(unit).iter().map(|post| post.at).collect();
            let here = self.centre(unit);
            // A wall protects from the side that the trouble comes from.
            let from = self.cause_of(unit).map_or(here, |cause| self.centre(cause));
            morale.hard_cover = self.cover_from_fire(&places, from, here) == Cover::Hard;
        }
        if !lost_combat {
            self.charges_home(unit, &mut morale);
        }
        for contact in self.contacts.iter().filter(|contact| contact.fresh) {
            let home = contact.target == unit && !self.broken(contact.charger);
            if home {
                morale.flanked |= contact.flank;
            }
            if home && !lost_combat && self.has_come_home(contact.charger) {
                morale.charge_home = true;
                let horse = self.arm(contact.charger) == Arm::Horse;
                morale.met_steady_horse |= contact.steady && horse;
                morale.met_steady_foot |= contact.steady && !horse;
            }
        }
        morale.flanked |= lost_combat && state.now.flanked;
        morale
    }

    /// What a unit charges home on; a unit that is shattered already frightens nobody (BB-MOR-04, BB-MOR-06).
    fn charges_home(&self, unit: UnitId, morale: &mut Morale) {
        decides!(BB_MOR_04, BB_MOR_06);
        for contact in self.contacts.iter().filter(|contact| contact.fresh && contact.charger == unit) {
            morale.charging = true;
            if self.broken(contact.target) {
                continue;
            }
            let steady = self.arm(contact.target) == Arm::Foot && self.steady(contact.target);
            let square = contact.as_square || self.in_square(contact.target);
            morale.onto_steady_square |= steady && square;
            morale.onto_steady_foot |= steady && !square && !contact.flank;
            morale.onto_hard_cover |= contact.cover == Cover::Hard;
        }
    }

    /// Whether a charger has a reason to test before its charge comes home (BB-MOR-05, BB-MOR-06).
    pub(crate) fn tests_to_charge(&self, unit: UnitId) -> bool {
        decides!(BB_MOR_05, BB_MOR_06);
        let mut morale = Morale::of(self.arm(unit), self.grade_of(unit), self.start_of(unit));
        morale.hits = self.unit(unit).now.hits;
        self.charges_home(unit, &mut morale);
        morale.charging && morale.reason(self.numbers()).is_some()
    }

    /// Whether it is known that a charge has come home: its charger has passed the test, or needs none (BB-CHG-29).
    fn has_come_home(&self, charger: UnitId) -> bool {
        decides!(BB_CHG_29);
        self.step != Step::ChargeTests || self.unit(charger).now.tested || !self.tests_to_charge(charger)
    }

    /// The enemy that a failed test is put down to: the one that was met, else the one whose fire hit hardest, else the nearest (BB-MOR-37).
    pub(crate) fn cause_of(&self, unit: UnitId) -> Option<UnitId> {
        decides!(BB_MOR_37);
        self.opponents(unit).next().or_else(|| {
            let here = self.placed(unit);
            let mut enemies: Vec<(u16, f64, UnitId)> = self
                .enemies(unit)
                .map(|enemy| (self.hits_by_fire(enemy, unit), exact_distance(&here, &self.placed(enemy)), enemy))
                .collect();
            enemies.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
            enemies.first().map(|(.., enemy)| *enemy)
        })
    }

    /// Hits that the fire of one unit has scored on another in this phase; a garrison is hit as one.
    fn hits_by_fire(&self, by: UnitId, on: UnitId) -> u16 {
        let at_them = |at: UnitId| at == on || self.company(on).contains(&at);
        self.volleys
            .iter()
            .filter(|(unit, at, _)| *unit == by && at_them(*at))
            .fold(0, |sum: u16, (.., hits)| sum.saturating_add(*hits))
    }
}

/// Rolls for generals with a unit that has been hit hard (BB-OPT-49).
pub(crate) fn danger_to_generals(play: &mut Resolution<'_, Batteries>, unit: UnitId) -> Result<(), Halt> {
    decides!(BB_OPT_05, BB_OPT_49);
    let battle = play.battle();
    if !battle.fixed.options.danger_to_generals || battle.unit(unit).now.hits < u16::from(battle.numbers().fall.hits) {
        return Ok(());
    }
    let numbers = battle.numbers().clone();
    let side = battle.side(unit);
    // A general with any unit of a garrison is with all of it (BB-TWN-15).
    let company = battle.company(unit);
    let is_with = |general: &OfficerId| battle.general(*general).with.is_some_and(|with| company.contains(&with));
    let with: Vec<OfficerId> = battle.generals_of(side).filter(is_with).collect();
    for general in with {
        let danger = DangerToGeneral {};
        let test = danger.test(&numbers);
        let purpose = Purpose { what: "danger to general", of: Some(general.into()), side };
        let wanted = Wanted::AtLeast(test.target());
        let read = |_: &Battle, total| danger.read(total, &numbers).falls;
        if play.roll_for(purpose, &test, &danger.throw(&numbers), wanted, read)? {
            play.happen(Event::GeneralLost { general });
        }
    }
    Ok(())
}

/// A unit takes its test; if it fails, it rolls on the rout table.
pub(crate) fn test(play: &mut Resolution<'_, Batteries>, unit: UnitId, over: Over) -> Result<(), Halt> {
    decides!(BB_MOR_02);
    let battle = play.battle();
    let (morale, numbers) = (battle.nerve(unit, over), battle.numbers().clone());
    let Some(why) = morale.reason(&numbers) else { return Ok(()) };
    decides!(BB_OPT_43);
    let pursued = || battle.contacts.iter().any(|contact| contact.target == unit && contact.pursuit);
    if over == Over::Blows && pursued() {
        let cause = battle.cause_of(unit);
        play.happen(Event::RoutsAgain { unit });
        return rout(play, unit, cause);
    }
    let test = morale.test(&numbers);
    let purpose = Purpose { what: "morale", of: Some(unit.into()), side: battle.side(unit) };
    let wanted = Wanted::AtLeast(test.target());
    let read = |_: &Battle, total| morale.read(total, &numbers).passes;
    let passed = play.roll_for(purpose, &test, &Morale::throw(), wanted, read)?;
    play.happen(Event::Tested { unit, passed, why });
    if passed {
        return Ok(());
    }
    let cause = play.battle().cause_of(unit);
    // The rest of its garrison breaks with it, each unit on its own (BB-TWN-15).
    let mates: Vec<UnitId> = play.battle().company(unit).into_iter().filter(|mate| *mate != unit).collect();
    for unit in mates {
        play.happen(Event::Breaks { unit });
    }
    rout(play, unit, cause)
}
