//! The seats that a connection has: whole sides, or one of several players of a side, who speaks for himself alone.

use sabretache_engine::erased::AnySession;
use sabretache_engine::eyes::{Addressee, Letter, LetterView};
use sabretache_engine::ids::Side;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;

use crate::messages::{PlayerSeat, SeatName};

/// The seats that some secrets belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seats {
    /// All of them; the side of a player is among them.
    pub(crate) held: Vec<SeatName>,
    /// Who sits there by name, on sides that are not held as a whole.
    pub(crate) named: Vec<PlayerSeat>,
}

impl Seats {
    /// The seats kept under these words.
    pub(crate) fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut seats = Self::default();
        for word in words {
            seats.held.extend(SeatName::parse(word));
            seats.named.extend(PlayerSeat::parse(word));
        }
        seats.named.retain(|player| !seats.held.contains(&player.side.into()));
        seats.named.sort_unstable();
        seats.held.extend(seats.named.iter().map(|player| SeatName::from(player.side)));
        seats.held.sort_unstable();
        seats.held.dedup();
        seats
    }

    /// The whole of these seats: a single player of a side does not speak for it.
    pub(crate) fn whole(&self) -> Vec<SeatName> {
        let single = |seat: &SeatName| self.named.iter().any(|player| SeatName::from(player.side) == *seat);
        self.held.iter().copied().filter(|seat| !single(seat)).collect()
    }

    /// The request as this seat may make it: a player decides, takes back and writes under his own name. What is wrong, where he may not.
    pub(crate) fn signed(&self, seat: SeatName, mut request: Request) -> Result<Request, String> {
        let names: Vec<&String> =
            self.named.iter().filter(|player| SeatName::from(player.side) == seat).map(|player| &player.name).collect();
        if names.is_empty() {
            return Ok(request);
        }
        if matches!(request, Request::Say { .. }) {
            return Err("only whoever has the whole side settles that with the enemy".into());
        }
        if let Request::Choose { player: name, .. }
        | Request::Instruct { player: name, .. }
        | Request::Series { player: name, .. }
        | Request::Undo { player: name, .. }
        | Request::Write { from: name, .. } = &mut request
        {
            match (&name, names.as_slice()) {
                (Some(given), _) if !names.contains(&given) => return Err(format!("{given} has a link of his own")),
                (None, [own]) => *name = Some((*own).clone()),
                (None, _) => return Err("say which of the players you are".into()),
                _ => {}
            }
        }
        Ok(request)
    }

    /// Whether a letter is his who sits here by name.
    fn may_read(&self, letter: &Letter) -> bool {
        let own = |name: &String| self.named.iter().any(|player| player.name == *name);
        let to_him = match &letter.to {
            Addressee::Player(name) => own(name),
            Addressee::Side(side) => self.named.iter().any(|player| player.side == *side),
            Addressee::Umpire => false,
        };
        to_him || letter.from.as_ref().is_some_and(own)
    }

    /// A log without the letters that are not his who sits here by name.
    pub(crate) fn own_letters(&self, log: &str) -> String {
        let keep = |line: &&str| {
            let line: Option<serde_json::Value> = serde_json::from_str(line).ok();
            let letter = line.as_ref().and_then(|line| line.pointer("/entry/written"));
            letter
                .is_none_or(|letter| serde_json::from_value(letter.clone()).is_ok_and(|letter| self.may_read(&letter)))
        };
        log.split_inclusive('\n').filter(keep).collect()
    }

    /// The reply as this seat may read it: a player reads the letters that he wrote, that are for him, or for all of his side.
    pub(crate) fn opened(&self, seat: SeatName, mut reply: Reply) -> Reply {
        if !self.named.iter().any(|player| SeatName::from(player.side) == seat) {
            return reply;
        }
        let his = |one: &LetterView| self.may_read(&one.letter);
        match &mut reply {
            Reply::Letters { letters, .. } => letters.retain(his),
            Reply::Moment { letters, log, .. } if !letters.iter().all(his) => {
                letters.retain(his);
                log.iter_mut().for_each(String::clear);
            }
            _ => {}
        }
        reply
    }
}

/// The players of sides that have several.
pub(crate) fn players_of(session: &mut dyn AnySession) -> Vec<PlayerSeat> {
    let mut all = Vec::new();
    for side in Side::BOTH {
        if let Reply::Letters { players, .. } = session.answer(Seat::Player(side), &Request::Letters)
            && players.len() > 1
        {
            all.extend(players.into_iter().map(|name| PlayerSeat { side, name }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use sabretache_engine::log::Hand;

    use super::*;

    fn choice(player: Option<&str>) -> Request {
        let text = serde_json::json!({ "type": "choose", "offer": "x", "player": player });
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn a_log_holds_only_the_letters_of_the_one_who_reads_it() {
        let letter = |from: &str, to: Addressee| {
            let (by, from) = (Hand::Player(Side::B), Some(from.to_owned()));
            let letter = Letter { by, from, to, text: "march".into() };
            serde_json::json!({ "entry": { "written": letter }, "hash": "00" }).to_string() + "\n"
        };
        let (his, theirs) = (letter("Ney", Addressee::Umpire), letter("Soult", Addressee::Umpire));
        let log = format!("{{\"entry\":{{\"begun\":1}}}}\n{his}{theirs}");
        let seats = Seats::of(["B:Ney"].into_iter());
        let read = seats.own_letters(&log);
        assert!(read.contains("begun") && read.contains("Ney") && !read.contains("Soult"), "{read}");
    }

    #[test]
    fn a_player_speaks_under_his_own_name_and_a_whole_side_under_any() {
        let single = Seats::of(["B:Ney", "spectator"].into_iter());
        assert_eq!(single.held, [SeatName::B, SeatName::Spectator]);
        assert_eq!(single.whole(), [SeatName::Spectator]);
        assert_eq!(single.signed(SeatName::B, choice(None)), Ok(choice(Some("Ney"))));
        assert_eq!(single.signed(SeatName::B, choice(Some("Ney"))), Ok(choice(Some("Ney"))));
        assert!(single.signed(SeatName::B, choice(Some("Soult"))).is_err());
        let two = Seats::of(["B:Ney", "B:Soult"].into_iter());
        assert!(two.signed(SeatName::B, choice(None)).is_err());
        assert_eq!(two.signed(SeatName::B, choice(Some("Soult"))), Ok(choice(Some("Soult"))));
        let instruct = serde_json::json!({ "type": "instruct", "side": "B", "instructions": [] });
        let instruct = serde_json::from_value(instruct).unwrap();
        let signed = single.signed(SeatName::B, instruct);
        assert!(matches!(signed, Ok(Request::Instruct { player: Some(name), .. }) if name == "Ney"));
        let whole = Seats::of(["B:Ney", "B"].into_iter());
        assert_eq!((whole.held.as_slice(), whole.named.len()), ([SeatName::B].as_slice(), 0));
        assert_eq!(whole.signed(SeatName::B, choice(Some("Soult"))), Ok(choice(Some("Soult"))));
    }
}
