//! When two players of one mind end a battle: one is given up that both think decided, or drawn that both think even.
//!
//! Each says with its own choices what chance it gives its side. Nothing is agreed by a player that says nothing.

use std::str::FromStr;

use sabretache_engine::ids::Side;

/// What two players may agree on; by default on nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// A battle is given up that both think decided.
    pub one_sided: Option<OneSided>,
    /// A battle is drawn that both think even.
    pub even: Option<Even>,
}

impl Agreement {
    /// On nothing: every battle is fought to its end.
    pub const NONE: Self = Self { one_sided: None, even: None };
}

/// When a battle is one_sided: both players have said so in so many of their own decisions running.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneSided {
    /// The chance that both give the winner, from a half to 1.
    pub chance: f64,
    /// In how many decisions running of each.
    pub decisions: u32,
}

impl FromStr for OneSided {
    type Err = String;

    /// `0.95`, or `0.95:6` for six decisions of each.
    fn from_str(text: &str) -> Result<Self, String> {
        let (chance, decisions) = text.split_once(':').unwrap_or((text, "8"));
        let wrong = || format!("'{text}' is no agreement: a chance from 0.5 to 1, and of how many decisions: 0.95:8");
        let chance = number(chance, 0.5..=1.0).ok_or_else(wrong)?;
        Ok(Self { chance, decisions: count(decisions).ok_or_else(wrong)? })
    }
}

/// When a battle is even: neither player has thought better of either side in so many of its own decisions running.
///
/// Most battles begin even, so it counts only from a turn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Even {
    /// By how much the chance that either gives its side may differ from a half, up to a half.
    pub within: f64,
    /// In how many decisions running of each.
    pub decisions: u32,
    /// From which turn on.
    pub turn: u32,
}

impl FromStr for Even {
    type Err = String;

    /// `0.03:12:6`: within 0.03 of a half, in twelve decisions of each, from turn 6 on.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is no agreement on a draw: how near to a half (up to 0.5), of how many decisions, \
                 from which turn on: 0.03:12:6"
            )
        };
        let parts: Vec<&str> = text.split(':').collect();
        let [within, decisions, turn] = parts[..] else { return Err(wrong()) };
        Ok(Self {
            within: number(within, 0.0..=0.5).ok_or_else(wrong)?,
            decisions: count(decisions).ok_or_else(wrong)?,
            turn: count(turn).ok_or_else(wrong)?,
        })
    }
}

fn number(text: &str, allowed: std::ops::RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| allowed.contains(number))
}

fn count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|count| *count > 0)
}

/// What both players agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreed {
    /// That a side will win.
    Won(Side),
    /// That neither will.
    Drawn,
}

/// What both players have been saying, decision by decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Minds {
    agreement: Agreement,
    each: [Mind; 2],
}

/// How sure one of them has been, and of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mind {
    winner: Option<Side>,
    sure: u32,
    even: u32,
}

impl Minds {
    pub(crate) fn new(agreement: Agreement) -> Self {
        Self { agreement, each: [Mind::default(); 2] }
    }

    /// The player of a side gives it such a chance, in such a turn: what both now agree on.
    pub(crate) fn hear(&mut self, side: Side, chance: Option<f64>, turn: Option<u32>) -> Option<Agreed> {
        let mind = &mut self.each[side.index()];
        if let Some(one_sided) = self.agreement.one_sided {
            mind.is_sure(side, chance, one_sided.chance);
        }
        if let Some(even) = self.agreement.even {
            // In a book that counts no turns every one is late enough.
            let late = turn.is_none_or(|turn| turn >= even.turn);
            let level = late && chance.is_some_and(|chance| (chance - 0.5).abs() <= even.within);
            mind.even = if level { mind.even + 1 } else { 0 };
        }
        self.agreed()
    }

    fn agreed(&self) -> Option<Agreed> {
        let [a, b] = self.each;
        let won = self.agreement.one_sided.and_then(|one_sided| {
            let both = a.sure.min(b.sure) >= one_sided.decisions;
            a.winner.filter(|_| both && a.winner == b.winner).map(Agreed::Won)
        });
        let even = self.agreement.even.filter(|even| a.even.min(b.even) >= even.decisions);
        won.or(even.map(|_| Agreed::Drawn))
    }
}

