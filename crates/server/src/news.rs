//! What everybody who listens is told, each seat in the words that are for it.

use std::borrow::Cow;
use std::sync::Arc;

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::protocol::Reply;

use crate::messages::{SeatName, ServerMessage};
use crate::seats::Seats;

/// A message ready to be sent, by seat.
pub(crate) struct News {
    texts: [Arc<str>; 4],
    /// Where letters are among it, what the texts were made from: one of several players of a side reads only his own.
    letters: Option<(usize, Vec<Reply>)>,
    /// Who decides now: a line that has the seats of both sides hears what is for that one.
    deciding: Option<Side>,
}

/// What happened, as each seat may know it, in the order of [`SeatName::ALL`]; and who decides now.
pub(crate) type Told = (Vec<Reply>, Option<Side>);

/// Tells each seat what happened since a moment and a line of the log; `whole`, with all that is to be seen now.
pub(crate) fn told(session: &dyn AnySession, since: usize, line: usize, log: &[String], whole: bool) -> Told {
    let deciding = session.deciding();
    let reply = |seat: SeatName| {
        let sealed = session.sealed(seat.into());
        let log: Vec<String> = if sealed { vec![String::new(); log.len()] } else { log.to_vec() };
        session.told(seat.into(), since, line, &log, whole).ok()
    };
    let same = SeatName::ALL.into_iter().all(|seat| !session.sealed(seat.into()));
    let replies = match same {
        true => reply(SeatName::Umpire).into_iter().collect(),
        false => SeatName::ALL.into_iter().filter_map(reply).collect(),
    };
    (replies, deciding)
}

impl News {
    /// The same for everybody.
    pub(crate) fn of_all(message: &ServerMessage) -> Self {
        let text: Arc<str> = serde_json::to_string(message).unwrap_or_default().into();
        Self { texts: [(); 4].map(|()| text.clone()), letters: None, deciding: None }
    }

    /// For one side and the umpire; nothing for anybody else.
    pub(crate) fn of_side(side: Side, message: &ServerMessage) -> Self {
        let text: Arc<str> = serde_json::to_string(message).unwrap_or_default().into();
        let none: Arc<str> = "".into();
        let texts = SeatName::ALL.map(|seat| match seat {
            seat if seat == side.into() || seat == SeatName::Umpire => text.clone(),
            _ => none.clone(),
        });
        Self { texts, letters: None, deciding: Some(side) }
    }

    /// To each seat its own; one reply stands for all four.
    pub(crate) fn of_seats(lines: usize, replies: Vec<Reply>, deciding: Option<Side>) -> Self {
        let lettered = |reply: &Reply| matches!(reply, Reply::Moment { letters, .. } if !letters.is_empty());
        let letters = replies.iter().any(lettered).then(|| (lines, replies.clone()));
        let text = |reply: Reply| -> Arc<str> {
            serde_json::to_string(&ServerMessage::News { lines, reply }).unwrap_or_default().into()
        };
        let texts: Vec<Arc<str>> = replies.into_iter().map(text).collect();
        let of = |n: usize| texts.get(n).or(texts.first()).cloned().unwrap_or_default();
        Self { texts: [of(0), of(1), of(2), of(3)], letters, deciding }
    }

    /// What a line with these seats hears.
    pub(crate) fn text(&self, seats: &Seats) -> Cow<'_, str> {
        let seat = looker(&seats.held, self.deciding);
        let n = SeatName::ALL.into_iter().position(|one| one == seat).unwrap_or_default();
        if let Some((lines, replies)) = self.letters.as_ref().filter(|_| !seats.named.is_empty())
            && let Some(reply) = replies.get(n).or(replies.first())
        {
            let reply = seats.opened(seat, reply.clone());
            return serde_json::to_string(&ServerMessage::News { lines: *lines, reply }).unwrap_or_default().into();
        }
        Cow::Borrowed(&*self.texts[n])
    }
}

/// The seat through whose eyes a line looks that may have several: the umpire sees everything; two sides at one screen see
/// what the one that decides sees.
pub(crate) fn looker(seats: &[SeatName], deciding: Option<Side>) -> SeatName {
    let of = |side: Side| if side == Side::A { SeatName::A } else { SeatName::B };
    let best = [Some(SeatName::Umpire), deciding.map(of), Some(SeatName::A), Some(SeatName::B)];
    best.into_iter().flatten().find(|seat| seats.contains(seat)).unwrap_or(SeatName::Spectator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sides_at_one_screen_look_with_the_eyes_of_the_one_that_decides() {
        let both = [SeatName::A, SeatName::B];
        assert_eq!(looker(&both, Some(Side::B)), SeatName::B);
        assert_eq!(looker(&both, Some(Side::A)), SeatName::A);
        assert_eq!(looker(&[SeatName::A], Some(Side::B)), SeatName::A);
        assert_eq!(looker(&[SeatName::B, SeatName::Umpire], Some(Side::B)), SeatName::Umpire);
        assert_eq!(looker(&[SeatName::Spectator], Some(Side::B)), SeatName::Spectator);
    }
}
