//! Two players, any of whom may be somebody else's program, fight a battle in a session.
//!
//! It is the battle that [`crate::fight`] fights with the same seed where both are players of ours; a session is slower, and is
//! what a program can ask. What no rule of the book decides ends a battle by giving it up, as between people, so that its log
//! can be proved: a program that has failed too often gives up, and so does the side of which both players think that it has
//! lost ([`Agreement`]).

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement, Entry, Say};
use sabretache_engine::offer::Choice;
use sabretache_engine::patience;
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::Happening;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::session::{Order, Seat, Session, Setup};
use sabretache_engine::view::Verdict;

use crate::decide::choose_by;
use crate::fight::{Ended, MEMORY, Stuck, TRIES, own_chance};
use crate::plan::Turn;
use crate::program::{Chosen, Fault, FaultKind, Seated};
use crate::skill::Skill;

/// When a battle is given up as decided: both players have said so in so many of their own decisions running.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The chance that both give the winner, from a half to 1.
    pub chance: f64,
    /// In how many decisions running of each.
    pub decisions: u32,
}

impl std::str::FromStr for Agreement {
    type Err = String;

    /// `0.95`, or `0.95:6` for six decisions of each.
    fn from_str(text: &str) -> Result<Self, String> {
        let (chance, decisions) = text.split_once(':').unwrap_or((text, "8"));
        let wrong = || format!("'{text}' is no agreement: a chance from 0.5 to 1, and of how many decisions: 0.95:8");
        let chance = chance.parse().ok().filter(|chance| (0.5..=1.0).contains(chance)).ok_or_else(wrong)?;
        let decisions = decisions.parse().ok().filter(|count| *count > 0).ok_or_else(wrong)?;
        Ok(Self { chance, decisions })
    }
}

/// Who fights, with which dice, and when it is over.
pub struct Terms<'a, R: Ruleset> {
    /// The players of A and B.
    pub players: [Skill; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// After so many choices it is counted as it stands.
    pub most: u64,
    /// Whether decided battles are given up.
    pub agreement: Option<Agreement>,
    /// The chance that a player of ours gives side A, from 0 to 1.
    pub chance_of_a: &'a dyn Fn(&R::Battle) -> f64,
}

/// How it ended.
#[derive(Clone, Debug)]
pub struct Contested<R: Ruleset> {
    /// How many choices were made, and whether it came to an end.
    pub ended: Ended,
    /// Who won and why, by the book or by giving up.
    pub verdict: Option<Verdict>,
    /// Why it was given up, where it was.
    pub given_up: Option<String>,
    /// The battle as it stood last.
    pub battle: R::Battle,
}

/// Why no battle came of it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoContest {
    /// A fault in the rules code.
    #[error(transparent)]
    Stuck(#[from] Stuck),
    /// The scenario is faulty.
    #[error("the scenario cannot be laid out:\n{0}")]
    Scenario(Diagnostics),
    /// A program cannot be started at all.
    #[error("{0}: {1}")]
    Program(String, Fault),
}

/// How sure a player has been of one winner, decision by decision.
#[derive(Clone, Copy, Default)]
struct Sure {
    winner: Option<Side>,
    decisions: u32,
}

impl Sure {
    /// A player of a side gives it such a chance.
    fn says(&mut self, side: Side, chance: Option<f64>, agreement: Agreement) {
        let winner = match chance {
            Some(chance) if chance >= agreement.chance => Some(side),
            Some(chance) if 1.0 - chance >= agreement.chance => Some(side.other()),
            _ => None,
        };
        let before = if winner == self.winner { self.decisions } else { 0 };
        *self = Self { winner, decisions: before + u32::from(winner.is_some()) };
    }
}

/// Fights a battle to its end. `witness` sees each choice with the battle after it and all that happened.
pub fn contest<R: Ruleset>(
    scenario: &Scenario<R::Body>,
    terms: &Terms<'_, R>,
    mut witness: impl FnMut(u64, &Choice<R::Offer>, &R::Battle, &[Happening<R::Event>]),
) -> Result<Contested<R>, NoContest> {
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(terms.seed) };
    let (mut session, _) = Session::<R>::begin(scenario, setup).map_err(NoContest::Scenario)?;
    let mut seats = Side::BOTH.map(|side| terms.players[side.index()].program().map(|one| Seated::new(one, side)));
    let ended = fight_on(&mut session, terms, &mut seats, &mut witness);
    for seated in seats.into_iter().flatten() {
        seated.leave(&session);
    }
    let (ended, given_up) = ended?;
    let verdict = if ended.over { session.verdict() } else { None };
    Ok(Contested { ended, verdict, given_up, battle: session.battle().clone() })
}

