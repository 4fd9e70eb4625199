//! Two players fight a battle to its end.

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::patience;
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::{Happening, Resolution};
use sabretache_engine::ruleset::Ruleset;

use crate::decide::choose_by;
use crate::fate::{BattleDice, Keyed};
use crate::plan::{Turn, turn_of};
use crate::skill::Skill;

/// How often a player whose choice the rules refuse may choose again, at random.
pub(crate) const TRIES: u32 = 32;

/// How many choices back a player remembers where the battle stood, so that it does not go in circles.
pub const MEMORY: usize = 24;

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How many choices were made.
    pub decisions: u64,
    /// Whether it came to its end within them.
    pub over: bool,
}

/// A battle that cannot go on: a fault in the rules code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {decisions} choices with seed {seed}, side {side} found nothing that the rules allow")]
pub struct Stuck {
    /// The seed of the battle.
    pub seed: u64,
    /// How many choices had been made.
    pub decisions: u64,
    /// Who was to choose.
    pub side: Side,
}

/// The player's own chance at its `n`th decision, apart from the dice.
#[must_use]
pub fn own_chance(seed: u64, side: Side, n: u64) -> Seeded {
    let apart = if side == Side::A { 0x5ab2_e7ac_4e00_000a } else { 0x5ab2_e7ac_4e00_000b };
    Seeded::for_choice(seed.rotate_left(17) ^ apart, n)
}

/// The chance of players whose battle is compared with another, with the same luck: in step again whenever a turn begins.
struct OwnChance {
    seed: u64,
    keyed: Keyed,
    of: (Option<u32>, Option<Side>),
    turns: u64,
    since: u64,
}

impl OwnChance {
    fn next<R: Ruleset>(&mut self, battle: &R::Battle, side: Side, n: u64) -> Seeded {
        if self.keyed == Keyed::ByChoice {
            return own_chance(self.seed, side, n);
        }
        let of = turn_of::<R>(battle);
        if of != self.of {
            (self.of, self.turns, self.since) = (of, self.turns + 1, 0);
        }
        self.since += 1;
        own_chance(self.seed, side, (self.turns << 32) + self.since)
    }
}

/// Fights on in place until the battle is over or so many choices were made.
///
/// The dice are those of a session with this seed, so any battle of a run can be fought again under a player's eyes.
/// `witness` sees each choice with the battle after it and all that happened.
pub fn fight<R: Ruleset>(
    battle: &mut R::Battle,
    players: [Skill; 2],
    seed: u64,
    most: u64,
    witness: impl FnMut(u64, &Choice<R::Offer>, &R::Battle, &[Happening<R::Event>]),
) -> Result<Ended, Stuck> {
    fight_keyed::<R>(battle, players, (seed, Keyed::ByChoice), most, witness)
}

/// The same with dice that follow from the seed in another way.
pub fn fight_keyed<R: Ruleset>(
    battle: &mut R::Battle,
    players: [Skill; 2],
    (seed, keyed): (u64, Keyed),
    most: u64,
    mut witness: impl FnMut(u64, &Choice<R::Offer>, &R::Battle, &[Happening<R::Event>]),
) -> Result<Ended, Stuck> {
    let mut happened = Vec::new();
    let mut before: Vec<R::Battle> = Vec::new();
    let mut turn = Turn::<R>::new(battle);
    let mut dice = BattleDice::new(seed, keyed);
    let mut own = OwnChance { seed, keyed, of: turn_of::<R>(battle), turns: 0, since: 0 };
    for n in 0..most {
        let Some(side) = R::deciding(battle) else { return Ok(Ended { decisions: n, over: true }) };
        if patience::is_over() {
            return Ok(Ended { decisions: n, over: false });
        }
        let mut random = own.next::<R>(battle, side, n);
        let mut tries = 0;
        turn.goes_on(battle);
        let skill = players[side.index()];
        let mut next = choose_by::<R>(skill, battle, &before, turn.plan(skill, side), &mut random);
        let stood = battle.clone();
        loop {
            let choice = next.ok_or(Stuck { seed, decisions: n, side })?;
            happened.clear();
            dice.turn_to(n);
            // A refusal comes before anything has happened, so the battle is still as it was.
            let play = &mut Resolution::<R>::new(battle, &mut dice).chronicled(&mut happened);
            if R::resolve(play, &choice).is_ok() {
                witness(n, &choice, battle, &happened);
                if happened.iter().any(|one| matches!(one, Happening::Roll(_))) {
                    before.clear();
                } else {
                    before.push(stood);
                    let forgotten = before.len().saturating_sub(MEMORY);
                    before.drain(..forgotten);
                }
                break;
            }
            tries += 1;
            next = (tries < TRIES).then(|| random_choice::<R>(battle, &mut Vec::new(), &mut random)).flatten();
        }
    }
    Ok(Ended { decisions: most, over: R::deciding(battle).is_none() })
}
