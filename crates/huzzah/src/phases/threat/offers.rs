//! The offers of the threat tests.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_THR_01, HZ_THR_03};
use crate::offer::Offer;
use crate::phases::Play;
use crate::words::labels::of_unit;
use crate::words::names::{unit_id, unit_name};

/// Which threatened unit tests next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threats {
    /// This one.
    Test(UnitId),
}

/// The units that have still to test.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.extend(super::waiting(battle).into_iter().map(|unit| Offer::from(Threats::Test(unit))));
}

impl Part<Huzzah> for Threats {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Test(unit) => Some(unit.into()),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Test(unit) => super::test(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Test(unit) => format!("test {}", unit_id(battle, unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        match self {
            Self::Test(unit) => {
                let foe = battle.lay.side_name(battle.facts(unit).side.other());
                let text = format!("Threat test of {} (dice: {foe})", unit_name(battle, unit));
                let mut label = of_unit(battle, unit, text, HZ_THR_01);
                label.clauses.push(HZ_THR_03);
                label
            }
        }
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Test(unit) => Handling::act("test", unit),
        }
    }
}
