//! Two players, any of whom may be somebody else's program, fight a battle in a session.
//!
//! It is the battle that [`crate::fight`] fights with the same seed where both are players of ours; a session is slower, and is
//! what a program can ask. What no rule of the book decides ends a battle by giving it up, as between people, so that its log
//! can be proved: a program that has failed too often gives up, and so does the side of which both players think that it has
//! lost. Where both think it even, one offers a draw and the other agrees ([`Agreement`]).

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

use crate::agreement::{Agreed, Agreement, Minds};
use crate::decide::choose_by;
use crate::fight::{Ended, MEMORY, Stuck, TRIES, own_chance};
use crate::plan::Turn;
use crate::program::{Chosen, Fault, FaultKind, Seated};
use crate::skill::Skill;

/// Who fights, with which dice, and when it is over.
pub struct Terms<'a, R: Ruleset> {
    /// The players of A and B.
    pub players: [Skill; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// After so many choices it is counted as it stands.
    pub most: u64,
    /// Whether battles that both players think decided are given up, and even ones drawn.
    pub agreement: Agreement,
    /// The chance that a player of ours gives side A, from 0 to 1.
    pub chance_of_a: &'a dyn Fn(&R::Battle) -> f64,
}

/// How it ended.
#[derive(Clone, Debug)]
pub struct Contested<R: Ruleset> {
    /// How many choices were made, and whether it came to an end.
    pub ended: Ended,
    /// Who won and why, by the book or by the players.
    pub verdict: Option<Verdict>,
    /// Why the players ended it, where they did.
    pub cut_short: Option<String>,
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
    let (ended, cut_short) = ended?;
    let verdict = if ended.over { session.verdict() } else { None };
    Ok(Contested { ended, verdict, cut_short, battle: session.battle().clone() })
}

fn fight_on<R: Ruleset>(
    session: &mut Session<R>,
    terms: &Terms<'_, R>,
    seats: &mut [Option<Seated>; 2],
    witness: &mut impl FnMut(u64, &Choice<R::Offer>, &R::Battle, &[Happening<R::Event>]),
) -> Result<(Ended, Option<String>), NoContest> {
    let mut before: Vec<R::Battle> = Vec::new();
    let mut turn = Turn::<R>::new(session.battle());
    let mut minds = Minds::new(terms.agreement);
    for n in 0..terms.most {
        let Some(side) = session.deciding() else { return Ok((Ended { decisions: n, over: true }, None)) };
        if patience::is_over() {
            return Ok((Ended { decisions: n, over: false }, None));
        }
        turn.goes_on(session.battle());
        let stood = session.battle().clone();
        let of_turn = R::clock(&stood).turn;
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
        let agreed = minds.hear(side, score, of_turn);
        // The last choice may have ended it by the book.
        if let Some(agreed) = agreed.filter(|_| session.deciding().is_some()) {
            return Ok(match agreed {
                Agreed::Won(winner) => {
                    let why = format!("both players thought that side {winner} would win");
                    given_up(session, winner.other(), n + 1, why)
                }
                Agreed::Drawn => drawn(session, side, n + 1),
            });
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

/// A side offers a draw, and the other agrees.
fn drawn<R: Ruleset>(session: &mut Session<R>, side: Side, decisions: u64) -> (Ended, Option<String>) {
    for (by, say) in [(side, Say::OfferDraw), (side.other(), Say::Agree)] {
        // As with giving up: it is over or it is not.
        let _ = session.say(Seat::Player(by), say);
    }
    (Ended { decisions, over: true }, Some("both players thought it even".into()))
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
