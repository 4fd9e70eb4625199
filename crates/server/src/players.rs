//! Computer players: those of the laboratories that the program brings.

use std::time::Duration;

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::session::Order;
use sabretache_lab::AnyLaboratory;
use sabretache_players::contest::program_seed;
use sabretache_players::program::{Chosen, Seated};
use sabretache_players::{Advice, Budget, Program, Skill, Thinker};

use crate::messages::{PlayerEntry, Players};

/// What a side is called that nobody plays for but whoever sits there.
pub const PERSON: &str = "person";

/// Behind the name of a computer player: where the dice are real ones, a person throws for it.
pub const BY_HAND: &str = "+hand";

/// Whether a person throws the real dice of whoever plays a side.
pub(crate) fn thrown_by_hand(name: &str) -> bool {
    name.ends_with(BY_HAND)
}

/// The longest a Marshal may think about one decision here.
const LONGEST: Duration = Duration::from_secs(30);
/// The most it may look ahead.
const MOST: u32 = 50_000;

/// The computer players of a server.
#[derive(Clone)]
pub(crate) struct Opponents {
    laboratories: Vec<&'static dyn AnyLaboratory>,
    /// Programs by the names that the operator has given them. No request can name a command.
    programs: Vec<(String, &'static Program)>,
}

impl Opponents {
    /// The players of these laboratories.
    pub(crate) fn new(
        laboratories: Vec<&'static dyn AnyLaboratory>,
        programs: Vec<(String, &'static Program)>,
    ) -> Self {
        Self { laboratories, programs }
    }

    /// The laboratory of a ruleset.
    pub(crate) fn laboratory(&self, ruleset: &str) -> Option<&'static dyn AnyLaboratory> {
        self.laboratories.iter().copied().find(|laboratory| laboratory.ruleset() == ruleset)
    }

    /// The computer player of this name, with its budget: `marshal:5s`. Nothing for a person and for nonsense.
    pub(crate) fn find(&self, name: &str) -> Option<Skill> {
        let name = name.strip_suffix(BY_HAND).unwrap_or(name);
        if let Some((_, program)) = self.programs.iter().find(|(own, _)| own == name) {
            return Some(Skill::Program(program));
        }
        let skill: Skill = name.parse().ok()?;
        match skill.budget() {
            Some(Budget::Time(time)) if time > LONGEST => None,
            Some(Budget::Iterations(count)) if count > MOST => None,
            _ => Some(skill),
        }
    }

    /// The first name of the two that is neither a person nor a computer player.
    pub(crate) fn unknown<'a>(&self, players: &'a Players) -> Option<&'a str> {
        let names = [players.a.as_str(), players.b.as_str()];
        names.into_iter().find(|name| *name != PERSON && self.find(name).is_none())
    }

    /// Everybody who can be chosen to play, persons first.
    pub(crate) fn entries(&self) -> Vec<PlayerEntry> {
        let person = PlayerEntry {
            name: PERSON.into(),
            title: "Person".into(),
            note: "whoever has the link to the seat".into(),
        };
        let entry = |skill: Skill| PlayerEntry {
            name: skill.to_string(),
            title: skill.title().into(),
            note: skill.note().into(),
        };
        let program = |(name, program): &(String, &'static Program)| PlayerEntry {
            name: name.clone(),
            title: program.title().to_owned(),
            note: Skill::Program(program).note().into(),
        };
        let programs = self.programs.iter().map(program);
        [person].into_iter().chain(Skill::ALL.map(entry)).chain(programs).collect()
    }
}

/// What came of thinking.
pub(crate) enum Came {
    /// A choice.
    Order(Order),
    /// A choice of aides, with a line that tells it.
    Aided(Order, String),
    /// Nothing.
    Nothing,
    /// A program gives the battle up, or has failed once too often.
    GivesUp,
}

/// A program decides in a copy of the battle. It takes its seat for this decision alone, so that no more of them run than think.
pub(crate) fn ask_program(
    program: &'static Program,
    side: Side,
    mut copy: Box<dyn AnySession>,
    random: &mut Seeded,
) -> Came {
    let mut seated = Seated::new(program, side);
    match seated.decide(&mut *copy, program_seed(random), None) {
        Ok(Chosen { order: Some(order), .. }) => {
            seated.leave(&*copy);
            Came::Order(order)
        }
        Ok(Chosen { order: None, .. }) => Came::GivesUp,
        Err(fault) => {
            tracing::warn!("the program {} has lost a battle: {fault}", program.spec());
            Came::GivesUp
        }
    }
}

/// What somebody thinks about.
pub(crate) struct Thought {
    /// The battle as it stood,
    pub(crate) thinker: Box<dyn Thinker>,
    /// and who thinks.
    pub(crate) skill: Skill,
}

impl Thought {
    /// What it chooses. `random` is its own: the dice of the battle are never looked at.
    pub(crate) fn order(&self, random: &mut Seeded) -> Option<Order> {
        self.thinker.order(self.skill, random)
    }

    /// What it would choose, and why.
    pub(crate) fn advise(&self, random: &mut Seeded) -> Option<Advice> {
        self.thinker.advise(self.skill, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_is_offered_and_known_by_its_name() {
        let corporal = ("corporal".to_owned(), Program::named("exec:nothing-of-the-kind").unwrap());
        let opponents = Opponents::new(Vec::new(), vec![corporal]);
        let names: Vec<String> = opponents.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["person", "recruit", "ensign", "drill-master", "marshal:2s", "corporal"]);
        let players = |a: &str| Players { a: a.into(), b: PERSON.into() };
        for known in
            ["person", "recruit", "drill-master", "marshal:500ms", "marshal:40", "drill-master+hand", "corporal"]
        {
            assert_eq!(opponents.unknown(&players(known)), None, "{known}");
        }
        // Commands are the operator's to name: even that of a program that is known is nobody else's.
        for unknown in [
            "exec:true",
            "exec:nothing-of-the-kind",
            "exec[decision=1s]:true",
            "napoleon",
            "marshal:31s",
            "marshal:50001",
            "",
            "person+hand",
            "+hand",
        ] {
            assert_eq!(opponents.unknown(&players(unknown)), Some(unknown), "{unknown}");
        }
    }
}
