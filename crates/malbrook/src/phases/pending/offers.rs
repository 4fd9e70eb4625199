//! What is asked in the middle of something else, and which answers each question admits.

use sabretache_engine::decides;
use sabretache_engine::handle::{Group, Handle, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::{MB_FOO_04, MB_MOR_04, MB_MOV_29, MB_MOV_30, MB_MOV_32, MB_RES_16, MB_RES_17};
use crate::phases::closing::{Closing, End};
use crate::phases::harm::Play;
use crate::phases::manoeuvre::{Bodies, Scattering};
use crate::phases::pending::Pending;
use crate::phases::{closing, fleeing, manoeuvre, meeting, passing, skirmish, turn};
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// The answers. A meeting ([`Pending::Meeting`]) is answered as a charge is, and a control die is shifted as part of its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Answer {
    /// Foot fire into a move across their front.
    GiveFire,
    /// They let it pass.
    HoldFire,
    /// Retirers halt behind friends or cover.
    HaltBehind,
    /// They go back the whole way.
    FallOn,
    /// Skirmishers fall back.
    Withdraw,
    /// Skirmishers stand.
    LetCome,
    /// A line that lost a base lost it from this end.
    LoseEnd { unit: UnitId, end: End },
    /// One of the bases that move one by one is told where to go.
    SendBase { unit: UnitId, base: u8 },
    /// They go where they were told.
    Scattered(UnitId),
    /// They go so far apart that they are brigades of their own.
    GoApart(UnitId),
    /// They are called back.
    Gather(UnitId),
}

impl Part<Malbrook> for Answer {
    fn actor(self) -> Option<Named> {
        match self {
            Self::LoseEnd { unit, .. }
            | Self::SendBase { unit, .. }
            | Self::Scattered(unit)
            | Self::GoApart(unit)
            | Self::Gather(unit) => Some(unit.into()),
            Self::GiveFire | Self::HoldFire | Self::HaltBehind | Self::FallOn | Self::Withdraw | Self::LetCome => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::GiveFire => passing::volley_input(battle),
            Self::HaltBehind => fleeing::shelter_input(battle),
            Self::SendBase { unit, base } => manoeuvre::send_input(battle, unit, base),
            Self::HoldFire
            | Self::FallOn
            | Self::Withdraw
            | Self::LetCome
            | Self::LoseEnd { .. }
            | Self::Scattered(_)
            | Self::GoApart(_)
            | Self::Gather(_) => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::GiveFire => passing::give_fire(play, value.distance()),
            Self::HoldFire => passing::hold_fire(play),
            Self::HaltBehind => fleeing::halt_behind(play, value.distance()),
            Self::FallOn => fleeing::fall_on(play),
            Self::Withdraw => skirmish::fall_back(play),
            Self::LetCome => skirmish::let_come(play),
            Self::LoseEnd { unit, end } => {
                closing::answer(play, unit, end)?;
                turn::settle(play)
            }
            Self::SendBase { unit, base } => manoeuvre::send_base(play, unit, base, value.point()),
            Self::Scattered(unit) => manoeuvre::scattered(play, unit, Bodies::One),
            Self::GoApart(unit) => manoeuvre::scattered(play, unit, Bodies::Several),
            Self::Gather(unit) => manoeuvre::gather(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        match self {
            Self::GiveFire => "give fire".into(),
            Self::HoldFire => "let pass".into(),
            Self::HaltBehind => "halt behind".into(),
            Self::FallOn => "go the whole way".into(),
            Self::Withdraw => "withdraw".into(),
            Self::LetCome => "stand fast".into(),
            Self::LoseEnd { unit, end } => format!("lose end {} {}", id(unit), end.word()),
            Self::SendBase { unit, base } => format!("send base {} of {}", base + 1, id(unit)),
            Self::Scattered(unit) => format!("scattered {}", id(unit)),
            Self::GoApart(unit) => format!("go apart {}", id(unit)),
            Self::Gather(unit) => format!("gather {}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (text, unit, clause) = match self {
            Self::GiveFire => {
                ("Fire into their flank as they pass".into(), battle.passing().map(|p| p.foot), MB_FOO_04)
            }
            Self::HoldFire => ("Let them pass".into(), battle.passing().map(|p| p.foot), MB_FOO_04),
            Self::HaltBehind => {
                ("Halt behind friends or cover".into(), battle.falling().map(|one| one.unit), MB_RES_17)
            }
            Self::FallOn => ("Go back the whole way".into(), battle.falling().map(|one| one.unit), MB_RES_16),
            Self::Withdraw => ("Fall back before them".into(), battle.approach().map(|one| one.skirmisher), MB_MOV_30),
            Self::LetCome => ("Stand and let them come".into(), battle.approach().map(|one| one.skirmisher), MB_MOV_30),
            Self::LoseEnd { unit, end } => {
                (format!("Lose the base on the {} of {}", end.word(), name(unit)), Some(unit), MB_MOR_04)
            }
            Self::SendBase { unit, base } => {
                (format!("Send base {} of {} towards a place", base + 1, name(unit)), Some(unit), MB_MOV_29)
            }
            Self::Scattered(unit) => (format!("Let the bases of {} go", name(unit)), Some(unit), MB_MOV_29),
            Self::GoApart(unit) => {
                (format!("Let the bases of {} go apart as separate brigades", name(unit)), Some(unit), MB_MOV_32)
            }
            Self::Gather(unit) => (format!("Call the bases of {} back", name(unit)), Some(unit), MB_MOV_29),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::GiveFire => match battle.passing() {
                Some(passing) => Handling::at("shoot", [passing.foot], passing.mover),
                None => Handling::end("shoot").of(Group::Act),
            },
            Self::HoldFire => match battle.passing() {
                Some(passing) => Handling::act("pass", passing.foot).of(Group::End),
                None => Handling::end("pass"),
            },
            Self::HaltBehind => retirer(battle, "halt"),
            Self::FallOn => retirer(battle, "retire"),
            Self::Withdraw => skirmisher(battle, "withdraw"),
            Self::LetCome => skirmisher(battle, "pass").of(Group::End),
            Self::LoseEnd { unit, .. } => Handling::act("lose_end", unit),
            Self::SendBase { unit, .. } => Handling::act("send", unit).by(Handle::Point { who: unit.into() }),
            Self::Scattered(unit) => Handling::act("scattered", unit),
            Self::GoApart(unit) => Handling::act("go_apart", unit),
            Self::Gather(unit) => Handling::act("gather", unit),
        }
    }
}

impl Answer {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Scattered(unit) => manoeuvre::may_finish_scattering(battle, unit, Bodies::One).map(drop),
            Self::GoApart(unit) => manoeuvre::may_finish_scattering(battle, unit, Bodies::Several).map(drop),
            Self::GiveFire
            | Self::HoldFire
            | Self::HaltBehind
            | Self::FallOn
            | Self::Withdraw
            | Self::LetCome
            | Self::LoseEnd { .. }
            | Self::SendBase { .. }
            | Self::Gather(_) => Ok(()),
        }
    }

    /// Whether it is an answer to this question.
    const fn is_to(self, asked: &Pending) -> bool {
        match self {
            Self::GiveFire | Self::HoldFire => matches!(asked, Pending::Passing(_)),
            Self::HaltBehind | Self::FallOn => matches!(asked, Pending::Falling(_)),
            Self::Withdraw | Self::LetCome => matches!(asked, Pending::Approach(_)),
            Self::SendBase { .. } | Self::Scattered(_) | Self::GoApart(_) | Self::Gather(_) => {
                matches!(asked, Pending::Scattering(_))
            }
            // Asked once nothing is pending that holds up a move.
            Self::LoseEnd { .. } => false,
        }
    }
}

/// Whether an offer fits what the battle waits for: one of its answers, or none at all where nothing is asked.
pub(crate) fn admits(battle: &Battle, offer: &Offer) -> bool {
    let answer = if let Offer::Answer(answer) = offer { Some(*answer) } else { None };
    match &battle.pending {
        Some(Pending::Meeting(_)) => matches!(offer, Offer::Charges(_)),
        Some(asked @ (Pending::Passing(_) | Pending::Falling(_) | Pending::Approach(_))) => {
            answer.is_some_and(|answer| answer.is_to(asked))
        }
        _ if !battle.closing.is_empty() => matches!(answer, Some(Answer::LoseEnd { .. })),
        Some(asked @ Pending::Scattering(_)) => answer.is_some_and(|answer| answer.is_to(asked)),
        Some(Pending::ControlDie(..)) | None => answer.is_none(),
    }
}

/// The answers that are open, if something is asked and nothing else may be done before it is answered; whether that is so.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) -> bool {
    match &battle.pending {
        Some(Pending::Passing(_)) => out.extend([Answer::GiveFire, Answer::HoldFire].map(Offer::from)),
        Some(Pending::Falling(_)) => out.extend([Answer::HaltBehind, Answer::FallOn].map(Offer::from)),
        Some(Pending::Approach(_)) => out.extend([Answer::Withdraw, Answer::LetCome].map(Offer::from)),
        Some(Pending::Meeting(met)) => meeting::offers(battle, *met, out),
        other => match (closing::closing_now(battle), other) {
            (Some(closing), _) => ends(closing, out),
            (None, Some(Pending::Scattering(one))) => bases(battle, one, out),
            // The shifts of a control die are offered by the phase.
            (None, _) => return false,
        },
    }
    true
}

