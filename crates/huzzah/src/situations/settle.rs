//! The rolls of an engagement, and what follows from them.
//!
//! Whatever the dice have no part in is worked out first ([`Contender`]), then what a roll means for its unit and for the
//! enemy ([`Rolled`]), then what follows from all rolls together ([`settle`]). The same functions settle an engagement on
//! the table and add up its odds.

use sabretache_engine::decides;
use sabretache_engine::tally::{Meanings, Tally};
use smallvec::SmallVec;

use super::engagement::{EngagementSituation, Fighter, Role};
use super::facts::Condition;
use super::fates::{End, EngagementOutcome, Fate, Fates, FighterResult, OddStaggers};
use super::two_dice;
use crate::clauses::{
    HZ_BLO_01, HZ_ENG_02, HZ_ENG_03, HZ_ENG_29, HZ_ENG_30, HZ_ENG_31, HZ_ENG_32, HZ_ENG_33, HZ_ENG_34, HZ_ENG_35,
    HZ_ENG_36, HZ_ENG_39, HZ_ENG_40, HZ_ENG_41, HZ_ENG_42, HZ_ENG_43, HZ_ENG_44, HZ_ENG_45, HZ_ENG_46, HZ_ENG_48,
    HZ_MUL_04, HZ_MUL_05, HZ_MUL_06, HZ_MUL_07, HZ_MUL_08, HZ_MUL_09, HZ_MUL_10, HZ_MUL_12, HZ_OFF_21, HZ_OFF_22,
    HZ_TER_05,
};
use crate::numbers::Numbers;
use crate::troops::{Arm, Formation};

impl EngagementSituation {
    /// The odd staggers that their owner must still place after these rolls, if there are any (HZ-MUL-06).
    #[must_use]
    pub fn odd_staggers(&self, numbers: &Numbers, totals: &[i32]) -> Option<OddStaggers> {
        let rolled = self.contenders(numbers).rolled(numbers, totals);
        [Role::Attackers, Role::Defenders].into_iter().find_map(|side| {
            let units = rolled.side(side);
            let odd = Odd::of(units, &Blow::of(rolled.side(side.other())));
            let among: Vec<u8> = (0..units.len() as u8).filter(|n| Some(usize::from(*n)) != odd.forced).collect();
            let free = odd.count - usize::from(odd.forced.is_some());
            (free > 0 && free < among.len()).then_some(OddStaggers { side, staggers: free as u8, among })
        })
    }

