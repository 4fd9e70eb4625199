//! Firing, and whether those who are hit stand.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_engine::situation::{Of, Situation, SituationTest};
use sabretache_engine::tally::{Meanings, Tally};
use sabretache_engine::test::Test;
use sabretache_table::{Length, within};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Picket;
use crate::battle::{Battle, Event};
use crate::clauses::{PK_STE_01, PK_STE_02, PK_STE_03, PK_STE_04, PK_VOL_02};
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
        decides!(PK_STE_01, PK_STE_04);
        let mut test = Test::of(self.steadiness.into());
        test.down(1, PK_STE_02).times(self.hits.into());
        test.up(1, PK_STE_03).when(self.friend_at_hand);
        test
    }

    fn throw() -> Throw {
        Throw::sum(2, Die::D6)
    }

    /// What two dice come to (PK-STE-01).
    fn read(target: i32, total: i32) -> Stands {
        Stands { stands: total <= target }
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
        Ok(Self::read(target, dice.total_in(&Self::throw(), Some(&[target + 1]))?))
    }

    fn outcome_name(outcome: &Stands) -> String {
        if outcome.stands { "stands" } else { "falls back" }.into()
    }

    fn outcome_code(outcome: &Stands) -> Option<u64> {
        Some(outcome.stands.into())
    }
}

/// What a volley depends on, and the steadiness test that it calls for when it hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl Fired {
    /// Whoever is not hit stands.
    const MISSED: Self = Self { hits: 0, stands: true };

    fn at(hits: u8, Stands { stands }: Stands) -> Self {
        Self { hits, stands }
    }

    /// Hit or not, and standing or not: all that its name tells.
    fn code(self) -> u16 {
        u16::from(self.hits > 0) << 1 | u16::from(self.stands)
    }

    fn name(code: u16) -> String {
        match code {
            0b01 => "no hits",
            0b11 => "is hit and stands",
            _ => "falls back",
        }
        .into()
    }
}

impl Volley {
    /// The test that so many hits call for.
    fn calls_for(&self, hits: u8) -> Steadiness {
        Steadiness { steadiness: self.steadiness, hits, friend_at_hand: self.friend_at_hand }
    }
}

impl Situation for Volley {
    const NAME: &'static str = "volley";
    const ABOUT: &'static str = "Whether a volley drives a picket off.";
    type Outcome = Fired;

    fn tests(&self) -> Vec<Test> {
        vec![self.calls_for(1).test()]
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Fired, NoDice> {
        self.resolver()(dice)
    }

    fn resolver(&self) -> impl Fn(&mut dyn Dice) -> Result<Fired, NoDice> + '_ {
        let volley = volley_throw(&Numbers::default());
        move |dice| {
            let hits = dice.total_in(&volley, None)? as u8;
            Ok(match hits {
                0 => Fired::MISSED,
                _ => Fired::at(hits, self.calls_for(hits).resolve(dice)?),
            })
        }
    }

    fn outcome_name(outcome: &Fired) -> String {
        Fired::name(outcome.code())
    }

    fn outcome_code(outcome: &Fired) -> Option<u64> {
        Some(outcome.code().into())
    }

    fn tally(&self) -> Option<Tally> {
        let hits = Meanings::of(&volley_throw(&Numbers::default()), |hits| {
            let hits = hits as u8;
            (hits, if hits == 0 { 0 } else { self.calls_for(hits).test().target() })
        });
        let totals = Meanings::of(&Steadiness::throw(), |total| total);
        Tally::of_two::<_, _, 4>(&hits, &totals, Fired::name, |(hits, target), total| match hits {
            0 => Fired::MISSED.code(),
            _ => Fired::at(*hits, Steadiness::read(*target, *total)).code(),
        })
    }
}

/// The dice of a volley (PK-VOL-02).
fn volley_throw(numbers: &Numbers) -> Throw {
    decides!(PK_VOL_02);
    Throw::count(numbers.volley.dice.into(), Die::D6, numbers.volley.hits_on)
}

/// The facts of a volley at a picket, read off the table.
fn situation(battle: &Battle, target: UnitId) -> Volley {
    let here = battle.placed(target);
    let side = battle.picket(target).side;
    let at_hand = |friend: UnitId| friend != target && within(&here, &battle.placed(friend), AT_HAND);
    Volley { steadiness: battle.fixed.entry(target).steadiness, friend_at_hand: battle.of(side).any(at_hand) }
}

/// A picket fires, and whoever is hit tests. What the test depends on is read before the dice fall, whether or not they
/// will hit, so that odds read it once.
pub(crate) fn fire(play: &mut Resolution<'_, Picket>, firer: UnitId, target: UnitId) -> Result<(), Halt> {
    let volley = play.once(|battle| situation(battle, target));
    let side = play.battle().picket(firer).side;
    let purpose = Purpose { what: "volley", of: Some(firer.into()), side };
    let throw = volley_throw(&play.battle().fixed.numbers);
    let hits = play.total(purpose, &throw, Wanted::High)? as u8;
    play.happen(Event::Fired { unit: firer, at: target, hits });
    if hits == 0 {
        return Ok(());
    }
    let test = volley.calls_for(hits).test();
    let purpose = Purpose { what: "steadiness", of: Some(target.into()), side: side.other() };
    let stands = play.check(purpose, &test, &Steadiness::throw(), Wanted::AtMost(test.target()))?;
    play.happen(if stands { Event::Stood { unit: target } } else { Event::FellBack { unit: target } });
    Ok(())
}
