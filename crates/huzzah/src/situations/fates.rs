//! What an engagement does to the units in it.

use serde::{Serialize, Serializer};
use smallvec::SmallVec;

use super::engagement::{EngagementSituation, Fighter, Role};
use super::facts::Condition;
use crate::numbers::Numbers;
use crate::troops::{Arm, Formation};

/// What becomes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stays where it is.
    Holds,
    /// It retires one move, facing the enemy.
    Retires,
    /// It routs.
    Routs,
    /// It is broken and removed.
    Breaks,
}

impl Fate {
    const fn word(self) -> &'static str {
        match self {
            Self::Holds => "hold",
            Self::Retires => "retire",
            Self::Routs => "rout",
            Self::Breaks => "break",
        }
    }
}

/// How one unit came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FighterResult {
    /// Its effective morale.
    pub rating: i32,
    /// What it rolled.
    pub total: i32,
    /// By how much it succeeded; nothing if it failed.
    pub margin: Option<i32>,
    /// It rolled a Huzzah!.
    pub huzzah: bool,
    /// Kills it takes.
    pub kills: u8,
    /// Staggers it takes.
    pub staggers: u8,
    /// Its losses brought it to its limit.
    pub shattered: bool,
    /// Its kills alone brought it to its limit: it can never come back.
    pub destroyed: bool,
    /// What becomes of it.
    pub fate: Fate,
    /// It is blown from now on.
    pub blown: bool,
    /// It is routing from now on.
    pub routing: bool,
    /// The officer attached to it is killed.
    pub officer_killed: bool,
}

/// Odd staggers that their owner may place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OddStaggers {
    /// On which side.
    pub side: Role,
    /// How many of them, at most one to a unit.
    pub staggers: u8,
    /// The units among which he may choose, by number on their side.
    pub among: Vec<u8>,
}

/// How an engagement ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngagementOutcome {
    /// Who wins; nobody in a tie.
    pub winner: Option<Role>,
    /// It is a tie because the unit that won broke.
    pub winner_broke: bool,
    /// The attackers, in the order given.
    #[serde(serialize_with = "as_list")]
    pub attackers: FighterResults,
    /// The defenders, in the order given.
    #[serde(serialize_with = "as_list")]
    pub defenders: FighterResults,
}

/// How the units of one side came through: seldom more than two.
pub type FighterResults = SmallVec<[FighterResult; 2]>;

fn as_list<S: Serializer>(results: &FighterResults, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(results)
}

impl EngagementOutcome {
    /// The units of one side.
    #[must_use]
    pub fn side(&self, role: Role) -> &[FighterResult] {
        match role {
            Role::Attackers => &self.attackers,
            Role::Defenders => &self.defenders,
        }
    }

    /// A number for the end: whatever the words of [`Self::name`] are made from, and nothing else.
    #[must_use]
    pub fn code(&self) -> u64 {
        let fates = |role: Role| self.side(role).iter().fold(0, |all, unit| all | 1 << unit.fate as u64);
        match self.winner {
            Some(Role::Attackers) => 1 << 8 | fates(Role::Defenders),
            Some(Role::Defenders) => 2 << 8 | fates(Role::Attackers),
            None => fates(Role::Attackers) << 4 | fates(Role::Defenders),
        }
    }

    /// The end in a few words: "attackers win, defenders rout".
    #[must_use]
    pub fn name(&self) -> String {
        let fates = |role: Role| {
            let mut fates: SmallVec<[Fate; 4]> = self.side(role).iter().map(|unit| unit.fate).collect();
            fates.sort_unstable();
            fates.dedup();
            fates.iter().map(|fate| fate.word()).collect::<Vec<_>>().join(" and ")
        };
        match self.winner {
            Some(Role::Attackers) => format!("attackers win, defenders {}", fates(Role::Defenders)),
            Some(Role::Defenders) => format!("defenders win, attackers {}", fates(Role::Attackers)),
            None => format!("tie, attackers {}, defenders {}", fates(Role::Attackers), fates(Role::Defenders)),
        }
    }
}