impl Mind {
    fn is_sure(&mut self, side: Side, chance: Option<f64>, wanted: f64) {
        let winner = match chance {
            Some(chance) if chance >= wanted => Some(side),
            Some(chance) if 1.0 - chance >= wanted => Some(side.other()),
            _ => None,
        };
        let before = if winner == self.winner { self.sure } else { 0 };
        (self.winner, self.sure) = (winner, before + u32::from(winner.is_some()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_SIDED: OneSided = OneSided { chance: 0.9, decisions: 2 };
    const EVEN: Even = Even { within: 0.05, decisions: 2, turn: 3 };

    #[test]
    fn that_it_is_decided_is_a_chance_and_a_number_of_decisions() {
        assert_eq!("0.95".parse(), Ok(OneSided { chance: 0.95, decisions: 8 }));
        assert_eq!("0.9:3".parse(), Ok(OneSided { chance: 0.9, decisions: 3 }));
        for wrong in ["", "0.4", "1.1", "0.9:", "0.9:0", "sure", "NaN"] {
            assert!(wrong.parse::<OneSided>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn that_it_is_even_is_a_distance_from_a_half_a_number_of_decisions_and_a_turn() {
        assert_eq!("0.03:12:6".parse(), Ok(Even { within: 0.03, decisions: 12, turn: 6 }));
        for wrong in ["", "0.03", "0.03:12", "0.6:12:6", "-0.1:12:6", "NaN:12:6", "0.03:0:6", "0.03:12:0", "0:1:1:1"] {
            assert!(wrong.parse::<Even>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_player_is_sure_only_while_it_goes_on_saying_so() {
        let mut mind = Mind::default();
        for (chance, winner, sure) in [
            (Some(0.95), Some(Side::B), 1),
            (Some(0.9), Some(Side::B), 2),
            (Some(0.5), None, 0),
            (Some(0.05), Some(Side::A), 1),
            (Some(0.99), Some(Side::B), 1),
            (None, None, 0),
        ] {
            mind.is_sure(Side::B, chance, ONE_SIDED.chance);
            assert_eq!((mind.winner, mind.sure), (winner, sure));
        }
    }

    /// What is said one after the other, by A and B in turns, and what both agree on after each.
    fn said(agreement: Agreement, words: &[(Option<f64>, u32)]) -> Vec<Option<Agreed>> {
        let mut minds = Minds::new(agreement);
        let turns = words.iter().zip([Side::A, Side::B].iter().cycle());
        turns.map(|((chance, turn), side)| minds.hear(*side, *chance, Some(*turn))).collect()
    }

    #[test]
    fn a_battle_is_decided_once_both_have_named_the_same_winner_often_enough() {
        let agreement = Agreement { one_sided: Some(ONE_SIDED), even: None };
        let words = [(Some(0.95), 1), (Some(0.02), 1), (Some(0.95), 1), (Some(0.02), 1)];
        assert_eq!(said(agreement, &words), [None, None, None, Some(Agreed::Won(Side::A))]);
        // Both are sure to win.
        assert_eq!(said(agreement, &[(Some(0.95), 1); 8]), [None; 8]);
        // Chances of a half are no reason to end it.
        assert_eq!(said(agreement, &[(Some(0.5), 9); 8]), [None; 8]);
    }

    #[test]
    fn a_battle_is_even_once_both_have_said_so_often_enough_and_late_enough() {
        let agreement = Agreement { one_sided: None, even: Some(EVEN) };
        let drawn = Some(Agreed::Drawn);
        // What was said before the turn does not count.
        let words: Vec<_> = [1, 1, 2, 2, 3, 3, 3, 3].map(|turn| (Some(0.5), turn)).into();
        assert_eq!(said(agreement, &words), [None, None, None, None, None, None, None, drawn]);
        // One of them hopes for more once: it is counted anew.
        let words = [(Some(0.5), 3), (Some(0.45), 3), (Some(0.55), 3), (Some(0.6), 3), (Some(0.5), 3), (Some(0.5), 3)];
        let heard = said(agreement, &[&words[..], &[(Some(0.5), 3), (Some(0.52), 3)]].concat());
        assert_eq!(heard, [None, None, None, None, None, None, None, drawn]);
        // One of them never says, or both are sure of something.
        let silent: Vec<_> = (0..12).map(|n| ((n % 2 == 0).then_some(0.5), 3)).collect();
        assert_eq!(said(agreement, &silent), [None; 12]);
        assert_eq!(said(agreement, &[(Some(0.95), 3), (Some(0.05), 3)].repeat(4)), [None; 8]);
    }

    #[test]
    fn where_nothing_may_be_agreed_on_nothing_is() {
        assert_eq!(said(Agreement::NONE, &[(Some(1.0), 9), (Some(0.0), 9)].repeat(6)), [None; 12]);
        assert_eq!(said(Agreement::NONE, &[(Some(0.5), 9); 12]), [None; 12]);
    }
}