    /// What follows from the rolls, given in the order attackers, defenders. `odd_first` says which units take odd
    /// staggers where their owner may choose, by number on their side; without it they go to the first listed.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, totals: &[i32], odd_first: &[u8]) -> EngagementOutcome {
        self.read_ready(numbers, &self.contenders(numbers), totals, odd_first)
    }

    /// The same, where all that the dice have no part in is known.
    pub(super) fn read_ready(
        &self,
        numbers: &Numbers,
        contenders: &Sides<Contender>,
        totals: &[i32],
        odd_first: &[u8],
    ) -> EngagementOutcome {
        let rolled = contenders.rolled(numbers, totals);
        let mut came = rolled.map(|_| Came::default());
        let (attacked, defended) = came.parted();
        let settled = settle(rolled.side(Role::Attackers), rolled.side(Role::Defenders), attacked, defended, odd_first);
        let results = |side: Role, totals: &[i32]| {
            let ready = contenders.side(side).iter().zip(self.side(side)).zip(totals);
            let came = rolled.side(side).iter().zip(came.side(side));
            let units = ready.zip(came);
            units
                .map(|(((unit, fighter), total), (rolled, came))| came.result(numbers, unit, fighter, rolled, *total))
                .collect()
        };
        let (attacking, defending) = totals.split_at(self.attackers.len().min(totals.len()));
        EngagementOutcome {
            winner: settled.winner,
            winner_broke: settled.winner_broke,
            attackers: results(Role::Attackers, attacking),
            defenders: results(Role::Defenders, defending),
        }
    }

    /// How many ways lead to each end, all rolls falling together.
    #[inline]
    pub(super) fn tallied(&self, numbers: &Numbers) -> Option<Tally> {
        let name = |code: u16| End(code).name();
        let throw = two_dice();
        let ([attacker], [defender]) = (&self.attackers[..], &self.defenders[..]) else {
            let mut throws: SmallVec<[Meanings<Rolled>; 4]> = SmallVec::new();
            for (role, fighter) in self.fighters() {
                let unit = self.contender(numbers, role, fighter);
                throws.push(Meanings::of(&throw, |total| unit.rolls(numbers, total)));
            }
            return Tally::of_all::<_, { End::ALL }>(&throws, name, |rolled| {
                let mut came: SmallVec<[Came; 8]> = SmallVec::from_elem(Came::default(), rolled.len());
                let (attackers, defenders) = rolled.split_at(self.attackers.len());
                let (attacked, defended) = came.split_at_mut(self.attackers.len());
                settle(attackers, defenders, attacked, defended, &self.odd_staggers).end.0
            });
        };
        let attacker = self.contender(numbers, Role::Attackers, attacker);
        let defender = self.contender(numbers, Role::Defenders, defender);
        let attackers = Meanings::of(&throw, |total| attacker.rolls(numbers, total));
        let defenders = Meanings::of(&throw, |total| defender.rolls(numbers, total));
        Tally::of_two::<_, _, { End::ALL }>(&attackers, &defenders, name, |attacker, defender| {
            let (attacker, defender) = (std::slice::from_ref(attacker), std::slice::from_ref(defender));
            settle(attacker, defender, &mut [Came::default()], &mut [Came::default()], &[]).end.0
        })
    }

    /// All units made ready for their rolls.
    pub(super) fn contenders(&self, numbers: &Numbers) -> Sides<Contender> {
        let units = self.fighters().map(|(role, fighter)| self.contender(numbers, role, fighter)).collect();
        Sides { attackers: self.attackers.len(), units }
    }

    #[inline]
    fn contender(&self, numbers: &Numbers, role: Role, fighter: &Fighter) -> Contender {
        decides!(HZ_ENG_02, HZ_ENG_03, HZ_ENG_29, HZ_ENG_32, HZ_ENG_33, HZ_ENG_43, HZ_ENG_44);
        let condition = Condition { quality: fighter.quality, staggers: fighter.staggers, kills: fighter.kills };
        let before = condition.with(fighter.later_staggers, fighter.later_kills);
        let against_cavalry = self.side(role.other()).iter().any(Fighter::is_cavalry);
        Contender {
            rating: self.test(role, fighter, numbers).target(),
            before,
            bears: before.bears(numbers),
            beaten: [false, true].map(|huzzah| fighter.beaten(huzzah, against_cavalry)),
        }
    }
}

/// Something for each unit of both sides, in the order of rolling.
pub(super) struct Sides<T> {
    attackers: usize,
    units: SmallVec<[T; 4]>,
}

impl<T> Sides<T> {
    fn side(&self, role: Role) -> &[T] {
        let (attackers, defenders) = self.units.split_at(self.attackers.min(self.units.len()));
        match role {
            Role::Attackers => attackers,
            Role::Defenders => defenders,
        }
    }

    fn parted(&mut self) -> (&mut [T], &mut [T]) {
        let attackers = self.attackers.min(self.units.len());
        self.units.split_at_mut(attackers)
    }

    fn map<U>(&self, made: impl Fn(&T) -> U) -> Sides<U> {
        Sides { attackers: self.attackers, units: self.units.iter().map(made).collect() }
    }
}

/// A unit as it comes to its roll: all that the dice have no part in.
#[derive(Clone, Copy)]
pub(super) struct Contender {
    /// Its effective morale.
    pub(super) rating: i32,
    /// What it has suffered before, since the phase began included.
    before: Condition,
    /// How many more staggers and kills break it.
    bears: i32,
    /// What becomes of it if it loses: without a Huzzah! of its own, and with one.
    beaten: [Fate; 2],
}

impl Contender {
    /// What a roll means for the unit and its enemies: by how much it succeeds, a kill for failing, a Huzzah!.
    #[inline(always)]
    fn rolls(&self, numbers: &Numbers, total: i32) -> Rolled {
        let margin = numbers.margin(total, self.rating);
        let huzzah = numbers.is_huzzah(total);
        let kills = if margin.is_none() { numbers.failure_kills } else { 0 };
        let margin = margin.map_or(Margin::FAILED, Margin);
        let beaten = self.beaten[usize::from(huzzah)];
        Rolled {
            margin,
            inflicts: margin.staggers(),
            bears: self.bears.saturating_sub(kills.into()),
            huzzah,
            kills,
            deals: if huzzah { numbers.huzzah_kills } else { 0 },
            beaten,
            told_beaten: Fates::of(beaten),
        }
    }
}