/// One unit's roll, before it is known what becomes of it.
struct Rolled<'a> {
    fighter: &'a Fighter,
    rating: i32,
    total: i32,
    margin: Option<i32>,
    huzzah: bool,
    kills: u8,
    staggers: u8,
    shattered: bool,
}

impl EngagementSituation {
    /// The odd staggers that their owner must still place after these rolls, if there are any (HZ-MUL-06).
    #[must_use]
    pub fn odd_staggers(&self, numbers: &Numbers, totals: &[i32]) -> Option<OddStaggers> {
        let rolled = self.rolled(numbers, &self.ratings(numbers), totals);
        [Role::Attackers, Role::Defenders].into_iter().find_map(|side| {
            let (units, enemies) = (&rolled[side as usize], &rolled[side.other() as usize]);
            let odd = Odd::of(units, best(enemies));
            let among: Vec<u8> = (0..units.len() as u8).filter(|n| Some(usize::from(*n)) != odd.forced).collect();
            let free = odd.count - usize::from(odd.forced.is_some());
            (free > 0 && free < among.len()).then_some(OddStaggers { side, staggers: free as u8, among })
        })
    }

    /// What follows from the rolls, given in the order attackers, defenders. `odd_first` says which units take odd
    /// staggers where their owner may choose, by number on their side; without it they go to the first listed.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, totals: &[i32], odd_first: &[u8]) -> EngagementOutcome {
        self.read_rated(numbers, &self.ratings(numbers), totals, odd_first)
    }

    /// The same, where the effective morale of every unit is known.
    pub(super) fn read_rated(
        &self,
        numbers: &Numbers,
        ratings: &[i32],
        totals: &[i32],
        odd_first: &[u8],
    ) -> EngagementOutcome {
        let mut rolled = self.rolled(numbers, ratings, totals);
        let margins = [best(&rolled[0]), best(&rolled[1])];
        for side in [Role::Attackers, Role::Defenders] {
            take_staggers(&mut rolled[side as usize], margins[side.other() as usize], odd_first);
            for unit in &mut rolled[side as usize] {
                unit.shattered = unit.after().is_broken(numbers);
            }
        }
        // A failure has no margin and loses to any success; two failures tie.
        let provisional = match margins[0].cmp(&margins[1]) {
            std::cmp::Ordering::Greater => Some(Role::Attackers),
            std::cmp::Ordering::Less => Some(Role::Defenders),
            std::cmp::Ordering::Equal => None,
        };
        let survives = |side: &Role| {
            let won = |unit: &&Rolled<'_>| unit.margin == margins[*side as usize];
            rolled[*side as usize].iter().filter(won).any(|unit| !unit.shattered)
        };
        let winner = provisional.filter(survives);
        let results = |side: Role| {
            let cavalry = self.side(side.other()).iter().any(Fighter::is_cavalry);
            let units = rolled[side as usize].iter();
            units.map(|unit| unit.result(numbers, unit.fate(side, winner, cavalry))).collect()
        };
        EngagementOutcome {
            winner,
            winner_broke: provisional.is_some() && winner.is_none(),
            attackers: results(Role::Attackers),
            defenders: results(Role::Defenders),
        }
    }

    /// Rolls, margins and kills of both sides (HZ-ENG-48, steps 1 to 3).
    fn rolled(&self, numbers: &Numbers, ratings: &[i32], totals: &[i32]) -> [SmallVec<[Rolled<'_>; 2]>; 2] {
        let huzzahs = |rolls: &[i32]| rolls.iter().filter(|total| numbers.is_huzzah(**total)).count() as u8;
        let (attacking, defending) = totals.split_at(self.attackers.len().min(totals.len()));
        let (attackers, defenders) = ratings.split_at(self.attackers.len().min(ratings.len()));
        let side = |role: Role, ratings: &[i32], own: &[i32], enemy: &[i32]| {
            let from_huzzahs = huzzahs(enemy).saturating_mul(numbers.huzzah_kills);
            let units = self.side(role).iter().zip(ratings).zip(own);
            units
                .map(|((fighter, &rating), &total)| {
                    let margin = numbers.margin(total, rating);
                    let from_failing = if margin.is_none() { numbers.failure_kills } else { 0 };
                    let kills = from_failing.saturating_add(from_huzzahs);
                    let huzzah = numbers.is_huzzah(total);
                    Rolled { fighter, rating, total, margin, huzzah, kills, staggers: 0, shattered: false }
                })
                .collect()
        };
        [side(Role::Attackers, attackers, attacking, defending), side(Role::Defenders, defenders, defending, attacking)]
    }
}

