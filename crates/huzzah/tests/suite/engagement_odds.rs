//! The odds of an engagement added up at once are those of the rules run for every chain of rolls, and of every pair of
//! totals read as it is on the table.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;

use sabretache_engine::dice::NoDice;
use sabretache_engine::odds::{Chance, MOST_BRANCHES, odds_of};
use sabretache_engine::situation::Situation as _;
use sabretache_huzzah::numbers::Numbers;
use sabretache_huzzah::situations::{Attached, Doctrine, EngagementSituation, Fighter, Formations, Ground, Position};
use sabretache_huzzah::troops::{Arm, Formation, Horse, Quality};

type Named = BTreeMap<String, Chance>;

fn added_up(situation: &EngagementSituation) -> Named {
    situation.tally().unwrap().named().collect()
}

fn walked(situation: &EngagementSituation) -> Named {
    let resolve = situation.resolver();
    let odds = odds_of::<_, NoDice>(MOST_BRANCHES, |dice| resolve(dice).map(|outcome| outcome.name())).unwrap();
    odds.iter().map(|(name, chance)| (name.clone(), chance)).collect()
}

/// Every total of every unit, read as on the table.
fn read(situation: &EngagementSituation) -> Named {
    let units = situation.fighters().count() as u32;
    let mut ways: BTreeMap<String, u128> = BTreeMap::new();
    for n in 0..11_i32.pow(units) {
        let totals: Vec<i32> = (0..units).map(|unit| n / 11_i32.pow(unit) % 11 + 2).collect();
        let name = situation.read(Numbers::book(), &totals, &situation.odd_staggers).name();
        let each = totals.iter().map(|total| u128::from((6 - (total - 7).abs()).unsigned_abs()));
        *ways.entry(name).or_default() += each.product::<u128>();
    }
    ways.into_iter().map(|(name, ways)| (name, Chance::new(ways, 36_u128.pow(units)))).collect()
}

fn agrees(situation: &EngagementSituation) {
    let odds = added_up(situation);
    assert_eq!(odds, walked(situation), "{situation:?}");
    assert_eq!(odds, read(situation), "{situation:?}");
    assert_eq!(odds.values().copied().try_fold(Chance::NEVER, Chance::plus), Some(Chance::CERTAIN));
}

#[test]
fn battalions_of_every_quality_and_in_every_state() {
    let battalions = |staggers: &'static [u8], kills: &'static [u8]| {
        Quality::ALL.iter().flat_map(move |&quality| {
            staggers.iter().flat_map(move |&staggers| {
                kills.iter().map(move |&kills| Fighter { quality, staggers, kills, ..Fighter::default() })
            })
        })
    };
    for attacker in battalions(&[0, 1, 4, 9], &[0, 2]) {
        for defender in battalions(&[0, 3, 7], &[0, 1]) {
            agrees(&EngagementSituation {
                attackers: vec![attacker],
                defenders: vec![defender],
                odd_staggers: Vec::new(),
            });
        }
    }
}

/// Numbers in no order in particular, the same every time.
struct Shuffled(u64);

impl Shuffled {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn fighter(&mut self) -> Fighter {
        let formations = Formations::of(&[self.of(Formation::ALL), self.of(Formation::ALL), self.of(Formation::ALL)]);
        let grounds = [Ground::Open, Ground::Woods, Ground::Buildings, Ground::OtherDense, Ground::Broken];
        Fighter {
            quality: self.of(Quality::ALL),
            arm: self.of(&[Arm::Infantry, Arm::Infantry, Arm::Cavalry, Arm::Artillery]),
            formation: self.of(Formation::ALL),
            horse: self.of(Horse::ALL),
            open_order: self.one_in(3),
            staggers: self.below(9) as u8,
            kills: self.below(5) as u8,
            later_staggers: if self.one_in(4) { self.below(256) as u8 } else { 0 },
            later_kills: if self.one_in(4) { self.below(4) as u8 } else { 0 },
            flank_or_rear: self.one_in(5),
            blown: self.one_in(5),
            routing: self.one_in(8),
            against_fortification: self.one_in(8),
            below_on_steep_hill: self.one_in(8),
            on_steep_hill: self.one_in(8),
            unheld_side: self.one_in(8),
            small: self.one_in(4),
            renowned: self.one_in(6),
            doctrine: Doctrine { attack: formations, defence: formations, cavalry: formations },
            position: Position {
                ground: self.of(&grounds),
                partly: self.one_in(4),
                uphill: self.one_in(8),
                ..Position::default()
            },
            officer: self.of(&[Attached::Nobody, Attached::Nobody, Attached::Officer, Attached::Inspirational]),
        }
    }
}

#[test]
fn units_of_every_arm_one_on_one_and_one_against_several() {
    let mut shuffled = Shuffled(1815);
    let sizes = [(1, 1, 300), (2, 1, 20), (1, 2, 20), (3, 1, 1), (1, 3, 1)];
    for (attackers, defenders, times) in sizes {
        for _ in 0..times {
            agrees(&EngagementSituation {
                attackers: (0..attackers).map(|_| shuffled.fighter()).collect(),
                defenders: (0..defenders).map(|_| shuffled.fighter()).collect(),
                odd_staggers: (0..shuffled.below(3)).map(|_| shuffled.below(4) as u8).collect(),
            });
        }
    }
}