impl Sides<Contender> {
    /// The effective morale of every unit, in the order of rolling.
    pub(super) fn ratings(&self) -> impl Iterator<Item = i32> + '_ {
        self.units.iter().map(|unit| unit.rating)
    }

    fn rolled(&self, numbers: &Numbers, totals: &[i32]) -> Sides<Rolled> {
        let units = self.units.iter().zip(totals).map(|(unit, total)| unit.rolls(numbers, *total)).collect();
        Sides { attackers: self.attackers, units }
    }
}

impl Fighter {
    /// What becomes of it if it loses: HZ-ENG-41, HZ-ENG-45, HZ-ENG-42, HZ-ENG-39 in this order.
    fn beaten(&self, huzzah: bool, against_cavalry: bool) -> Fate {
        decides!(HZ_ENG_41, HZ_ENG_45, HZ_ENG_42, HZ_ENG_39);
        let unlimbered = self.arm == Arm::Artillery && self.formation == Formation::Line;
        decides!(HZ_TER_05);
        let exposed = self.arm == Arm::Infantry && !self.formation.is_square_like() && self.position.in_open();
        match () {
            () if unlimbered => Fate::Breaks,
            () if huzzah => Fate::Retires,
            () if exposed && against_cavalry => Fate::Breaks,
            () => Fate::Routs,
        }
    }
}

/// By how much a roll succeeds. A failure has no margin and loses to any success; two failures tie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Margin(i32);

impl Margin {
    const FAILED: Self = Self(-1);

    fn staggers(self) -> u8 {
        self.0.clamp(0, u8::MAX.into()) as u8
    }

    fn get(self) -> Option<i32> {
        (self != Self::FAILED).then_some(self.0)
    }
}

/// What one unit's roll means for it and for its enemies.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rolled {
    margin: Margin,
    /// How many more staggers and kills break it, after any kill for failing.
    bears: i32,
    huzzah: bool,
    /// Kills it takes for failing.
    kills: u8,
    /// Kills it deals to every enemy.
    deals: u8,
    /// Its margin in staggers.
    inflicts: u8,
    /// What becomes of it if it loses, and how that is told.
    beaten: Fate,
    told_beaten: Fates,
}

/// How one unit came through.
#[derive(Clone, Copy)]
struct Came {
    kills: u8,
    staggers: u8,
    shattered: bool,
    fate: Fate,
}

impl Default for Came {
    fn default() -> Self {
        Self { kills: 0, staggers: 0, shattered: false, fate: Fate::Holds }
    }
}

/// What follows for both sides together.
struct Settled {
    winner: Option<Role>,
    winner_broke: bool,
    end: End,
}

/// What follows from the rolls of both sides (HZ-ENG-48), and how each unit comes through. This settles an engagement on the
/// table and adds up its odds, so it works on plain values alone; for one unit a side the compiler takes the loops out.
#[inline(always)]
fn settle(
    attackers: &[Rolled],
    defenders: &[Rolled],
    attacked: &mut [Came],
    defended: &mut [Came],
    odd_first: &[u8],
) -> Settled {
    decides!(HZ_ENG_30, HZ_ENG_31, HZ_ENG_34, HZ_ENG_35, HZ_ENG_46, HZ_ENG_48);
    decides!(HZ_MUL_04, HZ_MUL_05, HZ_MUL_06, HZ_MUL_07, HZ_MUL_08, HZ_MUL_09, HZ_MUL_10, HZ_MUL_12);
    decides!(HZ_BLO_01, HZ_OFF_21, HZ_OFF_22);
    let (from_attackers, from_defenders) = (Blow::of(attackers), Blow::of(defenders));
    suffer(attackers, attacked, &from_defenders, odd_first);
    suffer(defenders, defended, &from_attackers, odd_first);
    let attackers_better = from_attackers.margin > from_defenders.margin;
    let defenders_better = from_attackers.margin < from_defenders.margin;
    let attackers_win = attackers_better & survive(attackers, attacked, from_attackers.margin);
    let defenders_win = defenders_better & survive(defenders, defended, from_defenders.margin);
    decides!(HZ_ENG_36, HZ_ENG_40);
    let fates = [
        meet_fates(attackers, attacked, attackers_win, defenders_win, Fate::Retires),
        meet_fates(defenders, defended, defenders_win, attackers_win, Fate::Holds),
    ];
    let winner = match (attackers_win, defenders_win) {
        (true, _) => Some(Role::Attackers),
        (_, true) => Some(Role::Defenders),
        _ => None,
    };
    let winner_broke = (attackers_better || defenders_better) && winner.is_none();
    Settled { winner, winner_broke, end: End::of(attackers_win, defenders_win, fates[0], fates[1]) }
}