/// The two ends of a line that lost a base, first the one from which it went for the time being.
fn ends(closing: Closing, out: &mut Vec<Offer>) {
    decides!(MB_MOR_04);
    let unit = closing.unit;
    out.extend([closing.lost, closing.lost.other()].map(|end| Offer::from(Answer::LoseEnd { unit, end })));
}

/// What may be done while bases are told where to go.
fn bases(battle: &Battle, one: &Scattering, out: &mut Vec<Offer>) {
    let unit = one.unit;
    let waits = |base: &u8| !one.sent.iter().any(|(told, _)| told == base);
    let all = (0..battle.brigade(unit).bases).filter(waits);
    out.extend(all.map(|base| Offer::from(Answer::SendBase { unit, base })));
    out.extend(
        [Answer::Scattered(unit), Answer::GoApart(unit)]
            .into_iter()
            .filter(|one| one.may(battle).is_ok())
            .map(Offer::from),
    );
    out.push(Answer::Gather(unit).into());
}

/// What of that is closed, and why.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let Some(one) = battle.scattering() else { return };
    for answer in [Answer::Scattered(one.unit), Answer::GoApart(one.unit)] {
        out.extend(answer.may(battle).err().map(|refusal| (Offer::from(answer), refusal)));
    }
}

/// It is the brigade that retires that is taken hold of.
fn retirer(battle: &Battle, act: &'static str) -> Handling {
    battle.falling().map_or_else(|| Handling::end(act), |one| Handling::act(act, one.unit))
}

/// It is the skirmishers who are approached that are taken hold of.
fn skirmisher(battle: &Battle, act: &'static str) -> Handling {
    battle.approach().map_or_else(|| Handling::end(act), |one| Handling::act(act, one.skirmisher))
}
