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
use crate::numbers::Numbers;

/// The tests that can be taken without a table.
pub(crate) static SITUATIONS: &[&dyn SituationTest] = &[&Of::<Steadiness>::TEST, &Of::<Volley>::TEST];

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
}

impl Situation for Steadiness {
    const NAME: &'static str = "steadiness";
    const ABOUT: &'static str = "Whether a picket that is hit stands.";
    type Outcome = Stands;

    fn tests(&self) -> Vec<Test> {
        vec![self.test()]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Stands, NoDice> {
        let target = self.test().target();
        Ok(Stands { stands: dice.throw_in(&Self::throw(), &[target + 1])?.total() <= target })
    }

    fn outcome_name(outcome: &Stands) -> String {
        if outcome.stands { "stands" } else { "falls back" }.into()
    }

    fn outcome_code(outcome: &Stands) -> Option<u64> {
        Some(outcome.stands.into())
    }
}

/// What a volley depends on, and the steadiness test that it calls for when it hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Volley {
    /// What its target needs on two dice.
    #[schemars(range(min = 2, max = 12), extend("clauses" = ["PK-STE-01"]))]
    pub steadiness: u8,
    /// Whether a friend of the target is within 10 cm of it.
    #[serde(default)]
    #[schemars(extend("clauses" = ["PK-STE-03"]))]
    pub friend_at_hand: bool,
}

/// What comes of a volley.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fired {
    /// How many hits it scored.
    pub hits: u8,
    /// Whether its target stands.
    pub stands: bool,
}

impl Situation for Volley {
    const NAME: &'static str = "volley";
    const ABOUT: &'static str = "Whether a volley drives a picket off.";
    type Outcome = Fired;

    fn tests(&self) -> Vec<Test> {
        vec![Steadiness { steadiness: self.steadiness, hits: 1, friend_at_hand: self.friend_at_hand }.test()]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Fired, NoDice> {
        self.resolver()(dice)
    }

    fn resolver(&self) -> impl Fn(&mut dyn Dice) -> Result<Fired, NoDice> + '_ {
        let volley = volley_throw(&Numbers::default());
        move |dice| {
            let hits = dice.throw(&volley)?.total() as u8;
            let steadiness = Steadiness { steadiness: self.steadiness, hits, friend_at_hand: self.friend_at_hand };
            Ok(Fired { hits, stands: hits == 0 || steadiness.resolve(dice)?.stands })
        }
    }

    fn outcome_name(outcome: &Fired) -> String {
        match outcome {
            Fired { hits: 0, .. } => "no hits",
            Fired { stands: true, .. } => "is hit and stands",
            Fired { stands: false, .. } => "falls back",
        }
        .into()
    }

    fn outcome_code(outcome: &Fired) -> Option<u64> {
        Some(u64::from(outcome.hits > 0) << 1 | u64::from(outcome.stands))
    }
}

/// The dice of a volley (PK-VOL-02).
fn volley_throw(numbers: &Numbers) -> Throw {
    Throw::count(numbers.volley.dice.into(), Die::D6, numbers.volley.hits_on)
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
    let purpose = Purpose { what: "volley", of: Some(firer.into()), side };
    let throw = volley_throw(&play.battle().fixed.numbers);
    let hits = play.throw(purpose, &throw, Wanted::High)?.total() as u8;
    play.happen(Event::Fired { unit: firer, at: target, hits });
    if hits == 0 {
        return Ok(());
    }
    let test = play.once(|battle| situation(battle, target, hits)).test();
    let purpose = Purpose { what: "steadiness", of: Some(target.into()), side: side.other() };
    let stands = play.check(purpose, &test, &Steadiness::throw(), Wanted::AtMost(test.target()))?;
    play.happen(if stands { Event::Stood { unit: target } } else { Event::FellBack { unit: target } });
    Ok(())
}