fn fight_on<R: Ruleset>(
    session: &mut Session<R>,
    terms: &Terms<'_, R>,
    seats: &mut [Option<Seated>; 2],
    witness: &mut impl FnMut(u64, &Choice<R::Offer>, &R::Battle, &[Happening<R::Event>]),
) -> Result<(Ended, Option<String>), NoContest> {
    let mut before: Vec<R::Battle> = Vec::new();
    let mut turn = Turn::<R>::new(session.battle());
    let mut sure = [Sure::default(); 2];
    for n in 0..terms.most {
        let Some(side) = session.deciding() else { return Ok((Ended { decisions: n, over: true }, None)) };
        if patience::is_over() {
            return Ok((Ended { decisions: n, over: false }, None));
        }
        turn.goes_on(session.battle());
        let stood = session.battle().clone();
        let mut random = own_chance(terms.seed, side, n);
        let skill = terms.players[side.index()];
        let (order, score) = match &mut seats[side.index()] {
            Some(seated) => match seated.decide(session, program_seed(&mut random), Some(terms.seed)) {
                Ok(Chosen { order: Some(order), score, .. }) => (order, score),
                Ok(Chosen { order: None, .. }) => {
                    let why = format!("the program of side {side} gave it up");
                    return Ok(given_up(session, side, n, why));
                }
                Err(fault) if fault.kind == FaultKind::Start => {
                    return Err(NoContest::Program(skill.to_string(), fault));
                }
                Err(fault) => {
                    let why = format!("the program of side {side} {} once too often", fault.kind.verb());
                    return Ok(given_up(session, side, n, why));
                }
            },
            None => {
                let choice = choose_by::<R>(skill, &stood, &before, turn.plan(skill, side), &mut random);
                let order = make(session, choice, &mut random).ok_or(Stuck { seed: terms.seed, decisions: n, side })?;
                let a = (terms.chance_of_a)(&stood);
                (order, Some(if side == Side::A { a } else { 1.0 - a }))
            }
        };
        let mut offers = Vec::new();
        R::offers(&stood, &mut offers);
        let offer = offers.into_iter().find(|offer| R::key(&stood, offer) == order.offer);
        if let (Some(offer), Some(Entry::Chosen(chosen))) = (offer, session.log().entries.last()) {
            witness(n, &Choice { offer, value: order.value }, session.battle(), &chosen.happened);
            if chosen.rolled() {
                before.clear();
            } else {
                before.push(stood);
                let forgotten = before.len().saturating_sub(MEMORY);
                before.drain(..forgotten);
            }
        }
        if let Some(agreement) = terms.agreement {
            sure[side.index()].says(side, score, agreement);
            let agreed = sure[0].winner.filter(|_| sure.iter().all(|one| one.decisions >= agreement.decisions));
            if let Some(winner) = agreed.filter(|winner| sure[1].winner == Some(*winner))
                && session.deciding().is_some()
            {
                let why = format!("both players thought that side {winner} would win");
                return Ok(given_up(session, winner.other(), n + 1, why));
            }
        }
    }
    Ok((Ended { decisions: terms.most, over: session.deciding().is_none() }, None))
}

/// The seed that a program is told: one that programs which know only 53 bits can carry.
#[must_use]
pub fn program_seed(random: &mut Seeded) -> u64 {
    random.bits() >> 12
}

/// A side gives the battle up.
fn given_up<R: Ruleset>(session: &mut Session<R>, side: Side, decisions: u64, why: String) -> (Ended, Option<String>) {
    // It is over or it is not: where nobody may give up any more, it was.
    let _ = session.say(Seat::Player(side), Say::Resign);
    (Ended { decisions, over: true }, Some(why))
}

/// Makes a player's choice; where the rules refuse it, any other that they allow.
fn make<R: Ruleset>(
    session: &mut Session<R>,
    mut choice: Option<Choice<R::Offer>>,
    random: &mut Seeded,
) -> Option<Order> {
    for _ in 0..TRIES {
        let Choice { offer, value } = choice?;
        let order = Order { offer: R::key(session.battle(), &offer), value, ..Order::default() };
        if session.choose(Seat::Umpire, &order).is_ok() {
            return Some(order);
        }
        choice = random_choice::<R>(session.battle(), &mut Vec::new(), random);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agreement_is_a_chance_and_a_number_of_decisions() {
        assert_eq!("0.95".parse(), Ok(Agreement { chance: 0.95, decisions: 8 }));
        assert_eq!("0.9:3".parse(), Ok(Agreement { chance: 0.9, decisions: 3 }));
        for wrong in ["", "0.4", "1.1", "0.9:", "0.9:0", "sure", "NaN"] {
            assert!(wrong.parse::<Agreement>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_player_is_sure_only_while_it_goes_on_saying_so() {
        let agreement = Agreement { chance: 0.9, decisions: 2 };
        let mut sure = Sure::default();
        for (chance, winner, decisions) in [
            (Some(0.95), Some(Side::B), 1),
            (Some(0.9), Some(Side::B), 2),
            (Some(0.5), None, 0),
            (Some(0.05), Some(Side::A), 1),
            (Some(0.99), Some(Side::B), 1),
            (None, None, 0),
        ] {
            sure.says(Side::B, chance, agreement);
            assert_eq!((sure.winner, sure.decisions), (winner, decisions));
        }
    }
}