/// What a side does to the other.
struct Blow {
    /// Its best margin.
    margin: Margin,
    /// The same in staggers, to be shared out over the enemies.
    staggers: u8,
    /// Kills for every enemy: every Huzzah! deals them.
    kills: u8,
}

impl Blow {
    #[inline(always)]
    fn of(units: &[Rolled]) -> Self {
        Self {
            margin: units.iter().map(|unit| unit.margin).max().unwrap_or(Margin::FAILED),
            staggers: units.iter().map(|unit| unit.inflicts).max().unwrap_or(0),
            kills: units.iter().map(|unit| unit.deals).reduce(u8::saturating_add).unwrap_or(0),
        }
    }
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
    #[inline(always)]
    fn of(units: &[Rolled], blow: &Blow) -> Self {
        let (staggers, of) = (usize::from(blow.staggers), units.len().max(1));
        let count = staggers % of;
        let killed = |(_, unit): &(usize, &Rolled)| unit.kills > 0 || blow.kills > 0;
        let mut killed = units.iter().enumerate().filter(killed).map(|(n, _)| n);
        let only = killed.next().filter(|_| killed.next().is_none());
        Self { share: (staggers / of) as u8, count, forced: only.filter(|_| count > 0) }
    }

    /// The units that take one more.
    fn takers(&self, units: usize, odd_first: &[u8]) -> SmallVec<[usize; 8]> {
        let listed = odd_first.iter().map(|n| usize::from(*n)).chain(0..units);
        let mut takers = SmallVec::new();
        for n in self.forced.into_iter().chain(listed) {
            if takers.len() < self.count && n < units && !takers.contains(&n) {
                takers.push(n);
            }
        }
        takers
    }
}

/// A side takes kills and staggers, and may find them more than it can bear.
#[inline(always)]
fn suffer(units: &[Rolled], came: &mut [Came], blow: &Blow, odd_first: &[u8]) {
    let odd = Odd::of(units, blow);
    let takers = if odd.count > 0 { odd.takers(units.len(), odd_first) } else { SmallVec::new() };
    for (n, (unit, came)) in units.iter().zip(came).enumerate() {
        let share = odd.share + u8::from(odd.count > 0 && takers.contains(&n));
        // The share of a unit that rolled Huzzah! is lost, not passed on (HZ-MUL-10).
        came.staggers = if unit.huzzah { 0 } else { share };
        came.kills = unit.kills.saturating_add(blow.kills);
        came.shattered = i32::from(came.staggers) + i32::from(blow.kills) >= unit.bears;
    }
}

/// Whether any unit is left of those that won their side the engagement.
#[inline(always)]
fn survive(units: &[Rolled], came: &[Came], best: Margin) -> bool {
    units.iter().zip(came).any(|(unit, came)| unit.margin == best && !came.shattered)
}

/// What becomes of each unit of a side, and what of those that are left in a tie.
#[inline(always)]
fn meet_fates(units: &[Rolled], came: &mut [Came], win: bool, lose: bool, in_tie: Fate) -> Fates {
    let mut fates = Fates::NONE;
    for (unit, came) in units.iter().zip(came) {
        let unlost = if win { Fate::Holds } else { in_tie };
        let unbroken = if lose { unit.beaten } else { unlost };
        came.fate = if came.shattered { Fate::Breaks } else { unbroken };
        // How that is told, picked along with it: looking it up costs odds a quarter of their time.
        let unbroken = if lose { unit.told_beaten } else { Fates::LEFT };
        let told = if came.shattered { Fates::BREAK } else { unbroken };
        debug_assert!(told == Fates::of(came.fate), "a fate is told as what it is");
        fates = fates.and(told);
    }
    fates
}

impl Came {
    fn result(
        &self,
        numbers: &Numbers,
        unit: &Contender,
        fighter: &Fighter,
        rolled: &Rolled,
        total: i32,
    ) -> FighterResult {
        let gone = self.fate == Fate::Breaks;
        let routing = !gone && (self.fate == Fate::Routs || fighter.routing);
        FighterResult {
            rating: unit.rating,
            total,
            margin: rolled.margin.get(),
            huzzah: rolled.huzzah,
            kills: self.kills,
            staggers: self.staggers,
            shattered: self.shattered,
            destroyed: unit.before.with(self.staggers, self.kills).is_destroyed(numbers),
            fate: self.fate,
            blown: fighter.is_cavalry() && !gone && (fighter.blown || !routing),
            routing,
            officer_killed: fighter.officer.is_officer() && (self.kills > 0 || gone),
        }
    }
}
