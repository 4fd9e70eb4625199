//! Aides: what the commands that a person has handed over are to do. It is kept with the battle, so that whatever process takes it up goes on.

mod routes;

use sabretache_engine::ids::{CommandId, Side};
use sabretache_players::plan::{Errand, Kind};
use sabretache_table::Point;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::messages::SeatName;
use crate::store::PageName;

pub(crate) use routes::routes;

/// The page of a battle on which it is kept.
pub(crate) const AIDES: PageName = "aides";
/// So many lines of what aides did are kept, the last ones.
const MOST_LINES: usize = 60;
/// No army has more commands than that.
const MOST_ERRANDS: usize = 200;

/// What the aides of a side are about.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct AidesNow {
    /// The side.
    pub side: Side,
    /// What was handed over.
    pub errands: Vec<ErrandView>,
    /// What they did, the last of it.
    pub told: Vec<AideLine>,
    /// Whether they wait: something was taken back, and the person has not chosen since.
    pub waits: bool,
    /// Whether they think about what to do now.
    pub working: bool,
}

/// A command that is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ErrandView {
    /// The command, as a token.
    pub command: String,
    /// What it is to do: `attack`, `pin`, `turn`, `hold`, `garrison`, `reserve`, `withdraw`.
    #[ts(type = "string")]
    pub task: Kind,
    /// Where the arrow ends.
    #[ts(type = "{ x: number; y: number }")]
    pub to: Point,
    /// Where it goes by.
    #[ts(type = "{ x: number; y: number } | null")]
    pub by: Option<Point>,
}

/// Something that an aide did, told in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AideLine {
    /// The moment that came of it.
    pub moment: usize,
    /// What it did, and how that serves what it was told to do.
    pub line: String,
}

/// An arrow that was drawn for a command.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewErrand {
    /// Whose command.
    pub side: Side,
    /// The command, as a token.
    #[ts(type = "string")]
    pub command: CommandId,
    /// What it is to do; nothing while it is only asked what it could do there.
    #[serde(default)]
    #[ts(type = "string | null")]
    pub task: Option<Kind>,
    /// Where the arrow ends.
    #[ts(type = "{ x: number; y: number }")]
    pub to: Point,
    /// Where it goes by, for a way round.
    #[serde(default)]
    #[ts(type = "{ x: number; y: number } | null")]
    pub by: Option<Point>,
}

/// What could be done where an arrow ends.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TasksOpen {
    /// The tasks, the likeliest first.
    #[ts(type = "string[]")]
    pub tasks: Vec<Kind>,
}

/// Takes commands back, or lets aides that wait go on.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AidesWish {
    /// The side.
    pub side: Side,
    /// What is wished.
    pub wish: AidesChange,
}

/// What is wished of aides.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AidesChange {
    /// A command is the person's again.
    Back(
        /// The command, as a token.
        #[ts(type = "string")]
        CommandId,
    ),
    /// Every command is.
    AllBack,
    /// They wait no longer.
    GoOn,
}

/// What aides can be told to do, the likeliest first where it can be done at all.
pub(crate) const TASKS: [Kind; 7] =
    [Kind::Attack, Kind::Garrison, Kind::Turn, Kind::Pin, Kind::Hold, Kind::Reserve, Kind::Withdraw];

/// The aides of both sides, as they are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Aides {
    sides: [OfSide; 2],
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct OfSide {
    errands: Vec<Errand>,
    told: Vec<AideLine>,
    waits: bool,
}

impl Aides {
    /// What is kept on a page; nobody has an errand where there is none.
    pub(crate) fn read(page: Option<&str>) -> Result<Self, String> {
        let read = |text: &str| serde_json::from_str(text).map_err(|error| format!("the database is damaged: {error}"));
        page.map_or_else(|| Ok(Self::default()), read)
    }

    /// As it is kept; nothing where nobody has an errand and nothing is told.
    pub(crate) fn text(&self) -> Option<String> {
        (*self != Self::default()).then(|| serde_json::to_string(self).ok()).flatten()
    }

    /// What a side has handed over.
    pub(crate) fn errands(&self, side: Side) -> &[Errand] {
        &self.sides[side.index()].errands
    }

    /// Whether nothing is handed over.
    pub(crate) fn is_empty(&self) -> bool {
        self.sides.iter().all(|of| of.errands.is_empty())
    }