/// The best margin of a side; nothing if every unit failed.
fn best(units: &[Rolled<'_>]) -> Option<i32> {
    units.iter().filter_map(|unit| unit.margin).max()
}

/// How staggers are shared out over a side (HZ-MUL-05, HZ-MUL-06).
struct Odd {
    /// What each unit takes.
    share: u8,
    /// How many units take one more.
    count: usize,
    /// The unit that must take the first of them: the only one with a kill.
    forced: Option<usize>,
}

impl Odd {
    fn of(units: &[Rolled<'_>], margin: Option<i32>) -> Self {
        let staggers = margin.unwrap_or(0).clamp(0, i32::from(u8::MAX)) as usize;
        let of = units.len().max(1);
        let count = staggers % of;
        let mut killed = units.iter().enumerate().filter(|(_, unit)| unit.kills > 0).map(|(n, _)| n);
        let only = killed.next().filter(|_| killed.next().is_none());
        Self { share: (staggers / of) as u8, count, forced: only.filter(|_| count > 0) }
    }
}

fn take_staggers(units: &mut [Rolled<'_>], margin: Option<i32>, odd_first: &[u8]) {
    let odd = Odd::of(units, margin);
    let listed = odd_first.iter().map(|n| usize::from(*n)).chain(0..units.len());
    let mut takers: SmallVec<[usize; 8]> = SmallVec::new();
    for n in odd.forced.into_iter().chain(listed) {
        if takers.len() < odd.count && n < units.len() && !takers.contains(&n) {
            takers.push(n);
        }
    }
    for (n, unit) in units.iter_mut().enumerate() {
        let share = odd.share + u8::from(takers.contains(&n));
        // The share of a unit that rolled Huzzah! is lost, not passed on (HZ-MUL-10).
        unit.staggers = if unit.huzzah { 0 } else { share };
    }
}

impl Rolled<'_> {
    fn after(&self) -> Condition {
        let fighter = self.fighter;
        let before = Condition { quality: fighter.quality, staggers: fighter.staggers, kills: fighter.kills };
        before.with(fighter.later_staggers, fighter.later_kills).with(self.staggers, self.kills)
    }

    fn fate(&self, side: Role, winner: Option<Role>, against_cavalry: bool) -> Fate {
        let unlimbered = self.fighter.arm == Arm::Artillery && self.fighter.formation == Formation::Line;
        let exposed = self.fighter.arm == Arm::Infantry
            && !self.fighter.formation.is_square_like()
            && !self.fighter.position.wholly_dense();
        match winner {
            _ if self.shattered => Fate::Breaks,
            None if side == Role::Attackers => Fate::Retires,
            None => Fate::Holds,
            Some(winner) if winner == side => Fate::Holds,
            // The loser: HZ-ENG-41, HZ-ENG-45, HZ-ENG-42, HZ-ENG-39 in this order.
            Some(_) if unlimbered => Fate::Breaks,
            Some(_) if self.huzzah => Fate::Retires,
            Some(_) if exposed && against_cavalry => Fate::Breaks,
            Some(_) => Fate::Routs,
        }
    }

    fn result(&self, numbers: &Numbers, fate: Fate) -> FighterResult {
        let gone = fate == Fate::Breaks;
        let routing = !gone && (fate == Fate::Routs || self.fighter.routing);
        FighterResult {
            rating: self.rating,
            total: self.total,
            margin: self.margin,
            huzzah: self.huzzah,
            kills: self.kills,
            staggers: self.staggers,
            shattered: self.shattered,
            destroyed: self.after().is_destroyed(numbers),
            fate,
            blown: self.fighter.is_cavalry() && !gone && (self.fighter.blown || !routing),
            routing,
            officer_killed: self.fighter.officer.is_officer() && (self.kills > 0 || gone),
        }
    }
}
