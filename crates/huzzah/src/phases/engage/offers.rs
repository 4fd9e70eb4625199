//! The offers of the engagements.

use sabretache_engine::decides;
use sabretache_engine::handle::{Group, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use super::pairing::Sides;
use super::{current, open_fight, pairings};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_ENG_01, HZ_ENG_04, HZ_MUL_02, HZ_MUL_06};
use crate::offer::Offer;
use crate::phases::Play;
use crate::situations::Role;
use crate::words::labels::{of_unit, plain};
use crate::words::names::{unit_id, unit_name};

/// Who fights whom, which engagement comes next, and who takes what is left over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engage {
    /// Pair contacts off in this of several equal ways.
    Pairing(u8),
    /// Fight an engagement.
    Fight(u16),
    /// Place an odd stagger on this unit.
    OddStagger(UnitId),
}

/// The ways in which contacts can be paired off.
pub(crate) fn pairing_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend((0..pairings(battle).len() as u8).map(|n| Offer::from(Engage::Pairing(n))));
}

/// The engagements that can still be fought.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    decides!(HZ_ENG_04);
    out.extend((0..battle.fights.len() as u16).map(|n| Offer::from(Engage::Fight(n))));
}

/// Who may take an odd stagger.
pub(crate) fn odd_offers(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(fight) = open_fight(battle).and_then(|n| battle.fights.get(usize::from(n))) else { return };
    let Some(odd) = current(battle, fight).odd_staggers(battle.numbers(), &fight.totals) else { return };
    let units = if odd.side == Role::Attackers { &fight.attackers } else { &fight.defenders };
    for &n in &odd.among {
        if !fight.facts.odd_staggers.contains(&n) {
            out.extend(units.get(usize::from(n)).map(|&unit| Offer::from(Engage::OddStagger(unit))));
        }
    }
}

/// The engagements of one of the ways to pair off.
fn way(battle: &Battle, n: u8) -> Vec<Sides> {
    pairings(battle).into_iter().nth(usize::from(n)).unwrap_or_default()
}

impl Part<Huzzah> for Engage {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Pairing(_) | Self::Fight(_) | Self::OddStagger(_) => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Pairing(n) => super::pair(play, n),
            Self::Fight(n) => super::fight(play, n),
            Self::OddStagger(unit) => super::place_odd(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let ids = |units: &[UnitId]| units.iter().map(|&id| unit_id(battle, id)).collect::<Vec<_>>().join(" ");
        match self {
            Self::Pairing(n) => {
                let fights: Vec<String> =
                    way(battle, n).iter().map(|(a, d)| format!("{} on {}", ids(a), ids(d))).collect();
                format!("pair {}", fights.join(", "))
            }
            Self::Fight(n) => match battle.fights.get(usize::from(n)) {
                Some(fight) => {
                    let first = |units: &[UnitId]| units.first().map_or("", |&id| unit_id(battle, id));
                    format!("fight {} {}", first(&fight.attackers), first(&fight.defenders))
                }
                None => format!("fight {n}"),
            },
            Self::OddStagger(unit) => format!("odd stagger {}", unit_id(battle, unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let names = |units: &[UnitId]| units.iter().map(|&id| unit_name(battle, id)).collect::<Vec<_>>().join(" and ");
        let against = |a: &[UnitId], d: &[UnitId]| format!("{} against {}", names(a), names(d));
        match self {
            Self::Pairing(n) => {
                let fights: Vec<String> = way(battle, n).iter().map(|(a, d)| against(a, d)).collect();
                plain(fights.join("; "), HZ_MUL_02)
            }
            Self::Fight(n) => {
                let fight = battle.fights.get(usize::from(n));
                let text = fight.map(|fight| against(&fight.attackers, &fight.defenders)).unwrap_or_default();
                plain(text, HZ_ENG_01)
            }
            Self::OddStagger(unit) => {
                of_unit(battle, unit, format!("{} takes the odd stagger", unit_name(battle, unit)), HZ_MUL_06)
            }
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Pairing(_) => Handling::end("pair").of(Group::Act),
            Self::Fight(n) => {
                let fight = battle.fights.get(usize::from(n));
                match fight.and_then(|fight| Some((&fight.attackers, *fight.defenders.first()?))) {
                    Some((attackers, defender)) => Handling::at("fight", attackers.iter().copied(), defender),
                    None => Handling::end("fight").of(Group::Act),
                }
            }
            Self::OddStagger(unit) => Handling::act("stagger", unit),
        }
    }
}