    /// Whether the aides of a side have something to do when it decides.
    pub(crate) fn act(&self, side: Side) -> bool {
        let of = &self.sides[side.index()];
        !of.errands.is_empty() && !of.waits
    }

    /// Hands a command over, in place of what it was told before.
    pub(crate) fn hand_over(&mut self, side: Side, errand: Errand) -> Result<(), String> {
        let of = &mut self.sides[side.index()];
        of.errands.retain(|other| other.command != errand.command);
        if of.errands.len() >= MOST_ERRANDS {
            return Err("no more commands can be handed over".into());
        }
        of.errands.push(errand);
        of.waits = false;
        Ok(())
    }

    /// Takes commands back, or lets those go on who wait.
    pub(crate) fn change(&mut self, side: Side, wish: &AidesChange) {
        let of = &mut self.sides[side.index()];
        match wish {
            AidesChange::Back(command) => of.errands.retain(|errand| errand.command != *command),
            AidesChange::AllBack => of.errands.clear(),
            AidesChange::GoOn => of.waits = false,
        }
        if of.errands.is_empty() {
            of.waits = false;
        }
    }

    /// A person has taken something back (the aides wait, lest they do it again), or chosen.
    pub(crate) fn wait(&mut self, side: Side, waits: bool, moment: usize) {
        let of = &mut self.sides[side.index()];
        of.waits = waits && !of.errands.is_empty();
        of.told.retain(|line| line.moment <= moment);
    }

    /// An aide has done something.
    pub(crate) fn tell(&mut self, side: Side, moment: usize, line: String) {
        let told = &mut self.sides[side.index()].told;
        told.retain(|line| line.moment < moment);
        told.push(AideLine { moment, line });
        let over = told.len().saturating_sub(MOST_LINES);
        told.drain(..over);
    }

    /// As these seats may know it.
    pub(crate) fn of_seats(&self, seats: &[SeatName]) -> Vec<AidesNow> {
        let may = |side: &Side| seats.contains(&(*side).into()) || seats.contains(&SeatName::Umpire);
        Side::BOTH.into_iter().filter(may).map(|side| self.now(side)).collect()
    }

    /// As the side may know it.
    pub(crate) fn now(&self, side: Side) -> AidesNow {
        let of = &self.sides[side.index()];
        let errand = |errand: &Errand| ErrandView {
            command: errand.command.to_string(),
            task: errand.task,
            to: errand.to,
            by: errand.by,
        };
        let errands = of.errands.iter().map(errand).collect();
        AidesNow { side, errands, told: of.told.clone(), waits: of.waits, working: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errand(command: u16) -> Errand {
        let text =
            format!(r#"{{"command":"%{command}","task":"hold","to":{{"x":1,"y":2}},"by":null,"target":"Ground"}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_command_has_one_errand_and_is_taken_back_alone_or_with_all() {
        let mut aides = Aides::default();
        assert_eq!(aides.text(), None);
        for command in [1, 2, 1] {
            aides.hand_over(Side::B, errand(command)).unwrap();
        }
        assert_eq!(aides.errands(Side::B).len(), 2);
        assert!(aides.act(Side::B) && !aides.act(Side::A));
        aides.change(Side::B, &AidesChange::Back(CommandId(1)));
        assert_eq!(aides.errands(Side::B).len(), 1);
        assert_eq!(Aides::read(aides.text().as_deref()).unwrap(), aides);
        aides.change(Side::B, &AidesChange::AllBack);
        assert!(aides.is_empty());
    }

    #[test]
    fn aides_wait_after_something_was_taken_back_and_what_they_told_of_it_is_gone() {
        let mut aides = Aides::default();
        aides.hand_over(Side::A, errand(1)).unwrap();
        aides.tell(Side::A, 4, "One.".into());
        aides.tell(Side::A, 5, "Two.".into());
        aides.wait(Side::A, true, 4);
        assert!(!aides.act(Side::A));
        assert_eq!(aides.now(Side::A).told.iter().map(|told| told.moment).collect::<Vec<_>>(), [4]);
        aides.change(Side::A, &AidesChange::GoOn);
        assert!(aides.act(Side::A));
        for moment in 5..500 {
            aides.tell(Side::A, moment, String::new());
        }
        assert_eq!(aides.now(Side::A).told.len(), MOST_LINES);
    }

    #[test]
    fn a_damaged_page_is_told_of() {
        assert!(Aides::read(Some("[")).is_err());
    }
}
