//! Firing, and whether those who are hit stand.

use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_engine::situation::{Of, Situation, SituationTest};
use sabretache_engine::test::Test;
use sabretache_table::{Length, within};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Picket;
use crate::battle::{Battle, Event};
use crate::clauses::{PK_STE_02, PK_STE_03};

/// The tests that can be taken without a table.
pub(crate) static SITUATIONS: &[&dyn SituationTest] = &[&Of::<Steadiness>::TEST];

/// How near a friend must be to help (PK-STE-03).
const AT_HAND: Length = Length::cm(10);

/// What standing under fire depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Steadiness {
    /// What it needs on two dice.
    #[schemars(range(min = 2, max = 12), extend("clauses" = ["PK-STE-01"]))]
    pub steadiness: u8,
    /// How many hits the volley scored.
    #[schemars(range(min = 1, max = 20), extend("clauses" = ["PK-STE-02"]))]
    pub hits: u8,
    /// Whether a friend is within 10 cm.
    #[serde(default)]
    #[schemars(extend("clauses" = ["PK-STE-03"]))]
    pub friend_at_hand: bool,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stands {
    /// Whether it stands.
    pub stands: bool,
}

impl Steadiness {
    fn test(&self) -> Test {
        let mut test = Test::of(self.steadiness.into());
        test.down(1, PK_STE_02).times(self.hits.into());
        test.up(1, PK_STE_03).when(self.friend_at_hand);
        test
    }

    fn throw() -> Throw {
        Throw::sum(2, Die::D6)
    }

    fn read(&self, total: i32) -> Stands {
        Stands { stands: total <= self.test().target() }
    }
}

impl Situation for Steadiness {
    const NAME: &'static str = "steadiness";
    const ABOUT: &'static str = "Whether a picket that is hit stands.";
    type Outcome = Stands;

    fn tests(&self) -> Vec<Test> {
        vec![self.test()]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Stands, NoDice> {
        Ok(self.read(dice.throw(&Self::throw())?.total()))
    }

    fn outcome_name(outcome: &Stands) -> String {
        if outcome.stands { "stands" } else { "falls back" }.into()
    }
}

/// The facts of a steadiness test, read off the table.
fn situation(battle: &Battle, unit: UnitId, hits: u8) -> Steadiness {
    let here = battle.placed(unit);
    let side = battle.picket(unit).side;
    let at_hand = |friend: UnitId| friend != unit && within(&here, &battle.placed(friend), AT_HAND);
    Steadiness { steadiness: battle.fixed.entry(unit).steadiness, hits, friend_at_hand: battle.of(side).any(at_hand) }
}

/// A picket fires, and whoever is hit tests.
pub(crate) fn fire(play: &mut Resolution<'_, Picket>, firer: UnitId, target: UnitId) -> Result<(), Halt> {
    let side = play.battle().picket(firer).side;
    let volley = play.battle().fixed.numbers.volley.clone();
    let purpose = Purpose { what: "volley", of: Some(firer.into()), side };
    let throw = Throw::count(volley.dice.into(), Die::D6, volley.hits_on);
    let hits = play.throw(purpose, &throw, Wanted::High)?.total() as u8;
    play.happen(Event::Fired { unit: firer, at: target, hits });
    if hits == 0 {
        return Ok(());
    }
    let steadiness = situation(play.battle(), target, hits);
    let test = steadiness.test();
    let purpose = Purpose { what: "steadiness", of: Some(target.into()), side: side.other() };
    let roll = play.roll(purpose, &test, &Steadiness::throw(), Wanted::AtMost(test.target()))?;
    play.happen(match steadiness.read(roll.total()).stands {
        true => Event::Stood { unit: target },
        false => Event::FellBack { unit: target },
    });
    Ok(())
}
