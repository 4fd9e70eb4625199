//! Players who are advised and not refereed: what the rules forbid is named, and may be done all the same.
//!
//! Every check of the rules says of itself whether what it turns down is forbidden ([`Battle::forbid`]) or cannot be done at all. A choice against
//! the rules is resolved by the very same code, with what is forbidden waived.

use sabretache_engine::clause::Clause;
use sabretache_engine::offer::{Halt, Refusal};

use crate::Offer;
use crate::battle::Battle;
use crate::phases::harm::Play;

impl Battle {
    /// A rule is against it: refused, unless the players have waived the rules.
    pub(crate) fn forbid(&self, clause: Clause, why: impl Into<String>) -> Result<(), Refusal> {
        if self.memo.waives() { Ok(()) } else { Err(Refusal::new(clause, why)) }
    }

    /// What a check comes to once its rules are waived.
    pub(crate) fn waived<T>(&self, check: impl FnOnce() -> T) -> T {
        let before = self.memo.waives();
        self.memo.waive();
        let found = check();
        if !before {
            self.memo.enforce();
        }
        found
    }
}

/// Whether an offer that is told of as closed could be taken up.
fn may(battle: &Battle, offer: Offer) -> Result<(), Refusal> {
    match offer {
        Offer::Gunnery(part) => part.may(battle),
        Offer::Command(part) => part.may(battle),
        Offer::Messages(part) => part.may(battle),
        Offer::Movement(part) => part.may(battle),
        Offer::Manoeuvres(part) => part.may(battle),
        Offer::RefusedFlank(part) => part.may(battle),
        Offer::Merging(part) => part.may(battle),
        Offer::Charges(part) => part.may(battle),
        Offer::Answer(part) => part.may(battle),
        // None of these is told of as closed.
        Offer::Deployment(_) | Offer::Turn(_) | Offer::ControlTest(_) | Offer::Combats(_) | Offer::Optional(_) => {
            Ok(())
        }
    }
}

/// Tells of an offer as closed, if it is.
pub(crate) fn shut(battle: &Battle, offer: impl Into<Offer>, out: &mut Vec<(Offer, Refusal)>) {
    let offer = offer.into();
    out.extend(may(battle, offer).err().map(|refusal| (offer, refusal)));
}

/// Of what is closed: whether a rule forbids it, or it cannot be done whatever the rules say.
pub(crate) fn sort_out(battle: &Battle, closed: &mut [(Offer, Refusal)]) {
    battle.waived(|| {
        for (offer, refusal) in closed.iter_mut() {
            refusal.impossible |= may(battle, *offer).is_err();
        }
    });
}

/// Notes what a choice is against, if the rules forbid it and the players are only advised; from then on the rules are waived
/// for this choice.
pub(crate) fn waive(play: &mut Play<'_>, offer: Offer) -> Result<(), Halt> {
    if !play.is_lenient() {
        return Ok(());
    }
    let Err(refusal) = may(play.battle(), offer) else { return Ok(()) };
    let impossible = refusal.impossible || play.battle().waived(|| may(play.battle(), offer)).is_err();
    play.refuse(Refusal { impossible, ..refusal })?;
    play.battle().memo.waive();
    Ok(())
}
